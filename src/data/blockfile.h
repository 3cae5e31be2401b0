/* blockfile.h -- the layout of a block file, shared by its writer and its reader.
 *
 *   blocks      U64 [n, 8]  a row of facts for each block, see `enum fact`
 *   bK.value    U8, U32 (packed decimals, row.h), F32 or F64; none if all are 1
 *   bK.index    U16, U32 or U64, increasing in each row; none if dense
 *   bK.start    U64 [rows + 1]; none if dense
 *   bK.label    U32 [rows]: number in the metadata "labels", or 2^32 - 1
 *   bK.weight   F64 [rows], if not all are 1
 *   bK.line     U32 [rows], if rows are not one to a line
 *   metadata    format, format_version, rows, columns, index_base, decimal,
 *               labels (a JSON list), schema (JSON, if features have names or are
 *               hashed); hashed, collisions: buckets in use, and those shared */
#ifndef PERC_BLOCKFILE_H
#define PERC_BLOCKFILE_H

#include "base/tensors.h"
#include "data/dataset.h"

#define BLOCKFILE_FORMAT "perceptron-blocks"
enum { BLOCKFILE_VERSION = 1 };

/* Columns of the tensor "blocks". */
enum fact {
    FACT_ROWS,
    FACT_VALUES,     /* enum values */
    FACT_INDICES,    /* enum indices */
    FACT_FIRST,      /* dense: the first column ... */
    FACT_WIDTH,      /* ... and how many; both 0 if sparse */
    FACT_FIRST_LINE, /* of the text file, from 1; 0: none */
    FACT_COLUMNS,    /* 1 + the largest column */
    FACT_NONZEROS,   /* entries, as they were counted when the text was read */
    FACTS
};

/* The values of both enums are stored in files: they must not change. */
_Static_assert(VALUES_ONES == 0 && VALUES_U8 == 1 && VALUES_DEC == 2 && VALUES_F32 == 3 &&
                   VALUES_F64 == 4 && INDEX_DENSE == 0 && INDEX_U16 == 1 && INDEX_U32 == 2 &&
                   INDEX_U64 == 3,
               "written in block files");

/* The type of an array, by enum values and by enum indices. */
static const enum dtype blockfile_values[] = { DTYPE_U8, DTYPE_U8, DTYPE_U32, DTYPE_F32,
                                               DTYPE_F64 };
static const enum dtype blockfile_indices[] = { DTYPE_U8, DTYPE_U16, DTYPE_U32, DTYPE_U64 };

/* "b12.value" */
void blockfile_name(char name[TENSOR_NAME], size_t block, const char *what);

/* Metadata "schema", if s has columns or hashes; for the model file, too. */
perc_status blockfile_add_schema(struct tensors *t, const struct schema *s);

/* The data set in t. It takes over the file of t; if there is none, what was given to
 * tensors_parse must outlive the data set. */
perc_status blockfile_decode(const struct env *e, struct tensors *t, perc_dataset **out,
                             perc_error *err);

#endif
