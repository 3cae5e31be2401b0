/* schema.c -- what the columns of a table mean, and the names of the features.
 *
 * A table has columns; a machine has features. A numeric column is one feature.
 * A column of words is as many features as it has different words (one-hot):
 * "colour=red" is 1 in the rows that say red. A column of texts is as many as it
 * has different words: "body=free" is how often the text says free (a bag of words).
 * The schema is the dictionary between the two. It is made while the training file
 * is read, kept in the model, and used at prediction, where it never grows.
 *
 * Numbering: numeric columns are features 0 .. numeric-1 in file order; category
 * k, in order of first appearance, is feature numeric + k. The number follows
 * from the position, so that one pass is enough and a chunk parsed on its own
 * can be renumbered later (csv_merge). Words of texts are categories to all that
 * follows.
 *
 * The categories stand in an array in order of their number, with an open hash
 * table of (column, text) beside it: linear probing, a power of two of slots, at
 * most half of them used. The newest entry can be taken out again by emptying
 * its slot, because no later one was moved past it: that undoes the categories
 * of a row that turns out to be dropped.
 *
 * Not here: finding out what the columns are (csv_open.c), JSON (schema_json.c). */
#include "data/schema.h"

#include <string.h>

#include "base/number.h"

void schema_init(struct schema *s, const struct env *e)
{
    *s = (struct schema){ .e = *e, .delimiter = ',' };
}

void schema_column_free(const struct env *e, struct column *c)
{
    mem_free_text(e, c->name);
    mem_free_text(e, c->frequent);
    mem_free_text(e, c->reference);
    columns_treatment_free(e, &c->how);
}

void schema_free(struct schema *s)
{
    const struct env e = s->e;

    for (size_t i = 0; i < s->columns; i++) schema_column_free(&e, &s->column[i]);
    mem_free(&e, s->column, s->columns, sizeof *s->column);
    for (size_t i = 0; i < s->categories; i++) mem_free_text(&e, s->category[i].text);
    mem_free(&e, s->category, s->cap, sizeof *s->category);
    mem_free(&e, s->slot, s->slots, sizeof *s->slot);
    *s = (struct schema){ .e = e };
}

/* ----- the category table ------------------------------------------------- */

static const char *const special_name[SCHEMA_SPECIALS] = {
    [SCHEMA_MISSING] = "missing", [SCHEMA_RARE] = "rare"
};

/* What a category is known by. */
struct level {
    uint32_t column;
    enum schema_special special;
    const char *text;
    size_t len;
};

static struct level special_level(uint32_t column, enum schema_special special)
{
    const char *name = special_name[special];

    return (struct level){ column, special, name, strlen(name) };
}

static uint32_t hash_of(const struct schema *s, const struct level *l)
{
    struct hash_keyed h = hash_key_begin(&s->e.key);

    hash_key_word(&h, l->column | (uint64_t)l->special << 32);
    hash_key_text(&h, l->text, l->len);
    return (uint32_t)hash_key_end(&h);
}

/* The slot of a category, or the empty one where it would be. */
static uint32_t *slot_of(const struct schema *s, uint32_t hash, const struct level *l)
{
    size_t i = hash & (s->slots - 1);

    for (; s->slot[i] != 0; i = (i + 1) & (s->slots - 1)) {
        const struct category *c = &s->category[s->slot[i] - 1];
        if (c->hash == hash && c->column == l->column && c->special == l->special &&
            strncmp(c->text, l->text, l->len) == 0 && c->text[l->len] == '\0')
            break;
    }
    return &s->slot[i];
}

