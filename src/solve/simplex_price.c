/* simplex_price.c -- what may enter the basis: doubles with an error bound, and whole numbers
 * where those leave it open. */
#include "solve/simplex.h"

#include <math.h>

/* Free rows are basic, or in the span of those that are: a_k.w = 0 whatever w is. */
static bool may_enter(const struct simplex *x, uint64_t i)
{
    return !x->basic[i] && simplex_kind(x, i) == 0;
}

/* a_i.w and a bound on its error. A sum of m products, of factors that are within 2^-52 of their
 * true values, is within (m + 5) / 2 2^-52 times the sum of their sizes (Higham 2002, section 3.1);
 * the rest is for the sizes being rounded too, and for numbers that are too small for a double. */
struct priced {
    double dot, less, error; /* a_i.w, a_i.w - t */
};

static struct priced price_row(const struct simplex *x, uint64_t i)
{
    const size_t from = x->im.from[i], to = x->im.from[i + 1];
    const double t = x->td * x->im.one[i], m = (double)(to - from);
    double sum = 0, size = fabs(t);

    for (size_t k = from; k < to; k++) {
        const double v = x->im.value[k] * x->wd[x->im.place[k]];
        sum += v;
        size += fabs(v);
    }
    return (struct priced){ sum, sum - t, (m + 8) * 0x1p-52 * size + (m + 8) * 0x1p-1060 };
}

/* How far below t a row is for sure; 0: not for sure. */
static double surely_below(const struct priced *r)
{
    return r->less < -r->error ? -r->less : 0;
}

perc_status simplex_exactly(struct simplex *x, uint64_t i, struct whole_vector *v, perc_error *err)
{
    const perc_status st = whole_row(x->p, i, v, err);

    if (st) return st;
    simplex_find_w(x);
    whole_dot(v, (const mpz_t *)x->w, x->slope);
    if (simplex_kind(x, i) != FREE) mpz_add(x->slope, x->slope, x->dual[0]);
    return PERC_OK;
}

/* The column of J with the largest |w_j| > 1, or the lowest; NONE. */
static size_t column_enters(const struct simplex *x, bool lowest, double *how)
{
    size_t best = NONE;

    for (size_t j = 1; j < x->inv.k; j++) {
        if (mpz_cmpabs(x->dual[j], x->inv.det) <= 0) continue;
        const double over = fmax(fabs(x->wd[x->place[x->col[j]]]) - x->dd, 0);
        if (best == NONE || (lowest ? x->col[j] < best : over > *how)) {
            best = x->col[j];
            *how = over;
        }
    }
    return best;
}

/* Keeps the rows of the list that are still below t; returns the furthest, if further than
 * `how`. */
static size_t list_enters(struct simplex *x, double *how)
{
    size_t best = NONE, left = 0;

    for (size_t k = 0; k < x->lists; k++) {
        const uint64_t i = x->list[k];
        if (!may_enter(x, i)) continue;
        const struct priced r = price_row(x, i);
        const double b = surely_below(&r);
        x->list[left] = i;
        left += b > 0;
        if (b > *how) {
            best = i;
            *how = b;
        }
    }
    x->lists = left;
    return best;
}

/* All rows: fills the list with the LIST lowest, in order. True: doubles leave some rows open. */
static bool price_all(struct simplex *x)
{
    double how[LIST]; /* of those in the list */
    bool unsure = false;

    x->lists = 0;
    for (uint64_t i = 0; i < x->n; i++) {
        if (!may_enter(x, i)) continue;
        const struct priced r = price_row(x, i);
        const double b = surely_below(&r);
        if (!(b > 0) && !(r.less > r.error)) unsure = true;
        if (!(b > 0) || (x->lists == LIST && !(b > how[LIST - 1]))) continue;
        size_t at = x->lists < LIST ? x->lists++ : LIST - 1;
        for (; at > 0 && b > how[at - 1]; at--) {
            how[at] = how[at - 1];
            x->list[at] = x->list[at - 1];
        }
        how[at] = b;
        x->list[at] = i;
    }
    return unsure;
}

static bool on_its_side(const struct simplex *x, uint64_t i)
{
    if (!may_enter(x, i)) return true; /* basic: a_i.w = t > 0 */
    const struct priced r = price_row(x, i);
    return r.dot > r.error;
}

/* Whether w, the best or not, has each row strictly on its side for sure. The row that was not,
 * last time, is asked first. */
static bool rows_apart(struct simplex *x)
{
    if (!(x->td > 0) || !on_its_side(x, x->culprit)) return false;
    for (uint64_t i = 0; i < x->n; i++)
        if (!on_its_side(x, i)) {
            x->culprit = i;
            return false;
        }
    return true;
}

/* The lowest row that may enter, of all or of those that doubles leave open. */
static perc_status first_enters(struct simplex *x, bool all, size_t *out, perc_error *err)
{
    *out = NONE;
    for (uint64_t i = 0; i < x->n && *out == NONE; i++) {
        if (!may_enter(x, i)) continue;
        const struct priced r = price_row(x, i);
        if (r.less > r.error) continue;
        if (surely_below(&r) > 0) {
            if (all) *out = i;
            continue;
        }
        const perc_status st = simplex_exactly(x, i, &x->probe, err);
        if (st) return st;
        if (mpz_sgn(x->slope) < 0) *out = i;
    }
    return PERC_OK;
}

/* Bland's choice, the lowest; or the row of the list or the column of J that is furthest from where
 * it should be, and if all of these are where they should be, all rows are looked at. */
perc_status simplex_choose(struct simplex *x, bool lowest, struct entering *in, enum next *next,
                           perc_error *err)
{
    double how = 0;
    perc_status st = PERC_OK;

    *in = (struct entering){ .at = NONE };
    *next = POSITIVE;
    if (!lowest && rows_apart(x)) return PERC_OK;
    if (lowest) {
        st = first_enters(x, true, &in->at, err);
        in->column = in->at == NONE;
        if (!st && in->column) in->at = column_enters(x, true, &how);
    } else {
        const size_t column = column_enters(x, false, &how), row = list_enters(x, &how);
        if (row != NONE) in->at = row;
        else if (column != NONE) *in = (struct entering){ .column = true, .at = column };
        else if (price_all(x) && x->lists == 0) st = first_enters(x, false, &in->at, err);
        else if (x->lists > 0) in->at = x->list[0];
    }
    if (in->at != NONE) *next = GO_ON;
    return st;
}
