/* predict_write.c -- how `perceptron predict` writes an answer.
 *
 * On a line for people the label stands first, then the probabilities of all labels, the nearest
 * point of the boundary, the distance s/|w|, the margin and the loss, and the score last. In a
 * table and in objects every value has a name, and cells of the input stand before them. With more
 * than two labels there is a score for each, in the order of the model's labels. The label is
 * that of the scores, or of the model's threshold, even if another is more probable; without a
 * threshold a note says how often that happens.
 *
 * Numbers are the shortest texts that read back as the same; formatting them takes longer than
 * everything else. Plain labels are put together in a buffer of our own; 200,000 of them cost a few
 * milliseconds.
 *
 * A cell of a table has the bytes of the label or of the input's cell, quoted as RFC 4180 has it:
 * it is for programs, and reads back as what it was. */
#include "cli/predict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/word.h"

enum { LINES = 1 << 14, NAME = 1 << 10 };

/* The order of the parts on a line and in a document; in tables it is that of enum part. */
static const enum part line_order[] = { PROBABILITY, PROJECTION, DISTANCE, MARGIN, LOSS, SCORE };

/* In a document: the key of a single number, and that of a list; PROBABILITY and PROJECTION are
 * always lists. In tables the one stands before a point and what the number is of. */
static const struct {
    const char *one, *list;
} key[PARTS] = { { "score", "scores" },      { "probability", "probabilities" },
                 { "distance", "distance" }, { "margin", "margin" },
                 { "loss", "loss" },         { "projection", "projection" } };

/* ----- the numbers of a row -------------------------------------------------- */

/* The probabilities of a row, in p->p. */
static void ask_probabilities(struct predict *p, const double *s)
{
    const char *answer = perc_answer(p->model, s);
    size_t best = 0, given = 0;

    perc_probabilities(p->model, s, p->p, NULL);
    for (size_t c = 0; c < p->labels; c++) {
        if (p->p[c] > p->p[best]) best = c;
        if (strcmp(perc_model_label(p->model, c), answer) == 0) given = c;
    }
    p->rows++;
    p->disagree += p->p[best] > p->p[given]; /* a tie is not a disagreement */
}

/* The point of the boundary that is nearest to the row, in p->x:
 *
 *     x0 = x - (s / |w|^2) w,   so that w.x0 + b = 0 and |x - x0| = |s| / |w|. */
static void project_row(struct predict *p, const perc_dataset *rows, uint64_t i, double s)
{
    const double step = s / p->norm / p->norm;

    memset(p->x, 0, (size_t)p->features * sizeof *p->x);
    perc_dataset_row(rows, i, p->x);
    for (uint64_t j = 0; j < p->features; j++) p->x[j] -= step * p->w[j];
}

static size_t part_size(const struct predict *p, enum part part)
{
    return part == SCORE         ? p->outputs
           : part == PROBABILITY ? p->labels
           : part == PROJECTION  ? (size_t)p->features
                                 : 1;
}

/* The numbers of a part, part_size of them, valid until the next call. |w| = 0 gives nan: a model
 * that learned nothing has no boundary to be far from. The loss is the perceptron's, max(0, -m). */
static const double *part_numbers(struct predict *p, enum part part, const perc_dataset *rows,
                                  uint64_t i, const double *s)
{
    const double m = p->margin != NULL ? p->margin[i] : 0;

    switch (part) {
    case PROBABILITY: ask_probabilities(p, s); return p->p;
    case PROJECTION: project_row(p, rows, i, s[0]); return p->x;
    case DISTANCE: p->one = s[0] / p->norm; break;
    case MARGIN: p->one = m; break;
    case LOSS: p->one = m < 0 ? -m : isnan(m) ? m : 0; break;
    default: return s;
    }
    return &p->one;
}

/* Room for what is asked of these rows, and their margins. false: out of memory. */
static bool prepare_rows(struct predict *p, const perc_dataset *rows, const double *scores)
{
    perc_dataset_info info;

    perc_dataset_info_get(rows, &info);
    const size_t n = (size_t)info.rows, features = (size_t)info.features + (size_t)p->features + 1;
    if ((p->asked[MARGIN] || p->asked[LOSS]) && n > p->margin_room) {
        free(p->margin);
        p->margin_room = n;
        if ((p->margin = calloc(n, sizeof *p->margin)) == NULL) return false;
    }
    if (p->asked[PROJECTION] && features > p->x_room) {
        free(p->x);
        p->x_room = features;
        if ((p->x = calloc(features, sizeof *p->x)) == NULL) return false;
    }
    return p->margin == NULL || n == 0 ||
           perc_margins(p->model, rows, scores, p->margin, NULL) == PERC_OK;
}

