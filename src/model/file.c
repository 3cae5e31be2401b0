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
 *             often, the time limit, and how kernel values are obtained; those of a
 *             kernel where there is none. */
#include <stdio.h>
#include <string.h>

#include "data/blockfile.h"
#include "kernel/kernel.h"
#include "machine/machine_votes.h"
#include "model/model.h"
#include "model/state.h"

#define MODEL_FORMAT "perceptron-model"
#define OPTION       "option." /* before the name of an option */
#define LABEL        "label."  /* before the number of a label */

/* The words of perc_stop in files: they may not change. */
static const char *const stop_word[] = {
    [PERC_STOP_NONE] = "none",     [PERC_STOP_CONVERGED] = "converged",
    [PERC_STOP_EPOCHS] = "epochs", [PERC_STOP_UPDATES] = "updates",
    [PERC_STOP_TIME] = "time",     [PERC_STOP_CANCELLED] = "cancelled",
    [PERC_STOP_SOLVED] = "solved", [PERC_STOP_HELD] = "held",
    [PERC_STOP_STUCK] = "stuck",   [PERC_STOP_DIVERGED] = "diverged",
};
enum { STOPS = sizeof stop_word / sizeof *stop_word };

/* The counters of a run: one list for writing and reading. */
static const struct meta_spec progress_spec[] = {
    { "epoch", META_COUNT, .at = offsetof(struct progress, epoch) },
    { "position", META_COUNT, .at = offsetof(struct progress, position) },
    { "examples", META_COUNT, .at = offsetof(struct progress, examples) },
    { "mistakes", META_COUNT, .at = offsetof(struct progress, mistakes) },
    { "updates", META_COUNT, .at = offsetof(struct progress, updates) },
    { "pass_mistakes", META_COUNT, .at = offsetof(struct progress, pass_mistakes) },
    { "pass_updates", META_COUNT, .at = offsetof(struct progress, pass_updates) },
    { "pass_open", META_BOOL, .at = offsetof(struct progress, pass_open) },
    { "stop", META_WORD, .at = offsetof(struct progress, stop), stop_word, STOPS },
};
enum { PROGRESS = sizeof progress_spec / sizeof *progress_spec };

