/* out.h -- where a result goes: lines or one JSON document, to a file or to
 * standard output.
 *
 * Results pass through one buffer and reach the system in large pieces. A
 * failure (memory, a full disk, a closed pipe) is remembered, later calls do
 * nothing, and out_close reports it: a writer checks once, at the end. A regular
 * file appears whole when it is closed, or not at all. */
#ifndef PERC_SHOW_OUT_H
#define PERC_SHOW_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perceptron.h"
#include "show/word.h"

struct out;

/* "-" is standard output. NULL: a text that stays in memory, for out_kept. */
perc_status out_open(const perc_env *env, const char *path, struct out **o, perc_error *err);
bool out_broken(const struct out *o); /* true after a failed write */
void out_fail_memory(struct out *o);  /* out of memory while composing the output */
/* Passes on what is buffered, for output that a person is waiting for. */
void out_flush(struct out *o);
/* What was printed so far, if out_open got NULL; "" when out of memory. */
const char *out_kept(const struct out *o);
/* Writes the rest, puts the file in place and frees `o` (NULL: nothing to do). */
perc_status out_close(struct out *o, perc_error *err);
/* Frees `o` and leaves no file behind. What went to standard output stays there. */
void out_abort(struct out *o);

/* ----- text ------------------------------------------------------------- */

void out_text(struct out *o, const char *s);
void out_bytes(struct out *o, const char *s, size_t n);
void out_fmt(struct out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void out_num(struct out *o, double v);                    /* the shortest text that reads back */
void out_num_after(struct out *o, char before, double v); /* the same, behind a character */
/* A text of the input, as word.h has it: itself, or quoted. And a line of words in which such texts
 * may stand, without its end: controls become escapes. */
void out_word(struct out *o, const char *s, enum word_place place);
void out_visible(struct out *o, const char *s);
/* A cell of a CSV table: in quotes where RFC 4180 asks for them, after those of out_word. */
void out_csv(struct out *o, const char *s);
/* A cell of a table with this delimiter, to the byte: in quotes where RFC 4180 asks for them, and
 * where blanks at its ends would not be read as part of it. On a terminal tamed (base/utf8.h). */
void out_cell(struct out *o, const char *s, char delimiter);

/* ----- JSON: commas and escapes are made here --------------------------- */

/* From now on texts are there to the byte: one, B, that is no character is \udcB, as in a quoted
 * label, and not U+FFFD. */
void out_exact(struct out *o);
void out_begin(struct out *o, char bracket); /* '{' or '[' */
void out_end(struct out *o, char bracket);   /* '}' or ']' */
void out_line(struct out *o);                /* ends the line of a document; another may follow */
void out_key(struct out *o, const char *key);
void out_string(struct out *o, const char *s);
void out_real(struct out *o, double v); /* null unless finite */
void out_int(struct out *o, int64_t v);
void out_bool(struct out *o, bool v);
void out_null(struct out *o);
void out_reals(struct out *o, const double *v, uint64_t n, size_t stride); /* a list */
/* A key and its value in one call. */
void out_key_string(struct out *o, const char *key, const char *s);
void out_key_real(struct out *o, const char *key, double v);
void out_key_int(struct out *o, const char *key, int64_t v);
void out_key_bool(struct out *o, const char *key, bool v);

#endif
