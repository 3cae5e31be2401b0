/* unroll.c -- T steps of a machine as one formula without states.
 *
 * The nodes are copied once for every step. Each gets a reference: a constant, or a node of the
 * new formula. What follows from constants is worked out on the way, since the states at the
 * first step are known:
 *
 *     x & 1 = x,  x & 0 = 0,  x ^ 1 = !x,  atleast(k; x, ..., 1) = atleast(k - 1; x, ...)
 *
 * A definition that is then a constant or a name needs no wire of its own; in the end, what no
 * output needs is left out. */
#include <stdio.h>
#include <string.h>

#include "base/pool.h"
#include "logic/clock.h"

enum { REF_ZERO, REF_ONE, REF_NODE }; /* REF_NODE + k: node k */

struct unroll {
    const struct formula *f;
    struct formula *out;
    uint32_t *node; /* references: of the nodes of f at this step, */
    uint32_t *name; /* of its names,                               */
    uint32_t *cell; /* of its memory (clock.h)                     */
    uint32_t *rest; /* children that are not constants,            */
    int64_t *by;    /* and their weights                           */
    uint32_t *rank; /* of names that are outputs: which one        */
    size_t outputs, steps, t;
};

/* ----- new nodes and names --------------------------------------------------- */

static bool add_node(struct unroll *u, struct node n, uint32_t *ref)
{
    struct formula *o = u->out;

    if (!mem_grow(&o->e, (void **)&o->node, &o->node_cap, o->nodes + 1, sizeof *o->node))
        return false;
    *ref = REF_NODE + (uint32_t)o->nodes;
    o->node[o->nodes++] = n;
    return true;
}

static bool add_parent(struct unroll *u, struct node n, const uint32_t *ref, const int64_t *by,
                       size_t count, uint32_t *made)
{
    struct formula *o = u->out;
    const size_t all = o->children + count;

    if (!mem_grow(&o->e, (void **)&o->child, &o->child_cap, all, sizeof *o->child) ||
        !mem_grow(&o->e, (void **)&o->weight, &o->weight_cap, all, sizeof *o->weight))
        return false;
    n.first = (uint32_t)o->children;
    n.count = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        o->weight[o->children] = by[i];
        o->child[o->children++] = ref[i] - REF_NODE;
    }
    return add_node(u, n, made);
}

static bool add_name(struct unroll *u, size_t name, size_t t, enum role role, uint32_t *number)
{
    struct formula *o = u->out;
    char text[FORMULA_NAME + 48];
    const int len = snprintf(text, sizeof text, "%s.%zu", u->f->name[name].text, t);
    char *copy = mem_text(&o->e, text, (size_t)len);

    if (copy == NULL ||
        !mem_grow(&o->e, (void **)&o->name, &o->name_cap, o->names + 1, sizeof *o->name)) {
        mem_free_text(&o->e, copy);
        return false;
    }
    *number = (uint32_t)o->names;
    o->name[o->names++] = (struct name){ .text = copy, .role = role };
    return true;
}

static bool negate_ref(struct unroll *u, uint32_t ref, int column, uint32_t *made)
{
    const struct node n = { .op = OP_NOT, .column = column };

    if (ref < REF_NODE) {
        *made = ref == REF_ZERO ? REF_ONE : REF_ZERO;
        return true;
    }
    const struct node *of = &u->out->node[ref - REF_NODE];
    if (of->op != OP_NOT) return add_parent(u, n, &ref, &(int64_t){ 1 }, 1, made);
    *made = REF_NODE + u->out->child[of->first]; /* !!x = x */
    return true;
}

/* ----- one node, folded ------------------------------------------------------ */

/* What a node is once its constant children are taken away: the weights of those that were 1 add
 * up to `ones`, `count` are left. */
static bool fold_node(struct unroll *u, struct node n, size_t count, int64_t ones, size_t zeros,
                      uint32_t *made)
{
    int64_t low = 0, high = 0;

    for (size_t i = 0; i < count; i++) *(u->by[i] < 0 ? &low : &high) += u->by[i];
    n.least = n.op == OP_AND  ? (int64_t)(count + zeros)
              : n.op == OP_OR ? 1 - ones
                              : n.least - ones; /* and, or are atleast n, atleast 1 */
    if (n.op != OP_XOR && (n.least <= low || n.least > high)) {
        *made = n.least <= low ? REF_ONE : REF_ZERO;
        return true;
    }
    if (n.op == OP_XOR && count == 0) {
        *made = ones % 2 == 1 ? REF_ONE : REF_ZERO;
        return true;
    }
    *made = u->rest[0];
    if (n.op == OP_XOR) {
        if (count > 1 && !add_parent(u, n, u->rest, u->by, count, made)) return false;
        return ones % 2 == 0 || negate_ref(u, *made, n.column, made);
    }
    if (count == 1) return high > 0 || negate_ref(u, *made, n.column, made);
    if (!n.written) n.op = n.least == 1 ? OP_OR : n.least == high ? OP_AND : OP_ATLEAST;
    if (n.op != OP_ATLEAST) n.least = 0;
    return add_parent(u, n, u->rest, u->by, count, made);
}

