/* state.c -- the machine of a model file, and what training needs to go on.
 *
 *   weight, offset, state.*,   machine/machine_file.h, and what each machine adds:
 *   unseen.*
 *   vote.*, row.*              machine/votes.h
 *   start.weight, start.offset the vector that they begin with, if that is not 0
 *   coefficient, counter       machine/expansion.h: what the votes of a kernel machine come to
 *   dropped                    rows of the data set aside (machine/drop.h), if there are any
 *   row.*, budget.*            machine/budget.h; then coefficient and unseen.coefficient are
 *                              the weights, a row each
 *   layer.*, state.first.*,    machine/mlp.h: a network, and the moments of its optimiser
 *   state.second.*
 *   gate.*                     machine/gate.h
 *   pocket.number              learn/pocket.h; pocket.weight, pocket.offset: what is in it
 *   sigmoid                    [outputs, 2]: a and b of the calibration, if there is one
 *   metadata "unit"            what weights, offsets and coefficients are shown times, if not 1
 *   metadata "shown"           examples that count; "unseen": whether there is one;
 *                              "unseen_updates": those it has made so far
 *   metadata "kernel.gamma"    as it was found, where the kernel has one
 *   metadata "features"        of a kernel machine, which has no weights to tell
 *   metadata "solver", ...     what a solver said: struct solved, learn/learner.h */
#include "model/state.h"

#include <math.h>
#include <string.h>

#include "learn/pocket.h"
#include "machine/machine_votes.h"

/* The tensor is the array as it lies in memory. */
_Static_assert(sizeof(struct sigmoid) == 2 * sizeof(double), "a and b, nothing between");

/* What a solver has said: one list for writing and reading. */
static const struct meta_spec solved_spec[] = {
    { "solver", META_WORD, .at = offsetof(struct solved, solver), solver_names, SOLVER_COUNT },
    { "primal", META_NUM, .at = offsetof(struct solved, primal) },
    { "dual", META_NUM, .at = offsetof(struct solved, dual) },
    { "margin_lower", META_NUM, .at = offsetof(struct solved, lower) },
    { "margin_upper", META_NUM, .at = offsetof(struct solved, upper) },
    { "geometric_lower", META_NUM, .at = offsetof(struct solved, geometric_lower) },
    { "geometric_upper", META_NUM, .at = offsetof(struct solved, geometric_upper) },
    { "supports", META_COUNT, .at = offsetof(struct solved, supports) },
};
enum { SOLVED = sizeof solved_spec / sizeof *solved_spec };

static struct machine_file file_of(const perc_model *m)
{
    const struct learner *l = &m->learner;

    return (struct machine_file){ .kind = l->kind,
                                  .outputs = learner_outputs(l),
                                  .below = model_base(m),
                                  .data_rows = m->rows,
                                  .shown = l->shown,
                                  .examples = l->progress.examples,
                                  .moment = learner_moment(l),
                                  .labels = &l->labels,
                                  .returned = machine_result(l->machine) };
}

/* ----- writing ------------------------------------------------------------------- */

perc_status state_encode(const perc_model *m, struct tensors *t, struct state *out)
{
    const struct learner *l = &m->learner;
    const struct machine *machine = l->machine;

    if ((machine->unit != 1 && tensors_meta_num(t, "unit", machine->unit)) ||
        tensors_meta_int(t, "shown", l->shown) ||
        tensors_meta_bool(t, "unseen", machine->expecting) ||
        (machine->expecting && tensors_meta_int(t, "unseen_updates", machine->unseen_updates)) ||
        (m->sigmoid != NULL && tensors_add(t, "sigmoid", DTYPE_F64, m->sigmoid, m->sigmoids, 2)) ||
        model_threshold_encode(m, t))
        return PERC_ENOMEM;
    out->file = file_of(m);
    if (machine->keep == KEEP_AVERAGE && !machine->kept_is_current) {
        if (linear_copy(&t->e, &machine->last, &out->average)) return PERC_ENOMEM;
        averaged_vectors(l, &out->average);
        out->file.returned = &out->average;
    }
    if (machine_file_pack(machine, &out->file, t) ||
        (l->solved.solver != SOLVER_NONE && tensors_meta_all(t, solved_spec, SOLVED, &l->solved)))
        return PERC_ENOMEM;
    const struct pocket *p = pocket_of(&m->learner);
    const struct linear_frame frame = machine_file_frame(m->learner.machine, &out->file, false);
    if (p == NULL) return PERC_OK;
    if (tensors_add(t, "pocket.number", DTYPE_I64, &p->is, POCKET_NUMBERS, 0)) return PERC_ENOMEM;
    if (p->is.found.errors < 0) return PERC_OK;
    return linear_pack(&p->best, &frame, "pocket.weight", "pocket.offset", t);
}

void state_free(struct state *s)
{
    linear_free(&s->average);
    votes_free(&s->file.tidy);
}

/* ----- reading ---------------------------------------------------------------------- */

