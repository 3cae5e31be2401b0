/* chars.h -- texts and marks on a terminal, for figure_chars*.c.
 *
 * Texts may be any bytes: what could move the cursor or change colours becomes '?'. */
#ifndef PERC_SHOW_CHARS_H
#define PERC_SHOW_CHARS_H

#include "show/figure_parts.h"

char chars_mark(int colour); /* for points and curves: o + x * ... */
char chars_fill(int class);  /* for the area of a class: . : - ... */
int chars_ansi(int colour);  /* 34; 0: none */
/* One character, in the colour `ansi`. */
void chars_put(struct out *o, uint32_t code, int ansi);
/* How many columns a character, or a text, takes on a terminal. */
size_t chars_columns(uint32_t code);
size_t chars_width(const char *s);
/* The text, cut to at most `most` columns ('~' marks the cut); returns how many it took. */
size_t chars_text(struct out *o, const char *s, size_t most);
/* Bars or cells. */
void chars_table(const struct figure *f, struct out *o, int columns, bool colour);

#endif
