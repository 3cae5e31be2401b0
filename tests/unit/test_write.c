/* test_write.c -- the promises of perc_dataset_write, for text. */
#include <float.h>
#include <math.h>
#include <unistd.h>

#include "base/number.h"
#include "data/dataset.h"
#include "t.h"
#include "t_alloc.h"
#include "t_dir.h"
#include "t_make.h"
#include "vec/rng.h"

static struct t_alloc heap = { .fail_at = -1 };
static const struct env env = { .alloc = t_alloc, .ud = &heap, .threads = 1 };

/* ----- what is written, and what is read again ------------------------------------- */

static char *content(void)
{
    enum { ROOM = 1 << 20 };
    char *s = calloc(1, ROOM);

    assert_non_null(s);
    const long n = t_get("out", s, ROOM - 1);
    assert_true(n >= 0 && n < ROOM - 1);
    return s;
}

static void assert_written(const perc_dataset *ds, const char *format, const char *text)
{
    perc_error err = { 0 };

    if (perc_dataset_write(ds, "out", format, &err)) fail_msg("%s", err.text);
    char *s = content();
    assert_string_equal(s, text);
    free(s);
}

static perc_dataset *read_back(const char *weight)
{
    perc_error err = { 0 };
    perc_params *p;
    perc_dataset *ds;

    assert_int_equal(perc_params_new(NULL, "data", &p, &err), PERC_OK);
    if (weight != NULL) assert_int_equal(perc_params_set(p, "weight", weight, &err), PERC_OK);
    if (perc_dataset_read(NULL, "out", p, &ds, &err)) fail_msg("%s", err.text);
    perc_params_free(p);
    return ds;
}

/* ----- sets made by hand ------------------------------------------------------------ */

struct cell {
    uint32_t column;
    double value;
};

static void put(struct rows *r, const char *label, double weight, const struct cell *c, size_t n)
{
    uint32_t id = LABEL_NONE;

    if (label != NULL)
        assert_int_equal(labels_add(&r->labels, label, strlen(label), &id, NULL), PERC_OK);
    assert_true(rows_reserve(r, 1, n));
    for (size_t k = 0; k < n; k++) rows_put(r, c[k].column, c[k].value);
    rows_end(r, id, weight, (uint32_t)r->n);
}

static perc_dataset *set_of(struct rows *r, int index_base, const char *format)
{
    perc_dataset *ds;

    assert_int_equal(dataset_new(&env, &ds), PERC_OK);
    assert_int_equal(dataset_add_rows(ds, r), PERC_OK);
    assert_int_equal(dataset_sort_labels(ds), PERC_OK);
    ds->index_base = index_base;
    ds->format = format;
    rows_free(r);
    return ds;
}

/* Three rows; the second is all zero. */
static perc_dataset *small(int base, const char *format)
{
    const uint32_t b = (uint32_t)base;
    const struct cell first[] = { { b, 0.5 }, { b + 2, -12.25 } }, last[] = { { b + 1, 1e300 } };
    struct rows r;

    rows_init(&r, &env);
    put(&r, "1", 1, first, 2);
    put(&r, "-1", 1, NULL, 0);
    put(&r, "1", 1, last, 1);
    return set_of(&r, base, format);
}

static void name_columns(perc_dataset *ds, const char *const *name, size_t n)
{
    struct schema *s = &ds->schema;

    s->column = mem_zeroed(&env, n, sizeof *s->column);
    assert_non_null(s->column);
    s->columns = n;
    s->numeric = (uint32_t)n - 1;
    for (size_t j = 0; j < n; j++) {
        s->column[j].name = mem_text(&env, name[j], strlen(name[j]));
        s->column[j].kind = j + 1 < n ? COLUMN_NUMBER : COLUMN_LABEL;
        s->column[j].feature = (uint32_t)j;
    }
}

/* ----- LIBSVM ------------------------------------------------------------------------ */

TEST(libsvm_text_leaves_out_zeros_and_keeps_the_index_base)
{
    static const char *const names[] = { "a", "b", "c", "y" };
    perc_dataset *ds = small(1, "memory");

    assert_written(ds, "libsvm", "1 1:0.5 3:-12.25\n-1\n1 2:1e+300\n");
    perc_dataset_free(ds);
    ds = small(0, "libsvm"); /* a file with indices from 0 */
    assert_written(ds, "libsvm", "1 0:0.5 2:-12.25\n-1\n1 1:1e+300\n");
    perc_dataset_free(ds);
    ds = small(0, "memory"); /* borrowed arrays */
    assert_written(ds, "libsvm", "1 1:0.5 3:-12.25\n-1\n1 2:1e+300\n");
    perc_dataset_free(ds);
    ds = small(0, "blocks"); /* a table, by way of a block file */
    name_columns(ds, names, 4);
    assert_written(ds, "libsvm", "1 1:0.5 3:-12.25\n-1\n1 2:1e+300\n");
    perc_dataset_free(ds);
}

