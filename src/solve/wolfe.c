/* wolfe.c -- the point of a hull that is nearest to the origin.
 *
 * The corral S holds affinely independent points; x is the point nearest to the origin
 * of their affine hull and lies inside their hull (Wolfe 1976):
 *
 *     major   points p with a_p.x < |x|^2 join the corral: x can come nearer. None: x is
 *             the answer, since then u = x / |x| has u.a_p >= |x| for every p
 *     minor   move lambda towards the nearest point of the new affine hull. Where some
 *             lambda_i would fall below 0 stop there, let it go, and try again
 *
 * |x| falls with every major step, so no corral comes back, and the method is finite. It
 * is the simplex method's cousin: exact up to rounding after few steps, where gradient
 * methods crawl. Several points join at once: the step then has some p_i > 0 among them,
 * because their slopes a_i.x - |x|^2 are what makes it descend; those that would fall
 * below 0 leave again at once.
 *
 * The step. With slopes g and H = (a_i.a_j + R^2) over the corral, which is positive
 * definite exactly if the points are affinely independent,
 *
 *     H v = g,  H u = 1,   p = (sum v / sum u) u - v        =>   sum p = 0           (1)
 *
 * leads to equal slopes in one step. H = F'F with F triangular, a column added for each
 * point that joins and taken out by rotations (Golub, Van Loan, section 6.5). F is rounded,
 * and H may be badly conditioned. So (1) only proposes: the step taken is conjugate to the
 * one before (Polak, Ribiere 1969), its length is that of the least |x|, and x and the
 * slopes are computed anew from lambda and the points each time. Errors in F cost steps,
 * not accuracy; with lambda and x of 32 digits (`fine`) the answer has 16 right ones even
 * where the hull passes the origin at 10^-12 of R, and is 0 to 10^-25 where it is 0. */
#include "solve/wolfe.h"

#include <string.h>

enum { JOIN = 64 };                    /* points that join at once, at most */
static const double dependent = 1e-12; /* of a_p.a_p + R^2: a smaller pivot means dependent */
static const double pivot_floor = 1e-15;

/* ----- points ------------------------------------------------------------------------- */

void wolfe_init(struct wolfe *s, const struct env *e, uint64_t dims, double radius2, double gap)
{
    memset(s, 0, sizeof *s);
    s->e = *e;
    s->dims = dims;
    s->radius2 = radius2;
    s->gap = gap;
}

void wolfe_free(struct wolfe *s)
{
    const struct env *e = &s->e;
    struct points *p = &s->p;

    mem_free(e, p->start, p->cap_start, sizeof *p->start);
    mem_free(e, p->column, p->cap_column, sizeof *p->column);
    mem_free(e, p->value, p->cap_value, sizeof *p->value);
    mem_free(e, p->norm2, p->cap_norm, sizeof *p->norm2);
    mem_free(e, p->row, p->cap_row, sizeof *p->row);
    mem_free(e, p->inside, p->cap_inside, sizeof *p->inside);
    mem_free(e, s->member, s->cap_member, sizeof *s->member);
    mem_free(e, s->lambda, s->cap_lambda, sizeof *s->lambda);
    mem_free(e, s->factor, s->cap_factor, sizeof *s->factor);
    mem_free(e, s->long_factor, s->cap_long, sizeof *s->long_factor);
    mem_free(e, s->long_work, s->cap_long_work, sizeof *s->long_work);
    mem_free(e, s->slope, s->cap_work, 6 * sizeof *s->slope);
    mem_free(e, s->x, s->x != NULL ? s->dims : 0, sizeof *s->x);
    mem_free(e, s->along, s->along != NULL ? s->dims : 0, sizeof *s->along);
    mem_free(e, s->fine_x, s->fine_x != NULL ? s->dims : 0, sizeof *s->fine_x);
    memset(s, 0, sizeof *s);
}

#define GROW(e, p, cap, need) mem_grow(e, (void **)&(p), &(cap), need, sizeof *(p))

/* Room for one more point of so many entries; it begins. */
static bool point_open(struct wolfe *s, size_t entries)
{
    const struct env *e = &s->e;
    struct points *p = &s->p;
    const size_t room = p->entries + entries, n = p->n + 1;

    if (!GROW(e, p->start, p->cap_start, n + 1) || !GROW(e, p->column, p->cap_column, room) ||
        !GROW(e, p->value, p->cap_value, room) || !GROW(e, p->norm2, p->cap_norm, n) ||
        !GROW(e, p->row, p->cap_row, n) || !GROW(e, p->inside, p->cap_inside, n))
        return false;
    p->start[p->n] = p->entries;
    return true;
}

