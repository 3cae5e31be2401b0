/* answer.c -- how scores become answers.
 *
 * A model of two classes answers with the positive one
 *
 *     by the rule            where s > 0
 *     by a score             where s >= t: a score at the threshold is positive
 *     by a probability       where p(s) >= P
 *     by the probabilities   where p(s) >= 1/2; of more classes, the most probable, ties to the
 *                            lower class
 *
 * Which one is part of the model. Mistakes, the errors E_n and convergence are not about answers:
 * they stay with the rule.
 *
 * The best one for rows that were held out is found in calibrate.c.
 *
 * Not here: the scores, and the sigmoids that may be fitted to them (platt.c). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/tensors.h"
#include "model/model.h"

static const char *const words[THRESHOLD_KINDS] = { "rule", "score", "probability",
                                                    "probabilities" };

/* ----- answers ------------------------------------------------------------------------- */

size_t model_answer(const perc_model *m, const double *scores)
{
    const struct learner *l = &m->learner;
    double p[2];

    if (l->kind == KIND_TWO && l->labels.n < 2) return 0;
    switch (m->threshold.of) {
    case THRESHOLD_SCORE: return scores[0] >= m->threshold.at;
    case THRESHOLD_P: model_probabilities(m, scores, p); return p[1] >= m->threshold.at;
    case THRESHOLD_MOST: return model_most_probable(m, scores);
    default: return l->kind == KIND_TWO ? scores[0] > 0 : linear_best(scores, l->labels.n);
    }
}

const char *perc_answer(const perc_model *m, const double *scores)
{
    if (m == NULL || scores == NULL || m->learner.labels.n == 0) return NULL;
    return m->learner.labels.at[model_answer(m, scores)].text;
}

/* ----- what can be given ----------------------------------------------------------------- */

/* Any text but "best:...". */
static perc_status parse_given(const char *spec, struct threshold *out, perc_error *err)
{
    const char *s = spec;

    *out = (struct threshold){ .of = THRESHOLD_RULE };
    if (strcmp(spec, "none") == 0) return PERC_OK;
    if (strcmp(spec, "probabilities") == 0) out->of = THRESHOLD_MOST;
    else if (strncmp(spec, "score:", 6) == 0) {
        s += 6;
        out->of = THRESHOLD_SCORE;
        if (!threshold_number(&s, '\0', &out->at))
            return fail(err, PERC_EARG, "'%.60s': after score: a number is needed", spec);
    } else {
        out->of = THRESHOLD_P;
        if (!threshold_number(&s, '\0', &out->at))
            return fail(err, PERC_EARG,
                        "'%.60s' is no probability (such as 0.3), nor none, probabilities, score:S "
                        "or best:...",
                        spec);
        if (!(out->at > 0 && out->at < 1))
            return fail(err, PERC_EARG,
                        "%.60s: a probability lies above 0 and below 1 (a score is score:%.60s)",
                        spec, spec);
    }
    return PERC_OK;
}

/* ----- what a model can have ---------------------------------------------------------------- */

static perc_status no_probabilities(perc_error *err)
{
    return fail(err, PERC_EARG,
                "is about probabilities, and the model has none (train it with --calibrate, or "
                "give score:S)");
}

static perc_status not_two(size_t labels, perc_error *err)
{
    if (labels == 2)
        return fail(err, PERC_EARG,
                    "needs one score, and there is one for each of the two labels (leave out "
                    "--multiclass)");
    return fail(err, PERC_EARG,
                "is for two labels, and there are %zu (with --calibrate: probabilities, the most "
                "probable)",
                labels);
}

perc_status model_threshold_fits(const perc_model *m, enum threshold_of of, double at, bool p,
                                 perc_error *err)
{
    const struct learner *l = &m->learner;

    if (of == THRESHOLD_RULE) return PERC_OK;
    if (!machine_learns(l->machine))
        return fail(err, PERC_EARG, "is not for a gate, whose answers are certain");
    if (l->labels.n < 2) return fail(err, PERC_EARG, "is for a model that knows two labels");
    if (of != THRESHOLD_MOST && l->kind != KIND_TWO) return not_two(l->labels.n, err);
    if (of != THRESHOLD_SCORE && !p) return no_probabilities(err);
    if (!isfinite(at) || (of == THRESHOLD_P && !(at > 0 && at < 1)))
        return fail(err, PERC_EARG, "is out of range");
    return PERC_OK;
}

perc_status perc_model_set_threshold(perc_model *m, const char *spec, perc_error *err)
{
    NEED(m != NULL && spec != NULL);
    struct threshold t;
    perc_error why = { 0 };
    perc_status st;

    if (strncmp(spec, "best:", 5) == 0)
        return fail(err, PERC_EARG,
                    "%.60s is found on rows that are held out, while a model is trained (train "
                    "--threshold)",
                    spec);
    if ((st = parse_given(spec, &t, err))) return st;
    if ((st = model_threshold_fits(m, t.of, t.at, model_has_p(m), &why)))
        return fail(err, st, "%.60s %s", spec, why.text);
    m->threshold = t;
    return PERC_OK;
}

