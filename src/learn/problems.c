/* problems.c -- a run as a problem for the solvers.
 *
 * Two classes are one problem, more are one each. Those run on as many threads as there
 * are; a problem alone may use all of them itself. What comes out is the same: a solver
 * does not depend on the number of its threads. */
#include "learn/problems.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/pool.h"
#include "base/pthreads.h"
#include "base/threads.h"
#include "solve/shared.h"
#include "vec/row_many.h"

enum { SEVERAL = 4 }; /* problems: from there on it pays to prepare the rows */

struct problems {
    struct fit *f;
    struct problem problem;
    struct pool pool;
    uint64_t *ref; /* what the problem borrows */
    uint32_t *class;
    double *cost;
    struct pool shared;
    problems_one one;
    problems_all all; /* or for all classes at once */
    const void *ud;
    struct watch watch;
    struct problems_result *result; /* by vector */
    perc_status *st;
    perc_error *err;
    pthread_mutex_t lock; /* for what follows, and the observer */
};

const char *const solver_names[SOLVER_COUNT] = {
    [SOLVER_NONE] = "",     [SOLVER_DUAL] = "dual", [SOLVER_NEWTON] = "newton",
    [SOLVER_HARD] = "hard", [SOLVER_LP] = "lp",     [SOLVER_DESCENT] = "descent"
};

uint64_t problems_row(const struct problem *p, uint64_t i)
{
    return p->blocks[p->ref[i] >> 32].first_row + (p->ref[i] & UINT32_MAX);
}

perc_status problems_zero_row(const struct problem *p, uint64_t i, perc_error *err)
{
    const struct row r = block_row(&p->blocks[p->ref[i] >> 32], (size_t)(p->ref[i] & UINT32_MAX));
    const unsigned long long number = problems_row(p, i) + 1;
    size_t k = 0;

    while (k < r.n && row_value(&r, k) == 0) k++;
    if (k < r.n)
        return fail(err, PERC_ENO,
                    "no hyperplane separates the rows: without an offset row %llu is as good as 0 "
                    "beside the others",
                    number);
    return fail(err, PERC_ENO,
                "no hyperplane separates the rows: row %llu is 0, and so is its score without an "
                "offset",
                number);
}

/* ----- the rows ------------------------------------------------------------------ */

static perc_status problems_open(struct problems *a, const struct map *map)
{
    const struct fit *f = a->f;
    const struct learner *l = f->learner;
    const struct env *e = &l->e;
    const size_t vectors = l->machine->last.vectors;
    struct problem *p = &a->problem;
    uint64_t rows = 0;
    bool weighted = false;

    for (size_t k = 0; k < f->block_count; k++) rows += f->blocks[k].rows;
    a->problem = (struct problem){ .e = *e,
                                   .blocks = f->blocks,
                                   .block_count = f->block_count,
                                   .map = map,
                                   .dims = l->machine->last.dims,
                                   .offset = l->machine->last.offset };
    if (vectors > 1 && a->all == NULL) a->problem.e.threads = 1; /* the classes use them */
    pool_init(&a->pool, e);
    a->ref = pool_array(&a->pool, rows, sizeof *a->ref);
    a->class = pool_array(&a->pool, rows, sizeof *a->class);
    a->cost = pool_array(&a->pool, rows, sizeof *a->cost);
    a->result = pool_zeroed(&a->pool, vectors, sizeof *a->result);
    a->st = pool_zeroed(&a->pool, vectors, sizeof *a->st);
    a->err = pool_zeroed(&a->pool, vectors, sizeof *a->err);
    if (a->pool.failed) return fail_memory(f->err);
    for (size_t k = 0; k < f->block_count; k++) {
        const struct block *b = &f->blocks[k];
        for (size_t i = 0; i < b->rows; i++) {
            const double cost = block_weight(b, i) * f->weight_of[b->label[i]];
            if (!(cost > 0)) continue; /* it is left out */
            a->ref[p->n] = ref_make(k, i);
            a->class[p->n] = (uint32_t)f->class_of[b->label[i]];
            a->cost[p->n] = cost;
            weighted |= cost < 1 || cost > 1;
            p->n++;
        }
    }
    p->ref = a->ref;
    p->class = a->class;
    p->cost = weighted ? a->cost : NULL;
    if (vectors >= SEVERAL) shared_make(&a->problem, &a->shared);
    return PERC_OK;
}

