/* drop.h -- rows that err again and again are set aside (--drop-after S).
 *
 * Each row of the data has a counter of its mistakes. At the mistake that makes it S no
 * update is made; instead the S - 1 updates that the row has made are taken out, and the machine
 * is the sum of those that remain, in the order in which they were made (machine/expansion.h): as
 * if the row had never been counted. Then it is passed over for good. It is a
 * likely outlier: of two equal rows with different labels no machine can have both right,
 * and without one of them the others may well be separable.
 *
 * One class against the rest, each class is a problem of its own: a row has a counter in each, and
 * leaves those in which it errs that often. So the machine is that of as many runs with
 * --positive.
 *
 * Only for the plain rule, and data in memory: a counter belongs to a row, which has a number. */
#ifndef PERC_DROP_H
#define PERC_DROP_H

#include "base/base.h"
#include "machine/votes.h"

struct drop {
    struct env e;
    struct hash_key key; /* of the slots */
    int64_t after;       /* S > 1: with 1 every row would go, kernel_check.c */
    bool each;           /* one class against the rest: each vector is a problem; */
    size_t vectors;      /* then, how many there are; else 1                      */
    struct mistakes {    /* of the rows that have made any: open addressing by key */
        int64_t key;     /* row * vectors + vector; -1: free */
        uint32_t count;  /* DROPPED: it was set aside */
    } * slot;
    size_t slots, used; /* a power of two, or 0; at most half of them are used */
    int64_t *row;       /* those set aside, in that order, counted from 0, */
    uint32_t *vector;   /* and the problems they left                      */
    size_t n, row_cap, vector_cap;
    size_t rows; /* of those: different rows */
};

#define DROPPED UINT32_MAX

perc_status drop_new(const struct env *e, int64_t after, bool each, struct drop **out);
void drop_free(struct drop *d); /* NULL is fine */
perc_status drop_copy(const struct drop *from, struct drop *to);

/* Whether this row was set aside, in the problem of this vector where each has its own; d may be
 * NULL: none was. */
bool drop_has(const struct drop *d, int64_t row, size_t vector);

/* Counts one more mistake of this row, there. *now: it is to be set aside, and is on the list.
 * PERC_ENOMEM: nothing has changed. */
perc_status drop_count(struct drop *d, int64_t row, size_t vector, bool *now);

/* From a file: the rows set aside, in order, with their vectors (NULL: all are 0), and the updates,
 * whose `example` says how often each of the others has erred. `rows`: of the data. PERC_EDATA: a
 * row that is not in the data or is listed twice; a row that has erred S times and is not on the
 * list. PERC_ENOMEM. On failure nothing is on the list. */
perc_status drop_restore(struct drop *d, const int64_t *row, const uint32_t *vector, size_t n,
                         const struct votes *v, int64_t rows, perc_error *err);

/* In a file: dropped I64 [n] and, one class against the rest, dropped.vector U32 [n]; nothing if
 * there are none. d, when it is read, is that of the options, or NULL, and knows its vectors. */
perc_status drop_pack(const struct drop *d, struct tensors *t);
perc_status drop_unpack(struct drop *d, const struct votes *v, int64_t rows,
                        const struct tensors *t, perc_error *err);

#endif
