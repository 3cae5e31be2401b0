/* picture_parts.h -- what the files that draw pictures share. */
#ifndef PERC_PICTURE_PARTS_H
#define PERC_PICTURE_PARTS_H

#include "study/picture.h"

enum { PICTURE_TEXT = 96, PICTURE_LINE = 320 };

/* A figure of run r with a title as by printf; with several runs the algorithm is part of its id
 * and begins its title. */
struct figure *picture_of(const struct study *s, size_t r, const char *id, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* A figure of all runs. */
struct figure *picture_new(const struct study *s, const char *id, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The colour for a label of the model: that of the data's label. */
int picture_colour(const struct study *s, const char *label);
/* "1 mistake", "12 mistakes", in `buf`. */
const char *picture_count(char buf[PICTURE_TEXT], int64_t n, const char *thing, const char *things);
/* "the training rows", or "the rows of the data" for a model trained earlier. */
const char *picture_rows(const struct study *s);
/* How many updates the bound allows, as a whole number. */
const char *picture_limit(const struct study *s, char buf[PICTURE_TEXT]);

#endif
