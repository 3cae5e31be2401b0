/* csv_look.c -- a first look at a table: is it one, what separates its cells, does
 * it have a header, what do its columns hold.
 *
 * A CSV file says nothing about itself, so everything is told from its beginning,
 * once, before the parallel parsing starts. Each rule can be overruled by an
 * option, and csv_open tells the user what was decided.
 *
 * Format. In LIBSVM text the words after the first are pairs index:value. A line
 * with such pairs votes for LIBSVM, a line without but with a delimiter for CSV.
 *
 * Delimiter. Of comma, tab, semicolon and bar the one that cuts the longest run
 * of records, from the first on, into the same number of cells, at least two;
 * then the one that gives more cells. (Counting characters instead would be
 * fooled by decimals and prose.) Where a comma and another one cut records alike, and all commas
 * stand between digits, the other one is it, and the commas are decimal.
 *
 * Decimal commas. In a table whose delimiter is another character: if several cells can be nothing
 * but numbers with a decimal comma (12,5 and not 1,234), no number has a point, and a column where
 * cells are written so has no other words. What looks like a number elsewhere and is not decided so
 * is refused in csv_open, with what to ask for: nobody means a category of every number.
 *
 * Header. The first record is a header if none of its cells is a number or a date and it
 * stands above a column of numbers, or of dates. In a table of words alone, where no column
 * can tell: if none of its cells is met again below it, in its own column, in the
 * part looked at. In a table of any length the names of classes and categories
 * repeat, and column names do not.
 *
 * Columns. A column is numeric unless at least one cell in ten (of those that
 * are not missing) is a word. One word among a thousand numbers is not a reason
 * to make a thousand categories: it is an error to be shown. Of columns of words, one of nothing
 * but dates is a date. With NAMES rows or more to look at, one of nothing but words without a
 * blank, all of them different, is an id; and one of three words a cell or more, nine in ten of
 * the cells different, is a text. In either, each row would have a level of its own, from which
 * nothing can be learned.
 *
 * Not here: options, the schema (csv_open.c). */
#include <string.h>

#include "base/hash.h"
#include "base/number.h"
#include "data/csv.h"
#include "data/csv_cell.h"
#include "data/date.h"

enum { NAMES = 20 };

/* ----- CSV or LIBSVM -------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* "12:0.5" or "qid:3"; what stands after the colon is the LIBSVM parser's
 * business, unless it is a time of day in a CSV line ("12:30,5"). */
static bool is_pair(const char *p, const char *end)
{
    const char *q = p;

    while (q < end && *q >= '0' && *q <= '9') q++;
    if (q == p && end - p > 3 && memcmp(p, "qid", 3) == 0) q = p + 3;
    if (q == p || q == end || *q != ':') return false;
    for (; q < end; q++)
        if (*q == ',' || *q == ';' || *q == '|' || *q == '"') return false;
    return true;
}

/* The vote of one line: 1 CSV, -1 LIBSVM, 0 none. */
static int vote_line(const char *p, const char *end)
{
    size_t words = 0, pairs = 0;
    bool delimiter = false;

    while (end > p && is_blank(end[-1])) end--;
    for (const char *q; p < end; p = q) {
        if (is_blank(*p)) {
            delimiter |= *p == '\t';
            q = p + 1;
            continue;
        }
        if (*p == '#') break; /* a comment in LIBSVM; in CSV, we have seen enough */
        for (q = p; q < end && !is_blank(*q); q++) delimiter |= *q == ',' || *q == ';' || *q == '|';
        if (words++ > 0) pairs += is_pair(p, q);
    }
    if (pairs > 0 && 2 * pairs >= words - 1) return -1;
    return delimiter ? 1 : 0;
}

bool csv_looks_like(const char *text, size_t len)
{
    enum { LINES = 50 };
    const char *p = text, *const end = text + len;
    int votes = 0;

    for (int lines = 0; p < end && lines < LINES; lines++) {
        const char *q = memchr(p, '\n', (size_t)(end - p));
        if (q == NULL) q = end;
        votes += vote_line(p, q);
        p = q < end ? q + 1 : end;
    }
    return votes > 0;
}

/* ----- the delimiter --------------------------------------------------------- */

struct table_shape {
    size_t cells; /* of the first record */
    size_t run;   /* records from the first on with as many */
};

