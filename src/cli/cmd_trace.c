/* cmd_trace.c -- perceptron trace: every step of learning, as a table.
 *
 * A step is one example shown to the learner: the example, its score before, y times that, the
 * perceptron loss max(0, -y s), and the weights after. With more than two labels there is a vector
 * for each, too many to read: then the table has the margin instead, half the gap between the score
 * of the label and the best of the others. With a kernel there are no weights: in their place
 * the table has the counter of the row, the updates made on it so far.
 *
 * Text is aligned, which needs the widths of all cells before the first is printed,
 * and the heading of CSV needs the names of the features that a map makes. Instead of
 * keeping every step the run is made twice, once to look and once to print. It is
 * deterministic, so both runs are the same.
 *
 * Does it settle? A pass without an update says yes. Conversely, reaching the limit on
 * passes proves nothing; but in file order and at a constant rate the learner is a
 * machine whose next step depends on (w, b) alone. So when (w, b) after pass k is what
 * it was after an earlier pass j, and updates were made between them, the passes
 * j+1 .. k come again for ever: it never settles, and the trace may say so. */
#include "cli/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/about.h"

enum { NUMBERS_KEPT = 1 << 20 }; /* to look for a repetition */

/* ----- watching the run ------------------------------------------------------ */

/* Keeps (w, b) in the last place of `passes`. Classes, and with them vectors, are added in the
 * first pass only. */
static void remember_pass(struct trace *t, const perc_event *e)
{
    const size_t size = ((size_t)e->features + 1) * e->vectors;

    if ((t->pass_count > 0 && size != t->size) || size > NUMBERS_KEPT / (t->pass_count + 1)) {
        t->cycles = false; /* too large to keep: then nothing is claimed */
        return;
    }
    t->size = size;
    double *last = t->passes + t->pass_count * size;
    for (uint64_t j = 0; j < e->features; j++)
        for (size_t c = 0; c < e->vectors; c++) *last++ = e->w_units[j * e->stride + c];
    for (size_t c = 0; c < e->vectors; c++) *last++ = e->b_units[c];
}

/* The observer. Steps carry the weights; the end of a pass comes as an event of
 * its own, without them. */
static int watch_step(void *ud, const perc_event *e)
{
    struct trace *t = ud;

    if (e->b != NULL && e->row >= 0) {
        perc_dataset_row(t->ds, (uint64_t)e->row, t->x);
        t->counter[e->row] += e->updated; /* one against the rest: summed over all vectors */
        trace_step(t, e);
        if (t->cycles && t->turn == PRINT) remember_pass(t, e);
    } else if (e->pass_ended && t->cycles && t->turn == PRINT) {
        /* A pass is over: was (w, b) like this after an earlier one? */
        const size_t k = t->pass_count++;
        const double *now = t->passes + k * t->size;
        const bool moved = e->updates > t->updates;

        t->updates = e->updates;
        for (size_t i = 0; i < k && t->to == 0 && moved && t->size > 0; i++) {
            const double *then = t->passes + i * t->size;
            size_t j = 0;

            while (j < t->size && then[j] == now[j]) j++;
            if (j == t->size) {
                t->from = (int64_t)i + 1;
                t->to = (int64_t)k + 1;
            }
        }
    }
    return out_broken(t->cli->out) || interrupt_seen();
}

/* ----- the arithmetic ----------------------------------------------------------- */

enum {
    EXACT_ROWS = 1000, /* traced in exact arithmetic, if nothing else is asked for */
    ARITHMETIC = 512   /* characters of a sentence about it */
};

/* Whether it is exact. */
static bool is_exact(const struct trace *t)
{
    const char *how = perc_params_get(t->params, "arithmetic");

    return how != NULL && strcmp(how, "exact") == 0;
}

/* Doubles in place of an exact arithmetic that nobody asked for; false: somebody did. The advice at
 * the end of a message is taken. */
