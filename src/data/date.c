/* date.c -- dates and times as texts: see date.h for what is one. */
#include "data/date.h"

const char *const date_weekday[7] = { "monday", "tuesday",  "wednesday", "thursday",
                                      "friday", "saturday", "sunday" };
const char *const date_month[12] = { "january",   "february", "march",    "april",
                                     "may",       "june",     "july",     "august",
                                     "september", "october",  "november", "december" };
const char *const date_hour[24] = { "hour 0",  "hour 1",  "hour 2",  "hour 3",  "hour 4",
                                    "hour 5",  "hour 6",  "hour 7",  "hour 8",  "hour 9",
                                    "hour 10", "hour 11", "hour 12", "hour 13", "hour 14",
                                    "hour 15", "hour 16", "hour 17", "hour 18", "hour 19",
                                    "hour 20", "hour 21", "hour 22", "hour 23" };

struct date_scan {
    const char *p, *end;
};

/* n digits, as a number from `least` to `most`. */
static bool take_digits(struct date_scan *s, int n, unsigned least, unsigned most, unsigned *out)
{
    unsigned v = 0;

    if (s->end - s->p < n) return false;
    for (int i = 0; i < n; i++, s->p++) {
        if (*s->p < '0' || *s->p > '9') return false;
        v = v * 10 + (unsigned)(*s->p - '0');
    }
    *out = v;
    return v >= least && v <= most;
}

static bool take_char(struct date_scan *s, char c)
{
    if (s->p == s->end || *s->p != c) return false;
    s->p++;
    return true;
}

static bool is_leap(unsigned year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static unsigned days_in(unsigned year, unsigned month)
{
    static const unsigned char days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

    return days[month - 1] + (month == 2 && is_leap(year) ? 1u : 0u);
}

/* Years begin in March here, so that the day which leap years have more is the last of its year;
 * from then on any five months have 153 days. */
static int32_t days_of(unsigned year, unsigned month, unsigned day)
{
    const int32_t y = (int32_t)year - (month <= 2), m = ((int32_t)month + 9) % 12;
    const int32_t from_march = (153 * m + 2) / 5 + (int32_t)day - 1;

    return 365 * y + y / 4 - y / 100 + y / 400 + from_march - 719468; /* from 0000-03-01 to 1970 */
}

/* Z, or +HH:MM. */
static bool take_offset(struct date_scan *s)
{
    unsigned hours, minutes;

    if (take_char(s, 'Z')) return true;
    return (take_char(s, '+') || take_char(s, '-')) && take_digits(s, 2, 0, 23, &hours) &&
           take_char(s, ':') && take_digits(s, 2, 0, 59, &minutes);
}

/* What follows the day: a time and an offset, up to the end. */
static bool take_time(struct date_scan *s, unsigned *hour)
{
    unsigned minute, second;

    if (!(take_char(s, 'T') || take_char(s, ' ')) || !take_digits(s, 2, 0, 23, hour) ||
        !take_char(s, ':') || !take_digits(s, 2, 0, 59, &minute))
        return false;
    if (take_char(s, ':')) {
        if (!take_digits(s, 2, 0, 59, &second)) return false;
        if (take_char(s, '.') || take_char(s, ',')) {
            const char *from = s->p;
            while (s->p < s->end && *s->p >= '0' && *s->p <= '9') s->p++;
            if (s->p == from) return false;
        }
    }
    return s->p == s->end || (take_offset(s) && s->p == s->end);
}

bool date_parse(const char *text, size_t len, struct date *out)
{
    struct date_scan s = { text, text + len };
    unsigned year, month, day;

    *out = (struct date){ 0 };
    if (len < 10) return false;
    if (text[2] == '.') {
        if (!take_digits(&s, 2, 1, 31, &day) || !take_char(&s, '.') ||
            !take_digits(&s, 2, 1, 12, &month) || !take_char(&s, '.') ||
            !take_digits(&s, 4, 1, 9999, &year))
            return false;
    } else {
        const char mark = text[4];
        if ((mark != '-' && mark != '/') || !take_digits(&s, 4, 1, 9999, &year) ||
            !take_char(&s, mark) || !take_digits(&s, 2, 1, 12, &month) || !take_char(&s, mark) ||
            !take_digits(&s, 2, 1, 31, &day))
            return false;
    }
    if (day > days_in(year, month)) return false;
    out->days = days_of(year, month, day);
    out->month = month - 1;
    out->weekday = (unsigned)((out->days % 7 + 10) % 7); /* 1970-01-01 was a Thursday */
    out->timed = s.p < s.end;
    return !out->timed || take_time(&s, &out->hour);
}
