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

/* Rows lie one after the other in a block: one long row is all of them. */
static void decode_block(const struct block *from, double *value, struct block *to)
{
    const struct row all = { .value = from->value,
                             .index = from->index,
                             .n = (size_t)from->start[from->rows],
                             .stride = 4,
                             .values = from->values,
                             .indices = from->indices };

    *to = *from;
    to->value = row_decode(&all, ALL_COLUMNS, value).v;
    to->values = VALUES_F64;
}

void shared_make(struct problem *p, struct shared *out)
{
    uint64_t entries;
    size_t at = 0;

    *out = (struct shared){ .e = p->e };
    if (!is_worth_it(p, &entries)) return;
    out->n = p->block_count;
    out->entries = (size_t)entries;
    out->rows = (size_t)p->n;
    out->blocks = mem_array(&p->e, out->n, sizeof *out->blocks);
    out->value = mem_array(&p->e, out->entries, sizeof *out->value);
    out->norm2 = mem_array(&p->e, out->rows, sizeof *out->norm2);
    if (out->blocks == NULL || out->value == NULL || out->norm2 == NULL) {
        shared_free(out);
        return;
    }
    for (size_t k = 0; k < out->n; k++) {
        decode_block(&p->blocks[k], out->value + at, &out->blocks[k]);
        at += (size_t)p->blocks[k].start[p->blocks[k].rows];
    }
    p->blocks = out->blocks;
    for (uint64_t i = 0; i < p->n; i++) {
        const struct row x = problem_block_row(p, i);
        out->norm2[i] = row_norm2(&x);
    }
    p->norm2 = out->norm2;
}

void shared_free(struct shared *s)
{
    mem_free(&s->e, s->blocks, s->n, sizeof *s->blocks);
    mem_free(&s->e, s->value, s->entries, sizeof *s->value);
    mem_free(&s->e, s->norm2, s->rows, sizeof *s->norm2);
    *s = (struct shared){ .e = s->e };
}
