/* map_reference.h -- the monomials of src/data/map.h, made in the plainest way: every
 * exponent vector by nested loops, then sorted by largest variable, next largest, ...
 * Nothing here knows of binomials. */
#ifndef PERC_TEST_MAP_REFERENCE_H
#define PERC_TEST_MAP_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REF_VARIABLES = 60, REF_DEGREE = 8 };

struct monomial {
    unsigned char power[REF_VARIABLES]; /* exponent of each variable */
};

struct monomials { /* all of degree 1 .. D, in the order of their columns; free(at) */
    struct monomial *at;
    size_t n;
};

/* From the largest variable down: the first in which the powers differ decides. If
 * one has the larger variable at the first place where the sorted factors differ, it
 * comes later; a factor that is missing counts as less than any. */
static inline int ref_compare(const void *pa, const void *pb)
{
    const struct monomial *a = pa, *b = pb;

    for (int v = REF_VARIABLES - 1; v >= 0; v--)
        if (a->power[v] != b->power[v]) return a->power[v] < b->power[v] ? -1 : 1;
    return 0;
}

static inline void ref_walk(struct monomials *all, struct monomial *m, size_t v, size_t variables,
                            unsigned left)
{
    if (v == variables) {
        all->at = realloc(all->at, (all->n + 1) * sizeof *all->at);
        all->at[all->n++] = *m;
        return;
    }
    for (unsigned p = 0; p <= left; p++) {
        m->power[v] = (unsigned char)p;
        ref_walk(all, m, v + 1, variables, left - p);
    }
    m->power[v] = 0;
}

static inline struct monomials ref_all(size_t variables, unsigned degree)
{
    struct monomials all = { NULL, 0 };
    struct monomial m = { { 0 } };

    ref_walk(&all, &m, 0, variables, degree);
    qsort(all.at, all.n, sizeof *all.at, ref_compare);
    memmove(all.at, all.at + 1, --all.n * sizeof *all.at); /* not the constant */
    return all;
}

/* Multiplied from the lowest variable up; 0 if a factor is 0. */
static inline double ref_value(const struct monomial *m, const double *x)
{
    double product = 1;

    for (size_t v = 0; v < REF_VARIABLES; v++)
        for (unsigned p = 0; p < m->power[v]; p++) product *= x[v];
    return product;
}

/* Whether every factor is other than 0. */
static inline bool ref_present(const struct monomial *m, const double *x)
{
    for (size_t v = 0; v < REF_VARIABLES; v++)
        if (m->power[v] > 0 && x[v] == 0) return false;
    return true;
}

static inline void ref_name(const struct monomial *m, uint64_t first, char out[200])
{
    size_t n = 0;

    out[0] = '\0';
    for (size_t v = 0; v < REF_VARIABLES; v++) {
        if (m->power[v] == 0) continue;
        n += (size_t)snprintf(out + n, 200 - n, "%sx%llu", n > 0 ? "*" : "",
                              (unsigned long long)(v + first));
        if (m->power[v] > 1) n += (size_t)snprintf(out + n, 200 - n, "^%d", m->power[v]);
    }
}

/* D! / (a_0! a_1! ...), a_0 = D less the degree: how often the monomial occurs in
 * (1 + x_1 + ... + x_n)^D. */
static inline double ref_multinomial(const struct monomial *m, unsigned degree)
{
    double c = 1;
    unsigned left = degree;

    for (size_t v = 0; v < REF_VARIABLES; v++)
        for (unsigned p = 1; p <= m->power[v]; p++) c = c * left-- / p;
    return c;
}

#endif
