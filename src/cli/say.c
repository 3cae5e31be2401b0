/* say.c -- errors, notes and facts: every sentence that several commands share.
 *
 * Errors go to stderr as FILE:LINE:COLUMN: REASON, the form that editors and
 * compilers agreed on, with the parts left out that are not known. Facts go to
 * stdout as "name   value", one a line: easy on the eye, and on grep and cut. */
#include "cli/cli.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "show/word.h"

/* ----- errors and notes --------------------------------------------------- */

/* The library's statuses as exit codes. */
static int exit_code(perc_status st)
{
    switch (st) {
    case PERC_OK: return EXIT_DONE;
    case PERC_EARG: return EXIT_USAGE;
    case PERC_EDATA: return EXIT_DATA;
    case PERC_ENO: return EXIT_NO;
    default: return EXIT_SYSTEM;
    }
}

const char *cli_input_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

const char *cli_output_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard output" : path;
}

int cli_fail(const struct cli *cli, const char *path, const perc_error *err)
{
    const char *name = path != NULL ? cli_input_name(path) : NULL;

    /* "cannot open a.svm: No such file" has named its file, which may be another
     * than DATA; and an option that is wrong is not the file's fault. */
    if (err->line == 0 && err->status != PERC_EDATA && err->status != PERC_ENO) name = NULL;
    if (name == NULL && cli->command != NULL)
        fprintf(stderr, "perceptron %s: ", cli->command->name);
    else fprintf(stderr, "%s", name == NULL ? "perceptron: " : name);
    if (name != NULL && err->line > 0) fprintf(stderr, ":%lld", (long long)err->line);
    if (name != NULL && err->line > 0 && err->column > 0)
        fprintf(stderr, ":%lld", (long long)err->column);
    fprintf(stderr, "%s%s\n", name != NULL ? ": " : "",
            err->text[0] != '\0' ? err->text : "failed for a reason the library did not give");
    return exit_code(err->status);
}

int cli_usage(const struct cli *cli, const char *fmt, ...)
{
    const char *command = cli->command != NULL ? cli->command->name : NULL;
    va_list ap;

    fprintf(stderr, "perceptron%s%s: ", command ? " " : "", command ? command : "");
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fprintf(stderr, "\nSee 'perceptron help%s%s'.\n", command ? " " : "", command ? command : "");
    return EXIT_USAGE;
}

int cli_memory(const struct cli *cli)
{
    const perc_error err = { .status = PERC_ENOMEM, .text = "memory is out" };

    return cli_fail(cli, NULL, &err);
}

void cli_note(struct cli *cli, const char *fmt, ...)
{
    const size_t used = strlen(cli->notes), room = sizeof cli->notes - used;
    va_list ap;

    if (cli->quiet) return;
    va_start(ap, fmt);
    const int n = vsnprintf(cli->notes + used, room, fmt, ap);
    va_end(ap);
    if (n >= 0 && (size_t)n + 1 < room) snprintf(cli->notes + used + n, 2, "\n");
}

/* By device and number, so that links are seen through. Pipes and devices are no matter. */
static bool same_file(const struct stat *there, const char *data)
{
    struct stat read;

    return (strcmp(data, "-") == 0 ? fstat(STDIN_FILENO, &read) : stat(data, &read)) == 0 &&
           S_ISREG(read.st_mode) && read.st_dev == there->st_dev && read.st_ino == there->st_ino;
}

/* A file is made beside `path` and taken away again, as the writers will do. What
 * is no regular file (a pipe, a device) is not touched: opening it can matter. */
int cli_can_write(const struct cli *cli, const char *path, const char *data)
{
    struct stat there;
    struct out *o;
    perc_error err = { 0 };

    if (strcmp(path, "-") == 0 ||
        (stat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode)))
        return EXIT_DONE;
    if (data != NULL && stat(path, &there) == 0 && same_file(&there, data))
        return cli_usage(cli,
                         "-o %s is the data file itself, which would be lost (pass another "
                         "name)",
                         path);
    if (out_open(&cli->env, path, &o, &err)) return cli_fail(cli, path, &err);
    out_abort(o);
    return EXIT_DONE;
}

/* no-color.org: any value that is not empty. A pipe or a file gets no colour. */
bool cli_colour(void)
{
    const char *off = getenv("NO_COLOR"), *term = getenv("TERM");

    return isatty(STDOUT_FILENO) && (off == NULL || off[0] == '\0') && term != NULL &&
           strcmp(term, "dumb") != 0;
}

/* ----- facts -------------------------------------------------------------- */

void cli_fact(struct out *o, const char *name, const char *fmt, ...)
{
    char value[1024];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(value, sizeof value, fmt, ap);
    va_end(ap);
    out_fmt(o, "%-16s ", name);
    out_text(o, value);
    out_text(o, "\n");
}

void cli_hashing_fact(struct out *o, const char *bits, uint64_t hashed, uint64_t collisions)
{
    char used[WORD], shared[WORD];

    cli_fact(o, "hashing", "2^%s buckets, %s in use, %s shared by several features", bits,
             word_count(used, hashed), word_count(shared, collisions));
}

