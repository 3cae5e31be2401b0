/* shadow.c -- a machine in whole numbers. */
#include "machine/shadow.h"

#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "base/wide.h"
#include "data/integral.h"
#include "kernel/kernel.h"

enum {
    WIDEST = 1024,                              /* limbs of a number: almost 10,000 digits */
    COUNT_BITS = 63,                            /* of the number of examples shown */
    WEIGHT_BITS = 31,                           /* of the weight of an example */
    OFFSET_BITS = 2 * COUNT_BITS + WEIGHT_BITS, /* of B, and of its sums */
    SMALL = 2,                                  /* limbs of an int64_t */
    SCRATCH = 6                                 /* numbers at hand */
};

struct shadow {
    struct pool pool;
    struct integral x; /* the rows, or their images */
    struct lens *lens; /* for images in doubles */
    size_t n;          /* limbs of all numbers but X */
    size_t vectors;
    uint64_t dims; /* columns that have weights; none with a kernel */
    enum kind kind;
    bool offset;
    double rate;
    double *root;            /* of the factors of a lift, by column; NULL: all are 1 */
    struct machine *machine; /* in doubles */
    struct row *row;         /* of the data */
    size_t *class;           /* of each row; NO_VECTOR: it counts for nothing */
    uint64_t at;             /* the row scored last */

    uint32_t *w;     /* of each vector W, then B: dims + 1 numbers */
    uint32_t *u;     /* likewise the sums of averaging; NULL: there are none */
    uint32_t *mean;  /* room for T W - U */
    uint32_t *kept;  /* what is in the pocket; NULL: there is none */
    uint32_t *score; /* S of that row, by vector */
    uint32_t *trial; /* those of a row whose errors are counted */
    uint32_t *eta, *w_unit, *b_unit, *s_unit; /* w = eta W / w_unit, likewise b and the score */
    uint32_t *one;                            /* D */
    uint32_t *margin, *margin_unit;           /* M = margin / margin_unit */
    uint32_t *size;                           /* D |x'|^2 of each row; NULL: not the rule margin */
    uint32_t *scratch[SCRATCH];

    /* The kernel: (gamma X.Z + coef)^degree, where the base of the power has `narrow` limbs;
     * without one its degree is 1, and nothing is kept for the rows. */
    const struct kernel *kernel;
    int degree;
    size_t narrow;
    uint32_t *gamma, *coef;
    uint32_t *sum; /* of each row and vector: S without the offset */
    double *rough; /* the same sum in doubles, as the machine has it */
    double *norm2;

    double *other; /* room for the scores of the machine in doubles */
    size_t *order;
    struct shadow_count count;
};

/* ----- numbers ------------------------------------------------------------------------------- */

static uint32_t *numbers(struct shadow *s, uint64_t count)
{
    return pool_zeroed(&s->pool, count, s->n * sizeof(uint32_t));
}

static size_t whole_bits(uint64_t v)
{
    size_t bits = 0;

    for (; v > 0; v >>= 1) bits++;
    return bits;
}

/* Bits that a factor v takes, which is a ratio. */
static size_t ratio_bits(double v)
{
    const struct decimal d = exact_double(v);
    const int64_t e = d.exponent < 0 ? -d.exponent : d.exponent;

    return whole_bits(d.mantissa) + (size_t)e * 10 / 3 + 1; /* 10^3 < 2^10 */
}

/* *over / *under = v >= 0 */
static void put_ratio(struct shadow *s, double v, uint32_t **over, uint32_t **under)
{
    const struct decimal d = exact_double(v);

    *over = numbers(s, 1);
    *under = numbers(s, 1);
    if (s->pool.failed) return;
    wide_set(*over, (int64_t)d.mantissa, s->n);
    wide_set(*under, 1, s->n);
    wide_scale_ten(*over, d.exponent, s->n);
    wide_scale_ten(*under, -d.exponent, s->n);
}

/* Room for v, or a power of ten. */
static uint32_t *put_number(struct shadow *s, int64_t v, int64_t tens)
{
    uint32_t *x = numbers(s, 1);

    if (x == NULL) return NULL;
    wide_set(x, v, s->n);
    wide_scale_ten(x, tens, s->n);
    return x;
}

