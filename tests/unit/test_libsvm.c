/* test_libsvm.c -- the LIBSVM parser against a slow second one, and every complaint
 * with its place.
 *
 * libsvm.c is included, not linked, and what it learns of the processor passes
 * through this file: so each text is read twice, with the loops for any processor
 * and with those for this one, and both must agree. */
static int use_simd;
#define __builtin_cpu_supports(name) (use_simd && __builtin_cpu_supports(name))
#include "data/libsvm.c"
#include "t.h"
#undef __builtin_cpu_supports

#include "libsvm_reference.h"
#include "t_alloc.h"
#include "t_cases.h"

static const struct libsvm plain = { .base = INDEX_AUTO };

/* ----- reading ------------------------------------------------------------------- */

/* The text in memory of just its size and the pad, so that a sanitizer sees a step
 * too far. */
static perc_status read_once(const struct libsvm *o, const char *text, size_t len, struct rows *r,
                             perc_error *err)
{
    const struct env e = env_resolve(NULL);
    char *copy = malloc(len + SOURCE_PAD);

    assert_non_null(copy);
    if (len > 0) memcpy(copy, text, len);
    memset(copy + len, '\n', SOURCE_PAD);
    rows_init(r, &e);
    *err = (perc_error){ 0 };
    const perc_status st = libsvm_parse(o, copy, len, r, err);
    free(copy);
    return st;
}

static double entry(const struct rows *r, size_t k)
{
    return r->packed ? decimal_unpack(r->dec[k]) : r->value[k];
}

static void same_rows(const struct rows *a, const struct rows *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->entries, b->entries);
    assert_int_equal(a->packed, b->packed);
    assert_int_equal(a->lines, b->lines);
    assert_int_equal(a->zero_index, b->zero_index);
    assert_memory_equal(a->start, b->start, (a->n + 1) * sizeof *a->start);
    if (a->n > 0) {
        assert_memory_equal(a->label, b->label, a->n * sizeof *a->label);
        assert_memory_equal(a->line, b->line, a->n * sizeof *a->line);
    }
    for (size_t k = 0; k < a->entries; k++) {
        const double x = entry(a, k), y = entry(b, k);
        assert_int_equal(a->index[k], b->index[k]);
        assert_memory_equal(&x, &y, sizeof x);
    }
}

static perc_status read_text(const struct libsvm *o, const char *text, size_t len, struct rows *r,
                             perc_error *err)
{
    struct rows again;
    perc_error err2;

    use_simd = 0;
    const perc_status st = read_once(o, text, len, r, err);
    use_simd = 1;
    assert_int_equal(read_once(o, text, len, &again, &err2), st);
    assert_int_equal(err->line, err2.line);
    assert_int_equal(err->column, err2.column);
    assert_string_equal(err->text, err2.text);
    if (!st) same_rows(r, &again);
    rows_free(&again);
    return st;
}

/* ----- against the reference ------------------------------------------------------ */

static void same_label(const struct rows *r, size_t i, const char *want)
{
    if (r->label[i] == LABEL_NONE) {
        assert_string_equal(want, "");
        return;
    }
    const struct label *l = &r->labels.at[r->label[i]];
    if (ref_is_number(want)) assert_true(strtod(l->text, NULL) == strtod(want, NULL));
    else assert_string_equal(l->text, want);
}

static void agrees(const struct rows *r, const struct ref *f)
{
    assert_int_equal(r->n, f->rows);
    assert_int_equal(r->entries, f->entries);
    assert_int_equal(r->lines, f->lines);
    assert_int_equal(r->zero_index, f->zero_index);
    for (size_t i = 0; i < f->rows; i++) {
        assert_int_equal(r->start[i], f->row[i].first);
        assert_int_equal(r->start[i + 1] - r->start[i], f->row[i].n);
        assert_int_equal(r->line[i] + 1, f->row[i].line);
        same_label(r, i, f->row[i].label);
    }
    for (size_t k = 0; k < f->entries; k++) {
        const double v = entry(r, k);
        assert_int_equal(r->index[k], f->index[k]);
        if (memcmp(&v, &f->value[k], sizeof v) != 0)
            fail_msg("entry %zu: %a is not %a", k, v, f->value[k]);
    }
}

