/* test_converged.c -- what "converged" means, and runs that never are.
 *
 * Converged is said when a whole pass made no mistake, and in no other case. Two
 * small sets are in circulation as examples on which the perceptron succeeds; it
 * does not (docs/algorithms/perceptron.md), and their steps are checked here. */
#include "t.h"
#include "t_make.h"

/* ----- converged ------------------------------------------------------------------------ */

struct passes { /* the mistakes of each pass, as the observer was told */
    int64_t n, mistakes[64];
};

static int note_pass(void *ud, const perc_event *e)
{
    struct passes *p = ud;

    if (e->pass_ended && p->n < 64) p->mistakes[p->n++] = e->pass_mistakes;
    return 0;
}

/* Whatever the limit: converged is said exactly when the last pass was clean, and
 * then there is no training error; every pass before it made a mistake. */
TEST(converged_means_a_whole_pass_without_a_mistake)
{
    int converged = 0, not_yet = 0;

    for (uint64_t seed = 0; seed < 200; seed++) {
        struct t_data d = t_noise(8 + seed % 9, 4, T_WHOLE, 0.9, seed);
        perc_dataset *ds = t_borrow(&d);
        char text[64];
        snprintf(text, sizeof text, "epochs=%d seed=%d", (int)(1 + seed % 30), (int)seed);
        struct passes p = { 0 };
        const perc_observer o = { PERC_WATCH_COUNTS, note_pass, &p };
        perc_report r;
        perc_model *m = t_fit_watched(ds, text, &o, &r);

        assert_int_equal(p.n, r.epochs);
        for (int64_t k = 0; k + 1 < p.n; k++) assert_true(p.mistakes[k] > 0);
        if (p.mistakes[p.n - 1] == 0) {
            assert_int_equal(r.stop, PERC_STOP_CONVERGED);
            assert_int_equal(r.training_errors, 0);
            assert_true(r.loss == 0);
            converged++;
        } else {
            assert_int_equal(r.stop, PERC_STOP_EPOCHS);
            assert_int_equal(r.epochs, 1 + seed % 30);
            not_yet++;
        }
        t_free(m, ds, &d);
    }
    assert_true(converged > 20 && not_yet > 20); /* guard: both happened */
}

TEST(xor_never_converges)
{
    static const char *const set[] = { ":xor", ":xnor" };
    static const char *const how[] = { "order=file epochs=3000", "order=shuffle epochs=3000",
                                       "order=shuffle epochs=3000 seed=4 init=random rate=0.3" };
    perc_report r;

    for (int k = 0; k < 6; k++) {
        perc_dataset *ds = t_read(set[k % 2], "");
        perc_model *m = t_fit(ds, how[k / 2], &r);
        assert_int_equal(r.stop, PERC_STOP_EPOCHS);
        assert_int_equal(r.epochs, 3000);
        assert_true(r.training_errors > 0);
        assert_true(r.mistakes >= r.epochs); /* at least one in every pass */
        t_free(m, ds);
    }
}

/* ----- two traces that course notes get wrong ------------------------------------------- */

struct step { /* what happens at an example, and the machine after it */
    int row, mistake;
    double w0, w1, b;
};

struct trace {
    const struct step *want;
    int n, at;
};

static int compare_step(void *ud, const perc_event *e)
{
    struct trace *t = ud;

    if (e->row < 0 || t->at == t->n) return 0;
    const struct step *s = &t->want[t->at++];
    if (e->row != s->row || e->mistake != s->mistake || e->updated != s->mistake ||
        e->w[0] != s->w0 || e->w[1] != s->w1 || e->b[0] != s->b)
        fail_msg("step %d: row %d, mistake %d, w = (%g, %g), b = %g", t->at, (int)e->row,
                 e->mistake, e->w[0], e->w[1], e->b[0]);
    return 0;
}

static void check_trace(const perc_dataset *ds, const struct step *want, int n)
{
    struct trace t = { want, n, 0 };
    const perc_observer o = { PERC_WATCH_WEIGHTS, compare_step, &t };
    perc_report r;
    perc_model *m = t_fit_watched(ds, "order=file epochs=1000", &o, &r);

    assert_int_equal(t.at, n);
    assert_int_equal(r.stop, PERC_STOP_EPOCHS); /* and it never settles */
    assert_true(r.mistakes >= r.epochs);
    perc_model_free(m);
}

/* (1,1)+ (2,2)+ (1,2)- (2,1)-: after the first update (1,2) is a mistake. */
TEST(the_square_trace_is_right)
{
    static const struct step want[] = {
        { 0, 1, 1, 1, 1 }, { 1, 0, 1, 1, 1 }, { 2, 1, 0, -1, 0 }, { 3, 0, 0, -1, 0 },
        { 0, 1, 1, 0, 1 }, { 1, 0, 1, 0, 1 }, { 2, 1, 0, -2, 0 }, { 3, 0, 0, -2, 0 },
    };
    struct t_data d = t_data_new(4, 2);
    const double x[] = { 1, 1, 2, 2, 1, 2, 2, 1 };

    memcpy(d.x, x, sizeof x);
    d.y[2] = d.y[3] = -1;
    perc_dataset *ds = t_borrow(&d);
    check_trace(ds, want, 8);
    t_free(ds, &d);
}

/* (0,0)+ (1,1)+ (0,1)- (1,0)-: likewise, and each later pass errs on all four. */
TEST(the_xnor_trace_is_right)
{
    static const struct step want[] = {
        { 0, 1, 0, 0, 1 },   { 1, 0, 0, 0, 1 }, { 2, 1, 0, -1, 0 }, { 3, 1, -1, -1, -1 },
        { 0, 1, -1, -1, 0 }, { 1, 1, 0, 0, 1 }, { 2, 1, 0, -1, 0 }, { 3, 1, -1, -1, -1 },
    };
    perc_dataset *ds = t_read(":xnor", "");

    check_trace(ds, want, 8);
    perc_dataset_free(ds);
}
