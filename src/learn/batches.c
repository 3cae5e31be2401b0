/* batches.c -- from rows to batches to steps of a network. */
#include "learn/batches.h"

#include <math.h>

#include "learn/feed.h"
#include "machine/machine_mlp.h"

static const double POLL = 1 << 22; /* products between two polls of the clock */

/* All that a step changes. */
struct good {
    struct mlp set[MACHINE_MLP_SETS];
    int64_t steps, shown;
    struct progress progress;
};

struct batches {
    struct fit *f;
    struct machine_network *m; /* that of f's learner */
    size_t size;               /* rows of a batch */
    struct feed *feed;         /* NULL: a stream */
    struct minibatch pending;  /* on a stream: rows of the next batch ... */
    bool stepped;              /* ... or, until another row comes, of the last */
    struct mlp_scratch alone;  /* for the scores of a batch */
    bool sound;                /* the last batch of the pass has scores after its step */
    struct good good;          /* after the last whole pass, or as it began */
    double work;               /* products since the clock was looked at */
    double loss;               /* sum in this pass, of so many rows */
    uint64_t counted;
};

/* ----- the last good state ----------------------------------------------------------- */

perc_status batches_keep(struct batches *b)
{
    const struct learner *l = b->f->learner;
    struct good *g = &b->good;
    struct mlp *set[MACHINE_MLP_SETS];

    g->steps = b->m->backprop->steps;
    g->shown = l->shown;
    g->progress = l->progress;
    machine_mlp_sets(b->m, set);
    for (size_t k = 0; k < MACHINE_MLP_SETS; k++) {
        const struct mlp *from = set[k];
        struct mlp *to = &g->set[k];
        const bool same = from->layers == to->layers && from->layers > 0 &&
                          from->layer[0].in == to->layer[0].in &&
                          mlp_outputs(from) == mlp_outputs(to) &&
                          from->layer[from->layers - 1].stride == to->layer[to->layers - 1].stride;
        if (same) mlp_assign(to, from); /* as after every pass but the first of a stream */
        else mlp_free(to);
        if (!same && from->layers > 0 && mlp_copy(&l->e, from, to)) return fail_memory(b->f->err);
    }
    return PERC_OK;
}

/* Goes back to the last good state: that after the last whole pass, or the start. On a stream the
 * start knew neither columns nor classes, so there is none. `step`: where the trouble was seen. */
static bool go_back(struct batches *b, int64_t step)
{
    struct fit *f = b->f;
    struct learner *l = f->learner;
    struct good *g = &b->good;
    const int64_t pass = l->progress.epoch;
    struct mlp *set[MACHINE_MLP_SETS];

    if (g->progress.epoch == 0 && f->blocks == NULL) {
        f->st = fail(f->err, PERC_EDATA,
                     "the loss is no longer a number at step %lld of pass %lld: pass a smaller "
                     "--rate, or scale the data (--scale standard, unit or by:NUMBER)",
                     (long long)step, (long long)pass);
        return false;
    }
    machine_mlp_sets(b->m, set);
    for (size_t k = 0; k < MACHINE_MLP_SETS; k++) {
        const struct mlp bad = *set[k];
        *set[k] = g->set[k];
        g->set[k] = bad;
    }
    b->m->backprop->steps = g->steps;
    l->shown = g->shown;
    l->progress = g->progress;
    l->progress.stop = PERC_STOP_DIVERGED;
    l->diverged.epoch = pass;
    l->diverged.step = step;
    return false;
}

/* ----- steps ------------------------------------------------------------------------- */

/* One step from the rows of m. false: the run is over. */
static bool step_batch(struct batches *b, struct minibatch *m)
{
    struct fit *f = b->f;
    struct learner *l = f->learner;
    struct progress *g = &l->progress;
    struct backprop_outcome o = { 0 };

    if (backprop_step(b->m->backprop, &b->m->net, m, &o)) {
        f->st = fail_memory(f->err);
        return false;
    }
    if (!isfinite(o.loss)) return go_back(b, b->m->backprop->steps + 1);
    g->position += (int64_t)m->n;
    g->examples += (int64_t)m->n;
    g->mistakes += (int64_t)o.mistakes;
    g->pass_mistakes += (int64_t)o.mistakes;
    g->updates += m->counted > 0;
    g->pass_updates += m->counted > 0;
    l->shown += (int64_t)m->counted;
    b->loss += o.loss;
    b->counted += m->counted;
    if (b->counted > 0) f->pass_loss = b->loss / (double)b->counted;
    if (f->updates > 0 && g->updates >= f->updates) g->stop = PERC_STOP_UPDATES;
    if (f->observer != NULL && f->observer->level >= PERC_WATCH_UPDATES)
        fit_tell_step(f, m->n == 1 ? (int64_t)m->row[0] : -1);
    for (size_t k = 0; k < b->m->net.layers; k++) { /* about the products of a step */
        const struct layer *y = &b->m->net.layer[k];
        b->work += (double)y->out *
                   (k > 0 ? (double)y->in * (double)m->n : (double)(m->entries + m->n + y->in));
    }
    if (b->work >= POLL) {
        b->work = 0;
        fit_poll(f);
    }
    return g->stop == PERC_STOP_NONE;
}

/* Whether the scores of the rows of m are still numbers. The loss of a step is the one before it,
 * so after the last step of a pass there is no other that would show what it did. */
