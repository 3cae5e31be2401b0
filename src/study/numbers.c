/* numbers.c -- the numbers of the pictures, as tables that unfold. What is long is
 * thinned, and says so. */
#include "study/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "show/word.h"
#include "study/largest.h"

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
    const bool net = study_network(run);
    struct html_table t;
    char buf[WORD];

    if (run->passes == 0) return;
    open_details(r, run, "Passes in numbers", run->passes);
    html_table(&t, r->o, "Passes", net ? "Rrrrr" : "Rrrr");
    html_heads(&t, (const char *const[]){ "Pass", "Mistakes", "Updates", "Training error after it",
                                          NULL });
    if (net) html_head(&t, "Loss");
    for (size_t i = 0; i < run->passes; i++) {
        const struct study_pass *p = &run->pass[i];

        if (i % stride(run->passes) != 0 && i + 1 < run->passes) continue;
        html_row(&t);
        html_cell_count(&t, (uint64_t)p->number);
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
    const bool bound = s->reach != NULL && run->plain;
    struct html_table t;

    if (run->norms == 0) return;
    open_details(r, run, "The two curves in numbers", run->norms);
    html_table(&t, r->o, "After update k", bound ? "Rrrrr" : "Rr");
    html_heads(&t, (const char *const[]){ "k", "|w|²", NULL });
    if (bound) {
        html_heads(&t, (const char *const[]){ "k R²", "w·u", "k γ′", NULL });
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
    struct html_table t;

    report_details(r, "Margins in numbers");
    html_table(&t, r->o, "So many of the rows have a margin of at most", "Lrrrrrrr");
    html_heads(&t, (const char *const[]){ "What", "smallest", "5 %", "25 %", "half", "75 %", "95 %",
                                          "largest", NULL });
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
    html_heads(&t, (const char *const[]){ "negative rows taken for positive", "positive rows found",
                                          NULL });
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
    html_heads(&t, (const char *const[]){ "Probability", "Rows", "Mean probability",
                                          "Share that was so", NULL });
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
    html_heads(&t, (const char *const[]){ "Recall", "Precision", NULL });
    for (size_t i = 0; i < n; i++) confusion_row(&t, run, i, counts);
    html_table_end(&t);
    report_details_end(r);
}

/* ----- weights ------------------------------------------------------------------------ */

/* For more than two labels each has its own weights; the first few labels are enough here. */
void numbers_weights(const struct report *r, const struct study_run *run)
{
    enum { OUTPUTS = 10 };
    const size_t outputs = run->info.outputs < OUTPUTS ? run->info.outputs : OUTPUTS;
    const bool two = run->info.outputs == 1;
    const size_t most = two ? LARGEST : LARGEST / 2;
    struct html_table t;
    char name[REPORT_NAME];

    if (study_network(run) || study_kernel(run)) return;
    open_details(r, run, "Weights in numbers", 0);
    html_table(&t, r->o,
               outputs < run->info.outputs ? "Largest weights of the first ten labels"
                                           : "Largest weights",
               "Lrl");
    html_heads(&t, (const char *const[]){ "Feature", "Weight", "Speaks for", NULL });
    for (size_t c = 0; c < outputs; c++) {
        struct largest top = { 0 };

        for (uint64_t j = 0; j < run->info.features; j++)
            largest_keep(&top, perc_model_weight(run->model, j, c), j);
        const size_t n = top.n < most ? top.n : most;
        for (size_t i = 0; i <= n; i++) { /* the last is the offset */
            const double w = i == n ? perc_model_offset(run->model, c) : top.value[i];

            html_row(&t);
            html_cell(&t,
                      i == n ? "offset" : study_weight_name(run, top.what[i], name, sizeof name));
            html_cell_num(&t, w);
            html_cell(&t, !two    ? report_label(run, c)
                          : w > 0 ? run->info.positive
                                  : run->info.negative);
        }
    }
    html_table_end(&t);
    report_details_end(r);
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
    html_heads(&t, (const char *const[]){ "Row", "Line", "Label", "Counter", "Coefficient", NULL });
    for (size_t i = 0; i < n; i++) {
        const perc_support *p = &run->support[i];
        const bool known = p->row >= 0 && (uint64_t)p->row < r->study.data_info.rows;

        html_row(&t);
        html_cell(&t, known ? word_count(buf, (uint64_t)p->row + 1) : dash);
        html_cell(&t, known ? word_count(buf, (uint64_t)perc_dataset_row_line(r->study.ds,
                                                                              (uint64_t)p->row))
                            : dash);
        html_cell(&t, p->label >= 0 ? report_label(run, (size_t)p->label) : dash);
        html_cell(&t, p->counter >= 0 ? word_count(buf, (uint64_t)p->counter) : dash);
        html_cell_num(&t, p->coefficient);
    }
    html_table_end(&t);
    report_details_end(r);
}
