/* vote_counter.c -- the votes counted.
 *
 * The vote of a row x with the vectors v_1, v_2, ..., of which v_k stood c_k examples, is
 *
 *     sum_k c_k sign(v_k.x'),    v_k.x' = v_(k-1).x' + step_k (x_(row_k).x + 1),     (1)
 *
 * the 1 only with an offset, from v_0.x' on, which is 0 unless training began elsewhere. So
 * all that is needed is one dot with each distinct row, and then an addition, a comparison
 * and another addition for every update, which is how Freund and Schapire (1999, section 5)
 * count the votes of a kernel machine. The sum (1), in this order, each operation rounded,
 * is also what a score is to the last bit. With several classes an update moves two scores,
 * and each vector votes for the class of the highest.
 *
 * Two ways lead to the dots, and to the same bits, because both add the products of a
 * row in the order of the columns:
 *
 *   by rows      x is spread out and all distinct rows are walked: all entries
 *   by columns   for each column of x, the rows that have it, from an inverted
 *                index: only the entries in columns of x
 *
 * Up to VOTE_ROWS rows are answered at once, in lanes: a number that was loaded
 * serves all of them. That suits the first way and not the second.
 *
 * Not here     passing over a run of updates because a bound shows that its vectors
 *              vote alike. Where it would matter, the vectors turn too fast: at 10^5
 *              mistakes on a9a, in 46 of 100 runs of 16 updates they do not agree, and
 *              the extremes of each weight, the best of the bounds that were tried,
 *              leave 60 undecided. Nor an early end: it would give a sign and no score.
 * Cost         O(entries + updates (native: * classes)) for VOTE_ROWS rows.
 * Freund, Schapire, Machine Learning 37(3), 1999. */
#include "machine/vote_counter.h"

#include <assert.h>
#include <string.h>

#include "base/pool.h"
#include "vec/lanes.h"
#include "vec/targets.h"
#include "vec/turns.h"

struct vote_counter {
    struct pool pool; /* of all arrays */
    enum kind kind;
    size_t vectors;
    uint64_t dims;
    double one;                 /* 1 with an offset, else 0 */
    double shown;               /* T */
    const struct linear *first; /* v_0; NULL: 0 */
    double *before;             /* by run: how long it stood */
    size_t rows;                /* distinct ones */
    bool by_columns;
    /* lists of columns, one a row; by columns: lists of rows, one a column */
    uint64_t *start;
    uint32_t *index;
    double *value;
    struct turn
        *turn; /* `stood` is c_k; one run for each vector that votes for itself; native: one */
    size_t turns;
    uint64_t *run; /* runs + 1: where they begin */
    size_t runs;
};

enum { UNITS = VOTE_ROWS / LANES };

/* ----- in lanes ------------------------------------------------------------------------- */

/* The rows in hand. Every number is `units` lanes, one lane a row. */
struct vote_count {
    const struct vote_counter *b;
    lanes *x;     /* dims: the rows spread out; none by columns */
    lanes *dot;   /* rows: x_r.x + 1 */
    lanes *first; /* vectors: v_0.x'; none if that is 0 */
    lanes *score; /* native: vectors, and one that nobody looks at */
    lanes *votes; /* runs, or native: vectors */
};

LANES_INLINE void dots_by_rows(const struct vote_count *c, size_t units)
{
    const struct vote_counter *b = c->b;

    for (size_t r = 0; r < b->rows; r++) {
        lanes sum[UNITS] = { { 0 } };
        for (uint64_t k = b->start[r]; k < b->start[r + 1]; k++) {
            const lanes *x = c->x + b->index[k] * units;
            for (size_t u = 0; u < units; u++) sum[u] += b->value[k] * x[u];
        }
        for (size_t u = 0; u < units; u++) c->dot[r * units + u] = sum[u] + b->one;
    }
}

