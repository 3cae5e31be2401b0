/* csv_parse.c -- the CSV/TSV parser: records to rows.
 *
 * What the columns mean was decided in csv_open; here a chunk of whole records
 * becomes rows. A row has one entry for each numeric column, in order, then those of
 * its categories and words (csv_words.c). Missing values are what --missing says: an
 * error, NaN (filled with the mean by the transform), 0, or the end of the row;
 * a missing category has no entry. A text is never missing: without words its bag is
 * empty, and NA is a word.
 *
 * Most of a big table is numbers such as "0.0123456,". fast_numbers reads those
 * without leaving its loop: it looks at 32 characters at once, and a bit mask
 * tells where the number ends and where its point is. What has another form is
 * tried as a number of any kind, and only then read as a cell, character by
 * character, with quotes and places and all possible complaints. The three agree
 * on every cell they all accept: a test compares them.
 *
 * Chunks are parsed in any order on several threads, but a category's feature
 * number depends on what came before in the file. So a chunk numbers its own
 * categories, from schema.numeric on, and csv_merge, called in file order, gives
 * them their real numbers. A model's categories are fixed and are looked up at
 * once; buckets follow from the words themselves.
 *
 * Not here: cells and quotes (csv_cell.c), words (csv_words.c), decisions
 * (csv_look.c, csv_open.c), merging (csv_merge.c). */
#include "data/csv.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "data/csv_cell.h"
#include "data/csv_words.h"
#include "vec/scan.h"

enum {
    FAST = 40, /* characters that fast_numbers may look at from the start of a cell */
    LABELS = 8 /* size of the label cache */
};

struct csv_parser {
    const struct csv *c;
    struct cursor s;
    struct rows *r;
    bool first_row; /* of a file without a header: it may be one after all */

    /* The row being read. */
    struct csv_words words;
    double *number; /* by feature, where the file's order is not the model's; else NULL */
    struct cell label;
    struct text label_copy;
    double weight;
    bool labelled, drop;
    const struct carry_column *carry; /* the next that goes along */
    size_t stop;                      /* its column, or SIZE_MAX */

    struct {
        uint64_t text; /* up to 8 characters, 0-padded; 0: empty */
        uint32_t id;
    } cache[LABELS];
};

/* The schema's number of file column f; UINT32_MAX: it is not used. */
static uint32_t column_number(const struct csv *c, size_t f)
{
    return c->map != NULL ? c->map[f] : (uint32_t)f;
}

/* ----- numbers, fast -------------------------------------------------------- */

/* Whether a cell may end at s, given that two characters are readable there. */
static inline bool ends_cell(const char *s, char delimiter)
{
    return *s == delimiter || *s == '\n' || (*s == '\r' && s[1] == '\n');
}

/* [-] 1 to 7 digits [. up to 8 digits] and the end of the cell. Returns the end,
 * or NULL if it has another form; nothing is stored then. */
static inline const char *fast_number(struct rows *r, const char *s, char delimiter,
                                      uint32_t feature)
{
    static const uint64_t power10[] = { 1,      10,      100,      1000,     10000,
                                        100000, 1000000, 10000000, 100000000 };
    const bool negative = *s == '-';
    uint32_t other = scan32(s).other & ~(uint32_t)negative; /* neither sign nor digit */
    if (other == 0) return NULL;

    const unsigned point = (unsigned)__builtin_ctz(other);
    const bool has_point = s[point] == '.';
    if (has_point) other &= other - 1;
    if (other == 0) return NULL;
    const unsigned end = (unsigned)__builtin_ctz(other);
    const unsigned digits = point - negative, places = end - point - has_point;
    if (digits - 1 > 6 || places > 8 || !ends_cell(s + end, delimiter)) return NULL;

    uint64_t mantissa = scan_digits(s + negative, digits);
    if (places > 0) mantissa = mantissa * power10[places] + scan_digits(s + point + 1, places);
    if (mantissa >= (uint64_t)1 << DEC_MANTISSA_BITS) rows_unpack(r);
    const uint32_t key = decimal_pack(0, places, negative) >> 24;
    r->index[r->entries] = feature;
    if (r->packed) r->dec[r->entries++] = (uint32_t)mantissa | key << 24;
    else r->value[r->entries++] = (double)mantissa / decimal_divisor[key]; /* < 2^53: exact */
    return s + end;
}

