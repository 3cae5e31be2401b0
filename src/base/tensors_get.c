/* tensors_get.c -- what is in a safetensors file, by name; tables for writing and reading.
 *
 * A codec (machine/votes_file.c, model/file.c) says once, in a table, which arrays and metadata it
 * has; from that table they are written, and looked up again with type, shape and finiteness
 * checked. What the numbers mean, only the codec knows. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/tensors.h"

const struct tensor *tensors_find(const struct tensors *t, const char *name)
{
    for (size_t lo = 0, hi = t->n; lo < hi;) {
        const size_t mid = lo + (hi - lo) / 2;
        const int c = strcmp(name, t->tensor[mid].name);
        if (c == 0) return &t->tensor[mid];
        if (c < 0) hi = mid;
        else lo = mid + 1;
    }
    return NULL;
}

const char *tensors_get(const struct tensors *t, const char *key)
{
    for (size_t lo = 0, hi = t->metas; lo < hi;) {
        const size_t mid = lo + (hi - lo) / 2;
        const int c = strcmp(key, t->meta[mid].key);
        if (c == 0) return t->meta[mid].value;
        if (c < 0) hi = mid;
        else lo = mid + 1;
    }
    return NULL;
}

perc_status tensors_need(const struct tensors *t, const char *key, const char **out,
                         perc_error *err)
{
    *out = tensors_get(t, key);
    return *out != NULL ? PERC_OK : fail(err, PERC_EDATA, "metadata '%s' is missing", key);
}

perc_status tensors_get_int(const struct tensors *t, const char *key, int64_t min, int64_t max,
                            int64_t *out, perc_error *err)
{
    const char *s;
    const perc_status st = tensors_need(t, key, &s, err);

    if (st) return st;
    if (!number_parse_int(s, strlen(s), out))
        return fail(err, PERC_EDATA, "metadata '%s' is '%.40s', not a whole number", key, s);
    if (*out < min || *out > max)
        return fail(err, PERC_EDATA, "metadata '%s' is %lld, which is out of range", key,
                    (long long)*out);
    return PERC_OK;
}

perc_status tensors_get_bool(const struct tensors *t, const char *key, bool *out, perc_error *err)
{
    const char *s;
    const perc_status st = tensors_need(t, key, &s, err);

    if (st) return st;
    *out = strcmp(s, "true") == 0;
    if (*out || strcmp(s, "false") == 0) return PERC_OK;
    return fail(err, PERC_EDATA, "metadata '%s' is '%.60s', neither true nor false", key, s);
}

perc_status tensors_get_num(const struct tensors *t, const char *key, double *out, perc_error *err)
{
    const char *s = tensors_get(t, key);

    *out = NAN;
    if (s == NULL || number_parse(s, strlen(s), out)) return PERC_OK;
    return fail(err, PERC_EDATA, "metadata '%s' is '%.60s', which is not a number", key, s);
}

perc_status tensors_get_word(const struct tensors *t, const char *key, const char *const *word,
                             size_t n, int *out, perc_error *err)
{
    const char *s;
    const perc_status st = tensors_need(t, key, &s, err);
    size_t k = 0;

    if (st) return st;
    while (k < n && (word[k] == NULL || strcmp(s, word[k]) != 0)) k++;
    *out = (int)k;
    return k < n ? PERC_OK
                 : fail(err, PERC_EDATA, "metadata '%s' has the unknown value '%.60s'", key, s);
}

perc_status tensors_format(const struct tensors *t, const char *format, int64_t version,
                           perc_error *err)
{
    const char *found = tensors_get(t, "format");
    int64_t v;

    if (found == NULL) return fail(err, PERC_EDATA, "not a %s file: no format is given", format);
    if (strcmp(found, format) != 0)
        return fail(err, PERC_EDATA, "this is a %.40s file, not a %s file", found, format);
    const perc_status st = tensors_get_int(t, "format_version", 1, INT64_MAX, &v, err);
    if (st) return st;
    if (v > version)
        return fail(err, PERC_EDATA,
                    "written by a newer version (format %lld); this one reads format %lld",
                    (long long)v, (long long)version);
    return PERC_OK;
}

/* ----- arrays ----------------------------------------------------------------- */

perc_status tensors_wrong(perc_error *err, const char *name, uint64_t place, const char *what)
{
    return fail(err, PERC_EDATA, "%s[%llu] %s", name, (unsigned long long)place, what);
}

static void length_text(char out[24], uint64_t n)
{
    if (n == TENSORS_ANY) snprintf(out, 24, "..");
    else snprintf(out, 24, "%llu", (unsigned long long)n);
}

