/* prove_report.c -- what `perceptron prove` says: about each problem (show/about_proof.c), the
 * data, the mistakes beside their bound, and where the certificate is.
 *
 * One problem is described in full. Several (a class against the rest, and pairs) are a table,
 * because nobody reads fifty-five reports; --positive asks for one of them. */
#include "cli/prove.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "show/about.h"
#include "show/plot.h"
#include "show/word.h"

enum { FOLDED = 5, CORNERS = 12, WIDE = 60, HIGH = 16 };

/* ----- what was proved about ---------------------------------------------------------- */

/* For people, one line instead of those about the data. */
static void data_facts(const struct proving *t, struct facts *f, const perc_part *one)
{
    const perc_dataset_info *d = &t->about.info;
    const char *kernel = witness_kernel(&t->about);
    const char *degree = perc_params_get(t->params, "degree");
    const char *coef0 = perc_params_get(t->params, "coef0"); /* 0: exactly `degree` features */
    char buf[2][WORD], label[2][ABOUT_NAME], several[SEVERAL_NAME];

    facts_section(f, FACTS_UNTOLD);
    about_data(f, t->data, t->ds);
    facts_section(f, ABOUT_DATA);
    facts_line(f, "data", "%s (%s): %s row%s, %s feature%s", several_name(t->cli, t->data, several),
               d->format, word_count(buf[0], d->rows), word_plural(d->rows),
               word_count(buf[1], d->features), word_plural(d->features));
    if (d->dropped > 0)
        facts_more(f, "; %s row%s with missing values left out", word_count(buf[0], d->dropped),
                   word_plural(d->dropped));
    facts_count(f, "weightless", NULL, t->about.all.weightless);
    if (t->about.all.weightless > 0)
        facts_line(f, "left out", "%s row%s of weight 0; other weights play no part in a proof",
                   word_count(buf[0], t->about.all.weightless),
                   word_plural(t->about.all.weightless));
    if (one == NULL) facts_line(f, "labels", "%zu", d->labels);
    else if (d->labels > 1)
        facts_line(f, "labels", "+1 is %s, -1 is %s", about_proof_quoted(one->positive, label[0]),
                   about_proof_quoted(one->negative, label[1]));
    if (strcmp(kernel, "poly") == 0)
        facts_line(f, "kernel", "poly, degree %s: products of %s%s feature%s", degree,
                   coef0 != NULL && word_value(coef0) == 0 ? "" : "up to ", degree,
                   strcmp(degree, "1") == 0 ? "" : "s");
    else if (strcmp(kernel, "none") != 0) facts_line(f, "kernel", "%s", kernel);
    if (one != NULL && !isnan(one->kernel_gamma)) { /* margins depend on all its numbers */
        if (strcmp(kernel, "gaussian") == 0)
            facts_more(f, ", sigma %s", perc_params_get(t->params, "sigma"));
        else facts_more(f, ", gamma %s", word_exact(buf[0], one->kernel_gamma));
        if (strcmp(kernel, "poly") == 0) facts_more(f, ", coef0 %s", coef0);
    }
    if (d->note[0] != '\0') facts_line(f, "note", "%s", d->note);
    if (cli_given(t->cli, "weight") && t->about.all.weightless == 0)
        facts_line(f, "note", "weights above 0 play no part in a proof");
    about_proof_redundant(f, &t->about);
    facts_section(f, ABOUT_VERDICT);
}

/* ----- several problems ------------------------------------------------------------------ */

