/* test_faults.c -- the whole library while memory runs out and the system fails.
 *
 * Every scene (t_scenes.c) is run over and over: first its allocation number 0 is
 * refused, then number 1, and so on until the scene needs no more and succeeds; once
 * with that one alone refused and once with all that follow as well. The same is
 * done to every system call that the shim (io_shim.h) can reach. Whatever fails:
 *
 * - the call says PERC_ENOMEM, or PERC_EIO, and nothing else; or, where it can do
 *   without, it succeeds with the very result of an undisturbed run;
 * - no byte and no descriptor leaks, and memory comes back with its true size;
 * - a file that is being replaced is the old one or a complete new one, and no
 *   temporary stays behind.
 *
 * With several threads the order of the calls differs from run to run, and so does
 * which of them is number n; the promises do not.
 *
 *     test_faults [sites [threads]]
 *
 * sites: for sanitizers, under which each run takes long (t_sites.h). threads: only the scenes that
 * start some; for ThreadSanitizer. */
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io_shim.h"
#include "t_alloc.h"
#include "t_dir.h"
#include "t_scenes.h"
#include "t_sites.h"

#include <cmocka.h>

enum { FILE_MAX = 1 << 21 }; /* bytes; no scene writes more */

static const char OLD[] = "old";

/* What a scene does when nothing fails. */
struct normal {
    uint64_t digest;
    char file[FILE_MAX];
    long size; /* of the file; -1: none */
    long allocations;
    int files, descriptors;
};

static struct {
    bool sites, threads_only, compressed;
    long allocations, calls, threads, locks, keys; /* made to fail, or forced, in all */
    struct t_alloc memory;
} all;

/* ----- threads that cannot be started ---------------------------------------------- */

static atomic_bool no_threads;

int __real_pthread_create(pthread_t *id, const pthread_attr_t *a, void *(*f)(void *), void *ud);
int __wrap_pthread_create(pthread_t *id, const pthread_attr_t *a, void *(*f)(void *), void *ud);

int __wrap_pthread_create(pthread_t *id, const pthread_attr_t *a, void *(*f)(void *), void *ud)
{
    if (!atomic_load(&no_threads)) return __real_pthread_create(id, a, f, ud);
    all.threads++;
    return EAGAIN;
}

/* ----- locks that cannot be made ---------------------------------------------------- */

static struct {
    long refused; /* the call that fails, from 0; -1: none */
    atomic_long calls;
} locks = { .refused = -1 };

int __real_pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a);
int __wrap_pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a);
int __real_pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *a);
int __wrap_pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *a);

/* Made all the same, for those who lock it without asking. */
int __wrap_pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a)
{
    const int rc = __real_pthread_mutex_init(m, a);

    return atomic_fetch_add(&locks.calls, 1) == locks.refused ? ENOMEM : rc;
}

int __wrap_pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *a)
{
    const int rc = __real_pthread_cond_init(c, a);

    return atomic_fetch_add(&locks.calls, 1) == locks.refused ? ENOMEM : rc;
}

/* ----- keys of hash tables --------------------------------------------------------- */

/* What the system's randomness is: itself, this byte over and over, or an error. */
enum { RANDOM_TRUE = 256, RANDOM_NONE };
static int randomness = RANDOM_TRUE;

int __real_getentropy(void *p, size_t n);
int __wrap_getentropy(void *p, size_t n);

int __wrap_getentropy(void *p, size_t n)
{
    if (randomness == RANDOM_TRUE) return __real_getentropy(p, n);
    all.keys++;
    if (randomness == RANDOM_NONE) return errno = ENOSYS, -1;
    memset(p, randomness, n);
    return 0;
}

/* ----- one run --------------------------------------------------------------------- */

static int count_files(const char *path)
{
    DIR *dir = opendir(path);
    int n = 0;

    assert_non_null(dir);
    while (readdir(dir) != NULL) n++;
    closedir(dir);
    return n;
}

/* Runs the scene, with its file as it was, and looks for what must never be. */
static perc_status run(const struct t_scene *s, uint64_t *digest)
{
    const perc_env env = { t_alloc, &all.memory, s->threads };

    *digest = 0xcbf29ce484222325;
    const perc_status st = s->run(s, &env, digest);
    assert_int_equal(all.memory.wrong, 0);
    assert_int_equal(all.memory.bytes, 0);
    assert_int_equal(all.memory.pieces, 0);
    return st;
}

static void start(const struct t_scene *s)
{
    io_shim_reset();
    t_alloc_reset(&all.memory, -1, false);
    if (s->writes != NULL) assert_int_equal(t_put(s->writes, OLD), 0);
}

/* ----- who asks for memory ----------------------------------------------------------- */

