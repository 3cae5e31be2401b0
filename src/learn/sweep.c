/* sweep.c -- pending updates of a kernel machine, added to many rows at once: see sweep.h. */
#include "learn/sweep.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/threads.h"

enum {
    WORKERS_MAX = 64,
    PANELS = 8,            /* that share the packing of a bundle */
    STRETCH = 256,         /* rows whose values with a panel are scratch: 64 KiB */
    SEGMENT = 1 << 16,     /* updates that are looked through at a time */
    THREAD_WORK = 1 << 20, /* products: less is done before a thread starts */
    TOGETHER = 8,          /* kept rows whose values with a row share a cache line */
    KEEP_ENTRIES = 96      /* of a row: a shorter one is computed faster than read */
};

#define SCRATCH 4e6 /* bytes, about: what is not counted below */

/* Updates from .. to - 1 name the rows `row[first]` .. `row[first + rows - 1]`. */
struct stretch {
    size_t from, to, first, rows;
};

/* How a segment of updates is walked. Built from its end: the rows that updates k .. to - 1
 * of a stretch name are then the first seen[k] of the stretch. */
struct sweep_plan {
    size_t from, to;
    uint32_t *slot; /* by update: its row's place in the stretch */
    uint32_t *seen; /* by update */
    uint32_t *row;  /* of the votes, stretch after stretch, the last stretch first */
    struct stretch *stretch;
    size_t slot_cap, seen_cap, row_cap, stretches, stretch_cap;
};

/* A row of the window and its u. */
struct waiting {
    size_t done, at;
};

/* A panel of rows that wait. */
struct sweep_panel {
    const struct waiting *of; /* its rows, n of them */
    size_t n;
    struct panel panel;
    size_t number[PANEL]; /* of its rows */
    size_t need;          /* rows of the stretch, of which it wants the values: the first ones */
    double *k;            /* STRETCH * PANEL */
    double *f;            /* vectors * PANEL */
};

/* What one thread works with. */
struct sweep_worker {
    struct sweep_panel at[PANELS];
    size_t panels;
    struct row x[STRETCH];
    double norm2[STRETCH];
    struct bundle_room room;
    double *memory; /* of k and f */
    size_t size, vectors;
    bool failed;
};

/* Kernel values kept: of rows of the votes that have erred a second time, with all rows of the
 * data; first come, first kept. What is kept is what was computed, so it changes nothing but the
 * time. 0: it was not computed, or is 0. */
struct kernel_cache {
    double bytes;       /* that values, sums and votes together may take */
    size_t slots, used; /* rows of the votes */
    uint32_t *slot;     /* by row of the votes: 1 + its slot, 0: none */
    int64_t *at;        /* likewise: when it first erred, 0: never */
    size_t slot_cap, at_cap;
    size_t counted;  /* updates that were looked at */
    size_t together; /* T, slots whose values with a row lie side by side */
    double **value;  /* of T slots each: value[s / T][j * T + s % T] */
};

struct sweep {
    struct env e;
    const struct machine_expanded *m;
    const struct row_sums *sums;
    struct sweep_plan plan;
    struct kernel_cache cache;
    uint32_t *where; /* by row of the votes: its place in the stretch being made */
    size_t where_cap;
    struct waiting *order; /* of the window, by u */
    size_t order_cap, n;   /* rows that wait for something */
    struct sweep_worker **worker;
    int workers;
    const struct sweep_window *window;
    _Atomic size_t next; /* panel */
    size_t panels, most; /* all of them; of a task */
    int threads;
};

/* ----- rows --------------------------------------------------------------------- */

perc_status sweep_window_new(struct sweep_window *b, const struct env *e, size_t cap)
{
    *b = (struct sweep_window){ .cap = cap,
                                .number = mem_array(e, cap, sizeof *b->number),
                                .x = mem_array(e, cap, sizeof *b->x) };
    return b->number != NULL && b->x != NULL ? PERC_OK : PERC_ENOMEM;
}

void sweep_window_free(struct sweep_window *b, const struct env *e)
{
    mem_free(e, b->number, b->cap, sizeof *b->number);
    mem_free(e, b->x, b->cap, sizeof *b->x);
    mem_free(e, b->column, b->column_cap, sizeof *b->column);
    mem_free(e, b->value, b->value_cap, sizeof *b->value);
    *b = (struct sweep_window){ 0 };
}

void sweep_window_clear(struct sweep_window *b)
{
    b->n = b->entries = 0;
}

