/* state.c -- the weights of a model file, and what training needs to go on.
 *
 *   weight, offset             what is returned
 *   state.weight, state.offset the last weights, where something else is returned
 *   state.sum, state.sum_offset  u of averaging (learn/averaged.c)
 *   unseen.*                   the same three pairs for the class that was not met yet,
 *                              if one may still come (learn/learner.h)
 *   vote.*, row.*              machine/votes.h
 *   coefficient, counter       machine/expansion.h: what the votes of a kernel machine come to
 *   dropped                    rows of the data set aside (machine/drop.h), if there are any
 *   row.*, budget.*            machine/budget.h; then coefficient and unseen.coefficient are
 *                              the weights, a row each
 *   pocket.number              learn/pocket.h; pocket.weight, pocket.offset: what is in it
 *   sigmoid                    [outputs, 2]: a and b of the calibration, if there is one
 *   metadata "shown"           examples that count; "unseen": whether there is one;
 *                              "unseen_updates": that it has made
 *   metadata "kernel.gamma"    as it was found, where the kernel has one
 *   metadata "features"        of a kernel machine, which has no weights to tell
 *   metadata "solver", ...     what a solver said: struct solved, learn/learner.h
 *
 * A kernel machine has no weights: of the pairs above it has the offsets, and its votes are
 * the rest; with a budget there are no votes.
 *
 * A network has none of them, but
 *   layer.*                    machine/mlp.h; state.first.*, state.second.*: the moments of its
 *                              optimiser, those that it has
 *   metadata "steps"           that the optimiser has made; "inputs": how many features the
 *                              network was begun with
 * and one of threshold neurons has gate.* (machine/gate.h). */
#include "model/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The tensor is the array as it lies in memory. */
_Static_assert(sizeof(struct sigmoid) == 2 * sizeof(double), "a and b, nothing between");

/* What a solver has said: one list for writing and reading. */
static const struct meta_spec solved_spec[] = {
    { "solver", META_WORD, .at = offsetof(struct solved, solver), solver_names, SOLVER_LP + 1 },
    { "primal", META_NUM, .at = offsetof(struct solved, primal) },
    { "dual", META_NUM, .at = offsetof(struct solved, dual) },
    { "margin_lower", META_NUM, .at = offsetof(struct solved, lower) },
    { "margin_upper", META_NUM, .at = offsetof(struct solved, upper) },
    { "supports", META_COUNT, .at = offsetof(struct solved, supports) },
};
enum { SOLVED = sizeof solved_spec / sizeof *solved_spec };

/* The linear machines of a learner, of which it has those whose conditions hold. */
enum {
    IF_LAST = 1,  /* what is returned is the last machine */
    IF_OTHER = 2, /* it is not */
    IF_UNSEEN = 4 /* a class may still come */
};
static const struct {
    const char *weight, *coefficient; /* the second with a budget */
    const char *offset;
    size_t at;
    unsigned conditions;
} machines[] = {
    { "weight", "coefficient", "offset", offsetof(struct learner, machine), IF_LAST },
    { "weight", "coefficient", "offset", offsetof(struct learner, kept), IF_OTHER },
    { "state.weight", "state.weight", "state.offset", offsetof(struct learner, machine), IF_OTHER },
    { "state.sum", "state.sum", "state.sum_offset", offsetof(struct learner, sum), IF_OTHER },
    { "unseen.weight", "unseen.coefficient", "unseen.offset", offsetof(struct learner, unseen),
      IF_UNSEEN },
    { "unseen.sum", "unseen.sum", "unseen.sum_offset", offsetof(struct learner, unseen_sum),
      IF_UNSEEN | IF_OTHER },
};
enum { MACHINES = sizeof machines / sizeof *machines };

static bool has_machine(const struct learner *l, size_t i)
{
    const unsigned holds = (learner_result(l) == &l->machine ? IF_LAST : IF_OTHER) |
                           (l->expecting ? IF_UNSEEN : 0);

    return (machines[i].conditions & ~holds) == 0;
}

