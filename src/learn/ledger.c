/* ledger.c -- scores of the training rows, kept up to date as far as they are needed: windows
 * of rows, and the mistakes in them. What a row waits for is added by sweep.c.
 *
 * Mistakes inside a window are added when the first row after them is asked for: to the rows of its
 * panel, PANEL rows of the window that stand together; the rows of later panels wait until their
 * turn comes, and get all mistakes since the window was opened at once. Each pair of a row and an
 * update is thus computed once, by the sweep before the window or in it. The sweep has threads and
 * the window does not, so windows are short compared to a pass (1 in 8 rows at most). */
#include "learn/ledger.h"

#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "learn/sweep.h"

enum {
    WINDOW_MIN = 64,
    WINDOW_MAX = 4096,
    SURVEY = 1024,  /* rows that ledger_tally takes at a time */
    MISTAKES = 128, /* that a window is made for              */
    NO_PLACE = -1
};
#define WINDOW_BYTES ((double)(4 << 20)) /* of the sums of a window */
#define WINDOW_WORK  4e9                 /* products: some tenths of a second */

struct ledger {
    struct env e;
    struct fit *fit;
    struct learner *l;
    struct machine_expanded *m; /* that of l */
    int64_t class_changes;      /* of its classes, as the sums have them */
    uint64_t removals;          /* of its votes, likewise */
    struct sweep *sweep;
    struct row_sums sums;
    struct pool pool; /* of the arrays that do not grow */
    size_t *base;     /* rows before each block of the data */
    double entries;   /* of a row, on average; at most, where they are mapped */
    uint64_t work;
    bool anew; /* nothing is known of any row */

    struct sweep_window window; /* those of the rows taken that are not set aside */
    int32_t *place;             /* by row taken: its place there */
    double *f;                  /* their sums: f[(panel * vectors + c) * PANEL + column] */
    size_t f_cap;
    size_t next;            /* of the window: asked for next */
    size_t opened;          /* updates in the sums as it was opened, and in those of later panels */
    struct panel panel;     /* that of the row asked for last, once it has waited for something */
    size_t at;              /* its number */
    bool filled;            /* it has its rows */
    size_t known;           /* updates in its sums */
    size_t shown;           /* updates when a row was last asked for */
    size_t mistakes, taken; /* in this window */
    double rate;            /* of mistakes, recently */
    double *scores;
    size_t scores_cap;

    struct sweep_window survey;
};

/* ----- making one --------------------------------------------------------------- */

static size_t window_room(const struct ledger *g)
{
    return g->sums.rows < WINDOW_MAX ? g->sums.rows : WINDOW_MAX;
}

perc_status ledger_new(struct fit *f, double cache, struct ledger **out, perc_error *err)
{
    const struct env *e = &f->learner->e;
    double rows = 0;

    *out = NULL;
    for (size_t k = 0; k < f->block_count; k++) rows += (double)f->blocks[k].rows;
    if (cache > 0 && cache < 8 * rows)
        return fail(err, PERC_EARG,
                    "--cache is %.0f bytes, and one row of kernel values takes %.0f (8 for each "
                    "row of the data): allow at least %g MB, or 0 for none",
                    cache, 8 * rows, 8 * rows / 1e6);
    struct ledger *g = mem_zeroed(e, 1, sizeof *g);
    if (g == NULL) return fail_memory(err);
    g->e = *e;
    g->fit = f;
    g->l = f->learner;
    g->m = machine_expansion_of(g->l->machine);
    g->removals = g->m->k.voted.votes.removals;
    g->sums.rows = (size_t)rows;
    g->entries = f->lens.map != NULL ? (double)f->lens.cap : (double)f->entries / (rows + 1);
    g->anew = true;
    g->rate = 1;
    const size_t room = window_room(g);
    pool_init(&g->pool, e);
    g->base = pool_array(&g->pool, f->block_count, sizeof *g->base);
    g->sums.done = pool_array(&g->pool, g->sums.rows, sizeof *g->sums.done);
    g->place = pool_array(&g->pool, room, sizeof *g->place);
    if (g->pool.failed || sweep_window_new(&g->window, e, room) ||
        sweep_new(e, g->m, &g->sums, cache, &g->sweep)) {
        ledger_free(g);
        return fail_memory(err);
    }
    panel_init(&g->panel, e, g->m->k.sums->kernel.rounded);
    for (size_t k = 0, n = 0; k < f->block_count; n += f->blocks[k++].rows) g->base[k] = n;
    *out = g;
    return PERC_OK;
}

