/* report_numbers.c -- the numbers of the pictures, as tables that unfold. What is long is
 * thinned, and says so. */
#include "study/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "show/word.h"

enum { MOST = 100 }; /* rows of a table */

static const char dash[] = "–";

/* Every how many-th of n is shown. */
static size_t stride(size_t n)
{
    return n <= MOST ? 1 : (n + MOST - 1) / MOST;
}

/* "Numbers of perceptron", and whether all are there. */
static void open_details(const struct report *r, const struct study_run *run, const char *what,
                         size_t n)
{
    char text[256], every[64] = "", buf[WORD];

    if (stride(n) > 1) snprintf(every, sizeof every, ", one in %s", word_count(buf, stride(n)));
    snprintf(text, sizeof text, "%s%s%s%s", what, report_several(r) ? ": " : "",
             report_several(r) ? run->algorithm : "", every);
    report_details(r, text);
}

static const char *percent(double part, char buf[WORD])
{
    return isnan(part) ? dash : word_percent(buf, part);
}

void numbers_passes(const struct report *r, const struct study_run *run)
{
    const bool net = report_network(run);
    struct html_table t;
    char buf[WORD];

    if (run->passes == 0) return;
    open_details(r, run, "Passes in numbers", run->passes);
    html_table(&t, r->o, "Passes", net ? "Rrrrr" : "Rrrr");
    html_head(&t, "Pass");
    html_head(&t, "Mistakes");
    html_head(&t, "Updates");
    html_head(&t, "Training error after it");
    if (net) html_head(&t, "Loss");
    for (size_t i = 0; i < run->passes; i++) {
        const struct study_pass *p = &run->pass[i];

        if (i % stride(run->passes) != 0 && i + 1 < run->passes) continue;
        html_row(&t);
        html_cell_count(&t, (uint64_t)p->epoch);
        html_cell_count(&t, (uint64_t)p->mistakes);
        html_cell_count(&t, (uint64_t)p->updates);
        html_cell(&t, percent(p->error, buf));
        if (net) html_cell_num(&t, p->loss);
    }
    html_table_end(&t);
    report_details_end(r);
}

void numbers_norms(const struct report *r, const struct study_run *run)
{
    const struct study *s = &r->study;
    const bool bound = s->u != NULL;
    struct html_table t;

    if (run->norms == 0) return;
    open_details(r, run, "The two curves in numbers", run->norms);
    html_table(&t, r->o, "After update k", bound ? "Rrrrr" : "Rr");
    html_head(&t, "k");
    html_head(&t, "|w|²");
    if (bound) {
        html_head(&t, "k R²");
        html_head(&t, "w·u");
        html_head(&t, "k γ′");
    }
    for (size_t i = 0; i < run->norms; i++) {
        const struct study_norm *n = &run->norm[i];

        if (i % stride(run->norms) != 0 && i + 1 < run->norms) continue;
        html_row(&t);
        html_cell_num(&t, n->k);
        html_cell_num(&t, n->norm2);
        if (bound) {
            html_cell_num(&t, n->k * s->radius * s->radius);
            html_cell_num(&t, n->along);
            html_cell_num(&t, n->k * s->gamma);
        }
    }
    html_table_end(&t);
    report_details_end(r);
}

static void quantiles(struct html_table *t, const struct report *r, const struct study_run *run,
                      const char *what, const double *q)
{
    char name[128];

    if (isnan(q[0])) return;
    snprintf(name, sizeof name, "%s%s%s", what, report_several(r) ? ", " : "",
             report_several(r) ? run->algorithm : "");
    html_row(t);
    html_cell(t, name);
    for (int k = 0; k < PERC_QUANTILES; k++) html_cell_num(t, q[k]);
}

