/* files.c -- no file that a command writes may be one that it reads, or writes as well.
 *
 * cli_parse asks this of every command, before any work. Which options name files, and for what,
 * stands in the lists of the commands (OPT_READ and those after it) and, for the library's
 * tables, in `rows` below. Two names are one file if device and inode are the same, so links are
 * seen through; names of files that do not exist yet, if they are the same name in the same folder.
 * Pipes, devices and "-" are nobody's loss. Standard input counts as read and standard output as
 * written, where they are files: `predict M D >> D` would read what it writes. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The library's parameters that name files. */
static const struct {
    const char *name;
    enum opt_type type;
} rows[] = { { "checkpoint", OPT_MODEL },
             { "columns", OPT_READ },
             { "init", OPT_READ },
             { "validate", OPT_READ } };

enum opt_type files_row(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].name, name) == 0) return rows[i].type;
    return OPT_TEXT;
}

/* ----- where a file is ------------------------------------------------------ */

enum { PATH = 4096, LINK_HOPS = 40, FILES = 32 };

struct place {
    enum { NOWHERE, A_FILE, TO_COME, A_FOLDER } kind;
    dev_t dev; /* TO_COME: those of its folder */
    ino_t ino;
    const char *name; /* the end of `path` */
    char path[PATH];  /* where links end */
};

/* Follows links by their text, since the last may lead to nothing. */
static void follow_links(char path[PATH])
{
    char text[PATH];
    ssize_t n;

    for (int hop = 0; hop < LINK_HOPS && (n = readlink(path, text, PATH - 1)) > 0; hop++) {
        char *slash = strrchr(path, '/');
        const size_t dir = text[0] != '/' && slash != NULL ? (size_t)(slash - path) + 1 : 0;

        if (dir + (size_t)n >= PATH) return; /* what is opened there will be refused */
        memcpy(path + dir, text, (size_t)n);
        path[dir + (size_t)n] = '\0';
    }
}

/* The folder of a path that has been followed. */
static bool find_folder(struct place *p, struct stat *info)
{
    char *slash = strrchr(p->path, '/');

    p->name = slash != NULL ? slash + 1 : p->path;
    if (slash == NULL) return stat(".", info) == 0;
    *slash = '\0';
    const bool found = stat(slash > p->path ? p->path : "/", info) == 0;
    *slash = '/';
    return found;
}

/* path NULL: what the descriptor is. */
static void find_place(const char *path, int fd, struct place *p)
{
    struct stat info;
    bool there;

    p->kind = NOWHERE;
    snprintf(p->path, PATH, "%s", path != NULL ? path : "");
    if (path != NULL && (strcmp(path, "-") == 0 || path[0] == '\0' || strlen(path) >= PATH)) return;
    there = (path != NULL ? stat(path, &info) : fstat(fd, &info)) == 0;
    if (path != NULL) follow_links(p->path);
    if (there)
        p->kind = S_ISREG(info.st_mode) ? A_FILE : S_ISDIR(info.st_mode) ? A_FOLDER : NOWHERE;
    else if (path != NULL && find_folder(p, &info) && p->name[0] != '\0') p->kind = TO_COME;
    p->dev = p->kind != NOWHERE ? info.st_dev : 0;
    p->ino = p->kind != NOWHERE ? info.st_ino : 0;
}

/* ----- two of them ------------------------------------------------------------ */

struct file {
    char what[CLI_NAME]; /* "-o", "--table", "DATA", "standard input" */
    const char *path;    /* NULL: a standard stream                    */
    enum opt_type type;
    struct place at;
};

/* A picture of a folder of pictures may be the file that is read. */
static bool is_picture_in(struct file *file, const struct place *folder)
{
    const size_t n = strlen(file->at.path);
    struct stat info;

    return file->at.kind == A_FILE && n > 4 && strcmp(file->at.path + n - 4, ".svg") == 0 &&
           find_folder(&file->at, &info) && info.st_dev == folder->dev &&
           info.st_ino == folder->ino;
}

static bool same_place(struct file *a, struct file *b)
{
    if (a->at.kind == A_FOLDER && a->type == OPT_WRITE) return is_picture_in(b, &a->at);
    if (b->at.kind == A_FOLDER && b->type == OPT_WRITE) return is_picture_in(a, &b->at);
    return a->at.kind != NOWHERE && a->at.kind != A_FOLDER && a->at.kind == b->at.kind &&
           a->at.dev == b->at.dev && a->at.ino == b->at.ino &&
           (a->at.kind == A_FILE || strcmp(a->at.name, b->at.name) == 0);
}

static bool is_written(const struct file *f)
{
    return f->type == OPT_WRITE || f->type == OPT_MODEL;
}

