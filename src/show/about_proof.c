/* about_proof.c -- what there is to say about a proof: the verdict first, then what it means, then
 * what shows it, then how it was found. See about_proof.h.
 *
 * For programs rows count from 1, as in certificates. Weights of witnesses are whole numbers of
 * any length, so they are strings. Whatever is unknown, or was not asked for, is null. */
#include "show/about_proof.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/about.h"
#include "show/word.h"

enum {
    TERMS = 6,     /* of a plane, shown */
    FEATURES = 8,  /* that separate some rows, shown in a table */
    REDUNDANT = 6, /* features that others determine, shown */
    USES = 1000    /* features for which rows are counted: each takes a look at every row */
};

/* ----- options and names ------------------------------------------------------------- */

static bool has_surface(const struct proof_words *t)
{
    return strcmp(witness_kernel(t), "poly") == 0;
}

const char *about_proof_quoted(const char *label, char buf[ABOUT_NAME])
{
    if (label == NULL) return "the rest";
    if (!word_is_plain(label, WORD_LINE)) return word_quote(buf, ABOUT_NAME, label);
    const bool number = !isnan(word_value(label));
    if (label[0] != '\0' && (number || strpbrk(label, ",;+-*/<>()[]{}'\"|&") == NULL)) return label;
    snprintf(buf, ABOUT_NAME, "'%s'", label);
    return buf;
}

void about_proof_rows(struct facts *f, const char *key, const uint64_t *row, size_t n)
{
    facts_list(f, key, NULL);
    for (size_t i = 0; i < n; i++) facts_int(f, NULL, NULL, (int64_t)row[i] + 1);
    facts_end(f);
}

static void list_lines(struct facts *f, const perc_dataset *ds, const char *key,
                       const uint64_t *row, size_t n)
{
    facts_list(f, key, NULL);
    for (size_t i = 0; i < n; i++) facts_int(f, NULL, NULL, perc_dataset_row_line(ds, row[i]));
    facts_end(f);
}

/* Of several files: which it is, of each row. */
static void list_files(struct facts *f, const perc_dataset *ds, const char *key,
                       const uint64_t *row, size_t n)
{
    if (n == 0 || perc_dataset_row_file(ds, row[0]) == NULL) return;
    facts_list(f, key, NULL);
    for (size_t i = 0; i < n; i++) facts_string(f, NULL, NULL, perc_dataset_row_file(ds, row[i]));
    facts_end(f);
}

/* ----- the verdict --------------------------------------------------------------------- */

/* "all 5 rows strictly on their side", with other words for one or two rows. */
static const char *all_rows(char buf[ABOUT_NAME], uint64_t rows)
{
    char count[WORD];

    if (rows == 1) return "the one row strictly on its side";
    if (rows == 2) return "both rows strictly on their side";
    snprintf(buf, ABOUT_NAME, "all %s rows strictly on their side", word_count(count, rows));
    return buf;
}

static void say_verdict(struct facts *f, const struct proof_words *t, const perc_part *p)
{
    char plane[WORD], strict[WORD], rows[WORD], all[ABOUT_NAME], label[2][ABOUT_NAME];
    const char *positive = about_proof_quoted(p->positive, label[0]);

    /* What does the separating. */
    if (strcmp(witness_kernel(t), "none") == 0)
        snprintf(plane, WORD, "plane%s", witness_flag(t, "offset") ? "" : " through the origin");
    else if (!has_surface(t)) snprintf(plane, WORD, "machine with this kernel");
    else snprintf(plane, WORD, "surface of degree %s", perc_params_get(t->params, "degree"));
    switch (p->verdict) {
    case PERC_SEPARABLE:
        facts_say(f, "separable: ");
        if (t->info.labels < 2) facts_more(f, "there is only one label, %s; ", positive);
        facts_more(f, "a %s has %s", plane, all_rows(all, p->rows));
        break;
    case PERC_TOUCHING:
        facts_say(f, "touching: no %s ", plane);
        if (t->info.labels < 2) facts_more(f, "has all rows on one side");
        else
            facts_more(f, "separates %s from %s", positive,
                       about_proof_quoted(p->negative, label[1]));
        facts_more(f, ", but one has no row on the wrong side, and %s of %s strictly on their side",
                   word_count(strict, p->strict), word_count(rows, p->rows));
        break;
    case PERC_OVERLAPPING:
        facts_say(f,
                  "overlapping: every %s with a row strictly on its side has another on the wrong "
                  "side",
                  plane);
        break;
    case PERC_INSEPARABLE:
        facts_say(f, "not separable: no %s has %s", plane, all_rows(all, p->rows));
        break;
    default: facts_say(f, "undecided: %s, and neither answer is shown", t->reason);
    }
}

