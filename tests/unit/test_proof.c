/* test_proof.c -- perc_prove: which problems, their answers as the caller sees them, and
 * what it refuses. The answers themselves are those of decide (test_settle.c). */
#include <math.h>

#include "perceptron_select.h"
#include "prove/proof.h"
#include "t.h"
#include "t_alloc.h"
#include "t_dir.h"
#include "t_make.h"

static void write_text(const char *text)
{
    FILE *f = fopen("data", "w");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/* A built-in set, or the text of a file. */
static perc_dataset *data_of(const char *text)
{
    perc_error err = { 0 };
    perc_dataset *ds;

    if (text[0] != ':') write_text(text);
    if (perc_dataset_read_exact(NULL, text[0] == ':' ? text : "data", NULL, &ds, &err))
        fail_msg("line %d: %s", (int)err.line, err.text);
    return ds;
}

static perc_proof *prove_on(const perc_dataset *ds, const char *options, int threads)
{
    const perc_env env = { .threads = threads };
    perc_params *p = t_params("prove", options);
    perc_error err = { 0 };
    perc_proof *proof;

    if (perc_prove(&env, ds, p, NULL, &proof, &err)) fail_msg("%s: %s", options, err.text);
    perc_params_free(p);
    return proof;
}

static perc_proof *prove(const char *text, const char *options)
{
    perc_dataset *ds = data_of(text);
    perc_proof *proof = prove_on(ds, options, 2);

    perc_dataset_free(ds); /* the proof keeps nothing of it */
    return proof;
}

static perc_status refused(const char *text, const char *options, perc_error *err)
{
    perc_dataset *ds = data_of(text);
    perc_params *p = t_params("prove", options);
    perc_proof *proof = (perc_proof *)ds;

    *err = (perc_error){ 0 };
    const perc_status st = perc_prove(NULL, ds, p, NULL, &proof, err);
    assert_null(proof);
    assert_int_equal(err->status, st);
    t_free(p, ds);
    return st;
}

static perc_part part_of(const perc_proof *proof, size_t i)
{
    perc_part part;

    assert_true(i < perc_proof_parts(proof));
    perc_proof_part(proof, i, &part);
    return part;
}

/* The one verdict of a set of two classes. */
static perc_verdict verdict(const char *text, const char *options)
{
    perc_proof *proof = prove(text, options);
    const perc_part part = part_of(proof, 0);

    assert_int_equal(perc_proof_parts(proof), 1);
    perc_proof_free(proof);
    return part.verdict;
}

/* "a:b touching; c:* separable", in the order of the parts. */
static void check_parts(const char *text, const char *options, const char *want)
{
    perc_proof *proof = prove(text, options);
    char got[1024] = "";

    for (size_t i = 0; i < perc_proof_parts(proof); i++) {
        const perc_part p = part_of(proof, i);
        const size_t at = strlen(got);
        snprintf(got + at, sizeof got - at, "%s%s:%s %s", i > 0 ? "; " : "", p.positive,
                 p.negative != NULL ? p.negative : "*", perc_verdict_text(p.verdict));
    }
    assert_string_equal(got, want);
    perc_proof_free(proof);
}

/* ----- verdicts -------------------------------------------------------------------- */

TEST(truth_tables)
{
    assert_int_equal(verdict(":and", ""), PERC_SEPARABLE);
    assert_int_equal(verdict(":or", ""), PERC_SEPARABLE);
    assert_int_equal(verdict(":xor", ""), PERC_OVERLAPPING);
    assert_int_equal(verdict(":xnor", ""), PERC_OVERLAPPING);
    assert_int_equal(verdict(":xor", "quick=true"), PERC_INSEPARABLE);
    assert_int_equal(verdict(":and", "quick=true"), PERC_SEPARABLE);
    assert_int_equal(verdict("1 1:1\n1 1:2\n-1 1:1\n", ""), PERC_TOUCHING);
    assert_int_equal(verdict(":xor", "kernel=linear"), PERC_OVERLAPPING);
}

TEST(problems_of_iris)
{
    check_parts(":iris", "",
                "setosa:* separable; versicolor:* overlapping; virginica:* overlapping; "
                "versicolor:setosa separable; virginica:setosa separable; "
                "virginica:versicolor overlapping");
    check_parts(":iris", "problems=rest quick=true",
                "setosa:* separable; versicolor:* not separable; virginica:* not separable");
    check_parts(":iris", "problems=pairs",
                "versicolor:setosa separable; virginica:setosa separable; "
                "virginica:versicolor overlapping");
    check_parts(":iris", "positive=versicolor", "versicolor:* overlapping");
    check_parts(":iris", "positive=setosa problems=rest", "setosa:* separable");
    check_parts(":iris", "positive=versicolor negative=virginica",
                "versicolor:virginica overlapping");
    check_parts(":iris", "positive=setosa negative=virginica problems=all",
                "setosa:virginica separable");
    check_parts(":xor", "positive=-1 negative=1", "-1:1 overlapping");
    check_parts(":iris", "positive=versicolor problems=pairs",
                "versicolor:setosa separable; versicolor:virginica overlapping");
    check_parts(":iris", "positive=setosa problems=all",
                "setosa:* separable; setosa:versicolor separable; setosa:virginica separable");
}

TEST(two_labels_and_one)
{
    const char *one = "7 1:1\n7 1:-2\n7 2:3\n";

    check_parts("2 1:1\n10 1:2\n", "", "10:2 separable");
    check_parts("2 1:1\n10 1:2\n", "problems=pairs", "10:2 separable");
    check_parts("2 1:1\n10 1:2\n", "positive=2", "2:10 separable");
    check_parts(one, "", "7:* separable");
    check_parts(one, "offset=false", "7:* touching"); /* 1 and -2 */
    check_parts(one, "offset=false positive=7", "7:* touching");
    check_parts("7 1:0\n", "", "7:* separable");
    check_parts("7 1:0\n", "offset=false", "7:* overlapping"); /* 0 is 0 for any w */
}

TEST(without_an_offset)
{
    assert_int_equal(verdict("1 1:1\n-1 1:2\n", ""), PERC_SEPARABLE);
    assert_int_equal(verdict("1 1:1\n-1 1:2\n", "offset=false"), PERC_OVERLAPPING);
    assert_int_equal(verdict("1 1:1\n-1 1:-2\n", "offset=false"), PERC_SEPARABLE);
}

/* ----- what the caller sees -------------------------------------------------------- */

/* y (w.x + b) of a row whose label is +1 where it is `positive`. */
static double margin_of(const perc_dataset *ds, const perc_part *p, uint64_t row)
{
    double x[64], s = p->b;

    perc_dataset_row(ds, row, x);
    for (uint64_t j = 0; j < p->features; j++) s += p->w[j] * x[j];
    return strcmp(perc_dataset_label(ds, (size_t)perc_dataset_row_label(ds, row)), p->positive) ? -s
                                                                                                : s;
}

static double norm_of(const perc_part *p)
{
    double s = p->b * p->b;

    for (uint64_t j = 0; j < p->features; j++) s += p->w[j] * p->w[j];
    return sqrt(s);
}

/* The plane separates; `closest` are the rows of least margin, in order. */
static void check_plane(const char *text, const char *options, size_t i)
{
    perc_dataset *ds = data_of(text);
    perc_proof *proof = prove_on(ds, options, 1);
    const perc_part p = part_of(proof, i);
    double least[5] = { INFINITY, INFINITY, INFINITY, INFINITY, INFINITY };

    assert_int_equal(p.verdict, PERC_SEPARABLE);
    assert_int_equal(p.strict, p.rows);
    assert_int_equal(p.on_all_planes, 0);
    assert_int_equal(p.witnesses, 0);
    for (uint64_t row = 0; row < p.rows; row++) {
        double m = margin_of(ds, &p, row) / norm_of(&p);
        assert_true(m > 0);
        for (size_t k = 0; k < 4; k++)
            if (m < least[k]) {
                const double t = least[k];
                least[k] = m;
                m = t;
            }
    }
    assert_int_equal(p.closest_count, p.rows < 4 ? p.rows : 4);
    assert_true(fabs(p.least - least[0]) <= 1e-9 * least[0]); /* w is rounded, if not short */
    for (size_t k = 0; k < p.closest_count; k++) {
        const double m = margin_of(ds, &p, p.closest[k]) / norm_of(&p);
        assert_true(fabs(m - least[k]) <= 1e-9 * m);
        for (size_t l = 0; l < k; l++) assert_true(p.closest[l] != p.closest[k]);
    }
    t_free(proof, ds);
}

TEST(planes_separate)
{
    check_plane(":and", "", 0);
    check_plane(":or", "", 0);
    check_plane(":iris", "", 0);
    check_plane("1 1:3 2:1\n1 1:5\n1 2:7\n-1 1:-1\n-1 2:-2\n", "offset=false", 0);
    check_plane("1 1:1e200\n-1 1:-3e-200\n-1 1:2e-200\n", "", 0);
}

/* The numbers of a plane with short whole numbers are whole; others are at most 1. */
TEST(short_planes_are_whole)
{
    perc_proof *proof = prove(":and", "");
    perc_part p = part_of(proof, 0);

    for (uint64_t j = 0; j < p.features; j++) assert_true(p.w[j] == floor(p.w[j]) && p.w[j] >= 1);
    assert_true(p.exact);
    perc_proof_free(proof);
    /* w1 / w2 is known to twelve digits. */
    proof = prove("1 1:1 2:1.000000000001\n-1 1:1 2:1\n", "offset=false");
    p = part_of(proof, 0);
    assert_int_equal(p.verdict, PERC_SEPARABLE);
    assert_true(fmax(fabs(p.w[0]), fabs(p.w[1])) == 1);
    assert_false(p.exact);
    assert_true(fabs(p.w[0] + p.w[1]) < 2e-12 && p.w[1] > 0);
    perc_proof_free(proof);
}

/* Rows 1 and 2 differ in the 21st digit: for doubles they are one point. */
TEST(closest_is_exact)
{
    const char *text = "1 1:1.00000000000000000002\n1 1:1.00000000000000000001\n"
                       "1 1:1.00000000000000000003\n-1 1:-1\n-1 1:-9\n";
    perc_proof *proof = prove(text, "offset=false");
    const perc_part p = part_of(proof, 0);
    const uint64_t want[] = { 3, 1, 0, 2 };

    assert_int_equal(p.closest_count, 4);
    for (size_t k = 0; k < 4; k++) assert_int_equal(p.closest[k], want[k]);
    assert_true(p.least == 1);
    perc_proof_free(proof);
}

/* With w = (1, 1) row 5 has the margin 2, the others 7; doubles, 16 apart there, make it 16,
 * and 0. So the bound on their error must let row 5 through. */
TEST(doubles_are_not_believed)
{
    const char *row = "1 1:100000000000000007 2:-100000000000000000\n";
    const uint64_t number[] = { 0, 1, 2, 3, 4 };
    const signed char sign[] = { 1, 1, 1, 1, 1 };
    const uint64_t ref[] = { 0, 1, 2, 3, 4 };
    const uint32_t class[] = { 1, 1, 1, 1, 1 };
    char text[512];
    perc_part part = { .rows = 5 };

    snprintf(text, sizeof text, "%s%s%s%s1 1:100000000000000009 2:-100000000000000007\n", row, row,
             row, row);
    perc_dataset *ds = data_of(text);
    const struct whole p = { ds->e, ds, false, ds->columns, 5, number, sign };
    const struct problem f = { .e = ds->e,
                               .blocks = ds->block,
                               .block_count = 1,
                               .dims = ds->columns,
                               .n = 5,
                               .ref = ref,
                               .class = class };
    mpz_t *w = whole_numbers(&ds->e, ds->columns);
    mpz_set_ui(w[1], 1);
    mpz_set_ui(w[2], 1);
    assert_int_equal(closest_rows(&p, &f, (const mpz_t *)w, &part, NULL), PERC_OK);
    assert_int_equal(part.closest_count, 4);
    assert_int_equal(part.closest[0], 4);
    assert_int_equal(part.closest[3], 2);
    assert_true(fabs(part.least - sqrt(2)) < 1e-15);
    whole_numbers_free(&ds->e, w, ds->columns);
    perc_dataset_free(ds);
}

/* Rows with the same margin: the lower ones, in order. */
TEST(ties_go_to_the_lower_row)
{
    perc_proof *proof = prove("1 1:9\n1 1:2\n1 1:2.0\n1 1:2.5\n1 1:0.2e1\n1 1:2\n1 1:2\n",
                              "offset=false");
    const perc_part p = part_of(proof, 0);
    const uint64_t want[] = { 1, 2, 4, 5 };

    for (size_t k = 0; k < 4; k++) assert_int_equal(p.closest[k], want[k]);
    perc_proof_free(proof);
}

/* Sum of weight * y (x, 1), in doubles: the data are small whole numbers. */
static void check_witness(const char *text, const char *options, bool offset)
{
    perc_dataset *ds = data_of(text);
    perc_proof *proof = prove_on(ds, options, 1);

    for (size_t i = 0; i < perc_proof_parts(proof); i++) {
        const perc_part p = part_of(proof, i);
        double sum[64] = { 0 }, x[64];
        if (p.verdict == PERC_SEPARABLE) continue;
        assert_true(p.witnesses > 0 && p.witnesses <= p.features + 2);
        for (size_t k = 0; k < p.witnesses; k++) {
            const int label = perc_dataset_row_label(ds, p.witness[k]);
            const char *name = perc_dataset_label(ds, (size_t)label);
            const double y = strcmp(name, p.positive) == 0 ? 1 : -1, weight = atof(p.weight[k]);
            assert_true(weight >= 1);
            assert_true(y > 0 || p.negative == NULL || strcmp(name, p.negative) == 0);
            perc_dataset_row(ds, p.witness[k], x);
            for (uint64_t j = 0; j < p.features; j++) sum[j] += weight * y * x[j];
            if (offset) sum[p.features] += weight * y;
        }
        for (uint64_t j = 0; j <= p.features; j++) assert_true(fabs(sum[j]) < 1e-6);
        if (p.verdict == PERC_OVERLAPPING) assert_null(p.w);
        if (p.verdict != PERC_INSEPARABLE) assert_int_equal(p.strict + p.on_all_planes, p.rows);
    }
    t_free(proof, ds);
}

TEST(witnesses_add_up)
{
    check_witness(":xor", "", true);
    check_witness(":iris", "", true);
    check_witness(":iris", "quick=true", true);
    check_witness("1 1:1\n-1 1:2\n-1 2:1\n1 2:3\n", "offset=false", false);
    check_witness("a 1:1\nb 1:1\nc 1:2\nb 1:3\na 1:2\n", "", true);
}

TEST(names_of_features)
{
    perc_proof *proof = prove("height,age,label\n1,2,a\n3,1,b\n", "");
    char buf[64];

    assert_string_equal(perc_proof_feature(proof, 0, buf, sizeof buf), "height");
    assert_string_equal(perc_proof_feature(proof, 1, buf, sizeof buf), "age");
    assert_string_equal(perc_proof_feature(proof, 0, buf, 4), "hei");
    assert_string_equal(perc_proof_feature(proof, 0, buf, 0), "");
    perc_proof_free(proof);
    proof = prove("1 1:2 3:1\n-1 2:1\n", "");
    assert_int_equal(part_of(proof, 0).features, 3);
    assert_string_equal(perc_proof_feature(proof, 2, buf, sizeof buf), "x3");
    perc_proof_free(proof);
    proof = prove("height,age,label\n1,2,a\n3,1,b\n", "kernel=poly degree=3");
    assert_int_equal(part_of(proof, 0).features, 9);
    assert_string_equal(perc_proof_feature(proof, 1, buf, sizeof buf), "age");
    assert_string_equal(perc_proof_feature(proof, 4, buf, sizeof buf), "age^2");
    assert_string_equal(perc_proof_feature(proof, 7, buf, sizeof buf), "height age^2");
    assert_string_equal(perc_proof_feature(proof, 9, buf, sizeof buf), "");
    perc_proof_free(proof);
}

/* ----- kernels --------------------------------------------------------------------- */

TEST(polynomials)
{
    assert_int_equal(verdict(":xor", "kernel=poly degree=2"), PERC_SEPARABLE);
    assert_int_equal(verdict(":xor", "kernel=poly degree=1"), PERC_OVERLAPPING);
    assert_int_equal(verdict(":xor", "kernel=poly degree=2 gamma=0.01 coef0=7"), PERC_SEPARABLE);
    /* x1^2, x1 x2, x2^2 are 0 in the row 0 0. */
    assert_int_equal(verdict(":xor", "kernel=poly degree=2 coef0=0"), PERC_SEPARABLE);
    assert_int_equal(verdict(":xor", "kernel=poly degree=2 coef0=0 offset=false"), PERC_TOUCHING);
    /* The constant is a monomial: the machine's own offset adds nothing. */
    assert_int_equal(verdict("1 1:1\n-1 1:2\n", "kernel=poly degree=1 offset=false"),
                     PERC_SEPARABLE);
    assert_int_equal(verdict("1 1:1\n-1 1:2\n", "kernel=poly degree=1 coef0=0 offset=false"),
                     PERC_OVERLAPPING);
    /* x^2 takes 1 for -1. */
    assert_int_equal(verdict("1 1:1\n-1 1:-1\n", "kernel=poly degree=2 coef0=0"), PERC_OVERLAPPING);
    assert_int_equal(verdict("1 1:0\n-1 1:0\n", "kernel=poly degree=2"), PERC_OVERLAPPING);
    check_parts(":iris", "kernel=poly degree=2 problems=rest",
                "setosa:* separable; versicolor:* separable; virginica:* separable");
}

TEST(radial_kernels)
{
    const char *same = "1 1:0.1 2:5\n-1 1:1.00e-1 2:0.5e1\n";
    perc_part p;

    assert_int_equal(verdict(":xor", "kernel=rbf"), PERC_SEPARABLE);
    assert_int_equal(verdict(":xor", "kernel=gaussian sigma=9 offset=false"), PERC_SEPARABLE);
    assert_int_equal(verdict(same, "kernel=rbf"), PERC_OVERLAPPING);
    assert_int_equal(verdict(same, "kernel=rbf quick=true"), PERC_INSEPARABLE);
    /* Equal as doubles, not as decimals; and a zero that stands there is none. */
    assert_int_equal(
        verdict("1 1:0.1000000000000000000001\n-1 1:0.1000000000000000000002\n", "kernel=rbf"),
        PERC_SEPARABLE);
    assert_int_equal(verdict("1 1:0.1000000000000000000001 2:0\n"
                             "-1 1:1000000000000000000001e-22\n",
                             "kernel=rbf"),
                     PERC_OVERLAPPING);
    perc_proof *proof = prove("1 1:3\n-1 1:4\n1 1:2\n-1 1:3\n1 1:3\n-1 1:2\n-1 2:2\n-1 1:-2\n",
                              "kernel=rbf");
    p = part_of(proof, 0);
    assert_int_equal(p.verdict, PERC_TOUCHING);
    assert_int_equal(p.strict, 3);
    assert_int_equal(p.on_all_planes, 5);
    assert_int_equal(p.rank, 2); /* points of C */
    assert_int_equal(p.witnesses, 2);
    assert_int_equal(p.witness[0], 0);
    assert_int_equal(p.witness[1], 3);
    assert_string_equal(p.weight[0], "1");
    assert_string_equal(p.weight[1], "1");
    assert_null(p.w);
    perc_proof_free(proof);
    char text[1024], *at = text; /* of many such pairs the lowest is shown */
    for (int k = 0; k < 40; k++) at += snprintf(at, 24, "%d 1:%d\n", k < 20, 5 + k % 20);
    proof = prove(text, "kernel=rbf");
    p = part_of(proof, 0);
    assert_int_equal(p.rank, 20);
    assert_int_equal(p.witness[0], 0);
    assert_int_equal(p.witness[1], 20);
    perc_proof_free(proof);
    check_parts("a 1:1\nb 1:1\nc 1:2\n", "kernel=rbf",
                "a:* touching; b:* touching; c:* separable; b:a overlapping; c:a separable; "
                "c:b separable");
}

/* ----- what is refused ------------------------------------------------------------- */

TEST(wrong_questions)
{
    static const struct {
        const char *data, *options, *says;
    } wrong[] = {
        { ":xor", "kernel=sigmoid", "not positive definite" },
        { ":xor", "kernel=poly coef0=-1", "not positive definite" },
        { ":xor", "kernel=rbf degree=2", "--degree" },
        { ":xor", "kernel=poly hulls=true", "--hulls" },
        { ":iris", "bound=true", "--bound is for one problem, and these labels make 6" },
        { ":xor", "positive=7", "no row has this label; there are '-1' and '1'" },
        { ":iris", "negative=setosa", "--negative needs --positive" },
        { ":iris", "positive=setosa negative=setosa", "the same label" },
        { ":iris", "positive=setosa negative=rose", "--negative rose: no row has this label" },
        { ":iris", "positive=rose", "there are 'setosa' ... 'virginica'" },
    };
    perc_error err;

    for (size_t i = 0; i < COUNT(wrong); i++) {
        assert_refused(refused(wrong[i].data, wrong[i].options, &err), PERC_EARG, &err,
                       wrong[i].says);
    }
    perc_params *p = t_params("prove", "kernel=sigmoid");
    assert_int_equal(perc_params_check(p, &err), PERC_EARG);
    perc_params_free(p);
    char *text = malloc(1001 * 16), *end = text;
    for (int i = 0; i <= 1000; i++) end += sprintf(end, "%d 1:%d\n", i % 2, i);
    assert_refused(refused(text, "kernel=rbf margin=true", &err), PERC_EARG, &err,
                   "1000 rows at most");
    free(text);
    p = t_params("data", "");
    perc_dataset *ds = data_of(":xor");
    perc_proof *proof;
    assert_int_equal(perc_prove(NULL, ds, p, NULL, &proof, &err), PERC_EARG);
    assert_null(proof);
    t_free(p, ds);
    ds = t_read(":xor", "map=poly:2");
    assert_int_equal(perc_prove(NULL, ds, NULL, NULL, &proof, &err), PERC_EARG);
    perc_dataset_free(ds);
}

TEST(rows_need_labels)
{
    perc_dataset *ds = data_of("a 1:1\n# so far\nb 1:2\na 1:3\nb 1:4\n");
    perc_proof *proof;
    perc_error err;

    ds->block[0].label[2] = LABEL_NONE;
    assert_int_equal(perc_prove(NULL, ds, NULL, NULL, &proof, &err), PERC_EDATA);
    assert_null(proof);
    assert_int_equal(err.line, 4);
    assert_string_equal(err.text, "the row has no label");
    perc_dataset_free(ds);
    const struct env e = env_resolve(NULL);
    assert_int_equal(dataset_new(&e, &ds), PERC_OK);
    assert_int_equal(perc_prove(NULL, ds, NULL, NULL, &proof, &err), PERC_EDATA);
    assert_string_equal(err.text, "the data have no rows");
    perc_dataset_free(ds);
}

/* 2^61 - 1 apart at 10^40: the same doubles, and the same hash of their digits. Equal numbers may
 * be written in two ways, beside one that has too many digits for 64 bits. */
TEST(equal_rows_are_equal_digit_by_digit)
{
#define LONG "1234567890123456789012345"
    static const char *const zeros = "0000000000000000000000";
    char text[256];

    snprintf(text, sizeof text, "1 1:1%s000000000000000000\n-1 1:1%s2305843009213693951\n", zeros,
             zeros + 1);
    perc_proof *proof = prove(text, "");
    assert_int_equal(part_of(proof, 0).verdict, PERC_SEPARABLE);
    perc_proof_free(proof);
    assert_int_equal(verdict("1 1:" LONG " 2:1.50\n-1 1:" LONG " 2:1.5\n", ""), PERC_OVERLAPPING);
    assert_int_equal(verdict("1 1:" LONG " 2:1.5\n-1 1:" LONG " 2:1.50\n", ""), PERC_OVERLAPPING);
    assert_int_equal(verdict("1 1:1\n-1 1:2\n", "kernel=rbf quick=true"), PERC_SEPARABLE);
#undef LONG
}

/* A plane far from the origin: its weights are measured by the offset. */
TEST(planes_far_away)
{
    perc_proof *proof = prove("1 1:1.7e308\n-1 1:1.6e308\n", "margin=true");
    const perc_part p = part_of(proof, 0);

    assert_int_equal(p.verdict, PERC_SEPARABLE);
    assert_true(p.b == -1 && p.w[0] * 1.7e308 > 1 && p.w[0] * 1.6e308 < 1);
    assert_true(p.geometric_lower <= 5e306 && p.geometric_upper >= 5e306);
    perc_proof_free(proof);
}

/* What a certificate may hold is what `prove` takes on: one span for all numbers. */
TEST(numbers_too_far_apart)
{
    static const struct {
        const char *data, *options;
        int line;
    } wrong[] = {
        { "1 1:3\n-1 1:1e-200000\n1 1:1\n", "offset=false", 2 },
        { "1 1:3\n-1 1:1e-99990\n1 1:1e50\n", "offset=false", 2 },
        { "1 1:3e-150000\n-1 1:1e-150000\n", "", 1 }, /* 1 is one of the numbers */
        { "1 1:1e-150000 2:1\n-1 1:2e-150000 2:1\n", "kernel=rbf", 1 },
        { "1 1:1e-60000 2:1\n-1 1:2 2:1\n", "kernel=poly degree=2", 1 },
    };
    perc_error err;

    for (size_t i = 0; i < COUNT(wrong); i++) {
        assert_refused(refused(wrong[i].data, wrong[i].options, &err), PERC_EDATA, &err,
                       "too far apart");
        assert_int_equal(err.line, wrong[i].line);
    }
    assert_int_equal(verdict("1 1:3e-150000\n-1 1:1e-150000\n", "offset=false"), PERC_OVERLAPPING);
    assert_int_equal(verdict("1 1:3e-99000\n-1 1:1e-99000\n1\n", ""), PERC_OVERLAPPING);
    assert_int_equal(verdict("1 1:3e-99000\n-1 1:1e-99000\n-1\n", ""), PERC_SEPARABLE);
}

/* Weights are determinants of 3 x 3 numbers of 67,500 digits. */
TEST(numbers_too_long_to_write)
{
    enum { DIGITS = 67500, COLUMNS = 3 };
    char *text = malloc((DIGITS + 20) * COLUMNS * (COLUMNS + 2)), *p = text;
    uint64_t seed = 5;
    perc_error err;

    assert_non_null(text);
    for (int i = 0; i <= COLUMNS; i++) {
        p += sprintf(p, "1");
        for (int j = 1; j <= COLUMNS; j++) {
            p += sprintf(p, " %d:%s0.", j, i == COLUMNS ? "-" : "");
            for (int k = 0; k < DIGITS; k++) {
                seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
                *p++ = (char)((i == j - 1 && k == 0 ? '9' : '1') - (k > 0) +
                              (k > 0 ? (int)(seed >> 33) % 10 : 0));
            }
        }
        p += sprintf(p, "\n");
    }
    assert_refused(refused(text, "offset=false quick=true", &err), PERC_EDATA, &err,
                   "more than the 200000 of a certificate");
    free(text);
}

TEST(too_many_problems)
{
    char text[8 * 400], *p = text;
    perc_error err;

    for (int k = 0; k < 400; k++) p += sprintf(p, "%d 1:1\n", k);
    assert_refused(refused(text, "", &err), PERC_EARG, &err,
                   "that would be 80200 problems of 400 labels");
    assert_non_null(strstr(err.text, "--problems rest or --positive LABEL"));
    perc_proof *proof = prove(text, "positive=17 problems=all kernel=rbf");
    assert_int_equal(perc_proof_parts(proof), 400);
    perc_proof_free(proof);
}

/* A part of a data set has all its labels, and may have no row of some. */
TEST(labels_without_rows)
{
    static const char *const options[] = { "margin=true", "kernel=rbf margin=true",
                                           "kernel=poly margin=true", "quick=true" };
    char text[60 * 16], *p = text;
    perc_dataset *rest, *held;

    for (int k = 0; k < 40; k++) p += sprintf(p, "%s 1:%d\n", k == 0 ? "b" : k == 1 ? "c" : "a", k);
    perc_dataset *ds = data_of(text);
    assert_int_equal(perc_dataset_split(ds, 0.2, 1, &rest, &held, NULL), PERC_OK);
    assert_int_equal(held->labels.n, 3);
    for (size_t i = 0; i < COUNT(options); i++) {
        perc_proof *proof = prove_on(held, options[i], 1);
        assert_int_equal(perc_proof_parts(proof), 6);
        for (size_t k = 0; k < 6; k++) {
            const perc_part part = part_of(proof, k);
            assert_int_equal(part.rows, k < 5 ? held->rows : 0);
            assert_int_equal(part.verdict, PERC_SEPARABLE);
            assert_true((part.margin_lower > 0) == (k < 5 && i < 3));
        }
        perc_proof_free(proof);
    }
    t_free(rest, held, ds);
}

/* ----- limits and observers -------------------------------------------------------- */

static bool some_times(void *ud, int64_t passes)
{
    int *left = ud;

    (void)passes;
    return (*left)-- > 0;
}

/* Rows that are equal but for the digits behind the first 19, and a watch that is asked. */
TEST(radial_rows_of_many_digits)
{
    enum { N = 5000 };
    char *text = malloc(N * 48), *p = text;
    uint64_t row[N];
    signed char sign[N];
    struct separation a;

    assert_non_null(text);
    for (int i = 0; i < N; i++)
        p += sprintf(p, "%d 1:1.2345678901234567890%05d1\n", i % 2, i % (N - 1));
    perc_dataset *ds = data_of(text);
    for (int i = 0; i < N; i++) row[i] = (uint64_t)i, sign[i] = i % 2 ? 1 : -1;
    const struct whole w = {
        .e = env_resolve(NULL), .ds = ds, .dims = ds->columns, .n = N, .row = row, .sign = sign
    };
    for (int times = 0; times < 7; times += 2) { /* it is asked 5 times */
        int left = times;
        const struct watch watch = { some_times, &left };
        separation_init(&a, &w.e);
        assert_int_equal(radial_decide(&w, false, &watch, &a, NULL), PERC_OK);
        assert_int_equal(a.verdict, times < 5 ? PERC_UNDECIDED : PERC_TOUCHING);
        if (times > 5) assert_true(a.c == 2 && a.no.row[0] == 0 && a.no.row[1] == N - 1);
        separation_free(&a);
    }
    perc_dataset_free(ds);
    free(text);
}

TEST(out_of_time)
{
    check_parts(":iris", "problems=rest time-limit=1e-9",
                "setosa:* undecided; versicolor:* undecided; virginica:* undecided");
    assert_int_equal(verdict(":xor", "kernel=rbf time-limit=1e-9"), PERC_UNDECIDED);
    assert_int_equal(verdict(":xor", "time-limit=1000"), PERC_OVERLAPPING);
}

struct seen {
    int64_t ended, problems, stop_after;
    bool rising;
};

static int watch(void *ud, const perc_event *event)
{
    struct seen *s = ud;

    s->problems = event->examples;
    if (event->pass_ended) {
        s->rising &= event->epoch == s->ended + 1;
        s->ended = event->epoch;
    } else {
        s->rising &= event->epoch >= 1 && event->epoch <= event->examples;
    }
    s->rising &= event->seconds >= 0 && event->row == -1;
    return event->pass_ended && s->ended == s->stop_after;
}

TEST(observers)
{
    struct seen seen = { .rising = true };
    const perc_observer o = { PERC_WATCH_COUNTS, watch, &seen };
    const perc_env env = { .threads = 1 };
    perc_dataset *ds = data_of(":iris");
    perc_proof *proof;

    assert_int_equal(perc_prove(NULL, ds, NULL, &o, &proof, NULL), PERC_OK);
    assert_true(seen.rising);
    assert_int_equal(seen.ended, 6);
    assert_int_equal(seen.problems, 6);
    perc_proof_free(proof);
    seen = (struct seen){ .rising = true, .stop_after = 2 };
    assert_int_equal(perc_prove(&env, ds, NULL, &o, &proof, NULL), PERC_OK);
    assert_int_equal(part_of(proof, 0).verdict, PERC_SEPARABLE);
    assert_int_equal(part_of(proof, 1).verdict, PERC_OVERLAPPING);
    assert_int_equal(part_of(proof, 2).verdict, PERC_UNDECIDED);
    assert_int_equal(part_of(proof, 5).verdict, PERC_UNDECIDED);
    assert_int_equal(part_of(proof, 0).strict_positive, 50);
    t_free(proof, ds);
}

/* ----- threads and memory ---------------------------------------------------------- */

static void check_same(const perc_proof *a, const perc_proof *b)
{
    assert_int_equal(perc_proof_parts(a), perc_proof_parts(b));
    for (size_t i = 0; i < perc_proof_parts(a); i++) {
        const perc_part p = part_of(a, i), q = part_of(b, i);
        assert_int_equal(p.verdict, q.verdict);
        assert_string_equal(p.positive, q.positive);
        assert_true(p.strict == q.strict && p.on_all_planes == q.on_all_planes && p.rank == q.rank);
        assert_true(t_same_bits(p.b, q.b) && t_same_bits(p.least, q.least));
        assert_true((p.w == NULL) == (q.w == NULL));
        for (uint64_t j = 0; j < p.features && p.w != NULL; j++)
            assert_true(t_same_bits(p.w[j], q.w[j]));
        assert_int_equal(p.witnesses, q.witnesses);
        for (size_t k = 0; k < p.witnesses; k++) {
            assert_int_equal(p.witness[k], q.witness[k]);
            assert_string_equal(p.weight[k], q.weight[k]);
        }
        assert_int_equal(p.listed, q.listed);
        assert_string_equal(p.method, q.method);
    }
}

TEST(same_on_any_number_of_threads)
{
    static const char *const options[] = { "", "quick=true", "kernel=poly degree=2", "kernel=rbf" };

    perc_dataset *ds = data_of(":iris");
    for (size_t i = 0; i < COUNT(options); i++) {
        perc_proof *one = prove_on(ds, options[i], 1);
        for (int threads = 2; threads <= 8; threads += 6) {
            perc_proof *more = prove_on(ds, options[i], threads);
            check_same(one, more);
            perc_proof_free(more);
        }
        perc_proof_free(one);
    }
    perc_dataset_free(ds);
}

/* Every allocation fails once; GMP's own are not counted. What can be done without is done
 * without, with the same result. */
TEST(memory_runs_out)
{
#define LONG "234567890123456789012345"
    static const char *const three = "a 1:1 2:0.1" LONG "\nb 1:2 2:1\na 1:3\nb 1:1 2:1\nc 2:1\n"
                                     "c 1:1 2:1\n";
    static const char *const two = "a 1:1 2:0.1" LONG "\na 1:0.5" LONG " 2:0.7" LONG "\n"
                                   "b 1:3.1" LONG " 2:4\nb 1:2 2:3.6" LONG "\n";
    static const char *const equal = "a 1:1.1" LONG " 2:1\na 1:3.3" LONG "\nb 1:1.1" LONG " 2:1\n"
                                     "b 1:4.4" LONG " 2:0.2\nb 1:3.3" LONG "\n";
    static const struct {
        const char *data, *options;
    } cases[] = {
        { three, "" },
        { three, "quick=true problems=rest" },
        { three, "kernel=poly degree=2 positive=a" },
        { three, "kernel=rbf" },
        { two, "kernel=rbf margin=true bound=true orders=1" },
        { two, "kernel=rbf bound=true orders=1 offset=false" },
        { two, "kernel=rbf margin=true offset=false" },
        { "a 1:1\na 1:2." LONG "\n", "" },
        { two, "kernel=poly degree=2 margin=true" },
        { two, "margin=true bound=true hulls=true orders=1" },
        { equal, "" },
        { equal, "offset=false" },
        { "a 1:0\nb 1:1." LONG "\n", "offset=false" },
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        perc_dataset *ds = data_of(cases[i].data);
        perc_params *p = t_params("prove", cases[i].options);
        perc_proof *whole = prove_on(ds, cases[i].options, 1), *proof;
        long out = 0;
        for (struct t_sweep s = { .survives = true }; t_sweep_next(&s);) {
            perc_error err = { 0 };
            const perc_status st = perc_prove(&s.env, ds, p, NULL, &proof, &err);
            assert_int_equal(err.status, st);
            assert_true((proof == NULL) == (st != PERC_OK));
            if (!st) check_same(proof, whole);
            out += st != PERC_OK;
            perc_proof_free(proof);
            t_sweep_judge(&s, st);
        }
        assert_true(out > 10);
        t_free(whole, p, ds);
    }
#undef LONG
}
