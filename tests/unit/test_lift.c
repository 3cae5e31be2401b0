/* test_lift.c -- the monomials of a row, exactly: against products in whole numbers that the
 * test computes from the text it wrote. */
#include <math.h>

#include "base/sort.h"
#include "prove/proof.h"
#include "t.h"
#include "t_alloc.h"
#include "t_dir.h"

static uint64_t next(uint64_t *s)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return *s >> 33;
}

/* ----- a matrix of decimals, as text and as whole numbers -------------------------- */

enum { ROWS = 12, COLS = 5 };

struct number {
    mpz_t m; /* times 10^e; 0: no entry */
    long e;
};

struct matrix {
    struct number at[ROWS][COLS];
    char text[ROWS * COLS * 80];
};

/* A number of up to `digits` digits. */
static void random_number(struct number *x, char *text, size_t digits, uint64_t *seed)
{
    const size_t n = 1 + next(seed) % digits, point = next(seed) % (n + 1);
    const long exponent = (long)(next(seed) % 9) - 4;
    size_t at = 0;
    char plain[64];

    for (size_t k = 0; k < n; k++) {
        plain[k] = (char)('0' + (k == 0 ? 1 + next(seed) % 9 : next(seed) % 10));
        if (k == point) text[at++] = '.';
        text[at++] = plain[k];
    }
    plain[n] = '\0';
    mpz_set_str(x->m, plain, 10);
    x->e = exponent - (long)(point < n ? n - point : 0);
    snprintf(text + at, 16, "e%ld", exponent);
}

static void random_matrix(struct matrix *a, size_t digits, uint64_t seed)
{
    size_t used = 0;

    for (size_t i = 0; i < ROWS; i++) {
        used += (size_t)snprintf(a->text + used, 8, "%d", (int)(i % 2));
        for (size_t j = 0; j < COLS; j++) {
            char number[80];
            mpz_init(a->at[i][j].m);
            if (next(&seed) % 3 == 0 || (i == 3 && digits > 3)) continue; /* row 3: all zeros */
            random_number(&a->at[i][j], number, digits, &seed);
            const bool negative = next(&seed) % 2;
            if (negative) mpz_neg(a->at[i][j].m, a->at[i][j].m);
            used += (size_t)snprintf(a->text + used, 100, " %zu:%s%s", j + 1, negative ? "-" : "",
                                     number);
        }
        a->text[used++] = '\n';
    }
    a->text[used] = '\0';
}

static void matrix_free(struct matrix *a)
{
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < COLS; j++) mpz_clear(a->at[i][j].m);
}

static perc_dataset *read_text(const char *text)
{
    FILE *f = fopen("data", "w");
    perc_error err = { 0 };
    perc_dataset *ds;

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
    if (perc_dataset_read_exact(NULL, "data", NULL, &ds, &err))
        fail_msg("line %d: %s", (int)err.line, err.text);
    return ds;
}

/* ----- the reference --------------------------------------------------------------- */

/* Whether a * 10^e is the decimal d. */
static bool same(const mpz_t a, long e, const struct decimal *d)
{
    mpz_t x, y;
    long low = (long)d->exponent;

    mpz_init_set_ui(x, d->mantissa);
    mpz_init_set(y, a);
    if (d->more) {
        mpz_set_ui(x, 0);
        for (const char *p = d->digits; p < d->end; p++) {
            mpz_mul_ui(x, x, 10);
            mpz_add_ui(x, x, (unsigned long)(*p - '0'));
        }
        low -= (long)(d->end - d->digits) - 19;
    }
    if (d->negative) mpz_neg(x, x);
    for (; low > e; low--) mpz_mul_ui(x, x, 10);
    for (; e > low; e--) mpz_mul_ui(y, y, 10);
    const bool equal = mpz_cmp(x, y) == 0;
    mpz_clear(x);
    mpz_clear(y);
    return equal;
}

