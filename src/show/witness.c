/* witness.c -- what a proof means, and the rows that show a "no", in words that a person can
 * follow.
 *
 * A witness is a handful of rows with weights > 0 whose signed sum is 0. With an offset the
 * weights of either class add up to the same sum, so that divided by it they give two weighted
 * means, one in each convex hull, which are equal. The small cases have names: two
 * equal rows, a row on a segment, two segments with one midpoint. Without an offset there
 * are sums in place of means. With a kernel this holds for the images of the rows. */
#include "show/witness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/word.h"

enum { SHOWN = 8, COORDINATES = 6, DIGITS = 15 };

bool witness_flag(const struct proof_words *t, const char *name)
{
    const char *value = perc_params_get(t->params, name);

    return value != NULL && strcmp(value, "true") == 0;
}

const char *witness_kernel(const struct proof_words *t)
{
    const char *kernel = perc_params_get(t->params, "kernel");

    return kernel == NULL || strcmp(kernel, "linear") == 0 ? "none" : kernel;
}

const char *witness_class(const char *label)
{
    return label != NULL ? label : "the rest";
}

bool witness_positive(const perc_dataset *ds, const perc_part *p, uint64_t row)
{
    const int label = perc_dataset_row_label(ds, row);
    const char *text = label >= 0 ? perc_dataset_label(ds, (size_t)label) : NULL;

    return text != NULL && p->positive != NULL && strcmp(text, p->positive) == 0;
}

/* ----- what a verdict means -------------------------------------------------------- */

/* What it means for logistic regression (Albert and Anderson 1984). The best fit is unique only if
 * the rows have full rank. A class that is separated from all others, or touches them, leaves
 * multinomial regression without a fit, too. */
static void fit_words(const struct proof_words *t, const perc_part *p, char *buf, size_t size)
{
    const bool offset = witness_flag(t, "offset"), rest = p->negative == NULL && t->info.labels > 2;
    const char *who = offset ? "logistic regression" : "logistic regression without an intercept";
    const unsigned long long full = p->features + (offset ? 1 : 0);

    if (p->verdict == PERC_SEPARABLE || p->verdict == PERC_TOUCHING)
        snprintf(buf, size, "; %s has no finite fit (%scomplete separation)%s", who,
                 p->verdict == PERC_TOUCHING ? "quasi-" : "",
                 rest ? ", nor has multinomial regression on all labels" : "");
    else if (t->all.redundant > 0 && p->rank + (uint64_t)t->all.redundant == full)
        snprintf(buf, size, "; %s has a finite fit, the only one without the redundant feature%s",
                 who, t->all.redundant > 1 ? "s" : "");
    else if (p->rank < full)
        snprintf(buf, size, "; %s has a finite fit, but not only one (rank %llu of %llu)", who,
                 (unsigned long long)p->rank, full);
    else snprintf(buf, size, "; %s has a finite fit", who);
}

bool witness_meaning(const struct proof_words *t, const perc_part *p, char buf[WITNESS_SENTENCE])
{
    const bool kernel = strcmp(witness_kernel(t), "none") != 0;
    char fit[256] = "";

    if (p->verdict == PERC_UNDECIDED) return false;
    if (t->info.labels < 2) {
        snprintf(buf, WITNESS_SENTENCE,
                 "there is nothing to tell apart: is it the right column of labels?");
        return true;
    }
    if (p->verdict == PERC_INSEPARABLE)
        snprintf(fit, sizeof fit, "; %s",
                 witness_flag(t, "quick") ? "leave out --quick to tell touching from overlapping"
                                          : "touching or overlapping: a limit came first");
    else if (!kernel) fit_words(t, p, fit, sizeof fit);
    snprintf(buf, WITNESS_SENTENCE, "the %sperceptron %s%s", kernel ? "kernel " : "",
             p->verdict == PERC_SEPARABLE ? "converges, in any order of the rows"
                                          : "goes on making mistakes for ever",
             fit);
    return true;
}

/* ----- weights as fractions ------------------------------------------------------ */

/* A whole number of any length: its first digits, and the number of digits after them. */
struct leading_digits {
    double lead;
    size_t length;
};

static struct leading_digits digits_of(const char *text)
{
    struct leading_digits d = { 0, strlen(text) };
    char lead[DIGITS + 1];

