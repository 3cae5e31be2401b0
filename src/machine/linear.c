/* linear.c -- the linear machine: s_c(x) = w_c.x + b_c. */
#include "machine/linear.h"

#include <math.h>
#include <string.h>

#include "vec/row_many.h"

const char *const kind_words[KIND_COUNT] = {
    [KIND_TWO] = "two", [KIND_NATIVE] = "native", [KIND_REST] = "ovr"
};

perc_status linear_init(struct linear *m, const struct env *e, size_t vectors, bool offset)
{
    *m = (struct linear){
        .e = *e, .vectors = vectors, .stride = row_many_stride(vectors), .offset = offset
    };
    m->b = mem_zeroed(e, m->stride, sizeof *m->b);
    m->place = mem_array(e, m->stride, sizeof *m->place);
    return m->b != NULL && m->place != NULL ? PERC_OK : PERC_ENOMEM;
}

void linear_free(struct linear *m)
{
    mem_free(&m->e, m->w, m->cap * m->stride, sizeof *m->w);
    mem_free(&m->e, m->b, m->stride, sizeof *m->b);
    mem_free(&m->e, m->place, m->stride, sizeof *m->place);
    *m = (struct linear){ .e = m->e };
}

perc_status linear_copy(const struct env *e, const struct linear *from, struct linear *to)
{
    if (linear_init(to, e, from->vectors, from->offset) || linear_reserve(to, from->stride) ||
        linear_grow(to, from->dims)) {
        linear_free(to);
        return PERC_ENOMEM;
    }
    to->in_place = from->in_place;
    linear_assign(to, from);
    return PERC_OK;
}

void linear_assign(struct linear *to, const struct linear *from)
{
    if (from->dims > 0) memcpy(to->w, from->w, from->dims * from->stride * sizeof *to->w);
    if (from->stride > 0) memcpy(to->b, from->b, from->stride * sizeof *to->b);
    linear_number(to, from);
}

void linear_number(struct linear *to, const struct linear *from)
{
    to->vectors = from->vectors;
    to->moved = from->moved;
    if (from->moved) memcpy(to->place, from->place, from->vectors * sizeof *to->place);
}

perc_status linear_grow(struct linear *m, uint64_t dims)
{
    if (dims <= m->dims) return PERC_OK;
    if (dims > m->cap) {
        const uint64_t half = m->cap + m->cap / 2, cap = half > dims ? half : dims;
        double *w;
        if (cap > SIZE_MAX / m->stride) return PERC_ENOMEM;
        w = mem_resize(&m->e, m->w, m->cap * m->stride, cap * m->stride, sizeof *w);
        if (w == NULL) return PERC_ENOMEM;
        m->w = w;
        m->cap = cap;
    }
    memset(m->w + m->dims * m->stride, 0, (dims - m->dims) * m->stride * sizeof *m->w);
    m->dims = dims;
    return PERC_OK;
}

perc_status linear_reserve(struct linear *m, size_t vectors)
{
    const size_t stride = row_many_stride(vectors), old = m->stride;
    double *w, *b;
    uint32_t *place;

    if (stride <= old) return PERC_OK;
    if (m->cap > SIZE_MAX / stride) return PERC_ENOMEM;
    w = mem_zeroed(&m->e, m->cap * stride, sizeof *w);
    b = mem_zeroed(&m->e, stride, sizeof *b);
    place = mem_array(&m->e, stride, sizeof *place);
    if (w == NULL || b == NULL || place == NULL) {
        mem_free(&m->e, w, m->cap * stride, sizeof *w);
        mem_free(&m->e, b, stride, sizeof *b);
        mem_free(&m->e, place, stride, sizeof *place);
        return PERC_ENOMEM;
    }
    for (uint64_t j = 0; j < m->dims; j++) memcpy(w + j * stride, m->w + j * old, old * sizeof *w);
    memcpy(b, m->b, old * sizeof *b);
    if (m->moved) memcpy(place, m->place, m->vectors * sizeof *place);
    mem_free(&m->e, m->w, m->cap * old, sizeof *w);
    mem_free(&m->e, m->b, old, sizeof *b);
    mem_free(&m->e, m->place, old, sizeof *place);
    m->w = w;
    m->b = b;
    m->place = place;
    m->stride = stride;
    return PERC_OK;
}

static void insert_zero(double *w, size_t n, size_t at)
{
    memmove(w + at + 1, w + at, (n - at) * sizeof *w);
    w[at] = 0;
}

