/* watch.h -- long work asks now and then whether to go on.
 *
 * It may be asked from several threads. NULL, or NULL in `ask`: nobody wants to know. */
#ifndef PERC_WATCH_H
#define PERC_WATCH_H

#include "base/base.h"

struct watch {
    bool (*ask)(void *ud, int64_t passes); /* false: stop, with what there is */
    void *ud;
};

static inline bool watch_ask(const struct watch *w, int64_t passes)
{
    return w == NULL || w->ask == NULL || w->ask(w->ud, passes);
}

/* Within a pass: asks after every WATCH_WORK numbers that were looked at, some milliseconds. *done
 * is one thread's. */
enum { WATCH_WORK = 1 << 20 };
static inline bool watch_work(const struct watch *w, uint64_t *done, uint64_t more)
{
    if ((*done += more) < WATCH_WORK) return true;
    *done = 0;
    return watch_ask(w, 0);
}

#endif
