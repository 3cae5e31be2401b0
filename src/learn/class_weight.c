/* class_weight.c -- weights by label. */
#include "learn/class_weight.h"

#include <string.h>

#include "base/number.h"

/* Label `text`, of `len` characters, weighs w. */
static perc_status put_weight(struct class_weights *c, const char *text, size_t len, double w,
                              perc_error *err)
{
    const size_t before = c->labels.n;
    uint32_t id;
    perc_status st = labels_add(&c->labels, text, len, &id, err);

    if (st) return st;
    if (c->labels.n == before)
        return fail(err, PERC_EARG, "class-weight names the label '%.*s' twice", (int)len, text);
    if (!MEM_GROW(&c->e, c->weight, &c->room, c->labels.n)) return fail_memory(err);
    c->weight[id] = w;
    return PERC_OK;
}

perc_status class_weights_parse(const struct env *e, const char *spec, struct class_weights *out,
                                perc_error *err)
{
    perc_status st = PERC_OK;

    *out = (struct class_weights){ .e = *e };
    labels_init(&out->labels, e);
    out->balanced = strcmp(spec, "balanced") == 0;
    while (!st && !out->balanced && *spec != '\0') {
        const size_t len = strcspn(spec, ",");
        size_t eq = len; /* a label may contain '=': the last one counts */
        double w;
        while (eq > 0 && spec[eq - 1] != '=') eq--;
        if (eq <= 1)
            st = fail(err, PERC_EARG, "class-weight: '%.*s' is not LABEL=WEIGHT", (int)len, spec);
        else if (!number_parse(spec + eq, len - eq, &w) || w < 0)
            st = fail(err, PERC_EARG, "class-weight: '%.*s' is not a number of at least 0",
                      (int)(len - eq), spec + eq);
        else st = put_weight(out, spec, eq - 1, w, err);
        spec += len + (spec[len] == ',');
    }
    if (st) class_weights_free(out);
    return st;
}

void class_weights_free(struct class_weights *c)
{
    mem_free(&c->e, c->weight, c->room, sizeof *c->weight);
    labels_free(&c->labels);
    *c = (struct class_weights){ .e = c->e };
}

double class_weights_of(const struct class_weights *c, const char *label)
{
    const uint32_t id = labels_find(&c->labels, label, strlen(label));

    return id != LABEL_NONE ? c->weight[id] : 1;
}

perc_status class_weights_balance(struct class_weights *c, const struct labels *labels,
                                  const uint64_t *count)
{
    uint64_t rows = 0;

    for (size_t i = 0; i < labels->n; i++) rows += count[i];
    for (size_t i = 0; i < labels->n; i++) {
        const double share = (double)labels->n * (double)count[i];
        const char *text = labels->at[i].text;
        if (put_weight(c, text, strlen(text), count[i] > 0 ? (double)rows / share : 1, NULL))
            return PERC_ENOMEM;
    }
    return PERC_OK;
}

perc_status class_weights_check(const struct class_weights *c, const struct labels *labels,
                                perc_error *err)
{
    for (size_t i = 0; i < c->labels.n; i++) {
        const char *text = c->labels.at[i].text;
        char hint[SPELLING_HINT];
        if (labels_find(labels, text, strlen(text)) == LABEL_NONE)
            return fail(err, PERC_EDATA, "class-weight: no row has the label '%.60s'%s", text,
                        labels_hint(labels, text, hint));
    }
    return PERC_OK;
}
