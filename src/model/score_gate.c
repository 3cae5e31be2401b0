/* score_gate.c -- what a network of threshold neurons says about rows of zeros and ones.
 *
 * One output: its score, above 0 exactly where it is 1 (gate_score). Several: each word of their
 * bits is a class, output 0 the first letter; the word that comes out scores 1, all others 0. */
#include <string.h>

#include "base/number.h"
#include "model/model.h"

/* The inputs of a row into `state`, which has a place for each. A column that the row does not
 * have is 0; one that is no input is left out. */
static perc_status take(const struct scorer *s, const struct row *x, int64_t line,
                        unsigned char *state, perc_error *err)
{
    const uint64_t below = model_base(s->m), inputs = s->m->learner.gate->inputs;

    memset(state, 0, (size_t)inputs);
    for (size_t k = 0; k < x->n; k++) {
        const uint64_t column = row_column(x, k);
        const double v = row_value(x, k);
        char number[NUMBER_TEXT];
        if (column < below || column - below >= inputs) continue;
        if (v == 0 || v == 1) {
            state[column - below] = v == 1;
            continue;
        }
        number[number_format(v, number)] = '\0';
        return fail_at(err, PERC_EDATA, line, 0,
                       "input %.60s is %s; a gate takes 0 and 1 (write 0 for false and 1 for "
                       "true)",
                       s->m->learner.gate->input_name[column - below], number);
    }
    return PERC_OK;
}

static void answer(const struct scorer *s, unsigned char *state, double *out)
{
    const struct gate *g = s->m->learner.gate;
    size_t word = 0;

    gate_run(g, state);
    if (s->outputs == 1) {
        out[0] = gate_score(g, state, 0);
        return;
    }
    for (size_t o = 0; o < g->outputs; o++) word = word << 1 | (state[g->output[o]] != 0);
    for (size_t c = 0; c < s->outputs; c++) out[c] = c == word;
}

perc_status scorer_gate_rows(const struct scorer *s, struct pipe *p, const struct block *b,
                             const size_t *which, size_t from, size_t n, double *out,
                             perc_error *err)
{
    const struct gate *g = s->m->learner.gate;
    const size_t places = g->inputs + g->neurons;
    unsigned char *state = mem_array(&s->e, places, 1);
    perc_status st = state == NULL ? fail_memory(err) : PERC_OK;

    for (size_t i = from; i < from + n && !st; i++, out += s->outputs) {
        const size_t at = which != NULL ? which[i] : i;
        struct row x = block_row(b, at);
        st = pipe_row(p, &x, block_line(b, at), err);
        if (!st) st = take(s, &x, block_line(b, at), state, err);
        if (!st) answer(s, state, out);
    }
    mem_free(&s->e, state, places, 1);
    return st;
}

perc_status scorer_gate_row(const struct scorer *s, const struct row *x, double *out,
                            perc_error *err)
{
    const struct gate *g = s->m->learner.gate;
    const size_t places = g->inputs + g->neurons;
    unsigned char *state = mem_array(&s->e, places, 1);
    perc_status st = state == NULL ? fail_memory(err) : take(s, x, 0, state, err);

    if (!st) answer(s, state, out);
    mem_free(&s->e, state, places, 1);
    return st;
}
