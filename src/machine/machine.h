/* machine.h -- a machine: what a trained thing is, and what can be asked of it.
 *
 * A learner (learn/learner.h) shows rows and decides when a machine moves, and how far; the
 * machine has the numbers that make the scores. There are several, and nobody outside this
 * room needs to know which one it is:
 *
 *   linear      s_c(x) = w_c.x + b_c                                   machine_linear.c
 *   votes       the same, and every w on the way has a vote            machine_votes.c
 *   dropping    the same, and rows that err again and again go         machine_dropping.c
 *   expansion   a kernel machine: the sum of its updates               machine_expansion.c
 *   budget      one that keeps at most B rows                          machine_budget.c
 *   mlp         a network that has learned                             machine_mlp.c
 *   gate        a network of threshold neurons, which does not learn   machine_gate.c
 *   diagonal    vectors with a number beside every weight              machine_diagonal.c
 *
 * What they share is here: vectors with their offsets, one for two classes and one a class for
 * more; the sums of averaging; the vector of the class not met yet. A machine without
 * weights (a kernel) has the offsets alone, a network has neither. All else is a table of
 * operations. A machine with a state of its own, one number a feature say, begins its struct with
 * a struct machine and adds a table: the learner, the loop over the rows, training, prediction and
 * files ask for what they need through it. Operations that may be NULL say what that means. */
#ifndef PERC_MACHINE_H
#define PERC_MACHINE_H

#include <float.h>
#include <math.h>

#include "base/params.h"
#include "machine/linear.h"

struct machine;
struct machine_file;
struct tensors;
struct kernel;

/* What is returned: the last vectors, their average, all of them as votes, or the best. */
enum keep { KEEP_LAST, KEEP_AVERAGE, KEEP_VOTES, KEEP_BEST };

/* Which of the machines on the way: the one after `updates` updates; mean > 0: the average over so
 * many examples. Only machines that keep their updates can tell them apart. */
struct moment {
    size_t updates;
    int64_t mean;
};

enum {
    MACHINE_WEIGHTS = 1, /* a weight for every column in `last`: to be shown, and to start from */
    MACHINE_QUICK = 2,   /* its score is the dot product with `last`: a quick sum with a bound on
                            its error decides most rows (vec/row.h)                              */
    MACHINE_FINITE = 4,  /* a score that is not finite is refused; else it is a mistake          */
    MACHINE_NETWORK = 8, /* its classes are the outputs of one network: no class is unseen, and
                            three or more are native                                             */
    MACHINE_REWORKS = 16 /* a class first met in training costs it what it knows of the rows   */
};

/* vector `up` gets step x', vector `down` loses it (NO_VECTOR: there is none). */
struct update {
    const struct row *x;
    size_t up, down;
    double step;
    int64_t shown;   /* examples shown before this one */
    int64_t example; /* its number in the data, from 0 */
};

/* An example as a machine learns from it: see `decide` below. */
struct lesson {
    const struct row *x;
    size_t up, down; /* the vector it is right for, and its rival's, NO_VECTOR: none */
    double sign;     /* +1; -1: `up` is to say no */
    bool native;     /* of a native machine: a vector without a rival's stands for -w and w */
    bool unseen;     /* it is for the unseen class, which is told "no" */
    double margin, weight;
};

/* A new label: the n-th class, whose place is `at`; then there will be `vectors` vectors. */
struct arrival {
    size_t n, at, vectors;
    size_t room;   /* vectors to make room for: these, or more, so that it is seldom made. All
                      arrays of a machine have the same */
    size_t unseen; /* the number of the unseen class's vector; NO_VECTOR: there is none */
    bool two;      /* at most two classes came before it, and share a vector */
};

/* What there is to say about a machine. */
struct machine_facts {
    const struct kernel *kernel;        /* NULL: none */
    uint64_t weights;                   /* of a network */
    const int64_t *dropped;             /* rows of the data that were set aside (drop.h); */
    const uint32_t *dropped_vector;     /* one class against the rest: of which; else NULL */
    size_t dropped_count, dropped_rows; /* of the list; different rows in it */
};

/* ----- answering for many rows: prediction ------------------------------------------------ */

