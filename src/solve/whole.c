/* whole.c -- rows as vectors of whole numbers. */
#include "solve/whole.h"

#include <limits.h>

_Static_assert(ULONG_MAX == UINT64_MAX && LONG_MAX == INT64_MAX,
               "numbers of 64 bits are handed to GMP as long");

#define GROW(e, p, cap, need) mem_grow(e, (void **)&(p), &(cap), need, sizeof *(p))

void whole_vector_init(struct whole_vector *v, const struct env *e)
{
    *v = (struct whole_vector){ .exponent = 0 };
    exact_init(&v->lens, e);
}

void whole_vector_free(struct whole_vector *v)
{
    const struct env e = v->lens.e;

    if (e.alloc == NULL) return;
    for (size_t k = 0; k < v->ready; k++) mpz_clear(v->value[k]);
    mem_free(&e, v->column, v->cap_column, sizeof *v->column);
    mem_free(&e, v->small, v->cap_small, sizeof *v->small);
    mem_free(&e, v->value, v->cap_value, sizeof *v->value);
    exact_free(&v->lens);
    *v = (struct whole_vector){ .n = 0 };
}

/* ----- one row ------------------------------------------------------------------------ */

enum { FIRST = 19, LIMIT = 1000000 }; /* struct decimal: digits in a mantissa; exponents */

/* Entry k of a_i before its sign; the last one is the 1 of the offset. */
static struct decimal decimal_of(const struct exact_lens *l, size_t k)
{
    return k < l->n ? l->value[k] : (struct decimal){ .mantissa = 1 };
}

/* The row in 64 bits, where it fits: v->fits. Trailing zeros that all numbers have, as in
 * 0.500, are dropped. */
static void row_small(struct whole_vector *v, int sign)
{
    int64_t *x = v->small;
    bool fits = true;

    for (size_t k = 0; k < v->n && fits; k++) {
        const struct decimal d = decimal_of(&v->lens, k);
        uint64_t m = d.mantissa;
        int64_t shift = d.exponent - v->exponent;
        fits = !d.more && shift < FIRST;
        for (; shift > 0 && fits; shift--) fits = !__builtin_mul_overflow(m, 10, &m);
        fits = fits && m <= INT64_MAX;
        if (fits) x[k] = d.negative == (sign < 0) ? (int64_t)m : -(int64_t)m;
    }
    v->fits = fits;
    while (v->fits && v->n > 0) {
        for (size_t k = v->n; k-- > 0;)
            if (x[k] % 10 != 0) return;
        for (size_t k = 0; k < v->n; k++) x[k] /= 10;
        v->exponent++;
    }
}

/* The row in numbers of any length. GMP cannot say that it is out of memory, so it is asked for
 * once beforehand: `span` digits for each number. */
static bool row_big(struct whole_vector *v, int sign, int64_t span)
{
    const struct env *e = &v->lens.e;
    const size_t most = (size_t)span / 2 + 64;
    mpz_t ten;

    if (!GROW(e, v->value, v->cap_value, v->n)) return false;
    void *probe = mem_array(e, v->n + 1, most);
    if (probe == NULL) return false;
    mem_free(e, probe, v->n + 1, most);
    for (; v->ready < v->n; v->ready++) mpz_init(v->value[v->ready]);
    mpz_init(ten);
    for (size_t k = 0; k < v->n; k++) {
        const struct decimal d = decimal_of(&v->lens, k);
        unsigned long part = 0, power = 1;
        mpz_t *out = &v->value[k];
        mpz_set_ui(*out, d.more ? 0 : d.mantissa);
        for (const char *p = d.digits; d.more && p < d.end; p++) {
            part = part * 10 + (unsigned long)(*p - '0');
            power *= 10;
            if (power < UINT64_C(1000000000000000000) && p + 1 < d.end) continue;
            mpz_mul_ui(*out, *out, power);
            mpz_add_ui(*out, *out, part);
            part = 0, power = 1;
        }
        mpz_ui_pow_ui(ten, 10, (unsigned long)(exact_lowest(&d) - v->exponent));
        mpz_mul(*out, *out, ten);
        if (d.negative != (sign < 0)) mpz_neg(*out, *out);
    }
    mpz_clear(ten);
    return true;
}

