/* ticker.c -- the line that shows work in progress, kept up to date on stderr if a person watches.
 *
 * It is an observer of the run: it is called a few times a second, answers with the flag that
 * Ctrl-C sets (interrupt.c), and draws. The library then ends the run as it would at a limit, and
 * the command saves the model: nothing is lost. */
#include "cli/cli.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "show/word.h"

enum { DRAWS_A_SECOND = 5, LINE = 384 };

double ticker_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Columns of the terminal that standard error is: a longer line would stay. */
static int line_room(void)
{
    struct winsize w;

    return ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 0 ? w.ws_col - 1 : 79;
}

static void draw_line(struct ticker *p, const char *line, double now)
{
    int n = (int)strlen(line);

    if (n > line_room()) n = line_room();
    fprintf(stderr, "\r%.*s%*s", n, line, p->width > n ? p->width - n : 0, "");
    fflush(stderr);
    p->width = n;
    p->next = now + 1.0 / DRAWS_A_SECOND;
}

/* ----- runs --------------------------------------------------------------------- */

/* How much of the work is done; NaN: not known. */
static double part_of(const struct ticker *p, const perc_event *e)
{
    double part = NAN;

    if (p->unit != NULL && p->of > 0) part = (double)(e->epoch - 1) / (double)p->of;
    else if (p->unit != NULL && e->examples > 0)
        part = (double)(e->epoch - 1) / (double)e->examples;
    else if (p->unit != NULL) return NAN;
    else if (p->rows > 0) part = (double)e->examples / p->rows;
    else if (p->passes > 0 && p->file != NULL && e->epoch > 0)
        part = ((double)(e->epoch - 1) + p->file->part) / (double)p->passes;
    return p->share > 0 ? p->from + p->share * part : part;
}

/* Of passes a run may need fewer than it is allowed. */
static void event_line(struct ticker *p, const perc_event *e, double now, char line[LINE])
{
    char rate[WORD], mistakes[WORD], held[WORD + 16] = "", percent[WORD], left[PROGRESS_WORDS];
    char loss[WORD + 16] = "", number[WORD];
    const double speed = e->seconds > 0 ? (double)e->examples / e->seconds : 0;
    const double part = part_of(p, e);

    if (part != p->progress.part || p->progress.now == 0) progress_see(&p->progress, now, part);
    progress_words(left, &p->progress, now, p->unit == NULL);
    if (!isnan(e->held_error))
        snprintf(held, sizeof held, "   held-out error %s", word_percent(percent, e->held_error));
    if (!isnan(e->loss)) snprintf(loss, sizeof loss, "   loss %s", word_num(number, e->loss));
    if (e->ended) /* its errors are counted */
        snprintf(line, LINE, "%s%s", p->stage, word_seconds(rate, e->seconds));
    else if (p->unit != NULL && p->of == 0 && e->examples == 0) /* of which there are none yet */
        snprintf(line, LINE, "%sreading   %s", p->stage, word_seconds(rate, e->seconds));
    else if (p->unit != NULL && p->of == 0) /* the events of a proof count the problems */
        snprintf(line, LINE, "%s%s %lld of %lld%s   %s", p->stage, p->unit, (long long)e->epoch,
                 (long long)e->examples, left, word_seconds(rate, e->seconds));
    else if (p->unit != NULL)
        snprintf(line, LINE, "%s%s %lld of %lld%s   %s", p->stage, p->unit, (long long)e->epoch,
                 (long long)p->of, left, word_rate(rate, speed, "rows"));
    else
        snprintf(line, LINE, "%spass %lld%s   %s mistakes in it%s   %s%s", p->stage,
                 (long long)e->epoch, left, word_count(mistakes, (uint64_t)e->pass_mistakes), loss,
                 word_rate(rate, speed, "rows"), held);
}

static int draw_event(void *ud, const perc_event *e)
{
    struct ticker *p = ud;
    const double now = p->shown ? ticker_seconds() : 0;
    const bool reads = p->file != NULL && p->file->width > 0; /* that line says more */
    char line[LINE];

    if (p->shown && now >= p->next && !reads) {
        event_line(p, e, now, line);
        draw_line(p, line, now);
    }
    return interrupt_seen();
}

perc_observer ticker_observer(struct ticker *p, const struct cli *cli)
{
    /* Work that ends before the second tick draws nothing. */
    *p = (struct ticker){ .shown = !cli->quiet && isatty(STDERR_FILENO),
                          .next = ticker_seconds() + 2.0 / DRAWS_A_SECOND,
                          .part = NAN,
                          .file = cli->reading != p ? cli->reading : NULL };
    return ticker_watch(p);
}

void ticker_stage(struct ticker *p, const char *unit, int64_t of)
{
    p->unit = unit;
    p->of = of;
    if (p->share == 0) p->progress = (struct progress){ 0 };
}

/* ----- files -------------------------------------------------------------------- */

void ticker_reading(void *ud, const perc_reading *r)
{
    struct ticker *p = ud;
    const double now = p->shown ? ticker_seconds() : 0;
    char line[LINE], left[PROGRESS_WORDS], bytes[WORD], rate[WORD];

    p->part = r->of > 0 ? (double)r->bytes / (double)r->of : (double)NAN;
    if (r->ended) {
        ticker_clear(p);
        p->begun = 0;
        p->progress = (struct progress){ 0 };
    }
    if (!p->shown || r->ended) return;
    if (p->begun == 0) {
        p->begun = now;
        p->next = now + 2.0 / DRAWS_A_SECOND;
    }
    if (now < p->next) return;
    progress_see(&p->progress, now, p->part);
    progress_words(left, &p->progress, now, false);
    word_bytes(bytes, r->bytes);
    word_bytes(rate, (uint64_t)((double)r->bytes / (now - p->begun)));
    snprintf(line, LINE, "%s%s%s   %s/s", p->stage, left[0] == '\0' ? "   " : left,
             left[0] == '\0' ? bytes : "", rate);
    draw_line(p, line, now);
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
