/* learner.c -- the state of a learner, and learning from one example. The kinds of
 * margins and steps are explained in learner.h. */
#include "learn/learner.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "learn/pocket.h"
#include "vec/vec_many.h"

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

/* The slots of a machine that may keep only so many rows. The forgetron knows two classes: a
 * third is refused (classes.c), and there is none to expect. */
static perc_status make_budget(struct learner *l, const perc_params *p)
{
    const int64_t slots = perc_params_get(p, "budget") != NULL ? params_int(p, "budget") : 0;
    int policy = BUDGET_RANDOM;

    if (l->kernel == NULL || slots == 0) return PERC_OK;
    while (!params_is(p, "budget-policy", budget_policies[policy])) policy++;
    if (policy == BUDGET_FORGETRON) l->expecting = false;
    if (budget_new(&l->e, &l->kernel->kernel, (size_t)slots, (enum budget_policy)policy,
                   (uint64_t)params_int(p, "seed"), l->rate > 0 ? l->rate : 1, &l->budget) ||
        linear_grow(&l->machine, (uint64_t)slots) ||
        (l->expecting && linear_grow(&l->unseen, (uint64_t)slots)))
        return PERC_ENOMEM;
    return PERC_OK;
}

/* Counters of mistakes, where rows may be set aside. */
static perc_status make_drop(struct learner *l, const perc_params *p)
{
    const int64_t after = l->kernel != NULL ? params_int(p, "drop-after") : 0;

    return after > 0 ? drop_new(&l->e, after, &l->drop) : PERC_OK;
}

/* A network without columns and with one output, for the two classes that there may be; the
 * columns and classes that are met are added (learner_grow, classes.c). */
static perc_status make_mlp(struct learner *l, const perc_params *p)
{
    static const char *const activations[] = { "relu", "sigmoid", "tanh" };
    struct mlp_shape shape = { .offset = params_bool(p, "offset"),
                               .seed = (uint64_t)params_int(p, "seed") };
    int f = ACTIVATION_RELU;

    while (!params_is(p, "activation", activations[f])) f++;
    shape.activation = (enum activation)f;
    shape.start = params_is(p, "init", "glorot") ||
                          (params_is(p, "init", "auto") && f != ACTIVATION_RELU)
                      ? MLP_GLOROT
                      : MLP_HE;
    minibatch_init(&l->single, &l->e);
    if (mlp_parse_layers(params_text(p, "layers"), &shape, NULL)) return PERC_EARG;
    if ((l->mlp = mem_zeroed(&l->e, 1, sizeof *l->mlp)) == NULL) return PERC_ENOMEM;
    if (mlp_init(l->mlp, &l->e, &shape, 0, 1)) return PERC_ENOMEM;
    return backprop_new(&l->e, p, l->mlp, &l->backprop);
}

perc_status learner_init(struct learner *l, const struct env *e, const struct rule *rule,
                         const perc_params *p)
{
    const bool offset = perc_params_get(p, "offset") != NULL && params_bool(p, "offset");
    const bool network = rule == &rule_mlp || rule == &rule_gate;

    *l = (struct learner){ .e = *e,
                           .rule = rule,
                           .steps = rule,
                           .native = chosen(p, "multiclass", "native"),
                           .expecting = !network && !chosen(p, "multiclass", "native"),
                           .rate = real_of(p, "rate"),
                           .margin = real_of(p, "margin"),
                           .aggressiveness = real_of(p, "aggressiveness") };
    if (rule->step == NULL && rule->solve == NULL && !network)
        l->steps = rule_find(params_text(p, "rule"));
    if (chosen(p, "schedule", "1/t")) l->schedule = SCHEDULE_INVERSE;
    if (chosen(p, "schedule", "1/sqrt")) l->schedule = SCHEDULE_ROOT;
    l->kind = chosen(p, "multiclass", "ovr") ? KIND_REST : KIND_TWO;
    labels_init(&l->labels, e);
    votes_init(&l->votes, e);
    struct kernel k;
    if (kernel_parse(p, &k, NULL)) return PERC_EARG; /* perc_params_check says what is wrong */
    if (k.type != KERNEL_NONE && expansion_new(e, &k, &l->kernel)) return PERC_ENOMEM;
    if (linear_init(&l->machine, e, 1, offset) || linear_init(&l->sum, e, 1, offset) ||
        linear_init(&l->kept, e, 1, offset) || linear_init(&l->unseen, e, 1, offset) ||
        linear_init(&l->unseen_sum, e, 1, offset) || learner_room(l, l->machine.stride) ||
        make_budget(l, p) || make_drop(l, p) || (rule == &rule_mlp && make_mlp(l, p)) ||
        (rule->keep == KEEP_BEST &&
         pocket_new(e, offset, chosen(p, "pocket", "literal"), &l->pocket))) {
        learner_free(l);
        return PERC_ENOMEM;
    }
    return PERC_OK;
}