/* Reads numbers from column f on while they are plain. Returns how many; if any,
 * the cursor is on what ends the last. */
static size_t fast_numbers(struct csv_parser *p, size_t f)
{
    const struct csv *c = p->c;
    const char *s = p->s.p, *const end = p->s.end;
    const size_t stop = p->stop < c->file_columns ? p->stop : c->file_columns;
    size_t k = f;

    if (p->number != NULL || p->r->exact) return 0;

    while (k < stop && end - s >= FAST) {
        const uint32_t column = column_number(c, k);
        if (column == UINT32_MAX || c->schema.column[column].kind != COLUMN_NUMBER) break;
        const char *q = fast_number(p->r, s, c->delimiter, c->schema.column[column].feature);
        if (q == NULL) break;
        k++;
        p->s.p = q;
        if (*q != c->delimiter) break;
        s = q + 1;
    }
    return k - f;
}

/* ----- numbers of any kind ----------------------------------------------------- */

/* Reads a number at s and stores it, if it is `whole` (ends at `end`) or else a cell
 * ends after it, before `end`. Returns its end; with a fault nothing is stored. */
static const char *scan_number(struct csv_parser *p, const char *s, const char *end,
                               uint32_t feature, bool whole, enum number_fault *fault)
{
    struct decimal d;
    const char *q = number_scan_decimal(s, end, &d, fault);

    if (*fault != NUMBER_OK) return q;
    if (whole ? q != end : q == end || !ends_cell(q, p->c->delimiter)) {
        *fault = NUMBER_NONE; /* something follows */
        return q;
    }
    const double v = number_decimal_value(&d);
    if (fabs(v) > (p->c->float32 ? FLT_MAX : DBL_MAX)) *fault = NUMBER_OVERFLOW;
    else if (p->r->exact && !number_decimal_is_complete(&d)) *fault = NUMBER_LONG;
    else if (p->number != NULL) p->number[feature] = v;
    else rows_put_number(p->r, feature, &d, v);
    return q;
}

/* A plain cell that is a number, with no blanks around it. ends_cell looks one
 * character ahead, so the last one of the chunk is left to the caller. */
static bool plain_number(struct csv_parser *p, uint32_t feature)
{
    enum number_fault fault;

    if (p->s.p == p->s.end) return false;
    const char *q = scan_number(p, p->s.p, p->s.end - 1, feature, false, &fault);
    if (fault == NUMBER_OK) p->s.p = q;
    return fault == NUMBER_OK;
}

/* ----- cells --------------------------------------------------------------------- */

static perc_status bad_cell(struct csv_parser *p, const struct cell *c, const struct column *column,
                            const char *why, const char *remedy)
{
    char text[CELL_BUFFER], name[CELL_BUFFER];

    csv_cell_show(c->text, c->len, text);
    csv_cell_show(column->name, strlen(column->name), name);
    return fail_at(p->s.err, PERC_EDATA, c->line, c->column, "'%s' in column '%s' %s%s", text, name,
                   why, remedy);
}

