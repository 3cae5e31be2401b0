/* test_whole.c -- rows as whole numbers: each entry times 10^exponent is the number of the
 * file, to the last digit. */
#include "solve/whole.h"
#include "t.h"
#include "t_alloc.h"
#include "t_dir.h"
#include "t_make.h"

enum { ROWS = 64 };

struct scene {
    perc_dataset *ds;
    uint64_t row[ROWS];
    signed char sign[ROWS];
    struct whole p;
};

/* The rows of a file, those with an even number on the side +1. */
static void scene_open(struct scene *s, const char *text, bool offset)
{
    perc_error err = { 0 };

    assert_int_equal(t_put("d.csv", text), 0);
    perc_params *data = t_params("data", "");
    if (perc_dataset_read_exact(NULL, "d.csv", data, &s->ds, &err)) fail_msg("%s", err.text);
    perc_params_free(data);
    assert_true(s->ds->rows <= ROWS);
    for (size_t i = 0; i < ROWS; i++) s->row[i] = i, s->sign[i] = i % 2 ? -1 : 1;
    s->p = (struct whole){ .e = env_resolve(NULL),
                           .ds = s->ds,
                           .offset = offset,
                           .dims = s->ds->columns + offset,
                           .n = s->ds->rows,
                           .row = s->row,
                           .sign = s->sign };
}

static void scene_close(struct scene *s)
{
    perc_dataset_free(s->ds);
}

/* Entry k is `digits` times 10^e: compared as  entry * 10^(exponent - e) = digits,  whichever
 * side the power has to stand on. */
static void assert_entry(const struct whole_vector *v, size_t k, uint64_t column,
                         const char *digits, long e)
{
    mpz_t got, want, ten;
    const int64_t shift = v->exponent - e;

    mpz_inits(got, want, ten, NULL);
    whole_get(v, k, got);
    assert_int_equal(mpz_set_str(want, digits, 10), 0);
    mpz_ui_pow_ui(ten, 10, (unsigned long)labs(shift));
    if (shift >= 0) mpz_mul(got, got, ten);
    else mpz_mul(want, want, ten);
    if (mpz_cmp(got, want) != 0) fail_msg("entry %zu is not %.60se%ld", k, digits, e);
    assert_int_equal(v->column[k], column);
    mpz_clears(got, want, ten, NULL);
}

#define OPEN(text, offset)        \
    struct scene s;               \
    struct whole_vector v;        \
    (void)state;                  \
    scene_open(&s, text, offset); \
    whole_vector_init(&v, &s.p.e)
#define CLOSE() (whole_vector_free(&v), scene_close(&s))
#define ROW(i)  assert_int_equal(whole_row(&s.p, i, &v, NULL), PERC_OK)

TEST(decimals_become_whole)
{
    OPEN("a,b,c,label\n0.25,-3,1e-4,x\n100,0,2.50,y\n0,0,0,x\n", true);
    ROW(0);
    assert_true(v.fits);
    assert_int_equal(v.n, 4);
    assert_int_equal(v.exponent, -4);
    assert_entry(&v, 0, 0, "25", -2);
    assert_entry(&v, 1, 1, "-3", 0);
    assert_entry(&v, 2, 2, "1", -4);
    assert_entry(&v, 3, 3, "1", 0);
    ROW(1); /* the other side: all signs change; zeros are left out */
    assert_int_equal(v.n, 3);
    assert_entry(&v, 0, 0, "-100", 0);
    assert_entry(&v, 1, 2, "-25", -1);
    assert_entry(&v, 2, 3, "-1", 0);
    assert_int_equal(v.small[1], -25); /* 2.50: no more digits than it needs */
    ROW(2);
    assert_int_equal(v.n, 1);
    assert_entry(&v, 0, 3, "1", 0);
    CLOSE();
}

TEST(without_an_offset_there_is_no_one)
{
    OPEN("a,b,label\n100,2000,x\n0,0,y\n0.5000,0,x\n", false);
    ROW(0);
    assert_int_equal(v.n, 2);
    assert_int_equal(v.small[0], 1);
    assert_int_equal(v.small[1], 20);
    assert_int_equal(v.exponent, 2);
    ROW(1);
    assert_int_equal(v.n, 0);
    assert_int_equal(v.exponent, 0);
    ROW(2);
    assert_int_equal(v.small[0], 5);
    assert_int_equal(v.exponent, -1);
    CLOSE();
}

