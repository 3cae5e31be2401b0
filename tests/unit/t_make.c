/* t_make.c -- see t_make.h. Files are written with stdio and numbers drawn with
 * vec/rng.h, which has tests of its own. */
#include "t_make.h"
#include "t.h"

#include <inttypes.h>

#include "model/model.h"
#include "vec/rng.h"

static void *make(size_t n, size_t size)
{
    void *p = calloc(n > 0 ? n : 1, size);

    assert_non_null(p);
    return p;
}

/* ----- data as a matrix ----------------------------------------------------------- */

struct t_data t_data_new(size_t rows, size_t cols)
{
    struct t_data d = { rows, cols, make(rows * cols, sizeof(double)), make(rows, sizeof(double)),
                        NULL };

    for (size_t i = 0; i < rows; i++) d.y[i] = 1;
    return d;
}

struct t_data t_copy(const struct t_data *d)
{
    struct t_data c = t_data_new(d->rows, d->cols);

    memcpy(c.x, d->x, d->rows * d->cols * sizeof *c.x);
    memcpy(c.y, d->y, d->rows * sizeof *c.y);
    if (d->weight != NULL) {
        c.weight = make(d->rows, sizeof *c.weight);
        memcpy(c.weight, d->weight, d->rows * sizeof *c.weight);
    }
    return c;
}

void t_data_free(struct t_data *d)
{
    free(d->x);
    free(d->y);
    free(d->weight);
    *d = (struct t_data){ 0 };
}

static double draw(struct rng *r, enum t_kind kind)
{
    if (kind == T_WHOLE) return (double)rng_below(r, 19) - 9;
    return 2 * rng_uniform(r) - 1;
}

struct t_data t_noise(size_t rows, size_t cols, enum t_kind kind, double density, uint64_t seed)
{
    struct t_data d = t_data_new(rows, cols);
    struct rng r = rng_seed(seed, 1);

    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < cols; j++)
            if (rng_uniform(&r) < density) d.x[i * cols + j] = draw(&r, kind);
        d.y[i] = rng_below(&r, 2) ? 1 : -1;
    }
    d.y[rows - 1] = -d.y[0]; /* both labels */
    return d;
}

struct t_data t_planted(size_t rows, size_t cols, const double *u, double b, double gap,
                        uint64_t seed)
{
    struct t_data d = t_data_new(rows, cols);
    struct rng r = rng_seed(seed, 2);
    double length2 = 0;
    size_t i = 0;
    int tries = 0;

    for (size_t j = 0; j < cols; j++) length2 += u[j] * u[j];
    while (i < rows) { /* the last row must differ from the first */
        double s = b;
        assert_true(tries++ < 1000000);
        for (size_t j = 0; j < cols; j++) {
            /* around the point of the hyperplane nearest to the origin */
            d.x[i * cols + j] = 2 * draw(&r, T_REAL) - b * u[j] / length2;
            s += u[j] * d.x[i * cols + j];
        }
        d.y[i] = s > 0 ? 1 : -1;
        if (s * s < gap * gap * length2) continue;
        if (i == rows - 1 && rows > 1 && d.y[i] == d.y[0]) continue;
        i++;
    }
    return d;
}

void t_weigh(struct t_data *d, uint64_t seed)
{
    static const double weights[] = { 0.25, 0.5, 1, 2, 3 };
    struct rng r = rng_seed(seed, 3);

    if (d->weight == NULL) d->weight = make(d->rows, sizeof *d->weight);
    for (size_t i = 0; i < d->rows; i++) d->weight[i] = weights[rng_below(&r, 5)];
}

/* ----- in the forms the library takes ------------------------------------------------ */

perc_dataset *t_borrow(const struct t_data *d)
{
    const perc_dense x = {
        d->x, PERC_F64, d->rows, d->cols, (ptrdiff_t)(d->cols * sizeof(double)), sizeof(double)
    };
    perc_error err = { 0 };
    perc_dataset *ds;

    if (perc_dataset_borrow_dense(NULL, &x, d->y, d->weight, &ds, &err)) fail_msg("%s", err.text);
    return ds;
}

