/* test_tensors.c -- the container of model and block files: what is written is
 * read, the bytes follow from the content, and nothing damaged gets in. */
#include "base/hash.h"
#include "base/tensors.h"
#include "t.h"
#include "t_alloc.h"
#include "t_make.h"

/* ----- helpers ---------------------------------------------------------------- */

static const char path[] = "tensors";

static const double f64[] = { 1.5, -0.0, 3e300 };
static const float f32[] = { 0.25f };
static const uint64_t u64[] = { 1, UINT64_MAX, 3, 4, 5, 6 };
static const int64_t i64[] = { -1 };
static const uint32_t u32[] = { 7, 8, UINT32_MAX };
static const uint16_t u16[] = { 9, 10, 11 };
static const uint8_t u8[] = { 12, 13, 14, 15, 16 };

/* A little of everything, narrow types first so that the writer must reorder. */
static perc_status add_sample(struct tensors *t)
{
    if (tensors_meta(t, "format", "sample") || tensors_meta_int(t, "format_version", 1) ||
        tensors_meta(t, "label", "caf\xc3\xa9 \"\\\n\t") || tensors_meta(t, "latin", "caf\xe9") ||
        tensors_add(t, "u8", DTYPE_U8, u8, 5, 0) || tensors_add(t, "u16", DTYPE_U16, u16, 3, 0) ||
        tensors_add(t, "none", DTYPE_F64, NULL, 0, 0) ||
        tensors_add(t, "u32", DTYPE_U32, u32, 3, 0) ||
        tensors_add(t, "f32", DTYPE_F32, f32, 1, 0) ||
        tensors_add(t, "f64", DTYPE_F64, f64, 3, 0) ||
        tensors_add(t, "u64", DTYPE_U64, u64, 2, 3) || tensors_add(t, "i64", DTYPE_I64, i64, 1, 0))
        return PERC_ENOMEM;
    return PERC_OK;
}

static void write_sample(void)
{
    const struct env e = env_resolve(NULL);
    struct tensors t;

    tensors_init(&t, &e);
    assert_int_equal(add_sample(&t), PERC_OK);
    assert_int_equal(tensors_write(&t, path, NULL), PERC_OK);
    tensors_free(&t);
}

/* A file with this header, which has the digits of the checksum as zeros. */
static unsigned char *seal(const char *header, const void *data, size_t bytes, size_t *size)
{
    const size_t n = strlen(header);
    *size = 8 + n + bytes;
    unsigned char *p = malloc(*size);
    assert_non_null(p);
    for (int i = 0; i < 8; i++) p[i] = (unsigned char)((uint64_t)n >> 8 * i);
    memcpy(p + 8, header, n);
    if (bytes > 0) memcpy(p + 8 + n, data, bytes);
    const char *digits = strstr(header, "0000000000000000");
    if (digits != NULL) {
        char hex[17];
        snprintf(hex, sizeof hex, "%016llx", (unsigned long long)hash_bytes(p, *size));
        memcpy(p + 8 + (digits - header), hex, 16);
    }
    return p;
}

/* ----- promises ----------------------------------------------------------------- */

TEST(what_was_written_is_read)
{
    const struct env e = env_resolve(NULL);
    struct tensors t;

    write_sample();
    assert_int_equal(tensors_read(&e, path, &t, NULL), PERC_OK);
    assert_int_equal(t.n, 8);
    assert_string_equal(tensors_get(&t, "label"), "caf\xc3\xa9 \"\\\n\t");
    assert_string_equal(tensors_get(&t, "latin"), "caf\xe9"); /* not UTF-8 */
    assert_null(tensors_get(&t, "latin.hex"));
    assert_null(tensors_get(&t, "nothing"));
    assert_null(tensors_find(&t, "nothing"));

    const struct tensor *one = tensors_find(&t, "f64");
    assert_int_equal(one->type, DTYPE_F64);
    assert_memory_equal(one->data, f64, sizeof f64); /* -0 too: bytes, not values */
    one = tensors_find(&t, "u64");
    assert_int_equal(one->dims, 2);
    assert_int_equal(one->shape[0], 2);
    assert_int_equal(one->shape[1], 3);
    assert_memory_equal(one->data, u64, sizeof u64);
    assert_int_equal(tensors_find(&t, "none")->count, 0);
    assert_memory_equal(tensors_find(&t, "u8")->data, u8, sizeof u8);
    assert_memory_equal(tensors_find(&t, "u16")->data, u16, sizeof u16);
    assert_memory_equal(tensors_find(&t, "u32")->data, u32, sizeof u32);
    assert_memory_equal(tensors_find(&t, "i64")->data, i64, sizeof i64);
    assert_memory_equal(tensors_find(&t, "f32")->data, f32, sizeof f32);
    for (size_t i = 0; i < t.n; i++)
        assert_int_equal((uintptr_t)t.tensor[i].data % tensors_dtype_size(t.tensor[i].type), 0);
    assert_int_equal(tensors_format(&t, "sample", 1, NULL), PERC_OK);
    tensors_free(&t);
}

