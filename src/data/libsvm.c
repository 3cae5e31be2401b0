/* libsvm.c -- the LIBSVM/SVMlight text parser.
 *
 *     line  = [label] [qid:N] {index:value} [# comment]
 *
 * Blanks and tabs separate, a line may end in CR LF, blank lines and lines of
 * comment are skipped, a label alone is a row of zeros. Indices increase.
 *
 * Nearly all of a file is pairs such as "1234:0.0123456 ", so one loop reads
 * those (libsvm_pairs.h): it looks at 32 characters at once, and two bit masks
 * tell where the pair ends and whether it has the plain form digits:digits or
 * digits:digits.digits, with or without a minus. Nothing in it branches on the
 * data except the way out. Whatever has another form (exponents, long numbers,
 * errors) goes to slow_pair, which reads a character at a time and knows the
 * place of every fault. The two agree: a test compares them.
 *
 * With --hash a row is read as it is, and then its indices become buckets
 * (hashing.h). The values of one bucket are added as doubles, in the order of their
 * indices, so that the sum does not depend on how a chunk keeps its values. */
#include "data/libsvm.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "data/bag.h"
#include "data/hashing.h"
#include "data/source.h"
#include "vec/scan.h"

struct libsvm_parser;

/* Reads as many plain pairs as follow each other at s, each ended by a blank.
 * Returns the place after the last one; *plain is false if what stands there has
 * another form, true if it is the blank or line end after a pair. */
typedef const char *(*pairs_fn)(struct libsvm_parser *p, const char *s, bool *plain);

struct libsvm_parser {
    const struct libsvm *o;
    pairs_fn pairs;
    const char *begin, *end; /* the chunk */
    const char *line;        /* start of the current line */
    struct rows *r;
    perc_error *err;
    int64_t lines; /* line ends before the current line */
    int64_t last;  /* the row's last index, -1 before the first */
    bool disorder; /* --unsorted: this row needs sorting */
    struct {
        uint64_t text; /* up to 8 characters of a label, 0-padded */
        size_t len;    /* how many: "1" is not "1" and a NUL */
        uint32_t id;
    } cache[4]; /* the labels met last; text 0: empty */
    unsigned cached;
    struct bag bag;             /* hashing: bucket * 2^32 + position, for each entry */
    struct libsvm_entry *entry; /* and the row as it was read */
    size_t entries;
};

struct libsvm_entry {
    double value;
    uint32_t dec; /* the same, if the rows are packed */
};

static const uint32_t power10[] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000 };

static perc_status parse_fault(struct libsvm_parser *p, const char *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static perc_status parse_fault(struct libsvm_parser *p, const char *at, const char *fmt, ...)
{
    char text[200];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return fail_at(p->err, PERC_EDATA, p->lines + 1, at - p->line + 1, "%s", text);
}

/* Whether a token ends at c. */
static bool is_end(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '#';
}

/* ----- pairs, fast ------------------------------------------------------------ */

/* The loop in libsvm_pairs.h, for any processor and for those with AVX2 and BMI2
 * (wider loads, cheaper shifts); which one runs is decided when a chunk begins. */
#define PAIRS_NAME pairs_any
#define PAIRS_TARGET
#define PAIRS_SCAN scan32
#define PAIRS_TWO  scan_two
#include "data/libsvm_pairs.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define PAIRS_NAME   pairs_avx2
#define PAIRS_TARGET __attribute__((target("avx2,bmi,bmi2")))
#define PAIRS_SCAN   scan32_avx2
#define PAIRS_TWO    scan_two_avx2
#include "data/libsvm_pairs.h"
#endif

/* Reads none: every pair goes the slow way, which keeps its decimal. */
static const char *pairs_none(struct libsvm_parser *p, const char *s, bool *plain)
{
    (void)p;
    *plain = false;
    return s;
}

static pairs_fn choose_pairs(const struct rows *r)
{
    if (r->exact) return pairs_none;
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) return pairs_avx2;
#endif
    return pairs_any;
}

/* ----- one pair, slowly -------------------------------------------------------- */

static const char *token_end(const char *s, const char *end)
{
    while (s < end && !is_end(*s)) s++;
    return s;
}

/* Up to 40 characters of a token, for a message. */
static int shown_length(const char *s, const char *end)
{
    const char *e = token_end(s, end);

    return e - s < 40 ? (int)(e - s) : 40;
}

