/* block.h -- a few thousand rows: the unit in which data flow.
 *
 * Sparse (rows delimited by `start`) or dense (`width` values a row), in one of
 * the encodings of vec/row.h. A block either owns one piece of memory in which
 * all its arrays lie, or borrows them (a caller's arrays, a block file). */
#ifndef PERC_BLOCK_H
#define PERC_BLOCK_H

#include "base/number.h"
#include "base/pool.h"
#include "data/carry.h"
#include "data/digits.h"
#include "data/hashing.h"
#include "data/labels.h"
#include "vec/row.h"

/* What is said of input in which there is not one row. */
#define NO_ROWS "the file has no rows (each is a line with a label and values)"

struct block {
    size_t rows;
    uint64_t first_row; /* number of row 0 in the data set              */
    int64_t first_line; /* line of row 0, from 1; 0: rows have no lines */
    uint64_t nonzeros;  /* stored entries                               */
    uint64_t columns;   /* 1 + the largest column used                  */
    unsigned char values, indices;
    const void *value;
    const void *index;              /* sparse */
    const uint64_t *start;          /* sparse: rows + 1 offsets into value, index   */
    const int32_t *start32;         /* the same, from a caller who has 32-bit ones  */
    uint64_t first, width;          /* dense: columns first .. first + width - 1    */
    ptrdiff_t row_stride, stride;   /* dense: bytes between rows, and values   */
    uint32_t *label;                /* number in the labels, or LABEL_NONE          */
    double *weight;                 /* NULL: all 1                                  */
    const struct perc_files *files; /* lines are counted through these; NULL: one, or none */
    const uint32_t *line;           /* row i stands on first_line + line[i]; NULL:
                                on first_line + i                            */
    struct digits digits;           /* the decimals of the entries; often none       */
    struct env e;
    void *memory;       /* what the block owns; may be NULL             */
    size_t memory_size; /* what it takes, owned or not                  */
};

void block_free(struct block *b);                        /* safe on a zeroed block */
int64_t block_line(const struct block *b, size_t i);     /* in its file, from 1 */
const char *block_file(const struct block *b, size_t i); /* of several; NULL: there is one */
int64_t block_place(const struct block *b, size_t i);    /* the line, counted through all files */
/* An error in row i of several files is said of its file (paths_blame). Returns st. */
perc_status block_blame(const struct block *b, size_t i, perc_status st, perc_error *err);

static inline uint64_t block_start(const struct block *b, size_t i)
{
    return b->start != NULL ? b->start[i] : (uint64_t)b->start32[i];
}

static inline struct row block_row(const struct block *b, size_t i)
{
    struct row r = { .values = b->values,
                     .indices = b->indices,
                     .number = (uint32_t)(b->first_row + i) };

    if (b->indices == INDEX_DENSE) {
        r.n = (size_t)b->width;
        r.first = b->first;
        r.stride = b->stride;
        r.value = b->value != NULL ? (const char *)b->value + (ptrdiff_t)i * b->row_stride : NULL;
    } else {
        const uint64_t at = block_start(b, i);
        r.n = (size_t)(block_start(b, i + 1) - at);
        r.stride = (ptrdiff_t)row_value_size(b->values);
        r.value = b->value != NULL ? (const char *)b->value + at * row_value_size(b->values) : NULL;
        r.index = (const char *)b->index + (at << b->indices);
    }
    return r;
}

/* A row among several blocks: number of its block << 32 | number in the block. */
static inline uint64_t ref_make(uint64_t block, uint64_t row)
{
    return block << 32 | row;
}

/* Prefetches what block_row and the label will read. */
static inline void block_prefetch(const struct block *b, size_t i)
{
    __builtin_prefetch(&b->label[i]);
    if (b->start != NULL) __builtin_prefetch(&b->start[i]);
}

/* Rows in an unpredictable order are in no cache. Their contents are prefetched some rows
 * ahead, and where they lie (which block_row reads) further ahead still. */
