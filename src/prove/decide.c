/* decide.c -- one problem of two classes: which stage comes when.
 *
 * The cheap questions come first: is there one class only, are there equal rows with
 * opposite labels, does the perceptron make no mistake after a few passes? Then columns of
 * one sign are peeled off (levels.c), and the nearest point of the hull of the rest
 * (solve/hard.h) is a plane, or its rows are why there is none. 16 digits are tried first,
 * then 32, and where these mislead the exact simplex method decides (exact_rounds.c): it needs
 * no luck, only time. */
#include <math.h>
#include <string.h>

#include "prove/job.h"

enum { PASSES = 12, PASSES_MORE = 60 };

/* ----- the cheap questions ------------------------------------------------------------------ */

/* One class only: the offset alone separates it. */
static perc_status try_offset(struct job *j, perc_error *err)
{
    const struct whole *exact = j->exact;
    mpz_t *w;
    bool good;
    perc_status st;

    for (uint64_t i = 1; i < exact->n; i++)
        if (exact->sign[i] != exact->sign[0]) return PERC_OK;
    if (exact->n > 0 && !exact->offset) return PERC_OK;
    if ((w = whole_numbers(&exact->e, exact->dims)) == NULL) return fail_memory(err);
    if (exact->offset) mpz_set_si(w[exact->dims - 1], exact->n > 0 ? exact->sign[0] : 1);
    st = job_try_plane(j, w, "one class", &good, err);
    whole_numbers_free(&exact->e, w, exact->dims);
    return st;
}

static perc_status try_equal(struct job *j, perc_error *err)
{
    uint64_t row[2];
    size_t n;
    bool good;
    mpz_t one[2];
    perc_status st = equal_find(j, row, &n, err);

    if (st || n == 0) return st;
    /* Weights of the whole vectors. With its power of ten each row counts once, but two equal
     * rows may be written differently. */
    struct whole_vector v;
    int64_t exponent[2] = { 0, 0 };
    whole_vector_init(&v, &j->exact->e);
    for (size_t k = 0; k < n && !st; k++) {
        st = whole_row(j->exact, row[k], &v, err);
        exponent[k] = v.exponent;
    }
    whole_vector_free(&v);
    if (st) return st;
    const int64_t low = n > 1 && exponent[1] < exponent[0] ? exponent[1] : exponent[0];
    for (size_t k = 0; k < 2; k++) {
        mpz_init(one[k]);
        if (k < n) mpz_ui_pow_ui(one[k], 10, (unsigned long)(exponent[k] - low));
    }
    st = job_try_no(j, n, row, (const mpz_t *)one, n > 1 ? "equal rows" : "zero row", &good, err);
    mpz_clear(one[0]);
    mpz_clear(one[1]);
    return st;
}

static uint64_t perceptron_pass(const struct job *j, const double *unit, double *w)
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
            w[c] += y * unit[c] * row_value(&r, k);
        }
        if (floats->offset) w[dims] += y;
    }
    return mistakes;
}

/* Passes of the perceptron (Rosenblatt 1958), which separates data with a wide margin in a few;
 * *found: a pass had no mistake, in doubles. Columns are measured in units of their largest number,
 * s_j = 2^k near 1 / max_i |x_ij|: with w_j = s_j v_j and x_ij s_j in place of x_ij a mistake is
 * w_j += y_i s_j^2 x_ij. */
static perc_status run_perceptron(struct job *j, double *w, bool *found, perc_error *err)
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
            unit[c] = fmax(unit[c], fabs(row_value(&r, k)));
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
        const uint64_t mistakes = perceptron_pass(j, unit, w);
        *found = mistakes == 0;
        /* Many mistakes after some passes: very many more would be needed. */
        if (*found || (t + 1 >= PASSES && mistakes > floats->n / 200)) break;
        if (t == 2 && mistakes > floats->n / 10) break;
    }
    mem_free(&floats->e, unit, dims, sizeof *unit);
    return PERC_OK;
}

static perc_status try_perceptron(struct job *j, perc_error *err)
{
    double *w = mem_array(&j->exact->e, j->exact->dims, sizeof *w);
    bool found = false, good;
    perc_status st = w == NULL ? fail_memory(err) : run_perceptron(j, w, &found, err);

    if (!st && found) st = round_plane_try(j, w, "perceptron", &good, err);
    mem_free(&j->exact->e, w, j->exact->dims, sizeof *w);
    return st;
}

/* ----- solvers with rounding ---------------------------------------------------------------- */

