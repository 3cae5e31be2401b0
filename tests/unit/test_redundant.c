/* test_redundant.c -- columns that the others determine (src/prove/redundant.c), against ranks by
 * elimination; and rows of weight 0, which no problem has. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "t.h"
#include "t_alloc.h"
#include "t_cases.h"
#include "t_dir.h"
#include "t_make.h"
#include "vec/rng.h"

__extension__ typedef __int128 big;

enum { ROWS = 9, COLUMNS = 6 };

static perc_proof *prove_it(const perc_dataset *ds, const char *options)
{
    perc_params *p = t_params("prove", options);
    perc_error err = { 0 };
    perc_proof *proof;

    if (perc_prove(NULL, ds, p, NULL, &proof, &err)) fail_msg("%s: %s", options, err.text);
    perc_params_free(p);
    return proof;
}

static perc_proof_info info_of(const perc_proof *proof)
{
    perc_proof_info info;

    perc_proof_info_get(proof, &info);
    return info;
}

static perc_part part_of(const perc_proof *proof, size_t i)
{
    perc_part p;

    perc_proof_part(proof, i, &p);
    return p;
}

/* ----- ranks, by elimination without fractions (Bareiss 1968) ------------------------------- */

/* Of the first n columns of a, whose whole numbers are small. */
static size_t rank_of(int (*a)[COLUMNS + 1], size_t rows, size_t n)
{
    big m[ROWS][COLUMNS + 1], last = 1;
    size_t rank = 0;

    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < n; j++) m[i][j] = a[i][j];
    for (size_t j = 0; j < n && rank < rows; j++) {
        size_t p = rank;
        while (p < rows && m[p][j] == 0) p++;
        if (p == rows) continue;
        for (size_t k = 0; k < n; k++) {
            const big x = m[p][k];
            m[p][k] = m[rank][k];
            m[rank][k] = x;
        }
        for (size_t i = rank + 1; i < rows; i++) {
            for (size_t k = j + 1; k < n; k++)
                m[i][k] = (m[i][k] * m[rank][j] - m[i][j] * m[rank][k]) / last;
            m[i][j] = 0;
        }
        last = m[rank++][j];
    }
    return rank;
}

/* Some columns are sums of others, some are 0 or constant, some as they come. */
static void make_matrix(struct rng *r, int (*a)[COLUMNS + 1], size_t rows, bool offset)
{
    for (size_t j = 0; j <= COLUMNS; j++) {
        const uint64_t way = rng_below(r, 20);
        const size_t s = (size_t)rng_below(r, j + 1), t = (size_t)rng_below(r, j + 1);
        const int f = (int)rng_below(r, 5) - 2, g = (int)rng_below(r, 5) - 2;
        for (size_t i = 0; i < rows; i++)
            a[i][j] = j == 0             ? 4 * offset /* times 4, as the features are */
                      : way < 2 && s < j ? f * a[i][s] + (t < j ? g * a[i][t] : 0)
                      : way == 2         ? f
                                         : (int)rng_below(r, 7) - 3;
    }
}

static double factor_of(const char *text)
{
    const char *slash = strchr(text, '/');

    return atof(text) / (slash != NULL ? atof(slash + 1) : 1);
}

/* Column 0 is that of the offset; the features follow. */
static void check_sums(const perc_proof *proof, int (*a)[COLUMNS + 1], size_t rows, bool offset)
{
    perc_redundant r;
    size_t found = 0;

    for (size_t j = 1; j <= COLUMNS; j++) {
        if (rank_of(a, rows, j + 1) > rank_of(a, rows, j)) continue;
        assert_true(perc_proof_redundant(proof, found++, &r));
        assert_int_equal(r.feature, j - 1);
        for (size_t i = 0; i < rows; i++) {
            double sum = 0;
            for (size_t k = 0; k < r.terms; k++) {
                const size_t at = r.term[k] == PERC_CONSTANT ? 0 : (size_t)r.term[k] + 1;
                assert_true(at < j && (at > 0 || offset));
                assert_true(rank_of(a, rows, at + 1) > rank_of(a, rows, at));
                sum += factor_of(r.factor[k]) * a[i][at];
            }
            assert_true(fabs(sum - a[i][j]) < 1e-9);
        }
    }
    assert_int_equal(found, info_of(proof).redundant);
    assert_false(perc_proof_redundant(proof, found, &r));
}

