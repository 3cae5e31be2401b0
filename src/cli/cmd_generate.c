/* cmd_generate.c -- perceptron generate: synthetic data of a known kind.
 *
 * The kinds and their options are the library's generator tables; this file adds
 * where to write and in which format. KIND is an operand, so its table is known
 * only when the whole line has been read (see options.c). The rows are a function of
 * the options and the seed: a recipe in a paper or a bug report needs no file. */
#include "cli/cli.h"

#include <string.h>

#include "show/word.h"

/* The format that a file name stands for, or NULL: common endings only. */
const char *cli_format_of(const char *path)
{
    static const char *const known[][2] = { { ".svm", "libsvm" },   { ".libsvm", "libsvm" },
                                            { ".txt", "libsvm" },   { ".csv", "csv" },
                                            { ".jsonl", "jsonl" },  { ".ndjson", "jsonl" },
                                            { ".blocks", "blocks" } };
    const size_t n = strlen(path);

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const size_t len = strlen(known[i][0]);

        if (n > len && strcmp(path + n - len, known[i][0]) == 0) return known[i][1];
    }
    return NULL;
}

int cli_check_format(const struct cli *cli, const char *option, const char *format)
{
    if (!strcmp(format, "libsvm") || !strcmp(format, "csv") || !strcmp(format, "jsonl") ||
        !strcmp(format, "blocks"))
        return EXIT_DONE;
    return cli_usage(cli, "%s: '%s' is not a format (use libsvm, csv, jsonl or blocks)", option,
                     format);
}

int cmd_generate(struct cli *cli)
{
    const char *kind = NULL, *output = "-", *format = NULL;
    const struct opt opts[] = { { 'o', "output", OPT_WRITE, &output, "FILE",
                                  "where to write [standard output]", 0, 0 },
                                { 0, "format", OPT_TEXT, &format, "libsvm|csv|jsonl|blocks",
                                  "format to write [by the end of FILE's name, or libsvm]", 0, 0 },
                                OPT_THREADS(cli),
                                OPT_END };
    const struct operand operands[] = { { "KIND", &kind, true, OPT_TEXT }, OPERANDS_END };
    const struct tables tables[] = { { "generator", &kind, NULL, NULL }, TABLES_END };
    perc_params *p = NULL;
    perc_dataset *ds = NULL;
    perc_error err = { 0 };
    int rc;

    if (!cli_parse(cli, opts, operands, tables)) return cli->rc;
    /* Somebody who types just `generate` wants to know what there is. */
    if (kind == NULL) {
        char list[256] = "";
        const char *name;

        for (size_t i = 0; (name = perc_table_name("generator", i, NULL)) != NULL; i++) {
            strncat(list, i > 0 ? ", " : "", sizeof list - strlen(list) - 1);
            strncat(list, name, sizeof list - strlen(list) - 1);
        }
        return cli_usage(cli, "KIND is missing: one of %s", list);
    }
    if (format == NULL && (format = cli_format_of(output)) == NULL) format = "libsvm";
    if ((rc = cli_check_format(cli, "--format", format)) ||
        (rc = cli_params(cli, "generator", kind, &p)))
        return rc;
    if (perc_dataset_generate(&cli->env, p, &ds, &err)) rc = cli_fail(cli, NULL, &err);
    else if (perc_dataset_write(ds, output, format, &err))
        rc = cli_fail(cli, word_output(output), &err);
    perc_dataset_free(ds);
    perc_params_free(p);
    return rc;
}
