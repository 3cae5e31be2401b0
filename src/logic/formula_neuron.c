/* formula_neuron.c -- a neuron that a formula writes: neuron(2 a, -b : 0.5).
 *
 * Weights and threshold are decimals, which only these places of the text have: they are read by
 * themselves (formula_weights.c), and the tokens go on behind them. */
#include <stdio.h>

#include "logic/formula_parser.h"

static bool is_sign(struct token w)
{
    return w.len == 1 && (*w.at == '-' || *w.at == '+');
}

/* The next token is a decimal, or would be: reads it, and what comes after it. */
static perc_status read_decimal(struct parser *p, struct decimal *d)
{
    const char *at = p->w.at, *end = formula_weights_read(at, d);

    if (end == NULL)
        return formula_refuse(&p->d, at, "this number has more digits than can be kept: 18");
    if (end == at) return PERC_OK;
    p->before = (struct token){ TOKEN_NUMBER, at, (size_t)(end - at) };
    p->w = formula_token_read(end);
    if (p->w.at == end && !is_sign(p->before) &&
        (p->w.kind == TOKEN_NAME || p->w.kind == TOKEN_NUMBER || formula_token_is_reserved(p->w)))
        return formula_refuse(&p->d, end,
                              "between a weight and its input a blank is missing: %.*s %s",
                              (int)(end - at < FORMULA_SHOWN ? end - at : FORMULA_SHOWN), at,
                              p->w.kind == TOKEN_NAME ? "NAME" : "...");
    return PERC_OK;
}

/* An operand with its weight; one without an input is that of x1, x2, ..., as `number` says. */
static perc_status weighted(struct parser *p, size_t number, bool *bare)
{
    const char *at = p->w.at;
    char input[24];
    struct decimal d;
    uint32_t node;
    perc_status st = read_decimal(p, &d);

    if (st) return st;
    *bare = p->w.at != at && !is_sign(p->before) &&
            (p->w.kind == TOKEN_COMMA || p->w.kind == TOKEN_COLON || p->w.kind == TOKEN_CLOSE);
    if (*bare) {
        struct node n = { .op = OP_NAME, .column = (int)(at - p->d.text) + 1 };
        const int len = snprintf(input, sizeof input, "x%zu", number);
        if ((st = formula_name_of(p, (struct token){ TOKEN_NAME, input, (size_t)len }, at,
                                  &n.name)) ||
            (st = formula_add_node(p, n, &node)))
            return st;
    } else if ((st = formula_equivalence(p, &node))) return st;
    if (!mem_grow(&p->d.f.e, (void **)&p->decimal, &p->decimal_cap, p->decimals + 1, sizeof d))
        return fail_memory(p->d.err);
    p->decimal[p->decimals++] = d;
    return formula_push_operand(p, node);
}

/* The operands from `base` on, with the weights from `first` on. */
static perc_status neuron_node(struct parser *p, struct token f, struct decimal threshold,
                               size_t base, size_t first, uint32_t *out)
{
    struct node n = { .op = OP_ATLEAST, .written = true, .column = formula_column_of(p, f) };
    const size_t count = p->waiting - base, at = p->d.f.children;
    perc_status st;

    for (size_t i = base; i < p->waiting; i++)
        if ((st = formula_add_child(p, p->stack[i]))) return st;
    p->waiting = base;
    p->decimals = first;
    if (!formula_weights_scale(p->decimal + first, count, threshold, p->d.f.weight + at, &n.least))
        return formula_refuse(&p->d, f.at,
                              "as whole numbers the weights of this neuron add up to more than "
                              "%lld: use fewer digits",
                              (long long)FORMULA_SUM - 1);
    n.first = (uint32_t)at;
    n.count = (uint32_t)count;
    return formula_add_node(p, n, out);
}

perc_status formula_neuron(struct parser *p, uint32_t *out)
{
    const struct token f = p->w;
    const size_t base = p->waiting, first = p->decimals;
    const char *alone = NULL; /* the first weight without an input */
    size_t bare = 0;
    struct decimal t;
    perc_status st;

    formula_next_token(p);
    const char *open = p->w.at;
    if (p->w.kind != TOKEN_OPEN)
        return formula_refuse(&p->d, open,
                              "%s is a reserved word, followed by weights and inputs, and the "
                              "threshold: %.*s(a, -2 b : 0.5)",
                              formula_quote(f).text, (int)f.len, f.at);
    do {
        bool none = false;
        formula_next_token(p);
        const char *at = p->w.at;
        if ((st = weighted(p, p->waiting - base + 1, &none))) return st;
        if (none && bare++ == 0) alone = at;
    } while (p->w.kind == TOKEN_COMMA);
    if (bare > 0 && bare < p->waiting - base)
        return formula_refuse(&p->d, alone,
                              "this weight has no input, and others have: write neuron(2 a, -1 b : "
                              "0.5), or weights alone");
    if (p->w.kind == TOKEN_CLOSE || p->w.kind == TOKEN_UNKNOWN)
        return formula_refuse(&p->d, p->w.at,
                              "%s is not the `,` before another input, nor the `:` before the "
                              "threshold: neuron(a, -2 b : 0.5) fires where a - 2 b >= 0.5",
                              formula_quote(p->w).text);
    if (p->w.kind != TOKEN_COLON) return formula_refuse_unclosed(p, open);
    formula_next_token(p);
    const char *at = p->w.at;
    if ((st = read_decimal(p, &t))) return st;
    if (p->w.at == at || is_sign(p->before))
        return formula_refuse(&p->d, at, "after `:` comes the threshold, a number, and not %s",
                              formula_quote(p->w).text);
    if (p->w.kind != TOKEN_CLOSE) return formula_refuse_unclosed(p, open);
    formula_next_token(p);
    return neuron_node(p, f, t, base, first, out);
}
