/* lp.c -- a consistent half-space by linear programming.
 *
 *     maximise t   subject to   a_i.w' - t >= 0  for every row i,   |w'_j| <= 1
 *
 * Row generation: the program starts with some of the rows. Its w' is tried on all rows,
 * those with y_i s_i < t are added, the worst first, and the dual simplex method goes on
 * from where it was: adding rows leaves its basis dual feasible. With a part of the rows
 * the best t can only be larger, so t = 0 for a part already proves it for all. Columns
 * enter the program when a row that uses them does, so that a program with few rows of
 * wide sparse data is small; without them w'_j = 0 is as good as any.
 *
 * All numbers are divided by a power of two near the largest of them first. What the
 * solver says is never taken on trust, since it works with tolerances of 10^-9:
 *
 *   separable     only if the scores of w', computed in the usual way, have the right
 *                 sign on every row
 *   inseparable   only if the rows that hold t down, those with a dual value, have a
 *                 point of their hull within HARD_ZERO R of the origin: hard_solve, with
 *                 32 digits, on these few rows
 *
 * and otherwise undecided. */
#include "solve/lp.h"

#ifndef HAVE_CLP

bool lp_exists(void)
{
    return false;
}

perc_status lp_solve(const struct problem *p, uint32_t positive, const struct lp_options *o,
                     double *w, double *b, struct lp_result *out, perc_error *err)
{
    (void)p, (void)positive, (void)o, (void)w, (void)b;
    *out = (struct lp_result){ .verdict = LP_UNDECIDED };
    return fail(err, PERC_EARG, "this build has no solver for linear programs (Clp)");
}

#else

#include <math.h>
#include <string.h>

#include <Clp_C_Interface.h>

#include "base/pool.h"
#include "solve/hard.h"
#include "solve/margins.h"

/* Clp is C++ and ends the process when out of memory. So programs are bounded before it
 * sees them, at some 2 GiB: it keeps a handful of copies of an entry. */
enum { ENTRIES_MAX = 1 << 25, ROWS_MAX = 1 << 20 };
enum { STEPS = 2000, STEPS_LEAST = 20, STRETCH = 1 << 26 }; /* of a stretch; entries times steps */
static const double tolerance = 1e-9;                       /* Clp's, on numbers scaled to 1 */
static const double doubtful = 1e-6;                        /* below this t, ask hard_solve too */

struct lp {
    struct pool pool; /* of the arrays that do not grow */
    const struct problem *p;
    const struct lp_options *o;
    struct lp_result *out;
    struct margins m;
    double scale;  /* a power of two: entries times it are at most 1 */
    bool *listed;  /* n: the row is in the program */
    uint64_t *row; /* rows of the program, in order */
    size_t rows, cap_row;
    size_t most; /* rows added at once */
    struct pick *pick;
    int *number;    /* dims: the variable of a column, from 1; 0: none */
    double *w;      /* dims, with the offset */
    double *good;   /* dims: the best w' so far; `any`: there is one */
    double reached; /* the t of `good`, over all rows */
    bool any;
    uint64_t entries; /* of the program */
    Clp_Simplex *clp;

    /* rows to be added */
    int *start, *column;
    double *value;
    size_t cap_start, cap_column, cap_value;
};

/* The dual simplex method, in stretches, with the watch asked in between. If it is not sure, the
 * primal method takes a second look. True: solved. */
static bool clp_solve(struct lp *l)
{
    const uint64_t steps = STRETCH / l->entries;

    Clp_setMaximumIterations(l->clp, steps > STEPS         ? STEPS
                                     : steps < STEPS_LEAST ? STEPS_LEAST
                                                           : (int)steps);
    for (int method = 0; method < 2; method++) {
        do {
            if (method == 0) Clp_dual(l->clp, 0);
            else Clp_primal(l->clp, 0);
        } while (Clp_status(l->clp) == 3 && watch_ask(l->o->watch, l->out->rounds));
        if (Clp_status(l->clp) == 3) return false; /* stopped */
        if (Clp_status(l->clp) == 0 && Clp_secondaryStatus(l->clp) == 0) return true;
    }
    return Clp_status(l->clp) == 0;
}

