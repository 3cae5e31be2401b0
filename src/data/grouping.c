/* grouping.c -- the groups or times of a data set: from a column, or from a program's arrays. */
#include "data/grouping.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "data/csv_cell.h"
#include "data/dataset.h"

/* ----- from a column --------------------------------------------------------------------- */

perc_status grouping_begin(const struct env *e, const perc_params *data, const struct reader *r,
                           struct grouping *out, perc_error *err)
{
    *out = (struct grouping){ .e = *e,
                              .group = *params_text(data, "group") != '\0',
                              .time = *params_text(data, "time") != '\0',
                              .notation = *reader_notation(r) };
    schema_init(&out->names, e);
    text_init(&out->plain, e);
    if (out->group && out->time)
        return fail(err, PERC_EARG, "--group and --time cannot be combined: folds go by one");
    if ((out->group || out->time) && reader_carry(r)->n == 0)
        return fail(err, PERC_EARG, "--%s names a column of a table, and this is none",
                    out->group ? "group" : "time");
    return PERC_OK;
}

/* A time that is a number may be one in another notation: *text becomes the plain one. true: it is
 * no number there, though it would be a plain one. */
static bool read_number(struct grouping *g, const char **text, size_t *len)
{
    double v;

    if (notation_is_plain(&g->notation)) return false;
    const enum notation_fault fault = notation_number(&g->notation, *text, *len, &g->plain);
    if (fault == NOTATION_OK && !g->plain.oom &&
        moment_parse(g->plain.s, g->plain.len, &v) == MOMENT_NUMBER) {
        *text = g->plain.s;
        *len = g->plain.len;
    }
    return fault != NOTATION_OK && moment_parse(*text, *len, &v) == MOMENT_NUMBER;
}

/* Row i of those that came last. */
static perc_status take_row(struct grouping *g, const struct carried *cells, size_t i, uint64_t at,
                            perc_error *err)
{
    const char *text = cells->text.s + cells->at[i];
    size_t len = strlen(text);
    char shown[CELL_BUFFER];

    cell_trim(&text, &len);
    if (g->time && read_number(g, &text, &len))
        return fail(err, PERC_EDATA,
                    "'%s' has a point, and numbers have decimal commas here (pass --decimal . for "
                    "what the point is)",
                    csv_cell_show(text, len, shown));
    if (g->plain.oom) return fail_memory(err);
    if (g->time) return moment_take(text, len, &g->kind, &g->found.time[at], err);
    return schema_add(&g->names, 0, text, len, &g->found.of[at]) ? fail_memory(err) : PERC_OK;
}

perc_status grouping_take(struct grouping *g, const struct reader *r, const struct block *b,
                          perc_error *err)
{
    const uint64_t n = g->found.rows;
    perc_status st = PERC_OK;

    if (!g->group && !g->time) return PERC_OK;
    if (g->time ? !MEM_GROW(&g->e, g->found.time, &g->cap, n + b->rows)
                : !MEM_GROW(&g->e, g->found.of, &g->cap, n + b->rows))
        return fail_memory(err);
    for (size_t i = 0; i < b->rows && !st; i++) {
        st = take_row(g, reader_carried(r), i, n + i, err);
        if (st == PERC_EDATA && err != NULL) err->line = block_line(b, i);
        block_blame(b, i, st, err);
    }
    g->found.rows = n + b->rows;
    return st;
}

perc_status grouping_end(struct grouping *g, struct groups *out)
{
    struct groups *f = &g->found;
    void *exact = NULL;

    if (f->time != NULL) exact = mem_resize(&g->e, f->time, g->cap, f->rows, sizeof *f->time);
    if (f->of != NULL) exact = mem_resize(&g->e, f->of, g->cap, f->rows, sizeof *f->of);
    if (exact == NULL) return f->time != NULL || f->of != NULL ? PERC_ENOMEM : PERC_OK;
    *out = (struct groups){ .rows = f->rows, .n = g->names.categories };
    if (f->time != NULL) out->time = exact;
    else out->of = exact;
    f->time = NULL;
    f->of = NULL;
    return PERC_OK;
}

void grouping_free(struct grouping *g)
{
    mem_free(&g->e, g->found.of, g->cap, sizeof *g->found.of);
    mem_free(&g->e, g->found.time, g->cap, sizeof *g->found.time);
    schema_free(&g->names);
    text_free(&g->plain);
    *g = (struct grouping){ .e = g->e };
}

/* ----- from a program's arrays ------------------------------------------------------------ */

struct numbered_row {
    uint64_t group, row;
    uint64_t first; /* row of this group */
};

static int by_group(const void *a, const void *b)
{
    const struct numbered_row *x = a, *y = b;

    if (x->group != y->group) return x->group < y->group ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static int by_first(const void *a, const void *b)
{
    const struct numbered_row *x = a, *y = b;

    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* Any numbers become 0, 1, 2, ... in the order in which they are met. */
static perc_status number_groups(const struct env *e, const uint64_t *group, struct groups *out)
{
    const uint64_t n = out->rows;
    struct numbered_row *r = mem_array(e, n, sizeof *r);

    out->of = mem_array(e, n, sizeof *out->of);
    if (r == NULL || out->of == NULL) {
        mem_free(e, r, n, sizeof *r);
        return PERC_ENOMEM;
    }
    for (uint64_t i = 0; i < n; i++) r[i] = (struct numbered_row){ group[i], i, 0 };
    sort_items(r, (size_t)n, sizeof *r, by_group);
    for (uint64_t i = 0; i < n; i++)
        r[i].first = i > 0 && r[i].group == r[i - 1].group ? r[i - 1].first : r[i].row;
    sort_items(r, (size_t)n, sizeof *r, by_first);
    for (uint64_t i = 0; i < n; i++) {
        out->n += i == 0 || r[i].first != r[i - 1].first;
        out->of[r[i].row] = (uint32_t)(out->n - 1);
    }
    mem_free(e, r, n, sizeof *r);
    return PERC_OK;
}

perc_status perc_dataset_set_groups(perc_dataset *ds, const uint64_t *group, perc_error *err)
{
    NEED(ds != NULL);
    struct groups own = { .rows = ds->rows };

    if (group != NULL && number_groups(&ds->e, group, &own)) {
        groups_free(&ds->e, &own);
        return fail_memory(err);
    }
    groups_free(&ds->e, &ds->groups);
    if (group != NULL) ds->groups = own; /* the set owns them now */
    return PERC_OK;
}

perc_status perc_dataset_set_times(perc_dataset *ds, const double *time, perc_error *err)
{
    NEED(ds != NULL);
    struct groups own = { .rows = ds->rows };

    for (uint64_t i = 0; time != NULL && i < ds->rows; i++)
        if (!isfinite(time[i]))
            return fail(err, PERC_EDATA, "the time of row %llu is not finite",
                        (unsigned long long)i + 1);
    if (time != NULL && (own.time = mem_array(&ds->e, ds->rows, sizeof *own.time)) == NULL)
        return fail_memory(err);
    if (time != NULL) memcpy(own.time, time, ds->rows * sizeof *time);
    groups_free(&ds->e, &ds->groups);
    if (time != NULL) ds->groups = own;
    return PERC_OK;
}
