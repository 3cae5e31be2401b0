/* perceptron_select.h -- measuring models, and choosing among them: errors and losses, held-out
 * rows, folds, cross-validation, learning curves, grids of parameters, and probabilities. */
#ifndef PERCEPTRON_SELECT_H
#define PERCEPTRON_SELECT_H

#include "perceptron.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ===== Metrics ========================================================== */

enum {
    PERC_QUANTILES = 7, /* min, 5 %, 25 %, 50 %, 75 %, 95 %, max */
    PERC_BINS = 10      /* of a reliability table */
};

typedef struct perc_metrics {
    uint64_t rows;                      /* rows with a label the model knows */
    uint64_t unlabelled;                /* rows left out: no label */
    uint64_t unknown;                   /* rows left out: a label unknown to the model */
    uint64_t errors;                    /* E_n: rows of margin <= 0 */
    uint64_t on_boundary;               /* rows of margin 0: they err for either label */
    double accuracy;                    /* of the predictions */
    double error;                       /* errors / rows */
    double perceptron_loss, hinge_loss; /* means over the margins */
    double precision, recall, f1;       /* two classes: of the positive one; else the mean */
                                        /* over classes; NaN if 0/0 */
    double auc;                         /* ties count a half; NaN unless two classes */
    double margin[PERC_QUANTILES];      /* y s; more classes: half the gap */
    double distance[PERC_QUANTILES];    /* of y s / |w|; NaN if w = 0, and for more than */
                                        /* two classes */
    /* Models that give probabilities only; NaN and 0 elsewhere. */
    double log_loss;   /* mean of -log p(truth) */
    double brier;      /* mean of (p - y)^2; more than two classes: of the sum over classes */
    uint64_t disagree; /* rows whose most probable label is not the answer */
    struct {           /* p of the positive class; more than two: of the answer */
        uint64_t rows;
        double p, share;      /* mean p, and how often it was so; NaN if empty */
    } reliability[PERC_BINS]; /* bin i: i / 10 <= p < (i + 1) / 10 */
    double average_precision; /* two classes: sum of precision times what recall gains, as the */
                              /* threshold falls through the scores; else NaN */
    double balanced_accuracy; /* mean recall of the classes that there are rows of */
    double mcc;               /* Matthews' correlation of labels and answers; NaN if 0/0 */
    double baseline_error;    /* of giving every row the label that most of them have, */
    size_t baseline_label;    /* which is this one; the lower of equals; in a summary the first's */
    uint64_t wrong;           /* rows whose answer is not their label */
} perc_metrics;

/* `confusion`, if wanted, gets labels * labels counts, [truth][prediction], the labels
 * in the model's order; two classes: 0 = negative. */
perc_status perc_evaluate_sized(const perc_env *env, const perc_model *m, const perc_dataset *ds,
                                perc_metrics *out, size_t size, uint64_t *confusion,
                                perc_error *err);
static inline perc_status perc_evaluate(const perc_env *env, const perc_model *m,
                                        const perc_dataset *ds, perc_metrics *out,
                                        uint64_t *confusion, perc_error *err)
{
    return perc_evaluate_sized(env, m, ds, out, sizeof *out, confusion, err);
}

/* The metrics that models can be chosen by, of perc_metrics: "accuracy", "log-loss", ...; NULL past
 * the end. value: NaN, too, for an unknown name. better: whether a is better than b; a number is
 * better than NaN. check, PERC_EARG: there is no such metric, or a learner with the parameters `p`
 * has none on these data, and why. */
const char *perc_metric_name(size_t i);
double perc_metric_value_sized(const perc_metrics *metrics, const char *name, size_t size);
static inline double perc_metric_value(const perc_metrics *metrics, const char *name)
{
    return perc_metric_value_sized(metrics, name, sizeof *metrics);
}
int perc_metric_better(const char *name, double a, double b);
perc_status perc_metric_check(const char *name, const perc_params *p, const perc_dataset *ds,
                              perc_error *err);

/* From the scores of perc_predict: the margin of each row, NaN without a label that the model
 * knows. */
perc_status perc_margins(const perc_model *m, const perc_dataset *ds, const double *scores,
                         double *margins, perc_error *err);
/* The ROC curve of two classes, likewise, from (0, 0) to (1, 1): x is the false and y the true
 * positive rate as the threshold falls. They have room for `most` >= 3 points; of more, some
 * that are evenly spaced along the curve. PERC_EARG: more classes; PERC_EDATA: rows of one only. */
