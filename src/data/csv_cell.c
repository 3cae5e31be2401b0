/* csv_cell.c -- cells and records of CSV text.
 *
 * RFC 4180, with what real files add to it:
 *
 *     file   = {record | blank line}
 *     record = cell {delimiter cell} (LF | CR LF | end of text)
 *     cell   = blanks plain blanks
 *            | blanks '"' {any character but '"', or '""'} '"' blanks
 *
 * (With --quote, the quote is another character, or there is none.)
 *
 * - A quoted cell may hold delimiters, line ends and, doubled, quotes.
 * - Blanks (spaces; tabs too, unless they delimit) around a cell are not part of
 *   it; inside quotes they are. The RFC keeps them all; but "red, blue" is meant
 *   as two words by everyone who writes it, and numbers come padded.
 * - A line of blanks alone is no record.
 *
 * Refused, with the place: a quote inside a plain cell; anything but blanks
 * between a closing quote and the next delimiter; a quote that is never closed; a
 * carriage return alone; a NUL byte. Guessing what a broken quote meant would
 * silently move cells into other columns.
 *
 * The cursor looks at characters through a table of 256 classes, so that the loop
 * over a plain cell has one test a character. It never reads at or past `end`. */
#include "data/csv_cell.h"

#include <string.h>

#include "base/utf8.h"

enum { STOP = 1, BLANK = 2 };

void csv_cursor_init(struct cursor *s, const struct env *e, const char *text, size_t len,
                     char delimiter, char quote, perc_error *err)
{
    *s = (struct cursor){ .p = text,
                          .end = text + len,
                          .bol = text,
                          .delimiter = delimiter,
                          .quote = quote != '\0' ? (unsigned char)quote : -1,
                          .err = err };
    text_init(&s->buffer, e);
    s->class[' '] = s->class['\t'] = BLANK;
    s->class['\n'] = s->class['\r'] = s->class['\0'] = STOP;
    if (quote != '\0') s->class[(unsigned char)quote] = STOP;
    s->class[(unsigned char)delimiter] = STOP; /* after BLANK: it may be a tab */
}

void csv_cursor_free(struct cursor *s)
{
    text_free(&s->buffer);
}

static unsigned class_of_char(const struct cursor *s, const char *p)
{
    return s->class[(unsigned char)*p];
}

static void skip_blanks(struct cursor *s)
{
    while (s->p < s->end && class_of_char(s, s->p) == BLANK) s->p++;
}

/* A carriage return belongs to the line end that follows it; at the end
 * of the text the line feed may be missing. */
static bool at_line_end(const struct cursor *s)
{
    return s->p == s->end || *s->p == '\n' ||
           (*s->p == '\r' && (s->p + 1 == s->end || s->p[1] == '\n'));
}

void csv_cursor_end(struct cursor *s)
{
    if (s->p < s->end && *s->p == '\r') s->p++;
    if (s->p < s->end) s->p++;
    s->lines++;
    s->bol = s->p;
}

bool csv_cursor_record(struct cursor *s)
{
    while (s->p < s->end) {
        s->bol = s->p;
        skip_blanks(s);
        if (!at_line_end(s)) {
            s->p = s->bol;
            return true;
        }
        csv_cursor_end(s);
    }
    return false;
}

static perc_status cursor_fault(const struct cursor *s, const char *at, const char *why)
{
    return fail_at(s->err, PERC_EDATA, s->lines + 1, at - s->bol + 1, "%s", why);
}

/* Checks what ends a plain cell, or follows a quoted one. */
static perc_status check_stop(const struct cursor *s, bool quoted)
{
    if (at_line_end(s) || *s->p == s->delimiter) return PERC_OK;
    if (*s->p == '\0') return cursor_fault(s, s->p, "a NUL byte (is this a text file?)");
    if (*s->p == '\r')
        return cursor_fault(s, s->p, "a lone carriage return; lines must end in LF or CR LF");
    if (quoted)
        return cursor_fault(s, s->p,
                            "text after a closing quote (inside quotes, a quote is written twice)");
    return cursor_fault(
        s, s->p, "a quote inside a cell (put the cell in quotes, and write the quote twice)");
}

