/* test_gates.c -- threshold logic as callers see it: in time and unrolled, which agree, and as a
 * model that predicts. */
#include <unistd.h>

#include "perceptron.h"
#include "t.h"
#include "t_alloc.h"

static perc_gate *make(const char *formula)
{
    perc_gate *g = NULL;
    perc_error err = { 0 };

    if (perc_gate_new(NULL, formula, &g, &err)) fail_msg("%s: %s", formula, err.text);
    return g;
}

/* ----- looking at it ------------------------------------------------------------------------ */

TEST(a_network_can_be_looked_at)
{
    perc_gate *g = make("sum = a ^ b; carry = a & b");
    perc_gate_info info;
    perc_neuron n;
    perc_single s;
    size_t source;

    perc_gate_info_get(g, &info);
    assert_int_equal(info.inputs, 2);
    assert_int_equal(info.states, 0);
    assert_int_equal(info.outputs, 2);
    assert_int_equal(info.neurons, 2);
    assert_int_equal(info.synapses, 5);
    assert_string_equal(perc_gate_input(g, 1), "b");
    assert_null(perc_gate_input(g, 2));
    assert_string_equal(perc_gate_output(g, 1, &source), "carry");
    assert_int_equal(source, 2);
    assert_null(perc_gate_output(g, 2, NULL));
    perc_gate_neuron(g, 1, &n);
    assert_int_equal(n.synapses, 3);
    assert_int_equal(n.weight[2], -2);
    perc_gate_single(g, 0, &s);
    assert_false(s.possible);
    assert_int_equal(s.ones + s.zeros, 4);
    perc_gate_single(g, 1, &s);
    assert_true(s.possible);
    assert_int_equal(s.weight[0], 1);
    assert_int_equal(s.threshold, 2);
    perc_gate_free(g);
    perc_gate_free(NULL);
}

/* ----- neurons that the formula writes ------------------------------------------------------ */

TEST(written_neurons_stay_as_they_are)
{
    perc_gate *g = make("h1 = neuron(a, b : 0.5); h2 = neuron(0.5 a, 0.5 b : 0.75);"
                        "out = neuron(h1, -2 h2 : 0.5) | (c & neuron(a, !b, d@2 : 1.5))");
    static const struct {
        const char *name;
        size_t synapses;
        int64_t weight[3], threshold;
    } want[] = {
        { "h1", 2, { 1, 1 }, 1 },    { "h2", 2, { 1, 1 }, 2 },
        { NULL, 2, { 1, -2 }, 1 },   { NULL, 3, { 1, -1, 1 }, 1 }, /* d@2 and 1 - b */
        { NULL, 3, { 1, 2, 1 }, 2 }, /* the or, into which the and is merged */
    };
    perc_gate_info info;
    perc_neuron n;

    perc_gate_info_get(g, &info);
    assert_int_equal(info.written, 4);
    assert_int_equal(info.neurons, COUNT(want));
    assert_int_equal(info.states, 1);
    assert_int_equal(perc_gate_delay(g, 0), 0);
    assert_int_equal(perc_gate_delay(g, 4), 2);
    assert_int_equal(perc_gate_delay(g, 5), 0);
    for (size_t k = 0; k < COUNT(want); k++) {
        const char *name = perc_gate_neuron_name(g, k);
        perc_gate_neuron(g, k, &n);
        if (want[k].name == NULL) assert_null(name);
        else assert_string_equal(name, want[k].name);
        assert_int_equal(n.synapses, want[k].synapses);
        assert_int_equal(n.threshold, want[k].threshold);
        for (size_t i = 0; i < n.synapses; i++) assert_int_equal(n.weight[i], want[k].weight[i]);
    }
    perc_gate_free(g);
}

