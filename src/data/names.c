/* names.c -- the names of the features as plain strings, in one piece of memory; and columns for
 * callers. */
#include <stdio.h>
#include <string.h>

#include "data/schema.h"

perc_status names_make(const struct env *e, const struct schema *s, struct names *out)
{
    struct text t;

    *out = (struct names){ .e = *e, .n = s->hash_bits > 0 ? s->numeric : schema_features(s) };
    snprintf(out->hash, sizeof out->hash, "%u", s->hash_bits);
    if (out->n == 0) return PERC_OK;
    text_init(&t, e);
    for (uint64_t j = 0; j < out->n; j++) {
        schema_name(s, j, &t);
        text_char(&t, '\0');
    }
    out->at = mem_array(e, out->n, sizeof *out->at);
    if (t.oom || out->at == NULL) {
        text_free(&t);
        names_free(out);
        return PERC_ENOMEM;
    }
    out->text = t.s; /* taken over */
    out->size = t.cap;
    char *p = out->text;
    for (uint64_t j = 0; j < out->n; j++, p += strlen(p) + 1) out->at[j] = p;
    return PERC_OK;
}

void names_free(struct names *names)
{
    mem_free(&names->e, names->at, names->n, sizeof *names->at);
    mem_free(&names->e, names->text, names->size, 1);
    *names = (struct names){ .e = names->e };
}

bool schema_describe(const struct schema *s, size_t i, perc_column *out)
{
    struct text how;

    *out = (perc_column){ .name = "", .kind = "", .frequent = "", .reference = "" };
    if (s == NULL || i >= s->columns) return false;
    const struct column *c = &s->column[i];
    out->name = c->name;
    out->kind = columns_kind_word(c->kind);
    out->missing = c->filled;
    if (c->frequent != NULL) out->frequent = c->frequent;
    if (c->reference != NULL) out->reference = c->reference;
    text_init(&how, &s->e);
    columns_treatment_write(&c->how, &how);
    if (how.len > 0 && !how.oom) /* without the blank it begins with */
        snprintf(out->how, sizeof out->how, "%s", how.s + 1);
    text_free(&how);
    return true;
}
