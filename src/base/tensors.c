/* tensors.c -- a safetensors file, written so that the same content gives the
 * same bytes. tensors_read.c reads it; tensors_get.c finds what is in it.
 *
 * The layout stands in tensors.h; the format is Hugging Face's "safetensors". It
 * was chosen because numpy, PyTorch and a page of JavaScript open it without us,
 * and because it can be used where it lies: map it, and the arrays are there.
 *
 * Arrays are laid down by decreasing element size, so that each starts at a
 * multiple of its own without a gap, and the format forbids gaps. Within one size
 * they keep the order in which they were added, as the metadata do: nothing
 * depends on a hash or an address. Two walks over the data: the checksum stands
 * in front of what it covers, so the first walk computes it and the second writes.
 *
 * Checksum: XXH64 of every byte of the file, with the 16 digits themselves read
 * as '0'. Digits are lower-case, so that no other text stands for the same number
 * and every flipped bit is found, even one in the digits.
 *
 * A metadata value that is not UTF-8 (a label from a Latin-1 table) goes under the
 * key with ".hex" after it, as the digits of its bytes: JSON could not hold it, and
 * a model must know its labels again.
 *
 * Invariant   data of a tensor in the writer are the caller's, or kept, until tensors_write.
 * Not here    BF16 and the other types we never write; big-endian machines. */
#include "base/tensors.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/json.h"
#include "base/number.h"
#include "base/utf8.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "arrays are used where they lie in the file, which is little-endian"
#endif

enum { ALIGN = 64 }; /* where the data begin: a cache line, and any SIMD load */

static const struct {
    const char *name;
    size_t size;
} dtypes[] = {
    [DTYPE_U8] = { "U8", 1 },   [DTYPE_U16] = { "U16", 2 }, [DTYPE_U32] = { "U32", 4 },
    [DTYPE_U64] = { "U64", 8 }, [DTYPE_I64] = { "I64", 8 }, [DTYPE_F32] = { "F32", 4 },
    [DTYPE_F64] = { "F64", 8 },
};

size_t tensors_dtype_size(enum dtype type)
{
    return dtypes[type].size;
}

const char *tensors_dtype_name(enum dtype type)
{
    return dtypes[type].name;
}

bool tensors_dtype_named(const char *name, enum dtype *out)
{
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        if (strcmp(dtypes[i].name, name) != 0) continue;
        *out = (enum dtype)i;
        return true;
    }
    return false;
}

void tensors_init(struct tensors *t, const struct env *e)
{
    *t = (struct tensors){ .e = *e };
}

void tensors_free(struct tensors *t)
{
    for (size_t i = 0; i < t->metas; i++) {
        mem_free_text(&t->e, t->meta[i].key);
        mem_free_text(&t->e, t->meta[i].value);
    }
    mem_free(&t->e, t->meta, t->meta_cap, sizeof *t->meta);
    mem_free(&t->e, t->tensor, t->cap, sizeof *t->tensor);
    for (size_t i = 0; i < t->keeps; i++)
        mem_free(&t->e, t->kept[i].memory, t->kept[i].n, t->kept[i].size);
    mem_free(&t->e, t->kept, t->kept_cap, sizeof *t->kept);
    file_unmap(&t->file);
    *t = (struct tensors){ .e = t->e };
}

struct tensor *tensors_push(struct tensors *t)
{
    void *p = t->tensor;

    if (!mem_grow(&t->e, &p, &t->cap, t->n + 1, sizeof *t->tensor)) return NULL;
    t->tensor = p;
    t->tensor[t->n] = (struct tensor){ .dims = 0 };
    return &t->tensor[t->n++];
}

perc_status tensors_push_meta(struct tensors *t, char *key, char *value)
{
    void *p = t->meta;
    const bool grown = mem_grow(&t->e, &p, &t->meta_cap, t->metas + 1, sizeof *t->meta);

    t->meta = p;
    if (!grown || key == NULL || value == NULL) {
        mem_free_text(&t->e, key);
        mem_free_text(&t->e, value);
        return PERC_ENOMEM;
    }
    t->meta[t->metas].key = key;
    t->meta[t->metas].value = value;
    t->metas++;
    return PERC_OK;
}

/* ----- gathering ---------------------------------------------------------------- */

