/* test_map_size.c -- the promises of src/data/map.h about specifications, limits and
 * buckets. */
#include <inttypes.h>

#include "data/map.h"
#include "map_reference.h"
#include "t.h"
#include "t_alloc.h"
#include "vec/rng.h"

static struct t_alloc heap = { .fail_at = -1 };
static const struct env env = { .alloc = t_alloc, .ud = &heap, .threads = 1 };

static struct map map_of(const char *spec)
{
    struct map m;

    assert_int_equal(map_parse(spec, &m, NULL), PERC_OK);
    return m;
}

/* ----- specifications ------------------------------------------------------------------- */

TEST(specifications)
{
    static const struct {
        const char *spec, *again;
        unsigned degree, bits;
    } good[] = {
        { "none", "none", 0, 0 },
        { "poly:1", "none", 0, 0 },
        { "poly:2", "poly:2", 2, 0 },
        { "poly:8", "poly:8", 8, 0 },
        { "poly:1:hash:1", "poly:1:hash:1", 1, 1 },
        { "poly:3:hash:30", "poly:3:hash:30", 3, 30 },
        { "products:1", "none", 0, 0 },
        { "products:2", "products:2", 2, 0 },
        { "lift:1", "lift:1", 1, 0 },
        { "lift:1:0", "none", 0, 0 },
        { "lift:2:1", "lift:2", 2, 0 },
        { "lift:2:-0", "lift:2:0", 2, 0 },
        { "lift:8:1.2345678901234568e-300", "lift:8:1.2345678901234568e-300", 8, 0 },
        { "lift:3:2.50", "lift:3:2.5", 3, 0 },
    };
    static const char *const bad[] = {
        "",
        "poly",
        "poly:",
        "poly:0",
        "poly:9",
        "poly:2x",
        "poly:-2",
        "poly:+2",
        "poly: 2",
        "poly:2:",
        "poly:2:hash",
        "poly:2:hash:",
        "poly:2:hash:0",
        "poly:2:hash:31",
        "poly:2:hash:8:",
        "poly:2:bits:8",
        "POLY:2",
        "None",
        "poly:2.5",
        "poly:4294967298",
        "products",
        "products:0",
        "products:2:1",
        "products:2:hash:4",
        "lift:9",
        "lift:2:",
        "lift:2:x",
        "lift:2:-1",
        "lift:2:1e31",
        "lift:2:nan",
        "lift:2:hash:4",
        "lift:2,1",
    };
    perc_error err;

    for (size_t i = 0; i < COUNT(good); i++) {
        const struct map m = map_of(good[i].spec);
        char spec[MAP_SPEC];

        map_option(&m, spec);
        assert_string_equal(spec, good[i].again);
        assert_int_equal(m.degree, good[i].degree);
        assert_int_equal(m.bits, good[i].bits);
        assert_true(map_is_identity(&m) == (good[i].degree == 0));
        const struct map again = map_of(spec), other = map_of("poly:5");
        assert_true(map_same(&m, &again));
        assert_false(map_same(&m, &other));
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct map m = { .degree = 3, .bits = 3 };
        assert_refused(map_parse(bad[i], &m, &err), PERC_EARG, &err, bad[i]);
        assert_true(map_is_identity(&m));
    }
    assert_true(map_is_identity(NULL));
    t_alloc_holds(&heap, 0);
}

/* ----- sizes ------------------------------------------------------------------------------ */

/* C(n + d, d) by Pascal's triangle. */
TEST(counts_are_pascals)
{
    uint64_t row[100] = { 0 };

    row[0] = 1;
    for (size_t n = 0; n <= 60; n++) { /* row[d] = C(n + d, d) */
        for (size_t d = 1; d <= MAP_DEGREE_MAX; d++) row[d] = n == 0 ? 1 : row[d] + row[d - 1];
        for (unsigned d = 2; d <= MAP_DEGREE_MAX; d++) {
            const struct map m = { .degree = d, .first = 1 };
            const struct map h = { .degree = d, .first = 1, .bits = 7 };
            assert_int_equal(map_entries(&m, n), row[d] - 1);
            assert_int_equal(map_room(&m, n), row[d] - 1);
            assert_int_equal(map_room(&h, n), 2 * (row[d] - 1));
            assert_int_equal(map_columns(&m, n + 1), row[d]);
            assert_int_equal(map_columns(&h, n), 1 + 128);
        }
    }
    const struct map none = { .degree = 0 }, empty = { .degree = 2, .first = 1 };
    assert_int_equal(map_columns(&none, 12), 12);
    assert_int_equal(map_entries(&none, 12), 12);
    assert_int_equal(map_columns(&empty, 0), 1);
}

