/* unpack_formats.c -- the libraries that unpack: zlib, libbz2, liblzma, libzstd.
 *
 * Each checks what its format has: gzip a CRC-32 and the length of a member, bzip2 a
 * CRC-32 of each block and of all, xz what its header names (CRC-32, CRC-64, SHA-256, or
 * nothing) and CRC-32 of the rest, zstd the low half of XXH64, or nothing. Memory comes from
 * the caller's allocator, except that of libzstd, whose allocator is not part of its stable
 * interface; there it is bounded by UNPACK_WINDOW, and its refusal is told as such. */
#include "data/unpack.h"

static inline unsigned smaller(size_t a, size_t b)
{
    return (unsigned)(a < b ? a : b);
}

/* What a library has taken from `in`, and given to `out`. */
static inline void move_on(struct unpack *u, size_t taken, size_t given)
{
    u->in += taken;
    u->left -= taken;
    u->out += given;
    u->room -= given;
}

static inline enum unpack_step damaged(struct unpack *u, const char *why)
{
    u->why = why;
    return STEP_DAMAGED;
}

/* The same for three of them. */
static inline void give(void *u, void *p)
{
    unpack_give(u, p);
}

enum { MOST = 1 << 30 }; /* bytes at a time: zlib and libbz2 count in 32 bits */

/* ----- gzip ------------------------------------------------------------------------- */

#ifdef HAVE_ZLIB
#include <zlib.h>

struct gzip {
    z_stream z;
    bool open;
};

static void *gzip_take(void *u, unsigned n, unsigned size)
{
    return unpack_take(u, n, size);
}

static enum unpack_step gzip_begin(struct unpack *u)
{
    enum { GZIP_ONLY = 16 }; /* to be added to the bits of the window */
    struct gzip *g = u->state;

    g->z.zalloc = gzip_take;
    g->z.zfree = give;
    g->z.opaque = u;
    if ((g->open ? inflateReset(&g->z) : inflateInit2(&g->z, MAX_WBITS + GZIP_ONLY)) != Z_OK)
        return STEP_MEMORY;
    g->open = true;
    return STEP_ON;
}

static enum unpack_step gzip_step(struct unpack *u)
{
    struct gzip *g = u->state;
    const unsigned in = (unsigned)u->left, out = smaller(u->room, MOST);

    g->z.next_in = (unsigned char *)(uintptr_t)u->in; /* not written to */
    g->z.avail_in = in;
    g->z.next_out = (unsigned char *)u->out;
    g->z.avail_out = out;
    const int rc = inflate(&g->z, Z_NO_FLUSH);
    move_on(u, in - g->z.avail_in, out - g->z.avail_out);
    switch (rc) {
    case Z_OK:
    case Z_BUF_ERROR: return STEP_ON;
    case Z_STREAM_END: return STEP_END;
    case Z_MEM_ERROR: return STEP_MEMORY;
    default: return damaged(u, g->z.msg != NULL ? g->z.msg : "no gzip data");
    }
}

static void gzip_close(struct unpack *u)
{
    struct gzip *g = u->state;

    if (g->open) inflateEnd(&g->z);
}
#define GZIP_CALLS sizeof(struct gzip), gzip_begin, gzip_step, gzip_close
#else
#define GZIP_CALLS 0, NULL, NULL, NULL
#endif

/* ----- bzip2 ------------------------------------------------------------------------ */

#ifdef HAVE_BZIP2
#include <bzlib.h>

struct bzip2 {
    bz_stream z;
    bool open;
};

static void *bzip2_take(void *u, int n, int size)
{
    return unpack_take(u, (size_t)n, (size_t)size);
}

static void bzip2_close(struct unpack *u)
{
    struct bzip2 *b = u->state;

    if (b->open) BZ2_bzDecompressEnd(&b->z);
    b->open = false;
}

static enum unpack_step bzip2_begin(struct unpack *u)
{
    struct bzip2 *b = u->state;

    bzip2_close(u);
    b->z = (bz_stream){ .bzalloc = bzip2_take, .bzfree = give, .opaque = u };
    b->open = BZ2_bzDecompressInit(&b->z, 0, 0) == BZ_OK;
    return b->open ? STEP_ON : STEP_MEMORY;
}

static enum unpack_step bzip2_step(struct unpack *u)
{
    struct bzip2 *b = u->state;
    const unsigned in = (unsigned)u->left, out = smaller(u->room, MOST);

    b->z.next_in = (char *)(uintptr_t)u->in; /* not written to */
    b->z.avail_in = in;
    b->z.next_out = u->out;
    b->z.avail_out = out;
    const int rc = BZ2_bzDecompress(&b->z);
    move_on(u, in - b->z.avail_in, out - b->z.avail_out);
    switch (rc) {
    case BZ_OK: return STEP_ON;
    case BZ_STREAM_END: return STEP_END;
    case BZ_MEM_ERROR: return STEP_MEMORY;
    case BZ_DATA_ERROR_MAGIC: return damaged(u, "no bzip2 data");
    default: return damaged(u, "a checksum is wrong, or a block is broken");
    }
}
#define BZIP2_CALLS sizeof(struct bzip2), bzip2_begin, bzip2_step, bzip2_close
#else
#define BZIP2_CALLS 0, NULL, NULL, NULL
#endif

