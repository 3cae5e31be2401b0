/* test_generate.c -- the promises of the generators. */
#include <math.h>

#include "base/hash.h"
#include "base/number.h"
#include "data/dataset.h"
#include "t.h"
#include "t_alloc.h"
#include "t_make.h"
#include "vec/rng.h"

/* ----- making sets --------------------------------------------------------------- */

/* "halfspace rows=50 margin=0.1" with an environment. */
static perc_status generate(const perc_env *env, const char *spec, perc_dataset **out,
                            perc_error *err)
{
    char text[200], *save, *word;
    perc_params *p;

    snprintf(text, sizeof text, "%s", spec);
    word = strtok_r(text, " ", &save);
    *out = NULL;
    perc_status st = perc_params_new(env, word, &p, err);
    while (!st && (word = strtok_r(NULL, " ", &save)) != NULL) {
        char *value = strchr(word, '=');
        *value++ = '\0';
        st = perc_params_set(p, word, value, err);
    }
    if (!st) st = perc_dataset_generate(env, p, out, err);
    perc_params_free(p);
    return st;
}

static perc_dataset *made(const char *spec)
{
    perc_error err = { 0 };
    perc_dataset *ds;

    if (generate(NULL, spec, &ds, &err)) fail_msg("%s: %s", spec, err.text);
    return ds;
}

static double label_of(const perc_dataset *ds, uint64_t i)
{
    return strtod(ds->labels.at[perc_dataset_row_label(ds, i)].text, NULL);
}

/* The set as text, which does not depend on the byte order or the blocks. */
static uint64_t hash_of(const perc_dataset *ds)
{
    const struct env e = env_resolve(NULL);
    struct text t;

    text_init(&t, &e);
    for (uint64_t i = 0; i < ds->rows; i++) {
        const struct row x = dataset_row(ds, i);
        text_str(&t, perc_dataset_label(ds, (size_t)perc_dataset_row_label(ds, i)));
        for (size_t k = 0; k < x.n; k++) {
            text_char(&t, ' ');
            text_uint(&t, row_column(&x, k));
            text_char(&t, ':');
            text_num(&t, row_value(&x, k));
        }
        text_char(&t, '\n');
    }
    assert_false(t.oom);
    const uint64_t h = hash_bytes(t.s, t.len);
    text_free(&t);
    return h;
}

/* ----- generators ----------------------------------------------------------------- */

TEST(a_generated_set_is_the_same_bytes_everywhere)
{
    static const struct {
        const char *spec;
        uint64_t hash;
    } golden[] = {
        { "halfspace rows=50", UINT64_C(0x55eed6f04e3e7fd7) },
        { "halfspace rows=50 features=20 margin=0.5 offset=3 noise=0.1 seed=7",
          UINT64_C(0xffadbc571f5b237d) },
        { "sparse rows=50", UINT64_C(0xcde84f703c388e25) },
        { "sparse rows=50 features=300 nonzeros=20 exponent=1.5 digits=9 seed=3",
          UINT64_C(0x46b569b4fc0c5d90) },
        { "blobs rows=50 features=3 classes=5", UINT64_C(0x1c490d66ad91034c) },
        { "xor rows=50 digits=2", UINT64_C(0x44d26726789f3c1d) },
        { "moons rows=50", UINT64_C(0x9e625a2f8595d64c) },
        { "circles rows=50 digits=15", UINT64_C(0x58b788a2e092dc6b) },
        { "spirals rows=50 turns=2", UINT64_C(0xfeb32aebf1e6ae20) },
    };

    int wrong = 0;

    for (size_t i = 0; i < COUNT(golden); i++) {
        perc_dataset *ds = made(golden[i].spec);
        const uint64_t h = hash_of(ds);
        if (h != golden[i].hash) {
            wrong++;
            print_error("{ \"%s\",\n UINT64_C(0x%016llx) },\n", golden[i].spec,
                        (unsigned long long)h);
        }
        assert_int_equal(ds->index_base, 1);
        perc_dataset_free(ds);
    }
    assert_int_equal(wrong, 0);
}

