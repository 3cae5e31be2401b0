/* read.c -- from a path to a data set: built-in, block file or text, then the
 * transforms. */
#include <string.h>

#include "data/grouping.h"
#include "data/levels.h"
#include "data/measure.h"
#include "data/read.h"
#include "data/source.h"

static const perc_param rows[] = {
    { "more", PERC_TEXT, "", 0, 0, NULL, "LIST",
      "further files of the data set, after the first: a list of files, directories and patterns" },
    { "format", PERC_CHOICE, "auto", 0, 0, "auto|libsvm|csv|tsv|jsonl|vw|blocks", "FORMAT",
      "what the file is; auto tells it from the content" },
    { "index", PERC_CHOICE, "auto", 0, 0, "auto|0|1", "BASE",
      "LIBSVM: the first feature index; auto: 0 if an index 0 occurs, else 1" },
    { "unsorted", PERC_BOOL, "false", 0, 0, NULL, NULL,
      "LIBSVM: sort the indices of a row instead of refusing it" },
    { "delimiter", PERC_TEXT, "", 0, 0, NULL, "CHAR",
      "CSV: the character between cells, or tab, space; found if not given" },
    { "quote", PERC_TEXT, "", 0, 0, NULL, "CHAR",
      "CSV: the quote around cells, \" or ' or none [\"]" },
    { "decimal", PERC_CHOICE, "auto", 0, 0, "auto|.|,", "CHAR",
      "CSV: the decimal mark, 1234.5 or 1234,5; auto: a point, or a comma where it can be nothing "
      "else" },
    { "thousands", PERC_TEXT, "", 0, 0, NULL, "CHAR",
      "CSV: what may stand between groups of three digits: . , _ ' space or none" },
    { "header", PERC_CHOICE, "auto", 0, 0, "auto|yes|no", "WHEN",
      "CSV: whether the first line names the columns" },
    { "label", PERC_TEXT, "", 0, 0, NULL, "COLUMN",
      "CSV: label column, by name or position; else label, class, target or y (not beside an x), "
      "or the last" },
    { "weight", PERC_TEXT, "", 0, 0, NULL, "COLUMN", "CSV: column of example weights" },
    { "categorical", PERC_TEXT, "", 0, 0, NULL, "COLUMNS",
      "CSV: columns to take as categories though they look like numbers" },
    { "text", PERC_TEXT, "", 0, 0, NULL, "COLUMNS",
      "CSV: columns to take as text: each word is a feature" },
    { "hash", PERC_INT, "0", 0, HASH_BITS_MAX, NULL, "BITS",
      "hash words, categories, LIBSVM indices into 2^BITS buckets; 0: each is a feature" },
    { "ignore", PERC_TEXT, "", 0, 0, NULL, "COLUMNS", "CSV: columns to leave out" },
    { "group", PERC_TEXT, "", 0, 0, NULL, "COLUMN",
      "CSV: rows of one value in COLUMN stay together in folds and where rows are held out; not "
      "learned from" },
    { "time", PERC_TEXT, "", 0, 0, NULL, "COLUMN",
      "CSV: folds learn from older rows than they are judged by, and the newest are held out; not "
      "learned from" },
    { "columns", PERC_TEXT, "", 0, 0, NULL, "FILE",
      "CSV: what each column is and how its cells are treated, a line a column (docs/columns.md)" },
    { "missing", PERC_CHOICE, "error", 0, 0, "auto|error|mean|median|zero|drop", "HOW",
      "CSV: what an empty cell, NA or ? becomes; auto: mean, where there are any" },
    { "scale", PERC_TEXT, "none", 0, 0, "auto|none|standard|minmax|maxabs|unit|by:NUMBER", "HOW",
      "scale the features; the model remembers how; auto: standard for a table's columns of "
      "numbers that are not 0 or 1, or nearly always 0; all else as it is" },
    { "map", PERC_TEXT, "none", 0, 0, "none|poly:D|poly:D:hash:BITS|products:D|lift:D|lift:D:C",
      "MAP",
      "products of features, made as they are needed: all of up to D; lift: with the factors of "
      "the kernel (x.z + C)^D, C = 1; products: all n^D in order, as of (x.z)^D" },
    { "float32", PERC_BOOL, "false", 0, 0, NULL, NULL,
      "round the values to float32 when reading, to save memory" },
    { "in-place", PERC_BOOL, "false", 0, 0, NULL, NULL,
      "block files: use the file in place, without a copy; nobody may change it meanwhile" },
};

