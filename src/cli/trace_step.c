/* trace_step.c -- a step of learning as a line of a table, a line of CSV, an object of JSON. See
 * cmd_trace.c for what is in it. */
#include "cli/trace.h"

#include <stdio.h>
#include <string.h>

/* As in CSV. */
static const char *const heading[COLUMNS] = { "epoch",   "row",       "x",    "y",       "score",
                                              "label",   "margin",    "loss", "mistake", "updated",
                                              "counter", "set_aside", "w",    "b" };

/* For people an epoch is a pass, and the margin of two labels is y s. */
static const char *head_of(const struct trace *t, enum column k)
{
    if (k == B) return hyperplane_letter(t->cli->form);
    if (t->csv) return heading[k];
    return k == PASS ? "pass" : k == MARGIN && t->column[3] == Y ? "y s" : heading[k];
}

double trace_number(double v)
{
    return v == 0 ? 0.0 : v;
}

void trace_vector(char cell[TRACE_CELL], const double *v, uint64_t n, size_t stride)
{
    size_t k = 0;

    cell[k++] = '(';
    for (uint64_t j = 0; j < n && j < TRACE_SHOWN; j++)
        k += (size_t)snprintf(cell + k, TRACE_CELL - k, "%s%.6g", j > 0 ? ", " : "",
                              trace_number(v[j * stride]));
    snprintf(cell + k, TRACE_CELL - k, n > TRACE_SHOWN ? ", ...)" : ")");
}

/* The label as in the data, whatever number its class has by now. */
static const char *event_label(const struct trace *t, const perc_event *e)
{
    const int label = perc_dataset_row_label(t->ds, (uint64_t)e->row);

    return label >= 0 ? perc_dataset_label(t->ds, (size_t)label) : "";
}

/* One vector serves two labels, -1 and +1, even in learners that may get more later. A class number
 * may be 0: that of the first one met, against the rest. */
static bool is_signed(const perc_event *e)
{
    return e->vectors == 1 && e->y != 0;
}

static double margin_of(const perc_event *e)
{
    return trace_number(is_signed(e) ? e->y * e->score : e->score);
}

/* The perceptron loss, max(0, -y s). */
static double loss_of(const perc_event *e)
{
    const double m = margin_of(e);

    return m < 0 ? -m : 0;
}

static double constant_of(const struct trace *t, double b)
{
    return hyperplane_constant(t->cli->form, b);
}

/* At this mistake the row leaves the training set, and what it added is taken out. (One class
 * against the rest, the counter is the sum of those of its classes, and does not tell.) */
static bool set_aside(const struct trace *t, const perc_event *e)
{
    const bool rest = t->made.multiclass != NULL && strcmp(t->made.multiclass, "ovr") == 0;

    return !rest && t->drop_after > 0 && e->updated && t->counter[e->row] == t->drop_after;
}

