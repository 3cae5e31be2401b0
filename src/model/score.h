/* score.h -- from a row of data to the scores of a model.
 *
 *     pipe     what is done to a row before the machine sees it: columns counted from
 *              another base, scaling (if the data were not read for the model), the map
 *     scorer   what answers: vectors, votes, the updates of a kernel machine, a network
 *
 * A scorer is const while it is used, by several threads; each has its own pipe. */
#ifndef PERC_SCORE_H
#define PERC_SCORE_H

#include "data/dataset.h"
#include "data/lens.h"
#include "machine/ballot.h"
#include "machine/chorus.h"
#include "machine/linear.h"

struct pipe {
    struct env e;
    uint64_t shift;                    /* added to the columns */
    const struct transform *transform; /* NULL: the rows are scaled already */
    struct lens lens;
    uint32_t *shifted, *column; /* scratch */
    double *value;
    size_t shifted_cap, column_cap, value_cap;
};

void pipe_init(struct pipe *p, const struct env *e, uint64_t shift,
               const struct transform *transform, const struct map *map);
void pipe_free(struct pipe *p); /* safe on a zeroed struct */
/* Whether rows go through as they are. */
bool pipe_is_open(const struct pipe *p);
/* *x becomes what the machine sees; valid until the next call. `line`: where it stands. */
perc_status pipe_row(struct pipe *p, struct row *x, int64_t line, perc_error *err);

/* What answers. */
enum answers {
    BY_WEIGHTS,
    BY_BALLOT, /* votes */
    BY_CHORUS, /* a kernel machine: the updates, or votes of all machines on the way */
    BY_BUDGET, /* one that keeps a few rows, in the learner */
    BY_MLP,    /* a network that has learned */
    BY_GATE    /* one of threshold neurons */
};

struct scorer {
    struct env e;
    const perc_model *m;
    size_t outputs;
    enum answers answers;
    const struct linear *machine; /* with a kernel, its offsets */
    struct linear own;            /* the machine, where the model's is not up to date */
    struct ballots *ballots;      /* BY_BALLOT; else NULL */
    struct chorus chorus;         /* BY_CHORUS */
};

perc_status scorer_open(struct scorer *s, const struct env *e, const perc_model *m,
                        perc_error *err);
/* The machine as it stands, not what it returns. */
perc_status scorer_open_last(struct scorer *s, const struct env *e, const perc_model *m,
                             perc_error *err);
void scorer_close(struct scorer *s); /* safe on a zeroed struct */

/* Whether rows are looked at many at a time, by scorer_rows. */
static inline bool scorer_by_pieces(const struct scorer *s)
{
    return s->answers != BY_WEIGHTS && s->answers != BY_BALLOT;
}

/* `outputs` numbers a row of the blocks, from a data set that counts columns `shift` lower
 * than the model and, if `raw`, was not scaled. On several threads: one a block, or where a
 * row costs more than reading it (kernels, networks), one a part of it. PERC_EDATA, with its
 * line, for the first row that has no finite score, which is found out for kernels and
 * networks, or that a gate cannot take. */
perc_status scorer_blocks(const struct scorer *s, const struct block *b, size_t blocks,
                          uint64_t shift, bool raw, double *out, perc_error *err);
perc_status scorer_block(const struct scorer *s, const struct block *b, uint64_t shift, bool raw,
                         double *out, perc_error *err); /* of one */
/* One row that has gone through a pipe. */
perc_status scorer_row(const struct scorer *s, const struct row *x, double *out, perc_error *err);

/* By pieces, on this thread: rows from .. from + n - 1 of b, or of the list `which` of its rows. */
perc_status scorer_rows(const struct scorer *s, struct pipe *p, const struct block *b,
                        const size_t *which, size_t from, size_t n, double *out, perc_error *err);

/* ----- the same for each kind: score_kernel.c, score_mlp.c, score_gate.c -------- */

perc_status scorer_kernel_rows(const struct scorer *s, struct pipe *p, const struct block *b,
                               const size_t *which, size_t from, size_t n, double *out,
                               perc_error *err);
perc_status scorer_kernel_row(const struct scorer *s, const struct row *x, double *out,
                              perc_error *err);
perc_status scorer_mlp_rows(const struct scorer *s, struct pipe *p, const struct block *b,
                            const size_t *which, size_t from, size_t n, double *out,
                            perc_error *err);
perc_status scorer_mlp_row(const struct scorer *s, const struct row *x, double *out,
                           perc_error *err);
perc_status scorer_gate_rows(const struct scorer *s, struct pipe *p, const struct block *b,
                             const size_t *which, size_t from, size_t n, double *out,
                             perc_error *err);
perc_status scorer_gate_row(const struct scorer *s, const struct row *x, double *out,
                            perc_error *err);

#endif
