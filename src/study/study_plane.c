/* study_plane.c -- the plane in which a study draws: two features, or two principal components.
 *
 * With two features the plane is all there is. With more, and two of them chosen, it is the
 * slice on which all others have their means; otherwise the plane through the mean along the
 * two directions in which the rows vary most. Points that do not lie in the plane are drawn
 * where they project onto it; regions are what the model says about the points of the plane itself.
 *
 * Features are drawn in the units of the file. A learner that was given --scale sees other
 * numbers: a x_j + b, found again here from two rows for each feature, so that lines can be
 * drawn. Components are those of the rows as the learner sees them: otherwise the feature with
 * the smallest unit would be the first. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/word.h"
#include "study/study_parts.h"

/* The most entries for components of all rows, and the most numbers to look at in any case. */
static const double most_entries = 1e6, most_numbers = 5e8;
enum { NAME = 1024 }; /* of a feature, as far as it is compared */
enum { BANDS = 20 };  /* the box is a 20th wider than the points on each side */

/* The direction of side k of the plane, for components. */
static const double *along(const struct study *s, int k)
{
    return s->direction + (size_t)k * (size_t)s->data_info.features;
}

/* ----- there and back ------------------------------------------------------------ */

void study_place(const struct study *s, uint64_t row, double *x, double at[2])
{
    perc_dataset_row(s->drawn, row, x);
    /* Projects a row of `drawn`: from `features` numbers to two. */
    for (int k = 0; k < 2; k++) {
        at[k] = 0;
        if (s->plane == STUDY_COMPONENTS)
            for (uint64_t j = 0; j < s->data_info.features; j++)
                at[k] += (x[j] - s->mean[j]) * along(s, k)[j];
        else at[k] = x[s->feature[k]];
    }
}

void study_lift(const struct study *s, const double at[2], double *x)
{
    for (uint64_t j = 0; j < s->data_info.features; j++) {
        x[j] = s->mean != NULL ? s->mean[j] : 0;
        if (s->plane == STUDY_COMPONENTS) x[j] += at[0] * along(s, 0)[j] + at[1] * along(s, 1)[j];
    }
    if (s->plane != STUDY_COMPONENTS) {
        x[s->feature[0]] = at[0];
        x[s->feature[1]] = at[1];
    }
    for (uint64_t j = 0; j < s->data_info.features && s->seen; j++) /* in the units of the file */
        x[j] = s->scaling_a[j] != 0 ? (x[j] - s->scaling_b[j]) / s->scaling_a[j]
                                    : s->scaling_low[j];
}

/* What the learner sees is A (x0 + at[0] d0 + at[1] d1) + B, and its score is linear in it. */
void study_line(const struct study *s, const double *w, uint64_t n, size_t stride, double b,
                double line[3])
{
    const bool scaled = s->scaling_a != NULL && !s->seen;

    line[0] = line[1] = 0;
    line[2] = b;
    for (uint64_t j = 0; j < n && j < s->data_info.features; j++) {
        const double v = w[j * stride];
        const double a = scaled ? v * s->scaling_a[j] : v;
        const bool own = s->plane != STUDY_COMPONENTS;

        line[2] += scaled ? v * s->scaling_b[j] : 0;
        if (own && j == s->feature[0]) {
            line[0] += a;
        } else if (own && j == s->feature[1]) {
            line[1] += a;
        } else {
            line[2] += a * s->mean[j];
            line[0] += own ? 0 : a * along(s, 0)[j];
            line[1] += own ? 0 : a * along(s, 1)[j];
        }
    }
}

/* ----- which rows are drawn --------------------------------------------------------- */

