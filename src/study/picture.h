/* picture.h -- from a study to figures: each function makes one, or returns NULL where there is
 * nothing to see (the study says why). When out of memory, it returns a figure that cannot be
 * printed (figure_ready). The caller frees them. */
#ifndef PERC_PICTURE_H
#define PERC_PICTURE_H

#include "show/figure.h"
#include "study/study.h"

struct figure *picture_passes(const struct study *s);         /* mistakes by pass, all runs */
struct figure *picture_orders(const struct study *s);         /* boundaries of several orders */
struct figure *picture_order_passes(const struct study *s);   /* mistakes by pass in each of them */
struct figure *picture_errors(const struct study *s);         /* training error by pass, all runs */
struct figure *picture_loss(const struct study *s);           /* of networks */
struct figure *picture_norm(const struct study *s, size_t r); /* |w|^2 under k R^2 */
struct figure *picture_bound(const struct study *s, size_t r); /* w.u over k gamma' */
struct figure *picture_margins(const struct study *s, size_t r);
struct figure *picture_roc(const struct study *s);       /* all runs */
struct figure *picture_precision(const struct study *s); /* over recall, all runs */
struct figure *picture_calibration(const struct study *s, size_t r);
struct figure *picture_network(const struct study *s, size_t r); /* a diagram with weights */
struct figure *picture_confusion(const struct study *s, size_t r);
struct figure *picture_weights(const struct study *s, size_t r);  /* the largest, by name */
struct figure *picture_boundary(const struct study *s, size_t r); /* points, regions, hulls */
struct figure *picture_strip(const struct study *s, size_t r);    /* the margin, closest rows */
struct figure *picture_update(const struct study *s, size_t r);   /* an arrow among the weights */
struct figure *picture_turn(const struct study *s, size_t r);     /* and how the boundary turns */
struct figure *picture_witness(const struct study *s); /* not separable: the rows that show it */
struct figure *picture_lift(const struct study *s, size_t r); /* points under a map, in space */
/* Whether the map or kernel of run r is a polynomial, so that there could be one; if there is none
 * all the same, `why` says why, else it is "". */
bool picture_lift_possible(const struct study *s, size_t r, char why[STUDY_WHY]);

struct figure *picture_counters(const struct study *s, size_t r);

/* All pictures there are, in the order of a report, for `plot`: at most PICTURES. A picture of one
 * of several runs has the algorithm in its id: "boundary-pocket". */
enum { PICTURES = 128 };
size_t picture_all(const struct study *s, struct figure *list[PICTURES]);

#endif
