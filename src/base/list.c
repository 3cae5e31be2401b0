/* list.c -- options that are lists.
 *
 *     list = [part {"," part}]
 *     part = blanks (plain | '"' {any character but '"', or '""'} '"') blanks [sign value]
 *
 * A plain part ends at the comma, and has no quote at its beginning. */
#include "base/list.h"

#include <string.h>

void list_begin(struct list *l, const struct env *e, const char *option, const char *text,
                char sign, perc_error *err)
{
    *l = (struct list){ .option = option, .begin = text, .p = text, .sign = sign, .err = err };
    l->ended = *text == '\0';
    text_init(&l->buffer, e);
}

void list_end(struct list *l)
{
    text_free(&l->buffer);
}

perc_status list_fail(const struct list *l, const char *why)
{
    return fail(l->err, PERC_EARG, "%s: character %lld: %s", l->option, (long long)l->at, why);
}

static void trim(const char **s, size_t *len)
{
    while (*len > 0 && (**s == ' ' || **s == '\t')) ++*s, --*len;
    while (*len > 0 && ((*s)[*len - 1] == ' ' || (*s)[*len - 1] == '\t')) --*len;
}

/* p is on the opening quote; leaves it behind the closing one. */
static perc_status quoted_name(struct list *l)
{
    const char *part = ++l->p, *q;

    l->quoted = true;
    l->buffer.len = 0;
    for (;; part = l->p++) {
        if ((q = strchr(l->p, '"')) == NULL)
            return list_fail(l, "this quote is never closed (one inside a name is written \"\")");
        text_add(&l->buffer, part, (size_t)(q - part));
        l->p = q + 1;
        if (*l->p != '"') break;
    }
    if (l->buffer.oom) return fail_memory(l->err);
    l->name = l->buffer.len > 0 ? l->buffer.s : "";
    l->len = l->buffer.len;
    return PERC_OK;
}

/* What stands between the name and the comma: nothing, or a sign and a value. */
static perc_status take_rest(struct list *l, const char *end)
{
    const char *rest = l->p;
    size_t len = (size_t)(end - rest);

    trim(&rest, &len);
    if (len > 0 && *rest == l->sign) {
        l->value = rest + 1;
        l->value_len = len - 1;
        return PERC_OK;
    }
    if (len == 0) return PERC_OK;
    l->at = rest - l->begin + 1;
    return list_fail(l, "text after a closing quote (one inside a name is written \"\")");
}

static void plain_name(struct list *l, const char *end)
{
    size_t len = (size_t)(end - l->p), eq = len;

    l->name = l->p;
    while (l->sign != '\0' && eq > 0 && l->p[eq - 1] != l->sign) eq--;
    if (l->sign != '\0' && eq > 0) { /* a name may have the sign in it: the last one counts */
        l->value = l->p + eq;
        l->value_len = len - eq;
        len = eq - 1;
    }
    trim(&l->name, &len);
    l->len = len;
}

perc_status list_next(struct list *l, bool *more)
{
    perc_status st = PERC_OK;

    *more = !l->ended;
    if (l->ended) return PERC_OK;
    l->p += strspn(l->p, " \t");
    l->at = l->p - l->begin + 1;
    l->whole = l->p;
    l->quoted = *l->p == '"';
    l->value = NULL;
    if (l->quoted && (st = quoted_name(l))) return st;
    const char *end = l->p + strcspn(l->p, ",");
    if (l->quoted) st = take_rest(l, end);
    else plain_name(l, end);
    l->whole_len = (size_t)(end - l->whole);
    if (l->value != NULL) trim(&l->value, &l->value_len);
    l->ended = *end == '\0';
    l->p = l->ended ? end : end + 1;
    return st;
}
