/* t_fit.h -- learners run on data in memory, below the model: what they see, event by event,
 * and whether two of them have become the same. For tests of kernel machines, who look at
 * what a learner is made of. */
#ifndef PERC_TEST_FIT_H
#define PERC_TEST_FIT_H

#include "data/dataset.h"
#include "learn/pass.h"
#include "learn/pocket.h"
#include "machine/machine_kernel.h"
#include "t.h"
#include "t_make.h"
#include "vec/rng.h"

enum { PIECES = 3 };

/* The data as several blocks; sparse or dense. */
struct set {
    struct t_csr csr;
    perc_dataset *ds;
    struct block block[PIECES];
    size_t blocks;
};

static inline struct set set_of(const struct t_data *d, bool sparse, bool pieces)
{
    struct set s = { .csr = t_csr_new(d) };

    s.ds = sparse ? t_borrow_csr(d, &s.csr, PERC_I32, PERC_I64) : t_borrow(d);
    assert_int_equal(s.ds->blocks, 1);
    const struct block *all = &s.ds->block[0];
    s.blocks = pieces ? PIECES : 1;
    for (size_t k = 0, from = 0; k < s.blocks; k++) {
        struct block *b = &s.block[k];
        const size_t to = k + 1 == s.blocks ? all->rows : all->rows / s.blocks * (k + 1);
        *b = *all;
        b->rows = to - from;
        b->first_row = from;
        b->label += from;
        if (b->weight != NULL) b->weight += from;
        if (b->start != NULL) b->start += from;
        if (b->start32 != NULL) b->start32 += from;
        if (!sparse) b->value = (const char *)b->value + (ptrdiff_t)from * b->row_stride;
        from = to;
    }
    return s;
}

static inline void set_free(struct set *s)
{
    perc_dataset_free(s->ds);
    t_csr_free(&s->csr);
}

/* ----- runs -------------------------------------------------------------------------- */

struct seen {
    int64_t row;
    double y, score;
    int mistake, updated;
};

struct run {
    struct learner l;
    perc_params *p;
    struct seen *seen;
    size_t events, room;
    perc_status st;
};

static inline int note(void *ud, const perc_event *e)
{
    struct run *r = ud;

    if (e->row < 0) return 0;
    if (r->events == r->room) {
        r->room = 2 * r->room + 64;
        r->seen = realloc(r->seen, r->room * sizeof *r->seen);
        assert_non_null(r->seen);
    }
    memset(&r->seen[r->events], 0, sizeof *r->seen); /* padding is compared */
    r->seen[r->events++] = (struct seen){ e->row, e->y, e->score, e->mistake, (int)e->updated };
    return 0;
}

/* How a problem is to be learned. */
struct how {
    const char *algorithm, *options;
    bool appear;     /* classes are made as they are met */
    const char *map; /* "" for none */
    const char *class_weight;
};

static inline void order(const struct set *s, const perc_params *p, int64_t pass, uint64_t *ref)
{
    uint64_t n = 0;

    for (size_t k = 0; k < s->blocks; k++)
        for (size_t i = 0; i < s->block[k].rows; i++) ref[n++] = ref_make(k, i);
    if (!params_is(p, "order", "shuffle")) return;
    struct rng r = rng_seed(17, (uint64_t)pass);
    rng_shuffle(&r, ref, n);
}

static inline perc_status passes(struct run *r, const struct set *s, struct fit *f,
                                 const struct map *map)
{
    uint64_t *ref = malloc((size_t)s->ds->rows * sizeof *ref);
    const struct progress *g = &r->l.progress;

    assert_non_null(ref);
    perc_status st = pass_first(f, r->p, map);
    while (!st && pass_begin(f)) {
        const uint64_t from = (uint64_t)g->position;
        order(s, r->p, g->epoch, ref);
        if (!pass_rest(f, ref + from, s->ds->rows - from) || !pass_end(f)) break;
    }
    free(ref);
    if (!st) st = f->st;
    if (!st && pocket_end(pocket_of(&r->l), &r->l)) st = PERC_ENOMEM;
    if (!st && learner_refresh(&r->l)) st = PERC_ENOMEM;
    return st;
}

/* Goes on with r->l, which may be fresh. */
static inline perc_status learn(struct run *r, const struct set *s, const struct how *how,
                                bool watch)
{
    const perc_observer o = { .level = PERC_WATCH_WEIGHTS, .notify = note, .ud = r };
    struct class_weights weights;
    struct map map = { 0 };
    perc_error err = { 0 };

    if (class_weights_parse(&r->l.e, how->class_weight, &weights, NULL)) return PERC_ENOMEM;
    if (how->map[0] != '\0') {
        assert_int_equal(map_parse(how->map, &map, NULL), PERC_OK);
        assert_int_equal(map_set_inputs(&map, 0, s->ds->columns, NULL), PERC_OK);
    }
    assert_int_equal(machine_grow(r->l.machine, map.degree > 0 ? map_columns(&map, s->ds->columns)
                                                               : s->ds->columns),
                     PERC_OK);
    struct fit f = { .learner = &r->l,
                     .observer = watch ? &o : NULL,
                     .labels = &s->ds->labels,
                     .weights = &weights,
                     .blocks = s->block,
                     .block_count = s->blocks,
                     .err = &err };
    const perc_status st = passes(r, s, &f, &map);
    pass_free(&f);
    class_weights_free(&weights);
    return st;
}

