/* registry.c -- every learner, one line each; and all parameter tables. */
#include <string.h>

#include "data/dataset.h"
#include "learn/learner.h"
#include "learn/selection.h"

static const struct rule *const rules[] = {
    &rule_averaged, &rule_perceptron, &rule_pocket, &rule_voted,
    &rule_margin,   &rule_pa,         &rule_pa1,    &rule_pa2,  &rule_svm, &rule_lp,
};

enum { RULES = sizeof rules / sizeof rules[0] };

const struct rule *rule_find(const char *name)
{
    for (size_t i = 0; i < RULES; i++)
        if (strcmp(rules[i]->table.name, name) == 0) return rules[i];
    return NULL;
}

perc_status perc_params_check(const perc_params *p, perc_error *err)
{
    const struct rule *rule = rule_find(p->table->name);

    return rule != NULL && rule->check != NULL ? rule->check(p, err) : PERC_OK;
}

const struct table *table_at(size_t i)
{
    if (i == 0) return &data_table;
    if (i <= RULES) return &rules[i - 1]->table;
    if (i == RULES + 1) return &selection_table;
    i -= RULES + 2;
    for (size_t k = 0; generator_tables[k].name != NULL; k++)
        if (k == i) return &generator_tables[k];
    return NULL;
}
