/* score.c -- from a row of data to the scores of a model. */
#include "model/score.h"

#include <string.h>

#include "base/threads.h"
#include "model/model.h"

/* ----- the pipe ---------------------------------------------------------------- */

void pipe_init(struct pipe *p, const struct env *e, uint64_t shift,
               const struct transform *transform, const struct map *map)
{
    const bool scales = transform != NULL && !transform_is_identity(transform);

    *p = (struct pipe){ .e = *e, .shift = shift, .transform = scales ? transform : NULL };
    lens_init(&p->lens, e, map);
}

void pipe_free(struct pipe *p)
{
    mem_free(&p->e, p->shifted, p->shifted_cap, sizeof *p->shifted);
    mem_free(&p->e, p->column, p->column_cap, sizeof *p->column);
    mem_free(&p->e, p->value, p->value_cap, sizeof *p->value);
    lens_free(&p->lens);
    *p = (struct pipe){ .e = p->e };
}

bool pipe_is_open(const struct pipe *p)
{
    return p->shift == 0 && p->transform == NULL && p->lens.map == NULL;
}

static bool grow(const struct pipe *p, void *array, size_t *cap, size_t n, size_t size)
{
    void *at;

    memcpy(&at, array, sizeof at); /* a pointer to any type of object */
    if (!mem_grow(&p->e, &at, cap, n, size)) return false;
    memcpy(array, &at, sizeof at);
    return true;
}

static perc_status shift(struct pipe *p, struct row *x, perc_error *err)
{
    if (x->indices == INDEX_DENSE) {
        x->first += p->shift;
        return PERC_OK;
    }
    if (!grow(p, &p->shifted, &p->shifted_cap, x->n, sizeof *p->shifted)) return fail_memory(err);
    for (size_t k = 0; k < x->n; k++) {
        const uint64_t column = row_column(x, k) + p->shift;
        if (column > UINT32_MAX) { /* beyond every model: the rest of the row is unknown */
            x->n = k;
            break;
        }
        p->shifted[k] = (uint32_t)column;
    }
    x->index = p->shifted;
    x->indices = INDEX_U32;
    return PERC_OK;
}

static perc_status scale(struct pipe *p, struct row *x, perc_error *err)
{
    const uint64_t n = p->transform->columns > x->n ? p->transform->columns : x->n;

    if (!grow(p, &p->column, &p->column_cap, n, sizeof *p->column) ||
        !grow(p, &p->value, &p->value_cap, n, sizeof *p->value))
        return fail_memory(err);
    x->n = transform_row(p->transform, x, p->column, p->value);
    x->index = p->column;
    x->value = p->value;
    x->indices = INDEX_U32;
    x->values = VALUES_F64;
    x->stride = sizeof *p->value;
    return PERC_OK;
}

perc_status pipe_row(struct pipe *p, struct row *x, int64_t line, perc_error *err)
{
    perc_status st = PERC_OK;

    if (p->shift > 0) st = shift(p, x, err);
    if (!st && p->transform != NULL) st = scale(p, x, err);
    if (!st && p->lens.map != NULL) st = lens_reserve_row(&p->lens, x, line, err);
    if (!st) *x = lens_image(&p->lens, x);
    return st;
}

/* ----- the scorer ------------------------------------------------------------------ */

/* The average of a model that has learned since it was last settled. */
static perc_status settle_copy(struct scorer *s, const struct learner *l)
{
    if (linear_copy(&s->e, &l->machine, &s->own)) return PERC_ENOMEM;
    average_of(l, &s->own);
    s->machine = &s->own;
    return PERC_OK;
}

static enum ballot_kind ballot_of(enum kind kind)
{
    static const enum ballot_kind of[] = {
        [KIND_TWO] = BALLOT_TWO, [KIND_NATIVE] = BALLOT_NATIVE, [KIND_REST] = BALLOT_REST
    };

    return of[kind];
}

/* What answers where the machine is a sum over updates. */
static perc_status open_chorus(struct scorer *s, const struct learner *l, bool last)
{
    s->chorus = (struct chorus){ .e = s->e,
                                 .kernel = l->kernel->kernel,
                                 .votes = &l->votes,
                                 .moment = last ? (struct moment){ l->votes.n, 0 }
                                                : learner_moment(l),
                                 .voting = l->rule->keep == KEEP_VOTES && !last,
                                 .kind = ballot_of(l->kind),
                                 .shown = l->shown,
                                 .offset = l->machine.offset,
                                 .vectors = s->outputs,
                                 .b = s->machine->b };
    return chorus_open(&s->chorus);
}