/* Their shape; `one`: a machine of one vector, whatever the kind. A kernel machine has the offsets
 * alone; with a budget, weights for its rows. */
static struct linear_frame linear_frame_of(const perc_model *m, bool one)
{
    const struct learner *l = &m->learner;

    return (struct linear_frame){ .vectors = one ? 1 : learner_outputs(l),
                                  .flat = one || l->kind == KIND_TWO,
                                  .bare = l->kernel != NULL && l->budget == NULL,
                                  .below = l->budget != NULL ? 0 : model_base(m),
                                  .rows = l->budget != NULL ? l->budget->rows : TENSORS_ANY };
}

/* What the votes of m must agree with. */
static struct votes_frame votes_frame_of(const perc_model *m)
{
    const struct learner *l = &m->learner;

    return (struct votes_frame){ .vectors = learner_vectors(l),
                                 .pairs = l->kind == KIND_NATIVE,
                                 .kernel = l->kernel != NULL,
                                 .columns = learner_dims(l),
                                 .below = model_base(m),
                                 .shown = l->shown };
}

/* Whether updates are kept, and are the machine or its votes. */
static bool has_votes(const struct learner *l)
{
    return l->budget == NULL && (l->rule->keep == KEEP_VOTES || l->kernel != NULL);
}

/* Whether K has a number that may have been found from the data. */
static bool has_gamma(const struct kernel *k)
{
    return k->type != KERNEL_LINEAR;
}

#define LAYER  "layer."
#define FIRST  "state.first."
#define SECOND "state.second."

/* ----- writing ------------------------------------------------------------------- */

static perc_status add_machines(const perc_model *m, struct tensors *t, struct state *out)
{
    const struct learner *l = &m->learner;

    for (size_t i = 0; i < MACHINES; i++) {
        const struct linear *w = (const void *)((const char *)l + machines[i].at);
        const struct linear_frame f = linear_frame_of(m, machines[i].conditions & IF_UNSEEN);
        if (!has_machine(l, i)) continue;
        if (w == &l->kept && l->rule->keep == KEEP_AVERAGE && !l->settled) {
            if (linear_copy(&t->e, &l->machine, &out->average)) return PERC_ENOMEM;
            average_of(l, &out->average);
            w = &out->average;
        }
        if (linear_pack(w, &f, l->budget != NULL ? machines[i].coefficient : machines[i].weight,
                        machines[i].offset, t))
            return PERC_ENOMEM;
    }
    return PERC_OK;
}

static perc_status add_votes(const perc_model *m, struct tensors *t, struct state *out)
{
    const struct learner *l = &m->learner;
    const struct votes_frame frame = votes_frame_of(m);
    const struct votes *v = &l->votes;

    if (!has_votes(l)) return PERC_OK;
    if (!votes_in_order(v)) {
        if (votes_tidy(&t->e, v, &out->tidy)) return PERC_ENOMEM;
        v = &out->tidy;
    }
    if (votes_pack(v, &frame, t)) return PERC_ENOMEM;
    if (l->kernel == NULL) return PERC_OK;
    const struct moment moment = learner_moment(l);
    return expansion_pack(v, &moment, learner_outputs(l), l->kind == KIND_TWO, t);
}

static perc_status add_kernel(const perc_model *m, struct tensors *t)
{
    const struct learner *l = &m->learner;
    const struct kernel *k = l->kernel != NULL ? &l->kernel->kernel : NULL;

    if (k == NULL) return PERC_OK;
    if ((has_gamma(k) && tensors_meta_num(t, "kernel.gamma", k->gamma)) ||
        tensors_meta_int(t, "features", (int64_t)model_features(m)))
        return PERC_ENOMEM;
    if (l->budget != NULL) return budget_pack(l->budget, model_base(m), t);
    if (l->drop == NULL || l->drop->n == 0) return PERC_OK;
    return tensors_add(t, "dropped", DTYPE_I64, l->drop->row, l->drop->n, 0);
}

