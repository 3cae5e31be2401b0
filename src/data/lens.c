/* lens.c -- scratch memory for the images of rows, and its limits. */
#include "data/lens.h"
#include "perceptron_inspect.h"

#include <inttypes.h>
#include <math.h>

void lens_init(struct lens *l, const struct env *e, const struct map *map)
{
    *l = (struct lens){ .e = *e, .map = map_is_identity(map) ? NULL : map };
}

static void free_arrays(struct lens *l)
{
    mem_free(&l->e, l->column, l->cap, sizeof *l->column);
    mem_free(&l->e, l->value, l->cap, sizeof *l->value);
    if (l->root != NULL) mem_free(&l->e, l->root, l->cap, sizeof *l->root);
}

void lens_free(struct lens *l)
{
    free_arrays(l);
    *l = (struct lens){ .e = l->e };
}

/* Room for n elements, or a lens as it was. What is in them need not be kept. */
static perc_status grow_room(struct lens *l, size_t n, perc_error *err)
{
    const bool lifts = l->map->kind == MAP_LIFT;

    if (n <= l->cap) return PERC_OK;
    uint32_t *column = mem_array(&l->e, n, sizeof *column);
    double *value = mem_array(&l->e, n, sizeof *value);
    double *root = lifts ? mem_array(&l->e, n, sizeof *root) : NULL;
    if (column == NULL || value == NULL || (lifts && root == NULL)) {
        mem_free(&l->e, column, n, sizeof *column);
        mem_free(&l->e, value, n, sizeof *value);
        mem_free(&l->e, root, n, sizeof *root);
        return fail_memory(err);
    }
    if (lifts) map_factors(l->map, n, root);
    free_arrays(l);
    l->column = column;
    l->value = value;
    l->root = root;
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
    /* With the factors of a lift none exceeds |phi(x)| = (|x|^2 + C)^(D/2). */
    double q = m->kind == MAP_LIFT ? 1 : 0;
    for (unsigned k = 0; k < m->degree; k++) q *= sqrt((double)s.n + m->c) * fmax(s.largest, 1);
    if (!isfinite(p + q))
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
        if ((st = measure_row(l->map, &x, block_line(b, i), &room, err)))
            return block_blame(b, i, st, err);
        if (room > longest) longest = room;
    }
    return grow_room(l, longest, err);
}

struct row lens_map(struct lens *l, const struct row *x)
{
    const size_t n = map_row(l->map, x, l->column, l->value);

    for (size_t i = 0; i < n && l->root != NULL; i++) l->value[i] *= l->root[i];
    return (struct row){ .value = l->value,
                         .index = l->column,
                         .n = n,
                         .stride = sizeof(double),
                         .values = VALUES_F64,
                         .indices = INDEX_U32 };
}

/* ----- for everybody ------------------------------------------------------------------- */

/* The map for points of n features, which are the columns 1 .. n. */
static perc_status map_for(const char *map, size_t n, struct map *m, perc_error *err)
{
    const perc_status st = map_parse(map, m, err);

    if (st) return st;
    if (m->bits > 0) return fail(err, PERC_EARG, "%.40s: buckets have no points", map);
    return map_set_inputs(m, 1, (uint64_t)n + 1, err);
}

perc_status perc_map_image(const perc_env *env, const char *map, const double *x, size_t n,
                           double *image, size_t room, uint64_t *columns, perc_error *err)
{
    NEED(columns != NULL);
    *columns = 0;
    NEED(map != NULL && (x != NULL || n == 0 || image == NULL) && n < UINT32_MAX);
    const struct env e = env_resolve(env);
    const struct row r = { .value = x,
                           .n = n,
                           .first = 1,
                           .stride = sizeof *x,
                           .values = VALUES_F64,
                           .indices = INDEX_DENSE };
    struct map m;
    struct lens l;
    perc_status st;

    *columns = 0;
    if ((st = map_for(map, n, &m, err))) return st;
    *columns = map_columns(&m, (uint64_t)n + 1) - 1;
    if (image == NULL || *columns > room) return PERC_OK;
    lens_init(&l, &e, &m);
    if (!(st = lens_reserve_row(&l, &r, 0, err))) {
        const struct row y = lens_image(&l, &r);
        for (uint64_t j = 0; j < *columns; j++) image[j] = 0;
        for (size_t i = 0; i < y.n; i++) image[row_column(&y, i) - 1] = row_value(&y, i);
    }
    lens_free(&l);
    return st;
}

const char *perc_map_name(const char *map, size_t n, uint64_t j, char *buf, size_t size)
{
    if (map == NULL || buf == NULL || n >= UINT32_MAX) return NULL;
    const struct env e = env_resolve(NULL);
    struct text name;
    struct map m;

    if (size == 0 || map_for(map, n, &m, NULL) || j >= map_columns(&m, (uint64_t)n + 1) - 1)
        return NULL;
    text_init(&name, &e);
    if (map_is_identity(&m)) text_fmt(&name, "x%" PRIu64, j + 1);
    else map_name(&m, j + 1, NULL, NULL, &name);
    const char *text = name.s != NULL && !name.oom ? name.s : "";
    size_t k = 0;
    for (; k + 1 < size && text[k] != '\0'; k++) buf[k] = text[k];
    buf[k] = '\0';
    text_free(&name);
    return buf;
}
