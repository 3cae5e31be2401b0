/* test_out.c -- results on their way out: cells of a table, numbers in words, characters and how
 * wide they are, small pictures on a terminal. */
#include <math.h>

#include "show/chars.h"
#include "show/ending.h"
#include "show/plot.h"
#include "t.h"
#include "t_alloc.h"

static struct out *open_text(void)
{
    struct out *o;

    assert_int_equal(out_open(NULL, NULL, &o, NULL), PERC_OK);
    return o;
}

/* RFC 4180: a cell with a comma, a quote or the end of a line is quoted, and its quotes are
 * doubled; before that, what could steer a terminal is made visible. */
TEST(cells_of_a_csv_are_read_back)
{
    static const char *const cell[][2] = {
        { "plain", "plain" },
        { "1.5e-3", "1.5e-3" },
        { "two words", "two words" },
        { "a,b", "\"a,b\"" },
        { "say \"x\"", "\"say \"\"x\"\"\"" },
        { "\"", "\"\"\"\\\"\"\"\"\"" },
        { ",", "\",\"" },
        { "", "" },
        { "a\nb", "\"\"\"a\\nb\"\"\"" },
        { "a\r", "\"\"\"a\\r\"\"\"" },
        { "\xc3\xa9,", "\"\xc3\xa9,\"" },
    };

    for (size_t i = 0; i < COUNT(cell); i++) {
        struct out *o = open_text();

        out_csv(o, cell[i][0]);
        assert_string_equal(out_kept(o), cell[i][1]);
        out_abort(o);
    }
}

/* What was never opened can be closed; a text in memory has nothing to flush. */
TEST(closing_nothing_is_fine)
{
    struct out *o = open_text();

    out_text(o, "kept");
    out_flush(o);
    assert_string_equal(out_kept(o), "kept");
    assert_int_equal(out_close(o, NULL), PERC_OK);
    assert_int_equal(out_close(NULL, NULL), PERC_OK);
    out_abort(NULL);
}

TEST(numbers_in_words)
{
    char buf[WORD];

    assert_string_equal(word_int(buf, 0), "0");
    assert_string_equal(word_int(buf, -12), "-12");
    assert_string_equal(word_int(buf, INT64_MIN), "-9223372036854775808");
    assert_string_equal(word_seconds(buf, 1e-7), "0 s");
    assert_string_equal(word_seconds(buf, 99), "99.00 s");
    assert_string_equal(word_seconds(buf, 125), "2 min 05 s");
    assert_string_equal(word_rate(buf, NAN, "rows"), "too short to time");
    assert_string_equal(word_rate(buf, 0, "rows"), "too short to time");
    assert_string_equal(word_rate(buf, 2.5e9, "rows"), "2.5 billion rows/s");
    assert_string_equal(word_percent(buf, NAN), "undefined");
    assert_string_equal(word_percent(buf, 0.125), "12.50 %");
    assert_string_equal(word_bytes(buf, 999), "999 bytes");
    assert_string_equal(word_bytes(buf, UINT64_MAX), "18.4 EB");
}

/* Rounded up it is never below the number, rounded down never above, down to the smallest. */
TEST(numbers_are_rounded_to_their_side)
{
    static const struct {
        double v;
        int digits;
        const char *down, *up;
    } c[] = {
        { 0, 3, "0", "0" },
        { 1, 3, "1", "1" },
        { 0.12345, 3, "0.123", "0.124" },
        { 9.999, 2, "9.9", "10" },
        { 0x1p-1000, 4, "9.332e-302", "9.333e-302" },
        { 0x1p-1074, 2, "4.9e-324", "5.0e-324" },
        { 9.9999e-300, 2, "9.9e-300", "1.00e-299" },
    };
    char buf[WORD];

    for (size_t i = 0; i < COUNT(c); i++) {
        assert_string_equal(word_rounded(buf, c[i].v, c[i].digits, false), c[i].down);
        assert_string_equal(word_rounded(buf, c[i].v, c[i].digits, true), c[i].up);
    }
}

