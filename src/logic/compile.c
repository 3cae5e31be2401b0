/* compile.c -- from a formula to a network of threshold neurons.
 *
 * A *sketch* is a neuron that is not made yet: weights, a threshold, and the sources that they are
 * for. Negating a sketch turns all signs:
 *
 *     not (w.x >= t)   <=>   -w.x >= 1 - t
 *
 * so that no neuron is spent on a not. Two sweeps over the nodes:
 *
 *   down   from the outputs. Is the node, as a function of the inputs, a threshold function
 *          (neuron_find)? Then it is a sketch, and what is below it is not needed.
 *   up     over what is left. and, or and atleast add up their children, each of which is an
 *          input, a neuron, or, if one neuron can still do it all, a sketch that is merged into
 *          this one (merge.c). xor counts: see count_digits.
 *
 * A neuron that the text writes is made as it is: what it is a part of is not asked whether one
 * neuron could do it, and hears it as a source.
 *
 * Equal neurons are made once; those that no output needs in the end are taken out again.
 *
 * Which functions these are: Muroga, Threshold Logic and Its Applications, 1971. */
#include "logic/compile.h"

#include <string.h>

#include "base/pool.h"
#include "logic/merge.h"

/* ----- what is being built ------------------------------------------------------------- */

enum { UNKNOWN, ASKED, DONE }; /* can one neuron do it: not asked; no; yes, see the sketch */

struct builder {
    struct env e;
    struct pool pool;
    const struct formula *f;
    struct gate *net;
    struct sketch *sketch; /* of each node */
    struct sketch *odd;    /* of each xor: its sources; it is 1 if an odd number of them is 1
                            or, depending on the threshold, an even one */
    bool *needed;          /* of each node: it has to become a sketch */
    unsigned char *stage;  /* of each node: UNKNOWN, ... */
    bool *written;         /* of each node: it is a neuron that the text writes, or has one in it */
    uint64_t *table;       /* of a function of the inputs */
    perc_error *err;
};

static void builder_free(struct builder *b)
{
    for (size_t i = 0; i < b->f->nodes && !b->pool.failed; i++) {
        sketch_free(&b->sketch[i]);
        sketch_free(&b->odd[i]);
    }
    pool_free(&b->pool);
}

static perc_status builder_init(struct builder *b, const struct formula *f, struct gate *net,
                                perc_error *err)
{
    const size_t n = f->nodes, rows = (size_t)1 << (f->inputs + f->states);

    *b = (struct builder){ .e = net->e, .f = f, .net = net, .err = err };
    pool_init(&b->pool, &b->e);
    b->sketch = pool_array(&b->pool, n, sizeof *b->sketch);
    b->odd = pool_array(&b->pool, n, sizeof *b->odd);
    b->needed = pool_zeroed(&b->pool, n, sizeof *b->needed);
    b->stage = pool_zeroed(&b->pool, n, sizeof *b->stage);
    b->written = pool_zeroed(&b->pool, n, sizeof *b->written);
    b->table = pool_array(&b->pool, (rows + 63) / 64, sizeof *b->table);
    if (b->pool.failed) return fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        const struct node *v = &f->node[i];
        sketch_init(&b->sketch[i], &b->e);
        sketch_init(&b->odd[i], &b->e);
        b->written[i] = v->written || (v->op == OP_NAME && f->name[v->name].role == ROLE_WIRE &&
                                       b->written[f->name[v->name].root]);
        for (uint32_t k = 0; k < v->count; k++) b->written[i] |= b->written[f->child[v->first + k]];
    }
    return PERC_OK;
}

/* The node itself or, if it is the name of a wire, the node that defines it. */
static uint32_t follow_wires(const struct formula *f, uint32_t node)
{
    while (f->node[node].op == OP_NAME && f->name[f->node[node].name].role == ROLE_WIRE)
        node = f->name[f->node[node].name].root;
    return node;
}

/* ----- down: what one neuron can compute ------------------------------------------------- */

