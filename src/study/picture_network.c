/* picture_network.c -- a multi-layer perceptron as a diagram: its neurons in columns, from the
 * features on the left to the outputs on the right, and a line for each weight, as broad as it is
 * large. Of a wide layer those neurons are drawn from which the largest weights go out. A linear
 * machine of few features is a network of one layer: a neuron for each of its vectors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/about.h"
#include "show/word.h"
#include "study/largest.h"
#include "study/picture_parts.h"

enum {
    COLUMN = 10, /* neurons of a column, at most */
    NAMED = 6,   /* hidden neurons that have room for a name */
    WRITTEN = 8, /* weights between two columns that have room for their numbers */
    NAME = 18
};
static const double most_weights = 5e7; /* to look at */

struct column {
    uint64_t all, node[COLUMN]; /* neurons, and those that are drawn */
    size_t n;
};

struct network {
    const struct study_run *r;
    size_t layers;
    struct column *column; /* layers + 1 */
    double largest;        /* |w| of those that are drawn */
    uint64_t weights;      /* in all, offsets included */
    bool whole;            /* all are drawn */
    enum hyperplane_form form;
};

/* ----- layers, of a network or of a linear machine ------------------------------------------- */

static bool layer_of(const struct study_run *r, size_t i, perc_layer *out)
{
    if (!about_is_linear(&r->info)) return perc_model_layer(r->model, i, out) != 0;
    *out = (perc_layer){ .inputs = r->info.features,
                         .outputs = r->info.outputs,
                         .has_offset = r->info.has_offset };
    return i == 0;
}

static double weight_of(const struct study_run *r, size_t i, uint64_t j, uint64_t k)
{
    return about_is_linear(&r->info) ? perc_model_weight(r->model, j, (size_t)k)
                                     : perc_model_layer_weight(r->model, i, j, k);
}

static double offset_of(const struct study_run *r, size_t i, uint64_t k)
{
    return about_is_linear(&r->info) ? perc_model_offset(r->model, (size_t)k)
                                     : perc_model_layer_offset(r->model, i, k);
}

/* ----- which neurons ---------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

/* Those with the largest weights to the next layer, in their order. */
static void choose_nodes(const struct network *t, size_t i)
{
    struct column *c = &t->column[i];
    struct largest top = { 0 };
    perc_layer next;

    if (c->all <= COLUMN || !layer_of(t->r, i, &next)) {
        c->n = c->all < COLUMN ? (size_t)c->all : COLUMN;
        for (size_t k = 0; k < c->n; k++) c->node[k] = k;
        return;
    }
    for (uint64_t j = 0; j < c->all; j++) {
        double size = 0;

        for (uint64_t k = 0; k < next.outputs; k++)
            size = fmax(size, fabs(weight_of(t->r, i, j, k)));
        largest_keep(&top, size, j);
    }
    c->n = top.n < COLUMN ? top.n : COLUMN;
    memcpy(c->node, top.what, c->n * sizeof *c->node);
    qsort(c->node, c->n, sizeof *c->node, by_number);
}

static double weight_at(const struct network *t, size_t i, size_t j, size_t k)
{
    return weight_of(t->r, i, t->column[i].node[j], t->column[i + 1].node[k]);
}

/* False: out of memory, or too large to look at. */
static bool open_network(struct network *t, const struct study_run *r)
{
    perc_layer layer;
    double weights = 0;

    *t = (struct network){ .r = r, .whole = true };
    for (; layer_of(r, t->layers, &layer); t->layers++)
        weights += (double)(layer.inputs + (layer.has_offset ? 1 : 0)) * (double)layer.outputs;
    t->weights = (uint64_t)weights;
    if (weights > most_weights || (t->column = calloc(t->layers + 1, sizeof *t->column)) == NULL)
        return false;
    for (size_t i = 0; layer_of(r, i, &layer); i++) {
        t->column[i].all = layer.inputs;
        t->column[i + 1].all = layer.outputs;
    }
    for (size_t i = 0; i <= t->layers; i++) {
        choose_nodes(t, i);
        t->whole = t->whole && t->column[i].n == t->column[i].all;
    }
    for (size_t i = 0; i < t->layers; i++)
        for (size_t j = 0; j < t->column[i].n; j++)
            for (size_t k = 0; k < t->column[i + 1].n; k++)
                t->largest = fmax(t->largest, fabs(weight_at(t, i, j, k)));
    return true;
}

/* ----- drawing ------------------------------------------------------------------------------ */

/* Columns stand at x = 0, 1, ..., their neurons spread over -1 < y < 1 from the top. */
static double height_of(const struct column *c, size_t k)
{
    return 1 - (2 * (double)k + 1) / (double)c->n;
}

/* A feature by its name, a hidden neuron as "h2" ("h1.2" of several layers), an output by the
 * label that it speaks for. */
static void node_name(struct figure *f, const struct network *t, size_t i, size_t k,
                      char name[NAME])
{
    const unsigned long long node = t->column[i].node[k];
    char text[2 * WORD];

    if (i == 0) {
        if (study_weight_name(t->r, node, name, NAME) == NULL) figure_fail(f);
        return;
    }
    if (t->layers > 2) snprintf(text, sizeof text, "h%zu.%llu", i, node + 1);
    else snprintf(text, sizeof text, "h%llu", node + 1);
    word_cut(name, NAME,
             i < t->layers             ? text
             : t->r->info.outputs == 1 ? t->r->info.positive
                                       : perc_model_label(t->r->model, (size_t)node));
}

