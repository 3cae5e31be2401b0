/* test_keep.c -- rows that pass a model, with cells that come along: whatever the number of
 * threads, with rows left out, and when memory is out. What Python's csv module says of the
 * cells is tests/join.py. */
#include <inttypes.h>

#include "t.h"
#include "t_alloc.h"
#include "t_make.h"

enum { ROWS = 60000 }; /* several chunks */

static const char TRAIN[] = "id,f,g,y\na,1,2,no\nb,2,5,yes\nc,3,1,no\nd,4,9,yes\n";

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static perc_model *trained(void)
{
    perc_params *data = t_params("data", "ignore=id"), *p = t_params("perceptron", "epochs=9");
    perc_dataset *ds;
    perc_model *m;
    perc_error err = { 0 };

    write_text("train.csv", TRAIN);
    if (perc_dataset_read(NULL, "train.csv", data, &ds, &err) ||
        perc_fit(NULL, ds, p, NULL, &m, NULL, &err))
        fail_msg("%s", err.text);
    perc_dataset_free(ds);
    perc_params_free(data);
    perc_params_free(p);
    return m;
}

/* Row i of the table; the one with i % 5 == 3 lacks g. */
static void write_rows(const char *path)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs("g,new,id,f,y\n", f);
    for (int i = 0; i < ROWS; i++) {
        if (i % 5 == 3) fprintf(f, ",%d,left out,%d,no\n", i, i % 7);
        else
            fprintf(f, "%d, %d ,\"id \"\"%d\"\",\n%s\",%d,%s\n", i % 11, i, i,
                    i % 2 ? "" : "long text", i % 7, i % 3 ? "yes" : "no");
    }
    assert_int_equal(fclose(f), 0);
}

struct seen {
    const perc_model *m;
    uint64_t rows, calls;
    uint64_t hash;
};

static int look(void *ud, const perc_dataset *rows, const double *scores)
{
    struct seen *s = ud;
    perc_dataset_info info;
    char id[64], new[64];
    static double margin[ROWS];

    perc_dataset_info_get(rows, &info);
    s->calls++;
    assert_int_equal(perc_margins(s->m, rows, scores, margin, NULL), PERC_OK);
    for (uint64_t i = 0; i < info.rows; i++, s->rows++) {
        const uint64_t at = s->rows / 4 * 5 + s->rows % 4 + (s->rows % 4 == 3); /* in the file */
        double x[8];

        snprintf(id, sizeof id, "id \"%" PRIu64 "\",\n%s", at, at % 2 ? "" : "long text");
        snprintf(new, sizeof new, " %" PRIu64 " ", at);
        assert_string_equal(perc_dataset_kept(rows, i, 0), id);
        assert_string_equal(perc_dataset_kept(rows, i, 1), new);
        assert_null(perc_dataset_kept(rows, i, 2));
        assert_true(info.features <= 8);
        perc_dataset_row(rows, i, x);
        assert_true(x[0] == (double)(at % 7) && x[1] == (double)(at % 11));
        const double want = at % 3 ? scores[i] : -scores[i];
        assert_true(margin[i] == want);
    }
    assert_null(perc_dataset_kept(rows, info.rows, 0));
    assert_string_equal(perc_dataset_kept_name(rows, 0), "id");
    assert_string_equal(perc_dataset_kept_name(rows, 1), "new");
    assert_null(perc_dataset_kept_name(rows, 2));
    return 0;
}

TEST(cells_come_with_the_rows_that_are_answered)
{
    perc_model *m = trained();
    perc_params *drop = t_params("data", "missing=drop");
    static const int threads[] = { 1, 2, 8 };

    write_rows("rows.csv");
    for (size_t k = 0; k < COUNT(threads); k++) {
        const perc_env env = { .threads = threads[k] };
        struct seen s = { .m = m };
        perc_dataset_info info;
        perc_error err = { 0 };

        if (perc_predict_rows(&env, m, "rows.csv", drop, "id,2", look, &s, &info, &err))
            fail_msg("%s", err.text);
        assert_int_equal(s.rows, ROWS / 5 * 4);
        assert_int_equal(info.dropped, ROWS / 5);
        assert_true(s.calls > 1); /* guard: there were several blocks */
    }
    perc_params_free(drop);
    perc_model_free(m);
}