void ledger_free(struct ledger *g)
{
    if (g == NULL) return;
    const struct env e = g->e;
    panel_free(&g->panel);
    pool_free(&g->pool);
    mem_free(&e, g->sums.f, g->sums.cap, sizeof *g->sums.f);
    mem_free(&e, g->f, g->f_cap, sizeof *g->f);
    mem_free(&e, g->scores, g->scores_cap, sizeof *g->scores);
    sweep_window_free(&g->window, &e);
    sweep_window_free(&g->survey, &e);
    sweep_free(g->sweep);
    mem_free(&e, g, 1, sizeof *g);
}

uint64_t ledger_work(struct ledger *g)
{
    const uint64_t work = g->work;

    g->work = 0;
    return work;
}

/* Updates were taken out: sums in which they were begin anew. */
static void follow_removals(struct ledger *g)
{
    const struct votes *v = &g->m->k.voted.votes;
    const size_t from = v->removals == g->removals + 1 ? v->removed_from : 0;
    const size_t line = g->sums.vectors * PANEL, ends = (g->window.n + PANEL - 1) / PANEL * line;

    if (v->removals == g->removals) return;
    g->removals = v->removals;
    for (size_t j = 0; j < g->sums.rows; j++)
        if (g->sums.done[j] > from) g->sums.done[j] = 0;
    if (g->known > from && g->window.n > 0) {
        g->known = 0;
        memset(g->f + g->at * line, 0, line * sizeof *g->f);
    }
    if (g->opened > from && g->window.n > 0) {
        g->opened = 0;
        memset(g->f + (g->at + 1) * line, 0, (ends - (g->at + 1) * line) * sizeof *g->f);
    }
}

/* Room for the sums of so many vectors: at once for all classes that may come, and no number of
 * them is touched, so that a class that comes costs a count a row. */
static perc_status reserve_sums(struct ledger *g, size_t vectors)
{
    struct row_sums *s = &g->sums;
    const size_t all = g->l->most + 1, room = vectors > 2 && all > vectors ? all : vectors;

    s->vectors = vectors;
    if (s->f != NULL && s->rows * vectors <= s->cap) return PERC_OK;
    mem_free(&g->e, s->f, s->cap, sizeof *s->f);
    s->cap = s->rows > SIZE_MAX / room ? SIZE_MAX : s->rows * room;
    s->f = mem_array(&g->e, s->cap, sizeof *s->f);
    return s->f != NULL ? PERC_OK : PERC_ENOMEM;
}

/* Empty sums for the classes there are now, if these have changed. */
static perc_status follow_classes(struct ledger *g)
{
    const size_t vectors = learner_vectors(g->l);

    follow_removals(g);
    if (!g->anew && g->class_changes == g->l->machine->class_changes) return PERC_OK;
    if (!g->anew) sweep_forget(g->sweep);
    g->anew = true;
    if (reserve_sums(g, vectors) || learner_room(g->l, vectors) ||
        !MEM_GROW(&g->e, g->scores, &g->scores_cap, vectors))
        return PERC_ENOMEM;
    for (size_t j = 0; j < g->sums.rows; j++) g->sums.done[j] = 0;
    g->window.n = g->next = g->taken = 0;
    g->class_changes = g->l->machine->class_changes;
    g->anew = false;
    return PERC_OK;
}

/* ----- a window -------------------------------------------------------------------- */

/* The sums of row i of the window: one for each vector, PANEL apart. */
static double *window_sums(const struct ledger *g, size_t i)
{
    return g->f + i / PANEL * g->sums.vectors * PANEL + i % PANEL;
}

/* Copies the sums of rows i .. to - 1 of the window back to those of all rows, where they are
 * ahead of these. */
static void put_back(struct ledger *g, size_t i, size_t to)
{
    const size_t vectors = g->sums.vectors;

    for (; i < to; i++) {
        const size_t j = g->window.number[i], known = i / PANEL == g->at ? g->known : g->opened;
        if (g->sums.done[j] >= known) continue;
        for (size_t c = 0; c < vectors; c++)
            g->sums.f[j * vectors + c] = window_sums(g, i)[c * PANEL];
        g->sums.done[j] = known;
    }
}

/* Goes on to a panel of the window. If a tally has brought its rows further, all of them equally
 * far, that is where they begin. */
static void enter_panel(struct ledger *g, size_t panel)
{
    const size_t from = panel * PANEL, vectors = g->sums.vectors;
    const size_t to = g->window.n - from < PANEL ? g->window.n : from + PANEL;
    const size_t done = g->sums.done[g->window.number[from]];
    bool alike = done > g->opened;

    g->at = panel;
    g->filled = false;
    g->known = g->opened;
    for (size_t i = from; i < to; i++) alike &= g->sums.done[g->window.number[i]] == done;
    if (!alike) return;
    g->known = done;
    for (size_t i = from; i < to; i++)
        for (size_t c = 0; c < vectors; c++)
            window_sums(g, i)[c * PANEL] = g->sums.f[g->window.number[i] * vectors + c];
}

