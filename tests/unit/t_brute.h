/* t_brute.h -- which rows can a plane have strictly on their side? By trying all circuits.
 *
 * For rows a_i of small whole numbers: row r is held (every w with a_i.w >= 0 for all i has
 * a_r.w = 0) exactly if some lambda >= 0 with sum lambda_i a_i = 0 has lambda_r > 0. Such a
 * lambda is a sum of ones with as few rows as can be (Rockafellar 1969), and these are
 * the dependent sets of at most dims + 1 rows whose one dependence has one sign: all of
 * them are tried. Nothing here is shared with the library. */
#ifndef PERC_TEST_BRUTE_H
#define PERC_TEST_BRUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BRUTE_ROWS = 20, BRUTE_DIMS = 6 };

__extension__ typedef __int128 t_wide;

enum t_side { T_SEPARABLE, T_TOUCHING, T_OVERLAPPING };

struct t_brute {
    size_t n, dims;
    int64_t a[BRUTE_ROWS][BRUTE_DIMS]; /* y_i (x_i, 1) or y_i x_i */
    bool held[BRUTE_ROWS];             /* in C */
    size_t strict, holds;              /* |S|, |C| */
    enum t_side side;
};

/* Brings the columns of m (rows x cols, rows being coordinates) to echelon form without
 * fractions (Bareiss 1968); pivot[r] is the column of row r. Returns the rank. Numbers are
 * minors of m. */
static inline size_t t_echelon(t_wide m[BRUTE_DIMS][BRUTE_ROWS], size_t rows, size_t cols,
                               size_t *pivot)
{
    t_wide last = 1;
    size_t rank = 0;

    for (size_t c = 0; c < cols && rank < rows; c++) {
        size_t p = rank;
        while (p < rows && m[p][c] == 0) p++;
        if (p == rows) continue;
        for (size_t k = 0; k < cols; k++) {
            const t_wide t = m[p][k];
            m[p][k] = m[rank][k];
            m[rank][k] = t;
        }
        for (size_t r = 0; r < rows; r++) {
            if (r == rank) continue;
            const t_wide f = m[r][c];
            for (size_t k = 0; k < cols; k++)
                m[r][k] = (m[r][k] * m[rank][c] - m[rank][k] * f) / last;
        }
        last = m[rank][c];
        pivot[rank++] = c;
    }
    return rank;
}

/* The rank of the rows that `take` names (NULL: all). */
static inline size_t t_brute_rank(const struct t_brute *b, const bool *take)
{
    t_wide m[BRUTE_DIMS][BRUTE_ROWS];
    size_t pivot[BRUTE_DIMS], n = 0;

    for (size_t i = 0; i < b->n; i++) {
        if (take != NULL && !take[i]) continue;
        for (size_t j = 0; j < b->dims; j++) m[j][n] = b->a[i][j];
        n++;
    }
    return t_echelon(m, b->dims, n, pivot);
}

/* Whether the rows `set` have one dependence, and that with one sign and no zeros: then all
 * pivots are in the first n - 1 columns, and every row of the echelon form reads
 * d lambda_r + e lambda_last = 0 with d, e of opposite signs. */
static inline bool t_circuit(const struct t_brute *b, const size_t *set, size_t n)
{
    t_wide m[BRUTE_DIMS][BRUTE_ROWS];
    size_t pivot[BRUTE_DIMS];

    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j < b->dims; j++) m[j][k] = b->a[set[k]][j];
    if (t_echelon(m, b->dims, n, pivot) != n - 1) return false;
    for (size_t r = 0; r + 1 < n; r++) {
        if (pivot[r] != r) return false;
        const t_wide d = m[r][r], e = m[r][n - 1];
        if (e == 0 || (d > 0) == (e > 0)) return false;
    }
    return true;
}

static inline void t_brute_sets(struct t_brute *b, size_t *set, size_t n, size_t from)
{
    if (n > 0 && t_circuit(b, set, n))
        for (size_t k = 0; k < n; k++) b->held[set[k]] = true;
    if (n > b->dims || n > BRUTE_DIMS) return;
    for (size_t i = from; i < b->n; i++) {
        set[n] = i;
        t_brute_sets(b, set, n + 1, i + 1);
    }
}

/* Fills in what follows from n, dims and a. */
static inline void t_brute_solve(struct t_brute *b)
{
    size_t set[BRUTE_DIMS + 1];

    memset(b->held, 0, sizeof b->held);
    t_brute_sets(b, set, 0, 0);
    b->holds = 0;
    for (size_t i = 0; i < b->n; i++) b->holds += b->held[i];
    b->strict = b->n - b->holds;
    b->side = b->holds == 0 ? T_SEPARABLE : b->strict == 0 ? T_OVERLAPPING : T_TOUCHING;
}

/* ----- random problems, degenerate on purpose --------------------------------------------- */

/* A plain matrix with labels, small enough for t_brute. */
struct t_small {
    size_t rows, cols;
    int x[BRUTE_ROWS][BRUTE_DIMS];
    int y[BRUTE_ROWS];
};

static inline uint64_t t_small_next(uint64_t *state) /* Steele et al. 2014 (splitmix64) */
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static inline int t_small_below(uint64_t *state, int n)
{
    return (int)(t_small_next(state) % (uint64_t)n);
}

/* Row i anew: at random, equal to another, its opposite, on the line through two others, or
 * 0. */
static inline void t_small_row(struct t_small *d, size_t i, int range, uint64_t *state)
{
    const int how = t_small_below(state, 10);
    const size_t a = i == 0 ? 0 : (size_t)t_small_below(state, (int)i);
    const size_t b = i == 0 ? 0 : (size_t)t_small_below(state, (int)i);
    const int f = t_small_below(state, 3);

    for (size_t j = 0; j < d->cols; j++) {
        int *x = &d->x[i][j];
        if (i == 0 || how < 6) *x = t_small_below(state, 2 * range + 1) - range;
        else if (how == 6) *x = d->x[a][j];
        else if (how == 7) *x = -d->x[a][j];
        else if (how == 8) *x = d->x[a][j] + f * (d->x[b][j] - d->x[a][j]);
        else *x = 0;
    }
}

/* rows x cols with whole numbers of at most some 3 * range, labelled at random, by a plane,
 * or by a plane with rows on it labelled at random. */
static inline struct t_small t_small_new(size_t rows, size_t cols, int range, uint64_t *state)
{
    struct t_small d = { .rows = rows, .cols = cols };
    const int labels = t_small_below(state, 3);
    int u[BRUTE_DIMS];
    const int c = t_small_below(state, 3) - 1;

    for (size_t j = 0; j < cols; j++) u[j] = t_small_below(state, 5) - 2;
    for (size_t i = 0; i < rows; i++) {
        int s = c;
        t_small_row(&d, i, range, state);
        for (size_t j = 0; j < cols; j++) s += u[j] * d.x[i][j];
        const int coin = t_small_below(state, 2) ? 1 : -1;
        d.y[i] = labels == 0 ? coin : s > 0 ? 1 : s < 0 ? -1 : labels == 1 ? coin : 1;
    }
    return d;
}

static inline struct t_brute t_brute_of(const struct t_small *d, bool offset)
{
    struct t_brute b = { .n = d->rows, .dims = d->cols + (offset ? 1 : 0) };

    for (size_t i = 0; i < d->rows; i++) {
        for (size_t j = 0; j < d->cols; j++) b.a[i][j] = d->x[i][j] * d->y[i];
        if (offset) b.a[i][d->cols] = d->y[i];
    }
    return b;
}

#endif
