/* test_groups.c -- rows that belong together stay together, and nothing is learned from what is
 * newer: in folds, in rows held out, in cross-validation and calibration. */
#include <math.h>

#include "data/dataset.h"
#include "data/mask.h"
#include "model/deal.h"
#include "t.h"
#include "t_alloc.h"
#include "t_make.h"
#include "vec/rng.h"

enum { ROWS = 120 };

struct grouped {
    struct t_data d;
    perc_dataset *ds;
    uint64_t group[ROWS]; /* any numbers */
    double time[ROWS];
};

/* Rows of up to `groups` groups of very different sizes, and of few times. */
static void grouped_make(struct grouped *g, uint64_t groups, uint64_t seed)
{
    static const double u[3] = { 1, -2, 0.5 };
    struct rng rng = rng_seed(seed, 5);

    g->d = seed % 2 ? t_noise(ROWS, 3, T_REAL, 1, seed) : t_planted(ROWS, 3, u, 0.1, 0.02, seed);
    g->ds = t_borrow(&g->d);
    for (size_t i = 0; i < ROWS; i++) {
        const uint64_t k = rng_below(&rng, 1 + rng_below(&rng, groups));
        g->group[i] = k * UINT64_C(0x9e3779b97f4a7c15);
        g->time[i] = (double)rng_below(&rng, ROWS / 2) - 20;
    }
}

static void grouped_free(struct grouped *g)
{
    perc_dataset_free(g->ds);
    t_data_free(&g->d);
}

/* ----- folds -------------------------------------------------------------------------- */

/* The rule of the header, slowly: the largest group that is left goes to the lightest fold. Which
 * of equals is drawn, so the sizes alone are the same. */
static void greedy_sizes(const struct grouped *g, size_t k, long size[])
{
    bool done[ROWS] = { false };

    for (size_t f = 0; f < k; f++) size[f] = 0;
    for (;;) {
        long most = 0;
        size_t at = 0, light = 0;
        for (size_t i = 0; i < ROWS; i++) {
            long n = 0;
            for (size_t j = 0; j < ROWS; j++) n += g->group[i] == g->group[j];
            if (!done[i] && n > most) most = n, at = i;
        }
        if (most == 0) break;
        for (size_t f = 1; f < k; f++)
            if (size[f] < size[light]) light = f;
        size[light] += most;
        for (size_t j = 0; j < ROWS; j++) done[j] |= g->group[at] == g->group[j];
    }
}

