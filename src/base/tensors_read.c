/* tensors_read.c -- reads a safetensors file as if an enemy had written it.
 *
 * Nothing in the header is believed before it has been compared with something
 * known: lengths with the size of the file, a shape with its offsets, the offsets
 * with one another (they must tile the data exactly: two arrays that overlap, or
 * bytes that belong to nobody, are refused), names with each other. The checksum
 * comes on top of this and not instead of it: it finds accidents, but whoever
 * forges a file can compute it as well as we can. What the arrays *mean* is
 * checked by whoever asked for them (model/file.c, data/blockfile_read.c).
 *
 * Cost        O(header log n) for n tensors, whatever their names; then one walk
 *             over the file for the checksum.
 * Invariants  afterwards tensor[] is sorted by name and meta[] by key, no two are
 *             equal, and data[0 .. count) lies inside the file, aligned. */
#include "base/tensors.h"

#include <string.h>

#include "base/hash.h"
#include "base/json.h"
#include "base/sort.h"

_Static_assert(sizeof(struct tensor) <= SORT_ITEM, "tensors are sorted by name");

/* ----- reading: the header ------------------------------------------------ */

struct tensors_reader {
    struct tensors *t;
    struct json j;
    const unsigned char *file, *data; /* data: past the header */
    size_t size;                      /* of the file */
    uint64_t room;                    /* bytes of data */
    const char *digits;               /* of the checksum, in the header */
    bool metadata;                    /* it was there */
    perc_error *err;
};

/* The token is not what the format asks for. */
static perc_status misplaced(struct tensors_reader *r, const char *what)
{
    return fail(r->err, PERC_EDATA, "the header is damaged near byte %zu: %s",
                TENSORS_LENGTH + json_offset(&r->j), r->j.reason != NULL ? r->j.reason : what);
}

/* "key.hex" with the hex of some bytes becomes "key" with the bytes. Takes over
 * both texts. */
static perc_status store_meta(struct tensors_reader *r, char *key, char *value)
{
    const size_t tail = strlen(TENSORS_HEX), n = key != NULL ? strlen(key) : 0;
    const struct env *e = &r->t->e;
    perc_status st;

    if (value == NULL || n < tail || strcmp(key + n - tail, TENSORS_HEX) != 0)
        return tensors_push_meta(r->t, key, value) ? fail_memory(r->err) : PERC_OK;
    char *bytes, *name = mem_text(e, key, n - tail);
    st = json_unhex(e, value, &bytes);
    mem_free_text(e, key);
    mem_free_text(e, value);
    if (st != PERC_EDATA) return tensors_push_meta(r->t, name, bytes) ? fail_memory(r->err) : st;
    mem_free_text(e, name);
    return misplaced(r, "a hexadecimal value has invalid characters");
}

static perc_status read_metadata(struct tensors_reader *r)
{
    enum json_kind kind;
    perc_status st;

    if (r->metadata) return misplaced(r, "__metadata__ appears twice");
    r->metadata = true;
    if (json_next(&r->j) != JSON_OBJECT) return misplaced(r, "__metadata__ must be an object");
    while ((kind = json_next(&r->j)) == JSON_KEY) {
        const bool checksum = json_is(&r->j, TENSORS_CHECKSUM);
        char *key = json_text(&r->j, &r->t->e);
        if (json_next(&r->j) != JSON_STRING) {
            mem_free_text(&r->t->e, key);
            return misplaced(r, "a metadata value must be a string");
        }
        if (checksum && r->j.len == TENSORS_DIGITS) r->digits = r->j.text;
        if ((st = store_meta(r, key, json_text(&r->j, &r->t->e)))) return st;
    }
    return kind == JSON_OBJECT_END ? PERC_OK : misplaced(r, "expected a key");
}

/* Up to `max` whole numbers in brackets. */
static perc_status read_numbers(struct tensors_reader *r, uint64_t *out, int max, int *count)
{
    enum json_kind kind;

    *count = 0;
    if (json_next(&r->j) != JSON_ARRAY) return misplaced(r, "expected an array");
    while ((kind = json_next(&r->j)) == JSON_NUMBER) {
        if (*count == max) return misplaced(r, "too many numbers");
        if (!json_uint(&r->j, &out[(*count)++]))
            return misplaced(r, "expected a whole number of at least 0");
    }
    return kind == JSON_ARRAY_END ? PERC_OK : misplaced(r, "expected a number");
}

