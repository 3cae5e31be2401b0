/* blockfile_read.c -- a block file, read and checked.
 *
 * The blocks of the data set point into the copy of the file; blockfile.h has the
 * layout.
 *
 * Why everything is checked. The inner loops (row_dot.c) index the weights with what
 * stands in `index` and step through it as `start` says, without a test, because
 * a parser has made sure of both. A file is not a parser: its checksum shows that
 * it is what somebody wrote, not that they meant well. So one pass over all arrays,
 * on all threads, establishes what the parser would have: rows inside the arrays,
 * columns increasing and below the count, labels that exist, decimals whose
 * places are in the table, finite values. It runs at the speed of memory.
 *
 * What was checked must stay as it is, so the file is read into memory of ours. With the
 * parameter "in-place" it is not, and the caller has promised that nobody touches it: then
 * what another process writes into it leads the loops astray after all.
 *
 * Invariant   a block that was read satisfies everything block.h says.
 * Cost        one walk for the checksum, one for the checks; 4 bytes a row are
 *             copied (labels may be renumbered in memory, the file may not). */
#include "data/blockfile.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/threads.h"

/* ----- reading: what the arrays hold ----------------------------------------- */

/* A row's columns increase, so its first and last say whether all are in range.
 * The inner loops have no early exit, so that they can be vectorised. */
#define DEFINE_INDEX_OK(name, type)                                                        \
    static bool name(const type *index, const uint64_t *start, size_t rows, uint64_t base, \
                     uint64_t columns)                                                     \
    {                                                                                      \
        bool bad = false;                                                                  \
        for (size_t i = 0; i < rows; i++) {                                                \
            const uint64_t a = start[i], b = start[i + 1];                                 \
            if (a == b) continue;                                                          \
            bad |= index[a] < base || index[b - 1] >= columns;                             \
            for (uint64_t k = a + 1; k < b; k++) bad |= index[k] <= index[k - 1];          \
        }                                                                                  \
        return !bad;                                                                       \
    }
DEFINE_INDEX_OK(index16_ok, uint16_t)
DEFINE_INDEX_OK(index32_ok, uint32_t)
DEFINE_INDEX_OK(index64_ok, uint64_t)

static bool index_ok(const struct block *b, uint64_t base)
{
    switch (b->indices) {
    case INDEX_U16: return index16_ok(b->index, b->start, b->rows, base, b->columns);
    case INDEX_U32: return index32_ok(b->index, b->start, b->rows, base, b->columns);
    default: return index64_ok(b->index, b->start, b->rows, base, b->columns);
    }
}

static bool doubles_ok(const double *v, uint64_t n, double min)
{
    bool bad = false;

    for (uint64_t k = 0; k < n; k++) bad |= !(v[k] >= min && v[k] <= DBL_MAX);
    return !bad;
}

static bool values_ok(const struct block *b, uint64_t n)
{
    const uint32_t *decimal = b->value;
    const float *single = b->value;
    bool bad = false;

    switch (b->values) {
    case VALUES_DEC: /* places 0 .. 22, bits 30 and 31 clear */
        for (uint64_t k = 0; k < n; k++)
            bad |= (decimal[k] >> DEC_MANTISSA_BITS & 31) > DEC_PLACES_MAX || decimal[k] >> 30 != 0;
        return !bad;
    case VALUES_F32:
        for (uint64_t k = 0; k < n; k++) bad |= !(fabsf(single[k]) <= FLT_MAX); /* NaN too */
        return !bad;
    case VALUES_F64: return doubles_ok(b->value, n, -DBL_MAX);
    default: return true; /* any byte is a value */
    }
}

/* ----- reading ------------------------------------------------------------------ */

struct decoder {
    const struct tensors *t;
    perc_dataset *ds;    /* index base, columns and labels are set */
    struct block *block; /* n of them */
    const char **fault;  /* n: what is wrong with the block, or NULL */
    size_t n;
    perc_error *err;
};

/* Whether values that are no numbers are all gaps, which the schema says how to fill. */
static bool gaps_ok(const struct block *b, const struct schema *s)
{
    bool ok = schema_measures_gaps(s);

    for (size_t i = 0; i < b->rows && ok; i++) {
        const struct row r = block_row(b, i);
        for (size_t k = 0; k < r.n && ok; k++) {
            const double x = row_value(&r, k);
            ok = fabs(x) <= DBL_MAX || (isnan(x) && schema_fills_feature(s, row_column(&r, k)));
        }
    }
    return ok;
}

