/* machine_diagonal.c -- vectors with the diagonal of a matrix.
 *
 * In a file the diagonal stands beside the weights: `diagonal`, `diagonal_offset` and, for the
 * class not met yet, `unseen.diagonal`, `unseen.diagonal_offset`. */
#include "machine/machine_diagonal.h"

#include <string.h>

#include "machine/machine_file.h"

struct machine_second_order {
    struct machine base;
    struct diagonal last, unseen;
};

static struct machine_second_order *second_order(const struct machine *m)
{
    return (struct machine_second_order *)(uintptr_t)m;
}

static const struct diagonal_form *form_of(const struct machine *m)
{
    return m->form;
}

static perc_status init_diagonal(struct machine *m, const perc_params *p)
{
    const struct diagonal_form *form = form_of(m);
    const double number = perc_params_get(p, form->parameter) != NULL
                              ? params_real(p, form->parameter)
                              : form->standard;
    const bool sums = machine_has_sum(m);

    second_order(m)->last = (struct diagonal){ &m->last, sums ? &m->sum : NULL, .number = number };
    second_order(m)->unseen = (struct diagonal){ &m->unseen, sums ? &m->unseen_sum : NULL,
                                                 .number = number };
    if (linear_init(&second_order(m)->last.a, &m->e, 1, m->last.offset) ||
        linear_init(&second_order(m)->unseen.a, &m->e, 1, m->last.offset))
        return PERC_ENOMEM;
    if (m->last.offset) second_order(m)->last.a.b[0] = second_order(m)->unseen.a.b[0] = form->start;
    return PERC_OK;
}

static void free_diagonal(struct machine *m)
{
    linear_free(&second_order(m)->last.a);
    linear_free(&second_order(m)->unseen.a);
}

static perc_status copy_diagonal(const struct machine *from, struct machine *to)
{
    free_diagonal(to);
    if (linear_copy(&to->e, &second_order(from)->last.a, &second_order(to)->last.a))
        return PERC_ENOMEM;
    return linear_copy(&to->e, &second_order(from)->unseen.a, &second_order(to)->unseen.a);
}

/* ----- columns and classes ---------------------------------------------------------------- */

/* New columns begin with `start`. */
static perc_status grow_one(struct linear *a, uint64_t dims, double start)
{
    const uint64_t had = a->dims;

    if (linear_grow(a, dims)) return PERC_ENOMEM;
    for (uint64_t k = had * a->stride; k < a->dims * a->stride; k++) a->w[k] = start;
    return PERC_OK;
}

static perc_status grow_diagonal(struct machine *m, uint64_t dims)
{
    const double start = form_of(m)->start;

    if (m->expecting && grow_one(&second_order(m)->unseen.a, dims, start)) return PERC_ENOMEM;
    return grow_one(&second_order(m)->last.a, dims, start);
}

static void shrink_diagonal(struct machine *m, uint64_t dims)
{
    struct linear *last = &second_order(m)->last.a, *unseen = &second_order(m)->unseen.a;

    if (last->dims > dims) last->dims = dims;
    if (unseen->dims > dims) unseen->dims = dims;
}

static perc_status reserve_diagonal(struct machine *m, const struct arrival *a)
{
    return linear_reserve(&second_order(m)->last.a, a->room);
}

/* -w and w are equally well known. */
static void split_diagonal(struct machine *m, enum kind kind)
{
    struct linear *a = &second_order(m)->last.a;

    (void)kind;
    for (uint64_t j = 0; j < a->dims; j++) a->w[j * a->stride + 1] = a->w[j * a->stride];
    a->b[1] = a->b[0];
    a->vectors = 2;
}

/* The diagonal of a new class: that of the unseen one, or the start. */
static void insert_diagonal(struct machine *m, size_t at, size_t unseen)
{
    const struct linear *from = unseen != NO_VECTOR ? &second_order(m)->unseen.a : NULL;
    const double start = form_of(m)->start;
    struct linear *a = &second_order(m)->last.a;

    a->vectors = m->last.vectors - 1; /* those of the machine have the new one already */
    linear_insert(a, at);
    const size_t column = linear_at(a, at);
    for (uint64_t j = 0; j < a->dims; j++)
        a->w[j * a->stride + column] = from != NULL && j < from->dims ? from->w[j] : start;
    if (a->offset) a->b[column] = from != NULL ? from->b[0] : start;
}

static void seal_diagonal(struct machine *m, size_t unseen)
{
    (void)unseen;
    linear_free(&second_order(m)->unseen.a);
}

/* ----- one row ---------------------------------------------------------------------------- */

static void score_vectors(const struct machine *m, const struct diagonal *d, const struct row *x,
                          size_t n, double *out)
{
    const struct diagonal_form *form = form_of(m);

    if (form->scores != NULL) form->scores(d, x, n, out);
    else if (d->w->stride == 1) out[0] = linear_score(d->w, x);
    else linear_scores(d->w, x, out);
}