static perc_status shape_of(const struct env *e, const char *text, size_t len, char delimiter,
                            char quote, struct table_shape *out)
{
    struct cursor s;
    perc_status st = PERC_OK;
    struct cell c;

    *out = (struct table_shape){ 0, 0 };
    csv_cursor_init(&s, e, text, len, delimiter, quote, NULL);
    while (csv_cursor_record(&s)) {
        size_t n = 1; /* the cells of this record */
        for (; !(st = csv_cursor_cell(&s, &c)) && !cursor_at_end(&s); n++) s.p++;
        if (st) break;
        if (out->run == 0) out->cells = n;
        if (n != out->cells) break;
        out->run++;
        csv_cursor_end(&s);
    }
    csv_cursor_free(&s);
    return st == PERC_ENOMEM ? st : PERC_OK; /* a fault only ends the run */
}

/* Whether each comma stands between digits, as in 12,5;7: where another character cuts the text as
 * regularly, that is the delimiter, and commas are decimal marks. 1,2,3 is no such number. */
static bool all_commas_in_numbers(const char *text, size_t len)
{
    const char *p = text, *const end = text + len, *after = NULL, *comma;

    for (; (comma = memchr(p, ',', (size_t)(end - p))) != NULL; p = after) {
        const char *from = comma;
        while (from > text && is_digit(from[-1])) from--;
        if (from == comma || (from > text && from[-1] == '.')) return false;
        for (after = comma + 1; after < end && is_digit(*after); after++) continue;
        if (after == comma + 1 || (after < end && (*after == ',' || *after == '.'))) return false;
    }
    return after != NULL;
}

perc_status csv_survey_delimiter(const struct env *e, const char *text, size_t len, char preferred,
                                 const struct notation *notation, char *out)
{
    enum { SAMPLE = 1 << 16 };
    const char candidates[] = { preferred, ',', '\t', ';', '|' }; /* the first wins a tie */
    const char quote = notation_quote(notation);
    struct table_shape best = { 0, 0 }, s;

    *out = preferred;
    if (len > SAMPLE) { /* whole lines, if there are any */
        size_t n = SAMPLE;
        while (n > 0 && text[n - 1] != '\n') n--;
        if (n > 0) len = n;
    }
    const bool marks = all_commas_in_numbers(text, len);
    for (size_t i = 0; i < sizeof candidates; i++) {
        if (shape_of(e, text, len, candidates[i], quote, &s)) return PERC_ENOMEM;
        if (s.cells < 2 || s.run < best.run) continue;
        if (s.run == best.run && s.cells <= best.cells && !(marks && *out == ',')) continue;
        if (s.run == best.run && best.cells > 0 && marks && candidates[i] == ',') continue;
        best = s;
        *out = candidates[i];
    }
    return PERC_OK;
}

/* ----- the columns ------------------------------------------------------------- */

enum cell_kind { CELL_NUMBER, CELL_MISSING, CELL_ODD, CELL_WORD };

static enum cell_kind kind_of(struct csv_survey *s, const struct cell *c)
{
    const char *text = c->text;
    size_t len = c->len;
    enum number_fault fault;
    double v;

    cell_trim(&text, &len);
    if (csv_cell_is_missing(text, len)) return CELL_MISSING;
    if (!notation_is_plain(&s->notation) && !c->plain) {
        const enum notation_fault other = notation_number(&s->notation, text, len, &s->plain);
        if (s->plain.oom) return CELL_WORD;
        struct date d; /* 31.12.2021, where points are between thousands */
        if (other == NOTATION_POINT || other == NOTATION_GROUPS)
            return date_parse(text, len, &d) ? CELL_WORD : CELL_ODD;
        if (other == NOTATION_OK) text = s->plain.s, len = s->plain.len;
    }
    const char *q = number_scan(text, text + len, &v, &fault);
    if (fault == NUMBER_NAN || fault == NUMBER_HEX) return CELL_ODD;
    if (q != text + len) return CELL_WORD;
    if (fault == NUMBER_OVERFLOW) return CELL_ODD;
    return fault == NUMBER_OK ? CELL_NUMBER : CELL_WORD;
}

static uint64_t *seen_slot(const struct seen *s, uint64_t h)
{
    size_t i = h & (s->slots - 1);

    while (s->slot[i] != 0 && s->slot[i] != h) i = (i + 1) & (s->slots - 1);
    return &s->slot[i];
}

static void seen_free(const struct env *e, struct look *k)
{
    if (k->seen == NULL) return;
    mem_free(e, k->seen->slot, k->seen->slots, sizeof *k->seen->slot);
    mem_free(e, k->seen, 1, sizeof *k->seen);
    k->seen = NULL;
}

