/* about_model.c -- facts about a trained model. See about.h.
 *
 * Rows are numbered from 1, as trace does. In a table with a heading the line of the file has
 * another number, which is given too where the data are at hand. */
#include "show/about.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "show/word.h"

enum {
    LABELS_SHOWN = 10,
    DROPPED_SHOWN = 20,
    WEIGHTS_SHOWN = 8,
    COLUMNS_SHOWN = 20,
    COLUMNS_FILLED = 8
};

/* ----- what it was told, and what it tells apart ------------------------------------ */

const char *about_label(const perc_model_info *info, bool positive)
{
    const char *name = positive ? info->positive : info->negative;

    if (name != NULL && name[0] != '\0') return name;
    return positive ? "+1" : "-1";
}

static bool is_treated(const perc_column *c)
{
    const bool read = strcmp(c->kind, "ignore") != 0;

    return read && (c->how[0] != '\0' || c->missing > 0 || strcmp(c->kind, "id") == 0);
}

/* "filled   15 missing cells: age 12 (fill=median), plan 3 (fill=level)" */
static void tell_filled(struct facts *f, const perc_model *m)
{
    char all[WORD], n[WORD];
    uint64_t cells = 0;
    size_t shown = 0, more = 0;
    perc_column c;

    for (size_t i = 0; perc_model_column(m, i, &c); i++) cells += c.missing;
    if (cells == 0) return;
    facts_line(f, "filled", "%s missing cell%s:", word_count(all, cells), word_plural(cells));
    for (size_t i = 0; perc_model_column(m, i, &c); i++) {
        if (c.missing == 0) continue;
        if (shown == COLUMNS_FILLED) more++;
        if (shown == COLUMNS_FILLED) continue;
        facts_more(f, "%s %.40s %s%s%s%s", shown++ > 0 ? "," : "", c.name, word_count(n, c.missing),
                   c.how[0] != '\0' ? " (" : "", c.how, c.how[0] != '\0' ? ")" : "");
    }
    if (more > 0) facts_more(f, ", and %s more columns", word_count(n, more));
}

static void tell_columns(struct facts *f, const perc_model *m)
{
    char n[WORD];
    size_t shown = 0, more = 0;
    perc_column c;

    for (size_t i = 0; perc_model_column(m, i, &c); i++) {
        if (!is_treated(&c)) continue;
        if (shown == COLUMNS_SHOWN) more++;
        if (shown == COLUMNS_SHOWN) continue;
        facts_line(f, shown++ == 0 ? "columns" : "", "%.40s: %s%s%s", c.name, c.kind,
                   c.how[0] != '\0' ? " " : "", c.how);
        if (c.missing > 0) facts_more(f, " (%s missing)", word_count(n, c.missing));
        if (c.frequent[0] != '\0') facts_more(f, "; gaps are '%.40s'", c.frequent);
        if (c.reference[0] != '\0') facts_more(f, "; reference '%.40s'", c.reference);
    }
    if (more > 0) facts_line(f, "", "and %s more", word_count(n, more));
}

/* How its table was written, if that was not as usual. */
static void tell_notation(struct facts *f, const perc_model *m)
{
    static const char *const name[] = { "decimal", "thousands", "quote" };
    enum { NAMES = sizeof name / sizeof *name, ROOM = 80 };
    char words[ROOM] = "";
    const char *value;

    for (int i = 0; i < NAMES; i++) {
        const size_t n = strlen(words);
        if ((value = perc_model_notation(m, name[i])) != NULL)
            snprintf(words + n, ROOM - n, "%s%s %s", n > 0 ? ", " : "", name[i], value);
    }
    if (words[0] == '\0') return;
    facts_object(f, "notation", "notation");
    facts_say(f, "%s", words);
    for (int i = 0; i < NAMES; i++)
        if ((value = perc_model_notation(m, name[i])) != NULL)
            facts_string(f, name[i], NULL, value);
    facts_end(f);
}

