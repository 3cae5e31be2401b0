/* test_measure.c -- what is held out has no part in what is measured.
 *
 * The slow loop is what anybody can do with files: the lines of a fold are cut out of the table,
 * a model is trained on the file of the others, and tested on the file of those. In the order of
 * the file perc_cross_validate gives the same numbers to the bit, for every scaling, with gaps,
 * with levels that only one fold has, for every learner, on any number of threads. */
#include <math.h>

#include "data/mask.h"
#include "data/measure.h"
#include "model/deal.h"
#include "model/folds.h"
#include "model/judge.h"
#include "t.h"
#include "t_alloc.h"
#include "t_cases.h"
#include "t_dir.h"
#include "t_make.h"
#include "vec/rng.h"

/* ----- columns with their own treatments ------------------------------------------------------ */

static const char *const treated[] = {
    "a: number scale=standard fill=median indicator\ncolour: category rare=6 fill=frequent "
    "reference=first\nb: number scale=minmax\nrare: number scale=maxabs\nbit: number scale=none\n",
    "colour: category fill=frequent reference=frequent\ntown: category rare=1 reference=t0\n"
    "a: number fill=mean\nb: number scale=by:3\n",
    "a: number fill=median\ntown: category rare=9 reference=first\nbit: category reference=\"1\"\n",
    "colour: category rare=5\nwords: text tfidf ngrams=2\n",
};
enum { TREATED = COUNT(treated) };

static void put_columns(void)
{
    char name[] = "what0";

    for (int i = 0; i < TREATED; i++, name[4]++) assert_int_equal(t_put(name, treated[i]), 0);
}

/* ----- tables by their lines ----------------------------------------------------------------- */

enum { ROWS = 60, LINE = 200, K = 4 };

struct lines {
    char head[LINE], at[ROWS][LINE];
};

/* Numbers with gaps, one of them large in a row or two, one nearly always 0, one 0 or 1; categories
 * of which some levels are rare; a text, if wanted. */
static void draw_lines(struct lines *l, uint64_t seed, bool gaps, bool text)
{
    static const char *const word[] = { "red", "green", "blue", "grey", "white", "black", "pink" };
    struct rng g = rng_seed(seed, 0);

    snprintf(l->head, LINE, "a,colour,b,town,rare,bit%s,label\n", text ? ",words" : "");
    for (int i = 0; i < ROWS; i++) {
        const bool yes = i % 2;
        const double a = 3 * rng_normal(&g) + 2 * yes, b = rng_normal(&g) - yes;
        const char *colour = i % 17 == 5 ? word[4 + i / 17 % 3] : word[rng_below(&g, 3 + yes)];
        char first[40] = "", words[60] = "";
        if (!gaps || rng_below(&g, 5) > 0) snprintf(first, sizeof first, "%.17g", a);
        if (text)
            snprintf(words, sizeof words, ",%s %s %s", word[rng_below(&g, 7)],
                     word[rng_below(&g, 4)], word[rng_below(&g, 7)]);
        snprintf(l->at[i], LINE, "%s,%s,%.9g,t%d,%d,%d%s,%s\n", first,
                 gaps && i % 11 == 3 ? "" : colour, rng_below(&g, 20) == 0 ? 1e4 * b : b,
                 (int)(rng_below(&g, 4) * rng_below(&g, 5)),
                 rng_below(&g, 15) == 0 ? (int)(1000 * a) : 0, (int)rng_below(&g, 2), words,
                 yes ? "yes" : "no");
    }
}

/* The lines whose mark is `which`; all if mark is NULL. */
static void put_lines(const struct lines *l, const uint32_t *mark, uint32_t which, bool others,
                      const char *path)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs(l->head, f);
    for (int i = 0; i < ROWS; i++)
        if (mark == NULL || (mark[i] == which) != others) fputs(l->at[i], f);
    assert_int_equal(fclose(f), 0);
}

static perc_dataset *read_for(const perc_model *m, const char *path)
{
    perc_error err = { 0 };
    perc_dataset *ds;

    if (perc_dataset_read_for(NULL, m, path, NULL, &ds, &err)) fail_msg("%s", err.text);
    return ds;
}

/* ----- the slow loop ------------------------------------------------------------------------- */

