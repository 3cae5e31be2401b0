/* machine_votes.c -- vectors, and every update that made them: each of the vectors on the way has
 * a vote (learn/voted.c). */
#include "machine/machine_votes.h"

#include <assert.h>

#include "machine/vote_counter.h"

static struct votes *own_votes(const struct machine *m)
{
    return &((struct machine_voted *)(uintptr_t)m)->votes;
}

struct votes *machine_votes_of(const struct machine *m)
{
    const bool keeps = m->ops == &machine_votes || m->ops == &machine_expansion;

    return keeps ? own_votes(m) : NULL;
}

struct linear *machine_votes_start(const struct machine *m)
{
    struct linear *start = &((struct machine_voted *)(uintptr_t)m)->start;

    return m->ops == &machine_votes && start->stride > 0 ? start : NULL;
}

perc_status machine_votes_widen(struct machine *m, uint64_t dims)
{
    struct linear *start = &((struct machine_voted *)m)->start;

    if (m->ops != &machine_votes) return PERC_OK;
    if (start->stride == 0 && linear_copy(&m->e, &m->last, start)) return PERC_ENOMEM;
    return linear_grow(start, dims);
}

perc_status machine_votes_init(struct machine *m, const perc_params *p)
{
    (void)p;
    votes_init(own_votes(m), &m->e);
    return PERC_OK;
}

void machine_votes_free(struct machine *m)
{
    votes_free(own_votes(m));
}

perc_status machine_votes_copy(const struct machine *from, struct machine *to)
{
    votes_free(own_votes(to));
    return votes_copy(&to->e, own_votes(from), own_votes(to));
}

static void free_voted(struct machine *m)
{
    linear_free(&((struct machine_voted *)m)->start);
    machine_votes_free(m);
}

static perc_status copy_voted(const struct machine *from, struct machine *to)
{
    const struct linear *start = machine_votes_start(from);
    struct linear *own = &((struct machine_voted *)to)->start;

    linear_free(own);
    *own = (struct linear){ 0 };
    if (start != NULL && linear_copy(&to->e, start, own)) return PERC_ENOMEM;
    return machine_votes_copy(from, to);
}

/* ----- classes ---------------------------------------------------------------------------- */

/* Room for the votes that splitting and inserting copy: at most those of vector 0, and those of
 * the unseen class. */
perc_status machine_votes_reserve_class(struct machine *m, const struct arrival *a)
{
    struct votes *v = own_votes(m);
    size_t more = 0;

    for (size_t k = 0; k < v->n; k++)
        more += v->vote[k].up == a->unseen || (a->two && v->vote[k].up == 0);
    return MEM_GROW(&v->e, v->vote, &v->cap, v->n + more) ? PERC_OK : PERC_ENOMEM;
}

void machine_votes_negate(struct machine *m)
{
    struct votes *v = own_votes(m);

    for (size_t k = 0; k < v->n; k++)
        if (v->vote[k].up == 0) v->vote[k].step = 0 - v->vote[k].step;
}

void machine_votes_split(struct machine *m, enum kind kind)
{
    if (kind == KIND_NATIVE) {
        votes_split(own_votes(m));
    } else {
        votes_insert(own_votes(m), 0, 0);
        machine_votes_negate(m);
    }
}

void machine_votes_insert(struct machine *m, size_t at, size_t unseen)
{
    votes_insert(own_votes(m), at, unseen);
}

void machine_votes_seal(struct machine *m, size_t unseen)
{
    votes_drop(own_votes(m), unseen);
}

size_t machine_updates(const struct machine *m)
{
    return machine_votes_of(m) != NULL ? own_votes(m)->n : 0;
}

/* ----- learning --------------------------------------------------------------------------- */

void machine_votes_record(struct machine *m, const struct update *u)
{
    struct votes *v = own_votes(m);

    if (votes_add(v, u->x, u->up, u->down, u->step, u->shown + 1)) m->failed = true;
    else if (u->step != 0) v->vote[v->n - 1].example = u->example;
}

/* The start has the classes of the machine: a new one begins at 0. */
static perc_status reserve_voted(struct machine *m, const struct arrival *a)
{
    struct linear *start = machine_votes_start(m);

    if (start != NULL && linear_reserve(start, a->room)) return PERC_ENOMEM;
    return machine_votes_reserve_class(m, a);
}

static void negate_voted(struct machine *m)
{
    if (machine_votes_start(m) != NULL) linear_negate(machine_votes_start(m));
    machine_votes_negate(m);
}

static void split_voted(struct machine *m, enum kind kind)
{
    if (machine_votes_start(m) != NULL) linear_split(machine_votes_start(m));
    machine_votes_split(m, kind);
}

static void insert_voted(struct machine *m, size_t at, size_t unseen)
{
    if (machine_votes_start(m) != NULL) linear_insert(machine_votes_start(m), at);
    machine_votes_insert(m, at, unseen);
}

