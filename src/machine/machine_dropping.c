/* machine_dropping.c -- vectors, and the updates that made them, so that those of a row that errs
 * again and again can be taken out (drop.h). Then w is the sum of the updates that remain, in the
 * order in which they were made, begun at 0: not what a subtraction leaves, which is rounded. */
#include "machine/machine_dropping.h"

#include <string.h>

struct dropping {
    struct machine_voted voted;
    struct drop *drop;
};

static struct drop *own_drop(const struct machine *m)
{
    return ((const struct dropping *)m)->drop;
}

static struct votes *own_votes(const struct machine *m)
{
    return &((struct dropping *)(uintptr_t)m)->voted.votes;
}

/* ----- shared with kernel machines ---------------------------------------------------------- */

perc_status machine_dropping_without_data(const struct machine *m, const char *where,
                                          perc_error *err)
{
    (void)m;
    return fail(err, PERC_EARG,
                "--drop-after counts the mistakes of every row, so it needs the data in "
                "memory; %s has them one by one",
                where);
}

perc_status machine_dropping_new(const struct machine *m, const perc_params *p, struct drop **out)
{
    const int64_t after = params_int(p, "drop-after");

    *out = NULL;
    return after == 0 ? PERC_OK
                      : drop_new(&m->e, after, !params_is(p, "multiclass", "native"), out);
}

perc_status machine_dropping_check_class(const struct drop *d, const char *label, perc_error *err)
{
    if (d == NULL || !d->each || d->used == 0) return PERC_OK;
    return fail(err, PERC_EDATA,
                "'%.60s' is a new label: --drop-after has counted the mistakes of each class from "
                "the first row on (train anew, or pass --multiclass native)",
                label);
}

void machine_dropping_know(struct drop *d, const struct machine *m)
{
    if (d != NULL && d->each) d->vectors = m->last.vectors;
}

bool machine_dropping_count(struct machine *m, struct drop *d, const struct update *u)
{
    bool now = false;

    if (d == NULL) return false;
    if (drop_count(d, u->example, u->up, &now)) m->failed = true;
    if (now)
        votes_remove(&((struct machine_voted *)m)->votes, u->example,
                     d->vectors > 1 ? u->up : NO_VECTOR);
    return now;
}

void machine_dropping_tell(const struct drop *d, struct machine_facts *out)
{
    if (d == NULL) return;
    out->dropped = d->row;
    out->dropped_vector = d->vectors > 1 ? d->vector : NULL;
    out->dropped_count = d->n;
    out->dropped_rows = d->rows;
}

/* ----- making one --------------------------------------------------------------------------- */

static perc_status init_dropping(struct machine *m, const perc_params *p)
{
    const perc_status st = machine_votes_init(m, p);

    return st ? st : machine_dropping_new(m, p, &((struct dropping *)m)->drop);
}

static void free_dropping(struct machine *m)
{
    drop_free(own_drop(m));
    machine_votes_free(m);
}

static perc_status copy_dropping(const struct machine *from, struct machine *to)
{
    return drop_copy(own_drop(from), own_drop(to)) ? PERC_ENOMEM : machine_votes_copy(from, to);
}

static perc_status check_class(const struct machine *m, size_t n, bool native, const char *label,
                               perc_error *err)
{
    (void)n, (void)native;
    return machine_dropping_check_class(own_drop(m), label, err);
}

static void insert_class(struct machine *m, size_t at, size_t unseen)
{
    machine_votes_insert(m, at, unseen);
    machine_dropping_know(own_drop(m), m);
}

/* ----- learning ----------------------------------------------------------------------------- */

/* The sum of all updates, in their order, in w. */
static void sum_updates(struct machine *m, struct linear *w)
{
    const struct votes *v = own_votes(m);

    memset(w->w, 0, w->dims * w->stride * sizeof *w->w);
    memset(w->b, 0, w->stride * sizeof *w->b);
    for (size_t k = 0; k < v->n; k++) {
        const struct vote *one = &v->vote[k];
        const struct row x = votes_row(v, one->row);
        const size_t down = one->down == NO_DOWN ? NO_VECTOR : one->down;
        const struct update u = { .x = &x, .up = one->up, .down = down, .step = one->step };
        machine_add_vector(m, w, &m->sum, &u, true);
    }
}

static void add_or_drop(struct machine *m, const struct update *u)
{
    if (machine_dropping_count(m, own_drop(m), u)) sum_updates(m, &m->last);
    else if (!m->failed) {
        machine_add_vector(m, &m->last, &m->sum, u, true);
        machine_votes_record(m, u);
    }
}

/* Sums without some of the updates are finite only where each update is ordinary. */
static bool holds_dropping(const struct machine *m, const struct update *u, bool unseen)
{
    (void)m, (void)u, (void)unseen;
    return false;
}

static bool is_set_aside(const struct machine *m, int64_t row, size_t vector)
{
    return drop_has(own_drop(m), row, vector);
}

static void describe_dropping(const struct machine *m, uint64_t below, struct machine_facts *out)
{
    (void)below;
    machine_dropping_tell(own_drop(m), out);
}

/* ----- in a file ---------------------------------------------------------------------------- */

static perc_status pack_dropping(const struct machine *m, struct machine_file *f, struct tensors *t)
{
    return machine_votes_pack(m, f, t) ? PERC_ENOMEM : drop_pack(own_drop(m), t);
}

/* The weights must be the sum of the updates: training that goes on would make them so. */
static perc_status check_sum(struct machine *m, perc_error *err)
{
    struct linear w = { .e = m->e };
    perc_status st = PERC_OK;

    if (linear_copy(&m->e, &m->last, &w)) return fail_memory(err);
    sum_updates(m, &w);
    if (memcmp(w.w, m->last.w, w.dims * w.stride * sizeof *w.w) != 0 ||
        memcmp(w.b, m->last.b, w.stride * sizeof *w.b) != 0)
        st = fail(err, PERC_EDATA, "weight, offset: they are not the sum of the updates in vote.*");
    linear_free(&w);
    return st;
}

static perc_status unpack_dropping(struct machine *m, const struct machine_file *f,
                                   const struct tensors *t, perc_error *err)
{
    perc_status st = machine_votes_unpack(m, f, t, err);

    machine_dropping_know(own_drop(m), m);
    if (!st) st = drop_unpack(own_drop(m), own_votes(m), (int64_t)f->data_rows, t, err);
    return st ? st : check_sum(m, err);
}

const struct machine_ops machine_dropping = {
    .word = "linear",
    .flags = MACHINE_WEIGHTS | MACHINE_QUICK,
    .size = sizeof(struct dropping),
    .init = init_dropping,
    .free = free_dropping,
    .copy = copy_dropping,
    .without_data = machine_dropping_without_data,
    .check_class = check_class,
    .reserve_class = machine_votes_reserve_class,
    .negate = machine_votes_negate,
    .split = machine_votes_split,
    .insert = insert_class,
    .seal = machine_votes_seal,
    .scores = machine_linear_scores,
    .add = add_or_drop,
    .holds = holds_dropping,
    .add_unseen = machine_votes_add_unseen,
    .skips = is_set_aside,
    .scratch_open = machine_linear_scratch_open,
    .scratch_close = machine_linear_scratch_close,
    .run = machine_linear_run,
    .describe = describe_dropping,
    .pack = pack_dropping,
    .unpack = unpack_dropping,
};
