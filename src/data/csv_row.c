/* csv_row.c -- the cells of a record become a row.
 *
 * A row has one entry for each numeric column, in order, then those of its categories
 * and words (csv_words.c). Missing values are what --missing says: an error, NaN
 * (filled with the mean by the transform), 0, or the end of the row; a missing
 * category has no entry. A text is never missing: without words its bag is empty, and
 * NA is a word.
 *
 * Where the cells come from is not known here: csv_parse.c finds them in CSV text,
 * jsonl_parse.c in objects. */
#include "data/csv_row.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

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

static perc_status missing(struct csv_row *p, const struct cell *c, const struct column *column)
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
    return fail_at(p->err, PERC_EDATA, c->line, c->column,
                   "column '%s' is missing a value (pass %s)",
                   csv_cell_show(column->name, strlen(column->name), name),
                   feature && !p->c->exact ? "--missing mean, zero or drop"
                                           : "--missing drop to leave such rows out");
}

/* What is wrong with a cell that is not a number. */
static perc_status no_number(struct csv_row *p, const struct cell *c, const struct column *column,
                             enum number_fault fault)
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
static perc_status take_number(struct csv_row *p, struct cell *c, const struct column *column)
{
    enum number_fault fault;

    cell_trim(&c->text, &c->len);
    if (csv_cell_is_missing(c->text, c->len)) return missing(p, c, column);
    if (column->kind == COLUMN_NUMBER) {
        csv_row_number(p, c->text, c->text + c->len, column->feature, true, &fault);
        return fault == NUMBER_OK ? PERC_OK : no_number(p, c, column, fault);
    }
    const char *q = number_scan(c->text, c->text + c->len, &p->weight, &fault);
    if (fault == NUMBER_OK && q != c->text + c->len) fault = NUMBER_NONE;
    if (fault != NUMBER_OK) return no_number(p, c, column, fault);
    return p->weight >= 0 ? PERC_OK : bad_cell(p, c, column, "is a negative weight", "");
}

/* The label is only noted here: a row that is dropped must not add one. */
static perc_status take_label(struct csv_row *p, const struct cell *c, const struct column *column)
{
    if (csv_cell_is_missing(c->text, c->len)) return p->c->fixed ? PERC_OK : missing(p, c, column);
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
    case COLUMN_WEIGHT: return take_number(p, c, column);
    case COLUMN_CATEGORY:
        if (csv_cell_is_missing(c->text, c->len)) return missing(p, c, column);
        st = csv_words_category(&p->words, number, c->text, c->len);
        break;
    case COLUMN_TEXT: st = csv_words_text(&p->words, number, c->text, c->len); break;
    case COLUMN_LABEL: return take_label(p, c, column);
    case COLUMN_DATE:
    case COLUMN_ID:
    case COLUMN_SKIP: break;
    }
    return st ? fail_memory(p->err) : PERC_OK;
}

/* ----- rows ---------------------------------------------------------------------- */

static perc_status label_number(struct csv_row *p, uint32_t *id)
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
    if ((st = labels_add(&p->r->labels, c->text, c->len, id, p->err))) {
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
    return rows_reserve(r, 1, p->c->file_columns) ? PERC_OK : fail_memory(p->err);
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
    if (csv_words_put(&p->words)) return fail_memory(p->err);
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
    if (csv_words_begin(&p->words, c, p->r, local)) return fail_memory(p->err);
    if (!c->fixed) return PERC_OK;
    for (size_t f = 0; f < c->file_columns; f++) {
        if (c->map[f] == UINT32_MAX || c->schema.column[c->map[f]].kind != COLUMN_NUMBER) continue;
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
    mem_free(&p->r->e, p->number, p->c->schema.numeric, sizeof *p->number);
    text_free(&p->label_copy);
}
