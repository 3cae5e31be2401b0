/* fuzz_model.c -- any bytes into the model reader.
 *
 * It must not crash, and a model that is accepted must be usable: it scores, it
 * learns, and it can be written. The harness is libFuzzer's; a plain driver can
 * replay a corpus through the same entry point. */
#include <math.h>
#include <stdlib.h>

#include "model/model.h"
#include "seal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Probabilities of a calibrated model are such, whatever the scores. */
static void ask(const perc_model *m, const double *scores, size_t labels)
{
    double *p = malloc(labels * sizeof *p), sum = 0;

    must(p != NULL && perc_probabilities(m, scores, p, NULL) == PERC_OK);
    for (size_t c = 0; c < labels; c++) sum += p[c];
    must(isnan(sum) || fabs(sum - 1) < 1e-9); /* a score may be inf - inf */
    free(p);
}

/* Every number of a network can be asked for; those of layers are finite. */
static void look(const perc_model *m)
{
    perc_layer layer;
    perc_gate_info gate;
    perc_neuron n;
    size_t source;

    for (size_t i = 0; perc_model_layer(m, i, &layer); i++) {
        must(isfinite(layer.norm));
        for (uint64_t k = 0; k < layer.outputs; k++)
            must(isfinite(perc_model_layer_offset(m, i, k)) &&
                 (layer.inputs == 0 ||
                  isfinite(perc_model_layer_weight(m, i, layer.inputs - 1, k))));
    }
    if (!perc_model_gate(m, &gate)) return;
    for (size_t k = 0; k < gate.neurons; k++) {
        perc_model_neuron(m, k, &n);
        for (size_t i = 0; i < n.synapses; i++) must(n.source[i] < gate.inputs + k);
    }
    for (size_t o = 0; perc_model_gate_output(m, o, &source) != NULL; o++)
        must(source < gate.inputs + gate.neurons);
}

static void use(perc_model *m)
{
    static const uint32_t column[] = { 0, 1, 2, 70 };
    static const double value[] = { 1, -2, 0.5, 1e6 }, bit[] = { 1, 0, 1, 1 };
    const perc_example sparse = { column, value, 4 }, dense = { NULL, value, 4 };
    const perc_example bits = { NULL, bit, 4 };
    perc_model_info info;

    char name[64];
    double *scores;

    perc_model_info_get(m, &info);
    must(info.features == 0 || info.outputs == 0 ||
         isfinite(perc_model_weight(m, info.features - 1, info.outputs - 1)));
    for (uint64_t j = 0; j <= info.features; j++) (void)perc_model_feature(m, j, name, sizeof name);
    scores = malloc((info.outputs + 1) * sizeof *scores);
    must(scores != NULL);
    if (perc_score(m, &sparse, scores, NULL) == PERC_OK) {
        (void)perc_answer(m, scores);
        if (info.calibrated) ask(m, scores, info.labels);
    }
    (void)perc_score(m, &dense, scores, NULL);
    if (perc_score(m, &bits, scores, NULL) == PERC_OK) (void)perc_answer(m, scores);
    look(m);
    free(scores);
    must(perc_model_write(m, "/dev/null", NULL) == PERC_OK);
    (void)perc_learn(m, &sparse, "1", 1, NULL, NULL);
    (void)perc_learn(m, &dense, "-1", 0.5, NULL, NULL);
    (void)perc_learn(m, &dense, "a third", 1, NULL, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct env e = env_resolve(&(perc_env){ .threads = 1 });
    struct tensors t;
    perc_model *m;
    perc_error err;
    size_t n;
    uint8_t *p = seal(data, size, &n);

    if (p == NULL) return 0;
    if (tensors_parse(&e, p, n, &t, &err) == PERC_OK) {
        if (model_decode(&e, &t, &m, &err) == PERC_OK) use(m);
        perc_model_free(m);
        tensors_free(&t);
    }
    free(p);
    return 0;
}
