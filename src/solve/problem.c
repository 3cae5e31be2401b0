/* problem.c -- what the solvers solve. */
#include "solve/problem.h"

perc_status problem_lens(const struct problem *p, struct lens *out, perc_error *err)
{
    perc_status st = PERC_OK;

    lens_init(out, &p->e, p->map);
    for (size_t k = 0; k < p->block_count && !st; k++) st = lens_reserve(out, &p->blocks[k], err);
    if (st) lens_free(out);
    return st;
}
