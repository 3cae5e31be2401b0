/* model.c -- models: scores, what they are made of, files; and how well they do. */
#include "web.h"

#include <stdlib.h>

/* ----- files ----------------------------------------------------------------- */

WEB(perc_model *, web_model_read, const char *path)
{
    perc_model *m;

    perc_model_read(NULL, path, &m, &web_failure);
    return m;
}

WEB(perc_status, web_model_write, const perc_model *m, const char *path)
{
    return perc_model_write(m, path, &web_failure);
}

WEB(void, web_model_free, perc_model *m)
{
    perc_model_free(m);
}

/* ----- scores ------------------------------------------------------------------ */

/* n rows of `features` numbers, row by row, to n * outputs scores. */
WEB(perc_status, web_model_scores, const perc_model *m, const double *x, size_t n, size_t features,
    double *scores)
{
    const perc_dense dense = { .values = x,
                               .type = PERC_F64,
                               .rows = n,
                               .columns = features,
                               .row_stride = (ptrdiff_t)(features * sizeof *x),
                               .column_stride = sizeof *x };
    double *labels = calloc(n + 1, sizeof *labels); /* the library requires some */
    perc_dataset *ds = NULL;

    if (labels == NULL) {
        web_no_memory();
        return PERC_ENOMEM;
    }
    perc_status st = perc_dataset_borrow_dense(NULL, &dense, labels, NULL, &ds, &web_failure);
    if (!st) st = perc_predict(NULL, m, ds, scores, &web_failure);
    perc_dataset_free(ds);
    free(labels);
    return st;
}

/* The label numbers that the scores of n rows stand for; -1: none. */
WEB(void, web_model_answers, const perc_model *m, const double *scores, size_t n, int32_t *label)
{
    perc_model_info info;

    perc_model_info_get(m, &info);
    for (size_t i = 0; i < n; i++) {
        const char *answer = perc_answer(m, scores + i * info.outputs);
        label[i] = -1;
        for (size_t c = 0; c < info.labels && answer != NULL && label[i] < 0; c++)
            if (answer == perc_model_label(m, c)) label[i] = (int32_t)c;
    }
}

/* ----- what it is made of -------------------------------------------------------- */

static void say_labels(const perc_model *m)
{
    const char *s;

    say_key("labels");
    say_open('[');
    for (size_t i = 0; (s = perc_model_label(m, i)) != NULL; i++) say_text(s);
    say_close(']');
}

static void say_kernel(const perc_model_info *info)
{
    say_key_text("kernel", info->kernel);
    say_key_real("gamma", info->gamma);
    say_key_real("coef0", info->coef0);
    say_key_int("degree", info->degree);
    say_key_int("supports", (int64_t)info->supports);
    say_key_int("dropped", (int64_t)info->dropped);
}

WEB(const char *, web_model_info, const perc_model *m)
{
    perc_model_info info;

    perc_model_info_get(m, &info);
    say_begin();
    say_open('{');
    say_key_text("algorithm", info.algorithm);
    say_key_text("machine", info.machine);
    say_key_int("features", (int64_t)info.features);
    say_key_int("outputs", (int64_t)info.outputs);
    say_key_text("multiclass", info.multiclass);
    say_key_int("indexBase", info.index_base);
    say_key_bool("offset", info.has_offset != 0);
    say_key_text("negative", info.negative);
    say_key_text("positive", info.positive);
    say_key_text("map", info.map);
    say_key_text("scale", info.scale);
    say_key_text("stop", web_stop_word(info.stop));
    say_key_int("epochs", info.epochs);
    say_key_int("examples", info.examples);
    say_key_int("mistakes", info.mistakes);
    say_key_int("updates", info.updates);
    say_key_real("primal", info.primal);
    say_key_real("dual", info.dual);
    say_key_real("marginLower", info.margin_lower);
    say_key_real("marginUpper", info.margin_upper);
    say_key_real("geometricLower", info.geometric_lower);
    say_key_real("geometricUpper", info.geometric_upper);
    say_key_text("solver", info.solver);
    say_key_bool("calibrated", info.calibrated != 0);
    say_kernel(&info);
    say_labels(m);
    say_close('}');
    return say_end();
}

WEB(const char *, web_model_option, const perc_model *m, const char *name)
{
    return perc_model_option(m, name);
}

WEB(const char *, web_model_feature, const perc_model *m, size_t j)
{
    static char name[256];

    return perc_model_feature(m, j, name, sizeof name);
}

/* outputs * (features + 1) numbers: the weights and the offset of each output. */
WEB(void, web_model_weights, const perc_model *m, double *out)
{
    perc_model_info info;

    perc_model_info_get(m, &info);
    for (size_t c = 0; c < info.outputs; c++) {
        for (uint64_t j = 0; j < info.features; j++) *out++ = perc_model_weight(m, j, c);
        *out++ = perc_model_offset(m, c);
    }
}

