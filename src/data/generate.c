/* generate.c -- synthetic data sets, the same bytes on every machine.
 *
 *   halfspace  normal points on both sides of a plane, at least `margin` from it
 *   sparse     rows like short texts: Zipf words, tf-idf values (generate_sparse.c)
 *   blobs      a normal cloud for each class
 *   xor        the four quadrants of a square, opposite ones alike
 *   moons, circles, spirals   the shapes that no line separates
 *
 * Why the bytes agree: random numbers are integers (vec/rng.h); exp, log, sin
 * and cos are our own (vec/fmath.h); everything else is + - * / and sqrt, which
 * IEEE 754 rounds in one way only. Each value is then rounded to `digits`
 * significant digits, so that the set written as text and read again is the set.
 *
 * noise is the share of rows whose label is wrong: exactly floor(noise n + 1/2)
 * of n rows, chosen by selection sampling (Knuth, TAOCP 2, 3.4.2, algorithm S),
 * which needs no list of rows. Noise has a stream of its own: the points of a
 * set, and its true labels, do not change with it.
 *
 * Not here: how blocks are stored (block.c), the fixed sets (builtin.c). */
#include "data/generate.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "data/dataset.h"
#include "vec/fmath.h"

/* Rows and entries after which a block is closed: blocks stay in the cache. */
enum { CHUNK_ROWS = 4096, CHUNK_ENTRIES = 1 << 18 };

static const double PI = 3.14159265358979323846;

/* ----- parameters --------------------------------------------------------- */

#define ROWS                                                        \
    {                                                               \
        "rows", PERC_INT, "1000", 1, 1e9, NULL, "N", "rows to make" \
    }
#define FEATURES(initial, max)                                                \
    {                                                                         \
        "features", PERC_INT, initial, 1, max, NULL, "N", "features of a row" \
    }
#define SPREAD(initial)                                                                        \
    {                                                                                          \
        "spread", PERC_REAL, initial, 0, 1e6, NULL, "X", "standard deviation around the shape" \
    }
#define COMMON(noise)                                                                   \
    { "noise", PERC_REAL, noise, 0, 1, NULL, "X", "share of rows with a wrong label" }, \
        { "digits", PERC_INT, "6", 1, 15, NULL, "N", "significant digits of a value" }, \
    {                                                                                   \
        "seed", PERC_INT, "0", 0, 0x1p53, NULL, "N", "another seed, another set"        \
    }

static const perc_param halfspace_rows[] = {
    ROWS,
    FEATURES("2", 1e6),
    { "margin", PERC_REAL, "0.1", 0, 1e6, NULL, "X", "least distance from the plane" },
    { "offset", PERC_REAL, "0", -1e6, 1e6, NULL, "X", "b of the plane u.x + b = 0, |u| = 1" },
    COMMON("0")
};
static const perc_param sparse_rows[] = {
    ROWS,
    FEATURES("50000", 1e8),
    { "nonzeros", PERC_INT, "63", 1, 1e6, NULL, "N", "mean entries of a row" },
    { "exponent", PERC_REAL, "1", 0, 3, NULL, "X", "of Zipf's law: feature k comes up as 1/k^X" },
    COMMON("0.05")
};
static const perc_param blobs_rows[] = { ROWS,
                                         FEATURES("2", 1e6),
                                         { "classes", PERC_INT, "2", 2, 1000, NULL, "N",
                                           "clouds, one for each label" },
                                         SPREAD("1"),
                                         COMMON("0") };
static const perc_param xor_rows[] = { ROWS, COMMON("0") };
static const perc_param moons_rows[] = { ROWS, SPREAD("0.1"), COMMON("0") };
static const perc_param circles_rows[] = { ROWS,
                                           SPREAD("0.05"),
                                           { "inner", PERC_REAL, "0.5", 0, 1, NULL, "X",
                                             "radius of the inner circle; the outer has 1" },
                                           COMMON("0") };
static const perc_param spirals_rows[] = { ROWS,
                                           SPREAD("0.02"),
                                           { "turns", PERC_REAL, "1.5", 0, 100, NULL, "X",
                                             "turns of each arm" },
                                           COMMON("0") };

