/* The learners that solve a problem at once, svm and lp, as a user meets them: what they
 * report, how they fail, several classes, weights, files, threads. The solvers have tests
 * of their own (test_svm_dual, test_svm_newton, test_hard, test_lp). */
#include <math.h>

#include "t.h"
#include "t_dir.h"
#include "t_make.h"

static perc_status fit_status(const perc_dataset *ds, const char *learner, const char *options,
                              perc_error *err)
{
    perc_params *p = t_params(learner, options);
    perc_model *m;
    const perc_status st = perc_fit(NULL, ds, p, NULL, &m, NULL, err);

    assert_true((m == NULL) == (st != PERC_OK));
    t_free(m, p);
    return st;
}

/* The objective by a plain loop. */
static double objective(const struct t_data *d, const perc_model *m, double c, int power,
                        bool offset_in_norm)
{
    const double *w = t_weights(m), b = t_offset(m);
    double sum = offset_in_norm ? b * b / 2 : 0;

    for (size_t j = 0; j < d->cols; j++) sum += w[j] * w[j] / 2;
    for (size_t i = 0; i < d->rows; i++) {
        double s = b;
        for (size_t j = 0; j < d->cols; j++) s += w[j] * d->x[i * d->cols + j];
        const double slack = 1 - d->y[i] * s;
        const double weight = d->weight != NULL ? d->weight[i] : 1;
        if (slack > 0) sum += c * weight * (power == 1 ? slack : slack * slack);
    }
    return sum;
}

/* What is reported is true of what is returned, for every combination of options. */
TEST(the_report_is_true_of_the_model)
{
    static const char *const how[] = {
        "loss=hinge",
        "loss=squared solver=dual",
        "loss=squared solver=newton",
        "loss=hinge offset-free=true",
        "loss=squared offset-free=true solver=newton",
        "loss=squared offset-free=true solver=dual",
        "loss=hinge offset=false",
        "loss=squared offset=false",
    };

    for (size_t k = 0; k < 8 * COUNT(how); k++) {
        const char *which = how[k / 8];
        const double c = (double[]){ 0.01, 1, 30, 0.3 }[k % 4];
        struct t_data d = t_noise(40 + k, 5, k % 2 ? T_WHOLE : T_REAL, 0.7, k);
        char options[160];
        perc_report r;
        if (k % 8 >= 4) t_weigh(&d, k);
        perc_dataset *ds = t_borrow(&d);
        snprintf(options, sizeof options, "algorithm=svm gap=1e-6 epochs=100000000 C=%g %s", c,
                 which);
        perc_model *m = t_fit(ds, options, &r);
        const int power = strstr(which, "hinge") != NULL ? 1 : 2;
        const double p = objective(&d, m, c, power, strstr(which, "offset-free") == NULL);
        if (r.stop != PERC_STOP_SOLVED) fail_msg("%s: %s", options, perc_stop_text(r.stop));
        if (!(fabs(p - r.primal) <= 1e-9 * p)) fail_msg("%s: %g is %g", options, r.primal, p);
        assert_true(r.dual <= r.primal * (1 + 1e-12));
        assert_true(r.primal - r.dual <= 1e-6 * r.primal);
        assert_true(r.supports > 0 && r.supports <= d.rows);
        assert_true(isnan(r.margin_lower) && isnan(r.margin_upper));
        assert_true(strcmp(r.solver, "dual") == 0 || strcmp(r.solver, "newton") == 0);
        t_free(m, ds, &d);
    }
}

