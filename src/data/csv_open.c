/* csv_open.c -- from options and the beginning of a table to a schema.
 *
 * In training: the delimiter, the header and what each column is are decided from
 * the options first and from a look at the beginning (csv_look.c) where they say
 * nothing. A column can be given by its name or by its position from 1; a column
 * without a name is called x and its position. The label is the column given, or
 * one named label, class, target or y (in any case, in this order), or the last
 * that is not left out. Numbers are features in file order; categories get their
 * features as they are met (csv_merge).
 *
 * For a model: its schema is law. With a header in the file and names in the
 * model, columns are matched by name in any order; a column that the model does
 * not know is an error, since a misspelt name would otherwise go unnoticed, and
 * so is one that it knows and the file has not. The label and the weight may be
 * absent, and what training left out is left out again. Without names, columns
 * are matched by position, with or without the label.
 *
 * A schema also serves as a set of names here: schema_add(set, 0, name) numbers
 * them. Wide tables have a hundred thousand columns, so no loop inside a loop.
 *
 * Not here: parsing (csv.c). */
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "data/csv.h"
#include "data/csv_cell.h"
#include "data/source.h"

enum { NOTE = 256, UNDECIDED = COLUMN_SKIP + 1 };
#define NOWHERE UINT32_MAX

/* What the steps of csv_open share. */
struct opening {
    struct csv *c;
    const perc_params *data;
    struct survey v;
    struct schema names;   /* the file's column names; feature = column */
    unsigned char *kind;   /* of each column; UNDECIDED */
    perc_error *err;
};

/* ----- options ---------------------------------------------------------------- */

static perc_status read_delimiter(const perc_params *data, char *out, perc_error *err)
{
    static const struct {
        const char *text;
        char c;
    } known[] = { { ",", ',' },    { ";", ';' },   { "|", '|' },         { "\t", '\t' },
                  { "\\t", '\t' }, { "tab", '\t' }, { "comma", ',' }, { "semicolon", ';' },
                  { "bar", '|' } };
    const char *s = params_text(data, "delimiter");

    *out = '\0';
    if (*s == '\0') {
        if (params_is(data, "format", "tsv")) *out = '\t';
        return PERC_OK;
    }
    for (size_t i = 0; i < sizeof known / sizeof *known && *out == '\0'; i++)
        if (strcmp(s, known[i].text) == 0) *out = known[i].c;
    if (*out != '\0') return PERC_OK;
    return fail(err, PERC_EARG, "delimiter is '%.20s'; it must be one of , ; | tab", s);
}

static enum missing read_missing(const perc_params *data)
{
    if (params_is(data, "missing", "mean")) return MISSING_MEAN;
    if (params_is(data, "missing", "zero")) return MISSING_ZERO;
    return params_is(data, "missing", "drop") ? MISSING_DROP : MISSING_ERROR;
}

/* ----- columns by name ---------------------------------------------------------- */

/* The number of a name in a set of them, or NOWHERE. */
static uint32_t find_name(const struct schema *set, const char *name, size_t len)
{
    return schema_find(set, 0, name, len);
}

/* Gives `name` the number n, which is the next; if it is there already, an empty
 * place has that number, so that numbers stay positions. */
static perc_status add_name(struct schema *set, size_t n, const char *name)
{
    uint32_t number;
    perc_status st = schema_add(set, 0, name, strlen(name), &number);

    return !st && number != n ? schema_add(set, (uint32_t)n + 1, "", 0, &number) : st;
}

/* The name of file column f: its header cell, or x and its position. */
static const char *file_name(const struct opening *o, size_t f, char buf[24])
{
    const char *s = o->v.column[f].first;

    if (o->c->skip_first && *s != '\0') return s;
    snprintf(buf, 24, "x%zu", f + 1);
    return buf;
}

/* Which columns a list of names and positions means: kind[f] = `kind`. An empty
 * part is passed over. A column has one use only. */
static perc_status assign(struct opening *o, const char *option, const char *name, size_t len,
                          enum column_kind kind)
{
    char buf[CELL_BUFFER];
    uint32_t f = find_name(&o->names, name, len);
    int64_t position;

    if (len == 0) return PERC_OK;
    if (f == NOWHERE && number_parse_int(name, len, &position) && position >= 1 &&
        position <= (int64_t)o->v.columns)
        f = (uint32_t)(position - 1);
    if (f == NOWHERE)
        return fail(o->err, PERC_EARG,
                    "%s: there is no column '%s' (the table has %zu columns%s; give a name or a "
                    "position from 1)",
                    option, cell_show(name, len, buf), o->v.columns,
                    o->c->skip_first ? "" : " and no header");
    if (o->kind[f] != UNDECIDED && o->kind[f] != kind)
        return fail(o->err, PERC_EARG, "%s: column '%s' has another use already", option,
                    cell_show(name, len, buf));
    o->kind[f] = (unsigned char)kind;
    return PERC_OK;
}