static bool copy_node(struct unroll *u, size_t i)
{
    const struct formula *f = u->f;
    const struct node *n = &f->node[i];
    size_t count = 0, zeros = 0;
    int64_t ones = 0;

    if (n->op == OP_CONSTANT) u->node[i] = n->value ? REF_ONE : REF_ZERO;
    else if (n->op == OP_NAME) u->node[i] = u->name[n->name];
    else if (n->op == OP_NOT)
        return negate_ref(u, u->node[f->child[n->first]], n->column, &u->node[i]);
    else {
        for (uint32_t k = n->first; k < n->first + n->count; k++) {
            const uint32_t ref = u->node[f->child[k]];
            if (ref == REF_ONE) ones += f->weight[k];
            else if (ref == REF_ZERO || f->weight[k] == 0) zeros++;
            else {
                u->by[count] = f->weight[k];
                u->rest[count++] = ref;
            }
        }
        return fold_node(u, *n, count, ones, zeros, &u->node[i]);
    }
    return true;
}

/* ----- definitions ----------------------------------------------------------- */

/* Name k at step t is `ref`. What uses it will use *use: the constant, the name that it repeats,
 * or a wire of its own. An output has a wire in any case. */
static bool define_name(struct unroll *u, size_t k, size_t t, uint32_t ref, uint32_t *use)
{
    const bool output = u->f->name[k].output;
    const bool plain = ref < REF_NODE || u->out->node[ref - REF_NODE].op == OP_NAME;
    struct node n = { .op = OP_CONSTANT, .value = ref == REF_ONE };
    uint32_t wire;

    *use = ref;
    if (plain && !output) return true;
    if (plain) { /* a node of its own, since roots are in the order of the wires */
        if (ref >= REF_NODE) n = u->out->node[ref - REF_NODE];
        if (!add_node(u, n, &ref)) return false;
    }
    if (!add_name(u, k, t, ROLE_WIRE, &wire)) return false;
    u->out->name[wire].root = ref - REF_NODE;
    u->out->name[wire].output = output;
    if (output) u->out->name[wire].column = (int)(t * u->outputs + u->rank[k]) + 1;
    u->out->wires++;
    return plain || add_node(u, (struct node){ .op = OP_NAME, .name = wire }, use);
}

/* One step: the nodes in order; where one is the root of a name, the name is defined. */
static bool unroll_step(struct unroll *u)
{
    const struct formula *f = u->f;
    const size_t states = f->inputs + f->states;
    size_t wire = states, state = f->inputs;
    uint32_t *cell = u->cell;

    for (size_t i = 0; i < f->inputs; i++) {
        const struct node n = { .op = OP_NAME, .name = (uint32_t)(u->t * f->inputs + i) };
        if (!add_node(u, n, &u->name[i])) return false;
    }
    for (size_t i = f->inputs; i < states; cell += f->name[i++].delay)
        u->name[i] = cell[u->t % f->name[i].delay];
    cell = u->cell;
    for (size_t i = 0; i < f->nodes; i++) {
        if (wire == f->names && u->t + 1 == u->steps) break; /* no states come after this step */
        if (!copy_node(u, i)) return false;
        if (wire < f->names && f->name[wire].root == i) {
            if (!define_name(u, wire, u->t, u->node[i], &u->name[wire])) return false;
            wire++;
        } else if (state < states && f->name[state].root == i) {
            const size_t delay = f->name[state].delay, t = u->t + delay;
            if (t < u->steps && !define_name(u, state, t, u->node[i], &cell[u->t % delay]))
                return false;
            cell += delay;
            state++;
        }
    }
    return true;
}

/* ----- what no output needs -------------------------------------------------- */

/* Takes out what no output needs. Children stay where they are: those of nodes taken out are not
 * looked at. False: out of memory. */