perc_status perc_roc(const perc_env *env, const perc_model *m, const perc_dataset *ds,
                     const double *scores, size_t most, double *x, double *y, size_t *n,
                     perc_error *err);
/* The share of the rows of weight > 0 that have another label than most of them, and which label
 * that is; rows with one that the model does not know are left out. NaN: there are no others. */
perc_status perc_baseline(const perc_model *m, const perc_dataset *ds, size_t *label, double *error,
                          perc_error *err);

/* What two classes cost each other: an entry for every score that rows with a known label have, the
 * highest first, as if the threshold stood there. They have room for `most` >= 3 entries; of more,
 * some that are evenly spaced along the ROC curve, with both ends and that of the model's own
 * threshold. Every row counts once. PERC_EARG, PERC_EDATA: as perc_roc. */
typedef struct perc_trade {
    double score, p;                          /* p: NaN if the model has no probabilities */
    uint64_t true_positives, false_positives; /* rows of at least this score */
    double precision, recall, false_positive_rate, f1;
    int here; /* 1: the last entry that the model calls positive */
} perc_trade;
perc_status perc_trade_off_sized(const perc_env *env, const perc_model *m, const perc_dataset *ds,
                                 const double *scores, size_t most, perc_trade *each, size_t *n,
                                 size_t size, perc_error *err);
static inline perc_status perc_trade_off(const perc_env *env, const perc_model *m,
                                         const perc_dataset *ds, const double *scores, size_t most,
                                         perc_trade *each, size_t *n, perc_error *err)
{
    return perc_trade_off_sized(env, m, ds, scores, most, each, n, sizeof *each, err);
}

/* The mean of the rows, and the k directions in which they vary most (principal components), of
 * length 1 and one after the other, `features` numbers each; share: of the variance that lies
 * along each. Of the n rows `row`; NULL: of all. PERC_EARG: k is not in 1 .. 12, or more than
 * there are features; no such row. */
perc_status perc_dataset_components(const perc_env *env, const perc_dataset *ds,
                                    const uint64_t *row, uint64_t n, size_t k, double *mean,
                                    double *direction, double *share, perc_error *err);

/* Mean and spread (standard deviation, divisor k - 1) of the real numbers in k results; the
 * counts are summed up in the mean, and 0 in the spread. A number that is NaN in one is NaN. */
void perc_metrics_summary_sized(const perc_metrics *each, size_t k, perc_metrics *mean,
                                perc_metrics *spread, size_t size);
static inline void perc_metrics_summary(const perc_metrics *each, size_t k, perc_metrics *mean,
                                        perc_metrics *spread)
{
    perc_metrics_summary_sized(each, k, mean, spread, sizeof *mean);
}

/* ===== Held-out rows ==================================================== */

/* Two data sets out of one: `held` has about the share `share` of the rows, drawn with
 * `seed`, each label in proportion, `rest` the others. They copy what they need. What was measured
 * on the rows (scaling, means, levels) is measured again on `rest`, and `held` is as a model of it
 * would have read it. */
perc_status perc_dataset_split(const perc_dataset *ds, double share, uint64_t seed,
                               perc_dataset **rest, perc_dataset **held, perc_error *err);

/* Reads a file as perc_dataset_read_for would for a model trained on `like`: the same
 * columns, index base, categories and transforms. */
perc_status perc_dataset_read_like(const perc_env *env, const perc_dataset *like, const char *path,
                                   const perc_params *data, perc_dataset **out, perc_error *err);

/* Trains on ds and measures on `held` after each pass. Stops when `patience` passes
 * were no better (0: never), and returns the model as it was after the
 * best pass, the earliest of equals: the one that "epochs" set to that pass gives, and
 * so its option says. Better is fewer errors, or, where the learner learns probabilities, a
 * lower log loss. The report's counters are those of the whole run; held_epoch is 0 if
 * no pass was completed. Learners that do not work in passes are just trained. PERC_EDATA: no
 * held-out row has a known label. */
perc_status perc_fit_validated_sized(const perc_env *env, const perc_dataset *ds,
                                     const perc_params *p, const perc_dataset *held,
                                     int64_t patience, const perc_observer *observer,
                                     perc_model **out, perc_report *report, size_t size,
                                     perc_error *err);
static inline perc_status perc_fit_validated(const perc_env *env, const perc_dataset *ds,
                                             const perc_params *p, const perc_dataset *held,
                                             int64_t patience, const perc_observer *observer,
                                             perc_model **out, perc_report *report, perc_error *err)
{
    return perc_fit_validated_sized(env, ds, p, held, patience, observer, out, report,
                                    sizeof *report, err);
}

