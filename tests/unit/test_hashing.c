/* test_hashing.c -- features by their hash: the buckets are those of a second XXH64,
 * for tables and for LIBSVM text, whatever the threads, in training and for a model;
 * and what is said about shared buckets is what counting them one by one says.
 * Models and files are in test_hashed_models.c. */
#include "words_reference.h"

#include "data/bag.h"
#include "data/hashing.h"
#include "t_alloc.h"

static const int threads[] = { 1, 2, 3, 8 };

/* ----- the hash ------------------------------------------------------------------ */

TEST(buckets_are_the_upper_bits_of_xxh64)
{
    struct rng g = rng_seed(1, 0);
    char column[64], word[256];

    assert_true(ref_xxh64("", 0) == 0xEF46DB3751D8E999); /* the reference, by known values */
    assert_true(ref_xxh64("abc", 3) == 0x44BC2CF5AD770999);
    for (int round = 0; round < 2000; round++) {
        const size_t a = (size_t)rng_below(&g, 60), b = (size_t)rng_below(&g, 200);
        for (size_t i = 0; i < a; i++) column[i] = (char)(1 + rng_below(&g, 255));
        for (size_t i = 0; i < b; i++) word[i] = (char)(1 + rng_below(&g, 255));
        column[a] = word[b] = '\0';
        const struct hash64 h = hashing_column(column, a);
        assert_true(hashing_word(&h, word, b) == ref_hash(column, word));
        const uint64_t x = rng_u64(&g), index = x & UINT32_MAX;
        unsigned char bytes[8] = { 0 };
        for (int i = 0; i < 4; i++) bytes[i] = (unsigned char)(index >> 8 * i);
        assert_true(hashing_index((uint32_t)index) == ref_xxh64(bytes, 8));
        for (unsigned bits = 1; bits <= HASH_BITS_MAX; bits++)
            assert_int_equal(hashing_bucket(x, bits), x / ((uint64_t)1 << (64 - bits)));
    }
}

TEST(keys_are_sorted)
{
    const struct env e = env();
    struct rng g = rng_seed(2, 0);
    struct bag b;

    bag_init(&b, &e);
    for (size_t n = 0; n < 300; n++) {
        uint64_t sum = 0;
        b.n = 0;
        for (size_t i = 0; i < n; i++) {
            const uint64_t v = rng_u64(&g) >> (n % 2 ? 0 : 60); /* few and many different */
            assert_true(bag_put(&b, v));
            sum += v;
        }
        assert_true(bag_sort(&b));
        assert_int_equal(b.n, n);
        for (size_t i = 0; i < n; i++) {
            assert_true(i == 0 || b.key[i - 1] <= b.key[i]);
            sum -= b.key[i];
        }
        assert_true(sum == 0);
    }
    bag_free(&b);
}

/* ----- shared buckets ---------------------------------------------------------------- */

/* The same by looking at all ref_pairs: the features of h, each once. */
static void brute_force(const uint64_t *h, size_t n, unsigned bits, uint64_t *used,
                        uint64_t *shared)
{
    *used = *shared = 0;
    for (size_t i = 0; i < n; i++) {
        bool first = true, alone = true;
        for (size_t k = 0; k < n; k++) {
            if (h[k] >> (64 - bits) != h[i] >> (64 - bits)) continue;
            if (k < i) first = false;
            if (h[k] != h[i]) alone = false;
        }
        *used += first;
        *shared += first && !alone;
    }
}

TEST(shared_buckets_are_counted_in_any_order_and_in_parts)
{
    enum { N = 2400 };
    const struct env e = env();
    struct rng g = rng_seed(3, 0);
    struct buckets whole, joined, part;
    static uint64_t h[N];
    uint64_t used, shared, most = 0;
    size_t slots = 0;

    for (unsigned round = 0; round < 40; round++) {
        const unsigned bits = 1 + round % 20;
        const size_t n = round % 2 ? N : (size_t)rng_below(&g, 100) + 1;
        for (size_t i = 0; i < n; i++) {
            const uint64_t x = i > 0 && rng_below(&g, 2) == 0 ? h[rng_below(&g, i)] : rng_u64(&g);
            h[i] = x & ~(uint64_t)3; /* see hashing.h: 62 bits are compared */
        }
        brute_force(h, n, bits, &used, &shared);
        hashing_buckets_init(&whole, &e, bits);
        hashing_buckets_init(&joined, &e, bits);
        for (size_t i = n; i > 0; i--) assert_true(hashing_buckets_add(&whole, h[i - 1] | (i & 3)));
        for (size_t from = 0, to; from < n; from = to) {
            to = from + 1 + (size_t)rng_below(&g, n - from);
            hashing_buckets_init(&part, &e, bits);
            for (size_t i = from; i < to; i++) assert_true(hashing_buckets_add(&part, h[i]));
            assert_true(hashing_buckets_join(&joined, &part));
            hashing_buckets_free(&part);
        }
        assert_int_equal(whole.used, used);
        assert_int_equal(whole.shared, shared);
        assert_int_equal(joined.used, used);
        assert_int_equal(joined.shared, shared);
        assert_true(whole.slots <= (size_t)1 << bits);
        if (shared > most) most = shared;
        if (whole.slots > slots) slots = whole.slots;
        hashing_buckets_free(&whole);
        hashing_buckets_free(&joined);
    }
    assert_true(most > 50 && slots > 2048); /* guard: the table grew */
}

