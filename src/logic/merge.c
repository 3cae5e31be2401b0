/* merge.c -- at least so many of some pieces, as one piece, if one neuron can compute that.
 *
 * The sources are taken for independent, which neurons are not always; so more might be merged
 * than is. What is merged is right on every row of the table below, hence on those that occur. */
#include "logic/merge.h"

#include "logic/neuron.h"

struct trial {
    struct env e;
    struct part *part;
    size_t n, most;
    int64_t least;
    uint32_t leaf[NEURON_INPUTS]; /* the sources, increasing */
    size_t leaves;
    uint64_t *table;
    struct neuron neuron;
};

/* The place of a source among the leaves, or the one where it belongs. */
static size_t place_of(const struct trial *t, uint32_t source)
{
    size_t at = 0;

    while (at < t->leaves && t->leaf[at] < source) at++;
    return at;
}

/* False: there are too many. */
static bool add_leaf(struct trial *t, uint32_t source)
{
    const size_t at = place_of(t, source);

    if (at < t->leaves && t->leaf[at] == source) return true;
    if (t->leaves == t->most) return false;
    for (size_t k = t->leaves++; k > at; k--) t->leaf[k] = t->leaf[k - 1];
    t->leaf[at] = source;
    return true;
}

static bool is_whole(const struct part *p)
{
    return !p->merged && p->piece->n > 1;
}

static bool gather_leaves(struct trial *t)
{
    t->leaves = 0;
    for (size_t i = 0; i < t->n; i++) {
        const struct piece *p = t->part[i].piece;
        if (is_whole(&t->part[i])) {
            if (!add_leaf(t, t->part[i].neuron)) return false;
            continue;
        }
        for (size_t k = 0; k < p->n; k++)
            if (!add_leaf(t, p->source[k])) return false;
    }
    return true;
}

/* The value of a part where bit k of the row is that of leaf k. */
static bool value_of(const struct trial *t, const struct part *part, uint64_t row)
{
    const struct piece *p = part->piece;
    int64_t sum = 0;

    if (is_whole(part)) return row >> place_of(t, part->neuron) & 1;
    for (size_t k = 0; k < p->n; k++)
        if (row >> place_of(t, p->source[k]) & 1) sum += p->weight[k];
    return sum >= p->threshold;
}

/* Whether one neuron does, with the parts that are now said to be merged. */
static perc_status try_parts(struct trial *t, bool *yes, perc_error *err)
{
    *yes = false;
    if (!gather_leaves(t)) return PERC_OK;
    const uint64_t rows = (uint64_t)1 << t->leaves;
    for (uint64_t r = 0; r < rows; r++) {
        int64_t count = 0;
        for (size_t i = 0; i < t->n; i++) count += value_of(t, &t->part[i], r);
        if (r % 64 == 0) t->table[r / 64] = 0;
        t->table[r / 64] |= (uint64_t)(count >= t->least) << (r % 64);
    }
    const perc_status st = neuron_find(&t->e, t->table, t->leaves, &t->neuron, err);
    *yes = !st && t->neuron.found;
    return st;
}

static perc_status take(const struct trial *t, struct piece *out, perc_error *err)
{
    out->threshold = t->neuron.threshold;
    for (size_t k = 0; k < t->leaves; k++)
        if (piece_add(out, t->leaf[k], t->neuron.weight[k])) return fail_memory(err);
    piece_tidy(out);
    return PERC_OK;
}

/* All at once, for that is often possible; else one after the other. */
static perc_status choose(struct trial *t, bool *any, perc_error *err)
{
    bool yes = false;
    size_t last = 0;
    perc_status st;

    *any = false;
    for (size_t i = 0; i < t->n; i++) {
        t->part[i].merged = t->part[i].piece->n > 1;
        *any |= t->part[i].merged;
    }
    if (!*any) return PERC_OK;
    if ((st = try_parts(t, &yes, err)) || yes) return st;
    *any = false;
    for (size_t i = 0; i < t->n; i++) t->part[i].merged = false;
    for (size_t i = 0; i < t->n; i++) {
        if (t->part[i].piece->n < 2) continue;
        t->part[i].merged = true;
        if ((st = try_parts(t, &yes, err))) return st;
        t->part[i].merged = yes;
        *any |= yes;
        last = yes ? 0 : last + 1;
    }
    return *any && last > 0 ? try_parts(t, &yes, err) : PERC_OK; /* the last was not the one kept */
}

perc_status merge_parts(const struct env *e, struct part *part, size_t n, int64_t least,
                        size_t most, struct piece *out, bool *done, perc_error *err)
{
    struct trial t = { .e = *e, .part = part, .n = n, .least = least, .most = most };
    const size_t words = (((size_t)1 << most) + 63) / 64;
    perc_status st;

    *done = false;
    if ((t.table = mem_array(e, words, sizeof *t.table)) == NULL) return fail_memory(err);
    st = choose(&t, done, err);
    if (!st && *done) st = take(&t, out, err);
    mem_free(e, t.table, words, sizeof *t.table);
    return st;
}

/* ----- one piece ---------------------------------------------------------------------------- */

/* Let w.x >= t be the piece, and q <= c what counts the others, q = c if they all are 1. Then
 *
 *     M q + w.x >= M c + t     with  M > max w.x - t
 *
 * is the `and`: one of the others that is missing cannot be made up for. And if q >= c says that
 * one of the others is 1, and q = c - 1 that none is,
 *
 *     M q + w.x >= M (c - 1) + t     with  M >= t - min w.x
 *
 * is the `or`. */
int64_t merge_weight(const struct piece *p, bool and)
{
    int64_t most = 0, least = 0;

    for (size_t i = 0; i < p->n; i++) *(p->weight[i] > 0 ? &most : &least) += p->weight[i];
    const int64_t m = and? most - p->threshold + 1 : p->threshold - least;
    return m <= MERGE_WEIGHT ? m : 0;
}

perc_status merge_one(struct piece *p, const struct piece *one, bool and)
{
    const int64_t m = merge_weight(one, and);

    for (size_t i = 0; i < p->n; i++) p->weight[i] *= m;
    p->threshold = m * (and? p->threshold : p->threshold - 1) + one->threshold;
    for (size_t i = 0; i < one->n; i++)
        if (piece_add(p, one->source[i], one->weight[i])) return PERC_ENOMEM;
    piece_tidy(p);
    return PERC_OK;
}
