/* clock_text.c -- what inputs and states are, from texts such as "a=0110 r=0001". */
#include <stdio.h>
#include <string.h>

#include "logic/clock.h"

enum { SHOWN = 40 };

/* One NAME=VALUES of a text. */
struct pair {
    const char *name, *bits;
    int len; /* of the name, for messages: a long one is cut */
    size_t n, number;
};

struct pairs {
    const struct formula *f;
    const char *text, *p;
    perc_error *err;
};

__attribute__((format(printf, 3, 4))) static perc_status refuse_text(const struct pairs *r,
                                                                     const char *at,
                                                                     const char *fmt, ...)
{
    char said[sizeof r->err->text];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(said, sizeof said, fmt, ap);
    va_end(ap);
    return fail_at(r->err, PERC_EDATA, 1, at - r->text + 1, "%s", said);
}

static bool is_separator(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',';
}

/* Whether there is one more pair. */
static bool more_pairs(struct pairs *r)
{
    while (is_separator(*r->p)) r->p++;
    return *r->p != '\0';
}

/* The text may not give values for this name. */
static perc_status refuse_name(const struct pairs *r, const struct pair *p, enum role want)
{
    const bool known = p->number != SIZE_MAX;
    const enum role role = known ? r->f->name[p->number].role : ROLE_INPUT;

    if (known && role == ROLE_WIRE)
        return refuse_text(r, p->name, "`%.*s` is defined by the formula: only %s are given here",
                           p->len, p->name, want == ROLE_STATE ? "states" : "inputs");
    if (known && want == ROLE_INPUT)
        return refuse_text(
            r, p->name,
            "`%.*s` is a state: the formula defines its values; give the first one in the start",
            p->len, p->name);
    if (known)
        return refuse_text(r, p->name,
                           "`%.*s` is an input, not a state: it has a sequence of values", p->len,
                           p->name);
    return refuse_text(r, p->name, "the formula has no name `%.*s`", p->len, p->name);
}

/* NAME=0110 of an input or a state, whichever is wanted. */
static perc_status read_pair(struct pairs *r, enum role want, struct pair *p)
{
    const char *s = r->p;
    size_t len = 0;

    while (s[len] != '\0' && s[len] != '=' && !is_separator(s[len])) len++;
    *p = (struct pair){ .name = s, .bits = s + len + 1, .len = (int)(len < SHOWN ? len : SHOWN) };
    if (s[len] != '=' || len == 0)
        return refuse_text(r, s + len, "expected a name, = and %s, without blanks: %s",
                           want == ROLE_STATE ? "a value" : "values",
                           want == ROLE_STATE ? "s=1" : "a=0110");
    p->number = formula_find(r->f, s, len);
    if (p->number == SIZE_MAX || r->f->name[p->number].role != want) return refuse_name(r, p, want);
    while (p->bits[p->n] == '0' || p->bits[p->n] == '1') p->n++;
    r->p = p->bits + p->n;
    if (*r->p != '\0' && !is_separator(*r->p) && want == ROLE_STATE)
        return refuse_text(r, r->p, "a state is 0 or 1 at first: %.*s=0 or %.*s=1", p->len, p->name,
                           p->len, p->name);
    if (*r->p != '\0' && !is_separator(*r->p))
        return refuse_text(r, r->p,
                           "the values of `%.*s` are 0 and 1, one after the other: %.*s=0110",
                           p->len, p->name, p->len, p->name);
    if (p->n == 0)
        return refuse_text(r, p->bits, "`%.*s` has no value: %.*s=0 or %.*s=1", p->len, p->name,
                           p->len, p->name, p->len, p->name);
    return PERC_OK;
}

/* The first cell of a state. */
static size_t cell_of(const struct formula *f, size_t state)
{
    size_t at = 0;

    for (size_t i = f->inputs; i < state; i++) at += f->name[i].delay;
    return at;
}