/* The two solvers solve the same problem: each bounds the other's objective. */
TEST(the_solvers_agree)
{
    for (uint64_t k = 0; k < 20; k++) {
        struct t_data d = t_noise(60, 8, T_REAL, 0.6, 100 + k);
        perc_dataset *ds = t_borrow(&d);
        perc_report a, b;
        char options[128];
        snprintf(options, sizeof options,
                 "algorithm=svm gap=1e-8 epochs=100000 C=%g offset-free=%s", k % 3 ? 1.0 : 0.05,
                 k % 2 ? "true" : "false");
        char one[160], two[160];
        snprintf(one, sizeof one, "%s solver=dual", options);
        snprintf(two, sizeof two, "%s solver=newton", options);
        perc_model *m = t_fit(ds, one, &a), *n = t_fit(ds, two, &b);
        assert_string_equal(a.solver, "dual");
        assert_string_equal(b.solver, "newton");
        assert_true(a.primal >= b.dual * (1 - 1e-12) && b.primal >= a.dual * (1 - 1e-12));
        assert_true(fabs(a.primal - b.primal) <= 1e-8 * a.primal);
        t_free(m, n, ds, &d);
    }
}

/* Three classes are three problems: vector c is that of --positive c. */
TEST(classes_are_problems_of_their_own)
{
    static const char *const how[] = { "algorithm=svm loss=hinge", "algorithm=svm solver=newton",
                                       "algorithm=svm solver=dual C=0.1 class-weight=setosa=2" };

    for (size_t k = 0; k < COUNT(how); k++) {
        perc_dataset *ds = t_read(":iris", "");
        perc_report all, r;
        perc_model *m = t_fit(ds, how[k], &all);
        double primal = 0, dual = 0;
        for (size_t c = 0; c < 3; c++) {
            char options[160];
            snprintf(options, sizeof options, "%s positive=%s", how[k], perc_dataset_label(ds, c));
            perc_model *one = t_fit(ds, options, &r);
            for (uint64_t j = 0; j < 4; j++)
                assert_true(t_same_bits(perc_model_weight(m, j, c), perc_model_weight(one, j, 0)));
            assert_true(t_same_bits(perc_model_offset(m, c), perc_model_offset(one, 0)));
            primal += r.primal;
            dual += r.dual;
            perc_model_free(one);
        }
        assert_true(fabs(primal - all.primal) <= 1e-12 * primal);
        assert_true(fabs(dual - all.dual) <= 1e-12 * primal);
        t_free(m, ds);
    }
}

/* From four classes on the rows are prepared for all of them (solve/shared.h). */
TEST(prepared_rows_are_the_same_rows)
{
    static const char *const how[] = { "algorithm=svm loss=hinge", "algorithm=svm solver=dual",
                                       "algorithm=svm solver=newton" };
    FILE *f = fopen("five.svm", "w");

    assert_non_null(f);
    for (unsigned i = 0; i < 80; i++) {
        fprintf(f, "%u", i % 5);
        for (unsigned j = 1 + i % 3; j < 40; j += 1 + (i * 7 + j * j) % 9)
            fprintf(f, " %u:%u.%u", j, i * j % 7, 1 + (i + j) % 9);
        fprintf(f, "\n");
    }
    fclose(f);
    perc_dataset *ds = t_read("five.svm", "");
    perc_dataset_info info;
    perc_dataset_info_get(ds, &info);
    assert_string_equal(info.storage, "decimal32");
    assert_false(info.dense);
    for (size_t k = 0; k < COUNT(how); k++) {
        perc_model *m = t_fit(ds, how[k], NULL);
        for (unsigned c = 0; c < 5; c++) {
            char options[160];
            snprintf(options, sizeof options, "%s positive=%u", how[k], c);
            perc_model *one = t_fit(ds, options, NULL);
            for (uint64_t j = 0; j < info.features; j++)
                assert_true(t_same_bits(perc_model_weight(m, j, c), perc_model_weight(one, j, 0)));
            perc_model_free(one);
        }
        perc_model_free(m);
    }
    perc_dataset_free(ds);
}

/* A solver that has no room for a direction beside w, or no sight of the images of the rows, finds
 * what any other finds. */