static bool use_doubles(struct trace *t, const perc_error *why)
{
    const char *advice = strstr(why->text, " (or pass --arithmetic double)");
    const size_t length = advice != NULL ? (size_t)(advice - why->text) : strlen(why->text);
    char line[32] = "";

    if (!is_exact(t) || cli_given(t->cli, "arithmetic")) return false;
    if (why->line > 0) snprintf(line, sizeof line, "line %lld: ", (long long)why->line);
    snprintf(t->doubles, sizeof t->doubles, "%s%.*s", line, (int)length, why->text);
    return perc_params_set(t->params, "arithmetic", "double", NULL) == PERC_OK;
}

/* Reads the data. The arithmetic is exact on built-in sets and on EXACT_ROWS rows at most, where it
 * can be had and the options do not say. */
static int read_data(struct trace *t, const perc_params *data)
{
    const perc_env *env = &t->cli->env;
    const bool open = perc_params_get(t->params, "arithmetic") != NULL &&
                      !cli_given(t->cli, "arithmetic");
    perc_error err = { 0 };

    if (open && perc_params_set(t->params, "arithmetic", "exact", &err))
        return cli_fail(t->cli, NULL, &err);
    if (open && perc_params_check(t->params, &err)) use_doubles(t, &err);
    const perc_status st = is_exact(t) ? perc_dataset_read_exact(env, t->data, data, &t->ds, &err)
                                       : PERC_EARG;
    if (st != PERC_OK && st != PERC_EARG) return cli_fail(t->cli, t->data, &err);
    if (st == PERC_EARG && is_exact(t) && !use_doubles(t, &err))
        return cli_fail(t->cli, t->data, &err);
    if (st != PERC_OK && perc_dataset_read(env, t->data, data, &t->ds, &err))
        return cli_fail(t->cli, t->data, &err);
    perc_dataset_info_get(t->ds, &t->info);
    cli_note_unchecked(t->cli, t->data, t->info.unchecked);
    err = (perc_error){ .text = "more than 1,000 rows: pass --arithmetic exact if it is to be" };
    if (t->data[0] != ':' && t->info.rows > EXACT_ROWS) use_doubles(t, &err);
    return EXIT_DONE;
}

/* One of the two runs. */
static perc_status run(struct trace *t, const perc_observer *watch, perc_error *err)
{
    const perc_env *env = &t->cli->env;
    const perc_status st = perc_fit(env, t->ds, t->params, watch, &t->model, &t->report, err);

    if (st == PERC_OK || st == PERC_ENOMEM || !use_doubles(t, err)) return st;
    return perc_fit(env, t->ds, t->params, watch, &t->model, &t->report, err);
}

/* "exact (...)", or "double", and why; "" for a learner that has no choice. */
static const char *arithmetic_words(const struct trace *t, char words[ARITHMETIC])
{
    char exact[ABOUT_SENTENCE];
    const bool choice = perc_params_get(t->params, "arithmetic") != NULL;
    const char *why = t->doubles;

    words[0] = '\0';
    if (choice)
        snprintf(words, ARITHMETIC, "arithmetic: %s%s%s",
                 is_exact(t) ? about_decisions(exact, &t->report) : "double",
                 why[0] != '\0' ? "; " : "", why);
    return words;
}

/* ----- before and after ------------------------------------------------------ */

static void begin_trace(struct trace *t)
{
    char learner[ABOUT_SENTENCE];
    struct facts f;

    if (!t->cli->json) {
        about_learner(learner, t->algorithm, perc_model_option(t->model, "rule"),
                      perc_model_option(t->model, "order"), perc_model_option(t->model, "seed"));
        if (!t->csv) out_fmt(t->cli->out, "algorithm: %s\n", learner);
        trace_heads(t);
        return;
    }
    cli_facts(t->cli, &f);
    facts_string(&f, "command", NULL, "trace");
    about_data(&f, t->data, t->ds);
    about_algorithm(&f, t->model, false);
    about_labels(&f, t->model);
    facts_begin_list(&f, t->cli->out, "steps");
}

/* The table has the current weights; averaged, voted and pocket return something else, and a reader
 * must not take the last line for it. */
