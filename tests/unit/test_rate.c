/* test_rate.c -- units of the rate: from a zero start a constant rate scales what is shown, and
 * changes nothing else.
 *
 * A run with another rate than 1 is compared with that of rate 1, example by example and vector by
 * vector, for every learner that has units; those that have none keep the rate in their steps. */
#include <float.h>
#include <math.h>

#include "t_hostile.h"
#include "t_make.h"
#include "t_model.h"
#include "vec/rng.h"

/* Every learner that has units: rules, keepers, kinds, kernels, budgets, weights. */
static const struct {
    const char *options;
    int classes;
} way[] = {
    { "algorithm=perceptron", 2 },
    { "algorithm=perceptron offset=false order=file", 2 },
    { "algorithm=perceptron multiclass=native", 2 },
    { "algorithm=perceptron multiclass=native", 4 },
    { "algorithm=perceptron multiclass=ovr", 2 },
    { "algorithm=perceptron multiclass=ovr order=file", 3 },
    { "algorithm=perceptron positive=1 class-weight=1=0.3", 3 },
    { "algorithm=margin margin=0.3", 2 },
    { "algorithm=margin margin=2 multiclass=native", 3 },
    { "algorithm=averaged", 2 },
    { "algorithm=averaged rule=margin", 3 },
    { "algorithm=averaged multiclass=native class-weight=balanced", 3 },
    { "algorithm=voted", 2 },
    { "algorithm=voted multiclass=native", 3 },
    { "algorithm=voted multiclass=ovr", 3 },
    { "algorithm=pocket", 2 },
    { "algorithm=pocket pocket=literal rule=margin", 3 },
    { "algorithm=perceptron kernel=poly degree=2", 2 },
    { "algorithm=perceptron kernel=rbf gamma=0.7 loop=textbook", 3 },
    { "algorithm=perceptron kernel=sigmoid eta=0.3 drop-after=4", 2 },
    { "algorithm=margin kernel=rbf gamma=2 multiclass=native", 3 },
    { "algorithm=averaged kernel=rbf gamma=0.5", 3 },
    { "algorithm=voted kernel=poly degree=3 coef0=0.1", 2 },
    { "algorithm=pocket kernel=rbf gamma=0.9", 2 },
    { "algorithm=perceptron kernel=rbf gamma=0.3 budget=5 budget-policy=random", 3 },
    { "algorithm=perceptron kernel=rbf gamma=0.3 budget=6 budget-policy=projectron", 3 },
    { "algorithm=perceptron kernel=rbf gamma=0.3 budget=4 budget-policy=forgetron", 2 },
    { "algorithm=perceptron kernel=linear budget=4 budget-policy=forgetron class-weight=1=3", 2 },
};
static const char *const rate[] = { "0.1", "0.3", "0.3333333333333333", "7", "1e-250", "0.5" };

/* Whole numbers, where scores of 0 are common, or decimals; labels 0, 1, ...; some weights. */
static struct t_data rows_for(size_t k)
{
    struct rng r = rng_seed(k, 19);
    struct t_data d = t_noise(40, k % 2 ? 4 : 2, T_WHOLE, 0.8, k);

    for (size_t i = 0; i < d.rows * d.cols; i++)
        d.x[i] = k % 2 ? d.x[i] / 10 : (double)((int)d.x[i] % 3);
    for (size_t i = 0; i < d.rows; i++) d.y[i] = (double)rng_below(&r, (uint64_t)way[k].classes);
    for (int c = 0; c < way[k].classes; c++) d.y[c] = c;
    if (k % 3 == 0) t_weigh(&d, k);
    return d;
}

static const char *with(size_t k, const char *rate_is, const char *more)
{
    static char text[2][320];
    static int turn;
    char *t = text[turn = !turn];

    snprintf(t, sizeof *text, "%s epochs=4 rate=%s %s", way[k].options, rate_is, more);
    return t;
}

/* ----- the same run ---------------------------------------------------------------------- */

/* What an observer sees: by example, and all numbers as they are learned and as they are shown. */
struct seen {
    struct {
        int64_t row;
        int mistake, updated;
        double score;
    } at[2048];
    size_t n, learned_n;
    double learned[1 << 14], shown[1 << 14];
    double unit;
};

