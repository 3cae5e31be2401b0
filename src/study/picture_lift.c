/* picture_lift.c -- the kernel lift: points of the plane as a polynomial map sees them, in space,
 * with the plane that separates them there.
 *
 * A kernel (x.z + C)^D is the dot product of images under --map lift:D:C, where its machine has
 * the weights  w = sum of the support rows' images, each with its coefficient.
 *
 * Of an image with more than three numbers the picture is a projection, named by its axes. One of
 * them may be the distance from the plane, (w.phi + b) / |w|: then the plane is seen as it is,
 * whatever the other axes are. Three products show the plane only if it has no weight elsewhere. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/word.h"
#include "study/picture_parts.h"

enum { COLUMNS = 64, HINT = 96, NAME = 64, MAP = 64 };

static const char DISTANCE[] = "distance";

struct lift {
    const struct study *s;
    const struct study_run *r;
    char map[MAP];
    uint64_t columns;
    double w[COLUMNS], b, length; /* |w| */
    int axis[3];                  /* a column, or -1: the distance */
    bool lost;                    /* out of memory */
    char why[STUDY_WHY];
};

/* ----- the image -------------------------------------------------------------------- */

/* The image of two numbers; image NULL: how many columns it has. */
static bool map_pair(struct lift *l, const double x[2], double *image)
{
    const perc_status st = perc_map_image(l->s->env, l->map, x, 2, image,
                                          image != NULL ? COLUMNS : 0, &l->columns, NULL);

    if (st == PERC_ENOMEM) l->lost = true;
    return st == PERC_OK;
}

/* That of a row as the learner sees it. */
static bool image_of(struct lift *l, uint64_t row, double image[COLUMNS])
{
    double x[2];

    perc_dataset_row(l->s->ds, row, x);
    return map_pair(l, x, image);
}

static const char *column_name(struct lift *l, uint64_t j, char name[NAME])
{
    perc_map_name(l->map, 2, j, name, NAME);
    l->lost = l->lost || name[0] == '\0'; /* where memory is out it says nothing */
    return name;
}

/* The machine in the space of the map: its weights, or the sum of its support rows. */
static bool find_weights(struct lift *l)
{
    const struct study_run *r = l->r;
    double image[COLUMNS], sum = 0;

    for (uint64_t j = 0; j < l->columns; j++)
        l->w[j] = study_kernel(r) ? 0 : perc_model_weight(r->model, j, 0);
    for (size_t i = 0; study_kernel(r) && i < r->supports; i++) {
        const perc_support *v = &r->support[i];
        if (!image_of(l, (uint64_t)v->row, image)) return false;
        for (uint64_t j = 0; j < l->columns; j++) l->w[j] += v->coefficient * image[j];
    }
    l->b = perc_model_offset(r->model, 0);
    for (uint64_t j = 0; j < l->columns; j++) sum += l->w[j] * l->w[j];
    l->length = sqrt(sum);
    return isfinite(l->length) && l->length > 0;
}

/* The map of the run, or the one that its kernel stands for; "": neither is a polynomial. */
static void find_map(struct lift *l)
{
    const perc_model_info *m = &l->r->info;

    if (strcmp(m->map, "none") != 0 && !study_kernel(l->r))
        snprintf(l->map, sizeof l->map, "%s", m->map);
    else if (strcmp(m->kernel, "poly") == 0 && strcmp(m->map, "none") == 0 && m->gamma == 1 &&
             m->degree <= 8 && m->coef0 >= 0)
        snprintf(l->map, sizeof l->map, "lift:%d:%.17g", m->degree, m->coef0);
}

/* ----- axes ---------------------------------------------------------------------------- */

/* The products in a name, without the factor: "sqrt(2)*x1*x2" -> "x1*x2". */
static const char *bare_name(const char *name)
{
    const char *x = strchr(name, 'x');

    return x != NULL ? x : name;
}

/* The column of this name; -1: the distance; -2: none. */
static int find_column(struct lift *l, const char *name, size_t length)
{
    char own[NAME];

    if (strlen(DISTANCE) == length && strncmp(name, DISTANCE, length) == 0) return -1;
    for (uint64_t j = 0; j < l->columns; j++) {
        const char *full = column_name(l, j, own), *bare = bare_name(full);
        if ((strlen(full) == length && strncmp(name, full, length) == 0) ||
            (strlen(bare) == length && strncmp(name, bare, length) == 0))
            return (int)j;
    }
    return -2;
}

/* x1^2, x1*x2, x2^2 if that is all; else x1, x2 (or the first and last product), and how far from
 * the plane. */
