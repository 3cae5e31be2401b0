/* test_threshold.c -- answers by a threshold, and the best one, against counts of all of them in
 * whole numbers. */
#include <math.h>

#include "model/model.h"
#include "t.h"
#include "t_alloc.h"
#include "t_dir.h"
#include "t_hostile.h"
#include "t_make.h"
#include "vec/rng.h"

enum { MOST = 60 };

/* ----- the best of all ------------------------------------------------------------------- */

struct counts_at { /* whole numbers: weights are small ones */
    int64_t tp, fp, p, n;
};

static struct counts_at count_at(const struct held_score *row, size_t n, double at)
{
    struct counts_at c = { 0 };

    for (size_t i = 0; i < n; i++) {
        const int64_t w = (int64_t)row[i].weight;
        *(row[i].positive ? &c.p : &c.n) += w;
        if (row[i].score >= at) *(row[i].positive ? &c.tp : &c.fp) += w;
    }
    return c;
}

/* What is made largest, as a fraction, and what decides between equals; false: it will not do.
 * tenths: the least precision or recall, times 10. */
static bool fraction(enum wish_of of, int64_t tenths, const struct counts_at *c, int64_t v[4])
{
    v[1] = v[3] = 1;
    v[2] = 0;
    switch (of) {
    case WISH_F1: v[0] = 2 * c->tp, v[1] = c->tp + c->fp + c->p; return true;
    case WISH_BALANCED: v[0] = c->tp * c->n + (c->n - c->fp) * c->p; return true;
    case WISH_COST: v[0] = -(3 * c->fp + 7 * (c->p - c->tp)); return true;
    case WISH_PRECISION:
        v[0] = c->tp, v[1] = c->p, v[2] = c->tp, v[3] = c->tp + c->fp;
        return 10 * c->tp >= tenths * (c->tp + c->fp);
    default:
        v[0] = c->tp, v[1] = c->tp + c->fp, v[2] = c->tp, v[3] = c->p;
        return 10 * c->tp >= tenths * c->p;
    }
}

static int compare(const int64_t a[2], const int64_t b[2])
{
    const int64_t x = a[0] * b[1], y = b[0] * a[1];

    return (x > y) - (x < y);
}

/* The highest threshold among the best, of all scores; false: none will do. */
static bool slow_best(const struct wish *w, const struct held_score *row, size_t n, double *at)
{
    int64_t best[4], v[4];
    bool found = false;

    if (w->of == WISH_COST) {
        const struct counts_at none = count_at(row, n, INFINITY);
        found = fraction(w->of, 0, &none, best);
        *at = INFINITY;
    }
    for (double h = 10; h >= -10; h -= 0.5) { /* scores are halves */
        const struct counts_at c = count_at(row, n, h);
        if (c.tp + c.fp == 0 || !fraction(w->of, (int64_t)(10 * w->a + 0.5), &c, v)) continue;
        const int first = found ? compare(v, best) : 1;
        if (first < 0 || (first == 0 && compare(v + 2, best + 2) <= 0)) continue;
        memcpy(best, v, sizeof best);
        found = true;
        *at = h;
    }
    return found;
}

static size_t draw(uint64_t seed, struct held_score *row)
{
    struct rng g = rng_seed(seed, 3);
    const size_t n = 2 + rng_below(&g, MOST - 2);

    for (size_t i = 0; i < n; i++) {
        const bool positive = i < 2 ? i == 0 : rng_below(&g, 4) == 0;
        const double s = floor(4 * rng_normal(&g) + (positive ? 3 : 0)) / 2;
        row[i] = (struct held_score){ s > 10    ? 10
                                      : s < -10 ? -10
                                                : s,
                                      (double)(1 + rng_below(&g, seed % 2 ? 5 : 1)), i, positive };
    }
    return n;
}

