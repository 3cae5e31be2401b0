/* pocket_score.c -- the errors of many machines in one pass over the data.
 *
 * Machines that stand side by side (vec/row_many.h) are scored together: every value
 * of a row is read once for all of them. The scores are the canonical ones, so each
 * count is exact. A lone machine of two classes is scored by the quick sum, and by
 * the canonical one where the bound on its error does not tell the sign (pass.c).
 *
 * The rows are dealt out to threads as tasks, and the counts are whole numbers: the
 * order in which they are added up changes nothing.
 *
 * Whoever only wants to know whether one machine has fewer errors than `limit` need not
 * see all rows: each task checks whether the limit has been reached. */
#include <stdatomic.h>

#include "base/threads.h"
#include "learn/fit.h"
#include "learn/ledger.h"
#include "learn/pocket.h"
#include "vec/row_many.h"

enum {
    WORKERS_MAX = 64,
    TASK_ROWS = 1024,
    THREAD_WORK = 1 << 18 /* products: less is done before a thread starts */
};

/* What one thread works with. */
struct count_worker {
    struct lens lens;
    bool ready; /* the lens has room for every row */
    bool failed;
    double *scores;
    int64_t *errors; /* of each machine */
    size_t room;     /* of both */
};

struct counter {
    struct env e;
    struct fit *fit;
    struct watch watch;
    double grace,
        asked; /* seconds to go on from `asked`, when the run was to stop; < 0: it is not */
    bool given_up;
    uint64_t done; /* products since the watch was asked */
    struct count_worker *worker;
    int workers; /* as many as there may be threads */
};

static bool ask_run(void *ud, int64_t passes)
{
    struct counter *s = ud;
    const struct progress *g = &s->fit->learner->progress;

    (void)passes;
    fit_poll(s->fit);
    if (g->stop != PERC_STOP_CANCELLED && g->stop != PERC_STOP_TIME) return true;
    if (s->asked < 0) s->asked = clock_seconds();
    if (clock_seconds() - s->asked < s->grace) return true;
    if (!s->given_up)
        fit_warn(s->fit, "the run was stopped before the errors of all weights were counted: the "
                         "best of those that were are kept");
    s->given_up = true;
    return false;
}

const struct watch *pocket_watch(const struct counter *s)
{
    return &s->watch;
}

perc_status pocket_counter_new(const struct env *e, struct fit *f, double grace,
                               struct counter **out)
{
    struct counter *s = mem_zeroed(e, 1, sizeof *s);

    *out = s;
    if (s == NULL) return PERC_ENOMEM;
    s->e = *e;
    s->fit = f;
    s->watch = (struct watch){ ask_run, s };
    s->grace = grace;
    s->asked = -1;
    s->workers = e->threads < WORKERS_MAX ? e->threads : WORKERS_MAX;
    s->worker = mem_zeroed(e, (size_t)s->workers, sizeof *s->worker);
    if (s->worker == NULL) {
        pocket_counter_free(s);
        *out = NULL;
        return PERC_ENOMEM;
    }
    for (int k = 0; k < s->workers; k++) lens_init(&s->worker[k].lens, e, f->lens.map);
    return PERC_OK;
}

void pocket_counter_free(struct counter *s)
{
    if (s == NULL) return;
    for (int k = 0; k < s->workers && s->worker != NULL; k++) {
        struct count_worker *w = &s->worker[k];
        lens_free(&w->lens);
        mem_free(&s->e, w->scores, w->room, sizeof *w->scores);
        mem_free(&s->e, w->errors, w->room, sizeof *w->errors);
    }
    mem_free(&s->e, s->worker, (size_t)s->workers, sizeof *s->worker);
    mem_free(&s->e, s, 1, sizeof *s);
}

/* ----- one row ------------------------------------------------------------------ */

