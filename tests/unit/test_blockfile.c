/* test_blockfile.c -- block files: a data set comes back as it was, row by row and
 * bit by bit, and no file makes the inner loops step outside their arrays. */
#include <math.h>

#include "base/tensors.h"
#include "data/blockfile.h"
#include "t.h"
#include "t_alloc.h"

/* ----- helpers ------------------------------------------------------------------- */

static const char path[] = "blocks", text_path[] = "text";

static perc_dataset *read_path(const char *from)
{
    perc_error err = { 0 };
    perc_dataset *ds;

    if (perc_dataset_read(NULL, from, NULL, &ds, &err)) fail_msg("%s: %s", from, err.text);
    return ds;
}

static perc_dataset *read_text(const char *content)
{
    FILE *f = fopen(text_path, "wb");
    assert_non_null(f);
    assert_int_equal(fputs(content, f) >= 0, 1);
    fclose(f);
    return read_path(text_path);
}

static void write_blocks(const perc_dataset *ds)
{
    perc_error err = { 0 };

    if (perc_dataset_write(ds, path, "blocks", &err)) fail_msg("%s", err.text);
}

static unsigned char *slurp(size_t *n)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    *n = (size_t)ftell(f);
    rewind(f);
    unsigned char *p = malloc(*n);
    assert_int_equal(fread(p, 1, *n, f), *n);
    fclose(f);
    return p;
}

static void assert_same_rows(const perc_dataset *a, const perc_dataset *b)
{
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->columns, b->columns);
    assert_int_equal(a->nonzeros, b->nonzeros);
    assert_int_equal(a->index_base, b->index_base);
    assert_int_equal(a->labels.n, b->labels.n);
    for (size_t i = 0; i < a->labels.n; i++)
        assert_string_equal(a->labels.at[i].text, b->labels.at[i].text);
    for (uint64_t i = 0; i < a->rows; i++) {
        const struct row r = dataset_row(a, i), s = dataset_row(b, i);
        assert_int_equal(r.n, s.n);
        for (size_t k = 0; k < r.n; k++) {
            const double v = row_value(&r, k), w = row_value(&s, k);
            assert_int_equal(row_column(&r, k), row_column(&s, k));
            assert_memory_equal(&v, &w, sizeof v); /* the bits: -0 is not 0 */
        }
        assert_int_equal(perc_dataset_row_label(a, i), perc_dataset_row_label(b, i));
        assert_true(perc_dataset_row_weight(a, i) == perc_dataset_row_weight(b, i));
        assert_int_equal(perc_dataset_row_line(a, i), perc_dataset_row_line(b, i));
    }
    for (uint64_t j = 0; perc_dataset_feature(a, j) != NULL; j++)
        assert_string_equal(perc_dataset_feature(a, j), perc_dataset_feature(b, j));
}

/* Takes over ds: writes it, reads it, compares, writes again, compares the bytes. */
static void assert_round_trip(perc_dataset *ds)
{
    size_t na, nb;

    write_blocks(ds);
    unsigned char *a = slurp(&na);
    perc_dataset *back = read_path(path);
    assert_string_equal(back->format, "blocks");
    assert_same_rows(ds, back);
    write_blocks(back);
    unsigned char *b = slurp(&nb);
    assert_int_equal(na, nb);
    assert_memory_equal(a, b, na);
    free(a);
    free(b);
    perc_dataset_free(ds);
    perc_dataset_free(back);
}

/* ----- what is read is what was written --------------------------------------------- */

static const char sparse_text[] = "+1 1:0.5 3:-2.25 900:1e3\n"
                                  "\n# a comment: lines are not rows\n"
                                  "-1 2:0.125\n-1\n+1 500:7 501:8 900:9\n";