/* The plane is drawn as generate.c says: d normals from stream 0, scaled to 1. */
static void plane(uint64_t seed, size_t d, double *u)
{
    struct rng rng = rng_seed(seed, 0);
    double norm2 = 0;

    for (size_t j = 0; j < d; j++) {
        u[j] = rng_normal(&rng);
        norm2 += u[j] * u[j];
    }
    for (size_t j = 0; j < d; j++) u[j] /= sqrt(norm2);
}

TEST(every_point_of_a_halfspace_keeps_its_margin)
{
    static const struct {
        const char *spec;
        double margin, offset;
    } c[] = {
        { "halfspace rows=2000 seed=5", 0.1, 0 },
        { "halfspace rows=2000 seed=5 margin=0", 0, 0 },
        { "halfspace rows=2000 seed=5 features=1 margin=2", 2, 0 },
        { "halfspace rows=500 seed=5 features=200 margin=1 offset=-8", 1, -8 },
        { "halfspace rows=500 seed=5 features=3 margin=50 offset=1000 digits=3", 50, 1000 },
        { "halfspace rows=500 seed=5 features=4 margin=0.5 digits=1", 0.5, 0 },
    };
    double u[200], x[200];

    for (size_t i = 0; i < COUNT(c); i++) {
        perc_dataset *ds = made(c[i].spec);
        perc_dataset_info info;
        uint64_t positive = 0;

        perc_dataset_info_get(ds, &info);
        plane(5, info.features, u);
        for (uint64_t r = 0; r < ds->rows; r++) {
            const double y = label_of(ds, r);
            double s = 0;
            perc_dataset_row(ds, r, x);
            for (size_t j = 0; j < info.features; j++) s += u[j] * x[j];
            s += c[i].offset;
            assert_true(y * s >= c[i].margin); /* exact: the same sum in the same order */
            assert_true(y * s > 0);
            positive += y > 0;
        }
        assert_true(positive > ds->rows / 3 && positive < ds->rows * 2 / 3);
        perc_dataset_free(ds);
    }
}

TEST(noise_flips_the_stated_number_of_labels_and_moves_no_point)
{
    static const char *const kind[] = { "halfspace", "sparse", "blobs", "xor", "spirals" };
    char spec[100];

    for (size_t k = 0; k < COUNT(kind); k++) {
        snprintf(spec, sizeof spec, "%s rows=5003 noise=0", kind[k]);
        perc_dataset *clean = made(spec);
        snprintf(spec, sizeof spec, "%s rows=5003 noise=0.1", kind[k]);
        perc_dataset *noisy = made(spec);
        uint64_t flipped = 0;

        for (uint64_t i = 0; i < 5003; i++) {
            const struct row a = dataset_row(clean, i), b = dataset_row(noisy, i);
            assert_int_equal(a.n, b.n);
            for (size_t j = 0; j < a.n; j++) {
                assert_int_equal(row_column(&a, j), row_column(&b, j));
                assert_true(row_value(&a, j) == row_value(&b, j));
            }
            flipped += label_of(clean, i) != label_of(noisy, i);
        }
        assert_int_equal(flipped, 500); /* floor(500.3 + 1/2) */
        t_free(clean, noisy);
    }
}

/* Significant digits of the shortest text: leading and trailing zeros do not count. */
static int digits_of(double v)
{
    char buf[NUMBER_TEXT];
    const size_t n = number_format(v, buf);
    int digits = 0, zeros = 0;

    for (size_t i = 0; i < n && buf[i] != 'e'; i++) {
        if (buf[i] < '0' || buf[i] > '9' || (buf[i] == '0' && digits == 0)) continue;
        zeros = buf[i] == '0' ? zeros + 1 : 0;
        digits++;
    }
    return digits - zeros;
}

