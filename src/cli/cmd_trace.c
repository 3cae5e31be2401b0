/* cmd_trace.c -- perceptron trace: every step of learning, as a table.
 *
 * A step is one example shown to the learner: the example, its score before, and
 * the weights after. Text is aligned, which needs the widths of all cells before
 * the first is printed; instead of keeping every step the run is made twice, once
 * to measure and once to print. It is deterministic, so both runs are the same.
 *
 * Does it settle? A pass without a mistake says yes. To the contrary, the epoch
 * limit proves nothing; but in file order the perceptron is a machine whose next
 * step depends on (w, b) alone. So when (w, b) after pass k is what it was after
 * an earlier pass j, and mistakes were made between them, the passes j+1 .. k
 * come again for ever: it never settles, and the trace may say so. */
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 8, CELL = 256, SHOWN = 8 };
enum { PASSES_KEPT = 1 << 20 }; /* numbers kept to look for a repetition */

static const char *const heading[CELLS] = {
    "epoch", "row", "x", "y", "score", "mistake", "w", "b"
};

struct trace {
    struct cli *cli;
    const char *data;
    int csv;
    perc_dataset *ds;
    perc_dataset_info info;
    double *x;                /* the row shown: info.features numbers      */
    enum { MEASURE, PRINT } turn;
    int width[CELLS];
    bool cycles;              /* whether a repetition proves anything      */
    double *passes;           /* (w, b) after each pass; the last is now's */
    size_t pass_count, pass_cap;
    int64_t from, to;         /* (w, b) after pass `to` is that after `from` */
    perc_report report;
};

/* ----- one step, in three forms --------------------------------------------- */

/* "(1, 0.5, ...)" with six digits and at most SHOWN numbers. */
static void vector_text(char cell[CELL], const double *v, uint64_t n)
{
    size_t k = 0;

    cell[k++] = '(';
    for (uint64_t j = 0; j < n && j < SHOWN; j++)
        k += (size_t)snprintf(cell + k, CELL - k, "%s%.6g", j > 0 ? ", " : "",
                              v[j] == 0 ? 0.0 : v[j]);
    snprintf(cell + k, CELL - k, n > SHOWN ? ", ...)" : ")");
}

/* Fills the cells; measures them in the first run and prints them in the second.
 * -0 is shown as 0: the sign of a zero is of no interest to a reader. */
static void step_text(struct trace *t, const perc_event *e)
{
    char cell[CELLS][CELL];

    snprintf(cell[0], CELL, "%lld", (long long)e->epoch);
    snprintf(cell[1], CELL, "%lld", (long long)e->row + 1);
    vector_text(cell[2], t->x, t->info.features);
    snprintf(cell[3], CELL, "%+g", e->y);
    snprintf(cell[4], CELL, "%.6g", e->score == 0 ? 0.0 : e->score);
    snprintf(cell[5], CELL, "%s", e->mistake ? "yes" : "no");
    vector_text(cell[6], e->w, e->features);
    snprintf(cell[7], CELL, "%.6g", e->b == 0 ? 0.0 : e->b);
    for (int k = 0; k < CELLS; k++) {
        const int n = (int)strlen(cell[k]);

        if (t->turn == MEASURE)
            t->width[k] = n > t->width[k] ? n : t->width[k];
        else
            out_fmt(t->cli->out, "%*s%s", (k > 0 ? 2 : 0) + t->width[k] - n, "", cell[k]);
    }
    if (t->turn == PRINT)
        out_text(t->cli->out, "\n");
}

static void csv_vector(struct out *o, const double *v, uint64_t n)
{
    for (uint64_t j = 0; j < n; j++) {
        out_num(o, v[j]);
        out_text(o, ",");
    }
}

/* Exact numbers, one column a feature; mistake is 0 or 1. */
static void step_csv(struct trace *t, const perc_event *e)
{
    struct out *o = t->cli->out;

    out_fmt(o, "%lld,%lld,", (long long)e->epoch, (long long)e->row + 1);
    csv_vector(o, t->x, t->info.features);
    out_fmt(o, "%g,", e->y);
    out_num(o, e->score);
    out_fmt(o, ",%d,", e->mistake);
    csv_vector(o, e->w, e->features);
    out_num(o, e->b);
    out_text(o, "\n");
}

