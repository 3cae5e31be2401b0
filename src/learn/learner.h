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
 * rule makes of them exactly what it makes of w.
 *
 * Classes appear when their label is met. The first two share one vector; a lone
 * class's rival is the one that comes next. With a third label the vector becomes
 * two, -w and w. What the new class starts from depends on the kind. Native: from 0.
 * Against the rest: from a machine that has seen the rest all along. That one, the
 * *unseen* class, is learned beside the others as long as labels may still come; it
 * errs rarely, because it is told "no" every time. So a stream, which learns of its
 * labels on the way, makes the updates of a run that knew them all. */
#ifndef PERC_LEARNER_H
#define PERC_LEARNER_H

#include "base/params.h"
#include "data/labels.h"
#include "learn/rule.h"
#include "machine/backprop.h"
#include "machine/drop.h"
#include "machine/budget.h"
#include "machine/expansion.h"
#include "machine/gate.h"
#include "machine/linear.h"
#include "machine/votes.h"

enum kind { KIND_TWO, KIND_NATIVE, KIND_REST };
enum keep { KEEP_LAST, KEEP_AVERAGE, KEEP_VOTES, KEEP_BEST };
enum schedule { SCHEDULE_CONSTANT, SCHEDULE_INVERSE, SCHEDULE_ROOT };

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
enum solver { SOLVER_NONE, SOLVER_DUAL, SOLVER_NEWTON, SOLVER_HARD, SOLVER_LP };
struct solved {
    enum solver solver;
    double primal, dual, lower, upper; /* NaN: it has no such thing */
    uint64_t supports;
};

struct diverged {
    int64_t epoch, step;
};

struct learner;
struct fit;
struct map;

enum {
    RULE_SIGN = 1, /* of the margin, asks only for the sign: see fit.c */
    RULE_SIZE = 2  /* `reach` depends on |x'|^2                        */
};

struct rule {
    struct table table; /* name, summary and parameters */
    perc_about about;   /* what else is said of it */
    unsigned flags;
    enum keep keep;
    /* The step for a row of this margin; 0: none. weight > 0. NULL: those of the
     * rule that the parameter "rule" names. */
    double (*step)(const struct learner *l, const struct row *x, double margin, double weight);
    /* A margin above this means no step, for a row with |x'|^2 <= size2. */
    double (*reach)(const struct learner *l, double size2);
    /* Instead of the two above, for a rule that does not learn in passes: finds the
     * machine for all rows of f at once, from its classes, which are all known. Says in
     * progress.stop how it ended. */
    perc_status (*solve)(struct fit *f, const perc_params *p, const struct map *map);
    /* Whether the values go together, where that is a question; may be NULL. PERC_EARG. */
    perc_status (*check)(const perc_params *p, perc_error *err);
};

struct learner {
    struct env e;
    const struct rule *rule;
    const struct rule *steps; /* whose step and reach: the rule, or the one it wraps */
    enum kind kind;
    bool native;            /* one vector a class even for two */
    bool closed;            /* two classes that stay two, class 1 given */
    bool rest;              /* class 0 is every label but that of class 1 */
    bool expecting;         /* a class may still come, and starts as `unseen` */
    int64_t unseen_updates; /* that it has made; a class that is met takes them over */
    double rate, margin, aggressiveness;
    enum schedule schedule;
    struct labels labels;             /* sorted; a class is a number here */
    struct linear machine;            /* the last weights */
    struct linear sum;                /* sum of (examples before) * (step): see averaged.c */
    struct linear unseen, unseen_sum; /* of the class that was not met yet */
    struct linear kept;               /* what is returned where that is not the machine */
    bool settled;                     /* `kept` is up to date */
    struct votes votes;               /* KEEP_VOTES; with a kernel, always: it is the machine */
    struct expansion *kernel;         /* NULL: a linear machine. Else `machine` and `sum` hold
                                 offsets alone, and have no weights */
    struct budget *budget; /* NULL: all rows are kept. Else the machine is not the votes but
                                 `machine`, whose columns are the slots of the budget */
    struct mlp *mlp;       /* NULL: no network. Else `machine` is empty: the network is what
                                 answers, and `backprop` how it learns */
    struct backprop *backprop;
    struct minibatch single;  /* a network learns from one row as from a batch of one */
    struct mlp_scratch alone; /* and answers for it with this */
    struct diverged diverged; /* where the loss was no number (batches.h); 0: nowhere */
    struct gate *gate;        /* NULL: no network of threshold neurons, which does not learn */
    int64_t example;          /* number in the data of the row that is shown, from 0 */
    struct drop *drop;        /* --drop-after; else NULL */
    struct pocket *pocket;    /* KEEP_BEST */
    int64_t shown;            /* examples of weight > 0 */
    double *scores;           /* scratch: at least machine.stride */
    size_t room;              /* of scores */
    bool failed;              /* memory ran out while an update was recorded */
    bool overflow;            /* a score was no finite number; nothing was learned from it */
    struct progress progress;
    struct solved solved;
};

