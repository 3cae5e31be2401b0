/* budget.c -- what happens to the rows of a kernel machine that may keep only B of them.
 *
 * Every policy begins in the same way: as long as there is an empty slot, an update by x
 * stores x there, with the step g as its coefficient. With B slots in use:
 *
 * random      A slot drawn uniformly is emptied and x takes its place.
 *
 * forgetron   With f' = f + g K(x, .), r the oldest row, a_r = y_r sigma_r its coefficient:
 *
 *     f <- phi f' - phi a_r K(x_r, .),   phi = max { phi in (0, 1] :
 *              Q + Psi(phi sigma_r, phi mu) <= 15/32 M },   mu = y_r f'(x_r),
 *              Psi(lambda, mu) = lambda^2 + 2 lambda - 2 lambda mu,                      (1)
 *     Q <- Q + Psi(phi sigma_r, phi mu),
 *
 *   M counting the updates, this one included. Psi is what the removal may cost in
 *   |f - u|^2, so that (1) spends at most 15/32 of what the mistakes have gained. With
 *   L = 15/32 M - Q > 0 and A = sigma^2 - 2 sigma mu, (1) is A phi^2 + 2 sigma phi <= L, of
 *   which the largest solution, if 1 is not one, is phi = L / (sigma + sqrt(sigma^2 + A L)).
 *   Guarantee, B >= 84 and any u with |u| <= sqrt((B + 1) / ln(B + 1)) / 4:
 *       mistakes <= 2 |u|^2 + 4 sum of losses of u.
 *   The paper has steps of 1, no offset, K(x, x) <= 1. We divide steps by `plain_step`, the rate,
 *   and scores by R^2 = max(1, largest K(x, x) of an update so far), which are 1 in the paper:
 *   with another rate, or where R^2 is the same from the first update on (radial kernels, rows
 *   of one length), that is the paper's algorithm for K / R^2. With steps of several
 *   lengths or an R^2 that grows the theorem says nothing.
 *
 * projectron  With k_i = K(x_i, x) and G the Gram matrix of the rows kept, x is replaced by
 *   its projection sum_i d_i K(x_i, .), G d = k, at the distance delta from it,
 *   delta^2 = K(x, x) - k.d. Likewise when there are empty slots, but delta^2 is 0 up to
 *   rounding. G = L L' is never formed: L v = k, L' d = v, delta^2 = K(x, x) - v.v,
 *   and (v, delta) is the next row of L if x gets a slot.
 *   Guarantee, K <= 1, steps of 1, any u: at an update |f - u|^2 falls by
 *   2 y (u - f)(x) - 2 y <u, delta> - |P K(x, .)|^2 >= 2 (1 - loss) - 2 |u| delta - 1, so that
 *       mistakes <= |u|^2 + 2 sum of losses of u + 2 |u| sum of delta.
 *   An indefinite kernel (sigmoid) has rows with delta^2 < 0: they are projected.
 *
 * An offset is the kernel K + 1: with random and forgetron what leaves a slot leaves b
 * too, so that b is the sum of the coefficients. Projectron projects on the span of the
 * rows and the constant, and b gets the whole step.
 *
 * Cost     a row of data B kernel values; an update O(B) more, for the forgetron B kernel
 *          values, for projectron B^2.
 * Cavallanti, Cesa-Bianchi, Gentile, Machine Learning 69, 2007; Dekel, Shalev-Shwartz,
 * Singer, SIAM J. Comput. 37(5), 2008; Orabona, Keshet, Caputo, JMLR 10, 2009. */
#include "machine/budget.h"

#include <math.h>
#include <string.h>

#include "kernel/precomputed.h"
#include "machine/votes.h"
#include "vec/row_many.h"

const char *const budget_policies[] = { "random", "forgetron", "projectron" };

/* delta^2 <= TOLERANCE K(x, x): x lies in the span. Rounding alone leaves some 1e-13. */
#define TOLERANCE 0x1p-40

/* ----- making one --------------------------------------------------------------------- */

perc_status budget_new(const struct env *e, const struct kernel *k, size_t slots,
                       enum budget_policy policy, uint64_t seed, double plain_step,
                       struct budget **out)
{
    struct budget *b = *out = mem_zeroed(e, 1, sizeof *b);