/* 2^63 - 1 fits with either sign, 2^63 does not, nor a shift beyond it. */
TEST(numbers_at_the_edge_of_64_bits)
{
    OPEN("a,b,label\n9223372036854775807,1,x\n9223372036854775807,1,y\n"
         "9223372036854775808,1,x\n-9223372036854775808,1,y\n9999999999999999999,1,x\n"
         "922337203685477580.7,1,y\n922337203685477580.8,1,x\n1,1e18,y\n1,1e19,x\n"
         "9223372036854775807,0.1,y\n37,1e-18,x\n",
         true); /* 37 10^18: twice 2^64 and a bit */
    static const bool fits[] = { true,  true, false, false, false, true,
                                 false, true, false, false, false };
    for (size_t i = 0; i < 11; i++) {
        ROW(i);
        if (v.fits != fits[i]) fail_msg("row %zu", i);
        assert_int_equal(v.n, 3);
    }
    ROW(0);
    assert_entry(&v, 0, 0, "9223372036854775807", 0);
    ROW(1);
    assert_entry(&v, 0, 0, "-9223372036854775807", 0);
    ROW(2);
    assert_entry(&v, 0, 0, "9223372036854775808", 0);
    ROW(3);
    assert_entry(&v, 0, 0, "9223372036854775808", 0);
    ROW(4);
    assert_entry(&v, 0, 0, "9999999999999999999", 0);
    ROW(5);
    assert_entry(&v, 0, 0, "-9223372036854775807", -1);
    ROW(6);
    assert_entry(&v, 0, 0, "9223372036854775808", -1);
    ROW(7);
    assert_entry(&v, 1, 1, "-1", 18);
    ROW(8);
    assert_entry(&v, 1, 1, "1", 19);
    ROW(9);
    assert_entry(&v, 0, 0, "-9223372036854775807", 0);
    assert_entry(&v, 1, 1, "-1", -1);
    ROW(10);
    assert_entry(&v, 0, 0, "37", 0);
    CLOSE();
}

TEST(long_numbers_keep_all_digits)
{
    OPEN("a,b,label\n"
         "1234567890123456789012345.6789,0.5,x\n"
         "-0.000123456789012345678901234567890,7,y\n"
         "00000000000000000000012345678901234567890123.e-7,1,x\n"
         ".1000000000000000000000000000000000000001,3e5,y\n"
         "12345678901234567890123456789012345678901234567890e20,1,x\n"
         "1e300,1e-300,y\n"
         "10000000000000000000000000000000000000000,20,x\n",
         true);
    ROW(0);
    assert_false(v.fits);
    assert_entry(&v, 0, 0, "12345678901234567890123456789", -4);
    assert_entry(&v, 1, 1, "5", -1);
    assert_entry(&v, 2, 2, "1", 0);
    ROW(1);
    assert_entry(&v, 0, 0, "12345678901234567890123456789", -32);
    assert_entry(&v, 1, 1, "-7", 0);
    ROW(2);
    assert_entry(&v, 0, 0, "12345678901234567890123", -7);
    ROW(3);
    assert_entry(&v, 0, 0, "-1000000000000000000000000000000000000001", -40);
    assert_entry(&v, 1, 1, "-3", 5);
    ROW(4);
    assert_entry(&v, 0, 0, "1234567890123456789012345678901234567890123456789", 21);
    ROW(5);
    assert_entry(&v, 0, 0, "-1", 300);
    assert_entry(&v, 1, 1, "-1", -300);
    ROW(6);
    assert_entry(&v, 0, 0, "1", 40);
    assert_entry(&v, 1, 1, "2", 1);
    ROW(0); /* and again after others */
    assert_entry(&v, 0, 0, "12345678901234567890123456789", -4);
    CLOSE();
}