TEST(wide_rows_and_images)
{
    static const struct {
        const char *text, *data, *options;
    } cases[] = {
        { "1 1:1 2:2 3:1\n-1 1:-1 2:1\n1 1:2 3:1\n-1 2:1 3:3\n", "", "loss=hinge" },
        { "1 1:1 2000000:2 3000000:1\n-1 1:-1 2000000:1\n1 1:2 3000000:1\n-1 2000000:1 3000000:3\n",
          "", "loss=hinge" },
        { "1 1:1 2:2\n-1 1:-1 2:1\n1 1:2\n-1 2:1\n", "map=poly:2", "solver=dual" },
        { "1 1:1 2:2\n-1 1:-1 2:1\n1 1:2\n-1 2:1\n", "map=poly:2", "" },
    };
    double *score[COUNT(cases)];
    size_t n;

    for (size_t k = 0; k < COUNT(cases); k++) {
        char options[80];
        FILE *f = fopen("rows", "w");
        assert_non_null(f);
        fputs(cases[k].text, f);
        fclose(f);
        snprintf(options, sizeof options, "algorithm=svm gap=1e-9 %s", cases[k].options);
        perc_dataset *ds = t_read("rows", cases[k].data);
        perc_model *m = t_fit(ds, options, NULL);
        score[k] = t_scores(m, ds, &n);
        assert_int_equal(n, 4);
        t_free(m, ds);
    }
    for (size_t k = 0; k < COUNT(cases); k += 2) {
        for (size_t i = 0; i < 4; i++) assert_true(fabs(score[k][i] - score[k + 1][i]) < 1e-3);
        free(score[k]);
        free(score[k + 1]);
    }
}

TEST(threads_do_not_matter)
{
    static const char *const how[][2] = { { "svm", "loss=hinge" },
                                          { "svm", "solver=newton" },
                                          { "svm", "solver=dual" },
                                          { "svm", "hard=true" },
                                          { "lp", "" },
                                          { "svm", "offset-free=true" } };

    for (size_t k = 0; k < 2 * COUNT(how); k++) {
        const bool iris = k % 2;
        const double u[] = { 1, -2, 1, 0.5 };
        struct t_data d = t_planted(300, 4, u, 0.5, 0.05, 9);
        perc_dataset *ds = iris ? t_read(":iris", "") : t_borrow(&d);
        perc_params *p = t_params(how[k / 2][0], how[k / 2][1]);
        struct t_bytes first = { 0 };
        if (iris) perc_params_set(p, "positive", "setosa", NULL);
        for (int threads = 1; threads <= 3; threads++) {
            const perc_env env = { .threads = threads };
            perc_model *m;
            assert_int_equal(perc_fit(&env, ds, p, NULL, &m, NULL, NULL), PERC_OK);
            if (threads == 1) first = t_bytes_of(m);
            else t_assert_bytes(&first, m);
            perc_model_free(m);
        }
        free(first.p);
        t_free(p, ds, &d);
    }
}

/* Dense or sparse: the same numbers, the same machine. */
TEST(the_form_of_the_data_does_not_matter)
{
    static const char *const how[][2] = {
        { "svm", "loss=hinge" },
        { "svm", "solver=dual" },
        { "svm", "solver=newton" },
        { "svm", "offset-free=true solver=dual" },
        { "svm", "offset-free=true solver=newton" },
        { "svm", "offset=false" },
        { "svm", "hard=true" },
        { "lp", "" },
    };

    for (size_t k = 0; k < 6 * COUNT(how); k++) {
        const double u[] = { 1, -2, 1, 0.5, 3, -1, 2, 1, -1, 1 };
        const bool holes = k % 6 < 3; /* then they may not be separable any more */
        struct t_data d = t_planted(120, 10, u, 0.5, 0.05, k);
        for (size_t i = 0; i < d.rows * d.cols && holes; i++)
            if (i % 3 == 1) d.x[i] = 0;
        struct t_csr c = t_csr_new(&d);
        perc_dataset *dense = t_borrow(&d), *sparse = t_borrow_csr(&d, &c, PERC_I32, PERC_I64);
        perc_params *p = t_params(how[k / 6][0], how[k / 6][1]);
        perc_model *m, *n;
        const perc_status st = perc_fit(NULL, dense, p, NULL, &m, NULL, NULL);
        assert_int_equal(perc_fit(NULL, sparse, p, NULL, &n, NULL, NULL), st);
        if (!holes) assert_int_equal(st, PERC_OK);
        for (uint64_t j = 0; j < d.cols && st == PERC_OK; j++)
            if (!t_same_bits(perc_model_weight(m, j, 0), perc_model_weight(n, j, 0)))
                fail_msg("%s, set %zu: weight %zu differs", how[k / 6][1], k, (size_t)j);
        if (st == PERC_OK)
            assert_true(t_same_bits(perc_model_offset(m, 0), perc_model_offset(n, 0)));
        t_free(m, n, p, dense);
        t_free(sparse, &c, &d);
    }
}