/* One vector: the votes for +1. */
LANES_INLINE void count_own(const struct vote_count *c, size_t run, size_t units)
{
    const struct turn *t = c->b->turn + c->b->run[run];
    const struct turn *end = c->b->turn + c->b->run[run + 1];
    lanes score[UNITS] = { { 0 } }, votes[UNITS] = { { 0 } };

    for (size_t u = 0; u < units && c->b->first != NULL; u++) {
        score[u] = c->first[run * units + u];
        votes[u] = lanes_only(score[u] > 0, lanes_all(c->b->before[run]));
    }
    for (; t < end; t++) {
        const lanes *dot = c->dot + t->row * units;
        for (size_t u = 0; u < units; u++) {
            score[u] += t->step * dot[u];
            votes[u] += lanes_only(score[u] > 0, lanes_all(t->stood));
        }
    }
    for (size_t u = 0; u < units; u++) c->votes[run * units + u] = votes[u];
}

/* The class of the highest score has `stood` votes more. */
LANES_INLINE void vote_highest(const struct vote_counter *b, const lanes *score, lanes *votes,
                               size_t units, double stood)
{
    lanes top = score[0], best = { 0 };

    for (size_t v = 1; v < b->vectors; v++) {
        const lanes_mask higher = score[v * units] > top;
        top = lanes_pick(higher, score[v * units], top);
        best = lanes_pick(higher, lanes_all((double)v), best);
    }
    for (size_t v = 0; v < b->vectors; v++)
        votes[v * units] += lanes_only(best == lanes_all((double)v), lanes_all(stood));
}

/* One vector a class, one of the units: the votes for each. All classes are compared after each
 * update, and all have something added, if only 0: in lanes that is cheaper than finding out which
 * of them it concerns. */
LANES_INLINE void count_native(const struct vote_count *c, size_t unit, size_t units)
{
    const struct vote_counter *b = c->b;
    const lanes *dot = c->dot + unit;
    lanes *score = c->score + unit, *votes = c->votes + unit;

    for (size_t v = 0; v <= b->vectors; v++) score[v * units] = (lanes){ 0 };
    for (size_t v = 0; v < b->vectors; v++) votes[v * units] = (lanes){ 0 };
    for (size_t v = 0; v < b->vectors && b->first != NULL; v++)
        score[v * units] = c->first[v * units + unit];
    vote_highest(b, score, votes, units, b->before[0]); /* all scores 0: the lowest class */
    for (const struct turn *t = b->turn; t < b->turn + b->turns; t++) {
        const lanes move = t->step * dot[t->row * units];
        score[t->up * units] += move;
        score[t->down * units] -= move;
        vote_highest(b, score, votes, units, t->stood);
    }
}

LANES_INLINE void count_units(const struct vote_count *c, size_t units)
{
    if (!c->b->by_columns) dots_by_rows(c, units);
    if (c->b->kind == KIND_NATIVE) {
        for (size_t u = 0; u < units; u++) count_native(c, u, units);
    } else {
        for (size_t r = 0; r < c->b->runs; r++) count_own(c, r, units);
    }
}

/* The number of units as a constant, so that loops over them disappear. */
LANES_INLINE void count_any(const struct vote_count *c, size_t units)
{
    if (units == 1) count_units(c, 1);
    else count_units(c, UNITS);
}

TARGETS(count, (const struct vote_count *c, size_t units), (c, units))

/* ----- rows together ------------------------------------------------------------------- */

/* Row i into lane i of the columns; `width` lanes a column. */
static void spread(const struct vote_counter *b, const struct row *x, size_t n, size_t width,
                   double *to)
{
    memset(to, 0, (size_t)b->dims * width * sizeof *to);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < x[i].n; k++) {
            const uint64_t column = row_column(&x[i], k);
            if (column < b->dims) to[(size_t)column * width + i] = row_value(&x[i], k);
        }
    }
}

/* `line` has room for one row's dots, which are near each other there while they grow. */
static void dots_by_columns(const struct vote_counter *b, const struct row *x, size_t n,
                            size_t width, double *line, double *dot)
{
    memset(dot, 0, b->rows * width * sizeof *dot);
    for (size_t i = 0; i < n; i++) {
        memset(line, 0, b->rows * sizeof *line);
        for (size_t k = 0; k < x[i].n; k++) {
            const uint64_t column = row_column(&x[i], k);
            const double value = row_value(&x[i], k);
            if (column >= b->dims) continue;
            for (uint64_t l = b->start[column]; l < b->start[column + 1]; l++)
                line[b->index[l]] += b->value[l] * value;
        }
        for (size_t r = 0; r < b->rows; r++) dot[r * width + i] = line[r] + b->one;
    }
}

