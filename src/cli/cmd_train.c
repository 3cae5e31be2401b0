/* cmd_train.c -- perceptron train: read a data set, fit a model, save it.
 *
 * Four ways lead to a model: in memory (perc_fit), the same with an eye on rows that
 * are held out (perc_fit_by_metric), in one or more passes over a file that is not kept
 * (--stream, perc_fit_stream), and from a model that was trained before (--resume,
 * perc_fit_resume). What follows is the same: the model is saved, however training
 * ended, and the report says how it did. */
#include "cli/train.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/ending.h"
#include "show/word.h"

enum { CHECK_ROWS = 1000 }; /* for --check-kernel: its time grows with their cube */

/* ----- the passes ------------------------------------------------------------ */

enum { PASSES = 8192 }; /* remembered; of longer runs every second, every fourth, ... */

static void remember_pass(struct history *h, const perc_event *e)
{
    const struct history_pass p = { e->epoch,   e->pass_mistakes, e->updates - h->updates,
                                    e->seconds, e->held_error,    e->held_value,
                                    e->loss };

    h->updates = e->updates;
    /* Drops every other one to make room. */
    if (h->n == PASSES) {
        size_t n = 0;

        h->every *= 2;
        for (size_t i = 0; i < h->n; i++)
            if (h->at[i].epoch % h->every == 0) h->at[n++] = h->at[i];
        h->n = n;
    }
    if (e->epoch % h->every == 0) h->at[h->n++] = p;
}

/* Writes the model, if it is one: a network that was never good is not saved. */
static void save_model(struct train *t, const perc_model *m)
{
    perc_model_info info;

    perc_model_info_get(m, &info);
    if (info.stop == PERC_STOP_DIVERGED && info.epochs == 0) return;
    t->saved = perc_model_write(m, t->output, &t->unsaved) == PERC_OK;
}

/* The run is over, and its errors are to be counted, which may take longer than it did. So the
 * model is saved first; another signal from then on means that nobody wants to wait. Probabilities
 * are part of the model: without an interrupt, those are fitted before it is saved. */
static void save_first(struct train *t, const perc_event *e)
{
    const perc_model *m;

    t->ended = true;
    ticker_clear(&t->ticker);
    const bool fits = t->select.calibrate || t->select.threshold != NULL;
    if ((!fits || interrupt_seen()) && perc_event_model(e, &m, &t->unsaved) == PERC_OK)
        save_model(t, m);
    if (t->saved && interrupt_seen() && t->ticker.shown)
        cli_say("saved %s; counting errors (Ctrl-C: do not)", word_output(t->output));
    t->interrupts = interrupt_count();
    interrupt_catch();
}

static int watch_pass(void *ud, const perc_event *e)
{
    struct train *t = ud;
    const perc_observer ticker = ticker_watch(&t->ticker);

    if (e->warning != NULL && strcmp(e->warning, t->warned) != 0) {
        ticker_clear(&t->ticker);
        cli_say("perceptron train: warning: %s", e->warning);
        snprintf(t->warned, sizeof t->warned, "%s", e->warning);
    }
    if (e->ended && !t->ended) save_first(t, e);
    if (e->ended) {
        snprintf(t->ticker.stage, sizeof t->ticker.stage, "counting errors   ");
        ticker.notify(ticker.ud, e);
        return interrupt_count() > t->interrupts ? PERC_UNCOUNTED : 0;
    }
    if (e->pass_ended && t->history.at != NULL) remember_pass(&t->history, e);
    return ticker.notify(ticker.ud, e);
}

/* ----- the report ------------------------------------------------------------ */

/* A network whose loss was not a number: always reported, and a model that was never good is not
 * saved. */
static int say_diverged(const struct train *t)
{
    char stop[ENDING_SENTENCE];

    if (t->report.stop != PERC_STOP_DIVERGED ||
        (t->report.epochs > 0 && !t->cli->quiet && !t->cli->json))
        return EXIT_DONE;
    ending_words(stop, sizeof stop, &t->report, "");
    cli_say("perceptron train: %s", stop);
    return t->report.epochs > 0 ? EXIT_DONE : EXIT_DATA;
}

/* ----- the work ------------------------------------------------------------ */

