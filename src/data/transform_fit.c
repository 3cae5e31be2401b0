/* transform_fit.c -- what a transform learns from the training rows.
 *
 * Statistics of column j, over all n rows of the set:
 *
 *     mean_j = (1/n) sum_i x_ij        sd_j = sqrt((1/n) sum_i (x_ij - mean_j)^2)
 *
 * the population's sd, as scikit-learn's StandardScaler has it. Entries that are
 * not stored count as the zeros they are; example weights play no part. A missing
 * value is NaN and is filled first: fill_j is the mean of the values present
 * (0 if there is none), and every other statistic is that of the filled column.
 *
 * Invariants:
 * - Dense and sparse copies of a data set get the same bits, however they are cut
 *   into blocks. So a sum runs over the entries that are not zero, in row order,
 *   and the zeros enter at the end as a count, not one by one.
 * - For the same reason there is one thread here: a column's sum is a chain, and
 *   partial sums by block would depend on the blocks. It is a gather and a few
 *   additions for each entry, little beside reading the file.
 * - The mean is summed with its rounding errors (Knuth's two-sum), and the sd in
 *   a second pass around that mean, in units of a power of two near the column's
 *   range: neither a large mean nor tiny or huge values spoil it.
 * - Rows that are not chosen have no influence: the state is, to the bit, that of the chosen
 *   ones alone.
 * - shift is NULL exactly when it would be 0 everywhere: sparse rows stay sparse.
 *
 * Cost: O(entries) for each pass, one for maxabs, minmax and fill, two for
 * standard; 64 bytes a column while fitting.
 *
 * Not here: applying what was learned (transform.c).
 * Knuth, The Art of Computer Programming 2, 4.2.2, theorem B.
 * Chan, Golub, LeVeque, The American Statistician 37(3), 1983. */
#include <inttypes.h>
#include <math.h>

#include "base/sort.h"
#include "data/transform.h"
#include "vec/fmath.h"

/* ----- statistics ------------------------------------------------------------ */

struct moments {      /* of one column: a cache line */
    double sum, rest; /* sum + rest is the sum, nearly exactly */
    double min, max;
    double unit;               /* 1 / a power of two near max - min; 0: constant */
    double squares;            /* sum of ((x - mean) unit)^2 */
    uint64_t nonzero, missing; /* entries; the other rows hold zeros */
};

struct column_survey {
    const struct block *block;
    size_t blocks;
    const uint8_t *chosen;     /* by row; NULL: all */
    const struct schema *told; /* NULL: no column is treated in a way of its own */
    uint64_t columns, rows;
    enum scale scale; /* of those that are not, below `numbers` */
    double by;
    uint64_t numbers;
    bool own; /* a column has a scaling of its own, or weights of words */
    struct moments *of;
    unsigned char *care; /* an enum care of each */
    const double *mean;  /* for the second pass */
    const double *fill;  /* and what missing values become */
};

/* One entry of the first pass. a + b = s + error exactly (theorem B). */
static void count_entry(struct moments *c, double x)
{
    if (x == 0) return;
    if (x != x) {
        c->missing++;
        return;
    }
    const double s = c->sum + x, t = s - c->sum;
    c->rest += (c->sum - (s - t)) + (x - t);
    c->sum = s;
    if (x < c->min) c->min = x;
    if (x > c->max) c->max = x;
    c->nonzero++;
}

static void survey_row(struct column_survey *s, const struct row *r)
{
    struct row_entries p;

    for (size_t from = 0, n; from < r->n; from += n) {
        n = row_entries_read(r, from, &p);
        for (size_t k = 0; k < n; k++) {
            const uint64_t j = p.column[k];
            if (j >= s->columns) continue;
            struct moments *c = &s->of[j];
            if (s->mean == NULL) {
                count_entry(c, p.x[k]);
                continue;
            }
            /* A missing value is what it becomes. Filled with the mean: distance 0. */
            const double x = p.x[k] == p.x[k] ? p.x[k] : s->fill[j];
            const double d = (x - s->mean[j]) * c->unit;
            if (p.x[k] != 0) c->squares += d * d;
        }
    }
}

/* A pass over the entries of the rows that count, in their order: the second once the means are
 * known. s->rows is their number. */
static void survey_pass(struct column_survey *s)
{
    const uint8_t *chosen = s->chosen;

    s->rows = 0;
    for (size_t b = 0; b < s->blocks; b++)
        for (size_t i = 0; i < s->block[b].rows; i++) {
            if (chosen != NULL && !*chosen++) continue;
            const struct row r = block_row(&s->block[b], i);
            survey_row(s, &r);
            s->rows++;
        }
}

