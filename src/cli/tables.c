/* tables.c -- the library's parameter tables, as the options of a command.
 *
 * Learners share most of their options. An option that only some have is known to
 * the parser whichever learner is chosen, so that it can be refused by name, naming the
 * algorithms that take it, or the rule that it is for. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

/* ----- looking things up --------------------------------------------------- */

const char *cli_table_name(const struct tables *t, size_t k)
{
    if (t->which != NULL && *t->which != NULL) return k == 0 ? *t->which : NULL;
    return perc_table_name(t->kind, k, NULL);
}

bool cli_listed(const char *list, const char *name)
{
    const size_t n = strlen(name);

    for (const char *p = list; p != NULL && *p != '\0';) {
        const size_t len = strcspn(p, " |");

        if (len == n && strncmp(p, name, n) == 0) return true;
        p += len + (p[len] != '\0');
    }
    return false;
}

const char *cli_option_name(const perc_param *row, char buf[CLI_NAME])
{
    const bool on = row->type == PERC_BOOL && row->initial != NULL &&
                    strcmp(row->initial, "true") == 0;

    snprintf(buf, CLI_NAME, "%s%s", on ? "no-" : "", row->name);
    return buf;
}

const perc_param *cli_row(const char *table, const char *name)
{
    size_t count = 0;
    const perc_param *rows = perc_table(table, &count);

    for (size_t i = 0; rows != NULL && i < count; i++)
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    return NULL;
}

static bool same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

bool cli_rows_alike(const perc_param *a, const perc_param *b)
{
    return strcmp(a->name, b->name) == 0 && same_text(a->initial, b->initial) &&
           same_text(a->choices, b->choices) && same_text(a->help, b->help);
}

/* Which of the tables of this kind have the row. among: only these, "pa|pa1"; NULL: all. */
static uint64_t tables_with(const struct tables *t, const char *name, const char *among)
{
    const char *table;
    uint64_t in = 0;

    for (size_t k = 0; (table = cli_table_name(t, k)) != NULL; k++)
        if (cli_row(table, name) != NULL && (among == NULL || cli_listed(among, table)))
            in |= (uint64_t)1 << k;
    return in;
}

size_t cli_rows(const struct tables *t, struct option_row rows[CLI_ROWS])
{
    const char *table;
    size_t n = 0;

    for (size_t k = 0; (table = cli_table_name(t, k)) != NULL; k++) {
        size_t count = 0;
        const perc_param *row = perc_table(table, &count);

        for (; count > 0; count--, row++) {
            size_t i = 0;

            while (i < n && !cli_rows_alike(rows[i].row, row)) i++;
            if (i == n && (n == CLI_ROWS || cli_listed(t->hidden, row->name))) continue;
            if (i == n) rows[n++] = (struct option_row){ row, 0 };
            rows[i].in |= (uint64_t)1 << k;
        }
    }
    return n;
}

const char *cli_table_list(const struct tables *t, uint64_t in, char buf[CLI_LIST])
{
    const char *table;
    size_t n = 0;

    buf[0] = '\0';
    for (size_t k = 0; n < CLI_LIST && (table = cli_table_name(t, k)) != NULL; k++)
        if ((in >> k & 1) != 0)
            n += (size_t)snprintf(buf + n, CLI_LIST - n, "%s%s", n > 0 ? ", " : "", table);
    return buf;
}

/* ----- from the command line to parameters ---------------------------------- */

/* Applies "epochs=10 order=file": the command's own defaults. */
static perc_status set_defaults(perc_params *p, const char *changed, perc_error *err)
{
    char word[64];
    perc_status st = PERC_OK;

    for (const char *s = changed; s != NULL && *s != '\0' && st == PERC_OK;) {
        const size_t len = strcspn(s, " ");
        char *value;

        snprintf(word, sizeof word, "%.*s", (int)len, s);
        if ((value = strchr(word, '=')) != NULL) {
            *value++ = '\0';
            if (perc_params_get(p, word) != NULL) /* not every learner has it */
                st = perc_params_set(p, word, value, err);
        }
        s += len + (s[len] == ' ');
    }
    return st;
}

/* Whether one of the learners compared has it; `plainly`: one that wraps no rule. */
static bool other_has(const struct cli *cli, const char *kind, const char *name, bool plainly)
{
    for (size_t i = 0; i < cli->compared_count && strcmp(kind, "learner") == 0; i++)
        if (cli_row(cli->compared[i], name) != NULL &&
            (!plainly || cli_row(cli->compared[i], "rule") == NULL))
            return true;
    return false;
}

/* Line k of the command's tables, for table `name`: sets everything the user gave. */
static int set_given(const struct cli *cli, unsigned k, const char *name, perc_params *p)
{
    for (size_t i = 0; i < cli->setting_count; i++) {
        const struct setting *s = &cli->settings[i];
        perc_error err = { 0 };

        if (cli_row(name, s->name) == NULL) {
            if (s->kinds != 1u << k || other_has(cli, cli->tables[k].kind, s->name, false))
                continue; /* for another table of this command, or another learner */
            /* It belongs to other tables, which are named. */
            const struct tables all = { .kind = cli->tables[k].kind };
            char list[CLI_LIST];

            cli_table_list(&all, tables_with(&all, s->name, NULL), list);
            return cli_usage(cli, "--%s is not an option of %s, but of %s", s->option, name, list);
        }
        if (perc_params_set(p, s->name, s->value, &err) == PERC_ENOMEM) return cli_memory(cli);
        if (err.status != PERC_OK && strncmp(err.text, s->name, strlen(s->name)) == 0)
            return cli_usage(cli, "--%s", err.text); /* "rate is ...": includes the name */
        if (err.status != PERC_OK) return cli_usage(cli, "--%s: %s", s->option, err.text);
    }
    return EXIT_DONE;
}

