/* map.c -- all monomials of a row, in the order of their numbers.
 *
 * Let the entries of the row be x_1 .. x_n, by column, and T_k(i) the list of the
 * monomials of degree at most k of the first i of them, by rank (map.h, (1)), the
 * constant first. Those with x_i come after those without, and are x_i times a
 * monomial of degree at most k - 1:
 *
 *     T_k(i) = T_k(i - 1),  x_i T_{k-1}(i)          T_0(i) = T_k(0) = (1)          (2)
 *
 * and the rank of x_i m is C(a_i + k - 1, k) + rank of m, with a_i the number of the
 * variable. So for each entry every list is extended by a multiple of the one below it:
 * one addition and one multiplication a monomial, in increasing order, nothing sorted.
 *
 * The lists need no memory but that of the result. T_k has S_k(i) = C(i + k, k)
 * members; let T_k, k < D, end where the arrays end. Before the last entry T_k ends at
 *
 *     S_k(n) - S_k(n - 1) = S_{k-1}(n)
 *
 * from the end of the arrays, where T_{k-1} begins; and the last entry turns T_{k-1},
 * which nobody needs any more, into the last part of T_k in its place.
 *
 * Buckets. The same walk with a random number for each variable in place of the
 * binomials, modulo 2^32: the sum over a multiset does not depend on the order. A
 * mixing step makes a bucket and a sign of it. Without that step x1*x3 and x2*x3 would
 * share a bucket whenever x1 and x2 nearly do. The sign makes the expected product of
 * two images that of the full ones. Entries are sorted by bucket, stably.
 *
 * A lift with C > 0 is the same list with the constant in front. With C = 0 the lists have
 * the monomials of degree k alone: T_0(i) = (1), and T_k(0), k > 0, is empty. Then S_k(i) is
 * C(i + k - 1, k), and all of the above holds.
 *
 * Not here: scratch memory and its limits, and the factors of a lift (lens.c). */
#include "data/map.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "data/products.h"

/* ----- the specification ------------------------------------------------------------ */

/* A number from 1 to max in [s, end); 0 if there is none. */
static unsigned small_number(const char *s, const char *end, unsigned max)
{
    int64_t v;

    if (s == end || *s < '0' || *s > '9') return 0;
    if (!number_parse_int(s, (size_t)(end - s), &v)) return 0;
    return v >= 1 && v <= (int64_t)max ? (unsigned)v : 0;
}

/* What stands behind the degree: buckets of poly, C of lift. */
static perc_status parse_rest(const char *spec, const char *rest, struct map *m, perc_error *err)
{
    const char *end = spec + strlen(spec);

    if (m->kind == MAP_POLY && rest != NULL) {
        if (strncmp(rest, ":hash:", 6) == 0) m->bits = small_number(rest + 6, end, MAP_BITS_MAX);
        if (m->bits == 0)
            return fail(
                err, PERC_EARG,
                "map '%.40s': after the degree, expected nothing, or :hash: and a number of "
                "bits from 1 to %d, as in poly:%u:hash:24",
                spec, MAP_BITS_MAX, m->degree);
    } else if (m->kind == MAP_LIFT) {
        m->c = 1;
        if (rest != NULL && (!number_parse(rest + 1, (size_t)(end - rest - 1), &m->c) ||
                             !(m->c >= 0 && m->c <= MAP_CONSTANT_MAX)))
            return fail(err, PERC_EARG,
                        "map '%.40s': after the degree, expected nothing, or the C of (x.z + C)^%u "
                        "from 0 to %g, as in lift:%u:0",
                        spec, m->degree, MAP_CONSTANT_MAX, m->degree);
        m->c += 0; /* -0 */
    } else if (rest != NULL) {
        return fail(err, PERC_EARG, "map '%.40s': expected nothing after the degree", spec);
    }
    return PERC_OK;
}

static const char *const kind_word[] = {
    [MAP_POLY] = "poly:", [MAP_PRODUCTS] = "products:", [MAP_LIFT] = "lift:"
};
enum { KINDS = sizeof kind_word / sizeof *kind_word };