static void point_put(struct points *p, uint64_t column, double value)
{
    if (value == 0) return;
    p->column[p->entries] = (uint32_t)column;
    p->value[p->entries++] = value;
}

static void point_end(struct wolfe *s, uint64_t number)
{
    struct points *p = &s->p;
    const size_t from = p->start[p->n], n = p->entries - from;

    p->norm2[p->n] = n > 0 ? row_weights_norm2(p->value + from, n) : 0;
    if (n > s->longest) s->longest = n;
    p->row[p->n] = number;
    p->inside[p->n] = false;
    p->start[++p->n] = p->entries;
}

perc_status wolfe_point(struct wolfe *s, const struct row *x, double sign, bool offset,
                        uint64_t number, perc_error *err)
{
    const uint64_t columns = s->dims - (offset ? 1 : 0);

    if (!point_open(s, x->n + 1)) return fail_memory(err);
    for (size_t k = 0; k < x->n; k++)
        if (row_column(x, k) < columns) point_put(&s->p, row_column(x, k), sign * row_value(x, k));
    if (offset) point_put(&s->p, columns, sign);
    point_end(s, number);
    return PERC_OK;
}

perc_status wolfe_difference(struct wolfe *s, const struct row *p, const struct row *q,
                             uint64_t number, perc_error *err)
{
    size_t i = 0, j = 0;

    if (!point_open(s, 2 * (p->n + q->n))) return fail_memory(err);
    while (i < p->n || j < q->n) {
        const uint64_t a = i < p->n ? row_column(p, i) : UINT64_MAX;
        const uint64_t b = j < q->n ? row_column(q, j) : UINT64_MAX;
        const uint64_t column = a < b ? a : b;
        const struct two d = two_sum(a == column ? row_value(p, i++) : 0,
                                     b == column ? -row_value(q, j++) : 0);
        if (column >= s->dims) continue;
        point_put(&s->p, column, d.hi);
        point_put(&s->p, column, d.lo);
    }
    point_end(s, number);
    return PERC_OK;
}

static double point_dot(const struct points *p, size_t i, const double *x)
{
    const size_t end = p->start[i + 1];
    double s0 = 0, s1 = 0;
    size_t k = p->start[i];

    for (; k + 1 < end; k += 2) {
        s0 += p->value[k] * x[p->column[k]];
        s1 += p->value[k + 1] * x[p->column[k + 1]];
    }
    if (k < end) s0 += p->value[k] * x[p->column[k]];
    return s0 + s1;
}

static void point_axpy(const struct points *p, size_t i, double a, double *x)
{
    for (size_t k = p->start[i]; k < p->start[i + 1]; k++) x[p->column[k]] += a * p->value[k];
}

static struct two point_dot_two(const struct points *p, size_t i, const struct two *x)
{
    struct two s = { 0, 0 };

    for (size_t k = p->start[i]; k < p->start[i + 1]; k++)
        s = two_add(s, two_times(x[p->column[k]], p->value[k]));
    return s;
}

static void point_axpy_two(const struct points *p, size_t i, struct two a, struct two *x)
{
    for (size_t k = p->start[i]; k < p->start[i + 1]; k++) {
        struct two *t = &x[p->column[k]];
        *t = two_add(*t, two_times(a, p->value[k]));
    }
}

/* ----- the factor --------------------------------------------------------------------- */

static double *column_of(const struct wolfe *s, size_t j)
{
    return s->factor + j * (j + 1) / 2;
}

/* In four lanes, always the same ones. */
static double dot_lanes(const double *a, const double *b, size_t n)
{
    double t[4] = { 0, 0, 0, 0 };
    size_t i = 0;

    for (; i + 4 <= n; i += 4)
        for (int l = 0; l < 4; l++) t[l] += a[i + (size_t)l] * b[i + (size_t)l];
    for (; i < n; i++) t[0] += a[i] * b[i];
    return (t[0] + t[1]) + (t[2] + t[3]);
}

static double sum_numbers(const double *a, size_t n)
{
    double t = 0;

    for (size_t i = 0; i < n; i++) t += a[i];
    return t;
}