/* Const while it is used, by several threads. The caller sets all but the last three. */
struct machine_scorer {
    struct env e;
    const struct machine *m;
    enum kind kind;
    size_t outputs;       /* scores of a row */
    uint64_t below;       /* columns that no data use */
    bool last;            /* by the machine as it stands, not by what it returns */
    bool one;             /* a single row will be asked for: nothing is worth preparing */
    int64_t shown;        /* examples */
    struct moment moment; /* what is returned, where that is a moment */

    const struct linear *vectors; /* what answers, as far as it is vectors */
    struct linear own;            /* those, where the machine's are not up to date */
    void *state;                  /* of the operations */
};

/* What one thread works with: rows on their way. */
enum { MACHINE_ROWS = 128 };
struct machine_scratch {
    const struct machine_scorer *s;
    bool stable; /* rows stay where they are until `run` */
    size_t most; /* rows at a time; 1, if they are not stable and there is no `take` */
    size_t n;    /* rows taken */
    struct row x[MACHINE_ROWS];
    void *state;
};

struct machine_ops {
    const char *word; /* of files and perc_model_info */
    unsigned flags;   /* MACHINE_... */
    size_t size;      /* of the struct that begins with a struct machine */

    /* Makes what it has beyond a struct machine. PERC_ENOMEM; PERC_EARG: perc_params_check says
     * what is wrong. After a failure it is freed. */
    perc_status (*init)(struct machine *m, const perc_params *p);
    void (*free)(struct machine *m);
    /* Copies what it has beyond that; `to` is as init made it. */
    perc_status (*copy)(const struct machine *from, struct machine *to);
    /* dims: 1 + the largest column it knows. grow: to at least so many. NULL: the vectors'. */
    uint64_t (*dims)(const struct machine *m);
    perc_status (*grow)(struct machine *m, uint64_t dims);
    /* Bytes that a column takes. NULL: those of its weights in the vectors. */
    size_t (*column_bytes)(const struct machine *m);
    /* Takes a grow back, of what is not vectors. NULL: there is nothing, or it stays. */
    void (*shrink)(struct machine *m, uint64_t dims);

    /* Before training: what it needs to know of the data (PERC_EDATA); whether it can do without,
     * `where` they are not known beforehand (PERC_EARG). NULL: it does not look at them. */
    perc_status (*see_data)(struct machine *m, const perc_dataset *ds, perc_error *err);
    perc_status (*without_data)(const struct machine *m, const char *where, perc_error *err);
    /* Draws its start for so many features. NULL: the vectors start where the options say. */
    void (*draw)(struct machine *m, uint64_t features, uint64_t below);
    /* Columns count from `below`, as the first row of a stream has shown. NULL: no matter. */
    void (*found_base)(struct machine *m, uint64_t below);

    /* Classes. check: whether there may be so many labels; PERC_EDATA names the newest. reserve:
     * all that can fail. The others cannot fail; they do what is needed beyond linear_negate,
     * linear_split and linear_insert of the vectors. seal: the unseen class goes. */
    perc_status (*check_class)(const struct machine *m, size_t n, bool native, const char *label,
                               perc_error *err);
    perc_status (*reserve_class)(struct machine *m, const struct arrival *a);
    void (*negate)(struct machine *m);
    void (*split)(struct machine *m, enum kind kind);
    void (*insert)(struct machine *m, size_t at, size_t unseen);
    void (*seal)(struct machine *m, size_t unseen);

