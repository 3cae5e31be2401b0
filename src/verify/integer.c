/* integer.c -- whole numbers of any length. */
#include "verify/integer.h"

#include <string.h>

#define BASE (UINT64_C(1) << DIGIT_BITS)
#define MASK (BASE - 1)

enum { NINE = 9, NINE_POWER = 1000000000 }; /* decimal digits at a time: 10^9 < 2^30 */

/* ----- one number ------------------------------------------------------------------------ */

void integer_free(const struct env *e, struct integer *x)
{
    mem_free(e, x->digit, x->cap, sizeof *x->digit);
    *x = (struct integer){ 0 };
}

/* Room for n digits. */
static bool reserve(const struct env *e, struct integer *x, size_t n)
{
    return n <= x->cap || mem_grow(e, (void **)&x->digit, &x->cap, n, sizeof *x->digit);
}

/* x = 0, with room for n digits. */
static bool begin_digits(const struct env *e, struct integer *x, size_t n)
{
    x->n = 0;
    x->negative = false;
    return reserve(e, x, n);
}

bool integer_set(const struct env *e, struct integer *x, uint64_t v)
{
    if (!begin_digits(e, x, 3)) return false;
    for (; v > 0; v >>= DIGIT_BITS) x->digit[x->n++] = (uint32_t)(v & MASK);
    return true;
}

/* x = x f + c, for f and c up to 10^9. There is room for one more digit. */
static void multiply_add(struct integer *x, uint32_t f, uint32_t c)
{
    uint64_t carry = c;

    for (size_t i = 0; i < x->n; i++) {
        carry += (uint64_t)f * x->digit[i];
        x->digit[i] = (uint32_t)(carry & MASK);
        carry >>= DIGIT_BITS;
    }
    if (carry > 0) x->digit[x->n++] = (uint32_t)carry; /* below the base, as f and c are */
}

/* Nine decimal digits at a time. */
static bool decimal_digits(const struct env *e, struct integer *x, const char *s, const char *end)
{
    uint32_t nine = 0, power = 1;

    if (!begin_digits(e, x, (size_t)(end - s) / NINE + 2)) return false;
    for (; s < end; s++) {
        if (*s == '.') continue;
        nine = nine * 10 + (uint32_t)(*s - '0');
        power *= 10;
        if (power < NINE_POWER) continue;
        multiply_add(x, power, nine);
        nine = 0, power = 1;
    }
    multiply_add(x, power, nine);
    return true;
}

bool integer_scale(const struct env *e, struct integer *x, uint64_t k)
{
    if (x->n == 0 || k == 0) return true;
    if (k > SIZE_MAX / 2 || !reserve(e, x, x->n + (size_t)k / NINE + 1)) return false;
    for (; k >= NINE; k -= NINE) multiply_add(x, NINE_POWER, 0);
    uint32_t power = 1;
    for (; k > 0; k--) power *= 10;
    multiply_add(x, power, 0);
    return true;
}

bool integer_multiply(const struct env *e, struct integer *x, const struct integer *a,
                      const struct integer *b)
{
    x->n = 0;
    x->negative = false;
    if (a->n == 0 || b->n == 0) return true;
    if (!reserve(e, x, a->n + b->n)) return false;
    memset(x->digit, 0, (a->n + b->n) * sizeof *x->digit);
    for (size_t k = 0; k < b->n; k++) {
        uint64_t carry = 0;
        for (size_t i = 0; i < a->n; i++) {
            carry += x->digit[k + i] + (uint64_t)a->digit[i] * b->digit[k];
            x->digit[k + i] = (uint32_t)(carry & MASK);
            carry >>= DIGIT_BITS;
        }
        x->digit[k + a->n] = (uint32_t)carry;
    }
    x->n = a->n + b->n;
    if (x->digit[x->n - 1] == 0) x->n--;
    x->negative = a->negative != b->negative;
    return true;
}

bool integer_copy(const struct env *e, struct integer *x, const struct integer *a)
{
    if (!begin_digits(e, x, a->n + 1)) return false;
    if (a->n > 0) memcpy(x->digit, a->digit, a->n * sizeof *x->digit);
    x->n = a->n;
    x->negative = a->negative;
    return true;
}

bool integer_same(const struct integer *a, const struct integer *b)
{
    return a->n == b->n && a->negative == b->negative &&
           (a->n == 0 || memcmp(a->digit, b->digit, a->n * sizeof *a->digit) == 0);
}

/* ----- sums of products ------------------------------------------------------------------ */

/* With a load below this, every |digit[i]| is below 2^63. */
#define LOAD_LIMIT (UINT64_C(1) << (63 - DIGIT_BITS))
/* Digits above those of a product. Fewer than 2^64 products of fewer than m digits come to
 * less than 2^64 2^(30 m) < 2^(30 (m + 3)): the highest digit takes in what is carried. */
