/* help.c -- the lists of a command, laid out for a terminal.
 *
 * Two columns: the option, and what it does with its default in brackets. A long
 * option stands on a line of its own. Lines end before the last column of the terminal, and
 * nothing is cut: a word that is longer than a line is broken. The texts of
 * library options come from the library's tables; nothing is said twice. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

#include "show/grid.h"

enum { COLUMN = 30, NARROW = 64, HELP_TEXT = 2048 };

/* Where texts begin that stand beside `column`: on narrow terminals under it. */
static int text_column(int column)
{
    return cli_columns() < NARROW ? 8 : column;
}

/* How much of a word stands on a line with so much room: all, or up to a mark between its parts. */
static size_t word_part(const char *text, size_t len, size_t room)
{
    size_t n = room;

    if (len <= room) return len;
    while (n > 1 && strchr("|,=/", text[n - 1]) == NULL) n--;
    return n > 1 ? n : room;
}

/* Prints `text` from `column` on (where the cursor is) and wraps between words; further lines begin
 * at `indent`. Ends the line. */
static void wrapped_part(struct out *o, const char *text, const char *end, int column, int indent)
{
    const int last = cli_columns() - 1;
    bool first = true;

    while (text < end) {
        size_t len = 0;

        while (text + len < end && text[len] != ' ' && text[len] != '\n') len++;
        if (!first && column + 1 + (int)len > last) {
            out_fmt(o, "\n%*s", indent, "");
            column = indent;
            first = true;
        }
        if (!first) {
            out_text(o, " ");
            column++;
        }
        const size_t part = word_part(text, len, (size_t)(last - column));
        out_bytes(o, text, part);
        column += (int)part;
        first = false;
        text += part;
        if (part < len || (text < end && *text == '\n')) {
            out_fmt(o, "\n%*s", indent, "");
            column = indent;
            first = true;
        }
        text += part == len;
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

/* `left`, and `help` from `column` on: on the next line if there is no room. */
static void print_pair(struct out *o, const char *left, int column, const char *help)
{
    const int text = text_column(column);
    int n = (int)strlen(left);

    if (text < column) wrapped(o, left, 0, text);
    else out_text(o, left);
    if (text == column && n > column - 2) out_text(o, "\n");
    if (text < column || n > column - 2) n = 0;
    out_fmt(o, "%*s", text - n, "");
    wrapped(o, help, text, text);
}

/* "  -o, --output FILE     what it does". */
static void print_option(struct out *o, char letter, const char *name, const char *metavar,
                         const char *help)
{
    char left[160];
    int n = letter != 0 ? snprintf(left, sizeof left, "  -%c, --%s", letter, name)
                        : snprintf(left, sizeof left, "      --%s", name);

    if (metavar != NULL)
        snprintf(left + n, sizeof left - (size_t)n, "%s%s", metavar[0] == '[' ? "" : " ", metavar);
    print_pair(o, left, COLUMN, help);
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
    const char *common; /* left out; NULL: nothing is */
    const struct tables *t;
    struct option_row row[CLI_ROWS];
    size_t rows;
};

/* The common row of a name is the first of the tables. Another of this name, with another default,
 * is told with its own algorithm. */
static bool is_common(const char *common, const struct tables *t, const perc_param *row)
{
    const char *table;
    const perc_param *first = NULL;

    if (!cli_listed(common, row->name)) return false;
    for (size_t k = 0; first == NULL && (table = perc_table_name(t->kind, k, NULL)) != NULL; k++)
        first = cli_row(table, row->name);
    return first != NULL && cli_rows_alike(first, row);
}

static void print_row(struct out *o, const struct help_form *form, const struct tables *t,
                      const perc_param *row)
{
    char name[CLI_NAME], text[HELP_TEXT];

    form->option(o, row->name[1] == '\0' ? row->name[0] : 0, cli_option_name(row, name),
                 metavar_of(row), text_of(t, row, text));
}

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
    bool any = false;

    for (const struct option_row *r = l->row; r < l->row + l->rows; r++) {
        if ((in != 0 && r->in != in) || with_kernel(l, r) != kernel) continue;
        if (is_common(l->common, l->t, r->row)) continue;
        if (!any) l->form->heading(l->o, heading);
        any = true;
        print_row(l->o, l->form, l->t, r->row);
    }
}

/* NULL: each table of this kind has its own. */
static const char *heading_of(const char *kind)
{
    static const char *const of[][2] = { { "learner", "How it learns:" },
                                         { "selection", "How models are compared:" },
                                         { "prove", "What is proved:" },
                                         { "data", "How the data are read:" } };

    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (strcmp(of[i][0], kind) == 0) return of[i][1];
    return NULL;
}

/* One table, under a heading of its own. */
static void one_table(struct option_listing *l, const struct tables *t, const char *table)
{
    const struct tables alone = { t->kind, &table, t->changed, t->hidden };
    const char *summary = NULL, *known;
    char heading[160];

    for (size_t i = 0; (known = perc_table_name(t->kind, i, &summary)) != NULL; i++)
        if (strcmp(known, table) == 0) break;
    if (strcmp(t->kind, "learner") == 0) snprintf(heading, sizeof heading, "How %s learns:", table);
    else if (heading_of(t->kind) != NULL)
        snprintf(heading, sizeof heading, "%s", heading_of(t->kind));
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

void help_tables(struct out *o, const struct tables *tables, const struct help_form *form,
                 const char *common)
{
    struct option_listing l = { .o = o, .form = form, .common = common };
    const char *table;

    for (const struct tables *t = tables; t != NULL && t->kind != NULL; t++) {
        if (strcmp(t->kind, "learner") == 0 && cli_table_name(t, 1) != NULL) shared_tables(&l, t);
        else
            for (size_t k = 0; (table = cli_table_name(t, k)) != NULL; k++) one_table(&l, t, table);
    }
}

/* The lines of `text` as paragraphs. */
static void print_paragraphs(struct out *o, const char *text)
{
    while (*text != '\0') {
        const size_t len = strcspn(text, "\n");

        wrapped_part(o, text, text + len, 0, 0);
        text += len + (text[len] == '\n');
    }
}

/* Where a command of so many characters can go on in the next line: before an option, else between
 * words, within `room`; 0: nowhere. What is in quotes stays together. */
static size_t command_break(const char *text, size_t len, size_t room)
{
    size_t option = 0, word = 0;
    char quote = '\0';

    for (size_t i = 0; i < len && i <= room; i++) {
        if (quote != '\0' ? text[i] == quote : text[i] == '\'' || text[i] == '"')
            quote = quote != '\0' ? '\0' : text[i];
        if (text[i] != ' ' || quote != '\0') continue;
        word = i;
        if (i + 1 < len && text[i + 1] == '-') option = i;
    }
    return option > 0 ? option : word;
}

/* The lines of `text` as commands to be copied: one that is too long goes on after a backslash. */
static void print_commands(struct out *o, const char *text)
{
    const size_t room = (size_t)cli_columns() - 7; /* "    " and " \" */

    while (*text != '\0') {
        const char *from = text, *end = text + strcspn(text, "\n"), *indent = "  ";
        size_t cut;

        while ((size_t)(end - from) > room + 2 &&
               (cut = command_break(from, (size_t)(end - from), room)) > 0) {
            out_text(o, indent);
            out_bytes(o, from, cut);
            out_text(o, " \\\n");
            indent = "    ";
            from += cut + 1;
        }
        out_text(o, indent);
        out_bytes(o, from, (size_t)(end - from));
        out_text(o, "\n");
        text = end + (*end == '\n');
    }
}

/* The rows of the command's tables that are common, each name once. */
static void common_rows(struct out *o, const struct tables *tables, const struct help_form *form,
                        const char *common)
{
    for (const struct tables *t = tables; t != NULL && t->kind != NULL; t++) {
        const struct tables all = { t->kind, NULL, t->changed, t->hidden };
        struct option_row row[CLI_ROWS];
        const size_t n = cli_rows(&all, row);
        bool any = false;

        for (size_t i = 0; i < n; i++) {
            if (!is_common(common, t, row[i].row)) continue;
            if (!any) form->heading(o, heading_of(t->kind));
            any = true;
            print_row(o, form, t, row[i].row);
        }
    }
}

/* The options of the command itself: those that are common, or the others. */
static void own_options(struct out *o, const struct opt *opts, const char *common, bool others)
{
    for (; opts->name != NULL; opts++)
        if (opts->help != NULL && (common == NULL || cli_listed(common, opts->name)) != others)
            print_option(o, opts->letter, opts->name, opts->metavar, opts->help);
}

static bool has_others(const struct opt *opts, const char *common)
{
    while (opts->name != NULL && (opts->help == NULL || cli_listed(common, opts->name))) opts++;
    return opts->name != NULL;
}

/* `perceptron help train` and `perceptron train --help`: what is common, and where the rest is. A
 * table that was chosen by name is told in full: it was asked for. */
void help_command(struct cli *cli, const struct opt *opts, const struct tables *tables)
{
    static const struct help_form form = { print_heading, print_option };
    const struct command *c = cli->command;
    struct out *o = cli->out;
    char line[CLI_LIST];

    out_text(o, "usage: ");
    snprintf(line, sizeof line, "perceptron %s %s", c->name, c->synopsis);
    wrapped(o, line, 7, 9);
    out_text(o, "\n");
    print_paragraphs(o, c->about);
    out_text(o, c->common != NULL ? "\nCommon options:\n" : "\nOptions:\n");
    own_options(o, opts, c->common, false);
    print_option(o, 'h', "help", c->common != NULL ? "[=all]" : NULL,
                 c->common != NULL ? "print this help; all: every option" : "print this help");
    if (c->common != NULL) common_rows(o, tables, &form, c->common);
    if (c->common != NULL && cli->every && has_others(opts, c->common)) {
        print_heading(o, "More options:");
        own_options(o, opts, c->common, true);
    }
    for (const struct tables *t = tables; t != NULL && t->kind != NULL; t++) {
        const struct tables alone[] = { *t, TABLES_END };

        if (c->common == NULL || cli->every || (t->which != NULL && *t->which != NULL))
            help_tables(o, alone, &form, c->common);
    }
    if (c->common != NULL && !cli->every) {
        snprintf(line, sizeof line, "All options: perceptron %s --help all", c->name);
        print_heading(o, line);
    }
    if (c->examples != NULL) {
        out_text(o, "\nExamples:\n");
        print_commands(o, c->examples);
    }
}

void help_everything(struct out *o)
{
    for (const struct command *c = cli_commands; c->name != NULL; c++) {
        struct cli cli = { .command = c, .mode = CLI_HELP, .every = true, .out = o };

        if (c != cli_commands) out_text(o, "\n\n");
        c->run(&cli);
    }
}

/* `perceptron help`: one line per command, and where to begin. */
void help_overview(struct out *o)
{
    static const char *const where[][2] = {
        { "  perceptron demo", "a tour of two minutes" },
        { "  perceptron help COMMAND", "the common options of a command" },
        { "  perceptron help COMMAND all", "all of them; 'help all': of all commands" },
        { "  perceptron help algorithms", "what can learn, and what it costs" },
        { "  perceptron --version", "the version" },
    };

    out_fmt(o, "perceptron %s: ", perc_version());
    wrapped(o, "linear, kernel and network classifiers, learned from mistakes", 18, 0);
    out_text(o, "\nusage: perceptron COMMAND [options]\n\n");
    for (const struct command *c = cli_commands; c->name != NULL; c++) {
        const char *rest = strstr(c->synopsis, "[options]"); /* every command has them */
        int n = rest != NULL ? (int)(rest - c->synopsis) : (int)strlen(c->synopsis);
        char left[CLI_LIST];

        n -= n > 0 && rest != NULL; /* the blank before it */
        snprintf(left, sizeof left, "  %-9s %.*s", c->name, n, c->synopsis);
        print_pair(o, left, 36, c->summary);
    }
    out_text(o, "\n");
    wrapped(o,
            "DATA is a file in LIBSVM or CSV form, plain or compressed, '-' for standard input, or "
            "a built-in set such as :xor, :blobs85 or :iris; several files, a directory or a "
            "pattern ('*.csv') are one data set.",
            0, 0);
    out_text(o, "\n");
    for (size_t i = 0; i < sizeof where / sizeof *where; i++)
        print_pair(o, where[i][0], 33, where[i][1]);
}

/* ----- the learners ----------------------------------------------------------- */

/* Costs, relative to the perceptron: an update walks along one row; an answer walks along it once
 * per weight vector; a weight vector is one number per feature. Solvers make no updates. */
static void print_costs(struct cli *cli)
{
    static const char *const head[] = { "", "learns from", "update", "answer", "memory" };
    struct grid *g = grid_new(&cli->env, "lllll");
    const char *name;
    const bool narrow = cli_columns() < 80;

    for (size_t i = 0; i < sizeof head / sizeof *head; i++) grid_cell(g, head[i]);
    for (size_t i = 0; (name = perc_table_name("learner", i, NULL)) != NULL; i++) {
        const perc_about *about = perc_table_about(name);

        if (narrow) {
            char line[CLI_LIST];
            snprintf(line, sizeof line, "%s: %s; update %s; answer %s; memory %s", name,
                     about->online ? "row by row" : "all rows", about->cost.update,
                     about->cost.answer, about->cost.memory);
            out_text(cli->out, "  ");
            wrapped(cli->out, line, 2, 4);
        }
        grid_cell(g, name);
        grid_cell(g, about->online ? "row by row" : "all rows");
        grid_cell(g, about->cost.update);
        grid_cell(g, about->cost.answer);
        grid_cell(g, about->cost.memory);
    }
    if (!narrow) grid_print(g, cli->out, 2);
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
        snprintf(line, sizeof line, "  %s", name), print_pair(o, line, 16, summary);
    out_text(o, "\n");
    wrapped(o, "What it costs, in walks along a row and in weight vectors:", 0, 0);
    out_text(o, "\n");
    print_costs(cli);
    out_text(o, "\n");
    wrapped(o, "The rule that makes the updates, where there is a choice:", 0, 0);
    out_text(o, "\n");
    for (size_t i = 0; (name = perc_table_name("learner", i, &summary)) != NULL; i++) {
        const perc_param *rule = cli_row(name, "rule");
        char text[CLI_LIST];

        if (rule == NULL) continue;
        snprintf(line, sizeof line, "  %s", name);
        snprintf(text, sizeof text, "--rule %s [%s]", rule->choices, rule->initial);
        print_pair(o, line, 16, text);
    }
    out_text(o, "\n");
    wrapped(o, "What learns row by row also learns from a stream (learn, train --stream).", 0, 0);
    snprintf(line, sizeof line,
             "All but %s take a kernel (--kernel): then an update costs a kernel value for each "
             "row shown after it, an answer one for each support row.",
             learners_without("kernel", list));
    wrapped(o, line, 0, 0);
    out_text(o, "\n");
    wrapped(o, "The options of one: perceptron train --algorithm NAME --help", 0, 0);
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
