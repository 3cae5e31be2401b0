/* panel.h -- rows side by side: the dots of one row with many.
 *
 * A panel holds up to PANEL rows, spread out and interleaved: the values of a column for
 * all rows of the panel lie next to each other. One walk over the entries of a row x then
 * gives its dots with all of them, SIMD running across the rows of the panel, each sum in
 * the order of the columns and rounded as if it were alone: a chain of row.h, fused, or with
 * rounded products, to the bit, in every encoding, dense or sparse, on any processor. */
#ifndef PERC_PANEL_H
#define PERC_PANEL_H

#include "base/base.h"
#include "vec/bundle.h"

enum { PANEL = 32 };

struct panel_slot;

struct panel {
    struct env e;
    bool rounded;          /* chains whose products are rounded */
    size_t rows;           /* <= PANEL; what is missing is zero */
    double norm2[PANEL];   /* of each, by such a chain */
    struct row row[PANEL]; /* the rows themselves, borrowed */
    double *v;             /* row i at place p: v[p * PANEL + i], aligned to 64 bytes */
    void *memory;          /* in which v lies */
    size_t memory_size;
    uint64_t columns;        /* those at or beyond it are in no row */
    bool direct;             /* a column is its own place; else the slots say where it is,
                                and place 0, all zeros, is that of columns in no row */
    struct panel_slot *slot; /* a hash table of 2^(64 - shift) */
    size_t slot_cap;
    unsigned shift;
};

void panel_init(struct panel *p, const struct env *e, bool rounded);
void panel_free(struct panel *p); /* safe on a zeroed panel */
/* Fills it with n <= PANEL rows, which must stay as long as the panel is used. The memory
 * of the last filling is reused. PERC_ENOMEM: the panel is empty. */
perc_status panel_fill(struct panel *p, const struct row *x, size_t n);
/* out[i * PANEL + j] = x_i . row j, for n rows x_i; 0 for j >= rows. */
void panel_dots(const struct panel *p, const struct row *x, size_t n, double *out);
/* The same for the rows of a bundle. */
void panel_dots_bundle(const struct panel *p, const struct bundle *b, double *out);

#endif
