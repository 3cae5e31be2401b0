/* components.c -- principal components (Pearson 1901, Hotelling 1933).
 *
 * With the mean m of n rows x_i, the directions v in which the rows vary most are those with the
 * largest eigenvalues of the covariance
 *
 *     S = 1/n sum_i (x_i - m)(x_i - m)',
 *     S v = 1/n sum_i x_i (x_i - m).v - m 1/n sum_i (x_i - m).v
 *
 * where the last sum is 0: so S v needs the entries of the rows and no matrix of d^2 numbers.
 * WIDE vectors are multiplied by S and made orthogonal again, over and over, until they span the
 * directions of the largest eigenvalues (subspace iteration, Bauer 1957); within that space the
 * small matrix Q'SQ is solved by Jacobi's rotations (1846; Rayleigh and Ritz). With no more
 * features than WIDE the space is all there is, and nothing needs to be repeated.
 * The error of what remains falls as (lambda_{WIDE+1} / lambda_k)^ROUNDS.
 *
 * Sums run in one order, on one thread: the same rows give the same bits. The sign of a
 * direction is free: its largest component is made positive. */
#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "data/dataset.h"
#include "vec/rng.h"
#include "vec/row_many.h"

enum { WIDE = 12, ROUNDS = 40, SWEEPS = 60 };

struct subspace {
    const perc_dataset *ds;
    const uint64_t *row; /* NULL: all */
    uint64_t n, dims;    /* rows; columns, of which those below the first feature are 0 */
    double *mean;
    size_t k;       /* vectors, at most WIDE; the others are 0 */
    double *q, *sq; /* entry j of vector c is q[j * WIDE + c]; S times each */
};

static struct row space_row(const struct subspace *p, uint64_t i)
{
    return dataset_row(p->ds, p->row != NULL ? p->row[i] : i);
}

/* The dot product of vector c of a and vector e of b; vectors stand side by side. */
static double dot(const double *a, size_t c, const double *b, size_t e, uint64_t n)
{
    double sum = 0;

    for (uint64_t j = 0; j < n; j++) sum += a[j * WIDE + c] * b[j * WIDE + e];
    return sum;
}

/* The mean of the rows; returns the sum of their variances. */
static double space_centre(struct subspace *p)
{
    double sum = 0;

    for (uint64_t i = 0; i < p->n; i++) {
        const struct row x = space_row(p, i);
        row_axpy(1, &x, p->mean, p->dims);
    }
    for (uint64_t j = 0; j < p->dims; j++) p->mean[j] /= (double)p->n;
    const double mean2 = row_weights_norm2(p->mean, p->dims);
    for (uint64_t i = 0; i < p->n; i++) {
        const struct row x = space_row(p, i);
        double t = mean2; /* |x - m|^2, a zero entry counting m_j^2 */

        for (size_t e = 0; e < x.n; e++) {
            const double m = p->mean[row_column(&x, e)], c = row_value(&x, e) - m;
            t += c * c - m * m;
        }
        sum += t;
    }
    return sum / (double)p->n;
}

/* sq = S q. */
static void space_multiply(struct subspace *p)
{
    double at[WIDE] = { 0 }, sum[WIDE] = { 0 }, along[WIDE]; /* sum: 0 but for rounding */

    for (uint64_t i = 0; i < p->dims * WIDE; i++) at[i % WIDE] += p->mean[i / WIDE] * p->q[i];
    memset(p->sq, 0, (size_t)p->dims * WIDE * sizeof *p->sq);
    for (uint64_t i = 0; i < p->n; i++) {
        const struct row x = space_row(p, i);
        row_scores(&x, p->q, p->dims, WIDE, along);
        for (size_t c = 0; c < WIDE; c++) sum[c] += along[c] -= at[c];
        row_axpy_all(along, along, &x, p->sq, NULL, p->dims, WIDE);
    }
    for (uint64_t i = 0; i < p->dims * WIDE; i++)
        p->sq[i] = (p->sq[i] - p->mean[i / WIDE] * sum[i % WIDE]) / (double)p->n;
}

/* Gram-Schmidt, twice, because rounding spoils the first result. A vector that depends on those
 * before it becomes 0. */
static void space_orthogonal(struct subspace *p)
{
    double *q = p->q;

    for (size_t c = 0; c < p->k; c++) {
        const double before = sqrt(dot(q, c, q, c, p->dims));
        for (size_t b = 0; b < 2 * c; b++) {
            const double along = dot(q, c, q, b % c, p->dims);
            for (uint64_t j = 0; j < p->dims; j++) q[j * WIDE + c] -= along * q[j * WIDE + b % c];
        }
        const double length = sqrt(dot(q, c, q, c, p->dims));
        for (uint64_t j = 0; j < p->dims; j++)
            q[j * WIDE + c] = length > before * 1e-12 ? q[j * WIDE + c] / length : 0;
    }
}

/* Starts from numbers without a pattern, to which no data are orthogonal; from the axes where k is
 * the whole space. In the end sq is S times q. */