    snprintf(lead, sizeof lead, "%s", text);
    d.lead = word_value(lead);
    return d;
}

/* a / 10^length, below 1: no number of the witness has more digits. */
static double relative(const char *text, size_t length)
{
    const struct leading_digits d = digits_of(text);
    const size_t rest = d.length > DIGITS ? d.length - DIGITS : 0;

    return d.lead * pow(10, (double)rest - (double)length);
}

static uint64_t whole(const char *text) /* at most DIGITS digits */
{
    return (uint64_t)digits_of(text).lead;
}

/* One side of a witness: rows and weights of one class. */
struct side {
    size_t n;
    uint64_t first[2]; /* rows */
    const char *weight[2];
    uint64_t sum; /* of the weights; 0: some have too many digits */
    double about; /* the same, divided by 10^longest */
};

struct witness_sides {
    struct side side[2]; /* positive, negative */
    size_t longest;      /* most digits of a weight */
    bool equal;          /* all weights are equal */
};

static void add_witness(struct side *s, const perc_part *p, size_t i, size_t longest)
{
    if (s->n < 2) {
        s->first[s->n] = p->witness[i];
        s->weight[s->n] = p->weight[i];
    }
    s->n++;
    s->about += relative(p->weight[i], longest);
    s->sum = longest < DIGITS ? s->sum + whole(p->weight[i]) : 0;
}

static struct witness_sides sides_of(const struct proof_words *t, const perc_part *p)
{
    struct witness_sides s = { .longest = 0, .equal = true };

    for (size_t i = 0; i < p->witnesses; i++) {
        const size_t n = strlen(p->weight[i]);

        s.longest = n > s.longest ? n : s.longest;
        s.equal = s.equal && strcmp(p->weight[i], p->weight[0]) == 0;
    }
    for (size_t i = 0; i < p->witnesses; i++)
        add_witness(&s.side[witness_positive(t->ds, p, p->witness[i]) ? 0 : 1], p, i, s.longest);
    return s;
}

/* Whether a weight of that side is shown as a fraction, or in full, not rounded. */
static bool is_short(const struct witness_sides *s, const struct side *of, const char *weight,
                     bool offset)
{
    if (!offset) return s->longest < DIGITS;
    return of->sum > 0 && of->sum / word_gcd(whole(weight), of->sum) < 1000000;
}

/* "1/3" of the side's mean; "0.1234" where the fraction is too long to read. Without an offset, the
 * weight itself, or relative to the power of ten above the largest. */
static const char *weight_text(const struct witness_sides *s, const struct side *of,
                               const char *weight, bool offset, char buf[WORD])
{
    const bool exact = is_short(s, of, weight, offset);

    if (!offset && exact) {
        snprintf(buf, WORD, "%s", weight);
    } else if (exact) {
        const uint64_t a = whole(weight), g = word_gcd(a, of->sum);

        if (a == of->sum) return "1";
        snprintf(buf, WORD, "%llu/%llu", (unsigned long long)(a / g),
                 (unsigned long long)(of->sum / g));
    } else {
        snprintf(buf, WORD, "%.6g", relative(weight, s->longest) / (offset ? of->about : 1));
    }
    return buf;
}

/* ----- the sentence -------------------------------------------------------------- */

void witness_rows(const struct proof_words *t, const uint64_t *row, size_t n, char *buf,
                  size_t size)
{
    size_t at = (size_t)snprintf(buf, size, n == 1 ? "row" : "rows");

    for (size_t i = 0; i < n && at < size; i++) {
        const char *between = i == 0 ? "" : i + 1 < n ? "," : " and";
        const unsigned long long number = row[i] + 1;
        const long long line = perc_dataset_row_line(t->ds, row[i]);
        const char *file = perc_dataset_row_file(t->ds, row[i]);

        at += (size_t)snprintf(buf + at, size - at, "%s %llu", between, number);
        if ((file != NULL || (unsigned long long)line != number) && at < size)
            at += (size_t)snprintf(buf + at, size - at, " (line %lld%s%s)", line,
                                   file != NULL ? " of " : "",
                                   file != NULL ? word_input(file) : "");
    }
}

