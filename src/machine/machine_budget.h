/* machine_budget.h -- a kernel machine that keeps at most B rows (budget.h): its vectors are those
 * of a linear machine whose columns are the slots of the budget. */
#ifndef PERC_MACHINE_BUDGET_H
#define PERC_MACHINE_BUDGET_H

#include "machine/budget.h"
#include "machine/machine_kernel.h"

struct machine_budgeted {
    struct machine_kernel k;
    struct budget *budget;
};

/* The budget of m; NULL: it has none. */
struct budget *machine_budget_of(const struct machine *m);

#endif
