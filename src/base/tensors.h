/* tensors.h -- a safetensors file: named arrays and a map of strings.
 *
 *   8 bytes   N, the length of the header, little-endian
 *   N bytes   JSON: {"__metadata__":{"key":"text",...},
 *                    "name":{"dtype":"F64","shape":[3],"data_offsets":[0,24]},...}
 *   the rest  the arrays, back to back, little-endian
 *
 * Ours are stricter than the format asks: the header is padded with spaces so
 * that the arrays start at a multiple of 64, arrays are aligned to their element
 * size (padding is a tensor-free gap only where the format allows: arrays are
 * ordered by decreasing element size so that none is needed), and the metadata
 * hold "checksum", the XXH64 of the whole file with the 16 hex digits of that
 * value itself taken as '0'.
 *
 * Little-endian machines only: arrays are used where they lie in the file. */
#ifndef PERC_TENSORS_H
#define PERC_TENSORS_H

#include "base/base.h"
#include "base/file.h"

enum dtype { DTYPE_U8, DTYPE_U16, DTYPE_U32, DTYPE_U64, DTYPE_I64, DTYPE_F32, DTYPE_F64 };
size_t dtype_size(enum dtype t);
bool dtype_named(const char *name, enum dtype *out); /* "F64"; false: no such type */

enum {
    TENSOR_NAME = 64,
    TENSOR_DIMS = 2,
    TENSORS_HEADER_MAX = 100000000 /* as in the format's own library */
};

struct tensor {
    char name[TENSOR_NAME];
    enum dtype type;
    int dims;
    uint64_t shape[TENSOR_DIMS];
    const void *data; /* in the writer: borrowed until tensors_write; in the
                         reader: inside the file, aligned to its element */
    uint64_t count;   /* product of the shape */
};

struct tensors {
    struct env e;
    struct tensor *tensor;
    size_t n, cap;
    struct {
        char *key, *value;
    } * meta;
    size_t metas, meta_cap;
    struct file_map file; /* reader only */
};

void tensors_init(struct tensors *t, const struct env *e);
void tensors_free(struct tensors *t); /* safe on a zeroed struct */

/* ----- writing: the same content gives the same bytes -------------------- */
perc_status tensors_add(struct tensors *t, const char *name, enum dtype type, const void *data,
                        uint64_t n0, uint64_t n1 /* 0: one dimension */);
perc_status tensors_meta(struct tensors *t, const char *key, const char *value);
perc_status tensors_meta_int(struct tensors *t, const char *key, int64_t value);
/* PERC_EDATA: a header over TENSORS_HEADER_MAX. */
perc_status tensors_write(const struct tensors *t, const char *path, perc_error *err);

/* Metadata may be any bytes: what is not UTF-8 is written in hex. These are for
 * texts inside a metadata value. */
bool tensors_utf8(const char *s);
void tensors_hex(struct text *out, const char *s);
/* PERC_EDATA: not the lower-case hex of a text. */
perc_status tensors_unhex(const struct env *e, const char *hex, char **out);

/* ----- reading: maps the file and checks everything ----------------------- */
/* PERC_EDATA with a clear text for a file that is truncated, damaged (checksum),
 * hostile (overlapping or out-of-range offsets, a header over
 * TENSORS_HEADER_MAX, a name twice, a shape that does not match) or not of this kind. */
perc_status tensors_read(const struct env *e, const char *path, struct tensors *out,
                         perc_error *err);
/* The same from memory, for tests and fuzzing; `data` must outlive it and be
 * aligned to 8. */
perc_status tensors_parse(const struct env *e, const void *data, size_t size, struct tensors *out,
                          perc_error *err);
bool tensors_look_like(const void *data, size_t size);
/* Only after reading, which sorts by name: O(log n). NULL: not there. */
const struct tensor *tensors_find(const struct tensors *t, const char *name);
const char *tensors_get(const struct tensors *t, const char *key);
/* A whole number in a metadata value, between min and max; else PERC_EDATA. */
perc_status tensors_get_int(const struct tensors *t, const char *key, int64_t min, int64_t max,
                            int64_t *out, perc_error *err);
/* Whether metadata "format" and "format_version" are these, or an older version. */
perc_status tensors_format(const struct tensors *t, const char *format, int64_t version,
                           perc_error *err);

/* ----- between tensors.c and tensors_read.c -------------------------------- */

#define TENSORS_METADATA "__metadata__"
#define TENSORS_CHECKSUM "checksum"
#define TENSORS_HEX      ".hex"             /* after a key: the value is in hex */
#define TENSORS_ZEROS    "0000000000000000" /* TENSORS_DIGITS of them */
enum {
    TENSORS_LENGTH = 8, /* bytes of the header's length */
    TENSORS_DIGITS = 16 /* of the checksum */
};

/* One more tensor, zeroed. NULL: memory is out. */
struct tensor *tensors_push(struct tensors *t);
/* Takes over both texts, either of which may be NULL because memory was out. */
perc_status tensors_push_meta(struct tensors *t, char *key, char *value);
void tensors_digits(char *out, uint64_t v); /* TENSORS_DIGITS, no NUL */

#endif
