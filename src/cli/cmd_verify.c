/* cmd_verify.c -- perceptron verify: is a certificate true, and about these data?
 *
 * The answer does not rest on the program that wrote the certificate: everything in it is
 * checked again, in whole numbers, against the numbers of the file. What was verified is
 * said problem by problem, because a true certificate may say less than a person hopes. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

#include "show/grid.h"
#include "show/word.h"

/* Options of "data" that change the numbers of the file: a proof speaks of those. */
#define HIDDEN "positive scale map hash float32"

enum { PLANE = 64 };

/* What separates in the certificate's space. */
static const char *plane_of(const perc_check *c, char buf[PLANE])
{
    if (c->degree > 0) snprintf(buf, PLANE, "surface of degree %d", c->degree);
    else if (strcmp(c->kernel, "none") != 0) snprintf(buf, PLANE, "machine with this kernel");
    else snprintf(buf, PLANE, "plane%s", c->offset ? "" : " through the origin");
    return buf;
}

static void verified_fact(struct out *o, const perc_claim *p, const char *plane)
{
    const char *verdict = perc_verdict_text(p->verdict);
    char strict[WORD], rows[WORD];

    switch (p->verdict) {
    case PERC_SEPARABLE:
        cli_fact(o, "verified", "%s: a %s has every row strictly on its side", verdict, plane);
        break;
    case PERC_TOUCHING:
        cli_fact(o, "verified",
                 "%s: no %s has every row strictly on its side, but one has no row "
                 "on the wrong side, and %s of %s strictly on their side",
                 verdict, plane, word_count(strict, p->strict), word_count(rows, p->rows));
        break;
    case PERC_OVERLAPPING:
        cli_fact(o, "verified",
                 "%s: every %s with a row strictly on its side has another on the "
                 "wrong side",
                 verdict, plane);
        break;
    default:
        cli_fact(o, "verified", "%s: no %s has every row strictly on its side", verdict, plane);
    }
}

/* ----- text ------------------------------------------------------------------------------ */

static void claims_table(struct cli *cli, const perc_check *c)
{
    static const char *const head[] = {
        "positive", "negative", "verdict", "rows", "strict", "held"
    };
    struct grid *g = grid_new(&cli->env, "lllrrr");
    char buf[WORD];

    for (size_t i = 0; i < sizeof head / sizeof *head; i++) grid_cell(g, head[i]);
    for (size_t i = 0; i < c->parts && i < PERC_CLAIMS; i++) {
        const perc_claim *p = &c->claim[i];
        const bool counted = p->verdict != PERC_INSEPARABLE;

        grid_cell(g, p->positive);
        grid_cell(g, p->negative[0] != '\0' ? p->negative : "the rest");
        grid_cell(g, perc_verdict_text(p->verdict));
        grid_cell(g, word_count(buf, p->rows));
        grid_cell(g, counted ? word_count(buf, p->strict) : "");
        grid_cell(g, counted ? word_count(buf, p->on_all_planes) : "");
    }
    out_text(cli->out, "\n");
    grid_print(g, cli->out, 0);
    grid_free(g);
    if (c->parts > PERC_CLAIMS) out_fmt(cli->out, "... and %zu more\n", c->parts - PERC_CLAIMS);
}

/* One problem: in a sentence. */
static void claim_facts(struct out *o, const perc_claim *p, const char *plane)
{
    char rows[WORD], strict[WORD], held[WORD];

    verified_fact(o, p, plane);
    cli_fact(o, "labels", "%s against %s", p->positive,
             p->negative[0] != '\0' ? p->negative : "the rest");
    word_count(rows, p->rows);
    if (p->verdict == PERC_SEPARABLE) cli_fact(o, "rows", "%s, strictly on their side", rows);
    else if (p->verdict == PERC_TOUCHING)
        cli_fact(o, "rows",
                 "%s: %s strict, and %s held: on every %s with no row on the wrong "
                 "side",
                 rows, word_count(strict, p->strict), word_count(held, p->on_all_planes), plane);
    else if (p->verdict == PERC_OVERLAPPING)
        cli_fact(o, "rows", "%s, held: on every %s with no row on the wrong side", rows, plane);
    else cli_fact(o, "rows", "%s", rows);
}

static void kernel_fact(struct out *o, const perc_check *c)
{
    const char *where = c->offset ? "with an offset" : "without an offset";

    if (c->degree > 0)
        cli_fact(o, "kernel", "%s, degree %s%d; planes among the images of the rows, %s", c->kernel,
                 c->homogeneous ? "just " : "", c->degree, where);
    else if (strcmp(c->kernel, "none") != 0)
        cli_fact(o, "kernel", "%s; planes among the images of the rows, %s", c->kernel, where);
    else cli_fact(o, "planes", "%s", c->offset ? "with an offset" : "through the origin");
}

