/* perceptron.c -- Rosenblatt's perceptron.
 *
 * Find w, b with y_i (w.x_i + b) > 0 for every row i, one mistake at a time:
 *
 *     y_i (w.x_i + b) <= 0   =>   w += eta c_i y_i x_i,   b += eta c_i y_i    (1)
 *
 * with c_i the weight of the example, 1 unless the data give another.
 *
 * Guarantee (Novikoff 1962): from w = 0, b = 0 and with all c_i = 1, if a unit
 * vector u has y_i u.(x_i, 1) >= gamma for all i, there are at most
 * (R / gamma)^2 updates, R = max |(x_i, 1)|, whatever eta > 0. If no such u
 * exists, (1) never settles; the epoch limit stops it and the report says so,
 * which proves nothing about the data.
 *
 * From a zero start eta only scales (w, b): it changes neither the mistakes nor
 * the boundary. It matters when training starts elsewhere (--init).
 *
 * Symbols  eta = parameter "rate"   x_i, y_i = the row and its label, -1 or +1
 * Cost     O(nonzeros) time a pass, O(columns) memory.
 * Rosenblatt, Psychological Review 65(6), 1958; Novikoff, Symp. Math. Theory of
 * Automata, 1962. */
#include "learn/learner.h"

/* Rule (1) after the score has been computed. */
static struct outcome settle(struct learner *l, const struct row *x, double y, double weight,
                             double score)
{
    /* Written so that NaN is a mistake. An example of weight 0 counts for nothing. */
    struct outcome o = { .score = score, .mistake = !(y * score > 0) && weight > 0 };

    if (o.mistake) {
        const double step = l->rate * weight * y;
        row_axpy(step, x, l->machine.w, l->machine.dims); /* w += eta c y x */
        if (l->machine.offset) l->machine.b += step;      /* b += eta c y   */
        o.updated = true;
    }
    return o;
}

/* One example shown to the learner. */
static struct outcome learn(struct learner *l, const struct row *x, double y, double weight)
{
    return settle(l, x, y, weight, linear_score(&l->machine, x));
}

static const perc_param parameters[] = {
    { "rate", PERC_REAL, "1", 1e-300, 1e300, NULL, "ETA",
      "learning rate; from a zero start it only scales the weights" },
    { "offset", PERC_BOOL, "true", 0, 0, NULL, NULL,
      "no offset b: the boundary passes through the origin" },
    { "init", PERC_TEXT, "zero", 0, 0, "zero|unit|random|MODEL", "START",
      "start from 0, from 1/sqrt(d) each, from normal numbers / sqrt(d), or from a model" },
    { "order", PERC_CHOICE, "shuffle", 0, 0, "file|shuffle", "ORDER",
      "rows as they stand in the file, or shuffled anew for each pass" },
    { "positive", PERC_TEXT, NULL, 0, 0, NULL, "LABEL",
      "the label that is +1; all others are -1" },
    { "epochs", PERC_INT, "100", 0, 1e15, NULL, "N", "stop after N passes" },
    { "updates", PERC_INT, "0", 0, 9e15, NULL, "N", "stop after N updates; 0: no limit" },
    { "time-limit", PERC_REAL, "0", 0, 1e9, NULL, "SECONDS",
      "stop training after this long; 0: no limit" },
    { "seed", PERC_INT, "0", 0, 9e15, NULL, "N", "seed of all randomness" },
    { "checkpoint", PERC_TEXT, NULL, 0, 0, NULL, "FILE",
      "save the model to FILE while training, so that --resume can go on from it" },
    { "every", PERC_INT, "1", 1, 1e15, NULL, "N", "passes between checkpoints" },
};

const struct rule rule_perceptron = {
    .table = { "perceptron", "learner",
               "Rosenblatt's rule: update on mistakes; settles on separable data", parameters,
               sizeof parameters / sizeof parameters[0] },
    .flags = RULE_ONLINE | RULE_SIGN,
    .learn = learn,
    .settle = settle,
};
