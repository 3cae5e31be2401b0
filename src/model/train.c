/* train.c -- from a data set to a model: labels to signs, the start, the passes,
 * the report; and going on from a saved model. */
#include "model/train.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"

enum { INIT_STREAM = 0x1417 }; /* of the seed; the shuffle of pass e is stream e + 2^32 */

/* ----- labels --------------------------------------------------------------------- */

static perc_status set_label(perc_model *m, char **to, const char *text, perc_error *err)
{
    char *copy = mem_text(&m->e, text, strlen(text));

    if (copy == NULL) return fail_memory(err);
    mem_free_text(&m->e, *to);
    *to = copy;
    return PERC_OK;
}

static perc_status no_such_label(const struct labels *l, const char *positive, perc_error *err)
{
    return fail(err, PERC_EDATA, "no row has the label '%s'; the labels are %s%s%s%s%s", positive,
                l->at[0].text, l->n > 1 ? ", " : "", l->n > 1 ? l->at[1].text : "",
                l->n > 2 ? ", " : "", l->n > 2 ? "..." : "");
}

perc_status train_labels(perc_model *m, const struct labels *l, perc_error *err)
{
    const char *positive = params_text(m->params, "positive");
    perc_status st;

    if (l->n < 2)
        return fail(err, PERC_EDATA, "%s%s%s: two classes are needed",
                    l->n == 1 ? "all rows have the label '" : "no row has a label",
                    l->n == 1 ? l->at[0].text : "", l->n == 1 ? "'" : "");
    if (positive[0] == '\0') {
        if (l->n > 2)
            return fail(err, PERC_EDATA,
                        "%zu labels (%s, %s, %s%s): pick one against the rest with --positive "
                        "LABEL; learning several at once comes with the next learners",
                        l->n, l->at[0].text, l->at[1].text, l->at[2].text, l->n > 3 ? ", ..." : "");
        m->rest = false;
        st = set_label(m, &m->negative, l->at[0].text, err);
        return st ? st : set_label(m, &m->positive, l->at[1].text, err);
    }
    const uint32_t id = labels_find(l, positive, strlen(positive));
    if (id == LABEL_NONE) return no_such_label(l, positive, err);
    m->rest = l->n > 2;
    st = set_label(m, &m->positive, l->at[id].text, err);
    return st ? st : set_label(m, &m->negative, m->rest ? "rest" : l->at[1 - id].text, err);
}

perc_status train_signs(const perc_model *m, const struct labels *l, signed char **out,
                        perc_error *err)
{
    signed char *sign = mem_array(&m->e, l->n, 1);

    *out = sign;
    if (sign == NULL) return fail_memory(err);
    for (size_t i = 0; i < l->n; i++) sign[i] = (signed char)model_sign(m, l->at[i].text);
    return PERC_OK;
}

/* ----- the start --------------------------------------------------------------------- */

/* Whether `from` may be the start of m, as far as m is known yet. */
static perc_status check_start(const perc_model *m, const perc_model *from, const char *path,
                               perc_error *err)
{
    if (m->index_base >= 0 && from->index_base != m->index_base)
        return fail(err, PERC_EDATA, "%s counts features from %d, these data from %d", path,
                    from->index_base, m->index_base);
    if (from->positive != NULL && m->positive != NULL &&
        (strcmp(from->positive, m->positive) != 0 || strcmp(from->negative, m->negative) != 0))
        return fail(err, PERC_EDATA, "%s tells %s from %s, these data %s from %s", path,
                    from->positive, from->negative, m->positive, m->negative);
    return PERC_OK;
}

perc_status train_check_start(const perc_model *m, const char *path, perc_error *err)
{
    const perc_env env = { m->e.alloc, m->e.ud, m->e.threads };
    perc_model *from;
    perc_status st = perc_model_read(&env, path, &from, err);

    if (!st) st = check_start(m, from, path, err);
    perc_model_free(from);
    return st;
}