/* How the model of a file without fold f does on the file of it. */
static perc_metrics by_hand(const struct lines *l, const uint32_t *fold, uint32_t f,
                            const char *data, const char *options, int *fewer)
{
    perc_dataset_info part_info, held_info;
    perc_metrics out;

    put_lines(l, fold, f, true, "part.csv");
    put_lines(l, fold, f, false, "held.csv");
    perc_dataset *part = t_read("part.csv", data);
    perc_model *m = t_fit(part, options, NULL);
    perc_dataset *held = read_for(m, "held.csv");
    assert_int_equal(perc_evaluate(NULL, m, held, &out, NULL, NULL), PERC_OK);
    perc_dataset_info_get(part, &part_info);
    perc_dataset_info_get(held, &held_info);
    *fewer += held_info.unknown > 0;
    t_free(m, part, held);
    return out;
}

/* What a learner that begins at 0 says of features as they are is the same but for the order of the
 * sums: the numbers of levels are not looked at then. */
static bool agree(const perc_metrics *want, const perc_metrics *got, bool exactly)
{
    if (exactly) return memcmp(want, got, sizeof *want) == 0;
    return want->errors == got->errors && fabs(want->margin[3] - got->margin[3]) < 1e-9 &&
           fabs(want->hinge_loss - got->hinge_loss) < 1e-9;
}

static void check_folds(uint64_t seed, bool text, const char *data, const char *options,
                        bool exactly, int threads)
{
    const perc_env env = { .threads = threads };
    struct lines l;
    perc_metrics each[K];
    uint32_t fold[ROWS];
    perc_error err = { 0 };
    int fewer = 0;

    draw_lines(&l, seed, strstr(data, "missing") != NULL, text);
    put_lines(&l, NULL, 0, false, "all.csv");
    perc_dataset *ds = t_read_on(threads, "all.csv", data);
    perc_params *p = t_params("averaged", options);
    assert_int_equal(perc_folds(ds, K, (uint64_t)params_int(p, "seed"), fold, NULL), PERC_OK);
    if (perc_cross_validate(&env, ds, p, K, NULL, each, &err)) fail_msg("%s", err.text);
    for (uint32_t f = 0; f < K; f++) {
        const perc_metrics want = by_hand(&l, fold, f, data, options, &fewer);
        if (!agree(&want, &each[f], exactly))
            fail_msg("%s, %s, seed %d: fold %u: accuracy %.17g and %.17g, loss %.17g and %.17g, "
                     "margin %.17g and %.17g",
                     data, options, (int)seed, f, want.accuracy, each[f].accuracy, want.log_loss,
                     each[f].log_loss, want.margin[3], each[f].margin[3]);
    }
    /* guard: a fold has a level that the others lack (which is rare, and known as that, in some) */
    assert_true(fewer > 0 || strstr(data, "columns") != NULL);
    t_free(p, ds);
}

static const char *const scalings[] = {
    "scale=auto",
    "scale=standard",
    "scale=minmax",
    "scale=maxabs missing=mean",
    "scale=auto missing=mean",
    "missing=mean",
    "scale=unit",
    "scale=standard map=poly:2:hash:6",
    "scale=none",
    "scale=by:7 map=poly:2",
};
static const char *const learners[] = {
    "algorithm=mlp layers=3 order=file epochs=3 batch=1",
    "algorithm=perceptron order=file epochs=3 kernel=rbf gamma=scale",
    "algorithm=perceptron order=file epochs=3 kernel=poly degree=2 gamma=auto",
    "algorithm=perceptron order=file epochs=3 init=random",
    "algorithm=averaged order=file epochs=3",
    "algorithm=pocket order=file epochs=3 class-weight=balanced",
    "algorithm=voted order=file epochs=2",
    "algorithm=arow order=file epochs=2",
    "algorithm=logistic",
};
enum { SCALINGS = COUNT(scalings), PLAIN = 8, LEARNERS = COUNT(learners), FROM_0 = 4 };

TEST(a_fold_is_a_file_of_its_own)
{
    static const int threads[] = { 8, 1, 2 };

    for (int k = 0; k < t_cases(SCALINGS * LEARNERS); k++) {
        const int scaling = k % SCALINGS, learner = k / SCALINGS % LEARNERS;
        check_folds((uint64_t)k, false, scalings[scaling], learners[learner],
                    scaling < PLAIN || learner < FROM_0, threads[k % 3]);
    }
}

