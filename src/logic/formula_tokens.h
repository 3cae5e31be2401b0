/* formula_tokens.h -- the tokens that formulas are made of. */
#ifndef PERC_FORMULA_TOKENS_H
#define PERC_FORMULA_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

enum token_kind {
    TOKEN_END,
    TOKEN_NAME,
    TOKEN_NUMBER,
    TOKEN_TRUE,
    TOKEN_FALSE,
    TOKEN_NOT,
    TOKEN_AND,
    TOKEN_NAND,
    TOKEN_XOR,
    TOKEN_OR,
    TOKEN_NOR,
    TOKEN_IMPLIES,
    TOKEN_IFF,
    TOKEN_ATLEAST,
    TOKEN_ATMOST,
    TOKEN_EXACTLY,
    TOKEN_MAJORITY,
    TOKEN_NEURON,
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_COMMA,
    TOKEN_SEMICOLON,
    TOKEN_EQUALS,
    TOKEN_PRIME,
    TOKEN_COLON,
    TOKEN_AT,
    TOKEN_UNKNOWN /* one character, all bytes of it */
};

struct token {
    enum token_kind kind;
    const char *at;
    size_t len; /* 0 at the end */
};

/* The token that begins at p, or after the blanks there. The text ends with a NUL. */
struct token formula_token_read(const char *p);

/* Whether it is a word of letters that cannot be a name. */
bool formula_token_is_reserved(struct token w);

/* What an unknown character, or one in the wrong place, may have meant: "write & or and"; NULL
 * where there is nothing to say. */
const char *formula_token_advice(struct token w);

#endif
