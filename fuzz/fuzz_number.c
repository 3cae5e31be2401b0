/* fuzz_number.c -- any bytes as a number: what number_scan accepts must be what strtod
 * reads, to the last bit and the same end, and what number_format writes must read
 * back. The first eight bytes also serve as a double of their own. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int held)
{
    if (!held) abort(); /* the fuzzer keeps the input */
}

static int same(double a, double b) /* bits: -0 is not 0 */
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void check_format(double v)
{
    char text[NUMBER_TEXT];
    double back;
    const size_t n = number_format(v, text);

    must(n <= NUMBER_TEXT && number_parse(text, n, &back) && same(back, v));
}

/* `text` has exactly `size` bytes, so reading past it is an error the sanitizer sees;
 * `copy` is the same with a NUL for strtod. */
static void check_scan(const char *text, const char *copy, size_t size)
{
    enum number_fault fault;
    double v;
    const char *end = number_scan(text, text + size, &v, &fault);
    char *want_end;
    const double want = strtod(copy, &want_end);

    must(end >= text && end <= text + size && number_fault_text(fault) != NULL);
    switch (fault) {
    case NUMBER_OK:
        must(end - text == want_end - copy && same(v, want));
        check_format(v);
        break;
    case NUMBER_OVERFLOW: must(end - text == want_end - copy && isinf(want)); break;
    case NUMBER_NAN:
    case NUMBER_HEX:
    case NUMBER_EXPONENT: /* strtod reads something here that we refuse */
        must(end == text && want_end > copy);
        break;
    case NUMBER_LONG: /* only exact readers say so */ must(false); break;
    case NUMBER_NONE: /* white space, and words that begin like nan and inf, are not ours */
        must(end == text && (want_end == copy || strchr(" \t\n\v\f\r+-iInN", copy[0]) != NULL));
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size ? size : 1), *copy = malloc(size + 1);
    int64_t i;
    double v;

    if (text != NULL && copy != NULL) {
        memcpy(text, data, size);
        memcpy(copy, data, size);
        copy[size] = '\0';
        check_scan(text, copy, size);
        if (number_parse_int(text, size, &i)) /* then it is a number as well */
            must(number_parse(text, size, &v) && (double)i == v);
    }
    if (size >= sizeof v) {
        memcpy(&v, data, sizeof v);
        if (isfinite(v)) check_format(v);
    }
    free(text);
    free(copy);
    return 0;
}
