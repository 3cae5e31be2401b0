/* test_sort.c -- sorting takes n log n comparisons, whatever the order, and however it is asked. */
#include "t.h"
#include "base/sort.h"

/* An order that is made up while it is asked for, so that each pivot is nearly the least there is
 * (McIlroy 1999): quicksort alone would need n^2 / 4 comparisons. Items are numbers, `value` says
 * where they stand; those not decided yet are as large as can be. */
enum { ITEMS = 4096 };

static struct {
    int value[ITEMS], decided, candidate;
    long asked;
} foe;

static int foe_compare(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;

    foe.asked++;
    if (foe.value[x] == ITEMS && foe.value[y] == ITEMS)
        foe.value[x == foe.candidate ? x : y] = foe.decided++;
    if (foe.value[x] == ITEMS) foe.candidate = x;
    else if (foe.value[y] == ITEMS) foe.candidate = y;
    return (foe.value[x] > foe.value[y]) - (foe.value[x] < foe.value[y]);
}

TEST(no_order_takes_long)
{
    int item[ITEMS];
    long again = 0;

    for (int i = 0; i < ITEMS; i++) {
        item[i] = i;
        foe.value[i] = ITEMS;
    }
    sort_items(item, ITEMS, sizeof *item, foe_compare);
    assert_in_range(foe.asked, ITEMS, 12 * ITEMS * 6); /* 12 = log2 n; n^2 / 4 is 1024 n */
    for (int i = 1; i < ITEMS; i++) assert_true(foe.value[item[i - 1]] <= foe.value[item[i]]);
    again = foe.asked; /* the same order once more, decided by now */
    for (int i = 0; i < ITEMS; i++) item[i] = i;
    foe.asked = 0;
    sort_items(item, ITEMS, sizeof *item, foe_compare);
    assert_in_range(foe.asked, ITEMS, again + ITEMS);
    for (int i = 1; i < ITEMS; i++) assert_true(foe.value[item[i - 1]] <= foe.value[item[i]]);
}
