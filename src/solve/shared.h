/* shared.h -- what problems on the same rows share, when there are several.
 *
 * With one problem a class, every row is decoded and measured again for each of them.
 * That is done once here: a copy of the blocks with their short decimals as doubles, and
 * |x_i|^2. Both are the numbers that a solver would find by itself. */
#ifndef PERC_SHARED_H
#define PERC_SHARED_H

#include "base/pool.h"
#include "solve/problem.h"

/* Makes p use it where that pays; it lies in the pool, which is begun here and must outlive p. If
 * there is not enough memory, p stays as it is. */
void shared_make(struct problem *p, struct pool *pool);

#endif
