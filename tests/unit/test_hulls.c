/* test_hulls.c -- the hulls of src/prove/hulls.c and their verdict, against enumeration. */
#include "t.h"
#include "t_alloc.h"
#include "t_part.h"
#include "vec/rng.h"

__extension__ typedef __int128 big;

enum { ROWS = 12 };

/* Points with whole coordinates, which stand in the data times 10^exponent[axis]. */
struct scene {
    size_t n;
    int64_t x[ROWS], y[ROWS];
    int sign[ROWS];
    int exponent[2];
};

static double scaled(int64_t v, int exponent)
{
    char text[64];

    snprintf(text, sizeof text, "%llde%d", (long long)v, exponent);
    return strtod(text, NULL);
}

static struct t_data data_of(const struct scene *s)
{
    struct t_data d = t_data_new(s->n, 2);

    for (size_t i = 0; i < s->n; i++) {
        d.x[2 * i] = scaled(s->x[i], s->exponent[0]);
        d.x[2 * i + 1] = scaled(s->y[i], s->exponent[1]);
        d.y[i] = s->sign[i];
    }
    return d;
}

/* ----- the verdict, by enumeration ---------------------------------------------------- */

/* The weak separators are a cone, { v : a_i.v >= 0 }. Within the span of the rows it has no
 * line in it, so it is made of its extreme rays. Such a ray is normal to rank - 1 of the
 * rows and lies in the span: up to its sign a_i x a_j (rank 3), a_i x (a_j x a_k) (rank 2),
 * or a_i (rank 1). Rows that no ray has strictly are in C. */
struct cone {
    size_t n;
    big a[ROWS][3];
    bool strict[ROWS];
};

static void product(const big *a, const big *b, big *to)
{
    for (int k = 0; k < 3; k++)
        to[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void try_ray(struct cone *c, const big *v)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        bool fine = true;
        big m[ROWS];
        for (size_t i = 0; i < c->n; i++) {
            m[i] = 0;
            for (int k = 0; k < 3; k++) m[i] += sign * v[k] * c->a[i][k];
            fine = fine && m[i] >= 0;
        }
        for (size_t i = 0; i < c->n && fine; i++)
            if (m[i] > 0) c->strict[i] = true;
    }
}

static perc_verdict enumerate(const struct scene *s)
{
    struct cone c = { .n = s->n };
    size_t strict = 0;
    big v[3], u[3];

    for (size_t i = 0; i < s->n; i++) {
        c.a[i][0] = s->sign[i] * (s->x[i] - s->x[0]); /* moved, which changes nothing */
        c.a[i][1] = s->sign[i] * (s->y[i] - s->y[0]);
        c.a[i][2] = s->sign[i];
    }
    for (size_t i = 0; i < s->n; i++) {
        try_ray(&c, c.a[i]);
        for (size_t j = 0; j < i; j++) {
            product(c.a[i], c.a[j], v);
            try_ray(&c, v);
            for (size_t k = 0; k < s->n; k++) {
                product(c.a[k], v, u);
                try_ray(&c, u);
            }
        }
    }
    for (size_t i = 0; i < s->n; i++) strict += c.strict[i];
    return strict == s->n ? PERC_SEPARABLE : strict > 0 ? PERC_TOUCHING : PERC_OVERLAPPING;
}

/* ----- the hulls ---------------------------------------------------------------------- */

static int turn(const struct scene *s, uint64_t a, uint64_t b, uint64_t c)
{
    const big t = (big)(s->x[b] - s->x[a]) * (s->y[c] - s->y[a]) -
                  (big)(s->y[b] - s->y[a]) * (s->x[c] - s->x[a]);

    return t > 0 ? 1 : t < 0 ? -1 : 0;
}

static bool same(const struct scene *s, uint64_t a, uint64_t b)
{
    return s->x[a] == s->x[b] && s->y[a] == s->y[b];
}

/* c is in the segment from a to b, with which it is on a line. */
static bool between(const struct scene *s, uint64_t a, uint64_t b, uint64_t c)
{
    return (big)(s->x[c] - s->x[a]) * (s->x[c] - s->x[b]) <= 0 &&
           (big)(s->y[c] - s->y[a]) * (s->y[c] - s->y[b]) <= 0;
}

