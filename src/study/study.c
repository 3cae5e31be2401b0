/* study.c -- a look at data and what learns from them, from the command line's words to numbers
 * that can be drawn.
 *
 * The data are read and the learners trained first, because only that can be wrong by the
 * user's doing. All that follows looks at what is there, and may be left out: then a sentence
 * says why. */
#include "study/study_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ----- what is asked of a run ------------------------------------------------- */

bool study_is(const struct study_run *r, const char *name, const char *value)
{
    const char *v = perc_params_get(r->params, name);

    return v != NULL && strcmp(v, value) == 0;
}

bool study_network(const struct study_run *r)
{
    perc_layer first;

    return perc_model_layer(r->model, 0, &first) != 0;
}

bool study_linear(const struct study_run *r)
{
    return strcmp(r->info.machine, "linear") == 0 && strcmp(r->info.map, "none") == 0;
}

/* Entries of the rows, times how often each is met: once a vector, a support row, a network's
 * neuron; voted machines ask every vector that there ever was. */
double study_scoring(const struct study *s, const struct study_run *r)
{
    const double rows = (double)s->data_info.rows, entries = (double)s->data_info.nonzeros + rows;

    if (study_network(r)) return rows * (double)r->report.weights;
    if (cli_has_kernel(&r->info)) return entries * (double)(r->info.supports + 1);
    if (strcmp(r->info.algorithm, "voted") == 0) return entries * (double)(r->info.updates + 1);
    if (strcmp(r->info.map, "none") != 0) /* all products: about the square of a row */
        return entries * (1 + entries / (rows + 1)) * (double)r->info.outputs;
    return entries * (double)r->info.outputs;
}

int study_label(const struct study *s, const char *label)
{
    const char *known;

    for (size_t i = 0; label != NULL && (known = perc_dataset_label(s->ds, i)) != NULL; i++)
        if (strcmp(known, label) == 0) return (int)i;
    return -1;
}

/* Rows that were read for a model have its names; with a map it has those of products. */
bool study_named(const struct study *s, uint64_t j, char *buf, size_t size)
{
    const perc_model *m = s->model != NULL ? s->run[0].model : NULL;
    const char *name = m == NULL ? perc_dataset_feature(s->ds, j)
                       : strcmp(s->run[0].info.map, "none") == 0
                           ? perc_model_feature(m, j, buf, size)
                           : NULL;

    if (name != NULL && name != buf) snprintf(buf, size, "%s", name);
    return name != NULL;
}

const char *study_feature(const struct study *s, uint64_t j, char *buf, size_t size)
{
    if (!study_named(s, j, buf, size))
        snprintf(buf, size, "x%llu",
                 (unsigned long long)j + (unsigned long long)s->data_info.index_base);
    return buf;
}

/* ----- the learners ------------------------------------------------------------ */

/* Cuts "perceptron,pocket" into s->name; returns an exit code. */
static int cut_names(struct study *s, const char *list)
{
    const size_t size = strlen(list) + 1;
    char *at;

    if ((s->names = malloc(size)) == NULL) return cli_memory(s->cli);
    memcpy(s->names, list, size);
    s->runs = 0;
    for (at = s->names; at != NULL;) {
        char *end = strchr(at, ',');

        if (end != NULL) *end++ = '\0';
        if (at[0] == '\0') return cli_usage(s->cli, "--compare: a name is missing in '%s'", list);
        for (size_t i = 0; i < s->runs; i++)
            if (strcmp(s->name[i], at) == 0)
                return cli_usage(s->cli, "--compare: %s stands there twice", at);
        if (s->runs == STUDY_RUNS)
            return cli_usage(s->cli, "--compare: at most %d algorithms side by side", STUDY_RUNS);
        s->name[s->runs++] = at;
        at = end;
    }
    return EXIT_DONE;
}

