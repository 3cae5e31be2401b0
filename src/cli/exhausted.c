/* exhausted.c -- memory that is out inside GMP, MPFR, FLINT and Clp.
 *
 * They allocate by themselves and abort the process where there is no memory, but each lets the
 * program choose what is done instead. Going back into our code is not possible: they do not clean
 * up behind a jump. So the message of every other command is printed, and the tool ends with its
 * exit code for that. No temporary is open then: files are written when their content has been
 * computed. A library may not do this to its caller, which may use GMP too: there what is computed
 * is bounded beforehand. */
#include "cli/cli.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef HAVE_EXACT
#include <flint/flint.h>
#include <gmp.h>
#endif

static char message[64]; /* made beforehand: there may be no memory to make it */
static atomic_flag said = ATOMIC_FLAG_INIT;

/* Any thread may come here, and several; the first one speaks. */
static _Noreturn void end_exhausted(void)
{
    while (atomic_flag_test_and_set(&said)) pause();
    (void)!write(STDERR_FILENO, message, strlen(message));
    _exit(EXIT_SYSTEM);
}

#ifdef HAVE_EXACT
static void *must(void *p, size_t size)
{
    if (p == NULL && size > 0) end_exhausted();
    return p;
}

static void *must_allocate(size_t size)
{
    return must(malloc(size), size);
}

static void *must_zero(size_t n, size_t size)
{
    return must(calloc(n, size), n);
}

static void *must_resize(void *p, size_t size)
{
    return must(realloc(p, size), size);
}

static void *must_resize_from(void *p, size_t old, size_t size)
{
    (void)old;
    return must(realloc(p, size), size);
}
#endif

/* std::set_new_handler, for Clp; NULL where nothing is written in C++. */
extern void *set_new_handler(void (*handler)(void)) __asm__("_ZSt15set_new_handlerPFvvE")
    __attribute__((weak));

void exhausted_catch(const char *command)
{
    snprintf(message, sizeof message, "perceptron %s: out of memory\n", command);
    if (set_new_handler != NULL) set_new_handler(end_exhausted);
#ifdef HAVE_EXACT
    mp_set_memory_functions(must_allocate, must_resize_from, NULL); /* MPFR's, too */
    __flint_set_memory_functions(must_allocate, must_zero, must_resize, free);
#endif
}
