/* panel.c -- rows side by side.
 *
 * The dot of x with one row of the panel is a chain of additions, each waiting for the one
 * before. The PANEL chains of a panel have nothing to do with each other: they lie in four
 * registers of eight doubles, and an entry of x costs a broadcast, four loads, four
 * products and four sums. That keeps the arithmetic units busy as long as the loads come
 * from the first-level cache. So rows x without gaps go through a panel of many columns in
 * strips that fit there, some rows through one strip before the next, their sums
 * waiting in `out`; and four of them share what is loaded. (Rows with gaps have too few
 * entries in a strip to gain by it; they are walked from end to end.)
 *
 * Where columns are many and most of them empty, those in use are numbered as they come,
 * and a small hash table knows their numbers: memory and time of a filling are then of the
 * order of the entries, whatever the columns.
 *
 * No product is fused with its sum, and all ways give the same bits: adding a zero product
 * changes no sum (none is ever -0, since all start at 0). */
#include "vec/panel.h"

#include <string.h>

#include "vec/row_decode.h"

enum {
    STRIP = 128,          /* columns: 32 KiB of the panel */
    TOGETHER = 64,        /* rows without gaps that go through a strip together */
    ABREAST = 4,          /* those that share loads */
    DIRECT_COLUMNS = 4096 /* up to here a column is its own place, however empty it is */
};
_Static_assert(STRIP + STRIP / 2 <= PIECE, "the entries of a strip are one piece");

struct panel_slot {
    uint64_t column;
    uint64_t place; /* 0: free */
};

void panel_init(struct panel *p, const struct env *e)
{
    *p = (struct panel){ .e = *e };
}

void panel_free(struct panel *p)
{
    mem_free(&p->e, p->memory, p->memory_size, 1);
    mem_free(&p->e, p->slot, p->slot_cap, sizeof *p->slot);
    *p = (struct panel){ .e = p->e };
}

/* ----- strips ---------------------------------------------------------------------- */

/* Rows that store their columns often have no gaps either: those of a dense matrix. */
static bool gapless(const struct row *x, uint64_t *first)
{
    if (x->n == 0) return false;
    *first = column_at(x->index, x->indices, x->first, 0);
    return x->indices == INDEX_DENSE ||
           column_at(x->index, x->indices, 0, x->n - 1) - *first == x->n - 1;
}

/* A row on its way through the strips. */
struct walker {
    struct row row;
    size_t at; /* entries before are done */
};

/* How many entries from w->at on have a column below end; no more than `most`. */
static size_t entries_below(const struct walker *w, uint64_t end, size_t most)
{
    const struct row *r = &w->row;
    const size_t left = least(r->n - w->at, most);
    size_t n = 0;

    if (r->indices == INDEX_DENSE) {
        const uint64_t next = r->first + w->at;
        return next >= end ? 0 : end - next < left ? (size_t)(end - next) : left;
    }
#define CALL(indices) \
    while (n < left && column_at(r->index, indices, r->first, w->at + n) < end) n++
    BY_INDEX(r->indices, CALL)
#undef CALL
    return n;
}

/* The columns of a strip of this panel: all of them if they are few. */
static uint64_t strip_width(const struct panel *p)
{
    return p->columns <= STRIP + STRIP / 2 ? STRIP + STRIP / 2 : STRIP;
}

/* ----- walks ------------------------------------------------------------------------ */

/* out[0 .. PANEL-1] += x_k times place k of v, for n entries or until a column is at or
 * beyond `end`; returns how many. */
struct dot_walk {
    const struct row *row; /* its columns are places */
    size_t from, n;
    uint64_t end;
    const double *x;
    const double *v;
    double *out;
};

INLINE size_t walk_any(const struct dot_walk *w, int indices)
{
    double sum[PANEL];
    size_t k = 0;

    memcpy(sum, w->out, sizeof sum);
    for (; k < w->n; k++) {
        const uint64_t place = column_at(w->row->index, indices, w->row->first, w->from + k);
        if (place >= w->end) break;
        const double x = w->x[k], *v = w->v + place * PANEL;
        for (size_t i = 0; i < PANEL; i++) sum[i] += x * v[i];
    }
    memcpy(w->out, sum, sizeof sum);
    return k;
}

/* s_i += v_i^2 for all places of a strip. */
INLINE void squares_any(const double *v, size_t places, double *s)
{
    for (size_t k = 0; k < places; k++)
        for (size_t i = 0; i < PANEL; i++) s[i] += v[k * PANEL + i] * v[k * PANEL + i];
}

