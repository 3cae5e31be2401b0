/* start.c -- where a run begins. */
#include "model/start.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/number.h"
#include "data/read.h"
#include "machine/machine_diagonal.h"
#include "machine/machine_kernel.h"

enum { INIT_STREAM = 0x1417 }; /* of the seed; the shuffle of pass e is stream e + 2^32 */

/* ----- reading it ------------------------------------------------------------------------ */

/* "unit", "random" or one of these, a colon and a number. */
static bool is_word(const char *init, const char *word, uint64_t *features)
{
    const size_t n = strlen(word);
    int64_t v = 0;

    if (strncmp(init, word, n) != 0 || (init[n] != '\0' && init[n] != ':')) return false;
    if (init[n] == ':' && (!number_parse_int(init + n + 1, strlen(init + n + 1), &v) || v < 1))
        return false;
    *features = (uint64_t)v;
    return true;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',';
}

/* Numbers between blanks, at any number of lines; '#' begins a remark, the letter b stands before
 * the last number if that is the offset. */
static perc_status read_numbers(struct start *s, const struct file_map *file, perc_error *err)
{
    const char *p = (const char *)file->data, *end = p + file->size, *line = p;
    int64_t lines = 1;
    bool marked = false; /* the letter was read, its number was not */

    for (; p < end; p++) {
        enum number_fault fault;
        double v;
        if (*p == '\n') line = p + 1, lines++;
        if (is_blank(*p)) continue;
        if (*p == '#') {
            while (p + 1 < end && p[1] != '\n') p++;
            continue;
        }
        const int64_t column = p - line + 1;
        if (*p == 'b' && !marked && !s->has_b) {
            marked = true;
            continue;
        }
        const char *after = number_scan(p, end, &v, &fault);
        const bool whole = after == end || is_blank(*after) || *after == '#';
        if (fault != NUMBER_OK || !whole)
            return fail_at(err, PERC_EDATA, lines, column,
                           "a start is a model, or numbers w_1 w_2 ... and then, if wanted, b and "
                           "the offset: %s",
                           fault != NUMBER_OK ? number_fault_text(fault) : "this is no number");
        if (s->has_b) return fail_at(err, PERC_EDATA, lines, column, "the offset b is the last");
        s->has_b = marked;
        if (marked) s->b = v;
        else if (!MEM_GROW(&s->e, s->w, &s->room, s->features + 1)) return fail_memory(err);
        else s->w[s->features++] = v;
        marked = false;
        p = after - 1;
    }
    if (marked)
        return fail_at(err, PERC_EDATA, lines, 0, "the number after the letter b is missing");
    return s->features > 0 ? PERC_OK : fail(err, PERC_EDATA, "there is no number in this file");
}

/* A model begins with the length of its header and a brace. */
static perc_status read_file(struct start *s, const char *path, perc_error *err)
{
    const perc_env env = { s->e.alloc, s->e.ud, s->e.threads };
    struct file_map file;
    perc_status st = file_load(&s->e, path, &file, err);

    if (st) return st;
    s->path = path;
    s->kind = file.size > 8 && file.data[8] == '{' ? START_MODEL : START_NUMBERS;
    if (s->kind == START_NUMBERS) st = read_numbers(s, &file, err);
    file_unmap(&file);
    if (s->kind == START_NUMBERS || (st = perc_model_read(&env, path, &s->model, err))) return st;
    schema_init(&s->names, &s->e);
    return schema_index(&s->model->schema, &s->names) ? fail_memory(err) : PERC_OK;
}

static perc_status open_start(const struct env *e, const perc_params *p, struct start *s,
                              perc_error *err)
{
    const struct rule *rule = rule_find(p->table->name);
    const bool own = rule == NULL || rule->solve != NULL ||
                     learner_machine(rule, p)->draw != NULL; /* it begins in its own way */
    const char *init = own ? "zero" : params_text(p, "init");

    *s = (struct start){ .e = *e };
    if (strcmp(init, "zero") == 0) return PERC_OK;
    s->rng = rng_seed((uint64_t)params_int(p, "seed"), INIT_STREAM);
    if (is_word(init, "unit", &s->features)) s->kind = START_UNIT;
    else if (is_word(init, "random", &s->features)) s->kind = START_RANDOM;
    else return read_file(s, init, err);
    return PERC_OK;
}

