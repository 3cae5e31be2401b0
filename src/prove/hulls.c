/* hulls.c -- both convex hulls in the plane, and what they say about separability.
 *
 * The hulls are Andrew's monotone chains (1979): points sorted by x, then y; the lower
 * and the upper side are built by letting go of every point that is not a turn to the
 * left. Whether it is one is the sign of
 *
 *     (b - a) x (d - c) = (bx - ax) (dy - cy) - (by - ay) (dx - cx)                   (1)
 *
 * in doubles where it exceeds all that rounding can have done, else in whole numbers, of
 * the decimals of the file. So the hulls are exact.
 *
 * The verdict. Let P and N be the hulls and D = P - N = { p - q }, a convex polygon too.
 * They are disjoint exactly if 0 is not in D; then a plane separates them strictly. A
 * plane separates them weakly, and some row strictly, exactly if their relative interiors
 * are disjoint (Rockafellar 1970, theorem 11.3); and ri D = ri P - ri N (corollary 6.6.2).
 * So where 0 is decides:
 *
 *     outside D: separable     on its boundary: touching     in ri D: overlapping
 *
 * The edges of D are those of P and of -N, by direction. On which side of such an edge 0
 * is, is on which side of an edge of one hull a vertex of the other is: again (1). Nothing
 * here is shared with decide.c: this is a second opinion. */
#include <math.h>

#include "base/sort.h"
#include "prove/proof.h"

struct hulls {
    uint64_t *row[2]; /* negative, positive: rows of the data set */
    size_t n[2];
    perc_verdict verdict;
};

struct point {
    double at[2];   /* correctly rounded */
    mpz_t whole[2]; /* (x, y) = 10^exponent times these */
    int64_t exponent;
    uint64_t row;
};

enum { SCRATCH = 8 };

struct plane {
    const struct whole *exact;
    struct point *point;
    size_t n;         /* points that were begun: their numbers are to be cleared */
    uint64_t axis[2]; /* columns of the data set that are in use */
    int axes;
    const struct point **list;    /* p->n: the points of one class, then without copies */
    const struct point **hull[2]; /* room for 2 p->n + 2 */
    size_t sides[2];
    mpz_t t[SCRATCH];
};

/* ----- points ------------------------------------------------------------------------- */

static int axis_of(struct plane *s, uint64_t column)
{
    for (int k = 0; k < s->axes; k++)
        if (s->axis[k] == column) return k;
    if (s->axes < 2) s->axis[s->axes] = column;
    return s->axes++;
}

/* Entry k < lens.n of the row that was read: the vector has the sign of the class in it. */
static perc_status coordinate(struct plane *s, struct point *to, const struct whole_vector *v,
                              size_t k, int sign, perc_error *err)
{
    const int axis = axis_of(s, v->lens.column[k]);

    if (axis > 1)
        return fail(err, PERC_EARG,
                    "the hulls are drawn in the plane, and more than two features "
                    "are in use: leave out --hulls, or keep two columns");
    to->at[axis] = number_decimal_value(&v->lens.value[k]);
    whole_get(v, k, to->whole[axis]);
    if (sign < 0) mpz_neg(to->whole[axis], to->whole[axis]);
    return PERC_OK;
}

static perc_status points_read(struct plane *s, struct whole_vector *v, perc_error *err)
{
    perc_status st = PERC_OK;

    for (uint64_t i = 0; i < s->exact->n && !st; i++) {
        if ((st = whole_row(s->exact, i, v, err))) break;
        struct point *to = &s->point[s->n++];
        *to = (struct point){ .exponent = v->exponent, .row = s->exact->row[i] };
        mpz_init(to->whole[0]);
        mpz_init(to->whole[1]);
        for (size_t k = 0; k < v->lens.n && !st; k++)
            st = coordinate(s, to, v, k, s->exact->sign[i], err);
    }
    return st;
}

