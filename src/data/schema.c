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

void schema_free(struct schema *s)
{
    const struct env e = s->e;

    for (size_t i = 0; i < s->columns; i++) mem_free_text(&e, s->column[i].name);
    mem_free(&e, s->column, s->columns, sizeof *s->column);
    for (size_t i = 0; i < s->categories; i++) mem_free_text(&e, s->category[i].text);
    mem_free(&e, s->category, s->cap, sizeof *s->category);
    mem_free(&e, s->slot, s->slots, sizeof *s->slot);
    *s = (struct schema){ .e = e };
}

/* ----- the category table ------------------------------------------------- */

static uint32_t hash_of(const struct schema *s, uint32_t column, const char *text, size_t len)
{
    struct hash_keyed h = hash_key_begin(&s->e.key);

    hash_key_word(&h, column);
    hash_key_text(&h, text, len);
    return (uint32_t)hash_key_end(&h);
}

/* The slot of a category, or the empty one where it would be. */
static uint32_t *slot_of(const struct schema *s, uint32_t hash, uint32_t column, const char *text,
                         size_t len)
{
    size_t i = hash & (s->slots - 1);

    for (; s->slot[i] != 0; i = (i + 1) & (s->slots - 1)) {
        const struct category *c = &s->category[s->slot[i] - 1];
        if (c->hash == hash && c->column == column && strncmp(c->text, text, len) == 0 &&
            c->text[len] == '\0')
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

uint32_t schema_find(const struct schema *s, uint32_t column, const char *text, size_t len)
{
    if (s->slots == 0) return UINT32_MAX;
    const uint32_t k = *slot_of(s, hash_of(s, column, text, len), column, text, len);
    return k > 0 ? s->category[k - 1].feature : UINT32_MAX;
}

perc_status schema_add(struct schema *s, uint32_t column, const char *text, size_t len,
                       uint32_t *feature)
{
    const uint32_t hash = hash_of(s, column, text, len);
    const uint32_t met = s->slots > 0 ? *slot_of(s, hash, column, text, len) : 0;

    if (met > 0) {
        *feature = s->category[met - 1].feature;
        return PERC_OK;
    }
    if (schema_features(s) >= UINT32_MAX - 1) return PERC_EDATA;
    if (!grow_categories(s)) return PERC_ENOMEM;

    char *copy = mem_text(&s->e, text, len);
    if (copy == NULL) return PERC_ENOMEM;
    const size_t k = s->categories;
    *feature = s->numeric + (uint32_t)k;
    *slot_of(s, hash, column, text, len) = (uint32_t)k + 1;
    s->category[k] = (struct category){ column, *feature, copy, hash };
    s->categories = k + 1;
    return PERC_OK;
}

void schema_truncate(struct schema *s, size_t categories)
{
    while (s->categories > categories) {
        const struct category *c = &s->category[s->categories - 1];
        *slot_of(s, c->hash, c->column, c->text, strlen(c->text)) = 0;
        mem_free_text(&s->e, c->text);
        s->categories--;
    }
}

perc_status schema_copy_columns(const struct env *e, const struct schema *from, struct schema *to)
{
    schema_init(to, e);
    to->header = from->header;
    to->delimiter = from->delimiter;
    to->hash_bits = from->hash_bits;
    to->numeric = from->numeric;
    to->column = mem_zeroed(e, from->columns, sizeof *to->column);
    if (to->column == NULL) return PERC_ENOMEM;
    to->columns = from->columns;
    for (size_t i = 0; i < from->columns; i++) {
        to->column[i] = from->column[i];
        to->column[i].name = mem_text(e, from->column[i].name, strlen(from->column[i].name));
        if (to->column[i].name == NULL) {
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

    for (size_t k = 0; k < from->categories && !st; k++) {
        const struct category *c = &from->category[k];
        st = schema_add(to, c->column, c->text, strlen(c->text), &feature);
    }
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
        if (s->column[i].kind == COLUMN_CATEGORY || s->column[i].kind == COLUMN_TEXT) return true;
    return false;
}

static bool is_words(const struct column *c)
{
    return c->kind == COLUMN_CATEGORY || c->kind == COLUMN_TEXT;
}

perc_status schema_index(const struct schema *in, struct schema *names)
{
    uint32_t number;

    for (size_t i = 0; i < in->columns; i++) {
        const struct column *c = &in->column[i];
        const bool feature = is_words(c) || c->kind == COLUMN_NUMBER;
        if (feature && schema_add(names, is_words(c), c->name, strlen(c->name), &number))
            return PERC_ENOMEM;
        if ((!feature ||
             number != i) && /* it is not there, or had its name before: takes a number */
            schema_add(names, (uint32_t)i + 2, "", 0, &number))
            return PERC_ENOMEM;
    }
    return PERC_OK;
}

/* The column of this name that holds numbers, or words; `guess` is looked at first. */
static const struct column *find_named(const struct schema *s, const struct schema *names,
                                       const char *name, bool words, size_t guess)
{
    const struct column *c = guess < s->columns ? &s->column[guess] : NULL;

    if (c != NULL && (words ? is_words(c) : c->kind == COLUMN_NUMBER) && strcmp(c->name, name) == 0)
        return c;
    const uint32_t at = schema_find(names, words, name, strlen(name));
    return at != UINT32_MAX ? &s->column[at] : NULL;
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
        const uint32_t at = schema_find(in, (uint32_t)(found - in->column), c->text,
                                        strlen(c->text));
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
        text_str(out, s->column[c->column].name);
        text_char(out, '=');
        text_str(out, c->text);
        return;
    }
    text_str(out, s->column[column_of(s, j)].name);
}
