/* study_make.c -- a look at data and what learns from them, from a request to numbers that can
 * be drawn.
 *
 * The data are read and the learners trained first, because only there can the user
 * have made a mistake. All that follows looks at what is there, and may be left out: then a
 * sentence says why. For a model trained earlier, on data of which nothing is known but that it
 * can read them, there are no passes, updates or proof to see. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/about.h"
#include "show/word.h"
#include "study/study_parts.h"

perc_status study_fail(perc_error *err, perc_status st, const char *fmt, ...)
{
    va_list ap;

    *err = (perc_error){ .status = st };
    va_start(ap, fmt);
    vsnprintf(err->text, sizeof err->text, fmt, ap);
    va_end(ap);
    return st;
}

perc_status study_memory(perc_error *err)
{
    return study_fail(err, PERC_ENOMEM, "out of memory");
}

/* ----- the host ------------------------------------------------------------------ */

static int no_notice(void *ud, const perc_event *e)
{
    (void)ud, (void)e;
    return 0;
}

perc_observer study_work(const struct study *s, const char *stage, const char *unit, int64_t of)
{
    const struct study_host *h = &s->q->host;

    if (h->begin != NULL) h->begin(h->ud, stage, unit, of);
    return (perc_observer){ PERC_WATCH_COUNTS, h->notify != NULL ? h->notify : no_notice, h->ud };
}

void study_rest(const struct study *s)
{
    if (s->q->host.end != NULL) s->q->host.end(s->q->host.ud);
}

bool study_stopped(const struct study *s)
{
    return s->q->host.stopped != NULL && s->q->host.stopped(s->q->host.ud);
}

/* ----- what is asked of a run ------------------------------------------------- */

bool study_is(const struct study_run *r, const char *name, const char *value)
{
    const char *v = perc_params_get(r->params, name);

    return v != NULL && strcmp(v, value) == 0;
}

bool study_decays(const struct study_run *r)
{
    return perc_params_get(r->params, "decay") != NULL && !study_is(r, "decay", "0");
}

bool study_kernel(const struct study_run *r)
{
    return r->info.kernel[0] != '\0';
}

bool study_network(const struct study_run *r)
{
    perc_layer first;

    return perc_model_layer(r->model, 0, &first) != 0;
}

bool study_linear(const struct study_run *r)
{
    return about_is_linear(&r->info) && strcmp(r->info.map, "none") == 0;
}

/* Entries of the rows, times how often each is read: once per vector, support row or neuron of a
 * network; voted machines ask every vector that there ever was. */
double study_scoring(const struct study *s, const perc_model *m)
{
    const double rows = (double)s->data_info.rows, entries = (double)s->data_info.nonzeros + rows;
    double weights = 0;
    perc_model_info info;
    perc_layer layer;

    perc_model_info_get(m, &info);
    for (size_t i = 0; perc_model_layer(m, i, &layer); i++)
        weights += (double)(layer.inputs + 1) * (double)layer.outputs;
    if (weights > 0) return rows * weights;
    if (info.kernel[0] != '\0') /* support rows are not counted during training */
        return entries *
               (1 + (info.supports > 0 ? (double)info.supports : fmin((double)info.updates, rows)));
    if (strcmp(info.algorithm, "voted") == 0) return entries * (double)(info.updates + 1);
    if (strcmp(info.map, "none") != 0) /* all products: about the square of a row */
        return entries * (1 + entries / (rows + 1)) * (double)info.outputs;
    return entries * (double)info.outputs;
}

int study_label(const struct study *s, const char *label)
{
    for (size_t i = 0; label != NULL; i++) {
        const char *known = s->ds != NULL ? perc_dataset_label(s->ds, i)
                                          : perc_model_label(s->run[0].model, i);

        if (known == NULL) return -1;
        if (perc_label_same(known, label)) return (int)i;
    }
    return -1;
}

struct proof_words study_words(const struct study *s)
{
    struct proof_words words = { .env = s->env,
                                 .ds = s->drawn,
                                 .info = s->data_info,
                                 .params = s->prove_params,
                                 .proof = s->proof,
                                 .reason = "a limit came first",
                                 .form = s->q->form };

