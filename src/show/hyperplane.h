/* hyperplane.h -- the two ways in which books write a hyperplane, and the one place that knows
 * them: with an offset, w.x + b > 0, or with a threshold, w.x > theta. They are the same where
 * theta = -b. Whatever shows weights asks here for the constant, its letter and its name. */
#ifndef PERC_SHOW_HYPERPLANE_H
#define PERC_SHOW_HYPERPLANE_H

/* In the order of HYPERPLANE_FORMS. */
enum hyperplane_form { HYPERPLANE_OFFSET, HYPERPLANE_THRESHOLD };
#define HYPERPLANE_FORMS "offset|threshold"

/* The constant of w.x + b in this form: b, or theta = -b. Never -0. */
double hyperplane_constant(enum hyperplane_form form, double b);
const char *hyperplane_letter(enum hyperplane_form form); /* "b", "theta" */
const char *hyperplane_name(enum hyperplane_form form);   /* "offset", "threshold" */
/* The score: "w.x + b", "w.x - theta". */
const char *hyperplane_score(enum hyperplane_form form);
/* The line w[0] X + w[1] Y + b = 0 as an equation: "2 x + 3 y - 4 = 0", "2 x + 3 y = 4". */
enum { HYPERPLANE_TEXT = 160 };
const char *hyperplane_line(enum hyperplane_form form, const double w[2], double b,
                            char buf[HYPERPLANE_TEXT]);

#endif
