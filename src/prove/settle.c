/* settle.c -- one problem of two classes: which solver is asked when, and the check of what
 * it says.
 *
 * The cheap questions come first: is there one class only, are there equal rows with
 * opposite labels, does the perceptron make no mistake after a few passes? Then columns of
 * one sign are peeled off (peel.c), and the nearest point of the hull of the rest
 * (solve/hard.h) is a plane, or its rows are why there is none. 16 digits are tried first,
 * then 32, and where these mislead the exact simplex method decides (rounds.c): it needs no
 * luck, only time. */
#include "prove/settle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "prove/total.h"

/* ----- checks ------------------------------------------------------------------------------- */

static bool ask(void *ud, int64_t passes)
{
    const struct job *j = ud;

    if (j->o->until > 0 && clock_seconds() > j->o->until) return false;
    return watch_ask(j->o->watch, passes);
}

bool job_goes_on(const struct job *j)
{
    return watch_ask(&j->watch, 0);
}

perc_status job_try_plane(struct job *j, mpz_t *w, const char *method, bool *good, perc_error *err)
{
    const struct env *e = &j->p->e;
    struct answer *a = j->a;
    struct sides s = { .side = mem_array(e, j->p->n, 1) };
    perc_status st = s.side == NULL ? fail_memory(err) : PERC_OK;

    *good = false;
    if (!st) st = sides(j->p, j->f, (const mpz_t *)w, 1, &s, err);
    *good = !st && s.first == j->p->n;
    if (!st && !*good) a->rejected++;
    if (*good) {
        a->w = whole_numbers(e, a->dims);
        a->strict = mem_array(e, a->rows, 1);
        if (a->w == NULL || a->strict == NULL) st = fail_memory(err);
    }
    if (!st && *good) {
        for (uint64_t c = 0; c < a->dims; c++) mpz_swap(a->w[c], w[c]);
        whole_reduce(a->w, a->dims);
        memset(a->strict, 1, a->rows);
        a->verdict = PERC_SEPARABLE;
        a->s = a->rows;
        a->exact_rows = s.exact;
        a->method = method;
        j->done = true;
    }
    mem_free(e, s.side, j->p->n, 1);
    return st;
}

struct weight {
    uint64_t row;
    size_t at;
};

static int by_row(const void *a, const void *b)
{
    const struct weight *x = a, *y = b;

    return x->row < y->row ? -1 : x->row > y->row;
}

/* The weights of the rows with their powers of ten: x_k v_k = x_k 10^-e_k a_k. */
static perc_status scale(struct job *j, struct weights *l, const struct weight *order,
                         const mpz_t *x, perc_error *err)
{
    const struct env *e = &j->p->e;
    int64_t *exponent = mem_array(e, l->n, sizeof *exponent), most = INT64_MIN;
    struct whole_vector v;
    perc_status st = exponent == NULL ? fail_memory(err) : PERC_OK;
    mpz_t ten;

    mpz_init(ten);
    whole_vector_init(&v, e);
    for (size_t k = 0; k < l->n && !st; k++) {
        st = whole_row(j->p, order[k].row, &v, err);
        exponent[k] = v.exponent;
        if (v.exponent > most) most = v.exponent;
    }
    for (size_t k = 0; k < l->n && !st; k++) {
        l->row[k] = order[k].row;
        mpz_ui_pow_ui(ten, 10, (unsigned long)(most - exponent[k]));
        mpz_mul(l->value[k], x[order[k].at], ten);
    }
    whole_reduce(l->value, l->n);
    whole_vector_free(&v);
    mpz_clear(ten);
    mem_free(e, exponent, l->n, sizeof *exponent);
    return st;
}