enum { HEADROOM = 4 };

void integer_sum_free(const struct env *e, struct integer_sum *s)
{
    mem_free(e, s->digit, s->cap, sizeof *s->digit);
    *s = (struct integer_sum){ 0 };
}

void integer_sum_clear(struct integer_sum *s)
{
    if (s->n > 0) memset(s->digit, 0, s->n * sizeof *s->digit);
    s->load = 0;
}

/* Makes all digits 0 .. 2^30 - 1 but the highest, which keeps the sign. */
static void carry(struct integer_sum *s)
{
    int64_t c = 0;

    for (size_t i = 0; i + 1 < s->n; i++) {
        const int64_t v = s->digit[i] + c;
        const int64_t low = (int64_t)((uint64_t)v & MASK);
        c = (v - low) / (int64_t)BASE; /* exact, so it is the floor below 0, too */
        s->digit[i] = low;
    }
    if (s->n > 0) s->digit[s->n - 1] += c;
    s->load = 1;
}

/* d[i] += f a[i], or -=: the inner loop of all that is verified. Unsigned, modulo 2^64, which
 * gives the same for negative numbers. */
static void add_multiple(uint64_t *restrict d, const uint32_t *restrict a, size_t n, uint32_t f,
                         bool minus)
{
    if (minus)
        for (size_t i = 0; i < n; i++) d[i] -= (uint64_t)f * a[i];
    else
        for (size_t i = 0; i < n; i++) d[i] += (uint64_t)f * a[i];
}

static bool integer_sum_reserve(const struct env *e, struct integer_sum *s, size_t n)
{
    if (n <= s->n) return true;
    if (n > s->cap && !mem_grow(e, (void **)&s->digit, &s->cap, n, sizeof *s->digit)) return false;
    memset(s->digit + s->n, 0, (n - s->n) * sizeof *s->digit);
    s->n = n;
    return true;
}

bool integer_sum_add(const struct env *e, struct integer_sum *s, const struct integer *a,
                     const struct integer *b, bool minus)
{
    if (a->n < b->n)
        return integer_sum_add(e, s, b, a, minus); /* the inner loop is the longer one */
    if (b->n == 0) return true;
    if (!integer_sum_reserve(e, s, a->n + b->n + HEADROOM)) return false;
    minus = minus != (a->negative != b->negative);
    for (size_t k = 0; k < b->n; k++) {
        const uint32_t x = b->digit[k];
        /* The carries in one call of `carry` add at most 2^33 to a digit. */
        if (s->load + x + 8 >= LOAD_LIMIT) carry(s);
        s->load += x;
        add_multiple((uint64_t *)s->digit + k, a->digit, a->n, x, minus);
    }
    return true;
}

int integer_sum_sign(struct integer_sum *s)
{
    carry(s);
    if (s->n == 0) return 0;
    if (s->digit[s->n - 1] < 0) return -1;
    for (size_t i = 0; i < s->n; i++)
        if (s->digit[i] != 0) return 1;
    return 0;
}

bool integer_sum_small(const struct integer_sum *s, int64_t *out)
{
    int64_t v = 0;

    for (size_t i = s->n; i-- > 0;) {
        if (v >= (int64_t)BASE || v < -(int64_t)BASE) return false;
        v = v * (int64_t)BASE + s->digit[i];
    }
    *out = v;
    return true;
}

/* ----- long numbers from text ------------------------------------------------------------ */

enum {
    LEAF = 9 * 128, /* decimal digits that are read one after another */
    LEVELS = 40,    /* halvings of a text */
    PAPER = 96      /* digits that are multiplied as on paper */
};

bool integer_sum_take(const struct env *e, struct integer_sum *s, struct integer *x)
{
    const bool negative = integer_sum_sign(s) < 0; /* carries */

    if (!begin_digits(e, x, s->n)) return false;
    for (size_t i = 0; i < s->n && negative; i++) s->digit[i] = -s->digit[i];
    if (negative) carry(s);
    x->negative = negative;
    for (size_t i = 0; i < s->n; i++) {
        x->digit[i] = (uint32_t)s->digit[i];
        if (x->digit[i] != 0) x->n = i + 1;
    }
    return true;
}

/* s += a 2^(30 at), or with `minus` s -= it. */
static bool add_shifted(const struct env *e, struct integer_sum *s, const struct integer *a,
                        size_t at, bool minus)
{
    if (!integer_sum_reserve(e, s, at + a->n + HEADROOM)) return false;
    if (s->load + 8 >= LOAD_LIMIT) carry(s);
    s->load++;
    add_multiple((uint64_t *)s->digit + at, a->digit, a->n, 1, minus);
    return true;
}

