/* test_clock.c -- the promises of logic/clock.h: machines of delays, and the same unrolled. */
#include "logic/clock.h"
#include "t.h"
#include "vec/rng.h"

#include "t_alloc.h"

enum { TEXT = 4096 };

static struct formula parse(const char *text)
{
    const struct env e = env_resolve(NULL);
    struct formula f;
    perc_error err = { 0 };

    if (formula_parse(&e, text, &f, &err)) fail_msg("%s: %s", text, err.text);
    return f;
}

/* Runs a machine, and compares what `name` is at every step with the digits. */
static void shows(const char *machine, const char *start, const char *inputs, size_t steps,
                  const char *name, const char *digits)
{
    struct formula f = parse(machine);
    struct clock_inputs in;
    perc_error err = { 0 };
    unsigned char first[16], value[TEXT];
    const size_t k = formula_find(&f, name, strlen(name));
    char got[64] = "";

    assert_true(f.states <= sizeof first && k != SIZE_MAX);
    assert_int_equal(clock_start(&f, start, first, &err), PERC_OK);
    if (clock_inputs(&f, inputs, &steps, &in, &err)) fail_msg("%s", err.text);
    assert_true(steps * f.names <= TEXT && steps < sizeof got && in.steps == steps);
    assert_int_equal(clock_run(&f, first, &in, value, &err), PERC_OK);
    for (size_t t = 0; t < steps; t++) got[t] = (char)('0' + value[t * f.names + k]);
    assert_string_equal(got, digits);
    clock_inputs_free(&in);
    formula_free(&f);
}

/* ----- machines that are known ----------------------------------------------- */

TEST(a_latch_keeps_a_bit)
{
    const char *latch = "s' = a | (s & !r); out = s";

    shows(latch, NULL, "a=0100000 r=0000100", 0, "out", "0011100");
    shows(latch, "s=1", "r=0010000,a=0000100", 0, "out", "1110011");
    shows(latch, "s=1", "a=0000 r=0001", 3, "s", "111");
}

TEST(a_counter_counts)
{
    const char *counter = "p' = p ^ up; q' = q ^ (p & up); carry = p & q & up";

    shows(counter, NULL, "up=11111011", 0, "p", "01010110");
    shows(counter, NULL, "up=11111011", 0, "q", "00110001");
    shows(counter, NULL, "up=11111011", 0, "carry", "00010000");
}

TEST(a_register_shifts)
{
    const char *line = "x1' = in; x2' = x1; x3' = x2; out = x3";

    shows(line, NULL, "in=10110010", 0, "out", "00010110");
    shows(line, "x3=1 x1=1", "in=10110010", 0, "out", "10110110");
}

TEST(wires_follow_in_the_same_step)
{
    shows("y = !x; x = s & a; s' = !s", NULL, "a=1101", 0, "y", "1010");
    shows("out = a ^ b", NULL, "a=0011 b=0101", 0, "out", "0110");
}

static struct clock_circle circle(const char *machine, const char *start)
{
    struct formula f = parse(machine);
    unsigned char first[64];
    struct clock_circle c;

    assert_int_equal(clock_start(&f, start, first, NULL), PERC_OK);
    assert_int_equal(clock_circle(&f, first, &c, NULL), PERC_OK);
    formula_free(&f);
    return c;
}

static void is_circle(const char *machine, const char *start, size_t before, size_t period)
{
    const struct clock_circle c = circle(machine, start);

    assert_int_equal(c.before, before);
    assert_int_equal(c.period, period);
}

/* Three inverters in a ring: from 000 round six states, from 010 to and fro. */
TEST(rings_have_their_periods)
{
    const char *ring = "a' = !c; b' = !a; c' = !b";
    const char *line = "x1' = 0; x2' = x1; x3' = x2; x4' = x3";

    shows(ring, NULL, NULL, 8, "a", "01010101"); /* all at once */
    is_circle(ring, NULL, 0, 2);
    is_circle(ring, "a=1", 0, 6);
    is_circle(ring, "a=1 c=1", 0, 6);
    shows("a' = !c; b' = a; c' = b", NULL, "", 12, "a", "011100011100");
    is_circle("a' = !c; b' = a; c' = b", NULL, 0, 6);
    is_circle("a' = !c; b' = a; c' = b", "b=1", 0, 2);
    is_circle(line, NULL, 0, 1);
    is_circle(line, "x1=1", 4, 1);
    is_circle(line, "x3=1", 2, 1);
    is_circle("p' = !p; q' = q ^ p; r' = r ^ (p & q)", NULL, 0, 8);
    is_circle("p' = !p; q' = q ^ p; s' = s | (p & q)", NULL, 4, 4);
    is_circle("a & b", NULL, 0, 1);
}

