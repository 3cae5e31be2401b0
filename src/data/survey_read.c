/* survey_read.c -- the rows of a survey: the cells of tables as they stand, and the entries of data
 * that have no cells.
 *
 * What the columns are is decided as in training (parser_open); then each chunk is walked over,
 * cell by cell, by one thread: what is counted does not depend on their number. Whether a row is in
 * the sample, and where, is drawn for all columns at once (Vitter 1985, algorithm R, with a fixed
 * seed). Features of LIBSVM text and of Vowpal Wabbit's come in blocks. */
#include "data/survey.h"

#include <string.h>

#include "data/dataset.h"
#include "data/jsonl.h"
#include "data/parser.h"
#include "data/read.h"
#include "data/source.h"

/* ----- rows ----------------------------------------------------------------------------- */

void survey_row_begin(struct perc_survey *s)
{
    const uint64_t rows = s->info.rows;

    s->label = SURVEY_NONE;
    s->features = hash_key_begin(&(const struct hash_key){ { 0, 0 } });
    s->slot = rows < s->sample ? (size_t)rows : (size_t)rng_below(&s->rng, rows + 1);
    if (s->slot >= s->sample) s->slot = SIZE_MAX;
    if (s->slot == SIZE_MAX || !s->sparse) return;
    for (size_t i = 0; i < s->columns; i++)
        if (s->column[i].sample != NULL) s->column[i].sample[s->slot] = 0;
}

bool survey_row_labels(struct perc_survey *s, size_t n)
{
    const size_t had = s->of_cap;

    if (!MEM_GROW(&s->e, s->of_label, &s->of_cap, n)) return false;
    for (size_t i = had; i < s->of_cap; i++) s->of_label[i] = 0;
    return true;
}

static bool count_label(struct perc_survey *s)
{
    if (s->label == SURVEY_NONE) {
        s->info.unlabelled++;
        return true;
    }
    if (!survey_row_labels(s, (size_t)s->label + 1)) return false;
    s->of_label[s->label]++;
    return true;
}

perc_status survey_row_end(struct perc_survey *s, perc_error *err)
{
    if (!count_label(s) || !survey_rows_add(&s->rows, &s->e, hash_key_end(&s->features), s->label))
        return fail_memory(err);
    s->info.rows++;
    return PERC_OK;
}

/* The end of a row of a table: now the label is known. */
static perc_status end_cells(struct perc_survey *s, perc_error *err)
{
    for (size_t i = 0; i < s->columns; i++) survey_column_label(&s->column[i], s->label);
    return survey_row_end(s, err);
}

/* A cell of column f, in a chunk that so many lines stand before. What it keeps is counted from the
 * file's beginning, and an error from the chunk's, as all others. */
static perc_status take_cell(struct perc_survey *s, size_t f, struct cell *cell, int64_t lines,
                             perc_error *err)
{
    cell->line += lines;
    const perc_status st = survey_column_take(s, &s->column[f], cell, err);
    if (st == PERC_EDATA && err != NULL) err->line -= lines;
    return st;
}

/* ----- CSV ------------------------------------------------------------------------------ */

static perc_status skip_record(struct cursor *c)
{
    struct cell cell;
    perc_status st;

    while (!(st = csv_cursor_cell(c, &cell)) && !cursor_at_end(c)) c->p++;
    if (!st) csv_cursor_end(c);
    return st;
}

static perc_status take_record(struct perc_survey *s, struct cursor *c, int64_t lines)
{
    struct cell cell;
    size_t f = 0;
    perc_status st;

    survey_row_begin(s);
    for (;; c->p++) {
        if ((st = csv_cursor_cell(c, &cell)) || (st = take_cell(s, f, &cell, lines, c->err)))
            return st;
        if (++f == s->columns || cursor_at_end(c)) break;
    }
    if (f < s->columns || !cursor_at_end(c))
        return csv_cursor_width(c, f < s->columns ? f : f + 1, s->columns);
    csv_cursor_end(c);
    return end_cells(s, c->err);
}

