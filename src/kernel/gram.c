/* gram.c -- many kernel values at once, and what a kernel needs to know of the data.
 *
 * A tile is a panel of rows against BUNDLE rows x: their dots (panel.h), then the formula
 * of kernel.h on the whole tile, 8 KiB, while it is in the first-level cache. The operations are
 * those of kernel_of_dot in the same order, on several numbers side by side (many.h);
 * pairs of rows so close that the distance cancels are rare, and go through kernel_distance2
 * one by one. So each value has the bits of kernel_value. */
#include "kernel/gram.h"

#include <math.h>

#include "data/lens.h"
#include "kernel/precomputed.h"
#include "vec/many.h"

_Static_assert(PANEL == 32, "many_distance2 has a bit for each row");

/* ----- tiles ---------------------------------------------------------------------------- */

/* Dots of x with the panel become -gamma |x - z|^2. */
static void distances(const struct kernel *k, const struct panel *p, const struct row *x, double nx,
                      double *out)
{
    uint32_t near = many_distance2(nx, p->norm2, out);

    if (p->rows < PANEL) near &= (UINT32_C(1) << p->rows) - 1;
    for (; near != 0; near &= near - 1) {
        const int j = __builtin_ctz(near);
        out[j] = kernel_distance2(k, x, &p->row[j]);
    }
    many_affine(-k->gamma, 0, out, PANEL);
}

/* Dots of n rows x with the panel become kernel values. */
static void values_of_dots(const struct kernel *k, const struct panel *p, const struct row *x,
                           const double *nx, size_t n, double *out)
{
    switch (k->type) {
    case KERNEL_POLY:
        many_affine(k->gamma, k->coef0, out, n * PANEL);
        many_power(k->degree, out, n * PANEL);
        break;
    case KERNEL_SIGMOID:
        many_affine(k->gamma, k->coef0, out, n * PANEL);
        many_tanh(out, n * PANEL);
        break;
    case KERNEL_GAUSSIAN:
    case KERNEL_RBF:
        for (size_t i = 0; i < n; i++) distances(k, p, &x[i], nx[i], out + i * PANEL);
        many_exp(out, n * PANEL);
        break;
    default: break;
    }
}

void gram_panel(const struct kernel *k, const struct panel *p, const struct row *x,
                const double *nx, size_t n, double *out)
{
    for (size_t i = 0, some; i < n; i += some) {
        some = n - i < BUNDLE ? n - i : BUNDLE;
        panel_dots(p, x + i, some, out + i * PANEL);
        values_of_dots(k, p, x + i, nx + i, some, out + i * PANEL);
    }
}

void gram_bundle(const struct kernel *k, const struct panel *p, const struct bundle *b,
                 const double *nx, double *out)
{
    panel_dots_bundle(p, b, out);
    values_of_dots(k, p, b->x, nx, b->rows, out);
}

/* ----- one row against many ------------------------------------------------------------ */

static uint64_t columns_of(const struct row *x)
{
    return x->n > 0 ? row_column(x, x->n - 1) + 1 : 0;
}

void gram_spread_free(struct spread_out *s)
{
    mem_free(&s->e, s->dense, s->cap, sizeof *s->dense);
    *s = (struct spread_out){ .e = s->e };
}

perc_status gram_spread_reserve(struct spread_out *s, const struct row *x)
{
    const size_t had = s->cap;

    if (columns_of(x) > SPREAD_MAX) return PERC_OK;
    if (!MEM_GROW(&s->e, s->dense, &s->cap, columns_of(x))) return PERC_ENOMEM;
    for (size_t j = had; j < s->cap; j++) s->dense[j] = 0;
    return PERC_OK;
}

void gram_row(const struct kernel *k, struct spread_out *s, const struct row *row,
              const double *norm2, size_t n, const struct row *x, double nx, double *out)
{
    const uint64_t columns = columns_of(x);

    if (columns > SPREAD_MAX) {
        for (size_t i = 0; i < n; i++) out[i] = kernel_value(k, &row[i], norm2[i], x, nx);
        return;
    }
    for (size_t j = 0; j < x->n; j++) s->dense[row_column(x, j)] = row_value(x, j);
    for (size_t i = 0; i < n; i += ROW_DOTS) {
        const size_t m = n - i < ROW_DOTS ? n - i : ROW_DOTS;
        (k->rounded ? row_dots : row_dots_fused)(row + i, (int)m, s->dense, columns, out + i);
        for (size_t j = i; j < i + m; j++)
            out[j] = kernel_of_dot(k, out[j], &row[j], norm2[j], x, nx);
    }
    for (size_t j = 0; j < x->n; j++) s->dense[row_column(x, j)] = 0;
}

/* ----- what the data say ------------------------------------------------------------------ */

/* A sum and the error of its roundings: a + b = s + error exactly (Knuth, TAOCP 2, 4.2.2,
 * theorem B). */
struct total {
    double sum, rest;
};

/* All numbers of a data set, as the machine sees them. Zeros enter only as a count, so
 * that dense and sparse copies, however cut into blocks, have the same bits. */
struct data_sums {
    const perc_dataset *ds;
    const struct kernel *kernel;
    struct lens lens;
    struct total sum, squares; /* of x; of (x - mean)^2, x other than 0 */
    double mean;
    uint64_t nonzero, rows;
    double largest;           /* |x|^2 */
    const struct block *most; /* where that row is; NULL: there is none yet */
    size_t at;
};

