/* word.c -- numbers for people. See word.h.
 *
 * snprintf is called with %g and %f: the program never calls setlocale, so the
 * decimal point is a point. Nothing here is read back by a machine. */
#include "show/word.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/list.h"
#include "base/number.h"
#include "base/spelling.h"
#include "base/utf8.h"

/* A comma before every group of three digits. */
const char *word_count(char buf[WORD], uint64_t n)
{
    char digits[WORD];
    const int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
    size_t k = 0;

    for (int i = 0; i < len; i++) {
        if (i > 0 && (len - i) % 3 == 0) buf[k++] = ',';
        buf[k++] = digits[i];
    }
    buf[k] = '\0';
    return buf;
}

const char *word_int(char buf[WORD], int64_t v)
{
    uint64_t rest = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    char *at = buf + WORD - 1;

    *at = '\0';
    do *--at = (char)('0' + rest % 10);
    while ((rest /= 10) > 0);
    if (v < 0) *--at = '-';
    return at;
}

const char *word_num(char buf[WORD], double v)
{
    if (isnan(v)) snprintf(buf, WORD, "undefined");
    else snprintf(buf, WORD, "%.6g", v == 0 ? 0.0 : v); /* no "-0" */
    return buf;
}

const char *word_exact(char buf[WORD], double v)
{
    buf[number_format(v, buf)] = '\0';
    return buf;
}

/* With commas as in word_count; rounded to a whole number if six digits do not reach the point. */
const char *word_grouped(char buf[WORD], double v)
{
    const double size = fabs(v);
    char digits[WORD / 2];
    size_t k = 0;

    if (!(size >= 1000 && size < 1e15)) return word_num(buf, v);
    snprintf(digits, sizeof digits, size < 999999.5 ? "%.6g" : "%.0f", size);
    const size_t whole = strcspn(digits, ".");
    if (v < 0) buf[k++] = '-';
    for (size_t i = 0; digits[i] != '\0'; i++) {
        if (i > 0 && i < whole && (whole - i) % 3 == 0) buf[k++] = ',';
        buf[k++] = digits[i];
    }
    buf[k] = '\0';
    return buf;
}

/* The decimals of a double are finite, at most 767, and printf knows them all. So the first digits
 * are cut off, and one unit is added if the rest is not 0 and the result must not be below v. */
const char *word_rounded(char buf[WORD], double v, int digits, bool up)
{
    char all[800], first[32];
    double unit = 0;

    if (!(v > 0) || isinf(v)) {
        snprintf(buf, WORD, "%g", v);
        return buf;
    }
    snprintf(all, sizeof all, "%.780e", v); /* D.DDD...e+EE */
    const char *e = strchr(all, 'e');
    const int power = (int)word_value(e[1] == '+' ? e + 2 : e + 1);
    for (int i = 0; i < digits; i++) unit = unit * 10 + (all[i == 0 ? 0 : i + 1] - '0');
    const char *rest = all + digits + 1;
    if (up && strspn(rest, "0") < (size_t)(e - rest)) unit += 1;
    if (power > -290) {
        snprintf(first, sizeof first, "%.0fe%d", unit, power - digits + 1);
        snprintf(buf, WORD, "%.*g", digits, word_value(first));
    } else { /* beyond that doubles have fewer digits, and would be rounded again */
        snprintf(first, sizeof first, "%.0f", unit);
        snprintf(buf, WORD, "%c.%se%d", first[0], first + 1, power + (int)strlen(first) - digits);
    }
    return buf;
}

/* The unit follows the size: three digits are enough at every scale. */
const char *word_seconds(char buf[WORD], double s)
{
    if (s < 0.0000005) snprintf(buf, WORD, "0 s");
    else if (s < 0.001) snprintf(buf, WORD, "%.0f us", s * 1e6);
    else if (s < 1) snprintf(buf, WORD, "%.1f ms", s * 1e3);
    else if (s < 100) snprintf(buf, WORD, "%.2f s", s);
    else snprintf(buf, WORD, "%.0f min %02.0f s", floor(s / 60), floor(fmod(s, 60)));
    return buf;
}

/* A run too short for the clock gets no speed, rather than an absurd one. */
const char *word_rate(char buf[WORD], double per_second, const char *unit)
{
    char digits[WORD];

    if (!isfinite(per_second) || per_second <= 0) snprintf(buf, WORD, "too short to time");
    else if (per_second >= 1e9) snprintf(buf, WORD, "%.3g billion %s/s", per_second / 1e9, unit);
    else if (per_second >= 1e6) snprintf(buf, WORD, "%.3g million %s/s", per_second / 1e6, unit);
    else if (per_second >= 1e3)
        snprintf(buf, WORD, "%.16s %s/s", word_count(digits, (uint64_t)per_second), unit);
    else if (per_second >= 100) snprintf(buf, WORD, "%.0f %s/s", per_second, unit);
    else snprintf(buf, WORD, "%.3g %s/s", per_second, unit);
    return buf;
}

