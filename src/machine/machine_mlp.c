/* machine_mlp.c -- a network among the machines. */
#include "machine/machine_mlp.h"

#include <math.h>
#include <stdio.h>

#include "machine/forward.h"
#include "machine/machine_file.h"
#include "vec/panel.h"

static struct machine_network *network_in(const struct machine *m)
{
    return (struct machine_network *)(uintptr_t)m;
}

struct machine_network *machine_mlp_of(const struct machine *m)
{
    return m->ops == &machine_mlp ? network_in(m) : NULL;
}

void machine_mlp_sets(struct machine_network *n, struct mlp *set[MACHINE_MLP_SETS])
{
    set[0] = &n->net;
    set[1] = &n->backprop->first;
    set[MACHINE_MLP_SQUARE] = &n->backprop->second;
}

bool machine_mlp_is_finite(struct machine_network *n)
{
    struct mlp *set[MACHINE_MLP_SETS];
    bool finite = true;

    machine_mlp_sets(n, set);
    for (size_t k = 0; k < MACHINE_MLP_SETS; k++) finite &= mlp_is_finite(set[k]);
    return finite;
}

/* A network without columns and with one output, for the two classes that there may be; the
 * columns and classes that are met are added. */
static perc_status init_network(struct machine *m, const perc_params *p)
{
    struct machine_network *n = network_in(m);
    struct mlp_shape shape = { .offset = params_bool(p, "offset"),
                               .seed = (uint64_t)params_int(p, "seed") };
    int f = ACTIVATION_RELU;

    while (!params_is(p, "activation", activation_words[f])) f++;
    shape.activation = (enum activation)f;
    shape.start = params_is(p, "init", "glorot") ||
                          (params_is(p, "init", "auto") && f != ACTIVATION_RELU)
                      ? MLP_GLOROT
                      : MLP_HE;
    minibatch_init(&n->single, &m->e);
    if (mlp_parse_layers(params_text(p, "layers"), &shape, NULL)) return PERC_EARG;
    if (mlp_init(&n->net, &m->e, &shape, 0, 1)) return PERC_ENOMEM;
    return backprop_new(&m->e, p, &n->net, &n->backprop);
}

static void free_network(struct machine *m)
{
    struct machine_network *n = network_in(m);

    backprop_free(n->backprop);
    minibatch_free(&n->single);
    mlp_scratch_free(&n->alone);
    mlp_free(&n->net);
}

static perc_status copy_network(const struct machine *from, struct machine *to)
{
    mlp_free(&network_in(to)->net);
    mlp_scratch_free(&network_in(to)->alone);
    if (mlp_copy(&to->e, &network_in(from)->net, &network_in(to)->net)) return PERC_ENOMEM;
    return backprop_copy(network_in(from)->backprop, network_in(to)->backprop);
}

static uint64_t network_dims(const struct machine *m)
{
    return network_in(m)->net.layers > 0 ? network_in(m)->net.layer[0].in : 0;
}

/* The network last: its width is the width of the machine. */
static perc_status grow_network(struct machine *m, uint64_t dims)
{
    struct mlp *set[MACHINE_MLP_SETS];

    machine_mlp_sets(network_in(m), set);
    for (size_t k = MACHINE_MLP_SETS; k-- > 0;)
        if (set[k]->layers > 0 && mlp_grow(set[k], dims)) return PERC_ENOMEM;
    return PERC_OK;
}

static size_t bytes_of_column(const struct machine *m)
{
    const struct mlp *net = &machine_mlp_of(m)->net;

    return MACHINE_MLP_SETS * net->layer[0].stride * sizeof(float);
}

static void draw_network(struct machine *m, uint64_t features, uint64_t below)
{
    mlp_draw(&network_in(m)->net, features, below);
}

static void found_network_base(struct machine *m, uint64_t below)
{
    struct mlp *net = &network_in(m)->net;

    if (net->layer[0].in == 0) net->below = below;
}

/* ----- classes ---------------------------------------------------------------------------- */

