/* test_observe.c -- observers: what they are told, and that they can end a run.
 *
 * An observer is read-only: watching changes nothing about the run. What it is
 * told must be enough to do without the library's own counters; so the tests here
 * rebuild the run from the events and compare it with the report and the model. */
#include "t.h"
#include "t_dir.h"
#include "t_make.h"

enum { ROWS = 70, COLS = 5 };

/* A run seen from outside. */
struct watch {
    const struct t_data *d;
    perc_watch level;
    int64_t events, passes, examples, mistakes, updates; /* counted here */
    double w[COLS], b;                                   /* rebuilt from the updates */
    unsigned char seen[ROWS];                            /* shown in this pass */
    int64_t cancel_at;                                   /* event number, from 1; 0: never */
    perc_event last;
    double last_w[COLS];
};

static double score(const struct watch *t, int64_t row)
{
    double s = 0;

    for (int j = 0; j < COLS; j++) s += t->w[j] * t->d->x[row * COLS + j];
    return s + t->b;
}

/* The example of an event, shown to the run rebuilt here. */
static void follow(struct watch *t, const perc_event *e)
{
    assert_in_range(e->row, 0, ROWS - 1);
    assert_true(e->y == t->d->y[e->row]);
    assert_true(t_same_bits(e->score, score(t, e->row)));
    assert_int_equal(e->mistake, e->y * e->score <= 0);
    assert_int_equal(e->updated, e->mistake);
    assert_int_equal(t->seen[e->row]++, 0); /* once a pass */
    t->mistakes += e->mistake;
    t->updates += e->updated;
    for (int j = 0; e->updated && j < COLS; j++) t->w[j] += e->y * t->d->x[e->row * COLS + j];
    if (e->updated) t->b += e->y;
}

static int notify(void *ud, const perc_event *e)
{
    struct watch *t = ud;

    if (e->ended) return 0; /* tests/unit/test_saving.c */
    t->events++;
    assert_true(e->seconds >= t->last.seconds);
    assert_true(e->examples >= t->last.examples);
    assert_int_equal(e->epoch, t->passes + 1);
    if (e->row >= 0) {
        assert_false(e->pass_ended);
        assert_true(t->level >= PERC_WATCH_UPDATES);
        assert_true(t->level == PERC_WATCH_WEIGHTS || e->updated);
        t->examples++;
        follow(t, e);
        assert_int_equal(e->mistakes, t->mistakes);
        assert_int_equal(e->updates, t->updates);
    }
    assert_true((e->w != NULL) == (e->row >= 0 && t->level == PERC_WATCH_WEIGHTS));
    if (e->w != NULL) {
        assert_int_equal(e->examples, t->examples);
        assert_int_equal(e->features, COLS);
        assert_memory_equal(e->w, t->w, sizeof t->w);
        assert_true(t_same_bits(e->b[0], t->b));
        memcpy(t->last_w, e->w, sizeof t->last_w);
    }
    if (e->pass_ended) {
        assert_int_equal(e->examples, (t->passes + 1) * ROWS);
        t->passes++;
        memset(t->seen, 0, sizeof t->seen);
    }
    t->last = *e;
    return t->events == t->cancel_at;
}

static perc_model *watched(const struct t_data *d, const char *options, perc_watch level,
                           int64_t cancel_at, struct watch *t, perc_report *r)
{
    perc_dataset *ds = t_borrow(d);
    *t = (struct watch){ .d = d, .level = level, .cancel_at = cancel_at };
    const perc_observer o = { level, notify, t };
    perc_model *m = t_fit_watched(ds, options, &o, r);

    perc_dataset_free(ds);
    return m;
}

/* ----- what is told --------------------------------------------------------------------- */

TEST(every_level_tells_of_every_pass)
{
    struct t_data d = t_noise(ROWS, COLS, T_REAL, 1, 1);
    struct watch t;
    perc_report r;

    for (int level = PERC_WATCH_COUNTS; level <= PERC_WATCH_WEIGHTS; level++) {
        perc_model *m = watched(&d, "epochs=8", (perc_watch)level, 0, &t, &r);
        assert_int_equal(t.passes, 8);
        assert_true(t.last.pass_ended);
        assert_int_equal(t.last.examples, r.examples);
        assert_int_equal(t.last.mistakes, r.mistakes);
        assert_int_equal(t.last.updates, r.updates);
        perc_model_free(m);
    }
    t_data_free(&d);
}

TEST(the_lowest_level_tells_of_no_example)
{
    struct t_data d = t_noise(ROWS, COLS, T_REAL, 1, 2);
    struct watch t;
    perc_model *m = watched(&d, "epochs=8", PERC_WATCH_COUNTS, 0, &t, NULL);

    assert_int_equal(t.examples, 0);
    assert_true(t.events >= 8);
    t_free(m, &d);
}