static enum answers answers_of(const struct learner *l, bool last)
{
    if (l->gate != NULL) return BY_GATE;
    if (l->mlp != NULL) return BY_MLP;
    if (l->kernel != NULL) return l->budget != NULL ? BY_BUDGET : BY_CHORUS;
    return l->rule->keep == KEEP_VOTES && !last ? BY_BALLOT : BY_WEIGHTS;
}

static perc_status open_any(struct scorer *s, const struct env *e, const perc_model *m, bool last,
                            perc_error *err)
{
    const struct learner *l = &m->learner;
    perc_status st = PERC_OK;

    *s = (struct scorer){ .e = *e, .m = m, .outputs = learner_outputs(l) };
    s->answers = answers_of(l, last);
    s->machine = last ? &l->machine : learner_result(l);
    s->own.e = s->chorus.e = *e;
    if (!last && l->rule->keep == KEEP_AVERAGE && !l->settled) st = settle_copy(s, l);
    if (!st && s->answers == BY_CHORUS) st = open_chorus(s, l, last);
    if (!st && s->answers == BY_BALLOT)
        st = ballots_new(e, &l->votes, ballot_of(l->kind), s->outputs, l->machine.dims,
                         l->machine.offset, l->shown, &s->ballots);
    return st ? fail_memory(err) : PERC_OK;
}

perc_status scorer_open(struct scorer *s, const struct env *e, const perc_model *m, perc_error *err)
{
    return open_any(s, e, m, false, err);
}

perc_status scorer_open_last(struct scorer *s, const struct env *e, const perc_model *m,
                             perc_error *err)
{
    return open_any(s, e, m, true, err);
}

void scorer_close(struct scorer *s)
{
    linear_free(&s->own);
    ballots_free(s->ballots);
    chorus_close(&s->chorus);
    *s = (struct scorer){ .e = s->e };
}

/* Scratch for one row: padded scores, or what counting votes takes. */
static size_t scratch_of(const struct scorer *s)
{
    return s->ballots != NULL ? ballots_scratch(s->ballots) : s->machine->stride;
}

static void score_one(const struct scorer *s, const struct row *x, double *scratch, double *out)
{
    const struct linear *m = s->machine;

    if (s->ballots != NULL) {
        ballots_score(s->ballots, x, scratch, out);
    } else if (m->stride == 1) {
        out[0] = linear_score(m, x);
    } else {
        linear_scores(m, x, scratch);
        memcpy(out, scratch, s->outputs * sizeof *out);
    }
}

perc_status scorer_row(const struct scorer *s, const struct row *x, double *out, perc_error *err)
{
    if (s->answers == BY_GATE) return scorer_gate_row(s, x, out, err);
    if (s->answers == BY_MLP) return scorer_mlp_row(s, x, out, err);
    if (scorer_by_pieces(s)) return scorer_kernel_row(s, x, out, err);

    const size_t n = scratch_of(s);
    double *scratch = mem_array(&s->e, n, sizeof *scratch);

    if (scratch == NULL) return fail_memory(err);
    score_one(s, x, scratch, out);
    mem_free(&s->e, scratch, n, sizeof *scratch);
    return PERC_OK;
}

/* ----- blocks: vectors and ballots ---------------------------------------------------- */

/* Rows of two classes, several at a time. */
static void score_dots(const struct linear *m, const struct block *b, double *out)
{
    struct row x[ROW_BATCH];

    for (size_t i = 0; i < b->rows; i += ROW_BATCH) {
        const int n = b->rows - i < ROW_BATCH ? (int)(b->rows - i) : ROW_BATCH;
        for (int k = 0; k < n; k++) x[k] = block_row(b, i + (size_t)k);
        row_dots(x, n, m->w, m->dims, out + i);
        for (int k = 0; k < n; k++) out[i + (size_t)k] += m->b[0];
    }
}

/* Votes are counted for several rows at once. */
static void count_votes(const struct scorer *s, const struct block *b, double *scratch, double *out)
{
    struct row x[BALLOT_BATCH];

    for (size_t i = 0; i < b->rows; i += BALLOT_BATCH) {
        const size_t n = b->rows - i < BALLOT_BATCH ? b->rows - i : BALLOT_BATCH;
        for (size_t k = 0; k < n; k++) x[k] = block_row(b, i + k);
        ballots_scores(s->ballots, x, n, scratch, out + i * s->outputs);
    }
}

