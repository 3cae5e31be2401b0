/* test_exact_read.c -- reading for a proof: every number is the decimal of the file, for
 * any form of text, any kind of block and any number of threads. */
#include <time.h>

#include "data/exact.h"
#include "data/reader.h"
#include "t.h"
#include "t_alloc.h"
#include "t_decimal.h"
#include "t_dir.h"
#include "t_make.h"

static struct t_alloc heap = { .fail_at = -1 };

static perc_dataset *read_with(const char *path, const char *name, const char *value, int threads)
{
    const perc_env env = { t_alloc, &heap, threads };
    perc_params *p = t_option("data", name, value);
    perc_error err = { 0 };
    perc_dataset *ds;

    if (perc_dataset_read_exact(&env, path, p, &ds, &err))
        fail_msg("%s:%d:%d: %s", path, (int)err.line, (int)err.column, err.text);
    perc_params_free(p);
    return ds;
}

static void done(perc_dataset *ds)
{
    perc_dataset_free(ds);
    t_alloc_holds(&heap, 0);
}

/* Row `row` of ds is "column:digits*10^exponent ..." */
static void check_row(const perc_dataset *ds, uint64_t row, const char *want)
{
    struct exact_lens l;
    char text[512] = "";

    exact_init(&l, &ds->e);
    assert_int_equal(exact_row(&l, ds, row), PERC_OK);
    for (size_t k = 0; k < l.n; k++) {
        const struct t_decimal d = t_decimal_of(&l.value[k]);
        const size_t at = strlen(text);
        snprintf(text + at, sizeof text - at, "%s%d:%s%se%d", k > 0 ? " " : "", (int)l.column[k],
                 d.negative ? "-" : "", d.digits, d.exponent);
        assert_true(l.value[k].more || l.value[k].digits == NULL);
    }
    exact_free(&l);
    assert_string_equal(text, want);
}

/* ----- any number, any form -------------------------------------------------------------- */

enum { COLUMNS = 6 };

struct numbers {
    size_t rows;
    struct t_decimal (*x)[COLUMNS];
};

/* `fill` of 8 numbers are there; `packed`: rows at the beginning, enough for a chunk, that
 * have short numbers only. */
static struct numbers draw(size_t rows, size_t packed, unsigned fill, uint64_t seed)
{
    struct rng g = rng_seed(seed, 0);
    struct numbers t = { rows, calloc(rows, sizeof *t.x) };

    assert_non_null(t.x);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < COLUMNS; j++) {
            if (rng_below(&g, 8) >= fill) continue;
            do t.x[i][j] = t_decimal_draw(&g);
            while (i < packed && strlen(t.x[i][j].digits) > 3);
            if (i < packed) t.x[i][j].exponent = -1;
        }
    }
    return t;
}

static void write_text(const struct numbers *t, const char *path, bool csv, uint64_t seed)
{
    struct rng g = rng_seed(seed, 1);
    FILE *f = fopen(path, "wb");
    char buf[T_SPELLED];

    assert_non_null(f);
    for (size_t i = 0; i < t->rows; i++) {
        if (!csv) fputs(i % 2 == 0 ? "-1" : "+1", f);
        for (size_t j = 0; j < COLUMNS; j++) {
            const bool zero = t->x[i][j].digits[0] == '\0';
            if (!csv && zero && rng_below(&g, 4) > 0) continue;
            t_decimal_spell(&g, &t->x[i][j], buf);
            if (csv) fprintf(f, rng_below(&g, 9) == 0 ? "\"%s\"," : "%s,", buf);
            else fprintf(f, " %d:%s", (int)(j * 100 + 1), buf);
        }
        if (csv) fputs(i % 2 == 0 ? "-1" : "1", f);
        fputs(rng_below(&g, 5) == 0 ? "\r\n" : "\n", f);
    }
    assert_int_equal(fclose(f), 0);
}

