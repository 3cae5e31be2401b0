/* test_model_file.c -- the model file: what is read is what was written, to the
 * bit, and a file that cannot be right is refused with its reason. */
#include "t_alloc.h"
#include "t_dir.h"
#include "t_hostile.h"
#include "t_make.h"
#include "t_model.h"

#include <math.h>

/* ----- a model comes back as it was ------------------------------------------------ */

/* 1-based, scaled, with an odd label: everything a file can hold, by hand. */
static perc_model *handmade(void)
{
    static const double w[] = { 0, 1.5, -0.0, 0x1p-1074 };
    const char *json = "{\"header\":true,\"delimiter\":\",\",\"columns\":["
                       "{\"name\":\"age\",\"kind\":\"number\"},{\"name\":\"y\",\"kind\":\"label\"},"
                       "{\"name\":\"colour\",\"kind\":\"category\"}],"
                       "\"categories\":[[2,\"red\"],[2,\"blue\"]]}";
    const struct env e = env_resolve(NULL);
    perc_params *p = t_params("perceptron", "rate=0.10");
    perc_model *m;

    assert_int_equal(model_new(&e, p, &m, NULL), PERC_OK);
    m->index_base = 1;
    size_t class, at; /* the first is Latin-1: not UTF-8 */
    assert_int_equal(learner_meet(&m->learner, "caf\xe9", &class, &at, NULL), PERC_OK);
    assert_int_equal(learner_meet(&m->learner, "th\xc3\xa9 \"1\"", &class, &at, NULL), PERC_OK);
    m->rows = 7;
    assert_int_equal(linear_grow(&m->learner.machine->last, 4), PERC_OK);
    memcpy(m->learner.machine->last.w, w, sizeof w);
    m->learner.machine->last.b[0] = -0.1;
    m->sigmoid = mem_array(&e, 1, sizeof *m->sigmoid);
    *m->sigmoid = (struct sigmoid){ -1.0 / 3, -0x1p-1070 };
    m->sigmoids = 1;
    m->learner.shown = 18;
    m->learner.machine->expecting = false;
    m->learner.progress = (struct progress){ .epoch = 3,
                                             .position = 5,
                                             .pass_open = true,
                                             .examples = 19,
                                             .mistakes = 9,
                                             .updates = 8,
                                             .pass_mistakes = 2,
                                             .pass_updates = 1,
                                             .stop = PERC_STOP_CANCELLED };
    m->transform = (struct transform){ .e = e, .scale = SCALE_STANDARD, .columns = 4, .first = 1 };
    m->transform.by = 1;
    m->transform.shift = mem_zeroed(&e, 4, sizeof(double));
    m->transform.divisor = mem_array(&e, 4, sizeof(double));
    m->transform.fill = mem_zeroed(&e, 4, sizeof(double));
    for (int j = 0; j < 4; j++) m->transform.divisor[j] = j > 0 ? 1.0 / j : 1;
    m->transform.shift[2] = 1e300;
    m->transform.fill[3] = -7.25;
    assert_int_equal(schema_from_json(&e, json, strlen(json), &m->schema, NULL), PERC_OK);
    assert_int_equal(names_make(&e, &m->schema, &m->names), PERC_OK);
    perc_params_free(p);
    return m;
}

