/* scorer.c -- from rows of data to the scores of a model. */
#include "model/scorer.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "vec/panel.h"

/* ----- the scorer ------------------------------------------------------------------ */

perc_status scorer_open(struct scorer *s, const struct env *e, const perc_model *m,
                        enum scorer_use use, perc_error *err)
{
    const bool last = use == SCORER_LAST;
    const struct learner *l = &m->learner;
    const struct machine *machine = l->machine;
    struct machine_scorer *a = &s->answers;

    *s = (struct scorer){ .e = *e,
                          .m = m,
                          .outputs = learner_outputs(l),
                          .counts = !last && machine->keep == KEEP_VOTES };
    *a = (struct machine_scorer){ .e = *e,
                                  .kind = l->kind,
                                  .outputs = s->outputs,
                                  .below = model_base(m),
                                  .last = last,
                                  .one = use == SCORER_ONE,
                                  .shown = l->shown,
                                  .moment = learner_moment(l),
                                  .vectors = last ? &machine->last : machine_result(machine) };
    a->own.e = *e;
    if (!last && machine->keep == KEEP_AVERAGE && !machine->kept_is_current) {
        if (linear_copy(e, &machine->last, &a->own)) return fail_memory(err);
        averaged_vectors(l, &a->own);
        a->vectors = &a->own;
    }
    a->m = machine;
    const bool failed = machine->ops->scorer_open != NULL && machine->ops->scorer_open(a);
    return failed ? fail_memory(err) : PERC_OK;
}

void scorer_close(struct scorer *s)
{
    machine_scorer_close(&s->answers);
    *s = (struct scorer){ .e = s->e };
}

/* ----- rows -------------------------------------------------------------------------- */

/* The n scores of one row, as they are shown. Rounding may make a lower score equal to the highest,
 * which is then raised by one place: answers and mistakes are those of the machine, whatever its
 * unit. */
static void show_scores(const struct machine *m, double *s, size_t n)
{
    const double best = s[linear_best(s, n)];
    double top = machine_shown(m, best);
    bool reached = false;

    for (size_t c = 0; c < n; c++) reached |= s[c] < best && machine_shown(m, s[c]) >= top;
    if (reached) top = nextafter(top, INFINITY);
    for (size_t c = 0; c < n; c++) s[c] = s[c] == best ? top : machine_shown(m, s[c]);
}

/* The scores of the rows taken, shown; votes have no unit. */
static perc_status run_rows(const struct scorer *s, struct machine_scratch *d, double *out,
                            size_t *bad)
{
    const struct machine *m = s->answers.m;
    const size_t n = d->n;
    const perc_status st = m->ops->run(d, out, bad);

    for (size_t i = 0; i < n && !st && m->unit != 1 && !s->counts; i++)
        show_scores(m, out + i * s->outputs, s->outputs);
    return st;
}

/* Takes one more row, from `line` of its file or from no block. */
static perc_status take_row(struct machine_scratch *d, const struct row *x, int64_t line,
                            perc_error *err)
{
    const struct machine_ops *ops = d->s->m->ops;

    if (ops->take != NULL) return ops->take(d, x, line, err);
    d->x[d->n++] = *x;
    return PERC_OK;
}

perc_status scorer_row(const struct scorer *s, const struct row *x, double *out, perc_error *err)
{
    const struct machine_ops *ops = s->answers.m->ops;
    struct machine_scratch d;
    size_t bad = 0;
    perc_status st = machine_scratch_open(&d, &s->answers, true, 1) ? fail_memory(err)
                                                                    : take_row(&d, x, 0, err);

    if (!st && (st = run_rows(s, &d, out, &bad)))
        st = st == PERC_EDATA ? ops->no_score(&d, bad, 0, err) : fail_memory(err);
    machine_scratch_close(&d);
    return st;
}

perc_status scorer_rows(const struct scorer *s, struct pipe *p, const struct block *b,
                        const size_t *which, size_t from, size_t n, double *out, perc_error *err)
{
    const struct machine_ops *ops = s->answers.m->ops;
    const bool identity = pipe_is_identity(p);
    struct machine_scratch d;
    size_t bad = 0;
    perc_status st = machine_scratch_open(&d, &s->answers, identity, n) ? fail_memory(err)
                                                                        : PERC_OK;

    for (size_t rows; n > 0 && !st; from += rows, n -= rows, out += rows * s->outputs) {
        rows = n < d.most ? n : d.most;
        if (!watch_ask(s->watch, 0)) st = fail(err, PERC_EUNDECIDED, "cancelled");
        for (size_t i = from; i < from + rows && !st; i++) {
            const size_t at = which != NULL ? which[i] : i;
            struct row x = block_row(b, at);
            if (!identity) st = block_blame(b, at, pipe_row(p, &x, block_line(b, at), err), err);
            if (!st) st = block_blame(b, at, take_row(&d, &x, block_line(b, at), err), err);
        }
        if (!st && (st = run_rows(s, &d, out, &bad))) {
            const size_t at = which != NULL ? which[from + bad] : from + bad;
            st = st == PERC_EDATA
                     ? block_blame(b, at, ops->no_score(&d, bad, block_line(b, at), err), err)
                     : fail_memory(err);
        }
    }
    machine_scratch_close(&d);
    return st;
}