static void several_verdict(const struct proving *t, struct facts *f)
{
    const size_t n = perc_proof_parts(t->proof);
    const int rc = prove_answer(t);
    size_t count[PERC_UNDECIDED + 1] = { 0 };
    const char *between = " ";
    perc_part p;

    if (rc == EXIT_DONE) {
        facts_line(f, "verdict", "separable: all %zu problems", n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        perc_proof_part(t->proof, i, &p);
        count[p.verdict]++;
    }
    facts_line(f, "verdict", "%s: of %zu problems", rc == EXIT_NO ? "not separable" : "undecided",
               n);
    for (int v = 0; v <= PERC_UNDECIDED; v++) {
        if (count[v] == 0) continue;
        facts_more(f, "%s%zu %s", between, count[v], perc_verdict_text((perc_verdict)v));
        between = ", ";
    }
}

/* A table of them, and what it does not say. If many are undecided, they share one line. */
static void several_facts(const struct proving *t, struct facts *f)
{
    const bool poly = strcmp(witness_kernel(&t->about), "poly") == 0;
    const bool fold = t->undecided > FOLDED;
    perc_part p;

    several_verdict(t, f);
    about_proof_multinomial(f, &t->about);
    facts_section(f, ABOUT_HOW);
    facts_table(f, "parts", "Each problem:");
    for (size_t i = 0; i < perc_proof_parts(t->proof); i++) {
        perc_proof_part(t->proof, i, &p);
        facts_section(f, fold && p.verdict == PERC_UNDECIDED ? FACTS_UNTOLD : ABOUT_HOW);
        facts_row(f);
        about_proof_part(f, &t->about, &p, false);
        facts_end(f);
    }
    facts_end(f);
    facts_section(f, ABOUT_HOW);
    if (fold) facts_prose(f, "  ... and %zu undecided\n", t->undecided);
    if (witness_flag(&t->about, "margin"))
        facts_prose(f, "\ngamma' is the largest margin, from below; --json has both bounds\n");
    else if (strcmp(witness_kernel(&t->about), "none") == 0 || poly)
        facts_prose(f, "\nThe margin is that of the %s that was found%s\n",
                    poly ? "surface" : "plane",
                    poly ? ", among the products" : "; --margin finds the largest");
    facts_prose(f,
                "\nOne class in full: --positive LABEL%s; one pair: --positive LABEL --negative "
                "LABEL\n",
                cli_given(t->cli, "problems") ? " without --problems" : "");
}

/* ----- --bound ------------------------------------------------------------------------ */

/* k gamma' <= w.u <= |w| <= sqrt(k) R: two curves that the theorem puts between two others, which
 * meet at the bound. */
static void bound_plot(const struct proving *t, struct facts *f, const perc_bound *b)
{
    const perc_bound_run *r = &b->run[0];
    const double last = b->runs > 0 && r->steps > 1 ? (double)r->at[r->steps - 1] : 0;
    const double box[4] = { 0, 0, last * 1.0001, sqrt(last) * b->radius * 1.0001 };
    struct out *o;
    char buf[WORD];

    if (last == 0) return;
    if (out_open(&t->cli->env, NULL, &o, NULL)) {
        facts_fail(f);
        return;
    }
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
    plot_print(plot, o, 2, cli_colour());
    plot_free(plot);
    if (out_broken(o)) facts_fail(f);
    facts_prose(f,
                "\nAfter k mistakes, order %s:  . k gamma'  <=  o w.u  <=  + |w|  <=  ' sqrt(k) R\n"
                "%s  k = 1 .. %s\n",
                r->order, out_kept(o), word_count(buf, (uint64_t)last));
    out_abort(o);
}

/* The curves: after `at` updates, w.u and |w|^2. */
static void run_row(struct facts *f, const perc_bound *b, const perc_bound_run *r)
{
    char buf[WORD];

    facts_row(f);
    facts_string(f, "order", "order", r->order);
    facts_count(f, "mistakes", "mistakes", (uint64_t)r->mistakes);
    if (!r->converged) facts_say(f, "%s (stopped)", word_count(buf, (uint64_t)r->mistakes));
    facts_count(f, "passes", "passes", (uint64_t)r->passes);
    facts_bool(f, "converged", NULL, r->converged != 0);
    facts_percent(f, NULL, "of the bound", (double)r->mistakes / b->bound);
    facts_list(f, "at", NULL);
    for (size_t i = 0; i < r->steps; i++) facts_int(f, NULL, NULL, r->at[i]);
    facts_end(f);
    facts_list(f, "along", NULL);
    for (size_t i = 0; i < r->steps; i++) facts_real(f, NULL, NULL, r->along[i]);
    facts_end(f);
    facts_list(f, "norm2", NULL);
    for (size_t i = 0; i < r->steps; i++) facts_real(f, NULL, NULL, r->norm2[i]);
    facts_end(f);
    facts_end(f);
}

/* The bound in words: with the digits that are known. Mistakes are whole numbers, so there are no
 * more than its integer part. */
static void bound_line(struct facts *f, const perc_bound *b)
{
    const char *said = b->most < UINT64_MAX ? " mistakes at most: " : "";
    char lower[WORD], upper[WORD], count[WORD] = "";

    if (b->most < UINT64_MAX) word_count(count, b->most);
    word_rounded(lower, b->bound_lower, 10, false);
    word_rounded(upper, b->bound, 10, true);
    if (!isfinite(b->bound) && b->exact != NULL)
        facts_say(f, "(R/gamma')^2 is more than doubles can hold (--json has it)");
    else if (!isfinite(b->bound)) facts_say(f, "not known: no margin that doubles can hold");
    else if (b->exact == NULL)
        facts_say(f, "%s%s%s <= (R/gamma')^2 <= %s", count, said, lower, upper);
    else
        facts_say(f, "%s%s(R/gamma')^2 = %s%s", count, said, lower,
                  word_value(lower) == b->bound ? "" : "...");
}

/* R, gamma' and the bound, each rounded so that it stays true. */
static void bound_numbers(const struct proving *t, struct facts *f, const perc_bound *b)
{
    const bool offset = witness_flag(&t->about, "offset");
    const bool known = witness_flag(&t->about, "margin");
    const bool kernel = strcmp(witness_kernel(&t->about), "none") != 0;
    const char *longest = kernel && offset ? "largest sqrt(K(x, x) + 1)"
                          : kernel         ? "largest sqrt(K(x, x))"
                          : offset         ? "longest row, with a 1 for the offset"
                                           : "longest row";
    char buf[WORD];

    word_rounded(buf, b->radius, 6, true);
    facts_real(f, "radius", "R", b->radius);
    facts_say(f, "%s%s (the %s)", word_value(buf) > b->radius ? "<= " : "", buf, longest);
    facts_real(f, "margin", known ? NULL : "margin", b->margin);
    about_proof_between(f, "gamma'", b->margin, b->margin_upper,
                        offset ? "offset inside the norm" : "no offset");
    facts_real(f, "margin_upper", NULL, b->margin_upper);
    facts_real(f, "bound", "mistake bound", b->bound);
    bound_line(f, b);
    facts_real(f, "bound_lower", NULL, b->bound_lower);
    if (b->exact != NULL) facts_string(f, "bound_exact", NULL, b->exact);
    else facts_null(f, "bound_exact");
    facts_count(f, "orders", NULL, b->orders);
}

static void bound_facts(const struct proving *t, struct facts *f)
{
    perc_bound b;

    facts_section(f, ABOUT_BOUND);
    const bool found = perc_proof_bound(t->proof, &b) != 0;
    if (witness_flag(&t->about, "bound") && prove_answer(t) == EXIT_NO)
        facts_line(f, "mistake bound", "none: not separable");
    else if (witness_flag(&t->about, "bound") && !found)
        facts_line(f, "mistake bound", "not known: %s", t->about.reason);
    if (!found) {
        facts_null(f, "bound");
        return;
    }
    facts_object(f, "bound", NULL);
    bound_numbers(t, f, &b);
    facts_table(f, "runs", "");
    for (size_t i = 0; i < b.runs; i++) run_row(f, &b, &b.run[i]);
    facts_end(f);
    /* What is missing from the table, and why. */
    bool stopped = false;
    char buf[2][WORD];
    for (size_t i = 0; i < b.runs; i++) stopped = stopped || !b.run[i].converged;
    if (stopped)
        facts_prose(f, "stopped: at the limit of passes or of time, before it converged\n");
    if (b.runs < b.orders)
        facts_prose(f, "%s of %s orders were run: %s\n", word_count(buf[0], b.runs),
                    word_count(buf[1], b.orders), t->about.reason);
    bound_plot(t, f, &b);
    facts_end(f);
}

/* ----- --hulls ------------------------------------------------------------------------ */

static void hull_line(struct facts *f, const char *label, const uint64_t *row, size_t n)
{
    char name[ABOUT_NAME + 16], buf[WORD];

    snprintf(name, sizeof name, "hull of %.*s", ABOUT_NAME, label);
    if (n == 0) {
        facts_line(f, name, "none: it has no rows");
        return;
    }
    facts_line(f, name, "%s corner%s: row%s", word_count(buf, n), word_plural(n), word_plural(n));
    for (size_t i = 0; i < n && i < CORNERS; i++)
        facts_more(f, " %llu", (unsigned long long)row[i] + 1);
    if (n > CORNERS) facts_more(f, " ...");
}

static void hull_facts(const struct proving *t, struct facts *f)
{
    perc_part p;
    perc_hulls h;

    facts_section(f, ABOUT_HOW);
    if (!perc_proof_hulls(t->proof, &h)) {
        facts_null(f, "hulls");
        return;
    }
    perc_proof_part(t->proof, 0, &p);
    const bool no = h.verdict == PERC_TOUCHING || h.verdict == PERC_OVERLAPPING;
    const bool agree = h.verdict == p.verdict || (p.verdict == PERC_INSEPARABLE && no);
    hull_line(f, p.positive, h.positive, h.positives);
    hull_line(f, witness_class(p.negative), h.negative, h.negatives);
    facts_object(f, "hulls", NULL);
    about_proof_rows(f, "positive", h.positive, h.positives);
    about_proof_rows(f, "negative", h.negative, h.negatives);
    facts_string(f, "verdict", "by the hulls", perc_verdict_text(h.verdict));
    facts_more(f, "%s%s", perc_verdict_text(h.verdict),
               p.verdict == PERC_UNDECIDED ? ""
               : !agree                    ? ": this DISAGREES, please report it"
               : h.verdict == p.verdict    ? ", the same verdict by another method"
                                           : ": not separable by another method either");
    facts_end(f);
}

/* ----- the report -------------------------------------------------------------------------- */

/* A word of a command line, in quotes if a shell would take it apart. */
static const char *shell_word(const char *word, char *buf, size_t size)
{
    if (word[0] != '\0' && strpbrk(word, " \t\n'\"\\$`*?[](){}<>|&;#~!") == NULL) return word;
    if (strchr(word, '\'') != NULL || (size_t)snprintf(buf, size, "'%s'", word) >= size)
        return "...";
    return buf;
}

/* To read the file again, one needs the options that say how it is read. */
static void certificate_fact(const struct proving *t, struct facts *f)
{
    const size_t n = perc_proof_parts(t->proof);
    char word[256];

    facts_string(f, "certificate", t->written ? "certificate" : NULL,
                 t->written ? t->output : NULL);
    if (!t->written) return;
    facts_say(f, "%s", word_output(t->output));
    if (t->undecided > 0) facts_more(f, " (%zu of %zu problems)", n - t->undecided, n);
    facts_more(f, "; check it with: perceptron verify %s",
               shell_word(t->output, word, sizeof word));
    for (const char **data = t->cli->word; *data != NULL; data++)
        facts_more(f, " %s", shell_word(*data, word, sizeof word));
    for (size_t i = 0; i < t->cli->setting_count; i++) {
        const struct setting *s = &t->cli->settings[i];
        const perc_param *row = cli_row("data", s->name);

        if (row == NULL || cli_row("prove", s->name) != NULL) continue;
        facts_more(f, " --%s", s->option);
        if (row->type != PERC_BOOL) facts_more(f, " %s", shell_word(s->value, word, sizeof word));
    }
}

void prove_report(const struct proving *t, struct facts *f)
{
    const bool one = perc_proof_parts(t->proof) == 1;
    const int rc = prove_answer(t);
    perc_part p;

    perc_proof_part(t->proof, 0, &p);
    facts_string(f, "command", NULL, "prove");
    data_facts(t, f, one ? &p : NULL);
    about_options(f, "prove", t->params);
    facts_string(f, "answer", NULL, rc == EXIT_NO ? "no" : rc == EXIT_DONE ? "yes" : "undecided");
    if (one) {
        facts_list(f, "parts", NULL);
        facts_row(f);
        about_proof_part(f, &t->about, &p, true);
        facts_end(f);
        facts_end(f);
        about_proof_multinomial(f, &t->about);
    } else {
        several_facts(t, f);
    }
    bound_facts(t, f);
    hull_facts(t, f);
    facts_section(f, ABOUT_END);
    certificate_fact(t, f);
    facts_count(f, "undecided", NULL, t->undecided);
    facts_seconds(f, "seconds", "proving", t->seconds);
}
