/* test_compile.c -- formulas as networks: what comes out is what the formula says, on every row,
 * and what one neuron can do is one neuron. */
#include "logic/compile.h"
#include "logic/sketch.h"
#include "t.h"
#include "t_alloc.h"
#include "vec/rng.h"

enum { TEXT = 1 << 14 };

static void make(const char *text, struct formula *f, struct compiled *c)
{
    const struct env e = env_resolve(NULL);
    perc_error err = { 0 };

    if (formula_parse(&e, text, f, &err) || compile(&e, f, c, &err))
        fail_msg("%s: %s", text, err.text);
}

static void drop(struct formula *f, struct compiled *c)
{
    compile_free(c);
    formula_free(f);
}

/* The neurons of a formula. */
static size_t neurons_of(const char *text)
{
    struct formula f;
    struct compiled c;

    make(text, &f, &c);
    const size_t n = c.net.neurons;
    drop(&f, &c);
    return n;
}

/* Output o in row r, bit i of which is source i, by the network. */
static bool fires(const struct compiled *c, size_t o, uint64_t r)
{
    unsigned char state[4096];

    assert_true(c->net.inputs + c->net.neurons <= sizeof state);
    for (size_t i = 0; i < c->net.inputs; i++) state[i] = r >> i & 1;
    gate_run(&c->net, state);
    return state[c->net.output[o]];
}

/* By the formula, one row at a time: formula_step knows no tables. */
static void assert_equal_on_all_rows(const struct formula *f, const struct compiled *c)
{
    unsigned char *value = malloc(f->names + 1), *scratch = malloc(f->nodes + 1);
    unsigned char next[COMPILE_INPUTS];
    uint32_t output[64];
    const size_t outputs = formula_outputs(f, output, 64);

    assert_int_equal(outputs, c->outputs);
    for (uint64_t r = 0; r >> (f->inputs + f->states) == 0; r++) {
        for (size_t i = 0; i < f->inputs + f->states; i++) value[i] = r >> i & 1;
        formula_step(f, value, next, scratch);
        for (size_t o = 0; o < outputs; o++) assert_int_equal(fires(c, o, r), value[output[o]]);
        for (size_t i = 0; i < f->states; i++) assert_int_equal(fires(c, outputs + i, r), next[i]);
    }
    free(value);
    free(scratch);
}

/* A function of n inputs a, b, ... as an `or` of the rows that are 1, or (`dual`) an `and`. */
static void write_function(char *text, uint64_t table, unsigned n, bool dual)
{
    size_t at = (size_t)snprintf(text, TEXT, "%s", dual ? "1" : "0");

    for (unsigned r = 0; r < 1u << n; r++) {
        if ((table >> r & 1) == dual) continue;
        at += (size_t)snprintf(text + at, TEXT - at, " %c (", dual ? '&' : '|');
        for (unsigned i = 0; i < n; i++)
            at += (size_t)snprintf(text + at, TEXT - at, "%s%s%c", i > 0 ? (dual ? "|" : "&") : "",
                                   (r >> i & 1) == dual ? "!" : "", 'a' + (int)i);
        at += (size_t)snprintf(text + at, TEXT - at, ")");
    }
}

/* Whether the function, as a formula, comes out as one neuron; and that it is computed. */
static bool is_one_neuron(uint64_t table, unsigned n)
{
    static char text[TEXT];
    struct formula f;
    struct compiled c;

    write_function(text, table, n, table % 2);
    make(text, &f, &c);
    for (unsigned r = 0; r < 1u << n && f.inputs == n; r++) {
        unsigned row = 0; /* inputs are in the order of first use */
        for (unsigned i = 0; i < n; i++) row |= (r >> i & 1) << (f.name[i].text[0] - 'a');
        assert_int_equal(fires(&c, 0, r), table >> row & 1);
    }
    const bool one = c.net.neurons == 1;
    assert_int_equal(c.single[0].neuron.found, one);
    drop(&f, &c);
    return one;
}

