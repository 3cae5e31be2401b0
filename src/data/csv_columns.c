/* csv_columns.c -- a file that says what the columns of a table are (--columns), beside options.
 *
 * The file says something of some columns, options of some, and of the others the first look does
 * (csv_look.c). The file and an option may say the same; where they differ, the file's line is
 * refused. What is wrong with a line is told with its place in that file.
 *
 * A treatment is complete once the table is opened: what it leaves open is decided here, by
 * --missing and by what the table's beginning holds, and goes into the model with the rest, so that
 * whoever reads for the model later does the same. Means for gaps alone, in a table without any
 * treatment, are what models always had: they stay an option there, and such models as they were.
 *
 * Levels that stand for gaps or for rare levels get their features here, before any word of the
 * table. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "data/csv_open.h"

/* ----- the file ----------------------------------------------------------------------- */

static const char *path_of(const struct opening *o)
{
    return params_text(o->data, "columns");
}

perc_status csv_read_said(struct opening *o)
{
    if (*path_of(o) == '\0') return PERC_OK;
    return columns_read(&o->c->schema.e, path_of(o), &o->said, o->err);
}

void csv_free_said(struct opening *o)
{
    mem_free(&o->said.e, o->line, o->v.columns + 1, sizeof *o->line);
    columns_free(&o->said);
}

bool csv_said_names_first(const struct opening *o)
{
    int64_t position;

    for (size_t i = 0; i < o->said.n; i++) {
        const char *name = o->said.at[i].name;
        const size_t len = strlen(name);
        if (!number_parse_int(name, len, &position) && find_name(&o->names, name, len) != NOWHERE)
            return true;
    }
    return false;
}

/* Of a line, or of its kind. */
static perc_status wrong(const struct opening *o, const struct columns_line *l, bool kind,
                         const char *why)
{
    return columns_fail(o->err, path_of(o), l->line, kind ? l->kind_column : l->column, why);
}

static perc_status find_said(const struct opening *o, const struct columns_line *l, uint32_t *f)
{
    char place[128];

    snprintf(place, sizeof place, "--columns %.80s:%lld:%lld", path_of(o), (long long)l->line,
             (long long)l->column);
    if (!csv_find_column(o, place, l->name, strlen(l->name), f)) return PERC_OK;
    if (o->err != NULL) o->err->status = PERC_EDATA; /* a file is wrong, not an option */
    return PERC_EDATA;
}

/* There is one label, and one weight. */
static bool is_taken(const struct opening *o, enum column_kind kind, uint32_t f)
{
    if (kind != COLUMN_LABEL && kind != COLUMN_WEIGHT) return false;
    for (size_t i = 0; i < o->v.columns; i++)
        if (o->kind[i] == kind && i != f) return true;
    return false;
}

static perc_status assign_said(struct opening *o, const struct columns_line *l)
{
    char why[2 * CELL_BUFFER + 64], name[CELL_BUFFER];
    uint32_t f;
    perc_status st = find_said(o, l, &f);

    if (st) return st;
    csv_cell_show(l->name, strlen(l->name), name);
    if (o->line[f] != NULL) {
        snprintf(why, sizeof why, "column '%s' has a line already, line %lld", name,
                 (long long)o->line[f]->line);
        return wrong(o, l, false, why);
    }
    if (o->kind[f] != UNDECIDED && o->kind[f] != l->kind) {
        snprintf(why, sizeof why, "'%s' is %s here, and %s by an option (leave one out)", name,
                 columns_kind_word(l->kind), columns_kind_word((enum column_kind)o->kind[f]));
        return wrong(o, l, true, why);
    }
    if (is_taken(o, l->kind, f)) {
        snprintf(why, sizeof why, "there is another column that is the %s (leave one out)",
                 columns_kind_word(l->kind));
        return wrong(o, l, true, why);
    }
    o->line[f] = l;
    o->kind[f] = (unsigned char)l->kind;
    return PERC_OK;
}

