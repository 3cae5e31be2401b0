/* prove_report.c -- what `perceptron prove` says: the verdict first, then what it means,
 * then what shows it, then how it was found.
 *
 * One problem is told in full. Several (a class against the rest, and pairs) are a table,
 * because nobody reads fifty-five reports; --positive asks for one of them. */
#include "cli/prove.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/grid.h"
#include "show/plot.h"
#include "show/word.h"

enum { TERMS = 6, NAME = 96, FEATURES = 8, FOLDED = 5 };

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* "all 5 rows strictly on their side", of one or two in other words. */
static const char *on_their_side(char *buf, size_t size, uint64_t rows)
{
    char count[WORD];

    if (rows <= 2)
        snprintf(buf, size, "%s",
                 rows == 1 ? "the one row strictly on its side"
                           : "both rows strictly on their side");
    else snprintf(buf, size, "all %s rows strictly on their side", word_count(count, rows));
    return buf;
}

/* A name in a formula or a list: in quotes where it has signs of its own. */
static const char *in_quotes(const char *name, char *buf, size_t size)
{
    const bool number = !isnan(word_value(name));

    if (name[0] != '\0' && (number || strpbrk(name, ",;+-*/<>()[]{}'\"|&") == NULL)) return name;
    snprintf(buf, size, "'%s'", name);
    return buf;
}

/* "label yes", or "the rest". */
static const char *side_name(const char *label, char *buf, size_t size)
{
    char name[NAME];

    if (label == NULL) return "the rest";
    snprintf(buf, size, "label %s", in_quotes(label, name, sizeof name));
    return buf;
}

/* ----- the verdict ---------------------------------------------------------------- */

/* What separates: "plane", "plane through the origin", "surface of degree 2", ... */
static const char *separator(const struct prove *t, char buf[WORD])
{
    const char *kernel = witness_kernel(&t->words);

    if (strcmp(kernel, "none") == 0)
        return witness_flag(&t->words, "offset") ? "plane" : "plane through the origin";
    if (strcmp(kernel, "poly") != 0) return "machine with this kernel";
    snprintf(buf, WORD, "surface of degree %s", perc_params_get(t->params, "degree"));
    return buf;
}

static void verdict_fact(const struct prove *t, struct out *o, const perc_part *p)
{
    char name[WORD], strict[WORD], rows[WORD], all[96], does[256], label[2][NAME];
    const char *plane = separator(t, name);

    word_count(rows, p->rows);
    on_their_side(all, sizeof all, p->rows);
    if (t->info.labels > 1)
        snprintf(does, sizeof does, "separates %s from %s", in_quotes(p->positive, label[0], NAME),
                 p->negative != NULL ? in_quotes(p->negative, label[1], NAME) : "the rest");
    else snprintf(does, sizeof does, "has all rows on one side");
    switch (p->verdict) {
    case PERC_SEPARABLE:
        if (t->info.labels > 1) cli_fact(o, "verdict", "separable: a %s has %s", plane, all);
        else
            cli_fact(o, "verdict", "separable: there is one label only, %s; a %s has %s",
                     in_quotes(p->positive, label[0], NAME), plane, all);
        break;
    case PERC_TOUCHING:
        cli_fact(o, "verdict",
                 "touching: no %s %s, but one has no row on the wrong side, "
                 "and %s of %s strictly on their side",
                 plane, does, word_count(strict, p->strict), rows);
        break;
    case PERC_OVERLAPPING:
        cli_fact(o, "verdict",
                 "overlapping: every %s with a row strictly on its side has another "
                 "on the wrong side",
                 plane);
        break;
    case PERC_INSEPARABLE: cli_fact(o, "verdict", "not separable: no %s has %s", plane, all); break;
    default: cli_fact(o, "verdict", "undecided: %s, and neither answer is shown", proving_reason());
    }
}

/* ----- the plane ------------------------------------------------------------------ */