perc_status map_parse(const char *spec, struct map *out, perc_error *err)
{
    struct map m = { 0 };
    unsigned kind = 0;
    perc_status st;

    *out = m;
    if (strcmp(spec, "none") == 0) return PERC_OK;
    while (kind < KINDS && strncmp(spec, kind_word[kind], strlen(kind_word[kind])) != 0) kind++;
    if (kind == KINDS)
        return fail(err, PERC_EARG,
                    "unknown map '%.40s': use none, poly:D, poly:D:hash:BITS, products:D, lift:D "
                    "or lift:D:C",
                    spec);
    const char *degree = spec + strlen(kind_word[kind]), *rest = strchr(degree, ':');
    m.kind = (enum map_kind)kind;
    m.degree = small_number(degree, rest != NULL ? rest : spec + strlen(spec), MAP_DEGREE_MAX);
    if (m.degree == 0)
        return fail(err, PERC_EARG, "map '%.40s': expected a degree from 1 to %d after %s", spec,
                    MAP_DEGREE_MAX, kind_word[kind]);
    if ((st = parse_rest(spec, rest, &m, err))) return st;
    if (m.degree > 1 || m.bits > 0 || m.c > 0) *out = m; /* else it is the identity */
    return PERC_OK;
}

void map_option(const struct map *m, char buf[MAP_SPEC])
{
    char c[NUMBER_TEXT];

    if (m->degree == 0) snprintf(buf, MAP_SPEC, "none");
    else if (m->bits > 0) snprintf(buf, MAP_SPEC, "poly:%u:hash:%u", m->degree, m->bits);
    else if (m->kind != MAP_LIFT || m->c == 1)
        snprintf(buf, MAP_SPEC, "%s%u", kind_word[m->kind], m->degree);
    else snprintf(buf, MAP_SPEC, "lift:%u:%.*s", m->degree, (int)number_format(m->c, c), c);
}

_Static_assert((int)MAP_DEGREE_MAX == (int)PRODUCTS_DEGREE_MAX, "products of as many features");

/* ----- counting --------------------------------------------------------------------- */

/* C(n + k, k), or UINT64_MAX. The factors i of k! are taken out before each product,
 * so that nothing exceeds the result: what C(n+i-1, i-1) leaves of i divides n + i. */
static uint64_t choose(uint64_t n, unsigned k)
{
    uint64_t c = 1;

    if (n > UINT64_MAX - k) return UINT64_MAX;
    for (unsigned i = 1; i <= k; i++) {
        uint64_t g = c; /* the greatest common divisor of c and i */
        for (uint64_t b = i, r; b > 0; g = b, b = r) r = g % b;
        if (__builtin_mul_overflow(c / g, (n + i) / (i / g), &c)) return UINT64_MAX;
    }
    return c;
}

/* Variables among `inputs` columns. */
static uint64_t variables(const struct map *m, uint64_t inputs)
{
    return inputs > m->first ? inputs - m->first : 0;
}

/* Whether all monomials are of degree D, and whether the constant has a column. */
static bool is_homogeneous(const struct map *m)
{
    return m->kind == MAP_LIFT && m->c == 0;
}

static bool has_constant(const struct map *m)
{
    return m->kind == MAP_LIFT && m->c > 0;
}

/* Members of T_k(n), (2). */
static uint64_t list_size(const struct map *m, uint64_t n, unsigned k)
{
    if (!is_homogeneous(m) || k == 0) return choose(n, k);
    return n > 0 ? choose(n - 1, k) : 0;
}

uint64_t map_entries(const struct map *m, uint64_t n)
{
    if (m->degree == 0) return n;
    if (m->kind == MAP_PRODUCTS) return products_count(m->degree, n);
    const uint64_t c = list_size(m, n, m->degree);
    return m->kind == MAP_POLY && c < UINT64_MAX ? c - 1 : c; /* the constant is the offset */
}

uint64_t map_columns(const struct map *m, uint64_t inputs)
{
    if (m->degree == 0) return inputs;
    if (m->bits > 0) return m->first + ((uint64_t)1 << m->bits);
    const uint64_t n = map_entries(m, variables(m, inputs));
    return n < UINT64_MAX ? m->first + n : n;
}

uint64_t map_room(const struct map *m, uint64_t n)
{
    const uint64_t c = map_entries(m, n), more = m->bits > 0 ? c : m->kind == MAP_PRODUCTS ? n : 0;

    return c <= UINT64_MAX - more ? c + more : UINT64_MAX;
}

/* ----- too many ------------------------------------------------------------------------ */

enum { WORD = 40, BITS_ADVISED = 24 };

/* "28,774,195" for people; from 2^64 on, three digits of it. */
static const char *count_text(char buf[WORD], uint64_t n, double about)
{
    char digits[WORD];
    size_t k = 0;

    if (n == UINT64_MAX) {
        snprintf(buf, WORD, "%.2e", about);
        return buf;
    }
    const int len = snprintf(digits, sizeof digits, "%" PRIu64, n);
    for (int i = 0; i < len; i++) {
        if (i > 0 && (len - i) % 3 == 0) buf[k++] = ',';
        buf[k++] = digits[i];
    }
    buf[k] = '\0';
    return buf;
}