static int count(void *ud, const perc_dataset *rows, const double *scores)
{
    perc_dataset_info info;

    (void)scores;
    perc_dataset_info_get(rows, &info);
    *(uint64_t *)ud += 1000 + info.rows;
    return 0;
}

TEST(what_cannot_be_kept_is_refused)
{
    static const struct {
        const char *path, *keep, *want;
        uint64_t seen;
    } cases[] = { { "train.csv", "id", NULL, 1004 },
                  { "train.csv", "", NULL, 1004 },
                  { "train.csv", "id,,f", NULL, 1004 },
                  { "names.csv", "id", NULL, 1000 },
                  { "train.csv", "id,who",
                    "keep: there is no column 'who'; the columns are id, f, g, y", 0 },
                  { "train.csv", "5", "keep: there is no column '5'", 0 },
                  { "train.csv", "id,1", "keep: column '1' is named twice", 0 },
                  { "rows.svm", "id", "the model was trained on a table", 0 },
                  { "rows.blocks", "id", "--keep names columns of a table, and these", 0 } };
    perc_model *m = trained();
    perc_dataset *ds;
    perc_params *ignore = t_params("data", "ignore=id");

    write_text("names.csv", "id,f,g,y\n");
    write_text("rows.svm", "yes 1:2 2:3\n");
    assert_int_equal(perc_dataset_read(NULL, "train.csv", ignore, &ds, NULL), PERC_OK);
    assert_int_equal(perc_dataset_write(ds, "rows.blocks", "blocks", NULL), PERC_OK);
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint64_t seen = 0;
        perc_error err = { 0 };
        const perc_status st = perc_predict_rows(NULL, m, cases[i].path, NULL, cases[i].keep, count,
                                                 &seen, NULL, &err);

        assert_int_equal(st == PERC_OK, cases[i].want == NULL);
        assert_int_equal(seen, cases[i].seen);
        if (st && strstr(err.text, cases[i].want) == NULL) fail_msg("%s", err.text);
    }
    perc_dataset_free(ds);
    perc_params_free(ignore);
    perc_model_free(m);
}

TEST(a_model_of_numbered_features_reads_no_cells)
{
    perc_params *p = t_params("perceptron", "epochs=2");
    perc_dataset *ds;
    perc_model *m;
    uint64_t seen = 0;
    perc_error err = { 0 };

    write_text("rows.svm", "yes 1:2 2:3\nno 1:1\n");
    assert_int_equal(perc_dataset_read(NULL, "rows.svm", NULL, &ds, NULL), PERC_OK);
    assert_int_equal(perc_fit(NULL, ds, p, NULL, &m, NULL, NULL), PERC_OK);
    assert_int_equal(perc_predict_rows(NULL, m, "rows.svm", NULL, "id", count, &seen, NULL, &err),
                     PERC_EARG);
    assert_non_null(strstr(err.text, "this is LIBSVM text"));
    assert_int_equal(perc_predict_rows(NULL, m, "rows.svm", NULL, NULL, count, &seen, NULL, &err),
                     PERC_OK);
    assert_int_equal(seen, 1002);
    perc_dataset_free(ds);
    perc_params_free(p);
    perc_model_free(m);
}

TEST(memory_runs_out_while_cells_come_along)
{
    perc_model *m = trained();

    for (struct t_sweep w = { .least = 20 }; t_sweep_next(&w);) {
        uint64_t seen = 0;
        perc_error err = { 0 };
        const perc_status st = perc_predict_rows(&w.env, m, "train.csv", NULL, "y,id", count, &seen,
                                                 NULL, &err);

        t_sweep_judge(&w, st);
        if (st == PERC_OK) assert_int_equal(seen, 1004);
    }
    perc_model_free(m);
}