/* F'y = z, in place. */
static void solve_down(const struct wolfe *s, double *z)
{
    for (size_t j = 0; j < s->k; j++) {
        const double *f = column_of(s, j);
        z[j] = (z[j] - dot_lanes(f, z, j)) / f[j];
    }
}

/* ----- the factor with 32 digits ------------------------------------------------------- */

static struct two *long_column(const struct wolfe *s, size_t j)
{
    return s->long_factor + j * (j + 1) / 2;
}

static struct two two_minus_product(struct two a, struct two b, struct two c)
{
    return two_add(a, two_minus(two_mul(b, c)));
}

/* In four lanes, because each addition waits for the last. */
static struct two long_dot(const struct two *a, const struct two *b, size_t n)
{
    struct two t[4] = { { 0, 0 }, { 0, 0 }, { 0, 0 }, { 0, 0 } };
    size_t i = 0;

    for (; i + 4 <= n; i += 4)
        for (size_t l = 0; l < 4; l++) t[l] = two_add(t[l], two_mul(a[i + l], b[i + l]));
    for (; i < n; i++) t[0] = two_add(t[0], two_mul(a[i], b[i]));
    return two_add(two_add(t[0], t[1]), two_add(t[2], t[3]));
}

static void long_down(const struct wolfe *s, struct two *z)
{
    for (size_t j = 0; j < s->k; j++) {
        const struct two *f = long_column(s, j);
        z[j] = two_div(two_add(z[j], two_minus(long_dot(f, z, j))), f[j]);
    }
}

/* a_i.x of a point and an exact x. */
static struct two point_product(const struct points *p, size_t i, const double *x)
{
    const size_t end = p->start[i + 1];
    struct two t[4] = { { 0, 0 }, { 0, 0 }, { 0, 0 }, { 0, 0 } };
    size_t k = p->start[i];

    for (; k + 4 <= end; k += 4)
        for (size_t l = 0; l < 4; l++)
            t[l] = two_add(t[l], two_product(p->value[k + l], x[p->column[k + l]]));
    for (; k < end; k++) t[0] = two_add(t[0], two_product(p->value[k], x[p->column[k]]));
    return two_add(two_add(t[0], t[1]), two_add(t[2], t[3]));
}

/* Appends the column of point p, which s->along holds, to those of the corral. Its pivot must be at
 * least `least` times its square; if not, it is made so: false. */
static bool long_append(struct wolfe *s, size_t p, double least)
{
    struct two *z = long_column(s, s->k), pivot = point_product(&s->p, p, s->along);
    const double h = pivot.hi;

    for (size_t i = 0; i < s->k; i++) z[i] = point_product(&s->p, s->member[i], s->along);
    long_down(s, z);
    pivot = two_add(pivot, two_minus(long_dot(z, z, s->k)));
    const bool good = pivot.hi >= least * h;
    z[s->k] = two_root(good ? pivot : two_of(least * h));
    return good;
}

/* corral_drop with 32 digits: a rotation of two rows for each column after the one at `at`. */
static void long_drop(struct wolfe *s, size_t at)
{
    for (size_t j = at + 1; j < s->k; j++) { /* column j moves to j - 1 */
        const struct two *from = long_column(s, j);
        struct two *to = long_column(s, j - 1), *turn = s->long_work, carry = from[at];
        memmove(to, from, at * sizeof *to);
        for (size_t i = at; i + 1 < j; i++) {
            const struct two next = from[i + 1], c = turn[2 * i], d = turn[2 * i + 1];
            to[i] = two_add(two_mul(c, carry), two_mul(d, next));
            carry = two_minus_product(two_mul(c, next), d, carry);
        }
        const struct two low = from[j];
        const struct two r = two_root(two_add(two_mul(carry, carry), two_mul(low, low)));
        turn[2 * (j - 1)] = two_div(carry, r);
        turn[2 * (j - 1) + 1] = two_div(low, r);
        to[j - 1] = r;
    }
}

static bool long_grow(struct wolfe *s, size_t k)
{
    return GROW(&s->e, s->long_factor, s->cap_long, k * (k + 1) / 2) &&
           GROW(&s->e, s->long_work, s->cap_long_work, 2 * k);
}