struct term {
    uint64_t j;
    double w;
};

static int larger_first(const void *a, const void *b)
{
    const struct term *s = a, *t = b;
    const double p = fabs(s->w), q = fabs(t->w);

    return p != q ? (p < q) - (p > q) : (s->j > t->j) - (s->j < t->j);
}

/* The terms of a plane that are not 0, largest first; NULL with *n 0: there are none. */
static struct term *terms_of(const perc_part *p, size_t *n, struct out *o)
{
    struct term *term;

    *n = 0;
    if (p->w == NULL || (term = malloc(((size_t)p->features + 1) * sizeof *term)) == NULL) {
        if (p->w != NULL) out_fail_memory(o);
        return NULL;
    }
    for (uint64_t j = 0; j < p->features; j++)
        if (p->w[j] != 0) term[(*n)++] = (struct term){ j, p->w[j] };
    if (*n > TERMS) qsort(term, *n, sizeof *term, larger_first);
    return term;
}

/* A number of the plane: whole ones as they are, rounded ones with six digits. */
static const char *plane_number(char buf[WORD], const perc_part *p, double w)
{
    if (!p->exact) return word_num(buf, w);
    snprintf(buf, WORD, "%.0f", w);
    return buf;
}

/* " + 0.25 NAME"; the first has no sign that is a plus, and 1 is not said. */
static size_t put_term(char *buf, size_t size, const perc_part *p, bool first, double w,
                       const char *name)
{
    char number[WORD];
    const char *sign = first ? (w < 0 ? "-" : "") : (w < 0 ? " - " : " + ");
    const bool one = fabs(w) == 1 && name[0] != '\0';

    return (size_t)snprintf(buf, size, "%s%s%s%s", sign,
                            one ? "" : plane_number(number, p, fabs(w)),
                            one || name[0] == '\0' ? "" : " ", name);
}

/* The name of feature j in a formula. A product of features has blanks for times. */
static const char *feature_name(const struct prove *t, uint64_t j, char *buf, size_t size)
{
    char name[NAME - 2];

    perc_proof_feature(t->proof, j, name, sizeof name);
    if (strcmp(witness_kernel(&t->words), "poly") == 0) {
        snprintf(buf, size, "%s", name);
        return buf;
    }
    const char *shown = in_quotes(name, buf, size);
    if (shown != buf) snprintf(buf, size, "%s", name);
    return buf;
}

/* What is printed is true: where it is rounded, it says so. */
static void plane_fact(const struct prove *t, struct out *o, const perc_part *p,
                       const struct term *term, size_t n)
{
    const size_t shown = n > TERMS ? TERMS : n;
    const char *equal = p->verdict == PERC_TOUCHING ? "=" : "";
    const bool two = t->info.labels > 1;
    char text[768], name[NAME], label[2][NAME + 8], buf[2][WORD];
    size_t at = 0;

    for (size_t i = 0; i < shown && at < sizeof text; i++)
        at += put_term(text + at, sizeof text - at, p, i == 0, term[i].w,
                       feature_name(t, term[i].j, name, sizeof name));
    if (n > shown && at < sizeof text)
        at += (size_t)snprintf(text + at, sizeof text - at, " + ... (%s more)",
                               word_count(buf[0], n - shown));
    if ((p->b != 0 || at == 0) && at < sizeof text)
        at += put_term(text + at, sizeof text - at, p, at == 0, p->b, "");
    cli_fact(o, strcmp(witness_kernel(&t->words), "poly") == 0 ? "surface" : "plane",
             "%s%s >%s 0 for %s%s%s%s%s%s", p->exact ? "" : "about ", text, equal,
             side_name(p->positive, label[0], sizeof label[0]), two ? ", <" : "", two ? equal : "",
             two ? " 0 for " : "", two ? side_name(p->negative, label[1], sizeof label[1]) : "",
             p->exact ? "" : " (rounded; the certificate has it exactly)");
    if (n > TERMS && n < p->features)
        cli_fact(o, "features", "%s of %s have a weight that is not 0", word_count(buf[0], n),
                 word_count(buf[1], p->features));
}

