/* carry.h -- cells of a table that go along with its rows, as text: `predict --keep`.
 *
 * Which columns they are is decided once, when the table is opened (struct carry). Each chunk of
 * text then has its cells (struct carried), as they stand in the file but for the quotes and, in
 * quotes, the doubling of these; blanks around a cell without quotes are part of it. A row that is
 * left out takes its cells with it. */
#ifndef PERC_CARRY_H
#define PERC_CARRY_H

#include "base/base.h"

struct carry_column {
    size_t at;    /* column of the file, from 0 */
    size_t place; /* among those that were named */
    char *name;
};

struct carry {
    struct env e;
    struct carry_column *column; /* in the order of the file */
    size_t n, cap;
};

void carry_free(struct carry *c); /* safe on a zeroed one */
/* Adds a column. *twice: it is there already, and was not added. PERC_ENOMEM. */
perc_status carry_add(struct carry *c, size_t at, const char *name, bool *twice);
/* Whether column `at` of the file is one of them. */
bool carry_has(const struct carry *c, size_t at);
/* The name of the column that was named k-th, from 0, or NULL. */
const char *carry_name(const struct carry *c, size_t k);

struct carried {
    struct text text; /* of the cells, each with a NUL behind it */
    size_t *at;       /* cell k of row i begins at text.s[at[i * columns + k]] */
    size_t cap;
};

void carry_release(struct carried *c); /* safe on a zeroed one */
/* Puts the cell of column k of `columns` into row i, the one being built. false: out of memory. */
bool carry_put(struct carried *c, const struct env *e, size_t columns, size_t i, size_t k,
               const char *text, size_t len);

#endif