const char *word_percent(char buf[WORD], double part)
{
    if (isnan(part)) snprintf(buf, WORD, "undefined");
    else snprintf(buf, WORD, "%.2f %%", 100 * part);
    return buf;
}

/* Powers of 1000, as disks and networks count. */
const char *word_bytes(char buf[WORD], uint64_t n)
{
    static const char *const unit[] = { "bytes", "kB", "MB", "GB", "TB", "PB", "EB" };
    double v = (double)n;
    size_t k = 0;

    while (v >= 1000 && k + 1 < sizeof unit / sizeof *unit) {
        v /= 1000;
        k++;
    }
    snprintf(buf, WORD, k == 0 || v >= 100 ? "%.0f %s" : "%.1f %s", v, unit[k]);
    return buf;
}

const char *word_plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

const char *word_input(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

const char *word_output(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard output" : path;
}

double word_value(const char *text)
{
    double v;

    return number_parse(text, strlen(text), &v) ? v : (double)NAN;
}

size_t word_width(const char *s)
{
    size_t n = 0;

    for (; *s != '\0'; s++) n += ((unsigned char)*s & 0xC0) != 0x80; /* not a continuation byte */
    return n;
}

const char *word_cut(char *buf, size_t size, const char *s)
{
    static const char dots[] = "…";
    const size_t n = strlen(s);
    const bool fits = n < size;
    const size_t kept = fits ? n : utf8_cut(s, n, size - sizeof dots);

    memmove(buf, s, kept);
    memcpy(buf + kept, fits ? "" : dots, fits ? 1 : sizeof dots);
    return buf;
}

uint64_t word_gcd(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t r = a % b;

        a = b;
        b = r;
    }
    return a;
}

size_t word_char(const char *s, size_t n)
{
    uint32_t code;
    const size_t len = utf8_decode(s, n, &code);

    return len > 0 && !utf8_is_control(code) ? len : 0;
}

/* ----- texts of the input ----------------------------------------------------------------- */

bool word_is_plain(const char *s, enum word_place place)
{
    const char *p = s;
    uint32_t code;

    if (*s == '\0' || *s == '"' || *s == ' ') return false;
    for (size_t n = 1; *p != '\0'; p += n, n = 1) {
        if (*p > ' ' && *p < 0x7F) continue;
        n = utf8_decode(p, SIZE_MAX, &code);
        if (n == 0 || utf8_is_control(code) || (*p == ' ' && place == WORD_FIELD)) return false;
    }
    return p[-1] != ' ';
}

const char *word_quote(char *buf, size_t size, const char *s)
{
    static const char end[] = "…\"";
    char piece[UTF8_VISIBLE];
    size_t used = 0, len;

    buf[used++] = '"';
    while (*s != '\0') {
        const size_t n = utf8_visible(s, piece, &len);
        if (used + len + sizeof end > size) break;
        memcpy(buf + used, piece, len);
        used += len;
        s += n;
    }
    memcpy(buf + used, *s == '\0' ? "\"" : end, *s == '\0' ? 2 : sizeof end);
    return buf;
}

const char *word_quoted(char buf[WORD_QUOTED], const char *s, enum word_place place)
{
    return word_is_plain(s, place) ? s : word_quote(buf, WORD_QUOTED, s);
}

const char *word_visible(char *buf, size_t size, const char *s)
{
    char piece[UTF8_VISIBLE];
    size_t used = 0, len, n;

    for (; *s != '\0'; s += n) {
        n = utf8_visible(s, piece, &len);
        if (*s == '"' || *s == '\\') piece[0] = *s, len = 1;
        if (used + len >= size) break;
        memcpy(buf + used, piece, len);
        used += len;
    }
    buf[used] = '\0';
    return s;
}

_Static_assert((int)WORD_NEAR == (int)SPELLING && (int)WORD_HINT == (int)SPELLING_HINT,
               "what nearest.h fills");

bool word_nearest(const char *word, const char *(*next)(void *ud, size_t i), void *ud,
                  char near[WORD_NEAR])
{
    return spelling_nearest(word, next, ud, near);
}

size_t word_parts(const char *list, char *buf, size_t size, const char **part, size_t most)
{
    const struct env e = env_resolve(NULL);
    struct list l;
    bool more = true;
    size_t n = 0, used = 0;
    perc_status st = PERC_OK;

    list_begin(&l, &e, "", list, '\0', NULL);
    while (!st && !(st = list_next(&l, &more)) && more) {
        if (n == most || l.len >= size - used) st = PERC_EDATA;
        else {
            part[n++] = memcpy(buf + used, l.name, l.len);
            used += l.len;
            buf[used++] = '\0';
        }
    }
    list_end(&l);
    return st ? 0 : n;
}

const char *word_nearest_choice(const char *word, const char *choices, char buf[WORD_HINT])
{
    return spelling_choice(word, choices, buf);
}