/* A pseudorandom number below 1 for row i (Steele, Lea, Flood 2014: splitmix64). */
static double chance(uint64_t i)
{
    uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* Every set of that size is equally likely (Knuth, TAOCP 3.4.2, algorithm S). */
static perc_status choose_rows(struct study *s, perc_error *err)
{
    const uint64_t rows = s->data_info.rows;
    const uint64_t want = rows < STUDY_POINTS ? rows : STUDY_POINTS;

    s->row = calloc((size_t)want + 1, sizeof *s->row);
    s->x = calloc((size_t)want + 1, sizeof *s->x);
    s->y = calloc((size_t)want + 1, sizeof *s->y);
    s->label = calloc((size_t)want + 1, sizeof *s->label);
    if (s->row == NULL || s->x == NULL || s->y == NULL || s->label == NULL)
        return study_memory(err);
    for (uint64_t i = 0; i < rows; i++)
        if (chance(i) * (double)(rows - i) < (double)(want - s->points)) s->row[s->points++] = i;
    s->sampled = want < rows;
    return PERC_OK;
}

/* ----- where the plane lies ------------------------------------------------------------ */

/* All rows if that is little work, otherwise those that are drawn. */
static bool all_rows(const struct study *s)
{
    const double numbers = (double)s->data_info.rows * (double)s->data_info.features;

    return !s->sampled ||
           ((double)s->data_info.nonzeros <= most_entries && numbers <= most_numbers);
}

static perc_status find_plane(struct study *s, double share[2], perc_error *err)
{
    const size_t d = (size_t)s->data_info.features;

    s->mean = calloc(d, sizeof *s->mean);
    s->direction = calloc(d, 2 * sizeof *s->direction);
    if (s->mean == NULL || s->direction == NULL) return study_memory(err);
    return perc_dataset_components(s->env, s->drawn, all_rows(s) ? NULL : s->row, s->points, 2,
                                   s->mean, s->direction, share, err);
}

/* ----- features by name ------------------------------------------------------------------ */

/* The feature with this name, otherwise the one with this number: as in a LIBSVM file, or the
 * column of a table, from 1. */
static bool find_feature(const struct study *s, const char *name, size_t length, uint64_t *out)
{
    char buf[32], known[NAME];
    bool named = false;
    double number;

    for (uint64_t j = 0; j < s->data_info.features; j++) {
        const bool own = study_named(s, j, known, sizeof known);

        named = named || own;
        if (own && strlen(known) == length && strncmp(known, name, length) == 0) {
            *out = j;
            return true;
        }
    }
    if (length > 1 && name[0] == 'x' && !named) /* "x3", as it is shown */
        name++, length--;
    if (length == 0 || length >= sizeof buf || strspn(name, "0123456789") < length) return false;
    snprintf(buf, sizeof buf, "%.*s", (int)length, name);
    number = word_value(buf) - (named ? 1 : s->data_info.index_base);
    if (!(number >= 0 && number < (double)s->data_info.features)) return false;
    *out = (uint64_t)number;
    return true;
}

struct feature_names {
    const struct study *s;
    char name[NAME];
};

static const char *next_feature(void *ud, size_t j)
{
    struct feature_names *n = ud;

    return study_named(n->s, j, n->name, sizeof n->name) ? n->name : NULL;
}

/* Says which of the two at the first comma is meant, if it is known. */
static perc_status no_features(const struct study *s, const char *list, perc_error *err)
{
    struct feature_names names = { .s = s };
    const size_t first = strcspn(list, ",");
    char near[WORD_NEAR], part[NAME];
    uint64_t j;

    for (const char *at = list; at != NULL;
         at = at == list && list[first] != '\0' ? list + first + 1 : NULL) {
        snprintf(part, sizeof part, "%.*s", (int)(at == list ? first : strlen(at)), at);
        if (!find_feature(s, part, strlen(part), &j) &&
            word_nearest(part, next_feature, &names, near))
            return study_fail(err, PERC_EARG,
                              "--features: there is no feature '%.60s' (did you mean %s?)", part,
                              near);
    }
    return study_fail(err, PERC_EARG,
                      "--features: '%.99s' are not two features of the data (two names, or two "
                      "numbers, with a comma between)",
                      list);
}

/* "A,B", with quotes where a name has a comma; without them every comma is tried. */
static bool find_two(struct study *s)
{
    const char *list = s->q->features, *comma = list, *part[2];
    char buf[2 * NAME];

    if (word_parts(list, buf, sizeof buf, part, 2) == 2 &&
        find_feature(s, part[0], strlen(part[0]), &s->feature[0]) &&
        find_feature(s, part[1], strlen(part[1]), &s->feature[1]))
        return true;
    for (; (comma = strchr(comma, ',')) != NULL; comma++)
        if (find_feature(s, list, (size_t)(comma - list), &s->feature[0]) &&
            find_feature(s, comma + 1, strlen(comma + 1), &s->feature[1]))
            return true;
    return false;
}

static perc_status choose_features(struct study *s, perc_error *err)
{
    const char *list = s->q->features;

    if (!find_two(s)) return no_features(s, list, err);
    if (s->feature[0] != s->feature[1]) return PERC_OK;
    return study_fail(err, PERC_EARG, "--features: '%.99s' is one feature twice", list);
}

/* ----- scaling ---------------------------------------------------------------------------- */

/* a and b of every feature, from its smallest and largest value among the rows drawn. */
static perc_status find_scaling(struct study *s, perc_error *err)
{
    const size_t d = (size_t)s->data_info.features;
    double *x = calloc(d, 6 * sizeof *x);
    double *seen = x + d, *low = x + 2 * d, *low_seen = x + 3 * d, *high = x + 4 * d;
    double *high_seen = x + 5 * d;

    s->scaling_a = calloc(d, sizeof *s->scaling_a);
    s->scaling_b = calloc(d, 2 * sizeof *s->scaling_b);
    s->scaling_low = s->scaling_b != NULL ? s->scaling_b + d : NULL;
    for (size_t i = 0; x != NULL && i < s->points; i++) {
        perc_dataset_row(s->drawn, s->row[i], x);
        perc_dataset_row(s->ds, s->row[i], seen);
        for (size_t j = 0; j < d; j++) {
            if (i == 0 || x[j] < low[j]) low[j] = x[j], low_seen[j] = seen[j];
            if (i == 0 || x[j] > high[j]) high[j] = x[j], high_seen[j] = seen[j];
        }
    }
    for (size_t j = 0; x != NULL && s->scaling_a != NULL && s->scaling_b != NULL && j < d; j++) {
        const double width = high[j] - low[j];

        s->scaling_a[j] = width > 0 ? (high_seen[j] - low_seen[j]) / width : 0;
        s->scaling_b[j] = low_seen[j] - s->scaling_a[j] * low[j];
        s->scaling_low[j] = low[j];
    }
    free(x);
    return x == NULL || s->scaling_a == NULL || s->scaling_b == NULL ? study_memory(err) : PERC_OK;
}

/* Whether the columns of the file are those of the model that was trained earlier. */
static bool same_features(const struct study *s)
{
    perc_dataset_info info;
    char a[NAME];

    perc_dataset_info_get(s->drawn, &info);
    if (info.features != s->data_info.features || info.rows != s->data_info.rows) return false;
    for (uint64_t j = 0; j < info.features; j++) {
        const char *b = perc_dataset_feature(s->drawn, j);
        const bool named = study_named(s, j, a, sizeof a);

        if (named && (b == NULL || strncmp(a, b, sizeof a - 1) != 0)) return false;
    }
    return true;
}

/* Reads the file again, without --scale. If it cannot be read twice, there is no plane. */
static perc_status read_unscaled(struct study *s, perc_error *err)
{
    const char *scale = s->learned ? s->run[0].info.scale
                                   : perc_params_get(s->q->data_params, "scale");
    perc_params *p = NULL;
    perc_status st;

    if (strcmp(scale, "none") == 0) return PERC_OK;
    if (study_reads_input(s)) {
        snprintf(s->why_plane, STUDY_WHY,
                 "with --scale the rows are drawn as the file has them, "
                 "and standard input can be read only once");
        return PERC_OK;
    }
    s->bent = strcmp(scale, "unit") == 0;
    s->drawn = NULL;
    st = study_params(s->env, "data", s->q->data_params, "scale", &p, err);
    if (st == PERC_OK) st = perc_dataset_read(s->env, s->data, p, &s->drawn, err);
    perc_params_free(p);
    /* The model may know what to do with a cell that nobody else can take for anything. */
    const bool lost = st == PERC_EDATA && s->learned;
    if (lost) s->drawn = s->ds;
    if (lost || (st == PERC_OK && !same_features(s)))
        snprintf(s->why_plane, STUDY_WHY, "the columns of the file are not those of the model");
    return lost ? PERC_OK : st;
}

/* ----- the box ------------------------------------------------------------------------------ */

static void widen(double *low, double *high)
{
    double by = (*high - *low) / BANDS;

    if (!(by > 0)) by = *low == 0 ? 1 : fabs(*low) / 2;
    *low -= by;
    *high += by;
}

/* ----- in words ----------------------------------------------------------------- */

static void name_axes(struct study *s, const double share[2])
{
    char both[WORD], rows[WORD];

    if (s->plane != STUDY_COMPONENTS) {
        for (int k = 0; k < 2; k++) study_feature(s, s->feature[k], s->axis[k], sizeof s->axis[k]);
        if (s->plane == STUDY_TWO_FEATURES)
            snprintf(s->plane_words, sizeof s->plane_words, "the two features of the data");
        else
            snprintf(s->plane_words, sizeof s->plane_words,
                     "two of %llu features; regions and lines are those where all others have "
                     "their means",
                     (unsigned long long)s->data_info.features);
        return;
    }
    for (int k = 0; k < 2; k++)
        snprintf(s->axis[k], sizeof s->axis[k], "component %d (%.0f %%)", k + 1, 100 * share[k]);
    snprintf(s->plane_words, sizeof s->plane_words,
             "the first two principal components%s%s%s%s, %s of the variance; regions and lines "
             "are those of the plane through the mean along them",
             all_rows(s) ? "" : " of a sample of ",
             all_rows(s) ? "" : word_count(rows, (uint64_t)s->points), all_rows(s) ? "" : " rows",
             s->seen ? " after --scale" : "", word_percent(both, share[0] + share[1]));
}

/* ----- all of it ------------------------------------------------------------------ */

/* Chooses the plane; s->plane stays STUDY_NO_PLANE, with a reason, if there is none. */
perc_status study_pick(struct study *s, perc_error *err)
{
    const uint64_t d = s->data_info.features;
    perc_status st = s->q->features != NULL ? choose_features(s, err) : PERC_OK;

    if (st != PERC_OK) return st;
    if (s->q->features == NULL && d == 2) s->feature[1] = 1;
    if (d < 2)
        snprintf(s->why_plane, STUDY_WHY,
                 d == 1 ? "there is only one feature: no plane" : "there are no features");
    else if ((double)d * (double)STUDY_POINTS > 4 * most_numbers && d > 2)
        snprintf(s->why_plane, STUDY_WHY, "there are too many features: %llu",
                 (unsigned long long)d);
    else
        s->plane = d == 2                   ? STUDY_TWO_FEATURES
                   : s->q->features != NULL ? STUDY_CHOSEN
                                            : STUDY_COMPONENTS;
    return PERC_OK;
}

perc_status study_plane(struct study *s, perc_error *err)
{
    double share[2] = { 0, 0 };
    perc_status st;

    if (s->plane == STUDY_NO_PLANE) return PERC_OK;
    if ((st = read_unscaled(s, err)) || (st = choose_rows(s, err))) return st;
    if (s->why_plane[0] != '\0') {
        s->plane = STUDY_NO_PLANE;
        return PERC_OK;
    }
    if (s->drawn != s->ds && !s->bent && (st = find_scaling(s, err))) return st;
    if (s->plane == STUDY_COMPONENTS && s->drawn != s->ds && !s->bent) {
        perc_dataset_free(s->drawn); /* the scaling is known: ds is enough */
        s->drawn = s->ds;
        s->seen = true;
    }
    if (s->plane != STUDY_TWO_FEATURES && (st = find_plane(s, share, err))) return st;
    name_axes(s, share);
    double *x = calloc((size_t)s->data_info.features + 1, sizeof *x), at[2];

    if (x == NULL) return study_memory(err);
    for (size_t i = 0; i < s->points; i++) {
        study_place(s, s->row[i], x, at);
        s->x[i] = at[0];
        s->y[i] = at[1];
        s->label[i] = perc_dataset_row_label(s->ds, s->row[i]);
        for (int k = 0; k < 2; k++) {
            s->box[k] = i == 0 || at[k] < s->box[k] ? at[k] : s->box[k];
            s->box[2 + k] = i == 0 || at[k] > s->box[2 + k] ? at[k] : s->box[2 + k];
        }
    }
    free(x);
    widen(&s->box[0], &s->box[2]);
    widen(&s->box[1], &s->box[3]);
    if (!isfinite(s->box[2] - s->box[0]) || !isfinite(s->box[3] - s->box[1])) {
        snprintf(s->why_plane, STUDY_WHY, "the numbers are too large to be drawn");
        s->plane = STUDY_NO_PLANE;
    }
    return PERC_OK;
}
