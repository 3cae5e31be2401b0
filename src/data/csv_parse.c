/* csv_parse.c -- the CSV/TSV parser: records to rows.
 *
 * What the columns mean was decided in csv_open; here a chunk of whole records
 * becomes rows, cell by cell (csv_row.c).
 *
 * Most of a big table is numbers such as "0.0123456,". fast_numbers reads those
 * without leaving its loop: it looks at 32 characters at once, and a bit mask
 * tells where the number ends and where its point is. What has another form is
 * tried as a number of any kind, and only then read as a cell, character by
 * character, with quotes and places and all possible complaints. The three agree
 * on every cell they all accept: a test compares them.
 *
 * With a decimal comma fast_numbers looks for that in place of the point. All other numbers in
 * another notation go through their cells (csv_row.c), and so do those that fast_numbers leaves.
 *
 * Chunks are parsed in any order on several threads, but a category's feature
 * number depends on what came before in the file. So a chunk numbers its own
 * categories, from schema.numeric on, and csv_merge, called in file order, gives
 * them their real numbers. A model's categories are fixed and are looked up at
 * once; buckets follow from the words themselves.
 *
 * Not here: cells and quotes (csv_cell.c), what becomes of a cell (csv_row.c), decisions
 * (csv_look.c, csv_open.c), merging (csv_merge.c). */
#include "data/csv.h"

#include "base/number.h"
#include "data/csv_row.h"
#include "vec/scan.h"

enum {
    FAST = 40, /* characters that fast_numbers may look at from the start of a cell */
    NO_KIND = COLUMN_SKIP + 1
};

struct csv_parser {
    struct cursor s;
    struct csv_row row;
    unsigned plain; /* COLUMN_NUMBER, or NO_KIND: numbers have another notation */
};

/* ----- numbers, fast -------------------------------------------------------- */

/* [-] 1 to 7 digits [mark up to 8 digits] and the end of the cell. Returns the end,
 * or NULL if it has another form; nothing is stored then. */
static inline const char *fast_number(struct rows *r, const char *s, char delimiter, char mark,
                                      uint32_t feature)
{
    static const uint64_t power10[] = { 1,      10,      100,      1000,     10000,
                                        100000, 1000000, 10000000, 100000000 };
    const bool negative = *s == '-';
    uint32_t other = scan32(s).other & ~(uint32_t)negative; /* neither sign nor digit */
    if (other == 0) return NULL;

    const unsigned point = (unsigned)__builtin_ctz(other);
    const bool has_point = s[point] == mark;
    if (has_point) other &= other - 1;
    if (other == 0) return NULL;
    const unsigned end = (unsigned)__builtin_ctz(other);
    const unsigned digits = point - negative, places = end - point - has_point;
    if (digits - 1 > 6 || places > 8 || !csv_ends_cell(s + end, delimiter)) return NULL;

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
    const struct csv *c = p->row.c;
    const char *s = p->s.p, *const end = p->s.end;
    const size_t stop = p->row.stop < c->file_columns ? p->row.stop : c->file_columns;
    size_t k = f;

    if (p->row.number != NULL || p->row.r->exact) return 0;

    while (k < stop && end - s >= FAST) {
        const uint32_t column = csv_column_number(c, k);
        if (column == UINT32_MAX || c->schema.column[column].kind != COLUMN_NUMBER) break;
        const char *q = fast_number(p->row.r, s, c->delimiter, c->point,
                                    c->schema.column[column].feature);
        if (q == NULL) break;
        k++;
        p->s.p = q;
        if (*q != c->delimiter) break;
        s = q + 1;
    }
    return k - f;
}

/* ----- numbers of any kind ----------------------------------------------------- */

/* A plain cell that is a number, with no blanks around it. ends_cell looks one
 * character ahead, so the last one of the chunk is left to the caller. */
static bool plain_number(struct csv_parser *p, uint32_t feature)
{
    enum number_fault fault;

    if (p->s.p == p->s.end) return false;
    const char *q = csv_row_number(&p->row, p->s.p, p->s.end - 1, feature, false, &fault);
    if (fault == NUMBER_OK) p->s.p = q;
    return fault == NUMBER_OK;
}

/* ----- categories that were met before ------------------------------------------- */

/* The word of a plain cell that begins at s: without blanks around it, and short. 0: it has
 * another form; else its length. */