const struct table data_table = { "data", "data", "how data are read", rows,
                                  sizeof rows / sizeof rows[0] };

/* ----- text -------------------------------------------------------------------- */

int read_index_base(const struct reader_facts *f, const perc_params *data)
{
    if (strcmp(f->format, "libsvm") != 0 || f->hash_bits > 0) return 0;
    if (params_is(data, "index", "auto")) return f->zero_index ? 0 : 1;
    return params_is(data, "index", "0") ? 0 : 1;
}

/* What is asked of the reader beside the options. */
struct reading {
    const struct reader_model *model; /* NULL in training */
    bool exact;                       /* for a proof */
    const struct watch *watch;        /* asked after each block */
    const struct read_start *start;   /* NULL: the run does not begin with a model */
};

/* The blocks say which lines are whose. */
static void take_files(perc_dataset *ds, struct perc_files *files)
{
    ds->files = *files; /* moved */
    *files = (struct perc_files){ .e = ds->e };
    for (size_t i = 0; i < ds->blocks && ds->files.n > 1; i++) ds->block[i].files = &ds->files;
}

static perc_status read_text(const struct env *e, const char *path, const perc_params *data,
                             const struct reading *how, perc_dataset **out, bool *fill,
                             perc_error *err)
{
    const struct reader_model *model = how->model;
    perc_dataset *ds = NULL;
    struct reader *r = NULL;
    struct grouping g = { .group = false };
    perc_status st = PERC_OK;

    if (dataset_new(e, &ds) || slabs_new(e, &ds->slabs)) st = fail_memory(err);
    if (!st)
        st = how->exact ? reader_open_exact(e, path, data, ds->slabs, how->watch, &r, err)
                        : reader_open(e, path, data, model, ds->slabs, how->watch, &r, err);
    if (!st && model == NULL) st = grouping_begin(e, data, r, &g, err);
    for (bool more = true; !st && more;) {
        struct block b;
        st = reader_next(r, &b, &more, err);
        if (!st && more && !watch_ask(how->watch, 0))
            st = fail(err, PERC_EUNDECIDED, "stopped while the data were read");
        if (!st && more) st = grouping_take(&g, r, &b, err);
        if (!st && more && dataset_append(ds, &b)) st = fail_memory(err);
        block_free(&b);
    }
    if (!st && grouping_end(&g, &ds->groups)) st = fail_memory(err);
    grouping_free(&g);
    if (!st) {
        const struct reader_facts f = reader_facts(r);
        ds->index_base = model != NULL && model->index_base >= 0 ? model->index_base
                                                                 : read_index_base(&f, data);
        *fill = f.fill;
        /* Takes over what the reader has gathered. */
        ds->format = f.format;
        ds->bytes = f.bytes;
        ds->unchecked = f.unchecked;
        ds->unknown = f.unknown;
        ds->dropped = f.dropped;
        ds->ignored = f.ignored;
        ds->hashed = f.hashed;
        ds->collisions = f.shared;
        memcpy(ds->note, f.note, sizeof ds->note);
        take_files(ds, reader_files(r));
        labels_free(&ds->labels);
        ds->labels = *reader_labels(r);
        labels_init(reader_labels(r), &ds->e);
        schema_free(&ds->schema);
        ds->schema = *reader_schema(r);
        schema_init(reader_schema(r), &ds->e);
        *out = ds; /* the caller owns it now */
        ds = NULL;
    }
    reader_close(r); /* first: its threads take memory from the slabs of ds */
    perc_dataset_free(ds);
    return st;
}

/* ----- any path ------------------------------------------------------------------ */

