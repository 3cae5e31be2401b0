/* t_scenes.c -- see t_scenes.h. */
#include "t_scenes.h"
#include "t.h"

#include "data/canonical.h"
#include "t_make.h"

/* ----- digests (FNV-1a) ------------------------------------------------------------ */

static void mix(uint64_t *h, const void *p, size_t n)
{
    for (size_t i = 0; i < n; i++) *h = (*h ^ ((const unsigned char *)p)[i]) * 0x100000001b3;
}

static void mix_dataset(uint64_t *h, const perc_dataset *ds)
{
    perc_dataset_info info;

    perc_dataset_info_get(ds, &info);
    double *x = malloc((info.features + 1) * sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < info.labels; i++)
        mix(h, perc_dataset_label(ds, i), strlen(perc_dataset_label(ds, i)));
    for (uint64_t i = 0; i < info.rows; i++) {
        const int label = perc_dataset_row_label(ds, i);
        perc_dataset_row(ds, i, x);
        x[info.features] = perc_dataset_row_weight(ds, i);
        mix(h, x, (info.features + 1) * sizeof *x);
        mix(h, &label, sizeof label);
    }
    free(x);
}

static void mix_model(uint64_t *h, const perc_model *m)
{
    perc_model_info info;

    perc_model_info_get(m, &info);
    for (size_t c = 0; c < info.outputs; c++) {
        for (uint64_t j = 0; j < info.features; j++) {
            const double w = perc_model_weight(m, j, c);
            mix(h, &w, sizeof w);
        }
        const double offset = perc_model_offset(m, c);
        mix(h, &offset, sizeof offset);
    }
    perc_layer layer;
    for (size_t i = 0; perc_model_layer(m, i, &layer); i++)
        for (uint64_t k = 0; k < layer.outputs; k++) {
            const double w = perc_model_layer_weight(m, i, 0, k);
            mix(h, &w, sizeof w);
        }
    mix(h, &info.mistakes, sizeof info.mistakes); /* a kernel machine has no weights */
    mix(h, &info.updates, sizeof info.updates);
    mix(h, info.positive, strlen(info.positive));
}

/* ----- one call -------------------------------------------------------------------- */

/* What any call promises. `place` is where it puts what it makes, of whatever type;
 * NULL: it makes nothing. */
static perc_status told(perc_status st, const perc_error *err, const void *place)
{
    const void *made = NULL;

    assert_int_equal(err->status, st);
    if (st) assert_true(err->text[0] != '\0');
    if (place == NULL) return st;
    memcpy(&made, place, sizeof made);
    assert_true((made == NULL) == (st != PERC_OK));
    return st;
}

/* What a scene holds; let_go() gives it all back. */
struct held {
    perc_params *data, *p;
    perc_dataset *ds, *rest;
    perc_model *from, *m;
    perc_report report;
    perc_error err;
};

static void let_go(struct held *h)
{
    perc_params_free(h->data);
    perc_params_free(h->p);
    perc_dataset_free(h->ds);
    perc_dataset_free(h->rest);
    perc_model_free(h->from);
    perc_model_free(h->m);
}

/* The same number of threads, and memory that does not fail: for what a scene needs
 * but is not about. */
static perc_env sure(const perc_env *env)
{
    return (perc_env){ .threads = env->threads };
}

/* Values from "name=value name=value", those that the table has: generators differ. A
 * value that cannot be kept leaves the old one. */
static perc_status params(const perc_env *env, const char *table, const char *options,
                          perc_params **p, perc_error *err)
{
    char name[32], value[64], before[64], learner[32];
    int used;

    if (options == NULL) options = "";
    if (strcmp(table, "perceptron") == 0 &&
        sscanf(options, "algorithm=%31s%n", learner, &used) == 1) {
        table = learner;
        options += used;
    }
    perc_status st = told(perc_params_new(env, table, p, err), err, p);

    while (!st && sscanf(options, " %31[^= ]=%63[^ ]%n", name, value, &used) == 2) {
        options += used;
        if (perc_params_get(*p, name) == NULL) continue;
        snprintf(before, sizeof before, "%s", perc_params_get(*p, name));
        st = told(perc_params_set(*p, name, value, err), err, NULL);
        assert_string_equal(perc_params_get(*p, name), st ? before : value);
    }
    return st;
}

static perc_status load(const perc_env *env, const struct t_scene *s, struct held *h)
{
    perc_status st = params(env, "data", s->data, &h->data, &h->err);

    if (st) return st;
    st = perc_dataset_read(env, s->path, s->data != NULL ? h->data : NULL, &h->ds, &h->err);
    return told(st, &h->err, &h->ds);
}

/* ----- scenes: data ---------------------------------------------------------------- */

static perc_status set_params(const struct t_scene *s, const perc_env *env, uint64_t *digest)
{
    struct held h = { 0 };
    perc_status st = params(env, s->path, s->options, &h.p, &h.err);

    if (!st) mix(digest, perc_params_get(h.p, "seed"), 1);
    let_go(&h);
    return st;
}

static perc_status read_data(const struct t_scene *s, const perc_env *env, uint64_t *digest)
{
    struct held h = { 0 };
    perc_status st = load(env, s, &h);

    if (!st) mix_dataset(digest, h.ds);
    let_go(&h);
    return st;
}

/* For a proof, and what a certificate says of the data. */
static perc_status read_exact(const struct t_scene *s, const perc_env *env, uint64_t *digest)
{
    struct held h = { 0 };
    char hex[SHA256_HEX];
    perc_status st = params(env, "data", s->data, &h.data, &h.err);

    if (!st) {
        st = perc_dataset_read_exact(env, s->path, h.data, &h.ds, &h.err);
        told(st, &h.err, &h.ds);
    }
    if (!st) mix_dataset(digest, h.ds);
    if (!st) st = told(canonical_hash(h.ds, hex, &h.err), &h.err, NULL);
    if (!st) mix(digest, hex, sizeof hex);
    let_go(&h);
    return st;
}

/* For a model: options names its file. */
static perc_status read_for(const struct t_scene *s, const perc_env *env, uint64_t *digest)
{
    struct held h = { 0 };
    const perc_env own = sure(env);
    perc_status st = told(perc_model_read(&own, s->options, &h.m, &h.err), &h.err, &h.m);

    if (!st && s->data != NULL) st = params(&own, "data", s->data, &h.data, &h.err);
    if (!st) {
        st = perc_dataset_read_for(env, h.m, s->path, h.data, &h.ds, &h.err);
        told(st, &h.err, &h.ds);
    }
    if (!st) mix_dataset(digest, h.ds);
    let_go(&h);
    return st;
}

static perc_status generate(const struct t_scene *s, const perc_env *env, uint64_t *digest)
{
    perc_status st = PERC_OK;
    const char *kind;

    for (size_t i = 0; !st && (kind = perc_table_name("generator", i, NULL)) != NULL; i++) {
        struct held h = { 0 };
        st = params(env, kind, s->options, &h.p, &h.err);
        if (!st) st = told(perc_dataset_generate(env, h.p, &h.ds, &h.err), &h.err, &h.ds);
        if (!st) mix_dataset(digest, h.ds);
        let_go(&h);
    }
    return st;
}