perc_status whole_row(const struct whole *p, uint64_t i, struct whole_vector *v, perc_error *err)
{
    const struct exact_lens *l = &v->lens;
    const struct env *e = &l->e;
    int64_t low = INT64_MAX, high = INT64_MIN;
    bool kept = true; /* a decimal keeps the exponents that the text has */

    v->n = 0;
    if (exact_row(&v->lens, p->ds, p->row[i])) return fail_memory(err);
    const size_t n = l->n + (p->offset ? 1 : 0);
    if (!GROW(e, v->column, v->cap_column, n) || !GROW(e, v->small, v->cap_small, n))
        return fail_memory(err);
    /* From the lowest digit of the row to the first of its longest number. */
    for (size_t k = 0; k < n && kept; k++) {
        const struct decimal d = decimal_of(l, k);
        const int64_t last = exact_lowest(&d);
        kept = d.exponent < LIMIT && d.exponent > -LIMIT;
        if (last < low) low = last;
        if (d.exponent + FIRST > high) high = d.exponent + FIRST;
    }
    v->exponent = n > 0 ? low : 0;
    const int64_t span = n > 0 ? high - low : 0;
    if (!kept || span > WHOLE_DIGITS)
        return dataset_blame(p->ds, p->row[i],
                             fail_at(err, PERC_EDATA, perc_dataset_row_line(p->ds, p->row[i]), 0,
                                     "the numbers of the row span more than %d digits",
                                     WHOLE_DIGITS),
                             err);
    v->n = n;
    for (size_t k = 0; k < n; k++) v->column[k] = k < l->n ? l->column[k] : p->dims - 1;
    row_small(v, p->sign[i]);
    if (!v->fits && !row_big(v, p->sign[i], span)) return fail_memory(err);
    return PERC_OK;
}

/* ----- the rows in doubles --------------------------------------------------------------- */

perc_status whole_floats(const struct whole *p, struct problem *floats, perc_error *err)
{
    uint64_t *ref = mem_array(&p->e, p->n, sizeof *ref);
    uint32_t *class = mem_array(&p->e, p->n, sizeof *class);
    size_t b = 0;

    *floats = (struct problem){ .e = p->e,
                                .blocks = p->ds->block,
                                .block_count = p->ds->blocks,
                                .dims = p->ds->columns,
                                .offset = p->offset,
                                .n = p->n,
                                .ref = ref,
                                .class = class };
    if (ref == NULL || class == NULL) return fail_memory(err);
    for (uint64_t i = 0; i < p->n; i++) {
        while (p->row[i] >= floats->blocks[b].first_row + floats->blocks[b].rows) b++;
        ref[i] = ref_make(b, p->row[i] - floats->blocks[b].first_row);
        class[i] = p->sign[i] > 0;
    }
    return PERC_OK;
}

void whole_floats_free(struct problem *floats)
{
    mem_free(&floats->e, (void *)(uintptr_t)floats->ref, floats->n, sizeof *floats->ref);
    mem_free(&floats->e, (void *)(uintptr_t)floats->class, floats->n, sizeof *floats->class);
}

/* ----- sums ---------------------------------------------------------------------------- */

static void add_small(mpz_t sum, const mpz_t f, int64_t x)
{
    if (x >= 0) mpz_addmul_ui(sum, f, (unsigned long)x);
    else mpz_submul_ui(sum, f, -(unsigned long)x);
}

void whole_add(const struct whole_vector *v, const mpz_t f, mpz_t *sum)
{
    for (size_t k = 0; k < v->n; k++) {
        if (v->fits) add_small(sum[v->column[k]], f, v->small[k]);
        else mpz_addmul(sum[v->column[k]], f, v->value[k]);
    }
}

void whole_dot(const struct whole_vector *v, const mpz_t *w, mpz_t x)
{
    mpz_set_ui(x, 0);
    for (size_t k = 0; k < v->n; k++) {
        if (v->fits) add_small(x, w[v->column[k]], v->small[k]);
        else mpz_addmul(x, w[v->column[k]], v->value[k]);
    }
}

/* ----- arrays of numbers ----------------------------------------------------------------- */

mpz_t *whole_numbers(const struct env *e, size_t n)
{
    mpz_t *x = mem_array(e, n, sizeof *x);

    if (x != NULL)
        for (size_t i = 0; i < n; i++) mpz_init(x[i]);
    return x;
}

void whole_numbers_free(const struct env *e, mpz_t *x, size_t n)
{
    if (x == NULL) return;
    for (size_t i = 0; i < n; i++) mpz_clear(x[i]);
    mem_free(e, x, n, sizeof *x);
}

void whole_reduce(mpz_t *x, size_t n)
{
    mpz_t g;

    mpz_init(g);
    for (size_t i = 0; i < n && mpz_cmp_ui(g, 1) != 0; i++) mpz_gcd(g, g, x[i]);
    if (mpz_cmp_ui(g, 1) > 0)
        for (size_t i = 0; i < n; i++) mpz_divexact(x[i], x[i], g);
    mpz_clear(g);
}
