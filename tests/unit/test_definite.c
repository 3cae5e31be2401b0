/* test_definite.c -- is a matrix that of a kernel? Matrices whose answer is known, some of them out
 * of the reach of doubles: perc_gram_check. */
#include "perceptron_prove.h"
#include "t.h"
#include "t_alloc.h"
#include "t_make.h"

static perc_dataset *matrix(const char *text)
{
    FILE *f = fopen("gram.csv", "w");
    perc_error err = { 0 };
    perc_dataset *ds;

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
    if (perc_dataset_read_exact(NULL, "gram.csv", NULL, &ds, &err)) fail_msg("%s", err.text);
    return ds;
}

/* v.K v = (a x + b y)^2 - y^2 with a and b of 20 digits: only multiples of about (b, -a) make it
 * negative, and doubles do not find them. */
#define AA   "152415787532388367526596557677488187881"
#define AB   "1219326311370217952348574912122374638001"
#define BB   "9754610579850632525875019051998750190521"
#define LESS "9754610579850632525875019051998750190520"
static const struct {
    const char *text;
    perc_gram_verdict verdict;
    uint64_t rank;
    const char *value;
} known[] = {
    { "1,0,a\n0,1,b\n", PERC_SEMIDEFINITE, 2, NULL },
    { "1,1,a\n1,1,b\n", PERC_SEMIDEFINITE, 1, NULL },
    { "0,0,a\n0,0,b\n", PERC_SEMIDEFINITE, 0, NULL },
    { "4,0,2,a\n0,0,0,b\n2,0,1,a\n", PERC_SEMIDEFINITE, 1, NULL },
    { AA "," AB ",a\n" AB "," BB ",b\n", PERC_SEMIDEFINITE, 1, NULL },
    { "0,1,a\n1,0,b\n", PERC_INDEFINITE, 0, "-2" },
    { "0,-1,a\n-1,0,b\n", PERC_INDEFINITE, 0, "-2" },
    { "-3,a\n", PERC_INDEFINITE, 0, "-3" },
    { "-3000000000000000000000,a\n", PERC_INDEFINITE, 0, "-3000000000000000000000" },
    { "1,2.0,a\n2.0,0.25,b\n", PERC_INDEFINITE, 0, "-15/4" },
    { "1e20,2e20,a\n2e20,3.5e20,b\n", PERC_INDEFINITE, 0, NULL },
    { "1e308,1.5e308,a\n1.5e308,1e308,b\n", PERC_INDEFINITE, 0, NULL },
    { AA "," AB ",a\n" AB "," LESS ",b\n", PERC_INDEFINITE, 0,
      "-1486756653599701701343384599651820180117842565910532000895909817292198305088120" },
    { AA "," AB ",0,0,a\n" AB "," BB ",0,0,b\n0,0,0,1,a\n0,0,1,0,b\n", PERC_INDEFINITE, 0, "-2" },
    { AA "," AB ",0,0,a\n" AB "," BB ",0,0,b\n0,0,0,-1,a\n0,0,-1,0,b\n", PERC_INDEFINITE, 0, "-2" },
};

TEST(known_matrices)
{
    for (size_t i = 0; i < COUNT(known); i++) {
        perc_dataset *ds = matrix(known[i].text);
        perc_gram *g;
        perc_gram_info info;
        perc_error err = { 0 };

        if (perc_gram_check(NULL, ds, &g, &err)) fail_msg("%zu: %s", i, err.text);
        perc_gram_info_get(g, &info);
        assert_int_equal(info.verdict, known[i].verdict);
        assert_int_equal(info.rank, known[i].rank);
        assert_int_equal(info.value != NULL, info.verdict == PERC_INDEFINITE);
        if (known[i].value != NULL) assert_string_equal(info.value, known[i].value);
        perc_gram_free(g);
        perc_dataset_free(ds);
    }
}

TEST(what_is_refused)
{
    perc_error err = { 0 };
    perc_gram *g;
    perc_dataset *ds = matrix("1,1e-200000,a\n1e-200000,1,b\n");

    assert_refused(perc_gram_check(NULL, ds, &g, &err), PERC_EDATA, &err, "too far apart");
    perc_dataset_free(ds);
    struct t_data d = t_data_new(PERC_GRAM_ROWS + 1, 1);
    ds = t_borrow(&d);
    assert_refused(perc_gram_check(NULL, ds, &g, &err), PERC_EARG, &err, "at most 5000 rows");
    perc_dataset_free(ds);
    t_data_free(&d);
}

TEST(memory_runs_out)
{
    for (size_t i = 0; i < COUNT(known); i++) {
        perc_dataset *ds = matrix(known[i].text);

        for (struct t_sweep s = { .least = 10 }; t_sweep_next(&s);) {
            perc_gram *g;
            const perc_status st = perc_gram_check(&s.env, ds, &g, NULL);
            perc_gram_free(g);
            t_sweep_judge(&s, st);
        }
        perc_dataset_free(ds);
    }
}
