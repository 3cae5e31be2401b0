/* hard.c -- the maximum-margin separator, with bounds.
 *
 *     gamma' = min over lambda in the simplex of |sum lambda_i a_i|,   a_i = y_i x'_i
 *
 * is the distance of the origin from the hull of the a_i, and w' its nearest point. Only
 * few rows matter (at most dims + 2), so the method is row generation: wolfe.c finds the
 * nearest point x of the hull of a list of rows; a pass over all rows finds those that
 * lie before it, a_i.x < |x|^2; the worst of them join the list.
 *
 * Each pass gives both bounds. From below: min_i a_i.x / |x|, whatever x is. The scores
 * are rounded, each by at most e = (n + 4) 2^-52 |x| R, n the entries of the longest row;
 * those within 2 e of the least are computed again with 32 digits (twofold.h), so that
 * the minimum is the true one to a few units of the last place, which are taken off.
 * From above: |x|, computed from lambda with 32 digits.
 *
 * The work is done with 16 digits for as long as that helps, then with 32. No separating
 * hyperplane: x goes to 0, to 10^-25 R, and lambda says which rows hold the origin.
 *
 * Squares of very large or small numbers are infinite or 0. Such rows are copied, each
 * number and the constant feature times a power of two, which rounds nothing, and what
 * is found for the copies is scaled back.
 *
 * Threads share the passes, in chunks that do not depend on their number; all else is
 * done by one. So the result is the same for any number of them. */
#include "solve/hard.h"

#include <string.h>

#include "base/sort.h"
#include "solve/margins.h"
#include "solve/wolfe.h"

static const double slack = 16 * 0x1p-53; /* what a few roundings cost, relatively */
static const double norm2_max = 1e180;    /* products of rows must neither overflow nor vanish:
                                              |x|^2 goes down to 10^-50 R^2, with 32 digits */
static const double finest = 1e-14;       /* a gap below cannot be closed */

struct hard {
    const struct hard_options *o;
    struct hard_result *out;
    struct margins m;
    struct wolfe s;
    double gap;
    bool scaled;   /* the largest number is 1/2 .. 1, or all are 0 */
    bool unfit;    /* the numbers are too large, or too small: nothing was done */
    uint64_t dims; /* with the offset */
    bool *listed;  /* n: the row is a point of the list */
    size_t most;   /* rows that join the list at once */
    struct pick *pick;
    struct two *sum; /* dims */
    double *best;    /* dims: x of the best lower bound */
    bool any;        /* there is one */
};

/* ----- bounds ------------------------------------------------------------------------- */

static double length_of(const struct two *x, uint64_t dims)
{
    struct two t = { 0, 0 };

    for (uint64_t j = 0; j < dims; j++)
        if (x[j].hi != 0) t = two_add(t, two_mul(x[j], x[j]));
    return two_root(t).hi;
}

/* A pass with the x there is, and what follows from it for gamma'. */
static void bound(struct hard *h)
{
    struct hard_result *out = h->out;
    struct wolfe *s = &h->s;
    const double error = margins_error(&h->m, sqrt(s->norm2), out->radius);

    margins_score(&h->m, s->x);
    out->passes++;
    out->upper = fmin(out->upper, wolfe_upper(s, h->sum) * (1 + slack));
    if (!s->fine) /* x itself: lambda gives another one, by rounding */
        for (uint64_t j = 0; j < h->dims; j++) h->sum[j] = two_of(s->x[j]);
    /* While fine those near |x|^2 are all wanted with 32 digits, to choose by. */
    double bar = h->m.value[margins_least(&h->m)] + 2 * error;
    if (s->fine) bar = fmax(bar, s->norm2 + error);
    margins_exact(&h->m, s->fine ? s->fine_x : h->sum, nextafter(bar, INFINITY));
    const double m = h->m.value[margins_least(&h->m)];
    const double length = length_of(s->fine ? s->fine_x : h->sum, h->dims);
    const double rest = (double)(h->m.longest + 4) * 4 * TWO_UNIT * out->radius;
    const double lower = length > 0 ? m / length * (m > 0 ? 1 - slack : 1 + slack) - rest : 0;
    if (h->any && !(lower > out->lower)) return;
    out->lower = lower;
    memcpy(h->best, s->x, h->dims * sizeof *h->best);
    h->any = true;
}

static bool gap_closed(const struct hard *h)
{
    return h->out->lower > 0 && h->out->upper - h->out->lower <= h->gap * h->out->upper;
}

/* ----- the list ----------------------------------------------------------------------- */