static perc_status assign_list(struct opening *o, const char *option, enum column_kind kind)
{
    const char *s = params_text(o->data, option);
    perc_status st = PERC_OK;

    while (!st && *s != '\0') {
        const char *comma = strchr(s, ',');
        const size_t n = comma != NULL ? (size_t)(comma - s) : strlen(s);
        const char *name = s;
        size_t len = n;
        cell_trim(&name, &len);
        st = assign(o, option, name, len, kind);
        s += comma != NULL ? n + 1 : n;
    }
    return st;
}

static perc_status assign_one(struct opening *o, const char *option, enum column_kind kind)
{
    const char *s = params_text(o->data, option);

    return assign(o, option, s, strlen(s), kind);
}

/* Of two columns with one name the first has it. */
static perc_status name_columns(struct opening *o)
{
    char buf[24];

    for (size_t f = 0; f < o->v.columns; f++) {
        const char *name = file_name(o, f, buf);
        if (add_name(&o->names, f, name)) return fail_memory(o->err);
    }
    return PERC_OK;
}

/* A column whose name another one has: nobody could say which is meant. */
static perc_status check_names(struct opening *o)
{
    char buf[24], shown[CELL_BUFFER];

    for (size_t f = 0; f < o->v.columns; f++) {
        const char *name = file_name(o, f, buf);
        if (o->kind[f] == COLUMN_SKIP || find_name(&o->names, name, strlen(name)) == f) continue;
        return fail_at(o->err, PERC_EDATA, o->v.column[f].first_line, o->v.column[f].first_column,
                       "two columns are named '%s' (rename one, or pass --ignore %zu)",
                       cell_show(name, strlen(name), shown), f + 1);
    }
    return PERC_OK;
}

/* ----- training --------------------------------------------------------------------- */

static bool same_word(const char *a, const char *lower)
{
    for (; *a != '\0' && *lower != '\0'; a++, lower++)
        if ((*a >= 'A' && *a <= 'Z' ? *a | 0x20 : *a) != *lower) return false;
    return *a == *lower;
}

static perc_status choose_label(struct opening *o)
{
    static const char *const usual[] = { "label", "class", "target", "y" };
    const size_t n = o->v.columns;
    size_t f = n;

    if (*params_text(o->data, "label") != '\0') return assign_one(o, "label", COLUMN_LABEL);
    for (size_t i = 0; o->c->skip_first && i < sizeof usual / sizeof *usual; i++) {
        for (f = 0; f < n; f++) {
            if (o->kind[f] != UNDECIDED || !same_word(o->v.column[f].first, usual[i])) continue;
            o->kind[f] = COLUMN_LABEL;
            return PERC_OK;
        }
    }
    for (f = n; f > 0 && o->kind[f - 1] != UNDECIDED; f--) continue;
    if (f == 0) return fail(o->err, PERC_EARG, "no column is left for the label (pass --label)");
    o->kind[f - 1] = COLUMN_LABEL;
    return PERC_OK;
}

/* Number or category, for a column that no option speaks of. */
static perc_status choose_kind(struct opening *o, size_t f)
{
    const struct look *k = &o->v.column[f];

    o->kind[f] = look_is_words(k) ? COLUMN_CATEGORY : COLUMN_NUMBER;
    if (k->words == 0 || k->commas < k->words || o->c->delimiter == ',') return PERC_OK;
    /* Taking "1,5" for a word would make a category of every number. */
    return fail_at(o->err, PERC_EDATA, k->word_line, k->word_column,
                   "a decimal comma; numbers are written with a point (or pass --categorical %zu "
                   "to take them as words)",
                   f + 1);
}

static perc_status choose_kinds(struct opening *o)
{
    perc_status st;

    if ((st = assign_list(o, "ignore", COLUMN_SKIP)) ||
        (st = assign_one(o, "weight", COLUMN_WEIGHT)) ||
        (st = assign_list(o, "categorical", COLUMN_CATEGORY)) || (st = choose_label(o)) ||
        (st = check_names(o)))
        return st;
    for (size_t f = 0; f < o->v.columns && !st; f++)
        if (o->kind[f] == UNDECIDED) st = choose_kind(o, f);
    return st;
}