enum { BLOCK_NEAR = 8, BLOCK_FAR = 24 };
static inline void block_fetch_ahead(const struct block *blocks, const uint64_t *ref, uint64_t n,
                                     uint64_t at)
{
    if (at + BLOCK_FAR < n) {
        const uint64_t far = ref[at + BLOCK_FAR];
        block_prefetch(&blocks[far >> 32], (size_t)(far & UINT32_MAX));
    }
    if (at + BLOCK_NEAR < n) {
        const uint64_t near = ref[at + BLOCK_NEAR];
        const struct row x = block_row(&blocks[near >> 32], (size_t)(near & UINT32_MAX));
        row_prefetch(&x);
    }
}

static inline double block_weight(const struct block *b, size_t i)
{
    return b->weight != NULL ? b->weight[i] : 1;
}

/* ----- rows under construction ------------------------------------------ */

/* What a parser fills from one chunk of text; its memory is reused for the
 * next chunk. Values are kept as packed decimals until one does not fit. */
struct rows {
    struct env e;
    size_t n, entries;
    uint64_t *start; /* n + 1 used   */
    uint32_t *index; /* `entries`    */
    uint32_t *dec;   /* `entries`, while `packed`; a stored zero is kept  */
    double *value;   /* `entries`, once not; NaN: a missing cell          */
    bool packed;
    uint32_t *label; /* n: number in `labels` below, or LABEL_NONE        */
    double *weight;  /* n; all 1 unless `weighted`                        */
    bool weighted;
    uint32_t *line; /* n: lines of the chunk before the row's            */
    struct labels labels;
    int64_t lines; /* line ends in the chunk, counting an unfinished last line */
    uint64_t unknown, dropped;
    bool zero_index;         /* index 0 was seen */
    struct buckets seen;     /* bits > 0: the hashed features of the chunk, in training */
    bool exact;              /* set before the first entry: keep `decimal` too */
    struct decimal *decimal; /* `entries`: each value as the text says it, for proofs;
                           decimals of more than 19 digits point into the text */
    char *kept;              /* or into this, after rows_keep_text */
    struct pool rewritten;   /* or into these: texts of numbers in another notation */
    size_t cap_rows, cap_entries, cap_decimals, cap_kept;
    struct carried carried; /* cells of the table that go along */
    uint64_t *gaps;         /* missing cells of the rows, by the schema's column; NULL: none */
    size_t gap_columns;
};

void rows_init(struct rows *r, const struct env *e);
void rows_free(struct rows *r);
void rows_reset(struct rows *r);
/* Room for this many more rows and entries. false: out of memory. */
bool rows_reserve(struct rows *r, size_t rows, size_t entries);
/* Copies the digits that `decimal` points to, before their text goes. false: out of
 * memory. Nothing to do unless `exact`. */
bool rows_keep_text(struct rows *r);
/* One entry of the row being built; there must be room. Columns increase. Where rows
 * are `exact`, `value` is a whole number below 2^53. */
void rows_put(struct rows *r, uint32_t column, double value);
void rows_put_decimal(struct rows *r, uint32_t column, uint32_t packed);
/* A number that was read, and its double: stored as a short decimal if it is one,
 * so that one odd form does not make a whole block wide. If it is not, the rows are no
 * longer `packed`, even if the double is a whole number: packed rows are exact. */
void rows_put_number(struct rows *r, uint32_t column, const struct decimal *d, double v);
void rows_put_count(struct rows *r, uint32_t column, uint32_t n);
void rows_unpack(struct rows *r); /* go over to doubles: packed becomes false */
/* Ends the row being built. */
void rows_end(struct rows *r, uint32_t label, double weight, uint32_t line);

/* A block with a copy of the rows, stored as narrowly as is lossless, dense
 * where that is smaller. float32: values rounded to float. Rows that are `exact` and
 * not `packed` give it digits. The memory comes from `slabs`, which must then outlive
 * the block, or is the block's own (NULL). */
struct slabs;
perc_status block_from_rows(const struct env *e, struct slabs *slabs, const struct rows *r,
                            bool float32, struct block *out);

#endif
