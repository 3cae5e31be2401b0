/* cmd_inspect.c -- perceptron inspect: what is in a model, and which features
 * pull hardest; or what is in data (inspect_data.c). A file's first bytes say which it is.
 *
 * Weights are sorted by |w|, largest first, ties by the number of the feature.
 * They are the machine's own: with a scaling they belong to the scaled features,
 * which is what makes their sizes comparable. A model with one vector per label has
 * such a list for each. A model with a kernel has no weights, but support rows. A network
 * has many for each feature: the list then has the size of those that lead to the first
 * layer. */
#include "cli/inspect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/about.h"
#include "show/word.h"

enum {
    TOP = 20,     /* weights shown of a single vector, or of the one asked for */
    TOP_EACH = 5, /* of each if there are several */
    VECTORS_SHOWN = 20,
    NAME = 256
};

struct weight {
    double w;
    uint64_t j;
    size_t c; /* of which vector */
};

struct inspect {
    struct cli *cli;
    const char *path, *class;
    int64_t top; /* -1: not given */
    int all, propose;
    perc_model *model;
    perc_model_info info;
    bool gate;                /* its neurons learned nothing: no list */
    bool network;             /* layers, and one list: features by their size in the first */
    bool several;             /* a vector per label, not one for two */
    size_t first, end;        /* the vectors to show */
    struct weight *list;      /* the nonzero weights of one vector, sorted */
    struct supports supports; /* with a kernel */
    struct circuit circuit;   /* of a gate */
};

/* For qsort: |w| falling, then j rising. NaN cannot occur in a model file. */
static int by_size(const void *a, const void *b)
{
    const struct weight *p = a, *q = b;
    const double x = fabs(p->w), y = fabs(q->w);

    if (x != y) return x < y ? 1 : -1;
    return p->j < q->j ? -1 : p->j > q->j;
}

/* How many to show. Programs get all unless they ask for fewer. */
static uint64_t top_of(const struct inspect *s, int64_t usual)
{
    return (uint64_t)(s->all || (s->cli->json && s->top < 0) ? INT64_MAX
                      : s->top >= 0                          ? s->top
                                                             : usual);
}

static double weight_of(const struct inspect *s, uint64_t j, size_t c)
{
    return s->network ? inspect_feature(s->model, j) : perc_model_weight(s->model, j, c);
}

/* Puts the nonzero weights of vector c into s->list, sorted; how many there are, and how many of
 * them to print. */
struct weight_counts {
    uint64_t count, shown;
};

static struct weight_counts list_weights(const struct inspect *s, size_t c)
{
    const uint64_t top = top_of(s, s->end - s->first > 1 && !s->network ? TOP_EACH : TOP);
    struct weight_counts n = { 0 };

    for (uint64_t j = 0; j < s->info.features; j++) {
        const double w = weight_of(s, j, c);

        if (w != 0) s->list[n.count++] = (struct weight){ w, j, c };
    }
    qsort(s->list, n.count, sizeof *s->list, by_size);
    n.shown = top > n.count ? n.count : top;
    return n;
}

/* The feature's name, or its index as the data file counts. */
static const char *feature_name(const struct inspect *s, uint64_t j, char buf[NAME])
{
    const char *name = perc_model_feature(s->model, j, buf, NAME);

    return name != NULL ? name : word_int(buf, (int64_t)j + s->info.index_base);
}

/* ----- weights ---------------------------------------------------------------- */

/* What one unit more multiplies the odds by, where the model tells. */
static void odds_facts(const struct inspect *s, struct facts *f, const struct weight *w)
{
    const double odds = perc_model_odds_ratio(s->model, w->j, w->c);

    if (!isnan(odds)) facts_real(f, "odds_ratio", "odds ratio", odds);
}