TEST(every_encoding_comes_back_to_the_bit)
{
    assert_round_trip(read_text(sparse_text));                               /* decimals, u16 */
    assert_round_trip(read_text("2 1:1 70000:1\n1 5:1\n2 9:1 80000:1\n"));   /* ones, u32 */
    assert_round_trip(read_text("1 0:7 300:255\n0 5:1\n0 2:3 900:9\n"));     /* bytes, base 0 */
    assert_round_trip(read_text("1 1:0.1234567890123 999:1\n2 5:3e-310\n")); /* doubles */
    assert_round_trip(read_text("a 1:1 2:2 3:3\nb 1:4 2:5 3:6\n"));          /* dense bytes */
    assert_round_trip(read_text("1 1:1 2:1\n2 1:1 2:1\n"));                  /* dense ones */
    assert_round_trip(read_text("x,colour,y\n1.5,red,no\n-0,blue,yes\n2,red,yes\n"));
    assert_round_trip(read_path(":iris"));
}

TEST(labels_need_not_be_utf8)
{
    assert_round_trip(read_text("caf\xe9 1:1 9:2\nth\xc3\xa9 1:2\ncaf\xe8 3:1\n"));
}

TEST(borrowed_arrays_are_packed_as_they_are_written)
{
    static const float x[3][4] = { { 1, 2, 3, 99 }, { 4, 5, 6, 99 }, { -0.f, 8, 9.5f, 99 } };
    static const double y[] = { 1, -1, 1 }, weights[] = { 0.5, 2, 0 };
    static const double v[] = { 1, 2, 3, 4.5, 5 };
    static const int32_t start[] = { 0, 2, 2, 5 };
    static const int64_t index[] = { 0, 6000000000, 1, 2, 3 };
    /* The first three columns, backwards: negative strides and gaps. */
    const perc_dense dense = {
        &x[2][2], PERC_F32, 3, 3, -(ptrdiff_t)sizeof x[0], -(ptrdiff_t)sizeof(float)
    };
    const perc_csr csr = { v, PERC_F64, index, start, PERC_I64, PERC_I32, 3, 6000000001 };
    const perc_csr ones = { NULL, PERC_F64, index, start, PERC_I64, PERC_I32, 3, 6000000001 };
    perc_dataset *ds;

    assert_int_equal(perc_dataset_borrow_dense(NULL, &dense, y, weights, &ds, NULL), PERC_OK);
    assert_round_trip(ds);
    assert_int_equal(perc_dataset_borrow_csr(NULL, &csr, y, NULL, &ds, NULL), PERC_OK);
    assert_round_trip(ds);
    assert_int_equal(perc_dataset_borrow_csr(NULL, &ones, y, weights, &ds, NULL), PERC_OK);
    assert_round_trip(ds);
}

TEST(thousands_of_blocks_come_back_in_order)
{
    const struct env e = env_resolve(NULL);
    perc_dataset *ds;
    struct rows r;
    uint32_t id;

    assert_int_equal(dataset_new(&e, &ds), PERC_OK);
    rows_init(&r, &e);
    for (uint32_t k = 0; k < 3000; k++) {
        rows_reset(&r);
        assert_true(rows_reserve(&r, 2, 2));
        assert_int_equal(labels_add(&r.labels, k % 3 ? "1" : "0", 1, &id, NULL), PERC_OK);
        rows_put(&r, k % 50, k);
        rows_end(&r, id, 1, 0);
        rows_end(&r, id, 1, 1); /* an empty row */
        assert_int_equal(dataset_add_rows(ds, &r), PERC_OK);
    }
    rows_free(&r);
    assert_int_equal(dataset_sort_labels(ds), PERC_OK);
    assert_int_equal(ds->blocks, 3000);
    assert_round_trip(ds);
}

