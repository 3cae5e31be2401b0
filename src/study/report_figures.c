/* report_figures.c -- the sections of a report that are pictures: what each shows, in words
 * for somebody who sees such a picture for the first time, the picture, and its numbers. */
#include "study/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "show/word.h"

/* ----- one picture ------------------------------------------------------------------ */

void report_figure(const struct report *r, struct figure *f, const char *why)
{
    if (f == NULL) {
        report_why(r, why);
        return;
    }
    html_put(r->o, "<figure>\n<figcaption>%s</figcaption>\n", figure_title(f));
    figure_svg(f, r->o, FIGURE_INLINE);
    out_text(r->o, "\n</figure>\n");
    figure_free(f);
}

/* Prints nothing, not even a heading, for a run with neither a picture nor a reason. */
static void each_run(const struct report *r,
                     struct figure *(*picture)(const struct study *, size_t),
                     const char *(*why)(const struct study_run *))
{
    const bool several = report_several(r);

    out_text(r->o, several ? "<div class=\"side\">\n" : "");
    for (size_t i = 0; i < r->study.runs; i++) {
        struct figure *f = picture(&r->study, i);
        const char *reason = why != NULL ? why(&r->study.run[i]) : "";

        if (f == NULL && reason[0] == '\0') continue;
        if (f != NULL) /* with several runs, its title names the run */
            report_figure(r, f, NULL);
        else if (several)
            html_put(r->o, "<p class=\"why\">%s: not here, %s.</p>\n", r->study.run[i].algorithm,
                     reason);
        else report_why(r, reason);
    }
    out_text(r->o, several ? "</div>\n" : "");
}

static const char *why_norms(const struct study_run *run)
{
    return run->why_norms;
}
static const char *why_regions(const struct study_run *run)
{
    return run->why_regions;
}
static const char *why_calibration(const struct study_run *run)
{
    return run->why_calibration;
}

/* ----- passes ----------------------------------------------------------------------- */

void report_passes(const struct report *r)
{
    bool passes = false, networks = false;

    for (size_t i = 0; i < r->study.runs; i++) {
        passes = passes || r->study.run[i].passes > 0;
        networks = networks || study_network(&r->study.run[i]);
    }
    if (!passes) {
        report_why(r, "a solver looks for the best weights at once and makes no passes over the "
                      "rows");
        return;
    }
    out_text(r->o,
             "<p>In each pass every row is shown once. A <em>mistake</em> is a row that was "
             "on the wrong side, or on the boundary, when it was shown; the weights change from "
             "row to row. The <em>training error</em> is counted after the pass, with the weights "
             "that training would return at that moment, for all rows. The two need not "
             "agree.</p>\n<div class=\"side\">\n");
    report_figure(r, picture_passes(&r->study), NULL);
    report_figure(r, picture_errors(&r->study), r->study.run[0].why_errors);
    if (networks) report_figure(r, picture_loss(&r->study), NULL);
    out_text(r->o, "</div>\n");
    for (size_t i = 0; i < r->study.runs; i++) numbers_passes(r, &r->study.run[i]);
    /* The same learner in other orders of the rows. */
    if (r->study.orders == 0) return;
    out_text(r->o,
             "<h3>The same rows in other orders</h3>\n<p>What is learned depends on the order in "
             "which the rows are shown, and so do the mistakes made on the way: here are several "
             "orders, each with a seed of its own.</p>\n<div class=\"side\">\n");
    report_figure(r, picture_orders(&r->study), NULL);
    report_figure(r, picture_order_passes(&r->study), NULL);
    out_text(r->o, "</div>\n");
    numbers_orders(r);
}

/* ----- the theorem -------------------------------------------------------------------- */