/* The verdict, and if it is good the rows, if not the line. Returns the status. */
static perc_status compare(const struct libsvm *o, const char *text, size_t len)
{
    struct rows r;
    struct ref f;
    perc_error err;
    const perc_status st = read_text(o, text, len, &r, &err);

    ref_parse(&f, o, text, len);
    if (st != (f.bad_line > 0 ? PERC_EDATA : PERC_OK))
        fail_msg("%s (line %d for the reference, %d for us) of:\n%.*s", err.text, (int)f.bad_line,
                 (int)err.line, (int)len, text);
    if (st) {
        if (err.line != f.bad_line)
            fail_msg("line %d, for the reference %d, of:\n%.*s", (int)err.line, (int)f.bad_line,
                     (int)len, text);
        assert_true(err.column >= 1 && err.column <= (int64_t)len + 1);
        assert_true(err.text[0] != '\0');
    } else {
        agrees(&r, &f);
    }
    rows_free(&r);
    ref_free(&f);
    return st;
}

static const struct libsvm variants[] = {
    { .base = INDEX_AUTO },
    { .base = INDEX_ZERO },
    { .base = INDEX_ONE },
    { .base = INDEX_AUTO, .unsorted = true },
    { .base = INDEX_ONE, .unsorted = true, .for_model = true },
    { .base = INDEX_AUTO, .float32 = true },
    { .base = INDEX_AUTO, .for_model = true },
};
enum { VARIANTS = COUNT(variants) };

TEST(random_files_read_as_the_reference_reads_them)
{
    static char text[1 << 18];
    struct draft d = { text, 0, sizeof text, rng_seed(1, 0) };
    int good = 0;

    for (int i = 0; i < t_cases(1500); i++) {
        const struct libsvm *o = &variants[i % VARIANTS];
        draft_file(&d, o, 1 + (size_t)rng_below(&d.r, 60));
        assert_true(d.len < sizeof text - 1000); /* nothing was cut off */
        good += compare(o, d.s, d.len) == PERC_OK;
    }
    assert_true(good > t_cases(1250)); /* all but those with a value beyond float32 */
}

TEST(damaged_files_are_refused_where_the_reference_refuses_them)
{
    static const char debris[] = "  \t\r\n\n##::..++--eE00123456789axq\0\0";
    static char text[1 << 16];
    struct draft d = { text, 0, sizeof text, rng_seed(2, 0) };
    int bad = 0;

    for (int i = 0; i < t_cases(20000); i++) {
        const struct libsvm *o = &variants[i % VARIANTS];
        if (i % 10 == 0) draft_file(&d, &plain, 1 + (size_t)rng_below(&d.r, 5));
        for (uint64_t k = rng_below(&d.r, 3); k > 0 && d.len > 0; k--)
            d.s[rng_below(&d.r, d.len)] = debris[rng_below(&d.r, sizeof debris - 1)];
        bad += compare(o, d.s, d.len) != PERC_OK;
    }
    assert_true(bad > t_cases(5000) && bad < t_cases(19000)); /* both verdicts were met */
}

/* ----- the fast and the slow way ----------------------------------------------------- */

/* The same pair written so that no fast loop takes it: what stands before the index
 * and after the value. Zeros after it (the last) need a point in it. */
static const char *const slow_forms[][2] = {
    { "000000000", "" }, { "", "e0" }, { "", "E+00 " }, { "", "#" }, { "", "000000000" }
};

static void check_forms(unsigned index, const char *value, bool has_point)
{
    char text[160];
    struct rows fast, slow;
    perc_error err;

    snprintf(text, sizeof text, "1 %u:%s\n", index, value);
    assert_int_equal(read_text(&plain, text, strlen(text), &fast, &err), PERC_OK);
    assert_int_equal(fast.entries, 1);
    assert_int_equal(fast.index[0], index);
    const double v = entry(&fast, 0), want = strtod(value, NULL);
    if (memcmp(&v, &want, sizeof v) != 0) fail_msg("%s is read as %a", value, v);
    for (size_t i = 0; i < (has_point ? 5 : 4); i++) {
        snprintf(text, sizeof text, "1 %s%u:%s%s\n", slow_forms[i][0], index, value,
                 slow_forms[i][1]);
        assert_int_equal(read_text(&plain, text, strlen(text), &slow, &err), PERC_OK);
        const double x = entry(&slow, 0);
        assert_int_equal(slow.index[0], index);
        if (memcmp(&v, &x, sizeof v) != 0) fail_msg("%s: %a, but plainly %a", text, x, v);
        rows_free(&slow);
    }
    rows_free(&fast);
}

