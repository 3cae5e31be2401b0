/* simplex.c -- is 0 in the hull of the rows? In whole numbers.
 *
 * Steps go on through the kinks of sum |z_l| while they lead down (Barrodale and Roberts
 * 1973). After some consecutive steps of length 0 that stops, and the lowest number enters
 * and leaves (Bland 1977) until there is a step of positive length. */
#include "solve/simplex.h"

#include "base/sort.h"

enum { STALLS = 24 };  /* steps of length 0 before Bland's rule */
#define MOST_BYTES 8e9 /* for numbers of any length */

/* nc and dz: how D lambda falls and D z grows as the entering variable grows; slope: D times the
 * change of sum |z|, below 0. */
static perc_status find_direction(struct simplex *x, struct entering *in, perc_error *err)
{
    const struct whole_vector *v = &x->enter;
    const size_t k = x->inv.k;

    for (size_t u = 0; u < x->used; u++) mpz_set_ui(x->dz[x->column[u]], 0);
    if (in->column) {
        const size_t j = x->pos[in->at];
        in->tau = mpz_sgn(x->dual[j]);
        for (size_t s = 0; s < k; s++) mpz_neg(x->nc[s], *inverse_at(&x->inv, s, j));
        mpz_abs(x->slope, x->dual[j]);
        mpz_sub(x->slope, x->inv.det, x->slope);
    } else {
        const perc_status st = simplex_exactly(x, in->at, &x->enter, err);
        if (st) return st;
        in->tau = mpz_sgn(x->slope) < 0 ? 1 : -1;
        if (in->tau < 0) mpz_neg(x->slope, x->slope);
        for (size_t s = 0; s < k; s++) {
            if (simplex_kind(x, in->at) == FREE) mpz_set_ui(x->nc[s], 0);
            else mpz_set(x->nc[s], *inverse_at(&x->inv, s, 0));
        }
        for (size_t a = 0; a < v->n; a++) {
            const size_t j = x->pos[v->column[a]];
            whole_get(v, a, x->t1);
            for (size_t s = 0; s < k && j != NONE; s++)
                mpz_addmul(x->nc[s], x->t1, *inverse_at(&x->inv, s, j));
        }
        whole_add(v, x->inv.det, x->dz);
    }
    for (size_t s = 0; s < k; s++) {
        mpz_neg(x->t2, x->nc[s]);
        whole_add(&x->vec[s], x->t2, x->dz);
    }
    return PERC_OK;
}

/* ----- what leaves ------------------------------------------------------------------------ */

/* The sign of a / b - c / d, where b and d count as if they were > 0. */
static int compare_ratios(struct simplex *x, const mpz_t a, const mpz_t b, const mpz_t c,
                          const mpz_t d)
{
    mpz_mul(x->t1, a, d);
    mpz_mul(x->t2, c, b);
    return mpz_cmpabs(x->t1, x->t2);
}

/* The basic row that becomes 0 first, the lowest of several; or NONE. */
static size_t row_leaves(struct simplex *x, int tau)
{
    size_t best = NONE;

    for (size_t s = 0; s < x->inv.k; s++) {
        if (simplex_kind(x, x->row[s]) == FREE || mpz_sgn(x->nc[s]) != tau) continue;
        const int c = best == NONE ? -1
                                   : compare_ratios(x, *inverse_at(&x->inv, s, 0), x->nc[s],
                                                    *inverse_at(&x->inv, best, 0), x->nc[best]);
        if (c < 0 || (c == 0 && x->row[s] < x->row[best])) best = s;
    }
    return best;
}

/* Whether the kink of column a comes before that of b; columns rise where they are equal. */
static bool kink_before(struct simplex *x, size_t a, size_t b)
{
    const int c = compare_ratios(x, x->z[a], x->dz[a], x->z[b], x->dz[b]);

    return c < 0 || (c == 0 && a < b);
}

static void sink_kink(struct simplex *x, size_t n, size_t at)
{
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && kink_before(x, x->kink[child + 1], x->kink[child])) child++;
        if (!kink_before(x, x->kink[child], x->kink[at])) return;
        const size_t t = x->kink[at];
        x->kink[at] = x->kink[child];
        x->kink[child] = t;
    }
}