/* Neither is written, or both are the model that goes on; and standard output may be a file that is
 * written as well, by `-o /dev/stdout`. */
static bool may_be_one(const struct file *a, const struct file *b)
{
    const bool models = (a->type == OPT_MODEL || a->type == OPT_RESUME) &&
                        (b->type == OPT_MODEL || b->type == OPT_RESUME);
    const bool streams = (a->path == NULL && b->path == NULL) ||
                         ((a->path == NULL || b->path == NULL) && is_written(a) && is_written(b));

    return models || streams || (!is_written(a) && !is_written(b));
}

/* The one that is written comes first. */
static int refuse_same(const struct cli *cli, const struct file *a, const struct file *b)
{
    if (!is_written(a)) return refuse_same(cli, b, a);
    return cli_usage(cli,
                     "%s%s%s and %s%s%s %s the same file, and %s would be lost (pass another name)",
                     a->what, a->path != NULL ? " " : "", a->path != NULL ? a->path : "", b->what,
                     b->path != NULL ? " " : "", b->path != NULL ? b->path : "",
                     a->at.kind == A_FOLDER ? "would have" : "are",
                     !is_written(b) ? "what is read" : "one of them");
}

/* ----- all of them ------------------------------------------------------------- */

struct files {
    struct file file[FILES];
    size_t n;
};

/* "zero", "unit:3", or a network's: a start that is made, not read. */
static bool is_start(const char *init)
{
    char word[8];

    snprintf(word, sizeof word, "%.*s", (int)strcspn(init, ":"), init);
    return cli_listed("zero unit random auto he glorot", word);
}

/* path NULL: a standard stream. */
static void add_file(struct files *f, const char *dashes, const char *name, const char *path,
                     int fd, enum opt_type type)
{
    struct file *file = &f->file[f->n];

    if (f->n == FILES || (path != NULL && path[0] == ':' && (type == OPT_READ || type == OPT_DATA)))
        return;
    snprintf(file->what, sizeof file->what, "%s%s", dashes, name);
    file->path = path;
    file->type = type;
    find_place(path, fd, &file->at);
    f->n++;
}

/* Values as they are after parsing, defaults included. */
static void add_all(struct files *f, const struct cli *cli, const struct opt *opts,
                    const struct operand *operands)
{
    for (const struct operand *p = operands; p->name != NULL; p++)
        if (p->type != OPT_TEXT && *p->value != NULL)
            add_file(f, "", p->name, *p->value, -1, p->type);
    for (const struct opt *o = opts; o->name != NULL; o++) {
        const char letter[2] = { o->letter, '\0' };
        const bool named = o->type >= OPT_READ; /* the last of the list are files */
        const char *path = named ? *(const char **)o->value : NULL;

        if (path == NULL) continue;
        const enum opt_type type = o->type != OPT_PAIR ? o->type : OPT_WRITE;
        const char *second = o->type != OPT_PAIR ? NULL : ((const char **)o->value)[1];
        if (o->letter != 0) add_file(f, "-", letter, path, -1, type);
        else add_file(f, "--", o->name, path, -1, type);
        if (second != NULL) add_file(f, "-", letter, second, -1, type);
    }
    for (size_t i = 0; i < cli->setting_count; i++) {
        const struct setting *s = &cli->settings[i];

        if (files_row(s->name) != OPT_TEXT && !(strcmp(s->name, "init") == 0 && is_start(s->value)))
            add_file(f, "--", s->option, s->value, -1, files_row(s->name));
    }
    add_file(f, "", "standard input", NULL, STDIN_FILENO, OPT_READ);
    add_file(f, "", "standard output", NULL, STDOUT_FILENO, OPT_WRITE);
}

/* The data may have any number of files: the first is the operand. */
static int check_further(const struct cli *cli, struct files *f)
{
    struct file file = { .what = "DATA", .type = OPT_READ };

    for (size_t i = 1; i < perc_files_count(cli->files); i++) {
        file.path = perc_files_name(cli->files, i);
        find_place(file.path, -1, &file.at);
        for (size_t k = 0; k < f->n; k++)
            if (!may_be_one(&f->file[k], &file) && same_place(&f->file[k], &file))
                return refuse_same(cli, &f->file[k], &file);
    }
    return EXIT_DONE;
}

int files_check(const struct cli *cli, const struct opt *opts, const struct operand *operands)
{
    struct files f;

    f.n = 0;
    add_all(&f, cli, opts, operands);
    for (size_t i = 0; i < f.n; i++)
        for (size_t k = 0; k < i; k++)
            if (!may_be_one(&f.file[k], &f.file[i]) && same_place(&f.file[k], &f.file[i]))
                return refuse_same(cli, &f.file[k], &f.file[i]);
    return check_further(cli, &f);
}