/* ----- tables -------------------------------------------------------------------------- */

struct counting {
    unsigned bits;
    double row[2048];
    uint64_t *seen; /* every hash met, once */
    size_t n;
};

static void count_word(void *ud, const char *column, const char *word)
{
    struct counting *c = ud;
    const uint64_t h = ref_hash(column, word);
    size_t i = 0;

    c->row[1 + (h >> (64 - c->bits))]++;
    while (i < c->n && c->seen[i] != h) i++;
    if (i == c->n) c->seen[c->n++] = h;
}

TEST(any_table_has_the_buckets_of_the_reference_for_any_threads)
{
    static struct ref_table table;
    static struct counting c = { .bits = 10 };
    double row[2048];
    perc_dataset *ds[4];
    uint64_t used, shared;

    ref_table_draw(&table, 4);
    ref_table_write(&table, 0, REF_ROWS, "t.csv");
    c.seen = malloc(10000 * sizeof *c.seen);
    assert_non_null(c.seen);
    for (int k = 0; k < 4; k++)
        ds[k] = read_path("t.csv", "text=body,title label=y hash=10", threads[k]);
    for (int i = 0; i < REF_ROWS; i++) {
        memset(c.row, 0, sizeof c.row);
        c.row[0] = table.size[i];
        ref_each(&table, i, count_word, &c);
        for (int k = 0; k < 4; k++) {
            perc_dataset_row(ds[k], (uint64_t)i, row);
            assert_memory_equal(row, c.row, 1025 * sizeof *row);
        }
    }
    brute_force(c.seen, c.n, c.bits, &used, &shared);
    assert_true(used > 300 && shared > 100 && shared < used); /* guard */
    for (int k = 0; k < 4; k++) {
        const perc_dataset_info info = info_of(ds[k]);
        assert_int_equal(info.features, 1025);
        assert_int_equal(info.hashed, used);
        assert_int_equal(info.collisions, shared);
        assert_true(ds[k]->blocks > 2);
        assert_int_equal(ds[k]->schema.categories, 0); /* no dictionary */
        assert_string_equal(perc_dataset_feature(ds[k], 0), "size");
        assert_null(perc_dataset_feature(ds[k], 1));
        perc_dataset_free(ds[k]);
    }
    free(c.seen);
    ref_table_free(&table);
}

static uint32_t bucket(const char *column, const char *word, unsigned bits)
{
    return (uint32_t)(ref_hash(column, word) >> (64 - bits));
}

/* With 1 bit nearly everything meets; categories and words add up in a bucket. */
TEST(what_shares_a_bucket_is_added_up)
{
    char expected[2][64];
    struct reading t;
    double sum[2][2] = { { 0 } };

    read_text(&t, "n,c,body,y\n5,red,a b a,p\n6,blue,,q\n", "text=body hash=1");
    sum[0][bucket("c", "red", 1)]++;
    sum[0][bucket("body", "a", 1)] += 2;
    sum[0][bucket("body", "b", 1)]++;
    sum[1][bucket("c", "blue", 1)]++;
    for (int i = 0; i < 2; i++) {
        int n = sprintf(expected[i], "%s: 0=%d", i ? "q" : "p", 5 + i);
        for (int k = 0; k < 2; k++)
            if (sum[i][k] > 0) n += sprintf(expected[i] + n, " %d=%g", k + 1, sum[i][k]);
        row_is(&t, (size_t)i, expected[i]);
    }
    feature_is(&t, 0, "n");
    feature_is(&t, 2, "hash:1");
    done(&t);
}

TEST(a_dropped_row_is_not_counted)
{
    struct reading t;

    read_text(&t, "n,body,y\n?,one two three four five,a\n1,six,b\n",
              "text=body hash=16 missing=drop");
    assert_int_equal(t.rows.seen.used, 1);
    done(&t);
}

