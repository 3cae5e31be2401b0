/* write.c -- a data set as text: LIBSVM, CSV or JSON lines.
 *
 * What is written reads back as the same data set: every value is the shortest
 * decimal that rounds to it, labels have their canonical text, indices keep the
 * base they had. Where a format has no place for something the user would miss
 * (weights, a label with a blank in it), that is an error, not a loss.
 *
 *   libsvm  label index:value ...   zeros are left out; indices from 1, unless
 *           the set was itself LIBSVM text with indices from 0
 *   csv     a header, then all features, weight (if there are weights), label.
 *           One-hot features, words and buckets are written as what they are,
 *           columns of numbers called "colour=red", "body=free", "hash:12": so
 *           each keeps its number.
 *   jsonl   the same names and values as an object a line; no label is null
 *
 * Most values are short decimals kept as mantissa and places (vec/row.h). Their
 * text is made from those two integers, without a search for the shortest: a
 * decimal of up to 15 digits, less its trailing zeros, is the shortest of all
 * that round to the same double, because no two such decimals do. */
#include <string.h>

#include "base/json.h"
#include "base/number.h"
#include "base/utf8.h"
#include "data/dataset.h"

enum {
    OUT_SIZE = 1 << 18,
    ENTRY_MAX = 20 + 1 + NUMBER_TEXT + 1 /* index, colon, value, separator */
};

/* Text on its way into a file. The first failure sticks; it is checked for once a
 * row, and at the end. */
struct text_out {
    struct file_out *file;
    perc_error *err;
    perc_status status;
    char *buf;
    size_t n;
};

static void flush_text(struct text_out *o)
{
    if (o->status == PERC_OK && o->n > 0) o->status = file_write(o->file, o->buf, o->n, o->err);
    o->n = 0;
}

/* Room for n <= OUT_SIZE more characters. */
static char *text_room(struct text_out *o, size_t n)
{
    if (n > OUT_SIZE - o->n) flush_text(o);
    return o->buf + o->n;
}

static void put_char(struct text_out *o, char c)
{
    *text_room(o, 1) = c;
    o->n++;
}

static void put_text(struct text_out *o, const char *s)
{
    for (size_t left = strlen(s); left > 0;) {
        const size_t n = left < OUT_SIZE ? left : OUT_SIZE;
        memcpy(text_room(o, n), s, n);
        o->n += n;
        s += n;
        left -= n;
    }
}

/* ----- numbers: each writes at p and returns the end ---------------------------- */

static unsigned count_digits(uint64_t v)
{
    unsigned n = 1;

    for (; v >= 10000; v /= 10000) n += 4;
    return n + (v >= 10) + (v >= 100) + (v >= 1000);
}

static void put_digits(char *p, uint64_t v, unsigned n)
{
    static const char pair[] = "00010203040506070809"
                               "10111213141516171819"
                               "20212223242526272829"
                               "30313233343536373839"
                               "40414243444546474849"
                               "50515253545556575859"
                               "60616263646566676869"
                               "70717273747576777879"
                               "80818283848586878889"
                               "90919293949596979899";

    for (; n >= 2; v /= 100) memcpy(p + (n -= 2), pair + 2 * (v % 100), 2);
    if (n == 1) *p = (char)('0' + v % 10);
}

static char *put_uint(char *p, uint64_t v)
{
    const unsigned n = count_digits(v);

    put_digits(p, v, n);
    return p + n;
}

/* As number_format writes it; the rare case of an exponent is left to that. */
static char *put_decimal(char *p, uint32_t packed)
{
    uint32_t v = packed & ((1u << DEC_MANTISSA_BITS) - 1);
    unsigned places = packed >> DEC_MANTISSA_BITS & 31;

    for (; places > 0 && v % 10 == 0 && v > 0; places--) v /= 10;
    const unsigned n = count_digits(v);
    if (v > 0 && places >= n + 4) return p + number_format(decimal_unpack(packed), p);

    if (packed >> 29 & 1) *p++ = '-';
    if (places == 0 || v == 0) return put_uint(p, v);
    if (n > places) { /* 12.345: digits, then the last of them move up by one */
        put_digits(p, v, n);
        memmove(p + (n - places) + 1, p + (n - places), places);
        p[n - places] = '.';
        return p + n + 1;
    }
    memcpy(p, "0.0000", 6);
    put_digits(p + 2 + (places - n), v, n);
    return p + 2 + places;
}

