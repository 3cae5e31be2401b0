/* test_metamorphic.c -- change the input in a way whose effect is known, and see
 * that it is the effect.
 *
 * Nobody has to know the right answer for that, only how two answers are related;
 * so these tests reach data of any size and shape. Relations that reorder a sum
 * are tested on whole numbers, where every order gives the same; all others are
 * tested on reals, to the last bit. */
#include <math.h>

#include "t.h"
#include "t_dir.h"
#include "t_make.h"

static const char *const how[] = {
    /* runs to try a relation with */
    "order=file epochs=7",
    "order=shuffle epochs=7 seed=11",
    "order=shuffle epochs=7 updates=40",
    "order=file epochs=7 offset=false",
};
enum { RUNS = COUNT(how) };

static void same_counts(const perc_report *a, const perc_report *b)
{
    assert_true(a->updates > 10); /* guard: something was learned */
    assert_int_equal(a->stop, b->stop);
    assert_int_equal(a->epochs, b->epochs);
    assert_int_equal(a->examples, b->examples);
    assert_int_equal(a->mistakes, b->mistakes);
    assert_int_equal(a->updates, b->updates);
    assert_int_equal(a->training_errors, b->training_errors);
}

/* ----- the rows changed ----------------------------------------------------------------- */

TEST(permuted_features_have_permuted_weights)
{
    struct t_data d = t_noise(80, 13, T_WHOLE, 0.8, 1), e = t_copy(&d);
    perc_report rd, re;

    for (size_t i = 0; i < d.rows; i++) /* column j goes to 5 j mod 13 */
        for (size_t j = 0; j < 13; j++) e.x[i * 13 + 5 * j % 13] = d.x[i * 13 + j];
    for (int k = 0; k < RUNS; k++) {
        perc_model *a = t_fit_rows(&d, how[k], &rd), *b = t_fit_rows(&e, how[k], &re);
        for (size_t j = 0; j < 13; j++) assert_true(t_weights(a)[j] == t_weights(b)[5 * j % 13]);
        assert_true(t_offset(a) == t_offset(b));
        same_counts(&rd, &re);
        t_free(a, b);
    }
    t_free(&d, &e);
}

/* From a zero start. Negation is exact, so this holds for reals too. */
TEST(flipped_labels_negate_the_machine)
{
    struct t_data d = t_noise(80, 9, T_REAL, 0.8, 2), e = t_copy(&d);
    perc_report rd, re;

    for (size_t i = 0; i < e.rows; i++) e.y[i] = -e.y[i];
    for (int k = 0; k < RUNS; k++) {
        perc_model *a = t_fit_rows(&d, how[k], &rd), *b = t_fit_rows(&e, how[k], &re);
        for (size_t j = 0; j < 9; j++) assert_true(t_weights(a)[j] == -t_weights(b)[j]);
        assert_true(t_offset(a) == -t_offset(b));
        assert_true(rd.loss == re.loss);
        same_counts(&rd, &re);
        t_free(a, b);
    }
    t_free(&d, &e);
}

/* Scaling by 2^k changes no digit. Without an offset, or with the constant feature
 * among those scaled, it scales the weights and changes no mistake. */
TEST(a_power_of_two_scales_the_weights_and_changes_no_mistake)
{
    struct t_data d = t_noise(80, 9, T_REAL, 0.8, 3), e = t_copy(&d);
    perc_report rd, re;

    for (size_t i = 0; i < d.rows; i++) d.x[i * 9 + 8] = 1;
    for (int power = -40; power <= 40; power += 20) {
        for (size_t i = 0; i < 80 * 9; i++) e.x[i] = ldexp(d.x[i], power);
        perc_model *a = t_fit_rows(&d, "offset=false epochs=7", &rd);
        perc_model *b = t_fit_rows(&e, "offset=false epochs=7", &re);
        for (size_t j = 0; j < 9; j++)
            assert_true(ldexp(t_weights(a)[j], power) == t_weights(b)[j]);
        same_counts(&rd, &re);
        t_free(a, b);
    }
    t_free(&d, &e);
}

/* The same with the rate: from zero it only scales the machine, offset and all. */
TEST(a_rate_of_a_power_of_two_scales_the_machine)
{
    struct t_data d = t_noise(80, 9, T_REAL, 0.8, 4);
    perc_report rd, re;
    perc_model *a = t_fit_rows(&d, "epochs=7", &rd),
               *b = t_fit_rows(&d, "epochs=7 rate=0.0625", &re);

    for (size_t j = 0; j < 9; j++) {
        assert_true(perc_model_weight(a, j, 0) == 16 * perc_model_weight(b, j, 0));
        assert_true(t_weights(a)[j] == t_weights(b)[j]); /* as they are learned: units */
    }
    assert_true(t_offset(a) == 16 * t_offset(b));
    same_counts(&rd, &re);
    t_free(a, b, &d);
}

