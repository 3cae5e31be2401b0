/* report_data.c -- what the animation of a report draws from, as JSON.
 *
 * Points and steps are columns of equal length. Numbers are rounded to what a picture and a
 * reader can use, which keeps a page small: the model itself is not made from these.
 *
 *     axis, box, labels      names of the axes; smallest x, y, largest x, y; label names
 *     threshold              whether w has a threshold -b rather than an offset b
 *     point: x, y, label     the rows that are drawn
 *     row: number, line, x, y, label   the rows that steps are about, each once
 *     run: name, line, numbers, plain, rest, kernel, offset, rate, cut, updates, positive,
 *          step: epoch, row (place in `row`), score, and with a line w1, w2, b after it; or with
 *          several classes `changed` and class, w1, w2, b: see put_classes;
 *          regions, where the page cannot find them itself
 *
 * `numbers`: the learner sees just the x and y of the picture, and w is its own: then the page
 * can show the arithmetic. `positive`: the number of the label that is +1; null: more than two.
 * `rest`: each label has a machine of its own, against all others. */
#include "study/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/word.h"

/* For all runs together: steps, and vectors that these changed (several classes). */
enum { ALL_STEPS = 4000, ALL_VECTORS = 5000 };

static void put_real(struct out *o, double v)
{
    char buf[WORD];

    snprintf(buf, sizeof buf, "%.8g", v);
    out_real(o, isfinite(v) ? word_value(buf) : (double)NAN);
}

static void put_reals(struct out *o, const char *key, const double *v, size_t n)
{
    out_key(o, key);
    out_begin(o, '[');
    for (size_t i = 0; i < n; i++) put_real(o, v[i]);
    out_end(o, ']');
}

/* Whether class c differs after step i from before, or is met there. */
static bool has_changed(const struct study_run *run, size_t i, size_t c)
{
    const struct study_class *now = run->class + i * run->classes + c, *was;

    if (i == 0 || isnan(now->b)) return !isnan(now->b);
    was = now - run->classes;
    return now->w[0] != was->w[0] || now->w[1] != was->w[1] || now->b != was->b;
}

static size_t changed_at(const struct study_run *run, size_t i)
{
    size_t changed = 0;

    for (size_t c = 0; c < run->classes; c++) changed += has_changed(run, i, c);
    return changed;
}

size_t report_steps_kept(const struct report *r, const struct study_run *run)
{
    const size_t runs = r->study.runs,
                 all = runs > ALL_STEPS / STUDY_STEPS ? ALL_STEPS / runs : STUDY_STEPS;
    size_t vectors = 0, n = 0;

    for (; n < run->steps && n < all; n++) {
        vectors += changed_at(run, n);
        if (vectors > ALL_VECTORS / runs) break;
    }
    return n;
}

/* ----- the rows of the steps ----------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* All rows that a step of any run is about, in order, each once. NULL: out of memory. */
static int64_t *rows_of_steps(const struct report *r, size_t *n)
{
    const struct study *s = &r->study;
    size_t all = 0, at = 0;

    for (size_t k = 0; k < s->runs; k++) all += report_steps_kept(r, &s->run[k]);
    int64_t *row = calloc(all + 1, sizeof *row);
    if (row == NULL) return NULL;
    for (size_t k = 0; k < s->runs; k++)
        for (size_t i = 0, steps = report_steps_kept(r, &s->run[k]); i < steps; i++)
            row[at++] = s->run[k].step[i].row;
    qsort(row, all, sizeof *row, by_number);
    *n = 0;
    for (size_t i = 0; i < all; i++)
        if (i == 0 || row[i] != row[i - 1]) row[(*n)++] = row[i];
    return row;
}

/* One column of the rows: 0 number, 1 line, 2 label. */
static void row_column(const struct study *s, struct out *o, const char *key, const int64_t *row,
                       size_t n, int what)
{
    out_key(o, key);
    out_begin(o, '[');
    for (size_t i = 0; i < n; i++)
        out_int(o, what == 0   ? row[i] + 1
                   : what == 1 ? perc_dataset_row_line(s->ds, (uint64_t)row[i])
                               : perc_dataset_row_label(s->ds, (uint64_t)row[i]));
    out_end(o, ']');
}

