/* formula_order.c -- who is an input, a state, a wire; and an order to evaluate them in.
 *
 * Wires are put in order by a search in depth: a wire is done when those it uses are, and one that
 * is met again while it is open closes a circle. The search keeps its own stack, since wires may
 * form a chain as long as the text allows. Nodes are then moved, definition by definition, so
 * that a single sweep computes all of them. */
#include <stdio.h>
#include <string.h>

#include "base/pool.h"
#include "logic/formula_draft.h"

enum { NEW, OPEN, DONE };
enum { CIRCLE = 6 }; /* how many names of a circle are shown */

struct wire_search {
    struct draft *d;
    unsigned char *state; /* of each definition */
    uint32_t *stack;      /* definitions that are open */
    uint32_t *next;       /* of each: the node to look at next */
    uint32_t *order;      /* those that are done: wires, then states */
    size_t depth, done;
};

/* The stack from the wire that was met again to the top is the circle. */
static perc_status refuse_circle(const struct wire_search *s, uint32_t again)
{
    const struct draft *d = s->d;
    const struct definition *first = &d->def[again];
    const char *at = d->text + first->column - 1, *name = d->f.name[first->name].text;
    char path[160] = "";
    size_t len = 0, from = 0;

    if (strcmp(name, "out") == 0 && strncmp(at, "out", 3) != 0)
        return formula_refuse(
            d, at,
            "`out` is the value of the formula itself, and is used in it: a delay breaks the "
            "cycle, out' = ..., its value one step later");
    while (s->stack[from] != again) from++;
    for (size_t i = from; i < s->depth && i < from + CIRCLE; i++) {
        const char *text = d->f.name[d->def[s->stack[i]].name].text;
        len += (size_t)snprintf(path + len, sizeof path - len, "%.12s%s -> ", text,
                                strlen(text) > 12 ? ".." : "");
    }
    if (s->depth - from > CIRCLE) snprintf(path + len, sizeof path - len, "... -> ");
    return formula_refuse(d, at,
                          "a cycle: %s%.12s%s (-> means uses); a delay breaks it: %.12s' = ..., "
                          "its value one step later",
                          path, name, strlen(name) > 12 ? ".." : "",
                          strlen(name) > 12 ? "NAME" : name);
}

static void open_definition(struct wire_search *s, uint32_t k)
{
    s->state[k] = OPEN;
    s->next[k] = s->d->def[k].node;
    s->stack[s->depth++] = k;
}

/* Before a definition is closed, each wire that it uses and that is not done is opened. */
static perc_status visit_wires(struct wire_search *s, uint32_t k)
{
    const struct draft *d = s->d;

    if (s->state[k] == DONE) return PERC_OK;
    open_definition(s, k);
    while (s->depth > 0) {
        const uint32_t top = s->stack[s->depth - 1];
        uint32_t wire = NOT_DEFINED;
        while (wire == NOT_DEFINED && s->next[top] < d->def[top].node_end) {
            const struct node *n = &d->f.node[s->next[top]++];
            const uint32_t used = n->op == OP_NAME ? d->f.name[n->name].root : NOT_DEFINED;
            if (used != NOT_DEFINED && !d->def[used].primed && s->state[used] != DONE) wire = used;
        }
        if (wire != NOT_DEFINED && s->state[wire] == OPEN) return refuse_circle(s, wire);
        if (wire != NOT_DEFINED) {
            open_definition(s, wire);
            continue;
        }
        s->state[top] = DONE;
        s->order[s->done++] = top;
        s->depth--;
    }
    return PERC_OK;
}

/* A wire that no definition uses, and `out`, are outputs; if no wire is one, the states are. What
 * goes into a delay is not used: a wire that is only remembered is an output. */
static void find_outputs(struct draft *d)
{
    struct formula *f = &d->f;
    bool any = false;

    for (size_t k = 0; k < d->defs; k++) f->name[d->def[k].name].output = !d->def[k].primed;
    for (size_t k = 0; k < d->defs; k++) {
        const struct definition *def = &d->def[k];
        for (uint32_t i = def->node; i < def->node_end && !f->name[def->name].tap; i++)
            if (f->node[i].op == OP_NAME) f->name[f->node[i].name].output = false;
    }
    for (size_t k = 0; k < d->defs; k++) {
        struct name *n = &f->name[d->def[k].name];
        if (!d->def[k].primed && strcmp(n->text, "out") == 0) n->output = true;
        any = any || n->output;
    }
    for (size_t k = 0; k < d->defs && !any; k++)
        f->name[d->def[k].name].output = d->def[k].primed && !f->name[d->def[k].name].tap;
}

