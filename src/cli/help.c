/* help.c -- the lists of a command, laid out for a terminal.
 *
 * Two columns: the option, and what it does with its default in brackets. A long
 * option stands on a line of its own. Lines end before column LAST. The texts of
 * library options come from the library's tables; nothing is said twice. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

#include "show/grid.h"

enum { COLUMN = 30, LAST = 79, HELP_TEXT = 512 };

/* Prints `text` from `column` on (where the cursor is) and wraps between words; further lines begin
 * at `indent`. Ends the line. */
static void wrapped_part(struct out *o, const char *text, const char *end, int column, int indent)
{
    bool first = true;

    while (text < end) {
        size_t len = 0;

        while (text + len < end && text[len] != ' ' && text[len] != '\n') len++;
        if (!first && column + 1 + (int)len > LAST) {
            out_fmt(o, "\n%*s", indent, "");
            column = indent;
            first = true;
        }
        if (!first) {
            out_text(o, " ");
            column++;
        }
        out_bytes(o, text, len);
        column += (int)len;
        first = false;
        text += len;
        if (text < end && *text == '\n') {
            out_fmt(o, "\n%*s", indent, "");
            column = indent;
            first = true;
        }
        text++;
    }
    out_text(o, "\n");
}

static void wrapped(struct out *o, const char *text, int column, int indent)
{
    wrapped_part(o, text, text + strlen(text), column, indent);
}

static void print_heading(struct out *o, const char *text)
{
    out_text(o, "\n");
    wrapped(o, text, 0, 2);
}

/* "  -o, --output FILE     what it does". */
static void print_option(struct out *o, char letter, const char *name, const char *metavar,
                         const char *help)
{
    char left[160];
    int n = letter != 0 ? snprintf(left, sizeof left, "  -%c, --%s", letter, name)
                        : snprintf(left, sizeof left, "      --%s", name);

    if (metavar != NULL)
        n += snprintf(left + n, sizeof left - (size_t)n, "%s%s", metavar[0] == '[' ? "" : " ",
                      metavar);
    out_text(o, left);
    if (n > COLUMN - 2) {
        out_text(o, "\n");
        n = 0;
    }
    out_fmt(o, "%*s", COLUMN - n, "");
    wrapped(o, help, COLUMN, COLUMN);
}

/* Whether the choices are short enough to stand in place of the value, not after the help. */
static bool choices_fit(const perc_param *row)
{
    return row->choices != NULL && strlen(row->choices) + strlen(row->name) < COLUMN - 10;
}

