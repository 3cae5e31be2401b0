/* pthreads.h -- POSIX threads; or, with PERC_NO_THREADS, a system on which none can be started.
 *
 * Code that asks for a thread goes on without it if it cannot be started: that is tested with
 * threads that fail (tests/unit/test_faults.c). So a system without threads, such as
 * WebAssembly, needs no other code than a pthread_create that always says no. All work is
 * then done by the caller, who never finds a lock taken and never waits. */
#ifndef PERC_PTHREADS_H
#define PERC_PTHREADS_H

#ifndef PERC_NO_THREADS
#include <pthread.h>
#else

#include <errno.h>
#include <stddef.h>
#include <sys/types.h> /* may define these names: its own come first, ours replace them */

struct no_thread {
    char none;
};

/* The functions do nothing and report success, except the one that starts a thread. */
static inline int no_thread_done(struct no_thread *t)
{
    t->none = 0;
    return 0;
}

static inline int no_thread_join(struct no_thread t)
{
    return t.none;
}

static inline int no_thread_create(struct no_thread *t, void *(*run)(void *), void *ud)
{
    (void)run, (void)ud;
    t->none = 0;
    return EAGAIN;
}

#define pthread_t                              struct no_thread
#define pthread_mutex_t                        struct no_thread
#define pthread_cond_t                         struct no_thread
#define pthread_create(t, attributes, run, ud) no_thread_create(t, run, ud)
#define pthread_join(t, result)                no_thread_join(t)
#define pthread_mutex_init(m, attributes)      no_thread_done(m)
#define pthread_mutex_destroy(m)               no_thread_done(m)
#define pthread_mutex_lock(m)                  no_thread_done(m)
#define pthread_mutex_unlock(m)                no_thread_done(m)
#define pthread_cond_init(c, attributes)       no_thread_done(c)
#define pthread_cond_destroy(c)                no_thread_done(c)
#define pthread_cond_wait(c, m)                no_thread_done(c)
#define pthread_cond_signal(c)                 no_thread_done(c)
#define pthread_cond_broadcast(c)              no_thread_done(c)

#endif
#endif
