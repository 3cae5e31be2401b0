/* machine_file.h -- a machine in a model file: what all have, and what their operations are told.
 *
 *   weight, offset               what is returned
 *   state.weight, state.offset   the last vectors, where something else is returned
 *   state.sum, state.sum_offset  u of averaging (learn/averaged.c)
 *   unseen.*                     the same three pairs for the class not met yet,
 *                                if one may still come (machine.h)
 *
 * A machine with a budget has weights for its rows, called `coefficient`; other kernel machines
 * have the offsets alone, and networks none of them. */
#ifndef PERC_MACHINE_FILE_H
#define PERC_MACHINE_FILE_H

#include "base/tensors.h"
#include "data/labels.h"
#include "machine/machine.h"
#include "machine/votes.h"

struct machine_file {
    enum kind kind;
    size_t outputs;
    uint64_t below;     /* columns that no data use, and a file does not have */
    uint64_t data_rows; /* that it was trained on */
    int64_t shown, examples;
    struct moment moment; /* what is returned, where that is a moment */
    const struct labels *labels;
    const struct linear *returned; /* writing: what is returned, as far as it is vectors */
    struct votes tidy; /* writing: the votes, where the machine's are not in the order of a file;
                          kept until the file is written */
};

/* The frame of the vectors; `one`: of one vector, whatever the kind. */
struct linear_frame machine_file_frame(const struct machine *m, const struct machine_file *f,
                                       bool one);
perc_status machine_file_pack(const struct machine *m, struct machine_file *f, struct tensors *t);
/* The machine's `unpack` comes after this, and after what the learner reads. *rows: those of the
 * weights that are returned. */
perc_status machine_file_unpack_vectors(struct machine *m, const struct machine_file *f,
                                        const struct tensors *t, uint64_t *rows, perc_error *err);

#endif
