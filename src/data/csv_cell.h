/* csv_cell.h -- cells and records of CSV text: what csv_look.c, csv_open.c and
 * csv_parse.c share. */
#ifndef PERC_CSV_CELL_H
#define PERC_CSV_CELL_H

#include "base/base.h"
#include "data/columns.h"
#include "data/notation.h"

/* A cell without its quotes and, unless quoted, without the blanks around it. */
struct cell {
    const char *text; /* in the chunk, or in the cursor's buffer */
    size_t len;
    int64_t line, column; /* of its first character (its quote), from 1 */
    bool quoted;
    bool copied; /* `text` is the buffer: valid until the next cell */
    bool plain;  /* a number of JSON: in no other notation */
};

struct cursor {
    const char *p, *end;
    const char *bol; /* where the line of p begins */
    int64_t lines;   /* line ends passed */
    char delimiter;
    int quote;          /* -1: none */
    struct text buffer; /* a cell whose doubled quotes were made single */
    perc_error *err;    /* may be NULL */
    unsigned char class[256];
};

/* quote: that of notation_quote. */
void csv_cursor_init(struct cursor *s, const struct env *e, const char *text, size_t len,
                     char delimiter, char quote, perc_error *err);
void csv_cursor_free(struct cursor *s);

/* Passes over blank lines; false at the end of the text. */
bool csv_cursor_record(struct cursor *s);
/* Reads the cell at p, and leaves p on what ends it: a delimiter, a line end or
 * the end of the text. PERC_EDATA with the place: see csv_cell.c. */
perc_status csv_cursor_cell(struct cursor *s, struct cell *out);
/* Whether the record ends at p. */
static inline bool cursor_at_end(const struct cursor *s)
{
    return s->p == s->end || *s->p != s->delimiter;
}
/* Passes over the line end at p, after the last cell of a record. */
void csv_cursor_end(struct cursor *s);
/* PERC_EDATA: the record has not n cells, but fewer (`cells`), or more. The cursor is at the end of
 * the last that was read. */
perc_status csv_cursor_width(const struct cursor *s, size_t cells, size_t n);

/* A missing value: the empty cell, ?, and NA, N/A, NaN, null in any case. */
bool csv_cell_is_missing(const char *text, size_t len);

/* A number may be padded, even inside quotes. */
static inline void cell_trim(const char **text, size_t *len)
{
    while (*len > 0 && (**text == ' ' || **text == '\t')) ++*text, --*len;
    while (*len > 0 && ((*text)[*len - 1] == ' ' || (*text)[*len - 1] == '\t')) --*len;
}

/* Text for a message: cut at CELL_SHOWN bytes, between characters of UTF-8. */
enum { CELL_SHOWN = 40, CELL_BUFFER = CELL_SHOWN + 4 };
const char *csv_cell_show(const char *text, size_t len, char buf[CELL_BUFFER]);

/* Sorts n different numbers, none below `low`. Bits low .. max of `bits` (bit 0 is
 * low) are 0 before and after. (csv_merge.c) */
void csv_sort(uint32_t *a, size_t n, uint32_t low, uint64_t *bits);

/* ----- csv_look.c: a first look at a table -------------------------------- */

/* What the cells of one column look like in the beginning of the file. */
struct look {
    char *first;                      /* the cell of the first record        */
    int64_t first_line, first_column; /* and its place                       */
    size_t numbers, missing, words;   /* of the other records                */
    size_t odd;                       /* inf, 0x1f, 1e999: numbers, but bad  */
    bool repeated;                    /* `first` occurs again below          */
    size_t like[LOOKS];               /* words that are numbers elsewhere    */
    size_t dates, timed;              /* words that are dates, with a time   */
    size_t blanks;                    /* between the parts of words          */
    size_t repeats;                   /* words that stood there before       */
    struct seen *seen;                /* the words so far; NULL: not watched */
    int64_t word_line, word_column;   /* the first word's place              */
    bool lists;                       /* JSON: an array of strings was met   */
    int first_kind;                   /* of `first`: csv_look.c              */
};

struct csv_survey {
    struct env e;
    struct look *column;
    size_t columns, cap;
    size_t records; /* without the first */
    struct notation notation;
    struct text plain; /* a number in another one */
    bool points;       /* looked for, and met: numbers with a decimal point */
};

/* Texts that were met, by hashes of 64 bits, for columns that may be names. */
struct seen {
    uint64_t *slot; /* 0: empty */
    size_t slots, n;
};

/* A column of words: one cell in ten or more. A rarer word among numbers is taken
 * for a slip, which the parser will point at. */
static inline bool look_is_words(const struct look *k)
{
    return k->words > k->numbers / 10;
}

/* What a column is, of which nobody says it: see csv_look.c. */
enum column_kind csv_look_kind(const struct look *k);

/* The delimiter that makes the most regular table of the text. */
perc_status csv_survey_delimiter(const struct env *e, const char *text, size_t len, char preferred,
                                 const struct notation *notation, char *out);
perc_status csv_survey_make(const struct env *e, const char *text, size_t len, char delimiter,
                            const struct notation *notation, struct csv_survey *out,
                            perc_error *err);
void csv_survey_free(struct csv_survey *v); /* safe on a zeroed struct */
/* An empty one; `notation` of what will be counted. */
void csv_survey_begin(struct csv_survey *v, const struct env *e, const struct notation *notation);
/* Counts a cell. false: out of memory. */
bool csv_survey_count(struct csv_survey *v, struct look *k, const struct cell *c);
/* Whether numbers can only have decimal commas: several show it, none has a point, and each column
 * where one has a comma is all of numbers. */
bool csv_survey_commas(const struct csv_survey *v);
/* How many words of a column are numbers in another notation. */
size_t csv_look_foreign(const struct look *k);
/* Whether the first record is unlike the rest: it has no number, and stands
 * above a column of nothing but numbers. */
bool csv_survey_breaks(const struct csv_survey *v);
/* Whether the first record reads as names: csv_survey_breaks or, in a table of words
 * alone, none of its cells occurs again below it. */
bool csv_survey_header(const struct csv_survey *v);
/* The first record is data too: counts its cells with the others. false: out of memory. */
bool csv_survey_count_first(struct csv_survey *v);

#endif
