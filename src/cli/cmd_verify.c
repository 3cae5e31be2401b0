/* cmd_verify.c -- perceptron verify: is a certificate true, and about these data?
 *
 * The answer does not rest on the program that wrote the certificate: everything in it is
 * checked again, in whole numbers, against the numbers of the file. What was verified is
 * listed problem by problem, because a true certificate may say less than a person hopes. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

#include "show/word.h"

/* Options of "data" that change the numbers of the file, which a proof is about. */
#define HIDDEN "positive scale map hash float32 group time"

enum { PLANE = 64 };

/* What does the separating in the certificate's space. */
static const char *plane_of(const perc_check *c, char buf[PLANE])
{
    if (c->degree > 0) snprintf(buf, PLANE, "surface of degree %d", c->degree);
    else if (strcmp(c->kernel, "none") != 0) snprintf(buf, PLANE, "machine with this kernel");
    else snprintf(buf, PLANE, "plane%s", c->offset ? "" : " through the origin");
    return buf;
}

/* One problem, as a sentence. */
static void claim_lines(struct facts *f, const perc_claim *p, const char *plane)
{
    char rows[WORD], strict[WORD], held[WORD];

    word_count(rows, p->rows);
    word_count(strict, p->strict);
    word_count(held, p->on_all_planes);
    facts_line(f, "verified", "%s: ", perc_verdict_text(p->verdict));
    if (p->verdict == PERC_SEPARABLE)
        facts_more(f, "a %s has every row strictly on its side", plane);
    else if (p->verdict == PERC_OVERLAPPING)
        facts_more(f, "every %s with a row strictly on its side has another on the wrong side",
                   plane);
    else facts_more(f, "no %s has every row strictly on its side", plane);
    if (p->verdict == PERC_TOUCHING)
        facts_more(f, ", but one has no row on the wrong side, and %s of %s strictly on their side",
                   strict, rows);
    facts_line(f, "labels", "%s against %s", p->positive,
               p->negative[0] != '\0' ? p->negative : "the rest");
    facts_line(f, "rows", "%s", rows);
    if (p->verdict == PERC_SEPARABLE) facts_more(f, ", strictly on their side");
    else if (p->verdict == PERC_TOUCHING)
        facts_more(f, ": %s strictly on their side, %s on every %s with no row on the wrong side",
                   strict, held, plane);
    else if (p->verdict == PERC_OVERLAPPING)
        facts_more(f, ", on every %s with no row on the wrong side", plane);
}

/* Several problems: how many of each verdict. */
static void verdict_lines(struct facts *f, const perc_check *c)
{
    const char *between = ":";
    char buf[WORD];

    facts_line(f, "verified", "%zu problems", c->parts);
    for (int v = 0; v < PERC_UNDECIDED; v++) {
        if (c->verdicts[v] == 0) continue;
        facts_more(f, "%s %zu %s", between, c->verdicts[v], perc_verdict_text((perc_verdict)v));
        between = ",";
    }
    facts_line(f, "rows", "%s", word_count(buf, c->rows));
}

/* As the certificate has it. */
static void kernel_facts(struct facts *f, const perc_check *c)
{
    const char *where = c->offset ? "with an offset" : "without an offset";

    if (strcmp(c->kernel, "none") == 0) {
        facts_line(f, "planes", "%s", c->offset ? where : "through the origin");
        facts_null(f, "kernel");
        return;
    }
    facts_object(f, "kernel", "kernel");
    facts_say(f, "%s", c->kernel);
    if (c->degree > 0) facts_more(f, ", degree %s%d", c->homogeneous ? "just " : "", c->degree);
    facts_more(f, "; planes among the images of the rows, %s", where);
    facts_string(f, "name", NULL, c->kernel);
    if (c->degree > 0) {
        facts_int(f, "degree", NULL, c->degree);
        facts_bool(f, "homogeneous", NULL, c->homogeneous);
    }
    facts_end(f);
}

/* A row or problem, numbered from 1, or null. */
static void place_fact(struct facts *f, const char *key, int64_t at)
{
    if (at >= 0) facts_int(f, key, NULL, at + 1);
    else facts_null(f, key);
}