/* Weight j of vector c; j = dims: the offset. */
static uint32_t *weight_in(const struct shadow *s, uint32_t *w, size_t c, uint64_t j)
{
    return w + (c * (s->dims + 1) + j) * s->n;
}

/* eta x / unit. What is not 0 stays so, far above the doubles that lose digits. */
static double rounded(struct shadow *s, const uint32_t *x, const uint32_t *unit)
{
    static const double least = 0x1p-1000;
    uint32_t *product = s->scratch[0];

    wide_product(product, s->eta, s->n, x, s->n);
    const double v = wide_ratio(product, unit, s->n, s->scratch[1]); /* two numbers */
    const int sign = wide_sign(x, s->n);
    return sign > 0 && v < least ? least : sign < 0 && v > -least ? -least : v;
}

/* Weight j: that times the root of its factor. */
static double rounded_weight(struct shadow *s, const uint32_t *w, uint64_t j, const uint32_t *unit)
{
    const double v = rounded(s, w, unit);

    return s->root != NULL ? v * s->root[j] : v;
}

/* ----- products of rows ---------------------------------------------------------------------- */

static const uint32_t *value_at(const struct shadow *s, uint64_t k)
{
    return s->x.value + k * s->x.limbs;
}

static const uint32_t *partner_at(const struct shadow *s, uint64_t k)
{
    return s->x.partner + k * s->x.limbs;
}

/* K of rows a and b, times D. */
static void kernel_between(struct shadow *s, uint64_t a, uint64_t b, uint32_t *out)
{
    const struct integral *x = &s->x;
    const size_t m = s->narrow;
    uint32_t *dot = s->scratch[3], *base = s->scratch[4], *wide = s->scratch[5];

    memset(dot, 0, m * sizeof *dot);
    for (uint64_t i = x->start[a], j = x->start[b]; i < x->start[a + 1] && j < x->start[b + 1];) {
        if (x->column[i] == x->column[j]) {
            wide_extend(wide, partner_at(s, j), x->limbs, m);
            wide_add_product(dot, value_at(s, i), x->limbs, wide, m);
        }
        const uint64_t column = x->column[i];
        i += column <= x->column[j];
        j += column >= x->column[j];
    }
    wide_copy(base, s->coef, m);
    wide_add_product(base, s->gamma, SMALL, dot, m);
    wide_extend(out, base, m, s->n);
    for (int k = 1; k < s->degree; k++) {
        wide_copy(wide, out, s->n);
        wide_product(out, base, m, wide, s->n);
    }
}

/* ----- making one ---------------------------------------------------------------------------- */

/* The class of each row, and whether its weight is a whole number. */
static perc_status look_at_rows(struct shadow *s, const struct shadow_plan *p, perc_error *err)
{
    uint64_t row = 0;

    for (size_t k = 0; k < p->block_count; k++)
        for (size_t i = 0; i < p->blocks[k].rows; i++, row++) {
            const struct block *b = &p->blocks[k];
            const double weight = block_weight(b, i) * p->weight_of[b->label[i]];
            if (!(weight >= 0 && weight < 0x1p31 && weight == floor(weight)))
                return block_blame(
                    b, i,
                    fail_at(err, PERC_EDATA, block_line(b, i), 0,
                            "the row has the weight %.6g: exact arithmetic takes whole numbers "
                            "(or pass --arithmetic double)",
                            weight),
                    err);
            s->class[row] = weight > 0 ? p->class_of[b->label[i]] : NO_VECTOR;
            s->row[row] = block_row(b, i);
            if (s->kernel != NULL) s->norm2[row] = kernel_norm2(s->kernel, &s->row[row]);
        }
    return PERC_OK;
}

/* Limbs for everything that the run can come to. */
static perc_status choose_width(struct shadow *s, const struct shadow_plan *p, perc_error *err)
{
    const struct kernel *k = s->kernel;
    const size_t factors = k == NULL ? 0
                                     : whole_bits((uint64_t)fabs(k->gamma)) +
                                           whole_bits((uint64_t)fabs(k->coef0));
    const size_t base = 2 * s->x.bits + whole_bits(s->x.entries) + factors + 1;
    const size_t bits = (size_t)s->degree * base + OFFSET_BITS + ratio_bits(p->rate) +
                        (isnan(p->margin) ? 0 : ratio_bits(p->margin)) + 3;

    s->narrow = wide_limbs(base);
    s->n = wide_limbs(bits);
    if (s->n <= WIDEST) return PERC_OK;
    return fail(err, PERC_EDATA,
                "exact arithmetic would need numbers of %zu digits, and has %d: round or rescale "
                "the data, or take a lower degree (or pass --arithmetic double)",
                bits * 3 / 10, WIDEST * WIDE_LIMB * 3 / 10);
}

