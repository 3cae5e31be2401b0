/* formula_parse.c -- from the text of a formula to its nodes, by recursive descent.
 *
 *     text        = statement { ";" statement } [ ";" ]
 *     statement   = [ NAME [ "'" ] "=" ] equivalence
 *     equivalence = implication { "<->" implication }
 *     implication = disjunction [ "->" implication ]
 *     disjunction = parity { "|" parity }               or one nor
 *     parity      = conjunction { "^" conjunction }
 *     conjunction = literal { "&" literal }             or one nand
 *     literal     = "!" literal | "(" equivalence ")" | NAME | CONSTANT
 *                 | NAME "@" NUMBER
 *                 | "atleast" "(" NUMBER ";" equivalence { "," equivalence } ")" | ...
 *                 | "neuron" "(" weighted { "," weighted } ":" DECIMAL ")"
 *     weighted    = [ DECIMAL ] equivalence | DECIMAL   none of them, or all, without an input
 *
 * A chain of one operator becomes one node with many children. Nodes are added when their
 * children are there, so that children come first. What nests is counted: text cannot make the
 * stack overflow. An error says what was found, where, and what would be right. */
#include <stdio.h>
#include <string.h>

#include "logic/formula_parser.h"

enum { SLOTS = 2 * FORMULA_NAMES };

void formula_next_token(struct parser *p)
{
    p->before = p->w;
    p->w = formula_token_read(p->w.at + p->w.len);
}

/* ----- names and nodes ------------------------------------------------------- */

perc_status formula_name_of(struct parser *p, struct token w, const char *at, uint32_t *out)
{
    struct formula *f = &p->d.f;
    size_t i = (size_t)(hash_key_bytes(&f->e.key, w.at, w.len) % SLOTS);

    for (; p->slot[i] != 0; i = (i + 1) % SLOTS) {
        *out = p->slot[i] - 1;
        const char *text = f->name[*out].text;
        if (strlen(text) == w.len && memcmp(text, w.at, w.len) == 0) return PERC_OK;
    }
    if (w.len > FORMULA_NAME && memchr(w.at, '@', w.len) == NULL)
        return formula_refuse(&p->d, at, "the name %s has %zu characters, more than %d",
                              formula_quote(w).text, w.len, FORMULA_NAME);
    if (f->names == FORMULA_NAMES)
        return formula_refuse(&p->d, at, "more than %d names", FORMULA_NAMES);
    char *text = mem_text(&f->e, w.at, w.len);
    if (text == NULL ||
        !mem_grow(&f->e, (void **)&f->name, &f->name_cap, f->names + 1, sizeof *f->name)) {
        mem_free_text(&f->e, text);
        return fail_memory(p->d.err);
    }
    *out = (uint32_t)f->names;
    f->name[f->names++] = (struct name){
        .text = text, .role = ROLE_INPUT, .root = NOT_DEFINED, .column = (int)(at - p->d.text) + 1
    };
    p->slot[i] = *out + 1;
    return PERC_OK;
}

perc_status formula_add_node(struct parser *p, struct node n, uint32_t *out)
{
    struct formula *f = &p->d.f;

    if (!mem_grow(&p->d.f.e, (void **)&f->node, &f->node_cap, f->nodes + 1, sizeof *f->node))
        return fail_memory(p->d.err);
    *out = (uint32_t)f->nodes;
    f->node[f->nodes++] = n;
    return PERC_OK;
}

perc_status formula_add_child(struct parser *p, uint32_t child)
{
    struct formula *f = &p->d.f;

    if (!mem_grow(&f->e, (void **)&f->child, &f->child_cap, f->children + 1, sizeof *f->child) ||
        !mem_grow(&f->e, (void **)&f->weight, &f->weight_cap, f->children + 1, sizeof *f->weight))
        return fail_memory(p->d.err);
    f->weight[f->children] = 1;
    f->child[f->children++] = child;
    return PERC_OK;
}

