/* t_model.h -- models that go through a file, files that are changed on purpose, scores compared
 * to the bit, and memory that runs out. */
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

/* ----- files that cannot be right ------------------------------------------------------- */

/* The file `from` as file `to`, which may be the same, with a metadata value changed, or taken
 * out (NULL), and the tensor that has the name of `one` replaced by it, or taken out (type U8,
 * which no model has), and called `name` from now on (NULL: as before). The checksum is right. */
static inline void write_changed(const char *from, const char *to, const char *key,
                                 const char *value, const struct tensor *one, const char *name)
{
    const struct env e = env_resolve(NULL);
    struct tensors old, new;

    assert_int_equal(tensors_read(&e, from, &old, NULL), PERC_OK);
    tensors_init(&new, &e);
    for (size_t i = 0; i < old.metas; i++) {
        const char *k = old.meta[i].key;
        if (strcmp(k, "checksum") == 0 || (key != NULL && strcmp(k, key) == 0)) continue;
        assert_int_equal(tensors_meta(&new, k, old.meta[i].value), PERC_OK);
    }
    if (value != NULL) assert_int_equal(tensors_meta(&new, key, value), PERC_OK);
    for (size_t i = 0; i < old.n; i++) {
        const struct tensor *k = &old.tensor[i];
        const bool it = one != NULL && strcmp(one->name, k->name) == 0;
        if (it && one->type == DTYPE_U8) continue;
        if (it) k = one;
        assert_int_equal(tensors_add(&new, it && name != NULL ? name : k->name, k->type, k->data,
                                     k->shape[0], k->dims == 2 ? k->shape[1] : 0),
                         PERC_OK);
    }
    assert_int_equal(tensors_write(&new, to, NULL), PERC_OK);
    tensors_free(&old);
    tensors_free(&new);
}

/* What the reader says of a file. A refused one leaves no model. */
static inline perc_error error_of_reading(const char *file)
{
    perc_error err = { 0 };
    perc_model *back;

    err.status = perc_model_read(NULL, file, &back, &err);
    assert_true(err.status == PERC_OK || back == NULL);
    perc_model_free(back);
    return err;
}

/* What it says of the file "model" when that is changed, which is then the file "changed". */
static inline perc_error read_changed(const char *key, const char *value, const struct tensor *one,
                                      const char *name)
{
    write_changed("model", "changed", key, value, one, name);
    return error_of_reading("changed");
}

static inline void refused(const perc_error *err, const char *what, const char *reason)
{
    if (err->status != PERC_EDATA || strstr(err->text, reason) == NULL)
        fail_msg("%s: %d '%s' does not say '%s'", what, (int)err->status, err->text, reason);
}

struct wrong { /* a metadata value that makes a file wrong */
    const char *key, *value, *reason;
};

/* The file "model" with each of these. */
static inline void each_is_refused(const struct wrong *w, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const perc_error err = read_changed(w[i].key, w[i].value, NULL, NULL);
        refused(&err, w[i].key, w[i].reason);
    }
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
