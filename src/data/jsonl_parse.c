/* jsonl_parse.c -- JSON lines to rows.
 *
 * A walk over the line notes the value of each column, in whatever order the keys come; then they
 * are cells of a table, in the order of its columns, and what becomes of them is csv_row.c's
 * business. Numbers have the text they have in the line, so that their digits are kept for proofs;
 * other strings are unescaped.
 *
 * A column whose key is not there is a missing value. Those for which that has to be said to the
 * row are known beforehand (`needed`): the work for a line is by what stands in it and by these.
 * What is filled in takes memory that is not in the file, so there is a limit (FILLED_MAX).
 *
 * A key that neither the beginning of the file had nor an option names is an error in training: it
 * may be the column that matters. With a model it is left out, and counted. */
#include <string.h>

#include "base/sort.h"
#include "data/csv_row.h"
#include "data/jsonl.h"

enum { FILLED_MAX = 1 << 24 }; /* entries of a chunk */

struct jsonl_parser {
    struct jsonl_walk w; /* first: a leaf is given its address */
    struct csv_row row;
    struct jsonl_value *value; /* by column of the file */
    uint32_t *stamp;           /* of the line that had it last */
    uint32_t *met;             /* columns of this line; n of them */
    size_t n;
    uint32_t *needed; /* columns of which a row must hear, even that they are missing */
    size_t needs;
    uint32_t *there; /* by column: rows that have it */
    struct text text;
};

perc_status jsonl_column(struct jsonl_walk *w, const struct csv *c, uint32_t key,
                         const struct jsonl_value *v, uint32_t *column)
{
    uint32_t f = key != JSONL_NONE ? c->keys->column[key] : JSONL_NONE;
    char shown[CELL_BUFFER];

    *column = f;
    if (f != JSONL_NONE || v->kind == JSON_NULL) return PERC_OK;
    const size_t before = w->path.len;
    if (key != JSONL_NONE) jsonl_name(w->keys, key, &w->path);
    if (w->path.oom) return fail_memory(w->err);
    *column = f = schema_find(&c->keys->names, 0, w->path.s, w->path.len);
    csv_cell_show(w->path.s, w->path.len, shown);
    w->path.len = before;
    if (f != JSONL_NONE || c->fixed) return PERC_OK;
    return jsonl_fail(w, v->at,
                      "the beginning of the file has no '%s' (--ignore, --categorical or "
                      "--text may name it, or put such a line first)",
                      shown);
}

perc_status jsonl_twice(const struct jsonl_walk *w, const struct csv *c, uint32_t column,
                        const struct jsonl_value *v)
{
    const char *name = c->keys->names.category[column].text;
    char shown[CELL_BUFFER];

    return jsonl_fail(w, v->at, "'%s' is there twice (leave one out)",
                      csv_cell_show(name, strlen(name), shown));
}

static perc_status note_value(struct jsonl_walk *w, uint32_t key, const struct jsonl_value *v)
{
    struct jsonl_parser *p = (struct jsonl_parser *)w;
    uint32_t f;
    const perc_status st = jsonl_column(w, p->row.c, key, v, &f);

    if (st) return st;
    if (f == JSONL_NONE) {
        p->row.r->unknown += v->kind != JSON_NULL;
        return PERC_OK;
    }
    if (p->stamp[f] == w->stamp) return jsonl_twice(w, p->row.c, f, v);
    p->stamp[f] = w->stamp;
    p->value[f] = *v;
    p->met[p->n++] = f;
    return PERC_OK;
}

/* ----- from values to a row ------------------------------------------------------- */

static perc_status give_value(struct jsonl_parser *p, uint32_t f)
{
    const struct csv *c = p->row.c;
    const struct jsonl_value *v = p->stamp[f] == p->w.stamp ? &p->value[f] : NULL;
    const bool there = v != NULL && v->kind != JSON_NULL, carried = p->row.stop == f;
    const uint32_t number = csv_column_number(c, f);
    const struct column *column = number != UINT32_MAX ? &c->schema.column[number] : NULL;
    /* It keeps its text, which has the digits; and what has escapes, or is a list, is none. */
    const bool raw = column != NULL && column->kind == COLUMN_NUMBER;
    struct cell cell = { .text = "",
                         .line = p->w.line,
                         .column = v != NULL ? v->at - p->w.j.start + 1 : 1 };
    perc_status st;

    if (there && (carried || !raw)) {
        cell.text = jsonl_text(v, &p->text, &cell.len);
        cell.copied = cell.text == p->text.s;
        if (cell.text == NULL) return fail_memory(p->w.err);
    }
    if (carried && (st = csv_row_carry(&p->row, cell.text, cell.len))) return st;
    if (column == NULL) return PERC_OK;
    if (there && raw) {
        cell.text = v->text;
        cell.len = v->len;
        cell.copied = false;
    }
    cell.plain = there && v->kind == JSON_NUMBER;
    return csv_row_take(&p->row, number, &cell);
}

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* The columns that the line has, and those that are needed, in the order of the file. */
static perc_status give_values(struct jsonl_parser *p)
{
    size_t i = 0, k = 0;
    perc_status st = PERC_OK;

    for (size_t j = 1; j < p->n; j++) {
        if (p->met[j] > p->met[j - 1]) continue;
        sort_items(p->met, p->n, sizeof *p->met, by_number);
        break;
    }
    while (!st && !p->row.drop && (i < p->n || k < p->needs)) {
        const uint32_t f = k == p->needs || (i < p->n && p->met[i] <= p->needed[k]) ? p->met[i]
                                                                                    : p->needed[k];
        i += i < p->n && p->met[i] == f;
        k += k < p->needs && p->needed[k] == f;
        st = give_value(p, f);
    }
    return st;
}