#define TABLE(name, summary)                                                                 \
    {                                                                                        \
#name, "generator", summary, name##_rows, sizeof name##_rows / sizeof name##_rows[0] \
    }

const struct table generator_tables[] = {
    TABLE(halfspace, "two classes on the two sides of a plane"),
    TABLE(sparse, "two classes of rows like short texts: many features, few of them used"),
    TABLE(blobs, "a normal cloud for each class"),
    TABLE(xor, "a square whose opposite quadrants are of one class"),
    TABLE(moons, "two half circles, interleaved"),
    TABLE(circles, "a circle around another"),
    TABLE(spirals, "two spirals, interleaved"),
    { NULL, NULL, NULL, NULL, 0 }
};

/* ----- values of few digits ------------------------------------------------ */

/* |v| = q / 10^places with q in [10^(digits-1), 10^digits) where `places` allows.
 * Multiplying by a power of ten rounds once, the same everywhere; which of two
 * neighbours a value on the border goes to does not matter. */
double generate_put(const struct maker *m, struct rows *r, uint32_t column, double v)
{
    const double *power = decimal_divisor; /* 10^0 .. 10^22 */
    const double a = fabs(v), low = power[m->digits - 1], high = power[m->digits];
    int places = m->digits - 1;
    uint64_t q;

    while (places < DEC_PLACES_MAX && a * power[places] < low) places++;
    while (places > 0 && a * power[places] >= high) places--;
    double unit = 1; /* digits before the point beyond those wanted become 0 */
    while (a * power[places] / unit >= high) unit *= 10;
    q = (uint64_t)(a * power[places] / unit + 0.5) * (uint64_t)unit;
    for (; places > 0 && q % 10 == 0; places--) q /= 10;

    const bool negative = v < 0 && q > 0;
    const double rounded = (double)q / (negative ? -power[places] : power[places]);
    if (q < (uint64_t)1 << DEC_MANTISSA_BITS)
        rows_put_decimal(r, column, decimal_pack((uint32_t)q, (unsigned)places, negative));
    else rows_put(r, column, rounded);
    return rounded;
}

static perc_status make_rule(struct maker *m, size_t n, perc_error *err)
{
    m->rule_n = n;
    m->rule = mem_array(&m->e, n, sizeof *m->rule);
    m->x = mem_array(&m->e, m->features, sizeof *m->x);
    return m->rule == NULL || m->x == NULL ? fail_memory(err) : PERC_OK;
}

/* ----- halfspace ------------------------------------------------------------ */

/* u: a normal vector is equally likely to point anywhere. */
static perc_status halfspace_start(struct maker *m, perc_error *err)
{
    struct rng rng = rng_seed(m->seed, STREAM_RULE);
    double norm2;

    if (make_rule(m, m->features, err)) return PERC_ENOMEM;
    do {
        norm2 = 0;
        for (uint32_t j = 0; j < m->features; j++) {
            m->rule[j] = rng_normal(&rng);
            norm2 += m->rule[j] * m->rule[j];
        }
    } while (norm2 == 0);
    for (uint32_t j = 0; j < m->features; j++) m->rule[j] /= sqrt(norm2);
    return PERC_OK;
}

/* z normal, y = sign(u.z), then away from the plane by the margin:
 *
 *     x = z + (y margin - b) u    so that    y (u.x + b) = |u.z| + margin
 *
 * Moving costs the same for any margin, where drawing until a point lies far
 * enough out might take for ever. Rounding to digits may take a little off: such
 * a row is drawn again, with a push that grows in case the digits are too few. */
static uint32_t halfspace_row(struct maker *m, struct rows *r, uint64_t i)
{
    const double margin = params_real(m->p, "margin"), b = params_real(m->p, "offset");
    const double *u = m->rule;
    const size_t start = r->entries;

    (void)i;
    for (int t = 0;; t++) {
        double s = 0;
        for (uint32_t j = 0; j < m->features; j++) s += u[j] * (m->x[j] = rng_normal(&m->points));
        const double y = s > 0 ? 1 : -1;
        const double push = margin + t * (margin + fabs(b) + 1) / 16;

        s = 0;
        r->entries = start;
        for (uint32_t j = 0; j < m->features; j++)
            s += u[j] * generate_put(m, r, j + 1, m->x[j] + (y * push - b) * u[j]);
        s += b;
        if (y * s >= margin && s != 0) return y > 0;
    }
}