TEST(redundant_columns_are_those_that_add_no_rank)
{
    struct rng r = rng_seed(5, 0);
    int a[ROWS][COLUMNS + 1];
    size_t some = 0, none = 0;

    for (int c = 0; c < t_cases(600); c++) {
        const size_t rows = 1 + (size_t)rng_below(&r, ROWS);
        const bool offset = rng_below(&r, 2);
        struct t_data d = t_data_new(rows, COLUMNS);

        make_matrix(&r, a, rows, offset);
        for (size_t i = 0; i < rows; i++) {
            d.y[i] = rng_below(&r, 2) ? 1 : -1;
            for (size_t j = 0; j < COLUMNS; j++) d.x[i * COLUMNS + j] = a[i][j + 1] / 4.0;
        }
        perc_dataset *ds = t_borrow(&d);
        perc_proof *proof = prove_it(ds, offset ? "quick=true" : "quick=true offset=false");
        const int64_t found = info_of(proof).redundant;
        assert_int_equal(found, COLUMNS + offset - rank_of(a, rows, COLUMNS + 1));
        check_sums(proof, a, rows, offset);
        some += found > 0;
        none += found == 0;
        t_free(proof, ds, &d);
    }
    assert_true(some > 5 && none > 5);
}

static const char *const levels = "colour,size,dose,y\nred,s,1,no\nblue,s,2,yes\ngreen,m,3,no\n"
                                  "red,m,4,yes\nblue,m,5,no\ngreen,s,6,yes\n";

TEST(levels_of_a_category_add_up_to_the_offset)
{
    assert_int_equal(t_put("levels.csv", levels), 0);
    perc_dataset *ds = t_read("levels.csv", "");
    perc_proof *proof = prove_it(ds, "");
    char name[2][64];
    perc_redundant r;

    assert_int_equal(info_of(proof).redundant, 2);
    assert_true(perc_proof_redundant(proof, 0, &r));
    assert_string_equal(perc_proof_feature(proof, r.feature, name[0], 64), "colour=green");
    assert_int_equal(r.terms, 3);
    assert_true(r.term[0] == PERC_CONSTANT);
    assert_string_equal(r.factor[0], "1");
    assert_string_equal(perc_proof_feature(proof, r.term[1], name[0], 64), "colour=red");
    assert_string_equal(perc_proof_feature(proof, r.term[2], name[1], 64), "colour=blue");
    assert_string_equal(r.factor[2], "-1");
    perc_proof_free(proof);
    proof = prove_it(ds, "kernel=poly");
    assert_int_equal(info_of(proof).redundant, -1); /* of products nothing is said */
    assert_false(perc_proof_redundant(proof, 0, &r));
    t_free(proof, ds);
    assert_int_equal(info_of(NULL).redundant, -1);
    assert_false(perc_proof_redundant(NULL, 0, &r));
}

TEST(what_would_take_long_is_not_looked_for)
{
    struct t_data d = t_noise(40, 513, T_WHOLE, 0.1, 3);
    perc_dataset *ds = t_borrow(&d);
    perc_proof *proof = prove_it(ds, "quick=true");

    assert_int_equal(info_of(proof).redundant, -1);
    t_free(proof, ds, &d);
    assert_int_equal(t_put("long", "a 1:12345678901234567890123 2:1\nb 1:1 2:1\n"), 0);
    ds = t_read("long", "");
    proof = prove_it(ds, "");
    assert_int_equal(info_of(proof).redundant, -1); /* 2 is the offset, but numbers are long */
    t_free(proof, ds);
}

/* ----- rows of weight 0 --------------------------------------------------------------------- */

/* The problem is that of the other rows: verdict, witness and counts, and their numbers are those
 * of the file. */
