/* file.c -- a model as one safetensors file.
 *
 *   weight          F64 [features]  w, from the first feature of the data on; more than
 *                                   two classes: [features, classes]
 *   offset          F64 [1]         b, if the machine has one; [classes]
 *   scale.shift, scale.divisor, scale.fill
 *                   F64 [features]  the state of the scaling (data/transform.h),
 *                                   those that there are
 *   state.*, vote.*, row.*, pocket.*  what training needs to go on (model/state.c);
 *                                   with a kernel, vote.* and row.* are the machine
 *   layer.*, gate.*                 instead of weight and offset: networks
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
 * Not here    options that do not change what is learned: where checkpoints go, how
 *             often, the time limit, and how kernel values are come by; those of a
 *             kernel where there is none. */
#include <string.h>

#include "data/blockfile.h"
#include "model/model.h"
#include "model/state.h"

#define MODEL_FORMAT "perceptron-model"
#define OPTION       "option." /* before the name of an option */
#define LABEL        "label."  /* before the number of a label */
enum { MODEL_VERSION = 2 };

/* The words of perc_stop in files: they may not change. */
static const char *const stop_word[] = {
    [PERC_STOP_NONE] = "none",     [PERC_STOP_CONVERGED] = "converged",
    [PERC_STOP_EPOCHS] = "epochs", [PERC_STOP_UPDATES] = "updates",
    [PERC_STOP_TIME] = "time",     [PERC_STOP_CANCELLED] = "cancelled",
    [PERC_STOP_SOLVED] = "solved", [PERC_STOP_HELD] = "held",
    [PERC_STOP_STUCK] = "stuck",   [PERC_STOP_DIVERGED] = "diverged",
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

static bool is_among(const char *name, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(name, list[i]) == 0) return true;
    return false;
}
#define IS_AMONG(name, list) is_among(name, list, sizeof list / sizeof *list)

/* Whether an option is part of the model. */
static bool is_kept(const char *option)
{
    static const char *const passing[] = { "checkpoint", "every", "time-limit", "cache", "loop" };

    return !IS_AMONG(option, passing);
}

/* Whether it says something about a kernel alone. Models without one do not have it, so
 * that their files are those of releases that knew no kernels. */
static bool is_of_kernel(const char *option)
{
    static const char *const theirs[] = { "kernel", "degree",       "gamma", "sigma",
                                          "coef0",  "eta",          "theta", "drop-after",
                                          "budget", "budget-policy" };

    return IS_AMONG(option, theirs);
}

static bool has_kernel(const perc_params *p)
{
    return perc_params_get(p, "kernel") != NULL && !params_is(p, "kernel", "none");
}

/* The words of enum kind. */
static const char *const kind_word[] = {
    [KIND_TWO] = "two", [KIND_NATIVE] = "native", [KIND_REST] = "ovr"
};
enum { KINDS = sizeof kind_word / sizeof *kind_word };

/* ----- writing --------------------------------------------------------------- */

