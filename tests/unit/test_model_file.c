/* test_model_file.c -- the model file: what is read is what was written, to the
 * bit, and a file that cannot be right is refused with its reason. */
#include "t_alloc.h"
#include "t_model.h"

#include <math.h>
#include <stdio.h>

static const char path[] = "file";

/* ----- helpers ------------------------------------------------------------------- */

struct bytes {
    unsigned char *p;
    size_t n;
};

static struct bytes slurp(void)
{
    struct bytes b;
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    b.n = (size_t)ftell(f);
    rewind(f);
    b.p = malloc(b.n);
    assert_int_equal(fread(b.p, 1, b.n, f), b.n);
    fclose(f);
    return b;
}

static struct bytes bytes_of(const perc_model *m)
{
    perc_error err = { 0 };

    if (perc_model_write(m, path, &err)) fail_msg("%s", err.text);
    return slurp();
}

static void assert_same(struct bytes a, struct bytes b)
{
    assert_int_equal(a.n, b.n);
    assert_memory_equal(a.p, b.p, a.n);
    free(a.p);
    free(b.p);
}

static perc_model *read_model(void)
{
    perc_error err = { 0 };
    perc_model *m;

    if (perc_model_read(NULL, path, &m, &err)) fail_msg("%s", err.text);
    return m;
}

static perc_params *params(const char *name, const char *value)
{
    perc_params *p;

    assert_int_equal(perc_params_new(NULL, "perceptron", &p, NULL), PERC_OK);
    if (name != NULL) assert_int_equal(perc_params_set(p, name, value, NULL), PERC_OK);
    return p;
}

static perc_model *fit(const char *data, const char *scale, const char *name, const char *value)
{
    perc_error err = { 0 };
    perc_params *how, *p = params(name, value);
    perc_dataset *ds;
    perc_model *m;

    assert_int_equal(perc_params_new(NULL, "data", &how, NULL), PERC_OK);
    assert_int_equal(perc_params_set(how, "scale", scale, NULL), PERC_OK);
    if (perc_dataset_read(NULL, data, how, &ds, &err)) fail_msg("%s", err.text);
    if (perc_fit(NULL, ds, p, NULL, &m, NULL, &err)) fail_msg("%s", err.text);
    perc_dataset_free(ds);
    perc_params_free(how);
    perc_params_free(p);
    return m;
}

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
    perc_params *p = params("rate", "0.10");
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
    perc_model *a = handmade();
    struct bytes before = bytes_of(a);
    perc_model *b = read_model();
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
    assert_true(b->learner.rate == 0.1);
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

    assert_same(before, bytes_of(b));
    perc_model_free(a);
    perc_model_free(b);
}

