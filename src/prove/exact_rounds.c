/* exact_rounds.c -- the answer by the exact simplex method.
 *
 * Facial reduction from the side of the witnesses. Each round asks for a w with a_i.w > 0 on
 * the rows that are left and a_k.w = 0 on a basis of those known to be C. If there is one, it is
 * the answer. Else rows with weights x_i > 0 and further ones of any sign on the basis say
 * why not. With enough of the earlier weights added they are all positive,
 *
 *     lambda <- M lambda + x
 *
 * the rows of the span of both are C, and the next round has fewer dimensions. At most rank
 * rounds; none of them can be misled.
 *
 * A round lists one row more than it adds to the rank, and it adds 1 or more: a single row with
 * some of the basis would have been in its span. So all rounds together list at most 2 rank
 * rows, and these have the rank of C: as few as anybody can promise (Steinitz 1914). */
#include <string.h>

#include "prove/job.h"
#include "solve/exact_simplex.h"

struct exact_rounds {
    struct job *j;
    struct exact_basis *b;
    unsigned char *mark; /* n: 0: left; 1: of the basis; 2: of its span */
    uint64_t left;
    bool any; /* there was a witness */
    size_t n, cap_row, cap_value;
    uint64_t *row; /* n rows whose weights lambda add up to 0, all > 0 */
    mpz_t *value;
};

static perc_status append_row(struct exact_rounds *s, uint64_t row, perc_error *err)
{
    const struct env *e = &s->j->exact->e;
    bool joined;

    if (!mem_grow(e, (void **)&s->row, &s->cap_row, s->n + 1, sizeof *s->row) ||
        !mem_grow(e, (void **)&s->value, &s->cap_value, s->n + 1, sizeof *s->value))
        return fail_memory(err);
    s->row[s->n] = row;
    mpz_init(s->value[s->n++]);
    return exact_basis_offer(s->b, row, &joined, err);
}

static size_t find_listed(const struct exact_rounds *s, uint64_t row)
{
    size_t k = 0;

    while (k < s->n && s->row[k] != row) k++;
    return k;
}

/* lambda <- M lambda + x with the least M >= 1 that keeps it positive. A row of zeros is in C
 * with any weight, and need not be listed. */
static perc_status add_witness(struct exact_rounds *s, const uint64_t *row, const mpz_t *x,
                               size_t n, perc_error *err)
{
    struct whole_vector v;
    perc_status st = PERC_OK;
    mpz_t m, q;

    mpz_init_set_ui(m, 1);
    mpz_init(q);
    whole_vector_init(&v, &s->j->exact->e);
    for (size_t k = 0; k < n; k++) {
        const size_t at = find_listed(s, row[k]);
        if (at == s->n || mpz_sgn(x[k]) >= 0) continue;
        mpz_neg(q, x[k]);
        mpz_fdiv_q(q, q, s->value[at]);
        mpz_add_ui(q, q, 1);
        if (mpz_cmp(q, m) > 0) mpz_set(m, q);
    }
    for (size_t k = 0; k < s->n; k++) mpz_mul(s->value[k], s->value[k], m);
    for (size_t k = 0; k < n && !st; k++) {
        const size_t at = find_listed(s, row[k]);
        if (mpz_sgn(x[k]) == 0) continue;
        if (at == s->n && ((st = whole_row(s->j->exact, row[k], &v, err)) || v.n == 0)) continue;
        if (at == s->n) st = append_row(s, row[k], err);
        if (!st) mpz_add(s->value[at], s->value[at], x[k]);
    }
    whole_vector_free(&v);
    mpz_clear(m);
    mpz_clear(q);
    return st;
}

static perc_status mark_span(struct exact_rounds *s, perc_error *err)
{
    const uint64_t n = s->j->exact->n;
    perc_status st = exact_basis_spans(s->b, n, s->mark, err);

    if (st) return st;
    s->left = 0;
    for (uint64_t i = 0; i < n; i++) {
        s->left += s->mark[i] == 0;
        s->mark[i] = s->mark[i] ? 2 : 0;
    }
    for (size_t k = 0; k < s->b->rank; k++) s->mark[s->b->row[k]] = 1;
    return PERC_OK;
}

