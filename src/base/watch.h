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

#endif