/* H v = z, in place: down with F', up with F. */
static void solve_both(const struct wolfe *s, double *z)
{
    struct two *y = s->long_work;

    if (s->long_factor == NULL) {
        solve_down(s, z);
        for (size_t j = s->k; j-- > 0;) {
            const double *f = column_of(s, j);
            const double t = z[j] /= f[j];
            for (size_t i = 0; i < j; i++) z[i] -= t * f[i];
        }
        return;
    }
    for (size_t i = 0; i < s->k; i++) y[i] = two_of(z[i]);
    long_down(s, y);
    for (size_t j = s->k; j-- > 0;) {
        const struct two *f = long_column(s, j);
        y[j] = two_div(y[j], f[j]);
        for (size_t i = 0; i < j; i++) y[i] = two_minus_product(y[i], y[j], f[i]);
    }
    for (size_t i = 0; i < s->k; i++) z[i] = y[i].hi;
}

/* ----- the corral ---------------------------------------------------------------------- */

/* Room for k + 1 points in the corral. The numbers of `work` do not survive. */
static bool corral_grow(struct wolfe *s)
{
    const struct env *e = &s->e;
    const size_t k = s->k + 1, n = k < 16 ? 16 : k + k / 2;

    if (!GROW(e, s->member, s->cap_member, k) || !GROW(e, s->lambda, s->cap_lambda, k) ||
        !GROW(e, s->factor, s->cap_factor, k * (k + 1) / 2) ||
        (s->long_factor != NULL && !long_grow(s, k)))
        return false;
    if (k <= s->cap_work) return true;
    double *work = mem_array(e, n, 6 * sizeof *work);
    if (work == NULL) return false;
    mem_free(e, s->slope, s->cap_work, 6 * sizeof *work);
    s->slope = work;
    s->before = work + n;
    s->step = work + 2 * n;
    s->towards = work + 3 * n;
    s->ones = work + 4 * n;
    s->scratch = work + 5 * n;
    s->cap_work = n;
    return true;
}

/* Point p joins, with lambda = 0, unless it is affinely dependent on the corral as far as the
 * digits tell; if it `must`, it joins even so, with a pivot that is too large. Its column z of F
 * has F'z = h. There is room. */
static bool corral_add(struct wolfe *s, size_t p, bool must)
{
    bool good;

    memset(s->along, 0, s->dims * sizeof *s->along);
    point_axpy(&s->p, p, 1, s->along);
    if (s->long_factor != NULL) {
        good = long_append(s, p, 1e-26);
    } else {
        double *z = column_of(s, s->k);
        /* What H has besides the products: points of a cone need not lie on one plane. */
        const double shift = s->apex != NULL ? 0 : s->radius2, h = s->p.norm2[p] + shift;
        for (size_t i = 0; i < s->k; i++) z[i] = point_dot(&s->p, s->member[i], s->along) + shift;
        solve_down(s, z);
        double pivot = h - dot_lanes(z, z, s->k);
        good = pivot >= dependent * h;
        if (!good && must && !(pivot >= pivot_floor * h)) pivot = pivot_floor * h;
        z[s->k] = sqrt(pivot);
    }
    if (!good && !must) return false;
    s->member[s->k] = p;
    s->lambda[s->k++] = two_of(0);
    s->p.inside[p] = true;
    s->ones_known = false;
    s->last = 0;
    return true;
}

/* Takes column `at` out: the columns after it move up and get one number below the
 * diagonal each, which a rotation of two rows turns to 0. */
static void corral_drop(struct wolfe *s, size_t at)
{
    double *cosine = s->scratch, *sine = s->towards;

    s->p.inside[s->member[at]] = false;
    if (s->long_factor != NULL) long_drop(s, at);
    for (size_t j = at + 1; j < s->k; j++) {
        s->member[j - 1] = s->member[j];
        s->lambda[j - 1] = s->lambda[j];
    }
    for (size_t j = at + 1; j < s->k && s->long_factor == NULL; j++) {
        const double *from = column_of(s, j);
        double *to = column_of(s, j - 1), carry = from[at];
        memmove(to, from, at * sizeof *to);
        for (size_t i = at; i + 1 < j; i++) {
            const double next = from[i + 1];
            to[i] = cosine[i] * carry + sine[i] * next;
            carry = cosine[i] * next - sine[i] * carry;
        }
        const double low = from[j], r = sqrt(carry * carry + low * low);
        cosine[j - 1] = carry / r;
        sine[j - 1] = low / r;
        to[j - 1] = r;
    }
    s->k--;
    s->ones_known = false;
    s->last = 0;
}

/* ----- where x is --------------------------------------------------------------------- */

