/* test_number_format.c -- numbers are written so that they read back, as shortly as
 * possible; and the table of powers that reading and writing
 * share is recomputed. The judges are printf and strtod in the C locale, and a
 * slow arithmetic on bytes. Reading is in test_number.c. */
#include <float.h>
#include <inttypes.h>
#include <math.h>

#include "base/number.h"
#include "base/number_table.h"
#include "t.h"
#include "t_cases.h"
#include "t_number.h"

/* ----- tools ------------------------------------------------------------ */

static uint64_t random_state = 17;

/* ----- the table -------------------------------------------------------- */

enum { BYTES = 128 }; /* 5^342 has 795 bits */

/* Base 256, lowest byte first: slow and plain on purpose. */
static void bytes_multiply(uint8_t *b, unsigned factor)
{
    unsigned carry = 0;

    for (int i = 0; i < BYTES; i++) {
        carry += b[i] * factor;
        b[i] = (uint8_t)carry;
        carry >>= 8;
    }
}

static int bytes_top(const uint8_t *b) /* the index of the highest bit set */
{
    int i = BYTES * 8 - 1;

    while (!(b[i / 8] >> i % 8 & 1)) i--;
    return i;
}

static bool bytes_subtract(uint8_t *a, const uint8_t *b) /* a -= b when a >= b */
{
    int i = BYTES - 1;
    int borrow = 0;

    while (i > 0 && a[i] == b[i]) i--;
    if (a[i] < b[i]) return false;
    for (i = 0; i < BYTES; i++) {
        borrow += a[i] - b[i];
        a[i] = (uint8_t)borrow;
        borrow >>= 8;
    }
    return true;
}

TEST(table_holds_the_leading_bits_of_the_powers_of_ten)
{
    uint8_t five[BYTES] = { 1 };

    for (int p = 0; p <= -POWER_MIN; p++, bytes_multiply(five, 5)) {
        const int top = bytes_top(five);
        uint8_t rest[BYTES] = { 0 };
        uint64_t up[2] = { 0 }, down[2] = { 0 };

        /* 10^p: the first 128 bits of 5^p. 10^-p: 128 steps of a long division,
         * from the power of two just above 5^p (or, for p = 0, equal to it). */
        rest[(top + (p > 0)) / 8] = (uint8_t)(1 << (top + (p > 0)) % 8);
        for (int i = 0; i < 128; i++) {
            const int bit = top - i;

            up[i / 64] = up[i / 64] << 1 | (bit >= 0 && (five[bit / 8] >> bit % 8 & 1));
            down[i / 64] = down[i / 64] << 1 | bytes_subtract(rest, five);
            bytes_multiply(rest, 2);
        }
        if (p <= POWER_MAX) assert_memory_equal(up, number_power[p - POWER_MIN], sizeof up);
        assert_memory_equal(down, number_power[-p - POWER_MIN], sizeof down);
        assert_int_equal(top < 128, p <= POWER_EXACT);
        /* The exponents that go with them. */
        assert_int_equal(log2_of_10(p), top + p);
        assert_int_equal(log2_of_10(-p), -top - p - (p > 0));
    }
}

/* ----- writing ---------------------------------------------------------- */

/* Digits and exponent of "d.ddde+xx" from printf, as one integer and a power of ten. */
static uint64_t integer_of(const char *text, int *power)
{
    uint64_t d = 0;
    const char *p = text;
    int after = -1;

    for (; *p != 'e'; p++) {
        if (*p >= '0' && *p <= '9') d = d * 10 + (uint64_t)(*p - '0');
        after += *p >= '0' && *p <= '9';
    }
    *power = atoi(p + 1) - after;
    return d;
}

/* The text reads back; no decimal with one digit less does (so none with fewer); and
 * the decimal of that length nearest to v is it, unless that does not read back. */