static int by_size(const void *a, const void *b)
{
    const long *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

TEST(no_group_is_in_two_folds_and_their_sizes_are_those_of_the_rule)
{
    uint32_t fold[ROWS], again[ROWS];
    int dealt = 0, other = 0;

    for (uint64_t seed = 0; seed < 60; seed++) {
        struct grouped g;
        const size_t k = 2 + seed % 5;
        long size[8] = { 0 }, want[8];

        grouped_make(&g, 6 + seed % 30, seed);
        assert_int_equal(perc_dataset_set_groups(g.ds, g.group, NULL), PERC_OK);
        if (perc_folds(g.ds, k, seed, fold, NULL) == PERC_OK) {
            for (size_t i = 0; i < ROWS; i++) {
                assert_true(fold[i] < k);
                size[fold[i]]++;
                for (size_t j = 0; j < i; j++)
                    if (g.group[i] == g.group[j]) assert_int_equal(fold[i], fold[j]);
            }
            greedy_sizes(&g, k, want);
            qsort(size, k, sizeof *size, by_size);
            qsort(want, k, sizeof *want, by_size);
            assert_memory_equal(size, want, k * sizeof *size);
            assert_int_equal(perc_folds(g.ds, k, seed, again, NULL), PERC_OK);
            assert_memory_equal(fold, again, sizeof fold);
            assert_int_equal(perc_folds(g.ds, k, seed + 1, again, NULL), PERC_OK);
            other += memcmp(fold, again, sizeof fold) != 0;
            dealt++;
        }
        grouped_free(&g);
    }
    assert_true(dealt > 40 && other > 20);
}

TEST(a_fold_has_one_span_of_time_and_learns_from_all_before_it)
{
    uint32_t fold[ROWS];
    int dealt = 0;

    for (uint64_t seed = 0; seed < 60; seed++) {
        struct grouped g;
        const size_t k = 2 + seed % 6;

        grouped_make(&g, 5, seed);
        assert_int_equal(perc_dataset_set_times(g.ds, g.time, NULL), PERC_OK);
        assert_int_equal(perc_folds(g.ds, k, seed, fold, NULL), PERC_OK);
        for (size_t i = 0; i < ROWS; i++) {
            size_t older = 0;
            for (size_t j = 0; j < ROWS; j++) {
                older += g.time[j] < g.time[i];
                if (g.time[j] < g.time[i]) assert_true(fold[j] + 1 <= fold[i] + 1);
                if (g.time[j] == g.time[i]) assert_int_equal(fold[i], fold[j]);
                /* What a model learns from is older than what it is asked about. */
                if (fold[j] != DEAL_FIRST && deal_learns(g.ds, fold[i], fold[j]))
                    assert_true(g.time[i] < g.time[j]);
            }
            assert_int_equal(fold[i] + 1, older * (k + 1) / ROWS);
        }
        dealt++;
        grouped_free(&g);
    }
    assert_int_equal(dealt, 60);
}

TEST(what_cannot_be_dealt_is_said)
{
    uint32_t fold[ROWS];
    struct grouped g;
    perc_error err = { 0 };

    grouped_make(&g, 5, 1);
    for (size_t i = 0; i < ROWS; i++) g.group[i] = i % 3;
    assert_int_equal(perc_dataset_set_groups(g.ds, g.group, NULL), PERC_OK);
    assert_refused(perc_folds(g.ds, 4, 0, fold, &err), PERC_EDATA, &err, "3 groups for 4 folds");
    assert_refused(perc_folds(g.ds, ROWS + 1, 0, fold, &err), PERC_EDATA, &err, "rows for");
    for (size_t i = 0; i < ROWS; i++) g.group[i] = g.d.y[i] > 0; /* a group for each label */
    assert_int_equal(perc_dataset_set_groups(g.ds, g.group, NULL), PERC_OK);
    assert_refused(perc_folds(g.ds, 2, 0, fold, &err), PERC_EDATA, &err, "all rows are in fold");
    for (size_t i = 0; i < ROWS; i++) g.time[i] = i < 100 ? 0 : (double)i;
    assert_int_equal(perc_dataset_set_times(g.ds, g.time, NULL), PERC_OK);
    assert_refused(perc_folds(g.ds, 3, 0, fold, &err), PERC_EDATA, &err, "would have no rows");
    for (size_t i = 0; i < ROWS; i++) g.time[i] = g.d.y[i];
    assert_int_equal(perc_dataset_set_times(g.ds, g.time, NULL), PERC_OK);
    assert_refused(perc_folds(g.ds, 1 + 1, 0, fold, &err), PERC_EDATA, &err, "");
    g.time[7] = NAN;
    assert_refused(perc_dataset_set_times(g.ds, g.time, &err), PERC_EDATA, &err, "row 8");
    /* Without either the folds are those of any set. */
    uint32_t plain[ROWS];
    perc_dataset *ds = t_borrow(&g.d);
    assert_int_equal(perc_dataset_set_groups(g.ds, NULL, NULL), PERC_OK);
    assert_int_equal(perc_folds(g.ds, 4, 3, fold, NULL), PERC_OK);
    assert_int_equal(perc_folds(ds, 4, 3, plain, NULL), PERC_OK);
    assert_memory_equal(fold, plain, sizeof fold);
    perc_dataset_free(ds);
    grouped_free(&g);
}

/* ----- cross-validation is the slow loop -------------------------------------------------- */

static const struct env plain_env = { .alloc = t_alloc,
                                      .ud = &(struct t_alloc){ .fail_at = -1 },
                                      .threads = 1 };

static perc_params *params_of(const char *learner)
{
    perc_params *p;

    assert_int_equal(perc_params_new(NULL, learner, &p, NULL), PERC_OK);
    assert_int_equal(perc_params_set(p, "epochs", "3", NULL), PERC_OK);
    return p;
}

/* Errors E_n of fold f, by a model that perc_fit made with weight 0 for what it may not see. */
static uint64_t slow_errors(const struct grouped *g, const perc_params *p, const uint32_t *fold,
                            uint32_t f, uint64_t *rows)
{
    uint8_t chosen[ROWS];
    double scores[ROWS], margins[ROWS];
    perc_dataset *masked;
    perc_model *m;
    uint64_t errors = 0;

    for (size_t i = 0; i < ROWS; i++) chosen[i] = deal_learns(g->ds, fold[i], f);
    assert_int_equal(mask_dataset(&plain_env, g->ds, chosen, &masked), PERC_OK);
    assert_int_equal(perc_fit(NULL, masked, p, NULL, &m, NULL, NULL), PERC_OK);
    assert_int_equal(perc_predict(NULL, m, g->ds, scores, NULL), PERC_OK);
    assert_int_equal(perc_margins(m, g->ds, scores, margins, NULL), PERC_OK);
    *rows = 0;
    for (size_t i = 0; i < ROWS; i++) {
        *rows += fold[i] == f;
        errors += fold[i] == f && !(margins[i] > 0);
    }
    perc_model_free(m);
    mask_remove(masked);
    return errors;
}

TEST(cross_validation_by_group_and_by_time_is_the_slow_loop)
{
    enum { K = 4 };
    static const char *const learner[] = { "averaged", "voted", "perceptron" };
    uint32_t fold[ROWS];
    perc_metrics each[K];

    for (int round = 0; round < 6; round++) {
        struct grouped g;
        perc_params *p = params_of(learner[round % 3]);

        grouped_make(&g, 12, (uint64_t)round + 1);
        assert_int_equal(round % 2 ? perc_dataset_set_times(g.ds, g.time, NULL)
                                   : perc_dataset_set_groups(g.ds, g.group, NULL),
                         PERC_OK);
        assert_int_equal(perc_folds(g.ds, K, 0, fold, NULL), PERC_OK);
        for (int threads = 1; threads <= 8; threads *= 4) {
            const perc_env env = { .threads = threads };
            assert_int_equal(perc_cross_validate(&env, g.ds, p, K, NULL, each, NULL), PERC_OK);
            for (uint32_t f = 0; f < K; f++) {
                uint64_t rows;
                const uint64_t errors = slow_errors(&g, p, fold, f, &rows);
                assert_int_equal(each[f].rows, rows);
                assert_int_equal(each[f].errors, errors);
            }
        }
        perc_params_free(p);
        grouped_free(&g);
    }
}

/* Scores of other folds, or without those of the oldest rows, give other sigmoids; and a curve
 * learns from what the folds leave it. */
TEST(calibration_and_curves_follow_groups_and_times)
{
    static const double share[] = { 0.5, 1 };
    perc_metrics train[2], held[2];
    double rows[2], sigmoid[3][2];

    for (int way = 0; way < 3; way++) {
        struct grouped g;
        perc_params *p = params_of("averaged");
        perc_model *m;

        grouped_make(&g, 12, 4);
        if (way > 0)
            assert_int_equal(way == 1 ? perc_dataset_set_groups(g.ds, g.group, NULL)
                                      : perc_dataset_set_times(g.ds, g.time, NULL),
                             PERC_OK);
        assert_int_equal(perc_fit(NULL, g.ds, p, NULL, &m, NULL, NULL), PERC_OK);
        assert_int_equal(perc_calibrate(NULL, m, g.ds, 3, NULL, NULL), PERC_OK);
        assert_int_equal(perc_model_sigmoid(m, 0, &sigmoid[way][0], &sigmoid[way][1], NULL),
                         PERC_OK);
        assert_true(isfinite(sigmoid[way][0]) && isfinite(sigmoid[way][1]));
        for (int k = 0; k < way; k++)
            assert_memory_not_equal(sigmoid[way], sigmoid[k], sizeof sigmoid[k]);
        assert_int_equal(
            perc_learning_curve(NULL, g.ds, p, NULL, 3, share, 2, NULL, rows, train, held, NULL),
            PERC_OK);
        uint32_t fold[ROWS];
        double learned = 0;
        assert_int_equal(perc_folds(g.ds, 3, 0, fold, NULL), PERC_OK);
        for (size_t i = 0; i < ROWS; i++)
            for (size_t f = 0; f < 3; f++) learned += deal_learns(g.ds, fold[i], f);
        assert_true(fabs(rows[1] - learned / 3) < 1e-9);
        perc_model_free(m);
        perc_params_free(p);
        grouped_free(&g);
    }
}

/* ----- rows held out ------------------------------------------------------------------------ */

TEST(groups_are_held_out_whole_and_of_times_the_newest)
{
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct grouped g;
        perc_dataset *part[2];
        const bool time = seed % 2;

        grouped_make(&g, 20, seed);
        assert_int_equal(time ? perc_dataset_set_times(g.ds, g.time, NULL)
                              : perc_dataset_set_groups(g.ds, g.group, NULL),
                         PERC_OK);
        assert_int_equal(perc_dataset_split(g.ds, 0.25, seed, &part[0], &part[1], NULL), PERC_OK);
        assert_int_equal(part[0]->rows + part[1]->rows, ROWS);
        for (int k = 0; k < 2; k++) assert_int_equal(part[k]->groups.rows, part[k]->rows);
        for (uint64_t i = 0; i < part[0]->rows; i++)
            for (uint64_t j = 0; j < part[1]->rows; j++) {
                if (time) assert_true(part[0]->groups.time[i] < part[1]->groups.time[j]);
                else assert_int_not_equal(part[0]->groups.of[i], part[1]->groups.of[j]);
            }
        assert_true(part[1]->rows > 12 && part[1]->rows < 48);
        perc_dataset_free(part[0]);
        perc_dataset_free(part[1]);
        grouped_free(&g);
    }
}