static void json_vector(struct out *o, const char *key, const double *v, uint64_t n)
{
    out_key(o, key);
    out_begin(o, '[');
    for (uint64_t j = 0; j < n; j++)
        out_real(o, v[j]);
    out_end(o, ']');
}

static void step_json(struct trace *t, const perc_event *e)
{
    struct out *o = t->cli->out;

    out_begin(o, '{');
    out_key_int(o, "epoch", e->epoch);
    out_key_int(o, "row", e->row + 1);
    json_vector(o, "x", t->x, t->info.features);
    out_key_real(o, "y", e->y);
    out_key_real(o, "score", e->score);
    out_key_bool(o, "mistake", e->mistake != 0);
    out_key_bool(o, "updated", e->updated != 0);
    json_vector(o, "w", e->w, e->features);
    out_key_real(o, "b", e->b);
    out_end(o, '}');
}

/* ----- watching the run ------------------------------------------------------ */

/* Keeps (w, b) in the last place of `passes`. */
static void remember(struct trace *t, const perc_event *e)
{
    const size_t size = (size_t)t->info.features + 1;

    if ((t->pass_count + 1) * size > t->pass_cap) {
        t->cycles = false; /* too large to keep: then nothing is said */
        return;
    }
    double *last = t->passes + t->pass_count * size;
    for (uint64_t j = 0; j < e->features; j++)
        last[j] = e->w[j];
    last[size - 1] = e->b;
}

/* A pass is over: was (w, b) like this after an earlier one? */
static void look_back(struct trace *t, const perc_event *e)
{
    const size_t size = (size_t)t->info.features + 1, k = t->pass_count++;
    const double *now = t->passes + k * size;

    for (size_t i = 0; i < k && t->to == 0 && e->pass_mistakes > 0; i++) {
        const double *then = t->passes + i * size;
        size_t j = 0;

        while (j < size && then[j] == now[j])
            j++;
        if (j == size) {
            t->from = (int64_t)i + 1;
            t->to = (int64_t)k + 1;
        }
    }
}

/* The observer. Steps carry the weights; the end of a pass comes as an event of
 * its own, without them. */
static int notify(void *ud, const perc_event *e)
{
    struct trace *t = ud;

    if (e->w != NULL && e->row >= 0) {
        perc_dataset_row(t->ds, (uint64_t)e->row, t->x);
        if (t->cli->json)
            step_json(t, e);
        else if (t->csv)
            step_csv(t, e);
        else
            step_text(t, e);
        if (t->cycles && t->turn == PRINT)
            remember(t, e);
    } else if (e->pass_ended && t->cycles && t->turn == PRINT) {
        look_back(t, e);
    }
    return out_broken(t->cli->out) || interrupt_seen();
}

/* ----- before and after ------------------------------------------------------ */

/* "x1" by the index of the file, or "x.petal width" by name; likewise for w. */
static void csv_names(const struct trace *t, char letter)
{
    struct out *o = t->cli->out;
    char name[CELL];

    for (uint64_t j = 0; j < t->info.features; j++) {
        const char *given = perc_dataset_feature(t->ds, j);

        if (given != NULL)
            snprintf(name, sizeof name, "%c.%s", letter, given);
        else
            snprintf(name, sizeof name, "%c%llu", letter,
                     (unsigned long long)j + (unsigned long long)t->info.index_base);
        out_csv(o, name);
        out_text(o, ",");
    }
}

static void begin(struct trace *t)
{
    struct out *o = t->cli->out;

    if (t->cli->json) {
        out_begin(o, '{');
        out_key_string(o, "command", "trace");
        out_key(o, "data");
        cli_data_json(o, t->data, t->ds);
        out_key(o, "steps");
        out_begin(o, '[');
    } else if (t->csv) {
        out_text(o, "epoch,row,");
        csv_names(t, 'x');
        out_text(o, "y,score,mistake,");
        csv_names(t, 'w');
        out_text(o, "b\n");
    } else {
        for (int k = 0; k < CELLS; k++)
            out_fmt(o, "%*s", (k > 0 ? 2 : 0) + t->width[k], heading[k]);
        out_text(o, "\n");
    }
}

/* The last word, which claims no more than was shown. */
static void verdict(const struct trace *t, char *buf, size_t size)
{
    const perc_report *r = &t->report;

    if (r->stop == PERC_STOP_CONVERGED)
        snprintf(buf, size, "settled: pass %lld made no mistake", (long long)r->epochs);
    else if (t->to > 0)
        snprintf(buf, size, "never settles: after pass %lld the weights are those after pass %lld, "
                 "so it goes round for ever", (long long)t->to, (long long)t->from);
    else
        snprintf(buf, size, "not settled after %lld pass%s, which proves nothing (--epochs N "
                 "shows more)", (long long)r->epochs, r->epochs == 1 ? "" : "es");
}

