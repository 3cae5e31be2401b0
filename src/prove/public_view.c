/* public_view.c -- what the caller sees of a proof: whole numbers as doubles and as text. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "prove/proof.h"

/* ----- the plane ------------------------------------------------------------------- */

enum { SHORT = 10000000 }; /* whole numbers below it are shown as they are */

/* x / y, to three units in the last place; never 0 where x is not. y is not 0. */
static double quotient(const mpz_t x, const mpz_t y)
{
    signed long ex, ey;
    const double mx = mpz_get_d_2exp(&ex, x), my = mpz_get_d_2exp(&ey, y);
    const long shift = ex - ey;
    const double q = ldexp(mx / my, shift > 5000 ? 5000 : shift < -5000 ? -5000 : (int)shift);

    if (isinf(q)) return copysign(DBL_MAX, q);
    return fabs(q) > 0 || mpz_sgn(x) == 0 ? q : copysign(DBL_TRUE_MIN, mx / my);
}

/* The doubles are w over its largest |w_j|; where all numbers are short they are w itself, exactly.
 * b counts as the largest only where the others are 0, or where it would leave the range of a
 * double. */
static perc_status plane_view(struct subproof *sub, const perc_dataset *rows, perc_error *err)
{
    const struct separation *a = &sub->found;
    const bool offset = sub->exact.offset;
    const uint64_t columns = a->dims - (offset ? 1 : 0), base = (uint64_t)rows->index_base;
    perc_dataset_info info;
    mpz_t unit;

    perc_dataset_info_get(rows, &info);
    sub->view.features = info.features;
    if (a->w == NULL) return PERC_OK;
    double *w = pool_zeroed(&sub->pool, info.features, sizeof *w);
    if (w == NULL) return fail_memory(err);
    mpz_init(unit);
    sub->view.exact = true;
    for (uint64_t j = 0; j < a->dims; j++) {
        sub->view.exact &= mpz_cmpabs_ui(a->w[j], SHORT) < 0;
        if (j < columns && mpz_cmpabs(a->w[j], unit) > 0) mpz_abs(unit, a->w[j]);
    }
    if (sub->view.exact) mpz_set_ui(unit, 1);
    else if (offset && (mpz_sgn(unit) == 0 ||
                        mpz_sizeinbase(a->w[columns], 2) > mpz_sizeinbase(unit, 2) + 1000))
        mpz_abs(unit, a->w[columns]);
    for (uint64_t j = base; j < columns; j++) w[j - base] = quotient(a->w[j], unit);
    if (offset) sub->view.b = quotient(a->w[columns], unit);
    mpz_clear(unit);
    sub->view.w = w;
    return PERC_OK;
}

/* ----- the witness ----------------------------------------------------------------- */

static perc_status witness_view(struct subproof *sub, perc_error *err)
{
    const struct weights *no = &sub->found.no;

    if (no->n == 0) return PERC_OK;
    uint64_t *witness = pool_array(&sub->pool, no->n, sizeof *witness);
    const char **weight = pool_array(&sub->pool, no->n, sizeof *weight);
    for (size_t k = 0; k < no->n && !sub->pool.failed; k++) {
        char *digits = pool_array(&sub->pool, mpz_sizeinbase(no->value[k], 10) + 2, 1);
        witness[k] = sub->exact.row[no->row[k]];
        weight[k] = digits != NULL ? mpz_get_str(digits, 10, no->value[k]) : NULL;
    }
    if (sub->pool.failed) return fail_memory(err);
    sub->view.witnesses = no->n;
    sub->view.witness = witness;
    sub->view.weight = weight;
    return PERC_OK;
}