/* The column that comes first in the file is x. */
static void axes_sort(struct plane *s)
{
    if (s->axes < 2 || s->axis[0] < s->axis[1]) return;
    for (size_t i = 0; i < s->n; i++) {
        struct point *p = &s->point[i];
        const double x = p->at[0];
        p->at[0] = p->at[1];
        p->at[1] = x;
        mpz_swap(p->whole[0], p->whole[1]);
    }
}

/* ----- exact comparisons -------------------------------------------------------------- */

/* to = x * 10^shift, shift >= 0. */
static void raised(mpz_t to, const mpz_t x, int64_t shift, mpz_t scratch)
{
    if (shift == 0) {
        mpz_set(to, x);
        return;
    }
    mpz_ui_pow_ui(scratch, 10, (unsigned long)shift);
    mpz_mul(to, x, scratch);
}

static int compare_whole(const struct point *a, const struct point *b, int axis)
{
    const int64_t low = a->exponent < b->exponent ? a->exponent : b->exponent;
    mpz_t x, y, scratch;

    if (a->exponent == b->exponent) return mpz_cmp(a->whole[axis], b->whole[axis]);
    mpz_inits(x, y, scratch, NULL);
    raised(x, a->whole[axis], a->exponent - low, scratch);
    raised(y, b->whole[axis], b->exponent - low, scratch);
    const int c = mpz_cmp(x, y);
    mpz_clears(x, y, scratch, NULL);
    return c;
}

/* By x, then y. Rounding keeps the order, so that only equal doubles need a closer look. */
static int compare(const struct point *a, const struct point *b)
{
    for (int axis = 0; axis < 2; axis++) {
        if (a->at[axis] != b->at[axis]) return a->at[axis] < b->at[axis] ? -1 : 1;
        const int c = compare_whole(a, b, axis);
        if (c != 0) return c;
    }
    return 0;
}

/* Of equal points the lowest row comes first. */
static int by_place(const void *a, const void *b)
{
    const struct point *x = *(const struct point *const *)a, *y = *(const struct point *const *)b;
    const int c = compare(x, y);

    return c != 0 ? c : x->row < y->row ? -1 : x->row > y->row;
}

/* to = (b - a)[axis] * 10^-low. */
static void difference(struct plane *s, mpz_t to, const struct point *a, const struct point *b,
                       int axis, int64_t low)
{
    raised(s->t[4], a->whole[axis], a->exponent - low, s->t[6]);
    raised(s->t[5], b->whole[axis], b->exponent - low, s->t[6]);
    mpz_sub(to, s->t[5], s->t[4]);
}

static int cross_whole(struct plane *s, const struct point *a, const struct point *b,
                       const struct point *c, const struct point *d)
{
    int64_t low = a->exponent;

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

/* |a| + |b| along an axis, and more than what subnormal numbers can be off by. */
static double size(const struct point *a, const struct point *b, int axis)
{
    return fabs(a->at[axis]) + fabs(b->at[axis]) + 0x1p-1000;
}

/* The sign of (1). With u = 2^-53, a coordinate is off by u of its size, a difference by
 * 2 u of size(), a product of two by 5 u, and (1) by 6 u of the two products of sizes, but
 * for squares of u: 8 u are enough. Products that vanish are below 2^-1000. */
static int cross(struct plane *s, const struct point *a, const struct point *b,
                 const struct point *c, const struct point *d)
{
    const double det = (b->at[0] - a->at[0]) * (d->at[1] - c->at[1]) -
                       (b->at[1] - a->at[1]) * (d->at[0] - c->at[0]);
    const double sizes = size(a, b, 0) * size(c, d, 1) + size(a, b, 1) * size(c, d, 0);
    const double error = sizes * 0x1p-50 + 0x1p-990;

    if (det > error) return 1;
    if (det < -error) return -1;
    return cross_whole(s, a, b, c, d); /* also where there is an infinity */
}

/* c is to the left of the line from a to b: 1; on it: 0. */
static int turn(struct plane *s, const struct point *a, const struct point *b,
                const struct point *c)
{
    return cross(s, a, b, a, c);
}

/* ----- Andrew's monotone chain -------------------------------------------------------- */

/* The points of a class, sorted, each once. */
static size_t class_points(struct plane *s, int sign)
{
    size_t n = 0, kept = 0;

    for (size_t i = 0; i < s->n; i++)
        if (s->exact->sign[i] == sign) s->list[n++] = &s->point[i];
    sort_items(s->list, n, sizeof *s->list, by_place);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || compare(s->list[kept - 1], s->list[i]) != 0) s->list[kept++] = s->list[i];
    return kept;
}

