/* options.c -- the words of a command line, against three lists.
 *
 * A word that begins with '-' is an option: one of the command's own, which is
 * stored at once, or a row of a library table, which is kept as a pair of texts
 * until cli_params. This is necessary: in `generate --rows 100 moons` the table
 * is named after its option. To know whether such an option takes a value it is
 * looked up in every table of its kind; whether it belongs to the chosen table is
 * checked in cli_params (tables.c).
 *
 * Forms: --name VALUE, --name=VALUE, -o VALUE, -oVALUE, also for a row whose name
 * is one letter (-C); --name or --name=VALUE for the few whose value may be left out; -o VALUE
 * VALUE for a pair, and --by group NAME for --by group:NAME; a BOOL row is switched with --name
 * and --no-name; "--" ends the options; "-" is an operand. Options and operands come in any
 * order. Names are not abbreviated: a script that says --ep today would break when a second
 * option begins like that. A wrong name is answered with the nearest right one. */
#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/word.h"

/* ----- looking names up --------------------------------------------------- */

/* The row called `name` in any table of any kind that the command takes, and in *kinds the lines of
 * `tables` that have it. All tables of a kind are searched, not only the chosen one, so that
 * `--margin` with the wrong KIND is not taken for a typo. */
static const perc_param *find_setting(const struct tables *tables, const char *name,
                                      unsigned *kinds)
{
    const perc_param *found = NULL;

    *kinds = 0;
    for (unsigned k = 0; tables != NULL && tables[k].kind != NULL; k++) {
        const char *table;

        if (cli_listed(tables[k].hidden, name)) continue;
        for (size_t i = 0; (table = perc_table_name(tables[k].kind, i, NULL)) != NULL; i++) {
            const perc_param *row = cli_row(table, name);

            if (row != NULL) {
                found = found != NULL ? found : row;
                *kinds |= 1u << k;
            }
        }
    }
    return found;
}

/* By its name, or if NULL by its letter. */
static const struct opt *find_opt(const struct opt *opts, const char *name, char letter)
{
    for (; opts->name != NULL; opts++)
        if (name != NULL ? strcmp(opts->name, name) == 0 : opts->letter == letter) return opts;
    return NULL;
}

/* ----- a suggestion for an unknown option --------------------------------- */

struct option_names {
    const struct opt *opts;
    const struct tables *tables;
    char buf[CLI_NAME]; /* "no-" names are composed here */
};

/* The i-th option of all lists together. */
static const char *option_name(void *ud, size_t i)
{
    struct option_names *s = ud;
    struct option_row rows[CLI_ROWS];
    size_t own = 0;

    while (s->opts[own].name != NULL) own++;
    if (i < own) return s->opts[i].name;
    i -= own;
    for (const struct tables *t = s->tables; t != NULL && t->kind != NULL; t++) {
        const size_t n = cli_rows(t, rows);

        if (i < n) return cli_option_name(rows[i].row, s->buf);
        i -= n;
    }
    return i == 0 ? "help" : NULL;
}

/* ----- storing values ----------------------------------------------------- */

/* The number of `value` among the words of the metavar, "offset|threshold". */
static int store_choice(const struct cli *cli, const struct opt *o, const char *value)
{
    const size_t length = strlen(value);
    int number = 0;

    for (const char *word = o->metavar, *end; word != NULL; word = end, number++) {
        const size_t n = strcspn(word, "|");

        end = word[n] == '|' ? word + n + 1 : NULL;
        if (n != length || strncmp(word, value, n) != 0) continue;
        *(int *)o->value = number;
        return 0;
    }
    char hint[WORD_HINT];
    return cli_usage(cli, "--%s: '%s' is not one of %s%s", o->name, value, o->metavar,
                     word_nearest_choice(value, o->metavar, hint));
}

/* Stores an option of the command itself in its variable. */
static int store_value(const struct cli *cli, const struct opt *o, const char *value)
{
    long long n;
    char *end;

    switch (o->type) {
    case OPT_FLAG: *(int *)o->value = 1; return 0;
    case OPT_TEXT:
    case OPT_READ:
    case OPT_WRITE:
    case OPT_RESUME:
    case OPT_PAIR:
    case OPT_MODEL: *(const char **)o->value = value; return 0;
    case OPT_CHOICE: return store_choice(cli, o, value);
    case OPT_MAYBE:
        if (value == NULL) {
            *(int64_t *)o->value = OPT_LEFT_OUT;
            return 0;
        }
        /* fallthrough */
    default:
        errno = 0;
        n = strtoll(value, &end, 10); /* alone it would take " 7x" for 7 */
        if (errno != 0 || end == value || *end != '\0')
            return cli_usage(cli, "--%s: '%s' is not a whole number", o->name, value);
        if (n < o->min || n > o->max)
            return cli_usage(cli, "--%s: %s is not between %lld and %lld", o->name, value,
                             (long long)o->min, (long long)o->max);
        *(int64_t *)o->value = n;
        return 0;
    }
}

