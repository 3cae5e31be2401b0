/* sketch.c -- threshold neurons that are being put together: logic/compile.c.
 *
 * Invariant   sources increase; no weight is 0 after sketch_simplify. */
#include "logic/sketch.h"

#include <string.h>

void sketch_init(struct sketch *p, const struct env *e)
{
    *p = (struct sketch){ .e = *e };
}

void sketch_free(struct sketch *p)
{
    mem_free(&p->e, p->source, p->source_cap, sizeof *p->source);
    mem_free(&p->e, p->weight, p->weight_cap, sizeof *p->weight);
    *p = (struct sketch){ .e = p->e };
}

static perc_status grow_sketch(struct sketch *p, size_t n)
{
    if (!mem_grow(&p->e, (void **)&p->source, &p->source_cap, n, sizeof *p->source) ||
        !mem_grow(&p->e, (void **)&p->weight, &p->weight_cap, n, sizeof *p->weight))
        return PERC_ENOMEM;
    return PERC_OK;
}

perc_status sketch_copy(const struct sketch *from, struct sketch *to)
{
    if (grow_sketch(to, from->n)) return PERC_ENOMEM;
    if (from->n > 0) {
        memcpy(to->source, from->source, from->n * sizeof *to->source);
        memcpy(to->weight, from->weight, from->n * sizeof *to->weight);
    }
    to->n = from->n;
    to->threshold = from->threshold;
    return PERC_OK;
}

perc_status sketch_add(struct sketch *p, uint32_t source, int64_t weight)
{
    size_t at = p->n;

    while (at > 0 && p->source[at - 1] >= source) at--;
    if (at < p->n && p->source[at] == source) {
        p->weight[at] += weight;
        return PERC_OK;
    }
    if (grow_sketch(p, p->n + 1)) return PERC_ENOMEM;
    memmove(p->source + at + 1, p->source + at, (p->n - at) * sizeof *p->source);
    memmove(p->weight + at + 1, p->weight + at, (p->n - at) * sizeof *p->weight);
    p->source[at] = source;
    p->weight[at] = weight;
    p->n++;
    return PERC_OK;
}

/* The largest sum; the smallest. */
static int64_t extreme_sum(const struct sketch *p, bool largest)
{
    int64_t sum = 0;

    for (size_t i = 0; i < p->n; i++) sum += (p->weight[i] > 0) == largest ? p->weight[i] : 0;
    return sum;
}

void sketch_simplify(struct sketch *p)
{
    const bool always = extreme_sum(p, false) >= p->threshold,
               never = extreme_sum(p, true) < p->threshold;
    size_t n = 0;

    for (size_t i = 0; i < p->n; i++) {
        if (p->weight[i] == 0) continue;
        p->source[n] = p->source[i];
        p->weight[n++] = p->weight[i];
    }
    p->n = always || never ? 0 : n;
    if (always || never) p->threshold = always ? 0 : 1;
}

/* not (w.x >= t)  <=>  w.x <= t - 1  <=>  -w.x >= 1 - t. */
void sketch_negate(struct sketch *p)
{
    for (size_t i = 0; i < p->n; i++) p->weight[i] = -p->weight[i];
    p->threshold = 1 - p->threshold;
}

int sketch_sign(const struct sketch *p)
{
    return p->n != 1 ? 0 : p->weight[0] > 0 ? 1 : -1;
}

/* Whether all weights are 1 or -1. */
static bool is_even(const struct sketch *p)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->weight[i] != 1 && p->weight[i] != -1) return false;
    return p->n > 0;
}

bool sketch_is_and(const struct sketch *p)
{
    return is_even(p) && p->threshold == extreme_sum(p, true);
}

bool sketch_is_or(const struct sketch *p)
{
    return is_even(p) && p->threshold == extreme_sum(p, false) + 1;
}

bool sketch_is_neuron(const struct sketch *p, const struct gate *g, size_t k)
{
    const uint64_t at = g->start[k];

    return g->threshold[k] == p->threshold && g->start[k + 1] - at == p->n &&
           (p->n == 0 || (memcmp(g->source + at, p->source, p->n * sizeof *p->source) == 0 &&
                          memcmp(g->weight + at, p->weight, p->n * sizeof *p->weight) == 0));
}
