/* about_survey.c -- what a survey of data found: the whole first, then a line for each column, then
 * what is odd. See about_survey.h.
 *
 * What looks like a mistake is a question: whether a column is known only after the label is, or
 * names the row, nobody can tell but who made the table. */
#include "show/about_survey.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "show/word.h"

enum { LABELS = 6, LEVELS = 3, LEVEL = 24, LIST = 160, NAME = 60 };

/* ----- the whole -------------------------------------------------------------------------- */

/* "about 1,200 +- 15": with twice the standard error, which is exceeded once in twenty. */
static void say_estimate(struct facts *f, uint64_t n, double error)
{
    char a[WORD], b[WORD];

    facts_say(f, "%s", word_count(a, n));
    if (error > 0)
        facts_say(f, "about %s, +- %s", word_count(a, n), word_count(b, (uint64_t)(2 * error)));
}

/* "no 300 (60.00 %), yes 200 (40.00 %)" */
static void label_facts(struct facts *f, const perc_survey *s, const perc_survey_info *d)
{
    char list[LIST * 2] = "", name[LEVEL], count[WORD], share[WORD];
    const char *label;
    uint64_t rows;
    size_t at = 0;

    for (size_t i = 0; i < LABELS && (label = perc_survey_label(s, i, &rows)) != NULL; i++)
        at += (size_t)snprintf(list + at, sizeof list - at, "%s%s %s (%s)", i > 0 ? ", " : "",
                               word_cut(name, sizeof name, label), word_count(count, rows),
                               word_percent(share, (double)rows / (double)d->rows));
    if (d->labels > LABELS)
        snprintf(list + at, sizeof list - at, ", ... (%s in all)", word_count(count, d->labels));
    if (d->labels > 0) facts_line(f, "labels", "%s", list);
    facts_count(f, "unlabelled", d->unlabelled > 0 ? "without label" : NULL, d->unlabelled);
    facts_list(f, "labels", NULL);
    for (size_t i = 0; (label = perc_survey_label(s, i, &rows)) != NULL; i++) {
        facts_row(f);
        facts_string(f, "label", NULL, label);
        facts_count(f, "rows", NULL, rows);
        facts_end(f);
    }
    facts_end(f);
}

/* "13: 9 number, 3 category, 1 label" */
static void kind_facts(struct facts *f, const perc_survey *s, const perc_survey_info *d)
{
    static const char *const kind[] = { "number", "category", "text",  "date",
                                        "id",     "ignore",   "label", "weight" };
    enum { KINDS = sizeof kind / sizeof *kind };
    uint64_t n[KINDS] = { 0 };
    perc_survey_column c;
    char buf[WORD];
    bool first = true;

    facts_count(f, "columns_in_all", d->table ? "columns" : "features", d->columns);
    if (!d->table) return;
    facts_say(f, "%s", word_count(buf, d->columns));
    for (uint64_t i = 0; perc_survey_column_get(s, i, &c); i++)
        for (size_t k = 0; k < KINDS; k++) n[k] += strcmp(c.kind, kind[k]) == 0;
    for (size_t k = 0; k < KINDS; k++) {
        if (n[k] == 0) continue;
        facts_more(f, "%s%s %s", first ? ": " : ", ", word_count(buf, n[k]), kind[k]);
        first = false;
    }
}

static void whole_facts(struct facts *f, const perc_survey *s, const perc_survey_info *d,
                        const char *path)
{
    const double room = (double)d->rows * (double)(d->columns > 0 ? d->columns : 1);
    char buf[2][WORD];

    facts_object(f, "survey", "data");
    if (d->files > 1)
        facts_say(f, "%s and %s more (%s)", word_input(path), word_count(buf[0], d->files - 1),
                  d->format);
    else facts_say(f, "%s (%s)", word_input(path), d->format);
    facts_string(f, "data", NULL, path);
    if (d->files > 1) facts_count(f, "files", NULL, d->files);
    facts_string(f, "format", NULL, d->format);
    facts_bool(f, "table", NULL, d->table != 0);
    facts_count(f, "rows", "rows", d->rows);
    kind_facts(f, s, d);
    facts_count(f, "described", NULL, d->described);
    facts_count(f, "cells", d->table ? NULL : "nonzeros", d->cells);
    facts_say(f, "%s (%s of all)", word_count(buf[0], d->cells),
              word_percent(buf[1], (double)d->cells / room));
    facts_count(f, "gaps", d->table ? "gaps" : NULL, d->gaps);
    if (d->gaps > 0)
        facts_say(f, "%s (%s of the cells)", word_count(buf[0], d->gaps),
                  word_percent(buf[1], (double)d->gaps / room));
    facts_count(f, "wrong", d->wrong > 0 ? "wrong cells" : NULL, d->wrong);
    label_facts(f, s, d);
    facts_count(f, "duplicates", "duplicates", d->duplicates);
    say_estimate(f, d->duplicates, d->duplicates_error);
    facts_real(f, "duplicates_error", NULL, d->duplicates_error);
    facts_count(f, "contradictions", "contradictions", d->contradictions);
    say_estimate(f, d->contradictions, d->contradictions_error);
    if (d->contradictions > 0)
        facts_more(f, " (rows that have the features of one with another label)");
    facts_real(f, "contradictions_error", NULL, d->contradictions_error);
    facts_real(f, "distinct_error", NULL, d->distinct_error);
    facts_real(f, "quartile_error", NULL, d->quartile_error);
    facts_bytes(f, "bytes", NULL, d->bytes);
    facts_string(f, "note", d->note[0] != '\0' ? "note" : NULL, d->note);
}