/* The part of a quoted cell up to q: no NUL, and its line ends are counted. */
static perc_status pass_lines(struct cursor *s, const char *q)
{
    const char *nul = memchr(s->p, '\0', (size_t)(q - s->p)), *stop = nul != NULL ? nul : q;
    const char *n;

    while ((n = memchr(s->p, '\n', (size_t)(stop - s->p))) != NULL) {
        s->lines++;
        s->bol = s->p = n + 1;
    }
    s->p = q;
    return nul == NULL ? PERC_OK : cursor_fault(s, nul, "a NUL byte (is this a text file?)");
}

/* p is on the opening quote. */
static perc_status quoted_cell(struct cursor *s, struct cell *out)
{
    const char *part = ++s->p, *q;
    perc_status st;

    out->quoted = true;
    for (;;) {
        q = memchr(s->p, s->quote, (size_t)(s->end - s->p));
        if (q == NULL)
            return fail_at(s->err, PERC_EDATA, out->line, out->column,
                           s->quote == '"'
                               ? "this quote is never closed (one inside a cell is written \"\")"
                               : "this quote is never closed (one inside a cell is written '')");
        if ((st = pass_lines(s, q))) return st;
        s->p = q + 1;
        if (s->p == s->end || *s->p != s->quote) break;
        if (!out->copied) s->buffer.len = 0;
        out->copied = true;
        text_add(&s->buffer, part, (size_t)(s->p - part)); /* with one of the two quotes */
        part = ++s->p;
    }
    if (out->copied) text_add(&s->buffer, part, (size_t)(q - part));
    if (s->buffer.oom) return fail_memory(s->err);
    out->text = out->copied ? s->buffer.s : part;
    out->len = out->copied ? s->buffer.len : (size_t)(q - part);
    skip_blanks(s);
    return check_stop(s, true);
}

perc_status csv_cursor_cell(struct cursor *s, struct cell *out)
{
    skip_blanks(s);
    out->line = s->lines + 1;
    out->column = s->p - s->bol + 1;
    out->quoted = out->copied = out->plain = false;
    if (s->p < s->end && (unsigned char)*s->p == s->quote) return quoted_cell(s, out);

    const char *p = s->p, *const end = s->end;
    out->text = p;
    while (p < end && !(class_of_char(s, p) & STOP)) p++;
    s->p = p;
    while (p > out->text && class_of_char(s, p - 1) == BLANK) p--;
    out->len = (size_t)(p - out->text);
    return check_stop(s, false);
}

perc_status csv_cursor_width(const struct cursor *s, size_t cells, size_t n)
{
    const int64_t line = s->lines + 1, column = s->p - s->bol + 1;

    if (cells < n)
        return fail_at(s->err, PERC_EDATA, line, column,
                       "the row ends after %zu of %zu cells (cells may be empty, with --missing)",
                       cells, n);
    return fail_at(s->err, PERC_EDATA, line, column + 1,
                   "the row has more than %zu cells (a cell with '%c' in it must be in quotes)", n,
                   s->delimiter == '\t' ? ' ' : s->delimiter);
}

static bool is_word(const char *text, const char *lower, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        const char c = text[i];
        if ((c >= 'A' && c <= 'Z' ? c | 0x20 : c) != lower[i]) return false;
    }
    return true;
}

bool csv_cell_is_missing(const char *text, size_t len)
{
    switch (len) {
    case 0: return true;
    case 1: return *text == '?';
    case 2: return is_word(text, "na", 2);
    case 3: return is_word(text, "nan", 3) || is_word(text, "n/a", 3);
    case 4: return is_word(text, "null", 4);
    default: return false;
    }
}

const char *csv_cell_show(const char *text, size_t len, char buf[CELL_BUFFER])
{
    const size_t n = utf8_cut(text, len, CELL_SHOWN);

    memcpy(buf, text, n);
    memcpy(buf + n, n < len ? "..." : "", n < len ? 4 : 1);
    return buf;
}