/* The product of monomial `list` in row i. */
static void multiply(const struct matrix *a, size_t i, const uint32_t *list, size_t degree, mpz_t m,
                     long *e)
{
    mpz_set_ui(m, 1);
    *e = 0;
    for (size_t k = 0; k < degree && list[k] != UINT32_MAX; k++) {
        const struct number *x = &a->at[i][list[k] - 1]; /* the file counts from 1 */
        mpz_mul(m, m, x->m);
        *e += x->e;
    }
}

/* Counts the monomials that occur, of degree d with features from `from` on. */
static size_t count_monomials(const struct matrix *a, size_t d, size_t from, const bool *rows)
{
    bool left[ROWS], any = false;
    size_t n = 0;

    for (size_t i = 0; i < ROWS; i++) any |= rows[i];
    if (!any) return 0;
    if (d == 0) return 1;
    for (size_t j = from; j < COLS; j++) {
        for (size_t i = 0; i < ROWS; i++) left[i] = rows[i] && mpz_sgn(a->at[i][j].m) != 0;
        n += count_monomials(a, d - 1, j, left);
    }
    return n;
}

/* By degree, then by features. */
static bool before(const uint32_t *a, const uint32_t *b, size_t degree)
{
    size_t m = 0, n = 0;

    while (m < degree && a[m] != UINT32_MAX) m++;
    while (n < degree && b[n] != UINT32_MAX) n++;
    if (m != n) return m < n;
    for (size_t k = 0; k < m; k++)
        if (a[k] != b[k]) return a[k] < b[k];
    return false;
}

/* ----- the lifted rows against it -------------------------------------------------- */

static perc_status lift_as(struct perc_proof *proof, const perc_dataset *ds, int degree,
                           bool homogeneous, perc_error *err)
{
    *proof = (struct perc_proof){ .e = env_resolve(NULL),
                                  .degree = degree,
                                  .homogeneous = homogeneous };
    return lift(proof, ds, err);
}

static void drop(struct perc_proof *proof)
{
    if (proof->lifted != NULL)
        mem_free(&proof->e, proof->monomial, proof->lifted->columns * (size_t)proof->degree,
                 sizeof *proof->monomial);
    perc_dataset_free(proof->lifted);
}

static void check_columns(const struct perc_proof *proof, const struct matrix *a)
{
    const size_t degree = (size_t)proof->degree, n = proof->lifted->columns;
    bool rows[ROWS];
    size_t want = 0;

    for (size_t i = 0; i < ROWS; i++) rows[i] = true;
    for (size_t d = proof->homogeneous ? degree : 1; d <= degree; d++)
        want += count_monomials(a, d, 0, rows);
    assert_int_equal(n, want);
    for (size_t k = 0; k + 1 < n; k++)
        assert_true(
            before(proof->monomial + k * degree, proof->monomial + (k + 1) * degree, degree));
}

static size_t check_rows(const struct perc_proof *proof, const struct matrix *a)
{
    const size_t degree = (size_t)proof->degree;
    struct exact_lens l;
    size_t longest = 0;
    mpz_t m;
    long e;

    mpz_init(m);
    exact_init(&l, &proof->e);
    for (uint64_t i = 0; i < ROWS; i++) {
        const struct row r = dataset_row(proof->lifted, i);
        size_t k = 0;
        assert_int_equal(exact_row(&l, proof->lifted, i), PERC_OK);
        for (uint64_t c = 0; c < proof->lifted->columns; c++) {
            multiply(a, i, proof->monomial + c * degree, degree, m, &e);
            if (mpz_sgn(m) == 0) continue;
            assert_true(k < l.n && l.column[k] == c);
            assert_true(same(m, e, &l.value[k]));
            if (mpz_sizeinbase(m, 10) > longest) longest = mpz_sizeinbase(m, 10);
            k++;
        }
        assert_int_equal(k, l.n);
        for (k = 0; k < r.n; k++) { /* and the doubles are theirs */
            for (size_t q = 0; q < l.n; q++)
                if (l.column[q] == row_column(&r, k))
                    assert_true(row_value(&r, k) == number_decimal_value(&l.value[q]));
        }
        assert_int_equal(perc_dataset_row_line(proof->lifted, i), i + 1);
    }
    exact_free(&l);
    mpz_clear(m);
    return longest;
}

