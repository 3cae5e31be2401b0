/* test_classes.c -- classes by the hundred, each met for the first time with a row of its own.
 *
 * From LINEAR_FEW classes on a new one stands behind the others in memory, whatever its number
 * (machine/linear.h): nobody outside may see that. And the memory that learning asks for, piece by
 * piece, is in proportion to the weights that it ends with. */
#include "machine/linear.h"
#include "t.h"
#include "t_alloc.h"
#include "t_dir.h"
#include "t_make.h"
#include "vec/rng.h"

enum { CLASSES = 96, ROWS = 240, COLUMNS = 7 };

static const char *const learner[] = {
    "algorithm=perceptron rate=0.3",
    "algorithm=averaged",
    "algorithm=averaged rule=arow",
    "algorithm=voted",
    "algorithm=arow",
    "algorithm=second-order",
    "algorithm=perceptron multiclass=native",
    "algorithm=averaged multiclass=native",
    "algorithm=voted multiclass=native",
    "algorithm=arow multiclass=native",
    "algorithm=second-order multiclass=native",
};

/* Labels that come in no order. */
static struct t_data shuffled(void)
{
    struct t_data d = t_noise(ROWS, COLUMNS, T_REAL, 0.7, 5);

    for (size_t i = 0; i < ROWS; i++) d.y[i] = (double)((i * 53 + i / CLASSES) % CLASSES);
    d.x[COLUMNS - 1] = 1;
    return d;
}

static void learn_rows(perc_model *m, const struct t_data *d, size_t from, size_t to)
{
    char label[16];
    perc_error err = { 0 };

    for (size_t i = from; i < to; i++) {
        const perc_example x = { NULL, d->x + i * COLUMNS, COLUMNS };
        snprintf(label, sizeof label, "%d", (int)d->y[i]);
        if (perc_learn(m, &x, label, 1, NULL, &err)) fail_msg("%s", err.text);
    }
}

/* A file has the classes in order; who goes on from there has them so in memory too. */
TEST(where_a_class_stands_in_memory_is_not_seen)
{
    struct t_data d = shuffled();
    perc_dataset *ds = t_borrow(&d);

    for (size_t k = 0; k < COUNT(learner); k++) {
        perc_model *m = t_untaught(learner[k]), *often = t_untaught(learner[k]);
        perc_error err = { 0 };
        for (size_t i = 0; i < ROWS; i += 20) {
            learn_rows(m, &d, i, i + 20);
            learn_rows(often, &d, i, i + 20);
            if (perc_model_write(often, "often", &err)) fail_msg("%s", err.text);
            perc_model_free(often);
            if (perc_model_read(NULL, "often", &often, &err)) fail_msg("%s", err.text);
        }
        assert_string_equal(perc_model_label(m, 10), "10");
        if (perc_model_refresh(m, &err)) fail_msg("%s", err.text);
        t_assert_same_machine(m, often);
        t_assert_same_scores(m, often, ds);
        t_assert_same_file(m, often);
        perc_model_free(m);
        perc_model_free(often);
    }
    t_free(ds, &d);
}

/* One class against the rest is so many runs of two, in which there is nothing to move. */
TEST(each_of_many_classes_is_a_run_of_two)
{
    struct t_data d = shuffled();
    perc_dataset *ds = t_borrow(&d);

    for (size_t k = 0; k < 6; k++) {
        char how[128];
        snprintf(how, sizeof how, "%s epochs=2", learner[k]);
        perc_model *all = t_fit(ds, how, NULL);
        for (size_t c = 0; c < CLASSES; c += 5) {
            snprintf(how, sizeof how, "%s epochs=2 positive=%d", learner[k], (int)c);
            perc_model *one = t_fit(ds, how, NULL);
            for (uint64_t j = 0; j < COLUMNS; j++)
                assert_true(
                    t_same_bits(perc_model_weight(all, j, c), perc_model_weight(one, j, 0)));
            assert_true(t_same_bits(perc_model_offset(all, c), perc_model_offset(one, 0)));
            perc_model_free(one);
        }
        perc_model_free(all);
    }
    t_free(ds, &d);
}

/* What an observer sees of the weights is in order, too. */
struct watched {
    double *w, *b;
    size_t events;
};

static int keep_weights(void *ud, const perc_event *e)
{
    struct watched *s = ud;

    if (e->row < 0 || e->vectors < CLASSES) return 0;
    s->events++;
    for (size_t c = 0; c < CLASSES; c++) {
        for (size_t j = 0; j < COLUMNS; j++) s->w[c * COLUMNS + j] = e->w[j * e->stride + c];
        s->b[c] = e->b[c];
        assert_true(t_same_bits(e->b[c], 0.5 * e->b_units[c]));
        assert_true(t_same_bits(e->w[c], 0.5 * e->w_units[c]));
    }
    return 0;
}

TEST(observers_see_the_weights_in_order)
{
    static double w[CLASSES * COLUMNS], b[CLASSES];
    struct watched seen = { w, b, 0 };
    const perc_observer observer = { .notify = keep_weights,
                                     .ud = &seen,
                                     .level = PERC_WATCH_WEIGHTS };
    struct t_data d = shuffled();
    perc_dataset *ds = t_borrow(&d);
    perc_params *p = t_params("perceptron", "rate=0.5 epochs=2");
    perc_model *m;
    perc_error err = { 0 };

    if (perc_fit(NULL, ds, p, &observer, &m, NULL, &err)) fail_msg("%s", err.text);
    assert_true(seen.events > 100);
    for (size_t c = 0; c < CLASSES; c++) {
        for (uint64_t j = 0; j < COLUMNS; j++)
            assert_true(t_same_bits(w[c * COLUMNS + j], perc_model_weight(m, j, c)));
        assert_true(t_same_bits(b[c], perc_model_offset(m, c)));
    }
    t_free(m, p, ds, &d);
}

