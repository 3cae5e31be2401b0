/* test_reader.c -- a file as blocks: the same blocks, in the same order, with the same
 * complaint where there is one, for any number of threads. */
#include <time.h>

#include "data/dataset.h"
#include "data/reader.h"
#include "data/slabs.h"
#include "data/source.h"
#include "data/unpack.h"
#include "libsvm_reference.h"
#include "t.h"
#include "t_alloc.h"
#include "t_dir.h"
#include "t_make.h"

#ifdef __SANITIZE_THREAD__
static const int threads[] = { 1, 3 }; /* it looks for races, and takes its time */
#else
static const int threads[] = { 1, 2, 3, 8 };
#endif
enum { THREADS = COUNT(threads), BLOCKS = 64 };

static struct t_alloc heap = { .fail_at = -1 };

static struct env env(int n)
{
    return (struct env){ .alloc = t_alloc, .ud = &heap, .threads = n };
}

/* ----- reading a whole file ----------------------------------------------------------- */

/* All that a reader says of a file. */
struct reading {
    struct block block[BLOCKS];
    size_t blocks;
    perc_status st;
    perc_error err;
    struct reader *r; /* open until done() */
    struct slabs *slabs;
    perc_params *p;
};

static void read_file(struct reading *t, const char *path, perc_params *p, int n, bool slabs)
{
    const struct env e = env(n);
    bool more = true;

    *t = (struct reading){ .p = p };
    if (slabs) assert_int_equal(slabs_new(&e, &t->slabs), PERC_OK);
    t->st = reader_open(&e, path, p, NULL, t->slabs, NULL, &t->r, &t->err);
    assert_true((t->st == PERC_OK) == (t->r != NULL));
    while (!t->st && more) {
        assert_true(t->blocks < BLOCKS);
        t->st = reader_next(t->r, &t->block[t->blocks], &more, &t->err);
        assert_false(t->st != PERC_OK && more);
        t->blocks += more;
    }
    assert_int_equal(t->err.status, t->st);
    if (t->r == NULL) return;
    struct block none; /* the end stays the end, also after an error */
    assert_int_equal(reader_next(t->r, &none, &more, &t->err), PERC_OK);
    assert_false(more);
}

static void done(struct reading *t)
{
    for (size_t i = 0; i < t->blocks; i++) block_free(&t->block[i]);
    reader_close(t->r);
    slabs_free(t->slabs);
    perc_params_free(t->p);
    t_alloc_holds(&heap, 0);
}

static void same_block(const struct block *a, const struct block *b)
{
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->first_row, b->first_row);
    assert_int_equal(a->first_line, b->first_line);
    assert_int_equal(a->nonzeros, b->nonzeros);
    assert_int_equal(a->columns, b->columns);
    assert_int_equal(a->values, b->values);
    assert_int_equal(a->indices, b->indices);
    assert_memory_equal(a->label, b->label, a->rows * sizeof *a->label);
    for (size_t i = 0; i < a->rows; i++) {
        const struct row x = block_row(a, i), y = block_row(b, i);
        assert_int_equal(block_line(a, i), block_line(b, i));
        assert_int_equal(x.n, y.n);
        assert_int_equal(x.first, y.first);
        if (x.value != NULL) assert_memory_equal(x.value, y.value, x.n * (size_t)x.stride);
        if (x.index != NULL) assert_memory_equal(x.index, y.index, x.n << x.indices);
        assert_true(block_weight(a, i) == block_weight(b, i));
    }
}

static void same_reading(struct reading *a, struct reading *b)
{
    const struct labels *x = reader_labels(a->r), *y = reader_labels(b->r);
    const struct reader_facts f = reader_facts(a->r), g = reader_facts(b->r);

    assert_int_equal(a->st, b->st);
    assert_int_equal(a->err.line, b->err.line);
    assert_int_equal(a->err.column, b->err.column);
    assert_string_equal(a->err.text, b->err.text);
    assert_int_equal(a->blocks, b->blocks);
    for (size_t i = 0; i < a->blocks; i++) same_block(&a->block[i], &b->block[i]);
    assert_int_equal(x->n, y->n);
    for (size_t i = 0; i < x->n; i++) assert_string_equal(x->at[i].text, y->at[i].text);
    assert_string_equal(f.format, g.format);
    assert_string_equal(f.note, g.note);
    assert_int_equal(f.zero_index, g.zero_index);
    assert_int_equal(f.unknown, g.unknown);
    assert_int_equal(f.dropped, g.dropped);
    if (!a->st) assert_int_equal(f.bytes, g.bytes);
}

