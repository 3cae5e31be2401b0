/* learner.h -- a learner: its state, and what happens when it is shown an example.
 *
 * It is shown a row, answers with scores, is told the label and may change its
 * state: learner_show. A pass over the data, a stream and perc_learn are loops
 * around it, so that all of them make the same updates.
 *
 * Three things make a learner:
 *
 *   the rule   how far to step along an example, given its margin m: one function
 *              (perceptron.c, margin.c, passive_aggressive.c)
 *   the kind   what a margin and a step are: two classes, native multi-class, or
 *              one class against the rest (learner.c)
 *   the keep   what is returned: the last weights, their average, all of them as
 *              votes, or the best (averaged.c, voted.c, pocket.c)
 *
 *   two      m = y s                       w += g y x
 *   native   m = (s_true - s_rival) / 2    w_true += g x,  w_rival -= g x
 *   rest     each class by itself, as two classes: it and the rest
 *
 * with g the step, and the offset moving likewise. The rival is the highest of the
 * other scores, ties to the lower class. Half the gap is the margin of a native
 * machine because two classes held as (-w, w) then have the margin y s, and every
 * rule makes of them exactly what it makes of w (except arow.c, which takes the whole gap).
 *
 * In units of the rate. From w = 0 and with a constant rate eta, the weights of a rule whose
 * steps and reach are in proportion to eta (RULE_SCALES) are eta times those of rate 1, and
 * its mistakes are the same. In doubles that is so only if w is learned with rate 1 and eta
 * multiplies what is shown (machine_shown): eta x, rounded at every step, would decide ties
 * by chance. So l->rate is 1 then, and machine->unit is eta. A start elsewhere or a rate that
 * changes has no such unit: there l->rate is eta, and the unit 1.
 *
 * Classes appear when their label is met. The first two share one vector; a lone
 * class's rival is the one that comes next. With a third label the vector becomes
 * two, -w and w. What the new class starts from depends on the kind. Native: from 0.
 * Against the rest: from a machine that has seen the rest all along. That one, the
 * *unseen* class, is learned beside the others as long as labels may still come; it
 * errs rarely, because it is told "no" every time. So a stream, which learns of its
 * labels on the way, makes the updates of a run that knew them all. A native machine does not: a
 * class that is there from the first row on competes from there on (Kesler's construction), one
 * that appears does so from its own first row. Which of the two a run does is the parameter
 * "classes"; whoever is told the same does the same. */
#ifndef PERC_LEARNER_H
#define PERC_LEARNER_H

#include "base/params.h"
#include "data/labels.h"
#include "learn/decay.h"
#include "learn/rule.h"
#include "machine/machine.h"

enum schedule { SCHEDULE_CONSTANT, SCHEDULE_INVERSE, SCHEDULE_ROOT };

/* Which classes there are before the first row is shown: the parameter "classes". */
enum classes { CLASSES_DEFAULT, CLASSES_ALL, CLASSES_SEEN, CLASSES_LISTED };

struct outcome {
    double score;  /* two classes: s; more: the margin m. Before learning */
    size_t answer; /* the class that the scores speak for; 0 where none is known yet */
    bool mistake;
    int updates; /* 0 or 1; against the rest, one for each class that errs */
    bool fresh;  /* its label was met for the first time (model_learn) */
};

/* Counters of a run, kept in the model: with them a run can go on. */
struct progress {
    int64_t epoch;    /* passes begun */
    int64_t position; /* rows shown in the current or last pass */
    bool pass_open;   /* stopped in the middle of a pass */
    int64_t examples, mistakes, updates;
    int64_t pass_mistakes, pass_updates; /* in the current pass */
    perc_stop stop;
};

/* What a solver (src/solve) says of what it returned; see perc_report. */
enum solver {
    SOLVER_NONE,
    SOLVER_DUAL,
    SOLVER_NEWTON,
    SOLVER_HARD,
    SOLVER_LP,
    SOLVER_DESCENT,
    SOLVER_COUNT
};
struct solved {
    enum solver solver;
    double primal, dual, lower, upper; /* NaN: it has no such thing */
    double geometric_lower, geometric_upper;
    uint64_t supports;
};

struct diverged {
    int64_t epoch, step;
};

/* Of the updates by the row at hand (learner.c): whether they are made is not asked yet; they are;
 * they are only tried out. */
enum stage { STAGE_OPEN, STAGE_MADE, STAGE_TRIED };

struct learner;
struct fit;
struct map;
struct shadow;

enum {
    RULE_SIGN = 1,    /* asks only for the sign of the margin: see pass.c */
    RULE_SIZE = 2,    /* `reach` depends on |x'|^2                        */
    RULE_SCALES = 4,  /* step and reach are in proportion to the rate     */
    RULE_PROBABLE = 8 /* its scores are log odds, or a softmax's: they make probabilities */
};