/* v_0.x' of every vector, in the order of the columns; row i in lane i. */
static void start_scores(const struct vote_counter *b, const struct row *x, size_t n, size_t width,
                         double *to)
{
    const struct linear *w = b->first;

    for (size_t i = 0; i < n; i++)
        for (size_t v = 0; v < b->vectors; v++) {
            const size_t at = linear_at(w, v);
            double sum = 0;
            for (size_t k = 0; k < x[i].n && row_column(&x[i], k) < w->dims; k++)
                sum += w->w[row_column(&x[i], k) * w->stride + at] * row_value(&x[i], k);
            to[v * width + i] = sum + w->b[at];
        }
}

/* The scratch memory, in numbers for each lane: what the members of a count need. */
struct layout {
    size_t x, dot, first, score, votes;
};

static struct layout layout_of(const struct vote_counter *b)
{
    const bool native = b->kind == KIND_NATIVE;

    return (struct layout){ .x = b->by_columns ? 0 : (size_t)b->dims,
                            .dot = b->rows,
                            .first = b->first != NULL ? b->vectors : 0,
                            .score = native ? b->vectors + 1 : 0,
                            .votes = native ? b->vectors : b->runs };
}

size_t vote_counter_scratch(const struct vote_counter *b)
{
    const struct layout s = layout_of(b);
    const size_t line = b->by_columns ? b->rows : 0;

    return (s.x + s.dot + s.first + s.score + s.votes) * VOTE_ROWS + line + LANES -
           1; /* to align */
}

void vote_counter_scores(const struct vote_counter *b, const struct row *x, size_t n,
                         double *scratch, double *out)
{
    const size_t units = n <= LANES ? 1 : UNITS, width = units * LANES;
    const struct layout s = layout_of(b);
    struct vote_count c = { .b = b };

    assert(n <= VOTE_ROWS);
    scratch += -((uintptr_t)scratch / sizeof *scratch) % LANES;
    c.x = (lanes *)(void *)scratch;
    c.dot = c.x + s.x * units;
    c.first = c.dot + s.dot * units;
    c.score = c.first + s.first * units;
    c.votes = c.score + s.score * units;
    if (b->by_columns)
        dots_by_columns(b, x, n, width, (double *)(c.votes + s.votes * units), (double *)c.dot);
    else spread(b, x, n, width, (double *)c.x);
    if (s.first > 0) start_scores(b, x, n, width, (double *)c.first);
    count(&c, units);
    const double all = b->shown > 0 ? b->shown : 1; /* before the first example v_0 has the vote */
    for (size_t i = 0; i < n; i++) {                /* votes to scores */
        for (size_t k = 0; k < s.votes; k++) {
            const double v = ((const double *)c.votes)[k * width + i];
            *out++ = b->kind == KIND_NATIVE ? v / all : (v - (all - v)) / all;
        }
    }
}

/* ----- made from votes ------------------------------------------------------------------ */

/* n lengths become the places where the lists begin. */
static void lengths_to_begins(uint64_t *length, size_t n)
{
    uint64_t at = 0;

    for (size_t i = 0; i < n; i++) {
        const uint64_t one = length[i];
        length[i] = at;
        at += one;
    }
}

