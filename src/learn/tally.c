/* tally.c -- how good weights, or a network, are on the data they were learned from. */
#include <math.h>

#include "base/threads.h"
#include "learn/fit.h"
#include "machine/forward.h"
#include "machine/machine_mlp.h"

enum { POLL = 1 << 18 }; /* products between two looks at the clock */

/* Notes |x|^2, if it may be the largest so far: approx is within a part in 10^9. */
static void note_size(struct tally *t, const struct row *x, double approx)
{
    if (!(approx > t->radius2 * (1 - 1e-9))) return;
    const double norm2 = row_norm2(x);
    if (norm2 > t->radius2) t->radius2 = norm2;
}

/* Errors are decided as in training; the loss is made of canonical scores. */
static void tally_two(const struct learner *l, const struct linear *m, const struct row *x,
                      size_t class, struct tally *t)
{
    const double y = class > 0 ? 1 : -1;
    const struct quick q = row_measure(x, m->w);
    double s = q.sum + m->b[0];

    if (!(y * s > quick_bound(&q, x->n, m->b[0]))) { /* an error, or too close to say */
        s = row_dot(x, m->w, ALL_COLUMNS) + m->b[0];
        t->errors += !(y * s > 0);
        t->loss += learner_loss(l, &s, class);
    }
    note_size(t, x, q.norm2);
}

/* ----- a network -------------------------------------------------------------------- */

/* The scratch of one thread: rows on their way. */
struct crowd {
    struct forward net;
    struct lens lens;
    size_t n; /* rows on their way */
    size_t class[FORWARD_ROWS];
    double *z; /* net.most * outputs */
};

static void tally_crowd(const struct learner *l, struct crowd *c, struct tally *t)
{
    const size_t outputs = mlp_outputs(c->net.net);

    forward_run(&c->net, c->z);
    for (size_t i = 0; i < c->n; i++) { /* a score that is NaN is an error */
        const double *z = c->z + i * outputs;
        t->errors += !(learner_margin(l, z, c->class[i]) > 0);
        t->loss += forward_loss(z, outputs, c->class[i]);
    }
    c->n = 0;
}

/* In the order of the rows, whatever goes through the network together. */
static perc_status tally_rows(const struct fit *f, struct crowd *c, const struct block *b,
                              const struct watch *watch, struct tally *t)
{
    for (size_t i = 0; i < b->rows; i++) {
        const size_t class = f->class_of[b->label[i]];
        if (!(block_weight(b, i) * f->weight_of[b->label[i]] > 0)) continue;
        const struct row x = lens_row(&c->lens, b, i);
        t->rows++;
        note_size(t, &x, INFINITY);
        if (class == CLASS_NONE) {
            t->errors++;
            continue;
        }
        if (forward_add(&c->net, &x)) return PERC_ENOMEM;
        c->class[c->n++] = class;
        if (c->n < c->net.most) continue;
        tally_crowd(f->learner, c, t);
        if (!watch_ask(watch, 0)) return PERC_EUNDECIDED;
    }
    if (c->n > 0) tally_crowd(f->learner, c, t);
    return PERC_OK;
}

static perc_status tally_network(const struct fit *f, const struct mlp *net, const struct block *b,
                                 const struct watch *watch, struct tally *t, perc_error *err)
{
    const struct learner *l = f->learner;
    struct crowd c = { .n = 0 };
    perc_status st;

    lens_init(&c.lens, &l->e, f->lens.map);
    if ((st = lens_reserve(&c.lens, b, err))) {
        lens_free(&c.lens);
        return st;
    }
    st = forward_open(&c.net, &l->e, net, b->rows);
    const size_t outputs = mlp_outputs(net), rows = c.net.most;
    c.z = mem_array(&l->e, rows, outputs * sizeof *c.z);
    if (!st) st = c.z == NULL ? PERC_ENOMEM : tally_rows(f, &c, b, watch, t);
    mem_free(&l->e, c.z, rows, outputs * sizeof *c.z);
    forward_close(&c.net);
    lens_free(&c.lens);
    return st == PERC_ENOMEM ? fail_memory(err) : st;
}

/* ----- blocks ------------------------------------------------------------------------ */

perc_status tally_block(const struct fit *f, const struct linear *m, const struct block *b,
                        const struct watch *watch, struct tally *t, perc_error *err)
{
    const struct learner *l = f->learner;
    const struct machine_network *network = machine_mlp_of(l->machine);
    struct lens lens;
    uint64_t work = POLL; /* since the watch was asked */
    perc_status st;
    double *scores;

    if (network != NULL) return tally_network(f, &network->net, b, watch, t, err);
    lens_init(&lens, &l->e, f->lens.map);
    if ((st = lens_reserve(&lens, b, err))) return st;
    scores = mem_array(&l->e, LINEAR_ROOM(m->stride), sizeof *scores);
    st = scores == NULL ? fail_memory(err) : PERC_OK;
    for (size_t i = 0; i < b->rows && !st; i++) {
        const size_t class = f->class_of[b->label[i]];
        if (!(block_weight(b, i) * f->weight_of[b->label[i]] > 0)) continue;
        const struct row x = lens_row(&lens, b, i);
        t->rows++;
        work += (x.n + 1) * m->stride;
        if (work >= POLL && !watch_ask(watch, 0)) st = fail(err, PERC_EUNDECIDED, "cancelled");
        if (work >= POLL) work = 0;
        if (class == CLASS_NONE) t->errors++;
        else if (l->kind == KIND_TWO) tally_two(l, m, &x, class, t);
        else {
            linear_scores(m, &x, scores);
            const double margin = learner_margin(l, scores, class);
            t->errors += !(margin > 0);
            if (margin < 0) t->loss += learner_loss(l, scores, class);
            note_size(t, &x, INFINITY);
        }
    }
    mem_free(&l->e, scores, LINEAR_ROOM(m->stride), sizeof *scores);
    lens_free(&lens);
    return st;
}

struct tallies {
    const struct fit *f;
    const struct linear *m;
    const struct watch *watch;
    struct tally *each;
    perc_status *st;
};

static void tally_one(void *ud, uint64_t i)
{
    const struct tallies *t = ud;

    t->st[i] = tally_block(t->f, t->m, &t->f->blocks[i], t->watch, &t->each[i], NULL);
}

perc_status tally_blocks(const struct fit *f, const struct linear *m, const struct watch *watch,
                         struct tally *out, perc_error *err)
{
    const struct env *e = &f->learner->e;
    const size_t n = f->block_count;
    struct tallies t = { f, m, watch, mem_zeroed(e, n, sizeof(struct tally)),
                         mem_zeroed(e, n, sizeof(perc_status)) };
    perc_status st = t.each == NULL || t.st == NULL ? PERC_ENOMEM : PERC_OK;

    *out = (struct tally){ 0 };
    if (!st) threads_each(e->threads, n, tally_one, &t);
    for (size_t i = 0; i < n && !st; i++) { /* in order: the same bits for any number of threads */
        st = t.st[i];
        out->rows += t.each[i].rows;
        out->errors += t.each[i].errors;
        out->loss += t.each[i].loss;
        if (t.each[i].radius2 > out->radius2) out->radius2 = t.each[i].radius2;
    }
    mem_free(e, t.each, n, sizeof *t.each);
    mem_free(e, t.st, n, sizeof *t.st);
    return st == PERC_ENOMEM ? fail_memory(err) : st;
}
