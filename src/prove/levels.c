/* levels.c -- columns of one sign, and planes made of several levels.
 *
 * If the y_i x_ij of a column are >= 0 for all rows, or all <= 0, then +-e_j is a plane that
 * has every row on its side or on it, and those with x_ij != 0 strictly. The others go on
 * without them, and may have further such columns: the next level. A plane for what is left
 * at the end becomes one for all with
 *
 *     w = M_1 u_1 + M_2 u_2 + ... + w_rest
 *
 * where u_l has rows of level l strictly on their side and later ones on it, and M_l is so
 * large that M_l u_l outweighs all that comes after it on the rows of level l. */
#include <math.h>
#include <string.h>

#include "prove/job.h"

enum { LEVELS_MAX = 40 };

perc_status levels_init(struct levels *l, const struct job *j, perc_error *err)
{
    *l = (struct levels){
        .e = j->exact->e, .n = j->exact->n, .dims = j->exact->dims, .left = j->exact->n
    };
    l->level = mem_zeroed(&l->e, l->n, sizeof *l->level);
    return l->level == NULL ? fail_memory(err) : PERC_OK;
}

void levels_free(struct levels *l)
{
    mem_free(&l->e, l->plane, l->cap, sizeof *l->plane);
    mem_free(&l->e, l->level, l->n, sizeof *l->level);
    memset(l, 0, sizeof *l);
}

double *levels_next(struct levels *l)
{
    const size_t need = (l->count + 1) * (size_t)l->dims;

    if (!mem_grow(&l->e, (void **)&l->plane, &l->cap, need, sizeof *l->plane)) return NULL;
    double *u = l->plane + l->count++ * l->dims;
    memset(u, 0, l->dims * sizeof *u);
    return u;
}

/* ----- peeling ------------------------------------------------------------------------------ */

struct column_signs {
    bool up, down; /* of the rows left, some y_i x_ij is above 0, below 0 */
    double largest;
};

static void find_signs(const struct job *j, const struct levels *l, struct column_signs *column)
{
    const struct problem *floats = j->floats;

    memset(column, 0, l->dims * sizeof *column);
    for (uint64_t i = 0; i < l->n; i++) {
        if (l->level[i] != 0) continue;
        const struct row r = problem_block_row(floats, i);
        const double y = j->exact->sign[i];
        for (size_t k = 0; k <= r.n; k++) {
            const uint64_t c = k < r.n ? row_column(&r, k) : floats->dims;
            if (k == r.n && !floats->offset) continue;
            const double v = y * (k < r.n ? row_value(&r, k) : 1);
            column[c].up |= v > 0;
            column[c].down |= v < 0;
            column[c].largest = fmax(column[c].largest, fabs(v));
        }
    }
}

/* Whether the row has a nonzero number where u has one. */
static bool strict_row(const struct job *j, uint64_t i, const double *u)
{
    const struct problem *floats = j->floats;
    const struct row r = problem_block_row(floats, i);

    if (floats->offset && u[floats->dims] != 0) return true;
    for (size_t k = 0; k < r.n; k++) {
        const uint64_t c = row_column(&r, k);
        if (u[c] != 0 && row_value(&r, k) != 0) return true;
    }
    return false;
}

perc_status levels_peel(struct job *j, struct levels *l, perc_error *err)
{
    struct column_signs *column = mem_array(&l->e, l->dims, sizeof *column);
    perc_status st = column == NULL ? fail_memory(err) : PERC_OK;

    for (int t = 0; t < LEVELS_MAX && l->left > 0 && !st && job_goes_on(j); t++) {
        double *u = levels_next(l);
        bool any = false;
        if (u == NULL) {
            st = fail_memory(err);
            break;
        }
        find_signs(j, l, column);
        /* A column of one sign gets a number near 1 / the largest of the column. */
        for (uint64_t c = 0; c < l->dims; c++) {
            int e;
            if (column[c].up == column[c].down) continue;
            frexp(column[c].largest, &e);
            u[c] = ldexp(column[c].up ? 1 : -1, e < -1000 ? 1000 : -e);
            any = true;
        }
        if (!any) { /* the new plane is 0 and has no rows */
            l->count--;
            break;
        }
        for (uint64_t i = 0; i < l->n; i++) {
            if (l->level[i] != 0 || !strict_row(j, i, u)) continue;
            l->level[i] = (uint32_t)l->count;
            l->left--;
        }
    }
    mem_free(&l->e, column, l->dims, sizeof *column);
    return st;
}

/* ----- joining ------------------------------------------------------------------------------ */

static double row_score(const struct job *j, uint64_t i, const double *w)
{
    const struct problem *floats = j->floats;
    const struct row r = problem_block_row(floats, i);

    return j->exact->sign[i] *
           (row_dot(&r, w, floats->dims) + (floats->offset ? w[floats->dims] : 0));
}

void levels_join(const struct job *j, const struct levels *l, double *w)
{
    for (size_t k = l->count; k-- > 0;) {
        const double *u = l->plane + k * l->dims;
        double most = 0, largest = 0, own = 0;
        int e;
        for (uint64_t i = 0; i < l->n; i++) {
            if (l->level[i] != k + 1) continue;
            const double by = row_score(j, i, u), now = row_score(j, i, w);
            if (by > 0 && now <= 0) most = fmax(most, -now / by);
        }
        for (uint64_t c = 0; c < l->dims; c++) {
            largest = fmax(largest, fabs(w[c]));
            own = fmax(own, fabs(u[c]));
        }
        if (!(most > 0)) most = largest > 0 ? 0.25 * largest / own : 0.25;
        /* M is more than twice what is needed; if nothing is, enough to make the level count. */
        frexp(most, &e);
        const double m = ldexp(1, e + 1);
        for (uint64_t c = 0; c < l->dims; c++) w[c] += m * u[c];
    }
}
