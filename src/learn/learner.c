/* learner.c -- the state of a learner, and learning from one example. The kinds of
 * margins and steps are explained in learner.h. */
#include "learn/learner.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/vec_many.h"
#include "learn/pocket.h"

/* ----- making one ------------------------------------------------------------- */

/* Not every rule has every parameter. */
static double real_of(const perc_params *p, const char *name)
{
    return perc_params_get(p, name) != NULL ? params_real(p, name) : 0;
}

static bool chosen(const perc_params *p, const char *name, const char *choice)
{
    return perc_params_get(p, name) != NULL && params_is(p, name, choice);
}

static bool has_sum(const struct learner *l)
{
    return l->rule->keep == KEEP_AVERAGE || l->rule->keep == KEEP_BEST;
}

perc_status learner_init(struct learner *l, const struct env *e, const struct rule *rule,
                         const perc_params *p)
{
    const bool offset = params_bool(p, "offset");

    *l = (struct learner){ .e = *e,
                           .rule = rule,
                           .steps = rule,
                           .native = params_is(p, "multiclass", "native"),
                           .expecting = !params_is(p, "multiclass", "native"),
                           .rate = real_of(p, "rate"),
                           .margin = real_of(p, "margin"),
                           .aggressiveness = real_of(p, "aggressiveness") };
    if (rule->step == NULL && rule->solve == NULL) l->steps = rule_find(params_text(p, "rule"));
    if (chosen(p, "schedule", "1/t")) l->schedule = SCHEDULE_INVERSE;
    if (chosen(p, "schedule", "1/sqrt")) l->schedule = SCHEDULE_ROOT;
    l->kind = params_is(p, "multiclass", "ovr") ? KIND_REST : KIND_TWO;
    labels_init(&l->labels, e);
    votes_init(&l->votes, e);
    if (linear_init(&l->machine, e, 1, offset) || linear_init(&l->sum, e, 1, offset) ||
        linear_init(&l->kept, e, 1, offset) || linear_init(&l->unseen, e, 1, offset) ||
        linear_init(&l->unseen_sum, e, 1, offset) ||
        learner_room(l, l->machine.stride) ||
        (rule->keep == KEEP_BEST &&
         pocket_new(e, offset, chosen(p, "pocket", "literal"), &l->pocket))) {
        learner_free(l);
        return PERC_ENOMEM;
    }
    return PERC_OK;
}

void learner_free(struct learner *l)
{
    mem_free(&l->e, l->scores, l->room, sizeof *l->scores);
    labels_free(&l->labels);
    linear_free(&l->machine);
    linear_free(&l->sum);
    linear_free(&l->kept);
    linear_free(&l->unseen);
    linear_free(&l->unseen_sum);
    votes_free(&l->votes);
    pocket_free(l->pocket);
    *l = (struct learner){ .e = l->e };
}

perc_status learner_copy(const struct learner *from, struct learner *to)
{
    const struct env *e = &to->e;

    to->kind = from->kind;
    to->closed = from->closed;
    to->rest = from->rest;
    to->expecting = from->expecting;
    to->unseen_updates = from->unseen_updates;
    to->shown = from->shown;
    to->settled = from->settled;
    to->progress = from->progress;
    to->solved = from->solved;
    labels_free(&to->labels);
    linear_free(&to->machine);
    linear_free(&to->sum);
    linear_free(&to->kept);
    linear_free(&to->unseen);
    linear_free(&to->unseen_sum);
    votes_free(&to->votes);
    if (labels_copy(e, &from->labels, &to->labels) ||
        linear_copy(e, &from->machine, &to->machine) || linear_copy(e, &from->sum, &to->sum) ||
        linear_copy(e, &from->unseen, &to->unseen) ||
        linear_copy(e, &from->unseen_sum, &to->unseen_sum) ||
        linear_copy(e, &from->kept, &to->kept) || votes_copy(e, &from->votes, &to->votes) ||
        (to->pocket != NULL && pocket_copy(from->pocket, to->pocket)) ||
        learner_room(to, to->machine.stride))
        return PERC_ENOMEM;
    return PERC_OK;
}

