/* panel_lanes.h -- what panel.c compiles once for each kind of processor: TARGET is the attribute
 * that says which, WAY(name) a name of its own, VEC a register of WIDTH doubles, with LOAD, STORE,
 * FILL (all lanes alike), ADD, and a step of a chain, FUSED or ROUNDED. A tile is HIGH rows by WIDE
 * registers at most: as many sums as there are registers for. `fused`, `indices` and `high` are
 * constants where these are inlined. */

#define STEP(x, v, s) (fused ? FUSED(x, v, s) : ROUNDED(x, v, s))
/* Where a chain stops, or rests: -0 becomes 0 (row.h), which changes nothing of what may follow. */
#define PAUSE(s)      (fused ? ADD(s, FILL(0.0)) : (s))

/* One row along its places. */
TARGET INLINE size_t WAY(walk_kind)(const struct dot_walk *w, const int indices, const bool fused)
{
    VEC sum[PANEL / WIDTH];
    size_t k = 0;

    UNROLL for (int g = 0; g < PANEL / WIDTH; g++) sum[g] = LOAD(w->out + WIDTH * g);
    for (; k < w->n; k++) {
        const uint64_t place = column_at(w->row->index, indices, w->row->first, w->from + k);
        if (place >= w->end) break;
        const VEC x = FILL(w->x[k]);
        const double *v = w->v + place * PANEL;
        UNROLL for (int g = 0; g < PANEL / WIDTH; g++)
            sum[g] = STEP(x, LOAD(v + WIDTH * g), sum[g]);
    }
    UNROLL for (int g = 0; g < PANEL / WIDTH; g++) STORE(w->out + WIDTH * g, PAUSE(sum[g]));
    return k;
}

TARGET static size_t WAY(walk)(const struct dot_walk *w, bool fused)
{
    size_t done = 0;

#define CALL(indices) \
    done = fused ? WAY(walk_kind)(w, indices, true) : WAY(walk_kind)(w, indices, false)
    BY_INDEX(w->row->indices, CALL)
#undef CALL
    return done;
}

/* Two rows of n entries each, side by side: the steps of one fill the waits of the other. */
TARGET INLINE void WAY(pair_kind)(const struct dot_walk *w, size_t n, const int indices,
                                  const bool fused)
{
    VEC a[PANEL / WIDTH], b[PANEL / WIDTH];

    UNROLL for (int g = 0; g < PANEL / WIDTH; g++)
    {
        a[g] = LOAD(w[0].out + WIDTH * g);
        b[g] = LOAD(w[1].out + WIDTH * g);
    }
    for (size_t k = 0; k < n; k++) {
        const uint64_t p = column_at(w[0].row->index, indices, w[0].row->first, w[0].from + k);
        const uint64_t q = column_at(w[1].row->index, indices, w[1].row->first, w[1].from + k);
        const VEC x = FILL(w[0].x[k]), y = FILL(w[1].x[k]);
        UNROLL for (int g = 0; g < PANEL / WIDTH; g++)
        {
            a[g] = STEP(x, LOAD(w[0].v + p * PANEL + (size_t)(WIDTH * g)), a[g]);
            b[g] = STEP(y, LOAD(w[1].v + q * PANEL + (size_t)(WIDTH * g)), b[g]);
        }
    }
    UNROLL for (int g = 0; g < PANEL / WIDTH; g++)
    {
        STORE(w[0].out + WIDTH * g, PAUSE(a[g]));
        STORE(w[1].out + WIDTH * g, PAUSE(b[g]));
    }
}

TARGET static void WAY(pair)(const struct dot_walk *w, size_t n, bool fused)
{
#define CALL(indices)                               \
    if (fused) WAY(pair_kind)(w, n, indices, true); \
    else WAY(pair_kind)(w, n, indices, false)
    BY_INDEX(w->row->indices, CALL)
#undef CALL
}