    /* One row. check_row: whether it can be taken; PERC_EDATA. scores: of the last machine,
     * `outputs` of them (`last.stride`, if there are weights) and, except with MACHINE_QUICK, that
     * of the unseen class if there is one. size2: |x|^2 in its space. work: products a score takes,
     * besides reading the row. */
    perc_status (*check_row)(const struct machine *m, const struct row *x, int64_t line,
                             perc_error *err);
    perc_status (*scores)(struct machine *m, const struct row *x, size_t outputs, double *out);
    double (*size2)(const struct machine *m, const struct row *x);
    uint64_t (*work)(const struct machine *m, const struct row *x);
    /* Room for all updates that x may lead to. NULL: none is needed. */
    perc_status (*reserve_row)(struct machine *m, const struct row *x, size_t updates);
    /* How far it moves by an example; not > 0: not at all. NULL: the rule says. */
    double (*decide)(struct machine *m, const struct lesson *l);
    /* Moves by that step; add_unseen: the unseen class, whose vector is `up`; false: it
     * is not moved. Out of memory: m->failed. */
    void (*add)(struct machine *m, const struct update *u);
    bool (*add_unseen)(struct machine *m, const struct update *u);
    /* Whether all its numbers stay finite if it moves so, for an update that is not ordinary
     * (learn/learner.c); unseen: add_unseen. NULL: as machine_holds says. */
    bool (*holds)(const struct machine *m, const struct update *u, bool unseen);
    /* Instead of all that, for networks: learns from one row of this class. *finite: false if
     * the step was taken back, because it led to infinities or NaN. PERC_ENOMEM. */
    perc_status (*teach)(struct machine *m, const struct row *x, size_t class, double weight,
                         int64_t example, bool *finite);
    /* MACHINE_FINITE: why a row whose scores are not finite cannot be learned from. */
    const char *unlearnable;
    /* Whether a row of the data was set aside, and is not shown any more; one class against the
     * rest: not to this vector. NULL: none is. */
    bool (*skips)(const struct machine *m, int64_t row, size_t vector);

    /* Answering. thread_rows: so many are worth a thread; 0: those of a block. NULL for scorer_open
     * and the two that close: there is nothing to make. take: one more row, which may be gone when
     * the next comes; PERC_EDATA with its line; NULL: the caller puts it into d->x. run: the scores
     * of the rows taken, `outputs` each; then there are none. PERC_EDATA: row *bad has none, which
     * no_score explains. */
    size_t thread_rows;
    perc_status (*scorer_open)(struct machine_scorer *s);
    void (*scorer_close)(struct machine_scorer *s);
    perc_status (*scratch_open)(struct machine_scratch *d);
    void (*scratch_close)(struct machine_scratch *d);
    perc_status (*take)(struct machine_scratch *d, const struct row *x, int64_t line,
                        perc_error *err);
    perc_status (*run)(struct machine_scratch *d, double *out, size_t *bad);
    perc_status (*no_score)(const struct machine_scratch *d, size_t bad, int64_t line,
                            perc_error *err);

    void (*describe)(const struct machine *m, uint64_t below, struct machine_facts *out);

    /* In a file (machine_file.h): what it has beyond the vectors. check_file: whether the file is
     * large enough, before it is made from the options. unpack_first: what the vectors depend on.
     * Reading trusts nothing: PERC_EDATA names the array or the key. NULL: there is nothing. */
    perc_status (*pack)(const struct machine *m, struct machine_file *f, struct tensors *t);
    perc_status (*check_file)(const struct tensors *t, const perc_params *p, perc_error *err);
    perc_status (*unpack_first)(struct machine *m, const struct machine_file *f,
                                const struct tensors *t, perc_error *err);
    perc_status (*unpack)(struct machine *m, const struct machine_file *f, const struct tensors *t,
                          perc_error *err);
    /* The rows its weights belong to, where these are not columns. NULL: they are. */
    size_t (*slots)(const struct machine *m);
};

struct machine {
    const struct machine_ops *ops;
    const void *form; /* what the rule tells it: learn/learner.h */
    struct env e;
    enum keep keep;
    double unit;                      /* its numbers are shown times this: the rate, or 1 */
    bool expecting;                   /* a class may still come, and starts as `unseen` */
    int64_t unseen_updates;           /* made by the unseen class; inherited by the next new one */
    struct linear last;               /* the vectors as they stand; those in all other arrays of
                                         several vectors stand in the same columns */
    struct linear sum;                /* of (examples before) * (step): learn/averaged.c */
    struct linear unseen, unseen_sum; /* those of the class not met yet */
    struct linear kept;               /* what is returned, where that is not `last` */
    bool kept_is_current;
    bool failed;           /* memory ran out while an update was recorded */
    int64_t class_changes; /* how often a class came, or the unseen one went */
};

extern const struct machine_ops machine_linear, machine_votes, machine_dropping, machine_expansion,
    machine_budget, machine_mlp, machine_gate, machine_diagonal;

