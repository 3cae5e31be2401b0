/* inverse.c -- an inverse in whole numbers under changes of its matrix. */
#include "solve/inverse.h"

perc_status inverse_init(struct inverse *v, const struct env *e)
{
    enum { FIRST = 8 };

    *v = (struct inverse){ .e = *e, .k = 1, .cap = FIRST };
    v->n = whole_numbers(e, FIRST * FIRST);
    if (v->n == NULL) return PERC_ENOMEM;
    mpz_set_ui(v->n[0], 1);
    mpz_init_set_ui(v->det, 1);
    mpz_init(v->scratch);
    return PERC_OK;
}

void inverse_free(struct inverse *v)
{
    if (v->n == NULL) return;
    whole_numbers_free(&v->e, v->n, v->cap * v->cap);
    mpz_clear(v->det);
    mpz_clear(v->scratch);
    *v = (struct inverse){ .k = 0 };
}

perc_status inverse_room(struct inverse *v)
{
    const size_t cap = v->cap + v->cap / 2;

    if (v->k < v->cap) return PERC_OK;
    if (cap > UINT32_MAX) return PERC_ENOMEM; /* so that cap^2 is right */
    mpz_t *more = whole_numbers(&v->e, cap * cap);
    if (more == NULL) return PERC_ENOMEM;
    for (size_t s = 0; s < v->k; s++)
        for (size_t j = 0; j < v->k; j++) mpz_swap(more[s * cap + j], *inverse_at(v, s, j));
    whole_numbers_free(&v->e, v->n, v->cap * v->cap);
    v->n = more;
    v->cap = cap;
    return PERC_OK;
}

/* The determinant is now `det`, made positive. */
static void set_determinant(struct inverse *v, const mpz_t det)
{
    mpz_set(v->det, det);
    if (mpz_sgn(v->det) > 0) return;
    mpz_neg(v->det, v->det);
    for (size_t s = 0; s < v->k; s++)
        for (size_t j = 0; j < v->k; j++) mpz_neg(*inverse_at(v, s, j), *inverse_at(v, s, j));
}

/* x = (f x - a b) / det: the step that all changes are made of. */
static void cross_step(struct inverse *v, mpz_t x, const mpz_t f, const mpz_t a, const mpz_t b)
{
    mpz_mul(v->scratch, x, f);
    mpz_submul(v->scratch, a, b);
    mpz_divexact(x, v->scratch, v->det);
}

/* With g - r K^-1 c = D / det, the inverse of the bordered matrix times D is
 *
 *     (D N + nc rn) / det    -nc
 *     -rn                    det                                       */
void inverse_border(struct inverse *v, mpz_t *nc, mpz_t *rn, const mpz_t bordered)
{
    const size_t k = v->k;

    for (size_t s = 0; s < k; s++)
        for (size_t j = 0; j < k; j++) {
            mpz_t *x = inverse_at(v, s, j);
            mpz_mul(v->scratch, *x, bordered);
            mpz_addmul(v->scratch, nc[s], rn[j]);
            mpz_divexact(*x, v->scratch, v->det);
        }
    for (size_t s = 0; s < k; s++) {
        mpz_neg(*inverse_at(v, s, k), nc[s]);
        mpz_neg(*inverse_at(v, k, s), rn[s]);
    }
    mpz_set(*inverse_at(v, k, k), v->det);
    v->k++;
    set_determinant(v, bordered);
}

void inverse_column(struct inverse *v, size_t s, mpz_t *nc)
{
    for (size_t r = 0; r < v->k; r++)
        for (size_t j = 0; r != s && j < v->k; j++)
            cross_step(v, *inverse_at(v, r, j), nc[s], nc[r], *inverse_at(v, s, j));
    set_determinant(v, nc[s]);
}

void inverse_row(struct inverse *v, size_t j, mpz_t *rn)
{
    for (size_t s = 0; s < v->k; s++)
        for (size_t c = 0; c < v->k; c++)
            if (c != j) cross_step(v, *inverse_at(v, s, c), rn[j], *inverse_at(v, s, j), rn[c]);
    set_determinant(v, rn[j]);
}

/* The inverse of what is left of K is A - b c / e, with (A b; c e) = K^-1. */
void inverse_drop(struct inverse *v, size_t s, size_t j)
{
    const size_t last = v->k - 1;
    mpz_t pivot;

    mpz_init_set(pivot, *inverse_at(v, s, j));
    for (size_t r = 0; r <= last; r++)
        for (size_t c = 0; r != s && c <= last; c++)
            if (c != j)
                cross_step(v, *inverse_at(v, r, c), pivot, *inverse_at(v, r, j),
                           *inverse_at(v, s, c));
    for (size_t c = 0; c <= last && s != last; c++)
        mpz_swap(*inverse_at(v, s, c), *inverse_at(v, last, c));
    for (size_t r = 0; r < last && j != last; r++)
        mpz_swap(*inverse_at(v, r, j), *inverse_at(v, r, last));
    v->k--;
    set_determinant(v, pivot);
    mpz_clear(pivot);
}
