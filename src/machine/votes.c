/* votes.c -- the updates of a voted perceptron, and the rows that made them.
 *
 * A row is looked up by its content, not by its number in a data set: a stream has
 * no numbers, and the model must own its rows anyway. New rows are written behind
 * the last one and become part of the votes only if no equal row is found, so a
 * failure leaves the votes as they were.
 *
 * Invariants  entries = start[rows]; slots > rows, at most half of them full;
 *             the updates stand in the order that votes.h gives them.
 * Cost        an update O(nonzeros of the row); memory 40 bytes an update, 12 a
 *             nonzero and at most 32 a row.
 * Not here    files (votes_file.c), prediction (vote_counter.c).
 * Freund, Schapire, Machine Learning 37(3), 1999. */
#include "machine/votes.h"

#include <assert.h>
#include <string.h>

void votes_init(struct votes *v, const struct env *e)
{
    *v = (struct votes){ .e = *e };
}

void votes_free(struct votes *v)
{
    mem_free(&v->e, v->start, v->rows_cap, sizeof *v->start);
    mem_free(&v->e, v->column, v->column_cap, sizeof *v->column);
    mem_free(&v->e, v->value, v->value_cap, sizeof *v->value);
    mem_free(&v->e, v->slot, v->slots, sizeof *v->slot);
    mem_free(&v->e, v->vote, v->cap, sizeof *v->vote);
    *v = (struct votes){ 0 };
}

perc_status votes_copy(const struct env *e, const struct votes *from, struct votes *to)
{
    votes_init(to, e);
    if (from->rows > 0) {
        if (votes_room(to, from->rows, from->entries)) goto failed;
        memcpy(to->start, from->start, (from->rows + 1) * sizeof *to->start);
        if (from->entries > 0) {
            memcpy(to->column, from->column, from->entries * sizeof *to->column);
            memcpy(to->value, from->value, from->entries * sizeof *to->value);
        }
        to->rows = from->rows;
        to->entries = from->entries;
        if (votes_index(to)) goto failed;
    }
    if (!MEM_GROW(e, to->vote, &to->cap, from->n)) goto failed;
    if (from->n > 0) memcpy(to->vote, from->vote, from->n * sizeof *to->vote);
    to->n = from->n;
    return PERC_OK;
failed:
    votes_free(to);
    return PERC_ENOMEM;
}

/* ----- the rows --------------------------------------------------------------------- */

perc_status votes_room(struct votes *v, size_t rows, size_t entries)
{
    const size_t all = v->entries + entries;

    if (rows >= UINT32_MAX - v->rows || all < entries) return PERC_ENOMEM;
    if (!MEM_GROW(&v->e, v->start, &v->rows_cap, v->rows + rows + 1)) return PERC_ENOMEM;
    v->start[v->rows] = v->entries; /* changes it for the first row only */
    if (!MEM_GROW(&v->e, v->column, &v->column_cap, all) ||
        !MEM_GROW(&v->e, v->value, &v->value_cap, all))
        return PERC_ENOMEM;
    return PERC_OK;
}

/* ----- finding a row again ------------------------------------------------------ */

/* The slot of the row with the n entries from `from` on, or the free one where it
 * belongs. No zeros are stored, so equal values have equal bits. */
static uint32_t *slot_of_row(const struct votes *v, uint64_t from, uint64_t n)
{
    struct hash_keyed h = hash_key_begin(&v->e.key);

    if (n > 0) {
        hash_key_text(&h, v->column + from, n * sizeof *v->column);
        hash_key_text(&h, v->value + from, n * sizeof *v->value);
    }
    for (uint64_t k = hash_key_end(&h);; k++) {
        uint32_t *slot = &v->slot[k & (v->slots - 1)];
        if (*slot == 0) return slot;
        const uint64_t at = v->start[*slot - 1];
        if (v->start[*slot] - at == n &&
            (n == 0 || (memcmp(v->column + at, v->column + from, n * sizeof *v->column) == 0 &&
                        memcmp(v->value + at, v->value + from, n * sizeof *v->value) == 0)))
            return slot;
    }
}

/* Slots for `more` rows more than there are; what is indexed stays so. Among equal rows, which only
 * a strange file has, the first one is found. */
static perc_status index_more(struct votes *v, size_t more)
{
    size_t n = v->slots > 0 ? v->slots : 16;

    while (n / 2 < v->rows + more) n *= 2; /* rows < 2^32: votes_room */
    if (n == v->slots) return PERC_OK;
    uint32_t *slots = mem_zeroed(&v->e, n, sizeof *slots);
    if (slots == NULL) return PERC_ENOMEM;
    mem_free(&v->e, v->slot, v->slots, sizeof *v->slot);
    v->slot = slots;
    v->slots = n;
    for (size_t i = 0; i < v->rows; i++) {
        uint32_t *slot = slot_of_row(v, v->start[i], v->start[i + 1] - v->start[i]);
        if (*slot == 0) *slot = (uint32_t)(i + 1);
    }
    return PERC_OK;
}

perc_status votes_index(struct votes *v)
{
    return index_more(v, 1);
}

/* Every update writes its row behind the last one before it checks whether it is new. */
perc_status votes_reserve(struct votes *v, size_t entries, size_t updates)
{
    if (entries > SIZE_MAX / 2 || votes_room(v, 2, 2 * entries) || index_more(v, 2) ||
        !MEM_GROW(&v->e, v->vote, &v->cap, v->n + updates))
        return PERC_ENOMEM;
    return PERC_OK;
}

/* ----- one update ----------------------------------------------------------------- */

struct row votes_row(const struct votes *v, size_t i)
{
    const uint64_t at = v->start[i];