/* With enough rows a second thread brings them together (data/gather.h). */
TEST(rows_brought_together_are_the_same_rows)
{
    perc_params *g = t_params("sparse", "rows=30000 features=5000 nonzeros=60 noise=0.1");
    perc_params *p = t_params("svm", "solver=dual epochs=3");
    perc_dataset *ds;
    struct t_bytes first = { 0 };

    assert_int_equal(perc_dataset_generate(NULL, g, &ds, NULL), PERC_OK);
    for (int k = 0; k < 4; k++) {
        const perc_env env = { .threads = 1 + k % 2 };
        perc_model *m;
        assert_int_equal(perc_params_set(p, "loss", k < 2 ? "hinge" : "squared", NULL), PERC_OK);
        assert_int_equal(perc_fit(&env, ds, p, NULL, &m, NULL, NULL), PERC_OK);
        if (k % 2 == 0) free(first.p);
        if (k % 2 == 0) first = t_bytes_of(m);
        else t_assert_bytes(&first, m);
        perc_model_free(m);
    }
    free(first.p);
    t_free(ds, g, p);
}

/* What a file keeps, and the answers of what is read from it. */
TEST(a_file_keeps_what_was_found)
{
    static const char *const how[] = { "algorithm=svm", "algorithm=svm hard=true positive=setosa",
                                       "algorithm=lp positive=setosa" };

    for (size_t k = 0; k < COUNT(how); k++) {
        perc_dataset *ds = t_read(":iris", "");
        perc_report r;
        perc_model *m = t_fit(ds, how[k], &r), *back;
        perc_model_info info;
        assert_int_equal(perc_model_write(m, "m", NULL), PERC_OK);
        assert_int_equal(perc_model_read(NULL, "m", &back, NULL), PERC_OK);
        t_assert_same_machine(m, back);
        t_assert_same_file(m, back);
        perc_model_info_get(back, &info);
        assert_string_equal(info.solver, r.solver);
        assert_int_equal(info.stop, PERC_STOP_SOLVED);
        assert_true(t_same_bits(info.primal, r.primal) || (isnan(r.primal) && isnan(info.primal)));
        assert_true(t_same_bits(info.dual, r.dual) || (isnan(r.dual) && isnan(info.dual)));
        assert_true(k == 0 ? isnan(info.margin_lower)
                           : t_same_bits(info.margin_lower, r.margin_lower));
        assert_true(k != 1 ? isnan(info.margin_upper)
                           : t_same_bits(info.margin_upper, r.margin_upper));
        assert_int_equal(info.supports, r.supports);
        t_free(m, back, ds);
    }
}

/* Where no hyperplane separates the rows the answer is no, and names the class. */
TEST(inseparable_rows_are_an_answer)
{
    static const char *const how[][2] = { { "svm", "hard=true" }, { "lp", "" } };

    for (size_t k = 0; k < 2; k++) {
        perc_dataset * xor = t_read(":xor", ""), *iris = t_read(":iris", "");
        perc_dataset *and = t_read(":and", ""), *lifted = t_read(":xor", "map=poly:2");
        perc_error err = { 0 };
        assert_int_equal(fit_status(and, how[k][0], how[k][1], &err), PERC_OK);
        assert_refused(fit_status(xor, how[k][0], how[k][1], &err), PERC_ENO, &err,
                       "no hyperplane separates the rows");
        assert_refused(fit_status(iris, how[k][0], how[k][1], &err), PERC_ENO, &err,
                       "label versicolor against the rest");
        assert_int_equal(fit_status(lifted, how[k][0], how[k][1], &err), PERC_OK);
        t_free(xor, iris, and, lifted);
    }
}

