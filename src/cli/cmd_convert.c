/* cmd_convert.c -- perceptron convert: one format of data to another.
 *
 * DATA is read as train reads it, with the same options, and written from memory:
 * what was sorted, filled in or scaled on the way stays so in the file. A block file
 * holds the same rows in binary form with a checksum, and opens by mapping: the
 * right thing to keep beside a text that is read every day.
 *
 * OUT may not be DATA: the text that was read, with its digits and comments, would be gone. */
#include "cli/cli.h"

#include <string.h>

#include "show/word.h"

int cmd_convert(struct cli *cli)
{
    const char *data = NULL, *output = NULL, *to = NULL;
    const struct opt opts[] = {
        { 0, "to", OPT_TEXT, &to, "libsvm|csv|jsonl|blocks",
          "format to write [by the end of OUT's name: .svm .libsvm .csv .jsonl .blocks]", 0, 0 },
        OPT_THREADS(cli),
        OPT_QUIET(cli),
        OPT_END
    };
    const struct operand operands[] = { { "DATA", &data, false, OPT_DATA },
                                        { "OUT", &output, false, OPT_WRITE },
                                        OPERANDS_END };
    const struct tables tables[] = { { "data", NULL, NULL, "map group time" }, TABLES_END };
    perc_params *p = NULL;
    perc_dataset *ds = NULL;
    perc_dataset_info info;
    perc_error err = { 0 };
    char rows[WORD], features[WORD];
    int rc;

    if (!cli_parse(cli, opts, operands, tables)) return cli->rc;
    /* An unknown ending is an error, not a guess: a wrong guess would only be noticed much later,
     * by another program. */
    if (to == NULL && (to = cli_format_of(output)) == NULL)
        return cli_usage(cli, "cannot tell the format from the name %s: pass --to", output);
    if ((rc = cli_check_format(cli, "--to", to)) || (rc = cli_params(cli, "data", "data", &p)))
        return rc;
    if (perc_dataset_read(&cli->env, data, p, &ds, &err)) {
        rc = cli_fail(cli, data, &err);
    } else if (perc_dataset_write(ds, output, to, &err)) {
        rc = cli_fail(cli, word_output(output), &err);
    } else {
        perc_dataset_info_get(ds, &info);
        if (strcmp(output, "-") != 0)
            cli_note(cli, "%s: %s rows, %s features, written as %s", output,
                     word_count(rows, info.rows), word_count(features, info.features), to);
        cli_note_unchecked(cli, data, info.unchecked);
        if (info.note[0] != '\0') cli_note(cli, "note: %s", info.note);
    }
    perc_dataset_free(ds);
    perc_params_free(p);
    return rc;
}