TEST(a_model_comes_back_with_all_it_had)
{
    perc_model *a = handmade(), *b = reload(a);
    const struct progress *g = &a->learner.progress, *h = &b->learner.progress;

    assert_int_equal(b->index_base, 1);
    assert_int_equal(b->rows, 7);
    assert_int_equal(b->learner.labels.n, 2);
    assert_string_equal(perc_model_label(b, 0), perc_model_label(a, 0));
    assert_string_equal(perc_model_label(b, 1), perc_model_label(a, 1));
    assert_false(b->learner.closed || b->learner.rest);
    assert_int_equal(b->learner.shown, 18);
    assert_int_equal(b->learner.machine->last.dims, 4);
    assert_memory_equal(b->learner.machine->last.w, a->learner.machine->last.w, 4 * sizeof(double));
    assert_true(b->learner.machine->last.b[0] == a->learner.machine->last.b[0]);
    assert_true(b->learner.machine->last.offset);
    assert_int_equal(b->sigmoids, 1);
    assert_memory_equal(b->sigmoid, a->sigmoid, sizeof *a->sigmoid);
    assert_true(b->learner.machine->unit == 0.1);
    assert_string_equal(perc_model_option(b, "rate"), "0.10"); /* as it was given */
    assert_true(params_given(b->params, "rate"));
    assert_false(params_given(b->params, "epochs"));
    assert_true(g->epoch == h->epoch && g->position == h->position && g->examples == h->examples &&
                g->mistakes == h->mistakes && g->updates == h->updates &&
                g->pass_mistakes == h->pass_mistakes && g->pass_updates == h->pass_updates &&
                g->pass_open == h->pass_open && g->stop == h->stop);
    assert_int_equal(b->transform.scale, SCALE_STANDARD);
    assert_int_equal(b->transform.columns, 4);
    assert_int_equal(b->transform.first, 1);
    assert_memory_equal(b->transform.shift, a->transform.shift, 4 * sizeof(double));
    assert_memory_equal(b->transform.divisor, a->transform.divisor, 4 * sizeof(double));
    assert_memory_equal(b->transform.fill, a->transform.fill, 4 * sizeof(double));
    assert_int_equal(b->names.n, 3);
    assert_string_equal(perc_model_feature(b, 2, NULL, 0), "colour=blue");

    t_assert_same_file(a, b);
    t_free(a, b);
}

TEST(writing_what_was_read_gives_the_same_bytes)
{
    static const struct {
        const char *data, *scale, *options;
    } cases[] = {
        { ":blobs85", "scale=none", "" },
        { ":blobs85", "scale=none", "offset=false" },
        { ":blobs85", "scale=standard", "" },
        { ":blobs85", "scale=minmax", "" },
        { ":blobs85", "scale=maxabs", "" },
        { ":blobs85", "scale=unit", "" },
        { ":blobs85", "scale=by:2.5", "" },
        { ":xor", "scale=none", "epochs=3" },
        { ":iris", "scale=none", "positive=virginica" },
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        perc_dataset *ds = t_read(cases[i].data, cases[i].scale);
        perc_model *a = t_fit(ds, cases[i].options, NULL), *b = reload(a);
        assert_true(b->learner.progress.updates > 0); /* guard: something was learned */
        t_assert_same_file(a, b);
        t_free(a, b, ds);
    }
}

TEST(an_untaught_model_can_be_saved_and_taught_later)
{
    const double x[] = { 1, 2 };
    const perc_example example = { NULL, x, 2 };
    perc_model *a = t_untaught(""), *b = reload(a);

    assert_int_equal(b->index_base, -1);
    t_assert_same_file(a, b);
    assert_int_equal(perc_learn(a, &example, "1", 1, NULL, NULL), PERC_OK);
    assert_int_equal(perc_learn(b, &example, "1", 1, NULL, NULL), PERC_OK);
    t_assert_same_file(a, b);
    perc_model_free(b);
    b = reload(a); /* taught, and with one label */
    assert_int_equal(b->learner.labels.n, 1);
    t_assert_same_file(a, b);
    t_free(a, b);
}

TEST(stopping_saving_and_going_on_gives_the_bytes_of_one_run)
{
    perc_dataset *ds = t_read(":xor", "");
    perc_model *whole = t_fit(ds, "epochs=9", NULL), *part = t_fit(ds, "epochs=4", NULL);
    perc_model *back = reload(part), *on = t_resume(ds, back, "epochs=9", NULL, NULL);

    t_assert_same_file(whole, on);
    t_free(whole, part, back, on, ds);
}

/* ----- what cannot be right is refused ------------------------------------------------ */

TEST(every_truncation_is_refused)
{
    const struct env e = env_resolve(NULL);
    perc_model *m = handmade();
    struct t_bytes all = t_bytes_of(m);
    struct tensors t;

    for (size_t k = 0; k < all.n; k++) {
        char *part = malloc(k > 0 ? k : 1); /* exact: ASan sees an overrun */
        memcpy(part, all.p, k);
        assert_int_equal(tensors_parse(&e, part, k, &t, NULL), PERC_EDATA);
        free(part);
    }
    free(all.p);
    perc_model_free(m);
}

