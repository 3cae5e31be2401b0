/* test_curve.c -- learning curves: shares of the rows that grow, and what they teach.
 *
 * The slow loop is written out: for each share and fold a copy of the rows with weight 0
 * for those that are not learned from, perc_fit, and perc_evaluate on both kinds of rows
 * by themselves. */
#include <math.h>

#include "model/deal.h"
#include "t.h"
#include "t_alloc.h"
#include "t_make.h"

static const double part[] = { 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1 };
enum { PARTS = COUNT(part) };

/* The deck of the curve. */
static struct deal deal_of(const perc_dataset *ds, uint64_t seed)
{
    const struct env e = env_resolve(NULL);
    struct deal d;

    assert_int_equal(deal_open(&e, ds, seed, DEAL_SHARES, &d, NULL), PERC_OK);
    return d;
}

/* learned[i]: among the first round(share n) rows of its label that are not in fold f, those
 * of weight 0 and the others each by themselves. */
static size_t learned_from(const struct deal *deal, const uint32_t *fold, uint32_t f, double share,
                           bool *learned)
{
    size_t total = 0;

    for (uint64_t i = 0; i < deal->rows; i++) learned[i] = false;
    for (size_t l = 0; l < deal->piles; l++) {
        size_t n = 0, taken = 0;
        for (uint64_t i = deal->start[l]; i < deal->start[l + 1]; i++)
            n += fold == NULL || fold[deal->row[i]] != f;
        const double wanted = (double)n * share;
        const size_t want = wanted < 0.5 ? 1 : (size_t)(wanted + 0.5);
        for (uint64_t i = deal->start[l]; i < deal->start[l + 1] && taken < want; i++) {
            if (fold != NULL && fold[deal->row[i]] == f) continue;
            learned[deal->row[i]] = true;
            taken++;
        }
        total += taken;
    }
    return total;
}

static perc_dataset *some_rows(const struct t_data *d, const bool *which, bool want,
                               struct t_data *out)
{
    *out = t_data_new(d->rows, d->cols);
    out->rows = 0;
    for (size_t i = 0; i < d->rows; i++) {
        if (which[i] != want) continue;
        memcpy(out->x + out->rows * d->cols, d->x + i * d->cols, d->cols * sizeof *d->x);
        out->y[out->rows++] = d->y[i];
    }
    return t_borrow(out);
}

/* Trains with weight 0 for all but `learned`; measures on those. */
static perc_model *train_on(const struct t_data *d, const perc_params *p, const bool *learned,
                            perc_metrics *train)
{
    struct t_data rest = t_copy(d), same;
    perc_model *m;

    if (rest.weight == NULL) t_weigh(&rest, 0);
    for (size_t i = 0; i < d->rows; i++)
        rest.weight[i] = !learned[i] ? 0 : d->weight != NULL ? d->weight[i] : 1;
    perc_dataset *ds = t_borrow(&rest), *own = some_rows(d, learned, true, &same);
    assert_int_equal(perc_fit(NULL, ds, p, NULL, &m, NULL, NULL), PERC_OK);
    assert_int_equal(perc_evaluate(NULL, m, own, train, NULL, NULL), PERC_OK);
    t_free(ds, own, &rest, &same);
    return m;
}

static void slow_fold(const struct t_data *d, const perc_params *p, const bool *learned,
                      const uint32_t *fold, uint32_t f, perc_metrics *train, perc_metrics *held)
{
    perc_model *m = train_on(d, p, learned, train);
    bool own[512];
    struct t_data h;

    for (size_t i = 0; i < d->rows; i++) own[i] = fold[i] == f;
    perc_dataset *part_of = some_rows(d, own, true, &h);
    assert_int_equal(perc_evaluate(NULL, m, part_of, held, NULL, NULL), PERC_OK);
    t_free(part_of, &h, m);
}

static const char *const options[] = {
    "algorithm=averaged epochs=3",
    "algorithm=pocket epochs=2 seed=4",
    "algorithm=perceptron epochs=20 order=file class-weight=balanced seed=9",
    "algorithm=pa1 epochs=3 time-limit=1000",
    "algorithm=voted epochs=2",
    "algorithm=margin epochs=5 updates=20",
};
enum { OPTIONS = COUNT(options) };

