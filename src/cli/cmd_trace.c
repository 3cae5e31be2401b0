/* cmd_trace.c -- perceptron trace: every step of learning, as a table.
 *
 * A step is one example shown to the learner: the example, its score before, and
 * the weights after. With more than two labels there is a vector for each, too many
 * to read: then the table has the margin instead, half the gap between the score of
 * the label and the best of the others. With a kernel there are no weights: in their place
 * the table has the counter of the row, the updates made on it so far.
 *
 * Text is aligned, which needs the widths of all cells before the first is printed,
 * and the heading of CSV needs the names of the features that a map makes. Instead of
 * keeping every step the run is made twice, once to look and once to print. It is
 * deterministic, so both runs are the same.
 *
 * Does it settle? A pass without an update says yes. To the contrary, the limit on
 * passes proves nothing; but in file order and at a constant rate the learner is a
 * machine whose next step depends on (w, b) alone. So when (w, b) after pass k is what
 * it was after an earlier pass j, and updates were made between them, the passes
 * j+1 .. k come again for ever: it never settles, and the trace may say so. */
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/about.h"

enum { CELL = 256, SHOWN = 8 };
enum { NUMBERS_KEPT = 1 << 20 }; /* to look for a repetition */

enum column {
    PASS,
    ROW,
    X,
    Y,
    SCORE,
    LABEL,
    MARGIN,
    MISTAKE,
    UPDATED,
    COUNTER,
    ASIDE,
    W,
    B,
    COLUMNS
};

/* As in CSV; for people "epoch" is a pass. */
static const char *const heading[COLUMNS] = { "epoch",   "row",     "x",         "y",
                                              "score",   "label",   "margin",    "mistake",
                                              "updated", "counter", "set_aside", "w",
                                              "b" };

struct trace {
    struct cli *cli;
    const char *data, *algorithm;
    int csv;
    const perc_params *params;
    perc_dataset *ds;
    perc_dataset_info info;
    perc_model *model; /* of the first run, then of the second      */
    perc_model_info made;
    double *x; /* the row shown: info.features numbers      */
    bool kernel;
    int64_t *counter;   /* with a kernel: updates on each row        */
    int64_t drop_after; /* 0: never                                  */
    enum { LOOK, PRINT } turn;
    enum column column[COLUMNS];
    int columns;             /* of them in use                            */
    int width[COLUMNS];      /* by column                                 */
    bool cycles;             /* whether a repetition proves anything      */
    double *passes;          /* (w, b) after each pass; the last is now's */
    size_t pass_count, size; /* size: numbers of one (w, b)               */
    int64_t updates;         /* before this pass                          */
    int64_t from, to;        /* (w, b) after pass `to` is that after `from` */
    perc_report report;
};

/* ----- one step, in three forms --------------------------------------------- */

static double no_minus(double v)
{
    return v == 0 ? 0.0 : v; /* the sign of a zero is of no interest to a reader */
}

/* "(1, 0.5, ...)" with six digits and at most SHOWN numbers. */
static void vector_text(char cell[CELL], const double *v, uint64_t n, size_t stride)
{
    size_t k = 0;

    cell[k++] = '(';
    for (uint64_t j = 0; j < n && j < SHOWN; j++)
        k += (size_t)snprintf(cell + k, CELL - k, "%s%.6g", j > 0 ? ", " : "",
                              no_minus(v[j * stride]));
    snprintf(cell + k, CELL - k, n > SHOWN ? ", ...)" : ")");
}

/* The label as the data have it, whichever number its class has by now. */
static const char *event_label(const struct trace *t, const perc_event *e)
{
    const int label = perc_dataset_row_label(t->ds, (uint64_t)e->row);

    return label >= 0 ? perc_dataset_label(t->ds, (size_t)label) : "";
}

/* One vector serves two labels, which are -1 and +1, also of those that know more
 * later. A class number may be 0, that of the first to be met against the rest. */
static bool is_signed(const perc_event *e)
{
    return e->vectors == 1 && e->y != 0;
}

static double margin_of(const perc_event *e)
{
    return no_minus(is_signed(e) ? e->y * e->score : e->score);
}

/* At this mistake the row leaves the training set, and what it had added is taken back. */
static bool set_aside(const struct trace *t, const perc_event *e)
{
    return t->drop_after > 0 && e->updated && t->counter[e->row] == t->drop_after;
}