/* A verdict is complete if it is known which rows are strict and which are held. A table has a
 * column for each; otherwise they are told only where the classes touch or overlap. */
static void count_facts(struct facts *f, const struct proof_words *t, const perc_part *p, bool told)
{
    const bool touching = p->verdict == PERC_TOUCHING, overlapping = p->verdict == PERC_OVERLAPPING;
    const bool full = touching || overlapping || p->verdict == PERC_SEPARABLE;
    const char *strict = !told ? "strict" : touching ? "strict rows" : NULL;
    const char *held = !told ? "on all" : touching || overlapping ? "on all planes" : NULL;
    char buf[2][WORD], label[2][ABOUT_NAME];

    facts_count(f, "rows", NULL, p->rows);
    facts_count_if(f, "strict", strict, full, p->strict);
    if (told) {
        facts_say(f, "%s", word_count(buf[0], p->strict));
        if (t->info.labels > 1)
            facts_more(f, ": %s of %s, %s of %s", word_count(buf[0], p->strict_positive),
                       about_proof_quoted(p->positive, label[0]),
                       word_count(buf[1], p->strict - p->strict_positive),
                       about_proof_quoted(p->negative, label[1]));
        facts_more(f, " (S: off some plane with no row on the wrong side)");
    }
    facts_count_if(f, "strict_positive", NULL, full, p->strict_positive);
    facts_count_if(f, "held", held, full, p->on_all_planes);
    word_count(buf[0], p->on_all_planes);
    word_count(buf[1], p->rank);
    if (told && touching)
        facts_say(f, "%s (C: on every plane with no row on the wrong side), of rank %s", buf[0],
                  buf[1]);
    else if (told)
        facts_say(f, "%s%s, of rank %s", p->on_all_planes > 1 ? "all " : "the only one",
                  p->on_all_planes > 1 ? buf[0] : "", buf[1]);
    facts_count_if(f, "rank", told ? NULL : "rank", full && p->witnesses > 0, p->rank);
}

/* ----- the plane ------------------------------------------------------------------------- */

/* The nonzero terms of a plane; if there are more than TERMS, the largest first. */
struct terms {
    struct term {
        uint64_t j;
        double w;
    } * term;
    size_t n;
};

static int larger_first(const void *a, const void *b)
{
    const struct term *s = a, *t = b;
    const double p = fabs(s->w), q = fabs(t->w);

    return p != q ? (p < q) - (p > q) : (s->j > t->j) - (s->j < t->j);
}

/* Empty if there is no plane. Free terms.term. */
static struct terms terms_of(struct facts *f, const perc_part *p)
{
    struct terms terms = { 0 };

    if (p->w == NULL) return terms;
    terms.term = calloc((size_t)p->features + 1, sizeof *terms.term);
    if (terms.term == NULL) {
        facts_fail(f);
        return terms;
    }
    for (uint64_t j = 0; j < p->features; j++)
        if (p->w[j] != 0) terms.term[terms.n++] = (struct term){ j, p->w[j] };
    if (terms.n > TERMS) qsort(terms.term, terms.n, sizeof *terms.term, larger_first);
    return terms;
}

/* A number of the plane: whole ones as they are, rounded ones with six digits. */
static const char *plane_number(char buf[WORD], const perc_part *p, double w)
{
    if (!p->exact) return word_num(buf, w);
    snprintf(buf, WORD, "%.0f", w);
    return buf;
}

/* " + 0.25 NAME"; the first has no plus, and a factor of 1 is left out. */
static void say_term(struct facts *f, const perc_part *p, bool first, double w, const char *name)
{
    const bool one = fabs(w) == 1 && name[0] != '\0';
    char number[WORD];

    facts_more(f, "%s%s%s%s", first ? (w < 0 ? "-" : "") : (w < 0 ? " - " : " + "),
               one ? "" : plane_number(number, p, fabs(w)), one || name[0] == '\0' ? "" : " ",
               name);
}