/* The same, and the best pass is the best in this metric; NULL: as above. */
perc_status perc_fit_by_metric_sized(const perc_env *env, const perc_dataset *ds,
                                     const perc_params *p, const perc_dataset *held,
                                     const char *metric, int64_t patience,
                                     const perc_observer *observer, perc_model **out,
                                     perc_report *report, size_t size, perc_error *err);
static inline perc_status perc_fit_by_metric(const perc_env *env, const perc_dataset *ds,
                                             const perc_params *p, const perc_dataset *held,
                                             const char *metric, int64_t patience,
                                             const perc_observer *observer, perc_model **out,
                                             perc_report *report, perc_error *err)
{
    return perc_fit_by_metric_sized(env, ds, p, held, metric, patience, observer, out, report,
                                    sizeof *report, err);
}

/* ===== Folds ============================================================ */

/* Deals the rows into k >= 2 folds: fold[i] is that of row i, from 0. Each label is
 * spread evenly, with `seed`, and so are its rows of weight > 0. PERC_EDATA: a label with
 * fewer than k of those. */
perc_status perc_folds(const perc_dataset *ds, size_t k, uint64_t seed, uint32_t *fold,
                       perc_error *err);

/* k-fold cross-validation: for each fold a model is trained with `p` on the other rows,
 * which is training on all rows with weight 0 for the fold's, to the bit, once what is measured on
 * rows (scaling, means, levels) has been measured on the others; each[f] is how
 * it does on the fold, ignoring weights. Folds come from the parameter "seed"; with
 * "positive" all other labels are one class, and may be rare.
 * An observer sees one event a fold, as if it were a pass; cancelling is then an error.
 * PERC_EDATA, PERC_ENO name the fold. */
perc_status perc_cross_validate_sized(const perc_env *env, const perc_dataset *ds,
                                      const perc_params *p, size_t k, const perc_observer *observer,
                                      perc_metrics *each, size_t size, perc_error *err);
static inline perc_status perc_cross_validate(const perc_env *env, const perc_dataset *ds,
                                              const perc_params *p, size_t k,
                                              const perc_observer *observer, perc_metrics *each,
                                              perc_error *err)
{
    return perc_cross_validate_sized(env, ds, p, k, observer, each, sizeof *each, err);
}

/* A learning curve: for every i < n trains on share[i] of the rows, each label in
 * proportion, the rows of smaller shares being among those of larger ones, and measures on
 * those same rows (train[i]) and on held-out ones (held[i]): those of `held_set`, or else
 * by k-fold cross-validation, and the results are means. rows[i]: how many were learned
 * from, on average. */
perc_status perc_learning_curve_sized(const perc_env *env, const perc_dataset *ds,
                                      const perc_params *p, const perc_dataset *held_set, size_t k,
                                      const double *share, size_t n, const perc_observer *observer,
                                      double *rows, perc_metrics *train, perc_metrics *held,
                                      size_t size, perc_error *err);
static inline perc_status perc_learning_curve(const perc_env *env, const perc_dataset *ds,
                                              const perc_params *p, const perc_dataset *held_set,
                                              size_t k, const double *share, size_t n,
                                              const perc_observer *observer, double *rows,
                                              perc_metrics *train, perc_metrics *held,
                                              perc_error *err)
{
    return perc_learning_curve_sized(env, ds, p, held_set, k, share, n, observer, rows, train, held,
                                     sizeof *train, err);
}

/* ===== Grids of parameters ============================================== */

/* "C=0.01,0.1,1 loss=hinge,squared": every combination, the last name running fastest,
 * on top of `base`. "seed" and a few others cannot vary. */
typedef struct perc_grid perc_grid;
perc_status perc_grid_new(const perc_env *env, const perc_params *base, const char *spec,
                          perc_grid **out, perc_error *err);
size_t perc_grid_points(const perc_grid *g);
size_t perc_grid_names(const perc_grid *g);
const char *perc_grid_name(const perc_grid *g, size_t k);            /* NULL past the end */
const char *perc_grid_value(const perc_grid *g, size_t i, size_t k); /* of point i */
/* The parameters of point i, new. */
perc_status perc_grid_params(const perc_grid *g, size_t i, perc_params **out, perc_error *err);
void perc_grid_free(perc_grid *g);

/* ===== Probabilities ==================================================== */

