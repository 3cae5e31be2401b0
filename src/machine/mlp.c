/* mlp.c -- a multi-layer perceptron as numbers: its shape, its start, its growth, its scores.
 *
 * The start is drawn from the seed by place, never in the order of a walk: each row of the first
 * layer has a random stream of its own, so that a column that a stream of data shows late has the
 * weights it would have had from the beginning; each other layer has one.
 *
 * Rows of the data are sparse or dense as they come, and the first product is computed in the
 * way that is faster: entry by entry, or spread out in small panels of columns. Every
 * element is one chain of fused steps in the order of the columns either way (vec/matrix.h),
 * so that it makes no difference to a bit of the result as long as the weights are finite.
 *
 * Invariant   what is beyond the last column of w and b is 0.
 * Not here    learning (machine/backprop.c). */
#include "machine/mlp.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "vec/fmath.h"
#include "vec/matrix_memory.h"
#include "vec/rng.h"

const char *const activation_words[] = { "relu", "sigmoid", "tanh" };

/* Streams of the seed are numbered by passes elsewhere: the start has a seed of its own. */
static const uint64_t START_SEED = 0x6d6c702e73746172u; /* "mlp.star" */

/* ----- "100,50" ------------------------------------------------------------------ */

static perc_status parse_width(const char *text, const char *s, size_t len, size_t *out,
                               perc_error *err)
{
    const int show = len < 40 ? (int)len : 40;
    int64_t width;

    if (len == 0)
        return fail(err, PERC_EARG, "--layers %.80s: a number is missing; write 100 or 100,50",
                    text);
    for (size_t k = 0; k < len; k++)
        if (s[k] < '0' || s[k] > '9')
            return fail(err, PERC_EARG, "--layers %.80s: '%.*s' is not a whole number", text, show,
                        s);
    if (!number_parse_int(s, len, &width) || width > MLP_WIDTH)
        return fail(err, PERC_EARG,
                    "--layers %.80s: a layer of %.*s neurons is too wide; at most "
                    "%d are possible",
                    text, show, s, MLP_WIDTH);
    if (width == 0)
        return fail(err, PERC_EARG, "--layers %.80s: a layer needs at least one neuron", text);
    *out = (size_t)width;
    return PERC_OK;
}

perc_status mlp_parse_layers(const char *text, struct mlp_shape *shape, perc_error *err)
{
    size_t hidden[MLP_LAYERS], depth = 0;

    if (*text == '\0')
        return fail(err, PERC_EARG,
                    "--layers is empty: at least one hidden layer is needed, "
                    "as in --layers 100");
    for (const char *s = text;;) {
        const size_t len = strcspn(s, ",-"); /* '-': in lists of values the comma separates those */
        if (depth == MLP_LAYERS)
            return fail(err, PERC_EARG, "--layers %.80s: at most %d hidden layers are possible",
                        text, MLP_LAYERS);
        const perc_status st = parse_width(text, s, len, &hidden[depth], err);
        if (st) return st;
        depth++;
        if (s[len] == '\0') break;
        s += len + 1;
    }
    memcpy(shape->hidden, hidden, depth * sizeof *hidden);
    shape->depth = depth;
    return PERC_OK;
}

/* ----- memory --------------------------------------------------------------------- */

/* A layer for `in` rows, with room for `wide` neurons, all zero. On failure it holds nothing. */
static perc_status layer_init(const struct env *e, struct layer *y, uint64_t in, size_t out,
                              size_t wide)
{
    *y = (struct layer){ 0 };
    if (wide > SIZE_MAX - MATRIX_LANES) return PERC_ENOMEM;
    const size_t stride = matrix_stride(wide);
    float *w = matrix_new(e, in, stride), *b = matrix_new(e, 1, stride);
    if (w == NULL || b == NULL) {
        matrix_free(e, w, in, stride);
        matrix_free(e, b, 1, stride);
        return PERC_ENOMEM;
    }
    *y = (struct layer){ (size_t)in, out, (size_t)in, stride, w, b };
    return PERC_OK;
}

static void layer_free(const struct env *e, struct layer *y)
{
    matrix_free(e, y->w, y->room, y->stride);
    matrix_free(e, y->b, 1, y->stride);
    *y = (struct layer){ 0 };
}

/* A network of these layers, the first on `columns` columns; layer l has width[l] neurons, and the
 * last has room for `outputs`. */
