/* survey_values.c -- counting in bounded memory: see survey_values.h. */
#include "data/survey_values.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "data/csv_cell.h"

static const struct hash_key known = { { 0x70657263, 0x73757276 } };

uint64_t survey_hash_text(const char *text, size_t len)
{
    return hash_key_bytes(&known, text, len);
}

uint64_t survey_hash_word(uint64_t w)
{
    return hash_key_number(&known, w);
}

uint64_t survey_hash_number(double v)
{
    uint64_t bits = 0;

    if (v != 0) memcpy(&bits, &v, sizeof bits);
    return survey_hash_word(bits);
}

/* The first slot to look at. */
static size_t slot_of(const struct env *e, uint64_t hash, size_t slots)
{
    return (size_t)hash_key_number(&e->key, hash) & (slots - 1);
}

/* Twice as many slots, empty, where half of them would be taken. false: out of memory. */
static bool slots_grow(const struct env *e, uint32_t **slot, size_t *slots, size_t n, bool *grown)
{
    const size_t more = *slots > 0 ? 2 * *slots : 16;

    *grown = 2 * (n + 1) > *slots;
    if (!*grown) return true;
    uint32_t *fresh = mem_zeroed(e, more, sizeof *fresh);
    if (fresh == NULL) return false;
    mem_free(e, *slot, *slots, sizeof **slot);
    *slot = fresh;
    *slots = more;
    return true;
}

/* ----- HyperLogLog ---------------------------------------------------------------------- */

static void sketch_add(struct survey_values *v, uint64_t hash)
{
    const uint64_t rest = hash << v->bits | (uint64_t)1 << (v->bits - 1);
    const unsigned char rank = (unsigned char)(__builtin_clzll(rest) + 1);
    unsigned char *r = &v->rank[hash >> (64 - v->bits)];

    if (rank > *r) *r = rank;
}

/* sigma(x) = x + sum_k x^(2^k) 2^(k-1) */
static double sigma(double x)
{
    double y = 1, z = x, before;

    if (x == 1) return INFINITY;
    do {
        x *= x;
        before = z;
        z += x * y;
        y += y;
    } while (z != before);
    return z;
}

/* tau(x) = (1 - x - sum_k (1 - x^(2^-k))^2 2^-k) / 3 */
static double tau(double x)
{
    double y = 1, z = 1 - x, before;

    if (x == 0 || x == 1) return 0;
    do {
        x = sqrt(x);
        before = z;
        y /= 2;
        z -= (1 - x) * (1 - x) * y;
    } while (z != before);
    return z / 3;
}

/* m^2 / (2 ln 2) over the sum of 2^-rank, whose ends, the registers that are empty or full, are
 * what they would be without ends. */
static uint64_t sketch_read(const struct survey_values *v)
{
    const size_t m = (size_t)1 << v->bits;
    const int most = 64 - (int)v->bits;
    uint64_t count[66] = { 0 };

    for (size_t i = 0; i < m; i++) count[v->rank[i]]++;
    double z = (double)m * tau(1 - (double)count[most + 1] / (double)m);
    for (int k = most; k >= 1; k--) z = 0.5 * (z + (double)count[k]);
    z += (double)m * sigma((double)count[0] / (double)m);
    return (uint64_t)(0.72134752044448170 * (double)m * (double)m / z + 0.5);
}

/* ----- values --------------------------------------------------------------------------- */

static void value_free(const struct env *e, struct survey_value *v)
{
    mem_free_text(e, v->text);
    v->text = NULL;
}

void survey_values_free(struct survey_values *v, const struct env *e)
{
    for (size_t i = 0; i < v->n; i++) value_free(e, &v->at[i]);
    mem_free(e, v->at, v->cap, sizeof *v->at);
    mem_free(e, v->slot, v->slots, sizeof *v->slot);
    if (v->rank != NULL) mem_free(e, v->rank, (uint64_t)1 << v->bits, 1);
    *v = (struct survey_values){ .bits = v->bits };
}

