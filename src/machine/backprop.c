/* backprop.c -- a step of a network, in tiles on several threads.
 *
 * With X = A_0 the batch [n][in] and D_l the deltas of layer l [n][out_l], f' by the activation:
 *
 *     A_l = f(A_{l-1} W_l + b_l),  Z = A_{L-1} W_L + b_L                          forward
 *     D_L = weight / counted (p - class)                                          output
 *     D_l = (D_{l+1} W_{l+1}^T) * f'(A_l)                                         backward
 *     dW_l = A_{l-1}^T D_l,   db_l = 1^T D_l                                      gradient
 *
 * (Rumelhart, Hinton and Williams 1986.) Rows of the batch do not meet before the gradient: a
 * thread takes some of them all the way forward and back. Then the losses are added up, and if
 * all is well, threads take tiles of the weights: the gradient of a tile is made in a small
 * buffer and used up at once by the optimiser, so that it is never in memory as a whole.
 *
 * Every number is one chain of operations in an order that does not depend on the tiles
 * (vec/matrix.h): the bits are those of backprop_plain, on any number of threads. Even so,
 * the sizes of tiles depend on the network and the batch alone.
 *
 * Dropout multiplies A_l by factors that are 0 or 1 / (1 - dropout), and D_l by the same. */
#include "machine/backprop.h"

#include <math.h>
#include <string.h>

#include "base/team.h"
#include "vec/matrix_memory.h"

enum {
    ROW_TILE = 8,
    ROW_TILE_MAX = 64,  /* rows of the batch */
    TILE = 4096,        /* floats of a gradient: 16 KB, in the first cache with its inputs */
    TILE_COLUMNS = 512, /* at most; such a tile has 8 rows */
    TURN = 64,          /* outputs that are transposed at a time */
    PAYS = 1 << 18      /* products from which threads pay off */
};

struct step {
    struct backprop *b;
    struct mlp *m;
    const struct minibatch *batch;
    struct sparse rows, columns;
    struct net_step weights, offsets;
    size_t row_tile;
    bool lazy; /* zero gradient, no change: rows of W_1 that the batch does not use are skipped */
};

/* ----- making one ---------------------------------------------------------------------------- */

perc_status backprop_new(const struct env *e, const perc_params *p, const struct mlp *m,
                         struct backprop **out)
{
    static const double usual[] = {
        [OPTIMIZER_SGD] = 0.1, [OPTIMIZER_MOMENTUM] = 0.01, [OPTIMIZER_ADAM] = 0.002
    };
    struct backprop *b = mem_zeroed(e, 1, sizeof *b);

    *out = NULL;
    if (b == NULL) return PERC_ENOMEM;
    b->e = *e;
    pool_init(&b->pool, e);
    b->optimizer = params_is(p, "optimizer", "adam")       ? OPTIMIZER_ADAM
                   : params_is(p, "optimizer", "momentum") ? OPTIMIZER_MOMENTUM
                                                           : OPTIMIZER_SGD;
    b->rate = params_real(p, "rate") > 0 ? params_real(p, "rate") : usual[b->optimizer];
    b->momentum = params_real(p, "momentum");
    b->l2 = params_real(p, "l2");
    b->dropout = params_real(p, "dropout");
    b->batch = (size_t)params_int(p, "batch");
    b->seed = (uint64_t)params_int(p, "seed");
    b->textbook = params_is(p, "loop", "textbook");
    b->pays = PAYS;
    if ((b->optimizer != OPTIMIZER_SGD && mlp_like(m, &b->first)) ||
        (b->optimizer == OPTIMIZER_ADAM && mlp_like(m, &b->second))) {
        backprop_free(b);
        return PERC_ENOMEM;
    }
    *out = b;
    return PERC_OK;
}

static void free_scratch(struct backprop *b)
{
    mlp_scratch_free(&b->a);
    mlp_scratch_free(&b->d);
    mlp_scratch_free(&b->before);
    mlp_scratch_free(&b->factor);
    for (size_t l = 0; l < b->layers && b->transposed != NULL; l++)
        matrix_free(&b->e, b->transposed[l], 1, b->transposed_size[l]);
    pool_free(&b->pool);
    pool_init(&b->pool, &b->e);
    b->transposed = NULL;
    b->rows = b->outputs = b->layers = 0;
}

