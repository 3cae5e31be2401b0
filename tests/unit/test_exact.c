/* test_exact.c -- the readers give each value as the decimal that the text says. */
#include "t.h"
#include "data/csv.h"
#include "data/libsvm.h"
#include "data/read.h"
#include "data/source.h"

/* Parsers may look SOURCE_PAD bytes beyond the end, which hold line ends. */
static const char *padded(char *buf, const char *text)
{
    memset(buf, '\n', 1024);
    memcpy(buf, text, strlen(text));
    return buf;
}

static void check(const struct rows *r, size_t k, uint64_t mantissa, int64_t exponent,
                  bool negative)
{
    assert_true(r->decimal[k].mantissa == mantissa);
    assert_int_equal(r->decimal[k].exponent, exponent);
    assert_int_equal(r->decimal[k].negative, negative);
    assert_false(r->decimal[k].more);
}

TEST(libsvm_values_keep_their_decimals)
{
    const char *text = "+1 1:0.10 2:-3 4:1e-30 7:12345678901234567890.5\n-1 3:2.50e3\n";
    const struct env e = env_resolve(NULL);
    const struct libsvm o = { .base = INDEX_ONE };
    struct rows r;
    char buf[1024];

    rows_init(&r, &e);
    r.exact = true;
    assert_int_equal(libsvm_parse(&o, padded(buf, text), strlen(text), &r, NULL), PERC_OK);
    assert_int_equal(r.entries, 5);
    check(&r, 1, 3, 0, true);
    check(&r, 2, 1, -30, false);
    /* 0.10 may stand as 10 * 10^-2 or 1 * 10^-1: the number is the same. */
    assert_true(number_decimal_value(&r.decimal[0]) == 0.1);
    assert_true(number_decimal_value(&r.decimal[4]) == 2500);
    /* More than 19 digits: the text itself has the rest. */
    assert_true(r.decimal[3].more);
    const size_t len = (size_t)(r.decimal[3].end - r.decimal[3].digits);
    assert_int_equal(len, strlen("12345678901234567890.5"));
    assert_memory_equal(r.decimal[3].digits, "12345678901234567890.5", len);
    rows_free(&r);
}

TEST(sorting_a_row_takes_the_decimals_along)
{
    const char *text = "1 5:5.5 3:3.25 9:9 1:1e-7 7:7\n";
    const struct env e = env_resolve(NULL);
    const struct libsvm o = { .base = INDEX_ONE, .unsorted = true };
    struct rows r;
    char buf[1024];

    rows_init(&r, &e);
    r.exact = true;
    assert_int_equal(libsvm_parse(&o, padded(buf, text), strlen(text), &r, NULL), PERC_OK);
    const uint32_t want[] = { 1, 3, 5, 7, 9 };
    for (size_t k = 0; k < 5; k++) assert_int_equal(r.index[k], want[k]);
    check(&r, 0, 1, -7, false);
    check(&r, 1, 325, -2, false);
    check(&r, 2, 55, -1, false);
    rows_free(&r);
}

TEST(csv_values_keep_their_decimals)
{
    const char *text = "a,b,label\n0.125,-1e-25,yes\n7,0.333333333333333333,no\n";
    const struct env e = env_resolve(NULL);
    perc_params *data;
    struct csv c;
    struct csv_chunk local = { 0 };
    struct rows r;
    char buf[1024], note[256];

    assert_int_equal(params_new(&e, &data_table, &data), PERC_OK);
    padded(buf, text);
    assert_int_equal(csv_open(&e, buf, strlen(text), data, NULL, NULL, &c, note, NULL), PERC_OK);
    rows_init(&r, &e);
    schema_init(&local.local, &e);
    r.exact = true;
    assert_int_equal(csv_parse(&c, buf, strlen(text), true, &r, &local, NULL), PERC_OK);
    assert_int_equal(r.entries, 4);
    check(&r, 0, 125, -3, false);
    check(&r, 1, 1, -25, true);
    check(&r, 2, 7, 0, false);
    check(&r, 3, 333333333333333333u, -18, false);
    schema_free(&local.local);
    rows_free(&r);
    csv_free(&c);
    perc_params_free(data);
}
