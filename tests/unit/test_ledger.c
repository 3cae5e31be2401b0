/* test_ledger.c -- the fast loop of kernel machines is the textbook's, bit for bit.
 *
 * Problems of all sorts are drawn at random, with kernels, rules, kinds of classes, orders,
 * weights and maps; each is learned by the textbook loop and by the fast one, on several
 * numbers of threads and with kernel values kept or not. Every event must be the same (row,
 * score, mistake, updates), and so must everything that the learner then is. The textbook
 * itself is compared with a loop that is written out here. */
#include <math.h>

#include "t_alloc.h"
#include "t_cases.h"
#include "t_fit.h"

/* ----- problems --------------------------------------------------------------------- */

enum { GAUSS, GRID, ONE_HOT, TWINS, EQUAL, NOTHING, SINGLE, WIDE, SORTS };

static double value_of(struct rng *r, int sort, size_t i, size_t j, size_t cols)
{
    switch (sort) {
    case GRID: return (double)rng_below(r, 5) - 2;
    case ONE_HOT: return rng_below(r, cols) == 0 || j == i % cols;
    case EQUAL: return j % 2 == 0 ? 1 : -0.5;
    case NOTHING: return i % 3 == 0 ? 0 : rng_normal(r);
    case WIDE: return rng_below(r, 2) == 0 ? rng_normal(r) : 0;
    default: return rng_normal(r);
    }
}

/* Labels 0, 1, ...: a rule of the row, and some noise. */
static struct t_data make(struct rng *r, int sort, size_t classes)
{
    const size_t cols = sort == SINGLE ? 1 : sort == WIDE ? 240 : 1 + (size_t)rng_below(r, 12);
    const size_t rows = 6 + (size_t)rng_below(r, sort == WIDE ? 100 : 40) +
                        (rng_below(r, 6) == 0 ? 150 : 0);
    struct t_data d = t_data_new(rows, cols);

    for (size_t i = 0; i < rows; i++) {
        double s = 0;
        for (size_t j = 0; j < cols; j++) {
            double *x = &d.x[i * cols + j];
            *x = value_of(r, sort, i, j, cols);
            if (sort == TWINS && i % 2 == 1) *x = d.x[(i - 1) * cols + j];
            s += *x * (double)(j % 3 + 1);
        }
        d.y[i] = rng_below(r, 8) == 0 ? (double)rng_below(r, classes)
                                      : fmod(floor(fabs(s)), (double)classes);
        if (sort == TWINS && i % 2 == 1) d.y[i] = fmod(d.y[i - 1] + 1, (double)classes);
    }
    for (size_t c = 0; c < classes; c++) d.y[c] = (double)c; /* all of them are there */
    return d;
}

/* As if the file were sorted by class: the next one comes late. */
static void sort_by_class(struct t_data *d)
{
    for (size_t i = 0; i < d->rows; i++)
        for (size_t k = i + 1; k < d->rows; k++) {
            if (d->y[k] >= d->y[i]) continue;
            const double y = d->y[i];
            d->y[i] = d->y[k];
            d->y[k] = y;
        }
}

/* ----- random problems -------------------------------------------------------------------- */

static const char *pick(struct rng *r, const char *const *of, size_t n)
{
    return of[rng_below(r, n)];
}
#define PICK(r, of) pick(r, of, COUNT(of))

static const char *const kernels[] = { "kernel=linear",
                                       "kernel=poly degree=2",
                                       "kernel=poly degree=3 gamma=0.5 coef0=0",
                                       "kernel=gaussian sigma=1.5",
                                       "kernel=rbf gamma=0.3",
                                       "kernel=rbf gamma=4",
                                       "kernel=sigmoid eta=0.2 theta=-0.1",
                                       "kernel=poly degree=7 gamma=0.1" };
static const char *const algorithms[] = { "perceptron", "averaged", "voted", "pocket",
                                          "margin",     "pa",       "pa1",   "pa2" };

