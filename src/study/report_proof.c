/* report_proof.c -- the section of a report about separability: the verdict, what it means, what
 * shows it, in the facts of `prove`, and how anybody can check it. */
#include "show/about_proof.h"
#include "show/word.h"
#include "study/report.h"

#include <stdio.h>
#include <string.h>

enum { PARTS = 66 };

static void put_part(const struct report *r, const perc_part *p)
{
    const struct proof_words words = study_words(&r->study);
    struct facts f;

    facts_init(&f, r->study.env, FACTS_PEOPLE);
    about_proof_part(&f, &words, p, true);
    facts_html(&f, r->o);
    facts_free(&f);
    if (p->witnesses == 0) return;
    out_text(r->o,
             "<p>A plane that had each of these rows strictly on its own side would have one point "
             "on both sides at once: added up with their weights, the rows of the two sides give "
             "the same. The certificate has all of them exactly.</p>\n");
    report_figure(r, picture_witness(&r->study), NULL);
}

void report_proof(const struct report *r)
{
    if (r->study.proof == NULL) {
        report_why(r, r->study.why_proof);
        return;
    }
    if (strcmp(r->study.run[0].info.machine, "linear") != 0)
        out_text(r->o, "<p>This is about planes, without a kernel and without hidden layers: the "
                       "machine of this page is not one.</p>\n");
    if (perc_proof_parts(r->study.proof) == 1) {
        html_put(r->o, "<p class=\"verdict\"><strong>%s</strong></p>\n",
                 perc_verdict_text(r->study.part.verdict));
        put_part(r, &r->study.part);
    } else {
        const size_t n = perc_proof_parts(r->study.proof);
        struct html_table t;
        char caption[128], buf[2][WORD];
        perc_part p;

        out_text(r->o,
                 "<p>With more than two labels each is put against all the others. A learner "
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
            html_cell(&t, p.positive);
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
            put_part(r, &p);
            break; /* one is drawn; the certificate has them all */
        }
    }
    const char *positive = perc_params_get(r->study.run[0].params, "positive");
    out_text(r->o,
             "<p>Nothing of this rests on rounded numbers: the answer was checked in whole "
             "numbers, on the decimal numbers that stand in the file. To have it in writing, and "
             "have it checked by a program that shares no arithmetic with the one that found "
             "it:</p>\n<pre class=\"command\"><code>");
    report_command(r, "prove", "", NULL, r->study.run[0].info.has_offset ? "" : " --no-offset");
    if (r->study.data_info.labels > 2) {
        out_text(r->o, " --problems rest");
        if (positive[0] != '\0') {
            out_text(r->o, " --positive ");
            report_shell_word(r->o, positive);
        }
    }
    out_text(r->o, " -o proof.json\n");
    report_command(r, "verify", "proof.json ", NULL, "");
    out_text(r->o, "</code></pre>\n");
}
