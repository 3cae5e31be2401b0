/* walk.c -- passes over the rows of a problem. */
#include "solve/walk.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "vec/row_many.h"

enum { WORTH = 1 << 18 }; /* stored entries below which threads cost more than they save */

/* One lens a slice: the rows are measured for the first; the others get as much room. */
size_t walk_numbers(const struct problem *p, size_t width)
{
    const uint64_t columns = p->dims + (p->offset ? 1 : 0), each = width > 0 ? width : 1;

    return columns <= SIZE_MAX / each ? (size_t)(columns * each) : SIZE_MAX;
}

perc_status walk_init(struct walk *k, const struct problem *p, uint32_t positive, size_t width,
                      perc_error *err)
{
    const uint64_t d = walk_numbers(p, width);
    const uint64_t most = 64 * (p->n / (d + 1)) + 1; /* few rows: a slice costs d, and more */
    uint64_t entries = p->n;
    perc_status st;

    *k = (struct walk){ .p = p, .positive = positive, .width = width, .d = (size_t)d };
    k->slices = most < WALK_SLICES ? most : WALK_SLICES;
    for (size_t b = 0; b < p->block_count; b++) entries += p->blocks[b].nonzeros;
    k->threads = entries < WORTH ? 1 : p->e.threads;
    st = problem_lens(p, &k->lens[0], err);
    for (uint64_t c = 1; c < k->slices && !st; c++) {
        struct lens *l = &k->lens[c];
        lens_init(l, &p->e, p->map);
        if (k->lens[0].cap == 0) continue;
        l->column = mem_array(&l->e, k->lens[0].cap, sizeof *l->column);
        l->value = mem_array(&l->e, k->lens[0].cap, sizeof *l->value);
        l->cap = k->lens[0].cap;
        if (l->column == NULL || l->value == NULL) st = fail_memory(err);
    }
    if (!st && d <= SIZE_MAX / WALK_SLICES)
        k->part = mem_array(&p->e, (size_t)k->slices * k->d, sizeof *k->part);
    if (width > 0) k->scores = mem_array(&p->e, (size_t)k->slices, width * sizeof(double));
    if (!st && (k->part == NULL || (width > 0 && k->scores == NULL))) st = fail_memory(err);
    if (st) walk_free(k);
    return st;
}

void walk_free(struct walk *k)
{
    if (k->p == NULL) return;
    mem_free(&k->p->e, k->part, (size_t)k->slices * k->d, sizeof *k->part);
    mem_free(&k->p->e, k->scores, (size_t)k->slices, k->width * sizeof(double));
    for (uint64_t c = 0; c < k->slices; c++)
        if (k->lens[c].cap > 0) lens_free(&k->lens[c]);
    *k = (struct walk){ 0 };
}

void walk_each(const struct walk *k, void (*run)(void *ud, uint64_t slice), void *ud)
{
    threads_each(k->threads, k->slices, run, ud);
}

/* ----- one pass ----------------------------------------------------------------------- */

struct walking {
    struct walk *k;
    const double *a, *v;
    int side;
    double *out;
};

static struct row row_at(const struct walking *s, uint64_t slice, uint64_t i)
{
    return problem_row(s->k->p, &s->k->lens[slice], i);
}

/* Scores of rows i[0 .. n-1], n <= ROW_DOTS, and the rows: one at a time where they are
 * images, which live until the next one is made. */
static void score_rows(const struct walking *s, uint64_t slice, const uint64_t *i, int n,
                       struct row *r, double *out)
{
    const struct problem *p = s->k->p;

    for (int j = 0; j < n; j++) r[j] = row_at(s, slice, i[j]);
    row_dots(r, n, s->v, p->dims, out);
    for (int j = 0; j < n; j++) out[j] += p->offset ? s->v[p->dims] : 0;
}

static int rows_at_once(const struct walk *k)
{
    return k->lens[0].map != NULL ? 1 : ROW_DOTS;
}

static void margins_slice(void *ud, uint64_t slice)
{
    const struct walking *s = ud;
    const uint64_t to = walk_from(s->k, slice + 1), most = (uint64_t)rows_at_once(s->k);
    struct row r[ROW_DOTS] = { { 0 } };

    for (uint64_t i = walk_from(s->k, slice); i < to && walk_goes_on(s->k, slice, most * r[0].n);
         i += most) {
        const uint64_t at[ROW_DOTS] = { i, i + 1, i + 2, i + 3 };
        const int n = (int)(to - i < most ? to - i : most);
        score_rows(s, slice, at, n, r, s->out + i);
        for (int j = 0; j < n; j++)
            s->out[i + (uint64_t)j] *= problem_sign(s->k->p, i + (uint64_t)j, s->k->positive);
    }
}

/* All scores of row r. */
static void score_all(const struct walk *k, const struct row *r, const double *v, double *out)
{
    row_scores(r, v, k->p->dims, k->width, out);
    for (size_t c = 0; c < k->width && k->p->offset; c++) out[c] += v[k->p->dims * k->width + c];
}

