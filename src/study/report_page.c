/* report_page.c -- the page of `perceptron report`: its frame, and what was run.
 *
 * A reader who stops after the first screen has the answer: how it ended, how many errors
 * were left, whether a plane could do better. Pictures follow, each with what it shows in a
 * sentence or two and its numbers in a table that unfolds. */
#include "study/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "show/ending.h"
#include "show/word.h"

/* ----- what several parts say -------------------------------------------------- */

bool report_several(const struct report *r)
{
    return r->study.runs > 1;
}

bool report_two_classes(const struct study_run *run)
{
    return strcmp(run->info.multiclass, "two") == 0;
}

void report_end_words(const struct study_run *run, char buf[REPORT_SENTENCE])
{
    const perc_stop stop = run->report.stop;
    const char *name = stop == PERC_STOP_EPOCHS    ? "epochs"
                       : stop == PERC_STOP_UPDATES ? "updates"
                                                   : "time-limit";
    const char *limit = perc_params_get(run->params, name);

    ending_words(buf, REPORT_SENTENCE, &run->report, limit);
    ending_kept(buf, REPORT_SENTENCE, &run->report, run->algorithm);
}

void report_learner(const struct study_run *run, char buf[ABOUT_SENTENCE])
{
    about_learner(buf, run->algorithm, perc_params_get(run->params, "rule"),
                  perc_params_get(run->params, "order"), perc_params_get(run->params, "seed"));
}

void report_why(const struct report *r, const char *why)
{
    if (why != NULL && why[0] != '\0') html_put(r->o, "<p class=\"why\">Not here: %s.</p>\n", why);
}

void report_details(const struct report *r, const char *summary)
{
    html_put(r->o, "<details><summary>%s</summary>\n", summary);
}

void report_details_end(const struct report *r)
{
    out_text(r->o, "</details>\n");
}

void report_run_heading(const struct report *r, size_t i)
{
    if (report_several(r)) html_put(r->o, "<h3>%s</h3>\n", r->study.run[i].algorithm);
}

/* ----- commands ------------------------------------------------------------------ */

/* A word as a shell takes it: in single quotes unless all its characters are plain. A single quote
 * is '\''. Control characters would be lost on the page; $'...' names them. */
void report_shell_word(struct out *o, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=:,./%@";
    bool control = false;
    char piece[8];

    if (word[0] != '\0' && strspn(word, plain) == strlen(word)) {
        html_text(o, word);
        return;
    }
    for (const char *p = word; *p != '\0'; p++)
        control = control || (unsigned char)*p < 0x20 || (unsigned char)*p >= 0x7F;
    out_text(o, control ? "$&#39;" : "&#39;");
    for (const char *p = word; *p != '\0'; p++) {
        const unsigned char c = (unsigned char)*p;

        if (control && (c < 0x20 || c >= 0x7F)) snprintf(piece, sizeof piece, "\\x%02x", c);
        else if (c == '\'') snprintf(piece, sizeof piece, control ? "\\'" : "'\\''");
        else snprintf(piece, sizeof piece, control && c == '\\' ? "\\\\" : "%c", c);
        html_text(o, piece);
    }
    out_text(o, "&#39;");
}

static bool is_default(const perc_param *row, const perc_params *p)
{
    return strcmp(perc_params_get(p, row->name), row->initial != NULL ? row->initial : "") == 0;
}

/* A proof is about the file: it does not take options that change the numbers. */
static bool changes_numbers(const char *name)
{
    static const char *const change[] = { "scale", "map", "hash", "float32" };

    for (size_t i = 0; i < sizeof change / sizeof *change; i++)
        if (strcmp(name, change[i]) == 0) return true;
    return false;
}

/* The options of a table that are not at their defaults. */
static void put_options(struct out *o, const char *table, const perc_params *p, bool proof)
{
    size_t n = 0;
    const perc_param *row = perc_table(table, &n);

    for (size_t i = 0; i < n; i++) {
        if (is_default(&row[i], p) || (proof && changes_numbers(row[i].name))) continue;
        html_put(o, " <span>--%s%s</span>",
                 row[i].type == PERC_BOOL && strcmp(row[i].initial, "true") == 0 ? "no-" : "",
                 row[i].name);
        if (row[i].type == PERC_BOOL) continue;
        out_text(o, " ");
        report_shell_word(o, perc_params_get(p, row[i].name));
    }
}