/* As Unicode's East Asian Width has them. */
TEST(wide_letters_take_two_columns)
{
    static const struct {
        uint32_t first, last;
        size_t columns;
    } range[] = {
        { 'a', 'z', 1 },        { 0xe9, 0x2ff, 1 },      { 0x300, 0x36f, 0 },
        { 0x1100, 0x115f, 2 },  { 0x1160, 0x2e7f, 1 },   { 0x2e80, 0xd7a3, 2 },
        { 0xd7a4, 0xf8ff, 1 },  { 0xf900, 0xfaff, 2 },   { 0xfb00, 0xfe2f, 1 },
        { 0xfe30, 0xfe6f, 2 },  { 0xfe70, 0xfeff, 1 },   { 0xff00, 0xff60, 2 },
        { 0xff61, 0x1efff, 1 }, { 0x1f000, 0x3ffff, 2 }, { 0x40000, 0x10ffff, 1 },
    };

    for (size_t i = 0; i < COUNT(range); i++) {
        assert_int_equal(chars_columns(range[i].first), range[i].columns);
        assert_int_equal(chars_columns(range[i].last), range[i].columns);
    }
}

static void draw(struct plot *p, double w1, double w2, bool colour, const char *want)
{
    struct out *o = open_text();

    plot_line(p, w1, w2, 0, '.');
    plot_point(p, 1, 1, '1');
    plot_point(p, 9, NAN, 'x'); /* outside */
    plot_print(p, o, 1, colour);
    assert_string_equal(out_kept(o), want);
    out_abort(o);
    plot_free(p);
}

TEST(lines_have_a_mark_in_each_column_or_row)
{
    const double box[4] = { -2, -2, 2, 2 };

    draw(plot_new(NULL, 4, 4, box), 0, 1, false,
         " +----+\n |   1|\n |....|\n |    |\n |    |\n +----+\n");
    draw(plot_new(NULL, 4, 4, box), 1, 0, false,
         " +----+\n |  .1|\n |  . |\n |  . |\n |  . |\n +----+\n");
    draw(plot_new(NULL, 4, 4, box), 1, 0, true,
         " +----+\n |  .\033[33m1\033[0m|\n |  . |\n |  . |\n |  . |\n +----+\n");
}

/* The box of points that have one place has room around it; that of none, too. */
TEST(boxes_of_equal_points_have_room)
{
    const double point[] = { 3, 5, 3, 7 };
    double box[4];

    plot_box(point, 2, box);
    assert_true(box[0] == 2 && box[2] == 4 && box[1] < 5 && box[3] > 7 && box[3] < 7.2);
    plot_box(point, 0, box);
    assert_true(box[0] == -1 && box[2] == 1);
}

/* Without memory there is no picture, and the result says so. */
TEST(plots_need_memory)
{
    const double box[4] = { 0, 0, 1, 1 };

    for (struct t_sweep s = { .least = 2 }; t_sweep_next(&s);) {
        struct plot *p = plot_new(&s.env, 3, 3, box);
        struct out *o = open_text();

        plot_point(p, 0.5, 0.5, 'o');
        plot_line(p, 1, 1, 0, '.');
        plot_print(p, o, 0, false);
        plot_free(p);
        const perc_status st = out_broken(o) ? PERC_ENOMEM : PERC_OK;
        out_abort(o);
        t_sweep_judge(&s, st);
    }
}

/* Each end of training has its sentence. */
TEST(endings_say_what_they_leave_open)
{
    static const struct {
        perc_report r;
        const char *limit, *words;
    } c[] = {
        { { .stop = PERC_STOP_EPOCHS, .solver = "", .margin_lower = 1, .training_errors = 2 },
          "1",
          "limit of 1 pass: the rows can be separated, but not by these numbers" },
        { { .stop = PERC_STOP_EPOCHS, .solver = "", .margin_lower = 1 },
          "5",
          "limit of 5 passes: the margin may be larger" },
        { { .stop = PERC_STOP_EPOCHS, .solver = "", .weights = 9, .epochs = 1 },
          "-1",
          "limit of 1 pass: more passes may lower the loss" },
        { { .stop = PERC_STOP_STUCK, .solver = "newton" },
          "1",
          "as far as rounding allows: the gap says" },
        { { .stop = PERC_STOP_CANCELLED, .solver = "", .epochs = 3 },
          "1",
          "interrupted in pass 3" },
        { { .stop = PERC_STOP_DIVERGED, .solver = "", .epochs = 0 }, "1", "no model is kept" },
    };
    char buf[256];

    for (size_t i = 0; i < COUNT(c); i++) {
        ending_words(buf, sizeof buf, &c[i].r, c[i].limit);
        if (strstr(buf, c[i].words) == NULL) fail_msg("'%s' lacks '%s'", buf, c[i].words);
    }
}