/* The arrays of the scaling; `outside` fills the unused columns below the base. */
enum { SHIFT, DIVISOR, FILL, ARRAYS };
static const struct {
    const char *name;
    size_t at;
    double outside;
} arrays[ARRAYS] = {
    [SHIFT] = { "scale.shift", offsetof(struct transform, shift), 0 },
    [DIVISOR] = { "scale.divisor", offsetof(struct transform, divisor), 1 },
    [FILL] = { "scale.fill", offsetof(struct transform, fill), 0 },
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

static bool has_kernel(const perc_params *p)
{
    return perc_params_get(p, "kernel") != NULL && !params_is(p, "kernel", "none");
}

/* ----- writing --------------------------------------------------------------- */

static perc_status add_transform(struct tensors *t, const struct transform *f, uint64_t below)
{
    char spec[TRANSFORM_SPEC];

    transform_option(f, spec);
    if (tensors_meta(t, "scale", spec)) return PERC_ENOMEM;
    for (size_t i = 0; i < ARRAYS; i++) {
        const double *array = *(double *const *)(const void *)((const char *)f + arrays[i].at);
        if (array != NULL && f->columns >= below &&
            tensors_add(t, arrays[i].name, DTYPE_F64, array + below, f->columns - below, 0))
            return PERC_ENOMEM;
    }
    return PERC_OK;
}

/* Files say the oldest format whose readers answer as we do: before 6, columns had no treatments of
 * their own, and tables one notation; before 5, answers had no threshold;
 * before 4, weights had no unit, and votes began at zero; before 3, kernels had rounded dots. */
static int64_t format_of(const perc_model *m)
{
    const struct kernel *k = machine_describe(m->learner.machine, 0).kernel;

    if (schema_has_treatments(&m->schema) || schema_has_notation(&m->schema)) return 6;
    if (m->threshold.of != THRESHOLD_RULE) return 5;
    if (m->learner.machine->unit != 1 || machine_votes_start(m->learner.machine) != NULL) return 4;
    return k != NULL && !k->rounded ? 3 : 2;
}

/* The one option of kernels that a machine with weights may have, too. */
static bool drops_by_weights(const perc_params *p, const char *name)
{
    return strcmp(name, "drop-after") == 0 && params_int(p, name) > 0;
}

/* Borrows the arrays of m. */
static perc_status encode_model(const perc_model *m, struct tensors *t, struct state *state)
{
    /* Options of kernels and of other rules are left out where they do not apply, so that such
     * files are the same as those of releases that had neither. */
    static const char *const of_kernels[] = { "kernel", "degree",       "gamma", "sigma",
                                              "coef0",  "eta",          "theta", "drop-after",
                                              "budget", "budget-policy" };
    /* So are options that came later, at their defaults. */
    static const char *const later[] = { "offset-inside" };
    const struct learner *l = &m->learner;
    const perc_params *p = m->params;
    char key[TENSOR_NAME], map[MAP_SPEC];

    map_option(&m->map, map);
    if (tensors_meta(t, "format", MODEL_FORMAT) ||
        tensors_meta_int(t, "format_version", format_of(m)) ||
        tensors_meta(t, "algorithm", p->table->name) ||
        tensors_meta(t, "machine", l->machine->ops->word) ||
        tensors_meta(t, "multiclass", kind_words[l->kind]))
        return PERC_ENOMEM;
    for (size_t i = 0; i < p->table->count; i++) {
        const char *name = p->table->rows[i].name;
        if (p->value[i] == NULL || !is_kept(name) || !rule_uses(p, name) ||
            (IS_AMONG(name, of_kernels) && !has_kernel(p) && !drops_by_weights(p, name)) ||
            (IS_AMONG(name, later) && !p->given[i]))
            continue;
        snprintf(key, sizeof key, OPTION "%s", name);
        if (tensors_meta(t, key, p->value[i])) return PERC_ENOMEM;
    }
    if (tensors_meta_int(t, "labels", (int64_t)l->labels.n)) return PERC_ENOMEM;
    for (size_t i = 0; i < l->labels.n; i++) {
        snprintf(key, sizeof key, LABEL "%zu", i);
        if (tensors_meta(t, key, l->labels.at[i].text)) return PERC_ENOMEM;
    }
    const bool known = l->known && l->native && l->kind == KIND_NATIVE && l->labels.n > 2;
    if (known && tensors_meta(t, "classes", "all")) return PERC_ENOMEM;
    if (tensors_meta_bool(t, "label.rest", l->rest) || tensors_meta(t, "map", map) ||
        (!map_is_identity(&m->map) && tensors_meta_int(t, "map_inputs", (int64_t)m->map.inputs)) ||
        (m->index_base >= 0 && tensors_meta_int(t, "index_base", m->index_base)) ||
        tensors_meta_int(t, "rows", (int64_t)m->rows) ||
        tensors_meta_all(t, progress_spec, PROGRESS, &l->progress) ||
        blockfile_add_schema(t, &m->schema) || state_encode(m, t, state))
        return PERC_ENOMEM;
    return add_transform(t, &m->transform, model_base(m));
}

perc_status perc_model_write(const perc_model *m, const char *path, perc_error *err)
{
    NEED(m != NULL && path != NULL);
    struct state state = { 0 };
    struct tensors t;
    perc_status st;

    if (m->begin != NULL)
        return fail(err, PERC_EARG,
                    "the model has not begun: call perc_learn_begin, or teach it an example");
    tensors_init(&t, &m->e);
    st = encode_model(m, &t, &state) ? fail_memory(err) : PERC_OK;
    /* No reader would accept such a file: say so while the user can still do something. */
    if (!st && !tensors_are_finite(&t))
        st = fail(err, PERC_EDATA, "the weights are no longer finite numbers (scale the data)");
    if (!st) st = tensors_write(&t, path, err);
    tensors_free(&t);
    state_free(&state);
    return st;
}

/* ----- reading ----------------------------------------------------------------- */

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
    /* The file does not say who set it: take a value other than the default as given. */
    const char *initial = p->table->rows[i].initial;
    p->given[i] = initial == NULL || strcmp(initial, value) != 0;
    return PERC_OK;
}

