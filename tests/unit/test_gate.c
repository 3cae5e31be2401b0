/* test_gate.c -- networks of threshold neurons: they fire when they should, and a file gives back
 * what was written and refuses what could not run. */
#include "machine/gate.h"
#include "t.h"
#include "t_alloc.h"
#include "t_hostile.h"

static const char path[] = "file";

/* sum = a ^ b, carry = a & b, and a itself: two neurons. */
static perc_status make_adder(const struct env *e, struct gate *g)
{
    const uint32_t both[] = { 0, 1 }, all[] = { 0, 1, 2 };
    const int64_t one[] = { 1, 1 }, odd[] = { 1, 1, -2 };
    uint32_t carry = 0, sum = 0;
    perc_status st;

    gate_init(g, e);
    if ((st = gate_add_input(g, "a")) || (st = gate_add_input(g, "b")) ||
        (st = gate_add_neuron(g, both, one, 2, 2, &carry)) ||
        (st = gate_add_neuron(g, all, odd, 3, 1, &sum)) || (st = gate_add_output(g, "sum", sum)) ||
        (st = gate_add_output(g, "carry", carry)) || (st = gate_add_output(g, "same", 0)))
        gate_free(g);
    return st;
}

static void assert_adds(const struct gate *g)
{
    for (unsigned r = 0; r < 4; r++) {
        unsigned char state[4] = { (unsigned char)(r & 1), (unsigned char)(r >> 1), 9, 9 };
        const int a = state[0], b = state[1];
        gate_run(g, state);
        assert_int_equal(state[g->output[0]], a ^ b);
        assert_int_equal(state[g->output[1]], a & b);
        assert_int_equal(state[g->output[2]], a);
        for (size_t o = 0; o < g->outputs; o++) {
            const double s = gate_score(g, state, o);
            assert_int_equal(s > 0, state[g->output[o]]);
            assert_true(s != 0);
        }
        assert_true(gate_score(g, state, 1) == 2 * (a + b - 2) + 1);
        assert_true(gate_score(g, state, 2) == 2 * a - 1);
    }
}

TEST(networks_fire_at_their_thresholds)
{
    const struct env e = env_resolve(NULL);
    struct gate g, copy;

    assert_int_equal(make_adder(&e, &g), PERC_OK);
    assert_adds(&g);
    assert_int_equal(gate_copy(&e, &g, &copy), PERC_OK);
    gate_free(&g);
    assert_adds(&copy);
    gate_free(&copy);
    gate_free(&copy); /* safe again */
}

TEST(constants_have_no_synapses)
{
    const struct env e = env_resolve(NULL);
    struct gate g;
    uint32_t yes, no;
    unsigned char value[2];

    gate_init(&g, &e);
    assert_int_equal(gate_add_neuron(&g, NULL, NULL, 0, 0, &yes), PERC_OK);
    assert_int_equal(gate_add_neuron(&g, NULL, NULL, 0, 1, &no), PERC_OK);
    gate_run(&g, value);
    assert_int_equal(value[yes], 1);
    assert_int_equal(value[no], 0);
    gate_free(&g);
}

TEST(labels_are_what_the_outputs_say)
{
    const struct env e = env_resolve(NULL);
    struct gate g;
    struct text t;

    assert_int_equal(make_adder(&e, &g), PERC_OK);
    text_init(&t, &e);
    gate_label(&g, 6, &t);
    assert_string_equal(t.s, "sum=1,carry=1,same=0");
    t.len = 0;
    mem_free_text(&e, g.output_name[2]);
    mem_free_text(&e, g.output_name[1]);
    g.outputs = 1;
    gate_label(&g, 1, &t);
    assert_string_equal(t.s, "1");
    text_free(&t);
    gate_free(&g);
}

TEST(sums_cannot_overflow)
{
    const struct env e = env_resolve(NULL);
    const uint32_t source[] = { 0 };
    const int64_t large[] = { GATE_SUM - 1 }, least[] = { INT64_MIN };
    struct gate g;
    uint32_t number;

    gate_init(&g, &e);
    assert_int_equal(gate_add_input(&g, "a"), PERC_OK);
    assert_int_equal(gate_add_neuron(&g, source, large, 1, 0, &number), PERC_OK);
    assert_int_equal(gate_add_neuron(&g, source, large, 1, 1, &number), PERC_EARG);
    assert_int_equal(gate_add_neuron(&g, source, large, 1, -1, &number), PERC_EARG);
    assert_int_equal(gate_add_neuron(&g, source, least, 1, 0, &number), PERC_EARG);
    assert_int_equal(g.neurons, 1);
    gate_free(&g);
}

/* ----- files ------------------------------------------------------------------------------ */

static void write_gate(const struct gate *g)
{
    const struct env e = env_resolve(NULL);
    struct tensors t;

    tensors_init(&t, &e);
    assert_int_equal(gate_pack(g, &t), PERC_OK);
    assert_int_equal(tensors_write(&t, path, NULL), PERC_OK);
    tensors_free(&t);
}

static perc_status read_gate(const struct env *e, struct gate *out, perc_error *err)
{
    const struct env p = env_resolve(NULL);
    struct tensors t;

    assert_int_equal(tensors_read(&p, path, &t, err), PERC_OK);
    gate_init(out, e);
    const perc_status st = gate_unpack(out, &t, err);
    tensors_free(&t);
    return st;
}

