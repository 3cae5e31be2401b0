/* survey_propose.c -- a file for --columns, made of what a survey found.
 *
 * Each line says what the column is taken for anyway, so that the file as it stands changes
 * nothing; what was seen, and what might be better, follow as a comment. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "data/csv_open.h"
#include "data/survey.h"

enum { LEVELS = 4, VALUE_AT = 24 };

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

/* What might be better, and why. */
static void put_advice(struct text *t, const struct survey_column *c)
{
    const perc_survey_column *f = &c->facts;

    if (f->leak[0] != '\0') text_str(t, "; determines the label: known only afterwards? (ignore)");
    else if (f->near_unique && c->kind <= COLUMN_DATE)
        text_str(t, "; nearly all different: does it name the row? (id)");
    else if (f->constant && c->kind <= COLUMN_DATE) text_str(t, "; says nothing (ignore)");
    else if (f->near_constant && c->kind <= COLUMN_DATE)
        text_str(t, "; nearly always the same (ignore)");
    else if (f->near_unique) text_str(t, "; nearly all different");
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
    put_advice(t, &s->column[i]);
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
