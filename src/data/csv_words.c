/* csv_words.c -- from cells of words to entries of the row.
 *
 * Three ways lead from a word to its feature. In training a chunk numbers its own
 * words, and csv_merge gives them their real numbers. A model's words are looked up,
 * and those that it lacks are counted in rows.unknown, each time they are met.
 * With hashing the name alone says which bucket.
 *
 * A table with neither texts nor hashing has at most one category a column, or one for each part
 * of a date, each of value 1. Otherwise (csv.counted) a feature can be met several times in a row,
 * as a word that is repeated or as two that share a bucket. Then each time is a key:
 *
 *     feature * 2^32   or   the whole hash, whose upper bits are the bucket
 *
 * Sorted, equal features stand together, and a feature's value is the length of its
 * run. With hashing the equal keys in it are one and the same word: so
 * hashing_buckets_add, which counts shared buckets, is called once for each word of a row. */
#include "data/csv_words.h"

#include <string.h>

#include "data/csv_cell.h"
#include "data/hashing.h"
#include "data/levels.h"
#include "data/stop.h"

/* How many levels a row of a table can have that is not counted. */
static size_t most_levels(const struct csv *c)
{
    size_t n = 0;

    for (size_t i = 0; i < c->schema.columns; i++) {
        const struct column *column = &c->schema.column[i];
        const unsigned levels = column->how.parts & ~(unsigned)DATE_DAYS;
        n += column->kind == COLUMN_CATEGORY || column->how.indicator;
        n += (levels & DATE_WEEKDAY) != 0;
        n += (levels & DATE_MONTH) != 0;
        n += (levels & DATE_HOUR) != 0;
    }
    return n;
}

static size_t bit_words(const struct csv *c)
{
    return c->schema.categories / 64 + 1;
}

perc_status csv_words_begin(struct csv_words *w, const struct csv *c, struct rows *r,
                            struct schema *local)
{
    *w = (struct csv_words){ .c = c, .r = r, .local = local };
    bag_init(&w->bag, &r->e);
    words_init(&w->words, &r->e);
    text_init(&w->gram, &r->e);
    w->room = c->counted ? 0 : most_levels(c);
    if (local->e.alloc == NULL) schema_init(local, &r->e);
    schema_truncate(local, 0);
    local->numeric = c->schema.numeric;
    if (schema_has_words(&c->schema)) {
        w->known = mem_zeroed(&r->e, (size_t)1 << CSV_KNOWN_BITS, sizeof *w->known);
        if (w->known == NULL) return PERC_ENOMEM;
    }
    if (c->counted) {
        hashing_buckets_free(&r->seen);
        if (!c->fixed) r->seen.bits = c->schema.hash_bits;
        return PERC_OK;
    }
    w->category = mem_array(&r->e, w->room, sizeof *w->category);
    if (w->category == NULL) return PERC_ENOMEM;
    if (!c->fixed) return PERC_OK;
    w->bits = mem_zeroed(&r->e, bit_words(c), sizeof *w->bits);
    return w->bits != NULL ? PERC_OK : PERC_ENOMEM;
}

void csv_words_free(struct csv_words *w)
{
    mem_free(&w->r->e, w->category, w->room, sizeof *w->category);
    /* Where there are none, another thread may be adding categories. */
    if (w->bits != NULL) mem_free(&w->r->e, w->bits, bit_words(w->c), sizeof *w->bits);
    mem_free(&w->r->e, w->known, (size_t)1 << CSV_KNOWN_BITS, sizeof *w->known);
    bag_free(&w->bag);
    words_free(&w->words);
    text_free(&w->gram);
}

/* The feature of a word that is kept; UINT32_MAX: the model has none. */
static perc_status feature_of(struct csv_words *w, uint32_t number, const char *text, size_t len,
                              uint32_t *feature)
{
    if (!w->c->fixed) return schema_add(w->local, number, text, len, feature);
    bool known;
    *feature = levels_find_text(&w->c->schema, number, text, len, &known);
    w->r->unknown += !known;
    return PERC_OK;
}

static struct hash64 column_hash(const struct csv_words *w, uint32_t number)
{
    const char *name = w->c->schema.column[number].name;

    return hashing_column(name, strlen(name));
}

/* One word, or one category, of a table whose features are counted. */
static perc_status count_word(struct csv_words *w, uint32_t number, const struct hash64 *column,
                              const char *text, size_t len)
{
    uint32_t feature;

    if (w->c->schema.hash_bits > 0)
        return bag_put(&w->bag, hashing_word(column, text, len)) ? PERC_OK : PERC_ENOMEM;
    if (feature_of(w, number, text, len, &feature)) return PERC_ENOMEM;
    if (feature == UINT32_MAX) return PERC_OK;
    return bag_put(&w->bag, (uint64_t)feature << 32) ? PERC_OK : PERC_ENOMEM;
}

/* A level by its feature. */
static perc_status put_level(struct csv_words *w, uint32_t feature)
{
    if (feature == UINT32_MAX) return PERC_OK;
    if (w->c->counted) return bag_put(&w->bag, (uint64_t)feature << 32) ? PERC_OK : PERC_ENOMEM;
    w->category[w->categories++] = feature;
    return PERC_OK;
}