static char *put_value(char *p, const struct row *x, size_t k)
{
    uint32_t packed;

    switch (x->values) {
    case VALUES_ONES: *p = '1'; return p + 1;
    case VALUES_U8: return put_uint(p, *((const uint8_t *)x->value + (ptrdiff_t)k * x->stride));
    case VALUES_DEC:
        memcpy(&packed, (const char *)x->value + (ptrdiff_t)k * x->stride, sizeof packed);
        return put_decimal(p, packed);
    default: return p + number_format(row_value(x, k), p);
    }
}

/* ----- LIBSVM ------------------------------------------------------------------- */

static void libsvm_row(struct text_out *o, const struct row *x, const char *label, uint64_t shift,
                       int base)
{
    bool any = label != NULL;

    if (label != NULL) put_text(o, label);
    for (size_t k = 0; k < x->n; k++) {
        if (x->values != VALUES_ONES && row_value(x, k) == 0) continue;
        char *p = text_room(o, ENTRY_MAX);
        if (any) *p++ = ' ';
        p = put_uint(p, row_column(x, k) + shift);
        *p++ = ':';
        p = put_value(p, x, k);
        o->n = (size_t)(p - o->buf);
        any = true;
    }
    /* No label and all zeros: an empty line would not be a row. */
    if (!any) put_text(o, base + (int)shift == 0 ? "0:0" : "1:0");
    put_char(o, '\n');
}

static const char *label_text(const perc_dataset *ds, uint32_t label)
{
    return label != LABEL_NONE ? ds->labels.at[label].text : NULL;
}

static perc_status write_libsvm(const perc_dataset *ds, struct text_out *o)
{
    /* What to add to a column: 1 for sets counted from 0 that never had indices in
     * a file, or whose columns are buckets now. */
    const bool indexed = strcmp(ds->format, "libsvm") == 0 || strcmp(ds->format, "blocks") == 0;
    const uint64_t shift = ds->index_base == 0 && (!indexed || schema_features(&ds->schema) > 0);

    /* A label is one word of the line: it must hold nothing that ends or splits it. */
    for (size_t i = 0; i < ds->labels.n; i++) {
        const char *s = ds->labels.at[i].text;
        if (*s == '\0' || strpbrk(s, " \t\r\n#:") != NULL)
            return fail(o->err, PERC_EDATA, "LIBSVM text cannot hold the label '%s' (write csv)",
                        s);
    }
    for (size_t i = 0; i < ds->blocks; i++)
        if (ds->block[i].weight != NULL)
            return fail(o->err, PERC_EDATA,
                        "LIBSVM text has no place for example weights (write csv or blocks)");
    for (size_t i = 0; i < ds->blocks; i++) {
        const struct block *b = &ds->block[i];
        for (size_t k = 0; k < b->rows && o->status == PERC_OK; k++) {
            const struct row x = block_row(b, k);
            libsvm_row(o, &x, label_text(ds, b->label[k]), shift, ds->index_base);
        }
    }
    return PERC_OK;
}

/* ----- CSV (RFC 4180) ------------------------------------------------------------- */

static void put_cell(struct text_out *o, const char *s)
{
    const size_t n = strlen(s);
    if (!(strpbrk(s, ",\"\r\n") != NULL || (n > 0 && (s[0] == ' ' || s[n - 1] == ' ')))) {
        put_text(o, s);
        return;
    }
    put_char(o, '"');
    for (; *s != '\0'; s++) {
        if (*s == '"') put_char(o, '"');
        put_char(o, *s);
    }
    put_char(o, '"');
}

struct table_shape {
    uint64_t base, features; /* columns base .. base + features - 1 */
    bool weights;
    const char *label; /* name of the label column; NULL: no row has one */
};

/* "label", which the reader looks for first; or, if a feature has that name,
 * what the table had. */
static const char *label_column(const perc_dataset *ds)
{
    const char *own = NULL;
    bool taken = false;

    if (ds->labels.n == 0) return NULL;
    for (size_t i = 0; i < ds->schema.columns; i++) {
        const struct column *c = &ds->schema.column[i];
        if (c->kind == COLUMN_LABEL) own = c->name;
        else if (strcmp(c->name, "label") == 0) taken = true;
    }
    return taken && own != NULL ? own : "label";
}

/* Appends the name of feature j. */
static void feature_name(const perc_dataset *ds, uint64_t j, struct text *out)
{
    if (schema_features(&ds->schema) > 0) schema_name(&ds->schema, j, out);
    else text_fmt(out, "x%llu", (unsigned long long)j + 1);
}

