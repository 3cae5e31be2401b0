/* cut.c -- a text cut into its rows. See cut.h.
 *
 * A row without a quote ends at the next line end, and its cells are found by their delimiters,
 * sixteen characters at a time (scan_nth). Where the next quote stands is looked up once and kept,
 * so that a text without any is searched for them once. A row with a quote in it goes through
 * csv_cell.c whole. */
#include "data/cut.h"

#include <string.h>

#include "base/number.h"
#include "data/blockfile.h"
#include "data/csv.h"
#include "data/jsonl.h"
#include "data/parser.h"
#include "vec/scan.h"

/* ----- opening ------------------------------------------------------------------ */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static perc_status open_table(struct cut *c, const char *text, size_t len, const perc_params *data,
                              const char *by, char *note, perc_error *err)
{
    struct csv_places at;
    const perc_status st = csv_open_places(&c->e, text, len, data, by, false, &at, note, err);

    if (st) return st;
    c->table = true;
    c->header = at.header;
    c->column[CUT_LABEL] = at.label;
    if (*by != '\0') c->column[CUT_BY] = at.by;
    csv_cursor_init(&c->cursor, &c->e, "", 0, at.delimiter, at.quote, NULL);
    c->mark = at.quote;
    source_quotes(c->source, c->mark);
    return PERC_OK;
}

/* LIBSVM text has no columns, but features and query numbers. */
static perc_status open_libsvm(struct cut *c, const char *by, perc_error *err)
{
    const size_t n = strlen(by);
    int64_t index;

    if (n == 0) return PERC_OK;
    if (strcmp(by, "qid") != 0 && !(number_parse_int(by, n, &index) && index >= 0))
        return fail(err, PERC_EARG,
                    "by: this is LIBSVM text, which has no column '%.40s' (qid, or the number of a "
                    "feature)",
                    by);
    if ((c->key = mem_array(&c->e, n + 2, 1)) == NULL) return fail_memory(err);
    memcpy(c->key, by, n);
    memcpy(c->key + n, ":", 2);
    return PERC_OK;
}

/* An array of objects has a bracket before the first of them, and commas between. */
static perc_status open_objects(struct cut *c, const char *text, size_t len,
                                const perc_params *data, const char *by, char *note,
                                perc_error *err)
{
    const char *first = text;
    struct csv_places at;

    while (first < text + len && is_space(*first)) first++;
    if (first < text + len && *first == '[')
        return fail(err, PERC_EDATA,
                    "this is an array, whose rows are no lines: 'perceptron convert' makes JSON "
                    "lines of it");
    const perc_status st = csv_open_places(&c->e, text, len, data, by, true, &at, note, err);
    c->objects = true;
    c->label = at.label_key;
    c->key = at.by_key;
    return st;
}

static perc_status open_format(struct cut *c, const char *text, size_t len, const perc_params *data,
                               const char *by, char *note, perc_error *err)
{
    if (strcmp(c->format, "csv") == 0) return open_table(c, text, len, data, by, note, err);
    if (strcmp(c->format, "jsonl") == 0) return open_objects(c, text, len, data, by, note, err);
    if (strcmp(c->format, "vw") == 0 && *by != '\0')
        return fail(err, PERC_EARG, "by: Vowpal Wabbit's text has no columns");
    return open_libsvm(c, by, err);
}

static perc_status check_encoding(const struct cut *c, perc_error *err)
{
    if (!source_recoded(c->source)) return PERC_OK;
    return fail(err, PERC_EDATA,
                "this is UTF-16, and rows are kept byte for byte (make UTF-8 of it first: iconv "
                "-f UTF-16 -t UTF-8)");
}

static perc_status choose_format(struct cut *c, const perc_params *data, const char *by, char *note,
                                 perc_error *err)
{
    const char *text;
    size_t len;
    perc_status st = source_peek(c->source, 2, &text, &len, err);

    if (st) return st;
    c->bom = source_marked(c->source);
    if ((st = check_encoding(c, err))) return st;
    if (params_is(data, "format", "blocks") || blockfile_is(text, len))
        return fail(err, PERC_EDATA,
                    "these are blocks, not text: 'perceptron convert' makes text of them");
    c->format = parser_tell(text, len, data);
    if ((st = open_format(c, text, len, data, by, note, err))) return st;
    parser_stand_in(&c->e, c->format, params_is(data, "format", "auto"), &c->like);
    c->like.table.delimiter = c->cursor.delimiter;
    c->like.table.schema.notation.quotes = c->mark == '"'    ? QUOTES_DOUBLE
                                           : c->mark == '\'' ? QUOTES_SINGLE
                                                             : QUOTES_NONE;
    c->like.table.skip_first = c->header;
    return parser_keep(&c->like, text, len, err);
}

