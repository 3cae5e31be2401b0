/* judge.c -- scores and metrics of some rows of a data set, without a copy of them. */
#include "model/judge.h"

#include <string.h>

#include "model/metrics.h"
#include "model/scorer.h"

uint64_t judge_count(const struct pick *p, uint64_t rows)
{
    uint64_t n = 0;

    for (uint64_t i = 0; i < rows; i++) n += p->mark[i] == p->which;
    return n;
}

/* ----- scores ------------------------------------------------------------------------ */

perc_status judge_scores(const struct env *e, const perc_model *m, const perc_dataset *ds,
                         const struct pick *p, double *scores, perc_error *err)
{
    struct scorer s;
    struct pipe pipe;
    size_t *which = NULL, cap = 0;
    perc_status st = scorer_open(&s, e, m, err);

    pipe_init(&pipe, e, 0, NULL, &m->map);
    for (size_t k = 0; k < ds->blocks && !st; k++) {
        const struct block *b = &ds->block[k];
        void *room = which;
        size_t n = 0;
        if (!mem_grow(e, &room, &cap, b->rows, sizeof *which)) {
            st = fail_memory(err);
            break;
        }
        which = room;
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

static perc_status measure_rows(const struct env *e, const perc_model *m, const perc_dataset *ds,
                                const struct pick *p, struct block *rows, uint32_t *line,
                                double *scores, perc_metrics *out, perc_error *err)
{
    perc_status st = judge_scores(e, m, ds, p, scores, err);

    if (st) return st;
    /* The labels and lines of the rows as one block: what metrics_of looks at. A line is
     * kept as its distance from the first of all. */
    size_t n = 0;
    rows->first_line = ds->blocks > 0 ? block_line(&ds->block[0], 0) : 0;
    for (size_t k = 0; k < ds->blocks; k++) {
        const struct block *b = &ds->block[k];
        for (size_t i = 0; i < b->rows; i++) {
            if (p->mark[b->first_row + i] != p->which) continue;
            line[n] = (uint32_t)(block_line(b, i) - rows->first_line);
            rows->label[n++] = b->label[i];
        }
    }
    rows->rows = n;
    rows->line = line;
    const perc_dataset listed = {
        .e = *e, .block = rows, .blocks = 1, .rows = rows->rows, .labels = ds->labels
    };
    return metrics_of(e, m, &listed, scores, out, NULL, err);
}

perc_status judge_rows(const struct env *e, const perc_model *m, const perc_dataset *ds,
                       const struct pick *p, perc_metrics *out, perc_error *err)
{
    const size_t outputs = learner_outputs(&m->learner), n = (size_t)judge_count(p, ds->rows);
    double *scores = mem_array(e, n, outputs * sizeof *scores);
    uint32_t *line = mem_array(e, n, sizeof *line);
    struct block rows = { .e = *e, .label = mem_array(e, n, sizeof *rows.label) };
    perc_status st;

    *out = (perc_metrics){ 0 };
    if (scores == NULL || line == NULL || rows.label == NULL) st = fail_memory(err);
    else st = measure_rows(e, m, ds, p, &rows, line, scores, out, err);
    mem_free(e, scores, n, outputs * sizeof *scores);
    mem_free(e, line, n, sizeof *line);
    mem_free(e, rows.label, n, sizeof *rows.label);
    return st;
}