TEST(every_flipped_bit_is_refused)
{
    const struct env e = env_resolve(NULL);
    perc_model *m = handmade(), *back;
    struct t_bytes all = t_bytes_of(m);
    struct tensors t;

    for (size_t k = 0; k < 8 * all.n; k++) {
        all.p[k / 8] ^= (char)(1u << k % 8);
        assert_int_equal(tensors_parse(&e, all.p, all.n, &t, NULL), PERC_EDATA);
        all.p[k / 8] ^= (char)(1u << k % 8);
    }
    assert_int_equal(tensors_parse(&e, all.p, all.n, &t, NULL), PERC_OK); /* guard */
    assert_int_equal(model_decode(&e, &t, &back, NULL), PERC_OK);
    tensors_free(&t);
    perc_model_free(back);
    free(all.p);
    perc_model_free(m);
}

TEST(wrong_metadata_are_refused_for_their_reason)
{
    static const struct hostile cases[] = {
        { META, "format", NULL, "no format" },
        { META, "format", "perceptron-blocks", "a perceptron-blocks file" },
        { META, "format_version", NULL, "missing" },
        { META, "format_version", "0", "out of range" },
        { META, "format_version", "7",
          "written by a newer version (format 7); this one reads format 6" },
        { META, "algorithm", NULL, "missing" },
        { META, "algorithm", "forest", "not known" },
        { META, "machine", NULL, "missing" },
        { META, "machine", "forest", "not known" },
        { META, "machine", "mlp", "the algorithm is perceptron" },
        { META, "machine", "gate", "the algorithm is perceptron" },
        { META, "option.rate", "fast", "must be a number" },
        { META, "option.rate", "-1", "between" },
        { META, "option.offset", "maybe", "true or false" },
        { META, "option.offset", "false", "otherwise" },
        { META, "option.order", "random", "one of" },
        { META, "option.warp", "9", "no option 'warp'" },
        { META, "option.checkpoint", "x", "no option 'checkpoint'" },
        { META, "labels", "3", "missing" },
        { META, "labels", "1", "contradict" },
        { META, "label.0", NULL, "missing" },
        { META, "label.1", NULL, "missing" },
        { META, "label.1", "caf\xe9", "appears twice" },
        { META, "label.1", "abc", "not in order" },
        { META, "multiclass", "native", "contradict" },
        { META, "multiclass", "three", "unknown value 'three'" },
        { META, "unseen", "true", "missing" },
        { META, "shown", "20", "out of range" },
        { META, "label.rest", NULL, "missing" },
        { META, "label.rest", "yes", "neither" },
        { META, "index_base", NULL, "missing" },
        { META, "index_base", "2", "out of range" },
        { META, "index_base", "-1", "out of range" },
        { META, "index_base", "one", "whole number" },
        { META, "rows", NULL, "missing" },
        { META, "rows", "-7", "out of range" },
        { META, "rows", "4", "contradict" }, /* position 5 */
        { META, "rows", "99999999999999999999", "whole number" },
        { META, "rows", "9007199254740992", NULL }, /* 2^53 */
        { META, "rows", "9007199254740993", "out of range" },
        { META, "rows", "9223372036854775807", "out of range" },
        { META, "epoch", NULL, "missing" },
        { META, "epoch", "-1", "out of range" },
        { META, "epoch", "0", "contradict" }, /* but a pass is open */
        { META, "position", "20", "contradict" },
        { META, "examples", "8", "contradict" },
        { META, "mistakes", "1", "contradict" },
        { META, "examples", "9007199254740992", NULL },
        { META, "examples", "9007199254740993", "out of range" },
        { META, "epoch", "9007199254740993", "out of range" },
        { META, "updates", "9007199254740993", "out of range" },
        { META, "updates", "9223372036854775807", "out of range" },
        { META, "pass_updates", "9", "contradict" },
        { META, "pass_updates", "6", "contradict" }, /* at position 5 */
        { META, "pass_mistakes", "10", "contradict" },
        { META, "pass_mistakes", "9", "contradict" },
        { META, "map", "cubic", "unknown map" },
        { META, "map", "poly:2", "map_inputs" },
        { META, "pass_open", NULL, "missing" },
        { META, "pass_open", "1", "neither" },
        { META, "stop", NULL, "missing" },
        { META, "stop", "bored", "bored" },
        { META, "scale", NULL, "missing" },
        { META, "scale", "sideways", "unknown scale" },
        { META, "scale", "none", "not those of 'none'" },
        { META, "scale", "maxabs", "not those of 'maxabs'" },
        { META, "schema", "{}", "columns" },
        /* Guards: nothing changed, an option left out, a key we do not know. */
        { AS_IT_IS, NULL, NULL, NULL },
        { META, "option.rate", NULL, "not what the options say" }, /* its unit is 0.1 */
        { META, "unit", NULL, NULL }, /* an earlier version knew none */
        { META, "colour", "green", NULL },
        /* The perceptron has no solver. */
        { META, "solver", "dual", "perceptron does not learn by 'dual'" },
    };
    perc_model *m = handmade();

    t_refuses_model(m, cases, COUNT(cases));
    perc_model_free(m);
}

