/* facial_reduction.c -- which rows are on every plane: S and C.
 *
 * Among the rows that are left, the point z of sum_i a_i + cone(a_i) nearest to the origin
 * (solve/cone.h) is 0: then all of them are C, and the weights 1 + lambda_i say so. Or z is
 * a plane: rows with a_i.z > 0 are in S, a level (levels.c), and the question is asked again
 * of those with a_i.z = 0. Where z is 0 only up to rounding this is a guess; it is made
 * exact by one linear system for the weights and one for the plane, and checked.
 *
 * It is facial reduction (Borwein, Wolkowicz 1981) from the side of the planes. Few rounds
 * do it as a rule, where adding up witnesses would take as many as the rank. */
#include <math.h>
#include <string.h>

#include "prove/job.h"
#include "solve/cone.h"

enum { ROUNDS_MAX = 200 };

struct reduction {
    struct job *j;
    struct levels *l;
    unsigned char *c;        /* n: the row is in C, as far as is known */
    uint64_t left;           /* of these */
    struct hard_corral rows; /* of the last cone, numbers in the problem */
    bool zero;               /* that cone ended with z = 0 */
};

/* ----- with doubles ------------------------------------------------------------------------- */

/* The rows strictly on their side of z become a level; *taken: how many. a_i.z / (|a_i| |z|) should
 * be 0 for the rows of a proved witness, and negative for none: how far off they are says how good
 * z is, and from which value on it is more than rounding. */
static perc_status add_level(struct reduction *s, const struct subproblem *t,
                             const struct cone_result *r, uint64_t *taken, perc_error *err)
{
    const struct weights *no = &s->j->found->no;
    double bar = fmax(1e-9, 1e-14 / fmax(r->length, 1e-300));
    uint64_t found = 0;
    double *u;

    *taken = 0;
    for (uint64_t i = 0; i < t->exact.n; i++) {
        bool known = false;
        for (size_t k = 0; k < no->n && !known; k++) known = no->row[k] == t->number[i];
        bar = fmax(bar, 16 * (known ? fabs(r->cosine[i]) : -r->cosine[i]));
    }
    if (bar > 1e-3) return PERC_OK; /* z is no plane */
    for (uint64_t i = 0; i < t->exact.n; i++) found += r->cosine[i] > bar;
    if (found == 0) return PERC_OK;
    if ((u = levels_next(s->l)) == NULL) return fail_memory(err);
    *taken = found;
    memcpy(u, r->z, s->l->dims * sizeof *u);
    for (uint64_t i = 0; i < t->exact.n; i++) {
        if (!(r->cosine[i] > bar)) continue;
        s->l->level[t->number[i]] = (uint32_t)s->l->count;
        s->c[t->number[i]] = 0;
        s->left--;
    }
    return PERC_OK;
}

/* *more: a level was found. */
static perc_status one_round(struct reduction *s, const struct subproblem *t, bool fine, bool *more,
                             perc_error *err)
{
    const struct env *e = &s->j->exact->e;
    const struct cone_options o = { .passes = INT64_MAX, .fine = fine, .watch = &s->j->watch };
    struct cone_result r = { .z = mem_array(e, s->l->dims, sizeof *r.z),
                             .cosine = mem_array(e, t->exact.n, sizeof *r.cosine) };
    double *z = r.z, *cosine = r.cosine;
    struct preconditioned in = { .any = false };
    uint64_t taken = 0;
    perc_status st = z == NULL || cosine == NULL ? fail_memory(err)
                                                 : precondition_new(&in, &t->floats, err);

    if (!st) st = cone_solve(&in.floats, 1, &o, &r, err);
    if (!st) precondition_undo(&in, z);
    pool_free(&in.pool);
    if (!st) {
        s->zero = r.end == CONE_ZERO;
        if (r.end == CONE_PLANE || r.end == CONE_STALLED) st = add_level(s, t, &r, &taken, err);
        for (size_t k = 0; k < r.rows.n; k++) r.rows.row[k] = t->number[r.rows.row[k]];
        hard_corral_free(e, &s->rows);
        s->rows = r.rows;
    }
    *more = taken > 0;
    mem_free(e, z, s->l->dims, sizeof *z);
    mem_free(e, cosine, t->exact.n, sizeof *cosine);
    return st;
}

