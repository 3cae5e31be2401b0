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
 * code in common with what found the certificate, but for the reader of the data. Of a long w
 * the highest digits tell the side of nearly every row, with a bound on the others. The numbers of
 * a row are whole numbers at their places (vector.c), and are added up from the lowest place on,
 * that of the row or, in sums over rows, of all of them: a power of 10^9 changes no sign.
 *
 * A number of the data is multiplied with those of the certificate that it meets, once or, with
 * the highest digits first, twice: the steps are as many as their digits, multiplied, and twice
 * as long a certificate takes twice the time.
 *
 * With a polynomial kernel x is replaced by all products of its features up to the degree
 * (or of just that degree: homogeneous): the kernel's own features, but for positive factors.
 * With an rbf kernel different points are independent of each other (Micchelli 1986), so
 * everything depends on which rows are equal. */
#include "verify/verify.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/params.h"
#include "base/pool.h"
#include "base/threads.h"
#include "base/utf8.h"
#include "data/canonical.h"
#include "data/read.h"
#include "verify/vector.h"

/* Who may stop the work. */
struct patience {
    const perc_observer *observer; /* may be NULL */
    double begin, until, next;     /* by the clock: until INFINITY: no limit; when to look again */
    int64_t parts;                 /* 0 while they are read */
    atomic_bool stopped;
    atomic_flag busy; /* one thread is looking */
};

struct verifier {
    struct env e;
    const struct watch *watch;
    const perc_dataset *ds;
    const struct certificate *c;
    const struct cert_part *p; /* the part at hand */
    perc_check *out;
    perc_error *err;
    uint64_t *sorted, *start; /* rows by label, each rising; where each label begins */
    uint64_t *row, n;         /* the rows of the part at hand, rising */
    signed char *y;           /* by row: +1, -1, 0: it is not in this part */
    signed char *side;        /* by row: the sign of a_i.w; 0 where there is no w */
    const struct integer **w; /* by feature, 0 is b: of the plane at hand; NULL: 0 */
};

enum {
    ROWS_A_THREAD = 256, /* fewer are not worth a thread */
    LONG = 64,           /* digits of a number of the data that are much work for one row */
    FEW = 8              /* digits of w that are tried first: 72 figures */
};

/* ----- refutations ----------------------------------------------------------------------- */

enum { SHOWN = 20 }; /* bytes of a label */

/* A label, cut off where a character ends (UTF-8). */
static const char *cut_label(const char *label, char out[SHOWN + 1])
{
    const size_t n = utf8_cut(label, strlen(label), SHOWN);

    memcpy(out, label, n);
    out[n] = '\0';
    return out;
}

/* Notes why it is not proved; row from 0, -1: none. PERC_ENO goes up to verify_certificate. */
__attribute__((format(printf, 3, 4))) static perc_status refute(const struct verifier *v,
                                                                int64_t row, const char *fmt, ...)
{
    const struct cert_part *p = v->p;
    char text[200], plus[SHOWN + 1], minus[SHOWN + 1];
    perc_error line;
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (p == NULL) fail(&line, PERC_ENO, "%s", text);
    else
        fail(&line, PERC_ENO, "part %zu (%s against %s): %s", (size_t)(p - v->c->part) + 1,
             cut_label(p->positive, plus),
             cut_label(p->negative != NULL ? p->negative : "the rest", minus), text);
    memcpy(v->out->reason, line.text, sizeof line.text);
    v->out->row = row;
    v->out->part = p != NULL ? p - v->c->part : -1;
    return PERC_ENO;
}

/* ----- limits ---------------------------------------------------------------------------- */

static const double LOOK_SECONDS = 0.1;

/* Whether to go on: asked for each row, and each word of the certificate, by any thread. */
static bool ask_patience(void *ud, int64_t part)
{
    struct patience *p = ud;

    if (atomic_load(&p->stopped)) return false;
    if (atomic_flag_test_and_set(&p->busy)) return true;
    const double now = clock_seconds();
    if (now >= p->next || now >= p->until) {
        const perc_event event = { .epoch = part,
                                   .examples = p->parts,
                                   .seconds = now - p->begin,
                                   .held_error = NAN,
                                   .held_value = NAN,
                                   .loss = NAN,
                                   .row = -1 };
        p->next = now + LOOK_SECONDS;
        if (now >= p->until ||
            (p->observer != NULL && p->observer->notify(p->observer->ud, &event) != 0))
            atomic_store(&p->stopped, true);
    }
    atomic_flag_clear(&p->busy);
    return !atomic_load(&p->stopped);
}