/* Neurons of four sources with weights up to 4: the formula, compiled, is the same function. */
TEST(the_function_of_a_neuron_is_its_function)
{
    static const char *const name[] = { "p", "q", "r", "s" };
    static const uint32_t source[] = { 0, 1, 2, 3 };
    perc_error err = { 0 };
    size_t named = 0;

    for (int code = 0; code < 9 * 9 * 9 * 9; code += 7)
        for (int64_t t = -4; t <= 6; t += 2) {
            const int64_t w[] = { code % 9 - 4, code / 9 % 9 - 4, code / 81 % 9 - 4,
                                  code / 729 - 4 };
            const perc_neuron n = { 4, source, w, t };
            char text[512], whole[600];
            unsigned char out[1];
            const char *word;
            assert_true(perc_neuron_function(&n, name, &word, text, sizeof text));
            named += word != NULL;
            /* All names, in their order, whether they matter or not. */
            snprintf(whole, sizeof whole, "(p | q | r | s) & 0 | (%s)", text);
            perc_gate *g = make(whole);
            for (unsigned row = 0; row < 16; row++) {
                const unsigned char x[] = { row & 1, row >> 1 & 1, row >> 2 & 1, row >> 3 & 1 };
                int64_t sum = 0;
                for (size_t i = 0; i < 4; i++) sum += w[i] * x[i];
                assert_int_equal(perc_gate_run(g, x, out, &err), PERC_OK);
                assert_int_equal(out[0], sum >= t);
            }
            perc_gate_free(g);
        }
    assert_true(named > 1000);
}

TEST(functions_have_names)
{
    static const char *const name[] = { "a", "b", "c", "d", "e" };
    static const uint32_t source[] = { 0, 1, 2, 3, 4 };
    static const struct {
        size_t n;
        int64_t weight[5], threshold;
        const char *word, *text;
    } want[] = {
        { 2, { 1, 1 }, 2, "and", "a & b" },
        { 2, { 3, 2 }, 4, "and", "a & b" },
        { 2, { 1, 1 }, 1, "or", "a | b" },
        { 1, { -1 }, 0, "not", "!a" },
        { 2, { 5, 1 }, 3, "identity", "a" },
        { 2, { -1, -1 }, -1, "nand", "!(a & b)" },
        { 2, { -1, -1 }, 0, "nor", "!(a | b)" },
        { 2, { -1, 1 }, 0, "implication", "a -> b" },
        { 2, { 2, -3 }, -2, "implication", "b -> a" },
        { 2, { 1, -1 }, 1, "and", "a & !b" },
        { 3, { 1, 1, 1 }, 2, "majority", "majority(a, b, c)" },
        { 3, { 1, -1, 1 }, 1, "majority", "majority(a, !b, c)" },
        { 4, { 2, 3, 2, 3 }, 5, NULL, "(b & d) | (b & a) | (b & c) | (d & a) | (d & c)" },
        { 4, { 3, 3, 3, 3 }, 4, "at least", "atleast(2; a, b, c, d)" },
        { 5, { 5, 5, 1, 5, 1 }, 10, "majority", "majority(a, b, d)" },
        { 3, { 2, 1, 1 }, 3, NULL, "(a & b) | (a & c)" },
        { 3, { 2, 1, 1 }, 0, "always", "1" },
        { 3, { 2, 1, 1 }, 5, "never", "0" },
        { 0, { 0 }, 0, "always", "1" },
    };
    char text[64];
    const char *word;

    for (size_t i = 0; i < COUNT(want); i++) {
        const perc_neuron n = { want[i].n, source, want[i].weight, want[i].threshold };
        assert_true(perc_neuron_function(&n, name, &word, text, sizeof text));
        assert_string_equal(text, want[i].text);
        if (want[i].word == NULL) assert_null(word);
        else assert_string_equal(word, want[i].word);
    }
    const perc_neuron n = { 3, source, want[15].weight, 3 };
    assert_true(perc_neuron_function(&n, name, &word, text, strlen(want[15].text) + 1));
    assert_false(perc_neuron_function(&n, name, &word, text, strlen(want[15].text)));
    assert_false(perc_neuron_function(&n, name, &word, text, 0));
}

