/* prove_json.c -- `perceptron prove --json`: everything that is known, for programs.
 *
 * Rows count from 1, as in certificates. Weights of witnesses are whole numbers of any
 * length, so they are strings. What is not known, or not asked for, is null. */
#include "cli/prove.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void json_rows(struct out *o, const char *key, const uint64_t *row, size_t n)
{
    out_key(o, key);
    out_begin(o, '[');
    for (size_t i = 0; i < n; i++) out_int(o, (int64_t)row[i] + 1);
    out_end(o, ']');
}

/* The lines of the file on which they stand. */
static void json_lines(const struct prove *t, struct out *o, const char *key, const uint64_t *row,
                       size_t n)
{
    out_key(o, key);
    out_begin(o, '[');
    for (size_t i = 0; i < n; i++) out_int(o, perc_dataset_row_line(t->ds, row[i]));
    out_end(o, ']');
}

static void json_count(struct out *o, const char *key, bool known, uint64_t n)
{
    out_key(o, key);
    if (known) out_int(o, (int64_t)n);
    else out_null(o);
}

static void json_plane(const struct prove *t, struct out *o, const perc_part *p)
{
    char name[256];

    out_key(o, "plane");
    if (p->w == NULL) {
        out_null(o);
        return;
    }
    out_begin(o, '{');
    out_key(o, "w");
    out_begin(o, '{');
    for (uint64_t j = 0; j < p->features; j++)
        if (p->w[j] != 0)
            out_key_real(o, perc_proof_feature(t->proof, j, name, sizeof name), p->w[j]);
    out_end(o, '}');
    out_key_real(o, "b", p->b);
    out_key_bool(o, "exact", p->exact != 0);
    out_key_real(o, "least_margin", p->verdict == PERC_SEPARABLE ? p->least : (double)NAN);
    json_rows(o, "closest", p->closest, p->verdict == PERC_SEPARABLE ? p->closest_count : 0);
    json_lines(t, o, "closest_lines", p->closest,
               p->verdict == PERC_SEPARABLE ? p->closest_count : 0);
    out_end(o, '}');
}

enum { USES = 1000 }; /* features that are counted: each costs a look at every row */

static void json_uses(const struct prove *t, struct out *o, const perc_part *p)
{
    struct feature_use *use = calloc(USES, sizeof *use);
    size_t n = 0;
    char name[256];

    if (use == NULL) out_fail_memory(o);
    for (uint64_t j = 0; use != NULL && j < p->features && n <= USES; j++)
        if (p->w[j] != 0 && n++ < USES) use[n - 1].feature = j;
    if (use == NULL || n > USES || !proving_uses(t, p, use, n)) {
        out_null(o);
        free(use);
        return;
    }
    out_begin(o, '[');
    for (size_t k = 0; k < n; k++) {
        out_begin(o, '{');
        out_key_string(o, "name", perc_proof_feature(t->proof, use[k].feature, name, sizeof name));
        out_key_real(o, "weight", p->w[use[k].feature]);
        out_key_int(o, "positive", (int64_t)use[k].rows[0]);
        out_key_int(o, "negative", (int64_t)use[k].rows[1]);
        out_end(o, '}');
    }
    out_end(o, ']');
    free(use);
}

/* The features that separate some of the rows, with the rows of each class in which they are
 * not 0. */
static void json_features(const struct prove *t, struct out *o, const perc_part *p)
{
    out_key(o, "features");
    if (p->verdict == PERC_TOUCHING && p->w != NULL &&
        strcmp(witness_kernel(&t->words), "none") == 0)
        json_uses(t, o, p);
    else out_null(o);
}

static void json_witness(const struct prove *t, struct out *o, const perc_part *p)
{
    char sentence[WITNESS_SENTENCE];

    out_key(o, "witness");
    if (p->witnesses == 0) {
        out_null(o);
        return;
    }
    witness_sentence(&t->words, p, sentence);
    out_begin(o, '{');
    out_key_string(o, "text", sentence);
    json_rows(o, "rows", p->witness, p->witnesses);
    json_lines(t, o, "lines", p->witness, p->witnesses);
    out_key(o, "weights");
    out_begin(o, '[');
    for (size_t i = 0; i < p->witnesses; i++) out_string(o, p->weight[i]);
    out_end(o, ']');
    out_end(o, '}');
}

static void json_bounds(struct out *o, const char *key, double lower, double upper)
{
    out_key(o, key);
    if (isnan(lower)) {
        out_null(o);
        return;
    }
    out_begin(o, '{');
    out_key_real(o, "lower", lower);
    out_key_real(o, "upper", upper);
    out_end(o, '}');
}

static void json_label(struct out *o, const char *key, const char *label)
{
    out_key(o, key);
    if (label != NULL) out_string(o, label);
    else out_null(o);
}