/* Averaged weights of a model that goes on learning are not brought up to date for one row. */
perc_status scorer_model_row(const perc_model *m, const struct row *x, double *scores,
                             perc_error *err)
{
    const struct learner *l = &m->learner;
    const struct machine *machine = l->machine;
    struct scorer s;
    perc_status st;

    if (machine->keep == KEEP_AVERAGE && machine->ops->flags & MACHINE_QUICK &&
        !machine->kept_is_current) {
        double *all = mem_array(&m->e, machine->last.vectors, sizeof *all);
        if (all == NULL) return fail_memory(err);
        averaged_scores(l, x, all);
        memcpy(scores, all, learner_outputs(l) * sizeof *scores);
        mem_free(&m->e, all, machine->last.vectors, sizeof *all);
        if (machine->unit != 1) show_scores(machine, scores, learner_outputs(l));
        return PERC_OK;
    }
    st = scorer_open(&s, &m->e, m, SCORER_ONE, err);
    if (!st) st = scorer_row(&s, x, scores, err);
    scorer_close(&s);
    return st;
}

perc_status perc_score(const perc_model *m, const perc_example *x, double *scores, perc_error *err)
{
    NEED(m != NULL && x != NULL && scores != NULL);
    struct row r = model_example_row(x);
    struct pipe p;
    perc_status st = model_check_example(x, err);

    if (st) return st;
    pipe_init(&p, &m->e, model_base(m), &m->transform, &m->map);
    st = pipe_row(&p, &r, 0, err);
    if (!st) st = scorer_model_row(m, &r, scores, err);
    pipe_free(&p);
    return st;
}

/* ----- blocks: on several threads ------------------------------------------------------ */

/* Rows of kernels and networks are worth a thread per panel; others, cheaper to score than to
 * read, per block. A network wants more rows at a time, to reuse its weights. */
enum { TASK_ROWS = 32 * PANEL };

struct score_task {
    const struct block *b;
    size_t from, n;
    double *out;
    perc_status st;
    perc_error err;
};

struct score_tasks {
    const struct scorer *s;
    uint64_t shift;
    bool raw;
    struct score_task *task;
    size_t count;
};

static void score_task(void *ud, uint64_t i)
{
    const struct score_tasks *j = ud;
    const struct scorer *s = j->s;
    struct score_task *one = &j->task[i];
    struct pipe p;

    pipe_init(&p, &s->e, j->shift, j->raw ? &s->m->transform : NULL, &s->m->map);
    one->st = scorer_rows(s, &p, one->b, NULL, one->from, one->n, one->out, &one->err);
    pipe_free(&p);
}

/* `task` NULL: they are only counted. */
static size_t cut_tasks(const struct scorer *s, const struct block *b, size_t blocks, double *out,
                        struct score_task *task)
{
    const size_t share = (size_t)s->e.threads * 4, unit = s->answers.m->ops->thread_rows;
    size_t n = 0, most = SIZE_MAX;
    uint64_t all = 0;

    for (size_t i = 0; i < blocks; i++) all += b[i].rows;
    if (unit > 0) { /* several tasks per thread, so that none waits long for the last */
        const uint64_t units = all / share / unit + 1;
        most = units < TASK_ROWS / unit ? (size_t)units * unit : TASK_ROWS;
    }
    for (size_t i = 0; i < blocks; out += b[i++].rows * s->outputs) {
        for (size_t from = 0; from < b[i].rows; n++) {
            const size_t rows = b[i].rows - from < most ? b[i].rows - from : most;
            if (task != NULL)
                task[n] = (struct score_task){
                    .b = &b[i], .from = from, .n = rows, .out = out + from * s->outputs
                };
            from += rows;
        }
    }
    return n;
}

/* Runs all tasks; the first error in their order. */
static perc_status run_tasks(struct score_tasks *j, perc_error *err)
{
    perc_status st = PERC_OK;

    threads_each(j->s->e.threads, j->count, score_task, j);
    for (size_t i = 0; i < j->count && !st; i++)
        if ((st = j->task[i].st) && err != NULL) *err = j->task[i].err;
    return st;
}

enum { PIECE = 1 << 22, SHARES = 64 }; /* numbers, and parts that threads share */

perc_status scorer_pieces(const struct scorer *s, const struct block *b, uint64_t shift, bool raw,
                          scorer_put *put, void *ud, perc_error *err)
{
    const size_t most = PIECE / s->outputs + 1, room = b->rows < most ? b->rows : most;
    const size_t unit = s->answers.m->ops->thread_rows > 0 ? s->answers.m->ops->thread_rows : PANEL;
    double *scores = mem_array(&s->e, room, s->outputs * sizeof *scores);
    perc_status st = scores == NULL ? fail_memory(err) : PERC_OK;

    for (size_t from = 0, n; from < b->rows && !st; from += n) {
        struct score_task task[SHARES];
        struct score_tasks j = { .s = s, .shift = shift, .raw = raw, .task = task };
        n = b->rows - from < most ? b->rows - from : most;
        const size_t each = (n / SHARES / unit + 1) * unit;
        for (size_t at = 0; at < n; at += each)
            task[j.count++] = (struct score_task){ .b = b,
                                                   .from = from + at,
                                                   .n = n - at < each ? n - at : each,
                                                   .out = scores + at * s->outputs };
        if (!(st = run_tasks(&j, err))) put(ud, b, from, n, scores);
    }
    mem_free(&s->e, scores, room, s->outputs * sizeof *scores);
    return st;
}

perc_status scorer_blocks(const struct scorer *s, const struct block *b, size_t blocks, uint64_t by,
                          bool raw, double *out, perc_error *err)
{
    struct score_tasks j = {
        .s = s, .shift = by, .raw = raw, .count = cut_tasks(s, b, blocks, out, NULL)
    };
    perc_status st;

    j.task = mem_array(&s->e, j.count, sizeof *j.task);
    if (j.task == NULL) return fail_memory(err);
    cut_tasks(s, b, blocks, out, j.task);
    st = run_tasks(&j, err);
    mem_free(&s->e, j.task, j.count, sizeof *j.task);
    return st;
}
