/* online.c -- learning from lines of text, one at a time.
 *
 * A teacher writes a line; the learner answers and, if the line has a label, learns.
 * The line is what a line of a file would be: it goes through the same parser as a
 * chunk of one row, then through scaling and map, and then it is shown. So n lines
 * are one pass over the file that they would make, bit for bit.
 *
 * Which text it is, the model decides: a table's model reads CSV and objects of JSON, one of Vowpal
 * Wabbit's text that, any other LIBSVM.
 * An untaught model reads LIBSVM with indices from 1, unless told otherwise: a file
 * can be searched for an index 0 beforehand, a stream cannot.
 *
 * "The label that the model says" means two things. For a line with a label it is the
 * answer of the last weights, because mistakes and bounds speak of those; for a line
 * without, that of what the model returns (the average, the votes).
 *
 * Invariants
 * - A line that is refused (PERC_EDATA) leaves the model as it was, to the byte.
 * - The work for a line does not depend on the number of features, except where they
 *   are new, where a new label changes the machine, or where rows become dense; a
 *   voted model counts its votes anew when it is asked after having learned.
 * - Scratch memory is kept from line to line. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "data/csv.h"
#include "data/csv_cell.h"
#include "data/jsonl.h"
#include "data/libsvm.h"
#include "data/read.h"
#include "data/source.h"
#include "data/vw.h"
#include "model/scorer.h"

struct online_line {
    struct env e;
    perc_params *data;      /* how lines are read */
    bool unsorted, float32; /* two of them, needed for every line */
    bool begun;             /* a line was read: no byte order mark from here on */
    bool named, misnamed;   /* the first line had names of columns; it was refused */
    char *text;             /* a line, and SOURCE_PAD line ends behind it */
    size_t cap;
    struct rows rows;
    struct csv table[2];         /* for lines like the first one; for lines with one cell more
                                    or less, the label; file_columns 0: not open */
    struct csv objects;          /* for lines with names in them; likewise */
    struct csv_chunk categories; /* csv_parse wants it; a model has its own */
    struct pipe pipe;
    double *scores;
    size_t room;
    struct scorer votes; /* made when the learner stood at these numbers: */
    int64_t shown;
    size_t labels;
};

void online_free(struct online_line *l)
{
    if (l == NULL) return;
    const struct env e = l->e;
    perc_params_free(l->data);
    mem_free(&e, l->text, l->cap, 1);
    rows_free(&l->rows);
    csv_free(&l->table[0]);
    csv_free(&l->table[1]);
    csv_free(&l->objects);
    schema_free(&l->categories.local);
    pipe_free(&l->pipe);
    mem_free(&e, l->scores, l->room, sizeof *l->scores);
    scorer_close(&l->votes);
    mem_free(&e, l, 1, sizeof *l);
}

/* The index base, even while the model does not know it yet. */
static int base_of(const perc_model *m)
{
    if (m->index_base >= 0) return m->index_base;
    if (m->schema.hash_bits > 0) return 0; /* buckets count from 0 */
    return params_is(m->line->data, "index", "0") ? 0 : 1;
}

/* ----- beginning --------------------------------------------------------------------- */

