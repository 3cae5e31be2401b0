/* gate_model.c -- a compiled network as a model, which is saved and predicts as others do.
 *
 * Its columns are the inputs, by name; a column of labels may be there, for `test`. */
#include <string.h>

#include "logic/gates.h"
#include "machine/machine_gate.h"
#include "model/model.h"

static perc_status make_schema(const struct gate *g, struct schema *s)
{
    struct text label;
    perc_status st;

    s->header = true;
    s->delimiter = ',';
    if ((s->column = mem_zeroed(&s->e, g->inputs + 1, sizeof *s->column)) == NULL)
        return PERC_ENOMEM;
    s->columns = g->inputs + 1;
    s->numeric = (uint32_t)g->inputs;
    text_init(&label, &s->e);
    /* The name of the label column: that of a single output, or "label"; made free by "_". */
    text_str(&label, g->outputs == 1 ? g->output_name[0] : "label");
    for (bool taken = true; taken && !label.oom;) {
        taken = false;
        for (size_t i = 0; i < g->inputs; i++) taken |= strcmp(g->input_name[i], label.s) == 0;
        if (taken) text_char(&label, '_');
    }
    st = label.oom ? PERC_ENOMEM : PERC_OK;
    for (size_t i = 0; i <= g->inputs && !st; i++) {
        const char *name = i < g->inputs ? g->input_name[i] : label.s;
        struct column *c = &s->column[i];
        c->kind = i < g->inputs ? COLUMN_NUMBER : COLUMN_LABEL;
        c->feature = (uint32_t)i; /* the label is the last */
        if ((c->name = mem_text(&s->e, name, strlen(name))) == NULL) st = PERC_ENOMEM;
    }
    text_free(&label);
    return st;
}

static perc_status make_labels(struct learner *l, const struct gate *g, perc_error *err)
{
    const size_t n = (size_t)1 << g->outputs;
    struct text word;
    uint32_t id;
    perc_status st = PERC_OK;

    text_init(&word, &l->e);
    for (size_t c = 0; c < n && !st; c++) {
        word.len = 0;
        gate_label(g, c, &word);
        st = word.oom ? fail_memory(err) : labels_add(&l->labels, word.s, word.len, &id, err);
    }
    text_free(&word);
    l->kind = n > 2 ? KIND_NATIVE : KIND_TWO;
    return st;
}

perc_status perc_gate_model(const perc_gate *g, perc_model **out, perc_error *err)
{
    NEED_OUT(out);
    NEED(g != NULL);
    const struct compiled *c = &g->compiled;
    const struct env e = g->e;
    perc_params *p = NULL;
    perc_model *m = NULL;
    perc_status st;

    if (c->states > 0)
        return fail(err, PERC_EARG,
                    "a network with states cannot be saved: unroll it, so that its inputs are "
                    "those of a number of steps");
    if (c->net.inputs == 0)
        return fail(err, PERC_EARG,
                    "a network without inputs cannot be saved: there is nothing to predict from");
    if (c->outputs > MACHINE_GATE_OUTPUTS)
        return fail(err, PERC_EARG, "a network with %zu outputs cannot be saved: at most %d",
                    c->outputs, MACHINE_GATE_OUTPUTS);
    if (params_new(&e, &rule_gate.table, &p)) return fail_memory(err);
    st = model_new(&e, p, &m, err);
    perc_params_free(p);
    if (st) return st;
    m->index_base = 0;
    struct gate *own = machine_gate_of(m->learner.machine);
    if (gate_copy(&e, &c->net, own) || make_schema(&c->net, &m->schema) ||
        names_make(&e, &m->schema, &m->names))
        st = fail_memory(err);
    if (!st) st = make_labels(&m->learner, own, err);
    if (st) perc_model_free(m);
    else *out = m;
    return st;
}