TEST(a_fold_of_treated_columns_is_a_file_of_its_own)
{
    static const char *const how[] = {
        "columns=what0 missing=mean",
        "columns=what0 missing=median scale=auto",
        "columns=what1 missing=mean",
        "columns=what1 missing=median scale=standard",
        "columns=what1 missing=mean scale=by:7",
        "columns=what2 missing=zero scale=unit",
        "columns=what2 missing=mean scale=minmax",
    };

    put_columns();
    for (int k = 0; k < t_cases(COUNT(how) * LEARNERS); k++)
        check_folds((uint64_t)k, false, how[k % (int)COUNT(how)],
                    learners[k / (int)COUNT(how) % LEARNERS], true, 1 + k % 3);
    for (int k = 0; k < t_cases(6); k++)
        check_folds((uint64_t)k, true, "columns=what3 scale=auto missing=median",
                    learners[k % 2 ? 4 : 8], false, 1 + k % 3);
}

/* Words of a cell are met in an order that is not known afterwards. */
TEST(words_that_only_held_out_rows_have_say_nothing)
{
    for (int k = 0; k < t_cases(12); k++) {
        check_folds((uint64_t)k, true, k % 2 ? "text=words scale=standard" : "text=words",
                    learners[k % 4 < 2 ? 4 : 1], false, 1 + k % 3);
    }
}

/* ----- the leak ------------------------------------------------------------------------------ */

/* One number of a million. Whoever scales by it cannot see the others: they all become the same. A
 * model that never met it tells the classes apart, and errs on that row. */
TEST(a_leak_changes_the_estimate)
{
    enum { OUTLIER = 9 };
    struct lines l;
    struct rng g = rng_seed(3, 0);
    perc_metrics each[K], leaked;
    uint32_t fold[ROWS];
    uint8_t keep[ROWS];
    perc_dataset *masked;
    int unused = 0;
    static const char options[] = "order=file epochs=2";
    const struct env e = env_resolve(NULL);

    snprintf(l.head, LINE, "x,label\n");
    for (int i = 0; i < ROWS; i++)
        snprintf(l.at[i], LINE, "%.17g,%s\n",
                 i == OUTLIER ? -1e6 : (i % 2 ? 1 : -1) + 0.2 * rng_normal(&g), i % 2 ? "a" : "b");
    put_lines(&l, NULL, 0, false, "all.csv");
    perc_dataset *ds = t_read("all.csv", "scale=standard");
    perc_params *p = t_params("averaged", options);
    assert_int_equal(perc_folds(ds, K, 0, fold, NULL), PERC_OK);
    assert_int_equal(perc_cross_validate(NULL, ds, p, K, NULL, each, NULL), PERC_OK);
    const uint32_t f = fold[OUTLIER];
    for (int i = 0; i < ROWS; i++) keep[i] = fold[i] != f;

    /* As it was: what was measured on all rows. */
    assert_int_equal(mask_dataset(&e, ds, keep, &masked), PERC_OK);
    perc_model *m = t_fit(masked, "algorithm=averaged order=file epochs=2", NULL);
    for (int i = 0; i < ROWS; i++) keep[i] = !keep[i];
    const struct judged held = { keep, 1, NULL };
    assert_int_equal(judge_rows(&e, m, ds, &held, &leaked, NULL), PERC_OK);
    assert_true(leaked.accuracy < 0.6);
    assert_true(each[f].accuracy > 0.9 && each[f].errors == 1);
    const perc_metrics want = by_hand(&l, fold, f, "scale=standard",
                                      "algorithm=averaged order=file epochs=2", &unused);
    assert_memory_equal(&want, &each[f], sizeof want);
    mask_remove(masked);
    t_free(m, p, ds);
}

/* Levels of two rows, where one row is rare: whoever counts the row that is held out gives the
 * level of the other a feature, which knows the class. */
