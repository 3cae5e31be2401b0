/* hulls.c -- both convex hulls in the plane, and what they say about separability.
 *
 * The hulls are Andrew's monotone chains (1979): points sorted by x, then y; the lower
 * and the upper side are built by dropping every point that is not a turn to the left.
 * Whether it is one is the sign of
 *
 *     (b - a) x (d - c) = (bx - ax) (dy - cy) - (by - ay) (dx - cx)                   (1)
 *
 * in doubles where it exceeds all that rounding can have done, else in whole numbers, from
 * the decimals of the file. So the hulls are exact.
 *
 * The verdict. Let P and N be the hulls and D = P - N = { p - q }, a convex polygon too.
 * They are disjoint exactly if 0 is not in D; then a plane separates them strictly. A
 * plane separates them weakly, and some row strictly, exactly if their relative interiors
 * are disjoint (Rockafellar 1970, theorem 11.3); and ri D = ri P - ri N (corollary 6.6.2).
 * So the place of 0 decides:
 *
 *     outside D: separable     on its boundary: touching     in ri D: overlapping
 *
 * The edges of D are those of P and of -N, by direction. The side of such an edge that 0 is
 * on is the side of an edge of one hull that a vertex of the other is on: again (1). Nothing
 * here is shared with decide.c: this is a second opinion. */
#include <math.h>

#include "base/pool.h"
#include "base/sort.h"
#include "prove/proof.h"

struct hulls {
    uint64_t *row[2]; /* negative, positive: rows of the data set */
    size_t n[2];
    perc_verdict verdict;
};

struct spot {
    double at[2];   /* correctly rounded */
    mpz_t whole[2]; /* (x, y) = 10^exponent times these */
    int64_t exponent;
    uint64_t row;
};

enum { SCRATCH = 8 };

struct hulling {
    struct pool pool;
    const struct whole *exact;
    struct spot *point;
    size_t n;         /* points that were initialised, and have numbers to clear */
    uint64_t axis[2]; /* columns of the data set that are in use */
    int axes;
    const struct spot **list;    /* p->n: the points of one class, later without duplicates */
    const struct spot **hull[2]; /* room for 2 p->n + 2 */
    size_t sides[2];
    mpz_t t[SCRATCH];
};

/* Reads the rows. The column that comes first in the file is x. */
static perc_status read_points(struct hulling *s, struct whole_vector *v, perc_error *err)
{
    perc_status st;

    for (uint64_t i = 0; i < s->exact->n; i++) {
        if ((st = whole_row(s->exact, i, v, err))) return st;
        struct spot *to = &s->point[s->n++];
        *to = (struct spot){ .exponent = v->exponent, .row = s->exact->row[i] };
        mpz_inits(to->whole[0], to->whole[1], NULL);
        for (size_t k = 0; k < v->lens.n; k++) {
            int axis = 0;
            while (axis < s->axes && s->axis[axis] != v->lens.column[k]) axis++;
            if (axis == 2)
                return fail(err, PERC_EARG,
                            "the hulls are drawn in the plane, and more than two features are in "
                            "use: leave out --hulls, or keep two columns");
            if (axis == s->axes) s->axis[s->axes++] = v->lens.column[k];
            to->at[axis] = number_decimal_value(&v->lens.value[k]);
            whole_get(v, k, to->whole[axis]); /* with the sign of the class in it */
            if (s->exact->sign[i] < 0) mpz_neg(to->whole[axis], to->whole[axis]);
        }
    }
    for (size_t i = 0; i < s->n && s->axes == 2 && s->axis[0] > s->axis[1]; i++) {
        struct spot *p = &s->point[i];
        const double x = p->at[0];
        p->at[0] = p->at[1];
        p->at[1] = x;
        mpz_swap(p->whole[0], p->whole[1]);
    }
    return PERC_OK;
}

/* ----- exact comparisons -------------------------------------------------------------- */

/* to = x * 10^shift, shift >= 0. */
static void raise_to(mpz_t to, const mpz_t x, int64_t shift, mpz_t scratch)
{
    if (shift == 0) {
        mpz_set(to, x);
        return;
    }
    mpz_ui_pow_ui(scratch, 10, (unsigned long)shift);
    mpz_mul(to, x, scratch);
}

static int compare_whole(const struct spot *a, const struct spot *b, int axis)
{
    const int64_t low = a->exponent < b->exponent ? a->exponent : b->exponent;
    mpz_t x, y, scratch;

    if (a->exponent == b->exponent) return mpz_cmp(a->whole[axis], b->whole[axis]);
    mpz_inits(x, y, scratch, NULL);
    raise_to(x, a->whole[axis], a->exponent - low, scratch);
    raise_to(y, b->whole[axis], b->exponent - low, scratch);
    const int c = mpz_cmp(x, y);
    mpz_clears(x, y, scratch, NULL);
    return c;
}

