/* panel_scorer.c -- the scores of a kernel machine for many rows at once.
 *
 * Kernel values are what costs, so a row of the votes meets a panel once, however many
 * updates name it, and only if an update that counts does. They are computed a bundle of
 * rows at a time (vec/bundle.h), for all panels, and followed by the updates that had waited for
 * them: what was just computed is still in a near cache when it is first used.
 *
 * Invariants  row[0 .. rows - 1] in the order in which turns first name them, so a turn
 *             names at most one row more than those before it.
 * Cost        for a panel: `rows` kernel values a row of it, PANEL additions an update
 *             (native votes: * classes); PANELS * PANEL * rows numbers of memory a thread, or
 *             PANEL * rows where that is much.
 * Votes       Freund, Schapire, Machine Learning 37(3), 1999, section 5. */
#include "machine/panel_scorer.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>

#include "kernel/gram.h"

enum { PANELS = SCORER_ROWS / PANEL };
#define BUNDLE_BYTES 64e6 /* of bundles that are kept */

/* ----- made ready ------------------------------------------------------------------------ */

void panel_scorer_close(struct panel_scorer *c)
{
    pool_free(&c->pool);
    *c = (struct panel_scorer){ .e = c->e };
}

/* The updates that count, by the numbers of their rows in the votes. Vectors at or beyond
 * c->vectors have no say; of a pair, one may have. */
static void list_turns(struct panel_scorer *c)
{
    const size_t n = c->voting ? c->votes->n : c->moment.updates;

    for (size_t k = 0; k < n; k++) {
        const struct vote *one = &c->votes->vote[k];
        const uint32_t down = one->down < c->vectors ? one->down : NO_TURN;
        const uint32_t nobody = (uint32_t)c->vectors; /* a line that is not looked at */
        if (one->up >= c->vectors && (c->voting || down == NO_TURN)) continue;
        c->turn[c->turns++] = (struct turn){ .step = c->voting ? one->step
                                                               : moment_step(&c->moment, one),
                                             .stood = (double)one->at, /* until measure_stands */
                                             .row = one->row,
                                             .up = one->up < c->vectors ? one->up : nobody,
                                             .down = down };
    }
}

/* How long each machine stood: until the next update of its vector; native: of any. */
static void measure_stands(struct panel_scorer *c, double *next)
{
    const bool native = c->kind == KIND_NATIVE;

    c->before = (double)(c->votes->n > 0 ? c->votes->vote[0].at - 1 : c->shown);
    for (size_t i = 0; i < (native ? 1 : c->vectors); i++) next[i] = (double)c->shown + 1;
    for (size_t k = c->turns; k-- > 0;) {
        struct turn *t = &c->turn[k];
        double *until = &next[native ? 0 : t->up];
        const double at = t->stood;
        t->stood = *until - at;
        *until = at;
    }
}

/* Cuts the rows into bundles, and keeps these as long as they do not take too much memory. */
static bool make_bundles(struct panel_scorer *c)
{
    struct bundle_room *room = pool_array(&c->pool, 1, sizeof *room);
    double bytes = 0;

    c->bundle = pool_array(&c->pool, c->rows, sizeof *c->bundle);
    if (c->pool.failed) return false;
    for (size_t at = 0; at < c->rows && !c->pool.failed; c->bundles++) {
        struct bundle *b = &c->bundle[c->bundles];
        const size_t panels = bytes < BUNDLE_BYTES && !c->one ? PANELS : 1;
        at += bundle_fill(b, room, c->row + at, c->rows - at, panels);
        if (b->strips == 0) continue;
        c->packed = true;
        const size_t starts = bundle_starts(b), n = bundle_entries(b);
        b->start = pool_copy(&c->pool, b->start, starts, sizeof *b->start);
        b->column = pool_copy(&c->pool, b->column, n, sizeof *b->column);
        b->value = pool_copy(&c->pool, b->value, n, sizeof *b->value);
        bytes += (double)(starts * sizeof *b->start + n * (sizeof *b->column + sizeof *b->value));
    }
    return !c->pool.failed;
}

perc_status panel_scorer_open(struct panel_scorer *c)
{
    assert(c->moment.updates <= c->votes->n);
    const size_t rows = c->votes->rows;
    c->rows = c->turns = c->bundles = 0;
    c->packed = false;
    pool_init(&c->pool, &c->e);
    c->row = pool_array(&c->pool, rows, sizeof *c->row);
    c->norm2 = pool_array(&c->pool, rows, sizeof *c->norm2);
    c->turn = pool_array(&c->pool, c->votes->n, sizeof *c->turn);
    uint32_t *number = pool_zeroed(&c->pool, rows, sizeof *number); /* 1 + the new number */
    double *next = pool_array(&c->pool, c->vectors + 1, sizeof *next);
    if (c->pool.failed) {
        panel_scorer_close(c);
        return PERC_ENOMEM;
    }
    list_turns(c);
    for (size_t k = 0; k < c->turns; k++) { /* the rows that turns name, numbered in that order */
        uint32_t *to = &number[c->turn[k].row];
        if (*to == 0) {
            c->row[c->rows] = votes_row(c->votes, c->turn[k].row);
            c->norm2[c->rows] = kernel_norm2(&c->kernel, &c->row[c->rows]);
            *to = (uint32_t)++c->rows;
        }
        c->turn[k].row = *to - 1;
    }
    if (c->voting) measure_stands(c, next);
    if (make_bundles(c)) return PERC_OK;
    panel_scorer_close(c);
    return PERC_ENOMEM;
}

/* ----- one thread ------------------------------------------------------------------------- */