void about_columns(struct facts *f, const perc_model *m, bool told)
{
    size_t n = 0;
    perc_column c;

    if (told) tell_notation(f, m);
    for (size_t i = 0; perc_model_column(m, i, &c); i++) n += is_treated(&c);
    if (n == 0) return;
    facts_list(f, "columns", NULL);
    for (size_t i = 0; perc_model_column(m, i, &c); i++) {
        if (!is_treated(&c)) continue;
        facts_row(f);
        facts_string(f, "name", NULL, c.name);
        facts_string(f, "kind", NULL, c.kind);
        facts_string(f, "how", NULL, c.how);
        facts_count(f, "missing", NULL, c.missing);
        if (c.frequent[0] != '\0') facts_string(f, "frequent", NULL, c.frequent);
        if (c.reference[0] != '\0') facts_string(f, "reference", NULL, c.reference);
        facts_end(f);
    }
    facts_end(f);
    (told ? tell_columns : tell_filled)(f, m);
}

/* What a rate other than 1 does: it scales what is shown, or is part of every step. */
static void about_rate(struct facts *f, const perc_model *m, const perc_model_info *info)
{
    const char *rate = perc_model_option(m, "rate"), *init = perc_model_option(m, "init");
    const char *schedule = perc_model_option(m, "schedule");
    const char *arithmetic = perc_model_option(m, "arithmetic");

    if (schedule == NULL || word_value(rate) == 1) return; /* networks have no schedule */
    facts_real(f, "unit", "rate", info->unit);
    facts_say(f, "%s", rate);
    if (info->unit != 1) facts_more(f, " times what is learned: the mistakes are those of rate 1");
    else if (arithmetic != NULL && strcmp(arithmetic, "exact") == 0)
        facts_more(f, ", on paper: the mistakes are those of rate 1");
    else if (strcmp(init, "zero") != 0)
        facts_more(f, ", rounded in every step: --init %s is no zero start", init);
    else if (strcmp(schedule, "constant") != 0)
        facts_more(f, " at first, rounded in every step: --schedule %s", schedule);
    else facts_more(f, ", rounded in every step, as an earlier version began it");
}

const char *about_learner(char buf[ABOUT_SENTENCE], const char *algorithm, const char *rule,
                          const char *order, const char *seed)
{
    const char *const part[][3] = { { algorithm, "", "" },
                                    { rule, " (rule ", ")" },
                                    { order, ", order ", "" },
                                    { seed, ", seed ", "" } };
    size_t n = 0;

    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        if (part[i][0] != NULL && n < ABOUT_SENTENCE)
            n += (size_t)snprintf(buf + n, ABOUT_SENTENCE - n, "%s%.64s%s", part[i][1], part[i][0],
                                  part[i][2]);
    return buf;
}

void about_algorithm(struct facts *f, const perc_model *m, bool told)
{
    const char *rule = perc_model_option(m, "rule");
    char words[ABOUT_SENTENCE];
    perc_model_info info;
    size_t count = 0;

    perc_model_info_get(m, &info);
    facts_string(f, "algorithm", "algorithm", info.algorithm);
    facts_say(f, "%s",
              about_learner(words, info.algorithm, rule,
                            told ? NULL : perc_model_option(m, "order"),
                            told ? NULL : perc_model_option(m, "seed")));
    const perc_param *rows = perc_table(info.algorithm, &count);
    const char *between = "";
    facts_object(f, "options", told ? "options" : NULL);
    for (size_t i = 0; i < count; i++) {
        const char *value = perc_model_option(m, rows[i].name);
        const char *initial = rows[i].initial != NULL ? rows[i].initial : "";

        if (value == NULL || strcmp(value, initial) == 0) continue;
        facts_more(f, "%s%s=%s", between, rows[i].name, value);
        between = " ";
    }
    if (between[0] == '\0') facts_say(f, "all at their defaults");
    for (size_t i = 0; i < count; i++) {
        const char *value = perc_model_option(m, rows[i].name);

        if (value != NULL) about_option(f, &rows[i], value);
    }
    facts_end(f);
    about_rate(f, m, &info);
}

