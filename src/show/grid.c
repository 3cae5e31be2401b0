/* grid.c -- a small table with aligned columns.
 *
 * The cells stand in one text, each closed by a NUL, and the widest cell of each
 * column is kept as they come. Printing walks the text once. Trailing blanks are
 * never printed, so that output can be compared and pasted. */
#include "show/grid.h"

#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "show/word.h"

enum { CELL = 256 };

struct grid {
    struct env e;
    char align[GRID_COLUMNS + 1];
    size_t columns, cells;
    size_t width[GRID_COLUMNS];
    struct text text;
};

struct grid *grid_new(const perc_env *env, const char *align)
{
    const struct env e = env_resolve(env);
    struct grid *g = mem_zeroed(&e, 1, sizeof *g);

    if (g == NULL) return NULL;
    g->e = e;
    snprintf(g->align, sizeof g->align, "%s", align);
    g->columns = strlen(g->align);
    text_init(&g->text, &e);
    return g;
}

/* The NUL goes in with the text: it ends the cell. */
void grid_cell(struct grid *g, const char *text)
{
    if (g == NULL) return;
    const size_t column = g->cells++ % g->columns, width = word_width(text);
    if (width > g->width[column]) g->width[column] = width;
    text_add(&g->text, text, strlen(text) + 1);
}

void grid_fmt(struct grid *g, const char *fmt, ...)
{
    char cell[CELL];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(cell, sizeof cell, fmt, ap);
    va_end(ap);
    grid_cell(g, cell);
}

/* Left cells are padded after the text, right cells before it; nothing is padded at the
 * end of a line. */
void grid_print(const struct grid *g, struct out *o, int indent)
{
    if (g == NULL || g->text.oom) {
        out_fail_memory(o);
        return;
    }
    const char *cell = g->text.s;
    int blanks = 0;

    for (size_t i = 0; i < g->cells; i++, cell += strlen(cell) + 1) {
        const size_t column = i % g->columns;
        const int pad = (int)(g->width[column] - word_width(cell));
        const bool right = g->align[column] == 'r';

        blanks = column == 0 ? indent : blanks + 2;
        blanks += right ? pad : 0;
        if (cell[0] != '\0') { /* blanks are held back until something follows */
            out_fmt(o, "%*s", blanks, "");
            out_text(o, cell);
            blanks = 0;
        }
        blanks += right ? 0 : pad;
        if (column + 1 == g->columns) out_text(o, "\n");
    }
}

void grid_free(struct grid *g)
{
    if (g == NULL) return;
    text_free(&g->text);
    const struct env e = g->e;
    mem_free(&e, g, 1, sizeof *g);
}