/* The arrays, once the width is known. */
static perc_status make_numbers(struct shadow *s, const struct shadow_plan *p)
{
    const struct kernel *k = s->kernel;
    const bool poly = k != NULL && k->type == KERNEL_POLY;
    const uint64_t rows = s->x.rows, each = s->vectors * (s->dims + 1);
    const int64_t tens = s->x.places + s->x.partner_places;

    for (int i = 0; i < SCRATCH; i++) s->scratch[i] = numbers(s, i == 1 ? 2 : 1);
    s->w = numbers(s, each);
    if (machine_has_sum(p->machine)) {
        s->u = numbers(s, each);
        s->mean = numbers(s, each);
    }
    if (p->machine->keep == KEEP_BEST) s->kept = numbers(s, each);
    s->score = numbers(s, s->vectors);
    s->trial = numbers(s, s->vectors);
    put_ratio(s, s->rate, &s->eta, &s->b_unit);
    s->w_unit = put_number(s, 1, s->x.places);
    s->one = put_number(s, 1, tens * s->degree);
    s->s_unit = numbers(s, 1);
    s->gamma = put_number(s, poly ? (int64_t)k->gamma : 1, 0);
    s->coef = put_number(s, poly ? (int64_t)k->coef0 : 0, tens);
    if (!isnan(p->margin)) {
        put_ratio(s, p->margin, &s->margin, &s->margin_unit);
        s->size = numbers(s, rows);
    }
    s->class = pool_array(&s->pool, rows, sizeof *s->class);
    s->row = pool_array(&s->pool, rows, sizeof *s->row);
    s->other = pool_array(&s->pool, LINEAR_ROOM(p->machine->last.stride + s->vectors),
                          sizeof *s->other);
    s->order = pool_array(&s->pool, s->vectors, sizeof *s->order);
    if (s->x.partner != s->x.value) {
        const uint64_t first = s->lens->map->first;
        s->root = pool_zeroed(&s->pool, s->dims, sizeof *s->root);
        if (s->root != NULL) map_factors(s->lens->map, (size_t)(s->dims - first), s->root + first);
    }
    if (k != NULL) {
        s->sum = numbers(s, rows * s->vectors);
        s->rough = pool_zeroed(&s->pool, rows * s->vectors, sizeof *s->rough);
        s->norm2 = pool_array(&s->pool, rows, sizeof *s->norm2);
    }
    if (s->pool.failed) return PERC_ENOMEM;
    wide_product(s->s_unit, s->one, s->n, s->b_unit, s->n);
    wide_copy(s->scratch[0], s->w_unit, s->n);
    wide_product(s->w_unit, s->scratch[0], s->n, s->b_unit, s->n);
    for (uint64_t i = 0; s->size != NULL && i < rows; i++) {
        kernel_between(s, i, i, s->size + i * s->n);
        if (s->offset) wide_add(s->size + i * s->n, s->one, s->n);
    }
    return PERC_OK;
}

perc_status shadow_new(const struct shadow_plan *plan, struct shadow **out, perc_error *err)
{
    const struct env *e = &plan->machine->e;
    const struct kernel *k = machine_describe(plan->machine, 0).kernel;
    struct shadow *s = mem_zeroed(e, 1, sizeof *s);
    perc_status st;

    *out = NULL;
    if (s == NULL) return fail_memory(err);
    pool_init(&s->pool, e);
    s->machine = plan->machine;
    s->kernel = k;
    s->degree = k != NULL && k->type == KERNEL_POLY ? k->degree : 1;
    s->vectors = plan->vectors;
    s->dims = k == NULL ? plan->machine->last.dims : 0;
    s->kind = plan->kind;
    s->offset = plan->machine->last.offset;
    s->rate = plan->rate;
    s->lens = plan->lens;
    if (k != NULL && s->lens->map != NULL)
        st = fail(err, PERC_EARG,
                  "exact arithmetic has a map or a kernel, not both: leave out --map (or pass "
                  "--arithmetic double)");
    else st = integral_make(&s->x, e, plan->blocks, plan->block_count, err);
    if (!st && s->lens->map != NULL) st = integral_map(&s->x, s->lens, err);
    if (!st) st = choose_width(s, plan, err);
    if (!st && make_numbers(s, plan)) st = fail_memory(err);
    if (!st) st = look_at_rows(s, plan, err);
    if (st) shadow_free(s);
    else *out = s;
    return st;
}

