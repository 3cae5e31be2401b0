/* subproblem.c -- some rows of a problem as a problem of their own. */
#include "prove/job.h"

perc_status subproblem_new(struct subproblem *t, const struct job *j, const unsigned char *wanted,
                           perc_error *err)
{
    uint64_t n = 0;

    for (uint64_t i = 0; i < j->exact->n; i++) n += wanted[i] != 0;
    *t = (struct subproblem){ .exact = *j->exact, .floats = *j->floats };
    t->exact.n = t->floats.n = n;
    t->floats.cost = t->floats.norm2 = NULL;
    pool_init(&t->pool, &j->exact->e);
    uint64_t *row = pool_array(&t->pool, n, sizeof *row);
    signed char *sign = pool_array(&t->pool, n, sizeof *sign);
    uint64_t *ref = pool_array(&t->pool, n, sizeof *ref);
    uint32_t *class = pool_array(&t->pool, n, sizeof *class);
    t->number = pool_array(&t->pool, n, sizeof *t->number);
    if (t->pool.failed) {
        pool_free(&t->pool);
        return fail_memory(err);
    }
    t->exact.row = row;
    t->exact.sign = sign;
    t->floats.ref = ref;
    t->floats.class = class;
    n = 0;
    for (uint64_t i = 0; i < j->exact->n; i++) {
        if (!wanted[i]) continue;
        t->number[n] = i;
        row[n] = j->exact->row[i];
        ref[n] = j->floats->ref[i];
        sign[n] = j->exact->sign[i];
        class[n++] = j->floats->class[i];
    }
    return PERC_OK;
}