perc_status cut_open(const struct env *e, const char *path, const perc_params *data, const char *by,
                     struct cut *out, char *note, perc_error *err)
{
    *out = (struct cut){
        .e = *e, .wanted = true, .column = { CUT_NOWHERE, CUT_NOWHERE }, .chunk.e = *e
    };
    note[0] = '\0';
    if (path[0] == ':')
        return fail(err, PERC_EARG, "%s is built in: 'perceptron convert' makes a file of it",
                    path);
    perc_status st = paths_find(e, path, params_text(data, "more"), &out->files, err);
    if (!st) st = source_open_all(e, out->files.name, out->files.n, NULL, &out->source, err);
    if (!st) {
        st = choose_format(out, data, by, note, err);
        paths_blame(&out->files, source_file(out->source), st, err);
        out->several = out->files.n > 1;
    }
    if (st) cut_close(out);
    return st;
}

uint64_t cut_unchecked(const struct cut *c)
{
    const uint64_t n = c->source != NULL ? source_unchecked(c->source) : 0;

    return n > c->unchecked ? n : c->unchecked;
}

static void begin_again(struct cut *c)
{
    c->unchecked = cut_unchecked(c);
    source_close(c->source);
    c->source = NULL;
    c->p = c->end = c->quote = NULL;
    c->lines = 0;
    c->begun = c->named = c->several = c->follows = false;
}

perc_status cut_again(struct cut *c, const char *path, perc_error *err)
{
    begin_again(c);
    const perc_status st = path != NULL ? source_open(&c->e, path, NULL, &c->source, err)
                                        : source_open_all(&c->e, c->files.name, c->files.n, NULL,
                                                          &c->source, err);
    if (st) return st;
    source_quotes(c->source, c->mark);
    c->several = path == NULL && c->files.n > 1;
    return PERC_OK;
}

static const char *next_quote(const struct cut *c, const char *p, const char *end)
{
    const char *q = c->mark != '\0' && p < end ? memchr(p, c->mark, (size_t)(end - p)) : NULL;

    return q != NULL ? q : end;
}

static void take_text(struct cut *c, const char *text, size_t len)
{
    c->p = text;
    c->end = text + len;
    c->quote = next_quote(c, c->p, c->end);
    c->cursor.p = c->cursor.bol = c->p;
    c->cursor.end = c->end;
}

void cut_memory(struct cut *c, const char *text, size_t len)
{
    begin_again(c);
    take_text(c, text, len);
}

void cut_close(struct cut *c)
{
    source_close(c->source);
    source_chunk_free(&c->chunk);
    for (int k = 0; k < CUT_CELLS; k++) text_free(&c->held[k]);
    csv_cursor_free(&c->cursor);
    mem_free_text(&c->e, c->key);
    mem_free_text(&c->e, c->label);
    parser_free(&c->like);
    paths_free(&c->files);
    *c = (struct cut){ .e = c->e, .chunk.e = c->e };
}

/* ----- cells ---------------------------------------------------------------------- */

static perc_status too_few_cells(const struct cut *c, size_t have, size_t want, perc_error *err)
{
    return fail_at(err, PERC_EDATA, c->lines + 1, 0,
                   "this row has %zu cell%s, and column %zu is needed", have, have == 1 ? "" : "s",
                   want + 1);
}

/* A cell of a row without quotes: column k of the row that ends at `end`, before its line end. */
static perc_status plain_cell(const struct cut *c, const char *end, size_t k, struct cell *out,
                              perc_error *err)
{
    const char delimiter = c->cursor.delimiter, *p = c->p, *q;
    size_t missing = 0;

    if (k > 0) {
        p = scan_nth(p, end, delimiter, k, &missing);
        if (missing > 0) return too_few_cells(c, k - missing + 1, k, err);
        p++;
    }
    q = memchr(p, delimiter, (size_t)(end - p));
    *out = (struct cell){ .text = p, .len = (size_t)((q != NULL ? q : end) - p) };
    cell_trim(&out->text, &out->len);
    out->line = c->lines + 1;
    out->column = out->text - c->p + 1;
    return PERC_OK;
}