/* ----- in whole numbers --------------------------------------------------------------------- */

/* S is not empty, so a plane is needed. Where the basis leaves a choice it takes the numbers of w,
 * with few digits, then with more, at last with all of them: planes of several levels have very
 * different lengths. */
static perc_status find_plane(struct reduction *s, const struct exact_basis *b, perc_error *err)
{
    static const double steps[] = { 10, 1e3, 1e6, 0, 0 };
    const struct env *e = &s->j->exact->e;
    const uint64_t dims = s->j->exact->dims;
    double *w = mem_zeroed(e, dims, sizeof *w);
    mpz_t *given = whole_numbers(e, dims), *x = whole_numbers(e, dims), d;
    bool good = false, finite = true;
    perc_status st = w == NULL || given == NULL || x == NULL ? fail_memory(err) : PERC_OK;

    mpz_init(d);
    if (!st) levels_join(s->j, s->l, w);
    for (uint64_t c = 0; c < dims && !st; c++) finite = finite && isfinite(w[c]);
    for (size_t k = b->rank > 40 ? 3 : 0; k < 5 && finite && !st && !good; k++) {
        if (steps[k] > 0) round_plane_steps(w, dims, steps[k], given);
        else round_plane_bits(w, dims, k == 3 ? 64 : 1024, given);
        st = exact_complete(b, (const mpz_t *)given, x, d, err);
        if (!st) st = job_check_plane(s->j, (const mpz_t *)x, s->c, &good, err);
    }
    if (!st && finite && !good) s->j->found->rejected++;
    if (!st && good) st = job_conclude(s->j, s->c, b->rank, x, err);
    mpz_clear(d);
    mem_free(e, w, dims, sizeof *w);
    whole_numbers_free(e, given, dims);
    whole_numbers_free(e, x, dims);
    return st;
}

/* A basis of C is made of the rows of the cone where possible: their weights are known to be
 * positive, up to rounding, and the others get next to nothing. */
static perc_status make_exact(struct reduction *s, perc_error *err)
{
    struct exact_basis *b = NULL;
    bool good = false, time = false, joined;
    perc_status st = exact_basis_new(s->j->exact, &b, err);

    for (size_t k = 0; k < s->rows.n && !st && job_goes_on(s->j); k++)
        st = exact_basis_offer(b, s->rows.row[k], &joined, err);
    for (uint64_t i = 0; i < s->j->exact->n && !st && (i % 64 != 0 || job_goes_on(s->j)); i++)
        if (s->c[i]) st = exact_basis_offer(b, i, &joined, err);
    if (!st && job_goes_on(s->j)) {
        st = witness_all(s->j, b, s->c, 0, NULL, NULL, &good, err);
        if (!st && !good) s->j->found->rejected++;
    }
    if (!st) st = job_has_time(s->j, b, &time, err);
    if (!st && good && time && job_goes_on(s->j))
        st = s->left < s->j->exact->n ? find_plane(s, b, err)
                                      : job_conclude(s->j, s->c, b->rank, NULL, err);
    exact_basis_free(b);
    return st;
}

perc_status facial_reduction(struct job *j, struct levels *l, perc_error *err)
{
    struct reduction s = { .j = j, .l = l, .c = mem_array(&j->exact->e, j->exact->n, 1) };
    perc_status st = PERC_OK;

    if (s.c == NULL) return fail_memory(err);
    for (uint64_t i = 0; i < l->n; i++) {
        s.c[i] = l->level[i] == 0;
        s.left += s.c[i];
    }
    for (int fine = 0; fine < 2 && !st && !j->done && s.left > 0 && job_goes_on(j); fine++) {
        bool more = true;
        for (int k = 0; k < ROUNDS_MAX && more && !st && s.left > 0 && job_goes_on(j); k++) {
            struct subproblem t;
            if (!(st = subproblem_new(&t, j, s.c, err)))
                st = one_round(&s, &t, fine != 0, &more, err);
            j->found->rounds++;
            pool_free(&t.pool);
        }
        if (!st && s.left > 0 && (s.zero || fine > 0) && job_goes_on(j)) st = make_exact(&s, err);
    }
    hard_corral_free(&j->exact->e, &s.rows);
    mem_free(&j->exact->e, s.c, j->exact->n, 1);
    return st;
}