/* One block, after its arrays were found to have the lengths it claims. */
static void check_block(void *ud, uint64_t k)
{
    struct decoder *d = ud;
    const struct block *b = &d->block[k];
    const char **fault = &d->fault[k];
    uint64_t entries = b->rows * b->width;
    bool bad = false;

    if (b->indices != INDEX_DENSE) {
        entries = b->nonzeros;
        bad = b->start[0] != 0 || b->start[b->rows] != entries;
        for (size_t i = 0; i < b->rows; i++) bad |= b->start[i] > b->start[i + 1];
        if (bad) {
            *fault = "rows do not follow one another"; /* index_ok must not follow them */
            return;
        }
        if (!index_ok(b, (uint64_t)d->ds->index_base))
            *fault = "columns do not increase or are out of range";
    }
    if (!values_ok(b, entries) && !(*fault == NULL && gaps_ok(b, &d->ds->schema)))
        *fault = "a value is not a finite number";
    const size_t labels = d->ds->labels.n;
    for (size_t i = 0; i < b->rows; i++) bad |= b->label[i] >= labels && b->label[i] != LABEL_NONE;
    if (bad) *fault = "a label is out of range";
    if (b->weight != NULL && !doubles_ok(b->weight, b->rows, 0))
        *fault = "a weight is negative or not finite";
}

/* Array `what` of block k, which must have this type and length. */
static perc_status find_array(const struct decoder *d, size_t k, const char *what, enum dtype type,
                              uint64_t count, const void **out)
{
    char name[TENSOR_NAME];

    blockfile_name(name, k, what);
    const struct tensor *one = tensors_find(d->t, name);
    if (one == NULL) return fail(d->err, PERC_EDATA, "tensor '%s' is missing", name);
    if (one->type != type || one->dims != 1 || one->count != count)
        return fail(d->err, PERC_EDATA, "tensor '%s' does not match its block in type or length",
                    name);
    *out = one->data;
    return PERC_OK;
}

/* The same for an array that may be missing: *out is NULL then. */
static perc_status find_optional(const struct decoder *d, size_t k, const char *what,
                                 enum dtype type, uint64_t count, const void **out)
{
    char name[TENSOR_NAME];

    blockfile_name(name, k, what);
    *out = NULL;
    if (tensors_find(d->t, name) == NULL) return PERC_OK;
    return find_array(d, k, what, type, count, out);
}

/* The facts of one block into *b, as far as they can be judged without arrays. */
static perc_status read_facts(const struct decoder *d, size_t k, const uint64_t *fact,
                              struct block *b)
{
    const bool dense = fact[FACT_INDICES] == INDEX_DENSE;
    const uint64_t first = fact[FACT_FIRST], width = fact[FACT_WIDTH];
    uint64_t entries, end;
    bool bad = fact[FACT_ROWS] == 0 || fact[FACT_ROWS] > UINT32_MAX ||
               fact[FACT_VALUES] > VALUES_F64 || fact[FACT_INDICES] > INDEX_U64 ||
               fact[FACT_FIRST_LINE] > TENSORS_COUNT_MAX || fact[FACT_COLUMNS] > d->ds->columns;

    if (dense)
        bad |= fact[FACT_VALUES] == VALUES_ONES || __builtin_add_overflow(first, width, &end) ||
               end > fact[FACT_COLUMNS] || (width > 0 && first < (uint64_t)d->ds->index_base) ||
               __builtin_mul_overflow(fact[FACT_ROWS], width, &entries) ||
               entries > PTRDIFF_MAX / 8 || fact[FACT_NONZEROS] > entries;
    else bad |= first != 0 || width != 0;
    if (bad)
        return fail(d->err, PERC_EDATA,
                    "the numbers that describe block %zu contradict one another", k);

