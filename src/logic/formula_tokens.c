/* formula_tokens.c -- a formula's text, cut into tokens. */
#include "logic/formula_tokens.h"

#include <string.h>

struct spelling {
    const char *text;
    enum token_kind kind;
};

/* A sign comes before its own prefixes. */
static const struct spelling signs[] = {
    { "<->", TOKEN_IFF }, { "<=>", TOKEN_IFF }, { "->", TOKEN_IMPLIES },  { "=>", TOKEN_IMPLIES },
    { "&&", TOKEN_AND },  { "&", TOKEN_AND },   { "||", TOKEN_OR },       { "|", TOKEN_OR },
    { "^", TOKEN_XOR },   { "!", TOKEN_NOT },   { "~", TOKEN_NOT },       { "(", TOKEN_OPEN },
    { ")", TOKEN_CLOSE }, { ",", TOKEN_COMMA }, { ";", TOKEN_SEMICOLON }, { "=", TOKEN_EQUALS },
    { "'", TOKEN_PRIME }, { ":", TOKEN_COLON }, { "@", TOKEN_AT },
};

static const struct spelling reserved[] = {
    { "not", TOKEN_NOT },         { "and", TOKEN_AND },
    { "nand", TOKEN_NAND },       { "xor", TOKEN_XOR },
    { "or", TOKEN_OR },           { "nor", TOKEN_NOR },
    { "implies", TOKEN_IMPLIES }, { "iff", TOKEN_IFF },
    { "true", TOKEN_TRUE },       { "false", TOKEN_FALSE },
    { "atleast", TOKEN_ATLEAST }, { "atmost", TOKEN_ATMOST },
    { "exactly", TOKEN_EXACTLY }, { "majority", TOKEN_MAJORITY },
    { "neuron", TOKEN_NEURON },
};

/* By hand: what isalpha says depends on the locale. */
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

struct token formula_token_read(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r') p++;
    if (*p == '\0') return (struct token){ TOKEN_END, p, 0 };
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const size_t len = strlen(signs[i].text);
        if (strncmp(p, signs[i].text, len) == 0) return (struct token){ signs[i].kind, p, len };
    }
    struct token w = { TOKEN_UNKNOWN, p, 1 };
    if (is_letter(*p)) w.kind = TOKEN_NAME;
    if (is_digit(*p)) w.kind = TOKEN_NUMBER;
    while (w.kind != TOKEN_UNKNOWN && (is_letter(p[w.len]) || is_digit(p[w.len]))) w.len++;
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++) { /* in any case */
        const char *text = reserved[i].text;
        bool same = strlen(text) == w.len;
        for (size_t k = 0; k < w.len && same; k++)
            same = (p[k] >= 'A' && p[k] <= 'Z' ? p[k] - 'A' + 'a' : p[k]) == text[k];
        if (same) w.kind = reserved[i].kind;
    }
    if (w.kind == TOKEN_UNKNOWN &&
        ((unsigned char)*p & 0xC0) == 0xC0) /* UTF-8: with its continuation bytes */
        while (w.len < 4 && ((unsigned char)p[w.len] & 0xC0) == 0x80) w.len++;
    return w;
}

bool formula_token_is_reserved(struct token w)
{
    return w.len > 0 && is_letter(*w.at) && w.kind != TOKEN_NAME;
}

const char *formula_token_advice(struct token w)
{
    static const struct {
        const char *text, *advice;
    } table[] = {
        { "+", "write | for or, ^ for xor" },
        { "*", "write & for and" },
        { ".", "write & for and" },
        { "-", "write ! for not, -> for implies" },
        { "<", "write <-> for iff, -> for implies" },
        { ">", "write -> for implies" },
        { "==", "write <-> for iff" },
        { "!=", "write ^ for xor" },
        { "\"", "a prime is '" },
        { "`", "a prime is '" },
        { "[", "parentheses are ( and )" },
        { "]", "parentheses are ( and )" },
        { "{", "parentheses are ( and )" },
        { "}", "parentheses are ( and )" },
        { "\xe2\x88\xa7", "write & for and" },      /* logical and */
        { "\xe2\x8b\x85", "write & for and" },      /* dot operator */
        { "\xc2\xb7", "write & for and" },          /* middle dot */
        { "\xe2\x88\xa8", "write | for or" },       /* logical or */
        { "\xc2\xac", "write ! for not" },          /* not sign */
        { "\xe2\x8a\x95", "write ^ for xor" },      /* circled plus */
        { "\xe2\x8a\xbc", "write nand" },           /* nand */
        { "\xe2\x8a\xbd", "write nor" },            /* nor */
        { "\xe2\x86\x92", "write -> for implies" }, /* arrow to the right */
        { "\xe2\x87\x92", "write -> for implies" }, /* double arrow to the right */
        { "\xe2\x86\x94", "write <-> for iff" },    /* arrow both ways */
        { "\xe2\x87\x94", "write <-> for iff" },    /* double arrow both ways */
        { "\xe2\x8a\xa4", "write 1 or true" },      /* down tack */
        { "\xe2\x8a\xa5", "write 0 or false" },     /* up tack */
        { "\xe2\x80\x99", "a prime is '" },         /* right single quote */
        { "\xe2\x80\xb2", "a prime is '" },         /* prime */
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strncmp(w.at, table[i].text, strlen(table[i].text)) == 0) return table[i].advice;
    return NULL;
}
