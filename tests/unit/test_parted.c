/* test_parted.c -- rows of a text divided among files: what is drawn, when something was, and that
 * nothing is lost whatever fails. Whole files are beside the csv module in tests/parts.py. */
#include <math.h>
#include <unistd.h>

#include "data/cut.h"
#include "data/draw.h"
#include "data/moment.h"
#include "t.h"
#include "t_alloc.h"
#include "t_make.h"
#include "vec/scan.h"

static const struct env env = { .alloc = t_alloc,
                                .ud = &(struct t_alloc){ .fail_at = -1 },
                                .threads = 1 };

TEST(the_nth_character_is_found_as_by_the_plain_loop)
{
    char text[200];
    struct rng rng = rng_seed(3, 0);

    for (int round = 0; round < 2000; round++) {
        for (size_t i = 0; i < sizeof text; i++) text[i] = rng_below(&rng, 4) == 0 ? ',' : 'x';
        const size_t from = rng_below(&rng, 20), to = from + rng_below(&rng, 150);
        size_t missing, plain;
        const size_t n = 1 + rng_below(&rng, 60);
        const char *a = scan_nth(text + from, text + to, ',', n, &missing);
        const char *b = scan_nth_plain(text + from, text + to, ',', n, &plain);
        assert_ptr_equal(a, b);
        assert_int_equal(missing, plain);
    }
}

/* ----- when something was ----------------------------------------------------------------- */

TEST(dates_are_seconds_and_numbers_are_themselves)
{
    static const struct {
        const char *text;
        enum moment_kind kind;
        double value;
    } is[] = { { "1970-01-01", MOMENT_DATE, 0 },
               { "1970-01-02T00:00", MOMENT_DATE, 86400 },
               { "1970-01-02T01:02:03.5", MOMENT_DATE, 86400 + 3723.5 },
               { "1969-12-31 23:59:59,25", MOMENT_DATE, -0.75 },
               { "2000-03-01", MOMENT_DATE, 951868800 },
               { "2024-02-29T12:00Z", MOMENT_ZONED, 1709208000 },
               { "2024-02-29T12:00:00+01:00", MOMENT_ZONED, 1709204400 },
               { "2024-02-29 12:00-05:30", MOMENT_ZONED, 1709227800 },
               { "01.03.2000", MOMENT_DATE, 951868800 },
               { "2000/03/01", MOMENT_DATE, 951868800 },
               { "0001-01-01", MOMENT_DATE, -62135596800 },
               { " 12.5 ", MOMENT_NUMBER, 12.5 },
               { "-1e3", MOMENT_NUMBER, -1000 },
               { "2024", MOMENT_NUMBER, 2024 },
               { "20240229", MOMENT_NUMBER, 20240229 } };
    static const char *const none[] = { "",
                                        " ",
                                        "x",
                                        "2023-02-29",
                                        "2024-13-01",
                                        "2024-00-01",
                                        "2024-01-00",
                                        "1900-02-29",
                                        "2024-1-1",
                                        "2024-01-01T",
                                        "2024-01-01T10",
                                        "2024-01-01T25:00",
                                        "2024-01-01T10:60",
                                        "2024-01-01T24:00",
                                        "2024-01",
                                        "2024-01-01T10:00+0100",
                                        "2024-01-01T10:00X",
                                        "2024-01-01x",
                                        "2024-01-01T10:00+",
                                        "2024-01-01T10:00+24",
                                        "nan",
                                        "inf",
                                        "1e999",
                                        "0x10",
                                        "1,5",
                                        "2024-01-01T10:00Z2",
                                        "2024-01-01T10:00:60",
                                        "2024-01-01T10:00:5",
                                        "2024-01-01T10:00:05.",
                                        "2024-01-01T10:00:05.5.",
                                        "2024-01-01T10:00+24:00",
                                        "2024-01-01T10:00+01:",
                                        "2024-01-01T10:00+01:60",
                                        "2024-01/01",
                                        "2024/01-01",
                                        "20x4-01-01",
                                        "0000-01-01",
                                        "2024-02-3x",
                                        "32.01.2024",
                                        "01.13.2024",
                                        "01.12-2024",
                                        "01.12.0000",
                                        "30.02.2024",
                                        "01.12.2024x" };
    double v;

    for (size_t i = 0; i < COUNT(is); i++) {
        assert_int_equal(moment_parse(is[i].text, strlen(is[i].text), &v), is[i].kind);
        if (v != is[i].value) fail_msg("%s is %.17g, not %.17g", is[i].text, v, is[i].value);
    }
    for (size_t i = 0; i < COUNT(none); i++)
        if (moment_parse(none[i], strlen(none[i]), &v) != MOMENT_NONE) fail_msg("%s", none[i]);
}

