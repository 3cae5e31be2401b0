/* formula_draft.h -- a formula whose text was read, and whose names are not in order yet. */
#ifndef PERC_FORMULA_DRAFT_H
#define PERC_FORMULA_DRAFT_H

#include "logic/formula.h"

#define NOT_DEFINED UINT32_MAX

struct definition {
    uint32_t name, root;
    uint32_t node, node_end;   /* its nodes, which stand together */
    uint32_t child, child_end; /* and their children              */
    bool primed;
    int column;
};

struct draft {
    const char *text;
    struct formula f; /* names as they come in the text; root: the definition's number */
    struct definition *def;
    size_t defs, def_cap;
    perc_error *err;
};

/* Gives names their roles, puts them and the nodes in order (formula.h), and finds the outputs.
 * PERC_EDATA: a circle of wires. PERC_ENOMEM. */
perc_status formula_draft_order(struct draft *d);

/* PERC_EDATA, at the place `at` of the text. */
perc_status formula_refuse(const struct draft *d, const char *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* "column 7", "line 2, column 7" in a text of several lines. */
struct place {
    char text[48];
};
struct place formula_place(const struct draft *d, const char *at);

#endif
