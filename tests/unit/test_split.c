/* test_split.c -- the promises of perc_dataset_split. */
#include <math.h>

#include "data/dataset.h"
#include "t.h"
#include "t_alloc.h"
#include "t_make.h"

static struct t_alloc heap = { .fail_at = -1 };
static const struct env env = { .alloc = t_alloc, .ud = &heap, .threads = 1 };

/* Rows 0 .. n-1; row i has the one value i + 1, label i % 10 == 0 is rare. */
static perc_dataset *numbered(int n)
{
    perc_dataset *ds;
    struct rows r;

    rows_init(&r, &env);
    for (int i = 0; i < n; i++) {
        const char *label = i % 10 == 0 ? "rare" : "usual";
        uint32_t id;
        assert_int_equal(labels_add(&r.labels, label, strlen(label), &id, NULL), PERC_OK);
        assert_true(rows_reserve(&r, 1, 1));
        rows_put(&r, 1, i + 1);
        rows_end(&r, id, 1 + i % 2, (uint32_t)i);
    }
    assert_int_equal(dataset_new(&env, &ds), PERC_OK);
    assert_int_equal(dataset_add_rows(ds, &r), PERC_OK);
    ds->index_base = 1;
    rows_free(&r);
    return ds;
}

TEST(a_split_keeps_proportions_order_and_rows)
{
    perc_dataset *ds = numbered(1000), *part[2];
    double x;

    assert_int_equal(perc_dataset_split(ds, 0.25, 9, &part[0], &part[1], NULL), PERC_OK);
    assert_int_equal(part[0]->rows, 750);
    assert_int_equal(part[1]->rows, 250);
    char seen[1000] = { 0 };
    for (int p = 0; p < 2; p++) {
        int rare = 0, last = 0;
        for (uint64_t i = 0; i < part[p]->rows; i++) {
            perc_dataset_row(part[p], i, &x);
            const int number = (int)x;
            assert_true(number > last); /* in order */
            last = number;
            seen[number - 1]++;
            assert_int_equal(perc_dataset_row_line(part[p], i), number);
            assert_true(perc_dataset_row_weight(part[p], i) == 1 + (number - 1) % 2);
            assert_int_equal(perc_dataset_row_label(part[p], i), (number - 1) % 10 != 0);
            rare += (number - 1) % 10 == 0;
        }
        assert_int_equal(rare, p == 0 ? 75 : 25);
        perc_dataset_free(part[p]);
    }
    for (int i = 0; i < 1000; i++) assert_int_equal(seen[i], 1); /* each in one part */
    perc_dataset_free(ds);
}

TEST(a_split_depends_on_the_seed_alone)
{
    perc_dataset *ds = numbered(200), *rest, *held[3];
    const uint64_t seed[] = { 1, 1, 2 };
    double a[30], b[30];
    int same[2] = { 0 };

    for (int k = 0; k < 3; k++) {
        assert_int_equal(perc_dataset_split(ds, 0.1, seed[k], &rest, &held[k], NULL), PERC_OK);
        perc_dataset_free(rest);
    }
    assert_int_equal(held[0]->rows, 20);
    for (uint64_t i = 0; i < 20; i++) {
        perc_dataset_row(held[0], i, a);
        for (int k = 1; k < 3; k++) {
            perc_dataset_row(held[k], i, b);
            same[k - 1] += a[0] == b[0];
        }
    }
    assert_int_equal(same[0], 20);
    assert_true(same[1] < 10);
    for (int k = 0; k < 3; k++) perc_dataset_free(held[k]);
    perc_dataset_free(ds);
}

TEST(parts_know_what_the_set_knew)
{
    perc_dataset *ds, *rest, *held;
    double x[30], y[30];

    assert_int_equal(perc_dataset_read(NULL, ":cancer", NULL, &ds, NULL), PERC_OK);
    assert_int_equal(perc_dataset_split(ds, 0.3, 0, &rest, &held, NULL), PERC_OK);
    assert_string_equal(perc_dataset_feature(held, 29), "worst fractal dimension");
    assert_string_equal(perc_dataset_label(held, 1), "malignant");
    assert_int_equal(held->index_base, ds->index_base);
    assert_int_equal(held->nonzeros + rest->nonzeros, ds->nonzeros);
    assert_int_equal(held->block[0].values, ds->block[0].values);
    for (uint64_t i = 0; i < held->rows; i++) { /* the line tells which row it was */
        perc_dataset_row(held, i, x);
        perc_dataset_row(ds, (uint64_t)perc_dataset_row_line(held, i) - 1, y);
        assert_memory_equal(x, y, sizeof x);
    }
    t_free(rest, held, ds);
}

TEST(a_split_that_cannot_be_is_refused)
{
    static const double bad[] = { 0, 1, -0.5, 2, NAN };
    perc_dataset *ds = numbered(2), *rest, *held;

    for (size_t i = 0; i < COUNT(bad); i++)
        assert_int_equal(perc_dataset_split(ds, bad[i], 0, &rest, &held, NULL), PERC_EARG);
    assert_int_equal(perc_dataset_split(ds, 0.1, 0, &rest, &held, NULL), PERC_EDATA);
    assert_null(rest);
    assert_null(held);
    perc_dataset_free(ds);
}

TEST(a_split_out_of_memory_leaves_nothing_behind)
{
    perc_dataset *ds = numbered(50), *rest, *held;
    const long before = heap.bytes;
    perc_status st = PERC_ENOMEM;
    long n = 0;

    for (; st != PERC_OK; n++) {
        t_alloc_again(&heap, n);
        st = perc_dataset_split(ds, 0.5, 0, &rest, &held, NULL);
        heap.fail_at = -1;
        assert_true(st == PERC_OK || (st == PERC_ENOMEM && rest == NULL && held == NULL));
        t_free(rest, held);
        t_alloc_holds(&heap, before);
    }
    assert_true(n > 10); /* guard */
    perc_dataset_free(ds);
    t_alloc_holds(&heap, 0);
}