/* Tries the rows that were not peeled off, as a problem: its plane, or its corral as a witness. */
static perc_status try_hard(struct job *j, const struct subproblem *t, const struct levels *l,
                            bool coarse, double *w, struct hard_corral *c, perc_error *err)
{
    const struct hard_options o = { .gap = coarse ? 0.5 : 1e-3,
                                    .passes = INT64_MAX,
                                    .watch = &j->watch,
                                    .coarse = coarse,
                                    .corral = c };
    double none, *b = j->exact->offset ? &w[j->floats->dims] : &none;
    struct hard_result r;
    struct preconditioned in;
    bool good = false;
    perc_status st = precondition_new(&in, &t->floats, err);

    memset(w, 0, j->exact->dims * sizeof *w);
    if (!st) st = hard_solve(&in.floats, 1, &o, w, b, &r, err);
    if (!st) precondition_undo(&in, w);
    pool_free(&in.pool);
    for (size_t k = 0; k < c->n && !st; k++) c->row[k] = t->number[c->row[k]];
    if (!st && r.lower > 0) {
        levels_join(j, l, w);
        st = round_plane_try(j, w, "nearest point", &good, err);
    } else if (!st && r.upper <= 1e-7 * r.radius) {
        st = witness_try(j, c, "nearest point", &good, err);
    }
    return st;
}

static bool is_open(const struct job *j)
{
    return !j->done && j->found->verdict == PERC_UNDECIDED && job_goes_on(j);
}

/* Where all rows were peeled off, the levels are the plane. */
static perc_status try_rounding(struct job *j, struct levels *l, struct hard_corral *c,
                                perc_error *err)
{
    const struct env *e = &j->exact->e;
    struct pool pool;
    struct subproblem left;
    bool good;
    perc_status st = PERC_OK;

    if (!j->tune->no_peel && (st = levels_peel(j, l, err))) return st;
    pool_init(&pool, e);
    double *w = pool_zeroed(&pool, j->exact->dims, sizeof *w);
    unsigned char *wanted = pool_array(&pool, l->n, 1);
    if (pool.failed) {
        st = fail_memory(err);
    } else if (l->left == 0) {
        levels_join(j, l, w);
        st = round_plane_try(j, w, "columns of one sign", &good, err);
    } else if (is_open(j)) {
        for (uint64_t i = 0; i < l->n; i++) wanted[i] = l->level[i] == 0;
        st = subproblem_new(&left, j, wanted, err);
        if (!st && !j->tune->no_coarse) st = try_hard(j, &left, l, true, w, c, err);
        if (!st && is_open(j)) st = try_hard(j, &left, l, false, w, c, err);
        pool_free(&left.pool);
    }
    pool_free(&pool);
    return st;
}

/* ----- all stages --------------------------------------------------------------------------- */

static perc_status run_stages(struct job *j, perc_error *err)
{
    const struct job_tune *tune = j->tune;
    struct levels l = { .level = NULL };
    struct hard_corral c = { .n = 0 };
    perc_status st = try_offset(j, err);

    if (!st && !j->done && !tune->no_equal) st = try_equal(j, err);
    if (!st && is_open(j) && !tune->no_guess && !tune->no_float) st = try_perceptron(j, err);
    if (st || j->done || (j->o->quick && j->found->verdict == PERC_INSEPARABLE)) return st;
    st = levels_init(&l, j, err);
    if (!st && !tune->no_float) st = try_rounding(j, &l, &c, err);
    const bool no = j->found->verdict == PERC_INSEPARABLE;
    const bool skip = j->o->quick || tune->no_float || tune->no_face;
    if (!st && no && !skip && job_goes_on(j)) st = facial_reduction(j, &l, err);
    if (!st && !j->done && !(no && j->o->quick) && job_goes_on(j))
        st = exact_rounds(j, no ? j->found->no.n : c.n, no ? j->found->no.row : c.row, err);
    hard_corral_free(&j->exact->e, &c);
    levels_free(&l);
    return st;
}

static bool ask_clock(void *ud, int64_t passes)
{
    const struct job *j = ud;

    if (j->o->until > 0 && clock_seconds() > j->o->until) return false;
    return watch_ask(j->o->watch, passes);
}

perc_status decide_tuned(const struct whole *exact, const struct problem *floats,
                         const struct job_options *o, const struct job_tune *tune,
                         struct separation *out, perc_error *err)
{
    struct job j = { .exact = exact, .floats = floats, .o = o, .tune = tune, .found = out };
    perc_status st;

    separation_init(out, &exact->e);
    out->dims = exact->dims;
    out->rows = exact->n;
    j.watch = (struct watch){ .ask = ask_clock, .ud = &j };
    st = run_stages(&j, err);
    if (st) {
        separation_free(out);
        separation_init(out, &exact->e);
    }
    return st;
}

perc_status decide(const struct whole *exact, const struct problem *floats,
                   const struct job_options *o, struct separation *out, perc_error *err)
{
    const struct job_tune all = { .no_float = false };

    return decide_tuned(exact, floats, o, &all, out, err);
}
