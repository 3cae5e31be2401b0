/* registry.c -- all parameter tables. They are gathered in the last room that has one, so
 * that none below it needs to know of it. */
#include "data/dataset.h"
#include "learn/learner.h"
#include "learn/selection.h"
#include "prove/options.h"

perc_status perc_params_check(const perc_params *p, perc_error *err)
{
    const struct rule *rule = rule_find(p->table->name);

    if (p->table == &prove_table) return options_check(p, err);
    return rule != NULL && rule->check != NULL ? rule->check(p, err) : PERC_OK;
}

const struct table *table_at(size_t i)
{
    static const struct table *const single[] = { &data_table, &selection_table, &prove_table };
    enum { SINGLE = sizeof single / sizeof single[0] };
    const struct rule *rule;
    size_t rules = 0;

    if (i < SINGLE) return single[i];
    for (i -= SINGLE; (rule = rule_at(rules)) != NULL; rules++)
        if (rules == i) return &rule->table;
    i -= rules;
    for (size_t k = 0; generator_tables[k].name != NULL; k++)
        if (k == i) return &generator_tables[k];
    return NULL;
}
