/* test_file.c -- the promises of base/file.h while nothing fails: what is written is
 * read, the old file is there until the new one is complete, and pipes, links,
 * permissions and odd names are treated as stated. Faults: test_file_faults.c. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "t.h"

#include "t_dir.h"

static struct env env(void)
{
    return env_resolve(&(perc_env){ .threads = 1 });
}

static void write_file(const char *path, const char *s, size_t n)
{
    const struct env e = env();
    struct file_out f;

    assert_int_equal(file_create(&e, path, &f, NULL), PERC_OK);
    assert_int_equal(file_write(&f, s, n, NULL), PERC_OK);
    assert_int_equal(file_commit(&f, NULL), PERC_OK);
}

/* The file holds this text. */
static void holds(const char *path, const char *want)
{
    char got[256];
    const long n = t_get(path, got, sizeof got);

    assert_int_equal(n, (long)strlen(want));
    assert_memory_equal(got, want, strlen(want));
}

/* Nothing else is in the directory. */
static void alone(const char *path)
{
    char other[256];

    t_dir_count(path, other);
    assert_string_equal(other, "");
}

static unsigned char pattern(size_t i)
{
    return (unsigned char)(i * 31 + i / 256);
}

/* Sizes around the buffer's, in pieces that never fit it. */
TEST(what_is_written_is_read)
{
    static const size_t SIZES[] = { 0, 1, 4096, 65535, 65536, 65537, 200000, 1000003 };
    static unsigned char data[1000003];
    const struct env e = env();

    for (size_t i = 0; i < sizeof data; i++) data[i] = pattern(i);
    for (size_t k = 0; k < COUNT(SIZES); k++) {
        const size_t n = SIZES[k];
        struct file_out f;
        struct file_map m;
        assert_int_equal(file_create(&e, "data", &f, NULL), PERC_OK);
        for (size_t at = 0, piece; at < n; at += piece) {
            piece = 1 + at * 7 % 90001; /* small ones, and some above the buffer */
            if (piece > n - at) piece = n - at;
            assert_int_equal(file_write(&f, data + at, piece, NULL), PERC_OK);
        }
        assert_true(f.written == n);
        assert_int_equal(file_commit(&f, NULL), PERC_OK);
        assert_int_equal(file_map(&e, "data", &m, NULL), PERC_OK);
        assert_true(m.size == n && m.data != NULL && m.mapped == (n > 0));
        assert_memory_equal(m.data, data, n);
        file_unmap(&m);
        assert_null(m.data);
        file_unmap(&m); /* twice does no harm */
    }
    alone("data");
}

TEST(reading_in_pieces_meets_the_end)
{
    char buf[8];
    size_t got;
    int fd;

    assert_int_equal(t_put("f", "0123456789"), 0);
    assert_int_equal(file_open("f", &fd, NULL, NULL), PERC_OK);
    assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    assert_int_equal(file_read(fd, "f", NULL, buf, 8, &got, NULL), PERC_OK);
    assert_int_equal(got, 8);
    assert_int_equal(file_read(fd, "f", NULL, buf, 8, &got, NULL), PERC_OK);
    assert_true(got == 2 && memcmp(buf, "89", 2) == 0);
    assert_int_equal(file_read(fd, "f", NULL, buf, 8, &got, NULL), PERC_OK);
    assert_int_equal(got, 0);
    file_close(fd);
    file_close(-1);
}

TEST(the_old_file_stands_until_commit)
{
    const struct env e = env();
    struct file_out f;
    char temp[256];

    assert_int_equal(t_put("f", "old"), 0);
    assert_int_equal(file_create(&e, "f", &f, NULL), PERC_OK);
    assert_true(fcntl(f.fd, F_GETFD) & FD_CLOEXEC);
    assert_int_equal(t_dir_count("f", temp), 2);
    assert_int_equal(strncmp(temp, "f.perceptron-tmp-", 17), 0);
    assert_int_equal(file_write(&f, "new", 3, NULL), PERC_OK);
    holds("f", "old");
    assert_int_equal(file_commit(&f, NULL), PERC_OK);
    holds("f", "new");
    alone("f");
    file_abort(&f); /* after commit: nothing */
    holds("f", "new");

    assert_int_equal(file_create(&e, "f", &f, NULL), PERC_OK);
    assert_int_equal(file_write(&f, "newer", 5, NULL), PERC_OK);
    file_abort(&f);
    file_abort(&f);
    holds("f", "new");
    alone("f");
    file_abort(&(struct file_out){ 0 });
}

static mode_t mode_of(const char *path)
{
    struct stat info;

    assert_int_equal(lstat(path, &info), 0);
    return info.st_mode & 0777;
}