static perc_status split(const struct t_scene *s, const perc_env *env, uint64_t *digest)
{
    struct held h = { 0 };
    perc_dataset *held = NULL;
    perc_status st = load(env, s, &h);

    if (!st) {
        st = told(perc_dataset_split(h.ds, 0.3, 1, &h.rest, &held, &h.err), &h.err, &h.rest);
        assert_true((held == NULL) == (st != PERC_OK));
    }
    if (!st) {
        mix_dataset(digest, h.rest);
        mix_dataset(digest, held);
    }
    perc_dataset_free(held);
    let_go(&h);
    return st;
}

/* options is the format, here and below. */
static perc_status write_data(const struct t_scene *s, const perc_env *env, uint64_t *digest)
{
    struct held h = { 0 };
    perc_status st = load(env, s, &h);

    (void)digest; /* the file is compared */
    if (!st) st = told(perc_dataset_write(h.ds, s->writes, s->options, &h.err), &h.err, NULL);
    let_go(&h);
    return st;
}

/* The rows of the text, divided as `data` say; into "out", and what the scene writes. */
static perc_status divide(const struct t_scene *s, const perc_env *env, uint64_t *digest)
{
    struct held h = { 0 };
    perc_split *split = NULL;
    perc_split_info info;
    const bool two = s->options == NULL;
    perc_status st = params(env, two ? "split" : "sample", s->data, &h.p, &h.err);

    if (!st)
        st = two ? perc_split_rows(env, s->path, NULL, h.p, "out.train", s->writes, &split, &h.err)
                 : perc_sample_rows(env, s->path, NULL, h.p, s->writes, &split, &h.err);
    if (h.p != NULL) told(st, &h.err, &split);
    perc_split_info_get(split, &info);
    mix(digest, &info.drawn, sizeof info.drawn);
    perc_split_free(split);
    let_go(&h);
    remove("out.train"); /* whole, or not there; "out" is looked at */
    return st;
}

static const double dense[3][3] = { { 1, 2, 0 }, { 0, -1, 0 }, { 4, 0.5, 0 } };
static const double signs[3] = { 1, -1, 1 }, weights[3] = { 1, 2, 0.5 };

static perc_status borrow_dense(const struct t_scene *s, const perc_env *env, uint64_t *digest)
{
    const perc_dense x = { dense, PERC_F64, 3, 2, sizeof dense[0], sizeof(double) }; /* of 3 */
    struct held h = { 0 };
    perc_status st = perc_dataset_borrow_dense(env, &x, signs, weights, &h.ds, &h.err);

    if (!told(st, &h.err, &h.ds)) mix_dataset(digest, h.ds);
    if (!st) st = told(perc_dataset_write(h.ds, s->writes, s->options, &h.err), &h.err, NULL);
    let_go(&h);
    return st;
}

static perc_status borrow_csr(const struct t_scene *s, const perc_env *env, uint64_t *digest)
{
    static const float value[4] = { 1, 2, -1, 4 };
    static const int32_t index[4] = { 0, 1, 1, 0 };
    static const int32_t start[4] = { 0, 2, 3, 4 };
    const perc_csr x = { value, PERC_F32, index, start, PERC_I32, PERC_I32, 3, 2 };
    struct held h = { 0 };
    perc_status st = perc_dataset_borrow_csr(env, &x, signs, weights, &h.ds, &h.err);

    if (!told(st, &h.err, &h.ds)) mix_dataset(digest, h.ds);
    if (!st) st = told(perc_dataset_write(h.ds, s->writes, s->options, &h.err), &h.err, NULL);
    let_go(&h);
    return st;
}

/* ----- scenes: learning ------------------------------------------------------------ */

static perc_status fit(const struct t_scene *s, const perc_env *env, uint64_t *digest)
{
    struct held h = { 0 };
    const perc_env own = sure(env);
    perc_status st = load(&own, s, &h);

    if (!st) st = params(&own, "perceptron", s->options, &h.p, &h.err);
    if (!st) st = told(perc_fit(env, h.ds, h.p, NULL, &h.m, &h.report, &h.err), &h.err, &h.m);
    if (!st) mix_model(digest, h.m);
    if (!st) mix(digest, &h.report.loss, sizeof h.report.loss);
    let_go(&h);
    return st;
}

static int mix_offset(void *ud, const perc_event *e)
{
    if (e->b != NULL) mix(ud, e->b, sizeof *e->b);
    return 0;
}

/* Under an observer of the weights. */
static perc_status fit_watched(const struct t_scene *s, const perc_env *env, uint64_t *digest)
{
    struct held h = { 0 };
    const perc_env own = sure(env);
    const perc_observer watch = { PERC_WATCH_WEIGHTS, mix_offset, digest };
    perc_status st = load(&own, s, &h);

    if (!st) st = params(&own, "perceptron", s->options, &h.p, &h.err);
    if (!st) st = told(perc_fit(env, h.ds, h.p, &watch, &h.m, NULL, &h.err), &h.err, &h.m);
    if (!st) mix_model(digest, h.m);
    let_go(&h);
    return st;
}

static perc_status fit_stream(const struct t_scene *s, const perc_env *env, uint64_t *digest)
{
    struct held h = { 0 };
    const perc_env own = sure(env);
    perc_status st = params(&own, "perceptron", s->options, &h.p, &h.err);

    if (!st && s->data != NULL) st = params(&own, "data", s->data, &h.data, &h.err);
    if (!st) {
        st = perc_fit_stream(env, s->path, h.data, h.p, NULL, &h.m, &h.report, &h.err);
        told(st, &h.err, &h.m);
    }
    if (!st) mix_model(digest, h.m);
    let_go(&h);
    return st;
}

/* Two passes, and then up to what the options say; what comes before a bar are options of
 * the first run alone. */
static perc_status resume(const struct t_scene *s, const perc_env *env, uint64_t *digest)
{
    struct held h = { 0 };
    perc_params *first = NULL;
    const perc_env own = sure(env);
    const char *bar = strchr(s->options, '|');
    char how[128] = "";
    perc_status st = load(&own, s, &h);

    if (bar != NULL) snprintf(how, sizeof how, "%.*s", (int)(bar - s->options), s->options);
    strcat(how, " epochs=2");
    if (!st) st = params(&own, "perceptron", how, &first, &h.err);
    if (!st) st = params(&own, "perceptron", bar != NULL ? bar + 1 : s->options, &h.p, &h.err);
    if (!st) st = told(perc_fit(&own, h.ds, first, NULL, &h.from, NULL, &h.err), &h.err, &h.from);
    if (!st) {
        st = perc_fit_resume(env, h.ds, h.from, h.p, NULL, &h.m, &h.report, &h.err);
        told(st, &h.err, &h.m);
    }
    if (!st) mix_model(digest, h.m);
    perc_params_free(first);
    let_go(&h);
    return st;
}

