/* notation.h -- how the numbers and the quotes of a table are written: --decimal, --thousands,
 * --quote.
 *
 *     1234.5   -1234,5   1.234,50   1 234,5   1'234.5   1_234
 *
 * A number in another notation than 1234.5 is rewritten and then read as any other, so that it is
 * the same decimal, to the last digit. What all zero describes is the plain notation. */
#ifndef PERC_NOTATION_H
#define PERC_NOTATION_H

#include "base/params.h"

enum quoting { QUOTES_DOUBLE, QUOTES_SINGLE, QUOTES_NONE };

struct notation {
    bool comma;     /* is the decimal mark; else a point is */
    char thousands; /* between groups of three digits: . , _ ' or a blank. ' is U+2019, too, and a
                       blank also U+00A0 and U+202F, which do not break lines; 0: nothing is */
    enum quoting quotes;
};

static inline bool notation_is_plain(const struct notation *n)
{
    return !n->comma && n->thousands == 0;
}

/* The character around cells; 0: none. */
static inline char notation_quote(const struct notation *n)
{
    return n->quotes == QUOTES_DOUBLE ? '"' : n->quotes == QUOTES_SINGLE ? '\'' : '\0';
}

/* What the "data" parameters ask for. *open: which decimal mark it is, the text has to say; then
 * out->comma is false. PERC_EARG. */
perc_status notation_read(const perc_params *data, struct notation *out, bool *open,
                          perc_error *err);
/* For a text that is no table: PERC_EARG if another notation is asked for. */
perc_status notation_refuse(const perc_params *data, const char *what, perc_error *err);
/* Asks in `data` for the notation that a model knows, where they do not ask for another. */
perc_status notation_ask(const struct notation *n, perc_params *data, perc_error *err);

/* Whether a text is a character that may stand between cells. */
bool notation_delimits(const char *s);

/* The value of --thousands for a separator: "space" for a blank. */
const char *notation_thousands_word(char thousands);
extern const char *const notation_quotes_word[QUOTES_NONE + 1];
/* The reverse of both. false: there is no such word. */
bool notation_find_thousands(const char *word, char *out);
bool notation_find_quotes(const char *word, enum quoting *out);

enum notation_fault {
    NOTATION_OK,
    NOTATION_WORD,  /* no number in this notation */
    NOTATION_POINT, /* a number with a decimal point, where a comma is expected */
    NOTATION_GROUPS /* its groups do not have three digits each, the first one to three */
};

/* Writes the number s, without blanks around it, as a plain one: 1.234,50 as 1234.50. What is left
 * in `out` may still be none; with a fault, it is nothing. out->oom is the caller's to look at. */
enum notation_fault notation_number(const struct notation *n, const char *s, size_t len,
                                    struct text *out);

/* What a text that is no number of the notation n looks like. Its separators count, where they can
 * stand between thousands in another one, too. */
enum notation_look {
    LOOKS_OTHERWISE,
    LOOKS_COMMA,  /* 12,5: a comma can only be the decimal mark */
    LOOKS_EITHER, /* 1,234 */
    LOOKS_POINTS, /* 1.234,5 or 1.234.567: points between thousands, and a decimal comma */
    LOOKS_COMMAS, /* 1,234.5 or 1,234,567: commas between thousands */
    LOOKS
};
enum notation_look notation_look(const struct notation *n, const char *s, size_t len);
/* "--decimal ,": what would read numbers that look so. `n`: how many of each kind there are. */
const char *notation_remedy(const size_t n[LOOKS]);

#endif
