/* shared.c -- what problems on the same rows share. */
#include "solve/shared.h"

#include "vec/row_lanes.h"

#define MOST ((uint64_t)1 << 27) /* doubles: 1 GiB */

/* Decoding is worth saving for short decimals; a map hides the rows. */
static bool is_worth_it(const struct problem *p, uint64_t *entries)
{
    *entries = 0;
    for (size_t k = 0; k < p->block_count; k++) {
        const struct block *b = &p->blocks[k];
        if (b->values != VALUES_DEC || b->indices == INDEX_DENSE || b->start == NULL ||
            b->start[0] != 0)
            return false;
        *entries += b->start[b->rows];
    }
    return map_is_identity(p->map) && *entries > 0 && *entries <= MOST;
}

void shared_make(struct problem *p, struct pool *pool)
{
    uint64_t entries;

    pool_init(pool, &p->e);
    if (!is_worth_it(p, &entries)) return;
    struct block *block = pool_array(pool, p->block_count, sizeof *block);
    double *value = pool_array(pool, entries, sizeof *value);
    double *norm2 = pool_array(pool, p->n, sizeof *norm2);
    if (pool->failed) {
        pool_free(pool);
        return;
    }
    for (size_t k = 0; k < p->block_count; k++) {
        const struct block *from = &p->blocks[k];
        /* Rows lie one after the other in a block: one long row is all of them. */
        const struct row all = { .value = from->value,
                                 .index = from->index,
                                 .n = (size_t)from->start[from->rows],
                                 .stride = 4,
                                 .values = from->values,
                                 .indices = from->indices };
        block[k] = *from;
        block[k].value = row_decode(&all, ALL_COLUMNS, value).v;
        block[k].values = VALUES_F64;
        value += all.n;
    }
    p->blocks = block;
    for (uint64_t i = 0; i < p->n; i++) {
        const struct row x = problem_block_row(p, i);
        norm2[i] = row_norm2(&x);
    }
    p->norm2 = norm2;
}