static perc_status missing(struct csv_parser *p, const struct cell *c, const struct column *column)
{
    char name[CELL_BUFFER];

    if (p->c->missing == MISSING_DROP) {
        p->drop = true;
        return PERC_OK;
    }
    const bool feature = column->kind == COLUMN_NUMBER || column->kind == COLUMN_CATEGORY;
    if (feature && p->c->missing != MISSING_ERROR) {
        const double v = p->c->missing == MISSING_MEAN ? (double)NAN : 0;
        if (column->kind != COLUMN_NUMBER) return PERC_OK;
        if (p->number != NULL) p->number[column->feature] = v;
        else rows_put(p->r, column->feature, v);
        return PERC_OK;
    }
    return fail_at(p->s.err, PERC_EDATA, c->line, c->column,
                   "column '%s' is missing a value (pass %s)",
                   csv_cell_show(column->name, strlen(column->name), name),
                   feature && !p->c->exact ? "--missing mean, zero or drop"
                                           : "--missing drop to leave such rows out");
}

/* What is wrong with a cell that is not a number. */
static perc_status no_number(struct csv_parser *p, const struct cell *c,
                             const struct column *column, enum number_fault fault)
{
    const char *why = "is not a number";
    char remedy[2 * CELL_BUFFER] = "", name[CELL_BUFFER];

    switch (fault) {
    case NUMBER_NAN:
        why = p->c->exact ? "is not a finite number (leave the cell empty, and pass --missing drop)"
                          : "is not a finite number (leave the cell empty, and pass --missing)";
        break;
    case NUMBER_HEX: why = "is hexadecimal; write it in decimal"; break;
    case NUMBER_OVERFLOW:
        why = p->c->float32 ? "is too large for --float32 (leave the option out)"
                            : "is too large (the largest is 1.8e308: rescale the column)";
        break;
    case NUMBER_LONG:
        why = "has too many digits, or too large an exponent, for a proof (round or rescale it)";
        break;
    default:
        if (p->first_row)
            snprintf(remedy, sizeof remedy, " (pass --header yes if this line names the columns)");
        else if (!p->c->fixed && column->kind != COLUMN_WEIGHT)
            snprintf(remedy, sizeof remedy, " (pass --categorical %s to take its cells as words)",
                     csv_cell_show(column->name, strlen(column->name), name));
    }
    return bad_cell(p, c, column, why, remedy);
}

/* The value of a feature, or the weight of the row. */
static perc_status take_number(struct csv_parser *p, struct cell *c, const struct column *column)
{
    enum number_fault fault;

    cell_trim(&c->text, &c->len);
    if (csv_cell_is_missing(c->text, c->len)) return missing(p, c, column);
    if (column->kind == COLUMN_NUMBER) {
        scan_number(p, c->text, c->text + c->len, column->feature, true, &fault);
        return fault == NUMBER_OK ? PERC_OK : no_number(p, c, column, fault);
    }
    const char *q = number_scan(c->text, c->text + c->len, &p->weight, &fault);
    if (fault == NUMBER_OK && q != c->text + c->len) fault = NUMBER_NONE;
    if (fault != NUMBER_OK) return no_number(p, c, column, fault);
    return p->weight >= 0 ? PERC_OK : bad_cell(p, c, column, "is a negative weight", "");
}

/* The label is only noted here: a row that is dropped must not add one. */
static perc_status take_label(struct csv_parser *p, const struct cell *c,
                              const struct column *column)
{
    if (csv_cell_is_missing(c->text, c->len)) return p->c->fixed ? PERC_OK : missing(p, c, column);
    p->label = *c;
    p->labelled = true;
    if (!c->copied) return PERC_OK;
    p->label_copy.len = 0; /* the cursor's buffer will be reused */
    text_add(&p->label_copy, c->text, c->len);
    if (p->label_copy.oom) return fail_memory(p->s.err);
    p->label.text = p->label_copy.s;
    return PERC_OK;
}

/* The next column that goes along, from the i-th on. */
static void next_carried(struct csv_parser *p, size_t i)
{
    p->carry = p->c->carry.column + i;
    p->stop = i < p->c->carry.n ? p->carry->at : SIZE_MAX;
}

