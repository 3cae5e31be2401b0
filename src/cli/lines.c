/* lines.c -- standard input, line by line, as lines come.
 *
 * A program on the other end writes a line and waits for the answer, so what has
 * arrived is taken at once, and nothing is asked of the system while a whole line is
 * still there. A signal ends the waiting. */
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST = 1 << 16 };

void lines_free(struct lines *l)
{
    free(l->buf);
    *l = (struct lines){ 0 };
}

static const char *line_end(const struct lines *l)
{
    return l->to > l->seen ? memchr(l->buf + l->seen, '\n', l->to - l->seen) : NULL;
}

bool lines_ready(const struct lines *l)
{
    return line_end(l) != NULL;
}

/* Makes room after the start of the line; it grows until the line is too long. */
static bool make_line_room(struct lines *l)
{
    if (l->from > 0 && l->to > l->from) memmove(l->buf, l->buf + l->from, l->to - l->from);
    l->to -= l->from;
    l->seen -= l->from;
    l->from = 0;
    if (l->to < l->cap) return true;
    const size_t cap = l->cap > 0 ? 2 * l->cap : FIRST;
    char *buf = realloc(l->buf, cap);
    if (buf == NULL) return false;
    l->buf = buf;
    l->cap = cap;
    return true;
}

/* Takes what lies between `from` and `end`; the next line begins at `next`. */
static void cut_line(struct lines *l, const char **text, size_t *length, size_t end, size_t next)
{
    *text = l->buf + l->from;
    *length = end - l->from;
    l->from = l->seen = next;
}

enum lines_got lines_next(struct lines *l, const char **text, size_t *length)
{
    for (;;) {
        const char *end = line_end(l);
        const bool rest = l->cut; /* of a line that was too long, delivered already */

        if (interrupt_seen()) return LINES_INTERRUPTED;
        if (end != NULL) {
            const size_t at = (size_t)(end - l->buf);
            l->cut = false;
            cut_line(l, text, length, at, at + 1);
            if (!rest) return LINES_LINE;
            continue;
        }
        l->seen = l->to;
        if (l->to - l->from > PERC_LINE_MAX || (l->ended && l->to > l->from)) {
            l->cut = true;
            cut_line(l, text, length, l->to, l->to);
            if (!rest) return LINES_LINE;
            continue;
        }
        if (l->ended) return LINES_END;
        if (!make_line_room(l)) return LINES_MEMORY;
        if (!interrupt_wait(STDIN_FILENO)) return LINES_INTERRUPTED;
        const ssize_t n = read(STDIN_FILENO, l->buf + l->to, l->cap - l->to);
        if (n < 0 && errno != EINTR && errno != EAGAIN) return LINES_FAILED;
        l->ended = n == 0;
        if (n > 0) l->to += (size_t)n;
    }
}
