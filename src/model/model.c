/* model.c -- making, teaching and looking at a model. */
#include "model/model.h"

#include <math.h>
#include <string.h>

#include "data/read.h"
#include "learn/arithmetic.h"
#include "machine/machine_kernel.h"
#include "machine/machine_mlp.h"
#include "vec/fmath.h"

perc_status model_new(const struct env *e, const perc_params *p, perc_model **out, perc_error *err)
{
    const struct rule *rule = rule_find(p->table->name);
    perc_model *m;
    perc_status st;

    *out = NULL;
    m = mem_zeroed(e, 1, sizeof *m);
    if (m == NULL) return fail_memory(err);
    m->e = *e;
    m->index_base = -1;
    schema_init(&m->schema, e);
    const bool weighs = perc_params_get(p, "class-weight") != NULL;
    st = class_weights_parse(e, weighs ? params_text(p, "class-weight") : "", &m->weights, err);
    if (!st && (learner_init(&m->learner, e, rule, p) || params_copy(e, p, &m->params)))
        st = fail_memory(err);
    if (!st) st = learner_ask(&m->learner, p, err);
    if (st) perc_model_free(m);
    else *out = m;
    return st;
}

perc_status model_without_data(const perc_model *m, const char *where, perc_error *err)
{
    const struct machine *machine = m->learner.machine;

    if (arithmetic_is_exact(m->params))
        return fail(err, PERC_EARG,
                    "exact arithmetic needs the whole data set, and %s does not have it (leave out "
                    "--arithmetic exact)",
                    where);
    return machine->ops->without_data != NULL ? machine->ops->without_data(machine, where, err)
                                              : PERC_OK;
}

perc_status model_draw_start(perc_model *m, const char *where, perc_error *err)
{
    struct machine *machine = m->learner.machine;

    if (machine->ops->draw == NULL) return PERC_OK;
    const int64_t inputs = params_int(m->params, "inputs");
    if (inputs == 0)
        return fail(err, PERC_EARG,
                    "the initial weights of a network depend on the number of features, which %s "
                    "does not know beforehand: pass --inputs N",
                    where);
    machine->ops->draw(machine, (uint64_t)inputs, 0);
    return PERC_OK;
}

perc_status perc_model_new(const perc_env *env, const perc_params *p, perc_model **out,
                           perc_error *err)
{
    NEED_OUT(out);
    NEED_PARAMS(p, "learner");
    static const char where[] = "a model that learns line by line";
    const struct env e = env_resolve(env);
    const char *positive;
    perc_status st;

    if ((st = rule_check(p, err)) || (st = model_new(&e, p, out, err))) return st;
    st = model_without_data(*out, where, err);
    positive = params_text((*out)->params, "positive");
    if (!st && positive[0] != '\0' &&
        learner_fix_two_classes(&(*out)->learner, "rest", positive, true))
        st = fail_memory(err);
    if (!st) st = learner_know_listed(&(*out)->learner, err);
    if (!st) st = model_draw_start(*out, where, err);
    if (!st) st = start_prepare(*out, where, err);
    if (!st) return PERC_OK;
    perc_model_free(*out);
    *out = NULL;
    return st;
}

void perc_model_free(perc_model *m)
{
    if (m == NULL) return;
    const struct env e = m->e;
    online_free(m->line); /* it borrows from the machine */
    start_drop(m);
    perc_params_free(m->params);
    learner_free(&m->learner);
    class_weights_free(&m->weights);
    schema_free(&m->schema);
    transform_free(&m->transform);
    names_free(&m->names);
    model_uncalibrate(m);
    pipe_free(&m->pipe);
    mem_free(&e, m, 1, sizeof *m);
}

perc_status model_adopt(perc_model *m, const perc_dataset *ds, perc_error *err)
{
    m->index_base = ds->index_base;
    m->rows = ds->rows;
    m->map = ds->map;
    if (schema_copy(&m->e, &ds->schema, &m->schema) ||
        transform_copy(&m->e, &ds->transform, &m->transform) ||
        names_make(&m->e, &m->schema, &m->names))
        return fail_memory(err);
    return PERC_OK;
}

/* The inputs of a gate are numbered from the first feature on. */
uint64_t model_features(const perc_model *m)
{
    const uint64_t base = model_base(m), dims = machine_dims(m->learner.machine);

    if (!machine_learns(m->learner.machine)) return dims;
    return dims > base ? dims - base : 0;
}

