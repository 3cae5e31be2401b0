/* pocket.h -- the best weights so far, by their errors on the whole data set. */
#ifndef PERC_POCKET_H
#define PERC_POCKET_H

#include "learn/learner.h"

struct fit;
struct counter;

/* Weights that were counted: their errors (-1: none were), and when they came to be:
 * in which pass, by which update and example; all 0 for those of the start. */
struct found {
    int64_t errors, epoch, updates, shown;
};

enum {
    POCKET_BUFFER = 64,  /* candidates that one pass over the data scores          */
    POCKET_LONGEST = 32, /* streaks of a pass whose weights are put to the test    */
    POCKET_BINS = 512    /* of their lengths, 16 to each doubling: up to 2^35        */
};

/* What a run needs, besides the weights in the pocket, to go on as if it had never
 * stopped. Nothing but numbers of one type, so that a file can hold them as they are. */
struct pocket_state {
    struct found found;        /* what is in the pocket; errors -1: it is empty */
    struct found last;         /* what is returned, where that is something else; else -1 */
    struct found made;         /* the weights that the machine has; they were not counted */
    int64_t streak;            /* right answers since, one after the other */
    int64_t longest;           /* streak so far */
    int64_t gate;              /* bin of the shortest one that is let in; 0: none yet */
    int64_t admitted;          /* candidates of this pass */
    int64_t bins[POCKET_BINS]; /* streaks of this pass by their length */
};
enum { POCKET_NUMBERS = sizeof(struct pocket_state) / sizeof(int64_t) };

struct pocket {
    struct keeper keeper; /* what the learner calls */
    struct env e;
    bool literal; /* count errors after every update */
    double grace; /* seconds for counting, once the run is to stop */
    struct pocket_state is;
    struct linear best;  /* what is in the pocket */
    struct linear spare; /* the weights of `last`, or scratch */
    bool last_is_spare;

    /* Weights that wait for their errors to be counted, side by side as in
     * vec/row_many.h: those of candidate k and class c are vector k * classes + c. */
    struct {
        double *w, *b; /* dims * stride, stride */
        uint64_t dims;
        size_t stride, classes;
        size_t n, room; /* candidates */
        struct found made[POCKET_BUFFER];
    } wait;

    bool touched;            /* the current example has changed the machine */
    bool admit;              /* and the weights before it are a candidate */
    bool failed;             /* out of memory */
    struct counter *counter; /* of errors on the data, from pocket_begin on; NULL: no data */
};

/* The pocket of l; NULL: it has none. */
struct pocket *pocket_of(const struct learner *l);

/* What follows does nothing where p is NULL. */

/* From here on errors are counted on the data of f, until pocket_release. PERC_ENOMEM. */
perc_status pocket_begin(struct pocket *p, struct fit *f);
void pocket_release(struct pocket *p);
/* Called by the loop, at the end of a pass and when training stops, after which only
 * pocket_begin goes on. PERC_ENOMEM. */
perc_status pocket_pass_end(struct pocket *p, const struct learner *l);
perc_status pocket_end(struct pocket *p, const struct learner *l);
/* When the weights that are returned were made; 0 and 0 where there is no pocket. */
void pocket_found(const struct pocket *p, int64_t *epoch, int64_t *updates);

/* A model file keeps p->is and, where found.errors >= 0, the weights p->best; nothing may be
 * waiting: pocket_end or pocket_pass_end came before. What is returned is not kept here but in the
 * learner. Whether a file's numbers can be those of a pocket: */
bool pocket_possible(const struct pocket_state *s);

/* ----- counting errors (pocket_score.c) ------------------------------------------- */

/* `n` machines side by side, as `wait` has them. */
struct contest {
    const double *w, *b;
    uint64_t dims;
    size_t stride, classes; /* classes 1: two, told apart by the sign */
    size_t n;
    const struct linear *as; /* a class stands in the column that it has there */
};

/* A counter has the scratch memory of as many threads as counting may use. */
perc_status pocket_counter_new(const struct env *e, struct fit *f, double grace,
                               struct counter **out);
void pocket_counter_free(struct counter *s); /* NULL is fine */
/* Entries of all rows, as the learner sees them; an upper bound where they are mapped. */
double pocket_entries(const struct counter *s);
/* For machines that count in their own way: whether to go on. Asked by the run's thread alone. */
const struct watch *pocket_watch(const struct counter *s);
/* The errors of each, margins as in learner.h; of one machine it is enough to know
 * that they are not below `limit`. PERC_ENOMEM. PERC_EUNDECIDED: the run is to stop. */
perc_status pocket_count(struct counter *s, const struct contest *c, int64_t limit,
                         int64_t *errors);
/* The errors of the machine of l, which has no vectors; at least `limit`, if there are that many.
 * By the ledger (ledger.h) if the run has one. PERC_ENOMEM, PERC_EUNDECIDED. */
perc_status pocket_count_machine(struct counter *s, const struct learner *l, int64_t limit,
                                 int64_t *errors);

#endif