static void check_shortest(double v)
{
    char text[NUMBER_TEXT + 1], scientific[64], other[64];
    size_t length = number_format(v, text);
    struct decimal d;
    enum number_fault fault;
    double back;
    int digits = 0, power;
    uint64_t near;

    text[length] = '\0';
    assert_true(number_parse(text, length, &back) && bits_of(back) == bits_of(v));
    assert_true(bits_of(strtod(text, NULL)) == bits_of(v));

    number_scan_decimal(text, text + length, &d, &fault);
    for (; d.mantissa > 0 && d.mantissa % 10 == 0; d.mantissa /= 10) d.exponent++;
    for (uint64_t m = d.mantissa; m > 0; m /= 10) digits++;
    v = fabs(v);
    snprintf(scientific, sizeof scientific, "%.*e", digits - 1, v);
    near = integer_of(scientific, &power);
    if (strtod(scientific, NULL) == v && (near != d.mantissa || power != d.exponent))
        fail_msg("%s is nearer to %a than %s", scientific, v, text);
    if (digits <= 1) return;
    snprintf(scientific, sizeof scientific, "%.*e", digits - 2, v);
    near = integer_of(scientific, &power);
    for (uint64_t m = near - 1; m <= near + 1; m++) {
        snprintf(other, sizeof other, "%" PRIu64 "e%d", m, power);
        if (strtod(other, NULL) == v) fail_msg("%s is shorter than %s", other, text);
    }
}

TEST(written_numbers_read_back_and_are_shortest)
{
    for (int i = 0; i < t_cases(25000); i++) {
        check_shortest(random_finite());
        check_shortest(from_bits(random_u64() >> 12 >> random_int(0, 51) | 1)); /* subnormal */
        check_shortest((random_int(-1000000, 1000000) + 0.5) / 1000);
    }
    for (uint64_t e = 1; e < 2047; e++)
        for (uint64_t i = 0; i < 3; i++) /* powers of two, where the interval is lopsided */
            check_shortest(from_bits((e << 52) + i - 1));
    for (int i = 0; i < 3000; i++) check_shortest((double)(random_u64() >> random_int(0, 60)) + 1);
}

/* The oracle of reading, on as many numbers as nothing slower can be asked about. */
TEST(a_million_numbers_read_back)
{
    for (int i = 0; i < t_cases(1000000); i++) {
        const double v = random_finite();
        char text[NUMBER_TEXT];
        double back;

        if (!number_parse(text, number_format(v, text), &back) || bits_of(back) != bits_of(v))
            fail_msg("%a does not read back", v);
    }
}

TEST(layout_follows_the_exponent)
{
    static const struct {
        double v;
        const char *text;
    } want[] = { { 0.0, "0" },
                 { -0.0, "-0" },
                 { 1, "1" },
                 { -1.5, "-1.5" },
                 { 0.1, "0.1" },
                 { 100, "100" },
                 { 1e-4, "0.0001" },
                 { 1e-5, "1e-05" },
                 { -0.00012345, "-0.00012345" },
                 { 1e16, "10000000000000000" },
                 { 1e17, "1e+17" },
                 { 1.5e17, "1.5e+17" },
                 { 123456789012345680.0, "1.2345678901234568e+17" },
                 { 1e100, "1e+100" },
                 { 5e-324, "5e-324" },
                 { 1.7976931348623157e308, "1.7976931348623157e+308" },
                 { 9007199254740992.0, "9007199254740992" },
                 { 9007199254740993.0, "9007199254740992" },
                 { 5.684341886080802e-14, "5.684341886080802e-14" },
                 { INFINITY, "inf" },
                 { -INFINITY, "-inf" },
                 { -2.2250738585072014e-308, "-2.2250738585072014e-308" },
                 { 1234.5, "1234.5" },
                 { 0.3, "0.3" } };
    char buf[NUMBER_TEXT];

    for (size_t i = 0; i < COUNT(want); i++) {
        assert_int_equal(number_format(want[i].v, buf), strlen(want[i].text));
        assert_memory_equal(buf, want[i].text, strlen(want[i].text));
    }
    assert_int_equal(number_format(NAN, buf), 3); /* whatever its sign */
    assert_int_equal(number_format(-NAN, buf), 3);
}