/* The command line as typed; `cli->argv[at]` is next. */
struct typed {
    struct cli *cli;
    const struct opt *opts;
    int at;
    bool help; /* --help was seen */
};

/* "--help", "--help all", "--help=all". */
static int take_help(struct typed *w, const char *attached)
{
    struct cli *cli = w->cli;
    const bool next = attached == NULL && w->at < cli->argc && strcmp(cli->argv[w->at], "all") == 0;

    if (attached != NULL && strcmp(attached, "all") != 0)
        return cli_usage(cli, "--help: '%s' is not 'all'", attached);
    w->help = true;
    w->at += next;
    cli->every = cli->every || attached != NULL || next;
    return 0;
}

static bool is_text(const struct opt *o)
{
    return o->type != OPT_INT && o->type != OPT_CHOICE;
}

/* The value of an option that needs one: after '=', or the next word. Where a number or a choice
 * belongs, another option is none. */
static const char *take_value(struct typed *w, const char *attached, bool text)
{
    if (attached != NULL) return attached;
    if (w->at == w->cli->argc) return NULL;
    if (!text && strncmp(w->cli->argv[w->at], "--", 2) == 0) return NULL;
    return w->cli->argv[w->at++];
}

/* "--epochs needs a whole number": what does not follow. */
static int value_is_missing(const struct typed *w, const char *dashes, const char *name,
                            const char *what, const char *of)
{
    const bool next = w->at < w->cli->argc;

    return cli_usage(w->cli, "%s%s needs %s%s%s%s%s", dashes, name, what, of != NULL ? of : "",
                     next ? ", and '" : "", next ? w->cli->argv[w->at] : "",
                     next ? "' is none" : "");
}

/* The second word of a pair. */
static int take_second(struct typed *w, const char *dashes, const struct opt *o)
{
    if (o->type != OPT_PAIR) return 0;
    const char letter[2] = { o->letter, '\0' };
    if ((((const char **)o->value)[1] = take_value(w, NULL, true)) != NULL) return 0;
    return value_is_missing(w, dashes, dashes[1] == '-' ? o->name : letter,
                            "two values: ", o->metavar);
}

/* `--by group NAME` is --by group:NAME: where the value is all that stands before a colon in one of
 * the forms of the metavar, "group:COLUMN|time:COLUMN", the next word belongs to it. */
static const char *join_value(struct typed *w, const perc_param *row, const char *value)
{
    struct cli *cli = w->cli;
    const size_t n = strlen(value);

    for (const char *form = row->metavar; form != NULL && w->at < cli->argc;
         form = strchr(form, '|')) {
        form += *form == '|';
        if (strncmp(form, value, n) != 0 || form[n] != ':') continue;
        const int length = snprintf(cli->joined, CLI_JOINED, "%s:%s", value, cli->argv[w->at]);
        if (length >= CLI_JOINED) break;
        w->at++;
        return cli->joined;
    }
    return value;
}

static int row_value_is_missing(const struct typed *w, const char *name, const perc_param *row)
{
    /* As typed: a parameter of one letter is a short option, too. */
    const char *dashes = name[0] != '\0' && name[1] == '\0' ? "-" : "--";

    switch (row->type) {
    case PERC_INT: return value_is_missing(w, dashes, name, "a number", NULL);
    case PERC_REAL: return value_is_missing(w, dashes, name, "a number", NULL);
    case PERC_CHOICE: return value_is_missing(w, dashes, name, "one of ", row->choices);
    default: return value_is_missing(w, dashes, name, "a value: ", row->metavar);
    }
}

static int opt_value_is_missing(const struct typed *w, const char *dashes, const char *name,
                                const struct opt *o)
{
    switch (o->type) {
    case OPT_INT: return value_is_missing(w, dashes, name, "a number", NULL);
    case OPT_CHOICE: return value_is_missing(w, dashes, name, "one of ", o->metavar);
    default: return value_is_missing(w, dashes, name, "a value: ", o->metavar);
    }
}

/* A row of a library table, as typed in `name`; `attached` is what follows '='. */
static int take_setting(struct typed *w, const char *name, const char *attached)
{
    struct cli *cli = w->cli;
    struct setting s = { .option = name, .name = name };
    const perc_param *row = find_setting(cli->tables, name, &s.kinds);
    const bool negated = row == NULL && strncmp(name, "no-", 3) == 0;

    if (negated) {
        s.name = name + 3;
        row = find_setting(cli->tables, s.name, &s.kinds);
        if (row != NULL && row->type != PERC_BOOL) row = NULL;
    }
    if (row == NULL) { /* suggest the option likely meant */
        struct option_names all = { .opts = w->opts, .tables = cli->tables };
        char near[CLI_NAME];

        if (word_nearest(name, option_name, &all, near))
            return cli_usage(cli, "unknown option --%s (did you mean --%s?)", name, near);
        return cli_usage(cli, "unknown option --%s", name);
    }
    if (row->type == PERC_BOOL) {
        if (attached != NULL) return cli_usage(cli, "--%s takes no value", name);
        s.value = negated ? "false" : "true";
    } else if ((s.value = take_value(w, attached, row->type == PERC_TEXT)) == NULL) {
        return row_value_is_missing(w, name, row);
    }
    if (row->type == PERC_TEXT && attached == NULL) s.value = join_value(w, row, s.value);
    s.name = row->name;
    cli->settings[cli->setting_count++] = s;
    return 0;
}

