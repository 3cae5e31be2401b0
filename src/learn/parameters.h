/* parameters.h -- the rows that the tables of several learners share. */
#ifndef PERC_PARAMETERS_H
#define PERC_PARAMETERS_H

#include "base/params.h"
#include "learn/rule.h"

/* clang-format off */

#define PARAMETERS_RATE                                                                            \
    { "rate", PERC_REAL, "1", 1e-300, 1e300, NULL, "ETA",                                          \
      "learning rate; from a zero start, and constant, it only scales the weights" },              \
    { "schedule", PERC_CHOICE, "constant", 0, 0, "constant|1/t|1/sqrt", "HOW",                     \
      "the rate at example t: ETA, ETA / t or ETA / sqrt(t)" }

#define PARAMETERS_MARGIN                                                                          \
    { "margin", PERC_REAL, "1", 0, 1e300, NULL, "M",                                               \
      "rule margin: update rows that are right by less than M updates would bring" }

#define PARAMETERS_AGGRESSIVENESS                                                                  \
    { "aggressiveness", PERC_REAL, "1", 1e-300, 1e300, NULL, "C",                                  \
      "rules pa1 and pa2: the larger, the further a step may go" }

#define PARAMETERS_RHO                                                                             \
    { "rho", PERC_REAL, "1", 1e-300, 1e300, NULL, "R",                                             \
      "arow: the larger, the shorter the steps, and the longer a weight stays unsure" }

#define PARAMETERS_DECAY                                                                           \
    { "decay", PERC_REAL, "0", 0, 0.999999, NULL, "D",                                             \
      "weights lose this share before each example, so that a stream may drift; 0: they stay" }

#define PARAMETERS_ARITHMETIC                                                                      \
    { "arithmetic", PERC_CHOICE, "double", 0, 0, "double|exact", "HOW",                            \
      "exact: every decision on the decimals of the data, in whole numbers; trace does if it can" }

#define PARAMETERS_RULE(offered)                                                                   \
    { "rule", PERC_CHOICE, "perceptron", 0, 0, offered, "RULE", "the rule that makes the updates" }

#define PARAMETERS_OFFSET                                                                          \
    { "offset", PERC_BOOL, "true", 0, 0, NULL, NULL,                                               \
      "no offset b: the boundary passes through the origin" }

#define PARAMETERS_CLASSES                                                                         \
    { "positive", PERC_TEXT, NULL, 0, 0, NULL, "LABEL",                                            \
      "the label that is +1; all others are -1" },                                                 \
    { "class-weight", PERC_TEXT, NULL, 0, 0, NULL, "WEIGHTS",                                      \
      "LABEL=W,... scales what rows of these labels count for; balanced: by rarity" }

#define PARAMETERS_SEED                                                                            \
    { "seed", PERC_INT, "0", 0, 9e15, NULL, "N", "seed of all randomness" }

#define PARAMETERS_LIMITS                                                                          \
    { "time-limit", PERC_REAL, "0", 0, 1e9, NULL, "SECONDS",                                       \
      "stop training after this long; 0: no limit" },                                              \
    PARAMETERS_SEED

#define PARAMETERS_ORDER                                                                           \
    { "order", PERC_CHOICE, "shuffle", 0, 0, "file|shuffle|shuffle-once", "ORDER",                 \
      "rows as they stand in the file, shuffled again for each pass, or once for all passes" }

/* What may end a run, and what is written on the way. */
#define PARAMETERS_RUN                                                                             \
    { "updates", PERC_INT, "0", 0, 9e15, NULL, "N", "stop after N updates; 0: no limit" },         \
    PARAMETERS_LIMITS,                                                                             \
    { "checkpoint", PERC_TEXT, NULL, 0, 0, NULL, "FILE",                                           \
      "save the model to FILE while training, so that --resume can go on from it" },               \
    { "every", PERC_INT, "1", 1, 1e15, NULL, "N", "passes between checkpoints" }

/* Which classes there are before the first row is shown. */
#define PARAMETERS_KNOWN                                                                           \
    { "classes", PERC_TEXT, NULL, 0, 0, "LABEL,...|all|seen", "LABELS",                            \
      "the classes there are from the first row on; all: those of the data (native, in memory: "   \
      "the default); seen: each from its own first row on" }