perc_status learner_room(struct learner *l, size_t stride)
{
    void *p = l->scores;

    if (!mem_grow(&l->e, &p, &l->room, stride, sizeof *l->scores)) return PERC_ENOMEM;
    l->scores = p;
    return PERC_OK;
}

perc_status learner_grow(struct learner *l, uint64_t dims)
{
    if (has_sum(l) && linear_grow(&l->sum, dims)) return PERC_ENOMEM;
    if (l->expecting && linear_grow(&l->unseen, dims)) return PERC_ENOMEM;
    if (l->expecting && has_sum(l) && linear_grow(&l->unseen_sum, dims)) return PERC_ENOMEM;
    return linear_grow(&l->machine, dims);
}

/* ----- one example ---------------------------------------------------------------- */

double learner_rate(const struct learner *l)
{
    const double t = (double)(l->shown + 1);

    switch (l->schedule) {
    case SCHEDULE_INVERSE: return l->rate / t;
    case SCHEDULE_ROOT: return l->rate / sqrt(t);
    default: return l->rate;
    }
}

double learner_size2(const struct learner *l, const struct row *x)
{
    return row_norm2(x) + (l->machine.offset ? 1 : 0);
}

double learner_margin(const struct learner *l, const double *scores, size_t class)
{
    if (l->kind == KIND_TWO) return class > 0 ? scores[0] : 0 - scores[0];
    const size_t rival = score_rival(scores, l->labels.n, class);
    return rival != NO_VECTOR ? (scores[class] - scores[rival]) / 2 : scores[class];
}

/* Vector `up` of w gets a x'; u, where sums are kept, follows. */
static void add_to(const struct learner *l, struct linear *w, struct linear *u,
                   const struct row *x, size_t up, double a)
{
    const double before = (double)l->shown * a;

    if (has_sum(l)) {
        if (x->n > 0) row_axpy_two(a, before, x, w->w + up, u->w + up, w->dims, w->stride);
        if (u->offset) u->b[up] += before;
    } else if (x->n > 0) { /* without features w may be NULL */
        row_axpy_in(a, x, w->w + up, w->dims, w->stride);
    }
    if (w->offset) w->b[up] += a;
}

static void record(struct learner *l, const struct row *x, size_t up, size_t down, double step)
{
    if (l->rule->keep == KEEP_VOTES && votes_add(&l->votes, x, up, down, step, l->shown + 1))
        l->failed = true;
}

/* Vector `up` of the machine gets a x'. */
static void add_one(struct learner *l, const struct row *x, size_t up, double a)
{
    if (l->pocket != NULL) pocket_before_update(l->pocket, l);
    add_to(l, &l->machine, &l->sum, x, up, a);
    record(l, x, up, NO_VECTOR, a);
}

/* Vector `up` gets g x', vector `down` loses it. */
static void add_pair(struct learner *l, const struct row *x, size_t up, size_t down, double g)
{
    struct linear *w = &l->machine, *u = &l->sum;
    const double before = (double)l->shown * g;

    if (l->pocket != NULL) pocket_before_update(l->pocket, l);
    row_axpy_pair(g, before, x, w->w, has_sum(l) ? u->w : NULL, w->dims, w->stride, up, down);
    if (w->offset) {
        w->b[up] += g;
        w->b[down] -= g;
    }
    if (w->offset && has_sum(l)) {
        u->b[up] += before;
        u->b[down] -= before;
    }
    record(l, x, up, down, g);
}

/* The class that was not met is told "no". Nearly always it knew: a quick score with
 * its error bound says so. */
