/* guess.c -- planes that cost little to find, and planes in whole numbers.
 *
 * The perceptron (Rosenblatt 1958) settles data with a wide margin in a few passes. Columns
 * are measured in units of their largest number, s_j = 2^k near 1 / max_i |x_ij|: with
 * w_j = s_j v_j and x_ij s_j in place of x_ij a mistake is  w_j += y_i s_j^2 x_ij. */
#include <math.h>
#include <string.h>

#include "prove/settle.h"

enum { PASSES = 12, PASSES_MORE = 60 };

/* ----- whole numbers ------------------------------------------------------------------------ */

static double largest_of(const double *w, uint64_t dims)
{
    double largest = 0;

    for (uint64_t j = 0; j < dims; j++) largest = fmax(largest, fabs(w[j]));
    return largest;
}

void guess_round(const double *w, uint64_t dims, double steps, mpz_t *out)
{
    const double largest = largest_of(w, dims);

    for (uint64_t j = 0; j < dims; j++)
        mpz_set_d(out[j], largest > 0 ? nearbyint(w[j] / largest * steps) : 0);
}

void guess_whole(const double *w, uint64_t dims, unsigned bits, mpz_t *out)
{
    const double largest = largest_of(w, dims);
    int top, e;

    frexp(largest, &top);
    for (uint64_t j = 0; j < dims; j++) {
        const double m = ldexp(frexp(w[j], &e), 53); /* w_j = m 2^(e - 53) */
        const long up = (long)e - 53 - top + (long)bits;
        mpz_set_d(out[j], m);
        if (up >= 0) mpz_mul_2exp(out[j], out[j], (mp_bitcnt_t)up);
        else mpz_tdiv_q_2exp(out[j], out[j], (mp_bitcnt_t)-up);
    }
}

perc_status guess_try(struct job *j, const double *w, const char *method, bool *good,
                      perc_error *err)
{
    static const double steps[] = { 1, 2, 3, 4, 5, 6, 8, 10, 100, 1e3, 1e4, 1e6, 1e9 };
    const uint64_t dims = j->p->dims, rejected = j->a->rejected;
    mpz_t *x = whole_numbers(&j->p->e, dims);
    perc_status st = x == NULL ? fail_memory(err) : PERC_OK;

    *good = false;
    for (uint64_t k = 0; k < dims; k++)
        if (!isfinite(w[k])) goto done;
    for (size_t k = 0; k < sizeof steps / sizeof *steps && !st && !*good; k++) {
        guess_round(w, dims, steps[k], x);
        st = job_try_plane(j, x, method, good, err);
    }
    j->a->rejected = rejected; /* too few digits are no fault of the solver */
    for (unsigned bits = 60; bits <= 1100 && !st && !*good; bits += 1040) {
        guess_whole(w, dims, bits, x);
        st = job_try_plane(j, x, method, good, err);
    }
    if (!*good) j->a->rejected = rejected + 1;
done:
    whole_numbers_free(&j->p->e, x, dims);
    return st;
}

/* ----- the perceptron ----------------------------------------------------------------------- */

/* unit[j] = s_j^2; the offset's is 1. */
static void measure(const struct problem *f, double *unit)
{
    for (uint64_t i = 0; i < f->n; i++) {
        const struct row r = block_row(&f->blocks[f->ref[i] >> 32], f->ref[i] & UINT32_MAX);
        for (size_t k = 0; k < r.n; k++) {
            const uint64_t j = row_column(&r, k);
            if (j < f->dims) unit[j] = fmax(unit[j], fabs(row_value(&r, k)));
        }
    }
    for (uint64_t j = 0; j < f->dims; j++) {
        int e;
        frexp(unit[j], &e);
        e = e > 250 ? 250 : e < -250 ? -250 : e;
        unit[j] = ldexp(1, -2 * e);
    }
}

static int64_t pass(const struct job *j, const double *unit, double *w)
{
    const struct problem *f = j->f;
    int64_t mistakes = 0;
    double *b = f->offset ? &w[f->dims] : NULL;

    for (uint64_t i = 0; i < f->n; i++) {
        const struct row r = block_row(&f->blocks[f->ref[i] >> 32], f->ref[i] & UINT32_MAX);
        const double y = j->p->sign[i];
        if (y * (row_dot(&r, w, f->dims) + (b != NULL ? *b : 0)) > 0) continue;
        mistakes++;
        for (size_t k = 0; k < r.n; k++) {
            const uint64_t c = row_column(&r, k);
            if (c < f->dims) w[c] += y * unit[c] * row_value(&r, k);
        }
        if (b != NULL) *b += y;
    }
    return mistakes;
}

perc_status guess_plane(struct job *j, double *w, bool *found, perc_error *err)
{
    const struct problem *f = j->f;
    double *unit = mem_zeroed(&f->e, f->dims + 1, sizeof *unit);

    *found = false;
    if (unit == NULL) return fail_memory(err);
    measure(f, unit);
    memset(w, 0, j->p->dims * sizeof *w);
    for (int t = 0; t < PASSES_MORE && job_goes_on(j); t++) {
        const int64_t mistakes = pass(j, unit, w);
        *found = mistakes == 0;
        /* Many mistakes after some passes: it would take very many. */
        if (*found || (t + 1 >= PASSES && (uint64_t)mistakes > f->n / 200)) break;
        if (t == 2 && (uint64_t)mistakes > f->n / 10) break;
    }
    mem_free(&f->e, unit, f->dims + 1, sizeof *unit);
    return PERC_OK;
}