TEST(the_same_content_gives_the_same_bytes)
{
    write_sample();
    struct t_bytes a = t_slurp(path);
    write_sample();
    struct t_bytes b = t_slurp(path);
    assert_int_equal(a.n, b.n);
    assert_memory_equal(a.p, b.p, a.n);
    /* The data begin on a cache line, and the file ends with the last of them. */
    uint64_t header;
    memcpy(&header, a.p, sizeof header);
    assert_int_equal((8 + header) % 64, 0);
    assert_memory_equal(a.p + a.n - sizeof u8, u8, sizeof u8);
    free(a.p);
    free(b.p);
}

TEST(every_truncation_is_refused)
{
    const struct env e = env_resolve(NULL);
    struct tensors t;
    perc_error err;

    write_sample();
    struct t_bytes all = t_slurp(path);
    for (size_t k = 0; k < all.n; k++) {
        char *part = malloc(k + 1); /* its own piece, so that ASan sees an overrun */
        memcpy(part, all.p, k);
        part = realloc(part, k > 0 ? k : 1);
        err.text[0] = '\0';
        assert_int_equal(tensors_parse(&e, part, k, &t, &err), PERC_EDATA);
        assert_true(strlen(err.text) > 0);
        free(part);
    }
    free(all.p);
}

TEST(every_flipped_bit_is_refused)
{
    const struct env e = env_resolve(NULL);
    struct tensors t;

    write_sample();
    struct t_bytes all = t_slurp(path);
    for (size_t k = 0; k < 8 * all.n; k++) {
        all.p[k / 8] ^= (char)(1u << k % 8);
        assert_int_equal(tensors_parse(&e, all.p, all.n, &t, NULL), PERC_EDATA);
        all.p[k / 8] ^= (char)(1u << k % 8);
    }
    assert_int_equal(tensors_parse(&e, all.p, all.n, &t, NULL), PERC_OK); /* guard */
    tensors_free(&t);
    free(all.p);
}

#define META "\"__metadata__\":{\"checksum\":\"0000000000000000\"}"

