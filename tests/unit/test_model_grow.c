/* test_model_grow.c -- the promises of model_grow: weights for so many columns, those that were
 * learned stay, and what is too much is refused with what it would need and a remedy. */
#include "t.h"
#include "t_dir.h"
#include "t_make.h"
#include "t_model.h"

static const char two[] = "a 1:1 2:-2\nb 1:-1 2:3\n", three[] = "a 1:1\nb 2:1\nc 1:-1 2:-1\n";

static perc_model *fit_text(const char *text, const char *options)
{
    assert_int_equal(t_put("rows", text), 0);
    perc_dataset *ds = t_read("rows", "index=1");
    perc_model *m = t_fit(ds, options, NULL);

    perc_dataset_free(ds);
    return m;
}

TEST(what_was_learned_stays_and_new_columns_are_0)
{
    perc_model *m = fit_text(two, "algorithm=perceptron epochs=3");
    const uint64_t had = machine_dims(m->learner.machine);
    double old[8];

    assert_in_range(had, 2, 8);
    memcpy(old, m->learner.machine->last.w, had * sizeof *old);
    assert_int_equal(model_grow(m, 0, 1000, NULL), PERC_OK);
    assert_true(machine_dims(m->learner.machine) >= 1000);
    const double *w = m->learner.machine->last.w;
    assert_same_doubles(old, w, had, "after growing");
    for (uint64_t j = had; j < 1000; j++) assert_true(w[j] == 0);
    assert_int_equal(model_grow(m, 0, 3, NULL), PERC_OK); /* they never become fewer */
    assert_true(machine_dims(m->learner.machine) >= 1000);
    perc_model_free(m);
}

TEST(what_does_not_fit_says_how_much_and_what_helps)
{
    static const struct {
        const char *text, *options;
        bool classes; /* of which one alone might fit */
    } t[] = { { two, "algorithm=perceptron", false },
              { three, "algorithm=perceptron", true },
              { three, "algorithm=perceptron positive=a", false } };

    for (size_t i = 0; i < COUNT(t); i++) {
        perc_model *m = fit_text(t[i].text, t[i].options);
        const uint64_t had = machine_dims(m->learner.machine);
        perc_error err = { 0 };

        assert_refused(model_grow(m, i > 0 ? 3 : 2, UINT64_C(1) << 50, &err), PERC_ENOMEM, &err,
                       "out of memory: 1125899906842624 columns");
        assert_non_null(strstr(err.text, "GB for their weights (pass --hash BITS"));
        assert_int_equal(strstr(err.text, "--positive LABEL") != NULL, t[i].classes);
        assert_int_equal(machine_dims(m->learner.machine), had);
        perc_model_free(m);
    }
}

TEST(memory_that_runs_out_leaves_the_model_as_it_was)
{
    assert_int_equal(t_put("rows", two), 0);
    for (struct t_sweep s = { .least = 1, .armed = true }; t_sweep_next(&s);) {
        perc_error err = { 0 };
        perc_dataset *ds = t_read("rows", "index=1");
        perc_params *p = t_params("averaged", "");
        perc_model *m;

        assert_int_equal(perc_fit(&s.env, ds, p, NULL, &m, NULL, &err), PERC_OK);
        double *before = predict(m, ds, 1);
        t_sweep_arm(&s);
        const perc_status st = model_grow(m, 0, 5000, &err);
        double *after = predict(m, ds, 1);
        assert_same_doubles(before, after, (size_t)ds->rows, "after memory ran out");
        free(before), free(after);
        perc_model_free(m);
        perc_params_free(p);
        perc_dataset_free(ds);
        t_sweep_judge(&s, st);
    }
}
