/* test_several.c -- several files are one data set: what is read is what one file with the same
 * lines gives, wherever these are cut, however the parts are packed, and on any number of threads;
 * and what is wrong is said of the file that it is in. */
#include "data/dataset.h"
#include "data/paths.h"
#include "data/source.h"
#include "perceptron_inspect.h"
#include "perceptron_split.h"
#include "t.h"
#include "t_alloc.h"
#include "t_cases.h"
#include "t_dir.h"
#include "t_make.h"
#include "vec/rng.h"

enum { ROWS = 40, LINE = 64, PARTS = 8, MODEL = 1 << 16 };
static const int threads[] = { 1, 2, 5 };

/* ----- texts, and their parts ----------------------------------------------------------- */

struct form {
    const char *name, *header;
};
static const struct form forms[] = {
    { "libsvm", "" }, { "csv", "a,b,kind\n" }, { "csv", "" }, { "jsonl", "" }, { "vw", "" }
};

static void put_row(const struct form *f, struct rng *r, char line[LINE])
{
    const int a = (int)rng_below(r, 90) + 10, b = (int)rng_below(r, 9) + 1;
    const int side = a + 10 * b > 100 ? 1 : -1;

    if (strcmp(f->name, "libsvm") == 0) snprintf(line, LINE, "%d 1:%d.5 3:%d\n", side, a, b);
    else if (strcmp(f->name, "csv") == 0)
        snprintf(line, LINE, "%d,%d.25,%s\n", a, b, side > 0 ? "\"p\"\"p\"" : "n");
    else if (strcmp(f->name, "jsonl") == 0)
        snprintf(line, LINE, "{\"a\":%d,\"c\":\"k%d\",\"y\":%d}\n", a, b, side);
    else snprintf(line, LINE, "%d |n a:%d w%d\n", side, a, b);
}

/* Packs a file where it stands, if the program is there. */
static void pack(const char *name, uint64_t how)
{
    static const char *const program[] = { "gzip", "bzip2", "xz", "zstd" };
    char line[200];

    if (how >= COUNT(program)) return;
    snprintf(line, sizeof line, "%s -q -c %s > packed 2>/dev/null && mv packed %s; rm -f packed",
             program[how], name, name);
    if (system(line) != 0) print_message("no %s here\n", program[how]);
}

/* The rows in one file, and in n; where each row went, and its line there. */
struct parted {
    char row[ROWS][LINE];
    size_t n, part[ROWS];
    int64_t line[ROWS];
    char more[PARTS * 8];
};

/* Parts may be empty, have one row, lack their last line end, and begin with a mark. */
static void put_parts(struct parted *p, const struct form *f, struct rng *r)
{
    char text[ROWS * LINE + LINE], name[32];
    size_t len = (size_t)snprintf(text, sizeof text, "%s", f->header), next = 0;

    for (size_t i = 0; i < ROWS; i++) {
        put_row(f, r, p->row[i]);
        len += (size_t)snprintf(text + len, sizeof text - len, "%s", p->row[i]);
    }
    assert_int_equal(t_put("whole", text), 0);
    p->n = 2 + rng_below(r, PARTS - 1);
    p->more[0] = '\0';
    for (size_t k = 0; k < p->n; k++) {
        const uint64_t left = ROWS - next;
        const uint64_t take = k + 1 == p->n ? left
                              : k == 0      ? 4 + rng_below(r, 20)
                                            : rng_below(r, left / 3 + 2);
        const bool head = take > 0 || rng_below(r, 2) > 0, mark = head && rng_below(r, 4) == 0;
        len = (size_t)snprintf(text, sizeof text, "%s%s", mark ? "\xef\xbb\xbf" : "",
                               head ? f->header : "");
        for (uint64_t i = 0; i < take && next < ROWS; i++, next++) {
            p->part[next] = k;
            p->line[next] = (int64_t)i + 1 + (f->header[0] != '\0');
            len += (size_t)snprintf(text + len, sizeof text - len, "%s", p->row[next]);
        }
        if (len > 0 && rng_below(r, 2) > 0) text[--len] = '\0';
        snprintf(name, sizeof name, "p%zu", k);
        assert_int_equal(t_put_bytes(name, text, len), 0);
        pack(name, rng_below(r, 6));
        if (k == 0) continue;
        len = strlen(p->more);
        snprintf(p->more + len, sizeof p->more - len, "%sp%zu", k > 1 ? "," : "", k);
    }
}

