/* mask.c -- a data set in which some rows count for nothing. */
#include "data/mask.h"

#include <string.h>

/* The set that is handed out comes first, so that mask_remove can find the rest. */
struct masked {
    perc_dataset set;
    double *weight; /* by row */
};

perc_status mask_dataset(const struct env *e, const perc_dataset *ds, const uint8_t *included,
                         perc_dataset **out)
{
    struct masked *m = mem_array(e, 1, sizeof *m);
    struct block *block = mem_array(e, ds->blocks, sizeof *block);
    double *weight = mem_array(e, (size_t)ds->rows, sizeof *weight);

    *out = NULL;
    if (m == NULL || block == NULL || weight == NULL) {
        mem_free(e, m, 1, sizeof *m);
        mem_free(e, block, ds->blocks, sizeof *block);
        mem_free(e, weight, (size_t)ds->rows, sizeof *weight);
        return PERC_ENOMEM;
    }
    *m = (struct masked){ .set = *ds, .weight = weight };
    m->set.e = *e;
    m->set.block = block;
    if (ds->blocks > 0) memcpy(block, ds->block, ds->blocks * sizeof *block);
    for (struct block *b = block; b < block + ds->blocks; b++) {
        double *own = weight + b->first_row;
        for (size_t i = 0; i < b->rows; i++)
            own[i] = included[b->first_row + i] ? block_weight(b, i) : 0;
        b->weight = own;
        b->memory = NULL; /* borrowed */
    }
    *out = &m->set;
    return PERC_OK;
}

void mask_remove(perc_dataset *masked)
{
    struct masked *m = (struct masked *)masked;

    if (masked == NULL) return;
    const struct env e = masked->e;
    mem_free(&e, m->weight, (size_t)masked->rows, sizeof *m->weight);
    mem_free(&e, masked->block, masked->blocks, sizeof *masked->block);
    mem_free(&e, m, 1, sizeof *m);
}