perc_status sweep_window_add(struct sweep_window *b, const struct env *e, size_t number,
                             const struct row *x, bool copy)
{
    b->number[b->n] = number;
    if (!copy) {
        b->x[b->n++] = *x;
        return PERC_OK;
    }
    if (!MEM_GROW(e, b->column, &b->column_cap, b->entries + x->n) ||
        !MEM_GROW(e, b->value, &b->value_cap, b->entries + x->n))
        return PERC_ENOMEM;
    for (size_t k = 0; k < x->n; k++) {
        b->column[b->entries + k] = (uint32_t)row_column(x, k); /* a lens makes no others */
        b->value[b->entries + k] = row_value(x, k);
    }
    b->x[b->n++] = (struct row){ .n = x->n,
                                 .first = b->entries,
                                 .stride = sizeof *b->value,
                                 .values = VALUES_F64,
                                 .indices = INDEX_U32 };
    b->entries += x->n;
    return PERC_OK;
}

/* Copies may have moved while more were added: only now is it known where they are. */
void sweep_window_close(struct sweep_window *b)
{
    for (size_t i = 0; i < b->n && b->entries > 0; i++) {
        b->x[i].index = b->column + b->x[i].first;
        b->x[i].value = b->value + b->x[i].first;
    }
}

/* ----- making one ------------------------------------------------------------------- */

static size_t cache_groups(const struct kernel_cache *k)
{
    return k->slots / k->together;
}

perc_status sweep_new(const struct env *e, const struct machine_expanded *m,
                      const struct row_sums *sums, double keep, struct sweep **out)
{
    struct sweep *s = *out = mem_zeroed(e, 1, sizeof *s);

    if (s == NULL) return PERC_ENOMEM;
    s->e = *e;
    s->m = m;
    s->sums = sums;
    s->workers = e->threads < WORKERS_MAX ? e->threads : WORKERS_MAX;
    s->worker = mem_zeroed(e, (size_t)s->workers, sizeof *s->worker);
    s->cache.bytes = keep;
    keep = keep / sizeof(double) / (double)(sums->rows > 0 ? sums->rows : 1);
    keep = fmin(keep, (double)(sums->rows + TOGETHER - 1)); /* each row has one, and whole groups */
    s->cache.slots = keep < UINT32_MAX / 2 ? (size_t)keep : UINT32_MAX / 2;
    s->cache.together = s->cache.slots < TOGETHER ? s->cache.slots : TOGETHER;
    if (s->cache.slots == 0) s->cache.together = 1;
    s->cache.slots -= s->cache.slots % s->cache.together;
    s->cache.value = mem_zeroed(e, cache_groups(&s->cache), sizeof *s->cache.value);
    if (s->worker != NULL && s->cache.value != NULL) return PERC_OK;
    sweep_free(s);
    *out = NULL;
    return PERC_ENOMEM;
}

void sweep_free(struct sweep *s)
{
    if (s == NULL) return;
    const struct env e = s->e;
    struct sweep_plan *p = &s->plan;
    struct kernel_cache *k = &s->cache;
    for (int i = 0; i < s->workers && s->worker != NULL; i++) {
        struct sweep_worker *w = s->worker[i];
        if (w == NULL) continue;
        for (size_t j = 0; j < PANELS; j++) panel_free(&w->at[j].panel);
        mem_free(&e, w->memory, w->size, sizeof *w->memory);
        mem_free(&e, w, 1, sizeof *w);
    }
    mem_free(&e, s->worker, (size_t)s->workers, sizeof *s->worker);
    mem_free(&e, p->slot, p->slot_cap, sizeof *p->slot);
    mem_free(&e, p->seen, p->seen_cap, sizeof *p->seen);
    mem_free(&e, p->row, p->row_cap, sizeof *p->row);
    mem_free(&e, p->stretch, p->stretch_cap, sizeof *p->stretch);
    for (size_t g = 0; g < cache_groups(k) && k->value != NULL; g++)
        mem_free(&e, k->value[g], s->sums->rows * k->together, sizeof **k->value);
    mem_free(&e, k->value, cache_groups(k), sizeof *k->value);
    mem_free(&e, k->slot, k->slot_cap, sizeof *k->slot);
    mem_free(&e, k->at, k->at_cap, sizeof *k->at);
    mem_free(&e, s->where, s->where_cap, sizeof *s->where);
    mem_free(&e, s->order, s->order_cap, sizeof *s->order);
    mem_free(&e, s, 1, sizeof *s);
}

