/* test_verify.c -- certificates: true ones are verified, and not one thing in them can be
 * changed into something false. */
#include "base/json.h"
#include "data/canonical.h"
#include "data/read.h"
#include "t.h"
#include "t_alloc.h"
#include "t_certificates.h"
#include "t_dir.h"
#include "verify/vector.h"
#include "verify/verify.h"

/* ----- helpers ----------------------------------------------------------------------------- */

static perc_dataset *data_of(const char *data)
{
    perc_error err = { 0 };
    perc_dataset *ds;

    if (data[0] != ':') assert_int_equal(t_put("data", data), 0);
    if (perc_dataset_read_exact(NULL, data[0] == ':' ? data : "data", NULL, &ds, &err))
        fail_msg("%s", err.text);
    return ds;
}

/* The text with the hash in its place; free() it. */
static char *certificate_of(const char *text, const perc_dataset *ds)
{
    const char *at = strstr(text, "HASH");
    char hash[SHA256_HEX], *out = malloc(strlen(text) + SHA256_HEX);

    assert_int_equal(canonical_hash(ds, hash, NULL), PERC_OK);
    assert_non_null(at);
    sprintf(out, "%.*s%s%s", (int)(at - text), text, hash, at + 4);
    return out;
}

#define T_NO_TWO T_TWO("not separable") "\"no\":{\"rows\":[1,2],\"weights\":[\"1\",\"1\"]}}]}"

enum outcome { TRUE_, REFUTED, MALFORMED };

static enum outcome check(const char *text, const perc_dataset *ds, perc_check *out,
                          perc_error *err)
{
    const struct env e = env_resolve(NULL);
    struct certificate c;
    perc_status st = certificate_read(&e, text, strlen(text), NULL, &c, err);

    if (st == PERC_EDATA) {
        assert_true(err->line > 0 && err->column > 0 && err->text[0] != '\0');
        return MALFORMED;
    }
    assert_int_equal(st, PERC_OK);
    st = verify_certificate(&e, &c, ds, NULL, out, err);
    certificate_free(&c);
    if (st != PERC_OK) fail_msg("%s", err->text);
    assert_true(out->valid || out->reason[0] != '\0');
    return out->valid ? TRUE_ : REFUTED;
}

TEST(hand_written_ones_are_true)
{
    for (size_t i = 0; i < T_CERTS; i++) {
        perc_dataset *ds = data_of(t_certs[i].data);
        char *text = certificate_of(t_certs[i].text, ds);
        perc_check c;
        perc_error err = { 0 };
        const enum outcome got = check(text, ds, &c, &err);

        if (got != TRUE_) fail_msg("%s: %s", t_certs[i].name, got == REFUTED ? c.reason : err.text);
        assert_true(c.row == -1 && c.part == -1);
        free(text);
        perc_dataset_free(ds);
    }
}

/* ----- tampering ----------------------------------------------------------------------------- */

struct tamper {
    const struct t_cert *cert;
    perc_dataset *ds;
    char hash[SHA256_HEX];
    size_t tried, refuted, malformed, still_true;
};

/* A changed text: verified only if the judge finds it true, and then it is. */
static void changed(struct tamper *t, const char *text)
{
    const struct env e = env_resolve(NULL);
    perc_error err = { 0 };
    perc_check out;
    struct certificate c;
    const enum outcome got = check(text, t->ds, &out, &err);

    t->tried++;
    t->malformed += got == MALFORMED;
    if (got == MALFORMED) return;
    t->refuted += got == REFUTED;
    t->still_true += got == TRUE_;
    assert_int_equal(certificate_read(&e, text, strlen(text), NULL, &c, NULL), PERC_OK);
    const int truth = t_judge(t->ds, &c, t->hash, t->cert->unit);
    certificate_free(&c);
    if (truth != 2 && truth != (got == TRUE_))
        fail_msg("%s: %s, but it is %s:\n%s\n%s", t->cert->name,
                 got == TRUE_ ? "verified" : "refuted", truth ? "true" : "false", text,
                 got == TRUE_ ? "" : out.reason);
}

/* The text with `cut` bytes at `at` replaced. */
static void replaced(struct tamper *t, const char *text, size_t at, size_t cut, const char *with,
                     size_t n)
{
    char *s = malloc(strlen(text) + n + 1);

    memcpy(s, text, at);
    memcpy(s + at, with, n);
    strcpy(s + at + n, text + at + cut);
    if (strcmp(s, text) != 0) changed(t, s);
    free(s);
}

/* Each character becomes others; is left out; is doubled. */
static void tamper_characters(struct tamper *t, const char *text)
{
    static const char other[] = "0123456789-x.eE+ \"[]{},:n\\";
    const size_t n = strlen(text), hash = (size_t)(strstr(text, "sha256") - text) + 9;

    for (size_t i = 0; i < n; i++) {
        const bool dull = i > hash + 2 && i < hash + 62;

        for (const char *c = other; *c != '\0' && !dull; c++) replaced(t, text, i, 1, c, 1);
        replaced(t, text, i, 1, "", 0);
        replaced(t, text, i, 0, text + i, 1);
        if (!dull) replaced(t, text, i, 0, "-", 1), replaced(t, text, i, 0, "1", 1);
    }
}

