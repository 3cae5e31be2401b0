/* cmd_help.c -- perceptron help: finds a command by its name, and describes it. */
#include "cli/cli.h"

#include <string.h>

const struct command *cli_command(const char *name)
{
    for (const struct command *c = cli_commands; c->name != NULL; c++)
        if (strcmp(c->name, name) == 0) return c;
    return NULL;
}

static const char *command_name(void *ud, size_t i)
{
    (void)ud;
    return cli_commands[i].name;
}

int cli_unknown_command(const char *name)
{
    const struct cli nobody = { .command = NULL };
    char near[CLI_NAME];

    if (word_nearest(name, command_name, NULL, near))
        return cli_usage(&nobody, "unknown command '%s' (did you mean %s?)", name, near);
    return cli_usage(&nobody, "unknown command '%s'", name);
}

/* Two flags are for the build, which installs what they print. */
int cmd_help(struct cli *cli)
{
    const char *topic = NULL, *all = NULL;
    int man = 0, completion = 0;
    const struct opt opts[] = { { 0, "man", OPT_FLAG, &man, NULL, NULL, 0, 0 },
                                { 0, "bash-completion", OPT_FLAG, &completion, NULL, NULL, 0, 0 },
                                { 0, "json", OPT_FLAG, &cli->json, NULL,
                                  "algorithms: print one JSON document", 0, 0 },
                                OPT_END };
    const struct operand operands[] = { { "TOPIC", &topic, true, OPT_TEXT },
                                        { "all", &all, true, OPT_TEXT },
                                        OPERANDS_END };

    if (!cli_parse(cli, opts, operands, NULL)) return cli->rc;
    if (cli->json && (topic == NULL || strcmp(topic, "algorithms") != 0))
        return cli_usage(cli, "--json is for 'help algorithms'");
    if (all != NULL && strcmp(all, "all") != 0)
        return cli_usage(cli, "unexpected argument '%s'", all);
    if (man) manual_page(cli->out);
    else if (completion) manual_completion(cli->out);
    else if (topic == NULL) help_overview(cli->out);
    else if (strcmp(topic, "all") == 0) help_everything(cli->out);
    else if (strcmp(topic, "algorithms") == 0)
        cli->json ? help_algorithms_json(cli->out) : help_algorithms(cli);
    else if (cli_command(topic) == NULL) return cli_unknown_command(topic);
    else {
        struct cli other = {
            .command = cli_command(topic), .mode = CLI_HELP, .every = all != NULL, .out = cli->out
        };
        return other.command->run(&other);
    }
    return EXIT_DONE;
}
