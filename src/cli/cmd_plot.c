/* cmd_plot.c -- perceptron plot: the pictures of a run, or of a model, as SVG files or as
 * characters.
 *
 * The pictures are those of a report (study/picture.h); a model over data has those that need no
 * training, and alone it has fewer. Mistakes on the command line are reported before anything
 * is learned. */
#include "study/picture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/study_options.h"

enum { LIST = 2048 };

/* The names of the pictures, in their order. */
static const char *const names[] = { "boundary",  "strip",       "witness",      "update",
                                     "turn",      "orders",      "order-passes", "passes",
                                     "errors",    "loss",        "roc",          "precision",
                                     "norm",      "bound",       "margins",      "network",
                                     "confusion", "calibration", "weights",      "lift",
                                     "counters",  NULL };
#define NAMES                                                                                  \
    "boundary, strip, witness, update, turn, orders, order-passes, passes, errors, loss, "     \
    "roc, precision, norm, bound, margins, network, confusion, calibration, weights, lift or " \
    "counters"

struct plot_run {
    struct cli *cli;
    const char *output;  /* NULL: characters */
    const char *picture; /* NULL: all in files, the main ones as characters */
    const char *over;    /* the data to draw a model over; NULL: none */
    bool folder;         /* `output` is a folder of files, not a file */
    bool glance;         /* only the main ones */
    char others[LIST];   /* names of pictures left out */
    char why[STUDY_WHY]; /* there is no lift; "": nothing is to be said of it */
    struct figure *list[PICTURES];
    size_t n;
};

static const char *name_at(void *ud, size_t i)
{
    (void)ud;
    return names[i];
}

/* "boundary" stands for those of all runs: boundary-pocket, too. */
static bool is_named(const struct figure *f, const char *name)
{
    const char *id = figure_id(f);
    const size_t n = strlen(name);

    return strncmp(id, name, n) == 0 && (id[n] == '\0' || id[n] == '-');
}

static int check_picture(const struct plot_run *p)
{
    char near[CLI_NAME];

    if (p->picture == NULL || strcmp(p->picture, "all") == 0) return EXIT_DONE;
    for (size_t i = 0; names[i] != NULL; i++) {
        const size_t n = strlen(names[i]);
        if (strncmp(p->picture, names[i], n) == 0 &&
            (p->picture[n] == '\0' || p->picture[n] == '-'))
            return EXIT_DONE;
    }
    if (word_nearest(p->picture, name_at, NULL, near))
        return cli_usage(p->cli, "unknown picture '%s' (did you mean %s?)", p->picture, near);
    return cli_usage(p->cli, "unknown picture '%s' (" NAMES ")", p->picture);
}

/* Makes the folder for the files: problems are reported before anything is learned. */
static int make_folder(const struct plot_run *p)
{
    perc_error err = { .status = PERC_EIO };
    struct stat there;

    if (mkdir(p->output, 0777) == 0) return EXIT_DONE;
    const int why = errno;
    if (why == EEXIST && stat(p->output, &there) == 0 && S_ISDIR(there.st_mode)) {
        if (access(p->output, W_OK | X_OK) == 0) return EXIT_DONE;
        snprintf(err.text, sizeof err.text, "cannot write to the folder %.200s: %s", p->output,
                 strerror(errno));
    } else {
        snprintf(err.text, sizeof err.text, "cannot make the folder %.200s: %s", p->output,
                 strerror(why));
    }
    return cli_fail(p->cli, p->output, &err);
}

/* A name that ends in '/' is a folder, which is made if needed. */
static int check_output(struct plot_run *p)
{
    const size_t n = p->output != NULL ? strlen(p->output) : 0;
    struct stat there;

    if (p->output == NULL) return EXIT_DONE;
    if (n == 0) return cli_usage(p->cli, "-o: a name is missing");
    p->folder = p->output[n - 1] == '/' || (stat(p->output, &there) == 0 && S_ISDIR(there.st_mode));
    if (!p->folder && (p->picture == NULL || strcmp(p->picture, "all") == 0))
        return cli_usage(
            p->cli,
            "-o %s is one file: choose the picture with --picture, or name a folder, as in -o "
            "pictures/",
            p->output);
    if (!p->folder) return cli_can_write(p->cli, p->output);
    return make_folder(p);
}