/* ----- from a table -------------------------------------------------------------------- */

static perc_status read_grouped(const char *text, const char *data, perc_dataset **ds,
                                perc_error *err)
{
    perc_params *p = t_params("data", data);
    FILE *f = fopen("grouped.csv", "wb");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
    const perc_status st = perc_dataset_read(NULL, "grouped.csv", p, ds, err);
    perc_params_free(p);
    return st;
}

/* Numbers that are times are in the notation of the table; dates are as they are. */
TEST(times_are_in_the_notation_of_the_table)
{
    perc_dataset *ds;
    perc_error err = { 0 };

    assert_int_equal(
        read_grouped("t;x;y\n1,5;1;a\n-0,25;2;b\n 1000 ;3;a\n", "decimal=, time=t", &ds, &err),
        PERC_OK);
    assert_true(ds->groups.time[0] == 1.5 && ds->groups.time[1] == -0.25);
    assert_true(ds->groups.time[2] == 1000);
    perc_dataset_free(ds);
    assert_int_equal(
        read_grouped("t;x;y\n2024-01-02;1;a\n01.01.2024;2;b\n", "decimal=, time=t", &ds, &err),
        PERC_OK);
    assert_true(ds->groups.time[0] == ds->groups.time[1] + 86400);
    perc_dataset_free(ds);
    assert_refused_at(read_grouped("t;x;y\n1,5;1;a\n2.5;2;b\n", "decimal=, time=t", &ds, &err),
                      PERC_EDATA, &err, 3, 0, "'2.5' has a point");
    assert_refused_at(read_grouped("t;x;y\n1;1;a\nsoon;2;b\n", "time=t", &ds, &err), PERC_EDATA,
                      &err, 3, 0, "'soon'");
}

