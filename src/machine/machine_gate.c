/* machine_gate.c -- a network of threshold neurons: what it says about rows of zeros and ones.
 *
 * One output: its score, above 0 exactly where it is 1 (gate_score). Several: each word of their
 * bits is a class, output 0 the first letter; the word that comes out scores 1, all others 0. */
#include "machine/machine_gate.h"

#include <string.h>

#include "base/number.h"
#include "machine/machine_file.h"
#include "vec/panel.h"

static struct gate *gate_in(const struct machine *m)
{
    return &((struct machine_gated *)(uintptr_t)m)->gate;
}

struct gate *machine_gate_of(const struct machine *m)
{
    return m->ops == &machine_gate ? gate_in(m) : NULL;
}

static perc_status init_gate(struct machine *m, const perc_params *p)
{
    (void)p;
    gate_init(gate_in(m), &m->e);
    return PERC_OK;
}

static void free_gate(struct machine *m)
{
    gate_free(gate_in(m));
}

static perc_status copy_gate(const struct machine *from, struct machine *to)
{
    gate_free(gate_in(to));
    return gate_copy(&to->e, gate_in(from), gate_in(to));
}

static uint64_t gate_dims(const struct machine *m)
{
    return gate_in(m)->inputs;
}

/* ----- answering -------------------------------------------------------------------------- */

/* One row at a time: the state of inputs and neurons. */
static perc_status open_gate_scratch(struct machine_scratch *d)
{
    const struct gate *g = gate_in(d->s->m);

    d->most = 1;
    d->state = mem_array(&d->s->e, g->inputs + g->neurons, 1);
    return d->state != NULL ? PERC_OK : PERC_ENOMEM;
}

static void close_gate_scratch(struct machine_scratch *d)
{
    const struct gate *g = gate_in(d->s->m);

    mem_free(&d->s->e, d->state, g->inputs + g->neurons, 1);
}

/* A column that the row does not have is 0; one that is not an input is left out. */
static perc_status take_inputs(struct machine_scratch *d, const struct row *x, int64_t line,
                               perc_error *err)
{
    const struct gate *g = gate_in(d->s->m);
    const uint64_t below = d->s->below;
    unsigned char *state = d->state;

    d->n = 1;
    memset(state, 0, g->inputs);
    for (size_t k = 0; k < x->n; k++) {
        const uint64_t column = row_column(x, k);
        const double v = row_value(x, k);
        char number[NUMBER_TEXT];
        if (column < below || column - below >= g->inputs) continue;
        if (v == 0 || v == 1) {
            state[column - below] = v == 1;
            continue;
        }
        number[number_format(v, number)] = '\0';
        return fail_at(err, PERC_EDATA, line, 0,
                       "input %.60s is %s; a gate takes 0 and 1 (write 0 for false and 1 for "
                       "true)",
                       g->input_name[column - below], number);
    }
    return PERC_OK;
}

static perc_status run_gate(struct machine_scratch *d, double *out, size_t *bad)
{
    const struct gate *g = gate_in(d->s->m);
    unsigned char *state = d->state;
    size_t word = 0;

    (void)bad;
    d->n = 0;
    gate_run(g, state);
    if (d->s->outputs == 1) {
        out[0] = gate_score(g, state, 0);
        return PERC_OK;
    }
    for (size_t o = 0; o < g->outputs; o++) word = word << 1 | (state[g->output[o]] != 0);
    for (size_t c = 0; c < d->s->outputs; c++) out[c] = c == word;
    return PERC_OK;
}

/* ----- in a file -------------------------------------------------------------------------- */

static perc_status pack_gate(const struct machine *m, struct machine_file *f, struct tensors *t)
{
    (void)f;
    return gate_pack(gate_in(m), t);
}

static perc_status unpack_gate(struct machine *m, const struct machine_file *f,
                               const struct tensors *t, perc_error *err)
{
    struct gate *g = gate_in(m);
    struct text word;
    perc_status st;

    if (f->examples > 0 || f->data_rows > 0)
        return fail(err, PERC_EDATA, "a gate does not learn, and this one says that it did");
    if ((st = gate_unpack(g, t, err))) return st;
    if (g->outputs > MACHINE_GATE_OUTPUTS)
        return fail(err, PERC_EDATA, "a gate with %zu outputs cannot be a model: at most %d",
                    g->outputs, MACHINE_GATE_OUTPUTS);
    if (f->labels->n != (size_t)1 << g->outputs)
        return fail(err, PERC_EDATA, "%zu outputs make %zu labels, not %zu", g->outputs,
                    (size_t)1 << g->outputs, f->labels->n);
    text_init(&word, &g->e);
    for (size_t c = 0; c < f->labels->n && !st; c++) { /* they are what the outputs say */
        word.len = 0;
        gate_label(g, c, &word);
        if (word.oom) st = fail_memory(err);
        else if (strcmp(f->labels->at[c].text, word.s) != 0)
            st = fail(err, PERC_EDATA, "label %zu of a gate must be '%.60s', not '%.60s'", c,
                      word.s, f->labels->at[c].text);
    }
    text_free(&word);
    return st;
}

const struct machine_ops machine_gate = {
    .word = "gate",
    .flags = MACHINE_NETWORK,
    .size = sizeof(struct machine_gated),
    .init = init_gate,
    .free = free_gate,
    .copy = copy_gate,
    .dims = gate_dims,
    .thread_rows = PANEL,
    .scratch_open = open_gate_scratch,
    .scratch_close = close_gate_scratch,
    .take = take_inputs,
    .run = run_gate,
    .pack = pack_gate,
    .unpack = unpack_gate,
};
