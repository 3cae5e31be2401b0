/* threshold.c -- the threshold that is best for the scores of rows that were held out.
 *
 * As a threshold t falls through their scores, TP(t) and FP(t) are the weights of the positive and
 * negative rows with s >= t, of P and N in all. Rows of one score change sides together. The best
 * may be:
 *
 *     f1          the largest 2 TP / (TP + FP + P)
 *     balanced    the largest (TP / P + (N - FP) / N) / 2
 *     cost:A,B    the smallest A FP + B (P - TP); calling no row positive is a candidate, too
 *     precision:R the largest TP / P where TP / (TP + FP) >= R; of equals the more precise
 *     recall:R    the largest TP / (TP + FP) where TP / P >= R; of equals the larger recall
 *
 * Of equals the highest t wins. It lies half-way between the lowest score above it and the highest
 * below it, or is the former where no double lies between; below the lowest score of all it is that
 * score, and above the highest the next double.
 *
 * Not here: the scores, and the sigmoids that may be fitted to them (calibrate.c, platt.c); what a
 * threshold does to answers (answer.c). */
#include "model/threshold.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/sort.h"

/* ----- what is asked for ----------------------------------------------------------------- */

bool threshold_number(const char **s, char end, double *out)
{
    const size_t n = strcspn(*s, end != '\0' ? (char[]){ end, '\0' } : "");

    if ((*s)[n] != end || !number_parse(*s, n, out) || !isfinite(*out)) return false;
    *s += n + (end != '\0');
    return true;
}

perc_status threshold_wish(const char *spec, struct wish *out, perc_error *err)
{
    static const struct {
        const char *name;
        enum wish_of of;
    } wish[] = { { "best:f1", WISH_F1 },
                 { "best:balanced", WISH_BALANCED },
                 { "best:cost:", WISH_COST },
                 { "best:precision:", WISH_PRECISION },
                 { "best:recall:", WISH_RECALL } };
    size_t i = 0;

    *out = (struct wish){ .of = WISH_F1 };
    while (i < sizeof wish / sizeof *wish && strncmp(spec, wish[i].name, strlen(wish[i].name)) != 0)
        i++;
    if (i == sizeof wish / sizeof *wish || strlen(spec) >= THRESHOLD_TEXT)
        return fail(err, PERC_EARG,
                    "'%.60s' is none of best:f1, best:balanced, best:cost:FP,FN, "
                    "best:precision:R, best:recall:R",
                    spec);
    const char *s = spec + strlen(wish[i].name);
    out->of = wish[i].of;
    if (out->of == WISH_COST) {
        if (!threshold_number(&s, ',', &out->a) || !threshold_number(&s, '\0', &out->b) ||
            !(out->a >= 0) || !(out->b >= 0) || out->a + out->b == 0 || !isfinite(out->a + out->b))
            return fail(err, PERC_EARG,
                        "'%.60s': after cost: two numbers of at least 0, not both 0, what a false "
                        "positive and a false negative cost",
                        spec);
    } else if (out->of == WISH_PRECISION || out->of == WISH_RECALL) {
        if (!threshold_number(&s, '\0', &out->a) || !(out->a > 0 && out->a <= 1))
            return fail(err, PERC_EARG, "'%.60s': a number above 0 and up to 1 is needed", spec);
    } else if (*s != '\0') return fail(err, PERC_EARG, "'%.60s': nothing goes there", spec);
    return PERC_OK;
}

/* ----- the best one --------------------------------------------------------------------------- */

static int falling(const void *a, const void *b)
{
    const struct held_score *x = a, *y = b;

    if (x->score != y->score) return (x->score < y->score) - (x->score > y->score);
    return (x->row > y->row) - (x->row < y->row);
}

/* The weights of the rows at or above a threshold, and of all. */
struct sides {
    double tp, fp, positive, negative;
};

/* How good these are, and what decides between equals; false: they will not do. */
static bool worth(const struct wish *w, const struct sides *s, double value[2])
{
    const double precision = s->tp / (s->tp + s->fp), recall = s->tp / s->positive;

    value[1] = 0;
    switch (w->of) {
    case WISH_F1: value[0] = 2 * s->tp / (s->tp + s->fp + s->positive); return true;
    case WISH_BALANCED: value[0] = (recall + (s->negative - s->fp) / s->negative) / 2; return true;
    case WISH_COST: value[0] = -(w->a * s->fp + w->b * (s->positive - s->tp)); return true;
    case WISH_PRECISION:
        value[0] = recall;
        value[1] = precision;
        return precision >= w->a;
    default:
        value[0] = precision;
        value[1] = recall;
        return recall >= w->a;
    }
}

/* Between two scores, high > low: above low, and at most high. */
static double between(double high, double low)
{
    const double middle = low / 2 + high / 2;

    return middle > low && middle <= high ? middle : high;
}

static void describe(const struct sides *s, perc_choice *out)
{
    const double fn = s->positive - s->tp, tn = s->negative - s->fp;

    *out = (perc_choice){ .true_positives = s->tp,
                          .false_positives = s->fp,
                          .false_negatives = fn,
                          .true_negatives = tn,
                          .precision = s->tp / (s->tp + s->fp),
                          .recall = s->tp / s->positive,
                          .f1 = 2 * s->tp / (s->tp + s->fp + s->positive),
                          .balanced_accuracy = (s->tp / s->positive + tn / s->negative) / 2 };
}

static perc_status unreachable(const struct wish *w, const struct sides *s, perc_error *err)
{
    return fail(
        err, PERC_ENO,
        "no threshold has a precision of %g on the held-out rows: the largest is %.4g, with "
        "a recall of %.4g",
        w->a, s->tp / (s->tp + s->fp), s->tp / s->positive);
}

perc_status threshold_choose(const struct wish *w, struct held_score *row, size_t n, double *at,
                             perc_choice *out, perc_error *err)
{
    struct sides s = { 0 }, best = { 0 }, precise = { 0 };
    double value[2], highest[2] = { -INFINITY, -INFINITY };
    bool found = false;

    sort_items(row, n, sizeof *row, falling);
    for (size_t i = 0; i < n; i++) *(row[i].positive ? &s.positive : &s.negative) += row[i].weight;
    if (!(s.positive > 0) || !(s.negative > 0))
        return fail(err, PERC_EDATA, "all rows that count are of one class");
    best = precise = s;
    if (w->of == WISH_COST) { /* no row is positive */
        found = worth(w, &s, highest);
        *at = nextafter(row[0].score, INFINITY);
    }
    for (size_t i = 0, next; i < n; i = next) {
        for (next = i; next < n && row[next].score == row[i].score; next++)
            *(row[next].positive ? &s.tp : &s.fp) += row[next].weight;
        /* Of two quotients that both are what is divided first: a / b > c / d. */
        if (s.tp * (precise.tp + precise.fp) > precise.tp * (s.tp + s.fp) || precise.tp == 0)
            precise = s;
        if (!worth(w, &s, value)) continue;
        if (found && !(value[0] > highest[0] || (value[0] == highest[0] && value[1] > highest[1])))
            continue;
        found = true;
        highest[0] = value[0];
        highest[1] = value[1];
        best = s;
        *at = next < n ? between(row[i].score, row[next].score) : row[i].score;
    }
    if (!found) return unreachable(w, &precise, err);
    describe(&best, out);
    return PERC_OK;
}