static struct t_sites sites = { .lock = PTHREAD_MUTEX_INITIALIZER, .of_each = 2 };

static void note_site(long nth)
{
    t_sites_note(&sites, nth);
}

/* The call to refuse after the nth. */
static long next_call(long nth)
{
    return all.sites ? t_sites_next(&sites, nth) : nth + 1;
}

static void run_normally(const struct t_scene *s, struct normal *n)
{
    t_sites_clear(&sites);
    start(s);
    if (all.sites) all.memory.told = note_site;
    n->files = count_files("."); /* the old file among them */
    n->descriptors = count_files("/proc/self/fd");
    const perc_status st = run(s, &n->digest);
    if (st) fail_msg("%s fails undisturbed: %d", s->name, (int)st);
    n->size = s->writes != NULL ? t_get(s->writes, n->file, FILE_MAX) : -1;
    assert_true(n->size < FILE_MAX);
    n->allocations = all.memory.calls;
}

/* A checkpoint is written several times: each is a model that can be read. */
static bool is_whole_model(const char *path)
{
    perc_model *m;
    const perc_status st = perc_model_read(NULL, path, &m, NULL);

    perc_model_free(m);
    return st == PERC_OK;
}

/* A checkpoint is optional: a run goes on without it, and an older one stays. */
static bool goes_on(const struct t_scene *s)
{
    return s->options != NULL && strstr(s->options, "checkpoint=") != NULL;
}

/* What is left after a run that ended with st. */
static void look_around(const struct t_scene *s, const struct normal *n, perc_status st)
{
    static char now[FILE_MAX];

    io_shim_reset();
    assert_int_equal(count_files("."), n->files);
    assert_int_equal(count_files("/proc/self/fd"), n->descriptors);
    if (s->writes == NULL) return;
    const long size = t_get(s->writes, now, FILE_MAX);
    const bool old = size == (long)strlen(OLD) && memcmp(now, OLD, strlen(OLD)) == 0;
    const bool done = size == n->size && memcmp(now, n->file, (size_t)size) == 0;
    if (st == PERC_OK && !goes_on(s)) assert_true(done);
    else if (!old && !done) assert_true(is_whole_model(s->writes));
}

/* A failure that the scene met ended with `expected`, or made no difference. */
static void judge(const struct t_scene *s, const struct normal *n, perc_status st,
                  perc_status expected, uint64_t digest, long nth)
{
    if (st != PERC_OK && st != expected)
        fail_msg("%s: failure %ld gives status %d", s->name, nth, (int)st);
    if (st == PERC_OK && digest != n->digest)
        fail_msg("%s: failure %ld changes the result", s->name, nth);
    look_around(s, n, st);
}

static bool is_left_out(const struct t_scene *s)
{
    const size_t len = s->path != NULL ? strlen(s->path) : 0;

    if (all.threads_only && s->threads == 1) return true;
    return !all.compressed && len > 3 && strcmp(s->path + len - 3, ".gz") == 0;
}

typedef void (*sweep_fn)(const struct t_scene *s, const struct normal *n);

static void each_scene(sweep_fn sweep)
{
    static struct normal n;
    struct t_scene life;
    char options[64];
    const char *learner;

    for (size_t i = 0; i < t_scenes_count; i++) {
        if (is_left_out(&t_scenes[i])) continue;
        run_normally(&t_scenes[i], &n);
        sweep(&t_scenes[i], &n);
    }
    for (size_t i = 0; (learner = perc_table_name("learner", i, NULL)) != NULL; i++)
        if (!all.threads_only && t_scenes_life(learner, &life, options)) {
            run_normally(&life, &n);
            sweep(&life, &n);
        }
}

/* ----- memory ---------------------------------------------------------------------- */

/* Returns how many allocations were refused, one after the other. */
static long sweep_memory(const struct t_scene *s, const struct normal *n, bool onwards)
{
    long runs = 0;

    for (long nth = next_call(-1);; nth = next_call(nth)) {
        uint64_t digest;
        start(s);
        t_alloc_reset(&all.memory, nth, onwards);
        const perc_status st = run(s, &digest);
        judge(s, n, st, PERC_ENOMEM, digest, nth);
        if (all.memory.failed > 0) {
            if (s->threads == 1 && !goes_on(s)) assert_int_equal(st, PERC_ENOMEM);
            runs++;
            continue;
        }
        assert_int_equal(st, PERC_OK);
        all.allocations += runs;
        return runs;
    }
}

static void refuse_memory(const struct t_scene *s, const struct normal *n)
{
    const long one = sweep_memory(s, n, false), onwards = sweep_memory(s, n, true);

    if (s->threads > 1) return;
    const long all_of_them = all.sites ? sites.count : n->allocations;
    assert_int_equal(one, all_of_them); /* guard: the sweep reached every one */
    assert_int_equal(onwards, all_of_them);
}