TEST(wrong_tensors_are_refused_for_their_reason)
{
    static const struct hostile cases[] = {
        { GONE, "weight", NULL, "'weight' is missing" },
        { ELEMENT, "weight[1]", "nan", "weight[1] is not a finite number" },
        { ELEMENT, "weight[2]", "inf", "weight[2] is not a finite number" },
        { TYPE, "weight", "F32", "must be F64" },
        { SHAPE, "weight", "1,3", "one dimension" },
        { GONE, "offset", NULL, "'offset' is missing" },
        { SHAPE, "offset", "3", "shape [1]" },
        { ELEMENT, "offset[0]", "inf", "offset[0] is not a finite number" },
        { ELEMENT, "sigmoid[0]", "0x1p-1074", "sigmoid[0, 0] is positive" },
        { ELEMENT, "sigmoid[1]", "nan", "sigmoid[0, 1] is not a finite number" },
        { ELEMENT, "sigmoid[1]", "inf", "sigmoid[0, 1] is not a finite number" },
        { SHAPE, "sigmoid", "2,2", "shape [1, 2]" },
        { SHAPE, "sigmoid", "1,3", "shape [1, 2]" },
        { SHAPE, "sigmoid", "2", "shape [1, 2]" },
        { TYPE, "sigmoid", "F32", "must be F64" },
        { SHAPE, "scale.shift", "2", "'scale.divisor' must be F64 of shape [2]" },
        { ELEMENT, "scale.divisor[1]", "0", "scale.divisor[1] is not positive" },
        { GONE, "scale.divisor", NULL, "not those of 'standard'" },
        { ELEMENT, "scale.fill[1]", "nan", "scale.fill[1] is not a finite number" },
        /* Guards */
        { SHAPE, "weight", "3", NULL },
        { ELEMENT, "sigmoid[0]", "0", NULL },
        { GONE, "sigmoid", NULL, NULL }, /* not calibrated */
    };
    perc_model *m = handmade();

    t_refuses_model(m, cases, COUNT(cases));
    perc_model_free(m);
}