/* "3 rows (label a)", "row 7 (the rest)", "rows 1 and 4 (label b)". The table has the lines. */
static void side_text(const struct side *s, const char *label, char *buf, size_t size)
{
    char rows[96], count[WORD];

    if (s->n == 1) snprintf(rows, sizeof rows, "row %llu", (unsigned long long)s->first[0] + 1);
    else if (s->n == 2)
        snprintf(rows, sizeof rows, "rows %llu and %llu", (unsigned long long)s->first[0] + 1,
                 (unsigned long long)s->first[1] + 1);
    else snprintf(rows, sizeof rows, "%s rows", word_count(count, s->n));
    snprintf(buf, size, "%s (%s%.40s)", rows, label != NULL ? "label " : "", witness_class(label));
}

/* With an offset, both classes have rows: each sentence is about a point of either hull. */
static void means_sentence(const struct witness_sides *s, const char *a, const char *b,
                           const char *of, char buf[WITNESS_SENTENCE])
{
    const size_t n = s->side[0].n, m = s->side[1].n;
    const bool halves = s->equal || (s->side[0].n + s->side[1].n == 3 &&
                                     strcmp(s->side[n == 2 ? 0 : 1].weight[0],
                                            s->side[n == 2 ? 0 : 1].weight[1]) == 0);
    const char *one = n <= m ? a : b, *more = n <= m ? b : a;

    if (n == 1 && m == 1) snprintf(buf, WITNESS_SENTENCE, "%s%s and %s are equal", of, a, b);
    else if (n + m == 3)
        snprintf(buf, WITNESS_SENTENCE, "%s%s %s %s", of, one,
                 halves ? "is the midpoint of" : "lies on the segment between", more);
    else if (n == 2 && m == 2 && halves)
        snprintf(buf, WITNESS_SENTENCE, "%s%s and %s have the same midpoint", of, a, b);
    else if (n == 2 && m == 2)
        snprintf(buf, WITNESS_SENTENCE, "%sthe segments between %s and between %s meet", of, a, b);
    else if (n == 1 || m == 1)
        snprintf(buf, WITNESS_SENTENCE, "%s%s is a weighted mean of %s", of, one, more);
    else
        snprintf(buf, WITNESS_SENTENCE, "%sa weighted mean of %s equals a weighted mean of %s", of,
                 a, b);
}

/* Through the origin: the cones meet, or one contains a whole line. */
static void sums_sentence(const struct witness_sides *s, const char *a, const char *b,
                          const char *of, char buf[WITNESS_SENTENCE])
{
    const size_t n = s->side[0].n, m = s->side[1].n;

    if (n + m == 1) snprintf(buf, WITNESS_SENTENCE, "%s%s is 0", of, n == 1 ? a : b);
    else if (n == 0 || m == 0)
        snprintf(buf, WITNESS_SENTENCE, "%sa weighted sum of %s is 0", of, n == 0 ? b : a);
    else if (n == 1 && m == 1)
        snprintf(buf, WITNESS_SENTENCE, "%s%s and %s %s", of, a, b,
                 s->equal ? "are equal" : "point in the same direction");
    else
        snprintf(buf, WITNESS_SENTENCE, "%sa weighted sum of %s equals a weighted sum of %s", of, a,
                 b);
}

void witness_sentence(const struct proof_words *t, const perc_part *p, char buf[WITNESS_SENTENCE])
{
    const struct witness_sides s = sides_of(t, p);
    const char *of = strcmp(witness_kernel(t), "poly") == 0 ? "of the images, " : "";
    char one[160], other[160];

    side_text(&s.side[0], p->positive, one, sizeof one);
    side_text(&s.side[1], p->negative, other, sizeof other);
    if (s.side[0].n > 0 && s.side[1].n > 0 && witness_flag(t, "offset"))
        means_sentence(&s, one, other, of, buf);
    else sums_sentence(&s, one, other, of, buf);
}

double witness_share(const struct proof_words *t, const perc_part *p, size_t i)
{
    const struct witness_sides s = sides_of(t, p);
    const int k = witness_positive(t->ds, p, p->witness[i]) ? 0 : 1;

    return relative(p->weight[i], s.longest) / s.side[k].about;
}

