/* notation.c -- numbers with a decimal comma, and with something between thousands. See
 * notation.h.
 *
 *     number   = [+-] whole [mark digits] [(e|E) ...]
 *     whole    = digits | 1 to 3 digits {separator 3 digits}
 *
 * Groups have three digits and nothing else (not the lakhs of India, 12,34,567): in a group of two
 * a digit may as well be missing. A plain number with a point is none where the mark is a comma:
 * 1.234 may be meant as either of two numbers that differ a thousandfold, so nobody guesses.
 *
 * Not here: what digits mean (base/number.h). */
#include "data/notation.h"

#include <string.h>

#include "base/number.h"

/* ----- options ------------------------------------------------------------------ */

/* What is part of numbers, of most words, or of quoting would cut cells in two. */
bool notation_delimits(const char *s)
{
    const unsigned char c = (unsigned char)s[0], lower = c | 0x20;

    return c != '\0' && s[1] == '\0' && (c >= ' ' || c == '\t') && c != 0x7f &&
           !(c >= '0' && c <= '9') && !(lower >= 'a' && lower <= 'z') &&
           strchr("+-.\"'", c) == NULL;
}

const char *const notation_quotes_word[QUOTES_NONE + 1] = { "double", "single", "none" };

bool notation_find_quotes(const char *word, enum quoting *out)
{
    for (int q = 0; q <= QUOTES_NONE; q++) {
        const struct notation n = { .quotes = (enum quoting)q };
        const char shown[2] = { notation_quote(&n), '\0' };
        if (strcmp(word, notation_quotes_word[q]) != 0 &&
            (*shown == '\0' || strcmp(word, shown) != 0))
            continue;
        *out = (enum quoting)q;
        return true;
    }
    return false;
}

static const struct {
    const char *word;
    char c;
} separators[] = {
    { ".", '.' },
    { ",", ',' },
    { "_", '_' },
    { "'", '\'' },
    { "space", ' ' },
    { "none", '\0' },
    /* Other ways to say the same. */
    { " ", ' ' },
    { "\xc2\xa0", ' ' },
    { "\xe2\x80\xaf", ' ' },
    { "\xe2\x80\x99", '\'' },
    { "", '\0' },
};
enum { SEPARATORS = sizeof separators / sizeof *separators };

const char *notation_thousands_word(char thousands)
{
    size_t i = 0;

    while (separators[i].c != thousands) i++;
    return separators[i].word;
}

bool notation_find_thousands(const char *word, char *out)
{
    for (size_t i = 0; i < SEPARATORS; i++) {
        if (strcmp(word, separators[i].word) != 0) continue;
        *out = separators[i].c;
        return true;
    }
    return false;
}

perc_status notation_read(const perc_params *data, struct notation *out, bool *open,
                          perc_error *err)
{
    const char *thousands = params_text(data, "thousands"), *quote = params_text(data, "quote");
    const bool automatic = params_is(data, "decimal", "auto");

    *out = (struct notation){ .comma = params_is(data, "decimal", ",") };
    if (!notation_find_thousands(thousands, &out->thousands))
        return fail(err, PERC_EARG,
                    "thousands is '%.20s'; it must be one of . , _ ' space none (what stands "
                    "between groups of three digits)",
                    thousands);
    if (*quote != '\0' && !notation_find_quotes(quote, &out->quotes))
        return fail(err, PERC_EARG, "quote is '%.20s'; it must be one of \" ' none", quote);
    if (automatic && out->thousands == '.') out->comma = true; /* what else could it be? */
    if (out->thousands == (out->comma ? ',' : '.'))
        return fail(err, PERC_EARG,
                    "--decimal %s and --thousands %s: one character cannot be both (is the other "
                    "one meant?)",
                    thousands, thousands);
    *open = automatic && out->thousands != '.' && out->thousands != ',';
    return PERC_OK;
}

perc_status notation_refuse(const perc_params *data, const char *what, perc_error *err)
{
    struct notation n;
    bool open;
    const perc_status st = notation_read(data, &n, &open, err);

    if (st) return st;
    if (notation_is_plain(&n) && n.quotes == QUOTES_DOUBLE) return PERC_OK;
    return fail(err, PERC_EARG,
                "--%s is for tables, and this is %s, whose numbers have a point (leave it out)",
                n.thousands != 0 ? "thousands"
                : n.comma        ? "decimal"
                                 : "quote",
                what);
}

perc_status notation_ask(const struct notation *n, perc_params *data, perc_error *err)
{
    perc_status st = PERC_OK;

    if (n->comma && params_is(data, "decimal", "auto"))
        st = perc_params_set(data, "decimal", ",", err);
    /* The separator of another notation is not that of this one. */
    if (!st && n->thousands != 0 && *params_text(data, "thousands") == '\0' &&
        (n->comma == params_is(data, "decimal", ",")))
        st = perc_params_set(data, "thousands", notation_thousands_word(n->thousands), err);
    if (!st && n->quotes != QUOTES_DOUBLE && *params_text(data, "quote") == '\0')
        st = perc_params_set(data, "quote", notation_quotes_word[n->quotes], err);
    return st;
}