TEST(a_model_from_blocks_has_the_bytes_of_one_from_text)
{
    perc_dataset *text = read_text(sparse_text), *blocks;
    perc_params *p;
    perc_model *m;
    size_t na, nb;

    write_blocks(text);
    blocks = read_path(path);
    assert_int_equal(perc_params_new(NULL, "perceptron", &p, NULL), PERC_OK);
    assert_int_equal(perc_fit(NULL, text, p, NULL, &m, NULL, NULL), PERC_OK);
    /* Written over the mapped file: the old one lives on until it is unmapped. */
    assert_int_equal(perc_model_write(m, path, NULL), PERC_OK);
    unsigned char *a = slurp(&na);
    perc_model_free(m);
    assert_int_equal(perc_fit(NULL, blocks, p, NULL, &m, NULL, NULL), PERC_OK);
    assert_int_equal(perc_model_write(m, path, NULL), PERC_OK);
    unsigned char *b = slurp(&nb);
    perc_model_free(m);
    assert_int_equal(na, nb);
    assert_memory_equal(a, b, na);

    perc_error err = { 0 }; /* and a model is not data */
    perc_dataset *none;
    assert_int_equal(perc_dataset_read(NULL, path, NULL, &none, &err), PERC_EDATA);
    assert_non_null(strstr(err.text, "a perceptron-model file"));
    free(a);
    free(b);
    perc_params_free(p);
    perc_dataset_free(text);
    perc_dataset_free(blocks);
}

TEST(scaled_data_are_not_written)
{
    perc_params *how;
    perc_dataset *ds;
    perc_error err = { 0 };

    assert_int_equal(perc_params_new(NULL, "data", &how, NULL), PERC_OK);
    assert_int_equal(perc_params_set(how, "scale", "maxabs", NULL), PERC_OK);
    assert_int_equal(perc_dataset_read(NULL, ":iris", how, &ds, NULL), PERC_OK);
    assert_int_equal(perc_dataset_write(ds, path, "blocks", &err), PERC_EARG);
    assert_non_null(strstr(err.text, "scale when training"));
    perc_dataset_free(ds);
    perc_params_free(how);
}

/* ----- hostile content ------------------------------------------------------------------ */

/* A file in memory whose arrays can be changed after its checksum was verified. */
struct victim {
    unsigned char *p;
    size_t n;
    struct tensors t;
};

static struct victim victim(const char *content)
{
    const struct env e = env_resolve(NULL);
    struct victim v;
    perc_dataset *ds = read_text(content);

    write_blocks(ds);
    perc_dataset_free(ds);
    v.p = slurp(&v.n);
    assert_int_equal(tensors_parse(&e, v.p, v.n, &v.t, NULL), PERC_OK);
    return v;
}

static void *array(struct victim *v, const char *name)
{
    const struct tensor *one = tensors_find(&v->t, name);

    assert_non_null(one);
    return v->p + ((const unsigned char *)one->data - v->p);
}

/* Decodes, which must fail for this reason (NULL: must not), and frees. */
static void decode(struct victim *v, const char *reason)
{
    const struct env e = env_resolve(NULL);
    perc_error err = { 0 };
    perc_dataset *ds;
    const perc_status st = blockfile_decode(&e, &v->t, &ds, &err);

    if (reason == NULL && st) fail_msg("refused: %s", err.text);
    if (reason != NULL && (st != PERC_EDATA || strstr(err.text, reason) == NULL))
        fail_msg("%d '%s' does not say '%s'", (int)st, err.text, reason);
    if (st) assert_null(ds);
    perc_dataset_free(ds);
    tensors_free(&v->t);
    free(v->p);
}

