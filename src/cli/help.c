/* help.c -- the lists of a command, laid out for a terminal.
 *
 * Two columns: the option, and what it does with its default in brackets. A long
 * option stands on a line of its own. Lines end before column LAST. The texts of
 * library options come from the library's tables; nothing is said twice. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

enum { COLUMN = 30, LAST = 79 };

/* Prints `text` from `column` on (where the cursor is) and wraps between words;
 * further lines begin at `indent`. Ends the line. */
static void wrapped(struct out *o, const char *text, int column, int indent)
{
    bool first = true;

    while (*text != '\0') {
        const int len = (int)strcspn(text, " \n");

        if (!first && column + 1 + len > LAST) {
            out_fmt(o, "\n%*s", indent, "");
            column = indent;
            first = true;
        }
        if (!first) {
            out_text(o, " ");
            column++;
        }
        out_bytes(o, text, (size_t)len);
        column += len;
        first = false;
        text += len;
        if (*text == '\n') {
            out_fmt(o, "\n%*s", indent, "");
            column = indent;
            first = true;
        }
        text += *text != '\0';
    }
    out_text(o, "\n");
}

/* "  -o, --output FILE     what it does". */
static void print_option(struct out *o, char letter, const char *name, const char *metavar,
                         const char *help)
{
    char left[160];
    int n = letter != 0 ? snprintf(left, sizeof left, "  -%c, --%s", letter, name)
                        : snprintf(left, sizeof left, "      --%s", name);

    if (metavar != NULL)
        n += snprintf(left + n, sizeof left - (size_t)n, " %s", metavar);
    out_text(o, left);
    if (n > COLUMN - 2) {
        out_text(o, "\n");
        n = 0;
    }
    out_fmt(o, "%*s", COLUMN - n, "");
    wrapped(o, help, COLUMN, COLUMN);
}

/* Choices stand where the value stands if they are short, else after the help. */
static bool choices_fit(const perc_param *row)
{
    return row->choices != NULL && strlen(row->choices) + strlen(row->name) < COLUMN - 10;
}

const char *help_metavar(const perc_param *row)
{
    if (row->type == PERC_BOOL)
        return NULL;
    if (choices_fit(row))
        return row->choices;
    return row->metavar != NULL ? row->metavar : "VALUE";
}

/* The default of a row in this command, or NULL. */
static const char *default_of(const struct tables *t, const perc_param *row, char buf[CLI_NAME])
{
    const size_t n = strlen(row->name);

    for (const char *p = t->changed; p != NULL && *p != '\0';) {
        const size_t len = strcspn(p, " ");

        if (len > n && strncmp(p, row->name, n) == 0 && p[n] == '=') {
            snprintf(buf, CLI_NAME, "%.*s", (int)(len - n - 1), p + n + 1);
            return buf;
        }
        p += len + (p[len] == ' ');
    }
    return row->type == PERC_BOOL ? NULL : row->initial;
}

const char *help_text(const struct tables *t, const perc_param *row, char buf[HELP_TEXT])
{
    char value[CLI_NAME];
    const char *initial = default_of(t, row, value);
    int n = snprintf(buf, HELP_TEXT, "%s", row->help);

    if (row->choices != NULL && !choices_fit(row) && n < HELP_TEXT)
        n += snprintf(buf + n, (size_t)(HELP_TEXT - n), ": %s", row->choices);
    if (initial != NULL && initial[0] != '\0' && n < HELP_TEXT)
        snprintf(buf + n, (size_t)(HELP_TEXT - n), " [%s]", initial);
    return buf;
}

void help_heading(const struct tables *t, const char *table, char *buf, size_t size)
{
    if (strcmp(t->kind, "data") == 0)
        snprintf(buf, size, "How the data are read");
    else if (strcmp(t->kind, "learner") == 0)
        snprintf(buf, size, "How %s learns", table);
    else
        snprintf(buf, size, "%s", table);
}

/* The options of one library table under its heading. */
static void print_table(struct out *o, const struct tables *t, const char *table)
{
    char heading[80], text[HELP_TEXT], name[CLI_NAME];
    const char *summary = NULL, *known;
    size_t count = 0;
    const perc_param *rows = perc_table(table, &count);

    for (size_t i = 0; (known = perc_table_name(t->kind, i, &summary)) != NULL; i++)
        if (strcmp(known, table) == 0)
            break;
    help_heading(t, table, heading, sizeof heading);
    if (strcmp(t->kind, "generator") == 0 && known != NULL && summary != NULL)
        out_fmt(o, "\n%s: %s\n", heading, summary);
    else
        out_fmt(o, "\n%s:\n", heading);
    for (size_t i = 0; i < count; i++) {
        const perc_param *row = &rows[i];

        if (cli_listed(t->hidden, row->name))
            continue;
        print_option(o, 0, cli_option_name(row, name), help_metavar(row), help_text(t, row, text));
    }
}

/* The lines of `text` as paragraphs, or as a list of commands. */
static void print_lines(struct out *o, const char *text, int indent, bool wrap)
{
    char line[512];

    while (text != NULL && *text != '\0') {
        const size_t len = strcspn(text, "\n");

        snprintf(line, sizeof line, "%.*s", (int)len, text);
        out_fmt(o, "%*s", indent, "");
        if (wrap)
            wrapped(o, line, indent, indent);
        else
            out_fmt(o, "%s\n", line);
        text += len + (text[len] == '\n');
    }
}

/* `perceptron help train` and `perceptron train --help`. */
void help_command(struct cli *cli, const struct opt *opts, const struct tables *tables)
{
    const struct command *c = cli->command;
    struct out *o = cli->out;
    const char *table;

    out_fmt(o, "usage: perceptron %s %s\n\n", c->name, c->synopsis);
    print_lines(o, c->about, 0, true);
    out_text(o, "\nOptions:\n");
    for (; opts->name != NULL; opts++)
        if (opts->help != NULL)
            print_option(o, opts->letter, opts->name, opts->metavar, opts->help);
    print_option(o, 'h', "help", NULL, "print this help");
    for (; tables != NULL && tables->kind != NULL; tables++)
        for (size_t k = 0; (table = cli_table_name(tables, k)) != NULL; k++)
            print_table(o, tables, table);
    if (c->examples != NULL) {
        out_text(o, "\nExamples:\n");
        print_lines(o, c->examples, 2, false);
    }
}

/* `perceptron help`: one line a command, and where to begin. */
void help_overview(struct out *o)
{
    out_fmt(o, "perceptron %s: linear classifiers, learned from their mistakes\n\n"
               "usage: perceptron COMMAND [options]\n\n", perc_version());
    for (const struct command *c = cli_commands; c->name != NULL; c++) {
        const char *rest = strstr(c->synopsis, "[options]"); /* every command has them */
        const int n = rest != NULL ? (int)(rest - c->synopsis) : (int)strlen(c->synopsis);

        out_fmt(o, "  %-9s %-22.*s %s\n", c->name, n, c->synopsis, c->summary);
    }
    out_text(o,
        "\n"
        "DATA is a file in LIBSVM or CSV form, plain or compressed, '-' for standard\n"
        "input, or a built-in set such as :xor, :blobs85 or :iris.\n"
        "\n"
        "  perceptron demo                a tour of two minutes\n"
        "  perceptron help COMMAND        the options of a command\n"
        "  perceptron help algorithms     the learning rules\n"
        "  perceptron --version           the version\n");
}
