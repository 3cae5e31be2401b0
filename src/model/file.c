/* file.c -- a model as one safetensors file.
 *
 *   weight          F64 [features]  w, from the first feature of the data on
 *   offset          F64 [1]         b, if the machine has one
 *   scale.shift, scale.divisor, scale.fill
 *                   F64 [features]  the state of the scaling (data/transform.h),
 *                                   those that there are
 *   metadata        everything else, as texts: docs/model-format.md has the list
 *
 * What another program needs to score a row stands in the first three lines:
 * s = ((x - shift) / divisor) . weight + offset. Features are numbered from 0 in
 * the file, whatever the base of the data was: in memory w[j] belongs to column j
 * of the data set, so with 1-based indices w[0] is never used, and not written.
 *
 * A model also keeps what training needs to go on: its options, its counters and
 * the seed (an option), from which the order of any pass follows. Reading gives a
 * model equal to the one that was written; writing that one gives the same bytes.
 * So there is no date in it and not the version of the library: two releases that
 * learn the same write the same.
 *
 * Reading trusts nothing. tensors_read.c has made sure of the container, here the
 * content is compared with itself; what the learner's own table says of an option
 * (its range, its choices) is asked of that table, so that there is one truth.
 *
 * Invariant   what model_decode accepts, perc_model_write writes and model_decode
 *             accepts again.
 * Not here    options that do not change what is learned: where checkpoints go,
 *             how often, and the time limit. */
#include <float.h>
#include <string.h>

#include "data/blockfile.h"
#include "model/model.h"

#define MODEL_FORMAT "perceptron-model"
#define OPTION "option." /* before the name of an option */
enum { MODEL_VERSION = 1 };

/* The words of perc_stop in files: they may not change. */
static const char *const stop_word[] = {
    [PERC_STOP_NONE] = "none",       [PERC_STOP_CONVERGED] = "converged",
    [PERC_STOP_EPOCHS] = "epochs",   [PERC_STOP_UPDATES] = "updates",
    [PERC_STOP_TIME] = "time",       [PERC_STOP_CANCELLED] = "cancelled",
};
enum { STOPS = sizeof stop_word / sizeof *stop_word };

/* The counters of a run, by their keys: one list for writing and reading. */
static const struct {
    const char *key;
    size_t at;
} counters[] = {
    { "epoch", offsetof(struct progress, epoch) },
    { "position", offsetof(struct progress, position) },
    { "examples", offsetof(struct progress, examples) },
    { "mistakes", offsetof(struct progress, mistakes) },
    { "updates", offsetof(struct progress, updates) },
    { "pass_mistakes", offsetof(struct progress, pass_mistakes) },
    { "pass_updates", offsetof(struct progress, pass_updates) },
};
enum { COUNTERS = sizeof counters / sizeof *counters };

/* The names of the scalings, by enum scale; "by:" is followed by its number. */
static const char *const scale_word[] = {
    [SCALE_NONE] = "none",     [SCALE_STANDARD] = "standard", [SCALE_MINMAX] = "minmax",
    [SCALE_MAXABS] = "maxabs", [SCALE_UNIT] = "unit",         [SCALE_BY] = "by:",
};

/* The arrays of the scaling; `outside` fills the unused columns below the base. */
enum { SHIFT, DIVISOR, FILL, ARRAYS };
static const struct {
    const char *name;
    double outside;
} arrays[ARRAYS] = {
    [SHIFT] = { "scale.shift", 0 },
    [DIVISOR] = { "scale.divisor", 1 },
    [FILL] = { "scale.fill", 0 },
};

/* Whether an option is part of the model. */
static bool is_kept(const char *option)
{
    return strcmp(option, "checkpoint") != 0 && strcmp(option, "every") != 0 &&
           strcmp(option, "time-limit") != 0;
}

/* Columns below the first feature: 0 or 1. */
static uint64_t unused(const perc_model *m)
{
    return m->index_base > 0 ? (uint64_t)m->index_base : 0;
}

static bool is_finite(double v)
{
    return v >= -DBL_MAX && v <= DBL_MAX;
}

/* ----- writing --------------------------------------------------------------- */