static perc_status list_row(struct hard *h, uint64_t i, perc_error *err)
{
    const struct problem *p = h->m.p;
    const struct row r = problem_row(p, &h->m.lens[0], i);

    h->listed[i] = true;
    return wolfe_point(&h->s, &r, problem_sign(p, i, h->m.positive), p->offset, i, err);
}

/* The rows furthest before x join the list. */
static perc_status list_worst(struct hard *h, size_t *added, perc_error *err)
{
    const double bar = h->s.norm2 * (1 - 0.5 * h->gap);
    perc_status st = PERC_OK;

    *added = margins_worst(&h->m, h->listed, bar, h->most, h->pick);
    for (size_t k = 0; k < *added && !st; k++) st = list_row(h, h->pick[k].row, err);
    return st;
}

/* ----- setting up --------------------------------------------------------------------- */

static perc_status open_all(struct hard *h, const struct problem *p, uint32_t positive,
                            perc_error *err)
{
    const struct env *e = &p->e;

    h->dims = p->dims + (p->offset ? 1 : 0);
    h->most = h->dims < 32 ? 32 : h->dims > 1024 ? 1024 : (size_t)h->dims;
    if (h->dims > UINT32_MAX) return fail(err, PERC_EARG, "too many columns for the hard margin");
    h->listed = mem_zeroed(e, p->n, sizeof *h->listed);
    h->pick = mem_array(e, h->most, sizeof *h->pick);
    h->sum = mem_zeroed(e, h->dims, sizeof *h->sum);
    h->best = mem_zeroed(e, h->dims, sizeof *h->best);
    if (h->listed == NULL || h->pick == NULL || h->sum == NULL || h->best == NULL)
        return fail_memory(err);
    return margins_open(&h->m, p, positive, err);
}

static void close_all(struct hard *h, const struct problem *p)
{
    const struct env *e = &p->e;

    wolfe_free(&h->s);
    margins_close(&h->m);
    mem_free(e, h->listed, p->n, sizeof *h->listed);
    mem_free(e, h->pick, h->most, sizeof *h->pick);
    mem_free(e, h->sum, h->dims, sizeof *h->sum);
    mem_free(e, h->best, h->dims, sizeof *h->best);
}

/* R, and the row nearest to the origin as the first point. */
static perc_status begin(struct hard *h, perc_error *err)
{
    const struct problem *p = h->m.p;
    double largest = 0;
    perc_status st;

    margins_norms(&h->m);
    h->out->passes++;
    for (uint64_t i = 0; i < p->n; i++) largest = fmax(largest, h->m.value[i]);
    h->out->radius = h->out->upper = sqrt(largest);
    h->unfit = !h->scaled && !(largest <= norm2_max && largest >= 1 / norm2_max);
    if (h->unfit) return PERC_OK;
    wolfe_init(&h->s, &p->e, h->dims, largest > 0 ? largest : 1, h->gap);
    if ((st = list_row(h, margins_least(&h->m), err))) return st;
    return wolfe_start(&h->s, err);
}

/* ----- the loop ----------------------------------------------------------------------- */

static bool may_go_on(const struct hard *h)
{
    return h->out->passes < h->o->passes && watch_ask(h->o->watch, h->out->passes);
}

static perc_status improve(struct hard *h, perc_error *err)
{
    enum wolfe_end end;
    size_t added = 0;
    perc_status st;

    do {
        if ((st = wolfe_run(&h->s, h->o->watch, h->out->passes, &end, err))) return st;
        if (!h->s.fine && end == WOLFE_ZERO && h->o->coarse) {
            bound(h);
            break;
        }
        if (!h->s.fine && end == WOLFE_ZERO) {
            if ((st = wolfe_refine(&h->s, err))) return st;
            continue;
        }
        bound(h);
        if (gap_closed(h) || end == WOLFE_ZERO || end == WOLFE_STOPPED) break;
        if ((st = list_worst(h, &added, err))) return st;
        if (added > 0 && (h->s.fine || end == WOLFE_BEST)) continue;
        if (h->s.fine) break;
        if ((st = wolfe_refine(&h->s, err))) return st;
    } while (may_go_on(h));
    return PERC_OK;
}

/* The best x as w', its least score 1. Whether the scores as everybody computes them have
 * the right signs is seen on the w' that is returned. */
static void finish(struct hard *h, double *w, double *b)
{
    struct hard_result *out = h->out;
    const struct problem *p = h->m.p;
    double m = 0;

    for (int turn = 0; turn < 2; turn++) {
        margins_score(&h->m, h->best);
        m = h->m.value[margins_least(&h->m)];
        if (turn == 0 && m > 0)
            for (uint64_t j = 0; j < h->dims; j++) h->best[j] /= m;
    }
    memcpy(w, h->best, p->dims * sizeof *w);
    *b = p->offset ? h->best[p->dims] : 0;
    out->solved = gap_closed(h);
    if (m > 0 && out->lower > 0) out->verdict = HARD_SEPARABLE;
    else if (!(out->lower > 0) && out->upper <= HARD_ZERO * out->radius) {
        out->verdict = HARD_INSEPARABLE;
        out->solved = true;
    }
}

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

