/* stream.c -- training from a file that is never held in memory.
 *
 * Rows come in file order, and the model is bit for bit that of a run in memory
 * with --order file. Two things are known only later on a stream:
 *
 * - The number of columns: the weights grow as columns appear, with zeros.
 * - The labels: classes are made as they are met (learner.h), which a run in memory
 *   does too, or those that "classes" names are there from the start; a native machine
 *   in memory has them all from the start unless told otherwise. A run that a limit ends
 *   in the first pass still reads on, without learning, to know the labels, rows and
 *   columns as a run in memory would.
 *   A network is an exception: in memory it has an output for every class from the start,
 *   drawn at random; on a stream an output that is added later starts at 0.
 *
 * The training error of the result needs another pass over the file; from a
 * pipe, which cannot be read again, it stays unknown, and so it does where the
 * first pass was interrupted. */
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "data/levels.h"
#include "data/read.h"
#include "model/scorer.h"
#include "model/start.h"
#include "model/train.h"

struct stream {
    struct env e;
    const char *path;
    const perc_params *data;
    struct perc_files files;
    perc_model *m;
    struct fit f;
    struct labels labels; /* of the whole file, as the reader numbers them */
    uint64_t inputs;      /* columns met */
    bool whole;           /* the first pass has seen the whole file */
    uint64_t bytes, unchecked, hashed, collisions;
    struct watch reading;      /* while there is nothing to read */
    const struct watch *watch; /* while errors are counted */
    struct scorer scorer;      /* for counting errors in the end: of what is returned, ... */
    struct scorer last_scorer; /* ... and of the last machine, with a kernel */
    struct tally tally, last;
    struct start start;
};

/* Later passes rely on what the first has found: a label or a column that it did
 * not meet would have no class and no weight. */
static bool is_known(const struct stream *s, const struct block *b)
{
    bool known = b->columns <= s->inputs;

    for (size_t i = 0; i < b->rows; i++) known &= b->label[i] < s->f.known;
    return known;
}

static perc_status fail_changed(perc_error *err)
{
    return fail(err, PERC_EDATA, "the file changed while it was read");
}

/* While a pipe is silent the observer and the time limit are heard, also where --updates has ended
 * the learning and the rest is read for the facts. */
static bool ask_reading(void *ud, int64_t passes)
{
    struct stream *s = ud;
    struct progress *g = &s->m->learner.progress;
    const perc_stop before = g->stop;

    (void)passes;
    if (s->watch != NULL) return watch_ask(s->watch, 0);
    g->stop = PERC_STOP_NONE;
    fit_poll(&s->f);
    if (g->stop != PERC_STOP_NONE) return false;
    g->stop = before;
    return true;
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
        if (st == PERC_EUNDECIDED && s->watch == NULL && s->m->rows > 0) { /* of ask_reading */
            *go_on = false;
            st = PERC_OK;
            if (err != NULL) *err = (perc_error){ 0 };
        }
    }
    s->bytes = reader_facts(r).bytes;
    s->unchecked = reader_facts(r).unchecked;
    return st;
}

static const char *positive(const struct stream *s)
{
    return params_text(s->m->params, "positive");
}

/* ----- passes ----------------------------------------------------------------------- */

/* New columns get their start. Numbers begin at the first feature; names need no base. */
static perc_status begin_columns(struct stream *s, const struct reader_facts *facts,
                                 const struct schema *schema, uint64_t columns, perc_error *err)
{
    const bool names = s->start.kind == START_ZERO || s->start.kind == START_MODEL;
    perc_status st = PERC_OK;

    if (!names && strcmp(facts->format, "libsvm") == 0 && params_is(s->data, "index", "auto"))
        return fail(err, PERC_EARG, "a stream with --init %.60s needs --index 0 or --index 1",
                    params_text(s->m->params, "init"));
    if (!names) s->m->index_base = read_index_base(facts, s->data);
    if (s->start.filled == 0) st = start_compare(&s->start, s->m, schema, 0, err);
    return st ? st : start_fill(&s->start, s->m, schema, columns, err);
}

