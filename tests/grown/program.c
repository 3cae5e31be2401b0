/* program.c -- calls every function that fills a struct, and prints what came out.
 *
 * Built with one version of the headers and run with a library of another it must print
 * the same: what both know is where it was. Bytes behind a struct stay as they were, and with
 * the later headers (GROWN) members that an earlier library does not know are 0. */
#include <perceptron.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILLER = 0xa5, BEHIND = 128 };

static perc_error err;

/* n structs, and bytes behind them that nobody may touch. */
#define GUARDED(type, n, name)        \
    struct {                          \
        type it[n];                   \
        unsigned char behind[BEHIND]; \
    } name;                           \
    memset(&name, FILLER, sizeof name)

static void all_are(const char *what, const void *bytes, size_t n, int value)
{
    for (size_t i = 0; i < n; i++)
        if (((const unsigned char *)bytes)[i] != value) {
            printf("%s: byte %zu is %d, not %d\n", what, i, ((const unsigned char *)bytes)[i],
                   value);
            exit(1);
        }
}

/* The first n structs were filled, and nothing behind them. */
#ifdef GROWN
#define ADDED_ARE_0(name, n)         \
    for (size_t k = 0; k < (n); k++) \
    all_are(#name ", what was added", name.it[k].grown, sizeof name.it[k].grown, 0)
#else
#define ADDED_ARE_0(name, n) (void)0
#endif
#define CHECK(name, n)                                                                          \
    do {                                                                                        \
        all_are(#name ", behind it", &name.it[n], sizeof name - (n) * sizeof *name.it, FILLER); \
        ADDED_ARE_0(name, n);                                                                   \
    } while (0)

static void must(perc_status st)
{
    if (st == PERC_OK) return;
    printf("status %d: %s\n", st, err.text);
    exit(1);
}

static perc_params *params(const char *table, const char *name, const char *value)
{
    perc_params *p;

    must(perc_params_new(NULL, table, &p, &err));
    if (name != NULL) must(perc_params_set(p, name, value, &err));
    return p;
}

static void print_report(const char *what, const perc_report *r)
{
    printf("%s: stop %d after %lld passes, E_n %g, solver '%s', %llu bytes read\n", what, r->stop,
           (long long)r->epochs, r->training_error, r->solver, (unsigned long long)r->bytes);
}

static void print_metrics(const char *what, const perc_metrics *m)
{
    printf("%s: %llu rows, accuracy %g, the last bin has %llu\n", what, (unsigned long long)m->rows,
           m->accuracy, (unsigned long long)m->reliability[PERC_BINS - 1].rows);
}

static int on_event(void *ud, const perc_event *event)
{
    if (event->b != NULL) *(size_t *)ud += event->vectors;
    return 0;
}

static int on_rows(void *ud, const perc_dataset *rows, const double *scores)
{
    (void)scores;
    *(size_t *)ud += perc_dataset_row_line(rows, 0) > 0;
    return 0;
}

static int on_scores(void *ud, const double *scores, size_t n)
{
    (void)scores;
    *(size_t *)ud += n;
    return 0;
}

/* ----- the core -------------------------------------------------------------------------- */

static void training(const perc_dataset *iris)
{
    perc_params *p = params("averaged", "epochs", "3");
    size_t vectors = 0, scored = 0;
    const perc_observer observer = { PERC_WATCH_WEIGHTS, on_event, &vectors };
    perc_model *m, *more, *streamed;
    GUARDED(perc_report, 1, fit);
    GUARDED(perc_report, 1, resumed);
    GUARDED(perc_report, 1, stream);
    GUARDED(perc_dataset_info, 1, data);
    GUARDED(perc_model_info, 1, model);

    must(perc_fit(NULL, iris, p, &observer, &m, fit.it, &err));
    CHECK(fit, 1);
    print_report("fit", fit.it);
    printf("the observer saw %zu vectors\n", vectors);
    must(perc_params_set(p, "epochs", "5", &err));
    must(perc_fit_resume(NULL, iris, m, p, NULL, &more, resumed.it, &err));
    CHECK(resumed, 1);
    print_report("resumed", resumed.it);
    must(perc_fit_stream(NULL, "rows.svm", NULL, p, NULL, &streamed, stream.it, &err));
    CHECK(stream, 1);
    print_report("stream", stream.it);
    perc_dataset_info_get(iris, data.it);
    CHECK(data, 1);
    printf("data: %llu rows, format %s, note '%s'\n", (unsigned long long)data.it->rows,
           data.it->format, data.it->note);
    memset(&data, FILLER, sizeof data);
    must(perc_predict_file_info(NULL, streamed, "rows.svm", NULL, on_scores, &scored, data.it,
                                &err));
    CHECK(data, 1);
    printf("%zu rows scored, %llu read\n", scored, (unsigned long long)data.it->rows);
    memset(&data, FILLER, sizeof data);
    must(
        perc_predict_rows(NULL, streamed, "rows.svm", NULL, NULL, on_rows, &scored, data.it, &err));
    CHECK(data, 1);
    perc_model_info_get(m, model.it);
    CHECK(model, 1);
    printf("model: %s, map %s, %llu rows dropped\n", model.it->algorithm, model.it->map,
           (unsigned long long)model.it->dropped);
    perc_model_free(m);
    perc_model_free(more);
    perc_model_free(streamed);
    perc_params_free(p);
}

static void teaching(void)
{
    static const char line[] = "-1 1:1 3:2";
    const double x[] = { 1, -2 };
    const perc_example example = { NULL, x, 2 };
    perc_params *p = params("perceptron", NULL, NULL);
    perc_model *m;
    GUARDED(perc_outcome, 1, outcome);
    GUARDED(perc_reply, 1, reply);

    must(perc_model_new(NULL, p, &m, &err));
    must(perc_learn(m, &example, "1", 1, outcome.it, &err));
    must(perc_learn(m, &example, "-1", 1, outcome.it, &err));
    CHECK(outcome, 1);
    printf("outcome: score %g, mistake %d, answer %s\n", outcome.it->score, outcome.it->mistake,
           outcome.it->answer);
    must(perc_learn_line(m, line, sizeof line - 1, reply.it, &err));
    CHECK(reply, 1);
    printf("reply: label %s, answer %s, %llu cells unknown\n", reply.it->label, reply.it->answer,
           (unsigned long long)reply.it->unknown);
    perc_model_free(m);
    perc_params_free(p);
}

/* ----- looking into models --------------------------------------------------------------- */

static void looking(const perc_dataset *iris)
{
    perc_params *net = params("mlp", "epochs", "2"), *p = params("perceptron", "kernel", "rbf");
    perc_model *m;
    GUARDED(perc_layer, 1, layer);
    GUARDED(perc_support, 150, support);
    GUARDED(perc_spectrum, 1, spectrum);

    must(perc_fit(NULL, iris, net, NULL, &m, NULL, &err));
    if (!perc_model_layer(m, 1, layer.it)) exit(1);
    CHECK(layer, 1);
    printf("layer: %llu x %llu, norm %g\n", (unsigned long long)layer.it->inputs,
           (unsigned long long)layer.it->outputs, layer.it->norm);
    perc_model_free(m);
    must(perc_params_set(p, "epochs", "4", &err));
    must(perc_fit(NULL, iris, p, NULL, &m, NULL, &err));
    perc_model_info info;
    perc_model_info_get(m, &info);
    must(perc_model_supports(m, support.it, &err));
    CHECK(support, info.supports);
    for (size_t i = 0; i < info.supports; i += 10)
        printf("support %zu: row %lld, counter %lld\n", i, (long long)support.it[i].row,
               (long long)support.it[i].counter);
    const perc_status st = perc_check_kernel(NULL, iris, p, 20, spectrum.it, &err);
    CHECK(spectrum, 1);
    printf("spectrum: status %d, %llu rows, semidefinite %d\n", st,
           (unsigned long long)spectrum.it->rows, spectrum.it->semidefinite);
    perc_model_free(m);
    perc_params_free(net);
    perc_params_free(p);
}

/* ----- choosing among models ------------------------------------------------------------- */

static void choosing(const perc_dataset *iris)
{
    static const double share[] = { 0.3, 0.6, 1 };
    perc_params *p = params("averaged", "epochs", "3");
    perc_dataset *rest, *held;
    perc_model *m;
    double rows[3];
    GUARDED(perc_report, 1, validated);
    GUARDED(perc_metrics, 1, measured);
    GUARDED(perc_metrics, 4, folds);
    GUARDED(perc_metrics, 1, mean);
    GUARDED(perc_metrics, 1, spread);
    GUARDED(perc_metrics, 3, train);
    GUARDED(perc_metrics, 3, test);

    must(perc_dataset_split(iris, 0.3, 1, &rest, &held, &err));
    must(perc_fit_validated(NULL, rest, p, held, 2, NULL, &m, validated.it, &err));
    CHECK(validated, 1);
    print_report("validated", validated.it);
    must(perc_evaluate(NULL, m, held, measured.it, NULL, &err));
    CHECK(measured, 1);
    print_metrics("measured", measured.it);
    must(perc_cross_validate(NULL, iris, p, 4, NULL, folds.it, &err));
    CHECK(folds, 4);
    for (size_t i = 0; i < 4; i++) print_metrics("fold", &folds.it[i]);
    perc_metrics_summary(folds.it, 4, mean.it, spread.it);
    CHECK(mean, 1);
    CHECK(spread, 1);
    print_metrics("mean", mean.it);
    print_metrics("spread", spread.it);
    must(
        perc_learning_curve(NULL, iris, p, NULL, 3, share, 3, NULL, rows, train.it, test.it, &err));
    CHECK(train, 3);
    CHECK(test, 3);
    for (size_t i = 0; i < 3; i++) {
        print_metrics("train", &train.it[i]);
        print_metrics("test", &test.it[i]);
    }
    perc_model_free(m);
    perc_dataset_free(rest);
    perc_dataset_free(held);
    perc_params_free(p);
}

/* Thresholds, and scaling, on a table: x and its square; no from 6 on. */
static void thresholds(void)
{
    perc_params *p = params("logistic", NULL, NULL), *auto_scale = params("data", "scale", "auto");
    FILE *f = fopen("rows.csv", "w");
    perc_dataset *ds;
    perc_model *m;
    double scores[12];
    size_t n;
    GUARDED(perc_scaling, 1, scaling);
    GUARDED(perc_column, 1, read);
    GUARDED(perc_column, 1, kept);
    GUARDED(perc_report, 1, validated);
    GUARDED(perc_choice, 1, choice);
    GUARDED(perc_threshold, 1, threshold);
    GUARDED(perc_trade, 12, trade);
    GUARDED(perc_metrics, 1, measured);

    fprintf(f, "x,z,label\n");
    for (int i = 0; i < 12; i++)
        fprintf(f, "%d,%d,%s\n", i, i * i, (i == 4) ^ (i > 5) ? "yes" : "no");
    fclose(f);
    must(perc_dataset_read(NULL, "rows.csv", auto_scale, &ds, &err));
    perc_dataset_scaling(ds, scaling.it);
    CHECK(scaling, 1);
    printf("scaling: %s, %llu of %llu columns\n", scaling.it->how,
           (unsigned long long)scaling.it->standard, (unsigned long long)scaling.it->numbers);
    if (!perc_dataset_column(ds, 1, read.it)) exit(1);
    CHECK(read, 1);
    must(perc_fit_by_metric(NULL, ds, p, ds, "log-loss", 2, NULL, &m, validated.it, &err));
    CHECK(validated, 1);
    print_report("by metric", validated.it);
    if (!perc_model_column(m, 1, kept.it)) exit(1);
    CHECK(kept, 1);
    printf("column: %s is a %s, and %s\n", kept.it->name, kept.it->kind, read.it->kind);
    must(perc_choose_threshold(NULL, m, ds, 3, "best:f1", 0, NULL, choice.it, &err));
    CHECK(choice, 1);
    perc_model_threshold(m, threshold.it);
    CHECK(threshold, 1);
    printf("threshold: %s, %s of %zu folds, F1 %g\n", threshold.it->of, threshold.it->choice,
           threshold.it->folds, choice.it->f1);
    must(perc_predict(NULL, m, ds, scores, &err));
    must(perc_trade_off(NULL, m, ds, scores, 12, trade.it, &n, &err));
    CHECK(trade, n);
    printf("trade-off: %zu entries, the last with %llu false positives\n", n,
           (unsigned long long)trade.it[n - 1].false_positives);
    must(perc_evaluate(NULL, m, ds, measured.it, NULL, &err));
    printf("log loss as a metric: %d\n",
           perc_metric_value(measured.it, "log-loss") == measured.it->log_loss);
    perc_model_free(m);
    perc_dataset_free(ds);
    perc_params_free(p);
    perc_params_free(auto_scale);
}

/* ----- proofs and gates ------------------------------------------------------------------ */

static void proving(void)
{
    perc_params *p = params("prove", "bound", "true");
    perc_dataset *ds;
    perc_proof *proof;
    const char *where;
    GUARDED(perc_proof_info, 1, info);
    GUARDED(perc_redundant, 1, redundant);
    GUARDED(perc_part, 1, part);
    GUARDED(perc_bound, 1, bound);
    GUARDED(perc_hulls, 1, hulls);
    GUARDED(perc_check, 1, check);

    must(perc_params_set(p, "hulls", "true", &err));
    must(perc_dataset_read_exact(NULL, "twice.svm", NULL, &ds, &err));
    const perc_status st = perc_prove(NULL, ds, p, NULL, &proof, &err);
    if (st == PERC_EARG) {
        printf("no proofs in this build\n");
    } else {
        must(st);
        perc_proof_info_get(proof, info.it);
        CHECK(info, 1);
        if (!perc_proof_redundant(proof, 0, redundant.it)) exit(1);
        CHECK(redundant, 1);
        printf("proof: %llu rows, %lld redundant: feature %llu is %s times another\n",
               (unsigned long long)info.it->rows, (long long)info.it->redundant,
               (unsigned long long)redundant.it->feature, redundant.it->factor[0]);
        perc_proof_part(proof, 0, part.it);
        CHECK(part, 1);
        printf("part: %s, %llu strict, gap %d\n", perc_verdict_text(part.it->verdict),
               (unsigned long long)part.it->strict, part.it->gap_reached);
        if (!perc_proof_bound(proof, bound.it) || !perc_proof_hulls(proof, hulls.it)) exit(1);
        CHECK(bound, 1);
        CHECK(hulls, 1);
        printf("bound: R %g, %zu runs, the last made %lld mistakes\n", bound.it->radius,
               bound.it->runs, (long long)bound.it->run[bound.it->runs - 1].mistakes);
        printf("hulls: %zu and %zu, %s\n", hulls.it->positives, hulls.it->negatives,
               perc_verdict_text(hulls.it->verdict));
        must(perc_proof_write(proof, ds, "proof.json", &err));
        must(perc_verify(NULL, "proof.json", "twice.svm", NULL, check.it, &where, &err));
        CHECK(check, 1);
        memset(&check, FILLER, sizeof check);
        must(perc_verify_watched(NULL, "proof.json", "twice.svm", NULL, NULL, NULL, check.it,
                                 &where, &err));
        CHECK(check, 1);
        printf("check: valid %d, %llu rows, the first claim has %llu\n", check.it->valid,
               (unsigned long long)check.it->rows, (unsigned long long)check.it->claim[0].rows);
    }
    perc_proof_free(proof);
    perc_dataset_free(ds);
    perc_params_free(p);
}

/* v.K v < 0 for a matrix K of kernel values. */
static void matrices(void)
{
    const double k[4] = { 1, 2, 2, 1 }, labels[2] = { -1, 1 };
    const perc_dense rows = { k, PERC_F64, 2, 2, 2 * sizeof *k, sizeof *k };
    perc_dataset *ds;
    perc_gram *gram;
    GUARDED(perc_gram_info, 1, info);

    must(perc_dataset_borrow_dense(NULL, &rows, labels, NULL, &ds, &err));
    const perc_status st = perc_gram_check(NULL, ds, &gram, &err);
    if (st == PERC_EARG) {
        printf("no proofs in this build\n");
    } else {
        must(st);
        perc_gram_info_get(gram, info.it);
        CHECK(info, 1);
        printf("matrix: v.K v = %s\n", info.it->value);
    }
    perc_gram_free(gram);
    perc_dataset_free(ds);
}

static void gates(void)
{
    perc_gate *g;
    perc_model *m;
    GUARDED(perc_gate_info, 1, info);
    GUARDED(perc_single, 1, single);
    GUARDED(perc_gate_info, 1, model);

    must(perc_gate_new(NULL, "(a & b) | c", &g, &err));
    perc_gate_info_get(g, info.it);
    CHECK(info, 1);
    perc_gate_single(g, 0, single.it);
    CHECK(single, 1);
    must(perc_gate_model(g, &m, &err));
    if (!perc_model_gate(m, model.it)) exit(1);
    CHECK(model, 1);
    printf("gate: %zu inputs, %zu synapses; one neuron: %d, threshold %lld; model: %zu neurons\n",
           info.it->inputs, info.it->synapses, single.it->possible, (long long)single.it->threshold,
           model.it->neurons);
    perc_model_free(m);
    perc_gate_free(g);
}

/* The rows of a file, divided. */
static void dividing(void)
{
    perc_params *p = params("split", "by", "group:2");
    perc_split *split;
    GUARDED(perc_split_info, 1, info);

    must(perc_split_rows(NULL, "twice.svm", NULL, p, "train.svm", "test.svm", &split, &err));
    perc_split_info_get(split, info.it);
    CHECK(info, 1);
    printf("divided: %llu rows, %llu drawn, of %llu groups; since '%s', %s\n",
           (unsigned long long)info.it->rows, (unsigned long long)info.it->drawn,
           (unsigned long long)info.it->groups, info.it->since, info.it->format);
    perc_split_free(split);
    perc_params_free(p);
}

/* What data hold. */
static void surveying(void)
{
    perc_survey *survey;
    GUARDED(perc_survey_info, 1, info);
    GUARDED(perc_survey_column, 1, column);

    must(perc_survey_read(NULL, "twice.svm", NULL, &survey, &err));
    perc_survey_info_get(survey, info.it);
    CHECK(info, 1);
    perc_survey_column_get(survey, 1, column.it);
    CHECK(column, 1);
    printf("surveyed: %llu rows, %llu columns; %s has %llu values from %g to %g\n",
           (unsigned long long)info.it->rows, (unsigned long long)info.it->columns, column.it->name,
           (unsigned long long)column.it->distinct, column.it->min, column.it->max);
    perc_survey_free(survey);
}

int main(void)
{
    perc_dataset *iris;
    FILE *f = fopen("twice.svm", "w"); /* :and, and its second feature once more, doubled */

    must(perc_dataset_read(NULL, ":iris", NULL, &iris, &err));
    must(perc_dataset_write(iris, "rows.svm", "libsvm", &err));
    fprintf(f, "-1\n-1 2:1 3:2\n-1 1:1\n1 1:1 2:1 3:2\n");
    fclose(f);
    printf("learner: %s, online %d\n", perc_table_about("pocket")->title,
           perc_table_about("pocket")->online);
    training(iris);
    teaching();
    looking(iris);
    choosing(iris);
    thresholds();
    proving();
    matrices();
    gates();
    dividing();
    surveying();
    perc_dataset_free(iris);
    return 0;
}
