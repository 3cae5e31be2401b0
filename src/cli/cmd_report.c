/* cmd_report.c -- perceptron report: learn, look at it from all sides, write one page.
 *
 * study.c does the work and pictures.c draws; here is the command, and the promise that the
 * page is written whole or not at all. The same input gives the same bytes on any number of
 * threads, as long as no clock ends a part of it; then the page says so. */
#include "study/report.h"

#include <string.h>

#define DEFAULT_OUTPUT "report.html"

static int write_page(struct report *r)
{
    perc_error err = { 0 };

    if (out_open(&r->cli->env, r->output, &r->o, &err)) return cli_fail(r->cli, r->output, &err);
    report_page(r);
    if (interrupt_seen()) { /* the page may lack what was cut short */
        out_abort(r->o);
        return EXIT_INTERRUPTED;
    }
    if (out_close(r->o, &err)) return cli_fail(r->cli, r->output, &err);
    return EXIT_DONE;
}

/* What the terminal is told: how it ended, and where the page is. */
static void say(const struct report *r)
{
    char end[REPORT_SENTENCE];

    if (r->cli->quiet || strcmp(r->output, "-") == 0) return;
    for (size_t i = 0; i < r->study.runs; i++) {
        report_end_words(&r->study.run[i], end);
        cli_fact(r->cli->out, r->study.run[i].algorithm, "%s", end);
    }
    cli_fact(r->cli->out, "report", "%s", r->output);
}

static int run(struct report *r, const struct study_request *q)
{
    int rc = cli_can_write(r->cli, r->output, q->data);

    if (rc == EXIT_DONE) rc = study_make(&r->study, r->cli, q);
    if (rc == EXIT_DONE) rc = write_page(r);
    if (rc == EXIT_DONE) say(r);
    study_free(&r->study);
    return rc;
}

int cmd_report(struct cli *cli)
{
    struct study_request q = { .animate = true };
    struct report r = { .cli = cli, .output = DEFAULT_OUTPUT };
    int64_t seconds = STUDY_PROVE_SECONDS;
    const struct opt opts[] = { { 'o', "output", OPT_TEXT, &r.output, "FILE",
                                  "the page [" DEFAULT_OUTPUT "]", 0, 0 },
                                STUDY_OPTIONS(q, seconds),
                                OPT_THREADS(cli),
                                OPT_QUIET(cli),
                                OPT_END };
    const struct operand operands[] = { { "DATA", &q.data, false }, OPERANDS_END };
    const struct tables tables[] = { { "learner", &q.algorithm, NULL, "checkpoint every" },
                                     { "data", NULL, NULL, NULL },
                                     TABLES_END };

    if (!cli_parse(cli, opts, operands, tables)) return cli->rc;
    if (q.algorithm != NULL && q.compare != NULL)
        return cli_usage(cli, "--algorithm and --compare do not go together (name it in the list)");
    if (q.algorithm == NULL && q.compare == NULL) q.algorithm = CLI_ALGORITHM;
    q.prove_seconds = (double)seconds;
    r.prove_seconds = seconds;
    return run(&r, &q);
}
