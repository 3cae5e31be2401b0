/* unpack.c -- compressed bytes in, text out: the loop around the libraries.
 *
 * A file is a sequence of members (gzip's word; streams in bzip2 and xz, frames in
 * zstd), each with its own checksum. A library steps through one; here is decided what
 * may stand between them and after the last: another member of the same format, the end,
 * or, after gzip, zeros to the end, which tapes leave there and gzip's own program
 * accepts. Anything else is damage: a member whose first bytes are broken must not be
 * taken for the end of the text.
 *
 * The first bytes of the file are not covered by any checksum, and where they are broken
 * the rest would be read as a text of strange labels. So a file that begins like a
 * compressed one but for a single bit is refused, too, and so is one that ends within
 * those bytes. "BZh1 1:1" remains a text: bzip2's first ten bytes must all be there. */
#include "data/unpack.h"

#include <string.h>

#include "base/file.h"

enum { RAW = 1 << 16, NOTE = 16 };
#define REMEDY " (copy or download the file again)"

/* The first bytes of members. The first NEAR are too short, or too much like text, to be
 * recognised by all bits but one. */
enum { NEAR = 2 };
static const struct {
    const struct unpack_format *format;
    size_t n;
    const char *bytes;
    const char *mask; /* bits that matter */
} heads[] = {
    { &unpack_gzip, 2, "\x1f\x8b", "\xff\xff" },
    { &unpack_zstd, 4, "\x50\x2a\x4d\x18", "\xf0\xff\xff\xff" }, /* to be skipped */
    { &unpack_gzip, 3, "\x1f\x8b\x08", "\xff\xff\xff" },
    { &unpack_bzip2, 10, "BZh\x30\x31\x41\x59\x26\x53\x59",
      "\xff\xff\xff\xf0\xff\xff\xff\xff\xff\xff" },
    { &unpack_bzip2, 10, "BZh\x30\x17\x72\x45\x38\x50\x90", /* nothing in it */
      "\xff\xff\xff\xf0\xff\xff\xff\xff\xff\xff" },
    { &unpack_xz, 6, "\xfd\x37\x7a\x58\x5a\x00", "\xff\xff\xff\xff\xff\xff" },
    { &unpack_zstd, 4, "\x28\xb5\x2f\xfd", "\xff\xff\xff\xff" },
};
enum { HEADS = sizeof heads / sizeof heads[0] };

/* Bits in which the first n bytes, at most as many as a member's, are not those of heads[k]. */
static int other_bits(size_t k, const unsigned char *p, size_t n)
{
    int bits = 0;

    for (size_t i = 0; i < n && i < heads[k].n; i++)
        bits += __builtin_popcount((p[i] ^ (unsigned char)heads[k].bytes[i]) &
                                   (unsigned char)heads[k].mask[i]);
    return bits;
}

/* *out: the format that these bytes begin, or NULL for text. */
static perc_status tell_format(const unsigned char *p, size_t n, const struct unpack_format **out,
                               perc_error *err)
{
    *out = NULL;
    for (size_t k = 0; k < HEADS; k++) {
        const struct unpack_format *f = heads[k].format;
        const int bits = other_bits(k, p, n);
        if (bits == 0 && n >= heads[k].n) *out = f;
        else if (bits == 0 && n >= 2 && k >= NEAR)
            return fail(err, PERC_EDATA,
                        "the compressed file is cut short: it ends at byte %zu, in the first "
                        "bytes of %s data" REMEDY,
                        n, f->name);
        else if (bits == 1 && n >= heads[k].n && k >= NEAR && *out == NULL)
            return fail(
                err, PERC_EDATA,
                "the compressed file is damaged near byte 0: one bit makes it no %s file" REMEDY,
                f->ending);
        if (*out != NULL && f->size == 0)
            return fail(err, PERC_EDATA, "this build does not read %s files (unpack it first)",
                        f->ending);
        if (*out != NULL) return PERC_OK;
    }
    return PERC_OK;
}

perc_status unpack_open(const struct env *e, int fd, const char *path, const struct watch *watch,
                        const void *head, size_t n, struct unpack **out, perc_error *err)
{
    const struct unpack_format *format;
    perc_status st = tell_format(head, n, &format, err);

    *out = NULL;
    if (st || format == NULL) return st;
    struct unpack *u = mem_zeroed(e, 1, sizeof *u);
    if (u == NULL) return fail_memory(err);
    *u = (struct unpack){ .e = *e, .format = format, .fd = fd, .path = path, .watch = watch };
    u->state = mem_zeroed(e, 1, format->size);
    u->buf = mem_array(e, RAW, 1);
    if (u->state == NULL || u->buf == NULL) {
        unpack_close(u);
        return fail_memory(err);
    }
    u->in = memcpy(u->buf, head, n);
    u->left = n;
    u->read = n;
    u->ended = n < UNPACK_HEAD;
    *out = u;
    return PERC_OK;
}