static void check_table(const struct numbers *t, const perc_dataset *ds, bool csv)
{
    struct exact_lens l;

    assert_int_equal(ds->rows, t->rows);
    exact_init(&l, &ds->e);
    for (size_t i = 0; i < t->rows; i++) {
        size_t k = 0;
        assert_int_equal(exact_row(&l, ds, i), PERC_OK);
        for (size_t j = 0; j < COLUMNS; j++) {
            if (t->x[i][j].digits[0] == '\0') continue;
            assert_true(k < l.n);
            const struct t_decimal came = t_decimal_of(&l.value[k]);
            assert_int_equal(l.column[k], csv ? j : j * 100 + 1);
            if (!t_decimal_same(&came, &t->x[i][j]))
                fail_msg("row %d: %se%d, not %se%d", (int)i, came.digits, came.exponent,
                         t->x[i][j].digits, t->x[i][j].exponent);
            k++;
        }
        assert_int_equal(k, l.n);
    }
    exact_free(&l);
}

static void check_files(size_t rows, size_t packed, unsigned fill, uint64_t seed)
{
    struct numbers t = draw(rows, packed, fill, seed);

    for (int csv = 0; csv < 2; csv++) {
        write_text(&t, "x", csv, seed);
        for (int threads = 1; threads <= 3; threads++) {
            perc_dataset *ds = read_with("x", NULL, NULL, threads);
            check_table(&t, ds, csv);
            done(ds);
        }
    }
    free(t.x);
}

TEST(every_number_is_the_decimal_of_the_text)
{
    for (uint64_t seed = 0; seed < 40; seed++) check_files(50, 0, 1 + seed % 8, seed);
}

/* Chunks of short decimals before and after others: each is read in its own way. */
TEST(chunks_of_either_kind)
{
    check_files(30000, 0, 8, 100);
    check_files(60000, 50000, 7, 101);
}

/* ----- blocks ------------------------------------------------------------------------------ */

TEST(short_decimals_need_no_digits)
{
    perc_dataset *ds;

    /* zeros behind the point do not make a number long */
    assert_int_equal(t_put("x", "1 1:0.50 2:1.000000000000 3:2.5000000000000000000000\n"
                                "2 1:1e3 2:-0.12500000000 3:00000000000000000000000007\n"),
                     0);
    ds = read_with("x", NULL, NULL, 1);
    assert_null(ds->block[0].digits.mantissa);
    assert_int_equal(ds->block[0].values, VALUES_DEC);
    check_row(ds, 0, "1:5e-1 2:1e0 3:25e-1");
    check_row(ds, 1, "1:1e3 2:-125e-3 3:7e0");
    done(ds);
}

/* What the doubles do not tell: 0 and 1 that are neither. */
TEST(numbers_near_zero_and_one)
{
    perc_dataset *ds;

    assert_int_equal(t_put("x", "1 1:1e-400 2:1 3:1.00000000000000000000000000001\n"
                                "2 2:-1e-400 3:0e-4000000\n"),
                     0);
    ds = read_with("x", NULL, NULL, 1);
    assert_non_null(ds->block[0].digits.mantissa);
    check_row(ds, 0, "1:1e-400 2:1e0 3:100000000000000000000000000001e-29");
    check_row(ds, 1, "2:-1e-400");
    done(ds);
    assert_int_equal(t_put("x", "1 1:1 2:1.00000000000000000000000000001\n2 70000:1\n"), 0);
    ds = read_with("x", NULL, NULL, 1);
    assert_int_equal(ds->block[0].values, VALUES_ONES);
    assert_int_equal(ds->block[0].indices, INDEX_U32);
    check_row(ds, 0, "1:1e0 2:100000000000000000000000000001e-29");
    check_row(ds, 1, "70000:1e0");
    done(ds);
    assert_int_equal(t_put("x", "1e-400,-1e-400,a\n-1e-330,1e-400,b\n"), 0);
    ds = read_with("x", NULL, NULL, 1);
    check_row(ds, 0, "0:1e-400 1:-1e-400");
    check_row(ds, 1, "0:-1e-330 1:1e-400");
    done(ds);
}

