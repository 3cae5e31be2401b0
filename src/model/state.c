/* state.c -- the weights of a model file, and what training needs to go on.
 *
 *   weight, offset             what is returned
 *   state.weight, state.offset the last weights, where something else is returned
 *   state.sum, state.sum_offset  u of averaging (learn/averaged.c)
 *   unseen.*                   the same three pairs for the class that was not met yet,
 *                              if one may still come (learn/learner.h)
 *   vote.*, row.*              machine/votes.h
 *   coefficient, counter       machine/expansion.h: what the votes of a kernel machine come to
 *   dropped                    rows of the data set aside (learn/drop.h), if there are any
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

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

/* The tensor is the array as it lies in memory. */
_Static_assert(sizeof(struct sigmoid) == 2 * sizeof(double), "a and b, nothing between");

/* The numbers of struct solved by their keys: one list for writing and reading. */
static const struct {
    const char *key;
    size_t at;
} solved_numbers[] = {
    { "primal", offsetof(struct solved, primal) },
    { "dual", offsetof(struct solved, dual) },
    { "margin_lower", offsetof(struct solved, lower) },
    { "margin_upper", offsetof(struct solved, upper) },
};
enum { SOLVED_NUMBERS = sizeof solved_numbers / sizeof *solved_numbers };

/* ----- writing ------------------------------------------------------------------- */

/* rows * stride numbers of which the first `columns` of each stride are wanted. */
static const double *pack(struct state *s, const double *from, uint64_t rows, size_t stride,
                          size_t columns)
{
    if (stride == columns || rows == 0) return from;
    double *to = mem_array(&s->e, rows, columns * sizeof *to);
    if (to == NULL) return NULL;
    s->array[s->arrays].at = to;
    s->array[s->arrays++].n = rows * columns;
    for (uint64_t j = 0; j < rows; j++)
        memcpy(to + j * columns, from + j * stride, columns * sizeof *to);
    return to;
}

/* The first `vectors` of m; `flat`: two classes, one dimension. A kernel machine has the
 * offset alone; with a budget, weights for its rows. */
static perc_status add_linear(struct state *s, struct tensors *t, const struct linear *m,
                              size_t vectors, bool flat, uint64_t below, const char *weight,
                              const char *offset)
{
    const uint64_t first = s->budgeted ? 0 : below;
    const uint64_t features = s->budgeted ? s->slots : m->dims > first ? m->dims - first : 0;
    const double *w = features > 0 && !s->bare ? m->w + first * m->stride : NULL;

    if (s->bare) return m->offset ? tensors_add(t, offset, DTYPE_F64, m->b, vectors, 0) : PERC_OK;
    if (features > 0 && (w = pack(s, w, features, m->stride, vectors)) == NULL) return PERC_ENOMEM;
    if (tensors_add(t, weight, DTYPE_F64, w, features, flat ? 0 : vectors)) return PERC_ENOMEM;
    return m->offset ? tensors_add(t, offset, DTYPE_F64, m->b, vectors, 0) : PERC_OK;
}

static perc_status add_pocket(struct state *s, struct tensors *t, const perc_model *m)
{
    const struct learner *l = &m->learner;
    const struct pocket *p = l->pocket;

    if (p == NULL) return PERC_OK;
    if (tensors_add(t, "pocket.number", DTYPE_I64, &p->is, POCKET_NUMBERS, 0)) return PERC_ENOMEM;
    if (p->is.found.errors < 0) return PERC_OK;
    return add_linear(s, t, &p->best, learner_outputs(l), l->kind == KIND_TWO, model_base(m),
                      "pocket.weight", "pocket.offset");
}

static perc_status add_number(struct tensors *t, const char *key, double v)
{
    struct text s;
    perc_status st;

    text_init(&s, &t->e);
    text_num(&s, v);
    st = s.oom ? PERC_ENOMEM : tensors_meta(t, key, s.s);
    text_free(&s);
    return st;
}

/* A number that the solver has not (NaN) is left out. */
static perc_status add_solved(struct tensors *t, const struct solved *s)
{
    if (s->solver == SOLVER_NONE) return PERC_OK;
    if (tensors_meta(t, "solver", solver_names[s->solver])) return PERC_ENOMEM;
    for (size_t i = 0; i < SOLVED_NUMBERS; i++) {
        double v;
        memcpy(&v, (const char *)s + solved_numbers[i].at, sizeof v);
        if (isfinite(v) && add_number(t, solved_numbers[i].key, v)) return PERC_ENOMEM;
    }
    return tensors_meta_int(t, "supports", (int64_t)s->supports);
}