static void free_bench(struct backprop *b)
{
    matrix_free(&b->e, b->bench, b->benches, TILE);
    b->bench = NULL;
    b->benches = 0;
}

void backprop_free(struct backprop *b)
{
    if (b == NULL) return;
    const struct env e = b->e;
    team_free(b->team);
    free_scratch(b);
    free_bench(b);
    mlp_free(&b->first);
    mlp_free(&b->second);
    mem_free(&e, b, 1, sizeof *b);
}

perc_status backprop_copy(const struct backprop *from, struct backprop *to)
{
    struct mlp first = { .e = to->e }, second = { .e = to->e };

    if ((from->first.layers > 0 && mlp_copy(&to->e, &from->first, &first)) ||
        (from->second.layers > 0 && mlp_copy(&to->e, &from->second, &second))) {
        mlp_free(&first);
        return PERC_ENOMEM;
    }
    mlp_free(&to->first);
    mlp_free(&to->second);
    to->first = first;
    to->second = second;
    to->steps = from->steps;
    return PERC_OK;
}

/* ----- scratch -------------------------------------------------------------------------------- */

static perc_status make_scratch(struct backprop *b, const struct mlp *m, size_t rows)
{
    if (mlp_scratch_init(&b->a, &b->e, m, rows) || mlp_scratch_init(&b->d, &b->e, m, rows))
        return PERC_ENOMEM;
    b->rows = rows;
    b->outputs = mlp_outputs(m);
    b->layers = m->layers;
    b->p = pool_array(&b->pool, rows, b->outputs * sizeof *b->p);
    b->loss = pool_array(&b->pool, rows, sizeof *b->loss);
    b->mistakes = pool_array(&b->pool, rows, sizeof *b->mistakes);
    b->transposed_size = pool_zeroed(&b->pool, b->layers, sizeof *b->transposed_size);
    b->transposed = pool_zeroed(&b->pool, b->layers, sizeof *b->transposed);
    if (b->pool.failed) return PERC_ENOMEM;
    for (size_t l = 1; l < m->layers; l++) {
        const size_t n = m->layer[l].out * matrix_stride(m->layer[l].in);
        b->transposed[l] = matrix_new(&b->e, 1, n);
        if (b->transposed[l] == NULL) return PERC_ENOMEM;
        b->transposed_size[l] = n;
    }
    if (b->dropout > 0 && (mlp_scratch_init(&b->before, &b->e, m, rows) ||
                           mlp_scratch_init(&b->factor, &b->e, m, rows)))
        return PERC_ENOMEM;
    return PERC_OK;
}

/* Products of half a step, or their equivalent in time. */
static double work_of(const struct mlp *m, const struct minibatch *batch)
{
    double work = (double)batch->entries * (double)m->layer[0].out;

    for (size_t l = 1; l < m->layers; l++)
        work += (double)batch->n * (double)m->layer[l].in * (double)m->layer[l].out;
    return work;
}

/* All that a step needs besides the network. */
static perc_status prepare_step(struct backprop *b, const struct mlp *m,
                                const struct minibatch *batch)
{
    const uint64_t columns = m->layer[0].in;
    const size_t last = m->layers - 1;

    if (b->first.layers > 0 && mlp_grow(&b->first, columns)) return PERC_ENOMEM;
    if (b->second.layers > 0 && mlp_grow(&b->second, columns)) return PERC_ENOMEM;
    if (batch->n > b->rows || b->outputs != mlp_outputs(m) || b->layers != m->layers ||
        b->a.stride[last] != m->layer[last].stride) {
        free_scratch(b);
        if (make_scratch(b, m, batch->n)) {
            free_scratch(b);
            return PERC_ENOMEM;
        }
    }
    if (b->team == NULL && b->e.threads > 1 && work_of(m, batch) >= b->pays &&
        team_new(&b->e, &b->team))
        return PERC_ENOMEM;
    const size_t threads = (size_t)team_size(b->team);
    if (b->benches >= threads) return PERC_OK;
    free_bench(b);
    b->bench = matrix_new(&b->e, threads, TILE);
    b->benches = b->bench != NULL ? threads : 0;
    return b->bench != NULL ? PERC_OK : PERC_ENOMEM;
}