TEST(faults_have_a_place)
{
    perc_error err = { 0 };
    perc_gate *g = (perc_gate *)&err;

    assert_refused_at(perc_gate_new(NULL, "a & | b", &g, &err), PERC_EDATA, &err, 1, 5, "");
    assert_null(g);
    err = (perc_error){ 0 };
    assert_int_equal(perc_gate_new(NULL, "a&b&c&d&e&f&g&h&i&j&k&l&m&n&o&p&q&r&s&t&u", &g, &err),
                     PERC_EDATA);
    assert_null(g);
    assert_int_equal(err.line, 0);
}

/* ----- in time ------------------------------------------------------------------------------ */

/* Signal k of so many steps, as a text. */
static const char *signal_text(const perc_signals *s, size_t k, char *buf)
{
    for (size_t t = 0; t < s->steps; t++) buf[t] = s->value[t * s->signals + k] ? '1' : '0';
    buf[s->steps] = '\0';
    return buf;
}

TEST(a_latch_remembers)
{
    perc_gate *g = make("s' = a | (s & !r); out = s");
    perc_signals s;
    char buf[64];

    assert_int_equal(perc_gate_steps(g, "a=0100000 r=0000010", NULL, 0, &s, NULL, NULL), PERC_OK);
    assert_int_equal(s.steps, 7);
    assert_int_equal(s.signals, 4);
    assert_string_equal(signal_text(&s, 0, buf), "0100000");
    assert_string_equal(signal_text(&s, 2, buf), "0011110");
    assert_string_equal(signal_text(&s, 3, buf), "0011110");
    perc_signals_free(&s);
    assert_int_equal(perc_gate_steps(g, "a=0100000 r=0000010", "s=1", 3, &s, NULL, NULL), PERC_OK);
    assert_int_equal(s.steps, 3);
    assert_string_equal(signal_text(&s, 3, buf), "111");
    perc_signals_free(&s);
    perc_signals_free(&s);
    perc_gate_free(g);
}

TEST(counters_count_and_rings_oscillate)
{
    perc_gate *counter = make("b0' = !b0; b1' = b1 ^ b0"), *ring = make("a' = !c; b' = a; c' = b");
    perc_gate *swap = make("a' = b; b' = a; out = a & !b");
    perc_signals s;
    size_t before, period;
    char buf[64];

    assert_int_equal(perc_gate_steps(counter, NULL, NULL, 8, &s, NULL, NULL), PERC_OK);
    assert_string_equal(signal_text(&s, 0, buf), "01010101");
    assert_string_equal(signal_text(&s, 1, buf), "00110011");
    perc_signals_free(&s);
    assert_int_equal(perc_gate_period(counter, NULL, &before, &period, NULL), PERC_OK);
    assert_int_equal(period, 4);
    assert_int_equal(perc_gate_period(ring, NULL, &before, &period, NULL), PERC_OK);
    assert_int_equal(period, 6);
    assert_int_equal(before, 0);
    assert_int_equal(perc_gate_steps(swap, "", "a=1", 4, &s, NULL, NULL), PERC_OK);
    assert_string_equal(signal_text(&s, 2, buf), "1010"); /* both at once */
    perc_signals_free(&s);
    perc_gate_free(counter);
    perc_gate_free(ring);
    perc_gate_free(swap);
}

TEST(faults_in_sequences_have_a_place)
{
    perc_gate *g = make("s' = a | s; out = s");
    const char *const inputs = "a=012", *const initial = "q=1", *where = NULL;
    perc_signals s;
    perc_error err = { 0 };

    assert_int_equal(perc_gate_steps(g, inputs, NULL, 0, &s, &where, &err), PERC_EDATA);
    assert_ptr_equal(where, inputs);
    assert_int_equal(err.column, 5);
    assert_null(s.own);
    assert_int_equal(perc_gate_steps(g, "a=01", initial, 0, &s, &where, &err), PERC_EDATA);
    assert_ptr_equal(where, initial);
    assert_int_equal(perc_gate_steps(g, "a=01", NULL, 3, &s, &where, &err), PERC_EDATA);
    perc_gate_free(g);
}