static perc_status take_csv(struct perc_survey *s, const struct csv *csv, const struct chunk *chunk,
                            int64_t *lines, perc_error *err)
{
    struct cursor c;
    perc_status st = PERC_OK;

    csv_cursor_init(&c, &s->e, chunk->text, chunk->len, csv->delimiter,
                    notation_quote(&s->schema.notation), err);
    if (chunk->begins && csv->skip_first && csv_cursor_record(&c)) st = skip_record(&c);
    while (!st && csv_cursor_record(&c)) st = take_record(s, &c, *lines);
    *lines += c.lines;
    csv_cursor_free(&c);
    return st;
}

/* ----- JSON lines ----------------------------------------------------------------------- */

struct survey_walk {
    struct jsonl_walk w; /* first: a leaf is given its address */
    const struct csv *csv;
    struct jsonl_value *value; /* by column */
    uint32_t *stamp;           /* of the line that had it last */
    struct text text;
};

static perc_status note_leaf(struct jsonl_walk *walk, uint32_t key, const struct jsonl_value *v)
{
    struct survey_walk *w = (struct survey_walk *)walk;
    uint32_t f;
    const perc_status st = jsonl_column(walk, w->csv, key, v, &f);

    if (st || f == JSONL_NONE) return st;
    if (w->stamp[f] == walk->stamp) return jsonl_twice(walk, w->csv, f, v);
    w->stamp[f] = walk->stamp;
    w->value[f] = *v;
    return PERC_OK;
}

/* The value of column f as a cell. */
static perc_status take_value(struct perc_survey *s, struct survey_walk *w, size_t f, int64_t lines)
{
    const struct jsonl_value *v = w->stamp[f] == w->w.stamp ? &w->value[f] : NULL;
    const bool number = s->column[f].kind == COLUMN_NUMBER;
    struct cell cell = { .text = "",
                         .line = w->w.line,
                         .column = v != NULL ? v->at - w->w.j.start + 1 : 1,
                         .plain = v != NULL && v->kind == JSON_NUMBER };

    if (v != NULL && v->kind != JSON_NULL && number) {
        cell.text = v->text;
        cell.len = v->len;
    } else if (v != NULL && v->kind != JSON_NULL) {
        cell.text = jsonl_text(v, &w->text, &cell.len);
        if (cell.text == NULL) return fail_memory(w->w.err);
    }
    return take_cell(s, f, &cell, lines, w->w.err);
}

static perc_status take_object(struct perc_survey *s, struct survey_walk *w, const char *line,
                               size_t len, int64_t lines)
{
    perc_status st;

    w->w.stamp++;
    if ((st = jsonl_walk(&w->w, line, len))) return st;
    survey_row_begin(s);
    for (size_t f = 0; f < s->columns; f++)
        if ((st = take_value(s, w, f, lines))) return st;
    return end_cells(s, w->w.err);
}

static perc_status take_jsonl(struct perc_survey *s, const struct csv *csv,
                              const struct chunk *chunk, int64_t *lines, perc_error *err)
{
    const struct env *e = &s->e;
    const size_t keys = csv->keys->keys.categories + 1, n = s->columns + 1;
    struct survey_walk w = { .csv = csv };
    const char *p = chunk->text, *line;
    size_t len;
    perc_status st = PERC_OK;

    jsonl_walk_init(&w.w, e);
    w.w.keys = csv->keys;
    w.w.leaf = note_leaf;
    w.w.err = err;
    text_init(&w.text, e);
    w.value = mem_array(e, n, sizeof *w.value);
    w.stamp = mem_zeroed(e, n, sizeof *w.stamp);
    w.w.seen = mem_zeroed(e, keys, sizeof *w.w.seen);
    if (w.value == NULL || w.stamp == NULL || w.w.seen == NULL) st = fail_memory(err);
    while (!st && jsonl_line(&p, chunk->text + chunk->len, &w.w.line, &line, &len))
        st = take_object(s, &w, line, len, *lines);
    *lines += w.w.line;
    mem_free(e, w.value, n, sizeof *w.value);
    mem_free(e, w.stamp, n, sizeof *w.stamp);
    mem_free(e, w.w.seen, keys, sizeof *w.w.seen);
    text_free(&w.text);
    jsonl_walk_free(&w.w);
    return st;
}