TEST(the_best_threshold_is_that_of_all)
{
    static const char *const specs[] = { "best:f1",
                                         "best:balanced",
                                         "best:cost:3,7",
                                         "best:precision:0.9",
                                         "best:precision:0.5",
                                         "best:recall:0.8",
                                         "best:recall:1" };
    size_t none = 0, nowhere = 0;

    for (size_t k = 0; k < COUNT(specs); k++)
        for (uint64_t seed = 0; seed < 150; seed++) {
            struct held_score row[MOST];
            const size_t n = draw(seed, row);
            struct wish w;
            perc_choice choice;
            perc_error err = { 0 };
            double want, at;

            assert_int_equal(threshold_wish(specs[k], &w, NULL), PERC_OK);
            const bool some = slow_best(&w, row, n, &want);
            const perc_status st = threshold_choose(&w, row, n, &at, &choice, &err);
            assert_int_equal(st, some ? PERC_OK : PERC_ENO);
            none += !some;
            if (!some) assert_non_null(strstr(err.text, "the largest is"));
            if (!some) continue;
            nowhere += want == INFINITY;
            const struct counts_at c = count_at(row, n, want), got = count_at(row, n, at);
            assert_true(isfinite(at) && at <= want);
            assert_true(got.tp == c.tp && got.fp == c.fp); /* no score lies between */
            assert_true(choice.true_positives == (double)c.tp);
            assert_true(choice.false_positives == (double)c.fp);
            assert_true(choice.false_negatives == (double)(c.p - c.tp));
            assert_true(choice.true_negatives == (double)(c.n - c.fp));
            assert_true(c.tp + c.fp == 0
                            ? isnan(choice.precision)
                            : choice.precision == (double)c.tp / (double)(c.tp + c.fp));
        }
    assert_true(none > 5 && nowhere > 5); /* guard: all of it was met */
}

TEST(a_threshold_lies_half_way_down_to_the_next_score)
{
    const double next = nextafter(2, 3);
    struct held_score row[] = { { 2, 1, 0, true }, { -1, 1, 1, false }, { -3, 1, 2, false } };
    struct held_score close[] = { { 2, 1, 0, false }, { next, 1, 1, true } };
    struct held_score far[] = { { -1.7e308, 1, 0, false }, { 1.7e308, 1, 1, true } };
    struct held_score low[] = { { 1, 1, 0, false }, { 0.25, 1, 1, true } };
    const struct wish f1 = { WISH_F1, 0, 0 }, cost = { WISH_COST, 1, 0 };
    perc_choice choice;
    double at;

    assert_int_equal(threshold_choose(&f1, row, 3, &at, &choice, NULL), PERC_OK);
    assert_true(at == 0.5 && choice.f1 == 1 && choice.balanced_accuracy == 1);
    assert_int_equal(threshold_choose(&f1, close, 2, &at, &choice, NULL), PERC_OK);
    assert_true(at == next);
    assert_int_equal(threshold_choose(&f1, far, 2, &at, &choice, NULL), PERC_OK);
    assert_true(at == 0);
    assert_int_equal(threshold_choose(&f1, low, 2, &at, &choice, NULL), PERC_OK);
    assert_true(at == 0.25); /* the lowest score of all */
    assert_int_equal(threshold_choose(&cost, low, 2, &at, &choice, NULL), PERC_OK);
    assert_true(at == nextafter(1, 2) && choice.false_positives == 0);
    row[0].positive = false;
    assert_int_equal(threshold_choose(&f1, row, 3, &at, &choice, NULL), PERC_EDATA);
    assert_int_equal(threshold_choose(&f1, row, 0, &at, &choice, NULL), PERC_EDATA);
}

/* ----- texts ------------------------------------------------------------------------------- */

TEST(what_cannot_be_asked_for_is_refused)
{
    static const char *const bad[] = {
        "best:",
        "best:f2",
        "best:f1:",
        "best:f1x",
        "best:cost:",
        "best:cost:1",
        "best:cost:1,",
        "best:cost:-1,2",
        "best:cost:0,0",
        "best:cost:1,2,3",
        "best:cost:1e308,1e308",
        "best:cost:nan,1",
        "best:precision:",
        "best:precision:0",
        "best:precision:1.5",
        "best:recall:-1",
        "best:recall:x",
        "best:recall:0.5000000000000000000000000000000000000000000000000000000"
    };
    struct wish w;
    perc_error err;

    for (size_t i = 0; i < COUNT(bad); i++)
        if (threshold_wish(bad[i], &w, &err) != PERC_EARG) fail_msg("%s", bad[i]);
    assert_int_equal(threshold_wish("best:cost:0,1.5", &w, NULL), PERC_OK);
    assert_true(w.of == WISH_COST && w.a == 0 && w.b == 1.5);
}

/* ----- models -------------------------------------------------------------------------------- */