/* A closed chain of left turns with no point to the right of an edge is the hull. */
static void assert_hull(const struct scene *s, int sign, const uint64_t *row, size_t n)
{
    size_t rows = 0;

    for (size_t i = 0; i < s->n; i++) rows += s->sign[i] == sign;
    if (rows == 0) {
        assert_int_equal(n, 0);
        return;
    }
    assert_true(n >= 1);
    for (size_t k = 0; k < n; k++) {
        const uint64_t a = row[k], b = row[(k + 1) % n], c = row[(k + 2) % n];
        assert_int_equal(s->sign[a], sign);
        if (n > 1) assert_false(same(s, a, b));
        if (n > 2) assert_int_equal(turn(s, a, b, c), 1);
        for (uint64_t i = 0; i < s->n; i++) {
            if (s->sign[i] != sign) continue;
            if (same(s, a, i)) assert_true(a <= i); /* the first of equal points */
            if (n == 1) assert_true(same(s, a, i));
            if (n == 2) assert_true(turn(s, a, b, i) == 0 && between(s, a, b, i));
            if (n > 2) assert_true(turn(s, a, b, i) >= 0);
        }
    }
    for (size_t k = 1; k < n; k++) /* it begins at the lowest x, of these the lowest y */
        assert_true(s->x[row[0]] < s->x[row[k]] ||
                    (s->x[row[0]] == s->x[row[k]] && s->y[row[0]] < s->y[row[k]]));
}

static perc_verdict check(const struct scene *s)
{
    struct t_data d = data_of(s);
    struct t_part t = t_part_new(&d, true, env_resolve(NULL));
    struct hulls *h;
    perc_hulls out;
    perc_error err = { .status = PERC_OK };

    const perc_status st = hulls_new(&t.p, &h, &err);
    if (st) print_error("%s\n", err.text);
    assert_int_equal(st, PERC_OK);
    hulls_get(h, &out);
    assert_hull(s, 1, out.positive, out.positives);
    assert_hull(s, -1, out.negative, out.negatives);
    const perc_verdict want = enumerate(s);
    if (want != out.verdict)
        for (size_t i = 0; i < s->n; i++)
            print_error("%+d (%lld, %lld)\n", s->sign[i], (long long)s->x[i], (long long)s->y[i]);
    assert_int_equal(out.verdict, want);
    hulls_free(&t.p.e, h);
    t_part_free(&t);
    t_data_free(&d);
    return want;
}

/* ----- random grids ------------------------------------------------------------------- */

static struct scene random_scene(struct rng *r, int64_t most)
{
    static const int exponents[][2] = { { 0, 0 },       { -1, -1 },    { -3, 0 },   { 150, 150 },
                                        { -150, -150 }, { -300, 300 }, { -322, -5 } };
    struct scene s = { .n = 1 + (size_t)rng_below(r, ROWS) };
    const uint64_t shape = rng_below(r, 4), e = rng_below(r, 7);

    s.exponent[0] = exponents[e][0];
    s.exponent[1] = exponents[e][1];
    if (s.exponent[0] == -322) most = most > 3 ? 3 : most; /* few subnormals are decimals */
    const uint64_t wide = (uint64_t)(2 * most + 1);
    for (size_t i = 0; i < s.n; i++) {
        s.x[i] = (int64_t)rng_below(r, wide) - most;
        s.y[i] = (int64_t)rng_below(r, wide) - most;
        s.sign[i] = rng_below(r, 2) ? 1 : -1;
        if (shape == 0) s.y[i] = s.x[i]; /* on a line */
        if (shape == 1) s.sign[i] = s.x[i] > s.y[i] ? 1 : -1;
        if (shape == 1 && s.x[i] == s.y[i]) s.sign[i] = rng_below(r, 2) ? 1 : -1;
        if (shape == 2 && s.sign[i] > 0) s.x[i] = s.y[i] = s.x[0]; /* a point */
    }
    return s;
}

TEST(random_grids_have_the_verdict_of_the_enumeration)
{
    const int64_t most[] = { 1, 2, 4, 50, 3000 };
    size_t seen[3] = { 0, 0, 0 };
    struct rng r;

    r = rng_seed(7, 0);
    for (int trial = 0; trial < 6000; trial++) {
        const struct scene s = random_scene(&r, most[trial % 5]);
        seen[check(&s)]++;
    }
    for (int k = 0; k < 3; k++) assert_true(seen[k] > 500);
}

/* Points that are on a line, or off it by one in the last of many digits: doubles see the
 * same for both. */
