/* study_orders.c -- the same learner on the same rows in several orders.
 *
 * What a perceptron learns depends on the order in which it meets the rows, and so do its
 * mistakes. Each order is a run like any other with the next seed: the first is that of the
 * study. It is done if it was asked for, or if it is little work. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/hyperplane.h"
#include "show/word.h"
#include "study/study_parts.h"

#define LITTLE (STUDY_WORK / 20)

/* Why there is only one order; "": there are more. */
static const char *why_one(const struct study *s)
{
    const struct study_run *r = &s->run[0];

    if (s->q->learners > 1) return "orders are those of one algorithm";
    if (perc_params_get(r->params, "order") == NULL)
        return "a solver finds its weights at once: the order of the rows does not matter";
    if (study_is(r, "order", "file")) return "the rows are shown as they stand in the file";
    return "";
}

/* The parameters of the study's learner with the seed of order k. */
static perc_status order_params(const struct study *s, size_t k, perc_params **out, perc_error *err)
{
    const perc_params *from = s->run[0].params;
    const char *first = perc_params_get(from, "seed");
    char seed[WORD];
    perc_status st = study_params(s->env, s->run[0].algorithm, from, NULL, out, err);

    snprintf(seed, sizeof seed, "%.0f", word_value(first) + (double)k);
    return st == PERC_OK ? perc_params_set(*out, "seed", seed, err) : st;
}

/* One order, and where its boundary lies in the plane. */
static perc_status fit_order(struct study *s, struct study_run *r, perc_error *err)
{
    perc_status st = study_fit(s, r, err);
    double *w, line[3];

    if (st != PERC_OK || s->plane == STUDY_NO_PLANE || s->bent || !study_linear(r) ||
        r->info.outputs != 1)
        return st;
    if ((w = calloc((size_t)r->info.features + 1, sizeof *w)) == NULL) return study_memory(err);
    for (uint64_t j = 0; j < r->info.features; j++) w[j] = perc_model_weight(r->model, j, 0);
    study_line(s, w, r->info.features, 1, perc_model_offset(r->model, 0), line);
    free(w);
    memcpy(r->plane_w, line, sizeof r->plane_w);
    r->plane_b = line[2];
    r->line = true;
    return PERC_OK;
}

perc_status study_orders(struct study *s, perc_error *err)
{
    const size_t n = s->q->orders;
    const char *why = why_one(s);
    const double passes = (double)s->run[0].report.epochs + 1;
    perc_status st = PERC_OK;

    if (n < 2) return PERC_OK;
    if (why[0] != '\0' && s->q->orders_asked)
        return study_fail(err, PERC_EARG, "--orders: %s", why);
    if (why[0] == '\0' && !s->q->orders_asked &&
        2 * (double)n * passes * study_scoring(s, s->run[0].model) > LITTLE)
        why = "it would take too long (pass --orders)";
    snprintf(s->why_orders, STUDY_WHY, "%s", why);
    if (why[0] != '\0') return PERC_OK;
    if ((s->order = calloc(n, sizeof *s->order)) == NULL) return study_memory(err);
    for (size_t k = 0; k < n && st == PERC_OK && !study_stopped(s); k++) {
        struct study_run *r = &s->order[s->orders++];

        r->algorithm = s->run[0].algorithm;
        if ((st = order_params(s, k, &r->own_params, err))) break;
        r->params = r->own_params;
        snprintf(r->name, sizeof r->name, "seed %s", perc_params_get(r->params, "seed"));
        st = fit_order(s, r, err);
    }
    return st;
}

void study_orders_table(const struct study *s, struct facts *f)
{
    char equation[HYPERPLANE_TEXT];

    facts_table(f, "orders", "The same rows in several orders");
    for (size_t k = 0; k < s->orders; k++) {
        const struct study_run *r = &s->order[k];

        facts_row(f);
        facts_string(f, "seed", "Seed", perc_params_get(r->params, "seed"));
        facts_count(f, "passes", "Passes", (uint64_t)r->report.epochs);
        facts_count(f, "mistakes", "Mistakes", (uint64_t)r->report.mistakes);
        facts_count(f, "updates", "Updates", (uint64_t)r->report.updates);
        facts_percent(f, "training_error", "Training error", r->report.training_error);
        if (r->line && s->plane == STUDY_TWO_FEATURES)
            facts_string(f, "boundary", "Boundary",
                         hyperplane_line(s->q->form, r->plane_w, r->plane_b, equation));
        facts_string(f, "end", "End",
                     r->report.stop == PERC_STOP_CONVERGED ? "converged" : "limit of passes");
        facts_end(f);
    }
    facts_end(f);
}
