/* borrow.c -- training on arrays that the program has already.
 *
 * A table of structs is lent to the library as it lies in memory: rows are a
 * struct apart, columns a float apart, and nothing is copied but the labels. The
 * arrays must stay as they are until the data set is freed. */
#include <stddef.h>
#include <stdio.h>

#include "perceptron.h"

struct flower { /* petals of two kinds of iris, in centimetres */
    const char *name;
    float length, width;
};

static const struct flower flowers[] = {
    { "setosa", 1.4f, 0.2f },     { "versicolor", 4.7f, 1.4f }, { "setosa", 1.3f, 0.2f },
    { "versicolor", 4.5f, 1.5f }, { "setosa", 1.7f, 0.4f },     { "versicolor", 3.3f, 1.0f },
    { "setosa", 1.5f, 0.1f },     { "versicolor", 3.5f, 1.0f }, { "setosa", 1.9f, 0.2f },
    { "versicolor", 5.1f, 1.6f },
};
enum { FLOWERS = sizeof flowers / sizeof flowers[0] };

/* Setosa is class 0, all else class 1: the larger number becomes +1. */
static void number_labels(double *label)
{
    for (int i = 0; i < FLOWERS; i++) label[i] = flowers[i].name[0] == 's' ? 0 : 1;
}

int main(void)
{
    const perc_dense x = { .values = &flowers[0].length,
                           .type = PERC_F32,
                           .rows = FLOWERS,
                           .columns = 2,
                           .row_stride = sizeof(struct flower),
                           .column_stride = offsetof(struct flower, width) -
                                            offsetof(struct flower, length) };
    double label[FLOWERS], score[FLOWERS];
    perc_dataset *ds = NULL;
    perc_params *p = NULL;
    perc_model *m = NULL;
    perc_error err = { 0 };
    perc_report r;
    perc_status st;

    number_labels(label);
    if ((st = perc_dataset_borrow_dense(NULL, &x, label, NULL, &ds, &err))) goto done;
    if ((st = perc_params_new(NULL, "perceptron", &p, &err))) goto done;
    if ((st = perc_params_set(p, "order", "file", &err))) goto done;
    if ((st = perc_fit(NULL, ds, p, NULL, &m, &r, &err))) goto done;
    if ((st = perc_predict(NULL, m, ds, score, &err))) goto done;
    printf("%s after %lld passes\n", perc_stop_text(r.stop), (long long)r.epochs);
    for (int i = 0; i < FLOWERS; i++)
        printf("%-10s  %.1f x %.1f  %s\n", flowers[i].name, (double)flowers[i].length,
               (double)flowers[i].width, score[i] > 0 ? "+" : "-");

    /* One more flower, which is in no table. */
    const double petal[] = { 4.0, 1.2 };
    const perc_example one = { NULL, petal, 2 };
    double s;
    if ((st = perc_score(m, &one, &s, &err))) goto done;
    printf("4.0 x 1.2 is %s\n", s > 0 ? "no setosa" : "a setosa");
done:
    if (st) fprintf(stderr, "%s\n", err.text);
    perc_model_free(m);
    perc_params_free(p);
    perc_dataset_free(ds);
    return st ? 1 : 0;
}
