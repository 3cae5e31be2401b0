/* plot_model.c -- pictures of a model alone: what it weighs, which rows carry it, and, of two
 * features, what it answers in the plane. There are no data here: the plane is drawn around the
 * zero of the features, as far as the boundary is from it. */
#include "study/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "show/word.h"

enum { BARS = 20, NAME = 96, CELLS = STUDY_CELLS };

struct view {
    struct cli *cli;
    const perc_model *m;
    perc_model_info info;
};

/* A safetensors file begins with the length of its header, eight bytes, the lowest first, and a
 * brace. Text has no bytes of zero; and only a file can be looked at and read again. */
bool plot_is_model(const char *path)
{
    unsigned char head[9];
    struct stat there;

    if (stat(path, &there) != 0 || !S_ISREG(there.st_mode)) return false;
    FILE *f = fopen(path, "rb");
    if (f == NULL) return false;
    const size_t n = fread(head, 1, sizeof head, f);
    fclose(f);
    return n == sizeof head && head[8] == '{' && head[5] == 0 && head[6] == 0 && head[7] == 0;
}

static int colour_of(const struct view *v, const char *label)
{
    for (size_t i = 0; label != NULL && i < v->info.labels; i++)
        if (strcmp(perc_model_label(v->m, i), label) == 0) return (int)i;
    return FIGURE_INK;
}

static void feature_name(const struct view *v, uint64_t j, char name[NAME])
{
    char buf[NAME];
    const char *own = perc_model_feature(v->m, j, buf, sizeof buf);

    if (own != NULL) snprintf(name, NAME, "%s", own);
    else
        snprintf(name, NAME, "x%llu",
                 (unsigned long long)j + (unsigned long long)v->info.index_base);
}

/* ----- weights and counters -------------------------------------------------- */

struct bars {
    size_t n;
    double value[BARS];
    uint64_t what[BARS]; /* feature * outputs + output, or a support */
};

/* Keeps the largest, the largest first, the earlier of equals. */
static void keep(struct bars *b, double value, uint64_t what)
{
    size_t i = b->n;

    if (value == 0 || (i == BARS && fabs(value) <= fabs(b->value[BARS - 1]))) return;
    if (i == BARS) i--;
    else b->n++;
    for (; i > 0 && fabs(b->value[i - 1]) < fabs(value); i--) {
        b->value[i] = b->value[i - 1];
        b->what[i] = b->what[i - 1];
    }
    b->value[i] = value;
    b->what[i] = what;
}

static struct figure *draw_weights(const struct view *v)
{
    const size_t k = v->info.outputs;
    struct bars b = { .n = 0 };
    char name[BARS][2 * NAME];
    const char *label[BARS];
    int colour[BARS];

    for (uint64_t j = 0; j < v->info.features; j++)
        for (size_t c = 0; c < k; c++) keep(&b, perc_model_weight(v->m, j, c), j * k + c);
    if (b.n == 0) return NULL;
    for (size_t i = 0; i < b.n; i++) {
        char own[NAME];
        const char *of = k > 1            ? perc_model_label(v->m, b.what[i] % k)
                         : b.value[i] > 0 ? v->info.positive
                                          : v->info.negative;

        feature_name(v, b.what[i] / k, own);
        snprintf(name[i], sizeof name[i], k > 1 ? "%s: %s" : "%s%s", k > 1 ? of : own,
                 k > 1 ? own : "");
        label[i] = name[i];
        colour[i] = colour_of(v, of);
    }
    struct figure *f = figure_new(&v->cli->env, "weights", "The largest weights");
    figure_about(f,
                 "The %zu largest weights of the model, each in the colour of the label that it "
                 "speaks for.",
                 b.n);
    figure_bars(f, label, b.value, colour, b.n);
    figure_axis(f, FIGURE_X, "weight", NAN, NAN);
    return f;
}

static struct figure *draw_counters(const struct view *v, const perc_support *s, size_t n)
{
    struct bars b = { .n = 0 };
    char name[BARS][NAME];
    const char *label[BARS];
    int colour[BARS];

    for (size_t i = 0; i < n; i++)
        if (s[i].row >= 0) keep(&b, (double)s[i].counter, i);
    if (b.n == 0) return NULL;
    for (size_t i = 0; i < b.n; i++) {
        snprintf(name[i], NAME, "row %lld", (long long)s[b.what[i]].row + 1);
        label[i] = name[i];
        colour[i] = s[b.what[i]].label >= 0 ? (int)s[b.what[i]].label : FIGURE_INK;
    }
    struct figure *f = figure_new(&v->cli->env, "counters", "The rows that carry the machine");
    figure_about(f,
                 "The counters of the support rows, the updates made on each: the largest %zu "
                 "of %zu.",
                 b.n, n);
    figure_bars(f, label, b.value, colour, b.n);
    figure_axis(f, FIGURE_X, "counter", 0, NAN);
    return f;
}

