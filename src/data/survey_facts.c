/* survey_facts.c -- what follows from the counts of a column: its quartiles, and what is odd.
 *
 * A column determines the label if no value of it was met with two labels; or if the numbers of
 * each label lie apart from those of all others; or if whether there is a value does. With few
 * rows or many values that happens by chance, so it is told only where chance would hardly do it,
 * once in CHANCE. Of rows whose labels were drawn by their shares,
 *
 *     each that repeats a value has the label of the first with a chance <= p, the largest share,
 *     so that n rows of d values all do has one <= p^(n - d);                               (1)
 *     k labels lie apart in k! of n! / prod n_c! orders, which are more than
 *     exp(sum n_c log(n / n_c)) / (n + 1)^k (Csiszar's method of types).                    (2)
 *
 * A column that is nearly unique names its rows, and what it determines says nothing. */
#include <math.h>

#include "base/sort.h"
#include "data/survey.h"
#include "vec/fmath.h"

#define CHANCE 13.8155105579642741 /* log 10^6 */
enum { FEW_ROWS = 20 };

/* ----- quartiles ------------------------------------------------------------------------ */

struct counted {
    double v;
    uint64_t n;
};

static int by_value(const void *a, const void *b)
{
    const double x = ((const struct counted *)a)->v, y = ((const struct counted *)b)->v;

    return (x > y) - (x < y);
}

/* Number k of the sorted ones, from 0. */
static double value_at(const struct counted *a, uint64_t k)
{
    while (k >= a->n) k -= a++->n;
    return a->v;
}

/* At (n - 1) q, between two values in proportion. */
static double quantile(const struct counted *a, uint64_t n, double q)
{
    const double place = (double)(n - 1) * q, low = floor(place), part = place - low;
    const double below = value_at(a, (uint64_t)low);

    return part == 0 ? below : below + (value_at(a, (uint64_t)low + 1) - below) * part;
}

bool survey_facts_quartiles(const struct perc_survey *s, struct survey_column *c)
{
    const bool exact = c->values.rank == NULL;
    const size_t rows = s->info.rows < s->sample ? (size_t)s->info.rows : s->sample;
    const size_t room = exact ? c->values.n : rows;
    struct counted *a = mem_array(&s->e, room, sizeof *a);
    uint64_t all = 0;
    size_t n = 0;

    if (a == NULL) return false;
    for (size_t i = 0; i < room; i++) {
        const double v = exact               ? c->values.at[i].number
                         : c->sample == NULL ? (double)NAN
                                             : c->sample[i];
        if (isnan(v)) continue;
        a[n] = (struct counted){ v, exact ? c->values.at[i].count : 1 };
        all += a[n++].n;
    }
    sort_items(a, n, sizeof *a, by_value);
    for (int k = 0; k < 3 && all > 0; k++) c->facts.quartile[k] = quantile(a, all, 0.25 * (k + 1));
    c->facts.sampled = !exact && s->info.rows > s->sample;
    mem_free(&s->e, a, room, sizeof *a);
    return true;
}

/* ----- what is odd ---------------------------------------------------------------------- */

/* (2): whether chance would hardly put k groups of these sizes apart. */
static bool hardly_apart(const uint64_t *size, size_t k)
{
    double n = 0, sum = 0;

    for (size_t i = 0; i < k; i++) n += (double)size[i];
    for (size_t i = 0; i < k; i++)
        if (size[i] > 0) sum += (double)size[i] * fm_log(n / (double)size[i]);
    return sum - (double)k * fm_log((n + 1) * (double)k) > CHANCE;
}

/* The label follows from whether there is a value. */
static bool has_gaps_leak(const struct survey_column *c, uint64_t rows)
{
    const uint64_t size[] = { c->missing, rows - c->missing };

    return c->missing > 0 && c->gap_label < SURVEY_MIXED && c->there_label < SURVEY_MIXED &&
           c->gap_label != c->there_label && hardly_apart(size, 2);
}

/* (1) */
static bool has_values_leak(const struct perc_survey *s, const struct survey_column *c)
{
    const uint64_t values = c->values.n + (c->missing > 0);
    uint64_t most = 0, rows = 0;

    for (size_t i = 0; i < s->labels.n; i++) {
        rows += s->of_label[i];
        if (s->of_label[i] > most) most = s->of_label[i];
    }
    if (c->values.rank != NULL || c->wrong > 0 || 2 * values > rows) return false;
    if (c->missing > 0 && c->gap_label == SURVEY_MIXED) return false;
    for (size_t i = 0; i < c->values.n; i++)
        if (c->values.at[i].label == SURVEY_MIXED) return false;
    return (double)(rows - values) * fm_log((double)rows / (double)most) > CHANCE;
}

static int by_begin(const void *a, const void *b)
{
    const struct survey_class *x = a, *y = b;

    return (x->min > y->min) - (x->min < y->min);
}

static bool has_order_leak(const struct perc_survey *s, const struct survey_column *c)
{
    struct survey_class class[SURVEY_CLASSES];
    uint64_t size[SURVEY_CLASSES];
    const size_t k = s->labels.n;

    if (c->class == NULL || k < 2 || k > SURVEY_CLASSES || c->wrong > 0) return false;
    for (size_t i = 0; i < k; i++) {
        class[i] = c->class[i];
        size[i] = class[i].n;
        if (class[i].n == 0) return false;
    }
    sort_items(class, k, sizeof *class, by_begin);
    for (size_t i = 0; i + 1 < k; i++)
        if (class[i].max >= class[i + 1].min) return false;
    return hardly_apart(size, k);
}

/* Words, or whole numbers: that measurements differ is no wonder. */
static bool is_nearly_unique(const struct survey_column *c, uint64_t there)
{
    const bool words = c->kind == COLUMN_CATEGORY || c->kind == COLUMN_LABEL ||
                       c->kind == COLUMN_ID || c->kind == COLUMN_SKIP;

    if (!words && !(c->kind == COLUMN_NUMBER && c->whole)) return false;
    return there >= FEW_ROWS && (double)c->facts.distinct >= 0.95 * (double)there;
}

void survey_facts_remark(const struct perc_survey *s, struct survey_column *c)
{
    perc_survey_column *f = &c->facts;
    const uint64_t rows = s->info.rows, top = c->values.n > 0 ? c->values.at[0].count : 0;
    const uint64_t most = top > c->missing ? top : c->missing;
    const bool feature = c->kind <= COLUMN_DATE;

    f->constant = c->wrong == 0 && f->distinct + (c->missing > 0) <= 1;
    f->near_constant = !f->constant && rows >= FEW_ROWS && (double)most >= 0.99 * (double)rows;
    f->near_unique = is_nearly_unique(c, rows - c->missing - c->wrong);
    if (!feature || f->near_unique || s->labels.n < 2) return;
    f->leak = has_gaps_leak(c, rows)  ? "gaps"
              : has_values_leak(s, c) ? "values"
              : has_order_leak(s, c)  ? "order"
                                      : "";
}
