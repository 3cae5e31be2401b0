/* neuron_witness.c -- true and false rows with equal sums: neuron_witness.h. */
#include "logic/neuron_witness.h"

#include <assert.h>

#include "logic/neuron_lp.h"

void neuron_witness_add(struct counted *b, uint32_t row, int64_t count)
{
    if (count == 0) return;
    assert(b->rows < WITNESS_ROWS);
    b->row[b->rows] = row;
    b->count[b->rows++] = count;
}

/* How often bit p is set in b. */
static int64_t count_bits(const struct counted *b, size_t p)
{
    int64_t sum = 0;

    for (size_t k = 0; k < b->rows; k++)
        if ((b->row[k] >> p) & 1) sum += b->count[k];
    return sum;
}

/* ----- pairs ----------------------------------------------------------------------------- */

enum { PAIRS = 1 << 23 }; /* pairs of pairs tried at most */

/* By group, the bits of a row at this strength or above; a byte each, to be compared abreast. */
struct literal_counts {
    uint64_t bytes[(NEURON_INPUTS + 7) / 8];
};
enum { COUNTS = sizeof(struct literal_counts) / sizeof(uint64_t) };

static struct literal_counts counts_of(const struct shape *s, uint32_t row)
{
    struct literal_counts t = { { 0 } };

    for (size_t p = 0; p < s->m; p++)
        for (size_t j = 0; j <= s->group[p] && (row >> p) & 1; j++)
            t.bytes[j / 8] += (uint64_t)1 << (8 * (j % 8));
    return t;
}

static struct literal_counts counts_sum(struct literal_counts a, struct literal_counts b)
{
    for (size_t k = 0; k < COUNTS; k++) a.bytes[k] += b.bytes[k];
    return a;
}

/* a <= b in each byte; they are below 128. */
static bool no_stronger(const struct literal_counts *a, const struct literal_counts *b)
{
    const uint64_t top = 0x8080808080808080;

    for (size_t k = 0; k < COUNTS; k++)
        if ((((b->bytes[k] | top) - a->bytes[k]) & top) != top) return false;
    return true;
}

struct candidate {
    struct literal_counts counts;
    uint32_t row;
};

/* Two of n rows whose sum is at least as strong as `sum`. */
static bool pair_above(const struct candidate *of, size_t n, struct literal_counts sum,
                       int64_t *trials, struct counted *out)
{
    for (size_t c = 0; c < n; c++)
        for (size_t d = c; d < n && --*trials >= 0; d++) {
            const struct literal_counts here = counts_sum(of[c].counts, of[d].counts);
            if (!no_stronger(&sum, &here)) continue;
            neuron_witness_add(out, of[c].row, 1);
            neuron_witness_add(out, of[d].row, 1);
            return true;
        }
    return false;
}

perc_status neuron_witness_pairs(const struct shape *s, const uint32_t *which, size_t count,
                                 struct counted *yes, struct counted *no, bool *found,
                                 perc_error *err)
{
    const size_t n = which == NULL ? s->trues + s->falses : count;
    struct candidate *of = mem_array(&s->e, n, sizeof *of);
    size_t filled = 0, trues = 0; /* first the true rows, then the false ones */
    int64_t trials = PAIRS;

    if (of == NULL) return fail_memory(err);
    for (int value = 1; value >= 0; value--) {
        for (size_t k = 0; k < n; k++) {
            const size_t point = which == NULL ? k : which[k];
            if ((point < s->trues) != value) continue;
            of[filled].row = s->point[point];
            of[filled].counts = counts_of(s, of[filled].row);
            filled++;
        }
        if (value == 1) trues = filled;
    }
    *found = false;
    for (size_t a = 0; a < trues && !*found; a++)
        for (size_t b = a; b < trues && trials > 0 && !*found; b++) {
            const struct literal_counts sum = counts_sum(of[a].counts, of[b].counts);
            *found = pair_above(of + trues, n - trues, sum, &trials, no);
            if (*found) neuron_witness_add(yes, of[a].row, 1);
            if (*found) neuron_witness_add(yes, of[b].row, 1);
        }
    mem_free(&s->e, of, n, sizeof *of);
    return PERC_OK;
}

/* ----- equal sums ------------------------------------------------------------------------ */

/* Flips the bits `change` of rows that have just the bits `need` of `care`, until `amount` rows
 * are done; returns how many are left to do. */