static perc_status make_schema(struct opening *o)
{
    struct schema *s = &o->c->schema;
    const size_t n = o->v.columns;
    size_t features = 0;
    char buf[24];

    s->header = o->c->skip_first;
    s->delimiter = o->c->delimiter;
    if ((s->column = mem_zeroed(&s->e, n, sizeof *s->column)) == NULL) return fail_memory(o->err);
    s->columns = n;
    for (size_t f = 0; f < n; f++) {
        struct column *c = &s->column[f];
        const char *name = file_name(o, f, buf);
        if ((c->name = mem_text(&s->e, name, strlen(name))) == NULL) return fail_memory(o->err);
        c->kind = (enum column_kind)o->kind[f];
        if (c->kind == COLUMN_NUMBER) c->feature = s->numeric++;
        features += c->kind == COLUMN_NUMBER || c->kind == COLUMN_CATEGORY;
    }
    if (features > 0) return PERC_OK;
    return fail(o->err, PERC_EDATA,
                "the table has no column beside the label (is the delimiter '%s' right?)",
                s->delimiter == '\t' ? "tab" : (const char[2]){ s->delimiter, '\0' });
}

/* ----- telling ------------------------------------------------------------------------ */

static void say(char *note, const char *before, const char *text)
{
    char shown[CELL_BUFFER];
    const size_t at = strlen(note);

    snprintf(note + at, NOTE - at, "%s%s", before, cell_show(text, strlen(text), shown));
}

/* "comma-separated, with a header; label 'species'; categories: colour, size" */
static void write_note(const struct schema *s, char *note)
{
    const char *before = "; categories: ";

    note[0] = '\0';
    say(note, "", s->delimiter == ',' ? "comma" : s->delimiter == '\t' ? "tab"
                : s->delimiter == ';' ? "semicolon" : "bar");
    say(note, "-separated, with", s->header ? " a header" : "out a header");
    for (int kind = COLUMN_LABEL; kind <= COLUMN_WEIGHT; kind++) {
        for (size_t f = 0; f < s->columns; f++) {
            if (s->column[f].kind != (enum column_kind)kind) continue;
            say(note, kind == COLUMN_LABEL ? "; label '" : "; weight '", s->column[f].name);
            say(note, "'", "");
        }
    }
    for (size_t f = 0; f < s->columns; f++) {
        if (s->column[f].kind != COLUMN_CATEGORY) continue;
        if (strlen(note) + 2 * CELL_BUFFER > NOTE) {
            say(note, ", ...", "");
            break;
        }
        say(note, before, s->column[f].name);
        before = ", ";
    }
}

/* ----- for a model --------------------------------------------------------------------- */

static bool is_feature(const struct column *c)
{
    return c->kind == COLUMN_NUMBER || c->kind == COLUMN_CATEGORY;
}

/* The first record, whose cells are o->names here, is a header if it names at least
 * half of the model's features, or looks unlike the rest. */
static bool model_header(struct opening *o, const struct schema *model)
{
    size_t features = 0, met = 0;

    for (size_t k = 0; k < model->columns; k++) {
        const char *name = model->column[k].name;
        if (!is_feature(&model->column[k])) continue;
        features++;
        met += find_name(&o->names, name, strlen(name)) != NOWHERE;
    }
    return (model->header && 2 * met >= features) || survey_breaks(&o->v);
}

