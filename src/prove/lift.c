/* lift.c -- the rows as a polynomial kernel sees them, exactly.
 *
 *     (gamma x.z + c)^p = sum over monomials m of degree <= p of  k_m m(x) m(z)
 *
 * with k_m > 0 (gamma, c > 0; for c = 0 the monomials of degree p alone). Some w over the
 * features sqrt(k_m) m(x) has a row on one side exactly if some w over the m(x) has: each
 * column is stretched by a positive factor. So the monomials are features enough, and they
 * are decimals: products of decimals, with all their digits.
 *
 * The constant monomial is the offset of the planes and no column here. Columns are the
 * monomials that occur, by degree, then by their features. */
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "prove/proof.h"

enum {
    LIFT_ENTRIES = 1 << 28,  /* of all rows together */
    LIFT_NUMBERS = 1 << 27,  /* of proof->monomial */
    BLOCK_ENTRIES = 1 << 18, /* of a block */
    BLOCK_TEXT = 1 << 28,
    EXPONENT_MAX = 900000 /* struct decimal ends at 10^6 */
};
#define SMALL_MAX UINT64_C(9999999999999999999) /* 19 digits */

/* (-1)^negative * mantissa * 10^exponent */
struct exact_product {
    uint64_t small;
    bool is_big, negative;
    mpz_t big; /* the mantissa where is_big */
    int64_t exponent;
};

/* A product whose digits are in `text`, which may still move. */
struct late {
    size_t entry, at, length;
};

struct lifter {
    struct env e;
    const perc_dataset *ds;
    size_t degree, low; /* of the monomials: low .. degree */
    struct exact_lens lens;
    /* the monomials: `degree` columns each, padded with UINT32_MAX */
    uint32_t *list;
    size_t monomials, cap_list;
    uint32_t *slot; /* hash of a monomial to its number + 1 */
    size_t slots;
    /* the row in hand */
    uint32_t *last; /* its columns, n_last of them: rows often share them */
    size_t n_last, cap_last;
    uint32_t *image; /* the columns of its products, in the order of walk_products */
    size_t images, cap_image;
    size_t *at;                    /* degree: the factors of a product, places in the row */
    struct exact_product *product; /* degree + 1: of the first k factors */
    mpz_t factor;
    /* the block in hand */
    struct rows rows;
    struct text text;
    struct late *late;
    size_t lates, cap_late;
};

#define GROW(e, p, cap, need) mem_grow(e, (void **)&(p), &(cap), need, sizeof *(p))

static perc_status lifter_open(struct lifter *l, const perc_proof *proof, const perc_dataset *ds,
                               perc_error *err)
{
    *l = (struct lifter){ .e = proof->e,
                          .ds = ds,
                          .degree = (size_t)proof->degree,
                          .low = proof->homogeneous ? (size_t)proof->degree : 1 };
    exact_init(&l->lens, &l->e);
    rows_init(&l->rows, &l->e);
    l->rows.exact = true;
    text_init(&l->text, &l->e);
    mpz_init(l->factor);
    l->at = mem_zeroed(&l->e, l->degree, sizeof *l->at);
    l->product = mem_zeroed(&l->e, l->degree + 1, sizeof *l->product);
    for (size_t k = 0; k <= l->degree && l->product != NULL; k++) mpz_init(l->product[k].big);
    return l->at == NULL || l->product == NULL ? fail_memory(err) : PERC_OK;
}

static void lifter_close(struct lifter *l)
{
    exact_free(&l->lens);
    rows_free(&l->rows);
    text_free(&l->text);
    mpz_clear(l->factor);
    for (size_t k = 0; k <= l->degree && l->product != NULL; k++) mpz_clear(l->product[k].big);
    mem_free(&l->e, l->product, l->degree + 1, sizeof *l->product);
    mem_free(&l->e, l->at, l->degree, sizeof *l->at);
    mem_free(&l->e, l->list, l->cap_list, sizeof *l->list);
    mem_free(&l->e, l->slot, l->slots, sizeof *l->slot);
    mem_free(&l->e, l->last, l->cap_last, sizeof *l->last);
    mem_free(&l->e, l->image, l->cap_image, sizeof *l->image);
    mem_free(&l->e, l->late, l->cap_late, sizeof *l->late);
}

