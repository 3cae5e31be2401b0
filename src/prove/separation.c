/* separation.c -- the answer to one problem: its memory. */
#include "prove/separation.h"

#include <string.h>

void separation_init(struct separation *a, const struct env *e)
{
    *a = (struct separation){ .e = *e, .verdict = PERC_UNDECIDED, .method = "none" };
    weights_init(&a->no);
    weights_init(&a->all);
}

void separation_free(struct separation *a)
{
    const struct env e = a->e;

    if (e.alloc == NULL) return;
    whole_numbers_free(&e, a->w, a->dims);
    weights_free(&e, &a->no);
    weights_free(&e, &a->all);
    mem_free(&e, a->strict, a->rows, sizeof *a->strict);
    memset(a, 0, sizeof *a);
}
