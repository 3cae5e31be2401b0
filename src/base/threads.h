/* threads.h -- run one function on several threads and wait for all of them. */
#ifndef PERC_THREADS_H
#define PERC_THREADS_H

#include <stdint.h>

enum { THREADS_MAX = 256 }; /* more are never started: env_resolve */

int threads_cores(void); /* cores this process may use, at least 1 */

/* Calls run(ud, k) for k = 0 .. n-1, each on its own thread, k = 0 on the
 * caller's. Where a thread cannot be started its call is made by the caller
 * afterwards, so run must not wait for a thread that has not begun. */
void threads_run(int n, void (*run)(void *ud, int k), void *ud);

/* The same for `tasks` independent pieces handed out in order to n threads. */
void threads_each(int n, uint64_t tasks, void (*run)(void *ud, uint64_t task), void *ud);

#endif
