/* job.c -- what is checked before a verdict is written. */
#include "prove/job.h"

#include <string.h>

#include "base/sort.h"
#include "prove/row_signs.h"

bool job_goes_on(const struct job *j)
{
    return watch_ask(&j->watch, 0);
}

/* A system is solved in one go. It is not begun if it would take far longer than the time limit,
 * if there is one, still allows. */
perc_status job_has_time(const struct job *j, const struct exact_basis *b, bool *time,
                         perc_error *err)
{
    enum { FAR = 2 };
    double seconds = 0;
    perc_status st = PERC_OK;

    if (j->o->until > 0) st = exact_seconds(b, &seconds, err);
    *time = !st && job_goes_on(j) &&
            (j->o->until <= 0 || seconds < FAR * (j->o->until - clock_seconds()));
    return st;
}

/* ----- planes ------------------------------------------------------------------------------- */

perc_status job_check_plane(struct job *j, const mpz_t *w, const unsigned char *on, bool *good,
                            perc_error *err)
{
    const uint64_t n = j->exact->n;
    struct row_signs s = { .sign = mem_array(&j->exact->e, n, 1) };
    perc_status st = s.sign == NULL ? fail_memory(err) : PERC_OK;

    if (!st) st = row_signs(j->exact, j->floats, w, on == NULL ? 1 : 0, &s, err);
    *good = !st && s.first == n;
    for (uint64_t i = 0; on != NULL && i < n && *good; i++) *good = s.sign[i] == (on[i] ? 0 : 1);
    if (*good) j->found->exact_rows = s.exact;
    mem_free(&j->exact->e, s.sign, n, 1);
    return st;
}

/* Keeps the plane and which rows are strictly on their side of it. */
static perc_status keep_plane(struct job *j, mpz_t *w, const unsigned char *on, perc_error *err)
{
    struct separation *a = j->found;

    a->strict = mem_array(&a->e, a->rows, 1);
    if (w != NULL) a->w = whole_numbers(&a->e, a->dims);
    if (a->strict == NULL || (w != NULL && a->w == NULL)) return fail_memory(err);
    for (uint64_t c = 0; w != NULL && c < a->dims; c++) mpz_swap(a->w[c], w[c]);
    if (w != NULL) whole_reduce(a->w, a->dims);
    for (uint64_t i = 0; i < a->rows; i++) {
        a->strict[i] = on == NULL || !on[i];
        a->s += a->strict[i];
    }
    j->done = true;
    return PERC_OK;
}

perc_status job_try_plane(struct job *j, mpz_t *w, const char *method, bool *good, perc_error *err)
{
    perc_status st = job_check_plane(j, (const mpz_t *)w, NULL, good, err);

    if (!st && !*good) j->found->rejected++;
    if (st || !*good || (st = keep_plane(j, w, NULL, err))) return st;
    j->found->verdict = PERC_SEPARABLE;
    j->found->method = method;
    return PERC_OK;
}

perc_status job_conclude(struct job *j, const unsigned char *on, uint64_t rank, mpz_t *w,
                         perc_error *err)
{
    struct separation *a = j->found;
    const perc_status st = keep_plane(j, w, on, err);

    if (st) return st;
    a->c = a->rows - a->s;
    a->rank = rank;
    a->verdict = a->s > 0 ? PERC_TOUCHING : PERC_OVERLAPPING;
    return PERC_OK;
}

/* ----- weights ------------------------------------------------------------------------------ */

struct weighed {
    uint64_t row;
    const mpz_t *x;
    int64_t exponent;
};

static int by_weighed_row(const void *a, const void *b)
{
    const struct weighed *x = a, *y = b;

    return x->row < y->row ? -1 : x->row > y->row;
}

/* Writes the list in order, each weight with its row's power of ten: x_k v_k = x_k 10^-e_k a_k. */
static perc_status write_weights(struct job *j, struct weighed *order, size_t n, perc_error *err)
{
    const struct env *e = &j->exact->e;
    struct weights *l = &j->found->no;
    int64_t most = INT64_MIN;
    struct whole_vector v;
    perc_status st = PERC_OK;
    mpz_t ten;

    sort_items(order, n, sizeof *order, by_weighed_row);
    l->row = mem_array(e, n, sizeof *l->row);
    l->value = l->row != NULL ? whole_numbers(e, n) : NULL;
    if (l->value == NULL) {
        mem_free(e, l->row, n, sizeof *l->row);
        l->row = NULL;
        return fail_memory(err);
    }
    l->n = n;
    mpz_init(ten);
    whole_vector_init(&v, e);
    for (size_t k = 0; k < n && !st; k++) {
        st = whole_row(j->exact, order[k].row, &v, err);
        order[k].exponent = v.exponent;
        if (v.exponent > most) most = v.exponent;
    }
    for (size_t k = 0; k < n && !st; k++) {
        l->row[k] = order[k].row;
        mpz_ui_pow_ui(ten, 10, (unsigned long)(most - order[k].exponent));
        mpz_mul(l->value[k], *order[k].x, ten);
    }
    whole_reduce(l->value, n);
    whole_vector_free(&v);
    mpz_clear(ten);
    return st;
}

perc_status job_try_no(struct job *j, size_t n, const uint64_t *row, const mpz_t *x,
                       const char *method, bool *good, perc_error *err)
{
    const struct env *e = &j->exact->e;
    struct weights *l = &j->found->no;
    struct weighed *order = mem_array(e, n, sizeof *order);
    size_t m = 0;
    perc_status st = order == NULL ? fail_memory(err) : PERC_OK;

    *good = false;
    weights_free(e, l);
    weights_init(l);
    for (size_t k = 0; k < n && !st; k++)
        if (mpz_sgn(x[k]) != 0) order[m++] = (struct weighed){ .row = row[k], .x = &x[k] };
    if (!st) st = write_weights(j, order, m, err);
    if (!st) st = weights_check(j->exact, l, NULL, good, err);
    mem_free(e, order, n, sizeof *order);
    if (!st && *good) {
        j->found->method = method;
        j->found->verdict = PERC_INSEPARABLE;
        j->found->rank = l->n - 1;
    } else if (!st) {
        j->found->rejected++;
        weights_free(e, l);
        weights_init(l);
    }
    return st;
}
