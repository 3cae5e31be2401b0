/* integral.c -- rows as whole numbers. */
#include "data/integral.h"

#include <string.h>

enum { FACTOR_BITS = 16 }; /* of a multinomial coefficient: at most 8! */

/* A look at all decimals: how many there are, and how far they reach. */
struct reach {
    uint64_t entries;
    int64_t low, high; /* powers of ten: of the last digit, above the first */
};

/* The power of ten above the first digit. */
static int64_t highest(const struct decimal *d)
{
    int64_t digits = 0;

    for (uint64_t m = d->mantissa; m > 0; m /= 10) digits++;
    return d->exponent + digits;
}

static perc_status look_at_row(const struct exact_lens *l, struct reach *r, int64_t line,
                               perc_error *err)
{
    for (size_t k = 0; k < l->n; k++) {
        const int64_t low = exact_lowest(&l->value[k]), high = highest(&l->value[k]);
        if (low < -INTEGRAL_PLACES || high > INTEGRAL_PLACES)
            return fail_at(err, PERC_EDATA, line, 0,
                           "a number of this row %s: exact arithmetic goes from 1e-%d to 1e%d "
                           "(round or rescale the data, or pass --arithmetic double)",
                           high > INTEGRAL_PLACES ? "is too large" : "has too many decimal places",
                           INTEGRAL_PLACES, INTEGRAL_PLACES);
        if (low < r->low) r->low = low;
        if (high > r->high) r->high = high;
    }
    r->entries += l->n;
    return PERC_OK;
}

/* 10^places d */
static void put_value(uint32_t *x, const struct decimal *d, int64_t places, size_t limbs)
{
    const uint32_t billion = 1000000000;
    const uint64_t m = d->more ? 0 : d->mantissa;

    memset(x, 0, limbs * sizeof *x);
    wide_scale(x, 0, (uint32_t)(m / billion / billion), limbs);
    wide_scale(x, billion, (uint32_t)(m / billion % billion), limbs);
    wide_scale(x, billion, (uint32_t)(m % billion), limbs);
    for (const char *p = d->digits; d->more && p < d->end; p++)
        if (*p != '.') wide_scale(x, 10, (uint32_t)(*p - '0'), limbs);
    wide_scale_ten(x, exact_lowest(d) + places, limbs);
    if (d->negative) wide_negate(x, limbs);
}

static void put_row(struct integral *x, const struct exact_lens *l)
{
    uint64_t at = x->start[x->rows];

    for (size_t k = 0; k < l->n; k++, at++) {
        x->column[at] = l->column[k];
        put_value(x->value + at * x->limbs, &l->value[k], x->places, x->limbs);
    }
    x->start[++x->rows] = at;
}

/* The arrays of x, whose limbs are known; `partners`: they are numbers of their own. */
static perc_status make_arrays(struct integral *x, uint64_t rows, uint64_t entries, bool partners)
{
    const size_t each = x->limbs * sizeof *x->value;

    x->entries = entries;
    x->start = mem_zeroed(&x->e, rows + 1, sizeof *x->start);
    x->column = mem_array(&x->e, entries, sizeof *x->column);
    x->value = mem_array(&x->e, entries, each);
    x->partner = partners ? mem_array(&x->e, entries, each) : x->value;
    return x->start && x->column && x->value && x->partner ? PERC_OK : PERC_ENOMEM;
}

perc_status integral_make(struct integral *x, const struct env *e, const struct block *blocks,
                          size_t count, perc_error *err)
{
    struct reach reach = { .low = 0, .high = 1 };
    struct exact_lens lens;
    uint64_t rows = 0;
    perc_status st = PERC_OK;

    *x = (struct integral){ .e = *e };
    exact_init(&lens, e);
    for (size_t b = 0; b < count; b++)
        for (size_t i = 0; i < blocks[b].rows && !st; i++, rows++)
            st = exact_block_row(&lens, &blocks[b], i)
                     ? fail_memory(err)
                     : block_blame(&blocks[b], i,
                                   look_at_row(&lens, &reach, block_line(&blocks[b], i), err), err);
    if (st) goto done;
    x->places = -reach.low;
    x->bits = (size_t)(reach.high - reach.low) * 10 / 3 + 1; /* 10^3 < 2^10 */
    x->limbs = wide_limbs(x->bits);
    x->partner_places = x->places;
    st = make_arrays(x, rows, reach.entries, false) ? fail_memory(err) : PERC_OK;
    for (size_t b = 0; b < count; b++)
        for (size_t i = 0; i < blocks[b].rows && !st; i++) {
            if (exact_block_row(&lens, &blocks[b], i)) st = fail_memory(err);
            else put_row(x, &lens);
        }
    x->rows = rows; /* all that were asked for, so that they can be freed */
done:
    exact_free(&lens);
    return st;
}

