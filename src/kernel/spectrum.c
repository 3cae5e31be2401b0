/* spectrum.c -- is the kernel positive semi-definite on these data?
 *
 * Mercer 1909: K(x, z) is a dot product somewhere exactly if every Gram matrix
 * G_ij = K(x_i, x_j) has no negative eigenvalue. One matrix can disprove that, and never
 * prove it. The matrix is made in panels on several threads, the triangle j <= i alone, and
 * LAPACK's dsyev finds its eigenvalues (values only: Householder's reduction to three
 * diagonals, then the QL iteration without square roots).
 *
 * LAPACK is Fortran: it has no contexts, prints and stops the process when an argument is
 * wrong (ours are not), and takes no memory but the arrays it is given; some libraries that
 * provide it (OpenBLAS) keep buffers and threads of their own. Eigenvalues are off by a
 * modest multiple of eps |G| (Wilkinson 1965); and the entries of G are rounded, too. */
#include "kernel/gram.h"

perc_status perc_check_kernel_sized(const perc_env *env, const perc_dataset *ds,
                                    const perc_params *p, uint64_t rows, perc_spectrum *out,
                                    size_t size, perc_error *err)
{
    sized_copy(out, size, &(perc_spectrum){ .rows = 0 }, sizeof *out);
    NEED(ds != NULL);
    NEED_PARAMS(p, "learner");
    const struct env e = env_resolve(env);
    perc_spectrum own = { 0 };
    struct kernel k;
    struct spectrum s;
    perc_status st = kernel_parse(p, &k, err);

    if (!st && k.type == KERNEL_NONE)
        st = fail(err, PERC_EARG, "there is no kernel to check (pass --kernel)");
    if (!st) st = gram_fit(&e, &k, ds, err);
    if (!st) st = spectrum_measure(&e, &k, ds, rows, (uint64_t)params_int(p, "seed"), &s, err);
    if (!st)
        own = (perc_spectrum){ .rows = s.rows,
                               .smallest = s.smallest,
                               .largest = s.largest,
                               .tolerance = s.tolerance,
                               .semidefinite = s.smallest >= -s.tolerance };
    sized_copy(out, size, &own, sizeof own);
    return st;
}

/* At most PERC_SPECTRUM_ROWS. The reference LAPACK takes about 1 s for 1,000 rows, 12 s for
 * 3,000 and a minute for 5,000, and cannot be interrupted meanwhile. */

#ifndef HAVE_LAPACK

perc_status spectrum_measure(const struct env *e, const struct kernel *k, const perc_dataset *ds,
                             uint64_t rows, uint64_t seed, struct spectrum *out, perc_error *err)
{
    (void)e, (void)k, (void)ds, (void)rows, (void)seed;
    *out = (struct spectrum){ 0 };
    return fail(err, PERC_EARG,
                "this build cannot look at a kernel's eigenvalues: it was made without LAPACK");
}

#else

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "base/threads.h"
#include "data/lens.h"
#include "vec/rng.h"

/* The lengths of the two texts come last, as gfortran passes them. */
extern void dsyev_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda,
                   double *w, double *work, const int *lwork, int *info, size_t jobz_length,
                   size_t uplo_length);

/* ----- the sample -------------------------------------------------------------------------- */

struct sample {
    struct env e;
    struct pool pool; /* all arrays that do not grow */
    const struct kernel *k;
    size_t n;
    struct row *row; /* of the data, or of the images in the arrays below */
    double *norm2;
    double *g; /* n x n, by rows: G_ij for j <= i */
    uint64_t *column;
    double *value;
    size_t column_cap, value_cap;
    int threads;
    double *tile;    /* n * PANEL for each thread */
    perc_status *st; /* of each thread */
};

/* Appends the images of the rows to the arrays, where they outlive the lens. Until all are there,
 * row.first is the offset of each, because the arrays move. */
static perc_status keep_images(struct sample *s, const perc_dataset *ds, const uint64_t *number,
                               perc_error *err)
{
    struct lens lens;
    perc_status st = PERC_OK;
    size_t at = 0, in_block = 0;

    lens_init(&lens, &s->e, &ds->map);
    for (size_t i = 0; i < s->n; i++) {
        const struct row x = dataset_row(ds, number[i]);
        const struct block *b = dataset_block(ds, number[i], &in_block);
        if ((st = lens_reserve_row(&lens, &x, block_line(b, in_block), err))) {
            block_blame(b, in_block, st, err);
            break;
        }
        const struct row image = lens_image(&lens, &x);
        if (!MEM_GROW(&s->e, s->column, &s->column_cap, at + image.n) ||
            !MEM_GROW(&s->e, s->value, &s->value_cap, at + image.n)) {
            st = fail_memory(err);
            break;
        }
        s->row[i] = (struct row){ .n = image.n,
                                  .first = at,
                                  .stride = sizeof(double),
                                  .values = VALUES_F64,
                                  .indices = INDEX_U64 };
        for (size_t k = 0; k < image.n; k++, at++) {
            s->column[at] = row_column(&image, k);
            s->value[at] = row_value(&image, k);
        }
    }
    for (size_t i = 0; i < s->n && !st; i++) {
        s->row[i].index = s->column + s->row[i].first;
        s->row[i].value = s->value + s->row[i].first;
        s->row[i].first = 0;
    }
    lens_free(&lens);
    return st;
}

