/* scorer.h -- from rows of data to the scores of a model.
 *
 * A scorer is const while it is used, by several threads; each has its own pipe and scratch. */
#ifndef PERC_SCORER_H
#define PERC_SCORER_H

#include "base/watch.h"
#include "model/model.h"

struct scorer {
    struct env e;
    const perc_model *m;
    size_t outputs;
    bool counts;               /* its scores are shares of votes */
    const struct watch *watch; /* asked all the time; set after scorer_open. NULL: nobody */
    struct machine_scorer answers;
};

/* Scores by what m returns, of many rows or of one; or by the machine as it stands. */
enum scorer_use { SCORER_MANY, SCORER_ONE, SCORER_LAST };
perc_status scorer_open(struct scorer *s, const struct env *e, const perc_model *m,
                        enum scorer_use use, perc_error *err);
void scorer_close(struct scorer *s); /* safe on a zeroed struct */

/* `outputs` numbers for each row of the blocks, from a data set that counts columns `shift`
 * lower than the model and, if `raw`, was not scaled. On several threads: one per block or,
 * where scoring a row costs more than reading it (kernels, networks), per part of a block.
 * PERC_EDATA, with the line, for the first row without a finite score (checked for kernels
 * and networks), or that a gate cannot take; PERC_EUNDECIDED if the watch has cut it short. */
perc_status scorer_blocks(const struct scorer *s, const struct block *b, size_t blocks,
                          uint64_t shift, bool raw, double *out, perc_error *err);
/* Likewise for one block, whose scores, a number for each row and class, may take more memory than
 * there is: put() gets those of rows from .. from + n - 1, piece by piece, in order. */
typedef void scorer_put(void *ud, const struct block *b, size_t from, size_t n,
                        const double *scores);
perc_status scorer_pieces(const struct scorer *s, const struct block *b, uint64_t shift, bool raw,
                          scorer_put *put, void *ud, perc_error *err);
/* On this thread: rows from .. from + n - 1 of b, or of the list `which` of its rows. */
perc_status scorer_rows(const struct scorer *s, struct pipe *p, const struct block *b,
                        const size_t *which, size_t from, size_t n, double *out, perc_error *err);
/* One row that has gone through a pipe. */
perc_status scorer_row(const struct scorer *s, const struct row *x, double *out, perc_error *err);

/* The scores of such a row, as the model would give them now. */
perc_status scorer_model_row(const perc_model *m, const struct row *x, double *scores,
                             perc_error *err);

#endif