/* What the votes of m must agree with. */
static struct votes_frame frame_of(const perc_model *m)
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

static perc_status add_votes(const perc_model *m, struct tensors *t, struct state *out)
{
    const struct learner *l = &m->learner;
    const struct votes_frame frame = frame_of(m);

    if (!has_votes(l)) return PERC_OK;
    if (votes_pack(&out->e, &l->votes, &frame, t, &out->votes)) return PERC_ENOMEM;
    if (l->kernel == NULL) return PERC_OK;
    const struct moment moment = learner_moment(l);
    return expansion_pack(&out->e, out->votes.votes, &moment, learner_outputs(l),
                          l->kind == KIND_TWO, t, &out->sums);
}

static perc_status add_kernel(const perc_model *m, struct tensors *t, struct state *out)
{
    const struct learner *l = &m->learner;
    const struct kernel *k = l->kernel != NULL ? &l->kernel->kernel : NULL;

    if (k == NULL) return PERC_OK;
    if ((has_gamma(k) && add_number(t, "kernel.gamma", k->gamma)) ||
        tensors_meta_int(t, "features", (int64_t)model_features(m)))
        return PERC_ENOMEM;
    if (l->budget != NULL) return budget_pack(&out->e, l->budget, model_base(m), t, &out->budget);
    if (l->drop == NULL || l->drop->n == 0) return PERC_OK;
    return tensors_add(t, "dropped", DTYPE_I64, l->drop->row, l->drop->n, 0);
}

#define LAYER  "layer."
#define FIRST  "state.first."
#define SECOND "state.second."

static perc_status add_mlp(const perc_model *m, struct tensors *t, struct state *out)
{
    const struct learner *l = &m->learner;
    const struct backprop *b = l->backprop;
    const uint64_t below = model_base(m);

    if (tensors_meta_int(t, "inputs", (int64_t)l->mlp->features) ||
        tensors_meta_int(t, "steps", b->steps) || mlp_pack(l->mlp, below, LAYER, t, &out->layers) ||
        (b->first.layers > 0 && mlp_pack(&b->first, below, FIRST, t, &out->layers)) ||
        (b->second.layers > 0 && mlp_pack(&b->second, below, SECOND, t, &out->layers)))
        return PERC_ENOMEM;
    return PERC_OK;
}

/* Where the weights are numbered by the rows of a budget, and where there are none. */
static void state_shape(struct state *s, const struct learner *l)
{
    s->bare = l->kernel != NULL && l->budget == NULL;
    s->budgeted = l->budget != NULL;
    if (s->budgeted) s->slots = l->budget->rows;
}

/* Weights, or what a learner has in their place and beside them. */
static perc_status add_weights(const perc_model *m, struct tensors *t, struct state *out)
{
    const struct learner *l = &m->learner;
    const struct linear *result = learner_result(l);
    const uint64_t below = model_base(m);
    const bool flat = l->kind == KIND_TWO;
    const bool sums = result != &l->machine;
    const char *weight = l->budget != NULL ? "coefficient" : "weight";
    const char *unseen = l->budget != NULL ? "unseen.coefficient" : "unseen.weight";

    state_shape(out, l);
    if (l->rule->keep == KEEP_AVERAGE && !l->settled) {
        if (linear_copy(&out->e, &l->machine, &out->own)) return PERC_ENOMEM;
        average_of(l, &out->own);
        result = &out->own;
    }
    if (add_linear(out, t, result, learner_outputs(l), flat, below, weight, "offset"))
        return PERC_ENOMEM;
    if (sums && (add_linear(out, t, &l->machine, learner_outputs(l), flat, below, "state.weight",
                            "state.offset") ||
                 add_linear(out, t, &l->sum, learner_outputs(l), flat, below, "state.sum",
                            "state.sum_offset")))
        return PERC_ENOMEM;
    if (l->expecting && add_linear(out, t, &l->unseen, 1, true, below, unseen, "unseen.offset"))
        return PERC_ENOMEM;
    if (l->expecting && sums &&
        add_linear(out, t, &l->unseen_sum, 1, true, below, "unseen.sum", "unseen.sum_offset"))
        return PERC_ENOMEM;
    if (add_votes(m, t, out) || add_kernel(m, t, out) || add_solved(t, &l->solved))
        return PERC_ENOMEM;
    return add_pocket(out, t, m);
}

