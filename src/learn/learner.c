/* learner.c -- the state of a learner, and learning from one example. The kinds of
 * margins and steps are explained in learner.h. */
#include "learn/learner.h"

#include <math.h>

#include "learn/arithmetic.h"
#include "machine/machine_kernel.h"
#include "machine/shadow.h"

/* ----- making one ------------------------------------------------------------- */

/* Not every rule has every parameter. */
static double real_of(const perc_params *p, const char *name)
{
    return perc_params_get(p, name) != NULL ? params_real(p, name) : 0;
}

static bool is_chosen(const perc_params *p, const char *name, const char *choice)
{
    return perc_params_get(p, name) != NULL && params_is(p, name, choice);
}

/* The rule that makes the steps: this one, or the one that it wraps. */
static const struct rule *steps_of(const struct rule *rule, const perc_params *p)
{
    const bool wraps = rule->step == NULL && rule->solve == NULL && rule->machine == NULL;

    return wraps ? rule_find(params_text(p, "rule")) : rule;
}

const struct machine_ops *learner_machine(const struct rule *rule, const perc_params *p)
{
    const struct rule *steps = steps_of(rule, p);

    return steps->machine != NULL ? steps->machine : machine_choose(p, rule->keep);
}

/* Steps of `rate` in a machine whose numbers are shown times `unit`. */
static void set_rate(struct learner *l, double rate, double unit)
{
    struct budget *b = machine_budget_of(l->machine);

    l->rate = rate;
    l->unit = l->machine->unit = unit;
    if (b != NULL && rate > 0) b->plain_step = rate;
}

void learner_forgo_units(struct learner *l)
{
    if (l->machine->unit != 1) set_rate(l, l->machine->unit, 1);
}

perc_status learner_init(struct learner *l, const struct env *e, const struct rule *rule,
                         const perc_params *p)
{
    const struct rule *steps = steps_of(rule, p);
    perc_status st;

    *l = (struct learner){ .e = *e,
                           .rule = rule,
                           .steps = steps,
                           .native = is_chosen(p, "multiclass", "native"),
                           .kind = is_chosen(p, "multiclass", "ovr") ? KIND_REST : KIND_TWO,
                           .margin = real_of(p, "margin"),
                           .rho = real_of(p, "rho"),
                           .aggressiveness = real_of(p, "aggressiveness") };
    decay_init(&l->decay, real_of(p, "decay"));
    if (is_chosen(p, "schedule", "1/t")) l->schedule = SCHEDULE_INVERSE;
    if (is_chosen(p, "schedule", "1/sqrt")) l->schedule = SCHEDULE_ROOT;
    labels_init(&l->labels, e);
    labels_init(&l->listed, e);
    st = machine_new(e, learner_machine(rule, p), steps->form, p, rule->keep, &l->machine);
    if (!st) st = learner_room(l, l->machine->last.stride);
    if (!st) {
        l->joint = l->kind != KIND_REST && rule->joint != NULL && rule->joint(p);
        l->machine->expecting &= !l->joint;
        const double rate = real_of(p, "rate");
        const bool exact = arithmetic_is_exact(
            p); /* whose weights are rounded once, with the rate */
        const bool units = steps->flags & RULE_SCALES && l->schedule == SCHEDULE_CONSTANT &&
                           is_chosen(p, "init", "zero") && !exact;
        set_rate(l, units ? 1 : rate, units ? rate : 1);
        decay_set(&l->decay, l->machine, 0, l->unit);
        l->quick = l->machine->ops->flags & MACHINE_QUICK && steps->reach != NULL && !exact;
    }
    if (!st && rule->keeper != NULL) st = rule->keeper(e, p, &l->keeper);
    if (st) learner_free(l);
    return st;
}

void learner_free(struct learner *l)
{
    mem_free(&l->e, l->scores, l->room, sizeof *l->scores);
    labels_free(&l->labels);
    labels_free(&l->listed);
    machine_free(l->machine);
    if (l->keeper != NULL) l->keeper->ops->free(l->keeper);
    *l = (struct learner){ .e = l->e };
}

