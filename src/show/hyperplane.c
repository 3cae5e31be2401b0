/* hyperplane.c -- how a hyperplane is written. See hyperplane.h. */
#include "show/hyperplane.h"

#include <math.h>
#include <stdio.h>

#include "show/word.h"

double hyperplane_constant(enum hyperplane_form form, double b)
{
    return b == 0 ? 0 : form == HYPERPLANE_THRESHOLD ? -b : b;
}

const char *hyperplane_letter(enum hyperplane_form form)
{
    return form == HYPERPLANE_THRESHOLD ? "theta" : "b";
}

const char *hyperplane_name(enum hyperplane_form form)
{
    return form == HYPERPLANE_THRESHOLD ? "threshold" : "offset";
}

const char *hyperplane_score(enum hyperplane_form form)
{
    return form == HYPERPLANE_THRESHOLD ? "w.x - theta" : "w.x + b";
}

static const char *sign(double v)
{
    return v < 0 ? "-" : "+";
}

const char *hyperplane_line(enum hyperplane_form form, const double w[2], double b,
                            char buf[HYPERPLANE_TEXT])
{
    char number[3][WORD];
    const double c = hyperplane_constant(form, b);
    const int n = snprintf(buf, HYPERPLANE_TEXT, "%s x %s %s y", word_num(number[0], w[0]),
                           sign(w[1]), word_num(number[1], fabs(w[1])));
    const size_t at = n > 0 && n < HYPERPLANE_TEXT ? (size_t)n : 0;

    if (form == HYPERPLANE_THRESHOLD)
        snprintf(buf + at, HYPERPLANE_TEXT - at, " = %s", word_num(number[2], c));
    else
        snprintf(buf + at, HYPERPLANE_TEXT - at, " %s %s = 0", sign(c),
                 word_num(number[2], fabs(c)));
    return buf;
}