/* Names left, numbers right, so that sizes can be compared. */
static void weight_row(struct facts *f, const void *ud, uint64_t i)
{
    const struct inspect *s = ud;
    char name[NAME];

    facts_row(f);
    facts_string(f, "feature", "feature", feature_name(s, s->list[i].j, name));
    facts_real(f, s->network ? "norm" : "weight", s->network ? "|w| to layer 0" : "weight",
               s->list[i].w);
    odds_facts(s, f, &s->list[i]);
    facts_end(f);
}

/* The constant of vector c, in the form asked for. */
static double constant_of(const struct inspect *s, size_t c)
{
    return hyperplane_constant(s->cli->form, perc_model_offset(s->model, c));
}

/* "nonzero", "offset" (or "threshold") and "weights" of vector c. Weights are a list, not an
 * object: names may repeat. */
static void vector_facts(const struct inspect *s, struct facts *f, size_t c)
{
    const struct weight_counts n = list_weights(s, c);

    facts_count(f, "nonzero", NULL, n.count);
    if (!s->network) facts_real(f, hyperplane_name(s->cli->form), NULL, constant_of(s, c));
    facts_table(f, s->network ? "sizes" : "weights", "");
    facts_each(f, n.shown, n.shown, weight_row, s);
    facts_end(f);
    about_more(f, n.count - n.shown);
}

static void vector_row(struct facts *f, const void *ud, uint64_t i)
{
    const struct inspect *s = ud;

    facts_row(f);
    facts_string(f, "label", NULL, perc_model_label(s->model, s->first + i));
    vector_facts(s, f, s->first + i);
    facts_end(f);
}

/* For people: one table for several vectors, with the label on every line, for grep. */
static void label_rows(struct facts *f, const void *ud, uint64_t k)
{
    const struct inspect *s = ud;
    const size_t c = s->first + k;
    const struct weight_counts n = list_weights(s, c);
    const bool offset = s->info.has_offset != 0;
    const enum hyperplane_form form = s->cli->form;
    char name[NAME], constant[WORD];

    snprintf(constant, sizeof constant, "(%s %s)", hyperplane_name(form), hyperplane_letter(form));

    for (uint64_t i = 0; i < n.shown + offset; i++) {
        facts_row(f);
        facts_string(f, NULL, "label", perc_model_label(s->model, c));
        facts_string(f, NULL, "feature",
                     i < n.shown ? feature_name(s, s->list[i].j, name) : constant);
        facts_real(f, NULL, "weight", i < n.shown ? s->list[i].w : constant_of(s, c));
        if (i < n.shown) odds_facts(s, f, &s->list[i]);
        else if (!isnan(perc_model_odds_ratio(s->model, 0, c)))
            facts_string(f, NULL, "odds ratio", "");
        facts_end(f);
    }
}

static void linear_facts(const struct inspect *s, struct facts *f)
{
    const uint64_t all = s->end - s->first;
    const uint64_t shown = s->all || all < VECTORS_SHOWN ? all : VECTORS_SHOWN;
    struct weight_counts n = { 0 };
    char buf[WORD];

    if (strcmp(s->info.machine, "votes") == 0)
        facts_line(f, "weights", "those of the last vector; the votes of all of them answer");
    if (!isnan(perc_model_odds_ratio(s->model, 0, 0)))
        facts_line(f, "odds ratio", "what one unit more of the feature%s multiplies the odds by%s",
                   strcmp(s->info.scale, "none") == 0 ? "" : ", as it is before --scale,",
                   strcmp(s->info.multiclass, "native") == 0 ? ", against a label of weight 0"
                                                             : "");
    if (!s->several) {
        vector_facts(s, f, 0);
        return;
    }
    facts_list(f, "vectors", NULL);
    facts_each(f, all, 0, vector_row, s);
    facts_end(f);
    facts_table(f, NULL, "");
    facts_each(f, 0, shown, label_rows, s);
    facts_end(f);
    /* What the table leaves out. */
    for (size_t c = s->first; !s->cli->json && c < s->end && n.shown == n.count; c++)
        n = list_weights(s, c);
    if (shown < all)
        facts_prose(f, "... and %s more labels (--class LABEL shows one, --all all)\n",
                    word_count(buf, all - shown));
    else if (s->class != NULL) about_more(f, n.count - n.shown);
    else if (n.shown < n.count)
        facts_prose(f, "... and smaller ones (--class LABEL shows one label, --all everything)\n");
}

