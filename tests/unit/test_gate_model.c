/* test_gate_model.c -- threshold networks as models: answers for rows of zeros and ones however
 * they come, files that give the network back, and what a gate refuses. */
#include "machine/machine_gate.h"
#include "model/judge.h"
#include "t_dir.h"
#include "t_hostile.h"
#include "t_make.h"
#include "t_model.h"

#include <math.h>

static perc_model *gate_of(const char *formula)
{
    perc_error err = { 0 };
    perc_gate *g;
    perc_model *m;

    if (perc_gate_new(NULL, formula, &g, &err)) fail_msg("%s", err.text);
    if (perc_gate_model(g, &m, &err)) fail_msg("%s", err.text);
    perc_gate_free(g);
    return m;
}

/* Forgets the names of the columns: features have numbers then, from 1 on. */
static void number_from_one(perc_model *m)
{
    const struct env e = m->e;

    schema_free(&m->schema);
    schema_init(&m->schema, &e);
    names_free(&m->names);
    m->names = (struct names){ .n = 0 };
    m->index_base = 1;
}

/* All rows of so many inputs, several times over, the first input the highest digit. */
static struct t_data table(size_t inputs, size_t times)
{
    struct t_data d = t_data_new(times << inputs, inputs);

    for (size_t i = 0; i < d.rows; i++)
        for (size_t j = 0; j < inputs; j++)
            d.x[i * inputs + j] = (double)(i >> (inputs - 1 - j) & 1);
    return d;
}

/* ----- answers ---------------------------------------------------------------------------- */

/* A full adder: two outputs, four words. */
static size_t adder(const double *x)
{
    const int sum = (int)(x[0] + x[1] + x[2]);

    return (size_t)((sum & 1) * 2 + (sum >> 1)); /* "sum=1,carry=0" is word 2 */
}

TEST(answers_do_not_depend_on_how_rows_come)
{
    perc_model *m = gate_of("sum = a ^ b ^ c; carry = atleast(2; a, b, c)");
    struct t_data d = table(3, 100);
    struct t_csr csr = t_csr_new(&d);
    perc_dataset *dense = t_borrow(&d), *sparse = t_borrow_csr(&d, &csr, PERC_I32, PERC_I64);
    double *s = malloc(d.rows * 4 * sizeof *s), one[4];

    assert_int_equal(learner_outputs(&m->learner), 4);
    for (int k = 0; k < 8; k++) {
        const perc_env env = { .threads = 1 + k / 2 };
        assert_int_equal(perc_predict(&env, m, k % 2 ? sparse : dense, s, NULL), PERC_OK);
        for (size_t i = 0; i < d.rows; i++) {
            const size_t want = adder(d.x + i * 3);
            for (size_t c = 0; c < 4; c++) assert_true(s[i * 4 + c] == (c == want));
        }
    }
    for (size_t i = 0; i < 8; i++) {
        static const char *const label[] = { "sum=0,carry=0", "sum=0,carry=1", "sum=1,carry=0",
                                             "sum=1,carry=1" };
        const perc_example x = { NULL, d.x + i * 3, 3 };
        assert_int_equal(perc_score(m, &x, one, NULL), PERC_OK);
        assert_memory_equal(one, s + i * 4, sizeof one);
        assert_string_equal(perc_answer(m, one), label[adder(d.x + i * 3)]);
    }
    free(s);
    t_free(dense, sparse, &csr, &d, m);
}

/* One output: a score above 0 exactly where it is 1; an input that is an output too. */
TEST(one_output_has_a_sign)
{
    static const struct {
        const char *formula;
        unsigned ones; /* bit i: row i of a, b */
    } cases[] = {
        { "a & b", 8 }, { "a | b", 14 }, { "a ^ b", 6 }, { "!a & !b", 1 }, { "a & (b | !b)", 12 }
    };

    for (size_t k = 0; k < COUNT(cases); k++) {
        perc_model *m = gate_of(cases[k].formula);
        struct t_data d = table(2, 1);
        for (size_t i = 0; i < 4; i++) {
            const perc_example x = { NULL, d.x + i * 2, 2 };
            double s;
            assert_int_equal(perc_score(m, &x, &s, NULL), PERC_OK);
            assert_int_equal(s > 0, cases[k].ones >> i & 1);
            assert_true(s != 0);
            assert_string_equal(perc_answer(m, &s), s > 0 ? "1" : "0");
        }
        t_free(&d, m);
    }
}

/* Rows of a table and of LIBSVM text; picked ones; entries that are not there are 0, and columns
 * that are no input are left out. */
static int note(void *ud, const double *scores, size_t n)
{
    char **at = ud;

    for (size_t i = 0; i < n; i++) *(*at)++ = scores[i] > 0 ? '1' : '0';
    **at = '\0';
    return 0;
}

