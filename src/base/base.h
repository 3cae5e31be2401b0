/* base.h -- what every room stands on: errors, memory, clock, text buffers. */
#ifndef PERC_BASE_H
#define PERC_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The library is built with every symbol hidden except those its public headers declare. */
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif
#include "perceptron.h"
#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#include "base/hash_key.h"
#include "base/sized.h"

/* ----- errors (error.c) ------------------------------------------------- */

/* Fills `err` (may be NULL) and returns `st`, so that `return fail(...)` reads
 * as one step. Text that is too long is cut; control characters become '?'. */
perc_status fail(perc_error *err, perc_status st, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
perc_status fail_at(perc_error *err, perc_status st, int64_t line, int64_t column, const char *fmt,
                    ...) __attribute__((format(printf, 5, 6)));
perc_status fail_memory(perc_error *err);
/* "cannot WHAT PATH: <strerror>" from errno, thread-safe; PERC_EIO. */
perc_status fail_errno(perc_error *err, const char *what, const char *path);

/* Public functions begin with what they need of their caller: PERC_EARG where it is not so. Asserts
 * are for what only we can get wrong. */
perc_status fail_need(perc_error *err, const char *function, const char *condition);
static inline bool observer_is_valid(const perc_observer *o) /* or is none */
{
    return o == NULL || o->notify != NULL;
}
#define NEED(condition)                                                \
    do {                                                               \
        if (!(condition)) return fail_need(err, __func__, #condition); \
    } while (0)
/* A place for a result, which is NULL until there is one. */
#define NEED_OUT(out)        \
    do {                     \
        NEED((out) != NULL); \
        *(out) = NULL;       \
    } while (0)

/* ----- memory (memory.c) ------------------------------------------------ */

/* A resolved environment: alloc is never NULL and threads is at least 1. Every
 * object keeps its own copy. */
struct env {
    perc_alloc_fn alloc;
    void *ud;
    int threads;
    struct hash_key key; /* of the tables that hold input */
};

struct env env_resolve(const perc_env *env);

/* NULL when n * size overflows or memory runs out. n == 0 gives a valid pointer. */
void *mem_array(const struct env *e, uint64_t n, size_t size);
void *mem_zeroed(const struct env *e, uint64_t n, size_t size);
/* Resizes from old_n to n elements; on failure the old array stays as it was. */
void *mem_resize(const struct env *e, void *p, uint64_t old_n, uint64_t n, size_t size);
/* n and size as they were allocated; p may be NULL. */
void mem_free(const struct env *e, void *p, uint64_t n, size_t size);
char *mem_text(const struct env *e, const char *s, size_t len); /* copy, NUL-terminated */
void mem_free_text(const struct env *e, char *s);               /* s may be NULL        */

/* Makes room in a growable array: *p, a pointer to any type of object, has *cap elements, `need`
 * are wanted. Grows by at least half. Returns false when memory runs out; *p is then unchanged. */
bool mem_grow(const struct env *e, void *p, size_t *cap, uint64_t need, size_t size);
#define MEM_GROW(e, array, cap, need) mem_grow(e, &(array), cap, need, sizeof *(array))

/* ----- text buffer (text.c) --------------------------------------------- */

/* A growing string. After the first failed append `oom` stays true and the text is incomplete,
 * so a writer need check only once, at the end. */
struct text {
    struct env e;
    char *s; /* NUL-terminated once anything was appended */
    size_t len, cap;
    bool oom;
};

void text_init(struct text *t, const struct env *e);
void text_add(struct text *t, const char *s, size_t len);
static inline void text_char(struct text *t, char c)
{
    if (t->cap - t->len < 2) {
        text_add(t, &c, 1);
        return;
    }
    t->s[t->len++] = c;
    t->s[t->len] = '\0';
}
void text_str(struct text *t, const char *s);
void text_fmt(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void text_int(struct text *t, int64_t v);
void text_uint(struct text *t, uint64_t v);
void text_num(struct text *t, double v); /* the shortest text that reads back as v */
void text_free(struct text *t);

/* ----- clock (clock.c) -------------------------------------------------- */

double clock_seconds(void); /* monotonic */
double mem_physical(void);  /* bytes of memory that this machine has; INFINITY: not known */

#endif