static void usual_axes(struct lift *l)
{
    const int first = find_column(l, "x1", 2), second = find_column(l, "x2", 2);

    l->axis[0] = first >= 0 ? first : 0;
    l->axis[1] = second >= 0 ? second : (int)l->columns - 1;
    l->axis[2] = -1;
    for (int k = 0; l->columns == 3 && k < 3; k++) l->axis[k] = k;
}

static void find_axes(struct lift *l)
{
    const char *at = l->s->q->axes;

    usual_axes(l);
    for (size_t k = 0; at != NULL && k < 3; k++) {
        const size_t length = strcspn(at, ",");
        l->axis[k] = find_column(l, at, length);
        if (l->axis[k] == -2 || (at[length] == ',') != (k < 2)) {
            snprintf(l->why, sizeof l->why,
                     "--axes takes three of the products of --map %s, as in x1^2,x1*x2,x2^2, or "
                     "distance",
                     l->map);
            return;
        }
        at += length + 1;
    }
}

static void open_lift(struct lift *l, const struct study *s, size_t k)
{
    const double zero[2] = { 0, 0 };

    *l = (struct lift){ .s = s, .r = &s->run[k] };
    find_map(l);
    if (s->ds == NULL || s->points == 0) l->map[0] = '\0';
    if (l->map[0] == '\0') {
        snprintf(l->why, sizeof l->why,
                 "it is of rows under a polynomial map, or a polynomial kernel with gamma 1 and a "
                 "constant from 0 on");
        return;
    }
    if (s->data_info.features != 2)
        snprintf(l->why, sizeof l->why, "it is of two features, and there are %llu",
                 (unsigned long long)s->data_info.features);
    else if (l->r->info.outputs != 1)
        snprintf(l->why, sizeof l->why, "there are more than two classes");
    else if (strcmp(l->r->algorithm, "voted") == 0)
        snprintf(l->why, sizeof l->why, "the answer is a vote of many planes");
    else if (!map_pair(l, zero, NULL)) snprintf(l->why, sizeof l->why, "memory is out");
    else if (l->columns < 3 || l->columns > COLUMNS)
        snprintf(l->why, sizeof l->why, "the map makes %s features out of two",
                 l->columns < 3 ? "too few" : "too many");
    else if ((s->learned && study_kernel(l->r)) || !find_weights(l))
        snprintf(l->why, sizeof l->why, "there is no plane: the weights are 0 or not known");
    else find_axes(l);
}

bool picture_lift_possible(const struct study *s, size_t k, char why[STUDY_WHY])
{
    struct lift l;

    open_lift(&l, s, k);
    memcpy(why, l.why, STUDY_WHY);
    return l.map[0] != '\0';
}

/* "√2·x1·x2" for "sqrt(2)*x1*x2". */
static void axis_words(struct lift *l, int axis, char buf[NAME])
{
    char name[NAME];
    size_t n = 0;

    buf[0] = '\0';
    if (axis < 0) {
        snprintf(buf, NAME, "distance");
        return;
    }
    for (const char *at = column_name(l, (uint64_t)axis, name); *at != '\0' && n + 8 < NAME; at++) {
        const char *word = *at == '*'                     ? "·"
                           : strncmp(at, "sqrt(", 5) == 0 ? "√"
                           : strncmp(at, "^2", 2) == 0    ? "²"
                           : strncmp(at, "^3", 2) == 0    ? "³"
                                                          : NULL;
        if (*at == ')') continue;
        if (word == NULL) n += (size_t)snprintf(buf + n, NAME - n, "%c", *at);
        else n += (size_t)snprintf(buf + n, NAME - n, "%s", word);
        if (word != NULL && *at == 's') at += 4;
        if (word != NULL && *at == '^') at++;
    }
}

/* ----- the picture ----------------------------------------------------------------------- */

static double distance(const struct lift *l, const double image[COLUMNS])
{
    double s = l->b;

    for (uint64_t j = 0; j < l->columns; j++) s += l->w[j] * image[j];
    return s / l->length;
}

/* The plane in the three axes, if it is one there. */
static bool plane_of(const struct lift *l, double w[3], double *b)
{
    double elsewhere = 0;

    for (size_t k = 0; k < 3; k++) w[k] = l->axis[k] < 0 ? 1 : 0;
    *b = 0;
    if (w[0] + w[1] + w[2] > 0) return true; /* distance = 0 */
    for (uint64_t j = 0; j < l->columns; j++)
        if ((int)j != l->axis[0] && (int)j != l->axis[1] && (int)j != l->axis[2])
            elsewhere = fmax(elsewhere, fabs(l->w[j]));
    for (size_t k = 0; k < 3; k++) w[k] = l->w[l->axis[k]];
    *b = l->b;
    return elsewhere <= 1e-12 * l->length;
}

