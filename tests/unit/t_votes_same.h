/* t_votes_same.h -- votes compared, for tests that have included cmocka.h. */
#ifndef PERC_TEST_VOTES_SAME_H
#define PERC_TEST_VOTES_SAME_H

#include "t_votes.h"

static inline void assert_same(const struct votes *a, const struct votes *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->entries, b->entries);
    for (size_t k = 0; k < a->n; k++) {
        assert_int_equal(a->vote[k].row, b->vote[k].row);
        assert_int_equal(a->vote[k].up, b->vote[k].up);
        assert_int_equal(a->vote[k].down, b->vote[k].down);
        assert_int_equal(a->vote[k].at, b->vote[k].at);
        assert_int_equal(a->vote[k].example, b->vote[k].example);
        assert_memory_equal(&a->vote[k].step, &b->vote[k].step, sizeof(double));
    }
    if (a->rows == 0) return;
    assert_memory_equal(a->start, b->start, (a->rows + 1) * sizeof *a->start);
    assert_memory_equal(a->column, b->column, a->entries * sizeof *a->column);
    assert_memory_equal(a->value, b->value, a->entries * sizeof *a->value);
}

static inline struct votes made_of(const struct t_updates *t, bool dense)
{
    const struct env e = env_resolve(NULL);
    struct votes v;

    votes_init(&v, &e);
    assert_int_equal(t_votes_add(&v, t, dense), PERC_OK);
    return v;
}

/* v against what the list makes; then v is freed. */
static inline void assert_made_of(struct votes *v, const struct t_updates *t)
{
    struct votes want = made_of(t, true);

    assert_same(v, &want);
    votes_free(&want);
    votes_free(v);
}

#endif