static perc_status look_for_blocks(const struct env *e, const char *path, bool *text,
                                   perc_error *err)
{
    struct source *s;
    const char *begin;
    size_t len;
    perc_status st;

    if (!file_is_regular(path)) return PERC_OK;
    if ((st = source_open(e, path, NULL, &s, err))) return st;
    if (!(st = source_peek(s, 0, &begin, &len, err))) *text = !blockfile_is(begin, len);
    source_close(s);
    return st;
}

perc_status read_is_text(const struct env *e, const char *path, const perc_params *data,
                         struct perc_files *files, bool *yes, perc_error *err)
{
    perc_status st = paths_find(e, path, params_text(data, "more"), files, err);

    if (st) return st;
    const char *first = files->name[0];
    *yes = first[0] != ':' && !params_is(data, "format", "blocks");
    if (*yes && params_is(data, "format", "auto")) st = look_for_blocks(e, first, yes, err);
    if (!st && !*yes && files->n > 1)
        st = fail(
            err, PERC_EDATA,
            "blocks cannot be one of several files ('perceptron convert' makes text of them)");
    return paths_blame(files, 0, st, err);
}

/* The features of loaded data are fixed: an option that asks for others is a mistake. */
static perc_status check_loaded(const perc_dataset *ds, const perc_params *data, perc_error *err)
{
    const int64_t bits = params_int(data, "hash");

    if (bits > 0 && bits != ds->schema.hash_bits)
        return fail(err, PERC_EARG,
                    "--hash %lld: these data have their features already (hash where text is "
                    "read)",
                    (long long)bits);
    if (*params_text(data, "text") != '\0' && !schema_has_words(&ds->schema))
        return fail(err, PERC_EARG, "--text: these data have no column of text");
    for (const char *option = "group"; option != NULL; option = *option == 'g' ? "time" : NULL)
        if (*params_text(data, option) != '\0')
            return fail(err, PERC_EARG, "--%s names a column of a table, and this is none", option);
    if (*params_text(data, "columns") != '\0')
        return fail(err, PERC_EARG,
                    "--columns: these data have their features already (it is for tables as text)");
    return PERC_OK;
}

static perc_status read_any(const struct env *e, const char *path, const perc_params *data,
                            const struct reading *how, perc_dataset **out, bool *fill,
                            perc_error *err)
{
    struct perc_files files;
    bool text;
    perc_status st;

    *fill = false;
    st = read_is_text(e, path, data, &files, &text, err);
    if (!st && text) {
        st = read_text(e, path, data, how, out, fill, err);
    } else if (!st) {
        path = files.name[0];
        st = path[0] == ':' ? builtin_read(e, path, out, err)
                            : blockfile_read(e, path, params_bool(data, "in-place"), out, err);
        if (!st && (st = check_loaded(*out, data, err))) {
            perc_dataset_free(*out);
            *out = NULL;
        }
    }
    paths_free(&files);
    return st;
}

/* PERC_EARG if an option would change the numbers: exact arithmetic is about the file. Products of
 * them are made later (integral.h). */
static perc_status check_exact(const perc_params *data, perc_error *err)
{
    static const char why[] = "exact arithmetic is about the numbers of the file";
    enum scale how;
    double by;
    struct map map;
    perc_status st;

    if ((st = transform_parse(params_text(data, "scale"), &how, &by, err)) ||
        (st = map_parse(params_text(data, "map"), &map, err)))
        return st;
    if (how != SCALE_NONE && how != SCALE_AUTO)
        return fail(err, PERC_EARG, "%s: leave out --scale %s", why, params_text(data, "scale"));
    if (map.bits > 0)
        return fail(err, PERC_EARG, "%s, not of buckets: leave out --map %s", why,
                    params_text(data, "map"));
    if (params_int(data, "hash") > 0)
        return fail(err, PERC_EARG, "%s, not of buckets: leave out --hash", why);
    if (params_is(data, "missing", "mean") || params_is(data, "missing", "median") ||
        params_is(data, "missing", "zero"))
        return fail(err, PERC_EARG,
                    "%s: missing ones cannot be filled in (--missing drop leaves such rows out)",
                    why);
    if (params_bool(data, "float32"))
        return fail(err, PERC_EARG, "%s: leave out --float32, which rounds them", why);
    return PERC_OK;
}