    *b = (struct block){ .e = d->ds->e,
                         .rows = (size_t)fact[FACT_ROWS],
                         .values = (unsigned char)fact[FACT_VALUES],
                         .indices = (unsigned char)fact[FACT_INDICES],
                         .first = first,
                         .width = width,
                         .first_line = (int64_t)fact[FACT_FIRST_LINE],
                         .columns = fact[FACT_COLUMNS],
                         .nonzeros = fact[FACT_NONZEROS] };
    if (dense) {
        b->stride = (ptrdiff_t)tensors_dtype_size(blockfile_values[b->values]);
        b->row_stride = (ptrdiff_t)width * b->stride;
    }
    return PERC_OK;
}

static perc_status read_block(const struct decoder *d, size_t k, const uint64_t *fact,
                              struct block *b)
{
    const void *start = NULL, *line = NULL;
    perc_status st;

    if ((st = read_facts(d, k, fact, b))) return st;
    const bool dense = b->indices == INDEX_DENSE;
    const uint64_t entries = dense ? b->rows * b->width : b->nonzeros;
    if (b->values != VALUES_ONES)
        st = find_array(d, k, "value", blockfile_values[b->values], entries, &b->value);
    if (!st && !dense)
        st = find_array(d, k, "index", blockfile_indices[b->indices], entries, &b->index);
    if (!st && !dense) st = find_array(d, k, "start", DTYPE_U64, (uint64_t)b->rows + 1, &start);
    if (!st) st = find_optional(d, k, "line", DTYPE_U32, b->rows, &line);
    if (!st && line != NULL && b->first_line == 0)
        st = fail(d->err, PERC_EDATA, "block %zu has lines but no first line", k);
    if (st) return st;
    b->start = start;
    b->line = line;
    /* Labels and weights are copied: block.h lets them be changed, a mapped file does not. */
    const size_t rows = b->rows;
    const void *label = NULL, *weight = NULL;

    if ((st = find_array(d, k, "label", DTYPE_U32, rows, &label))) return st;
    if ((st = find_optional(d, k, "weight", DTYPE_F64, rows, &weight))) return st;
    const size_t weights = weight != NULL ? rows * sizeof(double) : 0;
    char *memory = mem_array(&b->e, weights + rows * sizeof(uint32_t), 1);
    if (memory == NULL) return fail_memory(d->err);
    b->memory = memory;
    b->memory_size = weights + rows * sizeof(uint32_t);
    if (weight != NULL) b->weight = memcpy(memory, weight, weights);
    b->label = memcpy(memory + weights, label, rows * sizeof(uint32_t));
    return PERC_OK;
}

static perc_status read_labels(const struct tensors *t, struct labels *l, perc_error *err)
{
    const char *text = tensors_get(t, "labels");
    struct json j;
    enum json_kind kind = JSON_ERROR;
    perc_status st = PERC_OK;

    if (text == NULL) return fail(err, PERC_EDATA, "metadata 'labels' is missing");
    json_begin(&j, text, strlen(text));
    if (json_next(&j) != JSON_ARRAY) st = PERC_EDATA;
    while (!st && (kind = json_next(&j)) != JSON_ARRAY_END) {
        const size_t n = l->n;
        uint32_t id;
        char *s;
        if (!(st = json_read_bytes(&j, kind, &l->e, &s)))
            st = labels_add(l, s, strlen(s), &id, NULL);
        if (!st && l->n == n) st = PERC_EDATA;
        mem_free_text(&l->e, s);
    }
    if (!st && json_next(&j) != JSON_END) st = PERC_EDATA;
    if (!st) {
        /* Labels must be as labels_sort leaves them: the sign of a model depends on it. */
        uint32_t *map = mem_array(&l->e, l->n, sizeof *map);
        st = map != NULL ? labels_sort(l, map) : PERC_ENOMEM;
        for (size_t i = 0; i < l->n && !st; i++)
            if (map[i] != i) st = PERC_EDATA;
        mem_free(&l->e, map, l->n, sizeof *map);
    }
    if (st == PERC_ENOMEM) return fail_memory(err);
    return st ? fail(err, PERC_EDATA, "metadata 'labels' is not a sorted list of labels") : st;
}