TEST(files_are_read_by_name_or_by_number)
{
    perc_model *m = gate_of("a & !b");
    perc_params *p = t_params("data", "");
    char got[8], *at = got;
    perc_error err = { 0 };
    uint64_t unknown = 9;

    assert_int_equal(t_put("t.csv", "b,a\n0,0\n0,1\n1,0\n1,1\n"), 0);
    if (perc_predict_file(NULL, m, "t.csv", p, note, &at, &unknown, &err)) fail_msg("%s", err.text);
    assert_string_equal(got, "0100");
    number_from_one(m);
    perc_model *back = reload(m);
    t_assert_same_file(m, back);
    perc_model_info info;
    perc_model_info_get(back, &info);
    assert_true(info.features == 2 && info.index_base == 1);
    assert_int_equal(t_put("rows", "0\n0 2:1\n1 1:1\n1 1:1 2:0 3:1\n0 1:1 2:1 99:7\n"), 0);
    at = got;
    if (perc_predict_file(NULL, back, "rows", p, note, &at, &unknown, &err))
        fail_msg("%s", err.text);
    assert_string_equal(got, "00110");
    assert_int_equal(unknown, 2);

    perc_dataset *ds;
    perc_metrics got_metrics;
    uint8_t mark[] = { 0, 1, 1, 0, 1 };
    const struct judged pick = { mark, 1, NULL };
    const struct env e = env_resolve(NULL);
    double s[3];
    assert_int_equal(perc_dataset_read_for(NULL, back, "rows", NULL, &ds, NULL), PERC_OK);
    assert_int_equal(perc_evaluate(NULL, back, ds, &got_metrics, NULL, NULL), PERC_OK);
    assert_int_equal(got_metrics.errors, 0);
    assert_true(got_metrics.auc == 1 && isnan(got_metrics.log_loss));
    assert_int_equal(judge_scores(&e, back, ds, &pick, s, NULL), PERC_OK);
    assert_true(s[0] < 0 && s[1] > 0 && s[2] < 0);
    t_free(ds, back, p, m);
}

TEST(what_is_neither_0_nor_1_is_refused_with_its_line)
{
    static const char *const bad[] = { "2", "-1", "0.5", "1e-300" };
    perc_model *m = gate_of("a & !b");
    char text[80];

    for (size_t k = 0; k < COUNT(bad); k++) {
        perc_error err = { 0 };
        perc_dataset *ds;
        double s[3], x[] = { 1, strtod(bad[k], NULL) };
        const perc_example e = { NULL, x, 2 };
        snprintf(text, sizeof text, "a,b\n0,1\n0,%s\n1,1\n", bad[k]);
        assert_int_equal(t_put("t.csv", text), 0);
        assert_int_equal(perc_dataset_read_for(NULL, m, "t.csv", NULL, &ds, NULL), PERC_OK);
        assert_int_equal(perc_predict(NULL, m, ds, s, &err), PERC_EDATA);
        assert_int_equal(err.line, 3);
        assert_non_null(strstr(err.text, "input b is"));
        assert_non_null(strstr(err.text, bad[k]));
        assert_int_equal(perc_score(m, &e, s, &err), PERC_EDATA);
        perc_dataset_free(ds);
    }
    perc_model_free(m);
}

TEST(a_gate_does_not_learn)
{
    perc_model *m = gate_of("a & !b");
    struct t_data d = table(2, 5);
    for (size_t i = 0; i < d.rows; i++) d.y[i] = (double)(i % 2);
    perc_dataset *ds = t_borrow(&d);
    const perc_example x = { NULL, d.x, 2 };
    perc_error err = { 0 };
    double s = 1, p[2];
    perc_params *params;
    perc_model_info info;

    assert_int_equal(perc_learn(m, &x, "1", 1, NULL, &err), PERC_EARG);
    perc_model *other;
    assert_refused(perc_fit_resume(NULL, ds, m, NULL, NULL, &other, NULL, &err), PERC_EARG, &err,
                   "does not learn");
    assert_refused(perc_calibrate(NULL, m, ds, 2, NULL, &err), PERC_EARG, &err, "certain");
    assert_int_equal(perc_probabilities(m, &s, p, &err), PERC_EARG);
    assert_int_equal(perc_params_new(NULL, "gate", &params, &err), PERC_EARG);
    perc_model_info_get(m, &info);
    assert_string_equal(info.machine, "gate");
    assert_int_equal(info.calibrated, 0);
    t_free(ds, &d, m);
}