/* Keeps what the cursor found in column f, if it is wanted. */
static perc_status keep_cell(struct cut *c, size_t f, const struct cell *cell,
                             struct cut_piece *out, perc_error *err)
{
    for (int k = 0; k < CUT_CELLS && c->wanted; k++) {
        if (c->column[k] != f) continue;
        out->cell[k] = *cell;
        if (!cell->copied) continue;
        struct text *own = &c->held[k]; /* the cursor has one buffer for all cells */
        if (own->s == NULL) text_init(own, &c->e);
        own->len = 0;
        text_add(own, cell->text, cell->len);
        if (own->oom) return fail_memory(err);
        out->cell[k].text = own->s;
    }
    return PERC_OK;
}

/* The cursor goes through the row, and stands behind it afterwards. */
static perc_status quoted_row(struct cut *c, struct cut_piece *out, perc_error *err)
{
    struct cursor *s = &c->cursor;
    struct cell cell;
    perc_status st;
    size_t f = 0;

    s->err = err;
    s->p = s->bol = c->p;
    s->lines = c->lines;
    for (;; f++, s->p++) {
        if ((st = csv_cursor_cell(s, &cell)) || (st = keep_cell(c, f, &cell, out, err))) return st;
        if (cursor_at_end(s)) break;
    }
    for (int k = 0; k < CUT_CELLS && c->wanted; k++)
        if (c->column[k] != CUT_NOWHERE && c->column[k] > f)
            return too_few_cells(c, f + 1, c->column[k], err);
    csv_cursor_end(s);
    return PERC_OK;
}

static perc_status table_row(struct cut *c, const char *end, struct cut_piece *out, perc_error *err)
{
    perc_status st = PERC_OK;

    if (end > c->p && end[-1] == '\r') end--;
    for (int k = 0; k < CUT_CELLS && c->wanted && !st; k++)
        if (c->column[k] != CUT_NOWHERE) st = plain_cell(c, end, c->column[k], &out->cell[k], err);
    return st;
}

/* The label is the first word, unless that is a pair; the feature `key` may be any other. */
static void libsvm_row(const struct cut *c, const char *end, struct cut_piece *out)
{
    const size_t n = c->key != NULL ? strlen(c->key) : 0;
    const char *comment = memchr(c->p, '#', (size_t)(end - c->p)), *p = c->p, *q;

    if (comment != NULL) end = comment;
    for (bool first = true; p < end; p = q, first = false) {
        while (p < end && is_space(*p)) p++;
        for (q = p; q < end && !is_space(*q); q++) continue;
        struct cell cell = { p, (size_t)(q - p), c->lines + 1, p - c->p + 1, false, false, false };
        if (first && memchr(p, ':', cell.len) == NULL) out->cell[CUT_LABEL] = cell;
        if (n == 0) break; /* all that is wanted */
        if (cell.len <= n || memcmp(p, c->key, n) != 0) continue;
        cell.text += n;
        cell.len -= n;
        out->cell[CUT_BY] = cell;
    }
}

struct object_walk {
    struct jsonl_walk walk; /* first: a leaf is given this */
    struct cut *c;
    struct cut_piece *out;
};

static perc_status take_leaf(struct jsonl_walk *walk, uint32_t key, const struct jsonl_value *v)
{
    struct object_walk *w = (struct object_walk *)walk;
    struct cut *c = w->c;

    (void)key;
    for (int k = 0; k < CUT_CELLS; k++) {
        const char *name = k == CUT_LABEL ? c->label : c->key;
        if (name == NULL || v->kind == JSON_NULL || strcmp(walk->path.s, name) != 0) continue;
        struct cell *cell = &w->out->cell[k];
        if (c->held[k].e.alloc == NULL) text_init(&c->held[k], &c->e);
        const char *text = jsonl_text(v, &c->held[k], &cell->len);
        if (text == NULL) return fail_memory(walk->err);
        cell->text = text;
        cell->line = walk->line;
        cell->column = v->at - w->out->text + 1;
        cell->quoted = v->kind == JSON_STRING;
    }
    return PERC_OK;
}