static perc_status add_pocket(const perc_model *m, struct tensors *t)
{
    const struct pocket *p = m->learner.pocket;
    const struct linear_frame f = linear_frame_of(m, false);

    if (p == NULL) return PERC_OK;
    if (tensors_add(t, "pocket.number", DTYPE_I64, &p->is, POCKET_NUMBERS, 0)) return PERC_ENOMEM;
    if (p->is.found.errors < 0) return PERC_OK;
    return linear_pack(&p->best, &f, "pocket.weight", "pocket.offset", t);
}

static perc_status add_mlp(const perc_model *m, struct tensors *t)
{
    const struct learner *l = &m->learner;
    const struct backprop *b = l->backprop;
    const uint64_t below = model_base(m);

    if (tensors_meta_int(t, "inputs", (int64_t)l->mlp->features) ||
        tensors_meta_int(t, "steps", b->steps) || mlp_pack(l->mlp, below, LAYER, t) ||
        mlp_pack(&b->first, below, FIRST, t) || mlp_pack(&b->second, below, SECOND, t))
        return PERC_ENOMEM;
    return PERC_OK;
}

perc_status state_encode(const perc_model *m, struct tensors *t, struct state *out)
{
    const struct learner *l = &m->learner;

    if (tensors_meta_int(t, "shown", l->shown) || tensors_meta_bool(t, "unseen", l->expecting) ||
        (l->expecting && tensors_meta_int(t, "unseen_updates", l->unseen_updates)) ||
        (m->sigmoid != NULL && tensors_add(t, "sigmoid", DTYPE_F64, m->sigmoid, m->sigmoids, 2)))
        return PERC_ENOMEM;
    if (l->gate != NULL) return gate_pack(l->gate, t);
    if (l->mlp != NULL) return add_mlp(m, t);
    if (add_machines(m, t, out) || add_votes(m, t, out) || add_kernel(m, t) ||
        (l->solved.solver != SOLVER_NONE && tensors_meta_all(t, solved_spec, SOLVED, &l->solved)))
        return PERC_ENOMEM;
    return add_pocket(m, t);
}

void state_free(struct state *s)
{
    linear_free(&s->average);
    votes_free(&s->tidy);
}

/* ----- reading ---------------------------------------------------------------------- */

static perc_status read_machines(perc_model *m, const struct tensors *t, perc_error *err)
{
    struct learner *l = &m->learner;
    uint64_t rows = linear_frame_of(m, false).rows; /* then those of what is returned */
    perc_status st;

    for (size_t i = 0; i < MACHINES; i++) {
        struct linear *w = (void *)((char *)l + machines[i].at);
        struct linear_frame f = linear_frame_of(m, machines[i].conditions & IF_UNSEEN);
        if (!has_machine(l, i)) continue;
        f.rows = rows;
        const char *weight = l->budget != NULL ? machines[i].coefficient : machines[i].weight;
        if ((st = linear_unpack(w, &f, weight, machines[i].offset, t, err))) return st;
        if (l->budget != NULL && linear_grow(w, l->budget->slots)) return fail_memory(err);
        if (rows == TENSORS_ANY) rows = w->dims > f.below ? w->dims - f.below : 0;
    }
    if (l->pocket == NULL) return PERC_OK;
    const struct tensor *number;
    if ((st = tensors_want(t, "pocket.number", DTYPE_I64, POCKET_NUMBERS, 0, &number, err)))
        return st;
    memcpy(&l->pocket->is, number->data, sizeof l->pocket->is);
    if (!pocket_possible(&l->pocket->is))
        return fail(err, PERC_EDATA, "tensor 'pocket.number' is not what a pocket has");
    struct linear_frame f = linear_frame_of(m, false);
    f.rows = rows;
    if (l->pocket->is.found.errors < 0) return PERC_OK;
    return linear_unpack(&l->pocket->best, &f, "pocket.weight", "pocket.offset", t, err);
}

