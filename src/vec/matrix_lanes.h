/* matrix_lanes.h -- what matrix.c compiles once for each kind of processor: TARGET is the
 * attribute that says which, WAY(name) a name of its own, VEC a register of WIDTH floats, with
 * LOAD, STORE, FILL (all lanes alike) and FMA. How many rows and registers are at work is a
 * constant where these are inlined: the sums then are registers. */

/* A tile of C, `high` rows by `wide` registers, through all of p->k. There is a pointer for every
 * three rows of A, because an address can hold the distance of rows not at all, once or twice. */
TARGET INLINE void WAY(tile)(const struct tile_product *p, const int high, const int wide)
{
    const size_t ai = p->ai, al = p->al, bs = p->bs, cs = p->cs;
    const float *b = p->b, *a[(MOST_HIGH + 2) / 3];
    VEC sum[MOST_HIGH][MOST_WIDE], y[MOST_WIDE];

    UNROLL for (int i = 0; i < high; i += 3) a[i / 3] = p->a + (size_t)i * ai;
    UNROLL for (int i = 0; i < high; i++) UNROLL for (int j = 0; j < wide; j++)
        sum[i][j] = LOAD(p->c + (size_t)i * cs + WIDTH * j);
    for (size_t l = 0; l < p->k; l++) {
        UNROLL for (int j = 0; j < wide; j++) y[j] = LOAD(b + WIDTH * j);
        UNROLL for (int i = 0; i < high; i++)
        {
            const VEC x = FILL(a[i / 3][(size_t)(i % 3) * ai]);
            UNROLL for (int j = 0; j < wide; j++) sum[i][j] = FMA(x, y[j], sum[i][j]);
        }
        UNROLL for (int i = 0; i < high; i += 3) a[i / 3] += al;
        b += bs;
    }
    UNROLL for (int i = 0; i < high; i++) UNROLL for (int j = 0; j < wide; j++)
        STORE(p->c + (size_t)i * cs + WIDTH * j, sum[i][j]);
}

/* `wide` registers of a row of C += the entries of x before column x->end; returns how many. */
TARGET INLINE size_t WAY(row)(const struct entries *x, const float *b, size_t bs, float *c,
                              const int wide)
{
    VEC sum[MOST_ROW];
    size_t e = 0;

    UNROLL for (int j = 0; j < wide; j++) sum[j] = LOAD(c + WIDTH * j);
    for (; e < x->n && x->column[e] < x->end; e++) {
        const VEC v = FILL(x->value[e]);
        const float *y = b + x->column[e] * bs;
        UNROLL for (int j = 0; j < wide; j++) sum[j] = FMA(v, LOAD(y + WIDTH * j), sum[j]);
    }
    UNROLL for (int j = 0; j < wide; j++) STORE(c + WIDTH * j, sum[j]);
    return e;
}

#undef TARGET
#undef WAY
#undef VEC
#undef WIDTH
#undef LOAD
#undef STORE
#undef FILL
#undef FMA
