/* gather.c -- rows of a shuffled pass, brought together ahead of the learner.
 *
 * A ring of LOADS loads of memory, filled by one thread and emptied by another. A
 * load is full when it has ROWS rows or the next one does not fit. It belongs to the
 * thread whose turn it is by the counters `filled` and `taken`.
 *
 * Short decimals are turned into doubles on the way, which saves the learner that time.
 *
 * A load lasts some tens of microseconds, about as long as it takes to wake a thread. So
 * a thread that has to wait keeps looking for a while, and only then sleeps. */
#include "data/gather.h"

#include <stdatomic.h>
#include <string.h>

#include "base/pthreads.h"
#include "vec/row_lanes.h"

enum {
    LOADS = 8,
    ROWS = 512,
    BYTES = 1 << 18, /* of values and of columns in a load; two fit a cache of 2 MB */
    AHEAD = 48,      /* rows ahead: where they lie is prefetched */
    NEAR = 24,       /* rows ahead: their contents are prefetched */
    LOOKS = 4000     /* before sleeping: some hundred microseconds */
};

struct load {
    struct block block;
    uint64_t start[ROWS + 1];
    uint32_t label[ROWS];
    double weight[ROWS];
    char *value, *index; /* BYTES each */
};

struct gather {
    struct env e;
    const struct block *blocks;
    size_t value_size, index_size; /* bytes of an entry */
    size_t width;                  /* dense: entries a row */
    bool decodes;                  /* sparse short decimals become doubles */
    bool weighted;
    struct load *load; /* LOADS */
    char *memory;
    const uint64_t *ref;
    uint64_t n;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    bool running, in_use; /* there is a thread; the learner has a load */
    /* Changed under the lock, looked at without it. */
    _Atomic uint64_t filled, taken; /* loads of the pass: filled, given back */
    _Atomic bool stop, done;        /* done: the last load is filled */
};

/* ----- when ---------------------------------------------------------------------- */

static bool blocks_alike(const struct block *a, const struct block *b)
{
    return a->values == b->values && a->indices == b->indices &&
           (a->indices != INDEX_DENSE || (a->first == b->first && a->width == b->width));
}

/* Whether a row of b can be copied by its bytes, and fits a load. */
static bool can_copy(const struct gather *g, const struct block *b)
{
    if (b->indices == INDEX_DENSE)
        return (b->value == NULL || b->stride == (ptrdiff_t)g->value_size) &&
               g->width * g->value_size <= BYTES;
    for (size_t i = 0; i < b->rows; i++)
        if (block_start(b, i + 1) - block_start(b, i) > BYTES / 8) return false;
    return true;
}

static bool is_worth_it(struct gather *g, const struct block *blocks, size_t n, size_t worth)
{
    size_t bytes = 0;

    if (g->e.threads < 2 || n == 0) return false;
    g->value_size = row_value_size(blocks[0].values);
    g->index_size = blocks[0].indices == INDEX_DENSE ? 0 : (size_t)1 << blocks[0].indices;
    g->width = blocks[0].indices == INDEX_DENSE ? (size_t)blocks[0].width : 0;
    for (size_t k = 0; k < n; k++) {
        if (!blocks_alike(&blocks[0], &blocks[k]) || !can_copy(g, &blocks[k])) return false;
        bytes += (g->width > 0 ? blocks[k].rows * g->width : (size_t)blocks[k].nonzeros) *
                 (g->value_size + g->index_size); /* whoever owns them */
        g->weighted |= blocks[k].weight != NULL;
    }
    g->decodes = blocks[0].values == VALUES_DEC && blocks[0].indices != INDEX_DENSE;
    if (g->decodes) g->value_size = sizeof(double);
    return bytes >= worth;
}

/* ----- making one ------------------------------------------------------------------- */

/* Rows as the blocks store them. The arrays of load k: values and columns of BYTES
 * each, in one memory. Member by member: gcc 12.2 at -O3 turns the loop around a whole
 * structure into code that loses `indices`. */
static void set_up(struct gather *g, size_t k)
{
    const struct block *like = &g->blocks[0];
    struct load *p = &g->load[k];
    struct block *b = &p->block;

    p->value = g->memory + 2 * k * BYTES;
    p->index = p->value + BYTES;
    b->values = g->decodes ? VALUES_F64 : like->values;
    b->indices = like->indices;
    b->value = g->value_size > 0 ? p->value : NULL;
    b->index = p->index;
    b->start = p->start;
    b->first = like->first;
    b->width = like->width;
    b->stride = (ptrdiff_t)g->value_size;
    b->row_stride = (ptrdiff_t)(g->width * g->value_size);
    b->label = p->label;
    b->weight = g->weighted ? p->weight : NULL;
}

static bool start_lock(struct gather *g)
{
    if (pthread_mutex_init(&g->lock, NULL) != 0) return false;
    if (pthread_cond_init(&g->changed, NULL) == 0) return true;
    pthread_mutex_destroy(&g->lock);
    return false;
}

perc_status gather_new(const struct env *e, const struct block *blocks, size_t n, size_t worth,
                       struct gather **out)
{
    struct gather *g = mem_zeroed(e, 1, sizeof *g);

