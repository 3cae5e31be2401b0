/* paths.c -- the files of a data set. See paths.h.
 *
 * Names are sorted by their bytes, whatever the locale says. What begins with a dot is hidden, as
 * for a shell. A name that exists is that file, even if it looks like a pattern. */
#include "data/paths.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/list.h"
#include "base/sort.h"

/* ----- a list of names ------------------------------------------------------------ */

void paths_free(struct perc_files *p)
{
    for (size_t i = 0; i < p->n; i++) mem_free_text(&p->e, (char *)p->name[i]);
    mem_free(&p->e, p->name, p->cap, sizeof *p->name);
    mem_free(&p->e, p->before, p->n, sizeof *p->before);
    *p = (struct perc_files){ .e = p->e };
}

static perc_status add_name(struct perc_files *p, const char *folder, size_t len, const char *name)
{
    const bool slash = len > 0 && folder[len - 1] != '/';
    const size_t size = len + slash + strlen(name) + 1;
    char *own = mem_array(&p->e, size, 1);

    if (own == NULL || !MEM_GROW(&p->e, p->name, &p->cap, p->n + 1)) {
        mem_free(&p->e, own, size, 1);
        return PERC_ENOMEM;
    }
    memcpy(own, folder, len);
    if (slash) own[len] = '/';
    memcpy(own + len + slash, name, size - len - slash);
    p->name[p->n++] = own;
    return PERC_OK;
}

perc_status paths_copy(const struct env *e, const struct perc_files *from, struct perc_files *out)
{
    perc_status st = PERC_OK;

    *out = (struct perc_files){ .e = *e };
    for (size_t i = 0; i < from->n && !st; i++) st = add_name(out, "", 0, from->name[i]);
    if (st || from->before == NULL) return st;
    if ((out->before = mem_array(e, out->n, sizeof *out->before)) == NULL) return PERC_ENOMEM;
    memcpy(out->before, from->before, from->begun * sizeof *out->before);
    out->begun = from->begun;
    return PERC_OK;
}

/* ----- directories and patterns ----------------------------------------------------- */

#ifdef __wasi__ /* a page has files that it was given by name */
static perc_status add_path(struct perc_files *p, const char *path, perc_error *err)
{
    return add_name(p, "", 0, path) ? fail_memory(err) : PERC_OK;
}
#else
static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static perc_status add_folder(struct perc_files *p, const char *path, perc_error *err)
{
    const size_t from = p->n;
    const struct dirent *entry;
    struct stat info;
    perc_status st = PERC_OK;
    DIR *d = opendir(path);

    if (d == NULL) return fail_errno(err, "open", path);
    while (!st && (errno = 0, entry = readdir(d)) != NULL) {
        if (entry->d_name[0] == '.') continue;
        if (add_name(p, path, strlen(path), entry->d_name)) st = fail_memory(err);
        else if (stat(p->name[p->n - 1], &info) == 0 && !S_ISREG(info.st_mode))
            mem_free_text(&p->e, (char *)p->name[--p->n]);
    }
    if (!st && errno != 0) st = fail_errno(err, "read", path);
    closedir(d);
    if (!st && p->n == from)
        st = fail(err, PERC_EIO, "cannot read %s: there is no file in this directory", path);
    sort_items(p->name + from, p->n - from, sizeof *p->name, compare_names);
    return st;
}

static perc_status add_pattern(struct perc_files *p, const char *path, perc_error *err)
{
    glob_t found = { .gl_pathc = 0 };
    struct stat info;
    perc_status st = PERC_OK;
    const int rc = glob(path, GLOB_NOSORT, NULL, &found);

    if (rc == GLOB_NOMATCH)
        st = fail(err, PERC_EIO,
                  "cannot open %s: there is no such file, and none matches it as a "
                  "pattern",
                  path);
    else if (rc != 0) st = fail_memory(err);
    if (!st) sort_items(found.gl_pathv, found.gl_pathc, sizeof *found.gl_pathv, compare_names);
    for (size_t i = 0; i < found.gl_pathc && !st; i++) {
        const char *name = found.gl_pathv[i];
        if (stat(name, &info) == 0 && S_ISDIR(info.st_mode)) st = add_folder(p, name, err);
        else if (add_name(p, "", 0, name)) st = fail_memory(err);
    }
    globfree(&found);
    return st;
}

/* What cannot be found is left to who opens it. */
static perc_status add_path(struct perc_files *p, const char *path, perc_error *err)
{
    struct stat info;
    const bool special = strcmp(path, "-") == 0 || path[0] == ':';
    const bool there = !special && stat(path, &info) == 0;

    if (there && S_ISDIR(info.st_mode)) return add_folder(p, path, err);
    if (!special && !there && strpbrk(path, "*?[") != NULL) return add_pattern(p, path, err);
    return add_name(p, "", 0, path) ? fail_memory(err) : PERC_OK;
}
#endif

