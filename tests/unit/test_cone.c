/* test_cone.c -- the point of a cone nearest to the origin, where doubles do not suffice.
 *
 * Pairs of rows h and -h span a space V, and one row more stands off it. The rows of a pair
 * cancel in g, so z is the part of that row that is orthogonal to V: known exactly when V
 * has one dimension less than there is. The h are powers (1, t, t^2, ...), all but parallel:
 * a factor of 16 digits fails from twelve dimensions on, one of 32 from thirteen. */
#include <math.h>

#include "data/dataset.h"
#include "solve/cone.h"
#include "t.h"

enum { DIMS = 12, PAIRS = DIMS - 1, ROWS = 2 * PAIRS + 1 };

struct scene {
    double x[ROWS][DIMS];
    double normal[DIMS]; /* of V */
    perc_dataset *ds;
    uint64_t ref[ROWS];
    uint32_t class[ROWS];
    struct problem p;
};

/* The polynomial (t - 1)(t - 2)...: its coefficients are what all (1, t, t^2, ...) are
 * orthogonal to, and whole numbers. */
static void roots(double *c)
{
    memset(c, 0, DIMS * sizeof *c);
    c[0] = 1;
    for (int r = 1; r <= PAIRS; r++)
        for (int j = DIMS - 1; j >= 0; j--) c[j] = (j > 0 ? c[j - 1] : 0) - r * c[j];
}

static void scene_open(struct scene *s, double off)
{
    double labels[ROWS];

    roots(s->normal);
    for (int i = 0; i < ROWS; i++) {
        const int t = i / 2 + 1;
        labels[i] = i % 2 == 0 ? 1 : -1;
        s->class[i] = i % 2 == 0;
        for (int j = 0; j < DIMS; j++) s->x[i][j] = pow(t, j);
        s->ref[i] = ref_make(0, (uint64_t)i);
    }
    /* The last row: a sum of the others, and a bit of the normal. */
    for (int j = 0; j < DIMS; j++) {
        s->x[ROWS - 1][j] = off * s->normal[j];
        for (int t = 1; t <= PAIRS; t++) s->x[ROWS - 1][j] += pow(t, j);
    }
    const perc_dense d = { s->x, PERC_F64, ROWS, DIMS, sizeof s->x[0], sizeof(double) };
    assert_int_equal(perc_dataset_borrow_dense(NULL, &d, labels, NULL, &s->ds, NULL), PERC_OK);
    s->p = (struct problem){ .e = env_resolve(NULL),
                             .blocks = s->ds->block,
                             .block_count = s->ds->blocks,
                             .dims = DIMS,
                             .n = ROWS,
                             .ref = s->ref,
                             .class = s->class };
}

static void solve(struct scene *s, bool fine, struct cone_result *r)
{
    const struct cone_options o = { .passes = 1000, .fine = fine };

    assert_int_equal(cone_solve(&s->p, 1, &o, r, NULL), PERC_OK);
    hard_corral_free(&s->p.e, &r->rows);
}

TEST(plane_behind_the_sixteenth_digit)
{
    double z[DIMS], cosine[ROWS];
    struct scene s;

    for (int fine = 0; fine < 2; fine++) {
        struct cone_result r = { .z = z, .cosine = cosine };
        double zn = 0, zz = 0, nn = 0;
        scene_open(&s, 1);
        solve(&s, fine != 0, &r);
        assert_int_equal(r.end, CONE_PLANE);
        for (int j = 0; j < DIMS; j++) {
            zn += z[j] * s.normal[j];
            zz += z[j] * z[j];
            nn += s.normal[j] * s.normal[j];
        }
        assert_true(zn / sqrt(zz * nn) > 1 - 1e-12);
        for (int i = 0; i + 1 < ROWS; i++) assert_true(fabs(cosine[i]) < 1e-9);
        assert_true(cosine[ROWS - 1] > 1e-7);
        perc_dataset_free(s.ds);
    }
}

TEST(nothing_off_the_space)
{
    double z[DIMS], cosine[ROWS];
    struct cone_result r = { .z = z, .cosine = cosine };
    struct scene s;

    scene_open(&s, 0);
    solve(&s, false, &r);
    assert_int_equal(r.end, CONE_ZERO);
    perc_dataset_free(s.ds);
}
