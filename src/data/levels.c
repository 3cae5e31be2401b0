/* levels.c -- which levels of a category have features.
 *
 * In this order, as a pipeline that fills before it encodes:
 *
 *   fill=frequent     the gaps are the level that most rows have, of equals the one met first
 *   reference=LEVEL   that level; first: the one met first; frequent: the one that most rows have;
 *                     of the latter two none that is rare
 *   rare=N            a level that fewer than N rows have, gaps counted as what they are, and that
 *                     is not the reference, is the level SCHEMA_RARE, as is any that was not met
 *
 * Levels that stay keep their order. Weights of rows play no part, nor does what is held out. */
#include "data/levels.h"

#include <string.h>

#include "data/csv_cell.h"

static bool has_reference(const struct treatment *how)
{
    return how->first || how->most || how->reference != NULL;
}

static bool is_measured(const struct column *c)
{
    return c->kind == COLUMN_CATEGORY &&
           (c->how.rare > 0 || c->how.fill == FILL_FREQUENT || has_reference(&c->how));
}

bool levels_are_measured(const struct schema *s)
{
    for (size_t i = 0; i < s->columns && s->hash_bits == 0; i++)
        if (is_measured(&s->column[i])) return true;
    return false;
}

/* ----- settling --------------------------------------------------------------------- */

enum { NO_LEVEL = -1 };

struct settling {
    const struct env *e;
    const struct schema *wide;
    struct schema *out;
    uint64_t *rows; /* by level */
    int64_t *most;  /* by column: a level, or NO_LEVEL */
    perc_error *err;
};

/* most[i]: the level of column i that most rows have; or that can be its reference, of those that
 * are not rare. */
static void find_most(struct settling *s, bool reference)
{
    for (size_t i = 0; i < s->wide->columns; i++) s->most[i] = NO_LEVEL;
    for (size_t k = 0; k < s->wide->categories; k++) {
        const struct category *c = &s->wide->category[k];
        const struct treatment *how = &s->wide->column[c->column].how;
        int64_t *most = &s->most[c->column];
        const bool first = reference && how->first;
        if (c->special != SCHEMA_TEXT || s->rows[k] == 0 || (reference && s->rows[k] < how->rare))
            continue;
        if (*most == NO_LEVEL || (!first && s->rows[k] > s->rows[*most])) *most = (int64_t)k;
    }
}

/* Takes a text as that of a level, unless there is one. */
static perc_status take_level(const struct env *e, const char *text, char **to)
{
    if (*to == NULL) *to = mem_text(e, text, strlen(text));
    return *to != NULL ? PERC_OK : PERC_ENOMEM;
}

/* The gaps of a column are the level of most rows. */
static perc_status settle_gaps(struct settling *s)
{
    const struct schema *wide = s->wide;

    find_most(s, false);
    for (size_t i = 0; i < wide->columns; i++)
        if (wide->column[i].how.fill == FILL_FREQUENT && s->most[i] != NO_LEVEL &&
            take_level(s->e, wide->category[s->most[i]].text, &s->out->column[i].frequent))
            return PERC_ENOMEM;
    for (size_t k = 0; k < wide->categories; k++) {
        const struct category *c = &wide->category[k];
        const int64_t most = s->most[c->column];
        if (c->special == SCHEMA_MISSING && most != NO_LEVEL &&
            wide->column[c->column].how.fill == FILL_FREQUENT)
            s->rows[most] += s->rows[k];
    }
    return PERC_OK;
}

static perc_status settle_references(struct settling *s)
{
    const struct schema *wide = s->wide;

    find_most(s, true);
    for (size_t i = 0; i < wide->columns; i++) {
        const struct treatment *how = &wide->column[i].how;
        const char *text = how->reference;
        if ((how->first || how->most) && s->most[i] != NO_LEVEL)
            text = wide->category[s->most[i]].text;
        if (text != NULL && take_level(s->e, text, &s->out->column[i].reference))
            return PERC_ENOMEM;
    }
    return PERC_OK;
}

/* A level that nobody has is a slip of the pen. */
static perc_status check_references(const struct settling *s)
{
    char level[CELL_BUFFER], name[CELL_BUFFER];

    for (uint32_t i = 0; i < s->wide->columns; i++) {
        const struct column *c = &s->wide->column[i];
        const char *text = c->how.reference;
        if (text == NULL || c->reference != NULL ||
            schema_find(s->wide, i, text, strlen(text)) != UINT32_MAX)
            continue;
        return fail(s->err, PERC_EDATA,
                    "no row has the level '%s', which --columns says is the reference of column "
                    "'%s'",
                    csv_cell_show(text, strlen(text), level),
                    csv_cell_show(c->name, strlen(c->name), name));
    }
    return PERC_OK;
}

static bool has_feature(const struct settling *s, size_t k)
{
    const struct category *l = &s->wide->category[k];
    const struct column *c = &s->out->column[l->column];

    if (l->special == SCHEMA_MISSING) return c->how.fill != FILL_FREQUENT;
    if (l->special != SCHEMA_TEXT || c->kind != COLUMN_CATEGORY) return true;
    if (c->reference != NULL && strcmp(l->text, c->reference) == 0) return false;
    return s->rows[k] >= c->how.rare;
}

perc_status levels_settle(const struct env *e, const struct schema *wide, const uint64_t *rows,
                          bool strict, struct schema *out, perc_error *err)
{
    struct settling s = { .e = e, .wide = wide, .out = out, .err = err };
    uint32_t feature;
    perc_status st = schema_copy_columns(e, wide, out);

    s.rows = mem_array(e, wide->categories, sizeof *s.rows);
    s.most = mem_array(e, wide->columns, sizeof *s.most);
    if (st || s.rows == NULL || s.most == NULL) {
        st = PERC_ENOMEM;
    } else {
        if (wide->categories > 0) memcpy(s.rows, rows, wide->categories * sizeof *rows);
        st = settle_gaps(&s);
        if (!st) st = settle_references(&s);
    }
    for (size_t k = 0; !st && k < wide->categories; k++)
        if (has_feature(&s, k)) st = schema_add_level(out, &wide->category[k], &feature);
    mem_free(e, s.rows, wide->categories, sizeof *s.rows);
    mem_free(e, s.most, wide->columns, sizeof *s.most);
    if (st) return fail_memory(err);
    return strict ? check_references(&s) : PERC_OK;
}

/* ----- finding ---------------------------------------------------------------------- */

uint32_t levels_find_text(const struct schema *s, uint32_t column, const char *text, size_t len,
                          bool *known)
{
    const struct column *c = &s->column[column];
    uint32_t feature = schema_find(s, column, text, len);

    *known = true;
    if (feature != UINT32_MAX) return feature;
    if (c->reference != NULL && strlen(c->reference) == len && memcmp(c->reference, text, len) == 0)
        return UINT32_MAX;
    if (c->how.rare > 0) feature = schema_find_special(s, column, SCHEMA_RARE);
    *known = feature != UINT32_MAX;
    return feature;
}

uint32_t levels_find(const struct schema *s, const struct category *of)
{
    const struct column *c = &s->column[of->column];
    const char *text = of->text;
    const uint32_t feature = schema_find_level(s, of);
    bool known;

    if (feature != UINT32_MAX || of->special == SCHEMA_RARE) return feature;
    if (of->special == SCHEMA_MISSING) text = c->frequent;
    return text != NULL ? levels_find_text(s, of->column, text, strlen(text), &known) : UINT32_MAX;
}