static void learner_free_mlp(struct learner *l)
{
    backprop_free(l->backprop);
    minibatch_free(&l->single);
    mlp_scratch_free(&l->alone);
    if (l->mlp != NULL) mlp_free(l->mlp);
    mem_free(&l->e, l->mlp, 1, sizeof *l->mlp);
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
    budget_free(l->budget);
    expansion_free(l->kernel);
    drop_free(l->drop);
    pocket_free(l->pocket);
    learner_free_mlp(l);
    if (l->gate != NULL) gate_free(l->gate);
    mem_free(&l->e, l->gate, 1, sizeof *l->gate);
    *l = (struct learner){ .e = l->e };
}

/* Networks; `to` has what learner_init makes. */
static perc_status copy_networks(const struct learner *from, struct learner *to)
{
    if (from->mlp != NULL) {
        mlp_free(to->mlp);
        mlp_scratch_free(&to->alone);
        if (mlp_copy(&to->e, from->mlp, to->mlp) || backprop_copy(from->backprop, to->backprop))
            return PERC_ENOMEM;
    }
    if (from->gate == NULL) return PERC_OK;
    if (to->gate != NULL) gate_free(to->gate);
    else to->gate = mem_zeroed(&to->e, 1, sizeof *to->gate);
    return to->gate == NULL ? PERC_ENOMEM : gate_copy(&to->e, from->gate, to->gate);
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
        (to->drop != NULL && drop_copy(from->drop, to->drop)) ||
        (to->budget != NULL && budget_copy(from->budget, to->budget)) || copy_networks(from, to) ||
        learner_room(to, to->machine.stride))
        return PERC_ENOMEM;
    if (to->kernel != NULL) {
        to->kernel->kernel = from->kernel->kernel;
        to->kernel->dims = from->kernel->dims;
        to->kernel->norms = 0;
    }
    return PERC_OK;
}

perc_status learner_room(struct learner *l, size_t stride)
{
    void *p = l->scores;

    if (!mem_grow(&l->e, &p, &l->room, stride, sizeof *l->scores)) return PERC_ENOMEM;
    l->scores = p;
    return PERC_OK;
}

/* The network last: it says how wide all of them are. */
static perc_status grow_mlp(struct learner *l, uint64_t dims)
{
    struct backprop *b = l->backprop;

    if ((b->first.layers > 0 && mlp_grow(&b->first, dims)) ||
        (b->second.layers > 0 && mlp_grow(&b->second, dims)))
        return PERC_ENOMEM;
    return mlp_grow(l->mlp, dims);
}

perc_status learner_grow(struct learner *l, uint64_t dims)
{
    if (l->kernel != NULL) {
        if (dims > l->kernel->dims) l->kernel->dims = dims;
        return PERC_OK;
    }
    if (l->gate != NULL) return PERC_OK;
    if (l->mlp != NULL) return grow_mlp(l, dims);
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
    const double norm2 = row_norm2(x);

    return (l->kernel != NULL ? kernel_self(&l->kernel->kernel, norm2) : norm2) +
           (l->machine.offset ? 1 : 0);
}

