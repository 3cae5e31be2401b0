/* word.h -- numbers for people: enough digits to judge by, no more.
 *
 * Each function writes into the caller's buffer and returns it, so that several
 * can stand in one call of out_fmt, each with its own buffer. Exact numbers, for
 * machines, are out_num. */
#ifndef PERC_SHOW_WORD_H
#define PERC_SHOW_WORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WORD = 48 };

const char *word_count(char buf[WORD], uint64_t n); /* 12,345,678              */
const char *word_int(char buf[WORD], int64_t v);    /* 12345678                */
const char *word_num(char buf[WORD], double v);     /* 6 significant digits    */
const char *word_grouped(char buf[WORD], double v); /* the same, 11,810.9      */
const char *word_seconds(char buf[WORD], double s); /* 0.0123 s, 2 min 5 s     */
const char *word_rate(char buf[WORD], double per_second, const char *unit);
/* 1.2 million rows/s      */
const char *word_percent(char buf[WORD], double part); /* 0.125 -> 12.50 %        */
const char *word_bytes(char buf[WORD], uint64_t n);    /* 165 MB                  */

const char *word_exact(char buf[WORD], double v); /* the shortest that reads back */
/* v with so many digits, at most 17, rounded so that it is not below v, or not above it. */
const char *word_rounded(char buf[WORD], double v, int digits, bool up);
const char *word_plural(uint64_t n); /* "s", or "" for one */
/* The name of a file, with a readable one for "-". */
const char *word_input(const char *path);
const char *word_output(const char *path);

/* A copy of s, cut at a character and ended with dots if it does not fit. */
const char *word_cut(char *buf, size_t size, const char *s);

/* The name that is probably meant by `word` (base/spelling.h). */
enum { WORD_NEAR = 48 };
bool word_nearest(const char *word, const char *(*next)(void *ud, size_t i), void *ud,
                  char near[WORD_NEAR]);
/* " (did you mean rate?)" among "rate|rho", or "". */
enum { WORD_HINT = WORD_NEAR + 24 };
const char *word_nearest_choice(const char *word, const char *choices, char buf[WORD_HINT]);

/* The parts of an option that is a list (base/list.h: those with commas in quotes), as texts in
 * buf. How many there are; 0: it is no list, has more than `most`, or does not fit. */
size_t word_parts(const char *list, char *buf, size_t size, const char **part, size_t most);

/* The greatest common divisor, for fractions in lowest terms. */
uint64_t word_gcd(uint64_t a, uint64_t b);

/* The number that a text spells, whatever the locale; NaN if none. */
double word_value(const char *text);

/* Texts of the input (labels, names, paths) on their way into a line. One that could end the line,
 * steer a terminal or be taken for something else is quoted as a string of JSON: when it is empty,
 * begins with a quote, begins or ends with a blank, has a control character (utf8_is_control) or
 * bytes that are not UTF-8 (byte B as \udcB), and in a field also when it has a blank. All others
 * stay as they are, to the byte. */
enum word_place { WORD_LINE, WORD_FIELD }; /* alone at the end of a line; or one of several */
bool word_is_plain(const char *s, enum word_place place);
/* s itself, or its quoted form in buf, cut if it does not fit. */
enum { WORD_QUOTED = 512 };
const char *word_quoted(char buf[WORD_QUOTED], const char *s, enum word_place place);
/* The quoted form, always. */
const char *word_quote(char *buf, size_t size, const char *s);
/* A sentence in which such texts may stand: controls, and bytes that are not UTF-8, become escapes,
 * without quotes. Writes what fits; returns the rest. */
const char *word_visible(char *buf, size_t size, const char *s);

/* Columns that s takes on a terminal: its UTF-8 code points. */
size_t word_width(const char *s);
/* The number of bytes of the first character in n bytes; 0: not UTF-8, or one that could control a
 * terminal. */
size_t word_char(const char *s, size_t n);

#endif
