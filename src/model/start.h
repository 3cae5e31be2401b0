/* start.h -- where a run begins: what the parameter "init" says.
 *
 *     zero        w = 0, b = 0
 *     unit        w_j = 1/sqrt(n) for each of n features, b = 0; for several vectors, each
 *     random      normal numbers / sqrt(n) in their place
 *     unit:N      the same for the first N features, where rows come one by one and n is not
 *     random:N    known beforehand; the others begin at 0
 *     FILE        the weights that a model predicts with, feature by feature and class by class,
 *                 each found by its name; or numbers in plain text: w_1 w_2 ..., and b after the
 *                 letter b
 *
 * Names are those of a table's columns and categories; without a table a feature is called x and
 * its index. What the start does not know begins at 0, and what the data do not have is left out,
 * unless it is an index beyond theirs. Both are counted. The classes of a model are there from the
 * first row on, as those of --classes are.
 *
 * A machine with a budget begins with the rows of a kernel machine: each is added, in their order,
 * as an update by its coefficients would be, and the policy sees to what does not fit.
 *
 * On a stream columns appear on the way, and each has its start before its first row is shown: so
 * a run in memory, a stream and learning line by line begin alike. */
#ifndef PERC_START_H
#define PERC_START_H

#include "model/model.h"
#include "vec/rng.h"

enum start_kind { START_ZERO, START_UNIT, START_RANDOM, START_MODEL, START_NUMBERS };

struct start {
    struct env e;
    enum start_kind kind;
    const char *path;  /* of a file: as the parameter has it */
    uint64_t features; /* n; 0: those of the data */
    struct rng rng;
    perc_model *model;
    struct schema names; /* START_MODEL: its columns by name */
    double *w;           /* START_NUMBERS: `features` of them */
    size_t room;
    double b;
    bool has_b;      /* it was marked */
    uint64_t filled; /* columns of the machine that have their start */
};

/* Reads "init", and the file that it names. PERC_EARG: it is no start for this learner; else as
 * perc_start_check. Safe to close after a failure. */
perc_status start_open(const struct env *e, const perc_params *p, struct start *s, perc_error *err);
void start_close(struct start *s); /* safe on a zeroed struct */
/* Whether the machine of m can begin there. where: what has no data beforehand and must be told
 * more; NULL: there are data. PERC_EARG. */
perc_status start_check(const struct start *s, const perc_model *m, const char *where,
                        perc_error *err);
/* Makes the classes that a model brings. They are there before those of the data. */
perc_status start_classes(const struct start *s, perc_model *m, perc_error *err);
/* Compares a model with m, whose scaling and map are known, and with data of these names and so
 * many columns. PERC_EDATA. */
perc_status start_compare(const struct start *s, const perc_model *m, const struct schema *schema,
                          uint64_t columns, perc_error *err);
/* What a model knows of the columns of ds is kept with it, to be scaled so. PERC_ENOMEM. */
perc_status start_keep(const struct start *s, perc_dataset *ds);
/* Compares numbers with the features of the data. PERC_EDATA. */
perc_status start_measure(const struct start *s, uint64_t features, perc_error *err);
/* Gives the machine its start in all columns that have none yet, of which the data have those below
 * `columns`. */
perc_status start_fill(struct start *s, perc_model *m, const struct schema *schema,
                       uint64_t columns, perc_error *err);
/* Labels and columns of the data are all known: counts what was found. PERC_EDATA: nothing was. */
perc_status start_finish(const struct start *s, perc_model *m, const struct labels *labels,
                         uint64_t columns, perc_error *err);

#endif
