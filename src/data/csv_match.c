/* csv_match.c -- the columns of a table beside those that a model was trained on.
 *
 * The model's schema is law. With a header in the file and names in the model,
 * columns are matched by name in any order; a column that the model does not know
 * is an error, since a misspelt name would otherwise go unnoticed, unless --keep
 * names it; and so is one that it knows and the file lacks. The label and the
 * weight may be absent, and what training left out is left out again. Without names,
 * columns are matched by position, with or without the label. */
#include <string.h>

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

static perc_status match_names(struct opening *o, const struct schema *model, bool *used)
{
    struct schema known;
    char buf[24], shown[CELL_BUFFER];
    perc_status st = PERC_OK;

    schema_init(&known, &o->c->schema.e);
    for (size_t k = 0; k < model->columns && !st; k++)
        if (csv_add_name(&known, k, model->column[k].name)) st = fail_memory(o->err);
    for (size_t f = 0; f < o->v.columns && !st; f++) {
        const char *name = csv_file_name(o, f, buf);
        const uint32_t k = find_name(&known, name, strlen(name));
        if (o->kind[f] == COLUMN_SKIP || (k == NOWHERE && carry_has(&o->c->carry, f))) continue;
        if (k == NOWHERE && o->c->keys != NULL) continue; /* an object may have other keys */
        if (k == NOWHERE) {
            csv_cell_show(name, strlen(name), shown);
            st = fail_at(o->err, PERC_EDATA, o->v.column[f].first_line, o->v.column[f].first_column,
                         "the model has no column '%s' (pass --ignore %zu to leave it out)", shown,
                         f + 1);
            break;
        }
        used[k] = true;
        if (model->column[k].kind != COLUMN_SKIP) o->c->map[f] = k;
    }
    schema_free(&known);
    return st;
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
        if (model->column[k].kind != COLUMN_SKIP) o->c->map[f] = (uint32_t)k;
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
    const bool names = c->keys != NULL || (c->skip_first && model->header);
    if (!st && names) st = csv_check_names(o);
    if (!st) st = names ? match_names(o, model, used) : match_positions(o, model, used);
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
        st = fail(o->err, PERC_EDATA, "the table lacks the column '%s', which the model uses",
                  csv_cell_show(model->column[k].name, strlen(model->column[k].name), shown));
    }
    mem_free(e, used, model->columns, sizeof *used);
    return st;
}
