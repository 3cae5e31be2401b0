/* words_reference.h -- words, bags and buckets a second time, slow and plain, random
 * tables to try them on, and files of them.
 *
 * Nothing is shared with src/data but the definitions: words are cut with ctype.h,
 * looked up one after the other, and hashed by an XXH64 written from its
 * specification for input that lies in memory as a whole. */
#ifndef PERC_TEST_WORDS_REFERENCE_H
#define PERC_TEST_WORDS_REFERENCE_H

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv_table.h"
#include "t_dir.h"
#include "vec/rng.h"

/* ----- XXH64, seed 0 ------------------------------------------------------------- */

static inline uint64_t ref_rotate(uint64_t x, int r)
{
    return (x << r) | (x >> (64 - r));
}

static inline uint64_t ref_little(const unsigned char *p, int bytes)
{
    uint64_t x = 0;

    for (int i = bytes; i > 0; i--) x = x * 256 + p[i - 1];
    return x;
}

static inline uint64_t ref_xxh64(const void *data, size_t n)
{
    const uint64_t p1 = 11400714785074694791u, p2 = 14029467366897019727u,
                   p3 = 1609587929392839161u, p4 = 9650029242287828579u, p5 = 2870177450012600261u;
    const unsigned char *p = data, *const end = p + n;
    uint64_t h = p5;

    if (n >= 32) {
        uint64_t acc[4] = { p1 + p2, p2, 0, 0 - p1 };
        for (; end - p >= 32; p += 32)
            for (int i = 0; i < 4; i++)
                acc[i] = ref_rotate(acc[i] + ref_little(p + 8 * i, 8) * p2, 31) * p1;
        h = ref_rotate(acc[0], 1) + ref_rotate(acc[1], 7) + ref_rotate(acc[2], 12) +
            ref_rotate(acc[3], 18);
        for (int i = 0; i < 4; i++) h = (h ^ (ref_rotate(acc[i] * p2, 31) * p1)) * p1 + p4;
    }
    h += n;
    for (; end - p >= 8; p += 8)
        h = ref_rotate(h ^ (ref_rotate(ref_little(p, 8) * p2, 31) * p1), 27) * p1 + p4;
    for (; end - p >= 4; p += 4) h = ref_rotate(h ^ (ref_little(p, 4) * p1), 23) * p2 + p3;
    for (; p < end; p++) h = ref_rotate(h ^ (*p * p5), 11) * p1;
    h = (h ^ (h >> 33)) * p2;
    h = (h ^ (h >> 29)) * p3;
    return h ^ (h >> 32);
}

/* The whole hash of a word of a column. */
static inline uint64_t ref_hash(const char *column, const char *word)
{
    char text[512];
    const int n = snprintf(text, sizeof text, "%s%c%s", column, 0, word);

    return ref_xxh64(text, (size_t)n);
}

/* ----- words ----------------------------------------------------------------------- */

/* The next word at *at of a text of n bytes, into `word`; false: no more. */
static inline bool ref_word(const char *text, size_t n, size_t *at, char word[256])
{
    size_t len = 0;

    for (; *at < n; ++*at) {
        const unsigned char c = (unsigned char)text[*at];
        const bool inside = c > 127 || isalnum(c); /* of the C locale */
        if (!inside && len > 0) break;
        if (inside) word[len++] = c > 127 ? (char)c : (char)tolower(c);
    }
    word[len] = '\0';
    return len > 0;
}

/* ----- tables ------------------------------------------------------------------------ */

/* size (a number), body (text), kind (a category), title (text), y (the label) */
enum { REF_ROWS = 6000, REF_BODY = 1, REF_KIND = 2, REF_TITLE = 3, REF_COLUMNS = 4 };
static const char *const ref_name[] = { "size", "body", "kind", "title", "y" };

struct ref_table {
    int size[REF_ROWS];
    char *cell[REF_ROWS][REF_COLUMNS]; /* of the columns of words; NULL: the others */
};

/* Common words, words that only some hundred rows in a row have, digits, umlauts. */
static inline int ref_draw_word(struct rng *g, int row, char *out)
{
    switch (rng_below(g, 12)) {
    case 0: return sprintf(out, "w%d", row / 100);
    case 1: return sprintf(out, "K\xc3\xa4se%d", (int)rng_below(g, 9));
    case 2: return sprintf(out, "%d.%d", (int)rng_below(g, 30), (int)rng_below(g, 10));
    case 3: return sprintf(out, "\xe9t\xe9"); /* Latin-1 */
    default: {
        const int n = 1 + (int)rng_below(g, 2);
        for (int i = 0; i < n; i++) {
            const int letter = (int)rng_below(g, rng_below(g, 3) == 0 ? 26 : 6);
            out[i] = (char)((rng_below(g, 4) == 0 ? 'A' : 'a') + letter);
        }
        return n;
    }
    }
}

