/* t_hostile.h -- files that cannot be right: a good one with one thing changed at a time, its
 * checksum right, and what the reader has to say of it.
 *
 *     static const struct hostile list[] = {
 *         { META, "rows", "-7", "out of range" },
 *         { ELEMENT, "weight[1]", "nan", "weight[1] is not a finite number" },
 *         { META, "colour", "green", NULL },
 *     };
 *
 * The last one is a guard: the reader takes it. */
#ifndef PERC_TEST_HOSTILE_H
#define PERC_TEST_HOSTILE_H

#include "base/tensors.h"
#include "t.h"

enum change {
    AS_IT_IS,
    META,     /* metadata `name` is `value`; NULL: it is not there             */
    GONE,     /* the array `name` has another name                             */
    ELEMENT,  /* the element `name`, "weight[1]", is `value`; [-1] is the last */
    BYTES,    /* the array `name` has the byte `value` throughout              */
    TYPE,     /* it is of the type `value`; NULL: another one of the same size */
    SHAPE,    /* it has the lengths `value`, "3" or "2,3"; what is new is 0    */
    SHORTER,  /* its first length is less by one                               */
    NARROWER, /* its second length is less by one                              */
    TURNED    /* it is a matrix of one column, or a matrix as one line         */
};

struct hostile {
    enum change change;
    const char *name, *value;
    const char *reason; /* part of what is said; NULL: nothing, it is taken */
};

/* What is tested: makes something of a file and throws it away; PERC_EDATA leaves nothing. */
typedef perc_status t_reader(void *ud, struct tensors *t, perc_error *err);

/* Each change of `good` by itself; files are written into the current directory. */
void t_refuses(const struct tensors *good, t_reader *read, void *ud, const struct hostile *list,
               size_t n);
/* The same for the file of a model, and the file with one change. */
void t_refuses_model(const perc_model *m, const struct hostile *list, size_t n);
void t_hostile_write(const struct tensors *good, const struct hostile *one, const char *path);
/* A model as a file in memory; tensors_free(). */
struct tensors t_tensors_of(const perc_model *m);
/* What was packed as it is after reading: sorted by name. */
void t_sort(struct tensors *t);
/* A short text for a table, good for the next 31 calls. */
const char *t_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
