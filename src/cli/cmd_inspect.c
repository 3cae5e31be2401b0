/* cmd_inspect.c -- perceptron inspect: what is in a model, and which features
 * pull hardest.
 *
 * Weights are sorted by |w|, largest first, ties by the number of the feature.
 * They are the machine's own: with a scaling they belong to the scaled features,
 * which is what makes their sizes comparable. A model with one vector a label has
 * such a list for each. A model with a kernel has no weights, but support rows. A network
 * has many for each feature: in their place stands the size of those that lead to the first
 * layer. */
#include "cli/inspect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/grid.h"
#include "show/word.h"

enum {
    TOP = 20,     /* weights shown of the only vector, or of the one asked for */
    TOP_EACH = 5, /* of each of several */
    VECTORS_SHOWN = 20,
    NAME = 256
};

struct weight {
    double w;
    uint64_t j;
};

struct inspect {
    struct cli *cli;
    const char *path, *class;
    int64_t top; /* -1: not given */
    int all;
    perc_model *model;
    perc_model_info info;
    bool gate;                /* neurons that have learned nothing: no list */
    bool network;             /* layers, and one list: features by their size in the first */
    bool several;             /* a vector for each label, not one for two */
    size_t first, end;        /* the vectors to show */
    struct weight *list;      /* the weights of one that are not zero, sorted */
    uint64_t count, shown;    /* how many those are, and how many of them to print */
    struct supports supports; /* with a kernel */
};

/* For qsort: |w| falling, then j rising. NaN cannot occur in a model file. */
static int by_size(const void *a, const void *b)
{
    const struct weight *p = a, *q = b;
    const double x = fabs(p->w), y = fabs(q->w);

    if (x != y) return x < y ? 1 : -1;
    return p->j < q->j ? -1 : p->j > q->j;
}

/* How many to show. Programs get all unless they ask for less. */
static uint64_t top_of(const struct inspect *s, int64_t usual)
{
    return (uint64_t)(s->all || (s->cli->json && s->top < 0) ? INT64_MAX
                      : s->top >= 0                          ? s->top
                                                             : usual);
}

static double weight_of(const struct inspect *s, uint64_t j, size_t c)
{
    return s->network ? layers_feature(s->model, j) : perc_model_weight(s->model, j, c);
}

/* Makes the list that of vector c. */
static void list_weights(struct inspect *s, size_t c)
{
    const uint64_t top = top_of(s, s->end - s->first > 1 && !s->network ? TOP_EACH : TOP);

    s->count = 0;
    for (uint64_t j = 0; j < s->info.features; j++) {
        const double w = weight_of(s, j, c);

        if (w != 0) s->list[s->count++] = (struct weight){ w, j };
    }
    qsort(s->list, s->count, sizeof *s->list, by_size);
    s->shown = top > s->count ? s->count : top;
}

/* Features that have a weight in any vector. */
static uint64_t features_used(const struct inspect *s)
{
    uint64_t n = 0;

    for (uint64_t j = 0; j < s->info.features; j++) {
        size_t c = 0;

        while (c < s->info.outputs && weight_of(s, j, c) == 0) c++;
        n += c < s->info.outputs;
    }
    return n;
}

/* 2^BITS buckets hold the features without names of their own; "0": there are none. */
static const char *hash_bits(const perc_model *m)
{
    return perc_model_option(m, "hash");
}

/* The feature's name, or its index as the data file counts. */
static const char *feature_name(const struct inspect *s, uint64_t j, char buf[NAME])
{
    const char *name = perc_model_feature(s->model, j, buf, NAME);

    if (name != NULL) return name;
    snprintf(buf, NAME, "%llu", (unsigned long long)(j + (uint64_t)s->info.index_base));
    return buf;
}

/* ----- text ---------------------------------------------------------------- */

/* The weights of the only vector. Names to the left, numbers to the right, so that
 * sizes can be compared. */
