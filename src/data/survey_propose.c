/* survey_propose.c -- a file for --columns, made of what a survey found.
 *
 * Each line says what the column is taken for anyway, so that the file as it stands changes
 * nothing; what was seen, and what might be better, follow as a comment. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "data/csv_open.h"
#include "data/date.h"
#include "data/survey.h"

enum { LEVELS = 4, VALUE_AT = 24, RARE = 5, MANY = 10, WORDS_OF_TEXT = 3 };

static void put_percent(struct text *t, double share)
{
    char buf[32];

    snprintf(buf, sizeof buf, "%.3g %%", 100 * share);
    text_str(t, buf);
}

static void put_number(struct text *t, double v)
{
    char buf[32];

    snprintf(buf, sizeof buf, "%.6g", v);
    text_str(t, buf);
}

static bool is_plain(const char *s)
{
    const char *p = s;

    while (*p > ' ' && *p < 0x7f && strchr(",\"\\#", *p) == NULL) p++;
    return p > s && *p == '\0';
}

/* What could end a comment, or steer a terminal, is shown as JSON shows it. */
static void put_word(struct text *t, const char *s)
{
    struct json_out o = { .t = t, .visible = true };

    if (is_plain(s)) text_str(t, s);
    else json_str(&o, s);
}

static void put_levels(struct text *t, const struct survey_column *c)
{
    const perc_survey_column *f = &c->facts;

    if (c->values.n == 0 || c->values.at[0].count < 2) return;
    for (size_t i = 0; i < f->levels && i < LEVELS; i++) {
        text_str(t, i > 0 ? ", " : ": ");
        put_word(t, c->values.at[i].text);
        text_char(t, ' ');
        text_uint(t, c->values.at[i].count);
    }
    if (f->distinct > LEVELS) text_str(t, ", ...");
}

static void put_seen(struct text *t, const struct perc_survey *s, const struct survey_column *c)
{
    const perc_survey_column *f = &c->facts;
    const bool numbers = c->kind == COLUMN_NUMBER || c->kind == COLUMN_WEIGHT;

    text_str(t, f->estimated ? "about " : "");
    text_uint(t, f->distinct);
    text_str(t, f->distinct == 1 ? " value" : " values");
    if (numbers && f->distinct > 1) {
        text_str(t, ", ");
        put_number(t, f->min);
        text_str(t, " to ");
        put_number(t, f->max);
    } else if (c->kind == COLUMN_DATE && f->distinct > 1) {
        text_fmt(t, ", %s to %s", f->first, f->last);
    } else if (f->distinct > 0 && c->kind != COLUMN_TEXT && c->kind != COLUMN_ID) {
        put_levels(t, c);
    }
    if (c->missing > 0) {
        text_fmt(t, "; %llu gap%s (", (unsigned long long)c->missing, c->missing == 1 ? "" : "s");
        put_percent(t, (double)c->missing / (double)s->info.rows);
        text_char(t, ')');
    }
    if (c->wrong > 0) {
        text_fmt(t, "; %llu that %s no %s: ", (unsigned long long)c->wrong,
                 c->wrong == 1 ? "is" : "are", c->kind == COLUMN_DATE ? "date" : "number");
        put_word(t, c->wrong_text);
    }
}

/* Of words: how many rows have a date. Nine in ten make a column of dates, once the others are put
 * right. */
static bool is_nearly_dates(const struct survey_column *c, uint64_t *dates, uint64_t *rows)
{
    const bool words = c->kind == COLUMN_CATEGORY || c->kind == COLUMN_ID || c->kind == COLUMN_TEXT;
    const struct survey_values *v = &c->values;
    struct date d;

    *dates = *rows = 0;
    for (size_t i = 0; words && i < v->n; i++) {
        *rows += v->at[i].count;
        if (date_parse(v->at[i].text, strlen(v->at[i].text), &d)) *dates += v->at[i].count;
    }
    return *rows > 0 && *dates >= *rows - *rows / 10;
}

