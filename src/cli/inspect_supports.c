/* inspect_supports.c -- the rows that a machine with a kernel is made of.
 *
 * A row's counter is the number of updates that were made on it: of the plain perceptron,
 * the alpha of its row. Rows that were hard to learn have large ones, and so have rows whose
 * label is wrong. So they are sorted by counter, largest first, ties by row.
 *
 * A machine within a budget knows neither which rows its own were nor how often they erred.
 * They are told by the slot they are kept in, and sorted by |coefficient|. */
#include "cli/inspect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "show/grid.h"
#include "show/word.h"

enum { BANDS = 63 }; /* of counters: 1, 2, 3 to 4, 5 to 8, ... */

/* For qsort: the counter falling, then the row rising. */
static int by_counter(const void *a, const void *b)
{
    const perc_support *p = a, *q = b;

    if (p->counter != q->counter) return p->counter < q->counter ? 1 : -1;
    return p->row < q->row ? -1 : p->row > q->row;
}

/* For qsort: |coefficient| falling, then the slot rising. With several labels there is a
 * coefficient for each, and none here. */
static int by_coefficient(const void *a, const void *b)
{
    const perc_support *p = a, *q = b;
    const double x = fabs(p->coefficient), y = fabs(q->coefficient);

    if (x < y || x > y) return x < y ? 1 : -1;
    return p->row < q->row ? -1 : p->row > q->row;
}

int supports_list(struct cli *cli, const perc_model *m, int64_t label, uint64_t top,
                  struct supports *out)
{
    perc_model_info info;
    perc_error err = { 0 };

    perc_model_info_get(m, &info);
    *out = (struct supports){ .list = calloc((size_t)info.supports + 1, sizeof *out->list),
                              .budget = cli_has_budget(m) };
    if (out->list == NULL) return cli_memory(cli);
    if (perc_model_supports(m, out->list, &err)) return cli_fail(cli, NULL, &err);
    for (uint64_t i = 0; i < info.supports; i++) {
        if (out->budget) out->list[i].row = (int64_t)i;
        if (label < 0 || out->list[i].label == label) out->list[out->count++] = out->list[i];
    }
    qsort(out->list, (size_t)out->count, sizeof *out->list,
          out->budget ? by_coefficient : by_counter);
    out->shown = top < out->count ? top : out->count;
    return EXIT_DONE;
}

/* Band k holds the counters above 2^(k-1) and up to 2^k; band 0 holds 1. */
static int band_of(int64_t counter)
{
    int k = 0;

    while (k < BANDS - 2 && ((int64_t)1 << k) < counter) k++;
    return k;
}

static void count_bands(const struct supports *s, uint64_t band[BANDS])
{
    for (int k = 0; k < BANDS; k++) band[k] = 0;
    for (uint64_t i = 0; i < s->count; i++) band[band_of(s->list[i].counter)]++;
}

static long long band_low(int k)
{
    return k == 0 ? 1 : (1LL << (k - 1)) + 1;
}

void supports_fact(struct out *o, const struct supports *s)
{
    uint64_t band[BANDS];
    char list[900], rows[WORD];
    int n = 0;

    if (s->budget)
        cli_fact(o, "counters",
                 "none: a budget keeps rows in slots, without their numbers; the "
                 "label is the one that a slot speaks for");
    if (s->budget || s->count == 0) return;
    count_bands(s, band);
    for (int k = 0; k < BANDS && n < (int)sizeof list - 80; k++) {
        const long long low = band_low(k), high = 1LL << k;

        if (band[k] == 0) continue;
        n += snprintf(list + n, sizeof list - (size_t)n, "%s%s row%s of %lld", n > 0 ? ", " : "",
                      word_count(rows, band[k]), band[k] == 1 ? "" : "s", low);
        if (high > low) n += snprintf(list + n, sizeof list - (size_t)n, " to %lld", high);
    }
    cli_fact(o, "counters", "%s", list);
}

static const char *label_of(const perc_model *m, const perc_support *s)
{
    const char *label = s->label >= 0 ? perc_model_label(m, (size_t)s->label) : NULL;

    return label != NULL ? label : "?";
}

void supports_table(struct cli *cli, const perc_model *m, const struct supports *s)
{
    const bool one = s->count > 0 && !isnan(s->list[0].coefficient); /* for two labels */
    struct grid *g = grid_new(&cli->env, !s->budget && one   ? "rlrr"
                                         : s->budget && !one ? "rl"
                                                             : "rlr");
    char value[WORD];

    grid_cell(g, s->budget ? "slot" : "row");
    grid_cell(g, "label");
    if (!s->budget) grid_cell(g, "counter");
    if (one) grid_cell(g, "coefficient");
    for (uint64_t i = 0; i < s->shown; i++) {
        grid_fmt(g, "%lld", (long long)s->list[i].row + 1);
        grid_cell(g, label_of(m, &s->list[i]));
        if (!s->budget) grid_fmt(g, "%lld", (long long)s->list[i].counter);
        if (one) grid_cell(g, word_num(value, s->list[i].coefficient));
    }
    if (s->shown > 0) {
        out_text(cli->out, "\n");
        grid_print(g, cli->out, 0);
    }
    grid_free(g);
    if (s->shown < s->count)
        out_fmt(cli->out, "... and %s more (--all shows them)\n",
                word_count(value, s->count - s->shown));
}

static void json_bands(struct out *o, const struct supports *s)
{
    uint64_t band[BANDS];

    count_bands(s, band);
    out_begin(o, '[');
    for (int k = 0; k < BANDS; k++)
        if (band[k] > 0) {
            out_begin(o, '{');
            out_key_int(o, "from", band_low(k));
            out_key_int(o, "to", (int64_t)1 << k);
            out_key_int(o, "rows", (int64_t)band[k]);
            out_end(o, '}');
        }
    out_end(o, ']');
}

static void int_or_null(struct out *o, const char *key, bool known, int64_t v)
{
    out_key(o, key);
    if (known) out_int(o, v);
    else out_null(o);
}

void supports_json(struct out *o, const perc_model *m, const struct supports *s)
{
    out_key(o, "counters");
    if (s->budget) out_null(o);
    else json_bands(o, s);
    out_key(o, "support_rows");
    out_begin(o, '[');
    for (uint64_t i = 0; i < s->shown; i++) {
        out_begin(o, '{');
        int_or_null(o, "row", !s->budget, s->list[i].row + 1);
        int_or_null(o, "slot", s->budget, s->list[i].row + 1);
        out_key(o, "label");
        if (s->list[i].label >= 0) out_string(o, label_of(m, &s->list[i]));
        else out_null(o);
        int_or_null(o, "counter", !s->budget, s->list[i].counter);
        out_key_real(o, "coefficient", s->list[i].coefficient);
        out_end(o, '}');
    }
    out_end(o, ']');
}
