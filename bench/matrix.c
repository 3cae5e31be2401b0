/* matrix.c -- products of matrices, timed beside those of a BLAS.
 *
 * Not built by default. From the root of the project, with OpenBLAS in its serial form:
 *
 *     cc -std=gnu11 -O3 -ffp-contract=off -fno-math-errno -Iinclude -Isrc bench/matrix.c \
 *         build/libperceptron_all.a $(pkg-config --libs flint gmp clp lapack zlib liblzma libzstd) -lbz2 \
 *         -lopenblas -lm -o build/bench-matrix && build/bench-matrix
 *
 * An OpenBLAS that is older than the processor falls back to code for a very old one: then name
 * a kind it knows, such as OPENBLAS_CORETYPE=SkylakeX (OPENBLAS_VERBOSE=2 says what it took).
 *
 * The two take turns, so that what else the machine does falls on both; a figure is the median
 * of ROUNDS times. Sparse rows have no peer here: their figure counts the steps they do. */
#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "vec/matrix.h"
#include "vec/panel.h"

enum { ROUNDS = 41 };

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *t)
{
    qsort(t, ROUNDS, sizeof *t, by_size);
    return t[ROUNDS / 2];
}

/* Numbers between -1 and 1; a multiplicative generator (Lehmer) is good enough here. */
static float *filled(size_t n)
{
    float *x = aligned_alloc(64, (n * sizeof *x + 63) / 64 * 64);
    unsigned long long state = 1;

    if (x == NULL) exit(1);
    for (size_t i = 0; i < n; i++) {
        state = state * 48271 % 2147483647;
        x[i] = (float)state / 1073741824 - 1;
    }
    return x;
}

struct shape {
    size_t m, n, k;
    int transposed;
};

static void dense(const struct shape *s)
{
    const size_t m = s->m, n = s->n, k = s->k;
    const size_t as = matrix_stride(s->transposed ? m : k), ai = s->transposed ? 1 : as;
    float *a = filled(as * (s->transposed ? k : m)), *b = filled(k * n), *c = filled(m * n);
    const double work = 2 * (double)m * (double)n * (double)k;
    const int turns = 1 + (int)(4e7 / work);
    double ours[ROUNDS], theirs[ROUNDS];

    for (int r = -2; r < ROUNDS; r++) {
        const double t0 = now();
        for (int i = 0; i < turns; i++) matrix_add(m, n, k, a, ai, as / ai, b, n, c, n);
        const double t1 = now();
        for (int i = 0; i < turns; i++)
            cblas_sgemm(CblasRowMajor, s->transposed ? CblasTrans : CblasNoTrans, CblasNoTrans,
                        (int)m, (int)n, (int)k, 1, a, (int)as, b, (int)n, 1, c, (int)n);
        const double t2 = now();
        if (r < 0) continue;
        ours[r] = (t1 - t0) / turns;
        theirs[r] = (t2 - t1) / turns;
    }
    const double x = work / median(ours) * 1e-9, y = work / median(theirs) * 1e-9;
    printf("%4zu %4zu %4zu  %-11s %8.1f %8.1f %6.2f\n", m, n, k, s->transposed ? "transposed" : "",
           x, y, x / y);
    free(a);
    free(b);
    free(c);
}

/* m rows over k columns, about one entry in `every` stored. */
static void sparse(size_t m, size_t n, size_t k, unsigned every)
{
    float *value = filled(m * k), *b = filled(k * n), *c = filled(m * n);
    uint32_t *column = malloc(m * k * sizeof *column), *start = malloc((m + 1) * sizeof *start);
    double t[ROUNDS];
    uint32_t entries = 0;

    if (column == NULL || start == NULL) exit(1);
    for (size_t i = 0; i < m; i++) {
        start[i] = entries;
        for (size_t l = 0; l < k; l++)
            if ((value[i * k + l] + 1) * (float)every < 2) column[entries++] = (uint32_t)l;
    }
    start[m] = entries;
    const struct sparse x = { m, start, column, value };
    const double work = 2.0 * entries * (double)n;
    const int turns = 1 + (int)(2e7 / work);
    for (int r = -2; r < ROUNDS; r++) {
        const double t0 = now();
        for (int i = 0; i < turns; i++) matrix_add_sparse(&x, 0, m, n, b, n, c, n);
        if (r >= 0) t[r] = (now() - t0) / turns;
    }
    const double took = median(t);
    printf("%4zu %4zu %4zu  %-11s %8.1f  %.0f entries a row, %.1f ns each\n", m, n, k, "sparse",
           work / took * 1e-9, entries / (double)m, took * 1e9 / entries);
    free(value);
    free(b);
    free(c);
    free(column);
    free(start);
}

/* Some panels of rows z meet n rows x. */
static void meet(struct panel *p, size_t panels, const struct row *z, const struct row *x, size_t n,
                 double *out)
{
    static struct bundle_room room;
    struct bundle b;

    for (size_t j = 0; j < panels; j++)
        if (panel_fill(&p[j], z + j * PANEL, PANEL)) exit(1);
    for (size_t i = 0; i < n; i += b.rows) {
        bundle_fill(&b, &room, x + i, n - i, panels);
        for (size_t j = 0; j < panels; j++) panel_dots_bundle(&p[j], &b, out);
    }
}

