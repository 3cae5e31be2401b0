/* judge.c -- scores and metrics of some rows of a data set, without a copy of them. */
#include "model/judge.h"

#include <string.h>

#include "model/metrics.h"
#include "model/scorer.h"

uint64_t judge_count(const struct judged *p, uint64_t rows)
{
    uint64_t n = 0;

    for (uint64_t i = 0; i < rows; i++) n += p->mark[i] == p->which;
    return n;
}

/* ----- scores ------------------------------------------------------------------------ */

perc_status judge_scores(const struct env *e, const perc_model *m, const perc_dataset *ds,
                         const struct judged *p, double *scores, perc_error *err)
{
    struct scorer s;
    struct pipe pipe;
    size_t *which = NULL, cap = 0;
    perc_status st = scorer_open(&s, e, m, SCORER_MANY, err);

    s.watch = p->watch;
    pipe_init(&pipe, e, 0, NULL, &m->map);
    for (size_t k = 0; k < ds->blocks && !st; k++) {
        const struct block *b = &ds->block[k];
        size_t n = 0;
        if (!MEM_GROW(e, which, &cap, b->rows)) {
            st = fail_memory(err);
            break;
        }
        for (size_t i = 0; i < b->rows; i++)
            if (p->mark[b->first_row + i] == p->which) which[n++] = i;
        st = scorer_rows(&s, &pipe, b, which, 0, n, scores, err);
        scores += n * s.outputs;
    }
    mem_free(e, which, cap, sizeof *which);
    pipe_free(&pipe);
    scorer_close(&s);
    return st;
}

perc_status judge_failed(perc_status st, perc_error *err)
{
    if (st != PERC_EDATA || err == NULL || err->line == 0) return st;
    const perc_error was = *err;
    return fail(err, PERC_EDATA, "held-out data, line %lld: %.220s", (long long)was.line, was.text);
}

/* ----- metrics ----------------------------------------------------------------------- */

perc_status judge_rows(const struct env *e, const perc_model *m, const perc_dataset *ds,
                       const struct judged *p, perc_metrics *out, perc_error *err)
{
    const uint64_t n = judge_count(p, ds->rows);
    struct pool pool = { .e = *e };
    double *scores = pool_array(&pool, n, learner_outputs(&m->learner) * sizeof *scores);
    uint32_t *line = pool_array(&pool, n, sizeof *line);
    /* The labels and lines of the rows as one block: what metrics_of looks at. A line is
     * kept as its distance from the first one. */
    struct block rows = { .e = *e,
                          .label = pool_array(&pool, n, sizeof *rows.label),
                          .line = line,
                          .files = ds->block[0].files,
                          .first_line = block_place(&ds->block[0], 0) };
    perc_status st = pool.failed ? fail_memory(err) : judge_scores(e, m, ds, p, scores, err);

    *out = (perc_metrics){ 0 };
    for (size_t k = 0; k < ds->blocks && !st; k++) {
        const struct block *b = &ds->block[k];
        for (size_t i = 0; i < b->rows; i++) {
            if (p->mark[b->first_row + i] != p->which) continue;
            line[rows.rows] = (uint32_t)(block_place(b, i) - rows.first_line);
            rows.label[rows.rows++] = b->label[i];
        }
    }
    const perc_dataset listed = {
        .e = *e, .block = &rows, .blocks = 1, .rows = rows.rows, .labels = ds->labels
    };
    if (!st) st = metrics_of(e, m, &listed, scores, out, NULL, err);
    pool_free(&pool);
    return st;
}
