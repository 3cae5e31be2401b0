/* witness.c -- rows and weights from what solvers with rounding say. */
#include <stdlib.h>

#include "base/sort.h"
#include "prove/exact_sum.h"
#include "prove/job.h"

/* Fills x and row, rank + 1 each; *found: the odd row is a combination of the others. */
static perc_status weigh_odd(struct job *j, const struct exact_basis *b, uint64_t odd,
                             uint64_t *row, mpz_t *x, bool *found, perc_error *err)
{
    const struct env *e = &j->exact->e;
    const size_t rank = b->rank;
    mpz_t *target = whole_numbers(e, j->exact->dims), minus;
    struct whole_vector v;
    perc_status st = target == NULL ? fail_memory(err) : PERC_OK;

    *found = false;
    whole_vector_init(&v, e);
    mpz_init_set_si(minus, -1);
    if (!st && !(st = whole_row(j->exact, odd, &v, err))) {
        whole_add(&v, minus, target);
        st = exact_combine(b, (const mpz_t *)target, x, x[rank], found, err);
        for (size_t k = 0; k < rank; k++) row[k] = b->row[k];
        row[rank] = odd;
    }
    mpz_clear(minus);
    whole_vector_free(&v);
    whole_numbers_free(e, target, j->exact->dims);
    return st;
}

/* Rows whose hull holds 0 up to rounding: which of them depends on the others? Exactly one must,
 * and its weight is d where
 *
 *     sum_k x_k v_k = -d v        (exact_combine)
 *
 * Only rows with lambda >= least count. */
static perc_status try_rows(struct job *j, const struct hard_corral *c, double least,
                            const char *method, bool *good, perc_error *err)
{
    const struct env *e = &j->exact->e;
    struct exact_basis *b = NULL;
    uint64_t odd = 0, *row = mem_array(e, c->n + 1, sizeof *row);
    mpz_t *x = whole_numbers(e, c->n + 1);
    size_t odds = 0;
    bool found = false, time = false, joined;
    perc_status st = row == NULL || x == NULL ? fail_memory(err) : PERC_OK;

    *good = false;
    if (!st) st = exact_basis_new(j->exact, &b, err);
    for (size_t k = 0; k < c->n && odds < 2 && !st; k++) {
        if (c->lambda[k] < least) continue;
        if (!job_goes_on(j)) break;
        st = exact_basis_offer(b, c->row[k], &joined, err);
        if (!joined) odd = c->row[k];
        odds += !joined;
    }
    if (!st && odds == 1) st = job_has_time(j, b, &time, err);
    if (time) st = weigh_odd(j, b, odd, row, x, &found, err);
    if (!st && found) st = job_try_no(j, b->rank + 1, row, (const mpz_t *)x, method, good, err);
    else if (!st) j->found->rejected++;
    exact_basis_free(b);
    mem_free(e, row, c->n + 1, sizeof *row);
    whole_numbers_free(e, x, c->n + 1);
    return st;
}

perc_status witness_try(struct job *j, const struct hard_corral *c, const char *method, bool *good,
                        perc_error *err)
{
    double most = 0, few = 1;
    perc_status st;

    *good = false;
    if (c->n == 0) return PERC_OK;
    for (size_t k = 0; k < c->n; k++) {
        most = c->lambda[k] > most ? c->lambda[k] : most;
        few = c->lambda[k] < few ? c->lambda[k] : few;
    }
    if ((st = try_rows(j, c, 0, method, good, err)) || *good) return st;
    if (few >= 1e-9 * most || !job_goes_on(j)) return PERC_OK;
    return try_rows(j, c, 1e-9 * most, method, good, err);
}

/* ----- all of C ----------------------------------------------------------------------------- */

struct listed_row {
    uint64_t row;
    size_t at;          /* in the basis; NOWHERE: not in it */
    const mpz_t *value; /* NULL: 0 */
    int64_t exponent;   /* of the row */
};

#define NOWHERE SIZE_MAX

struct whole_c { /* the work of witness_all */
    struct job *j;
    const struct exact_basis *b;
    const unsigned char *c;
    size_t n, rank;
    struct listed_row *list; /* n, by rising rows */
    struct exact_sum t;
    mpz_t *x;               /* rank: of the basis */
    mpz_t d, more, scratch; /* more: N below */
};

static int by_listed_row(const void *a, const void *b)
{
    const struct listed_row *x = a, *y = b;

    return x->row < y->row ? -1 : x->row > y->row;
}

static perc_status list_rows(struct whole_c *s, const uint64_t *row, const mpz_t *value,
                             perc_error *err)
{
    const uint64_t *basis = s->b->row;
    struct whole_vector v;
    perc_status st = PERC_OK;

    for (size_t k = 0; k < s->n; k++)
        s->list[k] = (struct listed_row){ .row = row != NULL ? row[k] : basis[k],
                                          .at = NOWHERE,
                                          .value = row != NULL ? &value[k] : NULL };
    sort_items(s->list, s->n, sizeof *s->list, by_listed_row);
    for (size_t k = 0; k < s->rank; k++) {
        const struct listed_row key = { .row = basis[k] };
        struct listed_row *l = bsearch(&key, s->list, s->n, sizeof key, by_listed_row);
        if (l != NULL) l->at = k;
    }
    whole_vector_init(&v, &s->j->exact->e);
    for (size_t k = 0; k < s->n && !st; k++) {
        st = whole_row(s->j->exact, s->list[k].row, &v, err);
        s->list[k].exponent = v.exponent;
    }
    whole_vector_free(&v);
    return st;
}

