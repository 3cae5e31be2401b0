/* version.c -- which library this is. */
#include "base/base.h"

#define TEXT(x)         #x
#define DOTTED(a, b, c) TEXT(a) "." TEXT(b) "." TEXT(c)

const char *perc_version(void)
{
    return DOTTED(PERC_VERSION_MAJOR, PERC_VERSION_MINOR, PERC_VERSION_PATCH);
}
