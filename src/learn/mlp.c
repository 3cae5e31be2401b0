/* mlp.c -- multi-layer perceptrons as learners: their parameters. What a network is stands in
 * machine/mlp.h, how it learns in machine/backprop.h, and how rows come to it in batches in
 * batches.h. */
#include "machine/mlp.h"
#include "learn/learner.h"
#include "learn/parameters.h"

static perc_status check_layers(const perc_params *p, perc_error *err)
{
    struct mlp_shape shape = { 0 };

    if (params_is(p, "optimizer", "sgd") && params_given(p, "momentum"))
        return fail(err, PERC_EARG,
                    "--momentum does nothing with --optimizer sgd: it is for "
                    "momentum and adam");
    return mlp_parse_layers(params_text(p, "layers"), &shape, err);
}

static const perc_param parameters[] = {
    { "layers", PERC_TEXT, "100", 0, 0, "N,N,...", "N,...",
      "neurons of the hidden layers, from the first to the last (N-N in --search)" },
    { "activation", PERC_CHOICE, "relu", 0, 0, "relu|sigmoid|tanh", "F",
      "the function of a hidden neuron" },
    { "optimizer", PERC_CHOICE, "adam", 0, 0, "adam|momentum|sgd", "HOW",
      "how a gradient becomes a step" },
    { "rate", PERC_REAL, "0", 0, 1e6, NULL, "ETA",
      "learning rate; 0: 0.002 for adam, 0.01 for momentum, 0.1 for sgd" },
    { "momentum", PERC_REAL, "0.9", 0, 0.9999, NULL, "M",
      "momentum, adam: share kept of the previous steps" },
    { "batch", PERC_INT, "32", 1, 1048576, NULL, "N", "rows per step; at most all rows" },
    { "l2", PERC_REAL, "0", 0, 1e6, NULL, "L",
      "adds L / 2 times the sum of the squared weights to the loss" },
    { "dropout", PERC_REAL, "0", 0, 0.95, NULL, "P",
      "share of the hidden neurons left out of each step, at random" },
    { "init", PERC_CHOICE, "auto", 0, 0, "auto|he|glorot", "START",
      "spread of the initial weights; auto: he for relu, else glorot" },
    { "inputs", PERC_INT, "0", 0, 4294967295.0, NULL, "N",
      "features to expect, where data are not read before training (streams, learn)" },
    { "loop", PERC_CHOICE, "fast", 0, 0, "fast|textbook", "HOW",
      "textbook: plain loops on one thread; the same bytes, slowly" },
    PARAMETERS_OFFSET,
    PARAMETERS_ORDER,
    PARAMETERS_CLASSES,
    PARAMETERS_KNOWN,
    { "epochs", PERC_INT, "-1", -1, 1e15, NULL, "N",
      "stop after N passes; -1: 20, or as many as 2000 steps take" },
    PARAMETERS_RUN,
};

const struct rule rule_mlp = {
    .table = { "mlp", "learner",
               "multi-layer perceptron: hidden layers, learned by backpropagation",
               PARAMETERS(parameters) },
    .about = { .title = "multi-layer perceptron",
               .family = "network",
               .page = "mlp",
               .step = "all weights of a network, after every batch",
               .guarantee = "none; the loss of a small enough step falls",
               .use = "no plane will do, and there are many rows",
               .cost = { "3 a neuron", "1 a neuron", "6 a neuron" },
               .form = "layers=8 activation=tanh rate=0.02 epochs=500",
               .online = 1 },
    .keep = KEEP_LAST,
    .machine = &machine_mlp,
    .check = check_layers,
};