static bool is_precomputed(const struct train *t)
{
    const char *kernel = perc_params_get(t->params, "kernel");

    return kernel != NULL && strcmp(kernel, "precomputed") == 0;
}

static bool has_option(const struct train *t, const char *name, const char *value)
{
    const char *has = perc_params_get(t->params, name);

    return has != NULL && strcmp(has, value) == 0;
}

/* Tables are scaled unless something else was asked for, or a question about the numbers as they
 * are: is there a plane, in exact arithmetic, through the origin; and values of a kernel have no
 * units. A start in a file says itself how its features are scaled. */
static perc_status choose_scale(struct train *t, perc_error *err)
{
    const char *init = perc_params_get(t->params, "init");
    const bool file = init != NULL && strcmp(init, "zero") != 0 && strncmp(init, "unit", 4) != 0 &&
                      strncmp(init, "random", 6) != 0;
    const bool as_they_are = strcmp(t->algorithm, "lp") == 0 || is_precomputed(t) ||
                             has_option(t, "hard", "true") || has_option(t, "penalty", "none") ||
                             has_option(t, "arithmetic", "exact") ||
                             has_option(t, "offset", "false");

    if (cli_given(t->cli, "scale") || file || !as_they_are) return PERC_OK;
    return perc_params_set(t->data_params, "scale", "none", err);
}

/* A resumed run takes its columns, index base and scaling from the model. With --hard the answer
 * may need exact arithmetic, which wants the decimals of the file, if nothing changes them. */
static perc_status read_rows(struct train *t, perc_error *err)
{
    const perc_env *env = &t->cli->env;
    perc_status st = PERC_EARG;

    if (t->from != NULL)
        return perc_dataset_read_for(env, t->from, t->data, t->data_params, &t->ds, err);
    if (has_option(t, "arithmetic", "exact") || (t->check != 0 && is_precomputed(t)))
        return perc_dataset_read_exact(env, t->data, t->data_params, &t->ds, err);
    if (has_option(t, "hard", "true"))
        st = perc_dataset_read_exact(env, t->data, t->data_params, &t->ds, err);
    if (st == PERC_EARG)
        st = perc_dataset_read_start(env, t->params, t->data, t->data_params, &t->ds, err);
    return st;
}

/* Everything that can fail cheaply comes first: the model to resume from, the options, a check that
 * the output can be written; then the data. */
static int load_data(struct train *t)
{
    perc_error err = { 0 };
    perc_model_info info;
    int rc;

    if (t->resume != NULL) {
        if (perc_model_read(&t->cli->env, t->resume, &t->from, &err))
            return cli_fail(t->cli, t->resume, &err);
        perc_model_info_get(t->from, &info);
        if (strcmp(info.machine, "gate") == 0)
            return cli_usage(t->cli,
                             "%s is a gate: it was compiled from a formula and does not "
                             "learn",
                             t->resume);
        if (t->algorithm != NULL && strcmp(t->algorithm, info.algorithm) != 0)
            return cli_usage(t->cli, "%s was trained by %s and cannot go on with %s", t->resume,
                             info.algorithm, t->algorithm);
        t->algorithm = info.algorithm;
        t->cli->rule = perc_model_option(t->from, "rule");
        t->cli->kernel = perc_model_option(t->from, "kernel");
    }
    select_rules(t->cli);
    if ((rc = cli_params(t->cli, "data", "data", &t->data_params)) ||
        (rc = cli_params(t->cli, "learner", t->algorithm, &t->params)) || (rc = select_open(t)))
        return rc;
    if (t->check != 0 && t->select.grid == NULL) { /* a search may choose the kernel */
        const char *kernel = perc_params_get(t->params, "kernel");

        if (kernel == NULL)
            return cli_usage(t->cli, "--check-kernel: %s has no kernel", t->algorithm);
        if (strcmp(kernel, "none") == 0)
            return cli_usage(t->cli, "--check-kernel needs a kernel to check (pass --kernel)");
    }
    if ((rc = cli_can_write(t->cli, t->output))) return rc;
    if (t->from == NULL && choose_scale(t, &err)) return cli_fail(t->cli, NULL, &err);
    if (t->stream) return EXIT_DONE;
    return read_rows(t, &err) ? cli_fail(t->cli, t->data, &err) : select_rows(t);
}