static inline unsigned short_word(const char *s, const char *end, char delimiter, uint64_t word[2])
{
    if (end - s < FAST) return 0;
    const unsigned n = scan_cell(s, delimiter);
    if (n == CSV_WORD || !csv_ends_cell(s + n, delimiter)) return 0;
    scan_word(s, n, word);
    return n;
}

/* The whole cell. A word comes to be known by a cell that was read as any other, so that
 * nothing has to be looked at again: whether it means a missing value, or is a model's. */
static perc_status category_cell(struct csv_parser *p, uint32_t number)
{
    const char *const begin = p->s.p;
    struct csv_words *words = &p->row.words;
    uint64_t word[2];
    struct cell c;
    perc_status st;
    const unsigned n = short_word(begin, p->s.end, p->s.delimiter, word);

    if (n > 0 && csv_words_recall(words, number, word)) {
        p->s.p = begin + n;
        return PERC_OK;
    }
    const size_t before = csv_words_count(words), gaps = p->row.gaps;
    if ((st = csv_cursor_cell(&p->s, &c)) || (st = csv_row_take(&p->row, number, &c))) return st;
    if (n > 0 && c.len == n && csv_words_count(words) > before && p->row.gaps == gaps)
        csv_words_remember(words, number, word);
    return PERC_OK;
}

/* ----- cells --------------------------------------------------------------------- */

static perc_status take_cell(struct csv_parser *p, size_t f)
{
    const char *begin = p->s.p;
    struct csv_row *row = &p->row;
    const uint32_t number = csv_column_number(row->c, f);
    const struct column *column = number != UINT32_MAX ? &row->c->schema.column[number] : NULL;
    struct cell c;
    perc_status st;

    if (column != NULL && column->kind == p->plain && plain_number(p, column->feature))
        return f == row->stop ? csv_row_carry(row, begin, (size_t)(p->s.p - begin)) : PERC_OK;
    if (column != NULL && column->kind == COLUMN_CATEGORY && f != row->stop)
        return category_cell(p, number);
    if ((st = csv_cursor_cell(&p->s, &c))) return st;
    if (f == row->stop)
        st = c.quoted ? csv_row_carry(row, c.text, c.len)
                      : csv_row_carry(row, begin, (size_t)(p->s.p - begin));
    return st || column == NULL ? st : csv_row_take(row, number, &c);
}

/* ----- rows ------------------------------------------------------------------------ */

static perc_status read_cells(struct csv_parser *p)
{
    const size_t n = p->row.c->file_columns;
    size_t f = 0;
    perc_status st;

    for (;; p->s.p++) {
        const size_t k = fast_numbers(p, f);
        if (k == 0 && (st = take_cell(p, f))) return st;
        f += k > 0 ? k : 1;
        if (f == n) break;
        if (cursor_at_end(&p->s)) return csv_cursor_width(&p->s, f, n);
    }
    return cursor_at_end(&p->s) ? PERC_OK : csv_cursor_width(&p->s, n + 1, n);
}

static perc_status read_row(struct csv_parser *p)
{
    const uint32_t line = (uint32_t)p->s.lines;
    perc_status st;

    if ((st = csv_row_begin(&p->row)) || (st = read_cells(p)) || (st = csv_row_end(&p->row, line)))
        return st;
    csv_cursor_end(&p->s);
    return PERC_OK;
}

/* After the first row: room for as many as the chunk will have if all are alike. */
static bool reserve_alike(struct csv_parser *p, const char *text)
{
    const size_t done = (size_t)(p->s.p - text), left = (size_t)(p->s.end - p->s.p);
    const size_t rows = left / done + left / done / 8 + 1;

    return rows <= SIZE_MAX / (p->row.c->file_columns + 1) &&
           rows_reserve(p->row.r, rows, rows * (p->row.r->entries + 1));
}

perc_status csv_parse(const struct csv *c, const char *text, size_t len, bool first, struct rows *r,
                      struct csv_chunk *local, perc_error *err)
{
    struct csv_parser p;
    perc_status st;

    if (len == 0) text = ""; /* it may be NULL then */
    csv_cursor_init(&p.s, &r->e, text, len, c->delimiter, notation_quote(&c->schema.notation), err);
    p.plain = notation_is_plain(&c->schema.notation) ? COLUMN_NUMBER : NO_KIND;
    st = csv_row_init(&p.row, c, r, &local->local, err);
    p.row.first_row = first && !c->skip_first;
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
    csv_row_free(&p.row);
    csv_cursor_free(&p.s);
    return st;
}