/* The score of x; once more if memory is refused, and that is wanted. */
static perc_status patiently(const perc_model *m, const perc_example *x, bool again, double *score,
                             perc_error *err)
{
    perc_status st = told(perc_score(m, x, score, err), err, NULL);

    if (!st || !again) return st;
    *err = (perc_error){ 0 };
    return perc_score(m, x, score, err);
}

/* Examples with ever higher columns. One that was refused left no trace: it can be
 * shown again. */
static perc_status teach(perc_model *m, bool again, perc_error *err)
{
    perc_status st = PERC_OK;

    for (uint32_t k = 0; k < 8 && !st; k++) {
        const uint32_t column[2] = { k, 10 * k + 7 };
        const double value[2] = { 1, 0.5 };
        const perc_example x = { column, value, 2 };
        const char *known = perc_model_label(m, k % 2);
        const char *label = known != NULL ? known : k % 2 ? "1" : "-1";
        double before, after;
        perc_outcome o;

        if ((st = patiently(m, &x, again, &before, err))) break;
        st = told(perc_learn(m, &x, label, 1, &o, err), err, NULL);
        if (st && again) {
            *err = (perc_error){ 0 };
            assert_int_equal(perc_score(m, &x, &after, NULL), PERC_OK);
            assert_true(after == before);
            st = perc_learn(m, &x, label, 1, &o, err);
        }
        if (!st) assert_true(o.score == before);
    }
    return st;
}

/* A new model, of the options in `data`, or, with a path, that one. options "again": a refused
 * example is shown a second time. */
static perc_status learn(const struct t_scene *s, const perc_env *env, uint64_t *digest)
{
    struct held h = { 0 };
    perc_status st;

    if (s->path != NULL) {
        st = told(perc_model_read(env, s->path, &h.m, &h.err), &h.err, &h.m);
    } else {
        st = params(env, "perceptron", s->data, &h.p, &h.err);
        if (!st) st = told(perc_model_new(env, h.p, &h.m, &h.err), &h.err, &h.m);
    }
    if (!st) st = teach(h.m, s->options != NULL, &h.err);
    if (!st) mix_model(digest, h.m);
    let_go(&h);
    return st;
}

static bool is_solved(const perc_model *m)
{
    perc_model_info info;

    perc_model_info_get(m, &info);
    return info.solver[0] != '\0';
}

/* The rows that a kernel machine is made of, in their order. */
static perc_status list_supports(struct held *h, uint64_t *digest)
{
    static perc_support support[256];
    perc_model_info info;

    perc_model_info_get(h->m, &info);
    if (info.kernel[0] == '\0') return PERC_OK;
    assert_in_range(info.supports, 0, sizeof support / sizeof support[0]);
    const perc_status st = told(perc_model_supports(h->m, support, &h->err), &h->err, NULL);
    for (uint64_t i = 0; i < info.supports && !st; i++)
        mix(digest, &support[i].row, sizeof support[i].row);
    return st;
}

/* The whole life of a model: trained, saved, read again, asked, taught a new label. */
static perc_status life(const struct t_scene *s, const perc_env *env, uint64_t *digest)
{
    static const double value[4] = { 5, 3, 1.5, 0.25 };
    const perc_example x = { NULL, value, 4 };
    struct held h = { 0 };
    const perc_env own = sure(env);
    perc_metrics got;
    double scores[3], *all = NULL;
    perc_dataset_info info = { 0 };
    perc_status st = load(&own, s, &h);

    if (!st) st = params(&own, "perceptron", s->options, &h.p, &h.err);
    if (!st) st = told(perc_fit(env, h.ds, h.p, NULL, &h.from, &h.report, &h.err), &h.err, &h.from);
    if (!st) st = told(perc_model_write(h.from, s->writes, &h.err), &h.err, NULL);
    if (!st) st = told(perc_model_read(env, s->writes, &h.m, &h.err), &h.err, &h.m);
    if (!st) perc_dataset_info_get(h.ds, &info);
    if (!st) assert_non_null(all = malloc((size_t)info.rows * 3 * sizeof *all));
    if (!st) st = told(perc_predict(env, h.m, h.ds, all, &h.err), &h.err, NULL);
    if (!st) st = told(perc_evaluate(env, h.m, h.ds, &got, NULL, &h.err), &h.err, NULL);
    if (!st) st = list_supports(&h, digest);
    /* A matrix of kernel values has no row for x. */
    const bool can_learn = strstr(s->options, "precomputed") == NULL;
    if (!st && can_learn) st = told(perc_score(h.m, &x, scores, &h.err), &h.err, NULL);
    if (!st) {
        mix_model(digest, h.m);
        mix(digest, can_learn ? scores : all, sizeof scores[0]);
        mix(digest, &got.accuracy, sizeof got.accuracy);
        const char *whole[] = { "pocket", "exact" }; /* these do not learn row by row */
        if (can_learn && strstr(s->options, whole[0]) == NULL &&
            strstr(s->options, whole[1]) == NULL && info.rows > 0 && !is_solved(h.m))
            st = told(perc_learn(h.m, &x, "new", 1, NULL, &h.err), &h.err, NULL);
    }
    if (!st) st = told(perc_model_refresh(h.m, &h.err), &h.err, NULL);
    if (!st) mix_model(digest, h.m);
    free(all);
    let_go(&h);
    return st;
}

/* ----- scenes: comparing models ---------------------------------------------------- */

enum { FOLDS = 3 };

/* Folds, a calibrated model that goes through a file, and its probabilities. */
static perc_status judge_folds(const struct t_scene *s, const perc_env *env, uint64_t *digest)
{
    struct held h = { 0 };
    const perc_env own = sure(env);
    perc_metrics each[FOLDS], got;
    double p[3];
    const double scores[3] = { 0.5, -1, 2 };
    perc_status st = load(&own, s, &h);

    if (!st) st = params(&own, "perceptron", s->options, &h.p, &h.err);
    if (!st)
        st = told(perc_cross_validate(env, h.ds, h.p, FOLDS, NULL, each, &h.err), &h.err, NULL);
    if (!st) st = told(perc_fit(&own, h.ds, h.p, NULL, &h.from, NULL, &h.err), &h.err, &h.from);
    if (!st) st = told(perc_calibrate(env, h.from, h.ds, FOLDS, NULL, &h.err), &h.err, NULL);
    if (!st) st = told(perc_model_write(h.from, s->writes, &h.err), &h.err, NULL);
    if (!st) st = told(perc_model_read(env, s->writes, &h.m, &h.err), &h.err, &h.m);
    if (!st) st = told(perc_evaluate(env, h.m, h.ds, &got, NULL, &h.err), &h.err, NULL);
    if (!st) st = told(perc_probabilities(h.m, scores, p, &h.err), &h.err, NULL);
    if (!st) {
        for (size_t f = 0; f < FOLDS; f++) mix(digest, &each[f].accuracy, sizeof each[f].accuracy);
        mix(digest, &got.log_loss, sizeof got.log_loss);
        mix(digest, p, 2 * sizeof *p);
        mix_model(digest, h.m);
    }
    let_go(&h);
    return st;
}