perc_status public_view_fill(struct subproof *sub, const perc_dataset *rows,
                             const struct problem *floats, perc_error *err)
{
    const struct separation *a = &sub->found;
    perc_part *v = &sub->view;
    perc_status st;

    v->verdict = a->verdict;
    v->rows = sub->exact.n;
    v->strict = a->s;
    v->on_all_planes = a->c;
    for (uint64_t i = 0; a->strict != NULL && i < sub->exact.n; i++)
        v->strict_positive += a->strict[i] != 0 && sub->exact.sign[i] > 0;
    v->rank = a->rank;
    v->listed = a->all.n;
    v->method = a->method;
    v->rejected = a->rejected;
    v->exact_rows = a->exact_rows;
    v->pivots = a->pivots;
    v->rounds = a->rounds;
    if ((st = plane_view(sub, rows, err)) || (st = witness_view(sub, err))) return st;
    if (a->verdict == PERC_SEPARABLE && a->w != NULL)
        st = closest_rows(&sub->exact, floats, (const mpz_t *)a->w, v, err);
    return st;
}

/* ----- what is asked of a proof ---------------------------------------------------- */

void perc_proof_info_get_sized(const perc_proof *proof, perc_proof_info *out, size_t size)
{
    const perc_proof_info none = { .redundant = -1 };

    sized_copy(out, size, proof != NULL ? &proof->info : &none, sizeof none);
}

int perc_proof_redundant_sized(const perc_proof *proof, size_t i, perc_redundant *out, size_t size)
{
    if (proof == NULL || i >= redundant_count(proof->redundant)) return 0;
    const perc_redundant own = redundant_get(proof->redundant, i);

    sized_copy(out, size, &own, sizeof own);
    return 1;
}

size_t perc_proof_parts(const perc_proof *proof)
{
    return proof != NULL ? proof->subs : 0;
}

void perc_proof_part_sized(const perc_proof *proof, size_t i, perc_part *out, size_t size)
{
    const perc_part none = { .verdict = PERC_UNDECIDED };

    sized_copy(out, size, proof != NULL && i < proof->subs ? &proof->sub[i].view : &none,
               sizeof none);
}

int perc_proof_bound_sized(const perc_proof *proof, perc_bound *out, size_t size)
{
    if (proof == NULL) return 0;
    perc_bound own;

    if (proof->bound == NULL) return 0;
    bound_curves_get(proof->bound, &own);
    sized_copy(out, size, &own, sizeof own);
    return 1;
}

int perc_proof_hulls_sized(const perc_proof *proof, perc_hulls *out, size_t size)
{
    if (proof == NULL) return 0;
    perc_hulls own;

    if (proof->hulls == NULL) return 0;
    hulls_get(proof->hulls, &own);
    sized_copy(out, size, &own, sizeof own);
    return 1;
}

/* ----- names ----------------------------------------------------------------------- */

/* Appends to a buffer that may be too small for it. */
static void append_text(char *buf, size_t size, const char *s)
{
    const size_t at = strlen(buf);

    snprintf(buf + at, size - at, "%s", s);
}

/* The column's name in the file, or x and its number, from 1. */
static void append_column(const perc_proof *proof, uint64_t column, char *buf, size_t size)
{
    const uint64_t j = column - (uint64_t)proof->index_base;
    char number[24];

    snprintf(number, sizeof number, "x%llu", (unsigned long long)j + 1);
    append_text(buf, size, j < proof->names.n ? proof->names.at[j] : number);
}

/* A product by its factors: x1 x2^2. */
const char *perc_proof_feature(const perc_proof *proof, uint64_t j, char *buf, size_t size)
{
    if (buf == NULL || size == 0) return "";
    buf[0] = '\0';
    if (proof == NULL) return buf;
    const size_t degree = (size_t)proof->degree;
    char power[24];

    if (proof->space != SPACE_POLY)
        append_column(proof, j + (uint64_t)proof->index_base, buf, size);
    if (proof->space != SPACE_POLY || j >= proof->lifted->columns) return buf;
    const uint32_t *list = proof->monomial + j * degree;
    for (size_t k = 0, times; k < degree && list[k] != UINT32_MAX; k += times) {
        for (times = 1; k + times < degree && list[k + times] == list[k];) times++;
        if (k > 0) append_text(buf, size, " ");
        append_column(proof, list[k], buf, size);
        snprintf(power, sizeof power, "^%zu", times);
        if (times > 1) append_text(buf, size, power);
    }
    return buf;
}
