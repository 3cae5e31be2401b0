/* neuron.c -- the check of an answer to "can one neuron compute it?". */
#include "logic/neuron.h"

__extension__ typedef __int128 i128;

static bool check_weights(const uint64_t *table, size_t n, const struct neuron *a)
{
    i128 sum = 0;

    for (uint32_t k = 0, row = 0;;) { /* in Gray's order: one input changes */
        if (neuron_bit(table, row) != (sum >= a->threshold)) return false;
        if (++k >> n) return true;
        const int i = __builtin_ctz(k);
        row ^= 1U << i;
        sum += (row >> i) & 1 ? a->weight[i] : -(i128)a->weight[i];
    }
}

/* Are all rows of this value, none twice, with counts > 0? Adds their sums to `sum`, or
 * takes them from it if they are false; the last sum is that of the counts. */
static bool add_rows(const uint64_t *table, size_t n, bool value, size_t rows, const uint32_t *row,
                     const int64_t *count, i128 *sum)
{
    for (size_t k = 0; k < rows; k++) {
        if (row[k] >> n || neuron_bit(table, row[k]) != value || count[k] <= 0) return false;
        for (size_t l = 0; l < k; l++)
            if (row[l] == row[k]) return false;
        const i128 y = value ? count[k] : -(i128)count[k];
        for (size_t i = 0; i < n; i++)
            if ((row[k] >> i) & 1) sum[i] += y;
        sum[n] += y;
    }
    return true;
}

bool neuron_check(const uint64_t *table, size_t n, const struct neuron *a)
{
    i128 sum[NEURON_INPUTS + 1] = { 0 };

    if (n > NEURON_INPUTS) return false;
    if (a->found) return check_weights(table, n, a);
    if (a->true_rows == 0 || a->true_rows + a->false_rows > n + 2) return false;
    if (!add_rows(table, n, true, a->true_rows, a->true_row, a->true_count, sum)) return false;
    if (!add_rows(table, n, false, a->false_rows, a->false_row, a->false_count, sum)) return false;
    for (size_t i = 0; i <= n; i++)
        if (sum[i] != 0) return false;
    return true;
}