/* Fits a sigmoid p = 1 / (1 + exp(a s + b)), a <= 0, to the scores of every class
 * (Platt 1999; Lin, Lin, Weng 2007), on scores of rows that were held out: `folds`
 * models are trained as `m` was, each without a fold. m was trained on ds and keeps
 * its weights; it can answer with probabilities from now on, until it learns more.
 * PERC_EDATA: a label with fewer rows than folds; PERC_EARG: logistic, which needs none. */
perc_status perc_calibrate(const perc_env *env, perc_model *m, const perc_dataset *ds, size_t folds,
                           const perc_observer *observer, perc_error *err);
/* From the `outputs` scores of a row to `labels` probabilities in the model's order, of
 * sum 1. With more than two classes they are the sigmoids divided by their sum; the most
 * probable label need not be the answer. A network (mlp) that is not calibrated has its own, and so
 * has logistic: 1 / (1 + exp(-s)), or the softmax of its scores (one against the rest: each, over
 * their sum). PERC_EARG: the model has none. */
perc_status perc_probabilities(const perc_model *m, const double *scores, double *p,
                               perc_error *err);
/* The sigmoid of output c. PERC_EARG: the model has none. */
perc_status perc_model_sigmoid(const perc_model *m, size_t c, double *a, double *b,
                               perc_error *err);

/* ===== Thresholds ======================================================= */

/* From where on a model of two classes answers with the positive one. By the rule, s > 0; or by a
 * threshold, which is part of the model: perc_answer follows it. It says nothing about mistakes,
 * errors E_n and convergence, which are those of the rule.
 *
 *     none             the rule
 *     0.3              p >= 0.3; the model must have probabilities
 *     score:-0.5       s >= -0.5
 *     probabilities    the most probable label, of two: p >= 0.5; of any number of classes
 *
 * PERC_EARG: not one of these, or not for this model, and why. A model that learns more forgets a
 * threshold that was fitted to its weights, or to probabilities that were. */
perc_status perc_model_set_threshold(perc_model *m, const char *spec, perc_error *err);

/* Finds the threshold that is best on rows that were held out, in the way of perc_calibrate: of all
 * scores one half-way to the next lower one. Rows count by their weight; of equals the first wins.
 *
 *     best:f1              F1
 *     best:balanced        the balanced accuracy
 *     best:cost:FP,FN      the least FP * (false positives) + FN * (false negatives)
 *     best:precision:0.9   the largest recall with a precision of at least 0.9
 *     best:recall:0.8      the largest precision with a recall of at least 0.8
 *
 * calibrate: sigmoids are fitted to the same scores. PERC_ENO: no threshold is that good, and how
 * good the best is; the model is as it was, but calibrated. */
typedef struct perc_choice { /* on the held-out rows, by weight */
    double true_positives, false_positives, false_negatives, true_negatives;
    double precision, recall, f1, balanced_accuracy; /* NaN if 0/0 */
} perc_choice;
perc_status perc_choose_threshold_sized(const perc_env *env, perc_model *m, const perc_dataset *ds,
                                        size_t folds, const char *best, int calibrate,
                                        const perc_observer *observer, perc_choice *out,
                                        size_t size, perc_error *err);
static inline perc_status perc_choose_threshold(const perc_env *env, perc_model *m,
                                                const perc_dataset *ds, size_t folds,
                                                const char *best, int calibrate,
                                                const perc_observer *observer, perc_choice *out,
                                                perc_error *err)
{
    return perc_choose_threshold_sized(env, m, ds, folds, best, calibrate, observer, out,
                                       sizeof *out, err);
}
/* Whether `spec`, either kind, is for what learns with `p` from ds and is calibrated, or not. */
perc_status perc_threshold_check(const char *spec, const perc_params *p, const perc_dataset *ds,
                                 int calibrate, perc_error *err);

typedef struct perc_threshold {
    const char *of;     /* "rule", "score", "probability", "probabilities" */
    const char *choice; /* "best:f1", ...; "": it was given, or there is none. In the model */
    double score;       /* of "score", or NaN */
    double p;           /* of "probability", or that of the score; NaN: none */
    size_t folds;       /* that sigmoids and threshold come from; 0: neither was fitted */
} perc_threshold;
void perc_model_threshold_sized(const perc_model *m, perc_threshold *out, size_t size);
static inline void perc_model_threshold(const perc_model *m, perc_threshold *out)
{
    perc_model_threshold_sized(m, out, sizeof *out);
}

#ifdef __cplusplus
}
#endif
#endif
