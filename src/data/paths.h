/* paths.h -- the files that make up one data set, in their order, and whose line is whose.
 *
 * A path is a file, a directory (the files in it), or a pattern with * ? [ ] (the names that match
 * it); further ones stand in the list "more" of the "data" parameters. All of it is decided once,
 * when the data are opened.
 *
 * Inside the library lines are counted through all files, so that they increase with the rows;
 * what is told to anybody is the name of a file and the line in it. */
#ifndef PERC_PATHS_H
#define PERC_PATHS_H

#include "base/params.h"

struct perc_files {
    struct env e;
    const char **name; /* n */
    size_t n, cap;
    int64_t *before; /* n, if there are several: lines before each, of the first `begun` */
    size_t begun;
};

/* The files of `path` and of "more" (NULL: none). Each can be found; "-" is standard input.
 * PERC_EIO, PERC_EARG. After a failure, too, paths_free is due. */
perc_status paths_find(const struct env *e, const char *path, const char *more,
                       struct perc_files *out, perc_error *err);
perc_status paths_copy(const struct env *e, const struct perc_files *from, struct perc_files *out);
void paths_free(struct perc_files *p); /* safe on a zeroed one */

bool paths_have(const struct perc_files *p, const char *name);
/* The first of them that cannot be read twice, such as a pipe; NULL: there is none. */
const char *paths_once(const struct perc_files *p);

/* File k begins after this many lines of those before it. In their order; one that is left out is
 * empty. */
void paths_begin(struct perc_files *p, size_t k, int64_t lines);
/* The file that a line counted through all of them is in; *line becomes its number there. */
size_t paths_locate(const struct perc_files *p, int64_t *line);

/* The name in front of a message about one of several files, "b.csv: why"; of a single file there
 * is no need. What the system says names the file itself. Returns st. */
perc_status paths_blame(const struct perc_files *p, size_t k, perc_status st, perc_error *err);

#endif