void shadow_free(struct shadow *s)
{
    if (s == NULL) return;
    const struct env e = s->pool.e;
    integral_free(&s->x);
    pool_free(&s->pool);
    mem_free(&e, s, 1, sizeof *s);
}

/* ----- scores -------------------------------------------------------------------------------- */

/* S of row i by the vectors w, for each of them: (2) and (3) of shadow.h. */
static void score_row(const struct shadow *s, uint32_t *w, uint64_t i, uint32_t *out)
{
    const struct integral *x = &s->x;
    const size_t n = s->n;

    for (size_t c = 0; c < s->vectors; c++, out += n) {
        if (s->kernel != NULL) wide_copy(out, s->sum + (i * s->vectors + c) * n, n);
        else memset(out, 0, n * sizeof *out);
        for (uint64_t k = x->start[i]; k < x->start[i + 1] && s->kernel == NULL; k++)
            wide_add_product(out, partner_at(s, k), x->limbs, weight_in(s, w, c, x->column[k]), n);
        if (s->offset)
            wide_add_product(out, weight_in(s, w, c, s->dims), wide_limbs(OFFSET_BITS), s->one, n);
    }
}

/* -1, 0, 1: a score against that of a rival. */
static int compare_scores(const struct shadow *s, const uint32_t *scores, size_t c, size_t rival)
{
    return wide_compare(scores + c * s->n, scores + rival * s->n, s->n);
}

/* Moves scores up where they coincide though the exact ones differ. */
static void keep_order(struct shadow *s, double *out)
{
    size_t *order = s->order;

    for (size_t c = 0; c < s->vectors; c++) { /* sorted by insertion */
        size_t k = c;
        for (; k > 0 && compare_scores(s, s->score, order[k - 1], c) > 0; k--)
            order[k] = order[k - 1];
        order[k] = c;
    }
    for (size_t k = 1; k < s->vectors; k++) {
        const size_t below = order[k - 1], c = order[k];
        if (compare_scores(s, s->score, c, below) == 0) out[c] = out[below];
        else if (!(out[c] > out[below])) out[c] = nextafter(out[below], INFINITY);
    }
}

static int sign_of(double v)
{
    return (v > 0) - (v < 0);
}

/* Of s_class - s_rival, or of the one score. */
static int margin_sign(const struct shadow *s, const double *scores, size_t class)
{
    if (s->kind == KIND_TWO) return sign_of(scores[0]);
    return sign_of(scores[class] - scores[linear_rival(scores, s->vectors, class)]);
}

/* Whether the machine in doubles decides the row scored last as these scores do. */
static perc_status ask_doubles(struct shadow *s, const struct row *x, const double *scores)
{
    const struct machine *m = s->machine;
    const size_t class = s->class[s->at];

    if (class == NO_VECTOR) return PERC_OK;
    for (size_t c = 0; c < s->vectors && s->kernel != NULL; c++)
        s->other[c] = s->rough[s->at * s->vectors + c] + m->last.b[linear_at(&m->last, c)];
    if (s->kernel == NULL && m->ops->scores(s->machine, x, s->vectors, s->other))
        return PERC_ENOMEM;
    bool same = margin_sign(s, scores, class) == margin_sign(s, s->other, class);
    for (size_t c = 0; c < s->vectors && s->kind == KIND_REST; c++)
        same &= sign_of(scores[c]) == sign_of(s->other[c]);
    s->count.decisions++;
    s->count.other += !same;
    return PERC_OK;
}

perc_status shadow_scores(struct shadow *s, uint64_t row, const struct row *x, double *out)
{
    s->at = row;
    score_row(s, s->w, row, s->score);
    for (size_t c = 0; c < s->vectors; c++) out[c] = rounded(s, s->score + c * s->n, s->s_unit);
    keep_order(s, out);
    return ask_doubles(s, x, out);
}

