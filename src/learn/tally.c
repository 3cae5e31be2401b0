/* tally.c -- how good weights are on the data they were learned from. */
#include <math.h>

#include "base/threads.h"
#include "learn/fit.h"

/* |x|^2, if it may be the largest so far: approx is within a part in 10^9. */
static void note_size(struct tally *t, const struct row *x, double approx)
{
    if (!(approx > t->radius2 * (1 - 1e-9))) return;
    const double norm2 = row_norm2(x);
    if (norm2 > t->radius2) t->radius2 = norm2;
}

/* Errors are decided as in training; the loss is made of canonical scores. */
static void tally_two(const struct linear *m, const struct row *x, size_t class, struct tally *t)
{
    const double y = class > 0 ? 1 : -1;
    const struct quick q = row_measure(x, m->w);
    double s = q.sum + m->b[0];

    if (!(y * s > quick_bound(&q, x->n, m->b[0]))) { /* an error, or too close to say */
        s = row_dot(x, m->w, ALL_COLUMNS) + m->b[0];
        t->errors += !(y * s > 0);
        if (y * s < 0) t->loss -= y * s;
    }
    note_size(t, x, q.norm2);
}

static void tally_many(const struct learner *l, const struct linear *m, const struct row *x,
                       size_t class, double *scores, struct tally *t)
{
    linear_scores(m, x, scores);
    const double margin = learner_margin(l, scores, class);
    t->errors += !(margin > 0);
    if (margin < 0) t->loss -= margin;
    note_size(t, x, INFINITY);
}

perc_status tally_block(const struct fit *f, const struct linear *m, const struct block *b,
                        struct tally *t, perc_error *err)
{
    const struct learner *l = f->learner;
    struct lens lens;
    perc_status st;
    double *scores;

    lens_init(&lens, &l->e, f->lens.map);
    if ((st = lens_reserve(&lens, b, err))) return st;
    scores = mem_array(&l->e, m->stride, sizeof *scores);
    for (size_t i = 0; i < b->rows && scores != NULL; i++) {
        const size_t class = f->class_of[b->label[i]];
        if (!(block_weight(b, i) * f->weight_of[b->label[i]] > 0)) continue;
        const struct row x = lens_row(&lens, b, i);
        t->rows++;
        if (class == CLASS_NONE) t->errors++;
        else if (l->kind == KIND_TWO) tally_two(m, &x, class, t);
        else tally_many(l, m, &x, class, scores, t);
    }
    st = scores == NULL ? fail_memory(err) : PERC_OK;
    mem_free(&l->e, scores, m->stride, sizeof *scores);
    lens_free(&lens);
    return st;
}

struct tallies {
    const struct fit *f;
    const struct linear *m;
    struct tally *each;
    perc_status *st;
};

static void tally_one(void *ud, uint64_t i)
{
    const struct tallies *t = ud;

    t->st[i] = tally_block(t->f, t->m, &t->f->blocks[i], &t->each[i], NULL);
}

perc_status tally_blocks(const struct fit *f, const struct linear *m, struct tally *out,
                         perc_error *err)
{
    const struct env *e = &f->learner->e;
    const size_t n = f->block_count;
    struct tallies t = { f, m, mem_zeroed(e, n, sizeof(struct tally)),
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
    return st ? fail_memory(err) : PERC_OK;
}
