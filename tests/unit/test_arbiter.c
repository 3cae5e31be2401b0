/* test_arbiter.c -- whom `svm --hard` asks where doubles cannot tell: arbiter_ask. */
#include "prove/arbiter.h"

#include <math.h>

#include "t.h"
#include "t_alloc.h"
#include "t_settle.h"

#define TEN     "1234567890"
#define SEVENTY TEN TEN TEN TEN TEN TEN TEN
/* Rows of 70 digits that are equal in doubles. */
#define EQUAL   "1 1:0." SEVENTY "1\n-1 1:0." SEVENTY "2\n"

struct answer {
    perc_status st;
    double w[4], b;
    struct arbiter_bounds bounds;
    perc_error err;
};

static struct answer ask(const struct t_problem *q, const struct watch *watch)
{
    struct answer a = { .b = NAN };

    a.st = arbiter_ask(q->t.ds, &q->f, 1, false, a.w, &a.b, 1e-3, watch, &a.bounds, &a.err);
    return a;
}

static struct answer ask_text(const char *text, bool offset, const struct watch *watch)
{
    struct t_problem q = t_problem_text(text, offset, env_resolve(NULL));
    const struct answer a = ask(&q, watch);

    t_problem_free(&q);
    return a;
}

TEST(a_plane_of_doubles_and_its_margins)
{
    struct answer a = ask_text("1 1:3 2:4\n-1 1:-3 2:-4\n", false, NULL);

    assert_int_equal(a.st, PERC_OK);
    assert_true(a.b == 0 && 3 * a.w[1] + 4 * a.w[2] > 0);
    assert_true(a.bounds.lower <= 5 && a.bounds.upper >= 5 && a.bounds.lower > 4.99);
    assert_true(isnan(a.bounds.geometric_lower));
    a = ask_text("1 1:3\n-1 1:-1\n", true, NULL);
    assert_int_equal(a.st, PERC_OK);
    assert_true(a.w[1] * 3 + a.b > 0 && a.w[1] - a.b > 0);
    assert_true(a.bounds.geometric_lower <= 2 && a.bounds.geometric_upper >= 2);
}

static bool stop(void *ud, int64_t passes)
{
    (void)ud, (void)passes;
    return false;
}

/* There is a plane, and none of doubles: it is said in words, where a line has room for it. */
TEST(what_doubles_cannot_say)
{
    static const struct {
        const char *text;
        bool offset;
        const char *words;
    } cases[] = {
        { "-1 1:1e-400 2:-1e-400\n1 1:1e-399 2:-1e-400\n", false, "for label 1" },
        { EQUAL, true, "too long for this line" },
        { "1 1:0." SEVENTY SEVENTY SEVENTY "1\n-1 1:0." SEVENTY SEVENTY SEVENTY "2\n", true,
          "too long for this line" },
        /* the weights are farther apart than doubles are */
        { "1 1:1e-305 2:-1e305\n1 2:1\n", false, "too long for this line" },
        { "-1 1:0.10000000000000000001\n1 1:0.1\n", true, "for label 1" },
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct answer a = ask_text(cases[i].text, cases[i].offset, NULL);
        assert_refused(a.st, PERC_EUNDECIDED, &a.err, cases[i].words);
    }
}

TEST(a_limit_may_come_first)
{
    const struct watch watch = { stop, NULL };
    const struct answer a = ask_text(EQUAL, true, &watch);

    assert_refused(a.st, PERC_EUNDECIDED, &a.err, "a limit came before the exact answer");
}

TEST(memory_runs_out)
{
    static const struct {
        const char *text;
        perc_status st;
    } cases[] = {
        { "1 1:3." SEVENTY " 2:4\n-1 1:-3 2:-4." SEVENTY "\n", PERC_OK },
        { EQUAL, PERC_EUNDECIDED },
        { "1 1:0." SEVENTY "\n-1 1:0." SEVENTY "\n", PERC_ENO },
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct t_problem q = t_problem_text(cases[i].text, true, env_resolve(NULL));
        for (struct t_sweep s = { .survives = true, .least = 20 }; t_sweep_next(&s);) {
            t_problem_env(&q, env_resolve(&s.env));
            const struct answer a = ask(&q, NULL);
            if (a.st != PERC_ENOMEM) assert_int_equal(a.st, cases[i].st);
            t_sweep_judge(&s, a.st == cases[i].st ? PERC_OK : a.st);
        }
        t_problem_env(&q, env_resolve(NULL));
        t_problem_free(&q);
    }
}