static perc_status make_layers(struct mlp *m, uint64_t columns, const size_t *width, size_t layers,
                               size_t outputs)
{
    m->layer = mem_zeroed(&m->e, layers, sizeof *m->layer);
    if (m->layer == NULL) return PERC_ENOMEM;
    m->layers = layers;
    for (size_t l = 0; l < layers; l++)
        if (layer_init(&m->e, &m->layer[l], l == 0 ? columns : width[l - 1], width[l],
                       l + 1 < layers ? width[l] : outputs)) {
            mlp_free(m);
            return PERC_ENOMEM;
        }
    return PERC_OK;
}

perc_status mlp_init(struct mlp *m, const struct env *e, const struct mlp_shape *shape,
                     uint64_t columns, size_t outputs)
{
    size_t width[MLP_LAYERS + 1];

    assert(shape->depth >= 1 && shape->depth <= MLP_LAYERS && outputs >= 1);
    *m = (struct mlp){ .e = *e,
                       .activation = shape->activation,
                       .offset = shape->offset,
                       .start = shape->start,
                       .seed = shape->seed };
    memcpy(width, shape->hidden, shape->depth * sizeof *width);
    width[shape->depth] = outputs;
    return make_layers(m, columns, width, shape->depth + 1, outputs);
}

void mlp_free(struct mlp *m)
{
    for (size_t l = 0; l < m->layers; l++) layer_free(&m->e, &m->layer[l]);
    mem_free(&m->e, m->layer, m->layers, sizeof *m->layer);
    *m = (struct mlp){ .e = m->e };
}

/* The shape and the settings of m, and its room for outputs, all weights zero. */
static perc_status make_like(const struct env *e, const struct mlp *m, struct mlp *out)
{
    size_t width[MLP_LAYERS + 1];

    *out = *m;
    out->e = *e;
    out->layers = 0;
    out->layer = NULL;
    for (size_t l = 0; l < m->layers; l++) width[l] = m->layer[l].out;
    return make_layers(out, m->layer[0].in, width, m->layers, m->layer[m->layers - 1].stride);
}

perc_status mlp_copy(const struct env *e, const struct mlp *from, struct mlp *to)
{
    if (make_like(e, from, to)) return PERC_ENOMEM;
    mlp_assign(to, from);
    return PERC_OK;
}

perc_status mlp_like(const struct mlp *m, struct mlp *out)
{
    if (make_like(&m->e, m, out)) return PERC_ENOMEM;
    out->features = 0;
    return PERC_OK;
}

void mlp_assign(struct mlp *m, const struct mlp *from)
{
    assert(m->layers == from->layers);
    for (size_t l = 0; l < m->layers; l++) {
        struct layer *y = &m->layer[l];
        const struct layer *x = &from->layer[l];
        assert(y->room >= x->in && y->out == x->out && y->stride == x->stride);
        y->in = x->in;
        if (x->in > 0) memcpy(y->w, x->w, x->in * x->stride * sizeof *y->w);
        memcpy(y->b, x->b, x->stride * sizeof *y->b);
    }
}

/* ----- the start ------------------------------------------------------------------- */

/* The standard deviation of the weights of layer l at the start. */
static double deviation(const struct mlp *m, size_t l)
{
    const struct layer *y = &m->layer[l];
    const double in = l == 0 ? (double)m->features : (double)y->in, out = (double)y->out;

    if (m->start == MLP_HE && l + 1 < m->layers) return sqrt(2 / in); /* He et al. 2015, (10) */
    return sqrt(2 / (in + out)); /* Glorot and Bengio 2010, (12) */
}

static void draw_row(struct rng *r, double sd, float *w, size_t n)
{
    for (size_t u = 0; u < n; u++) w[u] = (float)(sd * rng_normal(r));
}

/* Rows from .. to - 1 of the first layer. */
static void draw_first(struct mlp *m, uint64_t from, uint64_t to)
{
    const struct layer *y = &m->layer[0];
    const double sd = deviation(m, 0);

    for (uint64_t j = from > m->below ? from : m->below; j < to; j++) {
        struct rng r = rng_seed(m->seed ^ START_SEED, j - m->below); /* the same from any base */
        draw_row(&r, sd, y->w + j * y->stride, y->out);
    }
}

void mlp_draw(struct mlp *m, uint64_t features, uint64_t below)
{
    m->features = features > 0 ? features : 1;
    m->below = below;
    draw_first(m, 0, m->layer[0].in);
    for (size_t l = 1; l < m->layers; l++) {
        /* A layer after the first. Columns are below 2^32: its stream is not a column's. */
        const struct layer *y = &m->layer[l];
        struct rng r = rng_seed(m->seed ^ START_SEED, (uint64_t)l << 40);
        for (size_t j = 0; j < y->in; j++)
            draw_row(&r, deviation(m, l), y->w + j * y->stride, y->out);
    }
}

