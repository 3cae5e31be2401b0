/* model.c -- making, teaching and looking at a model. */
#include "model/model.h"

#include <math.h>
#include <string.h>

#include "data/read.h"
#include "kernel/gram.h"

perc_status model_new(const struct env *e, const perc_params *p, perc_model **out, perc_error *err)
{
    const struct rule *rule = rule_find(p->table->name);
    perc_model *m;
    perc_status st;

    *out = NULL;
    if (rule == NULL) return fail(err, PERC_EARG, "'%s' is not a learner", p->table->name);
    m = mem_zeroed(e, 1, sizeof *m);
    if (m == NULL) return fail_memory(err);
    m->e = *e;
    m->index_base = -1;
    schema_init(&m->schema, e);
    const bool weighs = perc_params_get(p, "class-weight") != NULL;
    st = class_weights_parse(e, weighs ? params_text(p, "class-weight") : "", &m->weights, err);
    if (!st && (learner_init(&m->learner, e, rule, p) || params_copy(e, p, &m->params)))
        st = fail_memory(err);
    if (st) perc_model_free(m);
    else *out = m;
    return st;
}

perc_status model_without_data(const perc_model *m, const char *where, perc_error *err)
{
    const struct learner *l = &m->learner;

    if (l->kernel != NULL && isnan(l->kernel->kernel.gamma)) {
        const bool eta = l->kernel->kernel.type == KERNEL_SIGMOID;
        return fail(err, PERC_EARG,
                    "--%s %s is found from the data, which %s does not have beforehand: give a "
                    "number (--%s G)",
                    eta ? "eta" : "gamma", l->kernel->kernel.unit == UNIT_AUTO ? "auto" : "scale",
                    where, eta ? "eta" : "gamma");
    }
    if (l->drop != NULL)
        return fail(err, PERC_EARG,
                    "--drop-after counts the mistakes of every row, so it needs the data in "
                    "memory; %s has them one by one",
                    where);
    return PERC_OK;
}

perc_status model_begin_mlp(perc_model *m, const char *where, perc_error *err)
{
    const int64_t inputs = m->learner.mlp != NULL ? params_int(m->params, "inputs") : 0;

    if (m->learner.mlp == NULL) return PERC_OK;
    if (inputs == 0)
        return fail(err, PERC_EARG,
                    "the first weights of a network depend on the number of features, which %s "
                    "does not know beforehand: pass --inputs N",
                    where);
    mlp_draw(m->learner.mlp, (uint64_t)inputs, 0);
    return PERC_OK;
}

perc_status perc_model_new(const perc_env *env, const perc_params *p, perc_model **out,
                           perc_error *err)
{
    const struct env e = env_resolve(env);
    const char *positive;
    perc_status st;

    *out = NULL;
    const struct rule *rule = rule_find(p->table->name);
    if (rule != NULL && rule->solve == NULL && rule != &rule_mlp && !params_is(p, "init", "zero"))
        return fail(err, PERC_EARG, "a model taught example by example starts from zero");
    if ((st = rule_check(p, err)) || (st = model_new(&e, p, out, err))) return st;
    st = model_without_data(*out, "a model that learns line by line", err);
    if (!st) st = model_begin_mlp(*out, "a model that learns line by line", err);
    positive = params_text((*out)->params, "positive");
    if (!st && positive[0] != '\0' && learner_close(&(*out)->learner, "rest", positive, true))
        st = fail_memory(err);
    if (!st) return PERC_OK;
    perc_model_free(*out);
    *out = NULL;
    return st;
}

void perc_model_free(perc_model *m)
{
    if (m == NULL) return;
    const struct env e = m->e;
    perc_params_free(m->params);
    learner_free(&m->learner);
    class_weights_free(&m->weights);
    schema_free(&m->schema);
    transform_free(&m->transform);
    names_free(&m->names);
    model_uncalibrate(m);
    pipe_free(&m->pipe);
    line_free(m->line);
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
    const uint64_t base = model_base(m), dims = learner_dims(&m->learner);

    if (m->learner.gate != NULL) return dims;
    return dims > base ? dims - base : 0;
}