/* Makes the node a sketch, if one neuron can do it; *s says whether, and if not, why. */
static perc_status ask_neuron(struct builder *b, uint32_t node, size_t most, struct single *s)
{
    struct sketch *p = &b->sketch[node];
    perc_status st;

    *s = (struct single){ .inputs = 0 };
    s->inputs = formula_support(b->f, node, s->input, COMPILE_INPUTS);
    if (s->inputs == SIZE_MAX) return fail_memory(b->err);
    if (s->inputs > most) return PERC_OK;
    if (formula_table(b->f, node, s->input, s->inputs, b->table)) return fail_memory(b->err);
    if ((st = neuron_find(&b->e, b->table, s->inputs, &s->neuron, b->err))) return st;
    if (b->stage[node] != UNKNOWN) return PERC_OK;
    b->stage[node] = ASKED;
    if (!s->neuron.found || b->written[node]) return PERC_OK;
    p->threshold = s->neuron.threshold;
    for (size_t i = 0; i < s->inputs; i++)
        if (sketch_add(p, s->input[i], s->neuron.weight[i])) return fail_memory(b->err);
    sketch_simplify(p);
    b->stage[node] = DONE;
    return PERC_OK;
}

/* ----- making neurons --------------------------------------------------------------------- */

/* The neuron for a sketch, made if there is none yet. */
static perc_status make_neuron(struct builder *b, const struct sketch *p, uint32_t *source)
{
    struct gate *g = b->net;
    perc_status st;

    for (size_t k = 0; k < g->neurons; k++) {
        if (!sketch_is_neuron(p, g, k)) continue;
        *source = (uint32_t)(g->inputs + k);
        return PERC_OK;
    }
    st = gate_add_neuron(g, p->source, p->weight, p->n, p->threshold, source);
    if (st == PERC_ENOMEM) return fail_memory(b->err);
    return st ? fail(b->err, PERC_EDATA, "the formula needs more than %d neurons", GATE_NEURONS)
              : PERC_OK;
}

/* Where a sketch can be heard: its source, if it just repeats that one, or a neuron. */
static perc_status source_of(struct builder *b, const struct sketch *p, uint32_t *source)
{
    if (sketch_sign(p) <= 0) return make_neuron(b, p, source);
    *source = p->source[0];
    return PERC_OK;
}

/* ----- up: sums ---------------------------------------------------------------------------- */

/* Whether the sources of a child can be counted with the children: an `and` among those of an
 * `and`, an `or` among those of an `or`. */
static bool is_absorbed(enum op op, const struct sketch *child)
{
    return (op == OP_AND && sketch_is_and(child)) || (op == OP_OR && sketch_is_or(child));
}

/* Counts a source, or its negation: 1 - x moves the threshold. */
static perc_status count_source(struct builder *b, struct sketch *p, uint32_t source, bool negated)
{
    p->threshold -= negated;
    return sketch_add(p, source, negated ? -1 : 1) ? fail_memory(b->err) : PERC_OK;
}

/* Counts a term in p, which is  sum of the terms >= threshold. */
static perc_status count_term(struct builder *b, enum op op, const struct term *term,
                              struct sketch *p)
{
    const struct sketch *child = term->sketch;
    perc_status st = PERC_OK;

    if (child->n == 0) p->threshold -= child->threshold <= 0; /* the constant 1 */
    else if (child->n == 1 || is_absorbed(op, child)) {
        if (op == OP_AND) p->threshold += (int64_t)child->n - 1; /* all of them */
        for (size_t k = 0; k < child->n && !st; k++)
            st = count_source(b, p, child->source[k], child->weight[k] < 0);
    } else st = count_source(b, p, term->neuron, false);
    return st;
}

/* Of the terms that would be neurons in a plain sum, the one to merge into it; `n`: none. */
static size_t pick_merged(enum op op, const struct term *term, size_t n, size_t *neurons)
{
    size_t best = n;
    int64_t weight = 0;

    *neurons = 0;
    for (size_t k = 0; k < n; k++) {
        const struct sketch *p = term[k].sketch;
        if (p->n < 2 || is_absorbed(op, p)) continue;
        ++*neurons;
        const int64_t m = op == OP_ATLEAST ? 0 : merge_weight(p, op == OP_AND);
        if (m > 0 && (best == n || m < weight)) {
            best = k;
            weight = m;
        }
    }
    if (best < n) --*neurons;
    return best;
}

