/* test_certificate.c -- proofs as files: what is written is read and verified again, by code
 * that shares nothing with the writer. The proofs are made by hand here. */
#include "data/canonical.h"
#include "prove/proof.h"
#include "t.h"
#include "t_alloc.h"
#include "t_dir.h"

/* ----- proofs by hand ------------------------------------------------------------------------ */

enum { ROWS = 8, DIMS = 8 };

/* One part; numbers as text, separated by blanks. */
struct by_hand {
    perc_verdict verdict;
    const char *w;                             /* all dims; NULL: none */
    const char *no_rows, *no, *all_rows, *all; /* rows from 0 */
    uint64_t s, c;
};

struct hand {
    perc_dataset *ds;
    perc_proof proof;
    struct subproof part;
    uint64_t row[ROWS], no_row[ROWS], all_row[ROWS];
    mpz_t w[DIMS], no[ROWS], all[ROWS];
    char positive[8], negative[8];
};

static size_t numbers(const char *s, mpz_t *out)
{
    size_t n = 0;
    char word[2000];
    int used;

    for (; s != NULL && sscanf(s, "%1999s%n", word, &used) == 1; s += used)
        assert_int_equal(mpz_set_str(out[n++], word, 10), 0);
    return n;
}

static size_t counts(const char *s, uint64_t *out)
{
    size_t n = 0;
    unsigned long long v;
    int used;

    for (; s != NULL && sscanf(s, "%llu%n", &v, &used) == 1; s += used) out[n++] = v;
    return n;
}

static void hand_make(struct hand *h, const char *data, bool offset, const struct by_hand *b)
{
    perc_error err = { 0 };

    memset(h, 0, sizeof *h);
    if (perc_dataset_read_exact(NULL, data, NULL, &h->ds, &err)) fail_msg("%s", err.text);
    for (size_t i = 0; i < ROWS; i++) mpz_init(h->no[i]), mpz_init(h->all[i]), h->row[i] = i;
    for (size_t i = 0; i < DIMS; i++) mpz_init(h->w[i]);
    h->proof = (perc_proof){ .e = env_resolve(NULL),
                             .rows = h->ds->rows,
                             .offset = offset,
                             .columns = h->ds->columns,
                             .index_base = h->ds->index_base,
                             .sub = &h->part,
                             .subs = 1 };
    h->part.positive = strcpy(h->positive, "1");
    h->part.negative = strcpy(h->negative, "-1");
    h->part.exact = (struct whole){ .ds = h->ds, .n = h->ds->rows, .row = h->row };
    h->part.found = (struct separation){
        .verdict = b->verdict, .s = b->s, .c = b->c, .rows = h->ds->rows
    };
    h->part.found.dims = numbers(b->w, h->w);
    h->part.found.w = b->w != NULL ? h->w : NULL;
    h->part.found.no = (struct weights){ .n = counts(b->no_rows, h->no_row),
                                         .row = h->no_row,
                                         .value = h->no };
    h->part.found.all = (struct weights){ .n = counts(b->all_rows, h->all_row),
                                          .row = h->all_row,
                                          .value = h->all };
    mpz_init(h->part.found.no.others);
    mpz_init_set_ui(h->part.found.all.others, 1);
    assert_int_equal(numbers(b->no, h->no), h->part.found.no.n);
    assert_int_equal(numbers(b->all, h->all), h->part.found.all.n);
}

static void hand_free(struct hand *h)
{
    for (size_t i = 0; i < ROWS; i++) mpz_clear(h->no[i]), mpz_clear(h->all[i]);
    for (size_t i = 0; i < DIMS; i++) mpz_clear(h->w[i]);
    mpz_clear(h->part.found.no.others);
    mpz_clear(h->part.found.all.others);
    perc_dataset_free(h->ds);
}