/* The rows of a bundle, strip after strip, and at least one; their entries come in twos. */
TARGET INLINE void WAY(packed_kind)(const struct bundle *b, size_t strips, const double *v,
                                    double *out, const bool fused)
{
    const uint32_t *start = b->start;

    for (size_t s = 0; s < strips; s++)
        for (size_t i = 0; i < b->rows; i++, start++) {
            VEC sum[PANEL / WIDTH];
            if (s > 0 && start[0] == start[1]) continue;
            UNROLL for (int g = 0; g < PANEL / WIDTH; g++)
                sum[g] = s > 0 ? LOAD(out + i * PANEL + (size_t)(WIDTH * g)) : FILL(0);
            for (size_t k = start[0]; k < start[1]; k += 2) {
                const VEC x = FILL(b->value[k]), y = FILL(b->value[k + 1]);
                const double *p = v + (size_t)b->column[k] * PANEL;
                const double *q = v + (size_t)b->column[k + 1] * PANEL;
                UNROLL for (int g = 0; g < PANEL / WIDTH; g++)
                    sum[g] = STEP(x, LOAD(p + WIDTH * g), sum[g]);
                UNROLL for (int g = 0; g < PANEL / WIDTH; g++)
                    sum[g] = STEP(y, LOAD(q + WIDTH * g), sum[g]);
            }
            UNROLL for (int g = 0; g < PANEL / WIDTH; g++)
                STORE(out + i * PANEL + (size_t)(WIDTH * g), PAUSE(sum[g]));
        }
}

TARGET static void WAY(packed)(const struct bundle *b, size_t strips, const double *v, double *out,
                               bool fused)
{
    if (fused) WAY(packed_kind)(b, strips, v, out, true);
    else WAY(packed_kind)(b, strips, v, out, false);
}

/* `high` rows without gaps from place 0 of v, n entries each; they share what is loaded of v. */
TARGET INLINE void WAY(tile_high)(const double *v, const double *const *x, size_t n, double *out,
                                  const int high, const bool fused)
{
    for (int part = 0; part < PANEL; part += WIDE * WIDTH) {
        VEC sum[HIGH][WIDE];
        UNROLL for (int r = 0; r < high; r++) UNROLL for (int g = 0; g < WIDE; g++)
            sum[r][g] = LOAD(out + r * PANEL + part + WIDTH * g);
        for (size_t k = 0; k < n; k++) {
            VEC y[WIDE];
            UNROLL for (int g = 0; g < WIDE; g++)
                y[g] = LOAD(v + k * PANEL + (size_t)(part + WIDTH * g));
            UNROLL for (int r = 0; r < high; r++)
            {
                const VEC b = FILL(x[r][k]);
                UNROLL for (int g = 0; g < WIDE; g++) sum[r][g] = STEP(b, y[g], sum[r][g]);
            }
        }
        UNROLL for (int r = 0; r < high; r++) UNROLL for (int g = 0; g < WIDE; g++)
            STORE(out + r * PANEL + part + WIDTH * g, PAUSE(sum[r][g]));
    }
}

TARGET static void WAY(tile)(const double *v, const double *const *x, size_t n, double *out,
                             size_t high, bool fused)
{
/* clang-format off */
#define CASE(high) \
    case high: \
        if (fused) WAY(tile_high)(v, x, n, out, high, true); \
        else WAY(tile_high)(v, x, n, out, high, false); \
        break;
    switch (high) {
    CASE(1)
#if HIGH >= 3
    CASE(2) CASE(3)
#endif
#if HIGH >= 6
    CASE(4) CASE(5) CASE(6)
#endif
    default: break;
    }
/* clang-format on */
#undef CASE
}

/* s_i goes on with v_i^2, for all places of a strip. */
TARGET INLINE void WAY(squares_kind)(const double *v, size_t places, double *s, const bool fused)
{
    VEC sum[PANEL / WIDTH];

    UNROLL for (int g = 0; g < PANEL / WIDTH; g++) sum[g] = LOAD(s + WIDTH * g);
    for (size_t k = 0; k < places; k++) {
        UNROLL for (int g = 0; g < PANEL / WIDTH; g++)
        {
            const VEC x = LOAD(v + k * PANEL + (size_t)(WIDTH * g));
            sum[g] = STEP(x, x, sum[g]);
        }
    }
    UNROLL for (int g = 0; g < PANEL / WIDTH; g++) STORE(s + WIDTH * g, sum[g]);
}

TARGET static void WAY(squares)(const double *v, size_t places, double *s, bool fused)
{
    if (fused) WAY(squares_kind)(v, places, s, true);
    else WAY(squares_kind)(v, places, s, false);
}

#undef TARGET
#undef WAY
#undef UNROLL
#undef VEC
#undef WIDTH
#undef WIDE
#undef HIGH
#undef LOAD
#undef STORE
#undef FILL
#undef ADD
#undef FUSED
#undef ROUNDED
#undef STEP
#undef PAUSE