static void say_returned(const struct trace *t, struct out *o)
{
    char w[TRACE_CELL];
    double v[TRACE_SHOWN + 1];
    uint64_t n = 0;

    if (perc_model_option(t->model, "rule") == NULL) return;
    out_fmt(o, "returned by %s: ", t->algorithm);
    if (strcmp(t->algorithm, "voted") == 0) {
        out_fmt(o, "the votes of all these %s\n", t->kernel ? "machines" : "weights");
    } else if (t->kernel) {
        out_text(o, strcmp(t->algorithm, "pocket") == 0 ? "the best of these machines\n"
                                                        : "the mean of these machines\n");
    } else if (t->made.outputs > 1) {
        out_text(o, "other weights than these (train, then inspect, shows them)\n");
    } else {
        for (; n < t->made.features && n <= TRACE_SHOWN; n++)
            v[n] = perc_model_weight(t->model, n, 0);
        trace_vector(w, v, n, 1);
        const enum hyperplane_form form = t->cli->form;

        out_fmt(o, "w = %s, %s = %.6g\n", w, hyperplane_letter(form),
                hyperplane_constant(form, perc_model_offset(t->model, 0)));
    }
}

static void end_trace(struct trace *t)
{
    struct out *o = t->cli->out;
    const perc_report *r = &t->report;
    char words[256], room[ARITHMETIC];
    const char *arithmetic = arithmetic_words(t, room);

    /* The conclusion, which claims no more than was shown. */
    const size_t size = sizeof words;
    if (r->stop == PERC_STOP_CONVERGED && r->dropped > 0)
        snprintf(words, size, "settled on %llu of %llu rows: pass %lld made no %s",
                 (unsigned long long)(r->rows - r->dropped), (unsigned long long)r->rows,
                 (long long)r->epochs, r->mistakes == r->updates ? "mistake" : "update");
    else if (r->stop == PERC_STOP_CONVERGED)
        snprintf(words, size, "settled: pass %lld made no %s", (long long)r->epochs,
                 r->mistakes == r->updates ? "mistake" : "update");
    else if (t->to > 0)
        snprintf(words, size,
                 "never settles: after pass %lld the weights are those after pass %lld, "
                 "so it goes round for ever",
                 (long long)t->to, (long long)t->from);
    else
        snprintf(words, size,
                 "not settled after %lld pass%s, which proves nothing (--epochs N "
                 "shows more)",
                 (long long)r->epochs, r->epochs == 1 ? "" : "es");
    if (t->cli->json) {
        out_end(o, ']');
        struct facts f;

        cli_facts(t->cli, &f);
        facts_bool(&f, "settled", NULL, r->stop == PERC_STOP_CONVERGED);
        facts_bool(&f, "never_settles", NULL, r->stop != PERC_STOP_CONVERGED && t->to > 0);
        facts_string(&f, "verdict", NULL, words);
        facts_int(&f, "epochs", NULL, r->epochs);
        facts_int(&f, "mistakes", NULL, r->mistakes);
        facts_int(&f, "updates", NULL, r->updates);
        about_arithmetic(&f, r);
        about_close_calls(&f, r);
        about_dropped(&f, t->model, t->ds);
        facts_members(&f, o);
        facts_free(&f);
        out_end(o, '}');
        out_text(o, "\n");
    } else if (t->csv) {
        cli_note(t->cli, "%s", words);
        if (arithmetic[0] != '\0') cli_note(t->cli, "%s", arithmetic);
    } else {
        out_fmt(o, "\n%s\nmistakes: %lld\n", words, (long long)r->mistakes);
        if (r->updates != r->mistakes) out_fmt(o, "updates: %lld\n", (long long)r->updates);
        if (arithmetic[0] != '\0') out_fmt(o, "%s\n", arithmetic);
        if (r->close_calls >= 0)
            out_fmt(o, "close calls: %lld (scores within rounding of 0)\n",
                    (long long)r->close_calls);
        say_returned(t, o);
    }
}

/* ----- the command ------------------------------------------------------------ */