/* Functions that one neuron computes: 4 of 1 input, 14 of 2, 104 of 3 (Muroga 1971). */
TEST(every_small_function_is_computed)
{
    static const unsigned known[] = { 0, 4, 14, 104 };

    for (unsigned n = 1; n <= 3; n++) {
        unsigned single = 0;
        for (uint64_t table = 0; table < (uint64_t)1 << (1u << n); table++)
            single += is_one_neuron(table, n);
        assert_int_equal(single, known[n]);
    }
}

/* 1882 of 4 inputs (Muroga 1971). Of the others some: they take longer. */
TEST(threshold_functions_of_four_inputs_are_counted)
{
    const struct env e = env_resolve(NULL);
    size_t single = 0, others = 0;

    for (uint64_t table = 0; table < 1 << 16; table++) {
        struct neuron a;
        assert_int_equal(neuron_find(&e, &table, 4, &a, NULL), PERC_OK);
        if (!a.found && table % 29 != 0) continue;
        assert_int_equal(is_one_neuron(table, 4), a.found);
        single += a.found;
        others += !a.found;
    }
    assert_int_equal(single, 1882);
    assert_true(others > 2000);
}

/* ----- random formulas ----------------------------------------------------------------------- */

struct writer {
    struct rng r;
    char *text;
    size_t at;
    unsigned names;
};

static void put(struct writer *w, const char *s)
{
    w->at += (size_t)sprintf(w->text + w->at, "%s", s);
}

static void put_formula(struct writer *w, int depth)
{
    static const char *const operators[] = { "&", "|", "^", "->", "<->", " nand ", " nor " };
    const uint64_t kind = rng_below(&w->r, 10);
    char name[2] = { (char)('a' + (int)rng_below(&w->r, w->names)), '\0' };

    if (rng_below(&w->r, 4) == 0) put(w, "!");
    if (depth == 0 || kind == 0) {
        put(w, rng_below(&w->r, 20) == 0 ? "1" : name);
        return;
    }
    if (kind < 3) {
        const unsigned n = 2 + (unsigned)rng_below(&w->r, 3);
        w->at += (size_t)sprintf(w->text + w->at, "%s(%u; ", kind == 1 ? "atleast" : "exactly",
                                 1 + (unsigned)rng_below(&w->r, n));
        for (unsigned i = 0; i < n; i++) {
            if (i > 0) put(w, ", ");
            put_formula(w, depth - 1);
        }
        put(w, ")");
        return;
    }
    const uint64_t op = rng_below(&w->r, 7), more = op < 3 ? rng_below(&w->r, 3) : 0;
    put(w, "(");
    put_formula(w, depth - 1);
    for (uint64_t i = 0; i <= more; i++) {
        put(w, operators[op]);
        put_formula(w, depth - 1);
    }
    put(w, ")");
}

TEST(random_formulas_are_computed)
{
    char *text = malloc(1 << 20);
    size_t several = 0, single = 0;

    for (uint64_t seed = 0; seed < 500; seed++) {
        struct writer w = { .r = rng_seed(seed, 7), .text = text };
        struct formula f;
        struct compiled c;
        w.names = 1 + (unsigned)rng_below(&w.r, 10);
        put_formula(&w, 1 + (int)rng_below(&w.r, 4));
        make(text, &f, &c);
        assert_equal_on_all_rows(&f, &c);
        several += c.net.neurons > 1;
        single += c.net.neurons == 1;
        assert_int_equal(c.single[0].neuron.found, c.net.neurons == 1);
        drop(&f, &c);
    }
    assert_true(several > 100 && single > 100); /* both kinds were met */
    free(text);
}

/* Definitions that use each other, and states. */
TEST(random_machines_are_computed)
{
    char *text = malloc(1 << 20);

    for (uint64_t seed = 0; seed < 200; seed++) {
        struct writer w = { .r = rng_seed(seed, 8), .text = text, .names = 8 };
        struct formula f;
        struct compiled c;
        put(&w, "h' = ");
        put_formula(&w, 2);
        put(&w, "; g = ");
        w.names = 6; /* not itself */
        put_formula(&w, 2);
        put(&w, "; c' = g ^ b; x = g & ");
        w.names = 8;
        put_formula(&w, 2);
        put(&w, "; y = !g | c");
        make(text, &f, &c);
        assert_int_equal(c.states, 2);
        assert_int_equal(c.net.outputs, c.outputs + 2);
        assert_equal_on_all_rows(&f, &c);
        drop(&f, &c);
    }
    free(text);
}

