/* radial.c -- gaussian and rbf kernels: which rows are equal settles it.
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

#include "base/hash.h"
#include "prove/proof.h"

/* ----- equal numbers, equal rows --------------------------------------------------- */

/* Without zeros at the end. Numbers of more than 19 digits have none (exact.h). */
static struct decimal plain(struct decimal d)
{
    while (!d.more && d.mantissa % 10 == 0 && d.mantissa > 0) {
        d.mantissa /= 10;
        d.exponent++;
    }
    return d;
}

static bool same_number(const struct decimal *x, const struct decimal *y)
{
    const struct decimal a = plain(*x), b = plain(*y);

    if (a.negative != b.negative || a.more != b.more || a.exponent != b.exponent) return false;
    if (!a.more) return a.mantissa == b.mantissa;
    return a.end - a.digits == b.end - b.digits &&
           memcmp(a.digits, b.digits, (size_t)(a.end - a.digits)) == 0;
}

static bool same_row(const struct exact_lens *a, const struct exact_lens *b)
{
    if (a->n != b->n) return false;
    for (size_t k = 0; k < a->n; k++)
        if (a->column[k] != b->column[k] || !same_number(&a->value[k], &b->value[k])) return false;
    return true;
}

/* Equal rows have equal keys, and others nearly always have others: all digits count. */
static uint64_t key_of(const struct exact_lens *l)
{
    struct hash64 h;

    hash_init(&h);
    for (size_t k = 0; k < l->n; k++) {
        const struct decimal d = plain(l->value[k]);
        const uint64_t word[4] = { l->column[k], d.mantissa, (uint64_t)d.exponent, d.negative };
        hash_add(&h, word, sizeof word);
        if (d.more) hash_add(&h, d.digits, (size_t)(d.end - d.digits));
    }
    return hash_end(&h);
}

/* ----- points ---------------------------------------------------------------------- */

enum { ASKED = 1 << 10 }; /* rows between questions to the watch */

struct place {
    uint64_t key, first; /* first: 1 + the first row of the point; 0: empty */
};

struct points {
    const struct whole *exact;
    const struct watch *watch;
    struct exact_lens row, other;
    struct place *table;   /* open addressing */
    size_t places;         /* a power of 2, twice the rows or more */
    uint64_t *like;        /* n: the first row with the same point */
    unsigned char *labels; /* n, of a first row: 1: a row there is +1, 2: one is -1 */
    unsigned char *strict; /* n: in S */
    uint64_t c, held;      /* rows of C, and their points */
    bool stopped;
};

/* Where the row in hand belongs: the place of its point, or an empty one. */
static perc_status find_place(struct points *s, uint64_t key, struct place **out)
{
    const struct whole *exact = s->exact;
    size_t at = (size_t)key & (s->places - 1);

    for (; s->table[at].first != 0; at = (at + 1) & (s->places - 1)) {
        if (s->table[at].key != key) continue;
        if (exact_row(&s->other, exact->ds, exact->row[s->table[at].first - 1])) return PERC_ENOMEM;
        if (same_row(&s->row, &s->other)) break;
    }
    *out = &s->table[at];
    return PERC_OK;
}

/* Which rows are one point, and what labels it has. */
static perc_status find_points(struct points *s)
{
    const struct whole *exact = s->exact;
    struct place *place;

    for (uint64_t i = 0; i < exact->n; i++) {
        s->stopped = i % ASKED == 0 && !watch_ask(s->watch, 0);
        if (s->stopped) return PERC_OK;
        if (exact_row(&s->row, exact->ds, exact->row[i])) return PERC_ENOMEM;
        const uint64_t key = key_of(&s->row);
        if (find_place(s, key, &place)) return PERC_ENOMEM;
        if (place->first == 0) *place = (struct place){ key, i + 1 };
        s->like[i] = place->first - 1;
        s->labels[s->like[i]] |= exact->sign[i] > 0 ? 1 : 2;
    }
    return PERC_OK;
}

static void count_points(struct points *s)
{
    for (uint64_t i = 0; i < s->exact->n; i++) {
        const bool both = s->labels[s->like[i]] == 3;
        s->strict[i] = !both;
        s->c += both;
        s->held += both && s->like[i] == i;
    }
}

/* Equal rows with different labels: the lowest row that has one, and its first. */
static void first_pair(const struct points *s, uint64_t row[2])
{
    const signed char *sign = s->exact->sign;
    uint64_t i = 0;

    while (s->strict[i]) i++; /* the first of C is the first of its point */
    row[0] = i;
    while (s->like[i] != row[0] || sign[i] == sign[row[0]]) i++;
    row[1] = i;
}

/* ----- the answer ------------------------------------------------------------------ */

static perc_status witness(const struct points *s, struct separation *out)
{
    const struct env *e = &out->e;
    uint64_t *row = mem_array(e, 2, sizeof *row);
    mpz_t *value = whole_numbers(e, 2);

    if (row == NULL || value == NULL) {
        mem_free(e, row, 2, sizeof *row);
        whole_numbers_free(e, value, 2);
        return PERC_ENOMEM;
    }
    first_pair(s, row);
    for (size_t k = 0; k < 2; k++) mpz_set_ui(value[k], 1);
    out->no.n = 2;
    out->no.row = row;
    out->no.value = value;
    return PERC_OK;
}

static perc_status conclude(struct points *s, bool quick, struct separation *out)
{
    const uint64_t n = s->exact->n;

    count_points(s);
    out->method = "equal rows";
    if (s->c > 0 && witness(s, out)) return PERC_ENOMEM;
    out->verdict = s->c == 0  ? PERC_SEPARABLE
                   : quick    ? PERC_INSEPARABLE
                   : s->c < n ? PERC_TOUCHING
                              : PERC_OVERLAPPING;
    out->rank = quick && s->c > 0 ? 1 : s->held;
    if (out->verdict == PERC_INSEPARABLE) return PERC_OK;
    out->c = s->c;
    out->s = n - s->c;
    out->strict = s->strict; /* taken over */
    s->strict = NULL;
    return PERC_OK;
}

static perc_status settle_points(struct points *s, bool quick, struct separation *out)
{
    const struct env *e = &s->exact->e;
    const size_t n = s->exact->n;

    for (s->places = 2; s->places / 2 < n;) s->places *= 2;
    s->table = mem_zeroed(e, s->places, sizeof *s->table);
    s->like = mem_array(e, n, sizeof *s->like);
    s->labels = mem_zeroed(e, n, 1);
    s->strict = mem_array(e, n, 1);
    out->rows = n;
    out->dims = s->exact->dims;
    if (s->table == NULL || s->like == NULL || s->labels == NULL || s->strict == NULL ||
        find_points(s))
        return PERC_ENOMEM;
    return s->stopped ? PERC_OK : conclude(s, quick, out);
}

perc_status radial_decide(const struct whole *exact, bool quick, const struct watch *watch,
                          struct separation *out, perc_error *err)
{
    struct points s = { .exact = exact, .watch = watch };

    exact_init(&s.row, &exact->e);
    exact_init(&s.other, &exact->e);
    const perc_status st = settle_points(&s, quick, out);
    mem_free(&exact->e, s.table, s.places, sizeof *s.table);
    mem_free(&exact->e, s.like, exact->n, sizeof *s.like);
    mem_free(&exact->e, s.labels, exact->n, 1);
    mem_free(&exact->e, s.strict, exact->n, 1);
    exact_free(&s.row);
    exact_free(&s.other);
    return st ? fail_memory(err) : PERC_OK;
}