perc_status formula_push_operand(struct parser *p, uint32_t node)
{
    if (!mem_grow(&p->d.f.e, (void **)&p->stack, &p->stack_cap, p->waiting + 1, sizeof *p->stack))
        return fail_memory(p->d.err);
    p->stack[p->waiting++] = node;
    return PERC_OK;
}

/* What waits from `base` on becomes the children of one node. */
static perc_status make_parent(struct parser *p, struct node n, size_t base, uint32_t *out)
{
    perc_status st;

    n.first = (uint32_t)p->d.f.children;
    n.count = (uint32_t)(p->waiting - base);
    for (size_t i = base; i < p->waiting; i++)
        if ((st = formula_add_child(p, p->stack[i]))) return st;
    p->waiting = base;
    return formula_add_node(p, n, out);
}

static perc_status negate(struct parser *p, struct token w, uint32_t *node)
{
    const struct node n = { .op = OP_NOT,
                            .first = (uint32_t)p->d.f.children,
                            .count = 1,
                            .column = formula_column_of(p, w) };
    const perc_status st = formula_add_child(p, *node);

    return st ? st : formula_add_node(p, n, node);
}

/* ----- literals -------------------------------------------------------------- */

static bool is_digits(struct token w)
{
    for (size_t i = 0; i < w.len; i++)
        if (w.at[i] < '0' || w.at[i] > '9') return false;
    return w.len > 0;
}

/* What follows the word atleast, up to the `;`: the number. */
static perc_status count_of(struct parser *p, struct token f, int64_t *k)
{
    if (!is_digits(p->w))
        return formula_refuse(&p->d, p->w.at, "%s begins with a whole number: %.*s(2; a, b, c)",
                              formula_quote(f).text, (int)f.len, f.at);
    *k = 0; /* beyond any count of arguments it may stop */
    for (size_t i = 0; i < p->w.len && *k <= FORMULA_TEXT; i++) *k = 10 * *k + (p->w.at[i] - '0');
    formula_next_token(p);
    if (p->w.kind != TOKEN_SEMICOLON)
        return formula_refuse(&p->d, p->w.at,
                              "after the number of %s comes `;`: %.*s(%lld; a, b, c)",
                              formula_quote(f).text, (int)f.len, f.at, (long long)*k);
    formula_next_token(p);
    return PERC_OK;
}

/* k of the operands from `base` on. exactly k is at least k, and not at least k + 1: both have the
 * same children. */
static perc_status count_node(struct parser *p, struct token f, int64_t k, size_t base,
                              uint32_t *out)
{
    struct node n = { .op = OP_ATLEAST,
                      .least = f.kind == TOKEN_ATMOST ? k + 1 : k,
                      .first = (uint32_t)p->d.f.children,
                      .count = (uint32_t)(p->waiting - base),
                      .column = formula_column_of(p, f) };
    uint32_t low = 0;
    perc_status st;

    if (f.kind == TOKEN_MAJORITY) n.least = n.count / 2 + 1;
    if (f.kind != TOKEN_EXACTLY) {
        st = make_parent(p, n, base, out);
        return st || f.kind != TOKEN_ATMOST ? st : negate(p, f, out);
    }
    for (size_t i = base; i < p->waiting; i++)
        if ((st = formula_add_child(p, p->stack[i]))) return st;
    p->waiting = base;
    if (k == n.count) return formula_add_node(p, n, out);
    if (k > 0 && (st = formula_add_node(p, n, &low))) return st;
    n.least = k + 1;
    if ((st = formula_add_node(p, n, out)) || (st = negate(p, f, out)) || k == 0) return st;
    if ((st = formula_push_operand(p, low)) || (st = formula_push_operand(p, *out))) return st;
    return make_parent(p, (struct node){ .op = OP_AND, .column = n.column }, base, out);
}