/* ----- the program -------------------------------------------------------------------- */

#define GROW(e, p, cap, need) mem_grow(e, (void **)&(p), &(cap), need, sizeof *(p))

/* The entries of a row from `at`: a_ij times the scale, and -1 for t. */
static size_t write_row(struct lp *l, uint64_t i, size_t at, int *variables)
{
    const struct problem *p = l->p;
    const struct row r = problem_row(p, &l->m.lens[0], i);
    const double y = problem_sign(p, i, l->m.positive) * l->scale;

    for (size_t k = 0; k <= r.n; k++) {
        const bool last = k == r.n;
        const uint64_t j = last ? p->dims : row_column(&r, k);
        const double v = last ? 1 : row_value(&r, k);
        if (v == 0 || (last ? !p->offset : j >= p->dims)) continue;
        if (l->number[j] == 0) l->number[j] = (*variables)++;
        l->column[at] = l->number[j];
        l->value[at++] = y * v;
    }
    l->column[at] = 0;
    l->value[at] = -1;
    return at + 1;
}

/* The n picked rows join the program. *full: there is no room for them. */
static perc_status add_rows(struct lp *l, size_t n, bool *full, perc_error *err)
{
    const struct env *e = &l->p->e;
    const size_t room = n * (l->m.longest + 2);
    const double lower = -1, upper = 1, cost = 0; /* of a variable */
    const int none[2] = { 0, 0 };
    int known = Clp_numberColumns(l->clp), variables = known;
    size_t at = 0;

    *full = l->entries + room > ENTRIES_MAX || l->rows + n > ROWS_MAX;
    if (*full) return PERC_OK;
    if (!GROW(e, l->start, l->cap_start, n + 1) || !GROW(e, l->column, l->cap_column, room) ||
        !GROW(e, l->value, l->cap_value, room) || !GROW(e, l->row, l->cap_row, l->rows + n))
        return fail_memory(err);
    for (size_t k = 0; k < n; k++) {
        const uint64_t i = l->pick[k].row;
        l->start[k] = (int)at;
        at = write_row(l, i, at, &variables);
        l->listed[i] = true;
        l->row[l->rows++] = i;
    }
    l->start[n] = (int)at;
    for (; known < variables; known++)
        Clp_addColumns(l->clp, 1, &lower, &upper, &cost, none, NULL, NULL);
    /* No upper bounds. The lower ones are 0, as is all that is not in `value`. */
    double *zero = mem_zeroed(e, n, sizeof *zero);
    if (zero == NULL) return fail_memory(err);
    Clp_addRows(l->clp, (int)n, zero, NULL, l->start, l->column, l->value);
    mem_free(e, zero, n, sizeof *zero);
    l->entries += at;
    return PERC_OK;
}

/* ----- what a solution is worth ------------------------------------------------------- */

/* Tries w' on every row, and keeps it if it is the best so far: min y_i s_i / max |w'_j|,
 * which is the t that it really has. */
static void try_plane(struct lp *l, const double *w)
{
    double largest = 0, sum = 0;
    int exponent;

    margins_score(&l->m, w);
    if (l->m.stopped) return;
    for (uint64_t j = 0; j < l->m.dims; j++) largest = fmax(largest, fabs(w[j]));
    frexp(largest, &exponent); /* the squares might overflow or underflow */
    for (uint64_t j = 0; j < l->m.dims; j++) {
        const double x = ldexp(w[j], -exponent);
        sum += x * x;
    }
    const double least = l->m.value[margins_least(&l->m)], t = largest > 0 ? least / largest : 0;
    const double norm = ldexp(sqrt(sum), exponent);
    if (l->any && !(t > l->reached)) return;
    l->any = true;
    l->reached = t;
    l->out->lower = norm > 0 ? least / norm : 0;
    memcpy(l->good, w, l->m.dims * sizeof *w);
    l->out->verdict = least > 0 ? LP_SEPARABLE : LP_UNDECIDED;
}

