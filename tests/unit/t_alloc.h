/* t_alloc.h -- memory that is counted to the byte, and runs out when a test says so.
 *
 * Each piece carries its size in front, so that a size given back wrongly is seen at
 * once, and a resize always moves: what still points to the old place then reads
 * 0xDD, or is caught by a sanitizer. New memory is 0xA5, never by luck zero (the
 * beginning of a large piece, so that pages nobody uses are not touched). Several
 * threads may allocate; setting up and looking at the counts is for one.
 *
 * A sweep refuses call 0, 1, 2, ... until there is none of that number:
 *
 *     for (struct t_sweep s = { .least = 20 }; t_sweep_next(&s);) {
 *         const perc_status st = work(&s.env, &result);
 *         result_free(result);
 *         t_sweep_judge(&s, st);
 *     }
 *
 * Where the work needs something made before it, of the same memory, the sweep is `armed` by
 * the test: t_sweep_arm() stands between making and work. */
#ifndef PERC_TEST_ALLOC_H
#define PERC_TEST_ALLOC_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "perceptron.h"

struct t_alloc {
    long fail_at;              /* the call that fails, from 0; -1: none       */
    bool onwards;              /* and so do all that follow                   */
    void (*told)(long nth);    /* of each request; may be NULL                */
    atomic_long calls, failed; /* requests for memory; those refused          */
    atomic_long bytes, pieces; /* held now                                    */
    atomic_long wrong;         /* pieces given back with another size, or new
                                   * ones that are said to have an old one       */
};

struct t_piece { /* in front of the memory, which stays aligned to 16 */
    size_t size;
    uintptr_t mark;
};
_Static_assert(sizeof(struct t_piece) % 16 == 0, "malloc's alignment must survive");

enum { T_PAINT = 1 << 16 };

static inline void t_paint(void *p, int colour, size_t size)
{
    memset(p, colour, size < T_PAINT ? size : T_PAINT);
}

#define T_MARK ((uintptr_t)0x5eed5eed)

static inline void t_alloc_reset(struct t_alloc *a, long fail_at, bool onwards)
{
    a->fail_at = fail_at;
    a->onwards = onwards;
    a->told = NULL;
    atomic_store(&a->calls, 0);
    atomic_store(&a->failed, 0);
    atomic_store(&a->bytes, 0);
    atomic_store(&a->pieces, 0);
    atomic_store(&a->wrong, 0);
}

/* Counts calls from 0 again, for call `fail_at` to fail; what is held stays held. */
static inline void t_alloc_again(struct t_alloc *a, long fail_at)
{
    a->fail_at = fail_at;
    atomic_store(&a->calls, 0);
    atomic_store(&a->failed, 0);
}

/* Asserts, where cmocka.h is included, that so many bytes are held, and that no size
 * was ever wrong. */
#define t_alloc_holds(a, held)              \
    do {                                    \
        assert_int_equal((a)->bytes, held); \
        assert_int_equal((a)->wrong, 0);    \
    } while (0)

/* Gives back p, which the caller believes to have `old` bytes. */
static inline void t_alloc_drop(struct t_alloc *a, void *p, size_t old)
{
    struct t_piece *piece = (struct t_piece *)p - 1;

    if (piece->mark != T_MARK || piece->size != old) {
        atomic_fetch_add(&a->wrong, 1);
        if (piece->mark != T_MARK) return; /* not ours, or freed before */
    }
    atomic_fetch_sub(&a->bytes, (long)piece->size);
    atomic_fetch_sub(&a->pieces, 1);
    t_paint(p, 0xDD, piece->size);
    piece->mark = 0;
    free(piece);
}

/* A perc_alloc_fn; ud is the t_alloc. */
static inline void *t_alloc(void *ud, void *p, size_t old, size_t size)
{
    struct t_alloc *a = ud;

    if (size == 0) {
        if (p != NULL) t_alloc_drop(a, p, old);
        return NULL;
    }
    if (p == NULL && old != 0) atomic_fetch_add(&a->wrong, 1);
    const long nth = atomic_fetch_add(&a->calls, 1);
    if (a->told != NULL) a->told(nth);
    if (a->fail_at >= 0 && (nth == a->fail_at || (a->onwards && nth > a->fail_at))) {
        atomic_fetch_add(&a->failed, 1);
        return NULL;
    }
    struct t_piece *piece = malloc(sizeof *piece + size);
    if (piece == NULL) return NULL;
    *piece = (struct t_piece){ size, T_MARK };
    t_paint(piece + 1, 0xA5, size);
    atomic_fetch_add(&a->bytes, (long)size);
    atomic_fetch_add(&a->pieces, 1);
    if (p != NULL) {
        memcpy(piece + 1, p, old < size ? old : size);
        t_alloc_drop(a, p, old);
    }
    return piece + 1;
}

/* ----- sweeps ------------------------------------------------------------------------------ */

/* The work is done over and over. It ends with a run that was refused nothing, not with one
 * that succeeds: of several threads one may be refused what is of no more use, and how many
 * calls there are then differs from run to run. */
struct t_sweep {
    int threads;   /* of env; 0 is 1                                              */
    bool survives; /* a refusal may go without notice                             */
    bool onwards;  /* every second refusal is for good                            */
    bool armed;    /* nothing is refused, or counted, before t_sweep_arm()        */
    long least;    /* there are so many calls: guards against an allocator unused */
    long n;        /* the call that is refused                                    */
    struct t_alloc a;
    perc_env env;
};

static inline bool t_sweep_next(struct t_sweep *s)
{
    const bool begun = s->env.alloc != NULL;

    if (begun && atomic_load(&s->a.failed) == 0) return false;
    s->n += begun;
    t_alloc_reset(&s->a, s->armed ? -1 : s->n, s->onwards && s->n % 2);
    s->env = (perc_env){ t_alloc, &s->a, s->threads > 0 ? s->threads : 1 };
    return true;
}

static inline void t_sweep_arm(struct t_sweep *s)
{
    t_alloc_again(&s->a, s->n);
}

/* Asserts, where cmocka.h is included, that a run whose memory is all given back ended as it
 * had to: refused, with PERC_ENOMEM. */
#define t_sweep_judge(s, st)                                          \
    do {                                                              \
        const bool refused_ = (s)->a.failed > 0;                      \
        t_alloc_holds(&(s)->a, 0);                                    \
        if (!refused_) assert_true((s)->n >= (s)->least);             \
        if (!refused_ || !(s)->survives || (st) != PERC_OK)           \
            assert_int_equal((st), refused_ ? PERC_ENOMEM : PERC_OK); \
    } while (0)

#endif