TEST(products_are_exact)
{
    static const size_t digits[] = { 1, 3, 9, 22 };
    size_t longest = 0;

    for (uint64_t seed = 0; seed < 40; seed++) {
        struct matrix a;
        random_matrix(&a, digits[seed % 4], seed);
        perc_dataset *ds = read_text(a.text);
        for (int degree = 1; degree <= 4; degree++) {
            for (int homogeneous = 0; homogeneous < 2; homogeneous++) {
                struct perc_proof proof;
                assert_int_equal(lift_as(&proof, ds, degree, homogeneous, NULL), PERC_OK);
                check_columns(&proof, &a);
                const size_t n = check_rows(&proof, &a);
                longest = n > longest ? n : longest;
                drop(&proof);
            }
        }
        perc_dataset_free(ds);
        matrix_free(&a);
    }
    assert_true(longest > 60); /* guard: long ones were among them */
}

/* Many blocks, and rows that share their columns with the one before. */
TEST(many_rows)
{
    enum { N = 30000 };
    char *text = malloc(N * 64);
    size_t used = 0;
    struct perc_proof proof;
    struct exact_lens l;
    mpz_t m;

    assert_non_null(text);
    for (unsigned long i = 1; i <= N; i++)
        used += (size_t)snprintf(text + used, 64, "%s%lu 1:%lu 2:%lu.5 3:-7 4:1e9\n",
                                 i % 100 == 0 ? "# \n" : "", i % 2, i, i);
    perc_dataset *ds = read_text(text);
    assert_int_equal(lift_as(&proof, ds, 2, false, NULL), PERC_OK);
    assert_int_equal(proof.lifted->rows, N);
    assert_int_equal(proof.lifted->columns, 14);
    assert_true(proof.lifted->blocks > 1);
    mpz_init(m);
    exact_init(&l, &proof.e);
    for (unsigned long i = 1; i <= N; i++) {
        assert_int_equal(exact_row(&l, proof.lifted, i - 1), PERC_OK);
        assert_int_equal(l.n, 14);
        mpz_set_ui(m, i); /* x1 x2 */
        mpz_mul_ui(m, m, 10 * i + 5);
        assert_true(same(m, -1, &l.value[5]));
        assert_int_equal(perc_dataset_row_line(proof.lifted, i - 1),
                         perc_dataset_row_line(ds, i - 1));
    }
    exact_free(&l);
    mpz_clear(m);
    drop(&proof);
    perc_dataset_free(ds);
    free(text);
}

/* ----- limits ---------------------------------------------------------------------- */

static void check_refused(const char *text, int degree, perc_status want, int64_t line)
{
    perc_dataset *ds = read_text(text);
    struct perc_proof proof;
    perc_error err = { 0 };

    assert_int_equal(lift_as(&proof, ds, degree, false, &err), want);
    assert_int_equal(err.line, line);
    assert_null(proof.lifted);
    assert_null(proof.monomial);
    perc_dataset_free(ds);
}

TEST(what_is_too_large)
{
    char text[4096] = "0 1:1\n1", *p = text + strlen(text);

    for (int j = 1; j <= 60; j++) p += snprintf(p, 16, " %d:%d", j, j);
    snprintf(p, 2, "\n");
    check_refused(text, 8, PERC_EARG, 2); /* C(68, 8) products of a row */
    check_refused(text, 100, PERC_EARG, 2);
    check_refused("0 1:1\n1 1:3 2:1e200\n", 2, PERC_EDATA, 2);
    check_refused("0 1:-1e200\n", 2, PERC_EDATA, 1);
    check_refused("0 1:1\n0 1:1e-500000\n", 2, PERC_EDATA, 2);
    char *rows = malloc(17 * 460 * 8), *end = rows; /* of 16 million products each */
    assert_non_null(rows);
    for (int i = 0; i < 17; i++) {
        end += sprintf(end, "0");
        for (int j = 1; j <= 460; j++) end += sprintf(end, " %d:1", j);
        end += sprintf(end, "\n");
    }
    check_refused(rows, 3, PERC_EARG, 0);
    free(rows);
}