static perc_status add_options(struct tensors *t, const perc_params *p)
{
    struct text key;
    perc_status st = PERC_OK;

    text_init(&key, &t->e);
    for (size_t i = 0; i < p->table->count && !st; i++) {
        const char *name = p->table->rows[i].name;
        if (p->value[i] == NULL || !is_kept(name)) continue;
        key.len = 0;
        text_str(&key, OPTION);
        text_str(&key, name);
        st = key.oom ? PERC_ENOMEM : tensors_meta(t, key.s, p->value[i]);
    }
    text_free(&key);
    return st;
}

static const char *bool_word(bool v)
{
    return v ? "true" : "false";
}

static perc_status add_labels(struct tensors *t, const perc_model *m)
{
    if (m->negative == NULL || m->positive == NULL) return PERC_OK;
    if (tensors_meta(t, "label.negative", m->negative) ||
        tensors_meta(t, "label.positive", m->positive) ||
        tensors_meta(t, "label.rest", bool_word(m->rest)))
        return PERC_ENOMEM;
    return PERC_OK;
}

static perc_status add_progress(struct tensors *t, const struct progress *p)
{
    for (size_t i = 0; i < COUNTERS; i++) {
        int64_t v;
        memcpy(&v, (const char *)p + counters[i].at, sizeof v);
        if (tensors_meta_int(t, counters[i].key, v)) return PERC_ENOMEM;
    }
    if (tensors_meta(t, "pass_open", bool_word(p->pass_open))) return PERC_ENOMEM;
    return tensors_meta(t, "stop", stop_word[p->stop]);
}

static perc_status add_transform(struct tensors *t, const struct transform *f, uint64_t below)
{
    const double *const from[ARRAYS] = { f->shift, f->divisor, f->fill };
    struct text spec;
    perc_status st;

    text_init(&spec, &t->e);
    text_str(&spec, scale_word[f->scale]);
    if (f->scale == SCALE_BY) text_num(&spec, f->by);
    st = spec.oom ? PERC_ENOMEM : tensors_meta(t, "scale", spec.s);
    text_free(&spec);
    for (size_t i = 0; i < ARRAYS && !st; i++)
        if (from[i] != NULL && f->columns >= below)
            st = tensors_add(t, arrays[i].name, DTYPE_F64, from[i] + below, f->columns - below, 0);
    return st;
}

/* Borrows the arrays of m. */
static perc_status encode(const perc_model *m, struct tensors *t)
{
    const struct linear *machine = &m->learner.machine;
    const uint64_t below = unused(m);
    const uint64_t features = machine->dims > below ? machine->dims - below : 0;

    if (tensors_meta(t, "format", MODEL_FORMAT) ||
        tensors_meta_int(t, "format_version", MODEL_VERSION) ||
        tensors_meta(t, "algorithm", m->params->table->name) ||
        tensors_meta(t, "machine", "linear") || add_options(t, m->params) || add_labels(t, m) ||
        (m->index_base >= 0 && tensors_meta_int(t, "index_base", m->index_base)) ||
        tensors_meta_int(t, "rows", (int64_t)m->rows) ||
        add_progress(t, &m->learner.progress) || blockfile_add_schema(t, &m->schema))
        return PERC_ENOMEM;
    if (tensors_add(t, "weight", DTYPE_F64, features > 0 ? machine->w + below : NULL, features, 0))
        return PERC_ENOMEM;
    if (machine->offset && tensors_add(t, "offset", DTYPE_F64, &machine->b, 1, 0))
        return PERC_ENOMEM;
    return add_transform(t, &m->transform, below);
}

perc_status perc_model_write(const perc_model *m, const char *path, perc_error *err)
{
    const struct linear *machine = &m->learner.machine;
    struct tensors t;

    /* No reader would take it: say so while the user can still do something. */
    bool finite = is_finite(machine->b);
    for (uint64_t j = 0; j < machine->dims; j++) finite &= is_finite(machine->w[j]);
    if (!finite)
        return fail(err, PERC_EDATA, "the weights are no longer finite numbers (scale the data)");
    tensors_init(&t, &m->e);
    const perc_status st = encode(m, &t) ? fail_memory(err) : tensors_write(&t, path, err);
    tensors_free(&t);
    return st;
}

