/* test_settle_random.c -- verdicts and certificates of decide (src/prove/job.h) against a
 * search over all circuits, on thousands of small problems, degenerate on purpose; and on
 * files that solvers with rounding cannot tell apart from others.
 *
 * Sums are done here, on numbers that the test read from its own text. */
#include <math.h>

#include "prove/job.h"
#include "t.h"
#include "t_cases.h"
#include "t_dir.h"
#include "t_hull.h"
#include "t_whole.h"

/* ----- what is asked, with the numbers of the test ------------------------------------------ */

enum { SCALE = 1300 }; /* numbers are kept times 10^SCALE */

struct asked {
    struct t_brute b; /* n, held, holds, strict, side */
    size_t dims;      /* of the problem's w */
    mpz_t *a;         /* n x dims: y_i (x_i, 1) times 10^SCALE */
};

/* out = the decimal times 10^SCALE. */
static void decimal_of(const char *text, mpz_t out)
{
    char digits[400];
    size_t n = 0;
    long shift = SCALE;
    bool point = false;
    mpz_t power;

    for (; *text != '\0' && *text != 'e'; text++) {
        if (*text == '.') {
            point = true;
        } else {
            assert_true(n + 1 < sizeof digits);
            digits[n++] = *text;
            shift -= point;
        }
    }
    digits[n] = '\0';
    if (*text == 'e') shift += strtol(text + 1, NULL, 10);
    assert_true(shift >= 0);
    mpz_init(power);
    mpz_ui_pow_ui(power, 10, (unsigned long)shift);
    assert_int_equal(mpz_set_str(out, digits, 10), 0);
    mpz_mul(out, out, power);
    mpz_clear(power);
}

static mpz_t *at(const struct asked *q, size_t i, size_t j)
{
    return &q->a[i * q->dims + j];
}

static struct asked asked_new(size_t n, size_t dims)
{
    struct asked q = { .dims = dims, .a = malloc(n * dims * sizeof *q.a) };

    q.b.n = n;
    for (size_t k = 0; k < n * dims; k++) mpz_init(q.a[k]);
    return q;
}

static void asked_free(struct asked *q)
{
    for (size_t k = 0; k < q->b.n * q->dims; k++) mpz_clear(q->a[k]);
    free(q->a);
}

/* The same small problem, as it is. */
static struct asked asked_small(const struct t_small *d, bool offset)
{
    struct asked q = asked_new(d->rows, d->cols + (offset ? 1 : 0));

    q.b = t_brute_of(d, offset);
    t_brute_solve(&q.b);
    for (size_t i = 0; i < q.b.n; i++)
        for (size_t j = 0; j < q.dims; j++) mpz_set_si(*at(&q, i, j), q.b.a[i][j]);
    return q;
}

/* ----- certificates ------------------------------------------------------------------------- */

/* The rank of some rows, without fractions (Bareiss 1968). */
static size_t rank_of(const struct asked *q, const bool *take)
{
    struct asked m = asked_new(q->b.n, q->dims);
    size_t n = 0, rank = 0;
    mpz_t last;

    mpz_init_set_ui(last, 1);
    for (size_t i = 0; i < q->b.n; i++) {
        for (size_t j = 0; j < q->dims && take[i]; j++) mpz_set(*at(&m, n, j), *at(q, i, j));
        n += take[i];
    }
    for (size_t c = 0; c < q->dims && rank < n; c++) {
        size_t p = rank;
        while (p < n && mpz_sgn(*at(&m, p, c)) == 0) p++;
        if (p == n) continue;
        for (size_t j = 0; j < q->dims; j++) mpz_swap(*at(&m, p, j), *at(&m, rank, j));
        for (size_t i = rank + 1; i < n; i++) {
            for (size_t j = c + 1; j < q->dims; j++) {
                mpz_mul(*at(&m, i, j), *at(&m, i, j), *at(&m, rank, c));
                mpz_submul(*at(&m, i, j), *at(&m, i, c), *at(&m, rank, j));
                mpz_divexact(*at(&m, i, j), *at(&m, i, j), last);
            }
            mpz_set_ui(*at(&m, i, c), 0);
        }
        mpz_set(last, *at(&m, rank, c));
        rank++;
    }
    mpz_clear(last);
    asked_free(&m);
    return rank;
}

