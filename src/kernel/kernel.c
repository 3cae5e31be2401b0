/* kernel.c -- the formulas of kernel.h, each once. */
#include "kernel/kernel.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "vec/fmath.h"

const char *const kernel_names[] = { "none", "linear",  "poly",       "gaussian",
                                     "rbf",  "sigmoid", "precomputed" };
enum { KERNELS = sizeof kernel_names / sizeof *kernel_names };

/* ----- parameters ----------------------------------------------------------------- */

/* A number > 0, "scale" or "auto". */
static perc_status parse_gamma(const char *option, const char *text, struct kernel *k,
                               perc_error *err)
{
    k->gamma_from = strcmp(text, "scale") == 0  ? GAMMA_SCALE
                    : strcmp(text, "auto") == 0 ? GAMMA_AUTO
                                                : GAMMA_GIVEN;
    k->gamma = NAN;
    if (k->gamma_from != GAMMA_GIVEN) return PERC_OK;
    if (!number_parse(text, strlen(text), &k->gamma) || !(k->gamma > 0))
        return fail(err, PERC_EARG, "--%s is '%.60s'; it must be a number above 0, scale or auto",
                    option, text);
    return PERC_OK;
}

/* Refuses parameters of another kernel, and names those that this one has. */
static perc_status check_given(const perc_params *p, enum kernel_type type, perc_error *err)
{
    static const struct {
        const char *option;
        unsigned kernels;
    } only[] = {
        { "degree", 1u << KERNEL_POLY },    { "gamma", 1u << KERNEL_POLY | 1u << KERNEL_RBF },
        { "sigma", 1u << KERNEL_GAUSSIAN }, { "coef0", 1u << KERNEL_POLY },
        { "eta", 1u << KERNEL_SIGMOID },    { "theta", 1u << KERNEL_SIGMOID },
    };
    static const char *const has[] = { [KERNEL_LINEAR] = "none",
                                       [KERNEL_POLY] = "--degree, --gamma and --coef0",
                                       [KERNEL_GAUSSIAN] = "--sigma",
                                       [KERNEL_RBF] = "--gamma",
                                       [KERNEL_SIGMOID] = "--eta and --theta",
                                       [KERNEL_PRECOMPUTED] = "none" };

    for (size_t i = 0; i < sizeof only / sizeof *only; i++) {
        if (!params_given(p, only[i].option) || (only[i].kernels >> type & 1)) continue;
        if (type == KERNEL_NONE)
            return fail(err, PERC_EARG, "--%s is for machines with a kernel (pass --kernel)",
                        only[i].option);
        return fail(err, PERC_EARG, "--%s is not a parameter of --kernel %s, which has %s",
                    only[i].option, kernel_names[type], has[type]);
    }
    return PERC_OK;
}

perc_status kernel_parse(const perc_params *p, struct kernel *out, perc_error *err)
{
    perc_status st;

    *out = (struct kernel){ .gamma = 1 };
    if (perc_params_get(p, "kernel") == NULL) return PERC_OK;
    while (!params_is(p, "kernel", kernel_names[out->type])) out->type++;
    if ((st = check_given(p, out->type, err))) return st;
    switch (out->type) {
    case KERNEL_POLY:
        out->degree = (int)params_int(p, "degree");
        out->coef0 = params_real(p, "coef0");
        return params_given(p, "gamma") ? parse_gamma("gamma", params_text(p, "gamma"), out, err)
                                        : PERC_OK;
    case KERNEL_GAUSSIAN: {
        const double sigma = params_real(p, "sigma"); /* whose square the table keeps in range */
        out->gamma = 1 / (2 * sigma * sigma);
        return PERC_OK;
    }
    case KERNEL_RBF:
        return parse_gamma("gamma", params_given(p, "gamma") ? params_text(p, "gamma") : "scale",
                           out, err);
    case KERNEL_SIGMOID:
        out->coef0 = params_real(p, "theta");
        return parse_gamma("eta", params_given(p, "eta") ? params_text(p, "eta") : "scale", out,
                           err);
    default: return PERC_OK;
    }
}

/* ----- values ------------------------------------------------------------------------ */

/* s + a b, as the kernel has it. */
static double step(const struct kernel *k, double a, double b, double s)
{
    return k->rounded ? s + a * b : fma(a, b, s);
}

uint64_t kernel_own_column(const struct kernel *k, const struct row *x)
{
    const double number = k->numbered ? row_entry(x, k->first - 1) : (double)x->number + 1;

    return number >= 1 && number <= UINT32_MAX ? k->first + (uint64_t)number - 1 : UINT64_MAX;
}

double kernel_norm2(const struct kernel *k, const struct row *x)
{
    if (k->type == KERNEL_PRECOMPUTED) return row_entry(x, kernel_own_column(k, x));
    return k->rounded ? row_norm2(x) : row_norm2_fused(x);
}

double kernel_distance2(const struct kernel *k, const struct row *x, const struct row *z)
{
    double sum = 0;

    for (size_t i = 0, j = 0; i < x->n || j < z->n;) {
        const uint64_t a = i < x->n ? row_column(x, i) : UINT64_MAX;
        const uint64_t b = j < z->n ? row_column(z, j) : UINT64_MAX;
        const double t = (a <= b ? row_value(x, i) : 0) - (b <= a ? row_value(z, j) : 0);
        sum = step(k, t, t, sum);
        i += a <= b;
        j += b <= a;
    }
    return sum;
}

double kernel_of_dot(const struct kernel *k, double dot, const struct row *x, double nx,
                     const struct row *z, double nz)
{
    switch (k->type) {
    case KERNEL_POLY: return fm_power(k->gamma * dot + k->coef0, k->degree);
    case KERNEL_SIGMOID: return fm_tanh(k->gamma * dot + k->coef0);
    case KERNEL_GAUSSIAN:
    case KERNEL_RBF: {
        const double size = nx + nz;
        double d2 = size - 2 * dot;
        if (!(d2 >= size * 0x1p-10)) d2 = kernel_distance2(k, x, z);
        return fm_exp(-(k->gamma * d2));
    }
    default: return dot;
    }
}

double kernel_value(const struct kernel *k, const struct row *x, double nx, const struct row *z,
                    double nz)
{
    double dot = 0;

    for (size_t i = 0, j = 0; i < x->n && j < z->n;) {
        const uint64_t a = row_column(x, i), b = row_column(z, j);
        if (a == b) dot = step(k, row_value(x, i), row_value(z, j), dot);
        i += a <= b;
        j += b <= a;
    }
    return kernel_of_dot(k, dot + 0.0, x, nx, z, nz); /* a chain may have come to -0 */
}

double kernel_self(const struct kernel *k, double nx)
{
    return kernel_is_radial(k) ? 1 : kernel_of_dot(k, nx, NULL, nx, NULL, nx);
}

/* |x.z| <= |x| |z| (Cauchy 1821), and the same bound holds for partial sums. */
double kernel_bound(const struct kernel *k, double nx)
{
    switch (k->type) {
    case KERNEL_POLY: return fm_power(k->gamma * nx + fabs(k->coef0), k->degree);
    case KERNEL_GAUSSIAN:
    case KERNEL_RBF: return 1;
    case KERNEL_SIGMOID: return k->gamma * nx + fabs(k->coef0); /* the argument of tanh */
    default: return nx;
    }
}
