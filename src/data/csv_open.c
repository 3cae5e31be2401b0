/* csv_open.c -- from options and the beginning of a table to a schema.
 *
 * In training: the delimiter, the header and what each column is are decided from
 * the options first and from a look at the beginning (csv_look.c) where they say
 * nothing. A column can be given by its name or by its position from 1; a column
 * without a name is called x and its position. The label is the column given, or
 * one named label, class, target or y (in any case, in this order; y only where no
 * column is named x), or the last
 * that is not left out. Numbers are features in file order; categories and words get
 * their features as they are met (csv_merge), or have buckets (hashing.h).
 *
 * A schema also serves as a set of names here: schema_add(set, 0, name) numbers
 * them. Wide tables have a hundred thousand columns, so no loop inside a loop.
 *
 * Not here: parsing (csv_parse.c), a model's columns (csv_match.c). */
#include <stdio.h>
#include <string.h>

#include "base/list.h"
#include "base/number.h"
#include "base/spelling.h"
#include "data/csv_open.h"
#include "data/jsonl.h"

/* ----- options ---------------------------------------------------------------- */

static perc_status read_delimiter(const perc_params *data, char *out, perc_error *err)
{
    static const struct {
        const char *text;
        char c;
    } known[] = { { ",", ',' },    { ";", ';' },     { "|", '|' },     { "\t", '\t' },
                  { "\\t", '\t' }, { "tab", '\t' },  { "comma", ',' }, { "semicolon", ';' },
                  { "bar", '|' },  { "space", ' ' }, { " ", ' ' } };
    const char *s = params_text(data, "delimiter");

    *out = '\0';
    if (*s == '\0') {
        if (params_is(data, "format", "tsv")) *out = '\t';
        return PERC_OK;
    }
    for (size_t i = 0; i < sizeof known / sizeof *known && *out == '\0'; i++)
        if (strcmp(s, known[i].text) == 0) *out = known[i].c;
    if (*out != '\0') return PERC_OK;
    if (notation_delimits(s)) {
        *out = *s;
        return PERC_OK;
    }
    return fail(err, PERC_EARG,
                "delimiter is '%.20s'; it must be one of , ; | tab space, or a byte that is no "
                "letter, digit, sign, point or quote",
                s);
}

/* ----- columns by name ---------------------------------------------------------- */

perc_status csv_add_name(struct schema *set, size_t n, const char *name)
{
    uint32_t number;
    perc_status st = schema_add(set, 0, name, strlen(name), &number);

    return !st && number != n ? schema_add(set, (uint32_t)n + 1, "", 0, &number) : st;
}

const char *csv_file_name(const struct opening *o, size_t f, char buf[24])
{
    const char *s = o->v.column[f].first;

    if (o->c->skip_first && *s != '\0') return s;
    snprintf(buf, 24, "x%zu", f + 1);
    return buf;
}

/* The columns there are, as far as there is room: "a, b, c, ... (12 in all)". */
static void list_columns(const struct opening *o, char *list, size_t size)
{
    char buf[24], shown[CELL_BUFFER];
    size_t n = 0;

    for (size_t f = 0; f < o->v.columns; f++) {
        const char *name = csv_file_name(o, f, buf);

        csv_cell_show(name, strlen(name), shown);
        if (n + strlen(shown) + sizeof ", , ... (100000 in all)" > size) {
            snprintf(list + n, size - n, ", ... (%zu in all)", o->v.columns);
            return;
        }
        n += (size_t)snprintf(list + n, size - n, "%s%s", f > 0 ? ", " : "", shown);
    }
}

struct file_names {
    const struct opening *o;
    char buf[24];
};

static const char *next_name_of_file(void *ud, size_t f)
{
    struct file_names *n = ud;

    return f < n->o->v.columns ? csv_file_name(n->o, f, n->buf) : NULL;
}

static perc_status no_column(const struct opening *o, const char *option, const char *name)
{
    struct file_names names = { .o = o };
    char list[128], hint[SPELLING_HINT];

    if (!o->c->skip_first)
        return fail(o->err, PERC_EARG,
                    "%s: there is no column '%s' (the table has %zu columns and no header; give a "
                    "position from 1)",
                    option, name, o->v.columns);
    list_columns(o, list, sizeof list);
    return fail(o->err, PERC_EARG,
                "%s: there is no column '%s'%s; the columns are %s (a "
                "position from 1 does, too)",
                option, name, spelling_hint(name, next_name_of_file, &names, hint), list);
}