/* The end of the JSON value that begins at s. */
static size_t value_end(const char *s)
{
    int depth = 0;
    bool quoted = false;
    size_t i = 0;

    for (;; i++) {
        if (s[i] == '"' && !quoted && depth == 0 && i == 0) {
            quoted = true;
            continue;
        }
        if (s[i] == '"') quoted = !quoted;
        else if (!quoted && (s[i] == '{' || s[i] == '[')) depth++;
        else if (!quoted && depth > 0 && (s[i] == '}' || s[i] == ']')) depth--;
        else if (!quoted && depth == 0 && strchr(",:]}", s[i]) != NULL) return i;
        if (depth == 0 && !quoted && strchr("\"}]", s[i]) != NULL) return i + 1;
    }
}

/* Every value, or member of an object, is left out, doubled, swapped with the next, and
 * replaced by values of other types. */
static void tamper_values(struct tamper *t, const char *text)
{
    static const char *const other[] = { "null",
                                         "true",
                                         "false",
                                         "0",
                                         "1",
                                         "2",
                                         "-1",
                                         "1e0",
                                         "\"\"",
                                         "\"1\"",
                                         "\"-1\"",
                                         "\"0\"",
                                         "[]",
                                         "{}",
                                         "[1]",
                                         "\"separable\"",
                                         "\"touching\"",
                                         "\"overlapping\"",
                                         "\"not separable\"",
                                         "99999999999999999999",
                                         "\"+1\"",
                                         "\"01\"" };
    const size_t length = strlen(text);

    for (size_t i = 1; i < length; i++) {
        const char before = text[i - 1];
        if (strchr("[{,:", before) == NULL || strchr("]}", text[i]) != NULL) continue;
        size_t n = value_end(text + i);
        for (size_t k = 0; k < COUNT(other); k++)
            replaced(t, text, i, n, other[k], strlen(other[k]));
        if (before == ':') continue;
        if (text[i + n] == ':') n += 1 + value_end(text + i + n + 1); /* a member */
        replaced(t, text, i, text[i + n] == ',' ? n + 1 : n, "", 0);
        if (before == ',') replaced(t, text, i - 1, n + 1, "", 0);
        char *twice = malloc(2 * n + 2), *swapped;
        sprintf(twice, "%.*s,%.*s", (int)n, text + i, (int)n, text + i);
        replaced(t, text, i, n, twice, 2 * n + 1);
        free(twice);
        if (text[i + n] != ',') continue;
        size_t m = value_end(text + i + n + 1);
        if (text[i + n + 1 + m] == ':') m += 1 + value_end(text + i + n + m + 2);
        swapped = malloc(n + m + 2);
        sprintf(swapped, "%.*s,%.*s", (int)m, text + i + n + 1, (int)n, text + i);
        replaced(t, text, i, n + 1 + m, swapped, n + m + 1);
        free(swapped);
    }
}

TEST(nothing_can_be_changed_into_something_false)
{
    for (size_t i = 0; i < T_CERTS; i++) {
        struct tamper t = { .cert = &t_certs[i], .ds = data_of(t_certs[i].data) };
        char *text = certificate_of(t_certs[i].text, t.ds);

        assert_int_equal(canonical_hash(t.ds, t.hash, NULL), PERC_OK);
        tamper_characters(&t, text);
        tamper_values(&t, text);
        assert_true(t.tried > 1000 && t.refuted > 50 && t.malformed > 500);
        assert_true(t.still_true < t.tried / 20);
        free(text);
        perc_dataset_free(t.ds);
    }
}

/* ----- what is said -------------------------------------------------------------------------- */