static void scores_slice(void *ud, uint64_t slice)
{
    const struct walking *s = ud;

    for (uint64_t i = walk_from(s->k, slice); i < walk_from(s->k, slice + 1); i++) {
        const struct row r = row_at(s, slice, i);
        score_all(s->k, &r, s->v, s->out + i * s->k->width);
        if (!walk_goes_on(s->k, slice, r.n * s->k->width)) return;
    }
}

void walk_margins(struct walk *k, const double *v, double *out)
{
    struct walking s = { .k = k, .v = v, .out = out };

    walk_each(k, k->width > 0 ? scores_slice : margins_slice, &s);
}

/* ----- sums ------------------------------------------------------------------------------ */

static double *part_of(const struct walking *s, uint64_t slice)
{
    double *part = s->k->part + slice * s->k->d;

    memset(part, 0, s->k->d * sizeof *part);
    return part;
}

/* part += a x'_i */
static void add_to_part(const struct walk *k, double a, const struct row *r, double *part)
{
    row_axpy(a, r, part, k->p->dims);
    if (k->p->offset) part[k->p->dims] += a;
}

static void add_up(struct walk *k, void (*run)(void *ud, uint64_t slice), struct walking *s)
{
    walk_each(k, run, s);
    memcpy(s->out, k->part, k->d * sizeof *s->out);
    for (uint64_t c = 1; c < k->slices; c++)
        for (size_t j = 0; j < k->d; j++) s->out[j] += k->part[c * k->d + j];
}

static void sum_slice(void *ud, uint64_t slice)
{
    const struct walking *s = ud;
    double *part = part_of(s, slice);

    for (uint64_t i = walk_from(s->k, slice); i < walk_from(s->k, slice + 1); i++) {
        const double y = problem_sign(s->k->p, i, s->k->positive);
        if (s->a[i] == 0 || y * s->side < 0) continue;
        const struct row r = row_at(s, slice, i);
        add_to_part(s->k, s->a[i] * y, &r, part);
        if (!walk_goes_on(s->k, slice, r.n)) return;
    }
}

/* part += a_c x'_i in every class c */
static void add_all_to_part(const struct walk *k, const double *a, const struct row *r,
                            double *part)
{
    row_axpy_all(a, NULL, r, part, NULL, k->p->dims, k->width);
    for (size_t c = 0; c < k->width && k->p->offset; c++) part[k->p->dims * k->width + c] += a[c];
}

static void sums_slice(void *ud, uint64_t slice)
{
    const struct walking *s = ud;
    double *part = part_of(s, slice);

    for (uint64_t i = walk_from(s->k, slice); i < walk_from(s->k, slice + 1); i++) {
        const struct row r = row_at(s, slice, i);
        add_all_to_part(s->k, s->a + i * s->k->width, &r, part);
        if (!walk_goes_on(s->k, slice, r.n * s->k->width)) return;
    }
}

void walk_sum(struct walk *k, const double *a, int side, double *out)
{
    struct walking s = { .k = k, .a = a, .side = side, .out = out };

    add_up(k, k->width > 0 ? sums_slice : sum_slice, &s);
}

static void product_slice(void *ud, uint64_t slice)
{
    const struct walking *s = ud;
    const uint64_t to = walk_from(s->k, slice + 1);
    const int most = rows_at_once(s->k);
    double *part = part_of(s, slice), score[ROW_DOTS];
    uint64_t at[ROW_DOTS];
    struct row r[ROW_DOTS];
    int n = 0;

    for (uint64_t i = walk_from(s->k, slice); i < to || n > 0;) {
        while (i < to && n < most) {
            if (s->a[i] != 0) at[n++] = i;
            i++;
        }
        score_rows(s, slice, at, n, r, score);
        for (int j = 0; j < n; j++) add_to_part(s->k, s->a[at[j]] * score[j], &r[j], part);
        if (n > 0 && !walk_goes_on(s->k, slice, (size_t)n * r[0].n)) return;
        n = 0;
    }
}

static void products_slice(void *ud, uint64_t slice)
{
    const struct walking *s = ud;
    const size_t width = s->k->width;
    double *part = part_of(s, slice), *z = s->k->scores + slice * width;

    for (uint64_t i = walk_from(s->k, slice); i < walk_from(s->k, slice + 1); i++) {
        const struct row r = row_at(s, slice, i);
        const double *a = s->a + i * width;
        double all = 0, mean = 0;
        score_all(s->k, &r, s->v, z);
        for (size_t c = 0; c < width; c++) all += a[c], mean += a[c] * z[c];
        mean = all > 0 ? mean / all : 0;
        for (size_t c = 0; c < width; c++) z[c] = a[c] * (z[c] - mean);
        add_all_to_part(s->k, z, &r, part);
        if (!walk_goes_on(s->k, slice, 2 * r.n * width)) return;
    }
}