/* ----- columns ---------------------------------------------------------------------------- */

static const char *number_word(char buf[WORD], double v)
{
    return isnan(v) ? "" : word_num(buf, v);
}

/* The most frequent values, where they are words, or few: "basic 2, plus 1". */
static const char *levels_word(const perc_survey *s, uint64_t i, const perc_survey_column *c,
                               char list[LIST])
{
    const bool words = strcmp(c->kind, "category") == 0 || strcmp(c->kind, "label") == 0;
    char name[LEVEL], count[WORD];
    const char *level;
    uint64_t rows;
    size_t at = 0;

    list[0] = '\0';
    perc_survey_level(s, i, 0, &rows);
    if ((!words && c->distinct > LEVELS) || rows < 2) return list; /* there is no such value */
    for (size_t k = 0; k < LEVELS && (level = perc_survey_level(s, i, k, &rows)) != NULL; k++)
        at += (size_t)snprintf(list + at, LIST - at, "%s%s %s", k > 0 ? ", " : "",
                               word_cut(name, sizeof name, level), word_count(count, rows));
    if (c->distinct > LEVELS) snprintf(list + at, LIST - at, ", ...");
    return list;
}

static void level_facts(struct facts *f, const perc_survey *s, uint64_t i)
{
    const char *level;
    uint64_t rows;

    facts_list(f, "levels", NULL);
    for (size_t k = 0; (level = perc_survey_level(s, i, k, &rows)) != NULL; k++) {
        facts_row(f);
        facts_string(f, "value", NULL, level);
        facts_count(f, "rows", NULL, rows);
        facts_end(f);
    }
    facts_end(f);
}

/* What people do not need to see beside a column. */
static void more_facts(struct facts *f, const perc_survey *s, uint64_t i,
                       const perc_survey_column *c)
{
    facts_string(f, "how", NULL, c->how);
    facts_count(f, "numbers", NULL, c->numbers);
    facts_bool(f, "whole", NULL, c->whole != 0);
    facts_bool(f, "estimated", NULL, c->estimated != 0);
    facts_real(f, "mean", NULL, c->mean);
    facts_real(f, "sd", NULL, c->sd);
    facts_list(f, "quartiles", NULL);
    for (int k = 0; k < 3; k++) facts_real(f, NULL, NULL, c->quartile[k]);
    facts_end(f);
    facts_bool(f, "sampled", NULL, c->sampled != 0);
    facts_string(f, "first", NULL, c->first[0] != '\0' ? c->first : NULL);
    facts_string(f, "last", NULL, c->last[0] != '\0' ? c->last : NULL);
    level_facts(f, s, i);
    facts_count(f, "short_by", NULL, c->short_by);
    facts_count(f, "wrong", NULL, c->wrong);
    facts_string(f, "wrong_text", NULL, c->wrong > 0 ? c->wrong_text : NULL);
    facts_string(f, "wrong_file", NULL, c->wrong_file[0] != '\0' ? c->wrong_file : NULL);
    facts_count_if(f, "wrong_line", NULL, c->wrong > 0, (uint64_t)c->wrong_line);
    facts_count_if(f, "wrong_column", NULL, c->wrong > 0, (uint64_t)c->wrong_column);
    facts_bool(f, "constant", NULL, c->constant != 0);
    facts_bool(f, "near_constant", NULL, c->near_constant != 0);
    facts_bool(f, "near_unique", NULL, c->near_unique != 0);
    facts_string(f, "leak", NULL, c->leak[0] != '\0' ? c->leak : NULL);
}