/* ----- growth ------------------------------------------------------------------------ */

/* Memory for `columns` rows of the first layer; what is in them is not touched. */
static perc_status reserve_columns(struct mlp *m, uint64_t columns)
{
    struct layer *y = &m->layer[0];
    const uint64_t half = (uint64_t)y->room + y->room / 2, room = half > columns ? half : columns;

    if (columns <= y->room) return PERC_OK;
    float *w = matrix_new(&m->e, room, y->stride);
    if (w == NULL) return PERC_ENOMEM;
    if (y->in > 0) memcpy(w, y->w, y->in * y->stride * sizeof *w);
    matrix_free(&m->e, y->w, y->room, y->stride);
    y->w = w;
    y->room = (size_t)room;
    return PERC_OK;
}

perc_status mlp_grow(struct mlp *m, uint64_t columns)
{
    struct layer *y = &m->layer[0];
    const size_t old = y->in;

    if (columns <= old) return PERC_OK;
    if (reserve_columns(m, columns)) return PERC_ENOMEM;
    y->in = (size_t)columns;
    memset(y->w + old * y->stride, 0, (y->in - old) * y->stride * sizeof *y->w);
    if (m->features > 0) draw_first(m, old, columns);
    return PERC_OK;
}

/* Row j of the weights of the last layer; after the last row, its offsets. */
static float *output_row(const struct layer *y, size_t j)
{
    return j < y->in ? y->w + j * y->stride : y->b;
}

/* The last layer of m, with room for more, instead of its own. */
static void move_outputs(struct mlp *m, struct layer *wide)
{
    struct layer *y = &m->layer[m->layers - 1];

    for (size_t j = 0; j <= y->in; j++)
        memcpy(output_row(wide, j), output_row(y, j), y->out * sizeof *y->w);
    layer_free(&m->e, y);
    *y = *wide;
}

perc_status mlp_reserve(struct mlp *const *set, size_t n, size_t outputs)
{
    struct layer wide[MLP_TOGETHER] = { { 0 } };
    perc_status st = PERC_OK;

    assert(n <= MLP_TOGETHER);
    for (size_t k = 0; k < n && !st; k++) {
        const struct layer *y = &set[k]->layer[set[k]->layers - 1];
        if (outputs > y->stride) st = layer_init(&set[k]->e, &wide[k], y->in, y->out, outputs);
    }
    for (size_t k = 0; k < n; k++) {
        if (st) layer_free(&set[k]->e, &wide[k]);
        else if (wide[k].w != NULL) move_outputs(set[k], &wide[k]);
    }
    return st;
}

/* softmax(-z/2, z/2) = (1 / (1 + exp(z)), 1 / (1 + exp(-z))). */
void mlp_split(struct mlp *m, bool square)
{
    struct layer *y = &m->layer[m->layers - 1];

    assert(y->out == 1 && y->stride >= 2);
    for (size_t j = 0; j <= y->in; j++) {
        float *w = output_row(y, j);
        w[1] = square ? w[0] / 4 : w[0] / 2;
        w[0] = square ? w[1] : 0 - w[1]; /* 0 - 0 is +0, where -0 would not be */
    }
    y->out = 2;
}

void mlp_negate(struct mlp *m)
{
    const struct layer *y = &m->layer[m->layers - 1];

    assert(y->out == 1);
    for (size_t j = 0; j <= y->in; j++) output_row(y, j)[0] = 0 - output_row(y, j)[0];
}

void mlp_insert(struct mlp *m, size_t at)
{
    struct layer *y = &m->layer[m->layers - 1];

    assert(at <= y->out && y->out < y->stride);
    for (size_t j = 0; j <= y->in; j++) {
        float *w = output_row(y, j);
        memmove(w + at + 1, w + at, (y->out - at) * sizeof *w);
        w[at] = 0;
    }
    y->out++;
}

/* ----- numbers -------------------------------------------------------------------------- */

uint64_t mlp_weights(const struct mlp *m, uint64_t below)
{
    uint64_t n = 0;

    for (size_t l = 0; l < m->layers; l++) {
        const struct layer *y = &m->layer[l];
        const uint64_t unused = l > 0 ? 0 : below < y->in ? below : y->in;
        n += (y->in - unused + m->offset) * y->out;
    }
    return n;
}

