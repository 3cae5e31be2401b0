/* groups.c -- which rows belong together, or when each was. See groups.h. */
#include "data/groups.h"

void groups_free(const struct env *e, struct groups *g)
{
    if (g->of != NULL) mem_free(e, g->of, g->rows, sizeof *g->of);
    if (g->time != NULL) mem_free(e, g->time, g->rows, sizeof *g->time);
    *g = (struct groups){ .rows = 0 };
}

perc_status groups_choose(const struct env *e, const struct groups *from, const uint64_t *row,
                          uint64_t n, struct groups *out)
{
    *out = (struct groups){ .rows = n, .n = from->n };
    if (from->of != NULL) out->of = mem_array(e, n, sizeof *out->of);
    if (from->time != NULL) out->time = mem_array(e, n, sizeof *out->time);
    if ((from->of != NULL && out->of == NULL) || (from->time != NULL && out->time == NULL)) {
        groups_free(e, out);
        return PERC_ENOMEM;
    }
    for (uint64_t i = 0; i < n; i++) {
        if (out->of != NULL) out->of[i] = from->of[row[i]];
        if (out->time != NULL) out->time[i] = from->time[row[i]];
    }
    return PERC_OK;
}
