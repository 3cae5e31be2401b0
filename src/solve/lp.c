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
 *   separable     only if the scores of w', as everybody computes them, have the right
 *                 sign on every row
 *   inseparable   only if the rows that hold t down, those with a dual value, have a
 *                 point of their hull within HARD_ZERO R of the origin: hard_solve, with
 *                 32 digits, on these few rows
 *
 * and undecided else. */
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

#include "solve/hard.h"
#include "solve/margins.h"

/* Clp is C++ and ends the process when memory is out. So programs are bounded before it
 * sees them, at some 2 GiB: it keeps a handful of copies of an entry. */
enum { ENTRIES_MAX = 1 << 25, ROWS_MAX = 1 << 20, STEPS = 2000 };
static const double tolerance = 1e-9; /* Clp's, on numbers scaled to 1 */
static const double doubtful = 1e-6;  /* t below: ask hard_solve too */

struct lp {
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

/* ----- Clp ---------------------------------------------------------------------------- */

/* Variable 0 is t; w' = 0, t = 0 is a solution, so it need not be negative. Everything has
 * bounds, so that any basis can be made dual feasible. */
static bool clp_open(struct lp *l)
{
    const double limit = (double)l->m.dims + 1, cost = -1, lower = 0;

    l->clp = Clp_newModel();
    if (l->clp == NULL) return false;
    Clp_setLogLevel(l->clp, 0);
    Clp_setPrimalTolerance(l->clp, tolerance);
    Clp_setDualTolerance(l->clp, tolerance);
    Clp_scaling(l->clp, 0); /* t would be scaled away beside the w'_j */
    const int start[2] = { 0, 0 };
    Clp_addColumns(l->clp, 1, &lower, &limit, &cost, start, NULL, NULL);
    return true;
}

static void clp_variable(struct lp *l)
{
    const double lower = -1, upper = 1, cost = 0;
    const int start[2] = { 0, 0 };

    Clp_addColumns(l->clp, 1, &lower, &upper, &cost, start, NULL, NULL);
}

/* The dual simplex method, in stretches: in between the watch is asked. A second look by
 * the primal method where the first was not sure. True: solved. */
static bool clp_solve(struct lp *l)
{
    Clp_setMaximumIterations(l->clp, STEPS);
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

static void clp_close(struct lp *l)
{
    if (l->clp != NULL) Clp_deleteModel(l->clp);
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
    int variables = Clp_numberColumns(l->clp);
    const int known = variables;
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
    for (int v = known; v < variables; v++) clp_variable(l);
    /* No upper bounds given: none. The lower ones are 0, and so is what `value` is not. */
    double *zero = mem_zeroed(e, n, sizeof *zero);
    if (zero == NULL) return fail_memory(err);
    Clp_addRows(l->clp, (int)n, zero, NULL, l->start, l->column, l->value);
    mem_free(e, zero, n, sizeof *zero);
    l->entries += at;
    return PERC_OK;
}

/* w' of the program that was solved. */
static void read_solution(struct lp *l)
{
    const double *v = Clp_getColSolution(l->clp);

    for (uint64_t j = 0; j < l->m.dims; j++) l->w[j] = l->number[j] > 0 ? v[l->number[j]] : 0;
    l->out->t = v[0] / l->scale;
}

/* ----- what a solution is worth ------------------------------------------------------- */

/* |w|, where the squares may be too large or too small for a number. */
static double length_of(const double *w, uint64_t n, double largest)
{
    double sum = 0;
    int exponent;

    frexp(largest, &exponent);
    for (uint64_t j = 0; j < n; j++) {
        const double x = ldexp(w[j], -exponent);
        sum += x * x;
    }
    return ldexp(sqrt(sum), exponent);
}

/* Tries w' on every row, and keeps it if it is the best so far: min y_i s_i / max |w'_j|,
 * which is the t that it really has. */
static void try(struct lp *l, const double *w)
{
    double largest = 0;

    margins_score(&l->m, w);
    for (uint64_t j = 0; j < l->m.dims; j++) largest = fmax(largest, fabs(w[j]));
    const double least = l->m.value[margins_least(&l->m)], t = largest > 0 ? least / largest : 0;
    const double norm = length_of(w, l->m.dims, largest);
    if (l->any && !(t > l->reached)) return;
    l->any = true;
    l->reached = t;
    l->out->lower = norm > 0 ? least / norm : 0;
    memcpy(l->good, w, l->m.dims * sizeof *w);
    l->out->verdict = least > 0 ? LP_SEPARABLE : LP_UNDECIDED;
}

/* How many rows hold t down, by hard_solve on rows with these refs, and the first. */
static void name_holders(struct lp *l, const uint64_t *ref, const struct hard_result *r)
{
    l->out->holders = r->supports;
    for (size_t k = 0; k < l->rows; k++)
        if (l->p->ref[l->row[k]] == ref[r->witness[0]]) l->out->witness = l->row[k];
}

/* hard_solve on rows of the program, those with a dual value or all: whether they alone
 * are inseparable. If not, its w' is tried on all rows. */
static perc_status ask_hard(struct lp *l, bool all, enum hard_verdict *verdict, perc_error *err)
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
    if (!st && r.verdict == HARD_SEPARABLE) try(l, w);
    if (!st && r.verdict == HARD_INSEPARABLE) name_holders(l, ref, &r);
    *verdict = r.verdict;
    mem_free(e, ref, l->rows, sizeof *ref);
    mem_free(e, class, l->rows, sizeof *class);
    mem_free(e, w, l->p->dims + 1, sizeof *w);
    return st;
}

/* ----- rounds ------------------------------------------------------------------------- */

/* Rows to begin with, evenly spread: all, where there are few. */
static size_t first_rows(struct lp *l)
{
    const uint64_t n = l->p->n, want = n < l->most ? n : l->most;

    for (uint64_t k = 0; k < want; k++)
        l->pick[k].row = (uint64_t)((double)k * ((double)n / (double)want));
    return (size_t)want;
}

/* Whether t is so small that only hard_solve can tell: true, with the verdict. */
static perc_status settle(struct lp *l, bool all, bool *settled, perc_error *err)
{
    enum hard_verdict v;
    perc_status st = ask_hard(l, all, &v, err);

    if (st) return st;
    if (v == HARD_INSEPARABLE && l->out->verdict != LP_SEPARABLE) l->out->verdict = LP_INSEPARABLE;
    *settled = l->out->verdict != LP_UNDECIDED;
    return PERC_OK;
}

/* One program: solve, try, add. *over: there is nothing more to do. */
static perc_status round_of(struct lp *l, bool *over, perc_error *err)
{
    bool settled = false;
    perc_status st;

    *over = true;
    const bool solved = clp_solve(l);
    l->out->rounds++;
    l->out->rows = l->rows;
    if (!solved) return PERC_OK;
    read_solution(l);
    if (l->out->t * l->scale <= doubtful) {
        if ((st = settle(l, false, &settled, err)) || settled) return st;
    }
    try(l, l->w);
    const double bar = l->out->t - 2 * tolerance / l->scale;
    size_t n = margins_worst(&l->m, l->listed, bar, l->most, l->pick);
    if (n == 0 && l->out->verdict == LP_UNDECIDED) {
        if ((st = settle(l, true, &settled, err)) || settled) return st;
        n = margins_worst(&l->m, l->listed, INFINITY, l->most, l->pick);
    }
    if (n == 0) return PERC_OK;
    return add_rows(l, n, over, err);
}

static perc_status work(struct lp *l, perc_error *err)
{
    bool over = false;
    perc_status st = add_rows(l, first_rows(l), &over, err);

    while (!st && !over && l->out->rounds < l->o->rounds && watch_ask(l->o->watch, l->out->rounds))
        st = round_of(l, &over, err);
    return st;
}

/* ----- setting up --------------------------------------------------------------------- */

/* A power of two that brings the largest entry to 1/2 .. 1, and R. */
static void measure(struct lp *l)
{
    double largest = l->p->offset ? 1 : 0;
    int exponent;

    for (uint64_t i = 0; i < l->p->n; i++) {
        const struct row r = problem_row(l->p, &l->m.lens[0], i);
        for (size_t k = 0; k < r.n; k++) largest = fmax(largest, fabs(row_value(&r, k)));
    }
    frexp(largest, &exponent);
    if (exponent < -1022) exponent = -1022; /* 2^1023 is the largest there is */
    l->scale = largest > 0 ? ldexp(1, -exponent) : 1;
}

static perc_status open_all(struct lp *l, const struct problem *p, uint32_t positive,
                            perc_error *err)
{
    const struct env *e = &p->e;
    const uint64_t dims = p->dims + (p->offset ? 1 : 0);
    perc_status st;

    if (dims > INT32_MAX - 1) return fail(err, PERC_EARG, "too many columns for a linear program");
    l->most = dims < 128 ? 256 : dims > 1024 ? 1024 : (size_t)dims;
    l->listed = mem_zeroed(e, p->n, sizeof *l->listed);
    l->pick = mem_array(e, l->most, sizeof *l->pick);
    l->number = mem_zeroed(e, dims, sizeof *l->number);
    l->w = mem_zeroed(e, dims, sizeof *l->w);
    l->good = mem_zeroed(e, dims, sizeof *l->good);
    if (l->listed == NULL || l->pick == NULL || l->number == NULL || l->w == NULL ||
        l->good == NULL)
        return fail_memory(err);
    if ((st = margins_open(&l->m, p, positive, err))) return st;
    measure(l);
    return clp_open(l) ? PERC_OK : fail_memory(err);
}

static void close_all(struct lp *l, const struct problem *p)
{
    const struct env *e = &p->e;
    const uint64_t dims = p->dims + (p->offset ? 1 : 0);

    clp_close(l);
    margins_close(&l->m);
    mem_free(e, l->listed, p->n, sizeof *l->listed);
    mem_free(e, l->pick, l->most, sizeof *l->pick);
    mem_free(e, l->number, dims, sizeof *l->number);
    mem_free(e, l->w, dims, sizeof *l->w);
    mem_free(e, l->good, dims, sizeof *l->good);
    mem_free(e, l->row, l->cap_row, sizeof *l->row);
    mem_free(e, l->start, l->cap_start, sizeof *l->start);
    mem_free(e, l->column, l->cap_column, sizeof *l->column);
    mem_free(e, l->value, l->cap_value, sizeof *l->value);
}

bool lp_exists(void)
{
    return true;
}

perc_status lp_solve(const struct problem *p, uint32_t positive, const struct lp_options *o,
                     double *w, double *b, struct lp_result *out, perc_error *err)
{
    struct lp l = { .p = p, .o = o, .out = out };
    perc_status st;

    memset(w, 0, p->dims * sizeof *w);
    *b = 0;
    *out = (struct lp_result){ .verdict = LP_UNDECIDED };
    if (p->n == 0) return PERC_OK;
    if (!(st = open_all(&l, p, positive, err)) && !(st = work(&l, err)) && l.any) {
        memcpy(w, l.good, p->dims * sizeof *w);
        *b = p->offset ? l.good[p->dims] : 0;
    }
    close_all(&l, p);
    return st;
}

#endif