perc_status learner_copy(const struct learner *from, struct learner *to)
{
    to->kind = from->kind;
    to->closed = from->closed;
    to->rest = from->rest;
    to->rate = from->rate;
    to->unit = from->unit;
    to->decay = from->decay;
    to->known = from->known;
    to->shown = from->shown;
    to->progress = from->progress;
    to->solved = from->solved;
    labels_free(&to->labels);
    if (labels_copy(&to->e, &from->labels, &to->labels) ||
        machine_copy(from->machine, to->machine) ||
        (to->keeper != NULL && to->keeper->ops->copy(from->keeper, to->keeper)) ||
        learner_room(to, to->machine->last.stride))
        return PERC_ENOMEM;
    return PERC_OK;
}

perc_status learner_room(struct learner *l, size_t stride)
{
    return MEM_GROW(&l->e, l->scores, &l->room, LINEAR_ROOM(stride)) ? PERC_OK : PERC_ENOMEM;
}

bool learner_takes_start(const struct learner *l)
{
    return l->rule->solve == NULL && l->machine->ops->draw == NULL;
}

/* ----- one example ---------------------------------------------------------------- */

double learner_rate(const struct learner *l)
{
    const double t = (double)(l->shown + 1), rate = l->rate * l->decay.growth;

    switch (l->schedule) {
    case SCHEDULE_INVERSE: return rate / t;
    case SCHEDULE_ROOT: return rate / sqrt(t);
    default: return rate;
    }
}

double learner_margin(const struct learner *l, const double *scores, size_t class)
{
    if (l->kind == KIND_TWO) return class > 0 ? scores[0] : 0 - scores[0];
    const size_t rival = linear_rival(scores, l->labels.n, class);
    return rival != NO_VECTOR ? (scores[class] - scores[rival]) / 2 : scores[class];
}

double learner_loss(const struct learner *l, const double *scores, size_t class)
{
    const struct machine *m = l->machine;
    const size_t rival = l->kind == KIND_TWO ? NO_VECTOR : linear_rival(scores, l->labels.n, class);
    double margin;

    if (rival == NO_VECTOR) margin = machine_shown(m, learner_margin(l, scores, class));
    else margin = (machine_shown(m, scores[class]) - machine_shown(m, scores[rival])) / 2;
    return margin < 0 ? 0 - margin : 0;
}

perc_status learner_scores(struct learner *l, const struct row *x)
{
    const size_t outputs = learner_outputs(l), stride = l->machine->last.stride;
    const size_t room = (outputs > stride ? outputs : stride) + 1; /* and the unseen class */

    if (learner_room(l, room)) return PERC_ENOMEM;
    if (l->shadow != NULL) return shadow_scores(l->shadow, (uint64_t)l->example, x, l->scores);
    return l->machine->ops->scores(l->machine, x, outputs, l->scores);
}

/* How far the machine moves, > 0: as the rule says, or as it decides itself. */
static double step_of(const struct learner *l, const struct lesson *one)
{
    const struct machine_ops *ops = l->machine->ops;

    if (l->shadow != NULL) return shadow_holds(l->shadow, one) ? 0 : l->rate * one->weight;
    return ops->decide != NULL ? ops->decide(l->machine, one)
                               : l->steps->step(l, one->x, one->margin, one->weight);
}

/* ----- updates that overflow. Numbers of a machine that are not finite are there for good, and no
 * file can have them: such a row is refused, and nothing is learned from it.
 *
 * Nearly all rows need only a look at their values. Ordinary are |x_j| < 2^400, |x| >= 2^-149 if
 * not 0, scores and weights below 2^200 and 2^100: then any rule's step is below 2^502, and what is
 * added to a weight, or times the number of examples to a sum, below 2^966. The last digit of the
 * largest double is 2^971, so that such a sum is never rounded to infinity.
 *
 * Any other row is rehearsed: it is shown once while each update is only asked whether it holds
 * (machine_holds), and again, in earnest, if all of them do. */