/* The data are read as well, and errors have one place: so the text names the file. */
static perc_status name_file(const char *path, perc_error *err)
{
    perc_error own;
    char place[48] = "";

    if (err == NULL || err->status != PERC_EDATA) return err != NULL ? err->status : PERC_EDATA;
    own = *err;
    if (own.line > 0) snprintf(place, sizeof place, ":%lld", (long long)own.line);
    if (own.column > 0)
        snprintf(place + strlen(place), sizeof place - strlen(place), ":%lld",
                 (long long)own.column);
    return fail(err, PERC_EDATA, "--init %.80s%s: %s", path, place, own.text);
}

perc_status start_open(const struct env *e, const perc_params *p, struct start *s, perc_error *err)
{
    const perc_status st = open_start(e, p, s, err);

    if (st == PERC_EDATA) name_file(params_text(p, "init"), err);
    return st;
}

void start_close(struct start *s)
{
    mem_free(&s->e, s->w, s->room, sizeof *s->w);
    perc_model_free(s->model);
    schema_free(&s->names);
    *s = (struct start){ .e = s->e };
}

perc_status perc_start_check(const perc_env *env, const perc_params *p, perc_error *err)
{
    NEED_PARAMS(p, "learner");
    const struct env e = env_resolve(env);
    struct start s;
    const perc_status st = open_start(&e, p, &s, err);

    start_close(&s);
    return st;
}

/* ----- whether it fits -------------------------------------------------------------------- */

static perc_status check_budget(const struct start *s, const perc_model *m, perc_error *err)
{
    const struct budget *b = machine_budget_of(m->learner.machine);
    const struct kernel *k = machine_describe(m->learner.machine, 0).kernel, *from;

    if (s->kind != START_MODEL ||
        (from = machine_describe(s->model->learner.machine, 0).kernel) == NULL)
        return fail(err, PERC_EARG,
                    "a budget begins with the rows of a kernel machine: --init %.80s has none",
                    params_text(m->params, "init"));
    if (k->type == KERNEL_PRECOMPUTED)
        return fail(err, PERC_EARG,
                    "with --kernel precomputed a budget begins at zero: rows are known by their "
                    "numbers alone (leave out --init %.80s)",
                    s->path);
    if (b->policy == BUDGET_FORGETRON)
        return fail(err, PERC_EARG,
                    "the forgetron begins at zero, as its bound does (leave out --init %.80s, or "
                    "pass --budget-policy projectron or random)",
                    s->path);
    if (from->rounded)
        return fail(err, PERC_EDATA, "%.80s was written before format 3: its kernel is rounded",
                    s->path);
    const bool numbers = k->gamma == from->gamma && k->coef0 == from->coef0 &&
                         k->degree == from->degree;
    if (k->type != from->type)
        return fail(err, PERC_EDATA, "%.80s has another kernel (pass --kernel %s)", s->path,
                    kernel_names[from->type]);
    if (k->type != KERNEL_LINEAR && !numbers)
        return fail(err, PERC_EDATA,
                    "%.80s has the same kernel with other numbers: gamma %.17g%s (pass those)",
                    s->path, from->gamma, from->type == KERNEL_POLY ? ", degree and coef0" : "");
    return PERC_OK;
}

perc_status start_check(const struct start *s, const perc_model *m, const char *where,
                        perc_error *err)
{
    const struct learner *l = &m->learner;
    const char *init = s->kind != START_ZERO ? params_text(m->params, "init") : "";

    if (s->kind == START_ZERO) return PERC_OK;
    if (where != NULL && s->kind != START_MODEL && l->asked != CLASSES_LISTED && !l->closed)
        return fail(err, PERC_EARG,
                    "--init %.80s: %s must know the classes beforehand, and of two which is +1 "
                    "(pass --classes LABEL,LABEL,... or --positive LABEL)",
                    init, where);
    if (where != NULL && s->kind != START_MODEL && s->features == 0)
        return fail(err, PERC_EARG,
                    "--init %s depends on the number of features, which %s does not know "
                    "beforehand: pass --init %s:N",
                    init, where, init);
    if (s->has_b && !l->machine->last.offset)
        return fail(err, PERC_EARG, "--init %.80s has an offset b, which --no-offset leaves out",
                    init);
    if (machine_budget_of(l->machine) != NULL) return check_budget(s, m, err);
    if (s->kind != START_MODEL) return PERC_OK;
    const struct machine *from = s->model->learner.machine;
    if (!(from->ops->flags & MACHINE_WEIGHTS) || from->ops == &machine_diagonal)
        return fail(err, PERC_EARG, "--init %.80s: %s has no score w.x + b to begin with", s->path,
                    !(from->ops->flags & MACHINE_WEIGHTS) ? "a model with a kernel, or a network,"
                                                          : "a model of second-order");
    return PERC_OK;
}