/* ----- rows: forward, output, backward -------------------------------------------------------- */

/* Draws the factors for rows from .. to - 1 of hidden layer l and applies them. */
static void drop_out(const struct step *s, size_t l, size_t from, size_t to)
{
    struct backprop *b = s->b;
    const size_t out = s->m->layer[l].out, stride = b->a.stride[l];
    const uint32_t share = stays_share(b->dropout);
    const float scale = backprop_scale(b->dropout);

    for (size_t i = from; i < to; i++) {
        const uint64_t key = backprop_stays_key(b, b->steps + 1, l, i);
        float *a = b->a.a[l] + i * stride, *factor = b->factor.a[l] + i * stride;
        memcpy(b->before.a[l] + i * stride, a, stride * sizeof *a);
        for (size_t j = 0; j < out; j++) {
            factor[j] = stays_unit(key, (uint32_t)j, share) ? scale : 0;
            a[j] *= factor[j];
        }
    }
}

/* D_l from D_{l+1}. */
static void backward(const struct step *s, size_t l, size_t from, size_t to)
{
    struct backprop *b = s->b;
    const size_t rows = to - from, stride = b->d.stride[l], above = b->d.stride[l + 1];
    float *d = b->d.a[l] + from * stride;
    const float *a = b->a.a[l];

    memset(d, 0, rows * stride * sizeof *d);
    matrix_add(rows, stride, s->m->layer[l + 1].out, b->d.a[l + 1] + from * above, above, 1,
               b->transposed[l + 1], stride, d, stride);
    if (b->dropout > 0) {
        const float *factor = b->factor.a[l] + from * stride;
        for (size_t k = 0; k < rows * stride; k++) d[k] *= factor[k]; /* of padding: 0 */
        a = b->before.a[l];
    }
    net_slope(s->m->activation, d, a + from * stride, rows * stride);
}

static void do_rows(void *ud, uint64_t task, int k)
{
    const struct step *s = ud;
    struct backprop *b = s->b;
    const size_t last = s->m->layers - 1, from = (size_t)task * s->row_tile;
    const size_t to = from + s->row_tile < s->batch->n ? from + s->row_tile : s->batch->n;

    (void)k;
    for (size_t l = 0; l < s->m->layers; l++) {
        mlp_forward_layer(s->m, &s->b->a, l, &s->rows, from, to);
        if (s->b->dropout > 0 && l + 1 < s->m->layers) drop_out(s, l, from, to);
    }
    b->mistakes[task] = backprop_output(s->batch, from, to, b->outputs, b->a.a[last],
                                        b->a.stride[last], b->p, b->loss, b->d.a[last]);
    for (size_t l = last; l-- > 0;) backward(s, l, from, to);
}

/* ----- weights: gradient and change ----------------------------------------------------------- */

/* Changes n weights of layer l, from float `at` on, by their gradient g. */
static void change(const struct step *s, size_t l, size_t at, const float *g, size_t n)
{
    struct backprop *b = s->b;
    float *u = b->first.layers > 0 ? b->first.layer[l].w + at : NULL;
    float *v = b->second.layers > 0 ? b->second.layer[l].w + at : NULL;

    net_update(&s->weights, s->m->layer[l].w + at, u, v, g, n);
}

static void change_offsets(const struct step *s, size_t l, float *g)
{
    struct backprop *b = s->b;
    const struct layer *y = &s->m->layer[l];
    const float *d = b->d.a[l];

    for (size_t from = 0; from < y->stride; from += TILE) {
        const size_t n = y->stride - from < TILE ? y->stride - from : TILE;
        memset(g, 0, n * sizeof *g);
        for (size_t i = 0; i < s->batch->n; i++)
            for (size_t u = 0; u < n; u++) g[u] += d[i * y->stride + from + u];
        net_update(&s->offsets, y->b + from,
                   b->first.layers > 0 ? b->first.layer[l].b + from : NULL,
                   b->second.layers > 0 ? b->second.layer[l].b + from : NULL, g, n);
    }
}

