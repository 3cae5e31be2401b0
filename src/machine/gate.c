/* gate.c -- a network of McCulloch-Pitts neurons: made, and run.
 *
 *     neuron k fires   <=>   sum over its synapses of  weight * state[source]  >=  threshold_k
 *
 * All in whole numbers. The neurons stand in an order in which each listens to those before it
 * alone, so that one walk gives every state.
 *
 * Invariants  start[0] = 0, start[neurons] = synapses; source < inputs + k in neuron k; the sizes
 *             of the weights and of the threshold of a neuron add up to less than GATE_SUM.
 * Cost        a run O(neurons + synapses).
 * Not here    files (gate_file.c), how a formula becomes a network (logic/compile.c).
 * McCulloch, Pitts, Bulletin of Mathematical Biophysics 5, 1943. */
#include "machine/gate.h"

#include <assert.h>
#include <string.h>

void gate_init(struct gate *g, const struct env *e)
{
    *g = (struct gate){ .e = *e };
}

static void free_names(const struct env *e, char **name, size_t n, size_t cap)
{
    for (size_t i = 0; i < n; i++) mem_free_text(e, name[i]);
    mem_free(e, name, cap, sizeof *name);
}

void gate_free(struct gate *g)
{
    free_names(&g->e, g->input_name, g->inputs, g->input_cap);
    free_names(&g->e, g->output_name, g->outputs, g->name_cap);
    mem_free(&g->e, g->output, g->output_cap, sizeof *g->output);
    mem_free(&g->e, g->start, g->start_cap, sizeof *g->start);
    mem_free(&g->e, g->source, g->source_cap, sizeof *g->source);
    mem_free(&g->e, g->weight, g->weight_cap, sizeof *g->weight);
    mem_free(&g->e, g->threshold, g->threshold_cap, sizeof *g->threshold);
    *g = (struct gate){ .e = g->e };
}

/* ----- making one ----------------------------------------------------------------------- */

/* mem_grow for an array of any type. */
#define GROW(g, array, cap, need) \
    mem_grow(&(g)->e, (void **)&(g)->array, &(g)->cap, need, sizeof *(g)->array)

perc_status gate_add_input(struct gate *g, const char *name)
{
    assert(g->neurons == 0);
    if (g->inputs == GATE_INPUTS) return PERC_EARG;
    if (!GROW(g, input_name, input_cap, g->inputs + 1) ||
        (g->input_name[g->inputs] = mem_text(&g->e, name, strlen(name))) == NULL)
        return PERC_ENOMEM;
    g->inputs++;
    return PERC_OK;
}

perc_status gate_add_output(struct gate *g, const char *name, uint32_t source)
{
    assert(source < g->inputs + g->neurons);
    if (g->outputs == GATE_OUTPUTS) return PERC_EARG;
    if (!GROW(g, output_name, name_cap, g->outputs + 1) ||
        !GROW(g, output, output_cap, g->outputs + 1) ||
        (g->output_name[g->outputs] = mem_text(&g->e, name, strlen(name))) == NULL)
        return PERC_ENOMEM;
    g->output[g->outputs++] = source;
    return PERC_OK;
}

bool gate_sum_fits(const int64_t *weight, size_t n, int64_t threshold)
{
    uint64_t left = (uint64_t)GATE_SUM - 1;

    for (size_t i = 0; i <= n; i++) {
        const int64_t v = i < n ? weight[i] : threshold;
        const uint64_t size = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
        if (size > left) return false;
        left -= size;
    }
    return true;
}

perc_status gate_add_neuron(struct gate *g, const uint32_t *source, const int64_t *weight, size_t n,
                            int64_t threshold, uint32_t *number)
{
    if (g->neurons == GATE_NEURONS || n > g->inputs + g->neurons ||
        !gate_sum_fits(weight, n, threshold))
        return PERC_EARG;
    if (!GROW(g, start, start_cap, g->neurons + 2) ||
        !GROW(g, threshold, threshold_cap, g->neurons + 1) ||
        !GROW(g, source, source_cap, g->synapses + n + 1) || /* also without synapses, so that */
        !GROW(g, weight, weight_cap, g->synapses + n + 1))   /* NULL + 0 is nowhere computed   */
        return PERC_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        assert(source[i] < g->inputs + g->neurons && weight[i] != 0);
        assert(i == 0 || source[i] > source[i - 1]);
        g->source[g->synapses + i] = source[i];
        g->weight[g->synapses + i] = weight[i];
    }
    g->start[g->neurons] = g->synapses; /* says something new for the first one only */
    g->synapses += n;
    g->threshold[g->neurons] = threshold;
    *number = (uint32_t)(g->inputs + g->neurons++);
    g->start[g->neurons] = g->synapses;
    return PERC_OK;
}

/* Adding everything again does it. */
perc_status gate_copy(const struct env *e, const struct gate *from, struct gate *to)
{
    uint32_t number;
    perc_status st = PERC_OK;

    gate_init(to, e);
    for (size_t i = 0; i < from->inputs && !st; i++) st = gate_add_input(to, from->input_name[i]);
    for (size_t k = 0; k < from->neurons && !st; k++) {
        const uint64_t at = from->start[k];
        st = gate_add_neuron(to, from->source + at, from->weight + at,
                             (size_t)(from->start[k + 1] - at), from->threshold[k], &number);
    }
    for (size_t o = 0; o < from->outputs && !st; o++)
        st = gate_add_output(to, from->output_name[o], from->output[o]);
    if (st) gate_free(to);
    return st;
}

/* ----- running it ------------------------------------------------------------------------ */

int64_t gate_excess(const struct gate *g, const unsigned char *state, size_t k)
{
    int64_t sum = 0;

    for (uint64_t i = g->start[k]; i < g->start[k + 1]; i++)
        sum += state[g->source[i]] ? g->weight[i] : 0;
    return sum - g->threshold[k];
}

void gate_run(const struct gate *g, unsigned char *state)
{
    for (size_t k = 0; k < g->neurons; k++) state[g->inputs + k] = gate_excess(g, state, k) >= 0;
}

/* sum >= threshold  <=>  2 (sum - threshold) + 1 > 0: never 0, so that nothing hangs on what the
 * sign of 0 is. */
double gate_score(const struct gate *g, const unsigned char *state, size_t o)
{
    const uint32_t source = g->output[o];

    if (source < g->inputs) return state[source] ? 1 : -1;
    return 2 * (double)gate_excess(g, state, source - g->inputs) + 1;
}

void gate_label(const struct gate *g, size_t class, struct text *out)
{
    for (size_t o = 0; o < g->outputs; o++) {
        if (g->outputs > 1) {
            if (o > 0) text_char(out, ',');
            text_str(out, g->output_name[o]);
            text_char(out, '=');
        }
        text_char(out, class >> (g->outputs - 1 - o) & 1 ? '1' : '0');
    }
}
