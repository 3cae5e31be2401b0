/* manual.c -- the same lists as a manual page (man(7) macros) and as a script
 * for bash completion. Both are made when the program is installed:
 *
 *     perceptron help --man               perceptron help --bash-completion
 *
 * A page for all commands is written by running each command in CLI_MAN mode:
 * it reaches cli_parse, which hands its lists to manual_command and says no.
 * The completion is made in the same way. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

/* Every command in turn, in `mode`; `help` describes itself by hand. */
static void each_command(struct out *o, enum cli_mode mode)
{
    for (const struct command *c = cli_commands; c->name != NULL; c++) {
        struct cli cli = { .command = c, .mode = mode, .out = o };

        c->run(&cli);
    }
}

/* ----- the manual page ---------------------------------------------------- */

/* Text for troff: escapes its escape character, hyphens that must stay hyphens, and dots and quotes
 * that would begin a request. */
static void roff(struct out *o, const char *s, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        const bool starts = i == 0 || s[i - 1] == '\n';

        if (starts && (s[i] == '.' || s[i] == '\'')) out_text(o, "\\&");
        if (s[i] == '\\') out_text(o, "\\e");
        else if (s[i] == '-') out_text(o, "\\-");
        else out_bytes(o, &s[i], 1);
    }
}

static void roff_text(struct out *o, const char *s)
{
    roff(o, s, strlen(s));
}

/* Each line of `text` on its own, with the macro `between` in between. */
static void roff_lines(struct out *o, const char *text, const char *between)
{
    const char *before = "";

    while (text != NULL && *text != '\0') {
        const size_t len = strcspn(text, "\n");

        if (len > 0) {
            out_text(o, before);
            roff(o, text, len);
            out_text(o, "\n");
            before = between;
        }
        text += len + (text[len] == '\n');
    }
}

static void roff_option(struct out *o, char letter, const char *name, const char *metavar,
                        const char *help)
{
    out_text(o, ".TP\n");
    if (letter != 0) out_fmt(o, "\\fB\\-%c\\fR, ", letter);
    out_text(o, "\\fB\\-\\-");
    roff_text(o, name);
    out_text(o, "\\fR");
    if (metavar != NULL) {
        out_text(o, metavar[0] == '[' ? "\\fI" : " \\fI");
        roff_text(o, metavar);
        out_text(o, "\\fR");
    }
    out_text(o, "\n");
    roff_text(o, help);
    out_text(o, "\n");
}

static void roff_heading(struct out *o, const char *text)
{
    out_text(o, ".PP\n");
    roff_text(o, text);
    out_text(o, "\n");
}

void manual_command(struct cli *cli, const struct opt *opts, const struct tables *tables)
{
    static const struct help_form form = { roff_heading, roff_option };
    const struct command *c = cli->command;
    struct out *o = cli->out;

    out_fmt(o, ".SS perceptron %s ", c->name);
    roff_text(o, c->synopsis);
    out_text(o, "\n");
    roff_lines(o, c->about, ".PP\n");
    if (opts->name != NULL && opts->help != NULL) out_text(o, ".PP\nOptions:\n");
    for (; opts->name != NULL; opts++)
        if (opts->help != NULL) roff_option(o, opts->letter, opts->name, opts->metavar, opts->help);
    help_tables(o, tables, &form, NULL);
}

/* Promises to scripts: the enum in cli.h has the same numbers. */
static const char exit_status[] =
    ".SH EXIT STATUS\n"
    ".TP\n0\nDone. A limit on passes, updates or time is also done, and said.\n"
    ".TP\n1\nThe answer is no: prove, lp or svm \\-\\-hard, and no hyperplane is right on every\n"
    "row; logistic without a penalty, and there is no optimum; verify, and the certificate is\n"
    "refuted or about other data.\n"
    ".TP\n2\nWrong usage: an unknown option, a value out of range; a formula with a fault.\n"
    ".TP\n3\nBad data, a bad model or certificate; the message names file, line and column. Also\n"
    "a network whose loss was no longer a number, after its last good state was saved.\n"
    ".TP\n4\nThe system failed: a file that cannot be read or written, no memory.\n"
    ".TP\n5\nUndecided: prove, lp or svm \\-\\-hard stopped at a limit before it knew.\n"
    ".TP\n130\nInterrupted (SIGINT, SIGTERM, SIGHUP), after the model was saved; while data are\n"
    "read or models are compared there is none.\n"
    ".TP\n141\nThe reader of the output went away, as head does: nothing is said, and the tool\n"
    "ends by SIGPIPE.\n";