static void end(struct trace *t)
{
    struct out *o = t->cli->out;
    char words[256];

    verdict(t, words, sizeof words);
    if (t->cli->json) {
        out_end(o, ']');
        out_key_bool(o, "settled", t->report.stop == PERC_STOP_CONVERGED);
        out_key_bool(o, "never_settles", t->to > 0);
        out_key_string(o, "verdict", words);
        out_key_int(o, "epochs", t->report.epochs);
        out_key_int(o, "mistakes", t->report.mistakes);
        out_end(o, '}');
        out_text(o, "\n");
    } else if (t->csv) {
        cli_note(t->cli, "%s", words);
    } else {
        out_fmt(o, "\n%s\nmistakes: %lld\n", words, (long long)t->report.mistakes);
    }
}

/* ----- the command ------------------------------------------------------------ */

/* One run, or with `measured` two. A run in shuffled order is not looked at for
 * repetitions: its next pass depends on more than (w, b). */
static int run(struct trace *t, const perc_params *p, bool measured)
{
    const perc_observer watch = { .level = PERC_WATCH_WEIGHTS, .notify = notify, .ud = t };
    const char *order = perc_params_get(p, "order");
    perc_model *m = NULL;
    perc_error err = { 0 };
    perc_status st = PERC_OK;

    t->cycles = order != NULL && strcmp(order, "file") == 0;
    t->pass_cap = PASSES_KEPT;
    for (int k = 0; k < CELLS; k++)
        t->width[k] = (int)strlen(heading[k]);
    if (measured) {
        t->turn = MEASURE;
        st = perc_fit(&t->cli->env, t->ds, p, &watch, &m, &t->report, &err);
        perc_model_free(m);
    }
    if (st == PERC_OK) {
        t->turn = PRINT;
        begin(t);
        st = perc_fit(&t->cli->env, t->ds, p, &watch, &m, &t->report, &err);
        perc_model_free(m);
    }
    if (st != PERC_OK)
        return cli_fail(t->cli, t->data, &err);
    end(t);
    return interrupt_seen() ? EXIT_INTERRUPTED : EXIT_DONE;
}

int cmd_trace(struct cli *cli)
{
    struct trace t = { .cli = cli };
    const char *algorithm = CLI_ALGORITHM;
    const struct opt opts[] = {
        { 'a', "algorithm", OPT_TEXT, &algorithm, "NAME",
          "learning rule, see 'perceptron help algorithms' [" CLI_ALGORITHM "]", 0, 0 },
        { 0, "csv", OPT_FLAG, &t.csv, NULL, "print CSV, with exact numbers", 0, 0 },
        OPT_THREADS(cli), OPT_JSON(cli), OPT_QUIET(cli), OPT_END
    };
    const struct operand operands[] = { { "DATA", &t.data, false }, OPERANDS_END };
    const struct tables tables[] = {
        { "learner", &algorithm, "epochs=10 order=file", "checkpoint every time-limit" },
        { "data", NULL, NULL, NULL }, TABLES_END
    };
    perc_params *data = NULL, *p = NULL;
    perc_error err = { 0 };
    int rc;

    if (!cli_parse(cli, opts, operands, tables))
        return cli->rc;
    if ((rc = cli_params(cli, "data", "data", &data))
        || (rc = cli_params(cli, "learner", algorithm, &p))) {
        perc_params_free(data);
        return rc;
    }
    if (perc_dataset_read(&cli->env, t.data, data, &t.ds, &err)) {
        rc = cli_fail(cli, t.data, &err);
    } else {
        perc_dataset_info_get(t.ds, &t.info);
        t.x = calloc((size_t)t.info.features + 1, sizeof *t.x);
        t.passes = calloc(PASSES_KEPT, sizeof *t.passes);
        interrupt_catch();
        rc = t.x == NULL || t.passes == NULL ? cli_memory(cli)
                                             : run(&t, p, !cli->json && !t.csv);
    }
    free(t.passes);
    free(t.x);
    perc_dataset_free(t.ds);
    perc_params_free(p);
    perc_params_free(data);
    return rc;
}