/* Options into `text`. */
static struct how draw(struct rng *r, char *text, size_t size, size_t classes)
{
    static const char *const rules[] = { "rule=perceptron", "rule=margin margin=0.5", "rule=pa1" };
    static const char *const pockets[] = { "pocket=fast", "pocket=literal" };
    static const char *const kinds[] = { "multiclass=auto", "multiclass=native", "multiclass=ovr" };
    static const char *const orders[] = { "order=file", "order=shuffle" };
    static const char *const offsets[] = { "offset=true", "offset=false" };
    static const char *const schedules[] = { "rate=1", "rate=0.7 schedule=1/sqrt" };
    static const char *const weights[] = { "", "", "1=2.5", "0=0" };
    static const char *const maps[] = { "", "", "", "poly:2" };
    struct how how = { .algorithm = PICK(r, algorithms), .options = text };
    const bool wraps = strcmp(how.algorithm, "averaged") == 0 ||
                       strcmp(how.algorithm, "voted") == 0 || strcmp(how.algorithm, "pocket") == 0;
    const bool rates = wraps || strcmp(how.algorithm, "perceptron") == 0 ||
                       strcmp(how.algorithm, "margin") == 0;

    how.class_weight = PICK(r, weights);
    how.map = PICK(r, maps);
    snprintf(text, size, "%s %s %s %s %s %s %s epochs=%d", PICK(r, kernels),
             wraps ? PICK(r, rules) : "", rates ? PICK(r, schedules) : "",
             strcmp(how.algorithm, "pocket") == 0 ? PICK(r, pockets) : "", PICK(r, kinds),
             PICK(r, orders), PICK(r, offsets), 1 + (int)rng_below(r, 6));
    /* The pocket knows all classes; two labels of `auto` are met at the start. */
    const bool native = strstr(text, "=native") != NULL, rest = strstr(text, "=ovr") != NULL;
    how.appear = strcmp(how.algorithm, "pocket") == 0
                     ? native && rng_below(r, 2) == 0
                     : (classes > 2 || native || rest) && rng_below(r, 2) == 0;
    return how;
}

/* What both loops lean on: the norms of the votes' rows, also when those were renumbered. */
static void assert_norms(const struct learner *l)
{
    for (size_t i = 0; i < machine_kernel_of(l->machine)->norms; i++) {
        const struct row x = votes_row(machine_votes_of(l->machine), i);
        const struct expansion *sums = machine_kernel_of(l->machine);
        assert_true(sums->norm2[i] == kernel_norm2(&sums->kernel, &x));
    }
}

static void try_one(struct rng *r, int sort)
{
    static const char *const caches[] = { "cache=0", "cache=0.01", "cache=1" };
    const size_t classes = rng_below(r, 2) == 0 ? 2 : 3 + (size_t)rng_below(r, 3);
    char text[300], label[60];
    struct t_data d = make(r, sort, classes);
    struct how how = draw(r, text, sizeof text, classes);

    if (rng_below(r, 4) == 0) sort_by_class(&d);
    if (rng_below(r, 4) == 0) t_weigh(&d, rng_u64(r));
    if (d.weight != NULL) d.weight[d.rows / 2] = 0;
    if (sort == WIDE) how.map = "";
    struct set sets[2] = { set_of(&d, false, rng_below(r, 2) == 0),
                           set_of(&d, true, rng_below(r, 2) == 0) };
    struct run plain = run_of(&sets[rng_below(r, 2)], &how, "loop=textbook", 1, true);

    for (int k = 0; k < 3; k++) {
        const int threads = k == 0 ? 1 : k == 1 ? 2 : 8;
        const char *cache = PICK(r, caches);
        struct run fast = run_of(&sets[k % 2], &how, cache, threads, k < 2);
        snprintf(label, sizeof label, "sort %d, %d threads, %s", sort, threads, cache);
        assert_same(&plain, &fast, &how, label);
        assert_norms(&fast.l);
        run_free(&fast);
    }
    assert_norms(&plain.l);
    run_free(&plain);
    set_free(&sets[0]);
    set_free(&sets[1]);
    t_data_free(&d);
}

TEST(the_fast_loop_is_the_textbook)
{
    struct rng r = rng_seed(5, 0);

    for (int k = 0; k < t_cases(700); k++) try_one(&r, k % SORTS);
}

/* ----- threads ------------------------------------------------------------------------------ */