static void weigh_points(const struct wolfe *s, struct two *x)
{
    for (uint64_t j = 0; j < s->dims; j++) x[j] = two_of(s->apex != NULL ? s->apex[j] : 0);
    for (size_t i = 0; i < s->k; i++) point_axpy_two(&s->p, s->member[i], s->lambda[i], x);
}

/* |x|^2 and the slopes of the x of 32 digits, wherever it comes from. The slopes of a cone
 * are the a_i.x themselves. */
static void find_slopes(struct wolfe *s)
{
    struct two mean = { 0, 0 };

    for (uint64_t j = 0; j < s->dims; j++) s->x[j] = s->fine_x[j].hi;
    /* The heads and tails of the slopes, until their mean is known. */
    for (size_t i = 0; i < s->k; i++) {
        const struct two t = point_dot_two(&s->p, s->member[i], s->fine_x);
        s->slope[i] = t.hi;
        s->scratch[i] = t.lo;
        mean = two_add(mean, two_mul(t, s->lambda[i]));
    }
    if (s->apex != NULL) {
        s->norm2 = dot_lanes(s->x, s->x, s->dims);
        return;
    }
    for (size_t i = 0; i < s->k; i++)
        s->slope[i] = two_add((struct two){ s->slope[i], s->scratch[i] }, two_minus(mean)).hi;
    s->norm2 = mean.hi;
}

/* x, |x|^2 = sum lambda_i a_i.x, and the slopes, from lambda. */
static void find_x(struct wolfe *s)
{
    if (s->fine) {
        weigh_points(s, s->fine_x);
        find_slopes(s);
        return;
    }
    double mean = 0;
    if (s->apex != NULL) memcpy(s->x, s->apex, s->dims * sizeof *s->x);
    else memset(s->x, 0, s->dims * sizeof *s->x);
    for (size_t i = 0; i < s->k; i++) point_axpy(&s->p, s->member[i], s->lambda[i].hi, s->x);
    for (size_t i = 0; i < s->k; i++) {
        s->slope[i] = point_dot(&s->p, s->member[i], s->x);
        mean += s->slope[i] * s->lambda[i].hi;
    }
    if (s->apex == NULL)
        for (size_t i = 0; i < s->k; i++) s->slope[i] -= mean;
    s->norm2 = dot_lanes(s->x, s->x, s->dims); /* near 0 this has more digits than `mean` */
}

/* What rounding leaves of a slope: x is a sum of numbers as large as R. */
static double noise(const struct wolfe *s)
{
    return 16 * (s->fine ? TWO_UNIT : 0x1p-52) * s->radius2;
}

static double steepest(const struct wolfe *s)
{
    double t = 0;

    for (size_t i = 0; i < s->k; i++) t = fmax(t, fabs(s->slope[i]));
    return t;
}

static bool is_zero(const struct wolfe *s)
{
    return !(s->norm2 > s->radius2 * (s->fine ? 1e-50 : 1e-24));
}

double wolfe_upper(const struct wolfe *s, struct two *sum)
{
    struct two t = { 0, 0 }, norm2 = { 0, 0 };

    weigh_points(s, sum);
    for (size_t i = 0; i < s->k; i++) t = two_add(t, s->lambda[i]);
    for (uint64_t j = 0; j < s->dims; j++)
        if (sum[j].hi != 0) norm2 = two_add(norm2, two_mul(sum[j], sum[j]));
    return two_div(two_root(norm2), t).hi;
}

/* ----- minor steps -------------------------------------------------------------------- */

/* The step (1), made conjugate to the one before it where there is one. */
static void aim_step(struct wolfe *s)
{
    const size_t k = s->k;
    double *v = s->towards;

    if (!s->ones_known && s->apex == NULL) {
        for (size_t i = 0; i < k; i++) s->ones[i] = 1;
        solve_both(s, s->ones);
        s->ones_known = true;
    }
    memcpy(v, s->slope, k * sizeof *v);
    solve_both(s, v);
    if (s->apex != NULL) {
        for (size_t i = 0; i < k; i++) v[i] = -v[i];
    } else {
        const double theta = sum_numbers(v, k) / sum_numbers(s->ones, k);
        for (size_t i = 0; i < k; i++) v[i] = theta * s->ones[i] - v[i];
    }

    const double now = -dot_lanes(v, s->slope, k);
    double beta = 0;
    if (s->last > 0) beta = (now + dot_lanes(v, s->before, k)) / s->last;
    for (size_t i = 0; i < k; i++) s->step[i] = v[i] + (beta > 0 ? beta * s->step[i] : 0);
    memcpy(s->before, s->slope, k * sizeof *v);
    s->last = now;
}