/* Measures the cells in the first run and prints them in the second. */
static void step_text(struct trace *t, const perc_event *e)
{
    char cell[CELL];

    for (int i = 0; i < t->columns; i++) {
        const enum column k = t->column[i];

        switch (k) {
        case PASS: snprintf(cell, CELL, "%lld", (long long)e->epoch); break;
        case ROW: snprintf(cell, CELL, "%lld", (long long)e->row + 1); break;
        case X: vector_text(cell, t->x, t->info.features, 1); break;
        case Y: snprintf(cell, CELL, "%+g", e->y); break;
        case SCORE: snprintf(cell, CELL, "%.6g", no_minus(e->score)); break;
        case LABEL: snprintf(cell, CELL, "%s", event_label(t, e)); break;
        case MARGIN: snprintf(cell, CELL, "%.6g", margin_of(e)); break;
        case MISTAKE: snprintf(cell, CELL, "%s", e->mistake ? "yes" : "no"); break;
        case UPDATED:
            if (e->updated > 1) /* one against the rest */
                snprintf(cell, CELL, "%d vectors", e->updated);
            else snprintf(cell, CELL, "%s", e->updated ? "yes" : "no");
            break;
        case COUNTER:
            snprintf(cell, CELL, "%lld%s", (long long)t->counter[e->row],
                     set_aside(t, e) ? " set aside" : "");
            break;
        case ASIDE: cell[0] = '\0'; break; /* the counter says it */
        case W: vector_text(cell, e->w, e->features, e->stride); break;
        default: snprintf(cell, CELL, "%.6g", no_minus(e->b[0]));
        }
        const int n = (int)strlen(cell);
        if (t->turn == LOOK) t->width[k] = n > t->width[k] ? n : t->width[k];
        else out_fmt(t->cli->out, "%*s%s", (i > 0 ? 2 : 0) + t->width[k] - n, "", cell);
    }
    if (t->turn == PRINT) out_text(t->cli->out, "\n");
}

static void csv_vector(struct out *o, const double *v, uint64_t n, size_t stride)
{
    for (uint64_t j = 0; j < n; j++) {
        out_text(o, j > 0 ? "," : "");
        out_num(o, v[j * stride]);
    }
}

/* Exact numbers, one column a feature; mistake and set_aside are 0 or 1. */
static void step_csv(struct trace *t, const perc_event *e)
{
    struct out *o = t->cli->out;

    for (int i = 0; i < t->columns; i++) {
        out_text(o, i > 0 ? "," : "");
        switch (t->column[i]) {
        case PASS: out_fmt(o, "%lld", (long long)e->epoch); break;
        case ROW: out_fmt(o, "%lld", (long long)e->row + 1); break;
        case X: csv_vector(o, t->x, t->info.features, 1); break;
        case Y: out_fmt(o, "%g", e->y); break;
        case SCORE: out_num(o, e->score); break;
        case LABEL: out_csv(o, event_label(t, e)); break;
        case MARGIN: out_num(o, margin_of(e)); break;
        case MISTAKE: out_fmt(o, "%d", e->mistake); break;
        case UPDATED: out_fmt(o, "%d", e->updated); break;
        case COUNTER: out_fmt(o, "%lld", (long long)t->counter[e->row]); break;
        case ASIDE: out_fmt(o, "%d", set_aside(t, e)); break;
        case W: csv_vector(o, e->w, e->features, e->stride); break;
        default: out_num(o, e->b[0]);
        }
    }
    out_text(o, "\n");
}

static void step_json(struct trace *t, const perc_event *e)
{
    struct out *o = t->cli->out;

    out_begin(o, '{');
    out_key_int(o, "epoch", e->epoch);
    out_key_int(o, "row", e->row + 1);
    out_key(o, "x");
    out_reals(o, t->x, t->info.features, 1);
    out_key_string(o, "label", event_label(t, e));
    if (is_signed(e)) {
        out_key_real(o, "y", e->y);
        out_key_real(o, "score", e->score);
    }
    out_key_real(o, "margin", margin_of(e));
    out_key_bool(o, "mistake", e->mistake != 0);
    out_key_bool(o, "updated", e->updated != 0);
    /* "w" and "b" are lists of such where there are several vectors. With a kernel there
     * are "counter" and "set_aside" in place of "w". */
    if (t->kernel) {
        out_key_int(o, "counter", t->counter[e->row]);
        out_key_bool(o, "set_aside", set_aside(t, e));
    } else {
        out_key(o, "w");
        if (e->vectors > 1) out_begin(o, '[');
        for (size_t c = 0; c < e->vectors; c++) out_reals(o, e->w + c, e->features, e->stride);
        if (e->vectors > 1) out_end(o, ']');
    }
    out_key(o, "b");
    if (e->vectors > 1) out_reals(o, e->b, e->vectors, 1);
    else out_real(o, e->b[0]);
    out_end(o, '}');
}

