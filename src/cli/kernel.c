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

/* " (scale)" where gamma or eta was found from the data; "" where it was given. */
static const char *found_by(const perc_model *m, const perc_model_info *info, const char *option)
{
    const char *text = perc_model_option(m, option);

    if (text == NULL || text[0] == '\0') /* the default: poly's is the number 1 */
        return is_kernel(info, "poly") ? "" : " (scale)";
    if (strcmp(text, "scale") == 0)
        return " (scale)";
    return strcmp(text, "auto") == 0 ? " (auto)" : "";
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
    else
        snprintf(buf, size, "%s", info->kernel);
}

void cli_kernel_fact(struct out *o, const perc_model *m)
{
    perc_model_info info;
    char words[256];

    perc_model_info_get(m, &info);
    if (!cli_has_kernel(&info))
        return;
    kernel_words(m, &info, words, sizeof words);
    cli_fact(o, "kernel", "%s", words);
}

/* rows: those learned from; 0: not known. A machine that may keep B rows is told by B. */
void cli_supports_fact(struct out *o, const perc_model *m, uint64_t rows)
{
    const char *budget = perc_model_option(m, "budget");
    perc_model_info info;
    char count[WORD], share[WORD];

    perc_model_info_get(m, &info);
    if (!cli_has_kernel(&info))
        return;
    word_count(count, info.supports);
    if (budget != NULL && strcmp(budget, "0") != 0)
        cli_fact(o, "support rows", "%s (budget %s, %s)", count, budget,
                 perc_model_option(m, "budget-policy"));
    else if (rows > 0)
        cli_fact(o, "support rows", "%s (%s of the rows)", count,
                 word_percent(share, (double)info.supports / (double)rows));
    else
        cli_fact(o, "support rows", "%s", count);
}

/* The lines of the file less the row numbers, if that is one number for all rows set aside
 * (1 where the first line is a heading); else -1. */
static int64_t line_shift(const perc_model *m, const perc_dataset *ds)
{
    int64_t row, shift = 0;

    for (size_t i = 0; ds != NULL && (row = perc_model_dropped(m, i)) >= 0; i++) {
        const int64_t now = perc_dataset_row_line(ds, (uint64_t)row) - row - 1;

        if (i > 0 && now != shift)
            return -1;
        shift = now;
    }
    return shift;
}

/* "2: 17, 57", in the order in which they went, and how to find them in the file. ds: NULL:
 * not at hand. */
void cli_dropped_fact(struct out *o, const perc_model *m, const perc_dataset *ds)
{
    const int64_t shift = line_shift(m, ds);
    char list[1200], count[WORD], lines[64] = "";
    size_t n = 0, i = 0;
    perc_model_info info;
    int64_t row;

    perc_model_info_get(m, &info);
    if (info.dropped == 0)
        return;
    for (; i < DROPPED_SHOWN && (row = perc_model_dropped(m, i)) >= 0; i++) {
        n += (size_t)snprintf(list + n, sizeof list - n, "%s %lld", i > 0 ? "," : "",
                              (long long)row + 1);
        if (shift < 0)
            n += (size_t)snprintf(list + n, sizeof list - n, " (line %lld)",
                                  (long long)perc_dataset_row_line(ds, (uint64_t)row));
    }
    if (shift > 0)
        snprintf(lines, sizeof lines, " (row 1 is line %lld)", (long long)shift + 1);
    cli_fact(o, "set aside", "%s:%s%s%s", word_count(count, info.dropped), list,
             info.dropped > i ? ", ... (--json has all)" : "", lines);
}

/* ----- is it a kernel? ------------------------------------------------------- */

void cli_spectrum_fact(struct out *o, const perc_spectrum *s)
{
    char rows[WORD], low[WORD], high[WORD];

    word_count(rows, s->rows);
    word_num(low, s->smallest);
    word_num(high, s->largest);
    if (s->semidefinite)
        cli_fact(o, "kernel check", "positive semi-definite on %s rows (smallest eigenvalue %s, "
                 "largest %s)", rows, s->smallest <= s->tolerance ? "0 within rounding" : low,
                 high);
    else
        cli_fact(o, "kernel check", "not positive semi-definite: smallest eigenvalue %s on %s "
                 "rows (largest %s); the mistake bound does not hold", low, rows, high);
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

/* In the words of the options; a parameter of another kernel is null. */
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
    const bool gaussian = is_kernel(&info, "gaussian");

    out_begin(o, '{');
    out_key_string(o, "name", info.kernel);
    key_real_if(o, "degree", poly, info.degree);
    key_real_if(o, "gamma", poly || gaussian || is_kernel(&info, "rbf"), info.gamma);
    key_real_if(o, "sigma", gaussian, word_value(perc_model_option(m, "sigma")));
    key_real_if(o, "coef0", poly, info.coef0);
    key_real_if(o, "eta", sigmoid, info.gamma);
    key_real_if(o, "theta", sigmoid, info.coef0);
    out_key_int(o, "supports", (int64_t)info.supports);
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
        if (ds != NULL)
            out_int(o, perc_dataset_row_line(ds, (uint64_t)row));
        else
            out_null(o);
        out_end(o, '}');
    }
    out_end(o, ']');
}