/* The plain no that was found is the first witness: x_k v_k = x_k 10^-e_k a_k. */
static perc_status begin_with_no(struct exact_rounds *s, perc_error *err)
{
    const struct weights *l = &s->j->found->no;
    struct whole_vector v;
    int64_t low = INT64_MAX;
    perc_status st = PERC_OK;
    mpz_t ten;

    whole_vector_init(&v, &s->j->exact->e);
    mpz_init(ten);
    for (size_t k = 0; k < l->n && !st; k++) {
        st = whole_row(s->j->exact, l->row[k], &v, err);
        if (v.n > 0 && v.exponent < low) low = v.exponent;
    }
    for (size_t k = 0; k < l->n && !st; k++) {
        if ((st = whole_row(s->j->exact, l->row[k], &v, err)) || v.n == 0) continue;
        if ((st = append_row(s, l->row[k], err))) break;
        mpz_ui_pow_ui(ten, 10, (unsigned long)(v.exponent - low));
        mpz_mul(s->value[s->n - 1], l->value[k], ten);
    }
    s->any = true;
    mpz_clear(ten);
    whole_vector_free(&v);
    return st ? st : mark_span(s, err);
}

/* w: a plane for the rows that are left; NULL: there are none. Moves the numbers out of w. */
static perc_status conclude(struct exact_rounds *s, mpz_t *w, perc_error *err)
{
    bool good = true;
    perc_status st = PERC_OK;

    if (w != NULL) st = job_check_plane(s->j, (const mpz_t *)w, s->mark, &good, err);
    if (!st && good)
        st = witness_all(s->j, s->b, s->mark, s->n, s->row, (const mpz_t *)s->value, &good, err);
    if (st || !good || (st = job_conclude(s->j, s->mark, s->b->rank, w, err))) return st;
    s->j->found->method = "exact simplex";
    return PERC_OK;
}

/* ----- rounds ------------------------------------------------------------------------------- */

/* Uses the result of a round. *more: another one is needed. */
static perc_status use_round(struct exact_rounds *s, struct simplex_result *r, bool *more,
                             perc_error *err)
{
    struct job *j = s->j;
    bool good;
    perc_status st;

    *more = false;
    if (r->end == SIMPLEX_STOPPED) return PERC_OK;
    if (r->end == SIMPLEX_POSITIVE && !s->any)
        return job_try_plane(j, r->w, "exact simplex", &good, err);
    if (r->end == SIMPLEX_POSITIVE) return conclude(s, r->w, err);
    if (!s->any) {
        st = job_try_no(j, r->rows, r->row, (const mpz_t *)r->x, "exact simplex", &good, err);
        if (st || !good || j->o->quick) return st;
        s->any = true;
    }
    if ((st = add_witness(s, r->row, (const mpz_t *)r->x, r->rows, err))) return st;
    if ((st = mark_span(s, err))) return st;
    *more = s->left > 0;
    return *more ? PERC_OK : conclude(s, NULL, err);
}

perc_status exact_rounds(struct job *j, size_t starts, const uint64_t *start, perc_error *err)
{
    const struct env *e = &j->exact->e;
    struct exact_rounds s = { .j = j, .mark = mem_zeroed(e, j->exact->n, 1), .left = j->exact->n };
    bool more = true;
    perc_status st = s.mark == NULL ? fail_memory(err) : exact_basis_new(j->exact, &s.b, err);

    if (!st && j->found->verdict == PERC_INSEPARABLE) {
        if (!(st = begin_with_no(&s, err)) && s.left == 0) {
            more = false;
            st = conclude(&s, NULL, err);
        }
        starts = 0;
    }
    for (; more && !st && job_goes_on(j); starts = 0) {
        const struct simplex_options o = {
            .start = start, .starts = starts, .free = s.mark, .watch = &j->watch
        };
        struct simplex_result r;
        if ((st = exact_simplex(j->exact, &o, &r, err))) break;
        j->found->pivots += r.pivots;
        j->found->rounds++;
        st = use_round(&s, &r, &more, err);
        exact_simplex_free(&j->exact->e, &r);
    }
    for (size_t k = 0; k < s.n; k++) mpz_clear(s.value[k]);
    mem_free(e, s.row, s.cap_row, sizeof *s.row);
    mem_free(e, s.value, s.cap_value, sizeof *s.value);
    mem_free(e, s.mark, j->exact->n, 1);
    exact_basis_free(s.b);
    return st;
}