/* ----- what else there is ------------------------------------------------------- */

/* The offset b, which other books call bias or intercept; or the threshold theta. */
static void feature_facts(const struct inspect *s, struct facts *f)
{
    const bool plain = !about_has_kernel(&s->info) && !s->network && !s->gate;
    char buf[WORD];

    facts_count(f, "features", "features", s->info.features);
    if (!about_has_kernel(&s->info) && !s->cli->json && !s->gate) {
        uint64_t used = 0; /* features with a weight in any vector */

        for (uint64_t j = 0; j < s->info.features; j++) {
            size_t c = 0;

            while (c < s->info.outputs && weight_of(s, j, c) == 0) c++;
            used += c < s->info.outputs;
        }
        facts_more(f, "%s", word_count(buf, s->info.features));
        facts_more(f, " (%s with a weight)", word_count(buf, used));
    }
    facts_int(f, "index_base", NULL, s->info.index_base);
    const bool threshold = s->cli->form == HYPERPLANE_THRESHOLD;
    facts_bool(f, "has_offset", threshold ? "threshold theta" : "offset b",
               s->info.has_offset != 0);
    if (!s->info.has_offset) facts_say(f, "none");
    else if (s->network) facts_say(f, "one for each neuron (its bias)");
    else if (s->several)
        facts_say(f, threshold ? "one for each label (its score is w.x - theta)"
                               : "one for each label (its bias, or intercept)");
    else if (!s->gate)
        facts_say(f, "%s (%s)", word_num(buf, constant_of(s, 0)),
                  threshold ? "+1 where w.x > theta" : "the bias, or intercept");
    facts_real(f, "norm", plain ? "|w|" : NULL, plain ? cli_norm(s->model) : (double)NAN);
}

/* How it was trained. A solver makes no updates. */
static void run_facts(const struct inspect *s, struct facts *f)
{
    const perc_model_info *info = &s->info;
    const char *bits = perc_model_option(s->model, "hash"); /* "0": no hashing */
    const bool steps = info->solver[0] == '\0';

    facts_string(f, "scale", "scale", info->scale);
    facts_int(f, "hash", strcmp(bits, "0") != 0 ? "hashing" : NULL, strtoll(bits, NULL, 10));
    facts_say(f, "2^%s buckets", bits);
    facts_bool(f, "converged", NULL, info->stop == PERC_STOP_CONVERGED);
    facts_string(f, "stop", "end", perc_stop_text(info->stop));
    if (info->stop == PERC_STOP_EPOCHS) facts_say(f, "limit of passes");
    facts_count(f, "epochs", "passes", (uint64_t)info->epochs);
    facts_count(f, "examples", NULL, (uint64_t)info->examples);
    facts_count(f, "mistakes", steps ? "mistakes" : NULL, (uint64_t)info->mistakes);
    facts_count(f, "updates", steps ? "updates" : NULL, (uint64_t)info->updates);
    about_solver(f, info, NAN);
    about_kernel(f, s->model, 0);
}

/* How it was trained first, then what it is, then the weights: a reader asks whether to trust a
 * model before asking what it says. A gate learned nothing: people are told just what it is. */