/* ----- unrolled ------------------------------------------------------------------------------- */

/* The outputs of a machine after each input sequence of T steps, and those of the network that it
 * is unrolled into, all sequences. Unrolled inputs are a.0 b.0 a.1 ..., outputs likewise. */
static void assert_unrolled_agrees(const char *formula, const char *initial, size_t steps)
{
    perc_gate *g = make(formula), *flat = NULL;
    perc_gate_info info, unrolled;
    unsigned char x[32], out[256];
    char text[512];

    perc_gate_info_get(g, &info);
    assert_int_equal(perc_gate_unroll(g, initial, steps, &flat, NULL), PERC_OK);
    perc_gate_info_get(flat, &unrolled);
    assert_int_equal(unrolled.states, 0);
    assert_int_equal(unrolled.inputs, info.inputs * steps);
    assert_int_equal(unrolled.outputs, info.outputs * steps);
    for (uint64_t r = 0; r >> unrolled.inputs == 0; r++) {
        perc_signals s;
        size_t at = 0;
        for (size_t i = 0; i < info.inputs; i++) {
            at += (size_t)snprintf(text + at, sizeof text - at, " %s=", perc_gate_input(g, i));
            for (size_t t = 0; t < steps; t++)
                text[at++] = r >> (t * info.inputs + i) & 1 ? '1' : '0';
        }
        text[at] = '\0';
        for (size_t i = 0; i < unrolled.inputs; i++) x[i] = r >> i & 1;
        assert_int_equal(perc_gate_steps(g, text, initial, steps, &s, NULL, NULL), PERC_OK);
        assert_int_equal(perc_gate_run(flat, x, out, NULL), PERC_OK);
        for (size_t t = 0; t < steps; t++)
            for (size_t o = 0; o < info.outputs; o++)
                assert_int_equal(out[t * info.outputs + o],
                                 s.value[t * s.signals + info.inputs + info.states + o]);
        perc_signals_free(&s);
    }
    perc_gate_free(flat);
    perc_gate_free(g);
}

TEST(unrolled_networks_agree_with_the_machine)
{
    assert_unrolled_agrees("s' = a | (s & !r); out = s", NULL, 6);
    assert_unrolled_agrees("s' = a | (s & !r); out = s", "s=1", 4);
    assert_unrolled_agrees("b0' = b0 ^ up; b1' = b1 ^ (b0 & up); b2' = b2 ^ (b1 & b0 & up);"
                           "full = b0 & b1 & b2",
                           NULL, 12);
    assert_unrolled_agrees("b0' = !b0; b1' = b1 ^ b0", "b1=1", 9);
    assert_unrolled_agrees("a' = !c; b' = a; c' = b", NULL, 20);
    assert_unrolled_agrees("x = a ^ s; s' = majority(a, b, s); y = x & s", "s=1", 5);
    assert_unrolled_agrees("a & b | c", NULL, 2);
}

TEST(an_unrolled_network_has_twenty_inputs_at_most)
{
    perc_gate *g = make("s' = a | (s & !r); out = s"), *flat = g;
    perc_error err = { 0 };

    assert_int_equal(perc_gate_unroll(g, NULL, 11, &flat, &err), PERC_EDATA);
    assert_null(flat);
    assert_int_equal(perc_gate_unroll(g, "t=1", 2, &flat, &err), PERC_EDATA);
    assert_null(flat);
    perc_gate_free(g);
}

/* ----- as a model ------------------------------------------------------------------------- */