/* a_i.w is > 0 on S and 0 on C. */
static void check_w(const struct asked *q, const struct separation *a)
{
    mpz_t x;

    mpz_init(x);
    for (size_t i = 0; i < q->b.n; i++) {
        mpz_set_ui(x, 0);
        for (size_t j = 0; j < q->dims; j++) mpz_addmul(x, *at(q, i, j), a->w[j]);
        assert_int_equal(mpz_sgn(x), q->b.held[i] ? 0 : 1);
    }
    mpz_clear(x);
}

/* The rows rise, the weights are > 0, and the sum is 0: of the listed rows, and of `others`
 * times the rest of C. `taken` says which are listed. */
static void check_weights(const struct asked *q, const struct weights *l, bool *taken)
{
    mpz_t sum, g;

    mpz_inits(sum, g, NULL);
    memset(taken, 0, BRUTE_ROWS * sizeof *taken);
    for (size_t k = 0; k < l->n; k++) {
        assert_true(l->row[k] < q->b.n && (k == 0 || l->row[k] > l->row[k - 1]));
        assert_true(mpz_sgn(l->value[k]) > 0);
        assert_true(q->b.held[l->row[k]]);
        taken[l->row[k]] = true;
        mpz_gcd(g, g, l->value[k]);
    }
    mpz_gcd(g, g, l->others);
    assert_true(mpz_cmp_ui(g, 1) == 0);
    for (size_t j = 0; j < q->dims; j++) {
        mpz_set_ui(sum, 0);
        for (size_t k = 0; k < l->n; k++) mpz_addmul(sum, *at(q, l->row[k], j), l->value[k]);
        for (size_t i = 0; i < q->b.n; i++)
            if (q->b.held[i] && !taken[i]) mpz_addmul(sum, *at(q, i, j), l->others);
        assert_int_equal(mpz_sgn(sum), 0);
    }
    mpz_clears(sum, g, NULL);
}

static void check_no(const struct asked *q, const struct separation *a)
{
    bool taken[BRUTE_ROWS];

    assert_true(a->no.n > 0);
    assert_int_equal(mpz_sgn(a->no.others), 0);
    check_weights(q, &a->no, taken);
    assert_true(a->no.n <= rank_of(q, taken) + 1);
    if (a->verdict == PERC_INSEPARABLE) assert_int_equal(a->rank, rank_of(q, taken));
}

static void check_all(const struct asked *q, const struct separation *a)
{
    bool taken[BRUTE_ROWS];
    const size_t rank = rank_of(q, q->b.held);

    assert_int_equal(mpz_sgn(a->all.others), 1);
    check_weights(q, &a->all, taken);
    assert_int_equal(a->rank, rank);
    if (a->all.n > 2 * rank) fail_msg("%zu rows listed, rank %zu, %s", a->all.n, rank, a->method);
}

/* What decide said of the problem q is true and proved. */
static void check_answer(const struct asked *q, const struct separation *a, bool quick)
{
    static const perc_verdict verdict[] = { PERC_SEPARABLE, PERC_TOUCHING, PERC_OVERLAPPING };
    const bool yes = q->b.side == T_SEPARABLE;

    assert_int_equal(a->verdict, quick && !yes ? PERC_INSEPARABLE : verdict[q->b.side]);
    assert_non_null(a->method);
    assert_true(a->rows == q->b.n && a->dims == q->dims);
    if (!yes) check_no(q, a);
    if (quick && !yes) return;
    assert_non_null(a->strict);
    for (size_t i = 0; i < q->b.n; i++) assert_int_equal(a->strict[i], !q->b.held[i]);
    assert_true(a->s == q->b.strict && a->c == q->b.holds);
    if (q->b.side != T_OVERLAPPING) assert_non_null(a->w);
    if (a->w != NULL) check_w(q, a);
    if (!yes) check_all(q, a);
}

static void ask(struct t_whole *t, const struct problem *f, const struct asked *q, bool quick,
                const struct job_tune *tune, uint64_t *rejected)
{
    const struct job_options o = { .quick = quick };
    perc_error err = { 0 };
    struct separation a;

    separation_init(&a, &t->p.e);
    if (tune == NULL ? decide(&t->p, f, &o, &a, &err) : decide_tuned(&t->p, f, &o, tune, &a, &err))
        fail_msg("%s", err.text);
    check_answer(q, &a, quick);
    if (rejected != NULL) *rejected = a.rejected;
    separation_free(&a);
}

/* ----- small whole numbers ------------------------------------------------------------------ */

static int tally[3];

