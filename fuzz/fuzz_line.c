/* fuzz_line.c -- any lines into a model that learns from lines.
 *
 * The first byte chooses the model: its learner, LIBSVM or a table, scaling and map.
 * The rest is shown line by line. It must not crash or read outside; a line that is
 * refused or skipped leaves no mark; one that is learned from counts; answers are
 * labels that the model knows. And if the text as a whole is one that the parser of
 * files accepts, every row of it was one here. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "data/csv.h"
#include "data/libsvm.h"
#include "data/source.h"
#include "model/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A large index is as many weights: more than this is not to be had. */
enum { MOST = 1 << 24 };

static void must(int ok)
{
    if (!ok) abort(); /* what the fuzzer looks for */
}

static void *alloc(void *ud, void *p, size_t old, size_t size)
{
    (void)ud, (void)old;
    if (size == 0) {
        free(p);
        return NULL;
    }
    return size <= MOST ? realloc(p, size) : NULL;
}

static perc_params *params(const perc_env *env, const char *table)
{
    perc_params *p;

    must(perc_params_new(env, table, &p, NULL) == PERC_OK);
    return p;
}

/* The model of a table of four columns. */
static void make_table(perc_model *m)
{
    static const char text[] = "size,colour,weight,class\n1,red,1,a\n2,blue,0.5,b\n3,red,1,a\n";
    perc_params *p = params(NULL, "data");
    struct csv c;
    char note[256];

    perc_params_set(p, "weight", "weight", NULL);
    perc_params_set(p, "header", "yes", NULL);
    must(csv_open(&m->e, text, sizeof text - 1, p, NULL, NULL, &c, note, NULL) == PERC_OK);
    must(schema_copy(&m->e, &c.schema, &m->schema) == PERC_OK);
    m->index_base = 0;
    csv_free(&c);
    perc_params_free(p);
}

static perc_model *make_model(const perc_env *env, unsigned choice)
{
    static const char *const algorithm[] = { "perceptron", "averaged", "voted", "pa1" };
    perc_params *p = params(env, algorithm[choice >> 1 & 3]), *data = params(env, "data");
    perc_model *m;

    if (choice & 8) perc_params_set(p, "multiclass", "native", NULL);
    must(perc_model_new(env, p, &m, NULL) == PERC_OK);
    if (choice & 16) perc_params_set(data, "map", "poly:2", NULL);
    if (choice & 32) perc_params_set(data, "scale", "unit", NULL);
    if (choice & 64) perc_params_set(data, "index", "0", NULL);
    if (choice & 128) perc_params_set(data, "unsorted", "true", NULL);
    if (choice & 1) {
        make_table(m);
        perc_params_free(data);
        data = params(env, "data");
        perc_params_set(data, "missing", choice & 16 ? "zero" : "error", NULL);
    }
    must(perc_learn_begin(m, data, NULL) == PERC_OK);
    perc_params_free(p);
    perc_params_free(data);
    return m;
}

/* What a line that is not learned from must not change. */
struct mark {
    struct progress progress;
    int64_t shown;
    size_t labels, votes;
    uint64_t dims, inputs;
    int base;
};

static struct mark mark(const perc_model *m)
{
    struct mark k;

    memset(&k, 0, sizeof k); /* compared as bytes */
    memcpy(&k.progress, &m->learner.progress, sizeof k.progress);
    k.shown = m->learner.shown;
    k.labels = m->learner.labels.n;
    k.votes = machine_updates(m->learner.machine);
    k.dims = m->learner.machine->last.dims;
    k.inputs = m->map.inputs;
    k.base = m->index_base;
    return k;
}

/* Shows a line; false: memory is out. *rows counts those that were rows. */
static bool show(perc_model *m, const char *s, size_t n, size_t *rows)
{
    const struct mark before = mark(m);
    perc_error err = { 0 };
    perc_reply r;
    const perc_status st = perc_learn_line(m, s, n, &r, &err);

    if (st == PERC_ENOMEM) return false;
    must(st == PERC_OK || st == PERC_EDATA);
    must(st == err.status && (err.text[0] != '\0') == (st != PERC_OK));
    must(err.column >= 0 && (size_t)err.column <= n + 1);
    /* What looks like a table's row, the parser alone takes for a label; what is too large for the
     * weights, or for memory, it takes too. */
    *rows += st == PERC_OK ? !r.skipped
                           : strstr(err.text, "row of a table") != NULL ||
                                 strstr(err.text, "no longer be numbers") != NULL ||
                                 strstr(err.text, "line by line takes") != NULL;
    if (st || r.label == NULL) {
        const struct mark after = mark(m);
        must(memcmp(&before, &after, sizeof after) == 0);
    } else {
        must(m->learner.progress.examples == before.progress.examples + 1);
        must(m->learner.progress.mistakes - before.progress.mistakes == (r.mistake != 0));
    }
    if (r.answer != NULL)
        must(labels_find(&m->learner.labels, r.answer, strlen(r.answer)) != LABEL_NONE);
    return true;
}

/* The rows of the text if it is a file that can be read, else SIZE_MAX. */
static size_t rows_of(const struct env *e, unsigned choice, const char *s, size_t n)
{
    const struct libsvm how = { .base = choice & 64 ? INDEX_ZERO : INDEX_ONE,
                                .unsorted = (choice & 128) != 0,
                                .unlabelled = true };
    char *text = malloc(n + SOURCE_PAD);
    struct rows r;

    must(text != NULL);
    if (n > 0) memcpy(text, s, n);
    memset(text + n, '\n', SOURCE_PAD);
    rows_init(&r, e);
    const size_t rows = libsvm_parse(&how, text, n, &r, NULL) == PERC_OK ? r.n : SIZE_MAX;
    rows_free(&r);
    free(text);
    return rows;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const perc_env env = { alloc, NULL, 1 };
    const struct env e = env_resolve(&env);

    if (size < 1) return 0;
    perc_model *m = make_model(&env, data[0]);
    const char *s = (const char *)data + 1, *end = s + size - 1;
    size_t rows = 0;
    bool whole = true;

    const bool marked = size > 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0;
    for (const char *p = s; whole && p < end;) {
        const char *eol = memchr(p, '\n', (size_t)(end - p));
        const size_t n = (size_t)((eol != NULL ? eol : end) - p);
        whole = show(m, p, n, &rows);
        p += n + 1;
    }
    if (whole && !(data[0] & (1 | 16))) { /* a map may refuse what the parser takes */
        if (marked) s += 3;
        const size_t want = rows_of(&e, data[0], s, (size_t)(end - s));
        must(want == SIZE_MAX || want == rows);
    }
    perc_model_free(m);
    return 0;
}