/* The four ways to a model. */
static perc_status fit_model(struct train *t, perc_error *err)
{
    const perc_env *env = &t->cli->env;
    const perc_observer watch = { .level = PERC_WATCH_COUNTS, .notify = watch_pass, .ud = t };
    perc_dataset_info read;
    perc_status st;

    if (t->select.held != NULL) {
        st = perc_fit_by_metric(env, t->ds, t->params, t->select.held, select_passes(t),
                                t->select.patience, &watch, &t->model, &t->report, err);
        if (t->select.whole != NULL) { /* a part of a set was not read on its own */
            perc_dataset_info_get(t->select.whole, &read);
            t->report.read_seconds = read.seconds;
            t->report.bytes = read.bytes;
        }
        return st;
    }
    if (t->stream)
        return perc_fit_stream(env, t->data, t->data_params, t->params, &watch, &t->model,
                               &t->report, err);
    if (t->from != NULL)
        return perc_fit_resume(env, t->ds, t->from, t->params, &watch, &t->model, &t->report, err);
    return perc_fit(env, t->ds, t->params, &watch, &t->model, &t->report, err);
}

/* --check-kernel, for the parameters of the training: after a search, the best ones. LAPACK cannot
 * be asked to stop, and there is no model to save yet: Ctrl-C ends the program. */
static int check_kernel(struct train *t)
{
    perc_error err = { 0 };
    perc_status st;

    if (t->check == 0) return EXIT_DONE;
    interrupt_end("perceptron train: interrupted while the kernel was checked: no model was "
                  "saved\n",
                  0);
    st = is_precomputed(t) ? perc_gram_check(&t->cli->env, t->ds, &t->gram, &err)
                           : perc_check_kernel(&t->cli->env, t->ds, t->params, (uint64_t)t->check,
                                               &t->spectrum, &err);
    interrupt_catch();
    if (st == PERC_EARG) return cli_usage(t->cli, "%s", err.text);
    return st != PERC_OK ? cli_fail(t->cli, t->data, &err) : EXIT_DONE;
}

/* Saves what save_first has not, and says what went wrong. */
static int save_last(struct train *t)
{
    const char *checkpoint = perc_params_get(t->params, "checkpoint");
    const int64_t failed = t->report.checkpoints_failed;
    const bool other = t->report.checkpoints > 0 && strcmp(checkpoint, t->output) != 0;
    int rc = EXIT_DONE;

    if (!t->saved && t->unsaved.status == PERC_OK) save_model(t, t->model);
    if (!t->saved && t->unsaved.status != PERC_OK)
        rc = cli_fail(t->cli, word_output(t->output), &t->unsaved);
    if (rc != EXIT_DONE && other)
        cli_say("perceptron train: a checkpoint of the run is in %s", checkpoint);
    if (failed > 0)
        cli_say("perceptron train: warning: %lld of %lld checkpoints were not written",
                (long long)failed, (long long)(failed + t->report.checkpoints));
    return rc;
}

/* How many passes there may be, for the ticker: of a stream each is over the file, which is not
 * told of on a line of its own. */
static void know_passes(struct train *t)
{
    const char *epochs = perc_params_get(t->params, "epochs");
    const double most = epochs != NULL ? word_value(epochs) : 0;
    perc_dataset_info info;

    if (t->stream) {
        t->ticker.passes = (int64_t)most;
        if (t->cli->reading != NULL) t->cli->reading->shown = false;
    } else if (most > 0) {
        perc_dataset_info_get(t->ds, &info);
        t->ticker.rows = (double)info.rows * most;
    }
}

