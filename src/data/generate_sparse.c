/* generate_sparse.c -- rows like short texts, for measuring speed and learning
 * from many features.
 *
 * A row is a text of words 1 .. d. Word k comes up with probability p_k in
 * proportion to 1 / (k + HEAD)^exponent (Zipf 1935, as Mandelbrot 1953 has it:
 * HEAD flattens the few commonest, as leaving out stop words does). The number of
 * different words is log-normal around `nonzeros`. A word that comes up tf times
 * has the value
 *
 *     (1 + log tf) idf_k ,   idf_k = log(1 + 1 / (nonzeros p_k)) ,
 *
 * and the row is scaled to length one, then rounded. The label is the sign of a
 * hidden linear rule: one pair of neighbours in RULE_SHARE carries the weights
 * a / idf_k and -a / idf_k+1, a normal; neighbours are about equally common, so
 * the classes come out about equal. Many words with a weight are rare: that, more
 * than noise, is what makes the rule hard to learn. With the defaults and 200,000
 * rows a linear machine errs on 17 to 19 of 100 new rows, as it may with texts.
 *
 * Words are drawn in constant time by the alias method (Walker 1977; the table
 * after Vose 1991). */
#include <math.h>

#include "data/generate.h"
#include "vec/fmath.h"

enum {
    RULE_SHARE = 4,
    LENGTH_MAX = 8, /* times the mean: the longest row                          */
    PATIENCE = 16   /* draws for each word wanted; a row that runs out of them
                        has fewer words (few features, or a steep exponent) */
};
static const double HEAD = 4;
static const double LENGTH_SIGMA = 0.5; /* of the logarithm of a row's length */

struct vocabulary_word {
    double keep;    /* alias method: this word if the coin is below, else ... */
    uint32_t other; /* ... this one                                           */
    uint32_t times; /* in the row being made                                  */
    double p, idf, weight;
};

struct vocabulary {
    struct vocabulary_word *word; /* word k is at k - 1 */
    uint32_t n;
    uint32_t *row; /* words of the row being made, row_max */
    size_t row_max;
    double mean; /* words of a row */
};

void generate_sparse_free(struct maker *m)
{
    struct vocabulary *s = m->sparse;

    if (s == NULL) return;
    mem_free(&m->e, s->word, s->n, sizeof *s->word);
    mem_free(&m->e, s->row, s->row_max, sizeof *s->row);
    mem_free(&m->e, s, 1, sizeof *s);
    m->sparse = NULL;
}

/* Every word gets a cell of size 1; what a common word has above 1 fills up the
 * cells of rare ones. Two stacks in one array: rare from the left, common from
 * the right. */
static void set_aliases(struct vocabulary *s, uint32_t *stack)
{
    uint32_t rare = 0, common = s->n;

    for (uint32_t k = 0; k < s->n; k++) {
        s->word[k].keep = s->word[k].p * s->n;
        s->word[k].other = k;
        if (s->word[k].keep < 1) stack[rare++] = k;
        else stack[--common] = k;
    }
    while (rare > 0 && common < s->n) {
        struct vocabulary_word *a = &s->word[stack[--rare]], *b = &s->word[stack[common]];
        a->other = stack[common];
        b->keep = b->keep + a->keep - 1;
        if (b->keep < 1) stack[rare++] = stack[common++];
    }
    while (rare > 0) s->word[stack[--rare]].keep = 1; /* rounding left these over */
    while (common < s->n) s->word[stack[common++]].keep = 1;
}

