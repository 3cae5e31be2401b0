/* supports.c -- the examples that a machine with a kernel is made of.
 *
 * A counter belongs to an example, not to where it lies: of two equal rows with different
 * labels each has its own, though the file keeps their place once (the distinct rows of
 * machine/votes.h). It is the updates that the example has made; one that was set aside
 * (machine/drop.h) has none left, and is no support any more. */
#include <math.h>

#include "data/bag.h"
#include "machine/machine_kernel.h"
#include "model/model.h"

perc_status supports_open(const struct env *e, size_t updates, struct counts *c)
{
    *c = (struct counts){ .slots = 16, .key = e->key };
    while (c->slots / 2 < updates) c->slots *= 2;
    c->slot = mem_array(e, c->slots, sizeof *c->slot);
    return c->slot != NULL ? PERC_OK : PERC_ENOMEM;
}

void supports_close(const struct env *e, struct counts *c)
{
    mem_free(e, c->slot, c->slots, sizeof *c->slot);
}

/* Where an example stands, or would. */
static perc_support *find_slot(const struct counts *c, int64_t example)
{
    for (uint64_t at = hash_key_number(&c->key, (uint64_t)example);; at++) {
        perc_support *s = &c->slot[at & (c->slots - 1)];
        if (s->row < 0 || s->row == example) return s;
    }
}

/* The class that an update speaks for; -1: it only says which one it is not. */
static int64_t label_of(const struct learner *l, const struct vote *one)
{
    if (l->kind == KIND_TWO) return one->step > 0;
    return one->down != NO_DOWN || one->step > 0 ? (int64_t)one->up : -1;
}

/* All updates that count: not those of the unseen class, nor those of rows that were set
 * aside. */
uint64_t supports_count(const struct learner *l, struct counts *c)
{
    const struct votes *v = machine_votes_of(l->machine);
    const struct moment moment = learner_moment(l);
    const size_t outputs = learner_outputs(l);
    uint64_t n = 0;

    for (size_t i = 0; i < c->slots; i++) c->slot[i].row = -1;
    for (size_t k = 0; k < moment.updates; k++) {
        const struct vote *one = &v->vote[k];
        if (one->up >= outputs || one->aside) continue;
        perc_support *s = find_slot(c, one->example);
        if (s->row < 0)
            *s = (perc_support){ .row = one->example,
                                 .label = label_of(l, one),
                                 .coefficient = l->kind == KIND_TWO ? 0 : NAN };
        n += s->counter++ == 0;
        s->coefficient += moment_step(&moment, one);
        if (s->label < 0) s->label = label_of(l, one);
    }
    return n;
}

perc_status model_count_supports(perc_model *m, perc_error *err)
{
    const struct learner *l = &m->learner;
    struct counts c;

    if (machine_expansion_of(l->machine) == NULL) return PERC_OK;
    if (supports_open(&m->e, learner_moment(l).updates, &c)) return fail_memory(err);
    m->support_count = supports_count(l, &c);
    supports_close(&m->e, &c);
    return PERC_OK;
}

uint64_t model_supports(const perc_model *m)
{
    const struct learner *l = &m->learner;
    const struct budget *budget = machine_budget_of(l->machine);

    if (budget != NULL) return budget->rows;
    return machine_expansion_of(l->machine) != NULL ? m->support_count : l->solved.supports;
}

perc_status perc_model_supports_sized(const perc_model *m, perc_support *out, size_t size,
                                      perc_error *err)
{
    NEED(m != NULL);
    NEED(out != NULL || model_supports(m) == 0);
    const struct learner *l = &m->learner;
    const struct budget *budget = machine_budget_of(l->machine);
    struct counts c;

    if (budget != NULL) {
        /* A budget remembers rows, but neither where they came from nor how often they erred. */
        const struct linear *w = &l->machine->last;
        const bool two = l->kind == KIND_TWO;
        for (size_t i = 0; i < budget->rows; i++) {
            const double *a = w->w + i * w->stride;
            const size_t best = two ? a[0] > 0 : linear_best(a, learner_outputs(l));
            const perc_support row = { .row = -1,
                                       .counter = -1,
                                       .label = (int64_t)best,
                                       .coefficient = two ? machine_shown(l->machine, a[0]) : NAN };
            sized_copy(sized_at(out, size, i), size, &row, sizeof row);
        }
        return PERC_OK;
    }
    if (machine_expansion_of(l->machine) == NULL)
        return fail(err, PERC_EARG, "a model without a kernel keeps no rows");
    if (supports_open(&m->e, learner_moment(l).updates, &c)) return fail_memory(err);
    supports_count(l, &c);
    /* Those with a counter, by number. */
    struct bag order;
    bool done = true;
    bag_init(&order, &m->e);
    for (size_t i = 0; i < c.slots && done; i++)
        if (c.slot[i].row >= 0) done = bag_put(&order, (uint64_t)c.slot[i].row);
    done = done && bag_sort(&order);
    for (size_t i = 0; i < order.n && done; i++) {
        perc_support *s = find_slot(&c, (int64_t)order.key[i]);
        s->coefficient = machine_shown(l->machine, s->coefficient);
        sized_copy(sized_at(out, size, i), size, s, sizeof *s);
    }
    bag_free(&order);
    supports_close(&m->e, &c);
    return done ? PERC_OK : fail_memory(err);
}