/* ----- how many -------------------------------------------------------------------- */

/* The number of monomials in n variables of degree `low` or more, C(n + d - 1, d) of degree d;
 * stops counting beyond `most`. */
static uint64_t count_products(const struct lifter *l, size_t low, uint64_t n, uint64_t most)
{
    uint64_t sum = 0;

    for (size_t d = low; d <= l->degree && sum <= most; d++) {
        uint64_t c = n > 0 || d == 0;
        for (uint64_t k = 1; k <= d && n > 0; k++) {
            c = c * (n + k - 1) / k; /* c <= EXACT_PRODUCTS until now; the quotient is exact */
        }
        sum += c;
    }
    return sum;
}

static perc_status check_size(struct lifter *l, perc_error *err)
{
    uint64_t sum = 0;

    for (uint64_t i = 0; i < l->ds->rows; i++) {
        if (exact_row(&l->lens, l->ds, i)) return fail_memory(err);
        /* The verifier goes through the products of all degrees. */
        if (count_products(l, 0, l->lens.n, EXACT_PRODUCTS) > EXACT_PRODUCTS)
            return fail_at(err, PERC_EARG, perc_dataset_row_line(l->ds, i), 0,
                           "the row has more than %d products of %zu features, too many for a "
                           "proof (pass a lower --degree)",
                           EXACT_PRODUCTS, l->degree);
        sum += count_products(l, l->low, l->lens.n, LIFT_ENTRIES);
        if (sum > LIFT_ENTRIES)
            return fail(err, PERC_EARG,
                        "the rows have more than %d products of %zu features; the proof needs each "
                        "(pass a lower --degree)",
                        LIFT_ENTRIES, l->degree);
    }
    return PERC_OK;
}

/* ----- the products of a row, in order --------------------------------------------- */

/* The next multiset of d of n factors, in the order of their places: 00 01 02 11 12 22.
 * Returns the first place that changed; d: there is none. */
static size_t next_product(size_t *at, size_t d, size_t n)
{
    size_t k = d;

    while (k > 0 && at[k - 1] == n - 1) k--;
    if (k == 0) return d;
    at[k - 1]++;
    for (size_t i = k; i < d; i++) at[i] = at[k - 1];
    return k - 1;
}

/* Calls visit for each product of the row in the lens, d factors l->at; those before `from`
 * have not changed. By degree, then by features: the order of the columns. */
static perc_status walk_products(struct lifter *l,
                                 perc_status (*visit)(struct lifter *, size_t, size_t))
{
    perc_status st;

    for (size_t d = l->low; d <= l->degree && l->lens.n > 0; d++) {
        size_t from = 0;
        for (size_t k = 0; k < d; k++) l->at[k] = 0;
        do {
            if ((st = visit(l, d, from))) return st;
            from = next_product(l->at, d, l->lens.n);
        } while (from < d);
    }
    return PERC_OK;
}

/* Whether the row has the same columns as the last one; remembers them. PERC_ENOMEM. */
static perc_status compare_columns(struct lifter *l, bool *same)
{
    *same = l->last != NULL && l->n_last == l->lens.n;
    for (size_t k = 0; k < l->lens.n && *same; k++) *same = l->last[k] == l->lens.column[k];
    if (*same) return PERC_OK;
    if (!GROW(&l->e, l->last, l->cap_last, l->lens.n + 1)) return PERC_ENOMEM;
    l->n_last = l->lens.n;
    for (size_t k = 0; k < l->n_last; k++) l->last[k] = (uint32_t)l->lens.column[k];
    return PERC_OK;
}