TEST(a_row_without_a_label_stays_a_row)
{
    const struct cell c[] = { { 2, 3 } };
    struct rows r;

    rows_init(&r, &env);
    put(&r, NULL, 1, c, 1);
    put(&r, NULL, 1, NULL, 0);
    put(&r, "7", 1, NULL, 0);
    perc_dataset *ds = set_of(&r, 1, "memory");
    assert_written(ds, "libsvm", "2:3\n1:0\n7\n");
    assert_written(ds, "csv", "x1,x2,label\n0,3,\n0,0,\n0,0,7\n");
    perc_dataset_free(ds);
}

TEST(libsvm_text_refuses_what_it_cannot_hold)
{
    static const char *const bad[] = { "New York", "a:b", "a#b", "" };
    perc_error err = { 0 };
    struct rows r;

    for (size_t i = 0; i < COUNT(bad); i++) {
        rows_init(&r, &env);
        put(&r, bad[i], 1, NULL, 0);
        perc_dataset *ds = set_of(&r, 0, "memory");
        assert_int_equal(perc_dataset_write(ds, "out", "libsvm", &err), PERC_EDATA);
        perc_dataset_free(ds);
    }
    rows_init(&r, &env);
    put(&r, "1", 2, NULL, 0);
    perc_dataset *ds = set_of(&r, 0, "memory");
    assert_refused(perc_dataset_write(ds, "out", "libsvm", &err), PERC_EDATA, &err, "weights");
    perc_dataset_free(ds);
    assert_int_equal(access("out", F_OK), -1); /* nothing was written */
}

/* ----- CSV ----------------------------------------------------------------------------- */

TEST(csv_has_a_header_all_cells_and_the_label_last)
{
    static const char *const names[] = { "a,b", "say \"x\"", " c", "y" };
    static const char *const label[] = { "label", "b", "c", "y" };
    perc_dataset *ds = small(1, "memory");

    assert_written(ds, "csv", "x1,x2,x3,label\n0.5,0,-12.25,1\n0,0,0,-1\n0,1e+300,0,1\n");
    perc_dataset_free(ds);
    ds = small(0, "csv");
    name_columns(ds, names, 4);
    assert_written(ds, "csv",
                   "\"a,b\",\"say \"\"x\"\"\",\" c\",label\n"
                   "0.5,0,-12.25,1\n0,0,0,-1\n0,1e+300,0,1\n");
    perc_dataset_free(ds);
    ds = small(0, "csv"); /* a feature has the name already */
    name_columns(ds, label, 4);
    assert_written(ds, "csv", "label,b,c,y\n0.5,0,-12.25,1\n0,0,0,-1\n0,1e+300,0,1\n");
    perc_dataset_free(ds);
}

TEST(csv_keeps_weights_and_labels_with_commas)
{
    const struct cell c[] = { { 0, 3 }, { 1, 4 } };
    struct rows r;

    rows_init(&r, &env);
    put(&r, "a,b", 0.25, c, 2);
    put(&r, "c \"d\"", 1, c, 1);
    perc_dataset *ds = set_of(&r, 0, "memory");
    assert_written(ds, "csv", "x1,x2,weight,label\n3,4,0.25,\"a,b\"\n3,0,1,\"c \"\"d\"\"\"\n");
    perc_dataset *back = read_back("weight");
    assert_true(perc_dataset_row_weight(back, 0) == 0.25);
    assert_string_equal(perc_dataset_label(back, 0), "a,b");
    assert_string_equal(perc_dataset_label(back, 1), "c \"d\"");
    t_free(back, ds);
}

TEST(json_lines_keep_weights_and_refuse_what_is_not_utf8)
{
    const struct cell c[] = { { 0, 3 }, { 1, 4 } };
    perc_error err = { 0 };
    struct rows r;

    rows_init(&r, &env);
    put(&r, "a \"b\"", 0.25, c, 2);
    put(&r, "c", 1, c, 1);
    perc_dataset *ds = set_of(&r, 0, "memory");
    assert_written(ds, "jsonl",
                   "{\"x1\":3,\"x2\":4,\"weight\":0.25,\"label\":\"a \\\"b\\\"\"}\n"
                   "{\"x1\":3,\"x2\":0,\"weight\":1,\"label\":\"c\"}\n");
    perc_dataset *back = read_back("weight");
    assert_true(perc_dataset_row_weight(back, 0) == 0.25);
    assert_string_equal(perc_dataset_label(back, 0), "a \"b\"");
    t_free(back, ds);
    rows_init(&r, &env);
    put(&r, "caf\xe9", 1, c, 2);
    ds = set_of(&r, 0, "memory");
    assert_refused(perc_dataset_write(ds, "out", "jsonl", &err), PERC_EDATA, &err,
                   "which is not UTF-8 (write csv)");
    perc_dataset_free(ds);
}

