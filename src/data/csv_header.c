/* csv_header.c -- one table in several files: the header of each is that of the first.
 *
 * The same names in another order would be read into other columns, and a first line that is no
 * header would be a row that is passed over: so cell by cell the headers are the same, or the file
 * is refused with the first difference. */
#include <string.h>

#include "base/number.h"
#include "data/csv.h"
#include "data/csv_cell.h"

perc_status csv_header_keep(struct csv *c, const char *text, size_t len, perc_error *err)
{
    struct cursor s;
    struct cell name;
    perc_status st = PERC_OK;

    if (!c->skip_first) return PERC_OK;
    csv_cursor_init(&s, &c->schema.e, text, len, c->delimiter, notation_quote(&c->schema.notation),
                    err);
    csv_cursor_record(&s);
    const char *begin = s.p;
    while (!(st = csv_cursor_cell(&s, &name)) && !cursor_at_end(&s)) s.p++;
    if (!st && (c->header = mem_text(&c->schema.e, begin, (size_t)(s.p - begin))) == NULL)
        st = fail_memory(err);
    csv_cursor_free(&s);
    return st;
}

/* Two headers, cell by cell. */
struct headers {
    struct cursor kept, other;
    struct cell want, is;
    size_t n; /* cells that are the same */
    const char *like;
    perc_error *err;
};

static bool is_number(const struct cell *c)
{
    double v;

    return number_parse(c->text, c->len, &v);
}

static perc_status refuse_name(const struct headers *h)
{
    char is[CELL_BUFFER], want[CELL_BUFFER];

    if (is_number(&h->is) && !is_number(&h->want))
        return fail_at(h->err, PERC_EDATA, h->is.line, h->is.column,
                       "this is no header, and %.60s has one: column %zu is '%s' (give all files "
                       "the same header, or none)",
                       h->like, h->n + 1, csv_cell_show(h->want.text, h->want.len, want));
    return fail_at(h->err, PERC_EDATA, h->is.line, h->is.column,
                   "column %zu is '%s', and in %.60s it is '%s' (all files need the same header)",
                   h->n + 1, csv_cell_show(h->is.text, h->is.len, is), h->like,
                   csv_cell_show(h->want.text, h->want.len, want));
}

static perc_status compare_cells(struct headers *h)
{
    perc_status st;

    for (;; h->n++, h->kept.p++, h->other.p++) {
        if ((st = csv_cursor_cell(&h->kept, &h->want)) || (st = csv_cursor_cell(&h->other, &h->is)))
            return st;
        if (h->want.len != h->is.len || memcmp(h->want.text, h->is.text, h->is.len) != 0)
            return refuse_name(h);
        if (cursor_at_end(&h->kept) != cursor_at_end(&h->other))
            return fail_at(h->err, PERC_EDATA, h->is.line, 0,
                           "the header has %s columns than that of %.60s (all files need the same "
                           "header)",
                           cursor_at_end(&h->kept) ? "more" : "fewer", h->like);
        if (cursor_at_end(&h->kept)) return PERC_OK;
    }
}

perc_status csv_header_check(const struct csv *c, const char *text, size_t len, const char *like,
                             perc_error *err)
{
    struct headers h = { .like = like, .err = err };
    perc_status st = PERC_OK;

    if (c->header == NULL) return PERC_OK;
    csv_cursor_init(&h.kept, &c->schema.e, c->header, strlen(c->header), c->delimiter,
                    notation_quote(&c->schema.notation), err);
    csv_cursor_init(&h.other, &c->schema.e, text, len, c->delimiter,
                    notation_quote(&c->schema.notation), err);
    if (csv_cursor_record(&h.other)) st = compare_cells(&h);
    csv_cursor_free(&h.kept);
    csv_cursor_free(&h.other);
    return st;
}