/* The certificate `name` with `from` replaced by `to`. */
static enum outcome edited(const char *name, const char *from, const char *to, perc_check *out,
                           perc_error *err)
{
    size_t i = 0;

    while (i < T_CERTS && strcmp(t_certs[i].name, name) != 0) i++;
    assert_true(i < T_CERTS);
    perc_dataset *ds = data_of(t_certs[i].data);
    char *text = certificate_of(t_certs[i].text, ds), *at = strstr(text, from);
    assert_non_null(at);
    char *s = malloc(strlen(text) + strlen(to) + 1);
    sprintf(s, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    const enum outcome got = check(s, ds, out, err);
    free(s);
    free(text);
    perc_dataset_free(ds);
    return got;
}

TEST(reasons_name_the_culprit)
{
    static const struct {
        const char *name, *from, *to, *reason;
        int row, part;
    } t[] = {
        { "and", "-3", "-4", "row 4 is on the plane itself: y (w.x + b) = 0", 3, 0 },
        { "and", "-3", "-7", "row 4 is on the wrong side: y (w.x + b) = -3", 3, 0 },
        { "touching", "\"2\"]],\"b\":\"-1\"", "\"2\"]],\"b\":\"-2\"",
          "row 1 is on the wrong side: y (w.x + b) = -1", 0, 0 },
        { "touching", "\"b\":\"-1\"", "\"b\":\"1\"", "row 2 is on the wrong side: y (w.x + b) = -2",
          1, 0 },
        { "touching", "[[1,\"2\"]],\"b\":\"-1\"", "[[1,\"-10\"]],\"b\":\"5\"",
          "row 3 is on the wrong side: y (w.x + b) = -95", 2, 0 },
        { "powers of ten", "[[1,\"1\"]],\"b\":\"-2\"", "[[1,\"1\"]],\"b\":\"2\"",
          "row 2 is on the wrong side: y (w.x + b) = -3", 1, 1 },
        { "powers of ten", "[\"10\",\"11\",\"1\"]", "[\"9\",\"10\",\"1\"]",
          "the weighted sum of the rows of \"no\" is not 0 in feature 1", -1, 0 },
        { "powers of ten", "[\"10\",\"11\",\"1\"]", "[\"10\",\"12\",\"1\"]",
          "the weighted sum of the rows of \"no\" is not 0 in the offset", -1, 0 },
        { "powers of ten", "[1,2,3]", "[1,2,4]", "row 4 has neither of the two labels", 3, 0 },
        { "powers of ten", "[1,2,3]", "[1,2,5]", "there is no row 5", -1, 0 },
        { "powers of ten", "[1,2],\"weights\":[\"10\",\"11\"]", "[1,2],\"weights\":[\"10\",\"12\"]",
          "rows of \"all\" is not 0 in the offset", -1, 0 },
        { "xor", "\"weights\":[\"1\",\"1\",\"1\",\"1\"]", "\"weights\":[\"1\",\"1\",\"1\",\"0\"]",
          "the weight of row 4 is not above 0", 3, 0 },
        { "xor", "\"weights\":[\"1\",\"1\",\"1\",\"1\"]",
          "\"weights\":[\"-1\",\"-1\",\"-1\",\"-1\"]", "the weight of row 1 is not above 0", 0, 0 },
        { "touching", "\"all\":{\"rows\":[2]", "\"all\":{\"rows\":[3]", "row 3 is not on the plane",
          2, 0 },
        { "and", "\"separable\",",
          "\"touching\",\"no\":{\"rows\":[1],\"weights\":[\"1\"]},"
          "\"all\":{\"rows\":[],\"weights\":[],\"others\":\"1\"},",
          "it is not touching, but separable", -1, 0 },
        { "xor", "\"overlapping\",\"strict\":0,\"held\":4,",
          "\"touching\",\"strict\":0,\"held\":4,\"w\":[],\"b\":\"0\",",
          "it is not touching, but overlapping", -1, 0 },
        { "rbf, touching", "\"touching\"", "\"overlapping\"", "it is not overlapping: 3 rows", -1,
          0 },
        { "rbf, touching",
          "\"touching\",\"strict\":3,\"held\":2,"
          "\"no\":{\"rows\":[1,2],\"weights\":[\"1\",\"1\"]}",
          "\"separable\",\"strict\":3,\"held\":2", "it is not separable: 2 rows", -1, 0 },
        { "touching", "\"others\":\"3\"", "\"others\":\"2\"", "\"all\" is not 0", -1, 0 },
        { "xor", "\"others\":\"1\"", "\"others\":\"0\"", "other rows is not above 0", -1, 0 },
        { "touching", "\"strict\":2,\"held\":3", "\"strict\":3,\"held\":2",
          "strict and held are 2 and 3, not 3 and 2", -1, 0 },
        { "and", "\"1\"", "\"3\"", "the data have no such label", -1, 0 },
        { "and", "\"-1\"", "\"-1.0\"", "the data have no such label", -1, 0 },
        { "rbf, touching", "[1,2]", "[1,5]", "the rows 1 and 5 are not equal", 4, 0 },
        { "rbf, touching", "[1,2]", "[3,4]", "two rows with different labels", -1, 0 },
        { "rbf, no", "[1,2],\"weights\":[\"1\",\"1\"]", "[1],\"weights\":[\"1\"]",
          "two rows with different labels", -1, 0 },
        { "rbf, touching", "[\"1\",\"1\"]", "[\"2\",\"2\"]", "the weights must be 1", 0, 0 },
        { "rbf, touching", "[\"1\",\"1\"]", "[\"1\",\"4611686018427387905\"]",
          "the weights must be 1", 1, 0 },
        { "iris, pairs", "\"rows\":150", "\"rows\":149", "these are other data: 150 rows", -1, -1 },
        { "iris, pairs", "\"features\":4", "\"features\":5", "these are other data: 4 features", -1,
          -1 },
        { "poly, constant", "[[],\"1\"]", "[[],\"1\"],[[],\"1\"]", "twice", -1, 0 },
        { "poly", "[[1],\"2\"]", "[[1],\"1\"],[[1],\"1\"]", "twice", -1, 0 },
    };

    for (size_t i = 0; i < COUNT(t); i++) {
        perc_check c;
        perc_error err = { 0 };
        const enum outcome got = edited(t[i].name, t[i].from, t[i].to, &c, &err);

        if (got == MALFORMED) fail_msg("%zu: %s", i, err.text);
        if (got != REFUTED || strstr(c.reason, t[i].reason) == NULL)
            fail_msg("%zu: '%s', not '%s'", i, c.reason, t[i].reason);
        assert_int_equal(c.row, t[i].row);
        assert_int_equal(c.part, t[i].part);
    }
}

/* With an rbf kernel a proof is two equal rows with both labels. */
TEST(rows_that_differ_anywhere_are_not_equal)
{
    static const char *const data[] = {
        "1 1:1 2:3\n-1 1:2 2:3\n",  "1 1:1 2:3\n-1 1:1 2:4\n",    "1 1:1 2:3\n-1 1:10 2:30\n",
        "1 1:1 2:3\n-1 1:1\n",      "1 1:1 3:3\n-1 2:1 3:3\n",    "1 1:1 2:3\n-1 1:-1 2:3\n",
        "1 1:1 2:3\n-1 1:1 2:-3\n", "1 1:0.1 2:3\n-1 1:1 2:30\n",
    };

    for (size_t i = 0; i < COUNT(data); i++) {
        perc_dataset *ds = data_of(data[i]);
        char text[500];
        perc_check c;
        perc_error err = { 0 };

        snprintf(text, sizeof text,
                 T_HEAD(2, % d, true, T_RBF) T_TWO("not separable") "\"no\":{\"rows\":[1,2],"
                                                                    "\"weights\":[\"1\",\"1\"]}}]}",
                 strstr(data[i], "3:") ? 3 : 2);
        char *s = certificate_of(text, ds);
        assert_int_equal(check(s, ds, &c, &err), REFUTED);
        assert_non_null(strstr(c.reason, "the rows 1 and 2 are not equal"));
        free(s);
        perc_dataset_free(ds);
    }
}

/* A reason shows 20 bytes of a label, or fewer where a character would be cut. */
TEST(labels_are_cut_between_characters)
{
    perc_check c;
    perc_error err = { 0 };

    assert_int_equal(edited("and", "\"1\"", "\"123456789012345678\xe2\x82\xac\"", &c, &err),
                     REFUTED);
    assert_non_null(strstr(c.reason, "(123456789012345678 against -1)"));
    assert_int_equal(edited("and", "\"1\"", "\"12345678901234567\xe2\x82\xacx\"", &c, &err),
                     REFUTED);
    assert_non_null(strstr(c.reason, "(12345678901234567\xe2\x82\xac against -1)"));
}

TEST(malformed_ones_say_where)
{
    static const struct {
        const char *name, *from, *to, *text;
    } t[] = {
        { "and", "_certificate\":1", "_certificate\":2", "version" },
        { "and", "\"kernel\"", "\"kernels\"", "kernels: there is no such field" },
        { "and", "\"perceptron_certificate\":1,", "", "perceptron_certificate is missing" },
        { "and", "\"offset\":true,", "", "offset: this field is missing" },
        { "and", "\"offset\":true,", "\"offset\":true,\"offset\":true,", "twice" },
        { "and", "\"offset\":true,", "\"offset\":1,", "true or false" },
        { "and", "\"offset\":true,", "\"offset\":false,", "'b' does not belong" },
        { "and", ",\"b\":\"-3\"", "", "'b' is missing" },
        { "and", "\"separable\"", "\"touching\"", "'no' is missing" },
        { "and", "[[1,\"2\"],[2,\"2\"]]", "[[2,\"2\"],[1,\"2\"]]", "must be in increasing order" },
        { "and", "[[1,\"2\"],[2,\"2\"]]", "[[1,\"2\"],[1,\"2\"]]", "must be in increasing order" },
        { "and", "[1,\"2\"]", "[1,\"0\"]", "left out" },
        { "and", "[1,\"2\"]", "[3,\"2\"]", "no such feature" },
        { "and", "[1,\"2\"]", "[[1],\"2\"]", "polynomial" },
        { "and", "[1,\"2\"]", "[1,2]", "in quotes" },
        { "and", "[1,\"2\"]", "[1,\"2\",3]", "[feature" },
        { "and", "\"-3\"", "\"- 3\"", "whole number" },
        { "and", "\"-3\"", "\"-0\"", "whole number" },
        { "and", "\"positive\":\"1\"", "\"positive\":\"-1\"", "against itself" },
        { "and", "}]}", "}]}x", "" },
        { "and", "}]}", "}", "" },
        { "poly", "[[1],\"2\"]", "[1,\"2\"]", "arrays of features" },
        { "poly", "[[1,2],", "[[1,2,2],", "another degree" },
        { "poly", "[[1,2],", "[[2,1],", "must be in increasing order" },
        { "poly", "[[1],\"2\"]", "[[],\"2\"]", "is b" },
        { "poly, homogeneous", "[[1,1],", "[[1],", "another degree" },
        { "poly", "\"degree\":2", "\"degree\":0", "degree" },
        { "poly", "\"degree\":2,", "", "missing" },
        { "poly", "\"poly\"", "\"rbf\"", "degree: this field does not belong" },
        { "rbf", "\"rbf\"", "\"sigmoid\"", "expected" },
        { "xor", "[1,2,3,4]", "[1,2,3]", "as many as rows" },
        { "xor", "[1,2,3,4]", "[1,2,2,4]", "must be in increasing order" },
        { "xor", "[1,2,3,4]", "[0,2,3,4]", "from 1" },
        { "xor", ",\"others\":\"1\"", "", "others: this field is missing" },
        { "xor, no", "\"5\"]}", "\"5\"],\"others\":\"1\"}",
          "others: this field does not belong here" },
        { "xor, no", "\"no\":{\"rows\":[1,2,3,4],\"weights\":[\"5\",\"5\",\"5\",\"5\"]}",
          "\"no\":{\"rows\":[],\"weights\":[]}", "at least one" },
        { "iris, pairs", "\"positive\":\"setosa\",\"negative\":null",
          "\"positive\":\"versicolor\",\"negative\":\"setosa\"", "again" },
    };

    for (size_t i = 0; i < COUNT(t); i++) {
        perc_check c;
        perc_error err = { 0 };

        if (edited(t[i].name, t[i].from, t[i].to, &c, &err) != MALFORMED)
            fail_msg("%zu: it was read", i);
        if (strstr(err.text, t[i].text) == NULL)
            fail_msg("%zu: '%s', not '%s'", i, err.text, t[i].text);
    }
}

TEST(claims_are_told)
{
    perc_check c;
    perc_error err = { 0 };

    assert_int_equal(edited("iris, pairs", "{", "{", &c, &err), TRUE_);
    assert_int_equal(c.parts, 2);
    assert_int_equal(c.verdicts[PERC_SEPARABLE], 2);
    assert_string_equal(c.claim[0].negative, "setosa");
    assert_string_equal(c.claim[1].negative, "");
    assert_int_equal(c.claim[0].rows, 100);
    assert_string_equal(c.kernel, "none");
    assert_int_equal(edited("poly", "{", "{", &c, &err), TRUE_);
    assert_string_equal(c.kernel, "poly");
    assert_int_equal(c.degree, 2);
    assert_false(c.homogeneous);
}

/* ----- files ------------------------------------------------------------------------------- */

TEST(files_and_their_errors)
{
    perc_dataset *ds = data_of(":xor");
    char *text = certificate_of(t_certs[2].text, ds);
    perc_check c;
    perc_error err = { 0 };
    const char *where = NULL;

    assert_int_equal(t_put("c.json", text), 0);
    assert_int_equal(perc_verify(NULL, "c.json", ":xor", NULL, &c, &where, &err), PERC_OK);
    assert_true(c.valid);
    assert_int_equal(perc_verify(NULL, "c.json", ":and", NULL, &c, &where, &err), PERC_OK);
    assert_false(c.valid);
    assert_non_null(strstr(c.reason, "these are other data (hash"));
    assert_int_equal(perc_verify(NULL, "-", "-", NULL, &c, &where, &err), PERC_EARG);
    assert_int_equal(perc_verify(NULL, "none.json", ":xor", NULL, &c, &where, &err), PERC_EIO);
    assert_string_equal(where, "none.json");
    assert_int_equal(perc_verify(NULL, "c.json", "none", NULL, &c, &where, &err), PERC_EIO);
    assert_string_equal(where, "none");
    assert_int_equal(t_put("bad", "1 1:x\n"), 0);
    assert_int_equal(perc_verify(NULL, "c.json", "bad", NULL, &c, &where, &err), PERC_EDATA);
    assert_string_equal(where, "bad");
    assert_int_equal(perc_verify(NULL, "bad", "bad", NULL, &c, &where, &err), PERC_EDATA);
    assert_int_equal(err.line, 1);
    free(text);
    perc_dataset_free(ds);
}

/* ----- large numbers, many rows, threads ----------------------------------------------------- */

/* Rows x = i on a line, positive above 0: w = 10^2000, b = -10^2000 / 2, over many rows; the
 * neighbours 10^-k of the plane on either side are told apart. */
TEST(digits_far_behind_the_point)
{
    char *data = malloc(1 << 20), *at = data, digits[2100], text[6000];

    memset(digits, '0', sizeof digits);
    digits[0] = '1', digits[300] = '\0';
    at += sprintf(at, "1 1:0.5%s1\n-1 1:0.4", digits + 1);
    for (int i = 0; i < 300; i++) *at++ = '9';
    at += sprintf(at, "\n");
    for (int i = 1; i < 2000; i++) at += sprintf(at, "%d 1:%d\n", i % 2 ? 1 : -1, i % 2 ? i : -i);
    perc_dataset *ds = data_of(data);
    for (int k = 0; k < 3; k++) {
        /* 2 10^300 (x - 1/2) = 2 10^300 x - 10^300 */
        sprintf(
            text,
            T_HEAD(2001, 1, true, "null") T_TWO(
                "separable") "\"strict\":2001,\"held\":0,\"w\":[[1,\"2%s0\"]],\"b\":\"-1%s%s\"}]}",
            digits + 1, digits + 1,
            k == 0   ? "0"
            : k == 1 ? "1"
                     : "2");
        char *s = certificate_of(text, ds);
        perc_check c;
        perc_error err = { 0 };
        const enum outcome got = check(s, ds, &c, &err);

        /* row 1 is at 2 10^300 10^-301 = 1/5 above: b may not go 1 lower */
        if (got != (k == 0 ? TRUE_ : REFUTED)) fail_msg("%d: %s%s", k, c.reason, err.text);
        if (k > 0) assert_int_equal(c.row, 0);
        free(s);
    }
    perc_dataset_free(ds);
    free(data);
}

/* A sum over rows may span as many powers of ten as a row may, and not many more. */
TEST(rows_span_as_many_powers_of_ten_as_one_may)
{
    for (int more = 0; more < 2; more++) {
        const struct env e = env_resolve(NULL);
        char data[100];
        struct certificate c;
        perc_check out;
        perc_error err = { 0 };

        snprintf(data, sizeof data, "1 1:1\n-1 1:1e-%d\n",
                 more ? INTEGER_FIGURES * (VECTOR_PLACES + 1) : VECTOR_SPAN);
        perc_dataset *ds = data_of(data);
        char *s = certificate_of(T_HEAD(2, 1, false, "null")
                                     T_TWO("not separable") "\"no\":{\"rows\":[1,2],"
                                                            "\"weights\":[\"1\",\"1\"]}}]}",
                                 ds);
        assert_int_equal(certificate_read(&e, s, strlen(s), NULL, &c, &err), PERC_OK);
        const perc_status st = verify_certificate(&e, &c, ds, NULL, &out, &err);
        assert_int_equal(st, more ? PERC_EDATA : PERC_OK);
        if (more) assert_non_null(strstr(err.text, "the rows span more than"));
        assert_false(out.valid);
        certificate_free(&c);
        free(s);
        perc_dataset_free(ds);
    }
}

/* Rows are equal if they have the same numbers at the same places of the same features. */
TEST(rows_that_only_look_equal)
{
    static const char *const pair[] = { "1 1:1\n-1 1:2\n", "1 1:1\n-1 1:1e9\n", "1 1:1\n-1 1:-1\n",
                                        "1 1:1 3:1\n-1 2:1 3:1\n", "1 1:1 3:1\n-1 3:1\n" };

    for (size_t i = 0; i < COUNT(pair); i++) {
        perc_dataset *ds = data_of(pair[i]);
        char *text = certificate_of(
            i < 3 ? T_HEAD(2, 1, true, T_RBF) T_NO_TWO : T_HEAD(2, 3, true, T_RBF) T_NO_TWO, ds);
        perc_check c;
        perc_error err = { 0 };

        assert_int_equal(check(text, ds, &c, &err), REFUTED);
        assert_string_equal(c.reason,
                            "part 1 (1 against -1): \"no\": the rows 1 and 2 are not equal");
        free(text);
        perc_dataset_free(ds);
    }
}

/* A number takes the digits that it has, however far it is from others: the cost of a certificate
 * does not hang on powers of ten. */
TEST(numbers_far_apart_have_few_digits)
{
    perc_dataset *ds = data_of("1 1:1e300 2:-1e-300 3:123456789012345678901e8 4:1e-9999\n-1 1:1\n");
    const struct space s = { .ds = ds, .kind = CERT_ROWS, .constant = true };
    const struct env e = env_resolve(NULL);
    struct vector x;

    vector_init(&x, &e);
    assert_int_equal(vector_row(&x, &s, 0, NULL), PERC_OK);
    assert_int_equal(x.n, 5);
    for (size_t k = 0; k < x.n; k++) assert_true(x.entry[k].value.n <= (k == 2 ? 4 : 1));
    assert_int_equal(x.entry[0].place, 33); /* 10^300 = 10^3 10^(9 33) */
    assert_int_equal(x.entry[0].value.digit[0], 1000);
    assert_int_equal(x.entry[1].place, -34);
    assert_true(x.low == -1111 && x.high == 34);
    vector_free(&x);
    perc_dataset_free(ds);
}

/* Rows on the plane (W, -W), in which every digit of w cancels at places that are far apart; then
 * the last digit of one number is another. */
TEST(digits_that_cancel_at_every_place)
{
    char w[3001], *text = malloc(10000);

    for (size_t i = 0; i < 3000; i++) w[i] = (char)('1' + i * i % 9);
    w[3000] = '\0';
    for (int wrong = 0; wrong < 2; wrong++) {
        char data[300];
        snprintf(data, sizeof data,
                 "1 1:7e-301 2:7e-301 3:1\n-1 1:7e-301 2:7e-301 3:-1\n"
                 "1 1:12345678901234567.8e290 2:12345678901234567.8e290\n"
                 "-1 1:12345678901234567.8e290 2:12345678901234567.8%se290\n",
                 wrong ? "00000000000000001" : "");
        perc_dataset *ds = data_of(data);
        sprintf(text,
                T_HEAD(4, 3, true, "null")
                    T_TWO("touching") "\"strict\":2,\"held\":2,\"w\":[[1,\"%s\"],[2,\"-%s\"],"
                                      "[3,\"1\"]],\"b\":\"0\",\"no\":{\"rows\":[3,4],"
                                      "\"weights\":[\"1\",\"1\"]},\"all\":{\"rows\":[],"
                                      "\"weights\":[],\"others\":\"1\"}}]}",
                w, w);
        char *s = certificate_of(text, ds);
        perc_check c;
        perc_error err = { 0 };
        assert_int_equal(check(s, ds, &c, &err), wrong ? REFUTED : TRUE_);
        if (wrong) assert_non_null(strstr(c.reason, "strict and held are 3 and 1"));
        free(s);
        perc_dataset_free(ds);
    }
    free(text);
}

/* ----- long numbers ------------------------------------------------------------------------ */

static const char two_rows[] = "1 1:1 2:1\n-1 1:-1 2:-1\n";

/* w = (10^n, -(10^n + d)), so that a.w is -d for both rows: all digits but the last cancel. */
static char *long_plane(size_t n, int d, const perc_dataset *ds)
{
    char *text = malloc(2 * n + 1000), *zeros = malloc(n + 1), *out;

    memset(zeros, '0', n);
    zeros[n] = '\0';
    sprintf(
        text,
        "{\"perceptron_certificate\":1,\"data\":{\"sha256\":\"HASH\",\"rows\":2,\"features\":2},"
        "\"offset\":true,\"kernel\":null,\"parts\":[{\"positive\":\"1\",\"negative\":\"-1\","
        "\"verdict\":\"separable\",\"strict\":2,\"held\":0,\"w\":[[1,\"1%s\"],[2,\"-",
        zeros);
    if (d < 0) memset(zeros, '9', n); /* 10^n - 1 */
    else if (d > 0) zeros[n - 1] = '1';
    sprintf(text + strlen(text), "%s%s\"]],\"b\":\"0\"}]}", d < 0 ? "" : "1", zeros);
    out = certificate_of(text, ds);
    free(text);
    free(zeros);
    return out;
}

TEST(the_last_of_many_digits_decides)
{
    perc_dataset *ds = data_of(two_rows);

    for (size_t n = 1; n < 3000; n += n < 400 ? 1 : 97)
        for (int d = -1; d <= 1; d++) {
            char *text = long_plane(n, d, ds);
            perc_check c;
            perc_error err = { 0 };

            if (check(text, ds, &c, &err) != (d < 0 ? TRUE_ : REFUTED))
                fail_msg("%zu digits, %d: %s", n, d, c.reason);
            if (d >= 0)
                assert_non_null(strstr(c.reason, d > 0 ? "on the wrong side" : "on the plane"));
            free(text);
        }
    perc_dataset_free(ds);
}

/* ----- memory ------------------------------------------------------------------------------- */

static void sweep(const char *text, const perc_dataset *ds, bool valid)
{
    for (struct t_sweep s = { .least = 3 }; t_sweep_next(&s);) {
        const struct env e = env_resolve(&s.env);
        struct certificate c;
        perc_check out;
        perc_error err = { 0 };
        perc_status st = certificate_read(&e, text, strlen(text), NULL, &c, &err);

        if (st == PERC_OK) {
            st = verify_certificate(&e, &c, ds, NULL, &out, &err);
            certificate_free(&c);
        }
        t_sweep_judge(&s, st);
        assert_true(st != PERC_OK || out.valid == valid);
    }
}

TEST(memory_runs_out_anywhere)
{
    for (size_t i = 0; i < T_CERTS; i++) {
        perc_dataset *ds = data_of(t_certs[i].data);
        char *text = certificate_of(t_certs[i].text, ds);

        sweep(text, ds, true);
        free(text);
        perc_dataset_free(ds);
    }
}

/* Long numbers and refutations need it in other places; so does a table of products that grows. */
TEST(memory_runs_out_of_long_numbers)
{
    static const struct {
        const char *data, *text;
    } t[] = {
        { "1 1:0.00012345678901234567890123456789012345678900\n-1 1:-1e3\n",
          T_HEAD(2, 1, true, "null")
              T_TWO("separable") "\"strict\":2,\"held\":0,\"w\":[[1,\"2\"]],\"b\":\"0\"}]}" },
        { "1 1:1234567890123456789012345678901234567890\n"
          "-1 1:1234567890123456789012345678901234567890\n",
          T_HEAD(2, 1, true, "null") T_TWO(
              "overlapping") "\"strict\":0,\"held\":2,\"no\":{\"rows\":[1,2],\"weights\":[\"1\","
                             "\"1\"]},\"all\":{\"rows\":[],\"weights\":[],\"others\":\"1\"}}]}" },
        { "1 1:1 2:2 3:3 4:4 5:5 6:6 7:7\n-1 1:1 2:2 3:3 4:4 5:5 6:6 7:7\n",
          T_HEAD(2, 7, true, "{\"name\":\"poly\",\"degree\":3,\"homogeneous\":false}")
              T_TWO("not separable") "\"no\":{\"rows\":[1,2],\"weights\":[\"1\",\"1\"]}}]}" },
    };
    perc_dataset *ds = data_of(two_rows);

    for (int d = -1; d <= 1; d++) {
        char *text = long_plane(300, d, ds);
        sweep(text, ds, d < 0);
        free(text);
    }
    perc_dataset_free(ds);
    for (size_t i = 0; i < COUNT(t); i++) {
        ds = data_of(t[i].data);
        char *text = certificate_of(t[i].text, ds);
        sweep(text, ds, true);
        free(text);
        perc_dataset_free(ds);
    }
}

/* Problems without fields, each of which would take more memory than its text, end at the first. */
TEST(empty_problems_are_refused_one_by_one)
{
    perc_dataset *ds = data_of(":xor");
    char *text = certificate_of(T_HEAD(4, 2, true, "null") "{},{},{},x", ds);
    const int column = (int)strlen(text) - 8;
    perc_check c;
    perc_error err = { 0 };

    assert_int_equal(check(text, ds, &c, &err), MALFORMED);
    assert_string_equal(err.text, "positive: this field is missing");
    assert_int_equal(err.column, column);
    free(text);
    perc_dataset_free(ds);
}

/* ----- limits ------------------------------------------------------------------------------ */

static int stop_at_once(void *ud, const perc_event *e)
{
    assert_true(e->epoch == 0 && e->examples == 0 && e->row == -1);
    ++*(int *)ud;
    return 1;
}

/* Stops when it has been asked so many times. */
static bool stop_later(void *ud, int64_t part)
{
    int *left = ud;

    assert_true(part >= 0);
    return (*left)-- > 0;
}

/* Runs it with 0, 1, 2, ... asks until it comes to its end; says how many that takes. */
static int asks_of(const char *text, const perc_dataset *ds)
{
    const struct env e = env_resolve(&(perc_env){ .threads = 1 });
    perc_status st = PERC_EUNDECIDED;
    int asks = 0;

    for (; st == PERC_EUNDECIDED; asks++) {
        int left = asks;
        const struct watch watch = { stop_later, &left };
        struct certificate c;
        perc_check out;
        perc_error err = { 0 };

        st = certificate_read(&e, text, strlen(text), &watch, &c, &err);
        assert_true(asks >= 10 || st == PERC_EUNDECIDED); /* no certificate is so short */
        if (st == PERC_OK) {
            st = verify_certificate(&e, &c, ds, &watch, &out, &err);
            assert_true(out.valid == (st == PERC_OK));
            certificate_free(&c);
        }
        assert_true(st == PERC_OK || strstr(err.text, "neither verified nor refuted") != NULL);
        assert_true(asks < 1000);
    }
    assert_int_equal(st, PERC_OK);
    return asks;
}

/* Reading and checking can be stopped wherever they ask, and leave nothing behind. */
TEST(it_stops_wherever_it_asks)
{
    for (size_t i = 0; i < T_CERTS; i++) {
        perc_dataset *ds = data_of(t_certs[i].data);
        char *text = certificate_of(t_certs[i].text, ds);

        asks_of(text, ds);
        free(text);
        perc_dataset_free(ds);
    }
    int left = 0;
    perc_dataset *ds;
    perc_error err = { 0 };
    assert_int_equal(t_put("data", two_rows), 0);
    assert_refused(
        read_exact_watched(NULL, "data", NULL, &(struct watch){ stop_later, &left }, &ds, &err),
        PERC_EUNDECIDED, &err, "stopped while the data were read");
    assert_null(ds);
}

/* A long number of the data is asked for by itself, in planes and in sums. */
TEST(long_numbers_ask_for_themselves)
{
    static const char *const text[] = {
        T_HEAD(2, 1, false, "null")
            T_TWO("separable") "\"strict\":2,\"held\":0,\"w\":[[1,\"1\"]]}]}",
        T_HEAD(2, 1, false, "null") T_NO_TWO
    };
    int asks[2][2];

    for (int k = 0; k < 2; k++)
        for (int figures = 1; figures <= 1000; figures += 999) {
            char data[2100], *number = calloc(1, (size_t)figures + 1);
            memset(number, '3', (size_t)figures);
            snprintf(data, sizeof data, "1 1:0.%s\n-1 1:%s0.%s\n", number, k == 0 ? "-" : "",
                     number);
            perc_dataset *ds = data_of(data);
            char *s = certificate_of(text[k], ds);
            asks[k][figures > 1] = asks_of(s, ds);
            free(s);
            free(number);
            perc_dataset_free(ds);
        }
    assert_int_equal(asks[0][1], asks[0][0] + 2);
    assert_int_equal(asks[1][1], asks[1][0] + 2);
}

TEST(a_limit_and_an_observer_stop_it)
{
    perc_dataset *ds = data_of(two_rows);
    char *text = long_plane(100, -1, ds);
    int calls = 0;
    const perc_observer watch = { .notify = stop_at_once, .ud = &calls };
    perc_params *limit, *other;
    perc_error err = { 0 };
    perc_check c;

    assert_int_equal(t_put("long.json", text), 0);
    assert_int_equal(perc_params_new(NULL, "verify", &limit, &err), PERC_OK);
    assert_int_equal(perc_params_new(NULL, "prove", &other, &err), PERC_OK);
    assert_int_equal(
        perc_verify_watched(NULL, "long.json", "data", NULL, limit, NULL, &c, NULL, &err), PERC_OK);
    assert_true(c.valid);
    assert_refused(
        perc_verify_watched(NULL, "long.json", "data", NULL, limit, &watch, &c, NULL, &err),
        PERC_EUNDECIDED, &err, "neither verified nor refuted");
    assert_int_equal(calls, 1);
    assert_false(c.valid);
    assert_int_equal(perc_params_set(limit, "time-limit", "1e-9", &err), PERC_OK);
    assert_refused(
        perc_verify_watched(NULL, "long.json", "data", NULL, limit, NULL, &c, NULL, &err),
        PERC_EUNDECIDED, &err, "neither verified nor refuted");
    assert_refused(
        perc_verify_watched(NULL, "long.json", "data", NULL, other, NULL, &c, NULL, &err),
        PERC_EARG, &err, "where the kind 'verify' is expected");
    perc_params_free(other);
    perc_params_free(limit);
    free(text);
    perc_dataset_free(ds);
}

/* Numbers that would take all memory or time, and data that were changed on the way in. */
TEST(what_is_too_much_is_refused)
{
    static const struct {
        const char *data, *text, *why;
    } t[] = {
        { "1 1:1e-200000 2:1\n-1 1:1\n",
          T_HEAD(2, 2, true, "null")
              T_TWO("separable") "\"strict\":2,\"held\":0,\"w\":[[2,\"2\"]],\"b\":\"-1\"}]}",
          "too much for a proof" },
        { "1 1:1e-200000\n-1 1:1\n",
          T_HEAD(2, 1, false, "null")
              T_TWO("not separable") "\"no\":{\"rows\":[1,2],\"weights\":[\"1\",\"1\"]}}]}",
          "the rows span more than" },
    };
    perc_error err = { 0 };
    perc_params *p;
    perc_check c;

    for (size_t i = 0; i < COUNT(t); i++) {
        perc_dataset *ds = data_of(t[i].data);
        char *text = certificate_of(t[i].text, ds);
        assert_int_equal(t_put("c.json", text), 0);
        assert_refused(perc_verify(NULL, "c.json", "data", NULL, &c, NULL, &err), PERC_EDATA, &err,
                       t[i].why);
        free(text);
        perc_dataset_free(ds);
    }
    char *digits = calloc(1, CERT_DIGITS + 4);
    memset(digits, '9', CERT_DIGITS + 1);
    digits[0] = '"', digits[CERT_DIGITS + 1] = '9', digits[CERT_DIGITS + 2] = '"';
    assert_int_equal(edited("and", "\"-3\"", digits, &c, &err), MALFORMED);
    assert_non_null(strstr(err.text, "more than 200,000 digits"));
    free(digits);
    assert_int_equal(perc_params_new(NULL, "data", &p, NULL), PERC_OK);
    assert_int_equal(perc_params_set(p, "map", "poly:2", NULL), PERC_OK);
    assert_refused(perc_verify(NULL, "c.json", "data", p, &c, NULL, &err), PERC_EARG, &err,
                   "read with a map");
    perc_params_free(p);
}
