/* classes.c -- the classes of a learner, which appear as their labels are met. */
#include <string.h>

#include "learn/learner.h"
#include "learn/pocket.h"
#include "vec/vec_many.h"

size_t learner_class(const struct learner *l, const char *label)
{
    const uint32_t id = labels_find(&l->labels, label, strlen(label));

    if (id != LABEL_NONE) return id;
    return l->rest ? 0 : CLASS_NONE;
}

/* Vectors after one more label: two classes share one. */
static size_t vectors_for(const struct learner *l, size_t labels)
{
    if (l->kind == KIND_REST) return labels;
    return labels <= 2 && !(l->native && labels == 2) ? 1 : labels;
}

static perc_status reserve(struct learner *l, size_t vectors)
{
    if (learner_room(l, vec_stride(vectors) + 1) || /* and the unseen class */
        linear_reserve(&l->machine, vectors) || linear_reserve(&l->sum, vectors))
        return PERC_ENOMEM;
    return PERC_OK;
}

/* Room for the votes that split and make_vector copy: at most those of vector 0, and
 * those of the unseen class, which has the number after the last output. */
static perc_status reserve_votes(struct learner *l)
{
    struct votes *v = &l->votes;
    const size_t unseen = l->expecting ? learner_outputs(l) : NO_VECTOR;
    void *p = v->vote;
    size_t more = 0;

    for (size_t k = 0; k < v->n; k++)
        more += v->vote[k].up == unseen || (l->kind == KIND_TWO && v->vote[k].up == 0);
    if (!mem_grow(&v->e, &p, &v->cap, v->n + more, sizeof *v->vote)) return PERC_ENOMEM;
    v->vote = p;
    return PERC_OK;
}

/* Turns the signs of one vector's votes. */
static void turn_votes(struct votes *v, size_t vector)
{
    for (size_t k = 0; k < v->n; k++)
        if (v->vote[k].up == vector) v->vote[k].step = 0 - v->vote[k].step;
}

/* The label met first sorts later: it is +1 now. */
static void turn(struct learner *l)
{
    linear_negate(&l->machine);
    linear_negate(&l->sum);
    turn_votes(&l->votes, 0);
}

/* One vector w becomes two, -w and w. */
static void split(struct learner *l, enum kind kind)
{
    linear_split(&l->machine);
    linear_split(&l->sum);
    if (kind == KIND_NATIVE) {
        votes_split(&l->votes);
    } else {
        votes_insert(&l->votes, 0, 0);
        turn_votes(&l->votes, 0);
        l->progress.updates *= 2; /* each of the two made them */
        l->progress.pass_updates *= 2;
    }
    l->kind = kind;
}

/* A new vector at place `at` that begins where `start` is. */
static void insert(struct linear *m, size_t at, const struct linear *start)
{
    linear_insert(m, at, NO_VECTOR);
    for (uint64_t j = 0; start != NULL && j < m->dims && j < start->dims; j++)
        m->w[j * m->stride + at] = start->w[j];
    if (start != NULL) m->b[at] = start->b[0];
}

/* The vector of the newest label, at place `at`, for a learner that had `vectors`. */
static void make_vector(struct learner *l, size_t at, size_t vectors)
{
    if (vectors == 0) l->machine.vectors = l->sum.vectors = 0; /* linear_init has made one */
    insert(&l->machine, at, l->expecting ? &l->unseen : NULL);
    insert(&l->sum, at, l->expecting ? &l->unseen_sum : NULL);
    votes_insert(&l->votes, at, l->expecting ? vectors : NO_VECTOR);
    if (!l->expecting) return;
    l->progress.updates += l->unseen_updates;
    if (l->progress.pass_open) l->progress.pass_updates += l->unseen_updates;
}

/* The machine for one label more, which is at place `at`. */
static void make_class(struct learner *l, size_t at)
{
    const size_t n = l->labels.n;

    if (l->kind == KIND_TWO) {
        if (n == 2 && at == 0) turn(l);
        if (n == 3 || (n == 2 && l->native))
            split(l, l->native || l->mlp != NULL ? KIND_NATIVE : KIND_REST);
    }
    if (l->kind != KIND_TWO && !(n == 2 && l->kind == KIND_NATIVE)) make_vector(l, at, n - 1);
    if (l->pocket != NULL) pocket_empty(l->pocket); /* it knew fewer classes */
    l->settled = false;
}

