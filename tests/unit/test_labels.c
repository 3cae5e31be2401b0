/* test_labels.c -- the labels of a data set: which texts are one label, and in which
 * order they stand, whatever the order of the file. */
#include <math.h>

#include "base/number.h"
#include "data/labels.h"
#include "t.h"
#include "t_alloc.h"
#include "vec/rng.h"

static uint32_t add(struct labels *l, const char *text)
{
    perc_error err = { 0 };
    uint32_t id = 12345;

    if (labels_add(l, text, strlen(text), &id, &err)) fail_msg("'%s': %s", text, err.text);
    return id;
}

static uint32_t find(const struct labels *l, const char *text)
{
    return labels_find(l, text, strlen(text));
}

/* ----- canonical forms ------------------------------------------------------------ */

TEST(forms_of_one_number_are_one_label)
{
    /* The first is the canonical form. */
    static const char *const same[][6] = {
        { "1", "+1", "1.0", "1e0", "1.", "0.1e1" },
        { "-1", "-1.000", "-1e0", "-1e-00", "-10e-1", "-.1e1" },
        { "0", "-0", "+0", "0.0", "-0e5", ".0" },
        { "0.5", ".5", "5e-1", "+.5", "0.50", "500e-3" },
        { "1e+17", "100000000000000000", "1e17", "+1E17", "1.0e+17", "10e16" },
        { "0.1", ".1", "1e-1", "+0.1", "0.10", "0.0001e3" },
        { "0.0001", "1e-4", "1e-04", ".0001", "0.00010", "+0.1e-3" },
        { "1.2e-05", "12e-6", "0.000012", ".0000120", "1.2E-5", "+120e-7" },
        { "9007199254740993", "+9007199254740993", "9007199254740993.0", "9.007199254740993e15",
          "90071992547409930e-1", ".9007199254740993e16" },
        { "1.23456789012345678e+17", "123456789012345678", "+123456789012345678.000",
          "1.23456789012345678e17", "12345678901234567800e-2", "0.123456789012345678e18" },
        { "1.0000000000000000000000000000000000000001",
          "1.00000000000000000000000000000000000000010",
          "+1.0000000000000000000000000000000000000001",
          "10000000000000000000000000000000000000001e-40",
          "0.10000000000000000000000000000000000000001e1",
          "1.0000000000000000000000000000000000000001e-0" },
        { "1e-999998", "0.1e-999997", "10e-999999", "+1e-999998", "1E-0999998", "1.0e-999998" },
    };
    const struct env e = env_resolve(NULL);
    struct labels l;

    for (size_t first = 0; first < 6; first++) { /* it is shown as it was written first */
        labels_init(&l, &e);
        for (uint32_t i = 0; i < COUNT(same); i++)
            for (size_t k = 0; k < 6; k++) {
                const char *text = same[i][(first + k) % 6];
                assert_int_equal(add(&l, text), i);
                assert_int_equal(find(&l, text), i);
                assert_string_equal(l.at[i].text, same[i][first]);
                assert_string_equal(l.at[i].key, same[i][0]);
                assert_true(l.at[i].number);
                assert_int_equal(perc_label_same(text, same[i][0]), 1);
                assert_int_equal(perc_label_same(text, same[i > 0 ? i - 1 : 1][k]), 0);
            }
        labels_free(&l);
    }
}

/* Numbers that are one double, and words that are nearly numbers. */
TEST(labels_that_differ_stay_apart)
{
    static const char *const apart[] = {
        "9007199254740992",
        "9007199254740993",
        "0.1",
        "0.1000000000000000055511151231257827021181583404541015625",
        "7",
        "07",
        "007",
        "-7",
        "-07",
        "0",
        "1e-400",
        "1e-999999",
        "00",
        "0.0.",
        "00.5",
        "0.5",
        "1",
        "01",
        "0x1",
        "1_0",
        "10",
        "1.00000000000000000000000000000000000000000000000000000000000000000000000000000000001",
        "1.00000000000000000000000000000000000000000000000000000000000000000000000000000000002",
        "123456789012345678901234567890",
        "123456789012345678901234567891"
    };
    const struct env e = env_resolve(NULL);
    struct labels l;

    labels_init(&l, &e);
    for (uint32_t i = 0; i < COUNT(apart); i++) {
        assert_int_equal(add(&l, apart[i]), i);
        for (uint32_t k = 0; k < i; k++) assert_int_equal(perc_label_same(apart[i], apart[k]), 0);
    }
    for (uint32_t i = 0; i < COUNT(apart); i++) assert_int_equal(find(&l, apart[i]), i);
    labels_free(&l);
}

