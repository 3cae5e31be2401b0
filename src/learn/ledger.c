/* ledger.c -- scores of the training rows, kept up to date as far as they are needed: windows
 * of rows, and the mistakes in them. What a row waits for is added by sweep.c.
 *
 * A mistake at row i of a window is added at once: its kernel values with the rows of
 * the window after i are computed, panel by panel, and added to their sums. Each pair of a
 * row and an update is thus computed once, by the sweep before the window or in it. The
 * sweep has threads and the window does not, so windows are short compared to a pass
 * (1 in 8 rows at most), and the panels of a window fit into a cache. */
#include "learn/ledger.h"

#include <math.h>

#include "base/pool.h"
#include "learn/sweep.h"

enum {
    WINDOW_MIN = 64,
    WINDOW_MAX = 4096,
    SURVEY = 1024, /* rows that ledger_tally takes at a time */
    MISTAKES = 32, /* that a window is made for              */
    NO_PLACE = -1
};
#define PANEL_BYTES ((double)(4 << 20)) /* of all panels of a window, and of its sums */
#define WINDOW_WORK 4e9                 /* products: some tenths of a second        */

struct ledger {
    struct env e;
    struct fit *fit;
    struct learner *l;
    struct machine_expanded *m; /* that of l */
    int64_t class_changes;      /* of its classes, as the sums have them */
    struct sweep *sweep;
    struct row_sums sums;
    struct pool pool; /* of the arrays that do not grow */
    size_t *base;     /* rows before each block of the data */
    double entries;   /* of a row, on average; at most, where they are mapped */
    uint64_t work;
    bool anew; /* nothing is known of any row */

    struct sweep_window window; /* those of the rows taken that are not set aside */
    int32_t *place;             /* by row taken: its place there */
    struct panel *panel;        /* the same, PANEL at a time */
    size_t panels, filled;      /* filled from the last one down to panel[filled] */
    double *f;                  /* their sums: f[(panel * vectors + c) * PANEL + column] */
    size_t f_cap;
    size_t next;            /* of the window: asked for next */
    size_t known;           /* updates in f */
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
    g->sums.rows = (size_t)rows;
    g->entries = f->lens.map != NULL ? (double)f->lens.cap : (double)f->entries / (rows + 1);
    g->anew = true;
    g->rate = 1;
    const size_t room = window_room(g);
    pool_init(&g->pool, e);
    g->base = pool_array(&g->pool, f->block_count, sizeof *g->base);
    g->sums.done = pool_array(&g->pool, g->sums.rows, sizeof *g->sums.done);
    g->place = pool_array(&g->pool, room, sizeof *g->place);
    g->filled = g->panels = (room + PANEL - 1) / PANEL;
    g->panel = pool_zeroed(&g->pool, g->panels, sizeof *g->panel);
    if (g->pool.failed || sweep_window_new(&g->window, e, room) ||
        sweep_new(e, g->m, &g->sums, cache, &g->sweep)) {
        ledger_free(g);
        return fail_memory(err);
    }
    for (size_t k = 0; k < g->panels; k++)
        panel_init(&g->panel[k], e, g->m->k.sums->kernel.rounded);
    for (size_t k = 0, n = 0; k < f->block_count; n += f->blocks[k++].rows) g->base[k] = n;
    *out = g;
    return PERC_OK;
}