static void closest_facts(const struct prove *t, struct out *o, const perc_part *p)
{
    const bool surface = strcmp(witness_kernel(&t->words), "poly") == 0;
    char buf[WORD], rows[256];

    if (p->verdict != PERC_SEPARABLE || p->closest_count == 0 || p->w == NULL) return;
    if (!surface)
        cli_fact(o, "its margin", "%s (the smallest y (w.x%s) / |%s|%s)",
                 p->least > 0 ? word_num(buf, p->least) : "below 1e-307",
                 witness_flag(&t->words, "offset") ? " + b" : "",
                 witness_flag(&t->words, "offset") ? "(w, b)" : "w",
                 witness_flag(&t->words, "margin") ? "" : "; --margin finds the largest");
    witness_rows(&t->words, p->closest, p->closest_count, rows, sizeof rows);
    cli_fact(o, "closest", "%s%s%s", rows, p->closest_count > 1 ? ", the nearest first" : "",
             surface ? " (by the value of the surface)" : "");
}

/* ----- the features that separate --------------------------------------------------- */

bool proving_uses(const struct prove *t, const perc_part *p, struct feature_use *use, size_t n)
{
    double *x;

    if ((double)t->info.rows * (double)t->info.features > 3e8 ||
        (x = malloc(((size_t)t->info.features + 1) * sizeof *x)) == NULL)
        return false;
    for (uint64_t i = 0; i < t->info.rows; i++) {
        const int label = perc_dataset_row_label(t->ds, i);
        const bool positive = witness_positive(t->ds, p, i);

        if (!positive && p->negative != NULL &&
            (label < 0 || strcmp(perc_dataset_label(t->ds, (size_t)label), p->negative) != 0))
            continue; /* a row of neither class */
        perc_dataset_row(t->ds, i, x);
        for (size_t k = 0; k < n; k++) use[k].rows[positive ? 0 : 1] += x[use[k].feature] != 0;
    }
    free(x);
    return true;
}

/* What statisticians look for: which features separate some of the rows. */
static void features_table(const struct prove *t, struct out *o, const perc_part *p,
                           const struct term *term, size_t n)
{
    const size_t shown = n > FEATURES ? FEATURES : n;
    struct feature_use use[FEATURES] = { { 0, { 0, 0 } } };
    char name[NAME], buf[WORD];

    for (size_t k = 0; k < shown; k++) use[k].feature = term[k].j;
    if (n == 0 || strcmp(witness_kernel(&t->words), "none") != 0 || !proving_uses(t, p, use, shown))
        return;
    struct grid *g = grid_new(&t->cli->env, "lrrrl");
    grid_cell(g, "feature");
    grid_cell(g, p->exact ? "weight" : "weight, about");
    grid_fmt(g, "not 0 in %s", p->positive);
    grid_fmt(g, "in %s", witness_class(p->negative));
    grid_cell(g, "");
    for (size_t k = 0; k < shown; k++) {
        grid_cell(g, perc_proof_feature(t->proof, term[k].j, name, sizeof name));
        grid_cell(g, plane_number(buf, p, term[k].w));
        grid_cell(g, word_count(buf, use[k].rows[0]));
        grid_cell(g, word_count(buf, use[k].rows[1]));
        grid_cell(g, use[k].rows[0] > 0 && use[k].rows[1] > 0 ? "" : "one class only");
    }
    out_fmt(o, "\nWhat separates some of the rows: %s feature%s%s\n", word_count(buf, n), plural(n),
            n > shown ? ", the largest weights first" : "");
    grid_print(g, o, 2);
    grid_free(g);
}

/* ----- how -------------------------------------------------------------------------- */

