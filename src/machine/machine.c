/* machine.c -- what all machines share: vectors, sums, and the class not met yet. */
#include "machine/machine.h"

#include <math.h>
#include <string.h>

#include "vec/row_many.h"

const struct machine_ops *machine_choose(const perc_params *p, enum keep keep)
{
    const bool kernel = perc_params_get(p, "kernel") != NULL && !params_is(p, "kernel", "none");

    if (kernel) return params_int(p, "budget") > 0 ? &machine_budget : &machine_expansion;
    if (perc_params_get(p, "drop-after") != NULL && params_int(p, "drop-after") > 0)
        return &machine_dropping;
    return keep == KEEP_VOTES ? &machine_votes : &machine_linear;
}

bool machine_is_word(const char *word)
{
    static const struct machine_ops *const all[] = { &machine_linear,    &machine_votes,
                                                     &machine_expansion, &machine_mlp,
                                                     &machine_gate,      &machine_diagonal };
    size_t i = 0;

    while (i < sizeof all / sizeof *all && strcmp(word, all[i]->word) != 0) i++;
    return i < sizeof all / sizeof *all;
}

/* ----- making one ------------------------------------------------------------------------- */

perc_status machine_new(const struct env *e, const struct machine_ops *ops, const void *form,
                        const perc_params *p, enum keep keep, struct machine **out)
{
    const bool offset = perc_params_get(p, "offset") != NULL && params_bool(p, "offset");
    const bool native = perc_params_get(p, "multiclass") != NULL &&
                        params_is(p, "multiclass", "native");
    struct machine *m = mem_zeroed(e, 1, ops->size);
    perc_status st = PERC_ENOMEM;

    *out = NULL;
    if (m == NULL) return st;
    m->ops = ops;
    m->form = form;
    m->e = *e;
    m->keep = keep;
    m->unit = 1;
    m->expecting = !native && !(ops->flags & MACHINE_NETWORK);
    if (!linear_init(&m->last, e, 1, offset) && !linear_init(&m->sum, e, 1, offset) &&
        !linear_init(&m->kept, e, 1, offset) && !linear_init(&m->unseen, e, 1, offset) &&
        !linear_init(&m->unseen_sum, e, 1, offset))
        st = ops->init != NULL ? ops->init(m, p) : PERC_OK;
    /* A kernel has offsets alone, or coefficients of few rows, and reads them by class. */
    m->last.in_place = m->sum.in_place = !(ops->flags & MACHINE_WEIGHTS);
    if (st) machine_free(m);
    else *out = m;
    return st;
}

static void free_vectors(struct machine *m)
{
    linear_free(&m->last);
    linear_free(&m->sum);
    linear_free(&m->kept);
    linear_free(&m->unseen);
    linear_free(&m->unseen_sum);
}

void machine_free(struct machine *m)
{
    if (m == NULL) return;
    const struct env e = m->e;
    if (m->ops->free != NULL) m->ops->free(m);
    free_vectors(m);
    mem_free(&e, m, 1, m->ops->size);
}

perc_status machine_copy(const struct machine *from, struct machine *to)
{
    const struct env *e = &to->e;

    to->unit = from->unit;
    to->expecting = from->expecting;
    to->unseen_updates = from->unseen_updates;
    to->kept_is_current = from->kept_is_current;
    to->class_changes++;
    free_vectors(to);
    if (linear_copy(e, &from->last, &to->last) || linear_copy(e, &from->sum, &to->sum) ||
        linear_copy(e, &from->unseen, &to->unseen) ||
        linear_copy(e, &from->unseen_sum, &to->unseen_sum) ||
        linear_copy(e, &from->kept, &to->kept))
        return PERC_ENOMEM;
    return to->ops->copy != NULL ? to->ops->copy(from, to) : PERC_OK;
}

uint64_t machine_dims(const struct machine *m)
{
    return m->ops->dims != NULL ? m->ops->dims(m) : m->last.dims;
}

