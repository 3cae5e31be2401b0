/* mlp_file.c -- a network in a model file: two tensors a layer, rows without their padding.
 *
 *     PREFIX 0.weight   F32 [features, out]    row j: the weights of feature j
 *     PREFIX 0.offset   F32 [out]              zeros where the network has no offsets
 *     PREFIX 1.weight   F32 [in, out]          ...
 *
 * The same for the moments of an optimiser, which have the shape of the weights. Nothing is
 * believed: all tensors are checked before the first number is taken over. */
#include "machine/mlp.h"

#include <stdio.h>
#include <string.h>

static void name_of(char name[TENSOR_NAME], const char *prefix, size_t l, const char *what)
{
    snprintf(name, TENSOR_NAME, "%s%zu.%s", prefix, l, what);
}

/* Rows of the first layer that no data use. */
static size_t skipped(const struct mlp *m, size_t l, uint64_t below)
{
    return l > 0 ? 0 : below < m->layer[0].in ? (size_t)below : m->layer[0].in;
}

perc_status mlp_pack(const struct mlp *m, uint64_t below, const char *prefix, struct tensors *t)
{
    char name[TENSOR_NAME];

    for (size_t l = 0; l < m->layers; l++) {
        const struct layer *y = &m->layer[l];
        const size_t skip = skipped(m, l, below);
        name_of(name, prefix, l, "weight");
        if (tensors_add_rows(t, name, DTYPE_F32, y->w + skip * y->stride, y->stride * sizeof *y->w,
                             y->in - skip, y->out))
            return PERC_ENOMEM;
        name_of(name, prefix, l, "offset");
        if (tensors_add(t, name, DTYPE_F32, y->b, y->out, 0)) return PERC_ENOMEM;
    }
    return PERC_OK;
}

/* The tensors of layer l; the rows of the first are as many as the file has, if `any`. */
static perc_status find_layer(const struct mlp *m, size_t l, uint64_t below, const char *prefix,
                              bool any, const struct tensors *t, const struct tensor **weight,
                              const struct tensor **offset, perc_error *err)
{
    const struct layer *y = &m->layer[l];
    const uint64_t rows = y->in - skipped(m, l, below);
    char name[TENSOR_NAME];
    perc_status st;

    name_of(name, prefix, l, "weight");
    if ((st = tensors_want(t, name, DTYPE_F32, any ? TENSORS_ANY : rows, y->out, weight, err)))
        return st;
    name_of(name, prefix, l, "offset");
    if ((st = tensors_want(t, name, DTYPE_F32, y->out, 0, offset, err))) return st;
    for (size_t u = 0; u < y->out && !m->offset; u++)
        if (((const float *)(*offset)->data)[u] != 0)
            return tensors_wrong(err, name, u, "must be 0: the network has no offsets");
    return PERC_OK;
}

perc_status mlp_unpack(struct mlp *m, uint64_t below, const char *prefix, bool first,
                       const struct tensors *t, perc_error *err)
{
    const struct tensor *weight[MLP_LAYERS + 1], *offset[MLP_LAYERS + 1];
    perc_status st;

    for (size_t l = 0; l < m->layers; l++)
        if ((st = find_layer(m, l, below, prefix, l == 0 && first, t, &weight[l], &offset[l], err)))
            return st;
    if (weight[0]->shape[0] > (uint64_t)UINT32_MAX + 1 - below)
        return fail(err, PERC_EDATA, "tensor '%s' has more rows than there can be features",
                    weight[0]->name);
    if (mlp_reserve(m, below + weight[0]->shape[0])) return fail_memory(err);
    for (size_t l = 0; l < m->layers; l++) {
        struct layer *y = &m->layer[l];
        const size_t unused = l == 0 ? (size_t)below : 0; /* their weights are 0 */
        y->in = unused + (size_t)weight[l]->shape[0];
        memset(y->w, 0, y->in * y->stride * sizeof *y->w);
        tensors_copy_rows(weight[l], y->w + unused * y->stride, y->stride * sizeof *y->w);
        memset(y->b, 0, y->stride * sizeof *y->b);
        tensors_copy_rows(offset[l], y->b, sizeof *y->b);
    }
    m->below = below;
    return PERC_OK;
}
