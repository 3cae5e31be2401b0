/* moment.c -- when something was. See moment.h. */
#include "data/moment.h"

#include <math.h>

#include "base/number.h"
#include "data/csv_cell.h"

/* Exactly n digits. */
static bool take_digits(const char **p, const char *end, int n, int *out)
{
    *out = 0;
    for (int i = 0; i < n; i++, ++*p) {
        if (*p == end || **p < '0' || **p > '9') return false;
        *out = 10 * *out + (**p - '0');
    }
    return true;
}

static bool take_char(const char **p, const char *end, char c)
{
    if (*p == end || **p != c) return false;
    ++*p;
    return true;
}

/* Days since 1970-01-01 in the Gregorian calendar (Howard Hinnant's days_from_civil): years begin
 * with March, so that the leap day comes last. */
static int64_t days_of(int y, int m, int d)
{
    const int64_t year = y - (m <= 2);
    const int64_t era = (year >= 0 ? year : year - 399) / 400;
    const int64_t of_era = year - era * 400;
    const int64_t of_year = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;

    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static bool take_date(const char **p, const char *end, int64_t *days)
{
    static const int length[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    int y, m, d = 1;

    if (!take_digits(p, end, 4, &y) || !take_char(p, end, '-') || !take_digits(p, end, 2, &m))
        return false;
    if (take_char(p, end, '-') && !take_digits(p, end, 2, &d)) return false;
    if (m < 1 || m > 12 || d < 1) return false;
    const bool leap = y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);
    if (d > length[m - 1] + (m == 2 && leap)) return false;
    *days = days_of(y, m, d);
    return true;
}

/* hh:mm, or hhmm as offsets have it; and seconds with their decimals. */
static bool take_time(const char **p, const char *end, double *seconds)
{
    int h, m, s = 0;
    double part = 0, unit = 1;

    if (!take_digits(p, end, 2, &h) || !take_char(p, end, ':') || !take_digits(p, end, 2, &m))
        return false;
    if (take_char(p, end, ':')) {
        if (!take_digits(p, end, 2, &s)) return false;
        if (take_char(p, end, '.') || take_char(p, end, ','))
            for (int digit; *p < end && take_digits(p, end, 1, &digit);)
                part += digit * (unit /= 10);
    }
    if (h > 24 || m > 59 || s > 60 || (h == 24 && (m > 0 || s > 0))) return false;
    *seconds = 3600.0 * h + 60.0 * m + s + part;
    return true;
}

static bool take_offset(const char **p, const char *end, double *seconds)
{
    const bool west = take_char(p, end, '-');
    int h, m = 0;

    if (!west && !take_char(p, end, '+')) return false;
    if (!take_digits(p, end, 2, &h)) return false;
    take_char(p, end, ':');
    if (*p < end && !take_digits(p, end, 2, &m)) return false;
    if (h > 23 || m > 59) return false;
    *seconds = (west ? -60.0 : 60.0) * (60 * h + m);
    return true;
}

static enum moment_kind parse_date(const char *p, const char *end, double *out)
{
    int64_t days;
    double time = 0, offset = 0;
    enum moment_kind kind = MOMENT_DATE;

    if (!take_date(&p, end, &days)) return MOMENT_NONE;
    if (p < end) {
        if (!take_char(&p, end, 'T') && !take_char(&p, end, 't') && !take_char(&p, end, ' '))
            return MOMENT_NONE;
        if (!take_time(&p, end, &time)) return MOMENT_NONE;
    }
    if (p < end) {
        kind = MOMENT_ZONED;
        take_char(&p, end, ' ');
        if (!take_char(&p, end, 'Z') && !take_char(&p, end, 'z') && !take_offset(&p, end, &offset))
            return MOMENT_NONE;
    }
    *out = 86400.0 * (double)days + (time - offset);
    return p == end ? kind : MOMENT_NONE;
}

enum moment_kind moment_parse(const char *text, size_t len, double *out)
{
    enum number_fault fault;

    cell_trim(&text, &len);
    const enum moment_kind kind = parse_date(text, text + len, out);
    if (kind != MOMENT_NONE || len == 0) return kind;
    const char *end = number_scan(text, text + len, out, &fault);
    const bool number = fault == NUMBER_OK && end == text + len && isfinite(*out);
    return number ? MOMENT_NUMBER : MOMENT_NONE;
}

perc_status moment_take(const char *text, size_t len, enum moment_kind *kind, double *out,
                        perc_error *err)
{
    static const char *const said[] = { "", "a number", "a date",
                                        "a date with an offset from UTC" };
    char shown[CELL_BUFFER];
    const enum moment_kind is = moment_parse(text, len, out);

    if (is == MOMENT_NONE)
        return fail(err, PERC_EDATA,
                    "'%s' is no time: neither a number nor a date, 2024-03-17 or "
                    "2024-03-17T09:30:00",
                    csv_cell_show(text, len, shown));
    if (*kind == MOMENT_NONE) *kind = is;
    if (is == *kind) return PERC_OK;
    return fail(err, PERC_EDATA, "'%s' is %s, and the rows before have %s: which is earlier?",
                csv_cell_show(text, len, shown), said[is], said[*kind]);
}