/* ----- what was asked for, of what there is ------------------------------------ */

static void add_name(char list[LIST], const struct figure *f)
{
    const size_t at = strlen(list);

    snprintf(list + at, LIST - at, "%s%s", at > 0 ? ", " : "", figure_id(f));
}

/* The default as characters: the boundary, and the mistakes by pass, a screen each. All if there is
 * neither. */
static bool at_a_glance(const struct figure *f)
{
    return is_named(f, "boundary") || is_named(f, "passes") || is_named(f, "orders");
}

static int choose_pictures(struct plot_run *p)
{
    size_t kept = 0;
    char all[LIST] = "", list[LIST] = "";

    for (size_t i = 0; i < p->n; i++) {
        if (!figure_ready(p->list[i])) return cli_memory(p->cli);
        add_name(all, p->list[i]);
    }
    for (size_t i = 0; i < p->n && p->picture == NULL && p->output == NULL; i++)
        p->glance = p->glance || at_a_glance(p->list[i]);
    for (size_t i = 0; i < p->n; i++) {
        struct figure *f = p->list[i];
        const bool wanted = p->picture == NULL
                                ? !p->glance || at_a_glance(f)
                                : strcmp(p->picture, "all") == 0 || is_named(f, p->picture);

        if (wanted) p->list[kept++] = f;
        else { /* its name is kept, for a line below those that are shown */ add_name(p->others, f);
            figure_free(f);
        }
    }
    p->n = kept;
    if (kept == 0) {
        cli_say("perceptron plot: there is no picture%s%s here%s%s%s%s",
                p->picture != NULL ? " " : "", p->picture != NULL ? p->picture : "",
                p->why[0] != '\0' ? ": " : "", p->why, all[0] != '\0' ? "; there are: " : "", all);
        return EXIT_NO;
    }
    for (size_t i = 0; i < kept; i++) add_name(list, p->list[i]);
    if (kept > 1 && p->output != NULL && !p->folder)
        return cli_usage(p->cli,
                         "-o %s is one file for %zu pictures (%s): name one of them, or a "
                         "folder, as in -o pictures/",
                         p->output, kept, list);
    return EXIT_DONE;
}

/* ----- forms --------------------------------------------------------------------- */

static void print_all(const struct plot_run *p)
{
    for (size_t i = 0; i < p->n; i++) {
        if (i > 0) out_text(p->cli->out, "\n\n");
        figure_chars(p->list[i], p->cli->out, cli_columns(), cli_colour());
    }
    if (p->glance && p->others[0] != '\0' && !p->cli->quiet)
        out_fmt(p->cli->out,
                "\nThere are more: %s\nOne of them with --picture NAME, all with "
                "--picture all, as SVG files with -o FOLDER/\n",
                p->others);
}

static int write_one(const struct plot_run *p, const struct figure *f, const char *path)
{
    struct out *o;
    perc_error err = { 0 };

    if (strcmp(path, "-") == 0) {
        figure_svg(f, p->cli->out, FIGURE_FILE);
        return EXIT_DONE;
    }
    if (out_open(&p->cli->env, path, &o, &err)) return cli_fail(p->cli, path, &err);
    figure_svg(f, o, FIGURE_FILE);
    if (out_close(o, &err)) return cli_fail(p->cli, path, &err);
    if (!p->cli->quiet) cli_fact(p->cli->out, figure_id(f), "%s", path);
    return EXIT_DONE;
}

static int write_all(const struct plot_run *p)
{
    const char *slash = p->output[strlen(p->output) - 1] == '/' ? "" : "/";
    int rc = EXIT_DONE;

    if (!p->folder) return write_one(p, p->list[0], p->output);
    for (size_t i = 0; i < p->n && rc == EXIT_DONE; i++) {
        const size_t size = strlen(p->output) + strlen(figure_id(p->list[i])) + 8;
        char *path = malloc(size);

        if (path == NULL) return cli_memory(p->cli);
        snprintf(path, size, "%s%s%s.svg", p->output, slash, figure_id(p->list[i]));
        rc = write_one(p, p->list[i], path);
        free(path);
    }
    return rc;
}

/* ----- the command ------------------------------------------------------------------ */

/* An option that does not apply to a model, which has learned already. Options about reading, and
 * --features, are for the data that it is drawn over. */
