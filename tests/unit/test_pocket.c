/* test_pocket.c -- the pocket: what is returned has the fewest errors of all that was
 * put to the test, and everything was that should have been.
 *
 * An observer sees the weights after every example. From them the pocket is made again
 * here, the plain way: runs are written down, errors counted one by one, the average
 * summed as it is defined. The data are whole numbers (and halves to start from), so that
 * all sums are exact and the library must come to the same weights, to the bit. */
#include "t.h"
#include "learn/pocket.h"
#include "model/model.h"
#include "t_alloc.h"
#include "t_dir.h"
#include "t_make.h"
#include "vec/rng.h"

enum { COLS_MAX = 40, CLASSES_MAX = 5, RUNS_MAX = 4096 };

/* ----- data -------------------------------------------------------------------------- */

/* Whole numbers, labelled by the highest of `classes` hidden scores; a share `noise` of
 * the labels is drawn instead. Labels are -1, 1 or 0, 1, 2, ...; the first rows have one
 * of each, the highest first. */
static struct t_data noisy(size_t rows, size_t cols, int classes, double noise, uint64_t seed)
{
    struct t_data d = t_noise(rows, cols, T_WHOLE, 0.8, seed), u = t_noise(5, cols, T_WHOLE, 1, 99);
    struct rng r = rng_seed(seed, 5);

    for (size_t i = 0; i < rows; i++) {
        double best = -1e9;
        int label = 0;
        for (int c = 0; c < classes; c++) {
            double s = 0;
            for (size_t j = 0; j < cols; j++) s += u.x[(size_t)c * cols + j] * d.x[i * cols + j];
            if (s > best) best = s, label = c;
        }
        if (rng_uniform(&r) < noise) label = (int)rng_below(&r, (uint64_t)classes);
        if (i < (size_t)classes) label = classes - 1 - (int)i;
        d.y[i] = classes == 2 ? 2 * label - 1 : label;
    }
    t_data_free(&u);
    return d;
}

/* ----- the pocket, made again ------------------------------------------------------------ */

struct weights {
    double w[CLASSES_MAX][COLS_MAX], b[CLASSES_MAX];
    int64_t epoch, updates; /* when they were made */
};

struct again {
    const struct t_data *d;
    int classes;
    bool literal;
    size_t vectors;
    struct weights at, sum, best; /* now; all so far, added up; what is in the pocket */
    int64_t errors;               /* its errors; -1: nothing */
    int64_t shown, run, longest, gate, admitted, tested;
    int64_t runs[RUNS_MAX];
    size_t n;        /* runs of this pass */
    int64_t stop_at; /* cancel after this example; 0: never */
    bool pass_open;
};

static int64_t errors_of(const struct again *a, const struct weights *w)
{
    const struct t_data *d = a->d;
    int64_t errors = 0;

    for (size_t i = 0; i < d->rows; i++) {
        double s[CLASSES_MAX];
        bool right = true;
        if (d->weight != NULL && d->weight[i] == 0) continue;
        for (size_t c = 0; c < a->vectors; c++) {
            s[c] = 0;
            for (size_t j = 0; j < d->cols; j++) s[c] += w->w[c][j] * d->x[i * d->cols + j];
            s[c] += w->b[c]; /* the order matters for an average, which is rounded */
        }
        if (a->vectors == 1) right = d->y[i] * s[0] > 0;
        for (size_t c = 0; c < a->vectors && a->vectors > 1; c++)
            if (c != (size_t)d->y[i] && s[c] >= s[(size_t)d->y[i]]) right = false;
        errors += !right;
    }
    return errors;
}

static void test(struct again *a, const struct weights *w)
{
    const int64_t errors = errors_of(a, w);

    a->tested++;
    if (a->errors >= 0 && errors >= a->errors) return;
    a->best = *w;
    a->errors = errors;
}