uint64_t read_start_column(const struct read_start *start, const struct schema *schema, uint64_t j)
{
    const bool names = schema->columns > 0 || start->schema->columns > 0;
    const uint64_t k = names ? schema_locate(start->schema, start->names, schema, j) : j;

    return k >= start->base && k < start->columns ? k : UINT64_MAX;
}

/* Whether anything else is to become of missing cells than what the model, or auto, says. */
static bool is_missing_given(const perc_params *data)
{
    return params_given(data, "missing") && !params_is(data, "missing", "auto");
}

perc_status read_start_keep(const struct read_start *start, perc_dataset *ds)
{
    struct measure *how = &ds->measured;

    how->column = mem_array(&ds->e, (size_t)ds->columns, sizeof *how->column);
    how->columns = ds->columns;
    for (uint64_t j = 0; how->column != NULL && j < ds->columns; j++)
        how->column[j] = read_start_column(start, &ds->schema, j);
    return how->column == NULL ? PERC_ENOMEM
                               : transform_copy(&ds->e, start->transform, &how->start);
}

static uint64_t row_gaps(const struct row *r)
{
    struct row_entries p;
    uint64_t gaps = 0;

    for (size_t from = 0, n; from < r->n; from += n) {
        n = row_entries_read(r, from, &p);
        for (size_t k = 0; k < n; k++) gaps += p.x[k] != p.x[k];
    }
    return gaps;
}

/* Missing numbers. */
static uint64_t count_gaps(const perc_dataset *ds)
{
    uint64_t gaps = 0;

    for (size_t b = 0; b < ds->blocks; b++)
        for (size_t i = 0; i < ds->block[b].rows; i++) {
            const struct row r = block_row(&ds->block[b], i);
            gaps += row_gaps(&r);
        }
    return gaps;
}

/* Measures what the features are to be scaled and filled by, and does it. auto is for tables that
 * are read as they will be learned from. */
static perc_status scale_rows(perc_dataset *ds, const perc_params *data,
                              const struct reading *asked, bool fill, perc_error *err)
{
    const struct read_start *start = asked->start;
    struct measure *how = &ds->measured;
    const bool table = measure_is_table(ds);
    perc_status st = transform_parse(params_text(data, "scale"), &how->scale, &how->by, err);

    if (!st && how->scale == SCALE_AUTO && (asked->exact || !table)) how->scale = SCALE_NONE;
    if (start != NULL) how->scale = start->transform->scale, how->by = start->transform->by;
    if (start != NULL && how->scale == SCALE_STANDARD && table) how->scale = SCALE_AUTO;
    ds->chosen = how->scale == SCALE_AUTO && start == NULL;
    how->fill = fill;
    how->yes = fill || transform_needs_pass(how->scale) || ds->wide.columns > 0 ||
               transform_is_told(&ds->schema, how->scale) ||
               (how->scale == SCALE_AUTO && ds->schema.numeric > 0);
    if (!st && start != NULL && read_start_keep(start, ds)) st = fail_memory(err);
    if (!st) st = measure_rows(ds, NULL, err);
    return st ? st : measure_apply(ds, true, err);
}