/* Rows of the next window: enough for some mistakes, few compared to a pass; their sums within
 * bounds, and what they wait for, judged by the first, too. */
static size_t window_size(const struct ledger *g, size_t first)
{
    const double waits = (double)(g->m->k.voted.votes.n - g->sums.done[first]);
    const double bytes = 8 * (double)g->sums.vectors;
    double n = MISTAKES / (g->rate + 1e-9);

    if (n > (double)g->sums.rows / 8) n = (double)g->sums.rows / 8;
    if (n < WINDOW_MIN) n = WINDOW_MIN;
    if (n * bytes > WINDOW_BYTES) n = WINDOW_BYTES / bytes;
    if (n * waits * (g->entries + 16) > WINDOW_WORK) n = WINDOW_WORK / waits / (g->entries + 16);
    if (n < PANEL) n = PANEL;
    return n < (double)window_room(g) ? (size_t)n : window_room(g);
}

static const struct block *row_place(const struct ledger *g, uint64_t ref, size_t *i,
                                     size_t *number)
{
    *i = (size_t)(ref & UINT32_MAX);
    *number = g->base[ref >> 32] + *i;
    return &g->fit->blocks[ref >> 32];
}

/* Adds row `ref` to a window. */
static perc_status add_to_window(const struct ledger *g, struct sweep_window *to, uint64_t ref)
{
    size_t i, number;
    const struct block *b = row_place(g, ref, &i, &number);
    const struct row x = lens_row(&g->fit->lens, b, i);

    return sweep_window_add(to, &g->e, number, &x, g->fit->lens.map != NULL);
}

/* Mistakes since this was last called: 0 or 1. */
static void count_mistakes(struct ledger *g)
{
    g->mistakes += g->m->k.voted.votes.n > g->shown;
    g->shown = g->m->k.voted.votes.n;
}

perc_status ledger_open_window(struct ledger *g, const uint64_t *ref, size_t n, size_t *taken)
{
    size_t i, number;

    *taken = 0;
    if (follow_classes(g)) return PERC_ENOMEM;
    put_back(g, g->next, g->window.n);
    count_mistakes(g);
    if (g->taken > 0) g->rate = (g->rate + (double)g->mistakes / (double)g->taken) / 2;
    g->window.n = g->next = g->taken = g->mistakes = 0;
    row_place(g, ref[0], &i, &number);
    const size_t size = window_size(g, number);
    if (n > size) n = size;
    sweep_window_clear(&g->window);
    for (size_t k = 0; k < n; k++) {
        const struct block *b = row_place(g, ref[k], &i, &number);
        g->place[k] = NO_PLACE;
        if (g->l->kind != KIND_REST && machine_skips(g->l->machine, (int64_t)(b->first_row + i), 0))
            continue;
        g->place[k] = (int32_t)g->window.n;
        if (add_to_window(g, &g->window, ref[k])) return PERC_ENOMEM;
    }
    sweep_window_close(&g->window);
    const size_t vectors = g->sums.vectors, panels = (g->window.n + PANEL - 1) / PANEL;
    if (sweep_rows(g->sweep, &g->window, &g->work) ||
        !MEM_GROW(&g->e, g->f, &g->f_cap, panels * vectors * PANEL)) {
        g->window.n = 0;
        return PERC_ENOMEM;
    }
    for (size_t k = 0; k < panels * PANEL; k++)
        for (size_t c = 0; c < vectors; c++)
            window_sums(g, k)[c * PANEL] = k < g->window.n
                                               ? row_sums_at(&g->sums, g->window.number[k], c)
                                               : 0;
    g->opened = g->known = g->m->k.voted.votes.n;
    g->at = 0;
    g->filled = false;
    *taken = g->taken = n;
    return PERC_OK;
}

const struct row *ledger_row(const struct ledger *g, size_t i)
{
    return &g->window.x[g->place[i]];
}