TEST(a_level_that_is_held_out_counts_for_nothing)
{
    struct lines l;
    perc_metrics each[K];
    uint32_t fold[ROWS];
    int unused = 0;

    assert_int_equal(t_put("rare", "x: category rare=2 reference=first\n"), 0);
    snprintf(l.head, LINE, "x,n,label\n");
    /* Each level stands in two rows: in a fold that holds one of them, the other is rare. */
    for (int i = 0; i < ROWS; i++)
        snprintf(l.at[i], LINE, "l%d,%d,%s\n", i % (ROWS / 2), i % 3, i % 2 ? "a" : "b");
    put_lines(&l, NULL, 0, false, "all.csv");
    perc_dataset *ds = t_read("all.csv", "columns=rare");
    perc_params *p = t_params("averaged", "order=file epochs=2");
    perc_dataset_info info;
    perc_dataset_info_get(ds, &info);
    assert_int_equal(info.features, ROWS / 2 - 1 + 1 + 1); /* but the reference; rare; n */
    assert_int_equal(perc_folds(ds, K, 0, fold, NULL), PERC_OK);
    assert_int_equal(perc_cross_validate(NULL, ds, p, K, NULL, each, NULL), PERC_OK);
    uint64_t leaked = 0, errors = 0;
    for (uint32_t f = 0; f < K; f++) {
        const perc_metrics want = by_hand(&l, fold, f, "columns=rare",
                                          "algorithm=averaged order=file epochs=2", &unused);
        assert_memory_equal(&want, &each[f], sizeof want);
        /* What it would be, were levels counted on all rows: every one has a feature. */
        perc_metrics all;
        perc_dataset *masked;
        uint8_t keep[ROWS];
        const struct env e = env_resolve(NULL);
        for (int i = 0; i < ROWS; i++) keep[i] = fold[i] != f;
        assert_int_equal(mask_dataset(&e, ds, keep, &masked), PERC_OK);
        perc_model *m = t_fit(masked, "algorithm=averaged order=file epochs=2", NULL);
        for (int i = 0; i < ROWS; i++) keep[i] = !keep[i];
        const struct judged held = { keep, 1, NULL };
        assert_int_equal(judge_rows(&e, m, ds, &held, &all, NULL), PERC_OK);
        leaked += all.errors;
        errors += want.errors;
        mask_remove(masked);
        perc_model_free(m);
    }
    assert_true(leaked + 10 < errors); /* the leak knows the class of the other row */
    t_free(p, ds);
}

/* ----- scores, curves, parts ------------------------------------------------------------------ */

static const char *const read_as[] = { "scale=auto missing=mean",
                                       "scale=standard missing=mean",
                                       "scale=minmax missing=mean",
                                       "columns=what0 missing=median",
                                       "columns=what1 scale=auto missing=median",
                                       "columns=what2 scale=standard missing=mean" };
enum { READ_AS = COUNT(read_as) };

/* What sigmoids and thresholds are fitted to. */
TEST(scores_of_rows_held_out_are_those_of_files)
{
    static const char options[] = "algorithm=averaged order=file epochs=3";
    const struct env e = env_resolve(&(perc_env){ .threads = 2 });
    double scores[ROWS], own[ROWS];
    uint32_t fold[ROWS];
    struct lines l;

    put_columns();
    for (uint64_t seed = 0; seed < 2 * READ_AS; seed++) {
        draw_lines(&l, seed, true, false);
        put_lines(&l, NULL, 0, false, "all.csv");
        perc_dataset *ds = t_read("all.csv", read_as[seed % READ_AS]);
        perc_params *p = t_params("averaged", options + sizeof "algorithm=averaged");
        assert_int_equal(perc_folds(ds, K, 0, fold, NULL), PERC_OK);
        assert_int_equal(folds_scores(&e, ds, p, K, NULL, 1, scores, NULL, NULL), PERC_OK);
        for (uint32_t f = 0; f < K; f++) {
            put_lines(&l, fold, f, true, "part.csv");
            put_lines(&l, fold, f, false, "held.csv");
            perc_dataset *part = t_read("part.csv", read_as[seed % READ_AS]);
            perc_model *m = t_fit(part, options, NULL);
            perc_dataset *held = read_for(m, "held.csv");
            assert_int_equal(perc_predict(NULL, m, held, own, NULL), PERC_OK);
            for (int i = 0, at = 0; i < ROWS; i++)
                if (fold[i] == f) assert_true(t_same_bits(scores[i], own[at++]));
            t_free(m, part, held);
        }
        t_free(p, ds);
    }
}