/* Early stopping and a learning curve. */
static perc_status judge_held(const struct t_scene *s, const perc_env *env, uint64_t *digest)
{
    static const double part[] = { 0.5, 1 };
    struct held h = { 0 };
    const perc_env own = sure(env);
    perc_dataset *held = NULL;
    perc_metrics train[2], test[2];
    double rows[2];
    perc_status st = load(&own, s, &h);

    if (!st) st = params(&own, "perceptron", s->options, &h.p, &h.err);
    if (!st) st = perc_dataset_split(h.ds, 0.3, 1, &h.rest, &held, &h.err);
    if (!st) {
        st = perc_fit_validated(env, h.rest, h.p, held, 2, NULL, &h.m, &h.report, &h.err);
        told(st, &h.err, &h.m);
    }
    if (!st)
        st = told(perc_learning_curve(env, h.rest, h.p, held, 0, part, 2, NULL, rows, train, test,
                                      &h.err),
                  &h.err, NULL);
    if (!st)
        st = told(perc_learning_curve(env, h.rest, h.p, NULL, FOLDS, part, 2, NULL, rows, train,
                                      test, &h.err),
                  &h.err, NULL);
    if (!st) {
        mix_model(digest, h.m);
        mix(digest, &test[0].accuracy, sizeof test[0].accuracy);
        mix(digest, rows, sizeof rows);
    }
    perc_dataset_free(held);
    let_go(&h);
    return st;
}

/* A file read as a data set was, and a grid. */
static perc_status read_like(const struct t_scene *s, const perc_env *env, uint64_t *digest)
{
    struct held h = { 0 };
    const perc_env own = sure(env);
    perc_grid *grid = NULL;
    perc_params *point = NULL;
    perc_status st = load(&own, s, &h);

    if (!st) {
        st = perc_dataset_read_like(env, h.ds, s->path, NULL, &h.rest, &h.err);
        told(st, &h.err, &h.rest);
    }
    if (!st) st = params(&own, "perceptron", "algorithm=svm", &h.p, &h.err);
    if (!st) {
        st = perc_grid_new(env, h.p, s->options, &grid, &h.err);
        told(st, &h.err, &grid);
    }
    if (!st) st = told(perc_grid_params(grid, 1, &point, &h.err), &h.err, &point);
    if (!st) mix_dataset(digest, h.rest);
    if (!st) mix(digest, perc_params_get(point, "C"), 1);
    perc_params_free(point);
    perc_grid_free(grid);
    let_go(&h);
    return st;
}

/* ----- scenes: models -------------------------------------------------------------- */

static perc_status read_model(const struct t_scene *s, const perc_env *env, uint64_t *digest)
{
    struct held h = { 0 };
    perc_status st = told(perc_model_read(env, s->path, &h.m, &h.err), &h.err, &h.m);

    if (!st && s->writes != NULL) st = told(perc_model_write(h.m, s->writes, &h.err), &h.err, NULL);
    if (!st) mix_model(digest, h.m);
    let_go(&h);
    return st;
}

static int take_scores(void *ud, const double *scores, size_t n)
{
    mix(ud, scores, n * sizeof *scores);
    return 0;
}

/* options is the model. */
static perc_status predict_file(const struct t_scene *s, const perc_env *env, uint64_t *digest)
{
    struct held h = { 0 };
    const perc_env own = sure(env);
    uint64_t unknown;
    perc_status st = told(perc_model_read(&own, s->options, &h.m, &h.err), &h.err, &h.m);

    if (!st && s->data != NULL) st = params(&own, "data", s->data, &h.data, &h.err);
    if (!st) {
        st = perc_predict_file(env, h.m, s->path, h.data, take_scores, digest, &unknown, &h.err);
        told(st, &h.err, NULL);
    }
    let_go(&h);
    return st;
}

static perc_status evaluate(const struct t_scene *s, const perc_env *env, uint64_t *digest)
{
    struct held h = { 0 };
    const perc_env own = sure(env);
    double scores[T_SCENES_ROWS];
    perc_metrics got;
    perc_status st = told(perc_model_read(&own, s->options, &h.m, &h.err), &h.err, &h.m);

    if (!st) {
        st = perc_dataset_read_for(&own, h.m, s->path, NULL, &h.ds, &h.err);
        told(st, &h.err, &h.ds);
    }
    if (!st) st = told(perc_predict(env, h.m, h.ds, scores, &h.err), &h.err, NULL);
    if (!st) st = told(perc_evaluate(env, h.m, h.ds, &got, NULL, &h.err), &h.err, NULL);
    if (!st) {
        mix(digest, scores, sizeof scores);
        mix(digest, &got.auc, sizeof got.auc);
        mix(digest, got.margin, sizeof got.margin);
    }
    let_go(&h);
    return st;
}

/* ----- scenes: proofs -------------------------------------------------------------- */

static void mix_proof(uint64_t *h, const perc_proof *proof)
{
    for (size_t i = 0; i < perc_proof_parts(proof); i++) {
        perc_part p;
        perc_proof_part(proof, i, &p);
        mix(h, &p.verdict, sizeof p.verdict);
        mix(h, p.positive, strlen(p.positive));
        mix(h, &p.strict, sizeof p.strict);
        mix(h, &p.on_all_planes, sizeof p.on_all_planes);
        if (p.w != NULL) mix(h, p.w, p.features * sizeof *p.w);
        mix(h, p.closest, p.closest_count * sizeof *p.closest);
        mix(h, p.witness, p.witnesses * sizeof *p.witness);
        for (size_t k = 0; k < p.witnesses; k++) mix(h, p.weight[k], strlen(p.weight[k]));
    }
}

/* A build without exact arithmetic proves nothing, and says so. */
static bool cannot_prove(const perc_error *err)
{
    return err->status == PERC_EARG && strstr(err->text, "no exact arithmetic") != NULL;
}

static perc_status prove_data(const struct t_scene *s, const perc_env *env, uint64_t *digest)
{
    struct held h = { 0 };
    perc_proof *proof = NULL;
    perc_status st = params(env, "prove", s->options, &h.p, &h.err);

    if (!st) {
        st = perc_dataset_read_exact(env, s->path, NULL, &h.ds, &h.err);
        told(st, &h.err, &h.ds);
    }
    if (!st) {
        st = told(perc_prove(env, h.ds, h.p, NULL, &proof, &h.err), &h.err, &proof);
        if (cannot_prove(&h.err)) st = PERC_OK;
    }
    if (proof != NULL) {
        mix_proof(digest, proof);
        if (s->writes != NULL)
            st = told(perc_proof_write(proof, h.ds, s->writes, &h.err), &h.err, NULL);
    }
    perc_proof_free(proof);
    let_go(&h);
    return st;
}

