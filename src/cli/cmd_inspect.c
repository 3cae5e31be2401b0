/* cmd_inspect.c -- perceptron inspect: what is in a model, and which features
 * pull hardest.
 *
 * Weights are sorted by |w|, largest first, ties by the number of the feature.
 * They are the machine's own: with a scaling they belong to the scaled features,
 * which is what makes their sizes comparable. */
#include "cli/cli.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/grid.h"
#include "show/word.h"

struct weight {
    double w;
    uint64_t j;
};

/* For qsort: |w| falling, then j rising. NaN cannot occur in a model file. */
static int by_size(const void *a, const void *b)
{
    const struct weight *p = a, *q = b;
    const double x = fabs(p->w), y = fabs(q->w);

    if (x != y)
        return x < y ? 1 : -1;
    return p->j < q->j ? -1 : p->j > q->j;
}

/* The weights that are not zero, sorted; NULL when memory is out. */
static struct weight *sorted_weights(const perc_model *m, uint64_t features, uint64_t *count)
{
    const double *w = perc_model_weights(m);
    uint64_t n = 0;

    for (uint64_t j = 0; j < features; j++)
        n += w[j] != 0;
    struct weight *list = calloc(n + 1, sizeof *list);
    if (list == NULL)
        return NULL;
    *count = 0;
    for (uint64_t j = 0; j < features; j++)
        if (w[j] != 0)
            list[(*count)++] = (struct weight){ w[j], j };
    qsort(list, n, sizeof *list, by_size);
    return list;
}

/* The feature's name, or its index as the data file counts. */
static const char *feature_name(const perc_model *m, const perc_model_info *info, uint64_t j,
                                char buf[WORD])
{
    const char *name = perc_model_feature(m, j);

    if (name != NULL)
        return name;
    snprintf(buf, WORD, "%llu", (unsigned long long)(j + (uint64_t)info->index_base));
    return buf;
}

static void print_weights(const struct cli *cli, const perc_model *m, const perc_model_info *info,
                          const struct weight *list, uint64_t shown)
{
    /* Names to the left, numbers to the right, so that sizes can be compared. */
    struct grid *g = grid_new(&cli->env, "lr");
    char name[WORD], value[WORD];

    grid_cell(g, "feature");
    grid_cell(g, "weight");
    for (uint64_t i = 0; i < shown; i++) {
        grid_cell(g, feature_name(m, info, list[i].j, name));
        grid_cell(g, word_num(value, list[i].w));
    }
    out_text(cli->out, "\n");
    grid_print(g, cli->out, 0);
    grid_free(g);
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

        if (value == NULL || strcmp(value, initial) == 0)
            continue;
        out_fmt(o, " %s=", rows[i].name);
        out_text(o, value);
        any = true;
    }
    out_text(o, any ? "\n" : " all at their defaults\n");
}

/* How it was made first, then what it is, then the weights: the reader of a model
 * asks whether to trust it before asking what it says. */
static void print_text(const struct cli *cli, const char *path, const perc_model *m,
                       const perc_model_info *info, const struct weight *list, uint64_t count,
                       uint64_t shown)
{
    struct out *o = cli->out;
    char buf[2][WORD];

    cli_fact(o, "model", "%s", path);
    cli_fact(o, "machine", "%s", info->machine);
    cli_fact(o, "algorithm", "%s", info->algorithm);
    print_options(o, m, info->algorithm);
    cli_fact(o, "labels", "+1 is %s, -1 is %s", cli_label(info, true), cli_label(info, false));
    cli_fact(o, "scale", "%s", info->scale);
    cli_fact(o, "end", "%s", perc_stop_text(info->stop));
    cli_fact(o, "passes", "%s", word_count(buf[0], (uint64_t)info->epochs));
    cli_fact(o, "mistakes", "%s", word_count(buf[0], (uint64_t)info->mistakes));
    cli_fact(o, "updates", "%s", word_count(buf[0], (uint64_t)info->updates));
    cli_fact(o, "features", "%s (%s with a weight)", word_count(buf[0], info->features),
             word_count(buf[1], count));
    if (info->has_offset)
        cli_fact(o, "offset b", "%s", word_num(buf[0], info->offset));
    else
        cli_fact(o, "offset b", "none");
    cli_fact(o, "|w|", "%s", word_num(buf[0], cli_norm(m)));
    if (shown > 0)
        print_weights(cli, m, info, list, shown);
    if (shown < count)
        out_fmt(o, "... and %s more (--all shows them)\n", word_count(buf[0], count - shown));
}

/* The same for programs. Weights are a list, not an object: names may repeat. */
static void print_json(const struct cli *cli, const char *path, const perc_model *m,
                       const perc_model_info *info, const struct weight *list, uint64_t count,
                       uint64_t shown)
{
    struct out *o = cli->out;
    char name[WORD];

    out_begin(o, '{');
    out_key_string(o, "command", "inspect");
    out_key_string(o, "model", path);
    out_key_string(o, "machine", info->machine);
    cli_options_json(o, m);
    out_key_string(o, "positive", cli_label(info, true));
    out_key_string(o, "negative", cli_label(info, false));
    out_key_string(o, "scale", info->scale);
    out_key_bool(o, "converged", info->stop == PERC_STOP_CONVERGED);
    out_key_string(o, "stop", perc_stop_text(info->stop));
    out_key_int(o, "epochs", info->epochs);
    out_key_int(o, "examples", info->examples);
    out_key_int(o, "mistakes", info->mistakes);
    out_key_int(o, "updates", info->updates);
    out_key_int(o, "features", (int64_t)info->features);
    out_key_int(o, "index_base", info->index_base);
    out_key_int(o, "nonzero", (int64_t)count);
    out_key_bool(o, "has_offset", info->has_offset != 0);
    out_key_real(o, "offset", info->offset);
    out_key_real(o, "norm", cli_norm(m));
    out_key(o, "weights");
    out_begin(o, '[');
    for (uint64_t i = 0; i < shown; i++) {
        out_begin(o, '{');
        out_key_string(o, "feature", feature_name(m, info, list[i].j, name));
        out_key_real(o, "weight", list[i].w);
        out_end(o, '}');
    }
    out_end(o, ']');
    out_end(o, '}');
    out_text(o, "\n");
}

int cmd_inspect(struct cli *cli)
{
    const char *path = NULL;
    int64_t top = 20;
    int all = 0;
    const struct opt opts[] = {
        { 0, "top", OPT_INT, &top, "N", "show the N largest weights [20]", 0, INT64_MAX },
        { 0, "all", OPT_FLAG, &all, NULL, "show every weight that is not zero", 0, 0 },
        OPT_THREADS(cli), OPT_JSON(cli), OPT_END
    };
    const struct operand operands[] = { { "MODEL", &path, false }, OPERANDS_END };
    perc_model *m = NULL;
    perc_model_info info;
    perc_error err = { 0 };
    uint64_t count = 0;
    int rc = EXIT_DONE;

    if (!cli_parse(cli, opts, operands, NULL))
        return cli->rc;
    if (perc_model_read(&cli->env, path, &m, &err))
        return cli_fail(cli, path, &err);
    perc_model_info_get(m, &info);
    struct weight *list = sorted_weights(m, info.features, &count);
    const uint64_t shown = all || (uint64_t)top > count ? count : (uint64_t)top;

    if (list == NULL)
        rc = cli_memory(cli);
    else if (cli->json)
        print_json(cli, path, m, &info, list, count, shown);
    else
        print_text(cli, path, m, &info, list, count, shown);
    free(list);
    perc_model_free(m);
    return rc;
}
