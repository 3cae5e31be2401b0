/* linear_file.c -- a linear machine as two arrays of a model file, and back.
 *
 *     WEIGHT   F64 [rows] or [rows, vectors]    the weights of a feature for all vectors
 *     OFFSET   F64 [vectors]                    where the machine has one */
#include "machine/linear.h"

perc_status linear_pack(const struct linear *m, const struct linear_frame *f, const char *weight,
                        const char *offset, struct tensors *t)
{
    const uint64_t have = m->dims > f->below ? m->dims - f->below : 0;
    const uint64_t rows = f->rows != TENSORS_ANY ? f->rows : have;
    const double *w = rows > 0 && !f->bare ? m->w + f->below * m->stride : NULL;

    if (!f->bare && tensors_add_rows(t, weight, DTYPE_F64, w, m->stride * sizeof *w, rows,
                                     f->flat ? 0 : f->vectors))
        return PERC_ENOMEM;
    return m->offset ? tensors_add(t, offset, DTYPE_F64, m->b, f->vectors, 0) : PERC_OK;
}

perc_status linear_unpack(struct linear *m, const struct linear_frame *f, const char *weight,
                          const char *offset, const struct tensors *t, perc_error *err)
{
    const struct tensor *w = NULL, *b = tensors_find(t, offset);
    perc_status st;

    if (!f->bare &&
        (st = tensors_want(t, weight, DTYPE_F64, f->rows, f->flat ? 0 : f->vectors, &w, err)))
        return st;
    if ((b != NULL) != m->offset)
        return fail(err, PERC_EDATA, "tensor '%s' is %s, but the options say otherwise", offset,
                    b != NULL ? "there" : "missing");
    if (b != NULL && (st = tensors_want(t, offset, DTYPE_F64, f->vectors, 0, &b, err))) return st;
    if (linear_reserve(m, f->vectors)) return fail_memory(err);
    m->vectors = f->vectors;
    if (b != NULL) tensors_copy_rows(b, m->b, sizeof *m->b);
    if (w == NULL || w->shape[0] == 0) return PERC_OK;
    if (linear_grow(m, w->shape[0] + f->below)) return fail_memory(err);
    tensors_copy_rows(w, m->w + f->below * m->stride, m->stride * sizeof *m->w);
    return PERC_OK;
}
