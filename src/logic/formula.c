/* formula.c -- formulas, evaluated: one assignment by bytes, all of them by words.
 *
 * A truth table is made of words of 64 rows. Row r gives name i the bit i of r, so in a word the
 * first six names have a pattern each, 1010..., 1100..., and the others are all ones or zeros. To
 * add up the weights of many children in each row, the sums are kept as binary numbers across
 * words: word j holds bit j of the sums of 64 rows. */
#include "logic/formula.h"

#include <string.h>

#include "base/pool.h"

void formula_free(struct formula *f)
{
    for (size_t i = 0; i < f->names; i++) mem_free_text(&f->e, f->name[i].text);
    mem_free(&f->e, f->name, f->name_cap, sizeof *f->name);
    mem_free(&f->e, f->node, f->node_cap, sizeof *f->node);
    mem_free(&f->e, f->child, f->child_cap, sizeof *f->child);
    mem_free(&f->e, f->weight, f->weight_cap, sizeof *f->weight);
    memset(f, 0, sizeof *f);
}

size_t formula_find(const struct formula *f, const char *text, size_t len)
{
    for (size_t i = 0; i < f->names; i++)
        if (strncmp(f->name[i].text, text, len) == 0 && f->name[i].text[len] == '\0') return i;
    return SIZE_MAX;
}

/* By insertion: outputs are few, and mostly in order. */
size_t formula_outputs(const struct formula *f, uint32_t *name, size_t most)
{
    size_t n = 0;

    for (uint32_t i = 0; i < f->names; i++) {
        if (!f->name[i].output) continue;
        size_t at = n++;
        while (at > 0 && (at > most || f->name[name[at - 1]].column > f->name[i].column)) {
            if (at < most) name[at] = name[at - 1];
            at--;
        }
        if (at < most) name[at] = i;
    }
    return n;
}

/* ----- one assignment -------------------------------------------------------- */

static unsigned char byte_of(const struct formula *f, const struct node *n,
                             const unsigned char *value, const unsigned char *done)
{
    int64_t ones = 0;

    if (n->op == OP_CONSTANT) return n->value;
    if (n->op == OP_NAME) return value[n->name] != 0;
    for (uint32_t i = n->first; i < n->first + n->count; i++)
        ones += f->weight[i] * done[f->child[i]];
    switch (n->op) {
    case OP_NOT: return ones == 0;
    case OP_AND: return ones == n->count;
    case OP_OR: return ones > 0;
    case OP_XOR: return ones % 2 == 1;
    default: return ones >= n->least;
    }
}

void formula_step(const struct formula *f, unsigned char *value, unsigned char *next,
                  unsigned char *scratch)
{
    const size_t wires = f->inputs + f->states;
    size_t wire = wires;

    for (size_t i = 0; i < f->nodes; i++) {
        scratch[i] = byte_of(f, &f->node[i], value, scratch);
        if (wire < f->names && f->name[wire].root == i) value[wire++] = scratch[i];
    }
    for (size_t k = 0; next != NULL && k < f->states; k++)
        next[k] = scratch[f->name[f->inputs + k].root];
}

/* ----- all assignments ------------------------------------------------------- */

enum { WORDS = 8, DIGITS = 49 }; /* words at a time; digits of a sum of up to FORMULA_SUM */

struct row_words {
    uint64_t w[WORDS];
};

/* Marks what the node needs, wires followed, by a sweep from it to the first node. */
static void mark_needed(const struct formula *f, uint32_t node, unsigned char *needed)
{
    memset(needed, 0, (size_t)node + 1);
    needed[node] = 1;
    for (size_t i = (size_t)node + 1; i-- > 0;) {
        const struct node *n = &f->node[i];
        if (!needed[i]) continue;
        if (n->op == OP_NAME && f->name[n->name].role == ROLE_WIRE)
            needed[f->name[n->name].root] = 1;
        for (uint32_t k = 0; k < n->count; k++) needed[f->child[n->first + k]] = 1;
    }
}

static void fill_words(struct row_words *b, bool one)
{
    memset(b, one ? 0xFF : 0, sizeof *b);
}

/* A sum in the making: its digits, the lowest first, and the largest that it can be. */
struct sum_words {
    struct row_words digit[DIGITS];
    size_t digits;
    uint64_t most;
};

/* Adds 2^bit where x is 1. */
static void add_power(struct sum_words *s, size_t bit, const struct row_words *x)
{
    struct row_words carry = *x;

    for (size_t j = bit * WORDS; j < s->digits * WORDS; j++) {
        uint64_t *at = &s->digit[j / WORDS].w[j % WORDS], *c = &carry.w[j % WORDS];
        const uint64_t both = *at & *c;
        *at ^= *c;
        *c = both;
    }
}

static void add_weighted(struct sum_words *s, uint64_t weight, const struct row_words *x)
{
    s->most += weight;
    while (s->most >> s->digits != 0) fill_words(&s->digit[s->digits++], false);
    for (size_t bit = 0; weight >> bit != 0; bit++)
        if (weight >> bit & 1) add_power(s, bit, x);
}

