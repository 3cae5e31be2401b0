/* kernel.c -- what the commands say about machines that are sums over support rows.
 *
 * Rows are numbered from 1, as trace does. In a table with a heading the line of the file
 * is another number; where the data are at hand it is said too. */
#include "cli/cli.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "show/word.h"

enum { DROPPED_SHOWN = 20 };

bool cli_has_kernel(const perc_model_info *info)
{
    return info->kernel != NULL && info->kernel[0] != '\0';
}

static bool is_kernel(const perc_model_info *info, const char *name)
{
    return strcmp(info->kernel, name) == 0;
}

/* Where gamma or eta is from: "scale" and "auto", found from the data; "given"; "default", the
 * number 1 of poly. */
static const char *source_of(const perc_model *m, const perc_model_info *info, const char *option)
{
    const char *text = perc_model_option(m, option);

    if (text == NULL || text[0] == '\0') return is_kernel(info, "poly") ? "default" : "scale";
    return strcmp(text, "scale") == 0 ? "scale" : strcmp(text, "auto") == 0 ? "auto" : "given";
}

/* " (scale)" where it was found from the data; "" where it was not. */
static const char *found_by(const perc_model *m, const perc_model_info *info, const char *option)
{
    const char *source = source_of(m, info, option);

    return strcmp(source, "scale") == 0 ? " (scale)" : strcmp(source, "auto") == 0 ? " (auto)" : "";
}

bool cli_has_budget(const perc_model *m)
{
    const char *budget = perc_model_option(m, "budget");

    return budget != NULL && strcmp(budget, "0") != 0;
}

/* "rbf, gamma 0.05 (scale)". */
static void kernel_words(const perc_model *m, const perc_model_info *info, char *buf, size_t size)
{
    char gamma[WORD], coef0[WORD];
    const char *sigma = perc_model_option(m, "sigma");

    word_num(gamma, info->gamma);
    word_num(coef0, info->coef0);
    if (is_kernel(info, "poly"))
        snprintf(buf, size, "poly, degree %d, gamma %s%s, coef0 %s", info->degree, gamma,
                 found_by(m, info, "gamma"), coef0);
    else if (is_kernel(info, "rbf"))
        snprintf(buf, size, "rbf, gamma %s%s", gamma, found_by(m, info, "gamma"));
    else if (is_kernel(info, "gaussian"))
        snprintf(buf, size, "gaussian, sigma %s", sigma != NULL ? sigma : "?");
    else if (is_kernel(info, "sigmoid"))
        snprintf(buf, size, "sigmoid, eta %s%s, theta %s", gamma, found_by(m, info, "eta"), coef0);
    else snprintf(buf, size, "%s", info->kernel);
}

void cli_kernel_fact(struct out *o, const perc_model *m)
{
    perc_model_info info;
    char words[256];

    perc_model_info_get(m, &info);
    if (!cli_has_kernel(&info)) return;
    kernel_words(m, &info, words, sizeof words);
    cli_fact(o, "kernel", "%s", words);
}

/* rows: those learned from; 0: not known. A machine that may keep B rows is told by B. */
void cli_supports_fact(struct out *o, const perc_model *m, uint64_t rows)
{
    perc_model_info info;
    char count[WORD], share[WORD];

    perc_model_info_get(m, &info);
    if (!cli_has_kernel(&info)) return;
    word_count(count, info.supports);
    if (cli_has_budget(m))
        cli_fact(o, "support rows", "%s (budget %s, %s)", count, perc_model_option(m, "budget"),
                 perc_model_option(m, "budget-policy"));
    else if (rows > 0)
        cli_fact(o, "support rows", "%s (%s of the rows)", count,
                 word_percent(share, (double)info.supports / (double)rows));
    else cli_fact(o, "support rows", "%s", count);
}

/* Whether a row set aside stands on a line of another number: below a heading, blank lines
 * or comments, or after rows that are held out. */
static bool lines_differ(const perc_model *m, const perc_dataset *ds)
{
    int64_t row;

    for (size_t i = 0; ds != NULL && (row = perc_model_dropped(m, i)) >= 0; i++)
        if (perc_dataset_row_line(ds, (uint64_t)row) != row + 1) return true;
    return false;
}