/* Reads with every number of threads, which must not matter; *t is the first. */
static void read_every_way(struct reading *t, const char *path, const char *name, const char *value)
{
    read_file(t, path, t_option("data", name, value), threads[0], false);
    for (int i = 1; i < THREADS; i++) {
        struct reading again;
        read_file(&again, path, t_option("data", name, value), threads[i], i == THREADS - 1);
        same_reading(t, &again);
        for (size_t k = 0; k < again.blocks; k++) block_free(&again.block[k]);
        reader_close(again.r);
        slabs_free(again.slabs);
        perc_params_free(again.p);
    }
}

/* ----- good files ------------------------------------------------------------------------ */

static void is_reference(struct reading *t, const struct ref *f)
{
    const struct labels *l = reader_labels(t->r);
    size_t row = 0, entry = 0;

    for (size_t k = 0; k < t->blocks; k++) {
        const struct block *b = &t->block[k];
        assert_int_equal(b->first_row, row);
        for (size_t i = 0; i < b->rows; i++, row++) {
            const struct row r = block_row(b, i);
            assert_true(row < f->rows);
            const struct ref_row *want = &f->row[row];
            const struct label *label = &l->at[b->label[i]];
            assert_int_equal(block_line(b, i), want->line);
            if (ref_is_number(want->label))
                assert_true(strtod(label->text, NULL) == strtod(want->label, NULL));
            else assert_string_equal(label->text, want->label);
            size_t k2 = want->first;
            for (size_t j = 0; j < r.n; j++) { /* a dense block stores zeros too */
                const double v = row_value(&r, j);
                const bool there = k2 < want->first + want->n && f->index[k2] == row_column(&r, j);
                assert_true(there ? memcmp(&v, &f->value[k2], sizeof v) == 0 : v == 0);
                k2 += there;
            }
            assert_int_equal(k2, want->first + want->n);
            entry += want->n;
        }
    }
    assert_int_equal(row, f->rows);
    assert_int_equal(entry, f->entries);
}

/* Some megabytes of all that is harmless. */
static void draft_large(struct draft *d, size_t size, uint64_t seed)
{
    const struct libsvm o = { .base = INDEX_AUTO };
    struct draft part = { NULL, 0, 1 << 18, rng_seed(seed, 0) };

    *d = (struct draft){ malloc(size), 0, size, rng_seed(seed, 1) };
    part.s = malloc(part.room);
    assert_true(d->s != NULL && part.s != NULL);
    do {
        draft_file(&part, &o, 100);
        if (part.len + 1 > d->room - d->len) break;
        memcpy(d->s + d->len, part.s, part.len);
        d->len += part.len;
        d->s[d->len++] = '\n';
    } while (true);
    free(part.s);
}

TEST(blocks_are_the_file_for_any_number_of_threads)
{
    const struct libsvm o = { .base = INDEX_AUTO };
    struct draft d;
    struct reading t;
    struct ref f;

    draft_large(&d, 6 << 20, 1);
    assert_int_equal(t_put_bytes("f", d.s, d.len), 0);
    ref_parse(&f, &o, d.s, d.len);
    read_every_way(&t, "f", NULL, NULL);
    if (t.st) fail_msg("%d:%d: %s", (int)t.err.line, (int)t.err.column, t.err.text);
    assert_true(t.blocks >= 6); /* guard: there was something to put in order */
    is_reference(&t, &f);
    assert_int_equal(reader_facts(t.r).bytes, d.len);
    assert_int_equal(reader_facts(t.r).zero_index, f.zero_index);
    done(&t);
    ref_free(&f);
    free(d.s);
}