perc_status perc_threshold_check(const char *spec, const perc_params *p, const perc_dataset *ds,
                                 int calibrate, perc_error *err)
{
    NEED(spec != NULL && ds != NULL);
    NEED_PARAMS(p, "learner");
    const char *how = perc_params_get(p, "multiclass");
    const struct rule *rule = rule_find(p->table->name);
    const struct machine_ops *machine = learner_machine(rule, p);
    const bool learns = model_learns_p(rule, machine);
    const size_t labels = params_text(p, "positive")[0] != '\0' ? 2 : ds->labels.n;
    const bool best = strncmp(spec, "best:", 5) == 0;
    const bool one = labels == 2 &&
                     (machine->teach != NULL || how == NULL || strcmp(how, "ovr") != 0);
    struct threshold t = { .of = THRESHOLD_SCORE };
    struct wish wish;
    perc_error why = { 0 };
    perc_status st = best ? threshold_wish(spec, &wish, err) : parse_given(spec, &t, err);

    if (st || t.of == THRESHOLD_RULE) return st;
    if (t.of != THRESHOLD_MOST && !one) st = not_two(labels, &why);
    else if (t.of != THRESHOLD_SCORE && !learns && !calibrate)
        st = fail(&why, PERC_EARG,
                  "is about probabilities, and %s learns none (add --calibrate, or give best:...)",
                  p->table->name);
    return st ? fail(err, st, "%.60s %s", spec, why.text) : PERC_OK;
}

void perc_model_threshold_sized(const perc_model *m, perc_threshold *out, size_t size)
{
    perc_threshold own = { .of = words[THRESHOLD_RULE], .choice = "", .score = NAN, .p = NAN };
    double p[2];

    if (m != NULL) {
        own.of = words[m->threshold.of];
        own.choice = m->threshold.choice;
        own.folds = m->folds;
        if (m->threshold.of == THRESHOLD_P) own.p = m->threshold.at;
        if (m->threshold.of == THRESHOLD_SCORE) own.score = m->threshold.at;
        if (m->threshold.of == THRESHOLD_SCORE && model_has_p(m)) {
            model_probabilities(m, &own.score, p);
            own.p = p[1];
        }
    }
    sized_copy(out, size, &own, sizeof own);
}

/* ----- files --------------------------------------------------------------------------- */

perc_status model_threshold_encode(const perc_model *m, struct tensors *t)
{
    const struct threshold *h = &m->threshold;

    if (m->folds > 0 && m->folds != THRESHOLD_FOLDS &&
        tensors_meta_int(t, "held_out_folds", (int64_t)m->folds))
        return PERC_ENOMEM;
    if (h->of == THRESHOLD_RULE) return PERC_OK;
    if (tensors_meta(t, "threshold", words[h->of]) ||
        (h->of != THRESHOLD_MOST && tensors_meta_num(t, "threshold.at", h->at)) ||
        (h->choice[0] != '\0' && tensors_meta(t, "threshold.choice", h->choice)))
        return PERC_ENOMEM;
    return PERC_OK;
}

/* A file without folds that has something to fit is of an older release, or of the usual number. */
perc_status model_threshold_decode(perc_model *m, const struct tensors *t, perc_error *err)
{
    struct threshold *h = &m->threshold;
    const char *choice = tensors_get(t, "threshold.choice");
    int64_t folds = THRESHOLD_FOLDS;
    int of = THRESHOLD_RULE;
    struct wish wish;
    perc_error why = { 0 };
    perc_status st = PERC_OK;

    if (tensors_get(t, "threshold") != NULL)
        st = tensors_get_word(t, "threshold", words, THRESHOLD_KINDS, &of, err);
    if (!st && (of == THRESHOLD_SCORE || of == THRESHOLD_P))
        st = tensors_get_num(t, "threshold.at", &h->at, err);
    if (!st && tensors_get(t, "held_out_folds") != NULL)
        st = tensors_get_int(t, "held_out_folds", 2, TENSORS_COUNT_MAX, &folds, err);
    if (st) return st;
    h->of = (enum threshold_of)of;
    if (model_threshold_fits(m, h->of, h->at, model_has_p(m), &why))
        return fail(err, PERC_EDATA, "metadata: the threshold %s", why.text);
    if (choice != NULL && (h->of != THRESHOLD_SCORE || threshold_wish(choice, &wish, NULL)))
        return fail(err, PERC_EDATA, "metadata 'threshold.choice' is '%.60s'", choice);
    if (choice != NULL) snprintf(h->choice, sizeof h->choice, "%s", choice);
    if (m->sigmoid != NULL || choice != NULL) m->folds = (size_t)folds;
    return PERC_OK;
}
