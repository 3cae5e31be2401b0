/* test_gate.c -- networks of threshold neurons: they fire when they should, and a file gives back
 * what was written and refuses what could not run. */
#include "machine/gate.h"
#include "t.h"
#include "t_alloc.h"

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

/* What may not be in a file, each in an adder that is right apart from it. */
static const char *spoil(struct gate *g, int how)
{
    switch (how) {
    case 0: g->source[4] = 3; return "gate.source[4] is neither"; /* it listens to itself */
    case 1: g->source[4] = 1; return "gate.source[4] is not above";
    case 2: g->source[1] = 0; return "gate.source[1] is not above";
    case 3: g->source[0] = UINT32_MAX; return "gate.source[0] is neither";
    case 4: g->weight[0] = 0; return "gate.weight[0] is 0";
    case 5: g->weight[2] = INT64_MIN; return "gate.threshold[1] and the weights";
    case 6: g->threshold[0] = GATE_SUM; return "gate.threshold[0] and the weights";
    case 7: g->output[0] = 4; return "gate.output[0] is neither";
    case 8: g->start[1] = 6; return "gate.start[2] is less";
    case 9: g->start[0] = 1; return "gate.start[0] is not 0";
    case 10: g->start[2] = 4; return "gate.start[2] is not the number";
    case 11: g->synapses = 4; return "gate.start[2] is not the number";
    case 12: g->input_name[1][0] = '\0'; return "gate.input.1";
    default: g->output_name[2][0] = '\0'; return "gate.output.2";
    }
}

TEST(files_that_could_not_run_are_refused)
{
    const struct env e = env_resolve(NULL);

    for (int how = 0; how < 14; how++) {
        struct gate g, back;
        perc_error err = { 0 };
        assert_int_equal(make_adder(&e, &g), PERC_OK);
        const char *reason = spoil(&g, how);
        write_gate(&g);
        assert_int_equal(read_gate(&e, &back, &err), PERC_EDATA);
        if (strstr(err.text, reason) == NULL) fail_msg("%s, not %s", err.text, reason);
        g.synapses = 5;
        gate_free(&g);
    }
}

TEST(missing_parts_are_named)
{
    static const char *const names[] = { "gate.start", "gate.source", "gate.weight",
                                         "gate.threshold", "gate.output" };
    const struct env e = env_resolve(NULL);
    struct gate g, back;

    assert_int_equal(make_adder(&e, &g), PERC_OK);
    for (size_t k = 0; k < 5; k++) {
        struct tensors t, read;
        perc_error err = { 0 };
        tensors_init(&t, &e);
        assert_int_equal(gate_pack(&g, &t), PERC_OK);
        memcpy(t.tensor[k].name, "other", 6);
        assert_int_equal(tensors_write(&t, path, NULL), PERC_OK);
        tensors_free(&t);
        assert_int_equal(tensors_read(&e, path, &read, &err), PERC_OK);
        gate_init(&back, &e);
        assert_int_equal(gate_unpack(&back, &read, &err), PERC_EDATA);
        assert_non_null(strstr(err.text, names[k]));
        tensors_free(&read);
    }
    gate_free(&g);
}

/* An array with one element fewer does not go with the others; the last cannot be empty. */
TEST(lengths_go_together)
{
    const struct env e = env_resolve(NULL);
    struct gate g, back;

    assert_int_equal(make_adder(&e, &g), PERC_OK);
    for (size_t k = 0; k < 5; k++) {
        struct tensors t, read;
        perc_error err = { 0 };
        tensors_init(&t, &e);
        assert_int_equal(gate_pack(&g, &t), PERC_OK);
        t.tensor[k].count = t.tensor[k].shape[0] = k < 4 ? t.tensor[k].count - 1 : 0;
        assert_int_equal(tensors_write(&t, path, NULL), PERC_OK);
        tensors_free(&t);
        assert_int_equal(tensors_read(&e, path, &read, &err), PERC_OK);
        gate_init(&back, &e);
        assert_int_equal(gate_unpack(&back, &read, &err), PERC_EDATA);
        assert_non_null(strstr(err.text, "tensor"));
        tensors_free(&read);
    }
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