static perc_status look_at_supports(const struct view *v, struct figure **out, perc_error *err)
{
    const size_t n = (size_t)v->info.supports;
    perc_support *s = calloc(n + 1, sizeof *s);
    perc_status st = s == NULL ? PERC_ENOMEM : perc_model_supports(v->m, s, err);

    *out = st == PERC_OK ? draw_counters(v, s, n) : NULL;
    free(s);
    return st;
}

int plot_counters(struct cli *cli, const perc_model *m, struct figure **out)
{
    struct view v = { .cli = cli, .m = m };
    perc_error err = { 0 };
    perc_status st = PERC_OK;

    *out = NULL;
    perc_model_info_get(m, &v.info);
    if (cli_has_kernel(&v.info)) st = look_at_supports(&v, out, &err);
    if (st == PERC_ENOMEM) return cli_memory(cli);
    return st != PERC_OK ? cli_fail(cli, "the model", &err) : EXIT_DONE;
}

/* ----- the plane --------------------------------------------------------------- */

/* How far from zero there is something to see: twice the distance of the line. */
static double reach(const struct view *v)
{
    double most = 0;

    for (size_t c = 0; c < v->info.outputs; c++) {
        const double w1 = perc_model_weight(v->m, 0, c), w2 = perc_model_weight(v->m, 1, c);
        const double far = fabs(perc_model_offset(v->m, c)) / sqrt(w1 * w1 + w2 * w2);

        if (isfinite(far) && far > most) most = far;
    }
    return fmin(fmax(2 * most, 2), 1e100);
}

static perc_status draw_plane(const struct view *v, struct figure **out, perc_error *err)
{
    const double r = reach(v), box[4] = { -r, -r, r, r };
    int *cell = calloc(CELLS * CELLS, sizeof *cell);
    double *scores = calloc(v->info.outputs, sizeof *scores);
    perc_status st = cell == NULL || scores == NULL ? PERC_ENOMEM : PERC_OK;
    char name[NAME];

    for (size_t i = 0; i < CELLS * CELLS && st == PERC_OK; i++) {
        const double x[2] = { r * (2 * ((double)(i % CELLS) + 0.5) / CELLS - 1),
                              r * (2 * ((double)(i / CELLS) + 0.5) / CELLS - 1) };
        st = perc_score(v->m, &(perc_example){ .value = x, .n = 2 }, scores, err);
        if (st == PERC_OK) cell[i] = colour_of(v, perc_answer(v->m, scores));
    }
    if (st == PERC_OK) {
        *out = figure_new(&v->cli->env, "boundary", "What the model answers in the plane");
        figure_about(*out, "The label that the model gives to each point, around the zero of both "
                           "features; there are no data in this picture.");
        figure_regions(*out, cell, CELLS, CELLS, box);
        for (size_t i = 0; i < v->info.labels; i++)
            figure_points(*out, perc_model_label(v->m, i), (int)i, NULL, NULL, 0, NULL, NULL, NULL);
        for (int a = 0; a < 2; a++) {
            feature_name(v, (uint64_t)a, name);
            figure_axis(*out, a == 0 ? FIGURE_X : FIGURE_Y, name, -r, r);
        }
        figure_square(*out);
    }
    free(cell);
    free(scores);
    return st;
}

/* ----- all --------------------------------------------------------------------- */

static perc_status draw_all(const struct view *v, struct figure **list, size_t *n, perc_error *err)
{
    struct figure *f = NULL;
    perc_status st = PERC_OK;

    if (v->info.features == 2 && v->info.labels > 0 && strcmp(v->info.algorithm, "gate") != 0)
        st = draw_plane(v, &f, err);
    if (f != NULL) list[(*n)++] = f;
    if (st == PERC_OK && (f = draw_weights(v)) != NULL) list[(*n)++] = f;
    f = NULL;
    if (st == PERC_OK && cli_has_kernel(&v->info)) st = look_at_supports(v, &f, err);
    if (f != NULL) list[(*n)++] = f;
    return st;
}

int plot_model(struct cli *cli, const char *path, struct figure *list[PICTURES], size_t *n)
{
    struct view v = { .cli = cli };
    perc_model *m;
    perc_error err = { 0 };
    perc_status st;

    *n = 0;
    if (perc_model_read(&cli->env, path, &m, &err)) return cli_fail(cli, path, &err);
    v.m = m;
    perc_model_info_get(m, &v.info);
    st = draw_all(&v, list, n, &err);
    perc_model_free(m);
    if (st == PERC_ENOMEM) return cli_memory(cli);
    return st != PERC_OK ? cli_fail(cli, path, &err) : EXIT_DONE;
}