/* Row i of a table with a long number, a word or a text, and a small number: as it is
 * written, and as it should be read. The words are numbered in order of appearance. */
static void word_row(int i, bool text, FILE *f, char want[128])
{
    const char *word = text ? (i % 3 == 0 ? "v u v" : "u") : i % 3 == 0 ? "u" : "v";
    const char *features = text         ? (i % 3 == 0 ? " 2:2e0 3:1e0" : " 3:1e0")
                           : i % 3 == 0 ? " 2:1e0"
                                        : " 3:1e0";
    const int tail = i % 1000 * 10 + 7;
    char small[16] = "";

    if (i % 5 > 0) snprintf(small, sizeof small, " 1:%de0", i % 5);
    if (f != NULL) fprintf(f, "0.1234567890123456789%06d,%s,%d,%d\n", tail, word, i % 5, i % 2);
    snprintf(want, 128, "0:1234567890123456789%06de-25%s%s", tail, small, features);
}

/* Categories have their features only when the chunk's turn comes: the text of the long
 * numbers is gone by then. Counts of words are sorted anew. */
TEST(long_numbers_beside_words)
{
    const int rows = 40000;
    char want[128];

    for (int text = 0; text < 2; text++) {
        FILE *f = fopen("x", "wb");
        assert_non_null(f);
        fputs("a,word,b,label\n", f);
        for (int i = 0; i < rows; i++) word_row(i, text, f, want);
        assert_int_equal(fclose(f), 0);
        for (int threads = 1; threads <= 3; threads++) {
            perc_dataset *ds = read_with("x", text ? "text" : "categorical", "word", threads);
            for (int i = 0; i < rows; i += 37) {
                word_row(i, text, NULL, want);
                check_row(ds, (uint64_t)i, want);
            }
            done(ds);
        }
    }
}

/* The same where the workers are far ahead: they have read other chunks into the same
 * memory before the first block is asked for. */
TEST(long_numbers_outlive_their_text)
{
    const struct env e = { .alloc = t_alloc, .ud = &heap, .threads = 2 };
    const struct timespec wait = { .tv_nsec = 300000000 };
    perc_params *p = t_option("data", "categorical", "word");
    FILE *f = fopen("x", "wb");
    struct reader *r;
    struct block b;
    char want[128], came[128];
    bool more;

    assert_non_null(f);
    fputs("a,word,b,label\n", f);
    for (int i = 0; i < 150000; i++) word_row(i, false, f, want);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(reader_open_exact(&e, "x", p, NULL, NULL, &r, NULL), PERC_OK);
    nanosleep(&wait, NULL);
    assert_int_equal(reader_next(r, &b, &more, NULL), PERC_OK);
    assert_true(more && b.rows > 1000);
    for (size_t i = 0; i < b.rows; i++) {
        const size_t at = b.indices == INDEX_DENSE ? i * b.width : (size_t)block_start(&b, i);
        const struct decimal d = digits_get(&b.digits, at);
        snprintf(came, sizeof came, "0:%.*se-25", (int)(d.end - d.digits), d.digits);
        word_row((int)i, false, NULL, want);
        assert_memory_equal(came, want, strlen(came));
    }
    block_free(&b);
    reader_close(r);
    perc_params_free(p);
    t_alloc_holds(&heap, 0);
}

TEST(rows_sorted_and_rows_dropped)
{
    perc_dataset *ds;

    assert_int_equal(t_put("x", "1 9:0.12345678901234567890123 1:1e-30 5:-7.25\n"), 0);
    ds = read_with("x", "unsorted", "true", 1);
    check_row(ds, 0, "1:1e-30 5:-725e-2 9:12345678901234567890123e-23");
    done(ds);
    assert_int_equal(t_put("x", "a,b,y\n1e-30,NA,1\n2e-30,3,1\nNA,4,2\n5,0.1234567890123,2\n"), 0);
    ds = read_with("x", "missing", "drop", 1);
    assert_int_equal(ds->rows, 2);
    check_row(ds, 0, "0:2e-30 1:3e0");
    check_row(ds, 1, "0:5e0 1:1234567890123e-13");
    done(ds);
}