const char *about_decisions(char buf[ABOUT_SENTENCE], const perc_report *r)
{
    char all[WORD], other[WORD];

    word_count(all, (uint64_t)r->decisions);
    word_count(other, (uint64_t)r->other_decisions);
    if (r->other_decisions == 0)
        snprintf(buf, ABOUT_SENTENCE, "exact (doubles agree on all %s decisions)", all);
    else
        snprintf(buf, ABOUT_SENTENCE, "exact (doubles give %s of %s decisions another sign)", other,
                 all);
    return buf;
}

void about_arithmetic(struct facts *f, const perc_report *r)
{
    const bool exact = r->decisions > 0, rows = r->other_rows >= 0;
    char all[WORD], other[WORD], buf[ABOUT_SENTENCE];

    facts_string(f, "arithmetic", exact ? "arithmetic" : NULL, exact ? "exact" : "double");
    if (exact) facts_say(f, "%s", about_decisions(buf, r));
    facts_count_if(f, "decisions", NULL, exact, (uint64_t)r->decisions);
    facts_count_if(f, "other_decisions", NULL, exact, (uint64_t)r->other_decisions);
    facts_count_if(f, "other_rows", exact && rows ? "rounded" : NULL, exact && rows,
                   (uint64_t)r->other_rows);
    if (exact && rows)
        facts_say(f, "saved as doubles, which give %s of %s rows another sign",
                  r->other_rows == 0 ? "none" : word_count(other, (uint64_t)r->other_rows),
                  word_count(all, r->rows));
}

/* With two classes it matters which one is +1; with more, how they are told apart: "3: setosa,
 * versicolor, virginica (ovr: each against the rest)". */
void about_threshold(struct facts *f, const perc_model *m)
{
    perc_threshold t;
    char buf[2][WORD];

    perc_model_threshold(m, &t);
    if (strcmp(t.of, "rule") == 0) {
        facts_null(f, "threshold");
        return;
    }
    facts_object(f, "threshold", "threshold");
    if (strcmp(t.of, "probability") == 0) facts_say(f, "p >= %s", word_num(buf[0], t.p));
    else if (strcmp(t.of, "score") == 0) facts_say(f, "s >= %s", word_num(buf[0], t.score));
    else facts_say(f, "the most probable label");
    if (strcmp(t.of, "score") == 0 && !isnan(t.p))
        facts_more(f, ", p >= %s", word_num(buf[1], t.p));
    if (t.choice[0] != '\0') facts_more(f, " (%s, on %zu folds)", t.choice, t.folds);
    facts_string(f, "of", NULL, t.of);
    facts_real(f, "score", NULL, t.score);
    facts_real(f, "probability", NULL, t.p);
    facts_string(f, "choice", NULL, t.choice[0] != '\0' ? t.choice : NULL);
    facts_count_if(f, "folds", NULL, t.choice[0] != '\0', t.folds);
    facts_end(f);
}