/* Each has a right checksum: it is the content that must be refused. */
static const struct {
    const char *header, *reason;
} hostile[] = {
    { "{" META ",\"a\":{\"dtype\":\"U8\",\"shape\":[8],\"data_offsets\":[0,8]},"
      "\"b\":{\"dtype\":\"U8\",\"shape\":[8],\"data_offsets\":[4,12]}}",
      "overlaps" },
    { "{" META ",\"a\":{\"dtype\":\"U8\",\"shape\":[8],\"data_offsets\":[0,8]},"
      "\"b\":{\"dtype\":\"U8\",\"shape\":[16],\"data_offsets\":[0,16]}}",
      "overlaps" },
    { "{" META ",\"a\":{\"dtype\":\"U8\",\"shape\":[8],\"data_offsets\":[0,8]},"
      "\"b\":{\"dtype\":\"U8\",\"shape\":[7],\"data_offsets\":[9,16]}}",
      "gap" },
    { "{" META ",\"a\":{\"dtype\":\"U8\",\"shape\":[15],\"data_offsets\":[0,15]}}", "no tensor" },
    { "{" META "}", "no tensor" },
    { "{" META ",\"a\":{\"dtype\":\"U8\",\"shape\":[17],\"data_offsets\":[0,17]}}", "cut off" },
    { "{" META ",\"a\":{\"dtype\":\"U8\",\"shape\":[15],\"data_offsets\":[0,16]}}", "match" },
    { "{" META ",\"a\":{\"dtype\":\"F64\",\"shape\":[2305843009213693952],"
      "\"data_offsets\":[0,0]}}",
      "match" }, /* 2^61 * 8 = 0 (mod 2^64) */
    { "{" META ",\"a\":{\"dtype\":\"U8\",\"shape\":[4294967296,4294967296],"
      "\"data_offsets\":[0,0]}}",
      "match" },
    { "{" META ",\"a\":{\"dtype\":\"U8\",\"shape\":[16],\"data_offsets\":[16,0]}}", "match" },
    { "{" META ",\"a\":{\"dtype\":\"U8\",\"shape\":[-1],\"data_offsets\":[0,16]}}", "whole" },
    { "{" META ",\"a\":{\"dtype\":\"U8\",\"shape\":[1.6e1],\"data_offsets\":[0,16]}}", "whole" },
    { "{" META ",\"a\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[0,1]}}", "1 or 2" },
    { "{" META ",\"a\":{\"dtype\":\"U8\",\"shape\":[2,2,4],\"data_offsets\":[0,16]}}", "many" },
    { "{" META ",\"a\":{\"dtype\":\"U8\",\"shape\":[16],\"data_offsets\":[0]}}", "two offsets" },
    { "{" META ",\"a\":{\"dtype\":\"BF16\",\"shape\":[8],\"data_offsets\":[0,16]}}", "dtype" },
    { "{" META ",\"a\":{\"dtype\":\"U8\",\"shape\":[16]}}", "needs" },
    { "{" META ",\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\",\"shape\":[16],"
      "\"data_offsets\":[0,16]}}",
      "twice" },
    { "{" META ",\"a\":{\"dtype\":\"U8\",\"shape\":[16],\"data_offsets\":[0,16],\"x\":1}}",
      "expected" },
    { "{" META ",\"a\":{\"dtype\":\"U8\",\"shape\":[8],\"data_offsets\":[0,8]},"
      "\"a\":{\"dtype\":\"U8\",\"shape\":[8],\"data_offsets\":[8,16]}}",
      "twice" },
    { "{" META "," META "}", "twice" },
    { "{\"__metadata__\":{\"checksum\":\"0000000000000000\",\"k\":\"1\",\"k\":\"2\"},"
      "\"a\":{\"dtype\":\"U8\",\"shape\":[16],\"data_offsets\":[0,16]}}",
      "twice" },
    { "{\"__metadata__\":{\"checksum\":\"0000000000000000\",\"k\":1}}", "string" },
    { "{\"__metadata__\":{\"checksum\":\"0000000000000000\",\"k.hex\":\"6G\"}}", "hex" },
    { "{\"__metadata__\":{\"checksum\":\"0000000000000000\",\"k.hex\":\"00\"}}", "hex" },
    { "{\"__metadata__\":[]}", "object" },
    { "{" META ",\"a\":[]}", "object" },
    { "{" META "} {}", "damaged" },
    { "{" META "", "damaged" },
    { "{\"a\":{\"dtype\":\"U8\",\"shape\":[16],\"data_offsets\":[0,16]}}", "no checksum" },
    { "{\"__metadata__\":{\"checksum\":\"\"},"
      "\"a\":{\"dtype\":\"U8\",\"shape\":[16],\"data_offsets\":[0,16]}}",
      "no checksum" },
    { "{" META ",\"0123456789012345678901234567890123456789012345678901234567890123\":"
      "{\"dtype\":\"U8\",\"shape\":[16],\"data_offsets\":[0,16]}}",
      "too long" },
};

TEST(hostile_headers_are_refused_for_their_reason)
{
    const struct env e = env_resolve(NULL);
    const unsigned char data[16] = { 0 };
    struct tensors t;
    perc_error err;
    size_t size;

    for (size_t i = 0; i < COUNT(hostile); i++) {
        unsigned char *p = seal(hostile[i].header, data, sizeof data, &size);
        assert_refused(tensors_parse(&e, p, size, &t, &err), PERC_EDATA, &err, hostile[i].reason);
        free(p);
    }
    /* Guard: the same with nothing wrong is read, so it was not the helper. */
    unsigned char *p = seal("{" META ",\"a\":{\"shape\":[16],\"data_offsets\":[0,16],"
                            "\"dtype\":\"U8\"}}  ",
                            data, sizeof data, &size);
    assert_int_equal(tensors_parse(&e, p, size, &t, NULL), PERC_OK);
    tensors_free(&t);
    free(p);
}

