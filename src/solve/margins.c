/* margins.c -- passes over all rows. */
#include "solve/margins.h"

#include <string.h>

#include "base/threads.h"

enum { SLICE = 2048 };

perc_status margins_open(struct margins *m, const struct problem *p, uint32_t positive,
                         perc_error *err)
{
    const int slices = p->n > INT32_MAX ? INT32_MAX : (int)((p->n - 1) / SLICE + 1);
    perc_status st = PERC_OK;

    memset(m, 0, sizeof *m);
    m->p = p;
    m->positive = positive;
    m->dims = p->dims + (p->offset ? 1 : 0);
    m->threads = p->e.threads < slices ? p->e.threads : slices;
    m->value = mem_array(&p->e, p->n, sizeof *m->value);
    m->lens = mem_zeroed(&p->e, (size_t)m->threads, sizeof *m->lens);
    if (m->value == NULL || m->lens == NULL) return fail_memory(err);
    for (int k = 0; k < m->threads && !st; k++) st = problem_lens(p, &m->lens[k], err);
    for (uint64_t i = 0; i < p->n && !st; i++) {
        const size_t n = problem_row(p, &m->lens[0], i).n;
        if (n > m->longest) m->longest = n;
    }
    return st;
}

void margins_close(struct margins *m)
{
    if (m->p == NULL) return;

    const struct env *e = &m->p->e;
    if (m->lens != NULL)
        for (int k = 0; k < m->threads; k++) lens_free(&m->lens[k]);
    mem_free(e, m->lens, (size_t)m->threads, sizeof *m->lens);
    mem_free(e, m->value, m->p->n, sizeof *m->value);
}

/* ----- passes ------------------------------------------------------------------------- */

static void take_slices(void *ud, int k)
{
    struct margins *m = ud;
    const uint64_t n = m->p->n;
    uint64_t c, done = 0;

    while (!m->stopped && (c = m->next++) <= (n - 1) / SLICE) {
        const uint64_t from = c * SLICE, to = n - from > SLICE ? from + SLICE : n;
        m->run(m, &m->lens[k], from, to);
        if (!watch_work(m->watch, &done, (to - from) * (m->longest + 1))) m->stopped = true;
    }
}

static void run_slices(struct margins *m, void (*run)(struct margins *m, struct lens *lens,
                                                      uint64_t from, uint64_t to))
{
    m->run = run;
    m->next = 0;
    threads_run(m->threads, take_slices, m);
}

static void norm_slice(struct margins *m, struct lens *lens, uint64_t from, uint64_t to)
{
    for (uint64_t i = from; i < to; i++) {
        const struct row r = problem_row(m->p, lens, i);
        m->value[i] = row_norm2(&r) + (m->p->offset ? 1 : 0);
    }
}

void margins_norms(struct margins *m)
{
    run_slices(m, norm_slice);
}

/* Several at a time where rows stay put: an image is gone when the next one is made. */
static void score_slice(struct margins *m, struct lens *lens, uint64_t from, uint64_t to)
{
    const int batch = lens->map == NULL ? ROW_DOTS : 1;
    const double b = m->p->offset ? m->w[m->p->dims] : 0;

    for (uint64_t i = from; i < to; i += (uint64_t)batch) {
        const int n = to - i < (uint64_t)batch ? (int)(to - i) : batch;
        struct row r[ROW_DOTS];
        double s[ROW_DOTS];
        for (int k = 0; k < n; k++) r[k] = problem_row(m->p, lens, i + (uint64_t)k);
        row_dots(r, n, m->w, m->p->dims, s);
        for (int k = 0; k < n; k++)
            m->value[i + (uint64_t)k] = problem_sign(m->p, i + (uint64_t)k, m->positive) *
                                        (s[k] + b);
    }
}

void margins_score(struct margins *m, const double *w)
{
    m->w = w;
    run_slices(m, score_slice);
}

