/* labels.c -- the distinct labels of a data set: a small hash table, then sorted. */
#include "data/labels.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/number.h"
#include "base/sort.h"

void labels_init(struct labels *l, const struct env *e)
{
    *l = (struct labels){ .e = *e };
}

void labels_clear(struct labels *l)
{
    for (size_t i = 0; i < l->n; i++) mem_free_text(&l->e, l->at[i].text);
    l->n = 0;
    if (l->slot != NULL) memset(l->slot, 0, l->slots * sizeof *l->slot);
}

void labels_free(struct labels *l)
{
    labels_clear(l);
    mem_free(&l->e, l->at, l->cap, sizeof *l->at);
    mem_free(&l->e, l->slot, l->slots, sizeof *l->slot);
    *l = (struct labels){ .e = l->e };
}

/* The slot of the text, or the empty one where it would be. */
static size_t label_slot(const struct labels *l, const char *text, size_t len)
{
    size_t i = (size_t)hash_bytes(text, len) & (l->slots - 1);

    for (; l->slot[i] != 0; i = (i + 1) & (l->slots - 1)) {
        const char *s = l->at[l->slot[i] - 1].text;
        if (strlen(s) == len && memcmp(s, text, len) == 0) break;
    }
    return i;
}

static void rehash(struct labels *l)
{
    memset(l->slot, 0, l->slots * sizeof *l->slot);
    for (size_t k = 0; k < l->n; k++)
        l->slot[label_slot(l, l->at[k].text, strlen(l->at[k].text))] = (uint32_t)k + 1;
}

/* Keeps the table at most half full. */
static bool grow_slots(struct labels *l)
{
    if ((l->n + 1) * 2 <= l->slots) return true;

    const size_t n = l->slots > 0 ? 2 * l->slots : 16;
    uint32_t *slot = mem_resize(&l->e, l->slot, l->slots, n, sizeof *slot);
    if (slot == NULL) return false;
    l->slot = slot;
    l->slots = n;
    rehash(l);
    return true;
}

/* "+1", "1.0", "1e0" -> "1". Words stay. buf holds the text of a number. */
static const char *canonical_text(const char *text, size_t *len, double *number, char *buf)
{
    if (!number_parse(text, *len, number)) {
        *number = NAN;
        return text;
    }
    if (*number == 0) *number = 0; /* not -0 */
    *len = number_format(*number, buf);
    return buf;
}

uint32_t labels_find(const struct labels *l, const char *text, size_t len)
{
    char buf[NUMBER_TEXT];
    double number;

    if (l->slots == 0) return LABEL_NONE;
    text = canonical_text(text, &len, &number, buf);
    const uint32_t k = l->slot[label_slot(l, text, len)];
    return k > 0 ? k - 1 : LABEL_NONE;
}

perc_status labels_check(const char *text, size_t len, perc_error *err)
{
    enum number_fault fault;
    double number;
    const char *q = number_scan(text, text + len, &number, &fault);

    if (fault == NUMBER_NAN || (fault == NUMBER_OVERFLOW && q == text + len)) /* "1e999x": a word */
        return fail(err, PERC_EDATA, "the label '%.*s' is not a finite number", (int)len, text);
    return PERC_OK;
}

perc_status labels_add(struct labels *l, const char *text, size_t len, uint32_t *id,
                       perc_error *err)
{
    char buf[NUMBER_TEXT];
    double number;
    void *p = l->at;
    const perc_status st = labels_check(text, len, err);

    if (st) return st;
    if (!grow_slots(l)) return fail_memory(err);
    text = canonical_text(text, &len, &number, buf);
    const size_t at = label_slot(l, text, len);
    if (l->slot[at] != 0) {
        *id = l->slot[at] - 1;
        return PERC_OK;
    }
    if (l->n == LABELS_MAX)
        return fail(err, PERC_EDATA,
                    "more than %d different labels: these look like measurements, not classes",
                    (int)LABELS_MAX);
    if (!mem_grow(&l->e, &p, &l->cap, l->n + 1, sizeof *l->at)) return fail_memory(err);
    l->at = p;
    char *copy = mem_text(&l->e, text, len);
    if (copy == NULL) return fail_memory(err);
    l->at[l->n] = (struct label){ copy, number };
    l->slot[at] = (uint32_t)++l->n;
    *id = (uint32_t)l->n - 1;
    return PERC_OK;
}

perc_status labels_join(struct labels *l, const struct labels *from, uint32_t *number, size_t n,
                        perc_error *err)
{
    uint32_t *map = mem_array(&l->e, from->n, sizeof *map);
    perc_status st = map == NULL ? fail_memory(err) : PERC_OK;

    for (size_t i = 0; i < from->n && !st; i++) {
        const char *s = from->at[i].text;
        st = labels_add(l, s, strlen(s), &map[i], err);
    }
    for (size_t i = 0; i < n && !st; i++)
        if (number[i] != LABEL_NONE) number[i] = map[number[i]];
    mem_free(&l->e, map, from->n, sizeof *map);
    return st;
}

perc_status labels_copy(const struct env *e, const struct labels *from, struct labels *to)
{
    uint32_t id;

    labels_init(to, e);
    for (size_t i = 0; i < from->n; i++) {
        if (labels_add(to, from->at[i].text, strlen(from->at[i].text), &id, NULL)) {
            labels_free(to);
            return PERC_ENOMEM;
        }
    }
    return PERC_OK;
}

struct keyed {
    struct label label;
    uint32_t old;
};

/* Numbers by value, equal ones in order of arrival; then words by bytes. */
static int compare_labels(const void *pa, const void *pb)
{
    const struct keyed *ka = pa, *kb = pb;
    const struct label *a = &ka->label, *b = &kb->label;
    const bool wa = isnan(a->number), wb = isnan(b->number);

    if (wa != wb) return wa ? 1 : -1;
    if (!wa && a->number != b->number) return a->number < b->number ? -1 : 1;
    if (!wa) return (ka->old > kb->old) - (ka->old < kb->old);
    return strcmp(a->text, b->text);
}

perc_status labels_sort(struct labels *l, uint32_t *map)
{
    struct keyed *k = mem_array(&l->e, l->n, sizeof *k);

    if (k == NULL) return PERC_ENOMEM;
    for (size_t i = 0; i < l->n; i++) k[i] = (struct keyed){ l->at[i], (uint32_t)i };
    sort_items(k, l->n, sizeof *k, compare_labels);
    for (size_t i = 0; i < l->n; i++) {
        l->at[i] = k[i].label;
        map[k[i].old] = (uint32_t)i;
    }
    mem_free(&l->e, k, l->n, sizeof *k);
    if (l->slots > 0) rehash(l);
    return PERC_OK;
}
