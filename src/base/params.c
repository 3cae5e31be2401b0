/* params.c -- a set of values for one parameter table.
 *
 * A value is kept as its text, checked when it is set: what the user wrote is
 * what the model file records, and "0.1" stays "0.1". Typed access parses it
 * again, which can no longer fail. */
#include "base/params.h"

#include <assert.h>
#include <string.h>

#include "base/number.h"
#include "base/spelling.h"

perc_status params_new(const struct env *e, const struct table *t, perc_params **out)
{
    perc_params *p = mem_zeroed(e, 1, sizeof *p);

    *out = NULL;
    if (p == NULL) return PERC_ENOMEM;
    p->e = *e;
    p->table = t;
    p->value = mem_zeroed(e, t->count, sizeof *p->value);
    p->given = mem_zeroed(e, t->count, sizeof *p->given);
    if (p->value == NULL || p->given == NULL) goto nomem;
    for (size_t i = 0; i < t->count; i++) {
        const char *s = t->rows[i].initial;
        if (s != NULL && (p->value[i] = mem_text(e, s, strlen(s))) == NULL) goto nomem;
    }
    *out = p;
    return PERC_OK;
nomem:
    perc_params_free(p);
    return PERC_ENOMEM;
}

perc_status params_copy(const struct env *e, const perc_params *from, perc_params **out)
{
    perc_params *p;

    *out = NULL;
    if (params_new(e, from->table, &p)) return PERC_ENOMEM;
    p->notify = from->notify;
    p->notify_ud = from->notify_ud;
    for (size_t i = 0; i < p->table->count; i++) {
        mem_free_text(e, p->value[i]);
        p->value[i] = NULL;
        p->given[i] = from->given[i];
        if (from->value[i] == NULL) continue;
        p->value[i] = mem_text(e, from->value[i], strlen(from->value[i]));
        if (p->value[i] == NULL) {
            perc_params_free(p);
            return PERC_ENOMEM;
        }
    }
    *out = p;
    return PERC_OK;
}

void perc_params_free(perc_params *p)
{
    if (p == NULL) return;
    const struct env e = p->e;
    for (size_t i = 0; p->value != NULL && i < p->table->count; i++) mem_free_text(&e, p->value[i]);
    mem_free(&e, p->value, p->table->count, sizeof *p->value);
    mem_free(&e, p->given, p->table->count, sizeof *p->given);
    mem_free(&e, p, 1, sizeof *p);
}

/* Whether `value` is one of "a|b|c". */
static bool is_choice(const char *choices, const char *value)
{
    const size_t len = strlen(value);

    for (const char *s = choices; *s != '\0';) {
        const char *bar = strchr(s, '|');
        const size_t n = bar != NULL ? (size_t)(bar - s) : strlen(s);
        if (n == len && memcmp(s, value, n) == 0) return true;
        s += bar != NULL ? n + 1 : n;
    }
    return false;
}

static perc_status check_range(const perc_param *r, double x, const char *value, perc_error *err)
{
    char lo[NUMBER_TEXT + 1], hi[NUMBER_TEXT + 1];

    if (x >= r->min && x <= r->max) return PERC_OK;
    lo[number_format(r->min, lo)] = '\0';
    hi[number_format(r->max, hi)] = '\0';
    return fail(err, PERC_EARG, "%s is %s; it must be between %s and %s", r->name, value, lo, hi);
}

static perc_status check_value(const perc_param *r, const char *value, perc_error *err)
{
    const size_t len = strlen(value);
    char hint[SPELLING_HINT];
    int64_t i;
    double x;

    switch (r->type) {
    case PERC_INT:
        if (!number_parse_int(value, len, &i))
            return fail(err, PERC_EARG, "%s is '%s'; it must be a whole number", r->name, value);
        return check_range(r, (double)i, value, err);
    case PERC_REAL:
        if (!number_parse(value, len, &x))
            return fail(err, PERC_EARG, "%s is '%s'; it must be a number", r->name, value);
        return check_range(r, x, value, err);
    case PERC_BOOL:
        if (is_choice("true|false", value)) return PERC_OK;
        return fail(err, PERC_EARG, "%s is '%s'; it must be true or false", r->name, value);
    case PERC_CHOICE:
        if (is_choice(r->choices, value)) return PERC_OK;
        return fail(err, PERC_EARG, "%s is '%.60s'; it must be one of %s%s", r->name, value,
                    r->choices, spelling_choice(value, r->choices, hint));
    case PERC_TEXT: break;
    }
    return PERC_OK;
}

static bool find_param(const perc_params *p, const char *name, size_t *i)
{
    for (*i = 0; *i < p->table->count; ++*i)
        if (strcmp(p->table->rows[*i].name, name) == 0) return true;
    return false;
}

static const char *next_param(void *ud, size_t i)
{
    const struct table *t = ud;

    return i < t->count ? t->rows[i].name : NULL;
}

perc_status params_unknown(const perc_params *p, const char *name, perc_error *err)
{
    char hint[SPELLING_HINT];

    return fail(err, PERC_EARG, "%s has no parameter '%.60s'%s", p->table->name, name,
                spelling_hint(name, next_param, (void *)(uintptr_t)p->table, hint));
}

perc_status perc_params_set(perc_params *p, const char *name, const char *value, perc_error *err)
{
    NEED(p != NULL && name != NULL && value != NULL);
    size_t i;

    if (!find_param(p, name, &i)) return params_unknown(p, name, err);
    perc_status st = check_value(&p->table->rows[i], value, err);
    if (st) return st;

    char *copy = mem_text(&p->e, value, strlen(value));
    if (copy == NULL) return fail_memory(err);
    mem_free_text(&p->e, p->value[i]);
    p->value[i] = copy;
    p->given[i] = true;
    return PERC_OK;
}

const char *perc_params_get(const perc_params *p, const char *name)
{
    if (p == NULL || name == NULL) return NULL;
    size_t i;

    if (!find_param(p, name, &i)) return NULL;
    return p->value[i] != NULL ? p->value[i] : "";
}

perc_status params_want(const perc_params *p, const char *kind, perc_error *err)
{
    if (p == NULL) return fail(err, PERC_EARG, "parameters of the kind '%s' are missing", kind);
    if (strcmp(p->table->kind, kind) == 0) return PERC_OK;
    return fail(err, PERC_EARG, "parameters of '%s', where the kind '%s' is expected",
                p->table->name, kind);
}

perc_status perc_params_watch(perc_params *data, perc_reading_fn notify, void *ud, perc_error *err)
{
    NEED(data != NULL);
    NEED_PARAMS(data, "data");
    data->notify = notify;
    data->notify_ud = ud;
    return PERC_OK;
}

/* ----- typed access ------------------------------------------------------ */

const char *params_text(const perc_params *p, const char *name)
{
    const char *s = perc_params_get(p, name);

    assert(s != NULL);
    return s != NULL ? s : "";
}

int64_t params_int(const perc_params *p, const char *name)
{
    const char *s = params_text(p, name);
    int64_t v = 0;

    number_parse_int(s, strlen(s), &v);
    return v;
}

double params_real(const perc_params *p, const char *name)
{
    const char *s = params_text(p, name);
    double v = 0;

    number_parse(s, strlen(s), &v);
    return v;
}

bool params_is(const perc_params *p, const char *name, const char *choice)
{
    return strcmp(params_text(p, name), choice) == 0;
}

bool params_bool(const perc_params *p, const char *name)
{
    return params_is(p, name, "true");
}

bool params_given(const perc_params *p, const char *name)
{
    size_t i;

    return find_param(p, name, &i) && p->given[i];
}