/* More of them than there was room for in the beginning. */
TEST(many_monomials)
{
    char text[2048] = "0", *p = text + 1;
    struct perc_proof proof;

    for (int j = 1; j <= 60; j++) p += sprintf(p, " %d:%d", j, j);
    p += sprintf(p, "\n0");
    for (int j = 1; j < 60; j++) p += sprintf(p, " %d:1", j); /* the same ones, once more */
    sprintf(p, "\n");
    perc_dataset *ds = read_text(text);
    assert_int_equal(lift_as(&proof, ds, 2, true, NULL), PERC_OK);
    assert_int_equal(proof.lifted->columns, 60 * 61 / 2);
    const struct row r = dataset_row(proof.lifted, 0);
    for (size_t k = 0; k < r.n; k++) {
        const uint32_t *m = proof.monomial + 2 * row_column(&r, k);
        assert_true(row_value(&r, k) == (double)m[0] * m[1]);
    }
    drop(&proof);
    perc_dataset_free(ds);
}

/* 1e-400 has the double 0, and is not 0. */
TEST(what_is_tiny)
{
    perc_dataset *ds = read_text("0 1:1e-200\n1 1:2\n1 2:0\n");
    struct perc_proof proof;
    struct exact_lens l;

    assert_int_equal(lift_as(&proof, ds, 100, false, NULL), PERC_OK);
    assert_int_equal(proof.lifted->columns, 100);
    exact_init(&l, &proof.e);
    assert_int_equal(exact_row(&l, proof.lifted, 0), PERC_OK);
    assert_int_equal(l.n, 100);
    assert_int_equal(l.value[99].mantissa, 1);
    assert_int_equal(l.value[99].exponent, -20000);
    assert_int_equal(exact_row(&l, proof.lifted, 2), PERC_OK);
    assert_int_equal(l.n, 0);
    exact_free(&l);
    drop(&proof);
    perc_dataset_free(ds);
    ds = read_text("0 1:4000000001 2:4000000003\n"); /* 16000000016000000003: 20 digits */
    assert_int_equal(lift_as(&proof, ds, 2, true, NULL), PERC_OK);
    exact_init(&l, &proof.e);
    assert_int_equal(exact_row(&l, proof.lifted, 0), PERC_OK);
    assert_true(l.value[1].more && l.value[1].exponent == 1);
    assert_int_equal(l.value[1].mantissa, 1600000001600000000);
    exact_free(&l);
    drop(&proof);
    perc_dataset_free(ds);
    ds = read_text("0 1:0\n1 2:0\n"); /* no monomial occurs */
    assert_int_equal(lift_as(&proof, ds, 3, false, NULL), PERC_OK);
    assert_int_equal(proof.lifted->columns, 0);
    assert_int_equal(proof.lifted->rows, 2);
    drop(&proof);
    perc_dataset_free(ds);
}

/* ----- sorting --------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

TEST(sorts)
{
    uint64_t x[200], sum, seed = 5;

    for (size_t n = 0; n <= 200; n++) {
        sum = 0;
        for (size_t k = 0; k < n; k++) sum += x[k] = next(&seed) % (n + 1);
        sort_items(x, n, sizeof *x, by_value);
        for (size_t k = 0; k < n; k++) {
            if (k > 0) assert_true(x[k - 1] <= x[k]);
            sum -= x[k];
        }
        assert_int_equal(sum, 0);
    }
}