TEST(values_have_the_digits_asked_for_and_no_more)
{
    static const char *const kind[] = { "halfspace", "blobs spread=300", "sparse", "moons" };
    static const int digits[] = { 1, 2, 6, 7, 8, 15 };
    char spec[100];

    for (size_t k = 0; k < COUNT(kind); k++) {
        for (size_t d = 0; d < COUNT(digits); d++) {
            int most = 0;
            snprintf(spec, sizeof spec, "%s rows=200 digits=%d", kind[k], digits[d]);
            perc_dataset *ds = made(spec);
            for (uint64_t i = 0; i < ds->rows; i++) {
                const struct row x = dataset_row(ds, i);
                for (size_t j = 0; j < x.n; j++) {
                    const int n = digits_of(row_value(&x, j));
                    if (n > most) most = n;
                }
            }
            assert_int_equal(most, digits[d]);
            if (digits[d] <= 7) assert_int_equal(ds->block[0].values, VALUES_DEC);
            perc_dataset_free(ds);
        }
    }
}

TEST(rows_of_sparse_are_unit_vectors_of_zipf_words)
{
    enum { N = 4000 };
    perc_dataset *ds = made("sparse rows=4000 features=20000 nonzeros=63");
    uint64_t seen[3] = { 0 }, positive = 0;

    for (uint64_t i = 0; i < N; i++) {
        const struct row x = dataset_row(ds, i);
        for (size_t k = 0; k < x.n; k++) {
            const uint64_t j = row_column(&x, k);
            assert_true(j >= 1 && j <= 20000);
            assert_true(k == 0 || row_column(&x, k - 1) < j);
            seen[0] += j == 10;
            seen[1] += j == 100;
            seen[2] += j == 1000;
        }
        /* six digits: each value is off by at most 5e-6 of itself, so is the length */
        assert_true(fabs(sqrt(row_norm2(&x)) - 1) < 6e-6);
        positive += label_of(ds, i) > 0;
    }
    /* Lengths have a standard deviation of 0.53 * 63, their mean of 34 / sqrt(N). */
    assert_true(fabs((double)ds->nonzeros / N - 63) < 4 * 34 / sqrt(N));
    assert_true(positive > N * 2 / 5 && positive < N * 3 / 5);
    /* Rates fall as 1/k, from k = 100 on nearly in proportion. */
    assert_true(seen[0] > 3 * seen[1]);
    assert_true(seen[1] > 7 * seen[2] && seen[1] < 13 * seen[2]);
    perc_dataset_free(ds);
}

/* Few words, many wanted: the row gives up, it does not search for ever. */
TEST(sparse_ends_where_words_run_out)
{
    perc_dataset *ds = made("sparse rows=20 features=40 nonzeros=40 exponent=3");

    assert_int_equal(ds->rows, 20);
    assert_true(ds->nonzeros > 20 && ds->nonzeros < 20 * 40);
    perc_dataset_free(ds);
}

TEST(a_small_set_is_the_beginning_of_a_large_one)
{
    perc_dataset *small = made("sparse rows=10 noise=0"), *large = made("sparse rows=9000 noise=0");

    for (uint64_t i = 0; i < 10; i++) {
        const struct row a = dataset_row(small, i), b = dataset_row(large, i);
        assert_int_equal(a.n, b.n);
        assert_true(row_norm2(&a) == row_norm2(&b));
        assert_true(label_of(small, i) == label_of(large, i));
    }
    assert_true(large->blocks > 1); /* blocks stay small */
    for (size_t i = 0; i < large->blocks; i++) assert_true(large->block[i].rows <= 4096);
    t_free(small, large);
}