perc_status csv_assign_said(struct opening *o)
{
    perc_status st = PERC_OK;

    for (size_t i = 0; i < o->said.n && !st; i++) st = assign_said(o, &o->said.at[i]);
    return st;
}

/* ----- treatments ---------------------------------------------------------------------- */

/* What a line asks for must be possible in this table. */
static perc_status check_said(const struct opening *o, const struct columns_line *l)
{
    const struct treatment *how = &l->how;

    if (o->c->schema.hash_bits > 0 &&
        (how->rare > 0 || how->first || how->most || how->reference != NULL || how->tfidf ||
         how->fill == FILL_FREQUENT))
        return wrong(o, l, true,
                     "rare, reference, fill=frequent and tfidf need levels and words that are kept "
                     "(leave out --hash)");
    if (how->fill == FILL_CONSTANT && o->c->float32 && !(fabs(how->constant) <= FLT_MAX))
        return wrong(o, l, true, "fill is too large for --float32");
    return PERC_OK;
}

/* Parts of dates, where nobody says which. */
static unsigned usual_parts(const struct look *k)
{
    return DATE_DAYS | DATE_WEEKDAY | DATE_MONTH | (k->timed > 0 ? DATE_HOUR : 0);
}

/* What --missing says goes into the treatments: the model keeps them. */
static void resolve_fills(struct opening *o)
{
    struct schema *s = &o->c->schema;
    const enum missing missing = o->c->missing;

    if (missing == MISSING_ERROR || (missing == MISSING_MEAN && !schema_has_treatments(s))) return;
    for (size_t f = 0; f < s->columns; f++) {
        struct column *c = &s->column[f];
        if (is_feature(c) && c->kind != COLUMN_TEXT) c->how.fill = csv_fill(missing, c);
    }
}

static perc_status add_specials(struct schema *s)
{
    uint32_t feature;

    for (uint32_t f = 0; f < s->columns && s->hash_bits == 0; f++) {
        const struct treatment *how = &s->column[f].how;
        const bool gaps = how->indicator || how->fill == FILL_FREQUENT || how->fill == FILL_LEVEL;
        if ((gaps && schema_add_special(s, f, SCHEMA_MISSING, &feature)) ||
            (how->rare > 0 && schema_add_special(s, f, SCHEMA_RARE, &feature)))
            return PERC_ENOMEM;
    }
    return PERC_OK;
}

perc_status csv_treat_columns(struct opening *o)
{
    struct schema *s = &o->c->schema;
    perc_status st;

    for (size_t f = 0; f < s->columns; f++) {
        const struct columns_line *l = o->line != NULL ? o->line[f] : NULL;
        struct column *c = &s->column[f];
        if (l != NULL && (st = check_said(o, l))) return st;
        if (l != NULL && columns_treatment_copy(&s->e, &l->how, &c->how))
            return fail_memory(o->err);
        if (c->kind == COLUMN_DATE && c->how.parts == 0)
            c->how.parts = usual_parts(&o->v.column[f]);
    }
    resolve_fills(o);
    s->numeric = 0;
    for (size_t f = 0; f < s->columns; f++) {
        s->column[f].feature = s->numeric;
        s->numeric += column_is_number(&s->column[f]);
    }
    return add_specials(s) ? fail_memory(o->err) : PERC_OK;
}

/* ----- with a model --------------------------------------------------------------------- */