uint64_t model_inputs(const perc_model *m)
{
    if (m->learner.gate != NULL) return learner_dims(&m->learner) + model_base(m);
    return map_is_identity(&m->map) ? learner_dims(&m->learner) : m->map.inputs;
}

/* ----- one example -------------------------------------------------------------- */

/* A caller's example, columns from 0, not yet what the machine sees. */
static struct row example_row(const perc_example *x)
{
    return (struct row){ .value = x->value,
                         .index = x->column,
                         .n = x->n,
                         .stride = sizeof(double),
                         .values = VALUES_F64,
                         .indices = x->column != NULL ? INDEX_U32 : INDEX_DENSE };
}

static perc_status check_example(const perc_example *x, perc_error *err)
{
    for (size_t k = 0; k < x->n; k++) {
        if (!isfinite(x->value[k]))
            return fail(err, PERC_EARG, "entry %zu of the example is not finite", k);
        if (x->column != NULL && k > 0 && x->column[k] <= x->column[k - 1])
            return fail(err, PERC_EARG, "the columns of the example do not increase at entry %zu",
                        k);
    }
    return PERC_OK;
}

/* The class that the last weights speak for; CLASS_NONE while no label is known. With a
 * kernel and for a network, the scores are there already. */
static size_t answer_of(struct learner *l, const struct row *x)
{
    if (l->labels.n == 0) return CLASS_NONE;
    if (l->kernel != NULL || l->mlp != NULL) {
        if (l->kind == KIND_TWO) return l->labels.n > 1 && l->scores[0] > 0;
        return score_best(l->scores, l->labels.n);
    }
    if (l->kind == KIND_TWO) return l->labels.n > 1 && linear_score(&l->machine, x) > 0;
    linear_scores(&l->machine, x, l->scores);
    return score_best(l->scores, l->labels.n);
}

perc_status model_is_online(const perc_model *m, perc_error *err)
{
    const struct rule *rule = m->learner.rule;

    if (m->learner.gate != NULL)
        return fail(err, PERC_EARG, "a gate was compiled from a formula: it does not learn");
    if (!rule->about.online)
        return fail(err, PERC_EARG, "%s needs the whole data set: it cannot learn line by line",
                    rule->table.name);
    if (m->weights.balanced)
        return fail(err, PERC_EARG, "balanced class weights need the whole data set");
    if (m->learner.drop != NULL)
        return fail(err, PERC_EARG,
                    "a model that drops rows needs the whole data set: it cannot "
                    "learn line by line");
    return PERC_OK;
}

/* With a kernel: whether x has a place in its space and finite scores, which are left in
 * l->scores; and room for all updates that it may lead to. Nothing is learned yet. */
static perc_status ready_kernel(perc_model *m, const struct row *x, perc_error *err)
{
    struct learner *l = &m->learner;
    perc_status st = kernel_check_row(&l->kernel->kernel, x, 0, err);

    if (st) return st;
    if (learner_room(l, l->labels.n + 3) || learner_kernel_scores(l, x) ||
        (l->budget != NULL ? budget_reserve(l->budget, x)
                           : votes_reserve(&l->votes, x->n, l->labels.n + 2)))
        return fail_memory(err);
    for (size_t c = 0; c < learner_vectors(l); c++)
        if (!isfinite(l->scores[c]))
            return fail(err, PERC_EDATA,
                        "the score of this row is too large to be a number (scale the data: "
                        "--scale unit or by:NUMBER; or take a lower --degree)");
    l->example = (int64_t)m->rows + l->progress.examples; /* after those of the data */
    return PERC_OK;
}

/* Shows x to a learner that knows its class; `fresh`: only since now. */
static struct outcome show(struct learner *l, const struct row *x, size_t class, double weight,
                           bool fresh)
{
    if (l->kernel != NULL && !fresh) return learner_show_kernel(l, x, class, weight, l->scores);
    return learner_show(l, x, class, weight);
}

