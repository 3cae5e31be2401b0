/* regions.c -- the outlines of equal cells of a grid.
 *
 * An outline is walked with the cells on its left. Each has an edge that goes to the right below
 * one of its cells, so that looking at those finds them all, each once.
 *
 * Between turns lie runs. A slanted border is a staircase: long runs and short ones of one cell,
 * turning left and right by turns. The middles of its runs lie on the border itself, so that a
 * run between two steps of one cell becomes one point; others keep their length and lose only
 * half a cell at each corner. Corners where three classes meet, and those on the border of the
 * grid, stay where they are. Every rule looks the same from both sides of a border. */
#include "show/regions.h"

struct corner {
    size_t x, y;
    int turn; /* 1: left, -1: right, 0: straight on */
    bool fixed;
};

struct outline {
    const struct env *e;
    const int *cell;
    size_t columns, rows;
    int class;
    unsigned char *seen; /* the lower edge of this cell was visited */
    struct corner *corner;
    size_t n, cap;
};

/* The class of a cell; outside the grid, one that no cell has. */
static int cell_class(const struct outline *w, size_t x, size_t y) /* x and y one larger */
{
    if (x == 0 || y == 0 || x > w->columns || y > w->rows) return -2;
    return w->cell[(y - 1) * w->columns + x - 1];
}

/* Whether several borders meet at this corner: three classes, or a chessboard. */
static bool is_fixed(const struct outline *w, size_t x, size_t y)
{
    if (x == 0 || y == 0 || x == w->columns || y == w->rows) return true;
    const int a = cell_class(w, x, y), b = cell_class(w, x + 1, y), c = cell_class(w, x, y + 1),
              d = cell_class(w, x + 1, y + 1);
    const int other = a != b ? b : a != c ? c : d;

    if ((b != a && b != other) || (c != a && c != other) || (d != a && d != other)) return true;
    return a == d && b == c && a != b;
}

/* One outline, from the lower edge of the cell (x, y): its corners. Directions: 0 right, 1 up,
 * 2 left, 3 down. */
static bool find_corners(struct outline *w, size_t x, size_t y)
{
    static const size_t left[4][2] = { { 1, 1 }, { 0, 1 }, { 0, 0 }, { 1, 0 } };
    static const size_t right[4][2] = { { 1, 0 }, { 1, 1 }, { 0, 1 }, { 0, 0 } };
    const size_t x0 = x, y0 = y;
    int way = 0;

    w->n = 0;
    do {
        if (way == 0) w->seen[y * w->columns + x] = 1;
        x = way == 0 ? x + 1 : way == 2 ? x - 1 : x;
        y = way == 1 ? y + 1 : way == 3 ? y - 1 : y;
        /* The cells ahead, left and right. */
        const bool l = cell_class(w, x + left[way][0], y + left[way][1]) == w->class;
        const bool r = cell_class(w, x + right[way][0], y + right[way][1]) == w->class;
        const int turn = !l ? 1 : r ? -1 : 0;
        const bool fix = is_fixed(w, x, y);
        if (turn != 0 || fix) {
            void *p = w->corner;
            if (!mem_grow(w->e, &p, &w->cap, w->n + 1, sizeof *w->corner)) return false;
            w->corner = p;
            w->corner[w->n++] = (struct corner){ x, y, turn, fix };
        }
        way = (way + turn + 4) % 4;
    } while (x != x0 || y != y0 || way != 0);
    return true;
}

static size_t run_length(const struct corner *a, const struct corner *b)
{
    return (a->x > b->x ? a->x - b->x : b->x - a->x) + (a->y > b->y ? a->y - b->y : b->y - a->y);
}

/* The points of the run from corner a to b; `soft`: only its middle. */
static void tell_run(const struct corner *a, const struct corner *b, bool soft, bool *first,
                     void (*corner)(void *, double, double, bool), void *ud)
{
    const double n = (double)run_length(a, b), dx = (double)b->x - (double)a->x,
                 dy = (double)b->y - (double)a->y;
    double at[3] = { a->fixed ? 0 : 0.5 / n, 1 - 0.5 / n, 0 };
    int points = b->fixed || (n == 1 && !a->fixed) ? 1 : 2; /* b, if fixed, begins the next run */

    if (soft) {
        at[0] = 0.5;
        points = 1;
    }
    for (int k = 0; k < points; k++) {
        corner(ud, (double)a->x + at[k] * dx, (double)a->y + at[k] * dy, *first);
        *first = false;
    }
}

static void tell_outline(const struct outline *w, void (*corner)(void *, double, double, bool),
                         void *ud)
{
    bool first = true;

    for (size_t i = 0; i < w->n; i++) {
        const struct corner *a = &w->corner[i], *b = &w->corner[(i + 1) % w->n];
        const struct corner *before = &w->corner[(i + w->n - 1) % w->n];
        const struct corner *after = &w->corner[(i + 2) % w->n];
        const bool soft = !a->fixed && !b->fixed && a->turn == -b->turn &&
                          run_length(before, a) == 1 && run_length(b, after) == 1;
        tell_run(a, b, soft, &first, corner, ud);
    }
}

bool regions_trace(const struct env *e, const int *cell, size_t columns, size_t rows, int class,
                   void (*corner)(void *ud, double x, double y, bool first), void *ud)
{
    struct outline w = { .e = e, .cell = cell, .columns = columns, .rows = rows, .class = class };
    bool ok = (w.seen = mem_zeroed(e, columns * rows, 1)) != NULL;

    for (size_t y = 0; ok && y < rows; y++)
        for (size_t x = 0; ok && x < columns; x++) {
            if (cell[y * columns + x] != class || cell_class(&w, x + 1, y) == class) continue;
            if (w.seen[y * columns + x]) continue;
            ok = find_corners(&w, x, y);
            if (ok) tell_outline(&w, corner, ud);
        }
    mem_free(e, w.corner, w.cap, sizeof *w.corner);
    mem_free(e, w.seen, columns * rows, 1);
    return ok;
}
