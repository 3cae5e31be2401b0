/* cut.h -- a text cut into its rows, which stay as they stand, byte for byte: for who moves rows
 * about and needs a cell or two of them.
 *
 * What a text consists of, in its order:
 *
 *     head   a byte order mark, and the line of names of a table: belongs to every part
 *     row    with its line end, if it has one
 *     gap    blank lines and comments: belong to the row before, or to the head
 *
 * Several files are one text: the head of the first stands for all, and a line that lacks its end
 * at the end of a file gets one.
 *
 * Quoted cells may hold line ends, as in csv_cell.c, whose rules and complaints these are. A row
 * without quotes is passed over without being parsed: cells beyond those that are wanted are not
 * looked at, and a row may have any number of them. */
#ifndef PERC_CUT_H
#define PERC_CUT_H

#include "data/csv_cell.h"
#include "data/parser.h"
#include "data/paths.h"
#include "data/source.h"

enum cut_kind { CUT_END, CUT_HEAD, CUT_ROW, CUT_GAP };
enum { CUT_LABEL, CUT_BY, CUT_CELLS };

struct cut_piece {
    enum cut_kind kind;
    bool mark;        /* the byte order mark */
    const char *text; /* valid until the next piece */
    size_t len;
    int64_t line;                /* where it begins, from 1 */
    struct cell cell[CUT_CELLS]; /* of a row: those wanted. text NULL: it has none (LIBSVM) */
};

struct cut {
    struct env e;
    const char *format;       /* "csv", "libsvm", "jsonl", "vw" */
    bool table;               /* "csv" */
    char mark;                /* the quote of a table; 0: none */
    bool bom;                 /* the text begins with a byte order mark */
    bool header;              /* a table's first record is names */
    size_t column[CUT_CELLS]; /* of a table: where the cells stand; CUT_NOWHERE: not wanted */
    char *key;                /* LIBSVM: the feature that CUT_BY is, "qid:" or "7:"; JSON lines: */
                              /* its dotted name; NULL: none */
    char *label;              /* JSON lines: the label's; NULL: not JSON lines */
    bool objects;             /* JSON lines */
    bool wanted;              /* whether cells are looked for: may be changed between pieces */

    struct perc_files files;
    struct parser like;    /* what the text of further files is compared with */
    struct source *source; /* NULL: the text is in memory */
    struct chunk chunk;
    struct cursor cursor;        /* over the chunk, for rows with quotes */
    struct text held[CUT_CELLS]; /* cells whose doubled quotes were made single */
    const char *p, *end;
    const char *quote;  /* the next one at or after p, or end */
    int64_t lines;      /* line ends passed, in this file */
    bool several;       /* `source` is of several files ... */
    bool follows;       /* ... and has passed on to another */
    bool begun, named;  /* the head was given; so were the names */
    uint64_t unchecked; /* of the source before this one */
};
#define CUT_NOWHERE SIZE_MAX

/* Looks at the beginning and decides: the format, and of a table its delimiter, header, and where
 * the label and column `by` are ("": not wanted), by the "data" parameters. `note` (256 bytes) gets
 * a sentence on that. */
perc_status cut_open(const struct env *e, const char *path, const perc_params *data, const char *by,
                     struct cut *out, char *note, perc_error *err);
/* From the beginning again: of the files (path NULL), of this one, or of a text in memory with
 * SOURCE_PAD bytes behind it that may be read, and without byte order mark. */
perc_status cut_again(struct cut *c, const char *path, perc_error *err);
void cut_memory(struct cut *c, const char *text, size_t len);
/* The next piece; CUT_END past the last. PERC_EDATA with the place. */
perc_status cut_next(struct cut *c, struct cut_piece *out, perc_error *err);
/* An error in a row of the piece is said of its file (paths_blame). Returns st. */
perc_status cut_blame(const struct cut *c, perc_status st, perc_error *err);
/* Bytes that no checksum stands for, when the text was first read. */
uint64_t cut_unchecked(const struct cut *c);
void cut_close(struct cut *c); /* safe on a zeroed struct */

#endif