static void assert_model_answers(const perc_model *m, const perc_gate *g)
{
    perc_gate_info info;
    unsigned char x[8], out[8];
    double value[8], score[16];
    char label[64];

    perc_gate_info_get(g, &info);
    for (unsigned r = 0; r < 1u << info.inputs; r++) {
        size_t at = 0;
        for (size_t i = 0; i < info.inputs; i++) value[i] = x[i] = r >> i & 1;
        const perc_example e = { .value = value, .n = info.inputs };
        assert_int_equal(perc_gate_run(g, x, out, NULL), PERC_OK);
        assert_int_equal(perc_score(m, &e, score, NULL), PERC_OK);
        if (info.outputs == 1) snprintf(label, sizeof label, "%d", out[0]);
        for (size_t o = 0; o < info.outputs && info.outputs > 1; o++)
            at += (size_t)snprintf(label + at, sizeof label - at, "%s%s=%d", o > 0 ? "," : "",
                                   perc_gate_output(g, o, NULL), out[o]);
        assert_string_equal(perc_answer(m, score), label);
    }
}

TEST(models_predict_what_the_network_says)
{
    static const char *const formulas[] = { "a ^ b", "(a & b) | !c",
                                            "sum = a ^ b ^ c; carry = majority(a, b, c)",
                                            "x = a & !b; y = a; z = 1", "nanny = a & b; info = b" };
    char path[] = "test_gates.XXXXXX";
    const int fd = mkstemp(path);

    assert_true(fd >= 0);
    close(fd);
    for (size_t k = 0; k < COUNT(formulas); k++) {
        perc_gate *g = make(formulas[k]);
        perc_model *m = NULL, *back = NULL;
        perc_model_info info;
        perc_error err = { 0 };
        if (perc_gate_model(g, &m, &err)) fail_msg("%s: %s", formulas[k], err.text);
        assert_model_answers(m, g);
        if (perc_model_write(m, path, &err) || perc_model_read(NULL, path, &back, &err))
            fail_msg("%s: %s", formulas[k], err.text);
        assert_model_answers(back, g);
        perc_model_info_get(back, &info);
        assert_string_equal(info.machine, "gate");
        perc_model_free(back);
        perc_model_free(m);
        perc_gate_free(g);
    }
    unlink(path);
}

TEST(what_cannot_be_a_model_is_refused)
{
    static const char *const formulas[] = {
        "s' = a | s", "0 | 1",
        "a0 = x; a1 = x; a2 = x; a3 = x; a4 = x; a5 = x; a6 = x; a7 = x; a8 = x"
    };
    static const char *const reason[] = { "unroll", "without inputs", "9 outputs" };

    for (size_t k = 0; k < 3; k++) {
        perc_gate *g = make(formulas[k]);
        perc_model *m = (perc_model *)g;
        perc_error err = { 0 };
        assert_int_equal(perc_gate_model(g, &m, &err), PERC_EARG);
        assert_null(m);
        assert_non_null(strstr(err.text, reason[k]));
        perc_gate_free(g);
    }
}

/* ----- memory ----------------------------------------------------------------------------- */

static perc_status use_all(const perc_env *env)
{
    perc_gate *g = NULL, *flat = NULL;
    perc_model *m = NULL;
    perc_signals s = { .steps = 0 };
    unsigned char out[4];
    const unsigned char x[] = { 1, 0, 1, 0 };
    size_t before, period;
    perc_error err = { 0 };
    perc_status st;

    (void)((st = perc_gate_new(env, "s' = (a ^ b) | s; out = neuron(s, a@2 : 1)", &g, &err)) ||
           (st = perc_gate_steps(g, "a=0101 b=0011", "s=1", 0, &s, NULL, &err)) ||
           (st = perc_gate_period(g, NULL, &before, &period, &err)) ||
           (st = perc_gate_unroll(g, NULL, 2, &flat, &err)) ||
           (st = perc_gate_run(flat, x, out, &err)) || (st = perc_gate_model(flat, &m, &err)));
    perc_model_free(m);
    perc_signals_free(&s);
    perc_gate_free(flat);
    perc_gate_free(g);
    return st;
}

TEST(memory_may_run_out_anywhere)
{
    for (struct t_sweep s = { .least = 10 }; t_sweep_next(&s);) {
        const perc_status st = use_all(&s.env);
        t_sweep_judge(&s, st);
    }
}
