/* arbiter.c -- can a plane separate the rows of a solver's problem? In whole numbers.
 *
 * `svm --hard` asks where its margin is below what doubles can tell. The numbers of a data set
 * stand for decimals (data/exact.h), so that nothing is read again. */
#include "prove/arbiter.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "learn/problems.h"
#include "prove/job.h"
#include "prove/nearest.h"
#include "prove/proof.h"
#include "solve/margins.h"

/* The rows of p; `pool` owns its arrays. */
static perc_status whole_problem(const perc_dataset *ds, const struct problem *p, uint32_t positive,
                                 struct pool *pool, struct whole *out, perc_error *err)
{
    uint64_t *row = pool_array(pool, p->n, sizeof *row);
    signed char *sign = pool_array(pool, p->n, 1);

    if (pool->failed) return fail_memory(err);
    for (uint64_t i = 0; i < p->n; i++) {
        row[i] = problems_row(p, i);
        sign[i] = p->class[i] == positive ? 1 : -1;
    }
    *out = (struct whole){ .e = p->e,
                           .ds = ds,
                           .offset = p->offset,
                           .dims = ds->columns + (p->offset ? 1 : 0),
                           .n = p->n,
                           .row = row,
                           .sign = sign };
    return PERC_OK;
}

/* ----- answers in words -------------------------------------------------------------------- */

/* Appends " - 3 x1", or "3 x1" at the beginning; false: it does not fit. */
static bool append_term(char *buf, size_t size, const mpz_t x, const char *name)
{
    const size_t at = strlen(buf), digits = mpz_sizeinbase(x, 10);
    const bool one = name[0] != '\0' && mpz_cmpabs_ui(x, 1) == 0;
    char number[160];

    if (digits + 2 > sizeof number || at + digits + strlen(name) + 16 > size) return false;
    mpz_get_str(number, 10, x);
    snprintf(buf + at, size - at, "%s%s%s%s",
             mpz_sgn(x) < 0 ? at > 0 ? " - " : "-"
             : at > 0       ? " + "
                            : "",
             one ? "" : number + (number[0] == '-'), one || name[0] == '\0' ? "" : " ", name);
    return true;
}

/* The plane as "3 x1 - 2 x2 + 1 > 0". false: it is too long for one line. */
static bool write_plane(char *buf, size_t size, const struct whole *exact, const mpz_t *w)
{
    const perc_dataset *ds = exact->ds;
    bool fits = true;
    char name[24];

    buf[0] = '\0';
    for (uint64_t j = 0; j < exact->dims && fits; j++) {
        const uint64_t feature = j - (uint64_t)ds->index_base;
        if (mpz_sgn(w[j]) == 0) continue;
        snprintf(name, sizeof name, "x%llu", (unsigned long long)feature + 1);
        fits = append_term(buf, size, w[j],
                           j == ds->columns        ? ""
                           : feature < ds->names.n ? ds->names.at[feature]
                                                   : name);
    }
    snprintf(buf + strlen(buf), size - strlen(buf), " > 0");
    return fits;
}

/* Of the rows of +1, which have the same; "" if there are none. */
static const char *positive_label(const struct whole *exact)
{
    for (uint64_t i = 0; i < exact->n; i++) {
        size_t at;
        const struct block *b = dataset_block(exact->ds, exact->row[i], &at);
        if (exact->sign[i] > 0) return exact->ds->labels.at[b->label[at]].text;
    }
    return "";
}

static perc_status say_no(const struct whole *exact, const struct weights *no, perc_error *err)
{
    char rows[80] = "";

    if (no->n == 1)
        return fail(err, PERC_ENO,
                    "no hyperplane separates the rows: row %llu is 0, and so is its score without "
                    "an offset",
                    (unsigned long long)exact->row[no->row[0]] + 1);
    for (size_t k = 0; k < no->n && no->n <= 3; k++)
        snprintf(rows + strlen(rows), sizeof rows - strlen(rows), "%s%llu",
                 k == 0           ? ""
                 : k + 1 == no->n ? " and "
                                  : ", ",
                 (unsigned long long)exact->row[no->row[k]] + 1);
    if (no->n <= 3)
        return fail(err, PERC_ENO,
                    "no hyperplane separates the rows: the convex hulls of rows %s meet (checked "
                    "in whole numbers)",
                    rows);
    return fail(err, PERC_ENO,
                "no hyperplane separates the rows, as shown by %zu of them whose convex hulls meet "
                "(checked in whole numbers)",
                no->n);
}

/* ----- the answer ---------------------------------------------------------------------------- */

static perc_status measure(const struct whole *exact, const struct problem *floats,
                           const struct separation *found, double gap, const struct watch *watch,
                           struct arbiter_bounds *out, perc_error *err)
{
    perc_part v = { .verdict = PERC_SEPARABLE };
    const perc_status st = margin_measure(exact, floats, found, gap, watch, &v, err);

    *out = (struct arbiter_bounds){ v.margin_lower, v.margin_upper, NAN, NAN };
    if (exact->offset) out->geometric_lower = v.geometric_lower;
    if (exact->offset) out->geometric_upper = v.geometric_upper;
    return st;
}

/* The least score of the plane x in doubles, which is then divided by it: *good if that is above
 * 0 both times. */