TEST(doubles_are_labels_to_the_last_digit)
{
    static const struct {
        double v;
        const char *text;
    } table[] = { { 1, "1" },
                  { -0.0, "0" },
                  { 0.1, "0.1" },
                  { 1.0 / 3, "0.3333333333333333" },
                  { 9007199254740992, "9007199254740992" },
                  { 9007199254740994, "9007199254740994" },
                  { 1152921504606846976, "1152921504606846976" },
                  { -1e23, "-99999999999999991611392" },
                  { 5e-324, "5e-324" } };
    const struct env e = env_resolve(NULL);
    struct labels l;
    uint32_t id;

    labels_init(&l, &e);
    for (uint32_t i = 0; i < COUNT(table); i++) {
        assert_int_equal(labels_add_double(&l, table[i].v, &id, NULL), PERC_OK);
        assert_int_equal(id, i);
        assert_string_equal(l.at[i].text, table[i].text);
        assert_int_equal(find(&l, table[i].text), i);
    }
    assert_int_equal(labels_add_double(&l, 1.7976931348623157e308, &id, NULL), PERC_OK);
    assert_int_equal(strlen(l.at[id].text), 309);
    labels_free(&l);
}

TEST(words_stay_as_they_are)
{
    static const char *const words[] = {
        "spam",  "Spam", "SPAM",        "1a",   "a1",  "1.2.3",  "1e",        "-",
        "+",     ".",    "+-1",         "0x10", "1,5", "1 ",     " 1",        "",
        "nancy", "info", "information", "in",   "na",  "1e999x", "1e400.5.6", "\xc3\xa9t\xc3\xa9",
        "1_000", "--1",  "007",         "-01",  "00",  "1e5_",   "+00.5",     "01e999"
    };
    const struct env e = env_resolve(NULL);
    struct labels l;

    labels_init(&l, &e);
    for (uint32_t i = 0; i < COUNT(words); i++) {
        assert_int_equal(add(&l, words[i]), i);
        assert_string_equal(l.at[i].text, words[i]);
        assert_false(l.at[i].number);
    }
    for (uint32_t i = 0; i < COUNT(words); i++) {
        assert_int_equal(add(&l, words[i]), i);
        assert_int_equal(find(&l, words[i]), i);
    }
    assert_int_equal(find(&l, "spa"), LABEL_NONE);
    assert_int_equal(find(&l, "spamm"), LABEL_NONE);
    assert_int_equal(labels_find(&l, "spamm", 4), 0); /* the length counts, not a NUL */
    labels_free(&l);
}

TEST(numbers_that_are_not_finite_are_refused)
{
    static const char *const bad[] = { "nan",   "NaN",    "-nan",         "+NAN",
                                       "inf",   "-Inf",   "INFINITY",     "-infinity",
                                       "1e999", "-1e400", "1e99999999999" };
    const struct env e = env_resolve(NULL);
    struct labels l;
    uint32_t id;

    labels_init(&l, &e);
    for (size_t i = 0; i < COUNT(bad); i++) {
        perc_error err = { 0 };
        char want[160];
        assert_int_equal(labels_add(&l, bad[i], strlen(bad[i]), &id, &err), PERC_EDATA);
        snprintf(want, sizeof want,
                 "the label '%s' is not a finite number (with a letter in front it is a word)",
                 bad[i]);
        assert_string_equal(err.text, want);
        assert_int_equal(find(&l, bad[i]), LABEL_NONE);
    }
    assert_int_equal(l.n, 0);
    labels_free(&l);
}

TEST(numbers_too_long_to_compare_are_refused)
{
    static char longest[NUMBER_CANONICAL_DIGITS + 2] = "0.";
    const char *const bad[] = { longest, "1e-1000001", "1e-99999999999999999999" };
    const struct env e = env_resolve(NULL);
    struct labels l;
    uint32_t id;

    memset(longest + 2, '3', NUMBER_CANONICAL_DIGITS - 2);
    labels_init(&l, &e);
    assert_int_equal(add(&l, longest), 0);
    assert_string_equal(l.at[0].key, longest);
    longest[NUMBER_CANONICAL_DIGITS] = '3';
    for (size_t i = 0; i < COUNT(bad); i++) {
        perc_error err = { 0 };
        assert_refused(labels_add(&l, bad[i], strlen(bad[i]), &id, &err), PERC_EDATA, &err,
                       "has too many digits, or too small an exponent");
        assert_int_equal(find(&l, bad[i]), LABEL_NONE);
    }
    assert_int_equal(l.n, 1);
    labels_free(&l);
}

/* ----- order ------------------------------------------------------------------------- */

/* As they should stand. */
static const char *const ordered[] = {
    "-1e+300",
    "-10",
    "-9.51",
    "-9.5",
    "-1",
    "0",
    "1e-999999",
    "1e-300",
    ".5",
    "0.500000000000000001",
    "1",
    "1.00000000000000000000000000000000000000000000000000000000000000000000000000000000001",
    "1.00000000000000000000000000000000000000000000000000000000000000000000000000000000002",
    "2",
    "+10",
    "9007199254740992",
    "9007199254740993.0",
    "9007199254740994",
    "1e+17",
    "123456789012345678",
    "123456789012345679",
    "1e+300",
    "",
    "+",
    "007",
    "A",
    "B",
    "a",
    "aa",
    "ab",
    "b",
    "\xc3\xa9"
};
enum { ORDERED = COUNT(ordered) };