static void memory_that_runs_out_anywhere_is_said_and_nothing_leaks(void **state)
{
    (void)state;
    each_scene(refuse_memory);
}

/* Of all calls this one alone may be repeated after a failure, with what it got. */
static void show_again(const char *name)
{
    const struct t_scene *s = t_scenes;
    static struct normal n;
    long again = 0;

    while (strcmp(s->name, name) != 0) s++;
    struct t_scene patient = *s;
    patient.options = "again";
    run_normally(s, &n);
    for (long nth = next_call(-1); nth < n.allocations; nth = next_call(nth)) {
        uint64_t digest;
        start(&patient);
        t_alloc_reset(&all.memory, nth, false);
        if (run(&patient, &digest)) continue; /* the model itself was refused */
        assert_true(digest == n.digest);
        again++;
    }
    assert_true(again > 0);
}

static void an_example_that_memory_refused_can_be_shown_again(void **state)
{
    (void)state;
    show_again("learn");
    show_again("learn with a kernel");
}

/* ----- system calls ---------------------------------------------------------------- */

static void sweep_calls(const struct t_scene *s, const struct normal *n, int error, bool onwards,
                        size_t limit)
{
    for (long nth = 0;; nth += all.threads_only ? 4 : 1) {
        uint64_t digest;
        start(s);
        io_shim_short(limit);
        (onwards ? io_shim_fail_from : io_shim_fail_at)(IO_ALL, nth, error);
        const perc_status st = run(s, &digest);
        const bool hit = io_shim_failures() > 0;
        judge(s, n, st, PERC_EIO, digest, nth);
        if (!hit) {
            assert_int_equal(st, PERC_OK);
            return;
        }
        all.calls++;
    }
}

/* Large files are there for the threads: for them fewer runs have to do. */
static bool is_big(const struct t_scene *s)
{
    return s->path != NULL && strncmp(s->path, "big", 3) == 0;
}

static void fail_calls(const struct t_scene *s, const struct normal *n)
{
    static const int errors[] = { EIO, ENOSPC, EACCES };
    const size_t kinds = is_big(s) || all.sites ? 1 : sizeof errors / sizeof errors[0];

    for (size_t i = 0; i < kinds; i++) {
        sweep_calls(s, n, errors[i], false, 0);
        sweep_calls(s, n, errors[i], true, 0);
    }
    sweep_calls(s, n, EIO, false, is_big(s) ? 65536 : 500); /* half-way through a transfer */
}

static void a_system_call_that_fails_anywhere_is_said_and_no_file_is_lost(void **state)
{
    (void)state;
    each_scene(fail_calls);
    assert_true(all.calls > 1000 || all.threads_only); /* guard: the shim is hooked in */
}

/* Of these none may fail unnoticed, wherever it stands: a sync that did not happen is
 * a file that may be lost. The others have another way, or only tidy up. */
static bool must_be_said(const struct t_scene *s, unsigned kind)
{
    const unsigned always = IO_OPEN | IO_READ | IO_WRITE | IO_FSYNC | IO_RENAME | IO_FSTAT;

    if (goes_on(s)) return false; /* a warning: tests/cli/saving.sh */
    return (kind & always) != 0 || (kind == IO_FCHMOD && s->writes != NULL);
}

/* Number nth of the calls of one kind, and all after it: a file system without mmap, a
 * disk that cannot be synced. false: there were not so many. */
static bool fail_kind(const struct t_scene *s, const struct normal *n, unsigned kind, long nth)
{
    uint64_t digest;

    start(s);
    io_shim_fail_from(kind, nth, EIO);
    const perc_status st = run(s, &digest);
    const bool hit = io_shim_failures() > 0;
    judge(s, n, st, PERC_EIO, digest, nth);
    if (!hit || kind == IO_MMAP) assert_int_equal(st, PERC_OK); /* unmapped, it is read */
    else if (must_be_said(s, kind) && st == PERC_OK)
        fail_msg("%s: call %ld of kind %u failed unnoticed", s->name, nth, kind);
    all.calls += hit;
    return hit;
}

static void fail_kinds(const struct t_scene *s, const struct normal *n)
{
    for (unsigned kind = 1; kind < IO_ALL; kind <<= 1)
        for (long nth = 0; kind & IO_ALL && fail_kind(s, n, kind, nth);
             nth += all.threads_only ? 4 : 1) {
        }
}

static void a_kind_of_call_that_fails_is_said_unless_there_is_another_way(void **state)
{
    (void)state;
    each_scene(fail_kinds);
}

