/* machine_linear.c -- vectors alone: s_c(x) = w_c.x + b_c. */
#include <string.h>

#include "machine/machine.h"

perc_status machine_linear_scores(struct machine *m, const struct row *x, size_t outputs,
                                  double *out)
{
    (void)outputs;
    if (m->last.stride == 1) out[0] = linear_score(&m->last, x);
    else linear_scores(&m->last, x, out);
    return PERC_OK;
}

static void add_to_vectors(struct machine *m, const struct update *u)
{
    machine_add_vector(m, &m->last, &m->sum, u, true);
}

bool machine_linear_add_unseen(struct machine *m, const struct update *u)
{
    struct update own = *u;

    own.up = 0;
    machine_add_vector(m, &m->unseen, &m->unseen_sum, &own, m->ops->flags & MACHINE_WEIGHTS);
    return true;
}

/* ----- answering -------------------------------------------------------------------------- */

/* Scores padded to the stride, for several classes. */
perc_status machine_linear_scratch_open(struct machine_scratch *d)
{
    const size_t stride = d->s->vectors->stride;

    d->most = d->stable ? ROW_DOTS : 1;
    if (stride > 1) d->state = mem_array(&d->s->e, LINEAR_ROOM(stride), sizeof(double));
    return stride > 1 && d->state == NULL ? PERC_ENOMEM : PERC_OK;
}

void machine_linear_scratch_close(struct machine_scratch *d)
{
    mem_free(&d->s->e, d->state, LINEAR_ROOM(d->s->vectors->stride), sizeof(double));
}

perc_status machine_linear_run(struct machine_scratch *d, double *out, size_t *bad)
{
    const struct linear *w = d->s->vectors;
    double *padded = d->state;
    const size_t n = d->n;

    (void)bad;
    d->n = 0;
    if (w->stride == 1 && n == 1) {
        out[0] = linear_score(w, d->x);
        return PERC_OK;
    }
    if (w->stride == 1) {
        row_dots(d->x, (int)n, w->w, w->dims, out);
        for (size_t i = 0; i < n; i++) out[i] += w->b[0];
        return PERC_OK;
    }
    for (size_t i = 0; i < n; i++) {
        linear_scores(w, &d->x[i], padded);
        memcpy(out + i * d->s->outputs, padded, d->s->outputs * sizeof *out);
    }
    return PERC_OK;
}

const struct machine_ops machine_linear = {
    .word = "linear",
    .flags = MACHINE_WEIGHTS | MACHINE_QUICK,
    .size = sizeof(struct machine),
    .scores = machine_linear_scores,
    .add = add_to_vectors,
    .add_unseen = machine_linear_add_unseen,
    .scratch_open = machine_linear_scratch_open,
    .scratch_close = machine_linear_scratch_close,
    .run = machine_linear_run,
};
