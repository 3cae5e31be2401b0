/* gate.c -- threshold networks among the learners, for model files alone: what a formula was
 * compiled into (logic/compile.h) has nothing to learn. */
#include "learn/learner.h"

const struct rule rule_gate = {
    .table = { "gate", "machine", "a network of threshold neurons, from a formula", NULL, 0 },
    .keep = KEEP_LAST,
    .machine = &machine_gate,
};
