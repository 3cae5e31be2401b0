/* train_and_save.c -- from a data file to a model file, and back.
 *
 *     train_and_save [DATA [MODEL]]
 *
 * DATA is a LIBSVM or CSV file, compressed or not, or a built-in set; without it
 * the built-in :blobs85 is used. This is what `perceptron train` and `perceptron
 * test` do, in the fewest calls. */
#include <stdio.h>

#include "perceptron.h"

/* Trains on `data` and writes the model. */
static perc_status train(const char *data, const char *model, perc_error *err)
{
    perc_dataset *ds = NULL;
    perc_params *p = NULL;
    perc_model *m = NULL;
    perc_report r;
    perc_status st;

    if ((st = perc_dataset_read(NULL, data, NULL, &ds, err))) goto done;
    if ((st = perc_params_new(NULL, "perceptron", &p, err))) goto done;
    if ((st = perc_params_set(p, "epochs", "50", err))) goto done; /* as --epochs 50 */
    if ((st = perc_params_set(p, "seed", "7", err))) goto done;
    if ((st = perc_fit(NULL, ds, p, NULL, &m, &r, err))) goto done;
    printf("%s after %lld passes and %lld updates; %llu of %llu rows wrong\n",
           perc_stop_text(r.stop), (long long)r.epochs, (long long)r.updates,
           (unsigned long long)r.training_errors, (unsigned long long)r.rows);
    st = perc_model_write(m, model, err);
done:
    perc_model_free(m);
    perc_params_free(p);
    perc_dataset_free(ds);
    return st;
}

/* Reads the model and tries it on `data`, which is read as the model asks: its
 * features, its scaling. */
static perc_status test(const char *data, const char *model, perc_error *err)
{
    perc_dataset *ds = NULL;
    perc_model *m = NULL;
    perc_metrics q;
    perc_status st;

    if ((st = perc_model_read(NULL, model, &m, err))) goto done;
    if ((st = perc_dataset_read_for(NULL, m, data, NULL, &ds, err))) goto done;
    if ((st = perc_evaluate(NULL, m, ds, &q, NULL, err))) goto done;
    printf("accuracy %g, area under the ROC curve %g\n", q.accuracy, q.auc);
done:
    perc_dataset_free(ds);
    perc_model_free(m);
    return st;
}

int main(int argc, char **argv)
{
    const char *data = argc > 1 ? argv[1] : ":blobs85";
    const char *model = argc > 2 ? argv[2] : "model.safetensors";
    perc_error err = { 0 };

    if (train(data, model, &err) == PERC_OK && test(data, model, &err) == PERC_OK) return 0;
    if (err.line > 0)
        fprintf(stderr, "%s:%lld:%lld: %s\n", data, (long long)err.line, (long long)err.column,
                err.text);
    else fprintf(stderr, "%s\n", err.text);
    return 1;
}