/* A learner that wraps another, and keeps a copy of its machine aside (pocket.c). */
struct keeper {
    const struct keeper_ops *ops;
};
struct keeper_ops {
    void (*free)(struct keeper *k);
    perc_status (*copy)(const struct keeper *from, struct keeper *to);
    /* The machine has one more class: what was kept cannot be compared. */
    void (*forget)(struct keeper *k);
    /* Just before the machine changes; after each example, before l->shown is raised. */
    void (*before_update)(struct keeper *k, const struct learner *l);
    void (*after_example)(struct keeper *k, const struct learner *l, const struct outcome *o);
    /* The vectors to return, into `out` of the machine's shape; with a kernel, the number of
     * updates that made them, out of `all`. */
    void (*returned)(const struct keeper *k, const struct learner *l, struct linear *out);
    size_t (*updates)(const struct keeper *k, size_t all);
};

struct rule {
    struct table table; /* name, summary and parameters */
    perc_about about;   /* what else is said of it */
    unsigned flags;
    enum keep keep;
    /* Its machine; NULL: vectors, or those of a kernel if the options ask for one. `form`: what
     * the rule tells a machine that serves several (its header says what that is). */
    const struct machine_ops *machine;
    const void *form;
    /* The step for a row of this margin; 0: none. weight > 0. NULL: those of the rule that the
     * parameter "rule" names; or the machine decides by itself (machine_ops.decide, .teach). */
    double (*step)(const struct learner *l, const struct row *x, double margin, double weight);
    /* A margin above this means no step, for a row with |x'|^2 <= size2. */
    double (*reach)(const struct learner *l, double size2);
    /* Instead of the two above, for a rule that does not learn in passes: finds the
     * machine for all rows of f at once, from its classes, which are all known. Says in
     * progress.stop how it ended. */
    perc_status (*solve)(struct fit *f, const perc_params *p, const struct map *map);
    /* Whether three classes or more are native with "multiclass" auto; NULL: they are not. */
    bool (*joint)(const perc_params *p);
    /* Makes what wraps the learner, KEEP_BEST; else NULL. */
    perc_status (*keeper)(const struct env *e, const perc_params *p, struct keeper **out);
    /* Whether the values go together, where that is a question; may be NULL. PERC_EARG. */
    perc_status (*check)(const perc_params *p, perc_error *err);
};

struct learner {
    struct env e;
    const struct rule *rule;
    const struct rule *steps; /* whose step and reach: the rule, or the one it wraps */
    enum kind kind;
    bool native; /* one vector a class even for two */
    bool joint;  /* three classes or more are native: rule.joint */
    bool closed; /* two classes that stay two, class 1 given */
    bool rest;   /* class 0 is every label but that of class 1 */
    enum classes asked;
    bool known;  /* all classes were there before the first row was shown */
    size_t most; /* there are no more labels than this; 0: nobody knows */
    bool quick;  /* a quick score with a bound on its error decides most rows (pass.c) */
    double rate, margin, aggressiveness, rho; /* rate: of a step; 1 in units of the rate */
    enum schedule schedule;
    struct decay decay;
    double unit;          /* what machine->unit is without decay */
    struct labels labels; /* sorted; a class is a number here */
    struct labels listed; /* CLASSES_LISTED: there are no others */
    struct machine *machine;
    struct keeper *keeper;    /* KEEP_BEST; else NULL */
    struct shadow *shadow;    /* decides, while a run in exact arithmetic lasts; else NULL */
    struct diverged diverged; /* where the loss of a network was not finite; 0: nowhere */
    int64_t example;          /* number in the data of the row that is shown, from 0 */
    int64_t shown;            /* examples of weight > 0 */
    enum stage stage;
    double *scores; /* scratch: those of the row at hand */
    size_t room;    /* of scores */
    bool overflow;  /* a score is not finite (MACHINE_FINITE), or a number of the machine
                                 would not be: nothing was learned from the row */
    struct progress progress;
    struct solved solved;
};

/* ----- making one (learner.c) ---------------------------------------------- */

/* The machine that a rule has with these options. */
const struct machine_ops *learner_machine(const struct rule *rule, const perc_params *p);
perc_status learner_init(struct learner *l, const struct env *e, const struct rule *rule,
                         const perc_params *p);