static bool goes_on(const struct verifier *v)
{
    return watch_ask(v->watch, v->p - v->c->part);
}

/* ----- the sides of rows ----------------------------------------------------------------- */

/* w by the numbers that vector.h gives to entries; NULL: 0. Where entries are features, the
 * verifier lends the array, so that a part costs no more than its own numbers. */
struct plane {
    struct space space;
    struct monomials known;
    const struct integer **w;
    uint64_t ids; /* CERT_POLY */
};

static struct space space_of(const struct verifier *v, struct monomials *known, bool learn)
{
    const struct certificate *c = v->c;

    return (struct space){ .ds = v->ds,
                           .kind = c->space,
                           .degree = c->degree,
                           .homogeneous = c->homogeneous,
                           .known = known,
                           .learn = learn,
                           .constant = c->offset || (c->space == CERT_POLY && !c->homogeneous) };
}

static perc_status plane_make(struct verifier *v, struct plane *l)
{
    const struct cert_part *p = v->p;
    const bool poly = v->c->space == CERT_POLY;

    memset(l, 0, sizeof *l);
    monomials_init(&l->known, &v->e, v->c->degree);
    l->space = space_of(v, &l->known, false);
    l->w = v->w;
    if (poly) {
        l->w = NULL;
        for (size_t i = 0; i < p->n; i++)
            if (p->w[i].keys > 0 &&
                monomials_add(&l->known, p->key + p->w[i].key, p->w[i].keys) == 0)
                return fail_memory(v->err);
        l->ids = l->known.n + 1;
        l->w = mem_zeroed(&v->e, l->ids, sizeof *l->w);
        if (l->w == NULL) return fail_memory(v->err);
    }
    if (p->b.n > 0) l->w[0] = &p->b;
    for (size_t i = 0; i < p->n; i++) {
        const struct cert_weight *w = &p->w[i];
        const uint32_t *key = p->key + w->key;
        const uint64_t id = !poly         ? key[0]
                            : w->keys > 0 ? monomials_find(&l->known, key, w->keys)
                                          : 0;
        if (l->w[id] != NULL) return refute(v, -1, "w has a product of features twice");
        l->w[id] = &w->value;
    }
    return PERC_OK;
}

/* One thread's share of the rows of the part. */
struct side_worker {
    const struct verifier *v;
    const struct plane *l;
    uint64_t from, to;
    struct vector x;
    struct integer_sum sum, below, above;
    perc_status st;
    perc_error err;
};

/* The place of an entry above the lowest of its row. */
static size_t place_of(const struct vector *x, const struct entry *entry)
{
    return (size_t)(entry->place - x->low);
}

/* sum = a_i.w, from the lowest place on, of the row that x is. */
static perc_status row_dot_plane(struct side_worker *k, uint64_t row)
{
    integer_sum_clear(&k->sum);
    for (size_t i = 0; i < k->x.n; i++) {
        const struct entry *x = &k->x.entry[i];
        if (k->l->w[x->id] == NULL) continue;
        if (x->value.n >= LONG && !goes_on(k->v)) return certificate_stopped(&k->err);
        if (!integer_sum_add(&k->v->e, &k->sum, k->l->w[x->id], &x->value, place_of(&k->x, x),
                             k->v->y[row] < 0))
            return fail_memory(&k->err);
    }
    return PERC_OK;
}

/* Bounds from the digits of w above number `cut`. With B = 10^(9 cut) each w_j is h_j B + l_j,
 * where |l_j| < B, so that
 *
 *     B below < a_i.w < B above,    below, above = a_i.h -+ sum |x_ij|         (1) */
static bool row_bounds(struct side_worker *k, uint64_t row, size_t cut)
{
    const struct env *e = &k->v->e;
    uint32_t digit = 1;
    const struct integer one = { .digit = &digit, .n = 1 };
    bool ok = true;

    integer_sum_clear(&k->below);
    integer_sum_clear(&k->above);
    for (size_t i = 0; i < k->x.n && ok; i++) {
        const struct integer *x = &k->x.entry[i].value, *w = k->l->w[k->x.entry[i].id];
        const size_t place = place_of(&k->x, &k->x.entry[i]);
        const bool minus = k->v->y[row] < 0;
        if (w == NULL) continue;
        const struct integer h = integer_high(w, cut);
        ok = integer_sum_add(e, &k->below, &h, x, place, minus) &&
             integer_sum_add(e, &k->above, &h, x, place, minus) &&
             integer_sum_add(e, &k->below, &one, x, place, !x->negative) &&
             integer_sum_add(e, &k->above, &one, x, place, x->negative);
    }
    return ok;
}