double shadow_margin(struct shadow *s, size_t class, size_t rival)
{
    uint32_t *gap = s->scratch[3], *unit = s->scratch[4];

    wide_copy(gap, s->score + class * s->n, s->n);
    wide_subtract(gap, s->score + rival * s->n, s->n);
    wide_copy(unit, s->s_unit, s->n);
    wide_add(unit, s->s_unit, s->n);
    return rounded(s, gap, unit);
}

/* ----- steps --------------------------------------------------------------------------------- */

/* y S > 0, and with the rule margin y S > M |x'|^2; a gap between two scores counts by half. */
bool shadow_holds(struct shadow *s, const struct lesson *one)
{
    uint32_t *gap = s->scratch[3], *left = s->scratch[4], *right = s->scratch[5];

    wide_copy(gap, s->score + one->up * s->n, s->n);
    if (one->down != NO_VECTOR) wide_subtract(gap, s->score + one->down * s->n, s->n);
    if (one->sign < 0) wide_negate(gap, s->n);
    if (wide_sign(gap, s->n) <= 0 || s->size == NULL) return wide_sign(gap, s->n) > 0;
    wide_product(left, s->margin_unit, s->n, gap, s->n);
    wide_product(right, s->margin, s->n, s->size + s->at * s->n, s->n);
    if (one->down != NO_VECTOR) wide_scale(right, 2, 0, s->n);
    return wide_compare(left, right, s->n) > 0;
}

/* Vector c of w gets a X', and so does B. */
static void add_row(struct shadow *s, uint32_t *w, size_t c, uint64_t i, const uint32_t *a)
{
    const struct integral *x = &s->x;

    for (uint64_t k = x->start[i]; k < x->start[i + 1] && s->kernel == NULL; k++)
        wide_add_product(weight_in(s, w, c, x->column[k]), value_at(s, k), x->limbs, a, s->n);
    if (s->offset) wide_add(weight_in(s, w, c, s->dims), a, s->n);
}

/* The weights of vector c that row i has changed. */
static void round_weights(struct shadow *s, struct linear *to, size_t c, uint64_t i)
{
    const struct integral *x = &s->x;

    for (uint64_t k = x->start[i]; k < x->start[i + 1] && s->kernel == NULL; k++)
        to->w[x->column[k] * to->stride + linear_at(to, c)] = rounded_weight(
            s, weight_in(s, s->w, c, x->column[k]), x->column[k], s->w_unit);
    if (s->offset) to->b[linear_at(to, c)] = rounded(s, weight_in(s, s->w, c, s->dims), s->b_unit);
}

/* Every row's sum gets what the update by row i gives it. */
static void add_kernel(struct shadow *s, const struct lesson *one, uint64_t i, const uint32_t *a)
{
    uint32_t *k = s->scratch[0];
    const double step = one->sign * (s->rate * one->weight);

    for (uint64_t j = 0; j < s->x.rows; j++) {
        const uint64_t up = j * s->vectors + one->up, down = j * s->vectors + one->down;
        const double v = kernel_value(s->kernel, &s->row[i], s->norm2[i], &s->row[j], s->norm2[j]);
        kernel_between(s, i, j, k);
        wide_add_product(s->sum + up * s->n, a, SMALL, k, s->n);
        s->rough[up] += step * v;
        if (one->down == NO_VECTOR) continue;
        wide_negate(k, s->n);
        wide_add_product(s->sum + down * s->n, a, SMALL, k, s->n);
        s->rough[down] -= step * v;
    }
}

void shadow_add(struct shadow *s, const struct lesson *one, int64_t shown)
{
    const uint64_t i = s->at;
    const size_t which[] = { one->up, one->down };
    uint32_t *a = s->scratch[1], *before = s->scratch[2], *t = s->scratch[3];

    wide_set(a, (int64_t)(one->sign * one->weight), s->n);
    if (s->kernel != NULL) add_kernel(s, one, i, a);
    for (int side = 0; side < 2 && which[side] != NO_VECTOR; side++) {
        add_row(s, s->w, which[side], i, a);
        wide_set(t, shown, s->n);
        wide_product(before, a, SMALL, t, s->n);
        if (s->u != NULL) add_row(s, s->u, which[side], i, before);
        wide_negate(a, s->n);
    }
    for (int side = 0; side < 2 && which[side] != NO_VECTOR; side++)
        round_weights(s, &s->machine->last, which[side], i);
}