perc_status csv_find_column(const struct opening *o, const char *option, const char *name,
                            size_t len, uint32_t *f)
{
    char buf[CELL_BUFFER];
    int64_t position;

    *f = find_name(&o->names, name, len);
    if (*f == NOWHERE && number_parse_int(name, len, &position) && position >= 1 &&
        position <= (int64_t)o->v.columns)
        *f = (uint32_t)(position - 1);
    return *f != NOWHERE ? PERC_OK : no_column(o, option, csv_cell_show(name, len, buf));
}

static perc_status assign_column(struct opening *o, const char *option, const char *name,
                                 size_t len, enum column_kind kind)
{
    char buf[CELL_BUFFER];
    uint32_t f;
    perc_status st;

    if (len == 0) return PERC_OK;
    if ((st = csv_find_column(o, option, name, len, &f))) return st;
    if (o->kind[f] != UNDECIDED && o->kind[f] != kind)
        return fail(o->err, PERC_EARG, "%s: column '%s' already has another use", option,
                    csv_cell_show(name, len, buf));
    o->kind[f] = (unsigned char)kind;
    return PERC_OK;
}

perc_status csv_assign_list(struct opening *o, const char *option, enum column_kind kind)
{
    struct list l;
    bool more;
    perc_status st;

    list_begin(&l, &o->c->schema.e, option, params_text(o->data, option), '\0', o->err);
    while (!(st = list_next(&l, &more)) && more)
        if ((st = assign_column(o, option, l.name, l.len, kind))) break;
    list_end(&l);
    return st;
}

/* The columns of the list whose cells go along with the rows: a choice of its own, beside their
 * uses. */
static perc_status choose_carried(struct opening *o, const char *names)
{
    char shown[CELL_BUFFER], buf[24];
    struct list l;
    uint32_t f;
    bool more, twice = false;
    perc_status st;

    list_begin(&l, &o->c->schema.e, "keep", names, '\0', o->err);
    while (!(st = list_next(&l, &more)) && more) {
        if (l.len == 0) continue;
        if ((st = csv_find_column(o, "keep", l.name, l.len, &f))) break;
        if (carry_add(&o->c->carry, f, csv_file_name(o, f, buf), &twice)) st = fail_memory(o->err);
        if (!st && twice)
            st = fail(o->err, PERC_EARG, "keep: column '%s' is named twice (leave one out)",
                      csv_cell_show(l.name, l.len, shown));
        if (st) break;
    }
    list_end(&l);
    return st;
}

static perc_status assign_one(struct opening *o, const char *option, enum column_kind kind)
{
    const char *s = params_text(o->data, option);

    return assign_column(o, option, s, strlen(s), kind);
}

/* Of two columns with the same name, the first has it. */
static perc_status name_columns(struct opening *o)
{
    char buf[24];

    for (size_t f = 0; f < o->v.columns; f++) {
        const char *name = csv_file_name(o, f, buf);
        if (csv_add_name(&o->names, f, name)) return fail_memory(o->err);
    }
    return PERC_OK;
}

perc_status csv_named_twice(const struct opening *o, size_t f)
{
    char buf[24], shown[CELL_BUFFER];
    const char *name = csv_file_name(o, f, buf);

    return fail_at(o->err, PERC_EDATA, o->v.column[f].first_line, o->v.column[f].first_column,
                   "two columns are named '%s' (rename one, or pass --ignore %zu)",
                   csv_cell_show(name, strlen(name), shown), f + 1);
}