/* ----- tables --------------------------------------------------------------------------- */

/* The next chunk. Lines are counted in each file, whose head is compared with that of the first. */
static perc_status next_chunk(struct perc_survey *s, struct source *source, const struct parser *p,
                              struct chunk *chunk, int64_t *lines, perc_error *err)
{
    perc_status st = source_next(source, chunk, err);

    s->file = chunk->file;
    if (chunk->begins) *lines = 0;
    if (!st && chunk->len > 0 && chunk->begins && chunk->number > 0)
        st = parser_follow(p, chunk->text, chunk->len, s->files.name[0], err);
    return paths_blame(&s->files, chunk->file, st, err);
}

/* The place of what is wrong in a chunk, before which there are so many lines. */
static perc_status blame(const struct perc_survey *s, int64_t lines, perc_status st,
                         perc_error *err)
{
    if (st && err != NULL && err->line > 0) err->line += lines;
    return paths_blame(&s->files, s->file, st, err);
}

static void tell_reading(const struct perc_survey *s, struct source *source,
                         const perc_params *data, bool ended)
{
    perc_reading reading = { .rows = s->info.rows, .ended = ended };

    if (data->notify == NULL) return;
    reading.bytes = source_place(source, &reading.of);
    data->notify(data->notify_ud, &reading);
}

/* As much as there is room for: see survey_values.h. */
static unsigned power_below(uint64_t n, unsigned least, unsigned most)
{
    unsigned bits = most;

    while (bits > least && (uint64_t)1 << bits > n) bits--;
    return bits;
}

static void choose_sizes(struct perc_survey *s, uint64_t columns)
{
    s->sample = (size_t)1 << power_below((1 << 22) / columns, 8, 14);
    s->bits = power_below((1 << 26) / columns, 10, 14);
}

static perc_status begin_table(struct perc_survey *s, struct parser *p, perc_error *err)
{
    s->schema = p->table.schema; /* moved */
    schema_init(&p->table.schema, &s->e);
    p->table.schema.notation = s->schema.notation;
    s->info.table = 1;
    s->info.columns = s->schema.columns;
    choose_sizes(s, s->schema.columns);
    for (size_t i = 0; i < s->schema.columns; i++) {
        const struct column *c = &s->schema.column[i];
        if (!survey_column_add(s, mem_text(&s->e, c->name, strlen(c->name)), c->kind))
            return fail_memory(err);
    }
    return PERC_OK;
}

static perc_status read_table(struct perc_survey *s, struct source *source, struct parser *p,
                              const perc_params *data, perc_error *err)
{
    struct chunk chunk = { .e = s->e };
    int64_t lines = 0;
    perc_status st = begin_table(s, p, err);

    source_quotes(source, parser_quotes(p));
    while (!st && !(st = next_chunk(s, source, p, &chunk, &lines, err)) && chunk.len > 0) {
        const int64_t before = lines;
        st = p->table.keys != NULL ? take_jsonl(s, &p->table, &chunk, &lines, err)
                                   : take_csv(s, &p->table, &chunk, &lines, err);
        st = blame(s, before, st, err);
        if (!st) tell_reading(s, source, data, false);
    }
    tell_reading(s, source, data, true);
    source_chunk_free(&chunk);
    s->info.bytes = source_bytes(source);
    s->info.unchecked = source_unchecked(source);
    return st;
}