/* Room for one more category and its slot. */
static bool grow_categories(struct schema *s)
{
    if (!MEM_GROW(&s->e, s->category, &s->cap, s->categories + 1)) return false;
    if ((s->categories + 1) * 2 <= s->slots) return true;

    const size_t n = s->slots > 0 ? 2 * s->slots : 16;
    uint32_t *slot = mem_resize(&s->e, s->slot, s->slots, n, sizeof *slot);
    if (slot == NULL) return false;
    memset(slot, 0, n * sizeof *slot);
    s->slot = slot;
    s->slots = n;
    for (size_t k = 0; k < s->categories; k++) {
        size_t i = s->category[k].hash & (n - 1);
        while (slot[i] != 0) i = (i + 1) & (n - 1);
        slot[i] = (uint32_t)k + 1;
    }
    return true;
}

static uint32_t find_level(const struct schema *s, const struct level *l)
{
    if (s->slots == 0) return UINT32_MAX;
    const uint32_t k = *slot_of(s, hash_of(s, l), l);
    return k > 0 ? s->category[k - 1].feature : UINT32_MAX;
}

uint32_t schema_find(const struct schema *s, uint32_t column, const char *text, size_t len)
{
    return find_level(s, &(struct level){ column, SCHEMA_TEXT, text, len });
}

uint32_t schema_find_special(const struct schema *s, uint32_t column, enum schema_special special)
{
    const struct level l = special_level(column, special);

    return find_level(s, &l);
}

/* A level is called by its column, "colour=red", so a long name of one and many levels, a few bytes
 * of a file each, would take thousands of times the file: 20 GB for 1 MB. What names have beyond
 * SHORT_NAME bytes is counted, and may come to LONG_NAMES. */
enum { SHORT_NAME = 64, LONG_NAMES = 1 << 29 };

static size_t long_name(const struct schema *s, uint32_t column)
{
    const size_t n = column < s->columns ? strlen(s->column[column].name) : 0;

    return n > SHORT_NAME ? n - SHORT_NAME : 0;
}

static perc_status add_level(struct schema *s, const struct level *l, uint32_t *feature)
{
    const uint32_t hash = hash_of(s, l);
    const uint32_t met = s->slots > 0 ? *slot_of(s, hash, l) : 0;

    if (met > 0) {
        *feature = s->category[met - 1].feature;
        return PERC_OK;
    }
    if (schema_features(s) >= UINT32_MAX - 1) return PERC_EDATA;
    const size_t more = long_name(s, l->column);
    if (more > LONG_NAMES - s->long_names) return PERC_EDATA;
    if (!grow_categories(s)) return PERC_ENOMEM;

    char *copy = mem_text(&s->e, l->text, l->len);
    if (copy == NULL) return PERC_ENOMEM;
    const size_t k = s->categories;
    *feature = s->numeric + (uint32_t)k;
    *slot_of(s, hash, l) = (uint32_t)k + 1;
    s->category[k] = (struct category){ l->column, *feature, copy, hash, l->special };
    s->categories = k + 1;
    s->long_names += more;
    return PERC_OK;
}

perc_status schema_add(struct schema *s, uint32_t column, const char *text, size_t len,
                       uint32_t *feature)
{
    return add_level(s, &(struct level){ column, SCHEMA_TEXT, text, len }, feature);
}

perc_status schema_add_special(struct schema *s, uint32_t column, enum schema_special special,
                               uint32_t *feature)
{
    const struct level l = special_level(column, special);

    return add_level(s, &l, feature);
}

static struct level level_of(const struct category *c)
{
    return (struct level){ c->column, c->special, c->text, strlen(c->text) };
}

perc_status schema_add_level(struct schema *s, const struct category *of, uint32_t *feature)
{
    const struct level l = level_of(of);

    return add_level(s, &l, feature);
}

uint32_t schema_find_level(const struct schema *s, const struct category *of)
{
    const struct level l = level_of(of);

    return find_level(s, &l);
}

void schema_truncate(struct schema *s, size_t categories)
{
    while (s->categories > categories) {
        const struct category *c = &s->category[s->categories - 1];
        const struct level l = level_of(c);
        *slot_of(s, c->hash, &l) = 0;
        s->long_names -= long_name(s, c->column);
        mem_free_text(&s->e, c->text);
        s->categories--;
    }
}

