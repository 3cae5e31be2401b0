/* spelling.c -- the nearest of several names, for "did you mean".
 *
 * Near is what a slip of the fingers makes: up to three edits of a long word, one of a short; or
 * the beginning of a name. Where two are equally near neither is suggested. A number is no slip: 7
 * is not 1 mistyped; nor is a word of which no letter is right. */
#include "base/spelling.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Edits (insert, delete, replace, swap two neighbours) that turn a into b: Damerau's distance in
 * its restricted form, three rows of the matrix at a time. */
static size_t edit_distance(const char *a, const char *b)
{
    const size_t n = strlen(a), m = strlen(b);
    size_t row[3][SPELLING];

    if (n >= SPELLING || m >= SPELLING) return SIZE_MAX;
    for (size_t j = 0; j <= m; j++) row[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *now = row[i % 3];
        const size_t *last = row[(i - 1) % 3], *before = row[(i + 1) % 3];

        now[0] = i;
        for (size_t j = 1; j <= m; j++) {
            now[j] = smaller(smaller(last[j], now[j - 1]) + 1,
                             last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = smaller(now[j], before[j - 2] + 1);
        }
    }
    return row[n % 3][m];
}

bool spelling_nearest(const char *word, spelling_fn next, void *ud, char near[SPELLING])
{
    const size_t len = strlen(word), limit = len < 4 ? 1 : len < 8 ? 2 : 3;
    size_t best = limit < len ? limit + 1 : len;
    const char *name;

    near[0] = '\0';
    if (strspn(word, "0123456789+-.") == len) return false;
    for (size_t i = 0; (name = next(ud, i)) != NULL; i++) {
        /* A prefix of three letters or more is as near as one typo. */
        const bool begins = len >= 3 && strncmp(name, word, len) == 0;
        size_t d = begins ? 1 : edit_distance(word, name);

        if (strncmp(name, "no-", 3) == 0) /* --ofset probably means --no-offset */
            d = smaller(d, edit_distance(word, name + 3));
        if (d < best) {
            best = d;
            snprintf(near, SPELLING, "%s", name);
        } else if (d == best && strcmp(near, name) != 0) {
            near[0] = '\0'; /* two are equally near: suggest neither */
        }
    }
    return near[0] != '\0';
}

const char *spelling_hint(const char *word, spelling_fn next, void *ud, char buf[SPELLING_HINT])
{
    char near[SPELLING];

    buf[0] = '\0';
    if (spelling_nearest(word, next, ud, near))
        snprintf(buf, SPELLING_HINT, " (did you mean %s?)", near);
    return buf;
}

struct choice {
    const char *all;
    char one[SPELLING];
};

static const char *next_choice(void *ud, size_t i)
{
    struct choice *c = ud;
    const char *s = c->all;

    for (; i > 0 && s != NULL; i--) s = strchr(s, '|') != NULL ? strchr(s, '|') + 1 : NULL;
    if (s == NULL) return NULL;
    snprintf(c->one, sizeof c->one, "%.*s", (int)strcspn(s, "|"), s);
    return c->one;
}

const char *spelling_choice(const char *word, const char *choices, char buf[SPELLING_HINT])
{
    return spelling_hint(word, next_choice, &(struct choice){ .all = choices }, buf);
}
