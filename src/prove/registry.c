/* registry.c -- all parameter tables, by name. They are gathered in the last room that has one, so
 * that none below it needs to know of it. */
#include <string.h>

#include "data/dataset.h"
#include "data/parts.h"
#include "learn/learner.h"
#include "learn/selection.h"
#include "prove/options.h"

/* Table i of all; NULL past the end. */
static const struct table *table_at(size_t i)
{
    static const struct table *const single[] = { &data_table,   &selection_table, &prove_table,
                                                  &verify_table, &split_table,     &sample_table };
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

static const struct table *table_find(const char *name)
{
    const struct table *t;

    for (size_t i = 0; (t = table_at(i)) != NULL; i++)
        if (strcmp(t->name, name) == 0) return t;
    return NULL;
}

const char *perc_table_name(const char *kind, size_t i, const char **summary)
{
    if (kind == NULL) return NULL;
    const struct table *t;

    if (strcmp(kind, "builtin") == 0) {
        if (summary != NULL) *summary = "";
        return builtin_name(i);
    }
    for (size_t k = 0; (t = table_at(k)) != NULL; k++) {
        if (strcmp(t->kind, kind) != 0 || i-- > 0) continue;
        if (summary != NULL) *summary = t->summary;
        return t->name;
    }
    return NULL;
}

const perc_param *perc_table(const char *name, size_t *count)
{
    const struct table *t = name != NULL ? table_find(name) : NULL;

    if (count != NULL) *count = t != NULL ? t->count : 0;
    return t != NULL ? t->rows : NULL;
}

perc_status perc_params_new(const perc_env *env, const char *table, perc_params **out,
                            perc_error *err)
{
    NEED_OUT(out);
    NEED(table != NULL);
    const struct env e = env_resolve(env);
    const struct table *t = table_find(table);

    if (t == NULL)
        return fail(err, PERC_EARG, "there is no '%s' (see perceptron help algorithms)", table);
    return params_new(&e, t, out) ? fail_memory(err) : PERC_OK;
}

perc_status perc_params_check(const perc_params *p, perc_error *err)
{
    NEED(p != NULL);
    if (p->table == &split_table || p->table == &sample_table) return parts_check(p, err);
    return p->table == &prove_table ? options_check(p, err) : rule_check(p, err);
}