/* The mean of the values present, which no rounding takes out of their range;
 * so a constant column has its constant as the mean. Not finite: overflow. */
static double mean_of(const struct moments *c, uint64_t rows)
{
    const uint64_t present = rows - c->missing;
    const double mean = present > 0 ? (c->sum + c->rest) / (double)present : 0;

    return mean < c->min ? c->min : mean > c->max ? c->max : mean;
}

/* unit = 2^-e with 2^(e-1) <= range < 2^e, and e not so low that 2^-e overflows. */
static int range_exponent(const struct moments *c)
{
    int e;

    frexp(c->max - c->min, &e);
    return e < -1000 ? -1000 : e;
}

static perc_status too_large(uint64_t j, perc_error *err)
{
    return fail(err, PERC_EDATA,
                "feature %" PRIu64 ": the sum or the range of its values overflows a double; write "
                "them in a larger unit, or use --scale maxabs",
                j);
}

/* ----- what becomes of each column ---------------------------------------------- */

enum care {
    CARE_LEFT, /* as it is */
    CARE_STANDARD,
    CARE_MINMAX,
    CARE_MAXABS,
    CARE_BY,
    CARE_WORD, /* by how seldom it is */
    CARE_BINARY,
    CARE_SPARSE,
    CARE_LARGE, /* left as they are by auto, and why */
    CARE_DIVIDE /* by its largest, by auto */
};

enum {
    SPARSE = 10,   /* a column is sparse where fewer than one row in so many has a value */
    DROWNING = 100 /* a sparse column with larger ones drowns those that are scaled to 1 */
};

/* What auto does with a column of numbers. */
static enum care choose_care(const struct column_survey *s, uint64_t j)
{
    const struct moments *c = &s->of[j];
    const double largest = c->max > -c->min ? c->max : -c->min;

    if (!isfinite(c->sum) || !isfinite(c->max - c->min)) return CARE_LARGE;
    if ((c->nonzero + c->missing) < (s->rows + SPARSE - 1) / SPARSE)
        return largest > DROWNING ? CARE_DIVIDE : CARE_SPARSE;
    /* Numbers from 0 to 1 add up to their count only if each is 1. */
    if (c->min >= 0 && c->max <= 1 && c->sum == (double)c->nonzero) return CARE_BINARY;
    return CARE_STANDARD;
}

static enum care care_for(const struct column_survey *s, enum scale scale, uint64_t j)
{
    switch (scale) {
    case SCALE_STANDARD: return CARE_STANDARD;
    case SCALE_MINMAX: return CARE_MINMAX;
    case SCALE_MAXABS: return CARE_MAXABS;
    case SCALE_BY: return CARE_BY;
    case SCALE_AUTO: return choose_care(s, j);
    default: return CARE_LEFT;
    }
}

/* A table's levels and words stay what they are, but for by:N, which is of all, and tfidf. */
static void decide_cares(struct column_survey *s)
{
    const struct schema *told = s->told;

    for (uint64_t j = 0; j < s->columns; j++)
        s->care[j] = (unsigned char)(j < s->numbers         ? care_for(s, s->scale, j)
                                     : s->scale == SCALE_BY ? CARE_BY
                                                            : CARE_LEFT);
    for (size_t i = 0; told != NULL && i < told->columns; i++) {
        const struct column *c = &told->column[i];
        if (c->how.scaled && column_is_number(c) && c->feature < s->columns)
            s->care[c->feature] = (unsigned char)care_for(s, c->how.scale, c->feature);
    }
    for (size_t k = 0; told != NULL && k < told->categories; k++) {
        const struct category *c = &told->category[k];
        if (told->column[c->column].how.tfidf && c->feature < s->columns)
            s->care[c->feature] = CARE_WORD;
    }
}

/* How seldom a word is among the rows: the weights of scikit-learn's TfidfTransformer. */
static double seldom(const struct column_survey *s, const struct moments *c)
{
    return fm_log((1 + (double)s->rows) / (1 + (double)c->nonzero)) + 1;
}

bool transform_is_told(const struct schema *told, enum scale scale)
{
    for (size_t i = 0; told != NULL && i < told->columns; i++) {
        const struct column *c = &told->column[i];
        const bool scaled = c->how.scaled && column_is_number(c);
        if (c->how.tfidf || (scaled && (c->how.scale != SCALE_NONE || scale != SCALE_NONE)))
            return true;
    }
    return false;
}