/* ----- what growing costs ------------------------------------------------------------------ */

static atomic_llong asked; /* bytes, by all requests together */

static void *count_bytes(void *ud, void *p, size_t old, size_t size)
{
    atomic_fetch_add(&asked, (long long)size);
    return t_alloc(ud, p, old, size);
}

/* Row i has label and column of its own, the last of both first, then in turn from both ends. */
static uint32_t number_of(uint32_t i, uint32_t n)
{
    return i % 2 == 0 ? n - 1 - i / 2 : i / 2;
}

static perc_status learn_numbers(perc_model *m, uint32_t n)
{
    perc_status st = PERC_OK;
    char label[16];

    for (uint32_t i = 0; i < n && !st; i++) {
        const uint32_t column = number_of(i, n);
        const perc_example x = { &column, (double[]){ 1 }, 1 };
        snprintf(label, sizeof label, "k%05u", column);
        st = perc_learn(m, &x, label, 1, NULL, NULL);
    }
    return st;
}

/* Bytes asked for by n classes and n columns, learned from one row each. */
static long long bytes_for(uint32_t n, const char *how, bool stream)
{
    struct t_alloc a;
    const perc_env env = { .alloc = count_bytes, .alloc_ud = &a, .threads = 1 };
    char name[128], *rest;
    perc_model *m = NULL;
    perc_status st;

    t_alloc_reset(&a, -1, false);
    snprintf(name, sizeof name, "%s", how);
    rest = strchr(name, ' ');
    *rest++ = '\0';
    perc_params *p = t_params(strchr(name, '=') + 1, rest);
    if (stream) {
        FILE *f = fopen("rows", "w");
        assert_non_null(f);
        for (uint32_t i = 0; i < n; i++)
            fprintf(f, "k%05u %u:1\n", number_of(i, n), number_of(i, n) + 1);
        assert_int_equal(fclose(f), 0);
        perc_params *data = t_params("data", "format=libsvm index=1");
        asked = 0;
        st = perc_fit_stream(&env, "rows", data, p, NULL, &m, NULL, NULL);
        perc_params_free(data);
    } else {
        asked = 0;
        st = perc_model_new(&env, p, &m, NULL);
        if (!st) st = learn_numbers(m, n);
    }
    assert_int_equal(st, PERC_OK);
    const long long bytes = asked;
    t_free(m, p);
    t_alloc_holds(&a, 0);
    return bytes;
}

/* Four times the weights may take four times the memory and a little more, not eight or sixteen
 * times: nothing that is as large as all weights, or as all labels, is made for each class. */
TEST(memory_asked_for_is_in_proportion_to_the_weights)
{
    for (size_t k = 0; k < COUNT(learner); k++) {
        const bool native = strstr(learner[k], "native") != NULL;
        char how[128];
        snprintf(how, sizeof how, "%s seed=1%s", learner[k], native ? " classes=seen" : "");
        for (int stream = 0; stream < 2; stream++) {
            if (stream) strcat(how, " epochs=1 order=file");
            const long long few = bytes_for(250, how, stream), many = bytes_for(500, how, stream);
            if (many > 5 * few) fail_msg("%s: %lld bytes, then %lld", how, few, many);
            if (many > 60LL * 500 * 500 * (long long)sizeof(double))
                fail_msg("%s: %lld bytes", how, many);
        }
    }
}

/* Weights that are there stay where they are. */
TEST(a_new_vector_moves_no_weights)
{
    const struct env e = env_resolve(NULL);
    struct linear m;
    enum { N = LINEAR_FEW + 9, DIMS = 3 };

    assert_int_equal(linear_init(&m, &e, 1, true), PERC_OK);
    assert_true(!linear_reserve(&m, N) && !linear_grow(&m, DIMS));
    m.vectors = 0;
    for (size_t n = 0; n < N; n++) {
        double before[DIMS * 2 * N], b[2 * N];
        assert_true(m.stride <= 2 * N);
        memcpy(before, m.w, DIMS * m.stride * sizeof *before);
        memcpy(b, m.b, m.stride * sizeof *b);
        linear_insert(&m, n / 2);
        if (n >= LINEAR_FEW) {
            assert_memory_equal(m.w, before, DIMS * m.stride * sizeof *before);
            assert_memory_equal(m.b, b, m.stride * sizeof *b);
        }
        m.b[linear_at(&m, n / 2)] = (double)n + 1;
        for (size_t j = 0; j < DIMS; j++) m.w[j * m.stride + linear_at(&m, n / 2)] = (double)n + 1;
    }
    double seen[N] = { 0 };
    for (size_t c = 0; c < N; c++) seen[(size_t)m.b[linear_at(&m, c)] - 1]++;
    for (size_t c = 0; c < N; c++) assert_true(seen[c] == 1);
    assert_true(m.b[linear_at(&m, 0)] == 2); /* the second pushed the first aside */
    linear_free(&m);
}
