/* simplex_basis.c -- the basis of the exact simplex method. */
#include "solve/simplex.h"

#include <math.h>

/* ----- beginning and end ------------------------------------------------------------------ */

static size_t bits_of(const mpz_t v)
{
    return mpz_sgn(v) == 0 ? 0 : mpz_sizeinbase(v, 2);
}

/* v / 2^down, off by at most 2^-52 of it plus 2^-1074. */
static double scaled_down(const mpz_t v, size_t down)
{
    long exponent;
    const double m = mpz_get_d_2exp(&exponent, v);
    const double e = (double)exponent - (double)down;

    return e < -1200 ? 0 : ldexp(m, (int)e);
}

/* Adds row i, which is in `probe`, to the image. */
static perc_status image_row(struct simplex *x, uint64_t i)
{
    struct image *im = &x->im;
    const struct whole_vector *v = &x->probe;
    const size_t at = im->from[i];
    size_t most = 1;

    if (!mem_grow(&x->e, (void **)&im->place, &im->cap_place, at + v->n, sizeof *im->place) ||
        !mem_grow(&x->e, (void **)&im->value, &im->cap_value, at + v->n, sizeof *im->value))
        return PERC_ENOMEM;
    for (size_t k = 0; k < v->n; k++) {
        whole_get(v, k, x->t1);
        if (bits_of(x->t1) > most) most = bits_of(x->t1);
    }
    for (size_t k = 0; k < v->n; k++) {
        whole_get(v, k, x->t1);
        im->value[at + k] = scaled_down(x->t1, most);
        im->place[at + k] = (uint32_t)v->column[k]; /* for now */
        x->place[v->column[k]] = 1;
    }
    im->one[i] = most > 1200 ? 0 : ldexp(1, -(int)most);
    im->from[i + 1] = at + v->n;
    return PERC_OK;
}

/* The rows in doubles. Numbers the columns in use, and gives each the sign that most of its entries
 * have, for z_j = 0 at the start. */
static perc_status make_image(struct simplex *x, perc_error *err)
{
    int64_t *tilt;
    perc_status st;

    x->im.from[0] = 0;
    for (uint64_t i = 0; i < x->n; i++) {
        x->im.from[i + 1] = x->im.from[i];
        if (simplex_kind(x, i) == OUT) continue;
        if ((st = whole_row(x->p, i, &x->probe, err))) return st;
        if (image_row(x, i)) return fail_memory(err);
    }
    for (size_t j = 0; j < x->dims; j++) x->used += x->place[j] != 0;
    x->column = pool_array(&x->pool, x->used, sizeof *x->column);
    x->wd = pool_array(&x->pool, x->used, sizeof *x->wd);
    x->kink = pool_array(&x->pool, x->used, sizeof *x->kink);
    tilt = pool_zeroed(&x->pool, x->used, sizeof *tilt);
    if (x->pool.failed) return fail_memory(err);
    for (size_t j = 0, at = 0; j < x->dims; j++) {
        if (x->place[j] == 0) continue;
        x->place[j] = (uint32_t)at;
        x->column[at++] = j;
    }
    for (size_t k = 0; k < x->im.from[x->n]; k++) {
        x->im.place[k] = x->place[x->im.place[k]];
        tilt[x->im.place[k]] += x->im.value[k] > 0 ? 1 : -1;
    }
    for (size_t u = 0; u < x->used; u++) x->sigma[x->column[u]] = tilt[u] < 0 ? -1 : 1;
    return PERC_OK;
}

perc_status simplex_open(struct simplex *x, perc_error *err)
{
    const struct env *e = &x->e;
    struct pool *pool = &x->pool;

    mpz_inits(x->t1, x->t2, x->slope, NULL);
    whole_vector_init(&x->enter, e);
    whole_vector_init(&x->probe, e);
    pool_init(pool, e);
    x->im.from = pool_array(pool, x->n + 1, sizeof *x->im.from);
    x->im.one = pool_zeroed(pool, x->n, sizeof *x->im.one);
    x->basic = pool_zeroed(pool, x->n, sizeof *x->basic);
    x->place = pool_zeroed(pool, x->dims, sizeof *x->place);
    x->pos = pool_array(pool, x->dims, sizeof *x->pos);
    x->sigma = pool_zeroed(pool, x->dims, sizeof *x->sigma);
    x->list = pool_array(pool, x->o->starts > LIST ? x->o->starts : LIST, sizeof *x->list);
    x->z = whole_numbers(e, x->dims);
    x->dz = whole_numbers(e, x->dims);
    x->w = whole_numbers(e, x->dims);
    if (pool->failed || x->z == NULL || x->dz == NULL || x->w == NULL || x->dims > UINT32_MAX ||
        inverse_init(&x->inv, e))
        return fail_memory(err);
    for (size_t j = 0; j < x->dims; j++) x->pos[j] = NONE;
    return make_image(x, err);
}