double learner_margin(const struct learner *l, const double *scores, size_t class)
{
    if (l->kind == KIND_TWO) return class > 0 ? scores[0] : 0 - scores[0];
    const size_t rival = score_rival(scores, l->labels.n, class);
    return rival != NO_VECTOR ? (scores[class] - scores[rival]) / 2 : scores[class];
}

/* Vector `up` of w gets a x'; u, where sums are kept, follows. */
static void add_to(const struct learner *l, struct linear *w, struct linear *u, const struct row *x,
                   size_t up, double a)
{
    const double before = (double)l->shown * a;

    if (has_sum(l)) {
        if (x->n > 0 && l->kernel == NULL)
            row_axpy_two(a, before, x, w->w + up, u->w + up, w->dims, w->stride);
        if (u->offset) u->b[up] += before;
    } else if (x->n > 0 && l->kernel == NULL) { /* without features w may be NULL */
        row_axpy_in(a, x, w->w + up, w->dims, w->stride);
    }
    if (w->offset) w->b[up] += a;
}

static void record(struct learner *l, const struct row *x, size_t up, size_t down, double step)
{
    const bool wanted = l->rule->keep == KEEP_VOTES || (l->kernel != NULL && l->budget == NULL);

    if (wanted && votes_add(&l->votes, x, up, down, step, l->shown + 1)) l->failed = true;
    else if (wanted && step != 0) l->votes.vote[l->votes.n - 1].example = l->example;
}

/* The same where the machine may keep only so many rows; w: the machine, or the unseen
 * class's, which shares the slots. */
static void budget_step(struct learner *l, const struct row *x, struct linear *w, size_t up,
                        size_t down, double g)
{
    struct linear *other = w == &l->unseen ? &l->machine : l->expecting ? &l->unseen : NULL;

    if (budget_update(l->budget, x, w, other, up, down, g)) l->failed = true;
}

/* Vector `up` of the machine gets a x'. */
static void add_one(struct learner *l, const struct row *x, size_t up, double a)
{
    if (l->pocket != NULL) pocket_before_update(l->pocket, l);
    if (l->budget != NULL) {
        budget_step(l, x, &l->machine, up, NO_VECTOR, a);
        return;
    }
    add_to(l, &l->machine, &l->sum, x, up, a);
    record(l, x, up, NO_VECTOR, a);
}

/* Vector `up` gets g x', vector `down` loses it. */
static void add_pair(struct learner *l, const struct row *x, size_t up, size_t down, double g)
{
    struct linear *w = &l->machine, *u = &l->sum;
    const double before = (double)l->shown * g;

    if (l->budget != NULL) {
        budget_step(l, x, w, up, down, g);
        return;
    }
    if (l->pocket != NULL) pocket_before_update(l->pocket, l);
    if (l->kernel == NULL)
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

/* The class that was not met is told "no", its score being s. On a budget it learns from rows
 * that are kept anyway: it takes no slot, so that others are as they would be without it. */
static void tell_unseen(struct learner *l, const struct row *x, double weight, double s)
{
    if (l->budget != NULL && l->budget->placed == NOT_PLACED) return;
    const double g = l->steps->step(l, x, 0 - s, weight);

    if (!(g > 0)) return;
    if (l->budget != NULL) {
        budget_step(l, x, &l->unseen, 0, NO_VECTOR, 0 - g);
    } else {
        add_to(l, &l->unseen, &l->unseen_sum, x, 0, 0 - g);
        record(l, x, learner_outputs(l), NO_VECTOR, 0 - g);
    }
    l->unseen_updates++;
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
    tell_unseen(l, x, weight, linear_score(w, x));
}

/* An example that counts has been shown. */
static void was_shown(struct learner *l, const struct row *x, double weight,
                      const struct outcome *o)
{
    if (l->expecting && l->kernel != NULL) tell_unseen(l, x, weight, l->scores[learner_outputs(l)]);
    else if (l->expecting) show_unseen(l, x, weight);
    if (l->pocket != NULL) pocket_after_example(l->pocket, l, o);
    l->shown++;
    l->settled = false;
}

/* Whether the row that errs is set aside; then what it has added is subtracted. */
static bool set_aside(struct learner *l, const struct row *x)
{
    const size_t n = l->votes.n;
    bool now = false;

    if (l->drop == NULL) return false;
    if (drop_count(l->drop, l->example, &now)) l->failed = true;
    for (size_t k = 0; k < n && now; k++) {
        const struct vote one = l->votes.vote[k];
        if (one.example != l->example) continue;
        if (one.down == NO_DOWN) add_one(l, x, one.up, 0 - one.step);
        else add_pair(l, x, one.down, one.up, one.step);
    }
    if (now) votes_set_aside(&l->votes, l->example);
    return now || l->failed;
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
        if (!set_aside(l, x)) add_one(l, x, 0, g * y);
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
        if (!set_aside(l, x)) add_pair(l, x, class, rival, g);
        o.updates = 1;
    }
    was_shown(l, x, weight, &o);
    return o;
}