/* ----- blocks --------------------------------------------------------------------------- */

static bool add_features(struct perc_survey *s, uint64_t columns)
{
    if (columns > s->info.columns) s->info.columns = columns;
    if (columns > SURVEY_FEATURES) columns = SURVEY_FEATURES;
    while (s->columns < columns)
        if (!survey_column_add(s, mem_text(&s->e, "", 0), COLUMN_NUMBER)) return false;
    return true;
}

static perc_status take_row(struct perc_survey *s, const struct row *x, uint32_t label,
                            perc_error *err)
{
    survey_row_begin(s);
    s->label = label == LABEL_NONE ? SURVEY_NONE : label;
    for (size_t k = 0; k < x->n; k++) {
        const uint64_t column = row_column(x, k);
        const double v = row_value(x, k);
        s->info.cells += v != 0;
        if (column < s->columns) {
            struct survey_column *c = &s->column[column];
            if (!survey_column_number(s, c, v)) return fail_memory(err);
            survey_column_label(c, s->label);
        } else if (v != 0) {
            hash_key_word(&s->features, column);
            hash_key_word(&s->features, survey_hash_number(v));
        }
    }
    return survey_row_end(s, err);
}

static perc_status take_block(struct perc_survey *s, const struct block *b, perc_error *err)
{
    perc_status st = add_features(s, b->columns) ? PERC_OK : fail_memory(err);

    for (size_t i = 0; i < b->rows && !st; i++) {
        const struct row x = block_row(b, i);
        st = take_row(s, &x, b->label[i], err);
    }
    return st;
}

/* Features get their names when all are known; without names their index. */
static perc_status name_features(struct perc_survey *s, const struct schema *schema, int base,
                                 perc_error *err)
{
    struct text name;
    size_t k = 0;

    text_init(&name, &s->e);
    for (size_t i = 0; i < s->columns; i++) {
        struct survey_column *c = &s->column[i];
        name.len = 0;
        if (schema->columns > 0 && schema->hash_bits == 0) schema_name(schema, i, &name);
        else text_uint(&name, i);
        mem_free_text(&s->e, c->name);
        c->name = name.oom ? NULL : mem_text(&s->e, name.s, name.len);
        if (c->name == NULL) break;
        k++;
    }
    text_free(&name);
    if (k < s->columns) return fail_memory(err);
    if (base == 0 || s->columns == 0) return PERC_OK;
    /* Counted from 1: there is no feature 0. */
    survey_column_free(s, &s->column[0]);
    memmove(s->column, s->column + 1, (s->columns - 1) * sizeof *s->column);
    s->columns--;
    s->info.columns--;
    return PERC_OK;
}

/* The numbers of the file, whatever training would make of them. */
static perc_status read_plain(struct perc_survey *s, const char *path, const perc_params *data,
                              perc_dataset **out, perc_error *err)
{
    const perc_env env = { s->e.alloc, s->e.ud, s->e.threads };
    perc_params *own;
    perc_status st = params_copy(&s->e, data, &own);

    *out = NULL;
    if (st) return fail_memory(err);
    if (!(st = perc_params_set(own, "scale", "none", err)) &&
        !(st = perc_params_set(own, "map", "none", err)))
        st = perc_dataset_read(&env, path, own, out, err);
    perc_params_free(own);
    return st;
}

static perc_status read_blocks(struct perc_survey *s, const char *path, const perc_params *data,
                               perc_error *err)
{
    perc_dataset *ds;
    perc_status st = read_plain(s, path, data, &ds, err);

    if (st) return st;
    s->info.format = strcmp(ds->format, "builtin") == 0 ? "builtin" : "blocks";
    choose_sizes(s,
                 ds->columns > 0 && ds->columns < SURVEY_FEATURES ? ds->columns : SURVEY_FEATURES);
    for (size_t i = 0; i < ds->blocks && !st; i++) st = take_block(s, &ds->block[i], err);
    labels_free(&s->labels);
    if (!st && labels_copy(&s->e, &ds->labels, &s->labels)) st = fail_memory(err);
    if (!st) st = name_features(s, &ds->schema, ds->index_base, err);
    perc_dataset_free(ds);
    return st;
}