/* A lone machine of two classes. */
static bool errs(const struct contest *c, const struct row *x, size_t class)
{
    const double y = class > 0 ? 1 : -1, b = c->b[0];
    const struct quick q = row_quick(x, c->w);
    const double m = y * (q.sum + b), bound = quick_bound(&q, x->n, b);

    if (m > bound) return false;
    if (m < -bound) return true;
    return !(y * (row_dot(x, c->w, c->dims) + b) > 0); /* NaN: an error */
}

/* ----- all rows ------------------------------------------------------------------- */

struct error_count {
    struct counter *s;
    const struct contest *c;
    int threads;
    int64_t limit;
    _Atomic int64_t sum; /* errors so far of a lone machine */
    atomic_bool stopped; /* by the first thread, which is the run's */
};

/* False: the rest need not be counted. */
static bool go_on(struct error_count *t, const struct count_worker *w, uint64_t work)
{
    struct counter *s = t->s;

    if (w == s->worker && !watch_work(&s->watch, &s->done, work)) atomic_store(&t->stopped, true);
    return !atomic_load_explicit(&t->stopped, memory_order_relaxed);
}

static void count_task(struct error_count *t, struct count_worker *w, const struct block *b,
                       size_t from)
{
    const struct fit *f = t->s->fit;
    const struct contest *c = t->c;
    const size_t to = b->rows - from < TASK_ROWS ? b->rows : from + TASK_ROWS;
    int64_t lost = 0; /* to every machine */

    for (size_t i = from; i < to; i++) {
        const size_t class = f->class_of[b->label[i]];
        if (!(block_weight(b, i) * f->weight_of[b->label[i]] > 0)) continue;
        if (class == CLASS_NONE) {
            lost++;
            continue;
        }
        const struct row x = lens_row(&w->lens, b, i);
        if (!go_on(t, w, (x.n + 1) * c->stride)) return;
        if (f->learner->kind == KIND_TWO && c->stride == 1) {
            w->errors[0] += errs(c, &x, class);
            continue;
        }
        const double y = class > 0 ? 1 : -1;
        row_scores(&x, c->w, c->dims, c->stride, w->scores);
        for (size_t k = 0; k < c->n * c->classes; k++) w->scores[k] += c->b[k];
        for (size_t k = 0; k < c->n && f->learner->kind == KIND_TWO; k++)
            w->errors[k] += !(y * w->scores[k] > 0);
        for (size_t k = 0; k < c->n && f->learner->kind != KIND_TWO; k++) {
            const double *own = w->scores + k * c->classes;
            if (c->as->moved) linear_take(c->as, own, c->classes, w->scores + c->stride);
            if (c->as->moved) own = w->scores + c->stride;
            w->errors[k] += !(learner_margin(f->learner, own, class) > 0);
        }
    }
    for (size_t k = 0; k < c->n; k++) w->errors[k] += lost;
}

static perc_status prepare_worker(const struct counter *s, const struct contest *c,
                                  struct count_worker *w)
{
    const size_t room = c->stride > c->n ? LINEAR_ROOM(c->stride) : c->n;

    if (w->room < room) {
        mem_free(&s->e, w->scores, w->room, sizeof *w->scores);
        mem_free(&s->e, w->errors, w->room, sizeof *w->errors);
        w->scores = mem_array(&s->e, room, sizeof *w->scores);
        w->errors = mem_array(&s->e, room, sizeof *w->errors);
        w->room = room;
    }
    if (w->scores == NULL || w->errors == NULL) return PERC_ENOMEM;
    for (size_t i = 0; i < s->fit->block_count && !w->ready; i++)
        if (lens_reserve(&w->lens, &s->fit->blocks[i], NULL)) return PERC_ENOMEM;
    w->ready = true;
    for (size_t k = 0; k < c->n; k++) w->errors[k] = 0;
    return PERC_OK;
}

