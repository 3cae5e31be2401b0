/* words.h -- the words of a text.
 *
 * A word is a longest run of word bytes: the letters A-Z and a-z, the digits 0-9,
 * and every byte from 0x80 on. Capital letters A-Z become small ones; no other byte
 * is changed. All other bytes (blanks, punctuation, the underscore, control
 * characters) only separate. So "It's 3.50" is the words it, s, 3, 50.
 *
 * A byte from 0x80 on is part of a character beyond ASCII, in UTF-8 as in the older
 * encodings: most of those are letters, so words such as "käse" stay whole, and
 * that some (dashes, quotes, the no-break space) do not separate is the price of
 * needing no tables of Unicode. Their capitals are not lower-cased, for the same
 * reason. Two words are the same if their bytes are. */
#ifndef PERC_WORDS_H
#define PERC_WORDS_H

#include "base/base.h"

struct words {
    struct env e;
    char *text; /* the text with small letters, 0 for what separates */
    size_t cap;
    const char *p, *end; /* what has not been looked at yet, ended by a 0 */
};

void words_init(struct words *w, const struct env *e);
void words_free(struct words *w); /* safe on a zeroed struct */
/* Starts on a text, which is copied. false: out of memory. */
bool words_of(struct words *w, const char *text, size_t len);
/* The next word: valid until the next text, and ended by a NUL. NULL: no more. */
const char *words_next(struct words *w, size_t *len);

#endif