/* Large enough that there is work for several threads, and a pass has several blocks. */
TEST(threads_change_nothing)
{
    static const struct how hows[] = {
        { "perceptron", "kernel=rbf gamma=0.2 epochs=3", false, "", "" },
        { "averaged", "kernel=poly degree=3 epochs=2 multiclass=native order=file", true, "", "" },
        { "pocket", "kernel=rbf gamma=0.5 epochs=3", false, "", "" },
        { "margin", "kernel=gaussian epochs=3 multiclass=ovr", false, "", "" },
        { "pa1", "kernel=sigmoid eta=0.1 epochs=3", false, "", "" },
    };
    struct rng r = rng_seed(6, 0);

    for (size_t k = 0; k < COUNT(hows); k++) {
        const struct how *how = &hows[k];
        struct t_data d = t_data_new(1000, k == 4 ? 130 : 20);
        for (size_t i = 0; i < d.rows * d.cols; i++) d.x[i] = rng_normal(&r);
        for (size_t i = 0; i < d.rows; i++) {
            const double *x = d.x + i * d.cols;
            d.y[i] = x[0] * x[1] > 0.3 ? 2 : x[2] * x[3] > 0;
            if (k == 0 || k == 4) d.y[i] = d.y[i] > 0;
        }
        struct set s = set_of(&d, k % 2 == 0, true);
        struct run plain = run_of(&s, how, T_WATCHED ? "loop=fast" : "loop=textbook", 1, true);
        for (int threads = 1; threads <= 8; threads = 3 * threads - threads % 2) {
            struct run fast = run_of(&s, how, threads == 5 ? "cache=0" : "cache=2", threads, true);
            assert_same(&plain, &fast, how, "large");
            run_free(&fast);
        }
        assert_true(machine_votes_of(plain.l.machine)->n > 100); /* guard */
        run_free(&plain);
        set_free(&s);
        t_data_free(&d);
    }
}

/* ----- the textbook itself --------------------------------------------------------------- */

/* The loop of the books, written out: the rule `margin` (M = 0: the perceptron) for two
 * classes, y = -1 or 1, or native ones. */
struct book {
    const struct t_data *d;
    const struct kernel *kernel;
    double *norm2;
    size_t n, room;
    struct {
        size_t row, up, down;
    } * update;
    double b[8];
};

static struct row row_of(const struct t_data *d, size_t i)
{
    return (struct row){ .value = d->x + i * d->cols,
                         .n = d->cols,
                         .stride = sizeof(double),
                         .values = VALUES_F64,
                         .indices = INDEX_DENSE };
}

static void book_scores(const struct book *t, size_t i, size_t classes, double *s)
{
    const struct row x = row_of(t->d, i);

    for (size_t c = 0; c < classes; c++) s[c] = 0;
    for (size_t k = 0; k < t->n; k++) {
        const struct row z = row_of(t->d, t->update[k].row);
        const double v = kernel_value(t->kernel, &z, t->norm2[t->update[k].row], &x, t->norm2[i]);
        s[t->update[k].up] += v;
        s[t->update[k].down] -= v;
    }
    for (size_t c = 0; c < classes; c++) s[c] += t->b[c];
}

/* Whether row i was a mistake; it is learned from if its margin is not above M K'(x, x). */
static bool book_show(struct book *t, size_t i, size_t classes, double margin, double *score)
{
    const size_t y = (size_t)t->d->y[i];
    double s[8];
    size_t rival = y == 0;

    book_scores(t, i, classes, s);
    for (size_t c = 0; c < classes; c++)
        if (c != y && s[c] > s[rival]) rival = c;
    const double m = (s[y] - s[rival]) / 2;
    const double size2 = kernel_self(t->kernel, t->norm2[i]) + 1;
    *score = m;
    if (m > 0 && m > margin * size2) return false;
    assert_true(t->n < t->room);
    t->update[t->n].row = i;
    t->update[t->n].up = y;
    t->update[t->n++].down = rival;
    t->b[y] += 1;
    t->b[rival] -= 1;
    return !(m > 0);
}

