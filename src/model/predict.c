/* predict.c -- scores of data sets in memory and of files that pass through. */
#include <string.h>

#include "base/sized.h"
#include "data/read.h"
#include "model/scorer.h"

perc_status perc_dataset_read_for(const perc_env *env, const perc_model *model, const char *path,
                                  const perc_params *data, perc_dataset **out, perc_error *err)
{
    NEED_OUT(out);
    NEED(model != NULL && path != NULL);
    if (data != NULL) NEED_PARAMS(data, "data");
    const struct env e = env_resolve(env);
    const struct reader_model asks = { model->index_base, &model->schema, &model->map, NULL };

    return read_dataset_for(&e, path, data, &asks, &model->transform, NULL, model_inputs(model),
                            out, err);
}

perc_status predict_machine(const struct env *e, const perc_model *m, const perc_dataset *ds,
                            bool last, const struct watch *watch, double *scores, perc_error *err)
{
    const int base = (int)model_base(m);
    struct scorer s;
    uint64_t shift = 0;
    perc_status st;

    /* A data set that was not read for this model (borrowed arrays) is scaled on the way. */
    const bool raw = transform_is_identity(&ds->transform) && !transform_is_identity(&m->transform);
    if (ds->index_base != base) {
        /* Arrays are features from 0, whatever the model was trained on. A file that
         * counts in another way than the model may mean other features. */
        if (ds->index_base != 0 || strcmp(ds->format, "memory") != 0)
            return fail(err, PERC_EDATA,
                        "these data count features from %d, the model from %d (read them for "
                        "the model)",
                        ds->index_base, base);
        shift = 1;
    }
    st = scorer_open(&s, e, m, last ? SCORER_LAST : SCORER_MANY, err);
    s.watch = watch;
    if (!st) st = scorer_blocks(&s, ds->block, ds->blocks, shift, raw, scores, err);
    scorer_close(&s);
    return st;
}

perc_status perc_predict(const perc_env *env, const perc_model *m, const perc_dataset *ds,
                         double *scores, perc_error *err)
{
    NEED(m != NULL && ds != NULL && scores != NULL);
    const struct env e = env_resolve(env);

    return predict_machine(&e, m, ds, false, NULL, scores, err);
}

/* ----- files ------------------------------------------------------------------------ */

struct row_sink {
    struct env e;
    const struct scorer *scorer;
    perc_row_sink put;
    void *ud;
    double *scores;
    size_t cap;
    bool called, stopped;
};

/* Scores the rows of b and hands them over, as a data set of their own that is like `like`. */
static perc_status put_block(const perc_dataset *like, const struct block *b, struct row_sink *s,
                             perc_error *err)
{
    perc_dataset rows = *like;
    struct block own = *b;
    perc_status st;

    if (!MEM_GROW(&s->e, s->scores, &s->cap, b->rows * s->scorer->outputs)) return fail_memory(err);
    st = b->rows > 0 ? scorer_blocks(s->scorer, b, 1, 0, false, s->scores, err) : PERC_OK;
    own.first_row = 0;
    rows.block = &own;
    rows.blocks = 1;
    rows.rows = b->rows;
    rows.nonzeros = b->nonzeros;
    if (b->columns > rows.columns) rows.columns = b->columns;
    if (!st) s->stopped = s->put(s->ud, &rows, s->scores) != 0;
    s->called = true;
    return st;
}

static perc_status predict_text(const perc_model *m, const char *path, const perc_params *data,
                                const char *keep, struct row_sink *s, perc_dataset_info *info,
                                perc_error *err)
{
    const struct reader_model asks = { m->index_base, &m->schema, &m->map, keep };
    struct reader *r;
    bool more = true;
    perc_status st = reader_open(&s->e, path, data, &asks, NULL, NULL, &r, err);

    while (!st && more && !s->stopped) {
        struct block b;
        st = reader_next(r, &b, &more, err);
        const perc_dataset like = { .e = s->e,
                                    .index_base = (int)model_base(m),
                                    .columns = model_inputs(m),
                                    .labels = *reader_labels(r), /* lent */
                                    .format = reader_facts(r).format,
                                    .carry = reader_carry(r),
                                    .carried = reader_carried(r) };
        info->rows += b.rows;
        info->unknown += read_block_unknown(&b, model_inputs(m));
        if (!st && more) st = transform_block(&s->e, &m->transform, &b, err);
        if (!st && (more || !s->called)) st = put_block(&like, &b, s, err);
        block_free(&b);
    }
    if (r != NULL) {
        const struct reader_facts f = reader_facts(r);

        info->unknown += f.unknown;
        info->dropped = f.dropped;
        info->bytes = f.bytes;
        info->unchecked = f.unchecked;
        info->ignored = f.ignored;
        memcpy(info->note, f.note, sizeof info->note);
    }
    reader_close(r);
    return st;
}