void about_labels(struct facts *f, const perc_model *m)
{
    perc_model_info info;
    char count[WORD], quoted[2][WORD_QUOTED];

    perc_model_info_get(m, &info);
    const bool two = strcmp(info.multiclass, "two") == 0 && info.labels == 2;
    const bool mapped = strcmp(info.map, "none") != 0;
    facts_list(f, "labels", "labels");
    if (two) {
        facts_say(f, "+1 is %s, -1 is %s",
                  word_quoted(quoted[0], about_label(&info, true), WORD_LINE),
                  word_quoted(quoted[1], about_label(&info, false), WORD_LINE));
    } else if (info.labels == 0) {
        facts_say(f, "none yet");
    } else {
        facts_say(f, "%zu:", info.labels);
        for (size_t i = 0; i < info.labels && i < LABELS_SHOWN; i++)
            facts_more(f, "%s %s", i > 0 ? "," : "",
                       word_quoted(quoted[0], perc_model_label(m, i), WORD_LINE));
        if (info.labels > LABELS_SHOWN) facts_more(f, ", ...");
        const bool all = strcmp(info.classes, "all") == 0;
        if (strcmp(info.multiclass, "ovr") == 0) facts_more(f, " (ovr: each against the rest)");
        else if (info.classes[0] != '\0')
            facts_more(f, " (native: %s)",
                       all ? "all from the first row on" : "each from its own first row on");
        else if (info.labels > 1) facts_more(f, " (native: all at once)");
    }
    for (size_t i = 0; i < info.labels; i++) facts_string(f, NULL, NULL, perc_model_label(m, i));
    facts_end(f);
    facts_string(f, "multiclass", NULL, info.multiclass);
    if (info.classes[0] != '\0') facts_string(f, "classes", NULL, info.classes);
    facts_string(f, "positive", NULL, two ? about_label(&info, true) : NULL);
    facts_string(f, "negative", NULL, two ? about_label(&info, false) : NULL);
    about_threshold(f, m);
    facts_string(f, "map", mapped ? "map" : NULL, info.map);
    facts_say(f, "%s: %s features", info.map, word_count(count, info.features));
}

void about_close_calls(struct facts *f, const perc_report *r)
{
    const uint64_t n = (uint64_t)r->close_calls;
    char buf[2][WORD];

    if (r->close_calls < 0) return;
    facts_count(f, "close_calls", "close calls", n);
    if (n == 0) facts_say(f, "none: the kernel of this map makes the same mistakes");
    else
        facts_say(f, "%s of %s decisions: within rounding of 0, where the kernel may differ",
                  word_count(buf[0], n), word_count(buf[1], (uint64_t)r->examples));
}

/* ----- support rows ------------------------------------------------------------------ */

bool about_has_kernel(const perc_model_info *info)
{
    return info->kernel[0] != '\0';
}

bool about_is_linear(const perc_model_info *info)
{
    return strcmp(info->machine, "linear") == 0 ||
           (strcmp(info->machine, "diagonal") == 0 && strcmp(info->algorithm, "second-order") != 0);
}

bool about_has_budget(const perc_model *m)
{
    const char *budget = perc_model_option(m, "budget");

    return budget != NULL && strcmp(budget, "0") != 0;
}

/* Where gamma or eta comes from: "scale" and "auto", computed from the data; "given"; "default",
 * which is 1 for poly. */
static const char *source_of(const perc_model *m, const perc_model_info *info, const char *option)
{
    const char *text = perc_model_option(m, option);

    if (text == NULL || text[0] == '\0')
        return strcmp(info->kernel, "poly") == 0 ? "default" : "scale";
    return strcmp(text, "scale") == 0 ? "scale" : strcmp(text, "auto") == 0 ? "auto" : "given";
}

static void real_if(struct facts *f, const char *key, bool known, double v)
{
    facts_real(f, key, NULL, known ? v : (double)NAN);
}

/* In the words of the options. Parameters of other kernels are null, and so is the budget if there
 * is none. */