static void test_average(struct again *a, const perc_event *e)
{
    struct weights mean = a->sum;

    for (size_t c = 0; c < a->vectors; c++) {
        for (size_t j = 0; j < a->d->cols; j++) mean.w[c][j] /= (double)a->shown;
        mean.b[c] /= (double)a->shown;
    }
    mean.epoch = e->epoch;
    mean.updates = e->updates;
    test(a, &mean);
}

/* Lengths are told apart up to a sixteenth. */
static int64_t rounded(int64_t run)
{
    int64_t step = 1;

    while (run / step >= 32) step *= 2;
    return run / step * step;
}

/* So many lengths up to `run` are told apart. */
static int64_t bin(int64_t run)
{
    int64_t n = 0;

    for (int64_t r = 1; r <= run; r++) n += rounded(r) != rounded(r - 1);
    return n;
}

static int longer_first(const void *x, const void *y)
{
    const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

    return a < b ? 1 : a > b ? -1 : 0;
}

/* The gate: the 32nd longest run of the pass. */
static void end_pass(struct again *a, const perc_event *e)
{
    test(a, &a->at);
    if (!a->literal) test_average(a, e);
    qsort(a->runs, a->n, sizeof *a->runs, longer_first);
    a->gate = a->n >= 32 && a->runs[31] > 0 ? rounded(a->runs[31]) : 1;
    a->n = 0;
    a->admitted = 0;
    a->pass_open = false;
}

static void end_run(struct again *a)
{
    const bool start = a->errors < 0;
    const bool lasted = a->gate > 0 ? a->run > 0 && rounded(a->run) >= a->gate
                                    : a->run > a->longest;

    if (a->literal || start || (lasted && a->admitted < 64)) {
        test(a, &a->at);
        a->admitted++;
    }
    assert_true(a->n < RUNS_MAX);
    a->runs[a->n++] = a->run;
    if (a->run > a->longest) a->longest = a->run;
    a->run = 0;
}

static int follow(void *ud, const perc_event *e)
{
    struct again *a = ud;

    if (e->pass_ended) end_pass(a, e);
    if (e->row < 0) return 0;
    a->pass_open = true;
    if (a->d->weight != NULL && a->d->weight[e->row] == 0) return e->examples == a->stop_at;
    if (e->updated) end_run(a);
    else a->run++;
    assert_int_equal(e->vectors, a->vectors);
    for (size_t c = 0; c < a->vectors; c++) {
        for (size_t j = 0; j < a->d->cols; j++) {
            a->at.w[c][j] = e->w[j * e->stride + c];
            a->sum.w[c][j] += a->at.w[c][j];
        }
        a->at.b[c] = e->b[c];
        a->sum.b[c] += e->b[c];
    }
    if (e->updated) {
        a->at.epoch = e->epoch;
        a->at.updates = e->updates;
    }
    a->shown++;
    return e->examples == a->stop_at;
}

static void read_weights(const perc_model *m, const struct again *a, struct weights *w)
{
    for (size_t c = 0; c < a->vectors; c++) {
        for (size_t j = 0; j < a->d->cols; j++) w->w[c][j] = perc_model_weight(m, j, c);
        w->b[c] = perc_model_offset(m, c);
    }
}

/* Trains with the observer, and compares. */
static void check(const struct t_data *d, int classes, const char *options, int64_t stop_at)
{
    perc_dataset *ds = t_borrow(d);
    struct again *a = calloc(1, sizeof *a);
    const perc_observer o = { PERC_WATCH_WEIGHTS, follow, a };
    struct weights got = { 0 };
    perc_report r;
    char text[160];

    assert_non_null(a);
    *a = (struct again){ .d = d,
                         .classes = classes,
                         .errors = -1,
                         .stop_at = stop_at,
                         .literal = strstr(options, "literal") != NULL,
                         .vectors = classes == 2 ? 1 : (size_t)classes };
    snprintf(text, sizeof text, "%s epochs=0", options);
    perc_model *m = t_fit(ds, text, NULL);
    read_weights(m, a, &a->at); /* the start */
    perc_model_free(m);
    m = t_fit_watched(ds, options, &o, &r);
    const perc_event here = { .epoch = r.epochs, .updates = r.updates };
    if (a->literal || a->pass_open) test(a, &a->at);
    if (!a->literal && a->pass_open) test_average(a, &here);
    read_weights(m, a, &got);
    assert_int_equal(r.training_errors, a->errors);
    assert_memory_equal(got.w, a->best.w, sizeof got.w);
    assert_memory_equal(got.b, a->best.b, sizeof got.b);
    assert_int_equal(r.found_epoch, a->best.epoch);
    assert_int_equal(r.found_updates, a->best.updates);
    const struct pocket_state *s = &pocket_of(&m->learner)->is; /* what the next update will do */
    assert_int_equal(s->streak, a->run);
    assert_int_equal(s->longest, a->longest);
    assert_int_equal(s->gate, bin(a->gate));
    assert_int_equal(s->admitted, a->admitted);
    assert_true(stop_at > 0 || a->tested > 3); /* guard */
    t_free(m, ds);
    free(a);
}