TEST(fast_and_slow_ways_agree)
{
    struct rng r = rng_seed(3, 0);
    unsigned power = 1;

    for (int i = 0; i < 9; i++, power *= 10) { /* 1 to 9 digits of index */
        check_forms(power, "1", false);
        check_forms(power + 7, "-0.25", true);
    }
    for (int negative = 0; negative < 2; negative++)
        for (int digits = 1; digits <= 9; digits++)
            for (int places = -1; places <= 10; places++) /* -1: no point at all */
                for (int k = 0; k < 6; k++) {
                    char value[40];
                    size_t n = 0;
                    if (negative) value[n++] = '-';
                    for (int i = 0; i < digits; i++) /* nines, zeros, or any */
                        value[n++] = (char)('0' + (k == 0 ? 9 : k == 1 ? 0 : rng_below(&r, 10)));
                    if (places >= 0) value[n++] = '.';
                    for (int i = 0; i < places; i++)
                        value[n++] = (char)('0' + (k == 0 ? 9 : k == 1 ? 0 : rng_below(&r, 10)));
                    value[n] = '\0';
                    check_forms(1 + (unsigned)rng_below(&r, 99999999), value, places >= 0);
                }
}

/* A pair may end anywhere in a word of 32 characters, and a chunk right after it. */
TEST(every_length_and_place_of_a_pair_is_read)
{
    char text[200], value[40];

    for (int before = 0; before < 40; before++)
        for (int places = 1; places < 36; places++) {
            memset(value, '3', sizeof value);
            value[places] = '\0';
            snprintf(text, sizeof text, "1%*s 2:1.%s 77:-4", before, "", value);
            assert_int_equal(compare(&plain, text, strlen(text)), PERC_OK);
        }
}

TEST(characters_are_told_apart_32_at_a_time)
{
    struct rng r = rng_seed(4, 0);
    char p[64];

    for (int round = 0; round < t_cases(20000); round++) {
        for (size_t i = 0; i < sizeof p; i++)
            p[i] = (char)(round < 256 ? (unsigned)round + i : rng_below(&r, 256));
        const size_t at = (size_t)rng_below(&r, 32);
        const struct scan32 want = scan32_plain(p + at), got = scan32(p + at);
        assert_true(want.other == got.other && want.blank == got.blank);
        for (int i = 0; i < 32; i++) { /* the plain twin against what it is meant to say */
            const unsigned char c = (unsigned char)p[at + (size_t)i];
            assert_int_equal(want.other >> i & 1, !isdigit(c));
            assert_int_equal(want.blank >> i & 1, c <= ' ');
        }
#if defined(__x86_64__) && defined(__GNUC__)
        if (!__builtin_cpu_supports("avx2")) continue;
        const struct scan32 wide = scan32_avx2(p + at);
        assert_true(want.other == wide.other && want.blank == wide.blank);
#endif
    }
}

TEST(cells_are_told_apart_16_characters_at_a_time)
{
    struct rng r = rng_seed(6, 0);
    char p[16], q[16];
    uint64_t a[2], b[2];
    int long_ones = 0;

    for (int round = 0; round < t_cases(20000); round++) {
        for (size_t i = 0; i < sizeof p; i++)
            p[i] = (char)(rng_below(&r, 24) > 0 ? 'a' + rng_below(&r, 26) : rng_below(&r, 256));
        memcpy(q, p, sizeof q);
        const unsigned n = scan_cell(p, ',');
        assert_int_equal(n, scan_cell_plain(p, ','));
        for (unsigned i = 0; i < 16 && i <= n; i++) { /* the twin against what it is meant to say */
            const unsigned char c = (unsigned char)p[i];
            assert_int_equal(i < n, c != ',' && c != '"' && c >= ' ');
        }
        long_ones += n == 16;
        /* The same word whatever follows it, and another one if a character of it changes. */
        for (unsigned i = n; i < 16; i++) q[i] = (char)rng_below(&r, 256);
        scan_word(p, n, a);
        scan_word(q, n, b);
        assert_true(a[0] == b[0] && a[1] == b[1]);
        if (n == 0) continue;
        q[rng_below(&r, n)] ^= 64;
        scan_word(q, n, b);
        assert_true(a[0] != b[0] || a[1] != b[1]);
    }
    assert_true(long_ones > 100);
}