static size_t chain_add(struct plane *s, const struct point **to, size_t first, size_t k,
                        const struct point *p)
{
    while (k >= first + 2 && turn(s, to[k - 2], to[k - 1], p) <= 0) k--;
    to[k] = p;
    return k + 1;
}

/* Counter-clockwise, from the lowest x. A point and a segment have one and two. */
static size_t hull_make(struct plane *s, const struct point **to, int sign)
{
    const size_t n = class_points(s, sign);
    size_t k = 0;

    for (size_t i = 0; i < n; i++) k = chain_add(s, to, 0, k, s->list[i]);
    if (n < 2) return k;
    const size_t first = k - 1; /* the point with the largest x begins the upper side */
    for (size_t i = n - 1; i-- > 0;) k = chain_add(s, to, first, k, s->list[i]);
    return k - 1;
}

/* ----- the verdict -------------------------------------------------------------------- */

/* Edges in the order in which a hull that begins at the lowest x has them: those to the
 * right (or straight up) first. */
static bool leftward(const struct point *from, const struct point *to)
{
    return compare(from, to) > 0;
}

/* A hull as the edges from vertex `from` on, all the way round. A point has none. */
struct walk {
    const struct point **vertex;
    size_t n, edges, at, from;
};

static const struct point *here(const struct walk *w, size_t ahead)
{
    return w->vertex[(w->from + w->at + ahead) % w->n];
}

/* Which hull the next edge of D comes from. The edges of -N are those of N turned round. */
static bool next_is_first(struct plane *s, const struct walk *p, const struct walk *n)
{
    if (p->at == p->edges || n->at == n->edges) return n->at == n->edges;

    const bool left_p = leftward(here(p, 0), here(p, 1));
    const bool left_n = leftward(here(n, 1), here(n, 0));
    if (left_p != left_n) return left_n;
    return cross(s, here(p, 0), here(p, 1), here(n, 1), here(n, 0)) >= 0;
}

/* All points are on one line, and their order along it is that of the plane. */
static perc_verdict on_a_line(const struct plane *s)
{
    const struct point *a = s->hull[1][0], *b = s->hull[1][s->sides[1] - 1];
    const struct point *c = s->hull[0][0], *d = s->hull[0][s->sides[0] - 1];
    const int after = compare(c, b), before = compare(a, d); /* c after b; a after d */

    if (after > 0 || before > 0) return PERC_SEPARABLE;
    if (s->sides[0] == 1 && s->sides[1] == 1) return PERC_OVERLAPPING;
    return after == 0 || before == 0 ? PERC_TOUCHING : PERC_OVERLAPPING;
}

static size_t rightmost(const struct point **vertex, size_t n)
{
    size_t at = 0;

    for (size_t i = 1; i < n; i++)
        if (compare(vertex[i], vertex[at]) > 0) at = i;
    return at;
}