uint64_t model_inputs(const perc_model *m)
{
    if (!map_is_identity(&m->map)) return m->map.inputs;
    return model_features(m) > 0 ? model_features(m) + model_base(m)
                                 : machine_dims(m->learner.machine);
}

perc_status model_check_labels(const struct block *b, size_t blocks, perc_error *err)
{
    for (; blocks > 0; b++, blocks--)
        for (size_t i = 0; i < b->rows; i++)
            if (b->label[i] == LABEL_NONE)
                return block_blame(
                    b, i, fail_at(err, PERC_EDATA, block_line(b, i), 0, "the row has no label"),
                    err);
    return PERC_OK;
}

size_t *model_classes(const perc_model *m, const perc_dataset *ds, struct pool *pool)
{
    size_t *class_of = pool_array(pool, ds->labels.n, sizeof *class_of);

    for (size_t i = 0; i < ds->labels.n && class_of != NULL; i++)
        class_of[i] = learner_class(&m->learner, ds->labels.at[i].text);
    return class_of;
}

/* ----- one example -------------------------------------------------------------- */

struct row model_example_row(const perc_example *x)
{
    return (struct row){ .value = x->value,
                         .index = x->column,
                         .n = x->n,
                         .stride = sizeof(double),
                         .values = VALUES_F64,
                         .indices = x->column != NULL ? INDEX_U32 : INDEX_DENSE };
}

perc_status model_check_example(const perc_example *x, perc_error *err)
{
    NEED(x->value != NULL || x->n == 0);
    for (size_t k = 0; k < x->n; k++) {
        if (!isfinite(x->value[k]))
            return fail(err, PERC_EARG, "entry %zu of the example is not finite", k);
        if (x->column != NULL && k > 0 && x->column[k] <= x->column[k - 1])
            return fail(err, PERC_EARG, "the columns of the example do not increase at entry %zu",
                        k);
    }
    return PERC_OK;
}

perc_status model_grow(perc_model *m, size_t classes, uint64_t columns, perc_error *err)
{
    struct machine *machine = m->learner.machine;
    const bool two = m->learner.closed || (classes <= 2 && m->learner.kind == KIND_TWO);
    const double need = machine_bytes(machine, two ? 0 : classes, columns);

    /* Systems promise more than there is, and end a program that takes them at their word. */
    if (need <= mem_physical() && !machine_grow(machine, columns)) return PERC_OK;
    return fail(err, PERC_ENOMEM,
                "out of memory: %llu columns%s need %.3g GB for their weights (pass --hash BITS, "
                "which makes 2^BITS columns of any number%s)",
                (unsigned long long)columns, two ? "" : " of every class", need / 1e9,
                two ? "" : ", or --positive LABEL to learn one class");
}

/* Whoever writes a line decides how long the weights are: one line must not take all memory. A
 * model that has so many columns already keeps them. */
static perc_status check_columns(const perc_model *m, uint64_t columns, perc_error *err)
{
    const struct machine *machine = m->learner.machine;
    const double bytes = machine_bytes(machine, 0, columns);

    if (columns <= machine_dims(machine) || bytes <= MODEL_LINE_BYTES) return PERC_OK;
    return fail(
        err, PERC_EDATA,
        "feature %llu would need %.3g GB for the weights up to it, and learning line by line "
        "takes at most %.3g GB (pass --hash BITS to --new, or train on a file first)",
        (unsigned long long)columns - 1, bytes / 1e9, MODEL_LINE_BYTES / 1e9);
}

perc_status model_counts_on(const perc_model *m, perc_error *err)
{
    const struct learner *l = &m->learner;
    const struct progress *g = &l->progress;
    const int64_t all[] = { (int64_t)m->rows, g->epoch, g->examples, g->updates,
                            l->machine->unseen_updates };
    int64_t most = 0;

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] > most) most = all[i];
    if (most <= TENSORS_COUNT_MAX / 4) return PERC_OK;
    return fail(err, PERC_EDATA,
                "the model has counted to %lld: it can answer, but learns nothing more",
                (long long)most);
}

perc_status model_is_online(const perc_model *m, perc_error *err)
{
    const struct rule *rule = m->learner.rule;

    if (!machine_learns(m->learner.machine))
        return fail(err, PERC_EARG, "a gate was compiled from a formula: it does not learn");
    if (!rule->about.online)
        return fail(err, PERC_EARG, "%s needs the whole data set: it cannot learn line by line",
                    rule->table.name);
    if (m->weights.balanced)
        return fail(err, PERC_EARG, "balanced class weights need the whole data set");
    if (arithmetic_is_exact(m->params))
        return fail(err, PERC_EARG,
                    "exact arithmetic needs the whole data set, and its weights are rounded when "
                    "it is over: such a model cannot learn line by line");
    if (m->learner.machine->ops->skips != NULL && params_int(m->params, "drop-after") > 0)
        return fail(err, PERC_EARG,
                    "a model that drops rows needs the whole data set: it cannot "
                    "learn line by line");
    return model_counts_on(m, err);
}