/* A network for n labels, the newest of which is at place `at`, or its moments (`square`:
 * those of second order, which have no sign). */
static perc_status widen(struct mlp *m, size_t n, size_t at, bool square)
{
    perc_status st = PERC_OK;

    if (n == 2 && at == 0 && !square) mlp_negate(m);
    if (n == 3) st = mlp_split(m, square);
    return st || n < 3 ? st : mlp_insert(m, at);
}

/* Likewise all that a network learns with: copies, so that a failure changes nothing. */
static perc_status meet_mlp(struct learner *l, size_t n, size_t at)
{
    struct mlp *const of[] = { l->mlp, &l->backprop->first, &l->backprop->second };
    struct mlp wide[3] = { { .layers = 0 } };
    perc_status st = PERC_OK;

    for (size_t k = 0; k < 3 && !st; k++) {
        wide[k].e = l->e;
        if (of[k]->layers == 0) continue;
        if (!(st = mlp_copy(&l->e, of[k], &wide[k]))) st = widen(&wide[k], n, at, k == 2);
    }
    for (size_t k = 0; k < 3; k++) {
        if (!st && of[k]->layers > 0) {
            const struct mlp old = *of[k];
            *of[k] = wide[k];
            wide[k] = old;
        }
        mlp_free(&wide[k]);
    }
    return st;
}

perc_status learner_meet(struct learner *l, const char *label, size_t *class, size_t *at,
                         perc_error *err)
{
    const struct env *e = &l->e;
    const size_t n = l->labels.n + 1;
    struct labels more = { .e = *e };
    uint32_t *map, id = 0;
    perc_status st = PERC_OK;

    *at = CLASS_NONE;
    if ((*class = learner_class(l, label)) != CLASS_NONE) return PERC_OK;
    if (l->closed) { /* not the one that was picked */
        *class = 0;
        return PERC_OK;
    }
    if (n > 2 && l->budget != NULL && l->budget->policy == BUDGET_FORGETRON)
        return fail(err, PERC_EDATA,
                    "'%.60s' is a third label, and the forgetron is for two "
                    "classes (pass --positive LABEL, or --budget-policy projectron or random)",
                    label);
    if (n > 2 && l->drop != NULL && !l->native)
        return fail(err, PERC_EDATA,
                    "'%.60s' is a third label, and --drop-after does not go with "
                    "one class against the rest (pass --multiclass native)",
                    label);
    map = mem_array(e, n, sizeof *map);
    if (map == NULL || labels_copy(e, &l->labels, &more)) st = fail_memory(err);
    if (!st) st = labels_add(&more, label, strlen(label), &id, err);
    if (!st && (labels_sort(&more, map) || reserve(l, vectors_for(l, n)) || reserve_votes(l) ||
                (l->mlp != NULL && meet_mlp(l, n, map[id]))))
        st = fail_memory(err);
    if (!st) {
        const struct labels old = l->labels;
        l->labels = more;
        more = old;
        *at = *class = map[id];
        make_class(l, *at);
    }
    labels_free(&more);
    mem_free(e, map, n, sizeof *map);
    return st;
}

perc_status learner_close(struct learner *l, const char *negative, const char *positive, bool rest)
{
    struct labels two;
    uint32_t id;
    perc_status st;

    labels_init(&two, &l->e);
    if ((st = labels_add(&two, negative, strlen(negative), &id, NULL)) ||
        (st = labels_add(&two, positive, strlen(positive), &id, NULL))) {
        labels_free(&two);
        return st;
    }
    labels_free(&l->labels);
    l->labels = two;
    l->closed = true;
    l->rest = rest;
    l->kind = KIND_TWO;
    l->expecting = false;
    return PERC_OK;
}

void learner_seal(struct learner *l)
{
    if (!l->expecting || l->labels.n < 2) return;
    if (l->rule->keep == KEEP_VOTES || l->kernel != NULL) votes_drop(&l->votes, learner_outputs(l));
    if (l->kernel != NULL) l->kernel->norms = 0; /* the rows may have other numbers now */
    l->expecting = false;
    l->unseen_updates = 0;
    linear_free(&l->unseen);
    linear_free(&l->unseen_sum);
}