/* "2: 17 (line 18), 57 (line 58)", in the order in which they went. ds: NULL: not at hand. */
void cli_dropped_fact(struct out *o, const perc_model *m, const perc_dataset *ds)
{
    const bool lines = lines_differ(m, ds);
    char list[1200], count[WORD];
    size_t n = 0, i = 0;
    perc_model_info info;
    int64_t row;

    perc_model_info_get(m, &info);
    if (info.dropped == 0) return;
    for (; i < DROPPED_SHOWN && (row = perc_model_dropped(m, i)) >= 0; i++) {
        n += (size_t)snprintf(list + n, sizeof list - n, "%s %lld", i > 0 ? "," : "",
                              (long long)row + 1);
        if (lines)
            n += (size_t)snprintf(list + n, sizeof list - n, " (line %lld)",
                                  (long long)perc_dataset_row_line(ds, (uint64_t)row));
    }
    cli_fact(o, "set aside", "%s:%s%s", word_count(count, info.dropped), list,
             info.dropped > i ? ", ... (--json has all)" : "");
}

/* ----- is it a kernel? ------------------------------------------------------- */

void cli_spectrum_fact(struct out *o, const perc_spectrum *s)
{
    char rows[WORD], low[WORD], high[WORD];

    word_count(rows, s->rows);
    word_num(low, s->smallest);
    word_num(high, s->largest);
    if (s->semidefinite)
        cli_fact(o, "kernel check",
                 "positive semi-definite on %s rows (smallest eigenvalue %s, "
                 "largest %s)",
                 rows, s->smallest <= s->tolerance ? "0 within rounding" : low, high);
    else
        cli_fact(o, "kernel check",
                 "not positive semi-definite: smallest eigenvalue %s on %s "
                 "rows (largest %s); the mistake bound does not hold",
                 low, rows, high);
}

void cli_spectrum_json(struct out *o, const perc_spectrum *s)
{
    out_key(o, "kernel_check");
    if (s->rows == 0) {
        out_null(o);
        return;
    }
    out_begin(o, '{');
    out_key_int(o, "rows", (int64_t)s->rows);
    out_key_real(o, "smallest", s->smallest);
    out_key_real(o, "largest", s->largest);
    out_key_real(o, "tolerance", s->tolerance);
    out_key_bool(o, "semidefinite", s->semidefinite != 0);
    out_end(o, '}');
}

/* ----- for programs ----------------------------------------------------------- */

static void key_real_if(struct out *o, const char *key, bool known, double v)
{
    out_key_real(o, key, known ? v : (double)NAN);
}

static void key_string_if(struct out *o, const char *key, bool known, const char *text)
{
    out_key(o, key);
    if (known && text != NULL) out_string(o, text);
    else out_null(o);
}

/* In the words of the options; a parameter of another kernel is null, and so is a budget that
 * there is not. */
void cli_kernel_json(struct out *o, const perc_model *m)
{
    perc_model_info info;

    perc_model_info_get(m, &info);
    out_key(o, "kernel");
    if (!cli_has_kernel(&info)) {
        out_null(o);
        return;
    }
    const bool poly = is_kernel(&info, "poly"), sigmoid = is_kernel(&info, "sigmoid");
    const bool gaussian = is_kernel(&info, "gaussian"), rbf = is_kernel(&info, "rbf");
    const bool budget = cli_has_budget(m);

    out_begin(o, '{');
    out_key_string(o, "name", info.kernel);
    key_real_if(o, "degree", poly, info.degree);
    key_real_if(o, "gamma", poly || gaussian || rbf, info.gamma);
    key_string_if(o, "gamma_source", poly || rbf, source_of(m, &info, "gamma"));
    key_real_if(o, "sigma", gaussian, word_value(perc_model_option(m, "sigma")));
    key_real_if(o, "coef0", poly, info.coef0);
    key_real_if(o, "eta", sigmoid, info.gamma);
    key_string_if(o, "eta_source", sigmoid, source_of(m, &info, "eta"));
    key_real_if(o, "theta", sigmoid, info.coef0);
    out_key_int(o, "supports", (int64_t)info.supports);
    key_real_if(o, "budget", budget, budget ? word_value(perc_model_option(m, "budget")) : 0);
    key_string_if(o, "budget_policy", budget, perc_model_option(m, "budget-policy"));
    out_end(o, '}');
}

/* "set_aside": the rows, in the order in which they were. */
void cli_dropped_json(struct out *o, const perc_model *m, const perc_dataset *ds)
{
    int64_t row;

    out_key(o, "set_aside");
    out_begin(o, '[');
    for (size_t i = 0; (row = perc_model_dropped(m, i)) >= 0; i++) {
        out_begin(o, '{');
        out_key_int(o, "row", row + 1);
        out_key(o, "line");
        if (ds != NULL) out_int(o, perc_dataset_row_line(ds, (uint64_t)row));
        else out_null(o);
        out_end(o, '}');
    }
    out_end(o, ']');
}