/* Checks that x fits the machine and has scores, which are left in l->scores, and makes room for
 * all updates that it may lead to. Nothing is learned yet. */
static perc_status prepare_row(perc_model *m, const struct row *x, perc_error *err)
{
    struct learner *l = &m->learner;
    struct machine *machine = l->machine;
    const struct machine_ops *ops = machine->ops;
    const uint64_t columns = x->n > 0 ? row_column(x, x->n - 1) + 1 : 0;
    perc_status st = ops->check_row != NULL ? ops->check_row(machine, x, 0, err) : PERC_OK;

    if (st) return st;
    if (ops->found_base != NULL) ops->found_base(machine, model_base(m));
    if ((st = check_columns(m, columns, err)) || (st = model_grow(m, 0, columns, err))) return st;
    if (learner_room(l, l->labels.n + 3) || learner_scores(l, x) ||
        (ops->reserve_row != NULL && ops->reserve_row(machine, x, l->labels.n + 2)))
        return fail_memory(err);
    for (size_t c = 0; c < learner_vectors(l) && ops->flags & MACHINE_FINITE; c++)
        if (!isfinite(l->scores[c])) return fail(err, PERC_EDATA, "%s", ops->unlearnable);
    l->example = (int64_t)m->rows + l->progress.examples; /* after those of the data */
    return PERC_OK;
}

static perc_status fail_overflow(perc_error *err)
{
    return fail(err, PERC_EDATA,
                "the weights would no longer be numbers after this row: nothing was "
                "learned from it (scale the data, or pass a smaller --rate)");
}

/* A class cannot be taken back. So where the row might be refused after it has brought a new one, a
 * copy of the learner is taught first. */
static perc_status try_new_class(perc_model *m, const struct row *x, const char *label,
                                 double weight, perc_error *err)
{
    const struct learner *l = &m->learner;
    struct learner copy;
    size_t class, at;
    perc_status st;

    if (learner_class(l, label) != CLASS_NONE ||
        (l->machine->ops->teach == NULL && learner_is_ordinary(l, x, weight, l->scores[0])))
        return PERC_OK;
    if (learner_init(&copy, &m->e, l->rule, m->params)) return fail_memory(err);
    st = learner_copy(l, &copy) ? fail_memory(err) : learner_ask(&copy, m->params, err);
    if (!st) st = learner_meet(&copy, label, &class, &at, err);
    if (!st) learner_show(&copy, x, class, weight);
    if (!st && copy.machine->failed) st = fail_memory(err);
    if (!st && copy.overflow) st = fail_overflow(err);
    learner_free(&copy);
    return st;
}

static perc_status learn_row(perc_model *m, const struct row *x, const char *label, double weight,
                             struct outcome *out, perc_error *err)
{
    struct learner *l = &m->learner;
    struct progress *g = &l->progress;
    const bool teaches = l->machine->ops->teach != NULL;
    const uint64_t dims = machine_dims(l->machine);
    const double counts = weight * class_weights_of(&m->weights, label);
    size_t class, at, answer = CLASS_NONE;
    perc_status st = prepare_row(m, x, err);

    /* The class that the last machine's scores favour, unless no label is known. */
    if (!st && l->labels.n > 0)
        answer = teaches               ? model_answer(m, l->scores)
                 : l->kind == KIND_TWO ? l->labels.n > 1 && l->scores[0] > 0
                                       : linear_best(l->scores, l->labels.n);
    if (!st) st = try_new_class(m, x, label, counts, err);
    if (!st) st = learner_meet(l, label, &class, &at, err);
    if (!st)
        *out = at != CLASS_NONE || teaches ? learner_show(l, x, class, counts)
                                           : learner_show_known(l, x, class, counts, l->scores);
    if (!st && l->overflow) st = fail_overflow(err);
    l->overflow = false;
    if (!st && teaches && l->machine->failed) { /* before it has learned anything */
        l->machine->failed = false;
        st = fail_memory(err);
    }
    if (st) {
        machine_shrink(l->machine, dims);
        return st;
    }
    if (answer != CLASS_NONE && at != CLASS_NONE && answer >= at) answer++;
    model_forget_fitted(m);
    out->answer = answer;
    out->fresh = at != CLASS_NONE;
    if (teaches && out->fresh && weight > 0) out->mistake = true; /* no answer can be a new label */
    g->examples++;
    g->mistakes += out->mistake;
    g->updates += out->updates;
    g->stop = PERC_STOP_NONE; /* what ended training no longer holds */
    if (out->updates > 0 && g->pass_updates == 0 && g->position > 0) g->pass_updates = 1;
    return l->machine->failed ? fail_memory(err) : PERC_OK;
}

