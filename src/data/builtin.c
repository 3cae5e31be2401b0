/* builtin.c -- the data sets that come with the program: ":xor", ":iris", ...
 *
 * Small ones to look at every step, and two real ones: the tables in src/data/builtin, which the
 * build turns into arrays (scripts/embed). So a built-in set holds exactly the decimals of the file
 * it stands for.
 *
 * The rows of :and, :or, :not, :xor and :xnor are the truth tables, in the orders
 * in which courses show them. :xnor is not in counting order: its two positive
 * rows come first. :square is xnor moved by (1, 1), a worked example in circulation.
 *
 * :blobs85 is made by the generator `blobs` with the values below, a seed chosen
 * so that a line separates the two clouds (at a distance of 0.95 from the nearest
 * points) and that the perceptron needs some 6 to 30 passes to find one, depending
 * on the order in which it meets the rows. */
#include <builtin_files.h> /* made by scripts/embed */
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/spelling.h"
#include "data/dataset.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

/* A table: values with few digits and the label last, without spaces or quotes. */
struct builtin {
    const char *name;
    const void *text; /* NULL: made by a generator */
    size_t size;
    bool named; /* the first line has the names of the columns */
};
#define TEXT(s)    s, sizeof s - 1, false
#define FILE_OF(a) a, sizeof a, true

static const struct builtin builtins[] = {
    { ":and", TEXT("0,0,-1\n0,1,-1\n1,0,-1\n1,1,1\n") },
    { ":or", TEXT("0,0,-1\n0,1,1\n1,0,1\n1,1,1\n") },
    { ":not", TEXT("0,1\n1,-1\n") },
    { ":xor", TEXT("0,0,-1\n0,1,1\n1,0,1\n1,1,-1\n") },
    { ":xnor", TEXT("0,0,1\n1,1,1\n0,1,-1\n1,0,-1\n") },
    { ":square", TEXT("1,1,1\n2,2,1\n1,2,-1\n2,1,-1\n") },
    { ":circles", TEXT("0.9,0.2,1\n1.8,0.1,-1\n-1.6,-0.8,-1\n0.5,0.8,1\n"
                       "1.2,1.3,-1\n-0.6,-1.7,-1\n-0.2,0.9,1\n-0.1,1.8,-1\n"
                       "0.8,-1.6,-1\n-0.8,0.5,1\n-1.3,1.2,-1\n1.7,-0.6,-1\n"
                       "-0.9,-0.2,1\n-1.8,-0.1,-1\n1.6,0.8,-1\n-0.5,-0.8,1\n"
                       "-1.2,-1.3,-1\n0.6,1.7,-1\n0.2,-0.9,1\n0.1,-1.8,-1\n"
                       "-0.8,1.6,-1\n0.8,-0.5,1\n1.3,-1.2,-1\n-1.7,0.6,-1\n") },
    { ":blobs85", NULL, 0, false },
    { ":iris", FILE_OF(iris_csv) },
    { ":cancer", FILE_OF(cancer_csv) },
};

static const struct {
    const char *name, *value;
} blobs85[] = { { "rows", "85" }, { "spread", "2.5" }, { "digits", "3" }, { "seed", "164" } };

/* "17.99,0.3001,benign": every value has few digits, so it goes in as a decimal. Zeros are left
 * out. */
static perc_status put_row(struct rows *r, const char *p, const char *end, uint32_t first)
{
    const char *label = end;
    enum number_fault fault;
    struct decimal d;
    uint32_t id;

    while (label[-1] != ',') label--;
    if (labels_add(&r->labels, label, (size_t)(end - label), &id, NULL) ||
        !rows_reserve(r, 1, (size_t)(end - p) / 2))
        return PERC_ENOMEM;
    for (uint32_t column = first; p < label; column++) {
        p = number_scan_decimal(p, end, &d, &fault) + 1; /* past the comma */
        if (d.mantissa == 0) continue;
        rows_put_decimal(r, column,
                         decimal_pack((uint32_t)d.mantissa, (unsigned)-d.exponent, d.negative));
    }
    rows_end(r, id, 1, (uint32_t)r->n);
    return PERC_OK;
}