static void bound_facts(const struct report *r)
{
    const struct study *s = &r->study;
    char buf[3][WORD];

    if (s->advance == NULL) {
        report_why(r, s->why_bound);
        return;
    }
    html_put(r->o,
             "<dl class=\"facts\"><dt><var>R</var></dt><dd>%s</dd>\n"
             "<dt><var>γ′</var></dt><dd>%s</dd>\n"
             "<dt>Bound</dt><dd><span class=\"m\">(<var>R</var>/<var>γ′</var>)²</span>: at most %s "
             "updates</dd>\n",
             word_grouped(buf[0], s->radius), word_grouped(buf[1], s->gamma),
             s->limit < 1e15 ? word_count(buf[2], (uint64_t)s->limit) : word_num(buf[2], s->limit));
    for (size_t i = 0; i < s->runs; i++)
        if (s->run[i].report.solver[0] == '\0')
            html_put(r->o, "<dt>Updates of %s</dt><dd>%s%s</dd>\n", s->run[i].algorithm,
                     word_count(buf[0], (uint64_t)s->run[i].report.updates),
                     s->run[i].plain ? "" : " (another rule: the bound is not about it)");
    out_text(r->o, "</dl>\n");
}

static void put_orders(const struct report *r, const char *words, const perc_bound *b)
{
    struct html_table t;

    if (b->runs == 0 || b->runs < b->orders) return; /* ended by a time limit */
    report_details(r, words);
    html_table(&t, r->o, "Every order stays below the bound", "Lrrl");
    html_heads(&t, (const char *const[]){ "Order", "Mistakes", "Passes", "Converged", NULL });
    for (size_t i = 0; i < b->runs; i++) {
        html_row(&t);
        html_cell(&t, b->run[i].order);
        html_cell_count(&t, (uint64_t)b->run[i].mistakes);
        html_cell_count(&t, (uint64_t)b->run[i].passes);
        html_cell(&t, b->run[i].converged ? "yes" : "no");
    }
    html_table_end(&t);
    report_details_end(r);
}

/* The theorem holds in the space of a kernel as well: its numbers there. */
static void put_space(const struct report *r)
{
    const perc_part *p = &r->study.space_part;
    const perc_bound *b = &r->study.space_bound;
    char buf[4][WORD];

    html_put(r->o,
             "<h3>In the space of the kernel (%s)</h3>\n"
             "<p>There a row is as long as <span class=\"m\">√(<var>K</var>(<var>x</var>, "
             "<var>x</var>)%s)</span>, and all else is as above.</p>\n"
             "<dl class=\"facts\"><dt><var>R</var></dt><dd>%s</dd>\n"
             "<dt><var>γ′</var></dt><dd>%s</dd>\n"
             "<dt>Geometric margin</dt><dd>%s</dd>\n"
             "<dt>Bound</dt><dd><span class=\"m\">(<var>R</var>/<var>γ′</var>)²</span>: at most %s "
             "updates</dd>\n</dl>\n",
             r->study.space_run->info.kernel, r->study.space_run->info.has_offset ? " + 1" : "",
             word_grouped(buf[0], b->radius), word_grouped(buf[1], b->margin),
             word_grouped(buf[2], p->geometric_lower),
             b->most < UINT64_MAX ? word_count(buf[3], b->most) : word_num(buf[3], b->bound));
    put_orders(r, "The plain kernel perceptron in other orders of the rows", b);
}

