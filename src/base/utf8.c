/* utf8.c -- characters of UTF-8: the one place that knows its rules. */
#include "base/utf8.h"

#include <string.h>

/* The first byte tells the length; overlong forms, surrogates and codes above 10FFFF are refused
 * by a narrower range for the second byte (RFC 3629, section 4). A NUL is never a second byte,
 * so nothing is read beyond it. */
size_t utf8_decode(const char *s, size_t room, uint32_t *code)
{
    const unsigned char *p = (const unsigned char *)s;

    if (room == 0 || (p[0] >= 0x80 && p[0] < 0xC2) || p[0] > 0xF4) return 0;
    *code = p[0];
    if (p[0] < 0x80) return 1;

    const size_t n = p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
    const unsigned low = p[0] == 0xE0 ? 0xA0 : p[0] == 0xF0 ? 0x90 : 0x80;
    const unsigned high = p[0] == 0xED ? 0x9F : p[0] == 0xF4 ? 0x8F : 0xBF;
    if (room < n || p[1] < low || p[1] > high) return 0;
    *code = (p[0] & (0x7Fu >> n)) << 6 | (p[1] & 0x3F);
    for (size_t i = 2; i < n; i++) {
        if ((p[i] & 0xC0) != 0x80) return 0;
        *code = *code << 6 | (p[i] & 0x3F);
    }
    return n;
}

/* 6 bits in each byte after the first. */
size_t utf8_encode(uint32_t code, char out[4])
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    const size_t n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    const unsigned lead = n == 2 ? 0xC0 : n == 3 ? 0xE0 : 0xF0;

    for (size_t i = n - 1; i > 0; i--, code >>= 6) out[i] = (char)(0x80 | (code & 0x3F));
    out[0] = (char)(lead | code);
    return n;
}

bool utf8_valid(const char *s)
{
    uint32_t code;

    for (size_t n; *s != '\0'; s += n)
        if ((n = utf8_decode(s, SIZE_MAX, &code)) == 0) return false;
    return true;
}

size_t utf8_cut(const char *s, size_t n, size_t most)
{
    if (n <= most) return n;
    for (n = most; n > 0 && ((unsigned char)s[n] & 0xC0) == 0x80;) n--;
    return n;
}

bool utf8_is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C ||
           (code >= 0x200E && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

size_t utf8_visible(const char *s, char out[UTF8_VISIBLE], size_t *len)
{
    static const char HEX[] = "0123456789abcdef", VALUES[] = "\"\\\b\f\n\r\t",
                      NAMES[] = "\"\\bfnrt";
    uint32_t code;
    const size_t n = utf8_decode(s, SIZE_MAX, &code);
    const char *v = strchr(VALUES, *s);

    *len = 2;
    out[0] = '\\';
    if (*s != '\0' && v != NULL) {
        out[1] = NAMES[v - VALUES];
        return 1;
    }
    if (n > 0 && !utf8_is_control(code)) {
        memcpy(out, s, *len = n);
        return n;
    }
    if (n == 0) code = 0xDC00 | (unsigned char)*s;
    out[1] = 'u';
    for (int i = 0; i < 4; i++) out[2 + i] = HEX[code >> (12 - 4 * i) & 15];
    *len = 6;
    return n > 0 ? n : 1;
}

void utf8_tame(struct utf8_tame *t, char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const unsigned char b = (unsigned char)s[i];
        const bool goes_on = b >= 0x80 && b < 0xC0;

        if (b < 0x20 ? b != '\t' && b != '\n' : b == 0x7F) s[i] = '?';
        const bool c1 = goes_on && t->more > 0 && t->lead == 0xC2 && b < 0xA0;
        if (c1 && i > 0) s[i - 1] = '?';
        if (c1 || (goes_on && t->more == 0)) s[i] = '?';
        t->more = goes_on && t->more > 0 ? t->more - 1 : b >= 0xF0 ? 3 : b >= 0xE0 ? 2 : b >= 0xC0;
        if (!goes_on) t->lead = b;
    }
}
