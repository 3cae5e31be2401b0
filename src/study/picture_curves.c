/* picture_curves.c -- the curves of a study: passes, errors, losses, ROC, calibration; and the
 * list of all pictures. Titles say what there is to see, in words and numbers. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "show/word.h"
#include "study/picture_parts.h"

/* ----- what all share --------------------------------------------------------------- */

struct figure *picture_new(const struct study *s, const char *id, const char *fmt, ...)
{
    char title[PICTURE_LINE];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(title, sizeof title, fmt, ap);
    va_end(ap);
    return figure_new(s->env, id, title);
}

struct figure *picture_of(const struct study *s, size_t r, const char *id, const char *fmt, ...)
{
    char own[PICTURE_TEXT], title[PICTURE_LINE];
    size_t n = 0;
    va_list ap;

    snprintf(own, sizeof own, "%s", id);
    if (s->runs > 1) {
        snprintf(own, sizeof own, "%s-%s", id, s->run[r].algorithm);
        n = (size_t)snprintf(title, sizeof title, "%s: ", s->run[r].algorithm);
    }
    va_start(ap, fmt);
    vsnprintf(title + n, sizeof title - n, fmt, ap);
    va_end(ap);
    return figure_new(s->env, own, title);
}

int picture_colour(const struct study *s, const char *label)
{
    const int c = study_label(s, label);

    return c >= 0 ? c : FIGURE_INK;
}

const char *picture_count(char buf[PICTURE_TEXT], int64_t n, const char *thing, const char *things)
{
    char number[WORD];

    snprintf(buf, PICTURE_TEXT, "%s %s", word_count(number, (uint64_t)n), n == 1 ? thing : things);
    return buf;
}

const char *picture_limit(const struct study *s, char buf[PICTURE_TEXT])
{
    const double most = floor(s->limit * (1 + 1e-12)); /* 51, even if rounding made it 50.99... */
    char number[WORD];

    snprintf(buf, PICTURE_TEXT, "%s",
             most < 1e15 ? word_count(number, (uint64_t)most) : word_num(number, most));
    return buf;
}

const char *picture_rows(const struct study *s)
{
    return s->learned ? "the rows of the data" : "the training rows";
}

/* A number that each pass has. */
typedef double (*of_pass)(const struct study_pass *p);

static double mistakes_of(const struct study_pass *p)
{
    return (double)p->mistakes;
}

static double error_of(const struct study_pass *p)
{
    return 100 * p->error;
}

static double loss_of(const struct study_pass *p)
{
    return p->loss;
}

static bool has_passes(const struct study_run *r, of_pass of)
{
    for (size_t i = 0; i < r->passes; i++)
        if (!isnan(of(&r->pass[i]))) return true;
    return false;
}

/* ----- runs that coincide --------------------------------------------------------------- */

typedef bool (*same)(const struct study_run *a, const struct study_run *b, of_pass of);

/* At least a quarter of the passes that both made are equal. */
static bool same_passes(const struct study_run *a, const struct study_run *b, of_pass of)
{
    const size_t n = a->passes < b->passes ? a->passes : b->passes;
    size_t equal = 0;

    for (size_t i = 0; i < n; i++) equal += of(&a->pass[i]) == of(&b->pass[i]);
    return n > 0 && 4 * equal >= n;
}

static bool same_area(const struct study_run *a, const struct study_run *b, of_pass of)
{
    (void)of;
    return a->roc > 0 && b->roc > 0 && fabs(a->metrics.auc - b->metrics.auc) < 1e-3;
}

/* How many runs are drawn over this one and hide it: it is drawn that much broader beneath them. */
static int level_of(const struct study *s, size_t k, same alike, of_pass of)
{
    int level[STUDY_RUNS] = { 0 };

    for (size_t i = s->runs; i-- > k;)
        for (size_t j = i + 1; j < s->runs; j++)
            if (alike(&s->run[i], &s->run[j], of) && level[j] >= level[i]) level[i] = level[j] + 1;
    return level[k];
}

