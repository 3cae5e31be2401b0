/* text.c -- a string that grows; the first failure sticks, the writer checks once. */
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "base/number.h"

void text_init(struct text *t, const struct env *e)
{
    *t = (struct text){ .e = *e };
}

/* Room for n more characters and the NUL. */
static bool reserve_text(struct text *t, size_t n)
{
    void *p = t->s;

    if (n < t->cap - t->len) return true;
    if (t->oom || n > SIZE_MAX - t->len - 1 || !mem_grow(&t->e, &p, &t->cap, t->len + n + 1, 1)) {
        t->oom = true;
        return false;
    }
    t->s = p;
    return true;
}

void text_add(struct text *t, const char *s, size_t len)
{
    if (!reserve_text(t, len)) return;
    if (len > 0) memcpy(t->s + t->len, s, len);
    t->len += len;
    t->s[t->len] = '\0';
}

void text_str(struct text *t, const char *s)
{
    text_add(t, s, strlen(s));
}

void text_fmt(struct text *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n < 0 || !reserve_text(t, (size_t)n)) {
        t->oom = true;
        return;
    }
    va_start(ap, fmt);
    vsnprintf(t->s + t->len, (size_t)n + 1, fmt, ap);
    va_end(ap);
    t->len += (size_t)n;
}

void text_uint(struct text *t, uint64_t v)
{
    char buf[20];
    size_t n = sizeof buf;

    do buf[--n] = (char)('0' + v % 10);
    while ((v /= 10) > 0);
    text_add(t, buf + n, sizeof buf - n);
}

void text_int(struct text *t, int64_t v)
{
    if (v < 0) text_char(t, '-');
    text_uint(t, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

void text_num(struct text *t, double v)
{
    char buf[NUMBER_TEXT];

    text_add(t, buf, number_format(v, buf));
}

void text_free(struct text *t)
{
    mem_free(&t->e, t->s, t->cap, 1);
    t->s = NULL;
    t->len = t->cap = 0;
}
