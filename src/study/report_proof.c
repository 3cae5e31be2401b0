/* report_proof.c -- the section of a report about separability: the verdict, what it means,
 * what shows it, and how anybody can check it. */
#include "study/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/word.h"

enum { TERMS = 6, ROWS = 20, COORDINATES = 6, PARTS = 66 };

/* The functions of `prove` take what that command has. Without memory the params are NULL. */
static struct prove as_proved(const struct report *r)
{
    struct prove t = { .cli = r->cli,
                       .data = r->study.data,
                       .ds = r->study.ds,
                       .info = r->study.data_info,
                       .proof = r->study.proof };

    if (perc_params_new(&r->cli->env, "prove", &t.params, NULL)) out_fail_memory(r->o);
    else if (!r->study.run[0].info.has_offset) perc_params_set(t.params, "offset", "false", NULL);
    return t;
}

/* ----- the plane ------------------------------------------------------------------------ */

static void plane_number(const perc_part *p, double w, char buf[WORD])
{
    if (p->exact) snprintf(buf, WORD, "%.0f", w);
    else word_num(buf, w);
}

/* " + 0.25 name", or " - 3". */
static void put_term(const struct report *r, const perc_part *p, bool first, double w,
                     const char *name)
{
    char number[WORD];

    plane_number(p, fabs(w), number);
    out_text(r->o, first ? (w < 0 ? "−" : "") : w < 0 ? " − " : " + ");
    if (name == NULL) html_put(r->o, "%s", number);
    else if (fabs(w) != 1) html_put(r->o, "%s <var>%s</var>", number, name);
    else html_put(r->o, "<var>%s</var>", name);
}

/* The largest terms; feature by feature where there are few. */
static void plane(const struct report *r, const perc_part *p)
{
    uint64_t shown = 0, other = 0;
    double least = 0;
    char name[REPORT_NAME], buf[WORD];

    for (uint64_t j = 0; j < p->features; j++) other += p->w[j] != 0;
    if (other > TERMS) { /* the TERMS-th largest: more may be equal to it */
        double top[TERMS] = { 0 };

        for (uint64_t j = 0; j < p->features; j++)
            for (size_t k = 0, at = TERMS; k < TERMS && at == TERMS; k++)
                if (fabs(p->w[j]) > top[k]) {
                    at = k;
                    memmove(top + at + 1, top + at, (TERMS - at - 1) * sizeof *top);
                    top[at] = fabs(p->w[j]);
                }
        least = top[TERMS - 1];
    }
    html_put(r->o, "<p class=\"formula\">%s", p->exact ? "" : "about ");
    for (uint64_t j = 0; j < p->features && shown < TERMS; j++) {
        if (p->w[j] == 0 || fabs(p->w[j]) < least) continue;
        put_term(r, p, shown++ == 0, p->w[j],
                 perc_proof_feature(r->study.proof, j, name, sizeof name));
        other--;
    }
    if (other > 0) html_put(r->o, " + … (%s more)", word_count(buf, other));
    if (p->b != 0 || shown == 0) put_term(r, p, shown == 0, p->b, NULL);
    html_put(r->o,
             p->verdict == PERC_TOUCHING ? " ≥ 0 for %s, ≤ 0 for %s</p>\n"
                                         : " &gt; 0 for %s, &lt; 0 for %s</p>\n",
             p->positive != NULL ? p->positive : "all", proving_class(p->negative));
}

/* ----- the witness ------------------------------------------------------------------------ */

/* A whole number of any length, as a share of 10^longest: its first digits are enough. */
static double relative(const char *weight, size_t longest)
{
    enum { DIGITS = 15 };
    const size_t n = strlen(weight);
    char lead[DIGITS + 1];

    snprintf(lead, sizeof lead, "%s", weight);
    return word_value(lead) * pow(10, (double)(n > DIGITS ? n - DIGITS : 0) - (double)longest);
}