/* ----- names ------------------------------------------------------------------ */

/* Number k of a part: "score", "score.LABEL", "projection.FEATURE". */
static const char *number_name(const struct predict *p, enum part part, size_t k, char buf[NAME])
{
    char feature[NAME / 2];
    const char *of = perc_model_label(p->model, k);

    if (part == PROJECTION) of = perc_model_feature(p->model, k, feature, sizeof feature);
    if (part == PROJECTION && of == NULL) {
        snprintf(feature, sizeof feature, "%zu", k + (size_t)p->index_base);
        of = feature;
    }
    if (part != PROBABILITY && part != PROJECTION && part_size(p, part) == 1) return key[part].one;
    snprintf(buf, NAME, "%s.%s", key[part].one, of);
    return buf;
}

static bool is_named(const struct predict *p, const char *name)
{
    for (size_t i = 0; i < p->names; i++)
        if (p->name[i] != NULL && strcmp(p->name[i], name) == 0) return true;
    return false;
}

/* A column of the input keeps its name, unless one of the answer has it, or another of the input:
 * then it is "input.NAME". */
static char *kept_name(const struct predict *p, const char *name)
{
    static const char before[] = "input.";
    const size_t len = strlen(name);
    size_t times = 0;
    char *own;

    for (;; times++) {
        own = malloc(len + times * (sizeof before - 1) + 1);
        if (own == NULL) return NULL;
        for (size_t t = 0; t < times; t++)
            memcpy(own + t * (sizeof before - 1), before, sizeof before - 1);
        memcpy(own + times * (sizeof before - 1), name, len + 1);
        if (!is_named(p, own)) return own;
        free(own);
    }
}

/* The names of all columns. Those of the answer come first, since they do not give way. */
static bool name_columns(struct predict *p, const perc_dataset *rows)
{
    char buf[NAME];
    size_t n;

    while (perc_dataset_kept_name(rows, p->kept) != NULL) p->kept++;
    n = p->kept;
    p->names = n + 1;
    for (enum part part = 0; part < PARTS; part++)
        if (p->asked[part]) p->names += part_size(p, part);
    if ((p->name = calloc(p->names, sizeof *p->name)) == NULL) return false;
    if ((p->name[n++] = strdup("label")) == NULL) return false;
    for (enum part part = 0; part < PARTS; part++)
        for (size_t k = 0; p->asked[part] && k < part_size(p, part); k++)
            if ((p->name[n++] = strdup(number_name(p, part, k, buf))) == NULL) return false;
    for (size_t k = 0; k < p->kept; k++)
        if ((p->name[k] = kept_name(p, perc_dataset_kept_name(rows, k))) == NULL) return false;
    return true;
}

/* ----- a row in each style ---------------------------------------------------------- */

static void write_line(struct predict *p, const perc_dataset *rows, uint64_t i, const double *s)
{
    out_word(p->out, perc_answer(p->model, s), WORD_FIELD);
    for (size_t o = 0; o < PARTS; o++) {
        const enum part part = line_order[o];
        if (!p->asked[part]) continue;
        const double *v = part_numbers(p, part, rows, i, s);
        const size_t n = part_size(p, part);
        for (size_t k = 0; k < n; k++) out_num_after(p->out, ' ', v[k]);
    }
    out_bytes(p->out, "\n", 1);
}

/* An object in the open list "predictions"; values per label are in the order of "labels". */
static void write_object(struct predict *p, const perc_dataset *rows, uint64_t i, const double *s)
{
    out_begin(p->out, '{');
    out_key_string(p->out, "label", perc_answer(p->model, s));
    for (size_t o = 0; o < PARTS; o++) {
        const enum part part = line_order[o];
        if (!p->asked[part]) continue;
        const double *v = part_numbers(p, part, rows, i, s);
        const bool list = part == PROBABILITY || part == PROJECTION || part_size(p, part) > 1;
        out_key(p->out, list ? key[part].list : key[part].one);
        if (list) out_reals(p->out, v, part_size(p, part), 1);
        else out_real(p->out, *v);
    }
    out_end(p->out, '}');
}

