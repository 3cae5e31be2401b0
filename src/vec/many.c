/* many.c -- functions of many numbers at once.
 *
 * LANES numbers side by side (lanes.h) go through the operations of fmath.c, each lane
 * rounded as if it were alone. Where fmath.c branches, all branches are taken here and the
 * right result is picked: a lane that has no business in a branch computes something of
 * no meaning there, which nobody looks at. many_lanes.h is compiled for several kinds
 * of processor, all of which give the same bits: no product is fused with a sum. */
#include "vec/many.h"

#include <math.h>
#include <string.h>

#include "vec/fmath.h"
#include "vec/fmath_table.h"
#include "vec/lanes.h"
#include "vec/targets.h"

/* 1.5 * 2^52: added to |t| < 2^51, it leaves t rounded to a whole number in the last bits
 * of the sum. */
static const double SHIFTER = 0x1.8p52;

typedef uint64_t lanes_bits __attribute__((vector_size(8 * LANES), may_alias));

/* Groups of lanes that go through a series together: each of its steps waits for the one
 * before, and the processor looks only so far ahead for something else to do. */
enum { GROUPS = 4 };

struct reduced {
    lanes k, high, low;
};

enum function { EXP, TANH, AFFINE, POWER };

struct many {
    double a, b;
    int degree;
};

#define TARGETS_BODY "vec/many_lanes.h"
#include "vec/targets_each.h"

static void many(enum function f, const struct many *m, double *x, size_t n)
{
    TARGETED(many)(f, m, x, n);
}

void many_exp(double *x, size_t n)
{
    many(EXP, NULL, x, n);
}

void many_tanh(double *x, size_t n)
{
    many(TANH, NULL, x, n);
}

void many_affine(double a, double b, double *x, size_t n)
{
    many(AFFINE, &(struct many){ .a = a, .b = b }, x, n);
}

void many_power(int degree, double *x, size_t n)
{
    many(POWER, &(struct many){ .degree = degree }, x, n);
}

uint32_t many_distance2(double a, const double *b, double *x)
{
    return TARGETED(distance2)(a, b, x);
}