perc_status perc_learn_begin(perc_model *m, const perc_params *data, perc_error *err)
{
    NEED(m != NULL);
    if (data != NULL) NEED_PARAMS(data, "data");
    struct online_line *l;
    perc_status st;

    if ((st = model_is_online(m, err))) return st;
    if (m->index_base < 0 && data != NULL) {
        /* An untaught model has no scaling, map or hashing yet: it takes those asked for. */
        struct map map;
        enum scale scale;
        double by;
        st = transform_parse(params_text(data, "scale"), &scale, &by, err);
        if (!st) st = map_parse(params_text(data, "map"), &map, err);
        if (st) return st;
        if (scale == SCALE_AUTO) scale = SCALE_NONE; /* nothing is known beforehand */
        if (transform_needs_pass(scale))
            return fail(err, PERC_EARG,
                        "--scale %s needs a first pass over the data (use unit or by:NUMBER)",
                        params_text(data, "scale"));
        m->transform.e = m->e;
        m->transform.scale = scale;
        m->transform.by = by;
        m->map = map;
        m->schema.hash_bits = (unsigned)params_int(data, "hash");
        names_free(&m->names);
        if ((st = names_make(&m->e, &m->schema, &m->names) ? fail_memory(err) : PERC_OK)) return st;
    }
    if ((l = mem_zeroed(&m->e, 1, sizeof *l)) == NULL) return fail_memory(err);
    l->e = l->votes.e = l->table[0].schema.e = l->table[1].schema.e = l->objects.schema.e = m->e;
    rows_init(&l->rows, &m->e);
    schema_init(&l->categories.local, &m->e);
    pipe_init(&l->pipe, &m->e, 0, &m->transform, &m->map);
    st = read_params_for(&m->e, &m->transform, &m->schema, data, &l->data, err);
    /* A model that knows its index base cannot be told another. */
    if (!st && m->index_base >= 0 && !params_is(l->data, "index", "auto") &&
        params_is(l->data, "index", "1") != (m->index_base == 1))
        st = fail(err, PERC_EARG, "the model counts features from %d: leave out --index %s",
                  m->index_base, params_text(l->data, "index"));
    if (!st) st = parser_check_hash(l->data, m->schema.hash_bits, err);
    if (!st) st = read_check_map(l->data, &m->map, err);
    /* A row that is dropped would get no answer: refuse it with an error. */
    if (!st) st = read_every_row(l->data, err);
    if (!st && params_is(l->data, "missing", "drop"))
        st = perc_params_set(l->data, "missing", "error", err);
    if (!st && m->schema.columns > 0 && !params_given(l->data, "delimiter"))
        st = perc_params_set(l->data, "delimiter", (char[]){ m->schema.delimiter, '\0' }, err);
    if (st) {
        online_free(l);
        return st;
    }
    l->unsorted = params_bool(l->data, "unsorted");
    l->float32 = params_bool(l->data, "float32");
    online_free(m->line);
    m->line = l;
    return m->begin != NULL ? start_begin(m, base_of(m), err) : PERC_OK;
}

/* ----- LIBSVM ------------------------------------------------------------------------ */

static perc_status parse_libsvm(const perc_model *m, const char *s, size_t n, perc_error *err)
{
    struct online_line *l = m->line;
    const struct libsvm how = { .base = base_of(m) == 0 ? INDEX_ZERO : INDEX_ONE,
                                .unsorted = l->unsorted,
                                .float32 = l->float32,
                                .for_model = m->index_base >= 0,
                                .unlabelled = true,
                                .hash_bits = m->schema.hash_bits };
    struct rows *r = &l->rows;
    perc_status st;

    if (!MEM_GROW(&l->e, l->text, &l->cap, n + SOURCE_PAD)) return fail_memory(err);
    memcpy(l->text, s, n);
    memset(l->text + n, '\n', SOURCE_PAD);
    if ((st = libsvm_parse(&how, l->text, n, r, err))) return st;
    /* "5.1,3.5,setosa" would pass for a label without features. */
    if (r->n == 1 && r->entries == 0 && r->labels.n == 1 &&
        strpbrk(r->labels.at[0].text, ",;|") != NULL)
        return fail_at(err, PERC_EDATA, 1, 1,
                       "this looks like a row of a table; the model reads LABEL INDEX:VALUE ...");
    return PERC_OK;
}

/* ----- tables ------------------------------------------------------------------------ */

/* The line as a table by itself, with or without a line of names at its beginning. */
static perc_status open_as(const perc_model *m, const char *s, size_t n, const char *header,
                           struct csv *out, perc_error *err)
{
    char note[256];
    perc_status st = perc_params_set(m->line->data, "header", header, err);

    return st ? st : csv_open(&m->e, s, n, m->line->data, &m->schema, NULL, out, note, err);
}

/* The table that the line is a row of; *names: the line is the header. */
static perc_status find_table(const perc_model *m, const char *s, size_t n, const struct csv **out,
                              bool *names, perc_error *err)
{
    struct online_line *l = m->line;
    struct csv *first = &l->table[0], *other = &l->table[1];
    struct cursor c;
    struct cell cell;
    size_t cells = 0;
    perc_status st = PERC_OK;

    *names = false;
    *out = first;
    if (l->misnamed)
        return fail(err, PERC_EDATA, "the line that names the columns was refused: begin again");
    if (first->file_columns == 0) {
        st = open_as(m, s, n, "auto", first, err);
        *names = l->named = !st && first->skip_first;
        if (st != PERC_EDATA) return st;
        /* To pass over a header with some wrong names would leave the order of the cells to
         * chance. */
        l->misnamed = open_as(m, s, n, "no", first, NULL) == PERC_OK;
        csv_free(first);
        return st;
    }
    if (l->named) return PERC_OK; /* the parser knows how many cells there must be */
    csv_cursor_init(&c, &l->e, s, n, first->delimiter, notation_quote(&first->schema.notation),
                    err);
    csv_cursor_record(&c); /* there is one: blank lines do not come here */
    do st = csv_cursor_cell(&c, &cell);
    while (++cells, !st && !cursor_at_end(&c) && ++c.p);
    csv_cursor_free(&c);
    if (st || cells == first->file_columns) return st;
    if (other->file_columns == 0 && (st = open_as(m, s, n, "no", other, err))) return st;
    if (cells == other->file_columns) *out = other;
    return PERC_OK;
}