/* Buckets follow the features that have names. There are a power of two of them. */
static const char *hash_bits(const perc_dataset *ds, uint64_t features, char buf[WORD])
{
    uint64_t named = 0, bits = 0;

    while (perc_dataset_feature(ds, named) != NULL) named++;
    while ((features - named) >> (bits + 1) != 0) bits++;
    return word_count(buf, bits);
}

/* Only what applies: nothing is said of rows left out where none were. */
void cli_data_facts(struct out *o, const char *path, const perc_dataset *ds)
{
    perc_dataset_info d;
    char buf[WORD];

    perc_dataset_info_get(ds, &d);
    cli_fact(o, "data", "%s (%s)", cli_input_name(path), d.format);
    cli_fact(o, "rows", "%s", word_count(buf, d.rows));
    cli_fact(o, "features", "%s", word_count(buf, d.features));
    cli_fact(o, "nonzeros", "%s%s", word_count(buf, d.nonzeros), d.dense ? " (dense)" : "");
    cli_fact(o, "memory", "%s (values as %s)", word_bytes(buf, d.memory), d.storage);
    if (d.hashed > 0) cli_hashing_fact(o, hash_bits(ds, d.features, buf), d.hashed, d.collisions);
    if (d.dropped > 0) cli_fact(o, "rows left out", "%s", word_count(buf, d.dropped));
    if (d.unknown > 0)
        cli_fact(o, "entries left out", "%s (features that the model does not know)",
                 word_count(buf, d.unknown));
    if (d.note[0] != '\0') cli_fact(o, "note", "%s", d.note);
}

/* Every key always: a program should not have to ask whether it is there. */
void cli_data_json(struct out *o, const char *path, const perc_dataset *ds)
{
    perc_dataset_info d;

    perc_dataset_info_get(ds, &d);
    out_begin(o, '{');
    out_key_string(o, "path", path);
    out_key_string(o, "format", d.format);
    out_key_int(o, "rows", (int64_t)d.rows);
    out_key_int(o, "features", (int64_t)d.features);
    out_key_int(o, "nonzeros", (int64_t)d.nonzeros);
    out_key_bool(o, "dense", d.dense != 0);
    out_key_int(o, "index_base", d.index_base);
    out_key_string(o, "storage", d.storage);
    out_key_int(o, "memory", (int64_t)d.memory);
    out_key_int(o, "bytes", (int64_t)d.bytes);
    out_key_real(o, "read_seconds", d.seconds);
    out_key_int(o, "dropped", (int64_t)d.dropped);
    out_key_int(o, "unknown", (int64_t)d.unknown);
    out_key_int(o, "hashed", (int64_t)d.hashed);
    out_key_int(o, "collisions", (int64_t)d.collisions);
    out_key_string(o, "note", d.note);
    out_key(o, "labels");
    out_begin(o, '[');
    for (size_t i = 0; i < d.labels; i++) out_string(o, perc_dataset_label(ds, i));
    out_end(o, ']');
    out_end(o, '}');
}

/* ----- about models ------------------------------------------------------- */

/* As texts: that is how they are set, and "true", "1e-3" and "none" keep their form. */
void cli_options_json(struct out *o, const perc_model *m)
{
    perc_model_info info;
    size_t count = 0;

    perc_model_info_get(m, &info);
    out_key_string(o, "algorithm", info.algorithm);
    out_key(o, "options");
    out_begin(o, '{');
    const perc_param *rows = perc_table(info.algorithm, &count);
    for (size_t i = 0; i < count; i++) {
        const char *value = perc_model_option(m, rows[i].name);

        if (value != NULL) out_key_string(o, rows[i].name, value);
    }
    out_end(o, '}');
}

/* Told apart by the sign of one score. */
static bool two_labels(const perc_model_info *info)
{
    return strcmp(info->multiclass, "two") == 0 && info->labels == 2;
}

/* "positive" and "negative" are null unless there are just two. */
void cli_labels_json(struct out *o, const perc_model *m)
{
    perc_model_info info;

    perc_model_info_get(m, &info);
    out_key(o, "labels");
    out_begin(o, '[');
    for (size_t i = 0; i < info.labels; i++) out_string(o, perc_model_label(m, i));
    out_end(o, ']');
    out_key_string(o, "multiclass", info.multiclass);
    for (int k = 1; k >= 0; k--) {
        out_key(o, k ? "positive" : "negative");
        if (two_labels(&info)) out_string(o, cli_label(&info, k));
        else out_null(o);
    }
    out_key_string(o, "map", info.map);
}

/* "3: setosa, versicolor, virginica", or "10: 0, 1, 2, 3, 4, 5, 6, 7, ...". */
static void label_list(const perc_model *m, const perc_model_info *info, char *buf, size_t size)
{
    enum { SHOWN = 10 };
    size_t n = (size_t)snprintf(buf, size, "%zu:", info->labels);

    for (size_t i = 0; i < info->labels && i < SHOWN && n < size; i++)
        n += (size_t)snprintf(buf + n, size - n, "%s %s", i > 0 ? "," : "", perc_model_label(m, i));
    if (info->labels > SHOWN && n < size) snprintf(buf + n, size - n, ", ...");
}

