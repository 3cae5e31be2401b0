/* subproblem.c -- some rows of a problem as a problem of their own. */
#include <string.h>

#include "prove/job.h"

perc_status subproblem_new(struct subproblem *t, const struct job *j, const unsigned char *keep,
                           perc_error *err)
{
    const struct env *e = &j->exact->e;
    uint64_t n = 0;

    for (uint64_t i = 0; i < j->exact->n; i++) n += keep[i] != 0;
    *t = (struct subproblem){ .exact = *j->exact, .floats = *j->floats };
    t->exact.n = t->floats.n = n;
    t->floats.cost = t->floats.norm2 = NULL;
    t->exact.row = t->row = mem_array(e, n, sizeof *t->row);
    t->exact.sign = t->sign = mem_array(e, n, sizeof *t->sign);
    t->floats.ref = t->ref = mem_array(e, n, sizeof *t->ref);
    t->floats.class = t->class = mem_array(e, n, sizeof *t->class);
    t->number = mem_array(e, n, sizeof *t->number);
    if (t->number == NULL || t->row == NULL || t->ref == NULL || t->sign == NULL ||
        t->class == NULL) {
        subproblem_free(t);
        return fail_memory(err);
    }
    n = 0;
    for (uint64_t i = 0; i < j->exact->n; i++) {
        if (!keep[i]) continue;
        t->number[n] = i;
        t->row[n] = j->exact->row[i];
        t->ref[n] = j->floats->ref[i];
        t->sign[n] = j->exact->sign[i];
        t->class[n++] = j->floats->class[i];
    }
    return PERC_OK;
}

void subproblem_free(struct subproblem *t)
{
    const struct env *e = &t->exact.e;
    const uint64_t n = t->exact.n;

    if (e->alloc == NULL) return;
    mem_free(e, t->number, n, sizeof *t->number);
    mem_free(e, t->row, n, sizeof *t->row);
    mem_free(e, t->ref, n, sizeof *t->ref);
    mem_free(e, t->sign, n, sizeof *t->sign);
    mem_free(e, t->class, n, sizeof *t->class);
    memset(t, 0, sizeof *t);
}
