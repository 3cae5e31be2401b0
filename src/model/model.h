/* model.h -- a model: the learner with its machine, and what leads data to it. */
#ifndef PERC_MODEL_H
#define PERC_MODEL_H

#include "data/dataset.h"
#include "learn/learner.h"

struct perc_model {
    struct env e;
    perc_params *params;        /* of the learner's table */
    struct learner learner;     /* machine, counters */
    int index_base;             /* 0 or 1; -1: an untaught model, not known yet */
    char *negative, *positive;  /* label texts; NULL: unknown */
    bool rest;                  /* negative stands for every other label */
    uint64_t rows;              /* of the training set */
    struct schema schema;
    struct transform transform;
    struct names names;         /* of the features, made from the schema */
    /* scratch of perc_learn for models with a transform */
    uint32_t *scratch_column;
    double *scratch_value;
    uint64_t scratch;
};

perc_status model_new(const struct env *e, const perc_params *p, perc_model **out,
                      perc_error *err);
/* Takes index base, schema, names and transform over from a data set. */
perc_status model_adopt(perc_model *m, const perc_dataset *ds, perc_error *err);
/* Features: machine.dims less the unused columns below the base. */
uint64_t model_features(const perc_model *m);
/* The transform speaks of the file's columns; this view of it, of features from 0.
 * It owns nothing. */
struct transform model_transform(const perc_model *m);
/* +1, -1, or 0 if the model does not know the label. */
int model_sign(const perc_model *m, const char *label);

/* The model in t, checked; perc_model_read without the file (file.c). */
struct tensors;
perc_status model_decode(const struct env *e, const struct tensors *t, perc_model **out,
                         perc_error *err);

#endif
