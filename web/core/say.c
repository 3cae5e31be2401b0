/* say.c -- JSON text in a buffer that grows, and the last error. */
#include "web.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

perc_error web_failure;

static struct {
    char *at;
    size_t n, cap;
    bool comma; /* the next value follows another */
    bool failed;
} text;

void *web_no_memory(void)
{
    web_failure = (perc_error){ .status = PERC_ENOMEM, .text = "out of memory" };
    return NULL;
}

/* ----- bytes ---------------------------------------------------------------- */

static void put(const char *s, size_t n)
{
    if (text.failed) return;
    if (n >= text.cap - text.n) {
        const size_t cap = text.cap + text.cap / 2 + n + 4096;
        char *at = realloc(text.at, cap);
        if (at == NULL) {
            text.failed = true;
            return;
        }
        text.at = at;
        text.cap = cap;
    }
    memcpy(text.at + text.n, s, n);
    text.n += n;
    text.at[text.n] = '\0';
}

static void put_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void put_format(const char *format, ...)
{
    char s[64];
    va_list ap;

    va_start(ap, format);
    const int n = vsnprintf(s, sizeof s, format, ap);
    va_end(ap);
    put(s, n > 0 && (size_t)n < sizeof s ? (size_t)n : 0);
}

/* Before a value: a comma if one is due. */
static void next(void)
{
    if (text.comma) put(",", 1);
    text.comma = true;
}

/* Text as it came: the page replaces bytes that are not UTF-8. */
static void put_quoted(const char *s)
{
    put("\"", 1);
    for (; *s != '\0'; s++) {
        const unsigned char c = (unsigned char)*s;
        if (c < 0x20 || c == '"' || c == '\\') put_format("\\u%04x", c);
        else put(s, 1);
    }
    put("\"", 1);
}

/* ----- values ---------------------------------------------------------------- */

void say_begin(void)
{
    text.n = 0;
    text.comma = text.failed = false;
    put("", 0);
}

const char *say_end(void)
{
    return text.failed ? web_no_memory() : text.at;
}

void say_open(char bracket)
{
    next();
    put(&bracket, 1);
    text.comma = false;
}

void say_close(char bracket)
{
    put(&bracket, 1);
    text.comma = true;
}

void say_key(const char *name)
{
    next();
    put_quoted(name);
    put(":", 1);
    text.comma = false;
}

void say_text(const char *s)
{
    next();
    if (s == NULL) put("null", 4);
    else put_quoted(s);
}

void say_real(double v)
{
    next();
    if (isnan(v)) put("null", 4);
    else if (isinf(v)) put_format("%s1e999", v < 0 ? "-" : "");
    else put_format("%.17g", v);
}

void say_int(int64_t v)
{
    next();
    put_format("%lld", (long long)v);
}

void say_bool(bool v)
{
    next();
    put_format("%s", v ? "true" : "false");
}

void say_key_text(const char *name, const char *s)
{
    say_key(name);
    say_text(s);
}

void say_key_real(const char *name, double v)
{
    say_key(name);
    say_real(v);
}

void say_key_int(const char *name, int64_t v)
{
    say_key(name);
    say_int(v);
}

void say_key_bool(const char *name, bool v)
{
    say_key(name);
    say_bool(v);
}

/* ----- the last error ---------------------------------------------------------- */

static const char *status_word(perc_status st)
{
    static const char *const word[] = {
        "OK", "ENOMEM", "EARG", "EDATA", "EIO", "ENO", "EUNDECIDED"
    };

    return (size_t)st < sizeof word / sizeof *word ? word[st] : "?";
}

WEB(const char *, web_error, void)
{
    say_begin();
    say_open('{');
    say_key_text("status", status_word(web_failure.status));
    say_key_text("message", web_failure.text);
    say_key_int("line", web_failure.line);
    say_key_int("column", web_failure.column);
    say_close('}');
    return say_end();
}
