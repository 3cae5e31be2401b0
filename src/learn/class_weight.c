/* class_weight.c -- weights by label. */
#include "learn/class_weight.h"

#include <string.h>

#include "base/list.h"
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

/* One LABEL=WEIGHT. */
static perc_status take_weight(struct class_weights *c, const struct list *l, perc_error *err)
{
    double w;

    if (l->value == NULL || (l->len == 0 && !l->quoted))
        return fail(err, PERC_EARG, "class-weight: '%.*s' is not LABEL=WEIGHT", (int)l->whole_len,
                    l->whole);
    if (!number_parse(l->value, l->value_len, &w) || w < 0)
        return fail(err, PERC_EARG, "class-weight: '%.*s' is not a number of at least 0",
                    (int)l->value_len, l->value);
    return put_weight(c, l->name, l->len, w, err);
}

perc_status class_weights_parse(const struct env *e, const char *spec, struct class_weights *out,
                                perc_error *err)
{
    struct list l;
    bool more;
    perc_status st = PERC_OK;

    *out = (struct class_weights){ .e = *e };
    labels_init(&out->labels, e);
    out->balanced = strcmp(spec, "balanced") == 0;
    if (out->balanced) return PERC_OK;
    list_begin(&l, e, "class-weight", spec, '=', err);
    while (!(st = list_next(&l, &more)) && more) {
        if (l.ended && l.len == 0 && !l.quoted && l.value == NULL) break; /* "a=1," */
        if ((st = take_weight(out, &l, err))) break;
    }
    list_end(&l);
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
