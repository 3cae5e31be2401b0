/* utf16.h -- UTF-16 in, UTF-8 out.
 *
 * A text is UTF-16 if it begins with its byte order mark, which is taken off, or if each other byte
 * of its first ones is 0, as where they are letters and digits. Halves of surrogate pairs, and half
 * a character at the end, are refused with their place. */
#ifndef PERC_UTF16_H
#define PERC_UTF16_H

#include "base/base.h"

struct utf16;

/* Gives up to n bytes; fewer at the end of the text only. */
typedef perc_status utf16_bytes(void *ud, char *buf, size_t n, size_t *got, perc_error *err);

/* The text with these first n bytes, after which `more` gives the others. *out is NULL if it is no
 * UTF-16. PERC_EDATA: it is UTF-32. */
perc_status utf16_open(const struct env *e, const char *head, size_t n, utf16_bytes *more, void *ud,
                       struct utf16 **out, perc_error *err);
/* Up to n bytes of UTF-8; fewer at its end only. Errors have the line and the column of the text,
 * in bytes of UTF-8. Not to be called again after one. */
perc_status utf16_fill(struct utf16 *u, char *buf, size_t n, size_t *got, perc_error *err);
uint64_t utf16_place(const struct utf16 *u); /* bytes of UTF-16 so far */
void utf16_close(struct utf16 *u);           /* NULL is fine */

#endif