/* One feature, and a score that rises with it; probabilities that are 1/2 elsewhere. */
static perc_model *fit(perc_dataset **ds, const char *options)
{
    struct rng g = rng_seed(4, 4);
    FILE *f = fopen("rows.csv", "w");

    assert_non_null(f);
    fputs("x,y,label\n", f);
    for (int i = 0; i < 120; i++) {
        const double x = i == 0 ? 9 : rng_normal(&g); /* the highest score is not right */
        const bool yes = i > 0 && x + rng_normal(&g) > 1;
        fprintf(f, "%.17g,%.17g,%s\n", x, rng_normal(&g), yes ? "yes" : "no");
    }
    fclose(f);
    *ds = t_read("rows.csv", "");
    return t_fit(*ds, options, NULL);
}

static void answers(const perc_model *m, double s, const char *want)
{
    if (strcmp(perc_answer(m, &s), want) != 0) fail_msg("%.17g: %s", s, perc_answer(m, &s));
}

TEST(answers_are_those_of_the_threshold)
{
    perc_dataset *ds;
    perc_model *m = fit(&ds, "algorithm=averaged epochs=3 class-weight=yes=5");
    const double below = nextafter(-0.25, -1), s = -0.25;
    perc_threshold t;
    perc_error err = { 0 };
    double p[2];

    answers(m, 0, "no");
    answers(m, 0x1p-1074, "yes");
    assert_int_equal(perc_model_set_threshold(m, "score:-0.25", NULL), PERC_OK);
    answers(m, -0.25, "yes"); /* at the threshold is positive */
    answers(m, below, "no");
    perc_model_threshold(m, &t);
    assert_string_equal(t.of, "score");
    assert_true(t.score == -0.25 && isnan(t.p) && t.folds == 0 && t.choice[0] == '\0');
    assert_int_equal(perc_model_set_threshold(m, "0.3", &err), PERC_EARG);
    assert_non_null(strstr(err.text, "--calibrate"));
    assert_int_equal(perc_model_set_threshold(m, "probabilities", NULL), PERC_EARG);
    answers(m, -0.25, "yes"); /* what is refused changes nothing */
    assert_int_equal(perc_calibrate(NULL, m, ds, 4, NULL, NULL), PERC_OK);
    answers(m, -0.25, "yes");
    perc_model_threshold(m, &t);
    assert_int_equal(perc_probabilities(m, &s, p, NULL), PERC_OK);
    assert_true(t.p == p[1] && t.folds == 4);
    for (int k = 1; k < 100; k++) { /* p >= P, whatever the score is; and p >= 1/2 */
        char text[16];
        snprintf(text, sizeof text, "0.%02d", k);
        assert_int_equal(perc_model_set_threshold(m, text, NULL), PERC_OK);
        for (double x = -40; x < 40; x += 0.7) {
            assert_int_equal(perc_probabilities(m, &x, p, NULL), PERC_OK);
            answers(m, x, p[1] >= k / 100.0 ? "yes" : "no");
        }
    }
    assert_int_equal(perc_model_set_threshold(m, "probabilities", NULL), PERC_OK);
    for (double x = -40; x < 40; x += 0.7) {
        assert_int_equal(perc_probabilities(m, &x, p, NULL), PERC_OK);
        answers(m, x, p[1] >= 0.5 ? "yes" : "no");
    }
    assert_int_equal(perc_model_set_threshold(m, "none", NULL), PERC_OK);
    answers(m, 0, "no");
    perc_model_threshold(m, &t);
    assert_string_equal(t.of, "rule");
    t_free(m, ds);
}

TEST(thresholds_that_a_model_cannot_have)
{
    static const struct {
        const char *spec, *why;
    } bad[] = { { "best:f1", "held out" }, { "1", "below 1" },   { "0", "above 0" },
                { "-0.5", "score:-0.5" },  { "nan", "no prob" }, { "score:", "a number" },
                { "score:x", "a number" }, { "", "no prob" },    { "0.3x", "no prob" },
                { "score:inf", "number" } };
    perc_dataset *ds, *iris = t_read(":iris", "");
    perc_model *m = fit(&ds, "algorithm=averaged epochs=2 multiclass=ovr");
    perc_model *three = t_fit(iris, "algorithm=mlp layers=3 epochs=2", NULL);
    perc_error err = { 0 };
    double s[3] = { 1, 3, 2 };

    for (size_t i = 0; i < COUNT(bad); i++) {
        assert_int_equal(perc_model_set_threshold(three, bad[i].spec, &err), PERC_EARG);
        if (strstr(err.text, bad[i].why) == NULL) fail_msg("%s: %s", bad[i].spec, err.text);
    }
    assert_int_equal(perc_model_set_threshold(three, "0.3", &err), PERC_EARG);
    assert_non_null(strstr(err.text, "is for two labels, and there are 3"));
    assert_int_equal(perc_model_set_threshold(m, "score:1", &err), PERC_EARG);
    assert_non_null(strstr(err.text, "needs one score"));
    assert_int_equal(perc_choose_threshold(NULL, three, iris, 3, "best:f1", 0, NULL, NULL, &err),
                     PERC_EARG);
    assert_int_equal(perc_model_set_threshold(three, "probabilities", NULL), PERC_OK);
    assert_string_equal(perc_answer(three, s), perc_model_label(three, 1));
    t_free(m, three, ds, iris);
}