/* atleast, atmost, exactly, majority. */
static perc_status counting(struct parser *p, uint32_t *out)
{
    const struct token f = p->w;
    const size_t base = p->waiting;
    int64_t k = 0;
    uint32_t node;
    perc_status st;

    formula_next_token(p);
    const char *open = p->w.at;
    if (p->w.kind != TOKEN_OPEN)
        return formula_refuse(
            &p->d, open, "%s is a reserved word, followed by its arguments: %.*s(%sa, b, c)",
            formula_quote(f).text, (int)f.len, f.at, f.kind == TOKEN_MAJORITY ? "" : "2; ");
    formula_next_token(p);
    const struct token number = p->w;
    if (f.kind != TOKEN_MAJORITY && (st = count_of(p, f, &k))) return st;
    for (;; formula_next_token(p)) {
        if ((st = formula_equivalence(p, &node)) || (st = formula_push_operand(p, node))) return st;
        if (p->w.kind != TOKEN_COMMA) break;
    }
    if (p->w.kind != TOKEN_CLOSE) return formula_refuse_unclosed(p, open);
    formula_next_token(p);
    const int64_t n = (int64_t)(p->waiting - base);
    if (f.kind != TOKEN_MAJORITY && k > n)
        return formula_refuse(
            &p->d, number.at, "%s of %lld argument%s: the number must be 0 %s %lld, not %.*s",
            formula_quote(f).text, (long long)n, n == 1 ? "" : "s", n == 1 ? "or" : "to",
            (long long)n, (int)(number.len < FORMULA_SHOWN ? number.len : FORMULA_SHOWN),
            number.at);
    return count_node(p, f, k, base, out);
}

static perc_status constant(struct parser *p, uint32_t *out)
{
    const struct token w = p->w;
    const bool zero = w.kind == TOKEN_FALSE || (w.len == 1 && *w.at == '0');
    const bool one = w.kind == TOKEN_TRUE || (w.len == 1 && *w.at == '1');

    if (!zero && !one)
        return formula_refuse(&p->d, w.at,
                              is_digits(w) ? "%s is not a value: a constant is 0 or 1"
                                           : "%s is not a name: names begin with a letter or _",
                              formula_quote(w).text);
    formula_next_token(p);
    return formula_add_node(
        p, (struct node){ .op = OP_CONSTANT, .value = one, .column = formula_column_of(p, w) },
        out);
}

/* The name that the value of name w, some steps ago, has: what comes next is `@`. */
static perc_status tap_of(struct parser *p, struct token w, uint32_t *name)
{
    const uint32_t now = *name;
    int64_t delay = 0;
    char text[FORMULA_NAME + 24];
    perc_status st;

    formula_next_token(p);
    if (!is_digits(p->w))
        return formula_refuse(&p->d, p->w.at,
                              "after `@` comes a whole number of steps: %.*s@3 is the value three "
                              "steps ago",
                              (int)(w.len < FORMULA_SHOWN ? w.len : FORMULA_SHOWN), w.at);
    for (size_t i = 0; i < p->w.len && delay <= FORMULA_CELLS; i++)
        delay = 10 * delay + (p->w.at[i] - '0');
    const int len = snprintf(text, sizeof text, "%s@%lld", p->d.f.name[now].text, (long long)delay);
    if (delay > 0 &&
        (st = formula_name_of(p, (struct token){ TOKEN_NAME, text, (size_t)len }, w.at, name)))
        return st;
    struct name *n = &p->d.f.name[*name];
    if (delay > 0 && !n->tap) { /* it is new */
        p->d.f.cells += (size_t)delay;
        if (p->d.f.cells > FORMULA_CELLS)
            return formula_refuse(&p->d, p->w.at, "the delays add up to more than %d steps",
                                  FORMULA_CELLS);
        n->tap = true;
        n->delay = (uint32_t)delay;
    }
    formula_next_token(p);
    return PERC_OK;
}