void numbers_margins(const struct report *r)
{
    static const char *const heads[] = { "What", "smallest", "5 %",  "25 %",
                                         "half", "75 %",     "95 %", "largest" };
    struct html_table t;

    report_details(r, "Margins in numbers");
    html_table(&t, r->o, "So many of the rows have a margin of at most", "Lrrrrrrr");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) html_head(&t, heads[i]);
    for (size_t i = 0; i < r->study.runs; i++) {
        const struct study_run *run = &r->study.run[i];

        quantiles(&t, r, run, "margin", run->metrics.margin);
        quantiles(&t, r, run, "distance from the boundary, y s / |w|", run->metrics.distance);
    }
    html_table_end(&t);
    report_details_end(r);
}

void numbers_roc(const struct report *r, const struct study_run *run)
{
    struct html_table t;
    char buf[WORD];

    if (run->roc == 0) return;
    open_details(r, run, "The curve in numbers", run->roc);
    html_table(&t, r->o, "ROC curve", "rr");
    html_head(&t, "negative rows taken for positive");
    html_head(&t, "positive rows found");
    for (size_t i = 0; i < run->roc; i++) {
        if (i % stride(run->roc) != 0 && i + 1 < run->roc) continue;
        html_row(&t);
        html_cell(&t, word_percent(buf, run->roc_x[i]));
        html_cell(&t, word_percent(buf, run->roc_y[i]));
    }
    html_table_end(&t);
    report_details_end(r);
}

void numbers_calibration(const struct report *r, const struct study_run *run)
{
    const perc_metrics *m = &run->metrics;
    struct html_table t;
    char buf[WORD], bin[2 * WORD];

    if (!run->calibrated) return;
    open_details(r, run, "Calibration in numbers", 0);
    html_put(r->o, "<p>Log loss %s", isnan(m->log_loss) ? dash : word_num(buf, m->log_loss));
    html_put(r->o, ", Brier score %s.</p>\n", isnan(m->brier) ? dash : word_num(buf, m->brier));
    html_table(&t, r->o, "Probabilities given, and how often it was so", "Lrrr");
    html_head(&t, "Probability");
    html_head(&t, "Rows");
    html_head(&t, "Mean probability");
    html_head(&t, "Share that was so");
    for (int k = 0; k < PERC_BINS; k++) {
        snprintf(bin, sizeof bin, "%.1f to %.1f", k / 10.0, (k + 1) / 10.0);
        html_row(&t);
        html_cell(&t, bin);
        html_cell_count(&t, m->reliability[k].rows);
        html_cell_num(&t, m->reliability[k].p);
        html_cell_num(&t, m->reliability[k].share);
    }
    html_table_end(&t);
    report_details_end(r);
}

/* One label: its row of counts, and what they say about it. */
static void confusion_row(struct html_table *t, const struct study_run *run, size_t i, bool counts)
{
    const size_t n = run->info.labels;
    uint64_t truth = 0, answered = 0;
    char buf[WORD];

    html_row(t);
    html_cell(t, report_label(run, i));
    for (size_t j = 0; j < n; j++) {
        truth += run->confusion[i * n + j];
        answered += run->confusion[j * n + i];
        if (counts) html_cell_count(t, run->confusion[i * n + j]);
    }
    const double right = (double)run->confusion[i * n + i];
    html_cell(t, percent(truth > 0 ? right / (double)truth : (double)NAN, buf));
    html_cell(t, percent(answered > 0 ? right / (double)answered : (double)NAN, buf));
}

void numbers_confusion(const struct report *r, const struct study_run *run)
{
    enum { COLUMNS = 12 };
    const size_t n = run->info.labels;
    const bool counts = n <= COLUMNS;
    struct html_table t;
    char head[REPORT_NAME];

    if (run->confusion == NULL || n > MOST) return;
    open_details(r, run, "Confusion in numbers", 0);
    html_table(&t, r->o, "True labels by what was answered", "Lrrrrrrrrrrrrrr");
    html_head(&t, "True label");
    for (size_t j = 0; counts && j < n; j++) {
        snprintf(head, sizeof head, "answered %.100s", report_label(run, j));
        html_head(&t, head);
    }
    html_head(&t, "Recall");
    html_head(&t, "Precision");
    for (size_t i = 0; i < n; i++) confusion_row(&t, run, i, counts);
    html_table_end(&t);
    report_details_end(r);
}

