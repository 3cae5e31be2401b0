/* json.c -- a small JSON reader for hostile files, and a writer.
 *
 * The reader is a pull parser: each json_next() walks over one token of the byte
 * range and says what it was. There is no tree, hence nothing to allocate and
 * nothing to blow up; a stack of JSON_DEPTH brackets is all it remembers, so a file
 * of a million '[' is an error and not a crash. The grammar is RFC 8259 to the
 * letter: no comments, no trailing commas, no NaN, no byte order mark, and nothing
 * but white space after the value.
 *
 * Strings must be valid UTF-8 (RFC 3629: nothing overlong, no surrogates) and their
 * escapes complete. A \u0000 is refused although JSON has it, because decoded texts
 * are C strings here, and so is half a surrogate pair. All this is checked when the
 * token is met, so that json_text() and json_is() can decode without errors.
 *
 * Numbers stay text until asked for: an int64 is then exact, a double correctly
 * rounded, and a caller who wants neither pays nothing. Names that occur twice in an
 * object are two tokens: what that means is the caller's business.
 *
 * Invariants  start <= at <= p <= end; after JSON_ERROR and JSON_END every further
 *             call gives the same answer.
 * Not here    number syntax beyond the JSON grammar and its rounding: number.c. */
#include "base/json.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

/* What may come next. A value, wherever it stands, leads to AFTER; from there
 *
 *     , in an array  -> VALUE         , in an object -> KEY -> (key and colon) VALUE
 *     ] or }         -> AFTER, one level up
 *
 * The two FIRST_ states exist because a bracket may close at once but not after a
 * comma: [] is a value, [1,] is not. */
enum state {
    VALUE,       /* a value                                */
    FIRST_VALUE, /* a value or ]                           */
    KEY,         /* a key                                  */
    FIRST_KEY,   /* a key or }                             */
    AFTER,       /* a comma or the closing bracket; at depth 0 the end */
    FAILED
};

void json_begin(struct json *j, const char *s, size_t len)
{
    if (len == 0) s = ""; /* s may be NULL then, and NULL + 0 is not C */
    *j = (struct json){ .start = s, .p = s, .end = s + len, .at = s, .state = VALUE };
}

static enum json_kind answer_kind(struct json *j, enum json_kind kind)
{
    j->kind = (unsigned char)kind;
    return kind;
}

static enum json_kind refuse(struct json *j, const char *at, const char *reason)
{
    j->at = at;
    j->text = NULL;
    j->len = 0;
    j->reason = reason;
    j->state = FAILED;
    return answer_kind(j, JSON_ERROR);
}

static void skip_space(struct json *j)
{
    while (j->p < j->end && (*j->p == ' ' || *j->p == '\n' || *j->p == '\r' || *j->p == '\t'))
        j->p++;
}

/* ----- strings ---------------------------------------------------------- */

/* The four hexadecimal digits at p, or -1. */
static int hex4(const char *p, const char *end)
{
    int v = 0;

    if (end - p < 4) return -1;
    for (int i = 0; i < 4; i++) {
        const char c = p[i];
        if (c >= '0' && c <= '9') v = v * 16 + (c - '0');
        else if (c >= 'a' && c <= 'f') v = v * 16 + (c - 'a' + 10);
        else if (c >= 'A' && c <= 'F') v = v * 16 + (c - 'A' + 10);
        else return -1;
    }
    return v;
}

struct json_char { /* one character of a string, decoded */
    char utf8[4];
    size_t n;
    const char *reason; /* why there is no character */
};

static const char *no_unit(struct json_char *u, const char *reason)
{
    u->reason = reason;
    return NULL;
}