perc_status tensors_add(struct tensors *t, const char *name, enum dtype type, const void *data,
                        uint64_t n0, uint64_t n1)
{
    const size_t len = strlen(name);
    struct tensor *one;

    if (len >= TENSOR_NAME) return PERC_EARG;
    if ((one = tensors_push(t)) == NULL) return PERC_ENOMEM;
    memcpy(one->name, name, len + 1);
    one->type = type;
    one->dims = n1 > 0 ? 2 : 1;
    one->shape[0] = n0;
    one->shape[1] = n1;
    one->count = n1 > 0 ? n0 * n1 : n0;
    one->data = data;
    return PERC_OK;
}

void *tensors_keep(struct tensors *t, uint64_t n, size_t size)
{
    void *p = t->kept;

    if (!mem_grow(&t->e, &p, &t->kept_cap, t->keeps + 1, sizeof *t->kept)) return NULL;
    t->kept = p;
    if ((p = mem_zeroed(&t->e, n, size)) == NULL) return NULL;
    t->kept[t->keeps].memory = p;
    t->kept[t->keeps].n = n;
    t->kept[t->keeps++].size = size;
    return p;
}

perc_status tensors_add_rows(struct tensors *t, const char *name, enum dtype type, const void *data,
                             size_t stride, uint64_t n0, uint64_t n1)
{
    const size_t size = tensors_dtype_size(type) * (n1 > 0 ? (size_t)n1 : 1);

    if (stride != size && n0 > 0) {
        char *to = tensors_keep(t, n0, size);
        if (to == NULL) return PERC_ENOMEM;
        for (uint64_t i = 0; i < n0; i++)
            memcpy(to + i * size, (const char *)data + i * stride, size);
        data = to;
    }
    return tensors_add(t, name, type, data, n0, n1);
}

bool tensors_are_finite(const struct tensors *t)
{
    bool finite = true;

    for (size_t i = 0; i < t->n; i++) {
        const struct tensor *one = &t->tensor[i];
        if (one->type == DTYPE_F64)
            for (uint64_t k = 0; k < one->count; k++)
                finite &= fabs(((const double *)one->data)[k]) <= DBL_MAX;
        if (one->type == DTYPE_F32)
            for (uint64_t k = 0; k < one->count; k++)
                finite &= fabsf(((const float *)one->data)[k]) <= FLT_MAX;
    }
    return finite;
}

perc_status tensors_meta(struct tensors *t, const char *key, const char *value)
{
    char *k = mem_text(&t->e, key, strlen(key)), *v = mem_text(&t->e, value, strlen(value));

    return tensors_push_meta(t, k, v);
}

perc_status tensors_meta_int(struct tensors *t, const char *key, int64_t value)
{
    char v[NUMBER_TEXT];

    snprintf(v, sizeof v, "%lld", (long long)value);
    return tensors_meta(t, key, v);
}

perc_status tensors_meta_num(struct tensors *t, const char *key, double value)
{
    char v[NUMBER_TEXT];

    v[number_format(value, v)] = '\0';
    return tensors_meta(t, key, v);
}

perc_status tensors_meta_bool(struct tensors *t, const char *key, bool value)
{
    return tensors_meta(t, key, value ? "true" : "false");
}

/* "key":"value", or "key.hex":"...". */
static void put_meta(struct json_out *o, const struct env *e, const char *key, const char *value)
{
    struct text k, v;

    if (utf8_valid(value)) {
        json_key(o, key);
        json_str(o, value);
        return;
    }
    text_init(&k, e);
    text_init(&v, e);
    text_str(&k, key);
    text_str(&k, TENSORS_HEX);
    json_hex(&v, value);
    if (k.oom || v.oom) o->t->oom = true;
    if (!o->t->oom) json_key(o, k.s);
    if (!o->t->oom) json_str(o, v.s);
    text_free(&k);
    text_free(&v);
}

/* ----- writing ----------------------------------------------------------------- */

