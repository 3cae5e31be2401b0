/* number.h -- decimal text to numbers and back, without locale or rounding slips. */
#ifndef PERC_NUMBER_H
#define PERC_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A decimal as the text says it: (-1)^negative * mantissa * 10^exponent.
 * `mantissa` holds the first 19 significant digits; when the text has more that
 * are not zero, `more` is true; `digits`/`end` still delimit the text of the
 * digits (with its point), which number_decimal_value reads again. Zero has the
 * exponent 0. */
struct decimal {
    uint64_t mantissa;
    int64_t exponent; /* clamped to +-10^6, beyond any double: number_decimal_is_complete */
    bool negative, more;
    const char *digits; /* first digit or point */
    const char *end;    /* past the last digit or point of the mantissa */
};

/* Why a number was refused. */
enum number_fault {
    NUMBER_OK = 0,
    NUMBER_NONE,     /* no digits: "", "+", ".", "abc"               */
    NUMBER_NAN,      /* nan, inf, infinity in any case               */
    NUMBER_HEX,      /* 0x...                                        */
    NUMBER_OVERFLOW, /* rounds to infinity                           */
    NUMBER_EXPONENT, /* "1e" or "1e+": exponent without digits       */
    NUMBER_LONG      /* not from the scanners: !number_decimal_is_complete  */
};

/* Reads  [+-] digits [. digits] [(e|E) [+-] digits]  (digits may be missing on
 * one side of the point) from p up to `end`. Returns the first character that
 * does not belong to it and sets *fault; with a fault, p itself. Reads nothing at
 * or after `end`. */
const char *number_scan_decimal(const char *p, const char *end, struct decimal *out,
                                enum number_fault *fault);

/* Whether d holds all that the text says, in reasonable space: false if the exponent is
 * at its limit, where it may have been clamped, or with more than DECIMAL_DIGITS_MAX
 * characters of digits, unless all but 19 are zeros at one end. Exact readers refuse those. */
enum { DECIMAL_DIGITS_MAX = 100000 };
bool number_decimal_is_complete(const struct decimal *d);

/* The exponent of its first digit, 2 for 123; 0 for zero. For complete ones. */
int64_t number_magnitude(const struct decimal *d);
/* The sign of a - b, exactly; both are complete and have their digits. */
int number_compare(const struct decimal *a, const struct decimal *b);

/* The correctly rounded double (to nearest, ties to even), in every case.
 * Overflow gives an infinity: the caller refuses it. */
double number_decimal_value(const struct decimal *d);

/* Both steps; NUMBER_OVERFLOW when the result is infinite (it still returns the
 * end of the number). With any fault *out is 0. */
const char *number_scan(const char *p, const char *end, double *out, enum number_fault *fault);

/* The whole text [s, s+len) as a number; false if it is not one. An int is a sign
 * and digits only, and must fit. */
bool number_parse(const char *s, size_t len, double *out);
bool number_parse_int(const char *s, size_t len, int64_t *out);

const char *number_fault_text(enum number_fault fault); /* "not a number", ... */

/* The shortest decimal that reads back as v, as "%.17g" would lay it out (plain
 * notation from 1e-4 to 1e17, otherwise with an exponent; -0 is "-0"); "inf", "-inf", "nan".
 * Writes no NUL; returns the length. */
enum { NUMBER_TEXT = 32 };
size_t number_format(double v, char buf[NUMBER_TEXT]);

/* All digits of a complete decimal, whatever its text looked like, laid out as number_format
 * does: equal numbers give equal bytes. Its text has at most NUMBER_CANONICAL_DIGITS characters
 * of digits. Writes no NUL. */
enum { NUMBER_CANONICAL_DIGITS = 1000, NUMBER_CANONICAL = NUMBER_CANONICAL_DIGITS + NUMBER_TEXT };
size_t number_canonical(const struct decimal *d, char buf[NUMBER_CANONICAL]);

#endif
