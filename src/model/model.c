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

    *out = NULL;
    if (rule == NULL) return fail(err, PERC_EARG, "'%s' is not a learner", p->table->name);
    m = mem_zeroed(e, 1, sizeof *m);
    if (m == NULL) return fail_memory(err);
    m->e = *e;
    m->index_base = -1;
    m->learner.rule = rule;
    schema_init(&m->schema, e);
    linear_init(&m->learner.machine, e, params_bool(p, "offset"));
    m->learner.rate = params_real(p, "rate");
    if (params_copy(e, p, &m->params)) {
        perc_model_free(m);
        return fail_memory(err);
    }
    *out = m;
    return PERC_OK;
}

perc_status perc_model_new(const perc_env *env, const perc_params *p, perc_model **out,
                           perc_error *err)
{
    const struct env e = env_resolve(env);

    *out = NULL;
    if (!params_is(p, "init", "zero") && rule_find(p->table->name) != NULL)
        return fail(err, PERC_EARG, "a model taught example by example starts from zero");
    return model_new(&e, p, out, err);
}

void perc_model_free(perc_model *m)
{
    if (m == NULL) return;
    const struct env e = m->e;
    perc_params_free(m->params);
    linear_free(&m->learner.machine);
    mem_free_text(&e, m->negative);
    mem_free_text(&e, m->positive);
    schema_free(&m->schema);
    transform_free(&m->transform);
    names_free(&m->names);
    mem_free(&e, m->scratch_column, m->scratch, sizeof *m->scratch_column);
    mem_free(&e, m->scratch_value, m->scratch, sizeof *m->scratch_value);
    mem_free(&e, m, 1, sizeof *m);
}

perc_status model_adopt(perc_model *m, const perc_dataset *ds, perc_error *err)
{
    m->index_base = ds->index_base;
    m->rows = ds->rows;
    if (schema_copy(&m->e, &ds->schema, &m->schema) ||
        transform_copy(&m->e, &ds->transform, &m->transform) ||
        names_make(&m->e, &m->schema, &m->names))
        return fail_memory(err);
    return PERC_OK;
}

uint64_t model_features(const perc_model *m)
{
    const uint64_t base = m->index_base > 0 ? 1 : 0, dims = m->learner.machine.dims;

    return dims > base ? dims - base : 0;
}

int model_sign(const perc_model *m, const char *label)
{
    if (m->positive != NULL && strcmp(label, m->positive) == 0) return 1;
    if (m->rest) return -1;
    return m->negative != NULL && strcmp(label, m->negative) == 0 ? -1 : 0;
}

/* ----- one example -------------------------------------------------------------- */

/* A caller's example as a row of the machine's columns, not yet transformed. The
 * weights are addressed from the index base on, so the columns need no copy. */
static struct row example_row(const perc_example *x)
{
    return (struct row){ .value = x->value,
                         .index = x->column,
                         .n = x->n,
                         .stride = sizeof(double),
                         .values = VALUES_F64,
                         .indices = x->column != NULL ? INDEX_U32 : INDEX_DENSE };
}

struct transform model_transform(const perc_model *m)
{
    struct transform t = m->transform;
    const uint64_t base = m->index_base > 0 ? 1 : 0;

