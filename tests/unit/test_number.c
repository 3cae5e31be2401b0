/* test_number.c -- numbers are read to the last bit. The judge is strtod in the C
 * locale: it rounds correctly in glibc and musl, and shares no code with number.c.
 * Where more is known than it says (which side of a tie a text lies on), that is
 * checked too. Writing is in test_number_format.c.
 *
 * All texts are read from blocks of exactly their size, so that the sanitizer build
 * sees any read at or behind the end. */
#include <float.h>
#include <math.h>

#include "base/number.h"
#include "t.h"
#include "t_cases.h"
#include "t_number.h"

/* ----- tools ------------------------------------------------------------ */

static uint64_t random_state = 2024, compared;

/* Reads `text` from a block of its own, without a NUL. The length used goes to *used. */
static enum number_fault read_text(const char *text, double *v, size_t *used)
{
    const size_t n = strlen(text);
    char *block = malloc(n ? n : 1);
    enum number_fault fault;

    assert_non_null(block);
    memcpy(block, text, n);
    *used = (size_t)(number_scan(block, block + n, v, &fault) - block);
    free(block);
    return fault;
}

/* Same value, sign of zero included, same end, and overflow exactly when strtod has
 * an infinity. `text` must be something that both take for a number. */
static double same_as_strtod(const char *text)
{
    char *end;
    const double want = strtod(text, &end);
    double got;
    size_t used;
    const enum number_fault fault = read_text(text, &got, &used);

    compared++;
    if (fault != (isinf(want) ? NUMBER_OVERFLOW : NUMBER_OK) || used != (size_t)(end - text) ||
        (fault == NUMBER_OK && bits_of(got) != bits_of(want)))
        fail_msg("%.60s: fault %d, %zu read, %a; strtod: %zu read, %a", text, (int)fault, used, got,
                 (size_t)(end - text), want);
    return got;
}

static void check_reads_as(const char *text, double want)
{
    const double got = same_as_strtod(text);

    if (isfinite(want) && bits_of(got) != bits_of(want))
        fail_msg("%.60s: %a instead of %a", text, got, want);
}

/* ----- reading ---------------------------------------------------------- */

TEST(random_doubles_read_like_strtod)
{
    char text[64];

    for (int i = 0; i < t_cases(270000); i++) {
        double v = random_finite();

        if (i % 8 == 0) /* few bits: short decimals */
            v = from_bits(bits_of(v) & UINT64_C(0xffffffff00000000));
        if (i % 16 == 1) /* subnormal */
            v = from_bits(bits_of(v) & UINT64_C(0x800fffffffffffff));
        snprintf(text, sizeof text, "%.17g", v);
        check_reads_as(text, v); /* 17 digits determine a double */
        snprintf(text, sizeof text, "%.16g", v);
        same_as_strtod(text);
        snprintf(text, sizeof text, "%.*e", random_int(0, 30), v);
        same_as_strtod(text);
    }
}

/* Digits, a point anywhere or nowhere, an exponent or none. */
static void random_text(char *out, int digits, int exponent_range)
{
    const int point = random_int(-1, digits);
    char *p = out;

    if (random_u64() % 4 == 0) *p++ = "+-"[random_u64() % 2];
    for (int i = 0; i <= digits; i++) {
        if (i == point) *p++ = '.';
        if (i < digits)
            *p++ = (char)('0' + (random_u64() % 3 ? random_int(0, 9) : 9 * random_int(0, 1)));
    }
    *p = '\0';
    if (random_u64() % 4)
        sprintf(p, "%c%+d", "eE"[random_u64() % 2], random_int(-exponent_range, exponent_range));
}

TEST(random_texts_read_like_strtod)
{
    char text[1000];

    for (int i = 0; i < t_cases(250000); i++) {
        random_text(text, random_int(1, i % 2 ? 19 : 45), i % 4 ? 30 : 345);
        same_as_strtod(text);
    }
    for (int i = 0; i < 2000; i++) {
        random_text(text, random_int(400, 900), 1200);
        same_as_strtod(text);
    }
}

#if LDBL_MANT_DIG > DBL_MANT_DIG && LDBL_MAX_EXP > DBL_MAX_EXP
/* The tie above v written out in full (at most 767 significant digits), then a hair
 * more and a hair less: even, up, down. */
