/* picture_bound.c -- Novikoff's two inequalities (1962) as pictures.
 *
 *     |w|^2 <= k R^2      w.u >= k gamma'      so      k gamma' <= sqrt(k) R
 *
 * and the two sides of the last one meet at k = (R / gamma')^2, where every run must have ended. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "show/word.h"
#include "study/picture_parts.h"

/* The numbers after each update, from k = 0 or from the first. */
struct curves {
    double *k, *norm2, *norm, *along;
    size_t n;
};

static bool curves_of(const struct study_run *r, struct curves *c)
{
    double *all = calloc(4 * r->norms + 1, sizeof *all);

    *c = (struct curves){ all, all + r->norms, all + 2 * r->norms, all + 3 * r->norms, r->norms };
    for (size_t i = 0; all != NULL && i < r->norms; i++) {
        c->k[i] = r->norm[i].k;
        c->norm2[i] = r->norm[i].norm2;
        c->norm[i] = sqrt(r->norm[i].norm2);
        c->along[i] = r->norm[i].along;
    }
    return all != NULL;
}

struct figure *picture_norm(const struct study *s, size_t k)
{
    const struct study_run *r = &s->run[k];
    const double radius2 = r->report.radius * r->report.radius;
    char norm[WORD], most[WORD], updates[PICTURE_TEXT];
    struct curves c;
    struct figure *f;

    if (r->norms == 0) return NULL;
    if (!curves_of(r, &c)) return figure_lost();
    const double last = c.k[c.n - 1], end = c.norm2[c.n - 1];
    const double line_x[2] = { 0, last }, line_y[2] = { 0, last * radius2 };

    picture_count(updates, (int64_t)last, "update", "updates");
    word_grouped(norm, end);
    word_grouped(most, last * radius2);
    if (r->plain) {
        f = picture_of(s, k, "norm", "After %s |w|² is %s; k R² allows %s", updates, norm, most);
        figure_about(f,
                     "The squared length of the weights, offset included, after each update: an "
                     "update on a mistake adds at most R², so that it stays below the line k R², "
                     "here %s after %s. It is %s.",
                     most, updates, norm);
        figure_curve(f, "k R²", FIGURE_INK, FIGURE_DASHED, line_x, line_y, 2);
    } else {
        f = picture_of(s, k, "norm", "After %s |w|² is %s", updates, norm);
        figure_about(f, "The squared length of the weights, offset included, after each update.");
    }
    figure_curve(f, "|w|²", 0, FIGURE_SOLID, c.k, c.norm2, c.n);
    figure_axis(f, FIGURE_X, "updates k", 0, NAN);
    figure_axis(f, FIGURE_Y, "|w|²", 0, NAN);
    figure_whole(f, FIGURE_X);
    free(c.k);
    return f;
}

/* Both on logarithmic scales: k gamma' rises twice as steeply as sqrt(k) R. */
struct figure *picture_bound(const struct study *s, size_t k)
{
    const struct study_run *r = &s->run[k];
    char limit[PICTURE_TEXT], gamma[WORD], radius[WORD], updates[PICTURE_TEXT];
    char word[PICTURE_TEXT + 8];
    struct curves c;
    struct figure *f;

    if (r->norms == 0 || !r->plain || s->advance == NULL || !(s->limit < INFINITY)) return NULL;
    if (!curves_of(r, &c)) return figure_lost();
    const double to = 2 * s->limit;
    const double x[2] = { 1, to }, floor_y[2] = { s->gamma, to * s->gamma };
    const double roof_y[2] = { s->radius, sqrt(to) * s->radius };
    const double meet_y = sqrt(s->limit) * s->radius;

    picture_count(updates, r->report.updates, "update", "updates");
    picture_limit(s, limit);
    f = picture_of(s, k, "bound", "%s; no run can make more than %s", updates, limit);
    figure_about(f,
                 "With u the direction of the largest margin, each update adds at least gamma' "
                 "= %s to w·u, and |w| stays below sqrt(k) R, R = %s. The two lines meet at "
                 "k = (R/gamma')² = %s: there every run has ended. This one made %s.",
                 word_grouped(gamma, s->gamma), word_grouped(radius, s->radius), limit, updates);
    figure_log(f, FIGURE_X);
    figure_log(f, FIGURE_Y);
    figure_curve(f, "√k R", FIGURE_INK, FIGURE_DASHED, x, roof_y, 2);
    figure_curve(f, "|w|", 1, FIGURE_SOLID, c.k, c.norm, c.n);
    figure_curve(f, "w·u", 0, FIGURE_SOLID, c.k, c.along, c.n);
    figure_curve(f, "k γ′", FIGURE_INK, FIGURE_DOTTED, x, floor_y, 2);
    figure_rings(f, NULL, FIGURE_ALERT, &s->limit, &meet_y, 1, NULL);
    snprintf(word, sizeof word, "bound %s", limit);
    figure_word(f, s->limit, meet_y, word);
    figure_axis(f, FIGURE_X, "updates k", 1, to);
    figure_axis(f, FIGURE_Y, "", NAN, NAN);
    free(c.k);
    return f;
}
