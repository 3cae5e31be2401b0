/* test_line.c -- learning from lines of text.
 *
 * A line is what it would be in a file: n lines make the model that one pass over the
 * file makes, byte for byte, whatever the rule, the classes and the format. Answers
 * without learning are those of the model if it were saved and read. And where memory
 * runs out a line can be shown again. */
#include "t_alloc.h"
#include "t_line.h"

#define PASS " order=file epochs=1"

/* A table of numbers, words, a weight and the label in the middle. */
static void write_table(const char *path, int rows, const char *const *label, unsigned labels,
                        unsigned seed)
{
    static const char *const size[] = { "1.5", "-2", "0", "7e-3", "?" };
    static const char *const weight[] = { "1", "0.5", "2", "0" };
    static const char *const word[] = { "red", "green", "\"light, blue\"", "NA" };
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    fprintf(f, "size,colour,class,weight,age\n");
    for (int i = 0; i < rows; i++) {
        fprintf(f, "%s,", size[next(&seed, 5)]);
        fprintf(f, "%s,%s,", word[next(&seed, 4)], label[next(&seed, labels)]);
        fprintf(f, "%s,%u\n", weight[next(&seed, 4)], next(&seed, 90));
    }
    assert_int_equal(fclose(f), 0);
}

/* ----- one pass ---------------------------------------------------------------------- */

static const char *const learners[] = {
    "algorithm=perceptron",
    "algorithm=perceptron rate=0.3 schedule=1/t",
    "algorithm=perceptron offset=false schedule=1/sqrt",
    "algorithm=margin margin=0.7 rate=0.1",
    "algorithm=pa",
    "algorithm=pa1 aggressiveness=0.2",
    "algorithm=pa2 aggressiveness=0.2 offset=false",
    "algorithm=averaged",
    "algorithm=averaged rule=pa1 class-weight=yes=0.5,10=0",
    "algorithm=averaged rule=margin offset=false",
    "algorithm=voted",
    "algorithm=voted rule=pa2",
};
enum { LEARNERS = COUNT(learners) };

TEST(lines_are_one_pass_over_a_libsvm_file)
{
    static const char *const kind[] = { "auto", "native classes=seen", "ovr" }; /* as lines do */
    char options[256], data[32];

    for (unsigned k = 0; k < LEARNERS * 3 * 4; k++) {
        const unsigned labels = k % 4 < 2 ? 2 : k % 4 + 1;
        const int base = (int)(k % 2);
        snprintf(options, sizeof options, "%s multiclass=%s" PASS, learners[k / 12],
                 kind[k / 4 % 3]);
        snprintf(data, sizeof data, "format=libsvm index=%d", base);
        write_svm("rows", 60, words, labels, base, k);
        perc_dataset *ds = t_read("rows", data);
        if (k / 12 == 8 && labels == 2) { /* a weight for a label that never comes */
            perc_dataset_free(ds);
            continue;
        }
        perc_model *whole = t_fit(ds, options, NULL), *m = untaught(options, data);
        assert_int_equal(show_file(m, "rows"), whole->learner.progress.mistakes);
        assert_true(whole->learner.progress.updates > 10); /* guard */
        end_pass(m, whole);
        t_assert_same_file(m, whole);
        t_free(m, whole, ds);
    }
}

/* A model that knows the columns of a table, and no label. */
static perc_model *columns_of(const perc_dataset *ds, const char *options)
{
    perc_model *m = t_fit(ds, options, NULL);
    const struct env e = m->e;
    const struct rule *rule = m->learner.rule;

    learner_free(&m->learner);
    assert_int_equal(learner_init(&m->learner, &e, rule, m->params), PERC_OK);
    m->rows = 0;
    return m;
}