/* ----- the monomials --------------------------------------------------------------- */

/* The place of a monomial in the slots: its own, or a free one. */
static size_t find_slot(const struct lifter *l, const uint32_t *monomial)
{
    const size_t bytes = l->degree * sizeof *monomial;
    size_t s = (size_t)hash_key_bytes(&l->e.key, monomial, bytes) & (l->slots - 1);

    while (l->slot[s] != 0 && memcmp(l->list + (l->slot[s] - 1) * l->degree, monomial, bytes) != 0)
        s = (s + 1) & (l->slots - 1);
    return s;
}

/* Writes the monomial of the product l->at after the end of the list, where there is room. */
static const uint32_t *spell_monomial(struct lifter *l, size_t d)
{
    uint32_t *out = l->list + l->monomials * l->degree;

    for (size_t k = 0; k < l->degree; k++)
        out[k] = k < d ? (uint32_t)l->lens.column[l->at[k]] : UINT32_MAX;
    return out;
}

static perc_status meet_monomial(struct lifter *l, size_t d, size_t from)
{
    (void)from;
    if (2 * l->monomials >= l->slots) {
        const size_t n = l->slots > 0 ? 2 * l->slots : 1024;
        uint32_t *slot = mem_zeroed(&l->e, n, sizeof *slot);
        if (slot == NULL) return PERC_ENOMEM;
        mem_free(&l->e, l->slot, l->slots, sizeof *l->slot);
        l->slot = slot;
        l->slots = n;
        for (size_t k = 0; k < l->monomials; k++)
            slot[find_slot(l, l->list + k * l->degree)] = (uint32_t)k + 1;
    }
    if (!GROW(&l->e, l->list, l->cap_list, (l->monomials + 1) * l->degree)) return PERC_ENOMEM;
    if ((l->monomials + 1) * l->degree > LIFT_NUMBERS) return PERC_EARG;
    const size_t s = find_slot(l, spell_monomial(l, d));
    if (l->slot[s] == 0) l->slot[s] = (uint32_t)++l->monomials;
    return PERC_OK;
}

static perc_status meet_all(struct lifter *l, perc_error *err)
{
    perc_status st = PERC_OK;
    bool same;

    for (uint64_t i = 0; i < l->ds->rows && !st; i++) {
        if (exact_row(&l->lens, l->ds, i) || compare_columns(l, &same)) st = PERC_ENOMEM;
        else if (!same) st = walk_products(l, meet_monomial);
    }
    if (st == PERC_EARG)
        return fail(err, PERC_EARG,
                    "the rows have more than %zu different products of %zu features (pass a lower "
                    "--degree)",
                    LIFT_NUMBERS / l->degree, l->degree);
    return st ? fail_memory(err) : PERC_OK;
}

struct sorted {
    const uint32_t *list;
    size_t degree;
};

static int by_degree(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;

    if (x->degree != y->degree) return x->degree < y->degree ? -1 : 1;
    for (size_t k = 0; k < x->degree; k++)
        if (x->list[k] != y->list[k]) return x->list[k] < y->list[k] ? -1 : 1;
    return 0;
}

/* Puts the monomials in order: number k is column k from now on. */
static perc_status sort_monomials(struct lifter *l, perc_error *err)
{
    const size_t n = l->monomials, size = n * l->degree;
    struct sorted *order = mem_array(&l->e, n, sizeof *order);
    uint32_t *list = mem_array(&l->e, size, sizeof *list);
    const bool room = order != NULL && list != NULL;

    for (size_t k = 0; k < n && order != NULL; k++) {
        order[k] = (struct sorted){ l->list + k * l->degree, 0 };
        while (order[k].degree < l->degree && order[k].list[order[k].degree] != UINT32_MAX)
            order[k].degree++;
    }
    if (room) {
        sort_items(order, n, sizeof *order, by_degree);
        for (size_t k = 0; k < n; k++)
            memcpy(list + k * l->degree, order[k].list, l->degree * sizeof *list);
        mem_free(&l->e, l->list, l->cap_list, sizeof *l->list);
        l->list = list;
        l->cap_list = size;
        if (l->slots > 0) memset(l->slot, 0, l->slots * sizeof *l->slot);
        for (size_t k = 0; k < n; k++)
            l->slot[find_slot(l, list + k * l->degree)] = (uint32_t)k + 1;
        list = NULL;
    }
    mem_free(&l->e, order, n, sizeof *order);
    mem_free(&l->e, list, size, sizeof *list);
    return room ? PERC_OK : fail_memory(err);
}