/* The column that leaves, or NONE: row `limit` does. Columns whose |z| falls to 0 before row
 * `limit` does (with it, if columns go first) are in a heap with the first on top. Those whose
 * kinks are passed change their sign; after each, the slope of sum |z| is up by 2 |dz_l|. */
static size_t column_leaves(struct simplex *x, int tau, size_t limit, bool pass)
{
    size_t n = 0;

    for (size_t u = 0; u < x->used; u++) {
        const size_t l = x->column[u];
        if (x->pos[l] != NONE || mpz_sgn(x->dz[l]) * tau * x->sigma[l] >= 0) continue;
        if (limit != NONE &&
            compare_ratios(x, x->z[l], x->dz[l], *inverse_at(&x->inv, limit, 0), x->nc[limit]) >= 0)
            continue;
        x->kink[n++] = l;
    }
    for (size_t k = n / 2; k-- > 0;) sink_kink(x, n, k);
    while (n > 0) {
        const size_t l = x->kink[0];
        mpz_abs(x->t1, x->dz[l]);
        mpz_addmul_ui(x->slope, x->t1, 2);
        if (!pass || mpz_sgn(x->slope) >= 0) return l;
        x->sigma[l] = (signed char)-x->sigma[l];
        x->kink[0] = x->kink[--n];
        sink_kink(x, n, 0);
    }
    return NONE;
}

/* Goes as far as the sum falls in that direction. */
static perc_status pivot_step(struct simplex *x, const struct entering *in, perc_error *err)
{
    const bool bland = x->stalls > STALLS;
    perc_status st = PERC_OK;
    const size_t s = row_leaves(x, in->tau);
    const size_t l = column_leaves(x, in->tau, s, !bland);
    const bool still = mpz_sgn(l != NONE ? x->z[l] : *inverse_at(&x->inv, s, 0)) == 0;
    x->stalls = still ? x->stalls + 1 : 0;
    x->pivots++;
    if (in->column) x->sigma[in->at] = (signed char)in->tau;
    if (l != NONE && in->column) simplex_exchange(x, in->at, l);
    else if (in->column) simplex_shrink(x, in->at, s);
    else if (l == NONE) simplex_replace(x, in->at, s);
    else if (simplex_grow(x, in->at, l)) st = fail_memory(err);
    return st;
}

/* ----- the method ------------------------------------------------------------------------- */

/* GMP ends the process when out of memory. So what the next step may need is bounded: numbers of
 * K^-1 and those by columns have as many bits as D, give or take a row's; beyond MOST_BYTES the
 * method stops; up to there the memory is asked for once whenever it has doubled. */
static perc_status check_room(struct simplex *x, bool *stopped, perc_error *err)
{
    const double k = (double)x->inv.k + 1, wide = (double)x->used;
    const double number = (double)mpz_sizeinbase(x->inv.det, 2) / 8 + 32;
    const double bytes = (k * k + 3 * wide) * number;

    if (bytes > MOST_BYTES) *stopped = true;
    if (*stopped || bytes <= x->asked) return PERC_OK;
    x->asked = 2 * bytes;
    void *probe = mem_array(&x->e, (size_t)x->asked, 1);
    if (probe == NULL) return fail_memory(err);
    mem_free(&x->e, probe, (size_t)x->asked, 1);
    return PERC_OK;
}

/* All independent free rows become basic, and remain so: then what is found depends on as few other
 * rows as possible. Steps may be level, too: then some |z_l| fall and others grow, so there is a
 * kink. */
static perc_status enter_free(struct simplex *x, bool *stopped, perc_error *err)
{
    perc_status st = PERC_OK;

    for (uint64_t i = 0; i < x->n && !st; i++) {
        struct entering in = { .at = i };
        if (simplex_kind(x, i) != FREE) continue;
        *stopped = !watch_ask(x->o->watch, x->pivots);
        if (!*stopped) st = check_room(x, stopped, err);
        if (st || *stopped) break;
        simplex_primal(x);
        simplex_duals(x);
        if ((st = find_direction(x, &in, err))) break;
        /* Whether the row is a sum of those that are basic. One row that is not free is basic,
         * too, but it stays at lambda = 1. */
        bool spanned = true;
        for (size_t u = 0; u < x->used && spanned; u++) spanned = mpz_sgn(x->dz[x->column[u]]) == 0;
        if (!spanned) st = pivot_step(x, &in, err);
    }
    x->stalls = 0;
    return st;
}

