/* study.h -- what there is to see of a run: `report` and `plot` look at data and a learner once,
 * and draw from this.
 *
 * A study is made in steps that do not depend on each other's success: where something does not
 * apply (no two classes, too large, not separable) its part is empty and `why` says why, in words
 * for the reader. */
#ifndef PERC_STUDY_H
#define PERC_STUDY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perceptron.h"
#include "show/witness.h"

enum { STUDY_WHY = 320 };        /* room for any message of the library */
#define STUDY_PLAIN "perceptron" /* Rosenblatt's rule by name */

/* After each pass. */
struct study_pass {
    int64_t number, mistakes, updates; /* from 1; in this pass */
    double error;                      /* training error of what would be returned; NaN: unknown */
    double loss;                       /* of a network; otherwise NaN */
};

/* After update k: |(w,b)|^2, and (w,b).u where u is the best separating direction. */
struct study_norm {
    double k, norm2, along; /* along: NaN if there is no u, or the run is not `plain` */
};

/* One example that changed the machine, for the animation; two features. */
struct study_shot {
    int64_t pass, row; /* from 1; from 0 */
    double score;      /* before */
    double w[2], b;    /* after: linear, two classes; otherwise NaN */
};

/* The score of one of several classes in the plane: w[0] x + w[1] y + b. NaN: its label was not met
 * yet, so it cannot be an answer. */
struct study_class {
    double w[2], b;
};

/* One learner on the data. */
struct study_run {
    const char *algorithm;
    char name[48];             /* what tells it from others: the algorithm; of an order "seed 3" */
    const perc_params *params; /* the caller's; NULL: the model was trained earlier */
    perc_params *own_params;   /* of an order; NULL: they are the caller's */
    perc_model *model;
    perc_model_info info;
    perc_report report;
    struct study_pass *pass;
    size_t passes;
    struct study_norm *norm; /* thinned to at most STUDY_NORMS */
    size_t norms;
    uint32_t *updated; /* plain: the row of each update, at most STUDY_UPDATES */
    size_t updates, updates_cap;
    struct study_shot *step; /* the first STUDY_STEPS updates */
    size_t steps;
    bool steps_cut;            /* there were more */
    struct study_class *class; /* after step i of class c, linear: class[i * classes + c] */
    size_t classes;            /* 0: one score for two classes, or not followed */
    perc_support *support;     /* with a kernel, largest counter first */
    size_t supports;
    double *score;  /* rows * outputs, of the training rows */
    double *margin; /* rows: y s, or half the gap */
    perc_metrics metrics;
    uint64_t *confusion;   /* labels * labels */
    double *roc_x, *roc_y; /* two classes: false and true positive rate, from (0,0) */
    size_t roc;
    perc_trade *trade; /* likewise: what thresholds would give, the highest first */
    size_t trades;
    int *region;                /* STUDY_CELLS^2 classes in the plane, from the lower left */
    bool line;                  /* linear, two classes: the boundary in the plane is the line */
    double plane_w[2], plane_b; /* plane_w[0] x + plane_w[1] y + plane_b = 0               */
    bool plain;                 /* Rosenblatt's rule from 0 at a constant rate: |w|^2 <= k R^2 and
                                  w.u >= k gamma' hold; norms are divided by the rate then */
    bool calibrated; /* probabilities were fitted for the study, or are a network's own */
    char why_errors[STUDY_WHY], why_norms[STUDY_WHY], why_steps[STUDY_WHY], why_roc[STUDY_WHY],
        why_regions[STUDY_WHY], why_calibration[STUDY_WHY];
};
enum {
    STUDY_NORMS = 2000,
    STUDY_STEPS = 2000,
    STUDY_CELLS = 120,
    STUDY_POINTS = 2000,
    STUDY_CLASSES = 8, /* followed from step to step, at most */
    STUDY_UPDATES = 1 << 24
};

/* The plane in which the points are drawn. */
enum study_plane { STUDY_NO_PLANE, STUDY_TWO_FEATURES, STUDY_CHOSEN, STUDY_COMPONENTS };

enum { STUDY_RUNS = 8 }; /* side by side, at most */

/* Who waits for a study: it is told about progress, and may ask the study to stop. */
struct study_host {
    void *ud;
    /* Begins work that comes in passes, or in `of` units ("fold"); 0: its events say how many. */
    void (*begin)(void *ud, const char *stage, const char *unit, int64_t of);
    int (*notify)(void *ud, const perc_event *e); /* as in perc_observer */
    void (*end)(void *ud);
    bool (*stopped)(void *ud); /* nothing more is wanted: parts of the study may be missing */
};

struct study_learner {
    const char *name;
    const perc_params *params;
};

/* What is asked for. It all belongs to the caller, and must outlive the study. */
struct study_request {
    const perc_env *env;
    struct study_host host;         /* zeroed: nobody waits */
    const char *data;               /* as perc_dataset_read takes it; NULL: only a model */
    const perc_params *data_params; /* for study_of_model NULL: defaults */
    struct study_learner learner[STUDY_RUNS];
    size_t learners;
    const char *features;      /* "3,4" or names; NULL: the only two, or the components */
    const char *axes;          /* of the lift: "x1^2,x1*x2,distance"; NULL: as the map has them */
    double prove_seconds;      /* time allowed for the proof; 0: none */
    double work;               /* allowed for each part, in entries that are read; 0: seconds */
    bool animate;              /* record steps */
    size_t update;             /* which one to draw, from 1; 0: the first that turns one */
    size_t orders;             /* of the rows, side by side: 0, or 2 .. STUDY_RUNS */
    bool orders_asked;         /* by the user; otherwise only if it is little work */
    enum hyperplane_form form; /* how hyperplanes are written */
};