static void print_weights(struct inspect *s, struct out *o)
{
    struct grid *g = grid_new(&s->cli->env, "lr");
    char name[NAME], value[WORD];

    list_weights(s, s->first);
    grid_cell(g, "feature");
    grid_cell(g, s->network ? "|w| to layer 0" : "weight");
    for (uint64_t i = 0; i < s->shown; i++) {
        grid_cell(g, feature_name(s, s->list[i].j, name));
        grid_cell(g, word_num(value, s->list[i].w));
    }
    if (s->shown > 0) {
        out_text(o, "\n");
        grid_print(g, o, 0);
    }
    grid_free(g);
    if (s->shown < s->count)
        out_fmt(o, "... and %s more (--all shows them)\n", word_count(value, s->count - s->shown));
}

/* One table for several vectors; the label is on every line, for grep. */
static void print_vectors(struct inspect *s, struct out *o)
{
    struct grid *g = grid_new(&s->cli->env, "llr");
    size_t c = s->first;
    bool more = false;
    char name[NAME], value[WORD];

    grid_cell(g, "label");
    grid_cell(g, "feature");
    grid_cell(g, "weight");
    for (; c < s->end && (s->all || c - s->first < VECTORS_SHOWN); c++) {
        const char *label = perc_model_label(s->model, c);

        list_weights(s, c);
        more = more || s->shown < s->count;
        for (uint64_t i = 0; i < s->shown; i++) {
            grid_cell(g, label);
            grid_cell(g, feature_name(s, s->list[i].j, name));
            grid_cell(g, word_num(value, s->list[i].w));
        }
        if (s->info.has_offset) {
            grid_cell(g, label);
            grid_cell(g, "(offset b)");
            grid_cell(g, word_num(value, perc_model_offset(s->model, c)));
        }
    }
    out_text(o, "\n");
    grid_print(g, o, 0);
    grid_free(g);
    if (c < s->end)
        out_fmt(o, "... and %s more labels (--class LABEL shows one, --all all)\n",
                word_count(value, s->end - c));
    else if (more && s->class != NULL)
        out_fmt(o, "... and %s more (--all shows them)\n", word_count(value, s->count - s->shown));
    else if (more)
        out_text(o, "... and smaller ones (--class LABEL shows one label, --all everything)\n");
}

/* The options that are not at their defaults, on one line. */
static void print_options(struct out *o, const perc_model *m, const char *algorithm)
{
    size_t count = 0;
    const perc_param *rows = perc_table(algorithm, &count);
    bool any = false;

    out_fmt(o, "%-16s", "options");
    for (size_t i = 0; i < count; i++) {
        const char *value = perc_model_option(m, rows[i].name);
        const char *initial = rows[i].initial != NULL ? rows[i].initial : "";

        if (value == NULL || strcmp(value, initial) == 0) continue;
        out_fmt(o, " %s=", rows[i].name);
        out_text(o, value);
        any = true;
    }
    out_text(o, any ? "\n" : " all at their defaults\n");
}

/* The only sigmoid, or that there are several; or none, and a network's own probabilities. */
static void print_calibrated(const struct inspect *s, struct out *o)
{
    double a, b;
    char buf[2][WORD];

    if (!s->info.calibrated) cli_fact(o, "calibrated", "no");
    else if (perc_model_sigmoid(s->model, 0, &a, &b, NULL))
        cli_fact(o, "probabilities", "%s",
                 s->several ? "p = exp(s) of each label over their sum" : "p = 1 / (1 + exp(-s))");
    else if (s->several)
        cli_fact(o, "calibrated", "p = 1 / (1 + exp(a s + b)) of each label over their sum");
    else if (perc_model_sigmoid(s->model, 0, &a, &b, NULL) == PERC_OK)
        cli_fact(o, "calibrated", "p = 1 / (1 + exp(a s + b)), a = %s, b = %s", word_num(buf[0], a),
                 word_num(buf[1], b));
}

