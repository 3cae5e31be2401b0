/* grid.c -- a grid of parameters: every combination of some values for some names.
 *
 *     spec   = axis { separator axis }        separator = blanks or ';'
 *     axis   = name '=' value { ',' value }
 *
 * Points are numbered as a counter counts, the last name running fastest. Every value is
 * checked against the table when the grid is made: a search of an hour does not end with
 * a value that was wrong from the beginning. */
#include <string.h>

#include "base/number.h"
#include "learn/learner.h"

enum { POINTS = 10000 }; /* more would be a mistake rather than a wish */

struct grid_axis {
    const char *name; /* points into the text of the grid, as the values do */
    size_t first, n;  /* its values: value[first] ... */
};

struct grid_value {
    const char *text;
    perc_type type;
    int64_t whole; /* of an INT */
    double real;   /* of a REAL */
};

struct perc_grid {
    struct env e;
    perc_params *base;
    char *text;  /* a copy of the spec, cut into words */
    size_t size; /* of that copy */
    struct grid_axis *axis;
    struct grid_value *value;
    size_t axes, axes_cap, values, values_cap;
    size_t points;
};

/* Adds a value to the last axis. */
static perc_status add_value(perc_grid *g, const char *value, perc_error *err)
{
    struct grid_axis *a = &g->axis[g->axes - 1];
    const perc_param *row = g->base->table->rows;
    struct grid_value v = { .text = value };
    perc_status st;

    if (*value == '\0') return fail(err, PERC_EARG, "'%s' has an empty value", a->name);
    if ((st = perc_params_set(g->base, a->name, value, err))) return st;
    while (strcmp(row->name, a->name) != 0) row++;
    v.type = row->type;
    if (v.type == PERC_INT) number_parse_int(value, strlen(value), &v.whole);
    if (v.type == PERC_REAL) number_parse(value, strlen(value), &v.real);
    for (size_t i = a->first; i < a->first + a->n; i++) {
        const struct grid_value *old = &g->value[i];
        if (v.type == PERC_INT    ? old->whole == v.whole
            : v.type == PERC_REAL ? old->real == v.real /* 1 and 1.0 are the same */
                                  : strcmp(old->text, value) == 0)
            return fail(err, PERC_EARG, "'%s' has the value %s twice", a->name, value);
    }
    if (!MEM_GROW(&g->e, g->value, &g->values_cap, g->values + 1)) return fail_memory(err);
    g->value[g->values++] = v;
    a->n++;
    return PERC_OK;
}

/* Adds the axis "name=a,b,c", cutting the text into words. A name is fixed if its values would not
 * make different models of the same data, judged by the same folds; the values of "class-weight"
 * contain commas. */
static perc_status add_axis(perc_grid *g, char *word, perc_error *err)
{
    static const char *const fixed[] = { "checkpoint", "every", "positive", "class-weight" };
    char *value = strchr(word, '=');
    perc_status st = PERC_OK;

    if (value == NULL || value == word)
        return fail(err, PERC_EARG, "'%s' is not NAME=VALUE,VALUE,...", word);
    *value++ = '\0';
    if (perc_params_get(g->base, word) == NULL) return params_unknown(g->base, word, err);
    if (strcmp(word, "seed") == 0)
        return fail(err, PERC_EARG, "'seed' cannot vary in a grid: folds are dealt with it");
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (strcmp(fixed[i], word) == 0)
            return fail(err, PERC_EARG, "'%s' cannot vary in a grid", word);
    for (size_t k = 0; k < g->axes; k++)
        if (strcmp(g->axis[k].name, word) == 0)
            return fail(err, PERC_EARG, "'%s' is given twice", word);
    if (!MEM_GROW(&g->e, g->axis, &g->axes_cap, g->axes + 1)) return fail_memory(err);
    g->axis[g->axes++] = (struct grid_axis){ word, g->values, 0 };
    for (char *next = value; !st && next != NULL;) {
        value = next;
        if ((next = strchr(value, ',')) != NULL) *next++ = '\0';
        st = add_value(g, value, err);
    }
    if (st) return st;
    const struct grid_axis *a = &g->axis[g->axes - 1];
    if (g->points * a->n > POINTS)
        return fail(err, PERC_EARG, "the grid has more than %d points", POINTS);
    g->points *= a->n;
    return PERC_OK;
}

perc_status perc_grid_new(const perc_env *env, const perc_params *base, const char *spec,
                          perc_grid **out, perc_error *err)
{
    NEED_OUT(out);
    NEED(spec != NULL);
    NEED_PARAMS(base, "learner");
    static const char separators[] = " \t\r\n;";
    const struct env e = env_resolve(env);
    perc_grid *g = mem_zeroed(&e, 1, sizeof *g);

    if (g == NULL) return fail_memory(err);
    g->e = e;
    g->points = 1;
    g->size = strlen(spec) + 1;
    g->text = mem_text(&e, spec, g->size - 1);
    if (g->text == NULL || params_copy(&e, base, &g->base)) {
        perc_grid_free(g);
        return fail_memory(err);
    }
    char *word = g->text + strspn(g->text, separators);
    perc_status st = *word == '\0' ? fail(err, PERC_EARG, "the grid is empty") : PERC_OK;
    while (!st && *word != '\0') {
        char *end = word + strcspn(word, separators), *next = end + strspn(end, separators);
        *end = '\0';
        st = add_axis(g, word, err);
        word = next;
    }
    for (size_t i = 0; i < g->points && !st; i++) { /* do the values of each point go together? */
        perc_params *p;
        st = perc_grid_params(g, i, &p, err);
        if (!st) st = rule_check(p, err);
        perc_params_free(p);
    }
    if (st) perc_grid_free(g);
    else *out = g;
    return st;
}

size_t perc_grid_points(const perc_grid *g)
{
    return g != NULL ? g->points : 0;
}

size_t perc_grid_names(const perc_grid *g)
{
    return g != NULL ? g->axes : 0;
}

const char *perc_grid_name(const perc_grid *g, size_t k)
{
    return g != NULL && k < g->axes ? g->axis[k].name : NULL;
}

const char *perc_grid_value(const perc_grid *g, size_t i, size_t k)
{
    if (g == NULL) return NULL;
    if (i >= g->points || k >= g->axes) return NULL;
    for (size_t later = g->axes; --later > k;) i /= g->axis[later].n;
    return g->value[g->axis[k].first + i % g->axis[k].n].text;
}

/* Every name of the grid is set here, so it does not matter which values the check of the
 * grid left in the base. */
perc_status perc_grid_params(const perc_grid *g, size_t i, perc_params **out, perc_error *err)
{
    NEED_OUT(out);
    NEED(g != NULL);
    perc_status st;

    if (i >= g->points) return fail(err, PERC_EARG, "the grid has only %zu points", g->points);
    if (params_copy(&g->e, g->base, out)) return fail_memory(err);
    for (size_t k = 0; k < g->axes; k++)
        if ((st = perc_params_set(*out, g->axis[k].name, perc_grid_value(g, i, k), err))) {
            perc_params_free(*out);
            *out = NULL;
            return st;
        }
    return PERC_OK;
}

void perc_grid_free(perc_grid *g)
{
    if (g == NULL) return;
    const struct env e = g->e;
    perc_params_free(g->base);
    mem_free(&e, g->text, g->size, 1);
    mem_free(&e, g->axis, g->axes_cap, sizeof *g->axis);
    mem_free(&e, g->value, g->values_cap, sizeof *g->value);
    mem_free(&e, g, 1, sizeof *g);
}