/* Built-in sets and block files, which are in memory already. */
static perc_status predict_loaded(const perc_env *env, const perc_model *m, const char *path,
                                  const perc_params *data, const char *keep, struct row_sink *s,
                                  perc_dataset_info *info, perc_error *err)
{
    perc_dataset *ds;
    perc_status st;

    if (keep != NULL)
        return fail(err, PERC_EARG,
                    "--keep names columns of a table, and these data are no text: their cells are "
                    "gone (predict from the table that they were made of)");
    if ((st = perc_dataset_read_for(env, m, path, data, &ds, err))) return st;
    *info = (perc_dataset_info){ .rows = ds->rows, .unknown = ds->unknown };
    for (size_t i = 0; !st && i < ds->blocks && !s->stopped; i++)
        st = put_block(ds, &ds->block[i], s, err);
    perc_dataset_free(ds);
    return st;
}

perc_status perc_predict_rows_sized(const perc_env *env, const perc_model *m, const char *path,
                                    const perc_params *data, const char *keep, perc_row_sink sink,
                                    void *ud, perc_dataset_info *info, size_t size, perc_error *err)
{
    perc_dataset_info met = { .rows = 0 };

    sized_copy(info, size, &met, sizeof met);
    NEED(m != NULL && path != NULL && sink != NULL);
    if (data != NULL) NEED_PARAMS(data, "data");
    const struct env e = env_resolve(env);
    struct scorer scorer = { .e = e };
    struct row_sink s = { .e = e, .scorer = &scorer, .put = sink, .ud = ud };
    struct perc_files files = { .n = 0 };
    perc_params *own;
    bool text;
    perc_status st = read_params_for(&e, &m->transform, &m->schema, data, &own, err);

    if (st) return st;
    if (keep == NULL) st = read_every_row(own, err);
    if (!st && params_is(own, "missing", "drop") && keep == NULL)
        st = fail(err, PERC_EARG,
                  "every row gets an answer: --missing drop is not for prediction (unless --keep "
                  "names the rows that get one)");
    if (!st) st = read_is_text(&e, path, own, &files, &text, err);
    if (!st) st = scorer_open(&scorer, &e, m, SCORER_MANY, err);
    if (!st)
        st = text ? predict_text(m, path, own, keep, &s, &met, err)
                  : predict_loaded(env, m, path, own, keep, &s, &met, err);
    paths_free(&files);
    sized_copy(info, size, &met, sizeof met);
    scorer_close(&scorer);
    mem_free(&e, s.scores, s.cap, sizeof *s.scores);
    perc_params_free(own);
    return st;
}

struct score_sink {
    perc_score_sink put;
    void *ud;
};

static int put_scores(void *ud, const perc_dataset *rows, const double *scores)
{
    const struct score_sink *s = ud;

    return rows->rows > 0 ? s->put(s->ud, scores, (size_t)rows->rows) : 0;
}

perc_status perc_predict_file_info_sized(const perc_env *env, const perc_model *m, const char *path,
                                         const perc_params *data, perc_score_sink put, void *ud,
                                         perc_dataset_info *info, size_t size, perc_error *err)
{
    struct score_sink s = { put, ud };

    sized_copy(info, size, &(perc_dataset_info){ .rows = 0 }, sizeof *info);
    NEED(m != NULL && path != NULL && put != NULL);
    if (data != NULL) NEED_PARAMS(data, "data");
    return perc_predict_rows_sized(env, m, path, data, NULL, put_scores, &s, info, size, err);
}

perc_status perc_predict_file(const perc_env *env, const perc_model *m, const char *path,
                              const perc_params *data, perc_score_sink put, void *ud,
                              uint64_t *unknown, perc_error *err)
{
    perc_dataset_info met;
    const perc_status st = perc_predict_file_info(env, m, path, data, put, ud, &met, err);

    if (unknown != NULL) *unknown = met.unknown;
    return st;
}