static perc_status read_index(struct libsvm_parser *p, const char **s, int64_t *index)
{
    const char *at = *s, *q = at;
    uint64_t v = 0;

    for (; q < p->end && *q >= '0' && *q <= '9'; q++)
        if (v <= UINT32_MAX) v = 10 * v + (uint64_t)(*q - '0');
    if (q == at) {
        if (*at == '\0') return parse_fault(p, at, "a NUL byte (is this a text file?)");
        if (*at == '\r')
            return parse_fault(p, at, "a carriage return inside a line; lines end in LF or CR LF");
        if (*at == '-' || *at == '+')
            return parse_fault(p, at,
                               "'%.*s' has a signed index; indices are whole numbers from 0 or 1",
                               shown_length(at, p->end), at);
        return parse_fault(p, at, "'%.*s' is not index:value (as 3:0.5)", shown_length(at, p->end),
                           at);
    }
    if (q == p->end || *q != ':')
        return parse_fault(p, q, "'%.*s' lacks the colon of index:value (as 3:0.5)",
                           shown_length(at, p->end), at);
    if (v > UINT32_MAX)
        return parse_fault(p, at,
                           "feature index %.*s is above 4294967295 (number the features anew)",
                           (int)(q - at < 40 ? q - at : 40), at);
    *index = (int64_t)v;
    *s = q + 1;
    return PERC_OK;
}

static perc_status check_index(struct libsvm_parser *p, const char *at, int64_t index)
{
    if (index == 0) {
        p->r->zero_index = true;
        if (p->o->base == INDEX_ONE && p->o->for_model)
            return parse_fault(
                p, at,
                "feature index 0, but the model was trained on indices from 1 (count "
                "from 1, too)");
        if (p->o->base == INDEX_ONE)
            return parse_fault(p, at, "feature index 0; indices start at 1 (or pass --index 0)");
    }
    if (index > p->last) {
        p->last = index;
        return PERC_OK;
    }
    if (p->o->unsorted && index < p->last) {
        p->disorder = true;
        return PERC_OK;
    }
    if (index == p->last)
        return parse_fault(p, at, "feature index %lld appears twice in the row (leave one out)",
                           (long long)index);
    return parse_fault(
        p, at, "feature index %lld follows %lld; indices must increase (or pass --unsorted)",
        (long long)index, (long long)p->last);
}

static perc_status slow_pair(struct libsvm_parser *p, const char **sp)
{
    const char *s = *sp, *at = s;
    enum number_fault fault;
    struct decimal d;
    int64_t index = 0;
    perc_status st;

    if ((st = read_index(p, &s, &index)) || (st = check_index(p, at, index))) return st;
    const char *q = number_scan_decimal(s, p->end, &d, &fault);
    const double v = fault == NUMBER_OK ? number_decimal_value(&d) : 0;
    if (isinf(v)) fault = NUMBER_OVERFLOW;
    else if (fault == NUMBER_OK && p->r->exact && !number_decimal_is_complete(&d))
        fault = NUMBER_LONG;
    if (fault == NUMBER_NONE && (s == p->end || is_end(*s)))
        return parse_fault(p, s,
                           "the value of feature %lld is missing (zeros may be left out, with "
                           "their index)",
                           (long long)index);
    if (fault != NUMBER_OK)
        return parse_fault(p, s, "'%.*s': %s", shown_length(s, p->end), s,
                           number_fault_text(fault));
    if (q < p->end && !is_end(*q)) {
        if (*q == '\0') return parse_fault(p, q, "a NUL byte (is this a text file?)");
        return parse_fault(p, q,
                           "'%.*s' is not a number: '%c' is out of place (write it as 0.5 or 1e-3)",
                           shown_length(s, p->end), s, *q);
    }
    if (p->o->float32 && fabs(v) > FLT_MAX)
        return parse_fault(p, s, "'%.*s' is too large for --float32 (leave the option out)",
                           shown_length(s, p->end), s);
    rows_put_number(p->r, (uint32_t)index, &d, v);
    *sp = q;
    return PERC_OK;
}

/* ----- labels ------------------------------------------------------------------ */

