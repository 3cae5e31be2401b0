/* csv_row.h -- a row that is being made of cells: what the parsers of tables share. */
#ifndef PERC_CSV_ROW_H
#define PERC_CSV_ROW_H

#include "data/csv.h"
#include "data/csv_cell.h"
#include "data/csv_words.h"

struct csv_row {
    const struct csv *c;
    struct rows *r;
    perc_error *err; /* may be NULL */
    bool first_row;  /* of a file without a header: it may be one after all */

    /* The row being read. */
    struct csv_words words;
    double *number; /* by feature, where the file's order is not the model's; else NULL */
    struct cell label;
    struct text label_copy;
    uint32_t *gap; /* columns whose cells are missing; room for all of the file */
    size_t gaps;
    double weight;
    struct text plain; /* a number in another notation */
    bool labelled, drop;
    const struct carry_column *carry; /* the next that goes along */
    size_t stop;                      /* its column, or SIZE_MAX */
    struct {
        size_t entries, words, carried;
        uint64_t unknown;
    } before; /* what there was, should the row be dropped */

    struct {
        uint64_t text; /* up to 8 characters, 0-padded; 0: empty */
        uint32_t id;
    } cache[8]; /* of labels */
};

/* For one chunk; `local` is that of csv_parse. */
perc_status csv_row_init(struct csv_row *p, const struct csv *c, struct rows *r,
                         struct schema *local, perc_error *err);
void csv_row_free(struct csv_row *p); /* after csv_row_init, even one that failed */

/* A row: begin; its cells, each column at most once, numbers in the order of the file's columns
 * (unless p->number); end. `line`: lines of the chunk before it. */
perc_status csv_row_begin(struct csv_row *p);
/* The cell of column `number` of the schema. */
perc_status csv_row_take(struct csv_row *p, uint32_t number, struct cell *c);
/* The cell of the file's column p->stop, which goes along. */
perc_status csv_row_carry(struct csv_row *p, const char *text, size_t len);
perc_status csv_row_end(struct csv_row *p, uint32_t line);
/* Counts missing cells of column `number` of which no row was told. false: out of memory. */
bool csv_row_add_gaps(struct csv_row *p, uint32_t number, uint64_t n);

/* Reads a number at s and stores it, if it is `whole` (ends at `end`) or else a cell
 * ends after it, before `end`. Returns its end; with a fault nothing is stored. */
const char *csv_row_number(struct csv_row *p, const char *s, const char *end, uint32_t feature,
                           bool whole, enum number_fault *fault);

/* A label as it is kept: a number has a decimal point, whatever the file writes, so that it is the
 * same in all that names it. Words stay as they are; what may be either is refused: PERC_EDATA.
 * `plain` has room for it. */
perc_status csv_row_label(const struct notation *n, const struct cell *c, struct text *plain,
                          const char **s, size_t *len, perc_error *err);

/* The schema's number of file column f; UINT32_MAX: it is not used. */
static inline uint32_t csv_column_number(const struct csv *c, size_t f)
{
    return c->map != NULL ? c->map[f] : (uint32_t)f;
}

/* Whether a cell may end at s, given that two characters are readable there. */
static inline bool csv_ends_cell(const char *s, char delimiter)
{
    return *s == delimiter || *s == '\n' || (*s == '\r' && s[1] == '\n');
}

#endif
