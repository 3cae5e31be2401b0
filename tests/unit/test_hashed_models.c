/* test_hashed_models.c -- what is trained on hashed features or on words keeps how they
 * were made: in its file, for the next file, as a stream, and in converted data. */
#include "t_make.h"
#include "words_reference.h"

/* Trained, saved, read again, and used on the text itself: the scores of training. */
static void trained_and_used(const char *path, const char *spec, const char *bits)
{
    perc_dataset *ds = read_path(path, spec, 2), *again;
    perc_model *m = t_fit(ds, "epochs=20", NULL), *back;
    perc_model_info info;
    double a[100], b[100];

    assert_int_equal(perc_model_write(m, "m", NULL), PERC_OK);
    assert_int_equal(perc_model_read(NULL, "m", &back, NULL), PERC_OK);
    perc_model_info_get(back, &info);
    assert_int_equal(info.features, info_of(ds).features);
    assert_string_equal(perc_model_option(back, "hash"), bits);
    assert_int_equal(perc_dataset_read_for(NULL, back, path, NULL, &again, NULL), PERC_OK);
    assert_int_equal(info_of(again).unknown, 0);
    assert_int_equal(perc_predict(NULL, m, ds, a, NULL), PERC_OK);
    assert_int_equal(perc_predict(NULL, back, again, b, NULL), PERC_OK);
    assert_memory_equal(a, b, info_of(ds).rows * sizeof *a);
    t_free(ds, again, m, back);
}

TEST(models_keep_their_hashing)
{
    perc_model *m, *plain;
    perc_dataset *ds;

    t_put("t.csv", ref_mails);
    t_put("t.svm", ref_pairs);
    trained_and_used("t.csv", "text=body hash=6", "6");
    trained_and_used("t.csv", "text=body", "0");
    trained_and_used("t.svm", "hash=6", "6");

    ds = read_path("t.svm", "hash=6", 1);
    m = t_fit(ds, "epochs=20", NULL);
    assert_int_equal(perc_dataset_write(ds, "t.blocks", "blocks", NULL), PERC_OK);
    perc_dataset_free(ds);
    ds = read_path("t.svm", "", 1);
    plain = t_fit(ds, "epochs=20", NULL);
    perc_dataset_free(ds);
    refused(m, "t.csv", "", PERC_EDATA, "trained on hashed LIBSVM text, and this is a table");
    refused(m, "t.svm", "hash=5", PERC_EARG, "the model has 2^6 buckets: leave out --hash 5");
    refused(plain, "t.svm", "hash=5", PERC_EARG, "trained without hashing: leave out --hash 5");
    refused(m, ":xor", "", PERC_EDATA, "these data count features from 1");
    refused(m, ":iris", "", PERC_EDATA, "hashed into 2^6 buckets, these are not");
    refused(NULL, "t.blocks", "hash=5", PERC_EARG, "have their features already");
    refused(NULL, ":iris", "hash=5", PERC_EARG, "have their features already");
    refused(NULL, ":iris", "text=1", PERC_EARG, "no column of text");
    refused(NULL, "t.csv", "hash=3 ignore=body,from label=y", PERC_EDATA, "no column beside");
    t_put("n.csv", "a,b,y\n1,2,p\n3,4,q\n");
    refused(NULL, "n.csv", "hash=3", PERC_EARG, "no column of words to hash");
    assert_int_equal(perc_dataset_read_for(NULL, m, "t.blocks", NULL, &ds, NULL), PERC_OK);
    t_free(ds, m, plain);
}

static void same_rows(const perc_dataset *a, const perc_dataset *b)
{
    double x[100], y[100];

    assert_int_equal(info_of(a).rows, info_of(b).rows);
    assert_true(info_of(a).features <= 100 && info_of(b).features <= 100);
    for (uint64_t i = 0; i < info_of(a).rows; i++) {
        memset(x, 0, sizeof x);
        memset(y, 0, sizeof y);
        perc_dataset_row(a, i, x);
        perc_dataset_row(b, i, y);
        assert_memory_equal(x, y, sizeof x);
    }
}

