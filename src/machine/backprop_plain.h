/* backprop_plain.h -- backpropagation as it stands in the textbook: one row after the other,
 * one neuron after the other.
 *
 * A network turns a row x = a_0 into sums z_l and activations a_l, layer by layer,
 *
 *     z_l = a_{l-1} W_l + b_l        a_l = f(z_l)                                (forward)
 *
 * and the last z into a loss L, the mean over the batch of weight * -log p(class). Wanted are the
 * derivatives of L by all W and b. The chain rule gives them from the last layer to the first,
 * once the derivatives by the sums, delta_l = dL/dz_l, are known (Rumelhart, Hinton and
 * Williams 1986):
 *
 *     delta_L      = weight / rows * (p - [class])             one row of it per row of the batch
 *     delta_{l-1}  = (delta_l W_l') * f'(z_{l-1})              ' transposes; * element by element
 *     dL/dW_l      = a_{l-1}' delta_l                          summed over the rows of the batch
 *     dL/db_l      = the sum of the rows of delta_l
 *
 * Dropout (Srivastava et al. 2014) puts a factor between a layer and the next: 0 for a neuron
 * that is left out, else 1 / (1 - dropout), at random for each row and neuron. What is
 * kept as `a` is f(z), before the factor, because f' is computed from it; what goes on, and is
 * part of the next layer's gradient, is `fed` = a * factor.
 *
 * This is a template: the file that includes it says what a `real` is, and how to compute with
 * it. The library does so with float, and there every sum is the chain of fused steps that
 * vec/matrix.h promises, in the same order, so that the fast loops give the same bits. A
 * test does so with double, and compares every derivative with differences of the loss.
 *
 *     real           the type
 *     FMA(a, b, c)   a b + c, rounded once
 *     ACTIVATE(f, z) f(z)
 *     SLOPE(f, a)    f'(z) where a = f(z)
 *
 * Shapes: n rows in the batch; W_l is [in][out]; a_l, fed_l, delta_l are [n][out]. The rows of
 * all of them are `stride` apart. */
#include "machine/backprop.h"
#include "vec/fmath.h"

#include <math.h>

struct plain_layer {
    size_t in, out, stride;
    const real *w; /* W [in][out] */
    const real *b; /* b [out]; NULL: no offsets */
    real *a;       /* [n][out] f(z), before dropout; in the last layer z itself */
    real *fed;     /* [n][out] what the next layer is given */
    real *delta;   /* [n][out] dL/dz */
    real *gw;      /* dL/dW [in][out] */
    real *gb;      /* dL/db [out] */
};

struct plain {
    struct pool pool;           /* of all arrays; whoever opened it frees it */
    const struct backprop *how; /* seed, step and share of dropout */
    const struct minibatch *batch;
    enum activation f;
    size_t layers, outputs;
    struct plain_layer layer[MLP_LAYERS + 1];
    double *p;    /* [n][outputs] */
    double *loss; /* [n] */
};

/* ----- memory ------------------------------------------------------------------------ */

/* For a network of the shape of m; the caller says where its weights are. */
static perc_status plain_open(struct plain *t, const struct backprop *how, const struct mlp *m,
                              const struct minibatch *batch)
{
    const size_t n = batch->n;

    *t = (struct plain){ .pool.e = m->e,
                         .how = how,
                         .batch = batch,
                         .f = m->activation,
                         .layers = m->layers,
                         .outputs = mlp_outputs(m) };
    t->p = pool_zeroed(&t->pool, n, t->outputs * sizeof *t->p);
    t->loss = pool_zeroed(&t->pool, n, sizeof *t->loss);
    for (size_t l = 0; l < m->layers; l++) {
        struct plain_layer *y = &t->layer[l];
        const size_t row = m->layer[l].stride * sizeof(real);
        y->in = m->layer[l].in;
        y->out = m->layer[l].out;
        y->stride = m->layer[l].stride;
        y->a = pool_zeroed(&t->pool, n, row);
        y->fed = pool_zeroed(&t->pool, n, row);
        y->delta = pool_zeroed(&t->pool, n, row);
        y->gw = pool_zeroed(&t->pool, y->in, row);
        y->gb = pool_zeroed(&t->pool, 1, row);
    }
    if (!t->pool.failed) return PERC_OK;
    pool_free(&t->pool);
    return PERC_ENOMEM;
}

