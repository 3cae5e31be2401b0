/* labels.c -- the distinct labels of a data set: a small hash table, then sorted. */
#include "data/labels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/sort.h"

void labels_init(struct labels *l, const struct env *e)
{
    *l = (struct labels){ .e = *e };
}

static void free_label(struct labels *l, size_t i)
{
    if (l->at[i].key != l->at[i].text) mem_free_text(&l->e, l->at[i].key);
    mem_free_text(&l->e, l->at[i].text);
}

void labels_clear(struct labels *l)
{
    for (size_t i = 0; i < l->n; i++) free_label(l, i);
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

/* The slot of the key, or the empty one where it would be. */
static size_t label_slot(const struct labels *l, const char *key, size_t len)
{
    size_t i = (size_t)hash_key_bytes(&l->e.key, key, len) & (l->slots - 1);

    for (; l->slot[i] != 0; i = (i + 1) & (l->slots - 1)) {
        const char *s = l->at[l->slot[i] - 1].key;
        if (strlen(s) == len && memcmp(s, key, len) == 0) break;
    }
    return i;
}

static void rehash(struct labels *l)
{
    memset(l->slot, 0, l->slots * sizeof *l->slot);
    for (size_t k = 0; k < l->n; k++)
        l->slot[label_slot(l, l->at[k].key, strlen(l->at[k].key))] = (uint32_t)k + 1;
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

/* "007": a code, not the number 7. */
static bool has_leading_zero(const struct decimal *d)
{
    return d->end - d->digits > 1 && d->digits[0] == '0' && d->digits[1] != '.';
}

/* The key of a text: the text itself, or for a number its canonical form, made in buf. */
static perc_status make_key(const char *text, size_t len, char buf[NUMBER_CANONICAL],
                            struct label_key *out, perc_error *err)
{
    enum number_fault fault;
    struct decimal d;
    const char *q = number_scan_decimal(text, text + len, &d, &fault);

    const int shown = len < 60 ? (int)len : 60;

    *out = (struct label_key){ .text = text, .len = len };
    if (fault != NUMBER_NAN && (fault != NUMBER_OK || q != text + len || has_leading_zero(&d)))
        return PERC_OK;
    if (fault == NUMBER_NAN || isinf(number_decimal_value(&d)))
        return fail(err, PERC_EDATA,
                    "the label '%.*s' is not a finite number (with a letter in front it is a word)",
                    shown, text);
    if (!number_decimal_is_complete(&d) || d.end - d.digits > NUMBER_CANONICAL_DIGITS)
        return fail(err, PERC_EDATA,
                    "the label '%.*s' has too many digits, or too small an exponent (with a letter "
                    "in front it is a word)",
                    shown, text);
    *out = (struct label_key){ buf, number_canonical(&d, buf), true };
    return PERC_OK;
}

uint32_t labels_find(const struct labels *l, const char *text, size_t len)
{
    char buf[NUMBER_CANONICAL];
    struct label_key key;

    if (l->slots == 0 || make_key(text, len, buf, &key, NULL)) return LABEL_NONE;
    const uint32_t k = l->slot[label_slot(l, key.text, key.len)];
    return k > 0 ? k - 1 : LABEL_NONE;
}

perc_status labels_check(const char *text, size_t len, perc_error *err)
{
    char buf[NUMBER_CANONICAL];
    struct label_key key;

    return make_key(text, len, buf, &key, err);
}

bool labels_is_number(const char *text, size_t len)
{
    char buf[NUMBER_CANONICAL];
    struct label_key key;

    return make_key(text, len, buf, &key, NULL) || key.number;
}

int perc_label_same(const char *a, const char *b)
{
    char buf[2][NUMBER_CANONICAL];
    struct label_key p, q;

    if (a == NULL || b == NULL) return 0;
    if (strcmp(a, b) == 0) return 1;
    return !make_key(a, strlen(a), buf[0], &p, NULL) && !make_key(b, strlen(b), buf[1], &q, NULL) &&
           p.number && q.number && p.len == q.len && memcmp(p.text, q.text, p.len) == 0;
}

/* Copies both texts of a new label; the key is most often the text itself. */
static bool keep_label(struct labels *l, const char *text, size_t len, const struct label_key *key)
{
    struct label *at = &l->at[l->n];
    const bool same = key->len == len && memcmp(key->text, text, len) == 0;

    *at = (struct label){ .text = mem_text(&l->e, text, len), .number = key->number };
    at->key = at->text == NULL || same ? at->text : mem_text(&l->e, key->text, key->len);
    if (at->key == NULL) mem_free_text(&l->e, at->text);
    return at->key != NULL;
}

perc_status labels_add(struct labels *l, const char *text, size_t len, uint32_t *id,
                       perc_error *err)
{
    char buf[NUMBER_CANONICAL];
    struct label_key key;
    void *p = l->at;
    const perc_status st = make_key(text, len, buf, &key, err);

    if (st) return st;
    if (!grow_slots(l)) return fail_memory(err);
    const size_t at = label_slot(l, key.text, key.len);
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
    if (!keep_label(l, text, len, &key)) return fail_memory(err);
    l->slot[at] = (uint32_t)++l->n;
    *id = (uint32_t)l->n - 1;
    return PERC_OK;
}

perc_status labels_add_double(struct labels *l, double v, uint32_t *id, perc_error *err)
{
    char buf[LABELS_DOUBLE];
    size_t len;

    /* From 2^53 on the shortest decimal that reads back need not be the number itself. */
    if (fabs(v) < 9007199254740992.0) len = number_format(v, buf);
    else len = (size_t)snprintf(buf, sizeof buf, "%.0f", v);
    return labels_add(l, v == 0 ? "0" : buf, v == 0 ? 1 : len, id, err);
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

/* Numbers by value, then words by bytes. */
static int compare_labels(const struct label *a, const struct label *b)
{
    enum number_fault fault;
    struct decimal x, y;

    if (a->number != b->number) return a->number ? -1 : 1;
    if (!a->number) return strcmp(a->text, b->text);
    number_scan_decimal(a->key, a->key + strlen(a->key), &x, &fault);
    number_scan_decimal(b->key, b->key + strlen(b->key), &y, &fault);
    return number_compare(&x, &y);
}

/* No more than a move of what is there: a class may come with every row. */
perc_status labels_insert(struct labels *l, const char *text, size_t len, uint32_t *at,
                          perc_error *err)
{
    size_t from = 0, to = l->n;
    uint32_t id;
    const perc_status st = labels_add(l, text, len, &id, err);

    if (st) return st;
    const struct label one = l->at[id];
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (compare_labels(&l->at[middle], &one) < 0) from = middle + 1;
        else to = middle;
    }
    memmove(l->at + from + 1, l->at + from, (id - from) * sizeof *l->at);
    l->at[from] = one;
    *at = (uint32_t)from;
    if (from == id) return PERC_OK; /* as in sorted lists: no other has another number now */
    const uint32_t above = *at;
    uint32_t *slot = l->slot; /* number + 1 */
    for (size_t i = 0, n = l->slots; i < n; i++)
        slot[i] = slot[i] > id ? above + 1 : slot[i] + (slot[i] > above);
    return PERC_OK;
}

void labels_remove(struct labels *l, uint32_t at)
{
    free_label(l, at);
    memmove(l->at + at, l->at + at + 1, (--l->n - at) * sizeof *l->at);
    rehash(l);
}

struct keyed {
    struct label label;
    uint32_t old;
};

static int compare_keyed(const void *a, const void *b)
{
    return compare_labels(&((const struct keyed *)a)->label, &((const struct keyed *)b)->label);
}

perc_status labels_sort(struct labels *l, uint32_t *map)
{
    struct keyed *k = mem_array(&l->e, l->n, sizeof *k);

    if (k == NULL) return PERC_ENOMEM;
    for (size_t i = 0; i < l->n; i++) k[i] = (struct keyed){ l->at[i], (uint32_t)i };
    sort_items(k, l->n, sizeof *k, compare_keyed);
    for (size_t i = 0; i < l->n; i++) {
        l->at[i] = k[i].label;
        map[k[i].old] = (uint32_t)i;
    }
    mem_free(&l->e, k, l->n, sizeof *k);
    if (l->slots > 0) rehash(l);
    return PERC_OK;
}

static const char *next_label(void *ud, size_t i)
{
    const struct labels *l = ud;

    return i < l->n ? l->at[i].text : NULL;
}

const char *labels_hint(const struct labels *l, const char *text, char buf[SPELLING_HINT])
{
    return spelling_hint(text, next_label, (void *)(uintptr_t)l, buf);
}