/* Learners that go in passes, one example after the other. */
#define PARAMETERS_COMMON                                                                          \
    PARAMETERS_OFFSET,                                                                             \
    { "init", PERC_TEXT, "zero", 0, 0, "zero|unit[:N]|random[:N]|FILE", "START",                   \
      "start from 0, from 1/sqrt(n) for each of n features, from normal numbers / sqrt(n), or "    \
      "from the weights of a model or a file of numbers; on a stream and in learn N says n" },     \
    PARAMETERS_ORDER,                                                                              \
    { "multiclass", PERC_CHOICE, "auto", 0, 0, "auto|native|ovr", "HOW",                           \
      "native: all classes at once; ovr: each against the rest; auto: two by sign, more ovr" },    \
    PARAMETERS_CLASSES,                                                                            \
    PARAMETERS_KNOWN,                                                                              \
    { "epochs", PERC_INT, "100", 0, 1e15, NULL, "N", "stop after N passes" },                      \
    PARAMETERS_RUN

/* The shape of a kernel, except for sigmoids. */
#define PARAMETERS_KERNEL_SHAPE                                                                    \
    { "degree", PERC_INT, "3", 1, 100, NULL, "P", "poly: K = (gamma x.z + coef0)^P" },             \
    { "gamma", PERC_TEXT, NULL, 0, 0, "NUMBER|scale|auto", "G",                                    \
      "poly (default 1); rbf: exp(-G |x-z|^2), default scale: 1/(d var); auto: 1/d" },             \
    { "sigma", PERC_REAL, "1", 1e-150, 1e150, NULL, "S", "gaussian: exp(-|x-z|^2 / (2 S^2))" },    \
    { "coef0", PERC_REAL, "1", -1e300, 1e300, NULL, "C", "poly: the constant" }

/* Learners whose score may be a sum of kernel values. */
#define PARAMETERS_KERNEL                                                                          \
    { "kernel", PERC_CHOICE, "none", 0, 0,                                                         \
      "none|linear|poly|gaussian|rbf|sigmoid|precomputed", "KERNEL",                               \
      "s(x) = sum a_i y_i K(x_i, x), a_i the mistakes on row i; precomputed: DATA is K" },         \
    PARAMETERS_KERNEL_SHAPE,                                                                       \
    { "eta", PERC_TEXT, NULL, 0, 0, "NUMBER|scale|auto", "E",                                      \
      "sigmoid: tanh(E x.z + theta); default scale" },                                             \
    { "theta", PERC_REAL, "0", -1e300, 1e300, NULL, "T", "sigmoid: the constant" },                \
    { "drop-after", PERC_INT, "0", 0, 1e9, NULL, "N",                                              \
      "perceptron: set a row aside at its Nth mistake (ovr: in that class); 0: never" },           \
    { "budget", PERC_INT, "0", 0, 1e6, NULL, "B", "keep at most B support rows; 0: all" },         \
    { "budget-policy", PERC_CHOICE, "projectron", 0, 0, "random|forgetron|projectron", "HOW",      \
      "when B rows are kept: forget one at random, or the oldest; or project the new one" },       \
    { "cache", PERC_REAL, "256", 0, 1e9, NULL, "MB", "kernel values kept for reuse; 0: none" },    \
    { "loop", PERC_CHOICE, "fast", 0, 0, "fast|textbook", "HOW",                                   \
      "textbook: score every row again; the same mistakes, slowly" }

/* Learners that solve a problem at once (problems.h). */
#define PARAMETERS_REST                                                                            \
    { "multiclass", PERC_CHOICE, "auto", 0, 0, "auto|ovr", "HOW",                                  \
      "ovr: each class against the rest; auto: two by sign, more ovr" }

#define PARAMETERS_SOLVE                                                                           \
    { "epochs", PERC_INT, "10000", 0, 1e15, NULL, "N", "stop after N passes" },                    \
    PARAMETERS_LIMITS

#define PARAMETERS(rows) rows, sizeof rows / sizeof rows[0]
/* clang-format on */

#endif
