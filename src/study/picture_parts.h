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

/* Some rows and their positions; sizes and texts are for layers that want them. */
enum { PICTURE_HINTS = 500, PICTURE_HINT = 64 };
struct picture_places {
    double *x, *y, *size;
    const char **text;
    char (*words)[PICTURE_HINT];
    uint64_t *row;
    size_t n;
};
bool picture_places_new(struct picture_places *p, size_t room);
/* Adds a row; returns the last of `words`, where the caller puts its text. */
char *picture_places_add(struct picture_places *p, uint64_t row, const double at[2], double size);
void picture_places_free(struct picture_places *p);
/* The rows of the study that are drawn, by class, at these positions; hints have their margins in
 * run r, unless that is NULL. */
void picture_points(struct figure *f, const struct study *s, const struct study_run *r,
                    const double *x, const double *y);
/* The axes of the plane. */
void picture_axes(struct figure *f, const struct study *s);

#endif