/* and, or, atleast of terms, in the way that leaves fewer neurons below: as many terms merged as
 * a table of all cases allows, or a plain sum with one term merged into it. */
static perc_status build_sum(struct builder *b, const struct node *v, struct sketch *p)
{
    const int64_t least = v->op == OP_AND ? v->count : v->op == OP_OR ? 1 : v->least;
    struct term *term = mem_zeroed(&b->e, v->count, sizeof *term);
    size_t plain = 0, left = 0, one = v->count;
    bool merged = false;
    perc_status st = term == NULL ? fail_memory(b->err) : PERC_OK;

    for (uint32_t k = 0; k < v->count && !st; k++) {
        term[k].sketch = &b->sketch[follow_wires(b->f, b->f->child[v->first + k])];
        if (term[k].sketch->n > 1) st = source_of(b, term[k].sketch, &term[k].neuron);
    }
    if (!st) one = pick_merged(v->op, term, v->count, &plain);
    if (!st) st = merge_terms(&b->e, term, v->count, least, COMPILE_SKETCH, p, &merged, b->err);
    for (uint32_t k = 0; k < v->count && !st; k++) left += term[k].sketch->n > 1 && !term[k].merged;
    if (!st && !(merged && left <= plain)) {
        p->n = 0;
        p->threshold = least - (one < v->count && v->op == OP_AND);
        for (uint32_t k = 0; k < v->count && !st; k++)
            if (k != one) st = count_term(b, v->op, &term[k], p);
        if (!st && one < v->count && merge_one(p, term[one].sketch, v->op == OP_AND))
            st = fail_memory(b->err);
        if (!st) sketch_simplify(p);
    }
    mem_free(&b->e, term, v->count, sizeof *term);
    return st;
}

/* ----- up: neurons that the text writes ----------------------------------------------------- */

/* Weights and threshold as they are, but for constants and negations: w (1 - x) = w - w x. The
 * node is then heard as the neuron that it is. */
static perc_status build_written(struct builder *b, const struct node *v, struct sketch *p)
{
    uint32_t source;
    perc_status st = PERC_OK;

    p->threshold = v->least;
    for (uint32_t k = v->first; k < v->first + v->count && !st; k++) {
        const struct sketch *child = &b->sketch[follow_wires(b->f, b->f->child[k])];
        const bool negated = child->n == 1 && child->weight[0] < 0;
        const int64_t w = b->f->weight[k];
        if (negated || (child->n == 0 && child->threshold <= 0)) p->threshold -= w;
        if (child->n == 1) source = child->source[0];
        else if (child->n > 1) st = source_of(b, child, &source);
        if (!st && child->n > 0 && sketch_add(p, source, negated ? -w : w))
            st = fail_memory(b->err);
    }
    if (st) return st;
    sketch_simplify(p);
    if (p->n == 0) return PERC_OK;
    if ((st = make_neuron(b, p, &source))) return st;
    p->n = 0;
    p->threshold = 1;
    return sketch_add(p, source, 1) ? fail_memory(b->err) : PERC_OK;
}

/* ----- up: xor ------------------------------------------------------------------------------ */

/* Adds the sources of a sketch to those that are counted, or takes out those already there:
 * x ^ x = 0. */
static perc_status turn_sources(struct builder *b, struct sketch *odd, const struct sketch *of)
{
    for (size_t i = 0; i < of->n; i++)
        if (of->weight[i] != 0 && sketch_add(odd, of->source[i], 1)) return fail_memory(b->err);
    for (size_t i = 0; i < odd->n; i++) odd->weight[i] %= 2;
    return PERC_OK;
}

