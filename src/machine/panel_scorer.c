/* panel_scorer.c -- the scores of a kernel machine for many rows at once.
 *
 * Kernel values are what costs, so a row of the votes meets a panel once, however many
 * updates name it, and only if an update that counts does. They are computed TOGETHER
 * rows at a time, each followed by the updates that had waited for it: what was just computed
 * is still in the nearest cache when it is first used.
 *
 * Invariants  row[0 .. rows - 1] in the order in which turns first name them, so a turn
 *             names at most one row more than those before it.
 * Cost        for a panel: `rows` kernel values a row of it, PANEL additions an update
 *             (native votes: * classes); PANEL * rows numbers of memory a thread.
 * Votes       Freund, Schapire, Machine Learning 37(3), 1999, section 5. */
#include "machine/panel_scorer.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>

#include "kernel/gram.h"

enum { TOGETHER = 64 };

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

perc_status panel_scorer_open(struct panel_scorer *c)
{
    assert(c->moment.updates <= c->votes->n);
    const size_t rows = c->votes->rows;
    c->rows = c->turns = 0;
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
    return PERC_OK;
}

/* ----- one thread ------------------------------------------------------------------------- */

struct panel_scratch {
    const struct panel_scorer *c;
    struct panel panel;
    double *memory;
    size_t size;
    double *k;     /* rows lines: kernel values */
    double *f;     /* vectors + 1 lines: scores */
    double *votes; /* vectors lines, if they are counted */
};

enum { ALIGN = 64 / sizeof(double) };

perc_status panel_scratch_new(const struct panel_scorer *c, struct panel_scratch **out)
{
    struct panel_scratch *s = *out = mem_zeroed(&c->e, 1, sizeof *s);
    const size_t lines = c->rows + c->vectors + 1 + (c->voting ? c->vectors : 0);

    if (s == NULL) return PERC_ENOMEM;
    s->c = c;
    panel_init(&s->panel, &c->e, c->kernel.rounded);
    s->size = lines < SIZE_MAX / PANEL - 1 ? lines * PANEL + ALIGN - 1 : SIZE_MAX;
    s->memory = mem_array(&c->e, s->size, sizeof *s->memory);
    if (s->memory == NULL) {
        panel_scratch_free(s);
        *out = NULL;
        return PERC_ENOMEM;
    }
    s->f = s->memory + -((uintptr_t)s->memory / sizeof *s->memory) % ALIGN;
    s->votes = s->f + (c->vectors + 1) * PANEL;
    s->k = s->votes + (c->voting ? c->vectors : 0) * PANEL;
    return PERC_OK;
}

void panel_scratch_free(struct panel_scratch *s)
{
    if (s == NULL) return;
    const struct env e = s->c->e;
    panel_free(&s->panel);
    mem_free(&e, s->memory, s->size, sizeof *s->memory);
    mem_free(&e, s, 1, sizeof *s);
}

/* All turns, each as soon as the kernel values of its row are there. */
static void walk_all(struct panel_scratch *s)
{
    const struct panel_scorer *c = s->c;
    const double one = c->offset ? 1 : 0;
    size_t done = 0; /* rows */

    for (size_t from = 0, to; from < c->turns; from = to) {
        const size_t n = c->rows - done < TOGETHER ? c->rows - done : TOGETHER;
        gram_panel(&c->kernel, &s->panel, c->row + done, c->norm2 + done, n, s->k + done * PANEL);
        done += n;
        for (to = from; to < c->turns && c->turn[to].row < done; to++) {
        }
        const struct turn *t = c->turn + from;
        if (!c->voting) turns_add(t, to - from, s->k, s->f);
        else if (c->kind == KIND_NATIVE)
            turns_best(t, to - from, s->k, one, c->vectors, s->f, s->votes);
        else turns_own(t, to - from, s->k, one, s->f, s->votes);
    }
}

perc_status panel_scratch_scores(struct panel_scratch *s, const struct row *x, size_t n,
                                 double *out)
{
    const struct panel_scorer *c = s->c;

    assert(n <= PANEL);
    if (panel_fill(&s->panel, x, n)) return PERC_ENOMEM;
    for (size_t k = 0; k < (c->vectors + 1) * PANEL; k++) s->f[k] = 0;
    for (size_t k = 0; c->voting && k < c->vectors * PANEL; k++)
        s->votes[k] = c->kind == KIND_NATIVE && k < PANEL ? c->before : 0;
    walk_all(s);
    /* Votes become scores as in vote_counter.c: shares, or those for less those against. A score
     * that once was not finite has stayed so. */
    const double shown = (double)c->shown;
    for (size_t i = 0; i < n; i++, out += c->vectors) {
        bool finite = true;
        for (size_t v = 0; v < c->vectors; v++) {
            const double f = s->f[v * PANEL + i], votes = c->voting ? s->votes[v * PANEL + i] : 0;
            finite = finite && isfinite(f);
            if (!c->voting) out[v] = f + c->b[v];
            else if (c->kind == KIND_NATIVE) out[v] = c->shown > 0 ? votes / shown : v == 0;
            else out[v] = c->shown > 0 ? (votes - (shown - votes)) / shown : -1;
        }
        for (size_t v = 0; v < c->vectors && c->voting && !finite; v++) out[v] = NAN;
    }
    return PERC_OK;
}