static bool seen_grow(const struct env *e, struct seen *s)
{
    struct seen more = { .slots = s->slots > 0 ? 2 * s->slots : 64 };

    if (2 * s->n < s->slots) return true;
    if ((more.slot = mem_zeroed(e, more.slots, sizeof *more.slot)) == NULL) return false;
    for (size_t i = 0; i < s->slots; i++)
        if (s->slot[i] != 0) *seen_slot(&more, s->slot[i]) = s->slot[i];
    mem_free(e, s->slot, s->slots, sizeof *s->slot);
    s->slot = more.slot;
    s->slots = more.slots;
    return true;
}

/* Whether the words of a column are nearly all different, so far. */
static bool is_distinct(const struct look *k)
{
    return 10 * k->repeats <= k->words;
}

/* Counts a word that was met before. Once too many were, the column is watched no longer. */
static bool watch_word(const struct env *e, struct look *k, const char *text, size_t len)
{
    struct hash64 h;

    if (k->words == 1 && (k->seen = mem_zeroed(e, 1, sizeof *k->seen)) == NULL) return false;
    if (k->seen == NULL) return true;
    hash_init(&h);
    hash_add(&h, text, len);
    const uint64_t key = hash_end(&h) | 1;
    if (!seen_grow(e, k->seen)) return false;
    uint64_t *slot = seen_slot(k->seen, key);
    k->repeats += *slot != 0;
    k->seen->n += *slot == 0;
    *slot = key;
    if (k->words >= NAMES && !is_distinct(k)) seen_free(e, k);
    return true;
}

/* false: out of memory. */
static bool count_word(const struct csv_survey *v, struct look *k, const char *text, size_t len)
{
    struct date d;

    cell_trim(&text, &len);
    k->like[notation_look(&v->notation, text, len)]++;
    for (size_t i = 0; i + 1 < len; i++) k->blanks += text[i] == ' ' && text[i + 1] != ' ';
    if (date_parse(text, len, &d)) {
        k->dates++;
        k->timed += d.timed;
    }
    return watch_word(&v->e, k, text, len);
}

bool csv_survey_count(struct csv_survey *v, struct look *k, const struct cell *c)
{
    switch (kind_of(v, c)) {
    case CELL_NUMBER:
        k->numbers++;
        if (!v->points) v->points = memchr(c->text, '.', c->len) != NULL;
        break;
    case CELL_MISSING: k->missing++; break;
    case CELL_ODD: k->odd++; break;
    case CELL_WORD:
        if (k->words++ == 0) {
            k->word_line = c->line;
            k->word_column = c->column;
        }
        return !v->plain.oom && count_word(v, k, c->text, c->len);
    }
    return !v->plain.oom;
}

size_t csv_look_foreign(const struct look *k)
{
    size_t n = 0;

    for (int i = LOOKS_OTHERWISE + 1; i < LOOKS; i++) n += k->like[i];
    return n;
}

bool csv_survey_commas(const struct csv_survey *v)
{
    enum { SEVERAL = 2 };
    size_t marks = 0;

    if (v->points) return false;
    for (size_t f = 0; f < v->columns; f++) {
        const struct look *k = &v->column[f];
        const size_t foreign = csv_look_foreign(k);
        if (foreign > 0 &&
            (foreign < k->words || k->like[LOOKS_POINTS] > 0 || k->like[LOOKS_COMMAS] > 0))
            return false;
        marks += k->like[LOOKS_COMMA];
    }
    return marks >= SEVERAL;
}

static bool is_all_dates(const struct look *k)
{
    return k->dates > 0 && k->dates == k->words && k->numbers + k->odd == 0;
}

enum column_kind csv_look_kind(const struct look *k)
{
    if (k->lists) return COLUMN_TEXT;
    if (!look_is_words(k)) return COLUMN_NUMBER;
    if (is_all_dates(k)) return COLUMN_DATE;
    if (k->words < NAMES || k->numbers + k->odd > 0 || !is_distinct(k)) return COLUMN_CATEGORY;
    if (k->blanks == 0 && k->repeats == 0) return COLUMN_ID;
    return k->blanks >= 2 * k->words ? COLUMN_TEXT : COLUMN_CATEGORY;
}