/* The strict rows by class, where there are two: one class alone is a hint at what it is. */
static void strict_fact(const struct prove *t, struct out *o, const perc_part *p)
{
    char text[256] = "", buf[3][WORD], label[2][NAME];

    if (t->info.labels > 1)
        snprintf(text, sizeof text, ": %s of %s, %s of %s", word_count(buf[1], p->strict_positive),
                 in_quotes(p->positive, label[0], NAME),
                 word_count(buf[2], p->strict - p->strict_positive),
                 p->negative != NULL ? in_quotes(p->negative, label[1], NAME) : "the rest");
    cli_fact(o, "strict rows", "%s%s (S: off some plane with no row on the wrong side)",
             word_count(buf[0], p->strict), text);
}

static void counts_facts(const struct prove *t, struct out *o, const perc_part *p)
{
    char buf[2][WORD];

    if (p->verdict == PERC_TOUCHING) strict_fact(t, o, p);
    if (p->verdict == PERC_TOUCHING)
        cli_fact(o, "held rows", "%s (C: on every plane with no row on the wrong side), of rank %s",
                 word_count(buf[0], p->on_all_planes), word_count(buf[1], p->rank));
    if (p->verdict == PERC_OVERLAPPING)
        cli_fact(o, "held rows", "%s%s, of rank %s", p->on_all_planes > 1 ? "all " : "the only one",
                 p->on_all_planes > 1 ? word_count(buf[0], p->on_all_planes) : "",
                 word_count(buf[1], p->rank));
}

static void found_fact(struct out *o, const perc_part *p)
{
    char text[512], buf[WORD];
    const bool none = p->method == NULL || p->method[0] == '\0' || strcmp(p->method, "none") == 0;
    const bool looked = p->verdict == PERC_SEPARABLE && !none &&
                        strcmp(p->method, "equal rows") == 0;
    size_t n = (size_t)snprintf(text, sizeof text, "%s",
                                none     ? "no answer"
                                : looked ? "no equal rows with different labels"
                                         : p->method);

    if (p->rounds > 1)
        n += (size_t)snprintf(text + n, sizeof text - n, ", %s rounds",
                              word_count(buf, (uint64_t)p->rounds));
    if (p->pivots > 0)
        n += (size_t)snprintf(text + n, sizeof text - n, ", %s exact pivot%s",
                              word_count(buf, (uint64_t)p->pivots), plural((uint64_t)p->pivots));
    if (p->exact_rows > 0)
        n += (size_t)snprintf(text + n, sizeof text - n, ", %s row%s decided in whole numbers",
                              word_count(buf, p->exact_rows), plural(p->exact_rows));
    if (p->rejected > 0)
        snprintf(text + n, sizeof text - n, ", %s proposal%s rejected",
                 word_count(buf, p->rejected), plural(p->rejected));
    cli_fact(o, p->verdict == PERC_UNDECIDED ? "so far" : "found by", "%s", text);
}

/* Rounded outwards, so that what is printed is a bound, too. */
static void between(struct out *o, const char *name, const char *what, double lower, double upper,
                    const char *more)
{
    char buf[2][WORD];

    cli_fact(o, name, "%s <= %s <= %s (%s)", word_rounded(buf[0], lower, 10, false), what,
             word_rounded(buf[1], upper, 10, true), more);
}

static void margin_facts(const struct prove *t, struct out *o, const perc_part *p)
{
    const bool offset = witness_flag(&t->words, "offset");

    if (isnan(p->margin_lower) || p->verdict == PERC_UNDECIDED) return;
    if (p->verdict != PERC_SEPARABLE) {
        cli_fact(o, "margin", "none: not separable");
        return;
    }
    between(o, "margin", "gamma'", p->margin_lower, p->margin_upper,
            offset ? "offset inside the norm" : "no offset");
    if (isinf(p->geometric_lower))
        cli_fact(o, "geometric margin",
                 "none: there is one class, and planes as far away as one "
                 "likes");
    else if (!isnan(p->geometric_lower))
        between(o, "geometric margin", "gamma", p->geometric_lower, p->geometric_upper,
                offset ? "a distance; offset outside" : "the same");
    if (p->gap_reached != 1)
        cli_fact(o, "gap", "%s was not reached: %s", perc_params_get(t->params, "gap"),
                 p->gap_reached < 0 ? proving_reason() : "rounding allows no more");
}