void about_kernel(struct facts *f, const perc_model *m, uint64_t rows)
{
    const bool budget = about_has_budget(m);
    perc_model_info info;
    char buf[WORD];

    perc_model_info_get(m, &info);
    if (!about_has_kernel(&info)) {
        facts_null(f, "kernel");
        return;
    }
    const bool poly = strcmp(info.kernel, "poly") == 0, rbf = strcmp(info.kernel, "rbf") == 0;
    const bool sigmoid = strcmp(info.kernel, "sigmoid") == 0;
    const bool gaussian = strcmp(info.kernel, "gaussian") == 0;
    facts_object(f, "kernel", "kernel");
    facts_say(f, "%s", info.kernel);
    if (poly) facts_more(f, ", degree %d", info.degree);
    if (poly || rbf || sigmoid) {
        /* "gamma 0.05 (scale)": how it was computed, if it comes from the data. */
        const char *option = sigmoid ? "eta" : "gamma", *source = source_of(m, &info, option);

        facts_more(f, ", %s %s", option, word_num(buf, info.gamma));
        if (strcmp(source, "scale") == 0 || strcmp(source, "auto") == 0)
            facts_more(f, " (%s)", source);
    }
    if (gaussian) facts_more(f, ", sigma %s", perc_model_option(m, "sigma"));
    if (poly || sigmoid)
        facts_more(f, ", %s %s", poly ? "coef0" : "theta", word_num(buf, info.coef0));
    facts_string(f, "name", NULL, info.kernel);
    real_if(f, "degree", poly, info.degree);
    real_if(f, "gamma", poly || gaussian || rbf, info.gamma);
    facts_string(f, "gamma_source", NULL, poly || rbf ? source_of(m, &info, "gamma") : NULL);
    real_if(f, "sigma", gaussian, gaussian ? word_value(perc_model_option(m, "sigma")) : 0);
    real_if(f, "coef0", poly, info.coef0);
    real_if(f, "eta", sigmoid, info.gamma);
    facts_string(f, "eta_source", NULL, sigmoid ? source_of(m, &info, "eta") : NULL);
    real_if(f, "theta", sigmoid, info.coef0);
    /* For a machine that may keep B rows, B is what matters. */
    char share[WORD];
    facts_count(f, "supports", "support rows", info.supports);
    word_count(share, info.supports);
    if (about_has_budget(m))
        facts_say(f, "%s (budget %s, %s)", share, perc_model_option(m, "budget"),
                  perc_model_option(m, "budget-policy"));
    else if (rows > 0) {
        facts_say(f, "%s", share);
        facts_more(f, " (%s of the rows)",
                   word_percent(share, (double)info.supports / (double)rows));
    }
    real_if(f, "budget", budget, budget ? word_value(perc_model_option(m, "budget")) : 0);
    facts_string(f, "budget_policy", NULL, budget ? perc_model_option(m, "budget-policy") : NULL);
    facts_end(f);
}

int about_by_counter(const void *a, const void *b)
{
    const perc_support *p = a, *q = b;

    if (p->counter != q->counter) return p->counter < q->counter ? 1 : -1;
    return p->row < q->row ? -1 : p->row > q->row;
}

/* "2: 17 (line 18), 57 (line 58)", in the order in which they were dropped; one class against the
 * rest "17 of setosa", in whose problem. Lines are given if any
 * of them differs from its row number: below a heading, blank lines or comments, or after rows that
 * are held out. */
void about_dropped(struct facts *f, const perc_model *m, const perc_dataset *ds)
{
    perc_model_info info;
    char count[WORD];
    bool lines = false;
    int64_t row;

    for (size_t i = 0; ds != NULL && !lines && (row = perc_model_dropped(m, i)) >= 0; i++)
        lines = perc_dataset_row_line(ds, (uint64_t)row) != row + 1;
    perc_model_info_get(m, &info);
    facts_list(f, "set_aside", info.dropped > 0 ? "set aside" : NULL);
    facts_say(f, "%s:", word_count(count, info.dropped));
    for (size_t i = 0; i < DROPPED_SHOWN && (row = perc_model_dropped(m, i)) >= 0; i++) {
        facts_more(f, "%s %lld", i > 0 ? "," : "", (long long)row + 1);
        const char *class = perc_model_dropped_class(m, i);
        const char *file = perc_dataset_row_file(ds, (uint64_t)row);
        if (lines || file != NULL)
            facts_more(f, " (line %lld%s%s)", (long long)perc_dataset_row_line(ds, (uint64_t)row),
                       file != NULL ? " of " : "", file != NULL ? word_input(file) : "");
        if (class != NULL) facts_more(f, " of %s", class);
    }
    if (info.dropped > DROPPED_SHOWN) facts_more(f, ", ... (--json has all)");
    for (size_t i = 0; (row = perc_model_dropped(m, i)) >= 0; i++) {
        facts_row(f);
        facts_int(f, "row", NULL, row + 1);
        if (ds != NULL) facts_int(f, "line", NULL, perc_dataset_row_line(ds, (uint64_t)row));
        else facts_null(f, "line");
        if (perc_dataset_row_file(ds, (uint64_t)row) != NULL)
            facts_string(f, "file", NULL, perc_dataset_row_file(ds, (uint64_t)row));
        facts_string(f, "class", NULL, perc_model_dropped_class(m, i));
        facts_end(f);
    }
    facts_end(f);
}