static perc_status read_sigmoids(perc_model *m, const struct tensors *t, perc_error *err)
{
    const size_t n = learner_outputs(&m->learner);
    const struct tensor *one;
    perc_status st;

    if (tensors_find(t, "sigmoid") == NULL) return PERC_OK;
    if (m->learner.labels.n < 2)
        return fail(err, PERC_EDATA, "tensor 'sigmoid' is present, but there are not two labels");
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

static perc_status read_solved(perc_model *m, const struct tensors *t, perc_error *err)
{
    struct learner *l = &m->learner;
    const char *name = tensors_get(t, "solver");

    if (name == NULL) return PERC_OK;
    if (name[0] == '\0' || l->rule->solve == NULL)
        return fail(err, PERC_EDATA, "metadata 'solver': %s does not learn by '%.60s'",
                    l->rule->table.name, name);
    const perc_status st = tensors_get_all(t, solved_spec, SOLVED, &l->solved, err);
    const size_t n = learner_outputs(l);
    if (st || (l->solved.supports + n - 1) / n <= m->rows) return st;
    return fail(err, PERC_EDATA, "metadata 'supports' is %llu, which is out of range",
                (unsigned long long)l->solved.supports); /* a row may support every class */
}

/* Without a unit, the file is one of a release that knew none, or has the unit 1. */
static perc_status read_unit(struct learner *l, const struct tensors *t, perc_error *err)
{
    double unit;
    perc_status st;

    decay_set(&l->decay, l->machine, l->shown, l->unit);
    if (tensors_get(t, "unit") == NULL && (l->decay.share == 0 || l->machine->unit == 1)) {
        learner_forgo_units(l);
        return PERC_OK;
    }
    if ((st = tensors_get_num(t, "unit", &unit, err)) || unit == l->machine->unit) return st;
    return fail(err, PERC_EDATA, "metadata 'unit' is not what the options say");
}

/* The machine, and the pocket, which says what it returns. */
static perc_status read_machine(perc_model *m, const struct tensors *t, perc_error *err)
{
    struct learner *l = &m->learner;
    struct machine *machine = l->machine;
    struct machine_file f = file_of(m);
    struct linear_frame frame = machine_file_frame(machine, &f, false);
    struct pocket *p = pocket_of(l);
    const struct tensor *number;
    perc_status st = machine_file_unpack_vectors(machine, &f, t, &frame.rows, err);

    if (!st && p != NULL) {
        if ((st = tensors_want(t, "pocket.number", DTYPE_I64, POCKET_NUMBERS, 0, &number, err)))
            return st;
        memcpy(&p->is, number->data, sizeof p->is);
        if (!pocket_possible(&p->is))
            return fail(err, PERC_EDATA, "tensor 'pocket.number' is not what a pocket has");
        if (p->is.found.errors >= 0)
            st = linear_unpack(&p->best, &frame, "pocket.weight", "pocket.offset", t, err);
    }
    if (st) return st;
    f.moment = learner_moment_of(l, SIZE_MAX);
    machine->kept_is_current = true;
    if (machine->ops->unpack != NULL && (st = machine->ops->unpack(machine, &f, t, err))) return st;
    if (learner_room(l, machine->last.stride) ||
        linear_reserve(&machine->sum, machine->last.vectors))
        return fail_memory(err);
    machine->sum.vectors = machine->last.vectors; /* even if empty: classes are made in both */
    return PERC_OK;
}

perc_status state_decode(perc_model *m, const struct tensors *t, perc_error *err)
{
    struct learner *l = &m->learner;
    struct machine *machine = l->machine;
    const struct machine_ops *ops = machine->ops;
    const struct machine_file f = file_of(m);
    const char *unseen = tensors_get(t,
                                     "unseen"); /* files of version 1 have neither it nor "shown" */
    const bool may = machine->expecting;        /* as learner_init has it */
    perc_status st = PERC_OK;

    l->shown = l->progress.examples;
    machine->expecting = unseen != NULL && strcmp(unseen, "true") == 0;
    if (machine->expecting && (l->closed || !may))
        return fail(err, PERC_EDATA, "'unseen' is not for this kind of machine");
    if (machine->expecting)
        st = tensors_get_int(t, "unseen_updates", 0, TENSORS_COUNT_MAX, &machine->unseen_updates,
                             err);
    if (!st && tensors_get(t, "shown") != NULL)
        st = tensors_get_int(t, "shown", 0, l->progress.examples, &l->shown, err);
    if (!st) st = read_unit(l, t, err);
    if (!st) st = read_sigmoids(m, t, err);
    if (!st) st = model_threshold_decode(m, t, err);
    if (!st) st = read_solved(m, t, err);
    if (!st && ops->unpack_first != NULL) st = ops->unpack_first(machine, &f, t, err);
    if (st) return st;
    if (ops->check_class != NULL && ops->check_class(machine, l->labels.n, l->native, "", NULL))
        return fail(err, PERC_EDATA,
                    "there are more than two labels, and the options do not allow "
                    "for them");
    if (l->labels.n == 0 && l->kind == KIND_REST) /* untaught: there are no vectors */
        return l->progress.examples == 0 && (ops->slots == NULL || ops->slots(machine) == 0)
                   ? PERC_OK
                   : fail(err, PERC_EDATA, "the model was taught, but has no label");
    if ((st = read_machine(m, t, err))) return st;
    if (machine->ops == &machine_votes &&
        (machine_votes_start(machine) != NULL) == params_is(m->params, "init", "zero"))
        return fail(err, PERC_EDATA,
                    "option 'init' and tensor 'start.weight' contradict one another");
    if (!map_is_identity(&m->map) && machine_dims(machine) > map_columns(&m->map, m->map.inputs))
        return fail(err, PERC_EDATA, "there are more weights than the map has features");
    return PERC_OK;
}
