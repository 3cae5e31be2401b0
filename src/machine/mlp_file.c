/* mlp_file.c -- a network in a model file: two tensors a layer, rows without their padding.
 *
 *     PREFIX 0.weight   F32 [features, out]    row j: the weights of feature j
 *     PREFIX 0.offset   F32 [out]              zeros where the network has no offsets
 *     PREFIX 1.weight   F32 [in, out]          ...
 *
 * The same for the moments of an optimiser, which have the shape of the weights. Nothing is
 * believed: all tensors are checked before the first number is taken over. */
#include "machine/mlp.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void name_of(char name[TENSOR_NAME], const char *prefix, size_t l, const char *what)
{
    snprintf(name, TENSOR_NAME, "%s%zu.%s", prefix, l, what);
}

/* ----- writing -------------------------------------------------------------------- */

void mlp_packed_free(struct mlp_packed *p)
{
    for (size_t k = 0; k < p->arrays; k++)
        mem_free(&p->e, p->array[k].at, p->array[k].n, sizeof *p->array[k].at);
    mem_free(&p->e, p->array, p->cap, sizeof *p->array);
    *p = (struct mlp_packed){ .e = p->e };
}

/* Memory for n floats, kept by p. NULL: memory is out. */
static float *keep(struct mlp_packed *p, size_t n)
{
    void *array = p->array;

    if (!mem_grow(&p->e, &array, &p->cap, p->arrays + 1, sizeof *p->array)) return NULL;
    p->array = array;
    float *at = mem_array(&p->e, n, sizeof *at);
    if (at == NULL) return NULL;
    p->array[p->arrays].at = at;
    p->array[p->arrays].n = n;
    p->arrays++;
    return at;
}

/* Rows `below` .. in - 1 of the weights, without padding: where they lie if there is none. */
static perc_status pack_weights(const struct layer *y, size_t below, struct mlp_packed *p,
                                const float **out)
{
    const size_t rows = y->in - below;
    float *to;

    *out = y->w + below * y->stride;
    if (y->stride == y->out) return PERC_OK;
    if ((to = keep(p, rows * y->out)) == NULL) return PERC_ENOMEM;
    for (size_t j = 0; j < rows; j++)
        memcpy(to + j * y->out, *out + j * y->stride, y->out * sizeof *to);
    *out = to;
    return PERC_OK;
}

perc_status mlp_pack(const struct mlp *m, uint64_t below, const char *prefix, struct tensors *t,
                     struct mlp_packed *packed)
{
    char name[TENSOR_NAME];

    if (packed->e.alloc == NULL) packed->e = m->e;
    for (size_t l = 0; l < m->layers; l++) {
        const struct layer *y = &m->layer[l];
        const size_t skip = l > 0 ? 0 : below < y->in ? (size_t)below : y->in;
        const float *w;
        if (pack_weights(y, skip, packed, &w)) return PERC_ENOMEM;
        name_of(name, prefix, l, "weight");
        if (tensors_add(t, name, DTYPE_F32, w, y->in - skip, y->out)) return PERC_ENOMEM;
        name_of(name, prefix, l, "offset");
        if (tensors_add(t, name, DTYPE_F32, y->b, y->out, 0)) return PERC_ENOMEM;
    }
    return PERC_OK;
}

/* ----- reading ---------------------------------------------------------------------- */

/* "layer.0.weight[17, 3] is not a finite number"; columns 0: of one dimension. */
static perc_status check_finite(const struct tensor *one, perc_error *err)
{
    const float *v = one->data;
    const uint64_t columns = one->dims == 2 ? one->shape[1] : 0;

    for (uint64_t k = 0; k < one->count; k++) {
        if (fabsf(v[k]) <= FLT_MAX) continue;
        if (columns == 0)
            return fail(err, PERC_EDATA, "%s[%llu] is not a finite number", one->name,
                        (unsigned long long)k);
        return fail(err, PERC_EDATA, "%s[%llu, %llu] is not a finite number", one->name,
                    (unsigned long long)(k / columns), (unsigned long long)(k % columns));
    }
    return PERC_OK;
}

