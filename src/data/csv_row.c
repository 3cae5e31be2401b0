/* csv_row.c -- the cells of a record become a row.
 *
 * A row has one entry for each column of numbers and each date's day, in order, then those of its
 * categories and words (csv_words.c). Missing values are what the column's treatment says, or
 * --missing: an error, a number, NaN (which the transform fills with what it has measured), or the
 * end of the row; a missing category has no entry, or that of the level SCHEMA_MISSING. A text is
 * never missing: without words its bag is empty, and NA is a word.
 *
 * Where the cells come from is not known here: csv_parse.c finds them in CSV text,
 * jsonl_parse.c in objects. */
#include "data/csv_row.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "data/date.h"

/* ----- numbers ------------------------------------------------------------------- */

const char *csv_row_number(struct csv_row *p, const char *s, const char *end, uint32_t feature,
                           bool whole, enum number_fault *fault)
{
    struct decimal d;
    const char *q = number_scan_decimal(s, end, &d, fault);

    if (*fault != NUMBER_OK) return q;
    if (whole ? q != end : q == end || !csv_ends_cell(q, p->c->delimiter)) {
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

/* ----- cells --------------------------------------------------------------------- */

static perc_status bad_cell(struct csv_row *p, const struct cell *c, const struct column *column,
                            const char *why, const char *remedy)
{
    char text[CELL_BUFFER], name[CELL_BUFFER];

    csv_cell_show(c->text, c->len, text);
    csv_cell_show(column->name, strlen(column->name), name);
    return fail_at(p->err, PERC_EDATA, c->line, c->column, "'%s' in column '%s' %s%s", text, name,
                   why, remedy);
}

enum fill csv_fill(enum missing missing, const struct column *column)
{
    const bool level = column->kind == COLUMN_CATEGORY;

    if (column->how.fill != FILL_OPTION) return column->how.fill;
    switch (missing) {
    case MISSING_DROP: return FILL_DROP;
    case MISSING_MEAN: return level ? FILL_NONE : FILL_MEAN;
    case MISSING_MEDIAN: return level ? FILL_NONE : FILL_MEDIAN;
    case MISSING_ZERO: return level ? FILL_NONE : FILL_ZERO;
    default: return FILL_ERROR;
    }
}

bool csv_fills(const struct csv *c)
{
    bool fills = c->missing == MISSING_MEAN;

    for (size_t i = 0; i < c->schema.columns && !fills; i++) {
        const enum fill fill = csv_fill(c->missing, &c->schema.column[i]);
        fills = column_is_number(&c->schema.column[i]) &&
                (fill == FILL_MEAN || fill == FILL_MEDIAN);
    }
    return fills;
}

static void put_number(struct csv_row *p, const struct column *column, double v)
{
    if (p->number != NULL) p->number[column->feature] = v;
    else rows_put(p->r, column->feature, v);
}

/* What stands for a missing cell of a feature. */
static perc_status fill_gap(struct csv_row *p, uint32_t number, enum fill fill)
{
    const struct column *column = &p->c->schema.column[number];

    p->gap[p->gaps++] = number;
    if (p->c->fixed && fill == FILL_FREQUENT && column->frequent != NULL) {
        const char *level = column->frequent;
        return csv_words_category(&p->words, number, level, strlen(level)) ? fail_memory(p->err)
                                                                           : PERC_OK;
    }
    if (column_is_number(column))
        put_number(p, column,
                   fill == FILL_ZERO       ? 0
                   : fill == FILL_CONSTANT ? column->how.constant
                                           : (double)NAN);
    if (!column->how.indicator && fill != FILL_FREQUENT && fill != FILL_LEVEL) return PERC_OK;
    return csv_words_special(&p->words, number, SCHEMA_MISSING) ? fail_memory(p->err) : PERC_OK;
}

static perc_status missing(struct csv_row *p, const struct cell *c, uint32_t number)
{
    const struct column *column = &p->c->schema.column[number];
    const bool feature = column_is_number(column) || column_is_words(column);
    const enum fill fill = csv_fill(p->c->missing, column);
    char name[CELL_BUFFER];

    if (fill == FILL_DROP) {
        p->drop = true;
        return PERC_OK;
    }
    if (feature && fill != FILL_ERROR) return fill_gap(p, number, fill);
    return fail_at(
        p->err, PERC_EDATA, c->line, c->column, "column '%s' is missing a value (%s)",
        csv_cell_show(column->name, strlen(column->name), name),
        column->how.fill == FILL_ERROR && !p->c->fixed ? "which its fill=error says is an error"
        : column->how.fill == FILL_ERROR
            ? "the model was trained without such rows; pass --missing zero to fill it in"
        : feature && !p->c->exact ? "pass --missing mean, median, zero or drop"
                                  : "pass --missing drop to leave such rows out");
}

/* Where numbers have another notation: *s becomes what the cell would be in the plain one. A cell
 * that is no number stays as it is. */
static perc_status read_notation(struct csv_row *p, const struct cell *c,
                                 const struct column *column, const char **s, size_t *len)
{
    const struct notation *n = &p->c->schema.notation;

    *s = c->text;
    *len = c->len;
    if (notation_is_plain(n) || c->plain) return PERC_OK;
    const enum notation_fault fault = notation_number(n, c->text, c->len, &p->plain);
    if (p->plain.oom) return fail_memory(p->err);
    switch (fault) {
    case NOTATION_OK:
        *s = p->plain.s;
        *len = p->plain.len;
        return PERC_OK;
    case NOTATION_WORD: return PERC_OK;
    case NOTATION_POINT:
        return bad_cell(p, c, column, "has a point, and numbers have decimal commas here",
                        " (pass --thousands . or --decimal . for what the point is)");
    case NOTATION_GROUPS: break;
    }
    return bad_cell(p, c, column, "has groups of other than three digits",
                    n->thousands == '.' ? " (pass --decimal . if the point is a decimal one)"
                                        : " (correct it, or leave out --thousands)");
}

/* An exact number keeps its digits while the rows are there: those of p->plain go with the cell. */
static bool keep_digits(struct csv_row *p)
{
    struct rows *r = p->r;
    struct decimal *d = r->exact && r->entries > 0 ? &r->decimal[r->entries - 1] : NULL;

    if (d == NULL || !d->more || p->plain.s == NULL || d->digits < p->plain.s ||
        d->digits >= p->plain.s + p->plain.cap)
        return true;
    const size_t n = (size_t)(d->end - d->digits);
    d->digits = pool_copy(&r->rewritten, d->digits, n, 1);
    if (d->digits == NULL) return false;
    d->end = d->digits + n;
    return true;
}

/* What is wrong with a cell that is not a number. */
static perc_status no_number(struct csv_row *p, const struct cell *c, const struct column *column,
                             enum number_fault fault)
{
    const char *why = "is not a number";
    char remedy[2 * CELL_BUFFER] = "", name[CELL_BUFFER];
    const struct notation *n = &p->c->schema.notation;
    size_t like[LOOKS] = { 0 };

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
        like[notation_look(n, c->text, c->len)]++;
        if (like[LOOKS_OTHERWISE] == 0 && (notation_is_plain(n) || like[LOOKS_POINTS] > 0))
            snprintf(remedy, sizeof remedy, " (%s reads it as one)", notation_remedy(like));
        else if (p->first_row)
            snprintf(remedy, sizeof remedy, " (pass --header yes if this line names the columns)");
        else if (!p->c->fixed && column->kind != COLUMN_WEIGHT)
            snprintf(remedy, sizeof remedy, " (pass --categorical %s to take its cells as words)",
                     csv_cell_show(column->name, strlen(column->name), name));
    }
    return bad_cell(p, c, column, why, remedy);
}

/* The value of a feature, or the weight of the row. */
static perc_status take_number(struct csv_row *p, struct cell *c, uint32_t number)
{
    const struct column *column = &p->c->schema.column[number];
    enum number_fault fault;
    const char *s;
    size_t len;
    perc_status st;

    cell_trim(&c->text, &c->len);
    if (csv_cell_is_missing(c->text, c->len)) return missing(p, c, number);
    if ((st = read_notation(p, c, column, &s, &len))) return st;
    if (column->kind == COLUMN_NUMBER) {
        csv_row_number(p, s, s + len, column->feature, true, &fault);
        if (fault != NUMBER_OK) return no_number(p, c, column, fault);
        return keep_digits(p) ? PERC_OK : fail_memory(p->err);
    }
    const char *q = number_scan(s, s + len, &p->weight, &fault);
    if (fault == NUMBER_OK && q != s + len) fault = NUMBER_NONE;
    if (fault != NUMBER_OK) return no_number(p, c, column, fault);
    return p->weight >= 0 ? PERC_OK : bad_cell(p, c, column, "is a negative weight", "");
}

static perc_status no_date(struct csv_row *p, const struct cell *c, const struct column *column)
{
    char remedy[2 * CELL_BUFFER + 64], name[CELL_BUFFER];

    if (p->c->fixed)
        return bad_cell(p, c, column, "is not a date",
                        " (write it as 2024-03-31, or leave it empty)");
    snprintf(remedy, sizeof remedy,
             " (write it as 2024-03-31, or pass --categorical %s to take its cells as words)",
             csv_cell_show(column->name, strlen(column->name), name));
    return bad_cell(p, c, column, "is not a date", remedy);
}

static perc_status take_date(struct csv_row *p, struct cell *c, uint32_t number)
{
    const struct column *column = &p->c->schema.column[number];
    const unsigned parts = column->how.parts;
    struct date d;
    perc_status st = PERC_OK;

    cell_trim(&c->text, &c->len);
    if (csv_cell_is_missing(c->text, c->len)) return missing(p, c, number);
    if (!date_parse(c->text, c->len, &d)) return no_date(p, c, column);
    if (parts & DATE_DAYS) put_number(p, column, d.days);
    const struct {
        unsigned part;
        const char *level;
    } level[] = { { DATE_WEEKDAY, date_weekday[d.weekday] },
                  { DATE_MONTH, date_month[d.month] },
                  { DATE_HOUR, date_hour[d.hour] } };
    for (size_t i = 0; i < sizeof level / sizeof *level && !st; i++)
        if (parts & level[i].part)
            st = csv_words_category(&p->words, number, level[i].level, strlen(level[i].level));
    return st ? fail_memory(p->err) : PERC_OK;
}

/* The label is only noted here: a row that is dropped must not add one. */
static perc_status take_label(struct csv_row *p, const struct cell *c, uint32_t number)
{
    if (csv_cell_is_missing(c->text, c->len)) return p->c->fixed ? PERC_OK : missing(p, c, number);
    p->label = *c;
    p->labelled = true;
    if (!c->copied) return PERC_OK;
    p->label_copy.len = 0; /* the cursor's buffer will be reused */
    text_add(&p->label_copy, c->text, c->len);
    if (p->label_copy.oom) return fail_memory(p->err);
    p->label.text = p->label_copy.s;
    return PERC_OK;
}

/* The next column that goes along, from the i-th on. */
static void next_carried(struct csv_row *p, size_t i)
{
    const bool more = i < p->c->carry.n; /* of none there is no array */

    p->carry = more ? p->c->carry.column + i : NULL;
    p->stop = more ? p->carry->at : SIZE_MAX;
}

perc_status csv_row_carry(struct csv_row *p, const char *text, size_t len)
{
    struct rows *r = p->r;
    const struct carry *c = &p->c->carry;

    if (!carry_put(&r->carried, &r->e, c->n, r->n, p->carry->place, text, len))
        return fail_memory(p->err);
    next_carried(p, (size_t)(p->carry - c->column) + 1);
    return PERC_OK;
}

perc_status csv_row_take(struct csv_row *p, uint32_t number, struct cell *c)
{
    const struct column *column = &p->c->schema.column[number];
    perc_status st = PERC_OK;

    switch (column->kind) {
    case COLUMN_NUMBER:
    case COLUMN_WEIGHT: return take_number(p, c, number);
    case COLUMN_CATEGORY:
        if (csv_cell_is_missing(c->text, c->len)) return missing(p, c, number);
        st = csv_words_category(&p->words, number, c->text, c->len);
        break;
    case COLUMN_TEXT: st = csv_words_text(&p->words, number, c->text, c->len); break;
    case COLUMN_LABEL: return take_label(p, c, number);
    case COLUMN_DATE: return take_date(p, c, number);
    case COLUMN_ID:
    case COLUMN_SKIP: break;
    }
    return st ? fail_memory(p->err) : PERC_OK;
}

/* ----- rows ---------------------------------------------------------------------- */

perc_status csv_row_label(const struct notation *n, const struct cell *c, struct text *plain,
                          const char **s, size_t *len, perc_error *err)
{
    char shown[CELL_BUFFER];

    *s = c->text;
    *len = c->len;
    if (notation_is_plain(n) || c->plain) return PERC_OK;
    const enum notation_fault fault = notation_number(n, c->text, c->len, plain);
    if (plain->oom) return fail_memory(err);
    const bool number = fault == NOTATION_OK ? labels_is_number(plain->s, plain->len)
                                             : labels_is_number(c->text, c->len);
    if (!number) return PERC_OK;
    if (fault != NOTATION_OK)
        return fail_at(err, PERC_EDATA, c->line, c->column,
                       "the label '%s' has a point, and numbers have decimal commas here (pass "
                       "--decimal . if it is a number, or put a letter in front)",
                       csv_cell_show(c->text, c->len, shown));
    *s = plain->s;
    *len = plain->len;
    return PERC_OK;
}

static perc_status label_number(struct csv_row *p, uint32_t *id)
{
    const struct cell *c = &p->label;
    uint64_t word = 0;
    const char *s;
    size_t len;
    perc_status st;

    *id = LABEL_NONE;
    if (!p->labelled) return PERC_OK;
    if (c->len <= sizeof word && !c->plain)
        memcpy(&word, c->text, c->len); /* no NUL in it: unique */
    const size_t at = (size_t)((word * UINT64_C(0x9E3779B97F4A7C15)) >> 61);
    if (word != 0 && p->cache[at].text == word) {
        *id = p->cache[at].id;
        return PERC_OK;
    }
    if ((st = csv_row_label(&p->c->schema.notation, c, &p->plain, &s, &len, p->err))) return st;
    if ((st = labels_add(&p->r->labels, s, len, id, p->err))) {
        if (st == PERC_EDATA && p->err != NULL) {
            p->err->line = c->line;
            p->err->column = c->column;
        }
        return st;
    }
    if (word != 0) {
        p->cache[at].text = word;
        p->cache[at].id = *id;
    }
    return PERC_OK;
}

perc_status csv_row_begin(struct csv_row *p)
{
    struct rows *r = p->r;

    p->before.entries = r->entries;
    p->before.unknown = r->unknown;
    p->before.carried = r->carried.text.len;
    p->before.words = p->words.local->categories;
    csv_words_clear(&p->words);
    next_carried(p, 0);
    p->weight = 1;
    p->labelled = p->drop = false;
    p->gaps = 0;
    return rows_reserve(r, 1, p->c->file_columns + p->words.room) ? PERC_OK : fail_memory(p->err);
}

bool csv_row_add_gaps(struct csv_row *p, uint32_t number, uint64_t n)
{
    struct rows *r = p->r;

    if (n > 0 && r->gaps == NULL) {
        r->gaps = mem_zeroed(&r->e, p->c->schema.columns, sizeof *r->gaps);
        if (r->gaps == NULL) return false;
        r->gap_columns = p->c->schema.columns;
    }
    if (n > 0) r->gaps[number] += n;
    return true;
}

/* The row stays, and its gaps count. */
static bool count_gaps(struct csv_row *p)
{
    bool ok = true;

    for (size_t i = 0; i < p->gaps && ok; i++) ok = csv_row_add_gaps(p, p->gap[i], 1);
    return ok;
}

perc_status csv_row_end(struct csv_row *p, uint32_t line)
{
    struct rows *r = p->r;
    uint32_t label;
    perc_status st;

    p->first_row = false;
    if (p->drop) { /* as if it had not been there */
        r->entries = p->before.entries;
        r->unknown = p->before.unknown;
        r->carried.text.len = p->before.carried;
        csv_words_truncate(&p->words, p->before.words);
        r->dropped++;
        return PERC_OK;
    }
    if ((st = label_number(p, &label))) return st;
    for (uint32_t j = 0; p->number != NULL && j < p->c->schema.numeric; j++)
        rows_put(r, j, p->number[j]);
    if (csv_words_put(&p->words) || !count_gaps(p)) return fail_memory(p->err);
    rows_end(r, label, p->weight, line);
    return PERC_OK;
}

perc_status csv_row_init(struct csv_row *p, const struct csv *c, struct rows *r,
                         struct schema *local, perc_error *err)
{
    uint32_t last = 0;
    bool disorder = false;

    *p = (struct csv_row){ .c = c, .r = r, .err = err };
    text_init(&p->label_copy, &r->e);
    text_init(&p->plain, &r->e);
    p->gap = mem_array(&r->e, c->file_columns, sizeof *p->gap);
    if (csv_words_begin(&p->words, c, p->r, local) || p->gap == NULL) return fail_memory(p->err);
    if (!c->fixed) return PERC_OK;
    for (size_t f = 0; f < c->file_columns; f++) {
        if (c->map[f] == UINT32_MAX || !column_is_number(&c->schema.column[c->map[f]])) continue;
        const uint32_t feature = c->schema.column[c->map[f]].feature;
        disorder |= feature < last;
        last = feature;
    }
    if (!disorder) return PERC_OK;
    p->number = mem_array(&p->r->e, c->schema.numeric, sizeof *p->number);
    return p->number != NULL ? PERC_OK : fail_memory(p->err);
}

void csv_row_free(struct csv_row *p)
{
    csv_words_free(&p->words);
    mem_free(&p->r->e, p->gap, p->c->file_columns, sizeof *p->gap);
    mem_free(&p->r->e, p->number, p->c->schema.numeric, sizeof *p->number);
    text_free(&p->label_copy);
    text_free(&p->plain);
}
