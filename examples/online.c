/* online.c -- learning one example at a time, with no data set at all.
 *
 * The teacher draws numbers 0 .. 1023 and asks: are more than half of the ten bits
 * set? The learner sees the bits, answers, and is told the truth. Nothing is kept
 * but its eleven weights. The number of mistakes is what counts: it grows while
 * there is something to learn, and the theorem says that it stays below
 * (R / margin)^2 however long the questions go on. */
#include <stdio.h>

#include "perceptron.h"

enum { BITS = 10 };

/* The teacher's numbers: every run asks the same questions. */
static unsigned draw(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u; /* linear congruential */
    return *state >> 22;                      /* its upper bits are the good ones */
}

/* The bits that are set, as a sparse example: columns, and a 1 for each. */
static size_t ask(unsigned question, uint32_t *column)
{
    size_t n = 0;

    for (uint32_t j = 0; j < BITS; j++)
        if (question >> j & 1) column[n++] = j;
    return n;
}

static perc_status converse(perc_model *m, perc_error *err)
{
    static const double ones[BITS] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    uint32_t column[BITS];
    unsigned state = 1;
    int mistakes = 0;

    for (int i = 1; i <= 10000; i++) {
        perc_example x = { column, ones, 0 };
        perc_outcome o;
        x.n = ask(draw(&state), column);
        const char *truth = x.n > BITS / 2 ? "many" : "few";
        const perc_status st = perc_learn(m, &x, truth, 1, &o, err);
        if (st) return st;
        mistakes += o.mistake;
        if (i == 10 || i == 100 || i == 1000 || i == 10000)
            printf("%5d questions, %3d mistakes\n", i, mistakes);
    }
    return PERC_OK;
}

int main(void)
{
    perc_params *p = NULL;
    perc_model *m = NULL;
    perc_error err = { 0 };
    perc_status st;

    if ((st = perc_params_new(NULL, "perceptron", &p, &err))) goto done;
    if ((st = perc_model_new(NULL, p, &m, &err))) goto done;
    if ((st = converse(m, &err))) goto done;

    perc_model_info info;
    perc_model_info_get(m, &info);
    printf("weights");
    for (uint64_t j = 0; j < info.features; j++) printf(" %g", perc_model_weight(m, j, 0));
    printf(", offset %g\n", perc_model_offset(m, 0));
done:
    if (st) fprintf(stderr, "%s\n", err.text);
    perc_model_free(m);
    perc_params_free(p);
    return st ? 1 : 0;
}
