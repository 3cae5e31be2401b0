/* test_saving.c -- a run can be ended at any time, and is saved before its errors are counted.
 *
 * The linker puts a clock in place of clock_seconds by which a second passes between any two looks
 * at it. So every look at the clock is one at which the observer is asked, whatever the machine and
 * its load, and looks can be counted: that they are there in every learner, in training and in
 * counting, and how much is done between two of them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "data/canonical.h"
#include "perceptron.h"
#include <cmocka.h>

#include "t_certificates.h"
#include "t_dir.h"
#include "t_make.h"

double __wrap_clock_seconds(void);

double __wrap_clock_seconds(void)
{
    static atomic_long looks;

    return (double)atomic_fetch_add(&looks, 1);
}

/* Learners, and so many rows that a pass is worth more than one look. */
static const struct learner_case {
    const char *options;
    size_t rows, columns;
    bool counts; /* long enough to be counted in parts */
} CASES[] = {
    { "algorithm=perceptron epochs=2", 30000, 20, true },
    { "algorithm=averaged epochs=2", 30000, 20, true },
    { "algorithm=voted epochs=1", 30000, 20, true },
    { "algorithm=pocket epochs=2", 30000, 20, true },
    { "algorithm=margin epochs=2", 30000, 20, true },
    { "algorithm=pa1 epochs=2", 30000, 20, true },
    { "algorithm=arow epochs=2", 30000, 20, true },
    { "algorithm=second-order epochs=1", 30000, 20, true },
    { "algorithm=mlp epochs=2 layers=8", 30000, 20, true },
    { "algorithm=svm epochs=20 solver=dual", 3000, 20, true },
    { "algorithm=svm epochs=20 solver=newton loss=squared", 3000, 20, true },
    { "algorithm=logistic gap=1e-12", 30000, 20, true },
    { "algorithm=logistic gap=1e-12 penalty=l1", 30000, 20, true },
    { "algorithm=logistic gap=1e-12 multiclass=native", 30000, 20, true },
    { "algorithm=perceptron kernel=rbf epochs=2", 1500, 5, true },
    { "algorithm=voted kernel=rbf epochs=1", 1500, 5, true },
    { "algorithm=perceptron kernel=rbf budget=100 epochs=2", 3000, 5, true },
};

struct seen {
    int64_t looks, counted; /* in training, and in counting */
    int64_t stop_at, skip_at;
    char file[16]; /* where the model goes when the run is over; "": nowhere */
};

static int watch_run(void *ud, const perc_event *e)
{
    struct seen *s = ud;
    const perc_model *m;

    if (!e->ended) return ++s->looks == s->stop_at;
    if (s->counted++ == 0 && s->file[0] != '\0') {
        assert_int_equal(perc_event_model(e, &m, NULL), PERC_OK);
        assert_int_equal(perc_model_write(m, s->file, NULL), PERC_OK);
    }
    return s->counted == s->skip_at ? PERC_UNCOUNTED : 1; /* 1 says nothing here */
}

static bool is_number(double v)
{
    return !isnan(v);
}

static perc_report run(const struct learner_case *c, const perc_dataset *ds, struct seen *s)
{
    const perc_observer o = { PERC_WATCH_COUNTS, watch_run, s };
    perc_report r;
    static char got[2][8 << 20];
    perc_model *m = t_fit_watched(ds, c->options, &o, &r);

    if (s->file[0] != '\0') { /* what was saved first is what is returned */
        assert_int_equal(perc_model_write(m, "returned", NULL), PERC_OK);
        const long n = t_get(s->file, got[0], sizeof got[0]);
        assert_true(n > 0 && n == t_get("returned", got[1], sizeof got[1]));
        assert_memory_equal(got[0], got[1], (size_t)n);
    }
    perc_model_free(m);
    return r;
}