/* ----- images ----------------------------------------------------------------------------- */

/* From rows x to their images. Entry i of any image is made of the entries of its row as column i
 * is made of features that are counted from 0 (map_factors), which is what `map` does. */
struct imaging {
    struct integral *x, *to;
    struct map map;
    uint32_t *constant; /* 10^(its places) C */
    int64_t places;     /* of C */
    uint32_t *room;     /* for a product */
};

/* v *= a */
static void multiply_by(const struct imaging *g, uint32_t *v, const uint32_t *a, size_t limbs)
{
    wide_product(g->room, a, limbs, v, g->to->limbs);
    wide_copy(v, g->room, g->to->limbs);
}

/* Entry i of the image of the row whose entries begin at `from`. Each of the D factors of a product
 * comes with its 10^places, the constant 1 among them; in m each of D, where they are C or 1. */
static void put_entry(const struct imaging *g, uint64_t from, size_t i, uint64_t at)
{
    const struct integral *x = g->x;
    const size_t limbs = g->to->limbs;
    uint32_t *value = g->to->value + at * limbs, *partner = g->to->partner + at * limbs;
    uint64_t part[MAP_DEGREE_MAX];
    const unsigned n = map_features(&g->map, i, part), degree = g->map.degree;

    wide_set(value, 1, limbs);
    wide_scale_ten(value, x->places * (degree - n), limbs);
    for (unsigned k = 0; k < n; k++)
        multiply_by(g, value, x->value + (from + part[k]) * x->limbs, x->limbs);
    if (partner == value) return;
    const struct map_factor m = map_factor(&g->map, i);
    wide_copy(partner, value, limbs);
    wide_scale(partner, m.multinomial, 0, limbs);
    wide_scale_ten(partner, g->places * (degree - m.power), limbs);
    for (unsigned k = 0; k < m.power; k++) multiply_by(g, partner, g->constant, limbs);
}

/* The columns are those of any row with entries there: of ones. */
static void put_image(const struct imaging *g, struct lens *lens, uint64_t row)
{
    const struct integral *x = g->x;
    const uint64_t from = x->start[row];
    const struct row ones = { .index = x->column + from,
                              .n = (size_t)(x->start[row + 1] - from),
                              .values = VALUES_ONES,
                              .indices = INDEX_U64 };
    const struct row image = lens_map(lens, &ones);
    uint64_t at = g->to->start[row];

    for (size_t i = 0; i < image.n; i++, at++) {
        g->to->column[at] = row_column(&image, i);
        put_entry(g, from, i, at);
    }
    g->to->start[row + 1] = at;
}

perc_status integral_map(struct integral *x, struct lens *lens, perc_error *err)
{
    const struct map *m = lens->map;
    const bool lift = m->kind == MAP_LIFT;
    const struct decimal c = exact_double(lift ? m->c : 1);
    const int64_t high = highest(&c) > 0 ? highest(&c) : 0, low = c.exponent < 0 ? c.exponent : 0;
    struct integral to = { .e = x->e, .rows = x->rows };
    struct imaging g = { .x = x, .to = &to, .map = *m, .places = -low };
    uint64_t entries = 0;
    perc_status st = PERC_OK;

    g.map.first = 0;
    to.places = x->places * m->degree;
    to.partner_places = to.places - low * m->degree;
    to.bits = m->degree * (x->bits + (size_t)(high - low) * 10 / 3 + 1) + FACTOR_BITS;
    to.limbs = wide_limbs(to.bits);
    for (uint64_t i = 0; i < x->rows; i++) entries += map_entries(m, x->start[i + 1] - x->start[i]);
    g.constant = mem_array(&x->e, 2, to.limbs * sizeof *g.constant);
    if (make_arrays(&to, x->rows, entries, lift) || g.constant == NULL) {
        st = fail_memory(err);
    } else {
        g.room = g.constant + to.limbs;
        put_value(g.constant, &c, g.places, to.limbs);
        for (uint64_t i = 0; i < x->rows; i++) put_image(&g, lens, i);
    }
    mem_free(&x->e, g.constant, 2, to.limbs * sizeof *g.constant);
    integral_free(st ? &to : x);
    if (!st) *x = to;
    return st;
}

void integral_free(struct integral *x)
{
    if (x->e.alloc == NULL) return;
    const size_t each = x->limbs * sizeof *x->value;
    mem_free(&x->e, x->start, x->rows + 1, sizeof *x->start);
    mem_free(&x->e, x->column, x->entries, sizeof *x->column);
    if (x->partner != x->value) mem_free(&x->e, x->partner, x->entries, each);
    mem_free(&x->e, x->value, x->entries, each);
    *x = (struct integral){ .limbs = 0 };
}