perc_status csv_words_special(struct csv_words *w, uint32_t number, enum schema_special special)
{
    /* With the byte that ends texts before it, a bucket's word is none of a file. */
    static const char *const word[] = { [SCHEMA_MISSING] = "\0missing", [SCHEMA_RARE] = "\0rare" };
    uint32_t feature;

    if (w->c->schema.hash_bits > 0) {
        const struct hash64 column = column_hash(w, number);
        return count_word(w, number, &column, word[special], 1 + strlen(word[special] + 1));
    }
    if (w->c->fixed) feature = schema_find_special(&w->c->schema, number, special);
    else if (schema_add_special(w->local, number, special, &feature)) return PERC_ENOMEM;
    return put_level(w, feature);
}

perc_status csv_words_category(struct csv_words *w, uint32_t number, const char *text, size_t len)
{
    uint32_t feature;

    if (w->c->counted) {
        const struct hash64 column = column_hash(w, number);
        return count_word(w, number, &column, text, len);
    }
    if (feature_of(w, number, text, len, &feature)) return PERC_ENOMEM;
    return put_level(w, feature);
}

/* Multiplied and added, the words of a table seldom share a place; any place would do. */
static struct csv_known *place_of(const struct csv_words *w, uint32_t number,
                                  const uint64_t word[2])
{
    const uint64_t k = (word[0] + number) * UINT64_C(0x9E3779B97F4A7C15) ^
                       word[1] * UINT64_C(0xC2B2AE3D27D4EB4F);

    return w->known + ((k ^ k >> 32) * UINT64_C(0x9E3779B97F4A7C15) >> (64 - CSV_KNOWN_BITS));
}

void csv_words_remember(struct csv_words *w, uint32_t number, const uint64_t word[2])
{
    const uint64_t key = w->c->counted ? w->bag.key[w->bag.n - 1] : w->category[w->categories - 1];

    *place_of(w, number, word) = (struct csv_known){ { word[0], word[1] }, key, number + 1 };
}

bool csv_words_recall(struct csv_words *w, uint32_t number, const uint64_t word[2])
{
    const struct csv_known *k = place_of(w, number, word);

    if (k->word[0] != word[0] || k->word[1] != word[1] || k->column != number + 1) return false;
    if (w->c->counted) return bag_put(&w->bag, k->key);
    w->category[w->categories++] = (uint32_t)k->key;
    return true;
}

void csv_words_truncate(struct csv_words *w, size_t n)
{
    if (n == w->local->categories) return;
    schema_truncate(w->local, n);
    memset(w->known, 0, sizeof *w->known << CSV_KNOWN_BITS);
}

/* The sequences of up to `most` words that end with the n-th, which begins in w->gram at
 * at[n % COLUMNS_NGRAMS_MAX]. */
static perc_status count_grams(struct csv_words *w, uint32_t number, const struct hash64 *column,
                               const size_t at[COLUMNS_NGRAMS_MAX], size_t n, unsigned most)
{
    perc_status st = PERC_OK;

    for (size_t k = 0; k < most && k <= n && !st; k++) {
        const size_t from = at[(n - k) % COLUMNS_NGRAMS_MAX];
        st = count_word(w, number, column, w->gram.s + from, w->gram.len - from);
    }
    return st;
}

perc_status csv_words_text(struct csv_words *w, uint32_t number, const char *text, size_t len)
{
    const struct treatment *how = &w->c->schema.column[number].how;
    const unsigned most = how->ngrams > 0 ? how->ngrams : 1;
    const struct hash64 column = column_hash(w, number);
    size_t at[COLUMNS_NGRAMS_MAX], n = 0, length;
    const char *word;
    perc_status st = words_of(&w->words, text, len) ? PERC_OK : PERC_ENOMEM;

    w->gram.len = 0;
    while (!st && (word = words_next(&w->words, &length)) != NULL) {
        if (how->stop && stop_english(word, length)) continue;
        if (most == 1) {
            st = count_word(w, number, &column, word, length);
            continue;
        }
        if (n > 0) text_char(&w->gram, ' ');
        at[n % COLUMNS_NGRAMS_MAX] = w->gram.len;
        text_add(&w->gram, word, length);
        st = w->gram.oom ? PERC_ENOMEM : count_grams(w, number, &column, at, n++, most);
    }
    return st;
}

perc_status csv_words_put(struct csv_words *w)
{
    if (w->c->counted) {
        const struct schema *s = &w->c->schema;
        const unsigned shift = s->hash_bits > 0 ? 64 - s->hash_bits : 32;
        const uint32_t first = s->hash_bits > 0 ? s->numeric : 0;
        const uint64_t *key;
        size_t end;
        if (!bag_sort(&w->bag) || !rows_reserve(w->r, 1, w->bag.n)) return PERC_ENOMEM;
        key = w->bag.key;
        for (size_t i = 0; i < w->bag.n; i = end) {
            for (end = i + 1; end < w->bag.n && (key[end] ^ key[i]) >> shift == 0; end++) continue;
            rows_put_count(w->r, first + (uint32_t)(key[i] >> shift), (uint32_t)(end - i));
        }
        /* For which words share a bucket: each word of the row once. */
        for (size_t i = 0; i < w->bag.n && w->r->seen.bits > 0; i++)
            if ((i == 0 || key[i] != key[i - 1]) && !hashing_buckets_add(&w->r->seen, key[i]))
                return PERC_ENOMEM;
        return PERC_OK;
    }
    if (w->c->fixed) csv_sort(w->category, w->categories, w->c->schema.numeric, w->bits);
    for (size_t i = 0; i < w->categories; i++)
        rows_put_decimal(w->r, w->category[i], decimal_pack(1, 0, false));
    return PERC_OK;
}