TEST(writing_what_was_read_gives_the_same_bytes)
{
    static const struct {
        const char *data, *scale, *name, *value;
    } cases[] = {
        { ":blobs85", "none", NULL, NULL },           { ":blobs85", "none", "offset", "false" },
        { ":blobs85", "standard", NULL, NULL },       { ":blobs85", "minmax", NULL, NULL },
        { ":blobs85", "maxabs", NULL, NULL },         { ":blobs85", "unit", NULL, NULL },
        { ":blobs85", "by:2.5", NULL, NULL },         { ":xor", "none", "epochs", "3" },
        { ":iris", "none", "positive", "virginica" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        perc_model *a = fit(cases[i].data, cases[i].scale, cases[i].name, cases[i].value);
        struct bytes before = bytes_of(a);
        perc_model *b = read_model();
        assert_true(b->learner.progress.updates > 0); /* guard: something was learned */
        assert_same(before, bytes_of(b));
        perc_model_free(a);
        perc_model_free(b);
    }
}

TEST(an_untaught_model_can_be_saved_and_taught_later)
{
    const double x[] = { 1, 2 };
    const perc_example example = { NULL, x, 2 };
    perc_params *p = params(NULL, NULL);
    perc_model *a, *b;

    assert_int_equal(perc_model_new(NULL, p, &a, NULL), PERC_OK);
    struct bytes before = bytes_of(a);
    b = read_model();
    assert_int_equal(b->index_base, -1);
    assert_same(before, bytes_of(b));
    assert_int_equal(perc_learn(a, &example, "1", 1, NULL, NULL), PERC_OK);
    assert_int_equal(perc_learn(b, &example, "1", 1, NULL, NULL), PERC_OK);
    assert_same(bytes_of(a), bytes_of(b));
    perc_model_free(b);
    b = read_model(); /* taught, and with one label */
    assert_int_equal(b->learner.labels.n, 1);
    assert_same(bytes_of(a), bytes_of(b));
    perc_model_free(a);
    perc_model_free(b);
    perc_params_free(p);
}

TEST(stopping_saving_and_going_on_gives_the_bytes_of_one_run)
{
    perc_params *more = params("epochs", "9");
    perc_dataset *ds;
    perc_model *on;

    assert_int_equal(perc_dataset_read(NULL, ":xor", NULL, &ds, NULL), PERC_OK);
    perc_model *whole = fit(":xor", "none", "epochs", "9");
    perc_model *part = fit(":xor", "none", "epochs", "4");
    free(bytes_of(part).p);
    perc_model *back = read_model();
    assert_int_equal(perc_fit_resume(NULL, ds, back, more, NULL, &on, NULL, NULL), PERC_OK);
    assert_same(bytes_of(whole), bytes_of(on));
    perc_model_free(whole);
    perc_model_free(part);
    perc_model_free(back);
    perc_model_free(on);
    perc_dataset_free(ds);
    perc_params_free(more);
}

/* ----- what cannot be right is refused ------------------------------------------------ */

TEST(every_truncation_is_refused)
{
    const struct env e = env_resolve(NULL);
    perc_model *m = handmade();
    struct bytes all = bytes_of(m);
    struct tensors t;

    for (size_t k = 0; k < all.n; k++) {
        unsigned char *part = malloc(k > 0 ? k : 1); /* exact: ASan sees an overrun */
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
    struct bytes all = bytes_of(m);
    struct tensors t;

    for (size_t k = 0; k < 8 * all.n; k++) {
        all.p[k / 8] ^= (unsigned char)(1u << k % 8);
        assert_int_equal(tensors_parse(&e, all.p, all.n, &t, NULL), PERC_EDATA);
        all.p[k / 8] ^= (unsigned char)(1u << k % 8);
    }
    assert_int_equal(tensors_parse(&e, all.p, all.n, &t, NULL), PERC_OK); /* guard */
    assert_int_equal(model_decode(&e, &t, &back, NULL), PERC_OK);
    tensors_free(&t);
    perc_model_free(back);
    free(all.p);
    perc_model_free(m);
}

/* m, which is freed, with one metadata value or one tensor changed (write_changed()). What the
 * reader says. */
static perc_error read_changed_of(perc_model *m, const char *key, const char *value,
                                  const struct tensor *one)
{
    assert_int_equal(perc_model_write(m, path, NULL), PERC_OK);
    perc_model_free(m);
    write_changed(path, path, key, value, one, NULL);
    return error_of_reading(path);
}

static perc_error read_handmade(const char *key, const char *value, const struct tensor *one)
{
    return read_changed_of(handmade(), key, value, one);
}

TEST(wrong_metadata_are_refused_for_their_reason)
{
    static const struct wrong cases[] = {
        { "format", NULL, "no format" },
        { "format", "perceptron-blocks", "a perceptron-blocks file" },
        { "format_version", NULL, "missing" },
        { "format_version", "0", "cannot be" },
        { "format_version", "3", "written by a newer version (format 3); this one reads format 2" },
        { "algorithm", NULL, "missing" },
        { "algorithm", "forest", "not known" },
        { "machine", NULL, "missing" },
        { "machine", "forest", "not known" },
        { "machine", "mlp", "the algorithm is perceptron" },
        { "machine", "gate", "the algorithm is perceptron" },
        { "option.rate", "fast", "must be a number" },
        { "option.rate", "-1", "between" },
        { "option.offset", "maybe", "true or false" },
        { "option.offset", "false", "otherwise" },
        { "option.order", "random", "one of" },
        { "option.warp", "9", "no option 'warp'" },
        { "option.checkpoint", "x", "no option 'checkpoint'" },
        { "labels", "3", "missing" },
        { "labels", "1", "contradict" },
        { "label.0", NULL, "missing" },
        { "label.1", NULL, "missing" },
        { "label.1", "caf\xe9", "two labels" },
        { "label.1", "abc", "not in order" },
        { "multiclass", "native", "contradict" },
        { "multiclass", "three", "'three', which is not known" },
        { "unseen", "true", "missing" },
        { "shown", "20", "cannot be" },
        { "label.rest", NULL, "missing" },
        { "label.rest", "yes", "neither" },
        { "index_base", NULL, "missing" },
        { "index_base", "2", "cannot be" },
        { "index_base", "-1", "cannot be" },
        { "index_base", "one", "whole number" },
        { "rows", NULL, "missing" },
        { "rows", "-7", "cannot be" },
        { "rows", "4", "contradict" }, /* position 5 */
        { "rows", "99999999999999999999", "whole number" },
        { "epoch", NULL, "missing" },
        { "epoch", "-1", "cannot be" },
        { "epoch", "0", "contradict" }, /* but a pass is open */
        { "position", "20", "contradict" },
        { "examples", "8", "contradict" },
        { "mistakes", "1", "contradict" },
        { "updates", "9223372036854775807", "cannot be" },
        { "pass_updates", "9", "contradict" },
        { "pass_open", NULL, "missing" },
        { "pass_open", "1", "neither" },
        { "stop", NULL, "missing" },
        { "stop", "bored", "bored" },
        { "scale", NULL, "missing" },
        { "scale", "sideways", "not known" },
        { "scale", "none", "not those of 'none'" },
        { "scale", "maxabs", "not those of 'maxabs'" },
        { "schema", "{}", "columns" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const perc_error err = read_handmade(cases[i].key, cases[i].value, NULL);
        refused(&err, cases[i].key, cases[i].reason);
    }
    /* Guards: nothing changed, an option left out, a key we do not know. */
    assert_int_equal(read_handmade(NULL, NULL, NULL).status, PERC_OK);
    assert_int_equal(read_handmade("option.rate", NULL, NULL).status, PERC_OK);
    assert_int_equal(read_handmade("colour", "green", NULL).status, PERC_OK);
}

TEST(wrong_tensors_are_refused_for_their_reason)
{
    static const double nan3[] = { 1, NAN, 2 }, inf3[] = { 1, 2, INFINITY }, zero3[] = { 1, 0, 2 };
    static const double good[] = { 1, 2, 3 }, falling[] = { 0x1p-1074, 0 };
    static const double four[] = { -1, 0, -1, 0 };
    static const float f3[] = { 1, 2, 3 };
    static const struct {
        struct tensor one;
        const char *reason;
    } cases[] = {
        { { "weight", DTYPE_U8, 1, { 0 }, NULL, 0 }, "'weight' is missing" },
        { { "weight", DTYPE_F64, 1, { 3 }, nan3, 3 }, "weight[1] is not a finite number" },
        { { "weight", DTYPE_F64, 1, { 3 }, inf3, 3 }, "weight[2] is not a finite number" },
        { { "weight", DTYPE_F32, 1, { 3 }, f3, 3 }, "must be F64" },
        { { "weight", DTYPE_F64, 2, { 1, 3 }, good, 3 }, "one dimension" },
        { { "offset", DTYPE_U8, 1, { 0 }, NULL, 0 }, "'offset' is missing" },
        { { "offset", DTYPE_F64, 1, { 3 }, good, 3 }, "shape [1]" },
        { { "offset", DTYPE_F64, 1, { 1 }, &inf3[2], 1 }, "offset[0] is not a finite number" },
        { { "sigmoid", DTYPE_F64, 2, { 1, 2 }, falling, 2 }, "sigmoid[0, 0] is positive" },
        { { "sigmoid", DTYPE_F64, 2, { 1, 2 }, nan3, 2 }, "sigmoid[0, 1] is not a finite number" },
        { { "sigmoid", DTYPE_F64, 2, { 1, 2 }, &inf3[1], 2 }, "sigmoid[0, 1] is not a finite" },
        { { "sigmoid", DTYPE_F64, 2, { 2, 2 }, four, 4 }, "shape [1, 2]" },
        { { "sigmoid", DTYPE_F64, 2, { 1, 3 }, good, 3 }, "shape [1, 2]" },
        { { "sigmoid", DTYPE_F64, 1, { 2 }, four, 2 }, "shape [1, 2]" },
        { { "sigmoid", DTYPE_F32, 2, { 1, 2 }, f3, 2 }, "must be F64" },
        { { "scale.shift", DTYPE_F64, 1, { 2 }, good, 2 },
          "'scale.divisor' must be F64 of shape [2]" },
        { { "scale.divisor", DTYPE_F64, 1, { 3 }, zero3, 3 }, "scale.divisor[1] is not positive" },
        { { "scale.divisor", DTYPE_U8, 1, { 0 }, NULL, 0 }, "not those of 'standard'" },
        { { "scale.fill", DTYPE_F64, 1, { 3 }, nan3, 3 }, "scale.fill[1] is not a finite number" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const perc_error err = read_handmade(NULL, NULL, &cases[i].one);
        refused(&err, cases[i].one.name, cases[i].reason);
    }
    const struct tensor same = { "weight", DTYPE_F64, 1, { 3 }, good, 3 }; /* guards */
    const struct tensor flat = { "sigmoid", DTYPE_F64, 2, { 1, 2 }, &four[1], 2 };
    const struct tensor none = { "sigmoid", DTYPE_U8, 1, { 0 }, NULL, 0 };
    assert_int_equal(read_handmade(NULL, NULL, &same).status, PERC_OK);
    assert_int_equal(read_handmade(NULL, NULL, &flat).status, PERC_OK);
    assert_int_equal(read_handmade(NULL, NULL, &none).status, PERC_OK); /* not calibrated */
}

/* ----- what a solver has said ------------------------------------------------------------ */

static perc_model *solved(const char *data, const char *name, const char *value)
{
    perc_error err = { 0 };
    perc_params *p;
    perc_dataset *ds;
    perc_model *m;

    assert_int_equal(perc_params_new(NULL, "svm", &p, NULL), PERC_OK);
    assert_int_equal(perc_params_set(p, name, value, NULL), PERC_OK);
    assert_int_equal(perc_dataset_read(NULL, data, NULL, &ds, NULL), PERC_OK);
    if (perc_fit(NULL, ds, p, NULL, &m, NULL, &err)) fail_msg("%s", err.text);
    perc_dataset_free(ds);
    perc_params_free(p);
    return m;
}

static bool same_number(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

TEST(what_a_solver_has_said_comes_back_to_the_bit)
{
    static const char *const cases[][3] = { { ":blobs85", "C", "0.3" },
                                            { ":blobs85", "loss", "hinge" },
                                            { ":blobs85", "hard", "true" },
                                            { ":iris", "C", "2" } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        perc_model *a = solved(cases[i][0], cases[i][1], cases[i][2]);
        struct bytes before = bytes_of(a);
        perc_model *b = read_model();
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
        assert_same(before, bytes_of(b));
        perc_model_free(a);
        perc_model_free(b);
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
    static const struct wrong cases[] = {
        { "solver", "magic", "'magic', which is not known" },
        { "solver", "", "does not learn by ''" },
        { "primal", "nan", "not a number" },
        { "primal", "1e999", "not a number" },
        { "dual", "inf", "not a number" },
        { "dual", "", "not a number" },
        { "margin_lower", "0.5x", "not a number" },
        { "supports", NULL, "missing" },
        { "supports", "-1", "cannot be" },
        { "supports", "86", "cannot be" }, /* of 85 rows */
        { "supports", "many", "whole number" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        perc_model *m = solved(":blobs85", "C", "1");
        const perc_error err = read_changed_of(m, cases[i].key, cases[i].value, NULL);
        refused(&err, cases[i].key, cases[i].reason);
    }
    /* The perceptron has no solver. Guards: nothing changed, a number left out. */
    const perc_error err = read_handmade("solver", "dual", NULL);
    refused(&err, "solver", "perceptron does not learn by 'dual'");
    perc_model *m = solved(":blobs85", "C", "1");
    assert_int_equal(read_changed_of(m, NULL, NULL, NULL).status, PERC_OK);
    m = solved(":blobs85", "C", "1");
    assert_int_equal(read_changed_of(m, "dual", NULL, NULL).status, PERC_OK);
}

TEST(weights_that_overflowed_are_not_written)
{
    perc_model *m = handmade();
    perc_error err = { 0 };

    m->learner.machine->last.w[2] = INFINITY;
    assert_int_equal(perc_model_write(m, path, &err), PERC_EDATA);
    assert_non_null(strstr(err.text, "finite"));
    perc_model_free(m);
}

/* ----- memory ---------------------------------------------------------------------------- */

TEST(running_out_of_memory_loses_nothing)
{
    struct t_alloc a;
    const perc_env env = { t_alloc, &a, 1 };
    perc_model *m = handmade(), *back;
    perc_status st;
    long k = 0;

    struct bytes before = bytes_of(m);
    perc_model_free(m);
    do { /* reading: all or nothing */
        t_alloc_reset(&a, k++, false);
        st = perc_model_read(&env, path, &back, NULL);
        assert_true(st == PERC_OK || (st == PERC_ENOMEM && back == NULL));
        if (st) t_alloc_holds(&a, 0);
    } while (st);
    assert_true(k > 50); /* guard: it did fail many times */

    const long held = a.bytes;
    k = 0;
    do { /* writing: what stood in the file stays until all is well */
        t_alloc_again(&a, k++);
        st = perc_model_write(back, path, NULL);
        assert_true(st == PERC_OK || st == PERC_ENOMEM);
        t_alloc_holds(&a, held);
        struct bytes now = slurp();
        assert_int_equal(now.n, before.n);
        assert_memory_equal(now.p, before.p, now.n);
        free(now.p);
    } while (st);
    assert_true(k > 50);
    free(before.p);
    a.fail_at = -1;
    perc_model_free(back);
    t_alloc_holds(&a, 0);
}
