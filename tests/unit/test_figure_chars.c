/* test_figure_chars.c -- figures as characters: never wider than asked for, nothing that a
 * terminal would obey but the colours, and marks where the ticks say. */
#include "t_figure.h"

/* The width of the widest line in characters, colours not counted; checks that each of them may
 * stand on a terminal. */
static size_t widest_line(const char *s, bool colour)
{
    size_t most = 0, n = 0;

    assert_true(t_utf8(s));
    for (; *s != '\0'; s++) {
        const unsigned char c = (unsigned char)*s;
        if (c == '\033') {
            assert_true(colour && s[1] == '[');
            s += 2 + strspn(s + 2, "0123456789");
            assert_int_equal(*s, 'm');
            continue;
        }
        assert_true(c == '\n' || (c >= 0x20 && c != 0x7f));
        if (c == '\n') assert_true(n == 0 || s[-1] != ' '); /* no blanks at the end */
        n = c == '\n' ? 0 : n + ((c & 0xc0) != 0x80);
        most = n > most ? n : most;
    }
    assert_int_equal(n, 0); /* the last line ends, too */
    return most;
}

TEST(any_figure_keeps_its_width)
{
    static const int columns[] = { 40, 59, 79, 80, 133, 200 };
    double x[NASTY], y[NASTY];
    struct rng r = rng_seed(4, 0);

    for (int trial = 0; trial < 100; trial++) {
        const size_t n = t_nasty_points(&r, trial, x, y);
        for (int kind = 0; kind < T_KINDS; kind++) {
            struct figure *f = t_figure(NULL, kind, x, y, n, trial % 2 == 0 ? HOSTILE : "été");
            for (size_t k = 0; k < COUNT(columns); k++) {
                char *s = t_chars(f, columns[k], k % 2 == 0);
                assert_true(widest_line(s, k % 2 == 0) <= (size_t)columns[k]);
                free(s);
            }
            figure_free(f);
        }
    }
}

/* Line i of the text, from 0. */
static const char *line(const char *s, int i)
{
    for (; i > 0; i--) s = strchr(s, '\n') + 1;
    return s;
}

/* The tick of a label is in its line (y), or in the rule above it (x). */
TEST(marks_stand_where_the_ticks_say)
{
    const double x[] = { 0, 60, 100 }, y[] = { 0, 1, 2 };
    struct figure *f = figure_new(NULL, "id", "The title");

    figure_axis(f, FIGURE_X, "across", 0, 100);
    figure_axis(f, FIGURE_Y, "up", 0, 2);
    figure_points(f, "dots", 0, x, y, 3, NULL, NULL, NULL);
    figure_points(f, "plus", 1, x + 1, y, 1, NULL, NULL, NULL); /* at (60, 0) */
    char *s = t_chars(f, 80, false);
    assert_memory_equal(line(s, 0), "The title\n\nup\n", 14);
    const char *top = line(s, 3), *bottom = line(s, 22), *rule = line(s, 23), *labels = line(s, 24);
    assert_memory_equal(top, "2.0 +", 5);
    assert_memory_equal(bottom, "  0 +", 5);
    assert_memory_equal(rule, "    +", 5);
    assert_int_equal(strcspn(top, "o"), 79); /* 100: the last column */
    assert_int_equal(strcspn(bottom, "o"), 5);
    const char *at = strstr(labels, "60");
    assert_non_null(at);
    const ptrdiff_t column = (ptrdiff_t)strcspn(bottom + 5, "+") + 5;
    assert_int_equal(rule[column], '+');
    assert_in_range(at - labels, column - 1, column + 1);
    const char *middle = line(s, 12);
    assert_int_equal(strcspn(middle, "o"), column);
    assert_memory_equal(middle, "1.0 +", 5);
    assert_non_null(strstr(labels, "across\n"));
    assert_non_null(strstr(labels, "     o dots   + plus\n"));
    free(s);
    figure_free(f);
}

TEST(bars_and_cells_are_tables)
{
    const char *label[] = { "one", "two" };
    const double value[] = { 2, -1 };
    const uint64_t count[] = { 40, 2, 1, 1234 };
    const int colour[] = { 0, 1 };
    struct figure *f = figure_new(NULL, "bars", "T");

    figure_bars(f, label, value, colour, 2);
    char *s = t_chars(f, 60, false);
    const char *a = line(s, 2), *b = line(s, 3);
    assert_int_equal(strcspn(a, "|"), strcspn(b, "|")); /* one zero for all */
    assert_non_null(strstr(a, "one "));
    assert_non_null(strstr(a, "= 2\n"));
    assert_non_null(strstr(b, "-1 ="));
    const size_t over = strspn(strchr(a, '|') + 1, "="), below = strspn(strchr(b, '='), "=");
    assert_true(over + 1 >= 2 * below && over <= 2 * below + 1);
    free(s);
    figure_free(f);

    f = figure_new(NULL, "cells", "T");
    figure_cells(f, "true", "said", label, count, 2);
    s = t_chars(f, 60, false);
    assert_string_equal(s, "T\n\n    said\n        one    two\none      40      2\n"
                           "two       1  1,234\n(rows: true)\n");
    free(s);
    figure_free(f);
}

/* More labels than columns cannot be a table. */
TEST(too_many_cells_are_not_shown)
{
    enum { MANY = 70 };
    static const char *label[MANY];
    static uint64_t count[MANY * MANY];
    struct figure *f = figure_new(NULL, "cells", "T");

    for (size_t i = 0; i < MANY; i++) label[i] = "x";
    figure_cells(f, "true", "said", label, count, MANY);
    char *s = t_chars(f, 60, false);
    assert_string_equal(s, "T\n\n  said\n70 labels: too many to show\n(rows: true)\n");
    free(s);
    figure_free(f);
}