struct t_csr t_csr_new(const struct t_data *d)
{
    const size_t most = d->rows * d->cols;
    struct t_csr c = { make(most, sizeof *c.value), make(most, sizeof *c.index32),
                       make(d->rows + 1, sizeof *c.start32), make(most, sizeof *c.index64),
                       make(d->rows + 1, sizeof *c.start64) };
    size_t n = 0;

    for (size_t i = 0; i < d->rows; i++) {
        for (size_t j = 0; j < d->cols; j++) {
            if (d->x[i * d->cols + j] == 0) continue;
            c.value[n] = d->x[i * d->cols + j];
            c.index32[n] = (int32_t)j;
            c.index64[n++] = (int64_t)j;
        }
        c.start32[i + 1] = (int32_t)n;
        c.start64[i + 1] = (int64_t)n;
    }
    return c;
}

void t_csr_free(struct t_csr *c)
{
    free(c->value);
    free(c->index32);
    free(c->start32);
    free(c->index64);
    free(c->start64);
    *c = (struct t_csr){ 0 };
}

perc_dataset *t_borrow_csr(const struct t_data *d, const struct t_csr *c, perc_number index,
                           perc_number start)
{
    const perc_csr x = { .values = c->value,
                         .value_type = PERC_F64,
                         .index = index == PERC_I32 ? (const void *)c->index32 : c->index64,
                         .start = start == PERC_I32 ? (const void *)c->start32 : c->start64,
                         .index_type = index,
                         .start_type = start,
                         .rows = d->rows,
                         .columns = d->cols };
    perc_error err = { 0 };
    perc_dataset *ds;

    if (perc_dataset_borrow_csr(NULL, &x, d->y, d->weight, &ds, &err)) fail_msg("%s", err.text);
    return ds;
}

/* As few digits as give the value back: short decimals stay short. */
static void put(FILE *f, double v)
{
    char text[40];

    snprintf(text, sizeof text, "%.15g", v);
    if (strtod(text, NULL) != v) snprintf(text, sizeof text, "%.17g", v);
    fputs(text, f);
}

void t_write(const struct t_data *d, const char *path, int base, bool zeros, const char *negative,
             const char *positive)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    for (size_t i = 0; i < d->rows; i++) {
        fputs(d->y[i] > 0 ? positive : negative, f);
        for (size_t j = 0; j < d->cols; j++) {
            const double v = d->x[i * d->cols + j];
            if (v == 0 && !zeros) continue;
            fprintf(f, " %zu:", j + (size_t)base);
            put(f, v);
        }
        fputc('\n', f);
    }
    assert_int_equal(fclose(f), 0);
}

void t_write_csv(const struct t_data *d, const char *path, const char *negative,
                 const char *positive)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    for (size_t j = 0; j < d->cols; j++) fprintf(f, "f%zu,", j);
    fputs(d->weight != NULL ? "weight,label\n" : "label\n", f);
    for (size_t i = 0; i < d->rows; i++) {
        for (size_t j = 0; j < d->cols; j++) {
            put(f, d->x[i * d->cols + j]);
            fputc(',', f);
        }
        if (d->weight != NULL) fprintf(f, "%.17g,", d->weight[i]);
        fprintf(f, "%s\n", d->y[i] > 0 ? positive : negative);
    }
    assert_int_equal(fclose(f), 0);
}

/* ----- parameters, data sets, models ---------------------------------------------------- */

perc_params *t_params(const char *table, const char *options)
{
    perc_error err = { 0 };
    perc_params *p;
    char name[32], value[256];
    int used;

    if (strcmp(table, "data") != 0 && sscanf(options, "algorithm=%31s%n", name, &used) == 1) {
        table = name;
        options += used;
    }
    if (perc_params_new(NULL, table, &p, &err)) fail_msg("%s: %s", table, err.text);
    while (sscanf(options, " %31[^= ]=%255[^ ]%n", name, value, &used) == 2) {
        if (perc_params_set(p, name, value, &err)) fail_msg("%s=%s: %s", name, value, err.text);
        options += used;
    }
    if (options[strspn(options, " ")] != '\0') fail_msg("options not understood: %s", options);
    return p;
}

perc_params *t_option(const char *table, const char *name, const char *value)
{
    perc_params *p = t_params(table, "");
    perc_error err = { 0 };

    if (name != NULL && perc_params_set(p, name, value, &err)) fail_msg("%s", err.text);
    return p;
}