/* The rows that were set aside. */
static perc_status read_dropped(perc_model *m, const struct tensors *t, perc_error *err)
{
    struct learner *l = &m->learner;
    const struct tensor *one = tensors_find(t, "dropped");
    perc_status st;

    if (one != NULL && (st = tensors_want(t, "dropped", DTYPE_I64, TENSORS_ANY, 0, &one, err)))
        return st;
    if (l->drop == NULL)
        return one == NULL ? PERC_OK
                           : fail(err, PERC_EDATA, "rows were dropped without 'drop-after'");
    return drop_restore(l->drop, one != NULL ? one->data : NULL,
                        one != NULL ? (size_t)one->count : 0, &l->votes, (int64_t)m->rows, err);
}

static perc_status read_votes(perc_model *m, const struct tensors *t, perc_error *err)
{
    struct learner *l = &m->learner;
    const struct votes_frame frame = votes_frame_of(m);
    perc_status st;

    if (!has_votes(l)) return PERC_OK;
    votes_free(&l->votes);
    votes_init(&l->votes, &l->e);
    if ((st = votes_unpack(&l->votes, &frame, t, err)) || l->kernel == NULL) return st;
    if ((st = read_dropped(m, t, err))) return st;
    for (size_t k = 0; k < l->votes.n; k++)
        l->votes.vote[k].aside = drop_has(l->drop, l->votes.vote[k].example);
    const struct moment moment = learner_moment(l);
    return expansion_compare(&l->votes, &moment, learner_outputs(l), l->kind == KIND_TWO, t, err);
}

/* "shown" and "unseen"; files of version 1 have neither. */
static perc_status read_shown(struct learner *l, const struct tensors *t, perc_error *err)
{
    const char *unseen = tensors_get(t, "unseen");

    const bool may = l->expecting; /* as learner_init has it */
    l->shown = l->progress.examples;
    l->expecting = unseen != NULL && strcmp(unseen, "true") == 0;
    if (l->expecting && (l->closed || !may))
        return fail(err, PERC_EDATA, "'unseen' is not for this kind of machine");
    perc_status st = !l->expecting ? PERC_OK
                                   : tensors_get_int(t, "unseen_updates", 0, INT64_MAX / 2,
                                                     &l->unseen_updates, err);
    if (st || tensors_get(t, "shown") == NULL) return st;
    return tensors_get_int(t, "shown", 0, l->progress.examples, &l->shown, err);
}

static perc_status read_sigmoids(perc_model *m, const struct tensors *t, perc_error *err)
{
    const size_t n = learner_outputs(&m->learner);
    const struct tensor *one;
    perc_status st;

    if (tensors_find(t, "sigmoid") == NULL) return PERC_OK;
    if (m->learner.labels.n < 2)
        return fail(err, PERC_EDATA, "tensor 'sigmoid' is there, but there are no two labels");
    if ((st = tensors_want(t, "sigmoid", DTYPE_F64, n, 2, &one, err))) return st;
    for (size_t c = 0; c < n; c++)
        if (((const double *)one->data)[2 * c] > 0)
            return fail(err, PERC_EDATA, "sigmoid[%zu, 0] is positive: p would fall with the score",
                        c);
    m->sigmoid = mem_array(&m->e, n, sizeof *m->sigmoid);
    if (m->sigmoid == NULL) return fail_memory(err);
    m->sigmoids = n;
    memcpy(m->sigmoid, one->data, n * sizeof *m->sigmoid);
    return PERC_OK;
}

/* K as the data made it, how wide they were, and the rows of a budget. */
static perc_status read_kernel(perc_model *m, const struct tensors *t, perc_error *err)
{
    struct learner *l = &m->learner;
    struct kernel *k = &l->kernel->kernel;
    const uint64_t below = model_base(m);
    int64_t features;
    double gamma;
    perc_status st = tensors_get_int(t, "features", 0, (int64_t)UINT32_MAX, &features, err);

    if (st) return st;
    if (features > 0 && learner_grow(l, (uint64_t)features + below)) return fail_memory(err);
    if (has_gamma(k)) {
        if ((st = tensors_get_num(t, "kernel.gamma", &gamma, err))) return st;
        if (!(gamma > 0) || isinf(gamma))
            return fail(err, PERC_EDATA, "metadata 'kernel.gamma' must be a number above 0");
        if (k->unit == UNIT_GIVEN && gamma != k->gamma)
            return fail(err, PERC_EDATA, "metadata 'kernel.gamma' is not what the options say");
        k->gamma = gamma;
    }
    return l->budget == NULL ? PERC_OK : budget_unpack(l->budget, learner_dims(l), below, t, err);
}

