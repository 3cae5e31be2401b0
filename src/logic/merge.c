/* merge.c -- at least so many of some sketches, as one sketch, if one neuron can compute that.
 *
 * The sources are treated as independent, which neurons are not always; so more might be merged
 * than is. What is merged is right on every row of the table below, hence on those that occur. */
#include "logic/merge.h"

#include "logic/neuron.h"

struct trial {
    struct env e;
    struct term *term;
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

static bool is_whole(const struct term *p)
{
    return !p->merged && p->sketch->n > 1;
}

/* The value of a term where bit k of the row is that of leaf k. */
static bool term_value(const struct trial *t, const struct term *term, uint64_t row)
{
    const struct sketch *p = term->sketch;
    int64_t sum = 0;

    if (is_whole(term)) return row >> place_of(t, term->neuron) & 1;
    for (size_t k = 0; k < p->n; k++)
        if (row >> place_of(t, p->source[k]) & 1) sum += p->weight[k];
    return sum >= p->threshold;
}

/* Whether one neuron can do it, with the terms that are marked as merged now. */
static perc_status try_terms(struct trial *t, bool *yes, perc_error *err)
{
    *yes = false;
    t->leaves = 0;
    for (size_t i = 0; i < t->n; i++) {
        const struct sketch *p = t->term[i].sketch;
        const bool whole = is_whole(&t->term[i]);
        for (size_t k = 0; k < (whole ? 1 : p->n); k++)
            if (!add_leaf(t, whole ? t->term[i].neuron : p->source[k])) return PERC_OK;
    }
    const uint64_t rows = (uint64_t)1 << t->leaves;
    for (uint64_t r = 0; r < rows; r++) {
        int64_t count = 0;
        for (size_t i = 0; i < t->n; i++) count += term_value(t, &t->term[i], r);
        if (r % 64 == 0) t->table[r / 64] = 0;
        t->table[r / 64] |= (uint64_t)(count >= t->least) << (r % 64);
    }
    const perc_status st = neuron_find(&t->e, t->table, t->leaves, &t->neuron, err);
    *yes = !st && t->neuron.found;
    return st;
}

/* All at once, for that is often possible; else one after the other. */
static perc_status choose_merged(struct trial *t, bool *any, perc_error *err)
{
    bool yes = false;
    size_t last = 0;
    perc_status st;

    *any = false;
    for (size_t i = 0; i < t->n; i++) {
        t->term[i].merged = t->term[i].sketch->n > 1;
        *any |= t->term[i].merged;
    }
    if (!*any) return PERC_OK;
    if ((st = try_terms(t, &yes, err)) || yes) return st;
    *any = false;
    for (size_t i = 0; i < t->n; i++) t->term[i].merged = false;
    for (size_t i = 0; i < t->n; i++) {
        if (t->term[i].sketch->n < 2) continue;
        t->term[i].merged = true;
        if ((st = try_terms(t, &yes, err))) return st;
        t->term[i].merged = yes;
        *any |= yes;
        last = yes ? 0 : last + 1;
    }
    return *any && last > 0 ? try_terms(t, &yes, err) : PERC_OK; /* if the last was not kept */
}

perc_status merge_terms(const struct env *e, struct term *term, size_t n, int64_t least,
                        size_t most, struct sketch *out, bool *done, perc_error *err)
{
    struct trial t = { .e = *e, .term = term, .n = n, .least = least, .most = most };
    const size_t words = (((size_t)1 << most) + 63) / 64;
    perc_status st;

    *done = false;
    if ((t.table = mem_array(e, words, sizeof *t.table)) == NULL) return fail_memory(err);
    st = choose_merged(&t, done, err);
    if (!st && *done) {
        out->threshold = t.neuron.threshold;
        for (size_t k = 0; k < t.leaves && !st; k++)
            if (sketch_add(out, t.leaf[k], t.neuron.weight[k])) st = fail_memory(err);
        sketch_simplify(out);
    }
    mem_free(e, t.table, words, sizeof *t.table);
    return st;
}

/* ----- one sketch ---------------------------------------------------------------------------- */

/* Let w.x >= t be the sketch, and q <= c what counts the others, q = c if they all are 1. Then
 *
 *     M q + w.x >= M c + t     with  M > max w.x - t
 *
 * is the `and`: one of the others that is missing cannot be made up for. And if q >= c says that
 * one of the others is 1, and q = c - 1 that none is,
 *
 *     M q + w.x >= M (c - 1) + t     with  M >= t - min w.x
 *
 * is the `or`. */
int64_t merge_weight(const struct sketch *p, bool and)
{
    int64_t most = 0, least = 0;

    for (size_t i = 0; i < p->n; i++) *(p->weight[i] > 0 ? &most : &least) += p->weight[i];
    const int64_t m = and? most - p->threshold + 1 : p->threshold - least;
    return m <= MERGE_WEIGHT ? m : 0;
}

perc_status merge_one(struct sketch *p, const struct sketch *one, bool and)
{
    const int64_t m = merge_weight(one, and);

    for (size_t i = 0; i < p->n; i++) p->weight[i] *= m;
    p->threshold = m * (and? p->threshold : p->threshold - 1) + one->threshold;
    for (size_t i = 0; i < one->n; i++)
        if (sketch_add(p, one->source[i], one->weight[i])) return PERC_ENOMEM;
    sketch_simplify(p);
    return PERC_OK;
}