TEST(built_in_sets_and_block_files)
{
    perc_dataset *ds;

    ds = read_with(":iris", NULL, NULL, 1);
    check_row(ds, 0, "0:51e-1 1:35e-1 2:14e-1 3:2e-1");
    done(ds);
    /* A block file has the doubles, which stand for their shortest decimals. */
    assert_int_equal(t_put("x", "1 1:0.1000000000000000055 2:1e-30\n-1 1:3.25 2:1e22\n"), 0);
    ds = read_with("x", NULL, NULL, 1);
    check_row(ds, 0, "1:1000000000000000055e-19 2:1e-30");
    assert_int_equal(perc_dataset_write(ds, "y", "blocks", NULL), PERC_OK);
    done(ds);
    ds = read_with("y", NULL, NULL, 1);
    check_row(ds, 0, "1:1e-1 2:1e-30");
    check_row(ds, 1, "1:325e-2 2:1e22");
    done(ds);
    /* And so do data that were not read for a proof. */
    assert_int_equal(perc_dataset_read(NULL, "x", NULL, &ds, NULL), PERC_OK);
    assert_null(ds->block[0].digits.mantissa);
    check_row(ds, 0, "1:1e-1 2:1e-30");
    perc_dataset_free(ds);
}

/* ----- what is refused ------------------------------------------------------------------------ */

TEST(options_that_change_numbers)
{
    static const char *const bad[][2] = { { "scale", "standard" }, { "scale", "by:2" },
                                          { "hash", "8" },         { "missing", "mean" },
                                          { "missing", "zero" },   { "map", "poly:2:hash:4" },
                                          { "float32", "true" } };

    for (size_t i = 0; i < COUNT(bad); i++) {
        perc_params *p = t_option("data", bad[i][0], bad[i][1]);
        perc_dataset *ds;
        perc_error err = { 0 };
        /* before anything is read: there is no such file */
        assert_int_equal(perc_dataset_read_exact(NULL, "none", p, &ds, &err), PERC_EARG);
        assert_null(ds);
        assert_non_null(strstr(err.text, "exact arithmetic"));
        assert_non_null(strstr(err.text, bad[i][0]));
        perc_params_free(p);
    }
}

static void check_refused(const char *path, int threads, int64_t line, int64_t column,
                          const char *why)
{
    const perc_env env = { t_alloc, &heap, threads };
    perc_dataset *ds;
    perc_error err = { 0 };

    assert_refused_at(perc_dataset_read_exact(&env, path, NULL, &ds, &err), PERC_EDATA, &err, line,
                      column, why);
    assert_null(ds);
    t_alloc_holds(&heap, 0);
}

static void put_digits(FILE *f, int n)
{
    fputs("0.", f);
    for (int i = 0; i < n; i++) fputc('3', f);
}

TEST(numbers_that_cannot_be_kept)
{
    perc_dataset *ds;
    FILE *f;

    assert_int_equal(t_put("x", "1 1:1\n1 1:2 3:1e-1000000\n"), 0);
    check_refused("x", 1, 2, 9, "too large an exponent");
    assert_int_equal(t_put("x", "1,1,a\n1,-1e-99999999999999999999,a\n"), 0);
    check_refused("x", 1, 2, 3, "too large an exponent");
    assert_int_equal(t_put("x", "1,1,a\n1,\" 1e-1000001\",a\n"), 0);
    check_refused("x", 1, 2, 3, "too large an exponent");
    assert_int_equal(t_put("x", "1 1:1 2:1e400\n"), 0);
    check_refused("x", 1, 1, 9, "too large");
    assert_int_equal(t_put("x", "1 1:1e-999999\n"), 0);
    ds = read_with("x", NULL, NULL, 1);
    check_row(ds, 0, "1:1e-999999");
    done(ds);
    for (int over = 0; over < 2; over++) {
        f = fopen("x", "wb");
        assert_non_null(f);
        fputs("1 1:1 2:", f);
        put_digits(f, DECIMAL_DIGITS_MAX - 2 + over); /* "0." counts */
        fputs("\n", f);
        assert_int_equal(fclose(f), 0);
        if (over) {
            check_refused("x", 1, 1, 9, "too many digits");
        } else {
            ds = read_with("x", NULL, NULL, 1);
            struct exact_lens l;
            exact_init(&l, &ds->e);
            assert_int_equal(exact_row(&l, ds, 0), PERC_OK);
            assert_int_equal(l.value[1].end - l.value[1].digits, DECIMAL_DIGITS_MAX - 2);
            exact_free(&l);
            done(ds);
        }
    }
}