bool learner_is_ordinary(const struct learner *l, const struct row *x, double weight, double score)
{
    const struct machine *m = l->machine;
    const size_t n = l->kind == KIND_TWO ? 0 : l->labels.n;
    double unseen = 0;
    bool small = fabs(score) < 0x1p200 && weight < 0x1p100 && l->rate < 0x1p100 &&
                 (l->rho == 0 || l->rho > 0x1p-100);

    if (m->expecting)
        unseen = l->quick ? linear_score(&m->unseen, x) : l->scores[learner_outputs(l)];
    for (size_t c = 0; c < n; c++) small &= fabs(l->scores[c]) < 0x1p200;
    if (!small || !(fabs(unseen) < 0x1p200)) return false;
    if (!(m->ops->flags & MACHINE_WEIGHTS)) return machine_size2(m, x) >= 0x1p-298;
    return row_is_ordinary(x) && (m->last.offset || !row_is_tiny(x));
}

/* Asked before each update by a row: whether it is made. */
static bool is_made(struct learner *l, const struct row *x, double weight, double score)
{
    if (l->stage == STAGE_OPEN)
        l->stage = learner_is_ordinary(l, x, weight, score) ? STAGE_MADE : STAGE_TRIED;
    return l->stage == STAGE_MADE;
}

typedef struct outcome show_fn(struct learner *l, const struct row *x, size_t class, double weight,
                               double score);

/* Shows a row that counts, if need be after a rehearsal. */
static struct outcome show_safely(struct learner *l, const struct row *x, size_t class,
                                  double weight, double score, show_fn *show)
{
    struct outcome o = show(l, x, class, weight, score);

    if (l->stage == STAGE_TRIED && !l->overflow) {
        l->stage = STAGE_MADE;
        o = show(l, x, class, weight, score);
    }
    l->stage = STAGE_OPEN;
    return l->overflow ? (struct outcome){ .score = NAN } : o;
}

/* Moves the machine that far. */
static void move_machine(struct learner *l, const struct lesson *one, double g)
{
    const int64_t shown = decay_age(&l->decay, l->shown);
    const struct update u = { one->x, one->up, one->down, g * one->sign, shown, l->example };

    if (!is_made(l, one->x, one->weight, one->margin)) {
        l->overflow |= !machine_holds(l->machine, &u, false);
        return;
    }
    if (l->keeper != NULL) l->keeper->ops->before_update(l->keeper, l);
    l->machine->ops->add(l->machine, &u);
    if (l->shadow != NULL) shadow_add(l->shadow, one, l->shown);
}

/* Whether the machine moves by an example. */
static bool learn_lesson(struct learner *l, const struct lesson *one)
{
    const double g = step_of(l, one);

    if (!(g > 0)) return false;
    move_machine(l, one, g);
    return true;
}

/* Tells the class not met yet "no"; its score is s, that of the others o->score. */
static void tell_unseen(struct learner *l, const struct row *x, double weight, double s,
                        const struct outcome *o)
{
    struct machine *m = l->machine;
    const struct lesson no = { .x = x,
                               .up = learner_outputs(l),
                               .down = NO_VECTOR,
                               .sign = -1,
                               .unseen = true,
                               .margin = 0 - s,
                               .weight = weight };
    const double g = step_of(l, &no);
    const int64_t shown = decay_age(&l->decay, l->shown);
    const struct update u = { x, no.up, NO_VECTOR, 0 - g, shown, l->example };

    if (!(g > 0)) return;
    if (is_made(l, x, weight, o->score)) m->unseen_updates += m->ops->add_unseen(m, &u);
    else l->overflow |= !machine_holds(m, &u, true);
}