perc_status train_start_from(perc_model *m, const char *path, perc_error *err)
{
    const perc_env env = { m->e.alloc, m->e.ud, m->e.threads };
    struct linear *lin = &m->learner.machine;
    perc_model *from;
    perc_status st = perc_model_read(&env, path, &from, err);

    if (st) return st;
    st = check_start(m, from, path, err);
    if (!st && linear_grow(lin, from->learner.machine.dims)) st = fail_memory(err);
    if (!st) {
        const struct linear *f = &from->learner.machine;
        if (f->dims > 0) memcpy(lin->w, f->w, f->dims * sizeof *lin->w);
        if (lin->offset) lin->b = f->b;
    }
    perc_model_free(from);
    return st;
}

perc_status train_start(perc_model *m, uint64_t columns, perc_error *err)
{
    struct linear *lin = &m->learner.machine;
    const uint64_t base = (uint64_t)m->index_base;
    const char *init = params_text(m->params, "init");

    if (linear_grow(lin, columns))
        return fail(err, PERC_ENOMEM, "memory is out: %llu weights are needed",
                    (unsigned long long)columns);
    if (columns <= base || strcmp(init, "zero") == 0) return PERC_OK;
    const double unit = 1 / sqrt((double)(columns - base));
    if (strcmp(init, "unit") == 0) {
        for (uint64_t j = base; j < columns; j++) lin->w[j] = unit;
        return PERC_OK;
    }
    if (strcmp(init, "random") == 0) {
        struct rng r = rng_seed((uint64_t)params_int(m->params, "seed"), INIT_STREAM);
        for (uint64_t j = base; j < columns; j++) lin->w[j] = unit * rng_normal(&r);
        return PERC_OK;
    }
    return train_start_from(m, init, err);
}

/* ----- passes -------------------------------------------------------------------------- */

perc_status train_pass_ended(struct fit *f, const perc_model *m, bool *go_on, perc_error *err)
{
    const char *path = params_text(m->params, "checkpoint");

    *go_on = fit_pass_end(f);
    if (path[0] == '\0' || m->learner.progress.epoch % params_int(m->params, "every") != 0)
        return PERC_OK;
    return perc_model_write(m, path, err);
}

/* All rows in the order of the pass: as they stand, or shuffled by (seed, pass)
 * alone, so that a run that goes on needs no more than the number of the pass. */
static void order_rows(const perc_dataset *ds, const perc_params *p, int64_t pass, uint64_t *ref)
{
    uint64_t n = 0;

    for (size_t k = 0; k < ds->blocks; k++)
        for (size_t i = 0; i < ds->block[k].rows; i++) ref[n++] = ref_make(k, i);
    if (params_is(p, "order", "shuffle")) {
        const uint64_t stream = (uint64_t)pass + ((uint64_t)1 << 32);
        struct rng r = rng_seed((uint64_t)params_int(p, "seed"), stream);
        rng_shuffle(&r, ref, n);
    }
}

static perc_status run(perc_model *m, const perc_dataset *ds, struct fit *f, perc_error *err)
{
    const struct progress *g = &m->learner.progress;
    uint64_t *ref = mem_array(&m->e, ds->rows, sizeof *ref);
    bool go_on = ref != NULL;
    perc_status st = ref == NULL ? fail_memory(err) : PERC_OK;

    fit_begin(f, m->params);
    while (!st && go_on && fit_pass_begin(f)) {
        const uint64_t from = (uint64_t)g->position;
        order_rows(ds, m->params, g->epoch, ref);
        if (from > ds->rows) st = fail(err, PERC_EDATA, "the model was trained on more rows");
        else if (!fit_rows(f, ds->block, ref + from, ds->rows - from)) break;
        else st = train_pass_ended(f, m, &go_on, err);
    }
    mem_free(&m->e, ref, ds->rows, sizeof *ref);
    return st;
}

/* ----- the report ------------------------------------------------------------------------ */