/* For two classes and more, all at once or each against the rest: from halves, for then
 * all classes are known from the start, and so are the sums of `test_average`. */
TEST(the_pocket_is_what_the_plain_way_finds)
{
    static const char *const how[] = {
        "pocket=literal",
        "pocket=fast",
        "pocket=fast order=file",
        "pocket=literal order=file",
        "pocket=fast rule=margin margin=0.5 offset=false",
        "pocket=fast seed=3 rate=2",
    };
    static const struct {
        size_t rows, cols;
        int classes;
        double noise;
        const char *options;
    } data[] = {
        { 60, 4, 2, 0.3, "epochs=12" },
        { 400, 4, 2, 0.05, "epochs=8 init=unit" },
        { 5000, 4, 2, 0.01, "epochs=3" },
        { 12, 4, 4, 1, "epochs=9 init=unit" },
        { 1000, 4, 2, 1, "epochs=8" }, /* more runs than are let in */
        { 90, 4, 4, 0.2, "epochs=9 init=unit multiclass=native" },
        { 300, 4, 3, 0.02, "epochs=7 init=unit multiclass=ovr" },
    };

    for (size_t i = 0; i < COUNT(data); i++) {
        struct t_data d = noisy(data[i].rows, data[i].cols, data[i].classes, data[i].noise, i);
        for (size_t k = 0; k < COUNT(how); k++) {
            char text[160];
            if (k % 2) {
                t_weigh(&d, i);
                d.weight[1] = d.weight[d.rows - 1] = 0;
            }
            snprintf(text, sizeof text, "algorithm=pocket %s %s", how[k], data[i].options);
            check(&d, data[i].classes, text, 0);
            for (int64_t stop = 4; stop < 200; stop += 37) check(&d, data[i].classes, text, stop);
            check(&d, data[i].classes, text, 3 * (int64_t)d.rows - 1);
        }
        t_data_free(&d);
    }
}

/* ----- every rule, every kind of machine --------------------------------------------------- */

static const char *const rules[] = {
    "rule=perceptron", "rule=margin", "rule=pa", "rule=pa1 aggressiveness=0.1", "rule=pa2",
};
static const struct {
    const char *options;
    int classes;
} kinds[] = {
    { "", 2 },
    { "multiclass=native", 2 },
    { "multiclass=native", 4 },
    { "multiclass=ovr", 3 },
    { "class-weight=0=0.5,2=0", 4 },
};
enum { RULES = COUNT(rules), KINDS = COUNT(kinds) };

static const char *options(const char *algorithm, size_t rule, size_t kind, const char *more)
{
    static char text[4][200];
    static int next;
    char *t = text[next++ % 4];

    snprintf(t, sizeof text[0], "algorithm=%s %s %s %s", algorithm, rules[rule],
             kinds[kind].options, more);
    return t;
}

/* What the learner has counted for the weights that it returns. */
static int64_t counted(const perc_model *m)
{
    const struct pocket_state *s = &pocket_of(&m->learner)->is;

    return s->last.errors >= 0 ? s->last.errors : s->found.errors;
}

