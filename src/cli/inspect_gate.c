/* inspect_gate.c -- the neurons of a gate: what each listens to, and when it fires. */
#include "cli/inspect.h"

/* Sources are numbers: the inputs from 0, then the neurons. */
void inspect_gate(struct facts *f, const struct circuit *c, uint64_t top)
{
    const char *name;
    size_t source;

    facts_list(f, "inputs", "inputs");
    circuit_names(f, c, 0, c->info.inputs, false);
    for (size_t i = 0; (name = circuit_input(c, i)) != NULL; i++) facts_string(f, NULL, NULL, name);
    facts_end(f);
    facts_list(f, "outputs", "outputs");
    circuit_names(f, c, 0, c->info.outputs, true);
    for (size_t i = 0; (name = circuit_output(c, i, &source)) != NULL; i++) {
        facts_row(f);
        facts_string(f, "name", NULL, name);
        facts_count(f, "source", NULL, source);
        facts_end(f);
    }
    facts_end(f);
    circuit_neurons(f, c, top);
}