TEST(a_misaligned_array_is_refused)
{
    const struct env e = env_resolve(NULL);
    const unsigned char data[9] = { 0 };
    struct tensors t;
    perc_error err;
    size_t size;
    unsigned char *p = seal("{" META ","
                            "\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},"
                            "\"b\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[1,9]}}",
                            data, sizeof data, &size);

    assert_refused(tensors_parse(&e, p, size, &t, &err), PERC_EDATA, &err, "aligned");
    free(p);
}

TEST(a_length_beyond_the_file_is_refused)
{
    const struct env e = env_resolve(NULL);
    const uint64_t lengths[] = { 3, 100, TENSORS_HEADER_MAX, TENSORS_HEADER_MAX + 1, UINT64_MAX };
    unsigned char *p = malloc(10);
    struct tensors t;

    for (size_t i = 0; i < COUNT(lengths); i++) {
        memcpy(p, &lengths[i], 8);
        memcpy(p + 8, "{}", 2);
        assert_int_equal(tensors_parse(&e, p, 10, &t, NULL), PERC_EDATA);
    }
    free(p);
}

TEST(another_format_or_a_newer_one_is_named)
{
    const struct env e = env_resolve(NULL);
    struct tensors t;
    perc_error err;
    int64_t v;

    tensors_init(&t, &e);
    assert_int_equal(tensors_format(&t, "sample", 1, &err), PERC_EDATA);
    assert_int_equal(tensors_meta(&t, "format", "sample"), PERC_OK);
    assert_int_equal(tensors_meta(&t, "format_version", "2"), PERC_OK); /* sorted by key */
    assert_int_equal(tensors_format(&t, "sample", 2, &err), PERC_OK);
    assert_int_equal(tensors_format(&t, "sample", 1, &err), PERC_EDATA);
    assert_string_equal(err.text, "written by a newer version (format 2); this one reads format 1");
    assert_refused(tensors_format(&t, "other", 2, &err), PERC_EDATA, &err, "a sample file");
    assert_int_equal(tensors_get_int(&t, "format", 0, 9, &v, &err), PERC_EDATA);
    assert_int_equal(tensors_get_int(&t, "rows", 0, 9, &v, &err), PERC_EDATA);
    assert_int_equal(tensors_get_int(&t, "format_version", 0, 1, &v, &err), PERC_EDATA);
    tensors_free(&t);
}

TEST(thousands_of_tensors_are_found_by_name)
{
    enum { MANY = 5000 };
    const struct env e = env_resolve(NULL);
    static uint32_t value[MANY];
    struct tensors t;
    char name[TENSOR_NAME];

    tensors_init(&t, &e);
    for (uint32_t i = 0; i < MANY; i++) {
        value[i] = i;
        snprintf(name, sizeof name, "b%u.value", (unsigned)i);
        assert_int_equal(tensors_add(&t, name, DTYPE_U32, &value[i], 1, 0), PERC_OK);
    }
    assert_int_equal(tensors_write(&t, path, NULL), PERC_OK);
    tensors_free(&t);
    assert_int_equal(tensors_read(&e, path, &t, NULL), PERC_OK);
    for (uint32_t i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "b%u.value", (unsigned)i);
        const struct tensor *one = tensors_find(&t, name);
        assert_non_null(one);
        assert_int_equal(*(const uint32_t *)one->data, i);
    }
    tensors_free(&t);
}

TEST(text_is_not_taken_for_a_container)
{
    assert_false(tensors_look_like("", 0));
    assert_false(tensors_look_like("+1 1:0.5 2:1\n{", 14));
    assert_false(tensors_look_like("a,b,c,d,{", 9));
    assert_true(tensors_look_like("\x40\0\0\0\0\0\0\0{", 9));
}

/* Fails allocation 0, 1, 2, ... until the work succeeds: a clear status each time,
 * and nothing is held afterwards. */
TEST(running_out_of_memory_loses_nothing)
{
    struct tensors t;

    for (struct t_sweep s = { .least = 20 }; t_sweep_next(&s);) {
        const struct env e = env_resolve(&s.env);
        tensors_init(&t, &e);
        perc_status st = add_sample(&t);
        if (!st) st = tensors_write(&t, path, NULL);
        tensors_free(&t);
        t_sweep_judge(&s, st);
    }
    for (struct t_sweep s = { .least = 20 }; t_sweep_next(&s);) {
        const struct env e = env_resolve(&s.env);
        const perc_status st = tensors_read(&e, path, &t, NULL);
        if (!st) tensors_free(&t);
        t_sweep_judge(&s, st);
    }
}