/* A caller who takes his time lets the threads run ahead, but not too far. */
TEST(blocks_wait_for_a_slow_caller)
{
    const struct timespec nap = { 0, 40000000 }; /* some chunks take less */
    struct draft d;
    struct reading t, slow = { .blocks = 0 };
    bool more = true;

    draft_large(&d, 9 << 20, 2);
    assert_int_equal(t_put_bytes("f", d.s, d.len), 0);
    read_file(&t, "f", t_option("data", NULL, NULL), 1, false);
    const struct env e = env(2);
    slow.p = t_option("data", NULL, NULL);
    assert_int_equal(reader_open(&e, "f", slow.p, NULL, NULL, NULL, &slow.r, &slow.err), PERC_OK);
    while (more) {
        assert_true(slow.blocks < BLOCKS);
        if (slow.blocks < 3) nanosleep(&nap, NULL);
        assert_int_equal(reader_next(slow.r, &slow.block[slow.blocks], &more, NULL), PERC_OK);
        slow.blocks += more;
    }
    same_reading(&t, &slow);
    for (size_t i = 0; i < slow.blocks; i++) block_free(&slow.block[i]);
    reader_close(slow.r);
    perc_params_free(slow.p);
    done(&t);
    free(d.s);
}

/* A file of `n` lines of about 20 bytes, and lines of one's choice in it. */
struct special {
    long line; /* from 1 */
    const char *text;
};

static void put_lines(const char *name, long n, const struct special *special, size_t count)
{
    FILE *f = fopen(name, "wb");

    assert_non_null(f);
    for (long i = 1; i <= n; i++) {
        const char *text = NULL;
        for (size_t k = 0; k < count; k++)
            if (special[k].line == i) text = special[k].text;
        if (text != NULL) fprintf(f, "%s\n", text);
        else fprintf(f, "%s 1:%ld 3:0.5 7:%ld\n", i % 2 == 0 ? "1" : "-1", i, i % 10);
    }
    assert_int_equal(fclose(f), 0);
}

TEST(labels_are_numbered_as_they_appear)
{
    static const struct special late[] = { { 2, "+1 1:1" },
                                           { 70000, "late 1:1" },
                                           { 110000, "+1.0 1:1" },
                                           { 110001, "later 0:1" },
                                           { 159999, "latest" } };
    static const char *const want[] = { "-1", "+1", "late", "later", "latest" };
    struct reading t;

    put_lines("f", 160000, late, COUNT(late));
    read_every_way(&t, "f", NULL, NULL);
    assert_int_equal(t.st, PERC_OK);
    assert_int_equal(reader_labels(t.r)->n, 5);
    for (size_t i = 0; i < 5; i++) assert_string_equal(reader_labels(t.r)->at[i].text, want[i]);
    assert_true(reader_facts(t.r).zero_index);
    size_t row = 0;
    for (size_t k = 0; k < t.blocks; k++)
        for (size_t i = 0; i < t.block[k].rows; i++) {
            row++;
            const uint32_t label = t.block[k].label[i];
            assert_int_equal(block_line(&t.block[k], i), row);
            assert_int_equal(label, row == 70000    ? 2
                                    : row == 110000 ? 1
                                    : row == 110001 ? 3
                                    : row == 159999 ? 4
                                                    : row % 2 == 0);
        }
    assert_int_equal(row, 160000);
    done(&t);
}

TEST(chunks_without_rows_are_passed_over)
{
    char *text = malloc(5 << 20);
    struct reading t;

    assert_non_null(text);
    memset(text, '\n', 5 << 20);
    memcpy(text, "# ", 2);
    memcpy(text + (3 << 20), "1 1:1\n2 2:1", 11);
    assert_int_equal(t_put_bytes("f", text, 5 << 20), 0);
    read_every_way(&t, "f", NULL, NULL);
    assert_int_equal(t.blocks, 1);
    assert_int_equal(t.block[0].rows, 2);
    assert_int_equal(block_line(&t.block[0], 0), (3 << 20) + 1 - 2); /* "# " takes 2 characters */
    done(&t);
    assert_int_equal(t_put_bytes("f", text, 0), 0);
    read_every_way(&t, "f", NULL, NULL);
    assert_true(t.st == PERC_OK && t.blocks == 0);
    done(&t);
    free(text);
}