static bool drop_unneeded(struct formula *o, struct pool *pool)
{
    size_t names = o->inputs, nodes = 0;
    unsigned char *needed = pool_zeroed(pool, o->nodes, 1);
    uint32_t *place = pool_array(pool, o->nodes, sizeof *place);
    uint32_t *number = pool_array(pool, o->names, sizeof *number);

    if (pool->failed) return false;
    for (size_t i = o->inputs; i < o->names; i++)
        if (o->name[i].output) needed[o->name[i].root] = 1;
    for (size_t i = o->nodes; i-- > 0;) {
        const struct node *n = &o->node[i];
        if (!needed[i]) continue;
        if (n->op == OP_NAME && n->name >= o->inputs) needed[o->name[n->name].root] = 1;
        for (uint32_t k = 0; k < n->count; k++) needed[o->child[n->first + k]] = 1;
    }
    for (uint32_t i = 0; i < o->inputs; i++) number[i] = i;
    for (size_t i = 0; i < o->nodes; i++) place[i] = needed[i] ? (uint32_t)nodes++ : 0;
    for (size_t i = o->inputs; i < o->names; i++) {
        struct name n = o->name[i];
        if (!needed[n.root]) {
            mem_free_text(&o->e, n.text);
            continue;
        }
        n.root = place[n.root];
        number[i] = (uint32_t)names;
        o->name[names++] = n;
    }
    for (size_t i = 0; i < o->nodes; i++) {
        struct node n = o->node[i];
        if (!needed[i]) continue;
        if (n.op == OP_NAME) n.name = number[n.name];
        for (uint32_t k = 0; k < n.count; k++) {
            uint32_t *child = &o->child[n.first + k];
            *child = place[*child];
        }
        o->node[place[i]] = n;
    }
    o->names = names;
    o->nodes = nodes;
    o->wires = names - o->inputs;
    return true;
}

/* ----- all steps ------------------------------------------------------------- */

static bool unroll_all(struct unroll *u, const unsigned char *start, struct pool *pool)
{
    const struct formula *f = u->f;
    uint32_t number;

    if (pool->failed) return false;
    u->outputs = formula_outputs(f, u->rest, f->names);
    for (uint32_t i = 0; i < u->outputs; i++) u->rank[u->rest[i]] = i;
    *u->out = (struct formula){ .e = f->e };
    for (size_t t = 0; t < u->steps;
         t++) /* inputs come first among the names: those of all steps */
        for (size_t i = 0; i < f->inputs; i++)
            if (!add_name(u, i, t, ROLE_INPUT, &number)) return false;
    u->out->inputs = u->out->names;
    for (size_t k = f->inputs, at = 0; k < f->inputs + f->states; k++) /* at first: constants */
        for (size_t t = 0; t < f->name[k].delay; t++, at++) {
            const bool one = start != NULL && start[at] != 0;
            if (!define_name(u, k, t, one ? REF_ONE : REF_ZERO, &u->cell[at])) return false;
        }
    for (u->t = 0; u->t < u->steps; u->t++)
        if (!unroll_step(u)) return false;
    return drop_unneeded(u->out, pool);
}

perc_status clock_unroll(const struct formula *f, const unsigned char *start, size_t steps,
                         struct formula *out, perc_error *err)
{
    const size_t most = f->children > f->names ? f->children : f->names;
    struct pool pool;

    *out = (struct formula){ .node = NULL };
    if (steps == 0) return fail(err, PERC_EARG, "unroll over at least 1 step");
    if (steps > CLOCK_NODES / (f->nodes + 2 * f->names))
        return fail(err, PERC_EDATA,
                    "%zu steps of a formula with %zu nodes are too many to unroll: at most %zu",
                    steps, f->nodes, (size_t)CLOCK_NODES / (f->nodes + 2 * f->names));
    if (steps > CLOCK_NAMES / f->names)
        return fail(err, PERC_EDATA,
                    "%zu steps of a formula with %zu names are too many to unroll: at most %zu",
                    steps, f->names, (size_t)CLOCK_NAMES / f->names);
    pool_init(&pool, &f->e);
    struct unroll u = { .f = f,
                        .out = out,
                        .steps = steps,
                        .node = pool_array(&pool, f->nodes, sizeof *u.node),
                        .name = pool_array(&pool, f->names, sizeof *u.name),
                        .cell = pool_array(&pool, f->cells, sizeof *u.cell),
                        .rest = pool_array(&pool, most, sizeof *u.rest),
                        .by = pool_array(&pool, f->children, sizeof *u.by),
                        .rank = pool_array(&pool, f->names, sizeof *u.rank) };
    const bool made = unroll_all(&u, start, &pool);
    pool_free(&pool);
    if (made) return PERC_OK;
    formula_free(out);
    return fail_memory(err);
}