/* " > 0 for label yes", or "the rest"; with a threshold, " > theta". */
static void say_side(struct facts *f, const struct proof_words *t, const perc_part *p,
                     const char *sign, const char *label)
{
    char name[ABOUT_NAME], number[WORD];
    const bool threshold = t->form == HYPERPLANE_THRESHOLD;

    facts_more(f, " %s %s for %s%s", sign,
               threshold ? plane_number(number, p, hyperplane_constant(t->form, p->b)) : "0",
               label != NULL ? "label " : "", about_proof_quoted(label, name));
}

/* What is printed is true: rounded numbers are marked as such. */
static void say_plane(struct facts *f, const struct proof_words *t, const perc_part *p,
                      const struct terms *terms)
{
    const size_t shown = terms->n > TERMS ? TERMS : terms->n;
    const bool touching = p->verdict == PERC_TOUCHING;
    char name[2][ABOUT_NAME], buf[WORD];

    facts_say(f, p->exact ? "" : "about ");
    for (size_t i = 0; i < shown; i++) { /* in a product of features, a blank means times */
        perc_proof_feature(t->proof, terms->term[i].j, name[0], ABOUT_NAME - 2);
        say_term(f, p, i == 0, terms->term[i].w,
                 has_surface(t) ? name[0] : about_proof_quoted(name[0], name[1]));
    }
    if (terms->n > shown) facts_more(f, " + ... (%s more)", word_count(buf, terms->n - shown));
    const double b = t->form == HYPERPLANE_THRESHOLD ? 0 : p->b;
    if (b != 0 || shown == 0) say_term(f, p, shown == 0, b, "");
    say_side(f, t, p, touching ? ">=" : ">", p->positive);
    if (t->info.labels > 1) {
        facts_more(f, ",");
        say_side(f, t, p, touching ? "<=" : "<", p->negative);
    }
    if (!p->exact) facts_more(f, " (rounded; the certificate has it exactly)");
}

static void plane_facts(struct facts *f, const struct proof_words *t, const perc_part *p,
                        const struct terms *terms, bool told)
{
    const bool surface = has_surface(t), offset = witness_flag(t, "offset");
    const size_t closest = p->verdict == PERC_SEPARABLE ? p->closest_count : 0;
    const bool near = told && closest > 0;
    char buf[2][WORD], name[256];

    if (p->w == NULL) {
        facts_null(f, "plane");
        return;
    }
    facts_object(f, "plane", !told ? NULL : surface ? "surface" : "plane");
    say_plane(f, t, p, terms);
    facts_object(f, "w", NULL);
    for (uint64_t j = 0; j < p->features; j++)
        if (p->w[j] != 0)
            facts_real(f, perc_proof_feature(t->proof, j, name, sizeof name), NULL, p->w[j]);
    facts_end(f);
    if (told && terms->n > TERMS && terms->n < p->features)
        facts_line(f, "features", "%s of %s have a weight that is not 0",
                   word_count(buf[0], terms->n), word_count(buf[1], p->features));
    facts_real(f, hyperplane_letter(t->form), NULL, hyperplane_constant(t->form, p->b));
    facts_bool(f, "exact", NULL, p->exact != 0);
    facts_real(f, "least_margin", near && !surface ? "its margin" : NULL,
               p->verdict == PERC_SEPARABLE ? p->least : (double)NAN);
    facts_say(f, "%s (the smallest y (%s) / |%s%s%s|%s)",
              p->least > 0 ? word_num(buf[0], p->least) : "below 1e-307",
              offset ? hyperplane_score(t->form) : "w.x", offset ? "(w, " : "w",
              offset ? hyperplane_letter(t->form) : "", offset ? ")" : "",
              witness_flag(t, "margin") ? "" : "; --margin finds the largest");
    about_proof_rows(f, "closest", p->closest, closest);
    if (near) {
        witness_rows(t, p->closest, closest, name, sizeof name);
        facts_line(f, "closest", "%s%s%s", name, closest > 1 ? ", the nearest first" : "",
                   surface ? " (by the value of the surface)" : "");
    }
    list_lines(f, t->ds, "closest_lines", p->closest, closest);
    list_files(f, t->ds, "closest_files", p->closest, closest);
    facts_end(f);
}