static void valid_text(struct cli *cli, const char *data, const perc_check *c)
{
    struct out *o = cli->out;
    bool first = true;
    char buf[WORD], plane[PLANE];

    if (c->parts == 1) {
        claim_facts(o, &c->claim[0], plane_of(c, plane));
    } else {
        char list[256] = "";
        size_t n = 0;

        for (int v = 0; v < PERC_UNDECIDED; v++) {
            if (c->verdicts[v] == 0 || n >= sizeof list) continue;
            n += (size_t)snprintf(list + n, sizeof list - n, "%s%zu %s", first ? "" : ", ",
                                  c->verdicts[v], perc_verdict_text((perc_verdict)v));
            first = false;
        }
        cli_fact(o, "verified", "%zu problems: %s", c->parts, list);
        cli_fact(o, "rows", "%s", word_count(buf, c->rows));
    }
    kernel_fact(o, c);
    cli_fact(o, "data", "%s, sha256 %.16s...", cli_input_name(data), c->sha256);
    if (c->dropped > 0)
        cli_fact(o, "left out", "%s row%s with missing values", word_count(buf, c->dropped),
                 c->dropped == 1 ? "" : "s");
    if (c->parts > 1) claims_table(cli, c);
}

/* ----- JSON ------------------------------------------------------------------------------ */

static void claim_json(struct out *o, const perc_claim *p)
{
    out_begin(o, '{');
    out_key_string(o, "positive", p->positive);
    out_key(o, "negative");
    if (p->negative[0] != '\0') out_string(o, p->negative);
    else out_null(o);
    out_key_string(o, "verdict", perc_verdict_text(p->verdict));
    out_key_int(o, "rows", (int64_t)p->rows);
    if (p->verdict != PERC_INSEPARABLE) {
        out_key_int(o, "strict", (int64_t)p->strict);
        out_key_int(o, "held", (int64_t)p->on_all_planes);
    }
    out_end(o, '}');
}

/* A row or problem from 1, or null. */
static void place_json(struct out *o, const char *key, int64_t at)
{
    out_key(o, key);
    if (at >= 0) out_int(o, at + 1);
    else out_null(o);
}

/* As the certificate has it. */
static void kernel_json(struct out *o, const perc_check *c)
{
    out_key(o, "kernel");
    if (strcmp(c->kernel, "none") == 0) {
        out_null(o);
        return;
    }
    out_begin(o, '{');
    out_key_string(o, "name", c->kernel);
    if (c->degree > 0) {
        out_key_int(o, "degree", c->degree);
        out_key_bool(o, "homogeneous", c->homogeneous);
    }
    out_end(o, '}');
}

static void print_json(struct out *o, const char *certificate, const char *data,
                       const perc_check *c)
{
    out_begin(o, '{');
    out_key_string(o, "command", "verify");
    out_key_string(o, "certificate", certificate);
    out_key_string(o, "data", data);
    out_key_string(o, "sha256", c->sha256);
    out_key_int(o, "rows", (int64_t)c->rows);
    out_key_int(o, "dropped", (int64_t)c->dropped);
    out_key_bool(o, "valid", c->valid != 0);
    if (!c->valid) {
        out_key_string(o, "reason", c->reason);
        place_json(o, "row", c->row);
        place_json(o, "part", c->part);
    }
    out_key_bool(o, "offset", c->offset != 0);
    kernel_json(o, c);
    out_key_int(o, "parts", (int64_t)c->parts);
    out_key(o, "verified");
    out_begin(o, '[');
    for (size_t i = 0; c->valid && i < c->parts && i < PERC_CLAIMS; i++)
        claim_json(o, &c->claim[i]);
    out_end(o, ']');
    out_end(o, '}');
    out_text(o, "\n");
}

/* ----- the command ------------------------------------------------------------------------ */

/* Whoever takes the one file for the other reads why it is no certificate. */
static int fail(const struct cli *cli, const char *certificate, const char *where,
                const perc_error *err)
{
    perc_error e = *err;

    if (err->status == PERC_EDATA && where == certificate)
        snprintf(e.text, sizeof e.text, "not a certificate: %.160s%s", err->text,
                 err->line == 1 && err->column == 1 ? " (is the order CERTIFICATE DATA?)" : "");
    return cli_fail(cli, where, &e);
}

static void refuted_text(struct cli *cli, const perc_check *c)
{
    cli_fact(cli->out, "refuted", "%s", c->reason);
    if (c->other_data)
        cli_note(cli, "Were these data read with the same options as for 'prove', such as --label "
                      "or --missing?");
}

static int verify(struct cli *cli, const char *certificate, const char *data, const perc_params *p)
{
    perc_error err = { 0 };
    perc_check check;
    const char *where;

    if (perc_verify(&cli->env, certificate, data, p, &check, &where, &err))
        return fail(cli, certificate, where, &err);
    if (cli->json) print_json(cli->out, certificate, data, &check);
    else if (!check.valid) refuted_text(cli, &check);
    else if (!cli->quiet) valid_text(cli, data, &check);
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
    const struct operand operands[] = { { "CERTIFICATE", &certificate, false },
                                        { "DATA", &data, false },
                                        OPERANDS_END };
    const struct tables tables[] = { { "data", NULL, NULL, HIDDEN }, TABLES_END };
    perc_params *p = NULL;
    int rc;

    if (!cli_parse(cli, opts, operands, tables)) return cli->rc;
    if ((rc = cli_params(cli, "data", "data", &p)) == EXIT_DONE)
        rc = verify(cli, certificate, data, p);
    perc_params_free(p);
    return rc;
}