static void check_tie_above(double v)
{
    const double next = from_bits(bits_of(v) + 1);
    const long double gap = (long double)v - from_bits(bits_of(v) - 1);
    /* The gap above v, which the gap below equals unless v is a power of two. */
    const long double up = isinf(next) ? gap : (long double)next - v;
    char text[900], *e, *last, *hair, exponent[8];

    snprintf(text, sizeof text, "%.780Le", v + up / 2);
    e = strchr(text, 'e');
    assert_non_null(e);
    snprintf(exponent, sizeof exponent, "%s", e);
    last = e - 1;
    while (*last == '0') last--;
    check_reads_as(text, bits_of(v) & 1 ? next : v);

    /* A hair is a digit behind the last one, and at least the 22nd: far below the
     * gap. Sometimes it is behind all digits that number.c keeps. */
    hair = text + random_int(22, 850);
    if (hair <= last) hair = last + 1;
    memset(last + 1, '0', (size_t)(hair - last));
    snprintf(hair, 16, "%s", exponent);
    check_reads_as(text, bits_of(v) & 1 ? next : v);
    snprintf(hair, 16, "1%s", exponent);
    check_reads_as(text, next);
    --*last; /* not 0, so no borrow */
    memset(last + 1, '9', (size_t)(hair - last));
    snprintf(hair + 1, 16, "%s", exponent);
    check_reads_as(text, v);
}

TEST(ties_go_to_the_even_double_and_their_sides_do_not)
{
    for (int i = 0; i < 2500; i++) {
        const int exponent = random_int(0, 2046);
        const uint64_t fraction = random_u64() >> 12 >> (i % 3 ? 0 : random_int(0, 51));

        check_tie_above(from_bits((uint64_t)exponent << 52 | fraction | 1));
        check_tie_above(from_bits((uint64_t)exponent << 52 | (fraction & ~UINT64_C(1)) | 2));
        check_tie_above(from_bits(fraction | 1)); /* subnormal */
    }
    for (int exponent = 1; exponent < 2047; exponent++) {
        check_tie_above(from_bits((uint64_t)exponent << 52));
        check_tie_above(from_bits(((uint64_t)exponent << 52) - 1));
    }
    check_tie_above(from_bits(1));
    check_tie_above(DBL_MAX);
}
#else
TEST(ties_go_to_the_even_double_and_their_sides_do_not)
{
    skip(); /* no wider type here to write a tie with */
}
#endif

TEST(edges_read_like_strtod)
{
    static const char *const text[] = {
        "0", "-0", "+0", "00", "0.0", ".0", "0.", "-.0", "+1", "-1", ".5", "5.", "5.e3", ".5e1",
        "5.e-1", "1.5 2", "1,5", "1.5.5", "1-2", "1e5x", "1E5", "1e+5", "1e-5", "1e00000000005",
        "00000000000000000000000000001", "0.000000000000000000000000000000000012345e40",
        "1.0000000000000000000000000000000000000", "100000000000000000000000000000000",
        "0e999999999", "0e-999999999", "0.0e99999999999999999999999999", "1e-400", "-1e-400",
        "1e400", "-1e400", "1e99999999999999999999999999", "1e-99999999999999999999999999",
        /* Clinger's edge: 2^53 - 1, 2^53, 2^53 + 1, 10^22 and 10^23 */
        "9007199254740991e22", "9007199254740992e22", "9007199254740993e22", "9007199254740991e23",
        "9007199254740991e-22", "9007199254740992e-22", "9007199254740993e-22", "1e22", "1e23",
        "9007199254740992e-23", "9007199254740993", "9007199254740993.0", "9007199254740993e0",
        "90071992547409930e-1", "900719925474099300000e-5", "9007199254740995", "1e-22", "1e-23",
        /* the largest double, the tie above it, and their neighbours */
        "1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308",
        "1.797693134862315807e308", "1.797693134862315808e308", "179769313486231580793e288",
        "1.797693134862315807937289714053034150799341327100378269361737789804449682927e308",
        "1797693134862315807937289714053034150799341327100378269361737789804449682928e233",
        /* the least normal and subnormal ones, and half of that */
        "2.2250738585072014e-308", "2.2250738585072011e-308", "2.2250738585072012e-308",
        "2.225073858507201136057409796709131975934819546351645648023426109724822222021e-308",
        "4.9406564584124654e-324", "5e-324", "3e-324", "2.5e-324", "2.4703282292062328e-324",
        "2.4703282292062327e-324", "2.47e-324", "2e-324", "7.4109846876186981e-324",
        "9999999999999999999e-343", "10000000000000000000e-343", "1e-342",
        "99999999999999999999e-344",
        /* 19 digits and the wrap of 64 bits */
        "9999999999999999999", "18446744073709551615", "18446744073709551616",
        "1844674407370955161.7", "9223372036854775807", "9223372036854775808",
        "9999999999999999999.9999999999", "1e19"
    };
    char power[16];

    for (size_t i = 0; i < COUNT(text); i++) same_as_strtod(text[i]);
    for (int e = -400; e <= 400; e++) {
        snprintf(power, sizeof power, "1e%d", e);
        same_as_strtod(power);
        snprintf(power, sizeof power, "-9e%d", e);
        same_as_strtod(power);
    }
}