static perc_status linear_block(const struct scorer *s, struct pipe *p, const struct block *b,
                                double *out, perc_error *err)
{
    const size_t n = scratch_of(s);
    double *scratch;
    perc_status st = PERC_OK;

    if (pipe_is_open(p) && s->ballots == NULL && s->machine->stride == 1) {
        score_dots(s->machine, b, out);
        return PERC_OK;
    }
    if ((scratch = mem_array(&s->e, n, sizeof *scratch)) == NULL) return fail_memory(err);
    if (pipe_is_open(p) && s->ballots != NULL) {
        count_votes(s, b, scratch, out);
    } else {
        for (size_t i = 0; i < b->rows && !st; i++) {
            struct row x = block_row(b, i);
            st = pipe_row(p, &x, block_line(b, i), err);
            if (!st) score_one(s, &x, scratch, out + i * s->outputs);
        }
    }
    mem_free(&s->e, scratch, n, sizeof *scratch);
    return st;
}

/* ----- blocks: on several threads ------------------------------------------------------ */

/* Rows of kernels and networks are worth a thread by the panel; others, which cost less than to
 * read them, by the block. A network wants more of them at a time, to use its weights often. */
enum { PIECE_MOST = 32 * PANEL, PIECE_UNIT = 8 * PANEL };

perc_status scorer_rows(const struct scorer *s, struct pipe *p, const struct block *b,
                        const size_t *which, size_t from, size_t n, double *out, perc_error *err)
{
    if (s->answers == BY_GATE) return scorer_gate_rows(s, p, b, which, from, n, out, err);
    if (s->answers == BY_MLP) return scorer_mlp_rows(s, p, b, which, from, n, out, err);
    return scorer_kernel_rows(s, p, b, which, from, n, out, err);
}

struct piece {
    const struct block *b;
    size_t from, n;
    double *out;
    perc_status st;
    perc_error err;
};

struct job {
    const struct scorer *s;
    uint64_t shift;
    bool raw;
    struct piece *piece;
    size_t pieces;
};

static void score_piece(void *ud, uint64_t i)
{
    const struct job *j = ud;
    const struct scorer *s = j->s;
    struct piece *one = &j->piece[i];
    struct pipe p;

    pipe_init(&p, &s->e, j->shift, j->raw ? &s->m->transform : NULL, &s->m->map);
    one->st = scorer_by_pieces(s)
                  ? scorer_rows(s, &p, one->b, NULL, one->from, one->n, one->out, &one->err)
                  : linear_block(s, &p, one->b, one->out, &one->err);
    pipe_free(&p);
}

/* Rows of a piece: several pieces a thread, so that none waits long for the last. */
static size_t piece_rows(const struct scorer *s, const struct block *b, size_t blocks)
{
    const size_t share = (size_t)s->e.threads * 4, unit = s->answers == BY_MLP ? PIECE_UNIT : PANEL;
    uint64_t rows = 0;

    if (!scorer_by_pieces(s)) return SIZE_MAX;
    for (size_t i = 0; i < blocks; i++) rows += b[i].rows;
    const uint64_t units = rows / share / unit + 1;
    return units < PIECE_MOST / unit ? (size_t)units * unit : PIECE_MOST;
}

/* Without memory for `piece` it only counts. */
static size_t cut(const struct scorer *s, const struct block *b, size_t blocks, double *out,
                  struct piece *piece)
{
    const size_t most = piece_rows(s, b, blocks);
    size_t n = 0;

    for (size_t i = 0; i < blocks; out += b[i++].rows * s->outputs) {
        for (size_t from = 0; from < b[i].rows; n++) {
            const size_t rows = b[i].rows - from < most ? b[i].rows - from : most;
            if (piece != NULL)
                piece[n] = (struct piece){
                    .b = &b[i], .from = from, .n = rows, .out = out + from * s->outputs
                };
            from += rows;
        }
    }
    return n;
}

perc_status scorer_blocks(const struct scorer *s, const struct block *b, size_t blocks, uint64_t by,
                          bool raw, double *out, perc_error *err)
{
    struct job j = { .s = s, .shift = by, .raw = raw, .pieces = cut(s, b, blocks, out, NULL) };
    perc_status st = PERC_OK;

    j.piece = mem_array(&s->e, j.pieces, sizeof *j.piece);
    if (j.piece == NULL) return fail_memory(err);
    cut(s, b, blocks, out, j.piece);
    threads_each(s->e.threads, j.pieces, score_piece, &j);
    for (size_t i = 0; i < j.pieces && !st; i++)
        if ((st = j.piece[i].st) && err != NULL) *err = j.piece[i].err;
    mem_free(&s->e, j.piece, j.pieces, sizeof *j.piece);
    return st;
}

perc_status scorer_block(const struct scorer *s, const struct block *b, uint64_t by, bool raw,
                         double *out, perc_error *err)
{
    return scorer_blocks(s, b, 1, by, raw, out, err);
}