TEST(a_model_has_the_buckets_of_training)
{
    struct reading t, u;
    struct text json;
    struct schema back;
    const struct env e = env();
    char expected[64];

    read_text(&t, "n,c,body,y\n5,red,a b a,p\n6,blue,,q\n", "text=body hash=20");
    text_init(&json, &e);
    schema_to_json(&t.csv.schema, &json);
    assert_non_null(strstr(json.s, "\"categories\":[],\"hash\":20}"));
    assert_int_equal(schema_from_json(&e, json.s, json.len, &back, NULL), PERC_OK);
    assert_int_equal(schema_features(&back), 1 + (1 << 20));
    /* The columns in another order, by other names where the file has none. */
    read_for(&u, "body,c,n\nnever seen,,7\n", "missing=zero", &back);
    assert_int_equal(u.st, PERC_OK);
    assert_int_equal(u.rows.unknown, 0); /* every word has a bucket */
    assert_int_equal(u.rows.seen.bits, 0);
    const uint32_t x = 1 + bucket("body", "never", 20), y = 1 + bucket("body", "seen", 20);
    sprintf(expected, "-: 0=7 %u=1 %u=1", x < y ? x : y, x < y ? y : x);
    row_is(&u, 0, expected);
    done(&u);
    schema_free(&back);
    text_free(&json);
    done(&t);
}

TEST(json_of_buckets_is_checked)
{
#define SCHEMA(more)                                     \
    "{\"header\":true,\"delimiter\":\",\",\"columns\":[" \
    "{\"name\":\"a\",\"kind\":\"text\"}],\"categories\":[" more "}"
    static const char *const good[] = { SCHEMA("]"), SCHEMA("[0,\"w\"]]"), SCHEMA("],\"hash\":1"),
                                        SCHEMA("],\"hash\":31") };
    static const char *const bad[] = {
        SCHEMA("],\"hash\":0"),          SCHEMA("],\"hash\":32"),
        SCHEMA("],\"hash\":-1"),         SCHEMA("],\"hash\":2.5"),
        SCHEMA("],\"hash\":\"3\""),      SCHEMA("],\"hash\":3,\"hash\":3"),
        SCHEMA("[0,\"w\"]],\"hash\":3"), SCHEMA("],\"hush\":3")
    };
    const struct env e = env();
    struct schema s;

    for (size_t i = 0; i < COUNT(good); i++) {
        assert_int_equal(schema_from_json(&e, good[i], strlen(good[i]), &s, NULL), PERC_OK);
        schema_free(&s);
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        if (schema_from_json(&e, bad[i], strlen(bad[i]), &s, NULL) != PERC_EDATA)
            fail_msg("accepted: %s", bad[i]);
        schema_free(&s);
    }
}

/* ----- LIBSVM ---------------------------------------------------------------------------- */

enum { SPARSE_ROWS = 20000, SPARSE_BITS = 7 };

/* A file of random rows; x gets SPARSE_ROWS * 2^SPARSE_BITS sums, `seen` the hashes. */
static size_t draw_sparse(const char *path, double *x, uint64_t *seen)
{
    static bool met[200];
    struct rng g = rng_seed(9, 0);
    FILE *f = fopen(path, "wb");
    size_t n = 0;

    assert_non_null(f);
    memset(met, 0, sizeof met);
    for (int i = 0; i < SPARSE_ROWS; i++) {
        fputs(rng_below(&g, 2) == 0 ? "-1" : "1", f);
        for (uint32_t index = 0; (index += (uint32_t)rng_below(&g, 30)) < 200;) {
            char value[32];
            unsigned char bytes[8] = { (unsigned char)index };
            const uint64_t h = ref_xxh64(bytes, 8);
            snprintf(value, sizeof value, "%.2f", (double)rng_below(&g, 2000) / 100 - 10);
            fprintf(f, " %u:%s", index, value);
            x[((size_t)i << SPARSE_BITS) + (h >> (64 - SPARSE_BITS))] += strtod(value, NULL);
            if (!met[index]) seen[n++] = h;
            met[index] = true;
            index++; /* they rise: sums are in their order */
        }
        putc('\n', f);
    }
    fclose(f);
    return n;
}