/* By x, then y. Rounding keeps the order, so that only equal doubles need a closer look. */
static int compare_points(const struct spot *a, const struct spot *b)
{
    for (int axis = 0; axis < 2; axis++) {
        if (a->at[axis] != b->at[axis]) return a->at[axis] < b->at[axis] ? -1 : 1;
        const int c = compare_whole(a, b, axis);
        if (c != 0) return c;
    }
    return 0;
}

/* Among equal points the lowest row comes first. */
static int by_place(const void *a, const void *b)
{
    const struct spot *x = *(const struct spot *const *)a, *y = *(const struct spot *const *)b;
    const int c = compare_points(x, y);

    return c != 0 ? c : x->row < y->row ? -1 : x->row > y->row;
}

/* to = (b - a)[axis] * 10^-low. */
static void difference(struct hulling *s, mpz_t to, const struct spot *a, const struct spot *b,
                       int axis, int64_t low)
{
    raise_to(s->t[4], a->whole[axis], a->exponent - low, s->t[6]);
    raise_to(s->t[5], b->whole[axis], b->exponent - low, s->t[6]);
    mpz_sub(to, s->t[5], s->t[4]);
}

/* |a| + |b| along an axis, plus more than subnormal numbers can be off by. */
static double size_along(const struct spot *a, const struct spot *b, int axis)
{
    return fabs(a->at[axis]) + fabs(b->at[axis]) + 0x1p-1000;
}

/* The sign of (1). With u = 2^-53, a coordinate is off by u of its size, a difference by
 * 2 u of size_along(), a product of two by 5 u, and (1) by 6 u of the two products of sizes,
 * apart from squares of u: 8 u are enough. Products that vanish are below 2^-1000. Where
 * that leaves it open, and where there is an infinity, whole numbers decide. */
static int cross(struct hulling *s, const struct spot *a, const struct spot *b,
                 const struct spot *c, const struct spot *d)
{
    const double det = (b->at[0] - a->at[0]) * (d->at[1] - c->at[1]) -
                       (b->at[1] - a->at[1]) * (d->at[0] - c->at[0]);
    const double sizes = size_along(a, b, 0) * size_along(c, d, 1) +
                         size_along(a, b, 1) * size_along(c, d, 0);
    const double error = sizes * 0x1p-50 + 0x1p-990;
    int64_t low = a->exponent;

    if (det > error) return 1;
    if (det < -error) return -1;
    if (b->exponent < low) low = b->exponent;
    if (c->exponent < low) low = c->exponent;
    if (d->exponent < low) low = d->exponent;
    difference(s, s->t[0], a, b, 0, low);
    difference(s, s->t[1], c, d, 1, low);
    difference(s, s->t[2], a, b, 1, low);
    difference(s, s->t[3], c, d, 0, low);
    mpz_mul(s->t[0], s->t[0], s->t[1]);
    mpz_submul(s->t[0], s->t[2], s->t[3]);
    return mpz_sgn(s->t[0]);
}

/* c is to the left of the line from a to b: 1; on it: 0. */
static int turn_at(struct hulling *s, const struct spot *a, const struct spot *b,
                   const struct spot *c)
{
    return cross(s, a, b, a, c);
}

/* ----- Andrew's monotone chain -------------------------------------------------------- */

static size_t chain_add(struct hulling *s, const struct spot **to, size_t first, size_t k,
                        const struct spot *p)
{
    while (k >= first + 2 && turn_at(s, to[k - 2], to[k - 1], p) <= 0) k--;
    to[k] = p;
    return k + 1;
}

/* Counter-clockwise, from the lowest x. A point has one vertex, a segment two. */
static size_t hull_make(struct hulling *s, const struct spot **to, int sign)
{
    size_t all = 0, n = 0, k = 0;

    for (size_t i = 0; i < s->n; i++)
        if (s->exact->sign[i] == sign) s->list[all++] = &s->point[i];
    sort_items(s->list, all, sizeof *s->list, by_place);
    for (size_t i = 0; i < all; i++) /* each point once */
        if (n == 0 || compare_points(s->list[n - 1], s->list[i]) != 0) s->list[n++] = s->list[i];
    for (size_t i = 0; i < n; i++) k = chain_add(s, to, 0, k, s->list[i]);
    if (n < 2) return k;
    const size_t first = k - 1; /* the point with the largest x begins the upper side */
    for (size_t i = n - 1; i-- > 0;) k = chain_add(s, to, first, k, s->list[i]);
    return k - 1;
}

/* ----- the verdict -------------------------------------------------------------------- */

/* A hull as the edges from vertex `from` on, all the way round. A point has none. */
struct edges {
    const struct spot **vertex;
    size_t n, edges, at, from;
};

static const struct spot *vertex_at(const struct edges *w, size_t ahead)
{
    return w->vertex[(w->from + w->at + ahead) % w->n];
}

/* Whether the next edge of D comes from P. The edges of -N are those of N reversed. A hull that
 * begins at the lowest x has the edges to the right (or straight up) first. */