/* A row of zeros has the score 0 whatever w is: it is named. */
TEST(a_row_of_zeros_is_named)
{
    static const char *const how[][2] = { { "svm", "hard=true offset=false" },
                                          { "lp", "offset=false" } };
    struct t_data d = t_data_new(4, 2);
    perc_error err = { 0 };

    for (size_t i = 0; i < 4; i++) {
        d.y[i] = i % 2 ? 1 : -1;
        d.x[2 * i] = i == 2 ? 0 : d.y[i];
    }
    for (size_t k = 0; k < 2; k++) {
        perc_dataset *ds = t_borrow(&d);
        assert_refused(fit_status(ds, how[k][0], how[k][1], &err), PERC_ENO, &err, "row 3 is 0");
        perc_dataset_free(ds);
    }
    d.x[4] = -1e-40; /* as good as 0 beside the others, but not 0 */
    perc_dataset *ds = t_borrow(&d);
    perc_report r;
    perc_model *m = t_fit(ds, "algorithm=svm hard=true offset=false", &r);
    assert_int_equal(r.training_errors, 0);
    assert_true(r.margin_lower > 0.999e-40 && r.margin_upper < 1.001e-40);
    t_free(m, ds, &d);
}

/* Below what doubles can tell, the decimals decide: 0.2 is between 0.1 and 0.3, though the doubles
 * are not; and what no plane of doubles separates is no model. */
TEST(decimals_decide_what_doubles_cannot)
{
    static const struct {
        double x[6];
        perc_status st;
        const char *says;
    } set[] = { { { 0, 0.1, 0.5, 0.2, 1, 0.3 }, PERC_ENO, "rows 1, 2 and 3 meet (checked" },
                { { 0, 0.1, 0.5, 0.3, 1, 0.3 }, PERC_OK, "" },
                { { 0, 1, 0, 1.0000000000000002, 0, 1 }, PERC_EUNDECIDED, "x2 - 100000" } };
    static const char *const how[] = { "hard=true", "hard=true offset-inside=true" };

    for (size_t k = 0; k < COUNT(set) * COUNT(how); k++) {
        struct t_data d = t_data_new(3, 2);
        perc_error err = { 0 };
        memcpy(d.x, set[k / 2].x, sizeof set->x);
        for (size_t i = 0; i < 3; i++) d.y[i] = i == 1 ? 1 : -1;
        perc_dataset *ds = t_borrow(&d);
        const perc_status st = fit_status(ds, "svm", how[k % 2], &err);
        if (set[k / 2].st == PERC_OK) assert_int_equal(st, PERC_OK);
        else assert_refused(st, set[k / 2].st, &err, set[k / 2].says);
        t_free(ds, &d);
    }
}

/* Rows of weight 0 are not asked about, and a class is asked about by itself. */
TEST(whole_numbers_see_the_rows_that_count)
{
    const double x[] = { 0, 0.1, 0.5, 0.2, 1, 0.3, 5, 5 };
    struct t_data d = t_data_new(4, 2);
    perc_error err = { 0 };

    memcpy(d.x, x, sizeof x);
    d.y[0] = d.y[2] = 0;
    d.y[1] = 1;
    d.y[3] = 2;
    d.weight = malloc(4 * sizeof *d.weight);
    for (size_t i = 0; i < 4; i++) d.weight[i] = 1;
    perc_dataset *ds = t_borrow(&d);
    assert_refused(fit_status(ds, "svm", "hard=true", &err), PERC_ENO, &err,
                   "label 0 against the rest: no hyperplane");
    perc_dataset_free(ds);
    d.weight[1] = 0;
    ds = t_borrow(&d);
    assert_int_equal(fit_status(ds, "svm", "hard=true", &err), PERC_OK);
    t_free(ds, &d);
}