static perc_status score_row(struct machine *m, const struct row *x, size_t outputs, double *out)
{
    if (outputs > 0) score_vectors(m, &second_order(m)->last, x, outputs, out);
    if (m->expecting) score_vectors(m, &second_order(m)->unseen, x, 1, out + outputs);
    return PERC_OK;
}

static double decide_step(struct machine *m, const struct lesson *l)
{
    struct lesson one = *l;

    if (!l->unseen) return form_of(m)->decide(&second_order(m)->last, l);
    one.up = 0;
    return form_of(m)->decide(&second_order(m)->unseen, &one);
}

static void add_to_diagonal(struct machine *m, const struct update *u)
{
    form_of(m)->add(&second_order(m)->last, u);
}

static bool add_unseen_to_diagonal(struct machine *m, const struct update *u)
{
    struct update one = *u;

    one.up = 0;
    form_of(m)->add(&second_order(m)->unseen, &one);
    return true;
}

static bool holds_diagonal(const struct machine *m, const struct update *u, bool unseen)
{
    struct update one = *u;

    if (unseen) one.up = 0;
    return form_of(m)->holds(unseen ? &second_order(m)->unseen : &second_order(m)->last, &one);
}

/* ----- answering -------------------------------------------------------------------------- */

static perc_status open_diagonal_scratch(struct machine_scratch *d)
{
    const perc_status st = machine_linear_scratch_open(d);

    d->most = 1;
    return st;
}

/* By what is returned, with the diagonal as it stands. */
static perc_status run_diagonal(struct machine_scratch *d, double *out, size_t *bad)
{
    struct diagonal one = second_order(d->s->m)->last;
    struct linear w = *d->s->vectors;
    double *scores = d->state != NULL ? d->state : out;

    (void)bad;
    d->n = 0;
    one.w = &w;
    score_vectors(d->s->m, &one, d->x, d->s->outputs, scores);
    if (scores != out) memcpy(out, scores, d->s->outputs * sizeof *out);
    return PERC_OK;
}

/* ----- in a file -------------------------------------------------------------------------- */

static perc_status pack_diagonal(const struct machine *m, struct machine_file *f, struct tensors *t)
{
    const struct linear_frame all = machine_file_frame(m, f, false);
    const struct linear_frame one = machine_file_frame(m, f, true);

    if (linear_pack(&second_order(m)->last.a, &all, "diagonal", "diagonal_offset", t))
        return PERC_ENOMEM;
    if (!m->expecting) return PERC_OK;
    return linear_pack(&second_order(m)->unseen.a, &one, "unseen.diagonal",
                       "unseen.diagonal_offset", t);
}

static perc_status check_diagonal(const struct linear *a, const char *name, perc_error *err)
{
    bool negative = false;

    for (uint64_t k = 0; k < a->dims * a->stride; k++) negative |= a->w[k] < 0;
    for (size_t c = 0; c < a->stride; c++) negative |= a->b[c] < 0;
    return negative ? fail(err, PERC_EDATA, "tensor '%s' has a negative number", name) : PERC_OK;
}

static perc_status unpack_diagonal(struct machine *m, const struct machine_file *f,
                                   const struct tensors *t, perc_error *err)
{
    struct linear_frame all = machine_file_frame(m, f, false);
    struct linear_frame one = machine_file_frame(m, f, true);
    perc_status st;

    all.rows = one.rows = m->last.dims > f->below ? m->last.dims - f->below : 0;
    if ((st = linear_unpack(&second_order(m)->last.a, &all, "diagonal", "diagonal_offset", t,
                            err)) ||
        (st = check_diagonal(&second_order(m)->last.a, "diagonal", err)) || !m->expecting)
        return st;
    st = linear_unpack(&second_order(m)->unseen.a, &one, "unseen.diagonal",
                       "unseen.diagonal_offset", t, err);
    return st ? st : check_diagonal(&second_order(m)->unseen.a, "unseen.diagonal", err);
}

#define DIAGONAL_OPERATIONS                                                                       \
    .word = "diagonal", .size = sizeof(struct machine_second_order), .init = init_diagonal,       \
    .free = free_diagonal, .copy = copy_diagonal, .grow = grow_diagonal,                          \
    .shrink = shrink_diagonal, .reserve_class = reserve_diagonal, .split = split_diagonal,        \
    .insert = insert_diagonal, .seal = seal_diagonal, .scores = score_row, .decide = decide_step, \
    .add = add_to_diagonal, .add_unseen = add_unseen_to_diagonal, .holds = holds_diagonal,        \
    .pack = pack_diagonal, .unpack = unpack_diagonal

const struct machine_ops machine_diagonal = {
    DIAGONAL_OPERATIONS,
    .flags = MACHINE_WEIGHTS,
    .scratch_open = open_diagonal_scratch,
    .scratch_close = machine_linear_scratch_close,
    .run = run_diagonal,
};

const struct machine_ops machine_diagonal_linear = {
    DIAGONAL_OPERATIONS,
    .flags = MACHINE_WEIGHTS | MACHINE_QUICK,
    .scratch_open = machine_linear_scratch_open,
    .scratch_close = machine_linear_scratch_close,
    .run = machine_linear_run,
};