static bool next_is_first(struct hulling *s, const struct edges *p, const struct edges *n)
{
    if (p->at == p->edges || n->at == n->edges) return n->at == n->edges;

    const bool left_p = compare_points(vertex_at(p, 0), vertex_at(p, 1)) > 0;
    const bool left_n = compare_points(vertex_at(n, 1), vertex_at(n, 0)) > 0;
    if (left_p != left_n) return left_n;
    return cross(s, vertex_at(p, 0), vertex_at(p, 1), vertex_at(n, 1), vertex_at(n, 0)) >= 0;
}

static perc_verdict judge_hulls(struct hulling *s)
{
    bool inside = true, flat = true;

    if (s->sides[0] == 0 || s->sides[1] == 0) return PERC_SEPARABLE;
    struct edges p = { s->hull[1], s->sides[1], s->sides[1] > 1 ? s->sides[1] : 0, 0, 0 };
    struct edges n = { s->hull[0], s->sides[0], s->sides[0] > 1 ? s->sides[0] : 0, 0, 0 };
    for (size_t i = 1; i < n.n; i++) /* its rightmost point */
        if (compare_points(n.vertex[i], n.vertex[n.from]) > 0) n.from = i;
    while (p.at < p.edges || n.at < n.edges) {
        struct edges *w = next_is_first(s, &p, &n) ? &p : &n;
        const int side = turn_at(s, vertex_at(w, 0), vertex_at(w, 1),
                                 vertex_at(w == &p ? &n : &p, 0));
        if (side < 0) return PERC_SEPARABLE;
        if (side == 0) inside = false;
        else flat = false;
        w->at++;
    }
    if (!flat) return inside ? PERC_OVERLAPPING : PERC_TOUCHING;
    /* All points are on one line, and their order along it is that of the plane. */
    const int after = compare_points(n.vertex[0], p.vertex[p.n - 1]);
    const int before = compare_points(p.vertex[0], n.vertex[n.n - 1]);
    if (after > 0 || before > 0) return PERC_SEPARABLE;
    if (n.n == 1 && p.n == 1) return PERC_OVERLAPPING;
    return after == 0 || before == 0 ? PERC_TOUCHING : PERC_OVERLAPPING;
}

/* ----- both hulls --------------------------------------------------------------------- */

perc_status hulls_new(const struct whole *exact, struct hulls **out, perc_error *err)
{
    const uint64_t n = exact->n;
    struct hulling s = { .exact = exact };
    struct whole_vector v;
    perc_status st;

    *out = NULL;
    if (!exact->offset)
        return fail(err, PERC_EARG,
                    "the hulls speak of planes with an offset: leave out --hulls or --no-offset");
    pool_init(&s.pool, &exact->e);
    s.point = pool_array(&s.pool, n, sizeof *s.point);
    s.list = pool_array(&s.pool, n, sizeof *s.list);
    for (int k = 0; k < 2; k++) s.hull[k] = pool_array(&s.pool, 2 * n + 2, sizeof *s.hull[k]);
    for (int k = 0; k < SCRATCH; k++) mpz_init(s.t[k]);
    whole_vector_init(&v, &exact->e);
    st = s.pool.failed ? fail_memory(err) : read_points(&s, &v, err);
    for (int k = 0; k < 2 && !st; k++) s.sides[k] = hull_make(&s, s.hull[k], k ? 1 : -1);
    struct hulls *h = st ? NULL : mem_zeroed(&exact->e, 1, sizeof *h);
    if (!st && h == NULL) st = fail_memory(err);
    for (int k = 0; k < 2 && !st; k++) { /* only the rows and the verdict are kept */
        h->n[k] = s.sides[k];
        h->row[k] = mem_array(&exact->e, h->n[k], sizeof *h->row[k]);
        if (h->row[k] == NULL) st = fail_memory(err);
        for (size_t i = 0; i < h->n[k] && !st; i++) h->row[k][i] = s.hull[k][i]->row;
    }
    if (!st) h->verdict = judge_hulls(&s);
    if (st) hulls_free(&exact->e, h);
    else *out = h;
    whole_vector_free(&v);
    for (size_t i = 0; i < s.n; i++) mpz_clears(s.point[i].whole[0], s.point[i].whole[1], NULL);
    for (int k = 0; k < SCRATCH; k++) mpz_clear(s.t[k]);
    pool_free(&s.pool);
    return st;
}

void hulls_get(const struct hulls *h, perc_hulls *out)
{
    *out = (perc_hulls){ .positives = h->n[1],
                         .negatives = h->n[0],
                         .positive = h->row[1],
                         .negative = h->row[0],
                         .verdict = h->verdict };
}

void hulls_free(const struct env *e, struct hulls *h)
{
    if (h == NULL) return;
    for (int k = 0; k < 2; k++) /* NULL if memory ran out before */
        mem_free(e, h->row[k], h->n[k], sizeof *h->row[k]);
    mem_free(e, h, 1, sizeof *h);
}