TEST(hashed_sets_can_be_written_split_and_read_back)
{
    static const char *const formats[] = { "blocks", "csv", "libsvm" };
    perc_dataset *ds, *back, *half[2];

    t_put("t.csv", ref_mails);
    t_put("t.svm", ref_pairs);
    for (int kind = 0; kind < 2; kind++) {
        ds = kind == 0 ? read_path("t.csv", "text=body hash=5", 1)
                       : read_path("t.svm", "hash=5", 1);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(perc_dataset_write(ds, formats[i], formats[i], NULL), PERC_OK);
            back = read_path(formats[i], "", 1);
            same_rows(ds, back);
            assert_int_equal(info_of(back).hashed, i == 0 ? info_of(ds).hashed : 0);
            assert_int_equal(info_of(back).collisions, i == 0 ? info_of(ds).collisions : 0);
            assert_int_equal(back->schema.hash_bits, i == 0 ? 5 : 0);
            if (i == 1) assert_string_equal(perc_dataset_feature(back, 7), "hash:7");
            perc_dataset_free(back);
        }
        assert_int_equal(perc_dataset_split(ds, 0.5, 1, &half[0], &half[1], NULL), PERC_OK);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(half[k]->schema.hash_bits, 5);
            assert_int_equal(info_of(half[k]).features, 32);
            perc_dataset_free(half[k]);
        }
        perc_dataset_free(ds);
    }
}

TEST(streams_learn_what_data_in_memory_teach)
{
    static const char *const specs[] = { "text=body hash=6", "text=body", "hash=6" };
    perc_params *p, *data;
    perc_model *a, *b;
    perc_dataset *ds;
    char x[8192], y[8192];

    t_put("t.csv", ref_mails);
    t_put("t.svm", ref_pairs);
    p = t_params("perceptron", "order=file");
    for (int i = 0; i < 3; i++) {
        const char *path = i < 2 ? "t.csv" : "t.svm";
        data = options(specs[i]);
        ds = read_path(path, specs[i], 2);
        assert_int_equal(perc_fit(NULL, ds, p, NULL, &a, NULL, NULL), PERC_OK);
        assert_int_equal(perc_fit_stream(NULL, path, data, p, NULL, &b, NULL, NULL), PERC_OK);
        assert_int_equal(perc_model_write(a, "a", NULL), PERC_OK);
        assert_int_equal(perc_model_write(b, "b", NULL), PERC_OK);
        const long n = t_get("a", x, sizeof x);
        assert_true(n > 0 && n < (long)sizeof x);
        assert_int_equal(t_get("b", y, sizeof y), n);
        assert_memory_equal(x, y, (size_t)n);
        t_free(a, b, ds, data);
    }
    perc_params_free(p);
}

/* A model taught line by line hashes as a file is hashed. */
TEST(lines_teach_what_a_file_does)
{
    perc_params *p, *data = options("hash=6");
    perc_model *a, *b;
    perc_reply reply;
    perc_error err;
    char text[sizeof ref_pairs], name[32];

    t_put("t.svm", ref_pairs);
    p = t_params("perceptron", "order=file epochs=1");
    assert_int_equal(perc_fit_stream(NULL, "t.svm", data, p, NULL, &a, NULL, NULL), PERC_OK);
    assert_int_equal(perc_model_new(NULL, p, &b, NULL), PERC_OK);
    assert_int_equal(perc_learn_begin(b, data, NULL), PERC_OK);
    strcpy(text, ref_pairs);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        if (perc_learn_line(b, line, strlen(line), &reply, &err)) fail_msg("%s", err.text);
    uint64_t weights = 0;
    for (uint64_t j = 0; j < 64; j++) {
        weights += perc_model_weight(a, j, 0) != 0;
        assert_true(perc_model_weight(a, j, 0) == perc_model_weight(b, j, 0));
    }
    assert_true(weights > 2);
    assert_string_equal(perc_model_option(b, "hash"), "6");
    assert_string_equal(perc_model_feature(a, 63, name, sizeof name), "hash:63");
    assert_null(perc_model_feature(a, 64, name, sizeof name));
    perc_params_free(data);
    data = options("hash=5");
    assert_refused(perc_learn_begin(a, data, &err), PERC_EARG, &err, "the model has 2^6 buckets");
    t_free(data, p, a, b);
}