static int by_basic_row(const void *a, const void *b)
{
    const uint64_t x = **(const uint64_t *const *)a, y = **(const uint64_t *const *)b;

    return x < y ? -1 : x > y;
}

/* lambda of the basic rows except those that are 0, by rising row. */
static perc_status give_lambda(struct simplex *x, struct simplex_result *out)
{
    const size_t k = x->inv.k;
    const uint64_t **order = mem_array(&x->e, k, sizeof *order);

    if (order == NULL) return PERC_ENOMEM;
    for (size_t s = 0; s < k; s++)
        if (mpz_sgn(*inverse_at(&x->inv, s, 0)) != 0) order[out->rows++] = &x->row[s];
    sort_items(order, out->rows, sizeof *order, by_basic_row);
    out->row = mem_array(&x->e, out->rows, sizeof *out->row);
    out->x = whole_numbers(&x->e, out->rows);
    const bool full = out->row == NULL || out->x == NULL;
    for (size_t r = 0; r < out->rows && !full; r++) {
        out->row[r] = *order[r];
        mpz_set(out->x[r], *inverse_at(&x->inv, (size_t)(order[r] - x->row), 0));
    }
    mem_free(&x->e, order, k, sizeof *order);
    if (full) return PERC_ENOMEM;
    whole_reduce(out->x, out->rows);
    return PERC_OK;
}

static perc_status run_simplex(struct simplex *x, struct simplex_result *out, perc_error *err)
{
    size_t first = NONE;
    enum next next = GO_ON;
    bool stopped = false;
    perc_status st = PERC_OK;

    /* The list is what the caller names, and its first row is basic; or else the first of all. */
    for (size_t k = 0; k < x->o->starts; k++)
        if (x->o->start[k] < x->n && simplex_kind(x, x->o->start[k]) == 0)
            x->list[x->lists++] = x->o->start[k];
    if (x->lists > 0) first = x->list[0];
    for (size_t i = 0; i < x->n && first == NONE; i++)
        if (simplex_kind(x, i) == 0) first = i;
    if (first == NONE) next = POSITIVE; /* all rows that count are free */
    else st = simplex_begin(x, first, err);
    if (!st && next == GO_ON) st = enter_free(x, &stopped, err);
    while (!st && next == GO_ON && !stopped) {
        struct entering in;
        if (simplex_primal(x)) {
            next = ZERO;
            break;
        }
        stopped = !watch_ask(x->o->watch, x->pivots);
        if (!stopped) st = check_room(x, &stopped, err);
        if (st || stopped) break;
        simplex_duals(x);
        st = simplex_choose(x, x->stalls > STALLS, &in, &next, err);
        if (!st && next == GO_ON) st = find_direction(x, &in, err);
        if (!st && next == GO_ON) st = pivot_step(x, &in, err);
    }
    if (st) return st;
    out->end = next == ZERO ? SIMPLEX_ZERO : next == POSITIVE ? SIMPLEX_POSITIVE : SIMPLEX_STOPPED;
    out->pivots = x->pivots;
    if (next == POSITIVE) {
        if (x->inv.k > 0 && x->vec != NULL) simplex_find_w(x);
        whole_reduce(x->w, x->dims);
        out->w = x->w;
        x->w = NULL;
    }
    return next == ZERO && give_lambda(x, out) ? fail_memory(err) : PERC_OK;
}

perc_status exact_simplex(const struct whole *p, const struct simplex_options *o,
                          struct simplex_result *out, perc_error *err)
{
    struct simplex x = { .p = p, .o = o, .e = p->e, .n = p->n, .dims = p->dims };

    *out = (struct simplex_result){ .end = SIMPLEX_STOPPED, .dims = p->dims };
    perc_status st = simplex_open(&x, err);
    if (!st) st = run_simplex(&x, out, err);
    simplex_close(&x);
    if (st) {
        exact_simplex_free(&p->e, out);
        *out = (struct simplex_result){ .end = SIMPLEX_STOPPED };
    }
    return st;
}

void exact_simplex_free(const struct env *e, struct simplex_result *r)
{
    mem_free(e, r->row, r->rows, sizeof *r->row);
    whole_numbers_free(e, r->x, r->rows);
    whole_numbers_free(e, r->w, r->dims);
    *r = (struct simplex_result){ .end = SIMPLEX_STOPPED };
}
