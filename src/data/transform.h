/* transform.h -- what is done to the features before the machine sees them, with
 * a state that the model keeps and applies again at prediction.
 *
 *   fill      a missing value of column j becomes fill_j
 *   standard  (x_j - mean_j) / sd_j      minmax  (x_j - min_j) / (max_j - min_j)
 *   maxabs    x_j / max|x_j|             by:N    x_j / N         unit  x / |x|
 *
 * A divisor that would be 0 is 1: a constant column becomes 0 under standard and
 * minmax. These two may move zeros: columns where they do are then stored in every
 * row, which is refused when it would take more than TRANSFORM_DENSE_MAX bytes.
 *
 * Of a table these are for its columns of numbers and days: levels and words stay what they are,
 * so that rows with many of them stay sparse (but by:N and unit are of whole rows). A column may
 * have a scaling of its own, and the words of a text may be divided by what they weigh less
 * (tfidf); then `scale` is standard, or unit, and the arrays have what becomes of each column.
 *
 *   auto      for a table: standard for each column of numbers, but one that is 0 or
 *             1, or nearly always 0, is left as it is, as are categories and words.
 *             (Nearly always 0 and large: x_j / max|x_j|.) No state of its own: what
 *             comes of it is standard, with 0 and 1 in the other columns, or none */
#ifndef PERC_TRANSFORM_H
#define PERC_TRANSFORM_H

#include "data/block.h"
#include "data/schema.h"

#define TRANSFORM_DENSE_MAX ((uint64_t)4 << 30)

struct transform {
    struct env e;
    enum scale scale;
    double by;        /* SCALE_BY */
    uint64_t columns; /* length of the arrays below; 0 if there are none */
    uint64_t first;   /* the index base: columns below it are never used */
    double *shift;    /* subtracted (STANDARD, MINMAX); NULL: zeros stay where
                           they are. Where it is not 0, every row has the column */
    double *divisor;  /* NULL: none (STANDARD, MINMAX, MAXABS) */
    double *fill;     /* NULL: nothing is ever missing */
    /* Counted from shift (transform_count): columns where it is not 0, and 1 + the last. */
    uint64_t moves, reach;
};

/* What became of the columns of numbers under auto; the rest were nearly always 0. */
struct transform_choice {
    uint64_t numbers;
    uint64_t standard, divided; /* scaled */
    uint64_t binary;            /* 0 or 1: as they were */
    uint64_t large;             /* beyond what doubles can scale, or too many: as they were */
};

void transform_free(struct transform *t); /* safe on a zeroed struct */
perc_status transform_copy(const struct env *e, const struct transform *from, struct transform *to);
/* "none", "standard", ..., "by:255". */
enum { TRANSFORM_SPEC = 40 };
void transform_option(const struct transform *t, char out[TRANSFORM_SPEC]);
/* Parses such a text. PERC_EARG. */
perc_status transform_parse(const char *spec, enum scale *scale, double *by, perc_error *err);
bool transform_needs_pass(enum scale scale); /* standard, minmax, maxabs: a first pass */
bool transform_is_identity(const struct transform *t);
bool transform_same(const struct transform *a, const struct transform *b); /* to the bit */
void transform_count(struct transform *t);                                 /* when shift is there */

/* Whether a column of a table is scaled in another way than the table, or has weights for words. */
bool transform_is_told(const struct schema *told, enum scale scale);
/* Learns the state from the blocks of a data set (labels and weights play no part). The
 * sums are taken in row order: the same bits for any number of threads. Only rows i with
 * chosen[i] != 0 count, by their number over all blocks in order; NULL: all. `told`: of a table,
 * whose columns of numbers alone are scaled, each as it says itself, or as `scale`; NULL: every
 * column is scaled. */
perc_status transform_fit(const struct env *e, const struct block *blocks, size_t n,
                          const uint8_t *chosen, uint64_t columns, int index_base, enum scale scale,
                          double by, bool fill, const struct schema *told, struct transform *out,
                          perc_error *err);
/* Likewise for auto, where columns below `numbers` are those of numbers. */
perc_status transform_choose(const struct env *e, const struct block *blocks, size_t n,
                             const uint8_t *chosen, uint64_t columns, uint64_t numbers, bool fill,
                             const struct schema *told, struct transform *out,
                             struct transform_choice *choice, perc_error *err);

/* Takes over the kind of `from`, and its numbers for column j where column[j] is one of its own
 * (UINT64_MAX: none). What was measured for others stays. PERC_ENOMEM. */
perc_status transform_adopt(struct transform *t, const struct transform *from,
                            const uint64_t *column, uint64_t columns);

/* Whether `rows` sparse rows may become dense; PERC_EARG names the size they
 * would have and the remedy. PERC_OK where zeros do not move. transform_fit asks
 * it for the whole set, transform_block for its block alone. */
perc_status transform_dense_fits(const struct transform *t, uint64_t rows, perc_error *err);

/* Replaces *b by its image, whose values are doubles in memory of its own. The
 * new block is like the old in everything else. Where zeros move, rows have all columns
 * first .. columns - 1, or, where few of many columns do, those and what they had. On
 * failure *b is unchanged. PERC_EDATA names the feature whose image is not a finite
 * number. Columns at or beyond t->columns are not known: they keep their value (by and
 * unit still divide it, and unit counts it), or are left out where zeros move. */
perc_status transform_block(const struct env *e, const struct transform *t, struct block *b,
                            perc_error *err);

/* One row of n entries into out (room for t->columns if zeros move,
 * else n; out_column likewise), with the bits of transform_block. Returns the
 * number of entries. A result that is not finite is left to the caller. */
size_t transform_row(const struct transform *t, const struct row *x, uint32_t *out_column,
                     double *out);

#endif