void manual_page(struct out *o)
{
    out_fmt(o, ".TH PERCEPTRON 1 \"\" \"perceptron %s\" \"User Commands\"\n", perc_version());
    out_text(o, ".SH NAME\n"
                "perceptron \\- linear, kernel and network classifiers, learned from mistakes\n"
                ".SH SYNOPSIS\n.B perceptron\n.I COMMAND\n.RI [ options ]\n.br\n"
                ".B perceptron help\n.RI [ COMMAND ]\n.br\n.B perceptron \\-\\-version\n"
                ".SH DESCRIPTION\n");
    out_text(
        o,
        "A linear machine scores s = w.x + b and answers the positive label when s > 0. The\n"
        "perceptron learns it from its mistakes alone: whenever y s <= 0 it adds y x to w and\n"
        "y to b. With more than two labels each has a w and b of its own, and the highest score\n"
        "answers. With a kernel K the score is a sum over the rows i that mistakes were made on,\n"
        "s = sum a_i y_i K(x_i, x) + b, and a mistake adds 1 to a_i: the boundary may be curved.\n"
        "A multi\\-layer perceptron (mlp) has layers of such machines, each fed by the one\n"
        "before, and learns by gradients; a gate is such a network compiled from a formula.\n"
        "This program trains, tests, explains and applies such machines, and proves in exact\n"
        "arithmetic whether a linear one can be right on every row.\n"
        ".PP\n"
        "DATA is a file in LIBSVM or CSV form, plain or compressed (gzip, bzip2, xz, zstd),\n"
        "\\(oq\\-\\(cq for standard input, or a built\\-in set such as :xor, :blobs85 or :iris.\n"
        "Several files, a directory (the files in it) or a pattern are one data set.\n"
        "The format is told from the content. Results go to standard output, talk to standard\n"
        "error. The same data, options and seed give the same bytes on any number of threads.\n"
        ".SH COMMANDS\n");
    each_command(o, CLI_MAN);
    /* The learners, each with its line from the registry. */
    const char *name, *summary;
    out_text(o, ".SH ALGORITHMS\nFor \\fB\\-\\-algorithm\\fR; \\fBperceptron help algorithms\\fR "
                "has what they cost.\n");
    for (size_t i = 0; (name = perc_table_name("learner", i, &summary)) != NULL; i++) {
        out_fmt(o, ".TP\n.B %s\n", name);
        roff_text(o, summary);
        out_text(o, "\n");
    }
    out_text(o, exit_status);
    out_text(o, ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nIf set and not empty, no colours.\n"
                ".SH EXAMPLES\n.EX\n");
    for (const struct command *c = cli_commands; c->name != NULL; c++)
        roff_lines(o, c->examples, "");
    out_text(o, ".EE\n");
}

/* ----- bash completion ---------------------------------------------------- */

/* "none|poly:D|random[:N]|FILE" as words: none poly: random. What stands for something else is left
 * out; it may be a file, whose name bash completes. */
static void put_choices(struct out *o, const char *choices)
{
    while (*choices != '\0') {
        const size_t all = strcspn(choices, "|");
        const size_t n = strcspn(choices, "|[ABCDEFGHIJKLMNOPQRSTUVWXYZ");

        if (n > 0) out_fmt(o, " %.*s", (int)n, choices);
        choices += all + (choices[all] == '|');
    }
}

/* Names of a kind of table: learners, generators, built-in sets. */
static void kind_words(struct out *o, const char *kind)
{
    const char *name;

    for (size_t i = 0; (name = perc_table_name(kind, i, NULL)) != NULL; i++)
        out_fmt(o, " %s", name);
}

/* A line for what may follow an option that takes a value. Without words bash completes file names,
 * which is right for FILE and harmless for N. */
static void complete_value(struct out *o, char letter, const char *name, const char *metavar,
                           const char *choices)
{
    const bool model = strcmp(metavar, "MODEL") == 0 || strcmp(metavar, "START") == 0;
    const bool column = strncmp(metavar, "COLUMN", strlen("COLUMN")) == 0;

    out_text(o, "        ");
    if (letter != 0) out_fmt(o, "-%c|", letter);
    out_fmt(o, "--%s) kind=%s words=\"", name, model ? "MODEL" : column ? "COLUMN" : "");
    if (strcmp(name, "algorithm") == 0) kind_words(o, "learner");
    else if (choices != NULL && strchr(choices, '|') != NULL) put_choices(o, choices);
    out_text(o, "\" ;;\n");
}

/* Calls visit for every library row that the command takes, each name once: it may mean different
 * things to different learners. */
static void each_row(struct out *o, const struct tables *tables,
                     void (*visit)(struct out *o, const perc_param *row))
{
    struct option_row rows[CLI_ROWS];

    for (const struct tables *t = tables; t != NULL && t->kind != NULL; t++) {
        const size_t n = cli_rows(t, rows);

        for (size_t i = 0, k; i < n; i++) {
            for (k = 0; k < i && strcmp(rows[k].row->name, rows[i].row->name) != 0;) k++;
            if (k == i) visit(o, rows[i].row);
        }
    }
}

static void row_value(struct out *o, const perc_param *row)
{
    if (row->type != PERC_BOOL)
        complete_value(o, row->name[1] == '\0' ? row->name[0] : 0, row->name,
                       row->metavar != NULL ? row->metavar : "", row->choices);
}

static void row_name(struct out *o, const perc_param *row)
{
    char name[CLI_NAME];

    out_fmt(o, " --%s", cli_option_name(row, name));
}

