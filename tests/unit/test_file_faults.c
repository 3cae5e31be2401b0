/* test_file_faults.c -- the promises of base/file.h while the system fails.
 *
 * Whatever call fails, and whatever allocation, a file that is being written is the
 * old one or the new one, no temporary stays behind, no descriptor and no memory
 * leaks, and the status says so. Each sweep fails call 0, 1, 2, ... until none was
 * left to fail, and says how many there were. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/file.h" /* before cmocka.h, whose macro fail() hides ours */
#include <cmocka.h>

#include "io_shim.h"
#include "t_alloc.h"
#include "t_dir.h"

enum { SIZE = 150000 }; /* above the write buffer: several writes */

static struct env env_of(struct t_alloc *pool)
{
    t_alloc_reset(pool, -1, false);
    return (struct env){ .alloc = t_alloc, .ud = pool, .threads = 1 };
}

static unsigned char data[SIZE];

static int make_data(void **state)
{
    (void)state;
    for (size_t i = 0; i < SIZE; i++) data[i] = (unsigned char)(i * 31 + i / 256);
    return 0;
}

/* The way a model is written: a header, then a body. */
static perc_status save(const struct env *e, const char *path, perc_error *err)
{
    struct file_out f;
    perc_status st = file_create(e, path, &f, err);

    if (st == PERC_OK) st = file_write(&f, data, 100, err);
    if (st == PERC_OK) st = file_write(&f, data + 100, SIZE - 100, err);
    if (st == PERC_OK) return file_commit(&f, err);
    file_abort(&f);
    return st;
}

enum content { ABSENT, OLD, NEW, BROKEN };

static enum content content_of(const char *path)
{
    static char buf[SIZE + 1];
    const long n = t_get(path, buf, sizeof buf);

    if (n < 0) return ABSENT;
    if (n == 3 && memcmp(buf, "old", 3) == 0) return OLD;
    return n == SIZE && memcmp(buf, data, SIZE) == 0 ? NEW : BROKEN;
}

static void nothing_is_left(const char *known, const struct t_alloc *pool)
{
    char other[256];

    t_dir_count(known, other);
    assert_string_equal(other, "");
    t_alloc_holds(pool, 0);
    assert_int_equal(io_shim_open_files(), 0);
}

static void start_from(enum content before)
{
    io_shim_reset();
    if (before == OLD) assert_int_equal(t_put("f", "old"), 0);
    else unlink("f");
}

/* Fails each call in turn. Returns how many failed runs there were. */
static long sweep_save(enum content before, int error, bool onwards, size_t limit)
{
    struct t_alloc pool;
    const struct env e = env_of(&pool);

    for (long n = 0;; n++) {
        perc_error err = { 0 };
        start_from(before);
        io_shim_short(limit);
        (onwards ? io_shim_fail_from : io_shim_fail_at)(IO_ALL, n, error);
        const perc_status st = save(&e, "f", &err);
        const bool hit = io_shim_failures() > 0;
        nothing_is_left("f", &pool);

        const enum content now = content_of("f");
        if (st == PERC_OK) {
            assert_int_equal(now, NEW);
            if (!hit) return n;
        } else {
            assert_true(now == before || now == NEW); /* NEW: only the last sync failed */
            assert_true(st == PERC_EIO && err.status == st);
            assert_int_equal(strncmp(err.text, "cannot write f: ", 16), 0);
        }
    }
}

static void the_shim_is_hooked_in(void **state)
{
    struct t_alloc pool;
    const struct env e = env_of(&pool);
    struct file_map m;

    (void)state;
    start_from(ABSENT);
    assert_int_equal(save(&e, "f", NULL), PERC_OK);
    /* PATH, the temporary and the directory; the head and the body; file and directory. */
    assert_int_equal(io_shim_count(IO_OPEN), 3);
    assert_int_equal(io_shim_count(IO_WRITE), 2);
    assert_int_equal(io_shim_count(IO_FSYNC), 2);
    assert_int_equal(io_shim_count(IO_RENAME), 1);
    assert_int_equal(io_shim_count(IO_DUP), 1); /* of the lock, which is let go last */
    assert_int_equal(io_shim_count(IO_CLOSE), 3);
    io_shim_reset();
    assert_int_equal(file_map(&e, "f", &m, NULL), PERC_OK);
    assert_int_equal(io_shim_count(IO_MMAP), 1);
    assert_int_equal(io_shim_count(IO_FSTAT), 1);
    file_unmap(&m);
    t_alloc_holds(&pool, 0);
}