/* If a certificate is refuted, people are told why, and no more. */
static void verify_facts(const struct cli *cli, struct facts *f, const char *certificate,
                         const char *data, const perc_check *c)
{
    char several[SEVERAL_NAME], plane[PLANE], buf[WORD];

    facts_string(f, "command", NULL, "verify");
    facts_string(f, "certificate", NULL, certificate);
    if (c->valid && c->parts == 1) claim_lines(f, &c->claim[0], plane_of(c, plane));
    else if (c->valid) verdict_lines(f, c);
    facts_string(f, "data", c->valid ? "data" : NULL, data);
    facts_say(f, "%s, sha256 %.16s...", several_name(cli, data, several), c->sha256);
    facts_string(f, "sha256", NULL, c->sha256);
    facts_count(f, "rows", NULL, c->rows);
    facts_count(f, "dropped", c->valid && c->dropped > 0 ? "left out" : NULL, c->dropped);
    facts_say(f, "%s row%s with missing values", word_count(buf, c->dropped),
              word_plural(c->dropped));
    facts_count(f, "weightless", c->valid && c->weightless > 0 ? "left out" : NULL, c->weightless);
    facts_say(f, "%s row%s of weight 0", word_count(buf, c->weightless),
              word_plural(c->weightless));
    facts_bool(f, "valid", NULL, c->valid != 0);
    if (!c->valid) {
        facts_string(f, "reason", "refuted", c->reason);
        place_fact(f, "row", c->row);
        place_fact(f, "part", c->part);
        facts_section(f, FACTS_UNTOLD);
    }
    facts_bool(f, "offset", NULL, c->offset != 0);
    kernel_facts(f, c);
    facts_count(f, "parts", NULL, c->parts);
    /* A single problem was described above; several are a table. */
    const size_t n = c->parts < PERC_CLAIMS ? c->parts : PERC_CLAIMS;
    facts_table(f, "verified", c->parts > 1 ? "" : NULL);
    for (size_t i = 0; c->valid && i < n; i++) {
        const perc_claim *p = &c->claim[i];
        const bool counted = p->verdict != PERC_INSEPARABLE;

        facts_row(f);
        facts_string(f, "positive", "positive", p->positive);
        facts_string(f, "negative", "negative", p->negative[0] != '\0' ? p->negative : NULL);
        if (p->negative[0] == '\0') facts_say(f, "the rest");
        facts_string(f, "verdict", "verdict", perc_verdict_text(p->verdict));
        facts_count(f, "rows", "rows", p->rows);
        facts_count_if(f, counted ? "strict" : NULL, "strict", counted, p->strict);
        facts_count_if(f, counted ? "held" : NULL, "on all planes", counted, p->on_all_planes);
        facts_end(f);
    }
    facts_end(f);
    if (c->parts > n) facts_prose(f, "... and %zu more\n", c->parts - n);
}

/* ----- the command ------------------------------------------------------------------------ */

static int verify_certificate(struct cli *cli, const char *certificate, const char *data,
                              const perc_params *p, const perc_params *limits)
{
    struct ticker ticker;
    const perc_observer watch = ticker_observer(&ticker, cli);
    perc_error err = { 0 };
    perc_check check;
    perc_status st;
    const char *where;
    struct facts f;
    int rc;

    /* Nothing can be lost. The library keeps to the limit; a second later a pipe that it waits for
     * is left. */
    const double limit = word_value(perc_params_get(limits, "time-limit"));
    interrupt_end("perceptron verify: stopped before the end: neither verified nor refuted\n", 0);
    if (limit > 0) interrupt_after(limit + 2);
    /* If the two files are swapped, the message says why this is no certificate. */
    ticker.unit = "problem";
    st = perc_verify_watched(&cli->env, certificate, data, p, limits, &watch, &check, &where, &err);
    interrupt_after(0);
    ticker_clear(&ticker);
    if (st != PERC_OK) {
        perc_error e = err;

        if (err.status == PERC_EDATA && where == certificate)
            snprintf(e.text, sizeof e.text, "not a certificate: %.160s%s", err.text,
                     err.line == 1 && err.column == 1 ? " (is the order CERTIFICATE DATA?)" : "");
        return cli_fail(cli, where, &e);
    }
    cli_note_unchecked(cli, data, check.unchecked);
    if (check.other_data && !cli->json)
        cli_note(cli, "Were these data read with the same options as for 'prove', such as --label, "
                      "--weight or --missing?");
    if (!check.valid) cli->quiet = 0; /* a "no" is always printed */
    cli_facts(cli, &f);
    verify_facts(cli, &f, certificate, data, &check);
    if ((rc = cli_print(cli, &f, false))) return rc;
    return check.valid ? EXIT_DONE : EXIT_NO;
}

int cmd_verify(struct cli *cli)
{
    const char *certificate = NULL, *data = NULL;
    const struct opt opts[] = { OPT_THREADS(cli),
                                OPT_JSON(cli),
                                { 'q', "quiet", OPT_FLAG, &cli->quiet, NULL,
                                  "print nothing if it is true", 0, 0 },
                                OPT_END };
    const struct operand operands[] = { { "CERTIFICATE", &certificate, false, OPT_READ },
                                        { "DATA", &data, false, OPT_DATA },
                                        OPERANDS_END };
    const struct tables tables[] = { { "verify", NULL, NULL, NULL },
                                     { "data", NULL, NULL, HIDDEN },
                                     TABLES_END };
    perc_params *p = NULL, *limits = NULL;
    int rc;

    if (!cli_parse(cli, opts, operands, tables)) return cli->rc;
    if ((rc = cli_params(cli, "data", "data", &p)) == EXIT_DONE &&
        (rc = cli_params(cli, "verify", "verify", &limits)) == EXIT_DONE)
        rc = verify_certificate(cli, certificate, data, p, limits);
    perc_params_free(limits);
    perc_params_free(p);
    return rc;
}