/* With the offset outside the norm the margin is half the distance of the hulls, here 3 (rows 1
 * and 2 above 11, rows 3 and 4 at 8), and moves with the rows; --offset-free changes nothing. */
TEST(the_geometric_margin_is_the_default)
{
    const double x[] = { 10, 12, 12, 11, 10, 8, 13, 8 };
    static const char *const how[] = { "algorithm=svm hard=true gap=1e-12",
                                       "algorithm=svm hard=true gap=1e-12 offset-free=true",
                                       "algorithm=svm hard=true gap=1e-12 offset-inside=true" };
    double margin[COUNT(how)];

    for (size_t k = 0; k < COUNT(how); k++) {
        struct t_data d = t_data_new(4, 2);
        perc_report r;
        memcpy(d.x, x, sizeof x);
        for (size_t i = 0; i < 4; i++) d.y[i] = i < 2 ? 1 : -1;
        perc_dataset *ds = t_borrow(&d);
        perc_model *m = t_fit(ds, how[k], &r);
        assert_int_equal(r.stop, PERC_STOP_SOLVED);
        margin[k] = r.margin_lower;
        if (k < 2) assert_true(r.geometric_lower <= 1.5 && r.geometric_upper >= 1.5);
        if (k < 2) assert_true(r.geometric_upper - r.geometric_lower < 1e-11);
        if (k < 2) assert_true(fabs(1 / r.norm - 1.5) < 1e-9);
        else assert_true(isnan(r.geometric_lower) && fabs(1 / r.norm_augmented - margin[k]) < 1e-9);
        t_free(m, ds, &d);
    }
    for (size_t k = 1; k < COUNT(how); k++) assert_true(fabs(margin[k] - margin[0]) < 1e-10);
}

/* Of many rows, those that hold the program down are few: at most columns + 2. */
TEST(few_rows_make_it_infeasible)
{
    struct t_data d = t_noise(500, 3, T_REAL, 1, 5);
    perc_dataset *ds = t_borrow(&d);
    perc_error err = { 0 };
    const char *by;

    assert_int_equal(fit_status(ds, "lp", "", &err), PERC_ENO);
    by = strstr(err.text, "infeasible, as ");
    assert_non_null(by);
    assert_in_range(atoi(by + 15), 2, 5);
    t_free(ds, &d);
}

TEST(contradictions_are_refused)
{
    static const char *const how[][2] = {
        { "hard=true C=2", "leave out -C" },
        { "hard=true loss=hinge", "leave out -C and --loss" },
        { "hard=true solver=dual", "leave out --solver" },
        { "offset-inside=true", "is for --hard" },
        { "hard=true offset-inside=true offset=false", "contradict" },
        { "hard=true offset-inside=true offset-free=true", "contradict" },
        { "loss=hinge solver=newton", "smooth loss" },
        { "offset-free=true offset=false", "contradict" },
    };
    perc_dataset *ds = t_read(":and", "");

    for (size_t k = 0; k < COUNT(how); k++) {
        perc_error err = { 0 };
        assert_refused(fit_status(ds, "svm", how[k][0], &err), PERC_EARG, &err, how[k][1]);
        perc_params *p = t_params("svm", how[k][0]); /* no data are needed to say so */
        perc_model *m;
        assert_int_equal(perc_params_check(p, &err), PERC_EARG);
        assert_int_equal(perc_model_new(NULL, p, &m, NULL), PERC_EARG);
        assert_null(m);
        perc_params_free(p);
    }
    static const char *const fine[] = { "svm", "lp", "averaged", "data", "moons" };
    for (size_t k = 0; k < COUNT(fine); k++) {
        perc_params *p = t_params(fine[k], "");
        assert_int_equal(perc_params_check(p, NULL), PERC_OK);
        perc_params_free(p);
    }
    perc_dataset_free(ds);
}