/* -1 times the sum of the rows of C that are not listed. */
static perc_status add_up(struct whole_c *s, perc_error *err)
{
    const struct whole *p = s->j->exact;
    struct whole_vector v;
    size_t k = 0;
    perc_status st = PERC_OK;

    whole_vector_init(&v, &p->e);
    for (uint64_t i = 0; i < p->n && !st; i++) {
        if (k < s->n && s->list[k].row == i) k++;
        else if (s->c[i] && !(st = whole_row(p, i, &v, err))) exact_sum_row(&s->t, &v);
    }
    whole_vector_free(&v);
    exact_sum_gather(&s->t);
    for (uint64_t c = 0; c < p->dims; c++) mpz_neg(s->t.sum[c], s->t.sum[c]);
    return st;
}

/* The least N >= 0 with N value_k + x_k > 0 for all k. False: there is none. */
static bool find_more(struct whole_c *s)
{
    mpz_set_ui(s->more, 0);
    for (size_t k = 0; k < s->n; k++) {
        const struct listed_row *l = &s->list[k];
        if (l->at != NOWHERE && mpz_sgn(s->x[l->at]) > 0) continue;
        if (l->value == NULL) return false;
        if (l->at == NOWHERE) mpz_set_ui(s->scratch, 0);
        else mpz_neg(s->scratch, s->x[l->at]);
        mpz_fdiv_q(s->scratch, s->scratch, *l->value);
        mpz_add_ui(s->scratch, s->scratch, 1);
        if (mpz_cmp(s->scratch, s->more) > 0) mpz_set(s->more, s->scratch);
    }
    return true;
}

/* d sum of the others + 10^E sum_k (N value_k + x_k) v_k = 0, and v_k = 10^-e_k a_k. */
static perc_status write_down(struct whole_c *s, perc_error *err)
{
    const struct env *e = &s->j->exact->e;
    struct weights *l = &s->j->found->all;
    uint64_t *row = mem_array(e, s->n, sizeof *row);
    mpz_t *value = whole_numbers(e, s->n);
    int64_t most = 0;

    if (row == NULL || value == NULL) {
        mem_free(e, row, s->n, sizeof *row);
        whole_numbers_free(e, value, s->n);
        return fail_memory(err);
    }
    weights_free(e, l);
    weights_init(l);
    for (size_t k = 0; k < s->n; k++)
        if (s->list[k].exponent - s->t.exponent > most) most = s->list[k].exponent - s->t.exponent;
    for (size_t k = 0; k < s->n; k++) {
        const struct listed_row *from = &s->list[k];
        row[k] = from->row;
        if (from->value != NULL) mpz_mul(value[k], *from->value, s->more);
        if (from->at != NOWHERE) mpz_add(value[k], value[k], s->x[from->at]);
        mpz_ui_pow_ui(s->scratch, 10, (unsigned long)(most - (from->exponent - s->t.exponent)));
        mpz_mul(value[k], value[k], s->scratch);
    }
    mpz_ui_pow_ui(s->scratch, 10, (unsigned long)most);
    mpz_mul(l->others, s->d, s->scratch);
    *l = (struct weights){ .n = s->n, .row = row, .value = value, .others[0] = l->others[0] };
    mpz_set(s->scratch, l->others); /* divide out a common factor */
    for (size_t k = 0; k < l->n; k++) mpz_gcd(s->scratch, s->scratch, value[k]);
    mpz_divexact(l->others, l->others, s->scratch);
    for (size_t k = 0; k < l->n; k++) mpz_divexact(value[k], value[k], s->scratch);
    return PERC_OK;
}

/* x and d of the basis; *found: there are such. */
static perc_status weigh_basis(struct whole_c *s, bool *found, perc_error *err)
{
    const perc_status st = add_up(s, err);

    mpz_set_ui(s->d, 1);
    if (st) return st;
    if (s->rank > 0) return exact_combine(s->b, (const mpz_t *)s->t.sum, s->x, s->d, found, err);
    *found = exact_sum_is_zero(&s->t);
    return PERC_OK;
}

perc_status witness_all(struct job *j, const struct exact_basis *b, const unsigned char *c,
                        size_t n, const uint64_t *row, const mpz_t *value, bool *good,
                        perc_error *err)
{
    const struct env *e = &j->exact->e;
    struct whole_c s = { .j = j, .b = b, .c = c, .rank = b->rank };
    unsigned char *strict = mem_array(e, j->exact->n, 1);
    bool found = false, time = false;
    perc_status st;

    *good = false;
    s.n = row != NULL ? n : s.rank;
    mpz_inits(s.d, s.more, s.scratch, NULL);
    st = exact_sum_init(&s.t, e, j->exact->dims, err);
    s.list = mem_array(e, s.n, sizeof *s.list);
    s.x = whole_numbers(e, s.rank);
    if (!st && (s.list == NULL || s.x == NULL || strict == NULL)) st = fail_memory(err);
    if (!st) st = list_rows(&s, row, value, err);
    if (!st) st = job_has_time(j, b, &time, err);
    if (time) st = weigh_basis(&s, &found, err);
    if (!st && found && find_more(&s) && !(st = write_down(&s, err))) {
        for (uint64_t i = 0; i < j->exact->n; i++) strict[i] = !c[i];
        st = weights_check(j->exact, &j->found->all, strict, good, err);
    }
    exact_sum_free(&s.t);
    mem_free(e, s.list, s.n, sizeof *s.list);
    mem_free(e, strict, j->exact->n, 1);
    whole_numbers_free(e, s.x, s.rank);
    mpz_clears(s.d, s.more, s.scratch, NULL);
    return st;
}
