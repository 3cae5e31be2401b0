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

#include "base/hash.h"
#include "prove/proof.h"
#include "prove/sort.h"

/* ----- equal numbers, equal rows --------------------------------------------------- */

/* Without zeros at the end. Numbers of more than 19 digits stay as they are: their first
 * 19 and the exponent are unique. */
static struct decimal plain(struct decimal d)
{
    while (!d.more && d.mantissa % 10 == 0 && d.mantissa > 0) {
        d.mantissa /= 10;
        d.exponent++;
    }
    return d;
}

/* The next digit of a text that may have a point; zeros for ever after its end. */
static char next_digit(const char **p, const char *end)
{
    while (*p < end && **p == '.') ++*p;
    return *p < end ? *(*p)++ : '0';
}

/* The digits of two numbers with equal exponents. Zeros in front say nothing. */
static bool same_digits(const struct decimal *a, const struct decimal *b)
{
    const char *p = a->digits, *q = b->digits;

    while (p < a->end && (*p == '0' || *p == '.')) p++;
    while (q < b->end && (*q == '0' || *q == '.')) q++;
    while (p < a->end || q < b->end)
        if (next_digit(&p, a->end) != next_digit(&q, b->end)) return false;
    return true;
}

static bool same_number(const struct decimal *x, const struct decimal *y)
{
    const struct decimal a = plain(*x), b = plain(*y);

    if (a.negative != b.negative || a.more != b.more || a.exponent != b.exponent) return false;
    return a.mantissa == b.mantissa && (!a.more || same_digits(&a, &b));
}

static bool same_row(const struct exact_lens *a, const struct exact_lens *b)
{
    if (a->n != b->n) return false;
    for (size_t k = 0; k < a->n; k++)
        if (a->column[k] != b->column[k] || !same_number(&a->value[k], &b->value[k]))
            return false;
    return true;
}

/* Equal rows have equal keys. */
static uint64_t key_of(const struct exact_lens *l)
{
    struct hash64 h;

    hash64_init(&h);
    for (size_t k = 0; k < l->n; k++) {
        const struct decimal d = plain(l->value[k]);
        const uint64_t word[4] = { l->column[k], d.mantissa, (uint64_t)d.exponent, d.negative };
        hash64_add(&h, word, sizeof word);
    }
    return hash64_end(&h);
}

/* ----- groups ---------------------------------------------------------------------- */

struct keyed {
    uint64_t key, i; /* i: number in the problem */
};

static int by_key(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;

    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->i < y->i ? -1 : x->i > y->i;
}

struct groups {
    const struct whole *p;
    struct exact_lens first, other;
    struct keyed *keyed;     /* n, sorted */
    unsigned char *done;     /* n, by place in keyed: it is in a group */
    unsigned char *held;     /* n, by number: in C */
    uint64_t c, points;      /* of C */
    uint64_t pair[2];        /* equal rows of different labels; the lowest that there are */
};

static perc_status make_keys(struct groups *g)
{
    const struct whole *p = g->p;

    for (uint64_t i = 0; i < p->n; i++) {
        if (exact_row(&g->first, p->ds, p->row[i])) return PERC_ENOMEM;
        g->keyed[i] = (struct keyed){ key_of(&g->first), i };
    }
    sort_items(g->keyed, p->n, sizeof *g->keyed, by_key);
    return PERC_OK;
}

/* The rows equal to that at place `at` among places at .. end - 1, marked 2 in `done`. */
static perc_status gather(struct groups *g, uint64_t at, uint64_t end)
{
    const struct whole *p = g->p;

    if (exact_row(&g->first, p->ds, p->row[g->keyed[at].i])) return PERC_ENOMEM;
    g->done[at] = 2;
    for (uint64_t k = at + 1; k < end; k++) {
        if (g->done[k] != 0) continue;
        if (exact_row(&g->other, p->ds, p->row[g->keyed[k].i])) return PERC_ENOMEM;
        if (same_row(&g->first, &g->other)) g->done[k] = 2;
    }
    return PERC_OK;
}