/* ----- watching the run ------------------------------------------------------ */

/* Keeps (w, b) in the last place of `passes`. Classes, and with them vectors, are
 * added in the first pass only. */
static void remember_pass(struct trace *t, const perc_event *e)
{
    const size_t size = ((size_t)e->features + 1) * e->vectors;

    if ((t->pass_count > 0 && size != t->size) || size > NUMBERS_KEPT / (t->pass_count + 1)) {
        t->cycles = false; /* too large to keep: then nothing is said */
        return;
    }
    t->size = size;
    double *last = t->passes + t->pass_count * size;
    for (uint64_t j = 0; j < e->features; j++)
        for (size_t c = 0; c < e->vectors; c++) *last++ = e->w[j * e->stride + c];
    for (size_t c = 0; c < e->vectors; c++) *last++ = e->b[c];
}

/* The observer. Steps carry the weights; the end of a pass comes as an event of
 * its own, without them. */
static int watch_step(void *ud, const perc_event *e)
{
    struct trace *t = ud;

    if (e->b != NULL && e->row >= 0) {
        perc_dataset_row(t->ds, (uint64_t)e->row, t->x);
        t->counter[e->row] += e->updated; /* one against the rest: in all vectors */
        if (!t->cli->json && !t->csv) step_text(t, e);
        else if (t->turn == PRINT) t->csv ? step_csv(t, e) : step_json(t, e);
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

/* ----- before and after ------------------------------------------------------ */

/* "x1" by the index of the file, or "x.petal width" by name; likewise for w, where
 * the features are those that the machine sees. */
static void csv_names(const struct trace *t, char letter)
{
    const bool x = letter == 'x';
    const uint64_t n = x ? t->info.features : t->made.features;
    struct out *o = t->cli->out;
    char buf[CELL], name[CELL + 2];

    for (uint64_t j = 0; j < n; j++) {
        const char *given = x ? perc_dataset_feature(t->ds, j)
                              : perc_model_feature(t->model, j, buf, sizeof buf);

        if (given != NULL) snprintf(name, sizeof name, "%c.%s", letter, given);
        else
            snprintf(name, sizeof name, "%c%llu", letter,
                     (unsigned long long)j + (unsigned long long)t->info.index_base);
        out_text(o, j > 0 ? "," : "");
        out_csv(o, name);
    }
}

static void begin_trace(struct trace *t)
{
    struct out *o = t->cli->out;

    if (t->cli->json) {
        struct facts f;

        cli_facts(t->cli, &f);
        facts_string(&f, "command", NULL, "trace");
        about_data(&f, t->data, t->ds);
        about_algorithm(&f, t->model, false);
        about_labels(&f, t->model);
        facts_begin_list(&f, o, "steps");
        return;
    }
    for (int i = 0; i < t->columns; i++) {
        const enum column k = t->column[i];

        if (!t->csv) {
            out_fmt(o, "%*s", (i > 0 ? 2 : 0) + t->width[k], k == PASS ? "pass" : heading[k]);
            continue;
        }
        out_text(o, i > 0 ? "," : "");
        if (k == X || k == W) csv_names(t, k == X ? 'x' : 'w');
        else out_text(o, heading[k]);
    }
    out_text(o, "\n");
}

/* The table has the weights at work; averaged, voted and pocket return something
 * else, and a reader must not take the last line for it. */
static void say_returned(const struct trace *t, struct out *o)
{
    char w[CELL];
    double v[SHOWN + 1];
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
        for (; n < t->made.features && n <= SHOWN; n++) v[n] = perc_model_weight(t->model, n, 0);
        vector_text(w, v, n, 1);
        out_fmt(o, "w = %s, b = %.6g\n", w, no_minus(perc_model_offset(t->model, 0)));
    }
}

static void end_trace(struct trace *t)
{
    struct out *o = t->cli->out;
    const perc_report *r = &t->report;
    char words[256];

    /* The last word, which claims no more than was shown. */
    const size_t size = sizeof words;
    if (r->stop == PERC_STOP_CONVERGED && r->dropped > 0)
        snprintf(words, size, "settled on %llu of %llu rows: pass %lld made no mistake",
                 (unsigned long long)(r->rows - r->dropped), (unsigned long long)r->rows,
                 (long long)r->epochs);
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
        about_dropped(&f, t->model, t->ds);
        facts_members(&f, o);
        facts_free(&f);
        out_end(o, '}');
        out_text(o, "\n");
    } else if (t->csv) {
        cli_note(t->cli, "%s", words);
    } else {
        out_fmt(o, "\n%s\nmistakes: %lld\n", words, (long long)r->mistakes);
        if (r->updates != r->mistakes) out_fmt(o, "updates: %lld\n", (long long)r->updates);
        say_returned(t, o);
    }
}