/* Results up to 2^64 - 2 are exact although the products on the way are larger; beyond
 * there is UINT64_MAX. */
TEST(counts_saturate)
{
    const struct map two = { .degree = 2 }, eight = { .degree = 8 },
                     from_one = { .degree = 8, .first = 1 }, hashed = { .degree = 8, .bits = 4 };

    assert_int_equal(map_entries(&two, 6074000998u), UINT64_C(18446744070963499499));
    assert_int_equal(map_entries(&two, 6074001000u), UINT64_MAX);
    assert_int_equal(map_entries(&eight, 959), UINT64_C(18419736117819661559));
    assert_int_equal(map_entries(&eight, 960), UINT64_MAX);
    assert_int_equal(map_entries(&eight, UINT64_MAX), UINT64_MAX);
    assert_int_equal(map_room(&hashed, 959), UINT64_MAX);
    assert_int_equal(map_columns(&two, UINT64_MAX - 1), UINT64_MAX);
    assert_int_equal(map_columns(&from_one, UINT64_MAX), UINT64_MAX);
}

static const char *refusal(const char *spec, uint64_t first, uint64_t inputs, char out[256])
{
    struct map m = map_of(spec);
    perc_error err = { 0 };

    assert_int_equal(map_set_inputs(&m, first, inputs, &err), PERC_EARG);
    assert_int_equal(m.inputs, 0); /* as it was */
    memcpy(out, err.text, 256);
    return out;
}

TEST(absurd_sizes_are_named)
{
    char s[256];

    assert_string_equal(refusal("poly:3", 1, 55685, s),
                        "--map poly:3 makes 28,779,736,852,194 features out of 55,684: 230 TB of "
                        "weights (use poly:2, or poly:3:hash:24)");
    assert_string_equal(
        refusal("lift:3:0.5", 1, 55685, s),
        "--map lift:3:0.5 makes 28,779,736,852,195 features out of 55,684: 230 TB "
        "of weights (use --kernel poly --degree 3 --coef0 0.5, which needs no map)");
    assert_string_equal(refusal("products:4", 0, 1000, s),
                        "--map products:4 makes 1,000,000,000,000 features out of 1,000: 8 TB of "
                        "weights (use --kernel poly --degree 4 --coef0 0, which needs no map)");
    assert_string_equal(refusal("poly:2", 0, 1000000, s),
                        "--map poly:2 makes 500,001,500,000 features out of 1,000,000: 4 TB of "
                        "weights (use poly:2:hash:24)");
    assert_string_equal(refusal("poly:8", 0, 1000000, s),
                        "--map poly:8 makes 2.48e+43 features out of 1,000,000: 1.98e+26 EB of "
                        "weights (use poly:8:hash:24)");
    assert_string_equal(refusal("poly:4", 0, 500, s),
                        "--map poly:4 makes 2,656,615,625 features out of 500: 21 GB of "
                        "weights (use poly:3, or poly:4:hash:24)");
}

/* At the limit of MAP_COLUMNS_MAX: one feature more is refused, and the last column of
 * the largest map is the last monomial. */
TEST(the_largest_map)
{
    static const struct {
        unsigned degree;
        uint64_t most; /* features that fit */
    } at[] = { { 2, 65534 }, { 3, 2342 }, { 4, 473 }, { 5, 188 }, { 8, 50 } };
    uint32_t column[8];
    double value[8], x = 2;

    for (size_t i = 0; i < COUNT(at); i++)
        for (uint64_t first = 0; first < 2; first++) {
            struct map m = { .degree = at[i].degree };
            const uint64_t last = first + at[i].most - 1;
            const struct row r = { &x, NULL, 1, last, 8, VALUES_F64, INDEX_DENSE, 0 };
            struct text name;
            char want[40];

            assert_int_equal(map_set_inputs(&m, first, last + 1, NULL), PERC_OK);
            assert_int_equal(map_set_inputs(&m, first, last + 2, NULL), PERC_EARG);
            assert_int_equal(m.inputs, last + 1);
            assert_int_equal(map_row(&m, &r, column, value), at[i].degree);
            assert_int_equal(column[at[i].degree - 1], map_columns(&m, m.inputs) - 1);
            text_init(&name, &env);
            map_name(&m, column[at[i].degree - 1], NULL, NULL, &name);
            snprintf(want, sizeof want, "x%" PRIu64 "^%u", last, at[i].degree);
            assert_string_equal(name.s, want);
            text_free(&name);
        }
}

/* ----- buckets ------------------------------------------------------------------------------ */