/* ----- --bound ------------------------------------------------------------------------ */

enum { WIDE = 60, HIGH = 16 };

/* k gamma' <= w.u <= |w| <= sqrt(k) R: two curves that the theorem puts between two others,
 * which meet at the bound. */
static void bound_plot(const struct prove *t, struct out *o, const perc_bound *b,
                       const perc_bound_run *r)
{
    const double last = r->steps > 0 ? (double)r->at[r->steps - 1] : 0;
    char buf[WORD];
    const double box[4] = { 0, 0, last * 1.0001, sqrt(last) * b->radius * 1.0001 };

    if (r->steps < 2) return;
    struct plot *plot = plot_new(&t->cli->env, WIDE, HIGH, box);
    for (int i = 0; i < WIDE; i++) {
        const double k = (i + 0.5) / WIDE * box[2];

        plot_point(plot, k, sqrt(k) * b->radius, '\'');
        plot_point(plot, k, k * b->margin, '.');
    }
    for (size_t i = 0; i < r->steps; i++) {
        plot_point(plot, (double)r->at[i], r->along[i], 'o');
        plot_point(plot, (double)r->at[i], sqrt(r->norm2[i]), '+');
    }
    out_fmt(o, "\nAfter k mistakes, order %s:  . k gamma'  <=  o w.u  <=  + |w|  <=  ' sqrt(k) R\n",
            r->order);
    plot_print(plot, o, 2, cli_colour());
    plot_free(plot);
    out_fmt(o, "  k = 1 .. %s\n", word_count(buf, (uint64_t)last));
}

/* R, gamma' and the bound, each rounded to the side on which it stays true. Mistakes are
 * whole numbers, so there are no more than the whole part of the bound. */
static void bound_facts(const struct prove *t, struct out *o, const perc_bound *b)
{
    char buf[WORD], count[WORD];

    word_rounded(buf, b->radius, 6, true);
    cli_fact(o, "R", "%s%s (the longest row%s)", word_value(buf) > b->radius ? "<= " : "", buf,
             witness_flag(&t->words, "offset") ? ", with a 1 for the offset" : "");
    if (!witness_flag(&t->words, "margin"))
        between(o, "margin", "gamma'", b->margin, b->margin_upper,
                witness_flag(&t->words, "offset") ? "offset inside the norm" : "no offset");
    word_rounded(buf, b->bound, 6, true);
    if (!isfinite(b->bound))
        cli_fact(o, "mistake bound", "not known: no margin that doubles can hold");
    else if (b->bound < 1e15)
        cli_fact(o, "mistake bound", "%s mistakes at most: (R/gamma')^2 <= %s",
                 word_count(count, (uint64_t)b->bound), buf);
    else cli_fact(o, "mistake bound", "(R/gamma')^2 <= %s", buf);
}

/* What is missing in the table, and why. */
static void bound_notes(struct out *o, const perc_bound *b)
{
    bool stopped = false;
    char buf[2][WORD];

    for (size_t i = 0; i < b->runs; i++) stopped = stopped || !b->run[i].converged;
    if (stopped) out_text(o, "  stopped: at the limit of passes or of time, before it converged\n");
    if (b->runs < b->orders)
        out_fmt(o, "  %s of %s orders were run: %s\n", word_count(buf[0], b->runs),
                word_count(buf[1], b->orders), proving_reason());
}