TEST(digits_beyond_a_double_count)
{
    struct rng r;
    size_t seen[3] = { 0, 0, 0 };

    r = rng_seed(11, 0);
    for (int trial = 0; trial < 2000; trial++) {
        struct scene s = { .n = 2 + (size_t)rng_below(&r, 5), .exponent = { -16, -16 } };
        const int64_t dx = 100000001 + (int64_t)rng_below(&r, 7), dy = 299999999;
        for (size_t i = 0; i < s.n; i++) {
            const int64_t k = (int64_t)rng_below(&r, 7);
            s.x[i] = 4000000000000007 + k * dx;
            s.y[i] = 1000000000000003 + k * dy + (rng_below(&r, 4) == 0);
            s.sign[i] = rng_below(&r, 2) ? 1 : -1;
        }
        seen[check(&s)]++;
    }
    for (int k = 0; k < 3; k++) assert_true(seen[k] > 50);
}

/* ----- known ones --------------------------------------------------------------------- */

static perc_verdict verdict(size_t n, const int64_t (*xys)[3])
{
    struct scene s = { .n = n };

    for (size_t i = 0; i < n; i++) {
        s.x[i] = xys[i][0];
        s.y[i] = xys[i][1];
        s.sign[i] = (int)xys[i][2];
    }
    return check(&s);
}
#define VERDICT(...)                                                          \
    verdict(sizeof((const int64_t[][3]){ __VA_ARGS__ }) / sizeof(int64_t[3]), \
            (const int64_t[][3]){ __VA_ARGS__ })

TEST(degenerate_hulls)
{
    assert_int_equal(VERDICT({ 0, 0, 1 }), PERC_SEPARABLE); /* one row, one class */
    assert_int_equal(VERDICT({ 0, 0, -1 }, { 3, 1, -1 }), PERC_SEPARABLE);
    assert_int_equal(VERDICT({ 0, 0, 1 }, { 1, 0, -1 }), PERC_SEPARABLE);   /* two points */
    assert_int_equal(VERDICT({ 2, 5, 1 }, { 2, 5, -1 }), PERC_OVERLAPPING); /* the same point */
    /* A point and a segment: at its end, inside, on its line, off it. */
    assert_int_equal(VERDICT({ 0, 0, 1 }, { 0, 0, -1 }, { 2, 2, -1 }), PERC_TOUCHING);
    assert_int_equal(VERDICT({ 1, 1, 1 }, { 0, 0, -1 }, { 2, 2, -1 }), PERC_OVERLAPPING);
    assert_int_equal(VERDICT({ 3, 3, 1 }, { 0, 0, -1 }, { 2, 2, -1 }), PERC_SEPARABLE);
    assert_int_equal(VERDICT({ 1, 2, 1 }, { 0, 0, -1 }, { 2, 2, -1 }), PERC_SEPARABLE);
    /* Two segments: crossing, one ending in the other, sharing an end, on one line. */
    assert_int_equal(VERDICT({ 0, 0, 1 }, { 2, 2, 1 }, { 0, 2, -1 }, { 2, 0, -1 }),
                     PERC_OVERLAPPING);
    assert_int_equal(VERDICT({ 0, 0, 1 }, { 2, 2, 1 }, { 1, 1, -1 }, { 2, 0, -1 }), PERC_TOUCHING);
    assert_int_equal(VERDICT({ 0, 0, 1 }, { 2, 2, 1 }, { 0, 0, -1 }, { 2, 0, -1 }), PERC_TOUCHING);
    assert_int_equal(VERDICT({ 0, 0, 1 }, { 2, 0, 1 }, { 2, 0, -1 }, { 3, 0, -1 }), PERC_TOUCHING);
    assert_int_equal(VERDICT({ 0, 0, 1 }, { 2, 0, 1 }, { 1, 0, -1 }, { 3, 0, -1 }),
                     PERC_OVERLAPPING);
    assert_int_equal(VERDICT({ 0, 0, 1 }, { 2, 0, 1 }, { 3, 0, -1 }, { 4, 0, -1 }), PERC_SEPARABLE);
    assert_int_equal(VERDICT({ 0, 0, 1 }, { 2, 0, 1 }, { 0, 0, -1 }, { 2, 0, -1 }),
                     PERC_OVERLAPPING);
    /* Triangles that share a vertex, an edge; one inside the other; a point inside. */
    assert_int_equal(VERDICT({ 0, 0, 1 }, { -2, 1, 1 }, { -2, -1, 1 }, { 0, 0, -1 }, { 2, 1, -1 },
                             { 2, -1, -1 }),
                     PERC_TOUCHING);
    assert_int_equal(
        VERDICT({ 0, 0, 1 }, { 0, 2, 1 }, { -2, 0, 1 }, { 0, 0, -1 }, { 0, 2, -1 }, { 2, 0, -1 }),
        PERC_TOUCHING);
    assert_int_equal(
        VERDICT({ 0, 0, 1 }, { 9, 0, 1 }, { 0, 9, 1 }, { 1, 1, -1 }, { 2, 1, -1 }, { 1, 2, -1 }),
        PERC_OVERLAPPING);
    assert_int_equal(VERDICT({ 0, 0, 1 }, { 9, 0, 1 }, { 0, 9, 1 }, { 1, 1, -1 }),
                     PERC_OVERLAPPING);
    assert_int_equal(VERDICT({ 0, 0, 1 }, { 9, 0, 1 }, { 0, 9, 1 }, { 4, 0, -1 }), PERC_TOUCHING);
}