void sweep_forget(struct sweep *s)
{
    struct kernel_cache *k = &s->cache;

    for (size_t i = 0; i < k->slot_cap; i++) k->slot[i] = 0;
    for (size_t i = 0; i < k->at_cap; i++) k->at[i] = 0;
    for (size_t g = 0; g < cache_groups(k); g++) {
        mem_free(&s->e, k->value[g], s->sums->rows * s->cache.together, sizeof **k->value);
        k->value[g] = NULL;
    }
    k->used = k->counted = 0;
}

/* ----- values that are kept -------------------------------------------------------------- */

/* Whether there is room for the values of some more rows beside what is kept, the sums and the
 * votes, which grow, and scratch. The first are kept in any case: that much was asked for. */
static bool cache_has_room(const struct sweep *s)
{
    const struct votes *v = &s->m->k.voted.votes;
    const double row = (double)s->sums->rows * sizeof(double);
    const double kept = (double)(s->cache.used + s->cache.together) * row;
    const double sums = (double)s->sums->vectors * row;
    const double dims = fmin((double)s->m->k.sums->dims, BUNDLE_COLUMNS);
    const double scratch = (double)s->workers * PANELS * PANEL * 8 * (dims + STRETCH);
    const double votes = (double)v->cap * sizeof *v->vote +
                         (double)v->column_cap * sizeof *v->column +
                         (double)v->value_cap * sizeof *v->value;

    return s->cache.used == 0 || kept + sums + votes + scratch + SCRATCH <= s->cache.bytes;
}

/* Slots for the rows that have erred again, while there is room. */
static perc_status cache_follow(struct sweep *s)
{
    const struct votes *v = &s->m->k.voted.votes;
    struct kernel_cache *k = &s->cache;
    const size_t slots = k->slot_cap, ats = k->at_cap;

    if (k->slots == 0) return PERC_OK;
    if (k->counted > v->n) k->counted = v->n; /* some were taken out */
    if (!MEM_GROW(&s->e, k->slot, &k->slot_cap, v->rows)) return PERC_ENOMEM;
    if (k->slot_cap > slots) memset(k->slot + slots, 0, (k->slot_cap - slots) * sizeof *k->slot);
    if (!MEM_GROW(&s->e, k->at, &k->at_cap, v->rows)) return PERC_ENOMEM;
    if (k->at_cap > ats) memset(k->at + ats, 0, (k->at_cap - ats) * sizeof *k->at);
    for (; k->counted < v->n && k->used < k->slots; k->counted++) {
        const struct vote *one = &v->vote[k->counted];
        if (k->at[one->row] == 0) k->at[one->row] = one->at;
        if (k->at[one->row] == one->at || k->slot[one->row] > 0 ||
            votes_row(v, one->row).n < KEEP_ENTRIES)
            continue;
        double **value = &k->value[k->used / k->together];
        if (*value == NULL && !cache_has_room(s)) break;
        if (*value == NULL) *value = mem_zeroed(&s->e, s->sums->rows * k->together, sizeof **value);
        if (*value == NULL) return PERC_ENOMEM;
        k->slot[one->row] = (uint32_t)++k->used;
    }
    return PERC_OK;
}

/* ----- the plan ------------------------------------------------------------------------ */

static perc_status plan_room(struct sweep *s, size_t updates)
{
    struct sweep_plan *p = &s->plan;
    const size_t had = s->where_cap;

    if (!MEM_GROW(&s->e, s->where, &s->where_cap, s->m->k.voted.votes.rows)) return PERC_ENOMEM;
    if (s->where_cap > had) memset(s->where + had, 0, (s->where_cap - had) * sizeof *s->where);
    if (!MEM_GROW(&s->e, p->stretch, &p->stretch_cap, updates / STRETCH + 1)) return PERC_ENOMEM;
    return MEM_GROW(&s->e, p->slot, &p->slot_cap, updates) &&
                   MEM_GROW(&s->e, p->seen, &p->seen_cap, updates) &&
                   MEM_GROW(&s->e, p->row, &p->row_cap, updates)
               ? PERC_OK
               : PERC_ENOMEM;
}