static perc_status draw_sample(struct sample *s, const perc_dataset *ds, uint64_t seed,
                               perc_error *err)
{
    uint64_t *number = pool_array(&s->pool, s->n, sizeof *number);
    perc_status st = PERC_OK;

    s->row = pool_zeroed(&s->pool, s->n, sizeof *s->row);
    s->norm2 = pool_array(&s->pool, s->n, sizeof *s->norm2);
    if (s->pool.failed) return fail_memory(err);
    /* Every set of n rows is equally likely; in order (Knuth, TAOCP 2, 3.4.2, algorithm S). */
    struct rng r = rng_seed(seed, 0);
    for (uint64_t i = 0, chosen = 0; chosen < s->n; i++)
        if (rng_below(&r, ds->rows - i) < s->n - chosen) number[chosen++] = i;
    if (!map_is_identity(&ds->map)) st = keep_images(s, ds, number, err);
    for (size_t i = 0; i < s->n && !st; i++) {
        if (map_is_identity(&ds->map)) s->row[i] = dataset_row(ds, number[i]);
        s->norm2[i] = kernel_norm2(s->k, &s->row[i]);
    }
    return st;
}

/* ----- the matrix ------------------------------------------------------------------------- */

/* The columns of G of every threads-th panel, from the diagonal down: the later ones are shorter,
 * so that all threads have about the same work. */
static void fill_columns(void *ud, int thread)
{
    struct sample *s = ud;
    double *tile = s->tile + (size_t)thread * s->n * PANEL;
    const size_t step = (size_t)s->threads * PANEL;
    struct panel p;

    panel_init(&p, &s->e, s->k->rounded);
    for (size_t from = (size_t)thread * PANEL; from < s->n; from += step) {
        const size_t rows = s->n - from < PANEL ? s->n - from : PANEL;
        if ((s->st[thread] = panel_fill(&p, s->row + from, rows))) break;
        gram_panel(s->k, &p, s->row + from, s->norm2 + from, s->n - from, tile);
        for (size_t i = from; i < s->n; i++)
            memcpy(s->g + i * s->n + from, tile + (i - from) * PANEL, rows * sizeof *tile);
    }
    panel_free(&p);
}

static perc_status make_gram(struct sample *s, perc_error *err)
{
    const size_t threads = (size_t)s->threads;

    s->g = pool_array(&s->pool, s->n * s->n, sizeof *s->g);
    s->tile = pool_array(&s->pool, threads * s->n * PANEL, sizeof *s->tile);
    s->st = pool_zeroed(&s->pool, threads, sizeof *s->st);
    if (s->pool.failed) return fail_memory(err);
    threads_run(s->threads, fill_columns, s);
    for (size_t t = 0; t < threads; t++)
        if (s->st[t]) return fail_memory(err);
    for (size_t i = 0; i < s->n; i++)
        for (size_t j = 0; j <= i; j++)
            if (!isfinite(s->g[i * s->n + j]))
                return fail(err, PERC_EDATA,
                            "a kernel value is not a finite number: scale the "
                            "features (--scale standard, unit or by:NUMBER)");
    return PERC_OK;
}

/* Fortran stores by columns: the lower triangle here is the upper one there. */
static perc_status eigenvalues(struct sample *s, struct spectrum *out, perc_error *err)
{
    const int n = (int)s->n, ask = -1;
    int info = 0;
    double best = 0, *w = pool_array(&s->pool, s->n, sizeof *w);

    if (w == NULL) return fail_memory(err);
    dsyev_("N", "U", &n, s->g, &n, w, &best, &ask, &info, 1, 1);
    const int size = (int)best; /* some hundred numbers for each row */
    double *work = pool_array(&s->pool, (uint64_t)size, sizeof *work);
    if (work == NULL) return fail_memory(err);
    dsyev_("N", "U", &n, s->g, &n, w, work, &size, &info, 1, 1);
    if (info != 0) { /* uncovered: no finite matrix is known on which the iteration fails */
        return fail(err, PERC_EDATA,
                    "the eigenvalues of the kernel's matrix were not found (dsyev: %d)", info);
    }
    const double largest = fmax(fabs(w[0]), fabs(w[n - 1])); /* w increases */
    *out = (struct spectrum){ s->n, w[0], w[n - 1], (double)n * DBL_EPSILON * largest };
    return PERC_OK;
}

perc_status spectrum_measure(const struct env *e, const struct kernel *k, const perc_dataset *ds,
                             uint64_t rows, uint64_t seed, struct spectrum *out, perc_error *err)
{
    struct sample s = { .e = *e, .k = k, .threads = e->threads };

    *out = (struct spectrum){ 0 };
    if (rows == 0 || ds->rows == 0)
        return fail(err, PERC_EARG, "there are no rows for the matrix of the kernel");
    const uint64_t n = rows < ds->rows ? rows : ds->rows;
    if (n > PERC_SPECTRUM_ROWS)
        return fail(err, PERC_EARG,
                    "the matrix of a kernel may have at most %d rows; ask for fewer",
                    PERC_SPECTRUM_ROWS);
    s.n = (size_t)n;
    if ((size_t)s.threads > (s.n + PANEL - 1) / PANEL) s.threads = (int)((s.n + PANEL - 1) / PANEL);
    pool_init(&s.pool, e);
    perc_status st = draw_sample(&s, ds, seed, err);
    if (!st) st = make_gram(&s, err);
    if (!st) st = eigenvalues(&s, out, err);
    pool_free(&s.pool);
    mem_free(&s.e, s.column, s.column_cap, sizeof *s.column);
    mem_free(&s.e, s.value, s.value_cap, sizeof *s.value);
    return st;
}

#endif