perc_status clock_start(const struct formula *f, const char *text, unsigned char *cell,
                        perc_error *err)
{
    enum { NOT_SAID = 2 };
    struct pairs r = { f, text, text, err };
    perc_status st = PERC_OK;
    struct pair p;

    memset(cell, NOT_SAID, f->cells);
    while (st == PERC_OK && text != NULL && more_pairs(&r)) {
        if ((st = read_pair(&r, ROLE_STATE, &p))) break;
        unsigned char *s = &cell[cell_of(f, p.number)];
        const uint32_t delay = f->name[p.number].delay;
        if (p.n != delay && delay > 1)
            st = refuse_text(&r, p.bits, "`%.*s` starts with %u values, one for each step: not %zu",
                             p.len, p.name, (unsigned)delay, p.n);
        else if (p.n > delay)
            st = refuse_text(&r, p.bits + 1, "`%.*s` starts with one value, 0 or 1", p.len, p.name);
        else if (*s != NOT_SAID) st = refuse_text(&r, p.name, "`%.*s` comes twice", p.len, p.name);
        for (size_t i = 0; i < delay && !st; i++) s[i] = p.bits[i] == '1';
    }
    for (size_t i = 0; i < f->cells; i++)
        if (cell[i] == NOT_SAID) cell[i] = 0;
    return st;
}

/* ----- the inputs ------------------------------------------------------------ */

/* Reads all pairs; seq[i] is the sequence of input i, its name NULL if there is none. *first: the
 * one that comes first in the text, unchanged if there is none. */
static perc_status read_sequences(struct pairs *r, struct pair *seq, const struct pair **first)
{
    struct pair p;
    perc_status st;

    while (r->p != NULL && more_pairs(r)) {
        if ((st = read_pair(r, ROLE_INPUT, &p))) return st;
        if (seq[p.number].name != NULL)
            return refuse_text(r, p.name, "`%.*s` comes twice", p.len, p.name);
        seq[p.number] = p;
        if (*first == NULL) *first = &seq[p.number];
        if (p.n != (*first)->n)
            return refuse_text(
                r, p.name,
                "`%.*s` has %zu value%s and `%.*s` %zu: all sequences have the same length", p.len,
                p.name, p.n, p.n == 1 ? "" : "s", (*first)->len, (*first)->name, (*first)->n);
    }
    for (size_t i = 0; i < r->f->inputs; i++)
        if (seq[i].name == NULL)
            return fail(r->err, PERC_EDATA,
                        "the input `%.*s` has no values: add %.*s=0110, one digit a step", SHOWN,
                        r->f->name[i].text, SHOWN, r->f->name[i].text);
    return PERC_OK;
}

/* As many steps as the sequences have, where *steps is 0. */
perc_status clock_inputs(const struct formula *f, const char *text, size_t *steps,
                         struct clock_inputs *out, perc_error *err)
{
    struct pairs r = { f, text, text, err };
    struct pair *seq = mem_zeroed(&f->e, f->inputs, sizeof *seq);
    const struct pair *first = NULL;

    *out = (struct clock_inputs){ .value = NULL };
    perc_status st = seq != NULL ? read_sequences(&r, seq, &first) : fail_memory(err);
    const size_t n = first != NULL ? first->n : 0;
    if (*steps == 0) *steps = n;
    if (st == PERC_OK && *steps == 0)
        st = fail(err, PERC_EDATA, "the formula has no inputs: say how many steps to make");
    else if (st == PERC_OK && first != NULL && n < *steps)
        st = refuse_text(&r, first->name,
                         "the sequences have %zu value%s, and %zu steps are asked for: give more "
                         "values, or ask for %zu",
                         n, n == 1 ? "" : "s", *steps, n);
    else if (st == PERC_OK && (*steps > CLOCK_STEPS || *steps > CLOCK_CELLS / f->names))
        st = fail(err, PERC_EDATA, "%zu steps of %zu names are more than %d values", *steps,
                  f->names, *steps > CLOCK_STEPS ? CLOCK_STEPS : CLOCK_CELLS);
    if (st == PERC_OK) {
        *out = (struct clock_inputs){ f->e, *steps, f->inputs,
                                      mem_array(&f->e, *steps * f->inputs, 1) };
        if (out->value == NULL) st = fail_memory(err);
    }
    for (size_t t = 0; t < out->steps && st == PERC_OK; t++)
        for (size_t i = 0; i < f->inputs; i++)
            out->value[t * f->inputs + i] = seq[i].bits[t] == '1';
    if (st) *out = (struct clock_inputs){ .value = NULL };
    mem_free(&f->e, seq, f->inputs, sizeof *seq);
    return st;
}

void clock_inputs_free(struct clock_inputs *in)
{
    mem_free(&in->e, in->value, in->steps * in->inputs, 1);
    *in = (struct clock_inputs){ .value = NULL };
}