/* Whether a network, which computes with floats, can make anything of x; its scores are left
 * in l->scores. Nothing is learned yet. */
static perc_status ready_mlp(struct learner *l, const struct row *x, perc_error *err)
{
    bool fine = true;

    for (size_t k = 0; k < x->n; k++) fine &= isfinite((float)row_value(x, k)) != 0;
    if (fine && learner_mlp_scores(l, x)) return fail_memory(err);
    for (size_t c = 0; c < mlp_outputs(l->mlp) && fine; c++) fine = isfinite(l->scores[c]) != 0;
    return fine ? PERC_OK
                : fail(err, PERC_EDATA,
                       "the values of this row are too large for a network: nothing was learned "
                       "from it (scale the data: --scale unit or by:NUMBER)");
}

static perc_status learn(perc_model *m, const struct row *x, const char *label, double weight,
                         struct outcome *out, perc_error *err)
{
    struct learner *l = &m->learner;
    struct progress *g = &l->progress;
    const uint64_t columns = x->n > 0 ? row_column(x, x->n - 1) + 1 : 0;
    size_t class, at, answer;
    perc_status st;

    if (l->kernel != NULL && (st = ready_kernel(m, x, err))) return st;
    if (l->mlp != NULL) mlp_found_base(l->mlp, model_base(m));
    if (l->kernel == NULL && learner_grow(l, columns)) return fail_memory(err);
    if (l->mlp != NULL && (st = ready_mlp(l, x, err))) return st;
    answer = answer_of(l, x);
    if ((st = learner_meet(l, label, &class, &at, err))) return st;
    if (l->kernel != NULL && learner_grow(l, columns)) return fail_memory(err);
    if (answer != CLASS_NONE && at != CLASS_NONE && answer >= at) answer++;
    model_uncalibrate(m);
    *out = show(l, x, class, weight * class_weights_of(&m->weights, label), at != CLASS_NONE);
    if (l->mlp != NULL && l->overflow) {
        l->overflow = false;
        return fail(err, PERC_EDATA,
                    "weights would be no numbers after this row: nothing was "
                    "learned from it (scale the data, or pass a smaller --rate)");
    }
    out->answer = answer;
    out->fresh = at != CLASS_NONE;
    if (l->mlp != NULL && out->fresh && weight > 0) out->mistake = true; /* no answer can be it */
    g->examples++;
    g->mistakes += out->mistake;
    g->updates += out->updates;
    g->stop = PERC_STOP_NONE; /* what ended training holds no longer */
    if (out->updates > 0 && g->pass_updates == 0 && g->position > 0) g->pass_updates = 1;
    return l->failed ? fail_memory(err) : PERC_OK;
}

/* Whether one of the updates from number `from` on counts, for the machine of a met class. */
static bool supported(const struct learner *l, size_t from)
{
    for (size_t k = from; k < l->votes.n; k++)
        if (l->votes.vote[k].up < learner_outputs(l)) return true;
    return false;
}

/* With a class more, examples that were no supports may be: what the unseen class has learned
 * is its own now. So they are counted anew then, in room that was made before. */
perc_status model_learn(perc_model *m, const struct row *x, const char *label, double weight,
                        struct outcome *out, perc_error *err)
{
    struct learner *l = &m->learner;
    const size_t updates = l->votes.n;
    struct counts c = { 0 };
    perc_status st;

    if ((st = model_is_online(m, err))) return st;
    if ((st = labels_check(label, strlen(label), err))) return st;
    if (l->kernel != NULL && l->budget == NULL && learner_class(l, label) == CLASS_NONE &&
        counts_open(&m->e, 4 * updates + l->labels.n + 4, &c))
        return fail_memory(err);
    st = learn(m, x, label, weight, out, err);
    if (c.slot != NULL) counts_take(m, &c);
    else if (!st && l->kernel != NULL) m->standing += supported(l, updates);
    counts_close(&m->e, &c);
    return st;
}

