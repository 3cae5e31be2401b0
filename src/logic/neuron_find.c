/* neuron_find.c -- is a Boolean function a threshold function?
 *
 * Most are not, and four rows show it (neuron_shape.h). For the others inputs are negated and
 * sorted until weights may be taken to rise, and equal for inputs that can change places: if
 * some weights are right, so is their mean over those changes. In the steps d_j >= 0 from one
 * group's weight to the next, over the rows p, q that decide,
 *
 *     minimise sum_i w_i   subject to   w.p >= theta,   w.q <= theta - 1                       (1)
 *
 * as a linear program in whole numbers, to which rows that the last answer gets wrong are added
 * until there are none (Dantzig, Fulkerson & Johnson 1954). If (1) has no solution, Farkas'
 * multipliers are a proof (neuron_witness.h). Vertices of (1) have numerators and denominators
 * that are determinants of 0, 1, -1, so that 64 bits are plenty (neuron_lp.h).
 *
 * Cost: the table is gone through some 5 n times, 64 rows at once; then at most
 * thousands of rows decide where the table has a million. */
#include "logic/neuron.h"

#include "logic/neuron_lp.h"
#include "logic/neuron_shape.h"
#include "logic/neuron_witness.h"

__extension__ typedef __int128 i128;

enum { SCALES = 256 }; /* denominators tried for rounded weights */

/* ----- the linear program ---------------------------------------------------------------- */

struct program {
    const struct shape *s;
    struct neuron_lp d; /* x: the steps d_j by group, then theta, which is > 0 since no
                                 * bit set is false */
    uint32_t *cut;      /* points of the shape, by constraint */
    size_t cuts;
    int64_t w[NEURON_INPUTS]; /* by position; times d.scale */
    int64_t theta;
};

/* w.x = sum_j d_j (bits of x in group j and above). */
static void bits_above(const struct shape *s, uint32_t row, int64_t *bits)
{
    for (size_t j = 0; j < s->groups; j++) bits[j] = 0;
    for (size_t p = 0; p < s->m; p++)
        if ((row >> p) & 1)
            for (size_t j = 0; j <= s->group[p]; j++) bits[j]++;
}

/* Adds w.p - theta >= 0 or theta - w.q >= 1. */
static perc_status add_cut(struct program *p, size_t point, perc_error *err)
{
    const struct shape *s = p->s;
    const bool yes = point < s->trues;
    int64_t a[NEURON_INPUTS + 1];

    bits_above(s, s->point[point], a);
    a[s->groups] = -1;
    for (size_t j = 0; j <= s->groups && !yes; j++) a[j] = -a[j];
    p->cut[p->cuts++] = (uint32_t)point;
    return neuron_lp_add(&p->d, a, yes ? 0 : 1, err);
}

/* The true point with the least sum, or the false one with the largest: the one that
 * the answer gets most wrong, if any. */
static size_t extreme(const struct shape *s, const int64_t *w, bool yes, int64_t *sum)
{
    const size_t from = yes ? 0 : s->trues, to = yes ? s->trues : s->trues + s->falses;
    size_t best = from;

    *sum = yes ? INT64_MAX : INT64_MIN;
    for (size_t k = from; k < to; k++) {
        int64_t now = 0;
        for (size_t p = 0; p < s->m; p++) now += (s->point[k] >> p) & 1 ? w[p] : 0;
        if (yes ? now >= *sum : now <= *sum) continue;
        *sum = now;
        best = k;
    }
    return best;
}

/* Solves (1). *found: p->w and p->theta, times the scale. */
static perc_status solve_program(struct program *p, bool *found, perc_error *err)
{
    const struct shape *s = p->s;
    perc_status st = PERC_OK;

    for (*found = true;;) {
        int64_t low, high, w = 0;
        for (size_t k = 0, g = 0; k < s->m; k++) {
            if (k == 0 || s->group[k] != s->group[k - 1]) w += neuron_lp_value(&p->d, g++);
            p->w[k] = w;
        }
        p->theta = neuron_lp_value(&p->d, s->groups);
        const size_t yes = extreme(s, p->w, true, &low), no = extreme(s, p->w, false, &high);
        const bool wrong_yes = low < p->theta, wrong_no = p->theta - p->d.scale < high;
        if (!wrong_yes && !wrong_no) return PERC_OK;
        if (wrong_yes && (st = add_cut(p, yes, err))) return st;
        if (wrong_no && (st = add_cut(p, no, err))) return st;
        if (!(*found = neuron_lp_solve(&p->d))) return PERC_OK;
    }
}

/* ----- answers --------------------------------------------------------------------------- */

/* Weights by position become those of the inputs: x = 1 - y where the input was negated. */
static void give_weights(const struct shape *s, const int64_t *w, int64_t theta, struct neuron *out)
{
    out->found = true;
    out->threshold = theta;
    for (size_t p = 0; p < s->m; p++) {
        const size_t i = s->input[p];
        out->weight[i] = s->sign[i] * w[p];
        if (s->sign[i] < 0) out->threshold -= w[p];
    }
}

/* Pairs are sought among the rows that the program met, which are near the border, then among
 * all that decide; where there are none, the multipliers say which rows. */