static bool put_rows(const struct study *s, struct out *o, const int64_t *row, size_t n)
{
    double *x = calloc((size_t)s->data_info.features + 1, sizeof *x);
    double *at = calloc(n + 1, sizeof *at), *other = calloc(n + 1, sizeof *other), place[2];
    const bool done = x != NULL && at != NULL && other != NULL;

    for (size_t i = 0; done && i < n; i++) {
        study_place(s, (uint64_t)row[i], x, place);
        at[i] = place[0];
        other[i] = place[1];
    }
    out_key(o, "row");
    out_begin(o, '{');
    row_column(s, o, "number", row, n, 0);
    row_column(s, o, "line", row, n, 1);
    row_column(s, o, "label", row, n, 2);
    put_reals(o, "x", at, done ? n : 0);
    put_reals(o, "y", other, done ? n : 0);
    out_end(o, '}');
    free(x);
    free(at);
    free(other);
    return done;
}

/* ----- runs -------------------------------------------------------------------------- */

/* With several classes a step changes only a few: `changed` has their number for each step, and the
 * other columns list them one after another. class, w1, w2 and b are 0 to 3. */
static void class_column(struct out *o, const struct study_run *run, const char *key, size_t n,
                         int what)
{
    out_key(o, key);
    out_begin(o, '[');
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < run->classes; c++) {
            const struct study_class *at = run->class + i * run->classes + c;

            if (!has_changed(run, i, c)) continue;
            if (what == 0) out_int(o, (int64_t)c);
            else put_real(o, what == 3 ? at->b : at->w[what - 1]);
        }
    out_end(o, ']');
}

static void put_classes(struct out *o, const struct study_run *run, size_t n)
{
    static const char *const name[] = { "class", "w1", "w2", "b" };

    out_key(o, "changed");
    out_begin(o, '[');
    for (size_t i = 0; i < n; i++) out_int(o, (int64_t)changed_at(run, i));
    out_end(o, ']');
    for (int k = 0; k < 4; k++) class_column(o, run, name[k], n, k);
}

static void put_steps(struct out *o, const struct study_run *run, size_t n, const int64_t *row,
                      size_t rows)
{
    static const char *const name[] = { "score", "w1", "w2", "b" };

    out_key(o, "step");
    out_begin(o, '{');
    out_key(o, "epoch");
    out_begin(o, '[');
    for (size_t i = 0; i < n; i++) out_int(o, run->step[i].pass);
    out_end(o, ']');
    out_key(o, "row");
    out_begin(o, '[');
    for (size_t i = 0; i < n; i++) {
        const int64_t *found = bsearch(&run->step[i].row, row, rows, sizeof *row, by_number);

        out_int(o, found - row);
    }
    out_end(o, ']');
    for (int k = 0; k < (run->line ? 4 : 1); k++) {
        out_key(o, name[k]);
        out_begin(o, '[');
        for (size_t i = 0; i < n; i++) {
            const struct study_shot *p = &run->step[i];

            put_real(o, k == 0 ? p->score : k == 3 ? p->b : p->w[k - 1]);
        }
        out_end(o, ']');
    }
    if (run->classes > 0) put_classes(o, run, n);
    out_end(o, '}');
}

/* Each mistake adds its row as it is, and all rows count alike. */
static bool is_plain_rule(const struct study_run *run)
{
    const char *rule = perc_params_get(run->params, "rule");

    return strcmp(rule != NULL ? rule : run->algorithm, STUDY_PLAIN) == 0 &&
           study_is(run, "schedule", "constant") && !study_decays(run) &&
           study_is(run, "class-weight", "");
}

/* The page can follow the machine if that is a sum of +-K(row, x): the rule adds the same amount
 * each time, K is a formula, and the learner sees nothing but what is in the picture. */
static bool can_follow(const struct study *s, const struct study_run *run)
{
    return s->plane == STUDY_TWO_FEATURES && s->scaling_a == NULL && !s->bent &&
           report_two_classes(run) && is_plain_rule(run) && study_is(run, "drop-after", "0") &&
           study_is(run, "budget", "0") && strcmp(run->info.map, "none") == 0 &&
           strcmp(run->info.kernel, "precomputed") != 0;
}