/* ----- while it runs --------------------------------------------------------------- */

/* The clock and the observer, one thread at a time. */
static bool ask_observer(void *ud, int64_t passes)
{
    struct problems *a = ud;
    struct progress *g = &a->f->learner->progress;

    pthread_mutex_lock(&a->lock);
    if (passes > g->epoch) g->epoch = passes;
    fit_poll(a->f);
    const bool go_on = g->stop == PERC_STOP_NONE;
    pthread_mutex_unlock(&a->lock);
    return go_on;
}

/* Solves for vector c, in memory of its own: those of the machine lie side by side. */
static void solve_vector(void *ud, uint64_t c)
{
    struct problems *a = ud;
    struct linear *m = &a->f->learner->machine->last;
    const uint32_t positive = a->f->learner->kind == KIND_TWO ? 1 : (uint32_t)c;
    struct problems_result *r = &a->result[c];

    if (a->f->learner->kind != KIND_TWO &&
        !watch_ask(&a->watch, 0)) { /* it says "no" to all rows */
        r->end = PROBLEMS_STUCK;
        r->solved = (struct solved){ .primal = NAN,
                                     .dual = NAN,
                                     .lower = NAN,
                                     .upper = NAN,
                                     .geometric_lower = NAN,
                                     .geometric_upper = NAN };
        if (m->offset) m->b[c] = -1;
        return;
    }
    r->w = mem_zeroed(&m->e, m->dims, sizeof *r->w);
    a->st[c] = r->w == NULL ? fail_memory(&a->err[c])
                            : a->one(a->ud, &a->problem, positive, &a->watch, r, &a->err[c]);
    for (uint64_t j = 0; j < m->dims && !a->st[c]; j++) m->w[j * m->stride + c] = r->w[j];
    if (!a->st[c]) m->b[c] = r->b;
    mem_free(&m->e, r->w, m->dims, sizeof *r->w);
}

/* Solves for all of them, in memory that has them in order. */
static void solve_all(struct problems *a)
{
    struct linear *m = &a->f->learner->machine->last;
    const size_t width = row_many_stride(m->vectors);
    double *w = NULL, *b = mem_zeroed(&m->e, width, sizeof *b);

    if (m->dims <= SIZE_MAX / width) w = mem_zeroed(&m->e, m->dims * width, sizeof *w);
    a->st[0] = w == NULL || b == NULL ? fail_memory(&a->err[0])
                                      : a->all(a->ud, &a->problem, m->vectors, width, &a->watch, w,
                                               b, &a->result[0], &a->err[0]);
    for (size_t c = 0; c < m->vectors && !a->st[0]; c++) {
        for (uint64_t j = 0; j < m->dims; j++)
            m->w[j * m->stride + linear_at(m, c)] = w[j * width + c];
        m->b[linear_at(m, c)] = b[c];
    }
    mem_free(&m->e, w, m->dims * width, sizeof *w);
    mem_free(&m->e, b, width, sizeof *b);
}