/* The cell of column p->stop. */
static perc_status carry_cell(struct csv_parser *p, const char *text, size_t len)
{
    struct rows *r = p->r;
    const struct carry *c = &p->c->carry;

    if (!carry_put(&r->carried, &r->e, c->n, r->n, p->carry->place, text, len))
        return fail_memory(p->s.err);
    next_carried(p, (size_t)(p->carry - c->column) + 1);
    return PERC_OK;
}

static perc_status take_cell(struct csv_parser *p, size_t f)
{
    const char *begin = p->s.p;
    const uint32_t number = column_number(p->c, f);
    const struct column *column = number != UINT32_MAX ? &p->c->schema.column[number] : NULL;
    struct cell c;
    perc_status st;

    if (column != NULL && column->kind == COLUMN_NUMBER && plain_number(p, column->feature))
        return f == p->stop ? carry_cell(p, begin, (size_t)(p->s.p - begin)) : PERC_OK;
    if ((st = csv_cursor_cell(&p->s, &c))) return st;
    if (f == p->stop)
        st = c.quoted ? carry_cell(p, c.text, c.len)
                      : carry_cell(p, begin, (size_t)(p->s.p - begin));
    if (st || column == NULL) return st;
    switch (column->kind) {
    case COLUMN_NUMBER:
    case COLUMN_WEIGHT: return take_number(p, &c, column);
    case COLUMN_CATEGORY:
        if (csv_cell_is_missing(c.text, c.len)) return missing(p, &c, column);
        st = csv_words_category(&p->words, number, c.text, c.len);
        break;
    case COLUMN_TEXT: st = csv_words_text(&p->words, number, c.text, c.len); break;
    case COLUMN_LABEL: return take_label(p, &c, column);
    case COLUMN_SKIP: break;
    }
    return st ? fail_memory(p->s.err) : PERC_OK;
}

/* ----- rows ------------------------------------------------------------------------ */

static perc_status label_number(struct csv_parser *p, uint32_t *id)
{
    const struct cell *c = &p->label;
    uint64_t word = 0;
    perc_status st;

    *id = LABEL_NONE;
    if (!p->labelled) return PERC_OK;
    if (c->len <= sizeof word) memcpy(&word, c->text, c->len); /* no NUL in it: unique */
    const size_t at = (size_t)((word * UINT64_C(0x9E3779B97F4A7C15)) >> 61);
    if (word != 0 && p->cache[at].text == word) {
        *id = p->cache[at].id;
        return PERC_OK;
    }
    if ((st = labels_add(&p->r->labels, c->text, c->len, id, p->s.err))) {
        if (st == PERC_EDATA && p->s.err != NULL) {
            p->s.err->line = c->line;
            p->s.err->column = c->column;
        }
        return st;
    }
    if (word != 0) {
        p->cache[at].text = word;
        p->cache[at].id = *id;
    }
    return PERC_OK;
}

static perc_status bad_width(struct csv_parser *p, size_t cells)
{
    const int64_t line = p->s.lines + 1, column = p->s.p - p->s.bol + 1;
    const size_t n = p->c->file_columns;

    if (cells < n)
        return fail_at(p->s.err, PERC_EDATA, line, column,
                       "the row ends after %zu of %zu cells (cells may be empty, with --missing)",
                       cells, n);
    return fail_at(p->s.err, PERC_EDATA, line, column + 1,
                   "the row has more than %zu cells (a cell with '%c' in it must be in quotes)", n,
                   p->c->delimiter == '\t' ? ' ' : p->c->delimiter);
}

static perc_status read_cells(struct csv_parser *p)
{
    const size_t n = p->c->file_columns;
    size_t f = 0;
    perc_status st;

    for (;; p->s.p++) {
        const size_t k = fast_numbers(p, f);
        if (k == 0 && (st = take_cell(p, f))) return st;
        f += k > 0 ? k : 1;
        if (f == n) break;
        if (cursor_at_end(&p->s)) return bad_width(p, f);
    }
    return cursor_at_end(&p->s) ? PERC_OK : bad_width(p, n + 1);
}