/* ----- xz --------------------------------------------------------------------------- */

#ifdef HAVE_LZMA
#include <lzma.h>

struct xz {
    lzma_stream z;
    lzma_allocator memory;
    bool open;
};

static void *xz_take(void *u, size_t n, size_t size)
{
    return unpack_take(u, n, size);
}

/* Streams one after the other, and zeros between and after them (a multiple of four), are
 * liblzma's business: for us it is one member. */
static enum unpack_step xz_begin(struct unpack *u)
{
    const uint32_t flags = LZMA_CONCATENATED | LZMA_TELL_NO_CHECK | LZMA_TELL_UNSUPPORTED_CHECK;
    const uint64_t most = (1u << UNPACK_WINDOW) + (1u << 20); /* the window and its decoder */
    struct xz *x = u->state;

    x->z = (lzma_stream)LZMA_STREAM_INIT;
    x->memory = (lzma_allocator){ xz_take, give, u };
    x->z.allocator = &x->memory;
    x->open = lzma_stream_decoder(&x->z, most, flags) == LZMA_OK;
    return x->open ? STEP_ON : STEP_MEMORY;
}

static enum unpack_step xz_step(struct unpack *u)
{
    struct xz *x = u->state;

    x->z.next_in = u->in;
    x->z.avail_in = u->left;
    x->z.next_out = (uint8_t *)u->out;
    x->z.avail_out = u->room;
    const lzma_ret rc = lzma_code(&x->z, u->ended ? LZMA_FINISH : LZMA_RUN);
    move_on(u, u->left - x->z.avail_in, u->room - x->z.avail_out);
    switch (rc) {
    case LZMA_NO_CHECK:
    case LZMA_UNSUPPORTED_CHECK: u->loose = true; return STEP_ON;
    case LZMA_OK:
    case LZMA_BUF_ERROR: return STEP_ON;
    case LZMA_STREAM_END: return STEP_END;
    case LZMA_MEM_ERROR: return STEP_MEMORY;
    case LZMA_MEMLIMIT_ERROR: return STEP_LARGE;
    case LZMA_OPTIONS_ERROR: return damaged(u, "options that are not known here");
    default:
        return damaged(u, "a checksum is wrong, a block is broken, or what follows is no xz data");
    }
}

static void xz_close(struct unpack *u)
{
    struct xz *x = u->state;

    if (x->open) lzma_end(&x->z);
}
#define XZ_CALLS sizeof(struct xz), xz_begin, xz_step, xz_close
#else
#define XZ_CALLS 0, NULL, NULL, NULL
#endif

/* ----- zstd ------------------------------------------------------------------------- */

#ifdef HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>

struct zstd {
    ZSTD_DCtx *z;
};

static enum unpack_step zstd_begin(struct unpack *u)
{
    enum { FRAME = 0x28, FLAGS = 4, HAS_CHECKSUM = 4 };
    struct zstd *s = u->state;

    if (s->z == NULL) s->z = ZSTD_createDCtx();
    if (s->z == NULL) return STEP_MEMORY;
    ZSTD_DCtx_reset(s->z, ZSTD_reset_session_only);
    ZSTD_DCtx_setParameter(s->z, ZSTD_d_windowLogMax, UNPACK_WINDOW);
    u->loose = u->in[0] == FRAME && u->left > FLAGS && !(u->in[FLAGS] & HAS_CHECKSUM);
    return STEP_ON;
}

static enum unpack_step zstd_step(struct unpack *u)
{
    struct zstd *s = u->state;
    ZSTD_inBuffer in = { u->in, u->left, 0 };
    ZSTD_outBuffer out = { u->out, u->room, 0 };
    const size_t rc = ZSTD_decompressStream(s->z, &out, &in);

    move_on(u, in.pos, out.pos);
    if (rc == 0) return STEP_END;
    if (!ZSTD_isError(rc)) return STEP_ON;
    switch (ZSTD_getErrorCode(rc)) {
    case ZSTD_error_memory_allocation: return STEP_MEMORY;
    case ZSTD_error_frameParameter_windowTooLarge: return STEP_LARGE;
    default: return damaged(u, ZSTD_getErrorName(rc));
    }
}

static void zstd_close(struct unpack *u)
{
    struct zstd *s = u->state;

    ZSTD_freeDCtx(s->z);
}
#define ZSTD_CALLS sizeof(struct zstd), zstd_begin, zstd_step, zstd_close
#else
#define ZSTD_CALLS 0, NULL, NULL, NULL
#endif

const struct unpack_format unpack_gzip = { "gzip", ".gz", true, GZIP_CALLS };
const struct unpack_format unpack_bzip2 = { "bzip2", ".bz2", false, BZIP2_CALLS };
const struct unpack_format unpack_xz = { "xz", ".xz", false, XZ_CALLS };
const struct unpack_format unpack_zstd = { "zstd", ".zst", false, ZSTD_CALLS };
