/* facts.h -- what a command has found out: filled once, printed as text, as JSON and as HTML.
 *
 * A document of facts is a tree. A fact has a key, by which programs know it; words, by which
 * people do; a value; and children, if it is an object, a list or a table:
 *
 *     struct facts f;
 *
 *     facts_init(&f, env, FACTS_ALL);
 *     facts_count(&f, "rows", "rows", 12345);
 *     facts_percent(&f, "error", "error", 0.125);
 *     facts_say(&f, "%s of the rows with a margin <= 0", word_percent(buf, 0.125));
 *     facts_json(&f, o);      {"rows":12345,"error":0.125}
 *     facts_text(&f, o);      rows             12,345
 *                             error            12.50 % of the rows with a margin <= 0
 *     facts_free(&f);
 *
 * A fact without a key (NULL) is for people alone, one without words for programs alone; in a list
 * the elements have no keys. Programs get the facts in the order in which they were filled, people
 * section by section, and in each section first the lines, then tables and paragraphs. What is
 * given is copied. Running out of memory is remembered and makes the output fail that
 * the document is printed to, so a command checks only that. */
#ifndef PERC_SHOW_FACTS_H
#define PERC_SHOW_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perceptron.h"
#include "show/out.h"

struct fact;
struct facts_memory;

enum facts_readers { FACTS_ALL, FACTS_PROGRAMS, FACTS_PEOPLE };

struct facts_children {
    struct fact *first, *last;
};

struct facts {
    perc_env env;
    struct facts_memory *memory; /* facts and their texts, the newest piece first */
    struct facts_children top;
    struct fact *open; /* the parent of the next fact; NULL: the document */
    struct fact *last; /* the last fact added, which facts_say is about */
    int section, sections;
    enum facts_readers readers;
    size_t skipped; /* open objects, lists and tables that these readers do not get */
    bool broken;    /* out of memory */
};

/* A document printed in only one way keeps only the facts for its readers. */
void facts_init(struct facts *f, const perc_env *env, enum facts_readers readers);
void facts_clear(struct facts *f); /* forgets all facts, to be filled again */
void facts_free(struct facts *f);
void facts_fail(struct facts *f); /* out of memory while composing a text */

/* ----- values ---------------------------------------------------------------- */

void facts_count(struct facts *f, const char *key, const char *words, uint64_t n); /* 12,345  */
void facts_int(struct facts *f, const char *key, const char *words, int64_t v);    /* 12345   */
void facts_bytes(struct facts *f, const char *key, const char *words, uint64_t n); /* 165 MB  */
void facts_real(struct facts *f, const char *key, const char *words, double v);    /* 0.12345 */
void facts_ratio(struct facts *f, const char *key, const char *words, double v);   /* 0.1230  */
void facts_percent(struct facts *f, const char *key, const char *words, double v); /* 12.50 % */
void facts_seconds(struct facts *f, const char *key, const char *words, double v); /* 1.5 ms  */
void facts_bool(struct facts *f, const char *key, const char *words, bool v);      /* yes     */
void facts_string(struct facts *f, const char *key, const char *words, const char *s);
void facts_null(struct facts *f, const char *key); /* for programs; a NULL string gives one, too */
/* A count, or null if unknown ("-" in a table). */
void facts_count_if(struct facts *f, const char *key, const char *words, bool known, uint64_t n);

/* Replaces the value of the last fact by words; facts_more adds to them. */
void facts_say(struct facts *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void facts_more(struct facts *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A fact for people alone. */
void facts_line(struct facts *f, const char *words, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* A paragraph for people, printed as it is, line ends and all, among the tables. */
void facts_prose(struct facts *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A paragraph of one line: the words up to NULL. Takes no format: cheap enough for every row. */
void facts_sentence(struct facts *f, ...) __attribute__((sentinel));

/* ----- children, up to facts_end ------------------------------------------------ */

/* For people, an object with words and facts_say is a line, followed by its children. */
void facts_object(struct facts *f, const char *key, const char *words);
/* An array; for people as an object is. */
void facts_list(struct facts *f, const char *key, const char *words);
/* An array, each element a row: an object or list whose worded children are its cells, under their
 * words. With "" the table has no caption. If the words of all columns are "", it has no heads. */
void facts_table(struct facts *f, const char *key, const char *caption);
void facts_row(struct facts *f); /* an object in a list or a table */
void facts_end(struct facts *f);

/* n children of the open fact for programs, the first `shown` for people, each filled when it is
 * printed and then forgotten. `ud` must live until then. */
typedef void facts_fill(struct facts *f, const void *ud, uint64_t i);
void facts_each(struct facts *f, uint64_t n, uint64_t shown, facts_fill *fill, const void *ud);

/* The words of what follows belong to this section of the text; 0 at first. */
enum { FACTS_UNTOLD = -1 }; /* a section that is not printed: for programs alone */
void facts_section(struct facts *f, int section);

/* ----- the three ways ------------------------------------------------------------ */

void facts_text(const struct facts *f, struct out *o);
void facts_json(const struct facts *f, struct out *o);    /* one line, one object           */
void facts_members(const struct facts *f, struct out *o); /* its keys, in the open object   */
/* Its keys, then `list`, an array that stays open and whose elements are printed as they come. */
void facts_begin_list(struct facts *f, struct out *o, const char *list);
void facts_html(const struct facts *f, struct out *o); /* a list of definitions; tables  */

#endif