static perc_status make_plan(struct sweep *s, size_t from, size_t to)
{
    struct sweep_plan *p = &s->plan;
    size_t first = 0, rows = 0, end = to;

    if (plan_room(s, to - from)) return PERC_ENOMEM;
    p->from = from;
    p->to = to;
    p->stretches = 0;
    for (size_t k = to; k-- > from;) {
        const uint32_t r = s->m->k.voted.votes.vote[k].row;
        uint32_t *row = p->row + first, *at = &s->where[r];
        if (*at >= rows || row[*at] != r) { /* its first update in the stretch */
            row[rows] = r;
            *at = (uint32_t)rows++;
        }
        p->slot[k - from] = *at;
        p->seen[k - from] = (uint32_t)rows;
        if (rows < STRETCH && k > from) continue;
        p->stretch[p->stretches++] = (struct stretch){ k, end, first, rows };
        first += rows;
        rows = 0;
        end = k;
    }
    return PERC_OK;
}

/* ----- values ------------------------------------------------------------------------------ */

/* For the first n columns. */
static inline void add_some(double *f, const struct vote *one, const double *k, size_t n)
{
    const double step = one->step;
    double *up = f + (size_t)one->up * PANEL;

    for (size_t j = 0; j < n; j++) up[j] += step * k[j];
    if (one->down == NO_DOWN) return;
    double *down = f + (size_t)one->down * PANEL;
    for (size_t j = 0; j < n; j++) down[j] -= step * k[j];
}

void sweep_add(double *f, const struct vote *one, const double *k)
{
    add_some(f, one, k, PANEL);
}

/* The slot of row i of a stretch; SIZE_MAX: none. */
static size_t cache_slot(const struct sweep *s, const struct stretch *c, size_t i)
{
    const uint32_t r = s->plan.row[c->first + i];

    return s->cache.used == 0 || s->cache.slot[r] == 0 ? SIZE_MAX : s->cache.slot[r] - 1;
}

/* Those of row i of a stretch with a panel, if it has a slot. */
static void keep_values(const struct sweep *s, const struct sweep_panel *p, const struct stretch *c,
                        size_t i)
{
    const size_t at = cache_slot(s, c, i), together = s->cache.together;

    if (at == SIZE_MAX) return;
    double *value = s->cache.value[at / together] + at % together;
    for (size_t r = 0; r < p->n; r++) value[p->number[r] * together] = p->k[i * PANEL + r];
}

/* The values of rows from .. to - 1 of a stretch, not all of which are kept, for the panels that
 * need them. */
static void compute_values(const struct sweep *s, struct sweep_worker *w, const struct stretch *c,
                           size_t from, size_t to)
{
    const struct expansion *x = s->m->k.sums;
    struct bundle b;

    for (size_t i = from; i < to; i++) {
        const size_t r = s->plan.row[c->first + i];
        w->x[i] = votes_row(&s->m->k.voted.votes, r);
        w->norm2[i] = x->norm2[r];
    }
    for (size_t n; from < to; from += n) {
        n = bundle_fill(&b, &w->room, w->x + from, to - from, w->panels);
        for (size_t j = 0; j < w->panels; j++) {
            struct sweep_panel *p = &w->at[j];
            if (p->need <= from) continue;
            gram_bundle(&x->kernel, &p->panel, &b, w->norm2 + from, p->k + from * PANEL);
            for (size_t i = from; i < from + n; i++) keep_values(s, p, c, i);
        }
    }
}

/* Reads the values of row i of a stretch. false: some are not there. */
static bool read_values(const struct sweep *s, struct sweep_worker *w, const struct stretch *c,
                        size_t i)
{
    const size_t at = cache_slot(s, c, i), together = s->cache.together;
    bool all = at != SIZE_MAX;

    for (size_t j = 0; j < w->panels && all; j++) {
        struct sweep_panel *p = &w->at[j];
        const double *value = s->cache.value[at / together] + at % together;
        for (size_t r = 0; r < p->n && i < p->need; r++) {
            p->k[i * PANEL + r] = value[p->number[r] * together];
            all &= p->k[i * PANEL + r] != 0;
        }
    }
    return all;
}

/* The values that the panels need: read where all are kept, else computed. */
static void find_values(const struct sweep *s, struct sweep_worker *w, const struct stretch *c,
                        size_t n)
{
    size_t from = 0;

    for (size_t i = 0; i < n; i++) {
        if (!read_values(s, w, c, i)) continue;
        if (i > from) compute_values(s, w, c, from, i);
        from = i + 1;
    }
    if (n > from) compute_values(s, w, c, from, n);
}

/* ----- panels ------------------------------------------------------------------------------- */