enum { RULE_NAME = 32 };

/* Whether one of the rules in "pa1,pa2", which ends with the word, has the parameter. */
static bool any_rule_has(const char *rules, const char *name)
{
    char rule[RULE_NAME];

    for (const char *s = rules;; s++) {
        const size_t n = strcspn(s, ", \t\r\n;");

        snprintf(rule, sizeof rule, "%.*s", (int)n, s);
        if (cli_row(rule, name) != NULL) return true;
        s += n;
        if (*s != ',') return false;
    }
}

/* All rules on offer: those of averaged, the first learner that wraps one. */
static const char *offered_rules(void)
{
    const perc_param *row = NULL;
    const char *table;

    for (size_t k = 0; row == NULL && (table = perc_table_name("learner", k, NULL)) != NULL; k++)
        row = cli_row(table, "rule");
    return row->choices;
}

/* A learner that wraps a rule has the options of all rules. Those of a rule that was not chosen
 * would do nothing, which is hardly what was meant. */
int cli_check_rule(const struct cli *cli, const perc_params *p, const char *name,
                   const char *option)
{
    const struct tables learners = { .kind = "learner" };
    const char *rule = perc_params_get(p, "rule");
    char list[CLI_LIST];

    if (rule != NULL && cli->rule != NULL) rule = cli->rule;
    if (rule == NULL || perc_params_get(p, name) == NULL ||
        (cli->rules != NULL ? any_rule_has(cli->rules, name) : cli_row(rule, name) != NULL))
        return EXIT_DONE;
    const uint64_t in = tables_with(&learners, name, offered_rules());
    if (in == 0) return EXIT_DONE;
    cli_table_list(&learners, in, list);
    if (cli->rules != NULL)
        return cli_usage(cli, "--%s does nothing with the rules of --search: it is for --rule %s",
                         option, list);
    return cli_usage(cli, "--%s does nothing with the rule %s: it is for --rule %s", option, rule,
                     list);
}

static const char *name_of_kind(void *ud, size_t i)
{
    const char *const *kind = ud;

    return perc_table_name(*kind, i, NULL);
}

/* Checks that `name` is a table of this kind: "data" is not a learner. */
static int check_name(const struct cli *cli, const char *kind, const char *name)
{
    const char *what = strcmp(kind, "learner") == 0 ? "algorithm" : "kind";
    const char *known;
    char near[CLI_NAME];

    for (size_t i = 0; (known = perc_table_name(kind, i, NULL)) != NULL; i++)
        if (strcmp(known, name) == 0) return EXIT_DONE;
    if (word_nearest(name, name_of_kind, &kind, near))
        return cli_usage(cli, "unknown %s '%s' (did you mean %s?)", what, name, near);
    return cli_usage(cli, "unknown %s '%s'", what, name);
}

int cli_params(const struct cli *cli, const char *kind, const char *name, perc_params **out)
{
    perc_error err = { 0 };
    perc_status st;
    unsigned k = 0;
    int rc = check_name(cli, kind, name);

    *out = NULL;
    if (rc != EXIT_DONE) return rc;
    while (strcmp(cli->tables[k].kind, kind) != 0) k++;
    st = perc_params_new(&cli->env, name, out, &err);
    if (st == PERC_OK && strcmp(kind, "data") == 0 && cli->reading != NULL) {
        ticker_observer(cli->reading, cli);
        snprintf(cli->reading->stage, sizeof cli->reading->stage, "%s",
                 strcmp(cli->command->name, "predict") == 0   ? "predicting"
                 : strcmp(cli->command->name, "convert") == 0 ? "converting"
                                                              : "reading");
        st = perc_params_watch(*out, ticker_reading, cli->reading, &err);
    }
    if (st == PERC_OK) st = set_defaults(*out, cli->tables[k].changed, &err);
    if (st == PERC_OK && cli->kernel != NULL && cli_row(name, "kernel") != NULL)
        st = perc_params_set(*out, "kernel", cli->kernel, &err); /* options are for that kernel */
    rc = st == PERC_OK ? set_given(cli, k, name, *out) : cli_fail(cli, NULL, &err);
    if (rc == EXIT_DONE && cli->more != NULL && strcmp(kind, "data") == 0 &&
        perc_params_set(*out, "more", cli->more, &err))
        rc = cli_fail(cli, NULL, &err);
    for (size_t i = 0; i < cli->setting_count && rc == EXIT_DONE; i++)
        if (!other_has(cli, "learner", cli->settings[i].name, true))
            rc = cli_check_rule(cli, *out, cli->settings[i].name, cli->settings[i].option);
    /* Options of a resumed run are compared with those of its model: perc_fit_resume. */
    const bool goes_on = cli->kernel != NULL && strcmp(cli->kernel, "none") != 0 &&
                         strcmp(kind, "learner") == 0;
    if (rc == EXIT_DONE && !goes_on && perc_params_check(*out, &err))
        rc = cli_usage(cli, "%s", err.text);
    if (rc == EXIT_DONE && strcmp(kind, "learner") == 0 && perc_start_check(&cli->env, *out, &err))
        rc = cli_fail(cli, perc_params_get(*out, "init"), &err);
    if (rc != EXIT_DONE) {
        perc_params_free(*out);
        *out = NULL;
    }
    return rc;
}

bool cli_given(const struct cli *cli, const char *name)
{
    for (size_t i = 0; i < cli->setting_count; i++)
        if (strcmp(cli->settings[i].name, name) == 0) return true;
    return false;
}
