/* machine_kernel.c -- what the two kernel machines share. */
#include "machine/machine_kernel.h"

#include <math.h>

#include "kernel/precomputed.h"

static struct machine_kernel *kernel_machine(const struct machine *m)
{
    return (struct machine_kernel *)(uintptr_t)m;
}

static struct kernel *kernel_of(const struct machine *m)
{
    return &kernel_machine(m)->sums->kernel;
}

struct expansion *machine_kernel_of(const struct machine *m)
{
    return m->ops->dims == machine_kernel_dims ? kernel_machine(m)->sums : NULL;
}

struct machine_expanded *machine_expansion_of(const struct machine *m)
{
    return m->ops == &machine_expansion ? (struct machine_expanded *)(uintptr_t)m : NULL;
}

perc_status machine_kernel_init(struct machine *m, const perc_params *p)
{
    struct kernel k;

    machine_votes_init(m, p);
    return kernel_parse(p, &k, NULL) ? PERC_EARG
                                     : expansion_new(&m->e, &k, &kernel_machine(m)->sums);
}

void machine_kernel_free(struct machine *m)
{
    machine_votes_free(m);
    expansion_free(kernel_machine(m)->sums);
}

perc_status machine_kernel_copy(const struct machine *from, struct machine *to)
{
    struct expansion *x = kernel_machine(to)->sums;

    x->kernel = *kernel_of(from);
    x->dims = kernel_machine(from)->sums->dims;
    x->norms = 0;
    return machine_votes_copy(from, to);
}

uint64_t machine_kernel_dims(const struct machine *m)
{
    return kernel_machine(m)->sums->dims;
}

perc_status machine_kernel_grow(struct machine *m, uint64_t dims)
{
    if (dims > kernel_machine(m)->sums->dims) kernel_machine(m)->sums->dims = dims;
    return PERC_OK;
}

void machine_kernel_shrink(struct machine *m, uint64_t dims)
{
    kernel_machine(m)->sums->dims = dims;
}

/* ----- data and rows ---------------------------------------------------------------------- */

perc_status machine_kernel_see_data(struct machine *m, const perc_dataset *ds, perc_error *err)
{
    return gram_fit(&m->e, kernel_of(m), ds, err);
}

perc_status machine_kernel_without_data(const struct machine *m, const char *where, perc_error *err)
{
    const struct kernel *k = kernel_of(m);
    const char *name = k->type == KERNEL_SIGMOID ? "eta" : "gamma";

    if (k->type == KERNEL_PRECOMPUTED)
        return fail(err, PERC_EARG,
                    "--kernel precomputed needs the whole matrix, which %s does not have: train on "
                    "the file of it, in memory",
                    where);
    if (!isnan(k->gamma)) return PERC_OK;
    return fail(err, PERC_EARG,
                "--%s %s is found from the data, which %s does not have beforehand: give a "
                "number (--%s G)",
                name, k->gamma_from == GAMMA_AUTO ? "auto" : "scale", where, name);
}

perc_status machine_kernel_check_row(const struct machine *m, const struct row *x, int64_t line,
                                     perc_error *err)
{
    if (kernel_of(m)->type == KERNEL_PRECOMPUTED)
        return fail_at(err, PERC_EDATA, line, 0,
                       "a row that is learned has no column in the matrix of this model's kernel: "
                       "train again, on a larger matrix");
    return gram_check_row(kernel_of(m), x, line, err);
}

double machine_kernel_size2(const struct machine *m, const struct row *x)
{
    const struct kernel *k = kernel_of(m);

    return kernel_self(k, kernel_norm2(k, x));
}

/* What is kept of x: x itself, or, where K is given as a matrix, a 1 in the column that K(x, .)
 * stands in. */
void machine_kernel_record(struct machine *m, const struct update *u)
{
    const struct kernel *k = kernel_of(m);
    const uint64_t column = k->type == KERNEL_PRECOMPUTED ? kernel_own_column(k, u->x) : 0;
    const struct row own = {
        .index = &column, .n = 1, .values = VALUES_ONES, .indices = INDEX_U64
    };
    struct update kept = *u;

    if (k->type == KERNEL_PRECOMPUTED) kept.x = &own;
    machine_votes_record(m, &kept);
}

void machine_kernel_describe(const struct machine *m, uint64_t below, struct machine_facts *out)
{
    (void)below;
    out->kernel = kernel_of(m);
}

/* ----- in a file -------------------------------------------------------------------------- */

perc_status machine_kernel_pack(const struct machine *m, const struct machine_file *f,
                                struct tensors *t)
{
    const struct kernel *k = kernel_of(m);
    const uint64_t dims = kernel_machine(m)->sums->dims,
                   features = dims > f->below ? dims - f->below : 0;

