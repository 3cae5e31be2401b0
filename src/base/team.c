/* team.c -- threads that wait for work.
 *
 * `left` counts the tasks that nobody has begun: whoever takes one has task
 * tasks - left, and reads what the work is only then. So a thread that wakes late finds either
 * nothing or a task of the work at hand, and nobody waits for a thread that has no task.
 *
 * A thread about to sleep says so (`sleepers`, `waiting`) before it looks for the last time, and
 * one that has news stores it before it looks for sleepers: one of the two sees the
 * other, because both are sequentially consistent. */
#include "base/team.h"

#include <stdatomic.h>

#include "base/pthreads.h"

enum {
    MAX_TEAM = 256,
    LOOKS = 2000 /* before sleeping: a tenth of a millisecond, about a step of a small network */
};

struct member {
    struct team *team;
    pthread_t id;
    int k;
};

struct team {
    struct env e;
    int size, room;        /* threads, the caller among them; elements of member */
    struct member *member; /* [0] is not used */
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    /* The work: written while nobody has a task, read by those who have one. */
    void (*run)(void *ud, uint64_t task, int k);
    void *ud;
    uint64_t tasks;
    _Atomic int64_t left;       /* tasks not begun; negative: somebody looked in vain */
    _Atomic uint64_t pending;   /* tasks not ended */
    _Atomic int sleepers;       /* threads that wait for work */
    _Atomic bool waiting, stop; /* the caller waits for the end; no more work will come */
};

static void pause_a_little(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_ia32_pause();
#else
    atomic_signal_fence(memory_order_seq_cst);
#endif
}

/* ----- tasks -------------------------------------------------------------------------- */

/* Does tasks until none is left. */
static void take_all(struct team *t, int k)
{
    while (t->left > 0) {
        const int64_t left = atomic_fetch_sub(&t->left, 1);
        if (left <= 0) return;
        t->run(t->ud, t->tasks - (uint64_t)left, k);
        if (atomic_fetch_sub(&t->pending, 1) == 1 && t->waiting) {
            pthread_mutex_lock(&t->lock);
            pthread_cond_signal(&t->done);
            pthread_mutex_unlock(&t->lock);
        }
    }
}

static bool has_work(struct team *t)
{
    return t->left > 0 || t->stop;
}

static void wait_for_work(struct team *t)
{
    for (int i = 0; i < LOOKS; i++) {
        if (has_work(t)) return;
        pause_a_little();
    }
    pthread_mutex_lock(&t->lock);
    t->sleepers++;
    while (!has_work(t)) pthread_cond_wait(&t->work, &t->lock);
    t->sleepers--;
    pthread_mutex_unlock(&t->lock);
}

void team_each(struct team *t, uint64_t tasks, void (*run)(void *ud, uint64_t task, int k),
               void *ud)
{
    if (t == NULL || t->size == 1 || tasks < 2) {
        for (uint64_t i = 0; i < tasks; i++) run(ud, i, 0);
        return;
    }
    t->run = run;
    t->ud = ud;
    t->tasks = tasks;
    t->pending = tasks;
    t->left = (int64_t)tasks; /* stored last: this starts the work */
    if (t->sleepers > 0) {
        pthread_mutex_lock(&t->lock);
        pthread_cond_broadcast(&t->work);
        pthread_mutex_unlock(&t->lock);
    }
    take_all(t, 0);
    for (int i = 0; i < LOOKS; i++) {
        if (t->pending == 0) return;
        pause_a_little();
    }
    pthread_mutex_lock(&t->lock);
    t->waiting = true;
    while (t->pending > 0) pthread_cond_wait(&t->done, &t->lock);
    t->waiting = false;
    pthread_mutex_unlock(&t->lock);
}

/* ----- threads ------------------------------------------------------------------------- */

static void *enter(void *p)
{
    const struct member *m = p;

    while (!m->team->stop) {
        take_all(m->team, m->k);
        wait_for_work(m->team);
    }
    return NULL;
}

static bool start_locks(struct team *t)
{
    if (pthread_mutex_init(&t->lock, NULL) != 0) return false;
    if (pthread_cond_init(&t->work, NULL) == 0) {
        if (pthread_cond_init(&t->done, NULL) == 0) return true;
        pthread_cond_destroy(&t->work);
    }
    pthread_mutex_destroy(&t->lock);
    return false;
}

perc_status team_new(const struct env *e, struct team **out)
{
    struct team *t = mem_zeroed(e, 1, sizeof *t);

    *out = NULL;
    if (t == NULL) return PERC_ENOMEM;
    t->e = *e;
    t->room = e->threads < MAX_TEAM ? e->threads : MAX_TEAM;
    t->member = mem_zeroed(e, (size_t)t->room, sizeof *t->member);
    if (t->member == NULL || !start_locks(t)) {
        mem_free(e, t->member, (size_t)t->room, sizeof *t->member);
        mem_free(e, t, 1, sizeof *t);
        return PERC_ENOMEM;
    }
    for (t->size = 1; t->size < t->room; t->size++) {
        struct member *m = &t->member[t->size];
        *m = (struct member){ .team = t, .k = t->size };
        if (pthread_create(&m->id, NULL, enter, m) != 0) break;
    }
    *out = t;
    return PERC_OK;
}

void team_free(struct team *t)
{
    if (t == NULL) return;
    const struct env e = t->e;
    pthread_mutex_lock(&t->lock);
    t->stop = true;
    pthread_cond_broadcast(&t->work);
    pthread_mutex_unlock(&t->lock);
    for (int k = 1; k < t->size; k++) pthread_join(t->member[k].id, NULL);
    pthread_cond_destroy(&t->done);
    pthread_cond_destroy(&t->work);
    pthread_mutex_destroy(&t->lock);
    mem_free(&e, t->member, (size_t)t->room, sizeof *t->member);
    mem_free(&e, t, 1, sizeof *t);
}

int team_size(const struct team *t)
{
    return t != NULL ? t->size : 1;
}