/* The weights of layer l; the number of rows is the file's if `any`, else `rows`. */
static perc_status find_weights(const struct tensors *t, const char *prefix, size_t l, bool any,
                                uint64_t rows, uint64_t out, const struct tensor **found,
                                perc_error *err)
{
    char name[TENSOR_NAME], shape[32] = "features";
    const struct tensor *one;

    name_of(name, prefix, l, "weight");
    if ((one = *found = tensors_find(t, name)) == NULL)
        return fail(err, PERC_EDATA, "tensor '%s' is missing", name);
    if (one->type == DTYPE_F32 && one->dims == 2 && one->shape[1] == out &&
        (any || one->shape[0] == rows))
        return check_finite(one, err);
    if (!any) snprintf(shape, sizeof shape, "%llu", (unsigned long long)rows);
    return fail(err, PERC_EDATA, "tensor '%s' must be F32 of shape [%s, %llu]", name, shape,
                (unsigned long long)out);
}

static perc_status find_offsets(const struct tensors *t, const char *prefix, size_t l,
                                const struct mlp *m, const struct tensor **found, perc_error *err)
{
    const size_t out = m->layer[l].out;
    char name[TENSOR_NAME];
    const struct tensor *one;

    name_of(name, prefix, l, "offset");
    if ((one = *found = tensors_find(t, name)) == NULL)
        return fail(err, PERC_EDATA, "tensor '%s' is missing", name);
    if (one->type != DTYPE_F32 || one->dims != 1 || one->shape[0] != out)
        return fail(err, PERC_EDATA, "tensor '%s' must be F32 of shape [%zu]", name, out);
    for (size_t u = 0; u < out && !m->offset; u++)
        if (((const float *)one->data)[u] != 0)
            return fail(err, PERC_EDATA, "%s[%zu] must be 0: the network has no offsets", name, u);
    return check_finite(one, err);
}

/* The values of a layer of `below` rows, which are 0, and those of the tensors. */
static void take(struct layer *y, size_t below, const struct tensor *weight,
                 const struct tensor *offset)
{
    const float *w = weight->data;

    y->in = below + (size_t)weight->shape[0];
    memset(y->w, 0, y->in * y->stride * sizeof *y->w);
    for (size_t j = below; j < y->in; j++, w += y->out)
        memcpy(y->w + j * y->stride, w, y->out * sizeof *w);
    memset(y->b, 0, y->stride * sizeof *y->b);
    memcpy(y->b, offset->data, y->out * sizeof *y->b);
}

perc_status mlp_unpack(struct mlp *m, uint64_t below, const char *prefix, bool first,
                       const struct tensors *t, perc_error *err)
{
    const struct tensor *weight[MLP_LAYERS + 1], *offset[MLP_LAYERS + 1];
    const uint64_t in = m->layer[0].in, rows = in > below ? in - below : 0;
    perc_status st;

    for (size_t l = 0; l < m->layers; l++) {
        const struct layer *y = &m->layer[l];
        if ((st = find_weights(t, prefix, l, l == 0 && first, l == 0 ? rows : y->in, y->out,
                               &weight[l], err)) ||
            (st = find_offsets(t, prefix, l, m, &offset[l], err)))
            return st;
    }
    if (weight[0]->shape[0] > (uint64_t)UINT32_MAX + 1 - below)
        return fail(err, PERC_EDATA, "tensor '%s' has more rows than there can be features",
                    weight[0]->name);
    if (mlp_reserve(m, below + weight[0]->shape[0])) return fail_memory(err);
    for (size_t l = 0; l < m->layers; l++)
        take(&m->layer[l], l == 0 ? (size_t)below : 0, weight[l], offset[l]);
    m->below = below;
    return PERC_OK;
}