/* What only some models have: a map, a pocket, no label yet. */
TEST(what_contradicts_a_kind_of_model_is_refused)
{
    static const struct hostile mapped[] = {
        { META, "map_inputs", "1", "more weights than the map" },
        { META, "map_inputs", "-1", "out of range" },
        { META, "map_inputs", "9000000000000000000", "map" },
        { META, "map_inputs", "7", NULL }, /* columns whose products were not met */
    };
    static const struct hostile pocket[] = {
        { GONE, "pocket.number", NULL, "pocket.number" },
        { ELEMENT, "pocket.number[0]", "-7", "not what a pocket has" },
        { GONE, "pocket.weight", NULL, "pocket.weight" },
    };
    static const struct hostile empty[] = {
        { META, "examples", "3", "was taught, but has no label" },
        { META, "labels", "1", "label.0" },
    };
    static const struct hostile three[] = {
        { META, "label.rest", "true", "without 'positive'" },
        { META, "multiclass", "two", "contradict" },
        { META, "option.positive", "a", "'positive' makes two classes, and there are 3 labels" },
        { META, "option.positive", "", NULL },
    };
    static const struct hostile picked[] = {
        { META, "labels", "1", "'positive' makes two classes, and there are 1 labels" },
        { META, "labels", "0", "'positive' makes two classes, and there are 0 labels" },
        { META, "multiclass", "ovr", "contradict" },
    };

    assert_int_equal(t_put("rows", "a 1:1 2:1\nb 2:1\na 1:2 2:2\nb 1:-1\n"), 0);
    assert_int_equal(t_put("three", "a 1:1 2:1\nb 2:1\nc 1:2 2:2\nb 1:-1\n"), 0);
    perc_dataset *ds = t_read("rows", "map=poly:2 index=1"), *plain = t_read("rows", "");
    perc_dataset *classes = t_read("three", "");
    perc_model *m[] = { t_fit(ds, "epochs=2", NULL), t_fit(plain, "algorithm=pocket", NULL),
                        t_untaught("multiclass=ovr"),
                        t_fit(classes, "multiclass=native epochs=2", NULL),
                        t_fit(classes, "positive=c epochs=2", NULL) };
    t_refuses_model(m[0], mapped, COUNT(mapped));
    t_refuses_model(m[1], pocket, COUNT(pocket));
    t_refuses_model(m[2], empty, COUNT(empty));
    t_refuses_model(m[3], three, COUNT(three));
    t_refuses_model(m[4], picked, COUNT(picked));
    for (size_t i = 0; i < COUNT(m); i++) perc_model_free(m[i]);
    t_free(ds, plain, classes);
}

/* A start that votes, and classes that were listed. */
TEST(a_wrong_start_is_refused)
{
    static const struct hostile starts[] = {
        { GONE, "start.weight", NULL, "start.weight" },
        { GONE, "start.offset", NULL, "start.offset" },
        { META, "option.init", "zero", "start.weight" },
        { ELEMENT, "start.weight[1]", "nan", "start.weight[1] is not a finite number" },
        { SHAPE, "start.weight", "9", "start.weight" },
        { SHAPE, "start.offset", "2", "start.offset" },
        { TYPE, "start.weight", "F32", "must be F64" },
        /* Guards */
        { SHAPE, "start.weight", "1", NULL }, /* features that came later */
        { ELEMENT, "start.weight[0]", "7", NULL },
    };
    static const struct hostile classes[] = {
        { META, "option.classes", "a,b", "not those of option 'classes'" },
        { META, "option.classes", "a,b,d", "not those of option 'classes'" },
        { META, "option.classes", "a,b,b", "twice" },
        { META, "option.classes", "a", "two classes" },
        { META, "option.classes", "all", NULL },
        { META, "option.classes", "c,b,a", NULL },
        { META, "classes", "some", NULL },
    };

    assert_int_equal(t_put("rows", "a 1:1\nb 2:1\nc 1:2 2:2\nb 1:-1\n"), 0);
    perc_dataset *ds = t_read("rows", "");
    perc_model *voted = t_fit(ds, "algorithm=voted positive=a init=unit epochs=2", NULL);
    perc_model *native = t_fit(ds, "multiclass=native classes=a,b,c epochs=2", NULL);
    t_refuses_model(voted, starts, COUNT(starts));
    t_refuses_model(native, classes, COUNT(classes));
    t_free(voted, native, ds);
}

/* ----- what a solver has said ------------------------------------------------------------ */