static perc_status try_doubles(const struct problem *floats, double *x, bool *good, perc_error *err)
{
    struct margins m;
    perc_status st = margins_open(&m, floats, 1, err);

    *good = !st;
    for (int turn = 0; turn < 2 && *good; turn++) {
        margins_score(&m, x);
        const double least = m.value[margins_least(&m)];
        *good = least > 0 && isfinite(least);
        for (uint64_t j = 0; j < m.dims && *good && turn == 0; j++) x[j] /= least;
    }
    margins_close(&m);
    return st;
}

/* A plane of doubles: near that of the largest gamma', or else the exact one, rounded. */
static perc_status find_doubles(const struct whole *exact, const struct problem *floats,
                                const struct separation *found, const struct watch *watch,
                                double *x, bool *good, perc_error *err)
{
    const struct nearest_options o = { .gap = 0.01, .w = (const mpz_t *)found->w, .watch = watch };
    struct nearest_result r;
    long e, most = LONG_MIN;
    perc_status st = nearest_measure(exact, floats, &o, x, &r, err);

    if (!st) st = try_doubles(floats, x, good, err);
    if (st || *good) return st;
    for (uint64_t j = 0; j < exact->dims; j++)
        if (mpz_sgn(found->w[j]) != 0 && (mpz_get_d_2exp(&e, found->w[j]), e > most)) most = e;
    for (uint64_t j = 0; j < exact->dims; j++) {
        const double m = mpz_get_d_2exp(&e, found->w[j]);
        x[j] = e - most < -2000 ? 0 : ldexp(m, (int)(e - most));
    }
    return try_doubles(floats, x, good, err);
}

/* What is found for a problem that is separable: a plane of doubles in x where `plane` says that
 * there is none yet, and the margins. */
static perc_status say_yes(const struct whole *exact, const struct problem *floats,
                           const struct separation *found, bool plane, double *x, double gap,
                           const struct watch *watch, struct arbiter_bounds *out, perc_error *err)
{
    char words[160];
    perc_status st = plane ? PERC_OK : find_doubles(exact, floats, found, watch, x, &plane, err);

    if (st) return st;
    if (plane) return measure(exact, floats, found, gap, watch, out, err);
    if (write_plane(words, sizeof words, exact, (const mpz_t *)found->w))
        return fail(err, PERC_EUNDECIDED,
                    "a plane separates the rows, but none of doubles was found; exactly: %s for "
                    "label %.30s",
                    words, positive_label(exact));
    return fail(err, PERC_EUNDECIDED,
                "a plane separates the rows, but none of doubles was found; its numbers are too "
                "long for this line ('perceptron prove -o FILE' writes them)");
}

/* The rows of p in whole numbers, and what is decided about them. */
struct asked {
    struct pool pool;
    struct whole exact;
    struct problem floats;
    struct separation found;
};

static perc_status asked_open(struct asked *a, const perc_dataset *ds, const struct problem *p,
                              uint32_t positive, const struct job_options *o, perc_error *err)
{
    perc_status st;

    *a = (struct asked){ .floats = { .e = p->e } };
    pool_init(&a->pool, &p->e);
    separation_init(&a->found, &p->e);
    if ((st = exact_span(ds, p->offset, err)) ||
        (st = whole_problem(ds, p, positive, &a->pool, &a->exact, err)) ||
        (st = whole_floats(&a->exact, &a->floats, err)))
        return st;
    return decide(&a->exact, &a->floats, o, &a->found, err);
}

static void asked_close(struct asked *a)
{
    separation_free(&a->found);
    whole_floats_free(&a->floats);
    pool_free(&a->pool);
}

perc_status arbiter_decide(const void *ud, const struct problem *p, uint32_t positive,
                           const struct watch *watch, perc_verdict *out, perc_error *err)
{
    const struct job_options o = { .watch = watch };
    struct asked a;
    const perc_status st = asked_open(&a, ud, p, positive, &o, err);

    if (!st) *out = a.found.verdict;
    asked_close(&a);
    return st;
}

perc_status arbiter_ask(const void *ud, const struct problem *p, uint32_t positive, bool plane,
                        double *w, double *b, double gap, const struct watch *watch,
                        struct arbiter_bounds *out, perc_error *err)
{
    const perc_dataset *ds = ud;
    const struct job_options o = { .quick = true, .watch = watch };
    struct asked a;
    perc_status st = asked_open(&a, ds, p, positive, &o, err);
    double *x = pool_zeroed(&a.pool, ds->columns + 1, sizeof *x);

    if (!st && a.pool.failed) st = fail_memory(err);
    if (!st) {
        if (a.found.verdict == PERC_UNDECIDED)
            st = fail(err, PERC_EUNDECIDED,
                      "doubles cannot tell whether a hyperplane separates the rows, and a limit "
                      "came before the exact answer");
        else if (a.found.verdict != PERC_SEPARABLE) st = say_no(&a.exact, &a.found.no, err);
        else st = say_yes(&a.exact, &a.floats, &a.found, plane, x, gap, watch, out, err);
    }
    if (!st && !plane) {
        memcpy(w, x, ds->columns * sizeof *w);
        *b = p->offset ? x[ds->columns] : 0;
    }
    asked_close(&a);
    return st;
}