/* Writes it, and lets it be verified. */
static void verified(const struct hand *h, const char *data, perc_verdict verdict)
{
    perc_error err = { 0 };
    perc_check c;

    if (perc_proof_write(&h->proof, h->ds, "c.json", &err)) fail_msg("%s", err.text);
    if (perc_verify(NULL, "c.json", data, NULL, &c, NULL, &err))
        fail_msg("%d:%d: %s", (int)err.line, (int)err.column, err.text);
    if (!c.valid) fail_msg("%s", c.reason);
    assert_int_equal(c.claim[0].verdict, verdict);
    assert_int_equal(c.offset, h->proof.offset);
}

/* Columns of built-in sets count from 1: column 0 is never used. */
static const struct by_hand and_plane = {
    PERC_SEPARABLE, "0 2 2 -3", NULL, NULL, NULL, NULL, 4, 0
};
static const struct by_hand xor_full = {
    PERC_OVERLAPPING, NULL, "0 1 2 3", "1 1 1 1", "2", "1", 0, 4
};

/* ----- tests --------------------------------------------------------------------------------- */

TEST(bytes_are_those_of_the_format)
{
    struct hand h;
    char got[2000] = "", want[2000], hash[SHA256_HEX];

    hand_make(&h, ":and", true, &and_plane);
    h.part.negative = NULL;
    verified(&h, ":and", PERC_SEPARABLE);
    assert_int_equal(canonical_hash(h.ds, hash, NULL), PERC_OK);
    snprintf(want, sizeof want,
             "{\"perceptron_certificate\":1,\"data\":{\"sha256\":\"%s\",\"rows\":4,\"features\":2},"
             "\"offset\":true,\"kernel\":null,\"parts\":[\n"
             "{\"positive\":\"1\",\"negative\":null,\"verdict\":\"separable\",\"strict\":4,"
             "\"held\":0,\n\"w\":[[1,\"2\"],[2,\"2\"]],\"b\":\"-3\"}]}\n",
             hash);
    assert_true(t_get("c.json", got, sizeof got - 1) > 0);
    assert_string_equal(got, want);
    hand_free(&h);
}

TEST(every_verdict_is_verified)
{
    static const struct by_hand touching = { PERC_TOUCHING, "0 1 1", "0", "1", "0", "7", 3, 1 };
    static const struct by_hand no = {
        PERC_INSEPARABLE,
        NULL,
        "0 1 2 3",
        "1000000000000000000000000000000000 1000000000000000000000000000000000 "
        "1000000000000000000000000000000000 1000000000000000000000000000000000",
        NULL,
        NULL,
        0,
        0
    };
    struct hand h;

    hand_make(&h, ":xor", true, &xor_full);
    verified(&h, ":xor", PERC_OVERLAPPING);
    mpz_set_ui(h.all[0], 3); /* one row is listed, the others have the same weight */
    mpz_set_ui(h.part.found.all.others, 3);
    verified(&h, ":xor", PERC_OVERLAPPING);
    hand_free(&h);
    hand_make(&h, ":xor", true, &no);
    verified(&h, ":xor", PERC_INSEPARABLE);
    hand_free(&h);
    hand_make(&h, ":or", false, &touching);
    verified(&h, ":or", PERC_TOUCHING);
    hand_free(&h);
}

/* Rows of a pair are not numbered as in the file. */
TEST(rows_are_those_of_the_file)
{
    static const struct by_hand pair = { PERC_OVERLAPPING, NULL, "0 1", "1 1", "", "", 0, 2 };
    struct hand h;
    char text[2000] = "";

    assert_int_equal(t_put("d", "5 1:1\n1 1:0.5\n5 1:2\n-1 1:5e-1\n"), 0);
    hand_make(&h, "d", true, &pair);
    h.row[0] = 1, h.row[1] = 3;
    h.part.exact.n = 2;
    verified(&h, "d", PERC_OVERLAPPING);
    assert_true(t_get("c.json", text, sizeof text - 1) > 0);
    assert_non_null(strstr(text, "\"rows\":[2,4]"));
    hand_free(&h);
}