TEST(the_updates_are_enough_to_rebuild_the_model)
{
    static const char *const how[] = { "order=file epochs=9", "order=shuffle epochs=9 seed=3" };
    struct watch t;
    perc_report r;

    for (int k = 0; k < 2; k++) {
        struct t_data d = t_noise(ROWS, COLS, T_REAL, 1, 3);
        perc_model *m = watched(&d, how[k], PERC_WATCH_UPDATES, 0, &t, &r);
        assert_true(r.updates > 50); /* guard */
        assert_int_equal(t.examples, r.updates);
        assert_memory_equal(t.w, t_weights(m), sizeof t.w);
        assert_true(t_same_bits(t.b, t_offset(m)));
        t_free(m, &d);
    }
}

TEST(the_highest_level_tells_of_every_example)
{
    struct t_data d = t_noise(ROWS, COLS, T_REAL, 1, 4);
    struct watch t;
    perc_report r;
    perc_model *m = watched(&d, "epochs=9", PERC_WATCH_WEIGHTS, 0, &t, &r);

    assert_int_equal(t.examples, r.examples);
    assert_int_equal(t.mistakes, r.mistakes);
    assert_int_equal(t.updates, r.updates);
    assert_memory_equal(t.last_w, t_weights(m), sizeof t.last_w);
    t_free(m, &d);
}

/* What the model says after each pass. */
struct passes {
    perc_observer o;
    const perc_dataset *ds;
    perc_status st;
    int64_t n;
    uint64_t errors[16];
    bool lower; /* after the first pass, nothing but counts */
    int64_t examples, passes;
};

static int ask_model(void *ud, const perc_event *e)
{
    struct passes *t = ud;
    const perc_model *m = NULL;
    perc_metrics r;

    if (e->ended) return 0;
    t->examples += e->row >= 0;
    if (!e->pass_ended) {
        assert_int_equal(perc_event_model(e, &m, NULL), PERC_EARG);
        return 0;
    }
    t->passes++;
    if (t->lower) t->o.level = PERC_WATCH_COUNTS;
    t->st = perc_event_model(e, &m, NULL);
    if (t->st != PERC_OK) return 0;
    assert_int_equal(perc_evaluate(NULL, m, t->ds, &r, NULL, NULL), PERC_OK);
    t->errors[t->n++] = r.errors;
    return 0;
}

/* The model of pass k is that of a run of k passes, and asking for it changes nothing. */
TEST(after_each_pass_there_is_a_model)
{
    static const char *const how[] = { "",
                                       "algorithm=averaged ",
                                       "algorithm=pocket ",
                                       "algorithm=voted ",
                                       "kernel=poly ",
                                       "algorithm=mlp layers=3 " };
    struct t_data d = t_noise(ROWS, COLS, T_REAL, 1, 8);
    perc_dataset *ds = t_borrow(&d);

    for (size_t i = 0; i < COUNT(how); i++) {
        struct passes t = { .ds = ds, .o = { PERC_WATCH_COUNTS, ask_model, &t } };
        char options[64];
        perc_report r;

        snprintf(options, sizeof options, "%sepochs=6", how[i]);
        perc_model *m = t_fit_watched(ds, options, &t.o, &r), *plain = t_fit(ds, options, NULL);
        assert_int_equal(t.n, 6);
        assert_int_equal(t.errors[5], r.training_errors);
        t_assert_same_file(m, plain);
        t_free(m, plain);
        for (int k = 1; k < 6; k++) {
            snprintf(options, sizeof options, "%sepochs=%d", how[i], k);
            m = t_fit_watched(ds, options, NULL, &r);
            assert_int_equal(t.errors[k - 1], r.training_errors);
            perc_model_free(m);
        }
    }
    struct passes t = { .ds = ds, .o = { PERC_WATCH_COUNTS, ask_model, &t } };
    perc_model_free(t_fit_watched(ds, "algorithm=svm", &t.o, NULL));
    assert_int_equal(t.n, 0); /* a solver has none on the way */
    t_free(ds, &d);
}

/* An observer that has seen enough asks for less, and the run stays what it is. */
TEST(the_level_may_be_lowered)
{
    struct t_data d = t_noise(ROWS, COLS, T_REAL, 1, 9);
    perc_dataset *ds = t_borrow(&d);
    struct passes t = { .ds = ds, .o = { PERC_WATCH_WEIGHTS, ask_model, &t }, .lower = true };
    perc_model *m = t_fit_watched(ds, "epochs=7 seed=2", &t.o, NULL);
    perc_model *plain = t_fit(ds, "epochs=7 seed=2", NULL);

    assert_int_equal(t.examples, ROWS);
    assert_int_equal(t.passes, 7);
    t_assert_same_file(m, plain);
    t_free(m, plain, ds, &d);
}

static int next_row(void *ud, const perc_event *e)
{
    int64_t *next = ud;

    if (e->row < 0) return 0;
    assert_int_equal(e->row, *next);
    *next = (*next + 1) % ROWS;
    return 0;
}