static perc_status first_record(struct cursor *s, struct csv_survey *v)
{
    struct cell c;
    perc_status st;

    for (;; s->p++) {
        void *p = v->column;
        if ((st = csv_cursor_cell(s, &c))) return st;
        if (v->columns == UINT32_MAX - 1) return fail(s->err, PERC_EDATA, "too many columns");
        if (!mem_grow(&v->e, &p, &v->cap, v->columns + 1, sizeof *v->column))
            return fail_memory(s->err);
        v->column = p;
        char *text = mem_text(&v->e, c.text, c.len);
        if (text == NULL) return fail_memory(s->err);
        v->column[v->columns++] = (struct look){ .first = text,
                                                 .first_line = c.line,
                                                 .first_column = c.column,
                                                 .first_kind = (int)kind_of(v, &c) };
        if (cursor_at_end(s)) break;
    }
    csv_cursor_end(s);
    return PERC_OK;
}

/* Another record. One with too few or too many cells is left to the parser. */
static perc_status next_record(struct cursor *s, struct csv_survey *v)
{
    struct cell c;
    perc_status st;

    for (size_t f = 0;; f++, s->p++) {
        if ((st = csv_cursor_cell(s, &c))) return st;
        if (f < v->columns) {
            struct look *k = &v->column[f];
            if (!csv_survey_count(v, k, &c)) return PERC_ENOMEM;
            k->repeated |= strncmp(k->first, c.text, c.len) == 0 && k->first[c.len] == '\0';
        }
        if (cursor_at_end(s)) break;
    }
    v->records++;
    csv_cursor_end(s);
    return PERC_OK;
}

void csv_survey_begin(struct csv_survey *v, const struct env *e, const struct notation *notation)
{
    *v = (struct csv_survey){ .e = *e, .notation = *notation };
    text_init(&v->plain, e);
}

perc_status csv_survey_make(const struct env *e, const char *text, size_t len, char delimiter,
                            const struct notation *notation, struct csv_survey *out,
                            perc_error *err)
{
    struct cursor s;
    perc_status st;

    csv_survey_begin(out, e, notation);
    out->points = delimiter == ','; /* nobody asks: they are not decided by */
    csv_cursor_init(&s, e, text, len, delimiter, notation_quote(notation), err);
    st = csv_cursor_record(&s) ? first_record(&s, out) : fail(err, PERC_EDATA, NO_ROWS);
    /* A fault ends the look; the parser will report it. */
    if (!st && out->plain.oom) st = fail_memory(err);
    if (!st) {
        s.err = NULL;
        while (!st && csv_cursor_record(&s)) st = next_record(&s, out);
        st = st == PERC_ENOMEM ? fail_memory(err) : PERC_OK;
    }
    if (st) csv_survey_free(out);
    csv_cursor_free(&s);
    return st;
}

void csv_survey_free(struct csv_survey *v)
{
    for (size_t f = 0; f < v->columns; f++) {
        mem_free_text(&v->e, v->column[f].first);
        seen_free(&v->e, &v->column[f]);
    }
    mem_free(&v->e, v->column, v->cap, sizeof *v->column);
    text_free(&v->plain);
    *v = (struct csv_survey){ .e = v->e };
}

/* ----- the header ---------------------------------------------------------------- */

static bool is_date(const char *text)
{
    size_t len = strlen(text);
    struct date d;

    cell_trim(&text, &len);
    return date_parse(text, len, &d);
}

/* Neither a number nor a date in the first record, and at least one word. */
static bool first_is_words(const struct csv_survey *v)
{
    size_t words = 0;

    for (size_t f = 0; f < v->columns; f++) {
        const int kind = v->column[f].first_kind;
        if (kind == CELL_NUMBER || kind == CELL_ODD || is_date(v->column[f].first)) return false;
        words += kind == CELL_WORD;
    }
    return words > 0;
}

bool csv_survey_breaks(const struct csv_survey *v)
{
    if (!first_is_words(v)) return false;
    for (size_t f = 0; f < v->columns; f++) {
        const struct look *k = &v->column[f];
        if (k->first_kind != CELL_WORD) continue;
        if ((k->numbers > 0 && !look_is_words(k)) || is_all_dates(k)) return true;
    }
    return false;
}

bool csv_survey_header(const struct csv_survey *v)
{
    if (csv_survey_breaks(v)) return true;
    if (!first_is_words(v)) return false;
    for (size_t f = 0; f < v->columns; f++) {
        const struct look *k = &v->column[f];
        if (k->repeated && k->first_kind == CELL_WORD) return false;
    }
    return true;
}

bool csv_survey_count_first(struct csv_survey *v)
{
    bool ok = true;

    for (size_t f = 0; f < v->columns && ok; f++) {
        struct look *k = &v->column[f];
        const struct cell c = { .text = k->first,
                                .len = strlen(k->first),
                                .line = k->first_line,
                                .column = k->first_column };
        ok = csv_survey_count(v, k, &c);
    }
    return ok;
}