static int look(void *ud, const perc_event *e)
{
    struct seen *s = ud;

    if (e->row < 0) return 0;
    assert_true(s->n < COUNT(s->at));
    s->at[s->n].row = e->row;
    s->at[s->n].mistake = e->mistake;
    s->at[s->n].updated = e->updated;
    s->at[s->n++].score = e->score;
    const size_t w = (size_t)e->features * e->stride, all = w + e->stride;
    if (s->learned_n + all > COUNT(s->learned)) return 0;
    for (size_t i = 0; i < all; i++) {
        const size_t at = s->learned_n++;
        s->learned[at] = i < w ? e->w_units[i] : e->b_units[i - w];
        s->shown[at] = i < w ? e->w[i] : e->b[i - w];
    }
    return 0;
}

static void same_run(const struct seen *a, const struct seen *b, double unit, const char *text)
{
    assert_int_equal(a->n, b->n);
    for (size_t i = 0; i < a->n; i++) {
        if (a->at[i].row != b->at[i].row || a->at[i].mistake != b->at[i].mistake ||
            a->at[i].updated != b->at[i].updated)
            fail_msg("%s: example %zu is another one", text, i + 1);
        assert_true(t_same_bits(b->at[i].score, unit * a->at[i].score));
    }
    assert_int_equal(a->learned_n, b->learned_n);
    assert_memory_equal(a->learned, b->learned, a->learned_n * sizeof *a->learned);
    assert_memory_equal(a->learned, a->shown, a->learned_n * sizeof *a->learned);
    for (size_t i = 0; i < b->learned_n; i++)
        assert_true(t_same_bits(b->shown[i], unit * b->learned[i]));
}

static void same_answers(const perc_model *a, const perc_model *b, const perc_dataset *ds,
                         double unit, bool votes)
{
    const size_t outputs = learner_outputs(&a->learner);
    size_t n, m;
    double *s = t_scores(a, ds, &n), *t = t_scores(b, ds, &m);

    assert_int_equal(n, m);
    for (size_t i = 0; i < n; i++) assert_true(t_same_bits(t[i], votes ? s[i] : unit * s[i]));
    for (size_t i = 0; i < n; i += outputs)
        assert_string_equal(perc_answer(a, s + i), perc_answer(b, t + i));
    free(s);
    free(t);
}

TEST(a_rate_scales_what_is_shown_and_changes_no_example)
{
    struct seen *one = calloc(1, sizeof *one), *other = calloc(1, sizeof *other);
    int64_t zeros = 0;

    assert_true(one != NULL && other != NULL);
    for (size_t k = 0; k < COUNT(way); k++) {
        struct t_data d = rows_for(k);
        perc_dataset *ds = t_borrow(&d);
        const perc_observer watch = { PERC_WATCH_WEIGHTS, look, one };
        perc_report r, q;
        memset(one, 0, sizeof *one);
        perc_model *a = t_fit_watched(ds, with(k, "1", ""), &watch, &r);
        for (size_t i = 0; i < one->n; i++) zeros += one->at[i].score == 0;
        for (size_t i = 0; i < COUNT(rate); i++) {
            const perc_observer too = { PERC_WATCH_WEIGHTS, look, other };
            const double unit = strtod(rate[i], NULL);
            perc_model_info info;
            memset(other, 0, sizeof *other);
            perc_model *b = t_fit_watched(ds, with(k, rate[i], ""), &too, &q);
            perc_model_info_get(b, &info);
            assert_true(info.unit == unit);
            same_run(one, other, unit, with(k, rate[i], ""));
            same_answers(a, b, ds, unit, strstr(way[k].options, "voted") != NULL);
            assert_int_equal(r.training_errors, q.training_errors);
            assert_int_equal(r.updates, q.updates);
            assert_int_equal(r.stop, q.stop);
            assert_true(isnan(r.norm) ? isnan(q.norm) : q.norm == unit * r.norm);
            perc_model_free(b);
        }
        t_free(a, ds, &d);
    }
    if (zeros < 100)
        fail_msg("%d scores of 0", (int)zeros); /* guard: where rounding would decide */
    free(one);
    free(other);
}

/* What is learned and its unit are in the file; stopping, going on, a stream and single lines give
 * the bytes of one run. */