/* A copy, or NULL for NULL. */
static bool copy_text(const struct env *e, const char *from, char **to)
{
    *to = from != NULL ? mem_text(e, from, strlen(from)) : NULL;
    return from == NULL || *to != NULL;
}

perc_status schema_copy_columns(const struct env *e, const struct schema *from, struct schema *to)
{
    schema_init(to, e);
    to->header = from->header;
    to->delimiter = from->delimiter;
    to->notation = from->notation;
    to->hash_bits = from->hash_bits;
    to->numeric = from->numeric;
    to->column = mem_zeroed(e, from->columns, sizeof *to->column);
    if (to->column == NULL) return PERC_ENOMEM;
    to->columns = from->columns;
    for (size_t i = 0; i < from->columns; i++) {
        const struct column *c = &from->column[i];
        to->column[i] = (struct column){ .kind = c->kind,
                                         .feature = c->feature,
                                         .filled = c->filled };
        to->column[i].name = mem_text(e, c->name, strlen(c->name));
        if (to->column[i].name == NULL || !copy_text(e, c->frequent, &to->column[i].frequent) ||
            !copy_text(e, c->reference, &to->column[i].reference) ||
            columns_treatment_copy(e, &c->how, &to->column[i].how)) {
            schema_free(to);
            return PERC_ENOMEM;
        }
    }
    return PERC_OK;
}

perc_status schema_copy(const struct env *e, const struct schema *from, struct schema *to)
{
    perc_status st = schema_copy_columns(e, from, to);
    uint32_t feature;

    for (size_t k = 0; k < from->categories && !st; k++)
        st = schema_add_level(to, &from->category[k], &feature);
    if (st) schema_free(to);
    return st ? PERC_ENOMEM : PERC_OK;
}

uint64_t schema_features(const struct schema *s)
{
    return s->numeric + (s->hash_bits > 0 ? (uint64_t)1 << s->hash_bits : s->categories);
}

bool schema_has_words(const struct schema *s)
{
    for (size_t i = 0; i < s->columns; i++)
        if (column_has_levels(&s->column[i])) return true;
    return false;
}

bool schema_fills(const struct schema *s)
{
    for (size_t i = 0; i < s->columns; i++)
        if (s->column[i].how.fill != FILL_OPTION) return true;
    return false;
}

/* The column of numbers that is feature j < s->numeric: the last one with so many before it. */
static size_t column_of(const struct schema *s, uint64_t j)
{
    size_t from = 0, to = s->columns;

    while (to - from > 1) {
        const size_t mid = from + (to - from) / 2;
        if (s->column[mid].feature <= j) from = mid;
        else to = mid;
    }
    return from;
}

static bool measures_gaps(const struct column *c)
{
    return column_is_number(c) && (c->how.fill == FILL_MEAN || c->how.fill == FILL_MEDIAN);
}

bool schema_measures_gaps(const struct schema *s)
{
    for (size_t i = 0; i < s->columns; i++)
        if (measures_gaps(&s->column[i])) return true;
    return false;
}

bool schema_fills_feature(const struct schema *s, uint64_t j)
{
    return j < s->numeric && measures_gaps(&s->column[column_of(s, j)]);
}

bool schema_has_treatments(const struct schema *s)
{
    for (size_t i = 0; i < s->columns; i++) {
        const struct column *c = &s->column[i];
        if (c->kind == COLUMN_DATE || c->kind == COLUMN_ID || !columns_treatment_is_plain(&c->how))
            return true;
    }
    return false;
}

bool schema_has_notation(const struct schema *s)
{
    return !notation_is_plain(&s->notation) || s->notation.quotes != QUOTES_DOUBLE ||
           strchr(",;\t|", s->delimiter) == NULL;
}

/* Names are kept apart by what is found under them. */
enum { OF_NUMBERS, OF_WORDS, OF_DATES, OF_NOTHING };