/* Measures the cells in the first run and prints them in the second. */
static void step_text(struct trace *t, const perc_event *e)
{
    char cell[TRACE_CELL], quoted[WORD_QUOTED];

    for (int i = 0; i < t->columns; i++) {
        const enum column k = t->column[i];

        switch (k) {
        case PASS: snprintf(cell, TRACE_CELL, "%lld", (long long)e->epoch); break;
        case ROW: snprintf(cell, TRACE_CELL, "%lld", (long long)e->row + 1); break;
        case X: trace_vector(cell, t->x, t->info.features, 1); break;
        case Y: snprintf(cell, TRACE_CELL, "%+g", e->y); break;
        case SCORE: snprintf(cell, TRACE_CELL, "%.6g", trace_number(e->score)); break;
        case LABEL:
            word_cut(cell, TRACE_CELL, word_quoted(quoted, event_label(t, e), WORD_FIELD));
            break;
        case MARGIN: snprintf(cell, TRACE_CELL, "%.6g", margin_of(e)); break;
        case LOSS: snprintf(cell, TRACE_CELL, "%.6g", loss_of(e)); break;
        case MISTAKE: snprintf(cell, TRACE_CELL, "%s", e->mistake ? "yes" : "no"); break;
        case UPDATED:
            if (e->updated > 1) /* one against the rest */
                snprintf(cell, TRACE_CELL, "%d vectors", e->updated);
            else snprintf(cell, TRACE_CELL, "%s", e->updated ? "yes" : "no");
            break;
        case COUNTER:
            snprintf(cell, TRACE_CELL, "%lld%s", (long long)t->counter[e->row],
                     set_aside(t, e) ? " set aside" : "");
            break;
        case ASIDE: cell[0] = '\0'; break; /* the counter shows it */
        case W: trace_vector(cell, e->w, e->features, e->stride); break;
        default: snprintf(cell, TRACE_CELL, "%.6g", constant_of(t, e->b[0]));
        }
        const int n = (int)strlen(cell);
        if (t->turn == LOOK) t->width[k] = n > t->width[k] ? n : t->width[k];
        else out_fmt(t->cli->out, "%*s%s", (i > 0 ? 2 : 0) + t->width[k] - n, "", cell);
    }
    if (t->turn == PRINT) out_text(t->cli->out, "\n");
}

static void csv_vector(struct out *o, const double *v, uint64_t n, size_t stride)
{
    for (uint64_t j = 0; j < n; j++) {
        out_text(o, j > 0 ? "," : "");
        out_num(o, v[j * stride]);
    }
}

/* Exact numbers, one column per feature; mistake and set_aside are 0 or 1. */
static void step_csv(struct trace *t, const perc_event *e)
{
    struct out *o = t->cli->out;

    for (int i = 0; i < t->columns; i++) {
        out_text(o, i > 0 ? "," : "");
        switch (t->column[i]) {
        case PASS: out_fmt(o, "%lld", (long long)e->epoch); break;
        case ROW: out_fmt(o, "%lld", (long long)e->row + 1); break;
        case X: csv_vector(o, t->x, t->info.features, 1); break;
        case Y: out_fmt(o, "%g", e->y); break;
        case SCORE: out_num(o, e->score); break;
        case LABEL: out_csv(o, event_label(t, e)); break;
        case MARGIN: out_num(o, margin_of(e)); break;
        case LOSS: out_num(o, loss_of(e)); break;
        case MISTAKE: out_fmt(o, "%d", e->mistake); break;
        case UPDATED: out_fmt(o, "%d", e->updated); break;
        case COUNTER: out_fmt(o, "%lld", (long long)t->counter[e->row]); break;
        case ASIDE: out_fmt(o, "%d", set_aside(t, e)); break;
        case W: csv_vector(o, e->w, e->features, e->stride); break;
        default: out_num(o, constant_of(t, e->b[0]));
        }
    }
    out_text(o, "\n");
}

static void step_json(struct trace *t, const perc_event *e)
{
    struct out *o = t->cli->out;

    out_begin(o, '{');
    out_key_int(o, "epoch", e->epoch);
    out_key_int(o, "row", e->row + 1);
    out_key(o, "x");
    out_reals(o, t->x, t->info.features, 1);
    out_key_string(o, "label", event_label(t, e));
    if (is_signed(e)) {
        out_key_real(o, "y", e->y);
        out_key_real(o, "score", e->score);
    }
    out_key_real(o, "margin", margin_of(e));
    out_key_real(o, "loss", loss_of(e));
    out_key_bool(o, "mistake", e->mistake != 0);
    out_key_bool(o, "updated", e->updated != 0);
    /* With several vectors, "w" and "b" are lists of these. "counter" and "set_aside" are there
     * with a kernel, in place of "w", and with --drop-after. */
    if (t->kernel || t->drop_after > 0) {
        out_key_int(o, "counter", t->counter[e->row]);
        out_key_bool(o, "set_aside", set_aside(t, e));
    }
    if (!t->kernel) {
        out_key(o, "w");
        if (e->vectors > 1) out_begin(o, '[');
        for (size_t c = 0; c < e->vectors; c++) out_reals(o, e->w + c, e->features, e->stride);
        if (e->vectors > 1) out_end(o, ']');
    }
    out_key(o, hyperplane_letter(t->cli->form));
    if (e->vectors > 1) out_begin(o, '[');
    for (size_t c = 0; c < e->vectors; c++) out_real(o, constant_of(t, e->b[c]));
    if (e->vectors > 1) out_end(o, ']');
    out_end(o, '}');
}