/* ----- how many neurons ---------------------------------------------------------------------- */

static void list_names(char *text, const char *between, unsigned n)
{
    size_t at = 0;

    for (unsigned i = 0; i < n; i++)
        at += (size_t)sprintf(text + at, "%s%c", i > 0 ? between : "", 'a' + (int)i);
}

TEST(an_xor_of_n_takes_a_neuron_for_each_digit_of_n)
{
    char text[256];

    for (unsigned n = 2, digits = 2; n <= 20; n++) {
        digits += n == 4 || n == 8 || n == 16;
        list_names(text, "^", n);
        assert_int_equal(neurons_of(text), digits);
    }
    assert_int_equal(neurons_of("(a ^ b) ^ (c ^ d)"), 3);
    assert_int_equal(neurons_of("p = a ^ !b; p ^ c"), 2); /* wires are seen through */
    assert_int_equal(neurons_of("a ^ b ^ a"), 1);
    assert_int_equal(neurons_of("!(a ^ b) ^ !(c ^ d ^ b)"), 2);
}

TEST(pieces_are_merged_and_shared)
{
    char text[512], list[128];

    assert_int_equal(neurons_of("(a & b) | !c"), 1);
    assert_int_equal(neurons_of("sum = a ^ b; carry = a & b"), 2);
    assert_int_equal(neurons_of("sum = a ^ b ^ c; carry = majority(a, b, c)"), 2);
    assert_int_equal(neurons_of("p = a & b; q = b & a; r = !(!a | !b)"), 1);
    assert_int_equal(neurons_of("x = a; y = !a"), 2);
    assert_int_equal(neurons_of("(a ^ b) | (c & d)"), 3);
    assert_int_equal(neurons_of("(a ^ b) & c & !d"), 2);
    assert_int_equal(neurons_of("(a ^ b) & (a | b)"), 2);
    list_names(list, ",", 20); /* more than a table is made for */
    snprintf(text, sizeof text, "exactly(7; %s)", list);
    assert_int_equal(neurons_of(text), 2);
    list_names(list, ",", 18); /* counts that are constants, of as many */
    snprintf(text, sizeof text, "(s ^ t) & atleast(0; a ^ b, !c, %s)", list);
    assert_int_equal(neurons_of(text), 2);
    snprintf(text, sizeof text, "(s ^ t) | !atmost(20; a ^ b, !c, %s)", list);
    assert_int_equal(neurons_of(text), 2);
    assert_int_equal(neurons_of("(a&b&c&d&e&f&g&h&i)&(j&k&l&m&n&o&p&q&r)&(s^t)"), 2);
    assert_int_equal(neurons_of("(a|b|c|d|e|f|g|h|i)|!(j&k&l&m&n&o&p&q&r)|(s^t)"), 2);
}

/* a9 ... a0 > b9 ... b0 as numbers: one neuron with the weights 512 ... 1. */
TEST(twenty_inputs_can_be_one_neuron)
{
    char text[TEXT] = "(a0 & !b0)", more[TEXT];
    struct formula f;
    struct compiled c;

    for (int i = 1; i < 10; i++) {
        snprintf(more, sizeof more, "((a%d & !b%d) | (!(a%d ^ b%d) & %.8000s))", i, i, i, i, text);
        memcpy(text, more, sizeof text);
    }
    make(text, &f, &c);
    assert_int_equal(c.net.inputs, 20);
    assert_int_equal(c.net.neurons, 1);
    assert_int_equal(c.net.threshold[0], 1);
    assert_int_equal(c.net.weight[0], 512);
    drop(&f, &c);
}