/* A model is fitted again on data that were read for it, and its answers are fitted again: whether
 * standard was auto is found out, and a start has its own numbers. */
TEST(data_read_for_a_model_are_measured_as_it_was)
{
    struct lines l;
    double want[2], got[2];

    draw_lines(&l, 77, true, false);
    put_lines(&l, NULL, 0, false, "old.csv");
    perc_dataset *old = t_read("old.csv", "scale=standard missing=mean");
    perc_model *start = t_fit(old, "algorithm=averaged epochs=1", NULL);
    assert_int_equal(perc_model_write(start, "start", NULL), PERC_OK);
    draw_lines(&l, 78, true, false);
    put_lines(&l, NULL, 0, false, "all.csv");
    for (int k = 0; k < 6; k++) {
        perc_params *data = t_params("data", read_as[k % 3]);
        perc_params *p = t_params("averaged", k < 3 ? "epochs=2" : "epochs=2 init=start");
        perc_dataset *ds, *again;
        perc_model *m;
        perc_error err = { 0 };
        perc_params_free(k < 3 ? NULL : data);
        if (k >= 3) data = t_params("data", "missing=mean scale=auto");
        if (perc_dataset_read_start(NULL, p, "all.csv", data, &ds, &err) ||
            perc_fit(NULL, ds, p, NULL, &m, NULL, &err) ||
            perc_calibrate(NULL, m, ds, K, NULL, &err))
            fail_msg("%s", err.text);
        perc_model_sigmoid(m, 0, &want[0], &want[1], NULL);
        again = read_for(m, "all.csv");
        if (perc_calibrate(NULL, m, again, K, NULL, &err)) fail_msg("%s", err.text);
        perc_model_sigmoid(m, 0, &got[0], &got[1], NULL);
        assert_memory_equal(want, got, sizeof want);
        t_free(m, p, data, ds, again);
    }
    t_free(start, old);
}

/* The rows that are not held out, as a file: the same model, byte for byte. */
TEST(a_split_is_two_files)
{
    static const char options[] = "algorithm=averaged order=file epochs=3";
    struct lines l;

    put_columns();
    for (uint64_t seed = 0; seed < 3 * READ_AS; seed++) {
        const char *data = seed % READ_AS ? read_as[seed % READ_AS] : "scale=unit";
        uint32_t mark[ROWS] = { 0 };
        perc_dataset *rest, *held;
        draw_lines(&l, seed, seed % READ_AS > 0, false);
        put_lines(&l, NULL, 0, false, "all.csv");
        perc_dataset *ds = t_read("all.csv", data);
        assert_int_equal(perc_dataset_split(ds, 0.3, seed, &rest, &held, NULL), PERC_OK);
        for (uint64_t i = 0; i < held->rows; i++) mark[perc_dataset_row_line(held, i) - 2] = 1;
        put_lines(&l, mark, 0, false, "part.csv");
        put_lines(&l, mark, 1, false, "held.csv");
        perc_dataset *part = t_read("part.csv", data);
        perc_model *a = t_fit(part, options, NULL), *b = t_fit(rest, options, NULL);
        /* How many cells were filled is counted by a reader, of the whole file. */
        if (strstr(data, "columns") == NULL) t_assert_same_file(a, b);
        perc_dataset *own = read_for(a, "held.csv");
        size_t n;
        double *x = t_scores(a, own, &n), *y = t_scores(b, held, &n);
        for (size_t i = 0; i < n; i++) assert_true(t_same_bits(x[i], y[i]));
        free(x);
        free(y);
        /* And the parts of it: of each are measured as those of the file. */
        perc_metrics each[2][K];
        perc_params *p = t_params("averaged", options + sizeof "algorithm=averaged");
        assert_int_equal(perc_cross_validate(NULL, part, p, K, NULL, each[0], NULL), PERC_OK);
        assert_int_equal(perc_cross_validate(NULL, rest, p, K, NULL, each[1], NULL), PERC_OK);
        assert_memory_equal(each[0], each[1], sizeof each[0]);
        perc_params_free(p);
        t_free(part, rest, held, ds);
        t_free(a, b, own);
    }
}

