/* cmd_learn.c -- perceptron learn: a teacher on standard input, a learner on standard
 * output.
 *
 * The teacher writes a line, the learner answers with a label; if the line had one, the
 * learner is thereby told the truth and may change its mind. Every line but a blank one gets
 * one line of answer, so that a program can write and read in turns. Answers are
 * handed on before the tool waits for input, and before it saves.
 *
 * Every N examples the model is saved, whole or not at all, and only then is that
 * acknowledged: whatever becomes of the process, what was acknowledged is in the
 * file, and a file that is read again goes on as if nothing had happened. Whatever ends a session,
 * but a save that fails, what was learned is saved.
 *
 * With R and gamma' given, the mistakes stand beside Novikoff's bound (R / gamma')^2,
 * which is the plain rule's: from zero, at a constant rate, for two classes. */
#include "cli/cli.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "show/word.h"

enum { LABEL_SHOWN = 4096 };

struct learn {
    struct cli *cli;
    struct out *out;
    struct facts said; /* the line being composed */
    const char *file, *output, *algorithm, *index, *radius, *separation;
    int fresh; /* --new */
    int64_t every;
    perc_model *model;
    struct lines in;
    struct claim claim;
    char *aside;                /* where it is saved if the file has become another program's */
    char quoted[LABEL_SHOWN];   /* the answer, if it does not go out as it is */
    int64_t line;               /* lines read */
    int64_t answered, refused;  /* how many of them were */
    int64_t examples, mistakes; /* of the model, since it was new */
    int64_t first_example, first_mistake; /* before this session */
    int64_t saved;                        /* examples in the file */
    bool written, unsaved;                /* by this session; a save has failed */
    uint64_t unknown;                     /* cells left out */
    size_t labels;                        /* the number the model knows */
    bool two;                             /* one vector tells two classes apart */
    double bound;                         /* NaN: not asked for, or not valid for this rule */
    double R, G;
};