/* The networks that it learns with: itself and the moments there are. Their number. */
static size_t networks_of(struct machine *m, struct mlp *net[MACHINE_MLP_SETS])
{
    struct mlp *set[MACHINE_MLP_SETS];
    size_t n = 0;

    machine_mlp_sets(network_in(m), set);
    for (size_t k = 0; k < MACHINE_MLP_SETS; k++)
        if (set[k]->layers > 0) net[n++] = set[k];
    return n;
}

static perc_status reserve_output(struct machine *m, const struct arrival *a)
{
    struct mlp *net[MACHINE_MLP_SETS];

    return mlp_reserve(net, networks_of(m, net), a->room > a->vectors ? a->room : a->vectors);
}

static bool is_square(const struct machine *m, const struct mlp *net)
{
    return net == &network_in(m)->backprop->second;
}

static void negate_network(struct machine *m)
{
    struct mlp *net[MACHINE_MLP_SETS];

    for (size_t k = networks_of(m, net); k-- > 0;)
        if (!is_square(m, net[k])) mlp_negate(net[k]);
}

static void split_network(struct machine *m, enum kind kind)
{
    struct mlp *net[MACHINE_MLP_SETS];

    (void)kind;
    for (size_t k = networks_of(m, net); k-- > 0;) mlp_split(net[k], is_square(m, net[k]));
}

static void insert_output(struct machine *m, size_t at, size_t unseen)
{
    struct mlp *net[MACHINE_MLP_SETS];

    (void)unseen;
    for (size_t k = networks_of(m, net); k-- > 0;) mlp_insert(net[k], at);
}

/* ----- one row ---------------------------------------------------------------------------- */

#define TOO_LARGE                                                                                 \
    "the values of this row are too large for a network: nothing was learned from it (scale the " \
    "data: --scale unit or by:NUMBER)"

/* It computes with floats. */
static perc_status check_floats(const struct machine *m, const struct row *x, int64_t line,
                                perc_error *err)
{
    bool fine = true;

    (void)m;
    for (size_t k = 0; k < x->n; k++) fine &= isfinite((float)row_value(x, k)) != 0;
    return fine ? PERC_OK : fail_at(err, PERC_EDATA, line, 0, TOO_LARGE);
}

static perc_status score_row(struct machine *m, const struct row *x, size_t outputs, double *out)
{
    struct machine_network *n = network_in(m);
    const size_t last = n->net.layers - 1;

    minibatch_clear(&n->single);
    if (minibatch_add(&n->single, x, 0, 1, 0)) return PERC_ENOMEM;
    if (n->alone.rows == 0 || n->alone.stride[last] != n->net.layer[last].stride) {
        mlp_scratch_free(&n->alone);
        if (mlp_scratch_init(&n->alone, &m->e, &n->net, 1)) return PERC_ENOMEM;
    }
    const struct sparse s = minibatch_rows(&n->single);
    mlp_forward(&n->net, &n->alone, &s, 0, 1);
    for (size_t c = 0; c < outputs; c++) out[c] = (double)n->alone.a[last][c];
    return PERC_OK;
}

/* A step from one row. If it might overflow the weights or their moments, which hold squares, it is
 * checked and, if it did, taken back. */
static perc_status teach_row(struct machine *m, const struct row *x, size_t class, double weight,
                             int64_t example, bool *finite)
{
    struct machine_network *n = network_in(m);
    struct mlp *set[MACHINE_MLP_SETS], old[MACHINE_MLP_SETS] = { { .layers = 0 } };
    const int64_t steps = n->backprop->steps;
    struct backprop_outcome out;
    bool fine = true;
    perc_status st = PERC_OK;

    minibatch_clear(&n->single);
    if (minibatch_add(&n->single, x, class, weight, (uint64_t)example) ||
        minibatch_transpose(&n->single, n->net.layer[0].in))
        return PERC_ENOMEM;
    float largest = n->single.weight[0];
    for (size_t k = 0; k < n->single.entries; k++)
        if (fabsf(n->single.value[k]) > largest) largest = fabsf(n->single.value[k]);
    const bool careful = largest > 1e9f;
    machine_mlp_sets(n, set);
    for (size_t k = 0; k < MACHINE_MLP_SETS && careful && !st; k++) {
        old[k].e = m->e;
        if (set[k]->layers > 0) st = mlp_copy(&m->e, set[k], &old[k]);
    }
    if (!st) st = backprop_step(n->backprop, &n->net, &n->single, &out);
    if (careful) fine = machine_mlp_is_finite(n);
    for (size_t k = 0; k < MACHINE_MLP_SETS && careful; k++) {
        if (!fine && !st && old[k].layers > 0) mlp_assign(set[k], &old[k]);
        mlp_free(&old[k]);
    }
    if (!fine && !st) n->backprop->steps = steps;
    *finite = fine && !st && isfinite(out.loss);
    return st;
}

