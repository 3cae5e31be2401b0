/* numbers.c -- the numbers of the pictures, as tables that unfold. Long tables
 * are thinned, and say so. */
#include "study/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "show/facts.h"
#include "show/word.h"
#include "study/largest.h"

enum { MOST = 100 }; /* rows of a table */

/* Of n rows, every stride-th is shown. */
static size_t stride(size_t n)
{
    return n <= MOST ? 1 : (n + MOST - 1) / MOST;
}

/* "Numbers of perceptron", and whether some were left out. */
static void open_details(const struct report *r, const struct study_run *run, const char *what,
                         size_t n)
{
    char text[256], every[64] = "", buf[WORD];

    if (stride(n) > 1) snprintf(every, sizeof every, ", one in %s", word_count(buf, stride(n)));
    snprintf(text, sizeof text, "%s%s%s%s", what, report_several(r) ? ": " : "",
             report_several(r) ? run->algorithm : "", every);
    report_details(r, text);
}

static bool is_shown(size_t i, size_t n)
{
    return i % stride(n) == 0 || i + 1 == n;
}

/* A table, which close_table prints and frees. */
static void open_table(const struct report *r, struct facts *f, const char *caption)
{
    facts_init(f, r->study.env, FACTS_PEOPLE);
    facts_table(f, NULL, caption);
}

static void close_table(const struct report *r, struct facts *f)
{
    facts_end(f);
    facts_html(f, r->o);
    facts_free(f);
    report_details_end(r);
}

void numbers_passes(const struct report *r, const struct study_run *run)
{
    struct facts f;

    if (run->passes == 0) return;
    open_details(r, run, "Passes in numbers", run->passes);
    open_table(r, &f, "Passes");
    for (size_t i = 0; i < run->passes; i++) {
        const struct study_pass *p = &run->pass[i];

        if (!is_shown(i, run->passes)) continue;
        facts_row(&f);
        facts_count(&f, NULL, "Pass", (uint64_t)p->number);
        facts_count(&f, NULL, "Mistakes", (uint64_t)p->mistakes);
        facts_count(&f, NULL, "Updates", (uint64_t)p->updates);
        facts_percent(&f, NULL, "Training error after it", p->error);
        if (study_network(run)) facts_real(&f, NULL, "Loss", p->loss);
        facts_end(&f);
    }
    close_table(r, &f);
}

void numbers_orders(const struct report *r)
{
    struct facts f;

    facts_init(&f, r->study.env, FACTS_PEOPLE);
    study_orders_table(&r->study, &f);
    facts_html(&f, r->o);
    facts_free(&f);
}

void numbers_norms(const struct report *r, const struct study_run *run)
{
    const struct study *s = &r->study;
    const bool bound = s->advance != NULL && run->plain;
    struct facts f;

    if (run->norms == 0) return;
    open_details(r, run, "The two curves in numbers", run->norms);
    open_table(r, &f, "After update k");
    for (size_t i = 0; i < run->norms; i++) {
        const struct study_norm *n = &run->norm[i];

        if (!is_shown(i, run->norms)) continue;
        facts_row(&f);
        facts_real(&f, NULL, "k", n->k);
        facts_real(&f, NULL, "|w|²", n->norm2);
        if (bound) {
            facts_real(&f, NULL, "k R²", n->k * s->radius * s->radius);
            facts_real(&f, NULL, "w·u", n->along);
            facts_real(&f, NULL, "k γ′", n->k * s->gamma);
        }
        facts_end(&f);
    }
    close_table(r, &f);
}

static void quantile_row(struct facts *f, const struct report *r, const struct study_run *run,
                         const char *what, const double *q)
{
    static const char *const heads[PERC_QUANTILES] = { "smallest", "5 %",  "25 %",   "half",
                                                       "75 %",     "95 %", "largest" };

    if (isnan(q[0])) return;
    facts_row(f);
    facts_string(f, NULL, "What", what);
    if (report_several(r)) facts_say(f, "%s, %s", what, run->algorithm);
    for (int k = 0; k < PERC_QUANTILES; k++) facts_real(f, NULL, heads[k], q[k]);
    facts_end(f);
}

void numbers_margins(const struct report *r)
{
    struct facts f;

    report_details(r, "Margins in numbers");
    open_table(r, &f, "Margins that a share of the rows does not exceed");
    for (size_t i = 0; i < r->study.runs; i++) {
        const struct study_run *run = &r->study.run[i];

        quantile_row(&f, r, run, "margin", run->metrics.margin);
        quantile_row(&f, r, run, "distance from the boundary, y s / |w|", run->metrics.distance);
    }
    close_table(r, &f);
}

void numbers_roc(const struct report *r, const struct study_run *run)
{
    struct facts f;

    if (run->roc == 0) return;
    open_details(r, run, "The curve in numbers", run->roc);
    open_table(r, &f, "ROC curve");
    for (size_t i = 0; i < run->roc; i++) {
        if (!is_shown(i, run->roc)) continue;
        facts_row(&f);
        facts_percent(&f, NULL, "negative rows taken for positive", run->roc_x[i]);
        facts_percent(&f, NULL, "positive rows found", run->roc_y[i]);
        facts_end(&f);
    }
    close_table(r, &f);
}

void numbers_precision(const struct report *r, const struct study_run *run)
{
    struct facts f;

    if (run->trades == 0) return;
    open_details(r, run, "The second curve in numbers", run->trades);
    open_table(r, &f, "Precision and recall");
    for (size_t i = 0; i < run->trades; i++) {
        const perc_trade *t = &run->trade[i];

        if (!is_shown(i, run->trades) && !t->here) continue;
        facts_row(&f);
        facts_real(&f, NULL, "s ≥", t->score);
        facts_percent(&f, NULL, "precision", t->precision);
        facts_percent(&f, NULL, "recall", t->recall);
        facts_string(&f, NULL, "", t->here ? "the answers" : "");
        facts_end(&f);
    }
    close_table(r, &f);
}