perc_status perc_learn_sized(perc_model *m, const perc_example *x, const char *label, double weight,
                             perc_outcome *out, size_t size, perc_error *err)
{
    struct row r = example_row(x);
    struct outcome o;
    perc_status st = check_example(x, err);

    if (st) return st;
    if (!isfinite(weight) || weight < 0)
        return fail(err, PERC_EARG, "the weight must be a number of at least 0");
    if (m->index_base < 0) m->index_base = 0;
    if ((st = model_pipe(m, &r, err)) || (st = model_learn(m, &r, label, weight, &o, err)))
        return st;
    const struct labels *l = &m->learner.labels;
    const perc_outcome own = { .score = o.score,
                               .mistake = o.mistake,
                               .updated = o.updates,
                               .answer = o.answer < l->n ? l->at[o.answer].text : NULL };
    sized_copy(out, size, &own, sizeof own);
    return PERC_OK;
}

perc_status model_pipe(perc_model *m, struct row *x, perc_error *err)
{
    const uint64_t base = model_base(m);
    const uint64_t inputs = x->n > 0 ? row_column(x, x->n - 1) + 1 + base : 0;
    perc_status st;

    if (m->pipe.e.alloc == NULL) pipe_init(&m->pipe, &m->e, base, &m->transform, &m->map);
    if (!map_is_identity(&m->map) && inputs > m->map.inputs &&
        (st = map_set_inputs(&m->map, base, inputs, err)))
        return st;
    return pipe_row(&m->pipe, x, 0, err);
}

/* The average of a model that goes on learning is not made for one row. */
perc_status model_score(const perc_model *m, const struct row *x, double *scores, perc_error *err)
{
    const struct learner *l = &m->learner;
    struct scorer s;
    perc_status st;

    if (l->rule->keep == KEEP_AVERAGE && l->kernel == NULL && !l->settled) {
        double *all = mem_array(&m->e, l->machine.vectors, sizeof *all);
        if (all == NULL) return fail_memory(err);
        average_scores(l, x, all);
        memcpy(scores, all, learner_outputs(l) * sizeof *scores);
        mem_free(&m->e, all, l->machine.vectors, sizeof *all);
        return PERC_OK;
    }
    st = scorer_open(&s, &m->e, m, err);
    if (!st) st = scorer_row(&s, x, scores, err);
    scorer_close(&s);
    return st;
}

perc_status perc_score(const perc_model *m, const perc_example *x, double *scores, perc_error *err)
{
    struct row r = example_row(x);
    struct pipe p;
    perc_status st = check_example(x, err);

    if (st) return st;
    pipe_init(&p, &m->e, model_base(m), &m->transform, &m->map);
    st = pipe_row(&p, &r, 0, err);
    if (!st) st = model_score(m, &r, scores, err);
    pipe_free(&p);
    return st;
}

const char *model_answer(const perc_model *m, const double *scores)
{
    const struct labels *l = &m->learner.labels;

    if (l->n == 0) return NULL;
    if (m->learner.kind == KIND_TWO) return l->at[l->n > 1 && scores[0] > 0].text;
    return l->at[score_best(scores, l->n)].text;
}

const char *perc_answer(const perc_model *m, const double *scores)
{
    return model_answer(m, scores);
}

/* ----- looking at it ---------------------------------------------------------------- */

int64_t perc_model_dropped(const perc_model *m, size_t i)
{
    const struct drop *d = m->learner.drop;

    return d != NULL && i < d->n ? d->row[i] : -1;
}

static void tell_kernel(const struct kernel *k, perc_model_info *info)
{
    info->kernel = kernel_names[k->type];
    info->degree = k->degree;
    if (k->type != KERNEL_LINEAR) info->gamma = k->gamma;
    if (k->type == KERNEL_POLY || k->type == KERNEL_SIGMOID) info->coef0 = k->coef0;
}

const char *const model_kinds[MODEL_KINDS] = {
    [KIND_TWO] = "two", [KIND_NATIVE] = "native", [KIND_REST] = "ovr"
};

