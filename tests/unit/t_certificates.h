/* t_certificates.h -- certificates written by hand, and a slow judge of them.
 *
 * HASH in a text stands for the hash of the data. The judge takes small numbers only, as
 * int64_t and with a dense matrix, and shares nothing with the verifier but the struct of
 * what was read. */
#ifndef PERC_TEST_CERTIFICATES_H
#define PERC_TEST_CERTIFICATES_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "verify/certificate.h"

struct t_cert {
    const char *name, *data; /* a built-in set, or LIBSVM text */
    int64_t unit;            /* all numbers of the data times this are whole */
    const char *text;
};

/* clang-format off */
#define T_HEAD(rows, features, offset, kernel) \
    "{\"perceptron_certificate\":1,\"data\":{\"sha256\":\"HASH\",\"rows\":" #rows \
    ",\"features\":" #features "},\"offset\":" #offset ",\"kernel\":" kernel ",\"parts\":["
#define T_TWO(verdict) "{\"positive\":\"1\",\"negative\":\"-1\",\"verdict\":\"" verdict "\","
#define T_POLY "{\"name\":\"poly\",\"degree\":2,\"homogeneous\":false}"
#define T_POLY_JUST "{\"name\":\"poly\",\"degree\":2,\"homogeneous\":true}"
#define T_RBF "{\"name\":\"rbf\"}"

/* -1 and 1 touch at 0; the powers of ten of the rows differ. */
#define T_TOUCHING "1 1:0.5 2:3\n-1 1:5e-1 2:3\n1 1:10 2:3\n-1 1:-0.01 2:3\n1 1:0.50 2:3.0\n"
/* 10 (0.1, 1) + 1 (10, 1) = 11 (1, 1); row 4 is of neither label in pairs */
#define T_POWERS "1 1:0.1\n-1 1:1\n1 1:1e1\n2 1:5\n"
/* Rows 1 and 2 are equal, 3 and 4, too. */
#define T_EQUAL "1 1:20\n-1 1:2e1\n1 1:3\n1 1:3.00\n-1 1:0.5 2:7\n"