/* A file that is not there is told of before hours are spent on those before it. */
static perc_status check_several(const struct perc_files *p, perc_error *err)
{
    size_t standard = 0;
    struct stat info;

    for (size_t i = 0; i < p->n; i++) {
        const char *name = p->name[i];
        if (name[0] == ':')
            return fail(err, PERC_EARG,
                        "%s is built in, and cannot be one of several files ('perceptron convert' "
                        "makes a file of it)",
                        name);
        const bool dash = strcmp(name, "-") == 0;
        if (!dash && stat(name, &info) != 0) return fail_errno(err, "open", name);
        if (dash && ++standard > 1)
            return fail(err, PERC_EARG,
                        "standard input is named twice, and can be read once (leave out a '-')");
    }
    return PERC_OK;
}

perc_status paths_find(const struct env *e, const char *path, const char *more,
                       struct perc_files *out, perc_error *err)
{
    struct list l;
    bool go_on = more != NULL && *more != '\0';
    perc_status st;

    *out = (struct perc_files){ .e = *e };
    if ((st = add_path(out, path, err))) return st;
    if (go_on) {
        list_begin(&l, e, "more", more, '\0', err);
        while (!st && !(st = list_next(&l, &go_on)) && go_on) {
            char *name = mem_text(e, l.name, l.len);
            st = name == NULL ? fail_memory(err) : add_path(out, name, err);
            mem_free_text(e, name);
        }
        list_end(&l);
    }
    if (st || out->n == 1 || (st = check_several(out, err))) return st;
    out->before = mem_array(e, out->n, sizeof *out->before);
    return out->before != NULL ? PERC_OK : fail_memory(err);
}

bool paths_have(const struct perc_files *p, const char *name)
{
    for (size_t i = 0; i < p->n; i++)
        if (strcmp(p->name[i], name) == 0) return true;
    return false;
}

const char *paths_once(const struct perc_files *p)
{
    for (size_t i = 0; i < p->n; i++)
        if (!file_is_regular(p->name[i])) return p->name[i];
    return NULL;
}

/* ----- lines -------------------------------------------------------------------------- */

void paths_begin(struct perc_files *p, size_t k, int64_t lines)
{
    while (p->begun <= k) p->before[p->begun++] = lines;
}

size_t paths_locate(const struct perc_files *p, int64_t *line)
{
    size_t low = 0, high = p->begun;

    while (high - low > 1) { /* the last one that begins before the line */
        const size_t middle = low + (high - low) / 2;
        if (p->before[middle] < *line) low = middle;
        else high = middle;
    }
    if (p->begun > 0) *line -= p->before[low];
    return low;
}

perc_status paths_blame(const struct perc_files *p, size_t k, perc_status st, perc_error *err)
{
    enum { ROOM = 128 }; /* the rest of the text is for the reason */
    char text[sizeof err->text];

    if (st != PERC_EDATA || err == NULL || p->n < 2) return st;
    const char *name = strcmp(p->name[k], "-") == 0 ? "standard input" : p->name[k];
    const size_t len = strlen(name);
    memcpy(text, err->text, sizeof text);
    const char *shown = len > ROOM ? name + len - ROOM : name;
    while (len > ROOM && ((unsigned char)*shown & 0xc0) == 0x80) shown++; /* a whole character */
    return fail_at(err, st, err->line, err->column, "%s%s: %s", len > ROOM ? "..." : "", shown,
                   text);
}

/* ----- for callers ----------------------------------------------------------------------- */

perc_status perc_files_find(const perc_env *env, const char *path, const char *more,
                            perc_files **out, perc_error *err)
{
    NEED_OUT(out);
    NEED(path != NULL);
    const struct env e = env_resolve(env);
    perc_files *p = mem_zeroed(&e, 1, sizeof *p);

    if (p == NULL) return fail_memory(err);
    const perc_status st = paths_find(&e, path, more, p, err);
    if (st) perc_files_free(p);
    else *out = p;
    return st;
}

size_t perc_files_count(const perc_files *p)
{
    return p != NULL ? p->n : 0;
}

const char *perc_files_name(const perc_files *p, size_t k)
{
    return p != NULL && k < p->n ? p->name[k] : NULL;
}

void perc_files_free(perc_files *p)
{
    if (p == NULL) return;
    const struct env e = p->e;
    paths_free(p);
    mem_free(&e, p, 1, sizeof *p);
}
