/* dataset.h -- a data set in memory: a list of blocks and what they share. */
#ifndef PERC_DATASET_H
#define PERC_DATASET_H

#include "base/file.h"
#include "base/params.h"
#include "data/block.h"
#include "data/carry.h"
#include "data/groups.h"
#include "data/map.h"
#include "data/paths.h"
#include "data/schema.h"
#include "data/slabs.h"
#include "data/transform.h"

/* What was measured on the rows of a set, and how: so that it can be measured on some of them
 * (measure.h). */
struct measure {
    bool yes;         /* something was */
    enum scale scale; /* as asked for, SCALE_AUTO too */
    double by;
    bool fill;
    bool model; /* it is a model's: standard may have been auto */
    /* A run that begins with a model keeps the numbers that this has. */
    struct transform start;
    uint64_t *column; /* its column, by column of the set (`columns` long); NULL: there is none */
    uint64_t columns;
};

struct perc_dataset {
    struct env e;
    struct block *block; /* in row order; first_row increases without gaps */
    struct block *raw;   /* as they were read, `cap` long like `block`; NULL: these are */
    size_t blocks, cap;
    uint64_t rows, nonzeros, bytes, unchecked, unknown, dropped, ignored, filled;
    uint64_t hashed, collisions; /* buckets in use, and by several features */
    uint64_t columns;            /* 1 + the largest column; column = index in the file */
    int index_base;              /* 0 or 1: columns below it are never used */
    struct labels labels;        /* sorted */
    struct schema schema;        /* columns == 0: features have no names */
    struct schema wide; /* of `raw` where levels were settled (levels.h): with all of them */
    struct names names; /* of the features; n == 0: none */
    struct transform transform; /* already applied to the blocks */
    bool chosen;                /* by auto: what became of the columns is in `choice` */
    struct transform_choice choice;
    struct measure measured;
    struct slabs *slabs;           /* memory of the blocks; may be NULL */
    struct map map;                /* what learners see in place of a row; not applied */
    struct file_map file;          /* a block file: the blocks point into it */
    const struct carry *carry;     /* rows on their way: the columns that go along, */
    const struct carried *carried; /* and their cells; or NULL */
    struct perc_files files;       /* n > 1: those it was read from */
    struct groups groups;          /* of the rows, or times */
    const char *format;
    double seconds;
    char note[256];
};

extern const struct table data_table; /* "data": how data are read */

perc_status dataset_new(const struct env *e, perc_dataset **out);
/* Takes over *b (zeroed after) as the next block: sets first_row, adds up counts.
 * On failure *b is still the caller's. */
perc_status dataset_append(perc_dataset *ds, struct block *b);
/* Sorts the labels and renumbers them in the blocks. */
perc_status dataset_sort_labels(perc_dataset *ds);
/* The block of a row, and its number there. */
const struct block *dataset_block(const perc_dataset *ds, uint64_t row, size_t *i);
struct row dataset_row(const perc_dataset *ds, uint64_t row);
perc_status dataset_blame(const perc_dataset *ds, uint64_t row, perc_status st,
                          perc_error *err); /* block_blame */

/* Makes `ds` out of rows built in memory (built-in sets, generators). The labels
 * in r->labels are the set's. format is "builtin" or "memory". */
perc_status dataset_add_rows(perc_dataset *ds, const struct rows *r);

const char *builtin_name(size_t i); /* NULL past the end */
perc_status builtin_read(const struct env *e, const char *name, perc_dataset **out,
                         perc_error *err); /* name with its colon */

/* Block files (blockfile.c). */
bool blockfile_is(const char *text, size_t len);
perc_status blockfile_read(const struct env *e, const char *path, bool mapped, perc_dataset **out,
                           perc_error *err);
perc_status blockfile_write(const perc_dataset *ds, const char *path, perc_error *err);

extern const struct table generator_tables[]; /* ends with a NULL name */

#endif