void train_report(const perc_model *m, const struct tally *t, double seconds, perc_report *out)
{
    const struct progress *g = &m->learner.progress;
    const struct linear *lin = &m->learner.machine;

    *out = (perc_report){ .stop = g->stop,
                          .epochs = g->epoch,
                          .examples = g->examples,
                          .mistakes = g->mistakes,
                          .updates = g->updates,
                          .rows = m->rows,
                          .norm = linear_norm(lin),
                          .norm_augmented = linear_norm_augmented(lin),
                          .radius = sqrt(t->radius2 + (lin->offset ? 1 : 0)),
                          .train_seconds = seconds,
                          .training_errors = t->errors,
                          .training_error = NAN,
                          .loss = NAN };
    if (t->rows > 0) {
        out->rows = t->rows; /* those of weight 0 count for nothing */
        out->training_error = (double)t->errors / (double)t->rows;
        out->loss = t->loss / (double)t->rows;
    }
}

/* Rows without a label cannot be learned from. */
static perc_status check_labelled(const perc_dataset *ds, perc_error *err)
{
    for (size_t k = 0; k < ds->blocks; k++) {
        const struct block *b = &ds->block[k];
        for (size_t i = 0; i < b->rows; i++)
            if (b->label[i] == LABEL_NONE)
                return fail_at(err, PERC_EDATA, block_line(b, i), 0, "the row has no label");
    }
    return PERC_OK;
}

/* Trains m, which is set up for ds, from where it stands. */
static perc_status train(perc_model *m, const perc_dataset *ds, const perc_observer *observer,
                         perc_report *report, perc_error *err)
{
    signed char *sign;
    struct tally t;
    const double begin = clock_seconds();
    const int64_t before = m->learner.progress.examples;
    perc_status st = train_signs(m, &ds->labels, &sign, err);

    if (st) return st;
    struct fit f = { .learner = &m->learner,
                     .observer = observer,
                     .sign = sign,
                     .index_base = (uint64_t)m->index_base };
    st = run(m, ds, &f, err);
    const double seconds = clock_seconds() - begin;
    if (!st && report != NULL) {
        st = tally_blocks(&m->e, &m->learner.machine, ds->block, ds->blocks, sign, &t)
                 ? fail_memory(err)
                 : PERC_OK;
        if (!st) train_report(m, &t, seconds, report);
        if (!st) {
            report->read_seconds = ds->seconds;
            report->bytes = ds->bytes;
            const double shown = (double)(m->learner.progress.examples - before);
            report->rows_per_second = seconds > 0 ? shown / seconds : 0;
        }
    }
    mem_free(&m->e, sign, ds->labels.n, 1);
    return st;
}

perc_status perc_fit(const perc_env *env, const perc_dataset *ds, const perc_params *p,
                     const perc_observer *observer, perc_model **out, perc_report *report,
                     perc_error *err)
{
    const struct env e = env_resolve(env);
    perc_model *m;
    perc_status st = model_new(&e, p, &m, err);

    *out = NULL;
    if (st) return st;
    if ((st = model_adopt(m, ds, err))) goto done;
    if ((st = train_labels(m, &ds->labels, err))) goto done;
    if ((st = check_labelled(ds, err))) goto done;
    if ((st = train_start(m, ds->columns, err))) goto done;
    if ((st = train(m, ds, observer, report, err))) goto done;
    *out = m; /* the caller owns it now */
    m = NULL;
done:
    perc_model_free(m);
    return st;
}

/* ----- going on ----------------------------------------------------------------------------- */

/* Only the limits and the checkpoint may change: anything else would not be the
 * same run any more. */
perc_status train_override(perc_model *m, const perc_params *p, perc_error *err)
{
    static const char *const may[] = { "epochs", "updates", "time-limit", "checkpoint", "every" };
    perc_status st;

    if (p == NULL) return PERC_OK;
    for (size_t i = 0; i < p->table->count; i++) {
        const char *name = p->table->rows[i].name;
        bool allowed = false;
        if (!p->given[i]) continue;
        for (size_t k = 0; k < sizeof may / sizeof may[0]; k++) allowed |= !strcmp(name, may[k]);
        const char *had = perc_params_get(m->params, name);
        if (had == NULL) return fail(err, PERC_EARG, "the model has no option '%s'", name);
        if (!allowed && strcmp(had, p->value[i]) != 0)
            return fail(err, PERC_EARG, "--%s is %s in the model; a run that goes on keeps it",
                        name, had[0] != '\0' ? had : "not set");
        if ((st = perc_params_set(m->params, name, p->value[i], err))) return st;
    }
    return PERC_OK;
}

