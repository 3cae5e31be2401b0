/* test_map.c -- the promises of src/data/map.h about monomials and their numbers. */
#include <math.h>

#include "data/map.h"
#include "map_reference.h"
#include "perceptron_inspect.h"
#include "t.h"
#include "t_alloc.h"
#include "vec/rng.h"

static struct t_alloc heap = { .fail_at = -1 };
static const struct env env = { .alloc = t_alloc, .ud = &heap, .threads = 1 };

enum { WIDE = 1 << 12 };

struct image {
    uint32_t column[WIDE];
    double value[WIDE];
    size_t n;
};

static struct map map_of(const char *spec, uint64_t first, uint64_t inputs)
{
    struct map m;

    assert_int_equal(map_parse(spec, &m, NULL), PERC_OK);
    assert_int_equal(map_set_inputs(&m, first, inputs, NULL), PERC_OK);
    return m;
}

static struct map poly(unsigned degree, uint64_t first, uint64_t inputs)
{
    return (struct map){ .degree = degree, .first = first, .inputs = inputs };
}

/* x as a dense row of columns first, first + 1, ... */
static struct row dense(const double *x, size_t n, uint64_t first)
{
    return (struct row){ .value = x,
                         .n = n,
                         .first = first,
                         .stride = sizeof *x,
                         .values = VALUES_F64,
                         .indices = INDEX_DENSE };
}