static inline perc_status begin(struct run *r, const struct env *e, const struct set *s,
                                const struct how *how, const char *more)
{
    char options[400];
    size_t class, at;
    perc_error err = { 0 };
    perc_status st;

    *r = (struct run){ 0 };
    snprintf(options, sizeof options, "%s %s", how->options, more);
    r->p = t_params(how->algorithm, options);
    if (perc_params_check(r->p, &err)) fail_msg("%s: %s", options, err.text);
    if ((st = learner_init(&r->l, e, rule_find(how->algorithm), r->p))) return st;
    if (how->appear) return PERC_OK;
    r->l.machine->expecting = false;
    for (size_t i = 0; i < s->ds->labels.n && !st; i++)
        st = learner_meet(&r->l, s->ds->labels.at[i].text, &class, &at, NULL);
    return st;
}

static inline void run_free(struct run *r)
{
    learner_free(&r->l);
    perc_params_free(r->p);
    free(r->seen);
}

static inline struct run run_of(const struct set *s, const struct how *how, const char *more,
                                int threads, bool watch)
{
    const perc_env env = { .threads = threads };
    const struct env e = env_resolve(&env);
    struct run r;

    assert_int_equal(begin(&r, &e, s, how, more), PERC_OK);
    r.st = learn(&r, s, how, watch);
    return r;
}

/* ----- sameness -------------------------------------------------------------------------- */

static inline bool same_doubles(const double *a, const double *b, size_t n)
{
    return n == 0 || memcmp(a, b, n * sizeof *a) == 0;
}

static inline bool same_votes(const struct votes *a, const struct votes *b)
{
    if (a == NULL || b == NULL) return a == b;
    if (a->n != b->n || a->rows != b->rows || a->entries != b->entries) return false;
    for (size_t k = 0; k < a->n; k++) {
        const struct vote *x = &a->vote[k], *y = &b->vote[k];
        if (x->row != y->row || x->up != y->up || x->down != y->down || x->at != y->at ||
            x->example != y->example || !t_same_bits(x->step, y->step))
            return false;
    }
    return same_doubles(a->value, b->value, a->entries);
}

static inline bool same_learner(const struct learner *a, const struct learner *b)
{
    const struct progress *p = &a->progress, *q = &b->progress;
    const size_t n = learner_outputs(a);

    if (a->kind != b->kind || a->shown != b->shown ||
        a->machine->expecting != b->machine->expecting || a->labels.n != b->labels.n ||
        a->machine->unseen_updates != b->machine->unseen_updates)
        return false;
    if (p->epoch != q->epoch || p->position != q->position || p->examples != q->examples ||
        p->mistakes != q->mistakes || p->updates != q->updates || p->stop != q->stop ||
        p->pass_mistakes != q->pass_mistakes || p->pass_updates != q->pass_updates)
        return false;
    if (!same_doubles(a->machine->last.b, b->machine->last.b, n) ||
        !same_doubles(a->machine->sum.b, b->machine->sum.b, n) ||
        !same_doubles(machine_result(a->machine)->b, machine_result(b->machine)->b, n))
        return false;
    if (pocket_of(a) != NULL &&
        memcmp(&pocket_of(a)->is, &pocket_of(b)->is, sizeof pocket_of(a)->is) != 0)
        return false;
    const struct machine_facts x = machine_describe(a->machine, 0);
    const struct machine_facts y = machine_describe(b->machine, 0);
    if (x.dropped_count != y.dropped_count ||
        (x.dropped_count > 0 &&
         memcmp(x.dropped, y.dropped, x.dropped_count * sizeof *x.dropped) != 0))
        return false;
    return learner_moment(a).updates == learner_moment(b).updates &&
           same_votes(machine_votes_of(a->machine), machine_votes_of(b->machine));
}

static inline void assert_same(const struct run *a, const struct run *b, const struct how *how,
                               const char *what)
{
    assert_int_equal(a->st, b->st);
    for (size_t i = 0; i < a->events && i < b->events; i++)
        if (memcmp(&a->seen[i], &b->seen[i], sizeof *a->seen) != 0)
            fail_msg("%s %s (%s): event %zu: row %lld score %.17g, not row %lld score %.17g",
                     how->algorithm, how->options, what, i, (long long)b->seen[i].row,
                     b->seen[i].score, (long long)a->seen[i].row, a->seen[i].score);
    if (b->events > 0 && a->events != b->events)
        fail_msg("%s %s (%s): %zu events, not %zu", how->algorithm, how->options, what, b->events,
                 a->events);
    if (!a->st && !same_learner(&a->l, &b->l))
        fail_msg("%s %s (%s): another learner", how->algorithm, how->options, what);
}

#endif
