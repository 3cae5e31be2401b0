/* picture_rows.c -- rows, labels and features of a study by their numbers: margins, the confusion
 * matrix, weights, counters. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "show/about.h"
#include "show/word.h"
#include "study/largest.h"
#include "study/picture_parts.h"

enum { BINS = 40, CLASSES = 8, LABELS = 20 };

/* ----- margins ----------------------------------------------------------------------- */

struct bins {
    double width, from; /* bin i begins at from + i width; 0 is an edge */
    size_t n;
    double edge[BINS + 3], count[BINS + 2];
    bool one; /* all are equal */
};

static bool bins_of(const struct study *s, const struct study_run *r, struct bins *b)
{
    double low = INFINITY, high = -INFINITY;

    for (uint64_t i = 0; i < s->data_info.rows; i++)
        if (isfinite(r->margin[i])) {
            low = fmin(low, r->margin[i]);
            high = fmax(high, r->margin[i]);
        }
    if (!(low <= high) || !isfinite(high - low)) return false;
    b->one = high - low <= 1e-9 * fmax(fabs(low), fabs(high));
    if (b->one) {
        /* Margins that are all equal, or nearly so: a narrow bar at the value, one beside the other
         * for each label. */
        const double half = low == 0 ? 0.02 : fabs(low) / 50;

        b->one = true;
        b->n = 1;
        b->width = 2 * half;
        b->from = b->edge[0] = low - half;
        b->edge[1] = low + half;
        return true;
    }
    b->width = (high - low) / BINS;
    b->from = floor(low / b->width) * b->width;
    b->n = (size_t)(floor(high / b->width) - floor(low / b->width)) + 1;
    b->n = b->n <= BINS + 2 ? b->n : BINS + 2;
    for (size_t i = 0; i <= b->n; i++) b->edge[i] = (floor(low / b->width) + (double)i) * b->width;
    return true;
}

/* Margins of label c, or of all (-1). */
static void fill_bins(const struct study *s, const struct study_run *r, struct bins *b, int c)
{
    memset(b->count, 0, sizeof b->count);
    for (uint64_t i = 0; i < s->data_info.rows; i++) {
        double at;

        if (!isfinite(r->margin[i]) || (c >= 0 && perc_dataset_row_label(s->ds, i) != c)) continue;
        at = b->one ? 0 : floor(r->margin[i] / b->width) - floor(b->from / b->width + 0.5);
        b->count[at < 0 ? 0 : at >= (double)b->n ? b->n - 1 : (size_t)at]++;
    }
}

struct figure *picture_margins(const struct study *s, size_t k)
{
    const struct study_run *r = &s->run[k];
    char least[WORD], errors[WORD], rows[WORD];
    struct figure *f;
    struct bins b;

    if (r->margin == NULL || !bins_of(s, r, &b)) return NULL;
    word_count(errors, r->metrics.errors);
    word_grouped(least, r->metrics.margin[0]);
    f = picture_of(s, k, "margins", "%s of %s rows have a margin of 0 or less; the smallest is %s",
                   errors, word_count(rows, r->metrics.rows), least);
    figure_about(f,
                 "How many rows have which margin, %s: what lies left of 0 is an error, %s of "
                 "%s rows. The median is %s.",
                 r->info.outputs == 1 ? "y s, the score times the label"
                                      : "half the gap between the score of the row's own label and "
                                        "the best of the others",
                 errors, rows, word_grouped(least, r->metrics.margin[3]));
    const size_t labels = s->data_info.labels;
    const double from = b.edge[0], wide = b.width / (double)labels;
    for (size_t c = 0; c < labels && labels <= CLASSES; c++) {
        fill_bins(s, r, &b, (int)c);
        if (b.one) {
            b.edge[0] = from + (double)c * wide;
            b.edge[1] = b.edge[0] + wide;
        }
        figure_histogram(f, perc_dataset_label(s->ds, c), (int)c, b.edge, b.count, b.n);
    }
    if (b.one) {
        b.edge[0] = from;
        b.edge[1] = from + b.width;
    }
    if (labels > CLASSES) {
        fill_bins(s, r, &b, -1);
        figure_histogram(f, NULL, FIGURE_INK, b.edge, b.count, b.n);
    }
    const double room = b.one ? fmax(fabs(b.edge[0]), fabs(b.edge[1])) / 8 : 0;
    figure_line(f, NULL, FIGURE_ALERT, FIGURE_DASHED, 1, 0, 0);
    figure_axis(f, FIGURE_X, r->info.outputs == 1 ? "margin y s" : "margin (half the gap)",
                fmin(b.edge[0], 0) - room, fmax(b.edge[b.n], 0) + room);
    figure_axis(f, FIGURE_Y, "rows", 0, NAN);
    figure_whole(f, FIGURE_Y);
    return f;
}

/* ----- the confusion matrix ------------------------------------------------------------ */