/* The walks of ABREAST rows without gaps from place 0 of v, n entries each. */
INLINE void abreast_any(const double *v, const double *const *x, size_t n, double *out)
{
    for (size_t r = 0; r < ABREAST; r++)
        for (size_t k = 0; k < n; k++)
            for (size_t i = 0; i < PANEL; i++) out[r * PANEL + i] += x[r][k] * v[k * PANEL + i];
}

#define WALK(name, target, body)                        \
    target static size_t name(const struct dot_walk *w) \
    {                                                   \
        switch (w->row->indices) {                      \
        case INDEX_U16: return body(w, INDEX_U16);      \
        case INDEX_U32: return body(w, INDEX_U32);      \
        case INDEX_U64: return body(w, INDEX_U64);      \
        default: return body(w, INDEX_DENSE);           \
        }                                               \
    }

WALK(walk_plain, , walk_any)

TARGETS(squares, (const double *v, size_t places, double *s), (v, places, s))

static void abreast_plain(const double *v, const double *const *x, size_t n, double *out)
{
    abreast_any(v, x, n, out);
}

#ifdef HAVE_TARGETS
enum { YMM = PANEL / 4, ZMM = PANEL / 8 };

FOR_AVX2 INLINE size_t groups_avx2(const struct dot_walk *w, int indices)
{
    __m256d sum[YMM];
    size_t k = 0;

    for (int g = 0; g < YMM; g++) sum[g] = _mm256_loadu_pd(w->out + 4 * g);
    for (; k < w->n; k++) {
        const uint64_t place = column_at(w->row->index, indices, w->row->first, w->from + k);
        if (place >= w->end) break;
        const __m256d x = _mm256_set1_pd(w->x[k]);
        const double *v = w->v + place * PANEL;
        for (int g = 0; g < YMM; g++)
            sum[g] = _mm256_add_pd(sum[g], _mm256_mul_pd(x, _mm256_load_pd(v + 4 * g)));
    }
    for (int g = 0; g < YMM; g++) _mm256_storeu_pd(w->out + 4 * g, sum[g]);
    return k;
}
WALK(walk_avx2, FOR_AVX2, groups_avx2)

FOR_AVX512 INLINE size_t groups_avx512(const struct dot_walk *w, int indices)
{
    __m512d sum[ZMM];
    size_t k = 0;

    for (int g = 0; g < ZMM; g++) sum[g] = _mm512_loadu_pd(w->out + 8 * g);
    for (; k < w->n; k++) {
        const uint64_t place = column_at(w->row->index, indices, w->row->first, w->from + k);
        if (place >= w->end) break;
        const __m512d x = _mm512_set1_pd(w->x[k]);
        const double *v = w->v + place * PANEL;
        for (int g = 0; g < ZMM; g++)
            sum[g] = _mm512_add_pd(sum[g], _mm512_mul_pd(x, _mm512_load_pd(v + 8 * g)));
    }
    for (int g = 0; g < ZMM; g++) _mm512_storeu_pd(w->out + 8 * g, sum[g]);
    return k;
}
WALK(walk_avx512, FOR_AVX512, groups_avx512)

/* Sixteen registers are not enough to share loads: one row after the other. */
FOR_AVX2 static void abreast_avx2(const double *v, const double *const *x, size_t n, double *out)
{
    const struct row places = { .indices = INDEX_DENSE };

    for (size_t r = 0; r < ABREAST; r++)
        groups_avx2(&(struct dot_walk){ &places, 0, n, UINT64_MAX, x[r], v, out + r * PANEL },
                    INDEX_DENSE);
}

FOR_AVX512 static void abreast_avx512(const double *v, const double *const *x, size_t n,
                                      double *out)
{
    const double *const x0 = x[0], *const x1 = x[1], *const x2 = x[2], *const x3 = x[3];
    __m512d sum[ABREAST][ZMM];

    for (int r = 0; r < ABREAST; r++)
        for (int g = 0; g < ZMM; g++) sum[r][g] = _mm512_loadu_pd(out + r * PANEL + 8 * g);
    for (size_t k = 0; k < n; k++) {
        const __m512d b[ABREAST] = { _mm512_set1_pd(x0[k]), _mm512_set1_pd(x1[k]),
                                     _mm512_set1_pd(x2[k]), _mm512_set1_pd(x3[k]) };
        for (int g = 0; g < ZMM; g++) {
            const __m512d a = _mm512_load_pd(v + k * PANEL + (size_t)(8 * g));
            for (int r = 0; r < ABREAST; r++)
                sum[r][g] = _mm512_add_pd(sum[r][g], _mm512_mul_pd(b[r], a));
        }
    }
    for (int r = 0; r < ABREAST; r++)
        for (int g = 0; g < ZMM; g++) _mm512_storeu_pd(out + r * PANEL + 8 * g, sum[r][g]);
}
#endif