/* Weights for the columns of b. With a map they are numbered by the index base. */
static perc_status grow_weights(struct stream *s, const struct reader_facts *facts,
                                const struct schema *schema, const struct block *b, perc_error *err)
{
    struct map *map = &s->m->map;
    perc_status st;

    if (b->columns > s->inputs) s->inputs = b->columns;
    uint64_t columns = s->inputs;
    if (!map_is_identity(map)) {
        if (strcmp(facts->format, "libsvm") == 0 && params_is(s->data, "index", "auto"))
            return fail(err, PERC_EARG, "a stream with --map needs --index 0 or --index 1");
        if ((st = map_set_inputs(map, (uint64_t)read_index_base(facts, s->data), columns, err)))
            return st;
        columns = map_columns(map, columns);
    }
    struct machine *machine = s->m->learner.machine;
    if (machine->ops->found_base != NULL)
        machine->ops->found_base(machine, (uint64_t)read_index_base(facts, s->data));
    if ((st = model_grow(s->m, 0, columns, err))) return st;
    if ((st = begin_columns(s, facts, schema, columns, err))) return st;
    return lens_reserve(&s->f.lens, b, err);
}

static perc_status first_show(struct stream *s, struct reader *r, struct block *b, bool *go_on,
                              perc_error *err)
{
    const struct reader_facts facts = reader_facts(r);
    const struct machine *m = s->m->learner.machine;
    const bool checks = m->ops->check_row != NULL && m->ops->teach == NULL;
    perc_status st = model_check_labels(b, 1, err);

    s->f.labels = reader_labels(r);
    if (st || (st = fit_labels(&s->f)) || (st = grow_weights(s, &facts, reader_schema(r), b, err)))
        return st;
    for (size_t i = 0; checks && i < b->rows; i++) { /* can the kernel take it? */
        const struct row x = lens_row(&s->f.lens, b, i);
        if ((st = m->ops->check_row(m, &x, block_line(b, i), err)))
            return block_blame(b, i, st, err);
    }
    s->f.index_base = (uint64_t)read_index_base(&facts, s->data); /* as far as is known */
    s->m->rows += b->rows;
    if (s->m->learner.progress.stop == PERC_STOP_NONE) pass_block(&s->f, b, 0);
    *go_on = s->m->learner.progress.stop != PERC_STOP_CANCELLED; /* else read on for the facts */
    return s->f.st;
}

static perc_status later_show(struct stream *s, struct reader *r, struct block *b, bool *go_on,
                              perc_error *err)
{
    (void)r;
    if (!is_known(s, b)) return fail_changed(err);
    perc_status st = lens_reserve(&s->f.lens, b, err);
    if (st) return st;
    *go_on = pass_block(&s->f, b, 0);
    return s->f.st;
}

/* Whether errors are counted by the scores of the last machine, not by its vectors. */
static bool by_scores(const struct stream *s)
{
    return !(s->m->learner.machine->ops->flags & (MACHINE_QUICK | MACHINE_NETWORK));
}

/* The errors of b by the scores of `scorer`. */
static perc_status tally_scores(struct stream *s, const struct scorer *scorer,
                                const struct block *b, struct tally *t, perc_error *err)
{
    struct train_tally own = { &s->f, t };
    const perc_status st = scorer_pieces(scorer, b, 0, false, train_tally_rows, &own, err);

    if (st) return st;
    t->rows = s->last.rows;
    t->radius2 = s->last.radius2;
    return PERC_OK;
}

