/* t_line.h -- models that are taught lines, lines to teach, and a measure of what was
 * learned. */
#ifndef PERC_TEST_LINE_H
#define PERC_TEST_LINE_H

#include "machine/machine_kernel.h"
#include "machine/machine_mlp.h"
#include "model/model.h"
#include "t.h"
#include "t_dir.h"
#include "t_make.h"

static inline perc_model *untaught(const char *options, const char *data)
{
    perc_params *p = t_params("perceptron", options), *d = t_params("data", data);
    perc_error err = { 0 };
    perc_model *m;

    if (perc_model_new(NULL, p, &m, &err) || perc_learn_begin(m, d, &err))
        fail_msg("%s, %s: %s", options, data, err.text);
    perc_params_free(p);
    perc_params_free(d);
    return m;
}

static inline perc_reply show(perc_model *m, const char *line)
{
    perc_reply r;
    perc_error err = { 0 };

    if (perc_learn_line(m, line, strlen(line), &r, &err)) fail_msg("'%s': %s", line, err.text);
    return r;
}

/* Shows every line of a file; the number of mistakes. */
static inline int64_t show_file(perc_model *m, const char *path)
{
    char line[4096];
    FILE *f = fopen(path, "rb");
    int64_t mistakes = 0;

    assert_non_null(f);
    while (fgets(line, sizeof line, f) != NULL) mistakes += show(m, line).mistake;
    fclose(f);
    return mistakes;
}

static inline void digest(uint64_t *h, const void *p, size_t n)
{
    const unsigned char *s = p;

    for (size_t i = 0; i < n; i++) *h = (*h ^ s[i]) * UINT64_C(0x100000001b3);
}

static inline void digest_linear(uint64_t *h, const struct linear *m)
{
    digest(h, &m->dims, sizeof m->dims);
    digest(h, &m->vectors, sizeof m->vectors);
    for (uint64_t j = 0; j < m->dims; j++) /* room beyond the vectors may differ */
        digest(h, m->w + j * m->stride, m->vectors * sizeof *m->w);
    digest(h, m->b, m->vectors * sizeof *m->b);
}

/* What the model has learned, as a number: there are more models here than a disk likes. */
static inline uint64_t digest_of(const perc_model *m)
{
    const struct learner *l = &m->learner;
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    digest_linear(&h, &l->machine->last);
    if (l->rule->keep == KEEP_AVERAGE) digest_linear(&h, &l->machine->sum);
    for (size_t k = 0; k < machine_updates(l->machine); k++) {
        const struct vote *v = &machine_votes_of(l->machine)->vote[k];
        digest(&h, &v->step, sizeof v->step);
        digest(&h, &v->at, sizeof v->at);
        digest(&h, (const uint32_t[]){ v->row, v->up, v->down }, 12);
    }
    for (size_t i = 0; i < l->labels.n; i++)
        digest(&h, l->labels.at[i].text, strlen(l->labels.at[i].text) + 1);
    const struct progress *g = &l->progress;
    digest(&h, (const int64_t[]){ l->shown, g->examples, g->mistakes, g->updates }, 32);
    digest(&h, &m->index_base, sizeof m->index_base);
    digest(&h, &m->map.inputs, sizeof m->map.inputs);
    return h;
}

/* ----- data -------------------------------------------------------------------------- */

static inline unsigned next(unsigned *state, unsigned below)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}

/* Rows of `labels` classes; features appear on the way, and the last is met as 0. */
static inline void write_svm(const char *path, int rows, const char *const *label, unsigned labels,
                             int base, unsigned seed)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    for (int i = 0; i < rows; i++) {
        fprintf(f, "%s", label[next(&seed, labels)]);
        for (int j = base; j < 6 + i / 4; j++)
            if (next(&seed, 3) == 0)
                fprintf(f, " %d:%s%u.%06u", j, next(&seed, 2) ? "-" : "", next(&seed, 3),
                        next(&seed, 1000000));
        if (i == rows - 1) fprintf(f, " %d:0", 40 + rows);
        fputs(i % 5 ? "\n" : "\r\n", f);
    }
    assert_int_equal(fclose(f), 0);
}

/* Rows of classes a, b, c, ... round three centres, some in the wrong place. */
struct centres {
    int rows, cols;
    int base; /* the number of the first column */
    unsigned labels;
    unsigned kept, of; /* so many of so many entries are there; of = 0: all, without a draw */
    bool zeros;        /* the others are written as 0 */
};

static inline void write_centres(const char *path, const struct centres *all, unsigned seed)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    for (int i = 0; i < all->rows; i++) {
        const unsigned c = next(&seed, all->labels);
        fprintf(f, "%c", 'a' + (int)c);
        for (int j = 0; j < all->cols; j++) {
            const unsigned r = next(&seed, 1000000);
            const double v = ((j + (int)c) % 3 == 0 ? 0.8 : -0.2) + (r / 1e6 - 0.5) * 1.7;
            const bool there = all->of == 0 || next(&seed, all->of) < all->kept;
            if (there) fprintf(f, " %d:%.6g", j + all->base, v);
            else if (all->zeros) fprintf(f, " %d:0", j + all->base);
        }
        fputc('\n', f);
    }
    assert_int_equal(fclose(f), 0);
}

static const char *const words[] = { "yes", "no", "10", "9", "maybe" };

/* ----- tables ------------------------------------------------------------------------ */

/* A model of a table, which is given as text. */
static inline perc_model *table_model(const char *table, const char *data, const char *options)
{
    assert_int_equal(t_put("table", table), 0);
    perc_dataset *ds = t_read("table", data);
    perc_model *m = t_fit(ds, options, NULL);

    perc_dataset_free(ds);
    return m;
}

static const char small_table[] = "a,colour,b,label\n1,red,2,no\n3,blue,-1,yes\n2,red,0,no\n";

/* What a pass counts and a lesson does not; and no further labels come. */
static inline void end_pass(perc_model *m, const perc_model *whole)
{
    const struct progress *a = &m->learner.progress, *b = &whole->learner.progress;

    assert_int_equal(a->examples, b->examples);
    assert_int_equal(a->mistakes, b->mistakes);
    assert_int_equal(a->updates, b->updates);
    m->learner.progress = *b;
    m->rows = whole->rows;
    learner_seal(&m->learner);
    assert_int_equal(perc_model_refresh(m, NULL), PERC_OK);
}

#endif