/* ----- places of columns ------------------------------------------------------------- */

/* The slot of a column, or the free one where it would be (Fibonacci hashing, Knuth,
 * TAOCP 3, 6.4; linear probing). */
static struct panel_slot *slot_of_column(const struct panel *p, uint64_t column)
{
    const size_t mask = ((size_t)1 << (64 - p->shift)) - 1;
    size_t i = (size_t)((column * UINT64_C(0x9E3779B97F4A7C15)) >> p->shift);

    while (p->slot[i].place != 0 && p->slot[i].column != column) i = (i + 1) & mask;
    return &p->slot[i];
}

/* Numbers the columns of all rows from 1; returns how many places that makes, counting the
 * empty place 0. At most a quarter of the slots is used. 0: out of memory. */
static size_t slots_fill(struct panel *p, uint64_t entries)
{
    unsigned bits = 6;
    size_t places = 1;

    while (bits < 62 && (UINT64_C(1) << bits) / 4 < entries) bits++;
    if (!MEM_GROW(&p->e, p->slot, &p->slot_cap, (size_t)1 << bits)) return 0;
    p->shift = 64 - bits;
    memset(p->slot, 0, sizeof *p->slot << bits);
    for (size_t i = 0; i < p->rows; i++)
        for (size_t k = 0; k < p->row[i].n; k++) {
            const uint64_t column = row_column(&p->row[i], k);
            struct panel_slot *s = slot_of_column(p, column);
            if (s->place == 0) *s = (struct panel_slot){ column, places++ };
        }
    return places;
}

/* ----- filling ------------------------------------------------------------------------ */

/* Makes room for this many places; what was there is lost. */
static bool reserve_panel(struct panel *p, uint64_t places)
{
    enum { ALIGN = 64 };
    const uint64_t place = PANEL * sizeof *p->v;

    if (places > (SIZE_MAX - ALIGN) / place) return false;
    const size_t size = (size_t)(places * place) + ALIGN;
    if (size > p->memory_size) {
        void *memory = mem_array(&p->e, size, 1);
        if (memory == NULL) return false;
        mem_free(&p->e, p->memory, p->memory_size, 1);
        p->memory = memory;
        p->memory_size = size;
    }
    const uintptr_t at = (uintptr_t)p->memory;
    p->v = (double *)(void *)((char *)p->memory + (ALIGN - at % ALIGN) % ALIGN);
    return true;
}

static void fill_direct(struct panel *p)
{
    const uint64_t width = strip_width(p);
    struct walker w[PANEL];
    double buf[PIECE];

    for (size_t i = 0; i < p->rows; i++) w[i] = (struct walker){ .row = p->row[i] };
    for (uint64_t from = 0; from < p->columns; from += width) {
        const uint64_t end = from + width < p->columns ? from + width : p->columns;
        double *strip = p->v + from * PANEL;
        memset(strip, 0, (size_t)(end - from) * PANEL * sizeof *strip);
        for (size_t i = 0; i < p->rows; i++) {
            const size_t n = entries_below(&w[i], end, PIECE);
            if (n == 0) continue;
            const struct row *r = &w[i].row;
            const double *x = decode(r, w[i].at, n, buf);
#define CALL(indices)              \
    for (size_t k = 0; k < n; k++) \
    p->v[column_at(r->index, indices, r->first, w[i].at + k) * PANEL + i] = x[k]
            BY_INDEX(r->indices, CALL)
#undef CALL
            w[i].at += n;
        }
        squares(strip, (size_t)(end - from), p->norm2);
    }
}

static void fill_slots(struct panel *p, size_t places)
{
    double buf[PIECE];

    memset(p->v, 0, places * PANEL * sizeof *p->v);
    for (size_t i = 0; i < p->rows; i++) {
        const struct row *r = &p->row[i];
        for (size_t from = 0; from < r->n; from += PIECE) {
            const size_t n = least(r->n - from, PIECE);
            const double *x = decode(r, from, n, buf);
            for (size_t k = 0; k < n; k++)
                p->v[slot_of_column(p, row_column(r, from + k))->place * PANEL + i] = x[k];
        }
        p->norm2[i] = row_norm2(r);
    }
}

