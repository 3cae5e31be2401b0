/* registry.c -- every learner, one line each. Their tables are gathered with all others in
 * prove/tables.c. */
#include <string.h>

#include "learn/learner.h"

static const struct rule *const rules[] = {
    &rule_averaged, &rule_perceptron, &rule_pocket, &rule_voted, &rule_margin, &rule_pa,
    &rule_pa1,      &rule_pa2,        &rule_svm,    &rule_lp,    &rule_mlp,
};

enum { RULES = sizeof rules / sizeof rules[0] };

const struct rule *rule_find(const char *name)
{
    for (size_t i = 0; i < RULES; i++)
        if (strcmp(rules[i]->table.name, name) == 0) return rules[i];
    return strcmp(name, rule_gate.table.name) == 0 ? &rule_gate : NULL;
}

const struct rule *rule_at(size_t i)
{
    return i < RULES ? rules[i] : NULL;
}

perc_status rule_check(const perc_params *p, perc_error *err)
{
    const struct rule *rule = rule_find(p->table->name);

    return rule != NULL && rule->check != NULL ? rule->check(p, err) : PERC_OK;
}