static void json_part(const struct prove *t, struct out *o, const perc_part *p)
{
    const bool full = proving_full(p), measured = !isnan(p->margin_lower);
    char meaning[WITNESS_SENTENCE];

    out_begin(o, '{');
    json_label(o, "positive", p->positive);
    json_label(o, "negative", p->negative);
    out_key_string(o, "verdict", perc_verdict_text(p->verdict));
    json_label(o, "meaning", witness_meaning(&t->words, p, meaning) ? meaning : NULL);
    out_key_int(o, "rows", (int64_t)p->rows);
    json_count(o, "strict", full, p->strict);
    json_count(o, "strict_positive", full, p->strict_positive);
    json_count(o, "held", full, p->on_all_planes);
    json_count(o, "rank", full && p->witnesses > 0, p->rank);
    json_plane(t, o, p);
    json_features(t, o, p);
    json_witness(t, o, p);
    json_count(o, "listed", full && p->witnesses > 0, p->listed);
    json_bounds(o, "margin", p->margin_lower, p->margin_upper);
    json_bounds(o, "geometric_margin", p->geometric_lower, p->geometric_upper);
    out_key(o, "gap_reached");
    if (measured && p->verdict == PERC_SEPARABLE) out_bool(o, p->gap_reached == 1);
    else out_null(o);
    json_label(o, "method", p->method);
    out_key_int(o, "rounds", p->rounds);
    out_key_int(o, "pivots", p->pivots);
    out_key_int(o, "exact_rows", (int64_t)p->exact_rows);
    out_key_int(o, "rejected", (int64_t)p->rejected);
    out_key_real(o, "seconds", p->seconds);
    out_end(o, '}');
}

/* The curves: after `at` updates, w.u and |w|^2. */
static void json_run(struct out *o, const perc_bound_run *r)
{
    out_begin(o, '{');
    out_key_string(o, "order", r->order);
    out_key_int(o, "mistakes", r->mistakes);
    out_key_int(o, "passes", r->passes);
    out_key_bool(o, "converged", r->converged != 0);
    out_key(o, "at");
    out_begin(o, '[');
    for (size_t i = 0; i < r->steps; i++) out_int(o, r->at[i]);
    out_end(o, ']');
    for (int k = 0; k < 2; k++) {
        out_key(o, k == 0 ? "along" : "norm2");
        out_begin(o, '[');
        for (size_t i = 0; i < r->steps; i++) out_real(o, k == 0 ? r->along[i] : r->norm2[i]);
        out_end(o, ']');
    }
    out_end(o, '}');
}

static void json_bound(const struct prove *t, struct out *o)
{
    perc_bound b;

    out_key(o, "bound");
    if (!perc_proof_bound(t->proof, &b)) {
        out_null(o);
        return;
    }
    out_begin(o, '{');
    out_key_real(o, "radius", b.radius);
    out_key_real(o, "margin", b.margin);
    out_key_real(o, "margin_upper", b.margin_upper);
    out_key_real(o, "bound", b.bound);
    out_key_int(o, "orders", (int64_t)b.orders);
    out_key(o, "runs");
    out_begin(o, '[');
    for (size_t i = 0; i < b.runs; i++) json_run(o, &b.run[i]);
    out_end(o, ']');
    out_end(o, '}');
}

static void json_hulls(const struct prove *t, struct out *o)
{
    perc_hulls h;

    out_key(o, "hulls");
    if (!perc_proof_hulls(t->proof, &h)) {
        out_null(o);
        return;
    }
    out_begin(o, '{');
    json_rows(o, "positive", h.positive, h.positives);
    json_rows(o, "negative", h.negative, h.negatives);
    out_key_string(o, "verdict", perc_verdict_text(h.verdict));
    out_end(o, '}');
}

static void json_options(const struct prove *t, struct out *o)
{
    size_t count = 0;
    const perc_param *rows = perc_table("prove", &count);

    out_key(o, "options");
    out_begin(o, '{');
    for (size_t i = 0; i < count; i++)
        out_key_string(o, rows[i].name, perc_params_get(t->params, rows[i].name));
    out_end(o, '}');
}

void prove_report_json(const struct prove *t, struct out *o)
{
    const int rc = proving_answer(t);
    const size_t n = perc_proof_parts(t->proof);
    perc_part p;

    out_begin(o, '{');
    out_key_string(o, "command", "prove");
    out_key(o, "data");
    cli_data_json(o, t->data, t->ds);
    json_options(t, o);
    out_key_string(o, "answer", rc == EXIT_NO ? "no" : rc == EXIT_DONE ? "yes" : "undecided");
    out_key(o, "parts");
    out_begin(o, '[');
    for (size_t i = 0; i < n; i++) {
        perc_proof_part(t->proof, i, &p);
        json_part(t, o, &p);
    }
    out_end(o, ']');
    json_bound(t, o);
    json_hulls(t, o);
    json_label(o, "certificate", t->written ? t->output : NULL);
    out_key_int(o, "undecided", (int64_t)t->undecided);
    out_key_real(o, "seconds", t->seconds);
    out_end(o, '}');
    out_text(o, "\n");
}