static bool same_number(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

TEST(what_a_solver_has_said_comes_back_to_the_bit)
{
    static const char *const cases[][2] = { { ":blobs85", "algorithm=svm C=0.3" },
                                            { ":blobs85", "algorithm=svm loss=hinge" },
                                            { ":blobs85", "algorithm=svm hard=true" },
                                            { ":iris", "algorithm=svm C=2" } };
    for (size_t i = 0; i < COUNT(cases); i++) {
        perc_dataset *ds = t_read(cases[i][0], "");
        perc_model *a = t_fit(ds, cases[i][1], NULL), *b = reload(a);
        perc_model_info x, y;
        perc_model_info_get(a, &x);
        perc_model_info_get(b, &y);
        assert_true(x.solver[0] != '\0' && x.supports > 0); /* guards */
        assert_int_equal(isnan(x.primal), i == 2);
        assert_int_equal(isnan(x.margin_upper), i != 2);
        assert_string_equal(x.solver, y.solver);
        assert_int_equal(x.supports, y.supports);
        assert_true(same_number(x.primal, y.primal) && same_number(x.dual, y.dual));
        assert_true(same_number(x.margin_lower, y.margin_lower));
        assert_true(same_number(x.margin_upper, y.margin_upper));
        t_assert_same_file(a, b);
        t_free(a, b, ds);
    }
    perc_model *m = handmade(); /* no solver */
    perc_model_info info;
    perc_model_info_get(m, &info);
    assert_string_equal(info.solver, "");
    assert_true(isnan(info.primal) && isnan(info.dual) && info.supports == 0);
    assert_true(isnan(info.margin_lower) && isnan(info.margin_upper));
    perc_model_free(m);
}

TEST(wrong_words_of_a_solver_are_refused)
{
    static const struct hostile cases[] = {
        { META, "solver", "magic", "unknown value 'magic'" },
        { META, "solver", "", "does not learn by ''" },
        { META, "primal", "nan", "not a number" },
        { META, "primal", "1e999", "not a number" },
        { META, "dual", "inf", "not a number" },
        { META, "dual", "", "not a number" },
        { META, "margin_lower", "0.5x", "not a number" },
        { META, "supports", NULL, "missing" },
        { META, "supports", "-1", "out of range" },
        { META, "supports", "86", "out of range" }, /* of 85 rows */
        { META, "supports", "many", "whole number" },
        { AS_IT_IS, NULL, NULL, NULL }, /* guards */
        { META, "dual", NULL, NULL },
    };
    perc_dataset *ds = t_read(":blobs85", "");
    perc_model *m = t_fit(ds, "algorithm=svm C=1", NULL);

    t_refuses_model(m, cases, COUNT(cases));
    t_free(m, ds);
}

TEST(weights_that_overflowed_are_not_written)
{
    perc_model *m = handmade();
    perc_error err = { 0 };

    m->learner.machine->last.w[2] = INFINITY;
    assert_refused(perc_model_write(m, "model", &err), PERC_EDATA, &err, "finite");
    perc_model_free(m);
}

/* ----- memory ---------------------------------------------------------------------------- */

TEST(running_out_of_memory_loses_nothing)
{
    perc_model *m = handmade(), *back;
    struct t_bytes before = t_bytes_of(m);

    assert_int_equal(perc_model_write(m, "model", NULL), PERC_OK);
    perc_model_free(m);
    for (struct t_sweep s = { .least = 50 }; t_sweep_next(&s);) { /* reading: all or nothing */
        const perc_status st = perc_model_read(&s.env, "model", &back, NULL);
        assert_true(!st || back == NULL);
        perc_model_free(back);
        t_sweep_judge(&s, st);
    }
    for (struct t_sweep s = { .least = 50, .armed = true }; t_sweep_next(&s);) {
        assert_int_equal(perc_model_read(&s.env, "model", &back, NULL), PERC_OK);
        t_sweep_arm(&s); /* writing: what stood in the file stays until all is well */
        const long held = s.a.bytes;
        const perc_status st = perc_model_write(back, "model", NULL);
        t_alloc_holds(&s.a, held);
        struct t_bytes now = t_slurp("model");
        assert_int_equal(now.n, before.n);
        assert_memory_equal(now.p, before.p, now.n);
        free(now.p);
        perc_model_free(back);
        t_sweep_judge(&s, st);
    }
    free(before.p);
}
