/* quick_perceptron.c -- a plane that costs little to find.
 *
 * The perceptron (Rosenblatt 1958) separates data with a wide margin in a few passes. Columns
 * are measured in units of their largest number, s_j = 2^k near 1 / max_i |x_ij|: with
 * w_j = s_j v_j and x_ij s_j in place of x_ij a mistake is  w_j += y_i s_j^2 x_ij. */
#include <math.h>
#include <string.h>

#include "prove/job.h"

enum { PASSES = 12, PASSES_MORE = 60 };

/* unit[j] = s_j^2; the offset's is 1. */
static void measure_columns(const struct problem *floats, double *unit)
{
    for (uint64_t i = 0; i < floats->n; i++) {
        const struct row r = problem_block_row(floats, i);
        for (size_t k = 0; k < r.n; k++) {
            const uint64_t j = row_column(&r, k);
            if (j < floats->dims) unit[j] = fmax(unit[j], fabs(row_value(&r, k)));
        }
    }
    for (uint64_t j = 0; j < floats->dims; j++) {
        int e;
        frexp(unit[j], &e);
        e = e > 250 ? 250 : e < -250 ? -250 : e;
        unit[j] = ldexp(1, -2 * e);
    }
}

static int64_t run_pass(const struct job *j, const double *unit, double *w)
{
    const struct problem *floats = j->floats;
    int64_t mistakes = 0;
    double *b = floats->offset ? &w[floats->dims] : NULL;

    for (uint64_t i = 0; i < floats->n; i++) {
        const struct row r = problem_block_row(floats, i);
        const double y = j->exact->sign[i];
        if (y * (row_dot(&r, w, floats->dims) + (b != NULL ? *b : 0)) > 0) continue;
        mistakes++;
        for (size_t k = 0; k < r.n; k++) {
            const uint64_t c = row_column(&r, k);
            if (c < floats->dims) w[c] += y * unit[c] * row_value(&r, k);
        }
        if (b != NULL) *b += y;
    }
    return mistakes;
}

perc_status quick_perceptron(struct job *j, double *w, bool *found, perc_error *err)
{
    const struct problem *floats = j->floats;
    double *unit = mem_zeroed(&floats->e, floats->dims + 1, sizeof *unit);

    *found = false;
    if (unit == NULL) return fail_memory(err);
    measure_columns(floats, unit);
    memset(w, 0, j->exact->dims * sizeof *w);
    for (int t = 0; t < PASSES_MORE && job_goes_on(j); t++) {
        const int64_t mistakes = run_pass(j, unit, w);
        *found = mistakes == 0;
        /* Many mistakes after some passes: it would take very many. */
        if (*found || (t + 1 >= PASSES && (uint64_t)mistakes > floats->n / 200)) break;
        if (t == 2 && (uint64_t)mistakes > floats->n / 10) break;
    }
    mem_free(&floats->e, unit, floats->dims + 1, sizeof *unit);
    return PERC_OK;
}