/* Of several classes, the highest sigmoid, which need not be that of the highest score. */
TEST(the_most_probable_of_several)
{
    perc_dataset *iris = t_read(":iris", "");
    perc_model *m = t_fit(iris, "algorithm=averaged epochs=3", NULL);
    perc_metrics before, after;
    struct rng g = rng_seed(1, 1);
    int other = 0;

    assert_int_equal(perc_calibrate(NULL, m, iris, 4, NULL, NULL), PERC_OK);
    assert_int_equal(perc_evaluate(NULL, m, iris, &before, NULL, NULL), PERC_OK);
    assert_int_equal(perc_model_set_threshold(m, "probabilities", NULL), PERC_OK);
    assert_int_equal(perc_evaluate(NULL, m, iris, &after, NULL, NULL), PERC_OK);
    assert_true(before.disagree > 0 && after.disagree == 0 && after.errors == before.errors);
    for (int k = 0; k < 500; k++) {
        double s[3], p[3];
        for (int c = 0; c < 3; c++) s[c] = 30 * rng_normal(&g);
        assert_int_equal(perc_probabilities(m, s, p, NULL), PERC_OK);
        const size_t best = model_answer(m, s);
        for (size_t c = 0; c < 3; c++) assert_true(p[best] >= p[c]);
        other += best != linear_best(s, 3);
    }
    assert_true(other > 20);
    t_free(m, iris);
}

/* ----- chosen on held-out rows, kept in a file, forgotten ------------------------------------- */

/* The scores by hand: one model a fold, trained without it. */
TEST(a_choice_is_what_one_gets_by_hand)
{
    perc_dataset *ds;
    perc_model *m = fit(&ds, "algorithm=perceptron epochs=3 seed=5"), *back, *both;
    struct held_score row[120];
    double s[120], at;
    uint32_t fold[120];
    struct wish w;
    perc_choice want, got, again;
    perc_threshold t;

    assert_int_equal(perc_folds(ds, 3, 5, fold, NULL), PERC_OK);
    for (uint32_t k = 0; k < 3; k++) {
        FILE *f = fopen("part.csv", "w"), *all = fopen("rows.csv", "r");
        char line[256];
        fputs("x,y,label,weight\n", f);
        assert_non_null(fgets(line, sizeof line, all));
        for (size_t i = 0; i < 120 && fgets(line, sizeof line, all) != NULL; i++) {
            line[strcspn(line, "\n")] = '\0';
            fprintf(f, "%s,%d\n", line, fold[i] != k);
        }
        fclose(f);
        fclose(all);
        perc_dataset *part = t_read("part.csv", "label=label weight=weight");
        perc_model *one = t_fit(part, "algorithm=perceptron epochs=3 seed=5", NULL);
        assert_int_equal(perc_predict(NULL, one, ds, s, NULL), PERC_OK);
        for (size_t i = 0; i < 120; i++)
            if (fold[i] == k)
                row[i] = (struct held_score){ s[i], 1, i, perc_dataset_row_label(ds, i) == 1 };
        t_free(one, part);
    }
    assert_int_equal(threshold_wish("best:f1", &w, NULL), PERC_OK);
    assert_int_equal(threshold_choose(&w, row, 120, &at, &want, NULL), PERC_OK);
    assert_int_equal(perc_choose_threshold(NULL, m, ds, 3, "best:f1", 0, NULL, &got, NULL),
                     PERC_OK);
    perc_model_threshold(m, &t);
    assert_true(t.score == at && t.folds == 3);
    assert_string_equal(t.choice, "best:f1");
    assert_memory_equal(&got, &want, sizeof got);
    /* With sigmoids it is the same, and they are those of a calibration. */
    both = t_fit(ds, "algorithm=perceptron epochs=3 seed=5", NULL);
    assert_int_equal(perc_choose_threshold(NULL, both, ds, 3, "best:f1", 1, NULL, &again, NULL),
                     PERC_OK);
    assert_memory_equal(&again, &want, sizeof again);
    assert_int_equal(perc_calibrate(NULL, m, ds, 3, NULL, NULL), PERC_OK);
    t_assert_same_file(m, both);
    assert_int_equal(perc_model_write(m, "m", NULL), PERC_OK);
    assert_int_equal(perc_model_read(NULL, "m", &back, NULL), PERC_OK);
    t_assert_same_file(m, back);
    perc_model_threshold(back, &t);
    assert_true(t.score == at && t.folds == 3 && strcmp(t.choice, "best:f1") == 0);
    t_free(back, both, m, ds);
}

