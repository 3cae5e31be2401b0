/* vector.c -- the rows of the data as vectors of whole numbers. */
#include "verify/vector.h"

#include <string.h>

enum { MANTISSA = 19, EXPONENT_LIMIT = 1000000 }; /* of base/number.h */

/* ----- memory of a row ------------------------------------------------------------------- */

void vector_init(struct vector *v, const struct env *e)
{
    memset(v, 0, sizeof *v);
    v->e = *e;
    exact_init(&v->lens, e);
}

static void entries_free(const struct env *e, struct entry *entry, size_t cap)
{
    for (size_t k = 0; k < cap; k++) integer_free(e, &entry[k].value);
    mem_free(e, entry, cap, sizeof *entry);
}

void vector_free(struct vector *v)
{
    const struct env e = v->e;

    if (e.alloc == NULL) return;
    entries_free(&e, v->entry, v->cap);
    entries_free(&e, v->base, v->base_cap);
    for (size_t k = 0; k <= CERT_DEGREE; k++) integer_free(&e, &v->product[k]);
    exact_free(&v->lens);
    memset(v, 0, sizeof *v);
}

/* Room for n entries; the numbers of those that are new are 0. */
static bool entries_grow(struct vector *v, size_t n)
{
    const size_t old = v->cap;

    if (n <= old) return true;
    if (!mem_grow(&v->e, (void **)&v->entry, &v->cap, n, sizeof *v->entry)) return false;
    for (size_t k = old; k < v->cap; k++) v->entry[k] = (struct entry){ .id = 0 };
    return true;
}

/* ----- numbers of the file --------------------------------------------------------------- */

/* The number without trailing zeros. If it has more digits than a mantissa holds, the given
 * exponent is that of digit 19. */
static bool decimal_entry(const struct env *e, const struct decimal *d, struct entry *out)
{
    const char *s = d->digits, *end = d->end;
    int64_t digits = 0;

    out->negative = d->negative;
    out->exponent = d->exponent;
    out->small = d->more ? 0 : d->mantissa;
    if (!d->more) {
        for (; out->small % 10 == 0; out->small /= 10) out->exponent++; /* none is 0 */
        return true;
    }
    while (*s == '0' || *s == '.') s++;
    while (end[-1] == '0' || end[-1] == '.') end--;
    for (const char *p = s; p < end; p++) digits += *p != '.';
    out->exponent -= digits - MANTISSA;
    if (!integer_decimal(e, &out->value, s, end)) return false;
    out->value.negative = d->negative;
    return true;
}

/* entry.value = the number times 10^k. */
static bool entry_scale(const struct env *e, struct entry *x, uint64_t k)
{
    if (x->small == 0) return integer_scale(e, &x->value, k);
    for (; k > 0 && x->small <= UINT64_MAX / 10; k--) x->small *= 10;
    if (!integer_set(e, &x->value, x->small)) return false;
    x->value.negative = x->negative;
    return integer_scale(e, &x->value, k);
}

/* ----- polynomial kernels ---------------------------------------------------------------- */

/* All products that begin with the `depth` factors chosen so far; the others are features of the
 * row from number `from` on, each as often as there is room. The product so far becomes an entry
 * if its degree is wanted and it is known or to be learned. */
static perc_status products(struct vector *v, const struct space *s, size_t from, size_t depth)
{
    uint32_t id = 0;
    perc_status st;

    if (++v->made > VECTOR_PRODUCTS) return PERC_EDATA;
    if (depth > 0 && (depth == s->degree || !s->homogeneous)) {
        id = s->learn ? monomials_add(s->known, v->key, depth)
                      : monomials_find(s->known, v->key, depth);
        if (id == 0 && s->learn) return PERC_ENOMEM;
    }
    if (id != 0) {
        if (!entries_grow(v, v->n + 1)) return PERC_ENOMEM;
        struct entry *x = &v->entry[v->n];
        x->id = id;
        x->small = 0;
        x->exponent = v->power[depth];
        if (!integer_copy(&v->e, &x->value, &v->product[depth])) return PERC_ENOMEM;
        v->n++;
    }
    if (depth == s->degree) return PERC_OK;
    for (size_t k = from; k < v->base_n; k++) {
        const struct entry *x = &v->base[k];
        v->key[depth] = (uint32_t)x->id;
        v->power[depth + 1] = v->power[depth] + x->exponent;
        if (!integer_multiply(&v->e, &v->product[depth + 1], &v->product[depth], &x->value))
            return PERC_ENOMEM;
        if ((st = products(v, s, k, depth + 1)) != PERC_OK) return st;
    }
    return PERC_OK;
}