/* Zeros before and after the digits, more than any exponent, outweighed by one. */
TEST(zeros_and_exponents_cancel)
{
    enum { LONG = 2000000 };
    static char text[LONG + 64];

    memset(text, '0', LONG + 32);
    text[0] = '1';
    strcpy(text + 401, "e-400");
    check_reads_as(text, 1.0);
    memset(text, '0', LONG);
    text[1] = '.';
    strcpy(text + 402, "17e401");
    check_reads_as(text, 1.7);
    memset(text, '0', LONG);
    text[0] = '3';
    strcpy(text + LONG, "e-2000000"); /* 3 10^1999999 10^-2000000 */
    check_reads_as(text, 0.3);
    memset(text, '0', LONG);
    text[1] = '.';
    strcpy(text + LONG, "7e1999999");
    check_reads_as(text, 7.0);
    memset(text, '9', LONG);
    strcpy(text + LONG, "e-2000000");
    check_reads_as(text, 1.0);
}

TEST(every_fault_has_its_name_and_no_other)
{
    static const struct {
        const char *text;
        enum number_fault fault;
    } bad[] = {
        { "", NUMBER_NONE },          { "+", NUMBER_NONE },         { "-", NUMBER_NONE },
        { ".", NUMBER_NONE },         { "+.", NUMBER_NONE },        { "-.e5", NUMBER_NONE },
        { "e5", NUMBER_NONE },        { "abc", NUMBER_NONE },       { " 1", NUMBER_NONE },
        { "--1", NUMBER_NONE },       { "+-1", NUMBER_NONE },       { ",", NUMBER_NONE },
        { "x", NUMBER_NONE },         { "na", NUMBER_NONE },        { "nano", NUMBER_NONE },
        { "info", NUMBER_NONE },      { "infinit", NUMBER_NONE },   { "inf1", NUMBER_NONE },
        { "nan_", NUMBER_NONE },      { "nan", NUMBER_NAN },        { "-NaN", NUMBER_NAN },
        { "nan(7)", NUMBER_NAN },     { "inf", NUMBER_NAN },        { "+Inf ", NUMBER_NAN },
        { "-INFINITY", NUMBER_NAN },  { "inf:1", NUMBER_NAN },      { "0x", NUMBER_HEX },
        { "0X1p3", NUMBER_HEX },      { "-0x1", NUMBER_HEX },       { "1e", NUMBER_EXPONENT },
        { "1e+", NUMBER_EXPONENT },   { "1.5E-", NUMBER_EXPONENT }, { "0e", NUMBER_EXPONENT },
        { "1ex", NUMBER_EXPONENT },   { "1e 5", NUMBER_EXPONENT },  { "1e309", NUMBER_OVERFLOW },
        { "-2e308", NUMBER_OVERFLOW }
    };
    double v;
    size_t used;

    for (size_t i = 0; i < COUNT(bad); i++) {
        const size_t n = strlen(bad[i].text);

        v = 1;
        if (read_text(bad[i].text, &v, &used) != bad[i].fault)
            fail_msg("\"%s\" has another fault", bad[i].text);
        assert_int_equal(used, bad[i].fault == NUMBER_OVERFLOW ? n : 0);
        assert_true(v == 0);
        assert_false(number_parse(bad[i].text, n, &v));
        for (size_t j = 0; j < i; j++) /* one text a fault */
            assert_int_equal(
                bad[i].fault == bad[j].fault,
                !strcmp(number_fault_text(bad[i].fault), number_fault_text(bad[j].fault)));
    }
    assert_int_equal(read_text("00x1", &v, &used), NUMBER_OK); /* 00, then something else */
    assert_int_equal(used, 2);
    assert_true(number_parse("1.5", 3, &v) && v == 1.5);
    assert_false(number_parse("1.5 ", 4, &v));
    assert_false(number_parse("1.5\0", 4, &v));
    assert_true(number_parse("1.5", 1, &v) && v == 1);
}