/* One curve for each run that has the numbers. nested: the broader beneath those that hide it. */
static void pass_curves(struct figure *f, const struct study *s, of_pass of, bool nested)
{
    for (size_t k = 0; k < s->runs; k++) {
        const struct study_run *r = &s->run[k];
        const double level = nested ? 0.7 * level_of(s, k, same_passes, of) : 0;
        double *x, *y;

        if (!has_passes(r, of)) continue;
        if ((x = calloc(3 * r->passes, sizeof *x)) == NULL) {
            figure_fail(f);
            return;
        }
        y = x + r->passes;
        for (size_t i = 0; i < r->passes; i++) {
            x[i] = (double)r->pass[i].number;
            y[i] = of(&r->pass[i]);
            x[2 * r->passes + i] = (1 + level) * (1 + level);
        }
        figure_curve(f, s->runs > 1 ? r->name : NULL, s->runs > 1 ? (int)k : FIGURE_INK,
                     FIGURE_SOLID, x, y, r->passes);
        figure_broad(f, 1 + 2 * level);
        if (r->passes <= 40) /* few enough to see each one */
            figure_points(f, NULL, s->runs > 1 ? (int)k : FIGURE_INK, x, y, r->passes,
                          level > 0 ? x + 2 * r->passes : NULL, NULL, NULL);
        free(x);
    }
    figure_axis(f, FIGURE_X, "pass", NAN, NAN);
    figure_whole(f, FIGURE_X);
}

static bool any_passes(const struct study *s, of_pass of)
{
    for (size_t k = 0; k < s->runs; k++)
        if (has_passes(&s->run[k], of)) return true;
    return false;
}

/* "perceptron 12 mistakes in 3 passes, pocket ...", for learners that make passes. */
static void say_runs(const struct study *s, char line[PICTURE_LINE], of_pass of)
{
    char a[PICTURE_TEXT], b[PICTURE_TEXT], percent[WORD];
    size_t n = 0;

    line[0] = '\0';
    for (size_t k = 0; k < s->runs && n < PICTURE_LINE; k++) {
        const struct study_run *r = &s->run[k];

        if (!has_passes(r, of)) continue;
        n += (size_t)snprintf(line + n, PICTURE_LINE - n, "%s%s%s", n > 0 ? ", " : "",
                              s->runs > 1 ? r->name : "", s->runs > 1 ? " " : "");
        if (n >= PICTURE_LINE) break;
        if (of == mistakes_of)
            n += (size_t)snprintf(line + n, PICTURE_LINE - n, "%s in %s",
                                  picture_count(a, r->report.mistakes, "mistake", "mistakes"),
                                  picture_count(b, r->report.epochs, "pass", "passes"));
        else
            n += (size_t)snprintf(line + n, PICTURE_LINE - n, "%s at the end",
                                  of == error_of ? word_percent(percent, r->report.training_error)
                                                 : word_grouped(percent, r->report.loss));
    }
}

struct figure *picture_passes(const struct study *s)
{
    char line[PICTURE_LINE], allowed[PICTURE_TEXT];
    struct figure *f;

    if (!any_passes(s, mistakes_of)) return NULL;
    say_runs(s, line, mistakes_of);
    if (s->advance != NULL) /* a run is plain, too */
        f = picture_new(s, "passes", "%s; the bound allows %s", line, picture_limit(s, allowed));
    else f = picture_new(s, "passes", "%s", line);
    figure_about(f, "Mistakes made in each pass over the rows: %s.", line);
    pass_curves(f, s, mistakes_of, true);
    figure_axis(f, FIGURE_Y, "mistakes in the pass", 0, NAN);
    figure_whole(f, FIGURE_Y);
    return f;
}

/* The curves of a number that each pass has. */
static struct figure *picture_of_passes(const struct study *s, of_pass of, const char *id,
                                        const char *title, const char *about, const char *axis)
{
    char line[PICTURE_LINE];

    if (!any_passes(s, of)) return NULL;
    say_runs(s, line, of);
    struct figure *f = picture_new(s, id, "%s: %s", title, line);
    figure_about(f, "%s: %s.", about, line);
    pass_curves(f, s, of, true);
    figure_axis(f, FIGURE_Y, axis, 0, NAN);
    return f;
}

struct figure *picture_errors(const struct study *s)
{
    return picture_of_passes(s, error_of, "errors", "Training error",
                             "After each pass, the share of the training rows on which what would "
                             "be returned then errs",
                             "training error, %");
}

