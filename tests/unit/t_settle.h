/* t_settle.h -- problems for the prover out of text and matrices, and a check of its answers
 * that is the test's own. */
#ifndef PERC_TEST_SETTLE_H
#define PERC_TEST_SETTLE_H

#include <stdio.h>
#include <unistd.h>

#include "prove/job.h"
#include "prove/row_signs.h"
#include "t_whole.h"

/* The same rows, exactly and in doubles. */
struct t_problem {
    struct t_whole t;
    struct problem f;
    uint64_t *ref;
    uint32_t *class;
};

static inline struct t_problem t_problem_of(struct t_whole t)
{
    const perc_dataset *ds = t.ds;
    struct t_problem q = { .t = t,
                           .ref = malloc((t.p.n + 1) * sizeof *q.ref),
                           .class = malloc((t.p.n + 1) * sizeof *q.class) };
    uint64_t k = 0;

    for (size_t b = 0; b < ds->blocks; b++)
        for (size_t i = 0; i < ds->block[b].rows; i++, k++) {
            q.ref[k] = ref_make(b, i);
            q.class[k] = t.sign[k] > 0;
        }
    q.f = (struct problem){ .e = t.p.e,
                            .blocks = ds->block,
                            .block_count = ds->blocks,
                            .dims = ds->columns,
                            .offset = t.p.offset,
                            .n = t.p.n,
                            .ref = q.ref,
                            .class = q.class };
    return q;
}

/* LIBSVM text with the labels 1 and -1, read for a proof. */
static inline struct t_problem t_problem_text(const char *text, bool offset, struct env e)
{
    char path[64]; /* tests run side by side */
    perc_error err;
    perc_dataset *ds = NULL;
    snprintf(path, sizeof path, "t_settle.%ld.svm", (long)getpid());
    FILE *file = fopen(path, "w");

    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) abort();
    if (perc_dataset_read_exact(NULL, path, NULL, &ds, &err)) {
        printf("%s\n", err.text);
        abort();
    }
    remove(path);
    double *y = malloc((ds->rows + 1) * sizeof *y);
    uint64_t k = 0;
    for (size_t b = 0; b < ds->blocks; b++)
        for (size_t i = 0; i < ds->block[b].rows; i++)
            y[k++] = strtod(ds->labels.at[ds->block[b].label[i]].text, NULL);
    struct t_whole t = t_whole_new(ds, (struct t_data){ 0 }, ds->rows, y, offset, e);
    free(y);
    return t_problem_of(t);
}

static inline struct t_problem t_problem_data(struct t_data d, bool offset, struct env e)
{
    return t_problem_of(t_whole_of(d, offset, e));
}

static inline void t_problem_env(struct t_problem *q, struct env e)
{
    q->t.p.e = q->f.e = e;
}

static inline void t_problem_free(struct t_problem *q)
{
    t_whole_free(&q->t);
    free(q->ref);
    free(q->class);
}

/* sum += f 10^exponent a_i, exponents being at least `low`. */
static inline void t_sum_row(const struct whole *p, uint64_t i, const mpz_t f, int64_t low,
                             mpz_t *sum)
{
    struct whole_vector v;
    mpz_t x;

    whole_vector_init(&v, &p->e);
    mpz_init(x);
    if (whole_row(p, i, &v, NULL)) abort();
    mpz_ui_pow_ui(x, 10, (unsigned long)(v.exponent - low));
    mpz_mul(x, x, f);
    whole_add(&v, x, sum);
    mpz_clear(x);
    whole_vector_free(&v);
}

/* Whether the weights add up to 0 over C: those with !strict[i], or all. */
static inline bool t_weights_right(const struct whole *p, const struct weights *l,
                                   const unsigned char *strict)
{
    const struct env e = env_resolve(NULL);
    mpz_t *sum = whole_numbers(&e, p->dims);
    struct whole_vector v;
    int64_t low = 0;
    bool right = l->n > 0 || mpz_sgn(l->others) > 0;
    size_t k = 0;

    whole_vector_init(&v, &p->e);
    for (uint64_t i = 0; i < p->n; i++) {
        if (whole_row(p, i, &v, NULL)) abort();
        low = v.exponent < low ? v.exponent : low;
    }
    whole_vector_free(&v);
    for (uint64_t i = 0; i < p->n; i++) {
        const bool listed = k < l->n && l->row[k] == i;
        if (listed) right = right && mpz_sgn(l->value[k]) > 0 && (strict == NULL || !strict[i]);
        if (listed) t_sum_row(p, i, l->value[k++], low, sum);
        else if (strict == NULL || !strict[i]) t_sum_row(p, i, l->others, low, sum);
    }
    right = right && k == l->n;
    for (uint64_t c = 0; c < p->dims; c++) right = right && mpz_sgn(sum[c]) == 0;
    whole_numbers_free(&e, sum, p->dims);
    return right;
}

static inline bool t_plane_right(const struct whole *p, const struct separation *a)
{
    struct whole_vector v;
    bool right = true;

    whole_vector_init(&v, &p->e);
    for (uint64_t i = 0; i < p->n; i++)
        right = right && t_whole_sign(p, &v, i, a->w) == a->strict[i];
    whole_vector_free(&v);
    return right;
}

/* Everything an answer has to have, by its verdict; a line says what is missing. */
static inline bool t_answer_right(const struct whole *p, const struct separation *a)
{
    const perc_verdict v = a->verdict;
    const bool full = v == PERC_TOUCHING || v == PERC_OVERLAPPING;
    const bool simplex = strcmp(a->method, "exact simplex") == 0;
    const uint64_t most = simplex ? a->rank * (p->dims + 1) : a->rank;
    uint64_t s = 0;
    const char *wrong = NULL;

    for (uint64_t i = 0; a->strict != NULL && i < p->n; i++) s += a->strict[i];
    if (v == PERC_UNDECIDED) wrong = "undecided";
    if (v == PERC_SEPARABLE && (a->w == NULL || s != p->n)) wrong = "no plane";
    if (v == PERC_TOUCHING && (a->w == NULL || s == 0 || s == p->n)) wrong = "no plane";
    if (v == PERC_OVERLAPPING && s != 0) wrong = "rows strictly on their side";
    if ((full || v == PERC_SEPARABLE) && (a->s != s || a->c != p->n - s)) wrong = "counts";
    if (wrong == NULL && a->w != NULL && !t_plane_right(p, a)) wrong = "plane";
    if (v != PERC_SEPARABLE && mpz_sgn(a->no.others) != 0) wrong = "others of no";
    if (v != PERC_SEPARABLE && !t_weights_right(p, &a->no, NULL)) wrong = "no";
    if (v != PERC_SEPARABLE && !full && a->no.n > a->rank + 1) wrong = "rank of no";
    if (full && (mpz_sgn(a->all.others) <= 0 || a->all.n > most)) wrong = "size of all";
    if (full && a->no.n > a->rank + 1) wrong = "size of no";
    if (full && !t_weights_right(p, &a->all, a->strict)) wrong = "all";
    if (wrong != NULL)
        printf("verdict %d, %s: wrong: %s (rank %d, no %d, all %d)\n", (int)v, a->method, wrong,
               (int)a->rank, (int)a->no.n, (int)a->all.n);
    return wrong == NULL;
}

#endif