/* sparse_text: starts 0 3 4 4 7, columns 1 3 900 | 2 | | 500 501 900, base 1. */
TEST(arrays_that_would_lead_astray_are_refused)
{
    static const struct {
        const char *name;
        int at;
        uint64_t value;
        size_t size;
        const char *reason;
    } cases[] = {
        { "b0.start", 0, 1, 8, "rows do not follow" },
        { "b0.start", 4, 8, 8, "rows do not follow" },
        { "b0.start", 1, 5, 8, "rows do not follow" },
        { "b0.start", 2, UINT64_MAX, 8, "rows do not follow" },
        { "b0.index", 2, 901, 2, "columns" },
        { "b0.index", 1, 1, 2, "columns" },
        { "b0.index", 0, 0, 2, "columns" }, /* below the base */
        { "b0.index", 5, 900, 2, "columns" },
        { "b0.label", 0, 2, 4, "label" },
        { "b0.label", 3, UINT32_MAX, 4, NULL }, /* a row without a label is allowed */
        { "b0.value", 0, UINT32_C(23) << 24, 4, "finite" },
        { "b0.value", 0, UINT32_C(1) << 30, 4, "finite" },
        { "b0.value", 6, UINT32_C(1) << 31, 4, "finite" },
        { "b0.value", 6, UINT32_C(22) << 24 | UINT32_C(1) << 29, 4, NULL },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct victim v = victim(sparse_text);
        assert_int_equal(tensors_find(&v.t, "b0.index")->type, DTYPE_U16);
        assert_int_equal(tensors_find(&v.t, "b0.value")->type, DTYPE_U32);
        unsigned char *a = array(&v, cases[i].name);
        memcpy(a + (size_t)cases[i].at * cases[i].size, &cases[i].value, cases[i].size);
        decode(&v, cases[i].reason);
    }
}

TEST(values_and_weights_that_are_not_finite_are_refused)
{
    static const double bad[] = { NAN, INFINITY, -INFINITY };
    const char *doubles = "y,x,weight\n1,0.1234567890123,2\n0,1e-300,1\n";
    double v;

    for (int i = 0; i < 3; i++) {
        struct victim a = victim(doubles);
        assert_int_equal(tensors_find(&a.t, "b0.value")->type, DTYPE_F64);
        memcpy(array(&a, "b0.value"), &bad[i], sizeof *bad);
        decode(&a, "finite");
    }
    const float f[] = { 1, 2, 3 }; /* floats come from borrowed arrays */
    const double y[] = { 0, 1, 1 }, weight[] = { 1, 2, 3 };
    const perc_dense x = { f, PERC_F32, 3, 1, sizeof *f, sizeof *f };
    for (int i = 0; i < 8; i++) {
        const struct env e = env_resolve(NULL);
        perc_dataset *ds;
        struct victim b;
        assert_int_equal(perc_dataset_borrow_dense(NULL, &x, y, weight, &ds, NULL), PERC_OK);
        write_blocks(ds);
        perc_dataset_free(ds);
        b.p = slurp(&b.n);
        assert_int_equal(tensors_parse(&e, b.p, b.n, &b.t, NULL), PERC_OK);
        const float nan32 = i < 3 ? (float)bad[i] : 1;
        memcpy((float *)array(&b, "b0.value") + 2, &nan32, sizeof nan32);
        v = i < 3 ? 1 : i < 6 ? bad[i - 3] : i == 6 ? -1 : 0;
        memcpy((double *)array(&b, "b0.weight") + 1, &v, sizeof v);
        decode(&b, i < 3 ? "value" : i < 7 ? "weight" : NULL);
    }
}

TEST(facts_that_contradict_the_arrays_are_refused)
{
    static const struct {
        bool dense;
        enum fact fact;
        uint64_t value;
        const char *reason;
    } cases[] = {
        { false, FACT_ROWS, 0, "contradict" },
        { false, FACT_ROWS, 5, "length" },
        { false, FACT_ROWS, UINT64_MAX, "contradict" },
        { false, FACT_VALUES, VALUES_F64 + 1, "contradict" },
        { false, FACT_VALUES, VALUES_F32, "type" },
        { false, FACT_INDICES, INDEX_U64 + 1, "contradict" },
        { false, FACT_INDICES, INDEX_U32, "type" },
        { false, FACT_INDICES, INDEX_DENSE, "contradict" },
        { false, FACT_FIRST, 1, "contradict" },
        { false, FACT_WIDTH, 1, "contradict" },
        { false, FACT_FIRST_LINE, UINT64_MAX, "contradict" },
        { false, FACT_FIRST_LINE, 0, "first line" },
        { false, FACT_COLUMNS, 900, "columns" },
        { false, FACT_COLUMNS, 902, "contradict" }, /* more than the set has */
        { false, FACT_NONZEROS, 6, "length" },
        { true, FACT_FIRST, 0, "contradict" }, /* below the base */
        { true, FACT_FIRST, 2, "contradict" }, /* beyond the columns */
        { true, FACT_FIRST, UINT64_MAX, "contradict" },
        { true, FACT_WIDTH, 2, "contradict" },
        { true, FACT_WIDTH, UINT64_MAX / 2, "contradict" },
        { true, FACT_VALUES, VALUES_ONES, "contradict" },
        { true, FACT_NONZEROS, 7, "contradict" },
        { true, FACT_NONZEROS, 5, NULL },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct victim v = victim(cases[i].dense ? "a 1:1 2:2 3:3\nb 1:4 2:5 3:6\n" : sparse_text);
        uint64_t *fact = array(&v, "blocks");
        assert_int_equal(fact[FACT_INDICES] == INDEX_DENSE, cases[i].dense);
        fact[cases[i].fact] = cases[i].value;
        decode(&v, cases[i].reason);
    }
}

