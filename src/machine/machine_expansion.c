/* machine_expansion.c -- a kernel machine that keeps all its updates: of the vectors it has the
 * offsets, and the updates are the rest (expansion.h). */
#include "kernel/precomputed.h"
#include "machine/machine_kernel.h"

static struct machine_expanded *expanded(const struct machine *m)
{
    return (struct machine_expanded *)(uintptr_t)m;
}

static struct votes *votes_of(const struct machine *m)
{
    return &expanded(m)->k.voted.votes;
}

/* Counters of mistakes, where rows may be set aside. */
static perc_status init_expansion(struct machine *m, const perc_params *p)
{
    const perc_status st = machine_kernel_init(m, p);

    return st ? st : machine_dropping_new(m, p, &expanded(m)->drop);
}

static void free_expansion(struct machine *m)
{
    drop_free(expanded(m)->drop);
    machine_kernel_free(m);
}

static perc_status copy_expansion(const struct machine *from, struct machine *to)
{
    if (expanded(to)->drop != NULL && drop_copy(expanded(from)->drop, expanded(to)->drop))
        return PERC_ENOMEM;
    return machine_kernel_copy(from, to);
}

static perc_status check_without_data(const struct machine *m, const char *where, perc_error *err)
{
    const perc_status st = machine_kernel_without_data(m, where, err);

    return st || expanded(m)->drop == NULL ? st : machine_dropping_without_data(m, where, err);
}

static perc_status check_class(const struct machine *m, size_t n, bool native, const char *label,
                               perc_error *err)
{
    (void)n, (void)native;
    return machine_dropping_check_class(expanded(m)->drop, label, err);
}

static void insert_class(struct machine *m, size_t at, size_t unseen)
{
    machine_votes_insert(m, at, unseen);
    machine_dropping_know(expanded(m)->drop, m);
}

/* The rows may be renumbered by this. */
static void seal_expansion(struct machine *m, size_t unseen)
{
    machine_votes_seal(m, unseen);
    expanded(m)->k.sums->norms = 0;
}

/* ----- one row ---------------------------------------------------------------------------- */

static perc_status score_row(struct machine *m, const struct row *x, size_t outputs, double *out)
{
    const struct votes *v = votes_of(m);
    const struct moment last = { v->n, 0 };

    if (expansion_scores(expanded(m)->k.sums, v, x, &last, outputs + m->expecting, out))
        return PERC_ENOMEM;
    for (size_t c = 0; c < outputs; c++) out[c] += m->last.b[c];
    if (m->expecting) out[outputs] += m->unseen.b[0];
    return PERC_OK;
}

static uint64_t work_of_row(const struct machine *m, const struct row *x)
{
    return votes_of(m)->n * (x->n + 16);
}

static perc_status reserve_for_row(struct machine *m, const struct row *x, size_t updates)
{
    return votes_reserve(votes_of(m), x->n, updates);
}

static void add_update(struct machine *m, const struct update *u)
{
    machine_add_vector(m, &m->last, &m->sum, u, false);
    machine_kernel_record(m, u);
}

static bool add_unseen_update(struct machine *m, const struct update *u)
{
    machine_linear_add_unseen(m, u);
    machine_kernel_record(m, u);
    return true;
}

/* The offsets are the sums of the updates that remain, in their order. */
static void sum_offsets(struct machine *m)
{
    const struct votes *v = votes_of(m);

    for (size_t c = 0; c < m->last.vectors; c++) m->last.b[c] = 0;
    for (size_t k = 0; k < v->n; k++) {
        const struct vote *one = &v->vote[k];
        const size_t down = one->down == NO_DOWN ? NO_VECTOR : one->down;
        const struct update u = { .up = one->up, .down = down, .step = one->step };
        machine_add_vector(m, &m->last, &m->sum, &u, false);
    }
}

static void add_to_expansion(struct machine *m, const struct update *u)
{
    if (machine_dropping_count(m, expanded(m)->drop, u)) sum_offsets(m);
    else if (!m->failed) add_update(m, u);
}

static bool is_set_aside(const struct machine *m, int64_t row, size_t vector)
{
    return drop_has(expanded(m)->drop, row, vector);
}

/* ----- answering -------------------------------------------------------------------------- */

static perc_status open_scorer(struct machine_scorer *s)
{
    const struct votes *v = votes_of(s->m);
    struct panel_scorer *p = mem_zeroed(&s->e, 1, sizeof *p);

    if (p == NULL) return PERC_ENOMEM;
    *p = (struct panel_scorer){ .e = s->e,
                                .kernel = expanded(s->m)->k.sums->kernel,
                                .votes = v,
                                .one = s->one,
                                .moment = s->last ? (struct moment){ v->n, 0 } : s->moment,
                                .voting = s->m->keep == KEEP_VOTES && !s->last,
                                .kind = s->kind,
                                .shown = s->shown,
                                .offset = s->m->last.offset,
                                .vectors = s->outputs,
                                .b = s->vectors->b };
    s->state = p;
    return panel_scorer_open(p);
}

