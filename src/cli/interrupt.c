/* interrupt.c -- Ctrl-C.
 *
 * The flag is the only global of the tool, because a signal handler has no
 * other way to speak. The handler removes itself: the second Ctrl-C, from a
 * person who means it, ends the program at once. */
#include "cli/cli.h"

#include <signal.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static void on_signal(int signal)
{
    (void)signal;
    interrupted = 1;
}

static void set_handler(void (*handler)(int), int flags)
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
    set_handler(on_signal, (int)SA_RESETHAND);
}

void interrupt_release(void)
{
    set_handler(SIG_DFL, 0);
}

bool interrupt_seen(void)
{
    return interrupted != 0;
}

/* Signals are let in only while waiting: one that came between the look at the flag and the wait
 * would otherwise go unnoticed until there is input. */
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
    sigprocmask(SIG_SETMASK, &before, NULL); /* a pending one is delivered here */
    return !interrupt_seen();
}