    if (b == NULL) return PERC_ENOMEM;
    *b = (struct budget){ .e = *e,
                          .kernel = k,
                          .policy = policy,
                          .slots = slots,
                          .seed = seed,
                          .plain_step = plain_step,
                          .radius2 = 1,
                          .scale = 1 };
    budget_scratch_init(&b->seen, e);
    budget_scratch_init(&b->other, e);
    return PERC_OK;
}

void budget_free(struct budget *b)
{
    if (b == NULL) return;
    const struct env e = b->e;
    for (size_t i = 0; i < b->slot_cap; i++) {
        struct slot *s = &b->slot[i];
        mem_free(&b->e, s->column, s->column_cap, sizeof *s->column);
        mem_free(&b->e, s->value, s->value_cap, sizeof *s->value);
    }
    mem_free(&b->e, b->slot, b->slot_cap, sizeof *b->slot);
    b->slot = NULL;
    b->slot_cap = b->rows = 0;
    mem_free(&e, b->factor, b->factor_cap, sizeof *b->factor);
    mem_free(&e, b->pairs, b->pairs_cap, sizeof *b->pairs);
    mem_free(&e, b->projected, b->projected_cap, sizeof *b->projected);
    budget_scratch_free(&b->seen);
    budget_scratch_free(&b->other);
    mem_free(&e, b, 1, sizeof *b);
}

static perc_status reserve_slot(struct budget *b, size_t slot, size_t entries)
{
    struct slot *s = &b->slot[slot];

    return MEM_GROW(&b->e, s->column, &s->column_cap, entries) &&
                   MEM_GROW(&b->e, s->value, &s->value_cap, entries)
               ? PERC_OK
               : PERC_ENOMEM;
}

/* Slot number `rows`, with room for so many entries. */
static perc_status open_slot(struct budget *b, size_t entries)
{
    const size_t had = b->slot_cap;

    if (!MEM_GROW(&b->e, b->slot, &b->slot_cap, b->rows + 1)) return PERC_ENOMEM;
    for (size_t i = had; i < b->slot_cap; i++) b->slot[i] = (struct slot){ 0 };
    return reserve_slot(b, b->rows, entries);
}

static bool is_precomputed(const struct budget *b)
{
    return b->kernel->type == KERNEL_PRECOMPUTED;
}

/* Room for the lower half of a matrix of n rows. */
static perc_status reserve_half(struct budget *b, double **half, size_t *cap, size_t n)
{
    if (n > ((size_t)1 << (sizeof n * 4 - 1))) return PERC_ENOMEM; /* n^2 must be a number */
    return mem_grow(&b->e, (void **)half, cap, n * (n + 1) / 2, sizeof **half) ? PERC_OK
                                                                               : PERC_ENOMEM;
}

/* K of two slots. */
static double *pair_of(const struct budget *b, size_t i, size_t j)
{
    return b->pairs + (i > j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i);
}

static perc_status copy_half(struct budget *to, const double *from, double **half, size_t *cap,
                             size_t n)
{
    if (from == NULL || n == 0) return PERC_OK;
    if (reserve_half(to, half, cap, n)) return PERC_ENOMEM;
    memcpy(*half, from, n * (n + 1) / 2 * sizeof *from);
    return PERC_OK;
}

perc_status budget_copy(const struct budget *from, struct budget *to)
{
    to->rows = to->factored = 0;
    to->placed = NOT_PLACED;
    to->updates = from->updates;
    to->removed = from->removed;
    to->plain_step = from->plain_step;
    to->q = from->q;
    to->radius2 = from->radius2;
    for (; to->rows < from->rows; to->rows++) {
        const struct slot *s = &from->slot[to->rows];
        if (open_slot(to, s->n)) return PERC_ENOMEM;
        struct slot *t = &to->slot[to->rows];
        if (s->n > 0) {
            memcpy(t->column, s->column, s->n * sizeof *t->column);
            memcpy(t->value, s->value, s->n * sizeof *t->value);
        }
        t->n = s->n;
        t->norm2 = s->norm2;
    }
    to->factored = from->factored;
    return copy_half(to, from->factor, &to->factor, &to->factor_cap, from->factored) ||
                   copy_half(to, from->pairs, &to->pairs, &to->pairs_cap, from->rows)
               ? PERC_ENOMEM
               : PERC_OK;
}