const char *witness_weight(const struct proof_words *t, const perc_part *p, size_t i,
                           char buf[WORD])
{
    const struct witness_sides s = sides_of(t, p);

    return weight_text(&s, &s.side[witness_positive(t->ds, p, p->witness[i]) ? 0 : 1], p->weight[i],
                       witness_flag(t, "offset"), buf);
}

/* ----- the table ----------------------------------------------------------------- */

/* What the rows of the table have in common. */
struct witness_listing {
    const struct proof_words *t;
    const perc_part *p;
    struct witness_sides s;
    double *x; /* scratch; NULL: coordinates are not shown */
    bool lines, offset;
};

static void list_row(struct facts *f, const struct witness_listing *l, size_t i,
                     const struct side *side)
{
    const perc_dataset *ds = l->t->ds;
    const uint64_t row = l->p->witness[i];
    const int label = perc_dataset_row_label(ds, row);
    char buf[WORD], name[160];

    facts_row(f);
    facts_int(f, NULL, "row", (int64_t)row + 1);
    if (l->lines) facts_int(f, NULL, "line", perc_dataset_row_line(ds, row));
    if (perc_dataset_row_file(ds, row) != NULL)
        facts_string(f, NULL, "file", perc_dataset_row_file(ds, row));
    facts_string(f, NULL, "label", perc_dataset_label(ds, (size_t)label));
    facts_line(f, "weight", "%s", weight_text(&l->s, side, l->p->weight[i], l->offset, buf));
    if (l->x != NULL) perc_dataset_row(ds, row, l->x);
    for (uint64_t j = 0; l->x != NULL && j < l->t->info.features; j++) {
        const char *known = perc_dataset_feature(ds, j);

        if (known != NULL) word_cut(name, sizeof name, known);
        else snprintf(name, sizeof name, "x%llu", (unsigned long long)j + 1);
        facts_real(f, NULL, name, l->x[j]);
        /* The shortest text, from six digits on, that reads back as the number. */
        for (int digits = 6; digits <= 17; digits++) {
            snprintf(buf, WORD, "%.*g", digits, l->x[j]);
            if (word_value(buf) == l->x[j]) break;
        }
        facts_say(f, "%s", buf);
    }
    facts_end(f);
}

void witness_table(struct facts *f, const struct proof_words *t, const perc_part *p)
{
    struct witness_listing l = {
        .t = t, .p = p, .s = sides_of(t, p), .offset = witness_flag(t, "offset")
    };
    bool rounded = false;
    char buf[WORD];

    for (size_t i = 0; i < p->witnesses; i++) {
        const struct side *side = &l.s.side[witness_positive(t->ds, p, p->witness[i]) ? 0 : 1];

        rounded = rounded || (side->n > 1 && !is_short(&l.s, side, p->weight[i], l.offset));
        /* Lines are given if they differ from the row numbers. */
        l.lines = l.lines ||
                  perc_dataset_row_line(t->ds, p->witness[i]) != (int64_t)p->witness[i] + 1;
    }
    if (t->info.features <= COORDINATES &&
        (l.x = calloc((size_t)t->info.features + 1, sizeof *l.x)) == NULL)
        facts_fail(f);
    facts_table(f, NULL, "Rows that show it:");
    /* Half of the places for each class; what one does not need goes to the other. */
    const size_t n = l.s.side[0].n, m = l.s.side[1].n;
    const size_t most[2] = { m < SHOWN / 2 ? SHOWN - m : SHOWN / 2,
                             n < SHOWN / 2 ? SHOWN - n : SHOWN / 2 };
    for (int k = 0; k < 2; k++) {
        size_t shown = 0;

        for (size_t i = 0; i < l.p->witnesses && shown < most[k]; i++)
            if (witness_positive(l.t->ds, l.p, l.p->witness[i]) == (k == 0)) {
                list_row(f, &l, i, &l.s.side[k]);
                shown++;
            }
    }
    facts_end(f);
    free(l.x);
    if (p->witnesses > SHOWN)
        facts_prose(f, "  ... and %s more (all of them: --json, or -o)\n",
                    word_count(buf, p->witnesses - SHOWN));
    if (rounded)
        facts_prose(f, "  weights are rounded; --json and the certificate have them exactly\n");
}