/* Numbers that no machine of doubles can be found for are an error, not a model. */
TEST(numbers_that_are_too_large)
{
    static const char *const how[] = { "solver=newton", "solver=dual", "loss=hinge", "" };
    perc_dataset *and = t_read(":and", "");
    struct t_data d = t_data_new(4, 1);
    perc_error err = { 0 };

    for (size_t i = 0; i < 4; i++) d.x[i] = d.y[i] = i % 2 ? 1 : -1;
    d.x[3] = 1e200;
    for (size_t k = 0; k < COUNT(how); k++) {
        char options[80];
        perc_dataset *ds = t_borrow(&d);
        snprintf(options, sizeof options, "C=1e300 class-weight=1=1e10 %s", how[k]);
        assert_refused(fit_status(and, "svm", options, &err), PERC_EARG, &err, "too large");
        assert_refused(fit_status(ds, "svm", how[k], &err), PERC_EDATA, &err, "scale");
        assert_int_equal(err.line, 4);
        perc_dataset_free(ds);
    }
    const double none[] = { 1, 1, 1, 0 }; /* a row that does not count may be anything */
    d.weight = malloc(sizeof none);
    memcpy(d.weight, none, sizeof none);
    perc_dataset *ds = t_borrow(&d);
    assert_int_equal(fit_status(ds, "svm", "", &err), PERC_OK);
    t_free(ds, and, &d);
}

/* Where Newton's method ends without a solution the dual has a turn. */
TEST(the_other_solver_has_a_turn)
{
    static const char *const c[] = { "1e15", "1e20" };
    perc_dataset *ds = t_read(":blobs85", "");

    for (size_t k = 0; k < COUNT(c); k++) {
        char options[80];
        perc_report r, s;
        snprintf(options, sizeof options, "algorithm=svm epochs=100000 C=%s", c[k]);
        perc_model *m = t_fit(ds, options, &r);
        snprintf(options, sizeof options, "algorithm=svm solver=newton epochs=400 C=%s", c[k]);
        perc_model *n = t_fit(ds, options, &s);
        assert_int_equal(r.stop, PERC_STOP_SOLVED);
        assert_true(r.primal - r.dual <= 1e-4 * r.primal);
        assert_int_not_equal(s.stop, PERC_STOP_SOLVED);
        assert_true(r.primal <= s.primal * (1 + 1e-8) && r.dual >= s.dual);
        if (k == 1) assert_string_equal(r.solver, "dual");
        t_free(m, n);
    }
    perc_dataset_free(ds);
}

/* A solver that can do no more does not say that a limit stopped it. */
TEST(a_standstill_is_not_a_limit)
{
    const double x[] = { 1, nextafter(1, 2) }, y[] = { -1, 1 };
    static const char *const how[] = { "algorithm=lp", "algorithm=svm solver=newton C=1e20" };
    struct t_data d = t_data_new(2, 1);

    memcpy(d.x, x, sizeof x);
    memcpy(d.y, y, sizeof y);
    for (size_t k = 0; k < COUNT(how); k++) {
        perc_dataset *ds = k < 1 ? t_borrow(&d) : t_read(":blobs85", "");
        perc_report r;
        perc_model *m = t_fit(ds, how[k], &r), *back;
        perc_model_info info;
        if (r.stop != PERC_STOP_STUCK) fail_msg("%s: %s", how[k], perc_stop_text(r.stop));
        assert_true(r.epochs < 10000);
        assert_string_equal(perc_stop_text(r.stop), "could get no further");
        assert_int_equal(perc_model_write(m, "m", NULL), PERC_OK);
        assert_int_equal(perc_model_read(NULL, "m", &back, NULL), PERC_OK);
        perc_model_info_get(back, &info);
        assert_int_equal(info.stop, PERC_STOP_STUCK);
        t_free(m, back, ds);
    }
    t_data_free(&d);
}

