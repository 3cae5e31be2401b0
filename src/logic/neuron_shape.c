/* neuron_shape.c -- signs, order of strength and deciding rows of a table: neuron_shape.h.
 *
 * All of it 64 rows at a time. Cost: O(n 2^n / 64) words, and O(2^n) for g. */
#include "logic/neuron_shape.h"

#include <string.h>

static size_t words_of(size_t n)
{
    return n < 6 ? 1 : (size_t)1 << (n - 6);
}

/* The rows of word k that have bit i. */
static uint64_t rows_with(size_t k, size_t i)
{
    static const uint64_t in_word[6] = {
        0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
        0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000
    };

    if (i < 6) return in_word[i];
    return (k >> (i - 6)) & 1 ? UINT64_MAX : 0;
}

/* Word k of the table whose row r is t's row r + 2^i; 0 where there is none. */
static uint64_t ahead(const uint64_t *t, size_t words, size_t k, size_t i)
{
    if (i >= 6) return k + words_of(i) < words ? t[k + words_of(i)] : 0;
    const unsigned by = 1U << i;
    return t[k] >> by | (k + 1 < words ? t[k + 1] << (64 - by) : 0);
}

/* The same for row r - 2^i. */
static uint64_t behind(const uint64_t *t, size_t k, size_t i)
{
    if (i >= 6) return k >= words_of(i) ? t[k - words_of(i)] : 0;
    const unsigned by = 1U << i;
    return t[k] << by | (k > 0 ? t[k - 1] >> (64 - by) : 0);
}

/* ----- steps: pairs of rows r, r + 2^i --------------------------------------------------- */

/* SET: bit i is set in the second row. MOVE: bit i moves up to i + 1, which is + 2^i as well. */
enum bit_move { SET, MOVE };

/* The rows of word k from which the step can be made. */
static uint64_t rows_from(size_t k, size_t i, enum bit_move move)
{
    return move == SET ? ~rows_with(k, i) : rows_with(k, i) & ~rows_with(k, i + 1);
}

struct steps {
    bool up, down;             /* there is a step from 0 to 1; from 1 to 0 */
    uint32_t up_row, down_row; /* the first row from which there is one */
};

static uint32_t first_row(size_t k, uint64_t word)
{
    return (uint32_t)(64 * k) + (uint32_t)__builtin_ctzll(word);
}

static struct steps steps_of(const uint64_t *t, size_t words, size_t i, enum bit_move move)
{
    struct steps s = { 0 };

    for (size_t k = 0; k < words && !(s.up && s.down); k++) {
        const uint64_t there = ahead(t, words, k, i), may = rows_from(k, i, move);
        const uint64_t up = ~t[k] & there & may, down = t[k] & ~there & may;
        if (up != 0 && !s.up) {
            s.up = true;
            s.up_row = first_row(k, up);
        }
        if (down != 0 && !s.down) {
            s.down = true;
            s.down_row = first_row(k, down);
        }
    }
    return s;
}

/* A step up from x and the same step down from z: x + step and z are true, x and z + step
 * false, and the sums are equal. */
static void refute(const struct shape *s, struct steps found, size_t i, bool of_g,
                   struct neuron *out)
{
    const uint32_t step = 1U << i;
    const uint32_t yes[2] = { found.up_row + step, found.down_row };
    const uint32_t no[2] = { found.up_row, found.down_row + step };

    out->true_rows = out->false_rows = 2;
    for (int k = 0; k < 2; k++) {
        out->true_row[k] = of_g ? neuron_shape_row(s, yes[k]) : yes[k];
        out->false_row[k] = of_g ? neuron_shape_row(s, no[k]) : no[k];
        out->true_count[k] = out->false_count[k] = 1;
    }
}

/* ----- signs and strengths --------------------------------------------------------------- */

/* Inputs that matter are sorted by sign[i] * (true rows with x_i = 1 less those with x_i = 0), the
 * parameters of Chow 1961: in a threshold function they rise with |w_i|. */
static bool find_signs(struct shape *s, int64_t *strength, struct neuron *out)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct steps found = steps_of(s->f, s->f_words, i, SET);
        int64_t mine = 0;
        if (found.up && found.down) {
            refute(s, found, i, false, out);
            return false;
        }
        s->sign[i] = found.up ? 1 : found.down ? -1 : 0;
        if (s->sign[i] == 0) continue;
        for (size_t k = 0; k < s->f_words; k++)
            mine += 2 * __builtin_popcountll(s->f[k] & rows_with(k, i)) -
                    __builtin_popcountll(s->f[k]);
        mine *= s->sign[i];
        size_t at = s->m++;
        for (; at > 0 && strength[at - 1] > mine; at--) {
            strength[at] = strength[at - 1];
            s->input[at] = s->input[at - 1];
        }
        strength[at] = mine;
        s->input[at] = i;
    }
    return true;
}