/* The vector of a label in the model, which is negated if *minus. false: it does not know it. */
static bool find_vector(const struct learner *from, const char *label, size_t *vector, bool *minus)
{
    const uint32_t id = labels_find(&from->labels, label, strlen(label));

    *vector = from->kind == KIND_TWO || id == LABEL_NONE ? 0 : id;
    *minus = from->kind == KIND_TWO && id == 0;
    return id != LABEL_NONE;
}

/* Likewise for vector c of l: of two classes, that of +1. */
static bool find_start(const struct start *s, const struct learner *l, size_t c, size_t *vector,
                       bool *minus)
{
    const struct learner *from = &s->model->learner;

    if (l->kind != KIND_TWO) return find_vector(from, l->labels.at[c].text, vector, minus);
    if (l->labels.n > 1 && find_vector(from, l->labels.at[1].text, vector, minus)) return true;
    if (l->labels.n == 0 || !find_vector(from, l->labels.at[0].text, vector, minus)) return false;
    *minus = !*minus;
    return true;
}

perc_status start_classes(const struct start *s, perc_model *m, perc_error *err)
{
    const bool two = m->learner.closed || params_text(m->params, "positive")[0] != '\0';

    if (s->kind != START_MODEL || two) return PERC_OK;
    const perc_status st = learner_meet_all(&m->learner, &s->model->learner.labels, err);
    m->learner.known = true; /* as long as no others come */
    return st == PERC_EDATA ? name_file(s->path, err) : st;
}

static struct read_start start_of(const struct start *s)
{
    return (struct read_start){ .path = s->path,
                                .transform = &s->model->transform,
                                .schema = &s->model->schema,
                                .names = &s->names,
                                .base = model_base(s->model),
                                .columns = model_inputs(s->model) };
}

/* The column of the model whose feature is that of column j of the data; UINT64_MAX: none. */
static uint64_t find_column(const struct start *s, const struct schema *schema, uint64_t j)
{
    const struct read_start start = start_of(s);

    return read_start_column(&start, schema, j);
}

perc_status start_keep(const struct start *s, perc_dataset *ds)
{
    if (s->kind != START_MODEL) return PERC_OK;
    const struct read_start start = start_of(s);
    return read_start_keep(&start, ds);
}

perc_status perc_dataset_read_start(const perc_env *env, const perc_params *p, const char *path,
                                    const perc_params *data, perc_dataset **out, perc_error *err)
{
    NEED_OUT(out);
    NEED(path != NULL);
    NEED_PARAMS(p, "learner");
    if (data != NULL) NEED_PARAMS(data, "data");
    const struct env e = env_resolve(env);
    struct start s;
    perc_status st = start_open(&e, p, &s, err);

    perc_params *own = NULL;
    if (!st && s.kind == START_NUMBERS && data != NULL && params_is(data, "scale", "auto")) {
        /* They are about the features as they are. */
        if (params_copy(&e, data, &own)) st = fail_memory(err);
        else st = perc_params_set(own, "scale", "none", err);
        data = own;
    }
    if (!st && s.kind == START_MODEL) {
        const struct read_start start = start_of(&s);
        st = read_dataset_start(&e, path, data, &start, out, err);
    } else if (!st) {
        st = perc_dataset_read(env, path, data, out, err);
    }
    perc_params_free(own);
    start_close(&s);
    return st;
}