/* The names of the columns, up to `end`. */
static perc_status put_names(struct schema *s, const char *p, const char *end)
{
    size_t n = 1;

    for (const char *c = p; c < end; c++) n += *c == ',';
    s->column = mem_zeroed(&s->e, n, sizeof *s->column);
    if (s->column == NULL) return PERC_ENOMEM;
    s->columns = n; /* from here on the schema frees what there is */
    s->header = true;
    s->delimiter = ',';
    s->numeric = (uint32_t)n - 1;
    for (size_t j = 0; j < n; j++, p++) {
        const char *name = p;
        while (p < end && *p != ',') p++;
        s->column[j].kind = j + 1 == n ? COLUMN_LABEL : COLUMN_NUMBER;
        s->column[j].feature = (uint32_t)j;
        s->column[j].name = mem_text(&s->e, name, (size_t)(p - name));
        if (s->column[j].name == NULL) return PERC_ENOMEM;
    }
    return PERC_OK;
}

/* With names the features are columns of a table and count from 0. */
static perc_status make_table(const struct env *e, const struct builtin *b, perc_dataset **out)
{
    const char *p = b->text, *last = p + b->size;
    perc_dataset *ds = NULL;
    struct rows r;
    perc_status st;

    rows_init(&r, e);
    if ((st = dataset_new(e, &ds))) goto done;
    if (b->named) {
        const char *end = memchr(p, '\n', b->size);
        schema_init(&ds->schema, e);
        if ((st = put_names(&ds->schema, p, end))) goto done;
        p = end + 1;
    }
    while (p < last) {
        const char *end = memchr(p, '\n', (size_t)(last - p));
        if ((st = put_row(&r, p, end, b->named ? 0 : 1))) goto done;
        p = end + 1;
    }
    if ((st = dataset_add_rows(ds, &r)) || (st = dataset_sort_labels(ds))) goto done;
    ds->index_base = b->named ? 0 : 1;
    *out = ds; /* the caller's now */
    ds = NULL;
done:
    perc_dataset_free(ds);
    rows_free(&r);
    return st;
}

static perc_status make_blobs85(const struct env *e, perc_dataset **out)
{
    const perc_env env = { e->alloc, e->ud, e->threads };
    const struct table *t = generator_tables;
    perc_params *p;
    perc_status st;

    while (strcmp(t->name, "blobs") != 0) t++;
    if ((st = params_new(e, t, &p))) return st;
    for (size_t i = 0; i < COUNT(blobs85) && st == PERC_OK; i++)
        st = perc_params_set(p, blobs85[i].name, blobs85[i].value, NULL);
    if (st == PERC_OK) st = perc_dataset_generate(&env, p, out, NULL);
    perc_params_free(p);
    return st;
}

const char *builtin_name(size_t i)
{
    return i < COUNT(builtins) ? builtins[i].name : NULL;
}

static const char *next_builtin(void *ud, size_t i)
{
    (void)ud;
    return builtin_name(i);
}

perc_status builtin_read(const struct env *e, const char *name, perc_dataset **out, perc_error *err)
{
    size_t i = 0;

    *out = NULL;
    while (i < COUNT(builtins) && strcmp(builtins[i].name, name) != 0) i++;
    if (i == COUNT(builtins)) {
        char list[128] = "", hint[SPELLING_HINT];
        for (size_t k = 0, n = 0; k < COUNT(builtins) && n < sizeof list; k++)
            n += (size_t)snprintf(list + n, sizeof list - n, " %s", builtins[k].name);
        return fail(err, PERC_EARG, "there is no built-in set '%.40s'%s; there are%s", name,
                    spelling_hint(name, next_builtin, NULL, hint), list);
    }
    /* Only memory can run out: the tables are our own, and tested. */
    if (builtins[i].text != NULL ? make_table(e, &builtins[i], out) : make_blobs85(e, out))
        return fail_memory(err);
    (*out)->format = "builtin";
    return PERC_OK;
}
