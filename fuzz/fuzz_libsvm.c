/* fuzz_libsvm.c -- any bytes into the LIBSVM parser.
 *
 * The first byte chooses the options, the rest is the text, in memory of just its
 * size and the pad. It must not crash or read outside; what it accepts must be
 * well-formed rows, which a block gives back to the bit; what it refuses must have
 * a place inside the text. And the fast way (pairs 32 characters at a time) and the
 * slow way (every pair character by character, which is how exact decimals are
 * read) must come to the same, but for numbers that are too long for a proof. With
 * hashing the rows must be as many, each the sums of its buckets. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "data/hashing.h"
#include "data/libsvm.h"
#include "data/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct reading {
    char *text; /* decimals point into it */
    struct rows rows;
    perc_status st;
    perc_error err;
};

static void must(int ok)
{
    if (!ok) abort(); /* what the fuzzer looks for */
}

static int same(double a, double b) /* bits: -0 is not 0 */
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static struct libsvm options(unsigned choice)
{
    static const enum index_base base[] = { INDEX_AUTO, INDEX_ZERO, INDEX_ONE, INDEX_AUTO };

    return (struct libsvm){ .base = base[choice & 3],
                            .unsorted = (choice & 4) != 0,
                            .float32 = (choice & 8) != 0,
                            .for_model = (choice & 16) != 0 };
}

static void read_text(struct reading *t, const struct libsvm *o, const uint8_t *data, size_t size,
                      bool exact)
{
    const struct env e = env_resolve(&(perc_env){ .threads = 1 });

    *t = (struct reading){ .text = malloc(size + SOURCE_PAD) };
    must(t->text != NULL);
    if (size > 0) memcpy(t->text, data, size);
    memset(t->text + size, '\n', SOURCE_PAD);
    rows_init(&t->rows, &e);
    t->rows.exact = exact;
    t->st = libsvm_parse(o, t->text, size, &t->rows, &t->err);
}

static void done(struct reading *t)
{
    rows_free(&t->rows);
    free(t->text);
}

static double value(const struct rows *r, size_t k)
{
    return r->packed ? decimal_unpack(r->dec[k]) : r->value[k];
}

static void check_rows(const struct rows *r, const struct libsvm *o)
{
    for (size_t i = 0; i < r->n; i++) {
        must(r->start[i] <= r->start[i + 1] && r->start[i + 1] <= r->entries);
        must(r->label[i] < r->labels.n || (o->for_model && r->label[i] == LABEL_NONE));
        must(r->line[i] < r->lines && (i == 0 || r->line[i] > r->line[i - 1]));
        for (size_t k = (size_t)r->start[i]; k < r->start[i + 1]; k++) {
            must(isfinite(value(r, k)) && (!o->float32 || isfinite((float)value(r, k))));
            must(r->index[k] > 0 || (r->zero_index && o->base != INDEX_ONE));
            must(k == r->start[i] || r->index[k] > r->index[k - 1]);
        }
    }
}

/* The place of a complaint: a line of the text, and a column of it or just behind. */
static void check_place(const perc_error *err, const char *text, size_t size)
{
    const char *s = text, *end = text + size;

    must(err->status == PERC_EDATA && err->text[0] != '\0' && err->line >= 1 && err->column >= 1);
    for (int64_t i = 1; i < err->line; i++) {
        s = memchr(s, '\n', (size_t)(end - s));
        must(s != NULL);
        s++;
    }
    must(s < end);
    const char *eol = memchr(s, '\n', (size_t)(end - s));
    must(err->column <= (eol != NULL ? eol : end) - s + 1);
}

