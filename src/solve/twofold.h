/* twofold.h -- numbers of about 32 digits: an unevaluated sum of two doubles.
 *
 * For the few places where a result is a small difference of large numbers: the
 * distance of the origin from a hull that nearly contains it. hi is the double nearest
 * to hi + lo; an operation is off by a few parts in 2^104. The transformations without
 * error are Knuth's (1969) for sums and Dekker's (1971) for products; they need nothing
 * but IEEE doubles, so that every machine gives the same bits. */
#ifndef PERC_TWOFOLD_H
#define PERC_TWOFOLD_H

#include <math.h>

struct two {
    double hi, lo;
};

#define TWO_UNIT 0x1p-104

/* a + b, exactly. */
static inline struct two two_sum(double a, double b)
{
    const double s = a + b, t = s - a;

    return (struct two){ s, (a - (s - t)) + (b - t) };
}

/* The same where |a| >= |b| or a = 0. */
static inline struct two two_fast(double a, double b)
{
    const double s = a + b;

    return (struct two){ s, b - (s - a) };
}

/* a b, exactly: halves of 26 bits each, whose products are exact. */
static inline struct two two_product(double a, double b)
{
    const double p = a * b, s = 0x1p27 + 1;
    const double ca = s * a, ah = ca - (ca - a), al = a - ah;
    const double cb = s * b, bh = cb - (cb - b), bl = b - bh;

    return (struct two){ p, ((ah * bh - p) + ah * bl + al * bh) + al * bl };
}

static inline struct two two_of(double a)
{
    return (struct two){ a, 0 };
}

static inline struct two two_add(struct two a, struct two b)
{
    const struct two s = two_sum(a.hi, b.hi), t = two_sum(a.lo, b.lo);
    const struct two u = two_fast(s.hi, s.lo + t.hi);

    return two_fast(u.hi, u.lo + t.lo);
}

static inline struct two two_minus(struct two a)
{
    return (struct two){ -a.hi, -a.lo };
}

/* a b for a plain number b, and for another of these. */
static inline struct two two_times(struct two a, double b)
{
    const struct two p = two_product(a.hi, b);

    return two_fast(p.hi, p.lo + a.lo * b);
}

static inline struct two two_mul(struct two a, struct two b)
{
    const struct two p = two_product(a.hi, b.hi);

    return two_fast(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

/* a / b: the quotient of the heads, corrected once. */
static inline struct two two_div(struct two a, struct two b)
{
    const double q = a.hi / b.hi;
    const struct two r = two_add(a, two_minus(two_times(b, q)));

    return two_fast(q, r.hi / b.hi);
}

/* The square root, by one step of Newton's method from that of the head. */
static inline struct two two_root(struct two a)
{
    if (!(a.hi > 0)) return two_of(0);

    const double s = sqrt(a.hi);
    const struct two r = two_add(a, two_minus(two_product(s, s)));

    return two_fast(s, r.hi / (2 * s));
}

#endif