TEST(units_go_through_files_streams_and_single_lines)
{
    for (size_t k = 0; k < COUNT(way); k++) {
        struct t_data d = rows_for(k);
        perc_dataset *ds = t_borrow(&d);
        perc_model *whole = t_fit(ds, with(k, "0.1", ""), NULL), *back = reload(whole);
        t_assert_same_file(whole, back);
        t_assert_same_scores(whole, back, ds);
        perc_model *part = t_through_file(t_fit(ds, with(k, "0.1", "epochs=1"), NULL));
        perc_model *rest = t_resume(ds, part, "epochs=4", NULL, NULL);
        t_assert_same_file(whole, rest);
        t_free(whole, back, part, rest);
        const bool online = strstr(way[k].options, "pocket") == NULL &&
                            strstr(way[k].options, "balanced") == NULL &&
                            strstr(way[k].options, "drop") == NULL;
        perc_model *pass = t_fit(ds, with(k, "0.1", "epochs=1 order=file"), NULL);
        if (online) {
            perc_model *lines = t_taught(&d, with(k, "0.1", "epochs=1 order=file"));
            assert_true(lines->learner.machine->unit == 0.1);
            t_assert_same_scores(pass, lines, ds);
            perc_model_free(lines);
        }
        t_free(pass, ds, &d);
    }
}

/* ----- without units --------------------------------------------------------------------- */

TEST(a_start_elsewhere_or_another_rule_has_no_units)
{
    static const char *const plain[] = {
        "algorithm=perceptron rate=0.1 init=unit",
        "algorithm=perceptron rate=0.1 init=random",
        "algorithm=averaged rate=0.1 schedule=1/t",
        "algorithm=margin rate=0.1 schedule=1/sqrt",
        "algorithm=averaged rule=pa",
        "algorithm=arow",
        "algorithm=mlp layers=2 rate=0.1 epochs=2",
        "algorithm=second-order",
    };

    perc_dataset *ds = t_read(":iris", "");
    for (size_t i = 0; i < COUNT(plain); i++) {
        perc_model *m = t_fit(ds, plain[i], NULL);
        perc_model_info info;
        perc_model_info_get(m, &info);
        assert_true(info.unit == 1);
        perc_model_free(m);
    }
    perc_dataset_free(ds);
}

/* A file of an earlier version has rate 0.1, weights with 0.1 in every step, and no unit: it goes
 * on as it began. */
TEST(a_file_without_a_unit_keeps_the_rate_in_its_steps)
{
    static const char *const options[] = {
        "epochs=1 rate=0.1",
        "algorithm=averaged epochs=1 rate=0.1",
        "algorithm=perceptron kernel=rbf gamma=1 epochs=1 rate=0.1 budget=5 "
        "budget-policy=forgetron",
    };

    for (size_t k = 0; k < COUNT(options); k++) {
        struct t_data d = t_noise(60, 5, T_REAL, 1, 3);
        perc_model *whole = t_untaught(options[k]), *m = t_untaught(options[k]);
        learner_forgo_units(&whole->learner);
        learner_forgo_units(&m->learner);
        for (size_t i = 0; i < d.rows; i++) {
            const perc_example x = { .n = d.cols, .value = d.x + i * d.cols };
            perc_outcome o;
            assert_int_equal(perc_learn(whole, &x, t_sign(d.y[i]), 1, &o, NULL), PERC_OK);
            if (i == 30) m = t_through_file(m);
            assert_int_equal(perc_learn(m, &x, t_sign(d.y[i]), 1, &o, NULL), PERC_OK);
        }
        assert_true(m->learner.machine->unit == 1 && m->learner.rate == 0.1);
        perc_model_refresh(whole, NULL);
        perc_model_refresh(m, NULL);
        struct tensors t = t_tensors_of(m);
        assert_null(tensors_get(&t, "unit"));
        tensors_free(&t);
        t_assert_same_file(whole, m);
        t_free(whole, m, &d);
    }
}

TEST(a_start_from_a_model_takes_what_is_shown)
{
    perc_dataset *ds = t_read(":blobs85", "");
    perc_model *m = t_fit(ds, "rate=0.1 epochs=2", NULL);
    perc_model_write(m, "start", NULL);
    perc_model *next = t_fit(ds, "init=start epochs=0", NULL);

    assert_true(next->learner.machine->unit == 1);
    for (uint64_t j = 0; j < 2; j++)
        assert_true(t_same_bits(perc_model_weight(m, j, 0), perc_model_weight(next, j, 0)));
    assert_true(t_same_bits(t_offset(m), t_offset(next)));
    t_free(m, next, ds);
}

