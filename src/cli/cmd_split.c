/* cmd_split.c -- perceptron split and perceptron sample: rows of a text, as they stand.
 *
 * What is drawn, and how, the library's tables say; this file adds where the parts go, and tells
 * what came of it. A part that goes to standard output leaves the report to standard error. */
#include "cli/cli.h"

#include <string.h>

enum { LABELS_SHOWN = 20 };

/* Options of "data" that concern cells which nobody looks at here. */
#define HIDDEN                                                                              \
    "index unsorted weight categorical text hash ignore columns missing scale map float32 " \
    "in-place group time decimal thousands"

struct parts_told {
    struct cli *cli;
    const char *data, *train, *test; /* train NULL: a sample */
    perc_split *split;
    perc_split_info info;
};

static void fill_label(struct facts *f, const void *ud, uint64_t i)
{
    const struct parts_told *t = ud;
    uint64_t rows, drawn;
    const char *label = perc_split_label(t->split, (size_t)i, &rows, &drawn);

    facts_row(f);
    facts_string(f, "label", "label", label);
    facts_count(f, t->train != NULL ? "train" : "rows", t->train != NULL ? "train" : "rows",
                t->train != NULL ? rows - drawn : rows);
    facts_count(f, t->train != NULL ? "test" : "sample", t->train != NULL ? "test" : "sample",
                drawn);
    facts_end(f);
}

/* "test   2,000 rows (20.00 %) in test.csv" */
static void tell_part(struct facts *f, const struct parts_told *t, const char *name,
                      const char *file, uint64_t rows)
{
    char count[WORD], share[WORD];

    facts_object(f, name, name);
    facts_say(f, "%s row%s (%s) in %s", word_count(count, rows), rows == 1 ? "" : "s",
              word_percent(share, (double)rows / (double)t->info.rows), word_output(file));
    facts_string(f, "file", NULL, file);
    facts_count(f, "rows", NULL, rows);
    facts_end(f);
}

static void tell_groups(struct facts *f, const struct parts_told *t)
{
    char a[WORD], b[WORD];
    const bool split = t->train != NULL;

    facts_object(f, "groups", "groups");
    facts_say(f, "%s, %s of them in %s", word_count(a, t->info.groups),
              word_count(b, t->info.drawn_groups), split ? "test" : "the sample");
    if (t->info.groupless > 0)
        facts_more(f, "; %s row%s without one, kept together", word_count(a, t->info.groupless),
                   t->info.groupless == 1 ? "" : "s");
    facts_count(f, "all", NULL, t->info.groups);
    facts_count(f, split ? "test" : "sample", NULL, t->info.drawn_groups);
    facts_count(f, "rows_without", NULL, t->info.groupless);
    facts_end(f);
}

static int tell_parts(struct parts_told *t)
{
    const bool split = t->train != NULL;
    struct facts f;

    perc_split_info_get(t->split, &t->info);
    cli_note_unchecked(t->cli, t->data, t->info.unchecked);
    if (t->info.note[0] != '\0') cli_note(t->cli, "note: %s", t->info.note);
    cli_facts(t->cli, &f);
    facts_string(&f, "data", NULL, t->data);
    facts_string(&f, "format", NULL, t->info.format);
    facts_count(&f, "rows", "rows", t->info.rows);
    if (split) tell_part(&f, t, "train", t->train, t->info.rows - t->info.drawn);
    tell_part(&f, t, split ? "test" : "sample", t->test, t->info.drawn);
    if (t->info.groups > 0) tell_groups(&f, t);
    if (t->info.since[0] != '\0') facts_string(&f, "since", "test begins", t->info.since);
    if (t->info.labels > 0) {
        facts_table(&f, "labels", "");
        facts_each(&f, t->info.labels,
                   t->info.labels < LABELS_SHOWN ? t->info.labels : LABELS_SHOWN, fill_label, t);
        facts_end(&f);
        if (t->info.labels > LABELS_SHOWN)
            facts_prose(&f, "... and %llu more labels (--json has all)\n",
                        (unsigned long long)(t->info.labels - LABELS_SHOWN));
    }
    return cli_print(t->cli, &f, strcmp(t->test, "-") == 0 || (split && !strcmp(t->train, "-")));
}

static int make_parts(struct parts_told *t, const char *name)
{
    struct cli *cli = t->cli;
    perc_params *data = NULL, *how = NULL;
    perc_error err = { 0 };
    perc_status st;
    int rc = cli_params(cli, "data", "data", &data);

    if (rc == EXIT_DONE) rc = cli_params(cli, name, name, &how);
    if (rc == EXIT_DONE) {
        st = t->train != NULL
                 ? perc_split_rows(&cli->env, t->data, data, how, t->train, t->test, &t->split,
                                   &err)
                 : perc_sample_rows(&cli->env, t->data, data, how, t->test, &t->split, &err);
        rc = st ? cli_fail(cli, t->data, &err) : tell_parts(t);
    }
    perc_split_free(t->split);
    perc_params_free(how);
    perc_params_free(data);
    return rc;
}

int cmd_split(struct cli *cli)
{
    struct parts_told t = { .cli = cli };
    const char *output[2] = { NULL, NULL };
    const struct opt opts[] = { { 'o', "output", OPT_PAIR, output, "TRAIN TEST",
                                  "the files to write", 0, 0 },
                                OPT_THREADS(cli),
                                OPT_JSON(cli),
                                OPT_QUIET(cli),
                                OPT_END };
    const struct operand operands[] = { { "DATA", &t.data, false, OPT_DATA }, OPERANDS_END };
    const struct tables tables[] = { { "split", NULL, NULL, NULL },
                                     { "data", NULL, NULL, HIDDEN },
                                     TABLES_END };

    if (!cli_parse(cli, opts, operands, tables)) return cli->rc;
    if (output[0] == NULL) return cli_usage(cli, "where to is missing: -o TRAIN TEST");
    if (strcmp(output[0], "-") == 0 && strcmp(output[1], "-") == 0)
        return cli_usage(cli, "-o: both files are standard output: nobody could part them again");
    t.train = output[0];
    t.test = output[1];
    return make_parts(&t, "split");
}

int cmd_sample(struct cli *cli)
{
    struct parts_told t = { .cli = cli, .test = "-" };
    const struct opt opts[] = { { 'o', "output", OPT_WRITE, &t.test, "FILE",
                                  "where to write [standard output]", 0, 0 },
                                OPT_THREADS(cli),
                                OPT_JSON(cli),
                                OPT_QUIET(cli),
                                OPT_END };
    const struct operand operands[] = { { "DATA", &t.data, false, OPT_DATA }, OPERANDS_END };
    const struct tables tables[] = { { "sample", NULL, NULL, NULL },
                                     { "data", NULL, NULL, HIDDEN },
                                     TABLES_END };

    if (!cli_parse(cli, opts, operands, tables)) return cli->rc;
    return make_parts(&t, "sample");
}
