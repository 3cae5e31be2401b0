/* part.c -- some rows of a problem as a problem of their own. */
#include <string.h>

#include "prove/settle.h"

static void fill(struct part_of *t, const struct whole *p, const struct problem *f,
                 const unsigned char *keep)
{
    uint64_t n = 0;

    for (uint64_t i = 0; i < p->n; i++) {
        if (!keep[i]) continue;
        t->number[n] = i;
        t->row[n] = p->row[i];
        t->ref[n] = f->ref[i];
        t->sign[n] = p->sign[i];
        t->class[n++] = f->class[i];
    }
}

perc_status part_new(struct part_of *t, const struct whole *p, const struct problem *f,
                     const unsigned char *keep, perc_error *err)
{
    const struct env *e = &p->e;
    uint64_t n = 0;

    for (uint64_t i = 0; i < p->n; i++) n += keep[i] != 0;
    *t = (struct part_of){ .p = *p, .f = *f };
    t->p.n = t->f.n = n;
    t->f.cost = t->f.norm2 = NULL;
    t->number = mem_array(e, n, sizeof *t->number);
    t->row = mem_array(e, n, sizeof *t->row);
    t->ref = mem_array(e, n, sizeof *t->ref);
    t->sign = mem_array(e, n, sizeof *t->sign);
    t->class = mem_array(e, n, sizeof *t->class);
    t->p.row = t->row;
    t->p.sign = t->sign;
    t->f.ref = t->ref;
    t->f.class = t->class;
    if (t->number == NULL || t->row == NULL || t->ref == NULL || t->sign == NULL ||
        t->class == NULL) {
        part_free(t);
        return fail_memory(err);
    }
    fill(t, p, f, keep);
    return PERC_OK;
}

void part_free(struct part_of *t)
{
    const struct env *e = &t->p.e;
    const uint64_t n = t->p.n;

    if (e->alloc == NULL) return;
    mem_free(e, t->number, n, sizeof *t->number);
    mem_free(e, t->row, n, sizeof *t->row);
    mem_free(e, t->ref, n, sizeof *t->ref);
    mem_free(e, t->sign, n, sizeof *t->sign);
    mem_free(e, t->class, n, sizeof *t->class);
    memset(t, 0, sizeof *t);
}

/* ----- the same rows in doubles ------------------------------------------------------------ */

perc_status doubles_of(const struct whole *p, struct problem *f, perc_error *err)
{
    uint64_t *ref = mem_array(&p->e, p->n, sizeof *ref);
    uint32_t *class = mem_array(&p->e, p->n, sizeof *class);
    size_t b = 0;

    *f = (struct problem){ .e = p->e,
                           .blocks = p->ds->block,
                           .block_count = p->ds->blocks,
                           .dims = p->ds->columns,
                           .offset = p->offset,
                           .n = p->n,
                           .ref = ref,
                           .class = class };
    if (ref == NULL || class == NULL) return fail_memory(err);
    for (uint64_t i = 0; i < p->n; i++) {
        while (p->row[i] >= f->blocks[b].first_row + f->blocks[b].rows) b++;
        ref[i] = ref_make(b, p->row[i] - f->blocks[b].first_row);
        class[i] = p->sign[i] > 0;
    }
    return PERC_OK;
}

void doubles_free(struct problem *f)
{
    mem_free(&f->e, (void *)(uintptr_t)f->ref, f->n, sizeof *f->ref);
    mem_free(&f->e, (void *)(uintptr_t)f->class, f->n, sizeof *f->class);
}