/* An example that counts has been shown. */
static void was_shown(struct learner *l, const struct row *x, double weight, struct outcome *o)
{
    struct machine *m = l->machine;

    if (m->expecting && l->quick) { /* nearly always right, as a quick score and its bound show */
        const struct linear *w = &m->unseen;
        const bool sized = l->steps->flags & RULE_SIZE;
        const struct quick q = sized ? row_measure(x, w->w) : row_quick(x, w->w);
        const double s = q.sum + w->b[0], size2 = sized ? (q.norm2 + 1) * (1 + 1e-9) : 0;
        if (!(0 - s - quick_bound(&q, x->n, w->b[0]) > l->steps->reach(l, size2)))
            tell_unseen(l, x, weight, linear_score(w, x), o);
    } else if (m->expecting) tell_unseen(l, x, weight, l->scores[learner_outputs(l)], o);
    if (l->stage == STAGE_TRIED) return;
    if (l->keeper != NULL) l->keeper->ops->after_example(l->keeper, l, o);
    l->shown++;
    m->kept_is_current = false;
    const double f = decay_shown(&l->decay, m, l->shown, l->unit);
    if (f == 1) return;
    o->score *= f; /* shown like the machine's other numbers */
    for (size_t c = 0; c < learner_outputs(l); c++) l->scores[c] *= f;
}

static struct outcome show_two(struct learner *l, const struct row *x, size_t class, double weight,
                               double score)
{
    const double y = class > 0 ? 1 : -1;
    const struct lesson one = { .x = x,
                                .down = NO_VECTOR,
                                .native = l->native,
                                .sign = y,
                                .margin = y * score,
                                .weight = weight };
    struct outcome o = { .score = score, .answer = score > 0 };

    o.mistake = !(one.margin > 0); /* NaN: a mistake */
    o.updates = learn_lesson(l, &one);
    was_shown(l, x, weight, &o);
    return o;
}

/* What a row that counts for nothing is answered. */
static struct outcome answer_two(double score)
{
    return (struct outcome){ .score = score, .answer = score > 0 };
}

struct outcome learner_show_scored(struct learner *l, const struct row *x, size_t class,
                                   double weight, double score)
{
    return weight > 0 ? show_safely(l, x, class, weight, score, show_two) : answer_two(score);
}

static struct outcome show_right(struct learner *l, const struct row *x, size_t class,
                                 double weight, double score)
{
    struct outcome o = answer_two(score);

    (void)class;
    was_shown(l, x, weight, &o);
    return o;
}

struct outcome learner_no_update(struct learner *l, const struct row *x, double weight,
                                 double score)
{
    return weight > 0 ? show_safely(l, x, 0, weight, score, show_right) : answer_two(score);
}

/* Half the gap between the scores of a class and its rival's. */
static double half_gap(const struct learner *l, size_t class, size_t rival)
{
    return l->shadow != NULL ? shadow_margin(l->shadow, class, rival)
                             : (l->scores[class] - l->scores[rival]) / 2;
}

static struct outcome show_native(struct learner *l, const struct row *x, size_t class,
                                  double weight, double score)
{
    const size_t rival = linear_rival(l->scores, l->labels.n, class);
    const struct lesson one = { .x = x,
                                .up = class,
                                .down = rival,
                                .sign = 1,
                                .native = true,
                                .margin = half_gap(l, class, rival),
                                .weight = weight };
    struct outcome o = { .score = one.margin, .answer = linear_best(l->scores, l->labels.n) };

    (void)score;
    if (!(weight > 0)) return o;
    o.mistake = !(one.margin > 0);
    o.updates = learn_lesson(l, &one);
    was_shown(l, x, weight, &o);
    return o;
}