void perc_model_info_get_sized(const perc_model *m, perc_model_info *out, size_t size)
{
    const struct learner *l = &m->learner;
    const struct progress *g = &l->progress;
    const bool two = l->kind == KIND_TWO;
    const bool solved = l->solved.solver != SOLVER_NONE;

    perc_model_info info = { .algorithm = l->rule->table.name,
                             .machine = model_machine(l),
                             .features = model_features(m),
                             .outputs = learner_outputs(l),
                             .labels = l->labels.n,
                             .multiclass = model_kinds[l->kind],
                             .index_base = (int)model_base(m),
                             .has_offset = l->machine.offset,
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
                             .supports = model_supports(m),
                             .solver = solver_names[l->solved.solver],
                             .calibrated = model_has_p(m),
                             .kernel = "",
                             .gamma = NAN,
                             .coef0 = NAN,
                             .dropped = l->drop != NULL ? l->drop->n : 0 };
    if (l->kernel != NULL) tell_kernel(&l->kernel->kernel, &info);
    transform_spec(&m->transform, info.scale);
    map_spec(&m->map, info.map);
    sized_copy(out, size, &info, sizeof info);
}

const char *perc_model_label(const perc_model *m, size_t i)
{
    return i < m->learner.labels.n ? m->learner.labels.at[i].text : NULL;
}

double perc_model_weight(const perc_model *m, uint64_t j, size_t c)
{
    const struct linear *w = learner_result(&m->learner);

    if (m->learner.kernel != NULL || m->learner.mlp != NULL || m->learner.gate != NULL) return 0;
    return w->w[(j + model_base(m)) * w->stride + c];
}

double perc_model_offset(const perc_model *m, size_t c)
{
    if (m->learner.mlp != NULL || m->learner.gate != NULL) return 0;
    return learner_result(&m->learner)->b[c];
}

/* Rows of the first layer below the base are not used. */
static uint64_t below_layer(const perc_model *m, size_t i)
{
    return i == 0 ? model_base(m) : 0;
}

int perc_model_layer_sized(const perc_model *m, size_t i, perc_layer *out, size_t size)
{
    static const char *const names[] = { "relu", "sigmoid", "tanh" };
    const struct mlp *n = m->learner.mlp;
    perc_layer own = { .activation = "" };
    double sum = 0;

    sized_copy(out, size, &own, sizeof own);
    if (n == NULL || i >= n->layers) return 0;
    const struct layer *l = &n->layer[i];
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
    if (i + 1 < n->layers) own.activation = names[n->activation];
    sized_copy(out, size, &own, sizeof own);
    return 1;
}

double perc_model_layer_weight(const perc_model *m, size_t i, uint64_t j, uint64_t k)
{
    const struct layer *l = &m->learner.mlp->layer[i];

    return (double)l->w[(j + below_layer(m, i)) * l->stride + k];
}

double perc_model_layer_offset(const perc_model *m, size_t i, uint64_t k)
{
    return (double)m->learner.mlp->layer[i].b[k];
}

perc_status perc_model_settle(perc_model *m, perc_error *err)
{
    return learner_settle(&m->learner) ? fail_memory(err) : PERC_OK;
}

/* The name of an input column of a map. */
static void input_name(void *ud, uint64_t column, struct text *out)
{
    const perc_model *m = ud;
    const uint64_t j = column - model_base(m);

    if (j < m->names.n && m->names.at[j] != NULL) {
        text_str(out, m->names.at[j]);
        return;
    }
    if (m->schema.hash_bits > 0) {
        schema_name(&m->schema, j, out);
        return;
    }
    text_char(out, 'x');
    text_uint(out, column);
}

const char *perc_model_feature(const perc_model *m, uint64_t j, char *buf, size_t size)
{
    struct text name;
    size_t n;

    if (map_is_identity(&m->map) && (j < m->names.n || m->schema.hash_bits == 0))
        return j < m->names.n ? m->names.at[j] : NULL;
    if (j >= model_features(m) || size == 0) return NULL;
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
    if (strcmp(name, "hash") == 0) return m->names.hash[0] != '\0' ? m->names.hash : "0";
    return perc_params_get(m->params, name);
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
