/* renumber.h -- the features that a part of a table has: those it would have as a file of its own.
 *
 * Levels of categories and words of texts are numbered as they are met. A level that only rows
 * outside the part have is not among its features, and its entries are left out, as they are where
 * data are read for a model that never met it. Columns of numbers, LIBSVM's indices and buckets
 * have numbers that no row decides: they keep them. */
#ifndef PERC_RENUMBER_H
#define PERC_RENUMBER_H

#include "data/bag.h"
#include "data/dataset.h"

struct renumber {
    struct env e;
    uint32_t *to; /* by feature from `numeric` on, `n` of them; UINT32_MAX: it has none */
    uint32_t numeric;
    size_t n;
    bool same;        /* every feature keeps its number: rows may be used as they are */
    uint64_t columns; /* of the part */
    struct bag keys;  /* scratch */
};

/* The schema of the rows of ds as they were read: of ds->raw, where that is there. */
const struct schema *renumber_schema(const perc_dataset *ds);
/* Whether rows decide what features there are. */
bool renumber_is_needed(const struct schema *s);
/* What the rows i of ds with chosen[i] != 0 have, of the blocks as they were read; and their
 * schema, new. PERC_ENOMEM: *r and *schema may be freed. */
perc_status renumber_open(const struct env *e, const perc_dataset *ds, const uint8_t *chosen,
                          struct renumber *r, struct schema *schema);
/* The same once its levels are settled (levels.h), by the rows that were chosen; `strict`: a
 * reference level must occur. PERC_ENOMEM, PERC_EDATA. */
perc_status renumber_settle(struct renumber *r, const perc_dataset *ds, const uint8_t *chosen,
                            bool strict, struct schema *schema, perc_error *err);
/* From the features of one schema to those of another, of the same columns, whose levels are
 * settled or those of the first. PERC_ENOMEM. */
perc_status renumber_to(const struct env *e, const struct schema *from, const struct schema *to,
                        struct renumber *r);
void renumber_close(struct renumber *r); /* safe on a zeroed struct */
/* The column of the part that is column j of the whole; UINT64_MAX: none. */
static inline uint64_t renumber_column(const struct renumber *r, uint64_t j)
{
    if (r->same || j < r->numeric) return j;
    const uint32_t to = j - r->numeric < r->n ? r->to[j - r->numeric] : UINT32_MAX;
    return to != UINT32_MAX ? to : UINT64_MAX;
}
/* Appends row i of b, whose line is counted from first_line, in the encoding it has where that is a
 * decimal. PERC_EDATA: it has a column beyond UINT32_MAX. */
perc_status renumber_row(struct renumber *r, const struct block *b, size_t i, int64_t first_line,
                         struct rows *out);
/* *out is b with these features. It owns all it has. PERC_ENOMEM. */
perc_status renumber_block(struct renumber *r, const struct block *b, struct block *out);

#endif
