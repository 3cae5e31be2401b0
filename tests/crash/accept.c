/* accept.c -- which files are read? For crash.py, which asks about thousands of them.
 *
 * Each line of standard input is the name of a file. The answer is a line: the examples that a
 * model was shown, the rows of a data set (a name that ends in .blocks), or "no". */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "perceptron.h"

static int64_t count(const char *path)
{
    const size_t n = strlen(path);
    perc_model *m = NULL;
    perc_dataset *ds = NULL;
    perc_model_info model;
    perc_dataset_info data;
    int64_t found = -1;

    if (n > 7 && strcmp(path + n - 7, ".blocks") == 0) {
        if (perc_dataset_read(NULL, path, NULL, &ds, NULL)) return -1;
        perc_dataset_info_get(ds, &data);
        found = (int64_t)data.rows;
    } else {
        if (perc_model_read(NULL, path, &m, NULL)) return -1;
        perc_model_info_get(m, &model);
        found = model.examples;
    }
    perc_model_free(m);
    perc_dataset_free(ds);
    return found;
}

int main(void)
{
    char path[4096];

    while (fgets(path, sizeof path, stdin) != NULL) {
        path[strcspn(path, "\n")] = '\0';
        const int64_t n = count(path);
        if (n < 0) puts("no");
        else printf("%" PRId64 "\n", n);
    }
    return 0;
}