static perc_status find_image(struct lifter *l, size_t d, size_t from)
{
    (void)from;
    if (!GROW(&l->e, l->list, l->cap_list, (l->monomials + 1) * l->degree) ||
        !GROW(&l->e, l->image, l->cap_image, l->images + 1))
        return PERC_ENOMEM;
    l->image[l->images++] = l->slot[find_slot(l, spell_monomial(l, d))] - 1;
    return PERC_OK;
}

/* ----- the products ---------------------------------------------------------------- */

/* out = a * d */
static void multiply(struct lifter *l, const struct exact_product *a, const struct decimal *d,
                     struct exact_product *out)
{
    int64_t exponent = d->exponent;
    uint64_t small;

    out->negative = a->negative != d->negative;
    out->is_big = a->is_big || d->more || __builtin_mul_overflow(a->small, d->mantissa, &small) ||
                  small > SMALL_MAX;
    if (!out->is_big) {
        out->small = small;
    } else {
        mpz_set_ui(l->factor, d->more ? 0 : d->mantissa);
        for (const char *p = d->digits; d->more && p < d->end; p++) {
            mpz_mul_ui(l->factor, l->factor, 10);
            mpz_add_ui(l->factor, l->factor, (unsigned long)(*p - '0'));
        }
        exponent = exact_lowest(d); /* that of digit 19, where there are more */
        if (a->is_big) mpz_mul(out->big, a->big, l->factor);
        else mpz_mul_ui(out->big, l->factor, a->small);
    }
    out->exponent = a->exponent + exponent;
}

/* p as a decimal. If it has more than 19 digits, they are in l->text at *where. */
static perc_status to_decimal(struct lifter *l, const struct exact_product *p, struct decimal *out,
                              size_t *where)
{
    enum number_fault fault;

    if (!p->is_big) {
        *out = (struct decimal){ .mantissa = p->small, .exponent = p->exponent };
        while (out->mantissa % 10 == 0) {
            out->mantissa /= 10;
            out->exponent++;
        }
        out->negative = p->negative;
        return PERC_OK;
    }
    const size_t room = mpz_sizeinbase(p->big, 10) + 2;
    *where = l->text.len;
    for (size_t k = 0; k < room; k++) text_char(&l->text, '0');
    if (l->text.oom) return PERC_ENOMEM;
    mpz_get_str(l->text.s + *where, 10, p->big);
    l->text.len = *where + strlen(l->text.s + *where);
    number_scan_decimal(l->text.s + *where, l->text.s + l->text.len, out, &fault);
    out->exponent += p->exponent;
    out->negative = p->negative;
    if (!out->more) l->text.len = *where;
    return PERC_OK;
}

/* Adds the product l->at as the next entry of the row. PERC_EDATA: out of range for a double. */
static perc_status put_product(struct lifter *l, size_t d, size_t from)
{
    struct decimal v;
    size_t where = 0;

    for (size_t k = from; k < d; k++)
        multiply(l, &l->product[k], &l->lens.value[l->at[k]], &l->product[k + 1]);
    if (l->product[d].exponent < -EXPONENT_MAX) return PERC_EDATA;
    if (to_decimal(l, &l->product[d], &v, &where)) return PERC_ENOMEM;
    const double x = number_decimal_value(&v);
    if (isinf(x)) return PERC_EDATA;
    if (v.more) {
        if (!GROW(&l->e, l->late, l->cap_late, l->lates + 1)) return PERC_ENOMEM;
        l->late[l->lates++] = (struct late){ l->rows.entries, where, (size_t)(v.end - v.digits) };
    }
    rows_put_number(&l->rows, l->image[l->images++], &v, x);
    return PERC_OK;
}

