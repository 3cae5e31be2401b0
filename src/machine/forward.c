/* forward.c -- rows of data through a network, some at a time; and what they add to the loss. */
#include "machine/forward.h"

#include <math.h>

#include "vec/fmath.h"

/* Floats of the scratch, so that wide layers do not ask for gigabytes: 16 MB. */
enum { FORWARD_FLOATS = 1 << 22 };

perc_status forward_open(struct forward *f, const struct env *e, const struct mlp *net, size_t rows)
{
    size_t floats = 0;

    for (size_t l = 0; l < net->layers; l++) floats += net->layer[l].stride;
    const size_t fit = floats > 0 ? FORWARD_FLOATS / floats : rows; /* rows of activations */
    if (rows > FORWARD_ROWS) rows = FORWARD_ROWS;
    if (rows > fit) rows = fit;
    *f = (struct forward){ .e = *e, .net = net, .most = rows > 0 ? rows : 1 };
    minibatch_init(&f->batch, e);
    return mlp_scratch_init(&f->scratch, e, net, f->most);
}

void forward_close(struct forward *f)
{
    minibatch_free(&f->batch);
    mlp_scratch_free(&f->scratch);
    *f = (struct forward){ .e = f->e };
}

/* Columns increase, so those that the network knows are the first ones. */
perc_status forward_add(struct forward *f, const struct row *x)
{
    const uint64_t dims = f->net->layer[0].in;
    struct row known = *x;
    size_t low = 0, high = x->n; /* entries below `low` are known, those from `high` on are not */

    if (x->n == 0 || row_column(x, x->n - 1) < dims) low = x->n;
    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        if (row_column(x, mid) < dims) low = mid + 1;
        else high = mid;
    }
    known.n = low;
    return minibatch_add(&f->batch, &known, 0, 1, 0);
}

void forward_run(struct forward *f, double *out)
{
    const struct sparse x = minibatch_rows(&f->batch);
    const struct layer *last = &f->net->layer[f->net->layers - 1];

    mlp_forward(f->net, &f->scratch, &x, 0, x.rows);
    for (size_t i = 0; i < x.rows; i++) {
        const float *z = f->scratch.a[f->net->layers - 1] + i * last->stride;
        for (size_t c = 0; c < last->out; c++) out[i * last->out + c] = (double)z[c];
    }
    minibatch_clear(&f->batch);
}

/* Two classes: log(1 + exp(f)), f = z for class 0 and -z for class 1. More, with t the largest
 * z: t - z_class + log(1 + sum over the others of exp(z_c - t)), of which no part is a small
 * difference of large numbers. */
double forward_loss(const double *z, size_t outputs, size_t class)
{
    size_t top = 0;
    double sum = 0;

    if (outputs == 1) {
        const double f = class > 0 ? -z[0] : z[0];
        return (f > 0 ? f : 0) + fm_log_1_plus(fm_exp(-fabs(f)));
    }
    for (size_t c = 1; c < outputs; c++)
        if (z[c] > z[top]) top = c;
    for (size_t c = 0; c < outputs; c++)
        if (c != top) sum += fm_exp(z[c] - z[top]);
    return z[top] - z[class] + fm_log_1_plus(sum);
}
