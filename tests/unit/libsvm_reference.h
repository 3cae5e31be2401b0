/* libsvm_reference.h -- a second reader of LIBSVM text, slow and plain, and a writer
 * of random files for it.
 *
 * The reader splits lines, cuts comments, splits at blanks and hands each number to
 * strtod, so that it shares nothing with src/data/libsvm.c but the format:
 *
 *     line  = [label] [qid:N] {index:value} [# comment]
 */
#ifndef PERC_TEST_LIBSVM_REFERENCE_H
#define PERC_TEST_LIBSVM_REFERENCE_H

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/libsvm.h"
#include "vec/rng.h"

enum { REF_LABEL = 160 }; /* more than any token of the drafts below */

struct ref_row {
    char label[REF_LABEL]; /* as the file writes it; "" : none */
    int64_t line;          /* from 1 */
    size_t first, n;       /* entries */
};

struct ref {
    struct ref_row *row;
    unsigned long *index;
    double *value;
    size_t rows, entries;
    int64_t lines;    /* counting an unfinished last one         */
    int64_t bad_line; /* the first wrong one, from 1; 0: no error */
    bool zero_index;
};

static inline void ref_free(struct ref *f)
{
    free(f->row);
    free(f->index);
    free(f->value);
}

/* ----- reading ------------------------------------------------------------------- */

/* [+-] digits [. digits] [e [+-] digits], the whole token, digits on one side of the
 * point at least. */
static inline bool ref_is_number(const char *s)
{
    size_t digits = 0;

    if (*s == '+' || *s == '-') s++;
    for (; isdigit((unsigned char)*s); s++) digits++;
    if (*s == '.')
        for (s++; isdigit((unsigned char)*s); s++) digits++;
    if (digits == 0) return false;
    if (*s == 'e' || *s == 'E') {
        s += s[1] == '+' || s[1] == '-' ? 2 : 1;
        if (!isdigit((unsigned char)*s)) return false;
        while (isdigit((unsigned char)*s)) s++;
    }
    return *s == '\0';
}

static inline bool ref_pair(struct ref *f, struct ref_row *row, const struct libsvm *o,
                            const char *token)
{
    char *end;
    const size_t from = row->first;

    if (!isdigit((unsigned char)token[0])) return false;
    const unsigned long index = strtoul(token, &end, 10); /* ULONG_MAX beyond its range */
    if (*end != ':' || index > UINT32_MAX || !ref_is_number(end + 1)) return false;
    const double value = strtod(end + 1, NULL);
    if (!isfinite(value) || (o->float32 && fabs(value) > FLT_MAX)) return false;
    if (index == 0) {
        f->zero_index = true;
        if (o->base == INDEX_ONE) return false;
    }
    size_t k = f->entries; /* its place among the row's entries */
    while (k > from && f->index[k - 1] > index) k--;
    if (k > from && f->index[k - 1] == index) return false;
    if (k < f->entries && !o->unsorted) return false;
    memmove(f->index + k + 1, f->index + k, (f->entries - k) * sizeof *f->index);
    memmove(f->value + k + 1, f->value + k, (f->entries - k) * sizeof *f->value);
    f->index[k] = index;
    f->value[k] = value;
    f->entries++;
    row->n++;
    return true;
}

/* nan, inf and infinity, alone or before a sign of punctuation: "nancy" is a word. */
static inline bool ref_is_nan(const char *s)
{
    static const char *const names[] = { "nan", "inf", "infinity" };

    if (*s == '+' || *s == '-') s++;
    for (int i = 0; i < 3; i++) {
        const size_t n = strlen(names[i]);
        size_t k = 0;
        while (k < n && tolower((unsigned char)s[k]) == names[i][k]) k++;
        if (k == n && !isalnum((unsigned char)s[n]) && s[n] != '_') return true;
    }
    return false;
}