/* The bytes of the model that these files give. */
static long learn(const char *path, const char *more, int n, const struct parted *places,
                  char model[MODEL])
{
    const perc_env env = { .threads = n };
    perc_params *data = t_option("data", "more", more);
    perc_params *p = t_params("averaged", "epochs=3 order=shuffle");
    perc_error err = { 0 };
    perc_dataset *ds;
    perc_model *m;

    if (perc_dataset_read(&env, path, data, &ds, &err)) fail_msg("%s: %s", more, err.text);
    assert_int_equal(ds->rows, ROWS);
    for (uint64_t i = 0; places != NULL && i < ROWS; i++) {
        char name[32];
        snprintf(name, sizeof name, "p%zu", places->part[i]);
        assert_string_equal(perc_dataset_row_file(ds, i), name);
        assert_int_equal(perc_dataset_row_line(ds, i), places->line[i]);
    }
    if (places == NULL) assert_null(perc_dataset_row_file(ds, 0));
    if (perc_fit(&env, ds, p, NULL, &m, NULL, &err)) fail_msg("%s", err.text);
    if (perc_model_write(m, "model", &err)) fail_msg("%s", err.text);
    perc_model_free(m);
    perc_dataset_free(ds);
    perc_params_free(p);
    perc_params_free(data);
    return t_get("model", model, MODEL);
}

TEST(the_model_is_that_of_one_file_with_all_lines)
{
    static char one[MODEL], several[MODEL];
    static struct parted p;

    for (int i = 0; i < t_cases(8); i++)
        for (size_t f = 0; f < COUNT(forms); f++) {
            struct rng r = rng_seed((uint64_t)i, (uint64_t)f);
            put_parts(&p, &forms[f], &r);
            const long n = learn("whole", "", 1, NULL, one);
            for (size_t t = 0; t < COUNT(threads); t++) {
                assert_int_equal(learn("p0", p.more, threads[t], &p, several), n);
                assert_memory_equal(one, several, (size_t)n);
            }
        }
}

/* ----- chunks ---------------------------------------------------------- */

TEST(a_chunk_is_of_one_file_and_says_which)
{
    static const char *const path[] = { "none", "one", "none", "two", "mark", "none" };
    static const struct {
        size_t file;
        const char *text;
    } want[] = { { 1, "a\nb" }, { 3, "c\n" } };
    const struct env e = env_resolve(NULL);
    struct chunk c = { .e = e };
    struct source *s;
    uint64_t of;

    t_put("none", "");
    t_put("one", "a\nb");
    t_put("two", "\xef\xbb\xbf"
                 "c\n");
    t_put("mark", "\xef\xbb\xbf");
    assert_int_equal(source_open_all(&e, path, COUNT(path), NULL, &s, NULL), PERC_OK);
    for (size_t i = 0; i < COUNT(want); i++) {
        assert_int_equal(source_next(s, &c, NULL), PERC_OK);
        assert_int_equal(c.number, i);
        assert_int_equal(c.file, want[i].file);
        assert_true(c.begins);
        assert_int_equal(c.len, strlen(want[i].text));
        assert_memory_equal(c.text, want[i].text, c.len);
    }
    for (int again = 0; again < 2; again++) {
        assert_int_equal(source_next(s, &c, NULL), PERC_OK);
        assert_int_equal(c.len, 0);
        assert_int_equal(source_place(s, &of), 3 + 5 + 3);
        assert_int_equal(of, 3 + 5 + 3);
    }
    source_chunk_free(&c);
    source_close(s);
}

/* ----- names ---------------------------------------------------------- */

static void assert_names(const char *path, const char *more, const char *want)
{
    perc_error err = { 0 };
    perc_files *files;
    char got[256] = "";

    if (perc_files_find(NULL, path, more, &files, &err)) fail_msg("%s: %s", path, err.text);
    for (size_t k = 0; k < perc_files_count(files); k++) {
        const size_t n = strlen(got);
        snprintf(got + n, sizeof got - n, "%s%s", k > 0 ? " " : "", perc_files_name(files, k));
    }
    assert_null(perc_files_name(files, perc_files_count(files)));
    assert_string_equal(got, want);
    perc_files_free(files);
}