static void refine_slice(struct margins *m, struct lens *lens, uint64_t from, uint64_t to)
{
    const uint64_t dims = m->p->dims;

    for (uint64_t i = from; i < to; i++) {
        if (!(m->value[i] < m->bar)) continue;
        const struct row r = problem_row(m->p, lens, i);
        struct two t = m->p->offset ? m->long_w[dims] : two_of(0);
        for (size_t k = 0; k < r.n; k++) {
            const uint64_t j = row_column(&r, k);
            if (j < dims) t = two_add(t, two_times(m->long_w[j], row_value(&r, k)));
        }
        m->value[i] = problem_sign(m->p, i, m->positive) * t.hi;
    }
}

void margins_exact(struct margins *m, const struct two *w, double bar)
{
    m->long_w = w;
    m->bar = bar;
    run_slices(m, refine_slice);
}

/* ----- what they say ------------------------------------------------------------------ */

double margins_error(const struct margins *m, double norm, double radius)
{
    return ((double)m->longest + 4) * 0x1p-52 * norm * radius;
}

uint64_t margins_least(const struct margins *m)
{
    uint64_t at = 0;

    for (uint64_t i = 1; i < m->p->n; i++)
        if (m->value[i] < m->value[at]) at = i;
    return at;
}

/* For sparse rows |x_0|^2 is corrected where the row has entries. */
double margins_spread(struct margins *m, double unit, double *first)
{
    const uint64_t dims = m->p->dims;
    const struct row r0 = problem_row(m->p, &m->lens[0], 0);
    double whole = 0, most = 0;

    memset(first, 0, dims * sizeof *first);
    for (size_t k = 0; k < r0.n; k++)
        if (row_column(&r0, k) < dims) first[row_column(&r0, k)] = row_value(&r0, k) / unit;
    for (uint64_t j = 0; j < dims; j++) whole += first[j] * first[j];
    for (uint64_t i = 1; i < m->p->n; i++) {
        const struct row r = problem_row(m->p, &m->lens[0], i);
        double d2 = 0, rest = whole;
        for (size_t k = 0; k < r.n; k++) {
            const uint64_t j = row_column(&r, k);
            if (j >= dims) continue;
            const double d = row_value(&r, k) / unit - first[j];
            d2 += d * d;
            rest -= first[j] * first[j];
        }
        most = fmax(most, d2 + fmax(rest, 0));
    }
    return 2 * sqrt(most);
}

static bool pick_before(struct pick a, struct pick b)
{
    return a.value < b.value || (a.value == b.value && a.row < b.row);
}

/* Restores a heap with the last of its picks on top. */
static void sink_pick(struct pick *heap, size_t n, size_t at)
{
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && pick_before(heap[child], heap[child + 1])) child++;
        if (!pick_before(heap[at], heap[child])) return;
        const struct pick t = heap[at];
        heap[at] = heap[child];
        heap[child] = t;
    }
}

size_t margins_worst(const struct margins *m, const bool *listed, double bar, size_t most,
                     struct pick *to)
{
    size_t n = 0, kept = 0;

    for (uint64_t i = 0; i < m->p->n; i++) {
        const struct pick pick = { m->value[i], i };
        if (listed[i] || !(pick.value < bar)) continue;
        if (n < most) {
            to[n++] = pick;
            for (size_t k = n == most ? n / 2 : 0; k-- > 0;) sink_pick(to, n, k);
        } else if (pick_before(pick, to[0])) {
            to[0] = pick;
            sink_pick(to, n, 0);
        }
    }
    for (size_t k = n < most ? n / 2 : 0; k-- > 0;) sink_pick(to, n, k);
    for (size_t left = n; left > 1; left--) { /* the heap becomes a sorted list */
        const struct pick t = to[0];
        to[0] = to[left - 1];
        to[left - 1] = t;
        sink_pick(to, left - 1, 0);
    }
    for (size_t k = 0; k < n; k++)
        if (k == 0 || to[k].value != to[kept - 1].value) to[kept++] = to[k];
    return kept;
}
