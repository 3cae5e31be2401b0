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

/* The number without zeros at its end, which could be at any place. If it has more digits than a
 * mantissa holds, the given exponent is that of digit 19. */
static bool decimal_entry(const struct env *e, const struct decimal *d, struct entry *out)
{
    const char *s = d->digits, *end = d->end;
    int64_t exponent = d->exponent;

    if (!d->more) {
        uint64_t v = d->mantissa;
        for (; v % 10 == 0; v /= 10) exponent++; /* none is 0 */
        if (!integer_set(e, &out->value, v)) return false;
    } else {
        exponent -= (end - s) - MANTISSA;
        if (!integer_decimal(e, &out->value, s, end)) return false;
    }
    const int64_t above = (exponent % INTEGER_FIGURES + INTEGER_FIGURES) % INTEGER_FIGURES;
    out->place = (exponent - above) / INTEGER_FIGURES;
    out->value.negative = d->negative;
    return integer_scale(e, &out->value, (unsigned)above);
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
        x->place = v->place[depth];
        if (!integer_copy(&v->e, &x->value, &v->product[depth])) return PERC_ENOMEM;
        v->n++;
    }
    if (depth == s->degree) return PERC_OK;
    for (size_t k = from; k < v->base_n; k++) {
        const struct entry *x = &v->base[k];
        v->key[depth] = (uint32_t)x->id;
        v->place[depth + 1] = v->place[depth] + x->place;
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
    v->made = 0;
    v->place[0] = 0;
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

static perc_status find_places(struct vector *v)
{
    int64_t highest = INT64_MIN;

    v->low = v->n > 0 ? INT64_MAX : 0;
    v->high = v->n > 0 ? INT64_MIN : 0;
    for (size_t k = 0; k < v->n; k++) {
        const struct entry *x = &v->entry[k];
        const int64_t end = x->place + (int64_t)x->value.n;
        if (x->place < v->low) v->low = x->place;
        if (x->place > highest) highest = x->place;
        if (end > v->high) v->high = end;
    }
    return v->n > 0 && highest - v->low > VECTOR_PLACES ? PERC_EDATA : PERC_OK;
}

perc_status vector_row(struct vector *v, const struct space *s, uint64_t row, perc_error *err)
{
    perc_status st = read_features(v, s, row);

    if (st == PERC_OK && s->kind == CERT_POLY) st = expand(v, s);
    if (st == PERC_OK && s->constant && !entries_grow(v, v->n + 1)) st = PERC_ENOMEM;
    if (st == PERC_OK && s->constant) {
        struct entry *x = &v->entry[v->n++];
        x->id = 0, x->place = 0;
        if (!integer_set(&v->e, &x->value, 1)) st = PERC_ENOMEM;
    }
    if (st == PERC_OK) st = find_places(v);
    if (st == PERC_ENOMEM) return fail_memory(err);
    if (st == PERC_EDATA)
        return dataset_blame(
            s->ds, row,
            fail_at(err, PERC_EDATA, perc_dataset_row_line(s->ds, row), 0,
                    "the row is too much for a proof: its numbers span more than %d powers of "
                    "ten, or its features have more than %d products",
                    VECTOR_SPAN, VECTOR_PRODUCTS),
            err);
    return st;
}

bool vector_same(const struct vector *a, const struct vector *b)
{
    if (a->n != b->n) return false;
    for (size_t k = 0; k < a->n; k++)
        if (a->entry[k].id != b->entry[k].id || a->entry[k].place != b->entry[k].place ||
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
        hash_key_word(&h, (uint64_t)v->entry[k].place);
        hash_key_text(&h, x->digit, x->n * sizeof *x->digit);
    }
    return hash_key_end(&h);
}