    t.first = 0;
    t.columns = t.columns > base ? t.columns - base : 0;
    if (t.shift != NULL) t.shift += base;
    if (t.divisor != NULL) t.divisor += base;
    if (t.fill != NULL) t.fill += base;
    return t;
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

/* Room for a transformed example. */
static bool make_scratch(perc_model *m, uint64_t n)
{
    if (n <= m->scratch) return true;
    uint32_t *column = mem_array(&m->e, n, sizeof *column);
    double *value = mem_array(&m->e, n, sizeof *value);
    if (column == NULL || value == NULL) {
        mem_free(&m->e, column, n, sizeof *column);
        mem_free(&m->e, value, n, sizeof *value);
        return false;
    }
    mem_free(&m->e, m->scratch_column, m->scratch, sizeof *m->scratch_column);
    mem_free(&m->e, m->scratch_value, m->scratch, sizeof *m->scratch_value);
    m->scratch_column = column;
    m->scratch_value = value;
    m->scratch = n;
    return true;
}

perc_status perc_learn(perc_model *m, const perc_example *x, double y, double weight,
                       perc_outcome *out, perc_error *err)
{
    struct linear *lin = &m->learner.machine;
    struct progress *g = &m->learner.progress;
    struct row r = example_row(x);
    perc_status st = check_example(x, err);

    if (st) return st;
    if (y != 1 && y != -1) return fail(err, PERC_EARG, "y must be -1 or +1");
    if (!isfinite(weight) || weight < 0)
        return fail(err, PERC_EARG, "the weight must be a number of at least 0");
    if (m->index_base < 0) m->index_base = 0;
    const uint64_t base = (uint64_t)m->index_base;
    if (!transform_is_identity(&m->transform)) {
        const struct transform t = model_transform(m);
        if (!make_scratch(m, t.columns > x->n ? t.columns : x->n)) return fail_memory(err);
        r.n = transform_row(&t, &r, m->scratch_column, m->scratch_value);
        r.value = m->scratch_value;
        r.index = m->scratch_column;
        r.indices = INDEX_U32;
    }
    const uint64_t need = r.n > 0 ? row_column(&r, r.n - 1) + 1 + base : 0;
    if (linear_grow(lin, need)) return fail_memory(err);

    struct linear whole = *lin; /* the weights from the base on: column c is feature c */
    const uint64_t skip = lin->dims > base ? base : 0;
    lin->w += skip;
    lin->dims -= skip;
    const struct outcome o = m->learner.rule->learn(&m->learner, &r, y, weight);
    whole.b = lin->b;
    *lin = whole;

    g->examples++;
    g->mistakes += o.mistake;
    g->updates += o.updated;
    if (out != NULL) *out = (perc_outcome){ o.score, o.mistake, o.updated };
    return PERC_OK;
}

double perc_score(const perc_model *m, const perc_example *x)
{
    const struct linear *lin = &m->learner.machine;
    const uint64_t base = m->index_base > 0 ? 1 : 0;
    const uint64_t dims = lin->dims > base ? lin->dims - base : 0;
    const double *w = lin->w + (dims > 0 ? base : 0);
    const struct row r = example_row(x);

    if (transform_is_identity(&m->transform)) return row_dot(&r, w, dims) + lin->b;
    const struct transform t = model_transform(m);
    return transform_dot(&t, &r, w, dims) + lin->b;
}

/* ----- looking at it ---------------------------------------------------------------- */

void perc_model_info_get(const perc_model *m, perc_model_info *info)
{
    static const char *const scale[] = { "none", "standard", "minmax", "maxabs", "unit", "by:" };
    const struct progress *g = &m->learner.progress;

    *info = (perc_model_info){ .algorithm = m->learner.rule->table.name,
                               .machine = "linear",
                               .features = model_features(m),
                               .index_base = m->index_base > 0 ? 1 : 0,
                               .has_offset = m->learner.machine.offset,
                               .offset = m->learner.machine.b,
                               .negative = m->negative != NULL ? m->negative : "",
                               .positive = m->positive != NULL ? m->positive : "",
                               .stop = g->stop,
                               .epochs = g->epoch,
                               .examples = g->examples,
                               .mistakes = g->mistakes,
                               .updates = g->updates };
    const size_t len = strlen(scale[m->transform.scale]);
    memcpy(info->scale, scale[m->transform.scale], len + 1);
    if (m->transform.scale == SCALE_BY)
        info->scale[len + number_format(m->transform.by, info->scale + len)] = '\0';
}

const double *perc_model_weights(const perc_model *m)
{
    return m->learner.machine.w + (model_features(m) > 0 && m->index_base > 0 ? 1 : 0);
}

const char *perc_model_feature(const perc_model *m, uint64_t j)
{
    return j < m->names.n ? m->names.at[j] : NULL;
}

const char *perc_model_option(const perc_model *m, const char *name)
{
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
    default: return "not trained";
    }
}

perc_status perc_dataset_read_for(const perc_env *env, const perc_model *model, const char *path,
                                  const perc_params *data, perc_dataset **out, perc_error *err)
{
    const struct env e = env_resolve(env);
    const struct reader_model asks = { model->index_base, &model->schema };

    return dataset_read_for(&e, path, data, &asks, &model->transform, model->learner.machine.dims,
                            out, err);
}