/* Of the whole part, and of half of it: against the part that was measured. */
TEST(a_curve_measures_what_it_learns_from)
{
    static const char options[] = "algorithm=averaged order=file epochs=3";
    static const double share[] = { 0.5, 1 };
    const struct env e = env_resolve(NULL);
    perc_metrics train[2], held[2], want;
    double rows[2];
    struct lines l;
    uint32_t fold[ROWS];

    put_columns();
    for (uint64_t seed = 0; seed < 2 * READ_AS; seed++) {
        draw_lines(&l, seed, true, false);
        for (int i = 0; i < ROWS; i++) fold[i] = i % 5 == 0;
        put_lines(&l, fold, 1, true, "part.csv");
        put_lines(&l, fold, 1, false, "held.csv");
        perc_params *p = t_params("averaged", options + sizeof "algorithm=averaged");
        perc_dataset *ds = t_read("part.csv", read_as[seed % READ_AS]), *like, *part, *masked,
                     *judged;
        assert_int_equal(perc_dataset_read_like(NULL, ds, "held.csv", NULL, &like, NULL), PERC_OK);
        assert_int_equal(
            perc_learning_curve(NULL, ds, p, like, 0, share, 2, NULL, rows, train, held, NULL),
            PERC_OK);
        int unused = 0;
        want = by_hand(&l, fold, 1, read_as[seed % READ_AS], options, &unused);
        assert_memory_equal(&want, &held[1], sizeof want);

        uint8_t keep[ROWS] = { 0 };
        struct deal d;
        assert_int_equal(deal_open(&e, ds, 0, DEAL_SHARES, &d, NULL), PERC_OK);
        for (size_t i = 0; i < d.piles; i++)
            for (uint64_t k = 0; 2 * k < d.start[i + 1] - d.start[i]; k++)
                keep[d.row[d.start[i] + k]] = 1;
        deal_close(&d);
        assert_int_equal(measure_part(&e, ds, keep, &part, NULL), PERC_OK);
        assert_int_equal(measure_like(&e, part, like, &judged, NULL), PERC_OK);
        assert_int_equal(mask_dataset(&e, part, keep, &masked), PERC_OK);
        perc_model *m = t_fit(masked, options, NULL);
        assert_int_equal(perc_evaluate(NULL, m, judged, &want, NULL, NULL), PERC_OK);
        assert_memory_equal(&want, &held[0], sizeof want);
        mask_remove(masked);
        t_free(m, p, ds, like, part, judged);
    }
}

/* ----- memory ----------------------------------------------------------------------------- */

static perc_status work(const perc_env *env, const perc_params *data, const perc_params *p)
{
    static const double share[] = { 0.6 };
    perc_dataset *ds, *rest = NULL, *held = NULL;
    perc_metrics each[2], train;
    double rows;
    perc_status st = perc_dataset_read(env, "all.csv", data, &ds, NULL);

    if (!st) st = perc_cross_validate(env, ds, p, 2, NULL, each, NULL);
    if (!st) st = perc_dataset_split(ds, 0.3, 1, &rest, &held, NULL);
    if (!st)
        st = perc_learning_curve(env, rest, p, held, 0, share, 1, NULL, &rows, &train, each, NULL);
    perc_dataset_free(ds);
    perc_dataset_free(rest);
    perc_dataset_free(held);
    return st;
}

TEST(measuring_out_of_memory_leaves_nothing_behind)
{
    static const char *const how[] = { "scale=auto missing=mean text=words",
                                       "columns=what0 missing=median text=words",
                                       "columns=what3 scale=standard missing=mean" };
    perc_params *p = t_params("averaged", "epochs=1");
    struct lines l;

    put_columns();
    draw_lines(&l, 5, true, true);
    put_lines(&l, NULL, 0, false, "all.csv");
    for (size_t i = 0; i < COUNT(how); i++) {
        perc_params *data = t_params("data", how[i]);
        for (struct t_sweep s = { .least = 100 }; t_sweep_next(&s);) {
            const perc_status st = work(&s.env, data, p);
            t_sweep_judge(&s, st);
        }
        perc_params_free(data);
    }
    perc_params_free(p);
}