/* Once the data and the parameters are there. */
static int trace_data(struct trace *t, const perc_params *data)
{
    perc_error err = { 0 };
    const int rc = read_data(t, data);

    if (rc != EXIT_DONE) return rc;
    t->x = calloc((size_t)t->info.features + 1, sizeof *t->x);
    t->passes = calloc(NUMBERS_KEPT, sizeof *t->passes);
    t->counter = calloc((size_t)t->info.rows + 1, sizeof *t->counter);
    if (t->x == NULL || t->passes == NULL || t->counter == NULL) return cli_memory(t->cli);
    interrupt_catch();
    const perc_observer watch = { .level = PERC_WATCH_WEIGHTS, .notify = watch_step, .ud = t };

    trace_columns(t);
    /* With a new order for each pass, or a falling rate, repetitions are not looked for: the next
     * pass depends on more than (w, b). */
    const char *order = perc_params_get(t->params, "order"),
               *rate = perc_params_get(t->params, "schedule");
    t->cycles = (order != NULL && strcmp(order, "shuffle") != 0 &&
                 (rate == NULL || strcmp(rate, "constant") == 0)) &&
                !t->kernel && t->drop_after == 0; /* sums of kernels, and counters, only grow */
    for (t->turn = LOOK; t->turn <= PRINT; t->turn++) {
        memset(t->counter, 0, (size_t)t->info.rows * sizeof *t->counter);
        if (t->turn == PRINT) begin_trace(t);
        perc_model_free(t->model);
        if (run(t, &watch, &err)) return cli_fail(t->cli, t->data, &err);
        perc_model_info_get(t->model, &t->made);
    }
    end_trace(t);
    return interrupt_seen() ? EXIT_INTERRUPTED : EXIT_DONE;
}

int cmd_trace(struct cli *cli)
{
    struct trace t = { .cli = cli };
    const struct opt opts[] = { { 'a', "algorithm", OPT_TEXT, &t.algorithm, "NAME",
                                  CLI_HELP_ALGORITHM " [" CLI_PLAIN "]", 0, 0 },
                                { 0, "csv", OPT_FLAG, &t.csv, NULL, "print CSV, with exact numbers",
                                  0, 0 },
                                OPT_FORM(cli),
                                OPT_THREADS(cli),
                                OPT_JSON(cli),
                                OPT_QUIET(cli),
                                OPT_END };
    const struct operand operands[] = { { "DATA", &t.data, false, OPT_DATA }, OPERANDS_END };
    const struct tables tables[] = { { "learner", &t.algorithm, "epochs=10 order=file",
                                       "checkpoint every time-limit" },
                                     { "data", NULL, NULL, "group time" },
                                     TABLES_END };
    perc_params *data = NULL, *p = NULL;
    int rc;

    if (!cli_parse(cli, opts, operands, tables)) return cli->rc;
    if (t.csv && cli->json) return cli_usage(cli, "--csv and --json cannot be combined");
    if (t.algorithm == NULL) t.algorithm = CLI_PLAIN;
    if ((rc = cli_params(cli, "data", "data", &data)) == EXIT_DONE &&
        (rc = cli_params(cli, "learner", t.algorithm, &p)) == EXIT_DONE) {
        const char *kernel = perc_params_get(p, "kernel"), *drop = perc_params_get(p, "drop-after");

        t.params = p;
        t.kernel = kernel != NULL && strcmp(kernel, "none") != 0;
        t.drop_after = drop != NULL ? strtoll(drop, NULL, 10) : 0;
        if (perc_params_get(p, "layers") != NULL)
            rc = cli_usage(cli, "a step of a network changes all of its weights: `train --json` "
                                "shows its passes");
        else if (perc_params_get(p, "order") == NULL)
            rc = cli_usage(cli, "%s does not learn row by row: there are no steps to show",
                           t.algorithm);
        else rc = trace_data(&t, data);
    }
    free(t.passes);
    free(t.counter);
    free(t.x);
    perc_model_free(t.model);
    perc_dataset_free(t.ds);
    perc_params_free(p);
    perc_params_free(data);
    return rc;
}