    perc_proof_info_get(s->proof, &words.all);
    return words;
}

/* Rows that were read for a model have its names; with a map the model has names of products. */
bool study_named(const struct study *s, uint64_t j, char *buf, size_t size)
{
    const char *name = !s->learned ? perc_dataset_feature(s->ds, j)
                       : strcmp(s->run[0].info.map, "none") == 0
                           ? perc_model_feature(s->run[0].model, j, buf, size)
                           : NULL;

    if (name != NULL && name != buf) snprintf(buf, size, "%s", name);
    return name != NULL;
}

const char *study_feature(const struct study *s, uint64_t j, char *buf, size_t size)
{
    if (!study_named(s, j, buf, size))
        snprintf(buf, size, "x%llu",
                 (unsigned long long)j + (unsigned long long)s->data_info.index_base);
    return buf;
}

const char *study_weight_name(const struct study_run *r, uint64_t j, char *buf, size_t size)
{
    const char *name = perc_model_feature(r->model, j, buf, size);

    if (name != NULL && name[0] == '\0' && strcmp(r->info.map, "none") != 0)
        return NULL; /* a product has a name, if there is memory to compose it */
    if (name != NULL) return word_cut(buf, size, name);
    snprintf(buf, size, "x%llu", (unsigned long long)j + (unsigned long long)r->info.index_base);
    return buf;
}

perc_status study_params(const perc_env *env, const char *table, const perc_params *from,
                         const char *except, perc_params **out, perc_error *err)
{
    size_t n = 0;
    const perc_param *row = perc_table(table, &n);
    perc_status st = perc_params_new(env, table, out, err);

    for (size_t i = 0; i < n && st == PERC_OK; i++) {
        const char *value = from != NULL ? perc_params_get(from, row[i].name) : NULL;
        const char *initial = row[i].initial != NULL ? row[i].initial : "";

        if ((except == NULL || strcmp(row[i].name, except) != 0) && value != NULL &&
            strcmp(value, initial) != 0)
            st = perc_params_set(*out, row[i].name, value, err);
    }
    return st;
}

/* ----- all of it ---------------------------------------------------------------- */

static void free_run(struct study_run *r)
{
    perc_model_free(r->model);
    perc_params_free(r->own_params);
    free(r->pass);
    free(r->norm);
    free(r->updated);
    free(r->step);
    free(r->class);
    free(r->support);
    free(r->score);
    free(r->margin);
    free(r->confusion);
    free(r->roc_x);
    free(r->roc_y);
    free(r->trade);
    free(r->region);
    *r = (struct study_run){ 0 };
}

/* Trains all learners. Of several, those that cannot be trained are left out, with a reason. */
static perc_status fit_all(struct study *s, perc_error *err)
{
    perc_status first = PERC_OK;

    s->run = calloc(s->q->learners, sizeof *s->run);
    if (s->run == NULL) return study_memory(err);
    for (size_t i = 0; i < s->q->learners && !study_stopped(s); i++) {
        struct study_run *r = &s->run[s->runs++];
        const size_t used = strlen(s->why_missing);
        perc_error why = { 0 };

        r->algorithm = s->q->learner[i].name;
        r->params = s->q->learner[i].params;
        snprintf(r->name, sizeof r->name, "%s", r->algorithm);
        const perc_status st = study_fit(s, r, &why);
        if (st == PERC_OK) continue;
        if (first == PERC_OK) {
            *err = why;
            first = st;
        }
        if (st != PERC_ENO && st != PERC_EDATA) return st;
        snprintf(s->why_missing + used, sizeof s->why_missing - used, "%s%s: %s",
                 used > 0 ? "; " : "", r->algorithm, why.text);
        free_run(r);
        s->runs--;
    }
    if (s->runs == 0) return first;
    const int64_t most = s->run[0].report.updates; /* a solver makes none */
    if (s->q->update > 0 && (int64_t)s->q->update > most)
        return study_fail(err, PERC_EARG, "--show-update: %s made %lld updates",
                          s->run[0].algorithm, (long long)most);
    return PERC_OK;
}