static perc_status read_label(struct libsvm_parser *p, const char **sp, uint32_t *id)
{
    const char *s = *sp, *q = token_end(s, p->end);
    const size_t len = (size_t)(q - s);
    uint64_t word = 0; /* up to 8 characters as one number */
    perc_status st;

    if (len <= 8) memcpy(&word, s, len);
    for (int i = 0; i < 4; i++) {
        if (word != 0 && p->cache[i].text == word && p->cache[i].len == len) {
            *id = p->cache[i].id;
            *sp = q;
            return PERC_OK;
        }
    }
    if (memchr(s, '\0', len) != NULL) return parse_fault(p, s, "a NUL byte (is this a text file?)");
    if (memchr(s, ':', len) != NULL) { /* the row begins with a pair: no label */
        if (!p->o->for_model && !p->o->unlabelled)
            return parse_fault(
                p, s,
                "the label is missing: the line begins with '%.*s' (write the class before it)",
                shown_length(s, p->end), s);
        *id = LABEL_NONE;
        return PERC_OK;
    }
    st = labels_add(&p->r->labels, s, len, id, p->err);
    if (st) {
        if (p->err != NULL && st == PERC_EDATA) {
            p->err->line = p->lines + 1;
            p->err->column = s - p->line + 1;
        }
        return st;
    }
    p->cache[p->cached].text = word;
    p->cache[p->cached].len = len;
    p->cache[p->cached].id = *id;
    p->cached = (p->cached + 1) % 4;
    *sp = q;
    return PERC_OK;
}

/* ----- rows ---------------------------------------------------------------------- */

static void swap_entries(struct rows *r, size_t a, size_t b)
{
    const uint32_t index = r->index[a];

    r->index[a] = r->index[b];
    r->index[b] = index;
    if (r->packed) {
        const uint32_t dec = r->dec[a];
        r->dec[a] = r->dec[b];
        r->dec[b] = dec;
    } else {
        const double value = r->value[a];
        r->value[a] = r->value[b];
        r->value[b] = value;
    }
    if (r->exact) {
        const struct decimal decimal = r->decimal[a];
        r->decimal[a] = r->decimal[b];
        r->decimal[b] = decimal;
    }
}

/* Heap sort of the entries from `from` on: in place, and n log n for any row. */
static void sift(struct rows *r, size_t from, size_t i, size_t n)
{
    const uint32_t *index = r->index + from;

    for (size_t k; (k = 2 * i + 1) < n; i = k) {
        if (k + 1 < n && index[k + 1] > index[k]) k++;
        if (index[k] <= index[i]) break;
        swap_entries(r, from + i, from + k);
    }
}

/* --unsorted: puts the entries of the row being built in order. */
static perc_status sort_row(struct libsvm_parser *p)
{
    struct rows *r = p->r;
    const size_t from = (size_t)r->start[r->n], n = r->entries - from;

    for (size_t i = n / 2; i > 0; i--) sift(r, from, i - 1, n);
    for (size_t i = n; i > 1; i--) {
        swap_entries(r, from, from + i - 1);
        sift(r, from, 0, i - 1);
    }
    for (size_t k = from + 1; k < r->entries; k++)
        if (r->index[k] == r->index[k - 1])
            return parse_fault(p, p->line,
                               "feature index %u appears twice in the row (leave one out)",
                               (unsigned)r->index[k]);
    return PERC_OK;
}

/* ----- hashed rows ---------------------------------------------------------------- */

/* Moves the row's entries from r into p->entry and p->bag, and takes note of their
 * buckets. */
static perc_status take_row(struct libsvm_parser *p, size_t from)
{
    struct rows *r = p->r;
    const size_t n = r->entries - from;
    void *entry = p->entry;

    p->bag.n = 0;
    if (!mem_grow(&r->e, &entry, &p->entries, n, sizeof *p->entry)) return fail_memory(p->err);
    p->entry = entry;
    for (size_t k = 0; k < n; k++) {
        const uint64_t h = hashing_index(r->index[from + k]);
        const uint64_t bucket = hashing_bucket(h, p->o->hash_bits);
        if ((r->seen.bits > 0 && !hashing_buckets_add(&r->seen, h)) ||
            !bag_put(&p->bag, bucket << 32 | k))
            return fail_memory(p->err);
        p->entry[k].dec = r->packed ? r->dec[from + k] : 0;
        p->entry[k].value = r->packed ? decimal_unpack(p->entry[k].dec) : r->value[from + k];
    }
    r->entries = from;
    return bag_sort(&p->bag) ? PERC_OK : fail_memory(p->err);
}