uint32_t neuron_shape_row(const struct shape *s, uint32_t row)
{
    uint32_t r = 0;

    for (size_t p = 0; p < s->m; p++)
        if (((row >> p) & 1) == (s->sign[s->input[p]] > 0)) r |= 1U << s->input[p];
    return r;
}

/* Between two positions of equal strength there are as many steps up as down: both kinds, or none.
 * If the second is stronger, there are more up than down. So a step down, where there is one, has
 * its partner. */
static bool find_order(struct shape *s, const int64_t *strengths, struct neuron *out)
{
    for (size_t p = 0; p + 1 < s->m; p++) {
        const struct steps found = steps_of(s->g, s->g_words, p, MOVE);
        if (found.down) {
            refute(s, found, p, true, out);
            return false;
        }
        s->group[p + 1] = s->group[p] + (strengths[p + 1] > strengths[p]);
    }
    s->groups = s->m == 0 ? 0 : s->group[s->m - 1] + 1;
    return true;
}

/* ----- rows that decide ------------------------------------------------------------------ */

/* Every row that is true lies above a true one that cannot move down. */
static uint64_t lowest_true(const struct shape *s, size_t k)
{
    uint64_t moves = behind(s->g, k, 0) & rows_with(k, 0);

    for (size_t p = 0; p + 1 < s->m; p++)
        moves |= behind(s->g, k, p) & rows_with(k, p + 1) & ~rows_with(k, p);
    return s->g[k] & ~moves;
}

static uint64_t highest_false(const struct shape *s, size_t k)
{
    uint64_t moves = ~ahead(s->g, s->g_words, k, 0) & rows_from(k, 0, SET);

    for (size_t p = 0; p + 1 < s->m; p++)
        moves |= ~ahead(s->g, s->g_words, k, p) & rows_from(k, p, MOVE);
    const uint64_t rows = s->m < 6 ? ((uint64_t)1 << (1U << s->m)) - 1 : UINT64_MAX;
    return ~s->g[k] & rows & ~moves;
}

/* Counts the rows, and writes them to `point` unless it is NULL. */
static size_t collect(const struct shape *s, uint64_t (*which)(const struct shape *, size_t),
                      uint32_t *point)
{
    size_t count = 0;

    for (size_t k = 0; k < s->g_words; k++)
        for (uint64_t w = which(s, k); w != 0; w &= w - 1, count++)
            if (point != NULL) point[count] = first_row(k, w);
    return count;
}

/* ----- all together ---------------------------------------------------------------------- */

perc_status neuron_shape_find(struct shape *s, const struct env *e, const uint64_t *table, size_t n,
                              struct neuron *out, bool *refuted, perc_error *err)
{
    int64_t strengths[NEURON_INPUTS];

    *refuted = true;
    *s = (struct shape){ .e = *e, .n = n, .f_words = words_of(n) };
    s->f = mem_array(e, s->f_words, sizeof *s->f);
    if (s->f == NULL) return fail_memory(err);
    memcpy(s->f, table, s->f_words * sizeof *s->f);
    if (n < 6) s->f[0] &= ((uint64_t)1 << (1U << n)) - 1;
    if (!find_signs(s, strengths, out)) return PERC_OK;

    s->g_words = words_of(s->m);
    s->g = mem_zeroed(e, s->g_words, sizeof *s->g);
    if (s->g == NULL) return fail_memory(err);
    uint32_t row = 0, of_f = neuron_shape_row(s, 0);
    for (uint32_t k = 0;
         ;) { /* in the order of Gray 1953, in which one bit changes from row to row */
        if ((s->f[of_f / 64] >> (of_f % 64)) & 1) s->g[row / 64] |= (uint64_t)1 << (row % 64);
        if (++k >> s->m) break;
        const unsigned bit = (unsigned)__builtin_ctz(k);
        row ^= 1U << bit;
        of_f ^= 1U << s->input[bit];
    }
    if (!find_order(s, strengths, out)) return PERC_OK;
    *refuted = false;
    s->trues = collect(s, lowest_true, NULL);
    s->falses = collect(s, highest_false, NULL);
    s->point = mem_array(e, s->trues + s->falses, sizeof *s->point);
    if (s->point == NULL) return fail_memory(err);
    collect(s, lowest_true, s->point);
    collect(s, highest_false, s->point + s->trues);
    return PERC_OK;
}

void neuron_shape_free(struct shape *s)
{
    if (s->e.alloc == NULL) return;
    mem_free(&s->e, s->f, s->f_words, sizeof *s->f);
    mem_free(&s->e, s->g, s->g_words, sizeof *s->g);
    mem_free(&s->e, s->point, s->trues + s->falses, sizeof *s->point);
    *s = (struct shape){ 0 };
}
