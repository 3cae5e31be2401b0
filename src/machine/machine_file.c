/* machine_file.c -- the vectors of a machine in a model file: one list for writing and reading. */
#include "machine/machine_file.h"

#include <stddef.h>

enum {
    IF_LAST = 1,  /* what is returned is the last vectors */
    IF_OTHER = 2, /* it is not */
    IF_UNSEEN = 4 /* a class may still come */
};
static const struct {
    const char *weight, *coefficient; /* the second with a budget */
    const char *offset;
    size_t at;
    unsigned conditions;
} vectors[] = {
    { "weight", "coefficient", "offset", offsetof(struct machine, last), IF_LAST },
    { "weight", "coefficient", "offset", offsetof(struct machine, kept), IF_OTHER },
    { "state.weight", "state.weight", "state.offset", offsetof(struct machine, last), IF_OTHER },
    { "state.sum", "state.sum", "state.sum_offset", offsetof(struct machine, sum), IF_OTHER },
    { "unseen.weight", "unseen.coefficient", "unseen.offset", offsetof(struct machine, unseen),
      IF_UNSEEN },
    { "unseen.sum", "unseen.sum", "unseen.sum_offset", offsetof(struct machine, unseen_sum),
      IF_UNSEEN | IF_OTHER },
};
enum { VECTORS = sizeof vectors / sizeof *vectors };

static bool has_vectors(const struct machine *m, size_t i)
{
    const unsigned holds = (machine_has_sum(m) ? IF_OTHER : IF_LAST) |
                           (m->expecting ? IF_UNSEEN : 0);

    return (vectors[i].conditions & ~holds) == 0;
}

static const char *weight_name(const struct machine *m, size_t i)
{
    return m->ops->slots != NULL ? vectors[i].coefficient : vectors[i].weight;
}

struct linear_frame machine_file_frame(const struct machine *m, const struct machine_file *f,
                                       bool one)
{
    const bool slots = m->ops->slots != NULL;

    return (struct linear_frame){ .vectors = one ? 1 : f->outputs,
                                  .flat = one || f->kind == KIND_TWO,
                                  .bare = !slots && !(m->ops->flags & MACHINE_WEIGHTS),
                                  .below = slots ? 0 : f->below,
                                  .rows = slots ? m->ops->slots(m) : TENSORS_ANY };
}

perc_status machine_file_pack(const struct machine *m, struct machine_file *f, struct tensors *t)
{
    const bool network = m->ops->flags & MACHINE_NETWORK;

    for (size_t i = 0; i < VECTORS && !network; i++) {
        const struct linear *w = (const void *)((const char *)m + vectors[i].at);
        const struct linear_frame frame = machine_file_frame(m, f,
                                                             vectors[i].conditions & IF_UNSEEN);
        if (!has_vectors(m, i)) continue;
        if (w == &m->kept) w = f->returned;
        if (linear_pack(w, &frame, weight_name(m, i), vectors[i].offset, t)) return PERC_ENOMEM;
    }
    return m->ops->pack != NULL ? m->ops->pack(m, f, t) : PERC_OK;
}

perc_status machine_file_unpack_vectors(struct machine *m, const struct machine_file *f,
                                        const struct tensors *t, uint64_t *rows, perc_error *err)
{
    const bool network = m->ops->flags & MACHINE_NETWORK;
    perc_status st;

    *rows = machine_file_frame(m, f, false).rows;
    for (size_t i = 0; i < VECTORS && !network; i++) {
        struct linear *w = (void *)((char *)m + vectors[i].at);
        struct linear_frame frame = machine_file_frame(m, f, vectors[i].conditions & IF_UNSEEN);
        if (!has_vectors(m, i)) continue;
        frame.rows = *rows;
        if ((st = linear_unpack(w, &frame, weight_name(m, i), vectors[i].offset, t, err)))
            return st;
        if (*rows == TENSORS_ANY) *rows = w->dims > frame.below ? w->dims - frame.below : 0;
    }
    return PERC_OK;
}