static void print_sigmoids(const struct inspect *s, struct out *o)
{
    struct grid *g = grid_new(&s->cli->env, "lrr");
    size_t c = s->first;
    double a, b;
    char buf[WORD];

    grid_cell(g, "label");
    grid_cell(g, "a");
    grid_cell(g, "b");
    for (; c < s->end && (s->all || c - s->first < VECTORS_SHOWN); c++) {
        if (perc_model_sigmoid(s->model, c, &a, &b, NULL)) break;
        grid_cell(g, perc_model_label(s->model, c));
        grid_cell(g, word_num(buf, a));
        grid_cell(g, word_num(buf, b));
    }
    out_text(o, "\n");
    grid_print(g, o, 0);
    grid_free(g);
}

/* What it is made of: rows. */
static void print_kernel(struct inspect *s, struct out *o)
{
    cli_supports_fact(o, s->model, 0);
    supports_fact(o, &s->supports);
    cli_dropped_fact(o, s->model, NULL);
    if (s->several && s->info.calibrated) print_sigmoids(s, o);
    supports_table(s->cli, s->model, &s->supports);
}

/* What it is made of: layers. */
static void print_network(struct inspect *s, struct out *o)
{
    double a, b;

    layers_facts(o, s->model);
    if (s->several && perc_model_sigmoid(s->model, 0, &a, &b, NULL) == PERC_OK)
        print_sigmoids(s, o);
    layers_table(s->cli, s->model);
    print_weights(s, o);
}

/* What it is made of: weights. */
static void print_linear(struct inspect *s, struct out *o)
{
    char buf[WORD];

    cli_fact(o, "|w|", "%s", word_num(buf, cli_norm(s->model)));
    if (strcmp(s->info.machine, "votes") == 0)
        cli_fact(o, "weights", "those of the last vector; the votes of all of them answer");
    if (s->several && s->info.calibrated) print_sigmoids(s, o);
    if (!s->several) print_weights(s, o);
    else print_vectors(s, o);
}

static void print_features(const struct inspect *s, struct out *o)
{
    char buf[2][WORD];

    if (cli_has_kernel(&s->info))
        cli_fact(o, "features", "%s", word_count(buf[0], s->info.features));
    else
        cli_fact(o, "features", "%s (%s with a weight)", word_count(buf[0], s->info.features),
                 word_count(buf[1], features_used(s)));
    if (!s->info.has_offset) cli_fact(o, "offset b", "none");
    else if (s->network) cli_fact(o, "offset b", "one for each neuron");
    else if (!s->several)
        cli_fact(o, "offset b", "%s", word_num(buf[0], perc_model_offset(s->model, 0)));
    else cli_fact(o, "offset b", "one for each label");
}

/* How training ended. */
static void print_run(const struct inspect *s, struct out *o)
{
    const perc_model_info *info = &s->info;
    char buf[WORD];

    cli_fact(o, "end", "%s", perc_stop_text(info->stop));
    cli_fact(o, "passes", "%s", word_count(buf, (uint64_t)info->epochs));
    if (info->solver[0] == '\0') { /* a solver makes none */
        cli_fact(o, "mistakes", "%s", word_count(buf, (uint64_t)info->mistakes));
        cli_fact(o, "updates", "%s", word_count(buf, (uint64_t)info->updates));
    }
    cli_solver_facts(o, info, NAN);
}

/* How it was made first, then what it is, then the weights: the reader of a model
 * asks whether to trust it before asking what it says. */
static void print_text(struct inspect *s)
{
    struct out *o = s->cli->out;
    const perc_model_info *info = &s->info;

    cli_fact(o, "model", "%s", s->path);
    cli_fact(o, "machine", "%s", info->machine);
    if (s->gate) {
        cli_labels_facts(o, s->model);
        gate_facts(o, s->model);
        gate_table(s->cli, s->model, top_of(s, TOP));
        return;
    }
    cli_algorithm_fact(o, s->model);
    cli_kernel_fact(o, s->model);
    print_options(o, s->model, info->algorithm);
    cli_labels_facts(o, s->model);
    cli_fact(o, "scale", "%s", info->scale);
    if (strcmp(hash_bits(s->model), "0") != 0)
        cli_fact(o, "hashing", "2^%s buckets", hash_bits(s->model));
    print_run(s, o);
    print_calibrated(s, o);
    print_features(s, o);
    if (cli_has_kernel(info)) print_kernel(s, o);
    else if (s->network) print_network(s, o);
    else print_linear(s, o);
}
/* ----- JSON ---------------------------------------------------------------- */