    /* Where no row has an entry there are no arrays, and nothing may be added to NULL. */
    return (struct row){ .value = at > 0 ? v->value + at : v->value,
                         .index = at > 0 ? v->column + at : v->column,
                         .n = (size_t)(v->start[i + 1] - at),
                         .stride = sizeof *v->value,
                         .values = VALUES_F64,
                         .indices = INDEX_U32 };
}

perc_status votes_add(struct votes *v, const struct row *x, size_t up, size_t down, double step,
                      int64_t at)
{
    uint64_t n = 0;

    assert(up < NO_DOWN && (down == NO_VECTOR || down < NO_DOWN));
    assert(v->n == 0 || v->vote[v->n - 1].at <= at);
    if (step == 0) return PERC_OK;
    if (votes_room(v, 1, x->n) || votes_index(v) || !MEM_GROW(&v->e, v->vote, &v->cap, v->n + 1))
        return PERC_ENOMEM;
    for (size_t k = 0; k < x->n; k++) {
        const double value = row_value(x, k);
        const uint64_t column = row_column(x, k);
        if (value == 0) continue;
        if (column > UINT32_MAX) return PERC_EDATA;
        v->column[v->entries + n] = (uint32_t)column;
        v->value[v->entries + n++] = value;
    }
    uint32_t *slot = slot_of_row(v, v->entries, n);
    if (*slot == 0) {
        v->entries += n;
        v->start[++v->rows] = v->entries;
        *slot = (uint32_t)v->rows;
    }
    v->vote[v->n++] = (struct vote){ .row = *slot - 1,
                                     .up = (uint32_t)up,
                                     .down = down == NO_VECTOR ? NO_DOWN : (uint32_t)down,
                                     .step = step,
                                     .at = at };
    return PERC_OK;
}

static bool is_made_by(const struct vote *one, int64_t example, size_t up)
{
    return one->example == example && (up == NO_VECTOR || one->up == up);
}

void votes_remove(struct votes *v, int64_t example, size_t up)
{
    size_t n = 0;

    while (n < v->n && !is_made_by(&v->vote[n], example, up)) n++;
    v->removals++;
    v->removed_from = n;
    for (size_t k = n; k < v->n; k++)
        if (!is_made_by(&v->vote[k], example, up)) v->vote[n++] = v->vote[k];
    v->n = n;
}

/* ----- the vectors negated and renumbered --------------------------------------------- */

/* w += s x becomes  w_1 += s x, w_0 -= s x,  written with a step above 0. */
void votes_split(struct votes *v)
{
    for (size_t k = 0; k < v->n; k++) {
        struct vote *one = &v->vote[k];
        assert(one->up == 0 && one->down == NO_DOWN);
        one->up = one->step > 0;
        one->down = !one->up;
        if (one->step < 0) one->step = -one->step;
    }
}

static uint32_t new_number(uint32_t vector, size_t at)
{
    return vector != NO_DOWN && vector >= at ? vector + 1 : vector;
}

/* From the back, so that nothing is overwritten before it is moved: updates lo .. hi - 1 of an
 * example go to the places before `to`, with the copy, if there is one to make, at its place among
 * them. */
void votes_insert(struct votes *v, size_t at, size_t from)
{
    size_t to = v->n; /* and the copies; no vector has the number NO_VECTOR */

    for (size_t k = 0; k < v->n; k++) to += v->vote[k].up == from;
    assert(to <= v->cap);
    const size_t n = to;
    for (size_t hi = v->n, lo; hi > 0; hi = lo) {
        struct vote copy = { .up = NO_DOWN };
        for (lo = hi; lo > 0 && v->vote[lo - 1].at == v->vote[hi - 1].at; lo--)
            if (v->vote[lo - 1].up == from) copy = v->vote[lo - 1];
        bool waits = copy.up != NO_DOWN;
        assert(!waits || copy.down == NO_DOWN);
        copy.up = (uint32_t)at;
        for (size_t k = hi; k > lo; k--) {
            struct vote one = v->vote[k - 1];
            one.up = new_number(one.up, at);
            one.down = new_number(one.down, at);
            if (waits && one.up < at) {
                v->vote[--to] = copy;
                waits = false;
            }
            v->vote[--to] = one;
        }
        if (waits) v->vote[--to] = copy;
    }
    v->n = n;
}

void votes_drop(struct votes *v, size_t vector)
{
    struct votes tidy;
    size_t n = 0;

    for (size_t k = 0; k < v->n; k++) {
        assert(v->vote[k].up <= vector && v->vote[k].down == NO_DOWN);
        if (v->vote[k].up != vector) v->vote[n++] = v->vote[k];
    }
    v->n = n;
    if (votes_in_order(v) || votes_tidy(&v->e, v, &tidy)) return; /* the rows may stay, too */
    votes_free(v);
    *v = tidy;
}

bool votes_in_order(const struct votes *v)
{
    uint32_t next = 0;

    for (size_t k = 0; k < v->n; k++) {
        if (v->vote[k].row > next) return false;
        next += v->vote[k].row == next;
    }
    return next == v->rows;
}

perc_status votes_tidy(const struct env *e, const struct votes *v, struct votes *out)
{
    perc_status st = PERC_OK;

    votes_init(out, e);
    for (size_t k = 0; k < v->n && !st; k++) {
        const struct vote *one = &v->vote[k];
        const struct row x = votes_row(v, one->row);
        const size_t down = one->down == NO_DOWN ? NO_VECTOR : one->down;
        st = votes_add(out, &x, one->up, down, one->step, one->at);
        if (!st) out->vote[out->n - 1].example = one->example;
        if (!st) out->vote[out->n - 1].aside = one->aside;
    }
    if (st) votes_free(out);
    return st;
}