/* A counter of 24 bits takes longer to come round than is tried. */
TEST(long_circles_are_given_up)
{
    char text[TEXT] = "b0' = !b0; c0 = b0";
    size_t len = strlen(text);

    for (int i = 1; i < 24; i++)
        len += (size_t)sprintf(text + len, "; b%d' = b%d ^ c%d; c%d = c%d & b%d", i, i, i - 1, i,
                               i - 1, i);
    assert_int_equal(circle(text, NULL).period, 0);
}

/* ----- unrolled -------------------------------------------------------------- */

/* The unrolled formula's value of each output at each step, against the machine's. */
static size_t compare(const struct formula *f, const unsigned char *start,
                      const struct clock_inputs *in)
{
    const size_t steps = in->steps;
    unsigned char *value = malloc(steps * f->names);
    struct formula u;
    uint32_t of[64], at[64 * 16];
    size_t ones = 0;

    assert_non_null(value);
    assert_int_equal(clock_run(f, start, in, value, NULL), PERC_OK);
    assert_int_equal(clock_unroll(f, start, steps, &u, NULL), PERC_OK);
    assert_true(u.states == 0 && u.inputs == steps * f->inputs);
    const size_t outputs = formula_outputs(f, of, 64);
    assert_true(outputs <= 64 && steps <= 16);
    assert_int_equal(formula_outputs(&u, at, 64 * 16), outputs * steps);

    unsigned char *seen = malloc(u.names + 1), *scratch = malloc(u.nodes + 1);
    memset(seen, 7, u.names + 1);
    memcpy(seen, in->value, u.inputs); /* a.0 b.0 a.1 b.1 ...: as the sequences are kept */
    formula_step(&u, seen, NULL, scratch);
    for (size_t i = 0; i < outputs * steps; i++) {
        const size_t t = i / outputs, k = of[i % outputs];
        char name[FORMULA_NAME + 24];
        snprintf(name, sizeof name, "%s.%zu", f->name[k].text, t);
        assert_string_equal(u.name[at[i]].text, name);
        assert_int_equal(seen[at[i]], value[t * f->names + k]);
        ones += seen[at[i]];
    }
    free(seen);
    free(scratch);
    free(value);
    formula_free(&u);
    return ones;
}

/* Constants are whole outputs or nothing; every wire is used or an output; and what
 * formula.h says about the order holds. */
static void well_made(const struct formula *u)
{
    unsigned char *used = calloc(u->names + u->nodes + 1, 1), *root = used + u->names;

    assert_non_null(used);
    for (size_t i = u->inputs; i < u->names; i++) root[u->name[i].root] = 1;
    for (uint32_t i = 0; i < u->nodes; i++) {
        const struct node *n = &u->node[i];
        if (n->op == OP_CONSTANT) assert_true(root[i]);
        if (n->op == OP_NAME) used[n->name] = 1;
        if (n->op == OP_NAME && n->name >= u->inputs) assert_true(u->name[n->name].root < i);
        assert_true((n->op == OP_NOT) == (n->count == 1));
        if (n->op == OP_ATLEAST) assert_true(n->least > 1 && n->least < n->count);
        for (uint32_t k = 0; k < n->count; k++) {
            assert_true(u->child[n->first + k] < i);
            assert_true(u->node[u->child[n->first + k]].op != OP_CONSTANT);
        }
    }
    for (size_t i = u->inputs; i < u->names; i++) {
        assert_true(u->name[i].output || used[i]);
        if (i > u->inputs) assert_true(u->name[i].root > u->name[i - 1].root);
    }
    free(used);
}

