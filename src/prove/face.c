/* face.c -- which rows are on every plane: S and C.
 *
 * Among the rows that are left, the point z of sum_i a_i + cone(a_i) nearest to the origin
 * (solve/cone.h) is 0: then all of them are C, and the weights 1 + lambda_i say so. Or z is
 * a plane: rows with a_i.z > 0 are in S, a level (peel.c), and the question is asked again
 * of those with a_i.z = 0. Where z is 0 only up to rounding this is a guess; it is made
 * exact by one linear system for the weights and one for the plane, and checked.
 *
 * It is facial reduction (Borwein, Wolkowicz 1981) from the side of the planes. Few rounds
 * do it as a rule, where adding up witnesses would take as many as the rank. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "prove/settle.h"
#include "solve/cone.h"

enum { ROUNDS_MAX = 200 };

struct face {
    struct job *j;
    struct levels *l;
    unsigned char *c;        /* n: the row is in C, as far as is known */
    uint64_t left;           /* of these */
    struct hard_corral rows; /* of the last cone, numbers in the problem */
    bool zero;               /* that cone ended with z = 0 */
};

/* ----- with doubles ------------------------------------------------------------------------- */

static bool is_witness(const struct answer *a, uint64_t i)
{
    for (size_t k = 0; k < a->no.n; k++)
        if (a->no.row[k] == i) return true;
    return false;
}

/* From where on a_i.z / (|a_i| |z|) is not rounding. It is 0 for the rows of a witness that
 * was proved, and below 0 for none: what they have says how good z is. */
static double noise(const struct face *s, const struct part_of *t, const struct cone_result *r)
{
    double bar = fmax(1e-9, 1e-14 / fmax(r->length, 1e-300));

    for (uint64_t i = 0; i < t->p.n; i++) {
        const bool known = is_witness(s->j->a, t->number[i]);
        bar = fmax(bar, 16 * (known ? fabs(r->cosine[i]) : -r->cosine[i]));
    }
    return bar;
}

/* The rows strictly on their side of z are a level. *taken: how many. */
static perc_status take_level(struct face *s, const struct part_of *t, const struct cone_result *r,
                              uint64_t *taken, perc_error *err)
{
    const double bar = noise(s, t, r);
    uint64_t found = 0;
    double *u;

    *taken = 0;
    if (bar > 1e-3) return PERC_OK; /* that is no plane */
    for (uint64_t i = 0; i < t->p.n; i++) found += r->cosine[i] > bar;
    if (found == 0) return PERC_OK;
    if ((u = levels_next(s->l)) == NULL) return fail_memory(err);
    *taken = found;
    memcpy(u, r->z, s->l->dims * sizeof *u);
    for (uint64_t i = 0; i < t->p.n; i++) {
        if (!(r->cosine[i] > bar)) continue;
        s->l->level[t->number[i]] = (uint32_t)s->l->count;
        s->c[t->number[i]] = 0;
        s->left--;
    }
    return PERC_OK;
}

static void keep_rows(struct face *s, const struct part_of *t, struct cone_result *r)
{
    for (size_t k = 0; k < r->rows.n; k++) r->rows.row[k] = t->number[r->rows.row[k]];
    hard_corral_free(&s->j->p->e, &s->rows);
    s->rows = r->rows;
}

/* *more: a level was found. */
static perc_status one_round(struct face *s, const struct part_of *t, bool fine, bool *more,
                             perc_error *err)
{
    const struct env *e = &s->j->p->e;
    const struct cone_options o = { .passes = INT64_MAX, .fine = fine, .watch = &s->j->watch };
    struct cone_result r = { .z = mem_array(e, s->l->dims, sizeof *r.z),
                             .cosine = mem_array(e, t->p.n, sizeof *r.cosine) };
    double *z = r.z, *cosine = r.cosine;
    struct centred in = { .any = false };
    uint64_t taken = 0;
    perc_status st = z == NULL || cosine == NULL ? fail_memory(err) : centre_new(&in, &t->f, err);

    if (!st) st = solve_cone(&in.f, 1, &o, &r, err);
    if (!st) centre_back(&in, z);
    centre_free(&in);
    if (!st) {
        s->zero = r.end == CONE_ZERO;
        if (r.end == CONE_PLANE || r.end == CONE_STALLED) st = take_level(s, t, &r, &taken, err);
        keep_rows(s, t, &r);
    }
    *more = taken > 0;
    mem_free(e, z, s->l->dims, sizeof *z);
    mem_free(e, cosine, t->p.n, sizeof *cosine);
    return st;
}

static perc_status find_levels(struct face *s, bool fine, perc_error *err)
{
    bool more = true;
    perc_status st = PERC_OK;

    for (int k = 0; k < ROUNDS_MAX && more && !st && s->left > 0 && job_goes_on(s->j); k++) {
        struct part_of t;
        if ((st = part_new(&t, s->j->p, s->j->f, s->c, err))) return st;
        st = one_round(s, &t, fine, &more, err);
        s->j->a->rounds++;
        part_free(&t);
    }
    return st;
}

/* ----- in whole numbers --------------------------------------------------------------------- */

/* A basis of C, of the rows of the cone where possible: what these weigh is known to be
 * positive, up to rounding, and the others get next to nothing. */
static perc_status find_basis(struct face *s, struct exact_basis *b, perc_error *err)
{
    bool joined;
    perc_status st = PERC_OK;

    for (size_t k = 0; k < s->rows.n && !st && job_goes_on(s->j); k++)
        st = exact_basis_offer(b, s->rows.row[k], &joined, err);
    for (uint64_t i = 0; i < s->j->p->n && !st && (i % 64 != 0 || job_goes_on(s->j)); i++)
        if (s->c[i]) st = exact_basis_offer(b, i, &joined, err);
    return st;
}

