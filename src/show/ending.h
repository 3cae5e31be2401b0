/* ending.h -- why training ended, as a sentence without a full stop. */
#ifndef PERC_SHOW_ENDING_H
#define PERC_SHOW_ENDING_H

#include <stddef.h>

#include "perceptron.h"

/* limit: the option that ended it, as it was given. */
void ending_words(char *buf, size_t size, const perc_report *r, const char *limit);

#endif