static void ask_small(const struct t_small *d, bool offset, bool quick, const struct job_tune *tune)
{
    struct t_whole t = t_whole_of(t_small_data(d), offset, env_resolve(NULL));
    struct t_problem f = t_problem_new(&t.d, offset, env_resolve(NULL));
    struct asked q = asked_small(d, offset);

    ask(&t, t_problem_of(&f), &q, quick, tune, NULL);
    tally[q.b.side]++;
    asked_free(&q);
    t_problem_free(&f);
    t_whole_free(&t);
}

static int problems(void)
{
    return t_cases(4000);
}

TEST(small_problems)
{
    uint64_t seed = 11;

    memset(tally, 0, sizeof tally);
    for (int k = 0; k < problems(); k++) {
        const size_t cols = 1 + (size_t)t_small_below(&seed, 4);
        const size_t rows = 1 + (size_t)t_small_below(&seed, 11);
        const struct t_small d = t_small_new(rows, cols, 1 + k % 4, &seed);
        for (int way = 0; way < 4; way++) ask_small(&d, way & 1, way & 2, NULL);
    }
    for (int side = 0; side < 3; side++) assert_true(tally[side] > problems() / 4);
}

/* The same with parts of it left out, so that what seldom comes to be asked is asked. */
TEST(each_part_alone)
{
    static const struct job_tune tune[] = {
        { .no_float = true, .no_equal = true, .no_guess = true, .no_peel = true },
        { .no_equal = true, .no_guess = true, .no_peel = true },
        { .no_equal = true, .no_guess = true, .no_peel = true, .no_coarse = true },
        { .no_peel = true, .no_equal = true },
        { .no_guess = true, .no_equal = true },
        { .no_face = true }, /* from a witness that floating point found */
    };
    uint64_t seed = 13;

    memset(tally, 0, sizeof tally);
    for (int k = 0; k < problems() / 4; k++) {
        const size_t cols = 1 + (size_t)t_small_below(&seed, 4);
        const size_t rows = 1 + (size_t)t_small_below(&seed, 11);
        const struct t_small d = t_small_new(rows, cols, 1 + k % 4, &seed);
        for (size_t w = 0; w < COUNT(tune); w++) ask_small(&d, k % 2, k % 4 == 3, &tune[w]);
    }
    for (int side = 0; side < 3; side++) assert_true(tally[side] > problems() / 16);
}

/* Few distinct rows, many of each: ties wherever there can be some. */
TEST(many_copies)
{
    uint64_t seed = 12;

    memset(tally, 0, sizeof tally);
    for (int k = 0; k < problems() / 4; k++) {
        const size_t cols = 1 + (size_t)t_small_below(&seed, 3), rows = 14;
        struct t_small d = t_small_new(4, cols, 1, &seed);
        for (d.rows = 4; d.rows < rows; d.rows++) {
            const size_t from = (size_t)t_small_below(&seed, 4);
            memcpy(d.x[d.rows], d.x[from], sizeof d.x[from]);
            d.y[d.rows] = t_small_below(&seed, 12) ? d.y[from] : -d.y[from];
        }
        for (int way = 0; way < 4; way++) ask_small(&d, way & 1, way & 2, NULL);
    }
    for (int side = 0; side < 3; side++) assert_true(tally[side] > problems() / 32);
}

/* ----- files -------------------------------------------------------------------------------- */

enum { CELL = 160 };

/* A file to be: the text of each number. */
struct sheet {
    size_t rows, cols;
    int y[BRUTE_ROWS];
    char x[BRUTE_ROWS][BRUTE_DIMS][CELL];
};

static void sheet_write(const struct sheet *s, const char *path)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    for (size_t i = 0; i < s->rows; i++) {
        fputs(s->y[i] > 0 ? "1" : "-1", f);
        for (size_t j = 0; j < s->cols; j++) fprintf(f, " %zu:%s", j + 1, s->x[i][j]);
        fputc('\n', f);
    }
    assert_int_equal(fclose(f), 0);
}

/* Column 0 of the problem is not used: features count from 1. */
static struct asked sheet_asked(const struct sheet *s, bool offset, uint64_t columns)
{
    struct asked q = asked_new(s->rows, (size_t)columns + (offset ? 1 : 0));

    for (size_t i = 0; i < s->rows; i++) {
        for (size_t j = 0; j < s->cols; j++) {
            mpz_t x;
            mpz_init(x);
            decimal_of(s->x[i][j], x);
            if (s->y[i] < 0) mpz_neg(x, x);
            if (j + 1 < columns) mpz_set(*at(&q, i, j + 1), x);
            else assert_int_equal(mpz_sgn(x), 0);
            mpz_clear(x);
        }
        if (!offset) continue;
        decimal_of("1", *at(&q, i, (size_t)columns));
        if (s->y[i] < 0) mpz_neg(*at(&q, i, (size_t)columns), *at(&q, i, (size_t)columns));
    }
    return q;
}