perc_status generate_sparse_start(struct maker *m, perc_error *err)
{
    const int64_t mean = params_int(m->p, "nonzeros");
    uint32_t *stack = NULL;
    struct vocabulary *s;

    if (mean > m->features)
        return fail(err, PERC_EARG, "nonzeros is %lld; it must not exceed features, which is %lu",
                    (long long)mean, (unsigned long)m->features);
    if ((s = mem_zeroed(&m->e, 1, sizeof *s)) == NULL) return fail_memory(err);
    m->sparse = s; /* generate_sparse_free takes it from here */
    s->n = m->features;
    s->mean = (double)mean;
    s->row_max = (size_t)mean * LENGTH_MAX < s->n ? (size_t)mean * LENGTH_MAX : s->n;
    m->row_max = s->row_max;
    s->word = mem_zeroed(&m->e, s->n, sizeof *s->word);
    s->row = mem_array(&m->e, s->row_max, sizeof *s->row);
    stack = mem_array(&m->e, s->n, sizeof *stack);
    const bool ok = stack != NULL && s->word != NULL && s->row != NULL;
    if (ok) {
        const double exponent = params_real(m->p, "exponent");
        double sum = 0;
        for (uint32_t k = 0; k < s->n; k++) {
            s->word[k].p = fm_pow(k + 1 + HEAD, -exponent);
            sum += s->word[k].p;
        }
        for (uint32_t k = 0; k < s->n; k++) {
            s->word[k].p /= sum;
            s->word[k].idf = fm_log(1 + 1 / (s->mean * s->word[k].p));
        }
        set_aliases(s, stack);
        struct rng rng = rng_seed(m->seed, STREAM_RULE);
        for (uint32_t k = 0; k + 1 < s->n; k += 2) {
            if (rng_below(&rng, RULE_SHARE) != 0) continue;
            const double a = rng_normal(&rng);
            s->word[k].weight = a / s->word[k].idf;
            s->word[k + 1].weight = -a / s->word[k + 1].idf;
        }
    }
    mem_free(&m->e, stack, s->n, sizeof *stack);
    return ok ? PERC_OK : fail_memory(err);
}

/* ----- a row ---------------------------------------------------------------- */

static size_t draw_words(struct vocabulary *s, struct rng *rng)
{
    /* exp(sigma z - sigma^2 / 2) has mean 1. */
    const double z = LENGTH_SIGMA * rng_normal(rng) - LENGTH_SIGMA * LENGTH_SIGMA / 2;
    const double length = floor(s->mean * fm_exp(z) + 0.5);
    const size_t want = length < 1 ? 1 : length > (double)s->row_max ? s->row_max : (size_t)length;
    size_t n = 0;

    for (size_t t = 0; n < want && t < PATIENCE * want; t++) {
        const double place = rng_uniform(rng) * s->n; /* cell and coin from one number */
        uint32_t k = (uint32_t)place;
        if (!(place - k < s->word[k].keep)) k = s->word[k].other;
        if (s->word[k].times++ == 0) s->row[n++] = k;
    }
    /* Shell's sort with Ciura's gaps (2001): short, in place, quick for some hundreds. */
    uint32_t *a = s->row;
    static const size_t gap[] = { 8858, 3937, 1750, 701, 301, 132, 57, 23, 10, 4, 1 };

    for (size_t g = 0; g < sizeof gap / sizeof gap[0]; g++) {
        for (size_t i = gap[g]; i < n; i++) {
            const uint32_t x = a[i];
            size_t j = i;
            for (; j >= gap[g] && a[j - gap[g]] > x; j -= gap[g]) a[j] = a[j - gap[g]];
            a[j] = x;
        }
    }
    return n;
}

static double word_value(const struct vocabulary_word *w)
{
    return w->times > 1 ? (1 + fm_log(w->times)) * w->idf : w->idf;
}

uint32_t generate_sparse_row(struct maker *m, struct rows *r, uint64_t i)
{
    struct vocabulary *s = m->sparse;
    const size_t n = draw_words(s, &m->points);
    double norm2 = 0, score = 0;

    (void)i;
    for (size_t j = 0; j < n; j++) {
        const double v = word_value(&s->word[s->row[j]]);
        norm2 += v * v;
    }
    const double norm = sqrt(norm2);
    for (size_t j = 0; j < n; j++) {
        struct vocabulary_word *w = &s->word[s->row[j]];
        score += w->weight * generate_put(m, r, s->row[j] + 1, word_value(w) / norm);
        w->times = 0; /* for the next row */
    }
    return score > 0;
}