static void add_and_record(struct machine *m, const struct update *u)
{
    machine_add_vector(m, &m->last, &m->sum, u, true);
    machine_votes_record(m, u);
}

bool machine_votes_add_unseen(struct machine *m, const struct update *u)
{
    machine_linear_add_unseen(m, u);
    machine_votes_record(m, u);
    return true;
}

/* ----- answering: by the votes. The last vectors, with MACHINE_QUICK, are never asked so --- */

static perc_status open_counter(struct machine_scorer *s)
{
    struct vote_counter *counter = NULL;
    const struct linear *last = &s->m->last;
    const perc_status st = vote_counter_new(&s->e, own_votes(s->m), machine_votes_start(s->m),
                                            s->kind, s->outputs, last->dims, last->offset, s->shown,
                                            &counter);

    assert(!s->last);
    s->state = counter;
    return st;
}

static void close_counter(struct machine_scorer *s)
{
    vote_counter_free(s->state);
}

static perc_status open_votes_scratch(struct machine_scratch *d)
{
    d->most = d->stable ? VOTE_ROWS : 1;
    d->state = mem_array(&d->s->e, vote_counter_scratch(d->s->state), sizeof(double));
    return d->state != NULL ? PERC_OK : PERC_ENOMEM;
}

static void close_votes_scratch(struct machine_scratch *d)
{
    mem_free(&d->s->e, d->state, vote_counter_scratch(d->s->state), sizeof(double));
}

static perc_status run_votes(struct machine_scratch *d, double *out, size_t *bad)
{
    (void)bad; /* votes are numbers */
    vote_counter_scores(d->s->state, d->x, d->n, d->state, out);
    d->n = 0;
    return PERC_OK;
}

/* ----- in a file -------------------------------------------------------------------------- */

/* What they must agree with. */
static struct votes_frame frame_of(const struct machine *m, const struct machine_file *f)
{
    return (struct votes_frame){ .vectors = f->outputs + m->expecting,
                                 .pairs = f->kind == KIND_NATIVE,
                                 .kernel = m->ops != &machine_votes,
                                 .columns = machine_dims(m),
                                 .below = f->below,
                                 .shown = f->shown };
}

perc_status machine_votes_pack(const struct machine *m, struct machine_file *f, struct tensors *t)
{
    const struct votes_frame frame = frame_of(m, f);
    const struct votes *v = own_votes(m);

    if (!votes_in_order(v)) {
        if (votes_tidy(&t->e, v, &f->tidy)) return PERC_ENOMEM;
        v = &f->tidy;
    }
    return votes_pack(v, &frame, t);
}

perc_status machine_votes_unpack(struct machine *m, const struct machine_file *f,
                                 const struct tensors *t, perc_error *err)
{
    const struct votes_frame frame = frame_of(m, f);

    votes_free(own_votes(m));
    votes_init(own_votes(m), &m->e);
    return votes_unpack(own_votes(m), &frame, t, err);
}

static perc_status pack_voted(const struct machine *m, struct machine_file *f, struct tensors *t)
{
    const struct linear *start = machine_votes_start(m);
    const struct linear_frame frame = machine_file_frame(m, f, false);

    if (start != NULL && linear_pack(start, &frame, "start.weight", "start.offset", t))
        return PERC_ENOMEM;
    return machine_votes_pack(m, f, t);
}

static perc_status unpack_voted(struct machine *m, const struct machine_file *f,
                                const struct tensors *t, perc_error *err)
{
    struct linear *start = &((struct machine_voted *)m)->start;
    const struct linear_frame frame = machine_file_frame(m, f, false);
    perc_status st;

    if (tensors_find(t, "start.weight") != NULL) {
        if (linear_init(start, &m->e, 1, m->last.offset)) return fail_memory(err);
        st = linear_unpack(start, &frame, "start.weight", "start.offset", t, err);
        if (st) return st;
        if (start->dims > m->last.dims)
            return fail(err, PERC_EDATA, "tensor 'start.weight' has more features than 'weight'");
    }
    return machine_votes_unpack(m, f, t, err);
}

const struct machine_ops machine_votes = {
    .word = "votes",
    .flags = MACHINE_WEIGHTS | MACHINE_QUICK,
    .size = sizeof(struct machine_voted),
    .init = machine_votes_init,
    .free = free_voted,
    .copy = copy_voted,
    .reserve_class = reserve_voted,
    .negate = negate_voted,
    .split = split_voted,
    .insert = insert_voted,
    .seal = machine_votes_seal,
    .scores = machine_linear_scores,
    .add = add_and_record,
    .add_unseen = machine_votes_add_unseen,
    .scorer_open = open_counter,
    .scorer_close = close_counter,
    .scratch_open = open_votes_scratch,
    .scratch_close = close_votes_scratch,
    .run = run_votes,
    .pack = pack_voted,
    .unpack = unpack_voted,
};