TEST(its_neurons_can_be_seen)
{
    perc_model *m = gate_of("a & !b");
    perc_gate_info info;
    perc_neuron n;
    size_t source = 0;

    assert_int_equal(perc_model_gate(m, &info), 1);
    assert_true(info.inputs == 2 && info.outputs == 1 && info.neurons == 1 && info.synapses == 2);
    assert_string_equal(perc_model_gate_input(m, 1), "b");
    assert_null(perc_model_gate_input(m, 2));
    assert_non_null(perc_model_gate_output(m, 0, &source));
    assert_int_equal(source, 2);
    assert_null(perc_model_gate_output(m, 1, NULL));
    perc_model_neuron(m, 0, &n);
    assert_true(n.synapses == 2 && n.weight[0] > 0 && n.weight[1] < 0 && n.source[1] == 1);
    perc_model_free(m);
}

/* ----- files ------------------------------------------------------------------------------ */

TEST(files_give_the_gate_back)
{
    static const char *const formulas[] = {
        "a",
        "!a",
        "a & b",
        "a ^ b ^ c ^ d",
        "x = a; y = a & b; z = x ^ y ^ c",
        "a1 = a | b; a2 = a & c; a3 = !b; a4 = a; a5 = b; a6 = c; a7 = a ^ b; a8 = b ^ c",
        "atleast(3; a, b, c, d, e)",
    };

    for (size_t k = 0; k < COUNT(formulas); k++) {
        perc_model *m = gate_of(formulas[k]), *back = reload(m);
        const size_t inputs = machine_gate_of(m->learner.machine)->inputs,
                     n = learner_outputs(&m->learner);
        struct t_data d = table(inputs, 1);
        double a[256], b[256];
        t_assert_same_file(m, back);
        for (size_t i = 0; i < d.rows; i++) {
            const perc_example x = { NULL, d.x + i * inputs, inputs };
            assert_int_equal(perc_score(m, &x, a, NULL), PERC_OK);
            assert_int_equal(perc_score(back, &x, b, NULL), PERC_OK);
            assert_memory_equal(a, b, n * sizeof *a);
        }
        assert_string_equal(perc_model_gate_input(back, 0), perc_model_gate_input(m, 0));
        t_free(&d, back, m);
    }
}

TEST(every_tensor_is_looked_at)
{
    perc_model *m = gate_of("sum = a ^ b ^ c; carry = atleast(2; a, b, c)");
    struct tensors t = t_tensors_of(m);

    assert_int_equal(t.n, 5);
    for (size_t i = 0; i < t.n; i++) {
        const char *name = t.tensor[i].name;
        const struct hostile ways[] = {
            { GONE, name, NULL, name },      { TYPE, name, NULL, name },
            { TURNED, name, NULL, name },    { SHORTER, name, NULL, "" },
            { BYTES, name, "127", "gate." }, { AS_IT_IS, NULL, NULL, NULL },
        };
        t_refuses_model(m, ways, COUNT(ways));
    }
    tensors_free(&t);
    perc_model_free(m);
}

TEST(wrong_metadata_are_refused_for_their_reason)
{
    static const struct hostile cases[] = {
        { META, "machine", "linear", "the algorithm is gate" },
        { META, "machine", "mlp", "the algorithm is gate" },
        { META, "algorithm", "perceptron", "the algorithm is perceptron" },
        { META, "algorithm", "mlp", "the algorithm is mlp" },
        { META, "option.rate", "1", "no option 'rate'" },
        { META, "labels", "2", "contradict" },
        { META, "labels", "3", "2 outputs make 4 labels, not 3" },
        { META, "label.2", "sum=1,carry=00", "must be 'sum=1,carry=0'" },
        { META, "label.rest", "true", "without 'positive'" },
        { META, "multiclass", "ovr", "contradict" },
        { META, "multiclass", "two", "contradict" },
        { META, "rows", "1", "does not learn" },
        { META, "unseen", "true", "not for this kind" },
        { META, "gate.inputs", NULL, "gate.inputs" },
        { META, "gate.inputs", "2", "gate." },
        { META, "gate.inputs", "4", "gate." },
        { META, "gate.inputs", "1000000000", "gate.inputs" },
        { META, "gate.input.1", NULL, "gate.input.1" },
        { META, "gate.output.0", NULL, "gate.output.0" },
        { META, "gate.output.0", "total", "must be 'total=0,carry=0'" },
    };
    perc_model *m = gate_of("sum = a ^ b ^ c; carry = atleast(2; a, b, c)");

    t_refuses_model(m, cases, COUNT(cases));
    perc_model_free(m);
}

/* ----- memory ------------------------------------------------------------------------------- */

TEST(memory_that_runs_out_leaves_nothing_behind)
{
    perc_model *m = gate_of("sum = a ^ b ^ c; carry = atleast(2; a, b, c)");
    struct t_data d = table(3, 1);
    perc_dataset *ds = t_borrow(&d);

    assert_int_equal(perc_model_write(m, "model", NULL), PERC_OK);
    memory_runs_out(ds);
    t_free(ds, &d, m);
}
