/* test_canonical.c -- the hash of canonical rows: the same for the same rows however they
 * are written, another for any other rows, and as the header defines it. */
#include "data/canonical.h"
#include "t.h"
#include "t_alloc.h"
#include "t_decimal.h"
#include "t_dir.h"
#include "t_make.h"

static struct t_alloc heap = { .fail_at = -1 };

static void hash_file(const char *path, const char *name, const char *value, int threads,
                      char hex[SHA256_HEX])
{
    const perc_env env = { t_alloc, &heap, threads };
    perc_params *p = t_option("data", name, value);
    perc_error err = { 0 };
    perc_dataset *ds;

    if (perc_dataset_read_exact(&env, path, p, &ds, &err)) fail_msg("%s: %s", path, err.text);
    assert_int_equal(canonical_hash(ds, hex, &err), PERC_OK);
    assert_int_equal(strlen(hex), SHA256_HEX - 1);
    t_free(ds, p);
    t_alloc_holds(&heap, 0);
}

static void hash_text(const char *text, char hex[SHA256_HEX])
{
    assert_int_equal(t_put("x", text), 0);
    hash_file("x", NULL, NULL, 1, hex);
}

static void check(const char *text, const char *want)
{
    char hex[SHA256_HEX];

    hash_text(text, hex);
    assert_string_equal(hex, want);
}

/* ----- the definition --------------------------------------------------------------------- */

/* What tests/oracle/canonical_reference.py --hash prints for the same files. */
TEST(values_of_the_reference)
{
    check("+1 1:1.50 3:-20\n", "1853b3d91e2b47577f1e6931b486cedb4674867ab5b63a410bc397c67b116448");
    check("+1 1:1.50 3:-20\n-1e0 2:0 4:1e-400\nword 2:12345678901234567890.12345\n2.50 \n"
          "1e20 5:00.00010\n1e-7 1:1e5\n-0 7:1\n",
          "04a8e1351f79c7f477b4b7aa4d9b48d867c5c930b64320384e99b1142439b6f7");
    check("0 0:1 5:2\n1 1:18446744073709551615\n",
          "ead0c85113b31ebf6448757cd8702e68d33d6bf3d88736300cf6ce7bb43dbd40");
}

/* The texts of the rows written down here, and hashed group by group. */
struct twice {
    struct sha256 group, all;
    size_t rows, total;
    char text[64];
};

static void group_end(struct twice *t)
{
    unsigned char hash[SHA256_BYTES];
    char hex[SHA256_HEX + 1];

    sha256_end(&t->group, hash);
    sha256_hex(hash, hex);
    strcat(hex, "\n");
    sha256_add(&t->all, hex, SHA256_HEX);
    sha256_begin(&t->group);
    t->rows = 0;
}

static void twice_begin(struct twice *t, size_t total)
{
    char head[64];

    *t = (struct twice){ .total = total };
    sha256_begin(&t->group);
    sha256_begin(&t->all);
    snprintf(head, sizeof head, "perceptron rows 1\n%d\n", (int)total);
    sha256_add(&t->all, head, strlen(head));
}

static void twice_row(struct twice *t, const char *text)
{
    sha256_add(&t->group, text, strlen(text));
    if (++t->rows == 4096) group_end(t);
}

static void twice_end(struct twice *t, char hex[SHA256_HEX])
{
    unsigned char hash[SHA256_BYTES];

    if (t->rows > 0) group_end(t);
    sha256_end(&t->all, hash);
    sha256_hex(hash, hex);
}

/* `rows` random rows in `path`, as LIBSVM or CSV text; hex is what the hash should be. */
static void random_file(const char *path, bool csv, size_t rows, uint64_t seed, uint64_t spelling,
                        char hex[SHA256_HEX])
{
    struct rng g = rng_seed(seed, 0), how = rng_seed(spelling, 1);
    struct twice t;
    FILE *f = fopen(path, "wb");
    char text[512], buf[T_SPELLED];

    assert_non_null(f);
    twice_begin(&t, rows);
    for (size_t i = 0; i < rows; i++) {
        int at = snprintf(text, sizeof text, "%s", i % 3 == 0 ? "2:-1" : "3:yes");
        const char *label = i % 3 > 0 ? "yes" : rng_below(&how, 2) == 0 ? "-1" : "-10e-1";
        if (!csv) fprintf(f, "%s", label);
        for (int j = 1; j <= 3; j++) {
            const struct t_decimal d = t_decimal_draw(&g);
            t_decimal_spell(&how, &d, buf);
            if (d.digits[0] != '\0')
                at += snprintf(text + at, sizeof text - (size_t)at, " %d:%s%se%d", j,
                               d.negative ? "-" : "", d.digits, d.exponent);
            if (csv) fprintf(f, "%s,", buf);
            else if (d.digits[0] != '\0' || rng_below(&how, 2) == 0)
                fprintf(f, "%s%d:%s", rng_below(&how, 2) == 0 ? " " : " \t ", j, buf);
        }
        if (csv) fprintf(f, "%s", label);
        else if (rng_below(&how, 9) == 0) fputs(" # a note", f);
        fputs(rng_below(&how, 2) == 0 ? "\n" : "\r\n", f);
        snprintf(text + at, sizeof text - (size_t)at, "\n");
        twice_row(&t, text);
    }
    assert_int_equal(fclose(f), 0);
    twice_end(&t, hex);
}