static perc_status name(struct parser *p, uint32_t *out)
{
    struct node n = { .op = OP_NAME, .column = formula_column_of(p, p->w) };
    const struct token w = p->w;
    perc_status st;

    formula_next_token(p);
    if (p->w.kind == TOKEN_PRIME)
        return formula_refuse(
            &p->d, p->w.at,
            "%.*s' is the next value, and can only be defined: write %.*s for the value now",
            (int)(w.len < FORMULA_SHOWN ? w.len : FORMULA_SHOWN), w.at,
            (int)(w.len < FORMULA_SHOWN ? w.len : FORMULA_SHOWN), w.at);
    if ((st = formula_name_of(p, w, w.at, &n.name))) return st;
    if (p->w.kind == TOKEN_AT && (st = tap_of(p, w, &n.name))) return st;
    return formula_add_node(p, n, out);
}

static perc_status literal(struct parser *p, uint32_t *out)
{
    const struct token w = p->w;
    perc_status st;

    switch (w.kind) {
    case TOKEN_NAME: return name(p, out);
    case TOKEN_NUMBER:
    case TOKEN_TRUE:
    case TOKEN_FALSE: return constant(p, out);
    default: break;
    }
    if (p->depth == FORMULA_DEPTH) return formula_refuse_depth(p);
    p->depth++;
    switch (w.kind) {
    case TOKEN_OPEN:
        formula_next_token(p);
        if ((st = formula_equivalence(p, out))) break;
        if (p->w.kind != TOKEN_CLOSE) st = formula_refuse_unclosed(p, w.at);
        else formula_next_token(p);
        break;
    case TOKEN_ATLEAST:
    case TOKEN_ATMOST:
    case TOKEN_EXACTLY:
    case TOKEN_MAJORITY: st = counting(p, out); break;
    case TOKEN_NEURON: st = formula_neuron(p, out); break;
    case TOKEN_NOT:
        formula_next_token(p);
        st = literal(p, out);
        if (st == PERC_OK) st = negate(p, w, out);
        break;
    default: p->depth--; return formula_refuse_operand(p);
    }
    p->depth--;
    return st;
}

/* ----- chains ---------------------------------------------------------------- */

/* Operators that form chains; nand and nor, the inverses of a chain of two, do not. */
static const struct level {
    enum token_kind plain, inverse; /* the same: there is no inverse */
    enum op op;
} levels[] = {
    { TOKEN_OR, TOKEN_NOR, OP_OR },
    { TOKEN_XOR, TOKEN_XOR, OP_XOR },
    { TOKEN_AND, TOKEN_NAND, OP_AND },
};

static bool joins(const struct level *l, struct token w)
{
    return w.kind == l->plain || w.kind == l->inverse;
}

static perc_status chain(struct parser *p, size_t level, uint32_t *out)
{
    if (level == sizeof levels / sizeof *levels) return literal(p, out);

    const struct level *l = &levels[level];
    const size_t base = p->waiting;
    perc_status st = chain(p, level + 1, out);
    if (st || !joins(l, p->w)) return st;

    const struct token w = p->w;
    const bool inverse = w.kind != l->plain;
    if ((st = formula_push_operand(p, *out))) return st;
    while (joins(l, p->w)) {
        if (p->waiting > base + 1 && (inverse || p->w.kind != l->plain))
            return formula_refuse(&p->d, p->w.at,
                                  "%s after %s: which one comes first? Write parentheses",
                                  formula_quote(p->w).text, formula_quote(w).text);
        formula_next_token(p);
        if ((st = chain(p, level + 1, out)) || (st = formula_push_operand(p, *out))) return st;
    }
    st = make_parent(p, (struct node){ .op = l->op, .column = formula_column_of(p, w) }, base, out);
    return st || !inverse ? st : negate(p, w, out);
}

/* a -> b is !a | b. */
static perc_status implication(struct parser *p, uint32_t *out)
{
    const size_t base = p->waiting;
    perc_status st = chain(p, 0, out);

    if (st || p->w.kind != TOKEN_IMPLIES) return st;
    const struct token w = p->w;
    if (p->depth == FORMULA_DEPTH) return formula_refuse_depth(p);
    p->depth++;
    formula_next_token(p);
    if ((st = negate(p, w, out)) || (st = formula_push_operand(p, *out))) return st;
    if ((st = implication(p, out)) || (st = formula_push_operand(p, *out))) return st;
    p->depth--;
    return make_parent(p, (struct node){ .op = OP_OR, .column = formula_column_of(p, w) }, base,
                       out);
}