/* The rows of a data set in doubles. */
static struct problem problem_of(const perc_dataset *ds, const struct sheet *s, bool offset)
{
    uint64_t *ref = malloc((s->rows + 1) * sizeof *ref), n = 0;
    uint32_t *class = malloc((s->rows + 1) * sizeof *class);

    for (size_t b = 0; b < ds->blocks; b++)
        for (size_t i = 0; i < ds->block[b].rows; i++) ref[n++] = ref_make(b, i);
    assert_int_equal(n, s->rows);
    for (size_t i = 0; i < n; i++) class[i] = s->y[i] > 0;
    return (struct problem){ .e = env_resolve(NULL),
                             .blocks = ds->block,
                             .block_count = ds->blocks,
                             .dims = ds->columns,
                             .offset = offset,
                             .n = n,
                             .ref = ref,
                             .class = class };
}

/* Writes, reads and asks; `b` has the partition. Returns how many proposals were refused. */
static uint64_t ask_sheet(const struct sheet *s, const struct t_brute *b, bool offset, bool quick)
{
    perc_error err = { 0 };
    perc_dataset *ds;
    uint64_t rejected;
    double y[BRUTE_ROWS];

    sheet_write(s, "s.svm");
    if (perc_dataset_read_exact(NULL, "s.svm", NULL, &ds, &err)) fail_msg("%s", err.text);
    for (size_t i = 0; i < s->rows; i++) y[i] = s->y[i];
    struct t_whole t = t_whole_new(ds, (struct t_data){ .rows = 0 }, s->rows, y, offset,
                                   env_resolve(NULL));
    struct problem f = problem_of(ds, s, offset);
    struct asked q = sheet_asked(s, offset, ds->columns);
    q.b = *b;
    ask(&t, &f, &q, quick, NULL, &rejected);
    asked_free(&q);
    free((void *)(uintptr_t)f.ref);
    free((void *)(uintptr_t)f.class);
    t_whole_free(&t);
    return rejected;
}

/* ----- the same problem in numbers that doubles cannot hold --------------------------------- */

/* x + 10^24 in each column: with an offset, nothing changes but that all doubles are equal. */
static void far_away(const struct t_small *d, struct sheet *s)
{
    for (size_t i = 0; i < d->rows; i++)
        for (size_t j = 0; j < d->cols; j++) {
            const int x = d->x[i][j];
            snprintf(s->x[i][j], CELL, "%s%03d",
                     x < 0 ? "999999999999999999999" : "1000000000000000000000",
                     x < 0 ? 1000 + x : x);
        }
}

/* Column j times 10^(250 j - 400): below the least double, among the denormal ones, and so on. */
static void all_sizes(const struct t_small *d, struct sheet *s)
{
    for (size_t i = 0; i < d->rows; i++)
        for (size_t j = 0; j < d->cols; j++)
            snprintf(s->x[i][j], CELL, "%de%d", d->x[i][j],
                     (int[]){ -400, -323, -20, 300 }[(j + d->rows) % 4]);
}

/* x 10^-30 + k with k by row: column 0 tells the rows apart, column 1 is the same but for
 * the 30th digit. A shear: it changes nothing. */
static void sheared(const struct t_small *d, struct sheet *s)
{
    for (size_t i = 0; i < d->rows; i++)
        for (size_t j = 0; j < d->cols; j++) {
            const int x = d->x[i][j], first = d->x[i][0];
            if (j == 0) {
                snprintf(s->x[i][j], CELL, "%d", x);
                continue;
            }
            /* x 10^-30 + first, with the sign in front */
            const int sign = first < 0 || (first == 0 && x < 0) ? -1 : 1;
            const int whole = first * sign, part = x * sign;
            if (part >= 0)
                snprintf(s->x[i][j], CELL, "%s%d.%030d", sign < 0 ? "-" : "", whole, part);
            else
                snprintf(s->x[i][j], CELL, "%s%d.999999999999999999999999999%03d",
                         sign < 0 ? "-" : "", whole - 1, 1000 + part);
        }
}