/* The part of an escape after \u. Returns the place after it, or NULL. */
static const char *unicode_escape(const char *p, const char *end, struct json_char *u)
{
    const int first = hex4(p, end);

    if (first < 0) return no_unit(u, "\\u needs four hexadecimal digits");
    if (first == 0) return no_unit(u, "\\u0000 is not allowed");
    p += 4;
    if (first < 0xD800 || first > 0xDFFF) {
        u->n = utf8_encode((uint32_t)first, u->utf8);
        return p;
    }

    /* UTF-16: 0x10000 + 10 bits from the first half, 10 from the second. */
    const int second = end - p >= 6 && p[0] == '\\' && p[1] == 'u' ? hex4(p + 2, end) : -1;
    if (first > 0xDBFF || second < 0xDC00 || second > 0xDFFF)
        return no_unit(u, "an unpaired surrogate");
    const int code = 0x10000 + (first - 0xD800) * 0x400 + (second - 0xDC00);
    u->n = utf8_encode((uint32_t)code, u->utf8);
    return p + 6;
}

/* Reads one character, raw or escaped, of a string's body at p < end. Returns the
 * place after it, or NULL with the reason. */
static const char *unit_read(const char *p, const char *end, struct json_char *u)
{
    static const char NAMES[] = "\"\\/bfnrt", VALUES[] = "\"\\/\b\f\n\r\t";
    uint32_t code;

    if ((unsigned char)*p < 0x20) return no_unit(u, "a control character in a string");
    if (*p != '\\') {
        u->n = (unsigned char)*p < 0x80 ? 1 : utf8_decode(p, (size_t)(end - p), &code);
        if (u->n == 0) return no_unit(u, "a string is not valid UTF-8");
        memcpy(u->utf8, p, u->n);
        return p + u->n;
    }
    if (++p == end) return no_unit(u, "a string does not end");
    if (*p == 'u') return unicode_escape(p + 1, end, u);
    const char *name = *p != '\0' ? strchr(NAMES, *p) : NULL;
    if (name == NULL) return no_unit(u, "an unknown escape in a string");
    u->utf8[0] = VALUES[name - NAMES];
    u->n = 1;
    return p + 1;
}

/* Over ASCII that stands for itself: most of what is in strings. */
static const char *skip_plain(const char *p, const char *end)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), high = ones << 7;
    uint64_t v;

    for (; end - p >= 8; p += 8) { /* eight at a time, while none of them is special */
        memcpy(&v, p, sizeof v);
        const uint64_t quote = v ^ ones * '"', slash = v ^ ones * '\\';
        if ((((v - ones * 0x20) | (quote - ones) | (slash - ones) | v) & high) != 0) break;
    }
    while (p < end && (unsigned char)*p >= 0x20 && (unsigned char)*p < 0x80 && *p != '"' &&
           *p != '\\')
        p++;
    return p;
}

/* Walks over the string whose opening quote is at p. */
static enum json_kind read_string(struct json *j, enum json_kind kind)
{
    const char *p = j->p + 1;
    struct json_char u;

    while ((p = skip_plain(p, j->end)) < j->end && *p != '"') {
        const char *next = unit_read(p, j->end, &u);
        if (next == NULL) return refuse(j, p, u.reason);
        p = next;
    }
    if (p == j->end) return refuse(j, j->at, "a string does not end");
    j->text = j->p + 1;
    j->len = (size_t)(p - j->text);
    j->p = p + 1;
    return answer_kind(j, kind);
}

/* ----- the other tokens ------------------------------------------------- */

static const char *digits(const char *p, const char *end)
{
    while (p < end && *p >= '0' && *p <= '9') p++;
    return p;
}

/* -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)? */
static enum json_kind read_number(struct json *j)
{
    const char *p = j->p + (*j->p == '-'), *end = j->end, *q = digits(p, end);