/* Whether a column of the model is what the line says: what the line leaves open is the model's. */
static perc_status is_said(const struct opening *o, const struct columns_line *l,
                           const struct column *c, bool *same)
{
    struct treatment how;
    struct text a, b;

    *same = l->kind == c->kind;
    if (!*same) return PERC_OK;
    if (columns_treatment_copy(&o->said.e, &l->how, &how)) return PERC_ENOMEM;
    if (how.fill == FILL_OPTION) how.fill = c->how.fill;
    if (how.parts == 0) how.parts = c->how.parts;
    text_init(&a, &o->said.e);
    text_init(&b, &o->said.e);
    columns_treatment_write(&how, &a);
    columns_treatment_write(&c->how, &b);
    *same = a.len == b.len && (a.len == 0 || (!a.oom && !b.oom && memcmp(a.s, b.s, a.len) == 0));
    const bool oom = a.oom || b.oom;
    text_free(&a);
    text_free(&b);
    columns_treatment_free(&o->said.e, &how);
    return oom ? PERC_ENOMEM : PERC_OK;
}

perc_status csv_check_said(struct opening *o, const struct schema *model)
{
    const bool names = o->c->skip_first && model->header;
    char buf[24];

    for (size_t i = 0; i < o->said.n; i++) {
        const struct columns_line *l = &o->said.at[i];
        bool same = false;
        uint32_t f;
        perc_status st = find_said(o, l, &f);
        if (st) return st;
        for (size_t k = 0; k < model->columns && !same; k++) {
            const struct column *c = &model->column[k];
            if (names ? strcmp(c->name, csv_file_name(o, f, buf)) != 0 : k != f) continue;
            if (is_said(o, l, c, &same)) return fail_memory(o->err);
        }
        if (!same)
            return wrong(o, l, true,
                         "the model takes this column otherwise (leave out --columns: the model "
                         "knows its columns)");
    }
    return PERC_OK;
}

/* What --missing makes of a column that the model treats in its own way. Rows can always be left
 * out, or refused; and where the model was trained without such rows, it may be told what to make
 * of them now, if that takes nothing that it has not measured. */
static perc_status choose_fill(const struct opening *o, struct column *c)
{
    const struct column plain = { .kind = c->kind };
    const enum fill own = c->how.fill, asked = csv_fill(o->c->missing, &plain);
    const bool gone = own == FILL_DROP || own == FILL_ERROR;
    char shown[CELL_BUFFER];

    if (!params_given(o->data, "missing")) {
        if (own == FILL_DROP && o->c->missing != MISSING_DROP) c->how.fill = FILL_ERROR;
        return PERC_OK;
    }
    if (asked == own) return PERC_OK;
    if (asked == FILL_DROP || asked == FILL_ERROR ||
        (gone && (asked == FILL_ZERO || asked == FILL_NONE))) {
        c->how.fill = asked;
        return PERC_OK;
    }
    if (c->kind == COLUMN_CATEGORY) return PERC_OK;
    return fail(o->err, PERC_EARG,
                "the model says what becomes of the gaps of column '%s': leave out --missing %s",
                csv_cell_show(c->name, strlen(c->name), shown), params_text(o->data, "missing"));
}

perc_status csv_choose_fills(struct opening *o)
{
    struct schema *s = &o->c->schema;
    perc_status st = PERC_OK;

    for (size_t i = 0; i < s->columns && !st; i++) {
        s->column[i].filled = 0; /* counted anew, of these rows */
        if (s->column[i].how.fill != FILL_OPTION) st = choose_fill(o, &s->column[i]);
    }
    return st;
}

perc_status csv_check_exact(const struct schema *s, perc_error *err)
{
    char shown[CELL_BUFFER];

    for (size_t i = 0; i < s->columns; i++) {
        const struct column *column = &s->column[i];
        const struct treatment *how = &column->how;
        const bool filled = column_is_number(column) && how->fill >= FILL_MEAN;
        const bool moved = how->fill == FILL_FREQUENT || how->rare > 0 || how->first || how->most ||
                           how->reference != NULL || how->tfidf;
        if (!filled && !moved && (!how->scaled || how->scale == SCALE_NONE)) continue;
        return fail(err, PERC_EARG,
                    "exact arithmetic is about the numbers of the file: column '%s' is filled, "
                    "scaled or otherwise changed by --columns",
                    csv_cell_show(column->name, strlen(column->name), shown));
    }
    return PERC_OK;
}