/* ----- the offset is a constant feature ------------------------------------------------- */

static struct t_data with_constant(const struct t_data *d, double constant)
{
    struct t_data e = t_data_new(d->rows, d->cols + 1);

    memcpy(e.y, d->y, d->rows * sizeof *e.y);
    for (size_t i = 0; i < d->rows; i++) {
        memcpy(e.x + i * e.cols, d->x + i * d->cols, d->cols * sizeof *d->x);
        e.x[i * e.cols + d->cols] = constant;
    }
    return e;
}

/* As the last feature: the score is then summed in the same order, so the runs are
 * the same to the bit, and the weight of the constant is the offset. */
TEST(the_offset_is_the_weight_of_a_constant_feature)
{
    struct t_data d = t_noise(80, 6, T_REAL, 1, 5), e = with_constant(&d, 1);
    perc_report rd, re;
    perc_model *a = t_fit_rows(&d, "epochs=9", &rd);
    perc_model *b = t_fit_rows(&e, "epochs=9 offset=false", &re);

    assert_memory_equal(t_weights(a), t_weights(b), 6 * sizeof(double));
    assert_true(t_same_bits(t_offset(a), t_weights(b)[6]));
    assert_true(t_offset(b) == 0);
    assert_true(rd.radius == re.radius);
    assert_true(rd.norm_augmented == re.norm_augmented);
    same_counts(&rd, &re);
    t_free(a, b, &d, &e);
}

/* Beside an offset: the two are updated alike, so they stay equal for ever. */
TEST(a_constant_feature_beside_the_offset_duplicates_it)
{
    struct t_data d = t_noise(80, 6, T_REAL, 1, 6), e = with_constant(&d, 1);

    for (int k = 0; k < 3; k++) {
        perc_report r;
        perc_model *m = t_fit_rows(&e, how[k], &r);
        assert_true(r.updates > 10);
        assert_true(t_same_bits(t_weights(m)[6], t_offset(m)));
        perc_model_free(m);
    }
    t_free(&d, &e);
}

TEST(a_feature_that_is_always_zero_changes_nothing)
{
    struct t_data d = t_noise(80, 6, T_REAL, 1, 7), e = with_constant(&d, 0);
    perc_report rd, re;

    for (int k = 0; k < RUNS; k++) {
        perc_model *a = t_fit_rows(&d, how[k], &rd), *b = t_fit_rows(&e, how[k], &re);
        assert_memory_equal(t_weights(a), t_weights(b), 6 * sizeof(double));
        assert_true(t_same_bits(t_weights(b)[6], 0));
        same_counts(&rd, &re);
        t_free(a, b);
    }
    t_free(&d, &e);
}

/* ----- rows repeated, and cut in two ---------------------------------------------------- */

static struct t_data part(const struct t_data *d, size_t from, size_t rows)
{
    struct t_data p = t_data_new(rows, d->cols);

    memcpy(p.x, d->x + from * d->cols, rows * d->cols * sizeof *p.x);
    memcpy(p.y, d->y + from, rows * sizeof *p.y);
    return p;
}

TEST(one_pass_over_all_rows_twice_is_two_passes)
{
    struct t_data d = t_noise(60, 6, T_REAL, 1, 8), twice = t_data_new(120, 6);

    for (size_t k = 0; k < 2; k++) {
        memcpy(twice.x + k * 60 * 6, d.x, 60 * 6 * sizeof *d.x);
        memcpy(twice.y + k * 60, d.y, 60 * sizeof *d.y);
    }
    perc_model *a = t_fit_rows(&d, "order=file epochs=2", NULL);
    perc_model *b = t_fit_rows(&twice, "order=file epochs=1", NULL);
    t_assert_same_machine(a, b);
    t_free(a, b, &d, &twice);
}

/* A second batch that starts from the model of the first: the sequence of single
 * updates, wherever the cut is. */
TEST(batches_add_up_to_one_pass)
{
    struct t_data d = t_noise(60, 6, T_REAL, 1, 9);
    d.y[1] = -d.y[0];   /* both labels in the first part, */
    d.y[58] = -d.y[59]; /* and in the second */
    perc_model *whole = t_fit_rows(&d, "order=file epochs=1", NULL);

    for (size_t cut = 2; cut < 58; cut += 5) {
        struct t_data first = part(&d, 0, cut), second = part(&d, cut, d.rows - cut);
        perc_error err = { 0 };
        perc_model *a = t_fit_rows(&first, "order=file epochs=1", NULL);
        if (perc_model_write(a, "first.safetensors", &err)) fail_msg("%s", err.text);
        perc_model *b = t_fit_rows(&second, "order=file epochs=1 init=first.safetensors", NULL);
        assert_memory_equal(t_weights(b), t_weights(whole), 6 * sizeof(double));
        assert_true(t_same_bits(t_offset(b), t_offset(whole)));
        t_free(a, b, &first, &second);
    }
    t_free(whole, &d);
}