static void show_unseen(struct learner *l, const struct row *x, double weight)
{
    struct linear *w = &l->unseen;
    const bool sized = l->steps->flags & RULE_SIZE;
    const struct quick q = sized ? row_measure(x, w->w) : row_quick(x, w->w);
    const double s = q.sum + w->b[0];

    if (0 - s - quick_bound(&q, x->n, w->b[0]) >
        l->steps->reach(l, sized ? (q.norm2 + 1) * (1 + 1e-9) : 0))
        return;
    const double g = l->steps->step(l, x, 0 - linear_score(w, x), weight);
    if (!(g > 0)) return;
    add_to(l, w, &l->unseen_sum, x, 0, 0 - g);
    record(l, x, learner_outputs(l), NO_VECTOR, 0 - g);
    l->unseen_updates++;
}

/* An example that counts has been shown. */
static void was_shown(struct learner *l, const struct row *x, double weight,
                      const struct outcome *o)
{
    if (l->expecting) show_unseen(l, x, weight);
    if (l->pocket != NULL) pocket_after_example(l->pocket, l, o);
    l->shown++;
    l->settled = false;
}

struct outcome learner_show_scored(struct learner *l, const struct row *x, size_t class,
                                   double weight, double score)
{
    const double y = class > 0 ? 1 : -1, m = y * score;
    struct outcome o = { .score = score, .answer = score > 0 };

    if (!(weight > 0)) return o; /* it counts for nothing */
    o.mistake = !(m > 0);        /* NaN: a mistake */
    const double g = l->steps->step(l, x, m, weight);
    if (g > 0) {
        add_one(l, x, 0, g * y);
        o.updates = 1;
    }
    was_shown(l, x, weight, &o);
    return o;
}

struct outcome learner_pass(struct learner *l, const struct row *x, double weight, double score)
{
    const struct outcome o = { .score = score, .answer = score > 0 };

    if (weight > 0) was_shown(l, x, weight, &o);
    return o;
}

static struct outcome show_native(struct learner *l, const struct row *x, size_t class,
                                  double weight)
{
    const size_t rival = score_rival(l->scores, l->labels.n, class);
    const double m = (l->scores[class] - l->scores[rival]) / 2;
    struct outcome o = { .score = m, .answer = score_best(l->scores, l->labels.n) };

    if (!(weight > 0)) return o;
    o.mistake = !(m > 0);
    const double g = l->steps->step(l, x, m, weight);
    if (g > 0) {
        add_pair(l, x, class, rival, g);
        o.updates = 1;
    }
    was_shown(l, x, weight, &o);
    return o;
}

static struct outcome show_rest(struct learner *l, const struct row *x, size_t class,
                                double weight)
{
    const double *s = l->scores;
    const double m = learner_margin(l, s, class);
    struct outcome o = { .score = m, .answer = score_best(s, l->labels.n) };

    if (!(weight > 0)) return o;
    o.mistake = !(m > 0);
    for (size_t c = 0; c < l->labels.n; c++) {
        const double y = c == class ? 1 : -1;
        const double g = l->steps->step(l, x, y * s[c], weight);
        if (!(g > 0)) continue;
        add_one(l, x, c, g * y);
        o.updates++;
    }
    was_shown(l, x, weight, &o);
    return o;
}

struct outcome learner_show(struct learner *l, const struct row *x, size_t class, double weight)
{
    if (l->kind == KIND_TWO)
        return learner_show_scored(l, x, class, weight, linear_score(&l->machine, x));
    linear_scores(&l->machine, x, l->scores);
    return l->kind == KIND_NATIVE ? show_native(l, x, class, weight)
                                  : show_rest(l, x, class, weight);
}

/* ----- what is returned ------------------------------------------------------------- */

perc_status learner_settle(struct learner *l)
{
    if (l->settled || !has_sum(l)) return PERC_OK;
    if (linear_reserve(&l->kept, l->machine.stride) || linear_grow(&l->kept, l->machine.dims))
        return PERC_ENOMEM;
    if (l->rule->keep == KEEP_AVERAGE) average_of(l, &l->kept);
    else pocket_settle(l->pocket, l, &l->kept);
    l->settled = true;
    return PERC_OK;
}