/* Where the sum is at least n->least: compared from the lowest digit to the highest. A negative
 * weight counts where its child is 0: w x = w + |w| (1 - x). */
static void at_least(const struct formula *f, const struct node *n, const struct row_words *done,
                     struct row_words *b)
{
    struct sum_words s = { .digits = 0, .most = 0 };
    int64_t least = n->least;

    for (uint32_t i = n->first; i < n->first + n->count; i++) {
        const int64_t w = f->weight[i];
        struct row_words x = done[f->child[i]];
        for (size_t k = 0; k < WORDS && w < 0; k++) x.w[k] = ~x.w[k];
        least -= w < 0 ? w : 0;
        add_weighted(&s, (uint64_t)(w < 0 ? -w : w), &x);
    }
    fill_words(b, least <= (int64_t)s.most);
    for (size_t j = 0; j < s.digits && least <= (int64_t)s.most; j++)
        for (size_t k = 0; k < WORDS; k++) {
            if ((uint64_t)least >> j & 1) b->w[k] &= s.digit[j].w[k];
            else b->w[k] |= s.digit[j].w[k];
        }
}

static void chain_words(const struct formula *f, const struct node *n, const struct row_words *done,
                        struct row_words *b)
{
    *b = done[f->child[n->first]];
    for (uint32_t i = 1; i < n->count; i++) {
        const struct row_words *x = &done[f->child[n->first + i]];
        for (size_t k = 0; k < WORDS; k++) {
            if (n->op == OP_AND) b->w[k] &= x->w[k];
            else if (n->op == OP_OR) b->w[k] |= x->w[k];
            else b->w[k] ^= x->w[k];
        }
    }
}

static void node_words(const struct formula *f, const struct node *n, const struct row_words *value,
                       struct row_words *done, struct row_words *b)
{
    switch (n->op) {
    case OP_CONSTANT: fill_words(b, n->value); break;
    case OP_NAME:
        *b = f->name[n->name].role == ROLE_WIRE ? done[f->name[n->name].root] : value[n->name];
        break;
    case OP_NOT:
        for (size_t k = 0; k < WORDS; k++) b->w[k] = ~done[f->child[n->first]].w[k];
        break;
    case OP_ATLEAST: at_least(f, n, done, b); break;
    default: chain_words(f, n, done, b); break;
    }
}

perc_status formula_table(const struct formula *f, uint32_t node, const uint32_t *name, size_t n,
                          uint64_t *table)
{
    static const uint64_t small[] = { 0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
                                      0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000 };
    const size_t nodes = (size_t)node + 1, rows = (size_t)1 << n, words = (rows + 63) / 64;
    struct pool pool;

    pool_init(&pool, &f->e);
    unsigned char *needed = pool_array(&pool, nodes, 1);
    struct row_words *value = pool_zeroed(&pool, f->inputs + f->states, sizeof *value);
    struct row_words *done = pool_array(&pool, nodes, sizeof *done); /* of nodes */
    if (!pool.failed) mark_needed(f, node, needed);
    for (size_t word = 0; word < words && !pool.failed; word += WORDS) {
        for (size_t i = 0; i < n; i++) /* variable i in the words from this one on */
            for (size_t k = 0; k < WORDS; k++)
                value[name[i]].w[k] = i < 6 ? small[i] : -(uint64_t)((word + k) >> (i - 6) & 1);
        for (size_t i = 0; i < nodes; i++)
            if (needed[i]) node_words(f, &f->node[i], value, done, &done[i]);
        const size_t left = words - word < WORDS ? words - word : WORDS;
        memcpy(table + word, done[node].w, left * sizeof *table);
    }
    if (rows < 64 && !pool.failed) table[0] &= ((uint64_t)1 << rows) - 1;
    pool_free(&pool);
    return pool.failed ? PERC_ENOMEM : PERC_OK;
}

size_t formula_support(const struct formula *f, uint32_t node, uint32_t *name, size_t most)
{
    const size_t nodes = (size_t)node + 1, cells = f->inputs + f->states;
    unsigned char *needed = mem_array(&f->e, nodes, 1), *used = mem_zeroed(&f->e, cells, 1);
    size_t n = needed != NULL && used != NULL ? 0 : SIZE_MAX;

    if (n == 0) {
        mark_needed(f, node, needed);
        for (size_t i = 0; i < nodes; i++)
            if (needed[i] && f->node[i].op == OP_NAME && f->node[i].name < cells)
                used[f->node[i].name] = 1;
        for (uint32_t i = 0; i < cells; i++) {
            if (!used[i]) continue;
            if (n < most) name[n] = i;
            n++;
        }
    }
    mem_free(&f->e, needed, nodes, 1);
    mem_free(&f->e, used, cells, 1);
    return n;
}
