/* formula_words.h -- the words that formulas are made of. */
#ifndef PERC_FORMULA_WORDS_H
#define PERC_FORMULA_WORDS_H

#include <stdbool.h>
#include <stddef.h>

enum word_kind {
    WORD_END,
    WORD_NAME,
    WORD_NUMBER,
    WORD_TRUE,
    WORD_FALSE,
    WORD_NOT,
    WORD_AND,
    WORD_NAND,
    WORD_XOR,
    WORD_OR,
    WORD_NOR,
    WORD_IMPLIES,
    WORD_IFF,
    WORD_ATLEAST,
    WORD_ATMOST,
    WORD_EXACTLY,
    WORD_MAJORITY,
    WORD_OPEN,
    WORD_CLOSE,
    WORD_COMMA,
    WORD_SEMICOLON,
    WORD_EQUALS,
    WORD_PRIME,
    WORD_UNKNOWN /* one character, all bytes of it */
};

struct word {
    enum word_kind kind;
    const char *at;
    size_t len; /* 0 at the end */
};

/* The word that begins at p or, after blanks, behind it. The text ends with a NUL. */
struct word formula_word_read(const char *p);

/* Whether it is a word of letters that cannot be a name. */
bool formula_word_is_reserved(struct word w);

/* What an unknown character, or one in the wrong place, may have meant: "write & or and"; NULL
 * where there is nothing to say. */
const char *formula_word_advice(struct word w);

#endif
