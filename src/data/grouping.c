/* grouping.c -- the groups or times of a data set, from a program's arrays. */
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "data/dataset.h"

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