static perc_status read_set(const perc_env *env, const char *path, const perc_params *data,
                            const struct reading *asked, perc_dataset **out, perc_error *err)
{
    const struct env e = env_resolve(env);
    const double begin = clock_seconds();
    const bool filling = data != NULL && params_is(data, "missing", "auto");
    perc_params *own = NULL;
    perc_dataset *ds = NULL;
    bool fill;
    perc_status st;

    *out = NULL;
    if (data == NULL ? params_new(&e, &data_table, &own) : params_copy(&e, data, &own))
        return fail_memory(err);
    data = own;
    /* auto is mean for a table that has gaps: the model of one without knows no means, unless it
     * says of each column what becomes of them. */
    if (filling && (st = perc_params_set(own, "missing", asked->exact ? "error" : "mean", err)))
        goto done;
    if (asked->exact && (st = check_exact(data, err))) goto done;
    if ((st = read_any(&e, path, data, asked, &ds, &fill, err))) goto done;
    if (ds->rows == 0) {
        st = ds->dropped > 0
                 ? fail(err, PERC_EDATA,
                        "every row has a missing cell: none is left (fill some of them in)")
                 : fail(err, PERC_EDATA, NO_ROWS);
        goto done;
    }
    if (asked->exact && (st = csv_check_exact(&ds->schema, err))) goto done; /* a block file's */
    if ((st = dataset_sort_labels(ds) ? fail_memory(err) : PERC_OK)) goto done;
    if ((st = measure_settle(ds, true, err))) goto done;
    fill |= schema_measures_gaps(&ds->schema);
    if (fill) ds->filled = count_gaps(ds);
    fill = fill && (!filling || ds->filled > 0 || schema_has_treatments(&ds->schema));
    if ((st = scale_rows(ds, data, asked, fill, err))) goto done;
    if ((st = map_parse(params_text(data, "map"), &ds->map, err)) ||
        (st = map_set_inputs(&ds->map, (uint64_t)ds->index_base, ds->columns, err)))
        goto done;
    if ((st = names_make(&e, &ds->schema, &ds->names) ? fail_memory(err) : PERC_OK)) goto done;
    ds->seconds = clock_seconds() - begin;
    *out = ds;
    ds = NULL;
done:
    perc_dataset_free(ds);
    perc_params_free(own);
    return st;
}

perc_status perc_dataset_read(const perc_env *env, const char *path, const perc_params *data,
                              perc_dataset **out, perc_error *err)
{
    NEED_OUT(out);
    NEED(path != NULL);
    if (data != NULL) NEED_PARAMS(data, "data");
    return read_set(env, path, data, &(struct reading){ .exact = false }, out, err);
}

/* Whether another scaling is asked for than a model has. Where its columns say more, what was asked
 * of the others is not known any more. */
static bool is_other_scale(const struct transform *t, const struct schema *schema, enum scale how,
                           double by)
{
    if (how == SCALE_AUTO || transform_is_told(schema, SCALE_AUTO)) return false;
    return how != t->scale || (how == SCALE_BY && by != t->by);
}

perc_status read_dataset_start(const struct env *e, const char *path, const perc_params *data,
                               const struct read_start *start, perc_dataset **out, perc_error *err)
{
    const perc_env env = { e->alloc, e->ud, e->threads };
    const struct transform *t = start->transform;
    const struct reading asked = { .start = start };
    enum scale how = SCALE_AUTO;
    double by = 1;
    perc_params *own;
    perc_status st = PERC_OK;

    *out = NULL;
    if (data != NULL ? params_copy(e, data, &own) : params_new(e, &data_table, &own))
        return fail_memory(err);
    if (params_given(own, "scale")) st = transform_parse(params_text(own, "scale"), &how, &by, err);
    if (!st && is_other_scale(t, start->schema, how, by))
        st = fail(err, PERC_EARG,
                  "%.80s has its own scaling, which its weights need: leave out "
                  "--scale %s",
                  start->path, params_text(own, "scale"));
    if (!st) st = notation_ask(&start->schema->notation, own, err);
    if (!st && t->fill != NULL && !schema_fills(start->schema) && !is_missing_given(own))
        st = perc_params_set(own, "missing", "mean", err); /* as there */
    if (!st) st = read_set(&env, path, own, &asked, out, err);
    perc_params_free(own);
    return st;
}

perc_status perc_dataset_read_exact(const perc_env *env, const char *path, const perc_params *data,
                                    perc_dataset **out, perc_error *err)
{
    NEED_OUT(out);
    NEED(path != NULL);
    if (data != NULL) NEED_PARAMS(data, "data");
    return read_exact_watched(env, path, data, NULL, out, err);
}