/* The vectors last: their width is the width of the machine. */
perc_status machine_grow(struct machine *m, uint64_t dims)
{
    const perc_status st = m->ops->grow != NULL ? m->ops->grow(m, dims) : PERC_OK;

    if (st || !(m->ops->flags & MACHINE_WEIGHTS)) return st;
    if (machine_has_sum(m) && linear_grow(&m->sum, dims)) return PERC_ENOMEM;
    if (m->expecting && linear_grow(&m->unseen, dims)) return PERC_ENOMEM;
    if (m->expecting && machine_has_sum(m) && linear_grow(&m->unseen_sum, dims)) return PERC_ENOMEM;
    return linear_grow(&m->last, dims);
}

double machine_bytes(const struct machine *m, size_t classes, uint64_t dims)
{
    const size_t arrays = machine_has_sum(m) ? 2 : 1; /* what is returned is made later */
    const size_t vectors = classes > m->last.stride ? classes : m->last.stride;
    size_t each = arrays * (vectors + m->expecting) * sizeof(double);

    if (m->ops->column_bytes != NULL) each = m->ops->column_bytes(m);
    else if (!(m->ops->flags & MACHINE_WEIGHTS)) each = 0;
    return (double)dims * (double)each;
}

/* What was added is 0, and is made so again when the vectors grow. */
void machine_shrink(struct machine *m, uint64_t dims)
{
    struct linear *const all[] = { &m->last, &m->sum, &m->unseen, &m->unseen_sum };

    if (m->ops->shrink != NULL) m->ops->shrink(m, dims);
    for (size_t i = 0; i < sizeof all / sizeof *all && m->ops->flags & MACHINE_WEIGHTS; i++)
        if (all[i]->dims > dims) all[i]->dims = dims;
}

/* ----- classes ---------------------------------------------------------------------------- */

perc_status machine_reserve_class(struct machine *m, const struct arrival *a)
{
    if (linear_reserve(&m->last, a->room) || linear_reserve(&m->sum, a->room)) return PERC_ENOMEM;
    return m->ops->reserve_class != NULL ? m->ops->reserve_class(m, a) : PERC_OK;
}

void machine_negate(struct machine *m)
{
    linear_negate(&m->last);
    linear_negate(&m->sum);
    if (m->ops->negate != NULL) m->ops->negate(m);
}

void machine_split(struct machine *m, enum kind kind)
{
    linear_split(&m->last);
    linear_split(&m->sum);
    if (m->ops->split != NULL) m->ops->split(m, kind);
}

/* A new vector at place `at` that begins where `start` is. */
static void insert_vector(struct linear *w, size_t at, const struct linear *start)
{
    linear_insert(w, at);
    const size_t column = linear_at(w, at);
    for (uint64_t j = 0; start != NULL && j < w->dims && j < start->dims; j++)
        w->w[j * w->stride + column] = start->w[j];
    if (start != NULL) w->b[column] = start->b[0];
}

void machine_insert(struct machine *m, const struct arrival *a)
{
    if (a->n == 1) m->last.vectors = m->sum.vectors = 0; /* machine_new made one */
    insert_vector(&m->last, a->at, m->expecting ? &m->unseen : NULL);
    insert_vector(&m->sum, a->at, m->expecting ? &m->unseen_sum : NULL);
    if (m->ops->insert != NULL) m->ops->insert(m, a->at, m->expecting ? a->n - 1 : NO_VECTOR);
}

void machine_seal(struct machine *m, size_t unseen)
{
    if (m->ops->seal != NULL) m->ops->seal(m, unseen);
    m->expecting = false;
    m->unseen_updates = 0;
    m->class_changes++;
    linear_free(&m->unseen);
    linear_free(&m->unseen_sum);
}

/* ----- one row ---------------------------------------------------------------------------- */

double machine_size2(const struct machine *m, const struct row *x)
{
    return (m->ops->size2 != NULL ? m->ops->size2(m, x) : row_norm2(x)) + (m->last.offset ? 1 : 0);
}