/* The number that a transform has for a column; `none`: it has none. */
static double number_at(const double *array, uint64_t columns, uint64_t j, double none)
{
    return array != NULL && j < columns ? array[j] : none;
}

perc_status start_compare(const struct start *s, const perc_model *m, const struct schema *schema,
                          uint64_t columns, perc_error *err)
{
    const bool moved = !map_is_identity(&m->map) || machine_budget_of(m->learner.machine) != NULL;
    char was[TRANSFORM_SPEC], is[TRANSFORM_SPEC];

    if (s->kind != START_MODEL) return PERC_OK;
    const struct transform *a = &s->model->transform, *b = &m->transform;
    if (!map_same(&m->map, &s->model->map))
        return fail(err, PERC_EDATA, "%.80s was trained with another --map", s->path);
    if (schema->hash_bits != s->model->schema.hash_bits)
        return fail(err, PERC_EDATA, "%.80s was trained with another --hash", s->path);
    transform_option(a, was);
    transform_option(b, is);
    if (strcmp(was, is) != 0)
        return fail(err, PERC_EDATA,
                    "%.80s was trained with --scale %s, and these data have --scale %s: its "
                    "weights would mean something else (a stream and exact arithmetic do not scale "
                    "columns)",
                    s->path, was, is);
    for (uint64_t j = model_base(m); j < columns; j++) {
        const uint64_t k = find_column(s, schema, j);
        const bool elsewhere = k == UINT64_MAX ? j < model_inputs(s->model)
                                               : k != j || model_base(s->model) != model_base(m);
        if (moved && elsewhere)
            return fail(err, PERC_EDATA,
                        "%.80s has other features, or has them in another order, which products "
                        "and support rows cannot follow",
                        s->path);
        if (k == UINT64_MAX) continue;
        if (number_at(a->shift, a->columns, k, 0) != number_at(b->shift, b->columns, j, 0) ||
            number_at(a->divisor, a->columns, k, 1) != number_at(b->divisor, b->columns, j, 1))
            return fail(err, PERC_EDATA,
                        "%.80s was trained on data that --scale %s changed by other numbers "
                        "(scale both beforehand, or by:NUMBER)",
                        s->path, was);
    }
    return PERC_OK;
}

perc_status start_measure(const struct start *s, uint64_t features, perc_error *err)
{
    if (s->kind != START_NUMBERS || s->features == features) return PERC_OK;
    return fail(err, PERC_EDATA,
                "--init %.80s has %llu weights, and these data %llu features (an offset stands "
                "after the letter b)",
                s->path, (unsigned long long)s->features, (unsigned long long)features);
}

/* ----- the machine ------------------------------------------------------------------------ */

/* The machine of a budget: the rows of a kernel machine, in their order, and its offsets. */
static perc_status fill_budget(const struct start *s, perc_model *m, perc_error *err)
{
    struct learner *l = &m->learner;
    const struct learner *from = &s->model->learner;
    struct budget *b = machine_budget_of(l->machine);
    const struct budget *kept = machine_budget_of(from->machine);
    const struct votes *v = machine_votes_of(from->machine);
    const struct linear *returned = machine_result(from->machine);
    const size_t rows = kept != NULL ? kept->rows : v->rows, outputs = learner_outputs(from);
    struct linear *last = &l->machine->last, *unseen = &l->machine->unseen;
    struct pool pool = { .e = s->e };
    double *coefficient = pool_zeroed(&pool, rows * outputs, sizeof *coefficient);
    int64_t *counter = pool_zeroed(&pool, rows, sizeof *counter);
    const struct moment moment = learner_moment(from);
    size_t vector;
    bool minus;
    perc_status st = pool.failed || machine_grow(l->machine, machine_dims(from->machine))
                         ? fail_memory(err)
                         : PERC_OK;

    if (!st && kept == NULL) expansion_coefficients(v, &moment, outputs, coefficient, counter);
    for (size_t i = 0; i < rows * outputs && !st && kept != NULL; i++)
        coefficient[i] = returned->w[i / outputs * returned->stride + i % outputs];
    for (size_t i = 0; i < rows && !st; i++) {
        const struct row x = kept != NULL ? budget_row(kept, i) : votes_row(v, i);
        struct row seen;
        st = budget_see(b, &x, &seen) ? fail_memory(err) : PERC_OK;
        for (size_t c = 0; c < last->vectors && !st; c++) {
            if (!find_start(s, l, c, &vector, &minus)) continue;
            const double a = machine_shown(from->machine, coefficient[i * outputs + vector]);
            if (a == 0) continue;
            if (budget_update(b, &x, last, l->machine->expecting ? unseen : NULL, c, NO_VECTOR,
                              minus ? -a : a))
                st = fail_memory(err);
        }
    }
    for (size_t c = 0; c < last->vectors && !st && last->offset; c++)
        if (find_start(s, l, c, &vector, &minus))
            last->b[c] = machine_shown(from->machine,
                                       minus ? 0 - returned->b[vector] : returned->b[vector]);
    pool_free(&pool);
    return st;
}