/* A set of a program may have features alone, weights alone, or nothing that a table could hold. */
TEST(tables_have_the_columns_that_there_are)
{
    const struct cell c[] = { { 0, 3 }, { 1, 4 } };
    perc_error err = { 0 };
    struct rows r;

    rows_init(&r, &env);
    put(&r, NULL, 1, c, 2);
    put(&r, NULL, 1, c, 1);
    perc_dataset *ds = set_of(&r, 0, "memory");
    assert_written(ds, "csv", "x1,x2\n3,4\n3,0\n");
    assert_written(ds, "jsonl", "{\"x1\":3,\"x2\":4}\n{\"x1\":3,\"x2\":0}\n");
    perc_dataset_free(ds);
    rows_init(&r, &env);
    put(&r, NULL, 0.5, NULL, 0);
    put(&r, NULL, 1, NULL, 0);
    ds = set_of(&r, 0, "memory");
    assert_written(ds, "csv", "weight\n0.5\n1\n");
    assert_written(ds, "jsonl", "{\"weight\":0.5}\n{\"weight\":1}\n");
    perc_dataset_free(ds);
    rows_init(&r, &env);
    put(&r, "p", 0.5, NULL, 0);
    put(&r, NULL, 1, NULL, 0);
    ds = set_of(&r, 0, "memory");
    assert_written(ds, "csv", "weight,label\n0.5,p\n1,\n");
    assert_written(ds, "jsonl",
                   "{\"weight\":0.5,\"label\":\"p\"}\n{\"weight\":1,\"label\":null}\n");
    perc_dataset_free(ds);
    rows_init(&r, &env);
    put(&r, NULL, 1, NULL, 0);
    ds = set_of(&r, 0, "memory");
    for (int k = 0; k < 2; k++)
        assert_refused(perc_dataset_write(ds, "out", k == 0 ? "csv" : "jsonl", &err), PERC_EDATA,
                       &err, "has no columns");
    perc_dataset_free(ds);
}

/* ----- there and back --------------------------------------------------------------------- */

/* The same rows, labels and values, in whatever blocks. A zero that one set stores
 * and the other does not is no difference. */
static void assert_same(const perc_dataset *a, const perc_dataset *b)
{
    perc_dataset_info ia, ib;

    perc_dataset_info_get(a, &ia);
    perc_dataset_info_get(b, &ib);
    assert_int_equal(ia.rows, ib.rows);
    assert_int_equal(ia.labels, ib.labels);
    const size_t n = (size_t)(ia.features > ib.features ? ia.features : ib.features);
    double *x = calloc(2 * n + 1, sizeof *x);
    for (uint64_t i = 0; i < ia.rows; i++) {
        memset(x, 0, 2 * n * sizeof *x);
        perc_dataset_row(a, i, x);
        perc_dataset_row(b, i, x + n);
        for (size_t j = 0; j < n; j++) assert_true(x[j] == x[n + j]);
        assert_string_equal(perc_dataset_label(a, (size_t)perc_dataset_row_label(a, i)),
                            perc_dataset_label(b, (size_t)perc_dataset_row_label(b, i)));
    }
    free(x);
}

static double hard_value(struct rng *rng)
{
    static const double odd[] = {
        DBL_MAX, -DBL_MAX,           DBL_MIN, 5e-324, -1e-310, 0.1,  1e22,
        1e23,    9007199254740993.0, 1e-5,    1e-4,   0.3,     1e17, 123456789012345680.0
    };
    union {
        uint64_t bits;
        double v;
    } u;

    if (rng_below(rng, 4) == 0) return odd[rng_below(rng, COUNT(odd))];
    do u.bits = rng_u64(rng);
    while (!isfinite(u.v));
    return u.v;
}

static double value_for(enum values kind, struct rng *rng)
{
    switch (kind) {
    case VALUES_ONES: return 1;
    case VALUES_U8: return (double)rng_below(rng, 256);
    case VALUES_DEC: return (double)rng_below(rng, 1u << 24);
    case VALUES_F32: return (double)(float)rng_normal(rng);
    default: return hard_value(rng);
    }
}

/* Rows with `kind` of values in about share of 30 columns. */
static perc_dataset *random_set(enum values kind, double share, uint64_t seed)
{
    struct rng rng = rng_seed(seed, 0);
    static const char *const label[] = { "-1", "1", "word" };
    struct cell c[30];
    struct rows r;

    rows_init(&r, &env);
    for (int i = 0; i < 100; i++) {
        size_t n = 0;
        for (uint32_t j = 1; j <= 30; j++) {
            const double v = value_for(kind, &rng);
            if (v != 0 && (rng_uniform(&rng) < share || j == 30)) c[n++] = (struct cell){ j, v };
        }
        put(&r, label[i % 3], 1, c, n);
    }
    return set_of(&r, 1, "memory");
}

