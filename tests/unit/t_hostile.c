/* t_hostile.c -- see t_hostile.h. */
#include "t_hostile.h"

#include "model/model.h"

/* ----- one change --------------------------------------------------------------------------- */

/* Whether the change is one of this array. */
static bool is_about(const struct hostile *h, const struct tensor *one)
{
    const size_t n = strcspn(h->name, "[");

    return strlen(one->name) == n && memcmp(one->name, h->name, n) == 0;
}

static void put_number(const struct tensor *one, void *data, const struct hostile *h)
{
    const long long place = strtoll(strchr(h->name, '[') + 1, NULL, 10);
    const uint64_t at = place < 0 ? one->count - 1 : (uint64_t)place;
    const char *text = h->value;
    const unsigned long long u = strtoull(text, NULL, 0);

    switch (one->type) {
    case DTYPE_U8: ((uint8_t *)data)[at] = (uint8_t)u; break;
    case DTYPE_U16: ((uint16_t *)data)[at] = (uint16_t)u; break;
    case DTYPE_U32: ((uint32_t *)data)[at] = (uint32_t)u; break;
    case DTYPE_U64: ((uint64_t *)data)[at] = u; break;
    case DTYPE_I64: ((int64_t *)data)[at] = strtoll(text, NULL, 0); break;
    case DTYPE_F32: ((float *)data)[at] = strtof(text, NULL); break;
    case DTYPE_F64: ((double *)data)[at] = strtod(text, NULL); break;
    }
}

static enum dtype another_type(enum dtype type)
{
    if (type == DTYPE_F64) return DTYPE_I64;
    if (type == DTYPE_F32) return DTYPE_U32;
    return tensors_dtype_size(type) == 8 ? DTYPE_F64 : DTYPE_F32;
}

static void reshape(struct tensor *one, int dims, uint64_t n0, uint64_t n1)
{
    one->dims = dims;
    one->shape[0] = n0;
    one->shape[1] = n1;
    one->count = dims == 2 ? n0 * n1 : n0;
}

/* The shape, type and name of an array; `data` has room for it. */
static void change_array(struct tensor *one, const struct hostile *h, void *data)
{
    char *end = NULL;
    uint64_t n0 = one->shape[0], n1 = one->shape[1];

    switch (h->change) {
    case GONE: snprintf(one->name, sizeof one->name, "elsewhere"); break;
    case ELEMENT: put_number(one, data, h); break;
    case BYTES: memset(data, atoi(h->value), one->count * tensors_dtype_size(one->type)); break;
    case TYPE:
        if (h->value == NULL) one->type = another_type(one->type);
        else assert_true(tensors_dtype_named(h->value, &one->type));
        break;
    case SHAPE:
        n0 = strtoull(h->value, &end, 10);
        n1 = *end == ',' ? strtoull(end + 1, NULL, 10) : 0;
        reshape(one, *end == ',' ? 2 : 1, n0, n1);
        break;
    case SHORTER: reshape(one, one->dims, n0 - 1, n1); break;
    case NARROWER: reshape(one, one->dims, n0, n1 - 1); break;
    case TURNED: reshape(one, 3 - one->dims, one->count, 1); break;
    default: break;
    }
}

static void add_metadata(struct tensors *new, const struct tensors *good, const struct hostile *h)
{
    const bool it = h->change == META;

    for (size_t i = 0; i < good->metas; i++) {
        const char *key = good->meta[i].key;
        if (strcmp(key, "checksum") == 0 || (it && strcmp(key, h->name) == 0)) continue;
        assert_int_equal(tensors_meta(new, key, good->meta[i].value), PERC_OK);
    }
    if (it && h->value != NULL) assert_int_equal(tensors_meta(new, h->name, h->value), PERC_OK);
}

/* Room in the array that a change may make of this one. */
static size_t room_for(const struct tensor *one)
{
    return ((size_t)one->count + 1000) * sizeof(double);
}

void t_hostile_write(const struct tensors *good, const struct hostile *h, const char *path)
{
    const struct env e = env_resolve(NULL);
    struct tensors new;
    void *changed = NULL;

    tensors_init(&new, &e);
    add_metadata(&new, good, h);
    for (size_t i = 0; i < good->n; i++) {
        struct tensor one = good->tensor[i];
        if (h->change > META && is_about(h, &one)) {
            changed = calloc(1, room_for(&one));
            assert_non_null(changed);
            memcpy(changed, one.data, (size_t)one.count * tensors_dtype_size(one.type));
            one.data = changed;
            change_array(&one, h, changed);
        }
        assert_int_equal(tensors_add(&new, one.name, one.type, one.data, one.shape[0],
                                     one.dims == 2 ? one.shape[1] : 0),
                         PERC_OK);
    }
    if (h->change > META && changed == NULL) fail_msg("there is no array %s", h->name);
    assert_int_equal(tensors_write(&new, path, NULL), PERC_OK);
    tensors_free(&new);
    free(changed);
}

/* ----- what is said of it ------------------------------------------------------------------- */

void t_refuses(const struct tensors *good, t_reader *read, void *ud, const struct hostile *list,
               size_t n)
{
    const struct env e = env_resolve(NULL);

    for (const struct hostile *h = list; h < list + n; h++) {
        const char *name = h->name != NULL ? h->name : "", *value = h->value ? h->value : "";
        perc_error err = { 0 };
        struct tensors t;
        t_hostile_write(good, h, "hostile");
        assert_int_equal(tensors_read(&e, "hostile", &t, NULL), PERC_OK);
        const perc_status st = read(ud, &t, &err);
        tensors_free(&t);
        if (st != (h->reason != NULL ? PERC_EDATA : PERC_OK))
            fail_msg("change %d of %s, %s: status %d, '%s'", h->change, name, value, (int)st,
                     err.text);
        if (h->reason != NULL && strstr(err.text, h->reason) == NULL)
            fail_msg("change %d of %s, %s: '%s' does not say '%s'", h->change, name, value,
                     err.text, h->reason);
    }
}

static perc_status read_model(void *ud, struct tensors *t, perc_error *err)
{
    const struct env e = env_resolve(NULL);
    perc_model *m;
    const perc_status st = model_decode(&e, t, &m, err);

    (void)ud;
    assert_true(!st || m == NULL);
    perc_model_free(m);
    return st;
}

struct tensors t_tensors_of(const perc_model *m)
{
    const struct env e = env_resolve(NULL);
    perc_error err = { 0 };
    struct tensors t;

    if (perc_model_write(m, "good", &err)) fail_msg("%s", err.text);
    assert_int_equal(tensors_read(&e, "good", &t, NULL), PERC_OK);
    return t;
}

void t_refuses_model(const perc_model *m, const struct hostile *list, size_t n)
{
    struct tensors good = t_tensors_of(m);

    t_refuses(&good, read_model, NULL, list, n);
    tensors_free(&good);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct tensor *)a)->name, ((const struct tensor *)b)->name);
}

void t_sort(struct tensors *t)
{
    qsort(t->tensor, t->n, sizeof *t->tensor, by_name);
}

const char *t_text(const char *format, ...)
{
    static char text[32][80];
    static size_t next;
    char *at = text[next++ % COUNT(text)];
    va_list args;

    va_start(args, format);
    vsnprintf(at, sizeof text[0], format, args);
    va_end(args);
    return at;
}
