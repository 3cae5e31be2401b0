/* interrupt.c -- Ctrl-C, and the other signals that ask a program to end.
 *
 * A signal handler can speak through globals alone, so these are the only ones of the tool. While
 * there is something to save the signal is counted, and the work looks at the count a few times a
 * second (ticker.c). The handler removes itself then: the second Ctrl-C, from a person who means
 * it, ends the program at once. Where nothing can be lost, as while data are read, the first one
 * does, and says so: logs want to know it, too.
 *
 * Who started us with SIGINT or SIGHUP ignored (nohup, a shell's background job) wants us not to
 * hear of them. */
#include "cli/cli.h"

#include <signal.h>
#include <string.h>
#include <sys/select.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t interrupts;
static const char *volatile last_words;
static volatile sig_atomic_t impatient;
static volatile sig_atomic_t on_terminal; /* there "^C", or a line of progress, was before them */

static const int SIGNALS[] = { SIGINT, SIGTERM, SIGHUP };
enum { COUNT = sizeof SIGNALS / sizeof SIGNALS[0] };

static void count_signal(int signal)
{
    (void)signal;
    interrupts = interrupts + 1;
    if (impatient) alarm(1);
}

static void end_program(int signal)
{
    if (on_terminal) (void)!write(STDERR_FILENO, "\n", 1);
    (void)!write(STDERR_FILENO, last_words, strlen(last_words));
    _exit(signal == SIGALRM && interrupts == 0 ? EXIT_UNDECIDED : EXIT_INTERRUPTED);
}

static void set_handler(void (*handler)(int), int flags, int count)
{
    struct sigaction act, before;

    memset(&act, 0, sizeof act);
    act.sa_handler = handler;
    act.sa_flags = flags;
    sigemptyset(&act.sa_mask);
    for (int i = 0; i < count; i++)
        if (sigaction(SIGNALS[i], NULL, &before) == 0 &&
            (before.sa_handler != SIG_IGN || SIGNALS[i] == SIGTERM))
            sigaction(SIGNALS[i], &act, NULL);
}

void interrupt_catch(void)
{
    set_handler(count_signal, (int)SA_RESETHAND, COUNT);
}

static void catch_alarm(void)
{
    struct sigaction act;

    memset(&act, 0, sizeof act);
    act.sa_handler = end_program;
    sigemptyset(&act.sa_mask);
    sigaction(SIGALRM, &act, NULL);
}

void interrupt_catch_briefly(void)
{
    catch_alarm();
    impatient = 1;
    interrupt_catch();
}

void interrupt_quit(const char *words)
{
    last_words = words;
    on_terminal = isatty(STDERR_FILENO);
    set_handler(end_program, 0, COUNT);
}

void interrupt_end(const char *words, int since)
{
    interrupt_quit(words);
    if (interrupts > since) end_program(0); /* it came a moment ago */
}

void interrupt_after(double seconds)
{
    const struct itimerval at = { .it_value = { .tv_sec = (time_t)seconds } };

    catch_alarm();
    setitimer(ITIMER_REAL, &at, NULL);
}

bool interrupt_seen(void)
{
    return interrupts > 0;
}

int interrupt_count(void)
{
    return (int)interrupts;
}

/* Signals are let in only while waiting: one that came between the look at the flag and the wait
 * would otherwise go unnoticed until there is input. */
bool interrupt_wait(int fd)
{
    sigset_t ours, before;
    fd_set set;

    sigemptyset(&ours);
    for (int i = 0; i < COUNT; i++) sigaddset(&ours, SIGNALS[i]);
    sigprocmask(SIG_BLOCK, &ours, &before);
    FD_ZERO(&set);
    FD_SET(fd, &set);
    if (!interrupt_seen()) pselect(fd + 1, &set, NULL, NULL, NULL, &before);
    sigprocmask(SIG_SETMASK, &before, NULL); /* a pending one is delivered here */
    return !interrupt_seen();
}

/* As SIGPIPE would have, were it not ignored (main.c). */
int interrupt_as_pipe(void)
{
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
    return EXIT_PIPE; /* uncovered: who started us blocks the signal */
}