/* The first of the rows with lambda_i > 0. */
static void name_witnesses(struct hard *h)
{
    const struct wolfe *s = &h->s;
    uint64_t *to = h->out->witness;
    size_t n = 0;

    h->out->supports = 0;
    for (size_t i = 0; i < s->k; i++) {
        if (!(s->lambda[i].hi > 0)) continue;
        const uint64_t row = s->p.row[s->member[i]];
        h->out->supports++;
        if (n == HARD_WITNESSES && row > to[n - 1]) continue;
        if (n < HARD_WITNESSES) n++;
        to[n - 1] = row;
        sort_items(to, n, sizeof *to, by_number);
    }
}

void hard_corral_free(const struct env *e, struct hard_corral *c)
{
    mem_free(e, c->row, c->n, sizeof *c->row);
    mem_free(e, c->lambda, c->n, sizeof *c->lambda);
    *c = (struct hard_corral){ .n = 0 };
}

static perc_status hand_out(struct hard *h, perc_error *err)
{
    struct hard_corral *c = h->o->corral;
    const struct wolfe *s = &h->s;
    size_t n = 0;

    if (c == NULL) return PERC_OK;
    hard_corral_free(&s->e, c);
    c->n = (size_t)h->out->supports;
    c->row = mem_array(&s->e, c->n, sizeof *c->row);
    c->lambda = mem_array(&s->e, c->n, sizeof *c->lambda);
    if (c->row == NULL || c->lambda == NULL) {
        hard_corral_free(&s->e, c);
        return fail_memory(err);
    }
    for (size_t i = 0; i < s->k; i++) {
        if (!(s->lambda[i].hi > 0)) continue;
        c->row[n] = s->p.row[s->member[i]];
        c->lambda[n++] = s->lambda[i].hi;
    }
    return PERC_OK;
}

/* *unfit: the numbers are out of range, and nothing was done. NULL: they are not. */
static perc_status solve(const struct problem *p, uint32_t positive, const struct hard_options *o,
                         double *w, double *b, struct hard_result *out, bool *unfit,
                         perc_error *err)
{
    struct hard h = { .o = o, .out = out, .gap = fmax(o->gap, finest), .scaled = unfit == NULL };
    perc_status st;

    *out = (struct hard_result){ .verdict = HARD_UNDECIDED };
    if (!(st = open_all(&h, p, positive, err)) && !(st = begin(&h, err)) && !h.unfit &&
        !(st = improve(&h, err))) {
        if (!h.any) bound(&h);
        finish(&h, w, b);
        name_witnesses(&h);
        st = hand_out(&h, err);
    }
    if (unfit != NULL) *unfit = h.unfit;
    close_all(&h, p);
    return st;
}

/* ----- numbers out of range ----------------------------------------------------------- */

/* All x'_i, each number times 2^-exponent, as rows without an offset. */
struct scaled {
    struct problem p;
    struct block block;
    int exponent;     /* the largest number is 1/2 .. 1 then */
    uint64_t *start;  /* n + 1 */
    uint32_t *column; /* entries */
    double *value;
    uint64_t *ref; /* n */
    size_t entries;
};

/* The largest |x'_ij|, and how many entries there are. */
static double measure(const struct problem *p, struct lens *lens, size_t *entries)
{
    double largest = p->offset ? 1 : 0;

    *entries = 0;
    for (uint64_t i = 0; i < p->n; i++) {
        const struct row r = problem_row(p, lens, i);
        for (size_t k = 0; k < r.n; k++)
            if (row_column(&r, k) < p->dims) largest = fmax(largest, fabs(row_value(&r, k)));
        *entries += r.n + 1;
    }
    return largest;
}

static void scaled_fill(struct scaled *s, const struct problem *p, struct lens *lens)
{
    size_t at = 0;

    for (uint64_t i = 0; i < p->n; i++) {
        const struct row r = problem_row(p, lens, i);
        s->start[i] = at;
        s->ref[i] = ref_make(0, i);
        for (size_t k = 0; k < r.n; k++) {
            if (row_column(&r, k) >= p->dims) continue;
            s->column[at] = (uint32_t)row_column(&r, k);
            s->value[at++] = ldexp(row_value(&r, k), -s->exponent);
        }
        if (!p->offset) continue;
        s->column[at] = (uint32_t)p->dims;
        s->value[at++] = ldexp(1, -s->exponent);
    }
    s->start[p->n] = at;
}