/* From the features of the row to their products. */
static perc_status expand(struct vector *v, const struct space *s)
{
    struct entry *entry = v->base;
    const size_t cap = v->base_cap;

    v->base = v->entry, v->base_cap = v->cap, v->base_n = v->n;
    v->entry = entry, v->cap = cap, v->n = 0;
    for (size_t k = 0; k < v->base_n; k++)
        if (!entry_scale(&v->e, &v->base[k], 0)) return PERC_ENOMEM;
    v->made = 0;
    v->power[0] = 0;
    if (!integer_set(&v->e, &v->product[0], 1)) return PERC_ENOMEM;
    return products(v, s, 0, 0);
}

/* ----- a row ----------------------------------------------------------------------------- */

static perc_status read_features(struct vector *v, const struct space *s, uint64_t row)
{
    const struct exact_lens *l = &v->lens;

    v->n = 0;
    if (exact_row(&v->lens, s->ds, row) || !entries_grow(v, l->n + 1)) return PERC_ENOMEM;
    for (; v->n < l->n; v->n++) {
        struct entry *x = &v->entry[v->n];
        const int64_t power = l->value[v->n].exponent;
        if (power >= EXPONENT_LIMIT || power <= -EXPONENT_LIMIT) return PERC_EDATA;
        x->id = l->column[v->n] - (uint64_t)s->ds->index_base + 1;
        if (!decimal_entry(&v->e, &l->value[v->n], x)) return PERC_ENOMEM;
    }
    return PERC_OK;
}

/* Gives all entries the lowest power of ten among them. */
static perc_status level_entries(struct vector *v)
{
    int64_t low = INT64_MAX, high = INT64_MIN;

    for (size_t k = 0; k < v->n; k++) {
        if (v->entry[k].exponent < low) low = v->entry[k].exponent;
        if (v->entry[k].exponent > high) high = v->entry[k].exponent;
    }
    v->exponent = v->n > 0 ? low : 0;
    if (v->n > 0 && high - low > VECTOR_SPAN) return PERC_EDATA;
    for (size_t k = 0; k < v->n; k++)
        if (!entry_scale(&v->e, &v->entry[k], (uint64_t)(v->entry[k].exponent - low)))
            return PERC_ENOMEM;
    return PERC_OK;
}

perc_status vector_row(struct vector *v, const struct space *s, uint64_t row, perc_error *err)
{
    perc_status st = read_features(v, s, row);

    if (st == PERC_OK && s->kind == CERT_POLY) st = expand(v, s);
    if (st == PERC_OK && s->constant && !entries_grow(v, v->n + 1)) st = PERC_ENOMEM;
    if (st == PERC_OK && s->constant) {
        struct entry *x = &v->entry[v->n++];
        x->id = 0, x->small = 1, x->exponent = 0, x->negative = false;
    }
    if (st == PERC_OK) st = level_entries(v);
    if (st == PERC_ENOMEM) return fail_memory(err);
    if (st == PERC_EDATA)
        return fail_at(err, PERC_EDATA, perc_dataset_row_line(s->ds, row), 0,
                       "the row is too much for a proof: its numbers span more than %d powers of "
                       "ten, or its features have more than %d products",
                       VECTOR_SPAN, VECTOR_PRODUCTS);
    return st;
}

bool vector_same(const struct vector *a, const struct vector *b)
{
    if (a->n != b->n || a->exponent != b->exponent) return false;
    for (size_t k = 0; k < a->n; k++)
        if (a->entry[k].id != b->entry[k].id ||
            !integer_same(&a->entry[k].value, &b->entry[k].value))
            return false;
    return true;
}

uint64_t vector_hash(const struct vector *v)
{
    struct hash_keyed h = hash_key_begin(&v->e.key);

    for (size_t k = 0; k < v->n; k++) {
        const struct integer *x = &v->entry[k].value;
        hash_key_word(&h, v->entry[k].id << 1 | x->negative);
        hash_key_text(&h, x->digit, x->n * sizeof *x->digit);
    }
    hash_key_word(&h, (uint64_t)v->exponent);
    return hash_key_end(&h);
}
