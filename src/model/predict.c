/* predict.c -- scores of data sets in memory and of files that pass through. */
#include <string.h>

#include "base/threads.h"
#include "data/read.h"
#include "model/model.h"

static void score_block(const struct linear *m, const struct block *b, double *out)
{
    struct row x[ROW_BATCH];

    for (size_t i = 0; i < b->rows; i += ROW_BATCH) {
        const int n = b->rows - i < ROW_BATCH ? (int)(b->rows - i) : ROW_BATCH;
        for (int k = 0; k < n; k++) x[k] = block_row(b, i + (size_t)k);
        row_dots(x, n, m->w, m->dims, out + i);
        for (int k = 0; k < n; k++) out[i + (size_t)k] += m->b;
    }
}

struct job {
    struct linear machine;      /* as the columns of the data address it: a view */
    struct transform transform; /* likewise */
    const perc_dataset *ds;
    bool raw;                   /* not scaled yet */
    double *scores;
};

/* A data set that was not read for this model (borrowed arrays) is transformed on
 * the way. */
static void score_raw(const struct job *j, const struct block *b, double *out)
{
    const struct linear *m = &j->machine;

    for (size_t i = 0; i < b->rows; i++) {
        const struct row x = block_row(b, i);
        out[i] = transform_dot(&j->transform, &x, m->w, m->dims) + m->b;
    }
}

static void score_one(void *ud, uint64_t i)
{
    const struct job *j = ud;
    const struct block *b = &j->ds->block[i];

    if (j->raw) score_raw(j, b, j->scores + b->first_row);
    else score_block(&j->machine, b, j->scores + b->first_row);
}

perc_status perc_predict(const perc_env *env, const perc_model *m, const perc_dataset *ds,
                         double *scores, perc_error *err)
{
    const struct env e = env_resolve(env);
    const int base = m->index_base > 0 ? 1 : 0;
    struct job j = { m->learner.machine, m->transform, ds, false, scores };

    j.raw = transform_is_identity(&ds->transform) && !transform_is_identity(&m->transform);
    if (ds->index_base != base) {
        /* Arrays are features from 0, whatever the model was trained on. A file that
         * counts in another way than the model may mean other features. */
        if (ds->index_base != 0 || strcmp(ds->format, "memory") != 0)
            return fail(err, PERC_EDATA,
                        "these data count features from %d, the model from %d (read them for "
                        "the model)",
                        ds->index_base, base);
        j.transform = model_transform(m);
        if (j.machine.dims > 0) {
            j.machine.w++;
            j.machine.dims--;
        }
    }
    threads_each(e.threads, ds->blocks, score_one, &j);
    return PERC_OK;
}

/* ----- files ------------------------------------------------------------------------ */

struct sink {
    struct env e;
    perc_score_sink put;
    void *ud;
    double *scores;
    size_t cap;
    bool stopped;
};

static perc_status put_block(const perc_model *m, const struct block *b, struct sink *s,
                             perc_error *err)
{
    void *p = s->scores;

    if (!mem_grow(&s->e, &p, &s->cap, b->rows, sizeof *s->scores)) return fail_memory(err);
    s->scores = p;
    score_block(&m->learner.machine, b, s->scores);
    s->stopped = s->put(s->ud, s->scores, b->rows) != 0;
    return PERC_OK;
}

static perc_status predict_text(const struct env *e, const perc_model *m, const char *path,
                                const perc_params *data, struct sink *s, uint64_t *unknown,
                                perc_error *err)
{
    const struct reader_model asks = { m->index_base, &m->schema };
    struct reader *r;
    struct block b;
    bool more = true;
    perc_status st = reader_open(e, path, data, &asks, NULL, &r, err);

    while (!st && more && !s->stopped) {
        st = reader_next(r, &b, &more, err);
        if (!st && more) {
            *unknown += block_unknown(&b, m->learner.machine.dims);
            st = transform_block(e, &m->transform, &b, err);
        }
        if (!st && more) st = put_block(m, &b, s, err);
        block_free(&b);
    }
    if (r != NULL) *unknown += reader_facts(r).unknown;
    reader_close(r);
    return st;
}

/* Built-in sets and block files are in memory already. */
static perc_status predict_loaded(const perc_env *env, const perc_model *m, const char *path,
                                  const perc_params *data, struct sink *s, uint64_t *unknown,
                                  perc_error *err)
{
    perc_dataset *ds;
    perc_status st = perc_dataset_read_for(env, m, path, data, &ds, err);

    if (st) return st;
    *unknown = ds->unknown;
    for (size_t i = 0; i < ds->blocks && !st && !s->stopped; i++)
        st = put_block(m, &ds->block[i], s, err);
    perc_dataset_free(ds);
    return st;
}

perc_status perc_predict_file(const perc_env *env, const perc_model *m, const char *path,
                              const perc_params *data, perc_score_sink put, void *ud,
                              uint64_t *unknown, perc_error *err)
{
    const struct env e = env_resolve(env);
    struct sink s = { .e = e, .put = put, .ud = ud };
    uint64_t count = 0;
    perc_params *own;
    bool text;
    perc_status st = read_params_for(&e, &m->transform, data, &own, err);

    if (st) return st;
    if (params_is(own, "missing", "drop"))
        st = fail(err, PERC_EARG, "every row gets an answer: --missing drop is not for prediction");
    if (!st) st = read_is_text(&e, path, own, &text, err);
    if (!st)
        st = text ? predict_text(&e, m, path, own, &s, &count, err)
                  : predict_loaded(env, m, path, own, &s, &count, err);
    if (unknown != NULL) *unknown = count;
    mem_free(&e, s.scores, s.cap, sizeof *s.scores);
    perc_params_free(own);
    return st;
}
