/* judge.c -- scores and metrics of some rows of a data set, without a copy of them. */
#include "model/judge.h"

#include <string.h>

#include "data/lens.h"
#include "model/metrics.h"

uint64_t pick_count(const struct pick *p, uint64_t rows)
{
    uint64_t n = 0;

    for (uint64_t i = 0; i < rows; i++) n += p->mark[i] == p->which;
    return n;
}

/* ----- scores ------------------------------------------------------------------------ */

/* Rows on their way, several at a time: see row_dots and ballots_scores. */
struct batch {
    const struct scorer *scorer;
    struct lens lens;
    double *scratch, *out;
    size_t room; /* of scratch */
    size_t n, most;
    struct row x[BALLOT_BATCH];
};

static void flush_dots(const struct linear *m, const struct batch *b)
{
    for (size_t i = 0; i < b->n; i += ROW_BATCH) {
        const size_t n = b->n - i < ROW_BATCH ? b->n - i : ROW_BATCH;
        row_dots(b->x + i, (int)n, m->w, m->dims, b->out + i);
    }
    for (size_t i = 0; i < b->n; i++) b->out[i] += m->b[0];
}

static void flush(struct batch *b)
{
    const struct scorer *s = b->scorer;

    if (s->ballots != NULL && b->n > 0) {
        ballots_scores(s->ballots, b->x, b->n, b->scratch, b->out);
    } else if (s->ballots == NULL && s->machine->stride == 1) {
        flush_dots(s->machine, b);
    } else {
        for (size_t i = 0; i < b->n; i++) {
            linear_scores(s->machine, &b->x[i], b->scratch);
            memcpy(b->out + i * s->outputs, b->scratch, s->outputs * sizeof *b->out);
        }
    }
    b->out += b->n * s->outputs;
    b->n = 0;
}

static perc_status score_block(struct batch *batch, const struct block *b, const struct pick *p,
                               perc_error *err)
{
    perc_status st;

    for (size_t i = 0; i < b->rows; i++) {
        if (p->mark[b->first_row + i] != p->which) continue;
        const struct row x = block_row(b, i);
        if ((st = lens_reserve_row(&batch->lens, &x, block_line(b, i), err))) return st;
        batch->x[batch->n++] = lens_image(&batch->lens, &x);
        if (batch->n == batch->most) flush(batch);
    }
    return PERC_OK;
}

/* Kernel machines and networks have their own way, many rows at a time. */
static perc_status score_pieces(const struct scorer *s, const perc_dataset *ds,
                                const struct pick *p, double *out, perc_error *err)
{
    struct pipe pipe;
    size_t *which = NULL, cap = 0;
    perc_status st = PERC_OK;

    pipe_init(&pipe, &s->e, 0, NULL, &s->m->map);
    for (size_t k = 0; k < ds->blocks && !st; k++) {
        const struct block *b = &ds->block[k];
        size_t n = 0;
        if (!mem_grow(&s->e, (void **)&which, &cap, b->rows, sizeof *which)) {
            st = fail_memory(err);
            break;
        }
        for (size_t i = 0; i < b->rows; i++)
            if (p->mark[b->first_row + i] == p->which) which[n++] = i;
        st = scorer_rows(s, &pipe, b, which, 0, n, out, err);
        out += n * s->outputs;
    }
    mem_free(&s->e, which, cap, sizeof *which);
    pipe_free(&pipe);
    return st;
}

perc_status judge_scores(const struct env *e, const perc_model *m, const perc_dataset *ds,
                         const struct pick *p, double *scores, perc_error *err)
{
    struct scorer s;
    struct batch b = { .scorer = &s, .out = scores };
    perc_status st = scorer_open(&s, e, m, err);

    if (!st && scorer_by_pieces(&s)) {
        st = score_pieces(&s, ds, p, scores, err);
        scorer_close(&s);
        return st;
    }
    lens_init(&b.lens, e, &m->map);
    b.most = b.lens.map != NULL ? 1 : BALLOT_BATCH; /* a lens holds one image */
    if (!st) {
        b.room = s.ballots != NULL ? ballots_scratch(s.ballots) : s.machine->stride;
        b.scratch = mem_array(e, b.room, sizeof *b.scratch);
        if (b.scratch == NULL) st = fail_memory(err);
    }
    for (size_t k = 0; k < ds->blocks && !st; k++) st = score_block(&b, &ds->block[k], p, err);
    if (!st) flush(&b);
    mem_free(e, b.scratch, b.room, sizeof *b.scratch);
    lens_free(&b.lens);
    scorer_close(&s);
    return st;
}

perc_status held_failed(perc_status st, perc_error *err)
{
    if (st != PERC_EDATA || err == NULL || err->line == 0) return st;
    const perc_error was = *err;
    return fail(err, PERC_EDATA, "held-out data, line %lld: %.220s", (long long)was.line, was.text);
}

/* ----- metrics ----------------------------------------------------------------------- */

/* The labels and lines of the rows as one block: what metrics_of looks at. A line is
 * kept as its distance from the first of all. */
static void list_rows(const perc_dataset *ds, const struct pick *p, struct block *out,
                      uint32_t *line)
{
    size_t n = 0;

    out->first_line = ds->blocks > 0 ? block_line(&ds->block[0], 0) : 0;
    for (size_t k = 0; k < ds->blocks; k++) {
        const struct block *b = &ds->block[k];
        for (size_t i = 0; i < b->rows; i++) {
            if (p->mark[b->first_row + i] != p->which) continue;
            line[n] = (uint32_t)(block_line(b, i) - out->first_line);
            out->label[n++] = b->label[i];
        }
    }
    out->rows = n;
    out->line = line;
}

static perc_status measure(const struct env *e, const perc_model *m, const perc_dataset *ds,
                           const struct pick *p, struct block *rows, uint32_t *line, double *scores,
                           perc_metrics *out, perc_error *err)
{
    perc_status st = judge_scores(e, m, ds, p, scores, err);

    if (st) return st;
    list_rows(ds, p, rows, line);
    const perc_dataset listed = {
        .e = *e, .block = rows, .blocks = 1, .rows = rows->rows, .labels = ds->labels
    };
    return metrics_of(e, m, &listed, scores, out, NULL, err);
}

perc_status judge_rows(const struct env *e, const perc_model *m, const perc_dataset *ds,
                       const struct pick *p, perc_metrics *out, perc_error *err)
{
    const size_t outputs = learner_outputs(&m->learner), n = (size_t)pick_count(p, ds->rows);
    double *scores = mem_array(e, n, outputs * sizeof *scores);
    uint32_t *line = mem_array(e, n, sizeof *line);
    struct block rows = { .e = *e, .label = mem_array(e, n, sizeof *rows.label) };
    perc_status st;

    *out = (perc_metrics){ 0 };
    if (scores == NULL || line == NULL || rows.label == NULL) st = fail_memory(err);
    else st = measure(e, m, ds, p, &rows, line, scores, out, err);
    mem_free(e, scores, n, outputs * sizeof *scores);
    mem_free(e, line, n, sizeof *line);
    mem_free(e, rows.label, n, sizeof *rows.label);
    return st;
}
