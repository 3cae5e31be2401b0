/* fuzz_json.c -- any bytes into the JSON reader.
 *
 * It must not crash, loop, or read outside the range. And when a document is
 * accepted, writing its tokens with the writer and reading that again must give the
 * same tokens with the same values: the two halves of json.c check each other.
 * The harness is libFuzzer's; a plain driver can replay a corpus through the same
 * entry point. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int ok)
{
    if (!ok) abort(); /* what the fuzzer looks for */
}

/* Writes the number that was read: as an integer where it is one, otherwise as a
 * double; one that is out of range becomes null, as json.h says. */
static void copy_number(const struct json *j, struct json_out *o)
{
    int64_t i;
    double d;

    if (json_int(j, &i)) json_i64(o, i);
    else if (json_double(j, &d)) json_num(o, d);
    else json_num(o, INFINITY);
}

static void copy_string(const struct json *j, const struct env *e, struct json_out *o)
{
    char *s = json_text(j, e);

    must(s != NULL && json_is(j, s));
    if (j->kind == JSON_KEY) json_key(o, s);
    else json_str(o, s);
    mem_free_text(e, s);
}

static void copy_token(const struct json *j, const struct env *e, struct json_out *o)
{
    switch (j->kind) {
    case JSON_OBJECT: json_open(o, '{'); break;
    case JSON_OBJECT_END: json_close(o, '}'); break;
    case JSON_ARRAY: json_open(o, '['); break;
    case JSON_ARRAY_END: json_close(o, ']'); break;
    case JSON_KEY:
    case JSON_STRING: copy_string(j, e, o); break;
    case JSON_NUMBER: copy_number(j, o); break;
    case JSON_TRUE: json_bool(o, true); break;
    case JSON_FALSE: json_bool(o, false); break;
    default: json_num(o, INFINITY); break;
    }
}

/* Whether the tokens where a and b stand mean the same. */
static int same(const struct json *a, const struct json *b, const struct env *e)
{
    int64_t i, k;
    double x, y;

    if (a->kind == JSON_KEY || a->kind == JSON_STRING) {
        char *s = json_text(a, e);
        const int equal = a->kind == b->kind && s != NULL && json_is(b, s);
        mem_free_text(e, s);
        return equal;
    }
    if (a->kind != JSON_NUMBER) return a->kind == b->kind;
    if (json_int(a, &i)) return json_int(b, &k) && i == k;
    if (json_double(a, &x)) return json_double(b, &y) && memcmp(&x, &y, sizeof x) == 0;
    return b->kind == JSON_NULL;
}

/* Walks over the whole text; every token must lie inside it. False: refused. */
static int accepted(const char *s, size_t n)
{
    struct json j;
    enum json_kind kind;

    json_begin(&j, s, n);
    do {
        kind = json_next(&j);
        must(json_offset(&j) <= n && j.depth >= 0 && j.depth <= JSON_DEPTH);
        must(j.text == NULL || (j.text >= s && j.text + j.len <= s + n));
    } while (kind != JSON_END && kind != JSON_ERROR);
    must(json_next(&j) == kind && (kind == JSON_END || j.reason != NULL));

    struct json k; /* skipping comes to the same verdict */
    json_begin(&k, s, n);
    must((json_skip(&k) != JSON_ERROR && json_next(&k) == JSON_END) == (kind == JSON_END));
    return kind == JSON_END;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct env e = env_resolve(&(perc_env){ .threads = 1 });
    const char *s = (const char *)data;
    struct json a, b;
    struct text t;

    if (!accepted(s, size)) return 0;

    text_init(&t, &e);
    struct json_out o = { .t = &t };
    json_begin(&a, s, size);
    while (json_next(&a) != JSON_END) copy_token(&a, &e, &o);
    must(!t.oom);

    json_begin(&a, s, size);
    json_begin(&b, t.s, t.len);
    do {
        json_next(&a);
        json_next(&b);
        must(same(&a, &b, &e));
    } while (a.kind != JSON_END);
    text_free(&t);
    return 0;
}