TEST(every_storage_reads_back_bit_for_bit)
{
    static const char *const format[] = { "libsvm", "csv", "blocks" };

    for (int kind = VALUES_ONES; kind <= VALUES_F64; kind++) {
        for (int dense = 0; dense < 2; dense++) {
            perc_dataset *ds = random_set((enum values)kind, dense ? 1 : 0.1, 3);
            assert_int_equal(ds->block[0].indices == INDEX_DENSE, dense);
            if (!(dense && kind == VALUES_ONES)) assert_int_equal(ds->block[0].values, kind);
            for (int f = 0; f < 3; f++) {
                assert_int_equal(perc_dataset_write(ds, "out", format[f], NULL), PERC_OK);
                perc_dataset *back = read_back(NULL);
                assert_same(ds, back);
                perc_dataset_free(back);
            }
            perc_dataset_free(ds);
        }
    }
}

TEST(built_in_sets_read_back_with_their_names)
{
    static const char *const name[] = { ":xor", ":blobs85", ":iris", ":cancer" };

    for (size_t i = 0; i < COUNT(name); i++) {
        perc_dataset *ds, *back;
        assert_int_equal(perc_dataset_read(NULL, name[i], NULL, &ds, NULL), PERC_OK);
        assert_int_equal(perc_dataset_write(ds, "out", "libsvm", NULL), PERC_OK);
        back = read_back(NULL);
        assert_same(ds, back);
        assert_int_equal(back->index_base, 1);
        perc_dataset_free(back);
        assert_int_equal(perc_dataset_write(ds, "out", "csv", NULL), PERC_OK);
        back = read_back(NULL);
        assert_same(ds, back);
        for (uint64_t j = 0; ds->schema.columns > 0 && j < ds->columns; j++)
            assert_string_equal(perc_dataset_feature(ds, j), perc_dataset_feature(back, j));
        t_free(back, ds);
    }
}

/* The text made from mantissa and places is the one that the search would find. */
TEST(a_packed_decimal_has_the_shortest_text)
{
    enum { N = 20000 };
    struct rng rng = rng_seed(1, 0);
    uint32_t *packed = calloc(N, sizeof *packed);
    char want[NUMBER_TEXT + 1];
    struct rows r;

    rows_init(&r, &env);
    assert_true(rows_reserve(&r, 1, N));
    for (uint32_t k = 0; k < N; k++) {
        uint32_t m = (uint32_t)rng_below(&rng, (uint64_t)1 << (1 + rng_below(&rng, 24)));
        if (k % 3 == 0) m = m / 1000 * 1000; /* trailing zeros */
        if (k % 7 == 0) m = 1;
        packed[k] = decimal_pack(m > 0 ? m : 10, (unsigned)rng_below(&rng, 23), k % 2);
        rows_put_decimal(&r, k + 1, packed[k]);
    }
    rows_end(&r, LABEL_NONE, 1, 0);
    perc_dataset *ds = set_of(&r, 1, "memory");
    assert_int_equal(ds->block[0].values, VALUES_DEC);
    assert_int_equal(perc_dataset_write(ds, "out", "libsvm", NULL), PERC_OK);
    char *s = content(), *save, *word = strtok_r(s, " \n", &save);
    for (uint32_t k = 0; k < N; k++, word = strtok_r(NULL, " \n", &save)) {
        assert_non_null(word);
        want[number_format(decimal_unpack(packed[k]), want)] = '\0';
        assert_string_equal(strchr(word, ':') + 1, want);
    }
    assert_null(word);
    free(s);
    free(packed);
    perc_dataset_free(ds);
}

TEST(bad_requests_are_refused_and_leave_the_old_file)
{
    perc_dataset *ds = small(1, "memory");
    perc_error err = { 0 };

    assert_written(ds, "libsvm", "1 1:0.5 3:-12.25\n-1\n1 2:1e+300\n");
    assert_refused(perc_dataset_write(ds, "out", "xml", &err), PERC_EARG, &err,
                   "libsvm, csv, jsonl or blocks");
    assert_int_equal(perc_dataset_write(ds, "no/such/folder/file", "csv", &err), PERC_EIO);
    for (long n = 0; n < 3; n++) { /* memory runs out on the way */
        t_alloc_again(&heap, n);
        const perc_status st = perc_dataset_write(ds, "out", "csv", &err);
        heap.fail_at = -1;
        assert_true(st == PERC_ENOMEM);
        char *s = content();
        assert_true(strncmp(s, "1 1:0.5", 7) == 0);
        free(s);
    }
    perc_dataset_free(ds);
    t_alloc_holds(&heap, 0);
}
