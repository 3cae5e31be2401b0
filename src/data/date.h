/* date.h -- dates and times as texts.
 *
 *   2024-03-31   2024/03/31   31.03.2024      years 0001 to 9999, two digits for month and day
 *   ... and, after a blank or a T, HH:MM, HH:MM:SS or HH:MM:SS.fff (or a comma for the point)
 *   ... and, after that, Z or +HH:MM or -HH:MM
 *
 * The calendar is the Gregorian one, for the years before it, too. Where an offset from UTC
 * stands, it is checked and no more: the day and the hour are those that are written, which are
 * those that people lived by. */
#ifndef PERC_DATE_H
#define PERC_DATE_H

#include "base/base.h"

struct date {
    int32_t days;     /* since 1970-01-01; earlier ones are negative */
    unsigned month;   /* 0 is January */
    unsigned weekday; /* 0 is Monday */
    unsigned hour;    /* 0 without a time of day */
    bool timed;       /* there is one */
};

/* Whether the whole text is a date. */
bool date_parse(const char *text, size_t len, struct date *out);

/* The levels of its parts, in lower case: "monday", "january", "hour 13". */
extern const char *const date_weekday[7];
extern const char *const date_month[12];
extern const char *const date_hour[24];

#endif