/* a <-> b is !(a ^ b). In a longer chain the negations cancel in pairs, and brackets may be put
 * anywhere: what is left depends on whether their number is odd. */
perc_status formula_equivalence(struct parser *p, uint32_t *out)
{
    const size_t base = p->waiting;
    perc_status st = implication(p, out);

    if (st || p->w.kind != TOKEN_IFF) return st;
    const struct token w = p->w;
    if ((st = formula_push_operand(p, *out))) return st;
    while (p->w.kind == TOKEN_IFF) {
        formula_next_token(p);
        if ((st = implication(p, out)) || (st = formula_push_operand(p, *out))) return st;
    }
    const bool odd = (p->waiting - base) % 2 == 0;
    st = make_parent(p, (struct node){ .op = OP_XOR, .column = formula_column_of(p, w) }, base,
                     out);
    return st || !odd ? st : negate(p, w, out);
}

/* ----- statements ------------------------------------------------------------ */

/* Whether w is the `=` after the left side of a definition, not that of a == b. */
static bool defines(struct token w)
{
    return w.kind == TOKEN_EQUALS && w.at[1] != '=';
}

/* w is the name on the left side, empty where there is none. */
static perc_status refuse_twice(const struct parser *p, const struct definition *d, struct token w)
{
    const struct name *n = &p->d.f.name[d->name];
    const struct definition *old = &p->d.def[n->root];
    const struct place first = formula_place(&p->d, p->d.text + old->column - 1);

    if (w.len == 0)
        return formula_refuse(&p->d, w.at,
                              "a formula without a name is called `out`, and `out` is defined at "
                              "%s already: write NAME = before one of them",
                              first.text);
    if (old->primed != d->primed)
        return formula_refuse(&p->d, w.at,
                              "`%.*s` is defined with ' and without, the first time at %s: it can "
                              "be a state or a wire, not both",
                              FORMULA_SHOWN, n->text, first.text);
    return formula_refuse(&p->d, w.at, "`%.*s` is defined twice, the first time at %s",
                          FORMULA_SHOWN, n->text, first.text);
}

/* What follows w and its prime is not `=`. */
static perc_status refuse_primed(const struct parser *p, struct token w)
{
    const int len = (int)(w.len < FORMULA_SHOWN ? w.len : FORMULA_SHOWN);

    if (p->w.kind == TOKEN_PRIME)
        return formula_refuse(&p->d, p->w.at,
                              "a second prime: %.*s' is the value one step later; for one more "
                              "step define another state",
                              len, w.at);
    return formula_refuse(&p->d, p->w.at,
                          "after %.*s' comes %s and not `=`: a primed name, the value one step "
                          "later, can only be defined",
                          len, w.at, formula_quote(p->w).text);
}

/* Reads NAME = or NAME' = if it comes next; else w->len is 0. */
static perc_status left_side(struct parser *p, bool *primed, struct token *w)
{
    const struct token after = formula_token_read(p->w.at + p->w.len);

    *w = p->w;
    *primed = after.kind == TOKEN_PRIME && w->kind == TOKEN_NAME;
    if (!*primed && !defines(after)) {
        w->len = 0;
        return PERC_OK;
    }
    if (formula_token_is_reserved(*w))
        return formula_refuse(&p->d, w->at, "%s is a reserved word: choose another name",
                              formula_quote(*w).text);
    if (w->kind == TOKEN_NUMBER)
        return formula_refuse(&p->d, w->at, "%s is not a name: names begin with a letter or _",
                              formula_quote(*w).text);
    if (w->kind != TOKEN_NAME) { /* it will be refused for what it is */
        w->len = 0;
        return PERC_OK;
    }
    formula_next_token(p);
    if (*primed) formula_next_token(p);
    if (!defines(p->w)) return refuse_primed(p, *w);
    formula_next_token(p);
    return PERC_OK;
}