TEST(directories_and_patterns_are_files_in_the_order_of_their_bytes)
{
    assert_int_equal(mkdir("d", 0700), 0);
    assert_int_equal(mkdir("d/e", 0700), 0);
    static const char *const names[] = {
        "d/b", "d/a", "d/B", "d/.c", "d/e/f", "x,\"y", "[z]", "z"
    };
    for (size_t i = 0; i < COUNT(names); i++) assert_int_equal(t_put(names[i], "1 1:1\n"), 0);

    assert_names("d", NULL, "d/B d/a d/b");
    assert_names("d/", "", "d/B d/a d/b");
    assert_names("d/*", NULL, "d/B d/a d/b d/e/f"); /* a directory that matches is its files */
    assert_names("d/[ab]", "z", "d/a d/b z");
    assert_names("d/?", "d/a", "d/B d/a d/b d/e/f d/a");
    assert_names("[z]", NULL, "[z]"); /* a name that is there */
    assert_names("z", "\"x,\"\"y\", d/a", "z x,\"y d/a");
    assert_names("-", "z", "- z");
    assert_names("nothing", NULL, "nothing"); /* who opens it says so */
    assert_names(":iris", NULL, ":iris");
    perc_files_free(NULL);
    assert_int_equal(perc_files_count(NULL), 0);
    for (size_t i = 0; i < COUNT(names); i++) assert_int_equal(unlink(names[i]), 0);
    assert_int_equal(rmdir("d/e"), 0);
}

static void refuse_names(const char *path, const char *more, perc_status want, const char *words)
{
    perc_error err = { 0 };
    perc_files *files;

    assert_refused(perc_files_find(NULL, path, more, &files, &err), want, &err, words);
    assert_null(files);
}

TEST(names_that_mean_nothing_are_refused)
{
    t_put("f", "1 1:1\n");
    assert_int_equal(mkdir("d", 0700), 0);
    refuse_names("d", NULL, PERC_EIO, "there is no file in this directory");
    refuse_names("g*", NULL, PERC_EIO, "none matches");
    refuse_names("f", "g", PERC_EIO, "cannot open g: No such file");
    refuse_names("f", "f,:iris", PERC_EARG, ":iris is built in");
    refuse_names("-", "f,-", PERC_EARG, "standard input is named twice");
    refuse_names("f", "\"f", PERC_EARG, "more: character 1");
}

/* ----- places ---------------------------------------------------------- */

struct wrong {
    const char *file[3]; /* p0, p1, p2 */
    int64_t line, column;
    const char *words;
};
static const struct wrong wrong[] = {
    { { "a,b\n1,x\n2,y\n", "a,b\n1,x\n2,y", "a,b\n\n1,x\n,y\n" },
      4,
      1,
      "p2: column 'a' is missing" },
    { { "a,b\n1,x\n2,y\n", "a,b\n1,x\nz,y\n", "a,b\n1,x\n" }, 3, 1, "p1: 'z'" },
    { { "a,b\n1,x\n2,y\n", "", "a,b\n1,x\n\"3,y\n" }, 3, 1, "p2: this quote" },
    { { "a,b\n1,x\n2,y\n", "b,a\nx,1\n", "" }, 1, 1, "p1: column 1 is 'b', and in p0 it is 'a'" },
    { { "a,b\n1,x\n2,y\n", "\n1,x\n", "" }, 2, 1, "p1: this is no header, and p0 has one" },
    { { "a,b\n1,x\n2,y\n", "a,b,c\n", "" },
      1,
      0,
      "p1: the header has more columns than that of p0" },
    { { "a,b\n1,x\n2,y\n", "a\n", "" }, 1, 0, "p1: the header has fewer columns" },
    { { "a,b\n1,x\n2,y\n", "{\"a\":1}\n", "" }, 0, 0, "p1: this is jsonl, and p0 is csv" },
    { { "1 1:1\n-1 1:2\n", "1,2\n3,4\n", "" }, 0, 0, "p1: this is csv, and p0 is libsvm" },
    { { "1 1:1\n-1 1:2", "1 1:1", "1 2:x" }, 1, 5, "p2: 'x': not a number" },
    { { "1 1:1\n-1 1:2", "1 2:x", "1 2:x" }, 1, 5, "p1: 'x': not a number" },
    { { "{\"a\":1,\"y\":1}\n", "{\"a\":2,\"y\":0}", "{\"a\":1,\n" }, 1, 0, "p2: " },
    { { "", "a,b\n1,x\n2,y\n", "1,x\n" }, 1, 1, "p2: this is no header" },
};

TEST(what_is_wrong_is_said_of_its_file)
{
    for (size_t i = 0; i < COUNT(wrong); i++)
        for (size_t t = 0; t < COUNT(threads); t++) {
            const struct wrong *w = &wrong[i];
            const perc_env env = { .threads = threads[t] };
            perc_params *data = t_option("data", "more", "p1,p2");
            perc_error err = { 0 };
            perc_dataset *ds;
            const char *const name[] = { "p0", "p1", "p2" };

            for (int k = 0; k < 3; k++) assert_int_equal(t_put(name[k], w->file[k]), 0);
            assert_refused(perc_dataset_read(&env, "p0", data, &ds, &err), PERC_EDATA, &err,
                           w->words);
            assert_int_equal(err.line, w->line);
            if (w->column > 0) assert_int_equal(err.column, w->column);
            perc_params_free(data);
        }
}