/* ----- making one (learner.c) ---------------------------------------------- */

perc_status learner_init(struct learner *l, const struct env *e, const struct rule *rule,
                         const perc_params *p);
void learner_free(struct learner *l); /* safe on a zeroed struct */
/* Everything but the rule and its parameters, which learner_init has set. */
perc_status learner_copy(const struct learner *from, struct learner *to);
/* Scratch for the scores of a machine of this stride. */
perc_status learner_room(struct learner *l, size_t stride);
/* Weights for at least `dims` columns. */
perc_status learner_grow(struct learner *l, uint64_t dims);

/* 1 + the largest column that the machine knows. */
static inline uint64_t learner_dims(const struct learner *l)
{
    if (l->gate != NULL) return l->gate->inputs;
    if (l->mlp != NULL) return l->mlp->layers > 0 ? l->mlp->layer[0].in : 0;
    return l->kernel != NULL ? l->kernel->dims : l->machine.dims;
}

/* Scores that the machine gives: 1 for two classes, else one a class. */
static inline size_t learner_outputs(const struct learner *l)
{
    return l->kind == KIND_TWO ? 1 : l->labels.n;
}

/* ----- classes (classes.c) ------------------------------------------------- */

#define CLASS_NONE SIZE_MAX

/* The class of a label, CLASS_NONE if it is not known. */
size_t learner_class(const struct learner *l, const char *label);
/* Likewise, made if it is new; *at is then its place, at or above which the numbers
 * of the others have moved up by one, and CLASS_NONE if it was known. On failure
 * nothing has changed. */
perc_status learner_meet(struct learner *l, const char *label, size_t *class, size_t *at,
                         perc_error *err);
/* Two classes that stay two; `rest`: every label but `positive` is `negative`. */
perc_status learner_close(struct learner *l, const char *negative, const char *positive, bool rest);
/* No more labels will come: the unseen class goes. */
void learner_seal(struct learner *l);

/* ----- learning (learner.c) -------------------------------------------------- */

/* Shows one example, of which the class is known. Its columns are below dims. */
struct outcome learner_show(struct learner *l, const struct row *x, size_t class, double weight);
/* The same with a kernel, after scores that the caller has computed: those of the outputs
 * and, if a class is expected, of the unseen one. */
struct outcome learner_show_kernel(struct learner *l, const struct row *x, size_t class,
                                   double weight, const double *scores);
/* Vectors whose scores that takes. */
static inline size_t learner_vectors(const struct learner *l)
{
    return learner_outputs(l) + (l->expecting ? 1 : 0);
}
/* The same for two classes after a score that the caller has computed; with
 * RULE_SIGN it may be any number of the score's sign. */
struct outcome learner_show_scored(struct learner *l, const struct row *x, size_t class,
                                   double weight, double score);
/* An example of two classes that is right and beyond the reach of the rule. */
struct outcome learner_pass(struct learner *l, const struct row *x, double weight, double score);
/* The margin of a row of this class, by its `outputs` scores. */
double learner_margin(const struct learner *l, const double *scores, size_t class);
/* Example t, this one included: eta_t. */
double learner_rate(const struct learner *l);
/* |x'|^2, in the space of the kernel if there is one. */
double learner_size2(const struct learner *l, const struct row *x);

/* The scores that a network gives x, whose columns it knows, into l->scores. PERC_ENOMEM. */
perc_status learner_mlp_scores(struct learner *l, const struct row *x);

/* ----- what is returned -------------------------------------------------------- */

/* Brings `kept` up to date. PERC_ENOMEM. */
perc_status learner_settle(struct learner *l);
/* What is returned, as far as it is vectors; settled. */
static inline const struct linear *learner_result(const struct learner *l)
{
    const bool kept = l->rule->keep == KEEP_AVERAGE || l->rule->keep == KEEP_BEST;

    return kept ? &l->kept : &l->machine;
}
/* With a kernel: which machine that is; for votes, the last. */
struct moment learner_moment(const struct learner *l);
/* The scores of the last machine, learner_vectors of them, into l->scores. PERC_ENOMEM. */
perc_status learner_kernel_scores(struct learner *l, const struct row *x);
/* (T w - u) / T into `out`, which has the machine's shape (averaged.c). */
void average_of(const struct learner *l, struct linear *out);
/* The scores of that average, machine.vectors of them, to the bit, without making it. */
void average_scores(const struct learner *l, const struct row *x, double *out);

extern const char *const solver_names[]; /* by enum solver; "" for none */

/* The check of every rule that may have a kernel (kernel_check.c). */
perc_status kernel_check(const perc_params *p, perc_error *err);

#endif