/* At every step as in the text, though `out` must be computed before x. */
TEST(outputs_stay_in_the_order_of_the_text)
{
    static const char *const order[] = { "x.0", "out.0", "y.0", "x.1", "out.1", "y.1" };
    struct formula f = parse("x = out & s; out = a | b; s' = b & a; y = !a"), u;
    uint32_t at[6];

    assert_int_equal(clock_unroll(&f, (const unsigned char[]){ 1 }, 2, &u, NULL), PERC_OK);
    assert_int_equal(formula_outputs(&u, at, 6), 6);
    for (size_t i = 0; i < 6; i++) assert_string_equal(u.name[at[i]].text, order[i]);
    well_made(&u);
    formula_free(&u);
    formula_free(&f);
}

TEST(a_latch_unrolls_to_what_is_left_of_it)
{
    struct formula f = parse("s' = a | (s & !r); out = s"), u;

    assert_int_equal(clock_unroll(&f, NULL, 3, &u, NULL), PERC_OK);
    well_made(&u);
    /* out.0 = 0; out.1 = a.0 (s.1 only repeats it); s.2 = a.1 | (a.0 & !r.1); out.2 = s.2 */
    assert_int_equal(u.inputs, 6);
    assert_int_equal(u.wires, 4);
    const size_t zero = formula_find(&u, "out.0", 5), one = formula_find(&u, "out.1", 5);
    assert_int_equal(u.node[u.name[zero].root].op, OP_CONSTANT);
    assert_int_equal(u.node[u.name[one].root].op, OP_NAME);
    assert_int_equal(u.node[u.name[one].root].name, formula_find(&u, "a.0", 3));
    assert_true(formula_find(&u, "s.2", 3) != SIZE_MAX);
    assert_true(formula_find(&u, "s.1", 3) == SIZE_MAX && formula_find(&u, "s.3", 3) == SIZE_MAX);
    formula_free(&u);
    formula_free(&f);
}

/* ----- random machines ------------------------------------------------------- */

struct writer {
    char text[TEXT];
    size_t len;
    struct rng r;
};

static void put(struct writer *w, const char *s)
{
    w->len += (size_t)snprintf(w->text + w->len, sizeof w->text - w->len, "%s", s);
}

/* Wires w0 w1 ... use those before them; inputs a b, states s t u. */
static void put_formula(struct writer *w, int depth, unsigned wires)
{
    static const char *const names[] = { "a", "b", "s", "t", "u" };
    static const char *const between[] = {
        " & ", " | ", " ^ ", " -> ", " <-> ", " nand ", " nor "
    };
    const uint64_t kind = depth == 0 ? rng_below(&w->r, 2) : rng_below(&w->r, 9);
    char text[16];

    if (kind == 0 && wires > 0) {
        snprintf(text, sizeof text, "w%u", (unsigned)rng_below(&w->r, wires));
        put(w, text);
    } else if (kind <= 1) put(w, rng_below(&w->r, 12) == 0 ? "1" : names[rng_below(&w->r, 5)]);
    else if (kind == 2) {
        put(w, "!");
        put_formula(w, depth - 1, wires);
    } else if (kind == 3) {
        static const char *const count[] = { "atleast", "exactly", "atmost" };
        const unsigned n = 1 + (unsigned)rng_below(&w->r, 5), which = (unsigned)rng_below(&w->r, 3);
        const unsigned k = (unsigned)rng_below(&w->r, n + 1);
        snprintf(text, sizeof text, "%s(%u; ", count[which], k);
        put(w, text);
        for (unsigned i = 0; i < n; i++) {
            if (i > 0) put(w, ", ");
            put_formula(w, depth - 1, wires);
        }
        put(w, ")");
    } else {
        put(w, "(");
        put_formula(w, depth - 1, wires);
        put(w, between[rng_below(&w->r, 7)]);
        put_formula(w, depth - 1, wires);
        put(w, ")");
    }
}