struct row budget_row(const struct budget *b, size_t slot)
{
    const struct slot *s = &b->slot[slot];

    return (struct row){ .value = s->value,
                         .index = s->column,
                         .n = s->n,
                         .stride = sizeof *s->value,
                         .values = VALUES_F64,
                         .indices = INDEX_U32 };
}

/* ----- scores ---------------------------------------------------------------------------- */

void budget_scratch_init(struct budget_scratch *s, const struct env *e)
{
    *s = (struct budget_scratch){ .e = *e, .spread.e = *e };
}

void budget_scratch_free(struct budget_scratch *s)
{
    gram_spread_free(&s->spread);
    mem_free(&s->e, s->value, s->value_cap, sizeof *s->value);
    mem_free(&s->e, s->padded, s->padded_cap, sizeof *s->padded);
    *s = (struct budget_scratch){ .e = s->e, .spread.e = s->e };
}

/* Room for n kernel values of x. */
static perc_status reserve_values(struct budget_scratch *s, const struct row *x, size_t n)
{
    if (gram_spread_reserve(&s->spread, x) || !MEM_GROW(&s->e, s->value, &s->value_cap, n))
        return PERC_ENOMEM;
    return PERC_OK;
}

/* K(x_i, x) for slots 0 .. n - 1, in memory made by reserve_values. */
static void kernel_values(const struct budget *b, struct budget_scratch *s, const struct row *x,
                          double norm2, size_t n)
{
    enum { MANY = 64 }; /* rows at a time */
    struct row r[MANY];
    double sizes[MANY];

    for (size_t i = 0; i < n; i += MANY) {
        const size_t m = n - i < MANY ? n - i : MANY;
        for (size_t k = 0; k < m; k++) {
            r[k] = budget_row(b, i + k);
            sizes[k] = b->slot[i + k].norm2;
        }
        gram_row(b->kernel, &s->spread, r, sizes, m, x, norm2, s->value + i);
    }
}

/* The same for the row of slot r. */
static void slot_values(const struct budget *b, struct budget_scratch *s, size_t r, size_t n)
{
    const struct row x = budget_row(b, r);

    if (is_precomputed(b))
        for (size_t i = 0; i < n; i++) s->value[i] = *pair_of(b, r, i);
    else kernel_values(b, s, &x, b->slot[r].norm2, n);
}

static struct row row_of(const double *value, size_t n)
{
    return (struct row){ .value = value,
                         .n = n,
                         .stride = sizeof *value,
                         .values = VALUES_F64,
                         .indices = INDEX_DENSE };
}

perc_status budget_values(const struct budget *b, struct budget_scratch *s, const struct row *x,
                          struct row *out)
{
    if (reserve_values(s, x, b->rows)) return PERC_ENOMEM;
    kernel_values(b, s, x, kernel_norm2(b->kernel, x), b->rows);
    *out = row_of(s->value, b->rows);
    return PERC_OK;
}

perc_status budget_scores(const struct budget *b, const struct linear *machine,
                          struct budget_scratch *s, const struct row *x, size_t n, double *out)
{
    struct row k;

    if (budget_values(b, s, x, &k)) return PERC_ENOMEM;
    if (machine->stride == 1) {
        if (n > 0) out[0] = linear_score(machine, &k);
        return PERC_OK;
    }
    if (!MEM_GROW(&s->e, s->padded, &s->padded_cap, LINEAR_ROOM(machine->stride)))
        return PERC_ENOMEM;
    linear_scores(machine, &k, s->padded);
    if (n > 0) memcpy(out, s->padded, n * sizeof *out);
    return PERC_OK;
}

perc_status budget_see(struct budget *b, const struct row *x, struct row *out)
{
    if (reserve_values(&b->seen, x, b->rows)) return PERC_ENOMEM;
    b->placed = NOT_PLACED;
    b->norm2 = kernel_norm2(b->kernel, x);
    b->self = kernel_self(b->kernel, b->norm2);
    kernel_values(b, &b->seen, x, b->norm2, b->rows);
    *out = row_of(b->seen.value, b->rows);
    return PERC_OK;
}

/* ----- slots --------------------------------------------------------------------------- */

