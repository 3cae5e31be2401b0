/* test_blockfile.c -- block files: a data set comes back as it was, row by row and
 * bit by bit, and no file makes the inner loops step outside their arrays. */
#include <math.h>
#include <unistd.h>

#include "base/tensors.h"
#include "data/blockfile.h"
#include "t.h"
#include "t_alloc.h"
#include "t_hostile.h"
#include "t_make.h"

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
    write_blocks(ds);
    struct t_bytes a = t_slurp(path);
    perc_dataset *back = read_path(path);
    assert_string_equal(back->format, "blocks");
    assert_same_rows(ds, back);
    write_blocks(back);
    struct t_bytes b = t_slurp(path);
    assert_int_equal(a.n, b.n);
    assert_memory_equal(a.p, b.p, a.n);
    free(a.p);
    free(b.p);
    t_free(ds, back);
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
    perc_dataset *text = read_text(sparse_text), *blocks, *none;
    perc_error err = { 0 };

    write_blocks(text);
    blocks = read_path(path);
    perc_model *a = t_fit(text, "", NULL);
    /* Written over the file: the rows were read from the old one. */
    assert_int_equal(perc_model_write(a, path, NULL), PERC_OK);
    perc_model *b = t_fit(blocks, "", NULL);
    t_assert_same_file(a, b);
    assert_refused(perc_dataset_read(NULL, path, NULL, &none, &err), PERC_EDATA, &err,
                   "a perceptron-model file"); /* and a model is not data */
    t_free(a, b, text, blocks);
}

TEST(scaled_data_are_not_written)
{
    perc_dataset *ds = t_read(":iris", "scale=maxabs");
    perc_error err = { 0 };

    assert_refused(perc_dataset_write(ds, path, "blocks", &err), PERC_EARG, &err,
                   "scale when training");
    perc_dataset_free(ds);
}

/* ----- a file that changes ---------------------------------------------------------------- */

/* What was checked is a copy: neither rewriting the file in place nor cutting it short reaches
 * the rows. With in-place=true the file is used where it lies, and takes no memory. */
TEST(a_file_that_changes_changes_no_rows)
{
    perc_dataset *text = read_text(sparse_text), *blocks, *mapped;
    perc_params *p;
    perc_dataset_info copied, in_place;

    write_blocks(text);
    assert_int_equal(perc_params_new(NULL, "data", &p, NULL), PERC_OK);
    assert_int_equal(perc_params_set(p, "in-place", "true", NULL), PERC_OK);
    assert_int_equal(perc_dataset_read(NULL, path, p, &mapped, NULL), PERC_OK);
    assert_same_rows(text, mapped);
    perc_dataset_info_get(mapped, &in_place);
    perc_dataset_free(mapped);
    perc_params_free(p);

    blocks = read_path(path);
    perc_dataset_info_get(blocks, &copied);
    assert_int_equal(copied.memory, in_place.memory + blocks->bytes);
    FILE *f = fopen(path, "r+b");
    assert_non_null(f);
    for (uint64_t i = 0; i < blocks->bytes; i++) assert_int_equal(fputc(0xff, f), 0xff);
    assert_int_equal(fflush(f), 0);
    assert_same_rows(text, blocks);
    assert_int_equal(ftruncate(fileno(f), 0), 0);
    fclose(f);
    assert_same_rows(text, blocks);
    t_free(text, blocks);
}

/* ----- hostile content ------------------------------------------------------------------ */

static perc_status decode(void *ud, struct tensors *t, perc_error *err)
{
    const struct env e = env_resolve(NULL);
    perc_dataset *ds;
    const perc_status st = blockfile_decode(&e, t, &ds, err);

    (void)ud;
    assert_true(!st || ds == NULL);
    perc_dataset_free(ds);
    return st;
}

/* Takes over ds. */
static void blocks_are_refused(perc_dataset *ds, const struct hostile *list, size_t n)
{
    const struct env e = env_resolve(NULL);
    struct tensors good;

    write_blocks(ds);
    perc_dataset_free(ds);
    assert_int_equal(tensors_read(&e, path, &good, NULL), PERC_OK);
    t_refuses(&good, decode, NULL, list, n);
    tensors_free(&good);
}

/* sparse_text: starts 0 3 4 4 7, columns 1 3 900 | 2 | | 500 501 900, base 1, as U16; its values
 * are U32. */
