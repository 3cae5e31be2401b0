/* verify.c -- is a certificate true?
 *
 * With a_i = y_i (x_i, 1), or y_i x_i without an offset, over the rows of the two classes:
 *
 *     separable      a_i.w > 0 for all rows
 *     touching       a_i.w >= 0 for all, > 0 for some; on the others, C, there are weights
 *                    l_i > 0 with sum l_i a_i = 0. So a plane v with a_i.v >= 0 for all rows
 *                    has sum l_i (a_i.v) = 0 over C: each a_i.v there is 0
 *     overlapping    such weights on all rows
 *     not separable  such weights on some rows: a w as for "separable" would make the sum
 *                    of l_i (a_i.w) positive, but it is 0 (Gordan 1873)
 *
 * All this is sums of products of whole numbers (integer.c); no rounding, no solver, and no
 * code in common with what found the certificate, but for the reader of the data. A row is
 * 10^e times whole numbers (vector.c). On which side of the plane it is does not depend on
 * e; in sums over rows the powers are brought to the lowest one.
 *
 * With a polynomial kernel x is replaced by all products of its features up to the degree
 * (or of just that degree: homogeneous): the kernel's own features, but for positive factors.
 * With an rbf kernel different points are independent of each other (Micchelli 1986), so
 * everything depends on which rows are equal. */
#include "verify/verify.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/threads.h"
#include "data/canonical.h"
#include "verify/vector.h"

struct verifier {
    struct env e;
    const perc_dataset *ds;
    const struct certificate *c;
    const struct cert_part *p; /* the part at hand */
    perc_check *out;
    perc_error *err;
    signed char *y;          /* by row: +1, -1, 0: it is not in this part */
    signed char *side;       /* by row: the sign of a_i.w; 0 where there is no w */
};

/* ----- no -------------------------------------------------------------------------------- */

/* Notes why not; row from 0, -1: none. PERC_ENO goes up to verify_certificate. */
__attribute__((format(printf, 3, 4)))
static perc_status refute(const struct verifier *v, int64_t row, const char *fmt, ...)
{
    const struct cert_part *p = v->p;
    char text[200];
    perc_error line;
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (p == NULL)
        fail(&line, PERC_ENO, "%s", text);
    else
        fail(&line, PERC_ENO, "part %zu (%.20s against %.20s): %s", (size_t)(p - v->c->part) + 1,
             p->positive, p->negative != NULL ? p->negative : "the rest", text);
    memcpy(v->out->reason, line.text, sizeof line.text);
    v->out->row = row;
    v->out->part = p != NULL ? p - v->c->part : -1;
    return PERC_ENO;
}

/* ----- the sides of rows ----------------------------------------------------------------- */

/* w by the numbers that vector.h gives to entries; NULL: 0. */
struct plane {
    struct space space;
    struct monomials known;
    const struct integer **w;
    uint64_t ids;
};

static struct space space_of(const struct verifier *v, struct monomials *known, bool learn)
{
    const struct certificate *c = v->c;

    return (struct space){ .ds = v->ds, .kind = c->space, .degree = c->degree,
                           .homogeneous = c->homogeneous, .known = known, .learn = learn,
                           .constant = c->offset || (c->space == CERT_POLY && !c->homogeneous) };
}

static void plane_free(const struct verifier *v, struct plane *l)
{
    mem_free(&v->e, l->w, l->ids, sizeof *l->w);
    monomials_free(&l->known);
}

static perc_status plane_products(struct verifier *v, struct plane *l)
{
    for (size_t i = 0; i < v->p->n; i++) {
        const struct cert_weight *w = &v->p->w[i];

        if (w->keys > 0 && monomials_add(&l->known, v->p->key + w->key, w->keys) == 0)
            return fail_memory(v->err);
    }
    return PERC_OK;
}