void linear_insert(struct linear *m, size_t at)
{
    const size_t n = m->vectors++;

    if (!m->moved && (m->in_place || at == n || n < LINEAR_FEW)) {
        for (uint64_t j = 0; j < m->dims; j++) insert_zero(m->w + j * m->stride, n, at);
        insert_zero(m->b, n, at);
        return;
    }
    for (size_t c = 0; c < n && !m->moved; c++) m->place[c] = (uint32_t)c;
    m->moved = true;
    memmove(m->place + at + 1, m->place + at, (n - at) * sizeof *m->place);
    m->place[at] = (uint32_t)n; /* where the rest of the stride is 0 */
}

/* 0 - 0 is +0, where -0 would not be. */
void linear_negate(struct linear *m)
{
    for (uint64_t k = 0; k < m->dims * m->stride; k++) m->w[k] = 0 - m->w[k];
    for (size_t c = 0; c < m->stride; c++) m->b[c] = 0 - m->b[c];
}

void linear_scale(struct linear *m, double a)
{
    for (uint64_t k = 0; k < m->dims * m->stride; k++) m->w[k] *= a;
    for (size_t c = 0; c < m->stride; c++) m->b[c] *= a;
}

void linear_split(struct linear *m)
{
    for (uint64_t j = 0; j < m->dims; j++) {
        double *w = m->w + j * m->stride;
        w[1] = w[0];
        w[0] = 0 - w[1];
    }
    m->b[1] = m->b[0];
    m->b[0] = 0 - m->b[1];
    m->vectors = 2;
}

double linear_score(const struct linear *m, const struct row *x)
{
    return row_dot(x, m->w, m->dims) + m->b[0];
}

void linear_scores(const struct linear *m, const struct row *x, double *out)
{
    double *to = m->moved ? out + m->stride : out;

    row_scores(x, m->w, m->dims, m->stride, to);
    for (size_t c = 0; c < m->stride; c++) to[c] += m->b[c];
    if (m->moved) linear_take(m, to, m->vectors, out);
}

void linear_take(const struct linear *m, const double *columns, size_t n, double *out)
{
    for (size_t c = 0; c < n; c++) out[c] = columns[linear_at(m, c)];
}

size_t linear_best(const double *s, size_t n)
{
    size_t best = 0;

    for (size_t c = 1; c < n; c++)
        if (s[c] > s[best]) best = c;
    return best;
}

size_t linear_rival(const double *s, size_t n, size_t but)
{
    size_t best = NO_VECTOR;

    for (size_t c = 0; c < n; c++)
        if (c != but && (best == NO_VECTOR || s[c] > s[best])) best = c;
    return best;
}

double linear_norm(const struct linear *m)
{
    return sqrt(row_weights_norm2(m->w, m->dims * m->stride));
}

double linear_norm_augmented(const struct linear *m)
{
    return sqrt(row_weights_norm2(m->w, m->dims * m->stride) + row_weights_norm2(m->b, m->stride));
}

/* ----- in a file: WEIGHT F64 [rows] or [rows, vectors], OFFSET F64 [vectors] -------------- */

/* A file has the vectors in order. */
static perc_status pack_moved(const struct linear *m, const struct linear_frame *f, uint64_t rows,
                              const char *weight, const char *offset, struct tensors *t)
{
    const size_t n = f->vectors;
    double *w = tensors_keep(t, rows * n, sizeof *w), *b = tensors_keep(t, n, sizeof *b);

    if (w == NULL || b == NULL) return PERC_ENOMEM;
    for (uint64_t j = 0; j < rows; j++)
        linear_take(m, m->w + (f->below + j) * m->stride, n, w + j * n);
    linear_take(m, m->b, n, b);
    if (tensors_add(t, weight, DTYPE_F64, w, rows, n)) return PERC_ENOMEM;
    return m->offset ? tensors_add(t, offset, DTYPE_F64, b, n, 0) : PERC_OK;
}

perc_status linear_pack(const struct linear *m, const struct linear_frame *f, const char *weight,
                        const char *offset, struct tensors *t)
{
    const uint64_t have = m->dims > f->below ? m->dims - f->below : 0;
    const uint64_t rows = f->rows != TENSORS_ANY ? f->rows : have;
    const double *w = rows > 0 && !f->bare ? m->w + f->below * m->stride : NULL;

    if (m->moved) return pack_moved(m, f, rows, weight, offset, t);
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