struct stopper {
    int64_t examples;
};

static int stop_there(void *ud, const perc_event *e)
{
    return e->row >= 0 && e->examples >= ((struct stopper *)ud)->examples;
}

/* With tenths, scores that should be 0 often are not, and which side they are on depends
 * on the order of summation. */
static void make_tenths(struct t_data *d)
{
    for (size_t i = 0; i < d->rows * d->cols; i++) d->x[i] = (double)((int)d->x[i] % 4) / 10;
}

TEST(scores_are_summed_in_the_order_of_the_columns)
{
    for (uint64_t k = 0; k < 10; k++) {
        struct t_data d = noisy(200, 11, 2, 0.3, k);
        make_tenths(&d);
        perc_dataset *ds = t_borrow(&d);
        for (int64_t at = 2; at < 40; at++) {
            struct stopper s = { at };
            const perc_observer o = { PERC_WATCH_WEIGHTS, stop_there, &s };
            perc_report r;
            perc_model *m = t_fit_watched(ds, "algorithm=pocket offset=false", &o, &r);
            assert_int_equal(counted(m), r.training_errors);
            perc_model_free(m);
        }
        t_free(ds, &d);
    }
}

/* The pocket's own count is that of the report, which counts again; and no more than what
 * the averaged perceptron ends with after the same examples, or the last weights. */
TEST(fewer_errors_than_the_average_and_the_last)
{
    static const char *const how[] = { "epochs=4", "epochs=4 pocket=literal" };
    static const int64_t stops[] = { 480, 21, 100, 333 };
    int64_t gained = 0;

    for (size_t k = 0; k < RULES * KINDS; k++) {
        struct t_data d = noisy(120, 9, kinds[k / RULES].classes, 0.3, k);
        make_tenths(&d);
        perc_dataset *ds = t_borrow(&d);
        for (size_t i = 0; i < 2 * COUNT(stops); i++) {
            struct stopper s = { stops[i / 2] };
            const perc_observer o = { PERC_WATCH_WEIGHTS, stop_there, &s };
            perc_report best, mean;
            perc_model_free(
                t_fit_watched(ds, options("averaged", k % RULES, k / RULES, how[0]), &o, &mean));
            perc_model *m = t_fit_watched(ds, options("pocket", k % RULES, k / RULES, how[i % 2]),
                                          &o, &best);
            assert_int_equal(counted(m), best.training_errors);
            perc_model_free(m);
            assert_int_equal(mean.examples, best.examples);
            assert_true(best.training_error <= best.last_error);
            assert_true(best.found_updates <= best.updates && best.found_epoch <= best.epochs);
            if (i % 2) continue;
            if (i == 0) assert_int_equal(mean.updates, best.updates);
            assert_true(best.training_errors <= mean.training_errors);
            gained += (int64_t)(mean.training_errors - best.training_errors);
        }
        t_free(ds, &d);
    }
    assert_true(gained > 20); /* guard: the average is not always the best */
}

/* A class that comes late: what was in the pocket before cannot stay there, nor can runs
 * that were easier. */
TEST(a_late_class_empties_the_pocket)
{
    enum { LATE = 400, ROWS = 450 };

    for (int literal = 0; literal < 2; literal++) {
        struct t_data d = noisy(ROWS, 4, 3, 0.5, 3);
        for (size_t i = LATE; i < d.rows; i++) d.y[i] = -1; /* it sorts first */
        perc_dataset *ds = t_borrow(&d);
        const char *how =
            literal ? "algorithm=pocket multiclass=native classes=seen order=file epochs=1 "
                      "pocket=literal"
                    : "algorithm=pocket multiclass=native classes=seen order=file epochs=1";
        for (int64_t at = LATE; at <= ROWS; at += 2) {
            struct stopper s = { at };
            const perc_observer o = { PERC_WATCH_WEIGHTS, stop_there, &s };
            perc_report r;
            perc_model *m = t_fit_watched(ds, how, &o, &r);
            const struct pocket_state *p = &pocket_of(&m->learner)->is;
            assert_int_equal(counted(m), r.training_errors);
            if (at > LATE) assert_true(p->longest < at - LATE);
            else assert_true(p->longest > 5 && r.updates > 2 * POCKET_BUFFER); /* guard */
            perc_model_free(m);
        }
        t_free(ds, &d);
    }
}