TEST(more_than_twenty_inputs_are_refused)
{
    const struct env e = env_resolve(NULL);
    struct formula f;
    struct compiled c;
    perc_error err = { 0 };
    char text[256];

    list_names(text, "&", 21);
    assert_int_equal(formula_parse(&e, text, &f, &err), PERC_OK);
    assert_refused(compile(&e, &f, &c, &err), PERC_EDATA, &err, "21 inputs; at most 20");
    assert_null(c.single);
    formula_free(&f);
    assert_int_equal(formula_parse(&e, "s' = a&b&c&d&e&f&g&h&i&j&k&l&m&n&o&p&q&r&t&u; s", &f, &err),
                     PERC_OK);
    assert_refused(compile(&e, &f, &c, &err), PERC_EDATA, &err, "20 inputs and 1 state;");
    formula_free(&f);
}

/* ----- pieces --------------------------------------------------------------------------------- */

static void set_piece(struct sketch *p, int64_t a, int64_t b, int64_t threshold)
{
    p->n = 0;
    p->threshold = threshold;
    assert_int_equal(sketch_add(p, 7, b), PERC_OK);
    assert_int_equal(sketch_add(p, 3, a), PERC_OK);
    sketch_simplify(p);
}

TEST(pieces_know_what_they_are)
{
    const struct env e = env_resolve(NULL);
    struct sketch p;

    sketch_init(&p, &e);
    set_piece(&p, 1, -1, -1); /* always */
    assert_true(p.n == 0 && p.threshold == 0);
    set_piece(&p, 1, -1, 2); /* never */
    assert_true(p.n == 0 && p.threshold == 1);
    set_piece(&p, 1, -1, 1); /* a and not b */
    assert_true(p.n == 2 && p.source[0] == 3 && sketch_is_and(&p) && !sketch_is_or(&p));
    sketch_negate(&p);
    assert_true(sketch_is_or(&p) && !sketch_is_and(&p));
    set_piece(&p, 2, 1, 3); /* an `and`, but with other weights */
    assert_true(!sketch_is_and(&p) && sketch_sign(&p) == 0);
    set_piece(&p, 0, 3, 2);
    assert_true(p.n == 1 && sketch_sign(&p) == 1);
    sketch_negate(&p);
    assert_int_equal(sketch_sign(&p), -1);
    sketch_free(&p);
    sketch_free(&p);
}

/* ----- the check, and memory ------------------------------------------------------------------ */

TEST(wrong_networks_are_noticed)
{
    struct formula f;
    struct compiled c;
    perc_error err = { 0 };

    make("sum = a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i; s' = majority(a, b, s)", &f, &c);
    assert_int_equal(compile_check(&c, &f, &err), PERC_OK);
    for (size_t i = 0; i < c.net.synapses; i++) {
        c.net.weight[i] += 1000;
        assert_refused(compile_check(&c, &f, &err), PERC_EDATA, &err, "a bug");
        c.net.weight[i] -= 1000;
    }
    for (size_t k = 0; k < c.net.neurons; k++) {
        c.net.threshold[k] -= 1000;
        assert_int_equal(compile_check(&c, &f, &err), PERC_EDATA);
        c.net.threshold[k] += 1000;
    }
    assert_int_equal(compile_check(&c, &f, &err), PERC_OK);
    drop(&f, &c);
}

TEST(memory_may_run_out_anywhere)
{
    const char *const texts[] = { "(a ^ b) | (c & d)", "exactly(2; a, b, c, d ^ e)",
                                  "p = a ^ b; s' = p & !s; out = s | (p ^ c)",
                                  "p = neuron(a, -2 b : 0); out = neuron(p@3, a ^ b : 2) & p" };

    for (size_t k = 0; k < COUNT(texts); k++) {
        const struct env p = env_resolve(NULL);
        struct formula f;
        assert_int_equal(formula_parse(&p, texts[k], &f, NULL), PERC_OK);
        for (struct t_sweep s = { .least = 10 }; t_sweep_next(&s);) {
            const struct env e = env_resolve(&s.env);
            struct compiled c;
            perc_error err = { 0 };
            const struct env old = f.e;
            f.e = e; /* tables and supports take memory, too */
            const perc_status st = compile(&e, &f, &c, &err);
            f.e = old;
            compile_free(&c);
            t_sweep_judge(&s, st);
        }
        formula_free(&f);
    }
}