/* ----- the features that separate some of the rows ---------------------------------------- */

/* In how many rows of each class a feature is not 0. */
struct feature_use {
    uint64_t feature;
    double w;
    uint64_t rows[2]; /* positive, negative */
};

/* Looks at every row. */
static void count_uses(const struct proof_words *t, const perc_part *p, struct feature_use *use,
                       size_t n, double *x)
{
    for (uint64_t i = 0; i < t->info.rows; i++) {
        const int label = perc_dataset_row_label(t->ds, i);
        const bool positive = witness_positive(t->ds, p, i);

        if (!positive && p->negative != NULL &&
            (label < 0 || strcmp(perc_dataset_label(t->ds, (size_t)label), p->negative) != 0))
            continue; /* a row of neither class */
        if (perc_dataset_row_weight(t->ds, i) == 0) continue;
        perc_dataset_row(t->ds, i, x);
        for (size_t k = 0; k < n; k++) use[k].rows[positive ? 0 : 1] += x[use[k].feature] != 0;
    }
}

static void use_row(struct facts *f, const struct proof_words *t, const perc_part *p,
                    const struct feature_use *use, bool told)
{
    char name[256], head[2][256], buf[WORD];

    snprintf(head[0], sizeof head[0], "not 0 in %s", p->positive);
    snprintf(head[1], sizeof head[1], "in %s", witness_class(p->negative));
    facts_row(f);
    facts_string(f, "name", told ? "feature" : NULL,
                 perc_proof_feature(t->proof, use->feature, name, sizeof name));
    facts_real(f, "weight", !told ? NULL : p->exact ? "weight" : "weight, about", use->w);
    facts_say(f, "%s", plane_number(buf, p, use->w));
    facts_count(f, "positive", told ? head[0] : NULL, use->rows[0]);
    facts_count(f, "negative", told ? head[1] : NULL, use->rows[1]);
    if (told)
        facts_string(f, NULL, "", use->rows[0] > 0 && use->rows[1] > 0 ? "" : "one class only");
    facts_end(f);
}

static int use_in_order(const void *a, const void *b)
{
    const struct feature_use *s = a, *t = b;

    return (s->feature > t->feature) - (s->feature < t->feature);
}

/* What statisticians look for where the classes touch. People get the largest; programs get all of
 * them, in the order of the features, or null if there are too many. */
static void use_facts(struct facts *f, const struct proof_words *t, const perc_part *p,
                      const struct terms *terms, bool told)
{
    const bool asked = p->verdict == PERC_TOUCHING && p->w != NULL &&
                       strcmp(witness_kernel(t), "none") == 0 &&
                       (double)t->info.rows * (double)t->info.features <= 3e8;
    const size_t shown = terms->n < FEATURES ? terms->n : FEATURES,
                 n = terms->n <= USES ? terms->n : shown;
    struct feature_use *use = asked ? calloc(n + 1, sizeof *use) : NULL;
    double *x = asked ? calloc((size_t)t->info.features + 1, sizeof *x) : NULL;
    const bool known = use != NULL && x != NULL;
    char caption[128], buf[WORD];

    if (asked && !known) facts_fail(f);
    for (size_t k = 0; known && k < n; k++)
        use[k] = (struct feature_use){ .feature = terms->term[k].j, .w = terms->term[k].w };
    if (known) count_uses(t, p, use, n, x);
    if (known && told && n > 0) {
        snprintf(caption, sizeof caption, "What separates some of the rows: %s feature%s%s",
                 word_count(buf, terms->n), word_plural(terms->n),
                 terms->n > shown ? ", the largest weights first" : "");
        facts_table(f, NULL, caption);
        for (size_t k = 0; k < shown; k++) use_row(f, t, p, &use[k], true);
        facts_end(f);
    }
    if (known && n == terms->n) {
        qsort(use, n, sizeof *use, use_in_order);
        facts_list(f, "features", NULL);
        for (size_t k = 0; k < n; k++) use_row(f, t, p, &use[k], false);
        facts_end(f);
    } else {
        facts_null(f, "features");
    }
    free(use);
    free(x);
}

