/* t_study.h -- studies made as a command line asks for them. */
#ifndef PERC_TEST_STUDY_H
#define PERC_TEST_STUDY_H

#include "cli/study_options.h"
#include "t.h"

enum { WORDS = 32 };

struct world {
    struct cli cli;
    struct command command;
    struct study study;
    struct study_options q;
    char line[512], *word[WORDS];
    int rc;
};

/* Makes the study of a command line; "~" stands for a blank within a word. The learner is the
 * perceptron, and nothing is proved, unless it says so. */
static inline struct study *look(struct world *t, const char *line)
{
    *t = (struct world){ .command = { .name = "plot" }, .q.cli = &t->cli };
    struct cli *cli = &t->cli;
    struct study_options *q = &t->q;
    const struct opt opts[] = { STUDY_OPTIONS(*q), OPT_THREADS(cli), OPT_QUIET(cli), OPT_END };
    const struct operand operands[] = { { "DATA", &q->data, false, OPT_READ }, OPERANDS_END };
    const struct tables tables[] = { { "learner", &q->algorithm, NULL, "checkpoint every" },
                                     { "data", NULL, NULL, NULL },
                                     TABLES_END };
    char *save = NULL;

    snprintf(t->line, sizeof t->line, "%s", line);
    cli->command = &t->command;
    cli->argv = t->word;
    for (char *w = strtok_r(t->line, " ", &save); w != NULL; w = strtok_r(NULL, " ", &save)) {
        for (char *c = w; *c != '\0'; c++) *c = *c == '~' ? ' ' : *c;
        t->word[cli->argc++] = w;
    }
    q->request.animate = true;
    t->rc = EXIT_USAGE;
    if (cli_parse(cli, opts, operands, tables)) {
        if (q->algorithm == NULL && q->compare == NULL) q->algorithm = STUDY_PLAIN;
        t->rc = study_options_make(q, &t->study);
    }
    cli->tables = NULL;
    return &t->study;
}

static inline void leave(struct world *t)
{
    study_free(&t->study);
    study_options_free(&t->q);
    free(t->cli.settings);
    several_free(&t->cli);
}

static inline struct study *good(struct world *t, const char *line)
{
    struct study *s = look(t, line);

    if (t->rc != EXIT_DONE) print_error("%s: exit code %d\n", line, t->rc);
    assert_int_equal(t->rc, EXIT_DONE);
    return s;
}

#endif