/* New categories appear in every part of the file, in columns 1 and 3. */
TEST(categories_are_numbered_as_they_appear)
{
    FILE *f = fopen("f.csv", "wb");
    struct reading t;

    assert_non_null(f);
    fprintf(f, "colour,size,shape,y\n");
    for (int i = 0; i < 100000; i++)
        fprintf(f, "c%d,%d.5,\"s%d\",%s\n", (i % 100 * 7919 + i / 4000) % 100 + i / 25000 * 3, i,
                i / 10000, i % 2 ? "yes" : "no");
    assert_int_equal(fclose(f), 0);
    read_every_way(&t, "f.csv", NULL, NULL);
    assert_int_equal(t.st, PERC_OK);
    assert_true(t.blocks >= 2);
    const struct schema *s = reader_schema(t.r);
    assert_true(s->categories > 110);
    for (size_t k = 0; k < s->categories; k++) assert_int_equal(s->category[k].feature, 1 + k);
    size_t row = 0;
    for (size_t k = 0; k < t.blocks; k++)
        for (size_t i = 0; i < t.block[k].rows; i++, row++) {
            const struct row r = block_row(&t.block[k], i);
            char shape[16];
            int found = 0;
            snprintf(shape, sizeof shape, "s%d", (int)row / 10000);
            assert_int_equal(block_line(&t.block[k], i), row + 2);
            for (size_t j = 0; j < r.n; j++) {
                const uint64_t c = row_column(&r, j);
                if (c == 0) assert_true(row_value(&r, j) == (double)row + 0.5);
                if (c == 0 || row_value(&r, j) == 0) continue;
                found += s->category[c - 1].column == 0 || !strcmp(s->category[c - 1].text, shape);
            }
            assert_int_equal(found, 2);
        }
    assert_int_equal(row, 100000);
    done(&t);
}

/* ----- bad files --------------------------------------------------------------------------- */

TEST(the_first_fault_is_named_for_any_number_of_threads)
{
    static const struct {
        struct special line[3];
        int64_t where, column;
        const char *complaint;
    } cases[] = {
        { { { 149999, "1 2:1 1:1" } }, 149999, 7, "feature index 1 follows 2" },
        { { { 130000, "1 x" }, { 100000, "1 1:1 2:" }, { 90000, "# fine" } },
          100000,
          9,
          "the value of feature 2 is missing" },
        { { { 120000, "inf 1:1" }, { 149000, "1 :" } }, 120000, 1, "is not a finite number" },
        { { { 80000, "2:2" }, { 5, "# \xff 3" }, { 6, "" } }, 80000, 1, "the label is missing" },
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct reading t;
        put_lines("f", 150000, cases[i].line, 3);
        read_every_way(&t, "f", NULL, NULL);
        assert_refused_at(t.st, PERC_EDATA, &t.err, cases[i].where, cases[i].column,
                          cases[i].complaint);
        done(&t);
    }
}

TEST(a_late_fault_in_a_table_is_named_too)
{
    FILE *f = fopen("f.csv", "wb");
    struct reading t;

    assert_non_null(f);
    fprintf(f, "colour,\"the\nsize\",y\n"); /* a header of two lines */
    for (int i = 3; i <= 200000; i++) {
        if (i == 190000) fprintf(f, "red,oops,1\n");
        else fprintf(f, "c%d,1.25,%d\n", i / 1000, i % 2);
    }
    assert_int_equal(fclose(f), 0);
    read_every_way(&t, "f.csv", NULL, NULL);
    assert_refused_at(t.st, PERC_EDATA, &t.err, 190000, 5, "");
    done(&t);
}