static perc_status plane_make(struct verifier *v, struct plane *l)
{
    const struct cert_part *p = v->p;
    const bool poly = v->c->space == CERT_POLY;
    perc_status st;

    memset(l, 0, sizeof *l);
    monomials_init(&l->known, &v->e, v->c->degree);
    l->space = space_of(v, &l->known, false);
    if (poly && (st = plane_products(v, l))) return st;
    l->ids = (poly ? l->known.n : v->c->features) + 1;
    if ((l->w = mem_zeroed(&v->e, l->ids, sizeof *l->w)) == NULL) return fail_memory(v->err);
    if (p->b.n > 0) l->w[0] = &p->b;
    for (size_t i = 0; i < p->n; i++) {
        const struct cert_weight *w = &p->w[i];
        const uint32_t *key = p->key + w->key;
        const uint64_t id = !poly ? key[0] : w->keys > 0 ? monomials_find(&l->known, key, w->keys)
                                                         : 0;

        if (l->w[id] != NULL) return refute(v, -1, "w has a product of features twice");
        l->w[id] = &w->value;
    }
    return PERC_OK;
}

/* One thread's share of the rows. */
struct worker {
    const struct verifier *v;
    const struct plane *l;
    uint64_t from, to;
    struct vector x;
    struct sum sum;
    perc_status st;
    perc_error err;
};

/* sum = a_i.w / 10^e */
static perc_status dot(struct worker *k, uint64_t row)
{
    const perc_status st = vector_row(&k->x, &k->l->space, row, &k->err);

    if (st) return st;
    sum_clear(&k->sum);
    for (size_t i = 0; i < k->x.n; i++) {
        const struct entry *x = &k->x.entry[i];

        if (k->l->w[x->id] != NULL &&
            !sum_add(&k->v->e, &k->sum, k->l->w[x->id], &x->value, k->v->y[row] < 0))
            return fail_memory(&k->err);
    }
    return PERC_OK;
}

static void sides_run(void *ud, int thread)
{
    struct worker *k = (struct worker *)ud + thread;

    for (uint64_t i = k->from; i < k->to && k->st == PERC_OK; i++)
        if (k->v->y[i] != 0 && (k->st = dot(k, i)) == PERC_OK)
            k->v->side[i] = (signed char)sum_sign(&k->sum);
}

static void worker_init(struct worker *k, const struct verifier *v, const struct plane *l)
{
    memset(k, 0, sizeof *k);
    k->v = v;
    k->l = l;
    vector_init(&k->x, &v->e);
}

static void worker_free(struct worker *k)
{
    vector_free(&k->x);
    sum_free(&k->v->e, &k->sum);
}

static perc_status sides(struct verifier *v, const struct plane *l)
{
    const uint64_t rows = v->ds->rows, most = rows / 256 + 1;
    const int threads = (uint64_t)v->e.threads < most ? v->e.threads : (int)most;
    struct worker *k = mem_array(&v->e, (size_t)threads, sizeof *k);
    perc_status st = PERC_OK;

    if (k == NULL) return fail_memory(v->err);
    for (int i = 0; i < threads; i++) {
        worker_init(&k[i], v, l);
        k[i].from = rows / (uint64_t)threads * (uint64_t)i;
        k[i].to = i + 1 < threads ? rows / (uint64_t)threads * (uint64_t)(i + 1) : rows;
    }
    threads_run(threads, sides_run, k);
    for (int i = 0; i < threads; i++) {
        if (k[i].st && st == PERC_OK) {
            st = k[i].st;
            if (v->err != NULL) *v->err = k[i].err;
        }
        worker_free(&k[i]);
    }
    mem_free(&v->e, k, (size_t)threads, sizeof *k);
    return st;
}

/* Refutes for a row that is not where it should be, with the number. */
static perc_status wrong_side(struct verifier *v, const struct plane *l, uint64_t row)
{
    const char *place = v->side[row] < 0 ? "on the wrong side" : "on the plane itself";
    struct worker k;
    int64_t value, exponent;
    char number[64] = "< 0";

    worker_init(&k, v, l);
    perc_status st = dot(&k, row);
    if (st == PERC_OK && (sum_sign(&k.sum), sum_small(&k.sum, &value))) {
        exponent = value != 0 ? k.x.exponent : 0;
        for (; exponent < 0 && value % 10 == 0; exponent++) value /= 10;
        snprintf(number, sizeof number, exponent != 0 ? "= %llde%lld" : "= %lld", (long long)value,
                 (long long)exponent);
    }
    worker_free(&k);
    return st ? fail_memory(v->err)
              : refute(v, (int64_t)row, "row %llu is %s: y (w.x%s) %s",
                       (unsigned long long)row + 1, place, v->c->offset ? " + b" : "", number);
}