/* Digits from .. to - 1 of a, which keeps owning them. */
static struct integer digits_of(const struct integer *a, size_t from, size_t to)
{
    struct integer x = { .digit = a->digit + from, .n = 0 };

    for (size_t i = from; i < to && i < a->n; i++)
        if (a->digit[i] != 0) x.n = i - from + 1;
    return x;
}

struct integer integer_high(const struct integer *a, size_t cut)
{
    struct integer x = cut < a->n ? digits_of(a, cut, a->n) : (struct integer){ 0 };

    x.negative = a->negative && x.n > 0;
    return x;
}

/* s += a b, of numbers >= 0. Karatsuba (1962): with B = 2^(30 m), a = a1 B + a0,
 *
 *     a b = a1 b1 B^2 + ((a0 + a1) (b0 + b1) - a0 b0 - a1 b1) B + a0 b0          */
static bool add_product(const struct env *e, struct integer_sum *s, const struct integer *a,
                        const struct integer *b)
{
    const size_t m = (a->n > b->n ? a->n : b->n) / 2;
    if (a->n < PAPER || b->n < PAPER) return integer_sum_add(e, s, a, b, false);
    const struct integer half[2][2] = { { digits_of(a, 0, m), digits_of(a, m, a->n) },
                                        { digits_of(b, 0, m), digits_of(b, m, b->n) } };
    struct integer z[3] = { { 0 } }, both[2] = { { 0 } };
    struct integer_sum t = { 0 };
    bool ok = true;

    for (size_t k = 0; k < 2 && ok; k++) {
        integer_sum_clear(&t);
        ok = add_shifted(e, &t, &half[k][0], 0, false) &&
             add_shifted(e, &t, &half[k][1], 0, false) && integer_sum_take(e, &t, &both[k]);
    }
    for (size_t k = 0; k < 3 && ok; k++) {
        integer_sum_clear(&t);
        ok = add_product(e, &t, k < 2 ? &half[0][k] : &both[0], k < 2 ? &half[1][k] : &both[1]) &&
             integer_sum_take(e, &t, &z[k]);
    }
    ok = ok && add_shifted(e, s, &z[0], 0, false) && add_shifted(e, s, &z[1], 2 * m, false) &&
         add_shifted(e, s, &z[2], m, false) && add_shifted(e, s, &z[0], m, true) &&
         add_shifted(e, s, &z[1], m, true);
    for (size_t k = 0; k < 3; k++) integer_free(e, &z[k]);
    for (size_t k = 0; k < 2; k++) integer_free(e, &both[k]);
    integer_sum_free(e, &t);
    return ok;
}

/* x = a b + c, of numbers >= 0 */
static bool multiply_sum(const struct env *e, struct integer *x, const struct integer *a,
                         const struct integer *b, const struct integer *c)
{
    struct integer_sum s = { 0 };
    const bool ok = add_product(e, &s, a, b) && add_shifted(e, &s, c, 0, false) &&
                    integer_sum_take(e, &s, x);

    integer_sum_free(e, &s);
    return ok;
}

/* high 10^(LEAF 2^k) + low, where low has the last LEAF 2^k digits; ten[k] is that power. */
static bool decimal_halves(const struct env *e, struct integer *x, const char *s, const char *end,
                           const struct integer *ten, int k)
{
    while (k >= 0 && end - s <= (ptrdiff_t)LEAF << k) k--;
    if (k < 0) return decimal_digits(e, x, s, end);
    const char *mid = end - ((ptrdiff_t)LEAF << k);
    struct integer high = { 0 }, low = { 0 };
    const bool ok = decimal_halves(e, &high, s, mid, ten, k) &&
                    decimal_halves(e, &low, mid, end, ten, k) &&
                    multiply_sum(e, x, &high, &ten[k], &low);

    integer_free(e, &high);
    integer_free(e, &low);
    return ok;
}

/* By halves: less than quadratic, 0.2 ms for 5,000 digits, 40 ms for 200,000. */
bool integer_decimal(const struct env *e, struct integer *x, const char *s, const char *end)
{
    const struct integer none = { 0 };
    struct integer ten[LEVELS] = { { 0 } };
    int n = 0;
    bool ok = true;

    if (end - s <= LEAF || memchr(s, '.', (size_t)(end - s)) != NULL)
        return decimal_digits(e, x, s, end);
    for (; n < LEVELS && (ptrdiff_t)LEAF << n < end - s && ok; n++)
        ok = n == 0 ? integer_set(e, &ten[0], 1) && integer_scale(e, &ten[0], LEAF)
                    : multiply_sum(e, &ten[n], &ten[n - 1], &ten[n - 1], &none);
    ok = ok && decimal_halves(e, x, s, end, ten, n - 1);
    for (int k = 0; k < n; k++) integer_free(e, &ten[k]);
    return ok;
}
