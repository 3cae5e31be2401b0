/* team.h -- threads that wait for work, for work that comes in small pieces, one after the
 * other: a step of a network takes some tens of microseconds, about as long as starting a
 * thread (threads.h) would.
 *
 * A thread without work looks for some for a few microseconds, and then sleeps. */
#ifndef PERC_TEAM_H
#define PERC_TEAM_H

#include "base/base.h"

struct team;

/* A team of e->threads, including the caller; fewer if some cannot be started. *out is NULL
 * with PERC_ENOMEM. */
perc_status team_new(const struct env *e, struct team **out);
void team_free(struct team *t);      /* NULL is fine */
int team_size(const struct team *t); /* NULL: 1 */

/* Calls run(ud, task, k) for task = 0 .. tasks - 1, each once, k being the number of the thread
 * it runs on, from 0 (the caller) to team_size - 1; returns when all are done. Tasks are begun in
 * order and must not wait for each other. With t == NULL all are done by the caller. One caller
 * at a time. */
void team_each(struct team *t, uint64_t tasks, void (*run)(void *ud, uint64_t task, int k),
               void *ud);

#endif