/* Every day from 1600 to 2399 follows the one before it. */
TEST(days_follow_each_other)
{
    static const int length[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    double before = NAN, v;
    char text[16];

    for (int y = 1600; y < 2400; y++)
        for (int m = 1; m <= 12; m++)
            for (int d = 1;
                 d <= length[m - 1] + (m == 2 && y % 4 == 0 && (y % 100 || y % 400 == 0)); d++) {
                const int n = snprintf(text, sizeof text, "%04d-%02d-%02d", y, m, d);
                assert_int_equal(moment_parse(text, (size_t)n, &v), MOMENT_DATE);
                assert_true(isnan(before) || v == before + 86400);
                before = v;
            }
}

/* ----- draws -------------------------------------------------------------------------------- */

enum { ROWS = 60, LABELS = 4, GROUPS = 15 };

struct drawn_case {
    uint32_t label[ROWS], group[ROWS];
    double time[ROWS];
    uint8_t drawn[ROWS];
    struct draw d;
};

static void make_case(struct drawn_case *c, struct rng *rng)
{
    const uint64_t labels = 1 + rng_below(rng, LABELS), groups = 2 + rng_below(rng, GROUPS - 2);

    c->d = (struct draw){ .rows = 1 + rng_below(rng, ROWS), .seed = rng_u64(rng) >> 12 };
    c->d.want = rng_below(rng, c->d.rows + 1);
    for (size_t i = 0; i < ROWS; i++) {
        c->label[i] = (uint32_t)(rng_below(rng, labels) * rng_below(rng, 2));
        c->group[i] = (uint32_t)(i < groups ? i : rng_below(rng, groups));
        c->time[i] = (double)rng_below(rng, 1 + c->d.rows / 2);
    }
    c->d.labels = LABELS;
    c->d.groups = c->d.rows < groups ? c->d.rows : groups;
}

TEST(of_each_label_its_share_is_drawn_and_of_all_as_many_as_are_wanted)
{
    struct rng rng = rng_seed(1, 0);
    struct drawn_case c;
    uint64_t n;

    for (int round = 0; round < 500; round++) {
        make_case(&c, &rng);
        c.d.label = c.label;
        assert_int_equal(draw_rows(&env, &c.d, c.drawn, &n, NULL), PERC_OK);
        assert_int_equal(n, c.d.want);
        for (uint32_t l = 0; l < LABELS; l++) {
            int64_t of = 0, drawn = 0;
            for (size_t i = 0; i < c.d.rows; i++) {
                of += c.label[i] == l;
                drawn += c.label[i] == l && c.drawn[i];
            }
            /* |drawn - of want / rows| < 1 */
            const int64_t off = drawn * (int64_t)c.d.rows - of * (int64_t)c.d.want;
            assert_true(off < (int64_t)c.d.rows && -off < (int64_t)c.d.rows);
        }
    }
}

/* A whole number of rows of each label: then there is nothing to round, however many rows. */
TEST(shares_of_very_many_rows_do_not_overflow)
{
    enum { MANY = 300000 };
    uint32_t *label = malloc(MANY * sizeof *label);
    uint8_t *drawn = malloc(MANY);
    uint64_t n, ones = 0;

    assert_true(label != NULL && drawn != NULL);
    for (size_t i = 0; i < MANY; i++) label[i] = i % 3 == 0;
    const struct draw d = { .rows = MANY, .want = MANY / 2, .label = label, .labels = 2 };
    assert_int_equal(draw_rows(&env, &d, drawn, &n, NULL), PERC_OK);
    for (size_t i = 0; i < MANY; i++) ones += drawn[i] && label[i];
    assert_int_equal(n, MANY / 2);
    assert_int_equal(ones, MANY / 6);
    free(label);
    free(drawn);
}

TEST(groups_stay_whole_and_one_more_or_less_would_be_no_nearer)
{
    struct rng rng = rng_seed(2, 0);
    struct drawn_case c;
    uint64_t n;

    for (int round = 0; round < 500; round++) {
        int64_t size[GROUPS] = { 0 };
        make_case(&c, &rng);
        c.d.group = c.group;
        assert_int_equal(draw_rows(&env, &c.d, c.drawn, &n, NULL), PERC_OK);
        for (size_t i = 0; i < c.d.rows; i++) {
            size[c.group[i]]++;
            for (size_t k = 0; k < i; k++)
                if (c.group[i] == c.group[k]) assert_int_equal(c.drawn[i], c.drawn[k]);
        }
        const int64_t lack = (int64_t)c.d.want - (int64_t)n;
        for (size_t i = 0; i < c.d.rows; i++)
            if (!c.drawn[i]) assert_true(llabs(lack - size[c.group[i]]) >= llabs(lack));
    }
}

TEST(the_newest_are_drawn_as_near_to_what_is_wanted_as_ties_allow)
{
    struct rng rng = rng_seed(4, 0);
    struct drawn_case c;
    perc_error err = { 0 };
    uint64_t n;

    for (int round = 0; round < 500; round++) {
        int64_t nearest = INT64_MAX;
        make_case(&c, &rng);
        c.d.time = c.time;
        c.d.rest = round % 2 == 0;
        if (c.d.want == 0 || (c.d.rest && c.d.want == c.d.rows)) continue;
        const perc_status st = draw_rows(&env, &c.d, c.drawn, &n, &err);
        for (size_t i = 0; i < c.d.rows; i++) { /* rows from the time of row i on */
            int64_t from = 0;
            for (size_t k = 0; k < c.d.rows; k++) {
                from += c.time[k] >= c.time[i];
                if (!st && c.drawn[k] > c.drawn[i]) assert_true(c.time[k] > c.time[i]);
            }
            const int64_t off = llabs(from - (int64_t)c.d.want);
            if (off < nearest && !(c.d.rest && (uint64_t)from == c.d.rows)) nearest = off;
        }
        if (nearest == INT64_MAX) assert_refused(st, PERC_EDATA, &err, "the same time");
        else assert_int_equal(llabs((int64_t)n - (int64_t)c.d.want), nearest);
    }
}

/* ----- pieces ------------------------------------------------------------------------------- */

static void write_text(const char *path, const char *text, size_t n)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

TEST(a_text_is_cut_into_head_rows_and_gaps)
{
    static const char text[] = "\xef\xbb\xbf\n\"a\nb\",c,label\r\n  \n1,\"x\"\"\n,\",u\r\n\n2,y,v";
    static const struct {
        enum cut_kind kind;
        const char *text, *cell, *label;
        int line;
    } want[] = { { CUT_HEAD, "\xef\xbb\xbf", NULL, NULL, 0 },
                 { CUT_GAP, "\n", NULL, NULL, 1 },
                 { CUT_HEAD, "\"a\nb\",c,label\r\n", NULL, NULL, 2 },
                 { CUT_GAP, "  \n", NULL, NULL, 4 },
                 { CUT_ROW, "1,\"x\"\"\n,\",u\r\n", "x\"\n,", "u", 5 },
                 { CUT_GAP, "\n", NULL, NULL, 7 },
                 { CUT_ROW, "2,y,v", "y", "v", 8 },
                 { CUT_END, "", NULL, NULL, 0 } };
    perc_params *data;
    struct cut cut;
    struct cut_piece piece;
    char note[256];

    write_text("a.csv", text, sizeof text - 1);
    assert_int_equal(perc_params_new(NULL, "data", &data, NULL), PERC_OK);
    assert_int_equal(cut_open(&env, "a.csv", data, "c", &cut, note, NULL), PERC_OK);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < COUNT(want); i++) {
            assert_int_equal(cut_next(&cut, &piece, NULL), PERC_OK);
            assert_int_equal(piece.kind, want[i].kind);
            assert_int_equal(piece.len, strlen(want[i].text));
            assert_memory_equal(piece.text != NULL ? piece.text : "", want[i].text, piece.len);
            assert_int_equal(piece.line, want[i].line);
            if (want[i].cell == NULL) continue;
            assert_int_equal(piece.cell[CUT_BY].len, strlen(want[i].cell));
            assert_memory_equal(piece.cell[CUT_BY].text, want[i].cell, strlen(want[i].cell));
            assert_int_equal(piece.cell[CUT_LABEL].len, 1);
            assert_int_equal(*piece.cell[CUT_LABEL].text, *want[i].label);
        }
        assert_int_equal(cut_again(&cut, "a.csv", NULL), PERC_OK);
    }
    cut_close(&cut);
    perc_params_free(data);
}