/* A tile of the weights of a layer: rows of W -- or, if the step is lazy, of the list of columns
 * in use -- and columns of W. */
struct tile {
    size_t l;
    size_t from, to; /* rows */
    size_t u, n;     /* columns u .. u + n - 1 */
};

/* Changes `rows` rows of W from row j on; g is their gradient. */
static void change_rows(const struct step *s, const struct tile *t, size_t j, size_t rows,
                        const float *g)
{
    const size_t stride = s->m->layer[t->l].stride;

    if (t->n == stride) {
        change(s, t->l, j * stride, g, rows * stride);
        return;
    }
    for (size_t i = 0; i < rows; i++) change(s, t->l, (j + i) * stride + t->u, g + i * t->n, t->n);
}

/* The first place in the list of columns in use whose column is not below j. */
static size_t place_of(const struct minibatch *x, size_t j)
{
    size_t lo = 0, hi = x->used;

    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (x->used_column[mid] < j) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}

/* The end of the run of consecutive columns that begins at place k; at most `end`. */
static size_t run_end(const struct minibatch *x, size_t k, size_t end)
{
    for (k++; k < end && x->used_column[k] == x->used_column[k - 1] + 1; k++) {
    }
    return k;
}

/* g += X^T D for the columns at places from .. to - 1. Sparse products are as fast as dense ones
 * (vec/matrix.c), unless each row has all of these columns: those already lie as a matrix. */
static void add_columns(const struct step *s, const struct tile *t, size_t from, size_t to,
                        float *g)
{
    const struct minibatch *x = s->batch;
    const float *d = s->b->d.a[0] + t->u;
    const size_t stride = s->b->d.stride[0], at = x->used_start[from];

    if (x->used_start[to] - at == (to - from) * x->n)
        matrix_add(to - from, t->n, x->n, x->used_value + at, x->n, 1, d, stride, g, t->n);
    else matrix_add_sparse(&s->columns, from, to, t->n, d, stride, g, t->n);
}

static size_t tile_columns(const struct layer *y)
{
    return y->stride < TILE_COLUMNS ? y->stride : TILE_COLUMNS;
}

static size_t ceil_div(size_t a, size_t b)
{
    return (a + b - 1) / b;
}

/* Rows of layer l to share out, and its tiles down and across. */
static size_t rows_of(const struct step *s, size_t l)
{
    return l == 0 && s->lazy ? s->batch->used : s->m->layer[l].in;
}

static size_t tiles_down(const struct step *s, size_t l)
{
    return ceil_div(rows_of(s, l), TILE / tile_columns(&s->m->layer[l]));
}

static size_t tiles_of(const struct step *s, size_t l)
{
    const struct layer *y = &s->m->layer[l];

    return tiles_down(s, l) * ceil_div(y->stride, tile_columns(y));
}

static void do_tile(const struct step *s, const struct tile *t, float *g)
{
    const struct mlp_scratch *a = &s->b->a, *d = &s->b->d;
    const size_t rows = t->to - t->from, l = t->l;

    memset(g, 0, rows * t->n * sizeof *g);
    if (l == 0 && s->lazy) {
        /* The rows of W_1 at places from .. to - 1 of the list of columns in use. */
        add_columns(s, t, t->from, t->to, g);
        for (size_t k = t->from, stop; k < t->to; k = stop) {
            stop = run_end(s->batch, k, t->to);
            change_rows(s, t, s->batch->used_column[k], stop - k, g + (k - t->from) * t->n);
        }
    } else if (l == 0) {
        /* All rows of W_1 from .. to - 1, in use or not. */
        const struct minibatch *x = s->batch;
        const size_t end = place_of(x, t->to);
        for (size_t k = place_of(x, t->from), stop; k < end; k = stop) {
            stop = run_end(x, k, end);
            add_columns(s, t, k, stop, g + (x->used_column[k] - t->from) * t->n);
        }
        change_rows(s, t, t->from, t->to - t->from, g);
    } else {
        matrix_add(rows, t->n, s->batch->n, a->a[l - 1] + t->from, 1, a->stride[l - 1],
                   d->a[l] + t->u, d->stride[l], g, t->n);
        change_rows(s, t, t->from, rows, g);
    }
}