static perc_status add_definition(struct draft *d, const struct definition *def)
{
    if (!mem_grow(&d->f.e, (void **)&d->def, &d->def_cap, d->defs + 1, sizeof *d->def))
        return fail_memory(d->err);
    d->f.name[def->name].root = (uint32_t)d->defs;
    d->def[d->defs++] = *def;
    return PERC_OK;
}

static perc_status statement(struct parser *p)
{
    struct draft *d = &p->d;
    struct definition def = { .column = formula_column_of(p, p->w) };
    struct token w;
    perc_status st = left_side(p, &def.primed, &w);

    if (st) return st;
    const struct token name = { TOKEN_NAME, w.len > 0 ? w.at : "out", w.len > 0 ? w.len : 3 };
    if ((st = formula_name_of(p, name, w.at, &def.name))) return st;
    def.node = (uint32_t)d->f.nodes;
    def.child = (uint32_t)d->f.children;
    if ((st = formula_equivalence(p, &def.root))) return st;
    def.node_end = (uint32_t)d->f.nodes;
    def.child_end = (uint32_t)d->f.children;
    if (p->w.kind != TOKEN_SEMICOLON && p->w.kind != TOKEN_END) return formula_refuse_follower(p);
    if (d->f.name[def.name].root != NOT_DEFINED) return refuse_twice(p, &def, w);
    d->f.name[def.name].column = def.column;
    d->f.name[def.name].delay = def.primed;
    d->f.cells += def.primed;
    return add_definition(d, &def);
}

/* x@3 as if it were a primed definition, x, that takes three steps. */
static perc_status define_taps(struct parser *p)
{
    struct draft *d = &p->d;
    perc_status st = PERC_OK;

    for (uint32_t i = 0; i < d->f.names && !st; i++) {
        const struct name *n = &d->f.name[i];
        if (!n->tap) continue;
        const uint32_t at = (uint32_t)d->f.nodes, child = (uint32_t)d->f.children;
        struct definition def = { i, at, at, at + 1, child, child, true, n->column };
        struct node now = { .op = OP_NAME, .column = n->column };
        const struct token w = { TOKEN_NAME, n->text, strcspn(n->text, "@") };
        if (!(st = formula_name_of(p, w, w.at, &now.name)) &&
            !(st = formula_add_node(p, now, &def.root)))
            st = add_definition(d, &def);
    }
    return st;
}

perc_status formula_parse(const struct env *e, const char *text, struct formula *out,
                          perc_error *err)
{
    struct parser p = { .d = { .text = text, .f = { .e = *e }, .err = err } };
    perc_status st;

    memset(out, 0, sizeof *out);
    if (strlen(text) > FORMULA_TEXT)
        return formula_refuse(&p.d, text, "the formula has %zu bytes, more than %d", strlen(text),
                              FORMULA_TEXT);
    p.slot = mem_zeroed(e, SLOTS, sizeof *p.slot);
    p.w = formula_token_read(text);
    st = p.slot != NULL ? PERC_OK : fail_memory(err);
    if (st == PERC_OK && p.w.kind == TOKEN_END)
        st = formula_refuse(&p.d, text, "the formula is empty: write one, such as a & !b");
    while (st == PERC_OK && p.w.kind != TOKEN_END) {
        st = statement(&p);
        if (p.w.kind == TOKEN_SEMICOLON) formula_next_token(&p);
    }
    if (st == PERC_OK) st = define_taps(&p);
    if (st == PERC_OK) st = formula_draft_order(&p.d);
    mem_free(e, p.slot, SLOTS, sizeof *p.slot);
    mem_free(e, p.stack, p.stack_cap, sizeof *p.stack);
    mem_free(e, p.decimal, p.decimal_cap, sizeof *p.decimal);
    mem_free(e, p.d.def, p.d.def_cap, sizeof *p.d.def);
    if (st) formula_free(&p.d.f);
    else *out = p.d.f; /* the caller's now */
    return st;
}
