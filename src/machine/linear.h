/* linear.h -- the linear machine: s_c(x) = w_c.x + b_c for one vector or several.
 *
 * Two classes need one vector: +1 where s > 0, -1 elsewhere. More classes have one
 * vector each, and the highest score wins. The weights of a feature for all vectors
 * lie side by side, w[j * stride + c]: one walk over a row scores every class. */
#ifndef PERC_LINEAR_H
#define PERC_LINEAR_H

#include "base/tensors.h"
#include "vec/row.h"

/* Columns are those of the data set: column = index in the file, so that with
 * 1-based files the weights of column 0 are never used. */
struct linear {
    struct env e;
    double *w;          /* dims * stride */
    double *b;          /* stride; stays 0 without an offset */
    uint64_t dims, cap; /* features in use, and room for them */
    size_t vectors;     /* in use; the rest of a stride is 0 */
    size_t stride;      /* 1, or a multiple of VEC_LANES */
    bool offset;
    bool in_place;   /* vector c always stands in column c of the weights */
    bool moved;      /* it stands in column place[c]: linear_insert */
    uint32_t *place; /* room for `stride` */
};

#define NO_VECTOR SIZE_MAX

/* Where vector c stands in the weights of a feature, and in b. */
static inline size_t linear_at(const struct linear *m, size_t c)
{
    return m->moved ? m->place[c] : c;
}

/* How classes are told apart: two by the sign of one vector's score; more by a vector each, all of
 * them learned at once or each against the rest. */
enum kind { KIND_TWO, KIND_NATIVE, KIND_REST };
enum { KIND_COUNT = KIND_REST + 1 };
extern const char *const kind_words[KIND_COUNT]; /* of files and perc_model_info */

perc_status linear_init(struct linear *m, const struct env *e, size_t vectors, bool offset);
void linear_free(struct linear *m); /* safe on a zeroed struct */
/* *to need not be initialised, and is zeroed on failure. */
perc_status linear_copy(const struct env *e, const struct linear *from, struct linear *to);
/* Sets `to`, which has room for them, to the numbers of `from`: cannot fail. */
void linear_assign(struct linear *to, const struct linear *from);
/* Its vectors stand where those of `from` do; the weights are the caller's. */
void linear_number(struct linear *to, const struct linear *from);
/* At least `dims` weights a vector; new ones are 0. */
perc_status linear_grow(struct linear *m, uint64_t dims);
/* Room for this many vectors, so that linear_insert and linear_split cannot fail. */
perc_status linear_reserve(struct linear *m, size_t vectors);
/* A new vector, number `at`, of zeros. To move all weights for each new class would cost the square
 * of what they are: from LINEAR_FEW vectors on it stands behind the others, whatever its number. */
enum { LINEAR_FEW = 64 };
void linear_insert(struct linear *m, size_t at);
void linear_negate(struct linear *m);
void linear_scale(struct linear *m, double a); /* w and b become a w and a b */
/* One vector w becomes two, -w and w, which tell the same two classes apart. */
void linear_split(struct linear *m);

/* The score of one vector; of all, with room for LINEAR_ROOM(stride) numbers. */
double linear_score(const struct linear *m, const struct row *x);
#define LINEAR_ROOM(stride) (2 * (stride))
void linear_scores(const struct linear *m, const struct row *x, double *out);
/* The numbers of the first n vectors, out of those that stand in columns. */
void linear_take(const struct linear *m, const double *columns, size_t n, double *out);
/* The highest of n >= 1 scores, ties to the lower; likewise without number `but`,
 * NO_VECTOR if there is no other. */
size_t linear_best(const double *s, size_t n);
size_t linear_rival(const double *s, size_t n, size_t but);

double linear_norm(const struct linear *m);           /* |w|, over all vectors */
double linear_norm_augmented(const struct linear *m); /* |(w, b)|              */

/* ----- in a file -------------------------------------------------------------- */

/* What a file has of a machine. */
struct linear_frame {
    size_t vectors; /* how many, from the first on */
    bool flat;      /* one vector: the weights have one dimension */
    bool bare;      /* the offsets alone: with a kernel there are no weights */
    uint64_t below; /* so many weights at the beginning are neither used nor written */
    uint64_t rows;  /* how many are written; TENSORS_ANY: all */
};
perc_status linear_pack(const struct linear *m, const struct linear_frame *f, const char *weight,
                        const char *offset, struct tensors *t);
/* Reads into m, which is empty and knows whether it has an offset. PERC_EDATA names the array. */
perc_status linear_unpack(struct linear *m, const struct linear_frame *f, const char *weight,
                          const char *offset, const struct tensors *t, perc_error *err);

#endif