/* Of two classes it matters which one is +1, of more how they are told apart. */
void cli_labels_facts(struct out *o, const perc_model *m)
{
    perc_model_info info;
    char buf[512], count[WORD];

    perc_model_info_get(m, &info);
    label_list(m, &info, buf, sizeof buf);
    if (two_labels(&info)) {
        cli_fact(o, "labels", "+1 is %s, -1 is %s", cli_label(&info, true),
                 cli_label(&info, false));
    } else if (info.labels < 2) {
        cli_fact(o, "labels", "%s", info.labels == 0 ? "none yet" : buf);
    } else {
        cli_fact(o, "labels", "%s (%s)", buf,
                 strcmp(info.multiclass, "ovr") == 0 ? "ovr: each against the rest"
                                                     : "native: all at once");
    }
    if (strcmp(info.map, "none") != 0)
        cli_fact(o, "map", "%s: %s features", info.map, word_count(count, info.features));
}

void cli_algorithm_fact(struct out *o, const perc_model *m)
{
    const char *rule = perc_model_option(m, "rule");
    perc_model_info info;

    perc_model_info_get(m, &info);
    if (rule != NULL) cli_fact(o, "algorithm", "%s (rule %s)", info.algorithm, rule);
    else cli_fact(o, "algorithm", "%s", info.algorithm);
}

/* "784-100-10, relu: 79,510 weights", for a network. */
void cli_network_fact(struct out *o, const perc_model *m, uint64_t weights)
{
    char text[512], count[WORD];
    perc_layer layer;
    size_t used = 0;
    const char *activation = "";

    for (size_t i = 0; perc_model_layer(m, i, &layer); i++) {
        if (i == 0) {
            activation = layer.activation;
            used = (size_t)snprintf(text, sizeof text, "%llu", (unsigned long long)layer.inputs);
        }
        if (used < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used, "-%llu",
                                     (unsigned long long)layer.outputs);
    }
    if (used > 0)
        cli_fact(o, "network", "%s, %s: %s weights", text, activation, word_count(count, weights));
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

/* primal - dual, which rounding may take below 0; NaN stays. */
static double gap_of(const perc_model_info *info)
{
    const double gap = info->primal - info->dual;

    return gap < 0 ? 0 : gap;
}

/* (R / gamma')^2, NaN where it is not known. */
static double bound_of(const perc_model_info *info, double radius)
{
    const double ratio = radius / info->margin_lower;

    return info->margin_lower > 0 ? ratio * ratio : (double)NAN;
}

void cli_solver_facts(struct out *o, const perc_model_info *info, double radius)
{
    const double gap = gap_of(info), bound = bound_of(info, radius);
    char buf[2][WORD];

    if (info->solver[0] == '\0') return;
    cli_fact(o, "solver", "%s", info->solver);
    if (!isnan(info->primal)) {
        cli_fact(o, "primal", "%.10g", info->primal);
        cli_fact(o, "dual", "%.10g", info->dual);
        cli_fact(o, "gap", "%s (%s of the primal)", word_num(buf[0], gap),
                 word_num(buf[1], info->primal > 0 ? gap / info->primal : 0));
    }
    if (info->supports > 0)
        cli_fact(o, "support rows", "%s (their multipliers are not 0)",
                 word_count(buf[0], info->supports));
    if (!isnan(info->margin_upper))
        cli_fact(o, "margin", "%.10g <= gamma' <= %.10g", info->margin_lower, info->margin_upper);
    else if (!isnan(info->margin_lower))
        cli_fact(o, "margin", "%.10g <= gamma'", info->margin_lower);
    if (bound > 0) cli_fact(o, "mistake bound", "(R/gamma')^2 <= %s", word_num(buf[0], bound));
}

void cli_solver_json(struct out *o, const perc_model_info *info, double radius)
{
    const double gap = gap_of(info);

    out_key(o, "solver");
    if (info->solver[0] == '\0') {
        out_null(o);
        return;
    }
    out_begin(o, '{');
    out_key_string(o, "name", info->solver);
    out_key_real(o, "primal", info->primal);
    out_key_real(o, "dual", info->dual);
    out_key_real(o, "gap", gap);
    out_key_real(o, "relative_gap", info->primal > 0 ? gap / info->primal : (double)NAN);
    out_key_int(o, "supports", (int64_t)info->supports);
    out_key_real(o, "margin_lower", info->margin_lower);
    out_key_real(o, "margin_upper", info->margin_upper);
    out_key_real(o, "mistake_bound", bound_of(info, radius));
    out_end(o, '}');
}

const char *cli_label(const perc_model_info *info, bool positive)
{
    const char *name = positive ? info->positive : info->negative;

    if (name != NULL && name[0] != '\0') return name;
    return positive ? "+1" : "-1";
}