perc_status train_copy(const struct env *e, const perc_model *from, perc_model **out,
                       perc_error *err)
{
    perc_model *m;
    perc_status st = model_new(e, from->params, &m, err);

    *out = NULL;
    if (st) return st;
    m->index_base = from->index_base;
    m->rows = from->rows;
    m->rest = from->rest;
    m->learner.progress = from->learner.progress;
    linear_free(&m->learner.machine);
    if (linear_copy(e, &from->learner.machine, &m->learner.machine) ||
        schema_copy(e, &from->schema, &m->schema) ||
        transform_copy(e, &from->transform, &m->transform) ||
        names_make(e, &m->schema, &m->names))
        st = fail_memory(err);
    if (!st && from->negative != NULL) st = set_label(m, &m->negative, from->negative, err);
    if (!st && from->positive != NULL) st = set_label(m, &m->positive, from->positive, err);
    if (st) perc_model_free(m);
    else *out = m;
    return st;
}

perc_status train_same_data(const perc_model *m, const struct labels *l, perc_error *err)
{
    for (size_t i = 0; i < l->n; i++)
        if (model_sign(m, l->at[i].text) == 0)
            return fail(err, PERC_EDATA, "the model tells %s from %s, but a row has the label %s",
                        m->positive != NULL ? m->positive : "+1",
                        m->negative != NULL ? m->negative : "-1", l->at[i].text);
    return PERC_OK;
}

static bool same_array(const double *a, const double *b, uint64_t n)
{
    if (a == NULL || b == NULL) return a == b;
    return n == 0 || memcmp(a, b, n * sizeof *a) == 0;
}

static bool same_transform(const struct transform *a, const struct transform *b)
{
    return a->scale == b->scale && (a->scale != SCALE_BY || a->by == b->by) &&
           a->columns == b->columns && same_array(a->shift, b->shift, a->columns) &&
           same_array(a->divisor, b->divisor, a->columns) &&
           same_array(a->fill, b->fill, a->columns);
}

/* Whether ds may be what m was trained on. A machine that began as the copy of
 * another may be wider than its data. */
static perc_status check_same_data(const perc_model *m, const perc_dataset *ds, perc_error *err)
{
    const char *init = params_text(m->params, "init");
    const bool copied = strcmp(init, "zero") != 0 && strcmp(init, "unit") != 0 &&
                        strcmp(init, "random") != 0;
    const uint64_t dims = m->learner.machine.dims;

    if (ds->rows != m->rows || ds->columns > dims || (ds->columns < dims && !copied) ||
        ds->index_base != m->index_base)
        return fail(err, PERC_EDATA,
                    "the model was trained on %llu rows with %llu features; these are other data",
                    (unsigned long long)m->rows, (unsigned long long)model_features(m));
    if (!same_transform(&m->transform, &ds->transform))
        return fail(err, PERC_EDATA,
                    "the model was trained on data that were scaled or filled in another way (use "
                    "the same --scale and --missing)");
    return train_same_data(m, &ds->labels, err);
}

perc_status perc_fit_resume(const perc_env *env, const perc_dataset *ds, const perc_model *from,
                            const perc_params *p, const perc_observer *observer, perc_model **out,
                            perc_report *report, perc_error *err)
{
    const struct env e = env_resolve(env);
    perc_model *m;
    perc_status st = train_copy(&e, from, &m, err);

    *out = NULL;
    if (st) return st;
    st = check_same_data(m, ds, err);
    if (!st) st = check_labelled(ds, err);
    if (!st) st = train_override(m, p, err);
    if (!st) st = train(m, ds, observer, report, err);
    if (st) perc_model_free(m);
    else *out = m;
    return st;
}