/* The branch for one command: what may follow an option, otherwise options or operands. */
void manual_complete(struct cli *cli, const struct opt *opts, const struct operand *operands,
                     const struct tables *tables)
{
    struct out *o = cli->out;

    out_fmt(o, "    %s)\n        kind=\"", cli->command->name);
    for (const struct operand *p = operands; p->name != NULL; p++) out_fmt(o, "%s ", p->name);
    out_text(o, "\"\n        case $prev in\n");
    for (const struct opt *p = opts; p->name != NULL; p++)
        if (p->type != OPT_FLAG && p->type != OPT_MAYBE)
            complete_value(o, p->letter, p->name, p->metavar, p->metavar);
    each_row(o, tables, row_value);
    out_text(o, "        *) case $cur in\n        -*) kind= words=\"--help");
    for (; opts->name != NULL; opts++)
        if (opts->help != NULL) out_fmt(o, " --%s", opts->name);
    each_row(o, tables, row_name);
    out_text(o, "\" ;;\n        esac ;;\n        esac ;;\n");
}

/* Words of the command line as bash cuts it: at '=', and at the colon of a built-in set, which is
 * then no part of what is replaced. An operand is a MODEL until there is one. Columns are those of
 * the first line of a file that the command names. */
static const char completion_head[] =
    "# bash completion for perceptron\n"
    "_perceptron_columns()\n{\n"
    "    local word file= line names IFS before=\n"
    "    for word in \"${COMP_WORDS[@]:2}\"; do\n"
    "        [[ -f $word && $word != *.safetensors ]] && file=$word\n"
    "    done\n"
    "    [[ -n $file ]] && read -r line 2>/dev/null < \"$file\" || return\n"
    "    case $line in *$'\\t'*) IFS=$'\\t' ;; *\\;*) IFS=\\; ;; *) IFS=, ;; esac\n"
    "    line=${line#$'\\xef\\xbb\\xbf'}\n"
    "    read -ra names <<< \"${line%$'\\r'}\"\n"
    "    [[ $cur == *,* ]] && before=${cur%,*},\n"
    "    for word in \"${names[@]}\"; do\n"
    "        word=${word#\\\"} word=${word%\\\"}\n"
    "        [[ $word != *\\\"* && $word == \"${cur##*,}\"* ]] &&\n"
    "            COMPREPLY+=(\"$before$(printf %q \"$word\")\")\n"
    "    done\n"
    "}\n"
    "_perceptron()\n{\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} kind= colon= files\n"
    "    if [[ $prev == [:=] ]]; then\n"
    "        [[ $prev == : ]] && cur=:$cur colon=:\n"
    "        prev=${COMP_WORDS[COMP_CWORD-2]}\n"
    "    fi\n"
    "    [[ $cur == : && $COMP_WORDBREAKS == *:* ]] && colon=:\n"
    "    [[ $cur == = ]] && cur=\n"
    "    COMPREPLY=()\n";

static const char completion_tail[] =
    "    [[ $kind == 'MODEL DATA ' ]] &&\n"
    "        case \" ${COMP_WORDS[*]:2:COMP_CWORD-2} \" in\n"
    "        *.safetensors\\ *) kind=DATA ;;\n"
    "        *) kind=MODEL ;;\n"
    "        esac\n"
    "    case $kind in\n"
    "    KIND*) words=$kinds ;;\n"
    "    TOPIC*) words=\"$commands algorithms all\" ;;\n"
    "    COLUMN) _perceptron_columns ;;\n"
    "    *DATA*) [[ $cur == :* || -z $cur ]] && words=$builtin ;;\n"
    "    esac\n"
    "    mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
    "    COMPREPLY=(\"${COMPREPLY[@]#$colon}\")\n"
    "    files=()\n"
    "    [[ $kind == *MODEL* ]] &&\n"
    "        mapfile -t files < <(compgen -f -X '!*.safetensors' -- \"$cur\")\n"
    "    [[ $kind == *DATA* ]] && mapfile -t files < <(compgen -f -- \"$cur\")\n"
    "    if [[ ${#files[@]} -gt 0 ]]; then\n"
    "        COMPREPLY+=(\"${files[@]}\")\n"
    "        compopt -o filenames 2>/dev/null\n"
    "    fi\n"
    "}\n"
    "complete -o bashdefault -o default -F _perceptron perceptron\n";

/* One function for bash: the previous word decides, then the word itself. Where no words are known,
 * bash falls back on file names ("-o default"). */
void manual_completion(struct out *o)
{
    out_text(o, completion_head);
    out_text(o, "    local words= builtin=\"");
    kind_words(o, "builtin");
    out_text(o, "\" kinds=\"");
    kind_words(o, "generator");
    out_text(o, "\" commands=\"");
    for (const struct command *c = cli_commands; c->name != NULL; c++) out_fmt(o, " %s", c->name);
    out_text(o, "\"\n    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                "        words=\"$commands --help --version\"\n    else\n"
                "    case ${COMP_WORDS[1]} in\n");
    each_command(o, CLI_COMPLETE);
    out_text(o, "    esac\n    fi\n");
    out_text(o, completion_tail);
}