static uint32_t *find_value(const struct survey_values *v, const struct env *e, uint64_t hash)
{
    size_t i = slot_of(e, hash, v->slots);

    while (v->slot[i] != 0 && v->at[v->slot[i] - 1].hash != hash) i = (i + 1) & (v->slots - 1);
    return &v->slot[i];
}

static void place_values(struct survey_values *v, const struct env *e)
{
    memset(v->slot, 0, v->slots * sizeof *v->slot);
    for (size_t i = 0; i < v->n; i++) *find_value(v, e, v->at[i].hash) = (uint32_t)i + 1;
}

static int by_size(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Takes the median of the counts from each of them; from the first time on values are also
 * sketched. */
static bool make_smaller(struct survey_values *v, struct survey_room *room)
{
    const struct env *e = &room->e;
    uint64_t *count = mem_array(e, v->n, sizeof *count);
    size_t n = 0;

    if (count == NULL) return false;
    if (v->rank == NULL && (v->rank = mem_zeroed(e, (uint64_t)1 << v->bits, 1)) != NULL)
        for (size_t i = 0; i < v->n; i++) sketch_add(v, v->at[i].hash);
    for (size_t i = 0; i < v->n; i++) count[i] = v->at[i].count;
    sort_items(count, v->n, sizeof *count, by_size);
    const uint64_t median = count[v->n / 2];
    mem_free(e, count, v->n, sizeof *count);
    if (v->rank == NULL) return false;
    for (size_t i = 0; i < v->n; i++) {
        struct survey_value *x = &v->at[i];
        if (x->count <= median) {
            value_free(e, x);
            continue;
        }
        x->count -= median;
        v->at[n++] = *x;
    }
    room->values -= v->n - n;
    v->n = n;
    v->lost += median;
    place_values(v, e);
    return true;
}

static bool is_full(const struct survey_values *v, const struct survey_room *room)
{
    return v->n >= SURVEY_VALUES ||
           (v->n >= SURVEY_VALUES_LEAST && room->values >= SURVEY_VALUES_ALL);
}

static bool add_value(struct survey_values *v, struct survey_room *room,
                      const struct survey_value *value, size_t len, size_t *place)
{
    char shown[CELL_BUFFER];
    const struct env *e = &room->e;
    bool grown;

    if (is_full(v, room) && !make_smaller(v, room)) return false;
    if (!MEM_GROW(e, v->at, &v->cap, v->n + 1)) return false;
    if (!slots_grow(e, &v->slot, &v->slots, v->n, &grown)) return false;
    if (grown) place_values(v, e);
    struct survey_value *x = &v->at[v->n];
    *x = *value;
    if (value->text != NULL) {
        csv_cell_show(value->text, len, shown);
        if ((x->text = mem_text(e, shown, strlen(shown))) == NULL) return false;
    }
    *place = v->n++;
    room->values++;
    *find_value(v, e, value->hash) = (uint32_t)v->n;
    return true;
}

bool survey_values_add(struct survey_values *v, struct survey_room *room,
                       const struct survey_value *value, size_t len, size_t *place)
{
    const uint32_t *slot = v->slots > 0 ? find_value(v, &room->e, value->hash) : NULL;

    if (v->rank != NULL) sketch_add(v, value->hash);
    if (slot == NULL || *slot == 0) {
        if (!add_value(v, room, value, len, place)) return false;
        /* The value at hand is in the sketch if there is one now. */
        if (v->rank != NULL) sketch_add(v, value->hash);
        return true;
    }
    *place = *slot - 1;
    v->at[*place].count += value->count;
    return true;
}

uint64_t survey_values_distinct(const struct survey_values *v)
{
    return v->rank != NULL ? sketch_read(v) : v->n;
}

static int by_count(const void *a, const void *b)
{
    const struct survey_value *x = a, *y = b;

    if (x->count != y->count) return x->count < y->count ? 1 : -1;
    if (x->first != y->first) return x->first > y->first ? 1 : -1;
    return (x->hash > y->hash) - (x->hash < y->hash); /* one that a row has not: a zero */
}

void survey_values_sort(struct survey_values *v, const struct env *e)
{
    sort_items(v->at, v->n, sizeof *v->at, by_count);
    mem_free(e, v->slot, v->slots, sizeof *v->slot);
    v->slot = NULL;
    v->slots = 0;
}

/* ----- rows ----------------------------------------------------------------------------- */

static bool is_kept(const struct survey_rows *r, uint64_t hash)
{
    return (hash & (((uint64_t)1 << r->level) - 1)) == 0;
}

static uint32_t *find_row(const struct survey_rows *r, const struct env *e, uint64_t hash,
                          uint32_t label)
{
    size_t i = slot_of(e, hash + label, r->slots);

    for (; r->slot[i] != 0; i = (i + 1) & (r->slots - 1)) {
        const struct survey_row *x = &r->at[r->slot[i] - 1];
        if (x->hash == hash && x->label == label) break;
    }
    return &r->slot[i];
}

static void place_rows(struct survey_rows *r, const struct env *e)
{
    memset(r->slot, 0, r->slots * sizeof *r->slot);
    for (size_t i = 0; i < r->n; i++)
        *find_row(r, e, r->at[i].hash, r->at[i].label) = (uint32_t)i + 1;
}

/* Half of the rows go, about. */
static void thin_rows(struct survey_rows *r, const struct env *e)
{
    size_t n = 0;

    r->level++;
    for (size_t i = 0; i < r->n; i++)
        if (is_kept(r, r->at[i].hash)) r->at[n++] = r->at[i];
    r->n = n;
    place_rows(r, e);
}

bool survey_rows_add(struct survey_rows *r, const struct env *e, uint64_t hash, uint32_t label)
{
    bool grown;

    if (!is_kept(r, hash)) return true;
    uint32_t *slot = r->slots > 0 ? find_row(r, e, hash, label) : NULL;
    if (slot != NULL && *slot != 0) {
        r->at[*slot - 1].count++;
        return true;
    }
    while (r->n >= SURVEY_ROWS && r->level < 63) thin_rows(r, e);
    if (!is_kept(r, hash)) return true;
    if (!MEM_GROW(e, r->at, &r->cap, r->n + 1)) return false;
    if (!slots_grow(e, &r->slot, &r->slots, r->n, &grown)) return false;
    if (grown) place_rows(r, e);
    slot = find_row(r, e, hash, label);
    r->at[r->n++] = (struct survey_row){ hash, 1, label };
    *slot = (uint32_t)r->n;
    return true;
}

static int by_hash(const void *a, const void *b)
{
    const struct survey_row *x = a, *y = b;

    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return (x->label > y->label) - (x->label < y->label);
}

/* Of a group of rows with the same features, kept with the chance p, c counted rows stand for
 * c / p; the variance of the sum is estimated by that of c^2 (1 - p) / p^2 (Horvitz, Thompson
 * 1952). */
void survey_rows_count(struct survey_rows *r, struct survey_repeats *out)
{
    const double each = ldexp(1, (int)r->level), spread = each * (each - 1);
    double duplicates = 0, contradictions = 0, square[2] = { 0, 0 };

    *out = (struct survey_repeats){ .kept = r->n };
    sort_items(r->at, r->n, sizeof *r->at, by_hash);
    for (size_t i = 0, end; i < r->n; i = end) {
        double again = 0, rows = 0; /* with a label */
        size_t labels = 0;
        for (end = i; end < r->n && r->at[end].hash == r->at[i].hash; end++) {
            const bool labelled = r->at[end].label != SURVEY_NONE;
            again += (double)(r->at[end].count - 1);
            rows += labelled ? (double)r->at[end].count : 0;
            labels += labelled;
        }
        const double against = labels > 1 ? rows : 0;
        duplicates += again;
        contradictions += against;
        square[0] += again * again;
        square[1] += against * against;
    }
    out->duplicates = (uint64_t)(duplicates * each);
    out->contradictions = (uint64_t)(contradictions * each);
    out->duplicates_error = sqrt(square[0] * spread);
    out->contradictions_error = sqrt(square[1] * spread);
}

void survey_rows_free(struct survey_rows *r, const struct env *e)
{
    mem_free(e, r->at, r->cap, sizeof *r->at);
    mem_free(e, r->slot, r->slots, sizeof *r->slot);
    *r = (struct survey_rows){ .level = 0 };
}
