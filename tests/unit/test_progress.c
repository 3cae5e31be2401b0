/* test_progress.c -- how much of some work is done, by a clock of its own. */
#include "show/progress.h"

#include <math.h>
#include <string.h>

#include "t.h"

static const char *words(const struct progress *p, bool most)
{
    static char buf[PROGRESS_WORDS];

    return progress_words(buf, p, p->now, most);
}

TEST(nothing_is_said_before_anything_was_seen)
{
    const struct progress p = { 0 };

    assert_string_equal(words(&p, 0), "");
    assert_true(isnan(progress_left(&p, p.now)));
}

TEST(steady_work_ends_when_it_says)
{
    struct progress p = { 0 };

    for (int i = 0; i <= 100; i++) {
        progress_see(&p, 1000 + i, i / 200.0);
        if (i >= 1) assert_true(fabs(progress_left(&p, p.now) - (200 - i)) < 1e-6);
    }
    assert_string_equal(words(&p, 0), "   50 %, 1 min 40 s to go");
    assert_string_equal(words(&p, 1), "   50 %, at most 1 min 40 s to go");
    progress_see(&p, 1200, 1);
    assert_string_equal(words(&p, 0), "   100 %, 0 s to go");
}

TEST(the_first_second_is_no_ground_for_a_guess)
{
    struct progress p = { 0 };

    progress_see(&p, 5, 0);
    progress_see(&p, 5.5, 0.01);
    assert_string_equal(words(&p, 0), "   1 %");
    progress_see(&p, 6, 0.02);
    assert_string_equal(words(&p, 0), "   2 %, 49 s to go");
}

TEST(the_time_to_go_follows_work_that_slows_down_without_jumps)
{
    struct progress p = { 0 };
    double before, part = 0;

    for (int i = 0; i <= 20; i++) progress_see(&p, 1 + i, part = 0.02 * i);
    before = progress_left(&p, p.now);
    progress_see(&p, 22, part += 0.005); /* one slow second */
    assert_true(progress_left(&p, p.now) < 1.3 * before);
    for (int i = 0; i < 40; i++) progress_see(&p, 23 + i, part += 0.005);
    assert_true(fabs(progress_left(&p, p.now) - (1 - part) / 0.005) < 1);
}

TEST(between_steps_the_time_goes_on)
{
    struct progress p = { 0 };
    char buf[PROGRESS_WORDS];

    progress_see(&p, 1, 0);
    progress_see(&p, 61, 0.25);
    assert_string_equal(progress_words(buf, &p, 61, false), "   25 %, 3 min 00 s to go");
    assert_string_equal(progress_words(buf, &p, 91, false), "   25 %, 2 min 30 s to go");
    assert_string_equal(progress_words(buf, &p, 999, false), "   25 %, 0 s to go");
    progress_see(&p, 121, 0.5);
    assert_string_equal(progress_words(buf, &p, 121, false), "   50 %, 2 min 00 s to go");
}

TEST(another_piece_of_work_begins_anew)
{
    struct progress p = { 0 };

    progress_see(&p, 1, 0);
    progress_see(&p, 3, 0.9);
    progress_see(&p, 4, 0.1);
    assert_string_equal(words(&p, 0), "   10 %");
    assert_true(isnan(progress_left(&p, p.now)));
}

TEST(what_cannot_be_is_passed_over)
{
    struct progress p = { 0 };

    progress_see(&p, 1, NAN);
    progress_see(&p, 1, -1);
    progress_see(&p, 1, 1.5);
    assert_string_equal(words(&p, 0), "");
    progress_see(&p, 1, 0.5);
    progress_see(&p, 1, 0.6); /* at the same time */
    assert_string_equal(words(&p, 0), "   50 %");
    progress_see(&p, 1e7, 0.5); /* nothing more: no end in sight */
    assert_string_equal(words(&p, 0), "   50 %");
    progress_see(&p, 1e7 + 1, 0.500001);
    assert_non_null(strstr(words(&p, 0), " h "));
}
