/* csv_match.c -- the columns of a table beside those that a model was trained on.
 *
 * The model's schema is law. With a header in the file and names in the model,
 * columns are matched by name in any order. A column that the model does not know is
 * left out, and counted; one that it learned from and the file lacks is an error, so
 * that a misspelt name cannot go unnoticed. The label and the weight may be absent, and
 * what training left out is left out again. Without names, columns are matched by
 * position, with or without the label. */
#include <string.h>

#include "base/spelling.h"
#include "data/csv_open.h"

/* Yes, if it names at least half of the model's features, or looks unlike the rest. */
bool csv_model_header(const struct opening *o, const struct schema *model)
{
    size_t features = 0, met = 0;

    for (size_t k = 0; k < model->columns; k++) {
        const char *name = model->column[k].name;
        if (!is_feature(&model->column[k])) continue;
        features++;
        met += find_name(&o->names, name, strlen(name)) != NOWHERE;
    }
    return (model->header && 2 * met >= features) || csv_survey_breaks(&o->v);
}

static bool is_read(const struct column *c)
{
    return c->kind != COLUMN_SKIP && c->kind != COLUMN_ID;
}

static perc_status match_names(struct opening *o, const struct schema *model, bool *used)
{
    struct schema known;
    char buf[24];
    perc_status st = PERC_OK;

    schema_init(&known, &o->c->schema.e);
    for (size_t k = 0; k < model->columns && !st; k++)
        if (csv_add_name(&known, k, model->column[k].name)) st = fail_memory(o->err);
    for (size_t f = 0; f < o->v.columns && !st; f++) {
        const char *name = csv_file_name(o, f, buf);
        const uint32_t k = find_name(&known, name, strlen(name));
        if (o->kind[f] == COLUMN_SKIP) continue;
        if (k == NOWHERE) {
            csv_note_ignored(o, f, name);
            continue;
        }
        if (used[k]) st = csv_named_twice(o, f);
        used[k] = true;
        if (is_read(&model->column[k])) o->c->map[f] = k;
    }
    schema_free(&known);
    return st;
}

struct spare_names {
    const struct opening *o;
    size_t f; /* the next to look at */
    char buf[24];
};

/* The columns of the file that are nobody's. */
static const char *next_spare(void *ud, size_t i)
{
    struct spare_names *n = ud;

    if (i == 0) n->f = 0;
    while (n->f < n->o->v.columns && n->o->c->map[n->f] != NOWHERE) n->f++;
    return n->f < n->o->v.columns ? csv_file_name(n->o, n->f++, n->buf) : NULL;
}

static perc_status no_feature(const struct opening *o, const char *name)
{
    struct spare_names spare = { .o = o };
    char shown[CELL_BUFFER], hint[SPELLING_HINT];

    return fail(o->err, PERC_EDATA, "the table lacks the column '%s', which the model uses%s",
                csv_cell_show(name, strlen(name), shown),
                o->c->skip_first ? spelling_hint(name, next_spare, &spare, hint) : "");
}

static perc_status match_positions(struct opening *o, const struct schema *model, bool *used)
{
    const size_t n = o->v.columns;
    size_t label = model->columns;

    for (size_t k = 0; k < model->columns; k++)
        if (model->column[k].kind == COLUMN_LABEL) label = k;
    if (n != model->columns && (n + 1 != model->columns || label == model->columns))
        return fail(o->err, PERC_EDATA,
                    "the table has %zu columns, but the model was trained on %zu%s", n,
                    model->columns, label < model->columns ? ", the label among them" : "");
    for (size_t f = 0; f < n; f++) {
        const size_t k = f + (n < model->columns && f >= label);
        if (o->kind[f] == COLUMN_SKIP) continue;
        used[k] = true;
        if (is_read(&model->column[k])) o->c->map[f] = (uint32_t)k;
    }
    return PERC_OK;
}

perc_status csv_match_model(struct opening *o, const struct schema *model)
{
    struct csv *c = o->c;
    const struct env *e = &c->schema.e;
    char buf[24], shown[CELL_BUFFER];
    perc_status st = csv_assign_list(o, "ignore", COLUMN_SKIP);
    bool *used = mem_zeroed(e, model->columns, sizeof *used);

    c->map = mem_array(e, o->v.columns, sizeof *c->map);
    if (!st && (used == NULL || c->map == NULL)) st = fail_memory(o->err);
    for (size_t f = 0; c->map != NULL && f < o->v.columns; f++) c->map[f] = NOWHERE;
    if (!st)
        st = c->skip_first && model->header ? match_names(o, model, used)
                                            : match_positions(o, model, used);
    /* With a model, --text may only repeat what the model says, as in a second pass over a
     * file. */
    if (!st) st = csv_assign_list(o, "text", COLUMN_TEXT);
    for (size_t f = 0; f < o->v.columns && !st; f++) {
        const uint32_t k = c->map[f];
        if (o->kind[f] != COLUMN_TEXT || (k != NOWHERE && model->column[k].kind == COLUMN_TEXT))
            continue;
        const char *name = csv_file_name(o, f, buf);
        st = fail(o->err, PERC_EARG,
                  "text: the model does not take column '%s' as text (leave out --text)",
                  csv_cell_show(name, strlen(name), shown));
    }
    for (size_t k = 0; k < model->columns && !st; k++) {
        if (model->column[k].kind == COLUMN_LABEL) c->labelled = used[k];
        if (used[k] || !is_feature(&model->column[k])) continue;
        st = no_feature(o, model->column[k].name);
    }
    mem_free(e, used, model->columns, sizeof *used);
    return st;
}
