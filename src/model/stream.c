/* stream.c -- training from a file that is never held in memory.
 *
 * Rows come in file order, and the model is bit for bit that of a run in memory
 * with --order file. Two things are known only later on a stream:
 *
 * - The number of columns: the weights grow as columns appear, with zeros.
 * - Which of the two labels is +1. Until the end the label met first counts as
 *   -1. The rule is symmetric: with all signs turned, and from a zero start, it
 *   makes the same mistakes and arrives at (-w, -b). So if the guess was wrong
 *   the result is turned at the end. From any other start the symmetry is lost,
 *   and --positive has to say which label it is.
 *   A run that a limit ends in the first pass still reads on, without learning,
 *   to know the labels, rows and columns as a run in memory would.
 *
 * The training error of the result needs another pass over the file; from a
 * pipe, which cannot be read again, it stays unknown, and so it does where the
 * first pass was interrupted. */
#include <string.h>

#include "base/file.h"
#include "data/read.h"
#include "model/train.h"

struct stream {
    struct env e;
    const char *path;
    const perc_params *data;
    perc_model *m;
    struct fit f;
    signed char *sign; /* by label number of the reader, which is the same in every pass */
    size_t signs;
    bool whole;        /* the first pass has seen the whole file */
    uint64_t bytes;
    struct tally tally;
};

/* Later passes rely on what the first has found: a label or a column that it did
 * not meet would have no sign and no weight. */
static bool is_known(const struct stream *s, const struct block *b)
{
    bool known = b->columns <= s->m->learner.machine.dims;

    for (size_t i = 0; i < b->rows; i++) known &= b->label[i] < s->signs;
    return known;
}

static perc_status changed(perc_error *err)
{
    return fail(err, PERC_EDATA, "the file changed while it was read");
}

/* What a pass does with a block. */
typedef perc_status (*block_fn)(struct stream *s, struct reader *r, struct block *b, bool *go_on,
                                perc_error *err);

static perc_status each_block(struct stream *s, struct reader *r, block_fn use, bool *go_on,
                              perc_error *err)
{
    struct block b;
    bool more = true;
    perc_status st = PERC_OK;

    while (!st && more && *go_on) {
        st = reader_next(r, &b, &more, err);
        if (!st && more) st = transform_block(&s->e, &s->m->transform, &b, err);
        if (!st && more) st = use(s, r, &b, go_on, err);
        block_free(&b);
    }
    s->bytes = reader_facts(r).bytes;
    return st;
}

/* ----- labels in the first pass --------------------------------------------------- */

static bool guessing(const struct stream *s)
{
    return params_text(s->m->params, "positive")[0] == '\0';
}

/* Gives every label met so far its sign, perhaps a guess. */
static perc_status update_signs(struct stream *s, const struct labels *l, perc_error *err)
{
    const char *positive = params_text(s->m->params, "positive");

    if (l->n <= s->signs) return PERC_OK;
    if (guessing(s) && l->n > 2)
        return fail(err, PERC_EDATA,
                    "a third label (%s, %s, %s): pick one against the rest with --positive LABEL",
                    l->at[0].text, l->at[1].text, l->at[2].text);
    signed char *sign = mem_resize(&s->e, s->sign, s->signs, l->n, 1);
    if (sign == NULL) return fail_memory(err);
    s->sign = sign;
    for (size_t i = s->signs; i < l->n; i++)
        sign[i] = guessing(s) ? (i == 0 ? -1 : 1)
                              : (labels_find(l, positive, strlen(positive)) == i ? 1 : -1);
    s->signs = l->n;
    s->f.sign = sign;
    return PERC_OK;
}

/* All labels are known: decide as a run in memory would, and turn the machine if
 * the label taken for -1 is +1. */
