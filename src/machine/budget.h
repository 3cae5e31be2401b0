/* budget.h -- kernel machines that keep at most B rows, for streams without an end.
 *
 *     s_c(x) = sum_(i < rows) a_ic K(x_i, x) + b_c,   in the order of the slots
 *
 * So it is a linear machine in the features K(x_1, .), ..., K(x_B, .), and is kept as one:
 * struct linear with a column for each slot in use, which the learner has anyway, with classes that
 * appear, offsets and all. A slot is shared by all classes. Only an update is different: it fills a
 * slot, and where there is none left,
 *
 *     random      a slot chosen at random is emptied for the new row
 *                 (Cavallanti, Cesa-Bianchi, Gentile 2007)
 *     forgetron   all coefficients shrink, as little as the mistake bound allows, and the
 *                 oldest row goes (Dekel, Shalev-Shwartz, Singer 2008, self-tuned); two classes
 *     projectron  the new row is replaced by its projection on the span of those kept
 *                 (Orabona, Keshet, Caputo 2009); also where it lies in their span already
 *
 * Memory is that of the rows kept, n <= B, for projectron n^2 / 2 numbers more. */
#ifndef PERC_BUDGET_H
#define PERC_BUDGET_H

#include "base/tensors.h"
#include "kernel/gram.h"
#include "machine/linear.h"
#include "vec/rng.h"

enum budget_policy { BUDGET_RANDOM, BUDGET_FORGETRON, BUDGET_PROJECTRON };
extern const char *const budget_policies[]; /* by enum budget_policy */

struct slot { /* a row that is kept: increasing columns, no zeros; precomputed: a 1 in its column */
    uint32_t *column;
    double *value;
    size_t n, column_cap, value_cap;
    double norm2;
};

/* Scratch of one thread. */
struct budget_scratch {
    struct env e;
    struct spread_out spread;
    double *value, *padded;
    size_t value_cap, padded_cap;
};

struct budget {
    struct env e;
    const struct kernel *kernel;
    enum budget_policy policy;
    size_t slots;
    uint64_t seed;
    double plain_step; /* of an update, for the forgetron; may be set before the first */
    struct slot *slot;
    size_t rows, slot_cap;    /* in use: slots 0 .. rows - 1 */
    int64_t updates, removed; /* examples that made an update; rows that had to go */
    double q, radius2;        /* forgetron */
    double *factor;           /* projectron: of the Gram matrix of slots 0 .. factored - 1,
                                   its lower half, row after row */
    size_t factored, factor_cap;
    double *pairs; /* K of any two slots, likewise, where it is precomputed: slots have no
                      other way to tell, as each keeps its column alone */
    size_t pairs_cap;
    /* About the last row seen: */
    struct budget_scratch seen, other;
    double norm2, self; /* |x|^2, K(x, x) */
    enum { NOT_PLACED, IN_SLOT, IN_SPAN } placed;
    size_t place;      /* IN_SLOT */
    double scale;      /* of its steps: phi of the forgetron, else 1 */
    double *projected; /* IN_SPAN: what every slot gets of a step */
    size_t projected_cap;
};

/* k must outlive it, and may change until the first row is seen (a gamma found from the data).
 * plain_step: that of an update, for the forgetron; 1 if there is no such thing. PERC_ENOMEM: *out
 * is NULL. */
perc_status budget_new(const struct env *e, const struct kernel *k, size_t slots,
                       enum budget_policy policy, uint64_t seed, double plain_step,
                       struct budget **out);
void budget_free(struct budget *b); /* NULL is fine */
/* The rows and counters of `from`, made with the same parameters. After a failure `to` may
 * only be freed. */
perc_status budget_copy(const struct budget *from, struct budget *to);
/* What a slot keeps: F64, INDEX_U32, no zeros. Valid until the next update. */
struct row budget_row(const struct budget *b, size_t slot);

/* ----- scores: any number of threads, each with its own scratch --------------------- */

void budget_scratch_init(struct budget_scratch *s, const struct env *e);
void budget_scratch_free(struct budget_scratch *s); /* safe on a zeroed struct */
/* K(x_i, x) for the slots in use, as a dense row of that many columns in the scratch.
 * PERC_ENOMEM. */
perc_status budget_values(const struct budget *b, struct budget_scratch *s, const struct row *x,
                          struct row *out);
/* s_c(x) for the first n vectors of the machine. PERC_ENOMEM. */
perc_status budget_scores(const struct budget *b, const struct linear *machine,
                          struct budget_scratch *s, const struct row *x, size_t n, double *out);

/* ----- learning ------------------------------------------------------------------------ */

/* As budget_values, in memory of b; x is what the following updates are about. */
perc_status budget_see(struct budget *b, const struct row *x, struct row *out);
/* Reserves all memory that seeing x and updating by it will take, in the machines as well: these
 * have columns for the slots in use, and not for all there may be. PERC_ENOMEM; PERC_EDATA: a
 * column above UINT32_MAX. */
perc_status budget_reserve(struct budget *b, const struct row *x, struct linear *machine,
                           struct linear *other);
/* The update w_up += g K(x, .), w_down -= g K(x, .) (NO_VECTOR: none; g may be negative then)
 * and that of the offsets, for the x that was seen last, in machines of a column for each slot.
 * other: a second machine (that of the unseen class) which shares the slots and only loses
 * what a slot loses; NULL if there is none. Several updates of one x share what was done for
 * the first. Fails as budget_reserve does; nothing has changed then. */
perc_status budget_update(struct budget *b, const struct row *x, struct linear *machine,
                          struct linear *other, size_t up, size_t down, double g);

/* ----- in a file ------------------------------------------------------------------------- */

/* The arrays of a file; coefficients, [rows] or [rows, outputs], are the caller's.
 *
 *     row.start       U64 [rows + 1]   rows in the order of the slots
 *     row.column      U32 [entries]    features, numbered from 0 (the column less `below`)
 *     row.value       F64 [entries]    finite, not 0
 *     budget.count    I64 [2]          updates made, rows removed
 *     budget.forgetron F64 [2]         forgetron only: Q and R^2 (budget.c)
 *     budget.pairs    F64 [rows (rows + 1) / 2]  a precomputed kernel's alone: K of slots i and
 *                                      j <= i, row after row
 *
 * The factor of projectron is made again when it is needed: the same bits. */
perc_status budget_pack(const struct budget *b, uint64_t below, struct tensors *t);
/* Trusts nothing; b is as budget_new made it, and after a failure may only be freed.
 * columns: in memory, those below included; every column is smaller. PERC_EDATA names the
 * array; PERC_ENOMEM. Then b->rows is how many rows of coefficients there must be. */
perc_status budget_unpack(struct budget *b, uint64_t columns, uint64_t below,
                          const struct tensors *t, perc_error *err);

#endif
