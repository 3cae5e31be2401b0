/* builtin.c -- the data sets that come with the program: ":xor", ":iris", ...
 *
 * Small ones to look at every step, and two real ones. They are kept as text, a
 * string a row: the number of the class, then the values, as printed in the
 * source. So a built-in set holds exactly the decimals of the file it stands for.
 *
 * The rows of :and, :or, :not, :xor and :xnor are the truth tables, in the orders
 * in which courses show them. :xnor is not in counting order: its two positive
 * rows come first.
 *
 * :blobs85 is made by the generator `blobs` with the values below, a seed chosen
 * so that a line separates the two clouds (at a distance of 0.95 from the nearest
 * points) and that the perceptron needs some 6 to 30 passes to find one, depending
 * on the order in which it meets the rows. */
#include <string.h>

#include "base/number.h"
#include "data/builtin_cancer.h"
#include "data/builtin_iris.h"
#include "data/dataset.h"

static const char *const and_rows[] = { "0 0 0", "0 0 1", "0 1 0", "1 1 1" };
static const char *const or_rows[] = { "0 0 0", "1 0 1", "1 1 0", "1 1 1" };
static const char *const not_rows[] = { "1 0", "0 1" };
static const char *const xor_rows[] = { "0 0 0", "1 0 1", "1 1 0", "0 1 1" };
static const char *const xnor_rows[] = { "1 0 0", "1 1 1", "0 0 1", "0 1 0" };
static const char *const signs[] = { "-1", "1" };

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

struct builtin {
    const char *name;
    const char *const *row; /* NULL: made by a generator */
    size_t rows;
    const char *const *label; /* sorted, as a data set wants them */
    size_t labels;
    const char *const *column; /* the features', then the label's; NULL: no names */
    size_t columns;
};

static const struct builtin builtins[] = {
    { ":and", and_rows, COUNT(and_rows), signs, 2, NULL, 0 },
    { ":or", or_rows, COUNT(or_rows), signs, 2, NULL, 0 },
    { ":not", not_rows, COUNT(not_rows), signs, 2, NULL, 0 },
    { ":xor", xor_rows, COUNT(xor_rows), signs, 2, NULL, 0 },
    { ":xnor", xnor_rows, COUNT(xnor_rows), signs, 2, NULL, 0 },
    { ":blobs85", NULL, 0, NULL, 0, NULL, 0 },
    { ":iris", iris_rows, COUNT(iris_rows), iris_labels, COUNT(iris_labels), iris_names,
      COUNT(iris_names) },
    { ":cancer", cancer_rows, COUNT(cancer_rows), cancer_labels, COUNT(cancer_labels), cancer_names,
      COUNT(cancer_names) }
};

static const struct {
    const char *name, *value;
} blobs85[] = { { "rows", "85" }, { "spread", "2.5" }, { "digits", "3" }, { "seed", "164" } };

/* "1 17.99 0.3001": every value has few digits, so it goes in as a decimal. Zeros
 * are left out. With names the features are columns of a table and count from 0. */
static void put_row(struct rows *r, const char *s, uint32_t first, uint32_t i)
{
    const char *end = s + strlen(s), *p = s + 1;
    enum number_fault fault;
    struct decimal d;

    for (uint32_t column = first; p < end; column++) {
        p = number_scan_decimal(p + 1, end, &d, &fault);
        if (d.mantissa == 0) continue;
        rows_put_decimal(r, column,
                         decimal_pack((uint32_t)d.mantissa, (unsigned)-d.exponent, d.negative));
    }
    rows_end(r, (uint32_t)(*s - '0'), 1, i);
}

static perc_status put_rows(const struct builtin *b, struct rows *r)
{
    uint32_t id;

    for (size_t c = 0; c < b->labels; c++)
        if (labels_add(&r->labels, b->label[c], strlen(b->label[c]), &id, NULL)) return PERC_ENOMEM;
    for (size_t i = 0; i < b->rows; i++) {
        if (!rows_reserve(r, 1, strlen(b->row[i]) / 2)) return PERC_ENOMEM;
        put_row(r, b->row[i], b->columns > 0 ? 0 : 1, (uint32_t)i);
    }
    return PERC_OK;
}

static perc_status put_names(const struct builtin *b, struct schema *s)
{
    s->column = mem_zeroed(&s->e, b->columns, sizeof *s->column);
    if (s->column == NULL) return PERC_ENOMEM;
    s->columns = b->columns; /* from here on the schema frees what there is */
    s->header = true;
    s->delimiter = ',';
    s->numeric = (uint32_t)b->columns - 1;
    for (size_t j = 0; j < b->columns; j++) {
        const bool label = j + 1 == b->columns;
        s->column[j].kind = label ? COLUMN_LABEL : COLUMN_NUMBER;
        s->column[j].feature = label ? 0 : (uint32_t)j;
        s->column[j].name = mem_text(&s->e, b->column[j], strlen(b->column[j]));
        if (s->column[j].name == NULL) return PERC_ENOMEM;
    }
    return PERC_OK;
}

static perc_status make_table(const struct env *e, const struct builtin *b, perc_dataset **out)
{
    perc_dataset *ds = NULL;
    struct rows r;
    perc_status st;

    rows_init(&r, e);
    if ((st = dataset_new(e, &ds)) || (st = put_rows(b, &r))) goto done;
    if (b->columns > 0) {
        schema_init(&ds->schema, e);
        if ((st = put_names(b, &ds->schema))) goto done;
    }
    if ((st = dataset_add_rows(ds, &r))) goto done;
    ds->index_base = b->columns > 0 ? 0 : 1;
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

static perc_status unknown(const char *name, perc_error *err)
{
    char list[128] = "";
    size_t n = 0;

    for (size_t i = 0; i < COUNT(builtins); i++) {
        const size_t len = strlen(builtins[i].name);
        if (n + len + 2 > sizeof list) break;
        list[n++] = ' ';
        memcpy(list + n, builtins[i].name, len + 1);
        n += len;
    }
    return fail(err, PERC_EARG, "there is no built-in set '%.40s'; there are%s", name, list);
}

perc_status builtin_read(const struct env *e, const char *name, perc_dataset **out, perc_error *err)
{
    const double begun = clock_seconds();
    size_t i = 0;

    *out = NULL;
    while (i < COUNT(builtins) && strcmp(builtins[i].name, name) != 0) i++;
    if (i == COUNT(builtins)) return unknown(name, err);
    /* Nothing but memory can fail: the tables are our own, and tested. */
    if (builtins[i].row != NULL ? make_table(e, &builtins[i], out) : make_blobs85(e, out))
        return fail_memory(err);
    (*out)->format = "builtin";
    (*out)->seconds = clock_seconds() - begun;
    return PERC_OK;
}