TEST(a_threshold_that_is_nowhere_good_enough_is_an_answer)
{
    perc_dataset *ds;
    perc_model *m = fit(&ds, "algorithm=perceptron epochs=1");
    perc_model_info info;
    perc_threshold t;
    perc_error err = { 0 };

    assert_int_equal(perc_choose_threshold(NULL, m, ds, 3, "best:precision:1", 1, NULL, NULL, &err),
                     PERC_ENO);
    assert_non_null(strstr(err.text, "no threshold has a precision of 1 on the held-out rows"));
    perc_model_info_get(m, &info);
    perc_model_threshold(m, &t);
    assert_true(info.calibrated && strcmp(t.of, "rule") == 0);
    t_free(m, ds);
}

TEST(what_was_fitted_to_other_weights_is_forgotten)
{
    static const struct {
        const char *options, *spec;
        bool stays;
    } cases[] = { { "algorithm=averaged epochs=2", "score:1", false },
                  { "algorithm=averaged epochs=2", "0.3", false },
                  { "algorithm=mlp layers=3 epochs=2", "score:1", false },
                  { "algorithm=mlp layers=3 epochs=2", "0.3", true },
                  { "algorithm=mlp layers=3 epochs=2", "probabilities", true } };
    const double x[] = { 1, 2 };
    const perc_example one = { NULL, x, 2 };

    for (size_t i = 0; i < COUNT(cases); i++) {
        perc_dataset *ds;
        perc_model *m = fit(&ds, cases[i].options), *on;
        perc_params *more = t_params(i < 2 ? "averaged" : "mlp", "epochs=3");
        perc_threshold t;

        if (i == 1) assert_int_equal(perc_calibrate(NULL, m, ds, 3, NULL, NULL), PERC_OK);
        assert_int_equal(perc_model_set_threshold(m, cases[i].spec, NULL), PERC_OK);
        assert_int_equal(perc_fit_resume(NULL, ds, m, more, NULL, &on, NULL, NULL), PERC_OK);
        perc_model_threshold(on, &t);
        assert_int_equal(strcmp(t.of, "rule") != 0, cases[i].stays);
        assert_int_equal(perc_learn(m, &one, "yes", 1, NULL, NULL), PERC_OK);
        perc_model_threshold(m, &t);
        assert_int_equal(strcmp(t.of, "rule") != 0, cases[i].stays);
        t_free(more, on, m, ds);
    }
}

TEST(files_with_an_impossible_threshold_are_refused)
{
    static const struct hostile cases[] = {
        { META, "threshold", "sideways", "unknown value 'sideways'" },
        { META, "threshold.at", "1", "the threshold is out of range" },
        { META, "threshold.at", "-0.25", "the threshold is out of range" },
        { META, "threshold.at", NULL, "the threshold is out of range" },
        { META, "threshold.at", "inf", "threshold.at" },
        { META, "threshold.at", "nan", "threshold.at" },
        { META, "threshold.choice", "best:f1", "'threshold.choice' is 'best:f1'" },
        { META, "held_out_folds", "1", "out of range" },
        { GONE, "sigmoid", NULL, "is about probabilities, and the model has none" },
        /* Guards */
        { META, "threshold.at", "0.75", NULL },
        { META, "threshold", "score", NULL },
        { META, "threshold", NULL, NULL },
        { META, "held_out_folds", "9", NULL },
    };
    static const struct hostile chosen[] = {
        { META, "threshold.choice", "best:f3", "'threshold.choice' is 'best:f3'" },
        { META, "threshold.choice", "", "'threshold.choice'" },
        { META, "threshold.at", NULL, "the threshold is out of range" },
        { META, "threshold.choice", "best:recall:0.5", NULL },
        { META, "threshold.choice", NULL, NULL },
    };
    perc_dataset *ds;
    perc_model *m = fit(&ds, "algorithm=averaged epochs=2");

    assert_int_equal(perc_choose_threshold(NULL, m, ds, 3, "best:f1", 1, NULL, NULL, NULL),
                     PERC_OK);
    t_refuses_model(m, chosen, COUNT(chosen));
    assert_int_equal(perc_model_set_threshold(m, "0.3", NULL), PERC_OK);
    t_refuses_model(m, cases, COUNT(cases));
    t_free(m, ds);
}