/* With one more class, examples that were not supports may become some: the new class takes over
 * what the unseen class has learned. They are counted again then, in room made beforehand. */
perc_status model_learn(perc_model *m, const struct row *x, const char *label, double weight,
                        struct outcome *out, perc_error *err)
{
    struct learner *l = &m->learner;
    const size_t updates = machine_updates(l->machine);
    struct counts c = { 0 };
    bool supports = false; /* one of the updates counts: it is for a class that was met */
    perc_status st;

    if ((st = model_is_online(m, err))) return st;
    if ((st = labels_check(label, strlen(label), err))) return st;
    if (machine_expansion_of(l->machine) != NULL && learner_class(l, label) == CLASS_NONE &&
        supports_open(&m->e, 4 * updates + l->labels.n + 4, &c))
        return fail_memory(err);
    st = learn_row(m, x, label, weight, out, err);
    const struct votes *v = machine_votes_of(l->machine);
    for (size_t k = updates; k < machine_updates(l->machine) && !st; k++)
        supports |= v->vote[k].up < learner_outputs(l);
    m->support_count = c.slot != NULL ? supports_count(l, &c) : m->support_count + supports;
    supports_close(&m->e, &c);
    return st;
}

perc_status perc_learn_sized(perc_model *m, const perc_example *x, const char *label, double weight,
                             perc_outcome *out, size_t size, perc_error *err)
{
    NEED(m != NULL && x != NULL && label != NULL);
    struct row r = model_example_row(x);
    struct outcome o;
    perc_status st = model_check_example(x, err);

    if (st) return st;
    if (!isfinite(weight) || weight < 0)
        return fail(err, PERC_EARG, "the weight must be a number of at least 0");
    if (m->index_base < 0 && (st = start_begin(m, 0, err))) return st;
    const uint64_t base = model_base(m), inputs = r.n > 0 ? row_column(&r, r.n - 1) + 1 + base : 0;
    if (m->pipe.e.alloc == NULL) pipe_init(&m->pipe, &m->e, base, &m->transform, &m->map);
    if (!map_is_identity(&m->map) && inputs > m->map.inputs)
        st = map_set_inputs(&m->map, base, inputs, err);
    if (!st) st = pipe_row(&m->pipe, &r, 0, err);
    if (!st) st = model_learn(m, &r, label, weight, &o, err);
    if (st) return st;
    const struct labels *l = &m->learner.labels;
    const perc_outcome own = { .score = machine_shown(m->learner.machine, o.score),
                               .mistake = o.mistake,
                               .updated = o.updates,
                               .answer = o.answer < l->n ? l->at[o.answer].text : NULL };
    sized_copy(out, size, &own, sizeof own);
    return PERC_OK;
}

/* ----- looking at a model ----------------------------------------------------------- */

int64_t perc_model_dropped(const perc_model *m, size_t i)
{
    if (m == NULL) return -1;
    const struct machine_facts facts = machine_describe(m->learner.machine, model_base(m));

    return i < facts.dropped_count ? facts.dropped[i] : -1;
}

const char *perc_model_dropped_class(const perc_model *m, size_t i)
{
    if (m == NULL) return NULL;
    const struct machine_facts facts = machine_describe(m->learner.machine, model_base(m));

    if (i >= facts.dropped_count || facts.dropped_vector == NULL) return NULL;
    return m->learner.labels.at[facts.dropped_vector[i]].text;
}