static void interrupt(const struct t_scene *s, const struct normal *n)
{
    uint64_t digest;

    start(s);
    io_shim_interrupt(IO_ALL & ~(unsigned)(IO_MMAP | IO_FSTAT | IO_DUP)); /* these cannot be */
    io_shim_short(is_big(s) ? 10007 : 7);
    assert_int_equal(run(s, &digest), PERC_OK);
    judge(s, n, PERC_OK, PERC_OK, digest, 0);
}

static void interruptions_and_short_transfers_change_nothing(void **state)
{
    (void)state;
    each_scene(interrupt);
}

/* ----- threads --------------------------------------------------------------------- */

static void start_none(const struct t_scene *s, const struct normal *n)
{
    uint64_t digest;

    if (s->threads == 1) return;
    start(s);
    atomic_store(&no_threads, true);
    const perc_status st = run(s, &digest);
    atomic_store(&no_threads, false);
    assert_int_equal(st, PERC_OK);
    judge(s, n, st, PERC_OK, digest, 0);
}

static void without_threads_the_work_is_done_all_the_same(void **state)
{
    (void)state;
    each_scene(start_none);
    assert_true(all.threads > 0); /* guard */
}

static void refuse_locks(const struct t_scene *s, const struct normal *n)
{
    bool hit = true;
    uint64_t digest;

    for (long nth = 0; hit; nth++) {
        start(s);
        atomic_store(&locks.calls, 0);
        locks.refused = nth;
        const perc_status st = run(s, &digest);
        locks.refused = -1;
        hit = locks.calls > nth;
        judge(s, n, st, PERC_ENOMEM, digest, nth);
        all.locks += hit;
    }
}

static void a_lock_that_cannot_be_made_is_said(void **state)
{
    (void)state;
    each_scene(refuse_locks);
    assert_true(all.locks > 10); /* guard */
}

/* ----- keys ------------------------------------------------------------------------ */

static void force_keys(const struct t_scene *s, const struct normal *n)
{
    static const int forced[] = { 0, 0x5c, RANDOM_NONE };
    uint64_t digest;

    for (size_t i = 0; i < sizeof forced / sizeof forced[0]; i++) {
        start(s);
        randomness = forced[i];
        const perc_status st = run(s, &digest);
        randomness = RANDOM_TRUE;
        assert_int_equal(st, PERC_OK);
        judge(s, n, st, PERC_OK, digest, 0);
    }
}

static void no_byte_depends_on_the_keys_of_hash_tables(void **state)
{
    (void)state;
    each_scene(force_keys);
    assert_true(all.keys > 100); /* guard */
}

/* ----- the tools themselves -------------------------------------------------------- */

/* A planted leak, a size forgotten, a call refused: each is seen. */
static void the_allocator_sees_what_it_is_for(void **state)
{
    struct t_alloc a;
    void *p, *q;

    (void)state;
    t_alloc_reset(&a, 1, false);
    p = t_alloc(&a, NULL, 0, 10);
    assert_non_null(p);
    assert_null(t_alloc(&a, p, 10, 20));
    assert_int_equal(a.failed, 1);
    q = t_alloc(&a, p, 10, 20);
    assert_true(q != NULL && a.bytes == 20 && a.pieces == 1 && a.wrong == 0);
    t_alloc(&a, q, 19, 0);
    assert_true(a.bytes == 0 && a.pieces == 0 && a.wrong == 1);
}

static int enter(void **state)
{
    if (t_dir_enter(state)) return -1;
    all.compressed = t_scenes_prepare() != 0;
    if (!all.compressed) print_message("[     note ] this build reads no compressed files\n");
    return 0;
}

static int leave(void **state)
{
    io_shim_reset();
    print_message("[     note ] refused: %ld allocations; failed: %ld system calls\n",
                  all.allocations, all.calls);
    return t_dir_leave(state);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_allocator_sees_what_it_is_for),
        cmocka_unit_test(memory_that_runs_out_anywhere_is_said_and_nothing_leaks),
        cmocka_unit_test(an_example_that_memory_refused_can_be_shown_again),
        cmocka_unit_test(a_system_call_that_fails_anywhere_is_said_and_no_file_is_lost),
        cmocka_unit_test(a_kind_of_call_that_fails_is_said_unless_there_is_another_way),
        cmocka_unit_test(interruptions_and_short_transfers_change_nothing),
        cmocka_unit_test(without_threads_the_work_is_done_all_the_same),
        cmocka_unit_test(a_lock_that_cannot_be_made_is_said),
        cmocka_unit_test(no_byte_depends_on_the_keys_of_hash_tables),
    };

    all.sites = argc > 1 && strcmp(argv[1], "sites") == 0;
    all.threads_only = argc > 2 && strcmp(argv[2], "threads") == 0;
    return cmocka_run_group_tests_name("faults", tests, enter, leave);
}