static perc_status settle_labels(struct stream *s, const struct labels *l, perc_error *err)
{
    struct linear *lin = &s->m->learner.machine;
    struct labels sorted;
    uint32_t *map = mem_array(&s->e, l->n, sizeof *map);
    perc_status st = labels_copy(&s->e, l, &sorted) ? fail_memory(err) : PERC_OK;

    if (!st && (map == NULL || labels_sort(&sorted, map))) st = fail_memory(err);
    if (!st) st = train_labels(s->m, &sorted, err);
    const bool wrong = !st && l->n > 0 && model_sign(s->m, l->at[0].text) != s->sign[0];
    for (uint64_t j = 0; wrong && j < lin->dims; j++) lin->w[j] = 0 - lin->w[j]; /* 0 - 0 is +0 */
    if (wrong) lin->b = 0 - lin->b;
    for (size_t i = 0; i < s->signs && !st; i++)
        s->sign[i] = (signed char)model_sign(s->m, l->at[i].text);
    mem_free(&s->e, map, l->n, sizeof *map);
    labels_free(&sorted);
    return st;
}

/* ----- passes ----------------------------------------------------------------------- */

static perc_status first_show(struct stream *s, struct reader *r, struct block *b, bool *go_on,
                              perc_error *err)
{
    struct linear *lin = &s->m->learner.machine;
    perc_status st;

    for (size_t i = 0; i < b->rows; i++)
        if (b->label[i] == LABEL_NONE)
            return fail_at(err, PERC_EDATA, block_line(b, i), 0, "the row has no label");
    if ((st = update_signs(s, reader_labels(r), err))) return st;
    if (linear_grow(lin, b->columns))
        return fail(err, PERC_ENOMEM, "memory is out: %llu weights are needed",
                    (unsigned long long)b->columns);
    const struct reader_facts f = reader_facts(r);
    s->f.index_base = (uint64_t)read_index_base(&f, s->data); /* as far as is known */
    s->m->rows += b->rows;
    if (s->m->learner.progress.stop == PERC_STOP_NONE) fit_block(&s->f, b, 0);
    *go_on = s->m->learner.progress.stop != PERC_STOP_CANCELLED; /* else read on for the facts */
    return PERC_OK;
}

static perc_status later_show(struct stream *s, struct reader *r, struct block *b, bool *go_on,
                              perc_error *err)
{
    (void)r;
    if (!is_known(s, b)) return changed(err);
    *go_on = fit_block(&s->f, b, 0);
    return PERC_OK;
}

static perc_status tally_show(struct stream *s, struct reader *r, struct block *b, bool *go_on,
                              perc_error *err)
{
    (void)r, (void)go_on;
    if (!is_known(s, b)) return changed(err);
    tally_block(&s->m->learner.machine, b, s->sign, &s->tally);
    return PERC_OK;
}

static perc_status first_pass(struct stream *s, perc_error *err)
{
    struct reader *r;
    bool go_on = true;
    perc_status st = reader_open(&s->e, s->path, s->data, NULL, NULL, &r, err);

    if (st) return st;
    st = each_block(s, r, first_show, &go_on, err);
    if (!st && s->m->rows == 0) st = fail(err, PERC_EDATA, "the file has no rows");
    if (!st) {
        const struct reader_facts f = reader_facts(r);
        s->m->index_base = read_index_base(&f, s->data);
        s->f.index_base = (uint64_t)s->m->index_base;
        if (schema_copy(&s->e, reader_schema(r), &s->m->schema) ||
            names_make(&s->e, &s->m->schema, &s->m->names))
            st = fail_memory(err);
    }
    s->whole = go_on;
    if (!st) st = settle_labels(s, reader_labels(r), err);
    if (!st && !params_is(s->m->params, "init", "zero"))
        st = train_check_start(s->m, params_text(s->m->params, "init"), err);
    reader_close(r);
    return st;
}

/* A pass after the first, or one that only counts. */
static perc_status again(struct stream *s, block_fn use, bool *go_on, perc_error *err)
{
    const struct reader_model asks = { s->m->index_base, &s->m->schema };
    struct reader *r;
    perc_status st = reader_open(&s->e, s->path, s->data, &asks, NULL, &r, err);

    if (st) return st;
    *go_on = true;
    st = each_block(s, r, use, go_on, err);
    if (!st && reader_labels(r)->n != s->signs && *go_on)
        st = changed(err);
    reader_close(r);
    return st;
}