static uint32_t group_of(const struct column *c)
{
    if (c->kind == COLUMN_DATE) return OF_DATES;
    return column_is_words(c) ? OF_WORDS : column_is_number(c) ? OF_NUMBERS : OF_NOTHING;
}

perc_status schema_index(const struct schema *in, struct schema *names)
{
    uint32_t number;

    for (size_t i = 0; i < in->columns; i++) {
        const struct column *c = &in->column[i];
        const uint32_t group = group_of(c);
        if (group != OF_NOTHING && schema_add(names, group, c->name, strlen(c->name), &number))
            return PERC_ENOMEM;
        if ((group == OF_NOTHING ||
             number != i) && /* it is not there, or had its name before: takes a number */
            schema_add(names, (uint32_t)i + OF_NOTHING, "", 0, &number))
            return PERC_ENOMEM;
    }
    return PERC_OK;
}

/* Whether a column can hold numbers, or levels: gaps of numbers can be a level, too. */
static bool can_hold(const struct column *c, bool levels)
{
    return levels ? column_has_levels(c) : column_is_number(c);
}

/* The column of this name that holds numbers, or levels; `guess` is looked at first. */
static const struct column *find_named(const struct schema *s, const struct schema *names,
                                       const char *name, bool levels, size_t guess)
{
    static const uint32_t group[2][3] = { { OF_NUMBERS, OF_DATES, OF_NUMBERS },
                                          { OF_WORDS, OF_DATES, OF_NUMBERS } };
    const struct column *c = guess < s->columns ? &s->column[guess] : NULL;

    if (c != NULL && can_hold(c, levels) && strcmp(c->name, name) == 0) return c;
    for (int i = 0; i < 3; i++) {
        const uint32_t at = schema_find(names, group[levels][i], name, strlen(name));
        if (at != UINT32_MAX && can_hold(&s->column[at], levels)) return &s->column[at];
    }
    return NULL;
}

uint64_t schema_locate(const struct schema *in, const struct schema *names, const struct schema *of,
                       uint64_t j)
{
    char index[1 + NUMBER_TEXT + 1] = "x";
    const char *name = index;
    const struct column *found;
    int64_t number;
    size_t i = (size_t)j;

    if (j >= of->numeric && of->hash_bits > 0) return in->numeric + (j - of->numeric);
    if (of->columns > 0 && j >= of->numeric) {
        const struct category *c = &of->category[j - of->numeric];
        found = find_named(in, names, of->column[c->column].name, true, c->column);
        if (found == NULL) return UINT64_MAX;
        struct level l = level_of(c);
        l.column = (uint32_t)(found - in->column);
        const uint32_t at = find_level(in, &l);
        return at != UINT32_MAX ? at : UINT64_MAX;
    }
    if (of->columns == 0) index[1 + number_format((double)j, index + 1)] = '\0';
    else name = of->column[i = column_of(of, j)].name;
    if (in->columns > 0) {
        found = find_named(in, names, name, false, i);
        return found != NULL ? found->feature : UINT64_MAX;
    }
    return name[0] == 'x' && number_parse_int(name + 1, strlen(name + 1), &number) && number >= 0
               ? (uint64_t)number
               : UINT64_MAX;
}

void schema_name(const struct schema *s, uint64_t j, struct text *out)
{
    if (j >= schema_features(s)) return;
    if (j >= s->numeric && s->hash_bits > 0) {
        text_str(out, "hash:");
        text_uint(out, j - s->numeric);
        return;
    }
    if (j >= s->numeric) {
        const struct category *c = &s->category[j - s->numeric];
        const char *name = s->column[c->column].name;
        text_str(out, name);
        if (*name != '\0') text_char(out, c->special ? ':' : '='); /* without: vw.h */
        text_str(out, c->text);
        return;
    }
    text_str(out, s->column[column_of(s, j)].name);
}