perc_status job_try_no(struct job *j, size_t n, const uint64_t *row, const mpz_t *x,
                       const char *method, bool *good, perc_error *err)
{
    const struct env *e = &j->p->e;
    struct weights *l = &j->a->no;
    struct weight *order = mem_array(e, n, sizeof *order);
    size_t m = 0;
    perc_status st = order == NULL ? fail_memory(err) : PERC_OK;

    *good = false;
    weights_free(e, l);
    weights_init(l);
    for (size_t k = 0; k < n && !st; k++)
        if (mpz_sgn(x[k]) != 0) order[m++] = (struct weight){ row[k], k };
    if (!st) {
        qsort(order, m, sizeof *order, by_row);
        l->row = mem_array(e, m, sizeof *l->row);
        if (l->row != NULL) l->value = whole_numbers(e, m);
        if (l->value != NULL) l->n = m;
        else st = fail_memory(err);
        if (st) mem_free(e, l->row, m, sizeof *l->row), l->row = NULL;
    }
    if (!st) st = scale(j, l, order, x, err);
    if (!st) st = weights_check(j->p, l, NULL, good, err);
    mem_free(e, order, n, sizeof *order);
    if (!st && *good) {
        j->a->method = method;
        j->a->verdict = PERC_INSEPARABLE;
        j->a->rank = l->n - 1;
    } else if (!st) {
        j->a->rejected++;
        weights_free(e, l);
        weights_init(l);
    }
    return st;
}

/* ----- the cheap questions ------------------------------------------------------------------ */