/* The hash, again: model files depend on it, so it never changes. */
static uint32_t hash_of(const struct monomial *m)
{
    uint32_t sum = 0;

    for (size_t v = 0; v < REF_VARIABLES; v++) {
        uint64_t z = (v + 1) * UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        sum += m->power[v] * (uint32_t)(z >> 32);
    }
    sum = (sum ^ (sum >> 16)) * 0x85ebca6b;
    sum = (sum ^ (sum >> 13)) * 0xc2b2ae35;
    return sum ^ (sum >> 16);
}

/* Rows short and long (one sort for each), few buckets and many. */
TEST(buckets_gather_the_monomials)
{
    enum { N = 12, ROOM = 20000, BUCKETS = 1 << 18 };
    static double want[BUCKETS], value[ROOM];
    static bool used[BUCKETS];
    static uint32_t column[ROOM];
    static const unsigned bits[] = { 1, 4, 8, 9, 16, 18 };
    struct rng g = rng_seed(9, 0);
    double x[REF_VARIABLES] = { 0 };

    for (unsigned d = 1; d <= 4; d++) {
        struct monomials all = ref_all(N, d);
        for (int round = 0; round < 24; round++) {
            const unsigned b = bits[round % 6];
            const uint64_t first = (uint64_t)round / 6 % 2, buckets = (uint64_t)1 << b;
            struct map m = { .degree = d, .bits = b };
            const struct row r = { x, NULL, N, first, 8, VALUES_F64, INDEX_DENSE, 0 };
            size_t k = 0;

            memset(want, 0, sizeof want);
            memset(used, 0, sizeof used);
            for (size_t j = 0; j < N; j++)
                x[j] = round < 12 && j % 3 > 0 ? 0 : 2 * rng_uniform(&g) - 1;
            for (size_t i = 0; i < all.n; i++) {
                const uint32_t h = hash_of(&all.at[i]), at = h >> (32 - b);
                if (!ref_present(&all.at[i], x)) continue;
                const double v = h & 1 ? -ref_value(&all.at[i], x) : ref_value(&all.at[i], x);
                want[at] = used[at] ? want[at] + v : v;
                used[at] = true;
            }
            assert_int_equal(map_set_inputs(&m, first, first + N, NULL), PERC_OK);
            assert_in_range(map_room(&m, N), 1, ROOM);
            const size_t n = map_row(&m, &r, column, value);
            for (uint64_t at = 0; at < buckets; at++) {
                if (!used[at]) continue;
                assert_true(k < n);
                assert_int_equal(column[k], first + at);
                assert_memory_equal(&value[k++], &want[at], sizeof(double));
            }
            assert_int_equal(k, n);
        }
        free(all.at);
    }
}

/* By the hash above, which is that of the library: 1890 monomials fall evenly into 64
 * buckets and two signs; and where two features share a bucket, their products with a
 * third one do so no more often than others. */
TEST(buckets_are_even)
{
    enum { N = REF_VARIABLES, BUCKETS = 64 };
    struct monomials all = ref_all(N, 2);
    size_t count[BUCKETS] = { 0 }, negative = 0, pairs = 0, again = 0;
    uint32_t hash[N + 1][N + 1] = { { 0 } };
    double chi2 = 0;

    for (size_t i = 0; i < all.n; i++) {
        size_t a[2] = { N, N }, n = 0; /* N: the constant */
        for (size_t v = 0; v < N; v++)
            for (unsigned p = 0; p < all.at[i].power[v]; p++) a[n++] = v;
        const uint32_t h = hash_of(&all.at[i]);
        hash[a[0]][a[1]] = hash[a[1]][a[0]] = h;
        count[h >> 26]++;
        negative += h & 1;
    }
    const double mean = (double)all.n / BUCKETS;
    for (size_t k = 0; k < BUCKETS; k++)
        chi2 += ((double)count[k] - mean) * ((double)count[k] - mean) / mean;
    assert_true(chi2 > 30 && chi2 < 110);                      /* 63 degrees of freedom, +- 4 sd */
    assert_in_range(negative, all.n / 2 - 90, all.n / 2 + 90); /* 4 sd */
    for (size_t a = 0; a < N; a++)
        for (size_t b = 0; b < a; b++)
            for (size_t c = 0; c < N && hash[a][N] >> 26 == hash[b][N] >> 26; c++) {
                pairs++;
                again += hash[a][c] >> 26 == hash[b][c] >> 26;
            }
    assert_true(pairs > 600);
    assert_true(again < pairs / 20); /* 1 in 64 is chance */
    free(all.at);
}
