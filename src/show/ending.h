/* ending.h -- why training ended, as a sentence without a full stop. */
#ifndef PERC_SHOW_ENDING_H
#define PERC_SHOW_ENDING_H

#include <stddef.h>

#include "perceptron.h"

enum { ENDING_SENTENCE = 256 };

/* limit: the value of the option that ended it, as given. */
void ending_words(char *buf, size_t size, const perc_report *r, const char *limit);
/* The same for programs, in the words of the options: epochs, not passes. */
void ending_value(char *buf, size_t size, const perc_report *r, const char *limit);

/* Adds what explains errors beside "converged": what is kept are not the last weights. */
void ending_kept(char *buf, size_t size, const perc_report *r, const char *algorithm);

#endif