TEST(arrays_that_would_lead_astray_are_refused)
{
    static const struct hostile list[] = {
        { AS_IT_IS, NULL, NULL, NULL },
        { ELEMENT, "b0.start[0]", "1", "rows do not follow" },
        { ELEMENT, "b0.start[4]", "8", "rows do not follow" },
        { ELEMENT, "b0.start[1]", "5", "rows do not follow" },
        { ELEMENT, "b0.start[2]", "18446744073709551615", "rows do not follow" },
        { ELEMENT, "b0.index[2]", "901", "columns" },
        { ELEMENT, "b0.index[1]", "1", "columns" },
        { ELEMENT, "b0.index[0]", "0", "columns" }, /* below the base */
        { ELEMENT, "b0.index[5]", "900", "columns" },
        { ELEMENT, "b0.label[0]", "2", "label" },
        { ELEMENT, "b0.label[3]", "0xffffffff", NULL },     /* a row without a label is allowed */
        { ELEMENT, "b0.value[0]", "0x17000000", "finite" }, /* 23 places */
        { ELEMENT, "b0.value[0]", "0x40000000", "finite" },
        { ELEMENT, "b0.value[6]", "0x80000000", "finite" },
        { ELEMENT, "b0.value[6]", "0x36000000", NULL }, /* negative, of 22 places */
    };

    blocks_are_refused(read_text(sparse_text), list, COUNT(list));
}

TEST(values_and_weights_that_are_not_finite_are_refused)
{
    static const struct hostile doubles[] = {
        { ELEMENT, "b0.value[0]", "nan", "finite" },
        { ELEMENT, "b0.value[0]", "inf", "finite" },
        { ELEMENT, "b0.value[0]", "-inf", "finite" },
    };
    static const struct hostile floats[] = {
        { ELEMENT, "b0.value[2]", "nan", "value" },   { ELEMENT, "b0.value[2]", "inf", "value" },
        { ELEMENT, "b0.value[2]", "-inf", "value" },  { ELEMENT, "b0.weight[1]", "nan", "weight" },
        { ELEMENT, "b0.weight[1]", "inf", "weight" }, { ELEMENT, "b0.weight[1]", "-inf", "weight" },
        { ELEMENT, "b0.weight[1]", "-1", "weight" },  { ELEMENT, "b0.weight[1]", "0", NULL },
    };
    const float f[] = { 1, 2, 3 }; /* floats come from borrowed arrays */
    const double y[] = { 0, 1, 1 }, weight[] = { 1, 2, 3 };
    const perc_dense x = { f, PERC_F32, 3, 1, sizeof *f, sizeof *f };
    perc_dataset *ds = read_text("y,x,weight\n1,0.1234567890123,2\n0,1e-300,1\n");

    assert_int_equal(ds->block[0].values, VALUES_F64);
    blocks_are_refused(ds, doubles, COUNT(doubles));
    assert_int_equal(perc_dataset_borrow_dense(NULL, &x, y, weight, &ds, NULL), PERC_OK);
    blocks_are_refused(ds, floats, COUNT(floats));
}

static const char *fact(enum fact at)
{
    return t_text("blocks[%d]", (int)at);
}

TEST(facts_that_contradict_the_arrays_are_refused)
{
    const struct hostile sparse[] = {
        { ELEMENT, fact(FACT_ROWS), "0", "contradict" },
        { ELEMENT, fact(FACT_ROWS), "5", "length" },
        { ELEMENT, fact(FACT_ROWS), "18446744073709551615", "contradict" },
        { ELEMENT, fact(FACT_VALUES), t_text("%d", VALUES_F64 + 1), "contradict" },
        { ELEMENT, fact(FACT_VALUES), t_text("%d", VALUES_F32), "type" },
        { ELEMENT, fact(FACT_INDICES), t_text("%d", INDEX_U64 + 1), "contradict" },
        { ELEMENT, fact(FACT_INDICES), t_text("%d", INDEX_U32), "type" },
        { ELEMENT, fact(FACT_INDICES), t_text("%d", INDEX_DENSE), "contradict" },
        { ELEMENT, fact(FACT_FIRST), "1", "contradict" },
        { ELEMENT, fact(FACT_WIDTH), "1", "contradict" },
        { ELEMENT, fact(FACT_FIRST_LINE), "18446744073709551615", "contradict" },
        { ELEMENT, fact(FACT_FIRST_LINE), "9007199254740993", "contradict" },
        { ELEMENT, fact(FACT_FIRST_LINE), "0", "first line" },
        { ELEMENT, fact(FACT_COLUMNS), "900", "columns" },
        { ELEMENT, fact(FACT_COLUMNS), "902", "contradict" }, /* more than the set has */
        { ELEMENT, fact(FACT_NONZEROS), "6", "length" },
    };
    const struct hostile dense[] = {
        { ELEMENT, fact(FACT_FIRST), "0", "contradict" }, /* below the base */
        { ELEMENT, fact(FACT_FIRST), "2", "contradict" }, /* beyond the columns */
        { ELEMENT, fact(FACT_FIRST), "18446744073709551615", "contradict" },
        { ELEMENT, fact(FACT_WIDTH), "2", "contradict" },
        { ELEMENT, fact(FACT_WIDTH), "9223372036854775807", "contradict" },
        { ELEMENT, fact(FACT_VALUES), t_text("%d", VALUES_ONES), "contradict" },
        { ELEMENT, fact(FACT_NONZEROS), "7", "contradict" },
        { ELEMENT, fact(FACT_NONZEROS), "5", NULL },
    };

    blocks_are_refused(read_text(sparse_text), sparse, COUNT(sparse));
    blocks_are_refused(read_text("a 1:1 2:2 3:3\nb 1:4 2:5 3:6\n"), dense, COUNT(dense));
}

