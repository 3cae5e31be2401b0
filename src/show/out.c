/* out.c -- where a result goes. See out.h for the promises.
 *
 * Two things of base meet here: a growing text, in which lines and JSON are
 * composed, and an all-or-nothing file. The text is handed to the file whenever
 * it is longer than HAND_ON, so that a million predictions cost some hundred
 * writes and little memory, and the text never has to be cut in mid-token.
 *
 * Failure is sticky: `status` keeps the first one and `error` its words. The
 * callers print thousands of things and none of them has a plan for a full
 * disk other than to stop; out_broken lets a long loop stop early. */
#include "show/out.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/number.h"
#include "base/utf8.h"

enum { HAND_ON = 1 << 16 };

struct out {
    struct env e;
    struct text text;
    struct json_out json;
    struct file_out file;
    bool kept;     /* in memory: there is no file */
    bool terminal; /* cells are tamed; pictures have colours */
    perc_status status;
    perc_error error;
};

perc_status out_open(const perc_env *env, const char *path, struct out **out, perc_error *err)
{
    const struct env e = env_resolve(env);
    struct out *o = mem_zeroed(&e, 1, sizeof *o);
    perc_status st;

    *out = NULL;
    if (o == NULL) return fail_memory(err);
    o->e = e;
    o->kept = path == NULL;
    if (!o->kept && (st = file_create(&e, path, &o->file, err))) {
        mem_free(&e, o, 1, sizeof *o);
        return st;
    }
    o->terminal = o->file.terminal;
    o->file.terminal = false;
    text_init(&o->text, &e);
    o->json = (struct json_out){ .t = &o->text, .visible = true };
    *out = o;
    return PERC_OK;
}

bool out_broken(const struct out *o)
{
    return o->status != PERC_OK;
}

void out_fail_memory(struct out *o)
{
    if (o->status == PERC_OK) o->status = fail_memory(&o->error);
}

/* Passes the text on. After a failure it is discarded: nobody can take it. */
static void hand_on(struct out *o)
{
    if (o->text.oom) out_fail_memory(o);
    if (o->kept) return;
    if (o->status == PERC_OK && o->text.len > 0)
        o->status = file_write(&o->file, o->text.s, o->text.len, &o->error);
    o->text.len = 0; /* the text keeps its memory for what comes next */
}

void out_flush(struct out *o)
{
    hand_on(o);
    if (o->status == PERC_OK && !o->kept) o->status = file_flush(&o->file, &o->error);
}

const char *out_kept(const struct out *o)
{
    return o->kept && !o->text.oom && o->text.len > 0 ? o->text.s : "";
}

/* Called after every addition: most of the time one comparison. */
static void added(struct out *o)
{
    if (o->text.len >= HAND_ON || o->text.oom) hand_on(o);
}

/* The caller gets the first failure, whenever it happened. */
perc_status out_close(struct out *o, perc_error *err)
{
    perc_status st;

    if (o == NULL) return PERC_OK;
    hand_on(o);
    if (o->status == PERC_OK && !o->kept) o->status = file_commit(&o->file, &o->error);
    st = o->status;
    if (st != PERC_OK && err != NULL) *err = o->error;
    out_abort(o);
    return st;
}

void out_abort(struct out *o)
{
    if (o == NULL) return;
    file_abort(&o->file);
    text_free(&o->text);
    const struct env e = o->e;
    mem_free(&e, o, 1, sizeof *o);
}

/* ----- text ------------------------------------------------------------- */

void out_text(struct out *o, const char *s)
{
    text_str(&o->text, s);
    added(o);
}

void out_bytes(struct out *o, const char *s, size_t n)
{
    text_add(&o->text, s, n);
    added(o);
}

