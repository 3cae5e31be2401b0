/* inspect_layers.c -- the layers of a network. They are numbered from 0, as in its file. */
#include "cli/inspect.h"

#include <math.h>

#include "show/grid.h"
#include "show/word.h"

static uint64_t weights_of(const perc_layer *layer)
{
    return (layer->inputs + (layer->has_offset != 0)) * layer->outputs;
}

/* Numbers that were learned. */
static uint64_t all_weights(const perc_model *m)
{
    perc_layer layer;
    uint64_t n = 0;

    for (size_t i = 0; perc_model_layer(m, i, &layer); i++) n += weights_of(&layer);
    return n;
}

double layers_feature(const perc_model *m, uint64_t j)
{
    perc_layer layer;
    double sum = 0;

    if (!perc_model_layer(m, 0, &layer)) return 0;
    for (uint64_t k = 0; k < layer.outputs; k++) {
        const double w = perc_model_layer_weight(m, 0, j, k);

        sum += w * w;
    }
    return sqrt(sum);
}

void layers_facts(struct out *o, const perc_model *m)
{
    perc_model_info info;
    char buf[WORD];

    perc_model_info_get(m, &info);
    cli_network_fact(o, m, all_weights(m));
    cli_fact(o, "optimizer", "%s, %s steps", perc_model_option(m, "optimizer"),
             word_count(buf, (uint64_t)info.updates));
}

void layers_table(struct cli *cli, const perc_model *m)
{
    static const char *const head[] = {
        "layer", "inputs", "neurons", "activation", "weights", "|w|"
    };
    struct grid *g = grid_new(&cli->env, "rrrlrr");
    perc_layer layer;
    char buf[WORD];

    for (size_t i = 0; i < sizeof head / sizeof *head; i++) grid_cell(g, head[i]);
    for (size_t i = 0; perc_model_layer(m, i, &layer); i++) {
        grid_fmt(g, "%zu", i);
        grid_cell(g, word_count(buf, layer.inputs));
        grid_cell(g, word_count(buf, layer.outputs));
        grid_cell(g, layer.activation[0] != '\0' ? layer.activation : "(output)");
        grid_cell(g, word_count(buf, weights_of(&layer)));
        grid_cell(g, word_num(buf, layer.norm));
    }
    out_text(cli->out, "\n");
    grid_print(g, cli->out, 0);
    grid_free(g);
}

void layers_json(struct out *o, const perc_model *m)
{
    perc_model_info info;
    perc_layer layer;

    perc_model_info_get(m, &info);
    out_key_string(o, "optimizer", perc_model_option(m, "optimizer"));
    out_key_int(o, "steps", info.updates);
    out_key_int(o, "learned_numbers", (int64_t)all_weights(m));
    out_key(o, "layers");
    out_begin(o, '[');
    for (size_t i = 0; perc_model_layer(m, i, &layer); i++) {
        out_begin(o, '{');
        out_key_int(o, "inputs", (int64_t)layer.inputs);
        out_key_int(o, "neurons", (int64_t)layer.outputs);
        out_key_string(o, "activation", layer.activation);
        out_key_int(o, "learned_numbers", (int64_t)weights_of(&layer));
        out_key_real(o, "norm", layer.norm);
        out_end(o, '}');
    }
    out_end(o, ']');
}