TEST(wrong_metadata_are_refused)
{
    static const struct hostile list[] = {
        { META, "format", "perceptron-model", "a perceptron-model file" },
        { META, "format_version", "2", "newer" },
        { META, "rows", "5", "rows" },
        { META, "rows", "-4", "out of range" },
        { META, "columns", "900", "contradict" },
        { META, "columns", "9223372036854775807", "out of range" },
        { META, "index_base", "2", "out of range" },
        { META, "labels", "[\"1\",\"-1\"]", "labels" },  /* not sorted */
        { META, "labels", "[\"-1\",\"-1\"]", "labels" }, /* twice */
        { META, "labels", "[\"1\",\"+1\"]", "labels" },  /* one label */
        { META, "labels", "[\"-1\",\"nan\"]", "labels" },
        { META, "labels", "[\"-1\"]", "label is out of range" },
        { META, "labels", "[\"-1\",{\"hex\":\"3\"}]", "labels" },
        { META, "labels", "[\"-1\",{\"hex\":\"31\"}]", NULL },
        { META, "labels", "[\"-1\",1]", "labels" },
        { META, "labels", "[\"-1\",\"1\"", "labels" },
        { META, "labels", "{}", "labels" },
        { META, "schema", "[]", "columns" },
    };

    blocks_are_refused(read_text(sparse_text), list, COUNT(list));
}

/* Words that share a bucket are counted with the words. */
TEST(wrong_counts_of_words_are_refused)
{
    static const struct hostile list[] = {
        { META, "hashed", "-1", "out of range" },
        { META, "hashed", "17", "out of range" }, /* there are 16 buckets */
        { META, "collisions", "4", "out of range" },
        { META, "collisions", "x", "collisions" },
        { META, "hashed", "16", NULL },
        { GONE, "blocks", NULL, "'blocks' is missing" },
        { SHORTER, "blocks", NULL, "" },
        { NARROWER, "blocks", NULL, "wrong shape" },
        { TURNED, "blocks", NULL, "wrong shape" },
    };
    perc_params *p = t_params("data", "hash=4");
    perc_dataset *ds;

    perc_dataset_free(read_text("colour,y\nred,no\nblue,yes\ngreen,no\n"));
    assert_int_equal(perc_dataset_read(NULL, text_path, p, &ds, NULL), PERC_OK);
    assert_true(ds->hashed > 0 && ds->hashed <= 3);
    blocks_are_refused(ds, list, COUNT(list));
    perc_params_free(p);
}

/* Part of a set begins in the middle of its entries, and ones are written as numbers. */
TEST(a_part_of_a_set_is_written_as_it_is)
{
    static const char *const texts[] = { "a 1:2 9:3\nb 3:1\na 2:7 4:5 8:2\nb 9:9\n",
                                         "a 1:1 2:1\nb 1:1 2:1\na 1:1 2:1\nb 1:1 2:1\n" };

    for (size_t i = 0; i < COUNT(texts); i++) {
        perc_dataset *ds = read_text(texts[i]), *part[2];
        assert_int_equal(perc_dataset_split(ds, 0.5, 3, &part[0], &part[1], NULL), PERC_OK);
        for (int k = 0; k < 2; k++) assert_round_trip(part[k]);
        perc_dataset_free(ds);
    }
}

/* ----- memory ------------------------------------------------------------------------------ */

TEST(running_out_of_memory_loses_nothing)
{
    perc_dataset *ds = read_text("x,colour,y\n1.5,red,no\n-0,blue,caf\xe9\n2,red,no\n"), *back;

    write_blocks(ds);
    perc_dataset_free(ds);
    for (struct t_sweep s = { .least = 20 }; t_sweep_next(&s);) {
        const struct env e = env_resolve(&s.env);
        const perc_status st = blockfile_read(&e, path, false, &back, NULL);
        assert_true(!st || back == NULL);
        perc_dataset_free(back);
        t_sweep_judge(&s, st);
    }
    for (struct t_sweep s = { .least = 20, .armed = true }; t_sweep_next(&s);) {
        const struct env e = env_resolve(&s.env);
        assert_int_equal(blockfile_read(&e, path, false, &back, NULL), PERC_OK);
        const long held = s.a.bytes;
        t_sweep_arm(&s);
        const perc_status st = blockfile_write(back, path, NULL);
        t_alloc_holds(&s.a, held);
        perc_dataset_free(back);
        t_sweep_judge(&s, st);
    }
}
