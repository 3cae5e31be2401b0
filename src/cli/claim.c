/* claim.c -- while a learner runs, the file that it saves to is its own.
 *
 * Two learners on one file would each write what they have learned over what the other has
 * acknowledged. So a learner holds a lock of the kernel, which goes when the process does, however
 * it ends. A save replaces the model by a rename, and a lock would stay with the old file; so it is
 * on FILE.lock beside it, which goes at the end. One that a killed learner has left means nothing;
 * a file of that name with something in it is not ours.
 *
 * Programs that know nothing of the lock, `train -o FILE` among them, may still replace the file:
 * it is looked at before each save, and left alone if it is not as this learner read or wrote
 * it. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fail_claim(const struct cli *cli, const char *path, const char *why, long process)
{
    perc_error err = { .status = PERC_EIO };

    if (process > 0)
        snprintf(err.text, sizeof err.text,
                 "%.80s is being taught by process %ld: one learner at a time (end it, or save to "
                 "another file with -o)",
                 path, process);
    else snprintf(err.text, sizeof err.text, "cannot lock %.80s: %s", path, why);
    return cli_fail(cli, NULL, &err);
}

/* *taken: the lock is held, on the file that has its name now. Another learner that ends removes
 * it. */
static int try_lock(struct claim *c, const struct cli *cli, const char *path, bool *taken)
{
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    struct stat own, named;

    *taken = false;
    if ((c->fd = open(c->lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666)) < 0) {
        const char *why = strerror(errno);
        const int rc = cli_can_write(cli, path); /* which says it better */
        return rc != EXIT_DONE ? rc : fail_claim(cli, path, why, 0);
    }
    if (fcntl(c->fd, F_SETLK, &lock) != 0) {
        const int code = errno;
        const bool held = (code == EACCES || code == EAGAIN) && fcntl(c->fd, F_GETLK, &lock) == 0;
        close(c->fd);
        c->fd = -1;
        if (held && lock.l_type == F_UNLCK) return EXIT_DONE; /* it has just ended */
        return fail_claim(cli, path, strerror(code), held ? (long)lock.l_pid : 0);
    }
    *taken = fstat(c->fd, &own) == 0 && stat(c->lock, &named) == 0 && own.st_dev == named.st_dev &&
             own.st_ino == named.st_ino;
    if (*taken && own.st_size > 0) { /* somebody's: it would go in the end */
        *taken = false;
        close(c->fd);
        c->fd = -1;
        return fail_claim(cli, path,
                          "the file of this name with .lock at its end is not empty, so it is no "
                          "lock (move it, or save elsewhere with -o)",
                          0);
    }
    if (!*taken) close(c->fd);
    return EXIT_DONE;
}

int claim_take(struct claim *c, const struct cli *cli, const char *path)
{
    bool taken = false;
    int rc = EXIT_DONE;

    c->fd = -1;
    if (stat(path, &c->seen) == 0 && !S_ISREG(c->seen.st_mode)) return EXIT_DONE; /* a device */
    char *real = realpath(path, NULL); /* NULL: it is yet to be made */
    const char *name = real != NULL ? real : path;
    const size_t room = strlen(name) + sizeof ".lock";
    if ((c->lock = malloc(room)) == NULL) rc = cli_memory(cli);
    else snprintf(c->lock, room, "%s.lock", name);
    free(real);
    while (rc == EXIT_DONE && !taken) rc = try_lock(c, cli, path, &taken);
    claim_look(c, path);
    return rc;
}

void claim_look(struct claim *c, const char *path)
{
    c->there = stat(path, &c->seen) == 0;
}

bool claim_is_lost(const struct claim *c, const char *path)
{
    struct stat now;

    if (stat(path, &now) != 0 || !S_ISREG(now.st_mode)) return false;
    return !c->there || now.st_dev != c->seen.st_dev || now.st_ino != c->seen.st_ino ||
           now.st_size != c->seen.st_size || now.st_mtim.tv_sec != c->seen.st_mtim.tv_sec ||
           now.st_mtim.tv_nsec != c->seen.st_mtim.tv_nsec;
}

void claim_drop(struct claim *c)
{
    if (c->fd >= 0) {
        unlink(c->lock); /* before it is let go */
        close(c->fd);
    }
    free(c->lock);
}
