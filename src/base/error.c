/* error.c -- filling a perc_error: one line of text, clean enough to print. */
#include "base/base.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

__attribute__((format(printf, 5, 0))) static perc_status fill(perc_error *err, perc_status st,
                                                              int64_t line, int64_t column,
                                                              const char *fmt, va_list ap)
{
    if (err == NULL) return st;
    err->status = st;
    err->line = line;
    err->column = column;
    if (vsnprintf(err->text, sizeof err->text, fmt, ap) < 0) err->text[0] = '\0';
    /* A message may quote the user's file, and cut it anywhere, so what is no character, or a
     * control, is shown as '?': a terminal must never be steered by the data it complains about. */
    char *to = err->text;
    uint32_t code;
    for (const char *s = err->text; *s != '\0';) {
        const size_t n = utf8_decode(s, SIZE_MAX, &code);
        const bool shown = n > 0 && !utf8_is_control(code);
        if (shown) memmove(to, s, n);
        else *to = '?';
        to += shown ? n : 1;
        s += n > 0 ? n : 1;
    }
    *to = '\0';
    return st;
}

perc_status fail(perc_error *err, perc_status st, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fill(err, st, 0, 0, fmt, ap);
    va_end(ap);
    return st;
}

perc_status fail_at(perc_error *err, perc_status st, int64_t line, int64_t column, const char *fmt,
                    ...)
{
    va_list ap;
    va_start(ap, fmt);
    fill(err, st, line, column, fmt, ap);
    va_end(ap);
    return st;
}

perc_status fail_memory(perc_error *err)
{
    return fail(err, PERC_ENOMEM, "out of memory");
}

perc_status fail_need(perc_error *err, const char *function, const char *condition)
{
    const char *sized = strstr(function, "_sized"); /* behind a macro of the name without it */
    const size_t n = sized != NULL ? (size_t)(sized - function) : strlen(function);

    return fail(err, PERC_EARG, "%.*s needs %s", (int)n, function, condition);
}

perc_status fail_errno(perc_error *err, const char *what, const char *path)
{
    const int code = errno;
    char reason[128];

    /* The POSIX strerror_r: base is compiled without _GNU_SOURCE. */
    if (strerror_r(code, reason, sizeof reason) != 0)
        snprintf(reason, sizeof reason, "error %d", code);
    /* A long path may not push out the reason. */
    const size_t n = strlen(path), shown = utf8_cut(path, n, 120);
    return fail(err, PERC_EIO, "cannot %s %.*s%s: %s", what, (int)shown, path,
                shown < n ? "..." : "", reason);
}