/* Gathers sources child by child. The threshold counts what flips the result: ones, negations. */
static perc_status gather_odd(struct builder *b, const struct node *v, struct sketch *odd)
{
    perc_status st = PERC_OK;

    for (uint32_t k = 0; k < v->count && !st; k++) {
        const uint32_t child = follow_wires(b->f, b->f->child[v->first + k]);
        const struct sketch *p = &b->sketch[child], *below = &b->odd[child];
        uint32_t source;
        int64_t one = 1;
        if (below->n > 0) {
            st = turn_sources(b, odd, below);
            odd->threshold += below->threshold;
        } else if (p->n < 2) { /* a constant or a source */
            st = turn_sources(b, odd, p);
            odd->threshold += p->n == 0 ? p->threshold <= 0 : p->weight[0] < 0;
        } else if (!(st = source_of(b, p, &source))) {
            st = turn_sources(b, odd,
                              &(struct sketch){ .source = &source, .weight = &one, .n = 1 });
        }
    }
    odd->threshold %= 2;
    return st;
}

/* The number s of ones among m sources, written in binary, from the highest digit down:
 *
 *     digit_j fires   <=>   s - sum over i > j of 2^i digit_i  >=  2^j
 *
 * and an odd number is one whose last digit is 1: 1 + floor(log2 m) neurons in all. p becomes
 * the last of them. (Symmetric functions by counting: Kautz 1961.) */
static perc_status count_digits(struct builder *b, const struct sketch *odd, struct sketch *p)
{
    int64_t digit = 1;
    uint32_t source;
    perc_status st;

    if (sketch_copy(odd, p)) return fail_memory(b->err);
    p->threshold = 1;
    sketch_simplify(p); /* drops what was taken out */
    while (2 * digit <= (int64_t)p->n) digit *= 2;
    for (; digit > 1 && p->n > 1; digit /= 2) {
        p->threshold = digit;
        if ((st = make_neuron(b, p, &source))) return st;
        if (sketch_add(p, source, -digit)) return fail_memory(b->err);
    }
    p->threshold = 1;
    if (odd->threshold % 2 != 0) sketch_negate(p);
    return PERC_OK;
}

/* ----- up ------------------------------------------------------------------------------------ */

static perc_status build_node(struct builder *b, uint32_t node)
{
    const struct node *v = &b->f->node[node];
    struct sketch *p = &b->sketch[node];
    perc_status st = PERC_OK;

    switch (v->op) {
    case OP_CONSTANT: p->threshold = v->value ? 0 : 1; return PERC_OK;
    case OP_NAME: /* an input or a state; wires have been followed */
        p->threshold = 1;
        return sketch_add(p, v->name, 1) ? fail_memory(b->err) : PERC_OK;
    case OP_NOT: {
        const uint32_t child = follow_wires(b->f, b->f->child[v->first]);
        if (sketch_copy(&b->sketch[child], p) ||
            (b->odd[child].n > 0 && sketch_copy(&b->odd[child], &b->odd[node])))
            return fail_memory(b->err);
        b->odd[node].threshold ^= 1;
        sketch_negate(p);
        return PERC_OK;
    }
    case OP_XOR:
        st = gather_odd(b, v, &b->odd[node]);
        return st ? st : count_digits(b, &b->odd[node], p);
    default: return v->written ? build_written(b, v, p) : build_sum(b, v, p);
    }
}

/* ----- the network ---------------------------------------------------------------------------- */

/* The network again, without the neurons that no output hears. `made` has inputs, neurons and
 * outputs; `out` is empty. wire: of each neuron, moved with it. */