static const char *bytes_text(char buf[WORD], double bytes)
{
    static const char unit[][3] = { "GB", "TB", "PB", "EB" };
    size_t k = 0;

    for (bytes /= 1e9; bytes >= 999.5 && k < 3; k++) bytes /= 1000;
    snprintf(buf, WORD, bytes < 999.5 ? "%.0f %s" : "%.2e %s", bytes, unit[k]);
    return buf;
}

/* Why a map is refused, with the remedies: the highest degree that fits, and buckets; or the
 * kernel that a map stands for. */
static perc_status fail_columns(const struct map *m, perc_error *err)
{
    const uint64_t n = variables(m, m->inputs), all = map_entries(m, n);
    struct map less = *m;
    char spec[MAP_SPEC], made[WORD], given[WORD], size[WORD], lower[WORD] = "";
    double about = 1;

    for (unsigned i = 1; i <= m->degree; i++)
        about *= m->kind == MAP_PRODUCTS ? (double)n : ((double)n + i) / i;
    while (less.degree > 1 && map_columns(&less, m->inputs) > MAP_COLUMNS_MAX) less.degree--;
    map_option(m, spec);
    if (less.degree > 1 && m->kind == MAP_POLY)
        snprintf(lower, sizeof lower, "poly:%u, or ", less.degree);
    char remedy[2 * WORD];
    if (m->kind == MAP_POLY)
        snprintf(remedy, sizeof remedy, "%spoly:%u:hash:%d", lower, m->degree, BITS_ADVISED);
    else
        snprintf(remedy, sizeof remedy, "--kernel poly --degree %u --coef0 %g, which needs no map",
                 m->degree, m->kind == MAP_LIFT ? m->c : 0);
    return fail(err, PERC_EARG, "--map %s makes %s features out of %s: %s of weights (use %s)",
                spec, count_text(made, all, about), count_text(given, n, (double)n),
                bytes_text(size, about * sizeof(double)), remedy);
}

perc_status map_set_inputs(struct map *m, uint64_t first, uint64_t inputs, perc_error *err)
{
    struct map next = *m;

    next.first = first;
    next.inputs = inputs;
    if (m->degree > 0 && map_columns(&next, inputs) > MAP_COLUMNS_MAX)
        return fail_columns(&next, err);
    *m = next;
    return PERC_OK;
}

/* ----- the image of a row --------------------------------------------------------------- */

struct support map_support(const struct map *m, const struct row *x)
{
    struct support s = { 0 };
    struct row_entries p;

    for (size_t from = 0, n; from < x->n; from += n) {
        n = row_entries_read(x, from, &p);
        for (size_t k = 0; k < n; k++) {
            const double size = p.x[k] < 0 ? -p.x[k] : p.x[k];
            if (size == 0 || p.column[k] >= m->inputs) continue;
            if (p.column[k] < m->first) {
                s.below = true;
                continue;
            }
            s.n++;
            if (size > s.largest) {
                s.largest = size;
                s.at = p.column[k];
            }
        }
    }
    return s;
}

/* C(a + k - 1, k), which is known to be at most MAP_COLUMNS_MAX, as is a: no product
 * here exceeds 2^63. Each quotient is exact. */
static uint32_t binomial(uint64_t a, unsigned k)
{
    uint64_t c = a;

    for (unsigned i = 2; i <= k; i++) c = c * (a + i - 1) / i;
    return (uint32_t)c;
}

/* A random number for each variable (the mixing steps of SplitMix64, Steele, Lea and
 * Flood 2014), whose sum over a monomial stands for it. */
static uint32_t scatter(uint64_t a)
{
    a *= 0x9e3779b97f4a7c15u;
    a = (a ^ a >> 30) * 0xbf58476d1ce4e5b9u;
    a = (a ^ a >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)(a >> 32);
}

/* The lists T_0 .. T_D of the walk (2): members from[k] .. next[k] - 1 of the arrays.
 * T_D lacks the constant. */
struct lists {
    uint32_t *column;
    double *value;
    size_t from[MAP_DEGREE_MAX + 1], next[MAP_DEGREE_MAX + 1];
};

/* T_k gets x T_{k-1} as its next part. Source and target are apart or the same. */
static void append_products(struct lists *t, unsigned k, uint32_t rank, double x)
{
    const size_t n = t->next[k - 1] - t->from[k - 1];
    const uint32_t *column = t->column + t->from[k - 1];
    const double *value = t->value + t->from[k - 1];
    uint32_t *to_column = t->column + t->next[k];
    double *to_value = t->value + t->next[k];

    for (size_t i = 0; i < n; i++) to_column[i] = rank + column[i];
    for (size_t i = 0; i < n; i++) to_value[i] = x * value[i];
    t->next[k] += n;
}