/* Thread k: every threads-th task. */
static void count_share(void *ud, int k)
{
    struct error_count *t = ud;
    const struct fit *f = t->s->fit;
    struct count_worker *w = &t->s->worker[k];
    int64_t before = 0;
    uint64_t task = 0;

    w->failed = prepare_worker(t->s, t->c, w) != PERC_OK;
    for (size_t i = 0; i < f->block_count && !w->failed; i++) {
        for (size_t from = 0; from < f->blocks[i].rows; from += TASK_ROWS) {
            if (task++ % (uint64_t)t->threads != (uint64_t)k) continue;
            count_task(t, w, &f->blocks[i], from);
            if (atomic_load(&t->stopped)) return;
            if (t->c->n > 1) continue;
            const int64_t sum = atomic_fetch_add(&t->sum, w->errors[0] - before);
            if (sum + w->errors[0] - before >= t->limit) return;
            before = w->errors[0];
        }
    }
}

double pocket_entries(const struct counter *s)
{
    const struct fit *f = s->fit;
    double n = 0;

    for (size_t i = 0; i < f->block_count; i++) {
        const struct block *b = &f->blocks[i];
        n += f->lens.map != NULL ? (double)b->rows * (double)f->lens.cap : (double)b->nonzeros;
    }
    return n;
}

perc_status pocket_count(struct counter *s, const struct contest *c, int64_t limit, int64_t *errors)
{
    const double work = pocket_entries(s) * (double)c->stride / THREAD_WORK;
    struct error_count t = { .s = s,
                             .c = c,
                             .threads = work < 1            ? 1
                                        : work < s->workers ? (int)work
                                                            : s->workers,
                             .limit = limit };
    perc_status st = PERC_OK;

    atomic_init(&t.sum, 0);
    atomic_init(&t.stopped, false);
    threads_run(t.threads, count_share, &t);
    for (size_t k = 0; k < c->n; k++) errors[k] = 0;
    for (int i = 0; i < t.threads && !st; i++) {
        if (s->worker[i].failed) st = PERC_ENOMEM;
        for (size_t k = 0; k < c->n && !st; k++) errors[k] += s->worker[i].errors[k];
    }
    return !st && atomic_load(&t.stopped) ? PERC_EUNDECIDED : st;
}

/* ----- a machine without vectors --------------------------------------------------------- */

/* Without a ledger: row after row, each by itself. */
static perc_status count_plainly(struct counter *s, const struct learner *l, int64_t limit,
                                 int64_t *errors)
{
    const size_t outputs = learner_outputs(l);
    const struct contest one = { .stride = l->machine->last.stride + 1, .n = 1 };
    const struct fit *f = s->fit;
    struct count_worker *w = &s->worker[0];

    *errors = 0;
    if (prepare_worker(s, &one, w)) return PERC_ENOMEM;
    for (size_t k = 0; k < f->block_count; k++) {
        const struct block *b = &f->blocks[k];
        for (size_t i = 0; i < b->rows && *errors < limit; i++) {
            const size_t class = f->class_of[b->label[i]];
            if (!(block_weight(b, i) * f->weight_of[b->label[i]] > 0)) continue;
            const struct row x = lens_row(&w->lens, b, i);
            const uint64_t work = l->machine->ops->work != NULL
                                      ? l->machine->ops->work(l->machine, &x)
                                      : x.n;
            if (!watch_work(&s->watch, &s->done, work)) return PERC_EUNDECIDED;
            if (l->machine->ops->scores(l->machine, &x, outputs, w->scores)) return PERC_ENOMEM;
            *errors += class == CLASS_NONE || !(learner_margin(l, w->scores, class) > 0);
        }
    }
    return PERC_OK;
}

perc_status pocket_count_machine(struct counter *s, const struct learner *l, int64_t limit,
                                 int64_t *errors)
{
    struct tally t;

    if (s->fit->ledger == NULL) return count_plainly(s, l, limit, errors);
    const perc_status st = ledger_tally(s->fit->ledger, (uint64_t)limit, &s->watch, &t);
    *errors = (int64_t)t.errors;
    return st;
}
