/* study_components.c -- the first two principal components (Pearson 1901, Hotelling 1933).
 *
 * With the mean m of n rows x_i, the directions v in which the rows vary most are those with the
 * largest eigenvalues of the covariance
 *
 *     S = 1/n sum_i (x_i - m)(x_i - m)',
 *     S v = 1/n sum_i x_i (x_i - m).v - m 1/n sum_i (x_i - m).v
 *
 * where the last sum is 0: so S v needs the entries of the rows and no matrix of d^2 numbers.
 * A block of BLOCK vectors is multiplied by S and made orthogonal again, over and over, until
 * it spans the directions of the largest eigenvalues (subspace iteration, Bauer 1957); within
 * it the small matrix Q'SQ is solved by Jacobi's rotations (1846; Rayleigh and Ritz). With no
 * more features than BLOCK the space is all there is, and nothing needs to be repeated.
 * The error of what remains falls as (lambda_{BLOCK+1} / lambda_2)^ROUNDS.
 *
 * Sums run in one order, on one thread: the same rows give the same bits. The sign of a
 * direction is free: its largest component is made positive. */
#include "study/study_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 12, ROUNDS = 40, SWEEPS = 60 };

struct space {
    const struct study_rows *x;
    const double *mean;
    size_t k;       /* vectors, at most BLOCK */
    double *q, *sq; /* k vectors of d numbers, one after the other; S times each */
};

/* out = S v. */
static void multiply(const struct space *p, const double *v, double *out)
{
    const struct study_rows *x = p->x;
    double at = 0, sum = 0; /* m.v; sum of (x_i - m).v, 0 but for rounding */

    for (uint64_t j = 0; j < x->d; j++) at += p->mean[j] * v[j];
    memset(out, 0, (size_t)x->d * sizeof *out);
    for (size_t i = 0; i < x->n; i++) {
        double t = -at;

        for (size_t e = x->start[i]; e < x->start[i + 1]; e++) t += x->value[e] * v[x->column[e]];
        for (size_t e = x->start[i]; e < x->start[i + 1]; e++) out[x->column[e]] += t * x->value[e];
        sum += t;
    }
    for (uint64_t j = 0; j < x->d; j++) out[j] = (out[j] - p->mean[j] * sum) / (double)x->n;
}

static double dot(const double *a, const double *b, uint64_t n)
{
    double sum = 0;

    for (uint64_t j = 0; j < n; j++) sum += a[j] * b[j];
    return sum;
}

/* Gram and Schmidt, twice, because once loses what rounding mixes in. A vector that depends on
 * those before it becomes 0. */
static void orthogonal(double *q, size_t k, uint64_t d)
{
    for (size_t c = 0; c < k; c++) {
        double *v = q + c * d;
        const double before = sqrt(dot(v, v, d));
        double length;

        for (int twice = 0; twice < 2; twice++)
            for (size_t b = 0; b < c; b++) {
                const double part = dot(v, q + b * d, d);

                for (uint64_t j = 0; j < d; j++) v[j] -= part * q[b * d + j];
            }
        length = sqrt(dot(v, v, d));
        for (uint64_t j = 0; j < d; j++) v[j] = length > before * 1e-12 ? v[j] / length : 0;
    }
}

/* A start that no data are at right angles to: numbers of no pattern. */
static void begin(struct space *p)
{
    uint64_t state = 1;

    for (size_t i = 0; i < p->k * (size_t)p->x->d; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u; /* Knuth, TAOCP 3.3.4 */
        p->q[i] = (double)(state >> 33) / 2147483648.0 - 0.5;
    }
    if (p->k == p->x->d) /* all of the space: the axes themselves */
        for (size_t i = 0; i < p->k * p->k; i++) p->q[i] = i % (p->k + 1) == 0;
    orthogonal(p->q, p->k, p->x->d);
}

/* One rotation in the plane of p and q that makes a[p][q] zero; v collects them. */
static void rotate(double a[BLOCK][BLOCK], double v[BLOCK][BLOCK], size_t k, size_t p, size_t q)
{
    const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    const double c = 1 / sqrt(t * t + 1), s = t * c;

    for (size_t i = 0; i < k; i++) {
        const double ip = a[i][p], iq = a[i][q];

        a[i][p] = c * ip - s * iq;
        a[i][q] = s * ip + c * iq;
    }
    for (size_t i = 0; i < k; i++) {
        const double pi = a[p][i], qi = a[q][i];

        a[p][i] = c * pi - s * qi;
        a[q][i] = s * pi + c * qi;
    }
    for (size_t i = 0; i < k; i++) {
        const double ip = v[i][p], iq = v[i][q];

        v[i][p] = c * ip - s * iq;
        v[i][q] = s * ip + c * iq;
    }
}