static void put_machine(struct writer *w, uint64_t seed)
{
    static const char *const states[] = { "s' = ", "; t' = ", "; u' = " };

    *w = (struct writer){ .r = rng_seed(11, seed) };
    const unsigned wires = (unsigned)rng_below(&w->r, 4);
    for (size_t i = 0; i < 3; i++) {
        put(w, states[i]);
        put_formula(w, 2, wires);
    }
    for (unsigned i = 0; i < wires; i++) {
        char text[24];
        snprintf(text, sizeof text, "; w%u = ", i);
        put(w, text);
        put_formula(w, 2, i);
    }
}

/* On random machines, starts and sequences, stepped and unrolled are the same. */
TEST(unrolled_is_stepped)
{
    struct writer w;
    size_t ones = 0, all = 0;

    for (uint64_t seed = 0; seed < 3000; seed++) {
        put_machine(&w, seed);
        struct formula f = parse(w.text), u;
        unsigned char start[3], value[16 * 8];
        const struct clock_inputs in = { f.e, 1 + (size_t)rng_below(&w.r, 9), f.inputs, value };
        for (size_t i = 0; i < 3; i++) start[i] = (unsigned char)rng_below(&w.r, 2);
        for (size_t i = 0; i < in.steps * f.inputs; i++)
            value[i] = (unsigned char)rng_below(&w.r, 2);
        ones += compare(&f, seed % 4 == 0 ? NULL : start, &in);
        all += in.steps;
        assert_int_equal(clock_unroll(&f, start, in.steps, &u, NULL), PERC_OK);
        well_made(&u);
        formula_free(&u);
        formula_free(&f);
    }
    assert_true(ones > all / 4 && all > 10000); /* guard: machines that do something */
}

/* Brent's answer against all states written down. */
TEST(circles_of_random_machines)
{
    struct writer w;
    size_t later = 0, longer = 0;

    for (uint64_t seed = 0; seed < 2000; seed++) {
        put_machine(&w, seed);
        struct formula f = parse(w.text);
        unsigned char seen[20][3], value[16], *scratch = malloc(f.nodes);
        struct clock_circle c;
        size_t before = SIZE_MAX, t = 0;
        memset(seen, 0, sizeof seen);
        memset(value, 0, sizeof value);
        for (; before == SIZE_MAX; t++) {
            memcpy(seen[t], value + f.inputs, 3);
            for (size_t i = 0; i < t; i++)
                if (memcmp(seen[i], seen[t], 3) == 0) before = i;
            formula_step(&f, value, value + f.inputs, scratch);
        }
        assert_int_equal(clock_circle(&f, NULL, &c, NULL), PERC_OK);
        assert_int_equal(c.before, before);
        assert_int_equal(c.period, t - 1 - before);
        later += c.before > 0;
        longer += c.period > 1;
        free(scratch);
        formula_free(&f);
    }
    assert_true(later > 200 && longer > 200);
}

/* ----- texts ----------------------------------------------------------------- */

TEST(bad_sequences_are_refused)
{
    static const struct {
        const char *text;
        size_t steps;
        int column;
        const char *says;
    } bad[] = {
        { "", 0, 0, "`a` has no values" },
        { NULL, 0, 0, "`a` has no values" },
        { "a=01", 0, 0, "`r` has no values: add r=" },
        { "a=01 r=011", 0, 6, "`r` has 3 values and `a` 2" },
        { "r=1 a=01", 0, 5, "`a` has 2 values and `r` 1" },
        { "a=0110 r=0001", 5, 1, "4 values, and 5 steps" },
        { "a=01 r=02", 0, 9, "0 and 1" },
        { "a=01;r=00", 0, 5, "0 and 1" },
        { "a=01 a=00", 0, 6, "`a` comes twice" },
        { "a=01 x=00", 0, 6, "no name `x`" },
        { "a=01 s=00", 0, 6, "`s` is a state" },
        { "a=01 out=00", 0, 6, "`out` is defined by the formula" },
        { "a=01 r=", 0, 8, "no value" },
        { "a=01 r", 0, 7, "a name, = and values" },
        { "a = 01", 0, 2, "a name, = and values" },
        { "=01", 0, 1, "a name, = and values" },
    };
    struct formula f = parse("s' = a | (s & !r); out = s");

    for (size_t i = 0; i < COUNT(bad); i++) {
        struct clock_inputs in;
        size_t steps = bad[i].steps;
        perc_error err = { 0 };
        assert_refused_at(clock_inputs(&f, bad[i].text, &steps, &in, &err), PERC_EDATA, &err,
                          bad[i].column > 0, bad[i].column, bad[i].says);
        assert_null(in.value);
        clock_inputs_free(&in);
    }
    formula_free(&f);
}

