/* test_ticks.c -- round numbers beside a scale: for any range they are few, in order, evenly
 * apart by 1, 2 or 5 times a power of ten, and their texts say exactly where they are. */
#include "show/ticks.h"

#include "t_figure.h"

/* The number that a tick's text is. */
static double read_tick(const char *text)
{
    char plain[TICK_TEXT];
    size_t n = 0;
    double v;

    for (; *text != '\0'; text++)
        if (*text != ',') plain[n++] = *text;
    assert_true(number_parse(plain, n, &v));
    return v;
}

/* A difference of two ticks, freed of its rounding: 1, 2 or 5 times a power of ten. */
static double round_step(double v)
{
    char buf[32];
    double step;

    snprintf(buf, sizeof buf, "%.0e", v);
    assert_true(buf[0] == '1' || buf[0] == '2' || buf[0] == '5');
    assert_true(number_parse(buf, strlen(buf), &step));
    assert_true(fabs(v - step) <= 1e-5 * step);
    return step;
}

static void check_even(const struct ticks *t, const struct scale *s)
{
    const double step = round_step(t->at[1].value - t->at[0].value);

    for (size_t i = 0; i < t->n; i++) {
        const double even = t->at[0].value + (double)i * step;
        assert_true(fabs(t->at[i].value - even) <= 1e-5 * step); /* 1e-10 of their size */
        const double k = t->at[i].value / step;
        assert_true(fabs(k - nearbyint(k)) <= 1e-5); /* a multiple of it */
    }
    /* and none is missing at the ends */
    assert_true(t->at[0].value - step < s->from + 1e-6 * step);
    assert_true(t->at[t->n - 1].value + step > s->to - 1e-6 * step);
}

static void check(const struct scale *s, int want)
{
    struct ticks t;
    char buf[TICK_TEXT], last[TICK_TEXT] = "";

    ticks_make(&t, s, want);
    assert_in_range(t.n, s->whole ? 1 : 2, TICKS);
    const double slip = 1e-8 * (s->to / 2 - s->from / 2);
    for (size_t i = 0; i < t.n; i++) {
        assert_true(t.at[i].value >= s->from - slip && t.at[i].value <= s->to + slip);
        assert_true(i == 0 || t.at[i].value > t.at[i - 1].value);
        ticks_text(buf, &t, i, false);
        assert_true(read_tick(buf) == t.at[i].value); /* to the last bit */
        assert_string_not_equal(buf, last);
        assert_true(!s->whole || t.at[i].value == nearbyint(t.at[i].value));
        snprintf(last, sizeof last, "%s", buf);
        assert_true(t_utf8(ticks_text(buf, &t, i, true)));
    }
    if (!s->log && t.n >= 2 && s->to - s->from < 1e300) check_even(&t, s);
    if (!s->log) assert_true(t.n <= (size_t)want + 2 || t.n <= 6);
}

static double any(struct rng *r, double spread)
{
    const double e = spread * (2 * rng_uniform(r) - 1);

    return (rng_uniform(r) < 0.5 ? -1 : 1) * (1 + 9 * rng_uniform(r)) * pow(10, e);
}

TEST(ticks_of_any_range_are_round)
{
    struct rng r = rng_seed(7, 0);

    for (int i = 0; i < 40000; i++) {
        const double spread = i % 3 == 0 ? 2 : i % 3 == 1 ? 12 : 300;
        struct span s = { .any = false };
        ticks_span(&s, any(&r, spread));
        if (i % 7 != 0)
            ticks_span(&s, i % 5 == 0 ? s.low * (1 + any(&r, 6) * 1e-9) : any(&r, spread));
        s.room = i % 2 == 0;
        s.zero = i % 4 < 2;
        const bool log = i % 11 == 0, whole = i % 13 == 0;
        const struct scale c = ticks_scale(&s, NAN, NAN, log, whole);
        assert_true(isfinite(c.from) && isfinite(c.to) && c.from < c.to);
        assert_true(log ||
                    (ticks_fraction(&c, s.low) >= -1e-9 && ticks_fraction(&c, s.high) <= 1 + 1e-9));
        if (whole && (c.to - c.from < 2 || c.to - c.from > 1e15)) continue;
        check(&c, 2 + i % 9);
    }
}