/* The rows of a chunk, whose labels get the numbers of the survey. */
static perc_status take_rows(struct perc_survey *s, struct rows *rows, perc_error *err)
{
    struct block b;
    perc_status st;

    if (rows->n == 0) return PERC_OK;
    if ((st = labels_join(&s->labels, &rows->labels, rows->label, rows->n, err))) return st;
    if (block_from_rows(&s->e, NULL, rows, false, &b)) return fail_memory(err);
    st = take_block(s, &b, err);
    block_free(&b);
    return st;
}

static perc_status read_features(struct perc_survey *s, struct source *source, struct parser *p,
                                 const perc_params *data, perc_error *err)
{
    struct chunk chunk = { .e = s->e };
    struct csv_chunk local = { .local.e.alloc = NULL };
    struct rows rows;
    int64_t lines = 0;
    bool zero = false;
    perc_status st = PERC_OK;

    rows_init(&rows, &s->e);
    choose_sizes(s, SURVEY_FEATURES);
    while (!st && !(st = next_chunk(s, source, p, &chunk, &lines, err)) && chunk.len > 0) {
        rows_reset(&rows);
        st = parser_chunk(p, chunk.text, chunk.len, chunk.begins, &rows, &local, err);
        st = blame(s, lines, st, err);
        if (!st && p->late) st = parser_merge(p, &local, &rows, err);
        if (!st) st = take_rows(s, &rows, err);
        lines += rows.lines;
        zero |= rows.zero_index;
        if (!st) tell_reading(s, source, data, false);
    }
    tell_reading(s, source, data, true);
    rows_free(&rows);
    if (local.local.e.alloc != NULL) schema_free(&local.local);
    source_chunk_free(&chunk);
    s->info.bytes = source_bytes(source);
    s->info.unchecked = source_unchecked(source);
    const bool named = p->table.schema.columns > 0;
    const int base = named || zero || params_is(data, "index", "0") ? 0 : 1;
    return st ? st : name_features(s, &p->table.schema, base, err);
}

/* ----- which ---------------------------------------------------------------------------- */

static perc_status read_text(struct perc_survey *s, struct source *source, const char *text,
                             size_t len, const perc_params *data, perc_error *err)
{
    struct parser p;
    perc_status st = parser_open(&s->e, text, len, data, NULL, &p, s->info.note, err);

    if (!st && s->files.n > 1) st = parser_keep(&p, text, len, err);
    paths_blame(&s->files, source_file(source), st, err);
    if (!st) {
        s->info.format = parser_name(&p);
        const bool table = strcmp(s->info.format, "csv") == 0 || p.table.keys != NULL;
        s->sparse = !table;
        st = table ? read_table(s, source, &p, data, err) : read_features(s, source, &p, data, err);
    }
    parser_free(&p);
    return st;
}

perc_status survey_read(struct perc_survey *s, const char *path, const perc_params *data,
                        perc_error *err)
{
    struct source *source;
    const char *text;
    size_t len;
    bool is_text;
    perc_status st;

    s->sparse = true;
    if ((st = read_is_text(&s->e, path, data, &s->files, &is_text, err))) return st;
    s->info.files = path[0] != ':' ? s->files.n : 0;
    if (!is_text) return read_blocks(s, path, data, err);
    st = source_open_all(&s->e, s->files.name, s->files.n, NULL, &source, err);
    if (st) return st;
    st = source_peek(source, 2, &text, &len, err);
    if (st) paths_blame(&s->files, source_file(source), st, err);
    else st = read_text(s, source, text, len, data, err);
    source_close(source);
    return st;
}
