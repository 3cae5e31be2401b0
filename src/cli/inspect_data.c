/* inspect_data.c -- perceptron inspect DATA: what a file of data holds, or what --columns could say
 * of it. */
#include "cli/inspect.h"

#include <string.h>

#include "show/about_survey.h"

static int print_proposal(struct cli *cli, const char *path, const perc_survey *s)
{
    const char *text = perc_survey_proposal(s);

    if (text == NULL)
        return cli_usage(cli, "--propose: %s is no table: its features have no columns", path);
    out_text(cli->out, text);
    return EXIT_DONE;
}

int inspect_data(struct cli *cli, const char *path, uint64_t top, bool propose)
{
    perc_params *data = NULL;
    perc_survey *s = NULL;
    perc_survey_info info;
    perc_error err = { 0 };
    struct facts f;
    int rc = cli_params(cli, "data", "data", &data);

    if (rc != EXIT_DONE) return rc;
    if (perc_survey_read(&cli->env, path, data, &s, &err)) {
        rc = cli_fail(cli, path, &err);
    } else if (propose) {
        rc = print_proposal(cli, path, s);
    } else {
        perc_survey_info_get(s, &info);
        cli_note_unchecked(cli, path, info.unchecked);
        cli_facts(cli, &f);
        facts_string(&f, "command", NULL, "inspect");
        about_survey(&f, s, path, top, false);
        rc = cli_print(cli, &f, false);
    }
    perc_survey_free(s);
    perc_params_free(data);
    return rc;
}