TEST(decimals_are_exact)
{
    static const struct {
        const char *text;
        uint64_t mantissa;
        int64_t exponent;
        bool negative, more;
        int digits, end;
    } want[] = { { "0", 0, 0, false, false, 0, 1 },
                 { "-0.000e7", 0, 0, true, false, 1, 6 },
                 { "+12.50", 1250, -2, false, false, 1, 6 },
                 { "-.125e3;", 125, 0, true, false, 1, 5 },
                 { "7.e-2", 7, -2, false, false, 0, 2 },
                 { "0.00001234", 1234, -8, false, false, 0, 10 },
                 { "1234567890123456789", 1234567890123456789u, 0, false, false, 0, 19 },
                 { "12345678901234567890", 1234567890123456789u, 1, false, false, 0, 20 },
                 { "12345678901234567891", 1234567890123456789u, 1, false, true, 0, 20 },
                 { "123456789.01234567890000", 1234567890123456789u, -10, false, false, 0, 24 },
                 { "1234567890123456789.0001e2", 1234567890123456789u, 2, false, true, 0, 24 },
                 { "000000000000000000000000.00009", 9, -5, false, false, 0, 30 },
                 { "0.000000000000000000012345678901234", 12345678901234u, -33, false, false, 0,
                   35 },
                 { "9999999999999999999", 9999999999999999999u, 0, false, false, 0, 19 },
                 { "1e999999999", 1, 1000000, false, false, 0, 1 },
                 { "1e-99999999999999999999", 1, -1000000, false, false, 0, 1 },
                 { "0e5", 0, 0, false, false, 0, 1 } };
    enum number_fault fault;
    struct decimal d;

    for (size_t i = 0; i < COUNT(want); i++) {
        const char *s = want[i].text;

        number_scan_decimal(s, s + strlen(s), &d, &fault);
        assert_int_equal(fault, NUMBER_OK);
        assert_true(d.mantissa == want[i].mantissa && d.exponent == want[i].exponent);
        assert_true(d.negative == want[i].negative && d.more == want[i].more);
        assert_true(d.digits == s + want[i].digits && d.end == s + want[i].end);
    }
}

/* The number ends where the buffer does, whatever stands behind it. */
TEST(every_prefix_reads_as_if_nothing_followed)
{
    static const char *const text[] = { "-123456789012345678901234567890.12345678901234567890e-12",
                                        "0.12345678 1",
                                        "12345678.12345678e+305",
                                        "+1e5",
                                        "0x12",
                                        "infinity",
                                        "nan",
                                        ".00000000000000000000000000012e31" };
    char part[64], *end;

    for (size_t i = 0; i < COUNT(text); i++)
        for (size_t n = 0; n <= strlen(text[i]); n++) {
            double v;
            size_t used;
            enum number_fault fault;

            snprintf(part, n + 1, "%s", text[i]);
            fault = read_text(part, &v, &used);
            if (fault == NUMBER_OK) {
                assert_true(bits_of(v) == bits_of(strtod(part, &end)));
                assert_ptr_equal(part + used, end);
            } else if (fault != NUMBER_OVERFLOW) {
                assert_int_equal(used, 0);
            }
        }
}

TEST(integers_are_read_within_their_limits)
{
    static const struct {
        const char *text;
        int64_t value;
    } good[] = { { "0", 0 },
                 { "-0", 0 },
                 { "+7", 7 },
                 { "0012", 12 },
                 { "-35", -35 },
                 { "9223372036854775807", INT64_MAX },
                 { "-9223372036854775808", INT64_MIN },
                 { "-9223372036854775807", -INT64_MAX },
                 { "00000000000000000000000000001", 1 } };
    static const char *const bad[] = { "",
                                       "+",
                                       "-",
                                       "1.0",
                                       "1e3",
                                       " 1",
                                       "1 ",
                                       "x",
                                       "0x1",
                                       "--1",
                                       "9223372036854775808",
                                       "-9223372036854775809",
                                       "99999999999999999999",
                                       "18446744073709551617" };
    int64_t v;

    for (size_t i = 0; i < COUNT(good); i++) {
        assert_true(number_parse_int(good[i].text, strlen(good[i].text), &v));
        assert_true(v == good[i].value);
    }
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_false(number_parse_int(bad[i], strlen(bad[i]), &v));
}

/* Guard: the loops above did run. */
TEST(a_million_readings_were_compared)
{
    assert_true(compared >= (uint64_t)t_cases(1000000));
}
