/* mlp.c -- a network with a hidden layer learns "exclusive or", which no single neuron can.
 *
 *     cc mlp.c -lperceptron -o mlp && ./mlp
 *
 * The loss is printed now and then while it learns. What is learned does not depend on the machine
 * or on the number of threads, so that this prints the same everywhere. */
#include <stdio.h>

#include "perceptron.h"

static const double square[4][2] = { { 0, 0 }, { 0, 1 }, { 1, 0 }, { 1, 1 } };
static const double differ[4] = { 0, 1, 1, 0 }; /* the labels */

static int notify(void *ud, const perc_event *e)
{
    (void)ud;
    if (e->pass_ended && e->epoch % 20 == 0)
        printf("pass %lld: loss %.3f, mistakes %lld\n", (long long)e->epoch, e->loss,
               (long long)e->pass_mistakes);
    return 0;
}

static perc_status set_options(perc_params *p, perc_error *err)
{
    static const char *const option[][2] = {
        { "layers", "8" }, { "activation", "tanh" }, { "rate", "0.02" }, { "epochs", "80" }
    };
    perc_status st = PERC_OK;

    for (int i = 0; !st && i < 4; i++) st = perc_params_set(p, option[i][0], option[i][1], err);
    return st;
}

static void print_layers(const perc_model *m)
{
    perc_layer layer;

    for (size_t i = 0; perc_model_layer(m, i, &layer); i++)
        printf("layer %zu: %llu -> %llu%s%s\n", i, (unsigned long long)layer.inputs,
               (unsigned long long)layer.outputs, layer.activation[0] ? ", " : "",
               layer.activation);
}

int main(void)
{
    const perc_dense x = { .values = square,
                           .type = PERC_F64,
                           .rows = 4,
                           .columns = 2,
                           .row_stride = sizeof square[0],
                           .column_stride = sizeof square[0][0] };
    const perc_observer o = { PERC_WATCH_COUNTS, notify, NULL };
    double score[4], p_of[2];
    perc_dataset *ds = NULL;
    perc_params *p = NULL;
    perc_model *m = NULL;
    perc_error err = { 0 };
    perc_report r;
    perc_status st;

    if ((st = perc_dataset_borrow_dense(NULL, &x, differ, NULL, &ds, &err))) goto done;
    if ((st = perc_params_new(NULL, "mlp", &p, &err))) goto done;
    if ((st = set_options(p, &err))) goto done;
    if ((st = perc_fit(NULL, ds, p, &o, &m, &r, &err))) goto done;
    print_layers(m);
    if ((st = perc_predict(NULL, m, ds, score, &err))) goto done;
    for (int i = 0; i < 4; i++) {
        if ((st = perc_probabilities(m, &score[i], p_of, &err))) goto done;
        printf("%g xor %g: %g with probability %.2f\n", square[i][0], square[i][1],
               score[i] > 0 ? 1.0 : 0.0, p_of[score[i] > 0]);
    }
done:
    if (st) fprintf(stderr, "mlp: %s\n", err.text);
    perc_model_free(m);
    perc_params_free(p);
    perc_dataset_free(ds);
    return st ? 1 : 0;
}