/* ----- what is returned ---------------------------------------------------------------------- */

/* T W - U */
static void sum_weights(struct shadow *s, int64_t shown)
{
    const uint64_t each = s->vectors * (s->dims + 1);
    uint32_t *t = s->scratch[0];

    wide_set(t, shown, s->n);
    for (uint64_t k = 0; k < each; k++) {
        wide_product(s->mean + k * s->n, t, SMALL, s->w + k * s->n, s->n);
        wide_subtract(s->mean + k * s->n, s->u + k * s->n, s->n);
    }
}

void shadow_mean(struct shadow *s, int64_t shown, struct linear *out)
{
    uint32_t *t = s->scratch[3], *w_unit = s->scratch[4], *b_unit = s->scratch[5];

    sum_weights(s, shown);
    wide_set(t, shown, s->n);
    wide_product(w_unit, t, SMALL, s->w_unit, s->n);
    wide_product(b_unit, t, SMALL, s->b_unit, s->n);
    linear_number(out, &s->machine->last);
    for (size_t c = 0; c < s->vectors; c++) {
        const size_t at = linear_at(out, c);
        for (uint64_t j = 0; j < s->dims; j++)
            out->w[j * out->stride + at] = rounded_weight(s, weight_in(s, s->mean, c, j), j,
                                                          w_unit);
        out->b[at] = rounded(s, weight_in(s, s->mean, c, s->dims), b_unit);
    }
}

/* Of S_class - S_rival, the highest of the others, or of the one score. */
static int exact_sign(const struct shadow *s, const uint32_t *scores, size_t class)
{
    int sign = s->kind == KIND_TWO ? wide_sign(scores, s->n) : 1;

    for (size_t c = 0; c < s->vectors && s->kind != KIND_TWO; c++) {
        const int against = c == class ? 1 : compare_scores(s, scores, class, c);
        if (against < sign) sign = against;
    }
    return sign;
}

int64_t shadow_errors(struct shadow *s, int64_t shown, int64_t limit, const struct watch *watch)
{
    const uint64_t each = (s->dims + 1) * s->vectors;
    int64_t errors = 0;
    uint64_t done = 0;

    if (shown > 0) sum_weights(s, shown);
    for (uint64_t i = 0; i < s->x.rows && errors < limit; i++) {
        const size_t class = s->class[i];
        const int right = s->kind == KIND_TWO && class == 0 ? -1 : 1;
        if (class == NO_VECTOR) continue;
        if (!watch_work(watch, &done, each)) return limit;
        score_row(s, shown > 0 ? s->mean : s->w, i, s->trial);
        errors += exact_sign(s, s->trial, class) != right;
    }
    return errors;
}

void shadow_keep(struct shadow *s, int64_t shown)
{
    const uint64_t each = s->vectors * (s->dims + 1);

    memcpy(s->kept, shown > 0 ? s->mean : s->w, each * s->n * sizeof *s->kept);
}

int64_t shadow_other_rows(struct shadow *s, int64_t shown)
{
    const struct machine *m = s->machine;
    uint32_t *w = m->keep == KEEP_BEST ? s->kept : s->w;
    int64_t other = 0;

    if (s->kernel != NULL || m->keep == KEEP_VOTES) return -1;
    if (m->keep == KEEP_AVERAGE && shown > 0) {
        sum_weights(s, shown);
        w = s->mean;
    }
    for (uint64_t i = 0; i < s->x.rows; i++) {
        if (s->class[i] == NO_VECTOR) continue;
        score_row(s, w, i, s->trial);
        const struct row x = lens_image(s->lens, &s->row[i]);
        linear_scores(machine_result(m), &x, s->other);
        other += exact_sign(s, s->trial, s->class[i]) != margin_sign(s, s->other, s->class[i]);
    }
    return other;
}

struct shadow_count shadow_counted(const struct shadow *s)
{
    return s != NULL ? s->count : (struct shadow_count){ 0, 0 };
}
