/* net_lanes.h -- what net.c compiles once for each kind of processor: TARGET is the
 * attribute that says which, WAY(name) a name of its own. Plain loops, which compilers turn into
 * vector code; square roots and quotients are rounded correctly there as everywhere. */

TARGET static void WAY(relu)(float *restrict a, const float *restrict b, size_t n)
{
    if (b == NULL)
        for (size_t i = 0; i < n; i++) a[i] = relu_of(a[i]);
    else
        for (size_t i = 0; i < n; i++) a[i] = relu_of(a[i] + b[i]);
}

/* The numbers s (a_i + b_i) as doubles. */
TARGET static void WAY(widen)(double s, const float *restrict a, const float *restrict b, size_t n,
                              double *restrict x)
{
    if (b == NULL)
        for (size_t i = 0; i < n; i++) x[i] = s * (double)a[i];
    else
        for (size_t i = 0; i < n; i++) x[i] = s * (double)(a[i] + b[i]);
}

TARGET static void WAY(narrow)(enum activation f, const double *restrict x, size_t n,
                               float *restrict a)
{
    if (f == ACTIVATION_SIGMOID)
        for (size_t i = 0; i < n; i++) a[i] = (float)(1 / (1 + x[i]));
    else
        for (size_t i = 0; i < n; i++) a[i] = (float)x[i];
}

TARGET static void WAY(slope)(enum activation f, float *restrict d, const float *restrict a,
                              size_t n)
{
    switch (f) {
    case ACTIVATION_SIGMOID:
        for (size_t i = 0; i < n; i++) d[i] *= slope_of(ACTIVATION_SIGMOID, a[i]);
        break;
    case ACTIVATION_TANH:
        for (size_t i = 0; i < n; i++) d[i] *= slope_of(ACTIVATION_TANH, a[i]);
        break;
    default:
        for (size_t i = 0; i < n; i++) d[i] *= slope_of(ACTIVATION_RELU, a[i]);
        break;
    }
}

/* ----- steps ------------------------------------------------------------------------ */

TARGET INLINE void WAY(sgd)(const struct net_step *s, const bool decay, float *restrict w,
                            const float *restrict g, size_t n)
{
    const float rate = s->rate, l2 = s->l2;

    for (size_t i = 0; i < n; i++) w[i] -= rate * (decay ? g[i] + l2 * w[i] : g[i]);
}

TARGET INLINE void WAY(momentum)(const struct net_step *s, const bool decay, float *restrict w,
                                 float *restrict u, const float *restrict g, size_t n)
{
    const float rate = s->rate, l2 = s->l2, beta = s->beta1;

    for (size_t i = 0; i < n; i++) {
        u[i] = normal(beta * u[i] + (decay ? g[i] + l2 * w[i] : g[i]));
        w[i] -= rate * u[i];
    }
}

TARGET INLINE void WAY(adam)(const struct net_step *s, const bool decay, float *restrict w,
                             float *restrict u, float *restrict v, const float *restrict g,
                             size_t n)
{
    const float rate = s->rate, l2 = s->l2, epsilon = s->epsilon;
    const float beta1 = s->beta1, beta2 = s->beta2, rest1 = 1 - beta1, rest2 = 1 - beta2;

    for (size_t i = 0; i < n; i++) {
        const float t = decay ? g[i] + l2 * w[i] : g[i];
        u[i] = normal(beta1 * u[i] + rest1 * t);
        v[i] = normal(beta2 * v[i] + rest2 * (t * t));
        w[i] -= rate * u[i] / (sqrtf(v[i]) + epsilon);
    }
}

TARGET static void WAY(update)(const struct net_step *s, float *w, float *u, float *v,
                               const float *g, size_t n)
{
    const bool decay = s->l2 > 0;

    switch (s->optimizer) {
    case OPTIMIZER_SGD:
        if (decay) WAY(sgd)(s, true, w, g, n);
        else WAY(sgd)(s, false, w, g, n);
        break;
    case OPTIMIZER_MOMENTUM:
        if (decay) WAY(momentum)(s, true, w, u, g, n);
        else WAY(momentum)(s, false, w, u, g, n);
        break;
    default:
        if (decay) WAY(adam)(s, true, w, u, v, g, n);
        else WAY(adam)(s, false, w, u, v, g, n);
        break;
    }
}
