/* survey_column.c -- one column of a survey: what its cells are, counted as they come.
 *
 * A cell is what training would take it for (csv_row.c): missing, a number, a date, a word. One
 * that training would refuse is counted as wrong, and has no value. Mean and variance go by
 *
 *     d = x - mean;  mean += d / n;  square += d (x - mean)         (Welford 1962)          (1)
 *
 * Data that are no table have entries; what is not there is 0. How many zeros there were is known
 * when all rows are, and so is with which labels: those that had fewer entries than rows. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "data/csv_row.h"
#include "data/date.h"
#include "data/survey.h"

bool survey_column_add(struct perc_survey *s, char *name, enum column_kind kind)
{
    if (name == NULL) return false;
    if (!MEM_GROW(&s->e, s->column, &s->cap, s->columns + 1)) {
        mem_free_text(&s->e, name);
        return false;
    }
    s->column[s->columns++] = (struct survey_column){ .name = name,
                                                      .kind = kind,
                                                      .whole = true,
                                                      .min = INFINITY,
                                                      .max = -INFINITY,
                                                      .gap_label = SURVEY_NONE,
                                                      .there_label = SURVEY_NONE,
                                                      .number = (double)NAN,
                                                      .values.bits = s->bits };
    return true;
}

void survey_column_free(const struct perc_survey *s, struct survey_column *c)
{
    mem_free_text(&s->e, c->name);
    survey_values_free(&c->values, &s->e);
    mem_free(&s->e, c->sample, s->sample, sizeof *c->sample);
    mem_free(&s->e, c->class, SURVEY_CLASSES, sizeof *c->class);
}

/* ----- numbers -------------------------------------------------------------------------- */

static bool make_sample(const struct perc_survey *s, struct survey_column *c)
{
    if (c->sample != NULL) return true;
    c->sample = mem_array(&s->e, s->sample, sizeof *c->sample);
    for (size_t i = 0; c->sample != NULL && i < s->sample; i++)
        c->sample[i] = s->sparse ? 0 : (double)NAN;
    return c->sample != NULL;
}

/* Where the numbers of a label begin and end is asked of features. */
static bool make_classes(const struct perc_survey *s, struct survey_column *c)
{
    if (c->class != NULL || (c->kind != COLUMN_NUMBER && c->kind != COLUMN_DATE)) return true;
    c->class = mem_zeroed(&s->e, SURVEY_CLASSES, sizeof *c->class);
    return c->class != NULL;
}

/* false: out of memory. */
static bool count_number(const struct perc_survey *s, struct survey_column *c, double v)
{
    const double d = v - c->mean;

    c->numbers++;
    c->mean += d / (double)c->numbers; /* (1) */
    c->square += d * (v - c->mean);
    c->whole = c->whole && v == floor(v);
    if (v < c->min) c->min = v;
    if (v > c->max) c->max = v;
    c->number = v;
    if (!make_classes(s, c)) return false;
    if (s->slot == SIZE_MAX) return true;
    if (!make_sample(s, c)) return false;
    c->sample[s->slot] = v;
    return true;
}

/* Counts the value of a cell; `len` bytes of text, unless it is NULL. */
static bool count_value(struct perc_survey *s, struct survey_column *c, uint64_t hash,
                        const char *text, size_t len)
{
    const struct survey_value v = { .hash = hash,
                                    .count = 1,
                                    .first = s->info.rows,
                                    .number = c->number,
                                    .text = (char *)(uintptr_t)text,
                                    .label = SURVEY_NONE };

    c->there = true;
    return survey_values_add(&c->values, &s->room, &v, len, &c->place);
}

/* What rows are compared by. */
static void add_feature(struct perc_survey *s, const struct survey_column *c, uint64_t hash)
{
    hash_key_word(&s->features, (uint64_t)(c - s->column));
    hash_key_word(&s->features, hash);
}

bool survey_column_number(struct perc_survey *s, struct survey_column *c, double v)
{
    const uint64_t hash = survey_hash_number(v);

    if (v != 0) add_feature(s, c, hash);
    return count_number(s, c, v) && count_value(s, c, hash, NULL, 0);
}

/* ----- cells ---------------------------------------------------------------------------- */

static perc_status wrong_cell(struct perc_survey *s, struct survey_column *c,
                              const struct cell *cell)
{
    add_feature(s, c, survey_hash_text(cell->text, cell->len));
    if (c->wrong++ > 0) return PERC_OK;
    csv_cell_show(cell->text, cell->len, c->wrong_text);
    c->wrong_line = cell->line;
    c->wrong_column = cell->column;
    c->wrong_file = s->file;
    return PERC_OK;
}

/* The number that a cell is in the notation of the table; a fault: it is none. false: out of
 * memory. */