/* "offset", or "offsets" of several, in the order of "labels"; and the rows. */
static void json_kernel(const struct inspect *s, struct out *o)
{
    if (!s->several) {
        out_key_real(o, "offset", perc_model_offset(s->model, 0));
    } else {
        out_key(o, "offsets");
        out_begin(o, '[');
        for (size_t c = 0; c < s->info.outputs; c++) out_real(o, perc_model_offset(s->model, c));
        out_end(o, ']');
    }
    supports_json(o, s->model, &s->supports);
    cli_dropped_json(o, s->model, NULL);
}

/* "nonzero", "offset" and "weights" of vector c. Weights are a list, not an object:
 * names may repeat. */
static void json_vector(struct inspect *s, struct out *o, size_t c)
{
    char name[NAME];

    list_weights(s, c);
    out_key_int(o, "nonzero", (int64_t)s->count);
    out_key_real(o, "offset", perc_model_offset(s->model, c));
    out_key(o, "weights");
    out_begin(o, '[');
    for (uint64_t i = 0; i < s->shown; i++) {
        out_begin(o, '{');
        out_key_string(o, "feature", feature_name(s, s->list[i].j, name));
        out_key_real(o, "weight", s->list[i].w);
        out_end(o, '}');
    }
    out_end(o, ']');
}

/* "layers", and the features by their size in the first. */
static void json_network(struct inspect *s, struct out *o)
{
    char name[NAME];

    layers_json(o, s->model);
    list_weights(s, 0);
    out_key_int(o, "nonzero", (int64_t)s->count);
    out_key(o, "sizes");
    out_begin(o, '[');
    for (uint64_t i = 0; i < s->shown; i++) {
        out_begin(o, '{');
        out_key_string(o, "feature", feature_name(s, s->list[i].j, name));
        out_key_real(o, "norm", s->list[i].w);
        out_end(o, '}');
    }
    out_end(o, ']');
}

/* All sigmoids, each with the label that its p is for. */
static void json_sigmoids(const struct inspect *s, struct out *o)
{
    double a, b;

    out_key_bool(o, "calibrated", s->info.calibrated != 0);
    out_key(o, "sigmoids");
    out_begin(o, '[');
    for (size_t c = 0; c < s->info.outputs; c++) {
        if (perc_model_sigmoid(s->model, c, &a, &b, NULL)) break;
        out_begin(o, '{');
        out_key_string(o, "label", perc_model_label(s->model, s->several ? c : 1));
        out_key_real(o, "a", a);
        out_key_real(o, "b", b);
        out_end(o, '}');
    }
    out_end(o, ']');
}

/* What it is made of. */
static void json_machine(struct inspect *s, struct out *o)
{
    const bool kernel = cli_has_kernel(&s->info), plain = !kernel && !s->network && !s->gate;

    out_key_real(o, "norm", plain ? cli_norm(s->model) : (double)NAN);
    if (kernel) {
        json_kernel(s, o);
    } else if (s->gate) {
        gate_json(o, s->model, top_of(s, TOP));
    } else if (s->network) {
        json_network(s, o);
    } else if (!s->several) {
        json_vector(s, o, 0);
    } else {
        out_key(o, "vectors");
        out_begin(o, '[');
        for (size_t c = s->first; c < s->end; c++) {
            out_begin(o, '{');
            out_key_string(o, "label", perc_model_label(s->model, c));
            json_vector(s, o, c);
            out_end(o, '}');
        }
        out_end(o, ']');
    }
}