/* ----- weights ------------------------------------------------------------------------ */

enum { TOP = 20 };
struct largest {
    uint64_t feature;
    double weight;
};

/* The TOP largest of output c, by size, equal ones in their order. Returns how many. */
static size_t find_largest(const struct study_run *run, size_t c, struct largest top[TOP])
{
    size_t n = 0;

    for (uint64_t j = 0; j < run->info.features; j++) {
        const double w = perc_model_weight(run->model, j, c);
        size_t at;

        if (w == 0 || (n == TOP && fabs(w) <= fabs(top[n - 1].weight))) continue;
        for (at = n < TOP ? n++ : TOP - 1; at > 0 && fabs(top[at - 1].weight) < fabs(w); at--)
            top[at] = top[at - 1];
        top[at] = (struct largest){ j, w };
    }
    return n;
}

/* For more than two labels each has its own weights; the first few labels are enough here. */
void numbers_weights(const struct report *r, const struct study_run *run)
{
    enum { OUTPUTS = 10 };
    const size_t outputs = run->info.outputs < OUTPUTS ? run->info.outputs : OUTPUTS;
    struct largest top[TOP];
    struct html_table t;
    char name[REPORT_NAME];

    if (report_network(run) || cli_has_kernel(&run->info)) return;
    open_details(r, run, "Weights in numbers", 0);
    html_table(&t, r->o,
               outputs < run->info.outputs ? "Largest weights of the first ten labels"
                                           : "Largest weights",
               "Lrl");
    html_head(&t, "Feature");
    html_head(&t, "Weight");
    html_head(&t, "Speaks for");
    for (size_t c = 0; c < outputs; c++) {
        const size_t n = find_largest(run, c, top);
        const bool two = run->info.outputs == 1;

        for (size_t i = 0; i <= n && i < (two ? TOP : TOP / 2) + 1; i++) {
            const bool offset = i == n || i == (two ? TOP : TOP / 2);
            const double w = offset ? perc_model_offset(run->model, c) : top[i].weight;

            html_row(&t);
            html_cell(&t, offset ? "offset" : report_feature(run, top[i].feature, name));
            html_cell_num(&t, w);
            html_cell(&t, two ? cli_label(&run->info, w > 0) : report_label(run, c));
        }
    }
    html_table_end(&t);
    report_details_end(r);
}

static uint64_t line_of(const struct report *r, uint64_t row)
{
    return (uint64_t)perc_dataset_row_line(r->study.ds, row);
}

void numbers_supports(const struct report *r, const struct study_run *run)
{
    struct html_table t;
    char text[2 * WORD], buf[WORD];
    const size_t n = run->supports < MOST ? run->supports : MOST;

    if (n < run->supports)
        snprintf(text, sizeof text, "The %d largest counters of %s", MOST,
                 word_count(buf, run->supports));
    else snprintf(text, sizeof text, "Support vectors: %s", word_count(buf, run->supports));
    report_details(r, text);
    html_table(&t, r->o, text, "Rrlrr");
    html_head(&t, "Row");
    html_head(&t, "Line");
    html_head(&t, "Label");
    html_head(&t, "Counter");
    html_head(&t, "Coefficient");
    for (size_t i = 0; i < n; i++) {
        const perc_support *p = &run->support[i];
        const bool known = p->row >= 0 && (uint64_t)p->row < r->study.data_info.rows;

        html_row(&t);
        html_cell(&t, known ? word_count(buf, (uint64_t)p->row + 1) : dash);
        html_cell(&t, known ? word_count(buf, line_of(r, (uint64_t)p->row)) : dash);
        html_cell(&t, p->label >= 0 ? report_label(run, (size_t)p->label) : dash);
        html_cell(&t, p->counter >= 0 ? word_count(buf, (uint64_t)p->counter) : dash);
        html_cell_num(&t, p->coefficient);
    }
    html_table_end(&t);
    report_details_end(r);
}