/* Sums to and from a panel, which is 0. */
static void move_sums(const struct sweep *s, struct sweep_panel *p, bool back)
{
    const size_t vectors = s->sums->vectors;

    for (size_t j = 0; j < p->n; j++) {
        if (!back && s->plan.from == 0 && p->of[j].done == 0) continue; /* there are none yet */
        for (size_t c = 0; c < vectors; c++) {
            double *sum = &s->sums->f[p->number[j] * vectors + c], *f = &p->f[c * PANEL + j];
            if (back) *sum = *f;
            else *f = *sum;
        }
    }
}

static perc_status open_panel(const struct sweep *s, struct sweep_panel *p, size_t number)
{
    const size_t left = s->n - number * PANEL;
    struct row x[PANEL] = { 0 };

    p->of = s->order + number * PANEL;
    p->n = left < PANEL ? left : PANEL;
    for (size_t j = 0; j < p->n; j++) {
        x[j] = s->window->x[p->of[j].at];
        p->number[j] = s->window->number[p->of[j].at];
    }
    memset(p->f, 0, s->sums->vectors * PANEL * sizeof *p->f);
    move_sums(s, p, false);
    return panel_fill(&p->panel, x, p->n);
}

/* The first update of a stretch that a panel waits for. */
static size_t first_update(const struct sweep_panel *p, const struct stretch *c)
{
    return c->from > p->of[0].done ? c->from : p->of[0].done;
}

/* The values of the row of update k with the panel. */
static const double *value_line(const struct sweep *s, const struct sweep_panel *p, size_t k)
{
    return p->k + (size_t)s->plan.slot[k - s->plan.from] * PANEL;
}

static void add_stretch(const struct sweep *s, const struct sweep_panel *p, const struct stretch *c)
{
    const struct vote *vote = s->m->k.voted.votes.vote;
    size_t k = first_update(p, c), live = 0;

    for (; k < c->to; k++) { /* row j waits from its `done` on */
        while (live < p->n && p->of[live].done <= k) live++;
        if (live == p->n) break;
        add_some(p->f, &vote[k], value_line(s, p, k), live);
    }
    for (; k < c->to; k++) sweep_add(p->f, &vote[k], value_line(s, p, k));
}

/* w->panels panels, from number `first` on. */
static perc_status sweep_panels(const struct sweep *s, struct sweep_worker *w, size_t first)
{
    const struct sweep_plan *plan = &s->plan;

    for (size_t j = 0; j < w->panels; j++)
        if (open_panel(s, &w->at[j], first + j)) return PERC_ENOMEM;
    for (size_t i = plan->stretches; i-- > 0;) { /* the last stretch stands first */
        const struct stretch *c = &plan->stretch[i];
        for (size_t j = 0; j < w->panels; j++) {
            const size_t k = first_update(&w->at[j], c);
            w->at[j].need = k < c->to ? plan->seen[k - plan->from] : 0;
        }
        find_values(s, w, c, w->at[0].need); /* who waits longest needs most */
        for (size_t j = 0; j < w->panels; j++) add_stretch(s, &w->at[j], c);
    }
    for (size_t j = 0; j < w->panels; j++) move_sums(s, &w->at[j], true);
    return PERC_OK;
}

/* ----- all of them --------------------------------------------------------------------------- */

/* About what a panel waits for. */
static size_t panel_waits(const struct sweep *s, size_t panel)
{
    return s->m->k.voted.votes.n - s->order[panel * PANEL].done;
}

/* The next panels for a worker: s->most, and no more than a thread's share of what is left,
 * so that none waits long for another. Returns the first of them; none are left: s->panels. */
static size_t take_panels(struct sweep *s, struct sweep_worker *w)
{
    size_t first = atomic_load(&s->next);

    do {
        size_t left = 0, taken = 0;
        for (size_t k = first; k < s->panels; k++) left += panel_waits(s, k);
        for (w->panels = 0; w->panels < s->most && first + w->panels < s->panels; w->panels++) {
            taken += panel_waits(s, first + w->panels);
            if (w->panels > 0 && taken > left / (size_t)s->threads) break;
        }
    } while (!atomic_compare_exchange_weak(&s->next, &first, first + w->panels));
    return first;
}

static void work_on(void *ud, int k)
{
    struct sweep *s = ud;
    struct sweep_worker *w = s->worker[k];
    size_t first;

    while (!w->failed && (first = take_panels(s, w)) < s->panels)
        w->failed = sweep_panels(s, w, first) != PERC_OK;
}