void numbers_calibration(const struct report *r, const struct study_run *run)
{
    const perc_metrics *m = &run->metrics;
    struct facts f;

    if (!run->calibrated) return;
    open_details(r, run, "Calibration in numbers", 0);
    facts_init(&f, r->study.env, FACTS_PEOPLE);
    facts_real(&f, NULL, "Log loss", m->log_loss);
    facts_real(&f, NULL, "Brier score", m->brier);
    facts_table(&f, NULL, "Probabilities given, and how often they came true");
    for (int k = 0; k < PERC_BINS; k++) {
        facts_row(&f);
        facts_string(&f, NULL, "Probability", "");
        facts_say(&f, "%.1f to %.1f", k / 10.0, (k + 1) / 10.0);
        facts_count(&f, NULL, "Rows", m->reliability[k].rows);
        facts_real(&f, NULL, "Mean probability", m->reliability[k].p);
        facts_real(&f, NULL, "Share that came true", m->reliability[k].share);
        facts_end(&f);
    }
    close_table(r, &f);
}

void numbers_confusion(const struct report *r, const struct study_run *run)
{
    enum { COLUMNS = 12 };
    const size_t n = run->info.labels;
    struct facts f;

    if (n > MOST) return;
    open_details(r, run, "Confusion in numbers", 0);
    open_table(r, &f, "True labels by what was answered");
    /* One label: its row of counts, and measures made from them. */
    for (size_t i = 0; i < n; i++) {
        uint64_t truth = 0, answered = 0;
        char head[REPORT_NAME];

        facts_row(&f);
        facts_string(&f, NULL, "True label", perc_model_label(run->model, i));
        for (size_t j = 0; j < n; j++) {
            truth += run->confusion[i * n + j];
            answered += run->confusion[j * n + i];
            snprintf(head, sizeof head, "answered %.100s", perc_model_label(run->model, j));
            facts_count(&f, NULL, n <= COLUMNS ? head : NULL, run->confusion[i * n + j]);
        }
        const double right = (double)run->confusion[i * n + i];
        facts_percent(&f, NULL, "Recall", right / (double)truth);
        facts_percent(&f, NULL, "Precision", right / (double)answered); /* of none: undefined */
        facts_end(&f);
    }
    close_table(r, &f);
}

/* ----- weights ------------------------------------------------------------------------ */

/* With more than two labels each has its own weights; the first few labels are enough here. */
void numbers_weights(const struct report *r, const struct study_run *run)
{
    enum { OUTPUTS = 10 };
    const size_t outputs = run->info.outputs < OUTPUTS ? run->info.outputs : OUTPUTS;
    const bool two = run->info.outputs == 1;
    const size_t most = two ? LARGEST : LARGEST / 2;
    const enum hyperplane_form form = r->study.q->form;
    struct facts f;
    char name[REPORT_NAME];

    if (study_network(run) || study_kernel(run)) return;
    open_details(r, run, "Weights in numbers", 0);
    open_table(r, &f,
               outputs < run->info.outputs ? "Largest weights of the first ten labels"
                                           : "Largest weights");
    for (size_t c = 0; c < outputs; c++) {
        struct largest top = { 0 };

        for (uint64_t j = 0; j < run->info.features; j++)
            largest_keep(&top, perc_model_weight(run->model, j, c), j);
        const size_t n = top.n < most ? top.n : most;
        for (size_t i = 0; i <= n; i++) { /* the last is the offset */
            const double b = perc_model_offset(run->model, c), w = i == n ? b : top.value[i];

            const char *of = i == n ? hyperplane_name(form)
                                    : study_weight_name(run, top.what[i], name, sizeof name);

            if (of == NULL) facts_fail(&f);
            facts_row(&f);
            facts_string(&f, NULL, "Feature", of);
            facts_real(&f, NULL, "Weight", i == n ? hyperplane_constant(form, b) : w);
            facts_string(&f, NULL, "Speaks for",
                         !two    ? perc_model_label(run->model, c)
                         : w > 0 ? run->info.positive
                                 : run->info.negative);
            facts_end(&f);
        }
    }
    close_table(r, &f);
}

void numbers_supports(const struct report *r, const struct study_run *run)
{
    struct facts f;
    char text[2 * WORD], buf[WORD];
    const size_t n = run->supports < MOST ? run->supports : MOST;

    if (n < run->supports)
        snprintf(text, sizeof text, "The %d largest counters of %s", MOST,
                 word_count(buf, run->supports));
    else snprintf(text, sizeof text, "Support vectors: %s", word_count(buf, run->supports));
    report_details(r, text);
    open_table(r, &f, text);
    for (size_t i = 0; i < n; i++) {
        const perc_support *p = &run->support[i];
        const uint64_t row = (uint64_t)p->row; /* known: the machine was trained here */

        facts_row(&f);
        facts_count(&f, NULL, "Row", row + 1);
        facts_count(&f, NULL, "Line", (uint64_t)perc_dataset_row_line(r->study.ds, row));
        if (perc_dataset_row_file(r->study.ds, row) != NULL)
            facts_string(&f, NULL, "File", perc_dataset_row_file(r->study.ds, row));
        facts_string(&f, NULL, "Label",
                     p->label >= 0 ? perc_model_label(run->model, (size_t)p->label) : NULL);
        facts_count_if(&f, NULL, "Counter", p->counter >= 0, (uint64_t)p->counter);
        facts_real(&f, NULL, "Coefficient", p->coefficient);
        facts_end(&f);
    }
    close_table(r, &f);
}