/* The exact plane that has w's numbers where the basis leaves a choice. */
static perc_status lift(const struct exact_basis *b, const mpz_t *given, mpz_t *w, uint64_t dims,
                        perc_error *err)
{
    perc_status st = PERC_OK;
    mpz_t d;

    if (exact_basis_rank(b) == 0) {
        for (uint64_t c = 0; c < dims; c++) mpz_set(w[c], given[c]);
        return PERC_OK;
    }
    mpz_init(d);
    st = exact_complete(b, given, w, d, err);
    mpz_clear(d);
    return st;
}

/* All rows of C are on the plane and all others strictly on their side. */
static perc_status check_plane(struct face *s, const mpz_t *w, bool *good, perc_error *err)
{
    const struct whole *p = s->j->p;
    struct sides t = { .side = mem_array(&p->e, p->n, 1) };
    perc_status st = t.side == NULL ? fail_memory(err) : PERC_OK;

    *good = false;
    if (!st) st = sides(p, s->j->f, w, 0, &t, err);
    *good = !st && t.first == p->n;
    for (uint64_t i = 0; i < p->n && *good; i++) *good = t.side[i] == (s->c[i] ? 0 : 1);
    if (*good) s->j->a->exact_rows = t.exact;
    mem_free(&p->e, t.side, p->n, 1);
    return st;
}

static perc_status try_digits(struct face *s, const struct exact_basis *b, const double *w,
                              mpz_t *given, mpz_t *x, bool *good, perc_error *err)
{
    static const double steps[] = { 10, 1e3, 1e6, 0, 0 };
    const uint64_t dims = s->j->p->dims;
    perc_status st = PERC_OK;

    *good = false;
    for (uint64_t c = 0; c < dims; c++)
        if (!isfinite(w[c])) return PERC_OK;
    /* At last with all the digits: planes of several levels are of very different lengths. */
    for (size_t k = exact_basis_rank(b) > 40 ? 3 : 0; k < 5 && !st && !*good; k++) {
        if (steps[k] > 0) guess_round(w, dims, steps[k], given);
        else guess_whole(w, dims, k == 3 ? 64 : 1024, given);
        if (!(st = lift(b, (const mpz_t *)given, x, dims, err)))
            st = check_plane(s, (const mpz_t *)x, good, err);
    }
    if (!st && !*good) s->j->a->rejected++;
    return st;
}

static perc_status find_plane(struct face *s, const struct exact_basis *b, bool *good,
                              perc_error *err)
{
    const struct env *e = &s->j->p->e;
    const uint64_t dims = s->j->p->dims;
    double *w = mem_zeroed(e, dims, sizeof *w);
    mpz_t *given = whole_numbers(e, dims), *x = whole_numbers(e, dims);
    perc_status st = w == NULL || given == NULL || x == NULL ? fail_memory(err) : PERC_OK;

    *good = false;
    if (!st) {
        levels_join(s->j, s->l, w);
        st = try_digits(s, b, w, given, x, good, err);
    }
    if (!st && *good) {
        whole_reduce(x, dims);
        s->j->a->w = x;
        x = NULL;
    }
    mem_free(e, w, dims, sizeof *w);
    whole_numbers_free(e, given, dims);
    whole_numbers_free(e, x, dims);
    return st;
}

static perc_status conclude(struct face *s, const struct exact_basis *b, perc_error *err)
{
    struct answer *a = s->j->a;

    a->strict = mem_array(&s->j->p->e, a->rows, 1);
    if (a->strict == NULL) return fail_memory(err);
    for (uint64_t i = 0; i < a->rows; i++) a->strict[i] = !s->c[i];
    a->c = s->left;
    a->s = a->rows - a->c;
    a->rank = exact_basis_rank(b);
    a->verdict = a->s > 0 ? PERC_TOUCHING : PERC_OVERLAPPING;
    s->j->done = true;
    return PERC_OK;
}

static perc_status make_exact(struct face *s, perc_error *err)
{
    struct exact_basis *b = NULL;
    bool good = false, time = false;
    perc_status st = exact_basis_new(s->j->p, &b, err);

    if (!st) st = find_basis(s, b, err);
    if (!st && job_goes_on(s->j)) {
        st = witness_all(s->j, b, s->c, 0, NULL, NULL, &good, err);
        if (!st && !good) s->j->a->rejected++;
    }
    if (!st) st = job_has_time(s->j, b, &time, err);
    if (!st && good && s->left < s->j->p->n && time && job_goes_on(s->j))
        st = find_plane(s, b, &good, err);
    else if (!time || !job_goes_on(s->j)) good = false;
    if (!st && good) st = conclude(s, b, err);
    exact_basis_free(b);
    return st;
}

perc_status face(struct job *j, struct levels *l, perc_error *err)
{
    struct face s = { .j = j, .l = l, .c = mem_array(&j->p->e, j->p->n, 1) };
    perc_status st = PERC_OK;

    if (s.c == NULL) return fail_memory(err);
    for (uint64_t i = 0; i < l->n; i++) {
        s.c[i] = l->level[i] == 0;
        s.left += s.c[i];
    }
    for (int fine = 0; fine < 2 && !st && !j->done && s.left > 0 && job_goes_on(j); fine++) {
        st = find_levels(&s, fine != 0, err);
        if (!st && s.left > 0 && (s.zero || fine > 0) && job_goes_on(j)) st = make_exact(&s, err);
    }
    hard_corral_free(&j->p->e, &s.rows);
    mem_free(&j->p->e, s.c, j->p->n, 1);
    return st;
}