/* The side of every row, and that none is wrong for the verdict. */
static perc_status plane_check(struct verifier *v)
{
    const int least = v->p->verdict == PERC_SEPARABLE ? 1 : 0;
    struct plane l;
    perc_status st = plane_make(v, &l);

    if (st == PERC_OK) st = sides(v, &l);
    for (uint64_t i = 0; i < v->ds->rows && st == PERC_OK; i++)
        if (v->y[i] != 0 && v->side[i] < least) st = wrong_side(v, &l, i);
    plane_free(v, &l);
    return st;
}

/* ----- weighted sums of rows ------------------------------------------------------------- */

/* sum of l_i a_i over the rows that are listed and, with `others`, with one weight for all
 * others of C. Done for some entries at a time: those are a panel. */
struct weighing {
    struct verifier *v;
    const struct cert_list *list;
    bool others;
    struct space space;
    struct monomials known;
    int64_t exponent;        /* the lowest of all rows */
    uint64_t ids, panel;     /* entries in all, and in a panel */
    uint64_t *wrong;         /* by panel: an entry whose sum is not 0; ids: none */
    perc_status *st;         /* by panel */
};

/* From row *i on, the next that has a weight; *k counts through the list. NULL: none. */
static const struct integer *weight_next(const struct weighing *g, uint64_t *i, size_t *k)
{
    const struct verifier *v = g->v;

    for (; *i < v->ds->rows; ++*i) {
        if (*k < g->list->n && g->list->row[*k] == *i + 1) return &g->list->weight[(*k)++];
        if (g->others && v->y[*i] != 0 && v->side[*i] == 0) return &g->list->others;
        if (!g->others && *k == g->list->n) break;
    }
    return NULL;
}

/* The lowest power of ten, the products of features that occur, the size of a panel. */
static perc_status weighing_scan(struct weighing *g, struct vector *x)
{
    const struct verifier *v = g->v;
    const struct integer *f;
    size_t k = 0, longest = 0;
    int64_t high = INT64_MIN;
    perc_status st;

    g->exponent = INT64_MAX;
    for (uint64_t i = 0; (f = weight_next(g, &i, &k)) != NULL; i++) {
        if ((st = vector_row(x, &g->space, i, v->err))) return st;
        if (x->exponent < g->exponent) g->exponent = x->exponent;
        if (x->exponent > high) high = x->exponent;
        if (f->n > longest) longest = f->n;
    }
    if (g->exponent < high && high - g->exponent > VECTOR_SPAN)
        return fail(v->err, PERC_EDATA, "the rows span more than %d powers of ten", VECTOR_SPAN);
    g->ids = (v->c->space == CERT_POLY ? g->known.n : v->c->features) + 1;
    g->panel = (UINT64_C(1) << 25) / (uint64_t)v->e.threads / (longest + 16) + 1;
    if (g->ids < g->panel * (uint64_t)v->e.threads && g->ids > 16)
        g->panel = g->ids / (uint64_t)v->e.threads + 1;
    return PERC_OK;
}

/* The sums of the entries from .. to. */
static perc_status panel_add(const struct weighing *g, struct vector *x, struct integer *f,
                             uint64_t from, uint64_t to, struct sum *sum)
{
    const struct env *e = &g->v->e;
    const struct integer *weight;
    size_t k = 0;

    for (uint64_t i = 0; (weight = weight_next(g, &i, &k)) != NULL; i++) {
        const perc_status st = vector_row(x, &g->space, i, NULL);

        if (st) return st;
        if (!integer_copy(e, f, weight) ||
            !integer_scale(e, f, (uint64_t)(x->exponent - g->exponent)))
            return PERC_ENOMEM;
        for (size_t j = 0; j < x->n; j++) {
            const uint64_t id = x->entry[j].id;

            if (id >= from && id < to &&
                !sum_add(e, &sum[id - from], f, &x->entry[j].value, g->v->y[i] < 0))
                return PERC_ENOMEM;
        }
    }
    return PERC_OK;
}