static perc_status read_dtype(struct tensors_reader *r, enum dtype *out)
{
    if (json_next(&r->j) != JSON_STRING) return misplaced(r, "dtype must be a string");
    char *name = json_text(&r->j, &r->t->e);
    if (name == NULL) return fail_memory(r->err);
    const bool known = tensors_dtype_named(name, out);
    mem_free_text(&r->t->e, name);
    return known ? PERC_OK : misplaced(r, "an unknown dtype");
}

/* {"dtype":..., "shape":[...], "data_offsets":[...]}: each once, in any order. */
static perc_status read_tensor(struct tensors_reader *r, struct tensor *one)
{
    enum { DTYPE = 1, SHAPE = 2, OFFSETS = 4, ALL = 7 };
    uint64_t offset[2] = { 0, 0 };
    unsigned seen = 0, field;
    int n = 0;
    enum json_kind kind;
    perc_status st;

    if (json_next(&r->j) != JSON_OBJECT) return misplaced(r, "a tensor must be an object");
    while ((kind = json_next(&r->j)) == JSON_KEY) {
        if (json_is(&r->j, "dtype")) {
            field = DTYPE;
            st = read_dtype(r, &one->type);
        } else if (json_is(&r->j, "shape")) {
            field = SHAPE;
            st = read_numbers(r, one->shape, TENSOR_DIMS, &one->dims);
            if (!st && one->dims == 0) st = misplaced(r, "expected a shape of 1 or 2 numbers");
        } else if (json_is(&r->j, "data_offsets")) {
            field = OFFSETS;
            st = read_numbers(r, offset, 2, &n);
            if (!st && n != 2) st = misplaced(r, "expected two offsets");
        } else {
            return misplaced(r, "expected dtype, shape or data_offsets");
        }
        if (st) return st;
        if (seen & field) return misplaced(r, "a field appears twice");
        seen |= field;
    }
    if (kind != JSON_OBJECT_END || seen != ALL)
        return misplaced(r, "a tensor needs dtype, shape and data_offsets");
    /* Shape, offsets and the size of the file must tell the same story. */
    const size_t size = tensors_dtype_size(one->type);
    uint64_t bytes;
    one->count = one->shape[0];
    if ((one->dims == 2 && __builtin_mul_overflow(one->count, one->shape[1], &one->count)) ||
        __builtin_mul_overflow(one->count, (uint64_t)size, &bytes) || offset[0] > offset[1] ||
        offset[1] - offset[0] != bytes)
        return fail(r->err, PERC_EDATA, "tensor '%s' has a shape that does not match its offsets",
                    one->name);
    if (offset[1] > r->room)
        return fail(
            r->err, PERC_EDATA,
            "the file is cut off: tensor '%s' needs %llu bytes more (make or copy it again)",
            one->name, (unsigned long long)(offset[1] - r->room));
    one->data = r->data + offset[0];
    if ((uintptr_t)one->data % size != 0)
        return fail(r->err, PERC_EDATA, "tensor '%s' is not aligned to its elements", one->name);
    return PERC_OK;
}

static perc_status read_header(struct tensors_reader *r)
{
    enum json_kind kind;
    perc_status st;

    if (json_next(&r->j) != JSON_OBJECT) return misplaced(r, "expected an object");
    while ((kind = json_next(&r->j)) == JSON_KEY) {
        if (json_is(&r->j, TENSORS_METADATA)) {
            if ((st = read_metadata(r))) return st;
            continue;
        }
        struct tensor *one = tensors_push(r->t);
        char *name = one != NULL ? json_text(&r->j, &r->t->e) : NULL;
        if (name == NULL) return fail_memory(r->err);
        const size_t len = strlen(name);
        if (len < TENSOR_NAME) memcpy(one->name, name, len + 1);
        mem_free_text(&r->t->e, name);
        if (len >= TENSOR_NAME) return misplaced(r, "the name of a tensor is too long");
        if ((st = read_tensor(r, one))) return st;
    }
    if (kind != JSON_OBJECT_END) return misplaced(r, "expected a key");
    return json_next(&r->j) == JSON_END ? PERC_OK : misplaced(r, "only spaces may follow the }");
}

/* ----- reading: the whole -------------------------------------------------- */

/* By place; of two at the same place, an empty one comes first. */
static int by_place(const void *a, const void *b)
{
    const struct tensor *x = a, *y = b;
    const uintptr_t p = (uintptr_t)x->data, q = (uintptr_t)y->data;

    if (p != q) return p < q ? -1 : 1;
    return (x->count > 0) - (y->count > 0);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct tensor *)a)->name, ((const struct tensor *)b)->name);
}