static void column_row(struct facts *f, const void *ud, uint64_t i)
{
    const perc_survey *s = ud;
    char buf[WORD], list[LIST], name[NAME];
    perc_survey_column c;

    perc_survey_column_get(s, i, &c);
    const bool date = c.first[0] != '\0';
    facts_row(f);
    facts_string(f, "name", NULL, c.name);
    facts_string(f, NULL, "column", word_cut(name, sizeof name, c.name));
    facts_string(f, "kind", "kind", c.kind);
    facts_count(f, "missing", "gaps", c.missing);
    facts_count(f, "distinct", "values", c.distinct);
    if (c.estimated) facts_say(f, "~%s", word_count(buf, c.distinct));
    facts_real(f, "min", NULL, c.min);
    facts_string(f, NULL, "least", date ? c.first : number_word(buf, c.min));
    facts_string(f, NULL, "median", number_word(buf, c.quartile[1]));
    facts_real(f, "max", NULL, c.max);
    facts_string(f, NULL, "greatest", date ? c.last : number_word(buf, c.max));
    facts_string(f, NULL, "most frequent", "");
    facts_say(f, "%s", levels_word(s, i, &c, list));
    more_facts(f, s, i, &c);
    facts_end(f);
}

/* ----- what is odd ------------------------------------------------------------------------ */

static const char *odd_word(const perc_survey_column *c, char buf[LIST])
{
    char count[WORD], text[LEVEL * 2], file[NAME];

    if (c->wrong > 0) {
        snprintf(buf, LIST, "%s cell%s no %s: the first is %s, %s%sline %lld column %lld",
                 word_count(count, c->wrong), c->wrong == 1 ? " is" : "s are",
                 strcmp(c->kind, "date") == 0 ? "date" : "number",
                 word_cut(text, sizeof text, c->wrong_text),
                 c->wrong_file[0] != '\0' ? word_cut(file, sizeof file, word_input(c->wrong_file))
                                          : "",
                 c->wrong_file[0] != '\0' ? " " : "", (long long)c->wrong_line,
                 (long long)c->wrong_column);
        return buf;
    }
    if (strcmp(c->leak, "gaps") == 0) return "its gaps determine the label: known only afterwards?";
    if (strcmp(c->leak, "values") == 0)
        return "each value goes with one label: known only afterwards?";
    if (strcmp(c->leak, "order") == 0)
        return "its order determines the label: known only afterwards?";
    if (c->constant) return "says nothing: always the same";
    if (c->near_constant) return "nearly always the same";
    if (c->near_unique && strcmp(c->kind, "label") == 0)
        return "nearly all different: is this the label (--label)?";
    if (c->near_unique && strcmp(c->kind, "id") != 0) return "nearly all different: an id?";
    return NULL;
}

static void odd_facts(struct facts *f, const perc_survey *s, uint64_t top, bool captions)
{
    char buf[LIST], count[WORD], name[NAME];
    perc_survey_column c;
    uint64_t n = 0;

    facts_table(f, NULL, captions ? "What is odd" : "");
    for (uint64_t i = 0; perc_survey_column_get(s, i, &c); i++) {
        const char *odd = odd_word(&c, buf);
        if (odd == NULL || n++ >= top) continue;
        facts_row(f);
        facts_string(f, NULL, "column", word_cut(name, sizeof name, c.name));
        facts_string(f, NULL, "what is odd", odd);
        facts_end(f);
    }
    facts_end(f);
    if (n > top)
        facts_prose(f, "... and %s more of these (--all shows them)\n", word_count(count, n - top));
}

/* How far estimates may be off. */
static void error_facts(struct facts *f, const perc_survey *s, const perc_survey_info *d)
{
    char a[WORD], b[WORD];
    perc_survey_column c;
    bool estimated = false;

    for (uint64_t i = 0; !estimated && perc_survey_column_get(s, i, &c); i++)
        estimated = c.estimated != 0;
    if (estimated)
        facts_line(f, "estimates",
                   "a ~ number of values has a standard error of %s, its median one of %s of the "
                   "rows",
                   word_percent(a, d->distinct_error), word_percent(b, d->quartile_error));
}

void about_survey(struct facts *f, const perc_survey *s, const char *path, uint64_t top,
                  bool captions)
{
    perc_survey_info d;
    char count[WORD];

    perc_survey_info_get(s, &d);
    whole_facts(f, s, &d, path);
    error_facts(f, s, &d);
    facts_table(f, "columns", captions ? "Columns" : "");
    facts_each(f, d.described, top < d.described ? top : d.described, column_row, s);
    facts_end(f);
    if (top < d.described)
        facts_prose(f, "... and %s more (--all shows them)\n",
                    word_count(count, d.described - top));
    if (d.described < d.columns)
        facts_prose(f, "Only the first %s features are described.\n",
                    word_count(count, d.described));
    odd_facts(f, s, top, captions);
    facts_end(f);
}
