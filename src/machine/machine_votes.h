/* machine_votes.h -- machines that keep their updates: the voted perceptron and, with a kernel,
 * machine_expansion.c. */
#ifndef PERC_MACHINE_VOTES_H
#define PERC_MACHINE_VOTES_H

#include "machine/machine_file.h"
#include "machine/votes.h"

struct machine_voted {
    struct machine base;
    struct votes votes;
    struct linear start; /* v_0, of the machine's shape; stride 0: it is 0 */
};

/* The updates of m; NULL: it keeps none. */
struct votes *machine_votes_of(const struct machine *m);

/* v_0 of a voted machine that does not begin at 0, else NULL. */
struct linear *machine_votes_start(const struct machine *m);
/* Room for such a v_0 in so many columns, at least. Nothing for other machines. PERC_ENOMEM. */
perc_status machine_votes_widen(struct machine *m, uint64_t dims);

/* ----- what both have; the first member of *m is a struct machine_voted ------------------- */

perc_status machine_votes_init(struct machine *m, const perc_params *p);
void machine_votes_free(struct machine *m);
perc_status machine_votes_copy(const struct machine *from, struct machine *to);
perc_status machine_votes_reserve_class(struct machine *m, const struct arrival *a);
void machine_votes_negate(struct machine *m);
void machine_votes_split(struct machine *m, enum kind kind);
void machine_votes_insert(struct machine *m, size_t at, size_t unseen);
void machine_votes_seal(struct machine *m, size_t unseen);
/* Keeps an update. Out of memory: m->failed. */
void machine_votes_record(struct machine *m, const struct update *u);
bool machine_votes_add_unseen(struct machine *m, const struct update *u);
/* The updates in a file, as votes.h has them; f->tidy: where they are not in its order. */
perc_status machine_votes_pack(const struct machine *m, struct machine_file *f, struct tensors *t);
perc_status machine_votes_unpack(struct machine *m, const struct machine_file *f,
                                 const struct tensors *t, perc_error *err);

#endif