perc_status state_encode(const perc_model *m, struct tensors *t, struct state *out)
{
    const struct learner *l = &m->learner;

    if (tensors_meta_int(t, "shown", l->shown) ||
        tensors_meta(t, "unseen", l->expecting ? "true" : "false") ||
        (l->expecting && tensors_meta_int(t, "unseen_updates", l->unseen_updates)) ||
        (m->sigmoid != NULL && tensors_add(t, "sigmoid", DTYPE_F64, m->sigmoid, m->sigmoids, 2)))
        return PERC_ENOMEM;
    if (l->gate != NULL) return gate_pack(l->gate, t);
    return l->mlp != NULL ? add_mlp(m, t, out) : add_weights(m, t, out);
}

void state_free(struct state *s)
{
    for (size_t i = 0; i < s->arrays; i++)
        mem_free(&s->e, s->array[i].at, s->array[i].n, sizeof(double));
    linear_free(&s->own);
    votes_packed_free(&s->votes);
    expansion_packed_free(&s->sums);
    budget_packed_free(&s->budget);
    mlp_packed_free(&s->layers);
    s->arrays = 0;
}

static bool all_finite(const double *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(v[i])) return false;
    return true;
}

bool state_is_finite(const perc_model *m, const struct state *s)
{
    const struct learner *l = &m->learner;

    if (l->mlp != NULL)
        return mlp_is_finite(l->mlp) && mlp_is_finite(&l->backprop->first) &&
               mlp_is_finite(&l->backprop->second);
    if (!linear_is_finite(&l->machine) || !linear_is_finite(&l->sum)) return false;
    if (l->kernel == NULL) return true;
    return linear_is_finite(learner_result(l)) && linear_is_finite(&l->unseen) &&
           linear_is_finite(&l->unseen_sum) && all_finite(s->votes.step, s->votes.n) &&
           all_finite(s->sums.coefficient, s->sums.cells);
}

/* ----- reading ---------------------------------------------------------------------- */

perc_status state_find(const struct tensors *t, const char *name, uint64_t columns,
                       const struct tensor **out, perc_error *err)
{
    const struct tensor *one = *out = tensors_find(t, name);

    if (one == NULL) return PERC_OK;
    if (one->type != DTYPE_F64 || one->dims != (columns > 0 ? 2 : 1) ||
        (columns > 0 && one->shape[1] != columns))
        return columns > 0
                   ? fail(err, PERC_EDATA, "tensor '%s' must be F64 of shape [.., %llu]", name,
                          (unsigned long long)columns)
                   : fail(err, PERC_EDATA, "tensor '%s' must be F64 of one dimension", name);
    for (uint64_t j = 0; j < one->count; j++) {
        if (!(fabs(((const double *)one->data)[j]) <= DBL_MAX))
            return fail(err, PERC_EDATA, "%s[%llu] is not a finite number", name,
                        (unsigned long long)j);
    }
    return PERC_OK;
}

/* The offset of a machine of so many vectors. */
static perc_status read_offset(struct linear *to, const struct tensors *t, size_t vectors,
                               const char *offset, perc_error *err)
{
    const struct tensor *b;
    perc_status st = state_find(t, offset, 0, &b, err);

    if (st) return st;
    if ((b != NULL) != to->offset)
        return fail(err, PERC_EDATA, "tensor '%s' is %s, but the options say otherwise", offset,
                    b != NULL ? "there" : "missing");
    if (b != NULL && b->count != vectors)
        return fail(err, PERC_EDATA, "tensor '%s' must have %zu element%s", offset, vectors,
                    vectors == 1 ? "" : "s");
    if (linear_reserve(to, vectors)) return fail_memory(err);
    to->vectors = vectors;
    if (b != NULL) memcpy(to->b, b->data, vectors * sizeof *to->b);
    return PERC_OK;
}

/* A machine of so many vectors (`flat`: one dimension) from its two tensors, for
 * `features` features, or as many as there are (UINT64_MAX). A kernel machine has the
 * offset alone; with a budget, weights for its rows. */
