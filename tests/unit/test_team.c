/* test_team.c -- every task is done once, on a thread of the team, before the call returns;
 * however many tasks and threads there are, and however long the threads had to wait. */
#define _POSIX_C_SOURCE 200809L
#include <time.h>

#include "base/team.h"
#include "t.h"
#include "t_alloc.h"

enum { TASKS = 300, THREADS = 5 };

struct work {
    int size;
    int done[TASKS];       /* how often: not atomic, each task has its own */
    uint64_t sum[THREADS]; /* by thread */
    bool slow;
};

static void sleep_a_little(long microseconds)
{
    const struct timespec t = { 0, microseconds * 1000 };

    nanosleep(&t, NULL);
}

static void do_task(void *ud, uint64_t task, int k)
{
    struct work *w = ud;

    assert_in_range(k, 0, w->size - 1);
    w->done[task]++;
    w->sum[k] += task;
    if (w->slow && task % 16 == 0) sleep_a_little(200);
}

static void check(struct team *t, uint64_t tasks, bool slow)
{
    struct work w = { .size = team_size(t), .slow = slow };
    uint64_t sum = 0;

    team_each(t, tasks, do_task, &w);
    for (uint64_t i = 0; i < TASKS; i++) assert_int_equal(w.done[i], i < tasks);
    for (int k = 0; k < THREADS; k++) sum += w.sum[k];
    assert_int_equal(sum, tasks * (tasks > 0 ? tasks - 1 : 0) / 2);
}

TEST(every_task_is_done_once)
{
    for (int threads = 1; threads <= THREADS; threads++) {
        const struct env e = env_resolve(&(perc_env){ .threads = threads });
        struct team *t = NULL;
        assert_int_equal(team_new(&e, &t), PERC_OK);
        assert_int_equal(team_size(t), threads);
        for (uint64_t n = 0; n < TASKS; n++) check(t, n, false); /* one right after the other */
        for (int k = 0; k < 20; k++) {
            sleep_a_little(k * 20); /* some wait, some sleep */
            check(t, TASKS, k % 4 == 3);
        }
        team_free(t);
    }
}

TEST(without_a_team_the_caller_does_it)
{
    assert_int_equal(team_size(NULL), 1);
    check(NULL, TASKS, false);
    team_free(NULL);
}

/* Two tasks that each wait for the other to have begun: they must be on two threads. */
static void meet(void *ud, uint64_t task, int k)
{
    atomic_int *begun = ud;

    (void)task;
    (void)k;
    atomic_fetch_add(begun, 1);
    while (atomic_load(begun) < 2) sleep_a_little(10);
}

TEST(threads_do_work)
{
    const struct env e = env_resolve(&(perc_env){ .threads = 2 });
    struct team *t = NULL;

    assert_int_equal(team_new(&e, &t), PERC_OK);
    for (int i = 0; i < 50; i++) {
        atomic_int begun = 0;
        if (i % 5 == 0) sleep_a_little(1000);
        team_each(t, 2, meet, &begun);
    }
    team_free(t);
}

TEST(memory_may_run_out)
{
    for (struct t_sweep s = { .threads = 3, .least = 1 }; t_sweep_next(&s);) {
        const struct env e = env_resolve(&s.env);
        struct team *t = NULL;
        const perc_status st = team_new(&e, &t);
        assert_true((t != NULL) == (st == PERC_OK));
        team_free(t);
        t_sweep_judge(&s, st);
    }
}