TEST(scales_turn_back)
{
    const struct scale line = { -3, 5, false, false }, log = { 1e-3, 1e5, true, false };

    assert_true(ticks_fraction(&line, -3) == 0 && ticks_fraction(&line, 5) == 1 &&
                ticks_fraction(&line, 1) == 0.5);
    assert_true(fabs(ticks_fraction(&log, 10) - 0.5) < 1e-14); /* the logarithm's own error */
    assert_true(ticks_fraction(&log, 0) == -SCALE_FAR && ticks_fraction(&log, -1) == -SCALE_FAR);
    const struct scale huge = { -1.5e308, 1.5e308, false, false };
    assert_true(ticks_fraction(&huge, 0) == 0.5 && ticks_fraction(&huge, 1.5e308) == 1);
    assert_true(isnan(ticks_fraction(&line, NAN)) && isnan(ticks_fraction(&line, INFINITY)));
    for (double share = 0; share <= 1; share += 0.125) {
        assert_true(fabs(ticks_fraction(&line, ticks_value(&line, share)) - share) < 1e-15);
        assert_true(fabs(ticks_fraction(&log, ticks_value(&log, share)) - share) < 1e-13);
    }
}

static void texts(const struct scale *s, int want, bool fine, const char *expected)
{
    struct ticks t;
    char buf[TICK_TEXT], all[TICKS * TICK_TEXT] = "";

    ticks_make(&t, s, want);
    for (size_t i = 0; i < t.n; i++) {
        const size_t n = strlen(all);
        snprintf(all + n, sizeof all - n, "%s|", ticks_text(buf, &t, i, fine));
    }
    assert_string_equal(all, expected);
}

TEST(texts_are_as_people_write_them)
{
    texts(&(struct scale){ 0, 1, false, false }, 5, false, "0|0.2|0.4|0.6|0.8|1.0|");
    texts(&(struct scale){ -1, 1, false, false }, 4, true, "−1.0|−0.5|0|0.5|1.0|");
    texts(&(struct scale){ 0, 3, false, true }, 8, false, "0|1|2|3|");
    texts(&(struct scale){ 0, 4000, false, false }, 4, false, "0|1000|2000|3000|4000|");
    texts(&(struct scale){ 0, 20000, false, false }, 4, false, "0|5,000|10,000|15,000|20,000|");
    texts(&(struct scale){ 0, 3e8, false, false }, 3, true, "0|10⁸|2×10⁸|3×10⁸|");
    texts(&(struct scale){ 0, 3e-8, false, false }, 6, false,
          "0|5e-9|1e-8|1.5e-8|2e-8|2.5e-8|3e-8|");
    texts(&(struct scale){ 1, 1000, true, false }, 5, false, "1|10|100|1000|");
    texts(&(struct scale){ 1e-6, 1, true, false }, 4, true, "10⁻⁶|10⁻⁴|10⁻²|10⁰|");
    texts(&(struct scale){ 1, 20, true, false }, 6, false, "1|2|5|10|20|");
}

/* Ends that are swapped, or lie beyond all values, still make a scale. */
TEST(ends_may_lie_anywhere)
{
    static const struct {
        double from, to, low, high;
    } c[] = {
        { 5, 2, 2, 5 },      /* swapped */
        { 9, NAN, 9, 9 },    /* beyond all values */
        { NAN, -9, -9, -9 }, /* before them */
        { 0, 1, 0, 1 },
    };

    for (size_t i = 0; i < COUNT(c); i++) {
        struct span values = { 0 };

        ticks_span(&values, 1);
        ticks_span(&values, 2);
        const struct scale s = ticks_scale(&values, c[i].from, c[i].to, false, false);
        assert_true(s.from <= c[i].low && s.to >= c[i].high && s.from < s.to);
        values = (struct span){ 0 }; /* and without any */
        const struct scale none = ticks_scale(&values, c[i].from, c[i].to, false, false);
        assert_true(none.from <= c[i].low && none.to >= c[i].high && none.from < none.to);
    }
}