TEST(sorted_they_stand_by_value_then_by_bytes)
{
    const struct env e = env_resolve(NULL);
    struct rng r = rng_seed(1, 0);

    for (int round = 0; round < 50; round++) {
        uint64_t order[ORDERED];
        uint32_t map[ORDERED];
        struct labels l;
        labels_init(&l, &e);
        for (uint64_t i = 0; i < ORDERED; i++) order[i] = i;
        rng_shuffle(&r, order, ORDERED);
        for (uint32_t i = 0; i < ORDERED; i++) assert_int_equal(add(&l, ordered[order[i]]), i);
        assert_int_equal(labels_sort(&l, map), PERC_OK);
        for (uint32_t i = 0; i < ORDERED; i++) {
            assert_string_equal(l.at[i].text, ordered[i]);
            assert_int_equal(map[i], order[i]); /* old i is new order[i] */
            assert_int_equal(find(&l, ordered[i]), i);
            assert_int_equal(add(&l, ordered[i]), i);
        }
        labels_free(&l);
    }
}

TEST(the_larger_of_two_labels_is_the_later)
{
    static const char *const pairs[][2] = { { "-1", "+1" }, { "0", "1" },    { "1", "2" },
                                            { "9", "10" },  { "no", "yes" }, { "5", "spam" } };
    const struct env e = env_resolve(NULL);

    for (size_t i = 0; i < COUNT(pairs); i++)
        for (int first = 0; first < 2; first++) { /* whichever the file shows first */
            struct labels l;
            uint32_t map[2];
            labels_init(&l, &e);
            add(&l, pairs[i][first]);
            add(&l, pairs[i][1 - first]);
            assert_int_equal(labels_sort(&l, map), PERC_OK);
            assert_int_equal(find(&l, pairs[i][0]), 0);
            assert_int_equal(find(&l, pairs[i][1]), 1);
            labels_free(&l);
        }
}

TEST(no_labels_sort_too)
{
    const struct env e = env_resolve(NULL);
    struct labels l;
    uint32_t map[1];

    labels_init(&l, &e);
    assert_int_equal(find(&l, "1"), LABEL_NONE);
    assert_int_equal(labels_sort(&l, map), PERC_OK);
    labels_clear(&l);
    assert_int_equal(l.n, 0);
    labels_free(&l);
    labels_free(&l); /* twice is fine */
}

/* ----- many ----------------------------------------------------------------------------- */

TEST(as_many_as_allowed_and_not_one_more)
{
    const struct env e = env_resolve(NULL);
    struct labels l;
    perc_error err = { 0 };
    char text[16];
    uint32_t id;

    labels_init(&l, &e);
    for (uint32_t i = 0; i < LABELS_MAX; i++) {
        snprintf(text, sizeof text, i % 2 == 0 ? "%u" : "w%u", (unsigned)i);
        assert_int_equal(add(&l, text), i);
    }
    for (uint32_t i = 0; i < LABELS_MAX; i += 97) {
        snprintf(text, sizeof text, i % 2 == 0 ? "%u.0" : "w%u", (unsigned)i);
        assert_int_equal(find(&l, text), i);
        assert_int_equal(add(&l, text), i); /* an old one is no new one */
    }
    assert_refused(labels_add(&l, "one more", 8, &id, &err), PERC_EDATA, &err,
                   "more than 100000 different labels");
    labels_clear(&l);
    assert_int_equal(find(&l, "0"), LABEL_NONE);
    assert_int_equal(add(&l, "one more"), 0);
    labels_free(&l);
}

TEST(a_copy_is_equal_and_on_its_own)
{
    const struct env e = env_resolve(NULL);
    struct labels l, copy;

    labels_init(&l, &e);
    for (size_t i = 0; i < ORDERED; i++) add(&l, ordered[i]);
    assert_int_equal(labels_copy(&e, &l, &copy), PERC_OK);
    labels_free(&l);
    assert_int_equal(copy.n, ORDERED);
    for (uint32_t i = 0; i < ORDERED; i++) assert_int_equal(find(&copy, ordered[i]), i);
    labels_free(&copy);
}

/* Adds, copies and sorts; stops at the first failure, which must be memory. */
static perc_status use(const struct env *e)
{
    struct labels l, copy = { .e = *e };
    uint32_t map[40], id;
    char text[8];
    perc_status st = PERC_OK;

    labels_init(&l, e);
    for (unsigned i = 0; i < 40 && !st; i++) {
        snprintf(text, sizeof text, i % 4 == 0 ? "+%u" : "w%u", 40 - i);
        const size_t before = l.n;
        st = labels_add(&l, text, strlen(text), &id, NULL);
        assert_int_equal(l.n, before + !st);
        assert_int_equal(labels_find(&l, text, strlen(text)), st ? LABEL_NONE : i);
    }
    if (!st) st = labels_copy(e, &l, &copy);
    if (!st) st = labels_sort(&l, map);
    labels_free(&l);
    labels_free(&copy);
    return st;
}

TEST(memory_may_run_out_anywhere)
{
    for (struct t_sweep s = { .least = 80 }; t_sweep_next(&s);) {
        const struct env e = env_resolve(&s.env);
        const perc_status st = use(&e);
        t_sweep_judge(&s, st);
    }
}