void report_command(const struct report *r, const char *command, const char *before,
                    const struct study_run *run, const char *after)
{
    html_put(r->o, "perceptron %s %s", command, before);
    report_shell_word(r->o, r->study.data);
    if (run != NULL) html_put(r->o, " <span>--algorithm</span> %s", run->algorithm);
    if (run != NULL) put_options(r->o, run->algorithm, run->params, false);
    put_options(r->o, "data", r->study.q->data_params, run == NULL);
    html_put(r->o, "%s", after);
}

/* The last part of a path. */
static const char *data_name(const struct study *s)
{
    const char *slash = strrchr(s->data, '/');

    return slash != NULL ? slash + 1 : word_input(s->data);
}

/* ----- the head ------------------------------------------------------------------- */

static void put_tile(struct out *o, const char *name, const char *value, const char *more)
{
    html_put(o, "<div><dt>%s</dt><dd>%s <small>%s</small></dd></div>\n", name, value, more);
}

/* How many problems of the proof have this verdict. */
static size_t count_verdicts(const struct study *s, perc_verdict verdict)
{
    size_t n = 0;
    perc_part p;

    for (size_t i = 0; i < perc_proof_parts(s->proof); i++) {
        perc_proof_part(s->proof, i, &p);
        n += p.verdict == verdict;
    }
    return n;
}

/* The verdict of a proof in a word or two. */
static const char *verdict_tile(const struct study *s)
{
    if (s->proof == NULL) return "not proved";
    const size_t parts = perc_proof_parts(s->proof), yes = count_verdicts(s, PERC_SEPARABLE);
    const size_t open = count_verdicts(s, PERC_UNDECIDED);

    return parts == 1      ? perc_verdict_text(s->part.verdict)
           : open == parts ? "undecided"
           : open > 0      ? "in part decided"
           : yes == parts  ? "separable"
           : yes == 0      ? "not separable"
                           : "in part separable";
}

/* What the proof adds to the way a run ended: whether it could have ended better. */
static const char *lead_proof(const struct study *s, const struct study_run *run)
{
    const bool plane = s->proof != NULL && perc_proof_parts(s->proof) == 1 &&
                       strcmp(run->info.machine, "linear") == 0 &&
                       strcmp(run->info.map, "none") == 0 && report_two_classes(run);

    if (!plane || run->report.stop == PERC_STOP_CONVERGED || s->part.verdict == PERC_UNDECIDED)
        return "";
    if (s->part.verdict != PERC_SEPARABLE)
        return " No plane separates these classes: that is proved below.";
    return run->report.training_errors > 0 ? " A plane without errors exists: that is proved below."
                                           : "";
}

/* The sentence that a reader takes home. */
static void put_lead(const struct report *r)
{
    const struct study_run *run = &r->study.run[0];
    const perc_report *p = &run->report;
    char end[REPORT_SENTENCE], error[4 * WORD] = "not known", buf[3][WORD];
    char learner[ABOUT_SENTENCE];

    report_end_words(run, end);
    report_learner(run, learner);
    if (!isnan(p->training_error))
        snprintf(error, sizeof error, "%s (%s of %s rows)", word_percent(buf[0], p->training_error),
                 word_count(buf[1], p->training_errors), word_count(buf[2], p->rows));
    html_put(r->o, "<p class=\"lead\"><strong>%s</strong>: %s. Training error: %s.%s</p>\n",
             learner, end, error, lead_proof(&r->study, run));
}