static inline char *ref_draw_text(struct rng *g, int row, size_t words)
{
    static const char between[] = "    ,,.!?-'\"\n_";
    char text[4096];
    int n = 0;

    for (size_t i = 0; i < words; i++) {
        n += ref_draw_word(g, row, text + n);
        for (uint64_t k = 1 + rng_below(g, 2); k > 0; k--)
            text[n++] = between[rng_below(g, sizeof between - 1)];
    }
    char *copy = malloc((size_t)n + 1);
    if (copy == NULL) abort();
    memcpy(copy, text, (size_t)n);
    copy[n] = '\0';
    return copy;
}

static inline void ref_table_draw(struct ref_table *t, uint64_t seed)
{
    struct rng g = rng_seed(seed, 0);

    memset(t, 0, sizeof *t);
    for (int i = 0; i < REF_ROWS; i++) {
        t->size[i] = (int)rng_below(&g, 100);
        t->cell[i][REF_BODY] = ref_draw_text(&g, i, rng_below(&g, 280));
        t->cell[i][REF_KIND] = malloc(16);
        if (t->cell[i][REF_KIND] == NULL) abort();
        snprintf(t->cell[i][REF_KIND], 16, "A%d", (int)rng_below(&g, 20) + i / 1000);
        t->cell[i][REF_TITLE] = ref_draw_text(&g, i, rng_below(&g, 8));
    }
}

static inline void ref_table_free(struct ref_table *t)
{
    for (int i = 0; i < REF_ROWS; i++)
        for (int f = 0; f < REF_COLUMNS; f++) free(t->cell[i][f]);
}

static inline void ref_put_cell(FILE *f, const char *s)
{
    putc('"', f);
    for (; *s != '\0'; s++) {
        if (*s == '"') putc('"', f);
        putc(*s, f);
    }
    putc('"', f);
}

/* Rows from .. to - 1, with a header. */
static inline void ref_table_write(const struct ref_table *t, int from, int to, const char *path)
{
    FILE *f = fopen(path, "wb");

    if (f == NULL) abort();
    fputs("size,body,kind,title,y\n", f);
    for (int i = from; i < to; i++) {
        fprintf(f, "%d,", t->size[i]);
        for (int c = REF_BODY; c < REF_COLUMNS; c++) {
            ref_put_cell(f, t->cell[i][c]);
            putc(',', f);
        }
        fprintf(f, "%s\n", i % 3 == 0 ? "yes" : "no");
    }
    fclose(f);
}

/* Calls use(ud, column, word) for each category and word of a row, in file order. */
static inline void ref_each(const struct ref_table *t, int row,
                            void (*use)(void *ud, const char *column, const char *word), void *ud)
{
    char word[256];

    for (int c = REF_BODY; c < REF_COLUMNS; c++) {
        const char *text = t->cell[row][c];
        size_t at = 0;
        if (c == REF_KIND) use(ud, ref_name[c], text);
        else
            while (ref_word(text, strlen(text), &at, word)) use(ud, ref_name[c], word);
    }
}

/* ----- files --------------------------------------------------------------------- */

/* Small ones, for the rest. */
static const char ref_mails[] = "body,from,y\nfree money now,x,spam\nlunch at noon,y,ham\n"
                                "money money,z,spam\nsee you at lunch,y,ham\n";
static const char ref_pairs[] = "1 1:1 7:2\n-1 2:1 8:2\n1 3:1 7:1\n-1 4:3\n";

static inline perc_dataset *read_path(const char *path, const char *spec, int n)
{
    perc_params *p = options(spec);
    perc_dataset *ds;
    perc_error err;

    if (perc_dataset_read(&(perc_env){ .threads = n }, path, p, &ds, &err))
        fail_msg("%s: %s", path, err.text);
    perc_params_free(p);
    return ds;
}

static inline perc_dataset_info info_of(const perc_dataset *ds)
{
    perc_dataset_info info;

    perc_dataset_info_get(ds, &info);
    return info;
}

/* The complaint of a reading that must fail. */
static inline void refused(const perc_model *m, const char *path, const char *spec, perc_status st,
                           const char *complaint)
{
    perc_params *p = options(spec);
    perc_dataset *ds;
    perc_error err = { 0 };

    if (m == NULL) assert_int_equal(perc_dataset_read(NULL, path, p, &ds, &err), st);
    else assert_int_equal(perc_dataset_read_for(NULL, m, path, p, &ds, &err), st);
    assert_null(ds);
    if (strstr(err.text, complaint) == NULL) fail_msg("%s %s: %s", path, spec, err.text);
    perc_params_free(p);
}

#endif
