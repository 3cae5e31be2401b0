/* carry.c -- cells that go along with rows. See carry.h. */
#include "data/carry.h"

#include <string.h>

void carry_free(struct carry *c)
{
    for (size_t i = 0; i < c->n; i++) mem_free_text(&c->e, c->column[i].name);
    mem_free(&c->e, c->column, c->cap, sizeof *c->column);
    *c = (struct carry){ .e = c->e };
}

perc_status carry_add(struct carry *c, size_t at, const char *name, bool *twice)
{
    size_t i = c->n;

    *twice = carry_has(c, at);
    if (*twice) return PERC_OK;
    if (!MEM_GROW(&c->e, c->column, &c->cap, c->n + 1)) return PERC_ENOMEM;
    char *own = mem_text(&c->e, name, strlen(name));
    if (own == NULL) return PERC_ENOMEM;
    for (; i > 0 && c->column[i - 1].at > at; i--) c->column[i] = c->column[i - 1];
    c->column[i] = (struct carry_column){ at, c->n++, own };
    return PERC_OK;
}

bool carry_has(const struct carry *c, size_t at)
{
    size_t low = 0, high = c->n; /* a wide table may carry all of its columns */

    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        if (c->column[mid].at < at) low = mid + 1;
        else high = mid;
    }
    return low < c->n && c->column[low].at == at;
}

const char *carry_name(const struct carry *c, size_t k)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->column[i].place == k) return c->column[i].name;
    return NULL;
}

void carry_release(struct carried *c)
{
    mem_free(&c->text.e, c->at, c->cap, sizeof *c->at);
    text_free(&c->text);
    *c = (struct carried){ .at = NULL };
}

bool carry_put(struct carried *c, const struct env *e, size_t columns, size_t i, size_t k,
               const char *text, size_t len)
{
    if (c->text.s == NULL) text_init(&c->text, e);
    if ((i + 1) * columns > c->cap && !MEM_GROW(e, c->at, &c->cap, (i + 1) * columns)) return false;
    c->at[i * columns + k] = c->text.len;
    text_add(&c->text, text, len);
    text_add(&c->text, "", 1);
    return !c->text.oom;
}