/* ----- numbers ------------------------------------------------------------------ */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* How many bytes of a separator stand at p. */
static size_t separator_at(char kind, const char *p, const char *end)
{
    static const struct {
        char kind;
        unsigned char len;
        char bytes[4];
    } wide[] = { { ' ', 2, "\xc2\xa0" }, { ' ', 3, "\xe2\x80\xaf" }, { '\'', 3, "\xe2\x80\x99" } };

    if (kind == '\0' || p == end) return 0;
    if (*p == kind) return 1;
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        if (wide[i].kind == kind && (size_t)(end - p) >= wide[i].len &&
            memcmp(p, wide[i].bytes, wide[i].len) == 0)
            return wide[i].len;
    return 0;
}

/* The digits of the whole part, without what is between groups. Returns its end. */
static const char *whole_part(char kind, const char *p, const char *end, struct text *out,
                              bool *uneven)
{
    size_t run = 0, groups = 0, n;

    for (; p < end; p += n) {
        n = is_digit(*p) ? 1 : separator_at(kind, p, end);
        if (n == 0) break;
        if (is_digit(*p)) {
            text_char(out, *p);
            run++;
            continue;
        }
        *uneven |= groups == 0 ? run < 1 || run > 3 : run != 3;
        groups++;
        run = 0;
    }
    *uneven |= groups > 0 && run != 3;
    return p;
}

static bool is_plain_number(const char *s, size_t len)
{
    enum number_fault fault;
    struct decimal d;

    return number_scan_decimal(s, s + len, &d, &fault) == s + len && fault == NUMBER_OK;
}

enum notation_fault notation_number(const struct notation *n, const char *s, size_t len,
                                    struct text *out)
{
    const char mark = n->comma ? ',' : '.', *p = s, *const end = s + len;
    bool uneven = false;

    out->len = 0;
    text_add(out, "", 0); /* there is a text, even an empty one */
    if (p < end && (*p == '+' || *p == '-')) text_char(out, *p++);
    p = whole_part(n->thousands, p, end, out, &uneven);
    if (p < end && *p == mark) {
        text_char(out, '.');
        for (p++; p < end && is_digit(*p); p++) text_char(out, *p);
    }
    if (p == end || *p == 'e' || *p == 'E') {
        if (uneven) return NOTATION_GROUPS;
        text_add(out, p, (size_t)(end - p));
        return NOTATION_OK;
    }
    return is_plain_number(s, len) ? NOTATION_POINT : NOTATION_WORD;
}

/* ----- other notations ------------------------------------------------------------ */

/* Whether s is a whole number of the notation, with or without a fraction. */
static bool is_in(const struct notation *n, const char *s, size_t len, bool *uneven)
{
    struct text none = { .oom = true }; /* takes nothing */
    const char mark = n->comma ? ',' : '.', *p = s, *const end = s + len;

    *uneven = false;
    if (p < end && (*p == '+' || *p == '-')) p++;
    const char *begin = p;
    p = whole_part(n->thousands, p, end, &none, uneven);
    if (p == begin) return false;
    if (p < end && *p == mark && p + 1 < end)
        for (p++; p < end && is_digit(*p); p++) continue;
    return p == end;
}

enum notation_look notation_look(const struct notation *n, const char *s, size_t len)
{
    static const struct notation commas = { .thousands = ',' },
                                 points = { .comma = true, .thousands = '.' };
    const bool own = n->thousands != ',' && n->thousands != '.';
    const struct notation comma = { .comma = true, .thousands = own ? n->thousands : '\0' };
    if (len == 0 || !(is_digit(*s) || ((*s == '-' || *s == '+') && len > 1)))
        return LOOKS_OTHERWISE;
    const bool has_comma = memchr(s, ',', len) != NULL;
    bool uneven, either;

    if (!has_comma && memchr(s, '.', len) == NULL) return LOOKS_OTHERWISE;
    if (has_comma && is_in(&comma, s, len, &uneven) && !uneven) {
        const char first = *s == '-' || *s == '+' ? s[1] : *s;
        either = is_in(&commas, s, len, &uneven) && !uneven && first != '0';
        return either ? LOOKS_EITHER : LOOKS_COMMA;
    }
    if (is_in(&points, s, len, &uneven) && !uneven) return LOOKS_POINTS;
    if (has_comma && is_in(&commas, s, len, &uneven) && !uneven) return LOOKS_COMMAS;
    return LOOKS_OTHERWISE;
}

const char *notation_remedy(const size_t n[LOOKS])
{
    if (n[LOOKS_POINTS] > 0) return "--decimal , --thousands .";
    if (n[LOOKS_COMMA] > 0) return "--decimal ,";
    if (n[LOOKS_COMMAS] > 0) return "--thousands ,";
    return "--decimal , or --thousands ,";
}
