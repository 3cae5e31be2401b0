/* study_model.c -- a study of a model that has learned before, on data of which nothing is known
 * but that it can read them: they may be the rows that it learned from, or others.
 *
 * There are no passes, updates or proof to see. The rows are read as the model reads them; if it
 * scales them they are read a second time, as the file has them, for the plane. Support rows are
 * those of other data and have no place here. */
#include "study/study_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int open_model(struct study *s, const char *path)
{
    struct study_run *r;
    perc_error err = { 0 };
    perc_layer layer;

    if ((s->run = calloc(1, sizeof *s->run)) == NULL) return cli_memory(s->cli);
    s->runs = 1;
    r = s->run;
    if (perc_model_read(&s->cli->env, path, &r->model, &err)) return cli_fail(s->cli, path, &err);
    perc_model_info_get(r->model, &r->info);
    r->algorithm = r->info.algorithm;
    for (size_t i = 0; perc_model_layer(r->model, i, &layer); i++)
        r->report.weights += (layer.inputs + 1) * layer.outputs;
    r->calibrated = r->info.calibrated != 0;
    return EXIT_DONE;
}

static int read_rows(struct study *s)
{
    const perc_model *m = s->run[0].model;
    perc_error err = { 0 };

    if (perc_dataset_read_for(&s->cli->env, m, s->data, s->data_params, &s->ds, &err))
        return cli_fail(s->cli, s->data, &err);
    perc_dataset_info_get(s->ds, &s->data_info);
    s->drawn = s->ds;
    return EXIT_DONE;
}

/* Margins and errors are of rows whose labels the model knows. */
static int check_labels(struct study *s)
{
    perc_error err = { .status = PERC_EDATA };

    if (s->run[0].metrics.rows > 0) return EXIT_DONE;
    snprintf(err.text, sizeof err.text, "no row has one of the %zu labels that the model knows",
             s->run[0].info.labels);
    return cli_fail(s->cli, s->data, &err);
}

int study_model(struct study *s, struct cli *cli, const char *model, const char *data,
                const char *features)
{
    int rc;

    *s = (struct study){ .cli = cli, .data = data, .model = model };
    if ((rc = cli_params(cli, "data", "data", &s->data_params)) || (rc = open_model(s, model)) ||
        (rc = read_rows(s)) || (rc = study_pick(s, features)))
        return rc;
    interrupt_catch();
    if ((rc = study_plane(s)) || (rc = study_measure(s, &s->run[0])) || (rc = check_labels(s)))
        return rc;
    rc = study_regions(s, &s->run[0]);
    return rc == EXIT_DONE && interrupt_seen() ? EXIT_INTERRUPTED : rc;
}
