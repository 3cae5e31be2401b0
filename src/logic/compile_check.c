/* compile_check.c -- a compiled network beside its formula, on all rows.
 *
 * Many rows go through the network at a time, so that the inner loop is a plain one over bytes. A
 * difference is a bug in compile.c: it is reported, and nothing is returned. */
#include <string.h>

#include "base/pool.h"
#include "logic/compile.h"

enum { ROWS = 256, GROUP = 16 }; /* rows at a time; outputs whose tables are held at a time */

struct check {
    const struct compiled *c;
    const struct formula *f;
    uint32_t name[COMPILE_INPUTS];
    size_t n, words;
    unsigned char *state; /* [source][row] */
    uint64_t *table;      /* GROUP of them */
    int64_t sum[ROWS];
};

/* Fills the states of ROWS rows from row `first` on. */
static void run_rows(struct check *k, uint64_t first)
{
    const struct gate *g = &k->c->net;

    for (size_t i = 0; i < g->inputs; i++)
        for (size_t r = 0; r < ROWS; r++)
            k->state[i * ROWS + r] = (unsigned char)((first + r) >> i & 1);
    for (size_t j = 0; j < g->neurons; j++) {
        unsigned char *mine = k->state + (g->inputs + j) * ROWS;
        for (size_t r = 0; r < ROWS; r++) k->sum[r] = -g->threshold[j];
        for (uint64_t s = g->start[j]; s < g->start[j + 1]; s++) {
            const unsigned char *heard = k->state + (size_t)g->source[s] * ROWS;
            for (size_t r = 0; r < ROWS; r++) k->sum[r] += g->weight[s] * heard[r];
        }
        for (size_t r = 0; r < ROWS; r++) mine[r] = k->sum[r] >= 0;
    }
}

/* The table of output o by the formula. */
static perc_status true_table(const struct check *k, size_t o, const uint32_t *output,
                              uint64_t *table)
{
    const struct formula *f = k->f;

    if (o >= k->c->outputs)
        return formula_table(f, f->name[f->inputs + o - k->c->outputs].root, k->name, k->n, table);
    const struct name *name = &f->name[output[o]];
    if (name->role == ROLE_WIRE) return formula_table(f, name->root, k->name, k->n, table);
    memset(table, 0, k->words * sizeof *table); /* a state, as it is now */
    for (uint64_t r = 0; r < (uint64_t)1 << k->n; r++)
        table[r / 64] |= (r >> output[o] & 1) << (r % 64);
    return PERC_OK;
}

/* Compares output o of the network with its table, in the rows from `at` on. */
static perc_status compare_rows(const struct check *k, size_t o, const uint64_t *table, uint64_t at,
                                perc_error *err)
{
    const struct gate *g = &k->c->net;
    const unsigned char *mine = k->state + (size_t)g->output[o] * ROWS;

    for (uint64_t r = at; r < (uint64_t)1 << k->n && r < at + ROWS; r++)
        if (mine[r - at] != (table[r / 64] >> (r % 64) & 1))
            return fail(err, PERC_EDATA, "a bug: the network for '%s' is wrong in row %llu",
                        g->output_name[o], (unsigned long long)r);
    return PERC_OK;
}

perc_status compile_check(const struct compiled *c, const struct formula *f, perc_error *err)
{
    const struct gate *g = &c->net;
    struct check k = { .c = c, .f = f, .n = f->inputs + f->states };
    struct pool pool;

    pool_init(&pool, &g->e);
    k.words = (((size_t)1 << k.n) + 63) / 64;
    for (size_t i = 0; i < k.n; i++) k.name[i] = (uint32_t)i;
    uint32_t *output = pool_array(&pool, c->outputs, sizeof *output);
    k.state = pool_array(&pool, (g->inputs + g->neurons) * ROWS, sizeof *k.state);
    k.table = pool_array(&pool, GROUP * k.words, sizeof *k.table);
    if (!pool.failed) formula_outputs(f, output, c->outputs);
    perc_status st = pool.failed ? fail_memory(err) : PERC_OK;
    for (size_t first = 0; first < g->outputs && !st; first += GROUP) {
        const size_t n = g->outputs - first < GROUP ? g->outputs - first : GROUP;
        for (size_t o = 0; o < n && !st; o++)
            if (true_table(&k, first + o, output, k.table + o * k.words)) st = fail_memory(err);
        for (uint64_t at = 0; at < (uint64_t)1 << k.n && !st; at += ROWS) {
            run_rows(&k, at);
            for (size_t o = 0; o < n && !st; o++)
                st = compare_rows(&k, first + o, k.table + o * k.words, at, err);
        }
    }
    pool_free(&pool);
    return st;
}