static void inspect_facts(const struct inspect *s, struct facts *f)
{
    facts_string(f, "command", NULL, "inspect");
    facts_string(f, "model", "model", s->path);
    facts_string(f, "machine", "machine", s->info.machine);
    if (s->gate) facts_section(f, FACTS_UNTOLD);
    about_algorithm(f, s->model, true);
    facts_section(f, 0);
    about_labels(f, s->model);
    about_columns(f, s->model, true);
    if (s->gate) facts_section(f, FACTS_UNTOLD);
    run_facts(s, f);
    /* Programs get all sigmoids, each with the label that its p is for. People get the only one, or
     * that there are several; or none, and a network's own probabilities. */
    double a, b;
    char buf[2][WORD];
    const bool fitted = perc_model_sigmoid(s->model, 0, &a, &b, NULL) == PERC_OK;
    const bool own = s->info.calibrated && !fitted;
    facts_bool(f, "calibrated", own ? "probabilities" : "calibrated", s->info.calibrated != 0);
    if (own)
        facts_say(f, !s->several ? "p = 1 / (1 + exp(-s))"
                     : strcmp(s->info.multiclass, "native") == 0
                         ? "p = exp(s) of each label over their sum"
                         : "p = 1 / (1 + exp(-s)) of each label over their sum");
    else if (s->several && fitted)
        facts_say(f, "p = 1 / (1 + exp(a s + b)) of each label over their sum");
    else if (fitted)
        facts_say(f, "p = 1 / (1 + exp(a s + b)), a = %s, b = %s", word_num(buf[0], a),
                  word_num(buf[1], b));
    facts_table(f, "sigmoids", s->several ? "" : NULL);
    for (size_t c = 0; c < s->info.outputs; c++) {
        if (perc_model_sigmoid(s->model, c, &a, &b, NULL)) break;
        facts_row(f);
        facts_string(f, "label", "label", perc_model_label(s->model, s->several ? c : 1));
        facts_real(f, "a", "a", a);
        facts_real(f, "b", "b", b);
        facts_end(f);
    }
    facts_end(f);
    feature_facts(s, f);
    facts_section(f, 0);
    if (about_has_kernel(&s->info)) {
        /* "offset", or with several vectors "offsets" in the order of "labels"; and the rows. */
        const bool threshold = s->cli->form == HYPERPLANE_THRESHOLD;

        if (!s->several) {
            facts_real(f, threshold ? "threshold" : "offset", NULL, constant_of(s, 0));
        } else {
            facts_list(f, threshold ? "thresholds" : "offsets", NULL);
            for (size_t c = 0; c < s->info.outputs; c++)
                facts_real(f, NULL, NULL, constant_of(s, c));
            facts_end(f);
        }
        inspect_supports(f, &s->supports);
        about_dropped(f, s->model, NULL);
    } else if (s->gate) {
        inspect_gate(f, &s->circuit, top_of(s, TOP));
    } else if (s->network) {
        inspect_layers(f, s->model);
        vector_facts(s, f, 0);
    } else {
        linear_facts(s, f);
        if (s->info.dropped > 0) about_dropped(f, s->model, NULL);
    }
}

/* ----- the command ---------------------------------------------------------- */

static const char *model_label(void *ud, size_t i)
{
    return perc_model_label(ud, i);
}

/* Which vectors to show: all, or that of --class; with a kernel, the rows of which label. */
static int pick_vectors(struct inspect *s)
{
    const bool kernel = about_has_kernel(&s->info);
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
        if (perc_label_same(label, s->class)) {
            s->first = c;
            s->end = c + 1;
            return EXIT_DONE;
        }
    char near[CLI_NAME];
    const bool known = word_nearest(s->class, model_label, s->model, near);
    return cli_usage(s->cli, "--class: %s has no label '%s'%s%s%s", s->path, s->class,
                     known ? " (did you mean " : "", known ? near : "", known ? "?)" : "");
}

