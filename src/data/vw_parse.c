/* vw_parse.c -- Vowpal Wabbit's text to rows. See vw.h.
 *
 *     [label [importance [base]]] ['tag]|namespace[:scale] feature[:value] ... |namespace ...
 *
 * Blanks and tabs separate. What touches the first bar is a tag, and so is what begins with a
 * quote; a namespace touches its bar, and a name after "| " is a feature of the default one.
 *
 * Products with a scale and sums of a feature that occurs twice are made of the decimals, and
 * rounded once, where the result has 19 digits at most; else doubles are multiplied, or added in
 * the order of the line. A proof takes the former alone.
 *
 * Refused, with the place: labels of other problems (costs, probabilities, several labels), a base
 * other than 0, which no rule here knows; and what Vowpal Wabbit numbers itself, features without a
 * name.
 *
 * A chunk numbers its own features, and csv_merge gives them those of the file; a model's are
 * looked up, and with hashing the name says which bucket. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "data/bag.h"
#include "data/csv_cell.h"
#include "data/vw.h"

enum { FEATURES = 1 }; /* the column of them */

struct value {
    struct decimal d;
    double v;
    bool rounded; /* v is not d: that is not known */
};

struct vw_parser {
    const struct csv *c;
    struct rows *r;
    struct schema *local;
    perc_error *err;
    const char *line, *end; /* the line at hand, without its end */
    int64_t lines;          /* before it */
    struct text name;       /* of a feature, after the `prefix` bytes of its namespace */
    size_t prefix;
    struct value scale;
    struct hash64 column;
    struct value *value; /* of the row's entries, in the order of the line */
    size_t n, cap;
    struct bag bag; /* feature << 32 | entry */
};