void about_spectrum(struct facts *f, const perc_spectrum *s)
{
    char rows[WORD], low[WORD], high[WORD];

    if (s->rows == 0) {
        facts_null(f, "kernel_check");
        return;
    }
    word_count(rows, s->rows);
    word_num(low, s->smallest);
    word_num(high, s->largest);
    facts_object(f, "kernel_check", "kernel check");
    if (s->semidefinite)
        facts_say(f, "positive semi-definite on %s rows (smallest eigenvalue %s, largest %s)", rows,
                  s->smallest <= s->tolerance ? "0 within rounding" : low, high);
    else
        facts_say(f,
                  "not positive semi-definite: smallest eigenvalue %s on %s rows (largest %s); the "
                  "mistake bound does not hold",
                  low, rows, high);
    facts_count(f, "rows", NULL, s->rows);
    facts_real(f, "smallest", NULL, s->smallest);
    facts_real(f, "largest", NULL, s->largest);
    facts_real(f, "tolerance", NULL, s->tolerance);
    facts_bool(f, "semidefinite", NULL, s->semidefinite != 0);
    facts_end(f);
}

/* "v.K v = -3 for v = -2 at row 1, 1 at row 2". */
static void say_weights(struct facts *f, const perc_gram_info *g)
{
    enum { DIGITS = 30 };
    uint64_t shown = 0;

    facts_say(f, "not positive semi-definite: v.K v ");
    if (strlen(g->value) <= DIGITS) facts_more(f, "= %s", g->value);
    else facts_more(f, "< 0");
    for (uint64_t i = 0; i < g->rows && shown < WEIGHTS_SHOWN; i++) {
        if (strcmp(g->weight[i], "0") == 0) continue;
        if (shown == WEIGHTS_SHOWN - 1 || strlen(g->weight[i]) > DIGITS) {
            facts_more(f, "%s", shown == 0 ? " for a v that --json has" : ", ... (--json has all)");
            break;
        }
        facts_more(f, "%s %s at row %" PRIu64, shown == 0 ? " for v =" : ",", g->weight[i], i + 1);
        shown++;
    }
    facts_more(f, "; the mistake bound does not hold");
}

void about_gram(struct facts *f, const perc_gram *g)
{
    perc_gram_info info;
    char rows[WORD];

    perc_gram_info_get(g, &info);
    const bool no = info.verdict == PERC_INDEFINITE, yes = info.verdict == PERC_SEMIDEFINITE;
    word_count(rows, info.rows);
    facts_object(f, "kernel_check", "kernel check");
    if (yes)
        facts_say(f, "positive semi-definite: %s rows of rank %" PRIu64 ", in whole numbers", rows,
                  info.rank);
    else if (!no)
        facts_say(f,
                  "no v with v.K v < 0 was found on %s rows, which are too many for a proof that "
                  "there is none",
                  rows);
    else say_weights(f, &info);
    facts_count(f, "rows", NULL, info.rows);
    if (yes || no) facts_bool(f, "semidefinite", NULL, yes);
    else facts_null(f, "semidefinite");
    facts_count_if(f, "rank", NULL, yes, info.rank);
    facts_string(f, "value", NULL, info.value);
    if (!no) facts_null(f, "v");
    else facts_list(f, "v", NULL);
    for (uint64_t i = 0; no && i < info.rows; i++) facts_string(f, NULL, NULL, info.weight[i]);
    if (no) facts_end(f);
    facts_end(f);
}