static perc_status match_names(struct opening *o, const struct schema *model, bool *used)
{
    struct schema known;
    char buf[24], shown[CELL_BUFFER];
    perc_status st = PERC_OK;

    schema_init(&known, &o->c->schema.e);
    for (size_t k = 0; k < model->columns && !st; k++)
        if (add_name(&known, k, model->column[k].name)) st = fail_memory(o->err);
    for (size_t f = 0; f < o->v.columns && !st; f++) {
        const char *name = file_name(o, f, buf);
        const uint32_t k = find_name(&known, name, strlen(name));
        if (o->kind[f] == COLUMN_SKIP) continue;
        if (k == NOWHERE) {
            cell_show(name, strlen(name), shown);
            st = fail_at(o->err, PERC_EDATA, o->v.column[f].first_line,
                         o->v.column[f].first_column,
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

static perc_status match_model(struct opening *o, const struct schema *model)
{
    struct csv *c = o->c;
    const struct env *e = &c->schema.e;
    char shown[CELL_BUFFER];
    perc_status st = assign_list(o, "ignore", COLUMN_SKIP);
    bool *used = mem_zeroed(e, model->columns, sizeof *used);

    c->map = mem_array(e, o->v.columns, sizeof *c->map);
    if (!st && (used == NULL || c->map == NULL)) st = fail_memory(o->err);
    for (size_t f = 0; c->map != NULL && f < o->v.columns; f++) c->map[f] = NOWHERE;
    if (!st && c->skip_first && model->header) st = check_names(o);
    if (!st)
        st = c->skip_first && model->header ? match_names(o, model, used)
                                            : match_positions(o, model, used);
    for (size_t k = 0; k < model->columns && !st; k++) {
        if (model->column[k].kind == COLUMN_LABEL) c->labelled = used[k];
        if (used[k] || !is_feature(&model->column[k])) continue;
        st = fail(o->err, PERC_EDATA, "the table lacks the column '%s', which the model uses",
                  cell_show(model->column[k].name, strlen(model->column[k].name), shown));
    }
    mem_free(e, used, model->columns, sizeof *used);
    return st;
}

/* ----- all of it -------------------------------------------------------------------------- */

/* Whether the label or the weight is given by a name that the first record has. */
static bool option_names_first(const struct opening *o, const char *option)
{
    const char *name = params_text(o->data, option);
    int64_t position;

    return *name != '\0' && !number_parse_int(name, strlen(name), &position) &&
           find_name(&o->names, name, strlen(name)) != NOWHERE;
}

static perc_status choose_header(struct opening *o, const struct schema *model)
{
    const bool yes = params_is(o->data, "header", "yes");
    perc_status st;

    o->c->skip_first = true; /* a first guess: name the columns by the first record */
    if ((st = name_columns(o))) return st;
    if (yes || params_is(o->data, "header", "no"))
        o->c->skip_first = yes;
    else if (model != NULL)
        o->c->skip_first = model_header(o, model);
    else
        o->c->skip_first = survey_header(&o->v) || option_names_first(o, "label") ||
                           option_names_first(o, "weight");
    if (o->c->skip_first) return PERC_OK;
    survey_count_first(&o->v);
    schema_truncate(&o->names, 0);
    return name_columns(o);
}

/* What was read of the file is cut anywhere: whole lines only, if there are any. */
static perc_status whole_lines(const char *text, size_t *len, perc_error *err)
{
    enum { BOM = 3 }; /* may have been taken off */
    size_t n = *len;

    if (*len < SOURCE_CHUNK - BOM) return PERC_OK;
    while (n > 0 && text[n - 1] != '\n') n--;
    if (n == 0)
        return fail_at(err, PERC_EDATA, 1, 0,
                       "the first line is longer than %d MB: too long to tell the columns from",
                       SOURCE_CHUNK >> 20);
    *len = n;
    return PERC_OK;
}

static perc_status open_table(struct opening *o, const char *text, size_t len,
                              const struct schema *model)
{
    struct csv *c = o->c;
    const struct env *e = &c->schema.e;
    perc_status st;

    if (len == 0) return fail(o->err, PERC_EDATA, "the file has no rows");
    if ((st = whole_lines(text, &len, o->err)) ||
        (st = read_delimiter(o->data, &c->delimiter, o->err)))
        return st;
    if (c->delimiter == '\0' &&
        survey_delimiter(e, text, len, model != NULL ? model->delimiter : ',', &c->delimiter))
        return fail_memory(o->err);
    if ((st = survey_make(e, text, len, c->delimiter, &o->v, o->err))) return st;
    c->file_columns = o->v.columns;
    if ((o->kind = mem_array(e, o->v.columns, 1)) == NULL) return fail_memory(o->err);
    memset(o->kind, UNDECIDED, o->v.columns);
    if ((st = choose_header(o, model))) return st;
    if (model == NULL) return (st = choose_kinds(o)) ? st : make_schema(o);
    if (schema_copy(e, model, &c->schema)) return fail_memory(o->err);
    return match_model(o, model);
}

perc_status csv_open(const struct env *e, const char *text, size_t len, const perc_params *data,
                     const struct schema *model, struct csv *out, char *note, perc_error *err)
{
    struct opening o = { .c = out, .data = data, .v.e = *e, .err = err };
    perc_status st;

    *out = (struct csv){ .missing = read_missing(data), .fixed = model != NULL,
                         .labelled = model == NULL, .float32 = params_bool(data, "float32") };
    note[0] = '\0';
    schema_init(&out->schema, e);
    schema_init(&o.names, e);
    st = open_table(&o, text, len, model);
    if (!st && model == NULL) write_note(&out->schema, note);
    if (st) csv_free(out);
    mem_free(e, o.kind, o.v.columns, 1);
    survey_free(&o.v);
    schema_free(&o.names);
    return st;
}

void csv_free(struct csv *c)
{
    mem_free(&c->schema.e, c->map, c->file_columns, sizeof *c->map);
    schema_free(&c->schema);
    *c = (struct csv){ .schema.e = c->schema.e };
}