    *out = NULL;
    if (g == NULL) return PERC_ENOMEM;
    g->e = *e;
    g->blocks = blocks;
    if (!is_worth_it(g, blocks, n, worth)) {
        mem_free(e, g, 1, sizeof *g);
        return PERC_OK;
    }
    g->load = mem_zeroed(e, LOADS, sizeof *g->load);
    g->memory = mem_array(e, LOADS, 2 * BYTES);
    if (g->load == NULL || g->memory == NULL || !start_lock(g)) {
        mem_free(e, g->load, LOADS, sizeof *g->load);
        mem_free(e, g->memory, LOADS, 2 * BYTES);
        mem_free(e, g, 1, sizeof *g);
        return PERC_ENOMEM;
    }
    for (size_t k = 0; k < LOADS; k++) set_up(g, k);
    *out = g;
    return PERC_OK;
}

void gather_free(struct gather *g)
{
    if (g == NULL) return;
    const struct env e = g->e;
    gather_end(g);
    pthread_cond_destroy(&g->changed);
    pthread_mutex_destroy(&g->lock);
    mem_free(&e, g->load, LOADS, sizeof *g->load);
    mem_free(&e, g->memory, LOADS, 2 * BYTES);
    mem_free(&e, g, 1, sizeof *g);
}

/* ----- filling ------------------------------------------------------------------------ */

static const struct block *block_at(const struct gather *g, uint64_t at, size_t *i)
{
    *i = (size_t)(g->ref[at] & UINT32_MAX);
    return &g->blocks[g->ref[at] >> 32];
}

static void prefetch_row(const struct gather *g, uint64_t at)
{
    size_t i;

    if (at + AHEAD < g->n) {
        const struct block *b = block_at(g, at + AHEAD, &i);
        block_prefetch(b, i);
    }
    if (at + NEAR < g->n) {
        const struct block *b = block_at(g, at + NEAR, &i);
        const struct row x = block_row(b, i);
        row_prefetch(&x);
    }
}

/* Copies rows from `at` on; returns where it stopped. */
static uint64_t fill_load(const struct gather *g, struct load *p, uint64_t at)
{
    uint64_t entries = 0;
    size_t rows = 0;

    p->start[0] = 0;
    for (; at < g->n && rows < ROWS; at++, rows++) {
        size_t i;
        const struct block *b = block_at(g, at, &i);
        const struct row x = block_row(b, i);
        if ((entries + x.n) * (g->value_size > g->index_size ? g->value_size : g->index_size) >
            BYTES)
            break;
        prefetch_row(g, at);
        char *value = p->value + entries * g->value_size;
        if (x.n > 0 && g->decodes) row_decode(&x, ALL_COLUMNS, (double *)(void *)value);
        else if (x.n > 0 && g->value_size > 0) memcpy(value, x.value, x.n * g->value_size);
        if (x.n > 0 && g->index_size > 0)
            memcpy(p->index + entries * g->index_size, x.index, x.n * g->index_size);
        entries += x.n;
        p->start[rows + 1] = entries;
        p->label[rows] = b->label[i];
        p->weight[rows] = block_weight(b, i);
    }
    p->block.rows = rows;
    p->block.nonzeros = entries;
    return at;
}

static bool has_room(struct gather *g)
{
    return g->stop || g->filled - g->taken < LOADS;
}

static bool has_rows(struct gather *g)
{
    return g->done || g->filled > g->taken;
}

static void wait_until(struct gather *g, bool (*is)(struct gather *g))
{
    for (int k = 0; k < LOOKS; k++) {
        if (is(g)) return;
        atomic_signal_fence(memory_order_seq_cst);
    }
    pthread_mutex_lock(&g->lock);
    while (!is(g)) pthread_cond_wait(&g->changed, &g->lock);
    pthread_mutex_unlock(&g->lock);
}

static void *fill_all(void *ud)
{
    struct gather *g = ud;

    for (uint64_t at = 0; at < g->n;) {
        wait_until(g, has_room);
        if (g->stop) break;
        at = fill_load(g, &g->load[g->filled % LOADS], at);
        pthread_mutex_lock(&g->lock);
        g->filled++; /* before `done`: whoever sees that sees this */
        if (at == g->n) g->done = true;
        pthread_cond_signal(&g->changed);
        pthread_mutex_unlock(&g->lock);
    }
    return NULL;
}

/* ----- a pass --------------------------------------------------------------------------- */

bool gather_begin(struct gather *g, const uint64_t *ref, uint64_t n)
{
    g->ref = ref;
    g->n = n;
    g->filled = g->taken = 0;
    g->stop = false;
    g->done = n == 0;
    g->running = pthread_create(&g->thread, NULL, fill_all, g) == 0;
    return g->running;
}

const struct block *gather_next(struct gather *g)
{
    if (g->in_use) {
        g->in_use = false;
        pthread_mutex_lock(&g->lock);
        g->taken++;
        pthread_cond_signal(&g->changed);
        pthread_mutex_unlock(&g->lock);
    }
    wait_until(g, has_rows);
    if (g->filled == g->taken) return NULL;
    g->in_use = true;
    return &g->load[g->taken % LOADS].block;
}

void gather_end(struct gather *g)
{
    if (!g->running) return;
    pthread_mutex_lock(&g->lock);
    g->stop = true;
    pthread_cond_signal(&g->changed);
    pthread_mutex_unlock(&g->lock);
    pthread_join(g->thread, NULL);
    g->running = g->in_use = false;
}
