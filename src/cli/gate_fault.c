/* gate_fault.c -- a formula, or values, with a fault: the line with a caret under the place. */
#include "cli/gate.h"

#include <stdio.h>
#include <string.h>

#include "show/word.h"

enum { SHOWN = 60 }; /* characters of a faulty line, before and after the place */

/* Line `line` of a text, and its length. */
static const char *line_of(const char *text, int64_t line, size_t *len)
{
    while (line > 1 && strchr(text, '\n') != NULL) {
        text = strchr(text, '\n') + 1;
        line--;
    }
    *len = strcspn(text, "\n");
    return text;
}

/* Prints n bytes of a user's text; returns how many columns they take. */
static size_t put_clean(const char *s, size_t n)
{
    size_t columns = 0;

    for (size_t i = 0, len; i<n; i += len> 0 ? len : 1, columns++) {
        if ((len = word_char(s + i, n - i)) > 0) fwrite(s + i, 1, len, stderr);
        else fputc(s[i] == '\t' || s[i] == '\r' ? ' ' : '?', stderr);
    }
    return columns;
}

/* The formula is an argument: a fault in it is wrong usage. */
int gate_fault(const struct cli *cli, const char *what, const char *text, const perc_error *err)
{
    if (err->status != PERC_EDATA) return cli_fail(cli, NULL, err);
    if (text == NULL || err->line == 0) return cli_usage(cli, "%s", err->text);
    if (strchr(text, '\n') != NULL)
        fprintf(stderr, "perceptron gate: %s:%lld:%lld: ", what, (long long)err->line,
                (long long)err->column);
    else fprintf(stderr, "perceptron gate: %s:%lld: ", what, (long long)err->column);
    put_clean(err->text, strlen(err->text));
    fputc('\n', stderr);
    /* The line with a caret under the column, both cut where they are long. */
    size_t len, at = err->column > 0 ? (size_t)err->column - 1 : 0, from = 0;
    const char *line = line_of(text, err->line, &len);
    if (at > len) at = len;
    size_t to = at + SHOWN < len ? at + SHOWN : len;
    if (at > SHOWN) from = at - SHOWN;
    while (from > 0 && ((unsigned char)line[from] & 0xc0) == 0x80)
        from--; /* not in the middle of a character */
    while (to < len && ((unsigned char)line[to] & 0xc0) == 0x80) to++;
    fprintf(stderr, "  %s", from > 0 ? "..." : "");
    const size_t before = put_clean(line + from, at - from);
    put_clean(line + at, to - at);
    fprintf(stderr, "%s\n  %s%*s^\n", to < len ? "..." : "", from > 0 ? "   " : "", (int)before,
            "");
    return EXIT_USAGE;
}
