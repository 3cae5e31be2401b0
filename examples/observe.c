/* observe.c -- watching a perceptron learn, and stopping it.
 *
 * An observer is called as training goes on: after every update here, with the
 * example, its score and the counts. It prints them, and ends the run once ten
 * updates have been made, as a program would that has seen enough. The data are
 * those of "exclusive or", which no line separates, so that it would never end by
 * itself. */
#include <stdio.h>

#include "perceptron.h"

struct watcher {
    const perc_dataset *ds;
    int64_t enough; /* updates */
};

/* A non-zero answer stops the run. */
static int notify(void *ud, const perc_event *e)
{
    const struct watcher *w = ud;
    double x[2];

    if (e->pass_ended) {
        printf("pass %lld ends with %lld mistakes\n", (long long)e->epoch,
               (long long)e->pass_mistakes);
        return 0;
    }
    if (e->row < 0) return 0; /* only a sign of life */
    perc_dataset_row(w->ds, (uint64_t)e->row, x);
    printf("update %2lld: (%g, %g) is %+g but had the score %g\n", (long long)e->updates, x[0],
           x[1], e->y, e->score);
    return e->updates >= w->enough;
}

int main(void)
{
    perc_dataset *ds = NULL;
    perc_params *p = NULL;
    perc_model *m = NULL;
    perc_error err = { 0 };
    perc_report r;
    perc_status st;

    if ((st = perc_dataset_read(NULL, ":xor", NULL, &ds, &err))) goto done;
    if ((st = perc_params_new(NULL, "perceptron", &p, &err))) goto done;
    if ((st = perc_params_set(p, "order", "file", &err))) goto done;

    struct watcher w = { ds, 10 };
    const perc_observer o = { PERC_WATCH_UPDATES, notify, &w };
    if ((st = perc_fit(NULL, ds, p, &o, &m, &r, &err))) goto done;
    printf("%s: %lld updates, %llu of %llu rows wrong\n", perc_stop_text(r.stop),
           (long long)r.updates, (unsigned long long)r.training_errors, (unsigned long long)r.rows);
done:
    if (st) fprintf(stderr, "%s\n", err.text);
    perc_model_free(m);
    perc_params_free(p);
    perc_dataset_free(ds);
    return st ? 1 : 0;
}
