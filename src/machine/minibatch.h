/* minibatch.h -- some rows side by side, as a network learns from them: floats, by row and,
 * for the gradient of the first layer, by column. */
#ifndef PERC_MINIBATCH_H
#define PERC_MINIBATCH_H

#include "base/base.h"
#include "data/block.h"
#include "vec/matrix.h"

struct minibatch {
    struct env e;
    size_t n;        /* rows */
    size_t counted;  /* of weight > 0 */
    uint32_t *start; /* by row: a struct sparse, columns as in the data */
    uint32_t *column;
    float *value;
    size_t entries;
    uint32_t *class; /* of each row */
    float *weight;   /* of each row; 0: it counts for nothing */
    uint64_t *row;   /* its number in the data, for messages */
    /* By column, made by minibatch_transpose: `used` columns in increasing order, and the
     * entries of each in the order of the rows. */
    size_t used;
    uint32_t *used_column;
    uint32_t *used_start; /* used + 1 */
    uint32_t *used_row;
    float *used_value;
    size_t start_cap, class_cap, weight_cap, row_cap, column_cap, value_cap;
    size_t used_column_cap, used_start_cap, used_row_cap, used_value_cap, count_cap;
    /* Scratch, zero between calls: entries of each column, a bit for each column in use, and one
     * for each 64 of those bits. */
    uint32_t *count;
    uint64_t *bits, *words;
};

void minibatch_init(struct minibatch *b, const struct env *e);
void minibatch_free(struct minibatch *b); /* safe on a zeroed struct */
void minibatch_clear(struct minibatch *b);
/* One more row: values rounded to float, zeros left out; columns are below 2^32. PERC_ENOMEM, and
 * the batch is as it was. A value beyond the range of float becomes infinite, and the loss will
 * show it. */
perc_status minibatch_add(struct minibatch *b, const struct row *x, size_t class, double weight,
                          uint64_t row);
/* `columns`: more than any in use. PERC_ENOMEM. O(entries + columns / 4096). */
perc_status minibatch_transpose(struct minibatch *b, uint64_t columns);

static inline struct sparse minibatch_rows(const struct minibatch *b)
{
    return (struct sparse){ b->n, b->start, b->column, b->value };
}
/* Row k is column used_column[k] of the data; its "columns" are rows of the batch. */
static inline struct sparse minibatch_columns(const struct minibatch *b)
{
    return (struct sparse){ b->used, b->used_start, b->used_row, b->used_value };
}

#endif
