/* lens.c -- scratch memory for the images of rows, and its limits. */
#include "data/lens.h"

#include <inttypes.h>
#include <math.h>

void lens_init(struct lens *l, const struct env *e, const struct map *map)
{
    *l = (struct lens){ .e = *e, .map = map_is_identity(map) ? NULL : map };
}

void lens_free(struct lens *l)
{
    mem_free(&l->e, l->column, l->cap, sizeof *l->column);
    mem_free(&l->e, l->value, l->cap, sizeof *l->value);
    *l = (struct lens){ .e = l->e };
}

/* Room for n elements. What is in them need not be kept. */
static perc_status grow_room(struct lens *l, size_t n, perc_error *err)
{
    uint32_t *column;
    double *value;

    if (n <= l->cap) return PERC_OK;
    column = mem_array(&l->e, n, sizeof *column);
    value = mem_array(&l->e, n, sizeof *value);
    if (column == NULL || value == NULL) {
        mem_free(&l->e, column, n, sizeof *column);
        mem_free(&l->e, value, n, sizeof *value);
        return fail_memory(err);
    }
    mem_free(&l->e, l->column, l->cap, sizeof *l->column);
    mem_free(&l->e, l->value, l->cap, sizeof *l->value);
    l->column = column;
    l->value = value;
    l->cap = n;
    return PERC_OK;
}

/* The room a row needs, or why it cannot have it. */
static perc_status measure_row(const struct map *m, const struct row *x, int64_t line, size_t *room,
                               perc_error *err)
{
    const struct support s = map_support(m, x);

    if (s.below)
        return fail_at(err, PERC_EDATA, line, 0,
                       "index 0, where features were counted from %" PRIu64 " (pass --index 0)",
                       m->first);
    if (map_entries(m, s.n) > MAP_ENTRIES_MAX)
        return fail_at(err, PERC_EDATA, line, 0,
                       "the row's %zu features have more than %" PRIu64
                       " products of up to %u: too many for --map (use a lower degree)",
                       s.n, MAP_ENTRIES_MAX, m->degree);
    /* No product exceeds the D-th power of the largest value, which is one of them: a
     * rounded product grows with its factors. A bucket adds up at most all of them. */
    double p = m->bits > 0 ? (double)map_entries(m, s.n) : 1;
    for (unsigned k = 0; k < m->degree; k++) p *= s.largest;
    if (!isfinite(p))
        return fail_at(err, PERC_EDATA, line, 0,
                       "feature %" PRIu64 " is too large: its power %u is no longer a number "
                       "(scale the features, --scale)",
                       s.at, m->degree);
    *room = (size_t)map_room(m, s.n);
    return PERC_OK;
}

perc_status lens_reserve_row(struct lens *l, const struct row *x, int64_t line, perc_error *err)
{
    size_t room = 0;
    perc_status st;

    if (l->map == NULL) return PERC_OK;
    if ((st = measure_row(l->map, x, line, &room, err))) return st;
    return grow_room(l, room, err);
}

perc_status lens_reserve(struct lens *l, const struct block *b, perc_error *err)
{
    size_t longest = 0, room = 0;
    perc_status st;

    if (l->map == NULL) return PERC_OK;
    for (size_t i = 0; i < b->rows; i++) {
        const struct row x = block_row(b, i);
        if ((st = measure_row(l->map, &x, block_line(b, i), &room, err))) return st;
        if (room > longest) longest = room;
    }
    return grow_room(l, longest, err);
}

struct row lens_map(struct lens *l, const struct row *x)
{
    const size_t n = map_row(l->map, x, l->column, l->value);

    return (struct row){ .value = l->value,
                         .index = l->column,
                         .n = n,
                         .stride = sizeof(double),
                         .values = VALUES_F64,
                         .indices = INDEX_U32 };
}