static void a_failing_call_leaves_the_old_file_or_the_new(void **state)
{
    static const int ERRORS[] = { EIO, ENOSPC, EACCES, EDQUOT };
    long sites = 0;

    (void)state;
    for (size_t i = 0; i < sizeof ERRORS / sizeof ERRORS[0]; i++) {
        sites += sweep_save(OLD, ERRORS[i], false, 0);
        sites += sweep_save(ABSENT, ERRORS[i], false, 0);
        sites += sweep_save(OLD, ERRORS[i], true, 0);
        sites += sweep_save(OLD, ERRORS[i], false, 20000); /* a write breaks off half-way */
    }
    print_message("[     note ] %ld failed system calls\n", sites);
    assert_true(sites > 100);
}

static void a_failure_before_the_rename_keeps_the_old_file(void **state)
{
    const unsigned before = IO_WRITE | IO_RENAME | IO_FSTAT | IO_READLINK | IO_FCHMOD;
    struct t_alloc pool;
    const struct env e = env_of(&pool);

    (void)state;
    for (long n = 0;; n++) {
        start_from(OLD);
        io_shim_fail_at(before, n, EIO);
        const perc_status st = save(&e, "f", NULL);
        if (io_shim_failures() == 0) break;
        assert_int_equal(st, PERC_EIO);
        assert_int_equal(content_of("f"), OLD);
    }
    start_from(OLD);
    io_shim_fail_at(IO_FSYNC, 0, EIO); /* the file's own; the directory's is number 1 */
    assert_int_equal(save(&e, "f", NULL), PERC_EIO);
    assert_int_equal(content_of("f"), OLD);
    start_from(OLD);
    io_shim_fail_at(IO_CLOSE, 1, EIO); /* the temporary's; NFS tells of a full disk here */
    assert_int_equal(save(&e, "f", NULL), PERC_EIO);
    assert_int_equal(content_of("f"), OLD);
    t_alloc_holds(&pool, 0);
}

static void interruptions_and_short_transfers_change_nothing(void **state)
{
    struct t_alloc pool;
    const struct env e = env_of(&pool);
    struct file_map m;

    (void)state;
    start_from(OLD);
    io_shim_interrupt(IO_OPEN | IO_READ | IO_WRITE | IO_FSYNC | IO_CLOSE | IO_RENAME | IO_READLINK |
                      IO_FCHMOD);
    io_shim_short(777);
    assert_int_equal(save(&e, "f", NULL), PERC_OK);
    assert_true(io_shim_count(IO_WRITE) > SIZE / 777);
    assert_int_equal(content_of("f"), NEW);
    io_shim_fail_from(IO_MMAP, 0, ENODEV); /* cannot be mapped: read instead */
    assert_int_equal(file_map(&e, "f", &m, NULL), PERC_OK);
    assert_true(!m.mapped && m.size == SIZE && memcmp(m.data, data, SIZE) == 0);
    assert_true(io_shim_count(IO_READ) > SIZE / 777);
    file_unmap(&m);
    nothing_is_left("f", &pool);
}

static void a_taken_temporary_name_is_left_alone(void **state)
{
    struct t_alloc pool;
    const struct env e = env_of(&pool);
    perc_error err = { 0 };

    (void)state;
    start_from(OLD);
    io_shim_fail_at(IO_OPEN, 1, EEXIST); /* 0 looks at "f" itself */
    assert_int_equal(save(&e, "f", NULL), PERC_OK);
    assert_int_equal(content_of("f"), NEW);
    start_from(OLD);
    io_shim_fail_from(IO_OPEN, 1, EEXIST);
    assert_int_equal(save(&e, "f", &err), PERC_EIO);
    assert_string_equal(err.text, "cannot write f: File exists");
    assert_int_equal(io_shim_count(IO_UNLINK), 0); /* it is somebody else's */
    assert_int_equal(content_of("f"), OLD);
    nothing_is_left("f", &pool);
}