/* A label, or a pair where rows without labels are allowed. */
static inline bool ref_first(struct ref_row *row, const struct libsvm *o, const char *token,
                             bool *is_label)
{
    *is_label = strchr(token, ':') == NULL;
    if (!*is_label) return o->for_model;
    if (ref_is_nan(token) || (ref_is_number(token) && !isfinite(strtod(token, NULL)))) return false;
    snprintf(row->label, sizeof row->label, "%s", token);
    return true;
}

/* One line, its end and comment cut off, as a NUL-terminated copy. */
static inline bool ref_line(struct ref *f, const struct libsvm *o, char *line)
{
    struct ref_row row = { .line = f->lines, .first = f->entries };
    int tokens = 0;
    bool is_label = false;

    for (char *s = line + strspn(line, " \t"); *s != '\0'; tokens++) {
        const size_t len = strcspn(s, " \t");
        char *next = s + len + strspn(s + len, " \t");
        s[len] = '\0';
        if (strchr(s, '\r') != NULL) return false;
        if (tokens == 0 && !ref_first(&row, o, s, &is_label)) return false;
        if (tokens == is_label && strncmp(s, "qid:", 4) == 0) { /* passed over, once */
        } else if (tokens >= is_label && !ref_pair(f, &row, o, s)) return false;
        s = next;
    }
    if (tokens > 0) f->row[f->rows++] = row;
    return true;
}

static inline void ref_parse(struct ref *f, const struct libsvm *o, const char *text, size_t len)
{
    char *copy = malloc(len + 1);
    size_t lines = 1;

    for (size_t i = 0; i < len; i++) lines += text[i] == '\n';
    *f = (struct ref){ .row = malloc(lines * sizeof *f->row),
                       .index = malloc((len / 4 + 1) * sizeof *f->index), /* "1:1 " */
                       .value = malloc((len / 4 + 1) * sizeof *f->value) };
    if (copy == NULL || f->row == NULL || f->index == NULL || f->value == NULL) abort();
    for (size_t at = 0; at < len && f->bad_line == 0;) {
        const char *newline = memchr(text + at, '\n', len - at);
        const size_t all = newline != NULL ? (size_t)(newline - text) - at : len - at;
        const char *hash = memchr(text + at, '#', all);
        size_t n = hash != NULL ? (size_t)(hash - text) - at : all;
        if (hash == NULL && n > 0 && text[at + n - 1] == '\r') n--;
        memcpy(copy, text + at, n);
        copy[n] = '\0';
        f->lines++;
        if (strlen(copy) < n || !ref_line(f, o, copy)) f->bad_line = f->lines; /* a NUL, or worse */
        at += all + 1;
    }
    free(copy);
}

/* ----- writing --------------------------------------------------------------------- */

/* Text with room for what is still to come. */
struct draft {
    char *s;
    size_t len, room;
    struct rng r;
};

static inline bool draft_chance(struct draft *d, unsigned one_in)
{
    return rng_below(&d->r, one_in) == 0;
}

static inline void draft_put(struct draft *d, const char *s)
{
    const size_t n = strlen(s);

    if (n <= d->room - d->len) {
        memcpy(d->s + d->len, s, n);
        d->len += n;
    }
}

static inline void draft_digits(struct draft *d, unsigned n)
{
    for (; n > 0; n--) draft_put(d, (const char[]){ (char)('0' + rng_below(&d->r, 10)), '\0' });
}

static inline void draft_pick(struct draft *d, const char *const *from, size_t n)
{
    draft_put(d, from[rng_below(&d->r, n)]);
}

#define DRAFT_PICK(d, from) draft_pick(d, from, sizeof(from) / sizeof *(from))

