/* rule.h -- every learner, one line each, in the order in which they are listed.
 *
 *   STEP(id, name)    makes steps, and the learners that wrap a rule offer it: --rule NAME
 *   MOVE(id, name)    moves weights in a way of its own: of the wrappers, only averaged offers it
 *   OTHER(id, name)   anything else
 *
 * Each is a struct rule (learner.h), rule_ID, in a file of its own, with all that is said of
 * it: help, manual, completion, documentation and playground have no list but this one. */
#ifndef PERC_RULE_H
#define PERC_RULE_H

#include <stddef.h>

/* clang-format off */
#define RULES(STEP, MOVE, OTHER)                                                                   \
    OTHER(averaged, "averaged")                                                                    \
    STEP(perceptron, "perceptron")                                                                 \
    OTHER(pocket, "pocket")                                                                        \
    OTHER(voted, "voted")                                                                          \
    STEP(margin, "margin")                                                                         \
    STEP(pa, "pa")                                                                                 \
    STEP(pa1, "pa1")                                                                               \
    STEP(pa2, "pa2")                                                                               \
    OTHER(second_order, "second-order")                                                            \
    MOVE(arow, "arow")                                                                             \
    OTHER(logistic, "logistic")                                                                    \
    OTHER(svm, "svm")                                                                              \
    OTHER(lp, "lp")                                                                                \
    OTHER(mlp, "mlp")
/* clang-format on */

/* "perceptron|margin|...": the names of the STEP lines, and of those that have a mean. */
#define RULES_NAME(id, name) "|" name
#define RULES_NO_NAME(id, name)
#define RULES_OFFERED  (&RULES(RULES_NAME, RULES_NO_NAME, RULES_NO_NAME)[1])
#define RULES_AVERAGED (&RULES(RULES_NAME, RULES_NAME, RULES_NO_NAME)[1])

struct rule;

#define RULES_DECLARE(id, name) extern const struct rule rule_##id;
RULES(RULES_DECLARE, RULES_DECLARE, RULES_DECLARE)
extern const struct rule rule_gate; /* cannot be trained: found by its name, and listed nowhere */

const struct rule *rule_find(const char *name); /* NULL: no such rule */
const struct rule *rule_at(size_t i);           /* NULL past the end */
/* Whether an option has any effect: those that averaged has for one of its rules have none with
 * another, nor has arithmetic in doubles, and a model leaves them out. */
bool rule_uses(const perc_params *p, const char *option);
/* Whether the parameters of a rule go together; those of other tables do. */
perc_status rule_check(const perc_params *p, perc_error *err);

#endif