TEST(a_unit_that_the_options_deny_is_refused)
{
    static const struct hostile list[] = {
        { META, "unit", "0.2", "'unit' is not what the options say" },
        { META, "unit", "x", "unit" },
        { META, "unit", "nan", "unit" },
        { META, "option.rate", "0.3", "'unit' is not what the options say" },
        { META, "option.schedule", "1/t", "'unit' is not what the options say" },
        { META, "option.init", "unit", "'unit' is not what the options say" },
        { META, "unit", NULL, NULL }, /* that of an earlier version */
    };
    perc_dataset *ds = t_read(":and", "");
    perc_model *m = t_fit(ds, "rate=0.1", NULL);
    struct tensors t = t_tensors_of(m);

    assert_string_equal(tensors_get(&t, "format_version"), "4");
    assert_string_equal(tensors_get(&t, "unit"), "0.1");
    tensors_free(&t);
    t_refuses_model(m, list, COUNT(list));
    perc_model_free(m);
    m = t_fit(ds, "rate=1", NULL);
    t = t_tensors_of(m);
    assert_string_equal(tensors_get(&t, "format_version"),
                        "2"); /* as it was before there were units */
    assert_null(tensors_get(&t, "unit"));
    tensors_free(&t);
    t_free(m, ds);
}

/* ----- rounding decides nothing ----------------------------------------------------------- */

/* A model of iris with these offsets and no weights, in units of 0.1. */
static perc_model *offsets_alone(const double b[3], const char *options)
{
    perc_dataset *ds = t_read(":iris", "");
    perc_model *m = t_fit(ds, options, NULL);
    struct linear *w = &m->learner.machine->last;

    memset(w->w, 0, (size_t)w->dims * w->stride * sizeof *w->w);
    memcpy(w->b, b, 3 * sizeof *b);
    perc_dataset_free(ds);
    return m;
}

TEST(the_highest_score_is_shown_as_the_highest)
{
    const double x[4] = { 1, 2, 3, 4 };
    const perc_example row = { .n = 4, .value = x };
    int pairs = 0;

    for (double a = 1.25; a < 2; a += 0x1p-6) {
        const double above = nextafter(a, 2);
        if (0.1 * a != 0.1 * above) continue; /* rounding does not make them equal */
        for (int place = 0; place < 3; place++) {
            double b[3] = { a, a, a }, s[3];
            b[place] = above;
            perc_model *m = offsets_alone(b, "rate=0.1 epochs=1 multiclass=native");
            assert_int_equal(perc_score(m, &row, s, NULL), PERC_OK);
            assert_string_equal(perc_answer(m, s), perc_model_label(m, (size_t)place));
            for (int c = 0; c < 3; c++) assert_true(c == place || s[c] < s[place]);
            perc_model_free(m);
        }
        const double tie[3] = { 0, a, a };
        double s[3];
        perc_model *m = offsets_alone(tie, "rate=0.1 epochs=1 multiclass=native");
        assert_int_equal(perc_score(m, &row, s, NULL), PERC_OK);
        assert_true(s[1] == s[2] && s[1] == 0.1 * a); /* a tie is shown as one */
        perc_model_free(m);
        pairs++;
    }
    assert_true(pairs > 5); /* guard */
}

TEST(a_score_keeps_its_sign)
{
    const struct env e = env_resolve(NULL);
    perc_params *p = t_params("perceptron", "rate=1e-300");
    const double tiny = 1e-100;
    perc_model *m;

    assert_int_equal(model_new(&e, p, &m, NULL), PERC_OK);
    assert_true(1e-300 * tiny == 0); /* guard */
    assert_true(machine_shown(m->learner.machine, tiny) == DBL_TRUE_MIN);
    assert_true(machine_shown(m->learner.machine, -tiny) == -DBL_TRUE_MIN);
    assert_true(t_same_bits(machine_shown(m->learner.machine, 0), 0));
    assert_true(isnan(machine_shown(m->learner.machine, NAN)));
    t_free(m, p);
}