static perc_status read_row(struct csv_parser *p)
{
    struct rows *r = p->r;
    const uint32_t line = (uint32_t)p->s.lines;
    const size_t entries = r->entries, known = p->words.local->categories;
    const uint64_t unknown = r->unknown;
    const size_t carried = r->carried.text.len;
    uint32_t label;
    perc_status st;

    csv_words_clear(&p->words);
    next_carried(p, 0);
    p->weight = 1;
    p->labelled = p->drop = false;
    if (!rows_reserve(r, 1, p->c->file_columns)) return fail_memory(p->s.err);
    if ((st = read_cells(p))) return st;
    if (!p->drop) {
        if ((st = label_number(p, &label))) return st;
        for (uint32_t j = 0; p->number != NULL && j < p->c->schema.numeric; j++)
            rows_put(r, j, p->number[j]);
        if (csv_words_put(&p->words)) return fail_memory(p->s.err);
        rows_end(r, label, p->weight, line);
    } else { /* as if it had not been there */
        r->entries = entries;
        r->unknown = unknown;
        r->carried.text.len = carried;
        schema_truncate(p->words.local, known);
        r->dropped++;
    }
    p->first_row = false;
    csv_cursor_end(&p->s);
    return PERC_OK;
}

/* After the first row: room for as many as the chunk will have if all are alike. */
static bool reserve_alike(struct csv_parser *p, const char *text)
{
    const size_t done = (size_t)(p->s.p - text), left = (size_t)(p->s.end - p->s.p);
    const size_t rows = left / done + left / done / 8 + 1;

    return rows <= SIZE_MAX / (p->c->file_columns + 1) &&
           rows_reserve(p->r, rows, rows * (p->r->entries + 1));
}

/* Scratch memory of a chunk. */
static perc_status prepare_parser(struct csv_parser *p, struct schema *local)
{
    const struct csv *c = p->c;
    uint32_t last = 0;
    bool disorder = false;

    if (csv_words_begin(&p->words, c, p->r, local)) return fail_memory(p->s.err);
    if (!c->fixed) return PERC_OK;
    for (size_t f = 0; f < c->file_columns; f++) {
        if (c->map[f] == UINT32_MAX || c->schema.column[c->map[f]].kind != COLUMN_NUMBER) continue;
        const uint32_t feature = c->schema.column[c->map[f]].feature;
        disorder |= feature < last;
        last = feature;
    }
    if (!disorder) return PERC_OK;
    p->number = mem_array(&p->r->e, c->schema.numeric, sizeof *p->number);
    return p->number != NULL ? PERC_OK : fail_memory(p->s.err);
}

perc_status csv_parse(const struct csv *c, const char *text, size_t len, bool first, struct rows *r,
                      struct csv_chunk *local, perc_error *err)
{
    struct csv_parser p = { .c = c, .r = r };
    perc_status st;

    if (len == 0) text = ""; /* it may be NULL then */
    csv_cursor_init(&p.s, &r->e, text, len, c->delimiter, err);
    text_init(&p.label_copy, &r->e);
    p.first_row = first && !c->skip_first;
    st = prepare_parser(&p, &local->local);
    if (!st && first && c->skip_first && csv_cursor_record(&p.s)) {
        struct cell name;
        while (!(st = csv_cursor_cell(&p.s, &name)) && !cursor_at_end(&p.s)) p.s.p++;
        if (!st) csv_cursor_end(&p.s);
    }
    const char *begin = p.s.p;
    while (!st && csv_cursor_record(&p.s)) {
        st = read_row(&p);
        if (!st && r->n == 1 && !reserve_alike(&p, begin)) st = fail_memory(err);
    }
    r->lines = p.s.lines;
    csv_words_free(&p.words);
    mem_free(&r->e, p.number, c->schema.numeric, sizeof *p.number);
    text_free(&p.label_copy);
    csv_cursor_free(&p.s);
    return st;
}