static perc_status tally_show(struct stream *s, struct reader *r, struct block *b, bool *go_on,
                              perc_error *err)
{
    const struct learner *l = &s->m->learner;
    perc_status st;

    (void)r, (void)go_on;
    if (!is_known(s, b)) return fail_changed(err);
    if (by_scores(s)) {
        if ((st = lens_reserve(&s->f.lens, b, err))) return st;
        train_tally_sizes(&s->f, b, &s->last);
        if ((st = tally_scores(s, &s->last_scorer, b, &s->last, err))) return st;
        if (s->m->learner.rule->keep != KEEP_LAST)
            return tally_scores(s, &s->scorer, b, &s->tally, err);
        s->tally = s->last;
        return PERC_OK;
    }
    if ((st = tally_block(&s->f, &l->machine->last, b, s->watch, &s->last, err))) return st;
    if (l->rule->keep != KEEP_VOTES)
        return tally_block(&s->f, machine_result(l->machine), b, s->watch, &s->tally, err);
    return tally_scores(s, &s->scorer, b, &s->tally, err);
}

/* A column that is treated by what all rows have: a stream has only one. */
static perc_status check_columns(const struct schema *schema, enum scale scale, perc_error *err)
{
    const char *what = levels_are_measured(schema)        ? "rare, reference and fill=frequent"
                       : transform_is_told(schema, scale) ? "scale and tfidf"
                       : schema_measures_gaps(schema)     ? "fill=mean and median"
                                                          : NULL;

    if (what == NULL) return PERC_OK;
    return fail(err, PERC_EARG,
                "--columns: %s need a first pass over the data (leave them out, or --stream)",
                what);
}

static perc_status first_pass(struct stream *s, perc_error *err)
{
    struct reader *r;
    bool go_on = true;
    perc_status st = reader_open(&s->e, s->path, s->data, NULL, NULL, &s->reading, &r, err);

    if (st) return st;
    st = check_columns(reader_schema(r), s->m->transform.scale, err);
    if (!st) st = each_block(s, r, first_show, &go_on, err);
    if (!st && s->m->rows == 0) st = fail(err, PERC_EDATA, NO_ROWS);
    if (!st) {
        const struct reader_facts f = reader_facts(r);
        s->m->index_base = read_index_base(&f, s->data);
        s->hashed = f.hashed;
        s->collisions = f.shared;
        s->f.index_base = (uint64_t)s->m->index_base;
        if (schema_copy(&s->e, reader_schema(r), &s->m->schema) ||
            names_make(&s->e, &s->m->schema, &s->m->names) ||
            labels_copy(&s->e, reader_labels(r), &s->labels))
            st = fail_memory(err);
        s->f.labels = &s->labels;
    }
    s->whole = go_on;
    if (!st) {
        /* All labels are known: what is still open is decided as a run in memory would. */
        struct learner *l = &s->m->learner;
        struct labels sorted;
        uint32_t *map = mem_array(&s->e, s->labels.n, sizeof *map);
        st = labels_copy(&s->e, &s->labels, &sorted) ? fail_memory(err) : PERC_OK;
        if (!st && (map == NULL || labels_sort(&sorted, map))) st = fail_memory(err);
        if (!st && sorted.n == 2 && l->kind == KIND_TWO && positive(s)[0] == '\0') {
            st = learner_meet_all(l, &sorted, err);
            if (!st) learner_seal(l);
        }
        if (!st) st = train_labels(s->m, &sorted, true, err);
        for (size_t i = 0; i < s->f.known && !st; i++)
            s->f.class_of[i] = learner_class(l, s->labels.at[i].text);
        mem_free(&s->e, map, s->labels.n, sizeof *map);
        labels_free(&sorted);
    }
    const uint64_t base = model_base(s->m);
    if (!st) st = start_compare(&s->start, s->m, &s->m->schema, s->inputs, err);
    if (!st) st = start_finish(&s->start, s->m, &s->labels, s->inputs, err);
    if (!st && map_is_identity(&s->m->map))
        st = start_measure(&s->start, s->inputs > base ? s->inputs - base : 0, err);
    reader_close(r);
    return st;
}