static void print_json(struct inspect *s)
{
    struct out *o = s->cli->out;
    const perc_model_info *info = &s->info;

    out_begin(o, '{');
    out_key_string(o, "command", "inspect");
    out_key_string(o, "model", s->path);
    out_key_string(o, "machine", info->machine);
    cli_options_json(o, s->model);
    cli_labels_json(o, s->model);
    out_key_string(o, "scale", info->scale);
    out_key_int(o, "hash", strtoll(hash_bits(s->model), NULL, 10));
    out_key_bool(o, "converged", info->stop == PERC_STOP_CONVERGED);
    out_key_string(o, "stop", perc_stop_text(info->stop));
    out_key_int(o, "epochs", info->epochs);
    out_key_int(o, "examples", info->examples);
    out_key_int(o, "mistakes", info->mistakes);
    out_key_int(o, "updates", info->updates);
    cli_solver_json(o, info, NAN);
    cli_kernel_json(o, s->model);
    json_sigmoids(s, o);
    out_key_int(o, "features", (int64_t)info->features);
    out_key_int(o, "index_base", info->index_base);
    out_key_bool(o, "has_offset", info->has_offset != 0);
    json_machine(s, o);
    out_end(o, '}');
    out_text(o, "\n");
}

/* ----- the command ---------------------------------------------------------- */

/* Which vectors to show: all, or the one of --class; with a kernel, rows of which label. */
static int pick(struct inspect *s)
{
    const bool kernel = cli_has_kernel(&s->info);
    const char *label;

    s->several = strcmp(s->info.multiclass, "two") != 0;
    s->network = strcmp(s->info.machine, "mlp") == 0;
    s->gate = strcmp(s->info.machine, "gate") == 0;
    s->first = 0;
    s->end = s->info.outputs;
    if (s->class == NULL) return EXIT_DONE;
    if (s->network || s->gate)
        return cli_usage(s->cli, "--class: %s is a network, which serves all its labels", s->path);
    if (!s->several && !kernel)
        return cli_usage(s->cli, "--class: %s has one vector for its two labels", s->path);
    for (size_t c = 0; (label = perc_model_label(s->model, c)) != NULL; c++)
        if (strcmp(label, s->class) == 0) {
            s->first = c;
            s->end = c + 1;
            return EXIT_DONE;
        }
    return cli_usage(s->cli, "--class: %s has no label '%s'", s->path, s->class);
}

static int run(struct inspect *s)
{
    perc_error err = { 0 };
    int rc;

    if (perc_model_read(&s->cli->env, s->path, &s->model, &err))
        return cli_fail(s->cli, s->path, &err);
    perc_model_info_get(s->model, &s->info);
    if ((rc = pick(s))) return rc;
    if (cli_has_kernel(&s->info)) {
        const int64_t label = s->class != NULL ? (int64_t)s->first : -1;

        s->end = s->info.outputs; /* sigmoids of all, whichever rows are shown */
        s->first = 0;
        if ((rc = supports_list(s->cli, s->model, label, top_of(s, TOP), &s->supports))) return rc;
    } else if ((s->list = calloc((size_t)s->info.features + 1, sizeof *s->list)) == NULL) {
        return cli_memory(s->cli);
    }
    if (s->cli->json) print_json(s);
    else print_text(s);
    return EXIT_DONE;
}

int cmd_inspect(struct cli *cli)
{
    struct inspect s = { .cli = cli, .top = -1 };
    const struct opt opts[] = {
        { 0, "top", OPT_INT, &s.top, "N",
          "show the N largest weights, with a kernel the N support rows of the largest counters, "
          "with a budget of the largest coefficients; of a network, the N features whose weights "
          "to the first layer are largest; of a gate, its first N neurons "
          "[20; 5 of each label; with --json all]",
          0, INT64_MAX },
        { 0, "all", OPT_FLAG, &s.all, NULL,
          "show every weight that is not zero, with a kernel every support row", 0, 0 },
        { 0, "class", OPT_TEXT, &s.class, "LABEL",
          "more than two labels: show the weights of this one; with a kernel: its rows", 0, 0 },
        OPT_THREADS(cli),
        OPT_JSON(cli),
        OPT_END
    };
    const struct operand operands[] = { { "MODEL", &s.path, false }, OPERANDS_END };
    int rc;

    if (!cli_parse(cli, opts, operands, NULL)) return cli->rc;
    rc = run(&s);
    free(s.list);
    free(s.supports.list);
    perc_model_free(s.model);
    return rc;
}
