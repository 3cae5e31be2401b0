/* say.c -- errors, notes and facts: every sentence that several commands share.
 *
 * Errors go to stderr as FILE:LINE:COLUMN: REASON, the form that editors and
 * compilers agreed on, without the parts that are unknown. Facts go to
 * stdout as "name   value", one per line: easy on the eye, and on grep and cut. */
#include "cli/cli.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "show/word.h"

/* ----- errors and notes --------------------------------------------------- */

/* Texts of the input may be in it (paths, labels, arguments): what could end the line, or steer the
 * terminal, is escaped. */
static void say_text(const char *s)
{
    char piece[256];

    while (*s != '\0') {
        s = word_visible(piece, sizeof piece, s);
        fputs(piece, stderr);
    }
}

static void say_args(const char *fmt, va_list ap)
{
    char line[1 << 14]; /* several paths */

    vsnprintf(line, sizeof line, fmt, ap);
    say_text(line);
    fputc('\n', stderr);
}

void cli_say(const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    say_args(fmt, ap);
    va_end(ap);
}

/* `| head` has seen enough: nobody is told, and nothing is wrong. */
static bool reader_left(const perc_error *err)
{
    const char *why = strerror(EPIPE);
    const size_t n = strlen(err->text), length = strlen(why);

    return err->status == PERC_EIO && n > length && strcmp(err->text + n - length, why) == 0;
}

int cli_fail(const struct cli *cli, const char *path, const perc_error *err)
{
    char several[SEVERAL_NAME], place[64] = "";
    const char *name = path != NULL ? several_name(cli, path, several) : NULL;
    const char *text = err->text;

    if (reader_left(err)) return interrupt_as_pipe();
    /* "cannot open a.svm: No such file" has named its file, which may not be DATA; and a wrong
     * option is not the file's fault. */
    if (err->line == 0 && err->status != PERC_EDATA && err->status != PERC_ENO &&
        err->status != PERC_EUNDECIDED)
        name = NULL;
    /* "b.csv: why": of several files the message names the one. */
    const size_t named = name != NULL ? several_named(cli, path, text) : 0;
    if (named > 0) {
        snprintf(several, sizeof several, "%.*s", (int)named, text);
        name = several;
        text += named + 2;
    }
    if (name != NULL && err->line > 0)
        snprintf(place, sizeof place, err->column > 0 ? ":%lld:%lld" : ":%lld",
                 (long long)err->line, (long long)err->column);
    cli_say("%s%s%s: %s", name != NULL ? name : "perceptron",
            name == NULL && cli->command != NULL ? " " : place,
            name == NULL && cli->command != NULL ? cli->command->name : "",
            text[0] != '\0' ? text : "failed for a reason the library did not give");
    /* The library's statuses as exit codes. */
    switch (err->status) {
    case PERC_OK: return EXIT_DONE;
    case PERC_EARG: return EXIT_USAGE;
    case PERC_EDATA: return EXIT_DATA;
    case PERC_ENO: return EXIT_NO;
    case PERC_EUNDECIDED: return EXIT_UNDECIDED;
    default: return EXIT_SYSTEM;
    }
}

int cli_usage(const struct cli *cli, const char *fmt, ...)
{
    const char *command = cli->command != NULL ? cli->command->name : NULL;
    va_list ap;

    fprintf(stderr, "perceptron%s%s: ", command ? " " : "", command ? command : "");
    va_start(ap, fmt);
    say_args(fmt, ap);
    va_end(ap);
    fprintf(stderr, "See 'perceptron help%s%s'.\n", command ? " " : "", command ? command : "");
    return EXIT_USAGE;
}

int cli_memory(const struct cli *cli)
{
    const perc_error err = { .status = PERC_ENOMEM, .text = "out of memory" };

    return cli_fail(cli, NULL, &err);
}

void cli_note(struct cli *cli, const char *fmt, ...)
{
    const size_t used = strlen(cli->notes), room = sizeof cli->notes - used;
    char line[sizeof cli->notes];
    va_list ap;

    if (cli->quiet || room < 2) return;
    va_start(ap, fmt);
    vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    word_visible(cli->notes + used, room - 1, line);
    snprintf(cli->notes + strlen(cli->notes), 2, "\n");
}