static void put_head(const struct report *r)
{
    out_text(r->o, "<a class=\"skip\" href=\"#main\">Skip to the report</a>\n<header>\n"
                   "<div class=\"bar\"><span class=\"brand\">perceptron report</span>"
                   "<button type=\"button\" id=\"theme\" hidden>Theme: auto</button></div>\n");
    if (report_several(r)) {
        char count[2][WORD];

        html_put(r->o,
                 "<h1>%s algorithms on %s</h1>\n<p class=\"lead\">All of them learned from "
                 "the same %s rows. The table has the results; pictures follow side by side.</p>\n",
                 word_count(count[0], r->study.runs), data_name(&r->study),
                 word_count(count[1], r->study.data_info.rows));
    } else {
        html_put(r->o, "<h1>%s on %s</h1>\n", r->study.run[0].algorithm, data_name(&r->study));
        put_lead(r);
        const struct study_run *run = &r->study.run[0];
        const bool solver = run->report.solver[0] != '\0';
        char buf[3][WORD];
        out_text(r->o, "<dl class=\"tiles\">\n");
        if (!isnan(run->report.training_error)) {
            snprintf(buf[1], WORD, "%s of %s rows", word_count(buf[0], run->report.training_errors),
                     word_count(buf[2], run->report.rows));
            put_tile(r->o, "Training error", word_percent(buf[0], run->report.training_error),
                     buf[1]);
            put_tile(r->o, "Baseline", word_percent(buf[0], run->metrics.baseline_error),
                     "errors of always the most frequent label");
        }
        if (!solver && !study_network(run)) {
            snprintf(buf[1], WORD, "%s updates", word_count(buf[0], (uint64_t)run->report.updates));
            put_tile(r->o, "Mistakes while learning",
                     word_count(buf[2], (uint64_t)run->report.mistakes), buf[1]);
        }
        if (run->report.epochs > 0)
            put_tile(r->o, "Passes", word_count(buf[0], (uint64_t)run->report.epochs),
                     "over the rows");
        put_tile(r->o, "By a plane", verdict_tile(&r->study),
                 r->study.proof == NULL                          ? ""
                 : count_verdicts(&r->study, PERC_UNDECIDED) > 0 ? "the time was up"
                                                                 : "exact proof");
        out_text(r->o, "</dl>\n");
    }
    out_text(r->o, "</header>\n");
}

/* ----- what was run ----------------------------------------------------------------- */

static void put_fact(struct out *o, const char *name, const char *value)
{
    html_put(o, "<dt>%s</dt><dd>%s</dd>\n", name, value);
}

/* One row for each option that is not at its default; the first opens the table. */
static void options_rows(struct html_table *t, struct out *o, const char *table,
                         const perc_params *p, size_t *found)
{
    size_t n = 0;
    const perc_param *rows = perc_table(table, &n);

    for (size_t i = 0; i < n; i++) {
        const char *initial = rows[i].initial != NULL ? rows[i].initial : "";

        if (is_default(&rows[i], p)) continue;
        if ((*found)++ == 0) {
            html_table(t, o, "Options that are not at their defaults", "Llll");
            html_heads(t, (const char *const[]){ "Option", "Value", "Default", "Of", NULL });
        }
        html_row(t);
        html_cell(t, rows[i].name);
        html_cell(t, perc_params_get(p, rows[i].name));
        html_cell(t, initial[0] != '\0' ? initial : "none");
        html_cell(t, table);
    }
}

/* How many rows each label has. */
static void put_labels(const struct report *r)
{
    enum { SHOWN = 30 };
    const perc_dataset_info *d = &r->study.data_info;
    uint64_t count[SHOWN] = { 0 }, other = 0;
    const size_t shown = d->labels < SHOWN ? d->labels : SHOWN;
    struct html_table t;
    char part[WORD];

    for (uint64_t i = 0; i < d->rows; i++) {
        const int k = perc_dataset_row_label(r->study.ds, i);

        if ((size_t)k < shown) count[k]++;
        else other++;
    }
    html_table(&t, r->o, "Rows of each label", "Lrr");
    html_heads(&t, (const char *const[]){ "Label", "Rows", "Share", NULL });
    for (size_t k = 0; k < shown + (other > 0); k++) {
        const uint64_t n = k < shown ? count[k] : other;

        html_row(&t);
        html_cell(&t, k < shown ? perc_dataset_label(r->study.ds, k) : "others");
        html_cell_count(&t, n);
        html_cell(&t, word_percent(part, (double)n / (double)d->rows));
    }
    html_table_end(&t);
}

/* What a time limit changed in this page; NULL: nothing. INSEPARABLE is a proof for which the time
 * ran out; one that took long may end like that on a slower machine. */
static const char *clock_words(const struct report *r)
{
    const struct study *s = &r->study;
    const size_t parts = s->proof != NULL ? perc_proof_parts(s->proof) : 0;
    bool cut = s->bounded && s->bound.runs < s->bound.orders;
    double seconds = 0;
    perc_part p;

    for (size_t i = 0; i < s->runs; i++)
        if (s->run[i].report.stop == PERC_STOP_TIME) return "training was ended by --time-limit";
    for (size_t i = 0; i < parts; i++) {
        perc_proof_part(s->proof, i, &p);
        cut = cut || p.verdict == PERC_UNDECIDED || p.verdict == PERC_INSEPARABLE;
        seconds += p.seconds;
    }
    if (s->space != NULL) { /* the margin there, and the runs beside its bound */
        const perc_part *space = &s->space_part;
        const bool whole = s->space_run != NULL && space->gap_reached != -1 &&
                           s->space_bound.runs == s->space_bound.orders;
        cut = cut || space->verdict == PERC_UNDECIDED ||
              (space->verdict == PERC_SEPARABLE && !whole);
        seconds += space->seconds;
    }
    return cut                                 ? "the proof was ended by --prove-limit"
           : seconds > s->q->prove_seconds / 4 ? "the proof took a large part of the time that "
                                                 "--prove-limit allows"
                                               : NULL;
}