void out_fmt(struct out *o, const char *fmt, ...)
{
    /* What is formatted here is one line for a person, cut if too long. Texts of any length (paths,
     * labels) go through out_text. */
    char line[1024];
    va_list ap;

    va_start(ap, fmt);
    int n = vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    if (n > 0) out_bytes(o, line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

void out_num(struct out *o, double v)
{
    char buf[NUMBER_TEXT];

    out_bytes(o, buf, number_format(v, buf));
}

void out_num_after(struct out *o, char before, double v)
{
    char buf[1 + NUMBER_TEXT];

    buf[0] = before;
    out_bytes(o, buf, 1 + number_format(v, buf + 1));
}

void out_word(struct out *o, const char *s, enum word_place place)
{
    char piece[UTF8_VISIBLE];
    size_t len;

    if (word_is_plain(s, place)) {
        out_text(o, s);
        return;
    }
    text_char(&o->text, '"');
    while (*s != '\0') {
        s += utf8_visible(s, piece, &len);
        text_add(&o->text, piece, len);
    }
    text_char(&o->text, '"');
    added(o);
}

void out_visible(struct out *o, const char *s)
{
    char piece[256];

    while (*s != '\0') {
        s = word_visible(piece, sizeof piece, s);
        out_text(o, piece);
    }
}

/* RFC 4180: a cell with a comma, a quote or a line break stands in quotes, and its own quotes are
 * doubled. Line breaks have become escapes by then. */
void out_csv(struct out *o, const char *s)
{
    const bool plain = *s == '\0' || word_is_plain(s, WORD_LINE);
    char piece[UTF8_VISIBLE];
    size_t len;

    if (plain && strpbrk(s, ",\"") == NULL) {
        out_text(o, s);
        return;
    }
    text_str(&o->text, plain ? "\"" : "\"\"\"");
    while (*s != '\0') {
        const char *from = plain ? s : piece;
        s += plain ? (len = 1) : utf8_visible(s, piece, &len);
        for (size_t i = 0; i < len; i++) {
            if (from[i] == '"') text_char(&o->text, '"');
            text_char(&o->text, from[i]);
        }
    }
    text_str(&o->text, plain ? "\"" : "\"\"\"");
    added(o);
}

static void add_cell(struct out *o, const char *s, char delimiter)
{
    const char stops[] = { delimiter, '"', '\r', '\n', '\0' };
    const size_t n = strlen(s);
    const char *quote;

    if (strcspn(s, stops) == n &&
        (n == 0 || (strchr(" \t", s[0]) == NULL && strchr(" \t", s[n - 1]) == NULL))) {
        text_add(&o->text, s, n);
        return;
    }
    text_char(&o->text, '"');
    for (; (quote = strchr(s, '"')) != NULL; s = quote + 1) {
        text_add(&o->text, s, (size_t)(quote + 1 - s));
        text_char(&o->text, '"');
    }
    text_str(&o->text, s);
    text_char(&o->text, '"');
}

void out_cell(struct out *o, const char *s, char delimiter)
{
    struct utf8_tame tame = { 0 };
    const size_t from = o->text.len;

    add_cell(o, s, delimiter);
    if (o->terminal && !o->text.oom) utf8_tame(&tame, o->text.s + from, o->text.len - from);
    added(o);
}

/* ----- JSON ------------------------------------------------------------- */

void out_exact(struct out *o)
{
    o->json.exact = true;
}

void out_begin(struct out *o, char bracket)
{
    json_open(&o->json, bracket);
    added(o);
}

void out_end(struct out *o, char bracket)
{
    json_close(&o->json, bracket);
    added(o);
}

void out_line(struct out *o)
{
    o->json.comma = false;
    out_text(o, "\n");
}

void out_key(struct out *o, const char *key)
{
    json_key(&o->json, key);
    added(o);
}

void out_string(struct out *o, const char *s)
{
    json_str(&o->json, s);
    added(o);
}

void out_real(struct out *o, double v)
{
    json_num(&o->json, v);
    added(o);
}

void out_int(struct out *o, int64_t v)
{
    json_i64(&o->json, v);
    added(o);
}

void out_bool(struct out *o, bool v)
{
    json_bool(&o->json, v);
    added(o);
}

void out_null(struct out *o)
{
    json_num(&o->json, NAN); /* JSON has no NaN: written as null */
    added(o);
}

void out_reals(struct out *o, const double *v, uint64_t n, size_t stride)
{
    out_begin(o, '[');
    for (uint64_t i = 0; i < n; i++) out_real(o, v[i * stride]);
    out_end(o, ']');
}

void out_key_string(struct out *o, const char *key, const char *s)
{
    out_key(o, key);
    out_string(o, s);
}

void out_key_real(struct out *o, const char *key, double v)
{
    out_key(o, key);
    out_real(o, v);
}

void out_key_int(struct out *o, const char *key, int64_t v)
{
    out_key(o, key);
    out_int(o, v);
}

void out_key_bool(struct out *o, const char *key, bool v)
{
    out_key(o, key);
    out_bool(o, v);
}