/* A file that counts from 0: feature 1 is column 0. */
TEST(features_count_from_one)
{
    static const struct by_hand plane = { PERC_SEPARABLE, "0 1 -1", NULL, NULL, NULL, NULL, 2, 0 };
    struct hand h;
    char text[2000] = "";

    assert_int_equal(t_put("d", "1 0:3 1:2\n-1 0:3\n"), 0);
    hand_make(&h, "d", true, &plane);
    assert_int_equal(h.ds->index_base, 0);
    verified(&h, "d", PERC_SEPARABLE);
    assert_true(t_get("c.json", text, sizeof text - 1) > 0);
    assert_non_null(strstr(text, "\"w\":[[2,\"1\"]]"));
    hand_free(&h);
}

TEST(kernels)
{
    static const struct by_hand poly = {
        PERC_SEPARABLE, "2 2 -4 5 -6", NULL, NULL, NULL, NULL, 4, 0
    };
    static const struct by_hand rbf = { PERC_SEPARABLE, NULL, NULL, NULL, NULL, NULL, 4, 0 };
    static const struct by_hand twins = { PERC_OVERLAPPING, NULL, "0 1", "1 1", NULL, NULL, 0, 2 };
    uint32_t monomial[] = { 1, UINT32_MAX, 2, UINT32_MAX, 1, 2, UINT32_MAX, UINT32_MAX };
    struct hand h;

    hand_make(&h, ":xor", true, &poly); /* column 3 is the constant: 5 - 6 = -1 */
    h.proof.space = SPACE_POLY;
    h.proof.degree = 2;
    h.proof.monomial = monomial;
    verified(&h, ":xor", PERC_SEPARABLE);
    h.proof.offset = false; /* and by itself */
    h.part.found.dims = 4;
    mpz_set_si(h.w[3], -1);
    verified(&h, ":xor", PERC_SEPARABLE);
    hand_free(&h);
    hand_make(&h, ":xor", true, &rbf);
    h.proof.space = SPACE_RBF;
    verified(&h, ":xor", PERC_SEPARABLE);
    hand_free(&h);
    assert_int_equal(t_put("d", "1 1:0.5\n-1 1:5e-1\n"), 0);
    hand_make(&h, "d", true, &twins);
    h.proof.space = SPACE_RBF;
    verified(&h, "d", PERC_OVERLAPPING);
    hand_free(&h);
}

TEST(what_cannot_be_written)
{
    struct hand h;
    perc_error err = { 0 };
    char name[256];

    hand_make(&h, ":xor", true, &xor_full);
    assert_int_equal(perc_proof_write(&h.proof, h.ds, "no/such/place", &err), PERC_EIO);
    strcpy(h.negative, "\xff");
    assert_refused(perc_proof_write(&h.proof, h.ds, "c.json", &err), PERC_EDATA, &err, "UTF-8");
    h.part.found.verdict = PERC_UNDECIDED;
    assert_refused(perc_proof_write(&h.proof, h.ds, "c.json", &err), PERC_EARG, &err, "undecided");
    assert_int_equal(t_dir_count("", name), 0);
    hand_free(&h);
}

/* What is undecided is left out, labels and all; the rest is a certificate. */
TEST(undecided_parts_are_left_out)
{
    struct hand h;
    struct subproof three[3];
    char odd[] = "\xff";

    hand_make(&h, ":xor", true, &xor_full);
    three[0] = three[1] = three[2] = h.part;
    three[0].found.verdict = three[2].found.verdict = PERC_UNDECIDED;
    three[0].positive = three[2].negative = odd;
    h.proof.sub = three;
    h.proof.subs = 3;
    verified(&h, ":xor", PERC_OVERLAPPING);
    hand_free(&h);
}

TEST(memory_runs_out)
{
    struct hand h;
    char name[256];

    hand_make(&h, ":xor", true, &xor_full);
    struct subproof two[2] = { h.part, h.part };
    h.proof.sub = two;
    h.proof.subs = 2;
    for (struct t_sweep s = { .least = 3 }; t_sweep_next(&s);) {
        perc_error err = { 0 };

        h.proof.e = env_resolve(&s.env);
        const perc_status st = perc_proof_write(&h.proof, h.ds, "c.json", &err);
        assert_int_equal(t_dir_count("c.json", name), st == PERC_OK ? 1 : 0);
        t_sweep_judge(&s, st);
    }
    hand_free(&h);
}