void unpack_close(struct unpack *u)
{
    if (u == NULL) return;
    const struct env e = u->e;
    if (u->state != NULL && u->buf != NULL) u->format->close(u);
    mem_free(&e, u->state, 1, u->format->size);
    mem_free(&e, u->buf, RAW, 1);
    mem_free(&e, u, 1, sizeof *u);
}

uint64_t unpack_unchecked(const struct unpack *u)
{
    return u->unchecked;
}

uint64_t unpack_place(const struct unpack *u)
{
    return u->read - u->left;
}

/* In front of each piece is how long it is. */
void *unpack_take(const struct unpack *u, size_t n, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(n, size, &bytes) || bytes > PTRDIFF_MAX - NOTE) return NULL;
    char *p = mem_array(&u->e, bytes + NOTE, 1);
    if (p == NULL) return NULL;
    memcpy(p, &bytes, sizeof bytes);
    return p + NOTE;
}

void unpack_give(const struct unpack *u, void *p)
{
    size_t bytes;

    if (p == NULL) return;
    memcpy(&bytes, (char *)p - NOTE, sizeof bytes);
    mem_free(&u->e, (char *)p - NOTE, bytes + NOTE, 1);
}

/* Sees to it that the first bytes of a member are there together, if they are there at all. */
static perc_status read_more(struct unpack *u, perc_error *err)
{
    size_t got;

    if (u->left >= UNPACK_HEAD || u->ended) return PERC_OK;
    if (u->left > 0) memmove(u->buf, u->in, u->left);
    u->in = u->buf;
    const size_t want = RAW - u->left;
    const perc_status st = file_read(u->fd, u->path, u->watch, u->buf + u->left, want, &got, err);
    if (st) return st;
    u->left += got;
    u->read += got;
    u->ended = got < want;
    return PERC_OK;
}

static perc_status say_fault(const struct unpack *u, enum unpack_step step, perc_error *err)
{
    if (step == STEP_MEMORY) return fail_memory(err);
    if (step == STEP_LARGE)
        return fail(err, PERC_EDATA,
                    "this %s file takes more than %d MB of memory to unpack (unpack it first)",
                    u->format->ending, 1 << (UNPACK_WINDOW - 20));
    return fail(err, PERC_EDATA, "the compressed file is damaged near byte %llu: %s" REMEDY,
                (unsigned long long)(u->read - u->left), u->why);
}

/* What follows a member, and is not the end of the file. */
static perc_status begin_member(struct unpack *u, perc_error *err)
{
    perc_status st = PERC_OK;
    bool known = false;

    for (size_t k = 0; k < HEADS; k++)
        known |= heads[k].format == u->format && other_bits(k, u->in, u->left) == 0;
    if (known) {
        const enum unpack_step step = u->format->begin(u);
        u->inside = true;
        return step == STEP_ON ? PERC_OK : say_fault(u, step, err);
    }
    while (u->format->zeros && !st && u->left > 0 && *u->in == 0) {
        u->in++;
        u->left--;
        st = read_more(u, err);
    }
    if (st || u->left == 0) return st;
    u->why = "what follows the data is neither more of them nor the end";
    return say_fault(u, STEP_DAMAGED, err);
}

perc_status unpack_fill(struct unpack *u, void *buf, size_t n, size_t *got, perc_error *err)
{
    perc_status st = PERC_OK;

    u->out = buf;
    u->room = n;
    while (u->room > 0 && !(st = read_more(u, err))) {
        if (!u->inside) {
            if (u->left == 0 || (st = begin_member(u, err))) break;
            continue;
        }
        const size_t left = u->left, room = u->room;
        const enum unpack_step step = u->format->step(u);
        u->inside = step != STEP_END;
        if (u->loose) u->unchecked += room - u->room;
        if (step > STEP_END) st = say_fault(u, step, err);
        else if (u->inside && u->left == left && u->room == room)
            st = fail(
                err, PERC_EDATA,
                "the compressed file is cut short: it ends at byte %llu, within its data" REMEDY,
                (unsigned long long)u->read);
        if (st) break;
    }
    *got = n - u->room;
    return st;
}
