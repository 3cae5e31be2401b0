/* formula.h -- logic formulas as text: parsed, and evaluated.
 *
 *     a & b | !c                  one formula: its value is called `out`
 *     sum = a ^ b; carry = a & b  definitions
 *     s' = a | (s & !r); out = s  a primed name is the value one time step later
 *     neuron(a, -2 b : 0.5)       one neuron: it fires where a - 2 b >= 0.5
 *     a & a@3                     a name with @ is its value that many time steps ago
 *
 * Operators, the tightest first: ! ~ not; & && and nand; ^ xor; | || or nor;
 * -> => implies (to the right); <-> <=> iff. nand, nor bind as and, or do, and are not chained
 * (a nand b nand c asks for parentheses). atleast(k; x, y, ...), atmost, exactly, where k is 0 to
 * the number of arguments, and majority(x, ...): more than half of them. neuron(w x, v y, ... : t):
 * an argument may have a weight before it, a decimal, else it has the weight 1; weights alone are
 * those of inputs called x1, x2, ... Constants 0 1 true false.
 * Names: a letter or _, then letters, digits, _. Words are reserved in any case (AND is and).
 * Blanks and new lines only separate words; definitions end with ; and may come in any order.
 *
 * A name that is used and not defined is an input. A name with a primed definition is a state: a
 * cell of memory, 0 (or what is said) at the first step. x@3 is a state too, a *tap*, called that:
 * it has the value of x three steps later, and is 0 (or what is said) at the first three. All other
 * defined names are wires; wires may use each other, but not in a circle (an error that says where,
 * and that a delay, ', would break it). */
#ifndef PERC_FORMULA_H
#define PERC_FORMULA_H

#include "base/base.h"

enum {
    FORMULA_TEXT = 1 << 16,
    FORMULA_DEPTH = 200,
    FORMULA_NAMES = 4096,
    FORMULA_NAME = 64,
    FORMULA_TABLE = 20,
    FORMULA_CELLS = 1 << 20
}; /* at most: bytes, nesting, names, bytes of a name, names of a table, steps of all delays */
/* The weights of a neuron, as whole numbers, add up to less than this in size: what is merged into
 * it still leaves it below GATE_SUM. */
#define FORMULA_SUM ((int64_t)1 << 48)

enum op { OP_CONSTANT, OP_NAME, OP_NOT, OP_AND, OP_OR, OP_XOR, OP_ATLEAST };

/* NOT has one child; AND, OR, XOR (an odd number of ones) have two or more; ATLEAST has one or
 * more: the weights of the children that are 1 add up to `least` or more. It is at least the
 * lowest sum there is, which is always reached, and at most the highest and one, which never is.
 * Weights are 1 but for a neuron that the text writes. A node may be the child
 * of several (exactly uses its arguments twice): what walks from parents to children must remember
 * where it has been, or go through the nodes in their order instead. */
struct node {
    enum op op;
    bool value;            /* OP_CONSTANT */
    uint32_t name;         /* OP_NAME */
    int64_t least;         /* OP_ATLEAST: how many of the children, by their weights */
    bool written;          /* OP_ATLEAST: as neuron(...), a neuron that the network has as it is */
    uint32_t first, count; /* children: formula.child[first .. first + count - 1], node numbers */
    int column;            /* where it stands in the text, in bytes from 1, lines not counted */
};

enum role { ROLE_INPUT, ROLE_STATE, ROLE_WIRE };

struct name {
    char *text;
    enum role role;
    uint32_t root;  /* ROLE_STATE, ROLE_WIRE: the node that defines it */
    int column;     /* of its definition or, for an input, its first use; as in struct node */
    bool output;    /* a wire that no definition uses but as it was before, and `out`; if there is
                      none, every state that is no tap */
    bool tap;       /* a state called x@3: its root is the name x */
    uint32_t delay; /* ROLE_STATE: steps until it has the value of its root, 1 or more; else 0 */
};

struct formula {
    struct env e;
    struct node *node; /* children before their parents, the nodes of a wire before those that
                          use the wire: one sweep over all of them evaluates everything */
    size_t nodes, node_cap;
    uint32_t *child;
    int64_t *weight; /* of each child */
    size_t children, child_cap, weight_cap;
    struct name *name; /* inputs first, in the order of first use; then states, as defined; then
                          wires, in an order in which each uses only those before it */
    size_t names, name_cap, inputs, states, wires;
    size_t cells; /* of memory: the delays of all states */
};

/* PERC_EDATA with err's line and column in that line, from 1, and a text that says what was found
 * and what would be right; *out is zeroed then. nand, nor, implies, iff, atmost, exactly, majority
 * are written in the operators above. PERC_ENOMEM. */
perc_status formula_parse(const struct env *e, const char *text, struct formula *out,
                          perc_error *err);
void formula_free(struct formula *f); /* safe on a zeroed struct */

/* The name's number, or SIZE_MAX. */
size_t formula_find(const struct formula *f, const char *text, size_t len);
/* The outputs in the order of the text; at most `most` are written, the number of all is
 * returned. There is at least one. */
size_t formula_outputs(const struct formula *f, uint32_t *name, size_t most);

/* value: one per name, those of inputs and states given; fills in the wires. next: the next value
 * of each state (NULL: not wanted; value + inputs: in place). scratch: one per node. */
void formula_step(const struct formula *f, unsigned char *value, unsigned char *next,
                  unsigned char *scratch);

/* The truth table of a node over `n` names (inputs and states, by number), n <= FORMULA_TABLE: bit
 * r of the table is the value where bit i of r is the value of name[i]; an input or state that is
 * not among them is 0. Wires are followed. table has (2^n + 63) / 64 words; what is beyond 2^n
 * is 0. PERC_ENOMEM. */
perc_status formula_table(const struct formula *f, uint32_t node, const uint32_t *name, size_t n,
                          uint64_t *table);
/* The inputs and states that a node's text depends on, wires followed, increasing; at most
 * `most` are written, the number of all is returned. SIZE_MAX: out of memory. */
size_t formula_support(const struct formula *f, uint32_t node, uint32_t *name, size_t most);

#endif