static perc_status prune_network(const struct gate *made, struct gate *out, uint32_t *wire)
{
    const size_t sources = made->inputs + made->neurons;
    struct pool pool;

    pool_init(&pool, &made->e);
    bool *heard = pool_zeroed(&pool, sources, sizeof *heard);
    uint32_t *number = pool_zeroed(&pool, sources, sizeof *number);
    uint32_t *source = pool_array(&pool, made->synapses, sizeof *source);
    perc_status st = pool.failed ? PERC_ENOMEM : PERC_OK;

    for (size_t o = 0; o < made->outputs && !st; o++) heard[made->output[o]] = true;
    for (size_t k = made->neurons; k > 0 && !st; k--)
        if (heard[made->inputs + k - 1])
            for (uint64_t i = made->start[k - 1]; i < made->start[k]; i++)
                heard[made->source[i]] = true;
    for (size_t i = 0; i < made->inputs && !st; i++) {
        number[i] = (uint32_t)i;
        st = gate_add_input(out, made->input_name[i]);
    }
    for (size_t k = 0; k < made->neurons && !st; k++) {
        const uint64_t at = made->start[k];
        const size_t n = (size_t)(made->start[k + 1] - at);
        if (!heard[made->inputs + k]) continue;
        for (size_t i = 0; i < n; i++) source[i] = number[made->source[at + i]];
        wire[out->neurons] = wire[k];
        st = gate_add_neuron(out, source, made->weight + at, n, made->threshold[k],
                             &number[made->inputs + k]);
    }
    for (size_t o = 0; o < made->outputs && !st; o++)
        st = gate_add_output(out, made->output_name[o], number[made->output[o]]);
    pool_free(&pool);
    return st;
}

/* Whether output o, called `name`, is the present value of a state, not the next one. */
static bool is_state_now(const struct formula *f, const struct compiled *c, size_t o, uint32_t name)
{
    return o < c->outputs && f->name[name].role == ROLE_STATE;
}

/* Adds output o, whose root is a sketch by now. */
static perc_status add_output(struct builder *b, const struct compiled *c, size_t o, uint32_t name)
{
    const struct name *n = &b->f->name[name];
    uint32_t source = name;
    struct text text;
    perc_status st = PERC_OK;

    if (!is_state_now(b->f, c, o, name)) {
        const uint32_t root = follow_wires(b->f, n->root);
        const struct sketch *p = &b->sketch[root];
        const bool neuron = b->written[root] && sketch_sign(p) > 0 &&
                            p->source[0] >= b->net->inputs;
        st = neuron || n->tap ? source_of(b, p, &source) : make_neuron(b, p, &source);
    }
    if (st) return st;
    text_init(&text, &b->e);
    text_str(&text, n->text);
    if (o >= c->outputs) text_char(&text, '\'');
    if (text.oom) st = fail_memory(b->err);
    else if ((st = gate_add_output(b->net, text.s, source)))
        st = st == PERC_ENOMEM
                 ? fail_memory(b->err)
                 : fail(b->err, PERC_EDATA, "the formula has more than %d outputs", GATE_OUTPUTS);
    text_free(&text);
    return st;
}

/* Which neurons are wires of the formula: those that the text writes, and those that are delayed.
 * NULL: out of memory. */
static uint32_t *name_neurons(const struct builder *b, const struct compiled *c)
{
    const struct formula *f = b->f;
    const uint32_t *next = b->net->output + c->outputs; /* of each state: its source */
    uint32_t *wire = mem_array(&b->e, b->net->neurons, sizeof *wire);

    for (size_t k = 0; wire != NULL && k < b->net->neurons; k++) wire[k] = COMPILE_NO_WIRE;
    for (size_t i = f->inputs + f->states; wire != NULL && i < f->names; i++) {
        const uint32_t root = follow_wires(f, f->name[i].root);
        const struct sketch *p = &b->sketch[root];
        if (!f->node[root].written || !b->needed[root] || p->n == 0) continue;
        uint32_t *name = &wire[p->source[0] - b->net->inputs];
        if (*name == COMPILE_NO_WIRE) *name = (uint32_t)i;
    }
    for (size_t i = 0; wire != NULL && i < f->states; i++)
        if (f->name[f->inputs + i].tap && next[i] >= b->net->inputs)
            wire[next[i] - b->net->inputs] = f->node[f->name[f->inputs + i].root].name;
    return wire;
}