/* ----- the command ------------------------------------------------------------ */

/* What to show: of two labels y, score and weights; of more the margin. Whether it
 * was updated is worth a column where that is not the same as a mistake; whether it was set
 * aside stands beside the counter of a table, and has a column in CSV with --drop-after. */
static void pick_columns(struct trace *t)
{
    static const enum column two[] = { PASS,    ROW,     X,     Y, SCORE, MISTAKE,
                                       UPDATED, COUNTER, ASIDE, W, B };
    static const enum column many[] = { PASS,    ROW,     X,       LABEL, MARGIN,
                                        MISTAKE, UPDATED, COUNTER, ASIDE };
    const char *rule = perc_params_get(t->params, "rule");
    const char *how = perc_params_get(t->params, "multiclass");
    const char *positive = perc_params_get(t->params, "positive");
    const bool plain = strcmp(rule != NULL ? rule : t->algorithm, CLI_PLAIN) == 0;
    const bool several = (positive == NULL || positive[0] == '\0') &&
                         (t->info.labels > 2 || (how != NULL && strcmp(how, "auto") != 0));
    const enum column *list = several ? many : two;
    const size_t n = several ? sizeof many / sizeof *many : sizeof two / sizeof *two;
    for (size_t i = 0; i < n; i++)
        if ((list[i] != UPDATED || several || !plain) && (list[i] != COUNTER || t->kernel) &&
            (list[i] != ASIDE || (t->csv && t->drop_after > 0)) && (list[i] != W || !t->kernel))
            t->column[t->columns++] = list[i];
    for (int k = 0; k < COLUMNS; k++) t->width[k] = (int)strlen(k == PASS ? "pass" : heading[k]);
}

/* With the data and the parameters there. */
static int trace_data(struct trace *t, const perc_params *data)
{
    perc_error err = { 0 };

    if (perc_dataset_read(&t->cli->env, t->data, data, &t->ds, &err))
        return cli_fail(t->cli, t->data, &err);
    perc_dataset_info_get(t->ds, &t->info);
    t->x = calloc((size_t)t->info.features + 1, sizeof *t->x);
    t->passes = calloc(NUMBERS_KEPT, sizeof *t->passes);
    t->counter = calloc((size_t)t->info.rows + 1, sizeof *t->counter);
    if (t->x == NULL || t->passes == NULL || t->counter == NULL) return cli_memory(t->cli);
    interrupt_catch();
    const perc_observer watch = { .level = PERC_WATCH_WEIGHTS, .notify = watch_step, .ud = t };

    pick_columns(t);
    /* A run in shuffled order, or at a rate that falls, is not looked at for repetitions:
     * its next pass depends on more than (w, b). */
    const char *order = perc_params_get(t->params, "order"),
               *rate = perc_params_get(t->params, "schedule");
    t->cycles = (order != NULL && strcmp(order, "file") == 0 &&
                 (rate == NULL || strcmp(rate, "constant") == 0)) &&
                !t->kernel; /* the sum of a kernel machine only grows */
    for (t->turn = LOOK; t->turn <= PRINT; t->turn++) {
        memset(t->counter, 0, (size_t)t->info.rows * sizeof *t->counter);
        if (t->turn == PRINT) begin_trace(t);
        perc_model_free(t->model);
        if (perc_fit(&t->cli->env, t->ds, t->params, &watch, &t->model, &t->report, &err))
            return cli_fail(t->cli, t->data, &err);
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
                                OPT_THREADS(cli),
                                OPT_JSON(cli),
                                OPT_QUIET(cli),
                                OPT_END };
    const struct operand operands[] = { { "DATA", &t.data, false }, OPERANDS_END };
    const struct tables tables[] = { { "learner", &t.algorithm, "epochs=10 order=file",
                                       "checkpoint every time-limit" },
                                     { "data", NULL, NULL, NULL },
                                     TABLES_END };
    perc_params *data = NULL, *p = NULL;
    int rc;

    if (!cli_parse(cli, opts, operands, tables)) return cli->rc;
    if (t.csv && cli->json) return cli_usage(cli, "--csv and --json do not go together");
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
