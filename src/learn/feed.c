/* feed.c -- the batches of a pass, made ahead of the learner by another thread.
 *
 * A ring of RING batches, as in data/gather.c: made by one thread, taken by another. A batch
 * belongs to the thread whose turn it is by the counters `made` and `taken`. The maker sleeps
 * when the ring is full, until half of it is free: it is meant to be ahead, and the cores are
 * for those who learn. */
#include "learn/feed.h"

#include <stdatomic.h>

#include "base/pthreads.h"

enum {
    RING = 4,
    LOOKS = 2000 /* for a batch before sleeping: tens of microseconds */
};

struct feed {
    struct env e;
    struct feed_source s;
    struct lens lens;
    struct minibatch ring[RING];
    const uint64_t *ref;
    uint64_t n;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    bool running, in_use; /* there is a thread; the learner has a batch */
    uint64_t at;          /* rows that are in batches: the maker's */
    perc_status status;   /* why there are no more batches; set before `done` */
    /* Changed under the lock, looked at without it. */
    _Atomic uint64_t made, taken; /* batches of the pass: made, given back */
    _Atomic bool stop, done;      /* done: the last batch is made */
};

perc_status feed_new(const struct env *e, const struct feed_source *s, struct feed **out,
                     perc_error *err)
{
    struct feed *f = mem_zeroed(e, 1, sizeof *f);
    perc_status st = PERC_OK;

    *out = NULL;
    if (f == NULL) return fail_memory(err);
    f->e = *e;
    f->s = *s;
    lens_init(&f->lens, e, s->map);
    for (size_t k = 0; k < RING; k++) minibatch_init(&f->ring[k], e);
    for (size_t k = 0; k < s->block_count && st == PERC_OK; k++)
        st = lens_reserve(&f->lens, &s->blocks[k], err);
    if (st == PERC_OK && pthread_mutex_init(&f->lock, NULL) != 0) st = fail_memory(err);
    if (st == PERC_OK && pthread_cond_init(&f->changed, NULL) != 0) {
        pthread_mutex_destroy(&f->lock);
        st = fail_memory(err);
    }
    if (st != PERC_OK) {
        lens_free(&f->lens);
        mem_free(e, f, 1, sizeof *f);
        return st;
    }
    *out = f;
    return PERC_OK;
}

void feed_free(struct feed *f)
{
    if (f == NULL) return;
    const struct env e = f->e;
    feed_end(f);
    pthread_cond_destroy(&f->changed);
    pthread_mutex_destroy(&f->lock);
    for (size_t k = 0; k < RING; k++) minibatch_free(&f->ring[k]);
    lens_free(&f->lens);
    mem_free(&e, f, 1, sizeof *f);
}

/* ----- making --------------------------------------------------------------------------- */

/* The next rows, at most a batch of them. */
static perc_status make_batch(struct feed *f, struct minibatch *m)
{
    perc_status st = PERC_OK;

    minibatch_clear(m);
    for (; f->at < f->n && m->n < f->s.batch && st == PERC_OK; f->at++) {
        const struct block *b = &f->s.blocks[f->ref[f->at] >> 32];
        const size_t i = (size_t)(f->ref[f->at] & UINT32_MAX);
        const struct row x = lens_row(&f->lens, b, i);
        const uint32_t label = b->label[i];
        const double weight = block_weight(b, i) * f->s.weight_of[label];
        block_fetch_ahead(f->s.blocks, f->ref, f->n, f->at);
        st = minibatch_add(m, &x, f->s.class_of[label], weight, b->first_row + i);
    }
    return st == PERC_OK ? minibatch_transpose(m, f->s.columns) : st;
}

static bool is_half_free(struct feed *f)
{
    return f->stop || f->made - f->taken <= RING / 2;
}

static bool has_batch(struct feed *f)
{
    return f->done || f->made > f->taken;
}

static void wait_until(struct feed *f, bool (*is)(struct feed *f))
{
    pthread_mutex_lock(&f->lock);
    while (!is(f)) pthread_cond_wait(&f->changed, &f->lock);
    pthread_mutex_unlock(&f->lock);
}

static void *make_all(void *ud)
{
    struct feed *f = ud;

    while (!f->done) {
        if (!f->stop && f->made - f->taken >= RING) wait_until(f, is_half_free);
        if (f->stop) break;
        const perc_status st = make_batch(f, &f->ring[f->made % RING]);
        pthread_mutex_lock(&f->lock);
        f->status = st;
        if (st == PERC_OK) f->made++; /* before `done`: whoever sees that sees this */
        if (st != PERC_OK || f->at == f->n) f->done = true;
        pthread_cond_signal(&f->changed);
        pthread_mutex_unlock(&f->lock);
    }
    return NULL;
}

/* ----- a pass ----------------------------------------------------------------------------- */

void feed_begin(struct feed *f, const uint64_t *ref, uint64_t n)
{
    feed_end(f);
    f->ref = ref;
    f->n = n;
    f->at = 0;
    f->status = PERC_OK;
    f->made = f->taken = 0;
    f->stop = false;
    f->done = n == 0;
    f->running = n > f->s.batch && f->e.threads > 1 &&
                 pthread_create(&f->thread, NULL, make_all, f) == 0;
}

perc_status feed_next(struct feed *f, struct minibatch **out)
{
    *out = NULL;
    if (!f->running) { /* made when it is asked for */
        if (f->status != PERC_OK || f->at == f->n) return f->status;
        f->status = make_batch(f, &f->ring[0]);
        if (f->status == PERC_OK) *out = &f->ring[0];
        return f->status;
    }
    if (f->in_use) {
        f->in_use = false;
        pthread_mutex_lock(&f->lock);
        f->taken++;
        if (is_half_free(f)) pthread_cond_signal(&f->changed);
        pthread_mutex_unlock(&f->lock);
    }
    for (int k = 0; k < LOOKS && !has_batch(f); k++) atomic_signal_fence(memory_order_seq_cst);
    if (!has_batch(f)) wait_until(f, has_batch);
    if (f->made == f->taken) return f->status; /* `done`, which was seen before this */
    f->in_use = true;
    *out = &f->ring[f->taken % RING];
    return PERC_OK;
}

void feed_end(struct feed *f)
{
    if (!f->running) return;
    pthread_mutex_lock(&f->lock);
    f->stop = true;
    pthread_cond_signal(&f->changed);
    pthread_mutex_unlock(&f->lock);
    pthread_join(f->thread, NULL);
    f->running = f->in_use = false;
}