static void panel_run(void *ud, uint64_t task)
{
    struct weighing *g = ud;
    const struct env *e = &g->v->e;
    const uint64_t from = task * g->panel, left = g->ids - from;
    const size_t n = (size_t)(left < g->panel ? left : g->panel);
    struct sum *sum = mem_zeroed(e, n, sizeof *sum);
    struct integer f = { 0 };
    struct vector x;

    vector_init(&x, e);
    g->wrong[task] = g->ids;
    g->st[task] = sum == NULL ? PERC_ENOMEM : panel_add(g, &x, &f, from, from + n, sum);
    for (size_t j = n; j-- > 0 && g->st[task] == PERC_OK;)
        if (sum_sign(&sum[j]) != 0) g->wrong[task] = from + j;
    for (size_t j = 0; j < n && sum != NULL; j++) sum_free(e, &sum[j]);
    mem_free(e, sum, n, sizeof *sum);
    integer_free(e, &f);
    vector_free(&x);
}

static perc_status panels_run(struct weighing *g, const char *name)
{
    struct verifier *v = g->v;
    const size_t panels = (size_t)((g->ids + g->panel - 1) / g->panel);
    perc_status st = PERC_OK;

    g->wrong = mem_array(&v->e, panels, sizeof *g->wrong);
    g->st = mem_array(&v->e, panels, sizeof *g->st);
    if (g->wrong == NULL || g->st == NULL) st = fail_memory(v->err);
    else threads_each(v->e.threads, panels, panel_run, g);
    for (size_t i = 0; i < panels && st == PERC_OK; i++) {
        if (g->st[i]) st = fail_memory(v->err); /* all else the scan has met */
        else if (g->wrong[i] < g->ids)
            st = refute(v, -1, g->wrong[i] == 0 ? "the weighted sum of the rows of \"%s\" is not 0 "
                                                  "in the offset"
                               : v->c->space == CERT_POLY
                                   ? "the weighted sum of the rows of \"%s\" is not 0 in a "
                                     "product of features"
                                   : "the weighted sum of the rows of \"%s\" is not 0 in feature "
                                     "%llu", name, (unsigned long long)g->wrong[i]);
    }
    mem_free(&v->e, g->wrong, panels, sizeof *g->wrong);
    mem_free(&v->e, g->st, panels, sizeof *g->st);
    return st;
}

/* The weights are above 0, and of rows that may have one. */
static perc_status list_check(const struct verifier *v, const struct cert_list *l,
                              const char *name, bool on_plane)
{
    for (size_t k = 0; k < l->n; k++) {
        const unsigned long long row = l->row[k];
        const int64_t at = (int64_t)row - 1;

        if (row > v->ds->rows) return refute(v, -1, "\"%s\": there is no row %llu", name, row);
        if (v->y[at] == 0)
            return refute(v, at, "\"%s\": row %llu has neither of the two labels", name, row);
        if (on_plane && v->side[at] != 0)
            return refute(v, at, "\"%s\": row %llu is not on the plane", name, row);
        if (integer_sign(&l->weight[k]) <= 0)
            return refute(v, at, "\"%s\": the weight of row %llu is not above 0", name, row);
    }
    return PERC_OK;
}

static perc_status sum_check(struct verifier *v, const struct cert_list *list, const char *name,
                             bool others)
{
    struct weighing g = { .v = v, .list = list, .others = others };
    struct vector x;
    perc_status st = list_check(v, list, name, others);

    if (st) return st;
    if (others && integer_sign(&list->others) <= 0)
        return refute(v, -1, "\"%s\": the weight of the other rows is not above 0", name);
    vector_init(&x, &v->e);
    monomials_init(&g.known, &v->e, v->c->degree);
    g.space = space_of(v, &g.known, true);
    st = weighing_scan(&g, &x);
    g.space.learn = false;
    if (st == PERC_OK) st = panels_run(&g, name);
    vector_free(&x);
    monomials_free(&g.known);
    return st;
}

