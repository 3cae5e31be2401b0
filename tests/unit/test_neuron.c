/* test_neuron.c -- the promises of src/logic/neuron.h: every function of few inputs, against a
 * search and published counts; the weights a person would write; up to twenty inputs. */
#include "t_neuron.h"
#include "vec/rng.h"

/* ----- all functions of few inputs ---------------------------------------------------------- */

/* The least sum of |w_i| with which each function of n inputs can be written, by trying all weights
 * up to 3; 0xFF: none. For four inputs 3 is enough: the published counts come out. */
static void try_all(unsigned char *least, size_t n)
{
    size_t ways = 1;

    memset(least, 0xFF, 65536);
    for (size_t i = 0; i < n; i++) ways *= 7;
    for (size_t k = 0; k < ways; k++) {
        int64_t w[4] = { 0 };
        for (size_t i = 0, left = k; i < n; i++, left /= 7) w[i] = (int64_t)(left % 7) - 3;
        const unsigned char size = (unsigned char)size_of(w, n);
        for (int64_t theta = -12; theta <= 13; theta++) {
            size_t f = 0;
            for (uint32_t r = 0; !(r >> n); r++)
                if (dot(w, n, r) >= theta) f |= (size_t)1 << r;
            if (size < least[f]) least[f] = size;
        }
    }
}

/* Threshold functions of n inputs, OEIS A000609 (Muroga 1971), and those of them in which all
 * inputs matter. Every function is right, and its weights are as small as any. */
TEST(every_function_of_four_inputs_is_decided)
{
    static const size_t all[] = { 2, 4, 14, 104, 1882 }, full[] = { 2, 2, 8, 72, 1536 };
    unsigned char *least = malloc(65536);

    assert_non_null(least);
    for (size_t n = 0; n <= 4; n++) {
        size_t found = 0, depend = 0;
        try_all(least, n);
        for (uint64_t f = 0; f < (uint64_t)1 << (1U << n); f++) {
            const struct neuron a = find(&f, n);
            bool every = a.found;
            assert_int_equal(a.found, least[f] != 0xFF);
            if (a.found) assert_int_equal(size_of(a.weight, n), least[f]);
            for (size_t i = 0; i < n; i++) every = every && a.weight[i] != 0;
            found += a.found;
            depend += every;
        }
        assert_int_equal(found, all[n]);
        assert_int_equal(depend, full[n]);
    }
    free(least);
}

struct written { /* a function and a way to write it */
    uint64_t f;
    int64_t size;
};

static int by_function(const void *a, const void *b)
{
    const struct written *x = a, *y = b;

    if (x->f != y->f) return x->f < y->f ? -1 : 1;
    return (x->size > y->size) - (x->size < y->size);
}

/* All functions of weights 0 <= w_0 <= w_1 <= ... <= most, but the constants. */
static struct written *write_all(size_t n, int64_t most, size_t *count)
{
    struct written *list = malloc(400000 * sizeof *list);
    int64_t w[6] = { 0 };

    assert_non_null(list);
    for (*count = 0;;) {
        const int64_t size = size_of(w, n);
        for (int64_t theta = 1; theta <= size; theta++) {
            uint64_t f = 0;
            for (uint32_t r = 0; !(r >> n); r++)
                if (dot(w, n, r) >= theta) f |= (uint64_t)1 << r;
            assert_true(*count < 400000);
            list[(*count)++] = (struct written){ f, size };
        }
        size_t i = 0;
        while (i < n && w[i] == (i + 1 < n ? w[i + 1] : most)) w[i++] = 0;
        if (i == n) break;
        w[i]++;
    }
    qsort(list, *count, sizeof *list, by_function);
    return list;
}

/* How many functions come from this one by permuting and negating inputs. */
static int64_t variants(const int64_t *w, size_t n)
{
    int64_t ways = 1, run = 1;

    for (size_t i = 0; i < n; i++) {
        run = i > 0 && w[i] == w[i - 1] ? run + 1 : 1;
        ways = ways * (int64_t)(i + 1) / run * (w[i] != 0 ? 2 : 1);
    }
    return ways;
}

/* For five and six inputs the functions are too many; those with rising weights stand for all.
 * That none is missing is seen by the published counts; 5 and 9 are the largest weights needed
 * (Muroga 1971). */
TEST(five_and_six_inputs_have_as_many_as_published)
{
    static const int64_t published[] = { 94572, 15028134 }, most[] = { 5, 9 };

    for (size_t n = 5; n <= 6; n++) {
        size_t count;
        struct written *list = write_all(n, most[n - 5], &count);
        int64_t all = 2; /* the constants */
        for (size_t k = 0; k < count; k++) {
            if (k > 0 && list[k].f == list[k - 1].f) continue;
            const struct neuron a = find(&list[k].f, n);
            assert_true(a.found);
            assert_int_equal(size_of(a.weight, n), list[k].size); /* the least comes first */
            for (size_t i = 0; i < n; i++)
                assert_true(a.weight[i] >= (i > 0 ? a.weight[i - 1] : 0));
            all += variants(a.weight, n);
        }
        assert_int_equal(all, published[n - 5]);
        free(list);
    }
}

/* ----- what a person would write -------------------------------------------------------------- */