static void normalise(struct wolfe *s)
{
    struct two t = { 0, 0 };

    if (s->apex != NULL) return;
    for (size_t i = 0; i < s->k; i++) t = two_add(t, s->lambda[i]);
    for (size_t i = 0; i < s->k; i++) {
        s->lambda[i] = two_div(s->lambda[i], t);
        if (!s->fine) s->lambda[i].lo = 0;
    }
}

enum moved { MOVED, DROPPED, STAYED, STUCK };

static enum moved minor_step(struct wolfe *s)
{
    double far = INFINITY; /* the part of the step after which the first lambda_i is 0 */
    enum moved did = MOVED;

    for (size_t i = 0; i < s->k; i++)
        if (s->step[i] < 0) far = fmin(far, s->lambda[i].hi / -s->step[i]);
    memset(s->along, 0, s->dims * sizeof *s->along);
    for (size_t i = 0; i < s->k; i++) point_axpy(&s->p, s->member[i], s->step[i], s->along);
    const double descent = -dot_lanes(s->step, s->slope, s->k);
    const double best = descent / dot_lanes(s->along, s->along, s->dims);
    if (!(descent > 0) || isnan(best)) return STUCK;
    const double length = fmin(best, far);
    if (!isfinite(length)) return STUCK;
    for (size_t i = 0; i < s->k; i++)
        s->lambda[i] = two_add(s->lambda[i], two_product(length, s->step[i]));
    if (length == far)
        for (size_t i = s->k; i-- > 0;)
            if (s->step[i] < 0 && s->lambda[i].hi <= 1e-14 * length * -s->step[i]) {
                corral_drop(s, i);
                memmove(s->step + i, s->step + i + 1, (s->k - i) * sizeof *s->step);
                memmove(s->slope + i, s->slope + i + 1, (s->k - i) * sizeof *s->slope);
                did = length > 0 ? DROPPED : STAYED;
            }
    if (did == STAYED) return did;
    for (size_t i = 0; i < s->k; i++)
        if (s->lambda[i].hi < 0) s->lambda[i] = two_of(0);
    normalise(s);
    return did;
}

/* lambda has 32 digits relative to 1, so x has them relative to R, and where |x| is far below R its
 * direction lacks some. x itself can have more: the steps (1), too small for lambda to hold, are
 * added to it. A lower bound may use any x. */
static void polish(struct wolfe *s)
{
    double least = INFINITY;

    for (int turn = 0; turn < 8; turn++) {
        const double now = steepest(s);
        if (!(now < 0.5 * least) || now <= 4 * TWO_UNIT * sqrt(s->radius2 * s->norm2)) return;
        least = now;
        s->last = 0;
        aim_step(s);
        for (size_t i = 0; i < s->k; i++)
            point_axpy_two(&s->p, s->member[i], two_of(s->step[i]), s->fine_x);
        find_slopes(s);
    }
}

/* Asked after each pass over the corral: with a thousand points a step takes seconds. */
static bool goes_on(struct wolfe *s)
{
    const uint64_t work = (uint64_t)s->k * (s->longest + s->k);

    if (!watch_work(s->watch, &s->done, s->fine ? 8 * work : work)) s->stopped = true;
    return !s->stopped;
}

/* Goes to the point of the corral's affine hull that is nearest to the origin, dropping points. */
static void descend(struct wolfe *s)
{
    const int patience = s->fine ? 12 : 3;
    double least = INFINITY;
    enum moved did = MOVED;

    find_x(s);
    for (int idle = 0; idle < patience;) {
        const double now = steepest(s);
        if (s->k == 0 || now <= fmax(0.1 * s->gap * s->norm2, noise(s))) return;
        if (now < 0.5 * least) idle = 0;
        else idle++;
        least = fmin(least, now);
        aim_step(s);
        did = minor_step(s);
        if (did == STUCK) break;
        if (did != STAYED) find_x(s); /* else x has not moved */
        if (did != MOVED) idle = 0, least = INFINITY;
        if (!goes_on(s)) return;
    }
    if (did != STUCK) return;
    for (size_t i = s->k; i-- > 0;) /* members that never got a part of x leave again */
        if (!(s->lambda[i].hi > 0)) corral_drop(s, i);
    find_x(s);
}