/* The parameters; an option that the file lacks, as one of an older release may,
 * keeps its default. */
static perc_status read_options(const struct env *e, const struct tensors *t, perc_params **out,
                                perc_error *err)
{
    const char *machine, *algorithm;
    const size_t prefix = strlen(OPTION);
    perc_error why = { 0 };
    perc_status st;

    *out = NULL;
    if ((st = tensors_need(t, "machine", &machine, err))) return st;
    if (!machine_is_word(machine))
        return fail(err, PERC_EDATA, "the machine '%.60s' is not known to this version", machine);
    if ((st = tensors_need(t, "algorithm", &algorithm, err))) return st;
    const struct rule *rule = rule_find(algorithm);
    if (rule == NULL)
        return fail(err, PERC_EDATA, "the algorithm '%.60s' is not known to this version",
                    algorithm);
    if (params_new(e, &rule->table, out)) return fail_memory(err);
    for (size_t i = 0; i < t->metas && !st; i++)
        if (strncmp(t->meta[i].key, OPTION, prefix) == 0)
            st = set_option(*out, t->meta[i].key + prefix, t->meta[i].value, err);
    if (st) return st;
    /* Is "machine" what the algorithm and these options lead to, and do they go together? */
    const bool same = strcmp(machine, learner_machine(rule, *out)->word) == 0;
    const bool kernel = has_kernel(*out);
    if (!same && rule->machine == NULL && (strcmp(machine, "kernel") == 0 || kernel))
        return fail(err, PERC_EDATA, "the machine is '%.60s', but option 'kernel' is %s", machine,
                    kernel ? perc_params_get(*out, "kernel") : "none");
    if (!same)
        return fail(err, PERC_EDATA, "the machine is '%s', but the algorithm is %s", machine,
                    rule->table.name);
    if (perc_params_get(*out, "kernel") != NULL && kernel_check(*out, &why))
        return fail(err, PERC_EDATA, "the options: %.200s", why.text);
    if (rule->machine == NULL || rule->machine->check_file == NULL) return PERC_OK;
    return rule->machine->check_file(t, *out, err);
}

/* Adds the label under `key`, which must be the next one, to l. */
static perc_status read_label(struct learner *l, const struct tensors *t, const char *key,
                              perc_error *err)
{
    const char *s;
    const size_t n = l->labels.n;
    uint32_t id;
    perc_status st;

    if ((st = tensors_need(t, key, &s, err)) ||
        (st = labels_add(&l->labels, s, strlen(s), &id, err)))
        return st;
    if (l->labels.n != n + 1) return fail(err, PERC_EDATA, "the label '%.60s' appears twice", s);
    return PERC_OK;
}

/* Whether a learner with these options could have arrived at this kind and these labels. */
static bool is_possible_kind(const perc_model *m, enum kind kind, uint64_t rows)
{
    const struct learner *l = &m->learner;
    const size_t n = l->labels.n;

    if (rows > 0 && n < 2) return false;
    if (l->closed) return kind == KIND_TWO;
    if (l->machine->ops->flags & MACHINE_NETWORK) return kind == (n <= 2 ? KIND_TWO : KIND_NATIVE);
    if (params_is(m->params, "multiclass", "ovr")) return kind == KIND_REST;
    if (n < 2 || (n == 2 && !l->native)) return kind == KIND_TWO;
    return kind == (l->native || l->joint ? KIND_NATIVE : KIND_REST);
}