perc_status panel_fill(struct panel *p, const struct row *x, size_t n)
{
    uint64_t entries = 0;

    p->rows = n;
    p->columns = 0;
    memset(p->norm2, 0, sizeof p->norm2);
    for (size_t i = 0; i < n; i++) {
        p->row[i] = x[i];
        entries += x[i].n;
        if (x[i].n > 0 && row_column(&x[i], x[i].n - 1) >= p->columns)
            p->columns = row_column(&x[i], x[i].n - 1) + 1;
    }
    /* From a quarter full on, the places that are skipped cost less than lookups. */
    p->direct = p->columns <= DIRECT_COLUMNS || p->columns / 4 <= entries / PANEL;
    const uint64_t places = p->direct ? p->columns : slots_fill(p, entries);
    if ((!p->direct && places == 0) || !reserve_panel(p, places)) {
        p->rows = 0;
        p->columns = 0;
        p->direct = true;
        return PERC_ENOMEM;
    }
    if (p->direct) fill_direct(p);
    else fill_slots(p, (size_t)places);
    return PERC_OK;
}

/* ----- dots ------------------------------------------------------------------------- */

/* The columns of x as places, those in no row of the panel left out. */
static void dots_slots(const struct panel *p, const struct row *x, double *out)
{
    uint32_t place[PIECE];
    double buf[PIECE], value[PIECE];
    const size_t all = known(x, p->columns);

    for (size_t from = 0; from < all; from += PIECE) {
        const size_t n = least(all - from, PIECE);
        const double *v = decode(x, from, n, buf);
        size_t found = 0;
        for (size_t k = 0; k < n; k++) {
            const uint64_t at = slot_of_column(p, row_column(x, from + k))->place;
            place[found] = (uint32_t)at;
            value[found] = v[k];
            found += at != 0;
        }
        const struct row places = { .index = place, .n = found, .indices = INDEX_U32 };
        TARGETED(walk)(&(struct dot_walk){ &places, 0, found, UINT64_MAX, value, p->v, out });
    }
}

/* n rows whose columns begin at `first`, n a multiple of ABREAST. */
static void dots_alike(const struct panel *p, const struct row *x, size_t n, uint64_t first,
                       double *out)
{
    const size_t width = (size_t)strip_width(p);
    const size_t all = first >= p->columns ? 0 : least(x->n, (size_t)(p->columns - first));
    double buf[ABREAST][PIECE];
    const double *value[ABREAST];

    for (size_t from = 0; from < all; from += width)
        for (size_t i = 0; i < n; i += ABREAST) {
            const size_t len = least(all - from, width);
            for (size_t r = 0; r < ABREAST; r++) value[r] = decode(&x[i + r], from, len, buf[r]);
            TARGETED(abreast)(p->v + (first + from) * PANEL, value, len, out + i * PANEL);
        }
}

static void dots_alone(const struct panel *p, const struct row *x, double *out)
{
    const bool ready = x->values == VALUES_F64 && x->stride == sizeof(double);
    double buf[PIECE];

    for (size_t from = 0; from < x->n;) {
        const size_t n = ready ? x->n : least(x->n - from, PIECE);
        const double *value = ready ? x->value : decode(x, from, n, buf);
        const struct dot_walk w = { x, from, n, p->columns, value, p->v, out };
        if (TARGETED(walk)(&w) < n) return; /* the rest is beyond all columns of the panel */
        from += n;
    }
}

void panel_dots(const struct panel *p, const struct row *x, size_t n, double *out)
{
    if (n > 0) memset(out, 0, n * PANEL * sizeof *out);
    if (p->columns == 0) return;
    for (size_t i = 0; i < n && !p->direct; i++) dots_slots(p, &x[i], out + i * PANEL);
    for (size_t i = 0, same; i < n && p->direct; i += same > 0 ? same : 1) {
        /* Rows that have the same columns, without gaps, beginning at `first`. */
        uint64_t first = 0, other = 0;
        const size_t most = least(n - i, TOGETHER);
        same = gapless(&x[i], &first);
        while (same > 0 && same < most && x[i + same].n == x[i].n &&
               gapless(&x[i + same], &other) && other == first)
            same++;
        same = same / ABREAST * ABREAST;
        if (same > 0) dots_alike(p, x + i, same, first, out + i * PANEL);
        else dots_alone(p, x + i, out + i * PANEL);
    }
}