/* A row that only training finds fault with. */
TEST(what_is_found_later_is_said_of_its_file)
{
    perc_params *data = t_option("data", "more", "p1"), *p = t_params("perceptron", "kernel=poly");
    perc_error err = { 0 };
    perc_dataset *ds;
    perc_model *m;

    t_put("p0", "a 1:1\nb 1:-1\n\n");
    t_put("p1", "# b\n\na 1:2\nb 1:1e300\n");
    assert_int_equal(perc_dataset_read(NULL, "p0", data, &ds, &err), PERC_OK);
    assert_refused_at(perc_fit(NULL, ds, p, NULL, &m, NULL, &err), PERC_EDATA, &err, 4, 0,
                      "p1: this row is too large for the kernel");
    perc_dataset_free(ds);
    perc_params_free(data);
    perc_params_free(p);
}

TEST(a_long_name_is_cut_in_front)
{
    char name[200], want[160];
    perc_params *data;
    perc_error err = { 0 };
    perc_dataset *ds;

    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    for (int wide = 0; wide < 2; wide++) {
        /* Cut within a character of two bytes, the whole of it is left out. */
        if (wide) memcpy(name + sizeof name - 2 - 128, "\xc3\xa9", 2);
        snprintf(want, sizeof want, "...%s: 'x': not a number",
                 name + sizeof name - 1 - 128 + wide);
        t_put("p0", "1 1:1\n");
        t_put(name, "1 1:x\n");
        data = t_option("data", "more", name);
        assert_refused(perc_dataset_read(NULL, "p0", data, &ds, &err), PERC_EDATA, &err, want);
        perc_params_free(data);
    }
}

/* ----- rows as they stand ---------------------------------------------------------- */

TEST(parts_have_one_header_and_whole_lines)
{
    perc_params *data = t_option("data", "more", "p1,p2"), *how = t_option("sample", "rows", "4");
    perc_split *split;
    char got[128];

    t_put("p0", "\xef\xbb\xbf"
                "a,b\r\n1,x\r\n2,\"y\"");
    t_put("p1", "\xef\xbb\xbf"
                "a,b\n3,x");
    t_put("p2", "a,b\n4,y");
    assert_int_equal(perc_sample_rows(NULL, "p0", data, how, "out", &split, NULL), PERC_OK);
    const long n = t_get("out", got, sizeof got - 1);
    got[n] = '\0';
    assert_string_equal(got, "\xef\xbb\xbf"
                             "a,b\r\n1,x\r\n2,\"y\"\n3,x\n4,y");
    perc_split_free(split);
    perc_params_free(how);
    perc_params_free(data);
}

/* ----- memory ---------------------------------------------------------- */

static void put_three(void)
{
    t_put("p0", "a,b\n1,x\n2,y");
    t_put("p1", "a,b\n3,x\n");
    t_put("p2", "a,b\n4,y\n5,x\n");
    pack("p1", 0);
    pack("p2", 2);
}

TEST(memory_may_run_out_while_several_are_read)
{
    put_three();
    for (struct t_sweep s = { .least = 20 }; t_sweep_next(&s);) {
        perc_params *data = t_option("data", "more", "p1,p2");
        perc_dataset *ds = NULL, *rest = NULL, *held = NULL;
        t_sweep_arm(&s);
        perc_status st = perc_dataset_read(&s.env, "p0", data, &ds, NULL);
        if (!st) st = perc_dataset_split(ds, 0.5, 1, &rest, &held, NULL);
        perc_dataset_free(held);
        perc_dataset_free(rest);
        perc_dataset_free(ds);
        perc_params_free(data);
        t_sweep_judge(&s, st);
    }
}

TEST(memory_may_run_out_while_rows_are_moved)
{
    put_three();
    for (struct t_sweep s = { .least = 20 }; t_sweep_next(&s);) {
        perc_params *data = t_option("data", "more", "p1,p2"), *how = t_params("split", "test=2");
        perc_split *split = NULL;
        t_sweep_arm(&s);
        const perc_status st = perc_split_rows(&s.env, "p0", data, how, "o1", "o2", &split, NULL);
        perc_split_free(split);
        perc_params_free(how);
        perc_params_free(data);
        t_sweep_judge(&s, st);
    }
}

TEST(memory_may_run_out_while_names_are_found)
{
    put_three();
    for (struct t_sweep s = { .least = 5 }; t_sweep_next(&s);) {
        perc_files *files = NULL;
        const perc_status st = perc_files_find(&s.env, "p?", "p0,.", &files, NULL);
        perc_files_free(files);
        t_sweep_judge(&s, st);
    }
}