static perc_status shape_table(const perc_dataset *ds, struct table_shape *t, perc_error *err)
{
    *t = (struct table_shape){ .base = (uint64_t)ds->index_base, .label = label_column(ds) };
    t->features = ds->columns > t->base ? ds->columns - t->base : 0;
    if (ds->schema.columns > 0 && schema_features(&ds->schema) > t->features)
        t->features = schema_features(&ds->schema); /* a last feature that is always 0 */
    for (size_t i = 0; i < ds->blocks; i++) t->weights |= ds->block[i].weight != NULL;
    if (t->features > 0 || t->weights || t->label != NULL) return PERC_OK;
    return fail(err, PERC_EDATA, "a data set without features and labels has no columns");
}

/* All the features; what the row does not store is 0. Before each stands its part of `before`. */
struct between {
    const char *text;
    const size_t *end; /* of feature j's part; NULL: all parts but the first are a comma */
};

static void put_features(struct text_out *o, const struct table_shape *t, const struct row *x,
                         const struct between *before)
{
    size_t k = 0;

    for (uint64_t j = 0; j < t->features; j++) {
        if (before->end != NULL) put_text(o, before->text + (j > 0 ? before->end[j - 1] : 0));
        char *p = text_room(o, ENTRY_MAX);
        if (before->end == NULL && j > 0) *p++ = ',';
        if (k < x->n && row_column(x, k) == t->base + j) p = put_value(p, x, k++);
        else *p++ = '0';
        o->n = (size_t)(p - o->buf);
    }
}

static void put_weight(struct text_out *o, double weight)
{
    char *p = text_room(o, NUMBER_TEXT);

    o->n += number_format(weight, p);
}

static perc_status csv_header(const perc_dataset *ds, struct text_out *o,
                              const struct table_shape *t)
{
    struct text name;

    text_init(&name, &ds->e);
    for (uint64_t j = 0; j < t->features && !name.oom; j++) {
        if (j > 0) put_char(o, ',');
        name.len = 0;
        feature_name(ds, j, &name);
        put_cell(o, name.s != NULL && name.len > 0 ? name.s : "");
    }
    if (t->weights) put_text(o, t->features > 0 ? ",weight" : "weight");
    if (t->label != NULL) {
        if (t->features > 0 || t->weights) put_char(o, ',');
        put_cell(o, t->label);
    }
    put_char(o, '\n');
    const bool oom = name.oom;
    text_free(&name);
    return oom ? fail_memory(o->err) : PERC_OK;
}

static perc_status write_csv(const perc_dataset *ds, struct text_out *o)
{
    const struct between comma = { NULL, NULL };
    struct table_shape t;
    perc_status st = shape_table(ds, &t, o->err);

    if (st || (st = csv_header(ds, o, &t))) return st;
    for (size_t i = 0; i < ds->blocks; i++)
        for (size_t k = 0; k < ds->block[i].rows && o->status == PERC_OK; k++) {
            const struct block *b = &ds->block[i];
            const struct row x = block_row(b, k);
            const char *label = label_text(ds, b->label[k]);
            put_features(o, &t, &x, &comma);
            if (t.weights && t.features > 0) put_char(o, ',');
            if (t.weights) put_weight(o, block_weight(b, k));
            if (t.label != NULL && (t.features > 0 || t.weights)) put_char(o, ',');
            if (t.label != NULL && label != NULL) put_cell(o, label);
            put_char(o, '\n');
        }
    return PERC_OK;
}

/* ----- JSON lines ----------------------------------------------------------------- */

/* Appends s as a string of JSON, and what follows it. */
static perc_status add_string(struct text *out, const char *s, const char *after, perc_error *err)
{
    struct json_out o = { .t = out };

    if (!utf8_valid(s))
        return fail(err, PERC_EDATA,
                    "JSON text cannot hold '%.60s', which is not UTF-8 (write csv)", s);
    json_str(&o, s);
    text_str(out, after);
    return PERC_OK;
}

/* Puts the text that stands before the value of each feature into `before`, with a NUL behind each,
 * and its end into end[j]. Then that of the weight and the label. */
static perc_status name_values(const perc_dataset *ds, const struct table_shape *t,
                               struct text *before, size_t *end, perc_error *err)
{
    struct text name;
    perc_status st = PERC_OK;

