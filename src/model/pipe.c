/* pipe.c -- what is done to a row before a machine sees it. */
#include "model/pipe.h"

void pipe_init(struct pipe *p, const struct env *e, uint64_t shift,
               const struct transform *transform, const struct map *map)
{
    const bool scales = transform != NULL && !transform_is_identity(transform);

    *p = (struct pipe){ .e = *e, .shift = shift, .transform = scales ? transform : NULL };
    lens_init(&p->lens, e, map);
}

void pipe_free(struct pipe *p)
{
    mem_free(&p->e, p->shifted, p->shifted_cap, sizeof *p->shifted);
    mem_free(&p->e, p->column, p->column_cap, sizeof *p->column);
    mem_free(&p->e, p->value, p->value_cap, sizeof *p->value);
    lens_free(&p->lens);
    *p = (struct pipe){ .e = p->e };
}

bool pipe_is_identity(const struct pipe *p)
{
    return p->shift == 0 && p->transform == NULL && p->lens.map == NULL;
}

static perc_status shift_row(struct pipe *p, struct row *x, perc_error *err)
{
    if (x->indices == INDEX_DENSE) {
        x->first += p->shift;
        return PERC_OK;
    }
    if (!MEM_GROW(&p->e, p->shifted, &p->shifted_cap, x->n)) return fail_memory(err);
    for (size_t k = 0; k < x->n; k++) {
        const uint64_t column = row_column(x, k) + p->shift;
        if (column > UINT32_MAX) { /* beyond every model: the rest of the row is unknown */
            x->n = k;
            break;
        }
        p->shifted[k] = (uint32_t)column;
    }
    x->index = p->shifted;
    x->indices = INDEX_U32;
    return PERC_OK;
}

perc_status pipe_row(struct pipe *p, struct row *x, int64_t line, perc_error *err)
{
    perc_status st = PERC_OK;

    if (p->shift > 0) st = shift_row(p, x, err);
    if (!st && p->transform != NULL) {
        const uint64_t n = p->transform->columns > x->n ? p->transform->columns : x->n;
        if (!MEM_GROW(&p->e, p->column, &p->column_cap, n) ||
            !MEM_GROW(&p->e, p->value, &p->value_cap, n))
            return fail_memory(err);
        x->n = transform_row(p->transform, x, p->column, p->value);
        x->index = p->column;
        x->value = p->value;
        x->indices = INDEX_U32;
        x->values = VALUES_F64;
        x->stride = sizeof *p->value;
    }
    if (!st && p->lens.map != NULL) st = lens_reserve_row(&p->lens, x, line, err);
    if (!st) *x = lens_image(&p->lens, x);
    return st;
}