static perc_verdict judge(struct plane *s)
{
    bool inside = true, flat = true;

    if (s->sides[0] == 0 || s->sides[1] == 0) return PERC_SEPARABLE;
    struct walk p = { s->hull[1], s->sides[1], s->sides[1] > 1 ? s->sides[1] : 0, 0, 0 };
    struct walk n = { s->hull[0], s->sides[0], s->sides[0] > 1 ? s->sides[0] : 0, 0, 0 };
    n.from = rightmost(n.vertex, n.n);
    while (p.at < p.edges || n.at < n.edges) {
        struct walk *w = next_is_first(s, &p, &n) ? &p : &n;
        const int side = turn(s, here(w, 0), here(w, 1), here(w == &p ? &n : &p, 0));
        if (side < 0) return PERC_SEPARABLE;
        if (side == 0) inside = false;
        else flat = false;
        w->at++;
    }
    if (flat) return on_a_line(s);
    return inside ? PERC_OVERLAPPING : PERC_TOUCHING;
}

/* ----- the whole ---------------------------------------------------------------------- */

static perc_status plane_open(struct plane *s, const struct whole *exact, perc_error *err)
{
    const struct env *e = &exact->e;

    *s = (struct plane){ .exact = exact };
    for (int k = 0; k < SCRATCH; k++) mpz_init(s->t[k]);
    s->point = mem_array(e, exact->n, sizeof *s->point);
    s->list = mem_array(e, exact->n, sizeof *s->list);
    for (int k = 0; k < 2; k++) s->hull[k] = mem_array(e, 2 * exact->n + 2, sizeof *s->hull[k]);
    if (s->point == NULL || s->list == NULL || s->hull[0] == NULL || s->hull[1] == NULL)
        return fail_memory(err);
    return PERC_OK;
}

static void plane_close(struct plane *s)
{
    const struct env *e = &s->exact->e;

    for (size_t i = 0; i < s->n; i++) mpz_clears(s->point[i].whole[0], s->point[i].whole[1], NULL);
    for (int k = 0; k < SCRATCH; k++) mpz_clear(s->t[k]);
    mem_free(e, s->point, s->exact->n, sizeof *s->point);
    mem_free(e, s->list, s->exact->n, sizeof *s->list);
    for (int k = 0; k < 2; k++) mem_free(e, s->hull[k], 2 * s->exact->n + 2, sizeof *s->hull[k]);
}

/* What is kept of it all. */
static perc_status keep(const struct plane *s, struct hulls **out, perc_error *err)
{
    const struct env *e = &s->exact->e;
    struct hulls *h = mem_zeroed(e, 1, sizeof *h);

    if (h == NULL) return fail_memory(err);
    for (int k = 0; k < 2; k++) {
        h->n[k] = s->sides[k];
        h->row[k] = mem_array(e, h->n[k], sizeof *h->row[k]);
        if (h->row[k] == NULL) {
            hulls_free(e, h);
            return fail_memory(err);
        }
        for (size_t i = 0; i < h->n[k]; i++) h->row[k][i] = s->hull[k][i]->row;
    }
    *out = h;
    return PERC_OK;
}

perc_status hulls_new(const struct whole *exact, struct hulls **out, perc_error *err)
{
    struct plane s;
    struct whole_vector v;
    perc_status st;

    *out = NULL;
    if (!exact->offset)
        return fail(err, PERC_EARG,
                    "the hulls speak of planes with an offset: leave out --hulls "
                    "or --no-offset");
    whole_vector_init(&v, &exact->e);
    st = plane_open(&s, exact, err);
    if (!st) st = points_read(&s, &v, err);
    whole_vector_free(&v);
    if (!st) {
        axes_sort(&s);
        for (int k = 0; k < 2; k++) s.sides[k] = hull_make(&s, s.hull[k], k ? 1 : -1);
        st = keep(&s, out, err);
        if (!st) (*out)->verdict = judge(&s);
    }
    plane_close(&s);
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
    for (int k = 0; k < 2; k++) /* NULL: memory was out before there was one */
        mem_free(e, h->row[k], h->n[k], sizeof *h->row[k]);
    mem_free(e, h, 1, sizeof *h);
}