static perc_status make_lists(struct vote_counter *b, const struct votes *v)
{
    b->rows = v->rows;
    b->start = pool_zeroed(&b->pool, (b->dims > v->rows ? b->dims : v->rows) + 1, sizeof *b->start);
    b->index = pool_array(&b->pool, v->entries, sizeof *b->index);
    b->value = pool_array(&b->pool, v->entries, sizeof *b->value);
    if (b->pool.failed) return PERC_ENOMEM;
    for (size_t k = 0; k < v->entries; k++) {
        assert(v->column[k] < b->dims);
        b->start[v->column[k] + (size_t)1]++;
    }
    /* length[j]: the rows that have column j. A row like those that are stored has column j in a
     * share length[j] / rows of cases, so by columns it costs the sum of length[j]^2 / rows
     * entries; by rows all of them, but LANES or more at the price of one. The spread rows should
     * not need more memory than the entries do, either. */
    const uint64_t *length = b->start + 1;
    double sum = 0;
    for (uint64_t j = 0; j < b->dims; j++) sum += (double)length[j] * (double)length[j];
    b->by_columns = b->dims > v->entries || sum * LANES < (double)v->entries * (double)v->rows;
    if (b->by_columns) {
        /* start[j + 1] is the length of list j, then its beginning, and in the end its end. */
        lengths_to_begins(b->start + 1, (size_t)b->dims);
        for (size_t i = 0; i < v->rows; i++) {
            for (uint64_t k = v->start[i]; k < v->start[i + 1]; k++) {
                const uint64_t to = b->start[v->column[k] + (size_t)1]++;
                b->index[to] = (uint32_t)i;
                b->value[to] = v->value[k];
            }
        }
        return PERC_OK;
    }
    if (v->rows > 0) memcpy(b->start, v->start, (v->rows + 1) * sizeof *b->start);
    if (v->entries > 0) {
        memcpy(b->index, v->column, v->entries * sizeof *b->index);
        memcpy(b->value, v->value, v->entries * sizeof *b->value);
    }
    return PERC_OK;
}

/* Vectors at or beyond b->vectors have no vote; an update without a `down` moves the
 * score that nobody looks at. */
static perc_status make_turns(struct vote_counter *b, const struct votes *v, int64_t shown)
{
    const bool own = b->kind != KIND_NATIVE;
    const uint32_t nobody = (uint32_t)b->vectors;

    b->runs = b->kind == KIND_REST ? b->vectors : 1;
    for (size_t k = 0; k < v->n; k++) b->turns += v->vote[k].up < b->vectors;
    b->turn = pool_array(&b->pool, b->turns, sizeof *b->turn);
    b->run = pool_zeroed(&b->pool, b->runs + 1, sizeof *b->run);
    b->before = pool_zeroed(&b->pool, b->runs, sizeof *b->before);
    if (b->pool.failed) return PERC_ENOMEM;
    for (size_t k = 0; k < v->n; k++)
        if (v->vote[k].up < b->vectors) b->run[own ? v->vote[k].up + (size_t)1 : 1]++;
    lengths_to_begins(b->run + 1, b->runs);
    for (size_t k = 0; k < v->n; k++) {
        const struct vote *one = &v->vote[k];
        if (one->up >= b->vectors) continue;
        b->turn[b->run[own ? one->up + (size_t)1 : 1]++] = (struct turn){
            .step = one->step,
            .stood = (double)one->at,
            .row = one->row,
            .up = one->up,
            .down = one->down != NO_DOWN ? one->down : nobody
        };
    }
    /* c_k: a turn's `stood` is the example it began with until the next one is known. */
    for (size_t r = 0; r < b->runs; r++) {
        const bool none = b->run[r] == b->run[r + 1];
        b->before[r] = none ? (shown > 0 ? (double)shown : 1) : b->turn[b->run[r]].stood - 1;
        for (size_t k = b->run[r]; k < b->run[r + 1]; k++) {
            const bool last = k + 1 == b->run[r + 1];
            const double next = last ? (double)shown + 1 : b->turn[k + 1].stood;
            b->turn[k].stood = next - b->turn[k].stood;
        }
    }
    return PERC_OK;
}

perc_status vote_counter_new(const struct env *e, const struct votes *v, const struct linear *first,
                             enum kind kind, size_t vectors, uint64_t dims, bool offset,
                             int64_t shown, struct vote_counter **out)
{
    struct vote_counter *b = mem_zeroed(e, 1, sizeof *b);

    *out = NULL;
    if (b == NULL) return PERC_ENOMEM;
    *b = (struct vote_counter){ .pool.e = *e,
                                .kind = kind,
                                .vectors = vectors,
                                .dims = dims,
                                .first = first,
                                .one = offset ? 1 : 0,
                                .shown = (double)shown };
    if (make_lists(b, v) || make_turns(b, v, shown)) {
        vote_counter_free(b);
        return PERC_ENOMEM;
    }
    *out = b; /* the caller owns it now */
    return PERC_OK;
}

void vote_counter_free(struct vote_counter *b)
{
    if (b == NULL) return;
    const struct env e = b->pool.e;
    pool_free(&b->pool);
    mem_free(&e, b, 1, sizeof *b);
}