struct study {
    const struct study_request *q;
    const perc_env *env; /* q's */
    const char *data;    /* q's */
    double work;         /* q's, or STUDY_WORK */
    bool learned;        /* trained earlier, perhaps on other rows; otherwise here, on these */
    perc_dataset *ds;    /* NULL: only a model */
    perc_dataset_info data_info;
    struct study_run *run;       /* one for each learner */
    size_t runs;                 /* those that could be trained: each has a model */
    char why_missing[STUDY_WHY]; /* why some could not: "lp: ...; svm: ..."; or "" */
    struct study_run *order;     /* the same learner on the same rows in other orders */
    size_t orders;
    char why_orders[STUDY_WHY];

    enum study_plane plane;
    uint64_t feature[2];      /* STUDY_TWO_FEATURES, STUDY_CHOSEN */
    char axis[2][128];        /* names of the axes, "petal width", "component 1 (72 %)" */
    double *direction, *mean; /* STUDY_COMPONENTS, STUDY_CHOSEN: where the plane lies */
    perc_dataset *drawn;      /* the rows as the plane has them: features in the units of the
                                  file, read again without --scale; components as the learner
                                  sees the rows, ds itself. Rows and labels are the same */
    bool seen;                /* with --scale: the latter case */
    double *scaling_a,
        *scaling_b;      /* --scale: the learner sees scaling_a[j] x_j + scaling_b[j]; NULL: x_j */
    double *scaling_low; /* the smallest x_j; part of scaling_b */
    bool bent;           /* --scale unit: it sees x / |x|, and its boundaries are not lines */
    double box[4];       /* smallest x, y, largest x, y, with a margin */
    double *x, *y;       /* of the points drawn: all, or a sample of STUDY_POINTS */
    int *label;          /* their label numbers */
    uint64_t *row;       /* their rows, from 0 */
    size_t points;
    bool sampled;
    char plane_words[256]; /* "the first two principal components, 81 % of the variance; ..." */

    perc_proof *proof; /* NULL: not tried, why_proof says why */
    perc_params *prove_params;
    perc_part part; /* its problem; of several, the first "no" or the first */
    bool bounded;
    perc_bound bound; /* --bound: R, gamma', the bound; runs of the plain perceptron */
    bool hulled;
    perc_hulls hulls; /* in the plane of two features */
    /* y_i u.(x_i, 1) of every row as the learner sees it, where u is the direction of the largest
     * margin, of length 1; NULL: there is none, and why_bound says why. */
    double *advance;
    double gamma, radius; /* its margin gamma', and R */
    double limit;         /* (R / gamma')^2: no run of the plain perceptron errs more often */
    /* The same in the space of a kernel, for the first run that has one; NULL: not measured. */
    perc_proof *space;
    const struct study_run *space_run;
    perc_part space_part;
    perc_bound space_bound;
    char why_plane[STUDY_WHY], why_proof[STUDY_WHY], why_bound[STUDY_WHY];
};

/* Reads, trains each learner once, measures, proves. Everything but one model may be missing, with
 * a reason. If there are several learners, those that do not fit the data are left out. PERC_EARG:
 * no such `features`. `err` is never NULL. Call study_free in any case. */
perc_status study_make(struct study *s, const struct study_request *q, perc_error *err);
/* The same for a model trained earlier, which the study takes over, on data that it can read,
 * perhaps not those it learned from: rows, margins, the plane. Without data: its weights, its
 * support rows and, with two features, its answers around zero. */
perc_status study_of_model(struct study *s, const struct study_request *q, perc_model *m,
                           perc_error *err);
void study_free(struct study *s);
/* What became of the orders, as a table. */
void study_orders_table(const struct study *s, struct facts *f);
bool study_stopped(const struct study *s);

/* Where row i lies in the plane. `x` is scratch, with room for `features` numbers. */
void study_place(const struct study *s, uint64_t row, double *x, double at[2]);
/* Feature j by its name in the file, or "x3"; in `buf`, cut to fit. */
const char *study_feature(const struct study *s, uint64_t j, char *buf, size_t size);
/* The same for the feature of weight j of a run's model, with dots where it is cut. NULL: out of
 * memory. */
const char *study_weight_name(const struct study_run *r, uint64_t j, char *buf, size_t size);
/* The number of the data's label with this name; -1: there is none ("rest"). */
int study_label(const struct study *s, const char *label);
/* What the words of the proof are about. */
struct proof_words study_words(const struct study *s);
/* What kind of machine a run has. */
bool study_kernel(const struct study_run *r);
bool study_network(const struct study_run *r);
bool study_linear(const struct study_run *r); /* weights, and no map between them and the rows */
bool study_is(const struct study_run *r, const char *name, const char *value); /* an option */
bool study_decays(const struct study_run *r); /* its weights shrink from example to example */

#endif