/* Two columns of the same name are an error: nobody could say which is meant. */
static perc_status check_names(const struct opening *o)
{
    char buf[24];

    for (size_t f = 0; f < o->v.columns; f++) {
        const char *name = csv_file_name(o, f, buf);
        if (o->kind[f] != COLUMN_SKIP && find_name(&o->names, name, strlen(name)) != f)
            return csv_named_twice(o, f);
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

static bool has_column(const struct opening *o, const char *lower)
{
    for (size_t f = 0; f < o->v.columns; f++)
        if (o->kind[f] == UNDECIDED && same_word(o->v.column[f].first, lower)) return true;
    return false;
}

static perc_status choose_label(struct opening *o)
{
    static const char *const usual[] = { "label", "class", "target", "y" };
    const size_t n = o->v.columns;
    size_t f = n;

    for (size_t i = 0; i < n; i++)
        if (o->kind[i] == COLUMN_LABEL) return PERC_OK; /* it was given */
    for (size_t i = 0; o->c->skip_first && i < sizeof usual / sizeof *usual; i++) {
        /* Beside x, y may be a coordinate: only the last column is the label then. */
        if (strcmp(usual[i], "y") == 0 && has_column(o, "x")) break;
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

/* The column by which rows are grouped or ordered goes along with them (grouping.h). It is learned
 * from only where it was said what it is. */
static perc_status choose_grouping(struct opening *o, const char *option)
{
    const char *name = params_text(o->data, option);
    uint32_t f;
    bool twice;
    perc_status st;

    if (*name == '\0') return PERC_OK;
    if ((st = csv_find_column(o, option, name, strlen(name), &f))) return st;
    if (o->kind[f] == COLUMN_LABEL || o->kind[f] == COLUMN_WEIGHT)
        return fail(o->err, PERC_EARG, "%s: column '%s' already has another use", option, name);
    if (o->kind[f] == UNDECIDED) o->kind[f] = COLUMN_SKIP;
    return carry_add(&o->c->carry, f, name, &twice) ? fail_memory(o->err) : PERC_OK;
}

/* Taking "1,5" for a word would make a category of every number. What would read the table is told
 * from all its columns. */
static perc_status foreign_numbers(const struct opening *o, size_t f)
{
    const struct look *k = &o->v.column[f];
    size_t like[LOOKS] = { 0 };

    for (size_t i = 0; i < o->v.columns; i++)
        for (int n = 0; n < LOOKS; n++)
            if (csv_look_foreign(&o->v.column[i]) == o->v.column[i].words)
                like[n] += o->v.column[i].like[n];
    return fail_at(
        o->err, PERC_EDATA, k->word_line, k->word_column,
        "this looks like a number with %s (%s reads it so, --categorical %zu takes it as "
        "a word)",
        k->like[LOOKS_COMMA] + k->like[LOOKS_POINTS] > 0 ? "a decimal comma"
        : k->like[LOOKS_COMMAS] > 0                      ? "commas between thousands"
                                    : "a decimal comma, or one between thousands",
        notation_remedy(like), f + 1);
}

static perc_status choose_kinds(struct opening *o)
{
    perc_status st;

    if ((st = csv_assign_list(o, "ignore", COLUMN_SKIP)) ||
        (st = assign_one(o, "weight", COLUMN_WEIGHT)) ||
        (st = csv_assign_list(o, "categorical", COLUMN_CATEGORY)) ||
        (st = csv_assign_list(o, "text", COLUMN_TEXT)) ||
        (st = assign_one(o, "label", COLUMN_LABEL)) || (st = csv_assign_said(o)) ||
        (st = choose_grouping(o, "group")) || (st = choose_grouping(o, "time")) ||
        (st = choose_label(o)) || (st = check_names(o)))
        return st;
    for (size_t f = 0; f < o->v.columns; f++) {
        if (o->kind[f] != UNDECIDED) continue; /* an option decided it */
        const struct look *k = &o->v.column[f];
        o->kind[f] = (unsigned char)csv_look_kind(k);
        if (k->words == 0 || csv_look_foreign(k) < k->words) continue;
        return foreign_numbers(o, f);
    }
    return PERC_OK;
}

static perc_status make_schema(struct opening *o)
{
    struct schema *s = &o->c->schema;
    const size_t n = o->v.columns;
    size_t features = 0;
    char buf[24];
    perc_status st;

    s->header = o->c->skip_first;
    s->delimiter = o->c->delimiter;
    s->hash_bits = (unsigned)params_int(o->data, "hash");
    if ((s->column = mem_zeroed(&s->e, n, sizeof *s->column)) == NULL) return fail_memory(o->err);
    s->columns = n;
    for (size_t f = 0; f < n; f++) {
        struct column *c = &s->column[f];
        const char *name = csv_file_name(o, f, buf);
        if ((c->name = mem_text(&s->e, name, strlen(name))) == NULL) return fail_memory(o->err);
        c->kind = (enum column_kind)o->kind[f];
    }
    if ((st = csv_treat_columns(o))) return st;
    for (size_t f = 0; f < n; f++) features += is_feature(&s->column[f]);
    if (features > 0 && s->hash_bits > 0 && !schema_has_words(s))
        return fail(o->err, PERC_EARG,
                    "hash: the table has no column of words to hash (see --text, --categorical)");
    if (features > 0) return PERC_OK;
    return fail(o->err, PERC_EDATA,
                "the table has no column besides the label (is the delimiter '%s' right?)",
                s->delimiter == '\t' ? "tab" : (const char[2]){ s->delimiter, '\0' });
}

/* ----- telling ------------------------------------------------------------------------ */

static void say_words(char *note, const char *before, const char *text)
{
    char shown[CELL_BUFFER];
    const size_t at = strlen(note);

    snprintf(note + at, NOTE - at, "%s%s", before, csv_cell_show(text, strlen(text), shown));
}

/* "; categories: colour, size" */
static void say_columns(const struct schema *s, enum column_kind kind, const char *before,
                        char *note)
{
    const size_t len = strlen(note);

    if (len > 3 && strcmp(note + len - 3, "...") == 0) return; /* there was no room before */
    for (size_t f = 0; f < s->columns; f++) {
        if (s->column[f].kind != kind) continue;
        if (strlen(note) + 2 * CELL_BUFFER > NOTE) {
            say_words(note, ", ...", "");
            break;
        }
        say_words(note, before, s->column[f].name);
        before = ", ";
    }
}

/* "comma-separated, with a header" */
static void say_separated(const struct schema *s, bool guessed, char *note)
{
    const char other[] = { '\'', s->delimiter, '\'', '\0' };

    say_words(note, "",
              s->delimiter == ','    ? "comma"
              : s->delimiter == '\t' ? "tab"
              : s->delimiter == ';'  ? "semicolon"
              : s->delimiter == '|'  ? "bar"
              : s->delimiter == ' '  ? "space"
                                     : other);
    say_words(note, "-separated, with", s->header ? " a header" : "out a header");
    if (!s->header && guessed) say_words(note, " (names in the first line: --header yes)", "");
}

/* "; decimal commas, '.' between thousands; quotes: '" */
static void say_notation(const struct notation *n, char *note)
{
    const char *thousands = notation_thousands_word(n->thousands);

    if (n->comma) say_words(note, "; decimal commas", "");
    if (n->thousands != 0) {
        say_words(note, n->comma ? ", " : "; ", n->thousands == ' ' ? "blanks" : "'");
        if (n->thousands != ' ') say_words(note, thousands, "'");
        say_words(note, " between thousands", "");
    }
    if (n->quotes != QUOTES_DOUBLE) say_words(note, "; quotes: ", notation_quotes_word[n->quotes]);
}

/* "comma-separated, with a header; label 'species'; categories: colour, size" */
static void write_note(const struct csv *c, bool guessed, char *note)
{
    const struct schema *s = &c->schema;

    note[0] = '\0';
    if (c->keys != NULL) say_words(note, "JSON lines", "");
    else say_separated(s, guessed, note);
    say_notation(&s->notation, note);
    for (int kind = COLUMN_LABEL; kind <= COLUMN_WEIGHT; kind++) {
        for (size_t f = 0; f < s->columns; f++) {
            if (s->column[f].kind != (enum column_kind)kind) continue;
            say_words(note, kind == COLUMN_LABEL ? "; label '" : "; weight '", s->column[f].name);
            say_words(note, "'", "");
        }
    }
    say_columns(s, COLUMN_ID, "; ids: ", note);
    say_columns(s, COLUMN_DATE, "; dates: ", note);
    say_columns(s, COLUMN_TEXT, "; text: ", note);
    say_columns(s, COLUMN_CATEGORY, "; categories: ", note);
}

void csv_note_ignored(struct opening *o, size_t f, const char *name)
{
    char *note = o->note;

    if (carry_has(&o->c->carry, f)) return; /* it has a use */
    const bool first = o->c->ignored++ == 0;
    if (first) say_words(note, "columns that the model does not know are left out: ", "");
    if (strlen(note) + 2 * CELL_BUFFER <= NOTE) say_words(note, first ? "" : ", ", name);
    else if (note[strlen(note) - 1] != '.') say_words(note, ", ...", "");
}

/* ----- all of it -------------------------------------------------------------------------- */

/* Whether this is a name that the first record has, and not a position. */
static bool first_has(const struct opening *o, const char *name)
{
    int64_t position;

    return *name != '\0' && !number_parse_int(name, strlen(name), &position) &&
           find_name(&o->names, name, strlen(name)) != NOWHERE;
}

/* Whether one of the text columns is. */
static bool text_names_first(const struct opening *o)
{
    struct list l;
    int64_t position;
    bool more, found = false;

    list_begin(&l, &o->c->schema.e, "text", params_text(o->data, "text"), '\0', NULL);
    while (!found && !list_next(&l, &more) && more)
        found = l.len > 0 && !number_parse_int(l.name, l.len, &position) &&
                find_name(&o->names, l.name, l.len) != NOWHERE;
    list_end(&l);
    return found;
}

static perc_status choose_header(struct opening *o, const struct schema *model)
{
    const bool yes = params_is(o->data, "header", "yes");
    perc_status st;

    o->c->skip_first = true; /* a first guess: name the columns by the first record */
    if ((st = name_columns(o))) return st;
    if (yes || params_is(o->data, "header", "no")) o->c->skip_first = yes;
    else if (model != NULL) o->c->skip_first = csv_model_header(o, model);
    else
        o->c->skip_first = csv_survey_header(&o->v) ||
                           first_has(o, params_text(o->data, "label")) ||
                           first_has(o, params_text(o->data, "weight")) || text_names_first(o) ||
                           first_has(o, o->by) || first_has(o, params_text(o->data, "group")) ||
                           first_has(o, params_text(o->data, "time")) || csv_said_names_first(o);
    if (o->c->skip_first) return PERC_OK;
    if (!csv_survey_count_first(&o->v)) return fail_memory(o->err);
    schema_truncate(&o->names, 0);
    return name_columns(o);
}

/* Columns that the beginning of JSON lines may lack: those of the model, or those that --columns or
 * a list of names has. */
static perc_status expect_columns(struct opening *o, const struct schema *model)
{
    static const char *const options[] = { "ignore", "categorical", "text" };
    struct jsonl *k = o->c->keys;
    struct list l;
    uint32_t column;
    int64_t position;
    bool more;
    perc_status st = PERC_OK;

    for (size_t i = 0; model != NULL && i < model->columns && !st; i++)
        st = jsonl_add_column(k, &o->v, model->column[i].name, strlen(model->column[i].name),
                              &column);
    for (size_t i = 0; i < o->said.n && !st; i++) {
        const char *name = o->said.at[i].name;
        if (!number_parse_int(name, strlen(name), &position))
            st = jsonl_add_column(k, &o->v, name, strlen(name), &column);
    }
    for (size_t i = 0; i < sizeof options / sizeof *options && !st; i++) {
        list_begin(&l, &k->e, options[i], params_text(o->data, options[i]), '\0', o->err);
        while (!st && !(st = list_next(&l, &more)) && more)
            if (l.len > 0 && (l.quoted || !number_parse_int(l.name, l.len, &position)))
                st = jsonl_add_column(k, &o->v, l.name, l.len, &column);
        list_end(&l);
    }
    return st == PERC_ENOMEM ? fail_memory(o->err) : st;
}

static perc_status look_at_objects(struct opening *o, const char *text, size_t len,
                                   const struct schema *model)
{
    struct csv *c = o->c;
    perc_status st;

    if ((c->keys = mem_zeroed(&c->schema.e, 1, sizeof *c->keys)) == NULL)
        return fail_memory(o->err);
    jsonl_init(c->keys, &c->schema.e);
    c->schema.notation.quotes = QUOTES_DOUBLE; /* JSON's own */
    csv_survey_begin(&o->v, &c->schema.e, &c->schema.notation);
    o->v.points = true; /* nobody asks */
    c->delimiter = ',';
    c->skip_first = true; /* columns have names */
    if ((st = expect_columns(o, model))) return st;
    return (st = jsonl_survey(text, len, c->keys, &o->v, o->err)) ? st : name_columns(o);
}

static perc_status look_at_cells(struct opening *o, const char *text, size_t len,
                                 const struct schema *model)
{
    struct csv *c = o->c;
    struct notation *n = &c->schema.notation;
    const struct env *e = &c->schema.e;
    perc_status st;

    if ((st = read_delimiter(o->data, &c->delimiter, o->err))) return st;
    if (c->delimiter == '\0' &&
        csv_survey_delimiter(e, text, len, model != NULL ? model->delimiter : ',', n,
                             &c->delimiter))
        return fail_memory(o->err);
    if ((st = csv_survey_make(e, text, len, c->delimiter, n, &o->v, o->err))) return st;
    if (o->open && c->delimiter != ',' && model == NULL && csv_survey_commas(&o->v)) {
        n->comma = true;
        csv_survey_free(&o->v);
        if ((st = csv_survey_make(e, text, len, c->delimiter, n, &o->v, o->err))) return st;
    }
    return choose_header(o, model);
}

/* Header and names. */
static perc_status begin_table(struct opening *o, const char *text, size_t len, bool objects,
                               const struct schema *model)
{
    struct csv *c = o->c;
    const struct env *e = &c->schema.e;
    perc_status st;

    if (len == 0) return fail(o->err, PERC_EDATA, NO_ROWS);
    if ((st = notation_read(o->data, &c->schema.notation, &o->open, o->err))) return st;
    if ((st = csv_read_said(o))) return st;
    st = objects ? look_at_objects(o, text, len, model) : look_at_cells(o, text, len, model);
    if (st) return st;
    c->file_columns = o->v.columns;
    o->kind = mem_array(e, o->v.columns + 1, 1);
    o->line = mem_zeroed(e, o->v.columns + 1, sizeof *o->line);
    if (o->kind == NULL || o->line == NULL) return fail_memory(o->err);
    memset(o->kind, UNDECIDED, o->v.columns);
    return PERC_OK;
}

static void end_opening(struct opening *o)
{
    csv_free_said(o);
    mem_free(&o->v.e, o->kind, o->v.columns + 1, 1);
    csv_survey_free(&o->v);
    schema_free(&o->names);
}

static perc_status open_table(struct opening *o, const char *text, size_t len, bool objects,
                              const struct schema *model, const char *keep)
{
    struct csv *c = o->c;
    perc_status st = begin_table(o, text, len, objects, model);

    if (st || (keep != NULL && (st = choose_carried(o, keep)))) return st;
    if (model == NULL) return (st = choose_kinds(o)) ? st : make_schema(o);
    const struct notation own = c->schema.notation;
    if (schema_copy(&c->schema.e, model, &c->schema)) return fail_memory(o->err);
    c->schema.notation = own; /* of this text */
    if ((st = csv_match_model(o, model)) || (st = csv_check_said(o, model))) return st;
    return csv_choose_fills(o);
}

static perc_status open_either(const struct env *e, const char *text, size_t len, bool objects,
                               const perc_params *data, const struct schema *model,
                               const char *keep, struct csv *out, char *note, perc_error *err)
{
    struct opening o = {
        .c = out, .data = data, .by = "", .v.e = *e, .note = note, .said.e = *e, .err = err
    };
    perc_status st;

    *out = (struct csv){ .missing = params_is(data, "missing", "mean")     ? MISSING_MEAN
                                    : params_is(data, "missing", "median") ? MISSING_MEDIAN
                                    : params_is(data, "missing", "zero")   ? MISSING_ZERO
                                    : params_is(data, "missing", "drop")   ? MISSING_DROP
                                                                           : MISSING_ERROR,
                         .fixed = model != NULL,
                         .labelled = model == NULL,
                         .float32 = params_bool(data, "float32"),
                         .carry.e = *e };
    note[0] = '\0';
    schema_init(&out->schema, e);
    schema_init(&o.names, e);
    st = open_table(&o, text, len, objects, model, keep);
    /* Whether a feature can occur in a row more than once: see csv_words.c. */
    out->counted = out->schema.hash_bits > 0;
    for (size_t f = 0; f < out->schema.columns && !st; f++)
        out->counted |= out->schema.column[f].kind == COLUMN_TEXT;
    /* A cell without quotes has no delimiter in it. */
    out->point = !out->schema.notation.comma ? '.' : out->delimiter == ',' ? '0' : ',';
    if (!st && model == NULL) write_note(out, params_is(data, "header", "auto"), note);
    if (st) csv_free(out);
    end_opening(&o);
    return st;
}

perc_status csv_open(const struct env *e, const char *text, size_t len, const perc_params *data,
                     const struct schema *model, const char *keep, struct csv *out, char *note,
                     perc_error *err)
{
    return open_either(e, text, len, false, data, model, keep, out, note, err);
}

perc_status csv_open_objects(const struct env *e, const char *text, size_t len,
                             const perc_params *data, const struct schema *model, const char *keep,
                             struct csv *out, char *note, perc_error *err)
{
    return open_either(e, text, len, true, data, model, keep, out, note, err);
}

/* ----- for who leaves rows as they are ------------------------------------------------------ */

/* NULL: out of memory. */
static char *copy_name(const struct opening *o, size_t f)
{
    char buf[24];
    const char *name = csv_file_name(o, f, buf);

    return mem_text(&o->v.e, name, strlen(name));
}

static perc_status find_places(struct opening *o, const char *text, size_t len, bool objects,
                               struct csv_places *out)
{
    uint32_t by = 0;
    perc_status st = begin_table(o, text, len, objects, NULL);

    if (!st && *o->by != '\0') st = csv_find_column(o, "by", o->by, strlen(o->by), &by);
    if (!st) st = assign_one(o, "label", COLUMN_LABEL);
    if (!st) st = choose_label(o);
    if (st) return st;
    *out = (struct csv_places){ .delimiter = o->c->delimiter,
                                .quote = notation_quote(&o->c->schema.notation),
                                .header = o->c->skip_first,
                                .by = by };
    while (o->kind[out->label] != COLUMN_LABEL) out->label++;
    if (!objects) return PERC_OK;
    out->label_key = copy_name(o, out->label);
    out->by_key = *o->by != '\0' ? copy_name(o, by) : NULL;
    return out->label_key == NULL || (*o->by != '\0' && out->by_key == NULL) ? fail_memory(o->err)
                                                                             : PERC_OK;
}

perc_status csv_open_places(const struct env *e, const char *text, size_t len,
                            const perc_params *data, const char *by, bool objects,
                            struct csv_places *out, char *note, perc_error *err)
{
    struct csv table = { .schema.e = *e, .carry.e = *e };
    struct opening o = {
        .c = &table, .data = data, .by = by, .v.e = *e, .note = note, .said.e = *e, .err = err
    };
    char buf[24];

    note[0] = '\0';
    *out = (struct csv_places){ .label = 0 };
    schema_init(&o.names, e);
    const perc_status st = find_places(&o, text, len, objects, out);
    if (!st) {
        if (objects) say_words(note, "JSON lines", "; label '");
        else say_words(note, out->header ? "with" : "without", " a header; label '");
        say_words(note, csv_file_name(&o, out->label, buf), "'");
    }
    end_opening(&o);
    csv_free(&table);
    return st;
}

void csv_free(struct csv *c)
{
    if (c->keys != NULL) jsonl_free(c->keys);
    mem_free(&c->schema.e, c->keys, 1, sizeof *c->keys);
    mem_free(&c->schema.e, c->map, c->file_columns, sizeof *c->map);
    carry_free(&c->carry);
    mem_free_text(&c->schema.e, c->header);
    schema_free(&c->schema);
    *c = (struct csv){ .schema.e = c->schema.e };
}