struct figure *picture_loss(const struct study *s)
{
    return picture_of_passes(s, loss_of, "loss", "Loss of the network",
                             "The mean cross-entropy in each pass, every row before the step of "
                             "its batch",
                             "loss");
}

/* ----- orders ---------------------------------------------------------------------------- */

/* "4 to 9 mistakes", or "4 mistakes" if that is so in every order. */
static void say_range(char buf[PICTURE_TEXT], int64_t low, int64_t high, const char *thing,
                      const char *things)
{
    char a[WORD], count[PICTURE_TEXT];

    picture_count(count, high, thing, things);
    if (low == high) snprintf(buf, PICTURE_TEXT, "%s", count);
    else snprintf(buf, PICTURE_TEXT, "%s to %.60s", word_count(a, (uint64_t)low), count);
}

/* A figure of all orders, with what became of them in its title. */
static struct figure *orders_figure(const struct study *s, const char *id, const char *about,
                                    bool curves)
{
    int64_t low[2] = { INT64_MAX, INT64_MAX }, high[2] = { 0, 0 };
    char mistakes[PICTURE_TEXT], passes[PICTURE_TEXT];
    size_t settled = 0;

    for (size_t k = 0; k < s->orders; k++) {
        const perc_report *r = &s->order[k].report;
        const int64_t v[2] = { r->mistakes, r->epochs };

        settled += r->stop == PERC_STOP_CONVERGED;
        for (int i = 0; i < 2; i++) {
            low[i] = v[i] < low[i] ? v[i] : low[i];
            high[i] = v[i] > high[i] ? v[i] : high[i];
        }
    }
    say_range(mistakes, low[0], high[0], "mistake", "mistakes");
    say_range(passes, low[1], high[1], "pass", "passes");
    struct figure *f = picture_new(s, id, "%s%zu orders%s: %s in %s", curves ? "By pass, " : "",
                                   s->orders, curves ? "" : " of the rows", mistakes, passes);
    figure_about(f,
                 "%s, on the same rows in %zu orders, each with its own seed. %zu of them "
                 "converged; %s, %s.",
                 about, s->orders, settled, mistakes, passes);
    return f;
}

struct figure *picture_orders(const struct study *s)
{
    char about[PICTURE_LINE];

    if (s->orders == 0 || !s->order[0].line) return NULL;
    snprintf(about, sizeof about, "The boundary that is learned, in %s", s->plane_words);
    struct figure *f = orders_figure(s, "orders", about, false);

    picture_axes(f, s);
    picture_points(f, s, NULL, s->x, s->y);
    for (size_t k = 0; k < s->orders; k++) {
        const struct study_run *r = &s->order[k];
        char name[PICTURE_LINE], mistakes[PICTURE_TEXT], passes[PICTURE_TEXT];

        snprintf(name, sizeof name, "%s: %s, %s", r->name,
                 picture_count(mistakes, r->report.mistakes, "mistake", "mistakes"),
                 picture_count(passes, r->report.epochs, "pass", "passes"));
        /* Colours that no label has; with the first ones again, dashed. */
        figure_line(f, name, (int)(k + s->data_info.labels) % 8,
                    k + s->data_info.labels < 8 ? FIGURE_SOLID : FIGURE_DASHED, r->plane_w[0],
                    r->plane_w[1], r->plane_b);
    }
    return f;
}

struct figure *picture_order_passes(const struct study *s)
{
    struct study all = *s; /* with the orders in place of the learners */

    all.run = s->order;
    all.runs = s->orders;
    if (s->orders == 0) return NULL;
    struct figure *f = orders_figure(s, "order-passes", "Mistakes made in each pass", true);

    pass_curves(f, &all, mistakes_of, false);
    figure_axis(f, FIGURE_Y, "mistakes in the pass", 0, NAN);
    figure_whole(f, FIGURE_Y);
    return f;
}

/* ----- ROC, precision and recall, calibration ---------------------------------------------- */

static void unit_axes(struct figure *f, const char *x, const char *y)
{
    figure_axis(f, FIGURE_X, x, 0, 1);
    figure_axis(f, FIGURE_Y, y, 0, 1);
    figure_square(f);
}