/* n digits, and then anything; what they spell. */
static uint32_t draw_digits(struct rng *r, char p[8], unsigned n)
{
    char digits[9] = { 0 };

    for (unsigned i = 0; i < 8; i++)
        p[i] = (char)(i < n ? '0' + rng_below(r, 10) : rng_below(r, 256));
    memcpy(digits, p, n);
    return (uint32_t)strtoul(digits, NULL, 10);
}

TEST(digits_are_summed_eight_at_a_time)
{
    struct rng r = rng_seed(5, 0);
    char p[8], q[8];
    uint32_t a, b;

    for (int round = 0; round < t_cases(3000); round++)
        for (unsigned n = 1; n <= 8; n++)
            for (unsigned m = 1; m <= 8; m++) {
                const uint32_t x = draw_digits(&r, p, n), y = draw_digits(&r, q, m);
                assert_int_equal(scan_digits(p, n), x);
                scan_two(p, n, q, m, &a, &b);
                assert_true(a == x && b == y);
#if defined(__x86_64__) && defined(__GNUC__)
                if (!__builtin_cpu_supports("avx2")) continue;
                scan_two_avx2(p, n, q, m, &a, &b);
                assert_true(a == x && b == y);
#endif
            }
}

/* ----- complaints ---------------------------------------------------------------------- */

/* `text` is line 3 of a good file. */
static void refused(const struct libsvm *o, const char *text, size_t len, int64_t column,
                    const char *complaint)
{
    static const char before[] = "+1 1:1 2:2\n-1 1:3 # fine\n", after[] = "\n+1 2:1\n";
    char whole[256];
    struct rows r;
    perc_error err;
    size_t n = sizeof before - 1;

    memcpy(whole, before, n);
    memcpy(whole + n, text, len);
    memcpy(whole + n + len, after, sizeof after - 1);
    for (int end = 0; end < 2; end++) { /* in the middle, and as an unfinished last line */
        const size_t all = n + len + (end ? 0 : sizeof after - 1);
        assert_refused_at(read_text(o, whole, all, &r, &err), PERC_EDATA, &err, 3, column,
                          complaint);
        rows_free(&r);
    }
}