static perc_status read_solved(perc_model *m, const struct tensors *t, perc_error *err)
{
    struct learner *l = &m->learner;
    const char *name = tensors_get(t, "solver");
    const uint64_t rows = m->rows < INT64_MAX / LABELS_MAX ? m->rows : 0;

    if (name == NULL) return PERC_OK;
    if (name[0] == '\0' || l->rule->solve == NULL)
        return fail(err, PERC_EDATA, "metadata 'solver': %s does not learn by '%.60s'",
                    l->rule->table.name, name);
    const perc_status st = tensors_get_all(t, solved_spec, SOLVED, &l->solved, err);
    if (st || l->solved.supports <= rows * learner_outputs(l)) return st;
    return fail(err, PERC_EDATA, "metadata 'supports' is %llu, which cannot be",
                (unsigned long long)l->solved.supports); /* a row may support every class */
}

/* ----- reading a network --------------------------------------------------------------- */

/* Each layer but the first has a row for every neuron before it, so that widths are paid for. */
perc_status state_check_layers(const struct tensors *t, const perc_params *p, perc_error *err)
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

/* Makes the network that learner_init has made anew, with so many outputs. */
static perc_status remake(struct mlp *net, const struct tensors *t, size_t outputs, perc_error *err)
{
    struct mlp_shape shape = { .activation = net->activation,
                               .offset = net->offset,
                               .start = net->start,
                               .seed = net->seed,
                               .depth = net->layers - 1 };
    const struct env e = net->e;
    char name[TENSOR_NAME];

    snprintf(name, sizeof name, LAYER "%zu.weight", shape.depth);
    const struct tensor *last = tensors_find(t, name); /* state_check_layers has seen it */
    if (last == NULL || last->shape[1] != outputs)
        return fail(err, PERC_EDATA, "tensor '%s' must have %zu columns, one a score", name,
                    outputs);
    for (size_t l = 0; l < shape.depth; l++) shape.hidden[l] = net->layer[l].out;
    mlp_free(net);
    return mlp_init(net, &e, &shape, 0, outputs) ? fail_memory(err) : PERC_OK;
}

/* Moments of the shape of the network, if the optimiser has these. */
static perc_status read_moments(const perc_model *m, struct mlp *to, const char *prefix,
                                const struct tensors *t, perc_error *err)
{
    const struct mlp *net = m->learner.mlp;

    if (to->layers == 0) return PERC_OK;
    mlp_free(to);
    if (mlp_like(net, to)) return fail_memory(err);
    return mlp_unpack(to, model_base(m), prefix, false, t, err);
}

static perc_status read_mlp(perc_model *m, const struct tensors *t, perc_error *err)
{
    struct learner *l = &m->learner;
    struct backprop *b = l->backprop;
    const size_t outputs = learner_outputs(l);
    int64_t inputs, steps;
    perc_status st;

    if ((st = tensors_get_int(t, "inputs", 0, (int64_t)UINT32_MAX, &inputs, err)) ||
        (st = tensors_get_int(t, "steps", 0, l->progress.examples, &steps, err)))
        return st;
    if ((st = remake(l->mlp, t, outputs, err)) ||
        (st = mlp_unpack(l->mlp, model_base(m), LAYER, true, t, err)) ||
        (st = read_moments(m, &b->first, FIRST, t, err)) ||
        (st = read_moments(m, &b->second, SECOND, t, err)))
        return st;
    if (mlp_any_negative(&b->second))
        return fail(err, PERC_EDATA,
                    "a tensor '" SECOND "*' has a negative number: it holds means "
                    "of squares");
    l->mlp->features = (uint64_t)inputs;
    b->steps = steps;
    if (linear_reserve(&l->machine, outputs)) return fail_memory(err);
    l->machine.vectors = outputs; /* empty ones: classes.c keeps them in step */
    return PERC_OK;
}