/* What map_row writes, whose arrays must not be written to beyond their room. */
static void image_of(const struct map *m, const struct row *x, struct image *out)
{
    const size_t room = (size_t)map_room(m, map_support(m, x).n);

    assert_in_range(room, 0, WIDE - 1);
    out->column[room] = 77;
    out->value[room] = 77;
    out->n = map_row(m, x, out->column, out->value);
    assert_in_range(out->n, 0, room);
    assert_int_equal(out->column[room], 77);
    assert_true(out->value[room] == 77);
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void assert_same_image(const struct image *a, const struct image *b)
{
    assert_int_equal(a->n, b->n);
    for (size_t k = 0; k < a->n; k++) {
        assert_int_equal(a->column[k], b->column[k]);
        assert_true(same_bits(a->value[k], b->value[k]));
    }
}

/* The image of x (n variables) by the reference. */
static void image_by_hand(const struct monomials *all, const double *x, uint64_t first,
                          struct image *out)
{
    out->n = 0;
    for (size_t i = 0; i < all->n; i++) {
        if (!ref_present(&all->at[i], x)) continue;
        out->column[out->n] = (uint32_t)(first + i);
        out->value[out->n++] = ref_value(&all->at[i], x);
    }
}

/* Reals of all digits, about a third of them 0; the rest of x is 0. */
static void fill(struct rng *g, double *x, size_t n)
{
    memset(x, 0, REF_VARIABLES * sizeof *x);
    for (size_t j = 0; j < n; j++) x[j] = rng_below(g, 3) == 0 ? 0.0 : 4 * rng_uniform(g) - 2;
}

/* ----- numbers and names -------------------------------------------------------------- */

/* For up to 6 features and degree 5, and both index bases: the columns first ..
 * columns - 1 are the monomials in sorted order, each once, under its name. Prime
 * values tell the monomials apart. */
TEST(numbering_is_a_bijection)
{
    static const double prime[REF_VARIABLES] = { 2, 3, 5, 7, 11, 13 };
    static struct image im;
    char want[200];
    struct text name;

    text_init(&name, &env);
    for (size_t n = 1; n <= 6; n++)
        for (unsigned d = 2; d <= 5; d++)
            for (uint64_t first = 0; first <= 1; first++) {
                struct monomials all = ref_all(n, d);
                const struct map m = poly(d, first, first + n);
                const struct row x = dense(prime, n, first);

                image_of(&m, &x, &im);
                assert_int_equal(im.n, all.n);
                assert_int_equal(map_columns(&m, m.inputs), first + all.n);
                assert_int_equal(map_entries(&m, n), all.n);
                for (size_t i = 0; i < all.n; i++) {
                    assert_int_equal(im.column[i], first + i);
                    assert_true(im.value[i] == ref_value(&all.at[i], prime));
                    name.len = 0;
                    map_name(&m, first + i, NULL, NULL, &name);
                    ref_name(&all.at[i], first, want);
                    assert_string_equal(name.s, want);
                }
                free(all.at);
            }
    text_free(&name);
    t_alloc_holds(&heap, 0);
}

static void name_input(void *ud, uint64_t column, struct text *out)
{
    text_str(out, ((const char *const *)ud)[column]);
}

TEST(names_are_those_of_the_schema)
{
    static const char *const input[] = { "never", "age", "colour=red" };
    const struct map m = map_of("poly:3", 1, 3), h = map_of("poly:2:hash:5", 1, 3);
    struct text name;

    text_init(&name, &env);
    for (uint64_t j = 1; j < map_columns(&m, 3); j++) {
        map_name(&m, j, name_input, (void *)input, &name);
        text_char(&name, ' ');
    }
    assert_string_equal(name.s, "age age^2 age^3 colour=red age*colour=red age^2*colour=red "
                                "colour=red^2 age*colour=red^2 colour=red^3 ");
    name.len = 0;
    map_name(&h, 18, name_input, (void *)input, &name);
    assert_string_equal(name.s, "bucket 17");
    text_free(&name);
}

/* ----- images -------------------------------------------------------------------------- */

TEST(images_are_those_of_the_reference)
{
    static struct image got, want;
    struct rng g = rng_seed(5, 0);
    double x[REF_VARIABLES];

    for (unsigned d = 2; d <= 5; d++) {
        struct monomials all = ref_all(6, d);
        for (int round = 0; round < 50; round++) {
            const uint64_t first = rng_below(&g, 2);
            const struct map m = poly(d, first, first + 6);
            const struct row r = dense(x, 6, first);

            fill(&g, x, 6);
            image_of(&m, &r, &got);
            image_by_hand(&all, x, first, &want);
            assert_same_image(&got, &want);
        }
        free(all.at);
    }
}

/* Degree 8, the highest, and rows of no entry and of one. */
TEST(short_rows)
{
    static struct image im;
    double x[4] = { 0, 3, 0, -0.0 };

    for (unsigned d = 2; d <= MAP_DEGREE_MAX; d++) {
        const struct map m = poly(d, 1, 5);
        struct row r = dense(x, 4, 1);

        image_of(&m, &r, &im); /* 3, 9, 27, ...: the powers of column 2 */
        assert_int_equal(im.n, d);
        for (unsigned k = 0; k < d; k++) assert_true(im.value[k] == pow(3, k + 1));
        r.n = 1; /* a zero alone */
        image_of(&m, &r, &im);
        assert_int_equal(im.n, 0);
        r.n = 0;
        image_of(&m, &r, &im);
        assert_int_equal(im.n, 0);
        assert_int_equal(map_entries(&m, 0), 0);
        assert_int_equal(map_room(&m, 0), 0);
    }
}

/* Every encoding of a row gives the bits of the others. */
TEST(forms_agree)
{
    enum { N = 300 }; /* more than a piece of piece.h */
    static struct image want, got;
    static double full[N], value[N];
    static float f32[N];
    static uint32_t dec[N], i32[N];
    static uint16_t i16[N];
    static uint64_t i64[N];
    static unsigned char u8[N];
    size_t n = 0;

    for (size_t j = 7; j < N; j += 13) { /* small whole numbers have every form */
        full[j] = u8[n] = (unsigned char)(j % 5 + 1);
        value[n] = f32[n] = u8[n];
        dec[n] = decimal_pack(u8[n], 0, false);
        i16[n] = (uint16_t)j;
        i32[n] = (uint32_t)j;
        i64[n++] = j;
    }
    const struct row form[] = {
        { value, i64, n, 0, 8, VALUES_F64, INDEX_U64, 0 },
        { f32, i32, n, 0, 4, VALUES_F32, INDEX_U32, 0 },
        { dec, i16, n, 0, 4, VALUES_DEC, INDEX_U16, 0 },
        { u8, i16, n, 0, 1, VALUES_U8, INDEX_U16, 0 },
    };
    for (int hashed = 0; hashed < 2; hashed++) {
        const struct map m = map_of(hashed ? "poly:2:hash:9" : "poly:2", 0, N);
        const struct row d = dense(full, N, 0);
        image_of(&m, &d, &want);
        assert_in_range(want.n, 200, 400);
        for (size_t k = 0; k < COUNT(form); k++) {
            image_of(&m, &form[k], &got);
            assert_same_image(&got, &want);
        }
        const struct row ones = { NULL, i16, n, 0, 0, VALUES_ONES, INDEX_U16, 0 };
        for (size_t k = 0; k < n; k++) full[i16[k]] = 1;
        image_of(&m, &d, &want);
        image_of(&m, &ones, &got);
        assert_same_image(&got, &want);
        for (size_t k = 0; k < n; k++) full[i16[k]] = value[k];
    }
}

/* More features change no number; columns that the map has not are left out, and what
 * they add lies behind everything else. */
TEST(features_only_append)
{
    static struct image few, many, cut;
    struct rng g = rng_seed(6, 0);
    double x[REF_VARIABLES];

    for (unsigned d = 2; d <= 4; d++)
        for (int round = 0; round < 30; round++) {
            const struct map small = poly(d, 1, 6), large = poly(d, 1, 9);
            struct row r = dense(x, 5, 1);

            fill(&g, x, 8);
            image_of(&small, &r, &few);
            image_of(&large, &r, &many);
            assert_same_image(&few, &many);
            r.n = 8;
            image_of(&small, &r, &cut);
            assert_same_image(&few, &cut);
            image_of(&large, &r, &many);
            for (size_t k = few.n; k < many.n; k++)
                assert_in_range(many.column[k], map_columns(&small, 6), map_columns(&large, 9) - 1);
            many.n = few.n;
            assert_same_image(&few, &many);
        }
}

/* (1 + x.z)^D = 1 + sum over the monomials of multinomial * x^a * z^a, exactly, on small
 * whole numbers: nothing is missing and nothing is there twice. */
TEST(kernel_identity)
{
    static struct image fx, fz;
    struct rng g = rng_seed(8, 0);
    double x[REF_VARIABLES] = { 0 }, z[REF_VARIABLES] = { 0 };

    for (unsigned d = 2; d <= 5; d++) {
        struct monomials all = ref_all(5, d);
        for (int round = 0; round < 20; round++) {
            const struct map m = poly(d, 0, 5);
            const struct row rx = dense(x, 5, 0), rz = dense(z, 5, 0);
            double dot = 1, power = 1, sum = 1;

            for (int j = 0; j < 5; j++) {
                x[j] = (double)rng_below(&g, 9) - 4;
                z[j] = (double)rng_below(&g, 9) - 4;
                dot += x[j] * z[j];
            }
            for (unsigned k = 0; k < d; k++) power *= dot;
            image_of(&m, &rx, &fx);
            image_of(&m, &rz, &fz);
            for (size_t i = 0, k = 0; i < fx.n; i++) {
                while (k < fz.n && fz.column[k] < fx.column[i]) k++;
                if (k == fz.n || fz.column[k] != fx.column[i]) continue;
                sum += ref_multinomial(&all.at[fx.column[i]], d) * fx.value[i] * fz.value[k];
            }
            assert_true(sum == power);
        }
        free(all.at);
    }
}

/* ----- maps that stand for a kernel ----------------------------------------------------- */

/* The sum over the columns that both images have, each product times the factor of its column:
 * exact on small whole numbers. */
static double dot_of(const struct map *m, const struct image *a, const struct image *b)
{
    double sum = 0;

    for (size_t i = 0, k = 0; i < a->n; i++) {
        while (k < b->n && b->column[k] < a->column[i]) k++;
        if (k == b->n || b->column[k] != a->column[i]) continue;
        const struct map_factor f = map_factor(m, a->column[i]);
        double factor = f.multinomial;
        for (unsigned p = 0; p < f.power; p++) factor *= m->c;
        sum += factor * a->value[i] * b->value[k];
    }
    return sum;
}

TEST(lifts_and_products_are_kernels)
{
    static const char *const spec[] = { "lift:2",     "lift:2:0",   "lift:3:2", "lift:3:0",
                                        "lift:4:0.5", "lift:1:3",   "lift:5:0", "products:2",
                                        "products:3", "products:4", "lift:8:0" };
    static struct image fx, fz;
    struct rng g = rng_seed(12, 0);
    double x[4], z[4];

    for (size_t s = 0; s < COUNT(spec); s++)
        for (int round = 0; round < 30; round++) {
            const uint64_t first = (uint64_t)(round % 2);
            const struct map m = map_of(spec[s], first, first + 4);
            const struct row rx = dense(x, 4, first), rz = dense(z, 4, first);
            double dot = m.c, power = 1;

            for (int j = 0; j < 4; j++) {
                x[j] = (double)rng_below(&g, 5) - 2;
                z[j] = (double)rng_below(&g, 5) - 2;
                dot += x[j] * z[j];
            }
            for (unsigned k = 0; k < m.degree; k++) power *= dot;
            image_of(&m, &rx, &fx);
            image_of(&m, &rz, &fz);
            for (size_t k = 1; k < fx.n; k++) assert_true(fx.column[k] > fx.column[k - 1]);
            if (fx.n > 0)
                assert_in_range(fx.column[fx.n - 1], first, map_columns(&m, m.inputs) - 1);
            assert_true(dot_of(&m, &fx, &fz) == power);
        }
}

/* Entry i of an image has the factor of rank i, whatever its column is. */
TEST(factors_follow_the_entries)
{
    static struct image im;
    static double root[WIDE];
    double x[REF_VARIABLES];
    struct rng g = rng_seed(13, 0);

    for (int round = 0; round < 60; round++) {
        const struct map m = map_of(round % 2 ? "lift:3:2" : "lift:4:0", 1, 7);
        const struct row r = dense(x, 6, 1);
        fill(&g, x, 6);
        image_of(&m, &r, &im);
        map_factors(&m, im.n, root);
        for (size_t i = 0; i < im.n; i++) {
            const struct map_factor f = map_factor(&m, im.column[i]);
            assert_true(root[i] == sqrt(f.multinomial * pow(m.c, f.power)));
        }
    }
}

/* New features only append columns; a name says what a column is. */
TEST(lifts_and_products_append)
{
    static const char *const spec[] = { "lift:3", "lift:3:0", "products:3" };
    static const double prime[] = { 2, 3, 5, 7 };
    static struct image few, many;
    struct text name;

    text_init(&name, &env);
    for (size_t s = 0; s < COUNT(spec); s++) {
        const struct map small = map_of(spec[s], 1, 4), large = map_of(spec[s], 1, 5);
        const struct row a = dense(prime, 3, 1), b = dense(prime, 4, 1);
        image_of(&small, &a, &few);
        image_of(&large, &b, &many);
        assert_int_equal(few.n, map_columns(&small, 4) - 1);
        assert_int_equal(many.n, map_columns(&large, 5) - 1);
        many.n = few.n;
        assert_same_image(&few, &many);
        for (size_t i = 0; i < few.n; i++) { /* the product of its features, by their names */
            double v = 1;
            name.len = 0;
            map_name(&large, few.column[i], NULL, NULL, &name);
            for (const char *c = strchr(name.s, 'x'); c != NULL; c = strchr(c + 1, 'x')) {
                const int power = c[2] == '^' ? c[3] - '0' : 1;
                for (int p = 0; p < power; p++) v *= prime[c[1] - '1'];
            }
            assert_true(v == few.value[i]);
        }
    }
    text_free(&name);
}

TEST(images_for_everybody)
{
    const double x[2] = { 3, -0.5 }, want[] = { 9, -1.5 * sqrt(2), 0.25 };
    double image[3] = { 7, 7, 7 };
    uint64_t columns;
    char buf[32];

    assert_int_equal(perc_map_image(NULL, "lift:2:0", x, 2, image, 2, &columns, NULL), PERC_OK);
    assert_int_equal(columns, 3);
    assert_true(image[0] == 7);
    assert_int_equal(perc_map_image(NULL, "lift:2:0", x, 2, image, 3, &columns, NULL), PERC_OK);
    for (int j = 0; j < 3; j++) assert_true(fabs(image[j] - want[j]) < 1e-15);
    assert_string_equal(perc_map_name("lift:2:0", 2, 1, buf, sizeof buf), "sqrt(2)*x1*x2");
    assert_string_equal(perc_map_name("lift:2:4", 2, 0, buf, sizeof buf), "4");
    assert_string_equal(perc_map_name("lift:2", 2, 0, buf, sizeof buf), "1");
    assert_string_equal(perc_map_name("products:2", 2, 1, buf, 4), "x2*");
    assert_null(perc_map_name("products:2", 2, 4, buf, sizeof buf));
    assert_null(perc_map_name("products:9", 2, 0, buf, sizeof buf));
    assert_string_equal(perc_map_name("none", 2, 1, buf, sizeof buf), "x2");
    assert_int_equal(perc_map_image(NULL, "poly:2:hash:3", x, 2, image, 3, &columns, NULL),
                     PERC_EARG);
    assert_int_equal(perc_map_image(NULL, "cubic", x, 2, image, 3, &columns, NULL), PERC_EARG);
    const double large[2] = { 1e200, 0 };
    assert_int_equal(perc_map_image(NULL, "lift:2:0", large, 2, image, 3, &columns, NULL),
                     PERC_EDATA);
}