TEST(lines_are_one_pass_over_a_table)
{
    static const char *const read[] = { "missing=mean", "missing=mean scale=standard",
                                        "missing=mean scale=unit map=poly:2",
                                        "missing=mean text=colour hash=4" };
    static const char *const kind[] = { "auto", "native classes=seen", "ovr" }; /* as lines do */
    char options[256], data[256];
    perc_error err = { 0 };

    for (unsigned k = 0; k < LEARNERS * 3 * 2; k++) {
        const unsigned labels = k % 2 ? 4 : 3;
        snprintf(options, sizeof options, "%s multiclass=%s" PASS, learners[k / 6],
                 kind[k / 2 % 3]);
        snprintf(data, sizeof data, "label=class weight=weight %s", read[k % 4]);
        write_table("rows", 80, words, labels, k);
        perc_dataset *ds = t_read("rows", data);
        perc_model *whole = t_fit(ds, options, NULL), *m = columns_of(ds, options);
        if (k % 5 == 0) { /* from a file, as the command has it */
            if (perc_model_write(m, "model", &err)) fail_msg("%s", err.text);
            perc_model_free(m);
            if (perc_model_read(NULL, "model", &m, &err)) fail_msg("%s", err.text);
        }
        show_file(m, "rows");
        assert_true(whole->learner.progress.updates > 10); /* guard */
        end_pass(m, whole);
        t_assert_same_file(m, whole);
        t_free(m, whole, ds);
    }
}

/* Scaling and map of a new model; one class against the rest. */
TEST(data_options_are_those_of_a_stream)
{
    static const char *const data[] = { "scale=unit",   "scale=by:3",
                                        "map=poly:2",   "map=poly:3:hash:8 scale=by:2",
                                        "float32=true", "unsorted=true",
                                        "hash=6",       "hash=4 map=poly:2" };

    for (unsigned k = 0; k < COUNT(data); k++) {
        for (unsigned positive = 0; positive < 2; positive++) {
            const char *options = positive ? "algorithm=averaged positive=no" PASS
                                           : "algorithm=averaged" PASS;
            char read[128];
            snprintf(read, sizeof read, "index=1 format=libsvm %s", data[k]);
            write_svm("rows", 40, words, 3, 1, k);
            perc_model *whole = t_stream("rows", read, options, NULL);
            perc_model *m = untaught(options, read);
            show_file(m, "rows");
            end_pass(m, whole);
            if (positive) t_assert_same_machine(m, whole);
            else t_assert_same_file(m, whole);
            t_free(m, whole);
        }
    }
}

/* Saved and read between any two lines. */
TEST(a_model_goes_on_as_if_it_had_not_stopped)
{
    char line[4096], options[256];
    perc_error err = { 0 };

    for (unsigned k = 0; k < LEARNERS * 2; k++) {
        snprintf(options, sizeof options, "%s multiclass=%s", learners[k / 2],
                 k % 2 ? "ovr" : "auto");
        write_svm("rows", 50, words, 5, 1, k);
        perc_model *whole = untaught(options, "map=poly:2"), *m = untaught(options, "map=poly:2");
        FILE *f = fopen("rows", "rb");
        assert_non_null(f);
        for (int i = 0; fgets(line, sizeof line, f) != NULL; i++) {
            show(whole, line);
            show(m, line);
            if (i > 3 && i % 7 != 0) continue;
            if (perc_model_write(m, "model", &err)) fail_msg("%s", err.text);
            perc_model_free(m);
            if (perc_model_read(NULL, "model", &m, &err)) fail_msg("%d: %s", i, err.text);
        }
        fclose(f);
        struct t_bytes want = t_bytes_of(whole);
        t_assert_bytes(&want, m);
        free(want.p);
        t_free(m, whole);
    }
}

/* ----- answers ----------------------------------------------------------------------- */