static bool read_number(struct perc_survey *s, const struct cell *cell, double *v,
                        enum number_fault *fault)
{
    const struct notation *n = &s->schema.notation;
    const char *text = cell->text;
    size_t len = cell->len;

    *fault = NUMBER_NONE;
    if (!notation_is_plain(n) && !cell->plain) {
        const enum notation_fault other = notation_number(n, text, len, &s->plain);
        if (s->plain.oom) return false;
        if (other != NOTATION_OK) return true;
        text = s->plain.s;
        len = s->plain.len;
    }
    const char *end = number_scan(text, text + len, v, fault);
    if (*fault == NUMBER_OK && end != text + len) *fault = NUMBER_NONE;
    return true;
}

/* The same of a word, which may have blanks around it. */
static bool count_if_number(struct perc_survey *s, struct survey_column *c, struct cell cell)
{
    enum number_fault fault;
    double v;

    cell_trim(&cell.text, &cell.len);
    return read_number(s, &cell, &v, &fault) && (fault != NUMBER_OK || count_number(s, c, v));
}

static perc_status take_number(struct perc_survey *s, struct survey_column *c, struct cell *cell,
                               perc_error *err)
{
    enum number_fault fault;
    double v;

    if (!read_number(s, cell, &v, &fault)) return fail_memory(err);
    if (fault != NUMBER_OK) return wrong_cell(s, c, cell);
    if (c->kind == COLUMN_WEIGHT && v < 0) return wrong_cell(s, c, cell);
    const uint64_t hash = survey_hash_number(v);
    if (c->kind == COLUMN_NUMBER) add_feature(s, c, hash);
    return count_number(s, c, v) && count_value(s, c, hash, NULL, 0) ? PERC_OK : fail_memory(err);
}

static void show_date(char out[SURVEY_DATE], const struct cell *cell)
{
    const size_t n = utf8_cut(cell->text, cell->len, SURVEY_DATE - 1);

    memcpy(out, cell->text, n);
    out[n] = '\0';
}

static perc_status take_date(struct perc_survey *s, struct survey_column *c, struct cell *cell,
                             perc_error *err)
{
    struct date d;

    if (!date_parse(cell->text, cell->len, &d)) return wrong_cell(s, c, cell);
    const double time = d.days + d.seconds / 86400;
    const uint64_t hash = survey_hash_text(cell->text, cell->len);
    if (time < c->min) show_date(c->first, cell);
    if (time > c->max) show_date(c->last, cell);
    add_feature(s, c, hash);
    return count_number(s, c, time) && count_value(s, c, hash, cell->text, cell->len)
               ? PERC_OK
               : fail_memory(err);
}

static perc_status take_label(struct perc_survey *s, struct survey_column *c, struct cell *cell,
                              perc_error *err)
{
    const char *text;
    size_t len;
    uint32_t id;
    perc_status st = csv_row_label(&s->schema.notation, cell, &s->plain, &text, &len, err);

    if (!st) st = labels_add(&s->labels, text, len, &id, err);
    if (st == PERC_EDATA && err != NULL) {
        err->line = cell->line;
        err->column = cell->column;
    }
    if (st) return st;
    s->label = id;
    if (!count_if_number(s, c, *cell)) return fail_memory(err);
    return count_value(s, c, survey_hash_word(id), cell->text, cell->len) ? PERC_OK
                                                                          : fail_memory(err);
}

static perc_status take_word(struct perc_survey *s, struct survey_column *c, struct cell *cell,
                             perc_error *err)
{
    const uint64_t hash = survey_hash_text(cell->text, cell->len);
    const bool feature = c->kind == COLUMN_CATEGORY || c->kind == COLUMN_TEXT;

    if (feature) add_feature(s, c, hash);
    if (!count_if_number(s, c, *cell)) return fail_memory(err);
    return count_value(s, c, hash, cell->text, cell->len) ? PERC_OK : fail_memory(err);
}

perc_status survey_column_take(struct perc_survey *s, struct survey_column *c, struct cell *cell,
                               perc_error *err)
{
    const bool trimmed = c->kind == COLUMN_NUMBER || c->kind == COLUMN_WEIGHT ||
                         c->kind == COLUMN_DATE;

    c->there = false;
    c->number = (double)NAN;
    if (trimmed) cell_trim(&cell->text, &cell->len);
    c->gap = csv_cell_is_missing(cell->text, cell->len);
    if (c->sample != NULL && s->slot != SIZE_MAX) c->sample[s->slot] = (double)NAN;
    if (c->gap) {
        c->missing++;
        return PERC_OK;
    }
    switch (c->kind) {
    case COLUMN_NUMBER:
    case COLUMN_WEIGHT: return take_number(s, c, cell, err);
    case COLUMN_DATE: return take_date(s, c, cell, err);
    case COLUMN_LABEL: return take_label(s, c, cell, err);
    default: return take_word(s, c, cell, err);
    }
}

