/* score_kernel.c -- scores of kernel machines, a panel of rows at a time.
 *
 * A row that has gone through a pipe is gone when the next one comes; a panel wants all of
 * its rows at once. So those are kept, spelled out: what that costs is nothing beside one
 * kernel value. */
#include <math.h>

#include "model/model.h"

/* The scratch of one thread. */
struct desk {
    const struct scorer *s;
    struct choir *choir;          /* BY_CHORUS */
    struct budget_scratch budget; /* BY_BUDGET */
    struct row x[PANEL];
    size_t place[PANEL];     /* of each, in its block */
    size_t begin[PANEL + 1]; /* rows that are kept: where their entries begin */
    uint64_t *column;
    double *value;
    size_t column_cap, value_cap;
};

static perc_status desk_open(struct desk *d, const struct scorer *s)
{
    *d = (struct desk){ .s = s };
    budget_scratch_init(&d->budget, &s->e);
    return s->answers == BY_CHORUS ? choir_new(&s->chorus, &d->choir) : PERC_OK;
}

static void desk_close(struct desk *d)
{
    choir_free(d->choir);
    budget_scratch_free(&d->budget);
    mem_free(&d->s->e, d->column, d->column_cap, sizeof *d->column);
    mem_free(&d->s->e, d->value, d->value_cap, sizeof *d->value);
}

/* Keeps a copy of x as row i of the panel; d->x[i] is made by keep_end, because the copies
 * may still move. */
static perc_status keep(struct desk *d, size_t i, const struct row *x)
{
    const size_t at = i == 0 ? 0 : d->begin[i], need = at + x->n;
    void *column = d->column, *value = d->value;

    if (need < at || !mem_grow(&d->s->e, &column, &d->column_cap, need, sizeof *d->column))
        return PERC_ENOMEM;
    d->column = column;
    if (!mem_grow(&d->s->e, &value, &d->value_cap, need, sizeof *d->value)) return PERC_ENOMEM;
    d->value = value;
    for (size_t k = 0; k < x->n; k++) {
        d->column[at + k] = row_column(x, k);
        d->value[at + k] = row_value(x, k);
    }
    d->begin[i] = at;
    d->begin[i + 1] = need;
    return PERC_OK;
}

static void keep_end(struct desk *d, size_t n)
{
    for (size_t i = 0; i < n; i++)
        d->x[i] = (struct row){ .value = d->value + d->begin[i],
                                .index = d->column + d->begin[i],
                                .n = d->begin[i + 1] - d->begin[i],
                                .stride = sizeof *d->value,
                                .values = VALUES_F64,
                                .indices = INDEX_U64 };
}

/* The rows of d->place, as the machine sees them, into d->x. */
static perc_status take(struct desk *d, struct pipe *p, const struct block *b, size_t n,
                        perc_error *err)
{
    for (size_t i = 0; i < n; i++) {
        perc_status st;
        d->x[i] = block_row(b, d->place[i]);
        if (pipe_is_open(p)) continue;
        if ((st = pipe_row(p, &d->x[i], block_line(b, d->place[i]), err))) return st;
        if (keep(d, i, &d->x[i])) return fail_memory(err);
    }
    if (!pipe_is_open(p)) keep_end(d, n);
    return PERC_OK;
}

static perc_status score(struct desk *d, size_t n, double *out)
{
    const struct scorer *s = d->s;
    perc_status st = PERC_OK;

    if (s->answers == BY_CHORUS) return choir_scores(d->choir, d->x, n, out);
    for (size_t i = 0; i < n && !st; i++)
        st = budget_scores(s->m->learner.budget, s->machine, &d->budget, &d->x[i], s->outputs,
                           out + i * s->outputs);
    return st;
}

/* K of rows that were trained on is finite, and so is their bound (kernel_bound). Where that of
 * x is not, x is to blame; elsewhere the sum. */
static perc_status no_score(const struct scorer *s, const struct row *x, int64_t line,
                            perc_error *err)
{
    if (!isfinite(kernel_bound(&s->m->learner.kernel->kernel, row_norm2(x))))
        return fail_at(err, PERC_EDATA, line, 0,
                       "the score of this row is too large to be a number: its values are far "
                       "outside those that the model was trained on");
    return fail_at(err, PERC_EDATA, line, 0,
                   "the score of this row is too large to be a number (scale the data before "
                   "training: --scale standard, unit or by:NUMBER)");
}

/* line: of the row; 0: it has none. */
static perc_status check(const struct scorer *s, const struct row *x, const double *scores,
                         int64_t line, perc_error *err)
{
    for (size_t c = 0; c < s->outputs; c++)
        if (!isfinite(scores[c])) return no_score(s, x, line, err);
    return PERC_OK;
}

perc_status scorer_kernel_rows(const struct scorer *s, struct pipe *p, const struct block *b,
                               const size_t *which, size_t from, size_t n, double *out,
                               perc_error *err)
{
    struct desk d;
    perc_status st = desk_open(&d, s) ? fail_memory(err) : PERC_OK;

    for (size_t rows; n > 0 && !st; from += rows, n -= rows, out += rows * s->outputs) {
        rows = n < PANEL ? n : PANEL;
        for (size_t i = 0; i < rows; i++) d.place[i] = which != NULL ? which[from + i] : from + i;
        st = take(&d, p, b, rows, err);
        if (!st && score(&d, rows, out)) st = fail_memory(err);
        for (size_t i = 0; i < rows && !st; i++)
            st = check(s, &d.x[i], out + i * s->outputs, block_line(b, d.place[i]), err);
    }
    desk_close(&d);
    return st;
}

perc_status scorer_kernel_row(const struct scorer *s, const struct row *x, double *out,
                              perc_error *err)
{
    struct desk d;
    perc_status st = desk_open(&d, s);

    d.x[0] = *x;
    if (!st) st = score(&d, 1, out);
    desk_close(&d);
    return st ? fail_memory(err) : check(s, x, out, 0, err);
}