/* The answer of the model if it were saved now, by the way of a file. */
static void check_answer(const perc_model *m, const char *line, const perc_reply *r)
{
    perc_model *back;
    perc_dataset *ds;
    perc_error err = { 0 };
    double s[8];

    assert_int_equal(t_put("question", line), 0);
    if (perc_model_write(m, "model", &err) || perc_model_read(NULL, "model", &back, &err) ||
        perc_dataset_read_for(NULL, back, "question", NULL, &ds, &err) ||
        perc_predict(NULL, back, ds, s, &err))
        fail_msg("%s", err.text);
    assert_string_equal(r->answer, perc_answer(back, s));
    perc_model_info info;
    perc_model_info_get(back, &info);
    double best = s[0];
    for (size_t c = 1; c < info.outputs; c++) best = s[c] > best ? s[c] : best;
    assert_true(t_same_bits(r->score, best));
    t_free(ds, back);
}

TEST(questions_are_answered_as_predict_would)
{
    char line[4096], options[256];

    for (unsigned k = 0; k < LEARNERS * 3; k++) {
        snprintf(options, sizeof options, "%s multiclass=%s", learners[k / 3],
                 k % 3 == 2 ? "ovr" : "auto");
        write_svm("rows", 40, words, k % 3 ? 5 : 2, 1, k);
        perc_model *m = untaught(options, "scale=unit");
        FILE *f = fopen("rows", "rb");
        int checked = 0;
        assert_non_null(f);
        for (int i = 0; fgets(line, sizeof line, f) != NULL; i++) {
            char *question = strchr(line, ' ');
            if (question != NULL && m->learner.labels.n > 1 && strchr(question, ':')) {
                const uint64_t before = digest_of(m);
                const perc_reply r = show(m, question);
                assert_null(r.label);
                if (i % 7 == 0) check_answer(m, question, &r);
                const perc_reply again = show(m, question);
                assert_true(t_same_bits(r.score, again.score));
                assert_true(before == digest_of(m));
                checked += i % 7 == 0;
            }
            show(m, line);
        }
        assert_true(checked > 2); /* guard */
        fclose(f);
        perc_model_free(m);
    }
}

TEST(the_reply_says_what_happened)
{
    perc_model *m = untaught("algorithm=perceptron", "");
    perc_reply r = show(m, "1:1");
    assert_null(r.label);
    assert_null(r.answer); /* nothing is known */
    r = show(m, "+1 1:2");
    assert_string_equal(r.label, "+1");
    assert_null(r.answer);
    assert_true(r.mistake && r.updated && r.score == 0 && r.weight == 1);
    r = show(m, "-1 1:3"); /* the only label known */
    assert_string_equal(r.answer, "+1");
    assert_true(r.mistake && r.updated && r.score == 7); /* w = 2, b = 1 */
    r = show(m, "1:1");
    assert_string_equal(r.answer, "-1"); /* w = -1, b = 0 */
    assert_true(r.score == -1);
    r = show(m, "-1 1:1");
    assert_string_equal(r.answer, "-1");
    assert_true(!r.mistake && !r.updated && r.score == -1);
    r = show(m, "b 1:4"); /* a third: from here on there are three vectors */
    assert_string_equal(r.answer, "-1");
    assert_true(r.mistake && r.updated == 2 && r.score == 4); /* of the vector of -1 */
    perc_model_info info;
    perc_model_info_get(m, &info);
    assert_string_equal(info.multiclass, "ovr");
    assert_int_equal(info.examples, 4);
    assert_int_equal(info.mistakes, 3);
    perc_model_free(m);
}

/* ----- what is no example ------------------------------------------------------------ */

TEST(blank_lines_and_comments_are_skipped)
{
    static const char *const nothing[] = { "", "\n", "\r\n", "  \t ", "# 1 1:1", "   # x\n" };
    perc_model *m = untaught("algorithm=averaged", "");
    const struct t_bytes before = t_bytes_of(m);

    for (size_t i = 0; i < COUNT(nothing); i++) {
        const perc_reply r = show(m, nothing[i]);
        assert_true(r.skipped && r.label == NULL && r.answer == NULL);
    }
    t_assert_bytes(&before, m);
    assert_false(show(m, "1").skipped); /* an example without features */
    free(before.p);
    perc_model_free(m);
}