/* Is a matrix that of a kernel? */
static perc_status check_gram(const struct t_scene *s, const perc_env *env, uint64_t *digest)
{
    struct held h = { 0 };
    perc_gram *gram = NULL;
    perc_gram_info info;
    perc_status st = perc_dataset_read_exact(env, s->path, NULL, &h.ds, &h.err);

    told(st, &h.err, &h.ds);
    if (!st) {
        st = told(perc_gram_check(env, h.ds, &gram, &h.err), &h.err, &gram);
        if (cannot_prove(&h.err)) st = PERC_OK;
    }
    if (gram != NULL) {
        perc_gram_info_get(gram, &info);
        mix(digest, &info.verdict, sizeof info.verdict);
        mix(digest, &info.rank, sizeof info.rank);
        for (uint64_t i = 0; info.weight != NULL && i < info.rows; i++)
            mix(digest, info.weight[i], strlen(info.weight[i]));
    }
    perc_gram_free(gram);
    let_go(&h);
    return st;
}

/* ----- scenes: threshold logic ------------------------------------------------------- */

static void mix_neuron(uint64_t *h, const perc_neuron *n)
{
    mix(h, n->source, n->synapses * sizeof *n->source);
    mix(h, n->weight, n->synapses * sizeof *n->weight);
    mix(h, &n->threshold, sizeof n->threshold);
}

/* Its neurons, its names, and what one neuron can do or why not. */
static void mix_gate(uint64_t *h, const perc_gate *g)
{
    perc_gate_info info;
    perc_neuron n;
    perc_single one;
    const char *name;

    perc_gate_info_get(g, &info);
    for (size_t k = 0; k < info.neurons; k++) {
        perc_gate_neuron(g, k, &n);
        mix_neuron(h, &n);
    }
    for (size_t i = 0; (name = perc_gate_input(g, i)) != NULL; i++) mix(h, name, strlen(name));
    for (size_t o = 0; (name = perc_gate_output(g, o, NULL)) != NULL; o++) {
        mix(h, name, strlen(name));
        perc_gate_single(g, o, &one);
        mix(h, &one.possible, sizeof one.possible);
        if (one.possible) mix(h, one.weight, one.inputs * sizeof *one.weight);
        mix(h, one.one, one.ones * sizeof *one.one);
        mix(h, one.zero, one.zeros * sizeof *one.zero);
    }
}

/* Everything but the model: run once, in time, until it repeats itself, and without states.
 * path is the formula, data the states at the start, options the inputs. */
static perc_status gate_in_time(const struct t_scene *s, const perc_env *env, uint64_t *digest)
{
    unsigned char x[32] = { 1, 0, 1 }, out[32];
    perc_gate *g = NULL, *flat = NULL;
    perc_signals signals = { 0 };
    perc_gate_info info = { 0 };
    perc_error err = { 0 };
    size_t before = 0, period = 0;
    perc_status st = told(perc_gate_new(env, s->path, &g, &err), &err, &g);

    if (!st) perc_gate_info_get(g, &info);
    assert_true(info.inputs + info.states <= sizeof x && info.outputs + info.states <= sizeof out);
    if (!st) st = told(perc_gate_run(g, x, out, &err), &err, NULL);
    if (!st) mix(digest, out, info.outputs + info.states);
    if (!st) {
        st = perc_gate_steps(g, s->options, s->data, 0, &signals, NULL, &err);
        told(st, &err, &signals.own);
    }
    if (!st) mix(digest, signals.value, signals.steps * signals.signals);
    if (!st) st = told(perc_gate_period(g, s->data, &before, &period, &err), &err, NULL);
    if (!st) st = told(perc_gate_unroll(g, s->data, 3, &flat, &err), &err, &flat);
    if (!st) {
        mix_gate(digest, g);
        mix_gate(digest, flat);
        mix(digest, &before, sizeof before);
        mix(digest, &period, sizeof period);
    }
    perc_signals_free(&signals);
    perc_gate_free(flat);
    perc_gate_free(g);
    return st;
}

/* Asked for the rows of a file, and for those of a table in memory, with their labels. */
static perc_status ask_gate(const perc_env *env, const struct t_scene *s, struct held *h,
                            uint64_t *digest)
{
    uint64_t unknown;
    perc_metrics got;
    double scores[4 * T_SCENES_BITS];
    perc_status st = perc_predict_file(env, h->m, s->path, NULL, take_scores, digest, &unknown,
                                       &h->err);

    told(st, &h->err, NULL);
    if (!st) {
        st = perc_dataset_read_for(env, h->m, s->path, NULL, &h->ds, &h->err);
        told(st, &h->err, &h->ds);
    }
    if (!st) st = told(perc_predict(env, h->m, h->ds, scores, &h->err), &h->err, NULL);
    if (!st) st = told(perc_evaluate(env, h->m, h->ds, &got, NULL, &h->err), &h->err, NULL);
    if (!st) {
        perc_model_info info;
        perc_model_info_get(h->m, &info);
        mix(digest, scores, T_SCENES_BITS * info.outputs * sizeof *scores);
        mix(digest, &got.accuracy, sizeof got.accuracy);
    }
    return st;
}

/* A model from beginning to end. options is the formula; data, if any, has states, and the network
 * is unrolled. */
static perc_status gate_as_model(const struct t_scene *s, const perc_env *env, uint64_t *digest)
{
    struct held h = { 0 };
    perc_gate *g = NULL, *flat = NULL;
    perc_gate_info info;
    perc_neuron n;
    perc_status st = told(perc_gate_new(env, s->options, &g, &h.err), &h.err, &g);

    if (!st && s->data != NULL)
        st = told(perc_gate_unroll(g, s->data, 1, &flat, &h.err), &h.err, &flat);
    if (!st) st = told(perc_gate_model(flat != NULL ? flat : g, &h.from, &h.err), &h.err, &h.from);
    perc_gate_free(flat);
    perc_gate_free(g); /* the model does without it */
    if (!st) st = told(perc_model_write(h.from, s->writes, &h.err), &h.err, NULL);
    if (!st) st = told(perc_model_read(env, s->writes, &h.m, &h.err), &h.err, &h.m);
    if (!st) assert_true(perc_model_gate(h.m, &info));
    for (size_t k = 0; !st && k < info.neurons; k++) {
        perc_model_neuron(h.m, k, &n);
        mix_neuron(digest, &n);
    }
    if (!st) st = ask_gate(env, s, &h, digest);
    let_go(&h);
    return st;
}

/* ----- all of them ----------------------------------------------------------------- */