/* ----- answering -------------------------------------------------------------------------- */

static perc_status open_network_scratch(struct machine_scratch *d)
{
    struct forward *f = d->state = mem_zeroed(&d->s->e, 1, sizeof *f);

    if (f == NULL || forward_open(f, &d->s->e, &network_in(d->s->m)->net, d->most))
        return PERC_ENOMEM;
    d->most = f->most;
    return PERC_OK;
}

static void close_network_scratch(struct machine_scratch *d)
{
    if (d->state == NULL) return;
    forward_close(d->state);
    mem_free(&d->s->e, d->state, 1, sizeof(struct forward));
}

static perc_status take_row(struct machine_scratch *d, const struct row *x, int64_t line,
                            perc_error *err)
{
    (void)line;
    d->n++;
    return forward_add(d->state, x) ? fail_memory(err) : PERC_OK;
}

static perc_status run_network(struct machine_scratch *d, double *out, size_t *bad)
{
    forward_run(d->state, out);
    return machine_check_scores(d, out, bad);
}

/* Floats end at 3.4e38: a value beyond becomes infinite, and so may a sum. */
static perc_status explain_no_score(const struct machine_scratch *d, size_t bad, int64_t line,
                                    perc_error *err)
{
    (void)d, (void)bad;
    return fail_at(err, PERC_EDATA, line, 0,
                   "the score of this row is too large to be a number: its values are far outside "
                   "those that the network was trained on (scale the data before training: "
                   "--scale standard, minmax or by:NUMBER)");
}

static void describe_network(const struct machine *m, uint64_t below, struct machine_facts *out)
{
    out->weights = mlp_weights(&network_in(m)->net, below);
}

/* ----- in a file -------------------------------------------------------------------------- */

/* The layers and their moments: layer.*, state.first.*, state.second.* (mlp.h); metadata "steps",
 * those of the optimiser so far, and "inputs", how many features the network was begun with. */
#define LAYER "layer."
static const char *const prefix[MACHINE_MLP_SETS] = { LAYER, "state.first.", "state.second." };

static perc_status pack_network(const struct machine *m, struct machine_file *f, struct tensors *t)
{
    struct machine_network *n = network_in(m);
    struct mlp *set[MACHINE_MLP_SETS];

    if (tensors_meta_int(t, "inputs", (int64_t)n->net.features) ||
        tensors_meta_int(t, "steps", n->backprop->steps))
        return PERC_ENOMEM;
    machine_mlp_sets(n, set);
    for (size_t k = 0; k < MACHINE_MLP_SETS; k++)
        if (mlp_pack(set[k], f->below, prefix[k], t)) return PERC_ENOMEM;
    return PERC_OK;
}

