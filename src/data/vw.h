/* vw.h -- Vowpal Wabbit's text: an example a line, features with names.
 *
 *     [label [importance [base]]] ['tag]|namespace[:scale] feature[:value] ... |namespace ...
 *
 * A feature of a namespace is called namespace^feature, one of the default namespace by its own
 * name; a value that is no number is part of the name (city:oslo is city^oslo). Its value is times
 * the scale of the namespace, 1 if it has none, and what occurs twice is added up. docs/formats.md
 * has the rest.
 *
 * In a schema that is two columns: "label", and one of text without a name, whose words are the
 * features. No table has a column without a name. */
#ifndef PERC_VW_H
#define PERC_VW_H

#include "data/csv.h"

/* Whether a model was trained on such text. */
bool vw_is_schema(const struct schema *s);
/* Whether the text begins with lines that have bars, and pairs that are no cells of a table. */
bool vw_looks_like(const char *text, size_t len);
/* As csv_open: the options are "hash" and "float32", and `keep` may be "tag". */
perc_status vw_open(const struct env *e, const char *text, size_t len, const perc_params *data,
                    const struct schema *model, const char *keep, struct csv *out, char *note,
                    perc_error *err);
/* As csv_parse; what it leaves is for csv_merge. */
perc_status vw_parse(const struct csv *c, const char *text, size_t len, struct rows *r,
                     struct csv_chunk *local, perc_error *err);

#endif
