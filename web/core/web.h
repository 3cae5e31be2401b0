/* web.h -- the library as a page sees it: functions of numbers, texts and pointers.
 *
 * A page cannot read a C struct, so structures are passed as JSON text, and long lists of
 * numbers as arrays in the module's memory. The page keeps pointers as handles and frees
 * what it made. A text that is returned lasts until the next call that returns one.
 *
 * A function that fails answers NULL, or a status that is not 0; web_error() then says why.
 * Only include/perceptron.h is used: what the page can do, any program can. */
#ifndef PERC_WEB_H
#define PERC_WEB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perceptron.h"

#ifdef __wasm__
#define WEB_EXPORT(name) __attribute__((export_name(#name)))
#else
#define WEB_EXPORT(name)
#endif

/* Declares a function that the page can call, and begins its definition. */
#define WEB(type, name, ...)                 \
    WEB_EXPORT(name) type name(__VA_ARGS__); \
    type name(__VA_ARGS__)

/* The error of the last call that failed. */
extern perc_error web_failure;
/* Records that memory ran out; returns NULL, for use in a return statement. */
void *web_no_memory(void);

/* ----- JSON (say.c) -------------------------------------------------------- */

void say_begin(void);         /* a new text */
const char *say_end(void);    /* the text; NULL: out of memory */
void say_open(char bracket);  /* '{' or '[' */
void say_close(char bracket); /* '}' or ']' */
void say_key(const char *name);
void say_text(const char *s); /* NULL: null */
void say_real(double v);      /* all digits; NaN: null; infinite: 1e999 */
void say_int(int64_t v);
void say_bool(bool v);
void say_key_text(const char *name, const char *s);
void say_key_real(const char *name, double v);
void say_key_int(const char *name, int64_t v);
void say_key_bool(const char *name, bool v);

/* A stop as one word: "converged", ...; NULL for none, and for one requested by the page. */
const char *web_stop_word(perc_stop stop);
/* The members of a report, as `"report": {...}`. */
void web_say_report(const perc_report *r);

#endif