/* ----- all problems together ---------------------------------------------------------------- */

/* "color=green = 1 - color=red - color=blue" */
static void say_sum(struct facts *f, const struct proof_words *t, const perc_redundant *r)
{
    char name[256], quoted[ABOUT_NAME];

    const size_t shown = r->terms > TERMS ? TERMS : r->terms;
    for (size_t i = 0; i < shown; i++) {
        const bool constant = r->term[i] == PERC_CONSTANT, minus = r->factor[i][0] == '-';
        const char *factor = r->factor[i] + minus;
        const bool one = !constant && strcmp(factor, "1") == 0;

        if (!constant) perc_proof_feature(t->proof, r->term[i], name, sizeof name);
        facts_more(f, "%s%s%s%s",
                   i > 0   ? minus ? " - " : " + "
                   : minus ? "-"
                           : "",
                   one ? "" : factor, one || constant ? "" : " ",
                   constant ? "" : about_proof_quoted(name, quoted));
    }
    if (r->terms == 0) facts_more(f, "0");
    if (r->terms > shown) facts_more(f, " + ... (%zu more)", r->terms - shown);
}

void about_proof_redundant(struct facts *f, const struct proof_words *t)
{
    char name[256], quoted[ABOUT_NAME], buf[WORD];
    perc_redundant r;

    if (t->all.redundant < 0) {
        facts_null(f, "redundant");
        return;
    }
    facts_table(f, "redundant", NULL);
    for (size_t i = 0; perc_proof_redundant(t->proof, i, &r); i++) {
        perc_proof_feature(t->proof, r.feature, name, sizeof name);
        facts_row(f);
        facts_string(f, "name", NULL, name);
        facts_table(f, "sum", NULL);
        for (size_t k = 0; k < r.terms; k++) {
            facts_row(f);
            facts_string(f, "name", NULL,
                         r.term[k] == PERC_CONSTANT
                             ? NULL
                             : perc_proof_feature(t->proof, r.term[k], name, sizeof name));
            facts_string(f, "factor", NULL, r.factor[k]);
            facts_end(f);
        }
        facts_end(f);
        facts_end(f);
    }
    facts_end(f);
    for (size_t i = 0; i < REDUNDANT && perc_proof_redundant(t->proof, i, &r); i++) {
        perc_proof_feature(t->proof, r.feature, name, sizeof name);
        facts_line(f, "redundant", "%s = ", about_proof_quoted(name, quoted));
        say_sum(f, t, &r);
    }
    if (t->all.redundant > REDUNDANT)
        facts_line(f, "redundant", "and %s more features",
                   word_count(buf, (uint64_t)t->all.redundant - REDUNDANT));
}

/* How many problems have which verdict: a class against the rest, and pairs. */
struct verdict_counts {
    size_t rest[PERC_UNDECIDED + 1], pair[PERC_UNDECIDED + 1];
};

/* With a w for each class, the fit is finite unless some w, not all equal on the rows, give every
 * row a score of its own class that is no less than the others (Albert and Anderson 1984). One
 * class off the rest is enough: its w, and 0 for the others. And the difference of two such w that
 * is not 0 on all rows separates a pair, or touches: so pairs that overlap, all of them, exclude
 * it. A pair that is separated does not settle it, since the other classes may forbid that w. */