static struct t_data noise(int k)
{
    struct t_data d = t_noise(150, 4, T_REAL, 0.8, (uint64_t)k);

    for (size_t i = 0; i < d.rows; i++) /* label 0 more often than the others */
        d.y[i] = i % 10 < 5 ? 0 : (double)(i % (k & 4 ? 3 : 2));
    if (k % 2) t_weigh(&d, 1);
    for (size_t i = 0; i < d.rows && k % 4 == 3; i++) /* some are not learned from */
        if (i % 7 < 2) d.weight[i] = 0;
    return d;
}

TEST(shares_by_folds_are_the_slow_loop)
{
    enum { K = 3 };
    double rows[PARTS];
    perc_metrics train[PARTS], held[PARTS], each[K], own[K], mean, spread;
    uint32_t fold[512];
    bool learned[512];

    for (int k = 0; k < 2 * OPTIONS; k++) {
        struct t_data d = noise(k);
        perc_dataset *ds = t_borrow(&d);
        perc_params *p = t_params("averaged", options[k % OPTIONS]);
        const uint64_t seed = k % OPTIONS == 1 ? 4 : k % OPTIONS == 2 ? 9 : 0;
        struct deal deck = deal_of(ds, seed);
        const perc_env env = { .threads = 1 + k % 3 };
        assert_int_equal(perc_folds(ds, K, seed, fold, NULL), PERC_OK);
        assert_int_equal(
            perc_learning_curve(&env, ds, p, NULL, K, part, PARTS, NULL, rows, train, held, NULL),
            PERC_OK);
        for (size_t i = 0; i < PARTS; i++) {
            size_t total = 0;
            for (uint32_t f = 0; f < K; f++) {
                total += learned_from(&deck, fold, f, part[i], learned);
                slow_fold(&d, p, learned, fold, f, &own[f], &each[f]);
            }
            assert_true(rows[i] == (double)total / K);
            perc_metrics_summary(own, K, &mean, &spread);
            assert_memory_equal(&mean, &train[i], sizeof mean);
            perc_metrics_summary(each, K, &mean, &spread);
            assert_memory_equal(&mean, &held[i], sizeof mean);
        }
        deal_close(&deck);
        t_free(p, ds, &d);
    }
}

TEST(shares_by_a_held_set_are_the_slow_loop)
{
    double rows[PARTS];
    perc_metrics train[PARTS], held[PARTS], want;
    bool learned[512];

    for (int k = 0; k < OPTIONS; k++) {
        struct t_data d = noise(k), h = noise(k + 8);
        perc_dataset *ds = t_borrow(&d), *other = t_borrow(&h);
        perc_params *p = t_params("averaged", options[k]);
        struct deal deck = deal_of(ds, k == 1 ? 4 : k == 2 ? 9 : 0);
        assert_int_equal(
            perc_learning_curve(NULL, ds, p, other, 0, part, PARTS, NULL, rows, train, held, NULL),
            PERC_OK);
        for (size_t i = 0; i < PARTS; i++) {
            assert_true(rows[i] == (double)learned_from(&deck, NULL, 0, part[i], learned));
            perc_model *m = train_on(&d, p, learned, &want);
            assert_memory_equal(&want, &train[i], sizeof want);
            assert_int_equal(perc_evaluate(NULL, m, other, &want, NULL, NULL), PERC_OK);
            assert_memory_equal(&want, &held[i], sizeof want);
            perc_model_free(m);
        }
        deal_close(&deck);
        t_free(p, ds, other, &d, &h);
    }
}

/* Each share has its labels in proportion and holds the smaller ones; all of the rows are
 * what cross-validation learns from. */
