/* utf8.h -- characters of UTF-8 (RFC 3629) in any bytes. */
#ifndef PERC_UTF8_H
#define PERC_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8_REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD, for bytes that are no character */

/* The length of the first character in the `room` bytes at s, and its code; 0: there is
 * none. For a text that ends with a NUL, room may be SIZE_MAX. */
size_t utf8_decode(const char *s, size_t room, uint32_t *code);
/* Writes the bytes of a valid code; returns how many, 1 to 4. */
size_t utf8_encode(uint32_t code, char out[4]);
/* Whether all of a text is UTF-8. */
bool utf8_valid(const char *s);
/* The most of n bytes, up to `most`, that do not end inside a character. */
size_t utf8_cut(const char *s, size_t n, size_t most);
/* Characters that steer a terminal, end a line, or reorder the text around them: C0, DEL, C1,
 * separators of lines and paragraphs, bidirectional marks, embeddings, overrides, isolates. */
bool utf8_is_control(uint32_t code);
/* The first character of s as it may stand in a line: itself, or where it is a control, a quote
 * or a backslash, its escape in JSON; a byte B that is no character as \udcB. Returns how many
 * bytes of s that took; *len is how many were written. */
enum { UTF8_VISIBLE = 6 };
size_t utf8_visible(const char *s, char out[UTF8_VISIBLE], size_t *len);
/* Data on their way to a terminal, in pieces cut anywhere: what could steer it becomes '?', which
 * is C0 but tabs and line ends, DEL, C1, and bytes that continue nothing. *t is {0} at first. */
struct utf8_tame {
    unsigned char lead, more; /* of a character that has begun: its first byte, bytes to come */
};
void utf8_tame(struct utf8_tame *t, char *s, size_t n);

#endif
