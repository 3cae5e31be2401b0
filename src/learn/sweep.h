/* sweep.h -- pending updates of a kernel machine, added to many rows at once.
 *
 * Row j has the sums f_j of its first u_j updates (ledger.h). A sweep adds the others, in
 * order, to the rows it is given. They are sorted by u_j and stand in panels
 * (vec/panel.h), one or several of them a task for a thread: so what a panel waits for is about
 * the same for all its rows, and update k goes to the first of them, those with u_j <= k.
 * A row that several updates name has its kernel values computed once for a stretch of
 * updates; those of rows named again and again may be kept from one sweep to the next.
 *
 * Every sum has the bits of machine/expansion.h, whatever the threads, panels and stretches. */
#ifndef PERC_SWEEP_H
#define PERC_SWEEP_H

#include "kernel/gram.h"
#include "machine/machine_kernel.h"

/* Rows that are worked on together. */
struct sweep_window {
    size_t n, cap;
    size_t *number; /* in the whole set, from 0 */
    struct row *x;  /* where they lie, or their images, which lie here: */
    uint32_t *column;
    double *value;
    size_t entries, column_cap, value_cap;
};

/* What is known of all rows. */
struct row_sums {
    size_t rows, vectors;
    double *f;    /* rows * vectors; before the first update anything, which stands for 0 */
    size_t cap;   /* of f */
    size_t *done; /* u */
};

/* The sum of row j and vector c. */
static inline double row_sums_at(const struct row_sums *s, size_t j, size_t c)
{
    return s->done[j] > 0 ? s->f[j * s->vectors + c] : 0;
}

perc_status sweep_window_new(struct sweep_window *b, const struct env *e, size_t cap);
void sweep_window_free(struct sweep_window *b, const struct env *e); /* safe on a zeroed one */
void sweep_window_clear(struct sweep_window *b);
/* Adds a row; n < cap. copy: x will be gone soon. Rows may be looked at only after
 * sweep_window_close. PERC_ENOMEM. */
perc_status sweep_window_add(struct sweep_window *b, const struct env *e, size_t number,
                             const struct row *x, bool copy);
void sweep_window_close(struct sweep_window *b);

struct sweep;

/* keep: kernel values that may be kept, in bytes. */
perc_status sweep_new(const struct env *e, const struct machine_expanded *m,
                      const struct row_sums *sums, double keep, struct sweep **out);
void sweep_free(struct sweep *s); /* NULL is fine */
/* The rows of the votes have been renumbered: forgets what was kept for them. */
void sweep_forget(struct sweep *s);
/* Brings the rows of b, each there once, up to date. *work grows by about the products made.
 * PERC_ENOMEM. */
perc_status sweep_rows(struct sweep *s, const struct sweep_window *b, uint64_t *work);

/* f_c += step K for the PANEL columns of vector c = up, -= for down (NO_DOWN: none). f: sums of
 * a panel, f[c * PANEL + j]. */
void sweep_add(double *f, const struct vote *one, const double *k);

#endif
