/* report_proof.c -- the section of a report about separability: the verdict, what it means,
 * what shows it, and how anybody can check it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/witness.h"
#include "show/word.h"
#include "study/largest.h"
#include "study/report.h"

enum { TERMS = 6, ROWS = 20, COORDINATES = 6, PARTS = 66 };

/* ----- the plane ------------------------------------------------------------------------ */

/* " + 0.25 name", or " - 3". */
static void put_term(const struct report *r, const perc_part *p, bool first, double w,
                     const char *name)
{
    char number[WORD];

    if (p->exact) snprintf(number, WORD, "%.0f", fabs(w));
    else word_num(number, fabs(w));
    out_text(r->o, first ? (w < 0 ? "−" : "") : w < 0 ? " − " : " + ");
    if (name == NULL) html_put(r->o, "%s", number);
    else if (fabs(w) != 1) html_put(r->o, "%s <var>%s</var>", number, name);
    else html_put(r->o, "<var>%s</var>", name);
}

/* The largest terms, where there are many. */
static void put_plane(const struct report *r, const perc_part *p)
{
    struct largest top = { 0 };
    uint64_t terms = 0;
    char name[REPORT_NAME], buf[WORD];

    for (uint64_t j = 0; j < p->features; j++) {
        largest_keep(&top, p->w[j], j);
        terms += p->w[j] != 0;
    }
    const size_t shown = top.n < TERMS ? top.n : TERMS;
    html_put(r->o, "<p class=\"formula\">%s", p->exact ? "" : "about ");
    for (size_t i = 0; i < shown; i++)
        put_term(r, p, i == 0, top.value[i],
                 perc_proof_feature(r->study.proof, top.what[i], name, sizeof name));
    if (terms > shown) html_put(r->o, " + … (%s more)", word_count(buf, terms - shown));
    if (p->b != 0 || shown == 0) put_term(r, p, shown == 0, p->b, NULL);
    html_put(r->o,
             p->verdict == PERC_TOUCHING ? " ≥ 0 for %s, ≤ 0 for %s</p>\n"
                                         : " &gt; 0 for %s, &lt; 0 for %s</p>\n",
             p->positive != NULL ? p->positive : "all", witness_class(p->negative));
}

/* ----- the witness ------------------------------------------------------------------------ */

static void put_row(const struct report *r, struct html_table *t, const perc_part *p, size_t i,
                    double *x)
{
    const struct witness words = study_words(&r->study);
    const uint64_t row = p->witness[i];
    const int label = perc_dataset_row_label(r->study.ds, row);

    html_row(t);
    html_cell_count(t, row + 1);
    html_cell_count(t, (uint64_t)perc_dataset_row_line(r->study.ds, row));
    html_cell(t, label >= 0 ? perc_dataset_label(r->study.ds, (size_t)label) : "");
    html_cell(t, strlen(p->weight[i]) <= 15 ? p->weight[i] : "too long");
    html_cell_num(t, witness_share(&words, p, i));
    if (x == NULL) return;
    perc_dataset_row(r->study.drawn, row, x);
    for (uint64_t j = 0; j < r->study.data_info.features; j++) html_cell_num(t, x[j]);
}

static void put_rows(const struct report *r, const perc_part *p)
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
    html_heads(
        &t, (const char *const[]){ "Row", "Line", "Label", "Weight", "Share of its side", NULL });
    for (uint64_t j = 0; x != NULL && j < d; j++)
        html_head(&t, study_feature(&r->study, j, name, sizeof name));
    for (size_t i = 0; i < n; i++) put_row(r, &t, p, i, x);
    html_table_end(&t);
    free(x);
}

static void put_witness(const struct report *r, const perc_part *p)
{
    const struct witness words = study_words(&r->study);
    char sentence[WITNESS_SENTENCE];

    if (p->witnesses == 0) return;
    witness_sentence(&words, p, sentence);
    html_put(r->o,
             "<p>Why: %s. A plane that had each of these rows strictly on its own side "
             "would have that one point on both sides at once. Added up with the weights below, "
             "the rows of the two sides give the same; the certificate has all of them "
             "exactly.</p>\n",
             sentence);
    report_figure(r, picture_witness(&r->study), NULL);
    put_rows(r, p);
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

static void put_one(const struct report *r, const perc_part *p)
{
    const struct witness words = study_words(&r->study);
    char meaning[WITNESS_SENTENCE], rows[256], buf[2][WORD];

    html_put(r->o, "<p class=\"verdict\"><strong>%s</strong> %s</p>\n",
             perc_verdict_text(p->verdict), verdict_words(p->verdict));
    if (witness_meaning(&words, p, meaning))
        html_put(r->o, "<p>%s%s.</p>\n",
                 strcmp(r->study.run[0].info.machine, "linear") == 0
                     ? "So "
                     : "This is about planes, and the machine of this page is none. Without a "
                       "kernel and without hidden layers, ",
                 meaning);
    if (p->w != NULL && (p->verdict == PERC_SEPARABLE || p->verdict == PERC_TOUCHING))
        put_plane(r, p);
    if (p->verdict == PERC_SEPARABLE && p->closest_count > 0) {
        witness_rows(&words, p->closest, p->closest_count, rows, sizeof rows);
        html_put(r->o, "<p>Closest to it: %s.</p>\n", rows);
    }
    if (p->verdict == PERC_SEPARABLE && p->margin_lower > 0)
        html_put(r->o,
                 "<p>The largest margin γ′ of any plane, the offset inside the "
                 "norm, lies between %s and %s.</p>\n",
                 word_rounded(buf[0], p->margin_lower, 8, false),
                 word_rounded(buf[1], p->margin_upper, 8, true));
    put_witness(r, p);
}

static void put_several(const struct report *r)
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
    html_heads(&t, (const char *const[]){ "Label", "Against", "Verdict", "Rows",
                                          "Rows that show a no", NULL });
    for (size_t i = 0; i < n && i < PARTS; i++) {
        perc_proof_part(r->study.proof, i, &p);
        html_row(&t);
        html_cell(&t, p.positive != NULL ? p.positive : "");
        html_cell(&t, witness_class(p.negative));
        html_cell(&t, perc_verdict_text(p.verdict));
        html_cell_count(&t, p.rows);
        html_cell(&t, p.witnesses > 0 ? word_count(buf[0], p.witnesses) : "–");
    }
    html_table_end(&t);
    for (size_t i = 0; i < n; i++) {
        perc_proof_part(r->study.proof, i, &p);
        if (p.witnesses == 0) continue;
        html_put(r->o, "<h3>%s against %s</h3>\n", p.positive, witness_class(p.negative));
        put_witness(r, &p);
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
    if (perc_proof_parts(r->study.proof) == 1) put_one(r, &r->study.part);
    else put_several(r);
    how_to_check(r);
}