static perc_status run(struct stream *s, perc_error *err)
{
    const struct progress *g = &s->m->learner.progress;
    bool go_on = true;
    perc_status st = PERC_OK;

    fit_begin(&s->f, s->m->params);
    while (!st && go_on && fit_pass_begin(&s->f)) {
        st = g->epoch == 1 ? first_pass(s, err) : again(s, later_show, &go_on, err);
        if (g->stop != PERC_STOP_NONE) go_on = false;
        if (!st && go_on) st = train_pass_ended(&s->f, s->m, &go_on, err);
    }
    if (!st && g->epoch == 0) st = first_pass(s, err); /* no pass was wanted: the facts alone */
    return st;
}

/* ----- what a stream cannot do --------------------------------------------------------- */

static perc_status check_options(struct stream *s, const perc_params *p, perc_error *err)
{
    const char *init = params_text(p, "init");
    const bool again_needed = params_int(p, "epochs") > 1;
    perc_status st = transform_parse(params_text(s->data, "scale"), &s->m->transform.scale,
                                     &s->m->transform.by, err);

    if (st) return st;
    if (params_given(p, "order") && !params_is(p, "order", "file"))
        return fail(err, PERC_EARG, "a stream is read in file order (leave out --order %s)",
                    params_text(p, "order"));
    if (transform_needs_pass(s->m->transform.scale))
        return fail(err, PERC_EARG,
                    "--scale %s needs a first pass over the data (use unit or by:NUMBER, or "
                    "leave out --stream)",
                    params_text(s->data, "scale"));
    if (params_is(s->data, "missing", "mean"))
        return fail(err, PERC_EARG,
                    "--missing mean needs a first pass over the data (use zero or drop)");
    if (strcmp(init, "unit") == 0 || strcmp(init, "random") == 0)
        return fail(err, PERC_EARG,
                    "--init %s needs the number of features beforehand (leave out --stream)", init);
    if (strcmp(init, "zero") != 0 && guessing(s))
        return fail(err, PERC_EARG, "a stream that starts from a model needs --positive LABEL");
    if (again_needed && !file_is_regular(s->path))
        return fail(err, PERC_EARG,
                    "%s cannot be read twice: pass --epochs 1, or leave out --stream", s->path);
    return perc_params_set(s->m->params, "order", "file", err);
}

/* --init MODEL: its weights; labels and base are compared at the end of the first pass. */
static perc_status start(struct stream *s, perc_error *err)
{
    if (params_is(s->m->params, "init", "zero")) return PERC_OK;
    return train_start_from(s->m, params_text(s->m->params, "init"), err);
}

perc_status perc_fit_stream(const perc_env *env, const char *path, const perc_params *data,
                            const perc_params *p, const perc_observer *observer, perc_model **out,
                            perc_report *report, perc_error *err)
{
    struct stream s = { .e = env_resolve(env), .path = path, .data = data };
    const double begin = clock_seconds();
    perc_params *own = NULL;
    bool text, go_on;
    perc_status st;

    *out = NULL;
    if (data == NULL) {
        if (params_new(&s.e, &data_table, &own)) return fail_memory(err);
        s.data = own;
    }
    if ((st = model_new(&s.e, p, &s.m, err))) goto done;
    s.f = (struct fit){ .learner = &s.m->learner, .observer = observer };
    s.m->transform.e = s.e;
    if ((st = read_is_text(&s.e, path, s.data, &text, err))) goto done;
    if (!text) {
        st = fail(err, PERC_EARG, "%s is in memory already: leave out --stream", path);
        goto done;
    }
    if ((st = check_options(&s, p, err)) || (st = start(&s, err)) || (st = run(&s, err))) goto done;
    const double seconds = clock_seconds() - begin;
    if (report != NULL) {
        if (s.whole && file_is_regular(path) && (st = again(&s, tally_show, &go_on, err)))
            goto done;
        train_report(s.m, &s.tally, seconds, report);
        report->bytes = s.bytes;
        report->rows_per_second = (double)s.m->learner.progress.examples / seconds;
    }
    *out = s.m; /* the caller owns it now */
    s.m = NULL;
done:
    perc_model_free(s.m);
    mem_free(&s.e, s.sign, s.signs, 1);
    perc_params_free(own);
    return st;
}