void report_theorem(const struct report *r)
{
    html_put(r->o,
             "<p>Let <var>u</var> be a unit vector that has every row at least a margin "
             "<var>γ′</var> on its side, and <var>R</var> the length of the longest row (with the "
             "1 of the offset). Each update on a mistake moves <var>w</var> along <var>u</var> by "
             "at least γ′, so after <var>k</var> updates <span class=\"m\"><var>w·u</var> ≥ "
             "<var>kγ′</var></span>. And it "
             "lengthens <var>w</var> by little, because the row was on the wrong side: "
             "<span class=\"m\">|<var>w</var>|² ≤ <var>kR</var>²</span>. No vector reaches further "
             "along <var>u</var> than it is long, so <span class=\"m\"><var>kγ′</var> ≤ "
             "√<var>k</var>·<var>R</var></span>, and there are at most <span class=\"m\">"
             "(<var>R</var>/<var>γ′</var>)²</span> updates, in any order of the rows "
             "(Novikoff 1962).%s</p>\n",
             r->study.advance != NULL
                 ? " The two curves below squeeze it: it must end where they meet."
                 : "");
    bound_facts(r);
    out_text(r->o, report_several(r) ? "" : "<div class=\"side\">\n");
    each_run(r, picture_norm, r->study.advance != NULL ? why_norms : NULL);
    each_run(r, picture_bound, NULL);
    out_text(r->o, report_several(r) ? "" : "</div>\n");
    for (size_t i = 0; i < r->study.runs; i++) numbers_norms(r, &r->study.run[i]);
    /* The plain perceptron in other orders, if the proof tried them. */
    if (r->study.bounded)
        put_orders(r, "The plain perceptron in other orders of the rows", &r->study.bound);
    if (r->study.space_run != NULL) put_space(r);
}

/* ----- the plane ------------------------------------------------------------------------ */

void report_plane(const struct report *r)
{
    const struct study *s = &r->study;
    char buf[2][WORD];

    if (s->plane == STUDY_NO_PLANE) {
        report_why(r, s->why_plane);
        return;
    }
    html_put(r->o, "<p>The plane of the picture: %s.", s->plane_words);
    if (s->sampled)
        html_put(r->o, " %s of %s rows are drawn, chosen evenly.", word_count(buf[0], s->points),
                 word_count(buf[1], s->data_info.rows));
    out_text(r->o, " The tint says what the model answers there; labels have their own colours and "
                   "marks.</p>\n");
    each_run(r, picture_boundary, why_regions);
}

/* ----- the lift ------------------------------------------------------------------------ */

bool report_has_lift(const struct report *r)
{
    char why[STUDY_WHY];

    for (size_t i = 0; i < r->study.runs; i++)
        if (picture_lift_possible(&r->study, i, why)) return true;
    return false;
}

void report_lift(const struct report *r)
{
    char why[STUDY_WHY];

    out_text(r->o,
             "<p>A polynomial kernel is the dot product of the images of two rows under a map: "
             "<span class=\"m\">(<var>x</var>·<var>z</var>)² = "
             "<var>φ</var>(<var>x</var>)·<var>φ</var>(<var>z</var>)</span> with "
             "<span class=\"m\"><var>φ</var>(<var>x</var>) = (<var>x</var>₁², "
             "√2 <var>x</var>₁<var>x</var>₂, <var>x</var>₂²)</span>. The curve that separates the "
             "classes in the plane of the features is a plane among the images. Points behind it "
             "are seen through it.</p>\n");
    for (size_t i = 0; i < r->study.runs; i++)
        if (picture_lift_possible(&r->study, i, why))
            report_figure(r, picture_lift(&r->study, i), why);
}

/* ----- every update ------------------------------------------------------------------------ */

bool report_has_steps(const struct report *r)
{
    for (size_t i = 0; i < r->study.runs; i++)
        if (r->study.run[i].steps > 0) return true;
    return false;
}