/* A panel and what is known of its rows, in lines of PANEL numbers. */
struct panel_sums {
    struct panel panel;
    double *k;     /* rows lines: kernel values */
    double *f;     /* vectors + 1 lines: scores */
    double *votes; /* vectors lines, if they are counted */
};

struct panel_scratch {
    const struct panel_scorer *c;
    double *memory;
    size_t size;
    size_t most; /* panels at a time */
    struct panel_sums of[PANELS];
};

enum {
    ALIGN = 64 / sizeof(double),
    NUMBERS_MAX = 4 << 20 /* of a thread, where there are several panels: 32 MiB */
};

perc_status panel_scratch_new(const struct panel_scorer *c, struct panel_scratch **out)
{
    struct panel_scratch *s = *out = mem_zeroed(&c->e, 1, sizeof *s);
    const size_t votes = c->voting ? c->vectors : 0, lines = c->rows + c->vectors + 1 + votes;

    if (s == NULL) return PERC_ENOMEM;
    s->c = c;
    for (size_t j = 0; j < PANELS; j++) panel_init(&s->of[j].panel, &c->e, c->kernel.rounded);
    s->most = c->packed && lines < NUMBERS_MAX / PANEL / PANELS ? PANELS : 1;
    s->size = lines < SIZE_MAX / PANEL / PANELS - 1 ? lines * PANEL * s->most + ALIGN - 1
                                                    : SIZE_MAX;
    s->memory = mem_array(&c->e, s->size, sizeof *s->memory);
    if (s->memory == NULL) {
        panel_scratch_free(s);
        *out = NULL;
        return PERC_ENOMEM;
    }
    double *line = s->memory + -((uintptr_t)s->memory / sizeof *s->memory) % ALIGN;
    for (size_t j = 0; j < s->most; j++, line += lines * PANEL) {
        s->of[j].f = line;
        s->of[j].votes = line + (c->vectors + 1) * PANEL;
        s->of[j].k = s->of[j].votes + votes * PANEL;
    }
    return PERC_OK;
}

void panel_scratch_free(struct panel_scratch *s)
{
    if (s == NULL) return;
    const struct env e = s->c->e;
    for (size_t j = 0; j < PANELS; j++) panel_free(&s->of[j].panel);
    mem_free(&e, s->memory, s->size, sizeof *s->memory);
    mem_free(&e, s, 1, sizeof *s);
}

size_t panel_scratch_rows(const struct panel_scratch *s)
{
    return s->most * PANEL;
}

/* n turns from t on, in one panel. */
static void add_turns(const struct panel_scorer *c, struct panel_sums *of, const struct turn *t,
                      size_t n)
{
    const double one = c->offset ? 1 : 0;

    if (!c->voting) turns_add(t, n, of->k, of->f);
    else if (c->kind == KIND_NATIVE) turns_best(t, n, of->k, one, c->vectors, of->f, of->votes);
    else turns_own(t, n, of->k, one, of->f, of->votes);
}

/* All turns, each as soon as the kernel values of its row are there. */
static void walk_all(struct panel_scratch *s, size_t panels)
{
    const struct panel_scorer *c = s->c;
    size_t done = 0, from = 0; /* rows, turns */

    for (const struct bundle *b = c->bundle; b < c->bundle + c->bundles; b++) {
        size_t to = from;
        while (to < c->turns && c->turn[to].row < done + b->rows) to++;
        for (size_t j = 0; j < panels; j++) {
            struct panel_sums *of = &s->of[j];
            gram_bundle(&c->kernel, &of->panel, b, c->norm2 + done, of->k + done * PANEL);
            add_turns(c, of, c->turn + from, to - from);
        }
        done += b->rows;
        from = to;
    }
}

perc_status panel_scratch_scores(struct panel_scratch *s, const struct row *x, size_t n,
                                 double *out)
{
    const struct panel_scorer *c = s->c;
    const size_t panels = (n + PANEL - 1) / PANEL;

    assert(n <= panel_scratch_rows(s));
    for (size_t j = 0; j < panels; j++) {
        const size_t left = n - j * PANEL;
        struct panel_sums *of = &s->of[j];
        if (panel_fill(&of->panel, x + j * PANEL, left < PANEL ? left : PANEL)) return PERC_ENOMEM;
        for (size_t k = 0; k < (c->vectors + 1) * PANEL; k++) of->f[k] = 0;
        for (size_t k = 0; c->voting && k < c->vectors * PANEL; k++)
            of->votes[k] = c->kind == KIND_NATIVE && k < PANEL ? c->before : 0;
    }
    walk_all(s, panels);
    /* Votes become scores as in vote_counter.c: shares, or those for less those against. A score
     * that once was not finite has stayed so. */
    const double shown = (double)c->shown;
    for (size_t i = 0; i < n; i++, out += c->vectors) {
        const struct panel_sums *of = &s->of[i / PANEL];
        bool finite = true;
        for (size_t v = 0; v < c->vectors; v++) {
            const size_t at = v * PANEL + i % PANEL;
            const double f = of->f[at], votes = c->voting ? of->votes[at] : 0;
            finite = finite && isfinite(f);
            if (!c->voting) out[v] = f + c->b[v];
            else if (c->kind == KIND_NATIVE) out[v] = c->shown > 0 ? votes / shown : v == 0;
            else out[v] = c->shown > 0 ? (votes - (shown - votes)) / shown : -1;
        }
        for (size_t v = 0; v < c->vectors && c->voting && !finite; v++) out[v] = NAN;
    }
    return PERC_OK;
}
