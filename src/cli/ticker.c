/* ticker.c -- the line that shows work in progress, kept up to date on stderr if a person watches.
 *
 * It is an observer of the run: it is called a few times a second, answers with the flag that
 * Ctrl-C sets (interrupt.c), and draws. The library then ends the run as it would at a limit, and
 * the command saves the model: nothing is lost. */
#include "cli/cli.h"

#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "show/word.h"

enum { DRAWS_A_SECOND = 10 };

double ticker_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int draw_event(void *ud, const perc_event *e)
{
    struct ticker *p = ud;
    const double now = p->shown ? ticker_seconds() : 0;

    if (p->shown && now >= p->next) {
        char line[256], rate[WORD], mistakes[WORD], held[WORD + 16] = "", percent[WORD];
        char loss[WORD + 16] = "", number[WORD];
        const double speed = e->seconds > 0 ? (double)e->examples / e->seconds : 0;
        int n;

        if (!isnan(e->held_error))
            snprintf(held, sizeof held, "   held-out error %s",
                     word_percent(percent, e->held_error));
        if (!isnan(e->loss)) snprintf(loss, sizeof loss, "   loss %s", word_num(number, e->loss));
        if (p->unit != NULL && p->of == 0 && e->examples == 0) /* of which there are none yet */
            n = snprintf(line, sizeof line, "%sreading   %s", p->stage,
                         word_seconds(rate, e->seconds));
        else if (p->unit != NULL && p->of == 0) /* the events of a proof count the problems */
            n = snprintf(line, sizeof line, "%s%s %lld of %lld   %s", p->stage, p->unit,
                         (long long)e->epoch, (long long)e->examples,
                         word_seconds(rate, e->seconds));
        else if (p->unit != NULL)
            n = snprintf(line, sizeof line, "%s%s %lld of %lld   %s", p->stage, p->unit,
                         (long long)e->epoch, (long long)p->of, word_rate(rate, speed, "rows"));
        else
            n = snprintf(line, sizeof line, "%spass %lld   %s mistakes in it%s   %s%s", p->stage,
                         (long long)e->epoch, word_count(mistakes, (uint64_t)e->pass_mistakes),
                         loss, word_rate(rate, speed, "rows"), held);
        fprintf(stderr, "\r%s%*s", line, p->width > n ? p->width - n : 0, "");
        fflush(stderr);
        p->width = n;
        p->next = now + 1.0 / DRAWS_A_SECOND;
    }
    return interrupt_seen();
}

perc_observer ticker_observer(struct ticker *p, const struct cli *cli)
{
    /* Work that ends before the second tick draws nothing. */
    *p = (struct ticker){ .shown = !cli->quiet && isatty(STDERR_FILENO),
                          .next = ticker_seconds() + 2.0 / DRAWS_A_SECOND };
    return ticker_watch(p);
}

perc_observer ticker_watch(struct ticker *p)
{
    return (perc_observer){ .level = PERC_WATCH_COUNTS, .notify = draw_event, .ud = p };
}

void ticker_clear(struct ticker *p)
{
    if (p->width > 0) fprintf(stderr, "\r%*s\r", p->width, "");
    p->width = 0;
}