TEST(file_order_is_the_order_of_the_rows)
{
    struct t_data d = t_noise(ROWS, COLS, T_REAL, 1, 5);
    perc_dataset *ds = t_borrow(&d);
    int64_t next = 0;
    const perc_observer o = { PERC_WATCH_WEIGHTS, next_row, &next };
    perc_model *m = t_fit_watched(ds, "order=file epochs=4", &o, NULL);

    assert_int_equal(next, 0);
    t_free(m, ds, &d);
}

static int keep_row(void *ud, const perc_event *e)
{
    int64_t *row = ud; /* row[0] counts */

    if (e->row >= 0) row[++row[0]] = e->row;
    return 0;
}

/* Each pass has an order of its own, and another seed has others. */
TEST(every_pass_is_shuffled_anew)
{
    struct t_data d = t_noise(ROWS, COLS, T_REAL, 1, 6);
    perc_dataset *ds = t_borrow(&d);
    int64_t row[2][1 + 3 * ROWS] = { { 0 } };

    for (int k = 0; k < 2; k++) {
        const perc_observer o = { PERC_WATCH_WEIGHTS, keep_row, row[k] };
        perc_model_free(t_fit_watched(ds, k ? "epochs=3 seed=1" : "epochs=3", &o, NULL));
        assert_int_equal(row[k][0], 3 * ROWS);
    }
    const size_t pass = ROWS * sizeof row[0][0];
    assert_memory_not_equal(row[0] + 1, row[0] + 1 + ROWS, pass);
    assert_memory_not_equal(row[0] + 1, row[0] + 1 + 2 * ROWS, pass);
    assert_memory_not_equal(row[0] + 1 + ROWS, row[0] + 1 + 2 * ROWS, pass);
    assert_memory_not_equal(row[0] + 1, row[1] + 1, pass);
    t_free(ds, &d);
}

TEST(watching_changes_nothing)
{
    struct t_data d = t_noise(ROWS, COLS, T_REAL, 1, 7);
    perc_dataset *ds = t_borrow(&d);
    perc_model *alone = t_fit(ds, "epochs=9", NULL);
    struct watch t;

    for (int level = PERC_WATCH_COUNTS; level <= PERC_WATCH_WEIGHTS; level++) {
        perc_model *m = watched(&d, "epochs=9", (perc_watch)level, 0, &t, NULL);
        t_assert_same_machine(alone, m);
        perc_model_free(m);
    }
    t_free(alone, ds, &d);
}

/* ----- ending a run --------------------------------------------------------------------- */

/* At whichever event: training stops right after it, and the model is the machine
 * as it stands then. */
TEST(a_run_can_be_cancelled_at_any_event)
{
    struct t_data d = t_noise(ROWS, COLS, T_REAL, 1, 8);
    struct watch t;
    perc_report r;

    for (int level = PERC_WATCH_COUNTS; level <= PERC_WATCH_WEIGHTS; level++) {
        for (int64_t at = 1; at <= 6 + 90 * level; at += 1 + 6 * level) {
            perc_model *m = watched(&d, "epochs=50", (perc_watch)level, at, &t, &r);
            perc_model_info info;
            perc_model_info_get(m, &info);
            assert_int_equal(t.events, at); /* nothing after it */
            assert_int_equal(r.stop, PERC_STOP_CANCELLED);
            assert_int_equal(info.stop, PERC_STOP_CANCELLED);
            assert_int_equal(r.examples, t.last.examples);
            assert_int_equal(r.updates, t.last.updates);
            if (level > PERC_WATCH_COUNTS) assert_memory_equal(t.w, t_weights(m), sizeof t.w);
            perc_model_free(m);
        }
    }
    t_data_free(&d);
}

/* A limit that is reached at the same event was there first. */
TEST(a_limit_is_reported_before_a_cancellation)
{
    struct t_data d = t_noise(ROWS, COLS, T_REAL, 1, 9);
    struct watch t;
    perc_report r;
    perc_model *m = watched(&d, "updates=3", PERC_WATCH_UPDATES, 3, &t, &r);

    assert_int_equal(t.events, 3);
    assert_int_equal(r.stop, PERC_STOP_UPDATES);
    t_free(m, &d);
}

static int count_others(void *ud, const perc_event *e)
{
    int64_t *n = ud;

    assert_int_equal(e->row, -1);
    *n += !e->pass_ended;
    return 0;
}

/* The clock is looked at within a pass too, and the limit ends the run. Where the machine has no
 * time for this program the limit may come before the first count: then it gets more. */
TEST(the_time_limit_ends_a_run_and_counts_are_told_meanwhile)
{
    perc_dataset *ds = t_read(":xor", "");
    int64_t meanwhile = 0;
    const perc_observer o = { PERC_WATCH_COUNTS, count_others, &meanwhile };

    for (double limit = 0.12; meanwhile == 0; limit *= 2) {
        char options[80];
        perc_report r;
        snprintf(options, sizeof options, "epochs=1000000000000 time-limit=%g", limit);
        perc_model_free(t_fit_watched(ds, options, &o, &r));
        assert_int_equal(r.stop, PERC_STOP_TIME);
        assert_true(r.train_seconds >= limit);
    }
    perc_dataset_free(ds);
}
