/* cholesky.c -- H = L L', band by band.
 *
 * Left-looking (Golub, Van Loan 2013, section 4.2): a band of columns is brought up to
 * date with all bands on its left,
 *
 *     S_ij = H_ij - sum_{k < J} L_ik L_jk,   i >= j,   j in the band from J on,   (1)
 *
 * then its square on the diagonal is factored, and every row below is solved for it.
 * Nearly all the work is in (1): dots of rows of L, which lie in memory one after the
 * other; a tile of several i and j at a time, so that a number loaded is used more than
 * once. The lanes of a dot are added up in one order, whatever the tile. */
#include "vec/cholesky.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "vec/lanes.h"
#include "vec/targets.h"

typedef double lanes_at __attribute__((vector_size(8 * LANES), may_alias, aligned(8)));

enum {
    BAND = 32,  /* columns of a band: its square on the diagonal is 8 KiB */
    TASK = 32,  /* rows below, handed to a thread at a time                 */
    WORTH = 256 /* rows of a matrix from which on threads are worth it     */
};

struct band {
    double *l;
    size_t stride, size;
    size_t from, to;                /* columns of the band */
    double transposed[BAND * BAND]; /* the square, transposed: column j of L at j * BAND */
    double inverse[BAND];           /* 1 / L_jj */
};

/* ----- (1) ----------------------------------------------------------------------- */

LANES_INLINE double total(const lanes *v)
{
    const lanes s = *v;

    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/* S of `high` rows at a and `wide` columns, rows of L at b; n numbers each. */
LANES_INLINE void tile(const double *a, const double *b, size_t stride, size_t n, int high,
                       int wide, double *s)
{
    lanes sum[4][4] = { { { 0 } } };

    for (size_t k = 0; k < n; k += LANES)
        for (int i = 0; i < high; i++)
            for (int j = 0; j < wide; j++)
                sum[i][j] += *(const lanes_at *)(a + (size_t)i * stride + k) *
                             *(const lanes_at *)(b + (size_t)j * stride + k);
    for (int i = 0; i < high; i++)
        for (int j = 0; j < wide; j++) s[(size_t)i * stride + (size_t)j] -= total(&sum[i][j]);
}

/* Rows first .. last-1 (a multiple of `high`) of the band. */
LANES_INLINE void update_any(const struct band *p, size_t first, size_t last, int high, int wide)
{
    for (size_t j = p->from; j < p->to; j += (size_t)wide)
        for (size_t i = first; i < last; i += (size_t)high)
            tile(p->l + i * p->stride, p->l + j * p->stride, p->stride, p->from, high, wide,
                 p->l + i * p->stride + j);
}

/* ----- the rows below the square ------------------------------------------------------ */

/* L_ij = (S_ij - sum_{J <= k < j} L_ik L_jk) / L_jj, column after column. */
LANES_INLINE void solve_any(const struct band *p, size_t first, size_t last)
{
    const size_t wide = p->to - p->from;

    for (size_t i = first; i < last; i++) {
        double *s = p->l + i * p->stride + p->from;
        for (size_t j = 0; j < wide; j++) {
            const double *column = p->transposed + j * BAND;
            const double x = s[j] * p->inverse[j];
            for (size_t k = j / LANES * LANES; k < wide; k += LANES) /* zeros up to column j */
                *(lanes_at *)(s + k) -= x * *(const lanes_at *)(column + k);
            s[j] = x;
        }
    }
}

/* ----- by processor --------------------------------------------------------------------- */

/* A tile keeps as much in registers as there is room for. */
TARGETS(solve, (const struct band *p, size_t first, size_t last), (p, first, last))

static void update_plain(const struct band *p, size_t first, size_t last)
{
    update_any(p, first, last, 1, 2);
}

#ifdef HAVE_TARGETS
FOR_AVX2 static void update_avx2(const struct band *p, size_t first, size_t last)
{
    update_any(p, first, last, 2, 2);
}

FOR_AVX512 static void update_avx512(const struct band *p, size_t first, size_t last)
{
    update_any(p, first, last, 4, 4);
}
#endif

/* ----- the whole --------------------------------------------------------------------------- */

/* Below this share of the element it began as, a pivot is nothing but rounding. */
#define PIVOT_SHARE 0x1p-48

/* The square on the diagonal, by columns; h has the original elements. */
static size_t factor_square(struct band *p, const double *h)
{
    const size_t wide = p->to - p->from;
    double *s = p->l + p->from * p->stride + p->from;
    size_t repaired = 0;

    memset(p->transposed, 0, sizeof p->transposed);
    for (size_t j = 0; j < wide; j++) {
        const double began = h[(p->from + j) * p->stride + p->from + j];
        double *diagonal = &s[j * p->stride + j];
        if (!(*diagonal > PIVOT_SHARE * began)) {
            *diagonal = began > 0 ? began : 1;
            repaired++;
        }
        const double root = *diagonal = sqrt(*diagonal);
        p->inverse[j] = 1 / root;
        for (size_t i = j + 1; i < wide; i++) {
            s[i * p->stride + j] *= p->inverse[j];
            p->transposed[j * BAND + i] = s[i * p->stride + j];
        }
        for (size_t i = j + 1; i < wide; i++)
            for (size_t k = j + 1; k <= i; k++)
                s[i * p->stride + k] -= s[i * p->stride + j] * s[k * p->stride + j];
    }
    return repaired;
}

static void solve_below(void *ud, uint64_t task)
{
    const struct band *p = ud;
    const size_t first = p->to + (size_t)task * TASK;
    const size_t last = first + TASK < p->size ? first + TASK : p->size;

    TARGETED(update)(p, first, last);
    solve(p, first, last);
}

size_t cholesky(const double *h, double *l, size_t size, size_t stride, int threads)
{
    struct band p = { .l = l, .stride = stride, .size = size };
    size_t repaired = 0;

    for (size_t i = 0; i < size; i++) memcpy(l + i * stride, h + i * stride, (i + 1) * sizeof *l);
    for (size_t i = 0; i < size; i++) /* read as part of a tile, and thrown away */
        memset(l + i * stride + i + 1, 0, (size - i - 1) * sizeof *l);
    for (p.from = 0; p.from < size; p.from = p.to) {
        p.to = p.from + BAND < size ? p.from + BAND : size;
        TARGETED(update)(&p, p.from, p.to);
        repaired += factor_square(&p, h);
        threads_each(size >= WORTH ? threads : 1, (size - p.to + TASK - 1) / TASK, solve_below, &p);
    }
    return repaired;
}

void cholesky_solve(const double *l, size_t size, size_t stride, double *x)
{
    for (size_t i = 0; i < size; i++) { /* L z = b */
        lanes sum = { 0 };
        size_t k = 0;
        double rest = x[i];
        for (; k + LANES <= i; k += LANES)
            sum += *(const lanes_at *)(l + i * stride + k) * *(const lanes_at *)(x + k);
        rest -= total(&sum);
        for (; k < i; k++) rest -= l[i * stride + k] * x[k];
        x[i] = rest / l[i * stride + i];
    }
    for (size_t i = size; i-- > 0;) { /* L' x = z */
        x[i] /= l[i * stride + i];
        for (size_t k = 0; k < i; k++) x[k] -= x[i] * l[i * stride + k];
    }
}