TEST(random_rows_in_any_spelling)
{
    static const size_t rows[] = { 1, 2, 100, 4095, 4096, 4097, 8192, 20000 };
    char want[SHA256_HEX], came[SHA256_HEX];

    for (size_t k = 0; k < COUNT(rows); k++) {
        for (uint64_t spelling = 0; spelling < 2; spelling++) {
            for (int csv = 0; csv < 2; csv++) {
                random_file("x", csv, rows[k], k, spelling, want);
                for (int threads = 1; threads <= 3; threads++) {
                    hash_file("x", NULL, NULL, threads, came);
                    assert_string_equal(came, want);
                }
            }
        }
    }
}

/* ----- the same rows ------------------------------------------------------------------------- */

TEST(forms_that_do_not_matter)
{
    static const char *const same[] = {
        "1 1:1.5 3:-20\n-1 2:0.25\n",
        "+1.0 1:1.50 3:-2e1\r\n-1e0 2:25e-2\r\n",
        "# head\n\n1   1:15e-1\t3:-20.000 # note\n-1 2:.25",
        "1 qid:3 1:1.5 2:0 3:-20 4:0\n-1 1:-0 2:0.2500000000000000000000000000000\n",
        "1.5,0,-20,1\n0,0.25,0,-1\n",
        "a,b,c,d,label\n1.50,0,-20,0,1\n0.0,\"0.25\",0,0,-1\n",
        "a\tb\tc\tlabel\n1.5\t0e7\t-20\t1\n0\t0.25\t0\t-1\n",
        "1 0:1.5 2:-20\n-1 1:0.25 0:0\n",
    };
    char want[SHA256_HEX], came[SHA256_HEX];

    hash_text(same[0], want);
    for (size_t i = 1; i < COUNT(same); i++) {
        const bool unsorted = strstr(same[i], " 0:0\n") != NULL;
        assert_int_equal(t_put("x", same[i]), 0);
        hash_file("x", unsorted ? "unsorted" : NULL, "true", 1, came);
        assert_string_equal(came, want);
    }
    /* Built-in, LIBSVM, CSV and block files of the same rows */
    hash_file(":iris", NULL, NULL, 1, want);
    for (int k = 0; k < 3; k++) {
        static const char *const format[] = { "libsvm", "csv", "blocks" };
        perc_dataset *ds;
        assert_int_equal(perc_dataset_read(NULL, ":iris", NULL, &ds, NULL), PERC_OK);
        assert_int_equal(perc_dataset_write(ds, "y", format[k], NULL), PERC_OK);
        perc_dataset_free(ds);
        hash_file("y", NULL, NULL, 1, came);
        assert_string_equal(came, want);
    }
}

TEST(differences_that_do)
{
    static const char *const text[] = {
        "1 1:1.5 3:-20\n-1 2:0.25\n",
        "2 1:1.5 3:-20\n-1 2:0.25\n", /* a label                    */
        "-1 1:1.5 3:-20\n1 2:0.25\n", /* labels exchanged           */
        "1 1:1.5 3:20\n-1 2:0.25\n",  /* a sign                     */
        "1 1:1.5 3:-2\n-1 2:0.25\n",  /* an exponent                */
        "1 1:1.5 3:-20\n-1 2:2.5\n",
        "1 1:1.5 3:-20\n-1 3:0.25\n",            /* a feature                  */
        "-1 2:0.25\n1 1:1.5 3:-20\n",            /* the order of rows          */
        "1 1:1.5 3:-20\n-1 2:0.25\n-1 2:0.25\n", /* a row more                 */
        "1 1:1.5 3:-20\n",                       /* a row less                 */
        "1 1:1.5 3:-20\n-1 2:0.25 9:1e-400\n",   /* almost nothing             */
        "1 1:1.5000000000000000000000000001 3:-20\n-1 2:0.25\n",
        "1 1:1.5000000000000000000000000002 3:-20\n-1 2:0.25\n",
        "1 1:1.50000000000000000000000000011 3:-20\n-1 2:0.25\n",
        "1 1:15000000000000000000000000001 3:-20\n-1 2:0.25\n",
        "1 1:-15000000000000000000000000001 3:-20\n-1 2:0.25\n",
        "1 1:1.5 3:-20\n\xff 2:0.25\n",
        "1 \n-1 \n",
        "11\n-1 \n",
    };
    enum { N = COUNT(text) };
    char hex[N][SHA256_HEX];

    for (size_t i = 0; i < N; i++) {
        assert_int_equal(t_put("x", text[i]), 0);
        hash_file("x", "format", "libsvm", 1, hex[i]);
        for (size_t k = 0; k < i; k++) assert_string_not_equal(hex[i], hex[k]);
    }
}

