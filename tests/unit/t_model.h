/* t_model.h -- models that go through a file, scores compared to the bit, and memory that runs
 * out. */
#ifndef PERC_TEST_MODEL_H
#define PERC_TEST_MODEL_H

#include "base/tensors.h"
#include "model/model.h"
#include "t.h"
#include "t_alloc.h"

/* ----- through a file ------------------------------------------------------------------- */

/* Written to the file "model" and read from there. */
static inline perc_model *reload(const perc_model *m)
{
    perc_error err = { 0 };
    perc_model *back;

    if (perc_model_write(m, "model", &err)) fail_msg("%s", err.text);
    if (perc_model_read(NULL, "model", &back, &err)) fail_msg("%s", err.text);
    return back;
}

/* ----- scores --------------------------------------------------------------------------- */

/* The scores of all rows, learner_outputs() each; free(). No threads (0): as many as cores. */
static inline double *predict(const perc_model *m, const perc_dataset *ds, int threads)
{
    const perc_env env = { .threads = threads };
    double *s = calloc((size_t)ds->rows * learner_outputs(&m->learner) + 1, sizeof *s);
    perc_error err = { 0 };

    assert_non_null(s);
    if (perc_predict(&env, m, ds, s, &err)) fail_msg("%s", err.text);
    return s;
}

static inline void assert_same_doubles(const double *a, const double *b, size_t n, const char *what)
{
    for (size_t i = 0; i < n; i++) /* as bits: +0 and -0 differ */
        if (memcmp(&a[i], &b[i], sizeof *a) != 0)
            fail_msg("%s: %zu: %.17g, not %.17g", what, i, b[i], a[i]);
}

/* ----- memory --------------------------------------------------------------------------- */

static inline perc_status use_model(const perc_env *env, const perc_dataset *ds)
{
    perc_metrics got;
    perc_model *m;
    perc_status st = perc_model_read(env, "model", &m, NULL);

    if (!st) st = perc_evaluate(env, m, ds, &got, NULL, NULL);
    if (!st) st = perc_model_write(m, "again", NULL);
    perc_model_free(m);
    return st;
}

/* The file "model" is read, tested on `ds` and written, while call 0, 1, 2, ... for memory
 * fails: nothing stays behind. */
static inline void memory_runs_out(const perc_dataset *ds)
{
    for (struct t_sweep s = { .least = 50 }; t_sweep_next(&s);) {
        const perc_status st = use_model(&s.env, ds);
        t_sweep_judge(&s, st);
    }
}

#endif
