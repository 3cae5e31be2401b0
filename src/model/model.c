/* model.c -- making, teaching and looking at a model. */
#include "model/model.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "data/read.h"

#define TEXT(x) #x
#define DOTTED(a, b, c) TEXT(a) "." TEXT(b) "." TEXT(c)

const char *perc_version(void)
{
    return DOTTED(PERC_VERSION_MAJOR, PERC_VERSION_MINOR, PERC_VERSION_PATCH);
}

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
    st = class_weights_parse(e, params_text(p, "class-weight"), &m->weights, err);
    if (!st && (learner_init(&m->learner, e, rule, p) || params_copy(e, p, &m->params)))
        st = fail_memory(err);
    if (st) perc_model_free(m);
    else *out = m;
    return st;
}

perc_status perc_model_new(const perc_env *env, const perc_params *p, perc_model **out,
                           perc_error *err)
{
    const struct env e = env_resolve(env);
    const char *positive;
    perc_status st;

    *out = NULL;
    const struct rule *rule = rule_find(p->table->name);
    if (rule != NULL && rule->solve == NULL && !params_is(p, "init", "zero"))
        return fail(err, PERC_EARG, "a model taught example by example starts from zero");
    if ((st = perc_params_check(p, err)) || (st = model_new(&e, p, out, err))) return st;
    positive = params_text((*out)->params, "positive");
    if (positive[0] == '\0' || !learner_close(&(*out)->learner, "rest", positive, true))
        return PERC_OK;
    perc_model_free(*out);
    *out = NULL;
    return fail_memory(err);
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

uint64_t model_features(const perc_model *m)
{
    const uint64_t base = model_base(m), dims = m->learner.machine.dims;

    return dims > base ? dims - base : 0;
}

uint64_t model_inputs(const perc_model *m)
{
    return map_is_identity(&m->map) ? m->learner.machine.dims : m->map.inputs;
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

/* The class that the last weights speak for; CLASS_NONE while no label is known. */
static size_t answer_of(struct learner *l, const struct row *x)
{
    if (l->labels.n == 0) return CLASS_NONE;
    if (l->kind == KIND_TWO) return l->labels.n > 1 && linear_score(&l->machine, x) > 0;
    linear_scores(&l->machine, x, l->scores);
    return score_best(l->scores, l->labels.n);
}

perc_status model_is_online(const perc_model *m, perc_error *err)
{
    const struct rule *rule = m->learner.rule;

    if (!(rule->flags & RULE_ONLINE))
        return fail(err, PERC_EARG, "%s needs the whole data set: it cannot learn line by line",
                    rule->table.name);
    if (m->weights.balanced)
        return fail(err, PERC_EARG, "balanced class weights need the whole data set");
    return PERC_OK;
}

perc_status model_learn(perc_model *m, const struct row *x, const char *label, double weight,
                        struct outcome *out, perc_error *err)
{
    struct learner *l = &m->learner;
    struct progress *g = &l->progress;
    size_t class, at, answer;
    perc_status st;

    if ((st = model_is_online(m, err))) return st;
    if ((st = label_check(label, strlen(label), err))) return st;
    if (learner_grow(l, x->n > 0 ? row_column(x, x->n - 1) + 1 : 0)) return fail_memory(err);
    answer = answer_of(l, x);
    if ((st = learner_meet(l, label, &class, &at, err))) return st;
    if (answer != CLASS_NONE && at != CLASS_NONE && answer >= at) answer++;
    model_uncalibrate(m);
    *out = learner_show(l, x, class, weight * class_weights_of(&m->weights, label));
    out->answer = answer;
    out->fresh = at != CLASS_NONE;
    g->examples++;
    g->mistakes += out->mistake;
    g->updates += out->updates;
    g->stop = PERC_STOP_NONE; /* what ended training holds no longer */
    if (out->updates > 0 && g->pass_updates == 0 && g->position > 0) g->pass_updates = 1;
    return l->failed ? fail_memory(err) : PERC_OK;
}

perc_status perc_learn(perc_model *m, const perc_example *x, const char *label, double weight,
                       perc_outcome *out, perc_error *err)
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
    if (out != NULL) {
        const struct labels *l = &m->learner.labels;
        *out = (perc_outcome){ o.score, o.mistake, o.updates,
                               o.answer < l->n ? l->at[o.answer].text : NULL };
    }
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

    if (l->rule->keep == KEEP_AVERAGE && !l->settled) {
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

perc_status perc_score(const perc_model *m, const perc_example *x, double *scores,
                       perc_error *err)
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

void perc_model_info_get(const perc_model *m, perc_model_info *info)
{
    static const char *const scale[] = { "none", "standard", "minmax", "maxabs", "unit", "by:" };
    static const char *const kind[] = { [KIND_TWO] = "two", [KIND_NATIVE] = "native",
                                        [KIND_REST] = "ovr" };
    const struct learner *l = &m->learner;
    const struct progress *g = &l->progress;
    const bool two = l->kind == KIND_TWO;
    const bool solved = l->solved.solver != SOLVER_NONE;

    *info = (perc_model_info){ .algorithm = l->rule->table.name,
                               .machine = l->rule->keep == KEEP_VOTES ? "votes" : "linear",
                               .features = model_features(m),
                               .outputs = learner_outputs(l),
                               .labels = l->labels.n,
                               .multiclass = kind[l->kind],
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
                               .supports = solved ? l->solved.supports : 0,
                               .solver = solver_names[l->solved.solver],
                               .calibrated = m->sigmoid != NULL };
    const size_t len = strlen(scale[m->transform.scale]);
    memcpy(info->scale, scale[m->transform.scale], len + 1);
    if (m->transform.scale == SCALE_BY)
        info->scale[len + number_format(m->transform.by, info->scale + len)] = '\0';
    map_spec(&m->map, info->map);
}

const char *perc_model_label(const perc_model *m, size_t i)
{
    return i < m->learner.labels.n ? m->learner.labels.at[i].text : NULL;
}

double perc_model_weight(const perc_model *m, uint64_t j, size_t c)
{
    const struct linear *w = learner_result(&m->learner);

    return w->w[(j + model_base(m)) * w->stride + c];
}

double perc_model_offset(const perc_model *m, size_t c)
{
    return learner_result(&m->learner)->b[c];
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
    default: return "not trained";
    }
}

perc_status perc_dataset_read_for(const perc_env *env, const perc_model *model, const char *path,
                                  const perc_params *data, perc_dataset **out, perc_error *err)
{
    const struct env e = env_resolve(env);
    const struct reader_model asks = { model->index_base, &model->schema, &model->map };

    return dataset_read_for(&e, path, data, &asks, &model->transform, model_inputs(model), out,
                            err);
}
