/* linear.c -- the linear machine: s(x) = w.x + b. */
#include "machine/linear.h"

#include <math.h>
#include <string.h>

void linear_init(struct linear *m, const struct env *e, bool offset)
{
    *m = (struct linear){ .e = *e, .offset = offset };
}

void linear_free(struct linear *m)
{
    mem_free(&m->e, m->w, m->cap, sizeof *m->w);
    *m = (struct linear){ .e = m->e };
}

perc_status linear_copy(const struct env *e, const struct linear *from, struct linear *to)
{
    linear_init(to, e, from->offset);
    if (linear_grow(to, from->dims)) return PERC_ENOMEM;
    if (from->dims > 0) memcpy(to->w, from->w, from->dims * sizeof *to->w);
    to->b = from->b;
    return PERC_OK;
}

perc_status linear_grow(struct linear *m, uint64_t dims)
{
    void *p = m->w;
    size_t cap = (size_t)m->cap;

    if (dims <= m->dims) return PERC_OK;
    if (!mem_grow(&m->e, &p, &cap, dims, sizeof *m->w)) return PERC_ENOMEM;
    m->w = p;
    m->cap = cap;
    memset(m->w + m->dims, 0, (dims - m->dims) * sizeof *m->w);
    m->dims = dims;
    return PERC_OK;
}

double linear_score(const struct linear *m, const struct row *x)
{
    return row_dot(x, m->w, m->dims) + m->b;
}

double linear_norm(const struct linear *m)
{
    return sqrt(vec_norm2(m->w, m->dims));
}

double linear_norm_augmented(const struct linear *m)
{
    return sqrt(vec_norm2(m->w, m->dims) + m->b * m->b);
}