/* The labels are what the outputs say. */
static perc_status check_gate_labels(const struct learner *l, perc_error *err)
{
    struct text word;
    perc_status st = PERC_OK;

    text_init(&word, &l->e);
    for (size_t c = 0; c < l->labels.n && !st; c++) {
        word.len = 0;
        gate_label(l->gate, c, &word);
        if (word.oom) st = fail_memory(err);
        else if (strcmp(l->labels.at[c].text, word.s) != 0)
            st = fail(err, PERC_EDATA, "label %zu of a gate must be '%.60s', not '%.60s'", c,
                      word.s, l->labels.at[c].text);
    }
    text_free(&word);
    return st;
}

static perc_status read_gate(perc_model *m, const struct tensors *t, perc_error *err)
{
    struct learner *l = &m->learner;
    perc_status st;

    if (l->progress.examples > 0 || m->rows > 0)
        return fail(err, PERC_EDATA, "a gate does not learn, and this one says that it did");
    if ((l->gate = mem_zeroed(&m->e, 1, sizeof *l->gate)) == NULL) return fail_memory(err);
    gate_init(l->gate, &m->e);
    if ((st = gate_unpack(l->gate, t, err))) return st;
    if (l->gate->outputs > MODEL_GATE_OUTPUTS)
        return fail(err, PERC_EDATA, "a gate with %zu outputs cannot be a model: at most %d",
                    l->gate->outputs, MODEL_GATE_OUTPUTS);
    if (l->labels.n != (size_t)1 << l->gate->outputs)
        return fail(err, PERC_EDATA, "%zu outputs make %zu labels, not %zu", l->gate->outputs,
                    (size_t)1 << l->gate->outputs, l->labels.n);
    return check_gate_labels(l, err);
}

/* ----- all of it ------------------------------------------------------------------------- */

static perc_status read_machine(perc_model *m, const struct tensors *t, perc_error *err)
{
    if (m->learner.rule == &rule_gate) return read_gate(m, t, err);
    return m->learner.mlp != NULL ? read_mlp(m, t, err) : read_machines(m, t, err);
}

perc_status state_decode(perc_model *m, const struct tensors *t, perc_error *err)
{
    struct learner *l = &m->learner;
    perc_status st = read_shown(l, t, err);

    if (!st) st = read_sigmoids(m, t, err);
    if (!st) st = read_solved(m, t, err);
    if (!st && l->kernel != NULL) st = read_kernel(m, t, err);
    if (!st && l->labels.n > 2 &&
        ((l->drop != NULL && !l->native) ||
         (l->budget != NULL && l->budget->policy == BUDGET_FORGETRON)))
        return fail(err, PERC_EDATA,
                    "there are more than two labels, and the options do not allow "
                    "for them");
    if (!st && l->labels.n == 0 && l->kind == KIND_REST) /* untaught: there are no vectors */
        return l->progress.examples == 0 && (l->budget == NULL || l->budget->rows == 0)
                   ? PERC_OK
                   : fail(err, PERC_EDATA, "it was taught, and has no label");
    if (!st) st = read_machine(m, t, err);
    if (!st && (learner_room(l, l->machine.stride) || linear_reserve(&l->sum, l->machine.vectors)))
        st = fail_memory(err);
    l->sum.vectors = l->machine.vectors; /* an empty one too: classes are made in both */
    l->settled = true;
    if (!st) st = read_votes(m, t, err);
    if (!st && !map_is_identity(&m->map) && learner_dims(l) > map_columns(&m->map, m->map.inputs))
        return fail(err, PERC_EDATA, "there are more weights than the map has features");
    return st;
}
