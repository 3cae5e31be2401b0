/* inspect_layers.c -- the layers of a network. They are numbered from 0, as in its file. */
#include "cli/inspect.h"

#include <math.h>

#include "show/about.h"
#include "show/word.h"

static uint64_t weights_of(const perc_layer *layer)
{
    return (layer->inputs + (layer->has_offset != 0)) * layer->outputs;
}

double inspect_feature(const perc_model *m, uint64_t j)
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

void inspect_layers(struct facts *f, const perc_model *m)
{
    perc_model_info info;
    perc_layer layer;
    uint64_t all = 0;
    char buf[WORD];

    perc_model_info_get(m, &info);
    for (size_t i = 0; perc_model_layer(m, i, &layer); i++) all += weights_of(&layer);
    facts_string(f, "optimizer", "optimizer", perc_model_option(m, "optimizer"));
    facts_more(f, "%s, %s steps", perc_model_option(m, "optimizer"),
               word_count(buf, (uint64_t)info.updates));
    facts_int(f, "steps", NULL, info.updates);
    about_network(f, m, "learned_numbers", all);
    facts_table(f, "layers", "");
    for (size_t i = 0; perc_model_layer(m, i, &layer); i++) {
        facts_row(f);
        facts_count(f, NULL, "layer", i);
        facts_count(f, "inputs", "inputs", layer.inputs);
        facts_count(f, "neurons", "neurons", layer.outputs);
        facts_string(f, "activation", "activation", layer.activation);
        if (layer.activation[0] == '\0') facts_say(f, "(output)");
        facts_count(f, "learned_numbers", "weights", weights_of(&layer));
        facts_real(f, "norm", "|w|", layer.norm);
        facts_end(f);
    }
    facts_end(f);
}