void perc_model_info_get_sized(const perc_model *m, perc_model_info *out, size_t size)
{
    if (m == NULL) {
        sized_copy(out, size, &(perc_model_info){ .features = 0 }, sizeof *out);
        return;
    }
    const struct learner *l = &m->learner;
    const struct progress *g = &l->progress;
    const bool two = l->kind == KIND_TWO;
    const bool solved = l->solved.solver != SOLVER_NONE;
    const struct machine_facts facts = machine_describe(l->machine, model_base(m));

    perc_model_info info = { .algorithm = l->rule->table.name,
                             .machine = l->machine->ops->word,
                             .features = model_features(m),
                             .outputs = learner_outputs(l),
                             .labels = l->labels.n,
                             .multiclass = kind_words[l->kind],
                             .index_base = (int)model_base(m),
                             .has_offset = l->machine->last.offset,
                             .negative = two && l->labels.n > 0 ? l->labels.at[0].text : "",
                             .positive = two && l->labels.n > 1 ? l->labels.at[1].text : "",
                             .stop = g->stop,
                             .epochs = g->epoch,
                             .examples = g->examples,
                             .mistakes = g->mistakes,
                             .updates = g->updates,
                             .primal = solved ? l->solved.primal : NAN,
                             .dual = solved ? l->solved.dual : NAN,
                             .margin_lower = solved ? l->solved.lower : NAN,
                             .margin_upper = solved ? l->solved.upper : NAN,
                             .geometric_lower = solved ? l->solved.geometric_lower : NAN,
                             .geometric_upper = solved ? l->solved.geometric_upper : NAN,
                             .supports = model_supports(m),
                             .solver = solver_names[l->solved.solver],
                             .calibrated = model_has_p(m),
                             .kernel = "",
                             .gamma = NAN,
                             .coef0 = NAN,
                             .dropped = facts.dropped_count,
                             .unit = l->machine->unit,
                             .classes = "" };
    if (l->native && l->kind == KIND_NATIVE && l->labels.n > 2)
        info.classes = l->known ? "all" : "seen";
    if (facts.kernel != NULL) {
        const struct kernel *k = facts.kernel;
        info.kernel = kernel_names[k->type];
        info.degree = k->degree;
        if (kernel_has_gamma(k)) info.gamma = k->gamma;
        if (k->type == KERNEL_POLY || k->type == KERNEL_SIGMOID) info.coef0 = k->coef0;
    }
    transform_option(&m->transform, info.scale);
    map_option(&m->map, info.map);
    sized_copy(out, size, &info, sizeof info);
}

const char *perc_model_label(const perc_model *m, size_t i)
{
    return m != NULL && i < m->learner.labels.n ? m->learner.labels.at[i].text : NULL;
}

double perc_model_weight(const perc_model *m, uint64_t j, size_t c)
{
    if (m == NULL) return 0;
    const struct machine *machine = m->learner.machine;
    const struct linear *w = machine_result(machine);

    if (!(machine->ops->flags & MACHINE_WEIGHTS) || c >= w->vectors || j >= w->dims ||
        j + model_base(m) >= w->dims)
        return 0;
    return machine_shown(machine, w->w[(j + model_base(m)) * w->stride + linear_at(w, c)]);
}

double perc_model_offset(const perc_model *m, size_t c)
{
    if (m == NULL) return 0;
    const struct machine *machine = m->learner.machine;
    const struct linear *w = machine_result(machine);

    if ((machine->ops->flags & MACHINE_NETWORK) || c >= w->vectors) return 0;
    return machine_shown(machine, w->b[linear_at(w, c)]);
}

double perc_model_odds_ratio(const perc_model *m, uint64_t j, size_t c)
{
    if (m == NULL || !(m->learner.rule->flags & RULE_PROBABLE)) return NAN;
    const struct transform *t = &m->transform;
    const uint64_t column = j + model_base(m);
    double w = perc_model_weight(m, j, c);

    if (t->scale == SCALE_UNIT || !map_is_identity(&m->map) || m->map.bits > 0) return NAN;
    if (t->scale == SCALE_BY) w /= t->by;
    if (t->divisor != NULL && column < t->columns) w /= t->divisor[column];
    return fm_exp(w);
}

/* The unused rows of layer i: in the first one, those below the base. */
static uint64_t below_layer(const perc_model *m, size_t i)
{
    return i == 0 ? model_base(m) : 0;
}

/* NULL: there is none. */
static const struct layer *layer_of(const perc_model *m, size_t i)
{
    const struct machine_network *n = m != NULL ? machine_mlp_of(m->learner.machine) : NULL;

    return n != NULL && i < n->net.layers ? &n->net.layer[i] : NULL;
}