static const struct t_cert t_certs[] = {
    { "and", ":and", 1, T_HEAD(4, 2, true, "null") T_TWO("separable")
      "\"strict\":4,\"held\":0,\"w\":[[1,\"2\"],[2,\"2\"]],\"b\":\"-3\"}]}" },
    { "or", ":or", 1, T_HEAD(4, 2, true, "null") "{\"positive\":\"-1\",\"negative\":null,"
      "\"verdict\":\"separable\",\"strict\":4,\"held\":0,\"w\":[[1,\"-2\"],[2,\"-2\"]],"
      "\"b\":\"1\"}]}" },
    { "xor", ":xor", 1, T_HEAD(4, 2, true, "null") T_TWO("overlapping")
      "\"strict\":0,\"held\":4,\"no\":{\"rows\":[1,2,3,4],\"weights\":[\"1\",\"1\",\"1\",\"1\"]},"
      "\"all\":{\"rows\":[1],\"weights\":[\"1\"],\"others\":\"1\"}}]}" },
    { "xor, no", ":xor", 1, T_HEAD(4, 2, true, "null") T_TWO("not separable")
      "\"no\":{\"rows\":[1,2,3,4],\"weights\":[\"5\",\"5\",\"5\",\"5\"]}}]}" },
    { "and, no offset", ":and", 1, T_HEAD(4, 2, false, "null") T_TWO("overlapping")
      "\"strict\":0,\"held\":4,\"no\":{\"rows\":[1],"
      "\"weights\":[\"1\"]},\"all\":{\"rows\":[],\"weights\":[],\"others\":\"1\"}}]}" },
    { "or, no offset", ":or", 1, T_HEAD(4, 2, false, "null") T_TWO("touching")
      "\"strict\":3,\"held\":1,\"w\":[[1,\"1\"],[2,\"1\"]],\"no\":{\"rows\":[1],"
      "\"weights\":[\"1\"]},\"all\":{\"rows\":[1],\"weights\":[\"7\"],\"others\":\"1\"}}]}" },
    { "touching", T_TOUCHING, 100, T_HEAD(5, 2, true, "null") T_TWO("touching")
      "\"strict\":2,\"held\":3,\"w\":[[1,\"2\"]],\"b\":\"-1\","
      "\"no\":{\"rows\":[1,2],\"weights\":[\"3\",\"3\"]},"
      "\"all\":{\"rows\":[2],\"weights\":[\"6\"],\"others\":\"3\"}}]}" },
    { "powers of ten", T_POWERS, 10, T_HEAD(4, 1, true, "null") T_TWO("overlapping")
      "\"strict\":0,\"held\":3,\"no\":{\"rows\":[1,2,3],\"weights\":[\"10\",\"11\",\"1\"]},"
      "\"all\":{\"rows\":[1,2],\"weights\":[\"10\",\"11\"],\"others\":\"1\"}},"
      "{\"positive\":\"2\",\"negative\":\"-1\",\"verdict\":\"separable\",\"strict\":2,\"held\":0,"
      "\"w\":[[1,\"1\"]],\"b\":\"-2\"}]}" },
    { "poly", ":xor", 1, T_HEAD(4, 2, true, T_POLY) T_TWO("separable")
      "\"strict\":4,\"held\":0,\"w\":[[[1],\"2\"],[[2],\"2\"],[[1,2],\"-4\"]],\"b\":\"-1\"}]}" },
    { "poly, constant", ":xnor", 1, T_HEAD(4, 2, false, T_POLY) T_TWO("separable")
      "\"strict\":4,\"held\":0,\"w\":[[[],\"1\"],[[1],\"-2\"],[[2,2],\"-2\"],[[1,2],\"4\"]]}]}" },
    { "poly, homogeneous", ":xor", 1, T_HEAD(4, 2, false, T_POLY_JUST) T_TWO("touching")
      "\"strict\":3,\"held\":1,\"w\":[[[1,1],\"1\"],[[2,2],\"1\"],[[1,2],\"-3\"]],"
      "\"no\":{\"rows\":[1],\"weights\":[\"1\"]},"
      "\"all\":{\"rows\":[],\"weights\":[],\"others\":\"1\"}}]}" },
    { "poly, squares alone", "1 1:0.1\n-1 1:-1e-1\n", 10, T_HEAD(2, 1, false, T_POLY_JUST)
      T_TWO("overlapping") "\"strict\":0,\"held\":2,"
      "\"no\":{\"rows\":[1,2],\"weights\":[\"4\",\"4\"]},"
      "\"all\":{\"rows\":[],\"weights\":[],\"others\":\"1\"}}]}" },
    { "poly, decimals", "1 1:0.5\n-1 1:0.25\n-1 1:2\n", 4, T_HEAD(3, 1, true, T_POLY)
      T_TWO("separable") "\"strict\":3,\"held\":0,\"w\":[[[1],\"13\"],[[1,1],\"-10\"]],"
      "\"b\":\"-3\"}]}" },
    { "poly, overlapping", T_EQUAL, 2, T_HEAD(5, 2, true, T_POLY) T_TWO("not separable")
      "\"no\":{\"rows\":[1,2],\"weights\":[\"1\",\"1\"]}}]}" },
    { "rbf", ":xor", 1, T_HEAD(4, 2, true, T_RBF) T_TWO("separable")
      "\"strict\":4,\"held\":0}]}" },
    { "rbf, touching", T_EQUAL, 2, T_HEAD(5, 2, true, T_RBF) T_TWO("touching")
      "\"strict\":3,\"held\":2,\"no\":{\"rows\":[1,2],\"weights\":[\"1\",\"1\"]}}]}" },
    { "rbf, no", T_EQUAL, 2, T_HEAD(5, 2, true, T_RBF) T_TWO("not separable")
      "\"no\":{\"rows\":[1,2],\"weights\":[\"1\",\"1\"]}}]}" },
    { "iris, pairs", ":iris", 10, T_HEAD(150, 4, true, "null")
      "{\"positive\":\"versicolor\",\"negative\":\"setosa\",\"verdict\":\"separable\","
      "\"strict\":100,\"held\":0,\"w\":[[3,\"10\"]],\"b\":\"-25\"},"
      "{\"positive\":\"setosa\",\"negative\":null,\"verdict\":\"separable\","
      "\"strict\":150,\"held\":0,\"w\":[[3,\"-10\"]],\"b\":\"25\"}]}" },
};
/* clang-format on */
enum { T_CERTS = sizeof t_certs / sizeof *t_certs };