/* An object says by itself what its values are: it may stand among rows of cells. So do Vowpal
 * Wabbit's examples. */
static perc_status parse_named(const perc_model *m, const char *s, size_t n, perc_error *err)
{
    struct online_line *l = m->line;
    char note[256];
    perc_status st = PERC_OK;

    const bool vw = vw_is_schema(&m->schema);
    if (l->objects.file_columns == 0)
        st = (vw ? vw_open : csv_open_objects)(&m->e, s, n, l->data, &m->schema, NULL, &l->objects,
                                               note, err);
    if (st) return st;
    return (vw ? vw_parse : jsonl_parse)(&l->objects, s, n, &l->rows, &l->categories, err);
}

/* ----- one line ---------------------------------------------------------------------- */

/* Parses the line into l->rows: one row, or none. */
static perc_status parse_line(const perc_model *m, const char *s, size_t n, perc_error *err)
{
    static const char bom[] = "\xef\xbb\xbf";
    struct online_line *l = m->line;
    const struct csv *table;
    struct cursor c;
    bool names;
    perc_status st;

    rows_reset(&l->rows);
    if (n > SOURCE_LINE_MAX)
        return fail_at(err, PERC_EDATA, 1, 0, "a line of more than %d MB (is this text?)",
                       (int)(SOURCE_LINE_MAX >> 20));
    if (!l->begun && n >= 3 && memcmp(s, bom, 3) == 0) s += 3, n -= 3;
    l->begun = true;
    if (n == 0) return PERC_OK;
    if (m->schema.columns > 0 && (vw_is_schema(&m->schema) || jsonl_looks_like(s, n))) {
        st = parse_named(m, s, n, err);
    } else if (m->schema.columns > 0) {
        csv_cursor_init(&c, &l->e, s, n, m->schema.delimiter, '"', NULL);
        if (!csv_cursor_record(&c)) return PERC_OK; /* blank */
        if ((st = find_table(m, s, n, &table, &names, err)) || names) return st;
        st = csv_parse(table, s, n, false, &l->rows, &l->categories, err);
    } else st = parse_libsvm(m, s, n, err);
    if (!st && l->rows.n > 1)
        st = fail_at(err, PERC_EDATA, (int64_t)l->rows.line[1] + 1, 1,
                     "more than one row; show them one by one");
    return st;
}

/* *x becomes what the machine sees. To learn, a map must know all its columns. */
static perc_status prepare_row(perc_model *m, struct row *x, bool learn, perc_error *err)
{
    const uint64_t inputs = m->schema.hash_bits > 0 ? schema_features(&m->schema)
                            : x->n > 0              ? row_column(x, x->n - 1) + 1
                                                    : 0;
    perc_status st;

    if (learn && !map_is_identity(&m->map) && inputs > m->map.inputs &&
        map_set_inputs(&m->map, model_base(m), inputs, err)) {
        if (err != NULL) err->status = PERC_EDATA; /* the line's fault, not the option's */
        return PERC_EDATA;
    }
    if ((st = pipe_row(&m->line->pipe, x, 1, err))) return st;
    for (size_t k = 0; k < x->n && m->line->pipe.transform != NULL; k++)
        if (!(fabs(row_value(x, k)) <= DBL_MAX))
            return fail_at(err, PERC_EDATA, 1, 0,
                           "feature %llu is too large: scaled, it is no longer a number",
                           (unsigned long long)row_column(x, k));
    return PERC_OK;
}