static void put_controls(const struct report *r)
{
    out_text(r->o, "<div id=\"film\" class=\"film\" hidden>\n"
                   "<p><label id=\"film-pick\">Algorithm <select id=\"film-run\">");
    for (size_t i = 0; i < r->study.runs; i++) {
        char value[WORD];

        if (r->study.run[i].steps > 0)
            html_put(r->o, "<option value=\"%s\">%s</option>", word_count(value, i),
                     r->study.run[i].algorithm);
    }
    out_text(r->o,
             "</select></label></p>\n<div class=\"stage\"><figure><figcaption "
             "id=\"film-title\">The machine after each update</figcaption><div "
             "id=\"film-picture\"></div></figure>\n<div class=\"told\"><p id=\"film-state\" "
             "class=\"state\" role=\"status\" aria-live=\"polite\"></p>\n<div "
             "id=\"film-sum\"></div></div></div>\n<div class=\"controls\" role=\"group\" "
             "aria-label=\"Controls of the animation\">\n<button type=\"button\" "
             "id=\"film-first\">First</button>\n<button type=\"button\" "
             "id=\"film-back\">Back</button>\n<button type=\"button\" id=\"film-play\" "
             "class=\"main\">Play</button>\n<button type=\"button\" "
             "id=\"film-step\">Step</button>\n<button type=\"button\" "
             "id=\"film-last\">Last</button>\n<label>Speed <select id=\"film-speed\"><option "
             "value=\"1\">1 a second</option><option value=\"3\" selected>3 a "
             "second</option><option value=\"10\">10 a second</option><option value=\"50\">50 a "
             "second</option><option value=\"300\">300 a second</option></select></label>\n<label "
             "class=\"wide\"><span>Update</span> <input type=\"range\" id=\"film-at\" min=\"0\" "
             "value=\"0\" step=\"1\"></label>\n</div>\n</div>\n<noscript><p class=\"why\">The "
             "animation needs JavaScript. All other parts of this page do not.</p></noscript>\n");
}

/* What the animation shows is not always what training returns. */
static void say_returned(const struct report *r)
{
    static const char *const what[][2] = {
        { "averaged", "the mean of all weights that it has had, one count for each example shown" },
        { "voted", "all weights that it has had, which vote, each as often as it survived an "
                   "example" },
        { "pocket", "the weights of the fewest errors that it has met, kept in its pocket" }
    };

    for (size_t i = 0; i < r->study.runs; i++)
        for (size_t k = 0; k < sizeof what / sizeof *what; k++)
            if (r->study.run[i].steps > 0 && strcmp(r->study.run[i].algorithm, what[k][0]) == 0)
                html_put(r->o,
                         "<p class=\"why\">These are the weights that %s learns with. What "
                         "it returns in the end, and what the other pictures show, is %s.</p>\n",
                         what[k][0], what[k][1]);
}

/* One update by itself, where two features allow it: pairs of pictures. */
static void put_update(const struct report *r)
{
    bool any = false;

    for (size_t i = 0; i < r->study.runs; i++) {
        struct figure *arrow = picture_update(&r->study, i), *turn = picture_turn(&r->study, i);

        if (turn != NULL && !any)
            out_text(r->o,
                     "<h3>One update by itself</h3>\n<p>Among the weights an update is an arrow "
                     "along <span class=\"m\"><var>y·x</var></span>; among the data it turns the "
                     "boundary towards having the example on its own side. The short arrows are "
                     "the directions of <var>w</var>.</p>\n");
        any = any || turn != NULL;
        if (turn != NULL) out_text(r->o, "<div class=\"side\">\n");
        report_figure(r, arrow, NULL);
        report_figure(r, turn, NULL);
        if (turn != NULL) out_text(r->o, "</div>\n");
    }
}

void report_steps(const struct report *r)
{
    if (!report_has_steps(r)) {
        for (size_t i = 0; i < r->study.runs; i++) {
            report_run_heading(r, i);
            report_why(r, r->study.run[i].why_steps);
        }
        return;
    }
    out_text(r->o,
             "<p>Each step is one example that changed the machine. The example is ringed; "
             "the numbers beside the picture are the arithmetic of the update. Keys: the buttons "
             "and the slider can be reached with Tab; on the slider the arrow keys step.</p>\n");
    /* The page moves lines, or follows a kernel; it has only the end of other machines, and only
     * the beginning of long runs. */
    size_t least = SIZE_MAX, most = 0;
    bool still = false;
    char buf[WORD], more[WORD];
    for (size_t i = 0; i < r->study.runs; i++) {
        const struct study_run *run = &r->study.run[i];
        const size_t kept = report_steps_kept(r, run);

        if (run->steps_cut || kept < run->steps) {
            least = kept < least ? kept : least;
            most = kept > most ? kept : most;
        }
        still = still || (run->steps > 0 && report_still(r, run));
    }
    if (still)
        html_put(r->o,
                 "<p>A boundary that is not made of straight lines, or that is between more "
                 "than %s labels or of very many features, is not always followed from update to "
                 "update: where it is not, the faint tint is what the finished model answers, the "
                 "same in every step, and rings say how often each row has changed the machine so "
                 "far.</p>\n",
                 word_count(buf, STUDY_CLASSES));
    if (most > 0)
        html_put(r->o, "<p>A long run is kept in part: its first %s%s%s updates.</p>\n",
                 word_count(buf, least), least < most ? " to " : "",
                 least < most ? word_count(more, most) : "");
    put_controls(r);
    say_returned(r);
    put_update(r);
    for (size_t i = 0; i < r->study.runs; i++)
        if (r->study.run[i].steps == 0 && r->study.run[i].why_steps[0] != '\0')
            html_put(r->o, "<p class=\"why\">%s: not here, %s.</p>\n", r->study.run[i].algorithm,
                     r->study.run[i].why_steps);
}