/* Adds the updates that the panel waits for, by BUNDLE rows at a time. */
static perc_status follow_updates(struct ledger *g)
{
    const struct votes *v = &g->m->k.voted.votes;
    const size_t first = g->at * PANEL, left = g->window.n - first;
    double k[BUNDLE * PANEL], norm2[BUNDLE];
    struct row x[BUNDLE];

    if (g->known == v->n) return PERC_OK;
    if (expansion_follow(g->m->k.sums, v)) return PERC_ENOMEM;
    if (!g->filled && panel_fill(&g->panel, g->window.x + first, left < PANEL ? left : PANEL))
        return PERC_ENOMEM;
    g->filled = true;
    while (g->known < v->n) {
        size_t to = g->known, n = 0;
        for (; to < v->n; to++) { /* one row may make several updates, one after the other */
            const uint32_t r = v->vote[to].row;
            if (to > g->known && r == v->vote[to - 1].row) continue;
            if (n == BUNDLE) break;
            x[n] = votes_row(v, r);
            norm2[n++] = g->m->k.sums->norm2[r];
        }
        gram_panel(&g->m->k.sums->kernel, &g->panel, x, norm2, n, k);
        for (size_t u = g->known, i = 0; u < to; u++) {
            i += u > g->known && v->vote[u].row != v->vote[u - 1].row;
            sweep_add(g->f + g->at * g->sums.vectors * PANEL, &v->vote[u], k + i * PANEL);
        }
        for (size_t i = 0; i < n; i++) g->work += PANEL * (x[i].n + 16);
        g->known = to;
    }
    return PERC_OK;
}

perc_status ledger_scores(struct ledger *g, size_t i, const double **out)
{
    const size_t vectors = g->sums.vectors, outputs = learner_outputs(g->l);
    const size_t place = (size_t)g->place[i];
    const struct machine *m = g->l->machine;
    const double *f = window_sums(g, place);

    count_mistakes(g);
    follow_removals(g);
    if (place / PANEL != g->at) enter_panel(g, place / PANEL);
    if (follow_updates(g)) return PERC_ENOMEM;
    put_back(g, place, place + 1);
    g->next = place + 1;
    for (size_t c = 0; c < vectors; c++)
        g->scores[c] = f[c * PANEL] + (c < outputs ? m->last.b[c] : m->unseen.b[0]);
    *out = g->scores;
    return PERC_OK;
}

/* ----- all rows ----------------------------------------------------------------------- */

/* Rows from .. to - 1 of block k of the data. */
static perc_status tally_rows(struct ledger *g, size_t k, size_t from, size_t to, struct tally *t)
{
    const struct fit *f = g->fit;
    const struct block *b = &f->blocks[k];
    size_t n = 0;

    sweep_window_clear(&g->survey);
    for (size_t i = from; i < to; i++)
        if (block_weight(b, i) * f->weight_of[b->label[i]] > 0 &&
            add_to_window(g, &g->survey, ref_make(k, i)))
            return PERC_ENOMEM;
    sweep_window_close(&g->survey);
    if (sweep_rows(g->sweep, &g->survey, &g->work)) return PERC_ENOMEM;
    for (size_t i = from; i < to; i++) {
        if (!(block_weight(b, i) * f->weight_of[b->label[i]] > 0)) continue;
        /* One row, which is up to date. */
        const size_t class = f->class_of[b->label[i]];
        const size_t outputs = learner_outputs(g->l);
        const struct kernel *kernel = &g->m->k.sums->kernel;
        const double norm2 = kernel_self(kernel, kernel_norm2(kernel, &g->survey.x[n]));
        double m = NAN;
        for (size_t c = 0; c < outputs; c++)
            g->scores[c] = row_sums_at(&g->sums, g->survey.number[n], c) + g->l->machine->last.b[c];
        if (class != CLASS_NONE) m = learner_margin(g->l, g->scores, class);
        t->rows++;
        t->errors += !(m > 0);
        if (m < 0) t->loss += learner_loss(g->l, g->scores, class);
        if (norm2 > t->radius2) t->radius2 = norm2;
        n++;
    }
    return PERC_OK;
}

perc_status ledger_tally(struct ledger *g, uint64_t limit, const struct watch *watch,
                         struct tally *out)
{
    const struct fit *f = g->fit;

    *out = (struct tally){ 0 };
    if (follow_classes(g)) return PERC_ENOMEM;
    if (g->survey.cap == 0 && sweep_window_new(&g->survey, &g->e, SURVEY)) {
        sweep_window_free(&g->survey, &g->e);
        return PERC_ENOMEM;
    }
    put_back(g, g->next, g->window.n); /* they stay in the window */
    for (size_t k = 0; k < f->block_count; k++) {
        const size_t rows = f->blocks[k].rows;
        for (size_t i = 0, to; i < rows && out->errors < limit; i = to) {
            to = rows - i < SURVEY ? rows : i + SURVEY;
            if (!watch_ask(watch, 0)) return PERC_EUNDECIDED;
            if (tally_rows(g, k, i, to, out)) return PERC_ENOMEM;
        }
    }
    return PERC_OK;
}