/* Weight and offset of vector c in column j; the machine may know columns that the data do not
 * have. */
static double weight_at(struct start *s, const perc_model *m, uint64_t j, uint64_t from, size_t c)
{
    const uint64_t base = model_base(m);
    const double unit = 1 / sqrt((double)s->features);
    size_t vector;
    bool minus;

    if (s->kind == START_MODEL) {
        const struct linear *w = machine_result(s->model->learner.machine);
        if (from >= w->dims || !find_start(s, &m->learner, c, &vector, &minus)) return 0;
        const double v = machine_shown(s->model->learner.machine,
                                       w->w[from * w->stride + linear_at(w, vector)]);
        return minus ? 0 - v : v;
    }
    if (j - base >= s->features) return 0;
    if (s->kind == START_NUMBERS) return s->w[j - base];
    return s->kind == START_RANDOM ? unit * rng_normal(&s->rng) : unit;
}

static double offset_of(const struct start *s, const perc_model *m, size_t c)
{
    size_t vector;
    bool minus;

    if (s->kind != START_MODEL) return s->b;
    if (!find_start(s, &m->learner, c, &vector, &minus)) return 0;
    const struct machine *from = s->model->learner.machine;
    const struct linear *w = machine_result(from);
    const double b = machine_shown(from, w->b[linear_at(w, vector)]);
    return minus ? 0 - b : b;
}

/* Columns `filled` to the last. The start is a part of what votes. */
static void fill_vectors(struct start *s, perc_model *m, const struct schema *schema)
{
    struct linear *w = &m->learner.machine->last;
    struct linear *first = machine_votes_start(m->learner.machine);
    struct linear *sum = &m->learner.machine->sum;
    const bool sums = machine_has_sum(m->learner.machine);
    const bool named = s->kind == START_MODEL && map_is_identity(&m->map);
    const uint64_t below = s->kind == START_MODEL ? 0 : model_base(m);

    for (size_t c = 0; c < w->vectors && s->filled == 0; c++) {
        const size_t at = linear_at(w, c);
        if (w->offset) w->b[at] = offset_of(s, m, c);
        if (first != NULL) first->b[at] = w->b[at];
    }
    for (uint64_t j = s->filled > below ? s->filled : below; j < w->dims; j++) {
        const uint64_t from = named ? find_column(s, schema, j) : j;
        for (size_t c = 0; c < w->vectors; c++) {
            const double v = weight_at(s, m, j, from, c);
            const uint64_t at = j * w->stride + linear_at(w, c);
            w->w[at] = v;
            decay_start(&m->learner.decay, m->learner.shown, &w->w[at], sums ? &sum->w[at] : NULL);
            if (first != NULL) first->w[j * first->stride + linear_at(first, c)] = v;
        }
    }
    s->filled = w->dims;
}