static void every_learner_looks_at_the_clock_and_is_saved_first(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const struct learner_case *c = &CASES[i];
        struct t_data d = t_noise(c->rows, c->columns, T_REAL, 1, 7);
        perc_dataset *ds = t_borrow(&d);
        struct seen all = { 0 }, stopped = { .stop_at = 1, .file = "first" };
        struct seen skipped = { .stop_at = 1, .skip_at = 1, .file = "first" };
        struct seen cut = { .skip_at = 2 };

        perc_report r = run(c, ds, &all);
        if (all.looks < 2) fail_msg("%s: %d looks", c->options, (int)all.looks);
        assert_true(is_number(r.training_error));
        assert_true(all.counted >= 1);
        r = run(c, ds, &stopped);
        if (r.stop != PERC_STOP_CANCELLED) fail_msg("%s: was not stopped", c->options);
        assert_true(is_number(r.training_error));
        r = run(c, ds, &skipped);
        assert_true(!is_number(r.training_error) && !is_number(r.loss) && skipped.counted == 1);
        r = run(c, ds, &cut);
        if (c->counts && is_number(r.training_error)) fail_msg("%s: was counted", c->options);
        perc_dataset_free(ds);
        t_data_free(&d);
    }
}

/* ----- logistic regression ----- */

struct stopper {
    int64_t looks, stop_at;
};

static int watch_solver(void *ud, const perc_event *e)
{
    struct stopper *s = ud;

    if (e->ended) return PERC_UNCOUNTED;
    return ++s->looks >= s->stop_at;
}

static int64_t looks_of(const perc_dataset *ds, const char *options, int64_t stop_at,
                        perc_report *r)
{
    struct stopper s = { .stop_at = stop_at };
    const perc_observer o = { PERC_WATCH_COUNTS, watch_solver, &s };

    perc_model_free(t_fit_watched(ds, options, &o, r)); /* which has to be PERC_OK */
    return s.looks;
}

/* Of many classes each pass over all scores is long, and is looked into: in the first step there
 * are the scores, what they lose, the gradient, some products, and the line. */
static void all_passes_of_a_softmax_are_looked_into(void **state)
{
    struct t_data d = t_noise(3000, 1, T_REAL, 1, 7);
    perc_report r;

    (void)state;
    for (size_t k = 0; k < d.rows; k++) d.y[k] = (double)(k % 1000);
    perc_dataset *ds = t_borrow(&d);
    const int64_t all = looks_of(ds, "algorithm=logistic epochs=1", INT64_MAX, &r);
    if (all < 30) fail_msg("%d looks", (int)all); /* 21 between passes and in the products alone */
    for (int64_t at = 1; at < all; at += 1 + all / 20) {
        const int64_t looks = looks_of(ds, "algorithm=logistic epochs=1", at, &r);
        if (r.stop != PERC_STOP_CANCELLED || looks > at + 3)
            fail_msg("%d looks after number %d", (int)(looks - at), (int)at);
    }
    perc_dataset_free(ds);
    t_data_free(&d);
}

/* ----- the pocket ----- */

/* Counting the errors of one candidate takes several looks. */
static const struct learner_case COUNTS[] = {
    { "algorithm=pocket epochs=3", 3000, 20, true },
    { "algorithm=pocket pocket=literal epochs=3", 3000, 20, true },
    { "algorithm=pocket pocket=literal multiclass=native epochs=3", 3000, 20, true },
    { "algorithm=pocket pocket=literal kernel=rbf epochs=3", 3000, 20, true },
    { "algorithm=pocket pocket=literal kernel=rbf loop=textbook epochs=3", 3000, 20, true },
    { "algorithm=pocket arithmetic=exact epochs=9", 2000, 5, true },
};

struct given_up {
    int64_t looks, stop_at, late; /* late: looks after it was told to stop */
    int warnings;
};

static int watch_pocket(void *ud, const perc_event *e)
{
    struct given_up *s = ud;

    if (e->warning != NULL) {
        assert_non_null(strstr(e->warning, "before the errors of all weights were counted"));
        s->warnings++;
        return 0;
    }
    if (e->ended) return PERC_UNCOUNTED;
    s->looks++;
    s->late += s->looks > s->stop_at;
    return s->looks >= s->stop_at;
}

/* A run that is to stop has so many seconds for counting, and by this clock none: it looks once or
 * twice more, whatever the candidates would cost, and says that some were not counted. */