/* A label cannot pass for entries: its length stands before it. CSV cells may hold blanks. */
TEST(labels_of_any_kind)
{
    char a[SHA256_HEX], b[SHA256_HEX], c[SHA256_HEX];
    char text[20000];

    hash_text("x1,y\n5,\"u 1:5e0\"\n", a);
    hash_text("x1,y\n5,u\n", b);
    assert_string_not_equal(a, b);
    hash_text("x1,y\n0,\"u 1:5e0\"\n", c);
    assert_string_not_equal(a, c);
    assert_string_not_equal(b, c);
    /* Longer than the buffer on the way to the hash */
    memset(text, 'w', 9000);
    strcpy(text + 9000, " 1:5\nv 1:5\n");
    hash_text(text, a);
    text[8999] = 'v';
    hash_text(text, b);
    assert_string_not_equal(a, b);
}

/* Rows without a label count, and are not those of any label. */
TEST(rows_without_labels)
{
    const perc_env env = { t_alloc, &heap, 2 };
    perc_dataset *ds;
    struct twice t;
    char want[SHA256_HEX], came[SHA256_HEX];

    assert_int_equal(t_put("x", "1 1:1.5\n-1 2:-20\n"), 0);
    assert_int_equal(perc_dataset_read_exact(&env, "x", NULL, &ds, NULL), PERC_OK);
    for (size_t i = 0; i < 2; i++) ds->block[0].label[i] = LABEL_NONE;
    assert_int_equal(canonical_hash(ds, came, NULL), PERC_OK);
    perc_dataset_free(ds);
    twice_begin(&t, 2);
    twice_row(&t, "- 1:15e-1\n");
    twice_row(&t, "- 2:-2e1\n");
    twice_end(&t, want);
    assert_string_equal(came, want);
    t_alloc_holds(&heap, 0);
}

/* An array in memory stands for the text of its numbers. */
TEST(arrays_in_memory)
{
    static const double x[4] = { 1.5, 0, 0.1, -20 }, y[2] = { 1, -1 };
    const perc_dense dense = { x, PERC_F64, 2, 2, 2 * sizeof *x, sizeof *x };
    const perc_env env = { t_alloc, &heap, 1 };
    perc_dataset *ds;
    char want[SHA256_HEX], came[SHA256_HEX];

    hash_text("1 1:1.5\n-1 1:0.1 2:-20\n", want);
    assert_int_equal(perc_dataset_borrow_dense(&env, &dense, y, NULL, &ds, NULL), PERC_OK);
    assert_int_equal(canonical_hash(ds, came, NULL), PERC_OK);
    perc_dataset_free(ds);
    assert_string_equal(came, want);
    t_alloc_holds(&heap, 0);
}

/* ----- memory ---------------------------------------------------------------------------- */

TEST(memory_that_runs_out)
{
    char want[SHA256_HEX], came[SHA256_HEX];

    random_file("x", false, 9000, 3, 4, want);
    for (int threads = 1; threads <= 2; threads++) {
        struct t_sweep s = { .threads = threads, .armed = true };
        while (t_sweep_next(&s)) {
            perc_error err = { 0 };
            perc_dataset *ds;
            assert_int_equal(perc_dataset_read_exact(&s.env, "x", NULL, &ds, NULL), PERC_OK);
            const long held = s.a.bytes;
            t_sweep_arm(&s);
            const perc_status st = canonical_hash(ds, came, &err);
            assert_int_equal(err.status, st);
            assert_string_equal(came, st ? "" : want);
            t_alloc_holds(&s.a, held);
            perc_dataset_free(ds);
            t_sweep_judge(&s, st);
        }
        assert_true(s.a.calls > 3); /* more than the list of groups */
    }
}