    text_init(&name, &ds->e);
    for (uint64_t j = 0; j < t->features + 2 && !st && !name.oom; j++) {
        name.len = 0;
        if (j < t->features) feature_name(ds, j, &name);
        else text_str(&name, j == t->features ? "weight" : t->label != NULL ? t->label : "");
        text_char(before, j > 0 && (j < t->features || t->features > 0 || t->weights) ? ',' : '{');
        if (!name.oom) st = add_string(before, name.s, ":", err);
        text_add(before, "", 1);
        end[j] = before->len;
    }
    if (!st && (name.oom || before->oom)) st = fail_memory(err);
    text_free(&name);
    return st;
}

/* The labels as strings, each with a NUL behind it; at[i]: where that of label i begins. */
static perc_status quote_labels(const perc_dataset *ds, struct text *out, size_t *at,
                                perc_error *err)
{
    perc_status st = PERC_OK;

    for (size_t i = 0; i < ds->labels.n && !st; i++) {
        at[i] = out->len;
        st = add_string(out, ds->labels.at[i].text, "", err);
        text_add(out, "", 1);
    }
    return !st && out->oom ? fail_memory(err) : st;
}

static void put_objects(const perc_dataset *ds, struct text_out *o, const struct table_shape *t,
                        const struct between *before, const struct between *labels)
{
    const uint64_t n = t->features;

    for (size_t i = 0; i < ds->blocks; i++)
        for (size_t k = 0; k < ds->block[i].rows && o->status == PERC_OK; k++) {
            const struct block *b = &ds->block[i];
            const struct row x = block_row(b, k);
            const uint32_t label = b->label[k];
            put_features(o, t, &x, before);
            if (t->weights) {
                put_text(o, before->text + (n > 0 ? before->end[n - 1] : 0));
                put_weight(o, block_weight(b, k));
            }
            if (t->label != NULL) {
                put_text(o, before->text + before->end[n]);
                put_text(o, label != LABEL_NONE ? labels->text + labels->end[label] : "null");
            }
            put_text(o, "}\n");
        }
}

static perc_status write_jsonl(const perc_dataset *ds, struct text_out *o)
{
    struct table_shape t;
    struct text before, labels;
    perc_status st = shape_table(ds, &t, o->err);

    if (st) return st;
    text_init(&before, &ds->e);
    text_init(&labels, &ds->e);
    size_t *end = mem_array(&ds->e, t.features + 2, sizeof *end);
    size_t *at = mem_array(&ds->e, ds->labels.n + 1, sizeof *at);
    if (end == NULL || at == NULL) st = fail_memory(o->err);
    if (!st) st = name_values(ds, &t, &before, end, o->err);
    if (!st) st = quote_labels(ds, &labels, at, o->err);
    if (!st)
        put_objects(ds, o, &t, &(struct between){ before.s, end },
                    &(struct between){ labels.s, at });
    mem_free(&ds->e, end, t.features + 2, sizeof *end);
    mem_free(&ds->e, at, ds->labels.n + 1, sizeof *at);
    text_free(&before);
    text_free(&labels);
    return st;
}

/* ----- any of them ----------------------------------------------------------------------- */

perc_status perc_dataset_write(const perc_dataset *ds, const char *path, const char *format,
                               perc_error *err)
{
    NEED(ds != NULL && path != NULL && format != NULL);
    struct file_out file = { 0 };
    struct text_out o = { .file = &file, .err = err };
    static const struct {
        const char *name;
        perc_status (*write)(const perc_dataset *ds, struct text_out *o);
    } formats[] = { { "libsvm", write_libsvm }, { "csv", write_csv }, { "jsonl", write_jsonl } };
    const size_t n = sizeof formats / sizeof *formats;
    size_t i = 0;
    perc_status st;

    if (!map_is_identity(&ds->map))
        return fail(err, PERC_EARG,
                    "products of features are made when they are needed, and not "
                    "written: read the data without --map");
    if (strcmp(format, "blocks") == 0) return blockfile_write(ds, path, err);
    while (i < n && strcmp(format, formats[i].name) != 0) i++;
    if (i == n)
        return fail(err, PERC_EARG, "'%s' is not a format (use libsvm, csv, jsonl or blocks)",
                    format);
    if ((o.buf = mem_array(&ds->e, OUT_SIZE, 1)) == NULL) return fail_memory(err);
    if ((st = file_create(&ds->e, path, &file, err))) goto done;
    if ((st = formats[i].write(ds, &o))) goto done;
    flush_text(&o);
    st = o.status != PERC_OK ? o.status : file_commit(&file, err);
done:
    file_abort(&file); /* nothing to do after a commit */
    mem_free(&ds->e, o.buf, OUT_SIZE, 1);
    return st;
}