/* The sign of a_i.w: by (1) with few digits, then with more, and at last with all. */
static perc_status row_side(struct side_worker *k, uint64_t row, signed char *side)
{
    perc_status st = vector_row(&k->x, &k->l->space, row, &k->err);
    size_t longest = 0;

    if (st) return st;
    for (size_t i = 0; i < k->x.n; i++) {
        const struct integer *w = k->l->w[k->x.entry[i].id];
        if (w != NULL && w->n > longest) longest = w->n;
    }
    for (size_t kept = FEW; kept < longest; kept *= 4) {
        if (!row_bounds(k, row, longest - kept)) return fail_memory(&k->err);
        *side = integer_sum_sign(&k->below) >= 0 ? 1 : -1;
        if (*side > 0 || integer_sum_sign(&k->above) <= 0) return PERC_OK;
        if (!goes_on(k->v)) return certificate_stopped(&k->err);
    }
    if ((st = row_dot_plane(k, row)) == PERC_OK) *side = (signed char)integer_sum_sign(&k->sum);
    return st;
}

static void run_sides(void *ud, int thread)
{
    struct side_worker *k = (struct side_worker *)ud + thread;

    for (uint64_t i = k->from; i < k->to && k->st == PERC_OK; i++)
        k->st = goes_on(k->v) ? row_side(k, k->v->row[i], &k->v->side[k->v->row[i]])
                              : certificate_stopped(&k->err);
}

static void worker_init(struct side_worker *k, const struct verifier *v, const struct plane *l)
{
    memset(k, 0, sizeof *k);
    k->v = v;
    k->l = l;
    vector_init(&k->x, &v->e);
}

static void worker_free(struct side_worker *k)
{
    vector_free(&k->x);
    integer_sum_free(&k->v->e, &k->sum);
    integer_sum_free(&k->v->e, &k->below);
    integer_sum_free(&k->v->e, &k->above);
}