TEST(bad_starts_and_steps_are_refused)
{
    static const struct {
        const char *text;
        int column;
        const char *says;
    } bad[] = {
        { "s=01", 4, "one value" },
        { "s=1 s=1", 5, "twice" },
        { "a=1", 1, "is an input" },
        { "out=1", 1, "defined by the formula" },
        { "s=", 3, "no value" },
        { "q=1", 1, "no name" },
        { "s=x", 3, "0 or 1 at first: s=0 or s=1" },
        { "a@3=01", 5, "starts with 3 values, one for each step: not 2" },
        { "s=1 a@3=0101", 9, "starts with 3 values" },
        { "a@3=000 a@3=000", 9, "twice" },
        { "a@2=00", 1, "no name" },
        { "s", 2, "expected a name, = and a value" },
    };
    struct formula f = parse("s' = a | (s & !r); out = s & a@3"), u;
    unsigned char first[4];
    size_t steps = 0;
    struct clock_inputs in;
    perc_error err = { 0 };

    for (size_t i = 0; i < COUNT(bad); i++) {
        assert_refused_at(clock_start(&f, bad[i].text, first, &err), PERC_EDATA, &err,
                          bad[i].column > 0, bad[i].column, bad[i].says);
    }
    assert_int_equal(clock_unroll(&f, NULL, 0, &u, &err), PERC_EARG);
    assert_int_equal(clock_unroll(&f, NULL, CLOCK_NODES, &u, &err), PERC_EDATA);
    assert_refused(clock_unroll(&f, NULL, SIZE_MAX, &u, &err), PERC_EDATA, &err, "at most");
    formula_free(&f);

    f = parse("s' = !s");
    assert_refused(clock_inputs(&f, " ", &steps, &in, &err), PERC_EDATA, &err, "how many steps");
    steps = (size_t)CLOCK_STEPS + 1;
    assert_int_equal(clock_inputs(&f, NULL, &steps, &in, &err), PERC_EDATA);
    formula_free(&f);
}

TEST(memory_may_run_out_anywhere)
{
    static const char text[] = "s' = a | (s & !r); t' = exactly(1; s, a, t); y = s ^ t; "
                               "out = y -> t; z' = s & !a; q = neuron(2.5 a, -s@2 : 0.5)";
    struct formula f, u;
    long last = 0;

    for (struct t_sweep s = { .least = 20, .armed = true }; t_sweep_next(&s);) {
        const struct env e = env_resolve(&s.env);
        assert_int_equal(formula_parse(&e, text, &f, NULL), PERC_OK);
        const long held = s.a.bytes;
        t_sweep_arm(&s);
        const perc_status st = clock_unroll(&f, NULL, 6, &u, NULL);
        assert_true(!st == (u.names > 0) && !st == (u.node != NULL));
        formula_free(&u);
        t_alloc_holds(&s.a, held);
        formula_free(&f);
        t_sweep_judge(&s, st);
    }
    for (struct t_sweep s = { .least = 11, .armed = true }; t_sweep_next(&s);) {
        const struct env e = env_resolve(&s.env);
        struct clock_inputs in;
        struct clock_circle c;
        unsigned char value[4 * 9];
        size_t steps = 0;
        assert_int_equal(formula_parse(&e, text, &f, NULL), PERC_OK);
        const long held = s.a.bytes;
        t_sweep_arm(&s);
        perc_status st = clock_inputs(&f, "a=0110 r=0101", &steps, &in, NULL);
        if (st == PERC_OK) st = clock_run(&f, NULL, &in, value, NULL);
        if (st == PERC_OK) st = clock_circle(&f, NULL, &c, NULL);
        clock_inputs_free(&in);
        t_alloc_holds(&s.a, held);
        formula_free(&f);
        t_sweep_judge(&s, st);
        last = s.n;
    }
    assert_int_equal(last, 11);
}