perc_status read_exact_watched(const perc_env *env, const char *path, const perc_params *data,
                               const struct watch *watch, perc_dataset **out, perc_error *err)
{
    const struct reading asked = { .exact = true, .watch = watch };

    return read_set(env, path, data, &asked, out, err);
}

/* Entries in columns that the model does not have. */
uint64_t read_block_unknown(const struct block *b, uint64_t columns)
{
    uint64_t n = 0;

    if (b->columns <= columns) return 0;
    for (size_t i = 0; i < b->rows; i++) {
        const struct row r = block_row(b, i);
        for (size_t k = r.n; k > 0 && row_column(&r, k - 1) >= columns; k--)
            n += row_value(&r, k - 1) != 0;
    }
    return n;
}

perc_status read_check_map(const perc_params *data, const struct map *map, perc_error *err)
{
    struct map asked, has = map != NULL ? *map : (struct map){ 0 };
    perc_status st;

    if (!params_given(data, "map")) return PERC_OK;
    if ((st = map_parse(params_text(data, "map"), &asked, err))) return st;
    if (map_same(&asked, &has)) return PERC_OK;
    return fail(err, PERC_EARG, "the model has its own map: leave out --map %s",
                params_text(data, "map"));
}

/* Sets what nobody has asked for. */
static perc_status set_missing(perc_params *data, const char *how, perc_error *err)
{
    const perc_status st = perc_params_set(data, "missing", how, err);

    for (size_t i = 0; i < data->table->count; i++)
        if (strcmp(data->table->rows[i].name, "missing") == 0) data->given[i] = false;
    return st;
}

perc_status read_every_row(perc_params *data, perc_error *err)
{
    return params_given(data, "missing") ? PERC_OK : set_missing(data, "error", err);
}

perc_status read_params_again(const struct env *e, const struct schema *schema,
                              const perc_params *data, perc_params **out, perc_error *err)
{
    if (params_copy(e, data, out)) return fail_memory(err);
    const perc_status st = notation_ask(&schema->notation, *out, err);
    return !st && schema_fills(schema) ? set_missing(*out, "drop", err) : st;
}

/* As in training. Where the columns say it themselves, only rows that are left out are an
 * option. */
static perc_status choose_missing(perc_params *data, const struct transform *t,
                                  const struct schema *schema, perc_error *err)
{
    const bool means = params_is(data, "missing", "mean") || params_is(data, "missing", "median");

    if (schema != NULL && schema_fills(schema))
        return params_given(data, "missing") ? PERC_OK : set_missing(data, "drop", err);
    if (t->fill != NULL && !params_given(data, "missing"))
        return perc_params_set(data, "missing", "mean", err);
    if (!means || (t->fill != NULL && params_is(data, "missing", "mean"))) return PERC_OK;
    return fail(err, PERC_EARG,
                "the model has no %ss: it was not trained with --missing %s (use zero)",
                params_text(data, "missing"), params_text(data, "missing"));
}

perc_status read_params_for(const struct env *e, const struct transform *t,
                            const struct schema *schema, const perc_params *data, perc_params **out,
                            perc_error *err)
{
    perc_status st = PERC_OK;
    enum scale how = t->scale;
    double by = t->by;

    *out = NULL;
    if (data != NULL ? params_copy(e, data, out) : params_new(e, &data_table, out))
        return fail_memory(err);
    const char *scale = params_text(*out, "scale");
    if (params_given(*out, "scale")) st = transform_parse(scale, &how, &by, err);
    if (!st && is_other_scale(t, schema, how, by))
        st = fail(err, PERC_EARG, "the model has its own scaling: leave out --scale %s", scale);
    if (!st && schema != NULL) st = notation_ask(&schema->notation, *out, err);
    if (!st && params_is(*out, "missing", "auto")) st = set_missing(*out, "error", err);
    if (!st) st = choose_missing(*out, t, schema, err);
    if (st) {
        perc_params_free(*out);
        *out = NULL;
    }
    return st;
}