TEST(every_fault_is_named_with_its_place)
{
    static const struct {
        const char *text;
        int64_t column;
        const char *complaint;
    } cases[] = {
        { "+1 abc", 4, "'abc' is not index:value" },
        { "+1 :5", 4, "':5' is not index:value" },
        { "+1 1:1 : 2:2", 8, "':' is not index:value" },
        { "+1 3", 5, "'3' lacks the colon" },
        { "+1 1:1 2", 9, "'2' lacks the colon" },
        { "+1 1.5:1", 5, "'1.5:1' lacks the colon" },
        { "+1 1;5", 5, "'1;5' lacks the colon" },
        { "+1 1 :5", 5, "'1' lacks the colon" },
        { "+1 1:", 6, "the value of feature 1 is missing" },
        { "+1 1:1 2: 3:1", 10, "the value of feature 2 is missing" },
        { "+1 1:1 2:\t", 10, "the value of feature 2 is missing" },
        { "+1 1:#2", 6, "the value of feature 1 is missing" },
        { "+1 1:xyz", 6, "'xyz': not a number" },
        { "+1 1:0.3q", 9, "'0.3q' is not a number: 'q' is out of place" },
        { "+1 1:1,5", 7, "',' is out of place" },
        { "+1 1:2:3", 7, "':' is out of place" },
        { "+1 1:1.2.3", 9, "'.' is out of place" },
        { "+1 1:1-2", 7, "'-' is out of place" },
        { "+1 1:+", 6, "'+': not a number" },
        { "+1 1:-", 6, "'-': not a number" },
        { "+1 1:--1", 6, "'--1': not a number" },
        { "+1 1:+-1", 6, "'+-1': not a number" },
        { "+1 1:.", 6, "'.': not a number" },
        { "+1 1:-.e3", 6, "'-.e3': not a number" },
        { "+1 1:1e", 6, "'1e': " },
        { "+1 1:1e+", 6, "'1e+': " },
        { "+1 1:nan", 6, "'nan': nan and infinity are not numbers" },
        { "+1 1:NaN 2:1", 6, "'NaN': nan and infinity" },
        { "+1 1:-nan", 6, "'-nan': nan and infinity" },
        { "+1 1:inf", 6, "'inf': nan and infinity" },
        { "+1 1:-Infinity", 6, "'-Infinity': nan and infinity" },
        { "+1 1:0x10", 6, "'0x10': hexadecimal" },
        { "+1 1:0X1p4", 6, "'0X1p4': hexadecimal" },
        { "+1 1:1e999", 6, "'1e999': number too large" },
        { "+1 1:-1e400", 6, "'-1e400': number too large" },
        { "+1 1:1.7976931348623159e308", 6, "number too large" },
        { "+1 3:1 2:1", 8,
          "feature index 2 follows 3; indices must increase (or pass --unsorted)" },
        { "+1 9:1 10:1 8:1", 13, "feature index 8 follows 10" },
        { "+1 2:1 2:1", 8, "feature index 2 appears twice in the row" },
        { "+1 0:1 0:1", 8, "feature index 0 appears twice in the row" },
        { "+1 4294967296:1", 4, "feature index 4294967296 is above 4294967295" },
        { "+1 99999999999:1", 4, "feature index 99999999999 is above 4294967295" },
        { "+1 18446744073709551617:1", 4, "is above 4294967295" }, /* 2^64 + 1 */
        { "+1 -1:1", 4, "'-1:1' has a signed index" },
        { "+1 +1:1", 4, "'+1:1' has a signed index" },
        { "+1 1:1 qid:3", 8, "'qid:3' is not index:value" },
        { "1:1 2:2", 1, "the label is missing: the line begins with '1:1'" },
        { "  1:1", 3, "the label is missing" },
        { "nan 1:1", 1, "the label 'nan' is not a finite number" },
        { "\t-inf", 2, "the label '-inf' is not a finite number" },
        { "1e999 1:1", 1, "the label '1e999' is not a finite number" },
        { "+1 1:1\r2:2", 7, "a carriage return inside a line; lines end in LF or CR LF" },
        { "+1\r1:1", 3, "a carriage return inside a line" },
        { "\r\r", 1, "a carriage return inside a line" },
        { "+1 1:1 1234567890123456789012345678901234567890123456789", 57, "lacks the colon" },
    };

    for (size_t i = 0; i < COUNT(cases); i++)
        refused(&plain, cases[i].text, strlen(cases[i].text), cases[i].column, cases[i].complaint);
}

TEST(a_nul_byte_is_refused_wherever_it_stands)
{
    static const struct {
        char text[16];
        size_t len;
        int64_t column;
        const char *complaint;
    } cases[] = {
        { "\0", 1, 1, "a NUL byte" },
        { "+1\0", 3, 1, "a NUL byte" }, /* the label has just been met without it */
        { "+1\0 1:1", 7, 1, "a NUL byte" },
        { "+\0001 1:1", 7, 1, "a NUL byte" },
        { "+1 \0", 4, 4, "a NUL byte" },
        { "+1 \0001:1", 7, 4, "a NUL byte" },
        { "+1 1\0:1", 7, 5, "lacks the colon" },
        { "+1 1:\0001", 7, 6, "not a number" },
        { "+1 1:1\0", 7, 7, "a NUL byte" },
        { "+1 1:1 \0", 8, 8, "a NUL byte" },
        { "+1 1:1\0 2:2", 11, 7, "a NUL byte" },
        { "+1 1:1e0\0", 9, 9, "a NUL byte" },
        { "+1 qid:\0 1:2", 12, 8, "a NUL byte" },
    };

    for (size_t i = 0; i < COUNT(cases); i++)
        refused(&plain, cases[i].text, cases[i].len, cases[i].column, cases[i].complaint);
    assert_int_equal(compare(&plain, "1 1:1 # \0 fine\n", 15), PERC_OK); /* nobody reads it */
}

TEST(options_change_what_is_refused)
{
    const struct libsvm one = { .base = INDEX_ONE };
    const struct libsvm model = { .base = INDEX_ONE, .for_model = true };
    const struct libsvm unsorted = { .unsorted = true }, narrow = { .float32 = true };

    refused(&one, "+1 0:1", 6, 4, "feature index 0; indices start at 1 (or pass --index 0)");
    refused(&model, "+1 0:1", 6, 4, "feature index 0, but the model was trained on indices from 1");
    refused(&narrow, "+1 1:3.5e38", 11, 6, "'3.5e38' is too large for --float32");
    refused(&unsorted, "+1 3:1 1:1 3:1", 14, 12, "feature index 3 appears twice in the row");
    refused(&unsorted, "+1 3:1 1:1 2:2 1:1", 18, 1, "feature index 1 appears twice in the row");
    refused(&unsorted, "+1 5:1 1:x", 10, 10, "'x': not a number");
}

