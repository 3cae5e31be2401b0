/* cmd_demo.c -- perceptron demo: the built-in tour.
 *
 * Three stops. (1) One separable set learned in four orders: the perceptron
 * finds *a* separating line, and which one, after how many passes, depends on the
 * order of the examples. (2) xor, where no line exists and it never settles, but a kernel
 * helps.
 * (3) A real set with rows held back for a test. Every number is computed here
 * and now; the sentences claim only what the numbers showed. */
#include "cli/cli.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/about.h"
#include "show/ending.h"
#include "show/grid.h"
#include "show/plot.h"
#include "show/word.h"

#define POINTS     ":blobs85"
#define REAL       ":cancer"
#define REAL_WORDS "569 tumours of the breast, 30 measures each: malignant or benign?"

enum { ORDERS = 4, PLOT_COLUMNS = 64, PLOT_ROWS = 24, PASSES_SHOWN = 10 };

/* A heading, underlined. */
static void print_title(struct out *o, const char *text)
{
    out_fmt(o, "\n%s\n", text);
    for (size_t i = strlen(text); i > 0; i--) out_text(o, "-");
    out_text(o, "\n\n");
}

/* Trains on `ds` with "name=value" settings, separated by blanks. */
static int train_demo(const struct cli *cli, const perc_dataset *ds, const char *settings,
                      const perc_observer *watch, perc_model **m, perc_report *r)
{
    perc_params *p = NULL;
    perc_error err = { 0 };
    perc_status st = perc_params_new(&cli->env, CLI_PLAIN, &p, &err);
    char word[64];

    *m = NULL;
    for (const char *s = settings; st == PERC_OK && *s != '\0';) {
        const size_t len = strcspn(s, " ");

        snprintf(word, sizeof word, "%.*s", (int)len, s);
        char *value = strchr(word, '=');
        *value++ = '\0';
        st = perc_params_set(p, word, value, &err);
        s += len + (s[len] == ' ');
    }
    if (st == PERC_OK) st = perc_fit(&cli->env, ds, p, watch, m, r, &err);
    perc_params_free(p);
    return st == PERC_OK ? EXIT_DONE : cli_fail(cli, NULL, &err);
}

/* ----- 1. four orders --------------------------------------------------------- */

/* The points of a set in the plane, x and y alternating; NULL: out of memory. */
static double *points_of(const perc_dataset *ds, size_t *n)
{
    perc_dataset_info d;

    perc_dataset_info_get(ds, &d);
    double *xy = calloc(d.rows + 1, 2 * sizeof *xy);
    for (uint64_t i = 0; xy != NULL && i < d.rows; i++) perc_dataset_row(ds, i, xy + 2 * i);
    *n = d.rows;
    return xy;
}

/* One order: trains with `seed`, adds a line to the table and to the picture. */
static int one_order(const struct cli *cli, const perc_dataset *ds, int seed, struct grid *g,
                     struct plot *p)
{
    char settings[64], buf[WORD];
    perc_model *m;
    perc_report r;
    int rc;

    snprintf(settings, sizeof settings, "order=shuffle epochs=1000 seed=%d", seed);
    if ((rc = train_demo(cli, ds, settings, NULL, &m, &r))) return rc;
    const double w1 = perc_model_weight(m, 0, 0), w2 = perc_model_weight(m, 1, 0);
    const double b = perc_model_offset(m, 0);
    plot_line(p, w1, w2, b, (char)('0' + seed));
    grid_fmt(g, "%d", seed);
    grid_fmt(g, "%lld", (long long)r.epochs);
    grid_fmt(g, "%lld", (long long)r.mistakes);
    grid_cell(g, word_percent(buf, r.training_error));
    grid_fmt(g, "%.2f", w1);
    grid_fmt(g, "%.2f", w2);
    grid_fmt(g, "%.2f", b);
    grid_cell(g, r.stop == PERC_STOP_CONVERGED ? "converged" : "limit of passes");
    perc_model_free(m);
    return EXIT_DONE;
}