/* Two classes as a native machine of two vectors, -w and w, have the same scores. */
TEST(the_textbook_is_the_books)
{
    struct rng r = rng_seed(8, 0);

    for (int k = 0; k < t_cases(160); k++) {
        const size_t classes = k % 4 == 0 ? 4 : 2;
        const bool margin = k % 3 == 0;
        struct t_data d = make(&r, k % SORTS, classes);
        struct set s = set_of(&d, k % 2 == 0, false);
        char text[300];
        snprintf(text, sizeof text, "%s order=file epochs=3 %s %s", PICK(&r, kernels),
                 margin ? "margin=0.4" : "", classes > 2 ? "multiclass=native" : "");
        const struct how how = { margin ? "margin" : "perceptron", text, false, "", "" };
        struct run got = run_of(&s, &how, k % 2 == 0 ? "" : "loop=textbook", 1, true);
        struct book t = { .d = &d,
                          .kernel = &machine_kernel_of(got.l.machine)->kernel,
                          .room = 3 * d.rows };
        size_t event = 0;
        bool settled = false;

        t.norm2 = malloc(d.rows * sizeof *t.norm2);
        t.update = malloc(t.room * sizeof *t.update);
        for (size_t i = 0; i < d.rows; i++) {
            const struct row x = row_of(&d, i);
            t.norm2[i] = kernel_norm2(t.kernel, &x);
        }
        for (int pass = 0; pass < 3 && !settled; pass++) {
            const size_t before = t.n;
            for (size_t i = 0; i < d.rows; i++, event++) {
                double m;
                const bool mistake = book_show(&t, i, classes, margin ? 0.4 : 0, &m);
                assert_true(event < got.events);
                assert_int_equal(got.seen[event].row, i);
                assert_int_equal(got.seen[event].mistake, mistake);
                if (classes == 2) m *= d.y[i] > 0 ? 1 : -1; /* the event has s, not y s */
                assert_true(m == got.seen[event].score);
            }
            settled = t.n == before;
        }
        assert_int_equal(event, got.events);
        assert_int_equal(t.n, machine_votes_of(got.l.machine)->n);
        free(t.norm2);
        free(t.update);
        run_free(&got);
        set_free(&s);
        t_data_free(&d);
    }
}

/* ----- the pocket ------------------------------------------------------------------------ */

/* The errors of the first n updates, for two classes. */
static int64_t errors_of(struct learner *l, const struct t_data *d, size_t n)
{
    const struct moment m = { n, 0 };
    double b = 0, s;
    int64_t errors = 0;

    for (size_t k = 0; k < n; k++) b += machine_votes_of(l->machine)->vote[k].step;
    for (size_t i = 0; i < d->rows; i++) {
        const struct row x = row_of(d, i);
        assert_int_equal(expansion_scores(machine_kernel_of(l->machine),
                                          machine_votes_of(l->machine), &x, &m, 1, &s),
                         PERC_OK);
        errors += !((d->y[i] > 0 ? 1 : -1) * (s + b) > 0);
    }
    return errors;
}

/* Literally: of all beginnings of the list of updates, the first of those that err least. */
TEST(the_pocket_has_the_best_beginning)
{
    struct rng r = rng_seed(10, 0);
    int inner = 0;

    for (int k = 0; k < t_cases(30); k++) {
        const struct how how = { "pocket", "kernel=rbf gamma=0.3 pocket=literal epochs=3", false,
                                 "", "" };
        struct t_data d = make(&r, k % SORTS, 2);
        struct set s = set_of(&d, false, true);
        struct run got = run_of(&s, &how, k % 2 == 0 ? "" : "loop=textbook", 1, false);
        const struct found *found = &pocket_of(&got.l)->is.found;
        int64_t best = INT64_MAX;
        size_t at = 0;
        for (size_t n = 0; n <= machine_votes_of(got.l.machine)->n; n++) {
            const int64_t errors = errors_of(&got.l, &d, n);
            if (errors < best) at = n;
            if (errors < best) best = errors;
        }
        assert_int_equal(found->errors, best);
        assert_int_equal(found->updates, at);
        assert_int_equal(learner_moment(&got.l).updates, at);
        inner += at > 0 && at < machine_votes_of(got.l.machine)->n;
        run_free(&got);
        set_free(&s);
        t_data_free(&d);
    }
    assert_true(inner > t_cases(30) / 6); /* guard */
}

/* ----- going on ------------------------------------------------------------------------------- */

