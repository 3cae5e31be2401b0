/* lens.h -- what a reader of rows looks through: the row itself, or its image under
 * a map, made in scratch memory that the next row reuses.
 *
 * A lens belongs to one thread. Without a map lens_row is block_row. */
#ifndef PERC_LENS_H
#define PERC_LENS_H

#include "data/block.h"
#include "data/map.h"

struct lens {
    struct env e;
    const struct map *map; /* NULL: rows pass unchanged */
    uint32_t *column;
    double *value;
    double *root; /* of a lift: map_factors, of as many entries; else NULL */
    size_t cap;   /* elements of each */
};

/* `map` may be NULL or the identity; else it is borrowed, and may grow (map_set_inputs)
 * while the lens is in use. */
void lens_init(struct lens *l, const struct env *e, const struct map *map);
void lens_free(struct lens *l); /* safe on a zeroed lens */

/* Room for the longest image of a row of b. PERC_EDATA names the line of a row whose
 * image would be too long, whose products are not finite numbers, or that uses a column
 * below the map's first. Does nothing without a map. */
perc_status lens_reserve(struct lens *l, const struct block *b, perc_error *err);
/* The same for one row, which stands on `line` (0: none). */
perc_status lens_reserve_row(struct lens *l, const struct row *x, int64_t line, perc_error *err);

/* The image of x, for which room was made; x itself without a map. Valid until the
 * next call. */
struct row lens_map(struct lens *l, const struct row *x); /* there is a map */

static inline struct row lens_image(struct lens *l, const struct row *x)
{
    return __builtin_expect(l->map == NULL, 1) ? *x : lens_map(l, x);
}

/* Row i of b, or its image, likewise. */
static inline struct row lens_row(struct lens *l, const struct block *b, size_t i)
{
    const struct row x = block_row(b, i);

    return lens_image(l, &x);
}

#endif