TEST(too_many_labels_are_refused_for_any_number_of_threads)
{
    FILE *f = fopen("f", "wb");
    struct reading t;

    assert_non_null(f);
    for (int i = 0; i < 180000; i++) fprintf(f, "%d 1:1\n", i);
    assert_int_equal(fclose(f), 0);
    read_every_way(&t, "f", NULL, NULL);
    assert_int_equal(t.st, PERC_EDATA);
    assert_non_null(strstr(t.err.text, "more than 100000 different labels"));
    done(&t);
}

TEST(a_line_without_end_is_named_by_its_number)
{
    struct reading t;

    put_lines("f", 70000, NULL, 0);
    assert_int_equal(truncate("f", (off_t)SOURCE_LINE_MAX + (4 << 20)), 0); /* zeros: no line end */
    for (int n = 1; n <= 3; n += 2) {
        read_file(&t, "f", t_option("data", NULL, NULL), n, false);
        assert_int_equal(t.st, PERC_EDATA);
        assert_int_equal(t.err.line, 70001);
        assert_non_null(strstr(t.err.text, "a line of more than 64 MB"));
        done(&t);
    }
}

TEST(a_file_cut_short_gives_its_rows_and_then_the_fault)
{
    struct reading t;
    struct stat info;

    put_lines("f", 200000, NULL, 0);
    if (system("gzip -1 f") != 0) {
        print_message("no gzip here: not tried\n");
        return;
    }
    assert_int_equal(stat("f.gz", &info), 0);
    assert_int_equal(truncate("f.gz", info.st_size * 9 / 10), 0);
    read_file(&t, "f.gz", t_option("data", NULL, NULL), 1, false);
    const bool built_without = strstr(t.err.text, "plain files only") != NULL;
    done(&t);
    if (built_without) return;
    read_every_way(&t, "f.gz", NULL, NULL);
    assert_int_equal(t.st, PERC_EDATA);
    assert_non_null(strstr(t.err.text, "the compressed file is cut short"));
    assert_true(t.blocks >= 3);
    done(&t);
}

/* ----- leaving early -------------------------------------------------------------------------- */

TEST(a_reader_may_be_closed_at_any_time)
{
    static const struct special bad[] = { { 110000, "1 x" } };

    put_lines("f", 200000, bad, 1);
    for (int i = 0; i < THREADS; i++)
        for (int stop = 0; stop < 5; stop += 2) /* before, among and after the blocks */
            for (int round = 0; round < 2; round++) {
                const struct env e = env(threads[i]);
                perc_params *p = t_option("data", NULL, NULL);
                struct reader *r;
                assert_int_equal(reader_open(&e, "f", p, NULL, NULL, NULL, &r, NULL), PERC_OK);
                for (int k = 0; k < stop; k++) {
                    struct block b;
                    bool more;
                    reader_next(r, &b, &more, NULL);
                    block_free(&b);
                }
                reader_close(r);
                perc_params_free(p);
                t_alloc_holds(&heap, 0);
            }
    reader_close(NULL);
}

TEST(what_cannot_be_opened_is_refused)
{
    struct reading t;

    read_file(&t, "absent", t_option("data", NULL, NULL), 3, false);
    assert_int_equal(t.st, PERC_EIO);
    done(&t);
    read_file(&t, ".", t_option("data", NULL, NULL), 3, false);
    assert_int_equal(t.st, PERC_EIO);
    done(&t);
}

/* ----- memory --------------------------------------------------------------------------------- */

/* With several threads one may be refused what it needs to see that the file has ended, and
 * the others have read it: so the sweep ends with the run that was refused nothing. */
TEST(memory_may_run_out_anywhere)
{
    static const char *const paths[] = { "f", "f.csv" };
    static const int some[] = { 1, 3 };

    t_put("f", "1 1:1 2:2.5\nspam 3:1e30\n-1 1:1\n");
    t_put("f.csv", "a,b,y\nu,1,no\nv,2.5,yes\n");
    for (int k = 0; k < 4; k++) {
        bool refused = true;
        long n = 0;
        for (; refused; n++) {
            struct reading t;
            perc_params *p = t_option("data", NULL, NULL);
            t_alloc_again(&heap, n);
            read_file(&t, paths[k / 2], p, some[k % 2], false);
            done(&t); /* only now have all threads ended */
            refused = heap.failed > 0;
            assert_true(t.st == (refused ? PERC_ENOMEM : PERC_OK) ||
                        (t.st == PERC_OK && some[k % 2] > 1));
        }
        assert_true(n > 20); /* guard: it did allocate */
        t_alloc_again(&heap, -1);
    }
}

