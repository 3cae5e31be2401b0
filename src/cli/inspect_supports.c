/* inspect_supports.c -- the rows that a machine with a kernel is made of.
 *
 * A row's counter is the number of updates that were made on it: for the plain perceptron,
 * the alpha of the row. Rows that were hard to learn have large ones, and so have rows whose
 * label is wrong. So they are sorted by counter, largest first, ties by row.
 *
 * A machine within a budget knows neither which rows its own were nor how often they erred.
 * They are identified by the slot they are kept in, and sorted by |coefficient|. */
#include "cli/inspect.h"

#include <math.h>
#include <stdlib.h>

#include "show/about.h"
#include "show/word.h"

enum { BANDS = 63 }; /* of counters: 1, 2, 3 to 4, 5 to 8, ... */

/* For qsort: by falling |coefficient|, then by rising slot. With several labels there is a
 * coefficient for each, and none here. */
static int by_coefficient(const void *a, const void *b)
{
    const perc_support *p = a, *q = b;
    const double x = fabs(p->coefficient), y = fabs(q->coefficient);

    if (x < y || x > y) return x < y ? 1 : -1;
    return p->row < q->row ? -1 : p->row > q->row;
}

int inspect_supports_list(struct cli *cli, const perc_model *m, int64_t label, uint64_t top,
                          struct supports *out)
{
    perc_model_info info;
    perc_error err = { 0 };

    perc_model_info_get(m, &info);
    *out = (struct supports){ .list = calloc((size_t)info.supports + 1, sizeof *out->list),
                              .model = m,
                              .budget = about_has_budget(m) };
    if (out->list == NULL) return cli_memory(cli);
    if (perc_model_supports(m, out->list, &err)) return cli_fail(cli, NULL, &err);
    for (uint64_t i = 0; i < info.supports; i++) {
        if (out->budget) out->list[i].row = (int64_t)i;
        if (label < 0 || out->list[i].label == label) out->list[out->count++] = out->list[i];
    }
    qsort(out->list, (size_t)out->count, sizeof *out->list,
          out->budget ? by_coefficient : about_by_counter);
    out->shown = top < out->count ? top : out->count;
    return EXIT_DONE;
}

/* How many rows have which counter: "40 rows of 1, 13 rows of 2, 7 rows of 3 to 4". */
static void counter_facts(struct facts *f, const struct supports *s)
{
    uint64_t band[BANDS] = { 0 };
    const char *between = "";
    char rows[WORD];

    if (s->budget) {
        facts_string(f, "counters", "counters", NULL);
        facts_say(f, "none: a budget keeps rows in slots, without their numbers; the label is the "
                     "one that a slot speaks for");
        return;
    }
    for (uint64_t i = 0; i < s->count; i++) {
        int k = 0; /* band k holds the counters above 2^(k-1) and up to 2^k; band 0 holds 1 */

        while (k < BANDS - 2 && ((int64_t)1 << k) < s->list[i].counter) k++;
        band[k]++;
    }
    facts_list(f, "counters", s->count > 0 ? "counters" : NULL);
    for (int k = 0; k < BANDS; k++) {
        const long long low = k == 0 ? 1 : (1LL << (k - 1)) + 1, high = 1LL << k;

        if (band[k] == 0) continue;
        facts_more(f, "%s%s row%s of %lld", between, word_count(rows, band[k]),
                   word_plural(band[k]), low);
        if (high > low) facts_more(f, " to %lld", high);
        between = ", ";
    }
    for (int k = 0; k < BANDS; k++) {
        if (band[k] == 0) continue;
        facts_row(f);
        facts_int(f, "from", NULL, k == 0 ? 1 : ((int64_t)1 << (k - 1)) + 1);
        facts_int(f, "to", NULL, (int64_t)1 << k);
        facts_count(f, "rows", NULL, band[k]);
        facts_end(f);
    }
    facts_end(f);
}

/* A number that rows have only with a budget, or only without: otherwise null, and no column. */
static void int_if(struct facts *f, const char *key, bool known, int64_t v)
{
    if (known) facts_int(f, key, key, v);
    else facts_null(f, key);
}

static void support_row(struct facts *f, const void *ud, uint64_t i)
{
    const struct supports *s = ud;
    const perc_support *p = &s->list[i];
    const bool one = !isnan(s->list[0].coefficient); /* for two labels */

    facts_row(f);
    int_if(f, "row", !s->budget, p->row + 1);
    int_if(f, "slot", s->budget, p->row + 1);
    facts_string(f, "label", "label",
                 p->label >= 0 ? perc_model_label(s->model, (size_t)p->label) : NULL);
    int_if(f, "counter", !s->budget, p->counter);
    facts_real(f, "coefficient", one ? "coefficient" : NULL, p->coefficient);
    facts_end(f);
}

void inspect_supports(struct facts *f, const struct supports *s)
{
    counter_facts(f, s);
    facts_table(f, "support_rows", "");
    facts_each(f, s->shown, s->shown, support_row, s);
    facts_end(f);
    about_more(f, s->count - s->shown);
}
