/* trace.h -- the parts of `perceptron trace`: the run (cmd_trace.c) and how a step is printed
 * (trace_step.c). */
#ifndef PERC_CLI_TRACE_H
#define PERC_CLI_TRACE_H

#include "cli/cli.h"

enum { TRACE_CELL = 256, TRACE_SHOWN = 8 }; /* characters of a cell, numbers of a vector */

enum column {
    PASS,
    ROW,
    X,
    Y,
    SCORE,
    LABEL,
    MARGIN,
    LOSS,
    MISTAKE,
    UPDATED,
    COUNTER,
    ASIDE,
    W,
    B,
    COLUMNS
};

struct trace {
    struct cli *cli;
    const char *data, *algorithm;
    int csv;
    perc_params *params;
    char doubles[300]; /* why the arithmetic is not exact, as trace prefers it */
    perc_dataset *ds;
    perc_dataset_info info;
    perc_model *model; /* of the first run, then of the second      */
    perc_model_info made;
    double *x; /* the row shown: info.features numbers      */
    bool kernel;
    int64_t *counter;   /* with a kernel or drop_after: updates on each row */
    int64_t drop_after; /* 0: never                                  */
    enum { LOOK, PRINT } turn;
    enum column column[COLUMNS];
    int columns;             /* of them in use                            */
    int width[COLUMNS];      /* by column                                 */
    bool cycles;             /* whether a repetition proves anything      */
    double *passes;          /* (w, b) after each pass; the last is current */
    size_t pass_count, size; /* size: numbers of one (w, b)               */
    int64_t updates;         /* before this pass                          */
    int64_t from, to;        /* (w, b) after pass `to` is that after `from` */
    perc_report report;
};

/* Chooses the columns; then, in each run, their heads, and a line per step. */
void trace_columns(struct trace *t);
void trace_heads(const struct trace *t);
void trace_step(struct trace *t, const perc_event *e);
/* A number without the sign of a zero, which does not interest a reader. */
double trace_number(double v);
/* "(1, 0.5, ...)" with six digits and at most TRACE_SHOWN numbers. */
void trace_vector(char cell[TRACE_CELL], const double *v, uint64_t n, size_t stride);

#endif