static void free_lists(struct simplex *x)
{
    const struct env *e = &x->e;

    for (size_t s = 0; s < x->cap && x->vec != NULL; s++) whole_vector_free(&x->vec[s]);
    mem_free(e, x->vec, x->cap, sizeof *x->vec);
    mem_free(e, x->row, x->cap, sizeof *x->row);
    mem_free(e, x->col, x->cap, sizeof *x->col);
    whole_numbers_free(e, x->nc, x->cap);
    whole_numbers_free(e, x->rn, x->cap);
    whole_numbers_free(e, x->dual, x->cap);
}

void simplex_close(struct simplex *x)
{
    const struct env *e = &x->e;

    free_lists(x);
    inverse_free(&x->inv);
    pool_free(&x->pool);
    mem_free(e, x->im.place, x->im.cap_place, sizeof *x->im.place);
    mem_free(e, x->im.value, x->im.cap_value, sizeof *x->im.value);
    whole_numbers_free(e, x->z, x->dims);
    whole_numbers_free(e, x->dz, x->dims);
    whole_numbers_free(e, x->w, x->dims);
    whole_vector_free(&x->enter);
    whole_vector_free(&x->probe);
    mpz_clears(x->t1, x->t2, x->slope, NULL);
}

/* ----- the basis -------------------------------------------------------------------------- */

/* Room for one more basic row in all arrays by basic row. */
static perc_status basis_room(struct simplex *x)
{
    const struct env *e = &x->e;
    struct simplex old = *x;
    const size_t cap = x->cap < 8 ? 8 : x->cap + x->cap / 2;

    if (inverse_room(&x->inv)) return PERC_ENOMEM;
    if (x->vec != NULL && x->inv.k < x->cap) return PERC_OK;
    old.inv = x->inv;
    x->vec = mem_zeroed(e, cap, sizeof *x->vec);
    x->row = mem_array(e, cap, sizeof *x->row);
    x->col = mem_array(e, cap, sizeof *x->col);
    x->nc = whole_numbers(e, cap);
    x->rn = whole_numbers(e, cap);
    x->dual = whole_numbers(e, cap);
    x->cap = cap;
    const bool full = x->vec == NULL || x->row == NULL || x->col == NULL || x->nc == NULL ||
                      x->rn == NULL || x->dual == NULL;
    if (full) {
        free_lists(x);
        *x = old;
        return PERC_ENOMEM;
    }
    for (size_t s = 0; s < old.cap; s++) {
        x->vec[s] = old.vec[s];
        x->row[s] = old.row[s];
        x->col[s] = old.col[s];
        mpz_swap(x->nc[s], old.nc[s]);
        old.vec[s] = (struct whole_vector){ .n = 0 };
    }
    free_lists(&old);
    return PERC_OK;
}

/* The row in `enter` becomes basic row s. */
static void seat_row(struct simplex *x, size_t s, uint64_t i)
{
    const struct whole_vector v = x->vec[s];

    x->vec[s] = x->enter;
    x->enter = v;
    if (x->enter.lens.e.alloc == NULL) whole_vector_init(&x->enter, &x->e);
    x->row[s] = i;
    x->basic[i] = 1;
}

/* rn = r N for the row r of column l, whose entries are found by bisection. */
static void row_times(struct simplex *x, size_t l)
{
    for (size_t j = 0; j < x->inv.k; j++) mpz_set_ui(x->rn[j], 0);
    for (size_t s = 0; s < x->inv.k; s++) {
        const struct whole_vector *v = &x->vec[s];
        size_t from = 0, to = v->n;
        while (from < to) {
            const size_t mid = from + (to - from) / 2;
            if (v->column[mid] < l) from = mid + 1;
            else to = mid;
        }
        if (from == v->n || v->column[from] != l) continue;
        whole_get(v, from, x->t1);
        for (size_t j = 0; j < x->inv.k; j++)
            mpz_addmul(x->rn[j], x->t1, *inverse_at(&x->inv, s, j));
    }
}

