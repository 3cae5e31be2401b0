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

#include "data/transform.h"

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
    const uint8_t *chosen; /* by row; NULL: all */
    uint64_t columns, rows;
    struct moments *of;
    const double *mean; /* for the second pass */
    bool chooses;       /* auto, where columns below `numbers` are those of numbers */
    uint64_t numbers;
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
            /* In the second pass a missing value is filled with the mean: distance 0. */
            const double d = s->mean != NULL ? (p.x[k] - s->mean[j]) * c->unit : 0;
            if (s->mean == NULL) count_entry(c, p.x[k]);
            else if (p.x[k] != 0 && p.x[k] == p.x[k]) c->squares += d * d;
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

/* ----- auto -------------------------------------------------------------------- */

/* What auto does with a column. */
enum care { CARE_STANDARD, CARE_DIVIDE, CARE_BINARY, CARE_SPARSE, CARE_LARGE, CARE_WORD };

enum {
    SPARSE = 10,   /* a column is sparse where fewer than one row in so many has a value */
    DROWNING = 100 /* a sparse column with larger ones drowns those that are scaled to 1 */
};

static enum care care_of(const struct column_survey *s, uint64_t j)
{
    const struct moments *c = &s->of[j];
    const double largest = c->max > -c->min ? c->max : -c->min;

    if (!s->chooses) return CARE_STANDARD;
    if (j >= s->numbers) return CARE_WORD;
    if (!isfinite(c->sum) || !isfinite(c->max - c->min)) return CARE_LARGE;
    if ((c->nonzero + c->missing) < (s->rows + SPARSE - 1) / SPARSE)
        return largest > DROWNING ? CARE_DIVIDE : CARE_SPARSE;
    /* Numbers from 0 to 1 add up to their count only if each is 1. */
    if (c->min >= 0 && c->max <= 1 && c->sum == (double)c->nonzero) return CARE_BINARY;
    return CARE_STANDARD;
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

/* Fills t->fill, and t->shift where it is a mean or a minimum. */
static perc_status fit_shift(const struct column_survey *s, struct transform *t, perc_error *err)
{
    for (size_t j = (size_t)t->first; j < s->columns; j++) {
        const struct moments *c = &s->of[j];
        const bool standard = t->scale == SCALE_STANDARD && care_of(s, j) == CARE_STANDARD;
        const double mean = mean_of(c, s->rows);

        if (t->fill != NULL || standard) {
            if (!isfinite(c->sum)) return too_large(j, err);
            if (t->fill != NULL) t->fill[j] = mean;
        }
        if (t->shift != NULL && (standard || !s->chooses)) t->shift[j] = standard ? mean : c->min;
    }
    return PERC_OK;
}

static perc_status fit_divisor(struct column_survey *s, struct transform *t, perc_error *err)
{
    for (size_t j = 0; j < s->columns && t->scale != SCALE_MAXABS && !s->chooses; j++)
        if (!isfinite(s->of[j].max - s->of[j].min)) return too_large(j, err);
    if (t->scale == SCALE_STANDARD) {
        /* The second pass, around the means, in units near each column's range. */
        for (size_t j = 0; j < s->columns; j++) {
            struct moments *c = &s->of[j];
            const bool counts = c->max > c->min && care_of(s, j) == CARE_STANDARD;
            c->unit = counts ? ldexp(1, -range_exponent(c)) : 0;
        }
        s->mean = t->shift;
        survey_pass(s);
    }
    for (size_t j = (size_t)t->first; j < s->columns; j++) {
        const struct moments *c = &s->of[j];
        const enum care care = care_of(s, j);
        double d = c->max - c->min;

        if (care != CARE_STANDARD && care != CARE_DIVIDE) continue;

        if (t->scale == SCALE_STANDARD) {
            const double zeros = (double)(s->rows - c->nonzero - c->missing);
            const double a = t->shift[j] * c->unit;
            const double squares = (c->squares + zeros * (a * a)) / (double)s->rows;
            d = c->unit == 0 ? 0 : ldexp(sqrt(squares), range_exponent(c));
        }
        if (t->scale == SCALE_MAXABS || care == CARE_DIVIDE)
            d = c->max > -c->min ? c->max : -c->min;
        if (d > 0) t->divisor[j] = d;
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
    const bool divide = transform_needs_pass(t->scale), move = divide && t->scale != SCALE_MAXABS;
    if ((fill && (t->fill = constant(e, wide, 0)) == NULL) ||
        (divide && (t->divisor = constant(e, wide, 1)) == NULL) ||
        (move && (t->shift = constant(e, wide, 0)) == NULL))
        return fail_memory(err);
    if ((st = survey_start(e, s, fill, err)) || (st = fit_shift(s, t, err))) return st;
    return t->divisor != NULL ? fit_divisor(s, t, err) : PERC_OK;
}

perc_status transform_fit(const struct env *e, const struct block *blocks, size_t n,
                          const uint8_t *chosen, uint64_t columns, int index_base, enum scale scale,
                          double by, bool fill, struct transform *out, perc_error *err)
{
    struct transform t = { .e = *e, .scale = scale, .by = by, .first = (uint64_t)index_base };
    struct column_survey s = { blocks, n, chosen, .columns = columns };
    perc_status st;

    *out = (struct transform){ .e = *e };
    if (!fill && !transform_needs_pass(scale)) {
        *out = t;
        return PERC_OK;
    }
    if (!(st = fit_state(e, &s, &t, fill, err)) && t.shift != NULL) st = decide_shift(&s, &t, err);
    mem_free(e, s.of, (size_t)columns, sizeof *s.of);
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

perc_status transform_choose(const struct env *e, const struct block *blocks, size_t n,
                             const uint8_t *chosen, uint64_t columns, uint64_t numbers, bool fill,
                             struct transform *out, struct transform_choice *choice,
                             perc_error *err)
{
    struct transform t = { .e = *e, .scale = SCALE_STANDARD, .by = 1 };
    struct column_survey s = { blocks,          n,
                               chosen,          .columns = columns,
                               .chooses = true, .numbers = numbers };
    perc_status st = fit_state(e, &s, &t, fill, err);

    *out = (struct transform){ .e = *e };
    *choice = (struct transform_choice){ .numbers = numbers };
    for (uint64_t j = 0; j < columns && j < numbers && !st; j++) {
        const enum care care = care_of(&s, j);
        choice->standard += care == CARE_STANDARD;
        choice->divided += care == CARE_DIVIDE;
        choice->binary += care == CARE_BINARY;
        choice->large += care == CARE_LARGE;
    }
    transform_count(&t);
    /* No data set is refused for what nobody asked for. */
    if (!st && transform_dense_fits(&t, s.rows, NULL)) {
        choice->large += choice->standard + choice->divided;
        choice->standard = choice->divided = 0;
    }
    if (!st && choice->standard + choice->divided == 0) drop_scaling(&t);
    if (!st && t.shift != NULL) st = decide_shift(&s, &t, err);
    mem_free(e, s.of, (size_t)columns, sizeof *s.of);
    if (st) transform_free(&t);
    else *out = t; /* the caller owns it now */
    return st;
}