/* ----- counts ---------------------------------------------------------------------------- */

/* That so many rows are strictly on their side, and so many are held, as the part says. */
static perc_status counts_check(const struct verifier *v, uint64_t strict, uint64_t held)
{
    const struct cert_part *p = v->p;

    if (p->strict != strict || p->held != held)
        return refute(v, -1, "strict and held are %llu and %llu, not %llu and %llu",
                      (unsigned long long)strict, (unsigned long long)held,
                      (unsigned long long)p->strict, (unsigned long long)p->held);
    if (p->verdict == PERC_SEPARABLE && held > 0)
        return refute(v, -1, "it is not separable: %llu rows are held", (unsigned long long)held);
    if (p->verdict == PERC_TOUCHING && (strict == 0 || held == 0))
        return refute(v, -1, "it is not touching, but %s",
                      held == 0 ? "separable" : "overlapping");
    if (p->verdict == PERC_OVERLAPPING && strict > 0)
        return refute(v, -1, "it is not overlapping: %llu rows are strictly on their side",
                      (unsigned long long)strict);
    return PERC_OK;
}

static perc_status sides_count(const struct verifier *v)
{
    uint64_t strict = 0, held = 0;

    for (uint64_t i = 0; i < v->ds->rows; i++) {
        strict += v->y[i] != 0 && v->side[i] > 0;
        held += v->y[i] != 0 && v->side[i] == 0;
    }
    return counts_check(v, strict, held);
}

/* ----- rbf kernels: equal rows ----------------------------------------------------------- */

struct twins {
    uint64_t *first;         /* slot: 1 + the first row that is equal to it; 0: empty */
    size_t slots;
    uint64_t *like;          /* by row: the first that is equal to it */
    unsigned char *labels;   /* by first row: 1: one is positive, 2: one is negative */
    struct vector x, y;
};

static perc_status twins_add(const struct verifier *v, struct twins *t, const struct space *s,
                             uint64_t row)
{
    perc_status st = vector_row(&t->x, s, row, v->err);

    if (st) return st;
    size_t at = (size_t)vector_hash(&t->x) & (t->slots - 1);
    for (; t->first[at] != 0; at = (at + 1) & (t->slots - 1)) {
        if ((st = vector_row(&t->y, s, t->first[at] - 1, v->err))) return st;
        if (vector_same(&t->x, &t->y)) break;
    }
    if (t->first[at] == 0) t->first[at] = row + 1;
    t->like[row] = t->first[at] - 1;
    t->labels[t->like[row]] |= v->y[row] > 0 ? 1 : 2;
    return PERC_OK;
}

static perc_status twins_count(const struct verifier *v, struct twins *t, const struct space *s)
{
    uint64_t strict = 0, held = 0;
    perc_status st = PERC_OK;

    for (uint64_t i = 0; i < v->ds->rows && st == PERC_OK; i++)
        if (v->y[i] != 0) st = twins_add(v, t, s, i);
    for (uint64_t i = 0; i < v->ds->rows && st == PERC_OK; i++) {
        if (v->y[i] == 0) continue;
        held += t->labels[t->like[i]] == 3;
        strict += t->labels[t->like[i]] != 3;
    }
    return st ? st : counts_check(v, strict, held);
}

/* "no": two rows with one point and both labels. */
static perc_status pair_check(const struct verifier *v, struct twins *t, const struct space *s)
{
    const struct cert_list *l = &v->p->no;
    perc_status st = list_check(v, l, "no", false);

    if (st) return st;
    if (l->n != 2 || v->y[l->row[0] - 1] == v->y[l->row[1] - 1])
        return refute(v, -1, "\"no\": two rows with different labels are expected");
    for (size_t k = 0; k < 2; k++)
        if (l->weight[k].n != 1 || l->weight[k].digit[0] != 1)
            return refute(v, (int64_t)l->row[k] - 1, "\"no\": the weights must be 1");
    if ((st = vector_row(&t->x, s, l->row[0] - 1, v->err)) ||
        (st = vector_row(&t->y, s, l->row[1] - 1, v->err)))
        return st;
    if (vector_same(&t->x, &t->y)) return PERC_OK;
    return refute(v, (int64_t)l->row[1] - 1, "\"no\": the rows %llu and %llu are not equal",
                  (unsigned long long)l->row[0], (unsigned long long)l->row[1]);
}