/* Puts buckets in the place of the indices of the row being built. */
static perc_status hash_row(struct libsvm_parser *p)
{
    struct rows *r = p->r;
    const bool packed = r->packed;
    const uint64_t *key;
    size_t end;
    perc_status st = take_row(p, (size_t)r->start[r->n]);

    if (st) return st;
    key = p->bag.key;
    for (size_t i = 0; i < p->bag.n; i = end) {
        const uint32_t bucket = (uint32_t)(key[i] >> 32);
        const struct libsvm_entry *x = &p->entry[(uint32_t)key[i]];
        double sum = x->value;
        for (end = i + 1; end < p->bag.n && key[end] >> 32 == bucket; end++)
            sum += p->entry[(uint32_t)key[end]].value;
        if (!(fabs(sum) <= (p->o->float32 ? FLT_MAX : DBL_MAX)))
            return parse_fault(
                p, p->line, "the values of the features in bucket %u are too large to be added up",
                (unsigned)bucket);
        if (end == i + 1 && packed) rows_put_decimal(r, bucket, x->dec);
        else rows_put(r, bucket, sum);
    }
    return PERC_OK;
}

/* ----- lines ------------------------------------------------------------------------ */

static const char *skip_blanks(const char *s)
{
    while (*s == ' ' || *s == '\t') s++; /* the pad ends every chunk with line ends */
    return s;
}

static bool at_line_end(const struct libsvm_parser *p, const char *s)
{
    return s >= p->end || *s == '\n' || *s == '#' ||
           (*s == '\r' && (s + 1 >= p->end || s[1] == '\n'));
}

static perc_status parse_pairs(struct libsvm_parser *p, const char **sp)
{
    const char *s = *sp;
    bool plain;
    perc_status st = PERC_OK;

    for (;;) {
        s = skip_blanks(p->pairs(p, s, &plain));
        if (at_line_end(p, s)) break;
        if (plain) continue; /* several blanks, or a tab */
        if ((st = slow_pair(p, &s))) break;
        s = skip_blanks(s);
        if (at_line_end(p, s)) break;
    }
    *sp = s;
    return st;
}

static perc_status parse_row(struct libsvm_parser *p, const char **sp)
{
    const char *s = *sp;
    uint32_t label;
    perc_status st = read_label(p, &s, &label);

    if (st) return st;
    s = skip_blanks(s);
    if (p->end - s >= 4 && memcmp(s, "qid:", 4) == 0) { /* a query's number: not for us */
        const char *q = token_end(s, p->end), *nul = memchr(s, '\0', (size_t)(q - s));
        if (nul != NULL) return parse_fault(p, nul, "a NUL byte (is this a text file?)");
        s = skip_blanks(q);
    }
    p->last = -1;
    p->disorder = false;
    if (!at_line_end(p, s) && (st = parse_pairs(p, &s))) return st;
    if (p->disorder && (st = sort_row(p))) return st;
    if (p->o->hash_bits > 0 && (st = hash_row(p))) return st;
    rows_end(p->r, label, 1, (uint32_t)p->lines);
    *sp = s;
    return PERC_OK;
}

perc_status libsvm_parse(const struct libsvm *o, const char *text, size_t len, struct rows *r,
                         perc_error *err)
{
    struct libsvm_parser p = {
        .o = o, .begin = text, .end = text + len, .r = r, .err = err, .pairs = choose_pairs(r)
    };
    const char *s = text;
    perc_status st = PERC_OK;

    assert(o->hash_bits == 0 || !r->exact);
    bag_init(&p.bag, &r->e);
    hashing_buckets_free(&r->seen);
    if (!o->for_model) r->seen.bits = o->hash_bits;
    /* The shortest row is "1\n" and the shortest entry "1:1 ": no checks below. */
    if (!rows_reserve(r, len / 2 + 1, len / 4 + 1)) return fail_memory(err);
    while (s < p.end) {
        p.line = s;
        s = skip_blanks(s);
        if (!at_line_end(&p, s) && (st = parse_row(&p, &s))) break;
        if (s < p.end && *s != '\n') { /* a comment, or CR */
            s = memchr(s, '\n', (size_t)(p.end - s));
            if (s == NULL) s = p.end;
        }
        if (s < p.end) s++;
        p.lines++;
    }
    r->lines = p.lines;
    bag_free(&p.bag);
    mem_free(&r->e, p.entry, p.entries, sizeof *p.entry);
    return st;
}