static void begin_study(struct study *s, const struct study_request *q)
{
    *s = (struct study){ .q = q, .env = q->env, .data = q->data, .limit = (double)NAN };
    s->work = q->work > 0 ? q->work : STUDY_WORK;
}

static void has_data(struct study *s)
{
    perc_dataset_info_get(s->ds, &s->data_info);
    s->drawn = s->ds;
}

bool study_reads_input(const struct study *s)
{
    perc_files *files;
    bool found = false;

    if (perc_files_find(s->env, s->data, perc_params_get(s->q->data_params, "more"), &files, NULL))
        return false;
    for (size_t k = 0; k < perc_files_count(files); k++)
        found |= strcmp(perc_files_name(files, k), "-") == 0;
    perc_files_free(files);
    return found;
}

perc_status study_make(struct study *s, const struct study_request *q, perc_error *err)
{
    perc_status st;

    begin_study(s, q);
    if ((st = perc_dataset_read(s->env, s->data, q->data_params, &s->ds, err))) return st;
    has_data(s);
    if ((st = study_pick(s, err)) || (st = study_plane(s, err)) || (st = fit_all(s, err)) ||
        study_stopped(s) || (st = study_orders(s, err)) || study_stopped(s) ||
        (st = study_prove(s, err)) || study_stopped(s) || (st = study_direction(s, err)) ||
        study_stopped(s) || (st = study_space(s, err)))
        return st;
    for (struct study_run *r = s->run; r < s->run + s->runs && !study_stopped(s); r++)
        if ((st = study_calibrate(s, r, err)) || (st = study_measure(s, r, err)) ||
            (st = study_supports(r, err)) || (st = study_regions(s, r, err)))
            return st;
    return PERC_OK;
}

perc_status study_of_model(struct study *s, const struct study_request *q, perc_model *m,
                           perc_error *err)
{
    perc_status st;

    begin_study(s, q);
    s->learned = true;
    if ((s->run = calloc(1, sizeof *s->run)) == NULL) {
        perc_model_free(m);
        return study_memory(err);
    }
    s->runs = 1;
    s->run[0].model = m;
    perc_model_info_get(m, &s->run[0].info);
    s->run[0].algorithm = s->run[0].info.algorithm;
    snprintf(s->run[0].name, sizeof s->run[0].name, "%s", s->run[0].algorithm);
    s->run[0].calibrated = s->run[0].info.calibrated != 0;
    if ((st = study_supports(&s->run[0], err))) return st;
    if (s->data == NULL) return study_alone(s, err);
    if ((st = perc_dataset_read_for(s->env, m, s->data, q->data_params, &s->ds, err))) return st;
    has_data(s);
    if ((st = study_pick(s, err)) || (st = study_plane(s, err)) ||
        (st = study_measure(s, &s->run[0], err)))
        return st;
    if (s->run[0].metrics.rows == 0) /* margins and errors need rows with known labels */
        return study_fail(err, PERC_EDATA, "no row has one of the %zu labels that the model knows",
                          s->run[0].info.labels);
    return study_regions(s, &s->run[0], err);
}

void study_free(struct study *s)
{
    for (size_t i = 0; s->run != NULL && i < s->runs; i++) free_run(&s->run[i]);
    for (size_t i = 0; s->order != NULL && i < s->orders; i++) free_run(&s->order[i]);
    free(s->run);
    free(s->order);
    free(s->direction);
    free(s->mean);
    free(s->scaling_a);
    free(s->scaling_b);
    free(s->x);
    free(s->y);
    free(s->label);
    free(s->row);
    free(s->advance);
    perc_proof_free(s->proof);
    perc_proof_free(s->space);
    perc_params_free(s->prove_params);
    if (s->drawn != s->ds) perc_dataset_free(s->drawn);
    perc_dataset_free(s->ds);
    *s = (struct study){ 0 };
}
