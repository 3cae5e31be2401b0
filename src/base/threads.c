/* threads.c -- threads for one piece of work, started and joined here.
 *
 * There is no pool: starting a thread costs some tens of microseconds, and the
 * pieces of work here (a file to parse, a pass over all rows) are thousands of
 * times longer. So there is nothing to keep, to fork around or to shut down.
 * pthreads rather than OpenMP: its runtime keeps global state, and
 * ThreadSanitizer cannot see through it. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/threads.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/pthreads.h"

#ifdef PERC_NO_THREADS
int threads_cores(void)
{
    return 1;
}
#else
int threads_cores(void)
{
#ifdef __linux__
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        const int n = CPU_COUNT(&set);
        if (n > 0) return n < THREADS_MAX ? n : THREADS_MAX;
    }
#endif
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n < THREADS_MAX ? (int)n : THREADS_MAX;
}
#endif

struct threads_job {
    void (*run)(void *ud, int k);
    void *ud;
    int k;
    bool started;
    pthread_t id;
};

static void *enter_thread(void *p)
{
    const struct threads_job *j = p;

    j->run(j->ud, j->k);
    return NULL;
}

void threads_run(int n, void (*run)(void *ud, int k), void *ud)
{
    struct threads_job jobs[THREADS_MAX];

    if (n > THREADS_MAX) n = THREADS_MAX;
    for (int k = 1; k < n; k++) {
        jobs[k] = (struct threads_job){ .run = run, .ud = ud, .k = k };
        jobs[k].started = pthread_create(&jobs[k].id, NULL, enter_thread, &jobs[k]) == 0;
    }
    run(ud, 0);
    for (int k = 1; k < n; k++) {
        if (jobs[k].started) pthread_join(jobs[k].id, NULL);
        else run(ud, k);
    }
}

struct share {
    void (*run)(void *ud, uint64_t task);
    void *ud;
    uint64_t tasks;
    _Atomic uint64_t next;
};

static void run_tasks(void *p, int k)
{
    struct share *s = p;
    uint64_t i;

    (void)k;
    while ((i = atomic_fetch_add(&s->next, 1)) < s->tasks) s->run(s->ud, i);
}

void threads_each(int n, uint64_t tasks, void (*run)(void *ud, uint64_t task), void *ud)
{
    struct share s = { .run = run, .ud = ud, .tasks = tasks };

    atomic_init(&s.next, 0);
    if ((uint64_t)n > tasks) n = (int)tasks;
    threads_run(n < 1 ? 1 : n, run_tasks, &s);
}