static void same_again(const struct report *r)
{
    const char *clock = clock_words(r);
    bool limited = r->study.proof != NULL;

    for (size_t i = 0; i < r->study.runs; i++) {
        const char *limit = perc_params_get(r->study.run[i].params, "time-limit");

        limited = limited || word_value(limit) > 0;
    }
    if (clock != NULL)
        html_put(r->o,
                 "<p>This page depends on a clock: %s. On a slower or faster machine, or "
                 "at another time, the same command may give another result there. Everything "
                 "else is the same each time, on any number of threads.</p>\n",
                 clock);
    else
        html_put(r->o,
                 "<p>The same command on the same data gives the same page, byte for byte, "
                 "on any number of threads%s.</p>\n",
                 limited ? ", as long as no limit in seconds comes into it; here none did" : "");
}

static void what_was_run(const struct report *r)
{
    const char *seed = perc_params_get(r->study.run[0].params, "seed");

    out_text(r->o, "<p>This page was made by the command</p>\n<pre class=\"command\"><code>");
    out_text(r->o, "perceptron report");
    for (size_t i = 0; i < r->words; i++) {
        out_text(r->o, " <span>"); /* so that it does not break at its hyphens */
        report_shell_word(r->o, r->word[i]);
        out_text(r->o, "</span>");
    }
    out_text(r->o, "</code></pre>\n");
    same_again(r);
    if (r->study.why_missing[0] != '\0')
        html_put(r->o, "<p class=\"why\">Left out: %s.</p>\n", r->study.why_missing);
    out_text(r->o, "<dl class=\"facts\">\n");
    const perc_dataset_info *d = &r->study.data_info;
    char buf[2][WORD], text[3 * WORD];
    snprintf(text, sizeof text, "%s rows of %s features", word_count(buf[0], d->rows),
             word_count(buf[1], d->features));
    html_put(r->o, "<dt>Data</dt><dd>%s", word_input(r->study.data));
    if (d->files > 1) html_put(r->o, " and %s more", word_count(buf[0], d->files - 1));
    html_put(r->o, ": %s", text);
    if (d->dense) out_text(r->o, ", dense");
    else html_put(r->o, ", %s entries that are not 0", word_count(buf[0], d->nonzeros));
    html_put(r->o, " (%s)</dd>\n", d->format);
    if (d->dropped > 0) put_fact(r->o, "Rows left out", word_count(buf[0], d->dropped));
    if (d->note[0] != '\0') put_fact(r->o, "Note", d->note);
    out_text(r->o, "<dt>Learned by</dt><dd>");
    for (size_t i = 0; i < r->study.runs; i++)
        html_put(r->o, "%s%s", i > 0 ? ", " : "", r->study.run[i].algorithm);
    out_text(r->o, "</dd>\n");
    put_fact(r->o, "Seed", seed);
    out_fmt(r->o,
            "<dt>Versions</dt><dd>perceptron %s; model files of format %d</dd>\n</dl>\n"
            "<div class=\"pair\">\n",
            perc_version(), PERC_MODEL_FORMAT);
    const struct study *s = &r->study;
    struct html_table t;
    size_t found = 0;
    for (size_t i = 0; i < s->runs; i++)
        options_rows(&t, r->o, s->run[i].algorithm, s->run[i].params, &found);
    options_rows(&t, r->o, "data", s->q->data_params, &found);
    if (found > 0) html_table_end(&t);
    else out_text(r->o, "<p>All options are at their defaults.</p>\n");
    put_labels(r);
    html_put(r->o, "</div>\n<p>%s:</p>\n<pre class=\"command\"><code>",
             report_several(r) ? "The same models as files" : "The same model as a file");
    for (size_t i = 0; i < r->study.runs; i++) {
        char after[64];

        snprintf(after, sizeof after, " -o %s.safetensors",
                 report_several(r) ? r->study.run[i].algorithm : "model");
        report_command(r, "train", "", &r->study.run[i], after);
        out_text(r->o, i + 1 < r->study.runs ? "\n" : "");
    }
    out_text(r->o, "</code></pre>\n");
}

/* ----- several algorithms --------------------------------------------------------- */

