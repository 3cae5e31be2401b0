/* registry.c -- the learners of rule.h, by name and by number. Their tables are gathered with all
 * others in prove/registry.c. */
#include <string.h>

#include "learn/arithmetic.h"
#include "learn/learner.h"

#define ENTRY(id, name) &rule_##id,
static const struct rule *const rules[] = { RULES(ENTRY, ENTRY, ENTRY) };

/* What a formula was compiled into (logic/compile.h): for model files alone; it does not learn. */
const struct rule rule_gate = {
    .table = { "gate", "machine", "a network of threshold neurons, from a formula", NULL, 0 },
    .keep = KEEP_LAST,
    .machine = &machine_gate,
};

enum { RULE_COUNT = sizeof rules / sizeof rules[0] };

const struct rule *rule_find(const char *name)
{
    for (size_t i = 0; i < RULE_COUNT; i++)
        if (strcmp(rules[i]->table.name, name) == 0) return rules[i];
    return strcmp(name, rule_gate.table.name) == 0 ? &rule_gate : NULL;
}

const struct rule *rule_at(size_t i)
{
    return i < RULE_COUNT ? rules[i] : NULL;
}

const perc_about *perc_table_about(const char *name)
{
    if (name == NULL) return NULL;
    const struct rule *rule = rule_find(name);

    return rule != NULL && rule->about.title != NULL ? &rule->about : NULL;
}

bool rule_uses(const perc_params *p, const char *option)
{
    const char *chosen = perc_params_get(p, "rule");

    if (strcmp(option, "decay") == 0)
        return perc_params_get(p, option) != NULL && params_real(p, option) > 0;
    if (strcmp(option, "arithmetic") == 0) return arithmetic_is_exact(p);
    return strcmp(option, "rho") != 0 || chosen == NULL || strcmp(chosen, "arow") == 0;
}

perc_status rule_check(const perc_params *p, perc_error *err)
{
    const struct rule *rule = rule_find(p->table->name);

    perc_status st = rule != NULL && rule->check != NULL ? rule->check(p, err) : PERC_OK;

    return st || rule == NULL ? st : classes_check(p, err);
}