/* Each layer but the first has a row for every neuron before it, so no width is a mere claim. */
static perc_status check_layers(const struct tensors *t, const perc_params *p, perc_error *err)
{
    struct mlp_shape shape = { 0 };
    char name[TENSOR_NAME];
    perc_error why = { 0 };

    if (mlp_parse_layers(params_text(p, "layers"), &shape, &why))
        return fail(err, PERC_EDATA, "the options: %.200s", why.text);
    for (size_t l = 1; l <= shape.depth; l++) {
        snprintf(name, sizeof name, LAYER "%zu.weight", l);
        const struct tensor *one = tensors_find(t, name);
        if (one == NULL) return fail(err, PERC_EDATA, "tensor '%s' is missing", name);
        if (one->type != DTYPE_F32 || one->dims != 2 || one->shape[0] != shape.hidden[l - 1] ||
            (l < shape.depth ? one->shape[1] != shape.hidden[l] : one->shape[1] == 0))
            return fail(err, PERC_EDATA,
                        "tensor '%s' is not F32 of the shape that option 'layers' "
                        "says (%.80s)",
                        name, params_text(p, "layers"));
    }
    return PERC_OK;
}

static perc_status unpack_network(struct machine *m, const struct machine_file *f,
                                  const struct tensors *t, perc_error *err)
{
    struct machine_network *n = network_in(m);
    struct mlp *set[MACHINE_MLP_SETS], *net = &n->net;
    struct mlp_shape shape = { .activation = net->activation,
                               .offset = net->offset,
                               .start = net->start,
                               .seed = net->seed,
                               .depth = net->layers - 1 };
    char name[TENSOR_NAME];
    int64_t inputs, steps;
    perc_status st;

    if ((st = tensors_get_int(t, "inputs", 0, (int64_t)UINT32_MAX, &inputs, err)) ||
        (st = tensors_get_int(t, "steps", 0, f->examples, &steps, err)))
        return st;
    /* The network that init made is made again, with so many outputs. */
    snprintf(name, sizeof name, LAYER "%zu.weight", shape.depth);
    const struct tensor *last = tensors_find(t, name); /* check_file has seen it */
    if (last == NULL || last->shape[1] != f->outputs)
        return fail(err, PERC_EDATA, "tensor '%s' must have %zu columns, one a score", name,
                    f->outputs);
    for (size_t l = 0; l < shape.depth; l++) shape.hidden[l] = net->layer[l].out;
    mlp_free(net);
    if (mlp_init(net, &m->e, &shape, 0, f->outputs)) return fail_memory(err);
    machine_mlp_sets(n, set);
    for (size_t k = 0; k < MACHINE_MLP_SETS; k++) { /* moments: those that the optimiser has */
        if (set[k]->layers == 0) continue;
        if (k > 0) mlp_free(set[k]);
        if (k > 0 && mlp_like(&n->net, set[k])) return fail_memory(err);
        if ((st = mlp_unpack(set[k], f->below, prefix[k], k == 0, t, err))) return st;
    }
    if (mlp_any_negative(set[MACHINE_MLP_SQUARE]))
        return fail(err, PERC_EDATA,
                    "a tensor '%s*' has a negative number: it holds means of squares",
                    prefix[MACHINE_MLP_SQUARE]);
    n->net.features = (uint64_t)inputs;
    n->backprop->steps = steps;
    if (linear_reserve(&m->last, f->outputs)) return fail_memory(err);
    m->last.vectors = f->outputs; /* empty ones: classes are added to both */
    return PERC_OK;
}

const struct machine_ops machine_mlp = {
    .word = "mlp",
    .flags = MACHINE_FINITE | MACHINE_NETWORK,
    .size = sizeof(struct machine_network),
    .init = init_network,
    .free = free_network,
    .copy = copy_network,
    .dims = network_dims,
    .grow = grow_network,
    .column_bytes = bytes_of_column,
    .draw = draw_network,
    .found_base = found_network_base,
    .reserve_class = reserve_output,
    .negate = negate_network,
    .split = split_network,
    .insert = insert_output,
    .check_row = check_floats,
    .scores = score_row,
    .teach = teach_row,
    .unlearnable = TOO_LARGE,
    .thread_rows = 8 * PANEL,
    .scratch_open = open_network_scratch,
    .scratch_close = close_network_scratch,
    .take = take_row,
    .run = run_network,
    .no_score = explain_no_score,
    .describe = describe_network,
    .pack = pack_network,
    .check_file = check_layers,
    .unpack = unpack_network,
};