int perc_model_layer_sized(const perc_model *m, size_t i, perc_layer *out, size_t size)
{
    const struct layer *l = layer_of(m, i);
    perc_layer own = { .activation = "" };
    double sum = 0;

    sized_copy(out, size, &own, sizeof own);
    if (l == NULL) return 0;
    const struct mlp *n = &machine_mlp_of(m->learner.machine)->net;
    const uint64_t below = below_layer(m, i);
    for (uint64_t j = below; j < l->in; j++)
        for (size_t k = 0; k < l->out; k++) {
            const double w = (double)l->w[j * l->stride + k];
            sum += w * w;
        }
    own.inputs = l->in > below ? l->in - below : 0;
    own.outputs = l->out;
    own.has_offset = n->offset;
    own.norm = sqrt(sum);
    if (i + 1 < n->layers) own.activation = activation_words[n->activation];
    sized_copy(out, size, &own, sizeof own);
    return 1;
}

double perc_model_layer_weight(const perc_model *m, size_t i, uint64_t j, uint64_t k)
{
    const struct layer *l = layer_of(m, i);

    if (l == NULL || k >= l->out || j >= l->in - below_layer(m, i)) return 0;
    return (double)l->w[(j + below_layer(m, i)) * l->stride + k];
}

double perc_model_layer_offset(const perc_model *m, size_t i, uint64_t k)
{
    const struct layer *l = layer_of(m, i);

    return l != NULL && k < l->out ? (double)l->b[k] : 0;
}

perc_status perc_model_refresh(perc_model *m, perc_error *err)
{
    NEED(m != NULL);
    return learner_refresh(&m->learner) ? fail_memory(err) : PERC_OK;
}

/* The name of an input column of a map. */
static void input_name(void *ud, uint64_t column, struct text *out)
{
    const perc_model *m = ud;
    const uint64_t j = column - model_base(m);

    if (j < m->names.n) {
        text_str(out, m->names.at[j]);
    } else if (m->schema.hash_bits > 0) {
        schema_name(&m->schema, j, out);
    } else {
        text_char(out, 'x');
        text_uint(out, column);
    }
}

int perc_model_column_sized(const perc_model *m, size_t i, perc_column *out, size_t size)
{
    perc_column own;
    const bool there = schema_describe(m != NULL ? &m->schema : NULL, i, &own);

    sized_copy(out, size, &own, sizeof own);
    return there;
}

const char *perc_model_notation(const perc_model *m, const char *name)
{
    if (m == NULL || name == NULL) return NULL;
    const struct notation *n = &m->schema.notation;

    if (n->comma && strcmp(name, "decimal") == 0) return ",";
    if (n->thousands != 0 && strcmp(name, "thousands") == 0)
        return notation_thousands_word(n->thousands);
    return n->quotes != QUOTES_DOUBLE && strcmp(name, "quote") == 0
               ? notation_quotes_word[n->quotes]
               : NULL;
}

const char *perc_model_feature(const perc_model *m, uint64_t j, char *buf, size_t size)
{
    if (m == NULL) return NULL;
    struct text name;
    size_t n;

    if (map_is_identity(&m->map) && (j < m->names.n || m->schema.hash_bits == 0))
        return j < m->names.n ? m->names.at[j] : NULL;
    if (j >= model_features(m) || buf == NULL || size == 0) return NULL;
    text_init(&name, &m->e);
    if (map_is_identity(&m->map)) schema_name(&m->schema, j, &name); /* a bucket */
    else map_name(&m->map, j + model_base(m), input_name, (void *)(uintptr_t)m, &name);
    n = name.oom ? 0 : name.len < size ? name.len : size - 1;
    if (n > 0) memcpy(buf, name.s, n);
    buf[n] = '\0';
    text_free(&name);
    return buf;
}

const char *perc_model_option(const perc_model *m, const char *name)
{
    if (m == NULL || name == NULL) return NULL;
    if (strcmp(name, "hash") == 0) return m->names.hash[0] != '\0' ? m->names.hash : "0";
    return rule_uses(m->params, name) ? perc_params_get(m->params, name) : NULL;
}

const char *perc_stop_text(perc_stop stop)
{
    switch (stop) {
    case PERC_STOP_CONVERGED: return "converged";
    case PERC_STOP_EPOCHS: return "epoch limit";
    case PERC_STOP_UPDATES: return "update limit";
    case PERC_STOP_TIME: return "time limit";
    case PERC_STOP_CANCELLED: return "interrupted";
    case PERC_STOP_SOLVED: return "solved";
    case PERC_STOP_HELD: return "no better on the held-out rows";
    case PERC_STOP_STUCK: return "could get no further";
    case PERC_STOP_DIVERGED: return "the loss was no longer a number";
    default: return "not trained";
    }
}