void learner_free(struct learner *l); /* safe on a zeroed struct */
/* The rate in every step and the unit 1, for files of releases that knew no units. */
void learner_forgo_units(struct learner *l);
/* Everything but the rule and its parameters, which learner_init has set. */
perc_status learner_copy(const struct learner *from, struct learner *to);
/* Scratch for the scores of a machine of this stride. */
perc_status learner_room(struct learner *l, size_t stride);
/* Whether it begins where "init" says: a solver and a network have a start of their own. */
bool learner_takes_start(const struct learner *l);

/* Scores that the machine gives: 1 for two classes, else one a class. */
static inline size_t learner_outputs(const struct learner *l)
{
    return l->kind == KIND_TWO ? 1 : l->labels.n;
}

/* ----- classes (classes.c) ------------------------------------------------- */

#define CLASS_NONE SIZE_MAX

/* The class of a label, CLASS_NONE if it is not known. */
size_t learner_class(const struct learner *l, const char *label);
/* Likewise, but made if it is new: then *at is its place, and the numbers of the others from there
 * on have moved up by one; CLASS_NONE if it was known. On failure nothing has changed. */
perc_status learner_meet(struct learner *l, const char *label, size_t *class, size_t *at,
                         perc_error *err);
/* Reads "classes" from p. PERC_EARG: it is no list of labels. */
perc_status learner_ask(struct learner *l, const perc_params *p, perc_error *err);
/* For a run that has no data beforehand: makes the classes that are listed. PERC_EARG: all of them
 * were asked for. */
perc_status learner_know_listed(struct learner *l, perc_error *err);
/* Makes a class of every label. learner_know: before the first row is shown, and no more come. */
perc_status learner_meet_all(struct learner *l, const struct labels *labels, perc_error *err);
perc_status learner_know(struct learner *l, const struct labels *labels, perc_error *err);
/* Whether "classes" goes together with the other parameters. PERC_EARG. */
perc_status classes_check(const perc_params *p, perc_error *err);
/* Two classes that stay two; `rest`: every label but `positive` is `negative`. */
perc_status learner_fix_two_classes(struct learner *l, const char *negative, const char *positive,
                                    bool rest);
/* No more labels will come: the unseen class goes. */
void learner_seal(struct learner *l);

/* ----- learning (learner.c) -------------------------------------------------- */

/* Shows one example, whose class is known. Its columns are below dims. */
struct outcome learner_show(struct learner *l, const struct row *x, size_t class, double weight);
/* The scores of the last machine, learner_vectors of them, into l->scores. PERC_ENOMEM. */
perc_status learner_scores(struct learner *l, const struct row *x);
/* learner_show after scores that the caller has computed: as learner_scores has them. */
struct outcome learner_show_known(struct learner *l, const struct row *x, size_t class,
                                  double weight, const double *scores);
/* Vectors whose scores that takes; l->quick: the unseen class's is computed when needed. */
static inline size_t learner_vectors(const struct learner *l)
{
    return learner_outputs(l) + (l->machine->expecting ? 1 : 0);
}
/* The same for two classes after a score that the caller has computed; with
 * RULE_SIGN it may be any number of the score's sign. */
struct outcome learner_show_scored(struct learner *l, const struct row *x, size_t class,
                                   double weight, double score);
/* An example of two classes that is right and beyond the reach of the rule. */
struct outcome learner_no_update(struct learner *l, const struct row *x, double weight,
                                 double score);
/* Whether no update by this row can overflow, whatever its class. For two classes `score` is its
 * score, else they are in l->scores. */
bool learner_is_ordinary(const struct learner *l, const struct row *x, double weight, double score);
/* The margin of a row of this class, by its `outputs` scores. */
double learner_margin(const struct learner *l, const double *scores, size_t class);
/* max(0, -m), by the scores as they are shown. */
double learner_loss(const struct learner *l, const double *scores, size_t class);
/* eta_t, where t counts this example too; with decay, in the numbers of the machine. */
double learner_rate(const struct learner *l);

/* ----- what is returned -------------------------------------------------------- */

/* Brings machine->kept up to date. PERC_ENOMEM. */
perc_status learner_refresh(struct learner *l);
/* Which of the machines on the way that is; for votes, the last. */
struct moment learner_moment(const struct learner *l);
/* Likewise for a machine whose updates are still to be read, `all` of them. */
struct moment learner_moment_of(const struct learner *l, size_t all);
/* (T w - u) / T into `out`, which has the machine's shape (averaged.c). */
void averaged_vectors(const struct learner *l, struct linear *out);
/* The scores of that average, last.vectors of them, to the bit, without making it. */
void averaged_scores(const struct learner *l, const struct row *x, double *out);

extern const char *const solver_names[SOLVER_COUNT]; /* by enum solver; "" for none */

/* The check of every rule that may have a kernel (kernel_check.c). */
perc_status kernel_check(const perc_params *p, perc_error *err);

#endif