perc_dataset *t_read_on(int threads, const char *path, const char *options)
{
    const perc_env env = { .threads = threads };
    perc_params *p = t_params("data", options);
    perc_error err = { 0 };
    perc_dataset *ds;

    if (perc_dataset_read(&env, path, p, &ds, &err)) fail_msg("%s: %s", path, err.text);
    perc_params_free(p);
    return ds;
}

perc_dataset *t_read(const char *path, const char *options)
{
    return t_read_on(0, path, options);
}

static perc_model *fit(int threads, const perc_dataset *ds, const char *options,
                       const perc_observer *o, perc_report *report)
{
    const perc_env env = { .threads = threads };
    perc_params *p = t_params("perceptron", options);
    perc_error err = { 0 };
    perc_model *m;

    if (perc_fit(&env, ds, p, o, &m, report, &err)) fail_msg("%s: %s", options, err.text);
    perc_params_free(p);
    return m;
}

perc_model *t_fit_watched(const perc_dataset *ds, const char *options, const perc_observer *o,
                          perc_report *report)
{
    return fit(0, ds, options, o, report);
}

perc_model *t_fit_on(int threads, const perc_dataset *ds, const char *options, perc_report *report)
{
    return fit(threads, ds, options, NULL, report);
}

perc_model *t_fit(const perc_dataset *ds, const char *options, perc_report *report)
{
    return fit(0, ds, options, NULL, report);
}

int t_cut_at(void *ud, const perc_event *e)
{
    struct t_cut *c = ud;

    if (e->row < 0 && e->b == NULL && !e->pass_ended) return 0; /* some time has passed */
    return ++c->seen == c->at;
}

perc_model *t_fit_rows(const struct t_data *d, const char *options, perc_report *report)
{
    perc_dataset *ds = t_borrow(d);
    perc_model *m = t_fit(ds, options, report);

    perc_dataset_free(ds);
    return m;
}

perc_model *t_untaught(const char *options)
{
    perc_params *p = t_params("perceptron", options);
    perc_error err = { 0 };
    perc_model *m;

    if (perc_model_new(NULL, p, &m, &err)) fail_msg("%s", err.text);
    perc_params_free(p);
    return m;
}

perc_model *t_taught(const struct t_data *d, const char *options)
{
    perc_model *m = t_untaught(options);
    perc_error err = { 0 };

    for (size_t i = 0; i < d->rows; i++) {
        const perc_example x = { NULL, d->x + i * d->cols, d->cols };
        const double weight = d->weight != NULL ? d->weight[i] : 1;
        if (perc_learn(m, &x, t_sign(d->y[i]), weight, NULL, &err)) fail_msg("%s", err.text);
    }
    return m;
}

perc_model *t_through_file(perc_model *m)
{
    perc_error err = { 0 };
    perc_model *back;

    if (perc_model_write(m, "through.safetensors", &err)) fail_msg("%s", err.text);
    if (perc_model_read(NULL, "through.safetensors", &back, &err)) fail_msg("%s", err.text);
    perc_model_free(m);
    return back;
}

perc_model *t_resume(const perc_dataset *ds, const perc_model *from, const char *options,
                     const perc_observer *o, perc_report *report)
{
    perc_params *p = t_params(from->learner.rule->table.name, options);
    perc_error err = { 0 };
    perc_model *m;

    if (perc_fit_resume(NULL, ds, from, p, o, &m, report, &err))
        fail_msg("resume %s: %s", options, err.text);
    perc_params_free(p);
    return m;
}

perc_model *t_stream(const char *path, const char *data, const char *options, perc_report *report)
{
    perc_params *d = t_params("data", data), *p = t_params("perceptron", options);
    perc_error err = { 0 };
    perc_model *m;

    if (perc_fit_stream(NULL, path, d, p, NULL, &m, report, &err))
        fail_msg("stream %s, %s %s: %s", path, data, options, err.text);
    perc_params_free(d);
    perc_params_free(p);
    return m;
}

double t_offset(const perc_model *m)
{
    return perc_model_offset(m, 0);
}

const double *t_weights(const perc_model *m)
{
    const struct linear *l = machine_result(m->learner.machine);

    return l->w + (model_features(m) > 0 ? model_base(m) * l->stride : 0);
}