struct figure *picture_confusion(const struct study *s, size_t k)
{
    const struct study_run *r = &s->run[k];
    const size_t n = r->info.labels;
    const char *label[LABELS];
    char right[WORD], rows[WORD], part[WORD];
    uint64_t hits = 0;
    struct figure *f;

    if (r->confusion == NULL || n > LABELS) return NULL;
    for (size_t c = 0; c < n; c++) {
        label[c] = perc_model_label(r->model, c);
        hits += r->confusion[c * n + c];
    }
    f = picture_of(s, k, "confusion", "%s of %s rows answered right", word_count(right, hits),
                   word_count(rows, r->metrics.rows));
    figure_about(f, "By their label and by the model's answer, %s; %s, or %s, lie on the diagonal.",
                 picture_rows(s), right, word_percent(part, r->metrics.accuracy));
    figure_cells(f, "label", "answer", label, r->confusion, n);
    return f;
}

/* ----- weights ---------------------------------------------------------------------------- */

struct figure *picture_weights(const struct study *s, size_t k)
{
    const struct study_run *r = &s->run[k];
    const size_t outputs = r->info.outputs;
    struct largest top = { 0 };
    char text[LARGEST][PICTURE_TEXT], most[WORD];
    const char *label[LARGEST];
    int colour[LARGEST];
    struct figure *f;

    if (!about_is_linear(&r->info) && s->ds != NULL) return NULL;
    for (uint64_t i = 0; i < r->info.features * outputs; i++)
        largest_keep(&top, perc_model_weight(r->model, i / outputs, i % outputs), i);
    if (top.n == 0) return NULL;
    for (size_t i = 0; i < top.n; i++) {
        const size_t c = top.what[i] % outputs;

        char name[PICTURE_TEXT];

        if (study_weight_name(r, top.what[i] / outputs, name, sizeof name) == NULL)
            return figure_lost();
        if (outputs > 1)
            snprintf(text[i], PICTURE_TEXT, "%.40s: %.50s", perc_model_label(r->model, c), name);
        else snprintf(text[i], PICTURE_TEXT, "%s", name);
        label[i] = text[i];
        colour[i] = picture_colour(s, outputs > 1        ? perc_model_label(r->model, c)
                                      : top.value[i] > 0 ? r->info.positive
                                                         : r->info.negative);
    }
    f = picture_of(s, k, "weights", "The largest weight is %s, of %s",
                   word_grouped(most, top.value[0]), label[0]);
    const bool scaled = strcmp(r->info.scale, "none") != 0;
    if (r->info.outputs == 1)
        figure_about(f,
                     "The weights of the features that count most%s%s: above 0 they speak for "
                     "%s, below for %s.",
                     scaled ? ", of features scaled by " : "", scaled ? r->info.scale : "",
                     r->info.positive, r->info.negative);
    else
        figure_about(f,
                     "The weights of the features that count most%s%s: above 0 they speak for "
                     "the label before the name, below against it.",
                     scaled ? ", of features scaled by " : "", scaled ? r->info.scale : "");
    figure_bars(f, label, top.value, colour, top.n);
    figure_axis(f, FIGURE_X, "weight", NAN, NAN);
    return f;
}

/* ----- counters ------------------------------------------------------------------------------ */

struct figure *picture_counters(const struct study *s, size_t k)
{
    const struct study_run *r = &s->run[k];
    const size_t n = r->supports < LARGEST ? r->supports : LARGEST;
    char text[LARGEST][PICTURE_TEXT], supports[PICTURE_TEXT], updates[PICTURE_TEXT], rows[WORD];
    const char *label[LARGEST];
    double value[LARGEST];
    int colour[LARGEST];
    struct figure *f;

    if (n == 0 || r->support[0].counter <= 0 || r->support[0].row < 0) return NULL;
    for (size_t i = 0; i < n; i++) {
        const perc_support *v = &r->support[i];

        snprintf(text[i], PICTURE_TEXT, "row %lld", (long long)v->row + 1);
        label[i] = text[i];
        value[i] = (double)v->counter;
        colour[i] = !s->learned ? perc_dataset_row_label(s->ds, (uint64_t)v->row)
                    : v->label >= 0
                        ? picture_colour(s, perc_model_label(r->model, (size_t)v->label))
                        : FIGURE_INK;
    }
    f = picture_of(s, k, "counters", "%s carry the machine; row %lld erred %s",
                   picture_count(supports, (int64_t)r->supports, "row", "rows"),
                   (long long)r->support[0].row + 1,
                   picture_count(updates, r->support[0].counter, "time", "times"));
    figure_about(f,
                 "The counters of the support rows, the updates made on each: the score of a "
                 "point is the sum of the kernel with these rows, each as often as its counter "
                 "says. The largest %zu of %s.",
                 n, word_count(rows, r->supports));
    figure_bars(f, label, value, colour, n);
    figure_axis(f, FIGURE_X, "counter", 0, NAN);
    figure_whole(f, FIGURE_X);
    return f;
}