bool report_still(const struct report *r, const struct study_run *run)
{
    return !run->line && run->classes == 0 && run->region != NULL &&
           !(study_kernel(run) && can_follow(&r->study, run));
}

static void put_kernel(const struct study *s, struct out *o, const struct study_run *run)
{
    out_key(o, "kernel");
    if (!study_kernel(run)) {
        out_null(o);
        return;
    }
    out_begin(o, '{');
    out_key_string(o, "name", run->info.kernel);
    out_key_bool(o, "follow", can_follow(s, run));
    out_key_real(o, "gamma", run->info.gamma);
    out_key_real(o, "coef0", run->info.coef0);
    out_key_int(o, "degree", run->info.degree);
    out_end(o, '}');
}

enum { CELLS = STUDY_CELLS / 2 };

/* Regions of the finished model, from the lower left, as pairs of a class and the length of its run
 * of cells: where the page cannot follow the boundary, every frame shows these, faintly. */
static void put_regions(struct out *o, const struct study_run *run)
{
    int class = 0;
    int64_t count = 0;

    out_key(o, "regions");
    out_begin(o, '[');
    for (size_t i = 0; i < CELLS * CELLS; i++) {
        const int c = run->region[2 * (i / CELLS) * STUDY_CELLS + 2 * (i % CELLS)];

        if (count > 0 && c != class) {
            out_int(o, class);
            out_int(o, count);
            count = 0;
        }
        class = c;
        count++;
    }
    out_int(o, class);
    out_int(o, count);
    out_end(o, ']');
}

/* ----- all of it -------------------------------------------------------------------------- */

void report_data(const struct report *r, struct out *json)
{
    const struct study *s = &r->study;
    size_t rows = 0;
    int64_t *row = rows_of_steps(r, &rows);

    out_begin(json, '{');
    out_key(json, "axis");
    out_begin(json, '[');
    out_string(json, s->axis[0]);
    out_string(json, s->axis[1]);
    out_end(json, ']');
    put_reals(json, "box", s->box, 4);
    out_key_bool(json, "threshold", s->q->form == HYPERPLANE_THRESHOLD);
    out_key(json, "labels");
    out_begin(json, '[');
    for (size_t i = 0; i < s->data_info.labels; i++) out_string(json, perc_dataset_label(s->ds, i));
    out_end(json, ']');
    out_key(json, "point");
    out_begin(json, '{');
    put_reals(json, "x", s->x, s->points);
    put_reals(json, "y", s->y, s->points);
    out_key(json, "label");
    out_begin(json, '[');
    for (size_t i = 0; i < s->points; i++) out_int(json, s->label[i]);
    out_end(json, ']');
    out_end(json, '}');
    if (row == NULL || !put_rows(s, json, row, rows)) out_fail_memory(json);
    out_key(json, "run");
    out_begin(json, '[');
    for (size_t i = 0; row != NULL && i < s->runs; i++) {
        const struct study_run *run = &s->run[i];
        const size_t n = report_steps_kept(r, run);
        const char *rate = perc_params_get(run->params, "rate");

        out_begin(json, '{');
        out_key_string(json, "name", run->algorithm);
        out_key_bool(json, "line", run->line);
        out_key_bool(json, "numbers",
                     (run->line || run->classes > 0) && s->plane == STUDY_TWO_FEATURES &&
                         s->scaling_a == NULL && strcmp(run->info.map, "none") == 0 &&
                         study_is(run, "init", "zero"));
        out_key_bool(json, "plain", is_plain_rule(run));
        out_key_bool(json, "rest", strcmp(run->info.multiclass, "ovr") == 0);
        out_key_bool(json, "offset", run->info.has_offset != 0);
        out_key_real(json, "rate", rate != NULL ? word_value(rate) : 1);
        out_key_bool(json, "cut", run->steps_cut || n < run->steps);
        out_key_int(json, "updates", run->report.updates);
        out_key(json, "positive");
        if (report_two_classes(run)) out_int(json, study_label(s, run->info.positive));
        else out_null(json);
        put_kernel(s, json, run);
        put_steps(json, run, n, row, rows);
        if (report_still(r, run)) put_regions(json, run);
        out_end(json, '}');
    }
    out_end(json, ']');
    out_end(json, '}');
    free(row);
}
