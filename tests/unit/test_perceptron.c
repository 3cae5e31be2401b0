/* test_perceptron.c -- the perceptron against an independent, slow twin.
 *
 * The twin is written from the documentation alone: a dense matrix, a loop over
 * rows, the score summed column by column, the order of each pass made by its own
 * copy of the generator. The library packs the rows, looks ahead over four of them
 * and skips zeros; it must still arrive at the same bits, also on data where every
 * sum is rounded, because the order of summation is part of its promise. */
#include <math.h>

#include "t.h"
#include "t_dir.h"
#include "t_make.h"
#include "vec/rng.h" /* the start "random" only */

/* ----- the twin: the order of a pass ---------------------------------------------------- */

/* splitmix64 and xoshiro256++ (Blackman and Vigna 2021), from their papers. */
struct twin_rng {
    uint64_t s[4];
};

static uint64_t mix(uint64_t *x)
{
    uint64_t z = *x += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static struct twin_rng twin_seed(uint64_t seed, uint64_t stream)
{
    uint64_t a = seed, b = mix(&a) + stream;
    struct twin_rng r;

    for (int i = 0; i < 4; i++) {
        const uint64_t from_b = mix(&b);
        r.s[i] = from_b ^ mix(&a);
    }
    return r;
}

static uint64_t turn(uint64_t x, int k)
{
    return x << k | x >> (64 - k);
}

static uint64_t twin_next(struct twin_rng *r)
{
    const uint64_t out = turn(r->s[0] + r->s[3], 23) + r->s[0], t = r->s[1] << 17;

    r->s[2] ^= r->s[0];
    r->s[3] ^= r->s[1];
    r->s[1] ^= r->s[2];
    r->s[0] ^= r->s[3];
    r->s[2] ^= t;
    r->s[3] = turn(r->s[3], 45);
    return out;
}

/* Uniform in 0 .. n-1: the integer part of n x / 2^64, drawn again where the
 * fraction is one of the 2^64 mod n lowest (Lemire 2019). n < 2^32 here, so the
 * product can be made of two halves. */
static uint64_t twin_below(struct twin_rng *r, uint64_t n)
{
    for (;;) {
        const uint64_t x = twin_next(r);
        const uint64_t low = (x & UINT32_MAX) * n, high = (x >> 32) * n + (low >> 32);
        const uint64_t fraction = high << 32 | (low & UINT32_MAX);
        if (fraction >= (0 - n) % n) return high >> 32;
    }
}

/* The rows of pass `pass` (from 1), shuffled with stream 2^32 + pass of the seed. */
static void twin_shuffle(size_t *row, size_t n, uint64_t seed, int64_t pass)
{
    struct twin_rng r = twin_seed(seed, (uint64_t)pass + (UINT64_C(1) << 32));

    for (size_t i = 0; i < n; i++) row[i] = i;
    for (size_t i = n; i > 1; i--) {
        const size_t j = (size_t)twin_below(&r, i), t = row[i - 1];
        row[i - 1] = row[j];
        row[j] = t;
    }
}

/* ----- the twin: the rule --------------------------------------------------------------- */

struct options {
    bool offset, shuffle;
    const char *init; /* zero, unit or random */
    double rate;
    int64_t epochs, updates;
    uint64_t seed;
};

struct twin {
    double *w, b;
    double rate, unit; /* of a step; what is shown is this times what is learned */
    perc_stop stop;
    int64_t epochs, examples, mistakes, updates;
    int64_t close; /* examples that would be judged otherwise if summed backwards */
};

static double twin_score(const struct twin *t, const double *x, size_t cols)
{
    double s = 0;

    for (size_t j = 0; j < cols; j++) s += t->w[j] * x[j];
    return s + t->b;
}

static double twin_score_backwards(const struct twin *t, const double *x, size_t cols)
{
    double s = t->b;

    for (size_t j = cols; j-- > 0;) s += t->w[j] * x[j];
    return s;
}

static void twin_start(struct twin *t, size_t cols, const struct options *o)
{
    const double unit = 1 / sqrt((double)cols);
    struct rng r = rng_seed(o->seed, 0x1417);
    const bool zero = strcmp(o->init, "zero") == 0; /* then the rate scales, and that is all */

    *t = (struct twin){ .w = calloc(cols, sizeof(double)),
                        .rate = zero ? 1 : o->rate,
                        .unit = zero ? o->rate : 1 };
    assert_non_null(t->w);
    for (size_t j = 0; j < cols; j++) {
        if (strcmp(o->init, "unit") == 0) t->w[j] = unit;
        if (strcmp(o->init, "random") == 0) t->w[j] = unit * rng_normal(&r);
    }
}

/* One example; true if it made the twin move. */
static bool twin_show(struct twin *t, const struct t_data *d, size_t i, const struct options *o)
{
    const double *x = d->x + i * d->cols, y = d->y[i];
    const double c = d->weight != NULL ? d->weight[i] : 1;

    t->examples++;
    const double s = twin_score(t, x, d->cols);
    t->close += (y * s > 0) != (y * twin_score_backwards(t, x, d->cols) > 0);
    if (y * s > 0) return false;
    t->mistakes++;
    t->updates++;
    for (size_t j = 0; j < d->cols; j++) t->w[j] += t->rate * c * y * x[j];
    if (o->offset) t->b += t->rate * c * y;
    return true;
}

static struct twin twin_fit(const struct t_data *d, const struct options *o)
{
    size_t *row = malloc(d->rows * sizeof *row);
    int64_t moved = 1;
    struct twin t;

    assert_non_null(row);
    twin_start(&t, d->cols, o);
    for (size_t i = 0; i < d->rows; i++) row[i] = i;
    while (t.stop == PERC_STOP_NONE) {
        if (moved == 0) t.stop = PERC_STOP_CONVERGED;
        else if (t.epochs == o->epochs) t.stop = PERC_STOP_EPOCHS;
        if (t.stop != PERC_STOP_NONE) break;
        t.epochs++;
        moved = 0;
        if (o->shuffle) twin_shuffle(row, d->rows, o->seed, t.epochs);
        for (size_t i = 0; i < d->rows && t.stop == PERC_STOP_NONE; i++) {
            const bool moves = twin_show(&t, d, row[i], o);
            moved += moves;
            if (moves && t.updates == o->updates) t.stop = PERC_STOP_UPDATES;
        }
    }
    free(row);
    return t;
}

/* ----- comparing ------------------------------------------------------------------------ */

/* What the report says of the result, computed again from the matrix. */
static void check_report(const struct t_data *d, const struct twin *t, const struct options *o,
                         const perc_report *r)
{
    double loss = 0, radius2 = 0, norm2 = 0;
    uint64_t errors = 0;

    for (size_t i = 0; i < d->rows; i++) {
        const double *x = d->x + i * d->cols;
        const double ys = d->y[i] * twin_score(t, x, d->cols);
        double x2 = 0;
        for (size_t j = 0; j < d->cols; j++) x2 += x[j] * x[j];
        errors += ys <= 0;
        if (ys < 0) loss += t->unit * -ys;
        if (x2 > radius2) radius2 = x2;
    }
    for (size_t j = 0; j < d->cols; j++) norm2 += t->w[j] * t->w[j];
    assert_int_equal(r->rows, d->rows);
    assert_int_equal(r->training_errors, errors);
    assert_true(r->training_error == (double)errors / (double)d->rows);
    assert_true(r->loss == loss / (double)d->rows);
    assert_true(r->radius == sqrt(radius2 + (o->offset ? 1 : 0)));
    assert_true(r->norm == t->unit * sqrt(norm2));
    assert_true(r->norm_augmented == t->unit * sqrt(norm2 + t->b * t->b));
}

/* Returns how many examples were so close that the order of summation mattered. */
static int64_t check(const struct t_data *d, const perc_dataset *ds, const struct options *o)
{
    char text[256];
    perc_report r;

    snprintf(text, sizeof text,
             "offset=%s order=%s init=%s rate=%.17g epochs=%lld updates=%lld seed=%llu",
             o->offset ? "true" : "false", o->shuffle ? "shuffle" : "file", o->init, o->rate,
             (long long)o->epochs, (long long)o->updates, (unsigned long long)o->seed);
    struct twin t = twin_fit(d, o);
    perc_model *m = t_fit(ds, text, &r);
    const double *w = t_weights(m);

    for (size_t j = 0; j < d->cols; j++)
        if (!t_same_bits(w[j], t.w[j])) fail_msg("%s: w[%zu] is %a, not %a", text, j, w[j], t.w[j]);
    for (size_t j = 0; j < d->cols; j++)
        assert_true(t_same_bits(perc_model_weight(m, j, 0), t.unit * t.w[j]));
    const double b = t.unit * t.b;
    if (!t_same_bits(t_offset(m), b)) fail_msg("%s: b is %a, not %a", text, t_offset(m), b);
    assert_int_equal(r.stop, t.stop);
    assert_int_equal(r.epochs, t.epochs);
    assert_int_equal(r.examples, t.examples);
    assert_int_equal(r.mistakes, t.mistakes);
    assert_int_equal(r.updates, t.updates);
    check_report(d, &t, o, &r);
    perc_model_free(m);
    free(t.w);
    return t.close;
}

/* All combinations of the options, over one data set; close calls as above. */
static int64_t check_all(const struct t_data *d, const perc_dataset *ds)
{
    static const char *const init[] = { "zero", "unit", "random" };
    static const double rate[] = { 1, 0.5, 0.1, 3 };
    static const int64_t limit[][2] = { { 1, 0 },  { 2, 0 },  { 9, 0 },
                                        { 50, 1 }, { 50, 6 }, { 50, 75 } };

    int64_t close = 0;

    for (unsigned k = 0; k < 2 * 2 * 3 * 4 * 6; k++) {
        const struct options o = { .offset = k & 1,
                                   .shuffle = k >> 1 & 1,
                                   .init = init[k / 4 % 3],
                                   .rate = rate[k / 12 % 4],
                                   .epochs = limit[k / 48][0],
                                   .updates = limit[k / 48][1],
                                   .seed = k };
        close += check(d, ds, &o);
    }
    return close;
}

TEST(fit_equals_the_twin_on_whole_numbers)
{
    for (uint64_t seed = 0; seed < 3; seed++) {
        struct t_data d = t_noise(37, 5, T_WHOLE, 0.8, seed);
        perc_dataset *ds = t_borrow(&d);
        check_all(&d, ds);
        t_free(ds, &d);
    }
}

/* Every sum is rounded, so this also holds the library to its order of summation. */
TEST(fit_equals_the_twin_on_dense_reals)
{
    struct t_data d = t_noise(61, 11, T_REAL, 1, 7);
    perc_dataset *ds = t_borrow(&d);

    check_all(&d, ds);
    t_free(ds, &d);
}

TEST(fit_equals_the_twin_on_sparse_reals)
{
    struct t_data d = t_noise(90, 40, T_REAL, 0.1, 8);
    struct t_csr c = t_csr_new(&d);
    perc_dataset *ds = t_borrow_csr(&d, &c, PERC_I32, PERC_I64);

    check_all(&d, ds);
    t_free(ds, &c, &d);
}

/* A file: text, a packed block, columns from 1. Rows of more than 256 entries
 * are decoded in several pieces. */
TEST(fit_equals_the_twin_on_a_file)
{
    struct t_data d = t_noise(33, 600, T_REAL, 0.7, 9);
    const struct options o = { true, true, "zero", 0.1, 6, 0, 5 };

    for (size_t i = 0; i < d.rows * d.cols; i++) d.x[i] = rint(d.x[i] * 1000) / 1000;
    d.x[d.cols - 1] = 0.5; /* a last column that is surely there */
    t_write(&d, "reals.svm", 1, false, "-1", "+1");
    perc_dataset *ds = t_read("reals.svm", "");
    perc_dataset_info info;
    perc_dataset_info_get(ds, &info);
    assert_string_equal(info.storage, "decimal32"); /* guard: not plain doubles */
    check(&d, ds, &o);
    t_free(ds, &d);
}

/* Ten groups of columns, each with rows (v, v) and (v, -v), v of one decimal place.
 * A row of one kind is orthogonal to all of the other, so after rows of one kind
 * alone the other kind has, in theory, the score 0; in doubles it is what rounding
 * leaves, and its sign depends on the order of summation. */
static struct t_data close_calls(void)
{
    enum { GROUPS = 10, HALF = 9, EACH = 9 };
    struct t_data noise = t_noise(GROUPS * EACH, HALF, T_WHOLE, 1, 10);
    struct t_data d = t_data_new(GROUPS * EACH, GROUPS * 2 * HALF);

    for (size_t i = 0; i < d.rows; i++) {
        double *x = d.x + i * d.cols + i / EACH * 2 * HALF;
        for (size_t j = 0; j < HALF; j++) {
            x[j] = noise.x[i * HALF + j] / 10;
            x[HALF + j] = i % EACH < 4 ? -x[j] : x[j];
        }
        d.y[i] = noise.y[i];
    }
    d.x[d.cols - 1] = 0.3; /* the last column is surely used */
    t_data_free(&noise);
    return d;
}

/* A quick way to decide must see that it cannot, in each kind of storage. */
TEST(fit_equals_the_twin_where_rounding_decides)
{
    struct t_data d = close_calls();
    float *single = malloc(d.rows * d.cols * sizeof *single);
    int64_t close[4];

    assert_non_null(single);
    struct t_csr c = t_csr_new(&d);
    perc_dataset *dense = t_borrow(&d), *sparse = t_borrow_csr(&d, &c, PERC_I32, PERC_I64);
    t_write(&d, "close.svm", 1, false, "-1", "+1");
    perc_dataset *packed = t_read("close.svm", "");
    close[0] = check_all(&d, dense);
    close[1] = check_all(&d, sparse);
    close[2] = check_all(&d, packed);
    perc_dataset_free(dense);
    for (size_t i = 0; i < d.rows * d.cols; i++) {
        single[i] = (float)d.x[i];
        d.x[i] = (double)single[i];
    }
    const perc_dense x = {
        single, PERC_F32, d.rows, d.cols, (ptrdiff_t)(d.cols * sizeof *single), sizeof *single
    };
    perc_error err = { 0 };
    if (perc_dataset_borrow_dense(NULL, &x, d.y, NULL, &dense, &err)) fail_msg("%s", err.text);
    close[3] = check_all(&d, dense);
    print_message("close calls: %d %d %d %d\n", (int)close[0], (int)close[1], (int)close[2],
                  (int)close[3]);
    for (int k = 0; k < 4; k++) assert_true(close[k] > 100); /* guard */
    free(single);
    t_free(dense, sparse, packed, &c, &d);
}

TEST(weights_of_examples_scale_the_step)
{
    for (uint64_t seed = 0; seed < 2; seed++) {
        struct t_data d = t_noise(53, 6, seed ? T_REAL : T_WHOLE, 0.9, seed);
        t_weigh(&d, seed);
        perc_dataset *ds = t_borrow(&d);
        check_all(&d, ds);
        t_free(ds, &d);
    }
}

/* An example of weight 0 is as good as not there: not learned from, no mistake,
 * no training error. */
TEST(a_weight_of_zero_counts_for_nothing)
{
    struct t_data d = t_noise(40, 4, T_WHOLE, 0.9, 3), less = t_data_new(20, 4);
    perc_report with, without;

    d.weight = calloc(d.rows, sizeof *d.weight);
    assert_non_null(d.weight);
    for (size_t i = 0; i < less.rows; i++) { /* the even rows have weight 1 */
        d.weight[2 * i] = 1;
        d.y[2 * i] = less.y[i] = i % 3 ? 1 : -1;
        memcpy(less.x + i * 4, d.x + 2 * i * 4, 4 * sizeof *d.x);
    }
    perc_dataset *all = t_borrow(&d), *even = t_borrow(&less);
    perc_model *a = t_fit(all, "order=file epochs=30", &with);
    perc_model *b = t_fit(even, "order=file epochs=30", &without);

    assert_true(without.updates > 20); /* guard */
    assert_memory_equal(t_weights(a), t_weights(b), 4 * sizeof(double));
    assert_true(t_same_bits(t_offset(a), t_offset(b)));
    assert_int_equal(with.mistakes, without.mistakes);
    assert_int_equal(with.updates, without.updates);
    assert_int_equal(with.training_errors, without.training_errors);
    t_free(a, b, all, even, &d, &less);
}

/* The option "positive" exchanges the classes: the twin of the data with -y. */
TEST(positive_names_the_class_that_is_plus_one)
{
    struct t_data d = t_noise(45, 5, T_REAL, 1, 4);
    const struct options o = { true, false, "unit", 1, 4, 0, 0 };
    perc_dataset *ds = t_borrow(&d);
    perc_model *same = t_fit(ds, "positive=1 order=file init=unit epochs=4", NULL);
    perc_model *other = t_fit(ds, "positive=-1 order=file init=unit epochs=4", NULL);
    struct twin t = twin_fit(&d, &o);

    assert_memory_equal(t_weights(same), t.w, d.cols * sizeof(double));
    free(t.w);
    for (size_t i = 0; i < d.rows; i++) d.y[i] = -d.y[i];
    t = twin_fit(&d, &o);
    assert_memory_equal(t_weights(other), t.w, d.cols * sizeof(double));
    assert_true(t_same_bits(t_offset(other), t.b));
    free(t.w);
    t_free(same, other, ds, &d);
}

/* One class against the rest: every other label is -1. */
TEST(positive_sets_one_label_against_the_rest)
{
    struct t_data d = t_noise(60, 4, T_REAL, 1, 5);
    const struct options o = { true, false, "zero", 1, 5, 0, 0 };
    perc_model_info info;
    double *label = malloc(d.rows * sizeof *label);

    assert_non_null(label);
    for (size_t i = 0; i < d.rows; i++) {
        label[i] = (double)(i * 7 % 4); /* 0, 1, 2, 3 */
        d.y[i] = label[i] == 2 ? 1 : -1;
    }
    struct twin t = twin_fit(&d, &o);
    double *y = d.y;
    d.y = label;
    perc_dataset *ds = t_borrow(&d);
    d.y = y;
    perc_model *m = t_fit(ds, "positive=2 order=file epochs=5", NULL);
    perc_model_info_get(m, &info);
    assert_string_equal(info.positive, "2");
    assert_memory_equal(t_weights(m), t.w, d.cols * sizeof(double));
    assert_int_equal(info.updates, t.updates);
    t_free(m, ds);
    free(t.w);
    free(label);
    t_data_free(&d);
}

TEST(no_pass_leaves_the_start)
{
    struct t_data d = t_noise(10, 4, T_REAL, 1, 6);
    perc_dataset *ds = t_borrow(&d);
    perc_report r;
    perc_model *m = t_fit(ds, "epochs=0 init=unit", &r);

    for (int j = 0; j < 4; j++) assert_true(t_weights(m)[j] == 0.5);
    assert_int_equal(r.stop, PERC_STOP_EPOCHS);
    assert_int_equal(r.epochs, 0);
    assert_int_equal(r.examples, 0);
    t_free(m, ds, &d);
}

TEST(each_class_begins_where_its_own_has_ended)
{
    perc_dataset *ds = t_read(":iris", "");
    perc_model *m = t_fit(ds, "epochs=3", NULL);

    assert_int_equal(perc_model_write(m, "start", NULL), PERC_OK);
    perc_model *same = t_fit(ds, "epochs=0 init=start", NULL);
    for (int i = 0; i < 3 * 4; i++) assert_true(t_weights(same)[i] == t_weights(m)[i]);
    t_free(m, same, ds);
}

TEST(a_start_that_is_none_is_refused_with_its_place)
{
    perc_dataset *ds = t_read(":and", "");
    perc_params *p = t_params("perceptron", "init=start");
    perc_error err = { 0 };
    perc_model *m;

    assert_int_equal(t_put("start", "1\n 2 x\n"), 0);
    assert_refused(perc_fit(NULL, ds, p, NULL, &m, NULL, &err), PERC_EDATA, &err,
                   "--init start:2:4: a start is a model, or numbers");
    perc_params_free(p);
    perc_dataset_free(ds);
}
