/* levels.h -- which levels of a category have features: those that are rare are one, a reference
 * level has none, and a gap can be the level that most rows have.
 *
 * All of that is measured on rows, as a mean is. So a table is read with every level as a feature
 * of its own and the gaps as one, and settled once its rows, or those of a part, are counted. The
 * settled schema says how any other table becomes the same: a model keeps it. */
#ifndef PERC_LEVELS_H
#define PERC_LEVELS_H

#include "data/schema.h"

/* Whether a column has levels that only rows can settle. */
bool levels_are_measured(const struct schema *s);
/* *out: the columns of `wide` and those of its levels that have features, where `rows[k]` rows have
 * level k. What is settled already stays. PERC_ENOMEM; PERC_EDATA: a reference level does not
 * occur, where `strict`. *out may be freed in any case. */
perc_status levels_settle(const struct env *e, const struct schema *wide, const uint64_t *rows,
                          bool strict, struct schema *out, perc_error *err);
/* The feature of a cell with this text; UINT32_MAX: it has none. *known: that is as it should be,
 * and not for want of having met it. */
uint32_t levels_find_text(const struct schema *s, uint32_t column, const char *text, size_t len,
                          bool *known);
/* The feature that stands for what a level of another schema, of the same columns, stands for. */
uint32_t levels_find(const struct schema *s, const struct category *of);

#endif