TEST(a_byte_order_mark_is_passed_over_once)
{
    perc_model *m = untaught("algorithm=perceptron", "");

    assert_string_equal(show(m, "\xef\xbb\xbf"
                                "1 1:1")
                            .label,
                        "1");
    assert_string_equal(show(m, "\xef\xbb\xbf"
                                "1 1:1")
                            .label,
                        "\xef\xbb\xbf"
                        "1");
    perc_model_free(m);
}

/* ----- memory ------------------------------------------------------------------------ */

/* A lesson in which call `fail_at` for memory fails; the line is then shown again. 1 if
 * none failed. *want gets, or is compared with, what was learned. */
static int lesson(const char *const *line, const char *options, const char *data, long fail_at,
                  const char *from, uint64_t *want)
{
    struct t_alloc a = { .fail_at = fail_at };
    const perc_env env = { t_alloc, &a, 1 };
    perc_params *p = t_params("perceptron", options), *d = t_params("data", data);
    const bool voted = strstr(options, "voted") != NULL;
    perc_model *m = NULL;
    perc_error err = { 0 };
    perc_reply r;
    bool lost = false;
    perc_status st = from != NULL ? perc_model_read(&env, from, &m, &err)
                                  : perc_model_new(&env, p, &m, &err);

    if (!st) st = perc_learn_begin(m, d, &err);
    for (size_t i = 0; !st && line[i] != NULL; i++) {
        st = perc_learn_line(m, line[i], strlen(line[i]), &r, &err);
        if (st == PERC_ENOMEM && !m->learner.machine->failed) /* as if it had not been shown */
            st = perc_learn_line(m, line[i], strlen(line[i]), &r, &err);
        lost |= voted && m->learner.machine->failed; /* an update is missing from the votes */
    }
    if (st) assert_int_equal(st, PERC_ENOMEM);
    else if (*want == 0) *want = digest_of(m);
    else if (!lost) assert_true(*want == digest_of(m));
    const int whole = a.failed == 0;
    perc_model_free(m);
    t_alloc_holds(&a, 0);
    t_free(p, d);
    return whole;
}

static long sweep(const char *const *line, const char *options, const char *data, const char *from)
{
    uint64_t want = 0;
    long n = 0;

    lesson(line, options, data, -1, from, &want);
    while (!lesson(line, options, data, n, from, &want)) n++;
    return n;
}

TEST(a_lesson_survives_when_memory_runs_out)
{
    static const char *const svm[] = { "1:1 3:1",        "b 1:1 2:0.5", "a 1:-1 3:2", "2:4",
                                       "b 3:9",          "c 2:1 7:1",   "1:1",        "a 50:1",
                                       "d 9:0.125 60:2", "1:1 7:2",     NULL };
    static const char *const rows[] = {
        "colour,b,a,label",   "blue,1,2,yes", "red,1,1,", "red,0,0,no",
        "\"blue\",1,0,maybe", "red,3,0,?",    NULL
    };
    static const char *const mixed[] = { "1,red,2,no", "3,blue,1", "1,,1,yes", "2,red,?", NULL };
    static const char *const options[] = { "algorithm=perceptron", "algorithm=averaged",
                                           "algorithm=averaged multiclass=ovr", "algorithm=voted",
                                           "algorithm=voted multiclass=ovr" };
    char fit[128];
    perc_error err = { 0 };

    for (size_t k = 0; k < COUNT(options); k++) {
        assert_true(sweep(svm, options[k], "", NULL) > 30);
        assert_true(sweep(svm, options[k], "scale=unit map=poly:2", NULL) > 30);
        snprintf(fit, sizeof fit, "%s epochs=1", options[k]);
        perc_model *m = table_model(small_table, "", fit);
        if (perc_model_write(m, "model", &err)) fail_msg("%s", err.text);
        assert_true(sweep(rows, options[k], "", "model") > 30);
        assert_true(sweep(mixed, options[k], "missing=zero", "model") > 30);
        perc_model_free(m);
    }
}