static perc_status read_linear(const perc_model *m, struct linear *to, const struct tensors *t,
                               size_t vectors, bool flat, const char *weight, const char *offset,
                               uint64_t features, perc_error *err)
{
    const struct budget *budget = m->learner.budget;
    const uint64_t below = budget != NULL ? 0 : model_base(m), columns = flat ? 0 : vectors;
    const struct tensor *w;
    perc_status st;

    if (m->learner.kernel != NULL && budget == NULL)
        return read_offset(to, t, vectors, offset, err);
    if ((st = state_find(t, weight, columns, &w, err))) return st;
    if (w == NULL) return fail(err, PERC_EDATA, "tensor '%s' is missing", weight);
    if (features != UINT64_MAX && w->shape[0] != features)
        return fail(err, PERC_EDATA, "tensor '%s' must have %llu %s", weight,
                    (unsigned long long)features, budget != NULL ? "rows" : "features");
    if ((st = read_offset(to, t, vectors, offset, err))) return st;
    const uint64_t dims = budget != NULL ? budget->slots : w->shape[0] + below;
    if (dims > below && linear_grow(to, dims)) return fail_memory(err);
    for (uint64_t j = 0; j < w->shape[0]; j++)
        memcpy(to->w + (j + below) * to->stride, (const double *)w->data + j * vectors,
               vectors * sizeof *to->w);
    return PERC_OK;
}

static perc_status read_pocket(perc_model *m, const struct tensors *t, uint64_t features,
                               perc_error *err)
{
    struct learner *l = &m->learner;
    const struct tensor *n = tensors_find(t, "pocket.number");

    if (n == NULL) return fail(err, PERC_EDATA, "tensor 'pocket.number' is missing");
    if (n->type == DTYPE_I64 && n->dims == 1 && n->count == POCKET_NUMBERS)
        memcpy(&l->pocket->is, n->data, sizeof l->pocket->is);
    if (n->type != DTYPE_I64 || n->dims != 1 || n->count != POCKET_NUMBERS ||
        !pocket_possible(&l->pocket->is))
        return fail(err, PERC_EDATA, "tensor 'pocket.number' is not what a pocket has");
    if (l->pocket->is.found.errors < 0) return PERC_OK;
    return read_linear(m, &l->pocket->best, t, learner_outputs(l), l->kind == KIND_TWO,
                       "pocket.weight", "pocket.offset", features, err);
}

/* The rows that were set aside. */
static perc_status read_dropped(perc_model *m, const struct tensors *t, perc_error *err)
{
    struct learner *l = &m->learner;
    const struct tensor *one = tensors_find(t, "dropped");

    if (one != NULL && (one->type != DTYPE_I64 || one->dims != 1))
        return fail(err, PERC_EDATA, "tensor 'dropped' must be I64 of one dimension");
    if (l->drop == NULL)
        return one == NULL ? PERC_OK
                           : fail(err, PERC_EDATA, "rows were dropped without 'drop-after'");
    return drop_restore(l->drop, one != NULL ? one->data : NULL,
                        one != NULL ? (size_t)one->count : 0, &l->votes, (int64_t)m->rows, err);
}