/* ----- layers and solvers -------------------------------------------------------------- */

/* "784-100-10, relu: 79,510 weights". */
void about_network(struct facts *f, const perc_model *m, const char *key, uint64_t weights)
{
    const char *activation = "";
    perc_layer layer;
    char count[WORD];

    if (!perc_model_layer(m, 0, &layer)) return;
    activation = layer.activation;
    facts_count(f, key, "network", weights);
    facts_say(f, "%llu", (unsigned long long)layer.inputs);
    for (size_t i = 0; perc_model_layer(m, i, &layer); i++)
        facts_more(f, "-%llu", (unsigned long long)layer.outputs);
    facts_more(f, ", %s: %s weights", activation, word_count(count, weights));
}

void about_solver(struct facts *f, const perc_model_info *info, double radius)
{
    const double rounded = info->primal - info->dual; /* may be below 0; NaN stays */
    const double gap = rounded < 0 ? 0 : rounded, ratio = radius / info->margin_lower;
    const double bound = info->margin_lower > 0 ? ratio * ratio : (double)NAN;
    const bool optimum = !isnan(info->primal);
    char buf[2][WORD];

    if (info->solver[0] == '\0') {
        facts_null(f, "solver");
        return;
    }
    facts_object(f, "solver", "solver");
    facts_say(f, "%s", info->solver);
    facts_string(f, "name", NULL, info->solver);
    facts_real(f, "primal", optimum ? "primal" : NULL, info->primal);
    facts_say(f, "%.10g", info->primal);
    facts_real(f, "dual", optimum ? "dual" : NULL, info->dual);
    facts_say(f, "%.10g", info->dual);
    facts_real(f, "gap", optimum ? "gap" : NULL, gap);
    facts_say(f, "%s (%s of the primal)", word_num(buf[0], gap),
              word_num(buf[1], info->primal > 0 ? gap / info->primal : 0));
    facts_real(f, "relative_gap", NULL, info->primal > 0 ? gap / info->primal : (double)NAN);
    facts_count(f, "supports", info->supports > 0 ? "support rows" : NULL, info->supports);
    facts_say(f, "%s (their multipliers are not 0)", word_count(buf[0], info->supports));
    facts_real(f, "geometric_lower", isnan(info->geometric_lower) ? NULL : "geometric margin",
               info->geometric_lower);
    if (isinf(info->geometric_lower)) facts_say(f, "none: the rows that count are of one class");
    else
        facts_say(f, "%s <= gamma <= %s (a distance; offset outside)",
                  word_rounded(buf[0], info->geometric_lower, 10, false),
                  word_rounded(buf[1], info->geometric_upper, 10, true));
    facts_real(f, "geometric_upper", NULL, info->geometric_upper);
    facts_real(f, "margin_lower", isnan(info->margin_lower) ? NULL : "margin", info->margin_lower);
    facts_say(f, "%s <= gamma'", word_rounded(buf[0], info->margin_lower, 10, false));
    if (!isnan(info->margin_upper))
        facts_more(f, " <= %s", word_rounded(buf[0], info->margin_upper, 10, true));
    facts_real(f, "margin_upper", NULL, info->margin_upper);
    facts_real(f, "mistake_bound", bound > 0 ? "mistake bound" : NULL, bound);
    facts_say(f, "(R/gamma')^2 <= %s", word_rounded(buf[0], bound, 10, true));
    facts_end(f);
}
