/* second_order.c -- the second-order perceptron, with a diagonal matrix.
 *
 * A perceptron counts every feature alike, and one whose values are large, or that is there in
 * every row, drowns the rest. Here a feature counts for less the more it has had a say in mistakes.
 * With v the sum of y_i x'_i over the rows i on which a mistake was made, and A_j that of their
 * squares x'_ij^2, a row x scores
 *
 *     s(x) = sum_j v_j x'_j / (a + A_j + x'_j^2)                                        (1)
 *
 * and y s <= 0 is a mistake, after which
 *
 *     v += c y x',   A_j += c x'_j^2                                                    (2)
 *
 * where x' = (x, 1) with an offset, and c is the weight of the example. The row that is scored
 * counts in the matrix, as in the paper: that is the last term of (1), so the score is not a dot
 * product, and two rows that differ by a factor may get different answers.
 *
 * The paper has the whole matrix M = a I + sum of x'_i x'_i^T and scores v.(M + x' x'^T)^-1 x',
 * which takes the square of the number of features for each row. (1) is that with the diagonal of
 * M + x' x'^T alone. As a grows, (1) becomes the perceptron's score divided by a.
 *
 * Guarantee, from zero with all c = 1, separable or not, for any u and any g > 0:
 *
 *     mistakes <= (1/g) (sum over them of max(0, g - y u.x')
 *                        + sqrt(a |u|^2 + sum_j u_j^2 A_j) sqrt(sum_j ln(1 + A_j / a)))
 *
 * with A as it is after the last of them. It is the paper's theorem, whose proof asks of the matrix
 * only that it grows and that the row scored is in it (docs/algorithms/second-order.md).
 *
 * Several classes: each has a v and an A of its own. Native, a mistake adds the row to the v of its
 * class, subtracts it from the rival's, and adds its squares to both matrices; against the rest,
 * each class by itself.
 *
 * What is returned is the last v and A: a mean of several would belong to no one matrix.
 *
 * Symbols  a = parameter "ridge"
 * Cost     O(nonzeros) time a pass, a division an entry; 2 numbers a column.
 * Cesa-Bianchi, Conconi, Gentile, SIAM J. Computing 34(3), 2005. */
#include "learn/learner.h"
#include "learn/parameters.h"
#include "machine/machine_diagonal.h"

static void score_row(const struct diagonal *d, const struct row *x, size_t n, double *scores)
{
    const struct linear *v = d->w, *a = &d->a;
    double *out = v->moved ? scores + n : scores;

    for (size_t c = 0; c < n; c++) out[c] = 0;
    for (size_t k = 0; k < x->n && row_column(x, k) < v->dims; k++) {
        const uint64_t at = row_column(x, k) * v->stride;
        const double value = row_value(x, k), own = d->number + value * value;
        for (size_t c = 0; c < n; c++) out[c] += v->w[at + c] * value / (own + a->w[at + c]);
    }
    for (size_t c = 0; c < n && v->offset; c++) out[c] += v->b[c] / (d->number + 1 + a->b[c]);
    if (v->moved) linear_take(v, out, n, scores);
}

/* Written so that NaN is a mistake. */
static double decide_step(struct diagonal *d, const struct lesson *l)
{
    (void)d;
    return l->margin > 0 ? 0 : l->weight;
}

/* Vector c of v gets step x', its diagonal |step| x'^2. */
static void move_vector(struct diagonal *d, const struct row *x, size_t vector, double step)
{
    const struct linear *v = d->w, *a = &d->a;
    const double weight = step > 0 ? step : -step;
    const size_t c = linear_at(v, vector);

    for (size_t k = 0; k < x->n; k++) {
        const uint64_t at = row_column(x, k) * v->stride + c;
        const double value = row_value(x, k);
        v->w[at] += step * value;
        a->w[at] += weight * value * value;
    }
    if (!v->offset) return;
    v->b[c] += step;
    a->b[c] += weight;
}

static void move_vectors(struct diagonal *d, const struct update *u)
{
    move_vector(d, u->x, u->up, u->step);
    if (u->down != NO_VECTOR) move_vector(d, u->x, u->down, 0 - u->step);
}

/* A_j + |step| x'^2, as move_vector adds them. */
static bool squares_hold(const struct linear *a, const struct update *u, size_t vector)
{
    const double weight = u->step > 0 ? u->step : -u->step;
    const size_t c = linear_at(a, vector);
    bool holds = true;

    for (size_t k = 0; k < u->x->n && holds; k++) {
        const double value = row_value(u->x, k);
        holds = isfinite(a->w[row_column(u->x, k) * a->stride + c] + weight * value * value);
    }
    return holds && isfinite(a->b[c] + weight);
}

static bool all_hold(const struct diagonal *d, const struct update *u)
{
    return machine_vectors_hold(d->w, NULL, NULL, u) && squares_hold(&d->a, u, u->up) &&
           (u->down == NO_VECTOR || squares_hold(&d->a, u, u->down));
}

static const struct diagonal_form form = { "ridge",      1,       0, score_row, decide_step,
                                           move_vectors, all_hold };

static const perc_param parameters[] = {
    { "ridge", PERC_REAL, "1", 1e-300, 1e300, NULL, "A",
      "how much a feature weighs before it has had a say: larger is nearer to perceptron" },
    PARAMETERS_COMMON
};

const struct rule rule_second_order = {
    .table = { "second-order", "learner",
               "the perceptron with a matrix: features that erred often count for less",
               PARAMETERS(parameters) },
    .about = { .title = "second-order perceptron",
               .family = "rule",
               .page = "second-order",
               .step = "1, when m ≤ 0; the score has a matrix in it",
               .guarantee = "mistakes ≤ (Σ losses of u + √(a‖u‖² + Σ u² A) √(Σ ln(1 + A/a)))/γ, "
                            "any u and γ; A the squares of the mistakes, by feature",
               .use = "features differ in scale, or some come up far more often than others",
               .cost = { "2", "2", "2" },
               .online = 1 },
    .keep = KEEP_LAST,
    .machine = &machine_diagonal,
    .form = &form,
};