/* Where the nodes of each definition go, and where each name goes. */
struct moves {
    struct node *node;
    struct name *name;
    uint32_t *number; /* of each name: its new one */
};

static void move_names(struct draft *d, const struct wire_search *s, struct moves *m)
{
    struct formula *f = &d->f;
    uint32_t n = 0;

    for (uint32_t i = 0; i < f->names; i++)
        if (f->name[i].root == NOT_DEFINED) m->number[i] = n++;
    f->inputs = n;
    for (size_t turn = 0; turn < 2; turn++) /* states before wires */
        for (size_t i = 0; i < d->defs; i++) {
            const struct definition *def = &d->def[s->order[i]];
            if (def->primed != (turn == 0)) continue;
            f->name[def->name].role = def->primed ? ROLE_STATE : ROLE_WIRE;
            m->number[def->name] = n++;
            f->states += def->primed;
            f->wires += !def->primed;
        }
    for (size_t i = 0; i < f->names; i++) m->name[m->number[i]] = f->name[i];
}

static void move_nodes(struct draft *d, const struct wire_search *s, struct moves *m)
{
    struct formula *f = &d->f;
    uint32_t at = 0;

    for (size_t i = 0; i < d->defs; i++) {
        const struct definition *def = &d->def[s->order[i]];
        const uint32_t shift = at - def->node; /* may wrap around: so does the sum */
        for (uint32_t k = def->node; k < def->node_end; k++) {
            m->node[at] = f->node[k];
            if (f->node[k].op == OP_NAME) m->node[at].name = m->number[f->node[k].name];
            at++;
        }
        for (uint32_t k = def->child; k < def->child_end; k++) f->child[k] += shift;
        m->name[m->number[def->name]].root = def->root + shift;
    }
}

static perc_status rearrange(struct draft *d, const struct wire_search *s, struct pool *pool)
{
    struct formula *f = &d->f;
    struct moves m = { mem_array(&f->e, f->nodes, sizeof *m.node),
                       mem_array(&f->e, f->names, sizeof *m.name),
                       pool_array(pool, f->names, sizeof *m.number) };

    if (m.node == NULL || m.name == NULL || m.number == NULL) {
        mem_free(&f->e, m.node, f->nodes, sizeof *m.node);
        mem_free(&f->e, m.name, f->names, sizeof *m.name);
        return fail_memory(d->err);
    }
    find_outputs(d);
    move_names(d, s, &m);
    move_nodes(d, s, &m);
    mem_free(&f->e, f->node, f->node_cap, sizeof *f->node);
    mem_free(&f->e, f->name, f->name_cap, sizeof *f->name);
    f->node = m.node;
    f->name = m.name;
    f->node_cap = f->nodes;
    f->name_cap = f->names;
    return PERC_OK;
}

perc_status formula_draft_order(struct draft *d)
{
    struct pool pool;
    perc_status st = PERC_OK;

    pool_init(&pool, &d->f.e);
    struct wire_search s = { .d = d,
                             .state = pool_zeroed(&pool, d->defs, sizeof *s.state),
                             .stack = pool_array(&pool, d->defs, sizeof *s.stack),
                             .next = pool_array(&pool, d->defs, sizeof *s.next),
                             .order = pool_array(&pool, d->defs, sizeof *s.order) };
    if (pool.failed) st = fail_memory(d->err);
    /* Wires, each after those it uses, then the states. */
    for (uint32_t k = 0; k < d->defs && !st; k++)
        if (!d->def[k].primed) st = visit_wires(&s, k);
    for (uint32_t k = 0; k < d->defs && !st; k++)
        if (d->def[k].primed) s.order[s.done++] = k;
    if (!st) st = rearrange(d, &s, &pool);
    pool_free(&pool);
    return st;
}