/* "--name" or "--name=value"; word points past the dashes and may be cut at '='. */
static int take_long(struct typed *w, char *word)
{
    char *attached = strchr(word, '=');
    const struct opt *o;
    const char *value = NULL;

    if (attached != NULL) *attached++ = '\0';
    o = find_opt(w->opts, word, 0);
    if (o == NULL && strcmp(word, "help") == 0) return take_help(w, attached);
    if (o == NULL) return take_setting(w, word, attached);
    if (o->type == OPT_FLAG && attached != NULL)
        return cli_usage(w->cli, "--%s takes no value", word);
    if (o->type == OPT_MAYBE) return store_value(w->cli, o, attached);
    if (o->type != OPT_FLAG && (value = take_value(w, attached, is_text(o))) == NULL)
        return opt_value_is_missing(w, "--", word, o);
    const int rc = store_value(w->cli, o, value);
    return rc ? rc : take_second(w, "--", o);
}

/* "-o", "-oVALUE", "-qh": letters up to the first one that takes a value. */
static int take_short(struct typed *w, char *letters)
{
    for (; *letters != '\0'; letters++) {
        const struct opt *o = find_opt(w->opts, NULL, *letters);
        const char *value = NULL;
        int rc;

        if (o == NULL && *letters == 'h') {
            if ((rc = take_help(w, NULL))) return rc; /* uncovered: nothing is attached to -h */
            continue;
        }
        /* A parameter of one letter, "-C 0.1" or "-C0.1"; each takes a value. */
        if (o == NULL) {
            const char name[2] = { *letters, '\0' };
            unsigned kinds;
            const perc_param *row = find_setting(w->cli->tables, name, &kinds);

            if (row == NULL) return cli_usage(w->cli, "unknown option -%c", *letters);
            return take_setting(w, row->name, letters[1] != '\0' ? letters + 1 : NULL);
        }
        if (o->type != OPT_FLAG) {
            const char name[2] = { *letters, '\0' };

            value = take_value(w, letters[1] != '\0' ? letters + 1 : NULL, is_text(o));
            if (value == NULL) return opt_value_is_missing(w, "-", name, o);
        }
        if ((rc = store_value(w->cli, o, value)) || (rc = take_second(w, "-", o)) ||
            o->type != OPT_FLAG)
            return rc;
    }
    return 0;
}

/* The whole line. A missing operand does not matter if --help was asked for. */
static int take_words(struct typed *w, const struct operand *operands)
{
    struct cli *cli = w->cli;
    bool options = true;
    size_t words = 0;
    int rc = 0;

    while (rc == 0 && w->at < cli->argc) {
        char *word = cli->argv[w->at++];

        if (options && strcmp(word, "--") == 0) options = false;
        else if (options && strncmp(word, "--", 2) == 0) rc = take_long(w, word + 2);
        else if (options && word[0] == '-' && word[1] != '\0') rc = take_short(w, word + 1);
        else cli->word[words++] = word;
    }
    return rc ? rc : several_operands(cli, operands, words, w->help);
}

/* ----- what the commands call --------------------------------------------- */

bool cli_parse(struct cli *cli, const struct opt *opts, const struct operand *operands,
               const struct tables *tables)
{
    struct typed w = { .cli = cli, .opts = opts };

    cli->tables = tables;
    cli->rc = EXIT_DONE;
    if (cli->mode == CLI_RUN) {
        cli->settings = calloc((size_t)cli->argc + 1, sizeof *cli->settings);
        cli->word = calloc((size_t)cli->argc + 1, sizeof *cli->word);
        cli->rc = cli->settings == NULL || cli->word == NULL ? cli_memory(cli)
                                                             : take_words(&w, operands);
        if (cli->rc == EXIT_DONE && !w.help) cli->rc = files_check(cli, opts, operands);
        if (cli->rc == EXIT_DONE && !w.help) cli->rc = contents_check(cli, operands);
        if (cli->rc == EXIT_DONE && !w.help) {
            cli->env = (perc_env){ .threads = (int)cli->threads };
            return true;
        }
    }
    if (cli->rc != EXIT_DONE) return false;
    if (cli->mode == CLI_LOOK) cli->look(cli, opts, operands, tables);
    else if (cli->mode == CLI_MAN) manual_command(cli, opts, tables);
    else if (cli->mode == CLI_COMPLETE) manual_complete(cli, opts, operands, tables);
    else help_command(cli, opts, tables);
    return false;
}
