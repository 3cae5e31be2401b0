/* machine_kernel.h -- what the two kernel machines share: K and its columns, and rows that are kept
 * while a panel of them is scored. */
#ifndef PERC_MACHINE_KERNEL_H
#define PERC_MACHINE_KERNEL_H

#include "machine/budget.h"
#include "machine/expansion.h"
#include "machine/machine_dropping.h"
#include "machine/machine_votes.h"
#include "machine/panel_scorer.h"

struct machine_kernel {
    struct machine_voted voted; /* the updates; with a budget there are none */
    struct expansion *sums;     /* K, how wide its rows are, and scratch */
};

/* All updates are kept: machine_expansion.c. */
struct machine_expanded {
    struct machine_kernel k;
    struct drop *drop; /* --drop-after; else NULL */
};

/* At most B rows are kept: machine_budget.c. The vectors are those of a linear machine whose
 * columns are the slots of the budget. */
struct machine_budgeted {
    struct machine_kernel k;
    struct budget *budget;
};

/* The sums of m; m as an expansion; its budget. NULL: it has none. */
struct expansion *machine_kernel_of(const struct machine *m);
struct machine_expanded *machine_expansion_of(const struct machine *m);
struct budget *machine_budget_of(const struct machine *m);

/* ----- operations of struct machine_ops, for both ----------------------------------------- */

perc_status machine_kernel_init(struct machine *m, const perc_params *p);
void machine_kernel_free(struct machine *m);
perc_status machine_kernel_copy(const struct machine *from, struct machine *to);
uint64_t machine_kernel_dims(const struct machine *m);
perc_status machine_kernel_grow(struct machine *m, uint64_t dims);
void machine_kernel_shrink(struct machine *m, uint64_t dims);
perc_status machine_kernel_see_data(struct machine *m, const perc_dataset *ds, perc_error *err);
perc_status machine_kernel_without_data(const struct machine *m, const char *where,
                                        perc_error *err);
perc_status machine_kernel_check_row(const struct machine *m, const struct row *x, int64_t line,
                                     perc_error *err);
double machine_kernel_size2(const struct machine *m, const struct row *x);
void machine_kernel_describe(const struct machine *m, uint64_t below, struct machine_facts *out);
perc_status machine_kernel_take(struct machine_scratch *d, const struct row *x, int64_t line,
                                perc_error *err);
perc_status machine_kernel_no_score(const struct machine_scratch *d, size_t bad, int64_t line,
                                    perc_error *err);
/* Keeps an update, as machine_votes_record does. */
void machine_kernel_record(struct machine *m, const struct update *u);
/* K as the data made it, and how wide they were. */
perc_status machine_kernel_pack(const struct machine *m, const struct machine_file *f,
                                struct tensors *t);
perc_status machine_kernel_unpack_first(struct machine *m, const struct machine_file *f,
                                        const struct tensors *t, perc_error *err);
/* clang-format off */
#define MACHINE_KERNEL_OPERATIONS                                                                  \
    .word = "kernel",                                                                              \
    .flags = MACHINE_FINITE | MACHINE_REWORKS,                                                     \
    .dims = machine_kernel_dims,                                                                   \
    .grow = machine_kernel_grow,                                                                   \
    .shrink = machine_kernel_shrink,                                                               \
    .see_data = machine_kernel_see_data,                                                           \
    .check_row = machine_kernel_check_row,                                                         \
    .size2 = machine_kernel_size2,                                                                 \
    .unlearnable = "the score of this row is too large to be a number (scale the data: --scale "   \
                   "unit or by:NUMBER; or take a lower --degree)",                                 \
    .thread_rows = PANEL,                                                                          \
    .take = machine_kernel_take,                                                                   \
    .no_score = machine_kernel_no_score
/* clang-format on */

/* The scratch of a thread: copies of the rows taken, where those do not stay. The first member
 * of d->state. */
struct machine_kernel_rows {
    size_t begin[MACHINE_ROWS + 1]; /* where the entries of each begin */
    uint64_t *column;
    double *value;
    size_t column_cap, value_cap;
};
void machine_kernel_rows_free(const struct machine_scratch *d);
/* The rows taken, in d->x. */
void machine_kernel_rows_end(struct machine_scratch *d);

#endif