/* Stores x in a slot that has room for it. */
static void store_row(struct budget *b, size_t slot, const struct row *x)
{
    struct slot *s = &b->slot[slot];

    s->n = 0;
    if (is_precomputed(b)) {
        s->column[0] = (uint32_t)kernel_own_column(b->kernel, x);
        s->value[s->n++] = 1;
        for (size_t i = 0; i < b->rows; i++) *pair_of(b, slot, i) = b->seen.value[i];
        *pair_of(b, slot, slot) = b->self;
    }
    for (size_t k = 0; k < x->n && !is_precomputed(b); k++) {
        const double v = row_value(x, k);
        if (v == 0) continue;
        s->column[s->n] = (uint32_t)row_column(x, k);
        s->value[s->n++] = v;
    }
    s->norm2 = b->norm2;
    b->placed = IN_SLOT;
    b->place = slot;
}

/* Stores x in the next empty slot. */
static void fill_slot(struct budget *b, const struct row *x)
{
    store_row(b, b->rows, x);
    b->rows++;
}

/* Takes away what a slot holds, from the offset too. */
static void empty_slot(struct linear *m, size_t slot)
{
    if (m == NULL) return;
    double *w = m->w + slot * m->stride;
    for (size_t c = 0; c < m->stride; c++) {
        if (m->offset) m->b[c] -= w[c];
        w[c] = 0;
    }
}

/* ----- the policies -------------------------------------------------------------------- */

/* The slot to empty when all are in use. ~seed: larger than any seed used elsewhere. */
static size_t victim(const struct budget *b)
{
    struct rng r = rng_seed(~b->seed, (uint64_t)b->removed);

    return b->policy == BUDGET_RANDOM ? (size_t)rng_below(&r, b->slots)
                                      : (size_t)((uint64_t)b->removed % b->slots);
}

/* Before the forgetron empties slot r: finds f'(x_r) and phi, and shrinks all coefficients. */
static void forget_slot(struct budget *b, struct linear *m, struct linear *other, size_t r,
                        double g)
{
    const double a = m->w[r * m->stride];
    double f = 0;

    slot_values(b, &b->other, r, b->rows);
    for (size_t i = 0; i < b->rows; i++) f += m->w[i * m->stride] * b->other.value[i];
    f += g * b->seen.value[r];
    if (m->offset) f += m->b[0] + g;
    /* (1): phi, and Q. */
    const double sigma = fabs(a) / b->plain_step,
                 mu = (a < 0 ? -f : f) / b->plain_step / b->radius2;
    const double left = 15.0 / 32 * (double)b->updates - b->q, A = sigma * sigma - 2 * sigma * mu;
    double phi = 1;
    if (isfinite(A)) { /* else beyond all bounds: forget the row as it is */
        if (A + 2 * sigma > left) {
            const double inside = sigma * sigma + A * left;
            phi = left > 0 ? left / (sigma + sqrt(inside > 0 ? inside : 0)) : 0;
            if (!(phi <= 1)) phi = 1;
        }
        b->q += phi * (phi * A + 2 * sigma);
    }
    b->scale = phi;
    linear_scale(m, b->scale);
    if (other != NULL) linear_scale(other, b->scale);
}

/* ----- projectron ---------------------------------------------------------------------- */

