/* study_options.h -- what `report` and `plot` have in common: the options that say what to look
 * at, the learners side by side, the line of progress, and how it may fail. */
#ifndef PERC_CLI_STUDY_OPTIONS_H
#define PERC_CLI_STUDY_OPTIONS_H

#include "cli/cli.h"
#include "study/study.h"

enum { STUDY_PROVE_SECONDS = 10 };

struct study_options {
    struct cli *cli;
    const char *data;                /* or a model */
    const char *algorithm, *compare; /* both NULL: CLI_ALGORITHM */
    int64_t prove_seconds;
    int64_t orders, update; /* 0: not given */
    int lift;
    struct study_request request; /* made from these; .features and .animate are the caller's */
    perc_params *data_params, *params[STUDY_RUNS];
    char *names; /* of --compare, cut into words */
    struct ticker ticker;
    bool caught; /* interrupts are caught, from the first work on */
};

/* The options that fill it: rows of a list of struct opt. */
#define STUDY_OPTIONS(q)                                                                        \
    { 'a',      "algorithm",                                                                    \
      OPT_TEXT, &(q).algorithm,                                                                 \
      "NAME",   CLI_HELP_ALGORITHM " [" CLI_ALGORITHM "]",                                      \
      0,        0 },                                                                            \
        { 0,        "compare",                                                                  \
          OPT_TEXT, &(q).compare,                                                               \
          "LIST",   "several algorithms side by side: perceptron,pocket,svm",                   \
          0,        0 },                                                                        \
        { 0,                                                                                    \
          "orders",                                                                             \
          OPT_INT,                                                                              \
          &(q).orders,                                                                          \
          "N",                                                                                  \
          "learn from the same rows in N orders, by as many seeds: their boundaries, "          \
          "passes and mistakes",                                                                \
          2,                                                                                    \
          STUDY_RUNS },                                                                         \
        { 0,                                                                                    \
          "show-update",                                                                        \
          OPT_INT,                                                                              \
          &(q).update,                                                                          \
          "K",                                                                                  \
          "two features: draw update K as an arrow of the weights, and how the "                \
          "boundary turns [the first that has one to turn]",                                    \
          1,                                                                                    \
          STUDY_STEPS },                                                                        \
        { 0,                                                                                    \
          "features",                                                                           \
          OPT_TEXT,                                                                             \
          &(q).request.features,                                                                \
          "A,B",                                                                                \
          "the two features to draw, by name or number [the two there are, else the first two " \
          "principal components]",                                                              \
          0,                                                                                    \
          0 },                                                                                  \
        OPT_FORM((q).cli),                                                                      \
        { 0,                                                                                    \
          "lift",                                                                               \
          OPT_FLAG,                                                                             \
          &(q).lift,                                                                            \
          NULL,                                                                                 \
          "the points of two features as a map of degree 2 sees them, in space; unless told "   \
          "otherwise, learned by perceptron with --map lift:2:0",                               \
          0,                                                                                    \
          0 },                                                                                  \
        { 0,                                                                                    \
          "axes",                                                                               \
          OPT_TEXT,                                                                             \
          &(q).request.axes,                                                                    \
          "A,B,C",                                                                              \
          "the axes of that picture: products such as x1^2 and x1*x2, or distance (from the "   \
          "plane)",                                                                             \
          0,                                                                                    \
          0 },                                                                                  \
    {                                                                                           \
        0, "prove-limit", OPT_INT, &(q).prove_seconds, "SECONDS",                               \
            "time for the proof of separability; 0: none [10]", 0, 1000000                      \
    }

/* The study of q->data, or of a model over `data` (NULL: alone). Returns 0, or an exit code after
 * saying why; call study_free and study_options_free in either case. */
int study_options_make(struct study_options *q, struct study *s);
int study_options_model(struct study_options *q, const char *data, struct study *s);
void study_options_free(struct study_options *q);

#endif
