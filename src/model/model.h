/* model.h -- a model: the learner with its machine, and what leads data to it. */
#ifndef PERC_MODEL_H
#define PERC_MODEL_H

#include "base/pool.h"
#include "data/dataset.h"
#include "learn/class_weight.h"
#include "learn/learner.h"
#include "model/pipe.h"
#include "model/platt.h"
#include "model/threshold.h"

struct online_line;

struct start;

/* --init MODEL: features of the data that it knows, that it does not, and of it that they lack. */
struct start_count {
    uint64_t found, missing, unused;
};

struct perc_model {
    struct env e;
    perc_params *params;    /* of the learner's table */
    struct learner learner; /* machine, classes, counters */
    struct class_weights weights;
    int index_base; /* 0 or 1; -1: an untaught model, not known yet */
    uint64_t rows;  /* of the training set */
    struct schema schema;
    struct transform transform;
    struct map map;
    struct names names;      /* of the input features, made from the schema */
    struct sigmoid *sigmoid; /* one per output, `sigmoids` of them; NULL: not calibrated */
    size_t sigmoids;
    struct threshold threshold; /* how scores become answers */
    size_t folds;               /* whose scores sigmoids and threshold were fitted to; 0: none */
    uint64_t support_count;     /* examples that support a kernel machine: supports.c */
    struct start_count start;
    struct start *begin;      /* a start that waits for the index base: start_begin; else NULL */
    struct pipe pipe;         /* scratch of perc_learn */
    struct online_line *line; /* for perc_learn_line (online.c); NULL before perc_learn_begin */
};

perc_status model_new(const struct env *e, const perc_params *p, perc_model **out, perc_error *err);
/* Takes index base, schema, names, transform and map over from a data set. */
perc_status model_adopt(perc_model *m, const perc_dataset *ds, perc_error *err);
/* Columns below the first feature: 0 or 1. */
static inline uint64_t model_base(const perc_model *m)
{
    return m->index_base > 0 ? 1 : 0;
}
/* 1 + the largest column of data that the model knows. */
uint64_t model_inputs(const perc_model *m);
/* Features: the machine's columns less the unused columns below the base. */
uint64_t model_features(const perc_model *m);
/* A caller's example as a row, columns from 0, before the pipe; PERC_EARG: it is not valid. */
struct row model_example_row(const perc_example *x);
perc_status model_check_example(const perc_example *x, perc_error *err);
/* Shows the machine one row, as it is, of the class of `label`. */
perc_status model_learn(perc_model *m, const struct row *x, const char *label, double weight,
                        struct outcome *out, perc_error *err);
/* Bytes that the weights may take when rows come one by one (check_columns in model.c). */
#define MODEL_LINE_BYTES 0x1p31
/* Weights for so many columns; `classes` are expected, or those that are there. PERC_ENOMEM says
 * how much they need, and the remedy. */
perc_status model_grow(perc_model *m, size_t classes, uint64_t columns, perc_error *err);
/* PERC_EDATA: a counter is so large that it might soon be more than a file can have. */
perc_status model_counts_on(const perc_model *m, perc_error *err);
/* PERC_EARG if m cannot learn from one example at a time. */
perc_status model_is_online(const perc_model *m, perc_error *err);
/* PERC_EARG, with the remedy, if m needs to see all rows before it learns from one. */
perc_status model_without_data(const perc_model *m, const char *where, perc_error *err);
/* Draws the machine's start before there are data, if it is one drawn at random. PERC_EARG: nothing
 * says how wide the data will be. */
perc_status model_draw_start(perc_model *m, const char *where, perc_error *err);
/* For a model without data: what "init" says (start.c). begin: its index base is known now, and its
 * machine gets its start. drop: the start is not needed any more. */
perc_status start_prepare(perc_model *m, const char *where, perc_error *err);
perc_status start_begin(perc_model *m, int index_base, perc_error *err);
void start_drop(perc_model *m);
void online_free(struct online_line *l); /* NULL is fine */
/* The class that these scores speak for (answer.c): the only place where that is decided. The
 * model knows a label. */
size_t model_answer(const perc_model *m, const double *scores);
/* PERC_EARG: m cannot have such a threshold, and why. `p`: whether it has probabilities. */
perc_status model_threshold_fits(const perc_model *m, enum threshold_of of, double at, bool p,
                                 perc_error *err);
/* What a file has of answers, beside sigmoids (state.c). */
struct tensors;
perc_status model_threshold_encode(const perc_model *m, struct tensors *t);
perc_status model_threshold_decode(perc_model *m, const struct tensors *t, perc_error *err);
/* Forgets the sigmoids; and all that was fitted to other weights (calibrate.c). */
void model_uncalibrate(perc_model *m);
void model_forget_fitted(perc_model *m);
/* Whether such a rule learns probabilities on its machine; calibration fits them to any other. */
bool model_learns_p(const struct rule *rule, const struct machine_ops *ops);
/* Whether m has probabilities: sigmoids, or those it has learned. */
bool model_has_p(const perc_model *m);
/* The probabilities of a row, one per label, from its scores; the log of one, finite if p is 0. */
void model_probabilities(const perc_model *m, const double *scores, double *p);
double model_log_p(const perc_model *m, const double *scores, size_t class);
/* The most probable class; of two the second if they are equally so. */
size_t model_most_probable(const perc_model *m, const double *scores);
/* PERC_EDATA, with the line, if a row of these blocks has no label to learn from. */
perc_status model_check_labels(const struct block *b, size_t blocks, perc_error *err);
/* The model's class of each label of ds, CLASS_NONE where it has none. NULL: out of memory. */
size_t *model_classes(const perc_model *m, const perc_dataset *ds, struct pool *pool);
/* The class of a row; CLASS_NONE also if it has no label. */
static inline size_t model_class_at(const struct block *b, size_t i, size_t labels,
                                    const size_t *class_of)
{
    return b->label[i] < labels ? class_of[b->label[i]] : CLASS_NONE;
}

/* How many examples a kernel machine is made of (supports.c), as counted when training ended
 * or the file was read; model_learn keeps the count up to date. PERC_ENOMEM. */
uint64_t model_supports(const perc_model *m);
perc_status model_count_supports(perc_model *m, perc_error *err);
/* The same in two steps, the second of which cannot fail: a hash table with room for the examples
 * of so many updates, open addressing; row < 0: free. */
struct counts {
    perc_support *slot; /* NULL: none */
    size_t slots;       /* a power of two */
    struct hash_key key;
};
perc_status supports_open(const struct env *e, size_t updates, struct counts *c);
uint64_t supports_count(const struct learner *l, struct counts *c);
void supports_close(const struct env *e, struct counts *c); /* safe on a zeroed struct */

/* perc_predict by what m returns or, if `last`, by the machine as it stands (predict.c). The watch,
 * if there is one, may cut it short: PERC_EUNDECIDED. */
struct watch;
perc_status predict_machine(const struct env *e, const perc_model *m, const perc_dataset *ds,
                            bool last, const struct watch *watch, double *scores, perc_error *err);

/* The model in t, checked; perc_model_read without the file (file.c). */
struct tensors;
perc_status model_decode(const struct env *e, const struct tensors *t, perc_model **out,
                         perc_error *err);

#endif