/* What the results of all vectors come to. */
static void add_up_results(struct learner *l, const struct problems_result *r, size_t n)
{
    struct solved *all = &l->solved;
    bool solved = true, limit = false;

    *all = r[0].solved;
    for (size_t c = 0; c < n; c++) {
        const struct solved *one = &r[c].solved;
        solved &= r[c].end == PROBLEMS_SOLVED;
        limit |= r[c].end == PROBLEMS_LIMIT;
        if (c == 0) continue;
        all->primal += one->primal;
        all->dual += one->dual;
        all->supports += one->supports;
        if (one->lower < all->lower) all->lower = one->lower;
        if (one->upper < all->upper) all->upper = one->upper;
        all->geometric_lower = fmin(all->geometric_lower, one->geometric_lower);
        all->geometric_upper = fmin(all->geometric_upper, one->geometric_upper);
    }
    if (solved) l->progress.stop = PERC_STOP_SOLVED;
    else if (l->progress.stop == PERC_STOP_NONE)
        l->progress.stop = limit ? PERC_STOP_EPOCHS : PERC_STOP_STUCK;
}

static perc_status problems_solve(struct problems *a, const struct map *map)
{
    struct fit *f = a->f;
    struct learner *l = f->learner;
    perc_status st;

    a->watch = (struct watch){ ask_observer, a };
    if (pthread_mutex_init(&a->lock, NULL) != 0) return fail_memory(f->err);
    if (!(st = problems_open(a, map))) {
        const size_t n = a->all != NULL ? 1 : l->machine->last.vectors;
        size_t c = 0; /* the first error in the order of the classes, with the name of its class */
        if (a->all != NULL) solve_all(a);
        else threads_each(l->e.threads, n, solve_vector, a);
        while (c < n && !a->st[c]) c++;
        if (c < n) st = a->st[c];
        if ((st == PERC_ENO || st == PERC_EUNDECIDED) && l->kind != KIND_TWO && a->all == NULL)
            fail(f->err, st, "label %s against the rest: %s", l->labels.at[c].text, a->err[c].text);
        else if (st && f->err != NULL) *f->err = a->err[c];
        if (!st) add_up_results(l, a->result, n);
    }
    l->progress.examples = l->progress.epoch * (int64_t)a->problem.n;
    pool_free(&a->shared);
    pool_free(&a->pool);
    pthread_mutex_destroy(&a->lock);
    return st;
}

perc_status problems_each(struct fit *f, const struct map *map, problems_one one, const void *ud)
{
    struct problems a = { .f = f, .one = one, .ud = ud };

    return problems_solve(&a, map);
}

perc_status problems_jointly(struct fit *f, const struct map *map, problems_all all, const void *ud)
{
    struct problems a = { .f = f, .all = all, .ud = ud };

    return problems_solve(&a, map);
}

perc_status problems_check_cost(const struct problem *p, double c, perc_error *err)
{
    double sum = 0;

    for (uint64_t i = 0; i < p->n; i++) sum += 2 * c * problem_cost(p, i);
    return isfinite(sum) ? PERC_OK
                         : fail(err, PERC_EARG,
                                "C times the weights of the rows is too large: choose a smaller C");
}

/* Whether |x'|^2 is a number for every row that counts; |phi(x)|^2 <= (1 + |x|^2)^D, of a lift
 * (C + |x|^2)^D. */
perc_status problems_check_sizes(const struct fit *f, const struct map *map)
{
    const unsigned degree = map_is_identity(map) ? 1 : map->degree;
    const double constant = map_is_identity(map) ? 1 : fmax(map->c, 1);

    for (size_t k = 0; k < f->block_count; k++) {
        const struct block *b = &f->blocks[k];
        for (size_t i = 0; i < b->rows; i++) {
            const struct row r = block_row(b, i);
            const double x2 = constant + row_norm2(&r);
            double size = x2;
            for (unsigned d = 1; d < degree; d++) size *= x2;
            if (isfinite(size) || !(block_weight(b, i) * f->weight_of[b->label[i]] > 0)) continue;
            return block_blame(
                b, i,
                fail_at(f->err, PERC_EDATA, block_line(b, i), 0,
                        "the values of this row are too large: their squares overflow; scale "
                        "the features (--scale)"),
                f->err);
        }
    }
    return PERC_OK;
}