/* ----- the trade-off -------------------------------------------------------------------- */

TEST(the_trade_off_has_every_threshold)
{
    perc_dataset *ds;
    perc_model *m = fit(&ds, "algorithm=averaged epochs=3");
    double s[120];
    perc_trade all[123], few[9];
    size_t n, k;
    perc_error err = { 0 };

    assert_int_equal(perc_predict(NULL, m, ds, s, NULL), PERC_OK);
    for (size_t i = 0; i < 120; i++) s[i] = floor(4 * s[i]) / 4; /* with ties */
    assert_int_equal(perc_calibrate(NULL, m, ds, 3, NULL, NULL), PERC_OK);
    for (int with = 0; with < 2; with++) {
        size_t here = 0;
        if (with) assert_int_equal(perc_model_set_threshold(m, "0.4", NULL), PERC_OK);
        assert_int_equal(perc_trade_off(NULL, m, ds, s, 123, all, &n, NULL), PERC_OK);
        for (size_t i = 0; i < n; i++) {
            uint64_t tp = 0, fp = 0, yes = 0, positives = 0;
            double p[2];
            for (size_t r = 0; r < 120; r++) {
                const bool positive = perc_dataset_row_label(ds, r) == 1;
                positives += positive;
                tp += positive && s[r] >= all[i].score;
                fp += !positive && s[r] >= all[i].score;
                yes += model_answer(m, &s[r]) == 1;
            }
            assert_true(all[i].true_positives == tp && all[i].false_positives == fp);
            assert_true(all[i].precision == (double)tp / (double)(tp + fp));
            assert_true(all[i].recall == (double)tp / (double)positives);
            assert_true(all[i].false_positive_rate == (double)fp / (double)(120 - positives));
            assert_true(all[i].f1 == 2.0 * (double)tp / (double)(tp + fp + positives));
            assert_int_equal(perc_probabilities(m, &all[i].score, p, NULL), PERC_OK);
            assert_true(all[i].p == p[1] && (i == 0 || all[i].score < all[i - 1].score));
            assert_int_equal(all[i].here, tp + fp == yes);
            here += (size_t)all[i].here;
        }
        assert_true(here == 1 && all[n - 1].recall == 1 && all[n - 1].false_positive_rate == 1);
        for (size_t most = 3; most <= 9; most++) {
            assert_int_equal(perc_trade_off(NULL, m, ds, s, most, few, &k, NULL), PERC_OK);
            assert_in_range(k, 2, most);
            here = 0;
            for (size_t i = 0; i < k; i++) here += (size_t)few[i].here;
            assert_true(here == 1 && few[0].score == all[0].score);
            assert_true(few[k - 1].score == all[n - 1].score);
        }
    }
    assert_true(n > 10); /* guard */
    assert_int_equal(perc_trade_off(NULL, m, ds, s, 2, few, &k, &err), PERC_EARG);
    t_free(m, ds);
}

/* ----- out of memory -------------------------------------------------------------------- */

TEST(memory_may_run_out_anywhere)
{
    perc_dataset *ds;
    perc_params *p = t_params("averaged", "epochs=1");
    perc_model *m = fit(&ds, "algorithm=averaged epochs=1");

    perc_model_free(m);
    for (struct t_sweep w = { .least = 20 }; t_sweep_next(&w);) {
        perc_trade few[9];
        double s[120];
        size_t n;
        perc_status st = perc_fit(&w.env, ds, p, NULL, &m, NULL, NULL);
        if (!st) st = perc_choose_threshold(&w.env, m, ds, 3, "best:f1", 1, NULL, NULL, NULL);
        if (!st) st = perc_predict(&w.env, m, ds, s, NULL);
        if (!st) st = perc_trade_off(&w.env, m, ds, s, 9, few, &n, NULL);
        perc_model_free(m);
        t_sweep_judge(&w, st);
    }
    t_free(p, ds);
}
