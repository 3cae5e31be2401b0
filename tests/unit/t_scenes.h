/* t_scenes.h -- everything the public API does, in small, for tests that make it fail.
 *
 * A scene is one use of the library from beginning to end: read a file, train,
 * save. It takes its memory from the env it is given, and returns the status of the
 * first call that failed, after it has given everything back. On the way it checks
 * what holds whatever goes wrong: a failed call says so in `err` as well, and leaves
 * its *out NULL. A scene that ends well gives a digest of what it made: two runs
 * that end well must agree in it.
 *
 * The files that scenes read are made in the current directory beforehand. */
#ifndef PERC_TEST_SCENES_H
#define PERC_TEST_SCENES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perceptron.h"

enum { T_SCENES_ROWS = 60, T_SCENES_BITS = 8 }; /* of the small files; of those for gates */

/* Models of rows.svm, of the same scaled, and of table.csv. */
#define T_MODEL   "rows.model"
#define T_SCALED  "scaled.model"
#define T_TABLE   "table.model"
/* A model of :iris with a kernel, and a start for rows.svm in plain text. */
#define T_KERNEL  "iris.kernel"
#define T_NUMBERS "rows.start"

struct t_scene {
    const char *name;
    perc_status (*run)(const struct t_scene *s, const perc_env *env, uint64_t *digest);
    const char *path;    /* the data, or the model                        */
    const char *data;    /* options of the table "data"                   */
    const char *options; /* of the learner, or else                       */
    const char *writes;  /* the file it replaces; NULL: none              */
    int threads;
};

extern const struct t_scene t_scenes[];
extern const size_t t_scenes_count;

/* The life of a learner of the registry that no scene above is about; false where one is. So a new
 * learner is in the scenes before anybody writes one for it. */
bool t_scenes_life(const char *learner, struct t_scene *s, char options[64]);

/* Makes the files; false where compressed ones cannot be read by this build, and
 * the scenes whose path ends in .gz have to be left out. */
int t_scenes_prepare(void);

#endif