perc_status tensors_want(const struct tensors *t, const char *name, enum dtype type, uint64_t n0,
                         uint64_t n1, const struct tensor **out, perc_error *err)
{
    const struct tensor *one = *out = tensors_find(t, name);
    const char *word = tensors_dtype_name(type);
    char rows[24], columns[24];

    if (one == NULL) return fail(err, PERC_EDATA, "tensor '%s' is missing", name);
    if (one->type == type && one->dims == (n1 > 0 ? 2 : 1) &&
        (n0 == TENSORS_ANY || one->shape[0] == n0) &&
        (n1 == 0 || n1 == TENSORS_ANY || one->shape[1] == n1)) {
        /* "layer.0.weight[17, 3] is not a finite number". */
        uint64_t k = 0;
        if (one->type == DTYPE_F64)
            while (k < one->count && fabs(((const double *)one->data)[k]) <= DBL_MAX) k++;
        else if (one->type == DTYPE_F32)
            while (k < one->count && fabsf(((const float *)one->data)[k]) <= FLT_MAX) k++;
        else return PERC_OK;
        if (k == one->count) return PERC_OK;
        if (one->dims == 1) return tensors_wrong(err, one->name, k, "is not a finite number");
        return fail(err, PERC_EDATA, "%s[%llu, %llu] is not a finite number", one->name,
                    (unsigned long long)(k / one->shape[1]),
                    (unsigned long long)(k % one->shape[1]));
    }
    length_text(rows, n0);
    length_text(columns, n1);
    if (n1 > 0)
        return fail(err, PERC_EDATA, "tensor '%s' must be %s of shape [%s, %s]", name, word, rows,
                    columns);
    if (n0 != TENSORS_ANY)
        return fail(err, PERC_EDATA, "tensor '%s' must be %s of shape [%s]", name, word, rows);
    return fail(err, PERC_EDATA, "tensor '%s' must be %s of one dimension", name, word);
}

void tensors_copy_rows(const struct tensor *one, void *to, size_t stride)
{
    const size_t size = tensors_dtype_size(one->type) *
                        (one->dims == 2 ? (size_t)one->shape[1] : 1);

    for (uint64_t i = 0; i < one->shape[0]; i++)
        memcpy((char *)to + i * stride, (const char *)one->data + i * size, size);
}

/* ----- tables ------------------------------------------------------------------ */

perc_status tensors_add_all(struct tensors *t, const struct tensor_spec *spec, size_t n,
                            const uint64_t *size, const void *const *data)
{
    for (size_t i = 0; i < n; i++) {
        const struct tensor_spec *s = &spec[i];
        if (tensors_add(t, s->name, s->type, data[i], size[s->n0], s->n1 > 0 ? size[s->n1] : 0))
            return PERC_ENOMEM;
    }
    return PERC_OK;
}

perc_status tensors_want_all(const struct tensors *t, const struct tensor_spec *spec, size_t n,
                             uint64_t *size, const struct tensor **out, perc_error *err)
{
    for (size_t i = 0; i < n; i++) {
        const struct tensor_spec *s = &spec[i];
        const perc_status st = tensors_want(t, s->name, s->type, size[s->n0],
                                            s->n1 > 0 ? size[s->n1] : 0, &out[i], err);
        if (st) return st;
        size[s->n0] = out[i]->shape[0];
        if (s->n1 > 0) size[s->n1] = out[i]->shape[1];
    }
    return PERC_OK;
}

perc_status tensors_meta_all(struct tensors *t, const struct meta_spec *spec, size_t n,
                             const void *from)
{
    perc_status st = PERC_OK;

    for (size_t i = 0; i < n && !st; i++) {
        const void *at = (const char *)from + spec[i].at;
        switch (spec[i].type) {
        case META_COUNT: st = tensors_meta_int(t, spec[i].key, *(const int64_t *)at); break;
        case META_BOOL: st = tensors_meta_bool(t, spec[i].key, *(const bool *)at); break;
        case META_NUM:
            if (isfinite(*(const double *)at))
                st = tensors_meta_num(t, spec[i].key, *(const double *)at);
            break;
        case META_WORD: st = tensors_meta(t, spec[i].key, spec[i].word[*(const int *)at]); break;
        }
    }
    return st;
}

perc_status tensors_get_all(const struct tensors *t, const struct meta_spec *spec, size_t n,
                            void *to, perc_error *err)
{
    perc_status st = PERC_OK;

    for (size_t i = 0; i < n && !st; i++) {
        const struct meta_spec *s = &spec[i];
        void *at = (char *)to + s->at;
        switch (s->type) {
        case META_COUNT: st = tensors_get_int(t, s->key, 0, TENSORS_COUNT_MAX, at, err); break;
        case META_BOOL: st = tensors_get_bool(t, s->key, at, err); break;
        case META_NUM: st = tensors_get_num(t, s->key, at, err); break;
        case META_WORD: st = tensors_get_word(t, s->key, s->word, s->words, at, err); break;
        }
    }
    return st;
}