/* ----- medians ------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The middle of the n values, or the mean of the two. Halves cannot overflow. */
static double median_of(double *x, size_t n)
{
    if (n == 0) return 0;
    sort_items(x, n, sizeof *x, by_size);
    if (n % 2 == 1) return x[n / 2];
    const double sum = x[n / 2 - 1] + x[n / 2];
    return isfinite(sum) ? sum / 2 : x[n / 2 - 1] / 2 + x[n / 2] / 2;
}

/* The values of column j that are there. */
static size_t values_of(const struct column_survey *s, uint64_t j, double *out)
{
    const uint8_t *chosen = s->chosen;
    size_t n = 0;

    for (size_t b = 0; b < s->blocks; b++)
        for (size_t i = 0; i < s->block[b].rows; i++) {
            if (chosen != NULL && !*chosen++) continue;
            const struct row r = block_row(&s->block[b], i);
            const double x = row_entry(&r, j);
            if (x == x) out[n++] = x;
        }
    return n;
}

/* Gaps of column j are its median: so its sum has those, too. */
static void fill_with(struct moments *c, double median)
{
    const double n = (double)c->missing, more = n * median;
    const double s = c->sum + more, t = s - c->sum;

    c->rest += (c->sum - (s - t)) + (more - t) + fma(n, median, -more);
    c->sum = s;
    c->nonzero += c->missing;
    c->missing = 0;
}

/* Fills t->fill where it is a median; elsewhere it is NaN, and will be a mean. */
static perc_status fit_medians(const struct env *e, struct column_survey *s, struct transform *t)
{
    double *x = NULL;

    for (uint64_t j = t->first; t->fill != NULL && j < s->columns; j++) t->fill[j] = (double)NAN;
    for (size_t i = 0; s->told != NULL && i < s->told->columns && t->fill != NULL; i++) {
        const struct column *c = &s->told->column[i];
        if (c->how.fill != FILL_MEDIAN || !column_is_number(c) || c->feature >= s->columns)
            continue;
        if (x == NULL && (x = mem_array(e, (size_t)s->rows, sizeof *x)) == NULL) return PERC_ENOMEM;
        t->fill[c->feature] = median_of(x, values_of(s, c->feature, x));
        fill_with(&s->of[c->feature], t->fill[c->feature]);
    }
    mem_free(e, x, (size_t)s->rows, sizeof *x);
    return PERC_OK;
}

/* ----- fitting ----------------------------------------------------------------- */

static double *constant(const struct env *e, size_t n, double v)
{
    double *a = mem_array(e, n, sizeof *a);

    for (size_t j = 0; a != NULL && j < n; j++) a[j] = v;
    return a;
}

static perc_status survey_start(const struct env *e, struct column_survey *s, bool fill,
                                perc_error *err)
{
    const size_t n = (size_t)s->columns;

    s->of = mem_zeroed(e, n, sizeof *s->of);
    if (s->of == NULL) return fail_memory(err);
    for (size_t j = 0; j < n; j++) {
        s->of[j].min = INFINITY;
        s->of[j].max = -INFINITY;
    }
    survey_pass(s);
    for (size_t j = 0; j < n; j++) {
        /* After the first pass: the zeros join, and an empty column is one of zeros. */
        struct moments *c = &s->of[j];
        if (c->nonzero + c->missing < s->rows || c->nonzero == 0) {
            if (!(c->min < 0)) c->min = 0;
            if (!(c->max > 0)) c->max = 0;
        }
        if (!fill && c->missing > 0)
            return fail(err, PERC_EDATA, "feature %zu has missing values; use --missing mean", j);
    }
    return PERC_OK;
}

/* Fills the rest of t->fill, and t->shift where it is a mean or a minimum. */
static perc_status fit_shift(const struct column_survey *s, struct transform *t, perc_error *err)
{
    for (size_t j = (size_t)t->first; j < s->columns; j++) {
        const struct moments *c = &s->of[j];
        const bool standard = s->care[j] == CARE_STANDARD;
        const double mean = mean_of(c, s->rows);

        const bool by_mean = t->fill != NULL && t->fill[j] != t->fill[j]; /* and not a median */
        if ((by_mean || standard) && !isfinite(c->sum)) return too_large(j, err);
        if (by_mean) t->fill[j] = mean;
        if (standard) t->shift[j] = mean;
        if (s->care[j] == CARE_MINMAX) t->shift[j] = c->min;
    }
    return PERC_OK;
}