void ledger_free(struct ledger *g)
{
    if (g == NULL) return;
    const struct env e = g->e;
    for (size_t k = 0; k < g->panels && g->panel != NULL; k++) panel_free(&g->panel[k]);
    pool_free(&g->pool);
    mem_free(&e, g->sums.f, g->sums.rows * g->sums.vectors, sizeof *g->sums.f);
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

/* Empty sums for the classes there are now, if these have changed. */
static perc_status follow_classes(struct ledger *g)
{
    const size_t vectors = learner_vectors(g->l), n = g->sums.rows;
    struct row_sums *s = &g->sums;

    if (!g->anew && g->class_changes == g->l->machine->class_changes) return PERC_OK;
    if (!g->anew) sweep_forget(g->sweep);
    g->anew = true;
    if (s->f == NULL || s->vectors != vectors) {
        mem_free(&g->e, s->f, n * s->vectors, sizeof *s->f);
        s->vectors = vectors;
        s->f = vectors > 0 && n > SIZE_MAX / vectors ? NULL
                                                     : mem_array(&g->e, n * vectors, sizeof *s->f);
    }
    if (s->f == NULL || learner_room(g->l, vectors) ||
        !MEM_GROW(&g->e, g->scores, &g->scores_cap, vectors))
        return PERC_ENOMEM;
    for (size_t i = 0; i < n * vectors; i++) s->f[i] = 0;
    for (size_t j = 0; j < n; j++) s->done[j] = 0;
    g->window.n = g->next = g->taken = 0;
    g->class_changes = g->l->machine->class_changes;
    g->anew = false;
    return PERC_OK;
}

/* ----- a window -------------------------------------------------------------------- */

/* Copies the sums of rows i .. to - 1 of the window back to those of all rows. */
static void put_back(struct ledger *g, size_t i, size_t to)
{
    const size_t vectors = g->sums.vectors;

    for (; i < to; i++) {
        const size_t j = g->window.number[i];
        const double *f = g->f + i / PANEL * vectors * PANEL + i % PANEL;
        for (size_t c = 0; c < vectors; c++) g->sums.f[j * vectors + c] = f[c * PANEL];
        g->sums.done[j] = g->known;
    }
}

/* Rows of the next window: enough for some mistakes, few compared to a pass; their panels and sums
 * within bounds, and what they wait for, judged by the first, too. */
static size_t window_size(const struct ledger *g, size_t first)
{
    const double columns = (double)g->m->k.sums->dims, spread = g->entries * PANEL;
    const double waits = (double)(g->m->k.voted.votes.n - g->sums.done[first]);
    const double bytes = 8 * (columns < spread ? columns : spread) + 8 * (double)g->sums.vectors;
    double n = MISTAKES / (g->rate + 1e-9);

    if (n > (double)g->sums.rows / 8) n = (double)g->sums.rows / 8;
    if (n < WINDOW_MIN) n = WINDOW_MIN;
    if (n * bytes > PANEL_BYTES) n = PANEL_BYTES / bytes;
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

perc_status ledger_open_window(struct ledger *g, const uint64_t *ref, size_t n, size_t *taken)
{
    size_t i, number;

    *taken = 0;
    if (follow_classes(g)) return PERC_ENOMEM;
    put_back(g, g->next, g->window.n);
    if (g->taken > 0) g->rate = (g->rate + (double)g->mistakes / (double)g->taken) / 2;
    g->window.n = g->next = g->taken = g->mistakes = 0;
    row_place(g, ref[0], &i, &number);
    const size_t size = window_size(g, number);
    if (n > size) n = size;
    sweep_window_clear(&g->window);
    for (size_t k = 0; k < n; k++) {
        const struct block *b = row_place(g, ref[k], &i, &number);
        g->place[k] = NO_PLACE;
        if (machine_skips(g->l->machine, (int64_t)(b->first_row + i))) continue;
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
    for (size_t k = 0; k < panels * PANEL; k++) /* the sums of the window, side by side */
        for (size_t c = 0; c < vectors; c++)
            g->f[(k / PANEL * vectors + c) * PANEL + k % PANEL] =
                k < g->window.n ? g->sums.f[g->window.number[k] * vectors + c] : 0;
    g->known = g->m->k.voted.votes.n;
    g->filled = panels;
    *taken = g->taken = n;
    return PERC_OK;
}

const struct row *ledger_row(const struct ledger *g, size_t i)
{
    return &g->window.x[g->place[i]];
}

const double *ledger_scores(struct ledger *g, size_t i)
{
    const size_t vectors = g->sums.vectors, outputs = learner_outputs(g->l);
    const size_t at = (size_t)g->place[i];
    const struct machine *m = g->l->machine;
    const double *f = g->f + at / PANEL * vectors * PANEL + at % PANEL;

    put_back(g, at, at + 1);
    g->next = at + 1;
    for (size_t c = 0; c < vectors; c++)
        g->scores[c] = f[c * PANEL] + (c < outputs ? m->last.b[c] : m->unseen.b[0]);
    return g->scores;
}

perc_status ledger_shown(struct ledger *g)
{
    const struct votes *v = &g->m->k.voted.votes;
    const size_t panel = g->next / PANEL;
    double k[PANEL];

    if (v->n == g->known) return PERC_OK;
    g->mistakes++;
    if (g->next < g->window.n && expansion_follow(g->m->k.sums, v)) return PERC_ENOMEM;
    /* Panels are filled when the first mistake wants them, the last first. */
    for (; g->filled > panel && g->next < g->window.n; g->filled--) {
        const size_t from = (g->filled - 1) * PANEL, left = g->window.n - from;
        if (panel_fill(&g->panel[g->filled - 1], g->window.x + from, left < PANEL ? left : PANEL))
            return PERC_ENOMEM;
    }
    for (size_t from = g->known, to; from < v->n && g->next < g->window.n; from = to) {
        for (to = from + 1; to < v->n && v->vote[to].row == v->vote[from].row;) to++;
        /* Updates by one row, added to the rows of the window still to come. */
        const struct row x = votes_row(v, v->vote[from].row);
        const double *norm2 = &g->m->k.sums->norm2[v->vote[from].row];
        for (size_t p = panel; p * PANEL < g->window.n; p++) {
            gram_panel(&g->m->k.sums->kernel, &g->panel[p], &x, norm2, 1, k);
            for (size_t u = from; u < to; u++)
                sweep_add(g->f + p * g->sums.vectors * PANEL, &v->vote[u], k);
            g->work += PANEL * (x.n + 16);
        }
    }
    g->known = v->n;
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
        const size_t vectors = g->sums.vectors, outputs = learner_outputs(g->l);
        const struct kernel *kernel = &g->m->k.sums->kernel;
        const double norm2 = kernel_self(kernel, kernel_norm2(kernel, &g->survey.x[n]));
        double m = NAN;
        for (size_t c = 0; c < outputs; c++)
            g->scores[c] = g->sums.f[g->survey.number[n] * vectors + c] + g->l->machine->last.b[c];
        if (class != CLASS_NONE) m = learner_margin(g->l, g->scores, class);
        t->rows++;
        t->errors += !(m > 0);
        if (m < 0) t->loss -= m;
        if (norm2 > t->radius2) t->radius2 = norm2;
        n++;
    }
    return PERC_OK;
}

perc_status ledger_tally(struct ledger *g, uint64_t limit, struct tally *out)
{
    const struct fit *f = g->fit;

    *out = (struct tally){ 0 };
    if (follow_classes(g)) return PERC_ENOMEM;
    if (g->survey.cap == 0 && sweep_window_new(&g->survey, &g->e, SURVEY)) {
        sweep_window_free(&g->survey, &g->e);
        return PERC_ENOMEM;
    }
    put_back(g, g->next, g->window.n); /* they are up to date, and stay in the window */
    for (size_t k = 0; k < f->block_count; k++) {
        const size_t rows = f->blocks[k].rows;
        for (size_t i = 0, to; i < rows && out->errors < limit; i = to) {
            to = rows - i < SURVEY ? rows : i + SURVEY;
            if (tally_rows(g, k, i, to, out)) return PERC_ENOMEM;
        }
    }
    return PERC_OK;
}