static perc_status rbf_check(const struct verifier *v)
{
    const struct space s = { .ds = v->ds, .kind = CERT_ROWS };
    const size_t rows = (size_t)v->ds->rows;
    struct twins t = { .slots = 2 };
    perc_status st = PERC_OK;

    while (t.slots / 2 < rows) t.slots *= 2;
    t.first = mem_zeroed(&v->e, t.slots, sizeof *t.first);
    t.like = mem_zeroed(&v->e, rows, sizeof *t.like);
    t.labels = mem_zeroed(&v->e, rows, sizeof *t.labels);
    vector_init(&t.x, &v->e);
    vector_init(&t.y, &v->e);
    if (t.first == NULL || t.like == NULL || t.labels == NULL) st = fail_memory(v->err);
    if (st == PERC_OK && v->p->verdict != PERC_SEPARABLE) st = pair_check(v, &t, &s);
    if (st == PERC_OK && v->p->verdict != PERC_INSEPARABLE) st = twins_count(v, &t, &s);
    vector_free(&t.x);
    vector_free(&t.y);
    mem_free(&v->e, t.first, t.slots, sizeof *t.first);
    mem_free(&v->e, t.like, rows, sizeof *t.like);
    mem_free(&v->e, t.labels, rows, sizeof *t.labels);
    return st;
}

/* ----- parts ----------------------------------------------------------------------------- */

/* The number of a label, which must be one of the data's. */
static perc_status label_find(const struct verifier *v, const char *label, uint32_t *id)
{
    const struct labels *l = &v->ds->labels;

    *id = labels_find(l, label, strlen(label));
    if (*id == LABEL_NONE || strcmp(l->at[*id].text, label) != 0)
        return refute(v, -1, "the data have no such label");
    return PERC_OK;
}

/* y of every row, and how many have one. */
static perc_status part_rows(struct verifier *v, uint64_t *rows)
{
    uint32_t positive, negative = LABEL_NONE;
    perc_status st = label_find(v, v->p->positive, &positive);

    if (st == PERC_OK && v->p->negative != NULL) st = label_find(v, v->p->negative, &negative);
    if (st) return st;
    *rows = 0;
    for (size_t k = 0; k < v->ds->blocks; k++) {
        const struct block *b = &v->ds->block[k];

        for (size_t i = 0; i < b->rows; i++) {
            const uint32_t c = b->label[i];
            const bool minus = negative == LABEL_NONE ? c != LABEL_NONE : c == negative;
            const signed char y = c == positive ? 1 : minus ? -1 : 0;

            v->y[b->first_row + i] = y;
            *rows += y != 0;
        }
    }
    return PERC_OK;
}

static perc_status part_check(struct verifier *v)
{
    const struct cert_part *p = v->p;
    perc_status st = PERC_OK;

    if (v->c->space == CERT_RBF) return rbf_check(v);
    memset(v->side, 0, (size_t)v->ds->rows);
    if (p->fields & PART_W) st = plane_check(v);
    if (st == PERC_OK && p->verdict != PERC_INSEPARABLE) st = sides_count(v);
    if (st == PERC_OK && p->verdict != PERC_SEPARABLE) st = sum_check(v, &p->no, "no", false);
    if (st == PERC_OK && (p->fields & PART_ALL)) st = sum_check(v, &p->all, "all", true);
    return st;
}

