/* precondition.c -- the same rows in better coordinates, for solvers that round.
 *
 * Numbers like 480 +- 5 make all rows nearly parallel, and solvers with rounding slow or
 * wrong. With an offset
 *
 *     x'_ij = (x_ij - m_j) s_j,    w_j = s_j w'_j,    b = b' - sum_j m_j w_j
 *
 * is the same problem: every plane of one is one of the other with the same scores. m_j is
 * the mean of the column and s_j a power of two near 1 / its spread. The rows are copied, and
 * what is found for the copies is a proposal like any other. */
#include <math.h>

#include "prove/job.h"

static const double far = 4; /* means of this many spreads are worth a copy */
static const uint64_t entries_max = UINT64_C(1) << 27;

/* Means, then mean squares about them, over all rows: zeros count. */
static void measure_columns(const struct problem *floats, double *mean, double *spread)
{
    const double n = (double)floats->n;

    for (uint64_t i = 0; i < 2 * floats->n; i++) {
        const struct row r = problem_block_row(floats, i % floats->n);
        for (size_t k = 0; k < r.n; k++) {
            const uint64_t c = row_column(&r, k);
            const double v = row_value(&r, k), off = v - mean[c];
            if (i < floats->n) mean[c] += v / n;
            else spread[c] += (off * off - mean[c] * mean[c]) / n;
        }
    }
    for (uint64_t c = 0; c < floats->dims; c++)
        spread[c] = sqrt(fmax(spread[c] + mean[c] * mean[c], 0));
}

/* Whether most of the columns in use lie far from 0. */
static bool worth_it(const struct problem *floats, const double *mean, const double *spread)
{
    uint64_t used = 0, off = 0;

    for (uint64_t c = 0; c < floats->dims; c++) {
        if (!isfinite(mean[c]) || !isfinite(spread[c])) return false;
        used += mean[c] != 0 || spread[c] != 0;
        off += fabs(mean[c]) > far * spread[c];
    }
    return off * 2 > used;
}

perc_status precondition_new(struct preconditioned *t, const struct problem *floats,
                             perc_error *err)
{
    const uint64_t d = floats->dims;

    *t = (struct preconditioned){ .floats = *floats };
    if (!floats->offset || d == 0 || d > entries_max / floats->n) return PERC_OK;
    pool_init(&t->pool, &floats->e);
    t->mean = pool_zeroed(&t->pool, d, sizeof *t->mean);
    t->scale = pool_zeroed(&t->pool, d, sizeof *t->scale);
    if (!t->pool.failed) measure_columns(floats, t->mean, t->scale);
    if (!t->pool.failed && !worth_it(floats, t->mean, t->scale)) return PERC_OK;
    double *value = pool_array(&t->pool, floats->n * d, sizeof *value);
    uint64_t *ref = pool_array(&t->pool, floats->n, sizeof *ref);
    if (t->pool.failed) return fail_memory(err);
    for (uint64_t c = 0; c < d; c++) {
        int e;
        frexp(t->scale[c], &e); /* held the spread until now, whose square is a double */
        t->scale[c] = t->scale[c] > 0 ? ldexp(1, -e) : 1;
    }
    for (uint64_t i = 0; i < floats->n; i++) {
        const struct row r = problem_block_row(floats, i);
        double *x = value + i * d;
        for (uint64_t c = 0; c < d; c++) x[c] = -t->mean[c] * t->scale[c];
        for (size_t k = 0; k < r.n; k++) {
            const uint64_t c = row_column(&r, k);
            x[c] = (row_value(&r, k) - t->mean[c]) * t->scale[c];
        }
        ref[i] = ref_make(0, i);
    }
    t->block = (struct block){ .rows = (size_t)floats->n,
                               .values = VALUES_F64,
                               .indices = INDEX_DENSE,
                               .value = value,
                               .width = d,
                               .row_stride = (ptrdiff_t)(d * sizeof *value),
                               .stride = sizeof *value };
    t->floats.blocks = &t->block;
    t->floats.block_count = 1;
    t->floats.ref = ref;
    t->any = true;
    return PERC_OK;
}

void precondition_undo(const struct preconditioned *t, double *w)
{
    if (!t->any) return;
    for (uint64_t c = 0; c < t->floats.dims; c++) {
        w[c] *= t->scale[c];
        w[t->floats.dims] -= t->mean[c] * w[c];
    }
}