/* What the blocks share. */
static perc_status read_shared(const struct tensors *t, perc_dataset *ds, int64_t *rows,
                               perc_error *err)
{
    const char *schema = tensors_get(t, "schema");
    int64_t columns, base, hashed, shared;
    perc_status st;

    if ((st = tensors_format(t, BLOCKFILE_FORMAT, BLOCKFILE_VERSION, err)) ||
        (st = tensors_get_int(t, "rows", 0, TENSORS_COUNT_MAX, rows, err)) ||
        (st = tensors_get_int(t, "columns", 0, INT64_MAX / 16, &columns, err)) ||
        (st = tensors_get_int(t, "index_base", 0, 1, &base, err)) ||
        (st = read_labels(t, &ds->labels, err)))
        return st;
    ds->columns = (uint64_t)columns;
    ds->index_base = (int)base;
    ds->format = "blocks";
    if (schema == NULL) return PERC_OK;
    if ((st = schema_from_json(&ds->e, schema, strlen(schema), &ds->schema, err))) return st;
    if (ds->schema.hash_bits == 0) return PERC_OK;
    const int64_t most = (int64_t)1 << ds->schema.hash_bits;
    if ((st = tensors_get_int(t, "hashed", 0, most, &hashed, err)) ||
        (st = tensors_get_int(t, "collisions", 0, hashed, &shared, err)))
        return st;
    ds->hashed = (uint64_t)hashed;
    ds->collisions = (uint64_t)shared;
    return PERC_OK;
}

static perc_status read_blocks(struct decoder *d)
{
    const struct tensor *facts = tensors_find(d->t, "blocks");
    perc_status st = PERC_OK;

    if (facts == NULL || facts->type != DTYPE_U64 || facts->dims != 2 || facts->shape[1] != FACTS)
        return fail(d->err, PERC_EDATA, "tensor 'blocks' is missing or has the wrong shape");
    d->block = mem_zeroed(&d->ds->e, (size_t)facts->shape[0], sizeof *d->block);
    d->fault = mem_zeroed(&d->ds->e, (size_t)facts->shape[0], sizeof *d->fault);
    d->n = (size_t)facts->shape[0];
    if (d->block == NULL || d->fault == NULL) return fail_memory(d->err);
    for (size_t k = 0; k < d->n && !st; k++)
        st = read_block(d, k, (const uint64_t *)facts->data + k * FACTS, &d->block[k]);
    if (st) return st;
    threads_each(d->ds->e.threads, d->n, check_block, d);
    for (size_t k = 0; k < d->n; k++) /* the first fault, whichever thread found it */
        if (d->fault[k] != NULL) return fail(d->err, PERC_EDATA, "block %zu: %s", k, d->fault[k]);
    for (size_t k = 0; k < d->n; k++)
        if (dataset_append(d->ds, &d->block[k])) return fail_memory(d->err);
    return PERC_OK;
}

perc_status blockfile_decode(const struct env *e, struct tensors *t, perc_dataset **out,
                             perc_error *err)
{
    struct decoder d = { .t = t, .err = err };
    int64_t rows = 0;
    perc_status st;

    *out = NULL;
    if (dataset_new(e, &d.ds)) return fail_memory(err);
    st = read_shared(t, d.ds, &rows, err);
    if (!st) st = read_blocks(&d);
    if (!st && d.ds->rows != (uint64_t)rows)
        st = fail(err, PERC_EDATA, "the blocks have %llu rows, not %lld",
                  (unsigned long long)d.ds->rows, (long long)rows);

    for (size_t k = 0; d.block != NULL && k < d.n; k++) block_free(&d.block[k]);
    mem_free(e, d.block, d.n, sizeof *d.block);
    mem_free(e, d.fault, d.n, sizeof *d.fault);
    if (st) {
        perc_dataset_free(d.ds);
        return st;
    }
    d.ds->bytes = t->file.size;
    d.ds->file = t->file; /* given back with the data set from here on */
    t->file = (struct file_map){ .e = *e };
    *out = d.ds;
    return PERC_OK;
}

perc_status blockfile_read(const struct env *e, const char *path, bool mapped, perc_dataset **out,
                           perc_error *err)
{
    struct tensors t;
    struct file_map file;
    perc_status st;

    *out = NULL;
    if ((st = (mapped ? file_map : file_load)(e, path, &file, err))) return st;
    if ((st = tensors_take(e, &file, &t, err))) return st;
    st = blockfile_decode(e, &t, out, err);
    tensors_free(&t);
    return st;
}

bool blockfile_is(const char *text, size_t len)
{
    /* Any file of the container: a model given as data then gets a clear answer. */
    return tensors_look_like(text, len);
}