static void sum_row(struct data_sums *s, const struct row *x, bool second)
{
    struct row_entries p;

    for (size_t from = 0, n; from < x->n; from += n) {
        n = row_entries_read(x, from, &p);
        for (size_t k = 0; k < n; k++) {
            const double d = p.x[k] - s->mean;
            if (p.x[k] == 0) continue;
            struct total *t = second ? &s->squares : &s->sum;
            const double more = second ? d * d : p.x[k], sum = t->sum + more, b = sum - t->sum;
            t->rest += (t->sum - (sum - b)) + (more - b);
            t->sum = sum;
            s->nonzero += !second;
        }
    }
}

/* A pass over the rows: 0 finds the largest of all; 1 and 2, the sums for the variance, of those
 * that count: what is held out has weight 0. */
static void sum_rows(struct data_sums *s, int pass)
{
    for (size_t k = 0; k < s->ds->blocks; k++) {
        const struct block *b = &s->ds->block[k];
        for (size_t i = 0; i < b->rows; i++) {
            if (pass > 0 && !(block_weight(b, i) > 0)) continue;
            s->rows += pass == 1;
            const struct row x = lens_row(&s->lens, b, i);
            const double norm2 = pass == 0 ? kernel_norm2(s->kernel, &x) : 0;
            if (pass > 0) sum_row(s, &x, pass == 2);
            else if (s->most == NULL || !(norm2 <= s->largest)) {
                s->largest = norm2;
                s->most = b;
                s->at = i;
            }
        }
    }
}

/* As in scikit-learn: 1 if all numbers are the same. */
static perc_status find_gamma(struct data_sums *s, struct kernel *k, perc_error *err)
{
    const char *option = k->type == KERNEL_SIGMOID ? "eta" : "gamma";
    const uint64_t columns = map_is_identity(&s->ds->map)
                                 ? s->ds->columns
                                 : map_columns(&s->ds->map, s->ds->columns);
    const uint64_t base = (uint64_t)s->ds->index_base;
    const double d = columns > base ? (double)(columns - base) : 0;
    double unit = d;

    if (k->gamma_from == GAMMA_SCALE && d > 0) { /* the mean square distance from the mean */
        sum_rows(s, 1);
        const double all = (double)(s->rows > 0 ? s->rows : 1) * d;
        s->mean = (s->sum.sum + s->sum.rest) / all;
        sum_rows(s, 2);
        const double zeros = (all - (double)s->nonzero) * s->mean * s->mean;
        unit = d * ((s->squares.sum + s->squares.rest + zeros) / all);
    }
    const double gamma = unit == 0 ? 1 : 1 / unit;
    if (!(gamma > 0) || isinf(gamma))
        return fail(err, PERC_EDATA,
                    "--%s scale is 1 / (features * variance), which is not a finite number above 0 "
                    "for these data; pass a number, or scale the features (--scale standard)",
                    option);
    k->gamma = gamma;
    return PERC_OK;
}

/* `whole`: all data are at hand, so that they can be scaled by their statistics. The constant
 * may be to blame rather than the row. */
static perc_status too_large(const struct kernel *k, double nx, int64_t line, bool whole,
                             perc_error *err)
{
    const char *scale = whole ? "scale the features (--scale standard, unit or by:NUMBER)"
                              : "scale the features (--scale unit or by:NUMBER)";
    const bool constant = fabs(k->coef0) > k->gamma * nx;

    switch (k->type) {
    case KERNEL_POLY:
        if (constant)
            return fail(err, PERC_EDATA,
                        "--coef0 is too large for the kernel: (gamma x.x + "
                        "coef0)^%d overflows; pass a --coef0 nearer to 0, or a lower --degree",
                        k->degree);
        return fail_at(err, PERC_EDATA, line, 0,
                       "this row is too large for the kernel: (gamma x.x + coef0)^%d overflows; "
                       "%s, or pass a lower --degree or a smaller --gamma",
                       k->degree, scale);
    case KERNEL_SIGMOID:
        return fail_at(err, PERC_EDATA, line, 0,
                       "this row is too large for the kernel: eta x.x + theta overflows; %s, or "
                       "pass a smaller --eta",
                       scale);
    default:
        return fail_at(err, PERC_EDATA, line, 0,
                       "this row is too large for the kernel: x.x overflows; %s", scale);
    }
}

perc_status gram_check_row(const struct kernel *k, const struct row *x, int64_t line,
                           perc_error *err)
{
    const double nx = kernel_norm2(k, x);

    return isfinite(kernel_bound(k, nx)) ? PERC_OK : too_large(k, nx, line, false, err);
}

perc_status gram_fit(const struct env *e, struct kernel *k, const perc_dataset *ds, perc_error *err)
{
    struct data_sums s = { .ds = ds, .kernel = k };
    perc_status st = PERC_OK;

    if (k->type == KERNEL_PRECOMPUTED) return precomputed_fit(e, k, ds, err);
    lens_init(&s.lens, e, &ds->map);
    for (size_t b = 0; b < ds->blocks && !st; b++) st = lens_reserve(&s.lens, &ds->block[b], err);
    if (!st && isnan(k->gamma)) st = find_gamma(&s, k, err);
    if (!st) sum_rows(&s, 0);
    if (!st && !isfinite(kernel_bound(k, s.largest))) {
        const int64_t line = s.most != NULL ? block_line(s.most, s.at) : 0;
        st = too_large(k, s.largest, line, true, err);
        if (err != NULL && err->line > 0) block_blame(s.most, s.at, st, err);
    }
    lens_free(&s.lens);
    return st;
}