/* One class only: the offset does it. */
static perc_status try_offset(struct job *j, perc_error *err)
{
    mpz_t *w;
    bool good;
    perc_status st;

    for (uint64_t i = 1; i < j->p->n; i++)
        if (j->p->sign[i] != j->p->sign[0]) return PERC_OK;
    if (j->p->n > 0 && !j->p->offset) return PERC_OK;
    if ((w = whole_numbers(&j->p->e, j->p->dims)) == NULL) return fail_memory(err);
    if (j->p->offset) mpz_set_si(w[j->p->dims - 1], j->p->n > 0 ? j->p->sign[0] : 1);
    st = job_try_plane(j, w, "one class", &good, err);
    whole_numbers_free(&j->p->e, w, j->p->dims);
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
    /* Weights of the vectors: those with their powers of ten are to be 1, but two equal
     * rows may be written differently. */
    struct whole_vector v;
    int64_t exponent[2] = { 0, 0 };
    whole_vector_init(&v, &j->p->e);
    for (size_t k = 0; k < n && !st; k++) {
        st = whole_row(j->p, row[k], &v, err);
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

static perc_status try_guess(struct job *j, perc_error *err)
{
    double *w = mem_array(&j->p->e, j->p->dims, sizeof *w);
    bool found, good;
    perc_status st = w == NULL ? fail_memory(err) : guess_plane(j, w, &found, err);

    if (!st && found) st = guess_try(j, w, "perceptron", &good, err);
    mem_free(&j->p->e, w, j->p->dims, sizeof *w);
    return st;
}

/* ----- solvers with rounding ---------------------------------------------------------------- */

/* The rows that were not peeled, as a problem; w is its plane, or the corral its witness. */
static perc_status ask_hard(struct job *j, const struct part_of *t, bool coarse, double *w,
                            struct hard_result *r, struct hard_corral *c, perc_error *err)
{
    const struct hard_options o = { .gap = coarse ? 0.5 : 1e-3,
                                    .passes = INT64_MAX,
                                    .watch = &j->watch,
                                    .coarse = coarse,
                                    .corral = c };
    double none;
    double *b = j->p->offset ? &w[j->f->dims] : &none;
    struct centred in;
    perc_status st = centre_new(&in, &t->f, err);

    if (!st) st = solve_hard(&in.f, 1, &o, w, b, r, err);
    if (!st) centre_back(&in, w);
    centre_free(&in);
    for (size_t k = 0; k < c->n && !st; k++) c->row[k] = t->number[c->row[k]];
    return st;
}

static perc_status try_hard(struct job *j, const struct part_of *t, const struct levels *l,
                            bool coarse, struct hard_corral *c, perc_error *err)
{
    double *w = mem_zeroed(&j->p->e, j->p->dims, sizeof *w);
    struct hard_result r;
    bool good = false;
    perc_status st = w == NULL ? fail_memory(err) : ask_hard(j, t, coarse, w, &r, c, err);

    if (!st && r.lower > 0) {
        levels_join(j, l, w);
        st = guess_try(j, w, "nearest point", &good, err);
    } else if (!st && r.upper <= 1e-7 * r.radius) {
        st = witness_try(j, c, "nearest point", &good, err);
    }
    mem_free(&j->p->e, w, j->p->dims, sizeof *w);
    return st;
}

/* All rows were peeled: the levels are the plane. */
static perc_status try_levels(struct job *j, const struct levels *l, perc_error *err)
{
    double *w = mem_zeroed(&j->p->e, j->p->dims, sizeof *w);
    bool good;
    perc_status st = PERC_OK;

    if (w == NULL) return fail_memory(err);
    levels_join(j, l, w);
    st = guess_try(j, w, "columns of one sign", &good, err);
    mem_free(&j->p->e, w, j->p->dims, sizeof *w);
    return st;
}

static bool open_question(const struct job *j)
{
    return !j->done && j->a->verdict == PERC_UNDECIDED && job_goes_on(j);
}

static perc_status left_over(struct part_of *t, const struct job *j, const struct levels *l,
                             perc_error *err)
{
    unsigned char *keep = mem_array(&j->p->e, l->n, 1);
    perc_status st;

    *t = (struct part_of){ .number = NULL };
    if (keep == NULL) return fail_memory(err);
    for (uint64_t i = 0; i < l->n; i++) keep[i] = l->level[i] == 0;
    st = part_new(t, j->p, j->f, keep, err);
    mem_free(&j->p->e, keep, l->n, 1);
    return st;
}

static perc_status with_rounding(struct job *j, struct levels *l, struct hard_corral *c,
                                 perc_error *err)
{
    struct part_of t;
    perc_status st = PERC_OK;

    if (!j->tune->no_peel && (st = peel(j, l, err))) return st;
    if (l->left == 0) return try_levels(j, l, err);
    if (!open_question(j)) return PERC_OK;
    if ((st = left_over(&t, j, l, err))) return st;
    if (!j->tune->no_coarse) st = try_hard(j, &t, l, true, c, err);
    if (!st && open_question(j)) st = try_hard(j, &t, l, false, c, err);
    part_free(&t);
    return st;
}

/* ----- all of it ---------------------------------------------------------------------------- */

static perc_status cheap(struct job *j, perc_error *err)
{
    perc_status st = try_offset(j, err);

    if (!st && !j->done && !j->tune->no_equal) st = try_equal(j, err);
    if (!st && open_question(j) && !j->tune->no_guess && !j->tune->no_float) st = try_guess(j, err);
    return st;
}

static perc_status decide(struct job *j, perc_error *err)
{
    struct levels l = { .level = NULL };
    struct hard_corral c = { .n = 0 };
    perc_status st = cheap(j, err);

    if (st || j->done || (j->o->quick && j->a->verdict == PERC_INSEPARABLE)) return st;
    st = levels_init(&l, j, err);
    if (!st && !j->tune->no_float) st = with_rounding(j, &l, &c, err);
    const bool no = j->a->verdict == PERC_INSEPARABLE;
    const bool skip = j->o->quick || j->tune->no_float || j->tune->no_face;
    if (!st && no && !skip && job_goes_on(j)) st = face(j, &l, err);
    if (!st && !j->done && !(no && j->o->quick) && job_goes_on(j))
        st = rounds(j, no ? j->a->no.n : c.n, no ? j->a->no.row : c.row, err);
    hard_corral_free(&j->p->e, &c);
    levels_free(&l);
    return st;
}

perc_status settle_tuned(const struct whole *p, const struct problem *f,
                         const struct settle_options *o, const struct settle_tune *tune,
                         struct answer *out, perc_error *err)
{
    struct job j = { .p = p, .f = f, .o = o, .tune = tune, .a = out };
    perc_status st;

    answer_init(out, &p->e);
    out->dims = p->dims;
    out->rows = p->n;
    j.watch = (struct watch){ .ask = ask, .ud = &j };
    st = decide(&j, err);
    if (st) {
        answer_free(out);
        answer_init(out, &p->e);
    }
    return st;
}

perc_status settle(const struct whole *p, const struct problem *f, const struct settle_options *o,
                   struct answer *out, perc_error *err)
{
    const struct settle_tune all = { .no_float = false };

    return settle_tuned(p, f, o, &all, out, err);
}
