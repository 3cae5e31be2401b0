/* many_lanes.h -- what many.c compiles once for each kind of processor: TARGET is the
 * attribute that says which, WAY(name) a name of its own. (Compilers take lanes apart as a
 * function is first read, by what is known of the processor there: inlining into a
 * function for a better one comes too late.) */

/* ----- exp and tanh ------------------------------------------------------------------ */

/* sum = c[0] + c[1] z + c[2] z^2 + ..., innermost first, for all groups at a time. */
TARGET INLINE void WAY(series)(const double *c, size_t n, const lanes *z, lanes *sum)
{
    for (int g = 0; g < GROUPS; g++) sum[g] = lanes_all(c[n - 1]);
    for (size_t i = n - 1; i > 0; i--)
        for (int g = 0; g < GROUPS; g++) sum[g] = sum[g] * z[g] + c[i - 1];
}

/* x = k ln 2 + r, r = high - low; x outside the range counts as 0. */
TARGET INLINE void WAY(reduce)(const lanes *p, struct reduced *out)
{
    const lanes x = *p;
    const lanes_mask inside = (x <= 710) & (x >= -746); /* false for NaN */
    const lanes u = lanes_only(inside, x);

    /* k = floor(t): the nearest whole number, or the one below it. */
    const lanes t = u * LN2_INVERSE + 0.5, near = (t + SHIFTER) - SHIFTER;
    const lanes k = near - lanes_only(near > t, lanes_all(1));
    out->k = k;
    out->high = u - k * LN2_HIGH;
    out->low = k * LN2_LOW;
}

/* 2^k in two halves, the first k / 2 rounded towards 0; k + 2048 is not negative, so that
 * the shift needs no sign. The mask of k < 0 is -1 where it is true. */
TARGET INLINE void WAY(finish)(const struct reduced *a, const lanes *r, const lanes *sum, lanes *p)
{
    const lanes x = *p, y = 1 + (a->high + (*r * *r * *sum - a->low));
    const lanes_mask whole = (lanes_mask)(a->k + SHIFTER) - (lanes_mask)lanes_all(SHIFTER);
    const lanes_mask half = (lanes_mask)((lanes_bits)(whole - (whole < 0) + 2048) >> 1) - 1024;
    const lanes_mask one = (half + 1023) << 52, two = (whole - half + 1023) << 52;
    const lanes v = y * (lanes)one * (lanes)two;
    const lanes_mask above = x > 710, below = x < -746, number = x == x;
    const lanes w = lanes_pick(above, lanes_all(INFINITY), lanes_only(~below, v));

    *p = lanes_pick(number, w, x);
}

TARGET INLINE void WAY(exp_lanes)(lanes *x)
{
    struct reduced a[GROUPS];
    lanes r[GROUPS], sum[GROUPS];

    for (int g = 0; g < GROUPS; g++) {
        WAY(reduce)(&x[g], &a[g]);
        r[g] = a[g].high - a[g].low;
    }
    WAY(series)(EXP_SERIES, COUNT(EXP_SERIES), r, sum);
    for (int g = 0; g < GROUPS; g++) WAY(finish)(&a[g], &r[g], &sum[g], &x[g]);
}

/* n / d and e are the two formulas: z N(z) / D(z), e^2a. */
TARGET INLINE void WAY(join)(const lanes *n, const lanes *d, const lanes *e, lanes *p)
{
    const lanes x = *p, z = x * x;
    const lanes_mask sign = (lanes_mask)x & ((lanes_mask){ 0 } + INT64_MIN);
    const lanes a = (lanes)((lanes_mask)x ^ sign);
    const lanes_mask close = a < 0x1p-27, small = a < 0.5625, below = a < 20, number = x == x;
    const lanes t = lanes_pick(below, 1 - 2 / (*e + 1), lanes_all(1));
    const lanes far = (lanes)((lanes_mask)t | sign);
    const lanes v = lanes_pick(small, x - x * (z * *n / *d), far);

    *p = lanes_pick(close | ~number, x, v);
}

TARGET INLINE void WAY(tanh_lanes)(lanes *x)
{
    lanes n[GROUPS], d[GROUPS], e[GROUPS], z[GROUPS];

    for (int g = 0; g < GROUPS; g++) {
        z[g] = x[g] * x[g];
        e[g] = 2 * (lanes)((lanes_mask)x[g] & ((lanes_mask){ 0 } + INT64_MAX));
    }
    WAY(series)(TANH_N, COUNT(TANH_N), z, n);
    WAY(series)(TANH_D, COUNT(TANH_D), z, d);
    WAY(exp_lanes)(e);
    for (int g = 0; g < GROUPS; g++) WAY(join)(&n[g], &d[g], &e[g], &x[g]);
}

/* ----- powers and distances ---------------------------------------------------------- */

/* The products of fm_power. */
TARGET INLINE void WAY(power_lanes)(lanes *p, int n)
{
    for (int g = 0; g < GROUPS; g++) {
        lanes x = p[g], out = lanes_all(1);
        for (int k = n; k > 1; k /= 2) {
            if (k % 2 == 1) out *= x;
            x *= x;
        }
        p[g] = out * x;
    }
}

/* ----- arrays ---------------------------------------------------------------------------- */

TARGET INLINE void WAY(apply)(enum function f, const struct many *m, double *at)
{
    lanes x[GROUPS];

    memcpy(x, at, sizeof x);
    switch (f) {
    case EXP: WAY(exp_lanes)(x); break;
    case TANH: WAY(tanh_lanes)(x); break;
    case AFFINE:
        for (int g = 0; g < GROUPS; g++) x[g] = m->a * x[g] + m->b;
        break;
    default: WAY(power_lanes)(x, m->degree); break;
    }
    memcpy(at, x, sizeof x);
}

/* GROUPS * LANES at a time, then the rest, padded with zeros. */
TARGET INLINE void WAY(many_of)(enum function f, const struct many *m, double *x, size_t n)
{
    const size_t step = GROUPS * LANES, whole = n / step * step;
    double rest[GROUPS * LANES] = { 0 };

    for (size_t i = 0; i < whole; i += step) WAY(apply)(f, m, x + i);
    if (whole == n) return;
    memcpy(rest, x + whole, (n - whole) * sizeof *x);
    WAY(apply)(f, m, rest);
    memcpy(x + whole, rest, (n - whole) * sizeof *x);
}

TARGET static uint32_t WAY(distance2)(double a, const double *b, double *x)
{
    uint32_t near = 0;

    for (size_t i = 0; i < 32; i++) {
        const double size = a + b[i], d2 = size - 2 * x[i];
        near |= (uint32_t) !(d2 >= size * 0x1p-10) << i;
        x[i] = d2;
    }
    return near;
}

/* The function is a constant in each loop. */
TARGET static void WAY(many)(enum function f, const struct many *m, double *x, size_t n)
{
    switch (f) {
    case EXP: WAY(many_of)(EXP, m, x, n); break;
    case TANH: WAY(many_of)(TANH, m, x, n); break;
    case AFFINE: WAY(many_of)(AFFINE, m, x, n); break;
    default: WAY(many_of)(POWER, m, x, n); break;
    }
}