static perc_status learn_row(perc_model *m, struct row *x, perc_reply *out, perc_error *err)
{
    const struct rows *r = &m->line->rows;
    const char *label = r->labels.at[r->label[0]].text;
    const struct map map = m->map;
    const uint64_t dims = machine_dims(m->learner.machine);
    const int base = m->index_base;
    struct outcome o;
    perc_status st;

    m->index_base = base_of(m);
    st = prepare_row(m, x, true, err);
    /* Products and buckets have weights from the start, as in training; other columns come
     * one by one. */
    const uint64_t whole = !map_is_identity(&m->map) ? map_columns(&m->map, m->map.inputs)
                           : m->schema.hash_bits > 0 ? schema_features(&m->schema)
                                                     : 0;
    if (!st) st = model_grow(m, 0, whole, err);
    if (!st) st = model_learn(m, x, label, r->weight[0], &o, err);
    if (st) {
        m->index_base = base;
        m->map = map;
        machine_shrink(m->learner.machine, dims);
        if (st == PERC_EDATA && err != NULL && err->line == 0) err->line = 1;
        return st;
    }
    out->label = label;
    out->answer = o.answer < m->learner.labels.n ? m->learner.labels.at[o.answer].text : NULL;
    out->score = m->learner.kind == KIND_TWO ? o.score
                 : out->answer != NULL       ? m->learner.scores[o.answer]
                                             : 0;
    out->score = machine_shown(m->learner.machine, out->score);
    out->mistake = o.mistake;
    out->fresh = o.fresh;
    out->updated = o.updates;
    return PERC_OK;
}

static perc_status answer_row(perc_model *m, struct row *x, perc_reply *out, perc_error *err)
{
    struct online_line *l = m->line;
    const struct learner *t = &m->learner;
    const struct machine_ops *ops = t->machine->ops;
    const size_t n = learner_outputs(t);
    perc_status st;

    if (t->labels.n == 0) return PERC_OK; /* it knows nothing */
    if (!MEM_GROW(&l->e, l->scores, &l->room, n)) return fail_memory(err);
    if ((st = prepare_row(m, x, false, err))) return st;
    /* Votes are made ready once for all lines between two that teach; with a kernel, that costs
     * less than an answer, and the result would borrow from the learner. */
    if (ops->scorer_open == NULL || ops->thread_rows > 0) {
        st = scorer_model_row(m, x, l->scores, err);
    } else {
        const bool ready = l->votes.answers.state != NULL && l->shown == t->shown &&
                           l->labels == t->labels.n;
        if (!ready) scorer_close(&l->votes);
        if (!ready && (st = scorer_open(&l->votes, &l->e, m, SCORER_MANY, err))) return st;
        l->shown = t->shown;
        l->labels = t->labels.n;
        st = scorer_row(&l->votes, x, l->scores, err);
    }
    if (st) return st;
    out->answer = perc_answer(m, l->scores);
    out->score = l->scores[t->kind == KIND_TWO ? 0 : linear_best(l->scores, n)];
    return PERC_OK;
}

perc_status perc_learn_line_sized(perc_model *m, const char *line, size_t length, perc_reply *out,
                                  size_t size, perc_error *err)
{
    sized_copy(out, size, &(perc_reply){ 0 }, sizeof *out);
    NEED(m != NULL && (line != NULL || length == 0));
    perc_reply reply = { 0 };
    perc_status st;

    sized_copy(out, size, &reply, sizeof reply);
    if (m->line == NULL && (st = perc_learn_begin(m, NULL, err))) return st;
    if ((st = parse_line(m, line, length, err))) return st;
    struct rows *r = &m->line->rows;
    reply.skipped = r->n == 0;
    reply.unknown = r->unknown;
    if (!reply.skipped) {
        reply.weight = r->weight[0];
        const bool float32 = m->line->float32;
        if (float32) rows_unpack(r);
        for (size_t k = 0; float32 && k < r->entries; k++) r->value[k] = (double)(float)r->value[k];
        struct row x = { .index = r->index,
                         .n = r->entries,
                         .indices = INDEX_U32,
                         .values = r->packed ? VALUES_DEC : VALUES_F64,
                         .value = r->packed ? (const void *)r->dec : (const void *)r->value,
                         .stride = r->packed ? sizeof *r->dec : sizeof *r->value };
        st = r->label[0] != LABEL_NONE ? learn_row(m, &x, &reply, err)
                                       : answer_row(m, &x, &reply, err);
    }
    if (!st) sized_copy(out, size, &reply, sizeof reply);
    return st;
}