TEST(files_give_back_what_was_written)
{
    const struct env e = env_resolve(NULL);
    struct gate g, back;
    perc_error err = { 0 };

    assert_int_equal(make_adder(&e, &g), PERC_OK);
    write_gate(&g);
    assert_int_equal(read_gate(&e, &back, &err), PERC_OK);
    assert_adds(&back);
    assert_int_equal(back.synapses, g.synapses);
    assert_string_equal(back.input_name[1], "b");
    assert_string_equal(back.output_name[1], "carry");
    gate_free(&back);
    gate_free(&g);

    gate_init(&g, &e); /* no neurons at all */
    assert_int_equal(gate_add_input(&g, "x"), PERC_OK);
    assert_int_equal(gate_add_output(&g, "out", 0), PERC_OK);
    write_gate(&g);
    assert_int_equal(read_gate(&e, &back, &err), PERC_OK);
    assert_int_equal(back.neurons, 0);
    assert_int_equal(back.outputs, 1);
    gate_free(&back);
    gate_free(&g);
}

static perc_status unpack(void *ud, struct tensors *t, perc_error *err)
{
    const struct env e = env_resolve(NULL);
    struct gate g;

    (void)ud;
    gate_init(&g, &e);
    const perc_status st = gate_unpack(&g, t, err);
    if (!st) gate_free(&g);
    return st;
}

/* What may not be in a file, each in an adder that is right apart from it. */
TEST(files_that_could_not_run_are_refused)
{
    static const struct hostile list[] = {
        { AS_IT_IS, NULL, NULL, NULL },
        { ELEMENT, "gate.source[4]", "3", "gate.source[4] is neither" }, /* it listens to itself */
        { ELEMENT, "gate.source[4]", "1", "gate.source[4] is not above" },
        { ELEMENT, "gate.source[1]", "0", "gate.source[1] is not above" },
        { ELEMENT, "gate.source[0]", "0xffffffff", "gate.source[0] is neither" },
        { ELEMENT, "gate.weight[0]", "0", "gate.weight[0] is 0" },
        { ELEMENT, "gate.weight[2]", "-9223372036854775808", "gate.threshold[1] and the weights" },
        { ELEMENT, "gate.output[0]", "4", "gate.output[0] is neither" },
        { ELEMENT, "gate.start[1]", "6", "gate.start[2] is less" },
        { ELEMENT, "gate.start[0]", "1", "gate.start[0] is not 0" },
        { ELEMENT, "gate.start[2]", "4", "gate.start[2] is not the number" },
        { META, "gate.input.1", "", "gate.input.1" },
        { META, "gate.output.2", "", "gate.output.2" },
        { GONE, "gate.start", NULL, "gate.start" }, /* missing parts are named */
        { GONE, "gate.source", NULL, "gate.source" },
        { GONE, "gate.weight", NULL, "gate.weight" },
        { GONE, "gate.threshold", NULL, "gate.threshold" },
        { GONE, "gate.output", NULL, "gate.output" },
        { SHORTER, "gate.start", NULL, "tensor" }, /* lengths go together */
        { SHORTER, "gate.source", NULL, "tensor" },
        { SHORTER, "gate.weight", NULL, "tensor" },
        { SHORTER, "gate.threshold", NULL, "tensor" },
        { SHAPE, "gate.output", "0", "tensor" },
    };
    const struct env e = env_resolve(NULL);
    const struct hostile sum = { ELEMENT, "gate.threshold[0]", t_text("%lld", (long long)GATE_SUM),
                                 "gate.threshold[0] and the weights" };
    static const struct hostile fewer = { AS_IT_IS, NULL, NULL, "gate.start[2] is not the number" };
    struct gate g;

    assert_int_equal(make_adder(&e, &g), PERC_OK);
    write_gate(&g);
    struct tensors good;
    assert_int_equal(tensors_read(&e, path, &good, NULL), PERC_OK);
    t_refuses(&good, unpack, NULL, list, COUNT(list));
    t_refuses(&good, unpack, NULL, &sum, 1);
    tensors_free(&good);
    g.synapses = 4; /* of both arrays */
    write_gate(&g);
    assert_int_equal(tensors_read(&e, path, &good, NULL), PERC_OK);
    t_refuses(&good, unpack, NULL, &fewer, 1);
    tensors_free(&good);
    g.synapses = 5;
    gate_free(&g);
}

/* ----- memory -------------------------------------------------------------------------------- */

TEST(memory_may_run_out_anywhere)
{
    const struct env p = env_resolve(NULL);
    struct gate g, copy, back;

    assert_int_equal(make_adder(&p, &g), PERC_OK);
    write_gate(&g);
    for (struct t_sweep s = { .least = 3 }; t_sweep_next(&s);) {
        const struct env e = env_resolve(&s.env);
        struct gate made = { .inputs = 0 };
        perc_error err = { 0 };
        const perc_status one = make_adder(&e, &made);
        const perc_status two = one ? one : gate_copy(&e, &made, &copy);
        const perc_status st = two ? two : read_gate(&e, &back, &err);
        if (!one) gate_free(&made);
        if (!one && !two) gate_free(&copy);
        if (!st) gate_free(&back);
        t_sweep_judge(&s, st);
    }
    gate_free(&g);
}
