/* panel.c -- rows side by side.
 *
 * The dot of x with one row of the panel is a chain, each step of which waits for the one before.
 * The PANEL chains of a panel have nothing to do with each other: they lie in registers, and an
 * entry of x costs a broadcast, a load and a step for each. That keeps the arithmetic units busy
 * as long as the loads come from the first-level cache. So rows without gaps go through a panel
 * of many columns in strips that fit there, some rows through one strip before the next, their
 * sums waiting in `out`; and the rows of a tile share what is loaded. Rows with gaps gain by strips
 * only where they lie packed (bundle.h): if not, they are walked from end to end, two and two, so
 * that the steps of one fill the waits of the other.
 *
 * Where columns are many and most of them empty, those in use are numbered as they come,
 * and a small hash table knows their numbers: memory and time of a filling are then of the
 * order of the entries, whatever the columns.
 *
 * All ways give the same bits: a step with a zero changes no sum, but for the sign of a zero,
 * which the last step takes away (row.h). */
#include "vec/panel.h"

#include <math.h>
#include <string.h>

#include "vec/row_decode.h"

enum {
    TOGETHER = 64,        /* rows without gaps that go through a strip together */
    MOST_HIGH = 6,        /* rows of a tile, at most */
    DIRECT_COLUMNS = 4096 /* up to here a column is its own place, however empty it is */
};
_Static_assert(2 * STRIP <= PIECE, "the entries of a strip are one piece");
_Static_assert((int)BUNDLE_COLUMNS <= DIRECT_COLUMNS, "bundles meet places that are columns");

struct panel_slot {
    uint64_t column;
    uint64_t place; /* 0: free */
};

void panel_init(struct panel *p, const struct env *e, bool rounded)
{
    *p = (struct panel){ .e = *e, .rounded = rounded };
}

void panel_free(struct panel *p)
{
    mem_free(&p->e, p->memory, p->memory_size, 1);
    mem_free(&p->e, p->slot, p->slot_cap, sizeof *p->slot);
    *p = (struct panel){ .e = p->e, .rounded = p->rounded };
}

/* ----- strips ---------------------------------------------------------------------- */