/* Entry x of variable a: every list is extended, the shortest first. */
static void extend_lists(const struct map *m, struct lists *t, uint64_t a, double x)
{
    const unsigned d = m->degree;
    const uint32_t hash = m->bits > 0 ? scatter(a) : 0;
    const uint32_t zero = (uint32_t)m->first - (m->kind == MAP_POLY); /* the column of rank 0 */

    if (is_homogeneous(m)) a--;
    for (unsigned k = 1; k < d; k++) append_products(t, k, m->bits > 0 ? hash : binomial(a, k), x);
    append_products(t, d, m->bits > 0 ? hash : zero + binomial(a, d), x);
}

/* The walk. All monomials of the n entries, `count` of them, by rank, without the constant. */
static void expand_row(const struct map *m, const struct row *x, size_t n, size_t count,
                       uint32_t *column, double *value)
{
    struct lists t = { .column = column, .value = value };
    struct row_entries p;

    for (unsigned k = 0; k < m->degree; k++) { /* the constant */
        t.next[k] = t.from[k] = count - (size_t)list_size(m, n, k);
        if (k > 0 && is_homogeneous(m)) continue;
        column[t.from[k]] = 0;
        value[t.next[k]++] = 1;
    }
    for (size_t from = 0, got; from < x->n; from += got) {
        got = row_entries_read(x, from, &p);
        for (size_t k = 0; k < got; k++)
            if (p.x[k] != 0 && p.column[k] >= m->first && p.column[k] < m->inputs)
                extend_lists(m, &t, p.column[k] - m->first + 1, p.x[k]);
    }
}

/* ----- buckets -------------------------------------------------------------------------- */

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS, SORT_SMALL = 48 };

/* One pass of a radix sort: from `in` to `out`, by the digit at `shift`, stably. */
static void sort_digit(const uint32_t *in, const double *in_value, uint32_t *out, double *out_value,
                       size_t n, unsigned shift)
{
    size_t at[DIGITS] = { 0 }, sum = 0;

    for (size_t i = 0; i < n; i++) at[in[i] >> shift & (DIGITS - 1)]++;
    for (size_t d = 0; d < DIGITS; d++) {
        const size_t here = at[d];
        at[d] = sum;
        sum += here;
    }
    for (size_t i = 0; i < n; i++) {
        const size_t k = at[in[i] >> shift & (DIGITS - 1)]++;
        out[k] = in[i];
        out_value[k] = in_value[i];
    }
}

/* How often a sort of n entries passes from one half of the arrays to the other. */
static unsigned sort_passes(const struct map *m, size_t n)
{
    return n <= SORT_SMALL ? 0 : (m->bits + DIGIT_BITS - 1) / DIGIT_BITS;
}

/* The n entries lie in the half from which the sorted ones come out in front. */
static void sort_buckets(const struct map *m, uint32_t *column, double *value, size_t n)
{
    const unsigned passes = sort_passes(m, n);

    if (passes == 0) {
        for (size_t i = 1; i < n; i++) {
            const uint32_t c = column[i];
            const double v = value[i];
            size_t k = i;
            for (; k > 0 && column[k - 1] > c; k--) {
                column[k] = column[k - 1];
                value[k] = value[k - 1];
            }
            column[k] = c;
            value[k] = v;
        }
    }
    for (unsigned k = 0; k < passes; k++) {
        const size_t in = (passes - k) % 2 == 1 ? n : 0, out = n - in;
        sort_digit(column + in, value + in, column + out, value + out, n, k * DIGIT_BITS);
    }
}

size_t map_row(const struct map *m, const struct row *x, uint32_t *column, double *value)
{
    const size_t n = map_support(m, x).n, count = (size_t)map_entries(m, n);
    const size_t constant = has_constant(m);

    if (m->kind == MAP_PRODUCTS) {
        const struct products all = { m->degree, m->first, m->inputs };
        return products_row(&all, x, n, column, value);
    }
    if (constant) {
        column[0] = (uint32_t)m->first;
        value[0] = 1;
    }
    if (m->bits == 0) {
        if (n > 0) expand_row(m, x, n, count - constant, column + constant, value + constant);
        return count;
    }
    const size_t at = sort_passes(m, count) % 2 == 1 ? count : 0;
    if (n > 0) expand_row(m, x, n, count, column + at, value + at);
    /* From the sum that stands for a monomial to its bucket, in the upper bits, and its sign, in
     * the lowest (the finaliser of MurmurHash3, Appleby 2011). */
    for (size_t i = at; i < at + count; i++) {
        uint32_t h = column[i];
        h = (h ^ h >> 16) * 0x85ebca6bu;
        h = (h ^ h >> 13) * 0xc2b2ae35u;
        h ^= h >> 16;
        column[i] = h >> (32 - m->bits);
        if (h & 1) value[i] = -value[i];
    }
    sort_buckets(m, column, value, count);
    /* Entries of the same column become one, summed up in their order. */
    size_t sums = 0;
    for (size_t i = 0; i < count; i++) {
        if (sums > 0 && column[sums - 1] == column[i]) {
            value[sums - 1] += value[i];
        } else {
            column[sums] = column[i];
            value[sums++] = value[i];
        }
    }
    for (size_t i = 0; i < sums; i++) column[i] += (uint32_t)m->first;
    return sums;
}