/* A remark, at once, after the answers so far: the session may go on for days. */
static void tell_person(const struct learn *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void tell_person(const struct learn *t, const char *fmt, ...)
{
    char line[1024];
    va_list ap;

    if (t->cli->quiet) return;
    out_flush(t->out);
    va_start(ap, fmt);
    vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    cli_say("perceptron learn: %s", line);
}

/* ----- the bound --------------------------------------------------------------------- */

/* Why the theorem does not apply to this model; NULL if it does. */
static const char *unbounded(const perc_model *m)
{
    const char *rule = perc_model_option(m, "rule");
    const char *weights = perc_model_option(m, "class-weight");
    const char *schedule = perc_model_option(m, "schedule"), *init = perc_model_option(m, "init");
    const char *budget = perc_model_option(m, "budget");
    perc_model_info info;

    perc_model_info_get(m, &info);
    if (strcmp(rule != NULL ? rule : info.algorithm, "perceptron") != 0)
        return "it learns by another rule";
    if (schedule != NULL && strcmp(schedule, "constant") != 0) return "the rate changes";
    if (perc_model_option(m, "decay") != NULL) return "weights decay";
    if (init != NULL && strcmp(init, "zero") != 0) return "it did not start from zero";
    if (weights != NULL && weights[0] != '\0') return "classes have weights";
    if (budget != NULL && strcmp(budget, "0") != 0) return "rows are forgotten";
    return strcmp(info.multiclass, "two") != 0 ? "there is more than one vector" : NULL;
}

static void give_up_bound(struct learn *t, const char *why)
{
    if (isnan(t->bound) || why == NULL) return;
    t->bound = NAN;
    tell_person(t, "the bound (R/gamma)^2 does not hold for this model: %s", why);
}

/* ----- what is said ------------------------------------------------------------------- */

/* Prints one line, as text or JSON, from t->said. */
static void print_line(struct learn *t)
{
    if (t->cli->json) facts_json(&t->said, t->out);
    else facts_text(&t->said, t->out);
    facts_clear(&t->said);
}

static void say_error(struct learn *t, const perc_error *err)
{
    struct facts *f = &t->said;

    facts_int(f, "line", NULL, t->line);
    if (err->column > 0) facts_int(f, "column", NULL, err->column);
    facts_string(f, "error", NULL, err->text);
    facts_prose(f, "error: line %lld", (long long)t->line);
    if (err->column > 0) facts_more(f, ":%lld", (long long)err->column);
    facts_more(f, ": %s\n", err->text);
    print_line(t);
}

/* ----- saving ------------------------------------------------------------------------ */

/* Another program has changed the file: it stays as it is. */
static int step_aside(struct learn *t)
{
    const size_t room = strlen(t->output) + 32;

    if ((t->aside = malloc(room)) == NULL) return cli_memory(t->cli);
    snprintf(t->aside, room, "%s.%ld", t->output, (long)getpid());
    perc_error err = { .status = PERC_EIO };
    snprintf(err.text, sizeof err.text,
             "another program has changed %.60s: it is left as it is, and what was learned goes "
             "to %.60s",
             t->output, t->aside);
    t->output = t->aside;
    return cli_fail(t->cli, NULL, &err);
}

static int save_model(struct learn *t)
{
    perc_error err = { 0 };
    char file[WORD_QUOTED];
    int rc = EXIT_DONE;

    out_flush(t->out);
    if (t->aside == NULL && claim_is_lost(&t->claim, t->output)) rc = step_aside(t);
    if (rc != EXIT_DONE && t->aside == NULL) return rc; /* no memory for a name of its own */
    if (perc_model_write(t->model, t->output, &err)) return cli_fail(t->cli, t->output, &err);
    claim_look(&t->claim, t->output);
    t->saved = t->examples;
    t->written = true;
    struct facts *f = &t->said;
    facts_object(f, "ack", NULL);
    facts_int(f, "examples", NULL, t->examples);
    facts_int(f, "mistakes", NULL, t->mistakes);
    facts_string(f, "file", NULL, t->output);
    facts_end(f);
    facts_prose(f, "ack %lld example%s saved to %s\n", (long long)t->examples,
                word_plural((uint64_t)t->examples), word_quoted(file, t->output, WORD_LINE));
    print_line(t);
    out_flush(t->out);
    return rc;
}

/* ----- the session ------------------------------------------------------------------- */

/* A new label may change what the model is. */
static void look_at_labels(struct learn *t, const perc_reply *r)
{
    perc_model_info info;

    if (perc_model_label(t->model, t->labels) == NULL) return;
    perc_model_info_get(t->model, &info);
    if (t->labels == 0) cli_note_software(t->cli, t->model);
    t->labels = info.labels;
    if (t->two && strcmp(info.multiclass, "two") != 0 && info.labels > 2) {
        tell_person(t, "line %lld: a third label '%s': from here on each class has its own score",
                    (long long)t->line, r->label);
        t->two = false;
    }
    give_up_bound(t, unbounded(t->model));
}

/* The label of an answer as the first word of a line: quoted where word.h says so, and where it is
 * a word with which the tool itself begins a line. */
static const char *answer_word(struct learn *t, const char *label)
{
    static const char *const own[] = { "?", "ack", "error:", "bound:" };
    bool plain = label == NULL || word_is_plain(label, WORD_FIELD);

    if (label == NULL) return "?"; /* none is known */
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        plain = plain && strcmp(label, own[i]) != 0;
    return plain ? label : word_quote(t->quoted, sizeof t->quoted, label);
}

/* Handles one line. Bad text gets an answer, and the session goes on; any other error ends it. */
static int show_line(struct learn *t, const char *text, size_t length)
{
    perc_error err = { 0 };
    perc_reply r;
    const perc_status st = perc_learn_line(t->model, text, length, &r, &err);

    t->line++;
    if (st == PERC_EDATA) {
        t->refused++;
        say_error(t, &err);
        return EXIT_DONE;
    }
    if (st != PERC_OK) {
        say_error(t, &err);
        return cli_fail(t->cli, NULL, &err);
    }
    if (r.skipped) return EXIT_DONE;
    t->answered++;
    t->unknown += r.unknown;
    if (r.label != NULL) {
        t->examples++;
        t->mistakes += r.mistake;
        look_at_labels(t, &r);
        if (r.weight != 1) give_up_bound(t, "examples have weights");
    }
    /* "-1 mistake (3 mistakes in 7 examples)", "1 right (3 ...)"; for a line without a label "1
     * 0.25". The answer to a label that is new cannot be right; if the scores do not make it a
     * mistake, it is "b new (3 ...)". */
    struct facts *f = &t->said;
    char buf[2][WORD];
    facts_int(f, "line", NULL, t->line);
    facts_string(f, "label", NULL, r.label);
    facts_string(f, "answer", NULL, r.answer);
    facts_real(f, "score", NULL, r.score);
    if (r.label != NULL) {
        facts_bool(f, "mistake", NULL, r.mistake != 0);
        facts_bool(f, "updated", NULL, r.updated != 0);
        if (r.fresh) facts_bool(f, "new", NULL, true);
        facts_int(f, "mistakes", NULL, t->mistakes);
        facts_int(f, "examples", NULL, t->examples);
        if (!isnan(t->bound)) facts_real(f, "bound", NULL, t->bound);
    }
    const char *answer = answer_word(t, r.answer);
    const char *verdict = r.mistake ? "mistake" : r.fresh ? "new" : "right";
    const bool bound = r.mistake && !isnan(t->bound);
    if (r.label == NULL) facts_sentence(f, answer, word_exact(buf[0], r.score), NULL);
    else {
        char so_far[4 * WORD];

        snprintf(so_far, sizeof so_far, "(%lld mistake%s in %lld example%s%s%s)",
                 (long long)t->mistakes, word_plural((uint64_t)t->mistakes), (long long)t->examples,
                 word_plural((uint64_t)t->examples), bound ? ", bound " : "",
                 bound ? word_exact(buf[1], t->bound) : "");
        facts_sentence(f, answer, verdict, so_far, NULL);
    }
    print_line(t);
    if (r.label == NULL || t->examples - t->saved < t->every) return EXIT_DONE;
    const int rc = save_model(t);
    t->unsaved = rc != EXIT_DONE;
    return rc;
}

/* Reads lines until they end, a signal comes, or nobody takes the answers. */
static int run_session(struct learn *t)
{
    const char *text;
    size_t length;
    enum lines_got got = LINES_LINE;
    int rc = EXIT_DONE;

    while (rc == EXIT_DONE && !out_broken(t->out)) {
        if (!lines_ready(&t->in)) out_flush(t->out);
        if ((got = lines_next(&t->in, &text, &length)) != LINES_LINE) break;
        rc = show_line(t, text, length);
    }
    if (t->unsaved) return rc; /* what was acknowledged is in the file */
    int failed = got == LINES_MEMORY ? cli_memory(t->cli) : rc;
    rc = EXIT_DONE;
    if (got == LINES_FAILED) {
        perc_error err = { .status = PERC_EIO };

        snprintf(err.text, sizeof err.text, "cannot read standard input: %s", strerror(errno));
        failed = cli_fail(t->cli, NULL, &err);
    }
    /* A new file is written even if nothing was learned. But bad input must not replace a model by
     * one that knows nothing. */
    const bool fresh = !t->written && (t->fresh || strcmp(t->file, t->output) != 0);
    if (t->examples > t->saved || (fresh && (t->answered > 0 || t->refused == 0)))
        rc = save_model(t);
    /* Rounding must not decide a proof: the last digits of the quotient do not count. */
    const bool within = (double)t->mistakes <= t->bound * (1 + 1e-9);
    struct facts *f = &t->said;
    char bound[WORD];
    if (!isnan(t->bound)) {
        facts_object(f, "bound", NULL);
        facts_real(f, "radius", NULL, t->R);
        facts_real(f, "gamma", NULL, t->G);
        facts_real(f, "bound", NULL, t->bound);
        facts_int(f, "mistakes", NULL, t->mistakes);
        facts_bool(f, "within", NULL, within);
        facts_end(f);
        facts_prose(f, "bound: %lld mistakes, %s %s", (long long)t->mistakes,
                    within ? "within" : "more than", word_exact(bound, t->bound));
        if (!within)
            facts_more(f, ": examples of radius %s cannot have the margin %s", t->radius,
                       t->separation);
        facts_more(f, "\n");
        print_line(t);
    }
    if (rc == EXIT_DONE && failed != EXIT_DONE) rc = failed;
    if (rc == EXIT_DONE && got == LINES_INTERRUPTED) rc = EXIT_INTERRUPTED;
    return rc == EXIT_DONE && t->refused > 0 && t->answered == 0 ? EXIT_DATA : rc;
}

/* ----- before ------------------------------------------------------------------------ */

/* A positive number. (The tool never sets a locale, so a point is a point.) */
static int parse_positive(const struct learn *t, const char *name, const char *text, double *out)
{
    char more;

    if (sscanf(text, "%lf%c", out, &more) == 1 && isfinite(*out) && *out > 0) return EXIT_DONE;
    return cli_usage(t->cli, "--%s: '%s' is not a positive number", name, text);
}

static int check_learn_options(struct learn *t)
{
    int rc;

    if (t->fresh && t->file != NULL)
        return cli_usage(t->cli, "--new starts a model: name its file with -o");
    if (t->fresh && t->output == NULL)
        return cli_usage(t->cli, "--new needs -o FILE: where to save the model");
    if (!t->fresh && t->file == NULL)
        return cli_usage(t->cli, "MODEL is missing (or start one: --new -o FILE)");
    if (!t->fresh && strcmp(t->file, "-") == 0)
        return cli_usage(t->cli, "standard input is for the lines: name a model file");
    if (t->output == NULL) t->output = t->file;
    if (strcmp(t->output, "-") == 0)
        return cli_usage(t->cli, "standard output is for the answers: name a file with -o");
    if ((t->radius != NULL) != (t->separation != NULL))
        return cli_usage(t->cli, "--radius and --separation must be given together");
    if (t->radius == NULL) return EXIT_DONE;
    if ((rc = parse_positive(t, "radius", t->radius, &t->R)) ||
        (rc = parse_positive(t, "separation", t->separation, &t->G)))
        return rc;
    t->bound = t->R / t->G * (t->R / t->G);
    return EXIT_DONE;
}

/* The model: a new one, or one from a file, which has its options already. */
static int start_model(struct learn *t)
{
    const perc_env *env = &t->cli->env;
    const char *option = t->algorithm != NULL ? "algorithm" : NULL;
    perc_params *p = NULL;
    perc_error err = { 0 };
    int rc;

    if (!t->fresh) {
        for (size_t i = 0; i < t->cli->setting_count && option == NULL; i++)
            if ((t->cli->settings[i].kinds & 1) != 0) option = t->cli->settings[i].option;
        if (option != NULL)
            return cli_usage(t->cli, "--%s is for --new: %s has its own options", option, t->file);
        return perc_model_read(env, t->file, &t->model, &err) ? cli_fail(t->cli, t->file, &err)
                                                              : EXIT_DONE;
    }
    if ((rc = cli_params(t->cli, "learner", t->algorithm != NULL ? t->algorithm : CLI_ALGORITHM,
                         &p)))
        return rc;
    if (perc_model_new(env, p, &t->model, &err)) rc = cli_fail(t->cli, NULL, &err);
    perc_params_free(p);
    return rc;
}

static int prepare_session(struct learn *t)
{
    perc_params *data = NULL;
    perc_model_info info;
    perc_threshold threshold;
    perc_error err = { 0 };
    int rc;

    if ((rc = check_learn_options(t)) || (rc = claim_take(&t->claim, t->cli, t->output)) ||
        (rc = start_model(t)) || (rc = cli_params(t->cli, "data", "data", &data)))
        return rc;
    if ((t->index != NULL && perc_params_set(data, "index", t->index, &err)) ||
        perc_learn_begin(t->model, data, &err))
        rc = cli_fail(t->cli, t->file, &err);
    perc_params_free(data);
    if (rc != EXIT_DONE || (rc = cli_can_write(t->cli, t->output))) return rc;
    perc_model_info_get(t->model, &info);
    t->labels = info.labels;
    if (t->labels > 0) cli_note_software(t->cli, t->model);
    perc_model_threshold(t->model, &threshold);
    if (threshold.folds > 0)
        cli_note(t->cli,
                 "note: probabilities and threshold of %s were fitted to its weights: they go with "
                 "the first example that it learns from",
                 t->file);
    t->two = strcmp(info.multiclass, "two") == 0;
    t->examples = t->first_example = info.examples;
    t->mistakes = t->first_mistake = info.mistakes;
    t->saved = info.examples;
    give_up_bound(t, unbounded(t->model));
    return EXIT_DONE;
}

int cmd_learn(struct cli *cli)
{
    struct learn t = { .cli = cli, .out = cli->out, .every = 1000, .bound = NAN, .claim.fd = -1 };
    const struct opt opts[] = {
        { 'o', "output", OPT_MODEL, &t.output, "FILE", "where to save [MODEL]", 0, 0 },
        { 0, "new", OPT_FLAG, &t.fresh, NULL, "start with a model that knows nothing", 0, 0 },
        { 'a', "algorithm", OPT_TEXT, &t.algorithm, "NAME",
          "--new: " CLI_HELP_ALGORITHM " [" CLI_ALGORITHM "]", 0, 0 },
        { 0, "every", OPT_INT, &t.every, "N", "examples between two saves [1000]", 1,
          1000000000000000 },
        { 0, "index", OPT_TEXT, &t.index, "0|1", "--new: the first feature index [1]", 0, 0 },
        { 0, "radius", OPT_TEXT, &t.radius, "R",
          "the largest norm of the examples (with 1 for "
          "the offset): with --separation the bound on the mistakes is shown",
          0, 0 },
        { 0, "separation", OPT_TEXT, &t.separation, "G",
          "their margin gamma', the offset inside the norm", 0, 0 },
        { 0, "json", OPT_FLAG, &cli->json, NULL, "answer with one JSON object a line", 0, 0 },
        { 'q', "quiet", OPT_FLAG, &cli->quiet, NULL, "no notes and no summary", 0, 0 },
        OPT_END
    };
    const struct operand operands[] = { { "MODEL", &t.file, true, OPT_MODEL }, OPERANDS_END };
    const struct tables tables[] = {
        { "learner", &t.algorithm, NULL,
          "order epochs updates time-limit checkpoint every pocket cache loop" },
        { "data", NULL, NULL, "more format index header label weight categorical text group time" },
        TABLES_END
    };
    int rc;

    if (!cli_parse(cli, opts, operands, tables)) return cli->rc;
    cli_facts(cli, &t.said);
    if ((rc = prepare_session(&t)) == EXIT_DONE) {
        interrupt_catch();
        rc = run_session(&t);
        const int64_t n = t.examples - t.first_example, k = t.mistakes - t.first_mistake;
        char buf[3][WORD];
        cli_note(t.cli, "%s mistake%s in %s example%s%s%s%s", word_count(buf[1], (uint64_t)k),
                 word_plural((uint64_t)k), word_count(buf[0], (uint64_t)n),
                 word_plural((uint64_t)n), n > 0 ? " (" : "",
                 n > 0 ? word_percent(buf[2], (double)k / (double)n) : "", n > 0 ? ")" : "");
        if (t.refused > 0)
            cli_note(t.cli, "lines refused: %s", word_count(buf[0], (uint64_t)t.refused));
        if (t.unknown > 0)
            cli_note(t.cli, "cells left out (categories that the model does not know): %s",
                     word_count(buf[0], t.unknown));
        if (t.written)
            cli_note(t.cli, "%s has learned from %s example%s", t.output,
                     word_count(buf[0], (uint64_t)t.saved), t.saved == 1 ? "" : "s");
    }
    claim_drop(&t.claim);
    free(t.aside);
    facts_free(&t.said);
    lines_free(&t.in);
    perc_model_free(t.model);
    return rc;
}