/* What a row counts for in the weighted mean, or sum, of its side. */
static double share(const struct prove *t, const perc_part *p, size_t i)
{
    const bool side = proving_positive(t->ds, p, p->witness[i]);
    size_t longest = 0;
    double sum = 0;

    for (size_t k = 0; k < p->witnesses; k++)
        longest = strlen(p->weight[k]) > longest ? strlen(p->weight[k]) : longest;
    for (size_t k = 0; k < p->witnesses; k++)
        if (proving_positive(t->ds, p, p->witness[k]) == side)
            sum += relative(p->weight[k], longest);
    return relative(p->weight[i], longest) / sum;
}

static void witness_row(const struct report *r, const struct prove *proved, struct html_table *t,
                        const perc_part *p, size_t i, double *x)
{
    const uint64_t row = p->witness[i];
    const int label = perc_dataset_row_label(r->study.ds, row);

    html_row(t);
    html_cell_count(t, row + 1);
    html_cell_count(t, (uint64_t)perc_dataset_row_line(r->study.ds, row));
    html_cell(t, label >= 0 ? perc_dataset_label(r->study.ds, (size_t)label) : "");
    html_cell(t, strlen(p->weight[i]) <= 15 ? p->weight[i] : "too long");
    html_cell_num(t, share(proved, p, i));
    if (x == NULL) return;
    perc_dataset_row(r->study.drawn, row, x);
    for (uint64_t j = 0; j < r->study.data_info.features; j++) html_cell_num(t, x[j]);
}

static void witness_rows(const struct report *r, const struct prove *proved, const perc_part *p)
{
    const uint64_t d = r->study.data_info.features;
    const size_t n = p->witnesses < ROWS ? p->witnesses : ROWS;
    double *x = d <= COORDINATES ? calloc((size_t)d + 1, sizeof *x) : NULL;
    struct html_table t;
    char name[REPORT_NAME], caption[128], buf[2][WORD];

    snprintf(caption, sizeof caption, "Rows that no plane can separate%s%s%s%s",
             n < p->witnesses ? ": the first " : "", n < p->witnesses ? word_count(buf[0], n) : "",
             n < p->witnesses ? " of " : "",
             n < p->witnesses ? word_count(buf[1], p->witnesses) : "");
    html_table(&t, r->o, caption, "Rrlrrrrrrrr");
    html_head(&t, "Row");
    html_head(&t, "Line");
    html_head(&t, "Label");
    html_head(&t, "Weight");
    html_head(&t, "Share of its side");
    for (uint64_t j = 0; x != NULL && j < d; j++)
        html_head(&t, study_feature(&r->study, j, name, sizeof name));
    for (size_t i = 0; i < n; i++) witness_row(r, proved, &t, p, i, x);
    html_table_end(&t);
    free(x);
}

static void witness(const struct report *r, const struct prove *t, const perc_part *p)
{
    char sentence[PROVE_SENTENCE];

    if (p->witnesses == 0 || t->params == NULL) return;
    witness_sentence(t, p, sentence);
    html_put(r->o,
             "<p>Why: %s. A plane that had each of these rows strictly on its own side "
             "would have that one point on both sides at once. Added up with the weights below, "
             "the rows of the two sides give the same; the certificate has all of them "
             "exactly.</p>\n",
             sentence);
    report_figure(r, picture_witness(&r->study), NULL);
    witness_rows(r, t, p);
}

/* ----- one problem, or several -------------------------------------------------------------- */

static const char *verdict_words(perc_verdict v)
{
    switch (v) {
    case PERC_SEPARABLE: return "Yes: a plane has every row strictly on its side.";
    case PERC_TOUCHING:
        return "No, but nearly: a plane has no row on the wrong side, and some rows on itself; "
               "every such plane has.";
    case PERC_OVERLAPPING:
        return "No: every plane with a row strictly on its side has another on the wrong side.";
    case PERC_INSEPARABLE: return "No: no plane has every row strictly on its side.";
    default: return "Not decided: the time allowed for the proof came first (--prove-limit).";
    }
}

