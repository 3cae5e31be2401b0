/* grouping.h -- the groups or times of rows that are being read: cells of a column that goes along
 * with them (carry.h), named by the parameters "group" and "time". */
#ifndef PERC_GROUPING_H
#define PERC_GROUPING_H

#include "base/params.h"
#include "data/groups.h"
#include "data/moment.h"
#include "data/reader.h"

struct grouping {
    struct env e;
    bool group, time;         /* what is asked for */
    struct schema names;      /* of the groups: a set of texts */
    enum moment_kind kind;    /* of the times so far */
    struct notation notation; /* of times that are numbers ... */
    struct text plain;        /* ... and one in the plain notation */
    struct groups found;
    size_t cap; /* of the array */
};

/* PERC_EARG: both are asked for; either is, of a text without columns (after reader_open). */
perc_status grouping_begin(const struct env *e, const perc_params *data, const struct reader *r,
                           struct grouping *out, perc_error *err);
/* The rows that reader_next gave last. PERC_EDATA: a time that is none, with its line. */
perc_status grouping_take(struct grouping *g, const struct reader *r, const struct block *b,
                          perc_error *err);
/* Hands over what was found. PERC_ENOMEM. */
perc_status grouping_end(struct grouping *g, struct groups *out);
void grouping_free(struct grouping *g); /* safe on a zeroed one, and after grouping_end */

#endif
