/* score_mlp.c -- scores of networks, some rows at a time (machine/forward.h). */
#include <math.h>

#include "machine/forward.h"
#include "model/model.h"

/* Floats end at 3.4e38: a value beyond becomes infinite, and so may a sum. */
static perc_status no_score(int64_t line, perc_error *err)
{
    return fail_at(err, PERC_EDATA, line, 0,
                   "the score of this row is too large to be a number: its values are far outside "
                   "those that the network was trained on (scale the data before training: "
                   "--scale standard, minmax or by:NUMBER)");
}

static bool is_finite(const double *s, size_t n)
{
    bool finite = true;

    for (size_t c = 0; c < n; c++) finite &= isfinite(s[c]) != 0;
    return finite;
}

/* n rows of b, from place `from` on, or as `which` says. */
static perc_status score(const struct scorer *s, struct forward *f, struct pipe *p,
                         const struct block *b, const size_t *which, size_t from, size_t n,
                         double *out, perc_error *err)
{
    perc_status st;

    for (size_t i = from; i < from + n; i++) {
        const size_t at = which != NULL ? which[i] : i;
        struct row x = block_row(b, at);
        if ((st = pipe_row(p, &x, block_line(b, at), err))) return st;
        if (forward_add(f, &x)) return fail_memory(err);
    }
    forward_run(f, out);
    for (size_t i = 0; i < n; i++)
        if (!is_finite(out + i * s->outputs, s->outputs))
            return no_score(block_line(b, which != NULL ? which[from + i] : from + i), err);
    return PERC_OK;
}

perc_status scorer_mlp_rows(const struct scorer *s, struct pipe *p, const struct block *b,
                            const size_t *which, size_t from, size_t n, double *out,
                            perc_error *err)
{
    struct forward f;
    perc_status st = forward_open(&f, &s->e, s->m->learner.mlp, n) ? fail_memory(err) : PERC_OK;

    for (size_t rows; n > 0 && !st; from += rows, n -= rows, out += rows * s->outputs) {
        rows = n < f.most ? n : f.most;
        st = score(s, &f, p, b, which, from, rows, out, err);
    }
    forward_close(&f);
    return st;
}

perc_status scorer_mlp_row(const struct scorer *s, const struct row *x, double *out,
                           perc_error *err)
{
    struct forward f;
    perc_status st = forward_open(&f, &s->e, s->m->learner.mlp, 1);

    if (!st) st = forward_add(&f, x);
    if (!st) forward_run(&f, out);
    forward_close(&f);
    if (st) return fail_memory(err);
    return is_finite(out, s->outputs) ? PERC_OK : no_score(0, err);
}