/* Whether any number is negative or, if `negative` is false, not finite. No branch per number: it
 * is asked after every pass. */
static inline bool has_bad(const float *w, size_t n, bool negative)
{
    unsigned bad = 0;

    for (size_t k = 0; k < n; k++) bad |= negative ? w[k] < 0 : !(fabsf(w[k]) <= FLT_MAX);
    return bad != 0;
}

static inline bool any_bad(const struct mlp *m, bool negative)
{
    bool bad = false;

    for (size_t k = 0; k < m->layers; k++) {
        const struct layer *y = &m->layer[k];
        bad |= has_bad(y->w, y->in * y->stride, negative) || has_bad(y->b, y->stride, negative);
    }
    return bad;
}

bool mlp_is_finite(const struct mlp *m)
{
    return !any_bad(m, false);
}

bool mlp_any_negative(const struct mlp *m)
{
    return any_bad(m, true);
}

/* ----- scores ---------------------------------------------------------------------------- */

perc_status mlp_scratch_init(struct mlp_scratch *s, const struct env *e, const struct mlp *m,
                             size_t rows)
{
    *s = (struct mlp_scratch){ .e = *e, .rows = rows, .layers = m->layers };
    s->a = mem_zeroed(e, m->layers, sizeof *s->a);
    s->stride = mem_zeroed(e, m->layers, sizeof *s->stride);
    bool made = s->a != NULL && s->stride != NULL;
    for (size_t l = 0; l < m->layers && made; l++) {
        s->stride[l] = m->layer[l].stride;
        s->a[l] = matrix_new(e, rows, s->stride[l]);
        made = s->a[l] != NULL;
    }
    if (made) return PERC_OK;
    mlp_scratch_free(s);
    return PERC_ENOMEM;
}

void mlp_scratch_free(struct mlp_scratch *s)
{
    for (size_t l = 0; s->a != NULL && s->stride != NULL && l < s->layers; l++)
        matrix_free(&s->e, s->a[l], s->rows, s->stride[l]);
    mem_free(&s->e, s->a, s->layers, sizeof *s->a);
    mem_free(&s->e, s->stride, s->layers, sizeof *s->stride);
    *s = (struct mlp_scratch){ .e = s->e };
}

/* Rows and columns that are spread out at a time: 16 KB, next to the weights in the first cache. It
 * pays if three entries in four are there. */
enum { PANEL_ROWS = 16, PANEL_COLUMNS = 256 };

/* Whether the rows have the same columns, with no gap: then they already lie as a matrix. Columns
 * increase, so the first and the last suffice to tell. */
static bool is_matrix(const struct sparse *x, size_t from, size_t to)
{
    const uint32_t at = x->start[from], n = x->start[from + 1] - at;

    for (size_t i = from; i < to; i++) {
        const uint32_t k = x->start[i];
        if (x->start[i + 1] - k != n || n == 0 || x->column[k] != x->column[at] ||
            x->column[k + n - 1] - x->column[k] != n - 1)
            return false;
    }
    return true;
}

/* C += X W for PANEL_ROWS rows at most, from row `from` on: panel by panel, so that the chain
 * of an element goes on in the order of the columns. */
static void add_spread(const struct sparse *x, size_t from, size_t rows, const struct layer *y,
                       float *c)
{
    float panel[PANEL_ROWS * PANEL_COLUMNS];
    uint32_t next[PANEL_ROWS]; /* the first entry of each row that is not in a panel yet */

    for (size_t i = 0; i < rows; i++) next[i] = x->start[from + i];
    for (size_t j = 0; j < y->in; j += PANEL_COLUMNS) {
        const size_t n = y->in - j < PANEL_COLUMNS ? y->in - j : PANEL_COLUMNS;
        memset(panel, 0, rows * PANEL_COLUMNS * sizeof *panel);
        for (size_t i = 0; i < rows; i++)
            for (; next[i] < x->start[from + i + 1] && x->column[next[i]] < j + n; next[i]++)
                panel[i * PANEL_COLUMNS + (x->column[next[i]] - j)] = x->value[next[i]];
        matrix_add(rows, y->stride, n, panel, PANEL_COLUMNS, 1, y->w + j * y->stride, y->stride, c,
                   y->stride);
    }
}