/* ----- memory that runs out ----------------------------------------------------------- */

static const char mixed[] = "id,group,when,note,label\n"
                            "1,a,2024-01-01,\"x\"\"\ny\",p\n2,b,2024-01-02,,q\n"
                            "\n3,a,2024-01-03,z,p\n4,c,2024-01-04,,q\n5,c,2024-01-05,\"\"\"\",p";

/* One part of it, for each way that rows are drawn; "-" is read from a file that stands in for
 * standard input. */
static perc_status part_of(const perc_env *e, const char *path, const char *table,
                           const char *const *how, perc_error *err)
{
    perc_params *p = NULL;
    perc_split *s = NULL;
    perc_split_info info;
    perc_status st = perc_params_new(e, table, &p, err);

    for (; !st && *how != NULL; how += 2) st = perc_params_set(p, how[0], how[1], err);
    if (!st)
        st = strcmp(table, "split") == 0
                 ? perc_split_rows(e, path, NULL, p, "train", "test", &s, err)
                 : perc_sample_rows(e, path, NULL, p, "test", &s, err);
    assert_int_equal(st == PERC_OK, s != NULL);
    if (s != NULL) {
        perc_split_info_get(s, &info);
        assert_int_equal(info.rows, 5);
        assert_int_equal(info.labels, 2);
        assert_int_equal(info.bytes, sizeof mixed - 1);
    }
    perc_split_free(s);
    perc_params_free(p);
    return st;
}