/* ----- blobs ----------------------------------------------------------------- */

static double distance2(const double *a, const double *b, uint32_t n)
{
    double d = 0;

    for (uint32_t j = 0; j < n; j++) d += (a[j] - b[j]) * (a[j] - b[j]);
    return d;
}

/* Centres in the cube [-10, 10]^d: of some candidates, the one farthest from the
 * centres before it (Mitchell, SIGGRAPH 1991), so that clouds seldom coincide. */
static perc_status blobs_start(struct maker *m, perc_error *err)
{
    enum { CANDIDATES = 10 };
    struct rng rng = rng_seed(m->seed, STREAM_RULE);
    const uint32_t d = m->features;

    m->classes = (uint32_t)params_int(m->p, "classes");
    if (make_rule(m, (size_t)m->classes * d, err)) return PERC_ENOMEM;
    for (uint32_t c = 0; c < m->classes; c++) {
        double *centre = m->rule + (size_t)c * d, best = -1;
        for (int t = 0; t < CANDIDATES; t++) {
            double nearest = INFINITY;
            for (uint32_t j = 0; j < d; j++) m->x[j] = 20 * rng_uniform(&rng) - 10;
            for (uint32_t k = 0; k < c; k++)
                nearest = fmin(nearest, distance2(m->x, m->rule + (size_t)k * d, d));
            if (nearest <= best) continue;
            best = nearest;
            memcpy(centre, m->x, d * sizeof *centre);
        }
    }
    return PERC_OK;
}

static uint32_t blobs_row(struct maker *m, struct rows *r, uint64_t i)
{
    const uint32_t c = (uint32_t)(i % m->classes);
    const double *centre = m->rule + (size_t)c * m->features;

    for (uint32_t j = 0; j < m->features; j++)
        generate_put(m, r, j + 1, centre[j] + m->deviation * rng_normal(&m->points));
    return c;
}

/* ----- shapes in the plane ---------------------------------------------------- */

static void put_near(struct maker *m, struct rows *r, double x, double y)
{
    generate_put(m, r, 1, x + m->deviation * rng_normal(&m->points));
    generate_put(m, r, 2, y + m->deviation * rng_normal(&m->points));
}

/* Uniform in the square; class 1 where the signs differ. A point on an axis has
 * no class and is drawn again. */
static uint32_t xor_row(struct maker *m, struct rows *r, uint64_t i)
{
    const size_t start = r->entries;
    double x, y;

    (void)i;
    do {
        r->entries = start;
        x = generate_put(m, r, 1, 2 * rng_uniform(&m->points) - 1);
        y = generate_put(m, r, 2, 2 * rng_uniform(&m->points) - 1);
    } while (x == 0 || y == 0);
    return (x > 0) != (y > 0);
}

/* (cos t, sin t) above, (1 - cos t, 1/2 - sin t) below, t in [0, pi). */
static uint32_t moons_row(struct maker *m, struct rows *r, uint64_t i)
{
    const double t = PI * rng_uniform(&m->points);
    const uint32_t c = (uint32_t)(i % 2);

    if (c == 0) put_near(m, r, fm_cos(t), fm_sin(t));
    else put_near(m, r, 1 - fm_cos(t), 0.5 - fm_sin(t));
    return c;
}

static uint32_t circles_row(struct maker *m, struct rows *r, uint64_t i)
{
    const double t = 2 * PI * rng_uniform(&m->points);
    const uint32_t c = (uint32_t)(i % 2);
    const double radius = c == 0 ? 1 : params_real(m->p, "inner");

    put_near(m, r, radius * fm_cos(t), radius * fm_sin(t));
    return c;
}

/* Archimedes: radius t, angle 2 pi turns t; the root spreads the points evenly
 * along the arm. The second arm is the first, half a turn on. */
static uint32_t spirals_row(struct maker *m, struct rows *r, uint64_t i)
{
    const double t = sqrt(rng_uniform(&m->points));
    const double angle = 2 * PI * params_real(m->p, "turns") * t;
    const uint32_t c = (uint32_t)(i % 2);
    const double radius = c == 0 ? t : -t;

    put_near(m, r, radius * fm_cos(angle), radius * fm_sin(angle));
    return c;
}