static void a_stop_does_not_wait_for_the_pocket(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof COUNTS / sizeof COUNTS[0]; i++) {
        struct t_data d = t_noise(COUNTS[i].rows, COUNTS[i].columns, T_WHOLE, 1, 7);
        for (size_t k = 0; k < d.rows; k++) d.y[k] = (double)(k % 300);
        perc_dataset *ds = t_borrow(&d);
        int warnings = 0;
        for (int64_t at = 1; at < 30; at += 3) {
            struct given_up s = { .stop_at = at };
            const perc_observer o = { PERC_WATCH_COUNTS, watch_pocket, &s };
            perc_report r;
            perc_model_free(t_fit_watched(ds, COUNTS[i].options, &o, &r));
            if (r.stop != PERC_STOP_CANCELLED || s.warnings > 1 || s.late > 4)
                fail_msg("%s: %d looks after number %d, %d warnings", COUNTS[i].options,
                         (int)s.late, (int)at, s.warnings);
            warnings += s.warnings;
        }
        if (warnings < 5) fail_msg("%s: %d of 10 were cut short", COUNTS[i].options, warnings);
        perc_dataset_free(ds);
        t_data_free(&d);
    }
}

/* ----- certificates ----- */

/* A plane of 300 digits, of which the last decide. */
static const char LONG_ROWS[] = "1 1:1 2:1\n-1 1:-1 2:-1\n";
static const char LONG_PLANE[] = T_HEAD(2, 2, true, "null")
    T_TWO("separable") "\"strict\":2,\"held\":0,"
                       "\"w\":[[1,\"1%0299d1\"],[2,\"-1%0300d\"]],"
                       "\"b\":\"0\"}]}";

static int stop_after(void *ud, const perc_event *e)
{
    int *looks = ud;

    (void)e;
    return --*looks < 0;
}

/* Stopped at its look number 0, 1, 2, ... until there is none. */
static void verify_stopped(const char *data, const char *text)
{
    char hash[SHA256_HEX];
    perc_dataset *ds;
    perc_status st = PERC_EUNDECIDED;

    if (data[0] != ':') assert_int_equal(t_put("data", data), 0);
    data = data[0] == ':' ? data : "data";
    assert_int_equal(perc_dataset_read_exact(NULL, data, NULL, &ds, NULL), PERC_OK);
    assert_int_equal(canonical_hash(ds, hash, NULL), PERC_OK);
    perc_dataset_free(ds);
    const char *at = strstr(text, "HASH");
    FILE *f = fopen("c.json", "w");
    assert_non_null(f);
    fprintf(f, "%.*s%s%s", (int)(at - text), text, hash, at + 4);
    fclose(f);
    for (int n = 0; st != PERC_OK; n++) {
        int looks = n;
        const perc_observer watch = { .notify = stop_after, .ud = &looks };
        perc_check check;

        st = perc_verify_watched(NULL, "c.json", data, NULL, NULL, &watch, &check, NULL, NULL);
        assert_int_equal(st, looks < 0 ? PERC_EUNDECIDED : PERC_OK);
        assert_int_equal(check.valid, st == PERC_OK);
        assert_true(n > 0 || st != PERC_OK);
    }
}

static void a_verification_ends_at_any_look_without_a_verdict(void **state)
{
    char text[4000];

    (void)state;
    for (size_t i = 0; i < T_CERTS; i++) verify_stopped(t_certs[i].data, t_certs[i].text);
    snprintf(text, sizeof text, LONG_PLANE, 0, 0);
    verify_stopped(LONG_ROWS, text);
}

#define IN_DIR(f) cmocka_unit_test_setup_teardown(f, t_dir_enter, t_dir_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIR(every_learner_looks_at_the_clock_and_is_saved_first),
        IN_DIR(all_passes_of_a_softmax_are_looked_into),
        IN_DIR(a_stop_does_not_wait_for_the_pocket),
        IN_DIR(a_verification_ends_at_any_look_without_a_verdict),
    };

    return cmocka_run_group_tests_name("saving", tests, NULL, NULL);
}