/* Down: every node comes after its children, and the nodes of a wire before those that use it. */
static perc_status make_network(struct builder *b, const uint32_t *name, struct compiled *c)
{
    const struct formula *f = b->f;
    const size_t n = c->outputs + c->states;
    struct single s;
    perc_status st = PERC_OK;

    for (size_t i = 0; i < f->inputs + f->states && !st; i++)
        if (gate_add_input(b->net, f->name[i].text)) st = fail_memory(b->err);
    for (size_t o = 0; o < n && !st; o++) {
        const uint32_t root = follow_wires(f, f->name[name[o]].root);
        if (is_state_now(f, c, o, name[o])) { /* the neuron that repeats it */
            c->single[o] = (struct single){ .inputs = 1, .input = { name[o] } };
            c->single[o].neuron.found = true;
            c->single[o].neuron.weight[0] = c->single[o].neuron.threshold = 1;
            continue;
        }
        b->needed[root] = true;
        st = ask_neuron(b, root, COMPILE_INPUTS, &c->single[o]);
    }
    for (size_t i = f->nodes; i-- > 0 && !st;) {
        const struct node *v = &f->node[i];
        if (!b->needed[i]) continue;
        if (b->stage[i] == UNKNOWN && !b->written[i])
            st = ask_neuron(b, (uint32_t)i, COMPILE_SKETCH, &s);
        for (uint32_t k = 0; k < v->count && b->stage[i] != DONE; k++)
            b->needed[follow_wires(f, f->child[v->first + k])] = true;
    }
    for (size_t i = 0; i < f->nodes && !st; i++)
        if (b->needed[i] && b->stage[i] != DONE) st = build_node(b, (uint32_t)i);
    for (size_t o = 0; o < n && !st; o++) st = add_output(b, c, o, name[o]);
    if (!st && ((c->wire = name_neurons(b, c)) == NULL || prune_network(b->net, &c->net, c->wire)))
        st = fail_memory(b->err);
    c->wires = b->net->neurons;
    return st;
}

static perc_status check_inputs(const struct formula *f, perc_error *err)
{
    const size_t n = f->inputs + f->states;

    if (n <= COMPILE_INPUTS) return PERC_OK;
    if (f->states == 0)
        return fail(err, PERC_EDATA,
                    "the formula has %zu inputs; at most %d can be compiled, because every row of "
                    "the truth table is checked",
                    n, COMPILE_INPUTS);
    return fail(err, PERC_EDATA,
                "the formula has %zu input%s and %zu state%s; at most %d together can be compiled, "
                "because every row of the truth table is checked",
                f->inputs, f->inputs == 1 ? "" : "s", f->states, f->states == 1 ? "" : "s",
                COMPILE_INPUTS);
}

perc_status compile(const struct env *e, const struct formula *f, struct compiled *out,
                    perc_error *err)
{
    struct builder b;
    struct gate made;
    uint32_t *name = NULL;
    size_t n = 0;
    perc_status st = check_inputs(f, err);

    *out = (struct compiled){ .states = f->states };
    if (st) return st;
    gate_init(&made, e);
    gate_init(&out->net, e);
    if ((st = builder_init(&b, f, &made, err))) goto done;
    /* The names that are outputs of the network: those of the formula, then the states. */
    out->outputs = formula_outputs(f, NULL, 0);
    n = out->outputs + f->states;
    name = mem_array(e, n, sizeof *name);
    out->single = mem_zeroed(e, n, sizeof *out->single);
    if (name == NULL || out->single == NULL) {
        st = fail_memory(err);
        goto done;
    }
    formula_outputs(f, name, out->outputs);
    for (size_t i = 0; i < f->states; i++) name[out->outputs + i] = (uint32_t)(f->inputs + i);
    if (!(st = make_network(&b, name, out))) st = compile_check(out, f, err);
done:
    if (st) {
        mem_free(e, out->single, n, sizeof *out->single);
        mem_free(e, out->wire, out->wires, sizeof *out->wire);
        gate_free(&out->net);
        *out = (struct compiled){ 0 };
    }
    mem_free(e, name, n, sizeof *name);
    builder_free(&b);
    gate_free(&made);
    return st;
}

void compile_free(struct compiled *c)
{
    mem_free(&c->net.e, c->single, c->outputs + c->states, sizeof *c->single);
    mem_free(&c->net.e, c->wire, c->wires, sizeof *c->wire);
    gate_free(&c->net);
    *c = (struct compiled){ 0 };
}