/* hard_solve on rows of the program, those with a dual value or all: whether they alone
 * are inseparable. If not, its w' is tried on all rows. */
static perc_status ask_hard(struct lp *l, bool all, perc_error *err)
{
    const struct env *e = &l->p->e;
    const double *dual = Clp_getRowPrice(l->clp);
    const struct hard_options o = { .gap = 1e-3, .passes = 1000, .watch = l->o->watch };
    uint64_t *ref = mem_array(e, l->rows, sizeof *ref);
    uint32_t *class = mem_array(e, l->rows, sizeof *class);
    double *w = mem_zeroed(e, l->p->dims + 1, sizeof *w);
    struct problem part = *l->p;
    struct hard_result r = { .verdict = HARD_UNDECIDED };
    perc_status st = PERC_OK;

    part.n = 0;
    part.ref = ref;
    part.class = class;
    part.cost = NULL;
    if (ref == NULL || class == NULL || w == NULL) st = fail_memory(err);
    for (size_t k = 0; k < l->rows && !st; k++) {
        if (!all && !(fabs(dual[k]) > 0)) continue;
        ref[part.n] = l->p->ref[l->row[k]];
        class[part.n++] = l->p->class[l->row[k]];
    }
    if (!st) st = hard_solve(&part, l->m.positive, &o, w, &w[l->p->dims], &r, err);
    if (!st && r.verdict == HARD_SEPARABLE) try_plane(l, w);
    if (!st && r.verdict == HARD_INSEPARABLE) {
        l->out->holders = r.supports;
        for (size_t k = 0; k < l->rows; k++)
            if (l->p->ref[l->row[k]] == ref[r.witness[0]]) l->out->witness = l->row[k];
        if (l->out->verdict != LP_SEPARABLE) l->out->verdict = LP_INSEPARABLE;
    }
    mem_free(e, ref, l->rows, sizeof *ref);
    mem_free(e, class, l->rows, sizeof *class);
    mem_free(e, w, l->p->dims + 1, sizeof *w);
    return st;
}

/* ----- rounds ------------------------------------------------------------------------- */

/* One program: solve, try, add. *over: there is nothing more to do. */
static perc_status run_round(struct lp *l, bool *over, perc_error *err)
{
    perc_status st;

    *over = true;
    const bool solved = clp_solve(l);
    l->out->rounds++;
    l->out->rows = l->rows;
    if (!solved) return PERC_OK;
    const double *v = Clp_getColSolution(l->clp);
    for (uint64_t j = 0; j < l->m.dims; j++) l->w[j] = l->number[j] > 0 ? v[l->number[j]] : 0;
    l->out->t = v[0] / l->scale;
    if (l->out->t * l->scale <= doubtful &&
        ((st = ask_hard(l, false, err)) || l->out->verdict != LP_UNDECIDED))
        return st;
    try_plane(l, l->w);
    if (l->m.stopped) return PERC_OK;
    const double bar = l->out->t - 2 * tolerance / l->scale;
    size_t n = margins_worst(&l->m, l->listed, bar, l->most, l->pick);
    if (n == 0 && l->out->verdict == LP_UNDECIDED) {
        if ((st = ask_hard(l, true, err)) || l->out->verdict != LP_UNDECIDED) return st;
        n = margins_worst(&l->m, l->listed, INFINITY, l->most, l->pick);
    }
    if (n == 0) return PERC_OK;
    return add_rows(l, n, over, err);
}

/* ----- the whole ---------------------------------------------------------------------- */

/* The scale, a power of two, brings the largest entry to 1/2 .. 1. Variable 0 is t; w' = 0, t = 0
 * is a solution, so it need not be negative. Everything has bounds, so that any basis can be made
 * dual feasible. */