void trace_step(struct trace *t, const perc_event *e)
{
    if (!t->cli->json && !t->csv) step_text(t, e);
    else if (t->turn == PRINT) t->csv ? step_csv(t, e) : step_json(t, e);
}

/* ----- the columns ------------------------------------------------------------ */

/* What to show: for two labels y, score, y s and weights; for more the margin. Updates get a column
 * if they are not the same as mistakes; rows set aside are marked at the counter in a table, and
 * have a column in CSV with --drop-after. */
void trace_columns(struct trace *t)
{
    static const enum column two[] = { PASS,    ROW,     X,       Y,     SCORE, MARGIN, LOSS,
                                       MISTAKE, UPDATED, COUNTER, ASIDE, W,     B };
    static const enum column many[] = { PASS, ROW,     X,       LABEL,   MARGIN,
                                        LOSS, MISTAKE, UPDATED, COUNTER, ASIDE };
    const char *rule = perc_params_get(t->params, "rule");
    const char *how = perc_params_get(t->params, "multiclass");
    const char *positive = perc_params_get(t->params, "positive");
    const bool plain = strcmp(rule != NULL ? rule : t->algorithm, CLI_PLAIN) == 0;
    const bool several = (positive == NULL || positive[0] == '\0') &&
                         (t->info.labels > 2 || (how != NULL && strcmp(how, "auto") != 0));
    const enum column *list = several ? many : two;
    const size_t n = several ? sizeof many / sizeof *many : sizeof two / sizeof *two;
    for (size_t i = 0; i < n; i++)
        if ((list[i] != UPDATED || several || !plain) &&
            (list[i] != COUNTER || t->kernel || t->drop_after > 0) &&
            (list[i] != ASIDE || (t->csv && t->drop_after > 0)) && (list[i] != W || !t->kernel))
            t->column[t->columns++] = list[i];
    for (int k = 0; k < COLUMNS; k++) t->width[k] = (int)strlen(head_of(t, (enum column)k));
}

/* "x1" by the index in the file, or "x.petal width" by name; likewise for w, for the features that
 * the machine sees. */
static void csv_names(const struct trace *t, char letter)
{
    const bool x = letter == 'x';
    const uint64_t n = x ? t->info.features : t->made.features;
    struct out *o = t->cli->out;
    char buf[TRACE_CELL], name[TRACE_CELL + 2];

    for (uint64_t j = 0; j < n; j++) {
        const char *given = x ? perc_dataset_feature(t->ds, j)
                              : perc_model_feature(t->model, j, buf, sizeof buf);

        if (given != NULL) snprintf(name, sizeof name, "%c.%s", letter, given);
        else
            snprintf(name, sizeof name, "%c%llu", letter,
                     (unsigned long long)j + (unsigned long long)t->info.index_base);
        out_text(o, j > 0 ? "," : "");
        out_csv(o, name);
    }
}

void trace_heads(const struct trace *t)
{
    struct out *o = t->cli->out;

    for (int i = 0; i < t->columns; i++) {
        const enum column k = t->column[i];

        if (!t->csv) {
            out_fmt(o, "%*s", (i > 0 ? 2 : 0) + t->width[k], head_of(t, k));
            continue;
        }
        out_text(o, i > 0 ? "," : "");
        if (k == X || k == W) csv_names(t, k == X ? 'x' : 'w');
        else out_text(o, head_of(t, k));
    }
    out_text(o, "\n");
}
