/* spelling.h -- what was probably meant by a name that is not there: of an option, a command, a
 * column, a value. One rule for all of them. */
#ifndef PERC_SPELLING_H
#define PERC_SPELLING_H

#include <stdbool.h>
#include <stddef.h>

enum { SPELLING = 48, SPELLING_HINT = SPELLING + 24 };
typedef const char *(*spelling_fn)(void *ud, size_t i);

/* The candidate nearest to `word` in spelling; false if none is near or two are equally near.
 * `next` yields candidates until NULL; those of SPELLING bytes and more are passed over. */
bool spelling_nearest(const char *word, spelling_fn next, void *ud, char near[SPELLING]);
/* " (did you mean rate?)", or "". */
const char *spelling_hint(const char *word, spelling_fn next, void *ud, char buf[SPELLING_HINT]);
/* The same among "a|b|c". */
const char *spelling_choice(const char *word, const char *choices, char buf[SPELLING_HINT]);

#endif