static perc_status open_program(struct lp *l, uint32_t positive, perc_error *err)
{
    const struct problem *p = l->p;
    const uint64_t dims = p->dims + (p->offset ? 1 : 0);
    const double limit = (double)dims + 1, cost = -1, lower = 0;
    const int start[2] = { 0, 0 };
    double largest = p->offset ? 1 : 0;
    int exponent;
    perc_status st;

    if (dims > INT32_MAX - 1) return fail(err, PERC_EARG, "too many columns for a linear program");
    pool_init(&l->pool, &p->e);
    l->most = dims < 128 ? 256 : dims > 1024 ? 1024 : (size_t)dims;
    l->listed = pool_zeroed(&l->pool, p->n, sizeof *l->listed);
    l->pick = pool_array(&l->pool, l->most, sizeof *l->pick);
    l->number = pool_zeroed(&l->pool, dims, sizeof *l->number);
    l->w = pool_zeroed(&l->pool, dims, sizeof *l->w);
    l->good = pool_zeroed(&l->pool, dims, sizeof *l->good);
    if (l->pool.failed) return fail_memory(err);
    if ((st = margins_open(&l->m, p, positive, err))) return st;
    for (uint64_t i = 0; i < p->n; i++) {
        const struct row r = problem_row(p, &l->m.lens[0], i);
        for (size_t k = 0; k < r.n; k++) largest = fmax(largest, fabs(row_value(&r, k)));
    }
    frexp(largest, &exponent);
    if (exponent < -1022) exponent = -1022; /* 2^1023 is the largest power */
    l->scale = largest > 0 ? ldexp(1, -exponent) : 1;
    if ((l->clp = Clp_newModel()) == NULL) return fail_memory(err);
    Clp_setLogLevel(l->clp, 0);
    Clp_setPrimalTolerance(l->clp, tolerance);
    Clp_setDualTolerance(l->clp, tolerance);
    Clp_scaling(l->clp, 0); /* t would be scaled away against the w'_j */
    Clp_addColumns(l->clp, 1, &lower, &limit, &cost, start, NULL, NULL);
    return PERC_OK;
}

bool lp_exists(void)
{
    return true;
}

perc_status lp_solve(const struct problem *p, uint32_t positive, const struct lp_options *o,
                     double *w, double *b, struct lp_result *out, perc_error *err)
{
    struct lp l = { .p = p, .o = o, .out = out };
    bool over = false;
    perc_status st;

    memset(w, 0, p->dims * sizeof *w);
    *b = 0;
    *out = (struct lp_result){ .verdict = LP_UNDECIDED };
    if (p->n == 0) return PERC_OK;
    if (!(st = open_program(&l, positive, err))) {
        const uint64_t n = p->n, first = n < l.most ? n : l.most;
        for (uint64_t k = 0; k < first; k++) /* evenly spread: all, where there are few */
            l.pick[k].row = (uint64_t)((double)k * ((double)n / (double)first));
        st = add_rows(&l, (size_t)first, &over, err);
        l.m.watch = o->watch;
    }
    while (!st && !over && out->rounds < o->rounds && watch_ask(o->watch, out->rounds))
        st = run_round(&l, &over, err);
    if (!st && l.any) {
        memcpy(w, l.good, p->dims * sizeof *w);
        *b = p->offset ? l.good[p->dims] : 0;
    }
    if (l.clp != NULL) Clp_deleteModel(l.clp);
    margins_close(&l.m);
    pool_free(&l.pool);
    mem_free(&p->e, l.row, l.cap_row, sizeof *l.row);
    mem_free(&p->e, l.start, l.cap_start, sizeof *l.start);
    mem_free(&p->e, l.column, l.cap_column, sizeof *l.column);
    mem_free(&p->e, l.value, l.cap_value, sizeof *l.value);
    return st;
}

#endif
