/* formula_parser.h -- what reads a formula (formula_parse.c), its errors (formula_errors.c), and
 * the neurons that a formula writes (formula_neuron.c). */
#ifndef PERC_FORMULA_PARSER_H
#define PERC_FORMULA_PARSER_H

#include "logic/formula_draft.h"
#include "logic/formula_tokens.h"
#include "logic/formula_weights.h"

enum { FORMULA_SHOWN = 40 }; /* characters of a word in a message */

struct parser {
    struct draft d;
    struct token before, w; /* the one read last, and the one that is next */
    uint32_t *slot;         /* names by their hash: number + 1, or 0 */
    uint32_t *stack;        /* operands that wait for their parent */
    size_t waiting, stack_cap;
    struct decimal *decimal; /* weights of operands of neurons that wait */
    size_t decimals, decimal_cap;
    int depth;
};

void formula_next_token(struct parser *p);
static inline int formula_column_of(const struct parser *p, struct token w)
{
    return (int)(w.at - p->d.text) + 1;
}

/* Grammar: any formula; neuron( ... ), at that word. *out: the node. */
perc_status formula_equivalence(struct parser *p, uint32_t *out);
perc_status formula_neuron(struct parser *p, uint32_t *out);

/* The number of a name, which may be new; `at`: where the text has it, or leaves it out. */
perc_status formula_name_of(struct parser *p, struct token w, const char *at, uint32_t *out);
perc_status formula_add_node(struct parser *p, struct node n, uint32_t *out);
/* One more child, of weight 1. */
perc_status formula_add_child(struct parser *p, uint32_t child);
/* An operand that waits for its parent. */
perc_status formula_push_operand(struct parser *p, uint32_t node);

/* ----- errors: PERC_EDATA ------------------------------------------------------ */

/* A token as a message shows it: in quotes, and cut if it is long. */
struct shown {
    char text[FORMULA_SHOWN + 8];
};
struct shown formula_quote(struct token w);
/* An operand was expected, and the next token is not one. */
perc_status formula_refuse_operand(const struct parser *p);
/* A formula could end here, but what comes next neither continues nor ends it. */
perc_status formula_refuse_follower(const struct parser *p);
/* Likewise, before a parenthesis was closed. */
perc_status formula_refuse_unclosed(const struct parser *p, const char *open);
perc_status formula_refuse_depth(const struct parser *p);

#endif