/* A run that stops after some updates and goes on, each part fast or not, is one run. */
TEST(stopping_changes_nothing)
{
    struct rng r = rng_seed(7, 0);

    for (int k = 0; k < t_cases(120); k++) {
        const size_t classes = 2 + (size_t)(k % 3);
        char text[300], part[60];
        struct t_data d = make(&r, k % SORTS, classes);
        const struct how how = draw(&r, text, sizeof text, classes);
        struct set s = set_of(&d, false, true);
        struct run whole = run_of(&s, &how, "loop=textbook", 1, false);
        /* With classes that appear, updates are counted anew; `fast` looks where it stops. */
        snprintf(part, sizeof part, "updates=%d cache=%d", 1 + (int)rng_below(&r, 30), k % 2);
        struct run first = run_of(&s, &how, part, 2, false), second;
        assert_int_equal(begin(&second, &first.l.e, &s, &how, k % 4 == 0 ? "loop=textbook" : ""),
                         PERC_OK);
        assert_int_equal(learner_copy(&first.l, &second.l), PERC_OK);
        second.st = learn(&second, &s, &how, false);
        if (!first.st) assert_same(&whole, &second, &how, "in two parts");
        run_free(&whole);
        run_free(&first);
        run_free(&second);
        set_free(&s);
        t_data_free(&d);
    }
}

/* ----- what goes wrong -------------------------------------------------------------------- */

/* Scores beyond all numbers end both loops at the same row. */
TEST(overflow_ends_the_run)
{
    struct t_data d = t_data_new(40, 2);
    const struct how how = { "perceptron", "kernel=poly degree=60 order=file", false, "", "" };

    for (size_t i = 0; i < d.rows; i++) {
        d.x[2 * i] = i < 20 ? 0.01 * (double)i : 1e3;
        d.x[2 * i + 1] = i == 30 ? 1e6 : 1;
        d.y[i] = (double)(i % 2);
    }
    struct set s = set_of(&d, false, false);
    struct run plain = run_of(&s, &how, "loop=textbook", 1, true);
    struct run fast = run_of(&s, &how, "", 2, true);
    assert_int_equal(plain.st, PERC_EDATA);
    assert_true(machine_votes_of(plain.l.machine)->n > 0);
    assert_true(plain.events > 20 && plain.events < 40);
    assert_same(&plain, &fast, &how, "overflow");
    run_free(&plain);
    run_free(&fast);
    set_free(&s);
    t_data_free(&d);
}

TEST(a_cache_holds_a_row_or_is_none)
{
    struct t_data d = t_data_new(1000, 2);
    const struct how how = { "perceptron", "kernel=rbf gamma=1", false, "", "" };

    for (size_t i = 0; i < d.rows; i++) d.x[2 * i] = d.y[i] = (double)(i % 2);
    struct set s = set_of(&d, false, false);
    struct run r = run_of(&s, &how, "cache=0.007999", 1, false);
    assert_int_equal(r.st, PERC_EARG);
    run_free(&r);
    r = run_of(&s, &how, "cache=0.008", 1, false);
    assert_int_equal(r.st, PERC_OK);
    run_free(&r);
    set_free(&s);
    t_data_free(&d);
}

/* Memory that runs out at any call ends the run, and everything is given back. */
TEST(memory_may_run_out)
{
    static const struct how hows[] = {
        { "perceptron", "kernel=rbf gamma=0.3 epochs=3 drop-after=2", false, "poly:2", "" },
        { "averaged", "kernel=poly epochs=3 order=file multiclass=ovr cache=0.01", true, "", "" },
        { "pocket", "kernel=linear epochs=2 multiclass=native", true, "", "" },
    };
    struct rng g = rng_seed(9, 0);

    for (size_t k = 0; k < COUNT(hows); k++) {
        struct t_data d = t_data_new(50, k == 1 ? 110 : 3);
        for (size_t i = 0; i < d.rows * d.cols; i++) d.x[i] = rng_normal(&g);
        for (size_t i = 0; i < d.rows; i++) d.y[i] = (double)(i % (k == 0 ? 2 : 3));
        struct set s = set_of(&d, false, true);
        for (struct t_sweep w = { .threads = 2, .survives = true, .least = 20 };
             t_sweep_next(&w);) {
            const struct env e = env_resolve(&w.env);
            struct run r;
            perc_status st = begin(&r, &e, &s, &hows[k], "");
            if (!st) st = learn(&r, &s, &hows[k], false);
            run_free(&r);
            t_sweep_judge(&w, st);
        }
        set_free(&s);
        t_data_free(&d);
    }
}