/* A process of its own that has begun to write to `path`, and waits. */
static pid_t begin_writing(const char *path)
{
    int told[2];
    char byte;

    assert_int_equal(pipe(told), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct file_out f;
        const struct env e = env_resolve(NULL);
        if (file_create(&e, path, &f, NULL) != PERC_OK || write(told[1], "", 1) != 1) _exit(1);
        for (;;) pause();
    }
    assert_int_equal(read(told[0], &byte, 1), 1);
    close(told[0]);
    close(told[1]);
    return child;
}

static void end_child(pid_t child)
{
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

TEST(temporaries_of_killed_runs_go_and_those_of_living_ones_stay)
{
    static const char *const OTHERS[] = { "f.perceptron-tmp", "f.perceptron-tmp-002",
                                          "g.perceptron-tmp-01", "target" };
    enum { ALL_OTHERS = 6 }; /* and a link and a directory */
    char other[256];

    const pid_t living = begin_writing("f"); /* it has the first name */
    end_child(begin_writing("f"));
    assert_int_equal(t_dir_count("", other), 2);
    assert_int_equal(kill(living, SIGSTOP), 0); /* stopped is not dead */
    for (size_t i = 0; i < 4; i++) assert_int_equal(t_put(OTHERS[i], "not ours"), 0);
    assert_int_equal(symlink("target", "f.perceptron-tmp-05"), 0);
    assert_int_equal(mkdir("f.perceptron-tmp-06", 0700), 0);
    write_file("f", "new", 3);
    holds("f", "new");
    assert_int_equal(access("f.perceptron-tmp-00", F_OK), 0);
    assert_int_equal(t_dir_count("", other), 2 + ALL_OTHERS);
    end_child(living);
    write_file("f", "newer", 5);
    holds("f", "newer");
    for (size_t i = 0; i < 4; i++) holds(OTHERS[i], "not ours");
    assert_int_equal(t_dir_count("", other), 1 + ALL_OTHERS);
}

/* Many writers of one file at once: each file is whole, and nobody's temporary is taken away. */
static void *write_often(void *ud)
{
    for (int i = 0; i < 100; i++) write_file("f", ud, strlen(ud));
    return NULL;
}

TEST(writers_of_one_file_do_not_disturb_each_other)
{
    static char one[] = "one", two[] = "two";
    pthread_t other;

    assert_int_equal(pthread_create(&other, NULL, write_often, one), 0);
    write_often(two);
    pthread_join(other, NULL);
    alone("f");
}

TEST(permissions_are_kept)
{
    const mode_t old = umask(027);

    write_file("new", "x", 1);
    assert_int_equal(mode_of("new"), 0640); /* 0666 less the umask */
    assert_int_equal(t_put("open", "x"), 0);
    assert_int_equal(chmod("open", 0666), 0); /* more than the umask allows */
    write_file("open", "y", 1);
    assert_int_equal(mode_of("open"), 0666);
    assert_int_equal(chmod("open", 0600), 0);
    write_file("open", "z", 1);
    assert_int_equal(mode_of("open"), 0600);
    umask(old);
}

TEST(a_symbolic_link_stays_and_its_target_changes)
{
    const struct env e = env();
    struct file_out f;
    perc_error err = { 0 };
    char text[16];

    assert_int_equal(mkdir("sub", 0777), 0);
    assert_int_equal(t_put("sub/real", "old"), 0);
    assert_int_equal(symlink("real", "sub/inner"), 0); /* relative to its own directory */
    assert_int_equal(symlink("sub/inner", "link"), 0);
    write_file("link", "new", 3);
    holds("sub/real", "new");
    assert_int_equal(readlink("link", text, sizeof text), 9);

    assert_int_equal(symlink("sub/later", "dangling"), 0); /* its target is made */
    write_file("dangling", "made", 4);
    holds("sub/later", "made");
    assert_int_equal(readlink("dangling", text, sizeof text), 9);

    assert_int_equal(symlink("loop", "loop"), 0);
    assert_refused(file_create(&e, "loop", &f, &err), PERC_EIO, &err, "cannot write loop: ");
    unlink("sub/real"), unlink("sub/inner"), unlink("sub/later");
}

TEST(devices_and_pipes_are_written_directly)
{
    char buf[16];
    struct stat info;

    write_file("/dev/null", "x", 1);
    assert_true(stat("/dev/null", &info) == 0 && S_ISCHR(info.st_mode));
    assert_int_equal(mkfifo("pipe", 0666), 0);
    const int fd = open("pipe", O_RDWR); /* a reader is there: opening does not wait */
    write_file("pipe", "through", 7);
    assert_int_equal(read(fd, buf, sizeof buf), 7);
    assert_memory_equal(buf, "through", 7);
    close(fd);
    alone("pipe");
}

TEST(a_dash_is_standard_output_and_input)
{
    const struct env e = env();
    struct file_map m;

    const int in = dup(0), out = dup(1), file = open("o", O_RDWR | O_CREAT, 0666);
    fflush(stdout);
    dup2(file, 1);
    write_file("-", "printed", 7);
    assert_true(fcntl(1, F_GETFD) >= 0); /* still open */
    dup2(out, 1);
    holds("o", "printed");
    lseek(file, 2, SEEK_SET);
    dup2(file, 0);
    assert_int_equal(file_map(&e, "-", &m, NULL), PERC_OK);
    assert_true(m.size == 5 && memcmp(m.data, "inted", 5) == 0); /* from where it stood */
    file_unmap(&m);
    dup2(in, 0);
    close(in), close(out), close(file);
}

enum { PIPED = 300000 }; /* more than a pipe or the first buffer holds */

static void *feed(void *path)
{
    FILE *f = fopen(path, "wb");

    for (size_t i = 0; i < PIPED; i++) putc(pattern(i), f);
    fclose(f);
    return NULL;
}

TEST(a_pipe_is_read_to_its_end)
{
    char path[] = "pipe";
    const struct env e = env();
    struct file_map m;
    pthread_t writer;

    assert_int_equal(mkfifo(path, 0666), 0);
    assert_int_equal(pthread_create(&writer, NULL, feed, path), 0);
    assert_int_equal(file_map(&e, path, &m, NULL), PERC_OK);
    pthread_join(writer, NULL);
    assert_true(m.size == PIPED && !m.mapped);
    for (size_t i = 0; i < PIPED; i++) assert_true(m.data[i] == pattern(i));
    file_unmap(&m);
}

TEST(files_that_say_size_0_are_read_too)
{
    const struct env e = env();
    struct file_map m;

    if (access("/proc/self/status", R_OK) != 0) skip();
    assert_int_equal(file_map(&e, "/proc/self/status", &m, NULL), PERC_OK);
    assert_true(m.size > 0);
    file_unmap(&m);
}

static void refused(perc_status st, const perc_error *err, const char *text)
{
    assert_int_equal(st, PERC_EIO);
    assert_int_equal(err->status, PERC_EIO);
    assert_string_equal(err->text, text);
}

TEST(refusals_name_the_file_and_the_reason)
{
    const struct env e = env();
    struct file_out f;
    struct file_map m;
    perc_error err;
    int fd;

    refused(file_open("none", &fd, NULL, &err), &err,
            "cannot open none: No such file or directory");
    assert_int_equal(fd, -1);
    refused(file_map(&e, ".", &m, &err), &err, "cannot read .: it is a directory");
    assert_null(m.data);
    refused(file_create(&e, ".", &f, &err), &err, "cannot write .: Is a directory");
    refused(file_create(&e, "", &f, &err), &err, "cannot write : No such file or directory");
    refused(file_create(&e, "no/f", &f, &err), &err,
            "cannot write no/f: No such file or directory");
    assert_int_equal(file_write(&f, "x", 1, &err), PERC_EIO); /* and it stays refused */
    assert_int_equal(file_commit(&f, &err), PERC_EIO);
    if (geteuid() == 0) return; /* root may do everything */
    assert_int_equal(t_put("locked", "old"), 0);
    assert_int_equal(chmod("locked", 0), 0);
    refused(file_open("locked", &fd, NULL, &err), &err, "cannot open locked: Permission denied");
    assert_int_equal(chmod("locked", 0444), 0);
    refused(file_create(&e, "locked", &f, &err), &err, "cannot write locked: Permission denied");
}

TEST(a_name_of_the_longest_length_works)
{
    char name[256];

    memset(name, 'n', 255);
    name[255] = '\0';
    write_file(name, "x", 1);
    holds(name, "x");
    alone(name);
}

/* With standard input closed, the next open() would answer 0; whoever reads or
 * prints on the standard descriptors must not meet a file of ours. */
TEST(the_standard_descriptors_are_never_used)
{
    const int in = dup(0);
    int fd;

    assert_int_equal(t_put("f", "x"), 0);
    close(0);
    assert_int_equal(file_open("f", &fd, NULL, NULL), PERC_OK);
    assert_true(fd > 2);
    assert_int_equal(fcntl(0, F_GETFD), -1);
    file_close(fd);
    write_file("f", "y", 1);
    dup2(in, 0);
    close(in);
    holds("f", "y");
}