static perc_status add_options(struct tensors *t, const perc_params *p)
{
    struct text key;
    perc_status st = PERC_OK;

    text_init(&key, &t->e);
    for (size_t i = 0; i < p->table->count && !st; i++) {
        const char *name = p->table->rows[i].name;
        if (p->value[i] == NULL || !is_kept(name)) continue;
        if (is_of_kernel(name) && !has_kernel(p)) continue;
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

static perc_status add_labels(struct tensors *t, const struct learner *l)
{
    struct text key;
    perc_status st = tensors_meta_int(t, "labels", (int64_t)l->labels.n);

    text_init(&key, &t->e);
    for (size_t i = 0; i < l->labels.n && !st; i++) {
        key.len = 0;
        text_str(&key, LABEL);
        text_uint(&key, i);
        st = key.oom ? PERC_ENOMEM : tensors_meta(t, key.s, l->labels.at[i].text);
    }
    text_free(&key);
    return st ? st : tensors_meta(t, "label.rest", bool_word(l->rest));
}

static perc_status add_map(struct tensors *t, const struct map *map)
{
    char spec[MAP_SPEC];

    map_spec(map, spec);
    if (tensors_meta(t, "map", spec)) return PERC_ENOMEM;
    return map_is_identity(map) ? PERC_OK : tensors_meta_int(t, "map_inputs", (int64_t)map->inputs);
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
static perc_status encode(const perc_model *m, struct tensors *t, struct state *state)
{
    const struct learner *l = &m->learner;

    if (tensors_meta(t, "format", MODEL_FORMAT) ||
        tensors_meta_int(t, "format_version", MODEL_VERSION) ||
        tensors_meta(t, "algorithm", m->params->table->name) ||
        tensors_meta(t, "machine", model_machine(l)) ||
        tensors_meta(t, "multiclass", kind_word[l->kind]) || add_options(t, m->params) ||
        add_labels(t, l) || add_map(t, &m->map) ||
        (m->index_base >= 0 && tensors_meta_int(t, "index_base", m->index_base)) ||
        tensors_meta_int(t, "rows", (int64_t)m->rows) || add_progress(t, &l->progress) ||
        blockfile_add_schema(t, &m->schema) || state_encode(m, t, state))
        return PERC_ENOMEM;
    return add_transform(t, &m->transform, model_base(m));
}

perc_status perc_model_write(const perc_model *m, const char *path, perc_error *err)
{
    struct state state = { .e = m->e };
    struct tensors t;
    perc_status st;

    tensors_init(&t, &m->e);
    st = encode(m, &t, &state) ? fail_memory(err) : PERC_OK;
    /* No reader would take it: say so while the user can still do something. */
    if (!st && !state_is_finite(m, &state))
        st = fail(err, PERC_EDATA, "the weights are no longer finite numbers (scale the data)");
    if (!st) st = tensors_write(&t, path, err);
    tensors_free(&t);
    state_free(&state);
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

/* Whether "machine" is what the algorithm and these options make, and they go together. */
static perc_status check_options(const char *machine, const struct rule *rule, const perc_params *p,
                                 perc_error *err)
{
    perc_error why = { 0 };
    perc_status st;

    if ((strcmp(machine, "mlp") == 0) != (rule == &rule_mlp) ||
        (strcmp(machine, "gate") == 0) != (rule == &rule_gate))
        return fail(err, PERC_EDATA, "the machine is '%s', but the algorithm is %s", machine,
                    rule->table.name);

    if ((strcmp(machine, "kernel") == 0) != has_kernel(p))
        return fail(err, PERC_EDATA, "the machine is '%.60s', but option 'kernel' is %s", machine,
                    has_kernel(p) ? perc_params_get(p, "kernel") : "none");
    if (perc_params_get(p, "kernel") == NULL || !(st = kernel_check(p, &why))) return PERC_OK;
    return st == PERC_ENOMEM ? fail_memory(err)
                             : fail(err, PERC_EDATA, "the options: %.200s", why.text);
}

static bool is_machine(const char *name)
{
    static const char *const known[] = { "linear", "votes", "kernel", "mlp", "gate" };

    return IS_AMONG(name, known);
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
    if (!is_machine(machine))
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
    if (!st) st = check_options(machine, rule, *out, err);
    return st || rule != &rule_mlp ? st : state_check_layers(t, *out, err);
}

/* The label called `key`, which must be the next one, to l. */
static perc_status read_label(struct learner *l, const struct tensors *t, const char *key,
                              perc_error *err)
{
    const char *s = tensors_get(t, key);
    const size_t n = l->labels.n;
    uint32_t id;
    perc_status st;

    if (s == NULL) return missing(key, err);
    if ((st = labels_add(&l->labels, s, strlen(s), &id, err))) return st;
    if (l->labels.n != n + 1) return fail(err, PERC_EDATA, "two labels are '%.60s'", s);
    return PERC_OK;
}

/* Unless one class was picked, labels are sorted. */
static perc_status check_sorted(struct learner *l, perc_error *err)
{
    uint32_t *map = mem_array(&l->e, l->labels.n, sizeof *map);
    perc_status st = map == NULL || labels_sort(&l->labels, map) ? fail_memory(err) : PERC_OK;

    for (size_t i = 0; i < l->labels.n && !st; i++)
        if (map[i] != i) st = fail(err, PERC_EDATA, "the labels are not in order");
    mem_free(&l->e, map, l->labels.n, sizeof *map);
    return st;
}

/* Files of version 1 knew two classes only, and called them so. */
static perc_status read_label_texts(struct learner *l, const struct tensors *t, int64_t n,
                                    perc_error *err)
{
    struct text key;
    perc_status st = PERC_OK;

    if (n < 0) {
        if (tensors_get(t, "label.negative") == NULL) return PERC_OK;
        st = read_label(l, t, "label.negative", err);
        return st ? st : read_label(l, t, "label.positive", err);
    }
    text_init(&key, &l->e);
    for (int64_t i = 0; i < n && !st; i++) {
        key.len = 0;
        text_str(&key, LABEL);
        text_int(&key, i);
        st = key.oom ? fail_memory(err) : read_label(l, t, key.s, err);
    }
    text_free(&key);
    return st;
}

/* Whether a learner with these options can have come to this kind and these labels. */
static bool is_possible_kind(const perc_model *m, enum kind kind, uint64_t rows)
{
    const struct learner *l = &m->learner;
    const size_t n = l->labels.n;

    if (rows > 0 && n < 2) return false;
    if (l->closed) return kind == KIND_TWO && n == 2;
    if (l->rule == &rule_mlp || l->rule == &rule_gate)
        return kind == (n <= 2 ? KIND_TWO : KIND_NATIVE);
    if (params_is(m->params, "multiclass", "ovr")) return kind == KIND_REST;
    if (n < 2 || (n == 2 && !l->native)) return kind == KIND_TWO;
    return kind == (l->native ? KIND_NATIVE : KIND_REST);
}

static perc_status read_labels(perc_model *m, const struct tensors *t, perc_error *err)
{
    struct learner *l = &m->learner;
    const char *kind = tensors_get(t, "multiclass");
    int64_t n = -1;
    size_t k = 0;
    perc_status st;

    if (tensors_get(t, "labels") != NULL &&
        (st = tensors_get_int(t, "labels", 0, LABELS_MAX, &n, err)))
        return st;
    if ((st = read_label_texts(l, t, n, err))) return st;
    if ((n >= 0 || l->labels.n > 0) && (st = get_bool(t, "label.rest", &l->rest, err))) return st;
    const char *positive = perc_params_get(m->params, "positive"); /* a gate has no options */
    l->closed = positive != NULL && positive[0] != '\0' && l->labels.n == 2;
    if (l->rest && !l->closed) return fail(err, PERC_EDATA, "'label.rest' without 'positive'");
    while (kind != NULL && k < KINDS && strcmp(kind, kind_word[k]) != 0) k++;
    if (k == KINDS || !is_possible_kind(m, (enum kind)k, m->rows))
        return fail(err, PERC_EDATA, "the labels and 'multiclass' contradict one another");
    l->kind = (enum kind)k;
    return l->closed ? PERC_OK : check_sorted(l, err);
}

static perc_status read_map(perc_model *m, const struct tensors *t, perc_error *err)
{
    const char *spec = tensors_get(t, "map");
    perc_error why = { 0 };
    int64_t inputs;
    perc_status st;

    if (spec == NULL) return PERC_OK; /* version 1 */
    if (map_parse(spec, &m->map, &why)) return fail(err, PERC_EDATA, "metadata: %.200s", why.text);
    if (map_is_identity(&m->map)) return PERC_OK;
    if ((st = tensors_get_int(t, "map_inputs", 0, INT64_MAX, &inputs, err))) return st;
    if (map_set_inputs(&m->map, model_base(m), (uint64_t)inputs, &why))
        return fail(err, PERC_EDATA, "metadata: %.200s", why.text);
    return PERC_OK;
}

/* Whether a run could have left these counters: at most `most` updates an example. */
static bool is_possible(const struct progress *p, uint64_t rows, int64_t most)
{
    if (p->mistakes > p->examples || p->updates / most > p->examples || p->position > p->examples ||
        p->pass_mistakes > p->mistakes || p->pass_updates > p->updates ||
        p->pass_mistakes > p->position || p->pass_updates / most > p->position)
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
    const size_t outputs = learner_outputs(&m->learner);
    if (!is_possible(p, m->rows, outputs > 0 ? (int64_t)outputs : 1))
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
    const uint64_t below = model_base(m);
    perc_error why = { 0 };
    perc_status st = PERC_OK;

    if (spec == NULL) return missing("scale", err);
    *f = (struct transform){ .e = m->e, .first = below };
    if (transform_parse(spec, &f->scale, &f->by, &why))
        return fail(err, PERC_EDATA, "metadata: %.200s", why.text);
    for (size_t i = 0; i < ARRAYS && !st; i++) st = state_find(t, arrays[i].name, 0, &one[i], err);
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
        (st = read_progress(m, t, err)) || (st = read_map(m, t, err)) ||
        (st = state_decode(m, t, err)) || (st = read_transform(m, t, err)) ||
        (st = model_count_supports(m, err)))
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