static struct outcome show_rest(struct learner *l, const struct row *x, size_t class, double weight)
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

/* Likewise with a budget. */
static perc_status slot_scores(struct learner *l, const struct row *x)
{
    const size_t outputs = learner_outputs(l), stride = l->machine.stride;
    struct row k;

    if (learner_room(l, (outputs > stride ? outputs : stride) + 1) || budget_see(l->budget, x, &k))
        return PERC_ENOMEM;
    if (stride == 1) l->scores[0] = linear_score(&l->machine, &k);
    else linear_scores(&l->machine, &k, l->scores);
    if (l->expecting) l->scores[outputs] = linear_score(&l->unseen, &k);
    return PERC_OK;
}

perc_status learner_kernel_scores(struct learner *l, const struct row *x)
{
    const size_t outputs = learner_outputs(l), vectors = learner_vectors(l);
    const struct moment last = { l->votes.n, 0 };

    if (l->budget != NULL) return slot_scores(l, x);
    if (learner_room(l, vectors) ||
        expansion_scores(l->kernel, &l->votes, x, &last, vectors, l->scores))
        return PERC_ENOMEM;
    for (size_t c = 0; c < outputs; c++) l->scores[c] += l->machine.b[c];
    if (l->expecting) l->scores[outputs] += l->unseen.b[0];
    return PERC_OK;
}

struct outcome learner_show_kernel(struct learner *l, const struct row *x, size_t class,
                                   double weight, const double *scores)
{
    for (size_t c = 0; c < learner_vectors(l); c++) {
        if (!isfinite(scores[c])) l->overflow = true;
        l->scores[c] = scores[c];
    }
    if (l->overflow) return (struct outcome){ .score = NAN };
    if (l->kind == KIND_TWO) return learner_show_scored(l, x, class, weight, scores[0]);
    return l->kind == KIND_NATIVE ? show_native(l, x, class, weight)
                                  : show_rest(l, x, class, weight);
}

/* ----- one example, shown to a network ---------------------------------------------- */

perc_status learner_mlp_scores(struct learner *l, const struct row *x)
{
    const size_t outputs = mlp_outputs(l->mlp), last = l->mlp->layers - 1;
    struct minibatch *one = &l->single;

    minibatch_clear(one);
    if (learner_room(l, outputs) || minibatch_add(one, x, 0, 1, 0)) return PERC_ENOMEM;
    if (l->alone.rows == 0 || l->alone.stride[last] != l->mlp->layer[last].stride) {
        mlp_scratch_free(&l->alone);
        if (mlp_scratch_init(&l->alone, &l->e, l->mlp, 1)) return PERC_ENOMEM;
    }
    const struct sparse s = minibatch_rows(one);
    mlp_forward(l->mlp, &l->alone, &s, 0, 1);
    for (size_t c = 0; c < outputs; c++) l->scores[c] = (double)l->alone.a[last][c];
    return PERC_OK;
}