TEST(separable_data_leave_no_error)
{
    static const double u[3] = { 1, -2, 0.5 };
    struct t_data d = t_planted(500, 3, u, 0.3, 0.05, 1);
    perc_dataset *ds = t_borrow(&d);
    perc_report r;

    perc_model_free(t_fit(ds, "algorithm=pocket epochs=1000", &r));
    assert_int_equal(r.stop, PERC_STOP_CONVERGED);
    assert_int_equal(r.training_errors, 0);
    t_free(ds, &d);
}

/* ----- stopping and going on ------------------------------------------------------------------ */

/* Cut after so many updates or examples, time and again, the run ends as if it had not
 * been cut. */
static void cut(const perc_dataset *ds, const char *how, const struct t_bytes *whole, int64_t each,
                bool by_updates)
{
    perc_model *m = NULL, *next;
    perc_report r = { 0 };
    char text[200];

    for (int64_t at = each; m == NULL || r.stop != PERC_STOP_EPOCHS; at = each) {
        const int64_t updates = by_updates ? (m == NULL ? 0 : r.updates) + at : 0;
        struct stopper s = { (m == NULL ? 0 : r.examples) + at };
        const perc_observer o = { PERC_WATCH_WEIGHTS, stop_there, &s };
        snprintf(text, sizeof text, "%s updates=%lld", m == NULL ? how : "", (long long)updates);
        if (m == NULL) {
            next = t_fit_watched(ds, text, by_updates ? NULL : &o, &r);
        } else {
            next = t_resume(ds, m, text, by_updates ? NULL : &o, &r);
            perc_model_free(m);
        }
        assert_int_equal(counted(next), r.training_errors);
        m = at % 2 ? t_through_file(next) : next;
    }
    next = t_resume(ds, m, "updates=0", NULL, NULL); /* the limit is an option, too */
    t_assert_bytes(whole, next);
    t_free(next, m);
}

TEST(stopping_changes_nothing)
{
    static const struct {
        size_t rows, cols, classes;
        const char *options;
    } runs[] = {
        { 30, 4, 2, "" },
        { 30, 4, 2, "pocket=literal" },
        { 200, 5, 2, "init=random" },
        { 24, 4, 4, "order=file multiclass=native" },
        { 24, 4, 4, "multiclass=native" },
        { 24, 4, 4, "pocket=literal order=file multiclass=native" },
        { 24, 4, 3, "multiclass=ovr" },
        { 24, 4, 3, "order=file pocket=literal" },
        { 12, 4, 4, "" },
        { 12, 4, 4, "pocket=literal order=file" }, /* too few to wait */
        { 30, 4, 2, "offset=false rule=pa1" },
    };

    for (size_t k = 0; k < COUNT(runs); k++) {
        struct t_data d = noisy(runs[k].rows, runs[k].cols, (int)runs[k].classes, 0.3, k + 20);
        perc_dataset *ds = t_borrow(&d);
        char how[160];
        perc_report r;
        snprintf(how, sizeof how, "algorithm=pocket %s epochs=%d", runs[k].options,
                 runs[k].rows > 100 ? 4 : 9);
        perc_model *m = t_fit(ds, how, &r);
        struct t_bytes whole = t_bytes_of(m);
        assert_true(r.updates > 15); /* guard */
        /* at least two labels must have come */
        for (int64_t each = 4; each < r.updates; each += each < 20 ? 1 : 13) {
            cut(ds, how, &whole, each, true);
            cut(ds, how, &whole, each, false);
        }
        free(whole.p);
        t_free(m, ds, &d);
    }
}

/* ----- threads, memory ---------------------------------------------------------------------- */

