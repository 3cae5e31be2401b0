/* formula_errors.c -- what an error in a formula says: what was found, where, and what would be
 * right. */
#include <stdio.h>
#include <string.h>

#include "logic/formula_parser.h"

/* The beginning of the line with the place `at`, and its number. */
static const char *line_of(const char *text, const char *at, int *number)
{
    const char *line = text;

    *number = 1;
    for (const char *p = text; p < at; p++) {
        if (*p != '\n') continue;
        ++*number;
        line = p + 1;
    }
    return line;
}

struct place formula_place(const struct draft *d, const char *at)
{
    struct place place;
    int number;
    const int where = (int)(at - line_of(d->text, at, &number)) + 1;

    if (strchr(d->text, '\n') == NULL) snprintf(place.text, sizeof place.text, "column %d", where);
    else snprintf(place.text, sizeof place.text, "line %d, column %d", number, where);
    return place;
}

perc_status formula_refuse(const struct draft *d, const char *at, const char *fmt, ...)
{
    char text[sizeof d->err->text];
    int number;
    const char *line = line_of(d->text, at, &number);
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return fail_at(d->err, PERC_EDATA, number, at - line + 1, "%s", text);
}

struct shown formula_quote(struct token w)
{
    struct shown s;

    if (w.kind == TOKEN_END) snprintf(s.text, sizeof s.text, "the end");
    else if (w.len > FORMULA_SHOWN)
        snprintf(s.text, sizeof s.text, "`%.*s...`", FORMULA_SHOWN, w.at);
    else snprintf(s.text, sizeof s.text, "`%.*s`", (int)w.len, w.at);
    return s;
}

static perc_status refuse_unknown(const struct parser *p)
{
    const char *advice = formula_token_advice(p->w);

    if (advice == NULL)
        advice = "names are letters, digits and _; operators ! & ^ | -> <-> and words";
    return formula_refuse(&p->d, p->w.at, "unknown character %s: %s", formula_quote(p->w).text,
                          advice);
}

perc_status formula_refuse_operand(const struct parser *p)
{
    const struct token w = p->w;

    if (w.kind == TOKEN_UNKNOWN) return refuse_unknown(p);
    if (w.kind == TOKEN_PRIME)
        return formula_refuse(&p->d, w.at,
                              "a prime belongs after a name that is being defined: s' = ...");
    if (p->before.len == 0)
        return formula_refuse(
            &p->d, w.at, "the text begins with %s: a name, a constant, ! or ( is missing before it",
            formula_quote(w).text);
    if (p->before.kind == TOKEN_SEMICOLON && p->depth == 0)
        return formula_refuse(&p->d, w.at,
                              "between `;` and %s a formula or a definition is missing",
                              formula_quote(w).text);
    return formula_refuse(&p->d, w.at,
                          "after %s comes %s: a name, a constant, ! or ( is missing between them",
                          formula_quote(p->before).text, formula_quote(w).text);
}

perc_status formula_refuse_follower(const struct parser *p)
{
    const struct token w = p->w;
    const char *advice = formula_token_advice(w);

    if (advice != NULL && (w.kind == TOKEN_EQUALS || w.kind == TOKEN_NOT))
        return formula_refuse(&p->d, w.at, "`%c=` is not an operator: %s", *w.at, advice);
    switch (w.kind) {
    case TOKEN_UNKNOWN: return refuse_unknown(p);
    case TOKEN_CLOSE:
        return formula_refuse(&p->d, w.at, "`)` closes nothing: no parenthesis is open here");
    case TOKEN_EQUALS:
        return formula_refuse(&p->d, w.at,
                              "one name comes before `=`, at the beginning of a definition: out = "
                              "a & b (equality is <->)");
    case TOKEN_COMMA:
        return formula_refuse(&p->d, w.at,
                              "`,` only separates the arguments of atleast, atmost, exactly, "
                              "majority and neuron; write ; between definitions");
    case TOKEN_COLON:
        return formula_refuse(
            &p->d, w.at,
            "`:` only comes before the threshold of a neuron, neuron(a, b : 1.5); "
            "write ; between definitions and after the number of atleast, = to "
            "define");
    case TOKEN_AT:
        return formula_refuse(&p->d, w.at,
                              "`@` belongs after a name: a@3 is the value of a three steps ago");
    case TOKEN_PRIME:
        return formula_refuse(&p->d, w.at,
                              "a prime belongs after a name that is being defined: s' = ...");
    default:
        return formula_refuse(
            &p->d, w.at,
            "between %s and %s an operator is missing (& | ^ -> <->), or ; before a definition",
            formula_quote(p->before).text, formula_quote(w).text);
    }
}

perc_status formula_refuse_unclosed(const struct parser *p, const char *open)
{
    if (p->w.kind != TOKEN_END && p->w.kind != TOKEN_SEMICOLON) return formula_refuse_follower(p);
    return formula_refuse(&p->d, p->w.at, "the parenthesis opened at %s is not closed before %s",
                          formula_place(&p->d, open).text, formula_quote(p->w).text);
}

perc_status formula_refuse_depth(const struct parser *p)
{
    return formula_refuse(
        &p->d, p->w.at,
        "nested more than %d deep: give a part a name, part = ...; and use the name",
        FORMULA_DEPTH);
}