/* The second pass, around the means, in units near each column's range. */
static void survey_squares(struct column_survey *s, const struct transform *t)
{
    for (size_t j = 0; j < s->columns; j++) {
        struct moments *c = &s->of[j];
        const bool counts = c->max > c->min && s->care[j] == CARE_STANDARD;
        c->unit = counts ? ldexp(1, -range_exponent(c)) : 0;
    }
    s->mean = t->shift;
    s->fill = t->fill;
    survey_pass(s);
}

static double deviation(const struct column_survey *s, const struct transform *t, size_t j)
{
    const struct moments *c = &s->of[j];
    const double zeros = (double)(s->rows - c->nonzero - c->missing);
    const double a = t->shift[j] * c->unit;
    const double squares = (c->squares + zeros * (a * a)) / (double)s->rows;

    return c->unit == 0 ? 0 : ldexp(sqrt(squares), range_exponent(c));
}

static perc_status fit_divisor(struct column_survey *s, struct transform *t, perc_error *err)
{
    bool standard = false;

    for (size_t j = 0; j < s->columns; j++) {
        const bool range = s->care[j] == CARE_STANDARD || s->care[j] == CARE_MINMAX;
        if (range && !isfinite(s->of[j].max - s->of[j].min)) return too_large(j, err);
        standard |= s->care[j] == CARE_STANDARD;
    }
    if (standard) survey_squares(s, t);
    for (size_t j = (size_t)t->first; j < s->columns; j++) {
        const struct moments *c = &s->of[j];
        double d = 0;

        switch ((enum care)s->care[j]) {
        case CARE_STANDARD: d = deviation(s, t, j); break;
        case CARE_MINMAX: d = c->max - c->min; break;
        case CARE_MAXABS:
        case CARE_DIVIDE: d = c->max > -c->min ? c->max : -c->min; break;
        case CARE_BY: d = s->by; break;
        case CARE_WORD: d = 1 / seldom(s, c); break;
        default: break;
        }
        if (d > 0) t->divisor[j] = d;
    }
    for (size_t i = 0; s->told != NULL && i < s->told->columns; i++) {
        const struct column *c = &s->told->column[i];
        if (c->how.scaled && c->how.scale == SCALE_BY && column_is_number(c) &&
            c->feature < s->columns)
            t->divisor[c->feature] = c->how.by;
    }
    return PERC_OK;
}

/* Zeros that do not move need no shift; those that do make sparse rows longer. */
static perc_status decide_shift(const struct column_survey *s, struct transform *t, perc_error *err)
{
    bool sparse = false;

    transform_count(t);
    for (size_t b = 0; b < s->blocks && !sparse; b++) sparse = s->block[b].indices != INDEX_DENSE;
    if (t->moves > 0) return sparse ? transform_dense_fits(t, s->rows, err) : PERC_OK;
    mem_free(&t->e, t->shift, (size_t)t->columns, sizeof *t->shift);
    t->shift = NULL;
    return PERC_OK;
}

/* The state for a survey that was not made yet, but for the shift. */
static perc_status fit_state(const struct env *e, struct column_survey *s, struct transform *t,
                             bool fill, perc_error *err)
{
    perc_status st;

    if (s->columns > SIZE_MAX / sizeof(struct moments)) return fail_memory(err);
    t->columns = s->columns;
    /* The arrays that this kind of transform has, as they are for an unused column. */
    const size_t wide = (size_t)s->columns;
    const bool divide = s->own || transform_needs_pass(t->scale),
               move = divide && t->scale != SCALE_MAXABS;
    if ((s->care = mem_array(e, wide, sizeof *s->care)) == NULL ||
        (fill && (t->fill = constant(e, wide, 0)) == NULL) ||
        (divide && (t->divisor = constant(e, wide, 1)) == NULL) ||
        (move && (t->shift = constant(e, wide, 0)) == NULL))
        return fail_memory(err);
    if ((st = survey_start(e, s, fill, err))) return st;
    decide_cares(s);
    if (fit_medians(e, s, t)) return fail_memory(err);
    if ((st = fit_shift(s, t, err))) return st;
    return t->divisor != NULL ? fit_divisor(s, t, err) : PERC_OK;
}