/* Eigenvalues of the symmetric matrix a on its diagonal, eigenvectors in the columns of v. */
static void jacobi(double a[BLOCK][BLOCK], double v[BLOCK][BLOCK], size_t k)
{
    double off = 1, all = 1;

    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < k; j++) v[i][j] = i == j;
    for (int sweep = 0; sweep < SWEEPS && off > all * 1e-32; sweep++) {
        off = 0, all = 0;
        for (size_t p = 0; p < k; p++) {
            all += a[p][p] * a[p][p];
            for (size_t q = p + 1; q < k; q++) {
                off += a[p][q] * a[p][q];
                if (a[p][q] != 0) rotate(a, v, k, p, q);
            }
        }
    }
}

/* The two largest of the diagonal, the earlier of equals. */
static void largest(double a[BLOCK][BLOCK], size_t k, size_t at[2])
{
    at[0] = 0;
    for (size_t i = 1; i < k; i++)
        if (a[i][i] > a[at[0]][at[0]]) at[0] = i;
    at[1] = at[0] == 0 && k > 1 ? 1 : 0;
    for (size_t i = 0; i < k; i++)
        if (i != at[0] && a[i][i] > a[at[1]][at[1]]) at[1] = i;
}

static void compose(const struct space *p, double v[BLOCK][BLOCK], size_t of, double *out)
{
    const uint64_t d = p->x->d;
    uint64_t top = 0;

    for (uint64_t j = 0; j < d; j++) {
        out[j] = 0;
        for (size_t c = 0; c < p->k; c++) out[j] += p->q[c * d + j] * v[c][of];
        if (fabs(out[j]) > fabs(out[top])) top = j;
    }
    if (out[top] < 0)
        for (uint64_t j = 0; j < d; j++) out[j] = -out[j];
}

static double total_variance(const struct study_rows *x, const double *mean)
{
    double sum = 0, mean2 = dot(mean, mean, x->d);

    for (size_t i = 0; i < x->n; i++) {
        double t = mean2; /* |x - m|^2, a zero entry counting m_j^2 */

        for (size_t e = x->start[i]; e < x->start[i + 1]; e++) {
            const double m = mean[x->column[e]], c = x->value[e] - m;

            t += c * c - m * m;
        }
        sum += t;
    }
    return sum / (double)x->n;
}

static void find_mean(const struct study_rows *x, double *mean)
{
    memset(mean, 0, (size_t)x->d * sizeof *mean);
    for (size_t e = 0; e < x->start[x->n]; e++) mean[x->column[e]] += x->value[e];
    for (uint64_t j = 0; j < x->d; j++) mean[j] /= (double)x->n;
}

static void repeat(struct space *p)
{
    const uint64_t d = p->x->d;
    const int rounds = p->k == d ? 0 : ROUNDS;

    begin(p);
    for (int round = 0; round <= rounds; round++) {
        for (size_t c = 0; c < p->k; c++) multiply(p, p->q + c * d, p->sq + c * d);
        if (round == rounds) break; /* sq is S times q, for Ritz */
        memcpy(p->q, p->sq, p->k * (size_t)d * sizeof *p->q);
        orthogonal(p->q, p->k, d);
    }
}

bool study_components(const struct study_rows *x, double *mean, double *first, double *second,
                      double share[2])
{
    struct space p = { .x = x, .mean = mean, .k = x->d < BLOCK ? (size_t)x->d : BLOCK };
    double a[BLOCK][BLOCK], v[BLOCK][BLOCK], all;
    size_t at[2];
    bool room;

    p.q = malloc(p.k * (size_t)x->d * sizeof *p.q);
    p.sq = malloc(p.k * (size_t)x->d * sizeof *p.sq);
    room = p.q != NULL && p.sq != NULL;
    if (room) {
        find_mean(x, mean);
        repeat(&p);
        for (size_t i = 0; i < p.k; i++)
            for (size_t j = i; j < p.k; j++)
                a[i][j] = a[j][i] = dot(p.q + i * x->d, p.sq + j * x->d, x->d);
        jacobi(a, v, p.k);
        largest(a, p.k, at);
        compose(&p, v, at[0], first);
        compose(&p, v, at[1], second);
        all = total_variance(x, mean);
        for (int i = 0; i < 2; i++) share[i] = all > 0 ? a[at[i]][at[i]] / all : 0;
    }
    free(p.sq);
    free(p.q);
    return room;
}
