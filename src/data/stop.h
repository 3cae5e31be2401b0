/* stop.h -- words that say little about what a text is about: "the", "of", "with".
 *
 * A model that leaves them out says so by the name of the list, stop=english, so a list never
 * changes; a better one would have another name. Words are those of words.h: lower case, and in
 * pieces at an apostrophe, so that don't is the two words don and t, which are both here. */
#ifndef PERC_STOP_H
#define PERC_STOP_H

#include "base/base.h"

bool stop_english(const char *word, size_t len);
/* Word i in the order of the alphabet; NULL: there are no more. */
const char *stop_english_word(size_t i);

#endif