static void check_agreement(const struct reading *fast, const struct reading *slow, bool sorted)
{
    const struct rows *a = &fast->rows, *b = &slow->rows;

    /* An exponent can be too large for exact decimals and still be that of a double: 0. Then the
     * fast way may go on, or find a fault behind it, or, sorting the row, one of all of it. */
    if (slow->st && strstr(slow->err.text, number_fault_text(NUMBER_LONG)) != NULL) {
        must(fast->st == PERC_OK || fast->err.line > slow->err.line ||
             (fast->err.line == slow->err.line &&
              (fast->err.column >= slow->err.column || (sorted && fast->err.column == 1))));
        return;
    }
    must(fast->st == slow->st);
    if (fast->st) {
        must(fast->err.line == slow->err.line && fast->err.column == slow->err.column);
        must(strcmp(fast->err.text, slow->err.text) == 0);
        return;
    }
    must(a->n == b->n && a->entries == b->entries && a->lines == b->lines);
    must(a->zero_index == b->zero_index && a->labels.n == b->labels.n);
    must(memcmp(a->start, b->start, (a->n + 1) * sizeof *a->start) == 0);
    for (size_t i = 0; i < a->n; i++) must(a->label[i] == b->label[i] && a->line[i] == b->line[i]);
    for (size_t k = 0; k < a->entries; k++) {
        must(a->index[k] == b->index[k] && same(value(a, k), value(b, k)));
        must(same(number_decimal_value(&b->decimal[k]), value(b, k)));
    }
}

/* A block holds every entry, and zeros where it holds more. */
static void check_block(const struct rows *r, bool float32)
{
    struct block b;

    if (r->n == 0) return;
    must(block_from_rows(&r->e, NULL, r, float32, &b) == PERC_OK);
    for (size_t i = 0; i < r->n; i++) {
        const struct row x = block_row(&b, i);
        size_t k = (size_t)r->start[i];
        must(block_line(&b, i) == (int64_t)r->line[i] + 1 && b.label[i] == r->label[i]);
        for (size_t j = 0; j < x.n; j++) {
            const double v = row_value(&x, j);
            if (k == r->start[i + 1] || r->index[k] != row_column(&x, j)) {
                must(v == 0);
                continue;
            }
            must(same(v, float32 ? (double)(float)value(r, k) : value(r, k)));
            k++;
        }
        must(k == r->start[i + 1]);
    }
    block_free(&b);
}

/* The same rows with their indices in buckets: every sum, by looking at each entry. */
static void check_hashed(const struct rows *plain, struct libsvm o, const uint8_t *data,
                         size_t size)
{
    struct reading t;

    o.hash_bits = 2;
    read_text(&t, &o, data, size, false);
    if (t.st) { /* a sum that is too large */
        check_place(&t.err, t.text, size);
        done(&t);
        return;
    }
    must(t.rows.n == plain->n && t.rows.seen.bits == (o.for_model ? 0 : o.hash_bits));
    for (size_t i = 0; i < plain->n; i++) {
        size_t k = (size_t)t.rows.start[i];
        for (uint32_t bucket = 0; bucket < 4; bucket++) {
            size_t n = 0;
            double sum = 0;
            for (size_t j = (size_t)plain->start[i]; j < plain->start[i + 1]; j++) {
                if (hashing_bucket(hashing_index(plain->index[j]), o.hash_bits) != bucket) continue;
                sum = n++ == 0 ? value(plain, j) : sum + value(plain, j);
            }
            if (n == 0) continue;
            must(k < t.rows.start[i + 1] && t.rows.index[k] == bucket);
            must(same(value(&t.rows, k++), sum));
        }
        must(k == t.rows.start[i + 1]);
    }
    done(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct reading fast, slow;

    if (size < 1) return 0;
    const struct libsvm o = options(data[0]);
    read_text(&fast, &o, data + 1, size - 1, false);
    read_text(&slow, &o, data + 1, size - 1, true);
    check_agreement(&fast, &slow, o.unsorted);
    if (fast.st == PERC_OK) {
        check_rows(&fast.rows, &o);
        check_block(&fast.rows, o.float32);
        check_hashed(&fast.rows, o, data + 1, size - 1);
    } else {
        check_place(&fast.err, fast.text, size - 1);
    }
    done(&fast);
    done(&slow);
    return 0;
}