/* Workers 0 .. n - 1, with room for values and sums. */
static perc_status make_workers(struct sweep *s, int n)
{
    const size_t vectors = s->sums->vectors, lines = STRETCH + vectors;

    for (int i = 0; i < n; i++) {
        struct sweep_worker *w = s->worker[i];
        if (w == NULL) {
            s->worker[i] = w = mem_zeroed(&s->e, 1, sizeof *w);
            if (w == NULL) return PERC_ENOMEM;
            for (size_t j = 0; j < PANELS; j++)
                panel_init(&w->at[j].panel, &s->e, s->m->k.sums->kernel.rounded);
        }
        if (w->vectors < vectors || w->memory == NULL) {
            mem_free(&s->e, w->memory, w->size, sizeof *w->memory);
            w->vectors = vectors;
            w->size = lines < SIZE_MAX / PANEL / PANELS ? lines * PANEL * PANELS : SIZE_MAX;
            w->memory = mem_array(&s->e, w->size, sizeof *w->memory);
            if (w->memory == NULL) return PERC_ENOMEM;
        }
        for (size_t j = 0; j < PANELS; j++) {
            w->at[j].k = w->memory + j * (STRETCH + w->vectors) * PANEL;
            w->at[j].f = w->at[j].k + STRETCH * PANEL;
        }
        w->failed = false;
    }
    return PERC_OK;
}

/* The rows that wait, those that wait longest first. They are dealt out to a few hundred stacks,
 * and insertion does the rest. */
static perc_status sort_rows(struct sweep *s, const struct sweep_window *b)
{
    enum { STACKS = 256 };
    const size_t *done = s->sums->done, all = s->m->k.voted.votes.n;
    size_t stack[STACKS + 1] = { 0 }, least = all;

    s->n = 0;
    if (!MEM_GROW(&s->e, s->order, &s->order_cap, b->n)) return PERC_ENOMEM;
    for (size_t i = 0; i < b->n; i++)
        if (done[b->number[i]] < least) least = done[b->number[i]];
    const size_t width = (all - least) / STACKS + 1;
    for (size_t i = 0; i < b->n; i++)
        if (done[b->number[i]] < all) stack[(done[b->number[i]] - least) / width + 1]++;
    for (size_t k = 0; k < STACKS; k++) stack[k + 1] += stack[k];
    s->n = stack[STACKS];
    for (size_t i = 0; i < b->n; i++) {
        const size_t u = done[b->number[i]];
        if (u < all) s->order[stack[(u - least) / width]++] = (struct waiting){ u, i };
    }
    for (size_t i = 1; i < s->n; i++) {
        const struct waiting one = s->order[i];
        size_t k = i;
        for (; k > 0 && s->order[k - 1].done > one.done; k--) s->order[k] = s->order[k - 1];
        s->order[k] = one;
    }
    return PERC_OK;
}

perc_status sweep_rows(struct sweep *s, const struct sweep_window *b, uint64_t *work)
{
    const struct votes *v = &s->m->k.voted.votes;

    s->window = b;
    if (sort_rows(s, b) || expansion_follow(s->m->k.sums, v) || cache_follow(s)) return PERC_ENOMEM;
    if (s->n == 0) return PERC_OK;
    /* About how many products the rows wait for; a kernel value costs some besides its dot. */
    double all = 0;
    for (size_t i = 0; i < s->n; i++)
        all += (double)(v->n - s->order[i].done) * (double)(b->x[s->order[i].at].n + 16);
    const double share = all / THREAD_WORK;
    const size_t panels = (s->n + PANEL - 1) / PANEL;
    int threads = share < s->workers ? (int)share : s->workers;
    if ((size_t)threads > panels) threads = (int)panels;
    if (threads < 1) threads = 1;
    *work += (uint64_t)(all < 1e18 ? all : 1e18);
    if (make_workers(s, threads)) return PERC_ENOMEM;
    s->threads = threads;
    s->most = bundle_pays(s->m->k.sums->dims, v->entries, v->rows) ? PANELS : 1;
    for (size_t from = s->order[0].done; from < v->n; from += SEGMENT) {
        const size_t to = v->n - from < SEGMENT ? v->n : from + SEGMENT;
        if (make_plan(s, from, to)) return PERC_ENOMEM;
        s->panels = 0; /* of the rows that wait for any of these updates */
        while (s->panels * PANEL < s->n && s->order[s->panels * PANEL].done < to) s->panels++;
        atomic_store(&s->next, 0);
        threads_run(threads, work_on, s);
        for (int k = 0; k < threads; k++)
            if (s->worker[k]->failed) return PERC_ENOMEM;
    }
    for (size_t i = 0; i < s->n; i++) s->sums->done[b->number[s->order[i].at]] = v->n;
    return PERC_OK;
}