static void bound_report(const struct prove *t, struct out *o, const perc_part *p)
{
    perc_bound b;
    char buf[WORD];

    if (witness_flag(&t->words, "bound") && proving_answer(t) == EXIT_NO)
        cli_fact(o, "mistake bound", "none: not separable");
    if (p->verdict != PERC_SEPARABLE || !perc_proof_bound(t->proof, &b)) return;
    bound_facts(t, o, &b);
    struct grid *g = grid_new(&t->cli->env, "lrrr");
    grid_cell(g, "order");
    grid_cell(g, "mistakes");
    grid_cell(g, "passes");
    grid_cell(g, "of the bound");
    for (size_t i = 0; i < b.runs; i++) {
        const perc_bound_run *r = &b.run[i];

        grid_cell(g, r->order);
        grid_fmt(g, "%s%s", word_count(buf, (uint64_t)r->mistakes),
                 r->converged ? "" : " (stopped)");
        grid_cell(g, word_count(buf, (uint64_t)r->passes));
        grid_cell(g, word_percent(buf, (double)r->mistakes / b.bound));
    }
    out_text(o, "\n");
    grid_print(g, o, 2);
    grid_free(g);
    bound_notes(o, &b);
    if (b.runs > 0) bound_plot(t, o, &b, &b.run[0]);
}

/* ----- --hulls ------------------------------------------------------------------------ */

enum { CORNERS = 12 };

static void hull_fact(struct out *o, const char *label, const uint64_t *row, size_t n)
{
    char text[512], name[NAME], buf[WORD];
    size_t at = (size_t)snprintf(text, sizeof text, "%s corner%s: row%s", word_count(buf, n),
                                 plural(n), plural(n));

    for (size_t i = 0; i < n && i < CORNERS && at < sizeof text; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, " %llu",
                               (unsigned long long)row[i] + 1);
    if (n > CORNERS && at < sizeof text) snprintf(text + at, sizeof text - at, " ...");
    if (n == 0) snprintf(text, sizeof text, "none: it has no rows");
    snprintf(name, sizeof name, "hull of %s", label);
    cli_fact(o, name, "%s", text);
}

static bool agree(perc_verdict a, perc_verdict b)
{
    const bool no = a == PERC_TOUCHING || a == PERC_OVERLAPPING || a == PERC_INSEPARABLE;

    return a == b || (b == PERC_INSEPARABLE && no);
}

static void hulls_report(const struct prove *t, struct out *o, const perc_part *p)
{
    perc_hulls h;

    if (!perc_proof_hulls(t->proof, &h)) return;
    hull_fact(o, p->positive, h.positive, h.positives);
    hull_fact(o, witness_class(p->negative), h.negative, h.negatives);
    cli_fact(o, "by the hulls", "%s%s", perc_verdict_text(h.verdict),
             p->verdict == PERC_UNDECIDED    ? ""
             : !agree(h.verdict, p->verdict) ? ": this DISAGREES, please report it"
             : h.verdict == p->verdict       ? ", the same verdict by another way"
                                             : ": not separable by another way, too");
}

/* ----- one problem ---------------------------------------------------------------------- */

/* With coef0 0 the products are of exactly `degree` features. */
static bool homogeneous(const struct prove *t)
{
    const char *coef0 = perc_params_get(t->params, "coef0");

    return coef0 != NULL && word_value(coef0) == 0;
}

