/* csv_words.h -- the categories and words of the row that csv_row.c is making. */
#ifndef PERC_CSV_WORDS_H
#define PERC_CSV_WORDS_H

#include "data/bag.h"
#include "data/csv.h"
#include "data/words.h"

struct csv_words {
    const struct csv *c;
    struct rows *r;
    struct schema *local; /* this chunk's categories and words */

    uint32_t *category; /* !counted: features of the row's categories; room for all columns */
    size_t categories;
    uint64_t *bits; /* for csv_sort, with a model's categories */

    struct bag bag; /* counted: a key for each category and each word met */
    struct words words;
};

perc_status csv_words_begin(struct csv_words *w, const struct csv *c, struct rows *r,
                            struct schema *local);
void csv_words_free(struct csv_words *w); /* safe after a begin that failed */

/* The next three can fail with PERC_ENOMEM only. */

/* A cell of column `number` of the schema, of either kind. */
perc_status csv_words_category(struct csv_words *w, uint32_t number, const char *text, size_t len);
perc_status csv_words_text(struct csv_words *w, uint32_t number, const char *text, size_t len);
/* Puts the row's categories and words after its numbers. */
perc_status csv_words_put(struct csv_words *w);
/* The next row begins, or the last one is dropped. */
static inline void csv_words_clear(struct csv_words *w)
{
    w->categories = w->bag.n = 0;
}

#endif