/* ----- names ------------------------------------------------------------------------------ */

/* The largest a with C(a + k - 1, k) <= rank: the next variable of (1). */
static uint64_t variable_of(uint64_t rank, unsigned k)
{
    uint64_t low = 0, high = rank + 1; /* C(low + k - 1, k) <= rank < C(high + k - 1, k) */

    while (high - low > 1) {
        const uint64_t a = low + (high - low) / 2;
        if (choose(a - 1, k) <= rank) low = a;
        else high = a;
    }
    return low;
}

unsigned map_features(const struct map *m, uint64_t column, uint64_t feature[MAP_DEGREE_MAX])
{
    const struct products all = { m->degree, m->first, m->inputs };
    const bool from_one = is_homogeneous(m);
    uint64_t rank = column - m->first + (m->kind == MAP_POLY);
    unsigned n = 0;

    if (m->kind == MAP_PRODUCTS) return products_features(&all, column, feature);
    for (unsigned k = m->degree; k > 0; k--) {
        uint64_t a = variable_of(rank, k); /* (1) */
        if (a > 0) rank -= choose(a - 1, k);
        a += from_one;
        if (a > 0) feature[n++] = a - 1 + m->first;
    }
    return n;
}

struct map_factor map_factor(const struct map *m, uint64_t column)
{
    struct map_factor f = { 1, 0 };
    uint64_t feature[MAP_DEGREE_MAX];

    if (m->kind != MAP_LIFT) return f;
    const unsigned n = map_features(m, column, feature);
    f.power = m->degree - n;
    /* D! / e_0! one factor at a time, each divided by how often its feature has come. */
    for (unsigned i = 0, run = 0; i < n; i++) {
        run = i > 0 && feature[i] == feature[i - 1] ? run + 1 : 1;
        f.multinomial = f.multinomial * (m->degree - i) / run;
    }
    return f;
}

static double factor_value(const struct map *m, uint64_t column)
{
    const struct map_factor f = map_factor(m, column);
    double v = f.multinomial;

    for (unsigned k = 0; k < f.power; k++) v *= m->c;
    return v;
}

void map_factors(const struct map *m, size_t n, double *root)
{
    for (size_t i = 0; i < n; i++) root[i] = sqrt(factor_value(m, m->first + i));
}

/* The root of the factor, if it is not 1: "2*", or "sqrt(2)*". */
static void add_root(const struct map *m, uint64_t column, struct text *out)
{
    const double v = factor_value(m, column), root = sqrt(v);
    const bool whole = root == floor(root) && root * root == v;
    char buf[NUMBER_TEXT];

    if (v != 1)
        text_fmt(out, whole ? "%.*s" : "sqrt(%.*s)", (int)number_format(whole ? root : v, buf),
                 buf);
}

void map_name(const struct map *m, uint64_t column, map_name_fn *name, void *ud, struct text *out)
{
    uint64_t feature[MAP_DEGREE_MAX];
    const bool ordered = m->kind == MAP_PRODUCTS;

    if (m->bits > 0) {
        text_fmt(out, "bucket %" PRIu64, column - m->first);
        return;
    }
    const unsigned n = map_features(m, column, feature);
    const size_t begin = out->len;
    if (m->kind == MAP_LIFT) add_root(m, column, out);
    for (unsigned k = n, power; k > 0; k -= power) {
        for (power = 1; !ordered && k > power && feature[k - power - 1] == feature[k - 1];) power++;
        if (out->len > begin) text_char(out, '*');
        if (name != NULL) name(ud, feature[k - 1], out);
        else text_fmt(out, "x%" PRIu64, feature[k - 1]);
        if (power > 1) text_fmt(out, "^%u", power);
    }
    if (out->len == begin) text_char(out, '1');
}
