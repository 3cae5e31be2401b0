/* t_sites.h -- which of many requests for memory are worth refusing. What is looked at is the code
 * that runs after a refusal, and that is told by the calls that led to it: of all requests with the
 * same stack one or two are enough, where otherwise a loop has thousands. */
#ifndef PERC_TEST_SITES_H
#define PERC_TEST_SITES_H

#include <execinfo.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { T_FRAMES = 32, T_STACKS = 1 << 13, T_CALLS = 1 << 14 };

struct t_sites {
    pthread_mutex_t lock;
    uint64_t stack[T_STACKS]; /* hashes, each where it says; 0: free */
    int times[T_STACKS];
    bool worth[T_CALLS]; /* whether to refuse call n */
    long count;          /* of those */
    int of_each;         /* with the same stack: 1, 2 */
    int outer;           /* so many frames, from main on, tell stacks apart; 0: all */
};

static inline void t_sites_clear(struct t_sites *s)
{
    memset(s->stack, 0, sizeof s->stack);
    memset(s->times, 0, sizeof s->times);
    memset(s->worth, 0, sizeof s->worth);
    s->count = 0;
}

/* Call nth is made by whoever calls this. */
static inline void t_sites_note(struct t_sites *s, long nth)
{
    void *frame[T_FRAMES];
    const int frames = backtrace(frame, T_FRAMES);
    uint64_t hash = 1;

    for (int i = s->outer > 0 && frames > s->outer ? frames - s->outer : 0; i < frames; i++)
        hash = (hash ^ (uintptr_t)frame[i]) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
    pthread_mutex_lock(&s->lock);
    size_t at = hash % T_STACKS;
    while (s->stack[at] != 0 && s->stack[at] != hash) at = (at + 1) % T_STACKS;
    s->stack[at] = hash;
    if (nth < T_CALLS && s->times[at]++ < s->of_each) s->worth[nth] = true, s->count++;
    pthread_mutex_unlock(&s->lock);
}

/* The call to refuse after the nth; T_CALLS: there is none. */
static inline long t_sites_next(const struct t_sites *s, long nth)
{
    for (nth++; nth < T_CALLS && !s->worth[nth]; nth++) {
    }
    return nth;
}

#endif
