/* progress.h -- how much of some work is done, and how long the rest may take.
 *
 * Apart from the clock: the caller says what time it is. The speed is that of the last seconds, so
 * that it follows work that becomes slower, and smoothed, so that it does not jump. */
#ifndef PERC_SHOW_PROGRESS_H
#define PERC_SHOW_PROGRESS_H

#include <stdbool.h>

struct progress {     /* zero it first */
    double now, part; /* when it was last seen, and how much was done: 0 to 1 */
    double seen;      /* for how many seconds */
    double speed;     /* parts a second; 0: not known yet */
};

/* At `now` seconds so much is done. Less than before: another piece of work has begun. */
void progress_see(struct progress *p, double now, double part);
/* Seconds to go at `now`; NaN: not known. Work that is seen in steps goes on between them. */
double progress_left(const struct progress *p, double now);
/* "   42 %, 1 min 05 s to go"; most: "at most 5 s to go", of work that may end before; "" if
 * nothing was seen. */
enum { PROGRESS_WORDS = 64 };
const char *progress_words(char buf[PROGRESS_WORDS], const struct progress *p, double now,
                           bool most);

#endif
