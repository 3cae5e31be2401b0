/* moment.c -- when something was. See moment.h. */
#include "data/moment.h"

#include <math.h>

#include "base/number.h"
#include "data/csv_cell.h"
#include "data/date.h"

enum moment_kind moment_parse(const char *text, size_t len, double *out)
{
    enum number_fault fault;
    struct date date;

    cell_trim(&text, &len);
    if (date_parse(text, len, &date)) {
        *out = 86400.0 * date.days + date.seconds;
        return date.zoned ? MOMENT_ZONED : MOMENT_DATE;
    }
    if (len == 0) return MOMENT_NONE;
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