static int64_t flip_bits(struct counted *b, uint32_t care, uint32_t need, uint32_t change,
                         int64_t amount)
{
    const size_t rows = b->rows;

    for (size_t k = 0; k < rows && amount > 0; k++) {
        if ((b->row[k] & care) != need) continue;
        if (b->count[k] > amount) {
            neuron_witness_add(b, b->row[k], b->count[k] - amount);
            b->count[k] = amount;
        }
        b->row[k] ^= change;
        amount -= b->count[k];
    }
    return amount;
}

/* Where the false rows have more bits at i and the true ones more at j, either a true row has j and
 * not i, or a false one has i and not j: else #yes_j <= #yes_i < #no_i <= #no_j < #yes_j. */
static void balance(const struct shape *s, struct counted *yes, struct counted *no)
{
    for (size_t i = s->m; i-- > 0;) {
        const uint32_t at_i = 1U << i;
        for (int64_t lack; (lack = count_bits(no, i) - count_bits(yes, i)) > 0;) {
            /* The highest position at which the true rows have more bits. It is not in a stronger
             * group than i, where the sums are equal already, or the true rows would have more
             * bits at this strength or above. */
            size_t j = s->m;
            while (j > 0 && count_bits(yes, j - 1) <= count_bits(no, j - 1)) j--;
            if (j-- == 0) {
                lack = flip_bits(no, at_i, at_i, at_i, lack);
            } else {
                const int64_t more = count_bits(yes, j) - count_bits(no, j);
                const uint32_t at_j = 1U << j, both = at_i | at_j;
                lack = flip_bits(yes, both, at_j, both, lack < more ? lack : more);
                lack = flip_bits(no, both, at_i, both, lack);
            }
            assert(lack == 0);
        }
    }
    for (size_t p = 0; p < s->m; p++) assert(count_bits(yes, p) == count_bits(no, p));
}

/* ----- few rows -------------------------------------------------------------------------- */

static size_t keep_rows(const struct shape *s, const struct neuron_lp *d, size_t from,
                        const struct counted *b, int64_t unit, uint32_t *row, int64_t *count)
{
    size_t rows = 0;

    for (size_t k = 0; k < b->rows; k++) {
        const int64_t y = neuron_lp_value(d, from + k);
        if (y == 0) continue;
        assert(rows < NEURON_INPUTS + 2);
        row[rows] = neuron_shape_row(s, b->row[k]);
        count[rows++] = y / unit;
    }
    return rows;
}

/* sum_yes y x = sum_no y x,  sum_yes y = sum_no y >= 1,  y >= 0
 * over the rows of `yes`, then those of `no`, a column each. */
perc_status neuron_witness_find(const struct shape *s, struct counted *yes, struct counted *no,
                                struct neuron *out, perc_error *err)
{
    int64_t a[2 * WITNESS_ROWS], unit = 0;
    struct neuron_lp d = { 0 };

    balance(s, yes, no);
    for (size_t k = 0; k < yes->rows + no->rows; k++) a[k] = 1;
    perc_status st = neuron_lp_begin(&d, &s->e, yes->rows + no->rows, a, err);
    for (size_t p = 0; p <= s->m && !st; p++) {
        for (size_t k = 0; k < d.cols; k++) {
            const bool of_yes = k < yes->rows;
            const uint32_t row = of_yes ? yes->row[k] : no->row[k - yes->rows];
            const int64_t x = p == s->m || ((row >> p) & 1); /* the last: how many */
            a[k] = of_yes ? x : -x;
        }
        st = neuron_lp_add(&d, a, 0, err); /* the sum is 0: >= 0, and <= 0 */
        for (size_t k = 0; k < d.cols; k++) a[k] = -a[k];
        if (!st) st = neuron_lp_add(&d, a, 0, err);
    }
    for (size_t k = 0; k < d.cols; k++) a[k] = k < yes->rows;
    if (!st && !(st = neuron_lp_add(&d, a, 1, err))) {
        const bool found = neuron_lp_solve(&d);
        assert(found); /* all of them would do */
        (void)found;
        for (size_t k = 0; k < d.cols; k++) /* the greatest common divisor */
            for (int64_t b = neuron_lp_value(&d, k), r; b != 0; unit = b, b = r) r = unit % b;
        out->true_rows = keep_rows(s, &d, 0, yes, unit, out->true_row, out->true_count);
        out->false_rows = keep_rows(s, &d, yes->rows, no, unit, out->false_row, out->false_count);
    }
    neuron_lp_free(&d);
    return st;
}
