/* survey.c -- perc_survey_*: a survey of a file of data. See perceptron_inspect.h.
 *
 * Not here: rows (survey_read.c), columns (survey_column.c, survey_facts.c), counting
 * (survey_values.c), the file that is proposed (survey_propose.c). */
#include "data/survey.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "data/dataset.h"

/* Labels in the order of values, as everywhere; their numbers were those of their appearance. */
static bool sort_labels(struct perc_survey *s)
{
    const size_t n = s->labels.n;
    uint32_t *map = mem_array(&s->e, n, sizeof *map);
    uint64_t *of = mem_array(&s->e, n, sizeof *of);
    const bool ok = map != NULL && of != NULL && labels_sort(&s->labels, map) == PERC_OK;

    for (size_t i = 0; ok && i < n; i++) of[map[i]] = s->of_label[i];
    if (ok && n > 0) memcpy(s->of_label, of, n * sizeof *of);
    mem_free(&s->e, map, n, sizeof *map);
    mem_free(&s->e, of, n, sizeof *of);
    return ok;
}

/* The treatment of a column, as far as there is room. */
static bool tell_treatment(struct perc_survey *s, size_t k)
{
    char *how = s->column[k].facts.how;
    struct text t;

    if (!s->info.table) return true;
    text_init(&t, &s->e);
    columns_treatment_write(&s->schema.column[k].how, &t);
    if (t.len > 0) { /* it begins with a blank */
        const size_t n = utf8_cut(t.s + 1, t.len - 1, sizeof s->column[k].facts.how - 1);
        memcpy(how, t.s + 1, n);
    }
    const bool ok = !t.oom;
    text_free(&t);
    return ok;
}

/* All rows were read. */
static perc_status end_survey(struct perc_survey *s, perc_error *err)
{
    struct survey_repeats again;
    perc_survey_info *i = &s->info;

    if (i->rows == 0) return fail(err, PERC_EDATA, NO_ROWS);
    if (!survey_row_labels(s, s->labels.n)) return fail_memory(err);
    survey_rows_count(&s->rows, &again);
    i->duplicates = again.duplicates;
    i->contradictions = again.contradictions;
    i->duplicates_error = again.duplicates_error;
    i->contradictions_error = again.contradictions_error;
    i->labels = s->labels.n;
    i->described = s->columns;
    i->distinct_error = 1.04 / sqrt((double)((uint64_t)1 << s->bits));
    i->quartile_error = 0.5 / sqrt((double)s->sample);
    if (i->table) i->cells = i->rows * i->columns;
    for (size_t k = 0; k < s->columns; k++) {
        struct survey_column *c = &s->column[k];
        if (survey_column_end(s, c) || !tell_treatment(s, k)) return fail_memory(err);
        i->gaps += c->missing;
        i->wrong += c->wrong;
    }
    return sort_labels(s) && survey_propose(s) ? PERC_OK : fail_memory(err);
}

perc_status perc_survey_read(const perc_env *env, const char *path, const perc_params *data,
                             perc_survey **out, perc_error *err)
{
    NEED_OUT(out);
    NEED(path != NULL);
    if (data != NULL) NEED_PARAMS(data, "data");
    const struct env e = env_resolve(env);
    perc_survey *s = mem_zeroed(&e, 1, sizeof *s);
    perc_params *own = NULL;

    if (s == NULL) return fail_memory(err);
    s->e = s->room.e = e;
    s->rng = rng_seed(0, 0);
    schema_init(&s->schema, &e);
    labels_init(&s->labels, &e);
    text_init(&s->proposal, &e);
    text_init(&s->plain, &e);
    perc_status st = data == NULL && params_new(&e, &data_table, &own) ? fail_memory(err) : PERC_OK;
    if (!st) st = survey_read(s, path, data != NULL ? data : own, err);
    if (!st) st = end_survey(s, err);
    perc_params_free(own);
    if (st) perc_survey_free(s);
    else *out = s; /* the caller's now */
    return st;
}

void perc_survey_free(perc_survey *s)
{
    if (s == NULL) return;
    const struct env e = s->e;

    for (size_t i = 0; i < s->columns; i++) survey_column_free(s, &s->column[i]);
    mem_free(&e, s->column, s->cap, sizeof *s->column);
    mem_free(&e, s->of_label, s->of_cap, sizeof *s->of_label);
    survey_rows_free(&s->rows, &e);
    labels_free(&s->labels);
    schema_free(&s->schema);
    text_free(&s->proposal);
    text_free(&s->plain);
    paths_free(&s->files);
    mem_free(&e, s, 1, sizeof *s);
}

void perc_survey_info_get_sized(const perc_survey *s, perc_survey_info *info, size_t size)
{
    const perc_survey_info none = { .format = "" };

    sized_copy(info, size, s != NULL ? &s->info : &none, sizeof none);
}

const char *perc_survey_label(const perc_survey *s, size_t i, uint64_t *rows)
{
    const bool there = s != NULL && i < s->labels.n;

    if (rows != NULL) *rows = there ? s->of_label[i] : 0;
    return there ? s->labels.at[i].text : NULL;
}

int perc_survey_column_get_sized(const perc_survey *s, uint64_t i, perc_survey_column *out,
                                 size_t size)
{
    const perc_survey_column none = { .name = "",
                                      .kind = "",
                                      .first = "",
                                      .last = "",
                                      .wrong_text = "",
                                      .wrong_file = "",
                                      .leak = "" };
    const bool there = s != NULL && i < s->columns;

    sized_copy(out, size, there ? &s->column[i].facts : &none, sizeof none);
    return there;
}

const char *perc_survey_level(const perc_survey *s, uint64_t i, size_t k, uint64_t *rows)
{
    const bool there = s != NULL && i < s->columns && k < s->column[i].facts.levels;

    if (rows != NULL) *rows = there ? s->column[i].values.at[k].count : 0;
    return there ? s->column[i].values.at[k].text : NULL;
}

const char *perc_survey_proposal(const perc_survey *s)
{
    return s != NULL && s->info.table ? s->proposal.s : NULL;
}