/* ----- major steps -------------------------------------------------------------------- */

/* The `most` points that lie furthest before x for their length, in that order: otherwise long ones
 * would win, whatever their direction. */
static size_t choose_points(const struct wolfe *s, size_t most, size_t *best)
{
    const double least = s->fine ? 64 * TWO_UNIT * sqrt(s->radius2 * s->norm2) : 2 * noise(s);
    const double level = s->apex != NULL ? 0 : s->norm2;
    const double bar = level - fmax(0.5 * s->gap * s->norm2, least);
    const double error = 0x1p-50 * (double)s->longest * sqrt(s->radius2 * s->norm2);
    double value[JOIN];
    size_t n = 0;

    for (size_t p = 0; p < s->p.n; p++) {
        if (s->p.inside[p]) continue;
        double m = point_dot(&s->p, p, s->x); /* 32 digits where 16 do not tell if it is below */
        if (s->fine && !(m - error > bar)) m = point_dot_two(&s->p, p, s->fine_x).hi;
        if (!(m < bar)) continue;
        const double far = (m - level) / sqrt(s->p.norm2[p]);
        if (n == most && !(far < value[n - 1])) continue;
        size_t at = n < most ? n++ : n - 1;
        for (; at > 0 && value[at - 1] > far; at--) {
            value[at] = value[at - 1];
            best[at] = best[at - 1];
        }
        value[at] = far;
        best[at] = p;
    }
    return n;
}

perc_status wolfe_run(struct wolfe *s, const struct watch *watch, int64_t passes,
                      enum wolfe_end *end, perc_error *err)
{
    const double little = s->fine ? 0 : 1e-14;
    size_t found, joined, most = 1, best[JOIN];
    double before = INFINITY;

    s->watch = watch;
    s->stopped = false;
    for (int turn = 1;; turn++) {
        descend(s);
        if (s->fine && s->apex == NULL && !is_zero(s) && !s->stopped) polish(s);
        if (is_zero(s)) return *end = WOLFE_ZERO, PERC_OK;
        if (s->stopped || (turn % 16 == 0 && !watch_ask(watch, passes)))
            return *end = WOLFE_STOPPED, PERC_OK;
        const bool nearer = s->norm2 < before * (1 - little);
        if (!nearer && most == 1) return *end = WOLFE_STALLED, PERC_OK;
        most = nearer ? 1 + s->k / 8 : 1;
        before = fmin(before, s->norm2);
        found = choose_points(s, most < JOIN ? most : JOIN, best);
        joined = 0;
        for (size_t i = 0; i < found && (i == 0 || goes_on(s)); i++) {
            if (!corral_grow(s)) return fail_memory(err);
            if (corral_add(s, best[i], s->fine && i == 0)) joined++;
        }
        if (found == 0) return *end = WOLFE_BEST, PERC_OK;
        if (joined == 0) return *end = WOLFE_STALLED, PERC_OK;
    }
}

perc_status wolfe_start(struct wolfe *s, perc_error *err)
{
    s->x = mem_zeroed(&s->e, s->dims, sizeof *s->x);
    s->along = mem_zeroed(&s->e, s->dims, sizeof *s->along);
    if (s->x == NULL || s->along == NULL || !corral_grow(s)) return fail_memory(err);
    if (s->apex != NULL) {
        find_x(s);
        return PERC_OK;
    }
    corral_add(s, 0, true);
    s->lambda[0] = two_of(1);
    find_x(s);
    return PERC_OK;
}

perc_status wolfe_refine(struct wolfe *s, perc_error *err)
{
    s->fine_x = mem_zeroed(&s->e, s->dims, sizeof *s->fine_x);
    if (s->fine_x == NULL) return fail_memory(err);
    s->fine = true;
    s->last = 0;
    normalise(s);
    if (s->apex == NULL) return PERC_OK;
    /* The factor again. A cone needs 32 digits there: its points are independent, but that may show
     * only far beyond the sixteenth digit. */
    const size_t k = s->k;
    if (!long_grow(s, k + 1)) return fail_memory(err);
    for (s->k = 0; s->k < k; s->k++) {
        const size_t p = s->member[s->k];
        memset(s->along, 0, s->dims * sizeof *s->along);
        point_axpy(&s->p, p, 1, s->along);
        long_append(s, p, 1e-26);
    }
    return PERC_OK;
}