/* From the lowest digit to 19 places above the highest number's first. */
TEST(numbers_too_far_apart_for_a_proof_are_refused)
{
    static const struct {
        const char *text;
        int64_t line; /* 0: they are near enough */
    } cases[] = {
        { "1 1:1\n-1 1:1e-99981\n", 0 },
        { "1 1:1\n-1 1:1e-99982\n", 2 },
        { "1 1:1e-99982\n-1 1:2 2:1e-99982\n", 1 },
        { "1 1:1e-100000\n-1 1:2e-100010\n", 0 }, /* all of them are small */
        { "1 1:1 2:0e-999999\n-1 1:2\n", 0 },
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        perc_error err = { 0 };
        assert_int_equal(t_put("x", cases[i].text), 0);
        perc_dataset *ds = read_with("x", NULL, NULL, 1);
        const perc_status st = exact_span(ds, false, &err);
        if (cases[i].line == 0) assert_int_equal(st, PERC_OK);
        else assert_refused_at(st, PERC_EDATA, &err, cases[i].line, 0, "more than 100000 digits");
        /* The offset's 1 is one of the numbers, too. */
        assert_int_equal(exact_span(ds, true, NULL) == PERC_OK, i == 0 || i == 4);
        done(ds);
    }
}

/* In one chunk, what any reader refuses comes before what only an exact one does; of two
 * chunks the first decides. Whatever the threads had read before. */
TEST(the_error_is_the_same_for_any_number_of_threads)
{
    const int rows = 100000;

    for (int second = 0; second < 2; second++) {
        FILE *f = fopen("x", "wb");
        assert_non_null(f);
        for (int i = 0; i < rows; i++) {
            const bool bad = i == rows - 100;
            fprintf(f, "1 1:0.123456789012345%03d 2:%s\n", i % 1000 / 10 * 10 + 1,
                    bad                        ? "1e-1000000"
                    : second && i == rows - 50 ? "1x"
                                               : "5");
        }
        assert_int_equal(fclose(f), 0);
        for (int threads = 1; threads <= 4; threads++) {
            if (second) check_refused("x", threads, rows - 49, 29, "not a number");
            else check_refused("x", threads, rows - 99, 28, "too large an exponent");
        }
    }
}

TEST(memory_that_runs_out)
{
    static const char *const files[] = { "x.svm", "x.csv" };

    assert_int_equal(t_put("x.svm", "1 1:0.12345678901234567890123 2:1e-30\n-1 1:3 9:1e-400\n"), 0);
    assert_int_equal(t_put("x.csv", "a,b,y\n0.12345678901234567890123,u,1\n2,v,0\n"), 0);
    for (int k = 0; k < 2; k++) {
        for (struct t_sweep s = { .least = 10 }; t_sweep_next(&s);) {
            struct exact_lens l = { .n = 0 };
            perc_dataset *ds;
            perc_error err = { 0 };
            perc_status st = perc_dataset_read_exact(&s.env, files[k], NULL, &ds, &err);
            assert_true((ds == NULL) == (st != PERC_OK));
            if (!st) {
                exact_init(&l, &ds->e);
                st = exact_row(&l, ds, 0);
            }
            exact_free(&l);
            perc_dataset_free(ds);
            t_sweep_judge(&s, st);
        }
    }
}