void survey_column_label(struct survey_column *c, uint32_t label)
{
    if (label == SURVEY_NONE) return;
    if (c->gap) c->gap_label = survey_label_join(c->gap_label, label);
    if (!c->there) return;
    uint32_t *had = &c->values.at[c->place].label;
    *had = survey_label_join(*had, label);
    c->there_label = survey_label_join(c->there_label, label);
    if (isnan(c->number) || c->class == NULL || label >= SURVEY_CLASSES) return;
    struct survey_class *k = &c->class[label];
    if (k->n == 0 || c->number < k->min) k->min = c->number;
    if (k->n == 0 || c->number > k->max) k->max = c->number;
    k->n++;
}

/* ----- the end -------------------------------------------------------------------------- */

/* Zeros that are not stored. */
static bool add_zeros(struct perc_survey *s, struct survey_column *c)
{
    const uint64_t n = s->info.rows - c->numbers;
    struct survey_value zero = { survey_hash_number(0), n, s->info.rows, 0, NULL, SURVEY_NONE };
    size_t place;

    if (n == 0) return true;
    if (!make_classes(s, c)) return false;
    if (s->labels.n > SURVEY_CLASSES) zero.label = SURVEY_MIXED;
    for (size_t k = 0; k < s->labels.n && k < SURVEY_CLASSES; k++) {
        struct survey_class *class = &c->class[k];
        if (class->n == s->of_label[k]) continue;
        zero.label = survey_label_join(zero.label, (uint32_t)k);
        if (class->n == 0 || class->min > 0) class->min = 0;
        if (class->n == 0 || class->max < 0) class->max = 0;
        class->n = s->of_label[k];
    }
    if (c->min > 0) c->min = 0;
    if (c->max < 0) c->max = 0;
    /* (1) for n zeros at once. */
    c->square += c->mean * c->mean * (double)c->numbers * (double)n / (double)s->info.rows;
    c->mean *= (double)c->numbers / (double)s->info.rows;
    c->numbers = s->info.rows;
    if (!survey_values_add(&c->values, &s->room, &zero, 0, &place)) return false;
    uint32_t *label = &c->values.at[place].label;
    *label = *label == SURVEY_NONE       ? zero.label
             : zero.label == SURVEY_NONE ? *label
                                         : survey_label_join(*label, zero.label);
    return true;
}

/* The values that are told get their text. */
static bool write_levels(const struct perc_survey *s, struct survey_column *c)
{
    char text[NUMBER_TEXT];

    survey_values_sort(&c->values, &s->e);
    for (size_t i = 0; i < c->values.n && i < SURVEY_LEVELS; i++) {
        struct survey_value *v = &c->values.at[i];
        if (v->text == NULL &&
            (v->text = mem_text(&s->e, text, number_format(v->number, text))) == NULL)
            return false;
    }
    return true;
}

perc_status survey_column_end(struct perc_survey *s, struct survey_column *c)
{
    perc_survey_column *f = &c->facts;
    const double none = (double)NAN;
    const bool date = c->kind == COLUMN_DATE;

    if (s->sparse && !add_zeros(s, c)) return PERC_ENOMEM;
    const bool told = c->numbers > 0 && !date;
    if (!write_levels(s, c)) return PERC_ENOMEM;
    *f = (perc_survey_column){ .name = c->name,
                               .kind = columns_kind_word(c->kind),
                               .missing = c->missing,
                               .numbers = date ? 0 : c->numbers,
                               .whole = told && c->whole,
                               .distinct = survey_values_distinct(&c->values),
                               .estimated = c->values.rank != NULL,
                               .min = told ? c->min : none,
                               .max = told ? c->max : none,
                               .mean = told ? c->mean : none,
                               .sd = told ? sqrt(c->square / (double)c->numbers) : none,
                               .quartile = { none, none, none },
                               .first = c->first,
                               .last = c->last,
                               .levels = c->values.n < SURVEY_LEVELS ? c->values.n : SURVEY_LEVELS,
                               .short_by = c->values.lost,
                               .wrong = c->wrong,
                               .wrong_text = c->wrong_text,
                               .wrong_line = c->wrong_line,
                               .wrong_column = c->wrong_column,
                               .wrong_file = c->wrong > 0 && s->files.n > 1
                                                 ? s->files.name[c->wrong_file]
                                                 : "",
                               .leak = "" };
    if (told && !survey_facts_quartiles(s, c)) return PERC_ENOMEM;
    survey_facts_remark(s, c);
    return PERC_OK;
}
