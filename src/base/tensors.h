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
size_t tensors_dtype_size(enum dtype type);
const char *tensors_dtype_name(enum dtype type);             /* "F64" */
bool tensors_dtype_named(const char *name, enum dtype *out); /* false: no such type */

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
    struct {
        void *memory;
        uint64_t n;
        size_t size;
    } * kept; /* writer only: arrays that the file lays out differently from memory */
    size_t keeps, kept_cap;
    struct file_map file; /* reader only */
};

void tensors_init(struct tensors *t, const struct env *e);
void tensors_free(struct tensors *t); /* safe on a zeroed struct */

/* ----- writing: the same content gives the same bytes -------------------- */
/* Borrows `data` until tensors_write. */
perc_status tensors_add(struct tensors *t, const char *name, enum dtype type, const void *data,
                        uint64_t n0, uint64_t n1 /* 0: one dimension */);
/* The same for rows of n1 elements (0: single elements) that begin `stride` bytes apart: a matrix
 * with padding, a field of an array of structs. Copies them unless they are back to back. */
perc_status tensors_add_rows(struct tensors *t, const char *name, enum dtype type, const void *data,
                             size_t stride, uint64_t n0, uint64_t n1);
/* Zeroed memory for an array, which tensors_free frees. NULL: out of memory. */
void *tensors_keep(struct tensors *t, uint64_t n, size_t size);
/* Whether all floats of all arrays are finite. */
bool tensors_are_finite(const struct tensors *t);
perc_status tensors_meta(struct tensors *t, const char *key, const char *value);
perc_status tensors_meta_int(struct tensors *t, const char *key, int64_t value);
perc_status tensors_meta_num(struct tensors *t, const char *key, double value);
perc_status tensors_meta_bool(struct tensors *t, const char *key, bool value);
/* Metadata may be any bytes. PERC_EDATA: a header over TENSORS_HEADER_MAX. */
perc_status tensors_write(const struct tensors *t, const char *path, perc_error *err);

/* ----- reading: everything is checked ------------------------------------- */
/* PERC_EDATA with a clear text for a file that is truncated, damaged (checksum),
 * hostile (overlapping or out-of-range offsets, a header over
 * TENSORS_HEADER_MAX, a name twice, a shape that does not match) or not of this kind. */
perc_status tensors_read(const struct env *e, const char *path, struct tensors *out,
                         perc_error *err);
/* The same for a file that is in memory already; takes it over, also when it is refused. */
perc_status tensors_take(const struct env *e, struct file_map *file, struct tensors *out,
                         perc_error *err);
/* The same from memory, for tests and fuzzing; `data` must outlive it and be
 * aligned to 8. */
perc_status tensors_parse(const struct env *e, const void *data, size_t size, struct tensors *out,
                          perc_error *err);
bool tensors_look_like(const void *data, size_t size);
/* Only after reading, which sorts by name: O(log n). NULL: not there. */
const struct tensor *tensors_find(const struct tensors *t, const char *name);
const char *tensors_get(const struct tensors *t, const char *key);
/* The array of this name, type and shape, its floats finite; n1 0: one dimension; TENSORS_ANY:
 * the file may choose this length. PERC_EDATA names the array, and the place if there is one. */
#define TENSORS_ANY UINT64_MAX
perc_status tensors_want(const struct tensors *t, const char *name, enum dtype type, uint64_t n0,
                         uint64_t n1, const struct tensor **out, perc_error *err);
/* Copies an array to where its rows begin `stride` bytes apart: tensors_add_rows undone. */
void tensors_copy_rows(const struct tensor *one, void *to, size_t stride);
/* "NAME[PLACE] WHAT", PERC_EDATA. */
perc_status tensors_wrong(perc_error *err, const char *name, uint64_t place, const char *what);
/* Metadata, in turn: a value that must be there; a whole number between min and max; true or false;
 * a finite number, NaN if it is not there; the index of one of n words. PERC_EDATA otherwise. */
perc_status tensors_need(const struct tensors *t, const char *key, const char **out,
                         perc_error *err);
perc_status tensors_get_int(const struct tensors *t, const char *key, int64_t min, int64_t max,
                            int64_t *out, perc_error *err);
perc_status tensors_get_bool(const struct tensors *t, const char *key, bool *out, perc_error *err);
perc_status tensors_get_num(const struct tensors *t, const char *key, double *out, perc_error *err);
perc_status tensors_get_word(const struct tensors *t, const char *key, const char *const *word,
                             size_t n, int *out, perc_error *err);
/* Whether metadata "format" and "format_version" are these, or an older version. */
perc_status tensors_format(const struct tensors *t, const char *format, int64_t version,
                           perc_error *err);

/* ----- tables: one list for writing and reading ------------------------------ */

/* An array. n0 and n1 are indices into a list of lengths, so that arrays of equal length share one;
 * n1 0: one dimension. `at` is the caller's: say, a field's offset in a struct. */
struct tensor_spec {
    const char *name;
    enum dtype type;
    unsigned char n0, n1;
    size_t at;
};
perc_status tensors_add_all(struct tensors *t, const struct tensor_spec *spec, size_t n,
                            const uint64_t *size, const void *const *data);
/* A size that is TENSORS_ANY is set by the first array that has it. */
perc_status tensors_want_all(const struct tensors *t, const struct tensor_spec *spec, size_t n,
                             uint64_t *size, const struct tensor **out, perc_error *err);

/* No counter of a file is larger: up to here a double, and so a JSON number, has it exactly. Who
 * goes on from a file begins below a quarter of it, so that what is then written can be read again
 * (model_counts_on). */
#define TENSORS_COUNT_MAX ((int64_t)1 << 53)

/* A member of a struct, at this offset, as a metadata value. */
enum meta_type {
    META_COUNT, /* int64_t, 0 .. TENSORS_COUNT_MAX */
    META_BOOL,  /* bool */
    META_NUM,   /* double; one that is not finite is left out, and read back as NaN */
    META_WORD   /* an enum: word[0 .. words), NULL for those that do not occur */
};
struct meta_spec {
    const char *key;
    enum meta_type type;
    size_t at;
    const char *const *word;
    size_t words;
};
perc_status tensors_meta_all(struct tensors *t, const struct meta_spec *spec, size_t n,
                             const void *from);
perc_status tensors_get_all(const struct tensors *t, const struct meta_spec *spec, size_t n,
                            void *to, perc_error *err);

/* ----- between tensors.c and tensors_read.c -------------------------------- */

#define TENSORS_METADATA "__metadata__"
#define TENSORS_CHECKSUM "checksum"
#define TENSORS_HEX      ".hex"             /* after a key: the value is in hex */
#define TENSORS_ZEROS    "0000000000000000" /* TENSORS_DIGITS of them */
enum {
    TENSORS_LENGTH = 8, /* bytes of the header's length */
    TENSORS_DIGITS = 16 /* of the checksum */
};

/* One more tensor, zeroed. NULL: out of memory. */
struct tensor *tensors_push(struct tensors *t);
/* Takes over both texts, either of which may be NULL: out of memory. */
perc_status tensors_push_meta(struct tensors *t, char *key, char *value);
void tensors_digits(char *out, uint64_t v); /* TENSORS_DIGITS, no NUL */

#endif