/* ----- forward ------------------------------------------------------------------------ */

/* z_iu = sum_j x_ij W_ju + b_u, over the j where x_ij is not 0. */
static void plain_sums_of_rows(const struct sparse *x, const struct plain_layer *y)
{
    for (size_t i = 0; i < x->rows; i++)
        for (size_t u = 0; u < y->out; u++) {
            real z = 0;
            for (uint32_t k = x->start[i]; k < x->start[i + 1]; k++)
                z = FMA((real)x->value[k], y->w[x->column[k] * y->stride + u], z);
            y->a[i * y->stride + u] = y->b != NULL ? z + y->b[u] : z;
        }
}

/* z_iu = sum_j fed_ij W_ju + b_u, fed being that of the layer before. */
static void plain_sums(const struct plain_layer *before, const struct plain_layer *y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t u = 0; u < y->out; u++) {
            real z = 0;
            for (size_t j = 0; j < y->in; j++)
                z = FMA(before->fed[i * before->stride + j], y->w[j * y->stride + u], z);
            y->a[i * y->stride + u] = y->b != NULL ? z + y->b[u] : z;
        }
}

/* What dropout does to neuron u of layer l for row i: a factor of 0 or 1 / (1 - dropout). */
static real plain_factor(const struct plain *t, size_t l, size_t i, size_t u)
{
    const struct backprop *b = t->how;

    if (!(b->dropout > 0)) return 1;
    return backprop_stays(b, b->steps + 1, l, i, u) ? (real)backprop_scale(b->dropout) : 0;
}

/* a = f(z), in the place of z; fed = a * factor. */
static void plain_activate(const struct plain *t, size_t l)
{
    const struct plain_layer *y = &t->layer[l];

    for (size_t i = 0; i < t->batch->n; i++)
        for (size_t u = 0; u < y->out; u++) {
            const size_t at = i * y->stride + u;
            y->a[at] = ACTIVATE(t->f, y->a[at]);
            y->fed[at] = y->a[at] * plain_factor(t, l, i, u);
        }
}

static void plain_forward(const struct plain *t)
{
    const struct sparse x = minibatch_rows(t->batch);

    for (size_t l = 0; l < t->layers; l++) {
        if (l == 0) plain_sums_of_rows(&x, &t->layer[0]);
        else plain_sums(&t->layer[l - 1], &t->layer[l], t->batch->n);
        if (l + 1 < t->layers) plain_activate(t, l);
    }
}

/* ----- the output: loss and delta_L ------------------------------------------------------ */

/* -log p(class), from z: without taking the logarithm of a p that has become 0.
 *   two classes   log(1 + exp(-s)) = max(-s, 0) + log(1 + exp(-|s|)),   s = z or -z
 *   more          log sum_c exp(z_c - z_max) - (z_class - z_max)                        */
static double plain_surprise(const real *z, size_t outputs, size_t class)
{
    if (outputs == 1) {
        const double s = class == 1 ? (double)z[0] : -(double)z[0];
        return (s < 0 ? -s : 0) + fm_log(1 + fm_exp(-fabs(s)));
    }
    double largest = (double)z[0], sum = 0;
    for (size_t c = 1; c < outputs; c++)
        if ((double)z[c] > largest) largest = (double)z[c];
    for (size_t c = 0; c < outputs; c++) sum += fm_exp((double)z[c] - largest);
    return fm_log(sum) - ((double)z[class] - largest);
}

/* Whether another class is as good or better: a tie is a mistake, and so is NaN. */
static bool plain_mistake(const real *z, size_t outputs, size_t class)
{
    if (outputs == 1) return class == 1 ? !(z[0] > 0) : !(z[0] < 0);
    for (size_t c = 0; c < outputs; c++)
        if (c != class && !(z[class] > z[c])) return true;
    return false;
}

