/* canonical.c -- a hash of the rows of a data set. */
#include "data/canonical.h"

#include <string.h>

#include "base/threads.h"
#include "data/exact.h"

enum {
    BUFFER = 4096,
    SHORT = 64,          /* only a number of more than 19 digits is longer */
    MANTISSA_DIGITS = 19 /* of a struct decimal */
};

/* Text on its way into a hash. */
struct hash_sink {
    struct sha256 hash;
    size_t used;
    char text[BUFFER];
};

static void flush_sink(struct hash_sink *s)
{
    sha256_add(&s->hash, s->text, s->used);
    s->used = 0;
}

/* Makes room for SHORT characters. */
static char *sink_room(struct hash_sink *s)
{
    if (BUFFER - s->used < SHORT) flush_sink(s);
    return s->text + s->used;
}

static void put_bytes(struct hash_sink *s, const char *text, size_t len)
{
    if (BUFFER - s->used < len) flush_sink(s);
    if (len > BUFFER) {
        sha256_add(&s->hash, text, len);
        return;
    }
    memcpy(s->text + s->used, text, len);
    s->used += len;
}

/* Writes v in decimal at p; returns the end. */
static char *put_uint(char *p, uint64_t v)
{
    char buf[20];
    size_t at = sizeof buf;

    do buf[--at] = (char)('0' + v % 10);
    while ((v /= 10) > 0);
    memcpy(p, buf + at, sizeof buf - at);
    return p + (sizeof buf - at);
}

static void put_entry(struct hash_sink *s, uint64_t feature, const struct decimal *d)
{
    uint64_t m = d->mantissa;
    int64_t exponent = d->exponent;
    char *p = sink_room(s);

    *p++ = ' ';
    p = put_uint(p, feature);
    *p++ = ':';
    if (d->negative) *p++ = '-';
    if (!d->more) {
        for (; m % 10 == 0; exponent++) m /= 10; /* m is not 0 */
        p = put_uint(p, m);
    } else { /* all digits, the last one not 0 */
        s->used = (size_t)(p - s->text);
        put_bytes(s, d->digits, (size_t)(d->end - d->digits));
        exponent -= d->end - d->digits - MANTISSA_DIGITS;
        p = sink_room(s);
    }
    *p++ = 'e';
    if (exponent < 0) *p++ = '-';
    p = put_uint(p, exponent < 0 ? -(uint64_t)exponent : (uint64_t)exponent);
    s->used = (size_t)(p - s->text);
}

static void put_label(struct hash_sink *s, const perc_dataset *ds, uint64_t row)
{
    const int id = perc_dataset_row_label(ds, row);

    if (id < 0) {
        put_bytes(s, "-", 1);
        return;
    }
    const char *text = ds->labels.at[id].key;
    const size_t len = strlen(text);
    char *p = put_uint(sink_room(s), len);
    *p++ = ':';
    s->used = (size_t)(p - s->text);
    put_bytes(s, text, len);
}

struct label_group {
    unsigned char hash[SHA256_BYTES];
    bool done;
};

struct work {
    const perc_dataset *ds;
    struct label_group *group;
};

static void hash_group(void *ud, uint64_t g)
{
    const struct work *w = ud;
    const perc_dataset *ds = w->ds;
    const uint64_t first = g * CANONICAL_GROUP, left = ds->rows - first;
    const uint64_t end = first + (left < CANONICAL_GROUP ? left : CANONICAL_GROUP);
    struct exact_lens l;
    struct hash_sink s = { .used = 0 };
    perc_status st = PERC_OK;

    exact_init(&l, &ds->e);
    sha256_begin(&s.hash);
    for (uint64_t i = first; i < end && !(st = exact_row(&l, ds, i)); i++) {
        if (perc_dataset_row_weight(ds, i) == 0) {
            put_bytes(&s, "0\n", 2);
            continue;
        }
        put_label(&s, ds, i);
        for (size_t k = 0; k < l.n; k++)
            put_entry(&s, l.column[k] - (uint64_t)ds->index_base + 1, &l.value[k]);
        put_bytes(&s, "\n", 1);
    }
    flush_sink(&s);
    sha256_end(&s.hash, w->group[g].hash);
    w->group[g].done = st == PERC_OK;
    exact_free(&l);
}

perc_status canonical_hash(const perc_dataset *ds, char hex[SHA256_HEX], perc_error *err)
{
    static const char head[] = "perceptron rows 1\n";
    const uint64_t groups = ds->rows / CANONICAL_GROUP + (ds->rows % CANONICAL_GROUP != 0);
    struct work w = { ds, mem_zeroed(&ds->e, (size_t)groups, sizeof *w.group) };
    unsigned char hash[SHA256_BYTES];
    struct hash_sink s = { .used = 0 };
    bool done = w.group != NULL;

    hex[0] = '\0';
    if (done) threads_each(ds->e.threads, groups, hash_group, &w);
    sha256_begin(&s.hash);
    put_bytes(&s, head, sizeof head - 1);
    s.used = (size_t)(put_uint(sink_room(&s), ds->rows) - s.text);
    put_bytes(&s, "\n", 1);
    for (uint64_t g = 0; done && g < groups; g++) {
        sha256_hex(w.group[g].hash, hex);
        put_bytes(&s, hex, SHA256_HEX - 1);
        put_bytes(&s, "\n", 1);
        done = w.group[g].done;
    }
    flush_sink(&s);
    sha256_end(&s.hash, hash);
    sha256_hex(hash, hex);
    mem_free(&ds->e, w.group, (size_t)groups, sizeof *w.group);
    if (done) return PERC_OK;
    hex[0] = '\0';
    return fail_memory(err);
}