/* What a coin would give, or what would be right. */
static void dotted(struct figure *f, double from, double to)
{
    const double x[2] = { 0, 1 }, y[2] = { from, to };

    figure_curve(f, NULL, FIGURE_FAINT, FIGURE_DOTTED, x, y, 2);
}

/* "0.83", or of several runs "perceptron 0.83, pocket 0.84"; "": no run has curves. */
static void list_areas(const struct study *s, double (*area)(const struct study_run *),
                       char line[PICTURE_LINE])
{
    char word[WORD];
    size_t n = 0;

    line[0] = '\0';
    for (size_t k = 0; k < s->runs && n < PICTURE_LINE; k++)
        if (s->run[k].roc > 0)
            n += (size_t)snprintf(line + n, PICTURE_LINE - n, "%s%s%s%s", n > 0 ? ", " : "",
                                  s->runs > 1 ? s->run[k].algorithm : "", s->runs > 1 ? " " : "",
                                  word_num(word, area(&s->run[k])));
}

/* The curve of run k, beneath those that hide it. */
static void run_curve(struct figure *f, const struct study *s, size_t k, const double *x,
                      const double *y, size_t n)
{
    const int colour = s->runs > 1 ? (int)k : FIGURE_INK;

    figure_curve(f, s->runs > 1 ? s->run[k].algorithm : NULL, colour, FIGURE_SOLID, x, y, n);
    figure_broad(f, 1 + 1.4 * level_of(s, k, same_area, NULL));
}

/* Where the answers of the models stand; "" or the sentence that says so. */
static const char *mark_answers(struct figure *f, const struct study *s, bool roc)
{
    bool any = false;

    for (size_t k = 0; k < s->runs; k++)
        for (size_t i = 0; i < s->run[k].trades; i++) {
            const perc_trade *t = &s->run[k].trade[i];
            const double x = roc ? t->false_positive_rate : t->recall;

            if (!t->here) continue;
            figure_rings(f, any ? NULL : "the answers", s->runs > 1 ? (int)k : FIGURE_ALERT, &x,
                         roc ? &t->recall : &t->precision, 1, NULL);
            any = true;
        }
    return any ? " The ring is where the answers of the model stand." : "";
}

static double roc_area(const struct study_run *r)
{
    return r->metrics.auc;
}

static double average_precision(const struct study_run *r)
{
    return r->metrics.average_precision;
}

struct figure *picture_roc(const struct study *s)
{
    char line[PICTURE_LINE];
    struct figure *f;

    list_areas(s, roc_area, line);
    if (line[0] == '\0') return NULL;
    f = picture_new(s, "roc", "ROC: area %s", line);
    unit_axes(f, "false positive rate", "true positive rate");
    dotted(f, 0, 1);
    for (size_t k = 0; k < s->runs; k++)
        if (s->run[k].roc > 0) run_curve(f, s, k, s->run[k].roc_x, s->run[k].roc_y, s->run[k].roc);
    figure_about(f,
                 "Rows called %s, of those that are and of those that are not, while the "
                 "threshold falls; the area below the curve is how often a row that is scores "
                 "above one that is not: %s.%s On %s.",
                 s->run[0].info.positive, line, mark_answers(f, s, true), picture_rows(s));
    return f;
}

/* The curve through the trades of a run; false: out of memory. */
static bool precision_curve(struct figure *f, const struct study *s, size_t k)
{
    const struct study_run *r = &s->run[k];
    double *x = calloc(2 * r->trades + 1, sizeof *x), *y = x + r->trades;

    if (x == NULL) return false;
    for (size_t i = 0; i < r->trades; i++) {
        x[i] = r->trade[i].recall;
        y[i] = r->trade[i].precision;
    }
    run_curve(f, s, k, x, y, r->trades);
    free(x);
    return true;
}

struct figure *picture_precision(const struct study *s)
{
    char line[PICTURE_LINE], share[WORD];
    struct figure *f;
    bool drawn = true;
    double all = 0;