/* In lanes, so that additions do not wait for each other; always in this order. */
static double dot(const double *x, const double *y, size_t n)
{
    double s[8] = { 0 };
    size_t i = 0;

    for (; i + 8 <= n; i += 8)
        for (size_t k = 0; k < 8; k++) s[k] += x[i + k] * y[i + k];
    for (size_t k = 0; i < n; i++, k++) s[k] += x[i] * y[i];
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

static double *factor_row(const struct budget *b, size_t i)
{
    return b->factor + i * (i + 1) / 2;
}

/* Sets `projected` to v for the kernel values k of n rows. Returns delta^2 of a row with this K(x,
 * x), 0 if it lies in their span. */
static double distance2(struct budget *b, const double *k, size_t n, double self)
{
    if (n > 0) memcpy(b->projected, k, n * sizeof *k);
    /* L v = k, solved in place. An infinite pivot stands for a row that depends on those before it:
     * it gets nothing. */
    for (size_t i = 0; i < n; i++) {
        const double *l = factor_row(b, i);
        b->projected[i] = (b->projected[i] - dot(l, b->projected, i)) / l[i];
    }
    const double d2 = self - dot(b->projected, b->projected, n);
    return isfinite(d2) && d2 > TOLERANCE * fabs(self) ? d2 : 0;
}

/* Row n of L: `projected` and the pivot. */
static void extend_factor(struct budget *b, size_t n, double pivot)
{
    double *l = factor_row(b, n);

    for (size_t j = 0; j < n; j++) l[j] = isfinite(b->projected[j]) ? b->projected[j] : 0;
    l[n] = pivot;
    b->factored = n + 1;
}

/* L for all rows kept, and room for one more: it has to be made again after reading a file, whose
 * rows may be anything, even dependent. */
static perc_status factorise(struct budget *b)
{
    const size_t n = b->rows < b->slots ? b->rows + 1 : b->rows;

    if (reserve_half(b, &b->factor, &b->factor_cap, n) ||
        !MEM_GROW(&b->e, b->projected, &b->projected_cap, n))
        return PERC_ENOMEM;
    for (size_t i = b->factored; i < b->rows; i++) {
        const struct row x = budget_row(b, i);
        const double norm2 = b->slot[i].norm2;
        if (reserve_values(&b->other, &x, i)) return PERC_ENOMEM;
        slot_values(b, &b->other, i, i);
        const double d2 = distance2(b, b->other.value, i, kernel_self(b->kernel, norm2));
        extend_factor(b, i, d2 > 0 ? sqrt(d2) : INFINITY);
    }
    return PERC_OK;
}

/* Whether slot i holds x; of a precomputed kernel, a row with the same kernel values. */
static bool holds(const struct budget *b, size_t i, const struct row *x)
{
    const struct slot *s = &b->slot[i];
    size_t n = 0;

    if (is_precomputed(b)) {
        while (n < b->rows && b->seen.value[n] == *pair_of(b, i, n)) n++;
        return n == b->rows && b->self == *pair_of(b, i, i);
    }
    if (s->norm2 != b->norm2) return false;
    for (size_t k = 0; k < x->n; k++) {
        const double v = row_value(x, k);
        if (v == 0) continue;
        if (n == s->n || s->column[n] != row_column(x, k) || s->value[n] != v) return false;
        n++;
    }
    return n == s->n;
}

static void project_row(struct budget *b, const struct row *x)
{
    const size_t n = b->rows;
    size_t twin = 0;

    while (twin < n && !holds(b, twin, x)) twin++;
    if (twin < n) {
        b->placed = IN_SLOT;
        b->place = twin;
        return;
    }
    const double d2 = distance2(b, b->seen.value, n, b->self);
    if (d2 > 0 && n < b->slots) {
        fill_slot(b, x);
        extend_factor(b, n, sqrt(d2));
        return;
    }
    /* L' d = v, solved in place. */
    for (size_t i = n; i-- > 0;) {
        const double *l = factor_row(b, i), t = b->projected[i] /= l[i];
        for (size_t j = 0; j < i; j++) b->projected[j] -= l[j] * t;
    }
    bool finite = true;
    for (size_t i = 0; i < n; i++) finite &= isfinite(b->projected[i]) != 0;
    for (size_t i = 0; i < n && !finite; i++) b->projected[i] = 0;
    b->placed = IN_SPAN;
}

/* ----- an update ----------------------------------------------------------------------- */

/* Coefficients for one row more: for the slots in use and as many again, and for no more than all.
 * The last step is the longer one, since linear_grow adds half of what there is. */
static perc_status reserve_coefficients(const struct budget *b, struct linear *m)
{
    if (m == NULL || b->rows < m->dims || b->rows == b->slots) return PERC_OK;
    const uint64_t n = b->rows < 8 ? 16 : 2 * (uint64_t)b->rows;
    return linear_grow(m, n + n / 2 < b->slots ? n : b->slots);
}

perc_status budget_reserve(struct budget *b, const struct row *x, struct linear *machine,
                           struct linear *other)
{
    const size_t r = b->rows < b->slots ? b->rows : victim(b);
    size_t entries = 0;
    perc_status st = PERC_OK;

    if (x->n > 0 && row_column(x, x->n - 1) > UINT32_MAX) return PERC_EDATA;
    if (is_precomputed(b)) entries = 1;
    else
        for (size_t k = 0; k < x->n; k++) entries += row_value(x, k) != 0;
    if (is_precomputed(b) && reserve_half(b, &b->pairs, &b->pairs_cap, b->rows + 1))
        return PERC_ENOMEM;
    if (reserve_values(&b->seen, x, b->rows)) return PERC_ENOMEM;
    if (b->rows < b->slots) st = open_slot(b, entries);
    else if (b->policy != BUDGET_PROJECTRON) st = reserve_slot(b, r, entries);
    if (!st && b->rows == b->slots && b->policy == BUDGET_FORGETRON) {
        const struct row old = budget_row(b, r);
        st = reserve_values(&b->other, &old, b->rows);
    }
    if (!st && b->policy == BUDGET_PROJECTRON) st = factorise(b);
    if (!st) st = reserve_coefficients(b, machine);
    return st ? st : reserve_coefficients(b, other);
}

/* Finds a place for x; memory has been reserved. */
static void find_place(struct budget *b, const struct row *x, struct linear *machine,
                       struct linear *other, double g)
{
    const double self = b->self + (machine->offset ? 1 : 0);

    b->scale = 1;
    if (self > b->radius2 && isfinite(self)) b->radius2 = self;
    b->updates++;
    if (b->policy == BUDGET_PROJECTRON) project_row(b, x);
    else if (b->rows < b->slots) fill_slot(b, x);
    else {
        /* All slots are in use: one is emptied for x. */
        const size_t r = victim(b);
        if (b->policy == BUDGET_FORGETRON) forget_slot(b, machine, other, r, g);
        empty_slot(machine, r);
        empty_slot(other, r);
        store_row(b, r, x);
        b->removed++;
    }
}

static void add_step(struct linear *m, size_t slot, size_t up, size_t down, double g)
{
    double *w = m->w + slot * m->stride;

    w[up] += g;
    if (down != NO_VECTOR) w[down] -= g;
}

perc_status budget_update(struct budget *b, const struct row *x, struct linear *machine,
                          struct linear *other, size_t up, size_t down, double g)
{
    if (b->placed == NOT_PLACED) {
        const perc_status st = budget_reserve(b, x, machine, other);
        if (st) return st;
        find_place(b, x, machine, other, g);
    }
    const double step = g * b->scale;
    if (b->placed == IN_SLOT) add_step(machine, b->place, up, down, step);
    else
        for (size_t i = 0; i < b->rows; i++) add_step(machine, i, up, down, step * b->projected[i]);
    if (!machine->offset) return PERC_OK;
    machine->b[up] += step;
    if (down != NO_VECTOR) machine->b[down] -= step;
    return PERC_OK;
}

/* ----- in a file: reading trusts nothing; what it accepts, budget_pack writes again --------- */

/* All but the rows: one list for writing and reading. */
enum { COUNT, FORGETRON, ARRAYS };
static const struct tensor_spec arrays[ARRAYS] = {
    [COUNT] = { "budget.count", DTYPE_I64 },
    [FORGETRON] = { "budget.forgetron", DTYPE_F64 },
};

static size_t arrays_of(const struct budget *b)
{
    return b->policy == BUDGET_FORGETRON ? ARRAYS : FORGETRON;
}

perc_status budget_pack(const struct budget *b, uint64_t below, struct tensors *t)
{
    const uint64_t size[] = { 2 };
    uint64_t entries = 0;

    for (size_t i = 0; i < b->rows; i++) entries += b->slot[i].n;
    uint64_t *start = tensors_keep(t, b->rows + 1, sizeof *start);
    uint32_t *column = tensors_keep(t, entries, sizeof *column);
    double *value = tensors_keep(t, entries, sizeof *value);
    int64_t *count = tensors_keep(t, 2, sizeof *count);
    double *forgetron = tensors_keep(t, 2, sizeof *forgetron);
    if (start == NULL || column == NULL || value == NULL || count == NULL || forgetron == NULL)
        return PERC_ENOMEM;
    for (size_t i = 0; i < b->rows; i++) {
        const struct slot *s = &b->slot[i];
        start[i + 1] = start[i] + s->n;
        for (size_t k = 0; k < s->n; k++) {
            column[start[i] + k] = s->column[k] - (uint32_t)below;
            value[start[i] + k] = s->value[k];
        }
    }
    count[0] = b->updates;
    count[1] = b->removed;
    forgetron[0] = b->q;
    forgetron[1] = b->radius2;
    const struct votes_rows rows = { start, column, value, b->rows, entries };
    const void *const data[ARRAYS] = { count, forgetron };
    if (votes_rows_pack(&rows, 0, t)) return PERC_ENOMEM;
    if (tensors_add_all(t, arrays, arrays_of(b), size, data)) return PERC_ENOMEM;
    if (!is_precomputed(b)) return PERC_OK;
    return tensors_add(t, "budget.pairs", DTYPE_F64, b->pairs, b->rows * (b->rows + 1) / 2, 0);
}

/* Whether the policy could have come to these counters with so many rows. */
static perc_status check_counts(const struct budget *b, int64_t rows, const int64_t *count,
                                const double *forgetron, perc_error *err)
{
    const char *name = arrays[COUNT].name;
    const bool projects = b->policy == BUDGET_PROJECTRON;

    if (count[0] < rows || count[0] > TENSORS_COUNT_MAX)
        return tensors_wrong(err, name, 0, "is not a number of updates that made these rows");
    if (count[1] < 0 || (projects ? count[1] != 0 : count[1] != count[0] - rows) ||
        (count[1] > 0 && (uint64_t)rows < b->slots))
        return tensors_wrong(err, name, 1, "is not the number of rows that had to go");
    if (forgetron == NULL) return PERC_OK;
    name = arrays[FORGETRON].name;
    if (forgetron[0] > 15.0 / 32 * (double)count[0] * (1 + 1e-9))
        return tensors_wrong(err, name, 0, "is more than that many updates allow");
    if (forgetron[1] < 1) return tensors_wrong(err, name, 1, "is not a number of at least 1");
    return PERC_OK;
}

perc_status budget_unpack(struct budget *b, uint64_t columns, uint64_t below,
                          const struct tensors *t, perc_error *err)
{
    const uint64_t most = (uint64_t)UINT32_MAX + 1, limit = columns < most ? columns : most;
    const struct tensor *one[ARRAYS];
    uint64_t size[] = { 2 };
    struct votes_rows rows;
    perc_status st;

    if ((st = votes_rows_unpack(&rows, b->slots, limit > below ? limit - below : 0, t, err)) ||
        (st = tensors_want_all(t, arrays, arrays_of(b), size, one, err)))
        return st;
    const int64_t *count = one[COUNT]->data;
    const double *forgetron = b->policy == BUDGET_FORGETRON ? one[FORGETRON]->data : NULL;
    if ((st = check_counts(b, (int64_t)rows.rows, count, forgetron, err))) return st;
    const struct tensor *half = NULL;
    if (is_precomputed(b) && (st = tensors_want(t, "budget.pairs", DTYPE_F64,
                                                rows.rows * (rows.rows + 1) / 2, 0, &half, err)))
        return st;
    const double *pairs = half != NULL ? half->data : NULL;
    for (; b->rows < rows.rows; b->rows++) {
        const uint64_t at = rows.start[b->rows];
        const size_t n = (size_t)(rows.start[b->rows + 1] - at);
        if (open_slot(b, n)) return fail_memory(err);
        struct slot *s = &b->slot[b->rows];
        for (size_t k = 0; k < n; k++) {
            s->column[k] = rows.column[at + k] + (uint32_t)below;
            s->value[k] = rows.value[at + k];
        }
        s->n = n;
        const struct row x = budget_row(b, b->rows);
        s->norm2 = pairs != NULL ? pairs[b->rows * (b->rows + 3) / 2] : kernel_norm2(b->kernel, &x);
        if ((st = precomputed_check_kept(b->kernel, &x, b->rows, err))) return st;
    }
    if (pairs != NULL && copy_half(b, pairs, &b->pairs, &b->pairs_cap, b->rows))
        return fail_memory(err);
    b->updates = count[0];
    b->removed = count[1];
    if (forgetron != NULL) {
        b->q = forgetron[0];
        b->radius2 = forgetron[1];
    }
    return PERC_OK;
}