static perc_status object_row(struct cut *c, const char *end, struct cut_piece *out,
                              perc_error *err)
{
    struct object_walk w = { .c = c, .out = out };
    struct jsonl none;

    jsonl_init(&none, &c->e);
    jsonl_walk_init(&w.walk, &c->e);
    w.walk.keys = &none;
    w.walk.leaf = take_leaf;
    w.walk.line = c->lines + 1;
    w.walk.err = err;
    if (end > c->p && end[-1] == '\r') end--;
    const perc_status st = jsonl_walk(&w.walk, c->p, (size_t)(end - c->p));
    jsonl_walk_free(&w.walk);
    jsonl_free(&none);
    return st;
}

/* ----- pieces ----------------------------------------------------------------------- */

/* More text; false at the end. */
static perc_status more_text(struct cut *c, bool *more, perc_error *err)
{
    *more = false;
    if (c->source == NULL) return PERC_OK;
    perc_status st = source_next(c->source, &c->chunk, err);
    *more = !st && c->chunk.len > 0;
    if (!*more) return st;
    take_text(c, c->chunk.text, c->chunk.len);
    if (!c->chunk.begins || c->chunk.number == 0) return PERC_OK;
    c->follows = true;
    c->lines = 0;
    c->named = !c->header;
    if ((st = check_encoding(c, err))) return st;
    return parser_follow(&c->like, c->p, c->chunk.len, c->files.name[0], err);
}

/* Whether a line has no row: blanks alone, or in LIBSVM text a comment. */
static bool is_gap(const struct cut *c, const char *end)
{
    const char *p = c->p;

    while (p < end && is_space(*p)) p++;
    return p == end || (strcmp(c->format, "libsvm") == 0 && *p == '#');
}

/* Whether another file follows the text at hand. */
static bool goes_on(const struct cut *c)
{
    return c->several && c->chunk.file + 1 < c->files.n;
}

perc_status cut_blame(const struct cut *c, perc_status st, perc_error *err)
{
    return c->several ? paths_blame(&c->files, c->chunk.file, st, err) : st;
}

static perc_status next_piece(struct cut *c, struct cut_piece *out, perc_error *err)
{
    bool more = true;
    perc_status st = PERC_OK;

    *out = (struct cut_piece){ .kind = CUT_END };
    if (!c->begun) {
        c->begun = true;
        c->named = !c->header;
        out->mark = c->bom;
    }
    if (out->mark) {
        out->kind = CUT_HEAD;
        out->text = "\xef\xbb\xbf";
        out->len = 3;
        return PERC_OK;
    }
    if (c->p == c->end) st = more_text(c, &more, err);
    if (st || !more || c->p == c->end) return st;

    const char *end = memchr(c->p, '\n', (size_t)(c->end - c->p)), *next;
    int64_t lines = c->lines + 1;
    if (end == NULL) end = c->end;
    next = end + (end < c->end);
    if (c->quote < c->p) c->quote = next_quote(c, c->p, c->end);
    *out = (struct cut_piece){ .kind = CUT_ROW, .text = c->p, .line = c->lines + 1 };
    if (is_gap(c, end)) {
        out->kind = CUT_GAP;
    } else if (c->quote < end) {
        if ((st = quoted_row(c, out, err))) return st;
        next = c->cursor.p;
        lines = c->cursor.lines;
    } else if (c->objects) {
        if (c->wanted && (st = object_row(c, end, out, err))) return st;
    } else if (!c->table) {
        libsvm_row(c, end, out);
    } else if (c->named && (st = table_row(c, end, out, err))) {
        return st;
    }
    if (out->kind == CUT_ROW && !c->named) {
        out->kind = CUT_HEAD;
        c->named = true;
    }
    out->len = (size_t)(next - c->p);
    if (next == c->end && next[-1] != '\n' && goes_on(c)) out->len++; /* the pad is line ends */
    c->p = next;
    c->lines = lines;
    return PERC_OK;
}

perc_status cut_next(struct cut *c, struct cut_piece *out, perc_error *err)
{
    perc_status st;

    do st = next_piece(c, out, err);
    while (!st && out->kind == CUT_HEAD && !out->mark && c->follows);
    return cut_blame(c, st, err);
}