/* The columns of a strip of this panel: all of them if they are few. */
static uint64_t strip_width(const struct panel *p)
{
    return p->columns <= 2 * STRIP ? 2 * STRIP : STRIP;
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

/* The loops, for each kind of processor, and for both kinds of chain. */
#ifdef __clang__
#define UNROLL_ALL _Pragma("clang loop unroll(full)")
#else
#define UNROLL_ALL _Pragma("GCC unroll 16")
#endif

#define TARGET
#define WAY(name) name##_plain
#define UNROLL
#define VEC              double
#define WIDTH            1
#define WIDE             PANEL
#define HIGH             1
#define LOAD(p)          (*(p))
#define STORE(p, x)      (*(p) = (x))
#define FILL(x)          (x)
#define ADD(x, y)        ((x) + (y))
#define FUSED(x, v, s)   fma(x, v, s)
#define ROUNDED(x, v, s) ((s) + (x) * (v))
#include "vec/panel_lanes.h"

#ifdef HAVE_TARGETS
#define TARGET           FOR_AVX2
#define WAY(name)        name##_avx2
#define UNROLL           UNROLL_ALL
#define VEC              __m256d
#define WIDTH            4
#define WIDE             4
#define HIGH             3
#define LOAD             _mm256_loadu_pd
#define STORE            _mm256_storeu_pd
#define FILL             _mm256_set1_pd
#define ADD              _mm256_add_pd
#define FUSED            _mm256_fmadd_pd
#define ROUNDED(x, v, s) _mm256_add_pd(s, _mm256_mul_pd(x, v))
#include "vec/panel_lanes.h"

#define TARGET           FOR_AVX512
#define WAY(name)        name##_avx512
#define UNROLL           UNROLL_ALL
#define VEC              __m512d
#define WIDTH            8
#define WIDE             4
#define HIGH             6
#define LOAD             _mm512_loadu_pd
#define STORE            _mm512_storeu_pd
#define FILL             _mm512_set1_pd
#define ADD              _mm512_add_pd
#define FUSED            _mm512_fmadd_pd
#define ROUNDED(x, v, s) _mm512_add_pd(s, _mm512_mul_pd(x, v))
#include "vec/panel_lanes.h"
#endif

/* Rows of a tile, at most. */
static size_t tile_rows(void)
{
#ifdef HAVE_TARGETS
    return have_avx512() ? 6 : have_avx2() ? 3 : 1;
#else
    return 1;
#endif
}

/* ----- places of columns ------------------------------------------------------------- */

/* The slot of a column, or the free one where it would be; linear probing. A product with the
 * golden ratio scatters the columns that data have (Knuth, TAOCP 3, 6.4), one with a number nobody
 * knows those that are chosen to collide (Dietzfelbinger et al., J. Algorithms 25, 1997). SipHash
 * would be safer and too slow here. */
static struct panel_slot *slot_of_column(const struct panel *p, uint64_t column)
{
    const size_t mask = ((size_t)1 << (64 - p->shift)) - 1;
    const uint64_t h = column * UINT64_C(0x9E3779B97F4A7C15);
    size_t i = (size_t)((h ^ h >> 32) * (p->e.key.k[0] | 1) >> p->shift);

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

static void fill_places(struct panel *p, size_t places)
{
    double buf[PIECE];

    memset(p->v, 0, places * PANEL * sizeof *p->v);
    for (size_t i = 0; i < p->rows; i++) {
        const struct row *r = &p->row[i];
        for (size_t from = 0, n; from < r->n; from += n) {
            n = least(r->n - from, PIECE);
            const double *x = decode(r, from, n, buf);
            double *v = p->v + i;
#define CALL(indices)              \
    for (size_t k = 0; k < n; k++) \
    v[column_at(r->index, indices, r->first, from + k) * PANEL] = x[k]
            if (p->direct) BY_INDEX(r->indices, CALL)
#undef CALL
            for (size_t k = 0; k < n && !p->direct; k++)
                v[slot_of_column(p, row_column(r, from + k))->place * PANEL] = x[k];
        }
        if (!p->direct) p->norm2[i] = p->rounded ? row_norm2(r) : row_norm2_fused(r);
    }
    if (p->direct) TARGETED(squares)(p->v, (size_t)p->columns, p->norm2, !p->rounded);
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
    const uint64_t strips = (p->columns + STRIP - 1) / STRIP; /* the last is filled up */
    const uint64_t places = p->direct ? strips * STRIP : slots_fill(p, entries);
    if ((!p->direct && places == 0) || !reserve_panel(p, places)) {
        p->rows = 0;
        p->columns = 0;
        p->direct = true;
        return PERC_ENOMEM;
    }
    fill_places(p, (size_t)places);
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
        const double *v = decode_wide(x, from, n, buf);
        size_t found = 0;
        for (size_t k = 0; k < n; k++) {
            const uint64_t at = slot_of_column(p, row_column(x, from + k))->place;
            place[found] = (uint32_t)at;
            value[found] = v[k];
            found += at != 0;
        }
        const struct row places = { .index = place, .n = found, .indices = INDEX_U32 };
        TARGETED(walk)
        (&(struct dot_walk){ &places, 0, found, UINT64_MAX, value, p->v, out }, !p->rounded);
    }
}

/* n rows whose columns begin at `first`. */
static void dots_alike(const struct panel *p, const struct row *x, size_t n, uint64_t first,
                       double *out)
{
    const size_t most = tile_rows(), width = (size_t)strip_width(p);
    const size_t all = first >= p->columns ? 0 : least(x->n, (size_t)(p->columns - first));
    double buf[MOST_HIGH][PIECE];
    const double *value[MOST_HIGH];

    for (size_t from = 0; from < all; from += width)
        for (size_t i = 0, high; i < n; i += high) {
            const size_t len = least(all - from, width);
            high = (n - i - 1) / ((n - i - 1) / most + 1) + 1; /* as few tiles, nearly equal */
            for (size_t r = 0; r < high; r++) value[r] = decode_wide(&x[i + r], from, len, buf[r]);
            TARGETED(tile)
            (p->v + (first + from) * PANEL, value, len, out + i * PANEL, high, !p->rounded);
        }
}

static void dots_alone(const struct panel *p, const struct row *x, double *out)
{
    const bool ready = x->values == VALUES_F64 && x->stride == sizeof(double);
    double buf[PIECE];

    for (size_t from = 0; from < x->n;) {
        const size_t n = ready ? x->n : least(x->n - from, PIECE);
        const double *value = ready ? x->value : decode_wide(x, from, n, buf);
        const struct dot_walk w = { x, from, n, p->columns, value, p->v, out };
        if (TARGETED(walk)(&w, !p->rounded) < n)
            return; /* the rest is beyond all columns of the panel */
        from += n;
    }
}

/* Two rows with gaps and indices of one kind. */
static void dots_pair(const struct panel *p, const struct row *x, double *out)
{
    const size_t all[2] = { known(&x[0], p->columns), known(&x[1], p->columns) };
    const size_t both = least(all[0], all[1]);
    double buf[2][PIECE];

    for (size_t from = 0; from < both; from += PIECE) {
        const size_t n = least(both - from, PIECE);
        const struct dot_walk w[2] = {
            { &x[0], from, n, UINT64_MAX, decode_wide(&x[0], from, n, buf[0]), p->v, out },
            { &x[1], from, n, UINT64_MAX, decode_wide(&x[1], from, n, buf[1]), p->v, out + PANEL },
        };
        TARGETED(pair)(w, n, !p->rounded);
    }
    for (int i = 0; i < 2; i++)
        for (size_t from = both; from < all[i]; from += PIECE) {
            const size_t n = least(all[i] - from, PIECE);
            const double *value = decode_wide(&x[i], from, n, buf[i]);
            const struct dot_walk w = { &x[i], from, n, UINT64_MAX, value, p->v, out + i * PANEL };
            TARGETED(walk)(&w, !p->rounded);
        }
}

/* How many rows from x on are alike: without gaps and with the same columns, beginning at `first`;
 * or with gaps, two and two, and indices of one kind. 0: the first is alone. */
static size_t count_alike(const struct row *x, size_t n, bool *gaps, uint64_t *first)
{
    uint64_t other = 0;
    size_t same = 1;

    *first = 0;
    *gaps = !gapless(x, first);
    while (same < n && x[same].indices == x->indices && gapless(&x[same], &other) == !*gaps &&
           (*gaps || (x[same].n == x->n && other == *first)))
        same++;
    return *gaps ? same / 2 * 2 : same;
}

void panel_dots(const struct panel *p, const struct row *x, size_t n, double *out)
{
    if (n > 0) memset(out, 0, n * PANEL * sizeof *out);
    if (p->columns == 0) return;
    for (size_t i = 0; i < n && !p->direct; i++) dots_slots(p, &x[i], out + i * PANEL);
    for (size_t i = 0, same; i < n && p->direct; i += same) {
        uint64_t first;
        bool gaps;
        same = count_alike(x + i, least(n - i, TOGETHER), &gaps, &first);
        if (same == 0) {
            dots_alone(p, x + i, out + i * PANEL);
            same = 1;
        } else if (gaps)
            for (size_t k = i; k < i + same; k += 2) dots_pair(p, x + k, out + k * PANEL);
        else dots_alike(p, x + i, same, first, out + i * PANEL);
    }
}

void panel_dots_bundle(const struct panel *p, const struct bundle *b, double *out)
{
    const size_t strips = (size_t)((p->columns + STRIP - 1) / STRIP);

    if (b->strips == 0 || strips == 0 || !p->direct) {
        panel_dots(p, b->x, b->rows, out);
        return;
    }
    TARGETED(packed)(b, least(b->strips, strips), p->v, out, !p->rounded);
}
