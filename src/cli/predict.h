/* predict.h -- the parts of `perceptron predict`: its options and checks (cmd_predict.c), and how
 * an answer is written (predict_write.c). */
#ifndef PERC_CLI_PREDICT_H
#define PERC_CLI_PREDICT_H

#include "cli/cli.h"

/* What an answer may have beside its label: some numbers each. */
enum part { SCORE, PROBABILITY, DISTANCE, MARGIN, LOSS, PROJECTION, PARTS };

/* Lines for people; one document (--json); tables, with a name for every column; an object a line,
 * with the same names. */
enum style { STYLE_LINES, STYLE_DOCUMENT, STYLE_CSV, STYLE_TSV, STYLE_JSONL };

struct predict {
    struct cli *cli;
    struct out *out;
    const perc_model *model;
    const char *threshold; /* the option; NULL: that of the model */
    enum style style;
    int asked[PARTS];
    size_t outputs, labels; /* scores and probabilities of a row */
    uint64_t features;      /* of the model: a file may have fewer, or more */
    int index_base;
    double norm;             /* |w| */
    double *p;               /* with PROBABILITY: those of a row */
    uint64_t rows, disagree; /* likewise: so far; those with a more probable label */
    double *margin;          /* of the rows at hand; NaN: the label is not known */
    double *x, *w;           /* with PROJECTION: a row, and the weights */
    size_t margin_room, x_room;
    double one;   /* a part of one number */
    size_t kept;  /* tables: cells that come along */
    char **name;  /* likewise: of these, of the label, and of all numbers */
    size_t names; /* 0: they are not known yet */
};

/* A perc_row_sink. Non-zero stops the reading: after Ctrl-C, and when nobody takes the output any
 * more, or memory is out (out_broken). */
int predict_write(void *predict, const perc_dataset *rows, const double *scores);
void predict_free(struct predict *p);

#endif