static void claim(struct verifier *v, uint64_t rows)
{
    const struct cert_part *p = v->p;
    const size_t i = (size_t)(p - v->c->part);

    v->out->verdicts[p->verdict]++;
    if (i >= PERC_CLAIMS) return;
    perc_claim *c = &v->out->claim[i];
    *c = (perc_claim){ .verdict = p->verdict, .rows = rows, .strict = p->strict, .held = p->held };
    snprintf(c->positive, sizeof c->positive, "%s", p->positive);
    snprintf(c->negative, sizeof c->negative, "%s", p->negative != NULL ? p->negative : "");
}

/* ----- the whole ------------------------------------------------------------------------- */

static perc_status data_check(struct verifier *v)
{
    const struct certificate *c = v->c;
    const perc_dataset *ds = v->ds;
    const perc_status st = canonical_hash(ds, v->out->sha256, v->err);
    perc_dataset_info info;

    if (st) return st;
    perc_dataset_info_get(ds, &info);
    if (c->rows != ds->rows)
        return refute(v, -1, "these are other data: %llu rows, but the certificate is about %llu",
                      (unsigned long long)ds->rows, (unsigned long long)c->rows);
    if (c->features != info.features)
        return refute(v, -1, "these are other data: %llu features, but the certificate is about "
                      "%llu", (unsigned long long)info.features, (unsigned long long)c->features);
    if (strcmp(c->sha256, v->out->sha256) != 0)
        return refute(v, -1, "these are other data (hash %.16s..., the certificate's is %.16s...)",
                      v->out->sha256, c->sha256);
    return PERC_OK;
}

static perc_status all_check(struct verifier *v)
{
    perc_status st = data_check(v);
    uint64_t rows;

    for (size_t i = 0; i < v->c->parts && st == PERC_OK; i++) {
        v->p = &v->c->part[i];
        if ((st = part_rows(v, &rows)) == PERC_OK && (st = part_check(v)) == PERC_OK)
            claim(v, rows);
    }
    return st;
}

perc_status verify_certificate(const struct env *e, const struct certificate *c,
                               const perc_dataset *ds, perc_check *out, perc_error *err)
{
    struct verifier v = { .e = *e, .c = c, .ds = ds, .out = out, .err = err };
    const size_t rows = (size_t)ds->rows;
    perc_status st;

    memset(out, 0, sizeof *out);
    out->row = out->part = -1;
    out->parts = c->parts;
    out->rows = ds->rows;
    out->offset = c->offset;
    if (c->space == CERT_POLY)
        snprintf(out->kernel, sizeof out->kernel, "poly, degree %s%llu",
                 c->homogeneous ? "just " : "", (unsigned long long)c->degree);
    else
        snprintf(out->kernel, sizeof out->kernel, "%s", c->space == CERT_RBF ? "rbf" : "none");
    v.y = mem_array(e, rows, 1);
    v.side = mem_array(e, rows, 1);
    st = v.y != NULL && v.side != NULL ? all_check(&v) : fail_memory(err);
    mem_free(e, v.y, rows, 1);
    mem_free(e, v.side, rows, 1);
    out->valid = st == PERC_OK;
    return st == PERC_ENO ? PERC_OK : st;
}

perc_status perc_verify(const perc_env *env, const char *certificate, const char *data_path,
                        const perc_params *data, perc_check *out, const char **where,
                        perc_error *err)
{
    const struct env e = env_resolve(env);
    struct certificate c = { .parts = 0 };
    struct file_map file = { .size = 0 };
    perc_dataset *ds = NULL;
    perc_status st;

    memset(out, 0, sizeof *out);
    out->row = out->part = -1;
    if (where != NULL) *where = certificate;
    if (strcmp(certificate, "-") == 0 && strcmp(data_path, "-") == 0)
        return fail(err, PERC_EARG, "standard input cannot be both the certificate and the data");
    if ((st = file_map(&e, certificate, &file, err)) == PERC_OK)
        st = certificate_read(&e, (const char *)file.data, file.size, &c, err);
    file_unmap(&file);
    if (st == PERC_OK) {
        if (where != NULL) *where = data_path;
        st = perc_dataset_read_exact(env, data_path, data, &ds, err);
    }
    if (st == PERC_OK) st = verify_certificate(&e, &c, ds, out, err);
    perc_dataset_free(ds);
    certificate_free(&c);
    return st;
}