/* A group is a word, whatever numbers look like, without the blanks around it. */
TEST(groups_are_words)
{
    perc_dataset *ds;
    perc_error err = { 0 };

    assert_int_equal(
        read_grouped("g;x;y\n1,5;1;a\n 1,5 ;2;b\n1,50;3;a\n;4;b\n", "decimal=, group=g", &ds, &err),
        PERC_OK);
    assert_int_equal(ds->groups.of[0], ds->groups.of[1]);
    assert_int_not_equal(ds->groups.of[0], ds->groups.of[2]);
    assert_int_not_equal(ds->groups.of[2], ds->groups.of[3]);
    assert_int_equal(ds->columns, 1); /* it is not learned from */
    perc_dataset_free(ds);
    assert_refused(read_grouped("g,t,x,y\n1,1,2,a\n", "group=g time=t", &ds, &err), PERC_EARG, &err,
                   "--group and --time cannot be combined");
    assert_null(ds);
}

TEST(memory_that_runs_out_is_all_given_back)
{
    struct grouped g;

    grouped_make(&g, 12, 2);
    for (int time = 0; time < 2; time++) {
        for (struct t_sweep s = { .least = 8 }; t_sweep_next(&s);) {
            const perc_dense x = { g.d.x, PERC_F64, ROWS, 3, 3 * sizeof(double), sizeof(double) };
            perc_dataset *ds = NULL, *part[2] = { NULL, NULL };
            uint32_t fold[ROWS];
            perc_status st = perc_dataset_borrow_dense(&s.env, &x, g.d.y, NULL, &ds, NULL);
            if (!st)
                st = time ? perc_dataset_set_times(ds, g.time, NULL)
                          : perc_dataset_set_groups(ds, g.group, NULL);
            if (!st) st = perc_folds(ds, 3, 0, fold, NULL);
            if (!st) st = perc_dataset_split(ds, 0.3, 0, &part[0], &part[1], NULL);
            perc_dataset_free(part[0]);
            perc_dataset_free(part[1]);
            perc_dataset_free(ds);
            t_sweep_judge(&s, st);
        }
    }
    grouped_free(&g);
}