void walk_product(struct walk *k, const double *a, const double *v, double *out)
{
    struct walking s = { .k = k, .a = a, .v = v, .out = out };

    add_up(k, k->width > 0 ? products_slice : product_slice, &s);
}

static void squares_slice(void *ud, uint64_t slice)
{
    const struct walking *s = ud;
    double *part = part_of(s, slice);

    for (uint64_t i = walk_from(s->k, slice); i < walk_from(s->k, slice + 1); i++) {
        if (s->a[i] == 0) continue;
        const struct row r = row_at(s, slice, i);
        if (!walk_goes_on(s->k, slice, r.n)) return;
        spread_axpy_squares(s->a[i], &r, part, s->k->p->dims);
        if (s->k->p->offset) part[s->k->p->dims] += s->a[i];
    }
}

/* What a score alone has to do with itself: a_c (1 - a_c / sum a). */
static void all_squares_slice(void *ud, uint64_t slice)
{
    const struct walking *s = ud;
    const struct walk *k = s->k;
    const size_t width = k->width;
    double *part = part_of(s, slice), *own = k->scores + slice * width;

    for (uint64_t i = walk_from(k, slice); i < walk_from(k, slice + 1); i++) {
        const struct row r = row_at(s, slice, i);
        const double *a = s->a + i * width;
        double all = 0;
        for (size_t c = 0; c < width; c++) all += a[c];
        for (size_t c = 0; c < width; c++) own[c] = all > 0 ? a[c] - a[c] * (a[c] / all) : 0;
        for (size_t e = 0; e < r.n; e++) {
            const double x = row_value(&r, e);
            double *at = part + row_column(&r, e) * width;
            if (row_column(&r, e) >= k->p->dims) continue;
            for (size_t c = 0; c < width; c++) at[c] += own[c] * (x * x);
        }
        for (size_t c = 0; c < width && k->p->offset; c++) part[k->p->dims * width + c] += own[c];
        if (!walk_goes_on(s->k, slice, r.n * width)) return;
    }
}

void walk_squares(struct walk *k, const double *a, double *out)
{
    struct walking s = { .k = k, .a = a, .out = out };

    add_up(k, k->width > 0 ? all_squares_slice : squares_slice, &s);
}

/* ----- outer products ------------------------------------------------------------------------ */

/* Threads share the rows of h, in bands of the same area; every element of h gets its
 * terms in the order of the rows, whatever the bands. */
struct gram {
    struct walking s;
    size_t stride, size;
    uint64_t bands;
    double *scratch;
};

/* Room for the values of a row spread out, and for its units, which take half as much. */
static size_t spread_room(const struct walk *k)
{
    return gram_size(k->d) + gram_size(k->d) / GRAM_LANES;
}

size_t walk_gram_room(const struct walk *k)
{
    return spread_room(k) * GRAM_ROWS * (size_t)k->slices;
}

static size_t band_from(const struct gram *g, uint64_t band)
{
    return (size_t)((double)g->size * sqrt((double)band / (double)g->bands));
}

static void gram_rows(const struct gram *g, uint64_t band, const double *a, struct spread *x,
                      size_t n)
{
    spread_gram(a, x, n, band_from(g, band), band_from(g, band + 1), g->s.out, g->stride);
    for (size_t j = 0; j < n; j++) spread_clear(&x[j]);
}

static void gram_of(void *ud, uint64_t band)
{
    const struct gram *g = ud;
    struct walk *k = g->s.k;
    struct spread x[GRAM_ROWS];
    double a[GRAM_ROWS] = { 0 };
    const uint64_t each = g->size * g->size / g->bands / 16; /* products, several at a time */
    size_t n = 0;

    for (size_t j = 0; j < GRAM_ROWS; j++) {
        double *at = g->scratch + (band * GRAM_ROWS + j) * spread_room(k);
        x[j] = (struct spread){ at, (uint32_t *)(void *)(at + gram_size(k->d)), 0 };
    }
    for (uint64_t i = 0; i < k->p->n; i++) {
        if (g->s.a[i] == g->s.v[i]) continue;
        const struct row r = row_at(&g->s, band, i);
        spread_row(&x[n], &r, k->p->dims);
        if (k->p->offset) spread_entry(&x[n], (size_t)k->p->dims, 1);
        a[n++] = g->s.a[i] - g->s.v[i];
        if (n == GRAM_ROWS) {
            gram_rows(g, band, a, x, n);
            if (!walk_goes_on(k, band, n * each)) return;
            n = 0;
        }
    }
    gram_rows(g, band, a, x, n);
}

void walk_gram(struct walk *k, const double *now, const double *then, double *h, size_t stride,
               double *scratch)
{
    struct gram g = { .s = { .k = k, .a = now, .v = then, .out = h },
                      .stride = stride,
                      .size = gram_size(k->d),
                      .scratch = scratch };
    const uint64_t bands = k->threads > 1 ? 2 * (uint64_t)k->threads : 1;

    g.bands = bands < k->slices ? bands : k->slices; /* a lens each */
    threads_each(k->threads, g.bands, gram_of, &g);
}