void about_proof_multinomial(struct facts *f, const struct proof_words *t)
{
    const size_t labels = t->info.labels;
    struct verdict_counts n = { { 0 }, { 0 } };
    char quoted[ABOUT_NAME];
    perc_part p, alone = { .verdict = PERC_UNDECIDED };

    for (size_t i = 0; i < perc_proof_parts(t->proof); i++) {
        perc_proof_part(t->proof, i, &p);
        (p.negative == NULL ? n.rest : n.pair)[p.verdict]++;
        if (p.negative == NULL && p.verdict <= PERC_TOUCHING) alone = p;
    }
    if (labels <= 2 || strcmp(witness_kernel(t), "none") != 0) {
        facts_null(f, "multinomial");
        return;
    }
    const size_t off = n.rest[PERC_SEPARABLE] + n.rest[PERC_TOUCHING];
    const bool finite = n.pair[PERC_OVERLAPPING] == labels * (labels - 1) / 2;
    const bool known = off > 0 || finite;
    facts_object(f, "multinomial", perc_proof_parts(t->proof) > 1 ? "meaning" : NULL);
    facts_say(f, "multinomial logistic regression%s ",
              witness_flag(t, "offset") ? "" : " without intercepts");
    if (n.rest[PERC_SEPARABLE] == labels) facts_more(f, "has no finite fit (complete separation)");
    else if (off == 1)
        facts_more(f, "has no finite fit: %s %s the rest",
                   about_proof_quoted(alone.positive, quoted),
                   alone.verdict == PERC_SEPARABLE ? "is separated from" : "touches");
    else if (off > 1)
        facts_more(f, "has no finite fit: %zu classes are separated from the rest, or touch it",
                   off);
    else if (finite)
        facts_more(f, "has a finite fit%s: all pairs of classes overlap",
                   t->all.redundant > 0 ? ", the only one without redundant features" : "");
    else
        facts_more(
            f, "is not settled by these problems: %s",
            n.rest[PERC_OVERLAPPING] == labels
                ? "every class overlaps the rest, but not every pair does"
                : "that takes every class against the rest, and every pair, decided in full");
    if (known) facts_bool(f, "finite_fit", NULL, finite);
    else facts_null(f, "finite_fit");
    facts_end(f);
}

/* ----- margins --------------------------------------------------------------------------- */

void about_proof_between(struct facts *f, const char *what, double lower, double upper,
                         const char *more)
{
    char buf[2][WORD];

    if (lower == 0) {
        facts_say(f, "not known: no number above 0 was found that is below it");
        return;
    }
    facts_say(f, "%s <= %s <= %s (%s)", word_rounded(buf[0], lower, 10, false), what,
              word_rounded(buf[1], upper, 10, true), more);
}

static void bounds_fact(struct facts *f, const char *key, const char *words, double lower,
                        double upper)
{
    if (isnan(lower)) {
        facts_null(f, key);
        return;
    }
    facts_object(f, key, words);
    facts_real(f, "lower", NULL, lower);
    facts_real(f, "upper", NULL, upper);
    facts_end(f);
}

static void margin_facts(struct facts *f, const struct proof_words *t, const perc_part *p,
                         bool told)
{
    const bool separable = p->verdict == PERC_SEPARABLE, measured = !isnan(p->margin_lower);
    const bool shown = told && measured && p->verdict != PERC_UNDECIDED;
    const bool offset = witness_flag(t, "offset"), best = witness_flag(t, "margin");
    const double margin = best ? p->margin_lower : p->least;
    char buf[WORD];

    if (!told) { /* a column of the table */
        facts_real(f, NULL, best ? "gamma'" : "margin",
                   separable && margin > 0 ? margin : (double)NAN);
    } else if (shown && !separable) {
        facts_line(f, "margin", "none: not separable");
    } else if (shown) {
        facts_line(f, "margin", "%s", "");
        about_proof_between(f, "gamma'", p->margin_lower, p->margin_upper,
                            offset ? "offset inside the norm" : "no offset");
    }
    bounds_fact(f, "margin", NULL, p->margin_lower, p->margin_upper);
    if (shown && separable && isinf(p->geometric_lower)) {
        facts_line(f, "geometric margin",
                   "none: there is one class, and planes as far away as one likes");
    } else if (shown && separable && !isnan(p->geometric_lower)) {
        facts_line(f, "geometric margin", "%s", "");
        about_proof_between(f, "gamma", p->geometric_lower, p->geometric_upper,
                            offset ? "a distance; offset outside" : "the same");
    }
    bounds_fact(f, "geometric_margin", NULL, p->geometric_lower, p->geometric_upper);
    if (!measured || !separable) {
        facts_null(f, "gap_reached");
        return;
    }
    facts_bool(f, "gap_reached", told && p->gap_reached != 1 ? "gap" : NULL, p->gap_reached == 1);
    snprintf(buf, sizeof buf, "%s", perc_params_get(t->params, "gap"));
    facts_say(f, "%s was not reached: %s", buf,
              p->gap_reached < 0 ? t->reason : "rounding allows no more");
}