/* Whether a block file has the columns that a model was trained on. */
static bool same_columns(const struct schema *a, const struct schema *b)
{
    bool same = a->columns == b->columns;

    for (size_t i = 0; i < a->columns && same; i++)
        same = a->column[i].kind == b->column[i].kind &&
               strcmp(a->column[i].name, b->column[i].name) == 0;
    return same;
}

/* The levels of rows that were read for a model with this schema are settled as that has them, or
 * as `settled` does. Those of text that was read for a model are. */
static perc_status settle_for(perc_dataset *ds, const struct schema *schema,
                              const struct schema *settled, uint64_t columns, perc_error *err)
{
    if (settled != NULL) return measure_settle_as(ds, settled, columns, err);
    if (strcmp(ds->format, "blocks") != 0 || schema == NULL) return PERC_OK;
    if (!levels_are_measured(&ds->schema) && !levels_are_measured(schema)) return PERC_OK;
    if (!same_columns(&ds->schema, schema))
        return fail(err, PERC_EDATA,
                    "the model was trained on other columns: give it the table as text, whose "
                    "columns have names");
    return measure_settle_as(ds, schema, columns, err);
}

perc_status read_dataset_for(const struct env *e, const char *path, const perc_params *data,
                             const struct reader_model *model, const struct transform *t,
                             const struct schema *settled, uint64_t columns, perc_dataset **out,
                             perc_error *err)
{
    const double begin = clock_seconds();
    const unsigned bits = model->schema != NULL ? model->schema->hash_bits : 0;
    perc_params *own;
    perc_dataset *ds = NULL;
    bool fill;
    perc_status st;

    *out = NULL;
    if ((st = read_params_for(e, t, model->schema, data, &own, err))) return st;
    if ((st = read_check_map(own, model->map, err))) goto done;
    if ((st = read_any(e, path, own, &(struct reading){ .model = model }, &ds, &fill, err)))
        goto done;
    if (model->index_base >= 0 && ds->index_base != model->index_base) {
        st = fail(err, PERC_EDATA, "these data count features from %d, the model from %d",
                  ds->index_base, model->index_base);
        goto done;
    }
    if (model->index_base >= 0 && ds->schema.hash_bits != bits) {
        st = bits == 0
                 ? fail(err, PERC_EDATA, "these data are hashed, the model's features are not")
                 : fail(err, PERC_EDATA,
                        "the model's features are hashed into 2^%u buckets, these are not", bits);
        goto done;
    }
    if ((st = settle_for(ds, model->schema, settled, columns, err))) goto done;
    if (fill) ds->filled = count_gaps(ds);
    if (model->map != NULL) ds->map = *model->map;
    for (size_t i = 0; i < ds->blocks; i++)
        ds->unknown += read_block_unknown(&ds->block[i], columns);
    if (dataset_sort_labels(ds) || transform_copy(e, t, &ds->transform)) {
        st = fail_memory(err);
        goto done;
    }
    ds->measured = (struct measure){ .yes = t->fill != NULL || transform_needs_pass(t->scale),
                                     .scale = t->scale,
                                     .by = t->by,
                                     .fill = t->fill != NULL,
                                     .model = true };
    if ((st = measure_apply(ds, true, err))) goto done;
    ds->seconds = clock_seconds() - begin;
    *out = ds;
    ds = NULL;
done:
    perc_dataset_free(ds);
    perc_params_free(own);
    return st;
}

/* Uses what a model would have taken over from `like`. */
perc_status perc_dataset_read_like(const perc_env *env, const perc_dataset *like, const char *path,
                                   const perc_params *data, perc_dataset **out, perc_error *err)
{
    NEED_OUT(out);
    NEED(like != NULL && path != NULL);
    if (data != NULL) NEED_PARAMS(data, "data");
    const struct env e = env_resolve(env);
    const bool wide = like->wide.columns > 0;
    const struct schema *schema = wide ? &like->wide : &like->schema;
    const struct reader_model asks = { like->index_base, schema, &like->map, NULL };

    return read_dataset_for(&e, path, data, &asks, &like->transform, wide ? &like->schema : NULL,
                            like->columns, out, err);
}