static char delimiter_of(const struct predict *p)
{
    return p->style == STYLE_TSV ? '\t' : ',';
}

static void write_header(struct predict *p)
{
    const char between = delimiter_of(p);

    for (size_t k = 0; k < p->names; k++) {
        if (k > 0) out_bytes(p->out, &between, 1);
        out_cell(p->out, p->name[k], between);
    }
    out_bytes(p->out, "\n", 1);
}

/* A record of a table. */
static void write_record(struct predict *p, const perc_dataset *rows, uint64_t i, const double *s)
{
    const char between = delimiter_of(p);

    for (size_t k = 0; k < p->kept; k++) {
        out_cell(p->out, perc_dataset_kept(rows, i, k), between);
        out_bytes(p->out, &between, 1);
    }
    out_cell(p->out, perc_answer(p->model, s), between);
    for (enum part part = 0; part < PARTS; part++) {
        if (!p->asked[part]) continue;
        const double *v = part_numbers(p, part, rows, i, s);
        const size_t n = part_size(p, part);
        for (size_t k = 0; k < n; k++) out_num_after(p->out, between, v[k]);
    }
    out_bytes(p->out, "\n", 1);
}

/* The same as an object on a line of its own. */
static void write_named(struct predict *p, const perc_dataset *rows, uint64_t i, const double *s)
{
    char *const *name = p->name;

    out_begin(p->out, '{');
    for (size_t k = 0; k < p->kept; k++)
        out_key_string(p->out, *name++, perc_dataset_kept(rows, i, k));
    out_key_string(p->out, *name++, perc_answer(p->model, s));
    for (enum part part = 0; part < PARTS; part++) {
        if (!p->asked[part]) continue;
        const double *v = part_numbers(p, part, rows, i, s);
        for (size_t k = 0; k < part_size(p, part); k++) out_key_real(p->out, *name++, v[k]);
    }
    out_end(p->out, '}');
    out_line(p->out);
}

/* Labels alone, the common case: copied into a buffer on the stack, which is passed on when the
 * next label might not fit. */
static void write_labels(struct predict *p, const double *s, uint64_t n)
{
    char buf[LINES];
    size_t used = 0;

    for (uint64_t i = 0; i < n; i++, s += p->outputs) {
        const char *label = perc_answer(p->model, s);
        const size_t len = strlen(label);

        const bool plain = len + 1 <= sizeof buf && word_is_plain(label, WORD_LINE);

        if (!plain || used + len + 1 > sizeof buf) {
            out_bytes(p->out, buf, used);
            used = 0;
        }
        if (!plain) {
            out_word(p->out, label, WORD_LINE);
            out_bytes(p->out, "\n", 1);
            continue;
        }
        memcpy(buf + used, label, len);
        used += len;
        buf[used++] = '\n';
    }
    out_bytes(p->out, buf, used);
}

/* ----- all rows ------------------------------------------------------------------- */

int predict_write(void *predict, const perc_dataset *rows, const double *scores)
{
    static void (*const write[])(struct predict *, const perc_dataset *, uint64_t,
                                 const double *) = { write_line, write_object, write_record,
                                                     write_record, write_named };
    struct predict *p = predict;
    perc_dataset_info info;
    bool alone = p->style == STYLE_LINES;

    if (interrupt_seen()) return 1;
    perc_dataset_info_get(rows, &info);
    for (size_t part = 0; part < PARTS; part++) alone &= !p->asked[part];
    if (alone) {
        write_labels(p, scores, info.rows);
        return out_broken(p->out);
    }
    const bool first = p->style >= STYLE_CSV && p->names == 0;
    if ((first && !name_columns(p, rows)) || !prepare_rows(p, rows, scores)) {
        out_fail_memory(p->out);
        return 1;
    }
    if (first && p->style == STYLE_JSONL) out_exact(p->out);
    else if (first) write_header(p);
    for (uint64_t i = 0; i < info.rows; i++, scores += p->outputs)
        write[p->style](p, rows, i, scores);
    return out_broken(p->out);
}

void predict_free(struct predict *p)
{
    for (size_t k = 0; k < p->names && p->name != NULL; k++) free(p->name[k]);
    free(p->name);
    free(p->p);
    free(p->margin);
    free(p->x);
    free(p->w);
}