/* Weights that are written out stand in a column of their own for each neuron that they come
 * from, so that they do not lie on each other. */
static void draw_edge(struct figure *f, const struct network *t, size_t i, size_t j, size_t k)
{
    const struct column *a = &t->column[i], *b = &t->column[i + 1];
    const double w = weight_at(t, i, j, k), x[2] = { (double)i, (double)i + 1 };
    const double y[2] = { height_of(a, j), height_of(b, k) };
    char from[NAME], to[NAME], number[WORD], hint[PICTURE_TEXT];

    node_name(f, t, i, j, from);
    node_name(f, t, i + 1, k, to);
    snprintf(hint, sizeof hint, "%s to %s: %s", from, to, word_num(number, w));
    figure_curve(f, w < 0 ? "weight below 0" : "weight above 0", w < 0 ? 1 : 0,
                 w < 0 ? FIGURE_DASHED : FIGURE_SOLID, x, y, 2);
    figure_broad(f, 0.3 + 2.2 * fabs(w) / fmax(t->largest, 1e-300));
    figure_hint(f, hint);
    if (a->n * b->n > WRITTEN) return;
    const double share = 0.15 + 0.6 * ((double)j + 0.5) / (double)a->n;
    snprintf(number, sizeof number, "%.3g", w);
    figure_word(f, x[0] + share, y[0] + share * (y[1] - y[0]), number);
}

/* The names of features stand left of them, those of outputs right, others above. */
static void draw_node(struct figure *f, const struct network *t, size_t i, size_t k)
{
    const struct column *c = &t->column[i];
    const double x = (double)i, y = height_of(c, k), size = c->n > NAMED ? 4 : 8;
    char name[NAME], number[WORD], hint[PICTURE_TEXT], text[PICTURE_TEXT];
    const char *hints = hint, *texts = text;
    perc_layer layer;

    node_name(f, t, i, k, name);
    snprintf(hint, sizeof hint, "%s", name);
    snprintf(text, sizeof text, "%s", name);
    if (i > 0 && layer_of(t->r, i - 1, &layer) && layer.has_offset) {
        const double b = hyperplane_constant(t->form, offset_of(t->r, i - 1, c->node[k]));
        const char *letter = hyperplane_letter(t->form);

        snprintf(hint, sizeof hint, "%s: %s = %s", name, letter, word_num(number, b));
        if (c->n * t->column[i - 1].n <= WRITTEN)
            snprintf(text, sizeof text, "%s, %s = %.3g", name, letter, b);
    }
    const bool beside = i == 0 || i == t->layers;
    figure_points(f, NULL, FIGURE_INK, &x, &y, 1, &size, beside ? &texts : NULL, &hints);
    if (!beside && c->n <= NAMED) figure_word(f, x - 0.12, y + 0.07, text);
}

static void draw_column(struct figure *f, const struct network *t, size_t i)
{
    const struct column *c = &t->column[i];
    char text[PICTURE_TEXT], number[WORD];

    for (size_t k = 0; k < c->n; k++) draw_node(f, t, i, k);
    if (c->n == c->all) return;
    snprintf(text, sizeof text, "and %s more", word_count(number, c->all - c->n));
    figure_word(f, (double)i - 0.2, -1.12, text);
}

struct figure *picture_network(const struct study *s, size_t k)
{
    const struct study_run *r = &s->run[k];
    char shape[PICTURE_TEXT] = "", weights[WORD];
    struct network t;
    perc_layer layer;
    size_t n = 0;

    if (about_is_linear(&r->info)
            ? !study_linear(r) || r->info.features > COLUMN || r->info.outputs > COLUMN
            : !study_network(r))
        return NULL;
    if (!open_network(&t, r)) return (double)t.weights > most_weights ? NULL : figure_lost();
    layer_of(r, 0, &layer);
    for (size_t i = 0; i <= t.layers && n < sizeof shape; i++)
        n += (size_t)snprintf(shape + n, sizeof shape - n, "%s%llu", i > 0 ? "-" : "",
                              (unsigned long long)t.column[i].all);
    t.form = s->q->form;
    word_count(weights, t.weights);
    struct figure *f = about_is_linear(&r->info)
                           ? picture_of(s, k, "network", "As a neuron%s: %s weights",
                                        r->info.outputs > 1 ? " for each label" : "", weights)
                           : picture_of(s, k, "network", "A network of %s, %s: %s weights", shape,
                                        layer.activation, weights);

    figure_about(f,
                 "The neurons in columns, from the features on the left to the output%s on the "
                 "right; each line is a weight, as broad as it is large, dashed where it is below "
                 "0. The largest is %s.%s",
                 r->info.outputs == 1 ? ", which speaks for the positive label," : "s",
                 word_num(weights, t.largest),
                 t.whole ? "" : " Of wide layers the neurons with the largest weights are drawn.");
    figure_bare(f);
    const double room = 0.46 * (double)t.layers; /* for names */
    figure_axis(f, FIGURE_X, NULL, -room, (double)t.layers + room);
    figure_axis(f, FIGURE_Y, NULL, -1.15, 1.15);
    for (size_t i = 0; i < t.layers; i++)
        for (size_t a = 0; a < t.column[i].n; a++)
            for (size_t b = 0; b < t.column[i + 1].n; b++) draw_edge(f, &t, i, a, b);
    for (size_t i = 0; i <= t.layers; i++) draw_column(f, &t, i);
    free(t.column);
    return f;
}