TEST(memory_that_runs_out_leaves_the_old_files)
{
    static const struct {
        const char *table, *how[8];
    } ways[] = { { "split", { "stratify", "true", NULL } },
                 { "split", { "by", "group:group", "test", "2", NULL } },
                 { "split", { "by", "time:when", "test", "0.4", NULL } },
                 { "sample", { "rows", "2", NULL } },
                 { "sample", { "share", "0.5", "stratify", "true", NULL } } };
    const int stdin_was = dup(STDIN_FILENO);

    write_text("a.csv", mixed, sizeof mixed - 1);
    assert_non_null(freopen("a.csv", "rb", stdin));
    for (size_t i = 0; i < 2 * COUNT(ways); i++) {
        const char *path = i % 2 == 0 ? "a.csv" : "-";
        for (struct t_sweep s = { .least = 10 }; t_sweep_next(&s);) {
            perc_error err = { 0 };
            assert_int_equal(lseek(STDIN_FILENO, 0, SEEK_SET), 0);
            write_text("train", "old", 3);
            write_text("test", "old", 3);
            const perc_status st = part_of(&s.env, path, ways[i / 2].table, ways[i / 2].how, &err);
            char old[8] = { 0 };
            FILE *f = fopen("test", "rb");
            assert_non_null(f);
            assert_int_equal(fread(old, 1, 3, f), 3);
            fclose(f);
            assert_int_equal(strcmp(old, "old") == 0, st != PERC_OK);
            t_sweep_judge(&s, st);
        }
    }
    assert_true(stdin_was >= 0 && dup2(stdin_was, STDIN_FILENO) == STDIN_FILENO);
    close(stdin_was);
}

TEST(memory_that_runs_out_in_json_lines_is_an_error)
{
    static const char text[] = "{\"a\\u00e9\":1,\"in\":{\"g\":\"p\"},\"class\":\"x\\n\"}\n"
                               "{\"class\":\"y\",\"in\":{\"g\":\"q\"},\"a\\u00e9\":2}\n";
    static const char *const by[] = { "", "group:in.g" };

    write_text("a.jsonl", text, sizeof text - 1);
    for (size_t i = 0; i < COUNT(by); i++)
        for (struct t_sweep s = { .least = 10 }; t_sweep_next(&s);) {
            perc_params *p = NULL;
            perc_split *made = NULL;
            perc_error err = { 0 };
            perc_status st = perc_params_new(&s.env, "split", &p, &err);
            if (!st) st = perc_params_set(p, "by", by[i], &err);
            if (!st) st = perc_split_rows(&s.env, "a.jsonl", NULL, p, "train", "test", &made, &err);
            perc_split_free(made);
            perc_params_free(p);
            t_sweep_judge(&s, st);
        }
}