static inline void draft_value(struct draft *d)
{
    static const char *const odd[] = { "0",
                                       "-0",
                                       "0.0",
                                       "-0.000",
                                       "1",
                                       "-1",
                                       "+1",
                                       ".5",
                                       "5.",
                                       "-.25",
                                       "+7.",
                                       "1e0",
                                       "-0e0",
                                       "1E5",
                                       "2.5e-3",
                                       "-1e+10",
                                       "007.50",
                                       "1e-400",
                                       "-1e-400",
                                       "4.9e-324",
                                       "2.4703282292062328e-324",
                                       "1.7976931348623157e308",
                                       "9007199254740993",
                                       "16777215",
                                       "16777216",
                                       "1677721.5",
                                       "255",
                                       "256",
                                       "0.1",
                                       "9999999.99999999",
                                       "99999999.99999999",
                                       "0.30000000000000004",
                                       "179769313486231570000000000000000000000",
                                       "1.00000011920928955078125",
                                       "65504",
                                       "3.5e38" };

    if (draft_chance(d, 4)) {
        DRAFT_PICK(d, odd);
        return;
    }
    if (draft_chance(d, 3)) draft_put(d, draft_chance(d, 6) ? "+" : "-");
    draft_digits(d, 1 + (unsigned)rng_below(&d->r, draft_chance(d, 20) ? 30 : 8));
    if (draft_chance(d, 2)) {
        draft_put(d, ".");
        draft_digits(d, (unsigned)rng_below(&d->r, draft_chance(d, 20) ? 40 : 10));
    }
    if (draft_chance(d, 12)) {
        static const char *const marks[] = { "e", "E", "e+", "e-", "E-" };
        DRAFT_PICK(d, marks);
        draft_digits(d, 1 + (unsigned)rng_below(&d->r, 2));
    }
}

static inline void draft_blank(struct draft *d)
{
    static const char *const blanks[] = { "  ", "\t", " \t ", "     ", "\t\t" };

    if (draft_chance(d, 8)) DRAFT_PICK(d, blanks);
    else draft_put(d, " ");
}

/* A row. disorder: its indices come in any order. */
static inline void draft_row(struct draft *d, const struct libsvm *o)
{
    static const char *const labels[] = {
        "+1",   "-1",   "1",   "0",   "1.0",
        "-1.5", "spam", "ham", "2e0", "a-word-of-more-than-eight-letters",
        "10",   "nancy"
    };
    unsigned long index[64], next = o->base != INDEX_ONE && draft_chance(d, 3) ? 0 : 1;
    const size_t n = draft_chance(d, 8) ? 0 : (size_t)rng_below(&d->r, 40);
    char text[32];

    if (!o->for_model || (n > 0 && draft_chance(d, 2))) DRAFT_PICK(d, labels);
    else if (n == 0) draft_put(d, "1");
    if (draft_chance(d, 6)) draft_put(d, " qid:17");
    for (size_t k = 0; k < n; k++) {
        next += rng_below(&d->r, draft_chance(d, 30) ? 90000000 : 30);
        index[k] = next++;
    }
    for (size_t k = n; o->unsorted && k > 1; k--) { /* shuffled */
        const size_t j = (size_t)rng_below(&d->r, k);
        const unsigned long t = index[k - 1];
        index[k - 1] = index[j];
        index[j] = t;
    }
    for (size_t k = 0; k < n; k++) {
        draft_blank(d);
        snprintf(text, sizeof text, draft_chance(d, 40) ? "%010lu:" : "%lu:", index[k]);
        draft_put(d, text);
        draft_value(d);
    }
}

/* A good file of some lines, of every harmless kind. */
static inline void draft_file(struct draft *d, const struct libsvm *o, size_t lines)
{
    static const char *const empty[] = { "", "   ", "\t", "# only a comment 1:2", "  # 3", "#" };
    static const char *const tails[] = {
        "", "", "", " ", "\t ", " # said 5:6", "#x", "  #", " #\r"
    };

    d->len = 0;
    for (size_t i = 0; i < lines; i++) {
        if (draft_chance(d, 8)) draft_put(d, "  ");
        if (draft_chance(d, 6)) DRAFT_PICK(d, empty);
        else draft_row(d, o);
        if (draft_chance(d, 4)) DRAFT_PICK(d, tails);
        if (i + 1 < lines || draft_chance(d, 2)) draft_put(d, draft_chance(d, 4) ? "\r\n" : "\n");
    }
}

#endif