static void data_facts(const struct prove *t, struct out *o, const perc_part *one)
{
    const char *degree = perc_params_get(t->params, "degree");
    char rows[WORD], features[WORD], dropped[96] = "", label[2][NAME];

    if (t->info.dropped > 0)
        snprintf(dropped, sizeof dropped, "; %s row%s with missing values left out",
                 word_count(rows, t->info.dropped), plural(t->info.dropped));
    cli_fact(o, "data", "%s (%s): %s row%s, %s feature%s%s", cli_input_name(t->data),
             t->info.format, word_count(rows, t->info.rows), plural(t->info.rows),
             word_count(features, t->info.features), plural(t->info.features), dropped);
    if (one != NULL && t->info.labels > 1)
        cli_fact(o, "labels", "+1 is %s, -1 is %s", in_quotes(one->positive, label[0], NAME),
                 one->negative != NULL ? in_quotes(one->negative, label[1], NAME) : "the rest");
    if (one == NULL) cli_fact(o, "labels", "%zu", t->info.labels);
    if (strcmp(witness_kernel(&t->words), "poly") == 0)
        cli_fact(o, "kernel", "poly, degree %s: products of %s%s feature%s", degree,
                 homogeneous(t) ? "" : "up to ", degree, strcmp(degree, "1") == 0 ? "" : "s");
    else if (strcmp(witness_kernel(&t->words), "none") != 0)
        cli_fact(o, "kernel", "%s", witness_kernel(&t->words));
    if (t->info.note[0] != '\0') cli_fact(o, "note", "%s", t->info.note);
    if (cli_given(t->cli, "weight"))
        cli_fact(o, "note",
                 "weights play no part in a proof: each row counts, also one of weight "
                 "0");
}

static void one_problem(const struct prove *t, struct out *o, const perc_part *p)
{
    char sentence[WITNESS_SENTENCE];
    size_t n;
    struct term *term = terms_of(p, &n, o);

    verdict_fact(t, o, p);
    if (witness_meaning(&t->words, p, sentence)) cli_fact(o, "meaning", "%s", sentence);
    if (p->witnesses > 0) {
        witness_sentence(&t->words, p, sentence);
        cli_fact(o, "witness", "%s", sentence);
    }
    if (p->w != NULL) plane_fact(t, o, p, term, n);
    closest_facts(t, o, p);
    margin_facts(t, o, p);
    data_facts(t, o, p);
    counts_facts(t, o, p);
    found_fact(o, p);
    hulls_report(t, o, p);
    if (p->witnesses > 0) {
        out_text(o, "\n");
        witness_table(&t->words, p, o);
    }
    if (p->verdict == PERC_TOUCHING) features_table(t, o, p, term, n);
    bound_report(t, o, p);
    free(term);
}

/* ----- several --------------------------------------------------------------------------- */

static const char *const heads[] = { "problem", "verdict",      "strict", "held",
                                     "rank",    "witness rows", "margin", "time" };
enum { MARGIN_COLUMN = 6 };

static void table_row(struct grid *g, const perc_part *p, bool best)
{
    const double margin = best ? p->margin_lower : p->least;
    const bool full = proving_full(p);
    char buf[WORD];

    grid_fmt(g, "%s against %s", p->positive, witness_class(p->negative));
    grid_cell(g, perc_verdict_text(p->verdict));
    grid_cell(g, full ? word_count(buf, p->strict) : "-");
    grid_cell(g, full ? word_count(buf, p->on_all_planes) : "-");
    grid_cell(g, full && p->witnesses > 0 ? word_count(buf, p->rank) : "-");
    grid_cell(g, p->witnesses > 0 ? word_count(buf, p->witnesses) : "-");
    grid_cell(g, p->verdict == PERC_SEPARABLE && margin > 0 ? word_num(buf, margin) : "-");
    grid_cell(g, word_seconds(buf, p->seconds));
}

static void several_verdict(const struct prove *t, struct out *o, const size_t count[5])
{
    static const char *const word[] = { "not separable", "undecided" };
    const int rc = proving_answer(t);
    const size_t n = perc_proof_parts(t->proof);
    char text[256];
    size_t at = 0;

    for (int v = 0; v < 5; v++)
        if (count[v] > 0)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%zu %s", at > 0 ? ", " : "",
                                   count[v], perc_verdict_text((perc_verdict)v));
    if (rc == EXIT_DONE) cli_fact(o, "verdict", "separable: all %zu problems", n);
    else cli_fact(o, "verdict", "%s: of %zu problems %s", word[rc == EXIT_NO ? 0 : 1], n, text);
}

