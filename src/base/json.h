/* json.h -- a small JSON reader for hostile files, and a writer.
 *
 * The reader is a pull parser over a byte range that must be one complete JSON
 * document (RFC 8259). It allocates nothing but decoded strings the caller asks
 * for, nests at most JSON_DEPTH deep, and never reads outside the range. */
#ifndef PERC_JSON_H
#define PERC_JSON_H

#include "base/base.h"

enum { JSON_DEPTH = 64 };

enum json_kind {
    JSON_END = 0, /* end of the document */
    JSON_ERROR,   /* see json_error()    */
    JSON_OBJECT,
    JSON_OBJECT_END,
    JSON_ARRAY,
    JSON_ARRAY_END,
    JSON_KEY,
    JSON_STRING,
    JSON_NUMBER,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NULL
};

struct json {
    const char *start, *p, *end;
    const char *at;   /* where the last token or the error begins      */
    const char *text; /* raw text of the last KEY, STRING (without quotes)
                               or NUMBER: still escaped                       */
    size_t len;
    const char *reason; /* of JSON_ERROR: "expected a comma or }"       */
    int depth;
    unsigned char stack[JSON_DEPTH];
    unsigned char state, kind; /* kind: what json_next returned last         */
};

void json_begin(struct json *j, const char *s, size_t len);
enum json_kind json_next(struct json *j);
/* Skips the value that json_next would return next, however deep. Returns
 * its kind (JSON_OBJECT for a whole object), or what json_next gives instead. */
enum json_kind json_skip(struct json *j);
/* Byte offset (from 0) of the last token or error. */
size_t json_offset(const struct json *j);
/* The last KEY or STRING, unescaped to UTF-8, NUL-terminated, in new memory
 * (free with mem_free_text). NULL: out of memory. A \u0000 or a lone surrogate
 * is a JSON_ERROR in json_next already. */
char *json_text(const struct json *j, const struct env *e);
/* Appends the text of a KEY or STRING, which json_next has given, unescaped. */
void json_unescape(const char *s, size_t len, struct text *out);
/* Whether the last KEY or STRING, unescaped, is s. Allocates nothing. */
bool json_is(const struct json *j, const char *s);
bool json_int(const struct json *j, int64_t *out); /* last NUMBER, if a plain integer */
bool json_uint(const struct json *j, uint64_t *out);
bool json_double(const struct json *j, double *out);

/* Writer: appends to a text; it places the commas. A non-finite
 * number is written as null. */
struct json_out {
    struct text *t;
    bool comma;
    bool visible; /* also what could steer a terminal is escaped (utf8_is_control) */
    bool exact;   /* a byte B that is no character is \udcB, and not U+FFFD */
};
void json_open(struct json_out *o, char bracket);  /* '{' or '[' */
void json_close(struct json_out *o, char bracket); /* '}' or ']' */
void json_key(struct json_out *o, const char *key);
void json_str(struct json_out *o, const char *s); /* bytes that are not UTF-8 become U+FFFD */
void json_num(struct json_out *o, double v);      /* shortest text that reads back */
void json_i64(struct json_out *o, int64_t v);
void json_bool(struct json_out *o, bool v);

/* ----- any bytes: a string or, if it is not UTF-8, {"hex":"e9"} ------------------- */
void json_bytes(struct json_out *o, const char *s);
/* The bytes of a value for which json_next returned `kind`, in new memory. PERC_EDATA: neither. */
perc_status json_read_bytes(struct json *j, enum json_kind kind, const struct env *e, char **out);
void json_hex(struct text *out, const char *s);
/* PERC_EDATA: not the lower-case hex of a text. */
perc_status json_unhex(const struct env *e, const char *hex, char **out);

#endif