/* ----- how it was found -------------------------------------------------------------------- */

static void method_facts(struct facts *f, const perc_part *p, bool told)
{
    const bool none = p->method == NULL || p->method[0] == '\0' || strcmp(p->method, "none") == 0;
    const bool equal = !none && strcmp(p->method, "equal rows") == 0;
    char buf[WORD];

    facts_string(f, "method",
                 !told                          ? NULL
                 : p->verdict == PERC_UNDECIDED ? "so far"
                                                : "found by",
                 p->method);
    facts_say(f, "%s",
              none                                    ? "no answer"
              : equal && p->verdict == PERC_SEPARABLE ? "no equal rows with different labels"
                                                      : p->method);
    if (p->rounds > 1) facts_more(f, ", %s rounds", word_count(buf, (uint64_t)p->rounds));
    if (p->pivots > 0)
        facts_more(f, ", %s exact pivot%s", word_count(buf, (uint64_t)p->pivots),
                   word_plural((uint64_t)p->pivots));
    if (p->exact_rows > 0)
        facts_more(f, ", %s row%s decided in whole numbers", word_count(buf, p->exact_rows),
                   word_plural(p->exact_rows));
    if (p->rejected > 0)
        facts_more(f, ", %s proposal%s rejected", word_count(buf, p->rejected),
                   word_plural(p->rejected));
    facts_int(f, "rounds", NULL, p->rounds);
    facts_int(f, "pivots", NULL, p->pivots);
    facts_count(f, "exact_rows", NULL, p->exact_rows);
    facts_count(f, "rejected", NULL, p->rejected);
    facts_seconds(f, "seconds", told ? NULL : "time", p->seconds);
}

void about_proof_part(struct facts *f, const struct proof_words *t, const perc_part *p, bool told)
{
    const bool full = p->verdict == PERC_SEPARABLE || p->verdict == PERC_TOUCHING ||
                      p->verdict == PERC_OVERLAPPING;
    char meaning[WITNESS_SENTENCE];
    struct terms terms = terms_of(f, p);
    const bool means = witness_meaning(t, p, meaning);

    facts_string(f, "positive", NULL, p->positive);
    facts_string(f, "negative", NULL, p->negative);
    facts_string(f, NULL, told ? NULL : "problem", "");
    facts_say(f, "%s against %s", p->positive, witness_class(p->negative));
    facts_string(f, "verdict", "verdict", perc_verdict_text(p->verdict));
    if (told) say_verdict(f, t, p);
    facts_string(f, "meaning", told && means ? "meaning" : NULL, means ? meaning : NULL);
    facts_section(f, ABOUT_HOW);
    count_facts(f, t, p, told);
    facts_section(f, ABOUT_VERDICT);
    plane_facts(f, t, p, &terms, told);
    facts_section(f, ABOUT_HOW);
    use_facts(f, t, p, &terms, told);
    facts_section(f, ABOUT_VERDICT);
    char sentence[WITNESS_SENTENCE];
    if (p->witnesses == 0) {
        facts_null(f, "witness");
    } else {
        witness_sentence(t, p, sentence);
        facts_object(f, "witness", NULL);
        facts_string(f, "text", told ? "witness" : NULL, sentence);
        about_proof_rows(f, "rows", p->witness, p->witnesses);
        list_lines(f, t->ds, "lines", p->witness, p->witnesses);
        list_files(f, t->ds, "files", p->witness, p->witnesses);
        facts_list(f, "weights", NULL);
        for (size_t i = 0; i < p->witnesses; i++) facts_string(f, NULL, NULL, p->weight[i]);
        facts_end(f);
        facts_end(f);
    }
    facts_count_if(f, NULL, told ? NULL : "witness rows", p->witnesses > 0, p->witnesses);
    facts_count_if(f, "listed", NULL, full && p->witnesses > 0, p->listed);
    margin_facts(f, t, p, told);
    facts_section(f, ABOUT_HOW);
    method_facts(f, p, told);
    if (told && p->witnesses > 0) witness_table(f, t, p);
    facts_section(f, ABOUT_VERDICT);
    free(terms.term);
}
