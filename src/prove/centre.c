/* centre.c -- the same rows in better coordinates, for solvers that round.
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
#include <string.h>

#include "prove/settle.h"

static const double far = 4; /* means of so many spreads are worth a copy */
static const uint64_t entries_max = UINT64_C(1) << 27;

/* Means, then mean squares about them, over all rows: zeros count. */
static void measure(const struct problem *f, double *mean, double *spread)
{
    const double n = (double)f->n;

    for (int turn = 0; turn < 2; turn++) {
        for (uint64_t i = 0; i < f->n; i++) {
            const struct row r = block_row(&f->blocks[f->ref[i] >> 32], f->ref[i] & UINT32_MAX);
            for (size_t k = 0; k < r.n; k++) {
                const uint64_t c = row_column(&r, k);
                const double v = c < f->dims ? row_value(&r, k) : 0;
                if (c >= f->dims) continue;
                if (turn == 0) mean[c] += v / n;
                else spread[c] += ((v - mean[c]) * (v - mean[c]) - mean[c] * mean[c]) / n;
            }
        }
        for (uint64_t c = 0; c < f->dims && turn == 1; c++)
            spread[c] = sqrt(fmax(spread[c] + mean[c] * mean[c], 0));
    }
}

/* Whether most of the columns in use lie far from 0. */
static bool worth_it(const struct problem *f, const double *mean, const double *spread)
{
    uint64_t used = 0, off = 0;

    for (uint64_t c = 0; c < f->dims; c++) {
        if (!isfinite(mean[c]) || !isfinite(spread[c])) return false;
        used += mean[c] != 0 || spread[c] != 0;
        off += fabs(mean[c]) > far * spread[c] && mean[c] != 0;
    }
    return off * 2 > used;
}

static void fill(struct centred *t, const struct problem *f)
{
    const uint64_t d = f->dims;

    for (uint64_t c = 0; c < d; c++) {
        int e;
        frexp(t->scale[c], &e); /* the spread, until now */
        t->scale[c] = t->scale[c] > 0 ? ldexp(1, e > 900 ? -900 : e < -900 ? 900 : -e) : 1;
    }
    for (uint64_t i = 0; i < f->n; i++) {
        const struct row r = block_row(&f->blocks[f->ref[i] >> 32], f->ref[i] & UINT32_MAX);
        double *x = t->value + i * d;
        for (uint64_t c = 0; c < d; c++) x[c] = -t->mean[c] * t->scale[c];
        for (size_t k = 0; k < r.n; k++) {
            const uint64_t c = row_column(&r, k);
            if (c < d) x[c] = (row_value(&r, k) - t->mean[c]) * t->scale[c];
        }
        t->ref[i] = ref_make(0, i);
    }
    t->block = (struct block){ .rows = (size_t)f->n,
                               .values = VALUES_F64,
                               .indices = INDEX_DENSE,
                               .value = t->value,
                               .width = d,
                               .row_stride = (ptrdiff_t)(d * sizeof *t->value),
                               .stride = sizeof *t->value };
    t->f.blocks = &t->block;
    t->f.block_count = 1;
    t->f.ref = t->ref;
    t->any = true;
}

perc_status centre_new(struct centred *t, const struct problem *f, perc_error *err)
{
    const struct env *e = &f->e;

    *t = (struct centred){ .f = *f };
    if (!f->offset || f->n == 0 || f->dims == 0 || f->dims > entries_max / f->n) return PERC_OK;
    t->mean = mem_zeroed(e, f->dims, sizeof *t->mean);
    t->scale = mem_zeroed(e, f->dims, sizeof *t->scale);
    if (t->mean == NULL || t->scale == NULL) goto out;
    measure(f, t->mean, t->scale);
    if (!worth_it(f, t->mean, t->scale)) return PERC_OK;
    t->value = mem_array(e, (size_t)(f->n * f->dims), sizeof *t->value);
    t->ref = mem_array(e, f->n, sizeof *t->ref);
    if (t->value == NULL || t->ref == NULL) goto out;
    fill(t, f);
    return PERC_OK;
out:
    centre_free(t);
    return fail_memory(err);
}

void centre_free(struct centred *t)
{
    const struct problem *f = &t->f;

    if (f->e.alloc == NULL) return;
    mem_free(&f->e, t->mean, f->dims, sizeof *t->mean);
    mem_free(&f->e, t->scale, f->dims, sizeof *t->scale);
    mem_free(&f->e, t->value, (size_t)(f->n * f->dims), sizeof *t->value);
    mem_free(&f->e, t->ref, f->n, sizeof *t->ref);
    memset(t, 0, sizeof *t);
}

void centre_back(const struct centred *t, double *w)
{
    if (!t->any) return;
    for (uint64_t c = 0; c < t->f.dims; c++) {
        w[c] *= t->scale[c];
        w[t->f.dims] -= t->mean[c] * w[c];
    }
}
