/* fuzz_formula.c -- any text as a formula.
 *
 * It must not crash, loop, or read outside. What is refused names a place inside the text. What
 * is accepted has its nodes in order; the table of every definition says what single steps
 * say; and the machine, stepped, is the machine unrolled. Small formulas only are evaluated:
 * the parser is what is hunted. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "logic/clock.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CELLS = 8, WORK = 1 << 18, STEPS = 4, OUTPUTS = 64 };

static void must(int ok)
{
    if (!ok) abort(); /* what the fuzzer looks for */
}

static void *room(size_t n)
{
    void *p = malloc(n > 0 ? n : 1);

    must(p != NULL);
    return p;
}

static void check_error(const char *text, const perc_error *err)
{
    const char *line = text;

    must(err->status == PERC_EDATA && err->text[0] != '\0' && err->line >= 1 && err->column >= 1);
    for (int64_t i = 1; i < err->line; i++) {
        line = strchr(line, '\n');
        must(line++ != NULL);
    }
    const char *end = strchr(line, '\n');
    must(err->column <= (end != NULL ? end - line : (int64_t)strlen(line)) + 1);
}

/* Whether the threshold is one that some sum reaches, or the next above. */
static int reachable(const struct formula *f, const struct node *n)
{
    int64_t low = 0, high = 0;

    for (uint32_t k = n->first; k < n->first + n->count; k++) {
        must(n->written || f->weight[k] == 1);
        *(f->weight[k] < 0 ? &low : &high) += f->weight[k];
    }
    must(high - low < FORMULA_SUM);
    return n->least >= low && n->least <= high + 1;
}

static void check_order(const struct formula *f)
{
    size_t cells = 0;

    must(f->inputs + f->states + f->wires == f->names && f->names <= FORMULA_NAMES);
    for (size_t i = 0; i < f->names; i++) {
        const struct name *n = &f->name[i];
        must(n->role == (i < f->inputs               ? ROLE_INPUT
                         : i < f->inputs + f->states ? ROLE_STATE
                                                     : ROLE_WIRE));
        must(n->role == ROLE_INPUT || n->root < f->nodes);
        must((n->delay > 0) == (n->role == ROLE_STATE) && (!n->tap || n->role == ROLE_STATE));
        cells += n->delay;
        must(formula_find(f, n->text, strlen(n->text)) == i);
    }
    must(cells == f->cells);
    for (size_t i = 0; i < f->nodes; i++) {
        const struct node *n = &f->node[i];
        if (n->op == OP_NAME) {
            must(n->name < f->names);
            must(f->name[n->name].role != ROLE_WIRE || f->name[n->name].root < i);
        }
        must((size_t)n->first + n->count <= f->children);
        must(n->op == OP_CONSTANT || n->op == OP_NAME ? n->count == 0
             : n->op == OP_NOT                        ? n->count == 1
             : n->op == OP_ATLEAST                    ? reachable(f, n)
                                                      : n->count >= 2);
        for (uint32_t k = 0; k < n->count; k++) must(f->child[n->first + k] < i);
    }
}

/* Every definition's table, row by row against formula_step. */
static void check_tables(const struct formula *f)
{
    const size_t cells = f->inputs + f->states, rows = (size_t)1 << cells;
    const size_t defined = f->states + f->wires, words = (rows + 63) / 64;
    uint64_t *table = room(defined * words * sizeof *table);
    unsigned char *value = room(f->names), *next = room(f->states), *scratch = room(f->nodes);
    uint32_t name[CELLS], found[CELLS];

    for (uint32_t i = 0; i < cells; i++) name[i] = i;
    for (size_t k = 0; k < defined; k++) {
        const uint32_t root = f->name[f->inputs + k].root;
        must(formula_table(f, root, name, cells, table + k * words) == PERC_OK);
        must(formula_support(f, root, found, CELLS) <= cells);
    }
    for (size_t r = 0; r < rows; r++) {
        for (size_t i = 0; i < cells; i++) value[i] = r >> i & 1;
        formula_step(f, value, next, scratch);
        for (size_t k = 0; k < defined; k++) {
            const unsigned char v = k < f->states ? next[k] : value[f->inputs + k];
            must((table[k * words + r / 64] >> r % 64 & 1) == v);
        }
    }
    free(table);
    free(value);
    free(next);
    free(scratch);
}

/* STEPS steps with inputs and a start made of the size, stepped and unrolled. */
static void check_unrolled(const struct formula *f, uint64_t seed)
{
    unsigned char *given = room(STEPS * f->inputs), *start = room(f->cells);
    unsigned char *value = room(STEPS * f->names);
    const struct clock_inputs in = { f->e, STEPS, f->inputs, given };
    uint32_t of[OUTPUTS], at[STEPS * OUTPUTS];
    struct formula u;

    for (size_t i = 0; i < STEPS * f->inputs; i++) given[i] = (seed * (2 * i + 1)) >> 5 & 1;
    for (size_t i = 0; i < f->cells; i++) start[i] = seed >> i % 8 & 1;
    must(clock_run(f, start, &in, value, NULL) == PERC_OK);
    must(clock_unroll(f, start, STEPS, &u, NULL) == PERC_OK);
    const size_t outputs = formula_outputs(f, of, OUTPUTS);
    must(outputs > 0 && formula_outputs(&u, at, STEPS * OUTPUTS) == STEPS * outputs);
    unsigned char *seen = room(u.names), *scratch = room(u.nodes);
    memcpy(seen, given, STEPS * f->inputs);
    formula_step(&u, seen, NULL, scratch);
    for (size_t i = 0; outputs <= OUTPUTS && i < STEPS * outputs; i++)
        must(seen[at[i]] == value[i / outputs * f->names + of[i % outputs]]);
    free(seen);
    free(scratch);
    free(given);
    free(start);
    free(value);
    formula_free(&u);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct env e = env_resolve(&(perc_env){ .threads = 1 });
    char *text = room(size + 1);
    struct formula f;
    perc_error err = { 0 };

    if (size > 0) memcpy(text, data, size);
    text[size] = '\0';
    if (formula_parse(&e, text, &f, &err)) {
        check_error(text, &err);
        must(f.node == NULL && f.name == NULL && f.child == NULL);
    } else {
        const size_t cells = f.inputs + f.states;
        check_order(&f);
        if (cells <= CELLS && (f.nodes + f.names) << cells <= WORK) check_tables(&f);
        if (f.nodes <= WORK / 64) check_unrolled(&f, size * 0x9E3779B97F4A7C15u);
    }
    formula_free(&f);
    free(text);
    return 0;
}
