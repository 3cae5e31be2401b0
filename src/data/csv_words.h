/* csv_words.h -- the categories and words of the row that csv_row.c is making. */
#ifndef PERC_CSV_WORDS_H
#define PERC_CSV_WORDS_H

#include "data/bag.h"
#include "data/csv.h"
#include "data/words.h"

/* A category met in this chunk. Each word has one place, which the next word that belongs there
 * takes over: so whoever writes the data can make it useless, but never slow. */
struct csv_known {
    uint64_t word[2]; /* of scan_word */
    uint64_t key;     /* what it puts into the row: a feature, or a key of the bag */
    uint32_t column;  /* 1 + its number in the schema; 0: nothing is here */
};
enum { CSV_KNOWN_BITS = 10, CSV_WORD = 16 };

struct csv_words {
    const struct csv *c;
    struct rows *r;
    struct schema *local; /* this chunk's categories and words */

    uint32_t *category; /* !counted: features of the row's levels */
    size_t categories, room;
    uint64_t *bits;          /* for csv_sort, with a model's categories */
    struct csv_known *known; /* 2^CSV_KNOWN_BITS; NULL: the table has no words */

    struct bag bag; /* counted: a key for each category and each word met */
    struct words words;
    struct text gram; /* the words of a text, with blanks between them */
};

perc_status csv_words_begin(struct csv_words *w, const struct csv *c, struct rows *r,
                            struct schema *local);
void csv_words_free(struct csv_words *w); /* safe after a begin that failed */

/* The next four can fail with PERC_ENOMEM only. */

/* A cell of column `number` of the schema, of either kind. */
perc_status csv_words_category(struct csv_words *w, uint32_t number, const char *text, size_t len);
/* The level of the column that no text is. */
perc_status csv_words_special(struct csv_words *w, uint32_t number, enum schema_special special);
perc_status csv_words_text(struct csv_words *w, uint32_t number, const char *text, size_t len);
/* Puts the row's categories and words after its numbers. */
perc_status csv_words_put(struct csv_words *w);
/* How many the row has so far. */
static inline size_t csv_words_count(const struct csv_words *w)
{
    return w->categories + w->bag.n;
}
/* The cell of column `number` that puts the last of them into a row has this word. */
void csv_words_remember(struct csv_words *w, uint32_t number, const uint64_t word[2]);
/* Puts what such a cell does. False: the word is not known, and nothing was put. */
bool csv_words_recall(struct csv_words *w, uint32_t number, const uint64_t word[2]);
/* Forgets the words of the chunk but the first n. */
void csv_words_truncate(struct csv_words *w, size_t n);
/* The next row begins, or the last one is dropped. */
static inline void csv_words_clear(struct csv_words *w)
{
    w->categories = w->bag.n = 0;
}

#endif