static void disguised(void (*how)(const struct t_small *, struct sheet *), bool offset,
                      uint64_t seed)
{
    uint64_t rejected = 0;

    memset(tally, 0, sizeof tally);
    for (int k = 0; k < 600; k++) {
        const size_t cols = 1 + (size_t)t_small_below(&seed, 4);
        const size_t rows = 2 + (size_t)t_small_below(&seed, 9);
        const struct t_small d = t_small_new(rows, cols, 1 + k % 4, &seed);
        struct sheet s = { .rows = rows, .cols = cols };
        struct t_brute b = t_brute_of(&d, offset);
        t_brute_solve(&b);
        memcpy(s.y, d.y, sizeof s.y);
        how(&d, &s);
        rejected += ask_sheet(&s, &b, offset, k % 3 == 0);
        tally[b.side]++;
    }
    for (int side = 0; side < 3; side++) assert_true(tally[side] > 20);
    assert_true(rejected > 0);
}

TEST(rows_far_from_the_origin)
{
    disguised(far_away, true, 21);
}

TEST(columns_of_all_sizes)
{
    disguised(all_sizes, true, 22);
    disguised(all_sizes, false, 23);
}

TEST(the_thirtieth_digit)
{
    disguised(sheared, true, 24);
    disguised(sheared, false, 25);
}

/* ----- files made to mislead ---------------------------------------------------------------- */

/* In doubles each of them is another problem, with another verdict. `held`: C, by row. */
static const struct {
    const char *what;
    struct sheet s;
    bool held[8];
    bool no_offset;
    bool refused; /* some solver with rounding is sure to be wrong */
} made[] = {
    { "equal but for the 20th digit: separable",
      { 2, 1, { 1, -1 }, { { "0.12345678901234567891" }, { "0.12345678901234567892" } } },
      { 0 },
      false,
      true },
    { "a gap of 1e-40 of R: separable",
      { 6,
        2,
        { 1, -1, 1, -1, 1, -1 },
        { { "1", "1.0000000000000000000000000000000000000001" },
          { "1", "0.9999999999999999999999999999999999999999" },
          { "2", "2.0000000000000000000000000000000000000001" },
          { "2", "1.9999999999999999999999999999999999999999" },
          { "3", "3.0000000000000000000000000000000000000001" },
          { "3", "2.9999999999999999999999999999999999999999" } } },
      { 0 },
      false,
      true },
    { "1e-400 is 0 in doubles: separable",
      { 3, 1, { 1, -1, 1 }, { { "1e-400" }, { "-1e-400" }, { "3e-400" } } },
      { 0 },
      false,
      true },
    { "in the middle of two others, but not in denormal doubles: overlapping",
      { 3, 2, { 1, -1, 1 }, { { "0", "0" }, { "1.5e-324", "0.5" }, { "3e-324", "1" } } },
      { 1, 1, 1 },
      false,
      false },
    { "on the line of two others, but not in doubles: overlapping",
      { 3, 2, { 1, -1, 1 }, { { "0", "0" }, { "0.3", "0.1" }, { "0.9", "0.3" } } },
      { 1, 1, 1 },
      false,
      false },
    { "equal to the 25th digit and beyond in one pair, in others not: touching",
      { 4,
        2,
        { 1, -1, 1, -1 },
        { { "0.1234567890123456789012345", "1" },
          { "0.1234567890123456789012345", "1" },
          { "0.1234567890123456789012346", "1" },
          { "0.1234567890123456789012344", "1" } } },
      { 1, 1, 0, 0 },
      false,
      true },
    { "opposite directions, but not in denormal doubles: overlapping",
      { 2, 2, { 1, -1 }, { { "2e-324", "3e-324" }, { "4e-324", "6e-324" } } },
      { 1, 1 },
      true,
      true },
};

TEST(files_made_to_mislead)
{
    for (size_t k = 0; k < COUNT(made); k++) {
        struct t_brute b = { .n = made[k].s.rows };
        for (size_t i = 0; i < b.n; i++) b.holds += b.held[i] = made[k].held[i];
        b.strict = b.n - b.holds;
        b.side = b.holds == 0 ? T_SEPARABLE : b.strict == 0 ? T_OVERLAPPING : T_TOUCHING;
        print_message("%s\n", made[k].what);
        for (int quick = 0; quick < 2; quick++) {
            const uint64_t rejected = ask_sheet(&made[k].s, &b, !made[k].no_offset, quick);
            print_message("    refused: %d\n", (int)rejected);
            if (made[k].refused && !quick) assert_true(rejected > 0);
        }
    }
}