/* Compares, trains and saves. An interrupted run is saved like any other. */
static int fit_and_save(struct train *t)
{
    perc_error err = { 0 };
    perc_model_info info;
    perc_status st;
    int rc;

    if (t->cli->json) /* if out of memory, there is no history */
        t->history = (struct history){ .at = malloc(PASSES * sizeof(struct history_pass)),
                                       .every = 1 };
    if (t->from != NULL) {
        perc_model_info_get(t->from, &info);
        t->history.updates = info.updates;
    }
    ticker_observer(&t->ticker, t->cli);
    know_passes(t);
    interrupt_catch(); /* not earlier: reading cannot be cut short and kept */
    if ((rc = select_compare(t)) || (rc = check_kernel(t))) return rc;
    st = fit_model(t, &err);
    ticker_clear(&t->ticker);
    if (st == PERC_ENO && t->cli->json) return train_no(t, &err);
    if (st != PERC_OK) {
        const bool early = st == PERC_EUNDECIDED && interrupt_seen();
        rc = early ? EXIT_INTERRUPTED : cli_fail(t->cli, t->data, &err);
        if (early) cli_say("perceptron train: interrupted before there was a result");
        if (t->saved) cli_say("perceptron train: the model is in %s", t->output);
        return rc;
    }
    if ((rc = say_diverged(t)) || (rc = select_calibrate(t)) || (rc = save_last(t)) ||
        (rc = select_measure(t)))
        return rc;
    warn_about(t);
    cli_note_software(t->cli, t->model);
    cli_note_unchecked(t->cli, t->data, t->report.unchecked);
    /* With the model on standard output the report goes to standard error. */
    struct facts f;

    cli_facts(t->cli, &f);
    train_report_facts(t, &f);
    if ((rc = cli_print(t->cli, &f, strcmp(t->output, "-") == 0))) return rc;
    if (t->report.stop == PERC_STOP_CANCELLED || interrupt_seen()) return EXIT_INTERRUPTED;
    if (t->report.stop == PERC_STOP_DIVERGED) return EXIT_DATA;
    if (t->select.none.status != PERC_OK) {
        cli_say("perceptron train: the model is saved without a threshold");
        return cli_fail(t->cli, NULL, &t->select.none);
    }
    return train_asks(t) && !train_answered(t) ? EXIT_UNDECIDED : EXIT_DONE;
}

int cmd_train(struct cli *cli)
{
    struct train t = { .cli = cli, .output = "model.safetensors" };
    const struct opt opts[] = {
        { 'o', "output", OPT_MODEL, &t.output, "FILE", "model file [model.safetensors]", 0, 0 },
        { 'a', "algorithm", OPT_TEXT, &t.algorithm, "NAME",
          CLI_HELP_ALGORITHM " [" CLI_ALGORITHM "]", 0, 0 },
        { 0, "resume", OPT_RESUME, &t.resume, "MODEL",
          "go on from a model, with its options except those given", 0, 0 },
        { 0, "stream", OPT_FLAG, &t.stream, NULL,
          "read rows in file order and keep none: constant memory, with a kernel only with "
          "--budget",
          0, 0 },
        { 0, "check-kernel", OPT_MAYBE, &t.check, "[=ROWS]",
          "before training, tell whether the Gram matrix of ROWS rows has negative eigenvalues, as "
          "no kernel should; the time grows with the cube of ROWS: 1,000 take about a second; "
          "precomputed: all rows, exactly [1000]",
          2, PERC_SPECTRUM_ROWS },
        OPT_THREADS(cli),
        OPT_JSON(cli),
        { 'q', "quiet", OPT_FLAG, &cli->quiet, NULL, "no progress and no report", 0, 0 },
        OPT_END
    };
    const struct operand operands[] = { { "DATA", &t.data, false, OPT_DATA }, OPERANDS_END };
    const struct tables tables[] = { { "learner", &t.algorithm, NULL, NULL },
                                     { "selection", NULL, NULL, NULL },
                                     { "data", NULL, "scale=auto missing=auto", NULL },
                                     TABLES_END };
    int rc;

    if (!cli_parse(cli, opts, operands, tables)) return cli->rc;
    if (t.algorithm == NULL && t.resume == NULL) t.algorithm = CLI_ALGORITHM;
    if (t.check == OPT_LEFT_OUT) t.check = CHECK_ROWS;
    if (t.stream && t.resume != NULL)
        return cli_usage(cli, "--stream and --resume cannot be combined");
    if (t.check != 0 && (t.stream || t.resume != NULL))
        return cli_usage(cli, "--check-kernel and --%s cannot be combined",
                         t.stream ? "stream" : "resume");
    if ((rc = load_data(&t)) == EXIT_DONE) rc = fit_and_save(&t);
    select_close(&t);
    free(t.history.at);
    perc_model_free(t.model);
    perc_gram_free(t.gram);
    perc_dataset_free(t.ds);
    perc_params_free(t.params);
    perc_params_free(t.data_params);
    perc_model_free(t.from);
    return rc;
}