static struct outcome show_rest(struct learner *l, const struct row *x, size_t class, double weight,
                                double score)
{
    const size_t rival = linear_rival(l->scores, l->labels.n, class);
    const double m = rival != NO_VECTOR ? half_gap(l, class, rival) : l->scores[class];
    const bool decides = l->machine->ops->decide != NULL || l->shadow != NULL;
    struct lesson one = { .x = x, .down = NO_VECTOR, .weight = weight };
    struct outcome o = { .score = m, .answer = linear_best(l->scores, l->labels.n) };
    bool aside = false; /* of a class that it gets wrong */

    (void)score;
    if (!(weight > 0)) return o;
    for (size_t c = 0; c < l->labels.n; c++) { /* most stay, as the rule soon tells */
        const double y = c == class ? 1 : -1, margin = y * l->scores[c];
        double g = decides ? 1 : l->steps->step(l, x, margin, weight);
        if (!(g > 0)) continue;
        if (machine_skips(l->machine, l->example, c)) {
            aside = true;
            continue;
        }
        one.up = c;
        one.sign = y;
        one.margin = margin;
        if (decides && !((g = step_of(l, &one)) > 0)) continue;
        move_machine(l, &one, g);
        o.updates++;
    }
    o.mistake = !(m > 0) && (o.updates > 0 || !aside); /* what was set aside is not counted */
    was_shown(l, x, weight, &o);
    return o;
}

struct outcome learner_show_known(struct learner *l, const struct row *x, size_t class,
                                  double weight, const double *scores)
{
    const bool finite = l->machine->ops->flags & MACHINE_FINITE;

    if (finite || scores != l->scores)
        for (size_t c = 0; c < learner_vectors(l); c++) {
            if (finite && !isfinite(scores[c])) l->overflow = true;
            l->scores[c] = scores[c];
        }
    if (l->overflow) return (struct outcome){ .score = NAN };
    if (l->kind == KIND_TWO) return learner_show_scored(l, x, class, weight, l->scores[0]);
    return show_safely(l, x, class, weight, 0, l->kind == KIND_NATIVE ? show_native : show_rest);
}

/* For a machine that learns from a row by itself, given its class. */
static struct outcome teach_machine(struct learner *l, const struct row *x, size_t class,
                                    double weight)
{
    struct machine *machine = l->machine;
    const double m = learner_margin(l, l->scores, class);
    struct outcome o = { .score = l->kind == KIND_TWO ? l->scores[0] : m };
    bool finite = true;

    o.answer = l->kind == KIND_TWO ? l->scores[0] > 0 : linear_best(l->scores, l->labels.n);
    if (!(weight > 0)) return o;
    if (machine->ops->teach(machine, x, class, weight, l->example, &finite)) {
        machine->failed = true;
        return o;
    }
    o.mistake = !(m > 0);
    l->overflow = !finite;
    o.updates = finite;
    l->shown++;
    return o;
}

struct outcome learner_show(struct learner *l, const struct row *x, size_t class, double weight)
{
    if (learner_scores(l, x)) {
        l->machine->failed = true;
        return (struct outcome){ .score = NAN };
    }
    if (l->machine->ops->teach != NULL) return teach_machine(l, x, class, weight);
    return learner_show_known(l, x, class, weight, l->scores);
}

/* ----- what is returned ------------------------------------------------------------- */

struct moment learner_moment_of(const struct learner *l, size_t all)
{
    if (l->keeper != NULL) return (struct moment){ l->keeper->ops->updates(l->keeper, all), 0 };
    return (struct moment){ all, l->rule->keep == KEEP_AVERAGE ? l->shown : 0 };
}

struct moment learner_moment(const struct learner *l)
{
    return learner_moment_of(l, machine_updates(l->machine));
}

perc_status learner_refresh(struct learner *l)
{
    struct machine *m = l->machine;

    if (m->kept_is_current || !machine_has_sum(m)) return PERC_OK;
    if (linear_reserve(&m->kept, m->last.stride) || linear_grow(&m->kept, m->last.dims))
        return PERC_ENOMEM;
    if (m->keep == KEEP_AVERAGE) averaged_vectors(l, &m->kept);
    else l->keeper->ops->returned(l->keeper, l, &m->kept);
    m->kept_is_current = true;
    return PERC_OK;
}
