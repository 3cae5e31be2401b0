/* votes.h -- a voted perceptron: every weight vector that training has had.
 *
 * Freund and Schapire (Machine Learning 37, 1999) keep v_1, v_2, ..., v_K and for
 * each the number of examples it survived. Consecutive vectors differ by one
 * update, so what is stored is the updates and not the vectors:
 *
 *     v_k = v_(k-1) + step_k x_(row_k),   v_0 = 0 or a start (machine_votes.h),
 *
 * v_k standing for the examples at_k, at_k + 1, ..., at_(k+1) - 1. A row that made
 * several mistakes is stored once: K updates cost K * 40 bytes and the distinct
 * rows among them. vote_counter.h counts the votes. */
#ifndef PERC_VOTES_H
#define PERC_VOTES_H

#include "base/base.h"
#include "base/tensors.h"
#include "machine/linear.h" /* NO_VECTOR */
#include "vec/row.h"

#define NO_DOWN UINT32_MAX

/* One update. Sorted by `at`; updates of one example, of which one-against-rest has several, by
 * `up`; in files of earlier versions those by which a kernel machine took an example back
 * (machine/drop.h), in the order of what they take back. */
struct vote {
    uint32_t row;      /* of the distinct rows */
    uint32_t up, down; /* the vector that gets step x, and the one that gets -step x,
                          NO_DOWN if there is none */
    bool aside;        /* from a file of an earlier version: its example was set aside
                          (machine/drop.h), and it is taken back, or takes one back */
    double step;       /* finite, not 0; > 0 where there is a `down` */
    int64_t at;        /* the example, counted from 1, after which the new vector stands */
    int64_t example;   /* its number in the data, from 0; votes_add makes it 0 */
};

struct votes {
    struct env e;
    /* The distinct rows without their zeros, columns increasing: row i is entries
     * start[i] .. start[i + 1] - 1. start is NULL until there is a row. */
    uint64_t *start;
    uint32_t *column;
    double *value;
    size_t rows, rows_cap; /* start has room for rows_cap numbers */
    size_t entries, column_cap, value_cap;
    uint32_t *slot; /* open addressing: row + 1, 0: free */
    size_t slots;   /* 0, or a power of two */
    struct vote *vote;
    size_t n, cap;
    uint64_t removals;   /* calls of votes_remove */
    size_t removed_from; /* the updates before this one are those before the last of them */
};

void votes_init(struct votes *v, const struct env *e);
void votes_free(struct votes *v); /* safe on a zeroed struct; leaves one */
/* *to need not be initialised, and is zeroed on failure. */
perc_status votes_copy(const struct env *e, const struct votes *from, struct votes *to);

/* A row of the votes, as a row. */
struct row votes_row(const struct votes *v, size_t i);

/* Records an update by row x; zeros in x are left out, so that dense and sparse
 * copies of a row are one. A step of 0 makes no new vector and is not recorded.
 * `at` and then `up` do not decrease from call to call. down: NO_VECTOR if there is
 * none. On failure the votes are as they were. PERC_ENOMEM; PERC_EDATA: a column
 * above UINT32_MAX. */
perc_status votes_add(struct votes *v, const struct row *x, size_t up, size_t down, double step,
                      int64_t at);

/* Room for so many updates by one row of so many entries: votes_add cannot fail then.
 * PERC_ENOMEM. */
perc_status votes_reserve(struct votes *v, size_t entries, size_t updates);

/* Takes out the updates of an example, as if they had never been made; of one vector, or of all
 * (NO_VECTOR). The rows stay. */
void votes_remove(struct votes *v, int64_t example, size_t up);

/* What linear_split and linear_insert do to a machine, done to every vector it has had. There is
 * room for the copies that votes_insert makes (votes_reserve). */
void votes_split(struct votes *v);
void votes_insert(struct votes *v, size_t at, size_t from);
/* The last vector, number `vector`, goes; if there is memory to do it, so do the rows
 * that only it had. This and the copying of votes_insert are for updates without a
 * `down`. */
void votes_drop(struct votes *v, size_t vector);

/* ----- in a file ----------------------------------------------------------------- */

/* The arrays of a file:
 *
 *     vote.row, vote.up, vote.down  U32 [updates]  down = 2^32 - 1: none
 *     vote.step                     F64 [updates]
 *     vote.at                       I64 [updates]
 *     vote.example                  I64 [updates]  a kernel machine's alone
 *     row.start                     U64 [rows + 1]
 *     row.column                    U32 [entries]  features, numbered from 0
 *     row.value                     F64 [entries]
 *
 * or, instead of the last three, where that takes less room, for a kernel machine:
 *
 *     row.dense                     F64 [rows, features]
 *
 * Rows are numbered in the order in which updates first name them. A file's feature
 * is the column less `below`, the columns that no data use. */

/* What a file's votes must agree with. */
struct votes_frame {
    size_t vectors;   /* up, down < vectors                                        */
    bool pairs;       /* native: every update has a down; else none has            */
    bool kernel;      /* a kernel machine's: with examples, rows may be dense, and
                         an example may move one vector several times              */
    uint64_t columns; /* columns in memory, those below included: all are smaller  */
    uint64_t below;   /* as written                                                */
    int64_t shown;    /* 1 <= at <= shown                                          */
};

/* Adds the arrays of v, which is in order (votes_in_order), to t; borrows those of v that lie in
 * memory as in the file. Of f, kernel, columns and below matter. PERC_ENOMEM. */
perc_status votes_pack(const struct votes *v, const struct votes_frame *f, struct tensors *t);
/* Trusts nothing. v is initialised and empty; on failure it is zeroed. PERC_EDATA with a text that
 * names the array and the place; PERC_ENOMEM. */
perc_status votes_unpack(struct votes *v, const struct votes_frame *f, const struct tensors *t,
                         perc_error *err);
/* Whether the rows are numbered in the order in which updates first name them, and all are named; a
 * copy for which that is true. */
bool votes_in_order(const struct votes *v);
perc_status votes_tidy(const struct env *e, const struct votes *v, struct votes *out);

/* The rows alone, row.start and so on, for whoever keeps rows (budget.h too): row i is entries
 * start[i] .. start[i + 1] - 1, columns increasing, values finite and not 0. */
struct votes_rows {
    const uint64_t *start;
    const uint32_t *column;
    const double *value;
    uint64_t rows, entries;
};
perc_status votes_rows_pack(const struct votes_rows *r, uint64_t below, struct tensors *t);
/* Those of a file, checked, where they lie: at most `most` rows, of that many features. */
perc_status votes_rows_unpack(struct votes_rows *r, uint64_t most, uint64_t features,
                              const struct tensors *t, perc_error *err);

/* ----- between votes.c and votes_file.c --------------------------------------------- */

/* Room for this many more rows, and for their entries. */
perc_status votes_room(struct votes *v, size_t rows, size_t entries);
/* Slots for one row more than there are, all rows indexed. */
perc_status votes_index(struct votes *v);

#endif