/* Holds the rows marked 2 if they have both labels. */
static void hold(struct groups *g, uint64_t at, uint64_t end)
{
    const signed char *sign = g->p->sign;
    const uint64_t low = g->keyed[at].i; /* the lowest: keys are sorted by row, too */
    uint64_t opposite = g->p->n;

    for (uint64_t k = at; k < end && opposite == g->p->n; k++)
        if (g->done[k] == 2 && sign[g->keyed[k].i] != sign[low]) opposite = g->keyed[k].i;
    const bool both = opposite < g->p->n;
    for (uint64_t k = at; k < end; k++) {
        if (g->done[k] != 2) continue;
        g->done[k] = 1;
        g->held[g->keyed[k].i] = both;
        g->c += both;
    }
    g->points += both;
    if (both && low < g->pair[0]) {
        g->pair[0] = low;
        g->pair[1] = opposite;
    }
}

static perc_status find_groups(struct groups *g)
{
    const uint64_t n = g->p->n;

    for (uint64_t at = 0, end; at < n; at = end) {
        for (end = at + 1; end < n && g->keyed[end].key == g->keyed[at].key;) end++;
        for (uint64_t k = at; k < end && end - at > 1; k++) {
            if (g->done[k] != 0) continue;
            if (gather(g, k, end)) return PERC_ENOMEM;
            hold(g, k, end);
        }
    }
    return PERC_OK;
}

/* ----- the answer ------------------------------------------------------------------ */

static perc_status witness(const struct groups *g, struct answer *out)
{
    const struct env *e = &out->e;
    uint64_t *row = mem_array(e, 2, sizeof *row);
    mpz_t *value = whole_numbers(e, 2);

    if (row == NULL || value == NULL) {
        mem_free(e, row, 2, sizeof *row);
        whole_numbers_free(e, value, 2);
        return PERC_ENOMEM;
    }
    for (size_t k = 0; k < 2; k++) {
        row[k] = g->pair[k];
        mpz_set_ui(value[k], 1);
    }
    out->no.n = 2;
    out->no.row = row;
    out->no.value = value;
    return PERC_OK;
}

static perc_status conclude(struct groups *g, bool quick, struct answer *out)
{
    const uint64_t n = g->p->n;

    out->rows = n;
    out->dims = g->p->dims;
    out->method = "equal rows";
    if (g->c > 0 && witness(g, out)) return PERC_ENOMEM;
    out->verdict = g->c == 0 ? PERC_SEPARABLE : quick ? PERC_INSEPARABLE
                   : g->c < n ? PERC_TOUCHING : PERC_OVERLAPPING;
    out->rank = quick && g->c > 0 ? 1 : g->points;
    if (out->verdict == PERC_INSEPARABLE) return PERC_OK;
    out->c = g->c;
    out->s = n - g->c;
    out->strict = g->held; /* taken over */
    g->held = NULL;
    for (uint64_t i = 0; i < n; i++) out->strict[i] = !out->strict[i];
    return PERC_OK;
}

perc_status radial_settle(const struct whole *p, bool quick, struct answer *out, perc_error *err)
{
    struct groups g = { .p = p, .pair = { p->n, p->n } };
    perc_status st = PERC_ENOMEM;

    exact_init(&g.first, &p->e);
    exact_init(&g.other, &p->e);
    g.keyed = mem_array(&p->e, p->n, sizeof *g.keyed);
    g.done = mem_zeroed(&p->e, p->n, 1);
    g.held = mem_zeroed(&p->e, p->n, 1);
    if (g.keyed != NULL && g.done != NULL && g.held != NULL && !(st = make_keys(&g)) &&
        !(st = find_groups(&g)))
        st = conclude(&g, quick, out);
    mem_free(&p->e, g.keyed, p->n, sizeof *g.keyed);
    mem_free(&p->e, g.done, p->n, 1);
    mem_free(&p->e, g.held, p->n, 1);
    exact_free(&g.first);
    exact_free(&g.other);
    return st ? fail_memory(err) : PERC_OK;
}