static int inspect_model(struct inspect *s)
{
    perc_error err = { 0 };
    struct facts f;
    int rc;

    if (perc_model_read(&s->cli->env, s->path, &s->model, &err))
        return cli_fail(s->cli, s->path, &err);
    perc_model_info_get(s->model, &s->info);
    if ((rc = pick_vectors(s))) return rc;
    if (about_has_kernel(&s->info)) {
        const int64_t label = s->class != NULL ? (int64_t)s->first : -1;

        s->end = s->info.outputs; /* the sigmoids of all, whichever rows are shown */
        s->first = 0;
        if ((rc = inspect_supports_list(s->cli, s->model, label, top_of(s, TOP), &s->supports)))
            return rc;
    } else if ((s->list = calloc((size_t)s->info.features + 1, sizeof *s->list)) == NULL) {
        return cli_memory(s->cli);
    }
    if (s->gate && !circuit_init(&s->circuit, NULL, s->model, NULL)) return cli_memory(s->cli);
    cli_facts(s->cli, &f);
    inspect_facts(s, &f);
    return cli_print(s->cli, &f, false);
}

/* Options of "data" that change numbers, which are shown as they stand. */
#define HIDDEN "scale map hash float32 in-place group time unsorted"

/* A model, unless it cannot be one. What cannot be looked at first, a pipe, is data. */
static int inspect_either(struct inspect *s)
{
    struct cli *cli = s->cli;
    const enum contents is = contents_of(s->path);

    if (is == CONTENTS_CERTIFICATE) {
        cli_say("%s: this is a certificate (perhaps: perceptron verify %s DATA)", s->path, s->path);
        return EXIT_DATA;
    }
    if (is == CONTENTS_MODEL) {
        if (s->propose || cli->setting_count > 0)
            return cli_usage(cli, "--%s is about data, and %s is a model",
                             s->propose ? "propose" : cli->settings[0].option, s->path);
        if (perc_files_count(cli->files) > 1)
            return cli_usage(cli, "%s is a model, and models are shown one at a time", s->path);
        return inspect_model(s);
    }
    if (s->class != NULL)
        return cli_usage(cli, "--class is about a model, and %s is none", s->path);
    return inspect_data(cli, s->path, top_of(s, TOP), s->propose);
}

int cmd_inspect(struct cli *cli)
{
    struct inspect s = { .cli = cli, .top = -1 };
    const struct opt opts[] = {
        { 0, "top", OPT_INT, &s.top, "N",
          "show the N largest weights, with a kernel the N support rows of the largest counters, "
          "with a budget of the largest coefficients; of a network, the N features whose weights "
          "to the first layer are largest; of a gate, its first N neurons; of data, the first N "
          "columns [20; 5 of each label; with --json all]",
          0, INT64_MAX },
        { 0, "all", OPT_FLAG, &s.all, NULL,
          "show every weight that is not zero, with a kernel every support row; of data, every "
          "column",
          0, 0 },
        { 0, "class", OPT_TEXT, &s.class, "LABEL",
          "more than two labels: show the weights of this one; with a kernel: its rows", 0, 0 },
        { 0, "propose", OPT_FLAG, &s.propose, NULL,
          "of a table: print a file for --columns, to be edited; --columns as the last word means "
          "the same",
          0, 0 },
        OPT_FORM(cli),
        OPT_THREADS(cli),
        OPT_JSON(cli),
        OPT_QUIET(cli),
        OPT_END
    };
    const struct operand operands[] = { { "FILE", &s.path, false, OPT_DATA }, OPERANDS_END };
    const struct tables tables[] = { { "data", NULL, NULL, HIDDEN }, TABLES_END };
    char word[] = "--propose";
    int rc;

    if (cli->argc > 0 && strcmp(cli->argv[cli->argc - 1], "--columns") == 0)
        cli->argv[cli->argc - 1] = word;
    if (!cli_parse(cli, opts, operands, tables)) return cli->rc;
    rc = inspect_either(&s);
    free(s.list);
    free(s.supports.list);
    circuit_free(&s.circuit);
    perc_model_free(s.model);
    return rc;
}
