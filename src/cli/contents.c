/* contents.c -- what a file is by its first bytes, and arguments in the wrong places.
 *
 * `predict DATA MODEL` is a slip that the tool can see: a model and a certificate say what they
 * are, and neither is a text. So cli_parse looks at the files of every command before any work, and
 * where one is what belongs elsewhere, says which is which and what to type. What cannot be looked
 * at and then read again (a pipe), or is none of these, is left to its reader. */
#include "cli/cli.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const said[] = {
    [CONTENTS_DATA] = "data", [CONTENTS_MODEL] = "a model", [CONTENTS_CERTIFICATE] = "a certificate"
};

enum { HEAD = 512 };

static bool has(const char *head, size_t n, const char *text)
{
    const size_t length = strlen(text);

    for (size_t i = 0; i + length <= n; i++)
        if (memcmp(head + i, text, length) == 0) return true;
    return false;
}

/* A safetensors file begins with the length of its header, eight bytes, lowest first, and a brace:
 * model or blocks. Text has no zero bytes. */
static enum contents tell_contents(const char *head, size_t n)
{
    const bool tensors = n > 9 && head[8] == '{' && memcmp(head + 5, "\0\0\0", 3) == 0;

    if (tensors) return has(head, n, "\"perceptron-blocks\"") ? CONTENTS_DATA : CONTENTS_MODEL;
    if (n > 0 && head[0] == '{')
        return has(head, n, "\"perceptron_certificate\"") ? CONTENTS_CERTIFICATE : CONTENTS_UNKNOWN;
    for (size_t i = 0, length; i < n; i += length) {
        length = memchr("\t\r\n", head[i], 3) != NULL ? 1 : word_char(head + i, n - i);
        if (length == 0 && (n < HEAD || i + 4 <= n)) return CONTENTS_UNKNOWN; /* no text */
        if (length == 0) break; /* the last character is cut */
    }
    return n > 0 ? CONTENTS_DATA : CONTENTS_UNKNOWN;
}

enum contents contents_of(const char *path)
{
    char head[HEAD];
    struct stat there;

    if (path[0] == ':') return CONTENTS_DATA;
    if (strcmp(path, "-") == 0 || stat(path, &there) != 0 || !S_ISREG(there.st_mode))
        return CONTENTS_UNKNOWN;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return CONTENTS_UNKNOWN;
    const ssize_t n = read(fd, head, sizeof head);
    close(fd);
    return tell_contents(head, n > 0 ? (size_t)n : 0);
}

/* ----- the wrong place --------------------------------------------------------- */

static enum contents wanted(const struct operand *p)
{
    if (p->type == OPT_WRITE) return CONTENTS_UNKNOWN;
    return strcmp(p->name, "DATA") == 0          ? CONTENTS_DATA
           : strcmp(p->name, "MODEL") == 0       ? CONTENTS_MODEL
           : strcmp(p->name, "CERTIFICATE") == 0 ? CONTENTS_CERTIFICATE
                                                 : CONTENTS_UNKNOWN;
}

/* One file that is something else: what can be done with it. */
static int refuse_file(const struct cli *cli, enum contents want, enum contents is,
                       const char *path)
{
    const char *name = cli->command->name;
    const bool learn = strcmp(name, "learn") == 0, train = strcmp(name, "train") == 0;
    const char *before, *after;

    if (is == CONTENTS_CERTIFICATE) before = "verify ", after = " DATA";
    else if (is == CONTENTS_MODEL && train) before = "train DATA --resume ", after = "";
    else if (is == CONTENTS_MODEL) before = "inspect ", after = "";
    else if (want == CONTENTS_CERTIFICATE) before = "prove ", after = " -o proof.json";
    else if (learn) before = "learn --new -o MODEL < ", after = "";
    else before = "train ", after = " -o model.safetensors";
    cli_say("%s: this is %s, not %s (perhaps: perceptron %s%s%s)", path, said[is], said[want],
            before, path, after);
    return EXIT_DATA;
}

static int refuse_order(const struct cli *cli, const struct operand *a, const struct operand *b)
{
    const struct operand *wrong = contents_of(*b->value) != CONTENTS_UNKNOWN ? b : a;
    const enum contents is = contents_of(*wrong->value);

    return cli_usage(cli, "%s is %s: the order is %s %s: perceptron %s %s %s", *wrong->value,
                     said[is], a->name, b->name, cli->command->name, *b->value, *a->value);
}

/* A model or a certificate among the data. */
static int check_further(const struct cli *cli)
{
    for (size_t k = 1; k < perc_files_count(cli->files); k++) {
        const char *path = perc_files_name(cli->files, k);
        const enum contents is = contents_of(path);

        if (is != CONTENTS_UNKNOWN && is != CONTENTS_DATA)
            return cli_usage(cli, "%s is %s, and stands among the data: the order is %s %s", path,
                             said[is], cli->command->name, cli->command->synopsis);
    }
    return EXIT_DONE;
}

int contents_check(const struct cli *cli, const struct operand *operands)
{
    const struct operand *a = operands, *b = a->name != NULL && a[1].name != NULL ? a + 1 : NULL;
    const int rc = check_further(cli);

    if (rc != EXIT_DONE) return rc;

    /* plot DATA|MODEL [DATA]: a model is drawn over data. */
    if (b != NULL && *b->value != NULL && strcmp(a->name, "DATA|MODEL") == 0) {
        if (contents_of(*b->value) != CONTENTS_MODEL) return EXIT_DONE;
        const struct operand order[] = { { "MODEL", a->value, false, a->type }, *b };
        return refuse_order(cli, &order[0], &order[1]);
    }
    for (const struct operand *p = operands; p->name != NULL; p++) {
        const struct operand *q = p == a ? b : a;
        const enum contents want = wanted(p);
        const enum contents is = want != CONTENTS_UNKNOWN && *p->value != NULL
                                     ? contents_of(*p->value)
                                     : CONTENTS_UNKNOWN;

        if (is == CONTENTS_UNKNOWN || is == want) continue;
        const enum contents other = q != NULL && *q->value != NULL ? contents_of(*q->value)
                                                                   : CONTENTS_UNKNOWN;
        if (q != NULL && *q->value != NULL && wanted(q) == is &&
            (other == want || other == CONTENTS_UNKNOWN))
            return refuse_order(cli, a, b);
        return refuse_file(cli, want, is, *p->value);
    }
    return EXIT_DONE;
}
