/* test_roles.c -- every option of every command that names a file says what for (cli/files.c), so
 * that none can be written over another. A program of its own, because it has the table of
 * commands, which is beside main. */
#include "t.h"

int tool_main(int argc, char **argv);
#define main tool_main
#include "cli/main.c"
#undef main

static size_t seen;

/* Whether a word of the help stands for a file: "FILE.csv", "CERT.json", "DATA|MODEL". */
static bool names_file(const char *text)
{
    static const char *const words[] = { "FILE", "FOLDER", "MODEL", "DATA", "CERT", "OUT", "." };

    for (size_t i = 0; text != NULL && i < COUNT(words); i++)
        if (strcmp(words[i], ".") == 0 ? strstr(text, "...") == NULL && strchr(text, '.') != NULL
                                       : strstr(text, words[i]) != NULL)
            return true;
    return false;
}

static void look(const struct cli *cli, const struct opt *opts, const struct operand *operands,
                 const struct tables *tables)
{
    struct option_row rows[CLI_ROWS];

    for (; opts->name != NULL; opts++)
        if (opts->type == OPT_TEXT && names_file(opts->metavar))
            fail_msg("%s --%s %s: is it read or written?", cli->command->name, opts->name,
                     opts->metavar);
    for (; operands->name != NULL; operands++)
        if ((operands->type == OPT_TEXT) == names_file(operands->name))
            fail_msg("%s %s: is it read or written?", cli->command->name, operands->name);
    for (const struct tables *t = tables; t != NULL && t->kind != NULL; t++)
        for (size_t n = cli_rows(t, rows); n-- > 0;) {
            const perc_param *row = rows[n].row;

            if (row->type != PERC_TEXT) continue;
            if ((files_row(row->name) != OPT_TEXT) !=
                (names_file(row->metavar) || names_file(row->choices)))
                fail_msg("%s --%s %s: is it read or written?", cli->command->name, row->name,
                         row->metavar);
        }
    seen++;
}

static void every_option_that_names_a_file_says_what_for(void **state)
{
    size_t commands = 0;

    (void)state;
    for (const struct command *c = cli_commands; c->name != NULL; c++, commands++) {
        struct cli cli = { .command = c, .mode = CLI_LOOK, .look = look };

        assert_int_equal(c->run(&cli), EXIT_DONE);
    }
    assert_true(commands == seen && seen > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(
        every_option_that_names_a_file_says_what_for) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