/* All dots of 512 rows with each other, as a kernel wants them: panels, filled and used, some of
 * them by each bundle, beside dgemm. One entry in `every` is stored; a byte each, if `bytes`. The BLAS
 * has all of them. */
static void panels(size_t columns, unsigned every, int bytes)
{
    enum { ROWS = 16 * PANEL, SOME = 8 };
    const struct env e = env_resolve(&(perc_env){ .threads = 1 });
    double *all = calloc(ROWS * columns, sizeof *all),
           *kept = malloc(ROWS * columns * sizeof *kept);
    double *c = malloc((size_t)ROWS * ROWS * sizeof *c), out[BUNDLE * PANEL];
    uint8_t *byte = malloc(ROWS * columns);
    uint32_t *index = malloc(ROWS * columns * sizeof *index);
    double fused[ROUNDS], rounded[ROUNDS], theirs[ROUNDS];
    struct row row[ROWS];
    unsigned long long state = 1, entries = 0;

    if (all == NULL || kept == NULL || c == NULL || byte == NULL || index == NULL) exit(1);
    for (size_t i = 0; i < ROWS; i++) {
        size_t n = 0;
        for (size_t j = 0; j < columns; j++) {
            state = state * 48271 % 2147483647;
            if (state / 65536 % every != 0) continue;
            byte[i * columns + n] = (uint8_t)(1 + state % 255);
            index[i * columns + n] = (uint32_t)j;
            all[i * columns + j] = bytes ? byte[i * columns + n] : (double)state / 1073741824 - 1;
            kept[i * columns + n++] = all[i * columns + j];
        }
        entries += n;
        row[i] = (struct row){ .value = bytes ? (void *)(byte + i * columns) : kept + i * columns,
                               .index = every > 1 ? index + i * columns : NULL,
                               .n = n,
                               .stride = bytes ? 1 : 8,
                               .values = bytes ? VALUES_U8 : VALUES_F64,
                               .indices = every > 1 ? INDEX_U32 : INDEX_DENSE };
    }
    const size_t some = !bytes && bundle_pays(columns, entries, ROWS) ? SOME : 1;
    for (int r = -2; r < ROUNDS; r++)
        for (int way = 0; way < 3; way++) {
            struct panel p[SOME];
            const double t0 = now();
            for (size_t j = 0; j < SOME; j++) panel_init(&p[j], &e, way == 1);
            for (size_t k = 0; k < ROWS && way < 2; k += some * PANEL)
                meet(p, some, row + k, row, ROWS, out);
            for (size_t j = 0; j < SOME; j++) panel_free(&p[j]);
            if (way == 2)
                cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, ROWS, ROWS, (int)columns, 1,
                            all, (int)columns, all, (int)columns, 0, c, ROWS);
            if (r >= 0) (way == 0 ? fused : way == 1 ? rounded : theirs)[r] = now() - t0;
        }
    const double work = 1e-9 * ROWS * (double)entries, dense = 1e-9 * ROWS * ROWS * (double)columns;
    const double x = work / median(fused), y = work / median(rounded), z = dense / median(theirs);
    printf("%5zu %5.0f  %-7s %8.1f %8.1f %8.1f %6.2f\n", columns, (double)entries / ROWS,
           bytes ? "bytes" : "doubles", x, y, z, x / z);
    free(all);
    free(kept);
    free(c);
    free(byte);
    free(index);
}

int main(void)
{
    static const struct shape shape[] = {
        { 200, 112, 784, 0 }, { 784, 112, 200, 1 }, { 32, 112, 784, 0 },  { 784, 112, 32, 1 },
        { 128, 512, 784, 0 }, { 784, 512, 128, 1 }, { 512, 512, 128, 0 }, { 512, 512, 128, 1 },
        { 200, 16, 112, 0 },  { 112, 16, 200, 1 },  { 200, 112, 16, 0 },  { 1, 112, 784, 0 },
    };

    puts("   m    n    k                  ours     BLAS  ratio     (GFLOP/s)");
    for (size_t i = 0; i < sizeof shape / sizeof *shape; i++) dense(&shape[i]);
    sparse(200, 112, 784, 5);
    sparse(784, 112, 200, 5);
    sparse(32, 112, 784, 5);
    sparse(784, 112, 32, 5);

    puts("\ncolumns entries a row     fused  rounded     BLAS  ratio     (GMAC/s)");
    panels(780, 1, 0);
    panels(780, 1, 1);
    panels(30, 1, 0);
    panels(123, 1, 0);
    panels(3000, 1, 0);
    panels(780, 5, 1);
    panels(780, 5, 0);
    panels(780, 2, 0);
    panels(780, 20, 0);
    panels(3000, 50, 0);
    return 0;
}