/* ----- reading ----------------------------------------------------------------- */

static perc_status missing(const char *key, perc_error *err)
{
    return fail(err, PERC_EDATA, "metadata '%s' are missing", key);
}

static perc_status get_bool(const struct tensors *t, const char *key, bool *out, perc_error *err)
{
    const char *s = tensors_get(t, key);

    if (s == NULL) return missing(key, err);
    *out = strcmp(s, "true") == 0;
    if (*out || strcmp(s, "false") == 0) return PERC_OK;
    return fail(err, PERC_EDATA, "metadata '%s' is '%.60s', neither true nor false", key, s);
}

static perc_status set_option(perc_params *p, const char *name, const char *value, perc_error *err)
{
    perc_error why = { 0 };
    size_t i = 0;

    while (i < p->table->count && strcmp(p->table->rows[i].name, name) != 0) i++;
    if (i == p->table->count || !is_kept(name))
        return fail(err, PERC_EDATA, "%s has no option '%.60s' in this version", p->table->name,
                    name);
    const perc_status st = perc_params_set(p, name, value, &why);
    if (st == PERC_ENOMEM) return fail_memory(err);
    if (st) return fail(err, PERC_EDATA, "option %.200s", why.text);
    /* The file does not say who set it: what differs from the default was given. */
    const char *initial = p->table->rows[i].initial;
    p->given[i] = initial == NULL || strcmp(initial, value) != 0;
    return PERC_OK;
}

/* The parameters; an option that the file lacks, as one of an older release may,
 * keeps its default. */
static perc_status read_options(const struct env *e, const struct tensors *t, perc_params **out,
                                perc_error *err)
{
    const char *machine = tensors_get(t, "machine"), *algorithm = tensors_get(t, "algorithm");
    const size_t prefix = strlen(OPTION);
    perc_status st = PERC_OK;

    *out = NULL;
    if (machine == NULL) return missing("machine", err);
    if (strcmp(machine, "linear") != 0)
        return fail(err, PERC_EDATA, "the machine '%.60s' is not known to this version", machine);
    if (algorithm == NULL) return missing("algorithm", err);
    const struct rule *rule = rule_find(algorithm);
    if (rule == NULL)
        return fail(err, PERC_EDATA, "the algorithm '%.60s' is not known to this version",
                    algorithm);
    if (params_new(e, &rule->table, out)) return fail_memory(err);
    for (size_t i = 0; i < t->metas && !st; i++)
        if (strncmp(t->meta[i].key, OPTION, prefix) == 0)
            st = set_option(*out, t->meta[i].key + prefix, t->meta[i].value, err);
    return st;
}

/* One text of the metadata into the model; NULL stays NULL. */
static perc_status copy_meta(const perc_model *m, const struct tensors *t, const char *key,
                             char **out, perc_error *err)
{
    const char *s = tensors_get(t, key);

    if (s == NULL) return PERC_OK;
    *out = mem_text(&m->e, s, strlen(s));
    return *out != NULL ? PERC_OK : fail_memory(err);
}

/* A model knows both labels or, untaught or taught through the API, none. */
static perc_status read_labels(perc_model *m, const struct tensors *t, perc_error *err)
{
    perc_status st;

    if ((st = copy_meta(m, t, "label.negative", &m->negative, err)) ||
        (st = copy_meta(m, t, "label.positive", &m->positive, err)))
        return st;
    if (m->negative == NULL && m->positive == NULL && m->rows == 0) return PERC_OK;
    if (m->negative == NULL) return missing("label.negative", err);
    if (m->positive == NULL) return missing("label.positive", err);
    if ((st = get_bool(t, "label.rest", &m->rest, err))) return st;
    if (!m->rest && strcmp(m->negative, m->positive) == 0)
        return fail(err, PERC_EDATA, "both labels are '%.60s'", m->negative);
    return PERC_OK;
}