static perc_status read_object(struct jsonl_parser *p, const char *line, size_t len)
{
    struct rows *r = p->row.r;
    perc_status st;

    p->n = 0;
    p->w.stamp++;
    if ((st = jsonl_walk(&p->w, line, len)) || (st = csv_row_begin(&p->row)) ||
        (st = give_values(p)) || (st = csv_row_end(&p->row, (uint32_t)p->w.line - 1)))
        return st;
    for (size_t i = 0; i < p->n && !p->row.drop; i++) p->there[p->met[i]]++;
    if (r->entries <= FILLED_MAX) return PERC_OK;
    return fail_at(p->w.err, PERC_EDATA, p->w.line, 1,
                   "missing values without end: the %zu columns are too seldom there (with "
                   "--missing zero they take no memory)",
                   p->row.c->file_columns);
}

/* ----- a chunk --------------------------------------------------------------------- */

/* Whether a row must hear that a column is missing: not if nothing stands for it. */
static bool is_needed(const struct jsonl_parser *p, const struct column *column)
{
    const struct csv *c = p->row.c;
    const enum fill fill = csv_fill(c->missing, column);

    switch (column->kind) {
    case COLUMN_NUMBER: return fill != FILL_ZERO || column->how.indicator || p->row.number != NULL;
    case COLUMN_CATEGORY: return fill != FILL_NONE;
    case COLUMN_DATE: return true;
    case COLUMN_LABEL:
    case COLUMN_WEIGHT: return !c->fixed; /* a model needs neither */
    default: return false;
    }
}

/* The gaps of which no row has heard. */
static bool count_gaps(struct jsonl_parser *p)
{
    const struct csv *c = p->row.c;

    for (size_t f = 0; f < c->file_columns; f++) {
        const uint32_t number = csv_column_number(c, f);
        const struct column *column = number != UINT32_MAX ? &c->schema.column[number] : NULL;
        if (column == NULL || (column->kind != COLUMN_NUMBER && column->kind != COLUMN_CATEGORY) ||
            is_needed(p, column))
            continue;
        if (!csv_row_add_gaps(&p->row, number, p->row.r->n - p->there[f])) return false;
    }
    return true;
}

static perc_status begin_chunk(struct jsonl_parser *p, const struct csv *c, struct rows *r,
                               struct schema *local, perc_error *err)
{
    const struct env *e = &r->e;
    const size_t n = c->file_columns, keys = c->keys->keys.categories;
    const perc_status st = csv_row_init(&p->row, c, r, local, err);

    jsonl_walk_init(&p->w, e);
    p->w.keys = c->keys;
    p->w.leaf = note_value;
    p->w.err = err;
    text_init(&p->text, e);
    p->value = mem_array(e, n + 1, sizeof *p->value);
    p->stamp = mem_zeroed(e, n + 1, sizeof *p->stamp);
    p->met = mem_array(e, n + 1, sizeof *p->met);
    p->needed = mem_array(e, n + 1, sizeof *p->needed);
    p->there = mem_zeroed(e, n + 1, sizeof *p->there);
    p->w.seen = mem_zeroed(e, keys + 1, sizeof *p->w.seen);
    if (st) return st;
    if (p->value == NULL || p->stamp == NULL || p->met == NULL || p->needed == NULL ||
        p->there == NULL || p->w.seen == NULL)
        return fail_memory(err);
    for (size_t f = 0; f < n; f++) {
        const uint32_t number = csv_column_number(c, f);
        if (carry_has(&c->carry, f) ||
            (number != UINT32_MAX && is_needed(p, &c->schema.column[number])))
            p->needed[p->needs++] = (uint32_t)f;
    }
    return PERC_OK;
}

static void end_chunk(struct jsonl_parser *p, const struct csv *c, const struct env *e)
{
    const size_t n = c->file_columns;

    mem_free(e, p->value, n + 1, sizeof *p->value);
    mem_free(e, p->stamp, n + 1, sizeof *p->stamp);
    mem_free(e, p->met, n + 1, sizeof *p->met);
    mem_free(e, p->needed, n + 1, sizeof *p->needed);
    mem_free(e, p->there, n + 1, sizeof *p->there);
    mem_free(e, p->w.seen, c->keys->keys.categories + 1, sizeof *p->w.seen);
    text_free(&p->text);
    jsonl_walk_free(&p->w);
    csv_row_free(&p->row);
}

perc_status jsonl_parse(const struct csv *c, const char *text, size_t len, struct rows *r,
                        struct csv_chunk *local, perc_error *err)
{
    struct jsonl_parser p = { .n = 0 };
    const char *s = text, *const end = text + len, *line;
    size_t n;
    perc_status st = begin_chunk(&p, c, r, &local->local, err);

    while (!st && jsonl_line(&s, end, &p.w.line, &line, &n)) st = read_object(&p, line, n);
    r->lines = p.w.line;
    if (!st && r->n > 0 && !count_gaps(&p)) st = fail_memory(err);
    end_chunk(&p, c, &r->e);
    return st;
}