/* ----- what is harmless ------------------------------------------------------------------ */

TEST(harmless_forms_are_accepted)
{
    static const struct {
        const char *text;
        size_t rows, entries;
    } cases[] = {
        { "", 0, 0 },
        { "\n\n\r\n  \n\t\n", 0, 0 },
        { "# nothing but words\n#", 0, 0 },
        { "1", 1, 0 },
        { "1\n2\r\nspam", 3, 0 },
        { "1 1:2", 1, 1 },
        { "1 1:2\r", 1, 1 },
        { "1 1:2\r\n\r\n2 1:3 \r\n", 2, 2 },
        { "1 1:2 # 3:4\n", 1, 1 },
        { "1 1:2# 3:4\n", 1, 1 },
        { "1# 3:4\n", 1, 0 },
        { "1 qid:3 1:2\n", 1, 1 },
        { "1\tqid:3\t1:2\t\n", 1, 1 },
        { "1 qid:3", 1, 0 },
        { "1 qid:", 1, 0 },
        { "\t 1 \t 5:6 \t\n", 1, 1 },
        { "1 4294967295:1", 1, 1 },
        { "1 0000000000000000000007:1", 1, 1 },
        { "1 1:1e-999 2:0e99999 3:1e-99999999999999999999", 1, 3 },
        { "a,b;c 1:1\n", 1, 1 },
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rows r;
        perc_error err;
        const size_t len = strlen(cases[i].text);
        if (read_text(&plain, cases[i].text, len, &r, &err))
            fail_msg("%s: %s", cases[i].text, err.text);
        assert_int_equal(r.n, cases[i].rows);
        assert_int_equal(r.entries, cases[i].entries);
        rows_free(&r);
        assert_int_equal(compare(&plain, cases[i].text, len), PERC_OK);
    }
}

TEST(labels_are_told_apart_beyond_the_cache)
{
    static const char *const label[] = { "1",         "2",  "12345678", "1234567",
                                         "123456789", "a",  "ab",       "abcdefgh",
                                         "abcdefghi", "-1", "+1",       "1.0" };
    char text[4096];
    struct draft d = { text, 0, sizeof text, rng_seed(6, 0) };

    for (int i = 0; i < 300; i++) {
        DRAFT_PICK(&d, label);
        draft_put(&d, draft_chance(&d, 3) ? " 1:1\n" : "\n");
    }
    assert_int_equal(compare(&plain, d.s, d.len), PERC_OK);
}

/* A row in falling order must not take the square of its length. */
TEST(a_long_row_is_sorted_in_time)
{
    enum { N = 200000 };
    const struct libsvm o = { .unsorted = true };
    char *text = malloc(N * 9 + 2);
    struct rows r;
    perc_error err;
    size_t n = 0;

    assert_non_null(text);
    text[n++] = '1';
    for (unsigned i = N; i > 0; i--) n += (size_t)sprintf(text + n, " %u:%u", i, i % 10);
    assert_int_equal(read_once(&o, text, n, &r, &err), PERC_OK);
    assert_int_equal(r.entries, N);
    for (unsigned i = 0; i < N; i++) {
        assert_int_equal(r.index[i], i + 1);
        assert_true(entry(&r, i) == (i + 1) % 10);
    }
    rows_free(&r);
    free(text);
}

TEST(memory_may_run_out_anywhere)
{
    static const char text[] = "1 1:1 2:2.5\nspam 3:1e30 4:1\n-1 1:1\n\n\n\n\n\n";
    char padded[sizeof text + SOURCE_PAD];

    memset(padded, '\n', sizeof padded);
    memcpy(padded, text, sizeof text - 1);
    for (struct t_sweep s = { .least = 8 }; t_sweep_next(&s);) {
        const struct env e = env_resolve(&s.env);
        struct rows r;
        perc_error err = { 0 };
        rows_init(&r, &e);
        const perc_status st = libsvm_parse(&plain, padded, sizeof text - 1, &r, &err);
        assert_int_equal(err.status, st);
        rows_free(&r);
        t_sweep_judge(&s, st);
    }
}
