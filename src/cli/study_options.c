/* study_options.c -- from the words of a command line to a study. */
#include "cli/study_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ----- who waits ------------------------------------------------------------- */

/* Reading the data cannot be cut short and kept: interrupts are caught from here on. */
static void begin_work(void *ud, const char *stage, const char *unit, int64_t of)
{
    struct study_options *q = ud;

    if (!q->caught) interrupt_catch();
    q->caught = true;
    ticker_observer(&q->ticker, q->cli);
    if (stage != NULL) snprintf(q->ticker.stage, sizeof q->ticker.stage, "%s   ", stage);
    q->ticker.unit = unit;
    q->ticker.of = of;
}

static int tell_event(void *ud, const perc_event *e)
{
    const perc_observer ticker = ticker_watch(&((struct study_options *)ud)->ticker);

    return ticker.notify(ticker.ud, e);
}

static void end_work(void *ud)
{
    ticker_clear(&((struct study_options *)ud)->ticker);
}

static bool is_stopped(void *ud)
{
    (void)ud;
    return interrupt_seen();
}

/* ----- the learners ------------------------------------------------------------ */

/* Cuts "perceptron,pocket" into names. */
static int cut_names(struct study_options *q, const char *name[STUDY_RUNS], size_t *n)
{
    const size_t size = strlen(q->compare) + 1;

    if ((q->names = malloc(size)) == NULL) return cli_memory(q->cli);
    memcpy(q->names, q->compare, size);
    for (char *at = q->names, *end; at != NULL; at = end) {
        if ((end = strchr(at, ',')) != NULL) *end++ = '\0';
        if (at[0] == '\0')
            return cli_usage(q->cli, "--compare: a name is missing in '%s'", q->compare);
        for (size_t i = 0; i < *n; i++)
            if (strcmp(name[i], at) == 0)
                return cli_usage(q->cli, "--compare: %s is named twice", at);
        if (*n == STUDY_RUNS)
            return cli_usage(q->cli, "--compare: at most %d algorithms side by side", STUDY_RUNS);
        name[(*n)++] = at;
    }
    return EXIT_DONE;
}

static int open_learners(struct study_options *q)
{
    const char *usual = q->lift ? STUDY_PLAIN : CLI_ALGORITHM;
    const char *name[STUDY_RUNS] = { q->algorithm != NULL ? q->algorithm : usual };
    size_t n = q->compare != NULL ? 0 : 1;
    int rc = EXIT_DONE;

    if (q->compare != NULL && q->algorithm != NULL)
        return cli_usage(q->cli,
                         "--algorithm and --compare cannot be combined: name it in --compare");
    if (q->compare != NULL && q->orders > 0)
        return cli_usage(q->cli, "--orders and --compare cannot be combined: orders are those of "
                                 "one algorithm");
    if (q->compare != NULL && (rc = cut_names(q, name, &n))) return rc;
    q->cli->compared = name;
    q->cli->compared_count = q->compare != NULL ? n : 0;
    for (size_t i = 0; i < n && rc == EXIT_DONE; i++) {
        rc = cli_params(q->cli, "learner", name[i], &q->params[i]);
        q->request.learner[i] = (struct study_learner){ name[i], q->params[i] };
    }
    q->cli->compared = NULL;
    q->cli->compared_count = 0;
    q->request.learners = n;
    return rc;
}

/* ----- the study ------------------------------------------------------------------ */

static int open_request(struct study_options *q, const char *data)
{
    if (q->request.axes != NULL && !q->lift && !cli_given(q->cli, "map") &&
        !cli_given(q->cli, "kernel"))
        return cli_usage(q->cli, "--axes does nothing without --lift, --map or --kernel poly");
    q->request.env = &q->cli->env;
    q->request.host = (struct study_host){ q, begin_work, tell_event, end_work, is_stopped };
    q->request.data = data;
    q->request.prove_seconds = (double)q->prove_seconds;
    q->request.form = q->cli->form;
    q->request.update = (size_t)q->update;
    if (q->orders > 0) q->request.orders = (size_t)q->orders;
    q->request.orders_asked = q->orders > 0;
    if (data == NULL) return EXIT_DONE;
    const int rc = cli_params(q->cli, "data", "data", &q->data_params);
    if (rc == EXIT_DONE && q->lift && !cli_given(q->cli, "map") && !cli_given(q->cli, "kernel") &&
        data == q->data && perc_params_set(q->data_params, "map", "lift:2:0", NULL))
        return cli_memory(q->cli);
    return rc;
}

static int end_request(const struct study_options *q, const struct study *s, perc_status st,
                       const perc_error *err)
{
    if (st == PERC_EARG) return cli_usage(q->cli, "%s", err->text);
    if (st != PERC_OK) return cli_fail(q->cli, q->request.data, err);
    if (interrupt_seen()) return EXIT_INTERRUPTED;
    if (s->why_missing[0] != '\0') cli_note(q->cli, "left out: %s", s->why_missing);
    cli_note_unchecked(q->cli, q->request.data, s->data_info.unchecked);
    return EXIT_DONE;
}

int study_options_make(struct study_options *q, struct study *s)
{
    perc_error err = { 0 };
    int rc;

    if ((rc = open_request(q, q->data)) || (rc = open_learners(q))) return rc;
    q->request.data_params = q->data_params;
    const perc_status st = study_make(s, &q->request, &err);
    return end_request(q, s, st, &err);
}

int study_options_model(struct study_options *q, const char *data, struct study *s)
{
    perc_error err = { 0 };
    perc_model *m;
    int rc;

    if ((rc = open_request(q, data))) return rc;
    if (perc_model_read(&q->cli->env, q->data, &m, &err)) return cli_fail(q->cli, q->data, &err);
    q->request.data_params = q->data_params;
    const perc_status st = study_of_model(s, &q->request, m, &err);
    return end_request(q, s, st, &err);
}

void study_options_free(struct study_options *q)
{
    for (size_t i = 0; i < STUDY_RUNS; i++) perc_params_free(q->params[i]);
    perc_params_free(q->data_params);
    free(q->names);
}