TEST(libsvm_rows_have_the_sums_of_their_buckets)
{
    double *x = calloc((size_t)SPARSE_ROWS << SPARSE_BITS, sizeof *x);
    double row[1 << SPARSE_BITS];
    uint64_t seen[400], used, shared;

    assert_non_null(x);
    const size_t n = draw_sparse("t.svm", x, seen);
    brute_force(seen, n, SPARSE_BITS, &used, &shared);
    assert_true(shared > 20);
    for (int k = 0; k < 4; k++) {
        perc_dataset *ds = read_path("t.svm", "hash=7", threads[k]);
        const perc_dataset_info info = info_of(ds);
        assert_int_equal(info.rows, SPARSE_ROWS);
        assert_int_equal(info.features, 1 << SPARSE_BITS);
        assert_int_equal(info.index_base, 0);
        assert_int_equal(info.hashed, used);
        assert_int_equal(info.collisions, shared);
        assert_true(ds->blocks > 1);
        for (uint64_t i = 0; i < info.rows; i++) {
            perc_dataset_row(ds, i, row);
            for (size_t j = 0; j < 1 << SPARSE_BITS; j++)
                assert_true(row[j] == x[(i << SPARSE_BITS) + j]); /* the same order of sums */
        }
        perc_dataset_free(ds);
    }
    free(x);
}

/* Without a collision the decimals of the text stay as they were. */
TEST(lone_values_keep_their_form)
{
    double row[1 << 16];
    unsigned char bytes[8] = { 0 };
    perc_dataset *ds;

    assert_int_equal(t_put("a.svm", "1 3:0.125 5:7 # x\n-1 qid:3 4:-0.3\n1\n"), 0);
    ds = read_path("a.svm", "hash=16", 1);
    assert_string_equal(info_of(ds).storage, "decimal32");
    assert_int_equal(info_of(ds).hashed, 3);
    assert_int_equal(info_of(ds).collisions, 0);
    perc_dataset_row(ds, 1, row);
    bytes[0] = 4;
    assert_true(row[ref_xxh64(bytes, 8) >> 48] == -0.3);
    perc_dataset_free(ds);
    assert_int_equal(t_put("b.svm", "1 4:1 3:2\n-1 0:4\n"), 0); /* --unsorted, and an index 0 */
    ds = read_path("b.svm", "hash=16 unsorted=true", 1);
    assert_int_equal(info_of(ds).index_base, 0);
    perc_dataset_row(ds, 0, row);
    assert_true(row[ref_xxh64(bytes, 8) >> 48] == 1);
    bytes[0] = 0;
    perc_dataset_row(ds, 1, row);
    assert_true(row[ref_xxh64(bytes, 8) >> 48] == 4);
    perc_dataset_free(ds);
    assert_int_equal(t_put("c.svm", "1 1:1e308 2:1e308 3:1e308\n-1 1:1\n"), 0);
    refused(NULL, "c.svm", "hash=1", PERC_EDATA, "are too large to be added up");
    assert_int_equal(t_put("d.svm", "1 1:3e38 2:3e38 3:3e38\n-1 1:1\n"), 0);
    refused(NULL, "d.svm", "hash=1 float32=true", PERC_EDATA, "are too large to be added up");
    perc_dataset_free(read_path("d.svm", "hash=1", 1)); /* guard: fine as doubles */
    refused(NULL, "b.svm", "hash=4 index=1 unsorted=true", PERC_EDATA, "feature index 0");
    refused(NULL, "a.svm", "text=x", PERC_EARG, "--text names columns of a table");
}

/* ----- memory runs out ------------------------------------------------------------------------ */

TEST(nothing_leaks_whichever_allocation_fails)
{
    static const char *const specs[] = { "text=body hash=12", "text=body hash=12", "hash=12" };
    char long_mail[4000];
    size_t at = (size_t)sprintf(long_mail, "%s", ref_mails);

    for (int i = 0; i < 560; i++) at += (size_t)sprintf(long_mail + at, "w%d ", i);
    sprintf(long_mail + at, ",x,spam\n"); /* enough for the table of buckets to grow */
    t_put("t.csv", long_mail);
    t_put("t.svm", ref_pairs);
    for (int i = 0; i < 3; i++) {
        const char *path = i < 2 ? "t.csv" : "t.svm";
        perc_params *p = options(specs[i]);
        /* Of two threads one may be refused what it needs to see that the file has ended. */
        struct t_sweep s = { .threads = 1 + i % 2, .survives = i % 2, .least = 30 };
        while (t_sweep_next(&s)) {
            perc_dataset *ds;
            const perc_status st = perc_dataset_read(&s.env, path, p, &ds, NULL);
            perc_dataset_free(ds);
            t_sweep_judge(&s, st);
        }
        perc_params_free(p);
    }
}