/* ----- the judge ----------------------------------------------------------------------------- */

enum { T_ROWS = 160, T_COLUMNS = 64 };

struct t_judge {
    const perc_dataset *ds;
    const struct certificate *c;
    const char *hash;
    int64_t unit;
    size_t rows, features;
    int64_t x[T_ROWS][T_COLUMNS]; /* in the space of the planes, the constant last */
    int64_t plain[T_ROWS][8];
    size_t columns;
    int y[T_ROWS];
    bool held[T_ROWS];
};

static int64_t t_small(const struct integer *x)
{
    int64_t v = 0;

    for (size_t i = x->n; i-- > 0;) v = v * INT64_C(1000000000) + x->digit[i];
    return x->negative ? -v : v;
}

/* Column of a product of features: (i, j) with i <= j at 9 i + j, 0 standing for 1; a judge of
 * degree 2 is enough. */
static size_t t_column(const struct t_judge *g, const uint32_t *key, size_t keys)
{
    if (g->c->space != CERT_POLY) return key[0] - 1;
    return keys == 0 ? 0 : keys == 1 ? key[0] : 9 * (size_t)key[0] + key[1];
}

static void t_rows(struct t_judge *g)
{
    double x[8];

    for (size_t i = 0; i < g->rows; i++) {
        perc_dataset_row(g->ds, i, x);
        memset(g->x[i], 0, sizeof g->x[i]);
        for (size_t j = 0; j < g->features; j++) g->plain[i][j] = llround(x[j] * (double)g->unit);
        if (g->c->space != CERT_POLY) {
            memcpy(g->x[i], g->plain[i], sizeof g->plain[i]);
            g->x[i][T_COLUMNS - 1] = g->c->offset ? g->unit : 0;
            continue;
        }
        const int64_t u = g->unit;
        const bool lower = !g->c->homogeneous && g->c->degree >= 1;
        for (size_t j = 0; j < g->features && (lower || g->c->degree == 1); j++)
            g->x[i][j + 1] = g->plain[i][j] * u;
        for (size_t j = 0; j < g->features && g->c->degree == 2; j++)
            for (size_t k = j; k < g->features; k++)
                g->x[i][9 * (j + 1) + k + 1] = g->plain[i][j] * g->plain[i][k];
        g->x[i][0] = lower ? u * u : 0;
        g->x[i][T_COLUMNS - 1] = g->c->offset ? u * u : 0;
    }
}

static int t_label(const perc_dataset *ds, const char *name)
{
    for (size_t i = 0; perc_dataset_label(ds, i) != NULL; i++)
        if (strcmp(perc_dataset_label(ds, i), name) == 0) return (int)i;
    return -1;
}

/* Whether the weights are > 0, of rows that may have one, and the sum is 0. */
static bool t_sum(const struct t_judge *g, const struct cert_list *l, bool others)
{
    int64_t weight[T_ROWS] = { 0 };

    if (others && t_small(&l->others) <= 0) return false;
    for (size_t i = 0; i < g->rows; i++)
        weight[i] = others && g->y[i] != 0 && g->held[i] ? t_small(&l->others) : 0;
    for (size_t k = 0; k < l->n; k++) {
        if (l->row[k] > g->rows || g->y[l->row[k] - 1] == 0 || t_small(&l->weight[k]) <= 0)
            return false;
        if (others && !g->held[l->row[k] - 1]) return false;
        weight[l->row[k] - 1] = t_small(&l->weight[k]);
    }
    for (size_t j = 0; j < T_COLUMNS; j++) {
        int64_t sum = 0;
        for (size_t i = 0; i < g->rows; i++) sum += weight[i] * g->y[i] * g->x[i][j];
        if (sum != 0) return false;
    }
    return true;
}

