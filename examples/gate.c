/* gate.c -- threshold logic from C: a full adder, its neurons, and what it gives; then a memory.
 *
 *     cc gate.c -lperceptron -o gate && ./gate */
#include <stdio.h>

#include "perceptron.h"

static int failed(const perc_error *err)
{
    fprintf(stderr, "gate: %s\n", err->text);
    return 1;
}

/* Each neuron fires if the weights of its sources that are 1 reach its threshold. */
static void print_network(const perc_gate *g)
{
    perc_gate_info info;
    perc_neuron n;

    perc_gate_info_get(g, &info);
    for (size_t k = 0; k < info.neurons; k++) {
        perc_gate_neuron(g, k, &n);
        printf("source %zu:", info.inputs + info.states + k);
        for (size_t i = 0; i < n.synapses; i++)
            printf(" %+lld x%u", (long long)n.weight[i], (unsigned)n.source[i]);
        printf(" >= %lld\n", (long long)n.threshold);
    }
}

int main(void)
{
    perc_gate *adder, *latch;
    perc_signals s;
    perc_error err = { 0 };

    if (perc_gate_new(NULL, "sum = a ^ b ^ c; carry = majority(a, b, c)", &adder, &err))
        return failed(&err);
    print_network(adder);
    for (int r = 0; r < 8; r++) {
        const unsigned char x[3] = { r >> 2 & 1, r >> 1 & 1, r & 1 };
        unsigned char out[2];

        if (perc_gate_run(adder, x, out, &err)) return failed(&err);
        printf("%d + %d + %d = %d%d\n", x[0], x[1], x[2], out[1], out[0]);
    }
    perc_gate_free(adder);

    /* set by a, cleared by r, and in between it remembers */
    if (perc_gate_new(NULL, "s' = a | (s & !r)", &latch, &err)) return failed(&err);
    if (perc_gate_steps(latch, "a=0100000 r=0000010", NULL, 0, &s, NULL, &err)) return failed(&err);
    printf("s: ");
    for (size_t t = 0; t < s.steps; t++) putchar(s.value[t * s.signals + 2] ? '1' : '0');
    putchar('\n');
    perc_signals_free(&s);
    perc_gate_free(latch);
    return 0;
}