/* ----- the rows -------------------------------------------------------------------- */

/* The rows in hand become a block. `first`: the line of the first of them. */
static perc_status end_block(struct lifter *l, perc_dataset *out, int64_t first)
{
    struct rows *r = &l->rows;

    for (size_t k = 0; k < l->lates; k++) {
        struct decimal *d = &r->decimal[l->late[k].entry];
        d->digits = l->text.s + l->late[k].at;
        d->end = d->digits + l->late[k].length;
    }
    if (dataset_add_rows(out, r)) return PERC_ENOMEM;
    out->block[out->blocks - 1].first_line = first;
    rows_reset(r);
    l->text.len = 0;
    l->lates = 0;
    return PERC_OK;
}

static perc_status lift_rows(struct lifter *l, perc_dataset *out, perc_error *err)
{
    int64_t first = 0, line = 0;
    bool same;
    perc_status st = PERC_OK;

    for (uint64_t i = 0; i < l->ds->rows && !st; i++) {
        line = perc_dataset_row_line(l->ds, i);
        if (l->rows.n > 0 && (l->rows.entries > BLOCK_ENTRIES || l->text.len > BLOCK_TEXT ||
                              l->rows.n >= UINT16_MAX || line - first > UINT32_MAX))
            st = end_block(l, out, first);
        if (l->rows.n == 0) first = line;
        if (st || exact_row(&l->lens, l->ds, i) || compare_columns(l, &same)) {
            st = PERC_ENOMEM;
            break;
        }
        if (!same || l->image == NULL) {
            l->images = 0;
            if ((st = walk_products(l, find_image))) break;
        }
        l->product[0].small = 1;
        l->images = 0;
        if (!rows_reserve(&l->rows, 1, (size_t)count_products(l, l->low, l->lens.n, LIFT_ENTRIES)))
            st = PERC_ENOMEM;
        else if (!(st = walk_products(l, put_product)))
            rows_end(&l->rows, LABEL_NONE, 1, (uint32_t)(line - first));
    }
    if (!st) st = end_block(l, out, first);
    if (st == PERC_EDATA)
        return fail_at(err, PERC_EDATA, line, 0,
                       "a product of %zu features of the row is outside the range of a double",
                       l->degree);
    return st ? fail_memory(err) : PERC_OK;
}

perc_status lift(perc_proof *proof, const perc_dataset *ds, perc_error *err)
{
    struct lifter l;
    perc_dataset *out = NULL;
    uint32_t *monomial = NULL;
    perc_status st;

    if (!(st = lifter_open(&l, proof, ds, err)) && !(st = check_size(&l, err)) &&
        !(st = meet_all(&l, err)) && !(st = sort_monomials(&l, err))) {
        const size_t size = l.monomials * l.degree;
        monomial = mem_array(&l.e, size, sizeof *monomial);
        l.n_last = SIZE_MAX; /* the first row has no row before it */
        if (monomial == NULL || dataset_new(&l.e, &out)) st = fail_memory(err);
        else st = lift_rows(&l, out, err);
        if (!st && size > 0) memcpy(monomial, l.list, size * sizeof *monomial);
        if (st) {
            mem_free(&l.e, monomial, size, sizeof *monomial);
            perc_dataset_free(out);
        } else {
            out->columns = l.monomials; /* blocks know only the columns that they use */
            proof->lifted = out;
            proof->monomial = monomial;
        }
    }
    lifter_close(&l);
    return st;
}
