/* about.c -- facts about data sets. See about.h. */
#include "show/about.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "show/word.h"

/* ----- data ---------------------------------------------------------------------- */

void about_hashing(struct facts *f, const char *bits, uint64_t hashed, uint64_t collisions)
{
    char used[WORD], shared[WORD];

    facts_say(f, "2^%s buckets, %s in use, %s shared by several features", bits,
              word_count(used, hashed), word_count(shared, collisions));
}

void about_more(struct facts *f, uint64_t more)
{
    char buf[WORD];

    if (more > 0) facts_prose(f, "... and %s more (--all shows them)\n", word_count(buf, more));
}

void about_option(struct facts *f, const perc_param *row, const char *value)
{
    const bool number = row->type == PERC_REAL || (row->choices != NULL && row->type == PERC_TEXT &&
                                                   strncmp(row->choices, "NUMBER", 6) == 0);
    int64_t whole;

    if (row->type == PERC_BOOL) facts_bool(f, row->name, NULL, strcmp(value, "true") == 0);
    else if (row->type == PERC_INT && number_parse_int(value, strlen(value), &whole))
        facts_int(f, row->name, NULL, whole);
    else if (number && !isnan(word_value(value))) facts_real(f, row->name, NULL, word_value(value));
    else if (number && value[0] == '\0') facts_null(f, row->name);
    else facts_string(f, row->name, NULL, value);
}

void about_options(struct facts *f, const char *table, const perc_params *p)
{
    size_t count = 0;
    const perc_param *rows = perc_table(table, &count);

    facts_object(f, "options", NULL);
    for (size_t i = 0; i < count; i++) {
        const char *value = perc_params_get(p, rows[i].name);

        if (value != NULL) about_option(f, &rows[i], value);
    }
    facts_end(f);
}

/* Whether a column says what becomes of its gaps. */
static bool has_fills(const perc_dataset *ds)
{
    perc_column c;

    for (size_t i = 0; perc_dataset_column(ds, i, &c); i++)
        if (strstr(c.how, "fill=") != NULL) return true;
    return false;
}

void about_data(struct facts *f, const char *path, const perc_dataset *ds)
{
    perc_dataset_info d;
    char buf[WORD];

    perc_dataset_info_get(ds, &d);
    facts_object(f, "data", "data");
    if (d.files > 1)
        facts_say(f, "%s and %llu more (%s)", word_input(path), (unsigned long long)d.files - 1,
                  d.format);
    else facts_say(f, "%s (%s)", word_input(path), d.format);
    facts_string(f, "path", NULL, path);
    if (d.files > 1) facts_count(f, "files", NULL, d.files);
    facts_string(f, "format", NULL, d.format);
    facts_count(f, "rows", "rows", d.rows);
    facts_count(f, "features", "features", d.features);
    facts_count(f, "nonzeros", "nonzeros", d.nonzeros);
    if (d.dense) facts_say(f, "%s (dense)", word_count(buf, d.nonzeros));
    facts_bool(f, "dense", NULL, d.dense != 0);
    facts_int(f, "index_base", NULL, d.index_base);
    facts_string(f, "storage", NULL, d.storage);
    facts_bytes(f, "memory", "memory", d.memory);
    facts_say(f, "%s (values as %s)", word_bytes(buf, d.memory), d.storage);
    facts_bytes(f, "bytes", NULL, d.bytes);
    facts_seconds(f, "read_seconds", NULL, d.seconds);
    facts_count(f, "dropped", d.dropped > 0 ? "rows left out" : NULL, d.dropped);
    if (d.filled > 0) {
        facts_count(f, "filled", "gaps", d.filled);
        facts_say(f, "%s missing number%s, filled %s", word_count(buf, d.filled),
                  word_plural(d.filled),
                  has_fills(ds) ? "as their columns say" : "with means (--missing says otherwise)");
    }
    facts_count(f, "unknown", d.unknown > 0 ? "entries left out" : NULL, d.unknown);
    facts_say(f, "%s (features that the model does not know)", word_count(buf, d.unknown));
    facts_count(f, "ignored", d.ignored > 0 ? "columns left out" : NULL, d.ignored);
    facts_count(f, "hashed", d.hashed > 0 ? "hashing" : NULL, d.hashed);
    /* Buckets come after the features that have names; their number is a power of two. */
    uint64_t named = 0, bits = 0;
    while (d.hashed > 0 && perc_dataset_feature(ds, named) != NULL) named++;
    while (d.hashed > 0 && (d.features - named) >> (bits + 1) != 0) bits++;
    about_hashing(f, word_count(buf, bits), d.hashed, d.collisions);
    facts_count(f, "collisions", NULL, d.collisions);
    facts_string(f, "note", d.note[0] != '\0' ? "note" : NULL, d.note);
    facts_list(f, "labels", NULL);
    for (size_t i = 0; i < d.labels; i++) facts_string(f, NULL, NULL, perc_dataset_label(ds, i));
    facts_end(f);
    facts_end(f);
}

/* "standard for 6 of 9 columns of numbers (--scale none: none)"; of the others, why not. */
void about_scaling(struct facts *f, const perc_dataset *ds)
{
    perc_scaling s;
    char a[WORD], b[WORD];

    perc_dataset_scaling(ds, &s);
    if (!s.chosen || (s.numbers == 0 && s.how[0] != 'n')) return; /* columns say it themselves */
    const uint64_t sparse = s.numbers - s.standard - s.divided - s.binary - s.large;
    facts_object(f, "scaling", "scaling");
    facts_say(f, "%s", s.how);
    if (s.standard > 0)
        facts_more(f, " for %s of %s column%s of numbers", word_count(a, s.standard),
                   word_count(b, s.numbers), word_plural(s.numbers));
    if (s.divided > 0)
        facts_more(f, "%s %s nearly always 0 divided by the largest", s.standard > 0 ? ";" : " for",
                   word_count(a, s.divided));
    if (s.binary > 0) facts_more(f, "; %s only 0 and 1", word_count(a, s.binary));
    if (sparse > 0) facts_more(f, "; %s nearly always 0", word_count(a, sparse));
    if (s.large > 0) facts_more(f, "; %s too large", word_count(a, s.large));
    if (s.standard + s.divided > 0) facts_more(f, " (--scale none: none)");
    facts_string(f, "how", NULL, s.how);
    facts_count(f, "numbers", NULL, s.numbers);
    facts_count(f, "standard", NULL, s.standard);
    facts_count(f, "divided", NULL, s.divided);
    facts_count(f, "binary", NULL, s.binary);
    facts_count(f, "sparse", NULL, sparse);
    facts_count(f, "large", NULL, s.large);
    facts_end(f);
}