/* Wherever in the file it happens. */
TEST(no_line_is_to_blame_for_memory)
{
    char *text = malloc(3 << 20);
    bool refused = true;
    long n = 0;

    assert_non_null(text);
    memset(text, '\n', 3 << 20);
    memcpy(text + (3 << 20) - 20, "1 1:1\n2 2:1", 11);
    assert_int_equal(t_put_bytes("f", text, 3 << 20), 0);
    for (; refused; n++) {
        struct reading t;
        perc_params *p = t_option("data", NULL, NULL);
        t_alloc_again(&heap, n);
        read_file(&t, "f", p, 1, false);
        done(&t);
        refused = heap.failed > 0;
        assert_true(t.err.line == 0 && t.err.column == 0);
    }
    t_alloc_again(&heap, -1);
    free(text);
}

/* ----- who wants to know how far it is -------------------------------------------------- */

struct told {
    size_t calls, ends;
    perc_reading last;
};

static void hear(void *ud, const perc_reading *r)
{
    struct told *t = ud;

    assert_true(r->rows >= t->last.rows && r->bytes >= t->last.bytes);
    assert_true(r->of == 0 || r->bytes <= r->of);
    t->calls++;
    t->ends += r->ended != 0;
    t->last = *r;
}

TEST(who_watches_is_told_of_the_bytes_of_the_file_up_to_the_last)
{
    enum { ROWS = 300000, LINE = 15 };
    FILE *f = fopen("long.svm", "w");

    assert_non_null(f);
    for (int i = 0; i < ROWS; i++) fprintf(f, "%d 1:%06d 2:1\n", i % 2, i);
    assert_int_equal(fclose(f), 0);
    for (int k = 0; k < 2; k++) {
        struct told t = { 0 };
        perc_dataset *ds;
        perc_params *p, *other;
        perc_error err;

        assert_int_equal(perc_params_new(NULL, "data", &p, &err), PERC_OK);
        assert_int_equal(perc_params_new(NULL, "averaged", &other, &err), PERC_OK);
        assert_int_equal(perc_params_watch(NULL, hear, &t, &err), PERC_EARG);
        assert_int_equal(perc_params_watch(other, hear, &t, &err), PERC_EARG);
        assert_int_equal(perc_params_watch(p, hear, &t, &err), PERC_OK);
        if (k == 1) assert_int_equal(perc_params_watch(p, NULL, NULL, &err), PERC_OK);
        assert_int_equal(perc_dataset_read(NULL, "long.svm", p, &ds, &err), PERC_OK);
        assert_int_equal(t.ends, k == 0);
        if (k == 0) {
            assert_true(t.calls > 3);
            assert_int_equal(t.last.rows, ROWS);
            assert_int_equal(t.last.of, ROWS * LINE);
            assert_int_equal(t.last.bytes, t.last.of);
        }
        perc_dataset_free(ds);
        perc_params_free(p);
        perc_params_free(other);
    }
    if (unpack_gzip.size == 0 || system("gzip -q long.svm") != 0) return;
    struct told t = { 0 };
    perc_dataset *ds;
    perc_params *p;
    perc_error err;
    assert_int_equal(perc_params_new(NULL, "data", &p, &err), PERC_OK);
    assert_int_equal(perc_params_watch(p, hear, &t, &err), PERC_OK);
    assert_int_equal(perc_dataset_read(NULL, "long.svm.gz", p, &ds, &err), PERC_OK);
    assert_true(t.calls > 3 && t.ends == 1);
    assert_true(t.last.bytes == t.last.of && t.last.of < ROWS * LINE);
    perc_dataset_free(ds);
    perc_params_free(p);
}
