/* survey_values.h -- what is counted without keeping the rows: how often each value of a column
 * occurs, how many different ones there are, how many rows are repeated.
 *
 * Up to a size all of it is exact. Beyond, memory stays as it is, and what is said has an error
 * that is known:
 *
 * - The table of values is a summary of Misra and Gries (1982), which is made smaller as that of
 *   Agarwal et al. (2012): when it is full, the median of its counts is taken from each, and those
 *   that have nothing left go. Each count is then short by `lost` at most, and lost <= 2 n / size.
 * - How many different values there are is told by the m registers of HyperLogLog (Flajolet et al.
 *   2007), read by the estimator of Ertl (2017, "New cardinality estimation algorithms for
 *   HyperLogLog sketches", algorithm 6): the standard error is 1.04 / sqrt(m) of the number.
 * - Of rows, those are kept whose hash ends in `level` zeros (Gibbons 2001, distinct sampling): all
 *   copies of a row are kept, or none. What is counted of them stands for 2^level as many.
 *
 * Values are told apart by SipHash with a key that everybody knows, since estimates depend on it,
 * and results must not depend on chance. Who makes two values with one hash, which takes 2^32
 * trials, has two values that count as one. Where a value stands in a table depends on the secret
 * key: no input makes it slow. */
#ifndef PERC_SURVEY_VALUES_H
#define PERC_SURVEY_VALUES_H

#include "base/base.h"

/* Values of a column, at most; of a column where many have many; of all columns then; and rows. */
enum {
    SURVEY_VALUES = 1 << 17,
    SURVEY_VALUES_LEAST = 1 << 8,
    SURVEY_VALUES_ALL = 1 << 21,
    SURVEY_ROWS = 1 << 17
};

#define SURVEY_NONE  UINT32_MAX       /* no label was met */
#define SURVEY_MIXED (UINT32_MAX - 1) /* several were */

/* What one label becomes with another. */
static inline uint32_t survey_label_join(uint32_t a, uint32_t b)
{
    return a == SURVEY_NONE || a == b ? b : SURVEY_MIXED;
}

uint64_t survey_hash_text(const char *text, size_t len);
uint64_t survey_hash_number(double v); /* -0 is 0 */
uint64_t survey_hash_word(uint64_t w);

/* ----- values ------------------------------------------------------------------------- */

struct survey_value {
    uint64_t hash, count;
    uint64_t first; /* the row that had it first */
    double number;  /* NaN: it is none */
    char *text;     /* as far as it is shown; NULL: a number */
    uint32_t label; /* of the rows that have it */
};

struct survey_values {
    struct survey_value *at;
    size_t n, cap;
    uint32_t *slot;
    size_t slots;
    uint64_t lost;       /* what a count may be short by */
    unsigned char *rank; /* the registers; NULL: all values are in the table */
    unsigned bits;       /* 2^bits registers */
};

/* What all columns share. */
struct survey_room {
    struct env e;
    size_t values;
};

/* Counts a value; *place is where it stands until the next is counted. */
bool survey_values_add(struct survey_values *v, struct survey_room *room,
                       const struct survey_value *value, size_t len, size_t *place);
/* How many different ones there were. */
uint64_t survey_values_distinct(const struct survey_values *v);
/* In falling order of counts, then as they were met. The table can only be read after that. */
void survey_values_sort(struct survey_values *v, const struct env *e);
void survey_values_free(struct survey_values *v, const struct env *e);

/* ----- rows --------------------------------------------------------------------------- */

struct survey_row {
    uint64_t hash, count;
    uint32_t label; /* SURVEY_NONE: it has none */
};

struct survey_rows {
    struct survey_row *at;
    size_t n, cap;
    uint32_t *slot;
    size_t slots;
    unsigned level;
};

/* Rows that are as one before, features and label; and rows whose features occur with several
 * labels. With standard errors; 0: they are exact. */
struct survey_repeats {
    uint64_t duplicates, contradictions;
    double duplicates_error, contradictions_error;
    uint64_t kept; /* rows that this was counted of */
};

bool survey_rows_add(struct survey_rows *r, const struct env *e, uint64_t hash, uint32_t label);
void survey_rows_count(struct survey_rows *r, struct survey_repeats *out); /* the last call */
void survey_rows_free(struct survey_rows *r, const struct env *e);

#endif