    if (q == p) return refuse(j, j->p, "a number has no digits");
    if (*p == '0' && q > p + 1) return refuse(j, j->p, "a number has a leading zero");
    if (q < end && *q == '.') {
        p = q + 1;
        q = digits(p, end);
        if (q == p) return refuse(j, j->p, "a number has no digits after its point");
    }
    if (q < end && (*q == 'e' || *q == 'E')) {
        p = q + 1;
        if (p < end && (*p == '+' || *p == '-')) p++;
        q = digits(p, end);
        if (q == p) return refuse(j, j->p, "a number has no digits in its exponent");
    }
    j->text = j->p;
    j->len = (size_t)(q - j->p);
    j->p = q;
    j->state = AFTER;
    return answer_kind(j, JSON_NUMBER);
}

static enum json_kind read_literal(struct json *j, const char *word, enum json_kind kind)
{
    const size_t n = strlen(word);

    if ((size_t)(j->end - j->p) < n || memcmp(j->p, word, n) != 0)
        return refuse(j, j->p, "expected a value");
    j->p += n;
    j->state = AFTER;
    return answer_kind(j, kind);
}

/* The stack holds what is open, JSON_OBJECT or JSON_ARRAY, outermost first. */
static enum json_kind open_bracket(struct json *j, enum json_kind kind)
{
    if (j->depth == JSON_DEPTH) return refuse(j, j->p, "brackets are nested too deeply");
    j->stack[j->depth++] = (unsigned char)kind;
    j->state = kind == JSON_OBJECT ? FIRST_KEY : FIRST_VALUE;
    j->p++;
    return answer_kind(j, kind);
}

static bool in_object(const struct json *j)
{
    return j->depth > 0 && j->stack[j->depth - 1] == JSON_OBJECT;
}

static enum json_kind read_value(struct json *j)
{
    switch (*j->p) {
    case '{': return open_bracket(j, JSON_OBJECT);
    case '[': return open_bracket(j, JSON_ARRAY);
    case '"': j->state = AFTER; return read_string(j, JSON_STRING);
    case 't': return read_literal(j, "true", JSON_TRUE);
    case 'f': return read_literal(j, "false", JSON_FALSE);
    case 'n': return read_literal(j, "null", JSON_NULL);
    default:
        if (*j->p == '-' || (*j->p >= '0' && *j->p <= '9')) return read_number(j);
        return refuse(j, j->p, "expected a value");
    }
}

/* A key and the colon after it. */
static enum json_kind read_key(struct json *j)
{
    if (*j->p != '"') return refuse(j, j->p, "expected a key in quotes");
    if (read_string(j, JSON_KEY) == JSON_ERROR) return JSON_ERROR;
    skip_space(j);
    if (j->p == j->end || *j->p != ':') return refuse(j, j->p, "expected a colon after the key");
    j->p++;
    j->state = VALUE;
    return JSON_KEY;
}

/* In order: the end of the document, a closing bracket, the comma, and then what the
 * comma (or the opening bracket, or the colon) announced. */
enum json_kind json_next(struct json *j)
{
    if (j->state == FAILED) return JSON_ERROR;
    j->text = NULL;
    j->len = 0;
    skip_space(j);
    j->at = j->p;

    if (j->state == AFTER && j->depth == 0)
        return j->p == j->end ? answer_kind(j, JSON_END)
                              : refuse(j, j->p, "unexpected text after the end");
    if (j->state != VALUE && j->state != KEY &&
        (j->p < j->end && *j->p == (in_object(j) ? '}' : ']'))) {
        const enum json_kind kind = in_object(j) ? JSON_OBJECT_END : JSON_ARRAY_END;
        j->depth--;
        j->state = AFTER;
        j->p++;
        return answer_kind(j, kind);
    }
    if (j->state == AFTER && j->p < j->end) {
        if (*j->p != ',')
            return refuse(j, j->p,
                          in_object(j) ? "expected a comma or }" : "expected a comma or ]");
        j->p++;
        j->state = in_object(j) ? KEY : VALUE;
        skip_space(j);
        j->at = j->p;
    }
    if (j->p == j->end) return refuse(j, j->p, "unexpected end of the text");
    return j->state == KEY || j->state == FIRST_KEY ? read_key(j) : read_value(j);
}