static perc_status read_labels(perc_model *m, const struct tensors *t, perc_error *err)
{
    struct learner *l = &m->learner;
    int64_t n = -1;
    int kind = 0;
    char key[TENSOR_NAME];
    perc_status st = PERC_OK;

    if (tensors_get(t, "labels") != NULL) {
        st = tensors_get_int(t, "labels", 0, LABELS_MAX, &n, err);
    } else if (tensors_get(t, "label.negative") != NULL) { /* version 1: two classes */
        st = read_label(l, t, "label.negative", err);
        if (!st) st = read_label(l, t, "label.positive", err);
    }
    for (int64_t i = 0; i < n && !st; i++) {
        snprintf(key, sizeof key, LABEL "%lld", (long long)i);
        st = read_label(l, t, key, err);
    }
    if (st) return st;
    if ((n >= 0 || l->labels.n > 0) && (st = tensors_get_bool(t, "label.rest", &l->rest, err)))
        return st;
    const char *positive = perc_params_get(m->params, "positive"); /* a gate has no options */
    l->closed = positive != NULL && positive[0] != '\0';
    if (l->closed && l->labels.n != 2)
        return fail(err, PERC_EDATA,
                    "option 'positive' makes two classes, and there are %zu labels", l->labels.n);
    if (l->rest && !l->closed) return fail(err, PERC_EDATA, "'label.rest' without 'positive'");
    if (tensors_get(t, "multiclass") != NULL && /* missing: version 1, two classes */
        (st = tensors_get_word(t, "multiclass", kind_words, KIND_COUNT, &kind, err)))
        return st;
    if (!is_possible_kind(m, (enum kind)kind, m->rows))
        return fail(err, PERC_EDATA, "the labels and 'multiclass' contradict one another");
    l->kind = (enum kind)kind;
    l->known = tensors_get(t, "classes") != NULL && strcmp(tensors_get(t, "classes"), "all") == 0;
    bool listed = l->listed.n == 0 || l->listed.n == l->labels.n;
    for (size_t i = 0; i < l->listed.n && listed; i++)
        listed = learner_class(l, l->listed.at[i].text) != CLASS_NONE;
    if (!listed) return fail(err, PERC_EDATA, "the labels are not those of option 'classes'");
    if (l->closed) return PERC_OK;
    /* Unless one class was picked, labels are sorted. */
    uint32_t *map = mem_array(&l->e, l->labels.n, sizeof *map);
    if (map == NULL || labels_sort(&l->labels, map)) st = fail_memory(err);
    for (size_t i = 0; i < l->labels.n && !st; i++)
        if (map[i] != i) st = fail(err, PERC_EDATA, "the labels are not in order");
    mem_free(&l->e, map, l->labels.n, sizeof *map);
    return st;
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

static perc_status read_progress(perc_model *m, const struct tensors *t, perc_error *err)
{
    struct progress *p = &m->learner.progress;
    const size_t outputs = learner_outputs(&m->learner);
    const int64_t most = outputs > 0 ? (int64_t)outputs : 1; /* updates per example */
    const perc_status st = tensors_get_all(t, progress_spec, PROGRESS, p, err);

    if (st) return st;
    /* Could a run have left these counters? */
    if (p->mistakes > p->examples || p->updates / most > p->examples || p->position > p->examples ||
        p->pass_mistakes > p->mistakes || p->pass_updates > p->updates ||
        p->pass_mistakes > p->position || p->pass_updates / most > p->position ||
        (m->rows > 0 && (uint64_t)p->position > m->rows) || (p->pass_open && p->epoch <= 0))
        return fail(err, PERC_EDATA, "the counters contradict one another");
    return PERC_OK;
}

/* What the data were: base, rows, names. */
static perc_status read_origin(perc_model *m, const struct tensors *t, perc_error *err)
{
    const char *schema = tensors_get(t, "schema");
    int64_t rows, base = -1;
    perc_status st;

    if ((st = tensors_get_int(t, "rows", 0, TENSORS_COUNT_MAX, &rows, err))) return st;
    if (tensors_get(t, "index_base") != NULL || rows > 0) /* missing: an untaught model */
        if ((st = tensors_get_int(t, "index_base", 0, 1, &base, err))) return st;
    m->rows = (uint64_t)rows;
    m->index_base = (int)base;
    if (schema == NULL) return PERC_OK;
    if ((st = schema_from_json(&m->e, schema, strlen(schema), &m->schema, err))) return st;
    return names_make(&m->e, &m->schema, &m->names) ? fail_memory(err) : PERC_OK;
}

static perc_status read_transform(perc_model *m, const struct tensors *t, perc_error *err)
{
    struct transform *f = &m->transform;
    const struct tensor *one[ARRAYS];
    const char *spec;
    const uint64_t below = model_base(m);
    uint64_t n = TENSORS_ANY; /* one length for all */
    perc_error why = { 0 };
    perc_status st;

    if ((st = tensors_need(t, "scale", &spec, err))) return st;
    *f = (struct transform){ .e = m->e, .first = below };
    if (transform_parse(spec, &f->scale, &f->by, &why))
        return fail(err, PERC_EDATA, "metadata: %.200s", why.text);
    if (f->scale == SCALE_AUTO)
        return fail(err, PERC_EDATA, "metadata: 'scale' is auto, which is no scaling");
    for (size_t i = 0; i < ARRAYS; i++) {
        if ((one[i] = tensors_find(t, arrays[i].name)) == NULL) continue;
        if ((st = tensors_want(t, arrays[i].name, DTYPE_F64, n, 0, &one[i], err))) return st;
        n = one[i]->count;
    }
    const bool shift = f->scale == SCALE_STANDARD || f->scale == SCALE_MINMAX;
    const bool divisor = one[DIVISOR] != NULL, scales = transform_needs_pass(f->scale);
    if ((one[SHIFT] != NULL && !shift) || (divisor != scales && f->scale != SCALE_UNIT) ||
        (f->scale == SCALE_UNIT && divisor && !schema_has_treatments(&m->schema)))
        return fail(err, PERC_EDATA, "the tensors of the scaling are not those of '%.60s'", spec);
    for (uint64_t j = 0; divisor && j < one[DIVISOR]->count; j++)
        if (!(((const double *)one[DIVISOR]->data)[j] > 0))
            return tensors_wrong(err, one[DIVISOR]->name, j, "is not positive");
    if (n == TENSORS_ANY) return PERC_OK;
    f->columns = n + below;
    for (size_t i = 0; i < ARRAYS; i++) { /* with the unused columns in front */
        double **to = (double **)(void *)((char *)f + arrays[i].at);
        if (one[i] == NULL) continue;
        if ((*to = mem_array(&f->e, f->columns, sizeof **to)) == NULL) return fail_memory(err);
        for (uint64_t j = 0; j < below; j++) (*to)[j] = arrays[i].outside;
        tensors_copy_rows(one[i], *to + below, sizeof **to);
    }
    transform_count(f);
    return PERC_OK;
}

/* The model of these options; here a wrong one is the file's fault. */
static perc_status new_model(const struct env *e, const perc_params *p, perc_model **out,
                             perc_error *err)
{
    perc_error why = { 0 };
    const perc_status st = model_new(e, p, out, &why);

    if (st == PERC_EARG) return fail(err, PERC_EDATA, "the options: %.200s", why.text);
    return st ? fail(err, st, "%s", why.text) : PERC_OK;
}

perc_status model_decode(const struct env *e, const struct tensors *t, perc_model **out,
                         perc_error *err)
{
    perc_params *p = NULL;
    perc_model *m = NULL;
    perc_status st;

    *out = NULL;
    if ((st = tensors_format(t, MODEL_FORMAT, PERC_MODEL_FORMAT, err)) ||
        (st = read_options(e, t, &p, err)) || (st = new_model(e, p, &m, err)) ||
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
    NEED_OUT(out);
    NEED(path != NULL);
    const struct env e = env_resolve(env);
    struct tensors t;
    perc_status st;

    if ((st = tensors_read(&e, path, &t, err))) return st;
    st = model_decode(&e, &t, out, err);
    tensors_free(&t);
    return st;
}
