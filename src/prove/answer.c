/* answer.c -- the answer to one problem: memory, and the check of its weights. */
#include "prove/answer.h"

#include <string.h>

#include "prove/prove.h"
#include "prove/total.h"

void weights_init(struct weights *l)
{
    *l = (struct weights){ .n = 0 };
    mpz_init(l->others);
}

void weights_free(const struct env *e, struct weights *l)
{
    mem_free(e, l->row, l->n, sizeof *l->row);
    whole_numbers_free(e, l->value, l->n);
    mpz_clear(l->others);
    memset(l, 0, sizeof *l);
}

void answer_init(struct answer *a, const struct env *e)
{
    *a = (struct answer){ .e = *e, .verdict = PERC_UNDECIDED, .method = "none" };
    weights_init(&a->no);
    weights_init(&a->all);
}

void answer_free(struct answer *a)
{
    const struct env e = a->e;

    if (e.alloc == NULL) return;
    whole_numbers_free(&e, a->w, a->dims);
    weights_free(&e, &a->no);
    weights_free(&e, &a->all);
    mem_free(&e, a->strict, a->rows, sizeof *a->strict);
    memset(a, 0, sizeof *a);
}

/* ----- the check ------------------------------------------------------------------------ */

static bool in_order(const struct whole *p, const struct weights *l, const unsigned char *strict)
{
    if (mpz_sgn(l->others) < 0 || (l->n == 0 && mpz_sgn(l->others) == 0)) return false;
    for (size_t k = 0; k < l->n; k++) {
        if (l->row[k] >= p->n || (k > 0 && l->row[k] <= l->row[k - 1])) return false;
        if (mpz_sgn(l->value[k]) <= 0) return false;
        if (strict != NULL && strict[l->row[k]]) return false;
    }
    return true;
}

/* Those that are not listed, each once; then all times `others`. */
static perc_status add_others(const struct whole *p, const struct weights *l,
                              const unsigned char *strict, struct whole_vector *v, struct total *t,
                              perc_error *err)
{
    perc_status st;

    for (uint64_t i = 0, k = 0; i < p->n; i++) {
        if (k < l->n && l->row[k] == i) {
            k++;
            continue;
        }
        if (strict != NULL && strict[i]) continue;
        if ((st = whole_row(p, i, v, err))) return st;
        total_row(t, v);
    }
    total_settle(t);
    for (uint64_t j = 0; j < t->dims; j++) mpz_mul(t->sum[j], t->sum[j], l->others);
    return PERC_OK;
}

perc_status weights_check(const struct whole *p, const struct weights *l,
                          const unsigned char *strict, bool *right, perc_error *err)
{
    struct whole_vector v;
    struct total t;
    perc_status st;

    *right = false;
    if (!in_order(p, l, strict)) return PERC_OK;
    whole_vector_init(&v, &p->e);
    st = total_init(&t, &p->e, p->dims, err);
    if (!st && mpz_sgn(l->others) > 0) st = add_others(p, l, strict, &v, &t, err);
    for (size_t k = 0; k < l->n && !st; k++)
        if (!(st = whole_row(p, l->row[k], &v, err))) total_add(&t, &v, l->value[k]);
    if (!st) {
        total_settle(&t);
        *right = total_is_zero(&t);
    }
    total_free(&t);
    whole_vector_free(&v);
    return st;
}