TEST(blobs_lie_around_one_centre_for_each_class)
{
    enum { N = 4000, K = 4, D = 3 };
    perc_dataset *ds = made("blobs rows=4000 classes=4 features=3 spread=0.5");
    double sum[K][D] = { { 0 } }, square[K][D] = { { 0 } }, x[D];

    assert_int_equal(ds->labels.n, K);
    for (uint64_t i = 0; i < N; i++) {
        const int c = perc_dataset_row_label(ds, i);
        perc_dataset_row(ds, i, x);
        for (int j = 0; j < D; j++) {
            sum[c][j] += x[j];
            square[c][j] += x[j] * x[j];
        }
    }
    for (int c = 0; c < K; c++) {
        for (int j = 0; j < D; j++) {
            const double mean = sum[c][j] * K / N;
            const double sd = sqrt(square[c][j] * K / N - mean * mean);
            assert_true(fabs(mean) < 10.1);
            assert_true(fabs(sd - 0.5) < 4 * 0.5 / sqrt(2.0 * N / K)); /* 4 standard errors */
        }
    }
    assert_true(fabs(sum[0][0] - sum[1][0]) * K / N > 0.1); /* another centre */
    perc_dataset_free(ds);
}

TEST(shapes_are_where_their_formulas_put_them)
{
    static const char *const spec[] = { "xor rows=400", "circles rows=400 spread=0 inner=0.25",
                                        "moons rows=400 spread=0",
                                        "spirals rows=400 spread=0 turns=0.25" };
    double x[2];

    for (int k = 0; k < 4; k++) {
        perc_dataset *ds = made(spec[k]);
        for (uint64_t i = 0; i < 400; i++) {
            const double y = label_of(ds, i);
            perc_dataset_row(ds, i, x);
            const double r = sqrt(x[0] * x[0] + x[1] * x[1]);
            /* values have six digits: 1e-5 leaves room for two of them */
            if (k == 0) assert_true(y * x[0] * x[1] < 0);
            if (k == 1) assert_true(fabs(r - (y > 0 ? 0.25 : 1)) < 1e-5);
            if (k == 2 && y < 0) assert_true(fabs(r - 1) < 1e-5 && x[1] >= 0);
            if (k == 2 && y > 0)
                assert_true(fabs(hypot(x[0] - 1, x[1] - 0.5) - 1) < 1e-5 && x[1] <= 0.5);
            if (k == 3) /* a quarter turn: arms in opposite quadrants */
                assert_true(r <= 1 && -y * x[0] >= 0 && -y * x[1] >= 0);
        }
        perc_dataset_free(ds);
    }
}

TEST(bad_parameters_are_refused)
{
    perc_dataset *ds;
    perc_params *p;
    perc_error err;

    assert_int_equal(generate(NULL, "sparse features=10 nonzeros=11", &ds, &err), PERC_EARG);
    assert_null(ds);
    assert_non_null(strstr(err.text, "nonzeros is 11"));
    assert_int_equal(generate(NULL, "xor rows=0", &ds, &err), PERC_EARG);
    assert_int_equal(generate(NULL, "moons noise=2", &ds, &err), PERC_EARG);

    assert_int_equal(perc_params_new(NULL, "perceptron", &p, &err), PERC_OK);
    assert_int_equal(perc_dataset_generate(NULL, p, &ds, &err), PERC_EARG);
    assert_null(ds);
    perc_params_free(p);
}

/* ----- memory ------------------------------------------------------------------------- */

/* Fails allocation 0, 1, 2, ... until there is one more than needed. */
TEST(running_out_of_memory_leaves_nothing_behind)
{
    static const char *const what[] = { "halfspace rows=5000", "sparse rows=50 features=100",
                                        "blobs rows=9", "xor rows=9" };

    for (size_t k = 0; k < COUNT(what); k++) {
        for (struct t_sweep s = { .least = 5 }; t_sweep_next(&s);) {
            perc_error err = { 0 };
            perc_dataset *ds;
            const perc_status st = generate(&s.env, what[k], &ds, &err);
            assert_true((st == PERC_OK) == (ds != NULL));
            perc_dataset_free(ds);
            t_sweep_judge(&s, st);
        }
    }
}