void cli_note_software(struct cli *cli, const perc_model *m)
{
    perc_model_info info;

    perc_model_info_get(m, &info);
    const bool network = strcmp(info.machine, "mlp") == 0;
    if (perc_has_fma() || (!network && strcmp(info.machine, "kernel") != 0)) return;
    cli_note(cli,
             "note: this processor has no fused multiply-add: %s are computed in software, slowly",
             network ? "networks" : "kernels");
}

void cli_note_unchecked(struct cli *cli, const char *data, uint64_t unchecked)
{
    char several[SEVERAL_NAME];

    if (unchecked == 0) return;
    cli_note(cli, "note: %s was compressed without a checksum: damage may have gone unnoticed",
             several_name(cli, data, several));
}

/* Makes a file beside `path` and removes it, as the writers will. What is not a regular file (a
 * pipe, a device) is left alone: opening it may have effects. */
int cli_can_write(const struct cli *cli, const char *path)
{
    struct stat there;
    struct out *o;
    perc_error err = { 0 };

    if (path == NULL || strcmp(path, "-") == 0 ||
        (stat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode)))
        return EXIT_DONE;
    if (out_open(&cli->env, path, &o, &err)) return cli_fail(cli, path, &err);
    out_abort(o);
    return EXIT_DONE;
}

int cli_columns(void)
{
    enum { USUAL = 80, LEAST = 40, MOST = 120 };
    const char *set = getenv("COLUMNS");
    struct winsize w;
    long n = 0;

    if (!isatty(STDOUT_FILENO)) return USUAL;
    if (set != NULL) n = strtol(set, NULL, 10);
    if (n <= 0) n = ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 0 ? w.ws_col : USUAL;
    return n < LEAST ? LEAST : n > MOST ? MOST : (int)n;
}

/* no-color.org: any value that is not empty. Pipes and files get no colour. */
bool cli_colour(void)
{
    const char *off = getenv("NO_COLOR"), *term = getenv("TERM");

    return isatty(STDOUT_FILENO) && (off == NULL || off[0] == '\0') && term != NULL &&
           strcmp(term, "dumb") != 0;
}

/* ----- facts -------------------------------------------------------------- */

void cli_facts(const struct cli *cli, struct facts *f)
{
    facts_init(f, &cli->env, cli->json ? FACTS_PROGRAMS : FACTS_PEOPLE);
}

int cli_print(struct cli *cli, struct facts *f, bool aside)
{
    struct out *o = cli->out;
    perc_error err = { 0 };
    int rc = EXIT_DONE;

    if (aside && out_open(&cli->env, NULL, &o, &err)) rc = cli_fail(cli, NULL, &err);
    else if (cli->json) facts_json(f, o);
    else if (!cli->quiet) facts_text(f, o);
    if (aside && rc == EXIT_DONE) {
        fputs(out_kept(o), stderr);
        out_abort(o);
    }
    facts_free(f);
    return rc;
}

void cli_fact(struct out *o, const char *name, const char *fmt, ...)
{
    char value[1024];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(value, sizeof value, fmt, ap);
    va_end(ap);
    out_fmt(o, "%-16s ", name);
    out_visible(o, value);
    out_text(o, "\n");
}

/* sqrt of the sum of squares, in the order of the features. */
double cli_norm(const perc_model *m)
{
    perc_model_info info;
    double sum = 0;

    perc_model_info_get(m, &info);
    for (uint64_t j = 0; j < info.features; j++)
        for (size_t c = 0; c < info.outputs; c++) {
            const double w = perc_model_weight(m, j, c);

            sum += w * w;
        }
    return sqrt(sum);
}

int cli_threshold(struct cli *cli, perc_model *m, const char *spec)
{
    perc_error err = { 0 };

    return perc_model_set_threshold(m, spec, &err) == PERC_OK
               ? EXIT_DONE
               : cli_usage(cli, "--threshold: %s", err.text);
}