/* Enough rows that both ways of counting use several threads. */
TEST(any_number_of_threads_gives_the_same_bytes)
{
    static const char *const how[] = { "algorithm=pocket epochs=3",
                                       "algorithm=pocket pocket=literal updates=200",
                                       "algorithm=pocket updates=9 rule=pa" };
    static const int threads[] = { 2, 3, 8 };
    struct t_data d = noisy(30000, 20, 2, 0.2, 8);
    perc_dataset *ds = t_borrow(&d);

    for (size_t k = 0; k < COUNT(how); k++) {
        perc_model *one = t_fit_on(1, ds, how[k], NULL);
        struct t_bytes want = t_bytes_of(one);
        for (size_t i = 0; i < COUNT(threads); i++) {
            perc_model *m = t_fit_on(threads[i], ds, how[k], NULL);
            t_assert_bytes(&want, m);
            perc_model_free(m);
        }
        free(want.p);
        perc_model_free(one);
    }
    t_free(ds, &d);
}

/* Each thread makes the images of its own rows. */
TEST(mapped_rows_are_counted_by_their_images)
{
    struct t_data d = noisy(3000, 6, 2, 0.2, 9);

    t_write(&d, "rows.svm", 1, false, "no", "yes");
    perc_dataset *ds = t_read("rows.svm", "map=poly:2");
    perc_model *one = t_fit_on(1, ds, "algorithm=pocket epochs=3", NULL);
    perc_model *four = t_fit_on(4, ds, "algorithm=pocket epochs=3", NULL);
    perc_report r;
    perc_model *m = t_fit(ds, "algorithm=pocket epochs=3", &r);
    assert_int_equal(counted(m), r.training_errors);
    t_assert_same_file(one, four);
    t_assert_same_file(one, m);
    t_free(one, four, m, ds, &d);
}

/* Fails allocation 0, 1, 2, ... until training needs no more. */
TEST(memory_may_run_out_at_any_time)
{
    static const struct {
        size_t rows, cols;
        int classes;
        const char *options;
    } runs[] = {
        { 40, 4, 2, "epochs=3" },
        { 40, 4, 2, "epochs=3 pocket=literal" },
        { 40, 4, 3, "updates=30 order=file multiclass=native" },
        { 12, 4, 4, "updates=20" },
    };

    for (size_t k = 0; k < COUNT(runs); k++) {
        struct t_data d = noisy(runs[k].rows, runs[k].cols, runs[k].classes, 0.3, 7);
        perc_dataset *ds = t_borrow(&d);
        perc_params *p = t_params("pocket", runs[k].options);
        for (struct t_sweep s = { .threads = 2, .least = 20 }; t_sweep_next(&s);) {
            perc_error err = { 0 };
            perc_model *m;
            perc_report r;
            const perc_status st = perc_fit(&s.env, ds, p, NULL, &m, &r, &err);
            assert_true((m == NULL) == (st != PERC_OK));
            if (st) assert_int_equal(err.status, st);
            perc_model_free(m);
            t_sweep_judge(&s, st);
        }
        t_free(p, ds, &d);
    }
}

/* ----- the file ------------------------------------------------------------------------------- */

TEST(impossible_numbers_are_refused)
{
    struct pocket_state good = { .found.errors = -1, .last.errors = -1 };
    int64_t number[POCKET_NUMBERS];
    size_t refused = 0;

    assert_true(pocket_possible(&good));
    for (size_t i = 0; i < POCKET_NUMBERS; i++) {
        struct pocket_state bad;
        memcpy(number, &good, sizeof number);
        number[i] = -2;
        memcpy(&bad, number, sizeof bad);
        assert_false(pocket_possible(&bad));
        number[i] = -1;
        memcpy(&bad, number, sizeof bad);
        refused += !pocket_possible(&bad);
        number[i] = INT64_MAX;
        memcpy(&bad, number, sizeof bad);
        assert_false(pocket_possible(&bad));
    }
    assert_int_equal(refused, POCKET_NUMBERS - 2); /* errors may be unknown */
    good.gate = POCKET_BINS;
    assert_false(pocket_possible(&good));
}
