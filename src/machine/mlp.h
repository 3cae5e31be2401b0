/* mlp.h -- a multi-layer perceptron: layers of neurons, each fed by all of the layer before.
 *
 *     a_0 = x,    a_l = f(a_{l-1} W_l + b_l),    z = a_{L-1} W_L + b_L       l = 1 .. L - 1
 *
 * A row vector comes in from the left: W_l is [in, out]. The output z has no activation. Two
 * classes: one output, p(class 1) = 1 / (1 + exp(-z)); more: one each, p = softmax(z). Numbers
 * are floats; products are those of vec/matrix.h, so that z is the same on every machine, for
 * dense and sparse rows. The offset is added to a finished sum.
 *
 * The first layer has a row of weights for every column of the data; those below the base (see
 * docs/architecture.md) are not used. A column met later than the start (streams, perc_learn)
 * gets a row that is drawn from (seed, feature) alone, with the deviation that the start had: so
 * it matters neither when it is met nor from which base columns are counted.
 *
 * The start (He et al. 2015; Glorot and Bengio 2010): weights are normal numbers of variance
 *   he      2 / in                 for relu
 *   glorot  2 / (in + out)         for sigmoid and tanh, and for the output layer
 * and offsets 0. `in` of the first layer is the number of features the network was begun with. */
#ifndef PERC_MLP_H
#define PERC_MLP_H

#include "base/tensors.h"
#include "vec/matrix.h"
#include "vec/net.h"

enum { MLP_LAYERS = 32, MLP_WIDTH = 1 << 20 }; /* at most: hidden layers, neurons in one */

struct layer {
    size_t in, out; /* in of the first: columns of the data, those below the base among them */
    size_t room;    /* of the first: rows that there is memory for, >= in */
    size_t stride;  /* matrix_stride(out); of the last layer more, if outputs are reserved */
    float *w;       /* [room][stride] */
    float *b;       /* [stride] */
};

enum mlp_start { MLP_HE, MLP_GLOROT };
extern const char *const activation_words[]; /* by enum activation */

struct mlp {
    struct env e;
    enum activation activation;
    bool offset;
    enum mlp_start start; /* of hidden layers */
    uint64_t seed;
    uint64_t features; /* the network began with: for the deviation of the first layer.
                             0: weights that appear are 0 (moments) */
    uint64_t below;    /* columns under it are not used: their weights stay 0 */
    size_t layers;     /* hidden layers + 1 */
    struct layer *layer;
};

struct mlp_shape {
    enum activation activation;
    bool offset;
    enum mlp_start start;
    uint64_t seed;
    size_t hidden[MLP_LAYERS];
    size_t depth; /* hidden layers, at least 1 */
};
/* "100,50" to hidden and depth. PERC_EARG with a clear text: no number, zero width, too many. */
perc_status mlp_parse_layers(const char *text, struct mlp_shape *shape, perc_error *err);

/* A network for `columns` columns of the data with these hidden layers and outputs, all zero. On
 * failure *m is empty, and mlp_free is fine; likewise for the two below. */
perc_status mlp_init(struct mlp *m, const struct env *e, const struct mlp_shape *shape,
                     uint64_t columns, size_t outputs);
void mlp_free(struct mlp *m); /* safe on a zeroed struct */
perc_status mlp_copy(const struct env *e, const struct mlp *from, struct mlp *to);
/* The values of `from`, which has the same shape (but no more columns than m has had), without
 * allocating. */
void mlp_assign(struct mlp *m, const struct mlp *from);
/* A network of the same shape, all zero, that draws nothing (for moments). */
perc_status mlp_like(const struct mlp *m, struct mlp *out);
/* Draws the start, for `features` features (0 counts as 1), columns `below` and up being in use. */
void mlp_draw(struct mlp *m, uint64_t features, uint64_t below);
/* Rows for columns below `columns`, drawn (features > 0) or 0. On failure, here and below, the
 * network is what it was. */
perc_status mlp_grow(struct mlp *m, uint64_t columns);

/* ----- classes that appear ------------------------------------------------------- */

/* Room for `outputs` in each of n networks, a network and its moments: in all of them, or, with
 * PERC_ENOMEM, in none. A new output then moves others and copies nothing. */
enum { MLP_TOGETHER = 3 };
perc_status mlp_reserve(struct mlp *const *set, size_t n, size_t outputs);
/* The others need that room, and cannot fail. One output z becomes two, -z/2 and z/2: the same
 * probabilities. `square`: for second moments, both a quarter; else halves with signs. */
void mlp_split(struct mlp *m, bool square);
/* Changes the sign of the one output: the other label is class 1 now. Squares stay. */
void mlp_negate(struct mlp *m);
/* A new output at place `at`, of weights 0. */
void mlp_insert(struct mlp *m, size_t at);

/* ----- numbers --------------------------------------------------------------------- */

static inline size_t mlp_outputs(const struct mlp *m)
{
    return m->layer[m->layers - 1].out;
}
uint64_t mlp_weights(const struct mlp *m, uint64_t below); /* numbers that are learned */
bool mlp_is_finite(const struct mlp *m);
bool mlp_any_negative(const struct mlp *m); /* second moments must not have any */

/* ----- scores ------------------------------------------------------------------------ */

/* Scratch for `rows` rows at a time: the activations of all layers. */
struct mlp_scratch {
    struct env e;
    size_t rows; /* room */
    size_t layers;
    float **a; /* a[l]: [rows][stride of layer l], l = 0 .. layers - 1 */
    size_t *stride;
};
perc_status mlp_scratch_init(struct mlp_scratch *s, const struct env *e, const struct mlp *m,
                             size_t rows);
void mlp_scratch_free(struct mlp_scratch *s); /* safe on a zeroed struct */
/* All layers for rows from .. to - 1 of x, row i into row i of every a[l]; hidden layers with
 * activation. Entries of x whose column the network does not know must not be in x. Threads may
 * share the scratch, each with rows of its own. */
void mlp_forward(const struct mlp *m, struct mlp_scratch *s, const struct sparse *x, size_t from,
                 size_t to);
/* The same for one layer: l = 0 from x, else from a[l - 1]. */
void mlp_forward_layer(const struct mlp *m, struct mlp_scratch *s, size_t l, const struct sparse *x,
                       size_t from, size_t to);
/* p from the z of a row, `outputs` of them (two classes: 1 -> p(class 1)); in double, the softmax
 * relative to the largest z. In place is fine. */
void mlp_proba(const double *z, size_t outputs, double *p);

/* ----- the file ------------------------------------------------------------------------- */

/* Tensors PREFIX + "0.weight" F32 [features, out], "0.offset" F32 [out], "1.weight" ...; rows of
 * the first layer from `below` on. PERC_ENOMEM. */
perc_status mlp_pack(const struct mlp *m, uint64_t below, const char *prefix, struct tensors *t);
/* Reads into m, which has its shape except for the columns: those come from the file (`first`) or
 * must be the same (moments). PERC_EDATA: a tensor is missing, of another type or shape, or not
 * finite. */
perc_status mlp_unpack(struct mlp *m, uint64_t below, const char *prefix, bool first,
                       const struct tensors *t, perc_error *err);

#endif