static perc_status scaled_new(struct scaled *s, const struct problem *p, perc_error *err)
{
    const struct env *e = &p->e;
    struct lens lens = { 0 };
    perc_status st;

    *s = (struct scaled){ .p = *p };
    if ((st = problem_lens(p, &lens, err))) return st;
    frexp(measure(p, &lens, &s->entries), &s->exponent);
    s->start = mem_array(e, p->n + 1, sizeof *s->start);
    s->ref = mem_array(e, p->n, sizeof *s->ref);
    s->column = mem_array(e, s->entries, sizeof *s->column);
    s->value = mem_array(e, s->entries, sizeof *s->value);
    if (s->start == NULL || s->ref == NULL || s->column == NULL || s->value == NULL)
        st = fail_memory(err);
    else scaled_fill(s, p, &lens);
    lens_free(&lens);
    s->block = (struct block){ .rows = (size_t)p->n,
                               .values = VALUES_F64,
                               .indices = INDEX_U32,
                               .value = s->value,
                               .index = s->column,
                               .start = s->start };
    s->p.blocks = &s->block;
    s->p.block_count = 1;
    s->p.map = NULL;
    s->p.dims = p->dims + (p->offset ? 1 : 0);
    s->p.offset = false;
    s->p.ref = s->ref;
    return st;
}

static void scaled_free(struct scaled *s)
{
    const struct env *e = &s->p.e;

    mem_free(e, s->start, s->p.n + 1, sizeof *s->start);
    mem_free(e, s->ref, s->p.n, sizeof *s->ref);
    mem_free(e, s->column, s->entries, sizeof *s->column);
    mem_free(e, s->value, s->entries, sizeof *s->value);
}

/* x' was multiplied by 2^-exponent, so w' is too, and lengths by 2^exponent; w' less where
 * it would not be finite. */
static void scale_back(int exponent, double *w, uint64_t dims, struct hard_result *out)
{
    double largest = 0;
    int most;

    for (uint64_t j = 0; j < dims; j++) largest = fmax(largest, fabs(w[j]));
    frexp(largest, &most);
    const int shift = -exponent < 1024 - most ? -exponent : 1024 - most;
    for (uint64_t j = 0; j < dims; j++) w[j] = ldexp(w[j], shift);
    out->lower = ldexp(out->lower, exponent);
    out->upper = ldexp(out->upper, exponent);
    out->radius = ldexp(out->radius, exponent);
}

/* Whether the scores of the rows themselves have the right signs: w' may have lost
 * digits when it was scaled back. */
static perc_status look_again(const struct problem *p, uint32_t positive, const double *w,
                              struct hard_result *out, perc_error *err)
{
    struct margins m;
    const perc_status st = margins_open(&m, p, positive, err);

    if (!st) {
        margins_score(&m, w);
        if (!(m.value[margins_least(&m)] > 0)) out->verdict = HARD_UNDECIDED;
    }
    margins_close(&m);
    return st;
}

static perc_status solve_scaled(const struct problem *p, uint32_t positive,
                                const struct hard_options *o, double *w, double *b,
                                struct hard_result *out, perc_error *err)
{
    const uint64_t dims = p->dims + (p->offset ? 1 : 0);
    double *both = mem_zeroed(&p->e, dims, sizeof *both), none;
    struct scaled s;
    perc_status st = both == NULL ? fail_memory(err) : PERC_OK;

    if (!st) {
        st = scaled_new(&s, p, err);
        if (!st) st = solve(&s.p, positive, o, both, &none, out, NULL, err);
        if (!st) scale_back(s.exponent, both, dims, out);
        scaled_free(&s);
    }
    if (!st && out->verdict == HARD_SEPARABLE) st = look_again(p, positive, both, out, err);
    if (!st) {
        memcpy(w, both, p->dims * sizeof *w);
        if (p->offset) *b = both[p->dims];
    }
    mem_free(&p->e, both, dims, sizeof *both);
    return st;
}

perc_status hard_solve(const struct problem *p, uint32_t positive, const struct hard_options *o,
                       double *w, double *b, struct hard_result *out, perc_error *err)
{
    bool unfit = false;
    perc_status st;

    memset(w, 0, p->dims * sizeof *w);
    *b = 0;
    *out = (struct hard_result){ .verdict = HARD_UNDECIDED };
    if (p->n == 0) return PERC_OK;
    st = solve(p, positive, o, w, b, out, &unfit, err);
    return st || !unfit ? st : solve_scaled(p, positive, o, w, b, out, err);
}