/* A pass after the first, or one that only counts. */
static perc_status read_again(struct stream *s, block_fn use, bool *go_on, perc_error *err)
{
    const struct reader_model asks = { s->m->index_base, &s->m->schema, &s->m->map, NULL };
    perc_params *own = NULL;
    struct reader *r = NULL;
    perc_status st = read_params_again(&s->e, &s->m->schema, s->data, &own, err);

    if (!st) st = reader_open(&s->e, s->path, own, &asks, NULL, &s->reading, &r, err);
    perc_params_free(own);
    if (st) return st;
    *go_on = true;
    st = each_block(s, r, use, go_on, err);
    if (!st && reader_labels(r)->n != s->labels.n && *go_on) st = fail_changed(err);
    reader_close(r);
    return st;
}

static perc_status run_passes(struct stream *s, perc_error *err)
{
    const struct progress *g = &s->m->learner.progress;
    bool go_on = true;
    perc_status st;

    s->f.labels = &s->labels;
    st = pass_first(&s->f, s->m->params, &s->m->map);
    while (!st && go_on && pass_begin(&s->f)) {
        st = g->epoch == 1 ? first_pass(s, err) : read_again(s, later_show, &go_on, err);
        if (g->stop != PERC_STOP_NONE) go_on = false;
        if (!st && go_on) st = train_pass_ended(&s->f, s->m, &go_on);
    }
    if (!st && g->epoch == 0) { /* no pass was wanted: the facts alone */
        st = first_pass(s, err);
        if (!st) st = learner_meet_all(&s->m->learner, &s->labels, err);
    }
    return st ? st : pass_last(&s->f, err);
}

/* ----- what a stream cannot do --------------------------------------------------------- */

static perc_status check_options(struct stream *s, const perc_params *p, perc_error *err)
{
    const bool once = params_int(p, "epochs") == 0 || params_int(p, "epochs") == 1;

    if (!s->m->learner.rule->about.online)
        return fail(err, PERC_EARG, "%s needs the whole data set (leave out --stream)",
                    s->m->learner.rule->table.name);
    perc_status st = model_without_data(s->m, "a stream", err);
    if (st) return st;
    st = transform_parse(params_text(s->data, "scale"), &s->m->transform.scale, &s->m->transform.by,
                         err);
    if (!st) st = map_parse(params_text(s->data, "map"), &s->m->map, err);
    if (st) return st;
    if (s->m->transform.scale == SCALE_AUTO) s->m->transform.scale = SCALE_NONE;
    if (s->m->weights.balanced)
        return fail(err, PERC_EARG,
                    "--class-weight balanced needs the number of rows of each label beforehand");
    if (params_given(p, "order") && !params_is(p, "order", "file"))
        return fail(err, PERC_EARG, "a stream is read in file order (leave out --order %s)",
                    params_text(p, "order"));
    if (transform_needs_pass(s->m->transform.scale))
        return fail(err, PERC_EARG,
                    "--scale %s needs a first pass over the data (use unit or by:NUMBER, or "
                    "leave out --stream)",
                    params_text(s->data, "scale"));
    if (params_is(s->data, "missing", "mean") || params_is(s->data, "missing", "median"))
        return fail(err, PERC_EARG,
                    "--missing %s needs a first pass over the data (use zero or drop)",
                    params_text(s->data, "missing"));
    const char *pipe = paths_once(&s->files);
    if (!once && pipe != NULL)
        return fail(err, PERC_EARG,
                    "%s cannot be read twice: pass --epochs 1, or leave out --stream", pipe);
    return perc_params_set(s->m->params, "order", "file", err);
}

static perc_status count_again(void *ud, const struct watch *watch, struct tally *t,
                               struct tally *last)
{
    struct stream *s = ud;
    perc_error *err = s->f.err;
    bool go_on;

