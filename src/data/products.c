/* products.c -- all ordered products of D features. */
#include "data/products.h"

/* b^k, or UINT64_MAX. */
static uint64_t power(uint64_t b, unsigned k)
{
    uint64_t v = 1;

    for (; k > 0; k--)
        if (__builtin_mul_overflow(v, b, &v)) return UINT64_MAX;
    return v;
}

uint64_t products_count(unsigned degree, uint64_t n)
{
    return power(n, degree);
}

/* ----- the image of a row ------------------------------------------------------------ */

/* The entries of the row as the products use them: features from 0 on. */
struct factors {
    const uint32_t *feature;
    const double *value;
    unsigned degree;
};

/* The number (1) of the product of entries at[0 .. D-1]; the first largest one is at[p]. */
static uint64_t number_of(const struct factors *f, const size_t *at, unsigned p)
{
    const unsigned d = f->degree;
    const uint64_t m = f->feature[at[p]];
    uint64_t number = power(m, d), before = 0, after = 0;

    for (unsigned q = 0; q < p; q++) {
        number += power(m, q) * power(m + 1, d - 1 - q);
        before = before * m + f->feature[at[q]];
    }
    for (unsigned q = p + 1; q < d; q++) after = after * (m + 1) + f->feature[at[q]];
    return number + before * power(m + 1, d - 1 - p) + after;
}

/* The next choice of entries: those before place p are below `last`, those after it at most
 * `last`. false: that was all. */
static bool turn_on(size_t *at, unsigned degree, unsigned p, size_t last)
{
    for (unsigned q = degree; q-- > 0;) {
        if (q == p) continue;
        if (++at[q] < last + (q > p)) return true;
        at[q] = 0;
    }
    return false;
}

/* All products whose largest entry is `last`, first at place p, from column[0] on; returns how
 * many. */
static size_t make_shell(const struct factors *f, uint64_t first, size_t last, unsigned p,
                         uint32_t *column, double *value)
{
    size_t at[PRODUCTS_DEGREE_MAX] = { 0 }, made = 0;

    at[p] = last;
    if (p > 0 && last == 0) return 0; /* nothing is below the first */
    do {
        double v = f->value[at[0]];
        for (unsigned q = 1; q < f->degree; q++) v *= f->value[at[q]];
        column[made] = (uint32_t)(first + number_of(f, at, p));
        value[made++] = v;
    } while (turn_on(at, f->degree, p, last));
    return made;
}

size_t products_row(const struct products *m, const struct row *x, size_t n, uint32_t *column,
                    double *value)
{
    const size_t count = (size_t)products_count(m->degree, n);
    const struct factors f = { column + count, value + count, m->degree };
    size_t made = 0, k = count;

    for (size_t i = 0; i < x->n; i++) { /* the support, behind the products */
        const uint64_t j = row_column(x, i);
        const double v = row_value(x, i);
        if (v == 0 || j < m->first || j >= m->inputs) continue;
        column[k] = (uint32_t)(j - m->first);
        value[k++] = v;
    }
    for (size_t last = 0; last < n; last++)
        for (unsigned p = 0; p < m->degree; p++)
            made += make_shell(&f, m->first, last, p, column + made, value + made);
    return made;
}

/* ----- names --------------------------------------------------------------------------- */

unsigned products_features(const struct products *m, uint64_t column,
                           uint64_t feature[PRODUCTS_DEGREE_MAX])
{
    const unsigned d = m->degree;
    uint64_t rest = column - m->first, low = 0, high = rest + 1; /* low^D <= rest < high^D */
    unsigned p = 0;

    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (power(middle, d) <= rest) low = middle;
        else high = middle;
    }
    rest -= power(low, d);
    for (uint64_t some; rest >= (some = power(low, p) * power(low + 1, d - 1 - p)); p++)
        rest -= some;
    for (unsigned i = 0; i < d; i++) { /* from the last place to the first */
        const unsigned q = d - 1 - i;
        const uint64_t base = q > p ? low + 1 : low;
        feature[i] = m->first + (q == p ? low : rest % base);
        if (q != p) rest /= base;
    }
    return d;
}
