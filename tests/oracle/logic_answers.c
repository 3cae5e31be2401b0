/* logic_answers.c -- what the library says about formulas, for logic_reference.py to compare.
 *
 * Each line of standard input is a question, its fields parted by tabs; new lines and tabs
 * within a field are written as \n and \t. Each answer is one line.
 *
 *     table FORMULA                    for every output NAME(INPUT,...)=BITS, row 0 first
 *     run STEPS START INPUTS FORMULA   for every name NAME=BITS, then circle=BEFORE,PERIOD if there
 *                                      are no inputs
 *     unroll STEPS START FORMULA       as table, of the unrolled formula
 *
 * or "error LINE COLUMN". It needs the inside of the library, and is no part of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "logic/clock.h"

enum { LINE = 1 << 18, MOST = 4096 };

static void show_table(const struct formula *f, uint32_t name)
{
    static uint64_t table[1 << (FORMULA_TABLE - 6)];
    uint32_t cell[FORMULA_TABLE];
    const size_t n = formula_support(f, f->name[name].root, cell, FORMULA_TABLE);

    printf("%s(", f->name[name].text);
    if (n > FORMULA_TABLE || formula_table(f, f->name[name].root, cell, n, table)) exit(4);
    for (size_t i = 0; i < n; i++) printf("%s%s", i > 0 ? "," : "", f->name[cell[i]].text);
    printf(")=");
    for (size_t r = 0; r < (size_t)1 << n; r++) putchar('0' + (int)(table[r / 64] >> r % 64 & 1));
    putchar(' ');
}

static void show_tables(const struct formula *f)
{
    static uint32_t out[MOST];
    const size_t n = formula_outputs(f, out, MOST);

    if (n > MOST) exit(4);
    for (size_t i = 0; i < n; i++) show_table(f, out[i]);
}

static void show_circle(const struct formula *f, const unsigned char *start)
{
    struct clock_circle c;

    if (f->inputs > 0) return;
    if (clock_circle(f, start, &c, NULL)) exit(4);
    printf("circle=%zu,%zu", c.before, c.period);
}

static perc_status show_run(const struct formula *f, size_t steps, const unsigned char *start,
                            const char *inputs, perc_error *err)
{
    struct clock_inputs in;
    perc_status st = clock_inputs(f, inputs, &steps, &in, err);

    if (st) return st;
    unsigned char *value = malloc(steps * f->names);
    if (value == NULL || clock_run(f, start, &in, value, err)) exit(4);
    for (size_t k = 0; k < f->names; k++) {
        printf("%s=", f->name[k].text);
        for (size_t t = 0; t < steps; t++) putchar('0' + value[t * f->names + k]);
        putchar(' ');
    }
    show_circle(f, start);
    free(value);
    clock_inputs_free(&in);
    return PERC_OK;
}

static perc_status show_unrolled(const struct formula *f, size_t steps, const unsigned char *start,
                                 perc_error *err)
{
    struct formula u;
    const perc_status st = clock_unroll(f, start, steps, &u, err);

    if (st == PERC_OK) show_tables(&u);
    formula_free(&u);
    return st;
}

/* The text up to the next tab, with its new lines and tabs. */
static char *field(char **rest)
{
    char *s = *rest, *to = s, *p = s;

    for (; *p != '\t' && *p != '\0'; p++) {
        *to = *p;
        if (p[0] == '\\' && (p[1] == 'n' || p[1] == 't')) *to = *++p == 'n' ? '\n' : '\t';
        to++;
    }
    *rest = *p != '\0' ? p + 1 : p;
    *to = '\0';
    return s;
}

static perc_status answer(char *line, perc_error *err)
{
    const struct env e = env_resolve(NULL);
    static unsigned char first[FORMULA_CELLS];
    const char *what = field(&line), *inputs = NULL, *start = NULL;
    size_t steps = 0;
    struct formula f;

    if (strcmp(what, "table") != 0) {
        steps = (size_t)strtoul(field(&line), NULL, 10);
        start = field(&line);
    }
    if (strcmp(what, "run") == 0) inputs = field(&line);
    perc_status st = formula_parse(&e, field(&line), &f, err);
    if (st) return st;
    st = clock_start(&f, start, first, err);
    if (st == PERC_OK && strcmp(what, "table") == 0) show_tables(&f);
    else if (st == PERC_OK && strcmp(what, "run") == 0)
        st = show_run(&f, steps, first, inputs, err);
    else if (st == PERC_OK) st = show_unrolled(&f, steps, first, err);
    formula_free(&f);
    return st;
}

int main(void)
{
    static char line[LINE];

    while (fgets(line, sizeof line, stdin) != NULL) {
        perc_error err = { 0 };
        line[strcspn(line, "\n")] = '\0';
        if (answer(line, &err))
            printf("error %lld %lld", (long long)err.line, (long long)err.column);
        putchar('\n');
    }
    return 0;
}