static perc_status give_proof(const struct program *p, struct neuron *out, perc_error *err)
{
    const struct shape *s = p->s;
    struct counted yes = { 0 }, no = { 0 };
    bool found = false;
    perc_status st = neuron_witness_pairs(s, p->cut, p->cuts, &yes, &no, &found, err);

    if (!st && !found) st = neuron_witness_pairs(s, NULL, 0, &yes, &no, &found, err);
    if (st) return st;
    if (!found) {
        for (size_t k = 0; k < p->cuts; k++)
            neuron_witness_add(p->cut[k] < s->trues ? &yes : &no, s->point[p->cut[k]],
                               neuron_lp_ray(&p->d, p->d.cols + k));
        neuron_witness_add(&no, 0,
                           neuron_lp_ray(&p->d, s->groups)); /* theta >= 0: row 0, which is false */
    }
    return neuron_witness_find(s, &yes, &no, out, err);
}

/* The optimum of (1) times its denominator is whole; often a smaller multiple, rounded, is right as
 * well. Rounding keeps weights in order, and equal ones equal, so the points decide there too. */
static perc_status run_program(const struct shape *s, struct neuron *out, perc_error *err)
{
    struct program p = { .s = s };
    int64_t w[NEURON_INPUTS + 1], low = 0, high = 0;
    bool found = false;
    perc_status st;

    bits_above(s, (1U << s->m) - 1, w);
    w[s->groups] = 0;
    p.cut = mem_array(&s->e, s->trues + s->falses, sizeof *p.cut);
    if (p.cut == NULL) return fail_memory(err);
    st = neuron_lp_begin(&p.d, &s->e, s->groups + 1, w, err); /* w: the costs */
    if (!st) st = solve_program(&p, &found, err);
    for (int64_t times = 1; !st && found && low <= high;
         times = times < SCALES ? times + 1 : p.d.scale) {
        for (size_t k = 0; k < s->m; k++)
            w[k] = (int64_t)((2 * (i128)times * p.w[k] + p.d.scale) / (2 * (i128)p.d.scale));
        extreme(s, w, true, &low);
        extreme(s, w, false, &high);
    }
    if (!st && found) give_weights(s, w, high + 1, out);
    if (!st && !found) st = give_proof(&p, out, err);
    neuron_lp_free(&p.d);
    mem_free(&s->e, p.cut, s->trues + s->falses, sizeof *p.cut);
    return st;
}

/* ----- the check of an answer -------------------------------------------------------------- */

static bool check_weights(const uint64_t *table, size_t n, const struct neuron *a)
{
    i128 sum = 0;

    for (uint32_t k = 0, row = 0;;) { /* in Gray's order: one input changes at a time */
        if (neuron_bit(table, row) != (sum >= a->threshold)) return false;
        if (++k >> n) return true;
        const int i = __builtin_ctz(k);
        row ^= 1U << i;
        sum += (row >> i) & 1 ? a->weight[i] : -(i128)a->weight[i];
    }
}

/* Are all rows of this value, none twice, with counts > 0? Adds their sums to `sum`, or
 * takes them from it if they are false; the last sum is that of the counts. */
static bool add_rows(const uint64_t *table, size_t n, bool value, size_t rows, const uint32_t *row,
                     const int64_t *count, i128 *sum)
{
    for (size_t k = 0; k < rows; k++) {
        if (row[k] >> n || neuron_bit(table, row[k]) != value || count[k] <= 0) return false;
        for (size_t l = 0; l < k; l++)
            if (row[l] == row[k]) return false;
        const i128 y = value ? count[k] : -(i128)count[k];
        for (size_t i = 0; i < n; i++)
            if ((row[k] >> i) & 1) sum[i] += y;
        sum[n] += y;
    }
    return true;
}

bool neuron_check(const uint64_t *table, size_t n, const struct neuron *a)
{
    i128 sum[NEURON_INPUTS + 1] = { 0 };

    if (n > NEURON_INPUTS) return false;
    if (a->found) return check_weights(table, n, a);
    if (a->true_rows == 0 || a->true_rows + a->false_rows > n + 2) return false;
    if (!add_rows(table, n, true, a->true_rows, a->true_row, a->true_count, sum)) return false;
    if (!add_rows(table, n, false, a->false_rows, a->false_row, a->false_count, sum)) return false;
    for (size_t i = 0; i <= n; i++)
        if (sum[i] != 0) return false;
    return true;
}

perc_status neuron_find(const struct env *e, const uint64_t *table, size_t n, struct neuron *out,
                        perc_error *err)
{
    struct shape s = { 0 };
    bool refuted = false;

    *out = (struct neuron){ 0 };
    if (n > NEURON_INPUTS)
        return fail(err, PERC_EARG, "%zu inputs; a table may have %d", n, (int)NEURON_INPUTS);
    perc_status st = neuron_shape_find(&s, e, table, n, out, &refuted, err);
    if (!st && !refuted && s.m == 0) give_weights(&s, NULL, neuron_bit(table, 0) ? 0 : 1, out);
    else if (!st && !refuted) st = run_program(&s, out, err);
    neuron_shape_free(&s);
    if (!st && !neuron_check(table, n, out))
        st = fail(err, PERC_EARG, "the answer for %zu inputs failed its check: a bug", n);
    if (st) *out = (struct neuron){ 0 };
    return st;
}