/* See backprop_output. */
static uint64_t plain_output(const struct minibatch *batch, size_t from, size_t to, size_t outputs,
                             const real *z, size_t stride, double *p, double *loss, real *delta)
{
    uint64_t mistakes = 0;

    for (size_t i = from; i < to; i++) {
        const real *z_i = z + i * stride;
        double *p_i = p + i * outputs;
        const size_t class = batch->class[i];
        const double weight = (double)batch->weight[i];
        for (size_t c = 0; c < outputs; c++) p_i[c] = (double)z_i[c];
        mlp_proba(p_i, outputs, p_i);
        loss[i] = weight * plain_surprise(z_i, outputs, class);
        mistakes += weight > 0 && plain_mistake(z_i, outputs, class);
        for (size_t c = 0; c < outputs; c++) {
            const bool is = outputs == 1 ? class == 1 : c == class;
            delta[i * stride + c] = (real)(weight / (double)batch->counted * (p_i[c] - is));
        }
    }
    return mistakes;
}

/* ----- backward ---------------------------------------------------------------------------- */

/* delta_ij = (sum_u delta_iu W_ju) * factor * f'(z_ij): u counts the neurons of the layer after,
 * j those of layer l. */
static void plain_delta(const struct plain *t, size_t l)
{
    const struct plain_layer *y = &t->layer[l], *after = &t->layer[l + 1];

    for (size_t i = 0; i < t->batch->n; i++)
        for (size_t j = 0; j < y->out; j++) {
            real d = 0;
            for (size_t u = 0; u < after->out; u++)
                d = FMA(after->delta[i * after->stride + u], after->w[j * after->stride + u], d);
            d = d * plain_factor(t, l, i, j);
            y->delta[i * y->stride + j] = d * SLOPE(t->f, y->a[i * y->stride + j]);
        }
}

/* dL/dW_ju = sum_i x_ij delta_iu. A column that no row uses keeps the gradient 0. */
static void plain_gradient_of_rows(const struct sparse *x, const struct plain_layer *y)
{
    for (size_t i = 0; i < x->rows; i++)
        for (uint32_t k = x->start[i]; k < x->start[i + 1]; k++)
            for (size_t u = 0; u < y->out; u++) {
                real *g = &y->gw[x->column[k] * y->stride + u];
                *g = FMA((real)x->value[k], y->delta[i * y->stride + u], *g);
            }
}

/* dL/dW_ju = sum_i fed_ij delta_iu, fed being that of the layer before. */
static void plain_gradient(const struct plain_layer *before, const struct plain_layer *y, size_t n)
{
    for (size_t j = 0; j < y->in; j++)
        for (size_t u = 0; u < y->out; u++) {
            real g = 0;
            for (size_t i = 0; i < n; i++)
                g = FMA(before->fed[i * before->stride + j], y->delta[i * y->stride + u], g);
            y->gw[j * y->stride + u] = g;
        }
}

/* dL/db_u = sum_i delta_iu. */
static void plain_gradient_of_offsets(const struct plain_layer *y, size_t n)
{
    for (size_t u = 0; u < y->out; u++) {
        real g = 0;
        for (size_t i = 0; i < n; i++) g += y->delta[i * y->stride + u];
        y->gb[u] = g;
    }
}

static void plain_backward(const struct plain *t)
{
    const struct sparse x = minibatch_rows(t->batch);

    for (size_t l = t->layers; l-- > 0;) {
        if (l + 1 < t->layers) plain_delta(t, l);
        if (l == 0) plain_gradient_of_rows(&x, &t->layer[0]);
        else plain_gradient(&t->layer[l - 1], &t->layer[l], t->batch->n);
        plain_gradient_of_offsets(&t->layer[l], t->batch->n);
    }
}

/* ----- all of it ------------------------------------------------------------------------------ */

/* The loss of the batch, its mistakes, and all derivatives. */
static struct backprop_outcome plain_learn(const struct plain *t)
{
    const struct plain_layer *last = &t->layer[t->layers - 1];
    struct backprop_outcome out = { 0 };

    plain_forward(t);
    out.mistakes = plain_output(t->batch, 0, t->batch->n, t->outputs, last->a, last->stride, t->p,
                                t->loss, last->delta);
    for (size_t i = 0; i < t->batch->n; i++) out.loss += t->loss[i];
    plain_backward(t);
    return out;
}
