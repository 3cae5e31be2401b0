/* cmd_report.c -- perceptron report: learn, look at it from all sides, write one page.
 *
 * study/ does the work, and the page; here is the command, and the promise that the page is
 * written whole or not at all. The same input gives the same bytes on any number of threads, as
 * long as no clock ends a part of it; then the page says so. */
#include "study/report.h"

#include <stdlib.h>
#include <string.h>

#include "cli/study_options.h"

#define DEFAULT_OUTPUT "report.html"
enum { ORDERS = 5 }; /* of the rows, where that is little work */

/* How many words to leave out, beginning with this one: threads change no number of the page. */
static int words_left_out(const char *word)
{
    if (strcmp(word, "--threads") == 0) return 2;
    return strncmp(word, "--threads=", 10) == 0 || strcmp(word, "-q") == 0 ||
           strcmp(word, "--quiet") == 0;
}

static int write_page(struct cli *cli, struct report *r, const char *output)
{
    perc_error err = { 0 };

    interrupt_end("perceptron report: interrupted: no page was written\n", 0);
    const perc_status st = report_survey_read(r, &err);
    interrupt_catch();
    if (st) return cli_fail(cli, r->study.data, &err);
    if (out_open(&cli->env, output, &r->o, &err)) return cli_fail(cli, output, &err);
    report_page(r);
    if (interrupt_seen()) { /* parts that were cut short may be missing */
        out_abort(r->o);
        return EXIT_INTERRUPTED;
    }
    return out_close(r->o, &err) ? cli_fail(cli, output, &err) : EXIT_DONE;
}

int cmd_report(struct cli *cli)
{
    struct study_options q = { .cli = cli,
                               .prove_seconds = STUDY_PROVE_SECONDS,
                               .request = { .animate = true, .orders = ORDERS } };
    const char *output = DEFAULT_OUTPUT;
    struct report r = { 0 };
    const struct opt opts[] = { { 'o', "output", OPT_WRITE, &output, "FILE",
                                  "the page [" DEFAULT_OUTPUT "]", 0, 0 },
                                STUDY_OPTIONS(q),
                                OPT_THREADS(cli),
                                OPT_QUIET(cli),
                                OPT_END };
    const struct operand operands[] = { { "DATA", &q.data, false, OPT_DATA }, OPERANDS_END };
    const struct tables tables[] = { { "learner", &q.algorithm, NULL, "checkpoint every" },
                                     { "data", NULL, NULL, "group time" },
                                     TABLES_END };
    const char **word;
    int rc;

    if (!cli_parse(cli, opts, operands, tables)) return cli->rc;
    if ((word = calloc((size_t)cli->argc + 1, sizeof *word)) == NULL) return cli_memory(cli);
    /* The command line as shown in the page; `word` has room for all of it. */
    bool options = true;
    r.word = word;
    for (int i = 0; i < cli->argc; i++) {
        const int skip = options ? words_left_out(cli->argv[i]) : 0;

        options = options && strcmp(cli->argv[i], "--") != 0;
        if (skip > 0) i += skip - 1;
        else word[r.words++] = cli->argv[i];
    }
    /* For the terminal: how it ended, and where the page is. */
    if ((rc = cli_can_write(cli, output)) == EXIT_DONE &&
        (rc = study_options_make(&q, &r.study)) == EXIT_DONE &&
        (rc = write_page(cli, &r, output)) == EXIT_DONE) {
        char end[REPORT_SENTENCE], learner[ABOUT_SENTENCE];

        if (!cli->quiet && strcmp(output, "-") != 0) {
            for (size_t i = 0; i < r.study.runs; i++) {
                report_end_words(&r.study.run[i], end);
                report_learner(&r.study.run[i], learner);
                cli_fact(cli->out, "algorithm", "%s", learner);
                cli_fact(cli->out, "end", "%s", end);
            }
            cli_fact(cli->out, "report", "%s", output);
        }
    }
    perc_survey_free(r.survey);
    study_free(&r.study);
    study_options_free(&q);
    free(word);
    return rc;
}