/* What was solved for is a start like any w: the perceptron has nothing to add to it. */
TEST(what_was_solved_is_a_start)
{
    perc_dataset *ds = t_read(":and", "");
    perc_model *m = t_fit(ds, "algorithm=svm", NULL);
    perc_report r;

    assert_int_equal(perc_model_write(m, "start", NULL), PERC_OK);
    perc_model *next = t_fit(ds, "algorithm=perceptron init=start", &r);
    assert_int_equal(r.mistakes, 0);
    assert_int_equal(r.start_found, 2);
    t_assert_same_scores(m, next, ds);
    t_free(m, next, ds);
}

TEST(what_is_solved_cannot_go_on)
{
    perc_dataset *ds = t_read(":and", "");
    perc_model *m = t_fit(ds, "algorithm=svm", NULL), *n;
    perc_error err = { 0 };
    const double one[] = { 1, 1 };
    const perc_example x = { NULL, one, 2 };

    assert_int_equal(perc_fit_resume(NULL, ds, m, NULL, NULL, &n, NULL, &err), PERC_EARG);
    assert_null(n);
    assert_non_null(strstr(err.text, "svm"));
    assert_int_equal(perc_learn(m, &x, "1", 1, NULL, &err), PERC_EARG);
    t_free(m, ds);
}

/* An observer ends it, and so do the clock and the passes; the model is there then. */
static int stop_at_once(void *ud, const perc_event *event)
{
    (void)event;
    ++*(int *)ud;
    return 1;
}

TEST(limits_end_it)
{
    struct t_data d = t_noise(3000, 20, T_REAL, 1, 3);
    perc_dataset *ds = t_borrow(&d);
    int calls = 0;
    const perc_observer o = { PERC_WATCH_COUNTS, stop_at_once, &calls };
    const char *hopeless = "algorithm=svm loss=hinge C=1000 gap=1e-15 epochs=1000000000";
    char options[160];
    perc_report r;

    perc_model *m = t_fit_watched(ds, hopeless, &o, &r);
    assert_int_equal(r.stop, PERC_STOP_CANCELLED);
    assert_true(calls > 0 && r.dual <= r.primal);
    perc_model_free(m);
    snprintf(options, sizeof options, "%s time-limit=0.05", hopeless);
    m = t_fit(ds, options, &r);
    assert_int_equal(r.stop, PERC_STOP_TIME);
    perc_model_free(m);
    m = t_fit(ds, "algorithm=svm loss=hinge C=1000 gap=1e-15 epochs=3", &r);
    assert_int_equal(r.stop, PERC_STOP_EPOCHS);
    assert_int_equal(r.epochs, 3);
    assert_true(fabs(objective(&d, m, 1000, 1, true) - r.primal) <= 1e-9 * r.primal);
    perc_model_free(m);
    m = t_fit(ds, "algorithm=svm hard=true epochs=0", &r); /* the bounds take two */
    assert_int_equal(r.stop, PERC_STOP_EPOCHS);
    assert_int_equal(r.epochs, 2);
    t_free(m, ds, &d);
}

/* Rows of weight 0 are not there, and balanced class weights are weights. */
TEST(weights_are_costs)
{
    for (uint64_t k = 0; k < 6; k++) {
        static const char *const how[] = { "algorithm=svm loss=hinge gap=1e-9 epochs=100000",
                                           "algorithm=svm solver=newton gap=1e-9",
                                           "algorithm=svm solver=dual gap=1e-9 epochs=100000" };
        struct t_data d = t_noise(30, 4, T_WHOLE, 0.8, 40 + k), less = t_copy(&d);
        less.rows = 20; /* the others get weight 0 in d */
        d.weight = malloc(d.rows * sizeof *d.weight);
        for (size_t i = 0; i < d.rows; i++) d.weight[i] = i < 20;
        perc_dataset *a = t_borrow(&d), *b = t_borrow(&less);
        perc_report r, s;
        perc_model *m = t_fit(a, how[k % 3], &r), *n = t_fit(b, how[k % 3], &s);
        assert_true(fabs(r.primal - s.primal) <= 1e-8 * s.primal);
        assert_int_equal(r.rows, 20);
        t_free(m, n, a, b, &d, &less);
    }
}