/* All rows that are drawn: false if out of memory, or an image is not finite. */
static bool fill_points(struct lift *l, double *at, int *class, char (*hint)[HINT],
                        const char **text)
{
    const struct study *s = l->s;
    double image[COLUMNS];
    char buf[WORD];

    for (size_t i = 0; i < s->points; i++) {
        if (!image_of(l, s->row[i], image)) return false;
        const double far = distance(l, image);
        for (size_t k = 0; k < 3; k++) at[3 * i + k] = l->axis[k] < 0 ? far : image[l->axis[k]];
        class[i] = s->label[i] < 0 ? FIGURE_FAINT : s->label[i];
        snprintf(hint[i], HINT, "row %llu, %s from the plane", (unsigned long long)s->row[i] + 1,
                 word_num(buf, far));
        text[i] = hint[i];
    }
    return true;
}

/* ", x1 = height, x2 = width, scaled": where that has to be said. */
static void rows_words(const struct study *s, char buf[STUDY_WHY])
{
    char feature[2][NAME];
    const char *x1 = study_feature(s, 0, feature[0], NAME);
    const char *x2 = study_feature(s, 1, feature[1], NAME);
    const bool named = strcmp(x1, "x1") != 0 || strcmp(x2, "x2") != 0;
    int n = 0;

    buf[0] = '\0';
    if (named) n = snprintf(buf, STUDY_WHY, ", x1 = %s, x2 = %s", x1, x2);
    if (s->scaling_a != NULL || s->bent) snprintf(buf + n, STUDY_WHY - (size_t)n, ", scaled");
}

static void lift_about(struct figure *f, const struct lift *l, const struct figure_space *p)
{
    char w[3][WORD], b[WORD], rows[WORD], more[STUDY_WHY];

    for (size_t k = 0; k < 3; k++) word_num(w[k], p->w[k]);
    word_num(b, fabs(p->b));
    word_count(rows, l->s->points);
    rows_words(l->s, more);
    if (l->axis[0] >= 0 && l->axis[1] >= 0 && l->axis[2] >= 0)
        figure_about(f, "%s rows under the map %s%s. %s (%s, %s, %s) · (%s, %s, %s) %s %s = 0%s.",
                     rows, l->map, more,
                     p->plane ? "The plane is" : "The plane has weights elsewhere, too:", w[0],
                     w[1], w[2], p->axis[0], p->axis[1], p->axis[2], p->b < 0 ? "-" : "+", b,
                     p->plane ? "" : " is the part of it in these axes");
    else
        figure_about(f,
                     "%s rows under the map %s%s: %llu numbers each, seen along three directions, "
                     "one of them at right angles to the separating plane.",
                     rows, l->map, more, (unsigned long long)l->columns);
}

static struct figure *draw_lift(struct lift *l, size_t k, double *at, int *class,
                                char (*hint)[HINT], const char **text)
{
    const struct study *s = l->s;
    const char *label[STUDY_CLASSES] = { 0 };
    char axis[3][NAME], errors[WORD], rows[WORD];
    struct figure_space p = { .at = at, .class = class, .hint = text, .n = s->points };
    struct figure *f;

    if (!fill_points(l, at, class, hint, text)) return NULL;
    for (size_t i = 0; i < 3; i++) {
        axis_words(l, l->axis[i], axis[i]);
        p.axis[i] = axis[i];
    }
    p.label = label;
    for (; p.labels < s->data_info.labels && p.labels < STUDY_CLASSES; p.labels++)
        label[p.labels] = perc_dataset_label(s->ds, p.labels);
    p.plane = plane_of(l, p.w, &p.b);
    f = picture_of(s, k, "lift", "Lifted by %s, a plane has %s of %s rows on the wrong side",
                   l->map, word_count(errors, l->r->metrics.errors),
                   word_count(rows, l->r->metrics.rows));
    lift_about(f, l, &p);
    figure_space(f, &p);
    return f;
}

struct figure *picture_lift(const struct study *s, size_t k)
{
    struct lift l;
    struct figure *f = figure_lost();

    open_lift(&l, s, k);
    if (l.lost) return f;
    if (l.map[0] == '\0' || l.why[0] != '\0') return NULL;
    double *at = calloc(3 * s->points, sizeof *at);
    int *class = calloc(s->points, sizeof *class);
    char(*hint)[HINT] = calloc(s->points, sizeof *hint);
    const char **text = calloc(s->points, sizeof *text);
    if (at != NULL && class != NULL && hint != NULL && text != NULL)
        f = draw_lift(&l, k, at, class, hint, text);
    if (l.lost) {
        figure_free(f);
        f = figure_lost();
    }
    free(at);
    free(class);
    free(hint);
    free(text);
    return f;
}
