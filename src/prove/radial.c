/* radial.c -- gaussian and rbf kernels: which rows are equal decides it.
 *
 * exp(-gamma |x - z|^2) is strictly positive definite (Micchelli 1986): the images of
 * distinct points are independent, and so are they with a 1 appended. So some w has any
 * values one likes on distinct points. Rows of one point with both labels are held at 0:
 * y (phi, 1) and -y (phi, 1) add up to 0. All other rows can be strictly on their side.
 *
 *     C = the rows whose point occurs with both labels,  S = the others
 *
 * Points are compared as decimals, not as doubles. */

#include <string.h>

#include "base/pool.h"
#include "prove/proof.h"

/* d, which is not 0, without trailing zeros. Numbers of more than 19 digits have none (exact.h). */
static struct decimal plain(struct decimal d)
{
    while (!d.more && d.mantissa % 10 == 0) {
        d.mantissa /= 10;
        d.exponent++;
    }
    return d;
}

/* ----- points ---------------------------------------------------------------------- */

enum { ASKED = 1 << 10 }; /* rows between calls of the watch */

struct ray_slot {
    uint64_t key, first; /* first: 1 + the first row of the point; 0: empty */
};

struct distinct {
    struct pool pool;
    const struct whole *exact;
    const struct watch *watch;
    struct exact_lens row, other;
    struct ray_slot *table; /* open addressing */
    size_t places;          /* a power of 2, twice the rows or more */
    uint64_t *like;         /* n: the first row with the same point */
    unsigned char *labels;  /* n, by first row: 1: a row of the point is +1, 2: one is -1 */
    unsigned char *strict;  /* n: in S */
    uint64_t c, shared;     /* rows of C, and their points */
    bool stopped;
};

/* Whether the row in hand equals the one in `other`. */
static bool same_row(const struct distinct *s)
{
    if (s->row.n != s->other.n) return false;
    for (size_t k = 0; k < s->row.n; k++) {
        const struct decimal a = plain(s->row.value[k]), b = plain(s->other.value[k]);
        if (s->row.column[k] != s->other.column[k] || a.negative != b.negative ||
            a.more != b.more || a.exponent != b.exponent)
            return false;
        if (a.more ? a.end - a.digits != b.end - b.digits ||
                         memcmp(a.digits, b.digits, (size_t)(a.end - a.digits)) != 0
                   : a.mantissa != b.mantissa)
            return false;
    }
    return true;
}

/* Finds which rows are the same point, what labels it has, and so C and S. */
static perc_status find_points(struct distinct *s)
{
    const struct whole *exact = s->exact;

    for (uint64_t i = 0; i < exact->n; i++) {
        s->stopped = i % ASKED == 0 && !watch_ask(s->watch, 0);
        if (s->stopped) return PERC_OK;
        if (exact_row(&s->row, exact->ds, exact->row[i])) return PERC_ENOMEM;
        struct hash_keyed h = hash_key_begin(&exact->e.key);
        for (size_t k = 0; k < s->row.n; k++) {
            const struct decimal d = plain(s->row.value[k]);
            hash_key_word(&h, s->row.column[k]);
            hash_key_word(&h, d.mantissa);
            hash_key_word(&h, (uint64_t)d.exponent);
            hash_key_word(&h, (uint64_t)d.more << 1 | d.negative);
            if (d.more) hash_key_text(&h, d.digits, (size_t)(d.end - d.digits));
        }
        const uint64_t key = hash_key_end(&h); /* equal rows have equal keys: all digits count */
        struct ray_slot *place = &s->table[key & (s->places - 1)];
        for (; place->first != 0;
             place = &s->table[(size_t)(place - s->table + 1) & (s->places - 1)]) {
            if (place->key != key) continue;
            if (exact_row(&s->other, exact->ds, exact->row[place->first - 1])) return PERC_ENOMEM;
            if (same_row(s)) break;
        }
        if (place->first == 0) *place = (struct ray_slot){ key, i + 1 };
        s->like[i] = place->first - 1;
        s->labels[s->like[i]] |= exact->sign[i] > 0 ? 1 : 2;
    }
    for (uint64_t i = 0; i < exact->n; i++) {
        const bool both = s->labels[s->like[i]] == 3;
        s->strict[i] = !both;
        s->c += both;
        s->shared += both && s->like[i] == i;
    }
    return PERC_OK;
}

/* ----- the answer ------------------------------------------------------------------ */

/* Equal rows with different labels: the first row that has such a partner, and its first one. */
static perc_status give_witness(const struct distinct *s, struct separation *out)
{
    const signed char *sign = s->exact->sign;
    uint64_t *row = mem_array(&out->e, 2, sizeof *row), i = 0;
    mpz_t *value = whole_numbers(&out->e, 2);

    if (row == NULL || value == NULL) {
        mem_free(&out->e, row, 2, sizeof *row);
        whole_numbers_free(&out->e, value, 2);
        return PERC_ENOMEM;
    }
    while (s->strict[i]) i++; /* the first of C is the first of its point */
    row[0] = i;
    while (s->like[i] != row[0] || sign[i] == sign[row[0]]) i++;
    row[1] = i;
    for (size_t k = 0; k < 2; k++) mpz_set_ui(value[k], 1);
    out->no.n = 2;
    out->no.row = row;
    out->no.value = value;
    return PERC_OK;
}

static perc_status decide_points(struct distinct *s, bool quick, struct separation *out)
{
    const size_t n = s->exact->n;

    for (s->places = 2; s->places / 2 < n;) s->places *= 2;
    s->table = pool_zeroed(&s->pool, s->places, sizeof *s->table);
    s->like = pool_array(&s->pool, n, sizeof *s->like);
    s->labels = pool_zeroed(&s->pool, n, 1);
    s->strict = mem_array(&s->exact->e, n, 1);
    out->rows = n;
    out->dims = s->exact->dims;
    if (s->pool.failed || s->strict == NULL || find_points(s)) return PERC_ENOMEM;
    if (s->stopped) return PERC_OK;
    out->method = "equal rows";
    if (s->c > 0 && give_witness(s, out)) return PERC_ENOMEM;
    out->verdict = s->c == 0  ? PERC_SEPARABLE
                   : quick    ? PERC_INSEPARABLE
                   : s->c < n ? PERC_TOUCHING
                              : PERC_OVERLAPPING;
    out->rank = quick && s->c > 0 ? 1 : s->shared;
    if (out->verdict == PERC_INSEPARABLE) return PERC_OK;
    out->c = s->c;
    out->s = n - s->c;
    out->strict = s->strict; /* the caller's now */
    s->strict = NULL;
    return PERC_OK;
}

perc_status radial_decide(const struct whole *exact, bool quick, const struct watch *watch,
                          struct separation *out, perc_error *err)
{
    struct distinct s = { .exact = exact, .watch = watch };

    exact_init(&s.row, &exact->e);
    exact_init(&s.other, &exact->e);
    pool_init(&s.pool, &exact->e);
    const perc_status st = decide_points(&s, quick, out);
    pool_free(&s.pool);
    mem_free(&exact->e, s.strict, exact->n, 1);
    exact_free(&s.row);
    exact_free(&s.other);
    return st ? fail_memory(err) : PERC_OK;
}
