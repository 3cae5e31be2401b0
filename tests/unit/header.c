/* header.c -- the public header stands alone: it is the first thing included, in a
 * program that asks for nothing but standard C. */
#include "perceptron.h"
#include "perceptron.h" /* twice is fine */

int main(void)
{
    return perc_version()[0] == '\0';
}