/* What the table does not say. */
static void several_notes(const struct prove *t, struct out *o, size_t folded)
{
    const bool poly = strcmp(witness_kernel(&t->words), "poly") == 0;

    if (folded > 0) out_fmt(o, "  ... and %zu undecided\n", folded);
    if (witness_flag(&t->words, "margin"))
        out_text(o, "\ngamma' is the largest margin, from below; --json has both bounds\n");
    else if (strcmp(witness_kernel(&t->words), "none") == 0 || poly)
        out_fmt(o, "\nThe margin is that of the %s that was found%s\n", poly ? "surface" : "plane",
                poly ? ", among the products" : "; --margin finds the largest");
    out_text(o, "\nOne class in full: --positive LABEL; one pair: --positive LABEL --negative "
                "LABEL\n");
}

static void several_problems(const struct prove *t, struct out *o)
{
    const size_t n = perc_proof_parts(t->proof);
    struct grid *g = grid_new(&t->cli->env, "llrrrrrr");
    const bool best = witness_flag(&t->words, "margin"), fold = t->undecided > FOLDED;
    size_t count[5] = { 0, 0, 0, 0, 0 };
    perc_part p;

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        grid_cell(g, i == MARGIN_COLUMN && best ? "gamma'" : heads[i]);
    for (size_t i = 0; i < n; i++) {
        perc_proof_part(t->proof, i, &p);
        if (!fold || p.verdict != PERC_UNDECIDED) table_row(g, &p, best);
        count[p.verdict]++;
    }
    several_verdict(t, o, count);
    data_facts(t, o, NULL);
    out_text(o, "\n");
    grid_print(g, o, 2);
    grid_free(g);
    several_notes(t, o, fold ? t->undecided : 0);
}

/* ----- the report -------------------------------------------------------------------------- */

/* A word of a command line, in quotes where a shell would take it apart. */
static const char *quoted(const char *word, char *buf, size_t size)
{
    if (word[0] != '\0' && strpbrk(word, " \t\n'\"\\$`*?[](){}<>|&;#~!") == NULL) return word;
    if (strchr(word, '\'') != NULL || (size_t)snprintf(buf, size, "'%s'", word) >= size)
        return "...";
    return buf;
}

/* The options that say how the file is read are needed to read it again. */
static void certificate_fact(const struct prove *t, struct out *o)
{
    const size_t n = perc_proof_parts(t->proof);
    char options[512] = "", some[96] = "", word[3][256];
    size_t at = 0;

    if (!t->written) return;
    for (size_t i = 0; i < t->cli->setting_count && at < sizeof options; i++) {
        const struct setting *s = &t->cli->settings[i];
        const perc_param *row = cli_row("data", s->name);

        if (row == NULL || cli_row("prove", s->name) != NULL) continue;
        at += (size_t)snprintf(options + at, sizeof options - at, " --%s", s->option);
        if (row->type != PERC_BOOL && at < sizeof options)
            at += (size_t)snprintf(options + at, sizeof options - at, " %s",
                                   quoted(s->value, word[0], sizeof word[0]));
    }
    if (t->undecided > 0)
        snprintf(some, sizeof some, " (%zu of %zu problems)", n - t->undecided, n);
    cli_fact(o, "certificate", "%s%s; check it with: perceptron verify %s %s%s",
             cli_output_name(t->output), some, quoted(t->output, word[1], sizeof word[1]),
             quoted(t->data, word[2], sizeof word[2]), options);
}

void prove_report_text(const struct prove *t, struct out *o)
{
    char buf[WORD];
    perc_part p;

    if (perc_proof_parts(t->proof) == 1) {
        perc_proof_part(t->proof, 0, &p);
        one_problem(t, o, &p);
    } else {
        several_problems(t, o);
    }
    out_text(o, "\n");
    cli_fact(o, "proving", "%s", word_seconds(buf, t->seconds));
    certificate_fact(t, o);
}
