/* list.h -- options that are lists: "a, b,c". A part with a comma, a quote at its beginning, or
 * blanks that count stands in quotes, as in CSV: '"a, b",c'. One reader for all of them. */
#ifndef PERC_LIST_H
#define PERC_LIST_H

#include "base/base.h"

struct list {
    const char *option; /* its name, for messages */
    const char *begin, *p;
    char sign;  /* '=': a part is NAME=VALUE, cut at the last sign of a plain one; or '\0' */
    bool ended; /* no part follows */
    perc_error *err;

    /* The part that was read last. */
    const char *name; /* without quotes and the blanks around; valid until the next one */
    size_t len;
    const char *value; /* after the sign; NULL: there is none */
    size_t value_len;
    int64_t at;        /* where the part begins, from 1 */
    const char *whole; /* all of the part, as typed */
    size_t whole_len;
    bool quoted;
    struct text buffer; /* a name whose doubled quotes were made single */
};

/* `text` is kept by reference. */
void list_begin(struct list *l, const struct env *e, const char *option, const char *text,
                char sign, perc_error *err);
/* *more is false at the end. An empty part is a part; an empty list has none. PERC_EARG, with the
 * place in the option: a quote that is never closed, or text after one. */
perc_status list_next(struct list *l, bool *more);
/* PERC_EARG: "OPTION: character 5: why". */
perc_status list_fail(const struct list *l, const char *why);
void list_end(struct list *l);

#endif
