/* selection.c -- the parameters of comparing models: what is held out, what is tried. */
#include "learn/selection.h"

static const perc_param rows[] = {
    { "folds", PERC_INT, NULL, 2, 1e6, NULL, "K",
      "cross-validation: K times, train without a part of the rows and measure on it; with "
      "--holdout or --validate: the folds of --calibrate, and refused without it" },
    { "holdout", PERC_REAL, NULL, 0, 1, NULL, "SHARE",
      "hold out this share of the rows, and stop when the passes get no better on them" },
    { "validate", PERC_TEXT, NULL, 0, 0, NULL, "FILE", "likewise, with the rows of FILE" },
    { "patience", PERC_INT, "5", 0, 1e15, NULL, "N",
      "stop after N passes that are no better on the held-out rows; 0: never" },
    { "search", PERC_TEXT, NULL, 0, 0, NULL, "GRID",
      "try every combination, such as \"rate=0.1,1 order=file,shuffle\", and keep the best" },
    { "metric", PERC_CHOICE, NULL, 0, 0,
      "error|accuracy|balanced-accuracy|f1|mcc|auc|average-precision|log-loss|brier", "M",
      "what the best of a search [accuracy], or the best pass with --holdout or --validate "
      "[log-loss where probabilities are learned, else error], is best in, on rows that were held "
      "out" },
    { "learning-curve", PERC_BOOL, "false", 0, 0, NULL, NULL,
      "train on growing shares of the rows too, and measure" },
    { "calibrate", PERC_BOOL, "false", 0, 0, NULL, NULL,
      "fit probabilities to scores of rows that were held out by --folds [5], for predict "
      "--proba" },
    { "threshold", PERC_TEXT, NULL, 0, 0,
      "P|score:S|probabilities|none|best:f1|best:balanced|best:cost:FP,FN|best:precision:R|"
      "best:recall:R",
      "T",
      "answer with the positive label from probability P on (with --calibrate, logistic or mlp), "
      "or from score S on; probabilities: the most probable label; best: from where it is, on rows "
      "held out by --folds [5], with what errors cost, or the precision or recall wanted" },
};

const struct table selection_table = { "selection", "selection", "how models are compared", rows,
                                       sizeof rows / sizeof rows[0] };