/* ----- supports ---------------------------------------------------------------------------- */

bool report_has_supports(const struct report *r)
{
    for (size_t i = 0; i < r->study.runs; i++)
        if (r->study.run[i].supports > 0) return true;
    return false;
}

void report_supports(const struct report *r)
{
    out_text(r->o,
             "<p>With a kernel the machine is a sum over examples: "
             "<span class=\"m\"><var>s</var>(<var>x</var>) = Σ "
             "<var>α<sub>i</sub> y<sub>i</sub></var> "
             "<var>K</var>(<var>x<sub>i</sub></var>, <var>x</var>)</span>. The counter "
             "<var>α<sub>i</sub></var> says how often row <var>i</var> was a mistake: rows with a "
             "counter above 0 are the support vectors. Many near the boundary, and few elsewhere, "
             "is what one hopes for.</p>\n");
    for (size_t i = 0; i < r->study.runs; i++) {
        if (r->study.run[i].supports == 0) continue;
        report_run_heading(r, i);
        report_figure(r, picture_counters(&r->study, i), NULL);
        numbers_supports(r, &r->study.run[i]);
    }
}

/* ----- margins, confusion, ROC, calibration, weights ------------------------------------------ */

void report_margins(const struct report *r)
{
    out_text(r->o,
             "<p>The margin of a row is <span class=\"m\"><var>y·s</var>(<var>x</var>)"
             "</span>: how far its score is "
             "on the right side, in units of the score; with more than two labels, half the gap "
             "between the score of its own label and the best other. Rows at 0 or below are "
             "errors. Divided by |<var>w</var>| it is the distance from the boundary.</p>\n");
    out_text(r->o, report_several(r) ? "" : "<div class=\"side\">\n");
    each_run(r, picture_strip, NULL);
    each_run(r, picture_margins, NULL);
    out_text(r->o, report_several(r) ? "" : "</div>\n");
    numbers_margins(r);
}

/* A row on the boundary counts as an error, but it gets an answer, too, and that may be right: then
 * the matrix has fewer errors than the training error. */
static void say_on_boundary(const struct report *r, const struct study_run *run)
{
    const size_t n = run->info.labels;
    uint64_t wrong = 0;
    char buf[3][WORD];

    for (size_t i = 0; i < n * n; i++) wrong += i / n != i % n ? run->confusion[i] : 0;
    if (isnan(run->report.training_error) || wrong >= run->report.training_errors) return;
    html_put(r->o,
             "<p>%s%s%s errors are counted above, and %s here: a row on the boundary, where "
             "the score is 0, is an error, but the model gives an answer there too, and for %s of "
             "these rows it happens to be right.</p>\n",
             report_several(r) ? run->algorithm : "", report_several(r) ? ": " : "",
             word_count(buf[0], run->report.training_errors), word_count(buf[1], wrong),
             word_count(buf[2], run->report.training_errors - wrong));
}