/* Task 0 .. layers - 1: the offsets of a layer; then the tiles of all layers. */
static void do_weights(void *ud, uint64_t task, int k)
{
    const struct step *s = ud;
    float *g = s->b->bench + (size_t)k * TILE;
    size_t at = (size_t)task, l = 0;

    if (at < s->m->layers) {
        if (s->m->offset) change_offsets(s, at, g);
        return;
    }
    for (at -= s->m->layers; at >= tiles_of(s, l); l++) at -= tiles_of(s, l);
    const struct layer *y = &s->m->layer[l];
    const size_t down = tiles_down(s, l), n = tile_columns(y), rows = TILE / n;
    struct tile t = { .l = l, .from = at % down * rows, .u = at / down * n };
    t.to = t.from + rows < rows_of(s, l) ? t.from + rows : rows_of(s, l);
    t.n = t.u + n < y->stride ? n : y->stride - t.u;
    do_tile(s, &t, g);
}

/* ----- a step --------------------------------------------------------------------------------- */

/* Transposes the layers after the first, TURN outputs at a time. */
static void do_transpose(void *ud, uint64_t task, int k)
{
    const struct step *s = ud;
    size_t at = (size_t)task, l = 1;

    (void)k;
    for (; at >= ceil_div(s->m->layer[l].out, TURN); l++) at -= ceil_div(s->m->layer[l].out, TURN);
    const struct layer *y = &s->m->layer[l];
    const size_t u = at * TURN, n = y->out - u < TURN ? y->out - u : TURN;
    const size_t stride = matrix_stride(y->in);
    matrix_transpose(y->in, n, y->w + u, y->stride, s->b->transposed[l] + u * stride, stride);
}

perc_status backprop_step(struct backprop *b, struct mlp *m, struct minibatch *batch,
                          struct backprop_outcome *out)
{
    struct step s = { .b = b,
                      .m = m,
                      .batch = batch,
                      .rows = minibatch_rows(batch),
                      .columns = minibatch_columns(batch),
                      .row_tile = ROW_TILE };

    if (b->textbook) return backprop_plain(b, m, batch, out);
    *out = (struct backprop_outcome){ 0 };
    if (batch->counted == 0) return PERC_OK;
    if (prepare_step(b, m, batch)) return PERC_ENOMEM;
    while (s.row_tile < ROW_TILE_MAX && s.row_tile * 8 <= batch->n) s.row_tile *= 2;
    s.weights = s.offsets = backprop_net_step(b);
    s.offsets.l2 = 0;
    s.lazy = s.weights.optimizer == OPTIMIZER_SGD && !(s.weights.l2 > 0);
    struct team *team = work_of(m, batch) >= b->pays ? b->team : NULL;
    const size_t tiles = ceil_div(batch->n, s.row_tile);
    size_t tasks = 0;
    double work = 0;
    for (size_t l = 1; l < m->layers; l++) {
        tasks += ceil_div(m->layer[l].out, TURN);
        work += (double)m->layer[l].in * (double)m->layer[l].out;
    }
    team_each(work * 4 >= b->pays ? team : NULL, tasks, do_transpose, &s);
    team_each(team, tiles, do_rows, &s);
    /* The loss of the batch, in the order of its rows. */
    for (size_t i = 0; i < batch->n; i++) out->loss += b->loss[i];
    for (size_t k = 0; k < tiles; k++) out->mistakes += b->mistakes[k];
    if (!isfinite(out->loss)) return PERC_OK;
    tasks = m->layers;
    for (size_t l = 0; l < m->layers; l++) tasks += tiles_of(&s, l);
    team_each(team, tasks, do_weights, &s);
    b->steps++;
    return PERC_OK;
}
