/* largest.c -- see largest.h: an insertion for each number that is large enough. */
#include "study/largest.h"

#include <math.h>

void largest_keep(struct largest *l, double value, uint64_t what)
{
    size_t i = l->n;

    if (value == 0 || isnan(value) || (i == LARGEST && fabs(value) <= fabs(l->value[i - 1])))
        return;
    if (i == LARGEST) i--;
    else l->n++;
    for (; i > 0 && fabs(l->value[i - 1]) < fabs(value); i--) {
        l->value[i] = l->value[i - 1];
        l->what[i] = l->what[i - 1];
    }
    l->value[i] = value;
    l->what[i] = what;
}
