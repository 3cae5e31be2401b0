/* minibatch.c -- some rows side by side, and the same by column. */
#include "machine/minibatch.h"

#include <string.h>

#include "vec/row_floats.h"

void minibatch_init(struct minibatch *b, const struct env *e)
{
    *b = (struct minibatch){ .e = *e };
}

static size_t words_of(size_t n)
{
    return n / 64 + 1;
}

static void free_count(struct minibatch *b)
{
    if (b->count == NULL) return;
    mem_free(&b->e, b->count, b->count_cap, sizeof *b->count);
    mem_free(&b->e, b->bits, words_of(b->count_cap), sizeof *b->bits);
    mem_free(&b->e, b->words, words_of(words_of(b->count_cap)), sizeof *b->words);
}

void minibatch_free(struct minibatch *b)
{
    mem_free(&b->e, b->start, b->start_cap, sizeof *b->start);
    mem_free(&b->e, b->class, b->class_cap, sizeof *b->class);
    mem_free(&b->e, b->weight, b->weight_cap, sizeof *b->weight);
    mem_free(&b->e, b->row, b->row_cap, sizeof *b->row);
    mem_free(&b->e, b->column, b->column_cap, sizeof *b->column);
    mem_free(&b->e, b->value, b->value_cap, sizeof *b->value);
    mem_free(&b->e, b->used_column, b->used_column_cap, sizeof *b->used_column);
    mem_free(&b->e, b->used_start, b->used_start_cap, sizeof *b->used_start);
    mem_free(&b->e, b->used_row, b->used_row_cap, sizeof *b->used_row);
    mem_free(&b->e, b->used_value, b->used_value_cap, sizeof *b->used_value);
    free_count(b);
    *b = (struct minibatch){ .e = b->e };
}

void minibatch_clear(struct minibatch *b)
{
    b->n = b->counted = b->entries = b->used = 0;
}

/* ----- by row ------------------------------------------------------------------------- */

perc_status minibatch_add(struct minibatch *b, const struct row *x, size_t class, double weight,
                          uint64_t row)
{
    const size_t i = b->n, room = b->entries + x->n + ROW_FLOATS_ROOM;

    /* Those that grow last have the smallest capacity. */
    if (i + 2 > b->row_cap && (!MEM_GROW(&b->e, b->start, &b->start_cap, i + 2) ||
                               !MEM_GROW(&b->e, b->class, &b->class_cap, i + 2) ||
                               !MEM_GROW(&b->e, b->weight, &b->weight_cap, i + 2) ||
                               !MEM_GROW(&b->e, b->row, &b->row_cap, i + 2)))
        return PERC_ENOMEM;
    if (room > b->value_cap &&
        (room > UINT32_MAX || !MEM_GROW(&b->e, b->column, &b->column_cap, room) ||
         !MEM_GROW(&b->e, b->value, &b->value_cap, room)))
        return PERC_ENOMEM;
    b->start[i] = (uint32_t)b->entries;
    b->class[i] = (uint32_t) class;
    b->weight[i] = (float)weight;
    if (b->weight[i] > 0) /* else it has a place but no entries: not even inf can come of it */
        b->entries += row_floats(x, b->column + b->entries, b->value + b->entries);
    b->start[i + 1] = (uint32_t)b->entries;
    b->row[i] = row;
    b->counted += b->weight[i] > 0;
    b->n++;
    return PERC_OK;
}

/* ----- by column ----------------------------------------------------------------------- */

static bool grow_count(struct minibatch *b, size_t columns)
{
    if (b->count != NULL && columns <= b->count_cap) return true;
    const size_t half = b->count_cap + b->count_cap / 2, cap = columns > half ? columns : half;
    const size_t n = words_of(cap), nn = words_of(n);
    uint32_t *count = mem_zeroed(&b->e, cap, sizeof *count);
    uint64_t *bits = mem_zeroed(&b->e, n, sizeof *bits);
    uint64_t *words = mem_zeroed(&b->e, nn, sizeof *words);

    if (count == NULL || bits == NULL || words == NULL) {
        mem_free(&b->e, count, cap, sizeof *count);
        mem_free(&b->e, bits, n, sizeof *bits);
        mem_free(&b->e, words, nn, sizeof *words);
        return false;
    }
    free_count(b);
    b->count = count;
    b->bits = bits;
    b->words = words;
    b->count_cap = cap;
    return true;
}

/* Column j is the next in use: its count becomes the place of its first entry. */
static void begin_column(struct minibatch *b, uint32_t j, uint32_t *at)
{
    const uint32_t n = b->count[j];

    b->used_column[b->used] = j;
    b->used_start[b->used++] = b->count[j] = *at;
    *at += n;
}

/* The columns in use, in order, by their marks, which are cleared. */
static void list_marked(struct minibatch *b, size_t columns)
{
    uint32_t at = 0;

    for (size_t t = 0; t < words_of(words_of(columns)); t++) {
        for (; b->words[t] != 0; b->words[t] &= b->words[t] - 1) {
            const size_t s = t * 64 + (size_t)__builtin_ctzll(b->words[t]);
            for (; b->bits[s] != 0; b->bits[s] &= b->bits[s] - 1)
                begin_column(b, (uint32_t)(s * 64) + (uint32_t)__builtin_ctzll(b->bits[s]), &at);
        }
    }
}

/* `count` is where the next entry of a column goes. */
static void place_entries(struct minibatch *b)
{
    const uint32_t *column = b->column;
    const float *value = b->value;
    uint32_t *count = b->count, *row = b->used_row;
    float *out = b->used_value;

    for (size_t i = 0; i < b->n; i++) {
        const size_t end = b->start[i + 1];
        for (size_t k = b->start[i]; k < end; k++) {
            const uint32_t at = count[column[k]]++;
            row[at] = (uint32_t)i;
            out[at] = value[k];
        }
    }
}

perc_status minibatch_transpose(struct minibatch *b, uint64_t columns)
{
    const size_t most = b->entries < columns ? b->entries : (size_t)columns;

    if (!MEM_GROW(&b->e, b->used_column, &b->used_column_cap, most + 1) ||
        !MEM_GROW(&b->e, b->used_start, &b->used_start_cap, most + 1) ||
        !MEM_GROW(&b->e, b->used_row, &b->used_row_cap, b->entries + 1) ||
        !MEM_GROW(&b->e, b->used_value, &b->used_value_cap, b->entries + 1) ||
        !grow_count(b, (size_t)columns))
        return PERC_ENOMEM;
    b->used = 0;
    if (columns / 4 <= b->entries) { /* going through all columns is cheaper than marking */
        const uint32_t *column = b->column;
        const size_t n = b->entries;
        uint32_t *count = b->count;
        for (size_t k = 0; k < n; k++) count[column[k]]++;
        uint32_t at = 0;
        for (size_t j = 0; j < columns; j++)
            if (count[j] > 0) begin_column(b, (uint32_t)j, &at);
    } else {
        for (size_t k = 0; k < b->entries; k++) {
            const uint32_t j = b->column[k];
            if (b->count[j]++ > 0) continue;
            b->bits[j / 64] |= (uint64_t)1 << j % 64;
            b->words[j / 64 / 64] |= (uint64_t)1 << j / 64 % 64;
        }
        list_marked(b, (size_t)columns);
    }
    b->used_start[b->used] = (uint32_t)b->entries;
    place_entries(b);
    for (size_t k = 0; k < b->used; k++) b->count[b->used_column[k]] = 0;
    return PERC_OK;
}