static void one(const struct report *r, const struct prove *t, const perc_part *p)
{
    char meaning[PROVE_SENTENCE], rows[256], buf[2][WORD];

    html_put(r->o, "<p class=\"verdict\"><strong>%s</strong> %s</p>\n",
             perc_verdict_text(p->verdict), verdict_words(p->verdict));
    if (t->params != NULL && proving_meaning(t, p, meaning))
        html_put(r->o, "<p>%s%s.</p>\n",
                 strcmp(r->study.run[0].info.machine, "linear") == 0
                     ? "So "
                     : "This is about planes, and the machine of this page is none. Without a "
                       "kernel and without hidden layers, ",
                 meaning);
    if (p->w != NULL && (p->verdict == PERC_SEPARABLE || p->verdict == PERC_TOUCHING)) plane(r, p);
    if (p->verdict == PERC_SEPARABLE && p->closest_count > 0) {
        proving_rows(t, p->closest, p->closest_count, rows, sizeof rows);
        html_put(r->o, "<p>Closest to it: %s.</p>\n", rows);
    }
    if (p->verdict == PERC_SEPARABLE && p->margin_lower > 0)
        html_put(r->o,
                 "<p>The largest margin γ′ of any plane, the offset inside the "
                 "norm, lies between %s and %s.</p>\n",
                 cli_rounded(buf[0], WORD, p->margin_lower, 8, false),
                 cli_rounded(buf[1], WORD, p->margin_upper, 8, true));
    witness(r, t, p);
}

static void several(const struct report *r, const struct prove *proved)
{
    const size_t n = perc_proof_parts(r->study.proof);
    struct html_table t;
    char caption[128], buf[2][WORD];
    perc_part p;

    out_text(r->o, "<p>With more than two labels each is put against all the others. A learner "
                   "with one weight vector a label can get every row right if each label can be "
                   "separated from the rest, and sometimes when not.</p>\n");
    snprintf(caption, sizeof caption, "%s problems%s%s", word_count(buf[0], n),
             n > PARTS ? ", the first " : "", n > PARTS ? word_count(buf[1], PARTS) : "");
    html_table(&t, r->o, caption, "Lllrr");
    html_head(&t, "Label");
    html_head(&t, "Against");
    html_head(&t, "Verdict");
    html_head(&t, "Rows");
    html_head(&t, "Rows that show a no");
    for (size_t i = 0; i < n && i < PARTS; i++) {
        perc_proof_part(r->study.proof, i, &p);
        html_row(&t);
        html_cell(&t, p.positive != NULL ? p.positive : "");
        html_cell(&t, proving_class(p.negative));
        html_cell(&t, perc_verdict_text(p.verdict));
        html_cell_count(&t, p.rows);
        html_cell(&t, p.witnesses > 0 ? word_count(buf[0], p.witnesses) : "–");
    }
    html_table_end(&t);
    for (size_t i = 0; i < n; i++) {
        perc_proof_part(r->study.proof, i, &p);
        if (p.witnesses == 0) continue;
        html_put(r->o, "<h3>%s against %s</h3>\n", p.positive, proving_class(p.negative));
        witness(r, proved, &p);
        break; /* one is drawn; the certificate has them all */
    }
}

static void how_to_check(const struct report *r)
{
    const char *positive = perc_params_get(r->study.run[0].params, "positive");

    out_text(r->o,
             "<p>Nothing of this rests on rounded numbers: the answer was checked in whole "
             "numbers, on the decimal numbers that stand in the file. To have it in writing, and "
             "have it checked by a program that shares no arithmetic with the one that found "
             "it:</p>\n<pre class=\"command\"><code>");
    report_command(r, "prove", "", NULL, r->study.run[0].info.has_offset ? "" : " --no-offset");
    if (r->study.data_info.labels > 2) {
        out_text(r->o, " --problems rest");
        if (positive != NULL && positive[0] != '\0') {
            out_text(r->o, " --positive ");
            report_shell_word(r->o, positive);
        }
    }
    out_text(r->o, " -o proof.json\n");
    report_command(r, "verify", "proof.json ", NULL, "");
    out_text(r->o, "</code></pre>\n");
}

void report_proof(const struct report *r)
{
    if (r->study.proof == NULL) {
        report_why(r, r->study.why_proof);
        return;
    }
    struct prove t = as_proved(r);
    if (perc_proof_parts(r->study.proof) == 1) {
        perc_part p;

        perc_proof_part(r->study.proof, 0, &p);
        one(r, &t, &p);
    } else {
        several(r, &t);
    }
    perc_params_free(t.params);
    how_to_check(r);
}