static perc_status read_votes(perc_model *m, const struct tensors *t, perc_error *err)
{
    struct learner *l = &m->learner;
    const struct votes_frame frame = frame_of(m);
    perc_status st;

    if (!has_votes(l)) return PERC_OK;
    votes_free(&l->votes);
    if ((st = votes_unpack(&l->e, t, &frame, &l->votes, err)) || l->kernel == NULL) return st;
    if ((st = read_dropped(m, t, err))) return st;
    for (size_t k = 0; k < l->votes.n; k++)
        l->votes.vote[k].aside = drop_has(l->drop, l->votes.vote[k].example);
    const struct moment moment = learner_moment(l);
    return expansion_compare(&l->e, t, &l->votes, &moment, learner_outputs(l), l->kind == KIND_TWO,
                             err);
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

/* The class that was not met yet. */
static perc_status read_unseen(perc_model *m, const struct tensors *t, uint64_t features, bool sums,
                               perc_error *err)
{
    struct learner *l = &m->learner;
    perc_status st;

    if (!l->expecting) return PERC_OK;
    const char *weight = l->budget != NULL ? "unseen.coefficient" : "unseen.weight";
    st = read_linear(m, &l->unseen, t, 1, true, weight, "unseen.offset", features, err);
    if (st || !sums) return st;
    return read_linear(m, &l->unseen_sum, t, 1, true, "unseen.sum", "unseen.sum_offset", features,
                       err);
}

/* Weights, last weights and sums, all of one shape. */
static perc_status read_weights(perc_model *m, const struct tensors *t, perc_error *err)
{
    struct learner *l = &m->learner;
    const bool sums = l->rule->keep == KEEP_AVERAGE || l->rule->keep == KEEP_BEST;
    const bool flat = l->kind == KIND_TWO;
    struct linear *result = sums ? &l->kept : &l->machine;
    const size_t n = learner_outputs(l);
    const uint64_t below = model_base(m);
    const struct budget *budget = l->budget;
    perc_status st = read_linear(m, result, t, n, flat, budget != NULL ? "coefficient" : "weight",
                                 "offset", budget != NULL ? budget->rows : UINT64_MAX, err);

    if (st) return st;
    const uint64_t features = budget != NULL         ? budget->rows
                              : result->dims > below ? result->dims - below
                                                     : 0;
    if (sums && ((st = read_linear(m, &l->machine, t, n, flat, "state.weight", "state.offset",
                                   features, err)) ||
                 (st = read_linear(m, &l->sum, t, n, flat, "state.sum", "state.sum_offset",
                                   features, err))))
        return st;
    if ((st = read_unseen(m, t, features, sums, err))) return st;
    return l->pocket != NULL ? read_pocket(m, t, features, err) : PERC_OK;
}

static perc_status read_sigmoids(perc_model *m, const struct tensors *t, perc_error *err)
{
    const size_t n = learner_outputs(&m->learner);
    const struct tensor *one;
    perc_status st = state_find(t, "sigmoid", 2, &one, err);

    if (st || one == NULL) return st;
    if (m->learner.labels.n < 2 || one->shape[0] != n)
        return fail(err, PERC_EDATA, "tensor 'sigmoid' has %llu rows; one a score is wanted",
                    (unsigned long long)one->shape[0]);
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

/* A finite number of the metadata; NaN if it is not there. */
static perc_status read_number(const struct tensors *t, const char *key, double *out,
                               perc_error *err)
{
    const char *s = tensors_get(t, key);

    *out = NAN;
    if (s == NULL || number_parse(s, strlen(s), out)) return PERC_OK;
    return fail(err, PERC_EDATA, "metadata '%s' is '%.60s', which is not a number", key, s);
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
        if ((st = read_number(t, "kernel.gamma", &gamma, err))) return st;
        if (!(gamma > 0) || isinf(gamma))
            return fail(err, PERC_EDATA, "metadata 'kernel.gamma' must be a number above 0");
        if (k->unit == UNIT_GIVEN && gamma != k->gamma)
            return fail(err, PERC_EDATA, "metadata 'kernel.gamma' is not what the options say");
        k->gamma = gamma;
    }
    return l->budget == NULL ? PERC_OK : budget_unpack(l->budget, t, learner_dims(l), below, err);
}

static perc_status read_solved(perc_model *m, const struct tensors *t, perc_error *err)
{
    struct learner *l = &m->learner;
    struct solved *s = &l->solved;
    const char *name = tensors_get(t, "solver");
    const int64_t rows = (int64_t)(m->rows < INT64_MAX / LABELS_MAX ? m->rows : 0);
    int64_t supports;
    int k = SOLVER_NONE + 1;
    perc_status st = PERC_OK;

    if (name == NULL) return PERC_OK;
    while (k <= SOLVER_LP && strcmp(name, solver_names[k]) != 0) k++;
    if (k > SOLVER_LP || l->rule->solve == NULL)
        return fail(err, PERC_EDATA, "metadata 'solver': %s does not learn by '%.60s'",
                    l->rule->table.name, name);
    s->solver = (enum solver)k;
    for (size_t i = 0; i < SOLVED_NUMBERS && !st; i++) {
        double v;
        st = read_number(t, solved_numbers[i].key, &v, err);
        memcpy((char *)s + solved_numbers[i].at, &v, sizeof v);
    }
    if (!st) /* a row may support the margin of every class */
        st = tensors_get_int(t, "supports", 0, rows * (int64_t)learner_outputs(l), &supports, err);
    if (!st) s->supports = (uint64_t)supports;
    return st;
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
    if ((st = gate_unpack(&m->e, t, l->gate, err))) return st;
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
    return m->learner.mlp != NULL ? read_mlp(m, t, err) : read_weights(m, t, err);
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
