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
 * given is copied. Running out of memory is remembered, and makes the output fail that the
 * document is printed to: a command checks that alone. */
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
    struct facts_memory *memory; /* memory of the facts and their texts, the newest piece first */
    struct facts_children top;
    struct fact *open; /* what the next fact is a child of; NULL: of the document */
    struct fact *last; /* the fact made last: facts_say is about it */
    int section, sections;
    enum facts_readers readers;
    size_t skipped; /* open objects, lists and tables that are not for them */
    bool broken;    /* out of memory */
};

/* A document that is printed in one way keeps only the facts that are for its readers. */
void facts_init(struct facts *f, const perc_env *env, enum facts_readers readers);
void facts_clear(struct facts *f); /* forgets all facts, to be filled again */
void facts_free(struct facts *f);
void facts_fail(struct facts *f); /* out of memory in what should be said */

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
void facts_null(struct facts *f, const char *key); /* for programs: also a string that is NULL */
/* A count, or null, "-" in a table, where it is not known. */
void facts_count_if(struct facts *f, const char *key, const char *words, bool known, uint64_t n);

/* The fact made last, in other words than its value; facts_more adds to them. */
void facts_say(struct facts *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void facts_more(struct facts *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A fact for people alone. */
void facts_line(struct facts *f, const char *words, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* A paragraph for people, printed as it is, line ends and all, among the tables. */
void facts_prose(struct facts *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A paragraph of one line: the words up to NULL. Without a format: for a line for every row. */
void facts_sentence(struct facts *f, ...) __attribute__((sentinel));

/* ----- children, up to facts_end ------------------------------------------------ */

/* For people an object is a line if it has words and facts_say, followed by its children. */
void facts_object(struct facts *f, const char *key, const char *words);
/* An array; for people likewise. */
void facts_list(struct facts *f, const char *key, const char *words);
/* An array, each element a row: an object or list whose worded children are its cells, under
 * their words. "" is a table without a caption. Words that are "" in every column are no heads. */
void facts_table(struct facts *f, const char *key, const char *caption);
void facts_row(struct facts *f); /* an object in a list or a table */
void facts_end(struct facts *f);

/* Children of the open fact, n of them for programs and the first `shown` for people, each filled
 * when it is printed and forgotten after that. `ud` lives until then. */
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