TEST(shares_grow)
{
    struct t_data d = t_noise(500, 3, T_REAL, 1, 3);
    double rows[PARTS];
    perc_metrics train[PARTS], held[PARTS], each[5], mean, spread;

    for (size_t i = 0; i < d.rows; i++) d.y[i] = i % 10 == 0; /* one in ten */
    perc_dataset *ds = t_borrow(&d);
    perc_params *p = t_params("averaged", "epochs=3");
    assert_int_equal(
        perc_learning_curve(NULL, ds, p, NULL, 5, part, PARTS, NULL, rows, train, held, NULL),
        PERC_OK);
    for (size_t i = 0; i < PARTS; i++) {
        assert_true(rows[i] == 400 * part[i]); /* 40 and 360: every share is whole */
        assert_int_equal(train[i].rows, 5 * rows[i]);
        assert_int_equal(held[i].rows, 500);
    }
    assert_int_equal(perc_cross_validate(NULL, ds, p, 5, NULL, each, NULL), PERC_OK);
    perc_metrics_summary(each, 5, &mean, &spread);
    assert_memory_equal(&mean, &held[PARTS - 1], sizeof mean);
    t_free(p, ds, &d);
}

/* However few the rows, no label is left out. */
TEST(every_label_is_in_every_share)
{
    static const double tiny[] = { 1e-9 };
    struct t_data d = noise(4);
    perc_dataset *ds = t_borrow(&d);
    perc_params *p = t_params("averaged", "epochs=3");
    double rows[1];
    perc_metrics train[1], held[1];

    assert_int_equal(
        perc_learning_curve(NULL, ds, p, ds, 0, tiny, 1, NULL, rows, train, held, NULL), PERC_OK);
    assert_true(rows[0] == 3 && train->rows == 3 && held->unknown == 0);
    t_free(p, ds, &d);
}

struct seen {
    int trials, stop_at;
};

static int count_trials(void *ud, const perc_event *ev)
{
    struct seen *s = ud;

    s->trials += ev->pass_ended;
    if (ev->pass_ended) assert_int_equal(ev->epoch, s->trials);
    return s->trials == s->stop_at;
}

TEST(bad_shares_and_observers)
{
    static const double bad[][2] = { { 0, 1 }, { 0.5, 1.01 }, { -1, 1 }, { NAN, 1 } };
    struct t_data d = noise(0);
    perc_dataset *ds = t_borrow(&d);
    perc_params *p = t_params("averaged", "epochs=3"), *data = t_params("data", "");
    double rows[PARTS];
    perc_metrics train[PARTS], held[PARTS];
    struct seen seen = { 0, -1 };
    const perc_observer o = { PERC_WATCH_COUNTS, count_trials, &seen };
    perc_error err = { 0 };

    for (int k = 0; k < 4; k++)
        assert_int_equal(
            perc_learning_curve(NULL, ds, p, NULL, 3, bad[k], 2, NULL, rows, train, held, NULL),
            PERC_EARG);
    for (size_t k = 0; k < 2; k++)
        assert_int_equal(
            perc_learning_curve(NULL, ds, p, NULL, k, part, PARTS, NULL, rows, train, held, NULL),
            PERC_EARG);
    assert_int_equal(
        perc_learning_curve(NULL, ds, data, NULL, 3, part, PARTS, NULL, rows, train, held, NULL),
        PERC_EARG);
    assert_int_equal(
        perc_learning_curve(NULL, ds, p, NULL, 80, part, PARTS, NULL, rows, train, held, NULL),
        PERC_EDATA);
    assert_int_equal(
        perc_learning_curve(NULL, ds, p, NULL, 3, part, PARTS, &o, rows, train, held, NULL),
        PERC_OK);
    assert_int_equal(seen.trials, 3 * PARTS);
    seen = (struct seen){ 0, 3 };
    assert_int_equal(
        perc_learning_curve(NULL, ds, p, ds, 0, part, PARTS, &o, rows, train, held, &err),
        PERC_EARG);
    assert_int_equal(seen.trials, 3);
    assert_string_equal(err.text, "cancelled");
    t_free(p, data, ds, &d);
}

TEST(memory_may_run_out_anywhere)
{
    for (int k = 0; k < 4; k++) {
        struct t_data d = noise(0);
        perc_dataset *ds = t_borrow(&d);
        perc_params *p = t_params("averaged", options[k]);
        perc_metrics train[2], held[2];
        double rows[2];
        for (struct t_sweep s = { .onwards = true, .least = 40 }; t_sweep_next(&s);) {
            const perc_status st = perc_learning_curve(&s.env, ds, p, k % 2 ? ds : NULL, 2,
                                                       part + 5, 2, NULL, rows, train, held, NULL);
            t_sweep_judge(&s, st);
        }
        t_free(p, ds, &d);
    }
}