/* A step from one row. One that might overflow the weights or their moments, whose squares are
 * kept, is taken back if it has: the loss is infinite then. */
static perc_status step_alone(struct learner *l, struct backprop_outcome *out)
{
    struct mlp *const of[] = { l->mlp, &l->backprop->first, &l->backprop->second };
    struct mlp old[3] = { { .layers = 0 } };
    const int64_t steps = l->backprop->steps;
    float largest = l->single.n > 0 ? l->single.weight[0] : 0;
    bool fine = true;
    perc_status st = PERC_OK;

    for (size_t k = 0; k < l->single.entries; k++)
        if (fabsf(l->single.value[k]) > largest) largest = fabsf(l->single.value[k]);
    const bool careful = largest > 1e9f;
    for (size_t k = 0; k < 3 && careful && !st; k++) {
        old[k].e = l->e;
        if (of[k]->layers > 0) st = mlp_copy(&l->e, of[k], &old[k]);
    }
    if (!st) st = backprop_step(l->backprop, l->mlp, &l->single, out);
    for (size_t k = 0; k < 3 && careful; k++) fine &= mlp_is_finite(of[k]);
    for (size_t k = 0; k < 3 && careful; k++) {
        if (!fine && !st && old[k].layers > 0) mlp_assign(of[k], &old[k]);
        mlp_free(&old[k]);
    }
    if (!fine && !st) {
        l->backprop->steps = steps;
        out->loss = INFINITY;
    }
    return st;
}

/* A batch of one. */
static struct outcome show_mlp(struct learner *l, const struct row *x, size_t class, double weight)
{
    struct outcome o = { .score = NAN };
    struct backprop_outcome step;

    if (learner_mlp_scores(l, x)) {
        l->failed = true;
        return o;
    }
    const double m = learner_margin(l, l->scores, class);
    o.score = l->kind == KIND_TWO ? l->scores[0] : m;
    o.answer = l->kind == KIND_TWO ? l->scores[0] > 0 : score_best(l->scores, l->labels.n);
    if (!(weight > 0)) return o;
    minibatch_clear(&l->single);
    if (minibatch_add(&l->single, x, class, weight, (uint64_t)l->example) ||
        minibatch_transpose(&l->single, l->mlp->layer[0].in) || step_alone(l, &step)) {
        l->failed = true;
        return o;
    }
    o.mistake = !(m > 0);
    l->overflow = !isfinite(step.loss);
    o.updates = !l->overflow;
    l->shown++;
    return o;
}

struct outcome learner_show(struct learner *l, const struct row *x, size_t class, double weight)
{
    if (l->mlp != NULL) return show_mlp(l, x, class, weight);
    if (l->kernel != NULL) {
        if (!learner_kernel_scores(l, x))
            return learner_show_kernel(l, x, class, weight, l->scores);
        l->failed = true;
        return (struct outcome){ .score = NAN };
    }
    if (l->kind == KIND_TWO)
        return learner_show_scored(l, x, class, weight, linear_score(&l->machine, x));
    linear_scores(&l->machine, x, l->scores);
    return l->kind == KIND_NATIVE ? show_native(l, x, class, weight)
                                  : show_rest(l, x, class, weight);
}

/* ----- what is returned ------------------------------------------------------------- */

struct moment learner_moment(const struct learner *l)
{
    if (l->rule->keep == KEEP_AVERAGE) return (struct moment){ l->votes.n, l->shown };
    if (l->rule->keep == KEEP_BEST) return (struct moment){ pocket_updates(l->pocket, l), 0 };
    return (struct moment){ l->votes.n, 0 };
}

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
