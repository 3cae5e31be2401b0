/* machine_budget.c -- a kernel machine that keeps at most B rows. The unseen class shares the slots
 * and takes none itself: it learns from rows that are kept anyway, so that the others are as they
 * would be without it. The forgetron knows two classes, so there is no class to expect. */
#include "machine/machine_kernel.h"

static struct budget *budget_in(const struct machine *m)
{
    return ((struct machine_budgeted *)(uintptr_t)m)->budget;
}

struct budget *machine_budget_of(const struct machine *m)
{
    return m->ops == &machine_budget ? budget_in(m) : NULL;
}

static perc_status init_budget(struct machine *m, const perc_params *p)
{
    const size_t slots = (size_t)params_int(p, "budget");
    struct machine_budgeted *b = (struct machine_budgeted *)m;
    int policy = BUDGET_RANDOM;
    const perc_status st = machine_kernel_init(m, p);

    if (st) return st;
    while (!params_is(p, "budget-policy", budget_policies[policy])) policy++;
    if (policy == BUDGET_FORGETRON) m->expecting = false;
    return budget_new(&m->e, &b->k.sums->kernel, slots, (enum budget_policy)policy,
                      (uint64_t)params_int(p, "seed"), 1, &b->budget);
}

static void free_budget(struct machine *m)
{
    budget_free(budget_in(m));
    machine_kernel_free(m);
}

static perc_status copy_budget(const struct machine *from, struct machine *to)
{
    if (budget_copy(budget_in(from), budget_in(to))) return PERC_ENOMEM;
    return machine_kernel_copy(from, to);
}

static perc_status check_budget_class(const struct machine *m, size_t n, bool native,
                                      const char *label, perc_error *err)
{
    (void)native;
    if (n <= 2 || budget_in(m)->policy != BUDGET_FORGETRON) return PERC_OK;
    return fail(err, PERC_EDATA,
                "'%.60s' is a third label, and the forgetron is for two "
                "classes (pass --positive LABEL, or --budget-policy projectron or random)",
                label);
}

/* ----- one row ---------------------------------------------------------------------------- */

static perc_status score_row(struct machine *m, const struct row *x, size_t outputs, double *out)
{
    struct row k;

    if (budget_see(budget_in(m), x, &k)) return PERC_ENOMEM;
    if (m->last.stride == 1) out[0] = linear_score(&m->last, &k);
    else linear_scores(&m->last, &k, out);
    if (m->expecting) out[outputs] = linear_score(&m->unseen, &k);
    return PERC_OK;
}

/* The vectors of the unseen class; NULL: there is none to come. */
static struct linear *unseen_of(struct machine *m)
{
    return m->expecting ? &m->unseen : NULL;
}

static perc_status reserve_for_row(struct machine *m, const struct row *x, size_t updates)
{
    (void)updates;
    return budget_reserve(budget_in(m), x, &m->last, unseen_of(m));
}

static void add_to_budget(struct machine *m, const struct update *u)
{
    if (budget_update(budget_in(m), u->x, &m->last, unseen_of(m), u->up, u->down, u->step))
        m->failed = true;
}

static bool add_unseen_to_budget(struct machine *m, const struct update *u)
{
    if (budget_in(m)->placed == NOT_PLACED) return false;
    if (budget_update(budget_in(m), u->x, &m->unseen, &m->last, 0, NO_VECTOR, u->step))
        m->failed = true;
    return true;
}

/* ----- answering -------------------------------------------------------------------------- */

struct budget_rows {
    struct machine_kernel_rows rows;
    struct budget_scratch budget;
};

static perc_status open_budget_scratch(struct machine_scratch *d)
{
    struct budget_rows *own = d->state = mem_zeroed(&d->s->e, 1, sizeof *own);

    d->most = PANEL;
    if (own != NULL) budget_scratch_init(&own->budget, &d->s->e);
    return own != NULL ? PERC_OK : PERC_ENOMEM;
}

static void close_budget_scratch(struct machine_scratch *d)
{
    struct budget_rows *own = d->state;

    if (own == NULL) return;
    budget_scratch_free(&own->budget);
    machine_kernel_rows_free(d);
    mem_free(&d->s->e, own, 1, sizeof *own);
}

static perc_status run_budget(struct machine_scratch *d, double *out, size_t *bad)
{
    const struct machine_scorer *s = d->s;
    struct budget_rows *scratch = d->state;

    machine_kernel_rows_end(d);
    for (size_t i = 0; i < d->n; i++)
        if (budget_scores(budget_in(s->m), s->vectors, &scratch->budget, &d->x[i], s->outputs,
                          out + i * s->outputs))
            return PERC_ENOMEM;
    return machine_check_scores(d, out, bad);
}

/* ----- in a file -------------------------------------------------------------------------- */

static perc_status pack_budget(const struct machine *m, struct machine_file *f, struct tensors *t)
{
    const perc_status st = machine_kernel_pack(m, f, t);

    return st ? st : budget_pack(budget_in(m), f->below, t);
}

static perc_status unpack_budget(struct machine *m, const struct machine_file *f,
                                 const struct tensors *t, perc_error *err)
{
    const perc_status st = machine_kernel_unpack_first(m, f, t, err);

    return st ? st : budget_unpack(budget_in(m), machine_kernel_dims(m), f->below, t, err);
}

static size_t slots_in_use(const struct machine *m)
{
    return budget_in(m)->rows;
}

const struct machine_ops machine_budget = {
    MACHINE_KERNEL_OPERATIONS,
    .size = sizeof(struct machine_budgeted),
    .init = init_budget,
    .free = free_budget,
    .copy = copy_budget,
    .without_data = machine_kernel_without_data,
    .check_class = check_budget_class,
    .scores = score_row,
    .reserve_row = reserve_for_row,
    .add = add_to_budget,
    .add_unseen = add_unseen_to_budget,
    .scratch_open = open_budget_scratch,
    .scratch_close = close_budget_scratch,
    .run = run_budget,
    .describe = machine_kernel_describe,
    .pack = pack_budget,
    .unpack_first = unpack_budget,
    .slots = slots_in_use,
};