/* Whether a run could have left these counters. */
static bool is_possible(const struct progress *p, uint64_t rows)
{
    if (p->mistakes > p->examples || p->updates > p->examples || p->position > p->examples ||
        p->pass_mistakes > p->mistakes || p->pass_updates > p->updates ||
        p->pass_mistakes > p->position || p->pass_updates > p->position)
        return false;
    if (rows > 0 && (uint64_t)p->position > rows) return false;
    return !p->pass_open || p->epoch > 0;
}

static perc_status read_progress(perc_model *m, const struct tensors *t, perc_error *err)
{
    struct progress *p = &m->learner.progress;
    const char *stop = tensors_get(t, "stop");
    size_t k = 0;
    perc_status st;

    for (size_t i = 0; i < COUNTERS; i++) {
        int64_t v; /* half the range, so that counting on cannot overflow */
        if ((st = tensors_get_int(t, counters[i].key, 0, INT64_MAX / 2, &v, err))) return st;
        memcpy((char *)p + counters[i].at, &v, sizeof v);
    }
    if ((st = get_bool(t, "pass_open", &p->pass_open, err))) return st;
    if (!is_possible(p, m->rows))
        return fail(err, PERC_EDATA, "the counters contradict one another");
    if (stop == NULL) return missing("stop", err);
    while (k < STOPS && strcmp(stop, stop_word[k]) != 0) k++;
    if (k == STOPS) return fail(err, PERC_EDATA, "metadata 'stop' is '%.60s'", stop);
    p->stop = (perc_stop)k;
    return PERC_OK;
}

/* What the data were: base, rows, names. */
static perc_status read_origin(perc_model *m, const struct tensors *t, perc_error *err)
{
    const char *schema = tensors_get(t, "schema");
    int64_t rows, base = -1;
    perc_status st;

    if ((st = tensors_get_int(t, "rows", 0, INT64_MAX, &rows, err))) return st;
    if (tensors_get(t, "index_base") != NULL || rows > 0) /* missing: an untaught model */
        if ((st = tensors_get_int(t, "index_base", 0, 1, &base, err))) return st;
    m->rows = (uint64_t)rows;
    m->index_base = (int)base;
    if (schema == NULL) return PERC_OK;
    if ((st = schema_from_json(&m->e, schema, strlen(schema), &m->schema, err))) return st;
    return names_make(&m->e, &m->schema, &m->names) ? fail_memory(err) : PERC_OK;
}

/* A tensor of finite doubles, one-dimensional; *out is NULL if it is not there. */
static perc_status find_doubles(const struct tensors *t, const char *name,
                                const struct tensor **out, perc_error *err)
{
    const struct tensor *one = *out = tensors_find(t, name);

    if (one == NULL) return PERC_OK;
    if (one->type != DTYPE_F64 || one->dims != 1)
        return fail(err, PERC_EDATA, "tensor '%s' must be F64 of one dimension", name);
    for (uint64_t j = 0; j < one->count; j++) {
        if (!is_finite(((const double *)one->data)[j]))
            return fail(err, PERC_EDATA, "%s[%llu] is not a finite number", name,
                        (unsigned long long)j);
    }
    return PERC_OK;
}

static perc_status read_machine(perc_model *m, const struct tensors *t, perc_error *err)
{
    struct linear *machine = &m->learner.machine;
    const uint64_t below = unused(m);
    const struct tensor *w, *b;
    perc_status st;

    if ((st = find_doubles(t, "weight", &w, err)) || (st = find_doubles(t, "offset", &b, err)))
        return st;
    if (w == NULL) return fail(err, PERC_EDATA, "tensor 'weight' is missing");
    if ((b != NULL) != machine->offset)
        return fail(err, PERC_EDATA, "tensor 'offset' is %s, but the options say otherwise",
                    b != NULL ? "there" : "missing");
    if (b != NULL && b->count != 1)
        return fail(err, PERC_EDATA, "tensor 'offset' must have one element");
    if (b != NULL) machine->b = *(const double *)b->data;
    if (w->count == 0) return PERC_OK;
    if (linear_grow(machine, w->count + below)) return fail_memory(err);
    memcpy(machine->w + below, w->data, (size_t)w->count * sizeof(double));
    return PERC_OK;
}

