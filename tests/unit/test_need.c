/* test_need.c -- memory is taken by need: whatever the value of an option, a few rows take what a
 * few rows need. Each number of each table is set to the largest that it may have. */
#include <math.h>

#include "t.h"
#include "t_alloc.h"
#include "t_make.h"

static struct peak {
    size_t now, most;
} peak;

static void *count(void *ud, void *p, size_t old, size_t size)
{
    struct peak *k = ud;

    k->now += size - (p != NULL ? old : 0);
    if (k->now > k->most) k->most = k->now;
    if (k->now > (size_t)1 << 30) { /* what could be gigabytes is seen without taking them */
        k->now -= size - (p != NULL ? old : 0);
        return NULL;
    }
    if (size > 0) return realloc(p, size);
    free(p);
    return NULL;
}

enum { ENOUGH = 8 << 20 };

/* What is needed because it was asked for: networks of that size, and a weight for each place of a
 * budget, which has at most 1e6. */
static bool is_need(const char *name)
{
    static const char *const need[] = { "hidden", "layers", "batch", "budget" };

    for (size_t i = 0; i < COUNT(need); i++)
        if (strcmp(name, need[i]) == 0) return true;
    return false;
}

static void set_most(perc_params *p, const perc_param *row)
{
    char text[64];

    snprintf(text, sizeof text, row->type == PERC_INT ? "%.0f" : "%.17g", row->max);
    if (perc_params_set(p, row->name, text, NULL)) /* 2^63 as a double is one too many */
        assert_int_equal(perc_params_set(p, row->name, "1000000000", NULL), PERC_OK);
}

static int tried;

static int after_two_passes(void *ud, const perc_event *e)
{
    (void)ud;
    return e->epoch > 2;
}

static void fit_within(const char *learner, const char *options, const perc_param *row)
{
    const perc_env env = { count, &peak, 1 };
    const perc_observer observer = { PERC_WATCH_UPDATES, after_two_passes, NULL };
    perc_dataset *ds = t_read(":xor", "");
    perc_params *p = t_params(learner, options);
    perc_error err = { 0 };
    perc_model *m;

    set_most(p, row);
    peak = (struct peak){ 0, 0 };
    const perc_status st = perc_fit(&env, ds, p, &observer, &m, NULL, &err);
    if (peak.most > ENOUGH)
        fail_msg("%s %s, %s: %zu bytes for four rows (%d)", learner, options, row->name, peak.most,
                 (int)st);
    tried += st == PERC_OK;
    perc_model_free(m);
    perc_params_free(p);
    perc_dataset_free(ds);
}

TEST(no_option_of_a_learner_takes_memory_by_its_value)
{
    static const char *const ways[] = { "", "kernel=rbf", "kernel=rbf budget=2" };
    const char *learner;

    for (size_t i = 0; (learner = perc_table_name("learner", i, NULL)) != NULL; i++) {
        size_t n;
        const perc_param *row = perc_table(learner, &n);
        bool kernel = false;
        for (size_t k = 0; k < n; k++) kernel |= strcmp(row[k].name, "budget") == 0;
        for (size_t k = 0; k < n; k++)
            for (size_t w = 0; w < (kernel ? COUNT(ways) : 1); w++)
                if ((row[k].type == PERC_INT || row[k].type == PERC_REAL) && !is_need(row[k].name))
                    fit_within(learner, ways[w], &row[k]);
    }
    assert_true(tried > 100);
}

TEST(threads_are_bounded)
{
    const perc_env env = { NULL, NULL, 1 << 30 };

    assert_in_range(env_resolve(&env).threads, 1, 256);
}

TEST(what_cannot_grow_stays_as_it_was)
{
    struct t_alloc a;

    t_alloc_reset(&a, -1, false);
    const struct env e = env_resolve(&(perc_env){ t_alloc, &a, 1 });
    char *p = mem_array(&e, 2, 4);
    assert_non_null(p);
    strcpy(p, "as is");
    assert_null(mem_array(&e, UINT64_MAX / 4 + 1, 4));
    assert_null(mem_resize(&e, p, 2, UINT64_MAX / 4 + 1, 4));  /* 2^64 bytes */
    assert_null(mem_resize(&e, p, 2, PTRDIFF_MAX / 4 + 1, 4)); /* 2^63 */
    assert_string_equal(p, "as is");
    t_alloc_holds(&a, 8);
    mem_free(&e, p, 2, 4);
    t_alloc_holds(&a, 0);
}