static const char *not_for_model(const struct plot_run *p, const struct study_options *q)
{
    if (q->algorithm != NULL || q->compare != NULL)
        return q->algorithm != NULL ? "algorithm" : "compare";
    if (q->orders > 0 || q->update > 0) return q->orders > 0 ? "orders" : "show-update";
    if (q->request.features != NULL && p->over == NULL) return "features";
    for (size_t i = 0; i < p->cli->setting_count; i++)
        if (p->over == NULL || cli_row("data", p->cli->settings[i].name) == NULL)
            return p->cli->settings[i].option;
    return NULL;
}

static int study_data(struct plot_run *p, struct study_options *q, struct study *s)
{
    /* What cannot be opened is what was expected: its reader says why. */
    const bool model = contents_of(q->data) == CONTENTS_MODEL ||
                       (p->over != NULL && access(q->data, R_OK) != 0 && q->data[0] != ':');
    const char *option = model ? not_for_model(p, q) : NULL;

    if (p->over != NULL && !model)
        return cli_usage(p->cli, "%s is not a model: only a model can be drawn over %s", q->data,
                         p->over);
    if (option != NULL)
        return cli_usage(p->cli, "%s is a trained model: --%s is for %s", q->data, option,
                         p->over != NULL ? "learning" : "data");
    return model ? study_options_model(q, p->over, s) : study_options_make(q, s);
}

/* The orders in numbers; beside an SVG on standard output, on standard error. */
static int print_orders(const struct plot_run *p, const struct study *s)
{
    struct facts f;

    if (s->orders == 0) return EXIT_DONE;
    cli_facts(p->cli, &f);
    study_orders_table(s, &f);
    return cli_print(p->cli, &f, p->output != NULL && strcmp(p->output, "-") == 0);
}

static int plot_pictures(struct plot_run *p, struct study_options *q)
{
    struct study s = { 0 };
    int rc = check_picture(p);

    if (rc == EXIT_DONE) rc = check_output(p);
    if (rc == EXIT_DONE) rc = study_data(p, q, &s);
    if (rc == EXIT_DONE && p->picture != NULL && strcmp(p->picture, "lift") == 0)
        picture_lift_possible(&s, 0, p->why);
    if (strncmp(p->why, "--axes", 6) == 0) rc = cli_usage(p->cli, "%s", p->why);
    if (rc == EXIT_DONE) p->n = picture_all(&s, p->list);
    if (rc == EXIT_DONE) rc = choose_pictures(p);
    if (rc == EXIT_DONE && p->output != NULL) rc = write_all(p);
    else if (rc == EXIT_DONE) print_all(p);
    if (rc == EXIT_DONE) rc = print_orders(p, &s);
    for (size_t i = 0; i < p->n; i++) figure_free(p->list[i]);
    study_free(&s);
    return rc;
}

int cmd_plot(struct cli *cli)
{
    struct study_options q = { .cli = cli,
                               .prove_seconds = STUDY_PROVE_SECONDS,
                               .request.animate = true };
    struct plot_run p = { .cli = cli };
    const struct opt opts[] = {
        { 'o', "output", OPT_WRITE, &p.output, "FILE.svg|FOLDER/",
          "write SVG: one picture to a file, or all to a folder [characters on standard output]", 0,
          0 },
        { 0, "picture", OPT_TEXT, &p.picture, "NAME",
          "only this one: " NAMES "; or all [boundary and passes as characters, all as SVG]", 0,
          0 },
        STUDY_OPTIONS(q),
        OPT_THREADS(cli),
        OPT_QUIET(cli),
        OPT_END
    };
    const struct operand operands[] = { { "DATA|MODEL", &q.data, false, OPT_DATA },
                                        { "DATA", &p.over, true, OPT_DATA },
                                        OPERANDS_END };
    const struct tables tables[] = { { "learner", &q.algorithm, NULL, "checkpoint every" },
                                     { "data", NULL, NULL, "group time" },
                                     TABLES_END };

    if (!cli_parse(cli, opts, operands, tables)) return cli->rc;
    if (q.lift && p.picture == NULL) p.picture = "lift";
    const int rc = plot_pictures(&p, &q);
    study_options_free(&q);
    return rc;
}