static perc_status status_of(const char *name, bool offset, perc_verdict *verdict_out)
{
    perc_dataset *ds = t_read(name, "");
    uint64_t row[16];
    signed char sign[16];
    perc_dataset_info info;
    struct hulls *h = NULL;
    perc_error err = { .status = PERC_OK };

    perc_dataset_info_get(ds, &info);
    assert_true(info.rows <= 16);
    for (uint64_t i = 0; i < info.rows; i++) {
        size_t at;
        const struct block *b = dataset_block(ds, i, &at);
        row[i] = i;
        sign[i] = b->label[at] == 1 ? 1 : -1;
    }
    const struct whole p = { .e = env_resolve(NULL),
                             .ds = ds,
                             .offset = offset,
                             .dims = ds->columns + (offset ? 1 : 0),
                             .n = info.rows,
                             .row = row,
                             .sign = sign };
    const perc_status st = hulls_new(&p, &h, &err);
    if (st) assert_non_null(strstr(err.text, "leave out --hulls"));
    if (!st) {
        perc_hulls out;
        hulls_get(h, &out);
        *verdict_out = out.verdict;
    }
    hulls_free(&p.e, h);
    perc_dataset_free(ds);
    return st;
}

TEST(built_in_sets)
{
    perc_verdict v = PERC_UNDECIDED;

    assert_int_equal(status_of(":and", true, &v), PERC_OK);
    assert_int_equal(v, PERC_SEPARABLE);
    assert_int_equal(status_of(":xor", true, &v), PERC_OK);
    assert_int_equal(v, PERC_OVERLAPPING);
    assert_int_equal(status_of(":and", false, &v), PERC_EARG);
}

TEST(three_features_are_refused)
{
    const double x[] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, y[] = { 1, -1, 1 };
    struct t_data d = t_rows(3, 3, x, y);
    struct t_part t = t_part_new(&d, true, env_resolve(NULL));
    struct hulls *h;
    perc_error err;

    assert_int_equal(hulls_new(&t.p, &h, &err), PERC_EARG);
    assert_null(h);
    assert_non_null(strstr(err.text, "keep two columns"));
    t_part_free(&t);
    t_data_free(&d);
}

/* Two of five columns are in use; the first of them is x, whichever a row shows first. */
TEST(columns_that_nobody_uses_do_not_count)
{
    const double x[] = { 0, 0, 0, 2, 0, 0, 3, 0, 0, 0, 0, 3, 0, 2, 0, 0, 1, 0, 1, 0 };
    const double y[] = { 1, 1, 1, 1 };
    struct t_data d = t_rows(4, 5, x, y);
    struct t_part t = t_part_new(&d, true, env_resolve(NULL));
    struct hulls *h;
    perc_hulls out;

    assert_int_equal(hulls_new(&t.p, &h, NULL), PERC_OK);
    hulls_get(h, &out);
    /* (0,2) (3,0) (3,2) (1,1): counter-clockwise from the lowest x */
    assert_int_equal(out.positives, 4);
    assert_int_equal(out.positive[0], 0);
    assert_int_equal(out.positive[1], 3);
    assert_int_equal(out.positive[2], 1);
    assert_int_equal(out.positive[3], 2);
    assert_int_equal(out.negatives, 0);
    hulls_free(&t.p.e, h);
    t_part_free(&t);
    t_data_free(&d);
}

TEST(memory_may_run_out)
{
    const double x[] = { 0.1, 0.25, 1e-9, 3, 2, 2e7, 1, 1, 0, 0.5 }, y[] = { 1, 1, 1, -1, -1 };
    struct t_data d = t_rows(5, 2, x, y);

    for (struct t_sweep s = { .least = 3 }; t_sweep_next(&s);) {
        struct t_part t = t_part_new(&d, true, env_resolve(&s.env));
        struct hulls *h;
        const perc_status st = hulls_new(&t.p, &h, NULL);
        if (st) assert_null(h);
        hulls_free(&t.p.e, h);
        t_part_free(&t);
        t_sweep_judge(&s, st);
    }
    t_data_free(&d);
}