static perc_status find_sides(struct verifier *v, const struct plane *l)
{
    const uint64_t rows = v->n, most = rows / ROWS_A_THREAD + 1;
    const int threads = (uint64_t)v->e.threads < most ? v->e.threads : (int)most;
    struct side_worker *k = mem_array(&v->e, (size_t)threads, sizeof *k);
    perc_status st = PERC_OK;

    if (k == NULL) return fail_memory(v->err);
    for (int i = 0; i < threads; i++) {
        worker_init(&k[i], v, l);
        k[i].from = rows / (uint64_t)threads * (uint64_t)i;
        k[i].to = i + 1 < threads ? rows / (uint64_t)threads * (uint64_t)(i + 1) : rows;
    }
    threads_run(threads, run_sides, k);
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

/* "= NUMBER" of a sum from the place `low` on, or where it has too many figures "< 0". */
static void number_text(const struct integer *x, int64_t low, char *out, size_t size)
{
    int64_t exponent = low * INTEGER_FIGURES;
    int n = snprintf(out, size, "= %s%u", x->negative ? "-" : "",
                     x->n > 0 ? (unsigned)x->digit[x->n - 1] : 0);

    for (size_t i = x->n; i-- > 1 && (size_t)n + INTEGER_FIGURES < size;)
        n += snprintf(out + n, size - (size_t)n, "%09u", (unsigned)x->digit[i - 1]);
    for (; exponent < 0 && x->n > 0 && out[n - 1] == '0'; exponent++) out[--n] = '\0';
    if (x->n > FEW) snprintf(out, size, "< 0");
    else if (exponent != 0 && x->n > 0)
        snprintf(out + n, size - (size_t)n, "e%lld", (long long)exponent);
}

/* Refutes because a row is not where it should be, and says by how much. */
static perc_status wrong_side(struct verifier *v, const struct plane *l, uint64_t row)
{
    const char *place = v->side[row] < 0 ? "on the wrong side" : "on the plane itself";
    struct side_worker k;
    struct integer value = { 0 };
    char number[128];

    worker_init(&k, v, l);
    perc_status st = vector_row(&k.x, &l->space, row, &k.err);
    if (st == PERC_OK) st = row_dot_plane(&k, row);
    if (st == PERC_OK && !integer_sum_take(&v->e, &k.sum, &value)) st = fail_memory(&k.err);
    number_text(&value, k.x.low, number, sizeof number);
    integer_free(&v->e, &value);
    worker_free(&k);
    if (st && v->err != NULL) *v->err = k.err;
    return st ? st
              : refute(v, (int64_t)row, "row %llu is %s: y (w.x%s) %s", (unsigned long long)row + 1,
                       place, v->c->offset ? " + b" : "", number);
}

/* Finds the side of every row, and checks that none is wrong for the verdict. The numbers of w
 * that the verifier lends are NULL again afterwards. */
static perc_status plane_check(struct verifier *v)
{
    const struct cert_part *p = v->p;
    const int least = p->verdict == PERC_SEPARABLE ? 1 : 0;
    struct plane l;
    perc_status st = plane_make(v, &l);

    if (st == PERC_OK) st = find_sides(v, &l);
    for (uint64_t i = 0; i < v->n && st == PERC_OK; i++)
        if (v->side[v->row[i]] < least) st = wrong_side(v, &l, v->row[i]);
    if (v->c->space == CERT_ROWS) {
        for (size_t i = 0; i < p->n; i++) l.w[p->key[p->w[i].key]] = NULL;
        l.w[0] = NULL;
    } else {
        mem_free(&v->e, l.w, l.ids, sizeof *l.w);
    }
    monomials_free(&l.known);
    return st;
}

/* ----- weighted sums of rows ------------------------------------------------------------- */

/* sum of l_i a_i over the rows that are listed and, with `others`, over all others of C with
 * one weight. Done for some entries at a time: a panel. */
struct weighing {
    struct verifier *v;
    const struct cert_list *list;
    bool others;
    struct space space;
    struct monomials known;
    int64_t low; /* the lowest place of all rows that are not 0 */
    int threads;
    uint64_t ids, panel; /* entries in all, and in a panel */
    uint64_t *wrong;     /* by panel: an entry whose sum is not 0; ids: none */
    perc_status *st;     /* by panel */
};

/* The weight of the next row that has one, from number *i of the part on; *k counts through
 * the list. NULL: none. */
static const struct integer *weight_next(const struct weighing *g, uint64_t *i, size_t *k)
{
    const struct verifier *v = g->v;

    for (; *i < v->n; ++*i) {
        const uint64_t row = v->row[*i];
        if (*k < g->list->n && g->list->row[*k] == row + 1) return &g->list->weight[(*k)++];
        if (g->others && v->side[row] == 0) return &g->list->others;
        if (!g->others && *k == g->list->n) break;
    }
    return NULL;
}

/* The lowest place, the products of features that occur, the size of a panel. */
static perc_status weighing_scan(struct weighing *g, struct vector *x)
{
    const struct verifier *v = g->v;
    const struct integer *f;
    size_t k = 0, longest = 0;
    int64_t high = INT64_MIN, highest = INT64_MIN;
    perc_status st;

    g->low = INT64_MAX;
    for (uint64_t i = 0; (f = weight_next(g, &i, &k)) != NULL; i++) {
        if (!goes_on(v)) return certificate_stopped(v->err);
        if ((st = vector_row(x, &g->space, v->row[i], v->err))) return st;
        if (x->n == 0) continue;
        if (x->low < g->low) g->low = x->low;
        if (x->low > highest) highest = x->low;
        if (x->high > high) high = x->high;
        if (f->n > longest) longest = f->n;
    }
    if (g->low < highest && highest - g->low > VECTOR_PLACES)
        return fail(v->err, PERC_EDATA, "the rows span more than %d powers of ten", VECTOR_SPAN);
    g->ids = (v->c->space == CERT_POLY ? g->known.n : v->c->features) + 1;
    g->threads = v->n < ROWS_A_THREAD ? 1 : v->e.threads;
    if (high > g->low) longest += (size_t)(high - g->low);
    g->panel = (UINT64_C(1) << 25) / (uint64_t)g->threads / (longest + 16) + 1;
    if (g->ids < g->panel * (uint64_t)g->threads && g->ids > 16)
        g->panel = g->ids / (uint64_t)g->threads + 1;
    return PERC_OK;
}

/* The sums of the entries from .. to. Rows with the weight that they share are summed apart,
 * without it: `rest` is multiplied once. */
static perc_status panel_add(const struct weighing *g, struct vector *x, uint64_t from, uint64_t to,
                             struct integer_sum *sum, struct integer_sum *rest)
{
    const struct env *e = &g->v->e;
    uint32_t digit = 1;
    const struct integer *weight, one = { .digit = &digit, .n = 1 };
    struct integer total = { 0 };
    bool ok = true;
    size_t k = 0;

    for (uint64_t i = 0; ok && (weight = weight_next(g, &i, &k)) != NULL; i++) {
        const uint64_t row = g->v->row[i];
        const bool shared = weight == &g->list->others;
        const perc_status st = goes_on(g->v) ? vector_row(x, &g->space, row, NULL)
                                             : PERC_EUNDECIDED;
        if (st) return st;
        for (size_t j = 0; j < x->n && ok; j++) {
            const struct entry *entry = &x->entry[j];
            if (entry->id < from || entry->id >= to) continue;
            if (entry->value.n >= LONG && !goes_on(g->v)) return PERC_EUNDECIDED;
            ok = integer_sum_add(e, (shared ? rest : sum) + (entry->id - from),
                                 shared ? &one : weight, &entry->value,
                                 (size_t)(entry->place - g->low), g->v->y[row] < 0);
        }
    }
    for (uint64_t j = 0; j < to - from && g->others && ok; j++)
        ok = integer_sum_take(e, &rest[j], &total) &&
             integer_sum_add(e, &sum[j], &total, &g->list->others, 0, false);
    integer_free(e, &total);
    return ok ? PERC_OK : PERC_ENOMEM;
}

static void panel_run(void *ud, uint64_t task)
{
    struct weighing *g = ud;
    const struct env *e = &g->v->e;
    const uint64_t from = task * g->panel, left = g->ids - from;
    const size_t n = (size_t)(left < g->panel ? left : g->panel);
    struct integer_sum *sum = mem_zeroed(e, 2 * n, sizeof *sum); /* and `rest` */
    struct vector x;

    vector_init(&x, e);
    g->wrong[task] = g->ids;
    g->st[task] = sum == NULL ? PERC_ENOMEM : panel_add(g, &x, from, from + n, sum, sum + n);
    for (size_t j = n; j-- > 0 && g->st[task] == PERC_OK;)
        if (integer_sum_sign(&sum[j]) != 0) g->wrong[task] = from + j;
    for (size_t j = 0; j < 2 * n && sum != NULL; j++) integer_sum_free(e, &sum[j]);
    mem_free(e, sum, 2 * n, sizeof *sum);
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
    else threads_each(g->threads, panels, panel_run, g);
    for (size_t i = 0; i < panels && st == PERC_OK; i++) {
        if (g->st[i] == PERC_EUNDECIDED) st = certificate_stopped(v->err);
        else if (g->st[i]) st = fail_memory(v->err); /* the scan has met all other errors */
        else if (g->wrong[i] < g->ids)
            st = refute(
                v, -1,
                g->wrong[i] == 0 ? "the weighted sum of the rows of \"%s\" is not 0 in the offset"
                : v->c->space == CERT_POLY
                    ? "the weighted sum of the rows of \"%s\" is not 0 in a product of features"
                    : "the weighted sum of the rows of \"%s\" is not 0 in feature %llu",
                name, (unsigned long long)g->wrong[i]);
    }
    mem_free(&v->e, g->wrong, panels, sizeof *g->wrong);
    mem_free(&v->e, g->st, panels, sizeof *g->st);
    return st;
}

/* Checks that the weights are positive, and of rows that may have one. */
static perc_status list_check(const struct verifier *v, const struct cert_list *l, const char *name,
                              bool on_plane)
{
    for (size_t k = 0; k < l->n; k++) {
        const unsigned long long row = l->row[k];
        const int64_t at = (int64_t)row - 1;
        if (row > v->ds->rows) return refute(v, -1, "\"%s\": there is no row %llu", name, row);
        if (v->y[at] == 0)
            return refute(v, at, "\"%s\": row %llu has %s", name, row,
                          perc_dataset_row_weight(v->ds, (uint64_t)at) == 0
                              ? "weight 0"
                              : "neither of the two labels");
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

/* Checks that as many rows are strictly on their side, and held, as the part says. */
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
        return refute(v, -1, "it is not touching, but %s", held == 0 ? "separable" : "overlapping");
    if (p->verdict == PERC_OVERLAPPING && strict > 0)
        return refute(v, -1, "it is not overlapping: %llu rows are strictly on their side",
                      (unsigned long long)strict);
    return PERC_OK;
}

/* ----- rbf kernels: equal rows ----------------------------------------------------------- */

/* Rows by their number in the part. */
struct equals {
    struct equal {
        uint64_t hash, first; /* first: 1 + the first row that is equal; 0: empty */
    } * slot;
    size_t slots;
    uint64_t *like;        /* by row: the first that is equal to it */
    unsigned char *labels; /* by first row: 1: one is positive, 2: one is negative */
    struct vector x, y;
};

static perc_status equals_add(const struct verifier *v, struct equals *t, const struct space *s,
                              uint64_t i)
{
    perc_status st = goes_on(v) ? vector_row(&t->x, s, v->row[i], v->err)
                                : certificate_stopped(v->err);

    if (st) return st;
    const uint64_t hash = vector_hash(&t->x);
    size_t at = (size_t)hash & (t->slots - 1);
    for (; t->slot[at].first != 0; at = (at + 1) & (t->slots - 1)) {
        if (t->slot[at].hash != hash) continue;
        if ((st = vector_row(&t->y, s, v->row[t->slot[at].first - 1], v->err))) return st;
        if (vector_same(&t->x, &t->y)) break;
    }
    if (t->slot[at].first == 0) t->slot[at] = (struct equal){ hash, i + 1 };
    t->like[i] = t->slot[at].first - 1;
    t->labels[t->like[i]] |= v->y[v->row[i]] > 0 ? 1 : 2;
    return PERC_OK;
}

/* "no": two rows at one point, with both labels. */
static perc_status pair_check(const struct verifier *v, struct equals *t, const struct space *s)
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
    struct equals t = { .slots = 2 };
    struct pool pool;
    uint64_t held = 0;
    perc_status st = PERC_OK;

    while (t.slots / 2 < v->n) t.slots *= 2;
    pool_init(&pool, &v->e);
    t.slot = pool_zeroed(&pool, t.slots, sizeof *t.slot);
    t.like = pool_zeroed(&pool, v->n, sizeof *t.like);
    t.labels = pool_zeroed(&pool, v->n, sizeof *t.labels);
    vector_init(&t.x, &v->e);
    vector_init(&t.y, &v->e);
    if (pool.failed) st = fail_memory(v->err);
    if (st == PERC_OK && v->p->verdict != PERC_SEPARABLE) st = pair_check(v, &t, &s);
    if (st == PERC_OK && v->p->verdict != PERC_INSEPARABLE) {
        for (uint64_t i = 0; i < v->n && st == PERC_OK; i++) st = equals_add(v, &t, &s, i);
        for (uint64_t i = 0; i < v->n && st == PERC_OK; i++) held += t.labels[t.like[i]] == 3;
        if (st == PERC_OK) st = counts_check(v, v->n - held, held);
    }
    vector_free(&t.x);
    vector_free(&t.y);
    pool_free(&pool);
    return st;
}

/* ----- parts ----------------------------------------------------------------------------- */

/* The number of a label, which must be one of the data's, in its canonical form. */
static perc_status label_find(const struct verifier *v, const char *label, uint32_t *id)
{
    const struct labels *l = &v->ds->labels;

    *id = labels_find(l, label, strlen(label));
    if (*id == LABEL_NONE || strcmp(l->at[*id].key, label) != 0)
        return refute(v, -1, "the data have no such label");
    return PERC_OK;
}

/* A row of weight 0 is none of a problem, nor is one without a label. */
static bool counts(const struct block *b, size_t i)
{
    return b->label[i] != LABEL_NONE && block_weight(b, i) != 0;
}

/* The rows of the part, and their y: all that count, or those of two labels in order,
 * in no more steps than there are such rows. The prover has the same loop (prove/proof.c), and
 * the sort below: this is a copy on purpose, so that a mistake there is not one here. */
static perc_status part_rows(struct verifier *v)
{
    uint32_t positive, negative = LABEL_NONE;
    perc_status st = label_find(v, v->p->positive, &positive);

    if (st == PERC_OK && v->p->negative != NULL) st = label_find(v, v->p->negative, &negative);
    if (st) return st;
    for (uint64_t i = 0; i < v->n; i++) v->y[v->row[i]] = 0; /* those of the part before */
    v->n = 0;
    for (size_t k = 0; k < v->ds->blocks && negative == LABEL_NONE; k++) {
        const struct block *b = &v->ds->block[k];
        for (size_t i = 0; i < b->rows; i++) {
            if (!counts(b, i)) continue;
            v->row[v->n++] = b->first_row + i;
            v->y[b->first_row + i] = b->label[i] == positive ? 1 : -1;
        }
    }
    if (negative != LABEL_NONE) {
        uint64_t p = v->start[positive], q = v->start[negative];
        const uint64_t p_end = v->start[positive + 1], q_end = v->start[negative + 1];
        while (p < p_end || q < q_end) {
            const bool plus = q == q_end || (p < p_end && v->sorted[p] < v->sorted[q]);
            const uint64_t row = v->sorted[plus ? p++ : q++];
            v->row[v->n++] = row;
            v->y[row] = plus ? 1 : -1;
        }
    }
    for (uint64_t i = 0; i < v->n; i++) v->side[v->row[i]] = 0;
    return PERC_OK;
}

static perc_status part_check(struct verifier *v)
{
    const struct cert_part *p = v->p;
    uint64_t strict = 0, held = 0;
    perc_status st = PERC_OK;

    if (v->c->space == CERT_RBF) return rbf_check(v);
    if (p->fields & PART_W) st = plane_check(v);
    for (uint64_t i = 0; i < v->n; i++) {
        strict += v->side[v->row[i]] > 0;
        held += v->side[v->row[i]] == 0;
    }
    if (st == PERC_OK && p->verdict != PERC_INSEPARABLE) st = counts_check(v, strict, held);
    if (st == PERC_OK && p->verdict != PERC_SEPARABLE) st = sum_check(v, &p->no, "no", false);
    if (st == PERC_OK && (p->fields & PART_ALL)) st = sum_check(v, &p->all, "all", true);
    return st;
}

static void add_claim(struct verifier *v)
{
    const struct cert_part *p = v->p;
    const size_t i = (size_t)(p - v->c->part);

    v->out->verdicts[p->verdict]++;
    if (i >= PERC_CLAIMS) return;
    perc_claim *c = &v->out->claim[i];
    *c = (perc_claim){
        .verdict = p->verdict, .rows = v->n, .strict = p->strict, .on_all_planes = p->held
    };
    snprintf(c->positive, sizeof c->positive, "%s", p->positive);
    snprintf(c->negative, sizeof c->negative, "%s", p->negative != NULL ? p->negative : "");
}

/* ----- the whole certificate ------------------------------------------------------------- */

static perc_status data_check(struct verifier *v)
{
    const struct certificate *c = v->c;
    const perc_dataset *ds = v->ds;
    const perc_status st = canonical_hash(ds, v->out->sha256, v->err);
    perc_dataset_info info;

    if (st) return st;
    perc_dataset_info_get(ds, &info);
    v->out->other_data = 1;
    if (c->rows != ds->rows)
        return refute(v, -1, "these are other data: %llu rows, but the certificate is about %llu",
                      (unsigned long long)ds->rows, (unsigned long long)c->rows);
    if (c->features != info.features)
        return refute(v, -1,
                      "these are other data: %llu features, but the certificate is about %llu",
                      (unsigned long long)info.features, (unsigned long long)c->features);
    if (strcmp(c->sha256, v->out->sha256) != 0)
        return refute(v, -1, "these are other data (hash %.16s..., the certificate's is %.16s...)",
                      v->out->sha256, c->sha256);
    v->out->other_data = 0;
    return PERC_OK;
}

/* Begins with a counting sort of the rows by label: start is two labels ahead while they are
 * counted, and one while they are filled in. */
static perc_status all_check(struct verifier *v)
{
    const perc_dataset *ds = v->ds;
    struct pool pool;
    perc_status st = data_check(v);

    if (st) return st;
    pool_init(&pool, &v->e);
    v->sorted = pool_array(&pool, ds->rows, sizeof *v->sorted);
    v->start = pool_zeroed(&pool, ds->labels.n + 2, sizeof *v->start);
    v->row = pool_array(&pool, ds->rows, sizeof *v->row);
    v->y = pool_zeroed(&pool, ds->rows, 1);
    v->side = pool_zeroed(&pool, ds->rows, 1);
    if (v->c->space == CERT_ROWS) v->w = pool_zeroed(&pool, v->c->features + 1, sizeof *v->w);
    if (pool.failed) st = fail_memory(v->err);
    for (size_t k = 0; k < ds->blocks && !st; k++)
        for (size_t i = 0; i < ds->block[k].rows; i++)
            if (counts(&ds->block[k], i)) v->start[ds->block[k].label[i] + 2]++;
    for (size_t l = 2; l <= ds->labels.n && !st; l++) v->start[l + 1] += v->start[l];
    for (size_t k = 0; k < ds->blocks && !st; k++) {
        const struct block *b = &ds->block[k];
        for (size_t i = 0; i < b->rows; i++)
            if (counts(b, i)) v->sorted[v->start[b->label[i] + 1]++] = b->first_row + i;
    }
    for (size_t i = 0; i < v->c->parts && st == PERC_OK; i++) {
        v->p = &v->c->part[i];
        if (!goes_on(v)) st = certificate_stopped(v->err);
        else if ((st = part_rows(v)) == PERC_OK && (st = part_check(v)) == PERC_OK) add_claim(v);
    }
    pool_free(&pool);
    return st;
}

perc_status verify_certificate(const struct env *e, const struct certificate *c,
                               const perc_dataset *ds, const struct watch *watch, perc_check *out,
                               perc_error *err)
{
    struct verifier v = { .e = *e, .watch = watch, .c = c, .ds = ds, .out = out, .err = err };
    perc_status st;

    memset(out, 0, sizeof *out);
    out->row = out->part = -1;
    out->parts = c->parts;
    out->rows = ds->rows;
    out->offset = c->offset;
    out->dropped = ds->dropped;
    out->unchecked = ds->unchecked;
    for (size_t k = 0; k < ds->blocks; k++)
        for (size_t i = 0; i < ds->block[k].rows; i++)
            out->weightless += block_weight(&ds->block[k], i) == 0;
    out->kernel = c->space == CERT_POLY ? "poly" : c->space == CERT_RBF ? "rbf" : "none";
    out->degree = c->space == CERT_POLY ? (int)c->degree : 0;
    out->homogeneous = c->homogeneous;
    st = all_check(&v);
    out->valid = st == PERC_OK;
    return st == PERC_ENO ? PERC_OK : st;
}

static perc_status check_input(const struct env *e, const char *certificate, const char *path,
                               const perc_params *data, perc_error *err)
{
    struct perc_files files;
    const char *more = data != NULL ? params_text(data, "more") : NULL;

    if (strcmp(certificate, "-") != 0) return PERC_OK;
    perc_status st = paths_find(e, path, more, &files, err);
    if (!st && paths_have(&files, "-"))
        st = fail(err, PERC_EARG, "standard input cannot be both the certificate and the data");
    paths_free(&files);
    return st;
}

perc_status perc_verify_watched_sized(const perc_env *env, const char *certificate,
                                      const char *data_path, const perc_params *data,
                                      const perc_params *options, const perc_observer *observer,
                                      perc_check *out, size_t size, const char **where,
                                      perc_error *err)
{
    sized_copy(out, size, &(perc_check){ .row = -1, .part = -1, .kernel = "none" }, sizeof *out);
    if (where != NULL) *where = certificate;
    NEED(certificate != NULL && data_path != NULL && observer_is_valid(observer));
    if (data != NULL) NEED_PARAMS(data, "data");
    if (options != NULL) NEED_PARAMS(options, "verify");
    const struct env e = env_resolve(env);
    struct patience patience = {
        .observer = observer, .begin = clock_seconds(), .until = INFINITY, .busy = ATOMIC_FLAG_INIT
    };
    const struct watch watch = { ask_patience, &patience };
    struct certificate c = { .parts = 0 };
    struct file_map file = { .size = 0 };
    perc_check own = { .row = -1, .part = -1, .kernel = "none" };
    perc_dataset *ds = NULL;
    perc_status st;

    if (options != NULL && params_real(options, "time-limit") > 0)
        patience.until = patience.begin + params_real(options, "time-limit");
    if ((st = check_input(&e, certificate, data_path, data, err))) return st;
    if ((st = file_load(&e, certificate, &file, err)) == PERC_OK)
        st = certificate_read(&e, (const char *)file.data, file.size, &watch, &c, err);
    file_unmap(&file);
    if (st == PERC_OK) {
        if (where != NULL) *where = data_path;
        st = read_exact_watched(env, data_path, data, &watch, &ds, err);
        if (st == PERC_EUNDECIDED) st = certificate_stopped(err);
    }
    if (st == PERC_OK && !map_is_identity(&ds->map))
        st = fail(err, PERC_EARG,
                  "these data were read with a map, and a certificate is about the numbers of the "
                  "file");
    patience.parts = (int64_t)c.parts;
    if (st == PERC_OK) st = verify_certificate(&e, &c, ds, &watch, &own, err);
    perc_dataset_free(ds);
    certificate_free(&c);
    sized_copy(out, size, &own, sizeof own);
    return st;
}

perc_status perc_verify_sized(const perc_env *env, const char *certificate, const char *data_path,
                              const perc_params *data, perc_check *out, size_t size,
                              const char **where, perc_error *err)
{
    return perc_verify_watched_sized(env, certificate, data_path, data, NULL, NULL, out, size,
                                     where, err);
}