double t_score(const perc_model *m, const perc_example *x)
{
    perc_error err = { 0 };
    double s[64];

    assert_true(learner_outputs(&m->learner) <= 64);
    if (perc_score(m, x, s, &err)) fail_msg("%s", err.text);
    return s[0];
}

double *t_scores(const perc_model *m, const perc_dataset *ds, size_t *n)
{
    perc_error err = { 0 };
    double *s;

    *n = (size_t)ds->rows * learner_outputs(&m->learner);
    s = make(*n, sizeof *s);
    if (perc_predict(NULL, m, ds, s, &err)) fail_msg("%s", err.text);
    return s;
}

const char *t_sign(double y)
{
    static const char *const text[] = { "-1", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9" };

    assert_true(y >= -1 && y <= 9);
    return text[(int)y + 1];
}

/* ----- sameness ------------------------------------------------------------------------- */

bool t_same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

void t_assert_same_machine(const perc_model *a, const perc_model *b)
{
    perc_model_info ia, ib;

    perc_model_info_get(a, &ia);
    perc_model_info_get(b, &ib);
    assert_int_equal(ia.features, ib.features);
    assert_int_equal(ia.outputs, ib.outputs);
    assert_int_equal(ia.labels, ib.labels);
    for (size_t i = 0; i < ia.labels; i++)
        assert_true(perc_label_same(perc_model_label(a, i), perc_model_label(b, i)));
    for (size_t c = 0; c < ia.outputs; c++) {
        for (uint64_t j = 0; j < ia.features; j++) {
            const double wa = perc_model_weight(a, j, c), wb = perc_model_weight(b, j, c);
            if (!t_same_bits(wa, wb))
                fail_msg("weight %" PRIu64 " of %zu: %.17g and %.17g", j, c, wa, wb);
        }
        if (!t_same_bits(perc_model_offset(a, c), perc_model_offset(b, c)))
            fail_msg("offset of %zu: %.17g and %.17g", c, perc_model_offset(a, c),
                     perc_model_offset(b, c));
    }
    assert_int_equal(ia.examples, ib.examples);
    assert_int_equal(ia.mistakes, ib.mistakes);
    assert_int_equal(ia.updates, ib.updates);
}

void t_assert_same_scores(const perc_model *a, const perc_model *b, const perc_dataset *ds)
{
    size_t n, same;
    double *s = t_scores(a, ds, &n), *t = t_scores(b, ds, &same);

    assert_int_equal(n, same);
    for (size_t i = 0; i < n; i++)
        if (!t_same_bits(s[i], t[i])) fail_msg("score %zu: %.17g, not %.17g", i, t[i], s[i]);
    free(s);
    free(t);
}

struct t_bytes t_slurp(const char *path)
{
    FILE *f = fopen(path, "rb");
    struct t_bytes b;

    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    b.n = (size_t)ftell(f);
    rewind(f);
    b.p = make(b.n, 1);
    assert_int_equal(fread(b.p, 1, b.n, f), b.n);
    fclose(f);
    return b;
}

struct t_bytes t_bytes_of(const perc_model *m)
{
    static const char path[] = "t_bytes.safetensors";
    perc_error err = { 0 };

    if (perc_model_write(m, path, &err)) fail_msg("%s: %s", path, err.text);
    const struct t_bytes b = t_slurp(path);
    remove(path);
    return b;
}

void t_assert_bytes(const struct t_bytes *want, const perc_model *m)
{
    enum { HEAD = 1500 };
    struct t_bytes got = t_bytes_of(m);

    if (want->n != got.n || memcmp(want->p, got.p, got.n) != 0)
        fail_msg("model files differ:\n%.*s\n%.*s", (int)(want->n < HEAD ? want->n : HEAD) - 8,
                 want->p + 8, (int)(got.n < HEAD ? got.n : HEAD) - 8, got.p + 8);
    free(got.p);
}

void t_assert_same_file(const perc_model *a, const perc_model *b)
{
    t_assert_same_machine(a, b); /* first: its messages say more */
    struct t_bytes want = t_bytes_of(a);
    t_assert_bytes(&want, b);
    free(want.p);
}