static void forget_survey(const struct env *e, struct column_survey *s)
{
    mem_free(e, s->of, (size_t)s->columns, sizeof *s->of);
    mem_free(e, s->care, (size_t)s->columns, sizeof *s->care);
}

perc_status transform_fit(const struct env *e, const struct block *blocks, size_t n,
                          const uint8_t *chosen, uint64_t columns, int index_base, enum scale scale,
                          double by, bool fill, const struct schema *told, struct transform *out,
                          perc_error *err)
{
    struct transform t = { .e = *e, .scale = scale, .by = by, .first = (uint64_t)index_base };
    struct column_survey s = { .block = blocks,
                               .blocks = n,
                               .chosen = chosen,
                               .told = told,
                               .columns = columns,
                               .scale = scale,
                               .by = by,
                               .numbers = told != NULL ? told->numeric : columns,
                               .own = transform_is_told(told, scale) };
    perc_status st;

    *out = (struct transform){ .e = *e };
    if (!fill && !transform_needs_pass(scale) && !s.own) {
        *out = t;
        return PERC_OK;
    }
    if (s.own && scale != SCALE_UNIT) t.scale = SCALE_STANDARD;
    if (!(st = fit_state(e, &s, &t, fill, err)) && t.shift != NULL) st = decide_shift(&s, &t, err);
    if (!st && t.scale == SCALE_UNIT && t.shift != NULL)
        st = fail(err, PERC_EARG,
                  "--scale unit is of whole rows, and a column has scale=standard or minmax, which "
                  "move zeros: leave one of them out");
    forget_survey(e, &s);
    if (st) transform_free(&t);
    else *out = t; /* the caller owns it now */
    return st;
}

/* Values are filled in at most: the scaling goes. */
static void drop_scaling(struct transform *t)
{
    mem_free(&t->e, t->shift, (size_t)t->columns, sizeof *t->shift);
    mem_free(&t->e, t->divisor, (size_t)t->columns, sizeof *t->divisor);
    t->shift = t->divisor = NULL;
    t->scale = SCALE_NONE;
    transform_count(t);
    if (t->fill == NULL) t->columns = 0;
}

/* What a column says itself is not what auto has found. */
static void leave_told(const struct column_survey *s, struct transform_choice *choice)
{
    for (size_t i = 0; s->told != NULL && i < s->told->columns; i++) {
        const struct column *c = &s->told->column[i];
        if (!c->how.scaled || !column_is_number(c)) continue;
        choice->numbers--;
        if (c->feature >= s->columns) continue;
        const enum care care = (enum care)s->care[c->feature];
        choice->standard -= care == CARE_STANDARD;
        choice->divided -= care == CARE_DIVIDE;
        choice->binary -= care == CARE_BINARY;
        choice->large -= care == CARE_LARGE;
    }
}

perc_status transform_choose(const struct env *e, const struct block *blocks, size_t n,
                             const uint8_t *chosen, uint64_t columns, uint64_t numbers, bool fill,
                             const struct schema *told, struct transform *out,
                             struct transform_choice *choice, perc_error *err)
{
    struct transform t = { .e = *e, .scale = SCALE_STANDARD, .by = 1 };
    struct column_survey s = { .block = blocks,
                               .blocks = n,
                               .chosen = chosen,
                               .told = told,
                               .columns = columns,
                               .scale = SCALE_AUTO,
                               .numbers = numbers,
                               .own = transform_is_told(told, SCALE_AUTO) };
    perc_status st = fit_state(e, &s, &t, fill, err);

    *out = (struct transform){ .e = *e };
    *choice = (struct transform_choice){ .numbers = numbers };
    for (uint64_t j = 0; j < columns && j < numbers && !st; j++) {
        const enum care care = (enum care)s.care[j];
        choice->standard += care == CARE_STANDARD;
        choice->divided += care == CARE_DIVIDE;
        choice->binary += care == CARE_BINARY;
        choice->large += care == CARE_LARGE;
    }
    if (!st) leave_told(&s, choice);
    transform_count(&t);
    /* No data set is refused for what nobody asked for. */
    if (!st && !s.own && transform_dense_fits(&t, s.rows, NULL)) {
        choice->large += choice->standard + choice->divided;
        choice->standard = choice->divided = 0;
    }
    if (!st && !s.own && choice->standard + choice->divided == 0) drop_scaling(&t);
    if (!st && t.shift != NULL) st = decide_shift(&s, &t, err);
    forget_survey(e, &s);
    if (st) transform_free(&t);
    else *out = t; /* the caller owns it now */
    return st;
}