WEB(const char *, web_model_supports, const perc_model *m)
{
    perc_model_info info;

    perc_model_info_get(m, &info);
    perc_support *s = calloc((size_t)info.supports + 1, sizeof *s);
    if (s == NULL) return web_no_memory();
    if (perc_model_supports(m, s, &web_failure)) {
        free(s);
        return NULL;
    }
    say_begin();
    say_open('[');
    for (uint64_t i = 0; i < info.supports; i++) {
        say_open('{');
        say_key_int("row", s[i].row);
        say_key_int("counter", s[i].counter);
        say_key_int("label", s[i].label);
        say_key_real("coefficient", s[i].coefficient);
        say_close('}');
    }
    say_close(']');
    free(s);
    return say_end();
}

/* The shapes of a network's layers; [] for other models. */
WEB(const char *, web_model_layers, const perc_model *m)
{
    perc_layer layer;

    say_begin();
    say_open('[');
    for (size_t i = 0; perc_model_layer(m, i, &layer); i++) {
        say_open('{');
        say_key_int("inputs", (int64_t)layer.inputs);
        say_key_int("outputs", (int64_t)layer.outputs);
        say_key_bool("offset", layer.has_offset != 0);
        say_key_text("activation", layer.activation);
        say_key_real("norm", layer.norm);
        say_close('}');
    }
    say_close(']');
    return say_end();
}

/* Layer i: inputs * outputs weights, then the offsets of the outputs. */
WEB(void, web_model_layer, const perc_model *m, size_t i, double *out)
{
    perc_layer layer;

    if (!perc_model_layer(m, i, &layer)) return;
    for (uint64_t j = 0; j < layer.inputs; j++)
        for (uint64_t k = 0; k < layer.outputs; k++) *out++ = perc_model_layer_weight(m, i, j, k);
    for (uint64_t k = 0; k < layer.outputs; k++)
        *out++ = layer.has_offset ? perc_model_layer_offset(m, i, k) : 0;
}

/* ----- how well it does ------------------------------------------------------------ */

static void say_list(const char *name, const double *v, size_t n)
{
    say_key(name);
    say_open('[');
    for (size_t i = 0; i < n; i++) say_real(v[i]);
    say_close(']');
}

static void say_confusion(const uint64_t *count, size_t labels)
{
    say_key("confusion"); /* [truth][answer] */
    say_open('[');
    for (size_t i = 0; i < labels; i++) {
        say_open('[');
        for (size_t k = 0; k < labels; k++) say_int((int64_t)count[i * labels + k]);
        say_close(']');
    }
    say_close(']');
}

static void say_metrics(const perc_metrics *r)
{
    say_key_int("rows", (int64_t)r->rows);
    say_key_int("unlabelled", (int64_t)r->unlabelled);
    say_key_int("unknown", (int64_t)r->unknown);
    say_key_int("errors", (int64_t)r->errors);
    say_key_int("onBoundary", (int64_t)r->on_boundary);
    say_key_real("accuracy", r->accuracy);
    say_key_real("error", r->error);
    say_key_real("perceptronLoss", r->perceptron_loss);
    say_key_real("hingeLoss", r->hinge_loss);
    say_key_real("precision", r->precision);
    say_key_real("recall", r->recall);
    say_key_real("f1", r->f1);
    say_key_real("auc", r->auc);
    say_list("margin", r->margin, PERC_QUANTILES);
    say_list("distance", r->distance, PERC_QUANTILES);
}

WEB(const char *, web_evaluate, const perc_model *m, const perc_dataset *ds)
{
    perc_model_info info;
    perc_metrics r;

    perc_model_info_get(m, &info);
    uint64_t *confusion = calloc(info.labels * info.labels + 1, sizeof *confusion);
    if (confusion == NULL) return web_no_memory();
    if (perc_evaluate(NULL, m, ds, &r, confusion, &web_failure)) {
        free(confusion);
        return NULL;
    }
    say_begin();
    say_open('{');
    say_metrics(&r);
    say_labels(m);
    say_confusion(confusion, info.labels);
    say_close('}');
    free(confusion);
    return say_end();
}

/* ----- a teacher shows one example at a time --------------------------------------- */

WEB(perc_model *, web_model_new, const perc_params *p)
{
    perc_model *m;

    perc_model_new(NULL, p, &m, &web_failure);
    return m;
}

WEB(const char *, web_model_learn, perc_model *m, const double *x, size_t n, const char *label,
    double weight)
{
    const perc_example example = { .value = x, .n = n };
    perc_outcome o;

    if (perc_learn(m, &example, label, weight, &o, &web_failure)) return NULL;
    say_begin();
    say_open('{');
    say_key_real("score", o.score);
    say_key_bool("mistake", o.mistake != 0);
    say_key_bool("updated", o.updated != 0);
    say_key_text("answer", o.answer);
    say_close('}');
    return say_end();
}

WEB(perc_status, web_model_settle, perc_model *m)
{
    return perc_model_refresh(m, &web_failure);
}