TEST(rows_of_weight_0_are_in_no_problem)
{
    static const char *const options[] = { "", "kernel=poly degree=2", "kernel=rbf", "quick=true" };
    struct rng r = rng_seed(8, 0);
    size_t no = 0;

    for (int c = 0; c < t_cases(200); c++) {
        const char *how = options[rng_below(&r, 4)];
        struct t_data all = t_noise(12, 2, T_WHOLE, 0.9, (uint64_t)c), some = t_copy(&all);
        size_t at[12], n = 0;

        all.weight = malloc(all.rows * sizeof *all.weight);
        for (size_t i = 0; i < all.rows; i++) {
            all.weight[i] = (double)rng_below(&r, 3);
            if (all.weight[i] == 0) continue;
            memcpy(some.x + 2 * n, all.x + 2 * i, 2 * sizeof *all.x);
            some.y[n] = all.y[i];
            at[n++] = i;
        }
        some.rows = n;
        perc_dataset *one = t_borrow(&all), *two = n > 0 ? t_borrow(&some) : NULL;
        if (two != NULL) {
            perc_proof *p = prove_it(one, how), *q = prove_it(two, how);
            const perc_part x = part_of(p, 0), y = part_of(q, 0);
            assert_int_equal(info_of(p).weightless, 12 - n);
            assert_int_equal(info_of(p).rows, n);
            assert_int_equal(info_of(p).labels, info_of(q).labels);
            assert_int_equal(x.verdict, y.verdict);
            assert_string_equal(x.positive, y.positive);
            assert_true(x.rows == n && x.strict == y.strict && x.rank == y.rank);
            assert_int_equal(x.witnesses, y.witnesses);
            for (size_t k = 0; k < x.witnesses; k++)
                assert_int_equal(x.witness[k], at[y.witness[k]]);
            no += x.witnesses > 0;
            t_free(p, q);
        }
        t_free(one, two, &all, &some);
    }
    assert_true(no > 0);
}

/* A label of rows of weight 0 alone makes no problem, and a certificate is about the rest. */
TEST(labels_of_weight_0_make_no_problem)
{
    static const char text[] = "x,w,y\n1,1,a\n2,0,c\n3,2,b\n2,0,a\n4,1,b\n";
    perc_error err = { 0 };
    perc_dataset *ds;
    perc_check check;

    assert_int_equal(t_put("w.csv", text), 0);
    perc_params *how = t_params("data", "weight=w"), *p = t_params("prove", "positive=c");
    assert_int_equal(perc_dataset_read_exact(NULL, "w.csv", how, &ds, NULL), PERC_OK);
    perc_proof *proof = prove_it(ds, "");
    assert_int_equal(perc_proof_parts(proof), 1);
    assert_int_equal(info_of(proof).labels, 2);
    assert_string_equal(part_of(proof, 0).positive, "b");
    assert_string_equal(part_of(proof, 0).negative, "a");
    assert_int_equal(part_of(proof, 0).verdict, PERC_SEPARABLE);
    assert_int_equal(perc_proof_write(proof, ds, "w.json", NULL), PERC_OK);
    perc_proof_free(proof);
    assert_int_equal(perc_verify(NULL, "w.json", "w.csv", how, &check, NULL, NULL), PERC_OK);
    assert_true(check.valid);
    assert_int_equal(check.weightless, 2);
    assert_int_equal(check.claim[0].rows, 3);
    assert_int_equal(perc_prove(NULL, ds, p, NULL, &proof, &err), PERC_EARG);
    assert_string_equal(err.text, "--positive c: no row of a weight above 0 has this label; there "
                                  "are 'a' and 'b'");
    perc_dataset_free(ds);

    /* What a row of weight 0 holds does not matter; that it is one does. */
    assert_int_equal(t_put("w.csv", "x,w,y\n1,1,a\n7,0,b\n3,2,b\n9,0,b\n4,1,b\n"), 0);
    assert_int_equal(perc_verify(NULL, "w.json", "w.csv", how, &check, NULL, NULL), PERC_OK);
    assert_true(check.valid);
    assert_int_equal(t_put("w.csv", "x,w,y\n1,1,a\n2,1,c\n3,2,b\n2,0,a\n4,1,b\n"), 0);
    assert_int_equal(perc_verify(NULL, "w.json", "w.csv", how, &check, NULL, NULL), PERC_OK);
    assert_false(check.valid);
    assert_true(check.other_data);
    assert_int_equal(t_put("w.csv", "x,w,y\n1,0,a\n2,0,c\n"), 0);
    assert_int_equal(perc_dataset_read_exact(NULL, "w.csv", how, &ds, NULL), PERC_OK);
    assert_int_equal(perc_prove(NULL, ds, NULL, NULL, &proof, &err), PERC_EDATA);
    assert_string_equal(err.text, "every row has weight 0: none is left to prove anything about");
    t_free(how, p, ds);
}

TEST(without_memory)
{
    assert_int_equal(t_put("levels.csv", levels), 0);
    perc_dataset *ds = t_read("levels.csv", "");
    perc_proof *proof;

    for (struct t_sweep s = { .survives = true, .least = 50 }; t_sweep_next(&s);) {
        const perc_status st = perc_prove(&s.env, ds, NULL, NULL, &proof, NULL);

        if (!st) assert_int_equal(info_of(proof).redundant, 2);
        perc_proof_free(proof);
        t_sweep_judge(&s, st);
    }
    perc_dataset_free(ds);
}