    list_areas(s, average_precision, line);
    if (line[0] == '\0') return NULL;
    for (size_t k = 0; k < s->runs; k++) /* the lowest threshold calls every row positive */
        if (s->run[k].trades > 0) all = s->run[k].trade[s->run[k].trades - 1].precision;
    f = picture_new(s, "precision", "Precision and recall: average precision %s", line);
    unit_axes(f, "recall", "precision");
    dotted(f, all, all);
    for (size_t k = 0; k < s->runs; k++)
        if (s->run[k].trades > 0) drawn = precision_curve(f, s, k) && drawn;
    figure_about(f,
                 "How many of the rows that are %s are called so, and how many of those called so "
                 "are, while the threshold falls; the dotted line is the share of all rows, %s, "
                 "which a coin has. Average precision %s.%s On %s.",
                 s->run[0].info.positive, word_num(share, all), line, mark_answers(f, s, false),
                 picture_rows(s));
    if (!drawn) figure_fail(f);
    return f;
}

struct figure *picture_calibration(const struct study *s, size_t k)
{
    const struct study_run *r = &s->run[k];
    const perc_metrics *m = &r->metrics;
    double x[PERC_BINS], y[PERC_BINS], size[PERC_BINS], most = 1;
    char brier[WORD], loss[WORD];
    struct figure *f;
    size_t n = 0;

    if (!r->calibrated || isnan(m->brier)) return NULL;
    for (int i = 0; i < PERC_BINS; i++) most = fmax(most, (double)m->reliability[i].rows);
    for (int i = 0; i < PERC_BINS; i++)
        if (m->reliability[i].rows > 0) {
            x[n] = m->reliability[i].p;
            y[n] = m->reliability[i].share;
            size[n++] = 1 + 7 * (double)m->reliability[i].rows / most;
        }
    f = picture_of(s, k, "calibration", "Probabilities with a Brier score of %s",
                   word_num(brier, m->brier));
    figure_about(f,
                 "%s, by tenths, and how often it came true; on the dotted line both agree. Larger "
                 "marks are of more rows. Brier score %s, log loss %s, on %s.",
                 r->info.outputs == 1 ? "The probability that the model gives the positive label"
                                      : "The probability that the model gives its answer",
                 word_num(brier, m->brier), word_num(loss, m->log_loss), picture_rows(s));
    unit_axes(f, "probability, as predicted",
              r->info.outputs == 1 ? "share of positive rows" : "share of right answers");
    dotted(f, 0, 1);
    figure_curve(f, NULL, FIGURE_INK, FIGURE_SOLID, x, y, n);
    figure_points(f, NULL, FIGURE_INK, x, y, n, size, NULL, NULL);
    return f;
}

/* ----- all of them ------------------------------------------------------------------------ */

static void keep_picture(struct figure *list[PICTURES], size_t *n, struct figure *f)
{
    if (f != NULL) list[(*n)++] = f;
}

size_t picture_all(const struct study *s, struct figure *list[PICTURES])
{
    static struct figure *(*const each[])(const struct study *, size_t) = {
        picture_norm,        picture_bound,   picture_margins, picture_network, picture_confusion,
        picture_calibration, picture_weights, picture_lift,    picture_counters
    };
    size_t n = 0;

    _Static_assert(STUDY_RUNS * (4 + sizeof each / sizeof *each) + 8 <= PICTURES, "all fit");
    for (size_t r = 0; r < s->runs; r++) keep_picture(list, &n, picture_boundary(s, r));
    for (size_t r = 0; r < s->runs; r++) keep_picture(list, &n, picture_strip(s, r));
    keep_picture(list, &n, picture_witness(s));
    for (size_t r = 0; r < s->runs; r++) keep_picture(list, &n, picture_update(s, r));
    for (size_t r = 0; r < s->runs; r++) keep_picture(list, &n, picture_turn(s, r));
    keep_picture(list, &n, picture_orders(s));
    keep_picture(list, &n, picture_order_passes(s));
    keep_picture(list, &n, picture_passes(s));
    keep_picture(list, &n, picture_errors(s));
    keep_picture(list, &n, picture_loss(s));
    keep_picture(list, &n, picture_roc(s));
    keep_picture(list, &n, picture_precision(s));
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        for (size_t r = 0; r < s->runs; r++) keep_picture(list, &n, each[i](s, r));
    return n;
}
