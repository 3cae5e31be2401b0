/* warn.c -- what a person should know before believing a model of these data.
 *
 * Each warning has a key for programs and a sentence with the remedy for people, and comes once:
 *
 *   ranges      a learner that steps along rows, and features that differ by orders of magnitude
 *   regression  nearly every row has a label of its own, and those are numbers
 *   id          a category with nearly one level a row
 *   multilabel  labels like 1,3: several in one
 *   bare-y      a column y beside a column x was not taken for the label
 *
 * A false alarm teaches people to look away, so each asks for clear evidence: the thresholds stand
 * below. Built-in sets are right as they are.
 *
 * Not here: refusals (the library's), and what only some options make doubtful (select.c). */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/train.h"
#include "show/word.h"

enum {
    FEW_ROWS = 20,         /* below, nothing is told from counts */
    LABELS_PER_ROW = 2,    /* regression: as many labels as one row in so many */
    LEVELS_OF_TEN = 9,     /* id: levels for nine rows in ten */
    RANGE_RATIO = 1000,    /* ranges: the widest over the narrowest */
    RANGE_CELLS = 1 << 20, /* cells that are looked at */
    RANGE_ROWS = 1000      /* rows that are */
};

static void add_warning(struct train *t, const char *key, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static void add_warning(struct train *t, const char *key, const char *fmt, ...)
{
    struct warning *w = &t->warning[t->warnings++];
    va_list ap;

    w->key = key;
    va_start(ap, fmt);
    vsnprintf(w->text, sizeof w->text, fmt, ap);
    va_end(ap);
    cli_note(t->cli, "warning: %s", w->text);
}

/* ----- labels -------------------------------------------------------------------------------- */

/* As near as it takes: what is of such characters alone is a number, or a date. */
static bool is_number(const char *s)
{
    return strpbrk(s, "0123456789") != NULL && s[strspn(s, "+-.0123456789eE")] == '\0';
}

/* Whole numbers parted by commas: "1,3"; `several`: at least two. */
static bool is_list(const char *s, bool several)
{
    bool comma = false;

    for (;;) {
        const size_t digits = strspn(s, "0123456789");

        if (digits == 0 || (s[digits] != ',' && s[digits] != '\0')) return false;
        if (s[digits] == '\0') return comma || !several;
        comma = true;
        s += digits + 1;
    }
}

static void look_at_labels(struct train *t, const perc_dataset *ds, const perc_dataset_info *d)
{
    const char *label, *list = NULL;
    bool numbers = true, lists = true;

    for (size_t i = 0; (label = perc_dataset_label(ds, i)) != NULL; i++) {
        numbers = numbers && is_number(label);
        lists = lists && is_list(label, false);
        if (lists && list == NULL && is_list(label, true)) list = label;
    }
    if (numbers && d->rows >= FEW_ROWS && d->labels * LABELS_PER_ROW >= d->rows)
        add_warning(t, "regression",
                    "%zu different numbers are the labels of %llu rows: is this a quantity? "
                    "Classes are learned here, not numbers (make classes of it, or pass --label "
                    "COLUMN)",
                    d->labels, (unsigned long long)d->rows);
    if (lists && list != NULL)
        add_warning(t, "multilabel",
                    "the label %.60s is taken for one class, not for several (train one model for "
                    "each of them, on data that say yes or no)",
                    list);
}

/* ----- columns of a table -------------------------------------------------------------------- */

/* Whether two features begin with the same column: "id=a" and "id=b". */
static int compare_columns(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    const size_t n = strcspn(x, "="), k = strcspn(y, "=");
    const int order = strncmp(x, y, n < k ? n : k);

    return order != 0 ? order : (n > k) - (n < k);
}

/* Words of a text are features as levels are, and so are the parts of a date. */
static bool is_category(const perc_dataset *ds, const char *name, size_t len)
{
    perc_column c;

    for (size_t i = 0; perc_dataset_column(ds, i, &c); i++)
        if (strncmp(c.name, name, len) == 0 && c.name[len] == '\0')
            return strcmp(c.kind, "category") == 0;
    return true; /* its name has a '=' */
}

static void look_at_levels(struct train *t, const perc_dataset *ds, const perc_dataset_info *d)
{
    const char **name = malloc((size_t)(d->features + 1) * sizeof *name), *feature;
    size_t n = 0;

    for (uint64_t j = 0; name != NULL && (feature = perc_dataset_feature(ds, j)) != NULL; j++)
        if (strchr(feature, '=') != NULL) name[n++] = feature;
    if (n > 0) qsort(name, n, sizeof *name, compare_columns);
    for (size_t i = 0, to; i < n; i = to) {
        for (to = i + 1; to < n && compare_columns(&name[i], &name[to]) == 0;) to++;
        if (10 * (uint64_t)(to - i) < LEVELS_OF_TEN * d->rows) continue;
        const int len = (int)strcspn(name[i], "=");
        if (!is_category(ds, name[i], (size_t)len)) continue;
        add_warning(t, "id",
                    "column '%.*s' has %zu values in %llu rows, so that nothing can be learned "
                    "from it: is it a name? (pass --ignore, or --text if these are words)",
                    len < 60 ? len : 60, name[i], to - i, (unsigned long long)d->rows);
        break;
    }
    free(name);
}

static bool has_feature(const perc_dataset *ds, char lower)
{
    const char *name;

    for (uint64_t j = 0; (name = perc_dataset_feature(ds, j)) != NULL; j++)
        if ((name[0] | 0x20) == lower && name[1] == '\0') return true;
    return false;
}

static void look_at_y(struct train *t, const perc_dataset *ds, const perc_dataset_info *d)
{
    static const char *const usual[] = { "label", "class", "target" };
    const char *at = strstr(d->note, "; label '");
    size_t named = 0;

    if (at == NULL || !has_feature(ds, 'y') || !has_feature(ds, 'x')) return;
    at += strlen("; label '");
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        named += strncasecmp(at, usual[i], strlen(usual[i])) == 0;
    if (named == 0)
        add_warning(t, "bare-y",
                    "beside a column x the column y is a feature, and '%.*s', the last, the label "
                    "(pass --label y, or --label with its name)",
                    (int)strcspn(at, "'"), at);
}

/* ----- ranges -------------------------------------------------------------------------------- */

static void name_feature(const perc_dataset *ds, uint64_t j, int base, char *out, size_t size)
{
    const char *name = perc_dataset_feature(ds, j);

    if (name != NULL) snprintf(out, size, "'%.60s'", name);
    else snprintf(out, size, "feature %llu", (unsigned long long)j + (unsigned)base);
}

static void compare_ranges(struct train *t, const perc_dataset *ds, const perc_dataset_info *d,
                           const double *low, const double *high)
{
    uint64_t widest = d->features, narrowest = d->features;
    double most = 0, least = INFINITY;
    char name[2][80];

    for (uint64_t j = 0; j < d->features; j++) {
        const double range = high[j] - low[j];

        if (range > most) most = range, widest = j;
        if (range > 0 && range < least) least = range, narrowest = j;
    }
    if (widest == d->features || most / least < RANGE_RATIO) return;
    name_feature(ds, widest, d->index_base, name[0], sizeof name[0]);
    name_feature(ds, narrowest, d->index_base, name[1], sizeof name[1]);
    add_warning(t, "ranges",
                "%s spans %.3g and %s %.3g: %s hears the large numbers alone (pass --scale %s)",
                name[0], most, name[1], least, t->algorithm, d->dense ? "standard" : "maxabs");
}

static void look_at_ranges(struct train *t, const perc_dataset *ds, const perc_dataset_info *d)
{
    const perc_about *about = perc_table_about(t->algorithm);
    const bool diagonal = strcmp(t->algorithm, "arow") == 0 ||
                          strcmp(t->algorithm, "second-order") == 0; /* for such features */
    uint64_t rows = d->rows < RANGE_ROWS ? d->rows : RANGE_ROWS;
    perc_scaling s;

    perc_dataset_scaling(ds, &s);
    if (about == NULL || !about->online || diagonal || strcmp(s.how, "none") != 0 ||
        d->features == 0 || d->features > RANGE_CELLS)
        return;
    if (rows * d->features > RANGE_CELLS) rows = RANGE_CELLS / d->features;
    double *x = malloc(3 * (size_t)d->features * sizeof *x);
    if (x == NULL) return;
    double *low = x + d->features, *high = low + d->features;
    for (uint64_t i = 0; i < rows; i++) {
        perc_dataset_row(ds, i, x);
        for (uint64_t j = 0; j < d->features; j++) {
            if (i == 0 || x[j] < low[j]) low[j] = x[j];
            if (i == 0 || x[j] > high[j]) high[j] = x[j];
        }
    }
    if (rows > 0) compare_ranges(t, ds, d, low, high);
    free(x);
}

/* ----- all of them --------------------------------------------------------------------------- */

void warn_about(struct train *t)
{
    const perc_dataset *ds = t->select.whole != NULL ? t->select.whole : t->ds;
    const char *kernel = perc_params_get(t->params, "kernel");
    perc_dataset_info d;

    if (ds == NULL || t->from != NULL) return;
    perc_dataset_info_get(ds, &d);
    if (strcmp(d.format, "builtin") == 0) return;
    look_at_labels(t, ds, &d);
    const bool table = strcmp(d.format, "csv") == 0 || strcmp(d.format, "jsonl") == 0;
    if (table && d.rows >= FEW_ROWS) look_at_levels(t, ds, &d);
    if (table && !cli_given(t->cli, "label")) look_at_y(t, ds, &d);
    if (kernel == NULL || strcmp(kernel, "precomputed") != 0) look_at_ranges(t, ds, &d);
}

void warn_facts(const struct train *t, struct facts *f)
{
    if (t->warnings == 0) return;
    facts_section(f, FACTS_UNTOLD); /* people have them on standard error */
    facts_list(f, "warnings", NULL);
    for (size_t i = 0; i < t->warnings; i++) {
        facts_row(f);
        facts_string(f, "key", NULL, t->warning[i].key);
        facts_string(f, "text", NULL, t->warning[i].text);
        facts_end(f);
    }
    facts_end(f);
    facts_section(f, 0);
}
