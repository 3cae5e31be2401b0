/* html.h -- a self-contained page of HTML: escaped text, tables, and a frame with its style
 * and its program inside.
 *
 * What comes from a file or a command line goes through html_text, html_put, a cell, or
 * html_json: none of it can become markup, whatever it is. Bytes that are not UTF-8, and control
 * characters, become U+FFFD. Markup is only what stands in a literal of the program. */
#ifndef PERC_SHOW_HTML_H
#define PERC_SHOW_HTML_H

#include "show/out.h"

/* As the text of an element, or inside the quotes of an attribute. */
void html_text(struct out *o, const char *s);
/* `markup` as it is, with each %s replaced by an escaped argument; %% is a %. No other
 * conversions. */
void html_put(struct out *o, const char *markup, ...) __attribute__((format(printf, 2, 3)));
/* <script type="application/json" id="ID">: a document that was composed with out_*. */
void html_json(struct out *o, const char *id, const char *json);

/* ----- tables --------------------------------------------------------------- */

struct html_table {
    struct out *o;
    const char *align; /* a letter per column: l, r; L, R: its cells name their rows */
    size_t column;
    bool body;
};
/* In a box that scrolls on its own if the table is too wide. */
void html_table(struct html_table *t, struct out *o, const char *caption, const char *align);
void html_head(struct html_table *t, const char *text); /* one per column, before the first row */
void html_heads(struct html_table *t, const char *const *text); /* several; NULL ends them */
void html_row(struct html_table *t);
void html_cell(struct html_table *t, const char *text);
void html_cell_count(struct html_table *t, uint64_t n);
void html_cell_num(struct html_table *t, double v); /* "–" unless it is finite */
void html_table_end(struct html_table *t);

/* ----- the page ------------------------------------------------------------- */

/* Everything up to <body>. Nothing may be loaded from elsewhere, and only the program of html_end
 * may run. */
void html_begin(struct out *o, const char *title, const char *description);
void html_end(struct out *o);

#endif