perc_status start_fill(struct start *s, perc_model *m, const struct schema *schema,
                       uint64_t columns, perc_error *err)
{
    struct machine *machine = m->learner.machine;
    const uint64_t base = model_base(m);
    const bool indices = s->kind == START_MODEL && schema->columns == 0 &&
                         s->model->schema.columns == 0; /* those beyond the data stay */
    uint64_t width = indices ? machine_dims(s->model->learner.machine) : 0;
    size_t vector;
    bool minus;

    if (s->kind == START_ZERO) return PERC_OK;
    if (m->learner.kind == KIND_TWO && m->learner.labels.n == 2 && s->kind == START_MODEL &&
        !find_start(s, &m->learner, 0, &vector, &minus))
        return fail(err, PERC_EDATA, "%.80s knows neither '%s' nor '%s'", s->path,
                    m->learner.labels.at[0].text, m->learner.labels.at[1].text);
    if (machine_budget_of(machine) != NULL) {
        if (s->filled > 0) return PERC_OK;
        s->filled = 1;
        return fill_budget(s, m, err);
    }
    if (s->kind == START_NUMBERS && m->learner.kind != KIND_TWO)
        return fail(err, PERC_EDATA, "%.80s has one w, and there are more than two classes",
                    s->path);
    if (s->kind != START_MODEL && s->features == 0)
        s->features = columns > base ? columns - base : 1;
    if (s->kind != START_MODEL) width = base + s->features;
    if (!map_is_identity(&m->map) && width > map_columns(&m->map, m->map.inputs))
        return fail(err, PERC_EDATA,
                    "--init %.80s has more features than these data, and --map makes products of "
                    "those that are there",
                    params_text(m->params, "init"));
    if (machine_grow(machine, width > columns ? width : columns) ||
        machine_votes_widen(machine, machine->last.dims))
        return fail(err, PERC_ENOMEM, "out of memory: %llu weights are needed",
                    (unsigned long long)(width > columns ? width : columns));
    fill_vectors(s, m, schema);
    return PERC_OK;
}

perc_status start_finish(const struct start *s, perc_model *m, const struct labels *labels,
                         uint64_t columns, perc_error *err)
{
    const bool linear = machine_budget_of(m->learner.machine) == NULL;
    bool known = m->learner.closed;

    if (s->kind != START_MODEL) return PERC_OK;
    for (size_t i = 0; i < labels->n && !known; i++)
        known = learner_class(&s->model->learner, labels->at[i].text) != CLASS_NONE;
    if (!known) return fail(err, PERC_EDATA, "%.80s has other classes than these data", s->path);
    m->start = (struct start_count){ 0 };
    for (uint64_t j = model_base(m); j < columns; j++)
        ++*(find_column(s, &m->schema, j) != UINT64_MAX ? &m->start.found : &m->start.missing);
    const uint64_t inputs = model_inputs(s->model), base = model_base(s->model);
    m->start.unused = (inputs > base ? inputs - base : 0) - m->start.found;
    if (m->start.found > 0 || m->start.missing == 0 || !linear) return PERC_OK;
    return fail(err, PERC_EDATA, "no feature of these data has a name that %.80s knows", s->path);
}

/* ----- without data -------------------------------------------------------------------------- */

void start_drop(perc_model *m)
{
    if (m->begin == NULL) return;
    start_close(m->begin);
    mem_free(&m->e, m->begin, 1, sizeof *m->begin);
    m->begin = NULL;
}

perc_status start_begin(perc_model *m, int index_base, perc_error *err)
{
    perc_status st = PERC_OK;

    m->index_base = index_base;
    if (m->begin != NULL) st = start_fill(m->begin, m, &m->schema, 0, err);
    if (!st) start_drop(m);
    return st;
}

/* A model that begins with another one reads what that one reads; otherwise the start waits until
 * it is known where features begin. */
perc_status start_prepare(perc_model *m, const char *where, perc_error *err)
{
    struct start *s = m->begin = mem_zeroed(&m->e, 1, sizeof *s);
    perc_status st;

    if (s == NULL) return fail_memory(err);
    if ((st = start_open(&m->e, m->params, s, err)) || (st = start_check(s, m, where, err)))
        return st;
    if (s->kind == START_ZERO) start_drop(m);
    if (m->begin == NULL || s->kind != START_MODEL || s->model->index_base < 0) return PERC_OK;
    m->map = s->model->map;
    if (schema_copy(&m->e, &s->model->schema, &m->schema) ||
        transform_copy(&m->e, &s->model->transform, &m->transform) ||
        names_make(&m->e, &m->schema, &m->names))
        return fail_memory(err);
    if ((st = start_classes(s, m, err))) return st;
    return start_begin(m, s->model->index_base, err);
}