void machine_add_vector(struct machine *m, struct linear *w, struct linear *sum,
                        const struct update *u, bool weights)
{
    const double a = u->step, before = (double)u->shown * a;
    const bool pair = u->down != NO_VECTOR, sums = machine_has_sum(m);
    const size_t up = linear_at(w, u->up), down = pair ? linear_at(w, u->down) : NO_VECTOR;

    if (weights && pair) {
        row_axpy_pair(a, before, u->x, w->w, sums ? sum->w : NULL, w->dims, w->stride, up, down);
    } else if (weights && u->x->n > 0) { /* without features w may be NULL */
        if (sums) row_axpy_two(a, before, u->x, w->w + up, sum->w + up, w->dims, w->stride);
        else row_axpy_in(a, u->x, w->w + up, w->dims, w->stride);
    }
    if (!w->offset) return;
    w->b[up] += a;
    if (pair) w->b[down] -= a;
    if (sums) sum->b[up] += before;
    if (sums && pair) sum->b[down] -= before;
}

static bool vector_holds(const struct linear *w, const struct linear *sum,
                         const struct linear *scale, const struct update *u, size_t vector,
                         double a)
{
    const double before = (double)u->shown * a;
    const size_t c = linear_at(w, vector);
    bool holds = true;

    for (size_t k = 0; k < u->x->n && holds; k++) {
        const uint64_t at = row_column(u->x, k) * w->stride + c;
        const double x = row_value(u->x, k) * (scale != NULL ? scale->w[at] : 1);
        holds = isfinite(w->w[at] + a * x) && (sum == NULL || isfinite(sum->w[at] + before * x));
    }
    if (!w->offset || !holds) return holds;
    const double one = scale != NULL ? scale->b[c] : 1;
    return isfinite(w->b[c] + a * one) && (sum == NULL || isfinite(sum->b[c] + before * one));
}

bool machine_vectors_hold(const struct linear *w, const struct linear *sum,
                          const struct linear *scale, const struct update *u)
{
    return vector_holds(w, sum, scale, u, u->up, u->step) &&
           (u->down == NO_VECTOR || vector_holds(w, sum, scale, u, u->down, 0 - u->step));
}

bool machine_holds(const struct machine *m, const struct update *u, bool unseen)
{
    const struct linear *sum = unseen ? &m->unseen_sum : &m->sum;
    struct update own = *u;

    if (m->ops->holds != NULL) return m->ops->holds(m, u, unseen);
    /* Added to what is finite, a number far below the last digit of the largest one is lost. */
    if (!(m->ops->flags & MACHINE_WEIGHTS)) return fabs(u->step) < 0x1p400;
    if (unseen) own.up = 0;
    return machine_vectors_hold(unseen ? &m->unseen : &m->last, machine_has_sum(m) ? sum : NULL,
                                NULL, &own);
}

struct machine_facts machine_describe(const struct machine *m, uint64_t below)
{
    struct machine_facts facts = { 0 };

    if (m->ops->describe != NULL) m->ops->describe(m, below, &facts);
    return facts;
}

/* ----- answering -------------------------------------------------------------------------- */

void machine_scorer_close(struct machine_scorer *s)
{
    if (s->m != NULL && s->m->ops->scorer_close != NULL) s->m->ops->scorer_close(s);
    linear_free(&s->own);
    *s = (struct machine_scorer){ .e = s->e };
}

perc_status machine_scratch_open(struct machine_scratch *d, const struct machine_scorer *s,
                                 bool stable, size_t rows)
{
    d->s = s;
    d->stable = stable;
    d->most = rows;
    d->n = 0;
    d->state = NULL;
    return s->m->ops->scratch_open(d);
}

void machine_scratch_close(struct machine_scratch *d)
{
    if (d->s->m->ops->scratch_close != NULL) d->s->m->ops->scratch_close(d);
}

perc_status machine_check_scores(struct machine_scratch *d, const double *scores, size_t *bad)
{
    const size_t n = d->n, outputs = d->s->outputs;

    d->n = 0;
    for (size_t i = 0; i < n * outputs; i++)
        if (!isfinite(scores[i])) {
            *bad = i / outputs;
            return PERC_EDATA;
        }
    return PERC_OK;
}