void report_confusion(const struct report *r)
{
    out_text(r->o, "<p>A row of the table is a true label, a column what the model answered, on "
                   "the rows that were learned from. The diagonal is right.</p>\n");
    for (size_t i = 0; i < r->study.runs; i++) say_on_boundary(r, &r->study.run[i]);
    each_run(r, picture_confusion, NULL);
    for (size_t i = 0; i < r->study.runs; i++) numbers_confusion(r, &r->study.run[i]);
}

void report_roc(const struct report *r)
{
    bool any = false;
    char buf[2][WORD];

    for (size_t i = 0; i < r->study.runs; i++) any = any || r->study.run[i].roc > 0;
    if (!any) {
        report_why(r, r->study.run[0].why_roc);
        return;
    }
    out_text(
        r->o,
        "<p>Move the threshold of the score from high to low: the curve has the share "
        "of positive rows found against the share of negative rows taken for positive. The "
        "area below it (AUC) is the chance that a positive row scores higher than a negative "
        "one; a coin has 0.5. Where few rows are positive, look at the second curve: how many of "
        "the rows taken for positive are (precision), against how many of the positive rows "
        "were found (recall). Rings are where the answers stand.</p>\n"
        "<dl class=\"facts\">\n");
    for (size_t i = 0; i < r->study.runs; i++)
        if (r->study.run[i].roc > 0)
            html_put(r->o,
                     "<dt>AUC of %s</dt><dd>%s, on the training rows; average precision %s</dd>\n",
                     r->study.run[i].algorithm, word_num(buf[0], r->study.run[i].metrics.auc),
                     word_num(buf[1], r->study.run[i].metrics.average_precision));
    out_text(r->o, "</dl>\n");
    report_figure(r, picture_roc(&r->study), NULL);
    report_figure(r, picture_precision(&r->study), NULL);
    for (size_t i = 0; i < r->study.runs; i++) {
        numbers_roc(r, &r->study.run[i]);
        numbers_precision(r, &r->study.run[i]);
    }
}

void report_calibration(const struct report *r)
{
    bool any = false;

    for (size_t i = 0; i < r->study.runs; i++) any = any || r->study.run[i].calibrated;
    if (any)
        out_text(r->o,
                 "<p>Where the model says 0.8, it should be so for eight rows in ten: then "
                 "the points lie on the diagonal. A network has probabilities of its own; for "
                 "others a sigmoid was fitted to the scores of rows that were held out, by five "
                 "folds (Platt 1999). The points are of the training rows, with which a model "
                 "agrees better than with others.</p>\n");
    each_run(r, picture_calibration, why_calibration);
    for (size_t i = 0; i < r->study.runs; i++) numbers_calibration(r, &r->study.run[i]);
}

static const char *why_network(const struct study_run *run)
{
    return study_network(run) ? "the network has too many weights to look at" : "";
}

static const char *why_weights(const struct study_run *run)
{
    return study_network(run)  ? "" /* its diagram is there */
           : study_kernel(run) ? "with a kernel there is no one weight for a feature"
                               : "all weights are 0";
}

void report_weights(const struct report *r)
{
    bool any = false;

    for (size_t i = 0; i < r->study.runs; i++)
        any = any || !(study_network(&r->study.run[i]) || study_kernel(&r->study.run[i]));
    if (any)
        html_put(r->o,
                 "<p>The score is the sum of feature times weight, %s the %s. A large weight "
                 "matters where its feature is large too: weights can be compared where the "
                 "features have one scale (<code>--scale</code>).</p>\n",
                 r->study.q->form == HYPERPLANE_THRESHOLD ? "less" : "and",
                 hyperplane_name(r->study.q->form));
    out_text(r->o, report_several(r) ? "" : "<div class=\"side\">\n");
    each_run(r, picture_network, why_network);
    each_run(r, picture_weights, why_weights);
    out_text(r->o, report_several(r) ? "" : "</div>\n");
    for (size_t i = 0; i < r->study.runs; i++) numbers_weights(r, &r->study.run[i]);
}