static perc_status check_scores(struct batches *b, const struct minibatch *m)
{
    const struct mlp *net = &b->m->net;
    const size_t last = net->layers - 1, stride = net->layer[last].stride;
    const struct sparse x = minibatch_rows(m);

    if (m->n > b->alone.rows || b->alone.stride[last] != stride) {
        mlp_scratch_free(&b->alone);
        if (mlp_scratch_init(&b->alone, &b->f->learner->e, net, m->n))
            return b->f->st = fail_memory(b->f->err);
    }
    mlp_forward(net, &b->alone, &x, 0, m->n);
    b->sound = true;
    for (size_t i = 0; i < m->n * stride; i++) b->sound &= isfinite(b->alone.a[last][i]) != 0;
    return PERC_OK;
}

bool batches_pass(struct batches *b, const uint64_t *ref, uint64_t n)
{
    struct minibatch *m = NULL;
    bool go_on = true;
    uint64_t shown = 0;

    feed_begin(b->feed, ref, n);
    while (go_on) {
        if (feed_next(b->feed, &m)) {
            b->f->st = fail_memory(b->f->err);
            go_on = false;
        } else if (m == NULL) {
            break;
        } else {
            go_on = step_batch(b, m);
            shown += m->n;
            if (go_on && shown == n && check_scores(b, m)) go_on = false;
        }
    }
    feed_end(b->feed);
    return go_on;
}

static bool step_pending(struct batches *b)
{
    if (b->stepped || b->pending.n == 0) return true;
    if (minibatch_transpose(&b->pending, machine_dims(&b->m->base))) {
        b->f->st = fail_memory(b->f->err);
        return false;
    }
    b->stepped = true;
    return step_batch(b, &b->pending);
}

bool batches_rows(struct batches *b, const struct block *blocks, const uint64_t *ref, size_t n)
{
    struct fit *f = b->f;

    for (size_t k = 0; k < n; k++) {
        const struct block *from = &blocks[ref[k] >> 32];
        const size_t i = (size_t)(ref[k] & UINT32_MAX);
        const uint32_t label = from->label[i];
        const struct row x = lens_row(&f->lens, from, i);
        const size_t known = f->learner->labels.n;
        if (f->class_of[label] == CLASS_NONE && fit_meet(f, label)) return false;
        if (f->learner->labels.n > known) /* waiting rows follow the new numbers */
            for (size_t w = 0; w < b->pending.n; w++)
                b->pending.class[w] += b->pending.class[w] >= f->class_of[label];
        if (b->stepped) minibatch_clear(&b->pending);
        b->stepped = false;
        const double weight = block_weight(from, i) * f->weight_of[label];
        if (minibatch_add(&b->pending, &x, f->class_of[label], weight, from->first_row + i)) {
            f->st = fail_memory(f->err);
            return false;
        }
        if (b->pending.n == b->size && !step_pending(b)) return false;
    }
    return true;
}

/* ----- passes ----------------------------------------------------------------------------- */

perc_status batches_new(struct fit *f, const perc_params *p, struct batches **out)
{
    const struct env *e = &f->learner->e;
    const int64_t size = params_int(p, "batch");
    uint64_t rows = 0;
    struct batches *b;
    perc_status st = PERC_OK;

    *out = NULL;
    for (size_t k = 0; k < f->block_count; k++) rows += f->blocks[k].rows;
    if (f->blocks != NULL && params_given(p, "batch") && (uint64_t)size > rows)
        return fail(f->err, PERC_EARG,
                    "--batch %lld is more than there are rows: pass at most %llu", (long long)size,
                    (unsigned long long)rows);
    if ((b = mem_zeroed(e, 1, sizeof *b)) == NULL) return fail_memory(f->err);
    *b = (struct batches){ .f = f, .m = machine_mlp_of(f->learner->machine), .size = (size_t)size };
    b->m->backprop->textbook = params_is(p, "loop", "textbook"); /* in a run that goes on, too */
    minibatch_init(&b->pending, e);
    for (size_t k = 0; k < MACHINE_MLP_SETS; k++) b->good.set[k].e = *e;
    const struct feed_source source = { .blocks = f->blocks,
                                        .block_count = f->block_count,
                                        .map = f->lens.map,
                                        .class_of = f->class_of,
                                        .weight_of = f->weight_of,
                                        .columns = machine_dims(&b->m->base),
                                        .batch = b->size };
    if (f->blocks != NULL) st = feed_new(e, &source, &b->feed, f->err); /* all classes are known */
    if (!st) st = batches_keep(b);
    if (st) batches_free(b);
    else *out = b;
    return st;
}

void batches_free(struct batches *b)
{
    if (b == NULL) return;
    feed_free(b->feed);
    minibatch_free(&b->pending);
    mlp_scratch_free(&b->alone);
    for (size_t k = 0; k < MACHINE_MLP_SETS; k++) mlp_free(&b->good.set[k]);
    mem_free(&b->f->learner->e, b, 1, sizeof *b);
}

void batches_pass_begin(struct batches *b)
{
    b->loss = 0;
    b->counted = 0;
    b->sound = true;
    b->f->pass_loss = NAN;
}

bool batches_pass_end(struct batches *b)
{
    if (!step_pending(b)) return false;
    if (b->feed == NULL && b->pending.n > 0 && check_scores(b, &b->pending)) return false;
    return (b->sound && machine_mlp_is_finite(b->m)) || go_back(b, b->m->backprop->steps);
}

void batches_stopped(struct batches *b)
{
    if (!b->f->st && !machine_mlp_is_finite(b->m)) go_back(b, b->m->backprop->steps);
}
