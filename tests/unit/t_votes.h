/* t_votes.h -- updates at random, as plain lists, and votes made of them.
 *
 * A test keeps its updates as dense rows with everything said outright, can change
 * that list as simply as possible, and compares with what the library made of it. */
#ifndef PERC_TEST_VOTES_H
#define PERC_TEST_VOTES_H

#include <stdlib.h>
#include <string.h>

#include "machine/votes.h"
#include "vec/rng.h"

enum { T_COLUMNS = 24, T_UPDATES = 400 };

struct t_update {
    double x[T_COLUMNS];
    size_t up, down; /* NO_VECTOR: none */
    double step;
    int64_t at;
};

struct t_updates {
    size_t n;
    int64_t shown;
    struct t_update u[2 * T_UPDATES]; /* room for copies */
};

enum t_votes_kind { T_TWO, T_NATIVE, T_REST };

/* A row of whole numbers, about `density` of them not 0. */
static inline void t_votes_row(struct rng *r, double density, double *x)
{
    for (size_t j = 0; j < T_COLUMNS; j++)
        x[j] = rng_uniform(r) < density ? (double)rng_below(r, 7) - 3 : 0;
}

/* About T_UPDATES / 2 updates with rows from a pool of `pool`, so that they come again;
 * now and then some examples pass without one. */
static inline void t_votes_draw(struct rng *r, enum t_votes_kind kind, size_t vectors, size_t pool,
                                double density, struct t_updates *out)
{
    double(*row)[T_COLUMNS] = malloc(pool * sizeof *row);
    int64_t at = 0;

    for (size_t i = 0; i < pool; i++) t_votes_row(r, density, row[i]);
    out->n = 0;
    while (out->n < T_UPDATES / 2) {
        const double *x = row[rng_below(r, pool)];
        at += 1 + (int64_t)(rng_below(r, 3) == 0 ? rng_below(r, 9) : 0);
        for (size_t v = 0; v < vectors; v++) {
            struct t_update *u = &out->u[out->n];
            const bool one = kind != T_REST, hit = one || rng_below(r, vectors) < 2;
            if (!hit) continue;
            memcpy(u->x, x, sizeof u->x);
            u->up = kind == T_REST ? v : kind == T_TWO ? 0 : rng_below(r, vectors);
            u->down = NO_VECTOR;
            u->step = (double)(1 + rng_below(r, 3));
            if (kind == T_NATIVE) u->down = (u->up + 1 + rng_below(r, vectors - 1)) % vectors;
            else if (rng_below(r, 2) == 0) u->step = -u->step;
            u->at = at;
            out->n++;
            if (one) break;
        }
    }
    out->shown = at + (int64_t)rng_below(r, 5);
    free(row);
}

/* The row as a struct row: dense, or without its zeros in the two arrays. */
static inline struct row t_votes_view(const double *x, bool dense, double *value, uint16_t *index)
{
    size_t n = 0;

    if (dense)
        return (struct row){
            .value = x, .n = T_COLUMNS, .stride = 8, .values = VALUES_F64, .indices = INDEX_DENSE
        };
    for (size_t j = 0; j < T_COLUMNS; j++) {
        if (x[j] == 0) continue;
        value[n] = x[j];
        index[n++] = (uint16_t)j;
    }
    return (struct row){ .value = value,
                         .index = index,
                         .n = n,
                         .stride = 8,
                         .values = VALUES_F64,
                         .indices = INDEX_U16 };
}

/* Adds all updates; stops at the first failure. */
static inline perc_status t_votes_add(struct votes *v, const struct t_updates *t, bool dense)
{
    perc_status st = PERC_OK;

    for (size_t k = 0; k < t->n && !st; k++) {
        double value[T_COLUMNS];
        uint16_t index[T_COLUMNS];
        const struct t_update *u = &t->u[k];
        const struct row x = t_votes_view(u->x, dense, value, index);
        st = votes_add(v, &x, u->up, u->down, u->step, u->at);
    }
    return st;
}

#endif