/* Lines are drawn as they are found, the points last, so that no line hides a point. */
static int four_orders(const struct cli *cli)
{
    static const char *const head[] = { "order", "passes", "mistakes", "error",
                                        "w1",    "w2",     "b",        "end" };
    struct out *o = cli->out;
    perc_dataset *ds = NULL;
    perc_error err = { 0 };
    double box[4];
    size_t n = 0;
    int rc = EXIT_DONE;

    print_title(o, "1. One set, four orders");
    out_text(o, "85 points in the plane (" POINTS "), shown in four random orders. Each time the\n"
                "perceptron starts from w = 0 and ends after a pass without a mistake.\n\n");
    if (perc_dataset_read(&cli->env, POINTS, NULL, &ds, &err)) return cli_fail(cli, POINTS, &err);
    double *xy = points_of(ds, &n);
    if (xy == NULL) {
        perc_dataset_free(ds);
        return cli_memory(cli);
    }
    plot_box(xy, n, box);
    struct plot *p = plot_new(&cli->env, PLOT_COLUMNS, PLOT_ROWS, box);
    struct grid *g = grid_new(&cli->env, "rrrrrrrl");
    for (size_t k = 0; k < sizeof head / sizeof *head; k++) grid_cell(g, head[k]);
    for (int seed = 1; rc == EXIT_DONE && seed <= ORDERS; seed++)
        rc = one_order(cli, ds, seed, g, p);
    for (size_t i = 0; i < n; i++)
        plot_point(p, xy[2 * i], xy[2 * i + 1], perc_dataset_row_label(ds, i) == 1 ? '+' : 'o');
    if (rc == EXIT_DONE) {
        grid_print(g, o, 2);
        out_text(o, "\n");
        plot_print(p, o, 2, cli_colour());
        out_text(o, "\nThe digits are the four lines. Each separates + from o: the perceptron\n"
                    "finds some separating line, and the order of the examples decides which.\n");
    }
    grid_free(g);
    plot_free(p);
    free(xy);
    perc_dataset_free(ds);
    return rc;
}

/* ----- 2. xor ------------------------------------------------------------------ */

struct passes {
    int64_t mistakes[PASSES_SHOWN];
    int count;
    int64_t fewest;
};

/* An observer: the mistakes of the first passes, and the fewest of any pass. */
static int count_passes(void *ud, const perc_event *e)
{
    struct passes *p = ud;

    if (!e->pass_ended) return 0;
    if (p->count < PASSES_SHOWN) p->mistakes[p->count++] = e->pass_mistakes;
    if (p->fewest < 0 || e->pass_mistakes < p->fewest) p->fewest = e->pass_mistakes;
    return 0;
}

/* The same rows and the same rule, but a boundary that may bend. */
static int xor_bent(const struct cli *cli, const perc_dataset *ds)
{
    struct out *o = cli->out;
    perc_model *m = NULL;
    perc_report r;
    char stop[256];
    const int rc = train_demo(cli, ds, "kernel=poly degree=2 epochs=1000", NULL, &m, &r);

    if (rc == EXIT_DONE) {
        ending_words(stop, sizeof stop, &r, "1000");
        out_text(o, "\nWith a kernel the score is a sum over the rows that it erred on, each\n"
                    "weighed by how alike it is to x: here (x.z + 1)^2, so that the boundary\n"
                    "may be a curve. The rule is the same (--kernel poly --degree 2):\n\n");
        out_fmt(o, "  %s; %lld mistakes in all\n", stop, (long long)r.mistakes);
    }
    perc_model_free(m);
    return rc;
}

/* Reaching the limit shows nothing, so the proof is given in words. For (0,1), (1,0) against (0,0),
 * (1,1): s(0,1) + s(1,0) = s(0,0) + s(1,1) for every w and b, but the left side would have to be
 * positive and the right side not. */
static int xor_never(const struct cli *cli)
{
    struct out *o = cli->out;
    struct passes passes = { .fewest = -1 };
    const perc_observer watch = { PERC_WATCH_COUNTS, count_passes, &passes };
    perc_dataset *ds = NULL;
    perc_model *m = NULL;
    perc_report r;
    perc_error err = { 0 };

    print_title(o, "2. A set that no line separates");
    out_text(o, "xor (:xor): (0,1) and (1,0) against (0,0) and (1,1).\n\n");
    if (perc_dataset_read(&cli->env, ":xor", NULL, &ds, &err)) return cli_fail(cli, ":xor", &err);
    int rc = train_demo(cli, ds, "epochs=1000", &watch, &m, &r);
    if (rc == EXIT_DONE) {
        out_text(o, "  mistakes in the first passes:");
        for (int i = 0; i < passes.count; i++) out_fmt(o, " %lld", (long long)passes.mistakes[i]);
        out_fmt(o, " ...\n  the best of %lld passes made %lld; %lld mistakes in all\n\n",
                (long long)r.epochs, (long long)passes.fewest, (long long)r.mistakes);
        out_text(o, "Reaching a limit proves nothing. Here a proof is short: both pairs have the\n"
                    "midpoint (1/2, 1/2), so the scores of one pair add up to those of the other,\n"
                    "and cannot all be positive there and all negative here. It never settles.\n");
        rc = xor_bent(cli, ds);
    }
    perc_model_free(m);
    perc_dataset_free(ds);
    return rc;
}