bool simplex_primal(struct simplex *x)
{
    for (size_t u = 0; u < x->used; u++) mpz_set_ui(x->z[x->column[u]], 0);
    for (size_t s = 0; s < x->inv.k; s++) whole_add(&x->vec[s], *inverse_at(&x->inv, s, 0), x->z);
    for (size_t u = 0; u < x->used; u++)
        if (mpz_sgn(x->z[x->column[u]]) != 0) return false;
    return true;
}

void simplex_duals(struct simplex *x)
{
    const size_t k = x->inv.k;
    size_t most = bits_of(x->inv.det);

    x->w_ready = false;
    for (size_t j = 0; j < k; j++) mpz_set_ui(x->dual[j], 0);
    for (size_t s = 0; s < k; s++) {
        const struct whole_vector *v = &x->vec[s];
        mpz_set_ui(x->t1, 0); /* g_s: the sum of sigma_l a_sl over the columns outside J */
        for (size_t a = 0; a < v->n; a++) {
            if (x->pos[v->column[a]] != NONE) continue;
            whole_get(v, a, x->t2);
            if (x->sigma[v->column[a]] > 0) mpz_add(x->t1, x->t1, x->t2);
            else mpz_sub(x->t1, x->t1, x->t2);
        }
        if (mpz_sgn(x->t1) == 0) continue;
        for (size_t j = 0; j < k; j++) mpz_submul(x->dual[j], x->t1, *inverse_at(&x->inv, s, j));
    }
    for (size_t j = 0; j < k; j++)
        if (bits_of(x->dual[j]) > most) most = bits_of(x->dual[j]);
    x->dd = scaled_down(x->inv.det, most);
    x->td = -scaled_down(x->dual[0], most);
    for (size_t u = 0; u < x->used; u++) x->wd[u] = x->sigma[x->column[u]] * x->dd;
    for (size_t j = 1; j < k; j++) x->wd[x->place[x->col[j]]] = scaled_down(x->dual[j], most);
}

void simplex_find_w(struct simplex *x)
{
    if (x->w_ready) return;
    x->w_ready = true;
    for (size_t u = 0; u < x->used; u++) {
        const size_t j = x->column[u];
        if (x->pos[j] != NONE) mpz_set(x->w[j], x->dual[x->pos[j]]);
        else if (x->sigma[j] > 0) mpz_set(x->w[j], x->inv.det);
        else mpz_neg(x->w[j], x->inv.det);
    }
}

perc_status simplex_begin(struct simplex *x, uint64_t i, perc_error *err)
{
    const perc_status st = whole_row(x->p, i, &x->enter, err);

    if (st) return st;
    if (basis_room(x)) return fail_memory(err);
    seat_row(x, 0, i);
    simplex_primal(x);
    for (size_t u = 0; u < x->used; u++) {
        const int sign = mpz_sgn(x->z[x->column[u]]);
        if (sign != 0) x->sigma[x->column[u]] = (signed char)sign;
    }
    return PERC_OK;
}

/* ----- steps ------------------------------------------------------------------------------- */

void simplex_replace(struct simplex *x, uint64_t i, size_t s)
{
    inverse_column(&x->inv, s, x->nc);
    x->basic[x->row[s]] = 0;
    seat_row(x, s, i);
}

perc_status simplex_grow(struct simplex *x, uint64_t i, size_t l)
{
    if (basis_room(x)) return PERC_ENOMEM;
    row_times(x, l);
    inverse_border(&x->inv, x->nc, x->rn, x->dz[l]);
    seat_row(x, x->inv.k - 1, i);
    x->col[x->inv.k - 1] = l;
    x->pos[l] = x->inv.k - 1;
    return PERC_OK;
}

void simplex_exchange(struct simplex *x, size_t j, size_t l)
{
    const size_t at = x->pos[j];

    row_times(x, l);
    inverse_row(&x->inv, at, x->rn);
    x->pos[j] = NONE;
    x->pos[l] = at;
    x->col[at] = l;
}

void simplex_shrink(struct simplex *x, size_t j, size_t s)
{
    const size_t last = x->inv.k - 1, at = x->pos[j];
    const struct whole_vector v = x->vec[s];

    inverse_drop(&x->inv, s, at);
    x->basic[x->row[s]] = 0;
    x->vec[s] = x->vec[last];
    x->vec[last] = v;
    x->row[s] = x->row[last];
    x->pos[x->col[last]] = at;
    x->pos[j] = NONE; /* in this order: j may be the last */
    x->col[at] = x->col[last];
}