static perc_status vw_fail(const struct vw_parser *p, const char *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static perc_status vw_fail(const struct vw_parser *p, const char *at, const char *fmt, ...)
{
    char text[200];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return fail_at(p->err, PERC_EDATA, p->lines + 1, at - p->line + 1, "%s", text);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static const char *skip_blanks(const char *s, const char *end)
{
    while (s < end && is_blank(*s)) s++;
    return s;
}

/* ----- numbers ------------------------------------------------------------------------ */

static const uint64_t limit = UINT64_C(10000000000000000000); /* 10^19 */

/* m = m * 10^n, if it stays below the limit. */
static bool shift_digits(uint64_t *m, int64_t n)
{
    for (; n > 0 && *m > 0; n--) {
        if (*m >= limit / 10) return false;
        *m *= 10;
    }
    return true;
}

static struct value make_value(uint64_t mantissa, int64_t exponent, bool negative)
{
    struct value x = {
        .d = { .mantissa = mantissa, .exponent = mantissa > 0 ? exponent : 0, .negative = negative }
    };

    x.v = number_decimal_value(&x.d);
    return x;
}

static struct value times(const struct value *a, const struct value *b)
{
    const uint64_t m = a->d.mantissa, n = b->d.mantissa;
    const bool exact = !a->rounded && !b->rounded && !a->d.more && !b->d.more &&
                       (n == 0 || m < limit / n);

    if (!exact) return (struct value){ .v = a->v * b->v, .rounded = true };
    return make_value(m * n, a->d.exponent + b->d.exponent, a->d.negative != b->d.negative);
}

static struct value plus(const struct value *a, const struct value *b)
{
    const int64_t e = a->d.exponent < b->d.exponent ? a->d.exponent : b->d.exponent;
    uint64_t m = a->d.mantissa, n = b->d.mantissa;
    const bool exact = !a->rounded && !b->rounded && !a->d.more && !b->d.more &&
                       shift_digits(&m, a->d.exponent - e) && shift_digits(&n, b->d.exponent - e);

    if (!exact || (a->d.negative == b->d.negative && m >= limit - n))
        return (struct value){ .v = a->v + b->v, .rounded = true };
    if (a->d.negative == b->d.negative) return make_value(m + n, e, a->d.negative);
    return m >= n ? make_value(m - n, e, m > n && a->d.negative)
                  : make_value(n - m, e, b->d.negative);
}

/* The number that is all of s. */
static perc_status read_number(struct vw_parser *p, const char *s, const char *end,
                               struct value *out)
{
    enum number_fault fault;
    char shown[CELL_BUFFER];

    *out = (struct value){ .rounded = false };
    const char *q = number_scan_decimal(s, end, &out->d, &fault);
    if (fault == NUMBER_OK && q != end)
        return vw_fail(p, q, "'%s' is not a number: '%c' is out of place (write it as 0.5 or 1e-3)",
                       csv_cell_show(s, (size_t)(end - s), shown),
                       *q >= ' ' && *q < 127 ? *q : '?');
    if (fault == NUMBER_OK) out->v = number_decimal_value(&out->d);
    if (fabs(out->v) > (p->c->float32 ? FLT_MAX : DBL_MAX)) fault = NUMBER_OVERFLOW;
    else if (fault == NUMBER_OK && p->r->exact && !number_decimal_is_complete(&out->d))
        fault = NUMBER_LONG;
    if (fault == NUMBER_OK) return PERC_OK;
    return vw_fail(p, s, "'%s': %s", csv_cell_show(s, (size_t)(end - s), shown),
                   number_fault_text(fault));
}

/* ----- features ------------------------------------------------------------------------ */

/* Puts the feature that p->name names. */
static perc_status put_feature(struct vw_parser *p, const struct value *x)
{
    const struct csv *c = p->c;
    const unsigned bits = c->schema.hash_bits;
    uint32_t feature;

    if (p->name.oom) return fail_memory(p->err);
    if (bits > 0) {
        const uint64_t h = hashing_word(&p->column, p->name.s, p->name.len);
        if (p->r->seen.bits > 0 && !hashing_buckets_add(&p->r->seen, h)) return fail_memory(p->err);
        feature = hashing_bucket(h, bits);
    } else if (!c->fixed) {
        if (schema_add(p->local, FEATURES, p->name.s, p->name.len, &feature))
            return fail_memory(p->err);
    } else if ((feature = schema_find(&c->schema, FEATURES, p->name.s, p->name.len)) ==
               UINT32_MAX) {
        p->r->unknown++;
        return PERC_OK;
    }
    if (!MEM_GROW(&p->r->e, p->value, &p->cap, p->n + 1) ||
        !bag_put(&p->bag, (uint64_t)feature << 32 | p->n))
        return fail_memory(p->err);
    p->value[p->n++] = *x;
    return PERC_OK;
}

/* Whether a value is meant as a number. */
static bool is_numeric(const char *s, const char *end)
{
    enum number_fault fault;
    double v;

    if ((*s >= '0' && *s <= '9') || memchr("+-.", *s, 3) != NULL) return true;
    number_scan(s, end, &v, &fault);
    return fault == NUMBER_NAN;
}

/* NAME, NAME:NUMBER, NAME:WORD */
static perc_status read_feature(struct vw_parser *p, const char *s, const char *end)
{
    const char *colon = memchr(s, ':', (size_t)(end - s)), *stop = colon != NULL ? colon : end;
    struct value x = make_value(1, 0, false);
    char shown[CELL_BUFFER];
    perc_status st;

    if (stop == s)
        return vw_fail(p, s, "'%s' is a value without a feature (write a name before the colon)",
                       csv_cell_show(s, (size_t)(end - s), shown));
    if (colon != NULL && colon + 1 == end)
        return vw_fail(p, colon, "the value of '%s' is missing (leave the colon out, and it is 1)",
                       csv_cell_show(s, (size_t)(stop - s), shown));
    p->name.len = p->prefix;
    text_add(&p->name, s, (size_t)(stop - s));
    if (colon != NULL && is_numeric(colon + 1, end)) {
        if ((st = read_number(p, colon + 1, end, &x))) return st;
    } else if (colon != NULL) {
        if (memchr(colon + 1, ':', (size_t)(end - colon - 1)) != NULL)
            return vw_fail(p, s, "'%s' has two colons (names cannot have any)",
                           csv_cell_show(s, (size_t)(end - s), shown));
        text_char(&p->name, '^');
        text_add(&p->name, colon + 1, (size_t)(end - colon - 1));
    }
    if (p->scale.v != 1) x = times(&x, &p->scale);
    if (p->r->exact && x.rounded)
        return vw_fail(p, s, "'%s' has too many digits, times its scale, for a proof (round it)",
                       csv_cell_show(s, (size_t)(end - s), shown));
    if (!(fabs(x.v) <= (p->c->float32 ? FLT_MAX : DBL_MAX)))
        return vw_fail(p, s, "'%s' is too large, times its scale (rescale it)",
                       csv_cell_show(s, (size_t)(end - s), shown));
    return put_feature(p, &x);
}

/* What touches a bar: a name, or :SCALE, or both. */
static perc_status read_namespace(struct vw_parser *p, const char *s, const char *end)
{
    const char *colon = memchr(s, ':', (size_t)(end - s)), *stop = colon != NULL ? colon : end;

    p->name.len = 0;
    text_add(&p->name, s, (size_t)(stop - s));
    if (stop > s) text_char(&p->name, '^');
    p->prefix = p->name.len;
    p->scale = make_value(1, 0, false);
    return colon != NULL ? read_number(p, colon + 1, end, &p->scale) : PERC_OK;
}

/* All from the first bar on. */
static perc_status read_features(struct vw_parser *p, const char *s)
{
    const char *q;
    perc_status st;

    for (; s < p->end; s = q) {
        const bool bar = *s == '|';
        s += bar;
        if (!bar && is_blank(*s)) {
            q = s + 1;
            continue;
        }
        for (q = s; q < p->end && !is_blank(*q) && *q != '|'; q++) continue;
        if ((st = bar ? read_namespace(p, s, q) : read_feature(p, s, q))) return st;
    }
    return PERC_OK;
}

/* ----- rows ----------------------------------------------------------------------------- */

/* Puts the entries into the row, in the order of features, each once. */
static perc_status put_entries(struct vw_parser *p)
{
    struct rows *r = p->r;
    const uint64_t *key;
    size_t end;

    if (!bag_sort(&p->bag) || !rows_reserve(r, 1, p->bag.n)) return fail_memory(p->err);
    key = p->bag.key;
    for (size_t i = 0; i < p->bag.n; i = end) {
        struct value x = p->value[(uint32_t)key[i]];
        for (end = i + 1; end < p->bag.n && key[end] >> 32 == key[i] >> 32; end++)
            x = plus(&x, &p->value[(uint32_t)key[end]]);
        if (!(fabs(x.v) <= (p->c->float32 ? FLT_MAX : DBL_MAX)) || (x.rounded && r->exact))
            return vw_fail(p, p->line,
                           x.rounded && r->exact
                               ? "the values of a feature have too many digits to be added up for "
                                 "a proof (round them)"
                               : "the values of a feature are too large to be added up (rescale "
                                 "them)");
        if (x.rounded) rows_unpack(r); /* packed numbers are exact */
        if (x.rounded) rows_put(r, (uint32_t)(key[i] >> 32), x.v);
        else rows_put_number(r, (uint32_t)(key[i] >> 32), &x.d, x.v);
    }
    return PERC_OK;
}

struct before_bar { /* the words before the first bar */
    const char *word[4], *end[4];
    size_t words;
    const char *tag, *tag_end; /* NULL: none */
};

static perc_status read_before_bar(struct vw_parser *p, const char *bar, struct before_bar *b)
{
    const char *q;
    char shown[CELL_BUFFER];

    *b = (struct before_bar){ .words = 0 };
    for (const char *s = skip_blanks(p->line, bar); s < bar; s = skip_blanks(q, bar)) {
        for (q = s; q < bar && !is_blank(*q); q++) continue;
        if (b->tag == NULL && (q == bar || *s == '\'') && skip_blanks(q, bar) == bar) {
            b->tag = s + (*s == '\'');
            b->tag_end = q;
            continue;
        }
        if (memchr(s, ':', (size_t)(q - s)) != NULL || memchr(s, ',', (size_t)(q - s)) != NULL)
            return vw_fail(p, s,
                           "'%s' is a label with costs or probabilities, or several labels (one "
                           "label is needed, without colons and commas)",
                           csv_cell_show(s, (size_t)(q - s), shown));
        if (b->words == 3)
            return vw_fail(p, s, "'%s': only label, importance, base and 'tag stand before the bar",
                           csv_cell_show(s, (size_t)(q - s), shown));
        b->word[b->words] = s;
        b->end[b->words++] = q;
    }
    return PERC_OK;
}

/* The label's number and the weight. */
static perc_status read_label(struct vw_parser *p, const struct before_bar *b, uint32_t *label,
                              double *weight)
{
    char shown[CELL_BUFFER];
    struct value x;
    perc_status st;

    *label = LABEL_NONE;
    *weight = 1;
    if (b->words == 0 && !p->c->fixed && b->tag != NULL && b->tag_end > b->tag)
        return vw_fail(p, p->line,
                       "the label is missing: '%s' is a tag, since it touches the bar or has a "
                       "quote (write a label before it, or a blank behind it)",
                       csv_cell_show(b->tag, (size_t)(b->tag_end - b->tag), shown));
    if (b->words == 0)
        return p->c->fixed
                   ? PERC_OK
                   : vw_fail(p, p->line, "the label is missing (write the class before the bar)");
    st = labels_add(&p->r->labels, b->word[0], (size_t)(b->end[0] - b->word[0]), label, p->err);
    if (st == PERC_EDATA && p->err != NULL) {
        p->err->line = p->lines + 1;
        p->err->column = b->word[0] - p->line + 1;
    }
    if (st || b->words < 2) return st;
    if ((st = read_number(p, b->word[1], b->end[1], &x))) return st;
    if (x.v < 0)
        return vw_fail(p, b->word[1], "'%s' is a negative importance (0 or more is needed)",
                       csv_cell_show(b->word[1], (size_t)(b->end[1] - b->word[1]), shown));
    *weight = x.v;
    if (b->words < 3) return PERC_OK;
    if ((st = read_number(p, b->word[2], b->end[2], &x)) || x.v == 0) return st;
    return vw_fail(p, b->word[2],
                   "'%s' is a base, which no rule here can begin with (leave it out)",
                   csv_cell_show(b->word[2], (size_t)(b->end[2] - b->word[2]), shown));
}

static perc_status read_example(struct vw_parser *p)
{
    struct rows *r = p->r;
    const size_t n = (size_t)(p->end - p->line);
    const char *bar = memchr(p->line, '|', n), *nul = memchr(p->line, '\0', n);
    const char *mark = memchr(p->line, '\r', n);
    struct before_bar b;
    uint32_t label;
    double weight;
    perc_status st;

    if (nul != NULL) return vw_fail(p, nul, "a NUL byte (is this a text file?)");
    if (mark != NULL)
        return vw_fail(p, mark, "a carriage return inside a line; lines must end in LF or CR LF");
    if (bar == NULL)
        return vw_fail(p, p->line, "no bar: features stand behind one (as in: 1 |ns a:2 b)");
    p->n = p->bag.n = 0;
    if (!rows_reserve(r, 1, 0)) return fail_memory(p->err);
    if ((st = read_before_bar(p, bar, &b)) || (st = read_label(p, &b, &label, &weight)) ||
        (st = read_features(p, bar)) || (st = put_entries(p)))
        return st;
    if (p->c->carry.n > 0 && !carry_put(&r->carried, &r->e, 1, r->n, 0, b.tag != NULL ? b.tag : "",
                                        b.tag != NULL ? (size_t)(b.tag_end - b.tag) : 0))
        return fail_memory(p->err);
    rows_end(r, label, weight, (uint32_t)p->lines);
    return PERC_OK;
}

perc_status vw_parse(const struct csv *c, const char *text, size_t len, struct rows *r,
                     struct csv_chunk *local, perc_error *err)
{
    struct vw_parser p = { .c = c, .r = r, .local = &local->local, .err = err };
    const char *s = text, *const end = text + len;
    perc_status st = PERC_OK;

    text_init(&p.name, &r->e);
    bag_init(&p.bag, &r->e);
    p.column = hashing_column("", 0);
    if (p.local->e.alloc == NULL) schema_init(p.local, &r->e);
    schema_truncate(p.local, 0);
    hashing_buckets_free(&r->seen);
    if (!c->fixed) r->seen.bits = c->schema.hash_bits;
    for (; s < end && !st; p.lines++) {
        const char *stop = memchr(s, '\n', (size_t)(end - s));
        p.line = s;
        p.end = stop != NULL ? stop : end;
        s = stop != NULL ? stop + 1 : end;
        if (p.end > p.line && p.end[-1] == '\r') p.end--;
        if (skip_blanks(p.line, p.end) < p.end) st = read_example(&p);
    }
    r->lines = p.lines;
    bag_free(&p.bag);
    text_free(&p.name);
    mem_free(&r->e, p.value, p.cap, sizeof *p.value);
    return st;
}