/* C += X W, row `from` of x being the first of C. */
static void add_first(const struct layer *y, const struct sparse *x, size_t from, size_t to,
                      float *c)
{
    const uint32_t at = x->start[from];
    const uint64_t entries = x->start[to] - at, all = (uint64_t)(to - from) * y->in;

    if (from == to) return;
    if (entries * 4 < all * 3) {
        matrix_add_sparse(x, from, to, y->stride, y->w, y->stride, c, y->stride);
    } else if (is_matrix(x, from, to)) {
        const size_t n = x->start[from + 1] - at;
        matrix_add(to - from, y->stride, n, x->value + at, n, 1, y->w + x->column[at] * y->stride,
                   y->stride, c, y->stride);
    } else {
        for (size_t i = from; i < to; i += PANEL_ROWS)
            add_spread(x, i, to - i < PANEL_ROWS ? to - i : PANEL_ROWS, y,
                       c + (i - from) * y->stride);
    }
}

void mlp_forward_layer(const struct mlp *m, struct mlp_scratch *s, size_t l, const struct sparse *x,
                       size_t from, size_t to)
{
    const struct layer *y = &m->layer[l];
    const float *b = m->offset ? y->b : NULL;
    float *c = s->a[l] + from * y->stride;
    const size_t rows = to - from;

    assert(from <= to && to <= s->rows && s->stride[l] == y->stride);
    memset(c, 0, rows * y->stride * sizeof *c);
    if (l == 0) add_first(y, x, from, to, c);
    else
        matrix_add(rows, y->stride, y->in, s->a[l - 1] + from * s->stride[l - 1], s->stride[l - 1],
                   1, y->w, y->stride, c, y->stride);
    if (l + 1 < m->layers) net_activate(m->activation, c, rows, y->out, y->stride, b);
    else if (b != NULL)
        for (size_t i = 0; i < rows; i++)
            for (size_t u = 0; u < y->out; u++) c[i * y->stride + u] += b[u];
}

void mlp_forward(const struct mlp *m, struct mlp_scratch *s, const struct sparse *x, size_t from,
                 size_t to)
{
    for (size_t l = 0; l < m->layers; l++) mlp_forward_layer(m, s, l, x, from, to);
}

/* Neither form ever takes the exponential of a large positive number. */
void mlp_proba(const double *z, size_t outputs, double *p)
{
    if (outputs == 1) {
        const double e = fm_exp(-fabs(z[0]));
        p[0] = (z[0] >= 0 ? 1 : e) / (1 + e);
        return;
    }
    double largest = z[0], sum = 0;
    for (size_t c = 1; c < outputs; c++)
        if (z[c] > largest) largest = z[c];
    for (size_t c = 0; c < outputs; c++) sum += p[c] = fm_exp(z[c] - largest);
    for (size_t c = 0; c < outputs; c++) p[c] /= sum;
}

/* ----- in a file ---------------------------------------------------------------------------
 *
 *     PREFIX 0.weight   F32 [features, out]    row j: the weights of feature j
 *     PREFIX 0.offset   F32 [out]              zeros where the network has no offsets
 *     PREFIX 1.weight   F32 [in, out]          ...
 *
 * The same for the moments of an optimiser, which have the shape of the weights. Reading trusts
 * nothing: all tensors are checked before the first number is taken over. */

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

perc_status mlp_unpack(struct mlp *m, uint64_t below, const char *prefix, bool first,
                       const struct tensors *t, perc_error *err)
{
    const struct tensor *weight[MLP_LAYERS + 1], *offset[MLP_LAYERS + 1];
    char name[TENSOR_NAME];
    perc_status st;

    for (size_t l = 0; l < m->layers; l++) {
        const struct layer *y = &m->layer[l];
        const uint64_t rows = l == 0 && first ? TENSORS_ANY : y->in - skipped(m, l, below);
        name_of(name, prefix, l, "weight");
        if ((st = tensors_want(t, name, DTYPE_F32, rows, y->out, &weight[l], err))) return st;
        name_of(name, prefix, l, "offset");
        if ((st = tensors_want(t, name, DTYPE_F32, y->out, 0, &offset[l], err))) return st;
        for (size_t u = 0; u < y->out && !m->offset; u++)
            if (((const float *)offset[l]->data)[u] != 0)
                return tensors_wrong(err, name, u, "must be 0: the network has no offsets");
    }
    if (weight[0]->shape[0] > (uint64_t)UINT32_MAX + 1 - below)
        return fail(err, PERC_EDATA, "tensor '%s' has more rows than there can be features",
                    weight[0]->name);
    if (reserve_columns(m, below + weight[0]->shape[0])) return fail_memory(err);
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
