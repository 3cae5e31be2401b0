/* progress.c -- how much of some work is done. See progress.h. */
#include "show/progress.h"

#include <math.h>
#include <stdio.h>

/* The weight of a speed fades by e in so many seconds; before that there is nothing to go by. */
#define FADES  5.0
#define ENOUGH 1.0

void progress_see(struct progress *p, double now, double part)
{
    const double passed = now - p->now, done = part - p->part;

    if (!(part >= 0) || part > 1) return;
    if (p->now == 0 || done < 0) {
        *p = (struct progress){ .now = now, .part = part };
        return;
    }
    if (passed <= 0) return;
    /* At first the mean since the beginning, then more and more that of the last seconds. */
    const double weight = fmax(passed / (p->seen + passed), 1 - exp(-passed / FADES));

    p->speed += weight * (done / passed - p->speed);
    p->seen += passed;
    p->now = now;
    p->part = part;
}

double progress_left(const struct progress *p, double now)
{
    if (p->seen < ENOUGH || !(p->speed > 0)) return (double)NAN;
    return fmax((1 - p->part) / p->speed - (now - p->now), 0);
}

const char *progress_words(char buf[PROGRESS_WORDS], const struct progress *p, double now,
                           bool most)
{
    const double exactly = progress_left(p, now), left = fmax(ceil(exactly - 1e-6), 0);
    const char *at_most = most ? "at most " : "";
    int n;

    buf[0] = '\0';
    if (p->now == 0) return buf;
    n = snprintf(buf, PROGRESS_WORDS, "   %.0f %%", floor(100 * p->part));
    if (isnan(exactly) || left >= 1e9) return buf;
    if (left < 60) snprintf(buf + n, PROGRESS_WORDS - (size_t)n, ", %s%.0f s to go", at_most, left);
    else if (left < 3600)
        snprintf(buf + n, PROGRESS_WORDS - (size_t)n, ", %s%.0f min %02.0f s to go", at_most,
                 floor(left / 60), fmod(left, 60));
    else
        snprintf(buf + n, PROGRESS_WORDS - (size_t)n, ", %s%.0f h %02.0f min to go", at_most,
                 floor(left / 3600), floor(fmod(left, 3600) / 60));
    return buf;
}