/* What an option takes: "N", "file|shuffle"; NULL for a switch. */
static const char *metavar_of(const perc_param *row)
{
    if (row->type == PERC_BOOL) return NULL;
    if (choices_fit(row)) return row->choices;
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

/* What an option does, its choices and, in brackets, its default. */
static const char *text_of(const struct tables *t, const perc_param *row, char buf[HELP_TEXT])
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

/* Some tables and their rows, and how they are printed. */
struct option_listing {
    struct out *o;
    const struct help_form *form;
    const struct tables *t;
    struct option_row row[CLI_ROWS];
    size_t rows;
};

/* Options that matter only for machines with a kernel: they stand under a heading of their own,
 * after the others of their algorithms. */
static bool with_kernel(const struct option_listing *l, const struct option_row *r)
{
    size_t first = 0;

    while (first < 63 && !(r->in >> first & 1)) first++;
    return cli_row(cli_table_name(l->t, first), "kernel") != NULL &&
           cli_listed("kernel degree gamma sigma coef0 eta theta drop-after budget budget-policy "
                      "cache loop",
                      r->row->name);
}

/* The rows that exactly the tables `in` have (0: any), for kernels or not, under a heading if there
 * are any. */
static void some_rows(const struct option_listing *l, uint64_t in, bool kernel, const char *heading)
{
    char name[CLI_NAME], text[HELP_TEXT];
    bool any = false;

    for (const struct option_row *r = l->row; r < l->row + l->rows; r++) {
        if ((in != 0 && r->in != in) || with_kernel(l, r) != kernel) continue;
        if (!any) l->form->heading(l->o, heading);
        any = true;
        l->form->option(l->o, r->row->name[1] == '\0' ? r->row->name[0] : 0,
                        cli_option_name(r->row, name), metavar_of(r->row),
                        text_of(l->t, r->row, text));
    }
}

/* One table, under a heading of its own. */
static void one_table(struct option_listing *l, const struct tables *t, const char *table)
{
    const struct tables alone = { t->kind, &table, t->changed, t->hidden };
    const char *summary = NULL, *known;
    char heading[160];

    for (size_t i = 0; (known = perc_table_name(t->kind, i, &summary)) != NULL; i++)
        if (strcmp(known, table) == 0) break;
    if (strcmp(t->kind, "data") == 0) snprintf(heading, sizeof heading, "How the data are read:");
    else if (strcmp(t->kind, "learner") == 0)
        snprintf(heading, sizeof heading, "How %s learns:", table);
    else if (strcmp(t->kind, "selection") == 0)
        snprintf(heading, sizeof heading, "How models are compared:");
    else if (strcmp(t->kind, "prove") == 0) snprintf(heading, sizeof heading, "What is proved:");
    else snprintf(heading, sizeof heading, "%s: %s", table, known != NULL ? summary : "");
    l->t = &alone;
    l->rows = cli_rows(&alone, l->row);
    some_rows(l, 0, false, heading);
    some_rows(l, 0, true, "Kernels:");
}

/* Several tables that share rows: each row once, under the names of the tables that have it. */
static void shared_tables(struct option_listing *l, const struct tables *t)
{
    enum { GROUPS = 64 };
    uint64_t group[GROUPS]; /* sets of tables that share a row, as bits; first all tables */
    char list[CLI_LIST], heading[CLI_LIST + 32];
    size_t n = 1, tables = 0;

    while (cli_table_name(t, tables) != NULL) tables++;
    group[0] = ((uint64_t)1 << tables) - 1;
    l->t = t;
    l->rows = cli_rows(t, l->row);
    for (size_t i = 0, k; i < l->rows; i++) {
        for (k = 0; k < n && group[k] != l->row[i].in;) k++;
        if (k == n && n < GROUPS) group[n++] = l->row[i].in;
    }
    for (size_t k = 0; k < n; k++) {
        const char *names = k == 0 ? "every algorithm" : cli_table_list(t, group[k], list);

        snprintf(heading, sizeof heading, "Options of %s:", names);
        some_rows(l, group[k], false, heading);
        snprintf(heading, sizeof heading, "Kernels, for %s:", names);
        some_rows(l, group[k], true, heading);
    }
}

void help_tables(struct out *o, const struct tables *tables, const struct help_form *form)
{
    struct option_listing l = { .o = o, .form = form };
    const char *table;

    for (const struct tables *t = tables; t != NULL && t->kind != NULL; t++) {
        if (strcmp(t->kind, "learner") == 0 && cli_table_name(t, 1) != NULL) shared_tables(&l, t);
        else
            for (size_t k = 0; (table = cli_table_name(t, k)) != NULL; k++) one_table(&l, t, table);
    }
}

/* The lines of `text` as paragraphs, or as a list of commands. */
static void print_lines(struct out *o, const char *text, int indent, bool wrap)
{
    while (text != NULL && *text != '\0') {
        const size_t len = strcspn(text, "\n");

        out_fmt(o, "%*s", indent, "");
        if (wrap) wrapped_part(o, text, text + len, indent, indent);
        else out_fmt(o, "%.*s\n", (int)len, text);
        text += len + (text[len] == '\n');
    }
}

/* `perceptron help train` and `perceptron train --help`. */
void help_command(struct cli *cli, const struct opt *opts, const struct tables *tables)
{
    static const struct help_form form = { print_heading, print_option };
    const struct command *c = cli->command;
    struct out *o = cli->out;

    out_fmt(o, "usage: perceptron %s %s\n\n", c->name, c->synopsis);
    print_lines(o, c->about, 0, true);
    out_text(o, "\nOptions:\n");
    for (; opts->name != NULL; opts++)
        if (opts->help != NULL)
            print_option(o, opts->letter, opts->name, opts->metavar, opts->help);
    print_option(o, 'h', "help", NULL, "print this help");
    help_tables(o, tables, &form);
    if (c->examples != NULL) {
        out_text(o, "\nExamples:\n");
        print_lines(o, c->examples, 2, false);
    }
}

/* `perceptron help`: one line per command, and where to begin. */
void help_overview(struct out *o)
{
    out_fmt(o,
            "perceptron %s: linear, kernel and network classifiers, learned from mistakes\n\n"
            "usage: perceptron COMMAND [options]\n\n",
            perc_version());
    for (const struct command *c = cli_commands; c->name != NULL; c++) {
        const char *rest = strstr(c->synopsis, "[options]"); /* every command has them */
        int n = rest != NULL ? (int)(rest - c->synopsis) : (int)strlen(c->synopsis);

        n -= n > 0 && rest != NULL; /* the blank before it */
        out_fmt(o, "  %-9s %-22.*s  %s\n", c->name, n, c->synopsis, c->summary);
    }
    out_text(o, "\n"
                "DATA is a file in LIBSVM or CSV form, plain or compressed, '-' for standard\n"
                "input, or a built-in set such as :xor, :blobs85 or :iris.\n"
                "\n"
                "  perceptron demo                a tour of two minutes\n"
                "  perceptron help COMMAND        the options of a command\n"
                "  perceptron help algorithms     what can learn, and what it costs\n"
                "  perceptron --version           the version\n");
}

/* ----- the learners ----------------------------------------------------------- */

/* Costs, relative to the perceptron: an update walks along one row; an answer walks along it once
 * per weight vector; a weight vector is one number per feature. Solvers make no updates. */
static void print_costs(struct cli *cli)
{
    static const char *const head[] = { "", "learns from", "update", "answer", "memory" };
    struct grid *g = grid_new(&cli->env, "lllll");
    const char *name;

    for (size_t i = 0; i < sizeof head / sizeof *head; i++) grid_cell(g, head[i]);
    for (size_t i = 0; (name = perc_table_name("learner", i, NULL)) != NULL; i++) {
        const perc_about *about = perc_table_about(name);

        grid_cell(g, name);
        grid_cell(g, about->online ? "row by row" : "all rows");
        grid_cell(g, about->cost.update);
        grid_cell(g, about->cost.answer);
        grid_cell(g, about->cost.memory);
    }
    grid_print(g, cli->out, 2);
    grid_free(g);
}

/* "svm, lp, mlp". */
static const char *learners_without(const char *option, char list[CLI_LIST])
{
    const struct tables learners = { .kind = "learner" };
    const char *name;
    uint64_t in = 0;

    for (size_t i = 0; (name = cli_table_name(&learners, i)) != NULL; i++)
        in |= (uint64_t)(cli_row(name, option) == NULL) << i;
    return cli_table_list(&learners, in, list);
}

/* `perceptron help algorithms`. */
void help_algorithms(struct cli *cli)
{
    struct out *o = cli->out;
    const char *name, *summary;
    char list[CLI_LIST], line[CLI_LIST + 320];

    out_text(o, "What can learn, for --algorithm:\n\n");
    for (size_t i = 0; (name = perc_table_name("learner", i, &summary)) != NULL; i++)
        out_fmt(o, "  %-14s%s\n", name, summary);
    out_text(o, "\nWhat it costs, in walks along a row and in weight vectors:\n\n");
    print_costs(cli);
    out_text(o, "\nThe rule that makes the updates, where there is a choice:\n\n");
    for (size_t i = 0; (name = perc_table_name("learner", i, &summary)) != NULL; i++) {
        const perc_param *rule = cli_row(name, "rule");
        if (rule != NULL) out_fmt(o, "  %-14s--rule %s [%s]\n", name, rule->choices, rule->initial);
    }
    out_text(o, "\nWhat learns row by row also learns from a stream (learn, train --stream).\n");
    snprintf(line, sizeof line,
             "All but %s take a kernel (--kernel): then an update costs a kernel value for each "
             "row shown after it, an answer one for each support row.",
             learners_without("kernel", list));
    wrapped(o, line, 0, 0);
    out_text(o, "\nThe options of one: perceptron train --algorithm NAME --help\n");
}

/* `perceptron help algorithms --json`: everything the library says about them. */
void help_algorithms_json(struct out *o)
{
    const char *name, *summary;

    out_begin(o, '{');
    out_key(o, "algorithms");
    out_begin(o, '[');
    for (size_t i = 0; (name = perc_table_name("learner", i, &summary)) != NULL; i++) {
        const perc_about *about = perc_table_about(name);
        const char *const fact[][2] = {
            { "name", name },
            { "title", about->title },
            { "summary", summary },
            { "family", about->family },
            { "page", about->page },
            { "step", about->step },
            { "guarantee", about->guarantee },
            { "use", about->use },
            { "update", about->cost.update },
            { "answer", about->cost.answer },
            { "memory", about->cost.memory },
        };
        size_t options = 0;
        const perc_param *row = perc_table(name, &options);

        out_begin(o, '{');
        for (size_t k = 0; k < sizeof fact / sizeof *fact; k++)
            out_key_string(o, fact[k][0], fact[k][1]);
        out_key_bool(o, "online", about->online);
        out_key(o, "options");
        out_begin(o, '[');
        for (size_t k = 0; k < options; k++) out_string(o, row[k].name);
        out_end(o, ']');
        out_end(o, '}');
    }
    out_end(o, ']');
    out_end(o, '}');
    out_line(o);
}