    if ((!k->rounded && tensors_meta(t, "kernel.dot", "fused")) ||
        (kernel_has_gamma(k) && tensors_meta_num(t, "kernel.gamma", k->gamma)) ||
        (k->type == KERNEL_PRECOMPUTED &&
         tensors_meta_int(t, "kernel.first", (int64_t)(k->first - f->below))))
        return PERC_ENOMEM;
    return tensors_meta_int(t, "features", (int64_t)features);
}

perc_status machine_kernel_unpack_first(struct machine *m, const struct machine_file *f,
                                        const struct tensors *t, perc_error *err)
{
    static const char *const dots[] = { "fused" };
    struct kernel *k = kernel_of(m);
    int64_t features, first;
    double gamma;
    int dot;
    perc_status st = tensors_get_int(t, "features", 0, (int64_t)UINT32_MAX, &features, err);

    if (st) return st;
    if (features > 0) machine_kernel_grow(m, (uint64_t)features + f->below);
    k->rounded = tensors_get(t, "kernel.dot") == NULL;
    if (!k->rounded && (st = tensors_get_word(t, "kernel.dot", dots, 1, &dot, err))) return st;
    if (k->type == KERNEL_PRECOMPUTED) {
        if ((st = tensors_get_int(t, "kernel.first", 0, 1, &first, err))) return st;
        k->numbered = first > 0;
        k->first = f->below + (uint64_t)first;
    }
    if (!kernel_has_gamma(k)) return PERC_OK;
    if ((st = tensors_get_num(t, "kernel.gamma", &gamma, err))) return st;
    if (!(gamma > 0) || isinf(gamma))
        return fail(err, PERC_EDATA, "metadata 'kernel.gamma' must be a number above 0");
    if (k->gamma_from == GAMMA_GIVEN && gamma != k->gamma)
        return fail(err, PERC_EDATA, "metadata 'kernel.gamma' is not what the options say");
    k->gamma = gamma;
    return PERC_OK;
}

/* ----- rows on their way ------------------------------------------------------------------ */

void machine_kernel_rows_free(const struct machine_scratch *d)
{
    struct machine_kernel_rows *r = d->state;

    mem_free(&d->s->e, r->column, r->column_cap, sizeof *r->column);
    mem_free(&d->s->e, r->value, r->value_cap, sizeof *r->value);
}

/* A row that has gone through a pipe is gone when the next one comes; a panel wants all of its rows
 * at once. So rows are copied, entry by entry, which costs nothing compared to one kernel value.
 * d->x is made at the end, because the copies may still move. */
perc_status machine_kernel_take(struct machine_scratch *d, const struct row *x, int64_t line,
                                perc_error *err)
{
    struct machine_kernel_rows *r = d->state;
    const struct machine *m = d->s->m;
    const size_t i = d->n++, at = i == 0 ? 0 : r->begin[i], need = at + x->n;
    perc_status st;

    if (kernel_of(m)->type == KERNEL_PRECOMPUTED &&
        (st = precomputed_check_row(kernel_of(m), machine_kernel_dims(m), x, line, err)))
        return st;
    d->x[i] = *x;
    if (d->stable) return PERC_OK;
    if (need < at || !MEM_GROW(&d->s->e, r->column, &r->column_cap, need) ||
        !MEM_GROW(&d->s->e, r->value, &r->value_cap, need))
        return fail_memory(err);
    for (size_t k = 0; k < x->n; k++) {
        r->column[at + k] = row_column(x, k);
        r->value[at + k] = row_value(x, k);
    }
    r->begin[i] = at;
    r->begin[i + 1] = need;
    return PERC_OK;
}

void machine_kernel_rows_end(struct machine_scratch *d)
{
    const struct machine_kernel_rows *r = d->state;

    for (size_t i = 0; i < d->n && !d->stable; i++)
        d->x[i] = (struct row){ .value = r->value + r->begin[i],
                                .index = r->column + r->begin[i],
                                .n = r->begin[i + 1] - r->begin[i],
                                .stride = sizeof *r->value,
                                .values = VALUES_F64,
                                .indices = INDEX_U64 };
}

/* K of rows that were trained on is finite, and so is their bound (kernel_bound). If the row's is
 * not, the row is to blame; otherwise the sum. */
perc_status machine_kernel_no_score(const struct machine_scratch *d, size_t bad, int64_t line,
                                    perc_error *err)
{
    const struct kernel *k = kernel_of(d->s->m);

    if (!isfinite(kernel_bound(k, kernel_norm2(k, &d->x[bad]))))
        return fail_at(err, PERC_EDATA, line, 0,
                       "the score of this row is too large to be a number: its values are far "
                       "outside those that the model was trained on");
    return fail_at(err, PERC_EDATA, line, 0,
                   "the score of this row is too large to be a number (scale the data before "
                   "training: --scale standard, unit or by:NUMBER)");
}