/* One array of the scaling into *out, with the unused columns in front. */
static perc_status copy_array(struct transform *f, uint64_t below, const struct tensor *one,
                              double outside, double **out, perc_error *err)
{
    double *a = mem_array(&f->e, (size_t)(one->count + below), sizeof *a);

    if (a == NULL) return fail_memory(err);
    for (uint64_t j = 0; j < below; j++) a[j] = outside;
    if (one->count > 0) memcpy(a + below, one->data, (size_t)one->count * sizeof *a);
    *out = a;
    f->columns = one->count + below;
    return PERC_OK;
}

/* Whether the arrays are those that the scaling needs, all of one length. */
static perc_status check_arrays(enum scale scale, const struct tensor *const one[ARRAYS],
                                perc_error *err)
{
    const bool shift = scale == SCALE_STANDARD || scale == SCALE_MINMAX;
    const bool divisor = transform_needs_pass(scale);
    const struct tensor *first = NULL;

    for (size_t i = 0; i < ARRAYS; i++) {
        if (one[i] == NULL) continue;
        if (first == NULL) first = one[i];
        if (one[i]->count != first->count)
            return fail(err, PERC_EDATA, "tensors '%s' and '%s' have different lengths",
                        first->name, one[i]->name);
    }
    if ((one[SHIFT] != NULL && !shift) || (one[DIVISOR] != NULL) != divisor)
        return fail(err, PERC_EDATA, "the tensors of the scaling are not those of '%s'",
                    scale_word[scale]);
    for (uint64_t j = 0; divisor && j < one[DIVISOR]->count; j++)
        if (!(((const double *)one[DIVISOR]->data)[j] > 0))
            return fail(err, PERC_EDATA, "scale.divisor[%llu] is not positive",
                        (unsigned long long)j);
    return PERC_OK;
}

static perc_status read_transform(perc_model *m, const struct tensors *t, perc_error *err)
{
    struct transform *f = &m->transform;
    double **const to[ARRAYS] = { &f->shift, &f->divisor, &f->fill };
    const struct tensor *one[ARRAYS];
    const char *spec = tensors_get(t, "scale");
    const uint64_t below = unused(m);
    perc_error why = { 0 };
    perc_status st = PERC_OK;

    if (spec == NULL) return missing("scale", err);
    *f = (struct transform){ .e = m->e, .first = below };
    if (transform_parse(spec, &f->scale, &f->by, &why))
        return fail(err, PERC_EDATA, "metadata: %.200s", why.text);
    for (size_t i = 0; i < ARRAYS && !st; i++) st = find_doubles(t, arrays[i].name, &one[i], err);
    if (!st) st = check_arrays(f->scale, one, err);
    for (size_t i = 0; i < ARRAYS && !st; i++)
        if (one[i] != NULL) st = copy_array(f, below, one[i], arrays[i].outside, to[i], err);
    return st;
}

perc_status model_decode(const struct env *e, const struct tensors *t, perc_model **out,
                         perc_error *err)
{
    perc_params *p = NULL;
    perc_model *m = NULL;
    perc_status st;

    *out = NULL;
    if ((st = tensors_format(t, MODEL_FORMAT, MODEL_VERSION, err)) ||
        (st = read_options(e, t, &p, err)) || (st = model_new(e, p, &m, err)) ||
        (st = read_origin(m, t, err)) || (st = read_labels(m, t, err)) ||
        (st = read_progress(m, t, err)) || (st = read_machine(m, t, err)) ||
        (st = read_transform(m, t, err)))
        goto done;
    *out = m; /* the caller owns it now */
    m = NULL;
done:
    perc_model_free(m);
    perc_params_free(p);
    return st;
}

perc_status perc_model_read(const perc_env *env, const char *path, perc_model **out,
                            perc_error *err)
{
    const struct env e = env_resolve(env);
    struct tensors t;
    perc_status st;

    *out = NULL;
    if ((st = tensors_read(&e, path, &t, err))) return st;
    st = model_decode(&e, &t, out, err);
    tensors_free(&t);
    return st;
}
