/* score.h -- from a row of data to the scores of a model.
 *
 *     pipe     what is done to a row before the machine sees it: columns counted from
 *              another base, scaling (if the data were not read for the model), the map
 *     scorer   what answers: vectors, or votes
 *
 * A scorer is const while it is used, by several threads; each has its own pipe. */
#ifndef PERC_SCORE_H
#define PERC_SCORE_H

#include "data/dataset.h"
#include "data/lens.h"
#include "machine/ballot.h"
#include "machine/linear.h"

struct pipe {
    struct env e;
    uint64_t shift;                    /* added to the columns */
    const struct transform *transform; /* NULL: the rows are scaled already */
    struct lens lens;
    uint32_t *shifted, *column;        /* scratch */
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

struct scorer {
    struct env e;
    const perc_model *m;
    const struct linear *machine;
    struct linear own;        /* the machine, where the model's is not up to date */
    struct ballots *ballots;  /* voted; else NULL */
    size_t outputs;
};

perc_status scorer_open(struct scorer *s, const struct env *e, const perc_model *m,
                        perc_error *err);
void scorer_close(struct scorer *s); /* safe on a zeroed struct */
/* `outputs` numbers a row of b, from a data set that counts columns `shift` lower than
 * the model and, if `raw`, was not scaled. */
perc_status scorer_block(const struct scorer *s, const struct block *b, uint64_t shift, bool raw,
                         double *out, perc_error *err);
/* One row that has gone through a pipe. */
perc_status scorer_row(const struct scorer *s, const struct row *x, double *out, perc_error *err);

#endif