enum json_kind json_skip(struct json *j)
{
    const int depth = j->depth;
    const enum json_kind kind = json_next(j);

    while (j->depth > depth)
        if (json_next(j) == JSON_ERROR) return JSON_ERROR;
    return kind;
}

size_t json_offset(const struct json *j)
{
    return (size_t)(j->at - j->start);
}

/* ----- the last token as a value ---------------------------------------- */

/* Asking a token for a type it is not gives false, "" or nothing, never a wrong answer. */
static bool is_string(const struct json *j)
{
    return j->kind == JSON_KEY || j->kind == JSON_STRING;
}

char *json_text(const struct json *j, const struct env *e)
{
    if (!is_string(j)) return mem_text(e, "", 0);

    /* Measured first, so that the size is exact: mem_free_text counts on it. The
     * token was checked when it was met, unit_read cannot fail here. */
    const char *const end = j->text + j->len;
    size_t len = 0;
    struct json_char u;
    for (const char *p = j->text; p < end; len += u.n) p = unit_read(p, end, &u);
    char *out = mem_array(e, len + 1, 1), *q = out;
    if (out == NULL) return NULL;
    for (const char *p = j->text; p < end; q += u.n) {
        p = unit_read(p, end, &u);
        memcpy(q, u.utf8, u.n);
    }
    *q = '\0';
    return out;
}

void json_unescape(const char *s, size_t len, struct text *out)
{
    const char *const end = s + len;
    struct json_char u;

    while (s < end) {
        s = unit_read(s, end, &u);
        text_add(out, u.utf8, u.n);
    }
}

bool json_is(const struct json *j, const char *s)
{
    if (!is_string(j)) return false;

    const char *p = j->text, *const end = j->text + j->len;
    struct json_char u;
    while (p < end) {
        p = unit_read(p, end, &u);
        if (strncmp(s, u.utf8, u.n) != 0) return false; /* stops at the NUL of s */
        s += u.n;
    }
    return *s == '\0';
}

/* The len digits at s as a number up to `limit`. */
static bool read_whole(const char *s, size_t len, uint64_t limit, uint64_t *out)
{
    uint64_t v = 0;

    for (size_t i = 0; i < len; i++) {
        if (s[i] < '0' || s[i] > '9') return false;
        const uint64_t digit = (uint64_t)(s[i] - '0');
        if (v > (limit - digit) / 10) return false;
        v = v * 10 + digit;
    }
    *out = v;
    return len > 0;
}

bool json_uint(const struct json *j, uint64_t *out)
{
    return j->kind == JSON_NUMBER && read_whole(j->text, j->len, UINT64_MAX, out);
}

bool json_int(const struct json *j, int64_t *out)
{
    uint64_t v;

    if (j->kind != JSON_NUMBER) return false;
    const bool minus = *j->text == '-';
    const uint64_t limit = (uint64_t)INT64_MAX + minus;
    if (!read_whole(j->text + minus, j->len - minus, limit, &v)) return false;
    *out = !minus ? (int64_t)v : v == limit ? INT64_MIN : -(int64_t)v;
    return true;
}

bool json_double(const struct json *j, double *out)
{
    return j->kind == JSON_NUMBER && number_parse(j->text, j->len, out);
}

/* ----- writing ---------------------------------------------------------- */

/* The comma that separates this item from the one before. */
static void separate(struct json_out *o)
{
    if (o->comma) text_char(o->t, ',');
    o->comma = true;
}

void json_open(struct json_out *o, char bracket)
{
    separate(o);
    text_char(o->t, bracket);
    o->comma = false;
}

void json_close(struct json_out *o, char bracket)
{
    text_char(o->t, bracket);
    o->comma = true;
}

static const char HEX[] = "0123456789abcdef";