/* The machine that the options ask for, without a kernel or with one. */
const struct machine_ops *machine_choose(const perc_params *p, enum keep keep);
/* Whether there is a machine of this word. */
bool machine_is_word(const char *word);

perc_status machine_new(const struct env *e, const struct machine_ops *ops, const void *form,
                        const perc_params *p, enum keep keep, struct machine **out);
void machine_free(struct machine *m); /* NULL is fine */
/* `to` was made with the same parameters. After a failure it may only be freed. */
perc_status machine_copy(const struct machine *from, struct machine *to);
uint64_t machine_dims(const struct machine *m);
perc_status machine_grow(struct machine *m, uint64_t dims);
void machine_shrink(struct machine *m, uint64_t dims);
/* Bytes that so many columns take, with so many classes or those that are there. */
double machine_bytes(const struct machine *m, size_t classes, uint64_t dims);

/* A weight, an offset or a score as it is shown. What is not 0 is not shown as 0, so that a score
 * keeps its sign. */
static inline double machine_shown(const struct machine *m, double v)
{
    const double shown = m->unit * v;

    return shown != 0 || v == 0 ? shown : copysign(DBL_TRUE_MIN, v);
}

/* Whether the sums of averaging are kept: the pocket looks at the average too. */
static inline bool machine_has_sum(const struct machine *m)
{
    return m->keep == KEEP_AVERAGE || m->keep == KEEP_BEST;
}
/* What is returned, as far as it is vectors; it is current. */
static inline const struct linear *machine_result(const struct machine *m)
{
    return machine_has_sum(m) ? &m->kept : &m->last;
}

/* A new class: all that can fail, and then the rest. */
perc_status machine_reserve_class(struct machine *m, const struct arrival *a);
void machine_negate(struct machine *m);                /* the label met first is +1 now */
void machine_split(struct machine *m, enum kind kind); /* one vector w becomes -w and w */
void machine_insert(struct machine *m, const struct arrival *a);
void machine_seal(struct machine *m, size_t unseen);

/* Whether it can learn: a gate was compiled from a formula. */
static inline bool machine_learns(const struct machine *m)
{
    return m->ops->scores != NULL;
}
/* Updates that it keeps, so that it can be any machine on the way (machine_votes.c). */
size_t machine_updates(const struct machine *m);
/* Whether a row of the data was set aside; one class against the rest: for this vector. */
static inline bool machine_skips(const struct machine *m, int64_t row, size_t vector)
{
    return m->ops->skips != NULL && m->ops->skips(m, row, vector);
}
/* |x'|^2, in the space of the machine. */
double machine_size2(const struct machine *m, const struct row *x);
/* Vector `up` of w gets a x', and its sums follow; weights: whether w has any. */
void machine_add_vector(struct machine *m, struct linear *w, struct linear *sum,
                        const struct update *u, bool weights);

/* Whether w and, unless NULL, sum have only finite numbers after that; scale: x' is S x', S the
 * numbers of this vector there. NULL: it is x'. */
bool machine_vectors_hold(const struct linear *w, const struct linear *sum,
                          const struct linear *scale, const struct update *u);
bool machine_holds(const struct machine *m, const struct update *u, bool unseen);

struct machine_facts machine_describe(const struct machine *m, uint64_t below);

/* ----- answering ---------------------------------------------------------------------------- */

void machine_scorer_close(struct machine_scorer *s); /* safe on a zeroed struct */
/* For at most `rows` rows at a time; safe to close on failure. */
perc_status machine_scratch_open(struct machine_scratch *d, const struct machine_scorer *s,
                                 bool stable, size_t rows);
void machine_scratch_close(struct machine_scratch *d);
/* PERC_EDATA: a score of row *bad of those taken is not finite. They are gone then. */
perc_status machine_check_scores(struct machine_scratch *d, const double *scores, size_t *bad);

/* ----- operations that the linear machine lends to others that have vectors ------------------ */

perc_status machine_linear_scores(struct machine *m, const struct row *x, size_t outputs,
                                  double *out);
bool machine_linear_add_unseen(struct machine *m, const struct update *u);
perc_status machine_linear_scratch_open(struct machine_scratch *d);
void machine_linear_scratch_close(struct machine_scratch *d);
perc_status machine_linear_run(struct machine_scratch *d, double *out, size_t *bad);

#endif