static void describe_tensor(struct json_out *o, const struct tensor *one, uint64_t *offset)
{
    const uint64_t bytes = one->count * tensors_dtype_size(one->type);

    json_key(o, one->name);
    json_open(o, '{');
    json_key(o, "dtype");
    json_str(o, dtypes[one->type].name);
    json_key(o, "shape");
    json_open(o, '[');
    for (int k = 0; k < one->dims; k++) json_i64(o, (int64_t)one->shape[k]);
    json_close(o, ']');
    json_key(o, "data_offsets");
    json_open(o, '[');
    json_i64(o, (int64_t)*offset);
    json_i64(o, (int64_t)(*offset + bytes));
    json_close(o, ']');
    json_close(o, '}');
    *offset += bytes;
}

/* The header with TENSORS_ZEROS for a checksum; *digits: the offset of those. */
static perc_status build_header(const struct tensors *t, struct text *h, size_t *digits,
                                perc_error *err)
{
    struct json_out o = { .t = h };
    uint64_t offset = 0;

    json_open(&o, '{');
    json_key(&o, TENSORS_METADATA);
    json_open(&o, '{');
    json_key(&o, TENSORS_CHECKSUM);
    json_str(&o, TENSORS_ZEROS);
    *digits = h->len - TENSORS_DIGITS - 1; /* before the closing quote */
    for (size_t i = 0; i < t->metas; i++) put_meta(&o, &t->e, t->meta[i].key, t->meta[i].value);
    json_close(&o, '}');
    for (size_t size = 8; size > 0; size /= 2)
        for (size_t i = 0; i < t->n; i++)
            if (tensors_dtype_size(t->tensor[i].type) == size)
                describe_tensor(&o, &t->tensor[i], &offset);
    json_close(&o, '}');
    while ((h->len + TENSORS_LENGTH) % ALIGN != 0 && !h->oom) text_char(h, ' ');
    if (h->oom) return fail_memory(err);
    if (h->len > TENSORS_HEADER_MAX)
        return fail(err, PERC_EDATA, "too many names: a header of %zu bytes, more than %d", h->len,
                    TENSORS_HEADER_MAX);
    return PERC_OK;
}

/* Calls f for every array in the order of the file, until one call fails. */
static perc_status each_array(const struct tensors *t, perc_error *err,
                              perc_status (*f)(void *ud, const void *p, size_t n, perc_error *err),
                              void *ud)
{
    for (size_t size = 8; size > 0; size /= 2) {
        for (size_t i = 0; i < t->n; i++) {
            const struct tensor *one = &t->tensor[i];
            if (tensors_dtype_size(one->type) != size || one->count == 0) continue;
            const perc_status st = f(ud, one->data, (size_t)one->count * size, err);
            if (st) return st;
        }
    }
    return PERC_OK;
}

static perc_status hash_array(void *ud, const void *p, size_t n, perc_error *err)
{
    (void)err;
    hash_add(ud, p, n);
    return PERC_OK;
}

static perc_status write_array(void *ud, const void *p, size_t n, perc_error *err)
{
    return file_write(ud, p, n, err);
}

void tensors_digits(char *out, uint64_t v)
{
    for (int i = TENSORS_DIGITS; i-- > 0; v >>= 4) out[i] = "0123456789abcdef"[v & 15];
}

perc_status tensors_write(const struct tensors *t, const char *path, perc_error *err)
{
    struct file_out f = { .fd = -1 };
    struct text header;
    struct hash64 hash;
    unsigned char length[TENSORS_LENGTH];
    size_t digits;
    perc_status st;

    text_init(&header, &t->e);
    if ((st = build_header(t, &header, &digits, err))) goto done;
    for (int i = 0; i < TENSORS_LENGTH; i++)
        length[i] = (unsigned char)((uint64_t)header.len >> 8 * i);
    hash_init(&hash);
    hash_add(&hash, length, TENSORS_LENGTH);
    hash_add(&hash, header.s, header.len);
    each_array(t, NULL, hash_array, &hash); /* cannot fail */
    tensors_digits(header.s + digits, hash_end(&hash));

    if ((st = file_create(&t->e, path, &f, err))) goto done;
    if ((st = file_write(&f, length, TENSORS_LENGTH, err))) goto abort;
    if ((st = file_write(&f, header.s, header.len, err))) goto abort;
    if ((st = each_array(t, err, write_array, &f))) goto abort;
    st = file_commit(&f, err);
    goto done;
abort:
    file_abort(&f);
done:
    text_free(&header);
    return st;
}