static int by_key(const void *a, const void *b) /* the key is the first member */
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The arrays, in the order of their places, must tile the data. */
static perc_status check_tiling(struct tensors_reader *r)
{
    struct tensors *t = r->t;
    const unsigned char *p = r->data;

    sort_items(t->tensor, t->n, sizeof *t->tensor, by_place);
    for (size_t i = 0; i < t->n; i++) {
        const struct tensor *one = &t->tensor[i];
        if (one->data != p)
            return fail(r->err, PERC_EDATA, "tensor '%s' %s", one->name,
                        (const unsigned char *)one->data < p ? "overlaps another"
                                                             : "leaves a gap before it");
        p += (size_t)one->count * tensors_dtype_size(one->type);
    }
    if (p != r->file + r->size)
        return fail(r->err, PERC_EDATA, "%zu bytes at the end belong to no tensor",
                    (size_t)(r->file + r->size - p));
    return PERC_OK;
}

static perc_status check_names(struct tensors_reader *r)
{
    struct tensors *t = r->t;

    sort_items(t->tensor, t->n, sizeof *t->tensor, by_name);
    sort_items(t->meta, t->metas, sizeof *t->meta, by_key);
    for (size_t i = 1; i < t->n; i++)
        if (by_name(&t->tensor[i - 1], &t->tensor[i]) == 0)
            return fail(r->err, PERC_EDATA, "tensor '%s' appears twice", t->tensor[i].name);
    for (size_t i = 1; i < t->metas; i++)
        if (by_key(&t->meta[i - 1], &t->meta[i]) == 0)
            return fail(r->err, PERC_EDATA, "metadata '%s' appears twice", t->meta[i].key);
    return PERC_OK;
}

static perc_status check_sum(struct tensors_reader *r)
{
    const unsigned char *digits = (const unsigned char *)r->digits;
    struct hash64 hash;
    char expected[TENSORS_DIGITS];

    if (digits == NULL)
        return fail(r->err, PERC_EDATA,
                    "there is no checksum: this program did not write the file");
    hash_init(&hash);
    hash_add(&hash, r->file, (size_t)(digits - r->file));
    hash_add(&hash, TENSORS_ZEROS, TENSORS_DIGITS);
    digits += TENSORS_DIGITS;
    hash_add(&hash, digits, (size_t)(r->file + r->size - digits));
    tensors_digits(expected, hash_end(&hash));
    if (memcmp(r->digits, expected, TENSORS_DIGITS) != 0)
        return fail(r->err, PERC_EDATA, "the checksum is wrong: the file is damaged");
    return PERC_OK;
}

static uint64_t header_length(const unsigned char *file)
{
    uint64_t n = 0;

    for (int i = TENSORS_LENGTH; i-- > 0;) n = n << 8 | file[i];
    return n;
}

bool tensors_look_like(const void *data, size_t size)
{
    const unsigned char *p = data;

    /* In a text file the high bytes of the length would be letters, not zero. */
    return size > TENSORS_LENGTH && p[TENSORS_LENGTH] == '{' &&
           header_length(p) <= TENSORS_HEADER_MAX;
}

perc_status tensors_parse(const struct env *e, const void *data, size_t size, struct tensors *out,
                          perc_error *err)
{
    struct tensors_reader r = { .t = out, .file = data, .size = size, .err = err };
    perc_status st;

    tensors_init(out, e);
    if (!tensors_look_like(data, size))
        return fail(err, PERC_EDATA, size == 0 ? "the file is empty" : "not a safetensors file");
    const uint64_t n = header_length(data);
    if (n > size - TENSORS_LENGTH)
        return fail(err, PERC_EDATA,
                    "the file is cut off: it ends inside its header (make or copy it again)");
    r.data = r.file + TENSORS_LENGTH + (size_t)n;
    r.room = size - TENSORS_LENGTH - n;
    json_begin(&r.j, (const char *)r.file + TENSORS_LENGTH, (size_t)n);
    if ((st = read_header(&r)) || (st = check_tiling(&r)) || (st = check_names(&r)) ||
        (st = check_sum(&r)))
        tensors_free(out);
    return st;
}

perc_status tensors_read(const struct env *e, const char *path, struct tensors *out,
                         perc_error *err)
{
    struct file_map file;
    const perc_status st = file_load(e, path, &file, err);

    tensors_init(out, e);
    return st ? st : tensors_take(e, &file, out, err);
}

perc_status tensors_take(const struct env *e, struct file_map *file, struct tensors *out,
                         perc_error *err)
{
    const perc_status st = tensors_parse(e, file->data, file->size, out, err);

    if (st) file_unmap(file);
    else out->file = *file; /* given back by tensors_free from here on */
    return st;
}