/* In the order of generator_tables. */
static const struct generator generators[] = { { halfspace_start, halfspace_row },
                                               { generate_sparse_start, generate_sparse_row },
                                               { blobs_start, blobs_row },
                                               { NULL, xor_row },
                                               { NULL, moons_row },
                                               { NULL, circles_row },
                                               { NULL, spirals_row } };

/* ----- the set ------------------------------------------------------------------ */

static bool has_param(const perc_params *p, const char *name)
{
    return perc_params_get(p, name) != NULL;
}

/* The labels, in order of the classes: -1 and 1, or 1, 2, ... when there are more. */
static perc_status add_labels(const struct maker *m, struct labels *l, perc_error *err)
{
    uint32_t id;

    for (uint32_t c = 0; c < m->classes; c++) {
        const double v = m->classes == 2 ? 2 * (double)c - 1 : (double)c + 1;
        const perc_status st = labels_add_double(l, v, &id, err);
        if (st) return st;
    }
    return PERC_OK;
}

static perc_status make_rows(struct maker *m, const struct generator *g, struct rows *r,
                             perc_dataset *ds, perc_error *err)
{
    struct rng rng = rng_seed(m->seed, STREAM_NOISE);
    const uint64_t rows = (uint64_t)params_int(m->p, "rows");
    uint64_t wrong = (uint64_t)(params_real(m->p, "noise") * (double)rows + 0.5);
    perc_status st;

    for (uint64_t i = 0; i < rows; i++) {
        if (r->n == 0 && (st = add_labels(m, &r->labels, err))) return st;
        if (!rows_reserve(r, 1, m->row_max)) return fail_memory(err);
        uint32_t c = g->row(m, r, i);
        if (rng_below(&rng, rows - i) < wrong) {
            wrong--;
            c = (c + 1 + (uint32_t)rng_below(&rng, m->classes - 1)) % m->classes;
        }
        rows_end(r, c, 1, (uint32_t)r->n);
        if (r->n < CHUNK_ROWS && r->entries < CHUNK_ENTRIES && i + 1 < rows) continue;
        if (dataset_add_rows(ds, r)) return fail_memory(err);
        rows_reset(r);
    }
    return PERC_OK;
}

perc_status perc_dataset_generate(const perc_env *env, const perc_params *p, perc_dataset **out,
                                  perc_error *err)
{
    NEED_OUT(out);
    NEED_PARAMS(p, "generator");
    const struct env e = env_resolve(env);
    const double begun = clock_seconds();
    struct maker m = { .e = e, .p = p, .classes = 2 };
    struct rows r;
    perc_dataset *ds = NULL;
    size_t k = 0;

    while (generator_tables[k].name != NULL && &generator_tables[k] != p->table) k++;
    if (generator_tables[k].name == NULL)
        return fail(err, PERC_EARG, "'%s' is not a generator", p->table->name);

    rows_init(&r, &e);
    perc_status st = dataset_new(&e, &ds) ? fail_memory(err) : PERC_OK;
    m.seed = (uint64_t)params_int(p, "seed");
    m.points = rng_seed(m.seed, STREAM_POINTS);
    m.digits = (int)params_int(p, "digits");
    m.features = has_param(p, "features") ? (uint32_t)params_int(p, "features") : 2;
    m.row_max = m.features;
    m.deviation = has_param(p, "spread") ? params_real(p, "spread") : 0;
    if (st || (generators[k].start != NULL && (st = generators[k].start(&m, err)))) goto done;
    if ((st = make_rows(&m, &generators[k], &r, ds, err))) goto done;
    ds->index_base = 1; /* as its LIBSVM text has it */
    ds->format = "memory";
    ds->seconds = clock_seconds() - begun;
    *out = ds; /* the caller's now */
    ds = NULL;
done:
    perc_dataset_free(ds);
    mem_free(&e, m.x, m.features, sizeof *m.x);
    mem_free(&e, m.rule, m.rule_n, sizeof *m.rule);
    generate_sparse_free(&m);
    rows_free(&r);
    return st;
}
