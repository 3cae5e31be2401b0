/* utf16.c -- UTF-16 in, UTF-8 out. See utf16.h.
 *
 * A unit is two bytes, the lower one first or last. Below D800 and from E000 on it is a character;
 * D800..DBFF and then DC00..DFFF are one beyond FFFF: 10000 + (high - D800) * 400 + (low - DC00)
 * (RFC 2781, 2.2). A character has up to four bytes in UTF-8, which may have room for some of them
 * alone: the others wait for the next call.
 *
 * Not here: what a byte 0 means (parsers refuse it), and encodings without a mark of their own: a
 * text of one byte a character is read as it stands. */
#include "data/utf16.h"

#include <string.h>

#include "base/utf8.h"

enum { ROOM = 1 << 16, LONGEST = 4, FEWEST = 4 };

struct utf16 {
    struct env e;
    utf16_bytes *more;
    void *ud;
    bool big, ended; /* the higher byte comes first; no more bytes will come */
    unsigned char *in;
    size_t at, n;   /* of `in`: what is converted, and what is there */
    uint64_t taken; /* bytes of the text before `in` */
    char wait[LONGEST];
    size_t waiting, waited; /* bytes of a character that there was no room for; of them, given */
    int64_t line, column;   /* of the next character */
};

/* Each other byte is 0, and none of those between. */
static bool zeros_at(const unsigned char *s, size_t n, size_t first)
{
    if (n < FEWEST) return false;
    for (size_t i = 0; i + 1 < n; i += 2)
        if (s[i + first] != 0 || s[i + 1 - first] == 0) return false;
    return true;
}

perc_status utf16_open(const struct env *e, const char *head, size_t n, utf16_bytes *more, void *ud,
                       struct utf16 **out, perc_error *err)
{
    const unsigned char *s = (const unsigned char *)head;
    const bool low = n >= 2 && memcmp(s, "\xff\xfe", 2) == 0,
               high = n >= 2 && memcmp(s, "\xfe\xff", 2) == 0;
    const bool big = high || (!low && zeros_at(s, n, 0));

    *out = NULL;
    if (n >= 4 && (memcmp(s, "\xff\xfe\0\0", 4) == 0 || memcmp(s, "\0\0\xfe\xff", 4) == 0))
        return fail(err, PERC_EDATA,
                    "this is UTF-32, which is not read (make UTF-8 of it: iconv -f UTF-32 -t "
                    "UTF-8)");
    if (!low && !big && !zeros_at(s, n, 1)) return PERC_OK;
    struct utf16 *u = mem_zeroed(e, 1, sizeof *u);
    if (u == NULL) return fail_memory(err);
    u->e = *e;
    u->more = more;
    u->ud = ud;
    u->big = big;
    u->line = u->column = 1;
    if ((u->in = mem_array(e, ROOM, 1)) == NULL) {
        mem_free(e, u, 1, sizeof *u);
        return fail_memory(err);
    }
    memcpy(u->in, s, n);
    u->n = n;
    u->at = low || high ? 2 : 0;
    *out = u;
    return PERC_OK;
}

void utf16_close(struct utf16 *u)
{
    if (u == NULL) return;
    const struct env e = u->e;
    mem_free(&e, u->in, ROOM, 1);
    mem_free(&e, u, 1, sizeof *u);
}

uint64_t utf16_place(const struct utf16 *u)
{
    return u->taken + u->at;
}

/* Reads on until `want` bytes are there, or the text has ended. */
static perc_status need_bytes(struct utf16 *u, size_t want, perc_error *err)
{
    size_t got;

    if (u->n - u->at >= want || u->ended) return PERC_OK;
    memmove(u->in, u->in + u->at, u->n - u->at);
    u->taken += u->at;
    u->n -= u->at;
    u->at = 0;
    const perc_status st = u->more(u->ud, (char *)u->in + u->n, ROOM - u->n, &got, err);
    if (st) return st;
    u->ended = got < ROOM - u->n;
    u->n += got;
    return PERC_OK;
}

static uint32_t unit_at(const struct utf16 *u, size_t at)
{
    const unsigned char *p = u->in + at;

    return u->big ? (uint32_t)p[0] << 8 | p[1] : (uint32_t)p[1] << 8 | p[0];
}

static perc_status utf16_fault(const struct utf16 *u, const char *what, perc_error *err)
{
    return fail_at(err, PERC_EDATA, u->line, u->column,
                   "%s (byte %llu of this text in UTF-16: copy or make it again)", what,
                   (unsigned long long)utf16_place(u));
}

/* The next character, which takes *units; 2 bytes of it are there. */
static perc_status next_character(struct utf16 *u, uint32_t *code, size_t *units, perc_error *err)
{
    perc_status st;

    *code = unit_at(u, u->at);
    *units = 1;
    if (*code < 0xd800 || *code > 0xdfff) return PERC_OK;
    if (*code > 0xdbff)
        return utf16_fault(u, "the second half of a surrogate pair without the first", err);
    if ((st = need_bytes(u, 4, err))) return st;
    const uint32_t low = u->n - u->at >= 4 ? unit_at(u, u->at + 2) : 0;
    if (low < 0xdc00 || low > 0xdfff)
        return utf16_fault(u, "the first half of a surrogate pair without the second", err);
    *code = 0x10000 + ((*code - 0xd800) << 10) + (low - 0xdc00);
    *units = 2;
    return PERC_OK;
}

/* Converts one character into u->wait. *more is false at the end of the text. */
static perc_status convert_one(struct utf16 *u, bool *more, perc_error *err)
{
    uint32_t code;
    size_t units;
    perc_status st = need_bytes(u, 2, err);

    *more = false;
    if (st || u->n == u->at) return st;
    if (u->n - u->at == 1) return utf16_fault(u, "half a character at the end", err);
    if ((st = next_character(u, &code, &units, err))) return st;
    u->at += 2 * units;
    u->waiting = utf8_encode(code, u->wait);
    u->waited = 0;
    u->column = code == '\n' ? 1 : u->column + (int64_t)u->waiting;
    u->line += code == '\n';
    *more = true;
    return PERC_OK;
}

/* As many characters of one byte as stand there. Returns how many. */
static size_t convert_ascii(struct utf16 *u, char *buf, size_t n)
{
    size_t k = 0;

    for (; k < n && u->n - u->at >= 2; k++, u->at += 2) {
        const uint32_t code = unit_at(u, u->at);
        if (code >= 0x80) break;
        buf[k] = (char)code;
        u->column = code == '\n' ? 1 : u->column + 1;
        u->line += code == '\n';
    }
    return k;
}

perc_status utf16_fill(struct utf16 *u, char *buf, size_t n, size_t *got, perc_error *err)
{
    bool more = true;
    perc_status st = PERC_OK;

    *got = 0;
    while (*got < n && more && !st) {
        while (u->waited < u->waiting && *got < n) buf[(*got)++] = u->wait[u->waited++];
        if (u->waited < u->waiting) break;
        *got += convert_ascii(u, buf + *got, n - *got);
        if (*got < n) st = convert_one(u, &more, err);
    }
    return st;
}