static void expect(uint64_t f, size_t n, const int64_t *w, int64_t theta)
{
    const struct neuron a = find(&f, n);

    assert_true(a.found);
    for (size_t i = 0; i < n; i++) assert_int_equal(a.weight[i], w[i]);
    for (size_t i = n; i < NEURON_INPUTS; i++) assert_int_equal(a.weight[i], 0);
    assert_int_equal(a.threshold, theta);
}

TEST(weights_are_those_a_person_would_write)
{
    static const int64_t none[3] = { 0 }, ones[] = { 1, 1, 1 }, minus[] = { -1, -1, -1 };
    static const int64_t first[] = { 2, 1, 1 }, implies[] = { -1, 1 }, second[] = { 0, 1, 0 };

    for (size_t n = 0; n <= 3; n++) {
        expect(0, n, none, 1);
        expect(n < 3 ? (n < 2 ? (n < 1 ? 1 : 3) : 15) : 255, n, none, 0);
    }
    expect(8, 2, ones, 2);      /* a & b */
    expect(14, 2, ones, 1);     /* a | b */
    expect(2, 1, ones, 1);      /* a */
    expect(1, 1, minus, 0);     /* !a */
    expect(7, 2, minus, -1);    /* a nand b */
    expect(1, 2, minus, 0);     /* a nor b */
    expect(13, 2, implies, 0);  /* a -> b: not at row 1 */
    expect(0xA8, 3, first, 3);  /* a & (b | c) */
    expect(0xEA, 3, first, 2);  /* a | (b & c) */
    expect(0xE8, 3, ones, 2);   /* majority */
    expect(0xCC, 3, second, 1); /* b alone */
}

TEST(bits_beyond_the_table_are_not_read)
{
    struct rng g = rng_seed(7, 0);

    for (uint64_t f = 0; f < 256; f++) {
        const uint64_t more = f | rng_u64(&g) << 8;
        const struct neuron a = find(&f, 3), b = find(&more, 3);
        assert_memory_equal(a.weight, b.weight, sizeof a.weight);
        assert_int_equal(a.found, b.found);
        assert_int_equal(a.true_row[0], b.true_row[0]);
    }
}

TEST(xor_is_refuted_by_its_four_rows)
{
    const uint64_t f = 6;
    const struct neuron a = find(&f, 2);

    assert_false(a.found);
    assert_int_equal(a.true_rows, 2);
    assert_int_equal(a.false_rows, 2);
    assert_int_equal(a.true_row[0] + a.true_row[1], 3);
    assert_int_equal(a.false_row[0] + a.false_row[1], 3);
}

/* ----- larger ones --------------------------------------------------------------------------- */

static void expect_same_for_equals(const int64_t *w, const struct neuron *a, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++)
            if (w[i] == w[j]) assert_int_equal(a->weight[i], a->weight[j]);
        if (w[i] == 0) assert_int_equal(a->weight[i], 0);
        assert_true(w[i] >= 0 ? a->weight[i] >= 0 : a->weight[i] <= 0);
    }
}

/* Also with one row changed, near the border and anywhere: some of these are found, most not. */
TEST(random_weights_are_found)
{
    struct rng g = rng_seed(1, 0);
    uint64_t *t = new_table();
    size_t found = 0, refuted = 0;

    for (size_t n = 1; n <= 20; n++) {
        for (uint64_t k = 0; k < (n <= 10 ? 100 : n <= 16 ? 6 : 2); k++) {
            int64_t w[NEURON_INPUTS], all = 0;
            const uint64_t most = (uint64_t)1 << rng_below(&g, 2 * n < 30 ? 2 * n : 30);
            for (size_t i = 0; i < n; i++) {
                w[i] = (int64_t)rng_below(&g, 2 * most + 1) - (int64_t)most;
                all += w[i];
            }
            threshold_table(t, n, w, all / 2);
            const struct neuron a = find(t, n);
            assert_true(a.found);
            expect_same_for_equals(w, &a, n);
            assert_true(size_of(a.weight, n) <= size_of(w, n));
            uint32_t near = (uint32_t)rng_below(&g, (uint64_t)1 << n);
            for (uint32_t r = 0; k % 2 == 0 && !(r >> n); r++)
                if (llabs(dot(w, n, r) - all / 2) < llabs(dot(w, n, near) - all / 2)) near = r;
            t[near / 64] ^= (uint64_t)1 << (near % 64);
            if (find(t, n).found) found++;
            else refuted++;
        }
    }
    assert_true(found > 100 && refuted > 100);
    free(t);
}

/* a < b of two 10-bit numbers, parity, and f of chance. */
TEST(twenty_inputs_are_decided)
{
    struct rng g = rng_seed(2, 0);
    uint64_t *t = new_table();
    int64_t w[20];

    for (size_t i = 0; i < 10; i++) {
        w[i] = -(1 << i);
        w[10 + i] = 1 << i;
    }
    threshold_table(t, 20, w, 1);
    const struct neuron less = find(t, 20);
    assert_true(less.found);
    for (size_t i = 0; i < 20; i++) assert_int_equal(less.weight[i], w[i]);
    assert_int_equal(less.threshold, 1);

    for (size_t k = 0; k < WORDS; k++)
        t[k] = __builtin_parityll(k) ? ~(uint64_t)0x6996966996696996 : 0x6996966996696996;
    assert_false(find(t, 20).found);
    for (size_t k = 0; k < WORDS; k++) t[k] = rng_u64(&g);
    assert_false(find(t, 20).found);
    free(t);
}
