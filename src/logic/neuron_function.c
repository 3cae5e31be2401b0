/* neuron_function.c -- which Boolean function a neuron computes, in words and as a formula.
 *
 * With y = x for a source of positive weight, y = 1 - x for one of negative weight, and v = |w|,
 *
 *     w.x >= t   <=>   v.y >= T,    T = t + sum of v over the negative ones
 *
 * so that a neuron is a monotone function of literals y. Those of large weight come first. Then
 * it is "at least k of the first m of them", and the others do not matter, exactly if
 *
 *     the k smallest of the first m reach T, and the k - 1 largest, with all the others, do not.
 *
 * That is and (k = m), or (k = 1), majority, and all that counts. What is left is written as the or
 * of its shortest reasons (prime implicants): sets of literals that reach T, and do not without
 * the last, the smallest of them. A search that goes on only where T can still be reached
 * finds each of them once. */
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "perceptron_gate.h"

enum { SOURCES = 64, REASONS = 64 }; /* at most */

struct literal {
    const char *name;
    int64_t weight; /* > 0 */
    bool negated;
};

/* A neuron as v.y >= T, and the text that is written. */
struct view {
    struct literal y[SOURCES]; /* the largest weight first */
    size_t n, negated;
    int64_t rest[SOURCES + 1]; /* rest[i]: the weights from i on */
    int64_t least;             /* T */
    char *text;
    size_t size, len;
    bool full;
};

/* ----- text --------------------------------------------------------------------------- */

static void put(struct view *v, const char *s)
{
    const size_t n = strlen(s);

    v->full |= v->size - v->len <= n;
    if (v->full) return;
    memcpy(v->text + v->len, s, n + 1);
    v->len += n;
}

/* Literals with signs between them; `bare`: without their negations. */
static void put_literals(struct view *v, size_t n, const char *between, bool bare)
{
    for (size_t i = 0; i < n; i++) {
        put(v, i > 0 ? between : "");
        put(v, v->y[i].negated && !bare ? "!" : "");
        put(v, v->y[i].name);
    }
}

/* ----- what counts -------------------------------------------------------------------- */

/* The k for which it is "at least k of the first m"; 0: there is none. */
static size_t count_of(const struct view *v, size_t m)
{
    for (size_t k = 1; k <= m; k++) {
        if (v->rest[m - k] - v->rest[m] < v->least) continue;
        return v->rest[0] - v->rest[k - 1] + v->rest[m] < v->least ? k : 0;
    }
    return 0;
}

/* Literals in the order of the sources again, now that weights do not matter. */
static void sort_by_source(struct view *v, size_t m, const char *const *name)
{
    for (size_t i = 0, at = 0; at < m; i++)
        for (size_t k = at; k < m; k++) {
            if (v->y[k].name != name[i]) continue;
            const struct literal y = v->y[k];
            memmove(&v->y[at + 1], &v->y[at], (k - at) * sizeof y);
            v->y[at++] = y;
        }
}

static const char *put_count(struct view *v, size_t m, size_t k)
{
    char head[32];
    size_t negated = 0;

    for (size_t i = 0; i < m; i++) negated += v->y[i].negated;
    if (m == 1) {
        put_literals(v, 1, "", false);
        return negated > 0 ? "not" : "identity";
    }
    if (k == 1 && m == 2 && negated == 1) {
        put(v, v->y[v->y[1].negated].name);
        put(v, " -> ");
        put(v, v->y[v->y[0].negated].name);
        return "implication";
    }
    if ((k == 1 || k == m) && negated == m) { /* none of them, not all of them */
        put(v, "!(");
        put_literals(v, m, k == 1 ? " & " : " | ", true);
        put(v, ")");
        return k == 1 ? "nand" : "nor";
    }
    if (k == 1 || k == m) {
        put_literals(v, m, k == 1 ? " | " : " & ", false);
        return k == 1 ? "or" : "and";
    }
    const bool majority = 2 * k == m + 1;
    snprintf(head, sizeof head, majority ? "majority(" : "atleast(%zu; ", k);
    put(v, head);
    put_literals(v, m, ", ", false);
    put(v, ")");
    return majority ? "majority" : "at least";
}

/* ----- what does not ------------------------------------------------------------------- */

/* The shortest reasons, one after the other. False: too many, or there is no room. */
static bool put_reasons(struct view *v)
{
    size_t set[SOURCES], n = 0, reasons = 0, i = 0;
    int64_t sum = 0;

    while (!v->full) {
        if (sum + v->rest[i] >= v->least) { /* the next literal, unless they are enough */
            sum += v->y[i].weight;
            set[n++] = i++;
            if (sum < v->least) continue;
            if (reasons++ == REASONS) return false;
            put(v, reasons > 1 ? " | " : "");
            put(v, n > 1 ? "(" : "");
            for (size_t k = 0; k < n; k++) {
                put(v, k > 0 ? " & " : "");
                put(v, v->y[set[k]].negated ? "!" : "");
                put(v, v->y[set[k]].name);
            }
            put(v, n > 1 ? ")" : "");
        } else if (n == 0) return true;
        /* Without the last literal of the set: the search goes on behind it. */
        i = set[--n];
        sum -= v->y[i++].weight;
    }
    return false;
}

/* ----- all of it ----------------------------------------------------------------------- */

static void add_literal(struct view *v, const char *name, int64_t w)
{
    const struct literal y = { name, w < 0 ? -w : w, w < 0 };
    size_t at = v->n++;

    for (; at > 0 && v->y[at - 1].weight < y.weight; at--) v->y[at] = v->y[at - 1];
    v->y[at] = y;
    v->least += w < 0 ? -w : 0;
}

int perc_neuron_function(const perc_neuron *n, const char *const *name, const char **word,
                         char *text, size_t size)
{
    if (word != NULL) *word = NULL;
    if (n == NULL || word == NULL || text == NULL) return 0;
    if (n->synapses > 0 && (n->weight == NULL || name == NULL)) return 0;
    struct view v = { .least = n->threshold, .text = text, .size = size };
    size_t k = 0;

    if (n->synapses > SOURCES || size == 0) return 0;
    for (size_t i = 0; i < n->synapses; i++)
        if (n->weight[i] != 0) add_literal(&v, name[i], n->weight[i]);
    for (size_t i = v.n; i-- > 0;) v.rest[i] = v.rest[i + 1] + v.y[i].weight;
    if (v.least <= 0 || v.least > v.rest[0]) {
        *word = v.least <= 0 ? "always" : "never";
        put(&v, v.least <= 0 ? "1" : "0");
        return !v.full;
    }
    for (size_t m = v.n; m > 0 && k == 0; m--) {
        if ((k = count_of(&v, m)) == 0) continue;
        sort_by_source(&v, m, name);
        *word = put_count(&v, m, k);
    }
    return (k > 0 || put_reasons(&v)) && !v.full;
}