const struct t_scene t_scenes[] = {
    { "parameters", set_params, "perceptron", NULL, "rate=0.5 seed=3", NULL, 1 },
    { "read libsvm", read_data, "rows.svm", NULL, NULL, NULL, 1 },
    { "read libsvm, sorting", read_data, "unsorted.svm", "unsorted=true", NULL, NULL, 1 },
    { "read libsvm, float32", read_data, "rows.svm", "float32=true", NULL, NULL, 1 },
    { "read libsvm in chunks", read_data, "big.svm", NULL, NULL, NULL, 1 },
    { "read libsvm, 2 threads", read_data, "big.svm", NULL, NULL, NULL, 2 },
    { "read libsvm, long lines", read_data, "big-lines.svm", NULL, NULL, NULL, 1 },
    { "read csv, means", read_data, "table.csv", "missing=mean weight=weight", NULL, NULL, 1 },
    { "read csv, dropping", read_data, "table.csv", "missing=drop", NULL, NULL, 1 },
    { "read csv, 2 threads", read_data, "big.csv", "missing=zero", NULL, NULL, 2 },
    { "read objects, means", read_data, "table.jsonl", "missing=mean", NULL, NULL, 1 },
    { "read objects, 2 threads", read_data, "big.jsonl", "missing=drop", NULL, NULL, 2 },
    { "read objects exactly", read_exact, "table.jsonl", "missing=drop", NULL, NULL, 1 },
    { "read examples", read_data, "names.vw", NULL, NULL, NULL, 1 },
    { "read examples, 2 threads", read_data, "big.vw", NULL, NULL, NULL, 2 },
    { "read examples exactly", read_exact, "names.vw", NULL, NULL, NULL, 1 },
    { "stream objects", fit_stream, "table.jsonl", "missing=zero", "epochs=2", NULL, 1 },
    { "stream examples", fit_stream, "names.vw", NULL, "epochs=2", NULL, 1 },
    { "write objects", write_data, "table.jsonl", "missing=zero", "jsonl", "out", 1 },
    { "read gzip", read_data, "rows.gz", NULL, NULL, NULL, 1 },
    { "read gzip, 2 threads", read_data, "big.gz", NULL, NULL, NULL, 2 },
    { "read several files", read_data, "rows.gz", "more=rows.svm,big.gz", NULL, NULL, 1 },
    { "read several tables", read_data, "table.csv", "more=table.csv missing=mean", NULL, NULL, 1 },
    { "read several, 2 threads", read_data, "big.csv", "more=table.csv,big.csv missing=zero", NULL,
      NULL, 2 },
    { "read several for a model", read_for, "table.csv", "more=table.csv missing=mean", T_TABLE,
      NULL, 1 },
    { "stream several", fit_stream, "rows.svm", "more=unsorted.svm unsorted=true", "epochs=2", NULL,
      1 },
    { "read blocks", read_data, "rows.blocks", NULL, NULL, NULL, 1 },
    { "read blocks with names", read_data, "table.blocks", NULL, NULL, NULL, 1 },
    { "read a built-in set", read_data, ":iris", NULL, NULL, NULL, 1 },
    { "read exactly", read_exact, "rows.svm", NULL, NULL, NULL, 1 },
    { "read exactly, 2 threads", read_exact, "big-long.svm", NULL, NULL, NULL, 2 },
    { "read exactly, a table", read_exact, "long.csv", "missing=drop", NULL, NULL, 1 },
    { "read exactly, gzip", read_exact, "rows.gz", NULL, NULL, NULL, 1 },
    { "read exactly, blocks", read_exact, "rows.blocks", NULL, NULL, NULL, 1 },
    { "scale standard", read_data, "rows.svm", "scale=standard", NULL, NULL, 1 },
    { "scale minmax", read_data, "table.csv", "scale=minmax missing=mean", NULL, NULL, 1 },
    { "scale maxabs", read_data, "rows.svm", "scale=maxabs", NULL, NULL, 1 },
    { "scale unit, 2 threads", read_data, "rows.svm", "scale=unit", NULL, NULL, 2 },
    { "scale by", read_data, "rows.svm", "scale=by:2", NULL, NULL, 1 },
    { "read for a model", read_for, "rows.svm", NULL, T_SCALED, NULL, 1 },
    { "read a table for a model", read_for, "table.csv", "missing=mean", T_TABLE, NULL, 1 },
    { "read a table, turned", read_for, "turned.csv", "missing=mean", T_TABLE, NULL, 1 },
    { "generate", generate, NULL, NULL, "rows=20 features=9 nonzeros=4", NULL, 1 },
    { "split", split, "table.csv", "missing=zero", NULL, NULL, 1 },
    { "write libsvm", write_data, "rows.svm", NULL, "libsvm", "out", 1 },
    { "write rows as csv", write_data, "rows.svm", NULL, "csv", "out", 1 },
    { "write csv", write_data, "table.csv", "missing=zero weight=weight", "csv", "out", 1 },
    { "write blocks", write_data, "table.csv", "missing=zero", "blocks", "out", 1 },
    { "borrow and write dense", borrow_dense, NULL, NULL, "blocks", "out", 1 },
    { "borrow and write csr", borrow_csr, NULL, NULL, "blocks", "out", 1 },
    { "divide a table", divide, "table.csv", "stratify=true", NULL, "out", 1 },
    { "divide a large table", divide, "big.csv", NULL, NULL, "out", 2 },
    { "divide gzip", divide, "rows.gz", "by=group:1", NULL, "out", 1 },
    { "divide by time", divide, "table.csv", "by=time:2 test=20", NULL, "out", 1 },
    { "sample a table", divide, "table.csv", "rows=7", "sample", "out", 1 },
    { "fit", fit, "rows.svm", NULL, "epochs=3", NULL, 1 },
    { "fit, 2 threads", fit, "rows.svm", NULL, "epochs=3", NULL, 2 },
    { "fit standard", fit, "rows.svm", "scale=standard", "epochs=2", NULL, 1 },
    { "fit minmax", fit, "rows.svm", "scale=minmax", "epochs=2 order=file", NULL, 1 },
    { "fit maxabs", fit, "rows.svm", "scale=maxabs", "epochs=2", NULL, 1 },
    { "fit unit", fit, "rows.svm", "scale=unit", "epochs=2 init=random", NULL, 1 },
    { "fit by", fit, "rows.svm", "scale=by:3", "epochs=2 positive=no", NULL, 1 },
    { "fit a table", fit, "table.csv", "missing=mean weight=weight", "epochs=2", NULL, 1 },
    { "fit in units, watched", fit_watched, "rows.svm", NULL, "epochs=2 rate=0.1", NULL, 1 },
    { "fit from a model", fit, "rows.svm", NULL, "epochs=2 init=" T_MODEL, NULL, 1 },
    { "fit with checkpoints", fit, "rows.svm", NULL, "epochs=3 checkpoint=out", "out", 1 },
    { "resume", resume, "rows.svm", NULL, "epochs=4 checkpoint=out", "out", 1 },
    { "resume a table", resume, "table.csv", "missing=mean scale=standard", "epochs=3", NULL, 1 },
    { "stream", fit_stream, "rows.svm", NULL, "epochs=3", NULL, 1 },
    { "stream, 2 threads", fit_stream, "big.svm", NULL, "epochs=2", NULL, 2 },
    { "stream gzip", fit_stream, "rows.gz", "scale=unit", "epochs=2", NULL, 1 },
    { "stream a table", fit_stream, "table.csv", "missing=zero", "epochs=2", NULL, 1 },
    { "stream from a model", fit_stream, "rows.svm", NULL, "epochs=1 positive=yes init=" T_MODEL,
      NULL, 1 },
    { "stream from a drawn start", fit_stream, "rows.svm", "index=1",
      "algorithm=voted epochs=1 classes=no,yes init=random:9", NULL, 1 },
    { "fit a table from its model", fit, "table.csv", "missing=mean weight=weight",
      "epochs=2 init=" T_TABLE, NULL, 1 },
    { "fit from numbers", fit, "rows.svm", NULL, "epochs=2 init=" T_NUMBERS, NULL, 1 },
    { "voted from a model", life, "rows.svm", NULL, "algorithm=voted epochs=1 init=" T_MODEL, "out",
      1 },
    { "a budget from a kernel machine", fit, ":iris", NULL,
      "kernel=rbf gamma=1 budget=9 epochs=1 init=" T_KERNEL, NULL, 1 },
    { "classes that are listed", fit_stream, "rows.svm", NULL,
      "epochs=1 multiclass=native classes=no,yes,perhaps", NULL, 1 },
    { "stream with checkpoints", fit_stream, "rows.svm", NULL, "epochs=2 checkpoint=out", "out",
      1 },
    { "averaged", life, ":cancer", NULL, "algorithm=averaged epochs=1", "out", 1 },
    { "averaged in units", life, ":iris", NULL, "algorithm=averaged epochs=1 rate=0.1", "out", 1 },
    { "averaged, three classes", life, ":iris", NULL, "algorithm=averaged epochs=2", "out", 1 },
    { "averaged, native", life, ":iris", NULL,
      "algorithm=averaged multiclass=native epochs=2 rule=pa2", "out", 2 },
    { "perceptron, against the rest", life, ":iris", NULL, "multiclass=ovr epochs=2", "out", 1 },
    { "pa", life, ":iris", NULL, "algorithm=pa epochs=1", "out", 1 },
    { "pa1", life, ":iris", NULL, "algorithm=pa1 epochs=1 positive=setosa", "out", 1 },
    { "pa2, native", life, ":iris", NULL, "algorithm=pa2 epochs=1 multiclass=native", "out", 1 },
    { "voted", life, ":iris", NULL, "algorithm=voted epochs=1 positive=setosa", "out", 1 },
    { "voted, three classes", life, ":iris", NULL, "algorithm=voted epochs=1", "out", 1 },
    { "voted, native", life, ":iris", NULL, "algorithm=voted epochs=1 multiclass=native", "out",
      2 },
    { "pocket", life, ":iris", NULL, "algorithm=pocket epochs=2 positive=setosa", "out", 1 },
    { "pocket, three classes", life, ":iris", NULL, "algorithm=pocket epochs=2", "out", 1 },
    { "pocket, literal", life, ":iris", NULL, "algorithm=pocket pocket=literal epochs=1", "out",
      2 },
    { "exact, the mean", life, ":iris", NULL,
      "algorithm=averaged arithmetic=exact epochs=2 multiclass=native", "out", 1 },
    { "exact, the pocket", life, ":iris", NULL,
      "algorithm=pocket rule=margin arithmetic=exact epochs=2", "out", 1 },
    { "exact, with a kernel", life, ":iris", NULL,
      "algorithm=margin arithmetic=exact kernel=poly degree=2 epochs=1 positive=setosa", "out", 1 },
    { "exact, with a lift", life, ":iris", "map=lift:2:0.5",
      "algorithm=pocket arithmetic=exact epochs=1 positive=setosa", "out", 1 },
    { "exact, with products", life, ":iris", "map=products:2",
      "algorithm=averaged arithmetic=exact epochs=1 positive=setosa", "out", 1 },
    { "perceptron with a lift", life, ":iris", "map=lift:2:0.5", "algorithm=perceptron epochs=2",
      "out", 1 },
    { "averaged with products", life, ":iris", "map=products:2", "algorithm=averaged epochs=1",
      "out", 1 },
    { "margin with a map", life, ":iris", "map=poly:2",
      "algorithm=margin epochs=2 class-weight=setosa=2", "out", 1 },
    { "svm", life, ":iris", NULL, "algorithm=svm solver=dual", "out", 1 },
    { "svm, hinge, 2 threads", life, ":iris", NULL, "algorithm=svm loss=hinge gap=0.1", "out", 2 },
    { "svm by newton", life, ":iris", NULL, "algorithm=svm solver=newton positive=virginica", "out",
      2 },
    { "svm, free offset", life, ":iris", NULL, "algorithm=svm solver=dual offset-free=true", "out",
      1 },
    { "svm, hard", life, ":iris", NULL, "algorithm=svm hard=true positive=setosa", "out", 2 },
    { "svm, hard, offset inside", life, ":iris", NULL,
      "algorithm=svm hard=true offset-inside=true positive=setosa", "out", 1 },
    { "svm, hard, a margin near 0", life, "narrow.svm", NULL, "algorithm=svm hard=true", "out", 1 },
    { "lp", life, ":iris", NULL, "algorithm=lp positive=setosa", "out", 1 },
    { "rbf", life, ":iris", NULL, "kernel=rbf epochs=1", "out", 1 },
    { "rbf, 2 threads, a cache", life, ":iris", NULL,
      "algorithm=averaged kernel=rbf cache=1 epochs=2 multiclass=native", "out", 2 },
    { "poly, textbook", life, ":iris", NULL,
      "algorithm=margin kernel=poly degree=2 loop=textbook epochs=1 positive=setosa", "out", 1 },
    { "voted with a kernel", life, ":iris", NULL, "algorithm=voted kernel=gaussian epochs=1", "out",
      1 },
    { "pocket with a kernel", life, ":iris", NULL,
      "algorithm=pocket kernel=rbf gamma=1 epochs=2 multiclass=native", "out", 1 },
    { "dropping rows of weights", fit, ":iris", NULL, "drop-after=2 epochs=3 positive=virginica",
      NULL, 1 },
    { "dropping rows, each class", fit, ":iris", NULL, "drop-after=3 epochs=3 multiclass=ovr", NULL,
      1 },
    { "dropping rows", fit, ":iris", NULL,
      "kernel=rbf gamma=0.1 drop-after=2 epochs=3 positive=virginica", NULL, 1 },
    { "a budget", life, ":iris", NULL, "kernel=rbf gamma=1 budget=5 epochs=1", "out", 1 },
    { "a budget, forgetting", life, ":iris", NULL,
      "algorithm=pa1 kernel=rbf gamma=1 budget=5 budget-policy=random epochs=1", "out", 1 },
    { "precomputed", life, "gram.csv", NULL, "algorithm=averaged kernel=precomputed epochs=2",
      "out", 1 },
    { "precomputed, a budget", life, "gram.csv", NULL, "kernel=precomputed budget=5 epochs=2",
      "out", 1 },
    { "resume of precomputed", resume, "gram.csv", NULL,
      "kernel=precomputed positive=no budget=4 budget-policy=forgetron|epochs=3", NULL, 1 },
    { "a kernel with checkpoints", fit, "rows.svm", NULL, "kernel=rbf epochs=2 checkpoint=out",
      "out", 1 },
    { "resume with a kernel", resume, "rows.svm", NULL, "kernel=rbf|epochs=3 checkpoint=out", "out",
      1 },
    { "resume, dropping rows of weights", resume, "rows.svm", NULL, "drop-after=2|epochs=3", NULL,
      1 },
    { "resume, dropping rows", resume, "rows.svm", NULL, "kernel=rbf drop-after=2|epochs=3", NULL,
      1 },
    { "resume with a budget", resume, "rows.svm", NULL,
      "kernel=rbf budget=4 budget-policy=forgetron|epochs=3", NULL, 1 },
    { "stream with a kernel", fit_stream, "iris.svm", NULL,
      "algorithm=averaged kernel=rbf gamma=0.5 epochs=2", NULL, 1 },
    { "stream with a budget", fit_stream, "iris.svm", NULL,
      "kernel=rbf gamma=0.5 budget=5 epochs=2", NULL, 1 },
    { "folds with a kernel", judge_folds, ":iris", NULL,
      "algorithm=averaged kernel=rbf epochs=1 positive=virginica", "out", 1 },
    { "held out, exact", judge_held, ":iris", NULL, "algorithm=averaged arithmetic=exact epochs=2",
      NULL, 1 },
    { "held out with a kernel", judge_held, ":iris", NULL, "algorithm=averaged kernel=rbf epochs=2",
      NULL, 1 },
    { "mlp", life, ":iris", NULL, "algorithm=mlp layers=3 epochs=2 batch=50", "out", 1 },
    { "mlp, two layers, 2 threads", life, ":iris", "map=poly:2",
      "algorithm=mlp layers=4,3 activation=tanh optimizer=momentum epochs=2 dropout=0.2 "
      "positive=virginica",
      "out", 2 },
    { "mlp, textbook", fit, ":iris", NULL,
      "algorithm=mlp layers=3 optimizer=sgd loop=textbook epochs=1 checkpoint=out", "out", 1 },
    { "resume of mlp", resume, "rows.svm", NULL, "algorithm=mlp layers=2 epochs=1|epochs=2", NULL,
      1 },
    { "stream of mlp", fit_stream, "iris.svm", NULL,
      "algorithm=mlp layers=3 inputs=4 epochs=2 batch=40", NULL, 1 },
    { "held out from mlp", judge_held, ":iris", NULL, "algorithm=mlp layers=3 epochs=2", NULL, 1 },
    { "folds side by side", judge_folds, ":iris", NULL,
      "algorithm=averaged epochs=2 positive=virginica", "out", 1 },
    { "folds of three classes", judge_folds, ":iris", NULL, "algorithm=averaged epochs=1", "out",
      1 },
    { "folds of svm, 2 threads", judge_folds, ":iris", NULL,
      "algorithm=svm solver=newton positive=setosa", "out", 2 },
    { "held out", judge_held, ":iris", NULL, "algorithm=averaged epochs=3", NULL, 1 },
    { "read like", read_like, "table.csv", "missing=mean scale=standard", "C=1,2 loss=hinge", NULL,
      1 },
    { "stream, three classes", fit_stream, "iris.svm", NULL, "algorithm=averaged epochs=2", NULL,
      1 },
    { "stream, votes", fit_stream, "iris.svm", "map=poly:2 index=1", "algorithm=voted epochs=1",
      NULL, 1 },
    { "learn", learn, NULL, NULL, NULL, NULL, 1 },
    { "learn with a kernel", learn, NULL, "kernel=rbf gamma=1", NULL, NULL, 1 },
    { "learn with a budget", learn, NULL, "kernel=rbf gamma=1 budget=3", NULL, NULL, 1 },
    { "learn, scaled", learn, T_SCALED, NULL, NULL, NULL, 1 },
    { "read a model", read_model, T_MODEL, NULL, NULL, NULL, 1 },
    { "write a model", read_model, T_SCALED, NULL, NULL, "out", 1 },
    { "write a model of a table", read_model, T_TABLE, NULL, NULL, "out", 1 },
    { "predict libsvm", predict_file, "rows.svm", NULL, T_MODEL, NULL, 1 },
    { "predict libsvm, 2 threads", predict_file, "big.svm", NULL, T_SCALED, NULL, 2 },
    { "predict gzip", predict_file, "rows.gz", NULL, T_SCALED, NULL, 1 },
    { "predict csv", predict_file, "table.csv", "missing=mean", T_TABLE, NULL, 1 },
    { "predict blocks", predict_file, "rows.blocks", NULL, T_SCALED, NULL, 1 },
    { "evaluate", evaluate, "rows.svm", NULL, T_SCALED, NULL, 1 },
    { "prove", prove_data, ":iris", NULL, "problems=rest", NULL, 2 },
    { "prove, quick", prove_data, ":iris", NULL, "problems=pairs quick=true", NULL, 2 },
    { "prove, one problem", prove_data, "rows.svm", NULL, "offset=false", NULL, 2 },
    { "prove with products", prove_data, ":xor", NULL, "kernel=poly degree=2", NULL, 1 },
    { "prove by equal rows", prove_data, "rows.svm", NULL, "kernel=rbf", NULL, 1 },
    { "check a matrix", check_gram, "gram.csv", NULL, NULL, NULL, 1 },
    { "check another matrix", check_gram, "no-gram.csv", NULL, NULL, NULL, 1 },
    { "gates", gate_in_time, "sum = a ^ b ^ c; carry = majority(a, b, c)", NULL, "a=01 b=11 c=00",
      NULL, 1 },
    { "gates with a memory", gate_in_time, "s' = (a | s) & !r; t' = t ^ s; out = s & t", "s=1 t=0",
      "a=0100 r=0010", NULL, 1 },
    { "a gate as a model", gate_as_model, "bit.csv", NULL, "label = a -> b & c", "out", 1 },
    { "gates as a model", gate_as_model, "bits.csv", NULL, "x = a ^ b; y = atleast(2; a, b, c)",
      "out", 2 },
    { "gates without their memory", gate_as_model, "bits0.csv", "s=1",
      "s' = a & s; x = s ^ b; y = s & c | a", "out", 1 },
};
const size_t t_scenes_count = sizeof t_scenes / sizeof t_scenes[0];

bool t_scenes_life(const char *learner, struct t_scene *s, char options[64])
{
    const size_t n = (size_t)snprintf(options, 64, "algorithm=%s", learner);

    for (size_t i = 0; i < t_scenes_count; i++)
        if (t_scenes[i].options != NULL && strncmp(t_scenes[i].options, options, n) == 0 &&
            (t_scenes[i].options[n] == ' ' || t_scenes[i].options[n] == '\0'))
            return false;
    *s = (struct t_scene){ learner, life, ":iris", NULL, options, "out", 1 };
    return strcmp(learner, "perceptron") != 0; /* what the scenes use that name no other */
}
