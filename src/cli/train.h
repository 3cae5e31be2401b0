/* train.h -- the parts of `perceptron train`: the run (cmd_train.c), comparing models
 * before and after it (select.c), and what is said about both (train_report.c,
 * select_report.c). */
#ifndef PERC_CLI_TRAIN_H
#define PERC_CLI_TRAIN_H

#include "cli/cli.h"

/* The passes of a run, for whoever wants to plot them. */
struct history_pass {
    int64_t epoch, mistakes, updates; /* in this pass */
    double seconds;                   /* since training began */
    double held_error;                /* NaN: nothing was held out */
    double loss;                      /* of a network; otherwise NaN */
};
struct history {
    struct history_pass *at;
    size_t n;
    int64_t every;   /* all passes, or every second, fourth, ... of a long run */
    int64_t updates; /* before this pass */
};

/* How a set of parameters does on held-out rows. */
struct held_errors {
    perc_metrics mean, spread; /* of folds; without them the spread is NaN */
    double seconds;
};

enum { CURVE_POINTS = 7 };

/* What was asked for besides a model, and the results. */
struct selection {
    perc_params *p; /* from the table "selection" */
    bool cross, holds, curve, calibrate;
    size_t folds; /* for what is done by folds; with held-out rows: calibration */
    int64_t patience;
    uint64_t seed;             /* that drew the held-out rows */
    perc_grid *grid;           /* --search; otherwise NULL */
    perc_dataset *held;        /* held-out rows; NULL: none */
    perc_dataset *whole;       /* --holdout: all that was read; the rest is learned from */
    perc_metrics *each;        /* by fold, for the chosen parameters; NULL: no folds */
    perc_metrics *trial;       /* scratch, likewise */
    struct held_errors cv;     /* --folds without a search */
    struct held_errors *point; /* by point of the grid */
    size_t best;
    double rows[CURVE_POINTS]; /* learned from, by share */
    perc_metrics curve_train[CURVE_POINTS], curve_held[CURVE_POINTS];
    perc_metrics measured;       /* the saved model, on the held-out rows */
    bool calibrated, unmeasured; /* unmeasured: nobody wanted to wait for it */
};
extern const double curve_parts[CURVE_POINTS];

/* What a person should know (warn.c): a key for programs, a sentence. */
struct warning {
    const char *key;
    char text[320];
};
enum { WARNINGS = 5 };

struct train {
    struct cli *cli;
    const char *data, *output, *algorithm, *resume;
    int stream;
    int64_t check; /* rows for --check-kernel; 0: not asked for */
    perc_spectrum spectrum;
    perc_gram *gram; /* what it found of a precomputed kernel; NULL: it was not asked for */
    perc_params *data_params, *params;
    perc_dataset *ds; /* what is learned from; NULL with --stream */
    perc_model *from; /* the model to resume from */
    perc_model *model;
    perc_report report;
    struct selection select;
    struct history history;
    struct ticker ticker;
    bool ended, saved;  /* the run is over; its model is in `output` */
    int interrupts;     /* until then */
    perc_error unsaved; /* why it is not */
    char warned[320];   /* the last warning: it is said once, not after every pass */
    struct warning warning[WARNINGS]; /* about the data */
    size_t warnings;
};

/* ----- select.c: each returns 0, or an exit code after saying why --------- */

/* Notes the rules that --search tries, before the learner's options are read. */
void warn_about(struct train *t);
void warn_facts(const struct train *t, struct facts *f);
void select_rules(struct cli *cli);
/* Reads the options and refuses bad combinations, before the data are read. */
int select_open(struct train *t);
/* After reading: sets rows aside. */
int select_rows(struct train *t);
/* Cross-validation, search and curve. A search leaves the best parameters in t->params. */
int select_compare(struct train *t);
/* After training: calibrates the model; when it is saved, measures it on the held-out rows. */
int select_calibrate(struct train *t);
int select_measure(struct train *t);
void select_close(struct train *t);

/* ----- the reports --------------------------------------------------------- */

/* Whether a solver was asked if a plane separates the rows, and has said so. */
bool train_asks(const struct train *t);
bool train_answered(const struct train *t);
void train_report_facts(const struct train *t, struct facts *f);
/* For --json: the answer that no plane does, in place of a report. Returns the exit code. */
int train_no(const struct train *t, const perc_error *err);
void select_report_facts(const struct train *t, struct facts *f);

#endif