    s->watch = watch;
    perc_status st = scorer_open(&s->scorer, &s->e, s->m, SCORER_MANY, err);
    if (!st && by_scores(s)) st = scorer_open(&s->last_scorer, &s->e, s->m, SCORER_LAST, err);
    s->scorer.watch = s->last_scorer.watch = watch;
    if (!st) st = read_again(s, tally_show, &go_on, err);
    scorer_close(&s->scorer);
    scorer_close(&s->last_scorer);
    *t = s->tally;
    *last = s->last;
    return st;
}

static perc_status no_count(void *ud, const struct watch *watch, struct tally *t,
                            struct tally *last)
{
    (void)ud, (void)watch, (void)t, (void)last;
    return PERC_OK;
}

static perc_status count_errors(struct stream *s, double seconds, perc_report *report)
{
    const bool again = s->whole && paths_once(&s->files) == NULL;
    struct tally t, last;

    s->f.run = s->m; /* whole only now */
    const perc_status st = train_count(&s->f, again ? count_again : no_count, s, &t, &last);

    if (st) return st;
    train_report(s->m, &s->f, &t, &last, seconds, report);
    report->bytes = s->bytes;
    report->unchecked = s->unchecked;
    report->hashed = s->hashed;
    report->collisions = s->collisions;
    report->rows_per_second = (double)s->m->learner.progress.examples / seconds;
    return PERC_OK;
}

perc_status perc_fit_stream_sized(const perc_env *env, const char *path, const perc_params *data,
                                  const perc_params *p, const perc_observer *observer,
                                  perc_model **out, perc_report *report, size_t size,
                                  perc_error *err)
{
    NEED_OUT(out);
    NEED(path != NULL && observer_is_valid(observer));
    NEED_PARAMS(p, "learner");
    if (data != NULL) NEED_PARAMS(data, "data");
    struct stream s = { .e = env_resolve(env), .path = path, .data = data };
    perc_report own_report = { 0 };
    const double begin = clock_seconds();
    perc_params *own = NULL;
    bool text;
    perc_status st;

    if (data == NULL) {
        if (params_new(&s.e, &data_table, &own)) return fail_memory(err);
        s.data = own;
    }
    if ((st = rule_check(p, err)) || (st = model_new(&s.e, p, &s.m, err))) goto done;
    s.f = (struct fit){
        .learner = &s.m->learner, .observer = observer, .weights = &s.m->weights, .err = err
    };
    labels_init(&s.labels, &s.e);
    s.m->transform.e = s.e;
    s.reading = (struct watch){ ask_reading, &s };
    if ((st = read_is_text(&s.e, path, s.data, &s.files, &text, err))) goto done;
    if (!text) {
        st = fail(err, PERC_EARG, "%s is in memory already: leave out --stream", path);
        goto done;
    }
    if ((st = check_options(&s, p, err))) goto done;
    if (positive(&s)[0] != '\0' &&
        learner_fix_two_classes(&s.m->learner, "rest", positive(&s), true)) {
        st = fail_memory(err);
        goto done;
    }
    if ((st = start_open(&s.e, p, &s.start, err)) ||
        (st = start_check(&s.start, s.m, "a stream", err)) ||
        (st = learner_know_listed(&s.m->learner, err)) ||
        (st = start_classes(&s.start, s.m, err)) || (st = model_draw_start(s.m, "a stream", err)))
        goto done;
    if ((st = run_passes(&s, err))) goto done;
    const double seconds = clock_seconds() - begin;
    if ((st = model_count_supports(s.m, err))) goto done;
    if (report != NULL && (st = count_errors(&s, seconds, &own_report))) goto done;
    *out = s.m; /* the caller owns it now */
    s.m = NULL;
done:
    pass_free(&s.f);
    start_close(&s.start);
    perc_model_free(s.m);
    labels_free(&s.labels);
    paths_free(&s.files);
    perc_params_free(own);
    sized_copy(report, size, &own_report, sizeof own_report);
    return st;
}