static void put_runs(const struct report *r)
{
    static const char *const heads[] = {
        "Algorithm", "Training error", "Errors", "Mistakes", "Updates", "Passes", "|w|",
        "AUC",       "How it ended",   NULL
    };
    struct html_table t;
    char buf[REPORT_SENTENCE];

    out_text(r->o,
             "<p>All saw the same rows with the same seed. <em>Errors</em> are rows that the "
             "finished model has on the wrong side or on the boundary; <em>mistakes</em> were "
             "made on the way. Both are on the rows that were learned from: how a model does on "
             "others is told by <code>perceptron train --folds</code>.</p>\n");
    html_table(&t, r->o, "Results side by side", "Lrrrrrrrl");
    html_heads(&t, heads);
    for (size_t i = 0; i < r->study.runs; i++) {
        const struct study_run *run = &r->study.run[i];
        const perc_report *p = &run->report;
        const bool solver = p->solver[0] != '\0';

        html_row(&t);
        html_cell(&t, run->algorithm);
        html_cell(&t, word_percent(buf, p->training_error));
        html_cell_count(&t, p->training_errors);
        html_cell(&t, solver ? "–" : word_count(buf, (uint64_t)p->mistakes));
        html_cell(&t, solver ? "–" : word_count(buf, (uint64_t)p->updates));
        html_cell_count(&t, (uint64_t)p->epochs);
        html_cell_num(&t, p->norm);
        html_cell_num(&t, run->metrics.auc);
        report_end_words(run, buf);
        html_cell(&t, buf);
    }
    html_table_end(&t);
}

/* ----- the page -------------------------------------------------------------------- */

const struct section report_sections[] = {
    { "compare", "Side by side", report_several, put_runs },
    { "run", "What was run", NULL, what_was_run },
    { "survey", "Data", report_has_survey, report_survey },
    { "plane", "The decision boundary", NULL, report_plane },
    { "lift", "The lift: the points as the kernel sees them", report_has_lift, report_lift },
    { "steps", "Every update", NULL, report_steps },
    { "passes", "Mistakes and errors by pass", NULL, report_passes },
    { "proof", "Can a plane separate the classes?", NULL, report_proof },
    { "theorem", "The mistake bound", NULL, report_theorem },
    { "supports", "Support vectors and their counters", report_has_supports, report_supports },
    { "margins", "Margins", NULL, report_margins },
    { "confusion", "Confusion matrix", NULL, report_confusion },
    { "roc", "ROC, precision and recall", NULL, report_roc },
    { "calibration", "Calibration", NULL, report_calibration },
    { "weights", "Largest weights", NULL, report_weights },
    { NULL, NULL, NULL, NULL }
};

void report_page(const struct report *r)
{
    char title[REPORT_SENTENCE];

    snprintf(title, sizeof title, "%s on %.200s",
             report_several(r) ? "algorithms side by side" : r->study.run[0].algorithm,
             data_name(&r->study));
    html_begin(r->o, title, "A run of a perceptron, in pictures and numbers");
    put_head(r);
    out_text(r->o, "<nav aria-label=\"Contents\"><ol>\n");
    for (const struct section *s = report_sections; s->id != NULL; s++)
        if (s->wanted == NULL || s->wanted(r))
            html_put(r->o, "<li><a href=\"#sec-%s\">%s</a></li>\n", s->id, s->title);
    out_text(r->o, "</ol></nav>\n");
    out_text(r->o, "<main id=\"main\">\n");
    for (const struct section *s = report_sections; s->id != NULL; s++) {
        if (s->wanted != NULL && !s->wanted(r)) continue;
        html_put(r->o,
                 "<section id=\"sec-%s\" aria-labelledby=\"sec-%s-title\">\n"
                 "<h2 id=\"sec-%s-title\">%s</h2>\n",
                 s->id, s->id, s->id, s->title);
        s->print(r);
        out_text(r->o, "</section>\n");
    }
    html_put(r->o,
             "</main>\n<footer><p>Made by perceptron %s. Nothing in this page is loaded from "
             "elsewhere.</p></footer>\n",
             perc_version());
    struct out *data = NULL;
    if (report_has_steps(r) && out_open(r->study.env, NULL, &data, NULL)) out_fail_memory(r->o);
    if (data != NULL) {
        report_data(r, data);
        if (out_broken(data)) out_fail_memory(r->o);
        html_json(r->o, "data", out_kept(data));
        out_abort(data);
    }
    html_end(r->o);
}
