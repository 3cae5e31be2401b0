/* round_plane.c -- planes in doubles as planes in whole numbers. */
#include <math.h>

#include "prove/job.h"

static double largest_of(const double *w, uint64_t dims)
{
    double largest = 0;

    for (uint64_t j = 0; j < dims; j++) largest = fmax(largest, fabs(w[j]));
    return largest;
}

void round_plane_steps(const double *w, uint64_t dims, double steps, mpz_t *out)
{
    const double largest = largest_of(w, dims);

    for (uint64_t j = 0; j < dims; j++)
        mpz_set_d(out[j], largest > 0 ? nearbyint(w[j] / largest * steps) : 0);
}

void round_plane_bits(const double *w, uint64_t dims, unsigned bits, mpz_t *out)
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

perc_status round_plane_try(struct job *j, const double *w, const char *method, bool *good,
                            perc_error *err)
{
    static const double steps[] = { 1, 2, 3, 4, 5, 6, 8, 10, 100, 1e3, 1e4, 1e6, 1e9 };
    const uint64_t dims = j->exact->dims, rejected = j->found->rejected;
    mpz_t *x = whole_numbers(&j->exact->e, dims);
    perc_status st = x == NULL ? fail_memory(err) : PERC_OK;

    *good = false;
    for (uint64_t k = 0; k < dims; k++)
        if (!isfinite(w[k])) goto done;
    for (size_t k = 0; k < sizeof steps / sizeof *steps && !st && !*good; k++) {
        round_plane_steps(w, dims, steps[k], x);
        st = job_try_plane(j, x, method, good, err);
    }
    j->found->rejected = rejected; /* too few digits are not the solver's fault */
    for (unsigned bits = 60; bits <= 1100 && !st && !*good; bits += 1040) {
        round_plane_bits(w, dims, bits, x);
        st = job_try_plane(j, x, method, good, err);
    }
    if (!*good) j->found->rejected = rejected + 1;
done:
    whole_numbers_free(&j->exact->e, x, dims);
    return st;
}