static int open_runs(struct study *s, const struct study_request *q)
{
    struct cli *cli = s->cli;
    int rc = EXIT_DONE;

    if (q->compare != NULL && q->algorithm != NULL)
        return cli_usage(cli, "--algorithm and --compare do not go together: name it in --compare");
    s->name[0] = q->algorithm != NULL ? q->algorithm : CLI_PLAIN;
    s->runs = 1;
    if (q->compare != NULL && (rc = cut_names(s, q->compare))) return rc;
    if ((s->run = calloc(s->runs, sizeof *s->run)) == NULL) return cli_memory(cli);
    cli->compared = s->name;
    cli->compared_count = q->compare != NULL ? s->runs : 0;
    for (size_t i = 0; i < s->runs && rc == EXIT_DONE; i++) {
        s->run[i].algorithm = s->name[i];
        rc = cli_params(cli, "learner", s->name[i], &s->run[i].params);
    }
    cli->compared = NULL; /* the names are the study's */
    cli->compared_count = 0;
    return rc;
}

static void run_free(struct study_run *r)
{
    perc_model_free(r->model);
    perc_params_free(r->params);
    free(r->pass);
    free(r->norm);
    free(r->step);
    free(r->class);
    free(r->support);
    free(r->score);
    free(r->margin);
    free(r->confusion);
    free(r->roc_x);
    free(r->roc_y);
    free(r->region);
}

/* Trains all. Of several, one that cannot be trained is left out, and said. */
static int fit_all(struct study *s)
{
    size_t kept = 0;
    int rc = EXIT_DONE, first = EXIT_DONE;

    for (size_t i = 0; i < s->runs; i++) {
        rc = study_fit(s, &s->run[i]);
        if (rc == EXIT_INTERRUPTED || (rc != EXIT_DONE && rc != EXIT_NO && rc != EXIT_DATA))
            return rc;
        if (rc == EXIT_DONE) {
            const struct study_run made = s->run[i];

            s->run[i] = (struct study_run){ 0 };
            s->run[kept++] = made;
            continue;
        }
        first = first != EXIT_DONE ? first : rc;
        run_free(&s->run[i]);
        s->run[i] = (struct study_run){ 0 };
    }
    s->runs = kept;
    return kept > 0 ? EXIT_DONE : first;
}

/* ----- all of it ---------------------------------------------------------------- */

static int read_data(struct study *s)
{
    perc_error err = { 0 };

    if (perc_dataset_read(&s->cli->env, s->data, s->data_params, &s->ds, &err))
        return cli_fail(s->cli, s->data, &err);
    perc_dataset_info_get(s->ds, &s->data_info);
    s->drawn = s->ds;
    return EXIT_DONE;
}

static int look_at(struct study *s, struct study_run *r, bool animate)
{
    int rc;

    if ((rc = study_errors(s, r)) || (rc = study_watch(s, r, animate)) ||
        (rc = study_calibrate(s, r)) || (rc = study_measure(s, r)) || (rc = study_supports(s, r)) ||
        (rc = study_regions(s, r)))
        return rc;
    return interrupt_seen() ? EXIT_INTERRUPTED : EXIT_DONE;
}

int study_make(struct study *s, struct cli *cli, const struct study_request *q)
{
    int rc;

    *s = (struct study){ .cli = cli, .data = q->data };
    if ((rc = cli_params(cli, "data", "data", &s->data_params)) || (rc = open_runs(s, q)) ||
        (rc = read_data(s)) || (rc = study_pick(s, q->features)))
        return rc;
    interrupt_catch();
    if ((rc = fit_all(s)) || (rc = study_plane(s)) || (rc = study_prove(s, q->prove_seconds)) ||
        (rc = study_direction(s)))
        return rc;
    for (size_t i = 0; i < s->runs && rc == EXIT_DONE; i++) rc = look_at(s, &s->run[i], q->animate);
    return rc;
}

void study_free(struct study *s)
{
    for (size_t i = 0; s->run != NULL && i < s->runs; i++) run_free(&s->run[i]);
    free(s->run);
    free(s->names);
    free(s->direction);
    free(s->mean);
    free(s->lens_a);
    free(s->lens_b);
    free(s->x);
    free(s->y);
    free(s->label);
    free(s->row);
    free(s->u);
    perc_proof_free(s->proof);
    if (s->drawn != s->ds) perc_dataset_free(s->drawn);
    perc_dataset_free(s->ds);
    perc_params_free(s->data_params);
    *s = (struct study){ .cli = s->cli };
}