/* One number of `digits` digits behind the point, times 10^-less, beside a 1. */
static perc_status row_of_digits(size_t digits, long less, perc_error *err)
{
    char *text = malloc(digits + 100), *p = text;
    struct scene s;
    struct whole_vector v;

    p += sprintf(p, "a,label\n1,x\n0.");
    memset(p, '7', digits);
    sprintf(p + digits, "e-%ld,y\n", less);
    scene_open(&s, text, true);
    whole_vector_init(&v, &s.p.e);
    const perc_status st = whole_row(&s.p, 1, &v, err);
    if (st == PERC_OK) {
        text[(p - text) + (long)digits] = '\0';
        *--p = '-'; /* in place of the point: minus all the sevens */
        assert_entry(&v, 0, 0, p, -(long)digits - less);
    }
    whole_vector_free(&v);
    scene_close(&s);
    free(text);
    return st;
}

TEST(too_many_digits_are_refused)
{
    perc_error err = { 0 };

    assert_int_equal(row_of_digits(WHOLE_DIGITS - 100, 0, NULL), PERC_OK);
    assert_int_equal(row_of_digits(WHOLE_DIGITS - 100, 50, NULL), PERC_OK);
    assert_int_equal(row_of_digits(WHOLE_DIGITS - 100, 101, &err), PERC_EDATA);
    assert_int_equal(err.line, 3);
    assert_int_equal(row_of_digits(3, WHOLE_DIGITS, &err), PERC_EDATA);
    assert_int_equal(err.line, 3);
    if (strstr(err.text, "100000 digits") == NULL) fail_msg("%s", err.text);
}

TEST(sums_and_products_are_exact)
{
    OPEN("a,b,label\n9223372036854775807,-3,x\n-9223372036854775807,5,y\n"
         "123456789012345678901234567890,1,x\n",
         true);
    mpz_t *sum = whole_numbers(&s.p.e, 3), f, dot;

    mpz_inits(f, dot, NULL);
    mpz_set_str(f, "-1000000000000000000000", 10);
    for (size_t i = 0; i < 3; i++) {
        ROW(i);
        whole_add(&v, f, sum);
    }
    /* f (2 (2^63 - 1) + 123...), f (-3 - 5 + 1), f (1 - 1 + 1) */
    mpz_set_str(dot, "-123456789030792422974944119504000000000000000000000", 10);
    assert_int_equal(mpz_cmp(sum[0], dot), 0);
    mpz_set_str(dot, "7000000000000000000000", 10);
    assert_int_equal(mpz_cmp(sum[1], dot), 0);
    assert_int_equal(mpz_cmp(sum[2], f), 0);
    ROW(1);
    whole_dot(&v, (const mpz_t *)sum, dot); /* (2^63 - 1) sum0 - 5 sum1 - sum2 */
    mpz_set_str(f, "9223372036854775807", 10);
    mpz_mul(f, f, sum[0]);
    mpz_submul_ui(f, sum[1], 5);
    mpz_sub(f, f, sum[2]);
    assert_int_equal(mpz_cmp(f, dot), 0);
    mpz_clears(f, dot, NULL);
    whole_numbers_free(&s.p.e, sum, 3);
    CLOSE();
}

TEST(common_divisors_are_taken_out)
{
    const struct env e = env_resolve(NULL);
    mpz_t *x = whole_numbers(&e, 3);

    whole_reduce(x, 3); /* all 0: nothing to divide by */
    assert_int_equal(mpz_sgn(x[1]), 0);
    mpz_set_si(x[0], -12);
    mpz_set_si(x[2], 18);
    whole_reduce(x, 3);
    assert_true(mpz_cmp_si(x[0], -2) == 0 && mpz_sgn(x[1]) == 0 && mpz_cmp_si(x[2], 3) == 0);
    whole_reduce(x, 3);
    assert_true(mpz_cmp_si(x[0], -2) == 0 && mpz_cmp_si(x[2], 3) == 0);
    whole_numbers_free(&e, x, 3);
}

TEST(memory_may_run_out_anywhere)
{
    static const char text[] = "a,b,label\n1,2.5,x\n1e40,123456789012345678901234567890.5,y\n";
    struct scene s;

    scene_open(&s, text, true);
    for (struct t_sweep w = { .least = 4 }; t_sweep_next(&w);) {
        const struct env e = env_resolve(&w.env);
        struct whole_vector v;

        whole_vector_init(&v, &e);
        perc_status st = whole_row(&s.p, 0, &v, NULL);
        if (st == PERC_OK) st = whole_row(&s.p, 1, &v, NULL);
        whole_vector_free(&v);
        t_sweep_judge(&w, st);
    }
    scene_close(&s);
}
