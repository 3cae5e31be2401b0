/* interrupt.c -- Ctrl-C, and the line that shows training at work.
 *
 * Both are one observer of the run: it is called some times a second, answers
 * with the flag that the signal sets, and draws. The library then ends the run
 * as it would at a limit, and the command saves the model: nothing is lost.
 *
 * The flag is the only global of the tool, because a signal handler has no
 * other way to speak. The handler takes itself away: the second Ctrl-C, of a
 * person who means it, ends the program at once. */
#include "cli/cli.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#include "show/word.h"

static volatile sig_atomic_t interrupted;

static void on_signal(int signal)
{
    (void)signal;
    interrupted = 1;
}

static void handle(void (*handler)(int), int flags)
{
    struct sigaction act;

    memset(&act, 0, sizeof act);
    act.sa_handler = handler;
    act.sa_flags = flags;
    sigemptyset(&act.sa_mask);
    sigaction(SIGINT, &act, NULL);
    sigaction(SIGTERM, &act, NULL);
}

void interrupt_catch(void)
{
    handle(on_signal, (int)SA_RESETHAND);
}

void interrupt_release(void)
{
    handle(SIG_DFL, 0);
}

bool interrupt_seen(void)
{
    return interrupted != 0;
}

/* The signals are let in only while it waits: one that comes after the flag was
 * looked at, and before that, would otherwise not be noticed until input comes. */
bool interrupt_wait(int fd)
{
    sigset_t ours, before;
    fd_set set;

    sigemptyset(&ours);
    sigaddset(&ours, SIGINT);
    sigaddset(&ours, SIGTERM);
    sigprocmask(SIG_BLOCK, &ours, &before);
    FD_ZERO(&set);
    FD_SET(fd, &set);
    if (!interrupt_seen()) pselect(fd + 1, &set, NULL, NULL, NULL, &before);
    sigprocmask(SIG_SETMASK, &before, NULL); /* one that waited is let in here */
    return !interrupt_seen();
}

/* ----- progress ----------------------------------------------------------- */

enum { DRAWS_A_SECOND = 10 };

double cli_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void draw(struct ticker *p, const perc_event *e)
{
    char line[256], rate[WORD], mistakes[WORD], held[WORD + 16] = "", percent[WORD];
    char loss[WORD + 16] = "", number[WORD];
    const double speed = e->seconds > 0 ? (double)e->examples / e->seconds : 0;
    int n;

    if (!isnan(e->held_error))
        snprintf(held, sizeof held, "   held-out error %s", word_percent(percent, e->held_error));
    if (!isnan(e->loss)) snprintf(loss, sizeof loss, "   loss %s", word_num(number, e->loss));
    if (p->unit != NULL && p->of == 0) /* events of a proof count the problems themselves */
        n = snprintf(line, sizeof line, "%s%s %lld of %lld   %s", p->stage, p->unit,
                     (long long)e->epoch, (long long)e->examples, word_seconds(rate, e->seconds));
    else if (p->unit != NULL)
        n = snprintf(line, sizeof line, "%s%s %lld of %lld   %s", p->stage, p->unit,
                     (long long)e->epoch, (long long)p->of, word_rate(rate, speed, "rows"));
    else
        n = snprintf(line, sizeof line, "%spass %lld   %s mistakes in it%s   %s%s", p->stage,
                     (long long)e->epoch, word_count(mistakes, (uint64_t)e->pass_mistakes), loss,
                     word_rate(rate, speed, "rows"), held);
    fprintf(stderr, "\r%s%*s", line, p->width > n ? p->width - n : 0, "");
    fflush(stderr);
    p->width = n;
}

static int notify(void *ud, const perc_event *e)
{
    struct ticker *p = ud;
    const double now = p->shown ? cli_seconds() : 0;

    if (p->shown && now >= p->next) {
        draw(p, e);
        p->next = now + 1.0 / DRAWS_A_SECOND;
    }
    return interrupted;
}

perc_observer ticker_observer(struct ticker *p, const struct cli *cli)
{
    /* Work that is over before the second tick draws nothing. */
    *p = (struct ticker){ .shown = !cli->quiet && isatty(STDERR_FILENO),
                          .next = cli_seconds() + 2.0 / DRAWS_A_SECOND };
    return ticker_watch(p);
}

perc_observer ticker_watch(struct ticker *p)
{
    return (perc_observer){ .level = PERC_WATCH_COUNTS, .notify = notify, .ud = p };
}

void ticker_clear(struct ticker *p)
{
    if (p->width > 0) fprintf(stderr, "\r%*s\r", p->width, "");
    p->width = 0;
}