static void close_scorer(struct machine_scorer *s)
{
    if (s->state == NULL) return;
    panel_scorer_close(s->state);
    mem_free(&s->e, s->state, 1, sizeof(struct panel_scorer));
}

struct panel_rows {
    struct machine_kernel_rows rows;
    struct panel_scratch *panel;
};

static perc_status open_expansion_scratch(struct machine_scratch *d)
{
    struct panel_rows *own = d->state = mem_zeroed(&d->s->e, 1, sizeof *own);

    _Static_assert((int)SCORER_ROWS <= MACHINE_ROWS, "there is room for them");
    if (own == NULL || panel_scratch_new(d->s->state, &own->panel)) return PERC_ENOMEM;
    d->most = panel_scratch_rows(own->panel);
    return PERC_OK;
}

static void close_expansion_scratch(struct machine_scratch *d)
{
    struct panel_rows *own = d->state;

    if (own == NULL) return;
    panel_scratch_free(own->panel);
    machine_kernel_rows_free(d);
    mem_free(&d->s->e, own, 1, sizeof *own);
}

static perc_status run_expansion(struct machine_scratch *d, double *out, size_t *bad)
{
    const struct panel_rows *own = d->state;

    machine_kernel_rows_end(d);
    if (panel_scratch_scores(own->panel, d->x, d->n, out)) return PERC_ENOMEM;
    return machine_check_scores(d, out, bad);
}

static void describe_expansion(const struct machine *m, uint64_t below, struct machine_facts *out)
{
    machine_kernel_describe(m, below, out);
    machine_dropping_tell(expanded(m)->drop, out);
}

/* ----- in a file -------------------------------------------------------------------------- */

static perc_status pack_expansion(const struct machine *m, struct machine_file *f,
                                  struct tensors *t)
{
    if (machine_votes_pack(m, f, t)) return PERC_ENOMEM;
    const struct votes *v = votes_in_order(votes_of(m)) ? votes_of(m) : &f->tidy;
    if (expansion_pack(v, &f->moment, f->outputs, f->kind == KIND_TWO, t) ||
        machine_kernel_pack(m, f, t))
        return PERC_ENOMEM;
    return drop_pack(expanded(m)->drop, t);
}

static perc_status unpack_expansion(struct machine *m, const struct machine_file *f,
                                    const struct tensors *t, perc_error *err)
{
    struct votes *v = votes_of(m);
    struct drop *d = expanded(m)->drop;
    struct moment moment = f->moment;
    perc_status st = machine_votes_unpack(m, f, t, err);

    machine_dropping_know(d, m);
    if (!st) st = drop_unpack(d, v, (int64_t)f->data_rows, t, err);
    if (st) return st;
    for (size_t i = 0; i < v->rows; i++) {
        const struct row x = votes_row(v, i);
        if ((st = precomputed_check_kept(&expanded(m)->k.sums->kernel, &x, i, err))) return st;
    }
    for (size_t k = 0; k < v->n; k++)
        v->vote[k].aside = drop_has(d, v->vote[k].example, v->vote[k].up);
    if (moment.updates > v->n) moment.updates = v->n;
    return expansion_compare(v, &moment, f->outputs, f->kind == KIND_TWO, t, err);
}

const struct machine_ops machine_expansion = {
    MACHINE_KERNEL_OPERATIONS,
    .size = sizeof(struct machine_expanded),
    .init = init_expansion,
    .free = free_expansion,
    .copy = copy_expansion,
    .without_data = check_without_data,
    .check_class = check_class,
    .reserve_class = machine_votes_reserve_class,
    .negate = machine_votes_negate,
    .split = machine_votes_split,
    .insert = insert_class,
    .seal = seal_expansion,
    .scores = score_row,
    .work = work_of_row,
    .reserve_row = reserve_for_row,
    .add = add_to_expansion,
    .add_unseen = add_unseen_update,
    .skips = is_set_aside,
    .scorer_open = open_scorer,
    .scorer_close = close_scorer,
    .scratch_open = open_expansion_scratch,
    .scratch_close = close_expansion_scratch,
    .run = run_expansion,
    .describe = describe_expansion,
    .pack = pack_expansion,
    .unpack_first = machine_kernel_unpack_first,
    .unpack = unpack_expansion,
};