TEST(wrong_metadata_are_refused)
{
    static const struct {
        const char *key, *value, *reason;
    } cases[] = {
        { "format", "perceptron-model", "a perceptron-model file" },
        { "format_version", "2", "newer" },
        { "rows", "5", "rows" },
        { "rows", "-4", "cannot be" },
        { "columns", "900", "contradict" },
        { "columns", "9223372036854775807", "cannot be" },
        { "index_base", "2", "cannot be" },
        { "labels", "[\"1\",\"-1\"]", "labels" },  /* not sorted */
        { "labels", "[\"-1\",\"-1\"]", "labels" }, /* twice */
        { "labels", "[\"-1\",\"+1\"]", "labels" }, /* not as we write it */
        { "labels", "[\"-1\",\"nan\"]", "labels" },
        { "labels", "[\"-1\"]", "label is out of range" },
        { "labels", "[\"-1\",{\"hex\":\"3\"}]", "labels" },
        { "labels", "[\"-1\",{\"hex\":\"31\"}]", NULL },
        { "labels", "[\"-1\",1]", "labels" },
        { "labels", "[\"-1\",\"1\"", "labels" },
        { "labels", "{}", "labels" },
        { "schema", "[]", "columns" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct victim v = victim(sparse_text);
        size_t k = 0;
        while (k < v.t.metas && strcmp(v.t.meta[k].key, cases[i].key) != 0) k++;
        if (k == v.t.metas) { /* "schema" would come last in the sorted list */
            assert_int_equal(tensors_meta(&v.t, cases[i].key, cases[i].value), PERC_OK);
        } else {
            mem_free_text(&v.t.e, v.t.meta[k].value);
            v.t.meta[k].value = mem_text(&v.t.e, cases[i].value, strlen(cases[i].value));
        }
        decode(&v, cases[i].reason);
    }
}

/* ----- memory ------------------------------------------------------------------------------ */

TEST(running_out_of_memory_loses_nothing)
{
    struct t_alloc a;
    const struct env e = { t_alloc, &a, 1 };
    perc_dataset *ds = read_text("x,colour,y\n1.5,red,no\n-0,blue,caf\xe9\n2,red,no\n"), *back;
    perc_status st;
    long k = 0;

    write_blocks(ds);
    perc_dataset_free(ds);
    do {
        t_alloc_reset(&a, k++, false);
        st = blockfile_read(&e, path, &back, NULL);
        assert_true(st == PERC_OK || (st == PERC_ENOMEM && back == NULL));
        if (st) t_alloc_holds(&a, 0);
    } while (st);
    assert_true(k > 20); /* guard: it did fail many times */
    const long held = a.bytes;
    k = 0;
    do {
        t_alloc_again(&a, k++);
        st = blockfile_write(back, path, NULL);
        assert_true(st == PERC_OK || st == PERC_ENOMEM);
        t_alloc_holds(&a, held);
    } while (st);
    assert_true(k > 20);
    a.fail_at = -1;
    perc_dataset_free(back);
    t_alloc_holds(&a, 0);
}