/* A caller may look at the status once, at the end. */
static void the_first_failure_is_told_to_the_end(void **state)
{
    struct t_alloc pool;
    const struct env e = env_of(&pool);
    struct file_out f;
    perc_error err = { 0 };

    (void)state;
    start_from(OLD);
    assert_int_equal(file_create(&e, "f", &f, NULL), PERC_OK);
    io_shim_fail_at(IO_WRITE, 0, ENOSPC);
    assert_int_equal(file_write(&f, data, SIZE, NULL), PERC_EIO);
    assert_int_equal(file_write(&f, data, SIZE, NULL), PERC_EIO); /* the disk has room again */
    assert_int_equal(file_commit(&f, &err), PERC_EIO);
    assert_string_equal(err.text, "cannot write f: No space left on device");
    assert_int_equal(content_of("f"), OLD);
    nothing_is_left("f", &pool);
}

static void reading_fails_cleanly(void **state)
{
    struct t_alloc pool;
    const struct env e = env_of(&pool);
    struct file_map m;
    long n;

    (void)state;
    start_from(ABSENT);
    assert_int_equal(save(&e, "f", NULL), PERC_OK);
    for (n = 0;; n++) {
        perc_error err = { 0 };
        io_shim_reset();
        io_shim_fail_at(IO_ALL, n, EIO);
        const perc_status st = file_map(&e, "f", &m, &err);
        if (st == PERC_OK) assert_true(m.size == SIZE && memcmp(m.data, data, SIZE) == 0);
        else assert_true(st == PERC_EIO && m.data == NULL && err.text[0] != '\0');
        file_unmap(&m);
        nothing_is_left("f", &pool);
        if (io_shim_failures() == 0) break;
    }
    assert_int_equal(n, 4); /* open, fstat, mmap, close */
    for (n = 0;; n++) {     /* a copy asks for no map */
        io_shim_reset();
        io_shim_fail_at(IO_ALL, n, EIO);
        const perc_status st = file_load(&e, "f", &m, NULL);
        assert_true(st == (n < 4 ? PERC_EIO : PERC_OK) && !m.mapped);
        assert_int_equal(io_shim_count(IO_MMAP), 0);
        file_unmap(&m);
        nothing_is_left("f", &pool);
        if (io_shim_failures() == 0) break;
    }
    assert_int_equal(n, 5); /* open, fstat, read, the end, close */
    io_shim_reset();
    io_shim_fail_from(IO_MMAP | IO_READ, 0, EIO);
    assert_int_equal(file_map(&e, "f", &m, NULL), PERC_EIO);
    nothing_is_left("f", &pool);
}

static perc_status load_by_reading(const struct env *e)
{
    struct file_map m;

    io_shim_fail_from(IO_MMAP, 0, ENODEV);
    const perc_status st = file_map(e, "f", &m, NULL);
    file_unmap(&m);
    return st;
}

static void a_failing_allocation_leaves_nothing_behind(void **state)
{
    struct t_alloc pool;
    const struct env e = env_of(&pool);
    perc_status st;
    long n = 0;

    (void)state;
    do { /* through a link, which takes memory too */
        start_from(OLD);
        unlink("link");
        assert_int_equal(symlink("f", "link"), 0);
        t_alloc_again(&pool, n++);
        st = save(&e, "link", NULL);
        assert_true(st == PERC_OK || st == PERC_ENOMEM);
        assert_int_equal(content_of("f"), st == PERC_OK ? NEW : OLD);
        unlink("link");
        nothing_is_left("f", &pool);
    } while (st != PERC_OK);
    assert_true(n > 4);
    n = 0;
    do {
        io_shim_reset();
        t_alloc_again(&pool, n++);
        st = load_by_reading(&e);
        assert_true(st == PERC_OK || st == PERC_ENOMEM);
        nothing_is_left("f", &pool);
    } while (st != PERC_OK);
    assert_true(n > 2);
}

static int leave(void **state)
{
    io_shim_reset(); /* tidying up must not fail on request */
    return t_dir_leave(state);
}

#define IN_DIR(f) cmocka_unit_test_setup_teardown(f, t_dir_enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIR(the_shim_is_hooked_in),
        IN_DIR(a_failing_call_leaves_the_old_file_or_the_new),
        IN_DIR(a_failure_before_the_rename_keeps_the_old_file),
        IN_DIR(interruptions_and_short_transfers_change_nothing),
        IN_DIR(a_taken_temporary_name_is_left_alone),
        IN_DIR(the_first_failure_is_told_to_the_end),
        IN_DIR(reading_fails_cleanly),
        IN_DIR(a_failing_allocation_leaves_nothing_behind),
    };

    return cmocka_run_group_tests_name("file_faults", tests, make_data, NULL);
}