static bool t_twin(const struct t_judge *g, size_t i, size_t k)
{
    return g->y[i] * g->y[k] < 0 &&
           memcmp(g->plain[i], g->plain[k], g->features * sizeof g->plain[i][0]) == 0;
}

static bool t_pair(const struct t_judge *g, const struct cert_list *l)
{
    return l->n == 2 && l->row[1] <= g->rows && t_small(&l->weight[0]) == 1 &&
           t_small(&l->weight[1]) == 1 && t_twin(g, l->row[0] - 1, l->row[1] - 1);
}

/* The sides of the rows: false if one is wrong. */
static bool t_sides(struct t_judge *g, const struct cert_part *p)
{
    bool right = true;

    for (size_t i = 0; i < g->rows; i++) {
        int64_t s = t_small(&p->b) * g->x[i][T_COLUMNS - 1];

        for (size_t k = 0; k < p->n; k++)
            s += t_small(&p->w[k].value) * g->x[i][t_column(g, p->key + p->w[k].key, p->w[k].keys)];
        g->held[i] = g->y[i] != 0 && s == 0;
        right = right && g->y[i] * s >= 0;
    }
    return right;
}

static bool t_twice(const struct t_judge *g, const struct cert_part *p)
{
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = 0; k < i; k++)
            if (t_column(g, p->key + p->w[i].key, p->w[i].keys) ==
                t_column(g, p->key + p->w[k].key, p->w[k].keys))
                return true;
    return false;
}

static bool t_part(struct t_judge *g, const struct cert_part *p)
{
    const int a = t_label(g->ds, p->positive), b = p->negative ? t_label(g->ds, p->negative) : -2;
    uint64_t strict = 0, held = 0;
    bool right = true;

    if (a < 0 || b == -1 || t_twice(g, p)) return false;
    for (size_t i = 0; i < g->rows; i++) {
        const int label = perc_dataset_row_label(g->ds, i);
        g->y[i] = label == a ? 1 : b == -2 || label == b ? -1 : 0;
    }
    if (g->c->space == CERT_RBF) {
        for (size_t i = 0; i < g->rows; i++) {
            g->held[i] = false;
            for (size_t k = 0; k < g->rows; k++) g->held[i] = g->held[i] || t_twin(g, i, k);
        }
    } else if (!t_sides(g, p)) {
        return false;
    }
    for (size_t i = 0; i < g->rows; i++) {
        strict += g->y[i] != 0 && !g->held[i];
        held += g->y[i] != 0 && g->held[i];
    }
    if (p->verdict == PERC_SEPARABLE) right = held == 0;
    if (p->verdict == PERC_TOUCHING) right = held > 0 && strict > 0;
    if (p->verdict == PERC_OVERLAPPING) right = strict == 0;
    if (p->verdict != PERC_INSEPARABLE) right = right && strict == p->strict && held == p->held;
    if (p->verdict != PERC_SEPARABLE)
        right = right && (g->c->space == CERT_RBF ? t_pair(g, &p->no) : t_sum(g, &p->no, false));
    if (p->fields & PART_ALL) right = right && t_sum(g, &p->all, true);
    return right;
}

/* Whether a certificate that was read is true; 2: the judge cannot say. */
static inline int t_judge(const perc_dataset *ds, const struct certificate *c, const char *hash,
                          int64_t unit)
{
    static struct t_judge g;
    perc_dataset_info info;

    perc_dataset_info_get(ds, &info);
    g = (struct t_judge){ .ds = ds,
                          .c = c,
                          .hash = hash,
                          .unit = unit,
                          .rows = (size_t)info.rows,
                          .features = (size_t)info.features };
    if (c->rows != info.rows || c->features != info.features || strcmp(c->sha256, hash) != 0)
        return 0;
    if (c->space == CERT_POLY && c->degree > 2) return 2;
    t_rows(&g);
    for (size_t i = 0; i < c->parts; i++)
        if (!t_part(&g, &c->part[i])) return 0;
    return 1;
}

#endif