static void space_iterate(struct subspace *p)
{
    const uint64_t d = p->dims, base = (uint64_t)p->ds->index_base;
    const bool whole = p->k == d - base;
    struct rng rng = rng_seed(0, 0);

    for (size_t c = 0; c < p->k; c++)
        for (uint64_t j = base; j < d; j++)
            p->q[j * WIDE + c] = whole ? j - base == c : rng_uniform(&rng) - 0.5;
    for (int round = whole ? ROUNDS : 0;; round++) {
        space_orthogonal(p);
        space_multiply(p);
        if (round == ROUNDS) return;
        memcpy(p->q, p->sq, (size_t)d * WIDE * sizeof *p->q);
    }
}

/* One rotation in the plane of p and q that makes a[p][q] zero; v collects them. */
static void rotate(double a[WIDE][WIDE], double v[WIDE][WIDE], size_t k, size_t p, size_t q)
{
    const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    const double c = 1 / sqrt(t * t + 1), s = t * c;

    for (size_t i = 0; i < k; i++) {
        const double ip = a[i][p], iq = a[i][q], vp = v[i][p], vq = v[i][q];
        a[i][p] = c * ip - s * iq;
        a[i][q] = s * ip + c * iq;
        v[i][p] = c * vp - s * vq;
        v[i][q] = s * vp + c * vq;
    }
    for (size_t i = 0; i < k; i++) {
        const double pi = a[p][i], qi = a[q][i];
        a[p][i] = c * pi - s * qi;
        a[q][i] = s * pi + c * qi;
    }
}

/* Eigenvalues of the symmetric matrix a on its diagonal, eigenvectors in the columns of v. */
static void jacobi(double a[WIDE][WIDE], double v[WIDE][WIDE], size_t k)
{
    double off = 1, all = 1;

    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < k; j++) v[i][j] = i == j;
    for (int sweep = 0; sweep < SWEEPS && off > all * 1e-32; sweep++) {
        off = 0, all = 0;
        for (size_t i = 0; i < k * k; i++) {
            const size_t p = i / k, q = i % k;
            if (p == q) all += a[p][p] * a[p][p];
            if (p >= q || a[p][q] == 0) continue;
            off += a[p][q] * a[p][q];
            rotate(a, v, k, p, q);
        }
    }
}

/* The `wanted` largest eigenvalues, ties to the earlier, with their vectors in the space of the
 * rows. */
static void space_solve(struct subspace *p, size_t wanted, double *direction, double *share)
{
    const uint64_t base = (uint64_t)p->ds->index_base, d = p->dims - base;
    const double all = space_centre(p);
    double a[WIDE][WIDE], v[WIDE][WIDE];
    bool used[WIDE] = { false };

    space_iterate(p);
    for (size_t i = 0; i < p->k; i++)
        for (size_t j = i; j < p->k; j++) a[i][j] = a[j][i] = dot(p->q, i, p->sq, j, p->dims);
    jacobi(a, v, p->k);
    for (size_t w = 0; w < wanted; w++) {
        double *out = direction + w * d;
        size_t top = WIDE;
        uint64_t largest = 0;
        for (size_t i = 0; i < p->k; i++)
            if (!used[i] && (top == WIDE || a[i][i] > a[top][top])) top = i;
        used[top] = true;
        for (uint64_t j = 0; j < d; j++) {
            out[j] = 0;
            for (size_t c = 0; c < p->k; c++) out[j] += p->q[(base + j) * WIDE + c] * v[c][top];
            if (fabs(out[j]) > fabs(out[largest])) largest = j;
        }
        const double sign = out[largest] < 0 ? -1 : 1;
        for (uint64_t j = 0; j < d; j++) out[j] *= sign;
        share[w] = all > 0 ? a[top][top] / all : 0;
    }
}

perc_status perc_dataset_components(const perc_env *env, const perc_dataset *ds,
                                    const uint64_t *row, uint64_t n, size_t k, double *mean,
                                    double *direction, double *share, perc_error *err)
{
    NEED(ds != NULL && mean != NULL && direction != NULL && share != NULL);
    const struct env e = env_resolve(env);
    const uint64_t base = (uint64_t)ds->index_base;
    struct subspace p = { .ds = ds, .row = row, .n = row != NULL ? n : ds->rows };
    perc_dataset_info info;
    struct pool pool;

    perc_dataset_info_get(ds, &info);
    if (k == 0 || k > WIDE || k > info.features)
        return fail(err, PERC_EARG, "%zu components of %llu features: from 1 to %d are found", k,
                    (unsigned long long)info.features, WIDE);
    if (p.n == 0) return fail(err, PERC_EARG, "there are no rows to find components of");
    for (uint64_t i = 0; row != NULL && i < n; i++)
        if (row[i] >= ds->rows)
            return fail(err, PERC_EARG, "there is no row %llu", (unsigned long long)row[i]);
    p.dims = info.features + base;
    p.k = info.features < WIDE ? (size_t)info.features : WIDE;
    pool_init(&pool, &e);
    p.mean = pool_zeroed(&pool, p.dims, sizeof *p.mean);
    p.q = pool_zeroed(&pool, p.dims, WIDE * sizeof *p.q);
    p.sq = pool_array(&pool, p.dims, WIDE * sizeof *p.sq);
    if (!pool.failed) {
        space_solve(&p, k, direction, share);
        memcpy(mean, p.mean + base, (size_t)info.features * sizeof *mean);
    }
    pool_free(&pool);
    return pool.failed ? fail_memory(err) : PERC_OK;
}
