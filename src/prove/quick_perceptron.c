/* quick_perceptron.c -- a plane that costs little to find.
 *
 * The perceptron (Rosenblatt 1958) separates data with a wide margin in a few passes. Columns
 * are measured in units of their largest number, s_j = 2^k near 1 / max_i |x_ij|: with
 * w_j = s_j v_j and x_ij s_j in place of x_ij a mistake is  w_j += y_i s_j^2 x_ij. */
#include <math.h>
#include <string.h>

#include "prove/job.h"

enum { PASSES = 12, PASSES_MORE = 60 };

static uint64_t run_pass(const struct job *j, const double *unit, double *w)
{
    const struct problem *floats = j->floats;
    const uint64_t dims = floats->dims;
    uint64_t mistakes = 0;

    for (uint64_t i = 0; i < floats->n; i++) {
        const struct row r = problem_block_row(floats, i);
        const double y = j->exact->sign[i];
        if (y * (row_dot(&r, w, dims) + (floats->offset ? w[dims] : 0)) > 0) continue;
        mistakes++;
        for (size_t k = 0; k < r.n; k++) {
            const uint64_t c = row_column(&r, k);
            if (c < dims) w[c] += y * unit[c] * row_value(&r, k);
        }
        if (floats->offset) w[dims] += y;
    }
    return mistakes;
}

perc_status quick_perceptron(struct job *j, double *w, bool *found, perc_error *err)
{
    const struct problem *floats = j->floats;
    const uint64_t dims = floats->dims;
    double *unit = mem_zeroed(&floats->e, dims, sizeof *unit); /* s_j^2 */

    *found = false;
    if (unit == NULL) return fail_memory(err);
    for (uint64_t i = 0; i < floats->n; i++) {
        const struct row r = problem_block_row(floats, i);
        for (size_t k = 0; k < r.n; k++) {
            const uint64_t c = row_column(&r, k);
            if (c < dims) unit[c] = fmax(unit[c], fabs(row_value(&r, k)));
        }
    }
    for (uint64_t c = 0; c < dims; c++) {
        int e;
        frexp(unit[c], &e);
        e = e > 250 ? 250 : e < -250 ? -250 : e;
        unit[c] = ldexp(1, -2 * e);
    }
    memset(w, 0, j->exact->dims * sizeof *w);
    for (int t = 0; t < PASSES_MORE && job_goes_on(j); t++) {
        const uint64_t mistakes = run_pass(j, unit, w);
        *found = mistakes == 0;
        /* Many mistakes after some passes: it would take very many. */
        if (*found || (t + 1 >= PASSES && mistakes > floats->n / 200)) break;
        if (t == 2 && mistakes > floats->n / 10) break;
    }
    mem_free(&floats->e, unit, dims, sizeof *unit);
    return PERC_OK;
}