/* The most frequent value is several words. */
static bool has_words(const struct survey_column *c)
{
    const char *s = c->values.n > 0 ? c->values.at[0].text : "";
    int words = 1;

    while ((s = strchr(s, ' ')) != NULL && *++s != '\0') words++;
    return words >= WORDS_OF_TEXT;
}

/* How many levels of a category fewer than *limit rows have. Of those that are counted no more,
 * each has `lost` at most. */
static uint64_t count_rare(const struct survey_column *c, uint64_t *limit)
{
    const struct survey_values *v = &c->values;
    uint64_t n = c->facts.distinct > v->n ? c->facts.distinct - v->n : 0;

    *limit = v->lost >= RARE ? v->lost + 1 : RARE;
    for (size_t i = 0; i < v->n; i++) n += v->at[i].count + v->lost < *limit;
    return n;
}

static void put_rare(struct text *t, const struct perc_survey *s, const struct survey_column *c)
{
    const struct column *column = &s->schema.column[c - s->column];
    uint64_t limit, n;

    if (c->kind != COLUMN_CATEGORY || column->how.rare > 0 || s->schema.hash_bits > 0 ||
        (n = count_rare(c, &limit)) < MANY || n == c->facts.distinct)
        return;
    text_str(t, c->facts.estimated ? "; about " : "; ");
    text_uint(t, n);
    text_str(t, " levels have fewer than ");
    text_uint(t, limit);
    text_str(t, " rows each (rare=");
    text_uint(t, limit);
    text_char(t, ')');
}

/* What might be better, and why. */
static void put_advice(struct text *t, const struct perc_survey *s, const struct survey_column *c)
{
    const perc_survey_column *f = &c->facts;
    uint64_t dates, rows;

    if (f->leak[0] != '\0') text_str(t, "; determines the label: known only afterwards? (ignore)");
    else if (is_nearly_dates(c, &dates, &rows))
        text_fmt(t, "; dates in %llu of %llu: correct the others? (date)",
                 (unsigned long long)dates, (unsigned long long)rows);
    else if (f->near_unique && c->kind == COLUMN_CATEGORY && has_words(c))
        text_str(t, "; nearly all different, of several words (text)");
    else if (f->near_unique && c->kind <= COLUMN_DATE)
        text_str(t, "; nearly all different: does it name the row? (id)");
    else if (f->constant && c->kind <= COLUMN_DATE) text_str(t, "; says nothing (ignore)");
    else if (f->near_constant && c->kind <= COLUMN_DATE)
        text_str(t, "; nearly always the same (ignore)");
    else if (f->near_unique) text_str(t, "; nearly all different");
    else put_rare(t, s, c);
}

/* The name, or where another column has it, the position. */
static void put_column(struct text *t, const struct perc_survey *s, const struct schema *names,
                       size_t i)
{
    const struct column *column = &s->schema.column[i];
    const size_t begin = t->len;
    const bool twice = schema_find(names, 0, column->name, strlen(column->name)) != i;
    char position[24];

    snprintf(position, sizeof position, "%zu", i + 1);
    columns_write(twice ? position : column->name, column->kind, &column->how, t);
    if (t->oom) return;
    t->len--; /* the line end */
    do text_char(t, ' ');
    while (!t->oom && t->len - begin < VALUE_AT);
    text_str(t, "# ");
    put_seen(t, s, &s->column[i]);
    put_advice(t, s, &s->column[i]);
    text_char(t, '\n');
}

bool survey_propose(struct perc_survey *s)
{
    struct text *t = &s->proposal;
    struct schema names;
    bool ok = true;

    if (!s->info.table) return true;
    schema_init(&names, &s->e);
    for (size_t i = 0; i < s->schema.columns && ok; i++)
        ok = csv_add_name(&names, i, s->schema.column[i].name) == PERC_OK;
    text_str(t, "# What each column is: NAME: KIND [OPTION]..., as it is taken without this file.\n"
                "# number, category, text, date, label, weight, id, ignore: docs/columns.md\n");
    for (size_t i = 0; i < s->schema.columns && ok && !t->oom; i++) put_column(t, s, &names, i);
    schema_free(&names);
    return ok && !t->oom;
}
