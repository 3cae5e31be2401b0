/* problem_floats.c -- the rows of an exact problem in doubles. */
#include "prove/problem_floats.h"

perc_status problem_floats(const struct whole *exact, struct problem *floats, perc_error *err)
{
    uint64_t *ref = mem_array(&exact->e, exact->n, sizeof *ref);
    uint32_t *class = mem_array(&exact->e, exact->n, sizeof *class);
    size_t b = 0;

    *floats = (struct problem){ .e = exact->e,
                                .blocks = exact->ds->block,
                                .block_count = exact->ds->blocks,
                                .dims = exact->ds->columns,
                                .offset = exact->offset,
                                .n = exact->n,
                                .ref = ref,
                                .class = class };
    if (ref == NULL || class == NULL) return fail_memory(err);
    for (uint64_t i = 0; i < exact->n; i++) {
        while (exact->row[i] >= floats->blocks[b].first_row + floats->blocks[b].rows) b++;
        ref[i] = ref_make(b, exact->row[i] - floats->blocks[b].first_row);
        class[i] = exact->sign[i] > 0;
    }
    return PERC_OK;
}

void problem_floats_free(struct problem *floats)
{
    mem_free(&floats->e, (void *)(uintptr_t)floats->ref, floats->n, sizeof *floats->ref);
    mem_free(&floats->e, (void *)(uintptr_t)floats->class, floats->n, sizeof *floats->class);
}
