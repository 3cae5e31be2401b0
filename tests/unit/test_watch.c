/* test_watch.c -- the promises of base/watch.h, and of the watch under which the errors of a run
 * that is over are counted (learn/fit.h). */
#include "base/watch.h"
#include "learn/fit.h"
#include "model/model.h"
#include "t.h"
#include "t_make.h"

static bool note_and_answer(void *ud, int64_t passes)
{
    int64_t *noted = ud;

    *noted = passes;
    return passes < 3;
}

TEST(where_nobody_watches_work_goes_on)
{
    assert_true(watch_ask(NULL, 7));
    assert_true(watch_ask(&(struct watch){ 0 }, 7));
}

TEST(who_watches_is_told_the_passes_and_decides)
{
    int64_t noted = -1;
    const struct watch w = { note_and_answer, &noted };

    assert_true(watch_ask(&w, 2));
    assert_int_equal(noted, 2);
    assert_false(watch_ask(&w, 3));
    assert_int_equal(noted, 3);
}

/* ----- counting -------------------------------------------------------------------------- */

struct heard {
    int calls, ended, answer;
};

static int hear(void *ud, const perc_event *e)
{
    struct heard *h = ud;

    h->calls++;
    h->ended += e->ended;
    return h->answer;
}

/* What a run that is over says when it begins to count, and at once asks again. */
static void count(struct heard *h, bool *begun, bool *on)
{
    perc_model *m = t_untaught("");
    const perc_observer observer = { .notify = hear, .ud = h };
    struct fit f = { .learner = &m->learner, .observer = h != NULL ? &observer : NULL };
    struct fit_counting c;

    *begun = fit_counting_begin(&c, &f);
    *on = watch_ask(&c.watch, 0);
    fit_counting_end(&c);
    assert_int_equal(m->learner.progress.stop, PERC_STOP_NONE);
    perc_model_free(m);
}

TEST(an_observer_hears_of_the_end_before_anything_is_counted)
{
    struct heard h = { 0 };
    bool begun, on;

    count(&h, &begun, &on);
    assert_true(begun && on);
    assert_true(h.calls >= 1 && h.ended == h.calls);
}

/* A run that is over cannot be stopped any more: only its errors can be left uncounted. */
TEST(only_the_answer_uncounted_leaves_errors_uncounted)
{
    struct heard stop = { .answer = 1 }, uncounted = { .answer = PERC_UNCOUNTED };
    bool begun, on;

    count(&stop, &begun, &on);
    assert_true(begun && on);
    count(&uncounted, &begun, &on);
    assert_false(begun || on);
    assert_int_equal(uncounted.calls, 1); /* the answer stands */
}

TEST(without_an_observer_errors_are_counted)
{
    bool begun, on;

    count(NULL, &begun, &on);
    assert_true(begun && on);
}