/* ----- 3. a real set ------------------------------------------------------------ */

/* The scaling is learned from all rows, held back or not. It uses no label, so
 * the test stays a test; a purist would learn it from the training rows alone. */
static int real_set(const struct cli *cli)
{
    perc_params *data = NULL;
    perc_dataset *all = NULL, *rest = NULL, *held = NULL;
    perc_model *m = NULL;
    perc_model_info info;
    perc_metrics metrics;
    uint64_t confusion[4]; /* of two labels */
    perc_report r;
    perc_error err = { 0 };
    int rc;

    print_title(cli->out, "3. A real set");
    out_text(cli->out,
             REAL_WORDS "\n(" REAL ", with the features brought to mean 0 and"
                        " deviation 1.) Three rows in\nten are held back for a test.\n\n");
    if (perc_params_new(&cli->env, "data", &data, &err) ||
        perc_params_set(data, "scale", "standard", &err) ||
        perc_dataset_read(&cli->env, REAL, data, &all, &err) ||
        perc_dataset_split(all, 0.3, 1, &rest, &held, &err)) {
        rc = cli_fail(cli, REAL, &err);
    } else if ((rc = train_demo(cli, rest, "epochs=1000 seed=1", NULL, &m, &r)) == EXIT_DONE) {
        if (perc_evaluate(&cli->env, m, held, &metrics, confusion, &err)) {
            rc = cli_fail(cli, REAL, &err);
        } else {
            perc_model_info_get(m, &info);
            /* Both errors: zero on the rows learned from says little about new rows. */
            struct out *o = cli->out;
            struct grid *g = grid_new(&cli->env, "lrr");
            char buf[WORD], stop[256];
            ending_words(stop, sizeof stop, &r, "1000");
            out_fmt(o, "  %s\n\n", stop);
            grid_cell(g, "");
            grid_cell(g, "rows");
            grid_cell(g, "errors");
            grid_cell(g, "training");
            grid_fmt(g, "%llu", (unsigned long long)r.rows);
            grid_fmt(g, "%llu (%s)", (unsigned long long)r.training_errors,
                     word_percent(buf, r.training_error));
            grid_cell(g, "held back");
            grid_fmt(g, "%llu", (unsigned long long)metrics.rows);
            grid_fmt(g, "%llu (%s)", (unsigned long long)metrics.errors,
                     word_percent(buf, metrics.error));
            grid_print(g, o, 2);
            grid_free(g);
            out_fmt(o, "\nOf the rows held back, %llu of %llu with the label %s were found,\n",
                    (unsigned long long)confusion[3],
                    (unsigned long long)(confusion[2] + confusion[3]), about_label(&info, true));
            out_fmt(o, "and %llu of %llu with the label %s. Area under the ROC curve: %.4f.\n",
                    (unsigned long long)confusion[0],
                    (unsigned long long)(confusion[0] + confusion[1]), about_label(&info, false),
                    metrics.auc);
        }
    }
    perc_model_free(m);
    perc_dataset_free(held);
    perc_dataset_free(rest);
    perc_dataset_free(all);
    perc_params_free(data);
    return rc;
}

int cmd_demo(struct cli *cli)
{
    const struct opt opts[] = { OPT_THREADS(cli), OPT_END };
    const struct operand operands[] = { OPERANDS_END };
    int rc;

    if (!cli_parse(cli, opts, operands, NULL)) return cli->rc;
    out_text(cli->out,
             "The perceptron scores an example by s = w.x + b and learns from mistakes alone:\n"
             "whenever y s <= 0 it adds y x to w and y to b.\n");
    if ((rc = four_orders(cli)) || (rc = xor_never(cli)) || (rc = real_set(cli))) return rc;
    print_title(cli->out, "What to try next");
    out_text(cli->out,
             "  perceptron trace :and                          every step, as a table\n"
             "  perceptron prove :xor                          why no line separates it: a proof\n"
             "  perceptron prove " REAL "                       and these: can a plane?\n"
             "  perceptron train " REAL " --scale standard      learn from all 569 rows\n"
             "  perceptron inspect model.safetensors           which measures weigh most\n"
             "  perceptron test model.safetensors " REAL "      errors, losses, margins\n"
             "  perceptron generate moons -o moons.csv         data that no line separates\n"
             "  perceptron help train                          all options\n");
    return EXIT_DONE;
}