/* Runs of plain characters go out in one piece. */
static void put_quoted(const struct json_out *o, const char *s)
{
    const char *run = s;
    struct text *t = o->t;
    uint32_t code;

    text_char(t, '"');
    for (;; s++) {
        while (*s >= 0x20 && *s < 0x7F && *s != '"' && *s != '\\') s++;
        if (*s == '\0') break;
        const size_t n = utf8_decode(s, SIZE_MAX, &code);
        if (n > 0 && (unsigned char)*s >= 0x7F && !(o->visible && utf8_is_control(code))) {
            s += n - 1;
            continue;
        }
        text_add(t, run, (size_t)(s - run));
        char escape[UTF8_VISIBLE];
        size_t len;
        if (n > 0 || o->exact) {
            s += utf8_visible(s, escape, &len) - 1;
            text_add(t, escape, len);
        } else text_str(t, UTF8_REPLACEMENT);
        run = s + 1;
    }
    text_add(t, run, (size_t)(s - run));
    text_char(t, '"');
}

void json_key(struct json_out *o, const char *name)
{
    separate(o);
    put_quoted(o, name);
    text_char(o->t, ':');
    o->comma = false;
}

void json_str(struct json_out *o, const char *s)
{
    separate(o);
    put_quoted(o, s);
}

void json_num(struct json_out *o, double v)
{
    separate(o);
    if (isfinite(v)) text_num(o->t, v);
    else text_str(o->t, "null");
}

void json_i64(struct json_out *o, int64_t v)
{
    separate(o);
    text_int(o->t, v);
}

void json_bool(struct json_out *o, bool v)
{
    separate(o);
    text_str(o->t, v ? "true" : "false");
}

/* ----- any bytes --------------------------------------------------------------- */

void json_hex(struct text *out, const char *s)
{
    for (; *s != '\0'; s++) {
        text_char(out, HEX[(unsigned char)*s >> 4]);
        text_char(out, HEX[*s & 15]);
    }
}

perc_status json_unhex(const struct env *e, const char *hex, char **out)
{
    const size_t n = strlen(hex) / 2;

    *out = NULL;
    if (n == 0 || hex[2 * n] != '\0' || strspn(hex, HEX) != 2 * n) return PERC_EDATA;
    char *s = mem_array(e, n + 1, 1);
    if (s == NULL) return PERC_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        const char *high = strchr(HEX, hex[2 * i]), *low = strchr(HEX, hex[2 * i + 1]);
        s[i] = (char)((high - HEX) << 4 | (low - HEX));
    }
    s[n] = '\0';
    *out = s;
    if (strlen(s) == n) return PERC_OK; /* a zero byte would end the text */
    mem_free(e, s, n + 1, 1);
    *out = NULL;
    return PERC_EDATA;
}

void json_bytes(struct json_out *o, const char *s)
{
    struct text hex;

    if (utf8_valid(s)) {
        json_str(o, s);
        return;
    }
    text_init(&hex, &o->t->e);
    json_hex(&hex, s);
    json_open(o, '{');
    json_key(o, "hex");
    json_str(o, hex.oom ? "" : hex.s);
    json_close(o, '}');
    if (hex.oom) o->t->oom = true;
    text_free(&hex);
}

perc_status json_read_bytes(struct json *j, enum json_kind kind, const struct env *e, char **out)
{
    *out = NULL;
    if (kind == JSON_STRING) {
        *out = json_text(j, e);
        return *out != NULL ? PERC_OK : PERC_ENOMEM;
    }
    if (kind != JSON_OBJECT || json_next(j) != JSON_KEY || !json_is(j, "hex") ||
        json_next(j) != JSON_STRING)
        return PERC_EDATA;
    char *hex = json_text(j, e);
    perc_status st = hex != NULL ? json_unhex(e, hex, out) : PERC_ENOMEM;
    mem_free_text(e, hex);
    if (!st && json_next(j) != JSON_OBJECT_END) {
        mem_free_text(e, *out);
        *out = NULL;
        st = PERC_EDATA;
    }
    return st;
}
